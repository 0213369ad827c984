// SPDX-License-Identifier: MIT
package contracts;

import static java.util.Objects.requireNonNull;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.List;
import java.util.Map;

/** The wire form of {@code query_mysql}. */
public final class QueryMysql {
    private QueryMysql() {}

    public record MysqlToolRequest(
            @JsonProperty(value = "data_source", required = true) String dataSource,
            @JsonProperty(value = "sql", required = true) String sql,
            @JsonProperty("params") List<Object> params) {
        public MysqlToolRequest {
            requireNonNull(dataSource, "data_source");
            requireNonNull(sql, "sql");
            params = params == null ? List.of() : Frozen.values(params);
        }
    }

    public record MysqlToolResult(
            @JsonProperty(value = "tool_call_id", required = true) String toolCallId,
            @JsonProperty(value = "status", required = true) EvidenceStatus status,
            @JsonProperty(value = "row_count", required = true) long rowCount,
            @JsonProperty(value = "truncated", required = true) boolean truncated,
            @JsonProperty(value = "columns", required = true) List<String> columns,
            @JsonProperty(value = "rows", required = true) List<Map<String, Object>> rows) {
        public MysqlToolResult {
            requireNonNull(status, "status");
            columns = Frozen.items(columns);
            rows = Frozen.items(rows).stream().map(Frozen::row).toList();
        }
    }
}
