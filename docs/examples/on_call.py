# SPDX-License-Identifier: MIT
"""Answer a recorded on-call conversation with the three tools of `agent_contracts`.

A model was asked why orders fail, and called tools. This script does the harness's part: it
parses each recorded call into a typed request, answers it from the files in `on_call/` (through
`on_call/adapters.py`), and prints what the model would read.
"""

import argparse
import json
import os
import sys
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

# a fresh clone runs with nothing installed: the package lies two folders up
sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
sys.path.insert(0, str(Path(__file__).resolve().with_suffix("")))

import adapters

from agent_contracts import (
    AgentToolContracts,
    ContractError,
    EvidenceStatus,
    LogEvent,
    LogPattern,
    LogScope,
    MysqlToolRequest,
    MysqlToolResult,
    Problem,
    QueryLogsToolRequest,
    QueryLogsToolResult,
    RagEvidence,
    RagToolRequest,
    RagToolResult,
    SourceKind,
    observations,
    rfc3339,
)

MAX_EXCERPTS, MAX_PATTERNS, MAX_EVENTS, MAX_ROWS, MAX_TEXT = 3, 5, 5, 5, 600
DEFAULT_LOOKBACK, MAX_LOOKBACK = 30, 24 * 60  # minutes
DATA_SOURCES = {"orders": "orders.sql"}


@dataclass(frozen=True)
class Harness:
    """Turns what the adapters find into bounded, typed results."""

    folder: Path
    now: datetime

    def lookup_knowledge(self, request: RagToolRequest, call_id: str) -> RagToolResult:
        """Answer one call of lookup_knowledge."""
        status, found = attempt(adapters.sections, self.folder / "runbooks", request.query)
        return RagToolResult(
            tool_call_id=call_id,
            status=status,
            query=request.query,
            evidence_count=len(found),
            truncated=len(found) > MAX_EXCERPTS,
            evidence=[RagEvidence(**clipped(item, "content")) for item in found[:MAX_EXCERPTS]],
        )

    def query_logs(self, request: QueryLogsToolRequest, call_id: str) -> QueryLogsToolResult:
        """Answer one call of query_logs."""
        # the scope says what is really searched, whatever was asked for
        minutes = min(max(request.lookback_minutes or DEFAULT_LOOKBACK, 1), MAX_LOOKBACK)
        start = self.now - timedelta(minutes=minutes)
        file = self.folder / f"{request.topic.value.lower().replace('_', '-')}.log"
        status, found = attempt(adapters.events, file, request.query, start, self.now)
        shapes = adapters.patterns(found)
        return QueryLogsToolResult(
            tool_call_id=call_id,
            status=status,
            source_kind=SourceKind.MOCK,
            scope=LogScope(
                topic=request.topic,
                query=request.query,
                lookback_minutes=minutes,
                start_time=rfc3339(start),
                end_time=rfc3339(self.now),
            ),
            matched_count=len(found),
            truncated=len(shapes) > MAX_PATTERNS or len(found) > MAX_EVENTS,
            patterns=[LogPattern(**clipped(item, "sample")) for item in shapes[:MAX_PATTERNS]],
            timeline_events=[LogEvent(**clipped(item, "message")) for item in found[:MAX_EVENTS]],
        )

    def query_mysql(self, request: MysqlToolRequest, call_id: str) -> MysqlToolResult:
        """Answer one call of query_mysql."""
        if request.data_source not in DATA_SOURCES:  # a rule of this harness, told like any other
            known = Problem("/data_source", f"expected one of {', '.join(DATA_SOURCES)}")
            raise ContractError("MysqlToolRequest", [known])
        script = self.folder / DATA_SOURCES[request.data_source]
        status, found = attempt(adapters.rows, script, request.sql, request.params)
        columns = found[0].keys() if found else []
        return MysqlToolResult(
            tool_call_id=call_id,
            status=status,
            row_count=len(found),
            truncated=len(found) > MAX_ROWS,
            columns=columns,
            rows=[dict(zip(columns, row, strict=True)) for row in found[:MAX_ROWS]],
        )

    def answer(self, call: dict[str, Any]) -> dict[str, Any]:
        """Answer one call of the recording; a refused call gets its error as the answer."""
        name, arguments = call["function"]["name"], call["function"]["arguments"]
        try:
            request = AgentToolContracts.named(name).parse(arguments)
            return observations.openai_chat(getattr(self, name)(request, call["id"]))
        except ContractError as error:
            return observations.openai_chat(error, tool_call_id=call["id"])


def attempt(adapter: Callable[..., list[Any]], *query: Any) -> tuple[EvidenceStatus, list[Any]]:
    """Return what an adapter finds, and the status that says so."""
    try:
        found = adapter(*query)
    except adapters.FAILURES:
        # The text of the exception may name hosts, files and users. It is for the log of the
        # harness; the model only reads that the tool could not answer.
        return EvidenceStatus.ERROR, []
    return EvidenceStatus.EVIDENCE_FOUND if found else EvidenceStatus.NO_EVIDENCE, found


def clipped(item: dict[str, Any], key: str) -> dict[str, Any]:
    """Cut one text of an item to what the model reads at once; the ellipsis shows the cut."""
    text = item[key]
    return item if len(text) <= MAX_TEXT else {**item, key: text[: MAX_TEXT - 1] + "…"}


def main() -> None:
    """Answer the calls of a recording, in their order."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--json", action="store_true", help="print the tool messages only, as JSON lines"
    )
    parser.add_argument(
        "--data",
        type=Path,
        default=Path(__file__).resolve().with_suffix(""),
        metavar="FOLDER",
        help="where conversation.json, runbooks, logs and SQL are (default: on_call/)",
    )
    options = parser.parse_args()
    if not (options.data / "conversation.json").is_file():
        parser.error(f"{options.data} holds no conversation.json")

    recording = json.loads((options.data / "conversation.json").read_text("utf-8"))
    # now is when the conversation was recorded, so that the answers are the same every day
    harness = Harness(options.data, datetime.fromisoformat(recording["recorded_at"]))
    for message in recording["messages"]:
        if message["content"] and not options.json:
            print(f"{message['role']}: {message['content']}\n")
        for call in message.get("tool_calls", []):
            observation = harness.answer(call)
            if options.json:
                print(json.dumps(observation, ensure_ascii=False))
                continue
            print(call["function"]["name"], call["function"]["arguments"])
            content = json.loads(observation["content"])
            print(json.dumps(content, ensure_ascii=False, indent=2), end="\n\n")


if __name__ == "__main__":
    sys.stdout.reconfigure(encoding="utf-8")  # whatever the locale is
    try:
        main()
    except BrokenPipeError:  # piped into `head`, which has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
