# SPDX-License-Identifier: MIT
"""The part that a harness writes itself: it answers typed requests, here from data in place."""

from typing import Any

from agent_contracts import (
    EvidenceStatus,
    LogEvent,
    LogPattern,
    LogScope,
    LogTopic,
    MysqlToolRequest,
    MysqlToolResult,
    QueryLogsToolRequest,
    QueryLogsToolResult,
    RagEvidence,
    RagToolRequest,
    RagToolResult,
    SourceKind,
)

Request = RagToolRequest | QueryLogsToolRequest | MysqlToolRequest
Result = RagToolResult | QueryLogsToolResult | MysqlToolResult

EXCERPT = RagEvidence(
    source="Runbook: order-service connection pool",
    section="Payment inside the transaction",
    content="Switch the feature charge-in-transaction off, and watch active fall below 5.",
)
EVENT = LogEvent(
    timestamp="2026-07-12T15:11:52.104+08:00",
    level="ERROR",
    service="order-service",
    instance="order-service-2",
    message="支付渠道超时 order=88213205",
)
ROWS = ({"status": "CANCELLED", "orders": 31}, {"status": "PAID", "orders": 9})


def answer(tool_call_id: str | None, request: Request) -> Result:
    """Answer one call: the id comes from the framework, the request from the model."""
    citable = bool(tool_call_id and not tool_call_id.isspace())
    found = find(request) if citable else None  # what has no id could not be cited
    items = found or ()
    if found is None:
        status = EvidenceStatus.ERROR
    else:
        status = EvidenceStatus.EVIDENCE_FOUND if found else EvidenceStatus.NO_EVIDENCE
    match request:
        case RagToolRequest(query=query):
            return RagToolResult(
                tool_call_id=tool_call_id,
                status=status,
                query=query,
                evidence_count=len(items),
                truncated=False,
                evidence=items,
            )
        case QueryLogsToolRequest(topic=topic, query=query):
            return QueryLogsToolResult(
                tool_call_id=tool_call_id,
                status=status,
                source_kind=SourceKind.MOCK,
                scope=LogScope(
                    topic=topic,
                    query=query,
                    lookback_minutes=20,  # all that was recorded, whatever was asked for
                    start_time="2026-07-12T15:00:00+08:00",
                    end_time="2026-07-12T15:20:00+08:00",
                ),
                matched_count=len(items),
                truncated=False,
                patterns=tuple(
                    LogPattern(
                        pattern="支付渠道超时 order=<*>",
                        level=event.level,
                        service=event.service,
                        count=1,
                        first_seen=event.timestamp,
                        last_seen=event.timestamp,
                        sample=event.message,
                    )
                    for event in items
                ),
                timeline_events=items,
            )
        case MysqlToolRequest():
            return MysqlToolResult(
                tool_call_id=tool_call_id,
                status=status,
                row_count=len(items),
                truncated=False,
                columns=tuple(items[0]) if items else (),
                rows=items,
            )


def find(request: Request) -> tuple[Any, ...] | None:
    """Find what a request asks for; None means that the source could not be asked."""
    match request:
        case RagToolRequest(query=query):
            return (EXCERPT,) if "pool" in query.lower() else ()
        case QueryLogsToolRequest(topic=LogTopic.APPLICATION, query=query):
            return (EVENT,) if query in EVENT.message else ()
        case MysqlToolRequest(data_source="orders"):
            return ROWS
    return None
