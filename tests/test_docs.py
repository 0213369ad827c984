# SPDX-License-Identifier: MIT
"""The pages: what they include, link and name is there, and what they show is what happens.

`python -m tests.test_docs` writes the files again that pages include and the package makes.
"""

import ast
import dataclasses
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import textwrap
import unicodedata
import unittest
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tests import contracts, module

ROOT = Path(__file__).resolve().parents[1]
DOCS = ROOT / "docs"
EXAMPLES = DOCS / "examples"
PACKAGE = Path(contracts.__file__).parent
PAGES = sorted(page for page in DOCS.rglob("*.md") if EXAMPLES not in page.parents)

TOOL_PAGES = {
    "lookup_knowledge": "lookup-knowledge.md",
    "query_logs": "query-logs.md",
    "query_mysql": "query-mysql.md",
}

RUN_ELSEWHERE = {
    "on_call.py": "tests/test_on_call.py",
    "query_metrics.py": "FourthTool, below",
    "mysql_rows.py": "tests/interop/test_mysql_server.py, which has a server",
}
"""Samples that need more than a plain run, and who runs them."""

_INCLUDE = re.compile(r'--8<-- "([^":]+)(?::([a-z][\w-]*)|:\d*:\d*)?"')
_LINK = re.compile(r"(?<!!)\[(?:[^\[\]]|\[[^\]]*\])+\]\(([^)\s]+)\)")
_FENCE = re.compile(r"^( *)(`{3,}|~{3,}).*?^\1\2 *$", re.MULTILINE | re.DOTALL)
_MARK = re.compile(r"^.*--8<-- \[(start|end):.*\n", re.MULTILINE)


def run(*words: str, cwd: Path | None = None, path: Path = PACKAGE.parent) -> str:
    """Run Python in a fresh process that finds the package, and return what it prints."""
    environment = os.environ | {"PYTHONPATH": str(path), "PYTHONIOENCODING": "utf-8"}
    done = subprocess.run(
        [sys.executable, *words], cwd=cwd, env=environment, capture_output=True, check=False
    )
    if done.returncode:
        raise AssertionError(f"{words} failed:\n{done.stderr.decode()}")
    return done.stdout.decode().replace("\r\n", "\n")


def pretty(value: object) -> str:
    """Write JSON as the pages show it."""
    return json.dumps(value, ensure_ascii=False, indent=2) + "\n"


def included(page: Path) -> list[tuple[Path, str | None]]:
    """The files that a page includes, with the section if it takes only one."""
    return [(ROOT / file, part or None) for file, part in _INCLUDE.findall(page.read_text("utf-8"))]


# what the package makes for the pages


def told_files() -> dict[Path, str]:
    """What the model is told of each tool, and the on-call story, call by call."""
    files: dict[Path, str] = {}
    told = EXAMPLES / "told"
    for tool in contracts.AgentToolContracts.ALL:
        parts = (tool.name, tool.title, tool.description)
        files[told / f"{tool.name}.txt"] = "\n".join(parts) + "\n"
        definition = module("definitions").mcp(tool)
        files[told / f"{tool.name}.json"] = pretty(definition["inputSchema"])
    return files | _story_files(told / "on_call")


def _story_files(folder: Path) -> dict[Path, str]:
    recording = json.loads((EXAMPLES / "on_call/conversation.json").read_text("utf-8"))
    calls = [call for turn in recording["messages"] for call in turn.get("tool_calls", [])]
    answers = run(str(EXAMPLES / "on_call.py"), "--json").splitlines()
    files: dict[Path, str] = {}
    for number, (call, answer) in enumerate(zip(calls, answers, strict=True), start=1):
        name = f"{number}-{call['function']['name']}"
        arguments = json.loads(call["function"]["arguments"])
        files[folder / f"{name}.call.json"] = pretty(arguments)
        files[folder / f"{name}.answer.json"] = pretty(json.loads(json.loads(answer)["content"]))
    said = recording["messages"][-1]["content"].replace("\n-", "\n\n-", 1)
    head, _, last = said.rpartition("\n")
    quoted = "\n".join(f"> {line}".rstrip() for line in f"{head}\n\n{last}".splitlines())
    files[folder / "conclusion.md"] = re.sub(r"\bcall_\w+", r"`\g<0>`", quoted) + "\n"
    return files


def changed_copies() -> dict[Path, str]:
    """What `compare` tells of a copy with a fourth tool, and of one with another source."""
    with tempfile.TemporaryDirectory() as folder:
        before = Path(folder, "contract.json")
        before.write_text(run("-m", contracts.__name__, "snapshot"), "utf-8")
        return {
            EXAMPLES / "fourth_tool.txt": _compared(before, with_fourth_tool(Path(folder, "a"))),
            EXAMPLES / "source_kind.txt": _compared(before, with_other_source(Path(folder, "b"))),
        }


def _compared(before: Path, copy: Path) -> str:
    script = (
        "import json, sys; from acme._vendor.contracts.snapshot import *; "
        "before = json.load(open(sys.argv[1], encoding='utf-8')); "
        "print(*compare(before, snapshot()), sep='\\n')"
    )
    return run("-c", script, str(before), path=copy)


def vendored(folder: Path) -> Path:
    """Copy the package to `acme/_vendor/contracts` in a folder, and return where it is."""
    copy = folder / "acme/_vendor/contracts"
    shutil.copytree(PACKAGE, copy, ignore=shutil.ignore_patterns("__pycache__"))
    return copy


def edit(file: Path, old: str, new: str) -> None:
    """Replace the one place in a file that has a text."""
    text = file.read_text("utf-8")
    if text.count(old) != 1:
        raise AssertionError(f"{old!r} is {text.count(old)} times in {file.name}")
    file.write_text(text.replace(old, new), "utf-8")


def apply(page: str, number: int, file: Path) -> None:
    """Make the change that a page shows in its diff with a number."""
    shown = re.findall(r"```diff\n(.*?)```", (DOCS / page).read_text("utf-8"), re.DOTALL)
    lines = shown[number].splitlines(keepends=True)
    old = "".join(line[1:] for line in lines if line[0] in " -")
    new = "".join(line[1:] for line in lines if line[0] in " +")
    edit(file, old, new)


def with_fourth_tool(folder: Path) -> Path:
    """Make a copy of the package with a fourth tool, as the guide says."""
    copy = vendored(folder)
    shutil.copy(EXAMPLES / "query_metrics.py", copy / "metrics.py")
    apply("guides/fourth-tool.md", 0, copy / "tools.py")
    return folder


def with_other_source(folder: Path) -> Path:
    """Make a copy of the package with another source of logs, as the guide says."""
    copy = vendored(folder)
    apply("guides/source-kind.md", 0, copy / "logs.py")
    apply("guides/source-kind.md", 1, copy / "_contract.py")
    return folder


@unittest.skipIf(
    contracts.__name__ != "agent_contracts", "the pages show the package under its own name"
)
class DocsCase(unittest.TestCase):
    maxDiff = None


class GeneratedFilesAreUpToDate(DocsCase):
    def test_what_the_package_makes_is_what_pages_include(self) -> None:
        self.assert_written(told_files())

    def test_comparisons_are_what_pages_include(self) -> None:
        self.assert_written(changed_copies())

    def test_no_file_is_left_over(self) -> None:
        found = {file for file in (EXAMPLES / "told").rglob("*") if file.is_file()}
        self.assertEqual(found, set(told_files()))

    def assert_written(self, files: dict[Path, str]) -> None:
        for file, text in files.items():
            with self.subTest(file=str(file.relative_to(ROOT))):
                written = file.read_text("utf-8") if file.exists() else None
                self.assertEqual(written, text, "rewrite it: python -m tests.test_docs")


class PagesIncludeWhatIsThere(DocsCase):
    def test_there_are_pages(self) -> None:
        self.assertGreater(len(PAGES), 40)

    def test_included_files_and_sections_exist(self) -> None:
        for page in PAGES:
            for file, part in included(page):
                with self.subTest(page=page.name, file=file.name, part=part):
                    self.assertTrue(file.is_file())
                    if part:
                        for mark in (f"[start:{part}]", f"[end:{part}]"):
                            self.assertEqual(file.read_text("utf-8").count(mark), 1)

    def test_example_files_are_shown_or_linked(self) -> None:
        shown = {file for page in PAGES for file, _ in included(page)}
        for page in PAGES:
            shown |= {page.parent / target for target in links(page)}
        shown = {Path(os.path.normpath(file)) for file in shown}
        for file in EXAMPLES.rglob("*"):
            parts = file.relative_to(EXAMPLES).parts
            if not file.is_file() or any(part[0] in "._" for part in parts):
                continue
            with self.subTest(file="/".join(parts)):
                if parts[:2] == ("on_call", "runbooks"):  # read by the story, and named there
                    self.assertIn("/".join(parts[:2]), (DOCS / "on-call.md").read_text("utf-8"))
                else:
                    self.assertIn(file, shown)


class SamplesDoWhatPagesShow(DocsCase):
    def test_each_sample_runs_and_prints_what_is_shown(self) -> None:
        samples = sorted(EXAMPLES.glob("*.py"))
        self.assertGreater(len(samples), 5)
        for sample in samples:
            if sample.name in RUN_ELSEWHERE:
                continue
            with self.subTest(sample=sample.name), tempfile.TemporaryDirectory() as folder:
                printed = run(str(sample), cwd=Path(folder))
                expected = sample.with_suffix(".txt")
                if expected.exists():
                    self.assertEqual(printed, _MARK.sub("", expected.read_text("utf-8")))
                else:
                    self.assertEqual(printed, "")

    def test_samples_that_run_elsewhere_are_there(self) -> None:
        for name in RUN_ELSEWHERE:
            with self.subTest(sample=name):
                self.assertTrue((EXAMPLES / name).is_file())

    def test_python_on_pages_comes_from_files(self) -> None:
        for page in PAGES:
            for fence in _FENCE.finditer(page.read_text("utf-8")):
                first, *lines = textwrap.dedent(fence[0]).splitlines()
                if re.match(r"`{3,} ?python|`{3,} ?java", first):
                    with self.subTest(page=page.name, fence=fence[0][:60]):
                        self.assertTrue(all(_INCLUDE.match(line) for line in lines[:-1]))

    def test_get_started_runs_with_the_folder_copied_beside_it(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            project = Path(folder, "your_project")
            shutil.copytree(PACKAGE, project / "agent_contracts")
            shutil.copy(EXAMPLES / "get_started.py", project)
            printed = run("get_started.py", cwd=project, path=project)
        expected = (EXAMPLES / "get_started.txt").read_text("utf-8")
        self.assertEqual(printed, _MARK.sub("", expected))


class ToolPagesTellAll(DocsCase):
    def test_every_field_of_every_class_is_named(self) -> None:
        base = module("_contract").Contract
        named = 0
        for tool in contracts.AgentToolContracts.ALL:
            page = (DOCS / "tools" / TOOL_PAGES[tool.name]).read_text("utf-8")
            text, seen = page, []
            for contract in module("snapshot").contract_classes().values():
                if contract.__module__ != tool.request.__module__:
                    continue
                self.assertTrue(issubclass(contract, base))
                rows = [f"| `{field.name}` |" for field in dataclasses.fields(contract)]
                with self.subTest(contract=contract.__name__):
                    self.assertIn(contract.__name__, page)
                    place = [row in text for row in rows]
                    self.assertTrue(all(place), rows)
                    table = "\n".join(line.split("|")[1] for line in tables(text))
                    want = "\n".join(row.split("|")[1] for row in rows)
                    self.assertIn(want, table, "the fields are a table, in their order")
                seen.append(contract)
                named += len(rows)
            self.assertGreaterEqual(len(seen), 2)
        self.assertGreater(named, 45)

    def test_pages_have_one_form(self) -> None:
        wanted = [
            "What the model is told",
            "The request",
            "The result",
            "Examples",
            "Errors it gives",
            "JSON Schema",
            "What is not checked here",
        ]
        for name in TOOL_PAGES.values():
            with self.subTest(page=name):
                page = (DOCS / "tools" / name).read_text("utf-8")
                self.assertEqual(re.findall(r"^## (.+)$", page, re.MULTILINE), wanted)

    def test_pages_show_each_status_and_a_truncated_result(self) -> None:
        for name, file in TOOL_PAGES.items():
            shown = [path for path, _ in included(DOCS / "tools" / file)]
            for case in ("found", "no-evidence", "error", "truncated"):
                with self.subTest(tool=name, case=case):
                    self.assertIn(EXAMPLES / f"payloads/{name}/{case}.json", shown)


def tables(text: str) -> list[str]:
    """The rows of the tables of a page."""
    return [line for line in text.splitlines() if line.startswith("|")]


class ReferenceIsComplete(DocsCase):
    def test_each_public_module_has_a_page_and_none_is_left_over(self) -> None:
        modules = {file.stem for file in PACKAGE.glob("*.py") if not file.stem.startswith("_")}
        pages = {page.stem for page in (DOCS / "reference/api").glob("*.md")} - {"index"}
        self.assertEqual(pages, modules)
        for name in modules:
            with self.subTest(module=name):
                page = (DOCS / f"reference/api/{name}.md").read_text("utf-8")
                self.assertIn(f"\n::: agent_contracts.{name}\n", page)

    def test_each_public_name_is_on_the_first_page(self) -> None:
        page = (DOCS / "reference/api/index.md").read_text("utf-8")
        for name in contracts.__all__:
            with self.subTest(name=name):
                self.assertIn(f"[`{name}`][agent_contracts.{name}]", page)

    def test_each_page_is_in_the_navigation_once(self) -> None:
        text = (ROOT / "mkdocs.yml").read_text("utf-8")
        listed = re.findall(r"[\s:] ?([\w/-]+\.md)$", text[text.index("\nnav:") :], re.MULTILINE)
        self.assertEqual(sorted(listed), [page.relative_to(DOCS).as_posix() for page in PAGES])

    def test_each_schema_file_is_linked(self) -> None:
        page = (DOCS / "reference/json-schemas.md").read_text("utf-8")
        files = sorted((DOCS / "schemas/v1").glob("*.json"))
        self.assertGreater(len(files), 9)
        for file in files:
            with self.subTest(file=file.name):
                self.assertIn(f"(../schemas/v1/{file.name})", page)


def links(page: Path) -> Iterator[str]:
    """The relative links of a page, outside of its code."""
    text = re.sub(r"`[^`\n]+`", "", _FENCE.sub("", page.read_text("utf-8")))
    for target in _LINK.findall(text):
        if not re.match(r"[a-z]+:", target):
            yield target


def anchors(page: Path) -> set[str]:
    """The anchors of the headings of a page."""
    found: set[str] = set()
    for heading in re.findall(r"^#+ (.+)$", _FENCE.sub("", page.read_text("utf-8")), re.MULTILINE):
        text = re.sub(r"\{.*\}$", "", heading).replace("`", "")
        text = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode()
        slug = re.sub(r"[-\s]+", "-", re.sub(r"[^\w\s-]", "", text).strip().lower())
        found.add(slug)
    return found


class LinksLeadSomewhere(DocsCase):
    def test_targets_and_anchors_exist(self) -> None:
        checked = 0
        for page in PAGES:
            for link in links(page):
                target, _, anchor = link.partition("#")
                file = Path(os.path.normpath(page.parent / target)) if target else page
                with self.subTest(page=str(page.relative_to(DOCS)), link=link):
                    self.assertTrue(file.is_file())
                    if anchor and file.suffix == ".md":
                        self.assertIn(anchor, anchors(file))
                checked += 1
        self.assertGreater(checked, 100)

    def test_links_into_the_package_name_what_is_there(self) -> None:
        for page in PAGES:
            for name in re.findall(r"\]\[(agent_contracts[\w.]*)\]", page.read_text("utf-8")):
                with self.subTest(page=page.name, name=name):
                    self.assertTrue(resolves(name))


def resolves(name: str) -> bool:
    """Whether a dotted name leads to an object of the package."""
    value: Any = contracts
    for part in name.split(".")[1:]:
        if not hasattr(value, part) and value is contracts:
            value = module(part)
        elif hasattr(value, part):
            value = getattr(value, part)
        else:
            return False
    return True


class PagesSayWhatIsTrue(DocsCase):
    def test_no_page_installs_what_belongs_to_somebody_else(self) -> None:
        for page in [*PAGES, ROOT / "README.md"]:
            with self.subTest(page=page.name):
                self.assertNotRegex(page.read_text("utf-8"), r"pip3? install ['\"]?agent.contracts")

    def test_each_page_has_a_title_and_a_description(self) -> None:
        for page in PAGES:
            if page.parent.name in ("api", "guides") or page.stem in (
                "command-line",
                "performance",
            ):
                continue
            with self.subTest(page=str(page.relative_to(DOCS))):
                self.assertRegex(
                    page.read_text("utf-8"), r"(?s)\A---\n.*?description: \S.*?\n---\n"
                )

    def test_pages_load_nothing_from_another_host(self) -> None:
        for file in [*DOCS.glob(".overrides/*"), *DOCS.glob("assets/*"), *PAGES]:
            if file.suffix not in (".html", ".css", ".svg", ".md"):
                continue
            with self.subTest(file=file.name):
                text = file.read_text("utf-8")
                self.assertNotRegex(
                    text, r"(?:src=|url\(|@import |<link[^>]*href=)[\"']?(?:https?:)?//"
                )
                self.assertNotRegex(text, r"!\[[^\]]*\]\(https?:")

    def test_site_needs_no_code_in_its_configuration(self) -> None:
        text = (ROOT / "mkdocs.yml").read_text("utf-8")
        self.assertNotIn("!!python", text)
        self.assertNotIn("\nhooks:", text)
        plugins = text[text.index("\nplugins:") : text.index("\nmarkdown_extensions:")]
        self.assertEqual(
            re.findall(r"^  - (\w+)", plugins, re.MULTILINE), ["search", "mkdocstrings"]
        )


class FourthTool(unittest.TestCase):
    """A contract of its own file, registered by one line, in a vendored copy."""

    def test_file_and_line_are_all_that_changes(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            copy = with_fourth_tool(Path(folder)) / "acme/_vendor/contracts"
            for file in sorted(copy.glob("*.py")):
                original = PACKAGE / file.name
                before = original.read_text("utf-8") if original.exists() else ""
                after = file.read_text("utf-8")
                if file.name == "metrics.py":
                    self.assertEqual(before, "")
                elif file.name == "tools.py":
                    added = len(after.splitlines()) - len(before.splitlines())
                    self.assertEqual(added, 1)
                else:
                    self.assertEqual(after, before)

    def test_tool_goes_through_every_part(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            path = with_fourth_tool(Path(folder))
            script = path / "use.py"
            script.write_text(_USE_OF_THE_FOURTH_TOOL, "utf-8")
            seen = json.loads(run(str(script), path=path))
        self.assertEqual(seen["parsed"], {"metric": "pool.active", "lookback_minutes": 30})
        self.assertEqual(
            seen["refused"],
            "MetricsToolRequest: /lookback_minutes: required field is missing, expected integer; "
            "/limit: unknown field (known: metric, lookback_minutes)",
        )
        self.assertEqual(seen["required"], ["metric", "lookback_minutes"])
        self.assertEqual(seen["names"], [*TOOL_PAGES, "query_metrics"])
        self.assertEqual(sorted(seen["definitions"]), sorted(module("definitions").__all__))
        for api, definition in seen["definitions"].items():
            with self.subTest(definition=api):
                self.assertIn("query_metrics", json.dumps(definition))
                self.assertIn("pool.active", json.dumps(definition))
        for api, (answer, refusal) in seen["observations"].items():
            with self.subTest(observation=api):
                self.assertIn("connections", json.dumps(answer))
                self.assertIn("unknown field", json.dumps(refusal))
        self.assertEqual(
            seen["snapshot_tool"],
            ["query_metrics", "MetricsToolRequest", "MetricsToolResult"],
        )
        self.assertEqual(
            seen["schemas"], ["MetricsToolRequest", "MetricsToolResult", "MetricPoint"]
        )
        self.assertTrue(seen["round_trip"])
        self.assertTrue(seen["pickled"])

    def test_command_line_knows_the_tool(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            path = with_fourth_tool(Path(folder))
            request = path / "request.json"
            request.write_text('{"metric": "pool.active", "lookback_minutes": 30}', "utf-8")
            program = "acme._vendor.contracts"
            self.assertEqual(
                run("-m", program, "check", "query_metrics.request", str(request), path=path), ""
            )
            told = json.loads(run("-m", program, "tools", path=path))
            self.assertEqual(told[3]["name"], "query_metrics")
            schema = json.loads(run("-m", program, "schema", "MetricPoint", path=path))
            self.assertEqual(schema["required"], ["timestamp", "value"])

    def test_description_keeps_the_bounds_of_the_others(self) -> None:
        tree = ast.parse((EXAMPLES / "query_metrics.py").read_text("utf-8"))
        (text,) = (
            ast.literal_eval(keyword.value)
            for keyword in ast.walk(tree)
            if isinstance(keyword, ast.keyword) and keyword.arg == "description"
        )
        self.assertLessEqual(len(text), 600)
        for word in ("NO_EVIDENCE", "ERROR", "truncated"):
            self.assertIn(word, text)


_USE_OF_THE_FOURTH_TOOL = """
import json, pickle
from acme._vendor.contracts import AgentToolContracts, ContractError, EvidenceStatus
from acme._vendor.contracts import definitions, observations, snapshot
from acme._vendor.contracts.metrics import MetricPoint, MetricsToolResult

tool = AgentToolContracts.named("query_metrics")
assert tool is AgentToolContracts.QUERY_METRICS
request = tool.parse('{"metric": "pool.active", "lookback_minutes": 30}')
try:
    tool.parse('{"metric": "pool.active", "limit": 1}')
except ContractError as error:
    refusal = error
result = MetricsToolResult(
    tool_call_id="call_1", status=EvidenceStatus.EVIDENCE_FOUND, unit="connections",
    point_count=2, truncated=True,
    points=[MetricPoint(timestamp="2026-07-12T15:11:00+08:00", value=5)],
)

def both(api):
    write = getattr(observations, api)
    named = {"tool_name": tool.name} if api in ("gemini", "spring_ai") else {}
    return write(result), write(refusal, tool_call_id="call_2", **named)

whole = snapshot.snapshot()
print(json.dumps({
    "parsed": request.to_dict(),
    "refused": str(refusal),
    "required": tool.request.json_schema()["required"],
    "names": [tool.name for tool in AgentToolContracts.ALL],
    "definitions": {api: getattr(definitions, api)(tool) for api in definitions.__all__},
    "observations": {api: both(api) for api in definitions.__all__},
    "snapshot_tool": [whole["tools"][3][key] for key in ("name", "request", "result")],
    "schemas": [name for name in whole["schemas"] if name.startswith("Metric")],
    "round_trip": MetricsToolResult.from_json(result.to_json()) == result,
    "pickled": pickle.loads(pickle.dumps(result)) == result,
}))
"""


def main() -> None:
    """Write the files that pages include and the package makes."""
    for file, text in (told_files() | changed_copies()).items():
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, "utf-8")
        print(file.relative_to(ROOT))  # noqa: T201 - the answer to whoever ran the command


if __name__ == "__main__":
    main()
