# SPDX-License-Identifier: MIT
"""What is measured, of whom, and that all of them give back what they were given."""

import json
import os
import pickle
import platform
import sys
from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict, dataclass, field
from enum import Enum
from functools import partial
from importlib.metadata import version
from pathlib import Path
from types import ModuleType
from typing import Any

from . import guarantees, payloads
from .measure import Effort, Import, fastest, imports, memory, needed_modules
from .payloads import Payload, constructor, dumps
from .peers import (
    plain_dataclasses,
    with_agent_contracts,
    with_attrs,
    with_dacite,
    with_marshmallow,
    with_mashumaro,
    with_msgspec,
    with_pydantic,
)

OURS = "agent_contracts"
FLOOR = "json (floor)"
ASDICT = "dataclasses.asdict"
STANDARD = "its standard-library modules"
PEERS: dict[str, ModuleType] = {
    OURS: with_agent_contracts,
    "pydantic": with_pydantic,
    "msgspec": with_msgspec,
    "attrs + cattrs": with_attrs,
    "mashumaro": with_mashumaro,
    "marshmallow": with_marshmallow,
    "dacite": with_dacite,
}
COMPILED = ("pydantic", "msgspec")
"""Peers whose work is done outside Python; the others are pure Python."""

OPERATIONS = ("construct", "to_dict", "to_json", "from_json", "pickle")
REFUSALS = ("refuse, one problem", "refuse, all wrong")

Times = dict[str, dict[str, float]]
"""Seconds by operation and subject."""


@dataclass(frozen=True)
class Plan:
    """How much to measure."""

    name: str
    effort: Effort
    large: Effort
    sizes: tuple[int, ...]
    memory_rows: int
    wide_rows: int


FULL = Plan(
    name="full",
    effort=Effort(repeats=25, batch=0.02, processes=30),
    large=Effort(repeats=7, batch=0.02, processes=0),
    sizes=(1_000, 10_000, 100_000),
    memory_rows=10_000,
    wide_rows=10_000,
)
QUICK = Plan(
    name="quick",
    effort=Effort(repeats=5, batch=0.001, processes=3),
    large=Effort(repeats=2, batch=0.002, processes=0),
    sizes=(1_000, 10_000),
    memory_rows=1_000,
    wide_rows=10_000,
)


class WrongResultError(Exception):
    """A subject does not give back a payload as it was, or the package breaks its word."""


@dataclass
class Measured:
    """All that one run has found."""

    plan: Plan
    machine: list[tuple[str, str]]
    modules: list[str]
    imports: dict[str, Import] = field(default_factory=dict)
    times: dict[str, Times] = field(default_factory=dict)
    """By payload."""
    accepted: set[tuple[str, str, str]] = field(default_factory=set)
    """Payload, operation and peer, where a bad payload was taken."""
    faults: dict[str, dict[str, float]] = field(default_factory=dict)
    """By payload and fault: the time to refuse over that to accept, at the same size."""
    scale: dict[int, Times] = field(default_factory=dict)
    """By number of rows."""
    collected: dict[int, dict[str, float]] = field(default_factory=dict)
    """`from_json` with the garbage collector on, by number of rows and subject."""
    wide: dict[str, float] = field(default_factory=dict)
    memory: dict[str, dict[str, tuple[int, int]]] = field(default_factory=dict)
    """Bytes at the peak and kept, by payload and subject."""
    guarantees: dict[str, dict[str, bool]] = field(default_factory=dict)
    """By peer."""


def run(plan: Plan) -> Measured:
    """Check everybody, then measure everything."""
    small = [
        payloads.request(),
        payloads.knowledge(),
        payloads.logs(),
        payloads.rows(100),
        payloads.rows(100, "100 rows, a JSON column", nested=True),
    ]
    for payload in small:
        _check(payload)
    measured = Measured(plan, _machine(), needed_modules())
    measured.guarantees = {name: guarantees.tried(peer) for name, peer in PEERS.items()}
    missing = [name for name, given in measured.guarantees[OURS].items() if not given]
    if missing:
        raise WrongResultError(f"{OURS} does not give: {'; '.join(missing)}")
    measured.imports = _imports(measured.modules, plan.effort)
    for payload in small:
        _told(f"{payload.name}")
        _measure(payload, measured)
        measured.faults[payload.name] = _faults(payload, measured)
    _measure_rows(measured)
    _told("to_dict of wide rows, and memory")
    _measure_wide(measured)
    for payload in [*small, payloads.rows(plan.memory_rows)]:
        measured.memory[payload.name] = {
            name: memory(_reader(name, payload)) for name in (FLOOR, *PEERS)
        }
    measured.machine.append(("load average at the end", _load()))
    return measured


def _told(what: str) -> None:
    sys.stderr.write(f"measuring: {what}\n")


def _check(payload: Payload) -> None:
    """Make sure that everybody gives back the payload as it was, whatever way it takes."""
    for name, peer in PEERS.items():
        made = constructor(peer, payload)()
        read = peer.from_json(getattr(peer, payload.contract), payload.text)
        ways = {
            "construct and to_dict": json.loads(json.dumps(peer.to_dict(made))),
            "construct and to_json": json.loads(peer.to_json(made)),
            "from_json and to_json": json.loads(peer.to_json(read)),
            "pickle and to_json": json.loads(peer.to_json(pickle.loads(pickle.dumps(read)))),
        }
        for way, given_back in ways.items():
            if given_back != payload.plain:
                raise WrongResultError(f"{name}: {way} changes the payload {payload.name!r}")
        if made != read:
            raise WrongResultError(f"{name}: {payload.name!r} is not equal when read")
    plain = plain_dataclasses.to_dict(constructor(plain_dataclasses, payload)())
    if json.loads(json.dumps(plain, default=_word)) != payload.plain:
        raise WrongResultError(f"{ASDICT} changes the payload {payload.name!r}")


def _word(member: Enum) -> Any:
    return member.value


def _reader(name: str, payload: Payload) -> Callable[[], Any]:
    """Return a call that reads a payload as one subject does."""
    if name == FLOOR:
        return partial(json.loads, payload.text)
    peer = PEERS[name]
    return partial(peer.from_json, getattr(peer, payload.contract), payload.text)


def _pickled(value: Any) -> Any:
    return pickle.loads(pickle.dumps(value, pickle.HIGHEST_PROTOCOL))


def _calls(payload: Payload) -> dict[str, dict[str, Callable[[], Any]]]:
    """The calls to measure, by operation and subject."""
    calls: dict[str, dict[str, Callable[[], Any]]] = {name: {} for name in OPERATIONS}
    calls["to_json"][FLOOR] = partial(dumps, payload.plain)
    calls["from_json"][FLOOR] = _reader(FLOOR, payload)
    calls["pickle"][FLOOR] = partial(_pickled, payload.plain)
    calls["to_dict"][ASDICT] = partial(asdict, constructor(plain_dataclasses, payload)())
    for name, peer in PEERS.items():
        construct = constructor(peer, payload)
        made = construct()
        calls["construct"][name] = construct
        calls["to_dict"][name] = partial(peer.to_dict, made)
        calls["to_json"][name] = partial(peer.to_json, made)
        calls["from_json"][name] = _reader(name, payload)
        calls["pickle"][name] = partial(_pickled, made)
    return calls


def _measure(payload: Payload, measured: Measured) -> None:
    times = {
        operation: fastest(calls, measured.plan.effort)
        for operation, calls in _calls(payload).items()
    }
    bad = payloads.spoiled_once(payload), payloads.spoiled_everywhere(payload)
    for operation, text in zip(REFUSALS, bad, strict=True):
        calls = {name: _refusal(name, payload, text) for name in PEERS}
        takers = [name for name, call in calls.items() if not call()]
        measured.accepted.update((payload.name, operation, name) for name in takers)
        times[operation] = fastest(_without(calls, takers), measured.plan.effort)
    if (payload.name, REFUSALS[0], OURS) in measured.accepted:
        raise WrongResultError(f"{OURS} takes a bad payload {payload.name!r}")
    measured.times[payload.name] = times


def _without(calls: Mapping[str, Callable[[], Any]], names: Iterable[str]) -> Any:
    return {name: call for name, call in calls.items() if name not in names}


def _refusal(name: str, payload: Payload, text: str) -> Callable[[], bool]:
    """Return a call that says whether a text is refused."""
    peer = PEERS[name]
    contract = getattr(peer, payload.contract)

    def refuse() -> bool:
        try:
            peer.from_json(contract, text)
        except peer.ERROR:
            return True
        return False

    return refuse


def _faults(payload: Payload, measured: Measured) -> dict[str, float]:
    """What refusing costs the package beside accepting as much text, for faults of all kinds."""
    texts = {
        "one value wrong, the last": payloads.spoiled_once(payload),
        "every value wrong": payloads.spoiled_everywhere(payload),
        **payloads.other_faults(payload),
    }
    bad = {fault: (payload, text) for fault, text in texts.items()}
    if "rows" in payload.plain:  # no good request is as long, so a result of rows stands for it
        bad["a request of 10,000 unknown keys"] = payloads.request(), payloads.flood(10_000)
    calls: dict[str, Callable[[], Any]] = {"": _reader(OURS, payload)}
    for fault, (like, text) in bad.items():
        calls[fault] = _refusal(OURS, like, text)
        if not calls[fault]():
            raise WrongResultError(f"{OURS} takes {like.name!r} with {fault}")
    times = fastest(calls, measured.plan.effort)
    accepted = times.pop("") / len(payload.text)
    return {fault: seconds / len(bad[fault][1]) / accepted for fault, seconds in times.items()}


def _measure_rows(measured: Measured) -> None:
    """Measure all sizes in turns, so that a slow moment does not look like growth."""
    by_size = {size: payloads.rows(size) for size in measured.plan.sizes}
    for payload in by_size.values():
        _told(payload.name)
        _check_read(payload)
    calls = {size: _calls(payload) for size, payload in by_size.items()}
    measured.scale = {size: {} for size in by_size}
    for operation in ("to_json", "from_json"):
        _told(f"{operation} of many rows")
        turns = {
            (size, name): call for size, of in calls.items() for name, call in of[operation].items()
        }
        for (size, name), seconds in fastest(turns, measured.plan.large).items():
            measured.scale[size].setdefault(operation, {})[name] = seconds
    readers = {
        (size, name): _reader(name, payload)
        for size, payload in by_size.items()
        for name in (FLOOR, OURS)
    }
    measured.collected = {size: {} for size in by_size}
    for (size, name), seconds in fastest(readers, measured.plan.large, collect=True).items():
        measured.collected[size][name] = seconds
    smallest = by_size[measured.plan.sizes[0]]
    measured.faults[smallest.name] = _faults(smallest, measured)


def _check_read(payload: Payload) -> None:
    for name, peer in PEERS.items():
        if json.loads(peer.to_json(_reader(name, payload)())) != payload.plain:
            raise WrongResultError(f"{name}: changes the payload {payload.name!r}")


def _measure_wide(measured: Measured) -> None:
    payload = payloads.wide(measured.plan.wide_rows)
    made = constructor(PEERS[OURS], payload)()
    plain = constructor(plain_dataclasses, payload)()
    if PEERS[OURS].to_dict(made) != payload.plain:
        raise WrongResultError(f"{OURS} changes the payload {payload.name!r}")
    calls = {OURS: partial(PEERS[OURS].to_dict, made), ASDICT: partial(asdict, plain)}
    measured.wide = fastest(calls, measured.plan.large)


def _imports(modules: list[str], effort: Effort) -> dict[str, Import]:
    """The import of the classes of each peer, and of what the package needs."""
    _told("imports")
    statements = {
        "nothing (`pass`)": ("pass", "pass"),
        "json (floor)": ("import json", "json.loads(text)"),
        STANDARD: (f"import {', '.join(modules)}", "pass"),
        "these, and plain dataclasses of the same fields": (
            f"import {', '.join(modules)}, peers.plain_dataclasses",
            "pass",
        ),
        OURS: (
            "import agent_contracts",
            "agent_contracts.QueryLogsToolResult.from_json(text)",
        ),
    }
    for name, peer in PEERS.items():
        if name != OURS:
            module = f"peers.{peer.__name__.rpartition('.')[2]}"
            use = "peer.from_json(peer.QueryLogsToolResult, text)"
            statements[name] = (f"import {module} as peer", use)
    return imports(statements, payloads.logs().text, effort)


_PACKAGES = (
    "pydantic",
    "pydantic_core",
    "msgspec",
    "attrs",
    "cattrs",
    "mashumaro",
    "marshmallow",
    "dacite",
)


def _machine() -> list[tuple[str, str]]:
    return [
        ("Python", f"{platform.python_implementation()} {platform.python_version()}"),
        ("system", f"{platform.system()} {platform.machine()}"),
        ("processor", f"{_processor()}, {os.cpu_count()} cores"),
        ("packages", ", ".join(f"{name} {version(name)}" for name in _PACKAGES)),
        ("load average at the start", _load()),
    ]


def _processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        return platform.processor() or "unknown"
    models = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return models[0] if models else platform.machine()


def _load() -> str:
    return f"{os.getloadavg()[0]:.2f}" if hasattr(os, "getloadavg") else "unknown"
