# SPDX-License-Identifier: MIT
"""What the tests share: example payloads, what belongs in each field, and a few assertions."""

import copy
import dataclasses
import re
import typing
import unittest
from collections.abc import Callable, Iterator
from enum import Enum
from types import MappingProxyType
from typing import Any

from tests import contracts, module

ContractError = contracts.ContractError

TIME = "2026-07-12T15:11:52.123456789+08:00"
LATER = "2026-07-12T07:20:00Z"

_WIRE: dict[str, dict[str, Any]] = {
    "RagToolRequest": {"query": "连接池 exhausted 🎉"},
    "RagEvidence": {
        "source": "runbooks/订单.md",
        "section": "Pool > Symptoms",
        "content": "All 50 are taken\n\u0000 «ü» 🎉",
    },
    "RagToolResult": {
        "tool_call_id": "call_1",
        "status": "EVIDENCE_FOUND",
        "query": "pool",
        "evidence_count": 3,
        "truncated": True,
        "evidence": [
            {"source": "a.md", "section": None, "content": "first"},
            {"source": "b.md", "section": "B", "content": "second"},
        ],
    },
    "QueryLogsToolRequest": {
        "topic": "APPLICATION",
        "query": "HikariPool",
        "lookback_minutes": 60,
    },
    "LogScope": {
        "topic": "DATABASE_SLOW_QUERY",
        "query": "orders",
        "lookback_minutes": 15,
        "start_time": TIME,
        "end_time": LATER,
    },
    "LogPattern": {
        "pattern": "took <*> ms",
        "level": "WARN",
        "service": "order-service",
        "count": 12,
        "first_seen": TIME,
        "last_seen": LATER,
        "sample": "took 31 ms",
    },
    "LogEvent": {
        "timestamp": TIME,
        "level": "ERROR",
        "service": "order-service",
        "instance": "order-7c9",
        "message": "超时",
    },
    "QueryLogsToolResult": {
        "tool_call_id": "functions.Bash:0",
        "status": "EVIDENCE_FOUND",
        "source_kind": "MOCK",
        "scope": {
            "topic": "SYSTEM_EVENTS",
            "query": "restart",
            "lookback_minutes": 30,
            "start_time": TIME,
            "end_time": LATER,
        },
        "matched_count": 4,
        "truncated": False,
        "patterns": [
            {
                "pattern": "pod <*> restarted",
                "level": None,
                "service": None,
                "count": 4,
                "first_seen": TIME,
                "last_seen": TIME,
                "sample": "pod a restarted",
            }
        ],
        "timeline_events": [
            {
                "timestamp": LATER,
                "level": None,
                "service": None,
                "instance": None,
                "message": "pod a restarted",
            }
        ],
    },
    "MysqlToolRequest": {
        "data_source": "orders",
        "sql": "SELECT ? + ?",
        "params": ["a", 7, 2.5, True, None],
    },
    "MysqlToolResult": {
        "tool_call_id": "toolu_01:x/y",
        "status": "EVIDENCE_FOUND",
        "row_count": 2,
        "truncated": False,
        "columns": ["id", "名", "data"],
        "rows": [
            {"id": 9007199254740991, "名": "ü", "data": {"k": [1, 2.5e-07, None, {"n": []}]}},
            {"id": -1.5, "名": None, "data": True},
        ],
    },
}

# What a later validator would refuse and a constructor takes.
_ODD: dict[str, dict[str, Any]] = {
    "RagToolRequest": {"query": ""},
    "RagEvidence": {"source": "", "section": None, "content": " \n"},
    "RagToolResult": {"tool_call_id": None, "query": "", "evidence_count": -1, "evidence": []},
    "QueryLogsToolRequest": {"query": " ", "lookback_minutes": None},
    "LogScope": {"lookback_minutes": -(2**70), "start_time": LATER, "end_time": TIME},
    "LogPattern": {
        "level": None,
        "service": None,
        "count": -12,
        "last_seen": "1999-12-31T23:59:59Z",
    },
    "LogEvent": {"level": None, "service": "", "instance": None, "message": ""},
    "QueryLogsToolResult": {
        "tool_call_id": " ",
        "matched_count": -4,
        "truncated": True,
        "patterns": [],
        "timeline_events": [],
    },
    "MysqlToolRequest": {"data_source": "", "sql": "DROP TABLE orders; --", "params": []},
    "MysqlToolResult": {"tool_call_id": "", "row_count": -2, "columns": [], "rows": [{}, {}]},
}

NULLABLE = "evidence text or null"

KINDS: dict[str, dict[str, str]] = {
    "RagToolRequest": {"query": "text"},
    "RagEvidence": {"source": "evidence text", "section": NULLABLE, "content": "evidence text"},
    "RagToolResult": {
        "tool_call_id": "id",
        "status": "EvidenceStatus",
        "query": "evidence text",
        "evidence_count": "integer",
        "truncated": "boolean",
        "evidence": "array of RagEvidence",
    },
    "QueryLogsToolRequest": {
        "topic": "LogTopic",
        "query": "text",
        "lookback_minutes": "integer or null",
    },
    "LogScope": {
        "topic": "LogTopic",
        "query": "evidence text",
        "lookback_minutes": "integer",
        "start_time": "timestamp",
        "end_time": "timestamp",
    },
    "LogPattern": {
        "pattern": "evidence text",
        "level": NULLABLE,
        "service": NULLABLE,
        "count": "integer",
        "first_seen": "timestamp",
        "last_seen": "timestamp",
        "sample": "evidence text",
    },
    "LogEvent": {
        "timestamp": "timestamp",
        "level": NULLABLE,
        "service": NULLABLE,
        "instance": NULLABLE,
        "message": "evidence text",
    },
    "QueryLogsToolResult": {
        "tool_call_id": "id",
        "status": "EvidenceStatus",
        "source_kind": "SourceKind",
        "scope": "LogScope",
        "matched_count": "integer",
        "truncated": "boolean",
        "patterns": "array of LogPattern",
        "timeline_events": "array of LogEvent",
    },
    "MysqlToolRequest": {"data_source": "text", "sql": "text", "params": "array of scalars"},
    "MysqlToolResult": {
        "tool_call_id": "id",
        "status": "EvidenceStatus",
        "row_count": "integer",
        "truncated": "boolean",
        "columns": "array of names",
        "rows": "array of rows",
    },
}
"""What belongs in each field of each contract class, written down independently of it."""

TIMESTAMP = "RFC 3339 timestamp with an offset, such as 2026-07-12T15:11:52+08:00"

RIGHT: dict[str, str] = {
    "text": "string",
    "evidence text": "string",
    NULLABLE: "string",
    "id": "string",
    "integer": "integer",
    "integer or null": "integer",
    "boolean": "boolean",
    "timestamp": TIMESTAMP,
    "EvidenceStatus": "one of EVIDENCE_FOUND, NO_EVIDENCE, ERROR",
    "LogTopic": "one of APPLICATION, DATABASE_SLOW_QUERY, SYSTEM_EVENTS",
    "SourceKind": "one of MOCK",
    "LogScope": "LogScope object",
    "array of RagEvidence": "array",
    "array of LogPattern": "array",
    "array of LogEvent": "array",
    "array of scalars": "array",
    "array of names": "array",
    "array of rows": "array",
}
"""How a refusal says what belongs in a field."""

_TAKEN: dict[str, set[str]] = {
    "text": {"string"},
    "evidence text": {"string"},
    NULLABLE: {"string", "null"},
    "id": {"string", "null"},
    "integer": {"number"},
    "integer or null": {"number", "null"},
    "boolean": {"boolean"},
}

_JSON_TYPES: dict[str, Any] = {
    "null": None,
    "boolean": True,
    "number": 7,
    "string": "x",
    "object": {},
    "array": [],
}


def fields_of_kind(*kinds: str) -> list[tuple[str, str]]:
    """All (class, field) pairs that hold one of some kinds of value."""
    return [
        (name, field)
        for name, fields in KINDS.items()
        for field, kind in fields.items()
        if kind in kinds
    ]


def wrong_values(kind: str, *, on_the_wire: bool) -> Iterator[tuple[Any, str]]:
    """Yield values of each wrong JSON type for a field, and what the refusal says of them."""
    right = RIGHT[kind]
    taken = _TAKEN.get(kind, {"array"} if kind.startswith("array") else set())
    if on_the_wire and kind == "LogScope":
        right, taken = "object", {"object"}
    if on_the_wire and kind == "array of scalars":
        taken = {"array", "null"}
    for got, value in _JSON_TYPES.items():
        if got in taken:
            continue
        told = got
        if got == "string" and right.startswith("one of"):
            told = '"x"'
        if got == "string" and kind == "timestamp":
            told = "text of another form, or without an offset"
        yield value, f"expected {right}, got {told}"
    for value in (object(), {1, 2}, b"x", 2j):
        yield value, f"expected {right}, got a value that is not JSON"


def wire(name: str, variant: str = "full") -> dict[str, Any]:
    """Return a fresh example of the wire form of a class."""
    odd = _ODD[name] if variant == "odd" else {}
    return copy.deepcopy(_WIRE[name] | odd)


def contract_classes() -> dict[str, type[Any]]:
    """All contract classes, found from the tools: requests, results and what is inside them."""
    base = module("_contract").Contract
    found: dict[str, type[Any]] = {}

    def visit(annotation: Any) -> None:
        if isinstance(annotation, type) and issubclass(annotation, base):
            found[annotation.__name__] = annotation
            for field in dataclasses.fields(annotation):
                visit(field.type)
        for part in typing.get_args(annotation):
            visit(part)

    for tool in contracts.AgentToolContracts.ALL:
        visit(tool.request)
        visit(tool.result)
    return found


def sample(name: str, **changes: Any) -> Any:
    """Return an object of a class with the values of the full example, some of them changed."""
    made = contract_classes()[name].from_dict(wire(name))
    return dataclasses.replace(made, **changes)


def samples() -> Iterator[tuple[str, Any]]:
    """Yield named objects of every contract class, ordinary ones and odd ones."""
    for name, contract in contract_classes().items():
        for variant in ("full", "odd"):
            yield f"{name}, {variant}", contract.from_dict(wire(name, variant))


def parts(value: Any) -> Iterator[Any]:
    """Yield a value and everything inside it, at every depth."""
    yield value
    inside: list[Any] = []
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        inside = [getattr(value, field.name) for field in dataclasses.fields(value)]
    elif isinstance(value, dict | MappingProxyType):
        inside = [*value.keys(), *value.values()]
    elif isinstance(value, list | tuple | set | frozenset):
        inside = list(value)
    for part in inside:
        yield from parts(part)


def without_descriptions(schema: Any) -> Any:
    """Return a schema as it is without the texts that are not part of its meaning."""
    if isinstance(schema, dict):
        return {
            key: without_descriptions(value)
            for key, value in schema.items()
            if not (key == "description" and isinstance(value, str))
        }
    if isinstance(schema, list):
        return [without_descriptions(item) for item in schema]
    return schema


BANNED = re.compile(
    r"""(?<![a-z0-9])(?:
        milvus | vectors? | embeddings? | l0 | l1 | re-?rank(?:s|ed|er|ers|ing)? | cls | regions?
        | topic[ _-]?ids? | connections? | credentials? | passwords? | top[ _-]?k | limits?
        | redis | traces? | audits? | caches? | sdks?
        | openai | anthropic | gemini | mcp | spring | alibaba | langchain | jdbc | boto3? | tencent
    )(?![a-z0-9])""",
    re.IGNORECASE | re.VERBOSE,
)
"""Words that the model must not read: they name machinery, not evidence."""


class ContractCase(unittest.TestCase):
    """A test case with the assertions that most tests of the contract need."""

    maxDiff = None

    def refused(
        self, message: str, function: Callable[..., Any], /, *args: Any, **kwargs: Any
    ) -> None:
        """Assert that a call raises ContractError with exactly this text."""
        self.assertEqual(str(self.refusal(function, *args, **kwargs)), message)

    def refusal(
        self, function: Callable[..., Any], /, *args: Any, **kwargs: Any
    ) -> contracts.ContractError:
        """Assert that a call raises ContractError, and return it."""
        with self.assertRaises(ContractError) as caught:
            function(*args, **kwargs)
        return caught.exception

    def assert_fields(self, contract: type[Any], expected: list[tuple[str, Any, Any]]) -> None:
        """Assert the names, types and defaults of the fields, in order."""
        found = [(field.name, field.type, field.default) for field in dataclasses.fields(contract)]
        self.assertEqual(found, expected)
        for field in dataclasses.fields(contract):
            self.assertIs(field.default_factory, dataclasses.MISSING)

    def assert_frozen(self, thing: Any) -> None:
        """Assert that nothing about a contract object can be changed, at any depth."""
        before = thing.to_json()
        names = [field.name for field in dataclasses.fields(thing)]
        self.assertEqual(list(type(thing).__slots__), names)
        self.assertFalse(hasattr(thing, "__dict__"))
        with self.assertRaises(TypeError):
            type(thing)(*(getattr(thing, name) for name in names))
        for name in names:
            value = getattr(thing, name)
            with self.assertRaises(dataclasses.FrozenInstanceError):
                setattr(thing, name, value)
            with self.assertRaises(dataclasses.FrozenInstanceError):
                delattr(thing, name)
        values = {name: getattr(thing, name) for name in names}
        attempts: list[Callable[[], Any]] = [
            lambda: setattr(thing, "extra", 1),
            lambda: delattr(thing, "extra"),
            lambda: type(thing).__init__(thing, **values),
            lambda: thing.__setstate__(list(values.values())),
        ]
        for attempt in attempts:
            with self.assertRaises(dataclasses.FrozenInstanceError):
                attempt()
        for part in parts(thing):
            self.assert_cannot_change(part)
        self.assertEqual(thing.to_json(), before)

    def assert_cannot_change(self, part: Any) -> None:
        """Assert that one part of a contract object is of a type that cannot change."""
        if isinstance(part, MappingProxyType):
            with self.assertRaises(TypeError):
                part["new"] = 1  # type: ignore[index]
            self.assertFalse(hasattr(part, "clear"))
        elif isinstance(part, Enum):
            self.assertIn(part, type(part))
        elif dataclasses.is_dataclass(part):
            self.assertEqual(type(part), contract_classes()[type(part).__name__])
        else:
            self.assertIn(type(part), (str, int, float, bool, type(None), tuple))

    def assert_told_in_bounds(self, tool: Any) -> None:
        """Assert that what the model is told of a tool is short and names no machinery."""
        self.assertLessEqual(len(tool.description), 600)
        told = [tool.name, tool.title, tool.description]
        for contract in (tool.request, tool.result):
            told += [part for part in parts(contract.json_schema()) if isinstance(part, str)]
        self.assertGreater(len(told), 30)
        for text in told:
            self.assertTrue(text.strip())
            self.assertIsNone(BANNED.search(text), text)
