# SPDX-License-Identifier: MIT
"""The published schemas: `python -m tests.schemas` writes them, a test holds them true.

A change of the wire needs a new CONTRACT_VERSION, which has a folder of its own.
"""

import json
import sys
from pathlib import Path

from tests import module

COMMAND = "python -m tests.schemas"
SCHEMAS = Path(__file__).resolve().parent.parent / "docs" / "schemas"


def published(*, write: bool = False) -> list[str]:
    """Return what differs between the published files and the package, after writing if told to.

    Args:
        write: Write the files of the package's version before they are compared.
    """
    snapshot = module("snapshot")
    folder = SCHEMAS / f"v{snapshot.CONTRACT_VERSION}"
    right = {
        "contract.json": _pretty(snapshot.snapshot()),
        "fingerprint.txt": snapshot.fingerprint() + "\n",
    }
    for name, contract in snapshot.contract_classes().items():
        right[f"{name}.json"] = _pretty(snapshot.schema_document(contract))
    if write:
        folder.mkdir(parents=True, exist_ok=True)
        for file in folder.iterdir():
            file.unlink()
        for name, text in right.items():
            (folder / name).write_text(text, encoding="utf-8", newline="\n")
    found = {file.name: file.read_bytes() for file in folder.glob("*")}
    told = [f"{name} does not belong here" for name in sorted(found.keys() - right.keys())]
    for name, text in right.items():
        if name not in found:
            told.append(f"{name} is missing")
        elif found[name] != text.encode():
            told.append(f"{name} differs")
    return told


def _pretty(document: object) -> str:
    return json.dumps(document, ensure_ascii=False, indent=2) + "\n"


def main() -> None:
    """Write the published files."""
    published(write=True)
    sys.stdout.write("written; tell what changed in CHANGELOG.md\n")


if __name__ == "__main__":
    main()
