# SPDX-License-Identifier: MIT
"""The rules between the fields of a result: each is broken alone, and sound results have none."""

import dataclasses
import unittest
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any
from unittest import mock

from tests import contracts, module
from tests._process import python
from tests._samples import ContractCase

violations = module("rules").violations

FOUND = contracts.EvidenceStatus.EVIDENCE_FOUND
NONE = contracts.EvidenceStatus.NO_EVIDENCE
ERROR = contracts.EvidenceStatus.ERROR

TIME = "2026-03-01T10:00:00+08:00"
ITEM = contracts.RagEvidence(source="a.md", section=None, content="text")
PATTERN = contracts.LogPattern(
    pattern="took <*> ms",
    level=None,
    service=None,
    count=2,
    first_seen=TIME,
    last_seen=TIME,
    sample="took 9 ms",
)
EVENT = contracts.LogEvent(timestamp=TIME, level=None, service=None, instance=None, message="x")
SCOPE = contracts.LogScope(
    topic=contracts.LogTopic.APPLICATION,
    query="took",
    lookback_minutes=60,
    start_time="2026-03-01T09:30:00+08:00",
    end_time="2026-03-01T10:30:00+08:00",
)

RAG = contracts.RagToolResult(
    tool_call_id="call_1",
    status=FOUND,
    query="q",
    evidence_count=2,
    truncated=False,
    evidence=(ITEM, ITEM),
)
LOGS = contracts.QueryLogsToolResult(
    tool_call_id="call_1",
    status=FOUND,
    source_kind=contracts.SourceKind.MOCK,
    scope=SCOPE,
    matched_count=2,
    truncated=False,
    patterns=(PATTERN,),
    timeline_events=(EVENT, EVENT),
)
MYSQL = contracts.MysqlToolResult(
    tool_call_id="call_1",
    status=FOUND,
    row_count=2,
    truncated=False,
    columns=("a",),
    rows=({"a": 1}, {"a": None}),
)

# The result of each tool, the name of its count, and the names of its lists.
TOOLS: dict[str, tuple[Any, str, tuple[str, ...]]] = {
    "lookup_knowledge": (RAG, "evidence_count", ("evidence",)),
    "query_logs": (LOGS, "matched_count", ("patterns", "timeline_events")),
    "query_mysql": (MYSQL, "row_count", ("rows",)),
}
BLANK = {
    "null": None,
    "empty": "",
    "a space": " ",
    "an ideographic space": "\u3000",
    "white space of many kinds": "\t\n\u00a0\u2003",
}


def changed(result: Any, **changes: Any) -> Any:
    return dataclasses.replace(result, **changes)


def without_evidence(tool: str, **changes: Any) -> Any:
    """The result of a tool that lists nothing."""
    result, count, lists = TOOLS[tool]
    return changed(result, **{count: 0, **dict.fromkeys(lists, ()), **changes})


def scoped(start: str, end: str) -> Any:
    return changed(LOGS, scope=changed(SCOPE, start_time=start, end_time=end))


def sound() -> Iterator[tuple[str, Any]]:
    """Results that break no rule: each tool with each status, and the edges of each rule."""
    for tool, (result, count, _) in TOOLS.items():
        yield f"{tool}: found", result
        yield f"{tool}: more found than listed", changed(result, **{count: 9}, truncated=True)
        yield f"{tool}: no evidence", without_evidence(tool, status=NONE)
        yield f"{tool}: error", without_evidence(tool, status=ERROR)
        for name, blank in BLANK.items():
            answer = without_evidence(tool, status=ERROR, tool_call_id=blank)
            yield f"{tool}: error, the id is {name}", answer
        yield f"{tool}: an id with a blank in it", changed(result, tool_call_id=" a b ")
    yield "the patterns alone", changed(LOGS, timeline_events=(), truncated=True)
    yield "the timeline alone", changed(LOGS, patterns=())
    yield "a timeline that leaves some out", changed(LOGS, timeline_events=(EVENT,), truncated=True)
    rare = changed(PATTERN, count=1)
    yield "patterns that leave some out", changed(LOGS, patterns=(rare,), truncated=True)
    yield "two patterns that cover all", changed(LOGS, patterns=(rare, rare))
    yield "a pattern of no event", changed(LOGS, patterns=(PATTERN, changed(PATTERN, count=0)))


# name: the start and the end of a scope, in order
IN_ORDER = {
    "one instant": (TIME, TIME),
    "one instant at two offsets": (TIME, "2026-03-01T02:00:00Z"),
    "a later instant whose text is smaller": (TIME, "2026-03-01T03:00:00Z"),
    "one nanosecond": ("2026-03-01T10:00:00.000000001Z", "2026-03-01T10:00:00.000000002Z"),
    "nine nanoseconds and ten": ("2026-03-01T10:00:00.000000009Z", "2026-03-01T10:00:00.00000001Z"),
    "one fraction, written shorter": ("2026-03-01T10:00:00.500000000Z", "2026-03-01T10:00:00.5Z"),
    "no fraction and zeros": ("2026-03-01T10:00:00.000000000Z", "2026-03-01T10:00:00Z"),
    "nanoseconds at two offsets": (
        "2026-03-01T10:00:00.000000001+08:00",
        "2026-02-28T21:00:00.000000002-05:00",
    ),
    "one instant with nanoseconds, behind Greenwich": (
        "2026-03-01T10:00:00.000000001-05:00",
        "2026-03-01T15:00:00.000000001Z",
    ),
    "small letters": ("2026-03-01t10:00:00.1234567z", "2026-03-01T10:00:00.1234567Z"),
    "all of time": ("0001-01-01T00:00:00+14:00", "9999-12-31T23:59:59.999999999-12:00"),
}
# name: the start and the end of a scope, the end before the start
OUT_OF_ORDER = {
    "a second": ("2026-03-01T10:00:01Z", "2026-03-01T10:00:00Z"),
    "an earlier instant whose text is larger": ("2026-03-01T09:00:00Z", TIME),
    "one nanosecond": ("2026-03-01T10:00:00.000000002Z", "2026-03-01T10:00:00.000000001Z"),
    "one tenth of a nanosecond": (
        "2026-03-01T10:00:00.0000000002Z",
        "2026-03-01T10:00:00.0000000001Z",
    ),
    "ten nanoseconds and nine": ("2026-03-01T10:00:00.00000001Z", "2026-03-01T10:00:00.000000009Z"),
    "nanoseconds at two offsets": (
        "2026-02-28T21:00:00.000000002-05:00",
        "2026-03-01T10:00:00.000000001+08:00",
    ),
    "all of time": ("9999-12-31T23:59:59-12:00", "0001-01-01T00:00:00+14:00"),
}


def broken() -> Iterator[tuple[str, Any, str]]:
    """Results that break one rule, and how that is told."""
    for tool, (result, count, lists) in TOOLS.items():
        for name, blank in BLANK.items():
            for status, answer in ((FOUND, result), (NONE, without_evidence(tool, status=NONE))):
                told = f"/tool_call_id: required and not blank with {status}"
                yield (
                    f"{tool}: {status}, the id is {name}",
                    changed(answer, tool_call_id=blank),
                    told,
                )
        told = f"/status: EVIDENCE_FOUND, but nothing in {' or '.join(lists)}"
        yield f"{tool}: nothing is listed", without_evidence(tool), told
        for status in (NONE, ERROR):
            for kept in lists:
                answer = without_evidence(tool, **{kept: getattr(result, kept), count: 2})
                if kept == "patterns":  # they list no event, so the timeline leaves some out
                    answer = changed(answer, truncated=True)
                told = f"/{kept}: must be empty with {status}"
                yield f"{tool}: {status} lists {kept}", changed(answer, status=status), told
            answer = without_evidence(tool, status=status, **{count: -1})
            yield f"{tool}: {status}, less than none", answer, f"/{count}: must not be negative"
        told = f"/{count}: must not be smaller than the 2 that are listed"
        yield f"{tool}: fewer counted than listed", changed(result, **{count: 1}), told
        told = f"/truncated: must be false: none of {count} is left out"
        yield f"{tool}: truncated, yet whole", changed(result, truncated=True), told
        answer = without_evidence(tool, status=NONE, truncated=True)
        yield f"{tool}: nothing, yet truncated", answer, told
        told = f"/truncated: must be true: some of {count} is left out"
        yield f"{tool}: whole, yet truncated", changed(result, **{count: 3}), told
    yield from broken_logs()


def broken_logs() -> Iterator[tuple[str, Any, str]]:
    rare = changed(PATTERN, count=1)
    told = "/matched_count: must not be smaller than the 3 that are listed"
    yield "the patterns count more", changed(LOGS, patterns=(PATTERN, rare)), told
    answer = changed(LOGS, patterns=(), timeline_events=(EVENT,) * 3)
    yield "the timeline lists more", answer, told
    told = "/truncated: must be true: some of matched_count is left out"
    yield "the timeline leaves some out", changed(LOGS, timeline_events=(EVENT,)), told
    yield "the timeline is empty", changed(LOGS, timeline_events=()), told
    yield "the patterns leave some out", changed(LOGS, patterns=(rare,)), told
    answer = changed(LOGS, patterns=(PATTERN, changed(PATTERN, count=-1)), truncated=True)
    yield "a pattern counts less than none", answer, "/patterns/1/count: must not be negative"
    for name, (start, end) in OUT_OF_ORDER.items():
        told = "/scope/end_time: must not be before start_time"
        yield f"the scope is out of order by {name}", scoped(start, end), told


class Violations(ContractCase):
    def test_sound_results_of_all_tools_and_statuses_have_none(self) -> None:
        for name, result in sound():
            with self.subTest(case=name):
                self.assertEqual(violations(result), ())

    def test_each_rule_is_broken_alone(self) -> None:
        names = [name for name, *_ in broken()]
        self.assertEqual(len(names), len(set(names)))
        for name, result, told in broken():
            with self.subTest(case=name):
                self.assertEqual([str(problem) for problem in violations(result)], [told])

    def test_scope_times_are_compared_as_instants_to_the_last_digit(self) -> None:
        for name, (start, end) in IN_ORDER.items():
            with self.subTest(case=name):
                self.assertEqual(violations(scoped(start, end)), ())

    def test_all_broken_rules_are_told_with_their_paths(self) -> None:
        result = changed(
            scoped("2026-03-01T10:00:01Z", "2026-03-01T10:00:00Z"),
            tool_call_id="\u3000",
            status=NONE,
            matched_count=-7,
            truncated=True,
            patterns=(changed(PATTERN, count=-2),),
        )
        self.assertEqual(
            violations(result),
            tuple(
                contracts.Problem(path, message)
                for path, message in (
                    ("/tool_call_id", "required and not blank with NO_EVIDENCE"),
                    ("/patterns", "must be empty with NO_EVIDENCE"),
                    ("/timeline_events", "must be empty with NO_EVIDENCE"),
                    ("/matched_count", "must not be negative"),
                    ("/patterns/0/count", "must not be negative"),
                    (
                        "/truncated",
                        "must be false: none of matched_count is left out",
                    ),
                    ("/scope/end_time", "must not be before start_time"),
                )
            ),
        )

    def test_the_result_of_a_tool_of_ones_own_needs_an_id(self) -> None:
        @dataclasses.dataclass(frozen=True)
        class Other:
            tool_call_id: str | None
            status: Any

        tools = SimpleNamespace(ALL=(SimpleNamespace(result=Other),))
        with mock.patch.object(module("rules"), "AgentToolContracts", tools):
            self.assertEqual(violations(Other("call_1", FOUND)), ())
            self.assertEqual(
                [str(problem) for problem in violations(Other(" ", FOUND))],
                ["/tool_call_id: required and not blank with EVIDENCE_FOUND"],
            )

    def test_no_constructor_calls_the_rules(self) -> None:
        for name, result, _ in broken():
            with self.subTest(case=name):
                before = result.to_json()
                self.assertEqual(type(result).from_json(before), result)
                violations(result)
                self.assertEqual(result.to_json(), before)
        name = contracts.__name__
        done = python("-c", f"import sys, {name}; print('{name}.rules' in sys.modules)")
        self.assertEqual((done.stdout.strip(), done.stderr), (b"False", b""))

    def test_anything_but_the_result_of_a_tool_is_refused(self) -> None:
        request = contracts.RagToolRequest(query="q")
        others: tuple[Any, ...] = (
            request,
            ITEM,
            SCOPE,
            RAG.to_dict(),
            RAG.to_json(),
            type(RAG),
            None,
        )
        for other in others:
            with self.subTest(case=type(other).__name__):
                self.refused("violations: expected the result of a tool", violations, other)


if __name__ == "__main__":
    unittest.main()
