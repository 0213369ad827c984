# SPDX-License-Identifier: MIT
"""What a refusal says, how long it may be, and what it never says."""

import copy
import dataclasses
import datetime
import json
import pickle
import re
import traceback
from collections.abc import Callable, Iterator
from decimal import Decimal
from functools import partial
from typing import Any

from tests import contracts
from tests._samples import (
    BANNED,
    KINDS,
    ContractCase,
    contract_classes,
    sample,
    wire,
    wrong_values,
)

ContractError, Problem = contracts.ContractError, contracts.Problem

# put together here so that no line of source that a traceback may show holds it
SECRET = "-".join(["hunter2", "s3cr3t"])

PYTHON_NAMES = re.compile(
    r"NoneType|<class|'(?:float|bytes|object)'|\b(?:int|dict|list|str|tuple|bool|mappingproxy)\b"
)

HOSTILE_KEYS: dict[str, tuple[str, str]] = {
    "empty": ("", ""),
    "plain": ("limit", "limit"),
    "Chinese": ("数量", "数量"),
    "a space": ("a b", "a b"),
    "slash and tilde": ("a/b~c", "a~1b~0c"),
    "tilde and digit": ("~1", "~01"),
    "line feed": ("a\nb", "a\\nb"),
    "carriage return and tab": ("a\r\tb", "a\\r\\tb"),
    "NUL": ("a\0", "a\\u0000"),
    "terminal colours": ("\x1b[31mred", "\\u001b[31mred"),
    "C1 control": ("\x9b", "\\u009b"),
    "right-to-left override": ("\u202eabc", "\\u202eabc"),
    "zero width": ("a\u200bb", "a\\u200bb"),
    "line separator": ("a\u2028b", "a\\u2028b"),
    "byte order mark": ("\ufeffquery", "\\ufeffquery"),
    "lone surrogate": ("\ud800", "\\ud800"),
    "exactly as long as is told": ("k" * 60, "k" * 60),
    "too long": ("k" * 61, "k" * 60 + "…"),
    "far too long": ("k" * 100_000, "k" * 60 + "…"),
    "too long with slashes": ("/" * 61, "~1" * 60 + "…"),
}


class Texts(ContractCase):
    def test_a_refusal_names_the_class_the_place_and_what_would_be_right(self) -> None:
        self.refused(
            "QueryLogsToolRequest: /topic: expected one of APPLICATION, DATABASE_SLOW_QUERY, "
            'SYSTEM_EVENTS, got "app"; /limit: unknown field '
            "(known: topic, query, lookback_minutes)",
            contracts.QueryLogsToolRequest.from_dict,
            {"topic": "app", "query": "x", "limit": 5},
        )

    def test_all_unknown_fields_are_told_at_once_with_the_known_ones(self) -> None:
        self.refused(
            "RagToolRequest: /top_k: unknown field (known: query); "
            "/description: unknown field (known: query)",
            contracts.RagToolRequest.from_json,
            '{"query":"x","top_k":5,"description":"why"}',
        )

    def test_every_class_refuses_an_unknown_field_with_its_known_ones(self) -> None:
        for name, contract in contract_classes().items():
            with self.subTest(case=name):
                self.refused(
                    f"{name}: /note: unknown field (known: {', '.join(KINDS[name])})",
                    contract.from_dict,
                    wire(name) | {"note": 1},
                )

    def test_known_fields_in_another_spelling_are_unknown(self) -> None:
        for key in ("Query", "QUERY", "query ", "\ufeffquery", "queries"):
            error = self.refusal(contracts.RagToolRequest.from_dict, {key: "x"})
            with self.subTest(case=key):
                self.assertEqual(
                    [problem.message for problem in error.problems],
                    [
                        "required field is missing, expected string",
                        "unknown field (known: query)",
                    ],
                )

    def test_nested_problems_are_told_at_their_place(self) -> None:
        payload = wire("QueryLogsToolResult")
        payload["scope"] |= {"topic": "x", "more": 1}
        del payload["scope"]["query"]
        payload["patterns"].append({})
        payload["patterns"][0]["count"] = "3"
        payload["timeline_events"] = [7]
        missing = "required field is missing, expected"
        timestamp = "RFC 3339 timestamp with an offset, such as 2026-07-12T15:11:52+08:00"
        self.refused(
            "QueryLogsToolResult: /scope/topic: expected one of APPLICATION, "
            'DATABASE_SLOW_QUERY, SYSTEM_EVENTS, got "x"; '
            f"/scope/query: {missing} string; "
            "/scope/more: unknown field "
            "(known: topic, query, lookback_minutes, start_time, end_time); "
            "/patterns/0/count: expected integer, got string; "
            f"/patterns/1/pattern: {missing} string; "
            f"/patterns/1/level: {missing} string; "
            f"/patterns/1/service: {missing} string; "
            f"/patterns/1/count: {missing} integer; "
            f"/patterns/1/first_seen: {missing} {timestamp}; "
            f"/patterns/1/last_seen: {missing} {timestamp}; "
            f"/patterns/1/sample: {missing} string; "
            "/timeline_events/0: expected object, got number",
            contracts.QueryLogsToolResult.from_dict,
            payload,
        )

    def test_keys_that_are_no_text_are_refused(self) -> None:
        for key in (1, None, b"query", ("a",)):
            with self.subTest(case=repr(key)):
                self.refused(
                    "RagToolRequest: the keys of an object must be strings",
                    contracts.RagToolRequest.from_dict,
                    {"query": "x", key: 1},
                )

    def test_anything_but_an_object_is_refused_by_every_class(self) -> None:
        for name, contract in contract_classes().items():
            for value, got in (
                (None, "null"),
                (True, "boolean"),
                (0, "number"),
                (0.5, "number"),
                ("x", "string"),
                ([], "array"),
                ((wire(name),), "array"),
                (b"{}", "a value that is not JSON"),
                ({"query"}, "a value that is not JSON"),
                (sample(name), "a value that is not JSON"),
            ):
                with self.subTest(case=f"{name}, {got}"):
                    self.refused(f"{name}: expected object, got {got}", contract.from_dict, value)

    def test_a_payload_that_is_refused_is_not_changed(self) -> None:
        payload = wire("MysqlToolResult") | {"extra": 1, "row_count": "x"}
        before = copy.deepcopy(payload)
        self.refusal(contracts.MysqlToolResult.from_dict, payload)
        self.assertEqual(payload, before)


class Keys(ContractCase):
    def test_hostile_keys_are_escaped_and_cut_wherever_they_stand(self) -> None:
        known = "unknown field (known: source, section, content)"
        foreign = "it is not one of the columns"
        for case, (key, token) in HOSTILE_KEYS.items():
            with self.subTest(case=case):
                self.refused(
                    f"RagEvidence: /{token}: {known}",
                    contracts.RagEvidence.from_dict,
                    wire("RagEvidence") | {key: 1},
                )
                payload = wire("RagToolResult")
                payload["evidence"][1][key] = 1
                self.refused(
                    f"RagToolResult: /evidence/1/{token}: {known}",
                    contracts.RagToolResult.from_dict,
                    payload,
                )
            if case == "lone surrogate":
                continue  # columns and keys of cells are evidence, so it became U+FFFD
            with self.subTest(case=case, place="row and cell"):
                self.refused(
                    f"MysqlToolResult: /rows/0/{token}: {foreign}",
                    sample,
                    "MysqlToolResult",
                    columns=(),
                    rows=[{key: 1}],
                )
                infinite = "expected number, got one that is infinite or too large for a 64-bit"
                self.refused(
                    f"MysqlToolResult: /rows/0/c/{token}/0: {infinite} float",
                    sample,
                    "MysqlToolResult",
                    columns=("c",),
                    rows=[{"c": {key: [float("inf")]}}],
                )

    def test_hostile_enum_words_are_escaped_and_cut(self) -> None:
        right = "expected one of APPLICATION, DATABASE_SLOW_QUERY, SYSTEM_EVENTS"
        for case, word, told in (
            ("empty", "", ""),
            ("quotes", 'a"b\\', 'a\\"b\\\\'),
            ("line feed", "a\nb", "a\\nb"),
            ("terminal colours", "\x1b[31m", "\\u001b[31m"),
            ("right-to-left override", "\u202eAPP", "\\u202eAPP"),
            ("lone surrogate", "APP\udc80", "APP\\udc80"),
            ("Chinese", "应用", "应用"),
            ("as long as is told", "w" * 60, "w" * 60),
            ("too long", "w" * 61, "w" * 60 + "…"),
            ("far too long", "w" * 100_000, "w" * 60 + "…"),
        ):
            with self.subTest(case=case):
                self.refused(
                    f'QueryLogsToolRequest: /topic: {right}, got "{told}"',
                    contracts.QueryLogsToolRequest.from_dict,
                    {"topic": word, "query": "x"},
                )

    def test_a_key_of_a_text_type_of_its_own_is_told_by_its_text(self) -> None:
        class Word(str):
            def __str__(self) -> str:
                return "not the key"

        self.refused(
            "RagToolRequest: /limit: unknown field (known: query)",
            contracts.RagToolRequest.from_dict,
            {"query": "x", Word("limit"): 1},
        )

    def test_every_refusal_can_be_encoded(self) -> None:
        for _, error in refusals():
            str(error).encode()
            repr(error).encode()


class Bounds(ContractCase):
    item = "expected string, number, boolean or null, got array"

    def test_twenty_problems_are_told_in_full(self) -> None:
        told = "; ".join(f"/params/{index}: {self.item}" for index in range(20))
        self.refused(f"MysqlToolRequest: {told}", sample, "MysqlToolRequest", params=[[]] * 20)

    def test_more_than_twenty_problems_are_cut_short(self) -> None:
        told = "; ".join(f"/params/{index}: {self.item}" for index in range(20))
        for count in (21, 22, 500):
            with self.subTest(case=count):
                self.refused(
                    f"MysqlToolRequest: {told}; and more",
                    sample,
                    "MysqlToolRequest",
                    params=[[]] * count,
                )

    def test_a_million_problems_are_not_collected(self) -> None:
        bad_row: dict[str, Any] = {"x": 1}
        many_keys = {f"k{index}": 1 for index in range(100_000)}
        twice = "{" + ",".join(f'"k{index}":1' for index in range(50_000)) * 2 + "}"
        twice = twice.replace('1"k0"', '1,"k0"')
        self.assertEqual(len(json.loads(twice)), 50_000)
        cases: dict[str, Callable[[], Any]] = {
            "rows": lambda: sample("MysqlToolResult", columns=(), rows=[bad_row] * 1_000_000),
            "cells": lambda: sample(
                "MysqlToolResult", columns=("c",), rows=[{"c": [object()] * 1_000_000}]
            ),
            "params": lambda: sample("MysqlToolRequest", params=[()] * 1_000_000),
            "evidence": lambda: contracts.RagToolResult.from_dict(
                wire("RagToolResult") | {"evidence": [{}] * 1_000_000}
            ),
            "foreign columns": lambda: sample("MysqlToolResult", columns=(), rows=[many_keys]),
            "missing columns": lambda: sample(
                "MysqlToolResult", columns=tuple(many_keys), rows=[{}]
            ),
            "unknown keys": lambda: contracts.RagToolRequest.from_dict({"query": "x"} | many_keys),
            "keys given twice": lambda: contracts.RagToolRequest.from_json(twice),
        }
        for case, make in cases.items():
            error = self.refusal(make)
            with self.subTest(case=case):
                self.assertGreater(len(error.problems), 20)
                self.assertLess(len(error.problems), 100)
                self.assertTrue(str(error).endswith("; and more"))
                self.assertLess(len(str(error)), 5_000)


class Leaks(ContractCase):
    def test_no_refusal_tells_a_value_of_the_payload(self) -> None:
        cases = 0
        for case, error in refusals(SECRET):
            cases += 1
            with self.subTest(case=case):
                self.assert_silent(error)
        self.assertGreater(cases, 300)

    def test_no_refusal_of_json_text_tells_what_the_text_holds(self) -> None:
        texts = {
            "cut off in a string": '{"query":"' + SECRET,
            "cut off behind a value": '{"query":"' + SECRET + '"',
            "a fence": '```json\n{"query":"' + SECRET + '"}\n```',
            "encoded twice": json.dumps(json.dumps({"query": SECRET})),
            "a second value": '{"query":"x"} {"query":"' + SECRET + '"}',
            "more text": '{"query":"x"} ' + SECRET,
            "no JSON": SECRET,
            "a bare word": '{"query":' + SECRET + "}",
            "a control character": '{"query":"\n' + SECRET + '"}',
            "a bad escape": '{"query":"\\x' + SECRET + '"}',
            "an array": '["' + SECRET + '"]',
            "a string": '"' + SECRET + '"',
            "too many digits": '{"query":"' + SECRET + '","n":' + "9" * 5000 + "}",
            "nested too deeply": '{"query":"' + SECRET + '","n":' + "[" * 200_000,
            "a key given twice": '{"query":"' + SECRET + '","query":"' + SECRET + '"}',
            "an unknown key": '{"query":"x","n":"' + SECRET + '"}',
        }
        for case, text in texts.items():
            for given in (text, text.encode(), b"\xff" + text.encode()):
                with self.subTest(case=case, given=type(given)):
                    error = self.refusal(contracts.RagToolRequest.from_json, given)
                    self.assert_silent(error)

    def assert_silent(self, error: contracts.ContractError) -> None:
        """Assert that neither the error nor one that it carries tells the secret."""
        told = "".join(traceback.format_exception(error))
        for text in (str(error), repr(error), repr(error.args), told):
            self.assertNotIn(SECRET, text)
            self.assertNotIn(SECRET.encode().hex(), text.lower())
        self.assertIsNone(error.__cause__)
        self.assertIsNone(error.__context__)

    def test_no_refusal_tells_a_name_of_python_or_a_banned_word(self) -> None:
        for case, error in refusals():
            with self.subTest(case=case):
                told = str(error).partition(": ")[2]
                self.assertIsNone(PYTHON_NAMES.search(told), told)
                for problem in error.problems:
                    self.assertIsNone(BANNED.search(problem.message), problem.message)


class TheError(ContractCase):
    def test_it_is_a_value_error_with_problems(self) -> None:
        error = ContractError("Subject", [Problem("/a", "is wrong"), Problem("", "is odd")])
        self.assertIsInstance(error, ValueError)
        self.assertEqual(error.problems, (Problem("/a", "is wrong"), Problem("", "is odd")))
        self.assertIs(type(error.problems), tuple)
        self.assertEqual(str(error), "Subject: /a: is wrong; is odd")
        with self.assertRaises(AttributeError):
            error.problems = ()  # type: ignore[misc]

    def test_it_takes_any_iterable_of_problems_once(self) -> None:
        error = ContractError("S", iter([Problem("/a", "b")]))
        self.assertEqual(error.problems, (Problem("/a", "b"),))
        self.assertEqual(str(error), str(error))

    def test_a_problem_is_a_frozen_pair_of_path_and_message(self) -> None:
        problem = Problem("/a/0", "is wrong")
        self.assertEqual(
            [(field.name, field.type) for field in dataclasses.fields(Problem)],
            [("path", str), ("message", str)],
        )
        self.assertEqual(str(problem), "/a/0: is wrong")
        self.assertEqual(hash(problem), hash(Problem("/a/0", "is wrong")))
        with self.assertRaises(dataclasses.FrozenInstanceError):
            problem.path = ""  # type: ignore[misc]

    def test_it_is_the_same_after_pickling_and_copying(self) -> None:
        error = self.refusal(
            contracts.QueryLogsToolRequest.from_dict, {"topic": "app", "limit": [1]}
        )
        copies = {
            f"pickle protocol {protocol}": pickle.loads(pickle.dumps(error, protocol))
            for protocol in range(pickle.HIGHEST_PROTOCOL + 1)
        }
        copies |= {"copy": copy.copy(error), "deepcopy": copy.deepcopy(error)}
        for case, other in copies.items():
            with self.subTest(case=case):
                self.assertIs(type(other), ContractError)
                self.assertEqual(other.problems, error.problems)
                self.assertEqual(str(other), str(error))

    def test_paths_lead_to_the_value_in_the_payload(self) -> None:
        payload: dict[str, Any] = wire("MysqlToolResult")
        payload["columns"] = ["a/b", "~"]
        payload["rows"] = [{"a/b": 1, "~": {"": [1, float("nan")]}}]
        (problem,) = self.refusal(contracts.MysqlToolResult.from_dict, payload).problems
        value: Any = payload
        for token in problem.path.split("/")[1:]:
            key = token.replace("~1", "/").replace("~0", "~")
            value = value[int(key)] if isinstance(value, list) else value[key]
        self.assertEqual(problem.path, "/rows/0/~0//1")
        self.assertNotEqual(value, value)  # the NaN

    def test_a_value_that_is_an_error_itself_is_refused(self) -> None:
        empty, full = ContractError("S", ()), ContractError("S", [Problem("", "is wrong")])
        for error in (empty, full, ValueError("x")):
            with self.subTest(case=repr(error)):
                self.refusal(contracts.RagToolRequest, query=error)
                self.refusal(contracts.RagToolRequest.from_dict, {"query": error})
                self.refusal(sample, "MysqlToolRequest", params=[error])
                self.refusal(sample, "MysqlToolResult", columns=("c",), rows=[{"c": error}])
                self.refusal(sample, "RagToolResult", evidence=[error])
                self.refusal(sample, "QueryLogsToolResult", scope=error)


class _Spoken:
    """A value that tells the secret whenever it is asked for text."""

    def __init__(self, text: str) -> None:
        self.text = text

    def __repr__(self) -> str:
        return self.text

    def __str__(self) -> str:
        return self.text


class _Date(datetime.date):
    text = "never"

    def isoformat(self) -> str:
        return self.text


def refusals(secret: str = "x") -> Iterator[tuple[str, contracts.ContractError]]:
    """Yield a refusal for each way to put a value with a secret where it does not belong."""
    for case, make in _bad_calls(secret):
        error: contracts.ContractError | None = None
        try:
            make()
        except ContractError as raised:
            error = raised
        if error is None:
            raise AssertionError(f"{case} was taken")
        yield case, error


def _rows(rows: Any) -> Any:
    return sample("MysqlToolResult", columns=("a", "c"), rows=rows)


def _bad_calls(secret: str) -> Iterator[tuple[str, Callable[[], Any]]]:
    hidden: list[tuple[str, Any]] = [
        ("text", secret),
        ("bytes", secret.encode()),
        ("array", [secret, [secret]]),
        ("object", {"key": secret, "more": {"key": secret}}),
        ("set", {secret}),
        ("object of another class", _Spoken(secret)),
        ("exception", ValueError(secret)),
        ("lone surrogate", secret + "\ud800"),
    ]
    words = ("EvidenceStatus", "LogTopic", "SourceKind")
    for name, kinds in KINDS.items():
        contract = contract_classes()[name]
        for field, kind in kinds.items():
            wrong = {json_kind(value) for value, _ in wrong_values(kind, on_the_wire=True)}
            for form, value in hidden:
                if form == "lone surrogate":
                    taken = kind not in ("text", "id", "timestamp")
                else:
                    taken = json_kind(value) not in wrong or (kind in words and form == "text")
                if taken or (kind.startswith("array") and isinstance(value, list)):
                    continue
                payload = wire(name) | {field: value}
                yield f"{name}.{field} as {form}", partial(contract.from_dict, payload)
            other = wire(name) | {field: object(), "note": secret}
            yield f"{name}.{field} beside a note", partial(contract.from_dict, other)
    date = _Date(2026, 1, 1)
    date.text = secret
    cells: dict[str, Any] = {
        "an object of another class": _Spoken(secret),
        "a date that is not one": date,
        "infinite Decimal": Decimal("-Infinity"),
        "signalling Decimal": Decimal("sNaN123"),
        "infinity beside it": [secret, float("inf")],
        "infinity below it": {"key": [secret, {"key": float("nan"), "more": secret}]},
        "a set of bytes": {secret.encode()},
        "keys that are no text": {1: secret},
        "a complex number": 2j,
        "a range": range(3),
        "an exception": ValueError(secret),
    }
    for case, cell in cells.items():
        row = {"a": secret, "c": cell}
        yield f"cell: {case}", partial(_rows, [row])
    for case, rows in {
        "a missing column": [{"a": secret}],
        "a foreign column": [{"a": secret, "c": 1, "d": secret}],
        "an array": [[secret, secret]],
        "text": [secret],
    }.items():
        yield f"row: {case}", partial(_rows, rows)
    for case, params in {
        "an object": [{"key": secret}],
        "an array": [secret, [secret]],
        "bytes": [secret.encode()],
        "a lone surrogate": [secret + "\ud800"],
        "text": secret,
    }.items():
        yield f"params: {case}", partial(sample, "MysqlToolRequest", params=params)
    yield "rfc3339 of text", lambda: contracts.rfc3339(secret)  # type: ignore[arg-type]
    yield "rfc3339 of a naive time", partial(contracts.rfc3339, datetime.datetime(2026, 1, 1))


def json_kind(value: object) -> str:
    """The JSON type of a value, or `none`."""
    kinds = {bool: "boolean", int: "number", str: "string", dict: "object", list: "array"}
    return "null" if value is None else kinds.get(type(value), "none")
