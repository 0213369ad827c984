# SPDX-License-Identifier: MIT
"""Any JSON text is either accepted and round-trips, or raises ContractError: never anything else.

The same holds for plain data, and for the values that a constructor is given. A failure
prints the seed; FUZZ_SEED runs it again, FUZZ_ROUNDS sets how many mutants there are.
"""

import collections
import copy
import datetime
import enum
import json
import os
import random
import re
import uuid
from collections.abc import Callable
from decimal import Decimal
from types import MappingProxyType
from typing import Any, NoReturn

from tests import contracts
from tests._samples import KINDS, ContractCase, contract_classes, sample, samples, wire
from tests._validator import valid

SEED = int(os.environ.get("FUZZ_SEED", "20260712"))
ROUNDS = int(os.environ.get("FUZZ_ROUNDS", "2000"))

TOKENS = (
    "{", "}", "[", "]", ",", ":", '"', "\\", "null", "true", "false", "0", "-0", "-1", "1.0", "1.5",
    "1e2", "1e400", "-1e400", "NaN", "Infinity", "-Infinity", "9007199254740992", '""', '"60"',
    '"APPLICATION"', '"ERROR"', '"MOCK"', '"2026-03-01T10:00:00Z"', '"2026-02-30T10:00:00Z"',
    '"\\ud83c"', '"\\ud83c\\udf89"', '"\\u0000"', '"\ud800"', "[]", "{}", "[[]]", '{"a":1}',
    '{"a":1,"a":2}', '"query":', '"tool_call_id":"x",', '"limit":5,', "\ufeff", "```", "//", " ",
    "\n", "\0", "é", "🎉", "[" * 70 + "]" * 70, "1" * 310,
)  # fmt: skip

JSON_VALUES: tuple[Any, ...] = (
    None, True, False, 0, -1, 1, 60.0, 60.5, -0.0, 1e308, 5e-324, 2**53, -(2**63), 2**64, 10**308,
    2**1024, float("nan"), float("inf"), "", " ", "a", "60", "APPLICATION", "SYSTEM_EVENTS",
    "ERROR", "NO_EVIDENCE", "MOCK", "application", "2026-03-01T10:00:00Z", "2026-03-01T10:00:00",
    "2026-02-30T10:00:00Z", "2026-03-01T10:00:00.123456789+08:00", "\0", "\ud800", "\ud83c\udf89",
    "é", [], {}, [None], [[]], [{}], ["a", "a"], ["id", "名", "data"], {"a": 1}, {"id": 1},
    {"id": 1, "名": 2, "data": 3}, {"query": "x"}, [1, "x", None, 2.5, True],
)  # fmt: skip

CANNOT_BE_SAID = re.compile(
    r"column names must be unique|it is not one of the columns|nested deeper than 64 levels"
    r"|is infinite or too large for a 64-bit float|\(a lone surrogate\)|a split surrogate pair"
    r"|two keys are the same once they can be encoded"
    r"|required field is missing, expected a standard-library value"
)
"""The refusals of values that a schema calls valid, since a schema cannot say them."""


class Shade(enum.Enum):
    DARK = "dark"


class Text(str):
    """A text of its own."""


def odd_values() -> tuple[Any, ...]:
    """Values that are not JSON, some of them welcome in a constructor."""
    members: list[Any] = [
        contracts.EvidenceStatus.ERROR,
        contracts.InvocationStatus.ERROR,
        contracts.LogTopic.APPLICATION,
        contracts.SourceKind.MOCK,
        Shade.DARK,
    ]
    objects = [made for _, made in samples()]
    lists = [[made] for made in objects]
    others: list[Any] = [
        object(), object, len, Ellipsis, NotImplemented, 1j, b"", b"\xff", bytearray(b"x"),
        memoryview(b"x"), range(3), iter([]), map(len, []), {1, 2}, {"b", "a"},
        frozenset(), collections.deque([1]), collections.UserDict(a=1),
        collections.UserString("ab"),
        MappingProxyType({"id": 1, "名": b"x", "data": {"k"}}), {1: 2}, {None: 1}, {Text("a"): 1},
        Decimal("1.50"), Decimal("NaN"), Decimal("-Infinity"), Decimal("1E+9999"), uuid.UUID(int=7),
        datetime.datetime(2026, 3, 1), datetime.datetime(2026, 3, 1, tzinfo=datetime.UTC),
        datetime.date(2026, 3, 1), datetime.time(9), datetime.timedelta(days=-1), ValueError("x"),
        contracts.ContractError("x", ()), contracts.Problem("", "x"), Text("a"), Text("ü"),
        (), ("id", "名", "data"), ("id", "id"), [object()], [("a", 1)], [[], {}, None],
        (Text("x"),),
    ]  # fmt: skip
    return (*JSON_VALUES, *members, *objects, *lists, *others)


class Fuzz(ContractCase):
    def setUp(self) -> None:
        self.random = random.Random(SEED)

    def test_json_text(self) -> None:
        texts = {
            name: [made.to_json(indent=indent) for label, made in samples()
                   if label.startswith(name + ",") for indent in (None, 1)]
            for name in KINDS
        }  # fmt: skip
        outcomes: collections.Counter[str] = collections.Counter()
        for name, contract in contract_classes().items():
            for _ in range(ROUNDS):
                text = self.mutated_text(self.random.choice(texts[name]))
                given = text
                if self.random.random() < 0.3:
                    given = text.encode("utf-8", "surrogatepass")  # type: ignore[assignment]
                made = self.attempt(lambda c=contract, t=given: c.from_json(t), given)  # type: ignore[misc]
                outcomes[self.judged(made, contract, text, given)] += 1
        self.assertGreater(outcomes["accepted"], ROUNDS // 10)
        self.assertGreater(outcomes["refused"], ROUNDS)

    def test_json_values_in_place_of_others(self) -> None:
        outcomes: collections.Counter[str] = collections.Counter()
        for name, contract in contract_classes().items():
            for _ in range(ROUNDS // 2):
                data = self.mutated(wire(name, self.random.choice(("full", "odd"))), JSON_VALUES)
                made = self.attempt(lambda c=contract, d=data: c.from_dict(d), data)  # type: ignore[misc]
                outcomes["accepted" if made is not None else "refused"] += 1
                if made is not None:
                    self.assert_well_formed(made, data)
                if is_json(data):
                    self.assert_schema_agrees(contract, data, made is not None)
        self.assertGreater(outcomes["accepted"], ROUNDS)
        self.assertGreater(outcomes["refused"], ROUNDS)

    def test_any_python_value_in_a_payload(self) -> None:
        values = odd_values()
        outcomes: collections.Counter[str] = collections.Counter()
        for name, contract in contract_classes().items():
            for _ in range(ROUNDS // 2):
                data = self.mutated(wire(name), values)
                made = self.attempt(lambda c=contract, d=data: c.from_dict(d), data)  # type: ignore[misc]
                outcomes["accepted" if made is not None else "refused"] += 1
                if made is not None:
                    self.assert_well_formed(made, data)
        self.assertGreater(outcomes["refused"], ROUNDS)
        for value in values:
            for name, contract in contract_classes().items():
                with self.subTest(case=f"{name}: {value!r:.60}"):
                    self.attempt(lambda c=contract, v=value: c.from_dict(v), value)  # type: ignore[misc]
                    self.attempt(lambda c=contract, v=value: c.from_json(v), value)  # type: ignore[misc]

    def test_any_python_value_in_a_constructor(self) -> None:
        values = odd_values()
        outcomes: collections.Counter[str] = collections.Counter()
        for name, contract in contract_classes().items():
            made = sample(name)
            good = {field: getattr(made, field) for field in KINDS[name]}
            for field in good:
                for value in values:  # each value in each field once
                    changed = good | {field: value}
                    given = self.attempt(lambda c=contract, a=changed: c(**a), changed)  # type: ignore[misc]
                    outcomes["accepted" if given is not None else "refused"] += 1
                    if given is not None:
                        self.assert_well_formed(given, changed)
            for _ in range(ROUNDS // 8):
                arguments = dict(good)
                for field in self.random.sample(list(good), self.random.randint(1, len(good))):
                    arguments[field] = self.nested(values)
                given = self.attempt(lambda c=contract, a=arguments: c(**a), arguments)  # type: ignore[misc]
                outcomes["accepted" if given is not None else "refused"] += 1
                if given is not None:
                    self.assert_well_formed(given, arguments)
        self.assertGreater(outcomes["accepted"], ROUNDS // 10)
        self.assertGreater(outcomes["refused"], ROUNDS)

    def test_any_python_value_in_a_cell(self) -> None:
        values = odd_values()
        outcomes: collections.Counter[str] = collections.Counter()
        result = sample("MysqlToolResult")
        good = {field: getattr(result, field) for field in KINDS["MysqlToolResult"]}
        for _ in range(ROUNDS):
            cell = self.nested(values)
            changed = good | {"columns": ("c",), "rows": ({"c": cell},)}
            made = self.attempt(lambda a=changed: contracts.MysqlToolResult(**a), cell)  # type: ignore[misc]
            outcomes["accepted" if made is not None else "refused"] += 1
            if made is not None:
                self.assert_well_formed(made, cell)
        self.assertGreater(outcomes["accepted"], ROUNDS // 10)
        self.assertGreater(outcomes["refused"], ROUNDS // 10)

    def attempt(self, make: Callable[[], Any], given: object) -> Any:
        """Make an object, or return None if it is refused as it should be."""
        try:
            return make()
        except contracts.ContractError as error:
            told = str(error)
            if not error.problems or not told.encode():
                self.failed(f"a refusal without a reason: {error!r}", given)
            if error.__context__ is not None or error.__cause__ is not None:
                self.failed(f"a refusal carries another error: {error!r}", given)
            return None
        except Exception as error:  # noqa: BLE001, RUF100  # any other error is the finding
            self.failed(f"{type(error).__name__} instead of ContractError: {error}", given)

    def judged(self, made: Any, contract: type[Any], text: str, given: object) -> str:
        """Check what came of a text; return whether it was taken."""
        if made is not None:
            self.assert_well_formed(made, given)
        try:
            data = json.loads(text.removeprefix("\ufeff"), object_pairs_hook=single)
            text.encode()
        except (ValueError, RecursionError):
            # no JSON, keys given twice, or surrogates that no bytes can hold
            if made is not None and isinstance(given, bytes):
                self.failed("taken, though it is not JSON", given)
        else:
            if is_json(data):
                self.assert_schema_agrees(contract, data, made is not None)
        return "accepted" if made is not None else "refused"

    def assert_well_formed(self, made: Any, given: object) -> None:
        """Check that an object is its JSON."""
        try:
            text = made.to_json()
            text.encode()
            read = type(made).from_json(text)
            if read != made or read.to_json() != text:
                self.failed("it does not round-trip", given)
            if json.loads(text, parse_constant=self.fail) != made.to_dict():
                self.failed("its JSON is not its wire form", given)
            if not valid(type(made).json_schema(), made.to_dict()):
                self.failed("it is not valid against its schema", given)
            hash(made)
        except self.failureException:
            raise
        except Exception as error:  # noqa: BLE001, RUF100  # as above
            self.failed(f"it was taken and is not well-formed: {error!r}", given)

    def assert_schema_agrees(self, contract: type[Any], data: Any, taken: bool) -> None:
        """Check that data is taken if and only if its schema calls it valid."""
        right = valid(contract.json_schema(), data)
        if taken and not right:
            self.failed("it was taken, though its schema calls it invalid", data)
        if right and not taken:
            error = self.refusal(contract.from_dict, data)
            for problem in error.problems:
                if not CANNOT_BE_SAID.search(problem.message):
                    self.failed(f"its schema calls it valid: {problem}", data)

    def failed(self, message: str, given: object) -> NoReturn:
        self.fail(f"{message}\nFUZZ_SEED={SEED} FUZZ_ROUNDS={ROUNDS}\n{given!r:.2000}")

    def mutated_text(self, text: str) -> str:
        """Change a text at one to three places: insert, delete, repeat, swap, cut, replace."""
        choose = self.random
        for _ in range(choose.choice((1, 1, 1, 2, 3))):
            if not text:
                return text
            start = choose.randrange(len(text))
            end = min(len(text), start + choose.randint(1, 6))
            kind = choose.randrange(7)
            if kind == 0:
                text = text[:start] + choose.choice(TOKENS) + text[start:]
            elif kind == 1:
                text = text[:start] + text[end:]
            elif kind == 2:
                text = text[:start] + choose.choice(TOKENS) + text[end:]
            elif kind == 3:
                text = text[:start] + text[start:end] * 2 + text[end:]
            elif kind == 4:
                text = text[:start]
            elif kind == 5:
                text = text[:start] + chr(choose.choice((0, 10, 34, 92, 0xD800, 233))) + text[end:]
            else:
                words = re.findall(r'"(?:[^"\\]|\\.)*"|[\d.eE+-]+|\w+|.', text, re.DOTALL)
                words[choose.randrange(len(words))] = choose.choice(TOKENS)
                text = "".join(words)
        return text

    def mutated(self, data: Any, values: tuple[Any, ...]) -> Any:
        """Change a payload at up to three places."""
        for _ in range(self.random.choice((0, 1, 1, 1, 2, 3))):
            place = self.random.choice(containers(data))
            value = fresh(self.random.choice(values))
            if isinstance(place, list):
                self.change_list(place, value)
            else:
                self.change_object(place, value)
        return data

    def change_list(self, items: list[Any], value: Any) -> None:
        """Put a value into a list, take the last away, or repeat the first."""
        kind = self.random.randrange(8)
        if kind == 0 or not items:
            items.append(value)
        elif kind == 1:
            items.pop()
        elif kind == 2:
            items.append(items[0])
        else:
            items[self.random.randrange(len(items))] = value

    def change_object(self, data: dict[Any, Any], value: Any) -> None:
        """Put a value in place of another, add, take away or turn around the keys."""
        kind = self.random.randrange(8)
        if kind == 0 or not data:
            data[self.random.choice(("limit", "tool_call_id", "", "a/b", "\ud800"))] = value
        elif kind == 1:
            del data[self.random.choice(list(data))]
        elif kind == 2:
            for key in reversed(list(data)):
                data[key] = data.pop(key)
        else:
            data[self.random.choice(list(data))] = value

    def nested(self, values: tuple[Any, ...], depth: int = 0) -> Any:
        """A value, or a container of values."""
        choose = self.random
        kind = choose.randrange(8) if depth < 3 else 0
        if kind == 1:
            return [self.nested(values, depth + 1) for _ in range(choose.randrange(4))]
        if kind == 2:
            return tuple(self.nested(values, depth + 1) for _ in range(choose.randrange(3)))
        if kind == 3:
            keys = choose.sample(("a", "b/c", "", "é", "\ud800", "~"), choose.randrange(4))
            return {key: self.nested(values, depth + 1) for key in keys}
        return choose.choice(values)


def containers(data: Any) -> list[Any]:
    """The lists and dictionaries inside a payload, itself included."""
    found = [data] if isinstance(data, dict | list) else []
    inside = data.values() if isinstance(data, dict) else data if isinstance(data, list) else ()
    for value in inside:
        found += containers(value)
    return found


def fresh(value: Any) -> Any:
    """A copy, so that a mutant does not change the values of the next ones."""
    try:
        return copy.deepcopy(value)
    except TypeError:  # iterators and the like
        return value


def single(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object whose keys are given once."""
    if len(dict(pairs)) < len(pairs):
        raise ValueError("a key is given twice")
    return dict(pairs)


def is_json(data: Any) -> bool:
    """Whether a payload could come from JSON text: NaN and infinities could not."""
    try:
        json.dumps(data, allow_nan=False)
    except ValueError:
        return False
    return True
