# SPDX-License-Identifier: MIT
"""The browser of the machine, and the scripts that it runs.

All come from setup-docs.sh; CHROMIUM, AXE_CORE and MERMAID name other places.
"""

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import Browser, sync_playwright

CHROMIUM = os.environ.get("CHROMIUM") or shutil.which("chromium")
FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
NODE_MODULES = (
    Path(os.environ.get("AXE_CORE_HOME") or Path.home() / ".cache/agent-contracts-docs")
    / "node_modules"
)
AXE = Path(os.environ.get("AXE_CORE") or NODE_MODULES / "axe-core/axe.min.js")
MERMAID = Path(os.environ.get("MERMAID") or NODE_MODULES / "mermaid/dist/mermaid.min.js")


@contextmanager
def chromium() -> Iterator[Browser]:
    """Start the browser, and close it in the end."""
    assert CHROMIUM, "chromium is needed: tests/interop/setup-docs.sh installs it"
    with sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=CHROMIUM, args=list(FLAGS))
        yield started
        started.close()
