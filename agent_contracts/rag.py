# SPDX-License-Identifier: MIT
"""`lookup_knowledge`: what the model may ask of the knowledge base, and what it reads back."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Self

from . import _schema as schema
from . import _values as values
from ._contract import Contract, Rules, checked, read
from .status import EvidenceStatus

__all__ = ["RagEvidence", "RagToolRequest", "RagToolResult"]


_REQUEST: Rules = {"query": values.text}


@dataclass(frozen=True, slots=True, kw_only=True)
class RagToolRequest(Contract):
    """What the model sends to `lookup_knowledge`."""

    query: str
    """What to look up, in plain words."""

    def __post_init__(self) -> None:
        checked(self, _REQUEST)

    @classmethod
    def from_dict(cls, data: Mapping[str, Any], /) -> Self:
        """Read the wire form, or raise a ContractError that tells all problems."""
        return read(cls, data, _REQUEST)

    def to_dict(self) -> dict[str, Any]:
        """Return the wire form as fresh plain data."""
        return {"query": self.query}

    @classmethod
    def json_schema(cls) -> dict[str, Any]:
        """Return a fresh JSON Schema of the wire form."""
        return schema.object_(
            "What to look up in the knowledge base.",
            {
                "query": schema.string(
                    "What to look up, in plain words: a symptom, an error message, an alert or "
                    "the name of a service."
                ),
            },
        )


_EVIDENCE: Rules = {
    "source": values.evidence_text,
    "section": values.text_or_null,
    "content": values.evidence_text,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class RagEvidence(Contract):
    """One excerpt of one document."""

    source: str
    """The document, as a person names it."""
    section: str | None
    """The path of headings inside the document; None where it has none."""
    content: str
    """The excerpt, bounded by the caller."""

    def __post_init__(self) -> None:
        checked(self, _EVIDENCE)

    @classmethod
    def from_dict(cls, data: Mapping[str, Any], /) -> Self:
        """Read the wire form, or raise a ContractError that tells all problems."""
        return read(cls, data, _EVIDENCE)

    def to_dict(self) -> dict[str, Any]:
        """Return the wire form as fresh plain data."""
        return {"source": self.source, "section": self.section, "content": self.content}

    @classmethod
    def json_schema(cls) -> dict[str, Any]:
        """Return a fresh JSON Schema of the wire form."""
        return schema.object_(
            "One excerpt of one document.",
            {
                "source": schema.string("The document, as a person names it."),
                "section": schema.text_or_null(
                    "The headings that lead to the excerpt; null if it has none."
                ),
                "content": schema.string("The excerpt."),
            },
        )


_RESULT: Rules = {
    "tool_call_id": values.tool_call_id,
    "status": values.member(EvidenceStatus),
    "query": values.evidence_text,
    "evidence_count": values.integer,
    "truncated": values.boolean,
    "evidence": values.sequence_of(values.instance(RagEvidence)),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class RagToolResult(Contract):
    """What the agent reads back from `lookup_knowledge`."""

    tool_call_id: str | None
    """The id of the tool call, from the framework, byte for byte. None makes sense only with
    `ERROR`: the call was refused because it had no usable id."""
    status: EvidenceStatus
    """What the tool found."""
    query: str
    """The query of the request, echoed."""
    evidence_count: int
    """How many items were found, before the list was bounded."""
    truncated: bool
    """Whether the list leaves some of them out."""
    evidence: tuple[RagEvidence, ...]
    """The excerpts, in the order given."""

    def __post_init__(self) -> None:
        checked(self, _RESULT)

    @classmethod
    def from_dict(cls, data: Mapping[str, Any], /) -> Self:
        """Read the wire form, or raise a ContractError that tells all problems."""
        wire: Rules = {
            "status": values.word(EvidenceStatus),
            "evidence": values.sequence_of(RagEvidence.from_dict),
        }
        return read(cls, data, _RESULT | wire)

    def to_dict(self) -> dict[str, Any]:
        """Return the wire form as fresh plain data."""
        return {
            "tool_call_id": self.tool_call_id,
            "status": self.status.value,
            "query": self.query,
            "evidence_count": self.evidence_count,
            "truncated": self.truncated,
            "evidence": [item.to_dict() for item in self.evidence],
        }

    @classmethod
    def json_schema(cls) -> dict[str, Any]:
        """Return a fresh JSON Schema of the wire form."""
        return schema.object_(
            "What was found in the knowledge base.",
            {
                "tool_call_id": schema.tool_call_id(),
                "status": schema.choice("What the tool found.", EvidenceStatus),
                "query": schema.string("The query that was looked up."),
                "evidence_count": schema.integer(
                    "How many items were found, before the list was bounded."
                ),
                "truncated": schema.boolean("Whether the list leaves some items out."),
                "evidence": schema.array("The excerpts found.", RagEvidence.json_schema()),
            },
        )
