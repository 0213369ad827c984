# SPDX-License-Identifier: MIT
"""The package as something to copy: what it imports, and that it works wherever it is put."""

import ast
import doctest
import importlib
import json
import os
import pathlib
import pkgutil
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
import zipfile

from tests import contracts

PACKAGE = pathlib.Path(contracts.__file__).parent
ROOT = PACKAGE.parents[contracts.__name__.count(".")]
SOURCES = sorted(PACKAGE.rglob("*.py"))
NOT_AT_IMPORT = ("argparse", "asyncio", "decimal", "difflib", "uuid", "typing_extensions")

USE = """
import json
def use(contracts):
    made = contracts.MysqlToolResult(
        tool_call_id="call_1", status=contracts.EvidenceStatus.EVIDENCE_FOUND, row_count=1,
        truncated=False, columns=["a", "b"], rows=[{"b": {"y", "x"}, "a": b"\\xff"}])
    assert_(contracts.MysqlToolResult.from_json(made.to_json()) == made)
    for tool in contracts.AgentToolContracts.ALL:
        assert_(tool.request.json_schema()["type"] == "object")
        assert_(tool.result.json_schema()["type"] == "object")
    try:
        contracts.AgentToolContracts.QUERY_LOGS.parse('{"topic": "app"}')
    except contracts.ContractError as error:
        refusal = str(error)
    return json.dumps([made.to_json(), refusal])
def assert_(right):  # not removed by -O
    if not right:
        raise AssertionError
"""

USED = [
    '{"tool_call_id":"call_1","status":"EVIDENCE_FOUND","row_count":1,"truncated":false,'
    '"columns":["a","b"],"rows":[{"a":"0xFF","b":["x","y"]}]}',
    "QueryLogsToolRequest: /topic: expected one of APPLICATION, DATABASE_SLOW_QUERY, "
    'SYSTEM_EVENTS, got "app"; /query: required field is missing, expected string',
]


def run(code: str, *arguments: str, flags: tuple[str, ...] = (), **environment: str) -> str:
    """Run code in a fresh interpreter, away from this directory; return what it prints."""
    done = subprocess.run(
        [sys.executable, *flags, "-c", code, *arguments],
        env={**os.environ, "PYTHONIOENCODING": "utf-8", **environment},
        cwd=tempfile.gettempdir(),
        capture_output=True,
        encoding="utf-8",
        timeout=120,
        check=False,
    )
    if done.returncode:
        raise AssertionError(done.stderr)
    return done.stdout


def using(name: str) -> str:
    """Code that imports the package by a name from a path, and uses it."""
    return (
        f"import sys; sys.dont_write_bytecode = True; sys.path.insert(0, sys.argv[1])\n{USE}\n"
        f"import importlib; print(use(importlib.import_module({name!r})))"
    )


class Imports(unittest.TestCase):
    def test_the_standard_library_alone_is_imported_and_little_of_it(self) -> None:
        code = (
            "import sys; sys.dont_write_bytecode = True; sys.path.insert(0, sys.argv[1])\n"
            "before = set(sys.modules); import importlib; importlib.import_module(sys.argv[2])\n"
            "print(*sorted(set(sys.modules) - before))"
        )
        imported = run(code, str(ROOT), contracts.__name__, flags=("-I", "-S")).split()
        own = contracts.__name__.partition(".")[0]
        foreign = [
            name
            for name in imported
            if name.partition(".")[0] not in {own, *sys.stdlib_module_names}
        ]
        self.assertEqual(foreign, [])
        self.assertIn(f"{contracts.__name__}.rag", imported)
        self.assertEqual([name for name in NOT_AT_IMPORT if name in imported], [])

    def test_modules_are_imported_relatively_or_from_the_standard_library(self) -> None:
        for path in SOURCES:
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                names = []
                if isinstance(node, ast.Import):
                    names = [alias.name for alias in node.names]
                elif isinstance(node, ast.ImportFrom) and not node.level:
                    names = [str(node.module)]
                for name in names:
                    with self.subTest(case=f"{path.name}: {name}"):
                        self.assertIn(name.partition(".")[0], sys.stdlib_module_names)

    def test_every_module_names_its_licence_first(self) -> None:
        self.assertGreaterEqual(len(SOURCES), 11)
        for path in SOURCES:
            with self.subTest(case=path.name):
                lines = path.read_text(encoding="utf-8").splitlines()
                self.assertEqual(lines[0], "# SPDX-License-Identifier: MIT")
                self.assertTrue(lines[1].startswith('"""'))

    def test_the_package_is_typed_and_holds_no_other_data(self) -> None:
        files = [
            path.relative_to(PACKAGE)
            for path in PACKAGE.rglob("*")
            if path.is_file() and "__pycache__" not in path.parts and path.suffix != ".py"
        ]
        self.assertEqual(files, [pathlib.Path("py.typed")])

    def test_a_version_is_told(self) -> None:
        self.assertTrue(re.fullmatch(r"\d+\.\d+\.\d+", contracts.__version__))


class Places(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def vendored(self) -> pathlib.Path:
        """Copy the package under another name, beside one that must not be imported."""
        site = self.folder / "site"
        target = site / "acme" / "_vendor" / "contracts"
        shutil.copytree(PACKAGE, target, ignore=shutil.ignore_patterns("__pycache__"))
        for package in (site / "acme", site / "acme" / "_vendor"):
            (package / "__init__.py").touch()
        poison = site / "agent_contracts"
        poison.mkdir()
        (poison / "__init__.py").write_text("raise SystemExit('the wrong package')\n")
        return site

    def test_it_works_where_it_is(self) -> None:
        self.assertEqual(json.loads(run(using(contracts.__name__), str(ROOT))), USED)

    def test_it_works_with_every_level_of_optimization(self) -> None:
        for flag in ("-O", "-OO"):
            with self.subTest(case=flag):
                told = run(using(contracts.__name__), str(ROOT), flags=(flag,))
                self.assertEqual(json.loads(told), USED)

    def test_it_works_with_warnings_as_errors_in_an_isolated_interpreter(self) -> None:
        flags = ("-I", "-S", "-W", "error", "-X", "dev")
        self.assertEqual(json.loads(run(using(contracts.__name__), str(ROOT), flags=flags)), USED)

    def test_it_writes_the_same_json_whatever_the_seed_of_hashes(self) -> None:
        for seed in ("0", "1", "2", "3"):
            with self.subTest(case=seed):
                told = run(using(contracts.__name__), str(ROOT), PYTHONHASHSEED=seed)
                self.assertEqual(json.loads(told), USED)

    def test_it_works_from_a_zip_file(self) -> None:
        archive = self.folder / "contracts.zip"
        with zipfile.ZipFile(archive, "w") as file:
            for path in SOURCES:
                file.write(path, pathlib.PurePath("zipped_contracts") / path.relative_to(PACKAGE))
        told = run(using("zipped_contracts"), str(archive), flags=("-I", "-S"))
        self.assertEqual(json.loads(told), USED)

    def test_a_vendored_copy_works_beside_a_poisoned_package_of_the_old_name(self) -> None:
        site = self.vendored()
        code = using("acme._vendor.contracts") + (
            "\nassert_('agent_contracts' not in sys.modules)"
            "\nassert_('acme._vendor.contracts.rag' in sys.modules)"
        )
        told = run(code, str(site), flags=("-I", "-S"))
        self.assertEqual(json.loads(told), USED)

    def test_the_poisoned_package_is_one(self) -> None:
        with self.assertRaises(AssertionError) as caught:
            run(using("agent_contracts"), str(self.vendored()), flags=("-I", "-S"))
        self.assertIn("the wrong package", str(caught.exception))

    def test_every_module_of_a_vendored_copy_can_be_imported(self) -> None:
        code = (
            "import sys; sys.dont_write_bytecode = True; sys.path.insert(0, sys.argv[1])\n"
            "import importlib\n"
            "for name in sys.argv[2:]: importlib.import_module('acme._vendor.contracts.' + name)\n"
            "print('agent_contracts' in sys.modules)"
        )
        names = [path.stem for path in SOURCES if not path.stem.startswith("__")]
        told = run(code, str(self.vendored()), *names, flags=("-I", "-S"))
        self.assertEqual(told.strip(), "False")

    def test_a_vendored_copy_can_be_run(self) -> None:
        done = subprocess.run(
            [sys.executable, "-S", "-P", "-B", "-m", "acme._vendor.contracts", "--version"],
            env={**os.environ, "PYTHONPATH": str(self.vendored())},
            cwd=self.folder,
            capture_output=True,
            encoding="utf-8",
            timeout=120,
            check=False,
        )
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertIn(contracts.__version__, done.stdout)

    def test_objects_of_a_vendored_copy_can_be_pickled_beside_it(self) -> None:
        code = using("acme._vendor.contracts") + (
            "\nimport pickle, acme._vendor.contracts as c"
            "\nmade = c.RagToolRequest(query='x')"
            "\ntext = pickle.dumps(made)"
            "\nassert_(pickle.loads(text) == made and b'agent_contracts' not in text)"
        )
        run(code, str(self.vendored()), flags=("-I", "-S"))

    def test_the_tests_can_be_aimed_at_a_vendored_copy(self) -> None:
        tests = pathlib.Path(__file__).parent
        paths = os.pathsep.join([str(self.vendored()), str(tests.parent)])
        done = subprocess.run(
            [
                sys.executable,
                "-S",
                "-P",
                "-B",
                "-m",
                "unittest",
                "tests.test_rag",
                "tests.test_logs",
            ],
            env={**os.environ, "PYTHONPATH": paths, "AGENT_CONTRACTS": "acme._vendor.contracts"},
            cwd=self.folder,
            capture_output=True,
            encoding="utf-8",
            timeout=120,
            check=False,
        )
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertRegex(done.stderr, r"Ran [1-9]\d+ tests")


class Doctests(unittest.TestCase):
    def test_the_examples_in_the_docstrings_are_true(self) -> None:
        if contracts.__name__ != "agent_contracts":
            self.skipTest("the examples import agent_contracts by that name")
        if sys.flags.optimize > 1:
            self.skipTest("-OO removes the docstrings")
        attempted = 0
        for found in pkgutil.iter_modules([str(PACKAGE)]):
            if found.name == "__main__":
                continue
            module = importlib.import_module(f"{contracts.__name__}.{found.name}")
            with self.subTest(case=found.name):
                failed, tried = doctest.testmod(module)
                attempted += tried
                self.assertEqual(failed, 0)
        failed, tried = doctest.testmod(contracts)
        self.assertEqual(failed, 0)
        self.assertGreater(attempted + tried, 0)
