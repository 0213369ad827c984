# SPDX-License-Identifier: MIT
"""`query_logs`: what the model may ask of the logs, and what it reads back."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Self

from . import _schema as schema
from . import _values as values
from ._contract import Contract, Rules, WireEnum, checked, read
from .status import EvidenceStatus

__all__ = [
    "LogEvent",
    "LogPattern",
    "LogScope",
    "LogTopic",
    "QueryLogsToolRequest",
    "QueryLogsToolResult",
    "SourceKind",
]


class LogTopic(WireEnum):
    """A logical kind of logs. Which physical store holds them is not the model's business."""

    APPLICATION = "APPLICATION"
    """What the services write."""
    DATABASE_SLOW_QUERY = "DATABASE_SLOW_QUERY"
    """Statements that took the database long."""
    SYSTEM_EVENTS = "SYSTEM_EVENTS"
    """What hosts and the platform report: restarts, deployments, kills."""


class SourceKind(WireEnum):
    """Where logs came from. Real sources join it in later versions (design decision 5)."""

    MOCK = "MOCK"
    """A recorded or invented source, for tests and demonstrations."""


_REQUEST: Rules = {
    "topic": values.member(LogTopic),
    "query": values.text,
    "lookback_minutes": values.optional(values.integer, None),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class QueryLogsToolRequest(Contract):
    """What the model sends to `query_logs`."""

    topic: LogTopic
    """Which logs to search: a logical topic, never a physical one."""
    query: str
    """What to search for."""
    lookback_minutes: int | None = None
    """How far back from now to search, in minutes; None leaves it to the tool."""

    def __post_init__(self) -> None:
        checked(self, _REQUEST)

    @classmethod
    def from_dict(cls, data: Mapping[str, Any], /) -> Self:
        """Read the wire form, or raise a ContractError that tells all problems."""
        return read(cls, data, _REQUEST | {"topic": values.word(LogTopic)})

    def to_dict(self) -> dict[str, Any]:
        """Return the wire form as fresh plain data."""
        return {
            "topic": self.topic.value,
            "query": self.query,
            "lookback_minutes": self.lookback_minutes,
        }

    @classmethod
    def json_schema(cls) -> dict[str, Any]:
        """Return a fresh JSON Schema of the wire form."""
        return schema.object_(
            "Which logs to search, and for what.",
            {
                "topic": schema.choice(
                    "APPLICATION: what the services write. DATABASE_SLOW_QUERY: statements that "
                    "took the database long. SYSTEM_EVENTS: restarts, deployments and kills.",
                    LogTopic,
                ),
                "query": schema.string(
                    "What to search for: words of the message, an error code, a service."
                ),
                "lookback_minutes": schema.integer(
                    "How many minutes back from now to search; null leaves it to the tool."
                ),
            },
            optional=("lookback_minutes",),
        )


_SCOPE: Rules = {
    "topic": values.member(LogTopic),
    "query": values.evidence_text,
    "lookback_minutes": values.integer,
    "start_time": values.timestamp,
    "end_time": values.timestamp,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class LogScope(Contract):
    """Exactly what was searched."""

    topic: LogTopic
    """The logical topic."""
    query: str
    """The query of the request, echoed."""
    lookback_minutes: int
    """The minutes that were searched, the tool's own default filled in."""
    start_time: str
    """When the searched time begins: RFC 3339 with an offset."""
    end_time: str
    """When the searched time ends: RFC 3339 with an offset."""

    def __post_init__(self) -> None:
        checked(self, _SCOPE)

    @classmethod
    def from_dict(cls, data: Mapping[str, Any], /) -> Self:
        """Read the wire form, or raise a ContractError that tells all problems."""
        return read(cls, data, _SCOPE | {"topic": values.word(LogTopic)})

    def to_dict(self) -> dict[str, Any]:
        """Return the wire form as fresh plain data."""
        return {
            "topic": self.topic.value,
            "query": self.query,
            "lookback_minutes": self.lookback_minutes,
            "start_time": self.start_time,
            "end_time": self.end_time,
        }

    @classmethod
    def json_schema(cls) -> dict[str, Any]:
        """Return a fresh JSON Schema of the wire form."""
        return schema.object_(
            "Exactly what was searched.",
            {
                "topic": schema.choice("The logs that were searched.", LogTopic),
                "query": schema.string("What was searched for."),
                "lookback_minutes": schema.integer("How many minutes were searched."),
                "start_time": schema.timestamp("When the searched time begins."),
                "end_time": schema.timestamp("When the searched time ends."),
            },
        )


_PATTERN: Rules = {
    "pattern": values.evidence_text,
    "level": values.text_or_null,
    "service": values.text_or_null,
    "count": values.integer,
    "first_seen": values.timestamp,
    "last_seen": values.timestamp,
    "sample": values.evidence_text,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class LogPattern(Contract):
    """One shape of message, and how often it was seen."""

    pattern: str
    """The message with `<*>` in place of what varies."""
    level: str | None
    """The level as the source writes it; None where it has none."""
    service: str | None
    """The service that wrote it; None where it is unknown or there are several."""
    count: int
    """How many events have this shape."""
    first_seen: str
    """When the first of them was written: RFC 3339 with an offset."""
    last_seen: str
    """When the last of them was written: RFC 3339 with an offset."""
    sample: str
    """One raw message of this shape."""

    def __post_init__(self) -> None:
        checked(self, _PATTERN)

    @classmethod
    def from_dict(cls, data: Mapping[str, Any], /) -> Self:
        """Read the wire form, or raise a ContractError that tells all problems."""
        return read(cls, data, _PATTERN)

    def to_dict(self) -> dict[str, Any]:
        """Return the wire form as fresh plain data."""
        return {
            "pattern": self.pattern,
            "level": self.level,
            "service": self.service,
            "count": self.count,
            "first_seen": self.first_seen,
            "last_seen": self.last_seen,
            "sample": self.sample,
        }

    @classmethod
    def json_schema(cls) -> dict[str, Any]:
        """Return a fresh JSON Schema of the wire form."""
        return schema.object_(
            "One shape of message, and how often it was seen.",
            {
                "pattern": schema.string("The message with <*> in place of what varies."),
                "level": schema.text_or_null("The level; null if there is none."),
                "service": schema.text_or_null(
                    "The service that wrote it; null if unknown or several."
                ),
                "count": schema.integer("How many events have this shape."),
                "first_seen": schema.timestamp("When the first was written."),
                "last_seen": schema.timestamp("When the last was written."),
                "sample": schema.string("One raw message of this shape."),
            },
        )


_EVENT: Rules = {
    "timestamp": values.timestamp,
    "level": values.text_or_null,
    "service": values.text_or_null,
    "instance": values.text_or_null,
    "message": values.evidence_text,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class LogEvent(Contract):
    """One event."""

    timestamp: str
    """When it was written: RFC 3339 with an offset, as the source has it."""
    level: str | None
    """The level as the source writes it; None where it has none."""
    service: str | None
    """The service that wrote it; None where it is unknown."""
    instance: str | None
    """The host, pod or process that wrote it; None where it is unknown."""
    message: str
    """The raw message."""

    def __post_init__(self) -> None:
        checked(self, _EVENT)

    @classmethod
    def from_dict(cls, data: Mapping[str, Any], /) -> Self:
        """Read the wire form, or raise a ContractError that tells all problems."""
        return read(cls, data, _EVENT)

    def to_dict(self) -> dict[str, Any]:
        """Return the wire form as fresh plain data."""
        return {
            "timestamp": self.timestamp,
            "level": self.level,
            "service": self.service,
            "instance": self.instance,
            "message": self.message,
        }

    @classmethod
    def json_schema(cls) -> dict[str, Any]:
        """Return a fresh JSON Schema of the wire form."""
        return schema.object_(
            "One event.",
            {
                "timestamp": schema.timestamp("When it was written."),
                "level": schema.text_or_null("The level; null if there is none."),
                "service": schema.text_or_null("The service that wrote it; null if unknown."),
                "instance": schema.text_or_null(
                    "The host, pod or process that wrote it; null if unknown."
                ),
                "message": schema.string("The raw message."),
            },
        )


_RESULT: Rules = {
    "tool_call_id": values.tool_call_id,
    "status": values.member(EvidenceStatus),
    "source_kind": values.member(SourceKind),
    "scope": values.instance(LogScope),
    "matched_count": values.integer,
    "truncated": values.boolean,
    "patterns": values.sequence_of(values.instance(LogPattern)),
    "timeline_events": values.sequence_of(values.instance(LogEvent)),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class QueryLogsToolResult(Contract):
    """What the agent reads back from `query_logs`."""

    tool_call_id: str | None
    """The id of the tool call, from the framework, byte for byte. None makes sense only with
    `ERROR`: the call was refused because it had no usable id."""
    status: EvidenceStatus
    """What the tool found."""
    source_kind: SourceKind
    """Where the logs came from."""
    scope: LogScope
    """Exactly what was searched."""
    matched_count: int
    """How many events matched in the scope."""
    truncated: bool
    """Whether the patterns or the timeline leave some of them out."""
    patterns: tuple[LogPattern, ...]
    """The shapes of the matching messages, in the order given."""
    timeline_events: tuple[LogEvent, ...]
    """A few of the events, in the order given."""

    def __post_init__(self) -> None:
        checked(self, _RESULT)

    @classmethod
    def from_dict(cls, data: Mapping[str, Any], /) -> Self:
        """Read the wire form, or raise a ContractError that tells all problems."""
        wire: Rules = {
            "status": values.word(EvidenceStatus),
            "source_kind": values.word(SourceKind),
            "scope": LogScope.from_dict,
            "patterns": values.sequence_of(LogPattern.from_dict),
            "timeline_events": values.sequence_of(LogEvent.from_dict),
        }
        return read(cls, data, _RESULT | wire)

    def to_dict(self) -> dict[str, Any]:
        """Return the wire form as fresh plain data."""
        return {
            "tool_call_id": self.tool_call_id,
            "status": self.status.value,
            "source_kind": self.source_kind.value,
            "scope": self.scope.to_dict(),
            "matched_count": self.matched_count,
            "truncated": self.truncated,
            "patterns": [item.to_dict() for item in self.patterns],
            "timeline_events": [item.to_dict() for item in self.timeline_events],
        }

    @classmethod
    def json_schema(cls) -> dict[str, Any]:
        """Return a fresh JSON Schema of the wire form."""
        return schema.object_(
            "What was found in the logs.",
            {
                "tool_call_id": schema.tool_call_id(),
                "status": schema.choice("What the tool found.", EvidenceStatus),
                "source_kind": schema.choice("Where the logs came from.", SourceKind),
                "scope": LogScope.json_schema(),
                "matched_count": schema.integer("How many events matched in the scope."),
                "truncated": schema.boolean(
                    "Whether the patterns or the timeline leave some events out."
                ),
                "patterns": schema.array(
                    "The shapes of the matching messages.", LogPattern.json_schema()
                ),
                "timeline_events": schema.array(
                    "A few of the matching events.", LogEvent.json_schema()
                ),
            },
        )
