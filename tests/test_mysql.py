# SPDX-License-Identifier: MIT
"""The contract of `query_mysql`. How cells become JSON values is in `test_cells`."""

import json
from collections.abc import Mapping
from dataclasses import MISSING, fields
from types import MappingProxyType
from typing import Any

from tests import contracts, module
from tests._samples import ContractCase, without_descriptions

JsonValue: Any = module("_cells").JsonValue


def request(**changes: Any) -> contracts.MysqlToolRequest:
    values: dict[str, Any] = {"data_source": "orders", "sql": "SELECT ?", "params": (1,)}
    return contracts.MysqlToolRequest(**values | changes)


def result(**changes: Any) -> contracts.MysqlToolResult:
    values: dict[str, Any] = {
        "tool_call_id": "call_9",
        "status": contracts.EvidenceStatus.EVIDENCE_FOUND,
        "row_count": 2,
        "truncated": False,
        "columns": ["id", "data"],
        "rows": [{"id": 1, "data": {"k": [1, {"n": None}]}}, {"data": None, "id": 2}],
    }
    return contracts.MysqlToolResult(**values | changes)


class Fields(ContractCase):
    def test_the_request_is_a_logical_source_a_statement_and_scalar_params(self) -> None:
        self.assert_fields(
            contracts.MysqlToolRequest,
            [
                ("data_source", str, MISSING),
                ("sql", str, MISSING),
                ("params", tuple[str | int | float | bool | None, ...], ()),
            ],
        )

    def test_the_result_has_its_header_first_and_its_rows_last(self) -> None:
        self.assert_fields(
            contracts.MysqlToolResult,
            [
                ("tool_call_id", str | None, MISSING),
                ("status", contracts.EvidenceStatus, MISSING),
                ("row_count", int, MISSING),
                ("truncated", bool, MISSING),
                ("columns", tuple[str, ...], MISSING),
                ("rows", tuple[Mapping[str, JsonValue], ...], MISSING),
            ],
        )

    def test_the_rows_alone_are_left_out_of_the_hash(self) -> None:
        left_out = [
            field.name for field in fields(contracts.MysqlToolResult) if field.hash is False
        ]
        self.assertEqual(left_out, ["rows"])
        self.assertEqual(hash(result()), hash(result(rows=[])))
        self.assertNotEqual(result(), result(rows=[]))

    def test_the_tool_call_id_is_in_the_result_alone(self) -> None:
        self.assertNotIn("tool_call_id", contracts.MysqlToolRequest.json_schema()["properties"])
        self.refused(
            "MysqlToolRequest: /tool_call_id: the framework sets it, so leave it out",
            contracts.MysqlToolRequest.from_dict,
            {"data_source": "d", "sql": "s", "tool_call_id": "call_fake"},
        )
        self.assertEqual(result().tool_call_id, "call_9")
        self.assertEqual(next(iter(result().to_dict())), "tool_call_id")


class Immutability(ContractCase):
    def test_nothing_about_the_objects_can_be_changed(self) -> None:
        for thing in (request(), result()):
            with self.subTest(case=type(thing).__name__):
                self.assert_frozen(thing)

    def test_rows_are_read_only_mappings_of_exactly_the_columns_in_their_order(self) -> None:
        for row in result().rows:
            self.assertIs(type(row), MappingProxyType)
            self.assertEqual(list(row), ["id", "data"])
        self.assertEqual(result().rows[1], {"id": 2, "data": None})

    def test_objects_and_arrays_in_a_cell_are_frozen_too(self) -> None:
        cell: Any = result().rows[0]["data"]
        self.assertIs(type(cell), MappingProxyType)
        self.assertIs(type(cell["k"]), tuple)
        self.assertIs(type(cell["k"][1]), MappingProxyType)
        with self.assertRaises(TypeError):
            cell["k"] = 1
        with self.assertRaises(TypeError):
            cell["k"][1]["n"] = 1

    def test_what_the_caller_changes_afterwards_does_not_reach_the_objects(self) -> None:
        params = ["a"]
        asked = request(params=params)
        params.append("b")
        self.assertEqual(asked.params, ("a",))
        inner = {"n": None}
        row = {"id": 1, "data": {"k": [1, inner]}}
        columns, rows = ["id", "data"], [row, {"id": 2, "data": None}]
        made = result(columns=columns, rows=rows)
        inner["n"] = 5  # type: ignore[assignment]
        row["id"] = 7
        columns.clear()
        rows.clear()
        self.assertEqual(made, result())

    def test_a_read_only_view_of_a_dictionary_is_copied_too(self) -> None:
        inner = {"n": 1}
        outer = {"id": 1, "data": MappingProxyType(inner)}
        made = result(rows=[MappingProxyType(outer)])
        inner["n"] = 2
        outer["id"] = 3
        self.assertEqual(made.to_dict()["rows"], [{"id": 1, "data": {"n": 1}}])

    def test_a_payload_that_the_caller_changes_afterwards_does_not_reach_the_result(self) -> None:
        payload = result().to_dict()
        read = contracts.MysqlToolResult.from_dict(payload)
        payload["rows"][0]["data"]["k"].append(1)
        payload["rows"].clear()
        payload["columns"].clear()
        self.assertEqual(read, result())

    def test_a_wire_form_that_the_caller_changes_does_not_reach_the_result(self) -> None:
        made = result()
        wire = made.to_dict()
        wire["rows"][0]["data"]["k"][1]["n"] = 5
        wire["rows"][1]["id"] = 5
        wire["columns"].append("x")
        self.assertEqual(made, result())
        self.assertEqual(made.to_dict(), result().to_dict())


class WireForm(ContractCase):
    def test_the_request_is_written_in_snake_case(self) -> None:
        asked = request(params=["a", 7, 2.5, True, None])
        self.assertEqual(
            asked.to_json(),
            '{"data_source":"orders","sql":"SELECT ?","params":["a",7,2.5,true,null]}',
        )
        self.assertEqual(contracts.MysqlToolRequest.from_json(asked.to_json()), asked)

    def test_params_that_are_null_or_absent_are_none_at_all(self) -> None:
        payload = {"data_source": "d", "sql": "s"}
        absent = contracts.MysqlToolRequest.from_dict(payload)
        null = contracts.MysqlToolRequest.from_dict(payload | {"params": None})
        self.assertEqual(absent, null)
        self.assertEqual(absent.params, ())
        self.assertEqual(absent.to_dict(), payload | {"params": []})

    def test_the_result_is_written_in_snake_case(self) -> None:
        expected = {
            "tool_call_id": "call_9",
            "status": "EVIDENCE_FOUND",
            "row_count": 2,
            "truncated": False,
            "columns": ["id", "data"],
            "rows": [{"id": 1, "data": {"k": [1, {"n": None}]}}, {"id": 2, "data": None}],
        }
        made = result()
        self.assertEqual(made.to_dict(), expected)
        self.assertEqual(made.to_json(), json.dumps(expected, separators=(",", ":")))
        self.assertEqual(contracts.MysqlToolResult.from_json(made.to_json()), made)

    def test_rows_that_were_capped_differ_on_the_wire_from_rows_that_were_not(self) -> None:
        whole, capped = result(truncated=False), result(truncated=True)
        self.assertNotEqual(whole, capped)
        self.assertNotEqual(whole.to_json(), capped.to_json())

    def test_text_that_looks_like_something_else_stays_text(self) -> None:
        read = contracts.MysqlToolRequest.from_json(
            '{"data_source":"1","sql":"[1,2]","params":["7","null","true","{}","[1]"," a "]}'
        )
        self.assertEqual(read.data_source, "1")
        self.assertEqual(read.sql, "[1,2]")
        self.assertEqual(read.params, ("7", "null", "true", "{}", "[1]", " a "))


class Params(ContractCase):
    def test_params_that_are_no_array_are_refused_and_never_taken_apart(self) -> None:
        cases: dict[str, tuple[Any, str]] = {
            "text": ("abc", "string"),
            "text that looks like an array": ("[1]", "string"),
            "bytes": (b"abc", "a value that is not JSON"),
            "bytearray": (bytearray(b"abc"), "a value that is not JSON"),
            "memoryview": (memoryview(b"abc"), "a value that is not JSON"),
            "a mapping": ({"a": 1}, "object"),
            "a set": ({"a"}, "a value that is not JSON"),
            "a frozen set": (frozenset("a"), "a value that is not JSON"),
            "the keys of a mapping": ({"a": 1}.keys(), "a value that is not JSON"),
            "an iterator": (iter([1]), "a value that is not JSON"),
            "a number": (7, "number"),
            "a boolean": (False, "boolean"),
        }
        for case, (params, got) in cases.items():
            message = f"MysqlToolRequest: /params: expected array, got {got}"
            with self.subTest(case=case):
                self.refused(message, request, params=params)
                self.refused(
                    message,
                    contracts.MysqlToolRequest.from_dict,
                    {"data_source": "d", "sql": "s", "params": params},
                )

    def test_every_param_that_is_no_scalar_is_named(self) -> None:
        right = "expected string, number, boolean or null"
        self.refused(
            f"MysqlToolRequest: /params/0: {right}, got array; /params/2: {right}, got object; "
            f"/params/3: {right}, got a value that is not JSON; /params/5: {right}, got one that "
            "is infinite or too large for a 64-bit float; /params/6: expected string of whole "
            "characters, got one with half a character (a lone surrogate)",
            request,
            params=[[1], 1, {"a": 1}, b"x", None, float("nan"), "\ud800"],
        )

    def test_a_real_sequence_of_another_type_is_taken(self) -> None:
        self.assertEqual(request(params=range(3)).params, (0, 1, 2))
        self.assertEqual(request(params=(1, "a")).params, (1, "a"))


class Columns(ContractCase):
    def test_a_column_name_that_is_taken_is_refused(self) -> None:
        self.refused(
            'MysqlToolResult: /columns/2: column names must be unique, use aliases: "id" is taken',
            result,
            columns=("id", "name", "id"),
            rows=[],
        )

    def test_all_column_names_that_are_taken_are_told(self) -> None:
        unique = "column names must be unique, use aliases"
        self.refused(
            f'MysqlToolResult: /columns/1: {unique}: "id" is taken; '
            f'/columns/3: {unique}: "n" is taken; /columns/4: {unique}: "id" is taken',
            result,
            columns=("id", "id", "n", "n", "id"),
            rows=[],
        )

    def test_column_names_that_are_the_same_once_encoded_are_refused(self) -> None:
        self.refused(
            "MysqlToolResult: /columns/1: column names must be unique, use aliases: "
            '"a\N{REPLACEMENT CHARACTER}" is taken',
            result,
            columns=("a\ud800", "a\udfff"),
            rows=[],
        )

    def test_column_names_that_differ_in_case_or_in_form_are_different(self) -> None:
        columns = ("id", "ID", "é", "e\u0301", "", " ")
        row = dict.fromkeys(columns, 1)
        self.assertEqual(result(columns=columns, rows=[row]).columns, columns)

    def test_cells_are_still_checked_when_the_columns_cannot_be_taken(self) -> None:
        self.refused(
            "MysqlToolResult: /columns/0: expected string, got number; "
            "/rows/1/b: expected a standard-library value, such as text, a number, a date or "
            "bytes, got a value that is not JSON",
            result,
            columns=[1],
            rows=[{"a": 1}, {"b": object()}],
        )
        self.refused(
            "MysqlToolResult: /columns: expected array, got string",
            result,
            columns="id",
            rows=[{"id": 1}],
        )


class Rows(ContractCase):
    def test_a_row_must_have_exactly_the_columns(self) -> None:
        missing = (
            "required field is missing, expected a standard-library value, such as text, a "
            "number, a date or bytes"
        )
        foreign = "it is not one of the columns"
        cases: dict[str, tuple[Any, str]] = {
            "one is missing": ({"id": 1}, f"/rows/0/data: {missing}"),
            "one is foreign": (
                {"id": 1, "data": 2, "x/y": 3},
                f"/rows/0/x~1y: {foreign}",
            ),
            "one is missing and one foreign": (
                {"id": 1, "Data": 2},
                f"/rows/0/data: {missing}; /rows/0/Data: {foreign}",
            ),
            "all are missing": ({}, f"/rows/0/id: {missing}; /rows/0/data: {missing}"),
        }
        for case, (row, message) in cases.items():
            with self.subTest(case=case):
                self.refused(f"MysqlToolResult: {message}", result, rows=[row])

    def test_a_row_that_is_no_object_is_refused(self) -> None:
        right = "expected object with the columns as keys"
        self.refused(
            f"MysqlToolResult: /rows/0: {right}, got array; /rows/1: {right}, got null; "
            f"/rows/3: {right}, got string",
            result,
            rows=[(1, 2), None, {"id": 1, "data": 2}, "id"],
        )

    def test_a_row_with_keys_that_are_no_text_is_refused(self) -> None:
        self.refused(
            "MysqlToolResult: /rows/0: the keys of an object must be strings",
            result,
            rows=[{"id": 1, "data": 2, 3: 4}],
        )

    def test_all_that_is_wrong_with_a_row_is_told_even_if_a_key_is_given_twice(self) -> None:
        text = result(columns=["a"], rows=[]).to_json()
        payload = text.replace('"rows":[]', '"rows":[{"a":1,"a":2,"b":3}]')
        error = self.refusal(contracts.MysqlToolResult.from_json, payload)
        self.assertEqual(
            {str(problem) for problem in error.problems},
            {"/rows/0/a: the key is given twice", "/rows/0/b: it is not one of the columns"},
        )

    def test_no_columns_and_empty_rows_are_taken(self) -> None:
        made = result(columns=(), rows=[{}, {}])
        self.assertEqual(made.to_dict()["rows"], [{}, {}])


class Schemas(ContractCase):
    def test_the_schema_of_the_request(self) -> None:
        scalar = {
            "anyOf": [
                {"type": "string"},
                {"type": "number"},
                {"type": "boolean"},
                {"type": "null"},
            ]
        }
        self.assertEqual(
            without_descriptions(contracts.MysqlToolRequest.json_schema()),
            {
                "type": "object",
                "properties": {
                    "data_source": {"type": "string"},
                    "sql": {"type": "string"},
                    "params": {"anyOf": [{"type": "array", "items": scalar}, {"type": "null"}]},
                },
                "required": ["data_source", "sql"],
                "additionalProperties": False,
            },
        )

    def test_the_schema_of_the_result(self) -> None:
        self.assertEqual(
            without_descriptions(contracts.MysqlToolResult.json_schema()),
            {
                "type": "object",
                "properties": {
                    "tool_call_id": {"anyOf": [{"type": "string"}, {"type": "null"}]},
                    "status": {
                        "type": "string",
                        "enum": ["EVIDENCE_FOUND", "NO_EVIDENCE", "ERROR"],
                    },
                    "row_count": {"type": "integer"},
                    "truncated": {"type": "boolean"},
                    "columns": {"type": "array", "items": {"type": "string"}},
                    "rows": {"type": "array", "items": {"type": "object"}},
                },
                "required": [
                    "tool_call_id",
                    "status",
                    "row_count",
                    "truncated",
                    "columns",
                    "rows",
                ],
                "additionalProperties": False,
            },
        )


class Tool(ContractCase):
    def test_the_tool_is_named_and_bound_to_its_request_and_result(self) -> None:
        tool = contracts.AgentToolContracts.QUERY_MYSQL
        self.assertEqual(tool.name, "query_mysql")
        self.assertIs(tool.request, contracts.MysqlToolRequest)
        self.assertIs(tool.result, contracts.MysqlToolResult)

    def test_what_the_model_is_told_is_short_and_names_no_machinery(self) -> None:
        self.assert_told_in_bounds(contracts.AgentToolContracts.QUERY_MYSQL)
