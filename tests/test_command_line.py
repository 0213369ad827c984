# SPDX-License-Identifier: MIT
"""The command line: in this process, in processes of its own, from a copy, and on the pages."""

import contextlib
import io
import itertools
import json
import os
import re
import runpy
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import unittest
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from unittest import mock

from tests import contracts, module
from tests._process import PACKAGE, ROOT, environment_for, python, vendored
from tests._samples import sample, wire

main = module("__main__")
definitions = module("definitions")
snapshots = module("snapshot")

DOCS = Path(__file__).resolve().parent.parent / "docs"
PROGRAM = f"python -m {contracts.__name__}"
CLASSES = (
    "RagToolRequest, RagToolResult, RagEvidence, QueryLogsToolRequest, QueryLogsToolResult, "
    "LogScope, LogPattern, LogEvent, MysqlToolRequest, MysqlToolResult"
)
POSIX = unittest.skipUnless(os.name == "posix", "signals, pipes and file names are POSIX's here")

GOOD = '{"query": "a"}\n'
BAD = '{"query": 1}\n'
WRONG = "/query: expected string, got number"
MISSING = "expected one JSON object with query"


class Input(io.TextIOWrapper):
    """Standard input that holds some bytes."""

    def __init__(self, data: bytes) -> None:
        super().__init__(io.BytesIO(data), encoding="ascii")


class Output(io.TextIOWrapper):
    """A standard stream that keeps what is written, and may say that it is a terminal."""

    def __init__(self, *, terminal: bool = False) -> None:
        super().__init__(io.BytesIO(), encoding="ascii", newline="\n")
        self._terminal = terminal

    def isatty(self) -> bool:
        return self._terminal

    def text(self) -> str:
        self.flush()
        kept = self.buffer
        assert isinstance(kept, io.BytesIO)
        return kept.getvalue().decode("utf-8", "surrogateescape")


class Run:
    """One run of the command line in this process: its exit code and what it wrote."""

    def __init__(self, *words: str, stdin: bytes = b"", terminal: bool = False) -> None:
        out, err = Output(), Output(terminal=terminal)
        with contextlib.ExitStack() as stack:
            stack.enter_context(mock.patch.object(sys, "stdin", Input(stdin)))
            stack.enter_context(contextlib.redirect_stdout(out))
            stack.enter_context(contextlib.redirect_stderr(err))
            stack.enter_context(mock.patch.dict(os.environ, COLUMNS="80"))
            try:
                self.code = main.main(list(words))
            except SystemExit as stop:
                self.code = stop.code
        self.out, self.err = out.text(), err.text()


class CommandLineCase(unittest.TestCase):
    maxDiff = None

    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def file(self, name: str, content: str | bytes) -> str:
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return str(path)

    def assert_run(self, run: Run, code: int, out: str, err: str) -> None:
        self.assertEqual((run.code, run.out, run.err), (code, out, err))

    def assert_usage(self, run: Run, *told: str) -> None:
        """Assert that a run was refused, and that the last line says so."""
        self.assertEqual((run.code, run.out), (2, ""))
        for text in told:
            self.assertIn(text, run.err.splitlines()[-1])


class Printing(CommandLineCase):
    """The commands that print the contract."""

    def test_tools_prints_the_definitions_of_an_api(self) -> None:
        for api in ("openai_chat", "openai_responses", "anthropic", "gemini", "mcp", "spring_ai"):
            with self.subTest(case=api):
                run = Run("tools", "--api", api.replace("_", "-"))
                right = [
                    getattr(definitions, api)(tool) for tool in contracts.AgentToolContracts.ALL
                ]
                self.assert_run(run, 0, json.dumps(right, ensure_ascii=False, indent=2) + "\n", "")
        self.assertEqual(Run("tools").out, Run("tools", "--api", "mcp").out)
        apis = {api.replace("_", "-") for api in definitions.__all__}
        self.assertEqual(set(main.APIS), apis)
        self.assert_usage(Run("tools", "--api", "openai"), "invalid choice: 'openai'")

    def test_schema_prints_one_document_or_all(self) -> None:
        documents = {
            name: snapshots.schema_document(contract)
            for name, contract in snapshots.contract_classes().items()
        }
        for name, document in documents.items():
            with self.subTest(case=name):
                run = Run("schema", name)
                self.assert_run(
                    run, 0, json.dumps(document, indent=2, ensure_ascii=False) + "\n", ""
                )
        run = Run("schema")
        self.assertEqual((run.code, json.loads(run.out), run.err), (0, documents, ""))
        told = f"{PROGRAM}: no class LogTopic; expected one of {CLASSES}\n"
        self.assert_run(Run("schema", "LogTopic"), 2, "", told)

    def test_snapshot_and_fingerprint_print_those_of_the_package(self) -> None:
        run = Run("snapshot")
        self.assertEqual((run.code, json.loads(run.out), run.err), (0, snapshots.snapshot(), ""))
        self.assert_run(Run("fingerprint"), 0, snapshots.fingerprint() + "\n", "")

    def test_version_names_the_distribution_and_the_contract(self) -> None:
        version = f"{contracts.__version__} (contract {contracts.CONTRACT_VERSION})"
        self.assert_run(Run("--version"), 0, f"agent-evidence-contracts {version}\n", "")

    def test_each_command_has_help_with_an_example_that_is_its_own(self) -> None:
        for command in ("tools", "schema", "check", "snapshot", "fingerprint", "compare"):
            with self.subTest(case=command):
                run = Run(command, "--help")
                text = " ".join(run.out.split())
                self.assertEqual((run.code, run.err), (0, ""))
                self.assertTrue(text.startswith(f"usage: {PROGRAM} {command} [-h]"))
                self.assertIn(f"example: {PROGRAM} {command}", text)
                self.assertIn(command, Run("--help").out)

    def test_a_wrong_command_or_word_is_refused(self) -> None:
        cases = {
            (): "the following arguments are required: COMMAND",
            ("chek",): "invalid choice: 'chek'",
            ("tools", "anthropic"): "unrecognized arguments: anthropic",
            ("fingerprint", "--api", "mcp"): "unrecognized arguments: --api mcp",
            ("compare",): "the following arguments are required: FILE",
            ("check",): "the following arguments are required: CONTRACT",
        }
        for words, told in cases.items():
            with self.subTest(case=words):
                self.assert_usage(Run(*words), f"{PROGRAM}", told)

    def test_streams_that_cannot_be_reconfigured_will_do(self) -> None:
        out = io.StringIO()
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(io.StringIO()):
            self.assertEqual(main.main(["fingerprint"]), 0)
        self.assertEqual(out.getvalue(), snapshots.fingerprint() + "\n")

    def test_the_module_is_run_by_its_name(self) -> None:
        out, name = Output(), f"{contracts.__name__}.__main__"
        with (
            mock.patch.dict(sys.modules),
            mock.patch.object(sys, "argv", ["-m", "fingerprint"]),
            contextlib.redirect_stdout(out),
            self.assertRaises(SystemExit) as stopped,
        ):
            del sys.modules[name]
            runpy.run_module(name, run_name="__main__")
        self.assertEqual((stopped.exception.code, out.text()), (0, snapshots.fingerprint() + "\n"))


class Compare(CommandLineCase):
    def snapshot(self, name: str, **changes: Any) -> str:
        return self.file(name, json.dumps(snapshots.snapshot() | changes))

    def test_no_difference_is_good(self) -> None:
        same = self.snapshot("same.json")
        self.assert_run(Run("compare", same), 0, "", "")
        self.assert_run(Run("compare", same, same), 0, "", "")

    def test_differences_are_told_and_the_code_says_whether_one_breaks_anybody(self) -> None:
        old = self.snapshot("old.json", contract_version="0")
        version = "/contract_version: was 0, is 1 (breaks nobody)\n"
        self.assert_run(Run("compare", old), 0, version, "")
        gone = self.snapshot("gone.json", tools=snapshots.snapshot()["tools"][1:])
        self.assert_run(
            Run("compare", old, gone),
            1,
            version + "/tools/0: lookup_knowledge is gone (breaks callers)\n",
            "",
        )
        # the first file is the one that others rely on
        version = "/contract_version: was 1, is 0 (breaks nobody)\n"
        new = "/tools/0: lookup_knowledge is new (breaks nobody)\n"
        self.assert_run(Run("compare", gone, old), 0, version + new, "")

    def test_what_cannot_be_read_is_told_with_its_name(self) -> None:
        same = self.snapshot("same.json")
        missing, folder = str(self.folder / "missing.json"), str(self.folder)
        cases = {
            missing: f"{missing}: No such file or directory",
            self.file("empty.json", ""): f"{folder}/empty.json: the text is empty",
            self.file("cut.json", '{"tools": ['): f"{folder}/cut.json: it ends early and may have"
            " been cut off",
            self.file("bytes.json", b"\xff\x00"): f"{folder}/bytes.json: the bytes are not UTF-8",
            self.file("other.json", "{}"): "compare: expected two snapshots of a contract",
        }
        for name, told in cases.items():
            for words in ((name,), (name, same), (same, name)):
                with self.subTest(case=words):
                    told_here = told.replace("/", os.sep) if folder in told else told
                    self.assert_run(Run("compare", *words), 2, "", f"{PROGRAM}: {told_here}\n")


class Check(CommandLineCase):
    def test_each_contract_goes_by_its_class_or_by_its_tool(self) -> None:
        names = {name: name for name in snapshots.contract_classes()}
        for tool in contracts.AgentToolContracts.ALL:
            names[f"{tool.name}.request"] = tool.request.__name__
            names[f"{tool.name}.result"] = tool.result.__name__
        self.assertEqual(len(names), 16)
        for name, contract in names.items():
            with self.subTest(case=name):
                good = json.dumps(wire(contract)).encode()
                self.assert_run(
                    Run("check", name, stdin=good),
                    0,
                    "",
                    "1 payload in 1 file: 0 problems in 0 payloads\n",
                )
                self.assertEqual(Run("check", name, stdin=b"{}").code, 1)
        tools = [f"{tool}.{half}" for tool in TOOLS for half in ("request", "result")]
        told = f"no contract RagToolReqest; expected one of {CLASSES}, {', '.join(tools)}"
        self.assert_run(Run("check", "RagToolReqest"), 2, "", f"{PROGRAM}: {told}\n")

    def test_a_payload_or_lines_of_payloads_are_told_apart(self) -> None:
        for name, (content, told, payloads) in DETECTED.items():
            data = content if isinstance(content, bytes) else content.encode()
            # the content decides, whatever the file is called, but for names of JSON Lines
            for where in ("recorded.json", "recorded.txt", "-"):
                with self.subTest(case=name, file=where):
                    file = self.file(where, data) if where != "-" else "-"
                    run = Run("check", "RagToolRequest", file, stdin=data)
                    place = "<stdin>" if file == "-" else file
                    lines = [line.removeprefix(f"{place}:") for line in run.out.splitlines()]
                    self.assertEqual(lines, told)
                    self.assertEqual(run.err.split(" in ")[0], counted(payloads, "payload"))
                    self.assertEqual(run.code, 1 if told else 0 if payloads else 2)

    def test_a_name_of_json_lines_decides(self) -> None:
        pretty = '{\n  "query": "a"\n}\n'
        for suffix in ("jsonl", "ndjson", "JSONL"):
            with self.subTest(case=suffix):
                run = Run("check", "RagToolRequest", self.file(f"a.{suffix}", pretty))
                lines = [
                    line.rpartition(f".{suffix}:")[2].split(":")[0] for line in run.out.splitlines()
                ]
                self.assertEqual((lines, run.code), (["1", "2", "3"], 1))

    def test_each_problem_is_a_line_in_three_formats(self) -> None:
        lines = GOOD + '{"query": 1, "a": "%"}\n' + '{"query": "cut'
        file = self.file("a.jsonl", lines)
        cut = f"it ends early and may have been cut off; {MISSING}"
        unknown = "unknown field (known: query)"
        err = "3 payloads in 1 file: 3 problems in 2 payloads\n"
        text = f"{file}:2: {WRONG}\n{file}:2: /a: {unknown}\n{file}:3: {cut}\n"
        for words in ((), ("--format", "text")):
            self.assert_run(Run("check", "RagToolRequest", file, *words), 1, text, err)
        told = [
            {"file": file, "line": 2, "path": "/query", "message": "expected string, got number"},
            {"file": file, "line": 2, "path": "/a", "message": unknown},
            {"file": file, "line": 3, "path": "", "message": cut},
        ]
        text = "".join(
            json.dumps(line, ensure_ascii=False, separators=(",", ":")) + "\n" for line in told
        )
        self.assert_run(Run("check", "RagToolRequest", "--format", "json", file), 1, text, err)
        if os.name == "posix":
            text = (
                f"::error file={file},line=2::{WRONG}\n"
                f"::error file={file},line=2::/a: {unknown}\n"
                f"::error file={file},line=3::{cut}\n"
            )
            self.assert_run(Run("check", "RagToolRequest", file, "--format=github"), 1, text, err)

    def test_annotations_are_escaped(self) -> None:
        as_github = module("_check").as_github
        problem = contracts.Problem("/a%\nb", "c: d, e\r\n::f")
        self.assertEqual(
            as_github("g:h,i%j\n::k\r.json", 7, problem),
            "::error file=g%3Ah%2Ci%25j%0A%3A%3Ak%0D.json,line=7::/a%25%0Ab: c: d, e%0D%0A::f",
        )
        # a key of a payload cannot break the line, in any format
        file = self.file("a.jsonl", '{"query": "a", "b\\n::error::c": 1}\n')
        for told in ("text", "json", "github"):
            with self.subTest(case=told):
                run = Run("check", "RagToolRequest", file, "--format", told)
                self.assertEqual(len(run.out.splitlines()), 1)

    def test_rules_are_checked_if_wanted_and_only_of_results(self) -> None:
        result = sample("RagToolResult", truncated=False, tool_call_id="\u3000")
        file = self.file("a.jsonl", result.to_json() + "\n" + "{}\n")
        refused = Run("check", "RagToolResult", file).out.splitlines()
        self.assertEqual(len(refused), 6)
        self.assertTrue(all(line.startswith(f"{file}:2: ") for line in refused))
        broken = [f"{file}:1: {problem}" for problem in module("rules").violations(result)]
        self.assertEqual(len(broken), 2)
        for words in (("--rules", file), (file, "--rules")):
            run = Run("check", "lookup_knowledge.result", *words)
            self.assert_run(
                run,
                1,
                "\n".join([*broken, *refused, ""]),
                "2 payloads in 1 file: 8 problems in 2 payloads\n",
            )
        for name in ("lookup_knowledge.request", "RagEvidence"):
            told = f"--rules needs the class of a result, not {snapshot_name(name)}"
            self.assert_run(Run("check", name, "--rules", file), 2, "", f"{PROGRAM}: {told}\n")

    def test_folders_are_searched_for_json_each_file_once_in_order(self) -> None:
        here = ["G.JSON", "a.jsonl", "b.json"]
        below = ["c/d.ndjson", "c/e.json/f.json", *(f"d/{name}/a.json" for name in "12345678")]
        for name in (*reversed(below), *here, "README.md", "c/h.txt", "json"):
            self.file(name, BAD)
        run = Run("check", "RagToolRequest", str(self.folder))
        found = [line.removeprefix(f"{self.folder}{os.sep}") for line in run.out.splitlines()]
        names = [line.split(":")[0].replace(os.sep, "/") for line in found]
        self.assertEqual(names, [*here, *below])
        self.assertEqual(run.err, "13 payloads in 13 files: 13 problems in 13 payloads\n")
        self.assertEqual(run.code, 1)

    def test_what_cannot_be_read_is_told_and_does_not_stop_the_rest(self) -> None:
        missing = str(self.folder / "missing.json")
        good, bad = self.file("good.json", GOOD), self.file("bad.json", BAD)
        for files, problems in (((missing, good), ()), ((bad, missing), (f"{bad}:1: {WRONG}\n",))):
            run = Run("check", "RagToolRequest", *files)
            self.assertEqual((run.code, run.out), (2, "".join(problems)))
            self.assertEqual(
                run.err,
                f"{missing}: No such file or directory\n1 payload in 1 file: "
                f"{counted(len(problems), 'problem')} in {counted(len(problems), 'payload')}"
                "; 1 could not be read\n",
            )

    @POSIX
    def test_a_link_that_leads_nowhere_is_told(self) -> None:
        (self.folder / "link.json").symlink_to("nowhere")
        run = Run("check", "RagToolRequest", str(self.folder))
        self.assertEqual(run.code, 2)
        self.assertIn(f"{self.folder}/link.json: No such file or directory\n", run.err)

    def test_a_folder_that_cannot_be_listed_is_told(self) -> None:
        file = self.file("a.json", GOOD)
        error = PermissionError(13, "Permission denied", str(self.folder / "locked"))

        def walk(
            top: str, onerror: Any = None, **_: Any
        ) -> Iterator[tuple[str, list[str], list[str]]]:
            onerror(error)
            yield top, [], ["a.json"]

        with mock.patch("os.walk", walk):
            run = Run("check", "RagToolRequest", str(self.folder))
        self.assertTrue(Path(file).exists())
        told = f"{error.filename}: Permission denied\n"
        summary = "1 payload in 1 file: 0 problems in 0 payloads; 1 could not be read\n"
        self.assert_run(run, 2, "", told + summary)

    def test_no_payload_is_not_good(self) -> None:
        err = "0 payloads in 0 files: 0 problems in 0 payloads\n"
        self.assert_run(Run("check", "RagToolRequest", str(self.folder)), 2, "", err)
        err = err.replace("0 files", "1 file")
        self.assert_run(Run("check", "RagToolRequest", stdin=b"\n \r\n"), 2, "", err)

    def test_files_stand_before_and_behind_options(self) -> None:
        good, bad = self.file("good.json", GOOD), self.file("bad.json", BAD)
        for words in (
            ("RagToolRequest", good, bad),
            ("RagToolRequest", good, "--format", "text", bad),
            ("RagToolRequest", "--format", "text", good, bad),
            ("--format", "text", "RagToolRequest", good, bad),
            ("RagToolRequest", good, "--format", "text", "--", bad),
            ("RagToolRequest", "--format", "text", "--", good, bad),
        ):
            with self.subTest(case=words):
                run = Run("check", *words)
                self.assertEqual((run.code, run.out), (1, f"{bad}:1: {WRONG}\n"))
                self.assertEqual(run.err, "2 payloads in 2 files: 1 problem in 1 payload\n")
        run = Run("check", "RagToolRequest", good, "--format", "text", "-", stdin=BAD.encode())
        self.assertEqual((run.code, run.out), (1, f"<stdin>:1: {WRONG}\n"))

    def test_an_unknown_option_is_refused_by_its_name(self) -> None:
        good = self.file("good.json", GOOD)
        for words in (("--rulez", good), (good, "--rulez"), ("--format", "text", good, "--rulez")):
            with self.subTest(case=words):
                run = Run("check", "RagToolRequest", *words)
                self.assert_usage(run, "unrecognized arguments: --rulez")
                self.assertNotIn("good.json", run.err)
        self.assert_usage(
            Run("check", "RagToolRequest", "--format", "xml"), "invalid choice: 'xml'"
        )

    @POSIX
    def test_a_name_that_begins_like_an_option_stands_behind_two_dashes(self) -> None:
        self.file("-a.json", BAD)
        for words in (("--", "-a.json"), ("--format", "text", "--", "-a.json")):
            with self.subTest(case=words), contextlib.chdir(self.folder):
                run = Run("check", "RagToolRequest", *words)
                self.assertEqual((run.code, run.out), (1, f"-a.json:1: {WRONG}\n"))

    def test_an_interrupt_ends_it_quietly(self) -> None:
        with mock.patch.object(
            contracts.RagToolRequest, "from_json", side_effect=KeyboardInterrupt
        ):
            run = Run("check", "RagToolRequest", stdin=GOOD.encode())
        self.assert_run(run, 130, "", "")


TOOLS = ("lookup_knowledge", "query_logs", "query_mysql")


def snapshot_name(name: str) -> str:
    return {"lookup_knowledge.request": "RagToolRequest"}.get(name, name)


def counted(count: int, what: str) -> str:
    return f"{count} {what}" if count == 1 else f"{count} {what}s"


INVALID = f"it is not valid JSON at line 1 column 1; {MISSING}"
CUT = f"it ends early and may have been cut off; {MISSING}"
NOT_UTF_8 = f"the bytes are not UTF-8; {MISSING}"

# name: what a file holds, what is told of it, and how many payloads that are
DETECTED: dict[str, tuple[str | bytes, list[str], int]] = {
    "one payload": (GOOD, [], 1),
    "one payload without a last line break": (GOOD.rstrip(), [], 1),
    "one payload on many lines": ('{\n  "query": "a"\n}\n', [], 1),
    "one payload that begins on the second line": ('\n{\n  "query": 1\n}\n', [f"2: {WRONG}"], 1),
    "one payload with a bracket on each line": ('{"query":\n"a"\n}', [], 1),
    "one payload with its comma first": (
        '{"query": 1\n, "a": 2\n}',
        [f"1: {WRONG}", "1: /a: unknown field (known: query)"],
        1,
    ),
    "one payload with blank lines, broken": (
        '\n{\n\n"query" "a"\n}\n',
        [f"2: it is not valid JSON at line 4 column 9; {MISSING}"],
        1,
    ),
    "an array": ("[" + GOOD + "]", ["1: expected object, got array"], 1),
    "one payload with an object on the second line": (
        '{"query":\n{"a": 1}\n}',
        ["1: /query: expected string, got object"],
        1,
    ),
    "an array of lines behind a byte order mark": (
        "\ufeff[\n" + GOOD + "]",
        ["1: expected object, got array"],
        1,
    ),
    "an array of lines": ("[\n" + GOOD + "]", ["1: expected object, got array"], 1),
    "an array that begins with a payload": (
        "[" + GOOD.rstrip() + "\n," + GOOD + "]",
        ["1: expected object, got array"],
        1,
    ),
    "lines": (GOOD + BAD + GOOD, [f"2: {WRONG}"], 3),
    "lines without a last line break": (GOOD + BAD.rstrip(), [f"2: {WRONG}"], 2),
    "lines that end as on Windows": ((GOOD + BAD).replace("\n", "\r\n"), [f"2: {WRONG}"], 2),
    "lines with blank ones between": ("\n" + GOOD + " \n\r\n" + BAD, [f"5: {WRONG}"], 2),
    "lines behind a byte order mark": ("\ufeff" + GOOD + BAD, [f"2: {WRONG}"], 2),
    "one payload behind a byte order mark": ('\ufeff{\n"query": 1}', [f"1: {WRONG}"], 1),
    "lines, the first cut off": ('{"query": "a\n' + BAD, [f"1: {CUT}", f"2: {WRONG}"], 2),
    "lines, the first cut off behind a byte order mark": (
        '\ufeff{"query": "a\n' + GOOD,
        [f"1: {CUT}"],
        2,
    ),
    "lines, the first two cut off behind a byte order mark": (
        '\ufeff{"query": "a\n{"query\n' + GOOD,
        [f"1: {CUT}", f"2: {CUT}"],
        3,
    ),
    "lines, the first two cut off": (
        '{"query": "a\n{"query\n' + GOOD,
        [f"1: {CUT}", f"2: {CUT}"],
        3,
    ),
    "lines, the first of them text": (
        "started\n" + GOOD + BAD,
        [f"1: {INVALID}", f"3: {WRONG}"],
        3,
    ),
    "lines, the first of them null": (
        "null\n" + BAD,
        ["1: expected object, got null", f"2: {WRONG}"],
        2,
    ),
    "lines, one in the middle broken": (GOOD + "}{\n" + BAD, [f"2: {INVALID}", f"3: {WRONG}"], 3),
    "lines with bytes that are not UTF-8": (
        GOOD.encode() + b'{"query": "\xff"}\n' + BAD.encode(),
        [f"2: {NOT_UTF_8}", f"3: {WRONG}"],
        3,
    ),
    "lines with two payloads": (
        GOOD + GOOD.rstrip() + GOOD,
        [f"2: a second JSON value follows the first; {MISSING}"],
        2,
    ),
    "a code fence": (
        "```json\n" + '{\n"query": "a"\n}\n```\n',
        [f"1: it is wrapped in a Markdown code fence; {MISSING}"],
        1,
    ),
    "bytes that are not text": (bytes(range(256)) * 9, [f"1: {NOT_UTF_8}"], 1),
    "text": ("started\nstopped\n", [f"1: {INVALID}"], 1),
    "UTF-16": (GOOD.encode("utf-16"), [f"1: {NOT_UTF_8}"], 1),
    "nothing": ("", [], 0),
    "blank lines": (" \n\r\n\t", [], 0),
}


def clock(times: Iterator[float]) -> Any:
    """Let each look at the clock see the next of some times."""
    return mock.patch("time.monotonic", side_effect=times)


class Progress(CommandLineCase):
    """What a terminal shows while a long file is checked."""

    CLEAR = "\r\x1b[K"

    def test_it_is_one_line_that_is_gone_before_anything_else_is_told(self) -> None:
        data = (GOOD * 2 + BAD + GOOD).encode()
        with clock(itertools.count(1.0)):
            run = Run("check", "RagToolRequest", stdin=data, terminal=True)
        done = "payloads in 1 file:"
        self.assertEqual(
            run.err,
            f"{self.CLEAR}1 payload in 1 file: 0 problems in 0 payloads"
            f"{self.CLEAR}2 {done} 0 problems in 0 payloads"
            f"{self.CLEAR}"  # a problem is told here
            f"{self.CLEAR}3 {done} 1 problem in 1 payload"
            f"{self.CLEAR}4 {done} 1 problem in 1 payload"
            f"{self.CLEAR}4 {done} 1 problem in 1 payload\n",
        )
        self.assertEqual(run.out, f"<stdin>:3: {WRONG}\n")

    def test_it_is_shown_now_and_then_and_not_for_a_short_file(self) -> None:
        times = iter([100.0, *(100.0 + count / 100 for count in range(1000))])
        with (
            clock(times),
            mock.patch.object(contracts.RagToolRequest, "from_json"),
        ):
            run = Run("check", "RagToolRequest", stdin=GOOD.encode() * 100, terminal=True)
        self.assertLessEqual(run.err.count(self.CLEAR), 7)
        self.assertGreaterEqual(run.err.count(self.CLEAR), 3)

    def test_nothing_is_written_where_output_is_kept(self) -> None:
        with clock(itertools.count(1.0)):
            run = Run("check", "RagToolRequest", stdin=GOOD.encode() * 5)
        self.assertEqual(run.err, "5 payloads in 1 file: 0 problems in 0 payloads\n")

    def test_an_interrupt_clears_it(self) -> None:
        answers = (None, KeyboardInterrupt)
        with (
            clock(itertools.count(1.0)),
            mock.patch.object(contracts.RagToolRequest, "from_json", side_effect=answers),
        ):
            run = Run("check", "RagToolRequest", stdin=GOOD.encode() * 3, terminal=True)
        self.assertEqual(run.code, 130)
        self.assertTrue(run.err.endswith(f"0 payloads{self.CLEAR}"), run.err)


class ProcessesOfItsOwn(CommandLineCase):
    """Each command from the package under test and from a copy, as a shell runs it."""

    def test_every_command_does_the_same_from_a_vendored_copy(self) -> None:
        vendored(self.folder, "acme._vendor.agent_contracts")
        same = self.file("contract.json", json.dumps(snapshots.snapshot()))
        good, bad = self.file("good.json", GOOD), self.file("bad.json", BAD)
        result = self.file("result.json", sample("RagToolResult", truncated=False).to_json())
        commands = (
            ("tools",),
            ("tools", "--api", "openai-chat"),
            ("schema",),
            ("schema", "LogEvent"),
            ("schema", "LogEvnt"),
            ("check", "RagToolRequest", good),
            ("check", "RagToolRequest", "--format", "github", good, bad),
            ("check", "lookup_knowledge.result", "--rules", "--format", "json", result),
            ("check", "RagToolRequest", "nowhere.json"),
            ("check", "RagToolRequest", "-"),
            ("snapshot",),
            ("fingerprint",),
            ("compare", same),
            ("compare", same, bad),
            ("--version",),
            ("--help",),
            ("check", "--help"),
            ("chek",),
        )
        for words in commands:
            here = Run(*words, stdin=BAD.encode())
            for name, root in (
                (contracts.__name__, ROOT),
                ("acme._vendor.agent_contracts", self.folder),
            ):
                with self.subTest(case=words, name=name):
                    done = python("-m", name, *words, stdin=BAD.encode(), root=root)
                    self.assertEqual(done.returncode, here.code)
                    for told, right in ((done.stdout, here.out), (done.stderr, here.err)):
                        renamed = right.replace(contracts.__name__, name).split()
                        self.assertEqual(told.decode().split(), renamed)

    def test_output_is_utf_8_whatever_the_locale(self) -> None:
        key = "连接池"
        file = self.file(f"{key}.jsonl", json.dumps({"query": "a", key: 1}, ensure_ascii=False))
        for told in ("text", "json", "github"):
            with self.subTest(case=told):
                words = ("check", "RagToolRequest", file, "--format", told)
                done = python(
                    *("-m", contracts.__name__, *words),
                    LC_ALL="C",
                    PYTHONIOENCODING="ascii",
                    PYTHONUTF8="0",
                )
                self.assertEqual(done.returncode, 1)
                self.assertEqual(done.stdout.decode().replace("\r\n", "\n"), Run(*words).out)
                self.assertIn(key, done.stdout.decode())

    @POSIX
    def test_file_names_need_not_be_utf_8(self) -> None:
        name = os.fsencode(self.folder) + b"/caf\xe9.jsonl"
        try:
            Path(os.fsdecode(name)).write_text(BAD)
        except OSError as error:  # macOS
            self.skipTest(f"the file system takes no such name: {error}")
        words = ("-m", contracts.__name__, "check", "RagToolRequest")
        for file in (os.fsdecode(name), str(self.folder)):
            done = python(*words, file)
            self.assertEqual((done.returncode, done.stdout), (1, name + f":1: {WRONG}\n".encode()))
        done = python(*words, os.fsdecode(name), "--format", "json")
        self.assertEqual(json.loads(done.stdout)["file"], f"{self.folder}/caf\ufffd.jsonl")
        done = python(*words, os.fsdecode(name) + "x")
        self.assertIn(name + b"x: No such file or directory\n", done.stderr)

    @POSIX
    def test_a_closed_pipe_ends_it_quietly(self) -> None:
        many = self.file("many.jsonl", BAD * 20_000)
        cases: dict[tuple[str, ...], int] = {
            ("check", "RagToolRequest", many): 1,  # what was told before was a problem
            ("snapshot",): 0,
            ("fingerprint",): 0,
        }
        for words, code in cases.items():
            for both in (False, True):
                with self.subTest(case=words, both=both):
                    reader, writer = os.pipe()
                    process = subprocess.Popen(
                        [sys.executable, "-m", contracts.__name__, *words],
                        env=environment_for(ROOT),
                        cwd=self.folder,
                        stdout=writer,
                        stderr=writer if both else subprocess.PIPE,
                    )
                    os.close(writer)
                    if words[0] == "check":
                        self.assertEqual(os.read(reader, 5), many.encode()[:5])
                    os.close(reader)
                    _, err = process.communicate(timeout=60)
                    self.assertEqual((process.returncode, err or b""), (code, b""))

    def test_a_pipe_that_is_closed_here_is_left_alone(self) -> None:
        # as above, in this process
        reader, writer = os.pipe()
        os.close(reader)
        with open(writer, "w", encoding="utf-8") as out, contextlib.redirect_stdout(out):
            self.assertEqual(main.main(["snapshot"]), 0)
        reader, writer = os.pipe()
        os.close(reader)
        err = Output()
        with (
            open(writer, "w", encoding="utf-8") as out,
            contextlib.redirect_stdout(out),
            contextlib.redirect_stderr(err),
        ):
            self.assertEqual(main.main(["check", "RagToolRequest", self.file("a.json", BAD)]), 1)
        self.assertEqual(err.text(), "")

    @unittest.skipUnless(os.path.exists("/dev/full"), "there is no /dev/full")
    def test_output_that_cannot_be_written_is_told(self) -> None:
        file = self.file("a.json", BAD)
        told = "the output cannot be written: No space left on device\n"
        for words in (("snapshot",), ("check", "RagToolRequest", file)):
            with self.subTest(case=words):
                err = Output()
                with (
                    open("/dev/full", "w", encoding="utf-8") as out,
                    contextlib.redirect_stdout(out),
                    contextlib.redirect_stderr(err),
                ):
                    self.assertEqual(main.main(list(words)), 2)
                self.assertEqual(err.text(), f"{PROGRAM}: {told}")
                command = shlex.join([sys.executable, "-m", contracts.__name__, *words])
                done = self.sh(f"{command} > /dev/full")
                self.assertEqual((done.returncode, done.stderr.decode()), (2, err.text()))

    def sh(self, command: str) -> subprocess.CompletedProcess[bytes]:
        return subprocess.run(
            ["sh", "-c", command],
            env=environment_for(ROOT),
            cwd=self.folder,
            capture_output=True,
            timeout=60,
            check=False,
        )

    @POSIX
    def test_streams_may_be_closed(self) -> None:
        program = shlex.join([sys.executable, "-m", contracts.__name__])
        file = self.file("a.json", BAD)
        for words, code in (
            ("fingerprint >&-", 0),
            (f"check RagToolRequest {file} >&-", 1),
            (f"check RagToolRequest {file} 2>&-", 1),
            ("check RagToolRequest <&-", 2),
        ):
            with self.subTest(case=words):
                done = self.sh(f"{program} {words}")
                self.assertEqual(done.returncode, code, done.stderr)
                self.assertNotIn(b"Traceback", done.stderr)
        self.assertIn(b"-: Bad file descriptor\n", done.stderr)

    def test_streams_that_are_closed_here_are_left_alone(self) -> None:
        # as above, in this process
        bad = self.file("a.json", BAD)
        with mock.patch.object(sys, "stdout", None), mock.patch.object(sys, "stderr", None):
            self.assertEqual(main.main(["fingerprint"]), 0)
            self.assertEqual(main.main(["check", "RagToolRequest", bad]), 1)
        reader, writer = os.pipe()
        os.close(reader)
        with (
            open(writer, "w", encoding="utf-8") as out,
            contextlib.redirect_stdout(out),
            mock.patch.object(sys, "stderr", None),
        ):
            self.assertEqual(main.main(["check", "RagToolRequest", bad]), 1)

    def test_a_standard_input_that_is_closed_is_told(self) -> None:
        # as above, in this process
        out, err = Output(), Output()
        with (
            mock.patch.object(sys, "stdin", None),
            contextlib.redirect_stdout(out),
            contextlib.redirect_stderr(err),
        ):
            self.assertEqual(main.main(["check", "RagToolRequest"]), 2)
        self.assertTrue(err.text().startswith("-: Bad file descriptor\n"))

    @POSIX
    def test_an_interrupt_ends_it_quietly(self) -> None:
        process = subprocess.Popen(
            [sys.executable, "-m", contracts.__name__, "check", "RagToolRequest"],
            env=environment_for(ROOT),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            # what a shell runs in the background ignores interrupts, and so do its children
            preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),  # noqa: PLW1509
        )
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdin.write(BAD.encode() * 1000)  # less than the pipes hold
        process.stdin.flush()
        self.assertEqual(process.stdout.read(1), b"<")  # it is running, and waits for more
        process.send_signal(signal.SIGINT)
        self.assertEqual(process.wait(timeout=60), 130)
        self.assertEqual(process.stderr.read(), b"")
        for stream in (process.stdin, process.stdout, process.stderr):
            stream.close()

    @POSIX
    def test_a_terminal_shows_progress_and_is_left_clean(self) -> None:
        import pty  # noqa: PLC0415 - there is none on Windows

        file = self.file("many.jsonl", GOOD * 400_000 + BAD)
        ours, theirs = pty.openpty()
        process = subprocess.Popen(
            [sys.executable, "-m", contracts.__name__, "check", "RagToolRequest", file],
            env=environment_for(ROOT),
            stdin=theirs,
            stdout=theirs,
            stderr=theirs,
        )
        os.close(theirs)
        shown = b""
        with contextlib.suppress(OSError):  # Linux says so when the other side is closed
            while part := os.read(ours, 65536):
                shown += part
        os.close(ours)
        self.assertEqual(process.wait(timeout=60), 1)
        progress = r"^\r\x1b\[K\d+ payloads? in 1 file: 0 problems in 0 payloads\r\x1b\[K"
        self.assertRegex(shown.decode(), progress)
        # all that was not cleared again: the problem and the summary
        screen = [re.sub(r".*\x1b\[K", "", line) for line in shown.decode().split("\r\n")]
        text = "400001 payloads in 1 file: 1 problem in 1 payload"
        self.assertEqual(screen, [f"{file}:400001: {WRONG}", text, ""])


PAGES = ("reference/command-line.md", "guides/check-recorded-payloads.md", "guides/vendor.md")
_INCLUDE = re.compile(r'^--8<-- "([^"]+)"\n', re.MULTILINE)


def page(name: str) -> str:
    """The text of a page, with the files that it includes."""
    root = DOCS.parent
    text = (DOCS / name).read_text(encoding="utf-8")
    return _INCLUDE.sub(lambda line: (root / line[1]).read_text(encoding="utf-8"), text)


@POSIX
class PagesDoWhatTheyShow(CommandLineCase):
    """The console sessions of the pages, run in a folder with what a reader would have."""

    def project(self, name: str) -> Path:
        """A folder of a reader, with the checkout beside it."""
        checkout, project = self.folder / name / "checkout", self.folder / name / "project"
        for target in (checkout, project):
            shutil.copytree(PACKAGE, target / "agent_contracts")
        shutil.copytree(DOCS / "schemas" / "v1", checkout / "docs" / "schemas" / "v1")
        shutil.copytree(DOCS / "examples" / "recorded", project / "recorded")
        command = self.folder / name / "bin" / "python"
        command.parent.mkdir()
        command.write_text(f'#!/bin/sh\nexec {shlex.quote(sys.executable)} "$@"\n')
        command.chmod(0o755)
        return project

    def test_each_command_prints_what_is_shown(self) -> None:
        for name in PAGES:
            with self.subTest(page=name):
                blocks = re.findall(r"```console\n(.*?)```", page(name), re.DOTALL)
                steps = re.split(r"^\$ ", "".join(blocks), flags=re.MULTILINE)[1:]
                self.assertGreater(len(steps), 3)
                shown = [step.partition("\n") for step in steps]
                printed = self.session(self.project(Path(name).stem), [step[0] for step in shown])
                for (command, _, right), told in zip(shown, printed, strict=True):
                    if "--help" in command:  # its lines are broken differently by each version
                        self.assertEqual((command, told.split()), (command, right.split()))
                    else:
                        self.assertEqual((command, told), (command, right))

    def session(self, project: Path, commands: list[str]) -> list[str]:
        """Run commands in one shell and return what each prints, errors included."""
        mark = "-- next --"
        steps = [f"code=$?; echo '{mark}'; (exit $code)\n{command}\n" for command in commands]
        environment = environment_for(project, PYTHONUNBUFFERED="1", LC_ALL="C.UTF-8")
        environment["PATH"] = f"{project.parent / 'bin'}{os.pathsep}{environment['PATH']}"
        done = subprocess.run(
            ["sh", "-c", "".join(steps)],
            cwd=project,
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            timeout=120,
            check=False,
        )
        return done.stdout.decode().split(f"{mark}\n")[1:]

    def test_the_reference_shows_the_help_of_each_command(self) -> None:
        text = page("reference/command-line.md")
        for command in ("tools", "schema", "check", "snapshot", "fingerprint", "compare"):
            self.assertIn(f"$ python -m agent_contracts {command} --help\n", text)

    def test_the_commands_of_the_workflow_are_shown_and_so_are_run(self) -> None:
        for name in PAGES:
            text = page(name)
            for block in re.findall(r"```yaml\n(.*?)```", text, re.DOTALL):
                commands = re.findall(r"run: (python .*)", block)
                self.assertGreaterEqual(len(commands), 1)
                for command in commands:
                    with self.subTest(page=name, command=command):
                        self.assertIn(f"$ {command}\n", text)
        self.assertIn("--format github", page("reference/command-line.md"))


if __name__ == "__main__":
    unittest.main()
