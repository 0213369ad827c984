# SPDX-License-Identifier: MIT
"""`query_mysql`: what the model may ask of a MySQL database, and what it reads back."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Self

from . import _schema as schema
from . import _values as values
from ._cells import JsonValue, table_rules, thawed
from ._contract import Contract, Rules, checked, read
from .status import EvidenceStatus

__all__ = ["MysqlToolRequest", "MysqlToolResult"]

_SCALARS = ("string", "number", "boolean", "null")


_REQUEST: Rules = {
    "data_source": values.text,
    "sql": values.text,
    "params": values.sequence_of(values.scalar),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class MysqlToolRequest(Contract):
    """What the model sends to `query_mysql`."""

    data_source: str
    """Which database to ask: a logical name, never an address."""
    sql: str
    """One parameterized statement, with MySQL's `?` for each value. It is not parsed or
    checked here."""
    params: tuple[str | int | float | bool | None, ...] = ()
    """The values for the placeholders, in order: scalars only."""

    def __post_init__(self) -> None:
        checked(self, _REQUEST)

    @classmethod
    def from_dict(cls, data: Mapping[str, Any], /) -> Self:
        """Read the wire form, or raise a ContractError that tells all problems."""
        return read(cls, data, _REQUEST | {"params": values.optional(_REQUEST["params"], ())})

    def to_dict(self) -> dict[str, Any]:
        """Return the wire form as fresh plain data."""
        return {"data_source": self.data_source, "sql": self.sql, "params": list(self.params)}

    @classmethod
    def json_schema(cls) -> dict[str, Any]:
        """Return a fresh JSON Schema of the wire form."""
        return schema.object_(
            "Which database to ask, and what.",
            {
                "data_source": schema.string("The logical name of the database."),
                "sql": schema.string(
                    "One read-only statement with a ? for each value; the values go into params, "
                    "never into the text."
                ),
                "params": schema.array(
                    "The values for the ? placeholders, in order; null if there are none.",
                    {"anyOf": [{"type": kind} for kind in _SCALARS]},
                ),
            },
            optional=("params",),
        )


_RESULT: Rules = {
    "tool_call_id": values.tool_call_id,
    "status": values.member(EvidenceStatus),
    "row_count": values.integer,
    "truncated": values.boolean,
    # columns and rows follow from table_rules: which keys a row has depends on the columns
}


@dataclass(frozen=True, slots=True, kw_only=True)
class MysqlToolResult(Contract):
    """What the agent reads back from `query_mysql`."""

    tool_call_id: str | None
    """The id of the tool call, from the framework, byte for byte. None makes sense only with
    `ERROR`: the call was refused because it had no usable id."""
    status: EvidenceStatus
    """What the tool found."""
    row_count: int
    """How many rows the query returned."""
    truncated: bool
    """Whether `rows` leaves some of them out."""
    columns: tuple[str, ...]
    """The names of the columns, each once."""
    rows: tuple[Mapping[str, JsonValue], ...] = field(hash=False)
    """The rows as read-only mappings with the columns as keys, in their order. The
    constructor takes the values of any MySQL driver; they are left out of the hash."""

    def __post_init__(self) -> None:
        checked(self, _RESULT | table_rules())

    @classmethod
    def from_dict(cls, data: Mapping[str, Any], /) -> Self:
        """Read the wire form, or raise a ContractError that tells all problems."""
        wire: Rules = {"status": values.word(EvidenceStatus), **table_rules()}
        return read(cls, data, _RESULT | wire)

    def to_dict(self) -> dict[str, Any]:
        """Return the wire form as fresh plain data."""
        rows = [thawed(row) for row in self.rows]
        return self._json_form() | {"columns": list(self.columns), "rows": rows}

    @classmethod
    def json_schema(cls) -> dict[str, Any]:
        """Return a fresh JSON Schema of the wire form."""
        return schema.object_(
            "What the query returned.",
            {
                "tool_call_id": schema.tool_call_id(),
                "status": schema.choice("What the tool found.", EvidenceStatus),
                "row_count": schema.integer("How many rows the query returned."),
                "truncated": schema.boolean("Whether the rows leave some out."),
                "columns": schema.array(
                    "The names of the columns, each once.", schema.string("The name of a column.")
                ),
                "rows": schema.array(
                    "The rows returned.",
                    {"type": "object", "description": "One row: its columns and their values."},
                ),
            },
        )

    def _json_form(self) -> dict[str, Any]:
        """Return the wire form with the rows as they are, which the encoder copies for itself."""
        return {
            "tool_call_id": self.tool_call_id,
            "status": self.status.value,
            "row_count": self.row_count,
            "truncated": self.truncated,
            "columns": self.columns,
            "rows": self.rows,
        }
