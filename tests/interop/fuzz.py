# SPDX-License-Identifier: MIT
"""Fuzz `from_json` of the six tool classes, guided by the branches that an input reaches.

    python tests/interop/fuzz.py --seconds 60

It starts from the example payloads and from the corpus. An input that breaks the promise is
written to the folder given with --failures (the working folder unless given), and the run fails;
put it into the corpus, so that the tests read it from then on.
"""

import argparse
import sys
import tempfile
from pathlib import Path

import atheris  # type: ignore[import-untyped]

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
sys.path[:0] = [str(ROOT), str(HERE)]

with atheris.instrument_imports(include=["agent_contracts", "json"]):
    from invariant import CONTRACTS, check


def one_input(data: bytes) -> None:
    """Read one input; its first byte chooses the class."""
    if data:
        check(CONTRACTS[data[0] % len(CONTRACTS)], data[1:])


def seeds() -> list[bytes]:
    """Return all examples, good and refused, and the corpus."""
    payloads = ROOT / "docs" / "examples" / "payloads"
    files = [*payloads.rglob("*.json"), *payloads.rglob("*.input.txt"), *HERE.glob("corpus/*")]
    if not files:
        raise SystemExit("no example payloads are found")
    return [file.read_bytes() for file in files]


def words() -> str:
    """Return the dictionary: keys, words and the tokens that JSON readers trip over."""
    tokens = ["{", "}", "[", "]", ":", ",", "null", "true", "NaN", "-Infinity", "1e400", "60.0"]
    tokens += ["\\\\ud83d", "\\\\ude00", "\\xef\\xbb\\xbf", "\\xff", "```json", "\\\\u0000", "-0"]
    tokens += ["2026-07-12T15:11:52+08:00", "EVIDENCE_FOUND", "NO_EVIDENCE", "MOCK", "APPLICATION"]
    keys = {key for contract in CONTRACTS for key in contract.json_schema()["properties"]}
    quoted = [f'\\"{key}\\":' for key in sorted(keys)]
    return "".join(f'"{token}"\n' for token in tokens + quoted)


def main() -> None:
    """Fuzz for some seconds."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seconds", type=int, default=60)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--failures", type=Path, default=Path())
    options = parser.parse_args()
    folder = Path(tempfile.mkdtemp(prefix="fuzz-"))  # libFuzzer adds what it finds
    for number, seed in enumerate(seeds()):
        for first in range(len(CONTRACTS)):
            (folder / f"seed-{number}-{first}").write_bytes(bytes([first]) + seed)
    dictionary = folder.with_suffix(".dict")
    dictionary.write_text(words(), encoding="utf-8")
    arguments = [
        f"-max_total_time={options.seconds}",
        f"-seed={options.seed}",
        f"-dict={dictionary}",
        f"-artifact_prefix={options.failures}/",
        "-timeout=10",
        "-rss_limit_mb=1024",
        "-max_len=20000",
        "-print_final_stats=1",
        "-verbosity=1",
    ]
    atheris.Setup([sys.argv[0], *arguments, str(folder)], one_input)
    atheris.Fuzz()  # ends the process


if __name__ == "__main__":
    main()
