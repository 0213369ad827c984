# SPDX-License-Identifier: MIT
"""From a tool call to what the model reads: parse, search, project, answer."""

# --8<-- [start:imports]
import json

from agent_contracts import (
    AgentToolContracts,
    ContractError,
    EvidenceStatus,
    LogEvent,
    LogPattern,
    LogScope,
    QueryLogsToolRequest,
    QueryLogsToolResult,
    SourceKind,
    definitions,
    observations,
)

# --8<-- [end:imports]

# --8<-- [start:parse]
# what the framework hands over: its id, the tool's name, the model's arguments
call_id = "call_yD7cPe0L"
name = "query_logs"
arguments = '{"topic": "APPLICATION", "query": "order-service connection"}'

request = AgentToolContracts.named(name).parse(arguments)
print(request)
# --8<-- [end:parse]


# --8<-- [start:result]
def search(request: QueryLogsToolRequest, call_id: str) -> QueryLogsToolResult:
    """Stand in for your adapter: ask the log store, then keep what the model should read."""
    message = "Connection is not available, request timed out after 30000ms"
    first, last = "2026-07-12T15:11:06.212+08:00", "2026-07-12T15:19:58.840+08:00"
    return QueryLogsToolResult(
        tool_call_id=call_id,
        status=EvidenceStatus.EVIDENCE_FOUND,
        source_kind=SourceKind.MOCK,
        scope=LogScope(
            topic=request.topic,
            query=request.query,
            lookback_minutes=request.lookback_minutes or 30,  # your default, told to the model
            start_time="2026-07-12T14:50:00+08:00",
            end_time="2026-07-12T15:20:00+08:00",
        ),
        matched_count=214,
        truncated=True,  # 214 matched, one is listed
        patterns=(
            LogPattern(
                pattern="Connection is not available, request timed out after <*>ms",
                level="ERROR",
                service="order-service",
                count=214,
                first_seen=first,
                last_seen=last,
                sample=message,
            ),
        ),
        timeline_events=(
            LogEvent(
                timestamp=first,
                level="ERROR",
                service="order-service",
                instance="order-service-2",
                message=message,
            ),
        ),
    )


result = search(request, call_id)
print(result.to_json(indent=2))
# --8<-- [end:result]

# --8<-- [start:answer]
print(json.dumps(observations.anthropic(result), indent=2))
# --8<-- [end:answer]

# --8<-- [start:refuse]
try:
    AgentToolContracts.named(name).parse('{"topic": "app", "query": "timeout", "limit": 50}')
except ContractError as error:
    refusal = observations.anthropic(error, tool_call_id="call_Hq3TzW8p")
    print(json.dumps(refusal, indent=2))
# --8<-- [end:refuse]

# --8<-- [start:tell]
tools = [definitions.anthropic(tool) for tool in AgentToolContracts.ALL]
print(", ".join(tool["name"] for tool in tools))
# --8<-- [end:tell]
