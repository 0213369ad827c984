# SPDX-License-Identifier: MIT
"""`query_metrics`: what the model may ask of the metrics, and what it reads back."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, Self

from . import _schema as schema
from . import _values as values
from ._contract import Contract, Rules, checked, read
from .status import EvidenceStatus
from .tools import ToolContract

__all__ = ["QUERY_METRICS", "MetricPoint", "MetricsToolRequest", "MetricsToolResult"]

_REQUEST: Rules = {"metric": values.text, "lookback_minutes": values.integer}


@dataclass(frozen=True, slots=True, kw_only=True)
class MetricsToolRequest(Contract):
    """What the model sends to `query_metrics`."""

    metric: str
    """Which metric to read, by the name that people use."""
    lookback_minutes: int
    """How far back from now to read, in minutes."""

    def __post_init__(self) -> None:
        checked(self, _REQUEST)

    @classmethod
    def from_dict(cls, data: Mapping[str, Any], /) -> Self:
        """Read the wire form, or raise a ContractError that tells all problems."""
        return read(cls, data, _REQUEST)

    def to_dict(self) -> dict[str, Any]:
        """Return the wire form as fresh plain data."""
        return {"metric": self.metric, "lookback_minutes": self.lookback_minutes}

    @classmethod
    def json_schema(cls) -> dict[str, Any]:
        """Return a fresh JSON Schema of the wire form."""
        return schema.object_(
            "Which metric to read, and how far back.",
            {
                "metric": schema.string("The name of the metric, such as pool.active."),
                "lookback_minutes": schema.integer("How many minutes back from now to read."),
            },
        )


_POINT: Rules = {"timestamp": values.timestamp, "value": values.number}


@dataclass(frozen=True, slots=True, kw_only=True)
class MetricPoint(Contract):
    """One value at one time."""

    timestamp: str
    """When it was measured: RFC 3339 with an offset."""
    value: float
    """What was measured, in the unit of the metric."""

    def __post_init__(self) -> None:
        checked(self, _POINT)

    @classmethod
    def from_dict(cls, data: Mapping[str, Any], /) -> Self:
        """Read the wire form, or raise a ContractError that tells all problems."""
        return read(cls, data, _POINT)

    def to_dict(self) -> dict[str, Any]:
        """Return the wire form as fresh plain data."""
        return {"timestamp": self.timestamp, "value": self.value}

    @classmethod
    def json_schema(cls) -> dict[str, Any]:
        """Return a fresh JSON Schema of the wire form."""
        return schema.object_(
            "One value at one time.",
            {
                "timestamp": schema.timestamp("When it was measured."),
                "value": {"type": "number", "description": "What was measured."},
            },
        )


_RESULT: Rules = {
    "tool_call_id": values.tool_call_id,
    "status": values.member(EvidenceStatus),
    "unit": values.text_or_null,
    "point_count": values.integer,
    "truncated": values.boolean,
    "points": values.sequence_of(values.instance(MetricPoint)),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class MetricsToolResult(Contract):
    """What the agent reads back from `query_metrics`."""

    tool_call_id: str | None
    """The id of the tool call, from the framework, byte for byte. None makes sense only with
    `ERROR`: the call was refused because it had no usable id."""
    status: EvidenceStatus
    """What the tool found."""
    unit: str | None
    """The unit of all values; None where the metric has none."""
    point_count: int
    """How many points were found, before the list was bounded."""
    truncated: bool
    """Whether the list leaves some of them out."""
    points: tuple[MetricPoint, ...]
    """The points, in the order given."""

    def __post_init__(self) -> None:
        checked(self, _RESULT)

    @classmethod
    def from_dict(cls, data: Mapping[str, Any], /) -> Self:
        """Read the wire form, or raise a ContractError that tells all problems."""
        wire: Rules = {
            "status": values.word(EvidenceStatus),
            "points": values.sequence_of(MetricPoint.from_dict),
        }
        return read(cls, data, _RESULT | wire)

    def to_dict(self) -> dict[str, Any]:
        """Return the wire form as fresh plain data."""
        return {
            "tool_call_id": self.tool_call_id,
            "status": self.status.value,
            "unit": self.unit,
            "point_count": self.point_count,
            "truncated": self.truncated,
            "points": [item.to_dict() for item in self.points],
        }

    @classmethod
    def json_schema(cls) -> dict[str, Any]:
        """Return a fresh JSON Schema of the wire form."""
        return schema.object_(
            "What was measured.",
            {
                "tool_call_id": schema.tool_call_id(),
                "status": schema.choice("What the tool found.", EvidenceStatus),
                "unit": schema.text_or_null("The unit of all values; null if there is none."),
                "point_count": schema.integer("How many points were found."),
                "truncated": schema.boolean("Whether the list leaves some points out."),
                "points": schema.array("The points found.", MetricPoint.json_schema()),
            },
        )


QUERY_METRICS: Final = ToolContract(
    name="query_metrics",
    title="Query metrics",
    description=(
        "Query one metric for how a number developed: load, latency, queue lengths, pool sizes. "
        "For what was written at the time use query_logs; for what a value should be use "
        "lookup_knowledge. NO_EVIDENCE: nothing was measured in that time; widen it before you "
        "conclude. ERROR: the query failed and proves nothing. truncated: point_count points were "
        "found but fewer are listed; ask for a shorter time."
    ),
    request=MetricsToolRequest,
    result=MetricsToolResult,
)
