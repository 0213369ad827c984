# SPDX-License-Identifier: MIT
# mypy: disable-error-code="import-not-found,misc,untyped-decorator"
"""attrs with validators, and a cattrs converter that forbids extra keys.

Left alone, cattrs turns any value into text or a number. Its hooks for the plain types are
replaced by ones that refuse instead.
"""

from collections.abc import Callable, Mapping
from typing import Any

from attrs import field, frozen
from attrs.validators import and_, deep_iterable, instance_of, matches_re, not_, optional
from cattrs import BaseValidationError, transform_error
from cattrs.preconf.json import make_converter

from .words import TIMESTAMP, EvidenceStatus, LogTopic, SourceKind

ERROR = BaseValidationError

_text = instance_of(str)
_text_or_null = optional(_text)
_integer = and_(instance_of(int), not_(instance_of(bool)))
_boolean = instance_of(bool)
_timestamp = and_(_text, matches_re(TIMESTAMP))
_scalar = optional(instance_of((str, int, float, bool)))


def _tuple_of(kind: type) -> Any:
    return deep_iterable(instance_of(kind), instance_of(tuple))


@frozen(kw_only=True)
class RagToolRequest:
    query: str = field(validator=_text)


@frozen(kw_only=True)
class RagEvidence:
    source: str = field(validator=_text)
    section: str | None = field(validator=_text_or_null)
    content: str = field(validator=_text)


@frozen(kw_only=True)
class RagToolResult:
    tool_call_id: str | None = field(validator=_text_or_null)
    status: EvidenceStatus = field(validator=instance_of(EvidenceStatus))
    query: str = field(validator=_text)
    evidence_count: int = field(validator=_integer)
    truncated: bool = field(validator=_boolean)
    evidence: tuple[RagEvidence, ...] = field(validator=_tuple_of(RagEvidence))


@frozen(kw_only=True)
class QueryLogsToolRequest:
    topic: LogTopic = field(validator=instance_of(LogTopic))
    query: str = field(validator=_text)
    lookback_minutes: int | None = field(default=None, validator=optional(_integer))


@frozen(kw_only=True)
class LogScope:
    topic: LogTopic = field(validator=instance_of(LogTopic))
    query: str = field(validator=_text)
    lookback_minutes: int = field(validator=_integer)
    start_time: str = field(validator=_timestamp)
    end_time: str = field(validator=_timestamp)


@frozen(kw_only=True)
class LogPattern:
    pattern: str = field(validator=_text)
    level: str | None = field(validator=_text_or_null)
    service: str | None = field(validator=_text_or_null)
    count: int = field(validator=_integer)
    first_seen: str = field(validator=_timestamp)
    last_seen: str = field(validator=_timestamp)
    sample: str = field(validator=_text)


@frozen(kw_only=True)
class LogEvent:
    timestamp: str = field(validator=_timestamp)
    level: str | None = field(validator=_text_or_null)
    service: str | None = field(validator=_text_or_null)
    instance: str | None = field(validator=_text_or_null)
    message: str = field(validator=_text)


@frozen(kw_only=True)
class QueryLogsToolResult:
    tool_call_id: str | None = field(validator=_text_or_null)
    status: EvidenceStatus = field(validator=instance_of(EvidenceStatus))
    source_kind: SourceKind = field(validator=instance_of(SourceKind))
    scope: LogScope = field(validator=instance_of(LogScope))
    matched_count: int = field(validator=_integer)
    truncated: bool = field(validator=_boolean)
    patterns: tuple[LogPattern, ...] = field(validator=_tuple_of(LogPattern))
    timeline_events: tuple[LogEvent, ...] = field(validator=_tuple_of(LogEvent))


@frozen(kw_only=True)
class MysqlToolRequest:
    data_source: str = field(validator=_text)
    sql: str = field(validator=_text)
    params: tuple[str | int | float | bool | None, ...] = field(
        default=(), validator=deep_iterable(_scalar, instance_of(tuple))
    )


@frozen(kw_only=True)
class MysqlToolResult:
    tool_call_id: str | None = field(validator=_text_or_null)
    status: EvidenceStatus = field(validator=instance_of(EvidenceStatus))
    row_count: int = field(validator=_integer)
    truncated: bool = field(validator=_boolean)
    columns: tuple[str, ...] = field(validator=_tuple_of(str))
    rows: tuple[Mapping[str, Any], ...] = field(validator=_tuple_of(Mapping))


def _exactly(kind: type) -> Callable[[Any, type], Any]:
    def hook(value: Any, _: type) -> Any:
        if type(value) is kind:
            return value
        raise TypeError(f"expected {kind.__name__}")

    return hook


_CONVERTER = make_converter(forbid_extra_keys=True)
for _kind in (str, int, bool):
    _CONVERTER.register_structure_hook(_kind, _exactly(_kind))


def to_dict(value: Any) -> Any:
    return _CONVERTER.unstructure(value)


def to_json(value: Any) -> Any:
    return _CONVERTER.dumps(value, ensure_ascii=False, separators=(",", ":"))


def from_json(contract: Any, text: Any) -> Any:
    return _CONVERTER.loads(text, contract)


def told(error: Exception) -> str:
    return "; ".join(transform_error(error))
