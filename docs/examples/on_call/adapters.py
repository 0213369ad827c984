# SPDX-License-Identifier: MIT
"""The sources of the on-call example: runbooks, log files, and SQLite in place of MySQL.

Each adapter finds all there is and knows nothing of the contract. What goes wrong leaves it as
one of `FAILURES`.
"""

import re
import sqlite3
from collections.abc import Sequence
from contextlib import closing
from datetime import datetime
from pathlib import Path
from typing import Any

FAILURES = (  # a TypeError: a time without an offset cannot be compared
    OSError,
    ValueError,
    TypeError,
    OverflowError,
    sqlite3.Error,
    sqlite3.Warning,
)
_VARYING = re.compile(r"\b(?=[a-f-]*\d)[0-9a-f-]{8,}\b|\d+")  # UUIDs, hexadecimal ids, numbers


def sections(folder: Path, query: str) -> list[dict[str, str | None]]:
    """Find the sections that hold more than half of the words of a query, the best first."""
    wanted = _words(query)
    scored = []
    for file in sorted(file for file in folder.iterdir() if file.suffix == ".md"):
        for section in _markdown_sections(file):
            score = len(wanted & _words(" ".join(filter(None, section.values()))))
            scored.append((score, section))
    scored.sort(key=lambda pair: -pair[0])
    return [section for score, section in scored if score * 2 > len(wanted)]


def _words(text: str) -> set[str]:
    return set(re.findall(r"\w+", text.lower()))


def _markdown_sections(file: Path) -> list[dict[str, str | None]]:
    """Split a file at its headings; the text before the first one goes under the file's name."""
    path: list[str] = []
    found: list[dict[str, str | None]] = []
    text = f"# {file.stem}\n{file.read_text('utf-8')}"
    _, *parts = re.split(r"(?m)^(#+) +(.+)$", text)
    for marks, heading, body in zip(parts[::3], parts[1::3], parts[2::3], strict=True):
        path = [*path[: len(marks) - 1], heading]
        if body.strip():
            below = " > ".join(path[1:]) or None
            found.append({"source": path[0], "section": below, "content": body.strip()})
    return found


def events(file: Path, query: str, start: datetime, end: datetime) -> list[dict[str, str | None]]:
    """Find the events of a time that hold all words of a query, in the order of the file.

    A record is time, level, service, instance and message, with `-` for none. It begins with a
    date; lines that do not, such as a stack trace, belong to the record above them.
    """
    wanted = query.lower().split()
    found = []
    for record in re.split(r"\n(?=\d{4}-)", file.read_text("utf-8").strip()):
        timestamp, *fields, message = record.split(maxsplit=4)
        level, service, instance = (None if field == "-" else field for field in fields)
        in_time = start <= datetime.fromisoformat(timestamp) <= end
        if in_time and all(word in record.lower() for word in wanted):
            found.append(
                {
                    "timestamp": timestamp,
                    "level": level,
                    "service": service,
                    "instance": instance,
                    "message": message,
                }
            )
    return found


def patterns(found: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Group events by the shape of the first line of their message, the most frequent first."""
    groups: dict[tuple[str, str | None, str | None], list[dict[str, Any]]] = {}
    for event in found:
        shape = _VARYING.sub("<*>", event["message"].split("\n")[0])
        groups.setdefault((shape, event["level"], event["service"]), []).append(event)
    return [
        {
            "pattern": shape,
            "level": level,
            "service": service,
            "count": len(group),
            "first_seen": group[0]["timestamp"],
            "last_seen": group[-1]["timestamp"],
            "sample": group[0]["message"],
        }
        for (shape, level, service), group in sorted(groups.items(), key=lambda item: -len(item[1]))
    ]


def rows(script: Path, sql: str, params: Sequence[Any]) -> list[sqlite3.Row]:
    """Run one statement on the database that a script makes; it can read but not write."""
    with closing(sqlite3.connect(":memory:")) as database:
        database.executescript(script.read_text("utf-8"))
        database.execute("PRAGMA query_only = ON")
        database.row_factory = sqlite3.Row
        return database.execute(sql, params).fetchall()
