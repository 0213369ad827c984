# SPDX-License-Identifier: MIT
"""JSON text in and out: what is read, what is refused, and what the refusal says."""

import dataclasses
import json
import sys
from collections.abc import Callable
from typing import Any, NoReturn

from tests import contracts
from tests._samples import (
    RIGHT,
    ContractCase,
    contract_classes,
    fields_of_kind,
    parts,
    sample,
    samples,
    wire,
)


def right(name: str) -> str:
    """What the refusal of a text says would be right."""
    required = [
        field.name
        for field in dataclasses.fields(contract_classes()[name])
        if field.default is dataclasses.MISSING
    ]
    return f"expected one JSON object with {', '.join(required)}"


class Refusals(ContractCase):
    def refused_by_all(self, reason: str, text: Any) -> None:
        """Assert that every class refuses a text, as text and as bytes, for one reason."""
        forms = [text]
        if isinstance(text, str):
            forms += [text.encode(), bytearray(text.encode())]
        for name, contract in contract_classes().items():
            for form in forms:
                with self.subTest(case=f"{name}, {form!r:.60}"):
                    self.refused(f"{name}: {reason}; {right(name)}", contract.from_json, form)

    def test_what_would_be_right_is_told_with_the_required_fields(self) -> None:
        self.assertEqual(right("RagToolRequest"), "expected one JSON object with query")
        self.assertEqual(
            right("QueryLogsToolRequest"), "expected one JSON object with topic, query"
        )
        self.assertEqual(
            right("MysqlToolRequest"), "expected one JSON object with data_source, sql"
        )

    def test_empty_text_is_never_an_empty_object(self) -> None:
        for text in ("", " \n", "\t\r\n ", "\ufeff", "\ufeff \n"):
            self.refused_by_all("the text is empty", text)

    def test_what_is_no_text_is_refused(self) -> None:
        for value, got in (
            (None, "null"),
            ({"query": "x"}, "object"),
            (["x"], "array"),
            (7, "number"),
            (False, "boolean"),
            (memoryview(b"{}"), "a value that is not JSON"),
            (object(), "a value that is not JSON"),
        ):
            self.refused_by_all(f"expected JSON text, got {got}", value)

    def test_a_code_fence_is_named(self) -> None:
        for text in (
            '```json\n{"query":"x"}\n```',
            '```\n{"query":"x"}\n```',
            '\n ```JSON\r\n{"query":"x"}\r\n```\n',
            '```{"query":"x"}```',
            '````\n{"query":"x"}\n````',
            '```json\n{"query":"x',
            "```",
            '\ufeff```json\n{"query":"x"}\n```',
        ):
            self.refused_by_all("it is wrapped in a Markdown code fence", text)

    def test_json_text_in_a_json_string_is_named(self) -> None:
        for inner in ('{"query":"x"}', ' \n{"query":"x"}', '[{"query":"x"}]', "{}"):
            self.refused_by_all(
                "it is a JSON string that holds JSON text, so it was encoded twice",
                json.dumps(inner),
            )

    def test_a_second_value_is_named_and_the_first_is_not_read(self) -> None:
        for text in (
            '{"query":"a"}{"query":"b"}',
            '{"query":"a"} {"query":"a"}',
            '{"query":"a"}\n{"query":"b"}\n',
            '{"query":"a"}[]',
            '{"query":"a"} "b"',
            '{"query":"a"} 1',
            '{"query":"a"}\tnull',
            '{"query":"a"} -0.5e7',
            '{"query":"a"}{"query',
            "[] {}",
            "null null",
        ):
            self.refused_by_all("a second JSON value follows the first", text)

    def test_other_text_behind_the_value_is_told_with_its_place(self) -> None:
        for text, line, column in (
            ('{"query":"a"} ok', 1, 15),
            ('{"query":"a"}}', 1, 14),
            ('{"query":"a"}\n```', 2, 1),
            ('{"query":"a"};', 1, 14),
            ('{"query":"a"},', 1, 14),
            ('{"query":"a"}\0', 1, 14),
            ('{"query":"a"} // done', 1, 15),
            ('\ufeff{"query":"a"}\ufeff', 1, 14),
        ):
            self.refused_by_all(
                f"more text follows the JSON value at line {line} column {column}", text
            )

    def test_text_that_is_no_json_is_told_with_its_place(self) -> None:
        for text, line, column in (
            ("query", 1, 1),
            ("{'query': 'a'}", 1, 2),
            ('{query: "a"}', 1, 2),
            ('{"query" "a"}', 1, 10),
            ('{"query":}', 1, 10),
            ('{"query":"a" "b"}', 1, 14),
            ('{"query":01}', 1, 11),
            ('{"query":.5}', 1, 10),
            ('{"query":+1}', 1, 10),
            ('{"query":undefined}', 1, 10),
            ('{"query":True}', 1, 10),
            ('{"query":"a\nb"}', 1, 12),
            ('{\n"query":"a\tb"}', 2, 11),
            ('{"query":"\\x41"}', 1, 11),
            ('{/* c */"query":"a"}', 1, 2),
            ('\ufeff\ufeff{"query":"a"}', 1, 1),
            ('Here it is: {"query":"a"}', 1, 1),
            ("`{}`", 1, 1),
            ("<tool>", 1, 1),
            ("\0", 1, 1),
            ("\u00a0{}", 1, 1),
        ):
            self.refused_by_all(f"it is not valid JSON at line {line} column {column}", text)

    def test_a_comma_too_many_is_refused(self) -> None:
        for text in ('{"query":"a",}', '{"query":["a",]}'):
            error = self.refusal(contracts.RagToolRequest.from_json, text)
            # Python 3.13 points at the comma, earlier versions at what follows it
            comma = text.index(",") + 1
            expected = [
                f"RagToolRequest: it is not valid JSON at line 1 column {column}; "
                + right("RagToolRequest")
                for column in (comma, comma + 1)
            ]
            with self.subTest(case=text):
                self.assertIn(str(error), expected)

    def test_text_that_was_cut_off_anywhere_is_named(self) -> None:
        for name, made in samples():
            contract = type(made).__name__
            message = f"{contract}: it ends early and may have been cut off; {right(contract)}"
            escaped = json.dumps(made.to_dict())
            for text in (made.to_json(), made.to_json(indent=1), escaped):
                told = {
                    text[:end][-20:]: str(self.refusal(type(made).from_json, text[:end]))
                    for end in range(1, len(text))
                }
                others = {ending: reason for ending, reason in told.items() if reason != message}
                with self.subTest(case=name):
                    self.assertEqual(others, {})

    def test_text_that_was_cut_off_in_a_word_or_a_number_is_named(self) -> None:
        for ending in (
            "t", "tru", "fals", "n", "nul", "N", "Na", "Infinit", "-", "-Inf", "1", "1.", "1e",
            "1E", "1e+", "1e-", "2.5", "2.5e", "-0", "-0.", '"', '"\\', '"\\u', '"\\u1', '"\\u12',
            '"\\u123', '"\\ud83d\\', '"\\ud83d\\u', '"\\ud83d\\ude0', "[", "[1", "[1,", "{", '{"',
        ):  # fmt: skip
            with self.subTest(case=ending):
                self.refused(
                    "RagToolRequest: it ends early and may have been cut off; "
                    + right("RagToolRequest"),
                    contracts.RagToolRequest.from_json,
                    '{"query":' + ending,
                )

    def test_bytes_that_are_no_utf_8_are_refused(self) -> None:
        text = '{"query":"café"}'
        for data in (
            text.encode("latin-1"),
            text.encode("utf-16"),
            b"\xff\xfe" + text.encode("utf-16-le"),
            text.encode("utf-32"),
            b'{"query":"\xed\xa0\x80"}',
            b'{"query":"\xc0\xaf"}',
        ):
            self.refused_by_all("the bytes are not UTF-8", data)

    def test_any_value_but_an_object_is_refused(self) -> None:
        for name, contract in contract_classes().items():
            for text, got in (
                ("[]", "array"),
                ('[{"query":"a"}]', "array"),
                ("0", "number"),
                ("1.5", "number"),
                ("NaN", "number"),
                ("true", "boolean"),
                ("null", "null"),
                ('"x"', "string"),
                ('""', "string"),
                ('"7"', "string"),
            ):
                with self.subTest(case=f"{name}, {text}"):
                    self.refused(f"{name}: expected object, got {got}", contract.from_json, text)

    def test_a_number_with_too_many_digits_is_refused(self) -> None:
        for name, contract in contract_classes().items():
            text = json.dumps(wire(name))[:-1] + ',"n":' + "9" * 5000 + "}"
            with self.subTest(case=name):
                self.refused(
                    f"{name}: it has a number with too many digits; {right(name)}",
                    contract.from_json,
                    text,
                )

    def test_text_that_is_nested_deeper_than_python_can_read_is_refused(self) -> None:
        for name, contract in contract_classes().items():
            for opening in ("[", '{"query":', '[{"a":'):
                with self.subTest(case=f"{name}, {opening}"):
                    self.refused(
                        f"{name}: it is nested too deeply; {right(name)}",
                        contract.from_json,
                        opening * 200_000,
                    )

    def test_five_thousand_levels_are_refused_whoever_reads_them(self) -> None:
        inner = "[" * 5000 + "]" * 5000
        for name, contract in contract_classes().items():
            for key in wire(name):
                text = json.dumps(wire(name) | {key: "HERE"}).replace('"HERE"', inner)
                with self.subTest(case=f"{name}.{key}"):
                    self.refusal(contract.from_json, text)
        rows = json.dumps(wire("MysqlToolResult") | {"columns": ["c"], "rows": [{"c": "HERE"}]})
        self.refusal(contracts.MysqlToolResult.from_json, rows.replace('"HERE"', inner))

    def test_reading_works_close_to_the_bottom_of_the_stack(self) -> None:
        text = sample("MysqlToolResult").to_json()

        def at_depth(depth: int, function: Callable[[], Any]) -> Any:
            return at_depth(depth - 1, function) if depth else function()

        depth = sys.getrecursionlimit() // 2
        made = at_depth(depth, lambda: contracts.MysqlToolResult.from_json(text))
        self.assertEqual(made, sample("MysqlToolResult"))


class Duplicates(ContractCase):
    def test_a_key_that_is_given_twice_is_refused_at_any_level(self) -> None:
        twice = "the key is given twice"
        cases: dict[str, tuple[str, str, str, str]] = {
            "in a request": ("RagToolRequest", '"query":', '"query":1,"query":', "/query"),
            "with the same value": (
                "QueryLogsToolRequest",
                '"topic":"APPLICATION"',
                '"topic":"APPLICATION","topic":"APPLICATION"',
                "/topic",
            ),
            "spelled with an escape": (
                "QueryLogsToolRequest",
                '"topic":',
                '"\\u0074opic":"APPLICATION","topic":',
                "/topic",
            ),
            "in a result": (
                "RagToolResult",
                '"truncated":',
                '"truncated":1,"truncated":',
                "/truncated",
            ),
            "in the scope": (
                "QueryLogsToolResult",
                '"lookback_minutes":30',
                '"lookback_minutes":30,"lookback_minutes":30',
                "/scope/lookback_minutes",
            ),
            "in a list": (
                "QueryLogsToolResult",
                '"instance":null',
                '"instance":null,"instance":null',
                "/timeline_events/0/instance",
            ),
            "in a row": ("MysqlToolResult", '"id":-1.5', '"id":1,"id":-1.5', "/rows/1/id"),
            "in a cell": ("MysqlToolResult", '{"k":', '{"k":1,"k":', "/rows/0/data/k"),
            "deep in a cell": ("MysqlToolResult", '"n":[]', '"n":[],"n":[]', "/rows/0/data/k/3/n"),
        }
        for case, (name, found, replacement, path) in cases.items():
            text = sample(name).to_json()
            self.assertEqual(text.count(found), 1)
            with self.subTest(case=case):
                self.refused(
                    f"{name}: {path}: {twice}",
                    contract_classes()[name].from_json,
                    text.replace(found, replacement),
                )

    def test_duplicates_are_told_with_all_that_is_wrong_beside_them(self) -> None:
        error = self.refusal(
            contracts.QueryLogsToolRequest.from_json,
            '{"topic":"x","query":7,"query":8,"more":1,"more":2}',
        )
        self.assertEqual(
            {str(problem) for problem in error.problems},
            {
                '/topic: expected one of APPLICATION, DATABASE_SLOW_QUERY, SYSTEM_EVENTS, got "x"',
                "/query: the key is given twice",
                "/more: unknown field (known: topic, query, lookback_minutes)",
            },
        )

    def test_a_duplicate_in_an_object_that_does_not_belong_there_is_refused(self) -> None:
        self.refused(
            "MysqlToolRequest: /params/0: expected string, number, boolean or null, got object",
            contracts.MysqlToolRequest.from_json,
            '{"data_source":"d","sql":"s","params":[{"a":1,"a":2}]}',
        )


class Numbers(ContractCase):
    infinite = "got one that is infinite or too large for a 64-bit float"
    tokens = ("NaN", "Infinity", "-Infinity", "1e400", "-1e400", "1" * 400)

    def test_numbers_that_are_not_finite_are_refused_at_their_place(self) -> None:
        for token in self.tokens:
            for name, field in fields_of_kind("integer", "integer or null"):
                text = json.dumps(wire(name) | {field: "HERE"}).replace('"HERE"', token)
                with self.subTest(case=f"{name}.{field}, {token:.9}"):
                    self.refused(
                        f"{name}: /{field}: expected integer, {self.infinite}",
                        contract_classes()[name].from_json,
                        text,
                    )
            with self.subTest(case=f"params, {token:.9}"):
                self.refused(
                    "MysqlToolRequest: /params/1: expected string, number, boolean or null, "
                    + self.infinite,
                    contracts.MysqlToolRequest.from_json,
                    '{"data_source":"d","sql":"s","params":[1,' + token + "]}",
                )

    def test_cells_that_are_not_finite_are_refused_at_their_place(self) -> None:
        text = json.dumps(wire("MysqlToolResult") | {"columns": ["c"], "rows": [{"c": "HERE"}]})
        for token in self.tokens[:-1]:
            for cell, path in (
                (token, "/rows/0/c"),
                (f"[1,{token}]", "/rows/0/c/1"),
                (f'{{"k":{{"n":{token}}}}}', "/rows/0/c/k/n"),
            ):
                with self.subTest(case=cell):
                    self.refused(
                        f"MysqlToolResult: {path}: expected number, {self.infinite}",
                        contracts.MysqlToolResult.from_json,
                        text.replace('"HERE"', cell),
                    )

    def test_a_number_where_text_belongs_is_refused_even_if_it_is_not_finite(self) -> None:
        for token in self.tokens:
            for name, field in fields_of_kind("text", "evidence text", "id"):
                text = json.dumps(wire(name) | {field: "HERE"}).replace('"HERE"', token)
                with self.subTest(case=f"{name}.{field}, {token:.9}"):
                    self.refused(
                        f"{name}: /{field}: expected string, got number",
                        contract_classes()[name].from_json,
                        text,
                    )

    def test_whole_numbers_in_any_notation_are_integers(self) -> None:
        for name, field in fields_of_kind("integer", "integer or null"):
            for token, value in (
                ("60", 60),
                ("60.0", 60),
                ("1e2", 100),
                ("1.5E1", 15),
                ("-0", 0),
                ("-0.0", 0),
                ("123456789012345678901234567890", 123456789012345678901234567890),
            ):
                text = json.dumps(wire(name) | {field: "HERE"}).replace('"HERE"', token)
                made = contract_classes()[name].from_json(text)
                with self.subTest(case=f"{name}.{field}, {token}"):
                    self.assertEqual(getattr(made, field), value)
                    self.assertIs(type(getattr(made, field)), int)
                    self.assertIn(f'"{field}":{value}', made.to_json())

    def test_other_numbers_and_texts_of_numbers_are_no_integers(self) -> None:
        for name, field in fields_of_kind("integer", "integer or null"):
            for token, got in (
                ("60.5", "a number that is not whole"),
                ("1e-2", "a number that is not whole"),
                ('"60"', "string"),
                ('"60m"', "string"),
                ('"\uff16\uff10"', "string"),
                ('"6_0"', "string"),
                ('""', "string"),
                ("true", "boolean"),
                ("false", "boolean"),
                ("[60]", "array"),
            ):
                text = json.dumps(wire(name) | {field: "HERE"}).replace('"HERE"', token)
                with self.subTest(case=f"{name}.{field}, {token}"):
                    self.refused(
                        f"{name}: /{field}: expected {RIGHT['integer']}, got {got}",
                        contract_classes()[name].from_json,
                        text,
                    )


class ByteOrderMarks(ContractCase):
    def test_one_mark_in_front_is_skipped_in_text_and_in_bytes(self) -> None:
        for name, made in samples():
            text = "\ufeff" + made.to_json()
            with self.subTest(case=name):
                self.assertEqual(type(made).from_json(text), made)
                self.assertEqual(type(made).from_json(text.encode()), made)
                self.assertEqual(type(made).from_json(bytearray(text.encode())), made)
                self.assertTrue(text.encode().startswith(b"\xef\xbb\xbf"))

    def test_a_mark_inside_a_text_is_kept(self) -> None:
        read = contracts.RagToolRequest.from_json('{"query":"\ufeffx\ufeff"}')
        self.assertEqual(read.query, "\ufeffx\ufeff")

    def test_white_space_around_the_object_is_skipped(self) -> None:
        read = contracts.RagToolRequest.from_json('\n\t {"query" : "x"}\r\n ')
        self.assertEqual(read.query, "x")


class Writing(ContractCase):
    def test_an_object_is_its_json(self) -> None:
        for name, made in samples():
            with self.subTest(case=name):
                self.assertEqual(type(made).from_json(made.to_json()), made)
                self.assertEqual(type(made).from_json(made.to_json().encode()), made)
                self.assertEqual(type(made).from_dict(made.to_dict()), made)
                self.assertEqual(json.loads(made.to_json()), made.to_dict())

    def test_what_is_read_is_written_as_it_was(self) -> None:
        for name, contract in contract_classes().items():
            for variant in ("full", "odd"):
                payload = wire(name, variant)
                text = json.dumps(payload, ensure_ascii=False, separators=(",", ":"))
                with self.subTest(case=f"{name}, {variant}"):
                    self.assertEqual(contract.from_dict(payload).to_dict(), payload)
                    self.assertEqual(contract.from_json(text).to_json(), text)

    def test_json_is_compact_and_has_real_characters(self) -> None:
        for text in ("连接池", "接続プール", "연결", "žluťoučký", "🎉", "\u2028", "\x7f", "ﬁ"):
            for name, field in fields_of_kind("text", "evidence text", "evidence text or null"):
                written = sample(name, **{field: text}).to_json()
                with self.subTest(case=f"{name}.{field}, {text!r}"):
                    self.assertIn(f'"{field}":"{text}"', written)
                    self.assertNotIn("\\u", written.replace("\\u0000", ""))
                    self.assertNotIn("\n", written)

    def test_json_can_be_indented(self) -> None:
        self.assertEqual(
            sample("QueryLogsToolRequest", query="日").to_json(indent=2),
            '{\n  "topic": "APPLICATION",\n  "query": "日",\n  "lookback_minutes": 60\n}',
        )
        for name, made in samples():
            with self.subTest(case=name):
                self.assertEqual(type(made).from_json(made.to_json(indent=4)), made)

    def test_indent_is_given_by_name(self) -> None:
        with self.assertRaises(TypeError):
            sample("RagToolRequest").to_json(2)

    def test_json_is_strict(self) -> None:
        def refuse(token: str) -> NoReturn:
            raise AssertionError(token)

        for name, made in samples():
            with self.subTest(case=name):
                json.loads(made.to_json(), parse_constant=refuse)

    def test_a_wire_form_holds_exact_builtins_and_is_fresh_each_time(self) -> None:
        allowed = (dict, list, str, int, float, bool, type(None))
        for name, made in samples():
            first, second = made.to_dict(), made.to_dict()
            with self.subTest(case=name):
                for part in parts(first):
                    self.assertIn(type(part), allowed)
                mutable = {id(part) for part in parts(first) if isinstance(part, dict | list)}
                shared = [part for part in parts(second) if id(part) in mutable]
                self.assertEqual(shared, [])
                self.assertEqual(first, second)

    def test_the_deepest_cell_that_is_taken_can_be_written_and_read(self) -> None:
        cell: Any = "x"
        for _ in range(32):
            cell = [{"k": cell}]
        made = sample("MysqlToolResult", columns=("c",), rows=[{"c": cell}])
        self.assertEqual(contracts.MysqlToolResult.from_json(made.to_json()), made)
        self.assertEqual(contracts.MysqlToolResult.from_json(made.to_json(indent=1)), made)
