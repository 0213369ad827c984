# SPDX-License-Identifier: MIT
"""The rules between the fields of a result, for validators that run after the constructor.

No constructor calls them: an object that breaks a rule can exist, be written and be read, so
that a validator can say what is wrong with it (design decision 9).
"""

from collections.abc import Iterator, Sequence
from datetime import datetime

from .errors import ContractError, Problem
from .logs import QueryLogsToolResult
from .mysql import MysqlToolResult
from .rag import RagToolResult
from .status import EvidenceStatus
from .tools import AgentToolContracts

__all__ = ["violations"]

Result = RagToolResult | QueryLogsToolResult | MysqlToolResult


def violations(result: Result) -> tuple[Problem, ...]:
    """Return the rules that a result breaks; none if it is sound.

    Args:
        result: The result of one of the three tools. It is not changed.

    Returns:
        One problem for each broken rule, with the path of the field that breaks it.

    Raises:
        ContractError: It is not the result of a tool.
    """
    if isinstance(result, RagToolResult):
        found = _listing(result, "evidence_count", result.evidence_count, evidence=result.evidence)
    elif isinstance(result, MysqlToolResult):
        found = _listing(result, "row_count", result.row_count, rows=result.rows)
    elif isinstance(result, QueryLogsToolResult):
        found = _logs(result)
    elif isinstance(result, tuple(tool.result for tool in AgentToolContracts.ALL)):
        found = iter(())  # the lists of a tool of your own are not known here
    else:
        raise ContractError("violations", [Problem("", "expected the result of a tool")])
    return (*_identified(result), *found)


def _identified(result: Result) -> Iterator[Problem]:
    """Evidence and its absence can be cited, so they need an id (design decision 2)."""
    if result.status is not EvidenceStatus.ERROR and not (result.tool_call_id or "").strip():
        yield Problem("/tool_call_id", f"required and not blank with {result.status}")


def _listing(
    result: RagToolResult | MysqlToolResult, count_name: str, count: int, **lists: Sequence[object]
) -> Iterator[Problem]:
    """A result with one list."""
    (items,) = lists.values()
    yield from _status_agrees(result, **lists)
    yield from _count_agrees(count_name, count, len(items))
    yield from _truncated_agrees(result, count_name, missed=count > len(items))


def _logs(result: QueryLogsToolResult) -> Iterator[Problem]:
    """A result with patterns, which count events, and a timeline, which lists some of them."""
    counted = sum(pattern.count for pattern in result.patterns)
    shown = len(result.timeline_events)
    missed = result.matched_count > (min(counted, shown) if result.patterns else shown)
    yield from _status_agrees(
        result, patterns=result.patterns, timeline_events=result.timeline_events
    )
    yield from _count_agrees("matched_count", result.matched_count, max(counted, shown))
    for index, pattern in enumerate(result.patterns):
        yield from _count_agrees(f"patterns/{index}/count", pattern.count, 0)
    yield from _truncated_agrees(result, "matched_count", missed=missed)
    yield from _scope_in_order(result)


def _status_agrees(result: Result, **lists: Sequence[object]) -> Iterator[Problem]:
    """Only `EVIDENCE_FOUND` lists evidence, and it lists some (design decision 3)."""
    if result.status is EvidenceStatus.EVIDENCE_FOUND:
        if not any(lists.values()):
            yield Problem("/status", f"EVIDENCE_FOUND, but nothing in {' or '.join(lists)}")
    else:
        for name, items in lists.items():
            if items:
                yield Problem(f"/{name}", f"must be empty with {result.status}")


def _count_agrees(name: str, count: int, listed: int) -> Iterator[Problem]:
    """A count is made before the list is bounded, so it is not smaller (design decision 5)."""
    if count < 0:
        yield Problem(f"/{name}", "must not be negative")
    elif count < listed:
        yield Problem(f"/{name}", f"must not be smaller than the {listed} that are listed")


def _truncated_agrees(result: Result, count_name: str, *, missed: bool) -> Iterator[Problem]:
    """The mark says whether something is left out, no more and no less (design decision 5)."""
    if result.truncated is not missed:
        right, part = ("true", "some") if missed else ("false", "none")
        yield Problem("/truncated", f"must be {right}: {part} of {count_name} is left out")


def _scope_in_order(result: QueryLogsToolResult) -> Iterator[Problem]:
    """The searched time has a beginning and an end, compared as instants (design decision 5)."""
    if _instant(result.scope.end_time) < _instant(result.scope.start_time):
        yield Problem("/scope/end_time", "must not be before start_time")


def _instant(timestamp: str) -> tuple[datetime, str]:
    """What orders timestamps: the instant to the microsecond, then the digits beyond."""
    fraction = timestamp[19:].rstrip("Zz").partition("+")[0].partition("-")[0]
    return datetime.fromisoformat(timestamp.upper()), fraction[7:].rstrip("0")
