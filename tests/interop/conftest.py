# SPDX-License-Identifier: MIT
"""What was counted is told at the end of a run, so that its log proves something."""

from collections.abc import Callable

import pytest

_told: list[str] = []


@pytest.fixture(scope="session")
def tell() -> Callable[[str], None]:
    """Return a function that adds a line to the summary of the run."""
    return _told.append


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    if _told:
        terminalreporter.section("what was counted")
        for line in _told:
            terminalreporter.write_line(line)
