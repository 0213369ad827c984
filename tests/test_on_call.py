# SPDX-License-Identifier: MIT
"""The on-call example: it runs anywhere, answers every recorded call, and leaks nothing.

The script is run as a stranger runs it, on the package beside it; what it prints is read with
the package under test.
"""

import json
import os
import shutil
import subprocess
import sys
import tempfile
import unittest
from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from typing import Any

from tests import contracts, module

EXAMPLES = Path(__file__).resolve().parent.parent / "docs" / "examples"
SCRIPT = EXAMPLES / "on_call.py"
DATA = EXAMPLES / "on_call"
STATUSES = ["EVIDENCE_FOUND", None, "EVIDENCE_FOUND", "EVIDENCE_FOUND", "NO_EVIDENCE"]
MAX_EXCERPTS, MAX_PATTERNS, MAX_EVENTS, MAX_ROWS, MAX_TEXT = 3, 5, 5, 5, 600


def run(*arguments: str | Path) -> str:
    """Run the script in an empty folder, without this process's settings of Python."""
    environment = {key: value for key, value in os.environ.items() if not key.startswith("PYTHON")}
    environment |= {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONDONTWRITEBYTECODE": "1"}
    with tempfile.TemporaryDirectory() as folder:
        done = subprocess.run(
            [sys.executable, "-W", "error", SCRIPT, *arguments],
            cwd=folder,
            env=environment,
            capture_output=True,
            check=False,
        )
        left = os.listdir(folder)
    errors = done.stderr.decode(errors="replace")
    if done.returncode or errors or left:
        raise AssertionError(f"exit code {done.returncode}, files {left}, errors: {errors}")
    return done.stdout.decode()


def observations(*arguments: str | Path) -> list[Any]:
    return [json.loads(line) for line in run("--json", *arguments).splitlines()]


def recorded_calls(folder: Path = DATA) -> list[Any]:
    recording = json.loads((folder / "conversation.json").read_bytes())
    return [call for said in recording["messages"] for call in said.get("tool_calls", [])]


def call_of(tool: str, arguments: object) -> dict[str, Any]:
    text = arguments if isinstance(arguments, str) else json.dumps(arguments)
    return {"id": "call_x", "type": "function", "function": {"name": tool, "arguments": text}}


def result_of(tool: str, observation: Any) -> Any:
    return contracts.AgentToolContracts.named(tool).result.from_json(observation["content"])


class OnCallTest(unittest.TestCase):
    maxDiff = None
    printed: list[Any]
    calls: list[Any]

    @classmethod
    def setUpClass(cls) -> None:
        cls.printed = observations()
        cls.calls = recorded_calls()

    def results(self) -> list[Any]:
        """The results among the observations, in their order."""
        return [
            result_of(call["function"]["name"], said)
            for call, said in zip(self.calls, self.printed, strict=True)
            if "error" not in json.loads(said["content"])
        ]

    def test_each_recorded_call_is_answered_once_under_its_own_id_and_in_order(self) -> None:
        for said in self.printed:
            self.assertEqual(list(said), ["role", "tool_call_id", "content"])
            self.assertEqual(said["role"], "tool")
        ids = [call["id"] for call in self.calls]
        self.assertEqual([said["tool_call_id"] for said in self.printed], ids)
        self.assertEqual(len(set(ids)), len(STATUSES))

    def test_the_contents_are_results_of_their_tools_with_the_statuses_of_the_story(self) -> None:
        for call, said, status in zip(self.calls, self.printed, STATUSES, strict=True):
            with self.subTest(call=call["function"]):
                if status is None:
                    continue
                result = result_of(call["function"]["name"], said)
                self.assertEqual(str(result.status), status)
                self.assertEqual(result.tool_call_id, call["id"])
                self.assertEqual(module("rules").violations(result), ())
                self.assertEqual(said["content"], result.to_json())

    def test_the_refused_call_reads_its_contract_error_and_is_mended_by_the_next(self) -> None:
        refused, mended = self.calls[1]["function"], self.calls[2]["function"]
        tool = contracts.AgentToolContracts.named(refused["name"])
        with self.assertRaises(contracts.ContractError) as caught:
            tool.parse(refused["arguments"])
        self.assertEqual(json.loads(self.printed[1]["content"]), {"error": str(caught.exception)})
        told = "; ".join(problem.path for problem in caught.exception.problems)
        self.assertEqual(told, "/topic; /limit; /tool_call_id")
        self.assertEqual(mended["name"], refused["name"])
        self.assertEqual(tool.parse(mended["arguments"]).topic, contracts.LogTopic.APPLICATION)

    def test_the_counts_are_those_of_the_sources_and_the_lists_are_bounded(self) -> None:
        knowledge, logs, mysql, nothing = self.results()
        self.assertEqual(len(knowledge.evidence), MAX_EXCERPTS)
        self.assertTrue(all(len(item.content) <= MAX_TEXT for item in knowledge.evidence))
        runbooks = "".join(path.read_text("utf-8") for path in (DATA / "runbooks").iterdir())
        self.assertTrue(all(item.content in runbooks for item in knowledge.evidence))

        start, end = map(datetime.fromisoformat, (logs.scope.start_time, logs.scope.end_time))
        lines = (DATA / "application.log").read_text("utf-8").splitlines()
        matched = [
            line
            for line in lines
            if line[:2] == "20"
            and "order-service" in line
            and "connection" in line.lower()
            and start <= datetime.fromisoformat(line.split()[0]) <= end
        ]
        self.assertEqual(logs.matched_count, len(matched))
        self.assertEqual(sum(pattern.count for pattern in logs.patterns), len(matched))
        self.assertEqual(
            [event.timestamp for event in logs.timeline_events],
            [line.split()[0] for line in matched[:MAX_EVENTS]],
        )
        for pattern in logs.patterns:
            self.assertIn("<*>", pattern.pattern)
            self.assertNotRegex(pattern.pattern, "[0-9]")

        sessions = (DATA / "orders.sql").read_text("utf-8").count("'order_service'")
        self.assertEqual((mysql.row_count, len(mysql.rows)), (sessions, MAX_ROWS))
        seconds = [row["seconds"] for row in mysql.rows]
        self.assertEqual(seconds, sorted(seconds, reverse=True))
        self.assertEqual((nothing.matched_count, nothing.truncated), (0, False))
        self.assertGreater((DATA / "database-slow-query.log").stat().st_size, 0)

    def test_the_story_is_one_incident(self) -> None:
        _, logs, mysql, _ = self.results()
        first = min(p.first_seen for p in logs.patterns if p.level == "ERROR")
        self.assertTrue(first.startswith("2026-07-12T15:11:"), first)
        log = (DATA / "application.log").read_text("utf-8")
        for row in mysql.rows:
            host = row["host"].split(":")[0]
            order = row["last_statement"].split("(")[1].split(",")[0]
            self.assertRegex(log, rf"{host} Order {order} accepted for buyer")

    def test_the_payload_files_show_what_it_answers(self) -> None:
        shown = ["lookup_knowledge/truncated", "query_logs/truncated"]
        shown += ["query_mysql/truncated", "query_logs/no-evidence"]
        for name, result in zip(shown, self.results(), strict=True):
            file = EXAMPLES / "payloads" / f"{name}.json"
            self.assertEqual(file.read_text("utf-8"), result.to_json(indent=2) + "\n", name)

    def test_people_read_the_same_contents_and_what_was_said_around_them(self) -> None:
        text = run()
        rest = text
        for call, said in zip(self.calls, self.printed, strict=True):
            content = json.dumps(json.loads(said["content"]), ensure_ascii=False, indent=2)
            header = f"{call['function']['name']} {call['function']['arguments']}\n"
            _, found, rest = rest.partition(f"{header}{content}\n")
            self.assertTrue(found, header)
        recording = json.loads((DATA / "conversation.json").read_bytes())
        spoken = [said for said in recording["messages"] if said["content"]]
        self.assertEqual({said["role"] for said in spoken}, {"user", "assistant"})
        for said in spoken:
            self.assertIn(f"{said['role']}: {said['content']}\n", text)
        last = spoken[-1]["content"]
        for result in self.results():
            self.assertIn(result.tool_call_id, last)

    def test_real_characters_are_printed_whatever_the_locale(self) -> None:
        calls = [call_of("query_logs", {"topic": "APPLICATION", "query": "夏夜特卖"})]
        self.assertIn("夏夜特卖 has started 🎉", self.answered(calls)[0]["content"])

    def test_help_names_both_options(self) -> None:
        text = run("--help")
        self.assertIn("--json", text)
        self.assertIn("--data FOLDER", text)

    def answered(
        self,
        calls: list[Any],
        change: Callable[[Path], object] = Path.exists,
        now: str = "2026-07-12T15:20:00+08:00",
    ) -> list[Any]:
        """Have other calls answered, from a changed copy of the sources."""
        with tempfile.TemporaryDirectory() as parent:
            folder = Path(parent) / "copy"
            shutil.copytree(DATA, folder)
            change(folder)
            said = {"role": "assistant", "content": None, "tool_calls": calls}
            recording = {"recorded_at": now, "messages": [said]}
            (folder / "conversation.json").write_text(json.dumps(recording), encoding="utf-8")
            return observations("--data", folder)

    def test_a_source_that_fails_becomes_an_error_result_that_names_nothing(self) -> None:
        calls = [self.calls[0], *self.calls[2:]]

        def without_sources(folder: Path) -> None:
            shutil.rmtree(folder / "runbooks")
            for file in (*folder.glob("*.log"), *folder.glob("*.sql")):
                file.unlink()

        def with_broken_sources(folder: Path) -> None:
            (folder / "runbooks" / "bad.md").write_bytes(b"# \xff\xfe secret-host\n")
            for file in folder.glob("*.log"):
                file.write_text("2026-13-99 secret-host\n", encoding="utf-8")
            no_offset = "2026-07-12T15:19:00 - - secret-host order-service connection"
            (folder / "application.log").write_text(no_offset, encoding="utf-8")
            (folder / "orders.sql").write_text("CREATE TABEL secret_host;", encoding="utf-8")

        for change in (without_sources, with_broken_sources):
            with self.subTest(change=change.__name__):
                printed = self.answered(calls, change)
                for call, said in zip(calls, printed, strict=True):
                    result = result_of(call["function"]["name"], said)
                    self.assertEqual(str(result.status), "ERROR")
                    self.assertEqual(result.tool_call_id, call["id"])
                    self.assertEqual(module("rules").violations(result), ())
                self.assertNotRegex(
                    json.dumps(printed), r"secret.host|TABEL|Errno|utf|Traceback|/copy|\.sql|\.md"
                )

    def test_a_statement_that_fails_becomes_an_error_result(self) -> None:
        statements: dict[str, tuple[str, list[Any]]] = {
            "no such table": ("SELECT * FROM secret_table", []),
            "it writes": ("DELETE FROM orders", []),
            "two statements": ("SELECT 1; SELECT 2", []),
            "a value too few": ("SELECT * FROM orders WHERE order_id = ?", []),
            "an integer too large": ("SELECT ?", [2**70]),
            "half of a statement": ("SELECT 'secret_table", []),
        }
        calls = [
            call_of("query_mysql", {"data_source": "orders", "sql": sql, "params": params})
            for sql, params in statements.values()
        ]
        for case, said in zip(statements, self.answered(calls), strict=True):
            with self.subTest(case=case):
                result = result_of("query_mysql", said)
                self.assertEqual(str(result.status), "ERROR")
                self.assertEqual((result.row_count, result.columns, result.rows), (0, (), ()))
                self.assertNotIn("secret_table", said["content"])

    def test_other_calls_that_cannot_be_answered_are_refused_in_words(self) -> None:
        same_name = "SELECT order_id, order_id FROM orders LIMIT 1"
        cases = {
            "tool name: expected one of": call_of("run_shell", {}),
            "RagToolRequest: the text is empty": call_of("lookup_knowledge", ""),
            "MysqlToolRequest: /data_source: expected one of orders": call_of(
                "query_mysql", {"data_source": "../secret", "sql": "SELECT 1"}
            ),
            "MysqlToolResult: /columns/1: column names must be unique": call_of(
                "query_mysql", {"data_source": "orders", "sql": same_name}
            ),
        }
        for right, said in zip(cases, self.answered(list(cases.values())), strict=True):
            told = json.loads(said["content"])
            self.assertEqual((list(told), said["tool_call_id"]), (["error"], "call_x"))
            self.assertTrue(told["error"].startswith(right), told)
            self.assertNotIn("secret", said["content"])

    def test_the_scope_says_what_was_searched_whatever_was_asked_for(self) -> None:
        cases = {15: 15, None: 30, 0: 30, -5: 1, 10**12: 1440}
        calls = [
            call_of(
                "query_logs", {"topic": "SYSTEM_EVENTS", "query": "", "lookback_minutes": asked}
            )
            for asked in cases
        ]
        for searched, said in zip(cases.values(), self.answered(calls), strict=True):
            scope = result_of("query_logs", said).scope
            start, end = map(datetime.fromisoformat, (scope.start_time, scope.end_time))
            self.assertEqual(scope.lookback_minutes, searched)
            self.assertEqual((end - start).total_seconds(), searched * 60)

    def test_only_the_events_of_the_scope_are_counted(self) -> None:
        arguments = {"topic": "SYSTEM_EVENTS", "query": "readiness", "lookback_minutes": 2}
        cases = {"14:00": [], "15:00": ["15:14:07"], "17:00": ["15:16:37"], "19:00": []}
        for minute, right in cases.items():
            now = f"2026-07-12T15:{minute}+08:00"
            (said,) = self.answered([call_of("query_logs", arguments)], now=now)
            events = result_of("query_logs", said).timeline_events
            self.assertEqual([event.timestamp[11:19] for event in events], right, minute)

    def test_a_long_text_is_cut_where_it_shows(self) -> None:
        def with_long_texts(folder: Path) -> None:
            text = "# Long\n## Part\n### Detail\n" + "zebra " * 500
            (folder / "runbooks" / "long.md").write_text(text, encoding="utf-8")
            line = "2026-07-12T15:19:00+08:00 - - - " + "zebra " * 500
            (folder / "application.log").write_text(line, encoding="utf-8")

        calls = [
            call_of("lookup_knowledge", {"query": "zebra"}),
            call_of("query_logs", {"topic": "APPLICATION", "query": "zebra"}),
        ]
        found, logged = self.answered(calls, with_long_texts)
        (excerpt,) = result_of("lookup_knowledge", found).evidence
        self.assertEqual((excerpt.source, excerpt.section), ("Long", "Part > Detail"))
        (event,) = result_of("query_logs", logged).timeline_events
        self.assertEqual((event.level, event.service, event.instance), (None, None, None))
        for text in (excerpt.content, event.message):
            self.assertEqual((len(text), text[-1]), (MAX_TEXT, "…"))
