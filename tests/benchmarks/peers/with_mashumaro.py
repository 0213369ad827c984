# SPDX-License-Identifier: MIT
# mypy: disable-error-code="import-not-found,misc"
"""mashumaro: its mix-in on frozen dataclasses, with extra keys forbidden.

Left alone, mashumaro takes any value for text and turns text into numbers. Strategies for
the plain types refuse instead. It cannot match text against a pattern.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from mashumaro.config import BaseConfig
from mashumaro.exceptions import ExtraKeysError, InvalidFieldValue, MissingField
from mashumaro.helper import pass_through
from mashumaro.mixins.json import DataClassJSONMixin

from .words import EvidenceStatus, LogTopic, SourceKind

ERROR = (ExtraKeysError, InvalidFieldValue, MissingField)


def _exactly(kind: type) -> dict[str, Any]:
    def deserialize(value: Any) -> Any:
        if type(value) is kind:
            return value
        raise TypeError(f"expected {kind.__name__}")

    return {"deserialize": deserialize, "serialize": pass_through}


@dataclass(frozen=True, slots=True, kw_only=True)
class _Contract(DataClassJSONMixin):
    class Config(BaseConfig):
        forbid_extra_keys = True
        serialization_strategy: ClassVar[Mapping[Any, Any]] = {
            kind: _exactly(kind) for kind in (str, int, bool)
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class RagToolRequest(_Contract):
    query: str


@dataclass(frozen=True, slots=True, kw_only=True)
class RagEvidence(_Contract):
    source: str
    section: str | None
    content: str


@dataclass(frozen=True, slots=True, kw_only=True)
class RagToolResult(_Contract):
    tool_call_id: str | None
    status: EvidenceStatus
    query: str
    evidence_count: int
    truncated: bool
    evidence: tuple[RagEvidence, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class QueryLogsToolRequest(_Contract):
    topic: LogTopic
    query: str
    lookback_minutes: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class LogScope(_Contract):
    topic: LogTopic
    query: str
    lookback_minutes: int
    start_time: str
    end_time: str


@dataclass(frozen=True, slots=True, kw_only=True)
class LogPattern(_Contract):
    pattern: str
    level: str | None
    service: str | None
    count: int
    first_seen: str
    last_seen: str
    sample: str


@dataclass(frozen=True, slots=True, kw_only=True)
class LogEvent(_Contract):
    timestamp: str
    level: str | None
    service: str | None
    instance: str | None
    message: str


@dataclass(frozen=True, slots=True, kw_only=True)
class QueryLogsToolResult(_Contract):
    tool_call_id: str | None
    status: EvidenceStatus
    source_kind: SourceKind
    scope: LogScope
    matched_count: int
    truncated: bool
    patterns: tuple[LogPattern, ...]
    timeline_events: tuple[LogEvent, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class MysqlToolRequest(_Contract):
    data_source: str
    sql: str
    params: tuple[str | int | float | bool | None, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class MysqlToolResult(_Contract):
    tool_call_id: str | None
    status: EvidenceStatus
    row_count: int
    truncated: bool
    columns: tuple[str, ...]
    rows: tuple[Mapping[str, Any], ...]


def _dumps(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def to_dict(value: Any) -> Any:
    return value.to_dict()


def to_json(value: Any) -> Any:
    return value.to_json(encoder=_dumps)


def from_json(contract: Any, text: Any) -> Any:
    return contract.from_json(text)


def told(error: Exception) -> str:
    return str(error)
