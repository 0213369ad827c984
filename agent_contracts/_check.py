# SPDX-License-Identifier: MIT
"""Checks recorded payloads, one after the other, in flat memory."""

import os
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import IO, Any

from ._contract import Contract
from ._json import dumps
from .errors import ContractError, Problem

Rules = Callable[[Any], tuple[Problem, ...]]

_JSON_LINES = (".jsonl", ".ndjson")
_PROGRESS_SECONDS = 0.2


@dataclass(slots=True)
class Checker:
    """Checks payloads of one class and counts what it finds."""

    contract: type[Contract]
    """The class that the payloads should be."""
    rules: Rules | None
    """More to check of each payload that could be read; None for no more."""
    report: Callable[[str, int, Problem], str]
    """Writes one problem at a file and a line."""
    files: int = 0
    payloads: int = 0
    refused: int = 0
    problems: int = 0
    unreadable: int = 0
    shown: float = 0.0

    def check(self, name: str) -> None:
        """Check a file, a folder with all its JSON files, or standard input (`-`)."""
        if name == "-":
            self._check_stream("<stdin>", sys.stdin.buffer)
            return
        path = Path(name)
        try:
            if path.is_dir():
                suffixes = (".json", *_JSON_LINES)
                found = (file for file in path.rglob("*") if file.suffix in suffixes)
                for file in sorted(found):
                    self.check(str(file))
            else:
                with path.open("rb") as stream:
                    self._check_stream(name, stream)
        except OSError as error:
            if isinstance(error, BrokenPipeError):
                raise
            self.unreadable += 1
            print(f"{name}: {error.strerror}", file=sys.stderr)

    def summary(self) -> str:
        """One line that tells what was checked and found."""
        return (
            f"{self.payloads} payloads in {self.files} files: "
            f"{self.problems} problems in {self.refused} payloads"
        )

    @property
    def exit_code(self) -> int:
        """0 if all is good, 1 if there are problems, 2 if a file could not be read."""
        if self.unreadable or not self.payloads:
            return 2
        return 1 if self.problems else 0

    def _check_stream(self, name: str, stream: IO[bytes]) -> None:
        self.files += 1
        for line, text in _payloads(name, stream):
            self.payloads += 1
            problems = self._problems(text)
            self._show_progress()
            if problems:
                self.refused += 1
                self.problems += len(problems)
                for problem in problems:
                    print(self.report(name, line, problem))
        self._show_progress(done=True)

    def _problems(self, text: bytes) -> tuple[Problem, ...]:
        try:
            payload = self.contract.from_json(text)
        except ContractError as error:
            return error.problems
        return self.rules(payload) if self.rules else ()

    def _show_progress(self, *, done: bool = False) -> None:
        """Keep one line on a terminal; nothing is written where output is kept."""
        if not sys.stderr.isatty():
            return
        if done:
            print("\r\x1b[K", end="", file=sys.stderr, flush=True)
        elif time.monotonic() - self.shown > _PROGRESS_SECONDS:
            self.shown = time.monotonic()
            print(f"\r\x1b[K{self.summary()}", end="", file=sys.stderr, flush=True)


def _payloads(name: str, stream: IO[bytes]) -> Iterator[tuple[int, bytes]]:
    """The payloads of a file with their lines: one JSON value, or one on each line."""
    lines = ((number, line) for number, line in enumerate(stream, start=1) if line.strip())
    first = next(lines, None)
    if first is None:
        return
    second = next(lines, None)
    rest = lines if second is None else chain([second], lines)
    if (
        name.endswith(_JSON_LINES)
        or first[1].strip().endswith(b"}")
        or (second is not None and first[1][:1] == second[1][:1] == b"{")
    ):
        yield from chain([first], rest)
    else:
        yield first[0], first[1] + b"".join(line for _, line in rest)


def as_text(file: str, line: int, problem: Problem) -> str:
    """A problem as compilers tell it."""
    return f"{file}:{line}: {problem}"


def as_json(file: str, line: int, problem: Problem) -> str:
    """A problem as one line of JSON."""
    place = os.fsencode(file).decode(errors="replace")
    return dumps({"file": place, "line": line, "path": problem.path, "message": problem.message})


def as_github(file: str, line: int, problem: Problem) -> str:
    """A problem as an annotation of GitHub Actions."""
    text = str(problem).replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")
    place = file.replace("%", "%25").replace(":", "%3A").replace(",", "%2C")
    return f"::error file={place},line={line}::{text}"


REPORTS = {"text": as_text, "json": as_json, "github": as_github}
