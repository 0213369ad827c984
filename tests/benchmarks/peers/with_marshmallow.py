# SPDX-License-Identifier: MIT
# mypy: disable-error-code="import-not-found,misc,type-arg,untyped-decorator"
"""marshmallow: schemas that load into the plain dataclasses, which check nothing themselves."""

from typing import Any, ClassVar

from marshmallow import Schema, ValidationError, fields, post_load, validate

from . import plain_dataclasses as plain
from .plain_dataclasses import (
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
from .words import TIMESTAMP

__all__ = [
    "EvidenceStatus",
    "LogEvent",
    "LogPattern",
    "LogScope",
    "LogTopic",
    "MysqlToolRequest",
    "MysqlToolResult",
    "QueryLogsToolRequest",
    "QueryLogsToolResult",
    "RagEvidence",
    "RagToolRequest",
    "RagToolResult",
    "SourceKind",
]

ERROR = ValidationError


class _Boolean(fields.Boolean):
    truthy: ClassVar[set[Any]] = {True}
    falsy: ClassVar[set[Any]] = {False}


def _text() -> Any:
    return fields.String(required=True)


def _text_or_null() -> Any:
    return fields.String(required=True, allow_none=True)


def _integer() -> Any:
    return fields.Integer(required=True, strict=True)


def _boolean() -> Any:
    return _Boolean(required=True)


def _word(words: Any) -> Any:
    return fields.Enum(words, required=True)


def _timestamp() -> Any:
    return fields.String(required=True, validate=validate.Regexp(TIMESTAMP))


class _Tuple(fields.List):
    def _deserialize(self, *args: Any, **kwargs: Any) -> Any:
        return tuple(super()._deserialize(*args, **kwargs))


class _Contract(Schema):
    @post_load
    def make(self, data: Any, **_: Any) -> Any:
        return getattr(plain, type(self).__name__.removesuffix("Schema"))(**data)


class RagToolRequestSchema(_Contract):
    query = _text()


class RagEvidenceSchema(_Contract):
    source = _text()
    section = _text_or_null()
    content = _text()


class RagToolResultSchema(_Contract):
    tool_call_id = _text_or_null()
    status = _word(EvidenceStatus)
    query = _text()
    evidence_count = _integer()
    truncated = _boolean()
    evidence = _Tuple(fields.Nested(RagEvidenceSchema), required=True)


class QueryLogsToolRequestSchema(_Contract):
    topic = _word(LogTopic)
    query = _text()
    lookback_minutes = fields.Integer(strict=True, load_default=None, allow_none=True)


class LogScopeSchema(_Contract):
    topic = _word(LogTopic)
    query = _text()
    lookback_minutes = _integer()
    start_time = _timestamp()
    end_time = _timestamp()


class LogPatternSchema(_Contract):
    pattern = _text()
    level = _text_or_null()
    service = _text_or_null()
    count = _integer()
    first_seen = _timestamp()
    last_seen = _timestamp()
    sample = _text()


class LogEventSchema(_Contract):
    timestamp = _timestamp()
    level = _text_or_null()
    service = _text_or_null()
    instance = _text_or_null()
    message = _text()


class QueryLogsToolResultSchema(_Contract):
    tool_call_id = _text_or_null()
    status = _word(EvidenceStatus)
    source_kind = _word(SourceKind)
    scope = fields.Nested(LogScopeSchema, required=True)
    matched_count = _integer()
    truncated = _boolean()
    patterns = _Tuple(fields.Nested(LogPatternSchema), required=True)
    timeline_events = _Tuple(fields.Nested(LogEventSchema), required=True)


class MysqlToolRequestSchema(_Contract):
    data_source = _text()
    sql = _text()
    params = _Tuple(fields.Raw(allow_none=True), load_default=(), allow_none=True)


class MysqlToolResultSchema(_Contract):
    tool_call_id = _text_or_null()
    status = _word(EvidenceStatus)
    row_count = _integer()
    truncated = _boolean()
    columns = _Tuple(fields.String(), required=True)
    rows = _Tuple(fields.Dict(keys=fields.String()), required=True)


_SCHEMAS = {
    getattr(plain, schema.__name__.removesuffix("Schema")): schema()
    for schema in _Contract.__subclasses__()
}


def to_dict(value: Any) -> Any:
    return _SCHEMAS[type(value)].dump(value)


def to_json(value: Any) -> Any:
    return _SCHEMAS[type(value)].dumps(value, ensure_ascii=False, separators=(",", ":"))


def from_json(contract: Any, text: Any) -> Any:
    return _SCHEMAS[contract].loads(text)


def told(error: Exception) -> str:
    return str(error)
