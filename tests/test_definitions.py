# SPDX-License-Identifier: MIT
"""What each model API is told of the tools."""

import copy
import json
import re
import unittest
from collections.abc import Callable, Iterator
from typing import Any

from tests import contracts, module

definitions = module("definitions")
TOOLS = contracts.AgentToolContracts
KNOWLEDGE, LOGS, MYSQL = TOOLS.LOOKUP_KNOWLEDGE, TOOLS.QUERY_LOGS, TOOLS.QUERY_MYSQL

Define = Callable[[Any], dict[str, Any]]
APIS: dict[str, Define] = {name: getattr(definitions, name) for name in definitions.__all__}
CASES = [(api, define, tool) for api, define in APIS.items() for tool in TOOLS.ALL]

KNOWLEDGE_INPUT = {
    "type": "object",
    "description": "What to look up in the knowledge base.",
    "properties": {
        "query": {
            "type": "string",
            "description": (
                "What to look up, in plain words: a symptom, an error message, an alert or the "
                "name of a service."
            ),
        }
    },
    "required": ["query"],
    "additionalProperties": False,
}
KNOWLEDGE_OUTPUT = {
    "type": "object",
    "description": "What was found in the knowledge base.",
    "properties": {
        "tool_call_id": {
            "anyOf": [{"type": "string"}, {"type": "null"}],
            "description": "The id of this tool call; cite it. Null only if the call had none.",
        },
        "status": {
            "type": "string",
            "enum": ["EVIDENCE_FOUND", "NO_EVIDENCE", "ERROR"],
            "description": "What the tool found.",
        },
        "query": {"type": "string", "description": "The query that was looked up."},
        "evidence_count": {
            "type": "integer",
            "description": "How many items were found, before the list was bounded.",
        },
        "truncated": {
            "type": "boolean",
            "description": "Whether the list leaves some items out.",
        },
        "evidence": {
            "type": "array",
            "items": {
                "type": "object",
                "description": "One excerpt of one document.",
                "properties": {
                    "source": {
                        "type": "string",
                        "description": "The document, as a person names it.",
                    },
                    "section": {
                        "anyOf": [{"type": "string"}, {"type": "null"}],
                        "description": (
                            "The headings that lead to the excerpt; null if it has none."
                        ),
                    },
                    "content": {"type": "string", "description": "The excerpt."},
                },
                "required": ["source", "section", "content"],
                "additionalProperties": False,
            },
            "description": "The excerpts found.",
        },
    },
    "required": ["tool_call_id", "status", "query", "evidence_count", "truncated", "evidence"],
    "additionalProperties": False,
}

# Keywords that every API takes; `format` is for results only.
PORTABLE = {
    "additionalProperties",
    "anyOf",
    "description",
    "enum",
    "items",
    "properties",
    "required",
    "type",
}


def request_schema(definition: dict[str, Any]) -> dict[str, Any]:
    """Return the parameters of a definition, whatever its API calls them."""
    definition = definition.get("function", definition)
    keys = ("parameters", "input_schema", "parameters_json_schema", "inputSchema")
    (key,) = (key for key in keys if key in definition)
    found: str | dict[str, Any] = definition[key]
    return json.loads(found) if isinstance(found, str) else found


def subschemas(schema: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Return a schema and all schemas in it."""
    yield schema
    inner = [*schema.get("properties", {}).values(), *schema.get("anyOf", ())]
    if "items" in schema:
        inner.append(schema["items"])
    for item in inner:
        yield from subschemas(item)


def containers(value: Any) -> Iterator[Any]:
    """Return all dicts and lists of a value, the innermost first."""
    if isinstance(value, dict | list):
        for item in value.values() if isinstance(value, dict) else value:
            yield from containers(item)
        yield value


class ExactShapes(unittest.TestCase):
    maxDiff = None

    def test_openai_chat_nests_a_strict_function(self) -> None:
        self.assertEqual(
            definitions.openai_chat(KNOWLEDGE),
            {
                "type": "function",
                "function": {
                    "name": "lookup_knowledge",
                    "description": KNOWLEDGE.description,
                    "parameters": KNOWLEDGE_INPUT,
                    "strict": True,
                },
            },
        )

    def test_openai_responses_is_flat_and_strict(self) -> None:
        self.assertEqual(
            definitions.openai_responses(KNOWLEDGE),
            {
                "type": "function",
                "name": "lookup_knowledge",
                "description": KNOWLEDGE.description,
                "parameters": KNOWLEDGE_INPUT,
                "strict": True,
            },
        )

    def test_anthropic_has_an_input_schema(self) -> None:
        self.assertEqual(
            definitions.anthropic(KNOWLEDGE),
            {
                "name": "lookup_knowledge",
                "description": KNOWLEDGE.description,
                "input_schema": KNOWLEDGE_INPUT,
            },
        )

    def test_gemini_has_json_schemas_both_ways(self) -> None:
        self.assertEqual(
            definitions.gemini(KNOWLEDGE),
            {
                "name": "lookup_knowledge",
                "description": KNOWLEDGE.description,
                "parameters_json_schema": KNOWLEDGE_INPUT,
                "response_json_schema": KNOWLEDGE_OUTPUT,
            },
        )

    def test_mcp_has_a_title_both_schemas_and_honest_annotations(self) -> None:
        self.assertEqual(
            definitions.mcp(KNOWLEDGE),
            {
                "name": "lookup_knowledge",
                "title": "Look up knowledge",
                "description": KNOWLEDGE.description,
                "inputSchema": KNOWLEDGE_INPUT,
                "outputSchema": KNOWLEDGE_OUTPUT,
                "annotations": {
                    "readOnlyHint": True,
                    "destructiveHint": False,
                    "idempotentHint": True,
                    "openWorldHint": False,
                },
            },
        )

    def test_spring_ai_has_its_schema_as_compact_json_text(self) -> None:
        definition = definitions.spring_ai(KNOWLEDGE)
        text = definition.pop("inputSchema")
        self.assertEqual(
            definition, {"name": "lookup_knowledge", "description": KNOWLEDGE.description}
        )
        self.assertIs(type(text), str)
        self.assertEqual(
            text, json.dumps(KNOWLEDGE_INPUT, ensure_ascii=False, separators=(",", ":"))
        )


class AllToolsInAllApis(unittest.TestCase):
    def test_nothing_is_forgotten(self) -> None:
        self.assertEqual(
            list(APIS),
            ["anthropic", "gemini", "mcp", "openai_chat", "openai_responses", "spring_ai"],
        )
        self.assertEqual(len(CASES), 18)

    def test_name_description_and_schema_are_those_of_the_contract(self) -> None:
        for api, define, tool in CASES:
            with self.subTest(api=api, tool=tool.name):
                told = define(tool)
                told = told.get("function", told)
                self.assertEqual(told["name"], tool.name)
                self.assertEqual(told["description"], tool.description)
                expected = tool.request.json_schema()
                if api.startswith("openai"):
                    expected["required"] = list(expected["properties"])
                self.assertEqual(request_schema(told), expected)

    def test_a_name_is_one_that_every_api_takes(self) -> None:
        for api, define, tool in CASES:
            with self.subTest(api=api, tool=tool.name):
                told = define(tool)
                self.assertRegex(told.get("function", told)["name"], r"\A[a-z][a-z_]{0,63}\Z")

    def test_requests_use_only_keywords_that_every_api_takes(self) -> None:
        for api, define, tool in CASES:
            with self.subTest(api=api, tool=tool.name):
                schema = request_schema(define(tool))
                for inner in subschemas(schema):
                    self.assertLessEqual(set(inner), PORTABLE)
                    self.assertIsInstance(inner.get("type", ""), str)
                self.assertEqual(schema["type"], "object")
                self.assertNotIn("anyOf", schema)

    def test_all_objects_of_a_request_are_closed(self) -> None:
        for api, define, tool in CASES:
            with self.subTest(api=api, tool=tool.name):
                objects = [s for s in subschemas(request_schema(define(tool))) if "properties" in s]
                self.assertTrue(objects)
                for inner in objects:
                    self.assertIs(inner["additionalProperties"], False)
                    self.assertLessEqual(set(inner["required"]), set(inner["properties"]))

    def test_no_request_asks_for_the_tool_call_id(self) -> None:
        for api, define, tool in CASES:
            with self.subTest(api=api, tool=tool.name):
                self.assertNotIn("tool_call_id", json.dumps(request_schema(define(tool))))

    def test_a_definition_is_plain_data_that_can_be_sent(self) -> None:
        for api, define, tool in CASES:
            with self.subTest(api=api, tool=tool.name):
                told = define(tool)
                self.assertEqual(json.loads(json.dumps(told)), told)
                for part in containers(told):
                    self.assertIn(type(part), (dict, list))

    def test_wrecking_one_export_leaves_the_next_whole(self) -> None:
        for api, define, tool in CASES:
            with self.subTest(api=api, tool=tool.name):
                whole = copy.deepcopy(define(tool))
                wrecked = define(tool)
                for part in containers(wrecked):
                    part.clear()
                self.assertEqual(wrecked, {})
                self.assertEqual(define(tool), whole)

    def test_two_exports_share_no_part(self) -> None:
        for api, define, tool in CASES:
            with self.subTest(api=api, tool=tool.name):
                first, second = define(tool), define(tool)
                shared = {id(part) for part in containers(first)} & {
                    id(part) for part in containers(second)
                }
                self.assertEqual(shared, set())
                parts = list(containers(first))
                self.assertEqual(len({id(part) for part in parts}), len(parts))


class StrictMode(unittest.TestCase):
    def test_optional_parameters_are_required_and_nullable_for_openai_alone(self) -> None:
        minutes = {
            "anyOf": [{"type": "integer"}, {"type": "null"}],
            "description": "How many minutes back from now to search; null leaves it to the tool.",
        }
        params = {
            "anyOf": [
                {
                    "type": "array",
                    "items": {
                        "anyOf": [
                            {"type": "string"},
                            {"type": "number"},
                            {"type": "boolean"},
                            {"type": "null"},
                        ]
                    },
                },
                {"type": "null"},
            ],
            "description": "The values for the ? placeholders, in order; null if there are none.",
        }
        for tool, optional, schema in (
            (LOGS, "lookback_minutes", minutes),
            (MYSQL, "params", params),
        ):
            for api, define in APIS.items():
                with self.subTest(api=api, tool=tool.name):
                    told = request_schema(define(tool))
                    self.assertEqual(told["properties"][optional], schema)
                    required = list(told["properties"])
                    if not api.startswith("openai"):
                        required.remove(optional)
                    self.assertEqual(told["required"], required)

    def test_what_strict_mode_makes_the_model_send_is_read(self) -> None:
        sent = {"topic": "APPLICATION", "query": "x", "lookback_minutes": None}
        self.assertIsNone(LOGS.parse(json.dumps(sent)).lookback_minutes)
        sent = {"data_source": "orders", "sql": "SELECT 1", "params": None}
        self.assertEqual(MYSQL.parse(json.dumps(sent)).params, ())

    def test_the_classes_own_schema_is_not_changed(self) -> None:
        before = copy.deepcopy(LOGS.request.json_schema())
        definitions.openai_chat(LOGS)
        definitions.openai_responses(LOGS)
        self.assertEqual(LOGS.request.json_schema(), before)
        self.assertEqual(before["required"], ["topic", "query"])


class ResultSchemas(unittest.TestCase):
    def test_gemini_and_mcp_are_told_what_comes_back(self) -> None:
        for tool in TOOLS.ALL:
            with self.subTest(tool=tool.name):
                schema = tool.result.json_schema()
                self.assertEqual(definitions.gemini(tool)["response_json_schema"], schema)
                self.assertEqual(definitions.mcp(tool)["outputSchema"], schema)
                for inner in subschemas(schema):
                    self.assertLessEqual(set(inner), PORTABLE | {"format"})

    def test_the_others_are_not(self) -> None:
        for api in ("anthropic", "openai_chat", "openai_responses", "spring_ai"):
            with self.subTest(api=api):
                told = json.dumps(APIS[api](KNOWLEDGE))
                self.assertIsNone(re.search(r"evidence_count|output|response", told))


if __name__ == "__main__":
    unittest.main()
