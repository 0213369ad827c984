// SPDX-License-Identifier: MIT
package contracts;

import static java.util.Objects.requireNonNull;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.List;

/** The wire form of {@code lookup_knowledge}. */
public final class LookupKnowledge {
    private LookupKnowledge() {}

    public record RagToolRequest(@JsonProperty(value = "query", required = true) String query) {
        public RagToolRequest {
            requireNonNull(query, "query");
        }
    }

    public record RagToolResult(
            @JsonProperty(value = "tool_call_id", required = true) String toolCallId,
            @JsonProperty(value = "status", required = true) EvidenceStatus status,
            @JsonProperty(value = "query", required = true) String query,
            @JsonProperty(value = "evidence_count", required = true) long evidenceCount,
            @JsonProperty(value = "truncated", required = true) boolean truncated,
            @JsonProperty(value = "evidence", required = true) List<RagEvidence> evidence) {
        public RagToolResult {
            requireNonNull(status, "status");
            requireNonNull(query, "query");
            evidence = Frozen.items(evidence);
        }
    }

    public record RagEvidence(
            @JsonProperty(value = "source", required = true) String source,
            @JsonProperty(value = "section", required = true) String section,
            @JsonProperty(value = "content", required = true) String content) {
        public RagEvidence {
            requireNonNull(source, "source");
            requireNonNull(content, "content");
        }
    }
}
