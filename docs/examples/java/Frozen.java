// SPDX-License-Identifier: MIT
package contracts;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Copies that nobody can change. Unlike {@code Map.copyOf} they keep null and the order. */
final class Frozen {
    private Frozen() {}

    /** Copies a list that may hold no null. */
    static <T> List<T> items(List<T> items) {
        return List.copyOf(items);
    }

    /** Copies a list of JSON values, and what is in them. */
    static List<Object> values(List<?> values) {
        List<Object> copy = new ArrayList<>(values.size());
        values.forEach(value -> copy.add(value(value)));
        return Collections.unmodifiableList(copy);
    }

    /** Copies a row, and what is in its cells. */
    static Map<String, Object> row(Map<?, ?> cells) {
        Map<String, Object> copy = new LinkedHashMap<>();
        cells.forEach((name, cell) -> copy.put((String) name, value(cell)));
        return Collections.unmodifiableMap(copy);
    }

    private static Object value(Object value) {
        if (value instanceof List<?> list) {
            return values(list);
        }
        return value instanceof Map<?, ?> map ? row(map) : value;
    }
}
