// SPDX-License-Identifier: MIT
package contracts;

import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.MapperFeature;
import com.fasterxml.jackson.databind.cfg.CoercionAction;
import com.fasterxml.jackson.databind.cfg.CoercionInputShape;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.type.LogicalType;

/** Jackson as the contract needs it: nothing is dropped, guessed or turned into another type. */
public final class ContractMapper {
    private ContractMapper() {}

    public static JsonMapper create() {
        return JsonMapper.builder()
                .enable(
                        DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES,
                        DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES,
                        DeserializationFeature.FAIL_ON_NUMBERS_FOR_ENUMS,
                        DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
                .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
                .disable(DeserializationFeature.ACCEPT_FLOAT_AS_INT)
                .disable(MapperFeature.ALLOW_COERCION_OF_SCALARS)
                .withCoercionConfig(
                        LogicalType.Textual,
                        text -> {
                            text.setCoercion(CoercionInputShape.Integer, CoercionAction.Fail);
                            text.setCoercion(CoercionInputShape.Float, CoercionAction.Fail);
                            text.setCoercion(CoercionInputShape.Boolean, CoercionAction.Fail);
                        })
                .build();
    }
}
