# SPDX-License-Identifier: MIT
"""The package does the same wherever it is used: each Python, each way of starting and packing it.

A Python that is not here is skipped with a word, but with CI=true it fails the run.
"""

import functools
import json
import os
import shutil
import subprocess
import sys
import tarfile
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from flit_core import buildapi  # type: ignore[import-untyped]

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = ROOT / "agent_contracts"
PROBE = Path(__file__).with_name("probe.py")
VERSIONS = ("3.11", "3.12", "3.13")
CACHES = shutil.ignore_patterns("__pycache__", ".*_cache", "*.pyc")

each_version = pytest.mark.parametrize("version", VERSIONS)


@functools.cache
def python(version: str) -> str:
    """Return the interpreter of a version, from PATH or pyenv."""
    root = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv")) / "versions"
    # a shim of pyenv is on PATH for versions that are not chosen, and fails
    places: list[str | Path] = [*root.glob(f"{version}.*/bin/python"), f"python{version}"]
    for place in filter(shutil.which, places):
        check = "import sys; print('%d.%d' % sys.version_info[:2])"
        done = subprocess.run([place, "-c", check], capture_output=True, text=True, check=False)
        if done.stdout.strip() == version:
            return str(place)
    if os.environ.get("CI") == "true":
        pytest.fail(f"Python {version} is not here, so nothing is proved of it")
    pytest.skip(f"PYTHON {version} IS NOT HERE: NOTHING IS PROVED OF IT")


def run(*command: str | Path, cwd: Path = ROOT, **variables: str) -> bytes:
    """Run a command in an environment of its own and return what it prints."""
    kept = {name: os.environ[name] for name in ("PATH", "HOME", "LANG") if name in os.environ}
    done = subprocess.run(
        list(map(str, command)),
        capture_output=True,
        cwd=cwd,
        env={**kept, "PYTHONDONTWRITEBYTECODE": "1", **variables},
        timeout=600,
        check=False,
    )
    assert done.returncode == 0, done.stderr.decode()[-4000:]
    return done.stdout


def probe(interpreter: list[str], path: Path, package: str, *command: str, **variables: str) -> Any:
    """Run the probe; a warning is an error there."""
    options = ["-W", "error", "-bb"]
    words: list[str | Path] = [*interpreter, *options, PROBE, path, package, *command]
    return json.loads(run(*words, cwd=PROBE.parent, **variables))


@functools.cache
def expected() -> Any:
    """Return what the probe tells here; all others must tell the same."""
    told = probe([sys.executable], ROOT, "agent_contracts", "tell", PYTHONHASHSEED="0")
    assert len(told["json"]) >= 20
    assert len(told["refused"]) >= 15
    return told


@pytest.mark.parametrize(
    "options",
    [[], ["-O"], ["-OO"], ["-I"], ["-S"], ["-E"], ["-I", "-S", "-OO"], ["-X", "dev"]],
    ids=lambda options: " ".join(options) or "plain",
)
@each_version
def test_each_python_started_in_each_way_does_the_same(version: str, options: list[str]) -> None:
    told = probe([python(version), *options], ROOT, "agent_contracts", "tell")
    assert told == expected()


@pytest.mark.parametrize("options", [[], ["-O"], ["-OO"], ["-S"]], ids=" ".join)
@each_version
def test_the_command_line_works_in_each_way(version: str, options: list[str]) -> None:
    start = [python(version), *options, "-W", "error", "-m", "agent_contracts"]
    told = run(*start, "fingerprint", cwd=ROOT).decode()
    assert told.strip() == expected()["fingerprint"]
    assert b"usage" in run(*start, "--help", cwd=ROOT)
    for command in ("tools", "schema", "snapshot"):
        assert run(*start, command, cwd=ROOT, PYTHONIOENCODING="ascii")


@each_version
def test_it_works_from_a_zip(version: str, tmp_path: Path) -> None:
    archive = tmp_path / "contracts.zip"
    with zipfile.ZipFile(archive, "w") as file:
        for source in sorted(PACKAGE.glob("*.py")):
            file.write(source, f"agent_contracts/{source.name}")
    assert probe([python(version), "-I"], archive, "agent_contracts", "tell") == expected()
    command = [python(version), "-m", "agent_contracts", "fingerprint"]
    told = run(*command, cwd=tmp_path, PYTHONPATH=str(archive))
    assert told.decode().strip() == expected()["fingerprint"]


@each_version
def test_a_vendored_copy_never_imports_a_package_of_the_original_name(
    version: str, tmp_path: Path
) -> None:
    home = tmp_path / "acme" / "_vendor" / "contracts"
    shutil.copytree(PACKAGE, home, ignore=CACHES)
    poison = tmp_path / "agent_contracts" / "__init__.py"
    poison.parent.mkdir()
    poison.write_text("raise AssertionError('the other package was imported')\n")
    interpreter = [python(version)]
    assert probe(interpreter, tmp_path, "acme._vendor.contracts", "tell") == expected()
    pooled = probe(interpreter, tmp_path, "acme._vendor.contracts", "pool")
    assert pooled["objects"] == len(expected()["json"])
    command = [*interpreter, "-m", "acme._vendor.contracts", "fingerprint"]
    told = run(*command, cwd=tmp_path)
    assert told.decode().strip() == expected()["fingerprint"]


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """Build the sdist, and the wheel from the unpacked sdist, as pip would."""
    folder = tmp_path_factory.mktemp("built")
    copied = folder / "copy"
    copied.mkdir()
    for name in (".ci", "agent_contracts", "docs", "tests"):
        shutil.copytree(ROOT / name, copied / name, ignore=CACHES)
    for name in ("pyproject.toml", "README.md", "LICENSE", "CHANGELOG.md", "mkdocs.yml"):
        shutil.copy(ROOT / name, copied)
    here = Path.cwd()
    try:
        os.chdir(copied)  # the interface of build backends is the current folder
        sdist = folder / buildapi.build_sdist(str(folder))
        with tarfile.open(sdist) as file:
            file.extractall(folder / "unpacked", filter="data")
        (unpacked,) = (folder / "unpacked").iterdir()
        os.chdir(unpacked)
        wheel = folder / buildapi.build_wheel(str(folder))
    finally:
        os.chdir(here)
    return {"unpacked": unpacked, "wheel": wheel}


@each_version
def test_the_tests_run_in_the_unpacked_sdist(
    version: str, built: dict[str, Path], tell: Callable[[str], None]
) -> None:
    done = subprocess.run(
        [python(version), "-m", "unittest"],
        cwd=built["unpacked"],
        env={"PATH": os.environ["PATH"], "PYTHONDONTWRITEBYTECODE": "1"},
        capture_output=True,
        text=True,
        stdin=subprocess.DEVNULL,
        timeout=600,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-4000:]
    closing = done.stderr.strip().splitlines()
    assert int(closing[-3].split()[1]) > 100, closing
    tell(f"Python {version}, unpacked sdist: {closing[-3]} {closing[-1]}")


@each_version
def test_the_wheel_of_the_sdist_does_the_same(version: str, built: dict[str, Path]) -> None:
    told = probe([python(version), "-I"], built["wheel"], "agent_contracts", "tell")
    assert told == expected()


def test_hash_seeds_0_to_20_write_the_same_json() -> None:
    for seed in range(21):
        told = probe([sys.executable], ROOT, "agent_contracts", "tell", PYTHONHASHSEED=str(seed))
        assert told == expected(), seed


@each_version
def test_objects_and_errors_pass_through_process_pools(version: str) -> None:
    told = probe([python(version)], ROOT, "agent_contracts", "pool")
    assert set(told["methods"]) == {"fork", "spawn", "forkserver"}
    assert told["objects"] == len(expected()["json"])
    assert told["told"].startswith("RagToolRequest: /query: required field is missing")


@pytest.mark.parametrize("reader", VERSIONS)
@pytest.mark.parametrize("writer", VERSIONS)
def test_what_one_version_pickles_another_reads(writer: str, reader: str, tmp_path: Path) -> None:
    file = str(tmp_path / "objects")
    written = probe([python(writer)], ROOT, "agent_contracts", "dump", file)
    read = probe([python(reader)], ROOT, "agent_contracts", "load", file)
    assert read == {"objects": written["objects"], "protocols": [2, 3, 4, 5]}
