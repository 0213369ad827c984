# SPDX-License-Identifier: MIT
"""The README: its example, its refusals and its commands are run; its paths exist."""

import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

from tests import contracts

ROOT = Path(__file__).resolve().parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")


def block(language: str, containing: str) -> str:
    """Return the one code block of a language that contains a text."""
    blocks = re.findall(rf"```{language}\n(.*?)```", README, re.DOTALL)
    (found,) = (text for text in blocks if containing in text)
    return str(found)


def run(*command: str, cwd: Path) -> str:
    environment = dict(os.environ, PYTHONPATH=str(ROOT), PYTHONIOENCODING="utf-8")
    done = subprocess.run(
        [sys.executable, *command],
        cwd=cwd,
        env=environment,
        capture_output=True,
        encoding="utf-8",
        check=True,
    )
    return done.stdout


class ReadmeTest(unittest.TestCase):
    def test_the_example_is_the_sample_file_and_prints_what_is_shown(self) -> None:
        shown = block("python", "def answer(")
        sample = ROOT / "docs" / "examples" / "quick_start.py"
        self.assertTrue(sample.read_text(encoding="utf-8").endswith(shown))
        self.assertEqual(run(str(sample), cwd=ROOT), block("json", "EVIDENCE_FOUND"))

    def test_each_refusal_reads_as_the_table_says(self) -> None:
        rows = re.findall(r"^\| (nothing|`\{.*?`) \| `((\w+): .*)` \|$", README, re.MULTILINE)
        self.assertGreaterEqual(len(rows), 4)
        for sent, told, contract in rows:
            with self.subTest(case=sent), self.assertRaises(contracts.ContractError) as caught:
                text = "" if sent == "nothing" else sent.strip("`")
                getattr(contracts, contract).from_json(text)
            self.assertEqual(str(caught.exception), told)

    def test_the_first_two_commands_are_the_main_job_and_the_tests(self) -> None:
        commands = re.findall(r"^\$ (.*)$", README, re.MULTILINE)
        self.assertEqual(commands[:2], ["python docs/examples/on_call.py", "python -m unittest"])
        self.assertIn("python -m unittest", (ROOT / ".ci" / "run").read_text(encoding="utf-8"))

    def test_a_copy_as_it_is_described_prints_the_fingerprint(self) -> None:
        source = Path(contracts.__file__).parent
        with tempfile.TemporaryDirectory() as folder:
            vendored = Path(folder) / "acme" / "_vendor"
            shutil.copytree(source, vendored / "agent_contracts")
            printed = run("-m", "acme._vendor.agent_contracts", "fingerprint", cwd=Path(folder))
        self.assertRegex(printed, r"\Asha256:[0-9a-f]{64}\n\Z")

    def test_the_paths_of_the_map_exist(self) -> None:
        section = README.partition("## Where things are")[2]
        for paths in re.findall(r"^\| (`.*?`) \| ", section, re.MULTILINE):
            names = re.findall(r"`(.*?)`", paths)
            folder = Path(names[0]).parent if not names[0].endswith("/") else Path()
            for name in (names[0], *(str(folder / other) for other in names[1:])):
                with self.subTest(path=name):
                    self.assertTrue((ROOT / name).exists())
