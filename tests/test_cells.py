# SPDX-License-Identifier: MIT
"""Cells of MySQL rows: any driver's value becomes the JSON value that the agent reads."""

import collections
import datetime
import enum
import fractions
import ipaddress
import json
import os
import pathlib
import subprocess
import sys
import uuid
from decimal import Decimal, localcontext
from types import MappingProxyType
from typing import Any, NamedTuple

from tests import contracts
from tests._samples import ContractCase, parts, wire

STANDARD = (
    "expected a standard-library value, such as text, a number, a date or bytes, got a value that "
    "is not JSON"
)
INFINITE = "expected number, got one that is infinite or too large for a 64-bit float"
CHINA = datetime.timezone(datetime.timedelta(hours=8))


def result(cell: Any) -> contracts.MysqlToolResult:
    """A result whose second row has a cell."""
    return contracts.MysqlToolResult(
        tool_call_id="call_1",
        status=contracts.EvidenceStatus.EVIDENCE_FOUND,
        row_count=2,
        truncated=False,
        columns=("id", "c"),
        rows=({"id": 1, "c": None}, {"id": 2, "c": cell}),
    )


def on_the_wire(cell: Any) -> Any:
    return result(cell).to_dict()["rows"][1]["c"]


class Text(str):
    def __str__(self) -> str:
        return "something else"


class Whole(int):
    def __str__(self) -> str:
        return "something else"

    __repr__ = __str__


class Real(float):
    pass


class Colour(enum.Enum):
    RED = "red"


class Level(enum.IntEnum):
    HIGH = 3


class Size(str, enum.Enum):  # noqa: UP042  # its str() is not its value
    BIG = "big"


class Point(NamedTuple):
    x: int
    y: int


class NotATime(datetime.datetime):
    """Like pandas' NaT: a datetime whose ISO form is none."""

    def isoformat(self, sep: str = "T", timespec: str = "auto") -> str:  # noqa: ARG002
        return "NaT"


class Silent(datetime.date):
    """A date whose ISO form is no text."""

    def isoformat(self) -> Any:
        return None


class Precise(datetime.datetime):
    """Like pandas' Timestamp: a datetime whose ISO form has nanoseconds."""

    def isoformat(self, sep: str = "T", timespec: str = "auto") -> str:  # noqa: ARG002
        return "2026-03-01T09:00:00.123456789"


class ForeignNumber:
    """Like a NumPy scalar: it converts to every number and is none."""

    def __int__(self) -> int:
        return 7

    def __index__(self) -> int:
        return 7

    def __float__(self) -> float:
        return 7.0

    def __str__(self) -> str:
        return "7"

    def item(self) -> int:
        return 7


class Values(ContractCase):
    def written(self, cases: dict[str, tuple[Any, Any]]) -> None:
        """Assert what each cell becomes, in an object, on the wire and after a round trip."""
        for case, (cell, expected) in cases.items():
            with self.subTest(case=case):
                made = result(cell)
                told = made.to_dict()["rows"][1]["c"]
                self.assertEqual(json.dumps(told), json.dumps(expected))
                self.assertEqual(json.loads(made.to_json()), made.to_dict())
                read = contracts.MysqlToolResult.from_json(made.to_json())
                self.assertEqual(read, made)
                self.assertEqual(read.to_json(), made.to_json())
                self.assertEqual(on_the_wire(told), told)

    def test_json_values_are_themselves(self) -> None:
        self.written(
            {
                "null": (None, None),
                "true": (True, True),
                "false": (False, False),
                "zero": (0, 0),
                "a number": (-42, -42),
                "a fraction": (0.1, 0.1),
                "a whole float": (3.0, 3.0),
                "negative zero": (-0.0, -0.0),
                "a large float": (1.7e308, 1.7e308),
                "a tiny float": (5e-324, 5e-324),
                "empty text": ("", ""),
                "text": ("caf\u00e9 \0 🎉", "caf\u00e9 \0 🎉"),
                "text that looks like JSON": ('{"k":1}', '{"k":1}'),
                "text that looks like a number": ("007", "007"),
            }
        )

    def test_integers_that_readers_may_round_become_text(self) -> None:
        self.written(
            {
                "the largest number": (2**53 - 1, 9007199254740991),
                "the smallest number": (-(2**53 - 1), -9007199254740991),
                "one more": (2**53, "9007199254740992"),
                "one less": (-(2**53), "-9007199254740992"),
                "the smallest BIGINT": (-(2**63), "-9223372036854775808"),
                "the largest BIGINT UNSIGNED": (2**64 - 1, "18446744073709551615"),
                "three hundred digits": (10**300, str(10**300)),
                "inside an array": ([2**53, 1], ["9007199254740992", 1]),
                "inside an object": ({"k": {"n": -(2**53)}}, {"k": {"n": "-9007199254740992"}}),
                "of a type of its own": (Whole(2**53), "9007199254740992"),
            }
        )

    def test_large_integers_in_json_become_text_too(self) -> None:
        text = json.dumps(wire("MysqlToolResult") | {"columns": ["c"], "rows": [{"c": 2**64}]})
        read = contracts.MysqlToolResult.from_json(text)
        self.assertEqual(read.rows[0]["c"], "18446744073709551616")

    def test_numbers_beyond_any_of_mysql_are_refused_and_not_spelled_out(self) -> None:
        for case, cell, message in (
            (
                "negative integer",
                -(10**9999),
                "expected integer, got one with too many digits",
            ),
            (
                "Decimal",
                Decimal("1E+999999"),
                "expected number of at most 400 digits, got a longer one",
            ),
            (
                "small Decimal",
                Decimal("1E-999999"),
                "expected number of at most 400 digits, got a longer one",
            ),
        ):
            with self.subTest(case=case):
                self.refused(f"MysqlToolResult: /rows/1/c: {message}", result, cell)

    def test_decimals_are_plain_text_that_keeps_the_scale(self) -> None:
        self.written(
            {
                "two places": (Decimal("10.50"), "10.50"),
                "an exponent": (Decimal("1E+2"), "100"),
                "eight places of zero": (Decimal("0E-8"), "0.00000000"),
                "whole": (Decimal("7"), "7"),
                "negative": (Decimal("-0.10"), "-0.10"),
                "negative zero": (Decimal("-0.0"), "-0.0"),
                "small": (Decimal("1E-10"), "0.0000000001"),
                "the widest of MySQL": (Decimal("9" * 65), "9" * 65),
                "in an array": ([Decimal("1.10")], ["1.10"]),
            }
        )

    def test_the_precision_of_the_context_does_not_round_a_decimal(self) -> None:
        with localcontext() as context:
            context.prec = 3
            self.assertEqual(on_the_wire(Decimal("123456.789")), "123456.789")

    def test_dates_and_times_are_iso_8601_text(self) -> None:
        moment = datetime.datetime(2026, 3, 1, 9, 0)
        self.written(
            {
                "datetime": (moment, "2026-03-01T09:00:00"),
                "with microseconds": (moment.replace(microsecond=5), "2026-03-01T09:00:00.000005"),
                "with an offset": (moment.replace(tzinfo=CHINA), "2026-03-01T09:00:00+08:00"),
                "in UTC": (moment.replace(tzinfo=datetime.UTC), "2026-03-01T09:00:00+00:00"),
                "with seconds in the offset": (
                    moment.replace(
                        tzinfo=datetime.timezone(datetime.timedelta(hours=8, seconds=43))
                    ),
                    "2026-03-01T09:00:00+08:00:43",
                ),
                "the first": (datetime.datetime.min, "0001-01-01T00:00:00"),
                "with nanoseconds": (Precise(2026, 3, 1), "2026-03-01T09:00:00.123456789"),
                "date": (datetime.date(2026, 3, 1), "2026-03-01"),
                "time": (datetime.time(9, 0), "09:00:00"),
                "time with microseconds": (datetime.time(9, 0, 0, 120), "09:00:00.000120"),
                "time with an offset": (datetime.time(9, 0, tzinfo=CHINA), "09:00:00+08:00"),
                "in an object": ({"k": [datetime.date(2026, 3, 1)]}, {"k": ["2026-03-01"]}),
            }
        )

    def test_time_spans_are_written_as_mysql_writes_a_time(self) -> None:
        span = datetime.timedelta
        self.written(
            {
                "zero": (span(0), "00:00:00"),
                "more than a day": (span(hours=26, minutes=30), "26:30:00"),
                "negative": (span(minutes=-1), "-00:01:00"),
                "negative with a fraction": (span(microseconds=-1), "-00:00:00.000001"),
                "negative, more than a day": (-span(hours=30, seconds=1), "-30:00:01"),
                "the largest": (span(hours=838, minutes=59, seconds=59), "838:59:59"),
                "the smallest": (-span(hours=838, minutes=59, seconds=59), "-838:59:59"),
                "with a fraction": (span(seconds=1, microseconds=500000), "00:00:01.500000"),
                "longer than any of MySQL": (span.max, "23999999999:59:59.999999"),
                "shorter than any of MySQL": (span.min, "-23999999976:00:00"),
            }
        )

    def test_bytes_are_upper_case_hex(self) -> None:
        self.written(
            {
                "bytes": (b"caf\xe9", "0x636166E9"),
                "no bytes": (b"", "0x"),
                "a bit": (b"\x01", "0x01"),
                "bytes that are text": (b"abc", "0x616263"),
                "bytearray": (bytearray(b"\xab\xcd"), "0xABCD"),
                "memoryview": (memoryview(b"\x00\xff"), "0x00FF"),
                "every second byte": (memoryview(b"\x01\x02\x03")[::2], "0x0103"),
                "in an array": ([b"\x0a"], ["0x0A"]),
            }
        )

    def test_sets_of_text_are_sorted_arrays(self) -> None:
        self.written(
            {
                "set": ({"b", "a"}, ["a", "b"]),
                "frozenset": (frozenset({"b", "a", "B"}), ["B", "a", "b"]),
                "empty": (set(), []),
                "with half a character": ({"\ud800", "a"}, ["a", "\ufffd"]),
                "of text types of their own": ({Text("b"), Text("a")}, ["a", "b"]),
                "in an object": ({"k": {"z", "y"}}, {"k": ["y", "z"]}),
            }
        )

    def test_sets_are_the_same_in_every_process(self) -> None:
        code = (
            "import importlib, sys; sys.path[:0] = sys.argv[2:];"
            "c = importlib.import_module(sys.argv[1]);"
            "print(c.MysqlToolResult(tool_call_id=None, status=c.EvidenceStatus.ERROR,"
            "row_count=1, truncated=False, columns=['c'],"
            "rows=[{'c': {'q', 'w', 'e', 'r', 't', 'y'}}]).to_json())"
        )
        told = set()
        for seed in ("0", "1", "2", "3"):
            environment = dict(os.environ, PYTHONHASHSEED=seed, PYTHONIOENCODING="utf-8")
            command = [sys.executable, "-c", code, contracts.__name__, *sys.path]
            done = subprocess.run(command, env=environment, capture_output=True, check=True)
            told.add(done.stdout)
        self.assertEqual(len(told), 1)
        self.assertIn(b'["e","q","r","t","w","y"]', told.pop())

    def test_a_uuid_is_its_text(self) -> None:
        class Own(uuid.UUID):
            def __str__(self) -> str:
                return "something else"

        text = "6ba7b810-9dad-11d1-80b4-00c04fd430c8"
        self.written({"UUID": (uuid.UUID(text), text), "of its own type": (Own(text), text)})

    def test_json_columns_are_frozen_all_the_way_down(self) -> None:
        given = {
            "k": [1, (2, None), {"n": [], "m": {}}],
            "t": "x",
            "d": collections.OrderedDict(a=collections.defaultdict(list, b=[True])),
            "p": MappingProxyType({"q": Point(1, 2)}),
        }
        expected = {
            "k": [1, [2, None], {"n": [], "m": {}}],
            "t": "x",
            "d": {"a": {"b": [True]}},
            "p": {"q": [1, 2]},
        }
        self.written({"object": (given, expected), "array": ([given, []], [expected, []])})
        frozen = result(given).rows[1]["c"]
        allowed = (MappingProxyType, tuple, str, int, float, bool, type(None))
        for part in parts(frozen):
            self.assertIn(type(part), allowed)

    def test_types_of_their_own_end_as_exact_builtins(self) -> None:
        self.written(
            {
                "text": (Text("abc"), "abc"),
                "text that is not ASCII": (Text("ü"), "ü"),
                "integer": (Whole(7), 7),
                "float": (Real(1.5), 1.5),
                "an enumeration of numbers": (Level.HIGH, 3),
                "an enumeration of texts": (Size.BIG, "big"),
                "a named tuple": (Point(1, 2), [1, 2]),
                "keys": ({Text("k"): 1}, {"k": 1}),
            }
        )
        for given in (Text("abc"), Whole(7), Real(1.5), Level.HIGH, Size.BIG):
            with self.subTest(case=type(given).__name__):
                kept = result(given).rows[1]["c"]
                self.assertIn(type(kept), (str, int, float))

    def test_half_a_character_becomes_a_replacement_character(self) -> None:
        self.written(
            {
                "text": ("caf\udce9", "caf\ufffd"),
                "a split pair": ("\ud83c\udf89", "🎉"),
                "in an array": (["\ud800"], ["\ufffd"]),
                "in a key": ({"k\ud800": 1}, {"k\ufffd": 1}),
            }
        )

    def test_half_a_character_in_a_column_is_replaced_in_its_rows_too(self) -> None:
        made = contracts.MysqlToolResult(
            tool_call_id=None,
            status=contracts.EvidenceStatus.ERROR,
            row_count=1,
            truncated=False,
            columns=("n\udce9",),
            rows=({"n\udce9": 1},),
        )
        self.assertEqual(made.columns, ("n\ufffd",))
        self.assertEqual(made.to_dict()["rows"], [{"n\ufffd": 1}])
        self.assertEqual(contracts.MysqlToolResult.from_json(made.to_json()), made)


class Refusals(ContractCase):
    def test_what_has_no_json_value_is_refused_by_row_and_column(self) -> None:
        date = "expected date or time, got one that ISO 8601 cannot write"
        cases: dict[str, tuple[Any, str]] = {
            "an object": (object(), STANDARD),
            "a NumPy-like scalar": (ForeignNumber(), STANDARD),
            "a class": (int, STANDARD),
            "a function": (len, STANDARD),
            "an enumeration": (Colour.RED, STANDARD),
            "a complex number": (1j, STANDARD),
            "a Fraction": (fractions.Fraction(1, 2), STANDARD),
            "an IP address": (ipaddress.ip_address("10.0.0.1"), STANDARD),
            "a path": (pathlib.PurePosixPath("/x"), STANDARD),
            "an iterator": (iter(()), STANDARD),
            "the keys of a mapping": ({}.keys(), STANDARD),
            "a range": (range(2), STANDARD.replace("a value that is not JSON", "array")),
            "another mapping": (
                collections.UserDict(),
                STANDARD.replace("a value that is not JSON", "object"),
            ),
            "a contract object": (result(1), STANDARD),
            "NaN": (float("nan"), INFINITE),
            "Infinity": (float("inf"), INFINITE),
            "minus Infinity": (float("-inf"), INFINITE),
            "NaN of a type of its own": (Real("nan"), INFINITE),
            "Decimal NaN": (Decimal("NaN"), "expected finite number, got one that is not"),
            "Decimal sNaN": (Decimal("sNaN"), "expected finite number, got one that is not"),
            "Decimal Infinity": (
                Decimal("-Infinity"),
                "expected finite number, got one that is not",
            ),
            "a datetime like NaT": (NotATime(2026, 1, 1), date),
            "a date whose form is no text": (Silent(2026, 1, 1), date),
            "a set of numbers": ({1, 2}, "expected string, got number"),
            "a set of bytes": ({b"a"}, "expected string, got a value that is not JSON"),
            "a set of nulls": (frozenset({None}), "expected string, got null"),
            "keys that are no text": ({1: 2}, "the keys of an object must be strings"),
            "keys some of which are no text": (
                {"a": 1, None: 2},
                "the keys of an object must be strings",
            ),
            "keys that become one": (
                {"a\ud800": 1} | {"a\udfff": 2},
                "two keys are the same once they can be encoded",
            ),
        }
        for case, (cell, message) in cases.items():
            with self.subTest(case=case):
                self.refused(f"MysqlToolResult: /rows/1/c: {message}", result, cell)
            with self.subTest(case=f"{case}, in an array in an object"):
                self.refused(f"MysqlToolResult: /rows/1/c/k/1: {message}", result, {"k": [0, cell]})

    def test_everything_wrong_with_a_cell_is_told(self) -> None:
        self.refused(
            f"MysqlToolResult: /rows/1/c/0: {STANDARD}; /rows/1/c/1/a: {INFINITE}; "
            f"/rows/1/c/1/c/d: {STANDARD}",
            result,
            [object(), {"a": float("nan"), "b": 1, "c": {"d": object()}}, "x"],
        )

    def test_sixty_four_levels_are_taken_and_one_more_is_refused(self) -> None:
        for case, wrap, token in (
            ("arrays", lambda inner: [inner], "0"),
            ("tuples", lambda inner: (inner,), "0"),
            ("objects", lambda inner: {"k": inner}, "k"),
        ):
            cell: Any = 1
            for _ in range(64):
                cell = wrap(cell)
            with self.subTest(case=case):
                self.assertEqual(
                    contracts.MysqlToolResult.from_json(result(cell).to_json()), result(cell)
                )
                self.refused(
                    f"MysqlToolResult: /rows/1/c{('/' + token) * 64}: nested deeper than 64 levels",
                    result,
                    wrap(cell),
                )

    def test_five_thousand_levels_and_cycles_are_refused(self) -> None:
        deep_list: Any = []
        deep_tuple: Any = ()
        deep_dict: Any = {}
        for _ in range(5000):
            deep_list, deep_tuple, deep_dict = [deep_list], (deep_tuple,), {"k": deep_dict}
        loop: list[Any] = []
        loop.append(loop)
        ring: dict[str, Any] = {}
        ring["k"] = [ring]
        for case, cell, path in (
            ("list", deep_list, "/0" * 64),
            ("tuple", deep_tuple, "/0" * 64),
            ("dictionary", deep_dict, "/k" * 64),
            ("a list in itself", loop, "/0" * 64),
            ("a dictionary in itself", ring, "/k/0" * 32),
        ):
            with self.subTest(case=case):
                self.refused(
                    f"MysqlToolResult: /rows/1/c{path}: nested deeper than 64 levels", result, cell
                )

    def test_a_list_that_branches_into_itself_is_refused_soon(self) -> None:
        loop: list[Any] = []
        loop += [loop, loop, loop]
        error = self.refusal(result, loop)
        self.assertTrue(str(error).endswith("; and more"))

    def test_memory_that_was_released_is_refused(self) -> None:
        released = memoryview(b"x")
        released.release()
        self.refused(
            "MysqlToolResult: /rows/1/c: expected a standard-library value, such as text, a "
            "number, a date or bytes, got a value that is not JSON",
            result,
            released,
        )

    def test_a_time_zone_that_cannot_tell_its_offset_is_refused(self) -> None:
        moment = datetime.datetime(2026, 3, 1, tzinfo=datetime.tzinfo())  # type: ignore[abstract]
        self.refused(
            "MysqlToolResult: /rows/1/c: expected date or time, got one that ISO 8601 cannot write",
            result,
            moment,
        )
        self.refused(
            "rfc3339: expected datetime with an offset of whole hours and minutes, got one without "
            "an offset, or with seconds in it",
            contracts.rfc3339,
            moment,
        )
