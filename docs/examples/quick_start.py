# SPDX-License-Identifier: MIT
"""One tool call that is answered, and one that is refused."""

from agent_contracts import (
    AgentToolContracts,
    ContractError,
    EvidenceStatus,
    RagEvidence,
    RagToolResult,
    observations,
)

tool = AgentToolContracts.LOOKUP_KNOWLEDGE


def answer(call_id: str, arguments: str) -> dict[str, object]:
    """Answer one tool call; the id comes from the framework, never from the model."""
    try:
        request = tool.parse(arguments)
    except ContractError as error:
        return observations.openai_chat(error, tool_call_id=call_id)
    result = RagToolResult(
        tool_call_id=call_id,
        status=EvidenceStatus.EVIDENCE_FOUND,
        query=request.query,
        evidence_count=4,
        truncated=True,
        evidence=(
            RagEvidence(
                source="Runbook: connection pools",
                section="Pool exhausted > First steps",
                content="Look for statements that hold a connection for more than 30 s.",
            ),
        ),
    )
    return observations.openai_chat(result)


print(answer("call_7", '{"query": "pool exhausted"}')["content"])
print(answer("call_8", '{"query": "pool exhausted", "top_k": 5}')["content"])
