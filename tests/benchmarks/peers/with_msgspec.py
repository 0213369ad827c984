# SPDX-License-Identifier: MIT
# mypy: disable-error-code="import-not-found,misc,call-arg"
"""msgspec: frozen structs that forbid unknown fields. Written in C."""

from typing import Annotated, Any

import msgspec

from .words import TIMESTAMP, EvidenceStatus, LogTopic, SourceKind

ERROR = msgspec.DecodeError

Timestamp = Annotated[str, msgspec.Meta(pattern=TIMESTAMP)]


class _Contract(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    pass


class RagToolRequest(_Contract):
    query: str


class RagEvidence(_Contract):
    source: str
    section: str | None
    content: str


class RagToolResult(_Contract):
    tool_call_id: str | None
    status: EvidenceStatus
    query: str
    evidence_count: int
    truncated: bool
    evidence: tuple[RagEvidence, ...]


class QueryLogsToolRequest(_Contract):
    topic: LogTopic
    query: str
    lookback_minutes: int | None = None


class LogScope(_Contract):
    topic: LogTopic
    query: str
    lookback_minutes: int
    start_time: Timestamp
    end_time: Timestamp


class LogPattern(_Contract):
    pattern: str
    level: str | None
    service: str | None
    count: int
    first_seen: Timestamp
    last_seen: Timestamp
    sample: str


class LogEvent(_Contract):
    timestamp: Timestamp
    level: str | None
    service: str | None
    instance: str | None
    message: str


class QueryLogsToolResult(_Contract):
    tool_call_id: str | None
    status: EvidenceStatus
    source_kind: SourceKind
    scope: LogScope
    matched_count: int
    truncated: bool
    patterns: tuple[LogPattern, ...]
    timeline_events: tuple[LogEvent, ...]


class MysqlToolRequest(_Contract):
    data_source: str
    sql: str
    params: tuple[str | int | float | bool | None, ...] = ()


class MysqlToolResult(_Contract):
    tool_call_id: str | None
    status: EvidenceStatus
    row_count: int
    truncated: bool
    columns: tuple[str, ...]
    rows: tuple[dict[str, Any], ...]


_ENCODER = msgspec.json.Encoder()


def to_dict(value: Any) -> Any:
    return msgspec.to_builtins(value)


def to_json(value: Any) -> Any:
    return _ENCODER.encode(value).decode()


def from_json(contract: Any, text: Any) -> Any:
    return msgspec.json.decode(text, type=contract)


def told(error: Exception) -> str:
    return str(error)
