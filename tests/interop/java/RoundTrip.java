// SPDX-License-Identifier: MIT

import com.fasterxml.jackson.databind.json.JsonMapper;
import contracts.ContractMapper;
import contracts.EvidenceStatus;
import contracts.LookupKnowledge;
import contracts.QueryLogs;
import contracts.QueryMysql;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Reads lines of a class name, a tab and JSON; answers each with {@code =} and what Jackson writes
 * back, or with {@code !} and why it refuses. The argument {@code make} writes objects made in
 * Java instead, and {@code copies} tries to change one.
 */
public final class RoundTrip {
    private static final JsonMapper MAPPER = ContractMapper.create();
    private static final PrintStream OUT =
            new PrintStream(System.out, false, StandardCharsets.UTF_8);
    private static final List<Class<?>> RECORDS =
            List.of(
                    LookupKnowledge.RagToolRequest.class,
                    LookupKnowledge.RagToolResult.class,
                    LookupKnowledge.RagEvidence.class,
                    QueryLogs.QueryLogsToolRequest.class,
                    QueryLogs.QueryLogsToolResult.class,
                    QueryLogs.LogScope.class,
                    QueryLogs.LogPattern.class,
                    QueryLogs.LogEvent.class,
                    QueryMysql.MysqlToolRequest.class,
                    QueryMysql.MysqlToolResult.class);

    public static void main(String[] arguments) throws IOException {
        if (arguments.length == 0) {
            roundTrips();
        } else if (arguments[0].equals("make")) {
            make();
        } else {
            copies();
        }
        OUT.flush();
    }

    private static void roundTrips() throws IOException {
        var lines = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            String[] parts = line.split("\t", 2);
            OUT.println(roundTrip(named(parts[0]), parts[1]));
        }
    }

    private static String roundTrip(Class<?> type, String text) {
        try {
            Object read = MAPPER.readValue(text, type);
            String written = MAPPER.writeValueAsString(read);
            boolean equal = MAPPER.readValue(written, type).equals(read);
            return equal ? "=" + written : "!not equal after a round trip";
        } catch (IOException refused) {
            return "!" + refused.getMessage().lines().findFirst().orElse("");
        }
    }

    private static Class<?> named(String name) {
        return RECORDS.stream()
                .filter(type -> type.getSimpleName().equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException(name));
    }

    private static void make() throws IOException {
        Map<String, Object> row = new LinkedHashMap<>();
        row.put("z", null);
        row.put("a", List.of(1, Map.of("k", "v")));
        row.put("m", 1.5);
        String time = "2026-07-12T15:11:52.123456789+08:00";
        for (Object made :
                List.of(
                        new LookupKnowledge.RagToolRequest("pool 中文 \uD83D\uDE00"),
                        new LookupKnowledge.RagToolResult(
                                "call_1",
                                EvidenceStatus.EVIDENCE_FOUND,
                                "pool",
                                2,
                                true,
                                List.of(new LookupKnowledge.RagEvidence("a.md", null, "\u0000"))),
                        new QueryLogs.QueryLogsToolRequest(
                                QueryLogs.LogTopic.SYSTEM_EVENTS, "restart", null),
                        new QueryLogs.QueryLogsToolResult(
                                null,
                                EvidenceStatus.ERROR,
                                QueryLogs.SourceKind.MOCK,
                                new QueryLogs.LogScope(
                                        QueryLogs.LogTopic.APPLICATION, "q", 60, time, time),
                                Long.MAX_VALUE,
                                false,
                                List.of(
                                        new QueryLogs.LogPattern(
                                                "<*>", null, null, 1, time, time, "x")),
                                List.of(new QueryLogs.LogEvent(time, "WARN", null, null, ""))),
                        new QueryMysql.MysqlToolRequest("orders", "SELECT 1", null),
                        new QueryMysql.MysqlToolRequest(
                                "orders", "SELECT ?", Arrays.asList(null, true, 1L, 1.5, "x")),
                        new QueryMysql.MysqlToolResult(
                                "call_2",
                                EvidenceStatus.EVIDENCE_FOUND,
                                1,
                                false,
                                List.of("z", "a", "m"),
                                List.of(row)))) {
            OUT.println(made.getClass().getSimpleName() + "\t" + MAPPER.writeValueAsString(made));
        }
    }

    private static void copies() {
        List<Object> inner = new ArrayList<>(Arrays.asList(1, null));
        Map<String, Object> row = new LinkedHashMap<>();
        row.put("z", null);
        row.put("a", inner);
        List<String> columns = new ArrayList<>(List.of("z", "a"));
        List<Map<String, Object>> rows = new ArrayList<>(List.of(row));
        var result =
                new QueryMysql.MysqlToolResult(
                        "call_1", EvidenceStatus.EVIDENCE_FOUND, 1, false, columns, rows);
        String before = result.toString();
        inner.add("later");
        row.clear();
        columns.clear();
        rows.clear();
        OUT.println("the caller changes its own: " + result.toString().equals(before));
        OUT.println("the columns: " + refuses(() -> result.columns().add("b")));
        OUT.println("the rows: " + refuses(() -> result.rows().clear()));
        OUT.println("a row: " + refuses(() -> result.rows().get(0).put("z", 1)));
        List<?> cell = (List<?>) result.rows().get(0).get("a");
        OUT.println("a cell: " + refuses(() -> cell.remove(0)));
        String first = result.rows().get(0).toString();
        OUT.println("order and null: " + first.equals("{z=null, a=[1, null]}"));
    }

    private static boolean refuses(Runnable change) {
        try {
            change.run();
            return false;
        } catch (UnsupportedOperationException refused) {
            return true;
        }
    }
}
