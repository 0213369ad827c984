# SPDX-License-Identifier: MIT
"""What the tests of the framework samples share: the samples, calls of a model, and verdicts."""

import importlib
import json
import sys
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import agent_contracts
from agent_contracts import AgentToolContracts

ROOT = Path(__file__).resolve().parents[2]
FOLDER = ROOT / "docs" / "examples" / "frameworks"
GUIDES = ROOT / "docs" / "guides"
PAYLOADS = ROOT / "docs" / "examples" / "payloads"


def load(name: str) -> Any:
    """Import one sample, as Python does when it is run as a script."""
    if str(FOLDER) not in sys.path:
        sys.path.insert(0, str(FOLDER))
    return importlib.import_module(name)


class Call(NamedTuple):
    """One call that a model makes, and what must come back for it."""

    id: str
    name: str
    arguments: dict[str, Any]
    status: str | None = None
    """The status of the result; None if the call must be refused."""
    refusal: str | None = None
    """The text of the refusal."""

    @property
    def failed(self) -> bool:
        """Whether the API's error flag must be set, if it has one."""
        return self.status in (None, "ERROR")


# The ids have forms that some models and gateways give: they must come back byte for byte.
FOUND = Call(
    "functions.lookup_knowledge:0",
    "lookup_knowledge",
    {"query": "connection pool"},
    status="EVIDENCE_FOUND",
)
LOGS = Call(
    "call_" + "x" * 78,
    "query_logs",
    {"topic": "APPLICATION", "query": "支付", "lookback_minutes": None},
    status="EVIDENCE_FOUND",
)
FORGED = Call(
    "call_real",
    "lookup_knowledge",
    {"query": "connection pool", "tool_call_id": "call_forged"},
    refusal="RagToolRequest: /tool_call_id: the framework sets it, so leave it out",
)
WRONG = Call(
    "toolu_01:x/y",
    "query_logs",
    {"topic": "app", "query": "timeout"},
    refusal="QueryLogsToolRequest: /topic: expected one of APPLICATION, DATABASE_SLOW_QUERY, "
    'SYSTEM_EVENTS, got "app"',
)
UNKNOWN = Call(
    "call_unknown",
    "drop_tables",
    {"query": "x"},
    refusal="tool name: expected one of lookup_knowledge, query_logs, query_mysql, "
    'got "drop_tables"',
)
CALLS = (
    FOUND,
    FORGED,
    Call("call_none", "lookup_knowledge", {"query": "holidays"}, status="NO_EVIDENCE"),
    LOGS,
    WRONG,
    Call(
        "call_rows",
        "query_mysql",
        {"data_source": "orders", "sql": "SELECT 1 WHERE 1 = ?", "params": [1]},
        status="EVIDENCE_FOUND",
    ),
    Call(
        "call_error",
        "query_mysql",
        {"data_source": "billing", "sql": "SELECT 1", "params": None},
        status="ERROR",
    ),
    UNKNOWN,
)
"""One turn of a model that calls all tools at once, rightly and wrongly."""


def check(call: Call, wire: Any) -> None:
    """Assert that what came back for a call is right: its result, or its refusal."""
    if call.refusal is not None:
        assert wire == {"error": call.refusal}
        return
    result = AgentToolContracts.named(call.name).result.from_dict(wire)
    assert result.tool_call_id == call.id
    assert result.status.value == call.status
    if call is FOUND:
        assert [item.section for item in result.evidence] == ["Payment inside the transaction"]
    if call is LOGS:
        assert [event.message for event in result.timeline_events] == [
            "支付渠道超时 order=88213205"
        ]


def check_texts(calls: Iterable[Call], texts: dict[str, str]) -> None:
    """Assert that all calls were answered in order, each by the right JSON text."""
    calls = tuple(calls)
    assert list(texts) == [call.id for call in calls]
    for call in calls:
        check(call, json.loads(texts[call.id]))
        assert "\\u" not in texts[call.id]
    if LOGS in calls:
        assert "支付渠道超时" in texts[LOGS.id]


def definitions(api: str) -> list[dict[str, Any]]:
    """Return what one API must be told, made anew."""
    define: Callable[[Any], dict[str, Any]] = getattr(
        importlib.import_module("agent_contracts.definitions"), api
    )
    return [define(tool) for tool in AgentToolContracts.ALL]


def example_results() -> Iterator[tuple[str, Any, Any]]:
    """Yield each example result: its name, its tool and the object."""
    for tool in AgentToolContracts.ALL:
        for file in sorted((PAYLOADS / tool.name).glob("*.json")):
            if not file.name.startswith("request"):
                result = tool.result.from_json(file.read_bytes())
                yield f"{tool.name}/{file.stem}", tool, result


class Script:
    """An HTTP handler that answers with one body after another, and keeps what it was sent."""

    def __init__(self, response: Callable[..., Any], *bodies: dict[str, Any]) -> None:
        self._response = response
        self._bodies = iter(bodies)
        self.sent: list[Any] = []

    def __call__(self, request: Any) -> Any:
        self.sent.append(json.loads(request.content))
        return self._response(200, json=next(self._bodies))


assert Path(agent_contracts.__file__).is_relative_to(ROOT), "another copy would be tested"
