# SPDX-License-Identifier: MIT
"""Runs the package under test in processes of their own, as it is or as a copy."""

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from tests import contracts

PACKAGE = Path(contracts.__file__).parent
ROOT = PACKAGE.parents[contracts.__name__.count(".")]
"""The folder from which the package is imported."""


def python(
    *words: str | os.PathLike[str],
    root: Path = ROOT,
    executable: str = sys.executable,
    cwd: Path | None = None,
    stdin: bytes = b"",
    **environment: str,
) -> subprocess.CompletedProcess[bytes]:
    """Run Python with some words, away from the checkout unless a folder is named."""
    return subprocess.run(
        [executable, *words],
        env=environment_for(root, **environment),
        cwd=cwd or tempfile.gettempdir(),
        input=stdin,
        capture_output=True,
        timeout=120,
        check=False,
    )


def environment_for(root: Path, **changes: str) -> dict[str, str]:
    """The environment of a process that imports packages from a folder."""
    fixed = {"PYTHONPATH": str(root), "PYTHONDONTWRITEBYTECODE": "1", "COLUMNS": "80"}
    # a test run that was started with these must not change what is tested
    kept = {key: value for key, value in os.environ.items() if key != "PYTHONOPTIMIZE"}
    return {**kept, **fixed, **changes}


def vendored(folder: Path, name: str = "acme._vendor.contracts") -> Path:
    """Copy the package under another name below a folder, and return the copy."""
    copy = folder.joinpath(*name.split("."))
    shutil.copytree(PACKAGE, copy, ignore=shutil.ignore_patterns("__pycache__"))
    return copy
