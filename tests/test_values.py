# SPDX-License-Identifier: MIT
"""Single values: text, ids, integers, numbers, timestamps, sequences."""

import dataclasses
import datetime
import enum
from collections import UserDict, deque
from collections.abc import Sequence
from types import MappingProxyType
from typing import Any, overload

from tests import contracts
from tests._samples import (
    KINDS,
    NULLABLE,
    RIGHT,
    TIMESTAMP,
    ContractCase,
    contract_classes,
    fields_of_kind,
    sample,
    samples,
    wire,
    wrong_values,
)

HALF = "expected string of whole characters, got one with half a character (a lone surrogate)"
UTC = datetime.UTC


class Text(str):
    """A text type of its own, as drivers have them."""

    def __str__(self) -> str:
        return "something else"


class Word(str, enum.Enum):  # noqa: UP042  # it ends differently from StrEnum
    """An enumeration of texts whose `str()` is not its value."""

    A = "a"


class Number(enum.IntEnum):
    """An enumeration of numbers."""

    SEVEN = 7


class Real(float):
    """A number type of its own."""

    def __float__(self) -> float:
        return 0.0


class Own(Sequence[Any]):
    """A sequence that is neither a list nor a tuple."""

    def __init__(self, *items: Any) -> None:
        self.items = items

    def __len__(self) -> int:
        return len(self.items)

    @overload
    def __getitem__(self, index: int) -> Any: ...

    @overload
    def __getitem__(self, index: slice) -> "Own": ...

    def __getitem__(self, index: int | slice) -> Any:
        return self.items[index]


class WrongTypes(ContractCase):
    def test_every_field_refuses_every_wrong_type_and_names_itself(self) -> None:
        for name, kinds in KINDS.items():
            contract = contract_classes()[name]
            for field, kind in kinds.items():
                made = sample(name)
                values = {key: getattr(made, key) for key in kinds}
                for value, message in wrong_values(kind, on_the_wire=False):
                    with self.subTest(case=f"{name}({field}={value!r:.20})"):
                        self.refused(
                            f"{name}: /{field}: {message}", contract, **values | {field: value}
                        )
                for value, message in wrong_values(kind, on_the_wire=True):
                    with self.subTest(case=f"{name}.from_dict {field}={value!r:.20}"):
                        self.refused(
                            f"{name}: /{field}: {message}",
                            contract.from_dict,
                            wire(name) | {field: value},
                        )

    def test_every_field_without_a_default_must_be_there(self) -> None:
        optional = {("QueryLogsToolRequest", "lookback_minutes"), ("MysqlToolRequest", "params")}
        for name, kinds in KINDS.items():
            contract = contract_classes()[name]
            for field, kind in kinds.items():
                payload = wire(name)
                del payload[field]
                with self.subTest(case=f"{name}.{field}"):
                    if (name, field) in optional:
                        contract.from_dict(payload)
                    else:
                        self.refused(
                            f"{name}: /{field}: required field is missing, expected {RIGHT[kind]}",
                            contract.from_dict,
                            payload,
                        )

    def test_all_fields_that_are_wrong_are_told_in_order(self) -> None:
        for name, kinds in KINDS.items():
            bad = object()
            told = "; ".join(
                f"/{field}: expected {RIGHT[kind]}, got a value that is not JSON"
                for field, kind in kinds.items()
            )
            with self.subTest(case=name):
                self.refused(
                    f"{name}: {told}", contract_classes()[name], **dict.fromkeys(kinds, bad)
                )

    def test_a_nested_object_must_be_one_and_in_a_payload_must_not(self) -> None:
        scope = sample("LogScope")
        self.refused(
            "QueryLogsToolResult: /scope: expected LogScope object, got object; "
            "/patterns/0: expected LogPattern object, got a value that is not JSON; "
            "/timeline_events/0: expected LogEvent object, got object",
            sample,
            "QueryLogsToolResult",
            scope=wire("LogScope"),
            patterns=[sample("LogEvent")],
            timeline_events=[wire("LogEvent")],
        )
        self.refused(
            "QueryLogsToolResult: /scope: expected object, got a value that is not JSON; "
            "/patterns/0: expected object, got a value that is not JSON",
            contracts.QueryLogsToolResult.from_dict,
            wire("QueryLogsToolResult") | {"scope": scope, "patterns": [sample("LogPattern")]},
        )

    def test_a_payload_holds_words_and_not_enum_members(self) -> None:
        members: dict[str, enum.Enum] = {
            "EvidenceStatus": contracts.EvidenceStatus.ERROR,
            "LogTopic": contracts.LogTopic.APPLICATION,
            "SourceKind": contracts.SourceKind.MOCK,
        }
        for kind, member in members.items():
            for name, field in fields_of_kind(kind):
                with self.subTest(case=f"{name}.{field}"):
                    self.refused(
                        f"{name}: /{field}: expected {RIGHT[kind]}, got a value that is not JSON",
                        contract_classes()[name].from_dict,
                        wire(name) | {field: member},
                    )

    def test_replacing_a_field_checks_it_again(self) -> None:
        for name, kinds in KINDS.items():
            made = sample(name)
            self.assertEqual(dataclasses.replace(made), made)
            for field, kind in kinds.items():
                value, message = next(wrong_values(kind, on_the_wire=False))
                with self.subTest(case=f"{name}.{field}"):
                    self.refused(
                        f"{name}: /{field}: {message}",
                        dataclasses.replace,
                        made,
                        **{field: value},
                    )
        replaced = dataclasses.replace(sample("MysqlToolResult"), columns=["a"], rows=[{"a": b"a"}])
        self.assertEqual((replaced.columns, replaced.rows), (("a",), ({"a": "0x61"},)))


class NoBusinessRules(ContractCase):
    def test_what_a_later_validator_would_refuse_is_taken(self) -> None:
        for name, made in samples():
            with self.subTest(case=name):
                self.assertEqual(type(made).from_dict(made.to_dict()), made)

    def test_combinations_of_status_id_counts_and_lists_are_not_judged(self) -> None:
        for name in ("RagToolResult", "QueryLogsToolResult", "MysqlToolResult"):
            lists: dict[str, list[Any]] = {
                field: []
                for field, kind in KINDS[name].items()
                if kind.startswith("array") and kind != "array of names"
            }
            (count,) = (field for field, kind in KINDS[name].items() if kind == "integer")
            for status in contracts.EvidenceStatus:
                for tool_call_id in (None, "", " ", "call_1"):
                    for number in (-1, 0, 10**30):
                        for changes in ({}, lists):
                            made = sample(
                                name,
                                status=status,
                                tool_call_id=tool_call_id,
                                truncated=number < 0,
                                **{count: number},
                                **changes,
                            )
                            self.assertEqual(type(made).from_json(made.to_json()), made)

    def test_times_may_run_backwards_and_texts_may_be_blank(self) -> None:
        scope = sample(
            "LogScope",
            query=" ",
            lookback_minutes=-5,
            start_time="2026-01-02T00:00:00Z",
            end_time="1970-01-01T00:00:00Z",
        )
        self.assertEqual(scope.lookback_minutes, -5)
        self.assertEqual(sample("QueryLogsToolRequest", lookback_minutes=0).lookback_minutes, 0)
        self.assertEqual(sample("MysqlToolRequest", sql="DROP TABLE t").sql, "DROP TABLE t")


class Texts(ContractCase):
    def test_text_is_kept_as_it_is(self) -> None:
        texts = (
            "", " ", "\n", " a ", "\0", "a\0b", "\x7f\x80", "é", "e\u0301", "ﬁ", "\uff21", "İ", "ß",
            "\u202e", "\ufeff", "\ufffd", "\uffff", "🎉", "\U0010ffff", "null", "7", "{}", "<*>",
            "\r\n", "\u2028", "</script>", "%s", "\\u0041", "連接池",
        )  # fmt: skip
        for name, field in fields_of_kind("text", "evidence text", NULLABLE, "id"):
            for text in texts:
                made = sample(name, **{field: text})
                with self.subTest(case=f"{name}.{field}, {text!r}"):
                    self.assertEqual(getattr(made, field), text)
                    self.assertEqual(made.to_dict()[field], text)
                    self.assertEqual(type(made).from_json(made.to_json()), made)
                    self.assertEqual(type(made).from_json(made.to_json().encode()), made)

    def test_null_stands_only_where_a_field_may_have_none(self) -> None:
        for name, field in fields_of_kind(NULLABLE, "id", "integer or null"):
            made = sample(name, **{field: None})
            with self.subTest(case=f"{name}.{field}"):
                self.assertIsNone(made.to_dict()[field])
                self.assertEqual(type(made).from_json(made.to_json()), made)

    def test_half_a_character_is_refused_in_a_request(self) -> None:
        for text in ("\ud800", "a\udfff", "caf\udce9", "\udc00\ud800", "🎉\ud83c"):
            for name, field in fields_of_kind("text"):
                with self.subTest(case=f"{name}.{field}, {text!r}"):
                    self.refused(f"{name}: /{field}: {HALF}", sample, name, **{field: text})
            with self.subTest(case=f"params, {text!r}"):
                self.refused(
                    f"MysqlToolRequest: /params/1: {HALF}",
                    sample,
                    "MysqlToolRequest",
                    params=["x", text],
                )

    def test_half_a_character_in_json_is_refused_in_a_request(self) -> None:
        self.refused(
            f"RagToolRequest: /query: {HALF}",
            contracts.RagToolRequest.from_json,
            '{"query":"\\ud83c"}',
        )

    def test_half_a_character_in_evidence_becomes_a_replacement_character(self) -> None:
        for text, kept in (
            ("\ud800", "\ufffd"),
            (b"caf\xe9".decode("utf-8", "surrogateescape"), "caf\ufffd"),
            ("🎉\ud83c", "🎉\ufffd"),
            ("\udc00\ud800", "\ufffd\ufffd"),
            ("\ud800\ud83c\udf89", "\ufffd🎉"),
            ("a\udfffb", "a\ufffdb"),
        ):
            for name, field in fields_of_kind("evidence text", NULLABLE):
                made = sample(name, **{field: text})
                with self.subTest(case=f"{name}.{field}, {text!r}"):
                    self.assertEqual(getattr(made, field), kept)
                    made.to_json().encode()
                    self.assertEqual(type(made).from_json(made.to_json()), made)

    def test_a_split_pair_is_joined_in_requests_and_in_evidence(self) -> None:
        for name, field in fields_of_kind("text", "evidence text", NULLABLE):
            made = sample(name, **{field: "a\ud83c\udf89b"})
            with self.subTest(case=f"{name}.{field}"):
                self.assertEqual(getattr(made, field), "a🎉b")
        self.assertEqual(sample("MysqlToolRequest", params=["\ud83c\udf89"]).params, ("🎉",))
        read = contracts.RagToolRequest.from_json('{"query":"\\ud83c\\udf89"}')
        self.assertEqual(read.query, "🎉")

    def test_a_text_type_of_its_own_ends_as_plain_text(self) -> None:
        for given, kept in ((Text("abc"), "abc"), (Text("ü"), "ü"), (Word.A, "a")):
            for name, field in fields_of_kind("text", "evidence text", NULLABLE, "id"):
                made = sample(name, **{field: given})
                with self.subTest(case=f"{name}.{field}, {type(given).__name__}"):
                    self.assertIs(type(getattr(made, field)), str)
                    self.assertEqual(getattr(made, field), kept)
        made = sample("MysqlToolRequest", params=[Text("x"), Word.A])
        self.assertEqual([type(param) for param in made.params], [str, str])
        self.assertEqual(made.params, ("x", "a"))


class Ids(ContractCase):
    ids = (
        "call_1", "functions.Bash:0", "toolu_01:x/y", "x" * 83, "x" * 100_000, "", " ", " a ",
        "\0", "号", "🎉", "e\u0301", "call_1__thought__Abc/+==", '"', "null", "\n",
    )  # fmt: skip

    def test_the_id_is_kept_byte_for_byte(self) -> None:
        for name, field in fields_of_kind("id"):
            for tool_call_id in self.ids:
                made = sample(name, **{field: tool_call_id})
                with self.subTest(case=f"{name}, {tool_call_id!r:.40}"):
                    self.assertEqual(made.tool_call_id, tool_call_id)
                    read = type(made).from_json(made.to_json().encode())
                    self.assertEqual(read.tool_call_id.encode(), tool_call_id.encode())

    def test_an_id_that_cannot_be_encoded_is_refused_and_never_changed(self) -> None:
        for name, field in fields_of_kind("id"):
            for tool_call_id, message in (
                ("call\ud800", HALF),
                (
                    "\ud83c\udf89",
                    "expected string of whole characters, got one with a split surrogate pair",
                ),
            ):
                with self.subTest(case=f"{name}, {tool_call_id!r}"):
                    self.refused(
                        f"{name}: /tool_call_id: {message}", sample, name, **{field: tool_call_id}
                    )

    def test_two_different_results_may_have_one_id_and_are_not_equal(self) -> None:
        for name, field in fields_of_kind("id"):
            first = sample(name, **{field: "call_1"})
            second = sample(name, **{field: "call_1", "truncated": not first.truncated})
            with self.subTest(case=name):
                self.assertEqual(first.tool_call_id, second.tool_call_id)
                self.assertNotEqual(first, second)
                self.assertEqual(len({first, second}), 2)

    def test_results_that_differ_in_their_id_alone_are_not_equal(self) -> None:
        for name, field in fields_of_kind("id"):
            with self.subTest(case=name):
                self.assertNotEqual(sample(name, **{field: "a"}), sample(name, **{field: "b"}))
                self.assertNotEqual(sample(name, **{field: None}), sample(name, **{field: ""}))

    def test_the_id_is_in_no_request_and_first_in_every_result(self) -> None:
        for tool in contracts.AgentToolContracts.ALL:
            with self.subTest(case=tool.name):
                self.assertNotIn("tool_call_id", KINDS[tool.request.__name__])
                self.assertEqual(next(iter(KINDS[tool.result.__name__])), "tool_call_id")


class Integers(ContractCase):
    def test_whole_numbers_end_as_plain_integers(self) -> None:
        for name, field in fields_of_kind("integer", "integer or null"):
            for given, kept in (
                (0, 0),
                (-1, -1),
                (60.0, 60),
                (-0.0, 0),
                (1e2, 100),
                (2**53 + 1, 2**53 + 1),
                (-(2**64), -(2**64)),
                (10**300, 10**300),
                (Number.SEVEN, 7),
                (Real(5.0), 5),
            ):
                made = sample(name, **{field: given})
                with self.subTest(case=f"{name}.{field}={given!r}"):
                    self.assertEqual(getattr(made, field), kept)
                    self.assertIs(type(getattr(made, field)), int)
                    self.assertEqual(type(made).from_json(made.to_json()), made)

    def test_numbers_that_no_reader_can_hold_are_refused(self) -> None:
        for name, field in fields_of_kind("integer", "integer or null"):
            for given in (float("inf"), float("-inf"), float("nan"), 2**1024, -(10**5000)):
                with self.subTest(case=f"{name}.{field}"):
                    self.refused(
                        f"{name}: /{field}: expected integer, got one that is infinite or too "
                        "large for a 64-bit float",
                        sample,
                        name,
                        **{field: given},
                    )

    def test_a_number_that_is_not_whole_is_refused(self) -> None:
        for name, field in fields_of_kind("integer", "integer or null"):
            for given in (60.5, -0.1, 5e-324):
                with self.subTest(case=f"{name}.{field}={given}"):
                    self.refused(
                        f"{name}: /{field}: expected integer, got a number that is not whole",
                        sample,
                        name,
                        **{field: given},
                    )

    def test_a_boolean_is_no_integer_and_an_integer_is_no_boolean(self) -> None:
        for name, field in fields_of_kind("integer", "integer or null"):
            with self.subTest(case=f"{name}.{field}"):
                self.refused(
                    f"{name}: /{field}: expected integer, got boolean",
                    sample,
                    name,
                    **{field: True},
                )
        for name, field in fields_of_kind("boolean"):
            for given, got in ((0, "number"), (1, "number"), ("true", "string")):
                with self.subTest(case=f"{name}.{field}={given!r}"):
                    self.refused(
                        f"{name}: /{field}: expected boolean, got {got}",
                        sample,
                        name,
                        **{field: given},
                    )


class Params(ContractCase):
    def test_scalars_keep_their_type_and_value(self) -> None:
        given = ["", "1", 0, 1, -(2**63), 2**64, 1.0, -0.0, 0.1, 1e308, 5e-324, True, False, None]
        made = sample("MysqlToolRequest", params=given)
        read = contracts.MysqlToolRequest.from_json(made.to_json())
        for params in (made.params, read.params):
            self.assertEqual(
                [(type(param), repr(param)) for param in params],
                [(type(param), repr(param)) for param in given],
            )

    def test_number_types_of_their_own_end_as_plain_numbers(self) -> None:
        made = sample("MysqlToolRequest", params=[Number.SEVEN, Real(2.5)])
        self.assertEqual([(type(p), p) for p in made.params], [(int, 7), (float, 2.5)])


class Sequences(ContractCase):
    def test_every_real_sequence_is_taken_and_ends_as_a_tuple(self) -> None:
        for make in (list, tuple, deque, lambda items: Own(*items)):
            evidence, pattern, event = map(sample, ("RagEvidence", "LogPattern", "LogEvent"))
            cases: list[tuple[str, str, list[Any]]] = [
                ("RagToolResult", "evidence", [evidence, evidence]),
                ("QueryLogsToolResult", "patterns", [pattern]),
                ("QueryLogsToolResult", "timeline_events", [event, event]),
                ("MysqlToolRequest", "params", ["a", 1]),
                ("MysqlToolResult", "rows", []),
            ]
            for name, field, items in cases:
                made = sample(name, **{field: make(items)})
                with self.subTest(case=f"{name}.{field}"):
                    self.assertIs(type(getattr(made, field)), tuple)
                    self.assertEqual(getattr(made, field), tuple(items))

    def test_text_bytes_mappings_and_sets_are_no_sequences(self) -> None:
        arrays = [
            (name, field)
            for name, kinds in KINDS.items()
            for field, kind in kinds.items()
            if kind.startswith("array")
        ]
        self.assertEqual(len(arrays), 6)
        for name, field in arrays:
            for value, got in (
                ("", "string"),
                (Text("ab"), "string"),
                (b"", "a value that is not JSON"),
                (bytearray(), "a value that is not JSON"),
                (memoryview(b""), "a value that is not JSON"),
                ({}, "object"),
                (MappingProxyType({}), "object"),
                (UserDict(), "object"),
                (set(), "a value that is not JSON"),
                (frozenset(), "a value that is not JSON"),
                ({}.keys(), "a value that is not JSON"),
                ({}.values(), "a value that is not JSON"),
                (iter(()), "a value that is not JSON"),
                (map(len, []), "a value that is not JSON"),
            ):
                with self.subTest(case=f"{name}.{field}, {type(value).__name__}"):
                    self.refused(
                        f"{name}: /{field}: expected array, got {got}",
                        sample,
                        name,
                        **{field: value},
                    )

    def test_any_mapping_is_read_as_an_object(self) -> None:
        payload = wire("QueryLogsToolResult")
        payload["scope"] = UserDict(payload["scope"])
        payload["patterns"] = tuple(MappingProxyType(item) for item in payload["patterns"])
        read = contracts.QueryLogsToolResult.from_dict(MappingProxyType(payload))
        self.assertEqual(read, sample("QueryLogsToolResult"))

    def test_the_keys_of_a_payload_may_stand_in_any_order(self) -> None:
        for name, contract in contract_classes().items():
            backwards = dict(reversed(wire(name).items()))
            with self.subTest(case=name):
                self.assertEqual(contract.from_dict(backwards), sample(name))
                self.assertEqual(list(contract.from_dict(backwards).to_dict()), list(wire(name)))


class Timestamps(ContractCase):
    good = (
        "2026-07-12T15:11:52+08:00",
        "2026-07-12T15:11:52.123456789+08:00",
        "2026-07-12T15:11:52Z",
        "2026-07-12T15:11:52.5Z",
        "2026-07-12T15:11:52.000000000Z",
        "2026-07-12T15:11:52.1234567890123456789Z",
        "2026-07-12t15:11:52z",
        "2026-07-12T15:11:52-00:00",
        "2026-07-12T15:11:52+00:00",
        "2026-07-12T15:11:52-12:45",
        "2026-07-12T15:11:52+23:59",
        "2024-02-29T23:59:59Z",
        "2000-02-29T00:00:00Z",
        "0001-01-01T00:00:00Z",
        "9999-12-31T23:59:59.999999999Z",
    )
    without = (
        "2026-03-01T10:00:00",
        "2026-03-01T10:00:00.123",
        "2026-03-01 10:00:00+08:00",
        "2026-03-01T10:00+08:00",
        "2026-03-01T10:00Z",
        "2026-03-01",
        "10:00:00Z",
        "2026-03-01T10:00:00+0800",
        "2026-03-01T10:00:00+08",
        "2026-03-01T10:00:00 +08:00",
        "2026-03-01T10:00:00+08:00:00",
        "2026-03-01T10:00:00+24:00",
        "2026-03-01T10:00:00+08:60",
        "2026-03-01T10:00:00,5Z",
        "2026-03-01T10:00:00.Z",
        "20260301T100000Z",
        "2026-W09-7T10:00:00Z",
        "2026-060T10:00:00Z",
        "26-03-01T10:00:00Z",
        "12026-03-01T10:00:00Z",
        "-2026-03-01T10:00:00Z",
        "2026-3-1T10:00:00Z",
        "2026-03-01T24:00:00Z",
        " 2026-03-01T10:00:00Z",
        "2026-03-01T10:00:00Z ",
        "2026-03-01T10:00:00Z\n",
        "2026-03-01T10:00:00Z[Asia/Shanghai]",
        "\uff12\uff10\uff12\uff16-03-01T10:00:00Z",
        "2026-03-01T10:00:0\u0660Z",
        "2026\u221203\u221201T10:00:00Z",
        "1772330400",
        "now",
        "",
        "\ud800",
    )
    impossible = (
        "2026-02-30T00:00:00Z",
        "2026-02-29T00:00:00+08:00",
        "1900-02-29T00:00:00Z",
        "2026-04-31T00:00:00Z",
        "2026-00-01T00:00:00Z",
        "2026-13-01T00:00:00Z",
        "2026-01-00T00:00:00Z",
        "2026-01-32T00:00:00Z",
        "0000-01-01T00:00:00Z",
        "2026-03-01T25:00:00Z",
        "2026-03-01T10:60:00Z",
        "2026-03-01T10:00:61Z",
        "2016-12-31T23:59:60Z",
    )

    def test_times_with_an_offset_are_kept_as_written(self) -> None:
        for name, field in fields_of_kind("timestamp"):
            for text in self.good:
                made = sample(name, **{field: text})
                with self.subTest(case=f"{name}.{field}, {text}"):
                    self.assertEqual(getattr(made, field), text)
                    self.assertEqual(type(made).from_json(made.to_json()), made)

    def test_times_without_an_offset_or_in_another_form_are_refused(self) -> None:
        for name, field in fields_of_kind("timestamp"):
            for text in self.without:
                with self.subTest(case=f"{name}.{field}, {text!r}"):
                    self.refused(
                        f"{name}: /{field}: expected {TIMESTAMP}, got text of another form, or "
                        "without an offset",
                        sample,
                        name,
                        **{field: text},
                    )

    def test_times_that_no_calendar_has_are_refused(self) -> None:
        for name, field in fields_of_kind("timestamp"):
            for text in self.impossible:
                with self.subTest(case=f"{name}.{field}, {text}"):
                    self.refused(
                        f"{name}: /{field}: expected {TIMESTAMP}, got a time that no calendar has",
                        sample,
                        name,
                        **{field: text},
                    )

    def test_a_datetime_is_no_timestamp(self) -> None:
        self.refused(
            f"LogEvent: /timestamp: expected {TIMESTAMP}, got a value that is not JSON",
            sample,
            "LogEvent",
            timestamp=datetime.datetime.now(UTC),
        )

    def test_a_text_type_of_its_own_ends_as_plain_text(self) -> None:
        made = sample("LogEvent", timestamp=Text("2026-03-01T10:00:00Z"))
        self.assertIs(type(made.timestamp), str)
        self.assertEqual(made.timestamp, "2026-03-01T10:00:00Z")

    def test_the_order_of_events_at_one_time_is_kept(self) -> None:
        events = [sample("LogEvent", message=message) for message in ("b", "a", "c")]
        made = sample("QueryLogsToolResult", timeline_events=events)
        read = contracts.QueryLogsToolResult.from_json(made.to_json())
        self.assertEqual([event.message for event in read.timeline_events], ["b", "a", "c"])


class Nanoseconds(datetime.datetime):
    """A datetime that knows more digits, as some libraries have it."""

    def isoformat(self, sep: str = "T", timespec: str = "auto") -> str:  # noqa: ARG002
        return super().isoformat(sep, "seconds").replace("+", ".123456789+")


class NoTime(datetime.datetime):
    """A datetime that is none, as pandas has it."""

    def isoformat(self, sep: str = "T", timespec: str = "auto") -> str:  # noqa: ARG002
        return "NaT"


class Rfc3339(ContractCase):
    def zone(self, **offset: int) -> datetime.timezone:
        return datetime.timezone(datetime.timedelta(**offset))

    def test_an_aware_datetime_is_written_as_a_timestamp(self) -> None:
        moment = datetime.datetime(2026, 7, 12, 15, 11, 52)
        china = self.zone(hours=8)
        for given, expected in (
            (moment.replace(tzinfo=UTC), "2026-07-12T15:11:52+00:00"),
            (moment.replace(tzinfo=china), "2026-07-12T15:11:52+08:00"),
            (moment.replace(tzinfo=china, microsecond=123), "2026-07-12T15:11:52.000123+08:00"),
            (moment.replace(tzinfo=self.zone(hours=-3, minutes=-30)), "2026-07-12T15:11:52-03:30"),
            (datetime.datetime.min.replace(tzinfo=UTC), "0001-01-01T00:00:00+00:00"),
            (datetime.datetime.max.replace(tzinfo=UTC), "9999-12-31T23:59:59.999999+00:00"),
            (Nanoseconds(2026, 1, 1, tzinfo=UTC), "2026-01-01T00:00:00.123456789+00:00"),
        ):
            with self.subTest(case=expected):
                written = contracts.rfc3339(given)
                self.assertEqual(written, expected)
                self.assertIs(type(written), str)
                self.assertEqual(sample("LogEvent", timestamp=written).timestamp, expected)

    def test_a_datetime_that_no_timestamp_can_say_is_refused(self) -> None:
        naive = datetime.datetime(2026, 7, 12)
        for case, given in (
            ("naive", naive),
            (
                "with seconds in its offset",
                naive.replace(tzinfo=self.zone(minutes=485, seconds=43)),
            ),
            ("none at all", NoTime(2026, 7, 12, tzinfo=UTC)),
        ):
            with self.subTest(case=case):
                self.refused(
                    "rfc3339: expected datetime with an offset of whole hours and minutes, got "
                    "one without an offset, or with seconds in it",
                    contracts.rfc3339,
                    given,
                )

    def test_what_is_no_datetime_is_refused(self) -> None:
        for value, got in (
            (None, "null"),
            (1772330400, "number"),
            ("2026-07-12T15:11:52Z", "string"),
            (datetime.date(2026, 7, 12), "a value that is not JSON"),
            (datetime.time(10, tzinfo=UTC), "a value that is not JSON"),
        ):
            with self.subTest(case=repr(value)):
                self.refused(
                    f"rfc3339: expected datetime with an offset, got {got}",
                    contracts.rfc3339,
                    value,
                )
