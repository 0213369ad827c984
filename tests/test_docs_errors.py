# SPDX-License-Identifier: MIT
"""The page of error messages: each heading really happens, and no message is left out."""

import ast
import re
import unittest
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from decimal import Decimal
from pathlib import Path
from typing import Any

from tests import contracts, module

PAGE = Path(__file__).resolve().parents[1] / "docs/reference/errors.md"
PACKAGE = Path(contracts.__file__).parent

RAG = '{"query": "pool"}'
LOGS = {"topic": "APPLICATION", "query": "timeout"}
MYSQL = {"data_source": "orders", "sql": "SELECT ?"}
WITH_A_NUMBER: Any = {"query": "pool", 1: "x"}
WORDS: Any = LOGS
TEXT: Any = "2026-07-12T15:11:52+08:00"
EVENT = {"timestamp": "", "level": None, "service": None, "instance": None, "message": "x"}


class NoTime(datetime):
    """A datetime that holds no time, as some libraries have."""

    def isoformat(self, sep: str = "T", timespec: str = "auto") -> str:
        del sep, timespec
        return "NaT"


def rag(text: Any) -> Callable[[], object]:
    return lambda: contracts.RagToolRequest.from_json(text)


def logs(**fields: Any) -> Callable[[], object]:
    return lambda: contracts.QueryLogsToolRequest.from_dict(LOGS | fields)


def mysql(params: Any) -> Callable[[], object]:
    return lambda: contracts.MysqlToolRequest.from_dict(MYSQL | {"params": params})


def result(**fields: Any) -> Any:
    known: dict[str, Any] = {
        "tool_call_id": "call_1",
        "status": contracts.EvidenceStatus.EVIDENCE_FOUND,
        "row_count": 1,
        "truncated": False,
        "columns": ("id", "total"),
        "rows": ({"id": 1, "total": 2},),
    }
    return contracts.MysqlToolResult(**known | fields)


def cell(value: Any) -> Callable[[], object]:
    return lambda: result(rows=({"id": 1, "total": value},))


def event(timestamp: str) -> Callable[[], object]:
    return lambda: contracts.LogEvent.from_dict(EVENT | {"timestamp": timestamp})


def nested(levels: int) -> Any:
    value: Any = 1
    for _ in range(levels):
        value = [value]
    return value


def logs_result(**fields: Any) -> Any:
    scope: dict[str, Any] = {"topic": contracts.LogTopic.APPLICATION, "query": "timeout"}
    scope |= {"lookback_minutes": 15, "start_time": "2026-07-12T15:05:00+08:00"}
    scope |= {"end_time": "2026-07-12T15:20:00+08:00"} | fields.pop("scope_fields", {})
    known: dict[str, Any] = {
        "tool_call_id": "call_1",
        "status": contracts.EvidenceStatus.NO_EVIDENCE,
        "source_kind": contracts.SourceKind.MOCK,
        "scope": contracts.LogScope(**scope),
        "matched_count": 0,
        "truncated": False,
        "patterns": (),
        "timeline_events": (),
    }
    return contracts.QueryLogsToolResult(**known | fields)


def rag_result(listed: int, **fields: Any) -> Any:
    item = contracts.RagEvidence(source="runbook", section=None, content="text")
    known: dict[str, Any] = {
        "tool_call_id": "call_1",
        "status": contracts.EvidenceStatus.EVIDENCE_FOUND,
        "query": "pool",
        "evidence_count": listed,
        "truncated": False,
        "evidence": (item,) * listed,
    }
    return contracts.RagToolResult(**known | fields)


def observe(api: str, answer: Any, **named: Any) -> Callable[[], object]:
    return lambda: getattr(module("observations"), api)(answer, **named)


ERROR = contracts.EvidenceStatus.ERROR
NO_EVIDENCE = contracts.EvidenceStatus.NO_EVIDENCE
REFUSAL = contracts.ContractError("RagToolRequest", [contracts.Problem("", "refused")])
DEEP = "MysqlToolResult: /rows/0/total" + "/0" * 64

CASES: dict[str, Callable[[], object]] = {
    "RagToolRequest: the text is empty; expected one JSON object with query": rag(" "),
    "RagToolRequest: it is wrapped in a Markdown code fence; expected one JSON object with query": (
        rag(f"```json\n{RAG}\n```")
    ),
    "RagToolRequest: it is a JSON string that holds JSON text, so it was encoded twice; "
    "expected one JSON object with query": rag('"{\\"query\\": \\"pool\\"}"'),
    "RagToolRequest: a second JSON value follows the first; expected one JSON object with query": (
        rag(RAG + '{"query": "other"}')
    ),
    "RagToolRequest: more text follows the JSON value at line 1 column 19; "
    "expected one JSON object with query": rag(f"{RAG} Let me know."),
    "RagToolRequest: it ends early and may have been cut off; "
    "expected one JSON object with query": rag('{"query": "po'),
    "RagToolRequest: it is not valid JSON at line 1 column 2; "
    "expected one JSON object with query": rag('{query: "pool"}'),
    "RagToolRequest: it is nested too deeply; expected one JSON object with query": (
        rag("[" * 200_000)
    ),
    "RagToolRequest: it has a number with too many digits; expected one JSON object with query": (
        rag('{"query": ' + "1" * 5_000 + "}")
    ),
    "RagToolRequest: the bytes are not UTF-8; expected one JSON object with query": (
        rag(RAG.encode("utf-16"))
    ),
    "RagToolRequest: expected JSON text, got null; expected one JSON object with query": rag(None),
    "RagToolRequest: expected object, got array": rag("[]"),
    "RagToolRequest: /query: required field is missing, expected string": rag("{}"),
    "RagToolRequest: /top_k: unknown field (known: query)": rag('{"query": "pool", "top_k": 5}'),
    "RagToolRequest: /tool_call_id: the framework sets it, so leave it out": (
        rag('{"query": "pool", "tool_call_id": "call_0"}')
    ),
    "RagToolRequest: /query: the key is given twice": rag('{"query": "a", "query": "b"}'),
    "RagToolRequest: the keys of an object must be strings": (
        lambda: contracts.RagToolRequest.from_dict(WITH_A_NUMBER)
    ),
    "RagToolRequest: /query: expected string, got number": rag('{"query": 60}'),
    "RagToolRequest: /query: expected string of whole characters, "
    "got one with half a character (a lone surrogate)": rag('{"query": "\\ud83d"}'),
    "MysqlToolResult: /tool_call_id: expected string of whole characters, "
    "got one with a split surrogate pair": lambda: result(tool_call_id="\ud83d\ude00"),
    "QueryLogsToolRequest: /topic: expected one of APPLICATION, DATABASE_SLOW_QUERY, "
    'SYSTEM_EVENTS, got "app"': logs(topic="app"),
    "QueryLogsToolRequest: /topic: expected the enum member LogTopic.APPLICATION, got string": (
        lambda: contracts.QueryLogsToolRequest(**WORDS)
    ),
    "QueryLogsToolRequest: /lookback_minutes: expected integer, got string": (
        logs(lookback_minutes="60")
    ),
    "QueryLogsToolRequest: /lookback_minutes: expected integer, got a number that is not whole": (
        logs(lookback_minutes=60.5)
    ),
    "MysqlToolRequest: /params/0: expected string, number, boolean or null, "
    "got one that is infinite or too large for a 64-bit float": mysql([float("inf")]),
    "MysqlToolRequest: /params/0: expected string, number, boolean or null, got array": (
        mysql([[1, 2]])
    ),
    "MysqlToolRequest: /params: expected array, got string": mysql("[42]"),
    "MysqlToolResult: /truncated: expected boolean, got number": lambda: result(truncated=0),
    "QueryLogsToolResult: /scope: expected LogScope object, got object": (
        lambda: logs_result(scope={"topic": "APPLICATION"})
    ),
    "LogEvent: /timestamp: expected RFC 3339 timestamp with an offset, such as "
    "2026-07-12T15:11:52+08:00, got text of another form, or without an offset": (
        event("2026-07-12T15:11:52")
    ),
    "LogEvent: /timestamp: expected RFC 3339 timestamp with an offset, such as "
    "2026-07-12T15:11:52+08:00, got a time that no calendar has": event("2026-02-30T15:11:52Z"),
    "rfc3339: expected datetime with an offset of whole hours and minutes, "
    "got one without an offset, or with seconds in it": (
        lambda: contracts.rfc3339(datetime(2026, 7, 12))
    ),
    "rfc3339: expected datetime with an offset, got string": (lambda: contracts.rfc3339(TEXT)),
    'MysqlToolResult: /columns/1: column names must be unique, use aliases: "id" is taken': (
        lambda: result(columns=("id", "id"), rows=())
    ),
    "MysqlToolResult: /rows/0: expected object with the columns as keys, got array": (
        lambda: result(rows=((1, 2),))
    ),
    "MysqlToolResult: /rows/0/total: required field is missing, expected a standard-library "
    "value, such as text, a number, a date or bytes": lambda: result(rows=({"id": 1},)),
    "MysqlToolResult: /rows/0/note: it is not one of the columns": (
        lambda: result(rows=({"id": 1, "total": 2, "note": 3},))
    ),
    "MysqlToolResult: /rows/0/total: expected a standard-library value, such as text, a number, "
    "a date or bytes, got a value that is not JSON": cell(object()),
    "MysqlToolResult: /rows/0/total: expected number, "
    "got one that is infinite or too large for a 64-bit float": cell(float("nan")),
    "MysqlToolResult: /rows/0/total: expected finite number, got one that is not": (
        cell(Decimal("NaN"))
    ),
    "MysqlToolResult: /rows/0/total: expected number of at most 400 digits, got a longer one": (
        cell(Decimal("1E+500"))
    ),
    "MysqlToolResult: /rows/0/total: expected integer, got one with too many digits": (
        cell(10**5_000)
    ),
    "MysqlToolResult: /rows/0/total: expected date or time, got one that ISO 8601 cannot write": (
        cell(NoTime(2026, 7, 12, tzinfo=UTC))
    ),
    "MysqlToolResult: /rows/0/total: the keys of an object must be strings": cell({1: 2}),
    "MysqlToolResult: /rows/0/total: two keys are the same once they can be encoded": (
        cell(dict.fromkeys(("\ud83d", "\ud83e"), 1))
    ),
    f"{DEEP}: nested deeper than 64 levels": cell(nested(70)),
    "tool name: expected one of lookup_knowledge, query_logs, query_mysql, "
    'got "search_logs"': lambda: contracts.AgentToolContracts.named("search_logs"),
    "observation: /tool_call_id: required and not blank, since the API correlates by it": (
        observe("openai_chat", result(tool_call_id=None, status=ERROR))
    ),
    "observation: /tool_call_id: the result has its own, and this is another": (
        observe("anthropic", result(), tool_call_id="call_2")
    ),
    "observation: /tool_name: required for a refused call: the name that it used": (
        observe("gemini", REFUSAL)
    ),
    "observation: expected the result of a tool, or the ContractError that refused the call": (
        observe("mcp", {"status": "ERROR"})
    ),
    "violations: expected the result of a tool": (
        lambda: module("rules").violations(contracts.RagToolRequest(query="pool"))
    ),
    "compare: expected two snapshots of a contract": lambda: module("snapshot").compare({}, {}),
}
"""What makes each message happen."""

BROKEN: dict[str, Any] = {
    "/tool_call_id: required and not blank with NO_EVIDENCE": (
        rag_result(0, status=NO_EVIDENCE, tool_call_id=" ")
    ),
    "/status: EVIDENCE_FOUND, but nothing in evidence": rag_result(0),
    "/evidence: must be empty with ERROR": rag_result(1, status=ERROR),
    "/evidence_count: must not be negative": rag_result(0, status=ERROR, evidence_count=-1),
    "/evidence_count: must not be smaller than the 2 that are listed": (
        rag_result(2, evidence_count=1)
    ),
    "/truncated: must be true: some of evidence_count is left out": (
        rag_result(1, evidence_count=3)
    ),
    "/truncated: must be false: none of evidence_count is left out": (
        rag_result(1, truncated=True)
    ),
    "/scope/end_time: must not be before start_time": (
        logs_result(scope_fields={"end_time": "2026-07-12T15:20:00+09:00"})
    ),
}
"""A result that breaks each rule, and only it."""


class ErrorsPage(unittest.TestCase):
    maxDiff = None

    def headings(self) -> list[str]:
        return re.findall(r"^### `(.+)`(?: \{.*\})?$", PAGE.read_text("utf-8"), re.MULTILINE)

    def test_headings_are_the_cases(self) -> None:
        self.assertEqual(self.headings(), [*CASES, *BROKEN])

    def test_each_message_really_happens(self) -> None:
        for text, cause in CASES.items():
            with self.subTest(message=text):
                with self.assertRaises(contracts.ContractError) as caught:
                    cause()
                self.assertEqual(str(caught.exception), text)

    def test_each_broken_rule_is_told_so(self) -> None:
        for text, broken in BROKEN.items():
            with self.subTest(rule=text):
                told = [str(problem) for problem in module("rules").violations(broken)]
                self.assertEqual(told, [text])

    def test_each_message_has_a_cause_and_a_cure(self) -> None:
        parts = PAGE.read_text("utf-8").split("\n### ")[1:]
        for part in parts[: len(CASES)]:
            with self.subTest(message=part.partition("\n")[0]):
                self.assertRegex(part, r"\n\*\*Cause:\*\* \S")
                self.assertRegex(part, r"\n\*\*Cure:\*\* \S")

    def test_no_message_of_the_package_is_left_out(self) -> None:
        page = "\n".join(self.headings())
        found = list(messages())
        self.assertGreater(len(found), 45)
        for place, pattern in found:
            with self.subTest(place=place, pattern=pattern):
                self.assertRegex(page, pattern)


def messages() -> Iterator[tuple[str, str]]:
    """The texts that the package makes problems of, as patterns of what they become."""
    makers = {"problem": 0, "expected": 0, "_refusal": 1, "Problem": 1}
    names = ("reason", "got", "message")
    for file in sorted(PACKAGE.glob("*.py")):
        if file.stem == "snapshot":  # its messages tell differences, and its one error is a case
            continue
        for node in ast.walk(ast.parse(file.read_text("utf-8"))):
            texts: list[ast.expr] = []
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name | ast.Attribute):
                name = node.func.id if isinstance(node.func, ast.Name) else node.func.attr
                if name in makers:
                    texts = node.args[makers[name] : makers[name] + 1]
                if name == "expected":
                    texts += node.args[2:]
            if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
                texts = [node.value] if node.targets[0].id in names else []
            for text in texts:
                for pattern in patterns(text):
                    yield f"{file.name}:{text.lineno}", pattern


def patterns(text: ast.expr) -> Iterator[str]:
    """A text of the source as a pattern; what is put in when it runs may be anything."""
    if isinstance(text, ast.IfExp):
        yield from patterns(text.body)
        yield from patterns(text.orelse)
    if isinstance(text, ast.Constant) and isinstance(text.value, str):
        yield re.escape(text.value)
    if isinstance(text, ast.JoinedStr):
        parts = [
            re.escape(str(part.value)) if isinstance(part, ast.Constant) else ".+"
            for part in text.values
        ]
        if parts != [".+"]:
            yield "".join(parts)
