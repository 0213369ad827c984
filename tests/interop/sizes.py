# SPDX-License-Identifier: MIT
"""How much time and memory a large payload takes, beside what `json.loads` alone takes.

    python tests/interop/sizes.py --megabytes 100

One process reads one payload, so that its peak of memory is its own (Linux only).
"""

import argparse
import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parents[1]), str(HERE)]

import agent_contracts  # noqa: E402
from agent_contracts import ContractError  # noqa: E402

RAG = (
    '{"tool_call_id":"c","status":"EVIDENCE_FOUND","query":"q","evidence_count":1,'
    '"truncated":false,'
)
LOGS = (
    '{"tool_call_id":"c","status":"EVIDENCE_FOUND","source_kind":"MOCK","scope":{"topic":'
    '"APPLICATION","query":"q","lookback_minutes":1,"start_time":"2026-07-12T15:00:00Z",'
    '"end_time":"2026-07-12T15:01:00Z"},"matched_count":1,"truncated":false,"patterns":[],'
)
MYSQL = '{"tool_call_id":"c","status":"EVIDENCE_FOUND","row_count":1,"truncated":false,'
EVENT = (
    '{"timestamp":"2026-07-12T15:00:00.123Z","level":"WARN","service":null,"instance":"pod-1",'
    '"message":"took 31 ms"}'
)


def repeated(head: str, item: str, tail: str, size: int) -> str:
    """Fill a text of some size with one item, again and again."""
    count = max((size - len(head) - len(tail)) // (len(item) + 1), 1)
    return head + ",".join([item] * count) + tail


def numbered(head: str, item: Callable[[int], str], tail: str, size: int) -> str:
    """Fill a text of some size with items that differ."""

    def items() -> Iterator[str]:
        length = len(head) + len(tail)
        number = 0
        while length < size:
            text = item(number)
            length += len(text) + 1
            number += 1
            yield text

    return head + ",".join(items()) + tail


Make = Callable[[int], str]

# Each shape: the class, whether it is accepted, and how a payload of some size is made.
SHAPES: dict[str, tuple[str, bool, Make]] = {
    "one long text": ("RagToolRequest", True, lambda n: '{"query":"' + "x" * n + '"}'),
    "long Chinese text": ("RagToolRequest", True, lambda n: '{"query":"' + "连" * (n // 3) + '"}'),
    "escapes": ("RagToolRequest", True, lambda n: '{"query":"' + "\\u0000" * (n // 6) + '"}'),
    "halves of characters": (
        "RagToolResult",
        True,
        lambda n: (
            f'{RAG}"evidence":[{{"source":"s","section":null,"content":"'
            + "\\ud83d" * (n // 6)
            + '"}]}'
        ),
    ),
    "many excerpts": (
        "RagToolResult",
        True,
        lambda n: repeated(
            f'{RAG}"evidence":[', '{"source":"a.md","section":null,"content":"text"}', "]}", n
        ),
    ),
    "many events": (
        "QueryLogsToolResult",
        True,
        lambda n: repeated(f'{LOGS}"timeline_events":[', EVENT, "]}", n),
    ),
    "many rows": (
        "MysqlToolResult",
        True,
        lambda n: repeated(
            f'{MYSQL}"columns":["id","note","at"],"rows":[',
            '{"id":1,"note":"paid","at":"2026-07-12T15:00:00"}',
            "]}",
            n,
        ),
    ),
    "one cell of many numbers": (
        "MysqlToolResult",
        True,
        lambda n: repeated(f'{MYSQL}"columns":["a"],"rows":[{{"a":[', "0", "]}]}", n),
    ),
    "many columns": (
        "MysqlToolResult",
        True,
        lambda n: numbered(f'{MYSQL}"columns":[', lambda i: f'"c{i}"', '],"rows":[]}', n),
    ),
    "many parameters": (
        "MysqlToolRequest",
        True,
        lambda n: repeated('{"data_source":"d","sql":"s","params":[', "1.5", "]}", n),
    ),
    "one column many times": (
        "MysqlToolResult",
        False,
        lambda n: repeated(f'{MYSQL}"columns":[', '"c"', '],"rows":[]}', n),
    ),
    "many wrong rows": (
        "MysqlToolResult",
        False,
        lambda n: repeated(f'{MYSQL}"columns":["id"],"rows":[', '{"no":1}', "]}", n),
    ),
    "many wrong excerpts": (
        "RagToolResult",
        False,
        lambda n: repeated(f'{RAG}"evidence":[', "{}", "]}", n),
    ),
    "many unknown keys": (
        "RagToolRequest",
        False,
        lambda n: numbered('{"query":"q",', lambda i: f'"k{i}":0', "}", n),
    ),
    "one key many times": (
        "RagToolRequest",
        False,
        lambda n: repeated("{", '"query":"q"', "}", n),
    ),
    "many keys twice": (
        "MysqlToolResult",
        False,
        lambda n: numbered(
            f'{MYSQL}"columns":["a"],"rows":[{{"a":{{', lambda i: f'"k{i // 2}":0', "}}]}", n
        ),
    ),
    "one long unknown key": ("RagToolRequest", False, lambda n: '{"' + "k" * n + '":0}'),
    "one long enum word": (
        "QueryLogsToolRequest",
        False,
        lambda n: '{"query":"q","topic":"' + "A" * n + '"}',
    ),
    "a million brackets": ("RagToolRequest", False, lambda n: "[" * n),
    "one long number": ("MysqlToolRequest", False, lambda n: '{"params":[' + "9" * n + "]}"),
    "a cut-off text": ("RagToolRequest", False, lambda n: '{"query":"' + "x" * n),
    "white space": ("RagToolRequest", False, lambda n: " " * n),
    "byte order marks": ("RagToolRequest", False, lambda n: "\ufeff" * (n // 3)),
    "text after the object": (
        "RagToolRequest",
        False,
        lambda n: '{"query":"q"}' + "\n{" * (n // 2),
    ),
}


@dataclass(frozen=True)
class Cost:
    """What one reading took."""

    accepted: bool
    told: int
    seconds: float
    megabytes: float


def measure(shape: str, megabytes: float, reader: str = "contract") -> Cost:
    """Read a payload in a process of its own, with a contract class or with json.loads alone."""
    contract, _, make = SHAPES[shape]
    with tempfile.NamedTemporaryFile() as file:
        file.write(make(int(megabytes * 1_000_000)).encode())
        file.flush()
        done = subprocess.run(
            [sys.executable, __file__, "--one", file.name, contract, reader],
            capture_output=True,
            text=True,
            check=False,
        )
    if done.returncode:
        raise AssertionError(f"{shape}, {megabytes} MB: {done.stderr[-2000:]}")
    return Cost(**json.loads(done.stdout))


def _status(field: str) -> int:
    for line in Path("/proc/self/status").read_text(encoding="ascii").splitlines():
        if line.startswith(f"{field}:"):
            return int(line.split()[1])
    raise AssertionError(field)


def _one(file: str, contract: str, reader: str) -> None:
    text = Path(file).read_bytes()
    read: Callable[[bytes], Any] = json.loads
    if reader == "contract":
        read = getattr(agent_contracts, contract).from_json
    Path("/proc/self/clear_refs").write_text("5", encoding="ascii")  # the peak starts anew
    before = _status("VmRSS")
    start = time.process_time()
    accepted, told = True, 0
    try:
        made = read(text)  # kept: its memory counts
    except (ValueError, RecursionError) as error:
        if reader == "contract" and not isinstance(error, ContractError):
            raise
        accepted, told = False, len(str(error)) if reader == "contract" else 0
    else:
        assert made is not None
    seconds = time.process_time() - start
    megabytes = (_status("VmHWM") - before) * 1024 / 1_000_000
    print(  # noqa: T201  # the answer of this process
        json.dumps({"accepted": accepted, "told": told, "seconds": seconds, "megabytes": megabytes})
    )


def main() -> None:
    """Print what payloads of some size take."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--megabytes", type=float, default=100)
    parser.add_argument("--one", nargs=3, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.one:
        _one(*options.one)
        return
    print(f"{'payload':26} {'':8} {'seconds':>8} {'json':>8} {'peak MB':>8} {'json':>8}")  # noqa: T201
    for shape in SHAPES:
        ours = measure(shape, options.megabytes)
        alone = measure(shape, options.megabytes, "json")
        print(  # noqa: T201
            f"{shape:26} {'taken' if ours.accepted else 'refused':8} {ours.seconds:8.2f} "
            f"{alone.seconds:8.2f} {ours.megabytes:8.0f} {alone.megabytes:8.0f}"
        )


if __name__ == "__main__":
    main()
