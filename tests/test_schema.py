# SPDX-License-Identifier: MIT
"""The exported JSON Schemas: portable, closed, fresh each time, and true."""

import copy
import json
from collections.abc import Iterator
from typing import Any

from tests import contracts
from tests._samples import (
    BANNED,
    KINDS,
    ContractCase,
    contract_classes,
    parts,
    samples,
    wire,
    wrong_values,
)
from tests._validator import PORTABLE, valid

REQUESTS = [tool.request.__name__ for tool in contracts.AgentToolContracts.ALL]


def subschemas(schema: Any) -> Iterator[dict[str, Any]]:
    """Yield a schema and all schemas inside it."""
    yield schema
    for inner in schema.get("properties", {}).values():
        yield from subschemas(inner)
    for inner in schema.get("anyOf", []):
        yield from subschemas(inner)
    if "items" in schema:
        yield from subschemas(schema["items"])


class Portable(ContractCase):
    def test_only_portable_keywords_are_used(self) -> None:
        for name, contract in contract_classes().items():
            for schema in subschemas(contract.json_schema()):
                with self.subTest(case=name, schema=schema.get("description")):
                    self.assertLessEqual(set(schema), PORTABLE)
                    self.assertIn(("type" in schema, "anyOf" in schema), {(1, 0), (0, 1)})
                    if "type" in schema:
                        self.assertIs(type(schema["type"]), str)

    def test_requests_have_no_format(self) -> None:
        for name in REQUESTS:
            for schema in subschemas(contract_classes()[name].json_schema()):
                with self.subTest(case=name):
                    self.assertNotIn("format", schema)

    def test_the_root_is_a_closed_object(self) -> None:
        for name, contract in contract_classes().items():
            with self.subTest(case=name):
                self.assertEqual(
                    list(contract.json_schema()),
                    ["type", "description", "properties", "required", "additionalProperties"],
                )
                self.assertEqual(contract.json_schema()["type"], "object")

    def test_every_object_but_a_row_is_closed(self) -> None:
        rows = contracts.MysqlToolResult.json_schema()["properties"]["rows"]["items"]
        for name, contract in contract_classes().items():
            for schema in subschemas(contract.json_schema()):
                if schema.get("type") != "object" or schema == rows:
                    continue
                with self.subTest(case=name, schema=schema["description"]):
                    self.assertIs(schema["additionalProperties"], False)
                    self.assertTrue(schema["properties"])
                    self.assertLessEqual(set(schema["required"]), set(schema["properties"]))

    def test_arrays_are_typed_enums_are_texts_and_null_is_one_of_two(self) -> None:
        for name, contract in contract_classes().items():
            for schema in subschemas(contract.json_schema()):
                with self.subTest(case=name, schema=schema.get("description")):
                    if schema.get("type") == "array":
                        self.assertTrue({"type", "anyOf"} & set(schema["items"]))
                    if "enum" in schema:
                        self.assertEqual(schema["type"], "string")
                        self.assertTrue(all(type(word) is str for word in schema["enum"]))
                        self.assertEqual(len(set(schema["enum"])), len(schema["enum"]))
                    for choice in schema.get("anyOf", []):
                        self.assertNotIn("anyOf", choice)

    def test_every_property_is_described_in_words_that_name_no_machinery(self) -> None:
        for name, contract in contract_classes().items():
            for schema in subschemas(contract.json_schema()):
                for key, inner in schema.get("properties", {}).items():
                    with self.subTest(case=f"{name}.{key}"):
                        described = inner["description"]
                        self.assertTrue(described.strip())
                        self.assertTrue(described.isascii())
                        self.assertLessEqual(len(described), 1000)
                        self.assertIsNone(BANNED.search(described), described)

    def test_a_schema_is_plain_json(self) -> None:
        allowed = (dict, list, str, bool)
        for name, contract in contract_classes().items():
            schema = contract.json_schema()
            with self.subTest(case=name):
                self.assertEqual(json.loads(json.dumps(schema)), schema)
                for part in parts(schema):
                    self.assertIn(type(part), allowed)


class Fresh(ContractCase):
    def test_a_schema_that_was_wrecked_does_not_reach_the_next_one(self) -> None:
        for name, contract in contract_classes().items():
            before = copy.deepcopy(contract.json_schema())
            all_before = {key: other.json_schema() for key, other in contract_classes().items()}
            for part in list(parts(contract.json_schema())):
                if isinstance(part, dict | list):
                    part.clear()
            with self.subTest(case=name):
                self.assertEqual(contract.json_schema(), before)
                for key, other in contract_classes().items():
                    self.assertEqual(other.json_schema(), all_before[key])

    def test_two_schemas_share_no_part(self) -> None:
        for name, contract in contract_classes().items():
            first, second = contract.json_schema(), contract.json_schema()
            known = {id(part) for part in parts(first) if isinstance(part, dict | list)}
            shared = [part for part in parts(second) if id(part) in known]
            with self.subTest(case=name):
                self.assertEqual(shared, [])

    def test_one_schema_shares_no_part_with_itself(self) -> None:
        for name, contract in contract_classes().items():
            schema = contract.json_schema()
            ids = [id(part) for part in parts(schema) if isinstance(part, dict | list)]
            with self.subTest(case=name):
                self.assertEqual(len(set(ids)), len(ids))


class True_(ContractCase):  # noqa: N801
    def test_every_wire_form_is_valid(self) -> None:
        for label, made in samples():
            with self.subTest(case=label):
                self.assertTrue(valid(type(made).json_schema(), made.to_dict()))
                self.assertTrue(valid(type(made).json_schema(), json.loads(made.to_json())))

    def test_what_is_refused_for_its_type_is_not_valid(self) -> None:
        for name, kinds in KINDS.items():
            schema = contract_classes()[name].json_schema()
            for field, kind in kinds.items():
                for value, message in wrong_values(kind, on_the_wire=True):
                    with self.subTest(case=f"{name}.{field}: {message}"):
                        self.assertFalse(valid(schema, wire(name) | {field: value}))

    def test_what_is_read_without_a_key_is_valid_without_it_and_the_reverse(self) -> None:
        for name, contract in contract_classes().items():
            for key in wire(name):
                payload = wire(name)
                del payload[key]
                try:
                    contract.from_dict(payload)
                except contracts.ContractError:
                    taken = False
                else:
                    taken = True
                with self.subTest(case=f"{name}.{key}"):
                    self.assertEqual(valid(contract.json_schema(), payload), taken)

    def test_numbers_and_times_are_valid_where_they_are_read(self) -> None:
        cases: list[tuple[str, str, Any, bool]] = [
            ("LogScope", "lookback_minutes", 60.0, True),
            ("LogScope", "lookback_minutes", 60.5, False),
            ("LogScope", "lookback_minutes", True, False),
            ("QueryLogsToolRequest", "lookback_minutes", None, True),
            ("MysqlToolRequest", "params", None, True),
            ("MysqlToolRequest", "params", [None, 1, 1.5, "x", False], True),
            ("MysqlToolRequest", "params", [[]], False),
            ("LogEvent", "timestamp", "2026-02-28T00:00:00Z", True),
            ("LogEvent", "timestamp", "2026-02-30T00:00:00Z", False),
            ("LogEvent", "timestamp", "2026-02-28T00:00:00", False),
        ]
        for name, key, value, right in cases:
            contract = contract_classes()[name]
            payload = wire(name) | {key: value}
            with self.subTest(case=f"{name}.{key}: {value}"):
                self.assertEqual(valid(contract.json_schema(), payload), right)
                if right:
                    contract.from_dict(payload)
                else:
                    self.refusal(contract.from_dict, payload)

    def test_what_a_schema_cannot_say_is_refused_though_valid(self) -> None:
        deep: Any = 1
        for _ in range(65):
            deep = [deep]
        cases: dict[str, tuple[str, dict[str, Any], str]] = {
            "columns given twice": (
                "MysqlToolResult",
                {"columns": ["a", "a"], "rows": []},
                '/columns/1: column names must be unique, use aliases: "a" is taken',
            ),
            "a foreign column": (
                "MysqlToolResult",
                {"columns": [], "rows": [{"a": 1}]},
                "/rows/0/a: it is not one of the columns",
            ),
            "depth": (
                "MysqlToolResult",
                {"columns": ["a"], "rows": [{"a": deep}]},
                "/rows/0/a" + "/0" * 64 + ": nested deeper than 64 levels",
            ),
            "a lone surrogate": (
                "RagToolRequest",
                {"query": "\ud800"},
                "/query: expected string of whole characters, got one with half a character "
                "(a lone surrogate)",
            ),
            "overflow": (
                "LogPattern",
                {"count": 2**1024},
                "/count: expected integer, got one that is infinite or too large for a 64-bit "
                "float",
            ),
        }
        for case, (name, changes, message) in cases.items():
            contract = contract_classes()[name]
            payload = wire(name) | changes
            with self.subTest(case=case):
                self.assertTrue(valid(contract.json_schema(), payload))
                self.refused(f"{name}: {message}", contract.from_dict, payload)
