# SPDX-License-Identifier: MIT
"""The contract of `lookup_knowledge`."""

import json
from dataclasses import MISSING

from tests import contracts
from tests._samples import ContractCase, without_descriptions

FOUND = contracts.EvidenceStatus.EVIDENCE_FOUND


def evidence(content: str = "Restart one pod at a time.") -> contracts.RagEvidence:
    return contracts.RagEvidence(source="runbooks/pool.md", section="Cure", content=content)


def result(*items: contracts.RagEvidence) -> contracts.RagToolResult:
    return contracts.RagToolResult(
        tool_call_id="call_7",
        status=FOUND,
        query="pool exhausted",
        evidence_count=2,
        truncated=True,
        evidence=items,
    )


class Fields(ContractCase):
    def test_the_request_is_a_query_and_nothing_else(self) -> None:
        self.assert_fields(contracts.RagToolRequest, [("query", str, MISSING)])

    def test_the_result_has_its_header_first_and_its_list_last(self) -> None:
        self.assert_fields(
            contracts.RagToolResult,
            [
                ("tool_call_id", str | None, MISSING),
                ("status", contracts.EvidenceStatus, MISSING),
                ("query", str, MISSING),
                ("evidence_count", int, MISSING),
                ("truncated", bool, MISSING),
                ("evidence", tuple[contracts.RagEvidence, ...], MISSING),
            ],
        )

    def test_evidence_is_source_section_and_content_without_an_id_or_a_score(self) -> None:
        self.assert_fields(
            contracts.RagEvidence,
            [("source", str, MISSING), ("section", str | None, MISSING), ("content", str, MISSING)],
        )

    def test_the_tool_call_id_is_in_the_result_alone(self) -> None:
        self.assertNotIn("tool_call_id", contracts.RagToolRequest.json_schema()["properties"])
        self.refused(
            "RagToolRequest: /tool_call_id: the framework sets it, so leave it out",
            contracts.RagToolRequest.from_dict,
            {"query": "x", "tool_call_id": "call_fake"},
        )
        self.assertEqual(result().tool_call_id, "call_7")
        self.assertEqual(next(iter(result().to_dict())), "tool_call_id")


class Immutability(ContractCase):
    def test_nothing_about_the_objects_can_be_changed(self) -> None:
        for thing in (contracts.RagToolRequest(query="x"), evidence(), result(evidence())):
            with self.subTest(case=type(thing).__name__):
                self.assert_frozen(thing)

    def test_a_list_that_the_caller_changes_afterwards_does_not_reach_the_result(self) -> None:
        given = [evidence("a")]
        made = contracts.RagToolResult(
            tool_call_id=None,
            status=FOUND,
            query="q",
            evidence_count=1,
            truncated=False,
            evidence=given,  # type: ignore[arg-type]
        )
        given.append(evidence("b"))
        self.assertEqual(made.evidence, (evidence("a"),))

    def test_a_payload_that_the_caller_changes_afterwards_does_not_reach_the_result(self) -> None:
        payload = result(evidence("a")).to_dict()
        read = contracts.RagToolResult.from_dict(payload)
        payload["evidence"][0]["content"] = "changed"
        payload["evidence"].clear()
        payload.clear()
        self.assertEqual(read, result(evidence("a")))

    def test_a_wire_form_that_the_caller_changes_does_not_reach_the_result(self) -> None:
        made = result(evidence("a"))
        wire = made.to_dict()
        wire["evidence"][0]["content"] = "changed"
        wire["evidence"].append(1)
        self.assertEqual(made, result(evidence("a")))
        self.assertEqual(made.to_dict(), result(evidence("a")).to_dict())


class WireForm(ContractCase):
    def test_the_request_is_written_in_snake_case(self) -> None:
        request = contracts.RagToolRequest(query="pool exhausted")
        self.assertEqual(request.to_dict(), {"query": "pool exhausted"})
        self.assertEqual(request.to_json(), '{"query":"pool exhausted"}')
        self.assertEqual(contracts.RagToolRequest.from_json(request.to_json()), request)

    def test_the_result_is_written_in_snake_case_with_nulls(self) -> None:
        item = contracts.RagEvidence(source="a.md", section=None, content="c")
        made = result(evidence(), item)
        expected = {
            "tool_call_id": "call_7",
            "status": "EVIDENCE_FOUND",
            "query": "pool exhausted",
            "evidence_count": 2,
            "truncated": True,
            "evidence": [
                {
                    "source": "runbooks/pool.md",
                    "section": "Cure",
                    "content": "Restart one pod at a time.",
                },
                {"source": "a.md", "section": None, "content": "c"},
            ],
        }
        self.assertEqual(made.to_dict(), expected)
        self.assertEqual(list(made.to_dict()), list(expected))
        self.assertEqual(made.to_json(), json.dumps(expected, separators=(",", ":")))
        self.assertEqual(contracts.RagToolResult.from_json(made.to_json()), made)

    def test_the_order_of_the_evidence_is_kept(self) -> None:
        items = [evidence(content) for content in ("c", "a", "b", "a")]
        read = contracts.RagToolResult.from_json(result(*items).to_json())
        self.assertEqual([item.content for item in read.evidence], ["c", "a", "b", "a"])


class Schemas(ContractCase):
    def test_the_schema_of_the_request(self) -> None:
        self.assertEqual(
            without_descriptions(contracts.RagToolRequest.json_schema()),
            {
                "type": "object",
                "properties": {"query": {"type": "string"}},
                "required": ["query"],
                "additionalProperties": False,
            },
        )

    def test_the_schema_of_the_result(self) -> None:
        text_or_null = {"anyOf": [{"type": "string"}, {"type": "null"}]}
        self.assertEqual(
            without_descriptions(contracts.RagToolResult.json_schema()),
            {
                "type": "object",
                "properties": {
                    "tool_call_id": text_or_null,
                    "status": {
                        "type": "string",
                        "enum": ["EVIDENCE_FOUND", "NO_EVIDENCE", "ERROR"],
                    },
                    "query": {"type": "string"},
                    "evidence_count": {"type": "integer"},
                    "truncated": {"type": "boolean"},
                    "evidence": {
                        "type": "array",
                        "items": {
                            "type": "object",
                            "properties": {
                                "source": {"type": "string"},
                                "section": text_or_null,
                                "content": {"type": "string"},
                            },
                            "required": ["source", "section", "content"],
                            "additionalProperties": False,
                        },
                    },
                },
                "required": [
                    "tool_call_id",
                    "status",
                    "query",
                    "evidence_count",
                    "truncated",
                    "evidence",
                ],
                "additionalProperties": False,
            },
        )


class Tool(ContractCase):
    def test_the_tool_is_named_and_bound_to_its_request_and_result(self) -> None:
        tool = contracts.AgentToolContracts.LOOKUP_KNOWLEDGE
        self.assertEqual(tool.name, "lookup_knowledge")
        self.assertIs(tool.request, contracts.RagToolRequest)
        self.assertIs(tool.result, contracts.RagToolResult)

    def test_what_the_model_is_told_is_short_and_names_no_machinery(self) -> None:
        self.assert_told_in_bounds(contracts.AgentToolContracts.LOOKUP_KNOWLEDGE)
