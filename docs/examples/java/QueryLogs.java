// SPDX-License-Identifier: MIT
package contracts;

import static java.util.Objects.requireNonNull;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.List;

/** The wire form of {@code query_logs}. Timestamps stay text, as they were written. */
public final class QueryLogs {
    private QueryLogs() {}

    public enum LogTopic {
        APPLICATION,
        DATABASE_SLOW_QUERY,
        SYSTEM_EVENTS
    }

    public enum SourceKind {
        MOCK
    }

    public record QueryLogsToolRequest(
            @JsonProperty(value = "topic", required = true) LogTopic topic,
            @JsonProperty(value = "query", required = true) String query,
            @JsonProperty("lookback_minutes") Long lookbackMinutes) {
        public QueryLogsToolRequest {
            requireNonNull(topic, "topic");
            requireNonNull(query, "query");
        }
    }

    public record QueryLogsToolResult(
            @JsonProperty(value = "tool_call_id", required = true) String toolCallId,
            @JsonProperty(value = "status", required = true) EvidenceStatus status,
            @JsonProperty(value = "source_kind", required = true) SourceKind sourceKind,
            @JsonProperty(value = "scope", required = true) LogScope scope,
            @JsonProperty(value = "matched_count", required = true) long matchedCount,
            @JsonProperty(value = "truncated", required = true) boolean truncated,
            @JsonProperty(value = "patterns", required = true) List<LogPattern> patterns,
            @JsonProperty(value = "timeline_events", required = true)
                    List<LogEvent> timelineEvents) {
        public QueryLogsToolResult {
            requireNonNull(status, "status");
            requireNonNull(sourceKind, "source_kind");
            requireNonNull(scope, "scope");
            patterns = Frozen.items(patterns);
            timelineEvents = Frozen.items(timelineEvents);
        }
    }

    public record LogScope(
            @JsonProperty(value = "topic", required = true) LogTopic topic,
            @JsonProperty(value = "query", required = true) String query,
            @JsonProperty(value = "lookback_minutes", required = true) long lookbackMinutes,
            @JsonProperty(value = "start_time", required = true) String startTime,
            @JsonProperty(value = "end_time", required = true) String endTime) {
        public LogScope {
            requireNonNull(topic, "topic");
            requireNonNull(query, "query");
            requireNonNull(startTime, "start_time");
            requireNonNull(endTime, "end_time");
        }
    }

    public record LogPattern(
            @JsonProperty(value = "pattern", required = true) String pattern,
            @JsonProperty(value = "level", required = true) String level,
            @JsonProperty(value = "service", required = true) String service,
            @JsonProperty(value = "count", required = true) long count,
            @JsonProperty(value = "first_seen", required = true) String firstSeen,
            @JsonProperty(value = "last_seen", required = true) String lastSeen,
            @JsonProperty(value = "sample", required = true) String sample) {
        public LogPattern {
            requireNonNull(pattern, "pattern");
            requireNonNull(firstSeen, "first_seen");
            requireNonNull(lastSeen, "last_seen");
            requireNonNull(sample, "sample");
        }
    }

    public record LogEvent(
            @JsonProperty(value = "timestamp", required = true) String timestamp,
            @JsonProperty(value = "level", required = true) String level,
            @JsonProperty(value = "service", required = true) String service,
            @JsonProperty(value = "instance", required = true) String instance,
            @JsonProperty(value = "message", required = true) String message) {
        public LogEvent {
            requireNonNull(timestamp, "timestamp");
            requireNonNull(message, "message");
        }
    }
}
