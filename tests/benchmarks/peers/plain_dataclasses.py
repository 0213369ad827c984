# SPDX-License-Identifier: MIT
"""Plain frozen dataclasses: no checks, and dictionaries where the contract has frozen rows.

`dataclasses.asdict` is measured on them. It cannot be measured on classes that hold a
`MappingProxyType`, which it tries to copy and cannot.
"""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

from .words import EvidenceStatus, LogTopic, SourceKind

__all__ = ["EvidenceStatus", "LogTopic", "SourceKind"]


@dataclass(frozen=True, slots=True, kw_only=True)
class RagToolRequest:
    query: str


@dataclass(frozen=True, slots=True, kw_only=True)
class RagEvidence:
    source: str
    section: str | None
    content: str


@dataclass(frozen=True, slots=True, kw_only=True)
class RagToolResult:
    tool_call_id: str | None
    status: EvidenceStatus
    query: str
    evidence_count: int
    truncated: bool
    evidence: tuple[RagEvidence, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class QueryLogsToolRequest:
    topic: LogTopic
    query: str
    lookback_minutes: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class LogScope:
    topic: LogTopic
    query: str
    lookback_minutes: int
    start_time: str
    end_time: str


@dataclass(frozen=True, slots=True, kw_only=True)
class LogPattern:
    pattern: str
    level: str | None
    service: str | None
    count: int
    first_seen: str
    last_seen: str
    sample: str


@dataclass(frozen=True, slots=True, kw_only=True)
class LogEvent:
    timestamp: str
    level: str | None
    service: str | None
    instance: str | None
    message: str


@dataclass(frozen=True, slots=True, kw_only=True)
class QueryLogsToolResult:
    tool_call_id: str | None
    status: EvidenceStatus
    source_kind: SourceKind
    scope: LogScope
    matched_count: int
    truncated: bool
    patterns: tuple[LogPattern, ...]
    timeline_events: tuple[LogEvent, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class MysqlToolRequest:
    data_source: str
    sql: str
    params: tuple[str | int | float | bool | None, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class MysqlToolResult:
    tool_call_id: str | None
    status: EvidenceStatus
    row_count: int
    truncated: bool
    columns: tuple[str, ...]
    rows: tuple[Mapping[str, Any], ...]


def to_dict(value: Any) -> dict[str, Any]:
    """Plain data in which tuples and enum members stay as they are."""
    return asdict(value)
