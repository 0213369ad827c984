# SPDX-License-Identifier: MIT
"""Checks recorded payloads, one after the other, in flat memory."""

import errno
import os
import sys
import time
from collections.abc import Callable, Iterator
from itertools import chain
from pathlib import Path
from typing import IO, Any, TextIO

from ._contract import Contract
from ._json import dumps, loads
from .errors import ContractError, Problem

Report = Callable[[str, int, Problem], str]

_JSON_LINES = (".jsonl", ".ndjson")
_SUFFIXES = (".json", *_JSON_LINES)
_PROGRESS_SECONDS = 0.2
_CLEAR_LINE = "\r\x1b[K"


class OutputError(Exception):
    """Standard output or standard error cannot be written; its cause is an OSError."""


def tell(text: str, stream: TextIO | None, end: str = "\n") -> None:
    """Write a line to a stream, if it is open at all.

    Raises:
        OutputError: The stream cannot be written.
    """
    if stream is not None:
        try:
            print(text, file=stream, end=end, flush=stream is sys.stderr)
        except OSError as error:
            raise OutputError from error


class Checker:
    """Checks payloads of one class and counts what it finds."""

    def __init__(
        self,
        contract: type[Contract],
        rules: Callable[[Any], tuple[Problem, ...]] | None,
        report: Report,
    ) -> None:
        """Make a checker.

        Args:
            contract: The class that the payloads should be.
            rules: More to check of each payload that could be read; None for no more.
            report: Writes one problem at a file and a line.
        """
        self._contract = contract
        self._rules = rules
        self._report = report
        self._files = self._payloads = self._refused = self._problems = self._unreadable = 0
        self._on_terminal = sys.stderr is not None and sys.stderr.isatty()
        self._line_shown = False
        self._told_at = time.monotonic()

    def check(self, name: str) -> None:
        """Check a file, a folder with all its JSON files, or standard input (`-`)."""
        if not Path(name).is_dir():
            self._check_file(name)
            return
        found = [
            os.path.join(folder, file)
            for folder, _, files in os.walk(name, onerror=self._cannot_read)
            for file in files
            if file.lower().endswith(_SUFFIXES)
        ]
        for file in sorted(found):
            self._check_file(file)

    def summary(self) -> str:
        """One line that tells what was checked and found."""
        return (
            f"{_counted(self._payloads, 'payload')} in {_counted(self._files, 'file')}: "
            f"{_counted(self._problems, 'problem')} in {_counted(self._refused, 'payload')}"
            + (f"; {self._unreadable} could not be read" if self._unreadable else "")
        )

    def exit_code(self) -> int:
        """0 if all is good, 1 if there are problems, 2 if something could not be read."""
        if self._unreadable or not self._payloads:
            return 2
        return 1 if self._problems else 0

    def clear(self) -> None:
        """Take the progress line off the terminal."""
        if self._line_shown:
            self._line_shown = False
            tell(_CLEAR_LINE, sys.stderr, end="")

    def _check_file(self, name: str) -> None:
        try:
            if name == "-":
                self._check_stream("<stdin>", _standard_input())
            else:
                with Path(name).open("rb") as stream:
                    self._check_stream(name, stream)
        except OSError as error:
            error.filename = name
            self._cannot_read(error)

    def _cannot_read(self, error: OSError) -> None:
        self._unreadable += 1
        self.clear()
        tell(f"{error.filename}: {error.strerror}", sys.stderr)

    def _check_stream(self, name: str, stream: IO[bytes]) -> None:
        self._files += 1
        for line, text in _payloads(name, stream):
            problems = self._problems_of(text)
            self._payloads += 1
            if problems:
                self._refused += 1
                self._problems += len(problems)
                self.clear()
                for problem in problems:
                    tell(self._report(name, line, problem), sys.stdout)
            if self._on_terminal and time.monotonic() - self._told_at > _PROGRESS_SECONDS:
                self._told_at = time.monotonic()
                self._line_shown = True
                tell(_CLEAR_LINE + self.summary(), sys.stderr, end="")

    def _problems_of(self, text: bytes) -> tuple[Problem, ...]:
        try:
            payload = self._contract.from_json(text)
        except ContractError as error:
            return error.problems
        return self._rules(payload) if self._rules else ()


def _counted(count: int, noun: str) -> str:
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"


def _standard_input() -> IO[bytes]:
    if sys.stdin is None:
        raise OSError(errno.EBADF, os.strerror(errno.EBADF))
    return sys.stdin.buffer


def _payloads(name: str, stream: IO[bytes]) -> Iterator[tuple[int, bytes]]:
    """The payloads of a file with their lines: one JSON value, or one on each line."""
    lines = enumerate(stream, start=1)
    head: list[tuple[int, bytes]] = []  # up to the second line that is not blank
    filled: list[tuple[int, bytes]] = []
    for number, line in lines:
        head.append((number, line))
        if line.strip():
            filled.append((number, line))
        if len(filled) == 2:
            break
    first, second = (*(line for _, line in filled), b"", b"")[:2]
    if name.lower().endswith(_JSON_LINES) or _are_lines(first, second):
        yield from ((number, line) for number, line in chain(head, lines) if line.strip())
    elif filled:
        yield filled[0][0], b"".join(line for _, line in head) + stream.read()


def _are_lines(first: bytes, second: bytes) -> bool:
    """Whether a file that begins so has one payload on each line."""
    try:
        loads(first)
    except ContractError:
        # a first line that is broken, not one that goes on in the second
        open_ended = first.rstrip()[-1:] in b"[{,:" or first.startswith(b"```")
        return second.startswith(b"{") and not open_ended
    return True


def as_text(file: str, line: int, problem: Problem) -> str:
    """A problem as compilers tell it."""
    return f"{file}:{line}: {problem}"


def as_json(file: str, line: int, problem: Problem) -> str:
    """A problem as one line of JSON."""
    place = os.fsencode(file).decode(errors="replace")
    return dumps({"file": place, "line": line, "path": problem.path, "message": problem.message})


def as_github(file: str, line: int, problem: Problem) -> str:
    """A problem as an annotation of GitHub Actions."""
    place = _escaped(file).replace(":", "%3A").replace(",", "%2C")
    return f"::error file={place},line={line}::{_escaped(str(problem))}"


def _escaped(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


REPORTS: dict[str, Report] = {"text": as_text, "json": as_json, "github": as_github}
