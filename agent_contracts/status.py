# SPDX-License-Identifier: MIT
"""The two status vocabularies: the life of an invocation, and what a tool found."""

from ._contract import WireEnum

__all__ = ["EvidenceStatus", "InvocationStatus"]


class InvocationStatus(WireEnum):
    """The life cycle of one stored invocation of a tool.

    It belongs to the store of the harness and stands in no result: `READY` does not
    mean that evidence was found (design decision 3).
    """

    PROJECTING = "PROJECTING"
    """The tool has answered; its typed result is being made."""
    READY = "READY"
    """The typed result can be read."""
    ERROR = "ERROR"
    """There is no typed result to read."""


class EvidenceStatus(WireEnum):
    """What a tool found. It stands in every result.

    Its `ERROR` is not equal to [`InvocationStatus.ERROR`][agent_contracts.InvocationStatus].
    """

    EVIDENCE_FOUND = "EVIDENCE_FOUND"
    """The result lists evidence."""
    NO_EVIDENCE = "NO_EVIDENCE"
    """The tool searched, and nothing matched."""
    ERROR = "ERROR"
    """The tool could not answer; this says nothing about the evidence."""
