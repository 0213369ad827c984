# SPDX-License-Identifier: MIT
"""Measure the package beside its peers and print Markdown tables.

    python -m pip install -r tests/benchmarks/requirements.txt
    python tests/benchmarks/run.py [--quick] [--write]

It ends with 1 if a peer does not give back a payload as it was, or if the package itself does
not give one of its guarantees. No time makes it fail.
"""

import argparse
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path[0] = str(ROOT)  # not this folder, whose names are not meant to be found from outside

try:
    from tests.benchmarks import report, suite
except ModuleNotFoundError as missing:
    sys.exit(f"{missing}: python -m pip install -r tests/benchmarks/requirements.txt")

PAGE = ROOT / "docs" / "reference" / "performance.md"


def main() -> int:
    parser = argparse.ArgumentParser(description="Measure the package beside its peers.")
    parser.add_argument(
        "--quick", action="store_true", help="fewer repeats and rows: to try things, not to quote"
    )
    parser.add_argument(
        "--write", action="store_true", help=f"put the tables into {PAGE.relative_to(ROOT)}"
    )
    options = parser.parse_args()
    version = f"{sys.version_info.major}.{sys.version_info.minor}"
    if options.write:
        report.placed(PAGE.read_text(encoding="utf-8"), version, "")  # fails before the long run
    try:
        measured = suite.run(suite.QUICK if options.quick else suite.FULL)
    except suite.WrongResultError as error:
        sys.stderr.write(f"wrong: {error}\n")
        return 1
    tables = report.tables(measured)
    sys.stdout.write(tables)
    if options.write:
        page = PAGE.read_text(encoding="utf-8")
        PAGE.write_text(report.placed(page, version, tables), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
