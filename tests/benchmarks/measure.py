# SPDX-License-Identifier: MIT
"""Time, memory and imports, measured alike for everybody."""

import gc
import subprocess
import sys
import tracemalloc
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter, process_time
from typing import Any, TypeVar

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]

Call = Callable[[], Any]
Key = TypeVar("Key")


@dataclass(frozen=True)
class Effort:
    """How hard to measure."""

    repeats: int
    """Batches of a call, of which the fastest counts."""
    batch: float
    """Seconds that a batch takes at least, unless one call takes longer."""
    processes: int
    """Fresh processes for an import, of which the fastest counts."""


def fastest(
    calls: Mapping[Key, Call], effort: Effort, *, collect: bool = False
) -> dict[Key, float]:
    """Return the seconds that each call takes at its fastest.

    Time is that of the processor, so that waiting for other processes does not count.
    The calls take turns, one batch each, so that a slow moment of the machine hits them all
    alike. The cyclic garbage collector is off while a batch runs unless it is asked for; what
    a call returns is freed inside the batch.
    """
    loops = {name: _loops(call, effort.batch) for name, call in calls.items()}
    best = dict.fromkeys(calls, float("inf"))
    for _ in range(effort.repeats):
        for name, call in calls.items():
            best[name] = min(best[name], _batch(call, loops[name], collect) / loops[name])
    return best


def _loops(call: Call, batch: float) -> int:
    loops = 1
    while True:
        elapsed = _batch(call, loops, collect=False)
        if elapsed >= batch:
            return loops
        loops = max(loops + 1, min(loops * 10, int(loops * batch / max(elapsed, 1e-9) * 1.1)))


def _batch(call: Call, loops: int, collect: bool) -> float:
    gc.collect()
    if not collect:
        gc.disable()
    try:
        start = process_time()
        for _ in range(loops):
            call()
        return process_time() - start
    finally:
        gc.enable()


def memory(call: Call) -> tuple[int, int]:
    """Return the bytes that a call holds at its peak, and those that its result keeps.

    Only memory that Python's allocators hand out is seen. A first call fills caches.
    """
    call()
    gc.collect()
    tracemalloc.start()
    try:
        result = call()
        kept, peak = tracemalloc.get_traced_memory()
        del result
    finally:
        tracemalloc.stop()
    return peak, kept


@dataclass(frozen=True)
class Import:
    """What importing something costs in a fresh process, in seconds of the processor."""

    inside: float
    """The import statement alone."""
    first: float
    """The import statement and the first reading of a payload."""
    process: float
    """The whole process that does both, from start to exit, by the clock on the wall."""


def imports(
    statements: Mapping[str, tuple[str, str]], text: str, effort: Effort
) -> dict[str, Import]:
    """Measure import statements, each with a statement that reads `text`, in fresh processes.

    The processes are isolated from the environment, take turns, and find compiled bytecode.
    """
    best = {name: Import(*[float("inf")] * 3) for name in statements}
    for turn in range(effort.processes + 1):  # the first turn compiles, and does not count
        for name, (statement, use) in statements.items():
            start = perf_counter()
            told = _run(f"{_TIMED}\n{statement}\n{_TELL}\n{use}\n{_TELL}", text).stdout
            process = perf_counter() - start
            if turn:
                inside, first = map(float, told.split())
                was = best[name]
                best[name] = Import(
                    min(was.inside, inside), min(was.first, first), min(was.process, process)
                )
    return best


_TIMED = f"""
import sys
from time import process_time as now
sys.path[:0] = [{str(ROOT)!r}, {str(HERE)!r}]
text = sys.stdin.buffer.read().decode()
start = now()"""
_TELL = "print(now() - start)"


def _run(code: str, text: str, *options: str) -> subprocess.CompletedProcess[bytes]:
    command = [sys.executable, "-I", *options, "-c", code]
    done = subprocess.run(command, input=text.encode(), capture_output=True, check=False)
    if done.returncode:
        raise RuntimeError(f"a measured process failed:\n{done.stderr.decode()}")
    return done


def needed_modules() -> list[str]:
    """The modules outside the package that importing it loads, as `-X importtime` tells."""
    before = _loaded("")
    after = _loaded(f"sys.path.insert(0, {str(ROOT)!r})\nimport agent_contracts")
    return [name for name in after if name not in before and "agent_contracts" not in name]


def _loaded(code: str) -> list[str]:
    done = _run(f"import sys\n{code}\nprint(*sys.modules)", "", "-X", "importtime")
    found = set(done.stdout.decode().split())  # imports that failed are told as well
    told = [line.rpartition("|")[2].strip() for line in done.stderr.decode().splitlines()]
    return [name for name in told if name in found]
