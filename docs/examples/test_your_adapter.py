# SPDX-License-Identifier: MIT
# ruff: noqa: PT009 - unittest's own assertions: nothing needs to be installed
"""Tests that any adapter of the contract should pass; put your own in place of `search`."""

import unittest
from unittest import mock

from agent_contracts import (
    AgentToolContracts,
    EvidenceStatus,
    RagEvidence,
    RagToolRequest,
    RagToolResult,
    rules,
)

TOOL = AgentToolContracts.LOOKUP_KNOWLEDGE
MAX_ITEMS = 3


def read_runbooks() -> dict[str, str]:
    """Stand in for the knowledge base: titles and texts."""
    return {"Runbook: connection pools": "Look for statements that hold a connection."}


# --8<-- [start:adapter]
def search(request: RagToolRequest, call_id: str) -> RagToolResult:
    """The adapter under test: yours asks a real knowledge base."""
    try:
        found = tuple(
            RagEvidence(source=source, section=None, content=content)
            for source, content in read_runbooks().items()
            if request.query.casefold() in source.casefold()
        )
        status = EvidenceStatus.EVIDENCE_FOUND if found else EvidenceStatus.NO_EVIDENCE
    except OSError:  # its text may name hosts and users: log it, never project it
        found, status = (), EvidenceStatus.ERROR
    return RagToolResult(
        tool_call_id=call_id,
        status=status,
        query=request.query,
        evidence_count=len(found),
        truncated=len(found) > MAX_ITEMS,
        evidence=found[:MAX_ITEMS],
    )
    # --8<-- [end:adapter]


# --8<-- [start:tests]
CALL_ID = "toolu_01:x/y z"  # ids are opaque, so test with an odd one
CASES = {
    "something is found": ("pool", EvidenceStatus.EVIDENCE_FOUND),
    "nothing is found": ("volcano", EvidenceStatus.NO_EVIDENCE),
}


class AdapterKeepsTheContract(unittest.TestCase):
    """The promises that the classes of the contract cannot keep for an adapter."""

    def test_what_is_found_is_told_by_the_rules(self) -> None:
        """Status, id, counts and the wire form are right in each case."""
        for case, (query, status) in CASES.items():
            with self.subTest(case=case):
                result = search(TOOL.parse({"query": query}), CALL_ID)
                self.assertIs(result.status, status)
                self.assertEqual(result.tool_call_id, CALL_ID)  # byte for byte
                self.assertEqual(rules.violations(result), ())
                self.assertEqual(TOOL.result.from_json(result.to_json()), result)
                # --8<-- [end:tests]

    # --8<-- [start:failure]
    def test_failure_is_an_error_that_tells_nothing_of_the_machinery(self) -> None:
        """The model reads that the tool could not answer, and no more."""
        broken = mock.Mock(side_effect=OSError("db-7.internal: password rejected for root"))
        with mock.patch(f"{__name__}.read_runbooks", broken):
            result = search(TOOL.parse({"query": "pool"}), CALL_ID)
        self.assertIs(result.status, EvidenceStatus.ERROR)
        self.assertEqual(rules.violations(result), ())
        self.assertNotIn("db-7", result.to_json())
        # --8<-- [end:failure]


if __name__ == "__main__":
    unittest.main()
