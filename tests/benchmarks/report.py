# SPDX-License-Identifier: MIT
# ruff: noqa: RUF001 - the tables use the signs of print
"""The tables, and the targets with what was measured."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from .guarantees import LOOKS_AT_CELLS, PROBES, SAME_TYPE_CHECKS
from .suite import (
    ASDICT,
    COMPILED,
    FLOOR,
    OPERATIONS,
    OURS,
    PEERS,
    REFUSALS,
    STANDARD,
    Measured,
)

_NONE = "–"


def tables(measured: Measured) -> str:
    """All tables, as Markdown."""
    parts = [
        _about(measured),
        "### Targets\n\n" + _targets(measured),
        "### Import\n\n" + _imports(measured),
        *(f"### Payload: {name}\n\n" + _payload(name, measured) for name in measured.times),
        "### Many rows\n\n" + _rows(measured),
        "### Wide rows\n\n" + _wide(measured),
        "### Memory\n\n" + _memory(measured),
        "### Refusing\n\n" + _faults(measured),
        "### Guarantees, as tried\n\n" + _guarantees(measured),
    ]
    return "\n\n".join(parts) + "\n"


def placed(page: str, version: str, text: str) -> str:
    """Put the tables between the two comments of a page that are meant for this Python."""
    begin, end = f"<!-- measured on {version}: begin -->", f"<!-- measured on {version}: end -->"
    before, found, rest = page.partition(begin)
    _, found_end, after = rest.partition(end)
    if not found or not found_end:
        raise ValueError(f"the page has no place for Python {version}: {begin} … {end}")
    return f"{before}{begin}\n\n{text}\n{end}{after}"


def _table(head: Sequence[str], lines: Iterable[Sequence[str]]) -> str:
    ruler = ["---", *["---:"] * (len(head) - 1)]
    return "\n".join(f"| {' | '.join(line)} |" for line in (head, ruler, *lines))


def _duration(seconds: float) -> str:
    for unit, factor in (("s", 1), ("ms", 1e3), ("µs", 1e6)):
        if seconds * factor >= 1:
            return f"{_digits(seconds * factor)} {unit}"
    return f"{seconds * 1e9:.0f} ns"


def _digits(number: float) -> str:
    """Three digits, as many as are worth reading."""
    if number >= 100:
        return f"{number:,.0f}"
    return f"{number:.1f}" if number >= 10 else f"{number:.2f}"


def _size(count: float) -> str:
    return f"{_digits(count / 1e6)} MB" if count >= 1e6 else f"{_digits(count / 1e3)} kB"


def _ratio(number: float) -> str:
    return f"{_digits(number)} ×"


def _about(measured: Measured) -> str:
    lines = [f"- {name}: {value}" for name, value in measured.machine]
    if measured.plan.name != "full":
        lines.append(f"- a {measured.plan.name} run: few repeats, numbers not worth quoting")
    return "\n".join(lines)


def _imports(measured: Measured) -> str:
    base = measured.imports[STANDARD].inside
    lines = [
        (
            name,
            _duration(cost.inside),
            _ratio(cost.inside / base),
            _duration(cost.first),
            _duration(cost.process),
        )
        for name, cost in measured.imports.items()
    ]
    head = (
        "",
        "import",
        f"over {STANDARD}",
        "import and first `from_json` (logs)",
        "whole process, by the clock on the wall",
    )
    note = (
        f"The {len(measured.modules)} standard-library modules that importing the package loads, "
        f"as `-X importtime` tells: {', '.join(f'`{name}`' for name in measured.modules)}."
    )
    return f"{_table(head, lines)}\n\n{note}"


def _payload(name: str, measured: Measured) -> str:
    times = measured.times[name]

    def cell(operation: str, subject: str) -> str:
        seconds = times[operation].get(subject)
        if seconds is None:
            taken = (name, operation, subject) in measured.accepted
            return "not refused" if taken else _NONE
        floor = times[operation].get(FLOOR)
        return _duration(seconds) + (f" ({_ratio(seconds / floor)})" if floor else "")

    columns = (*OPERATIONS, *REFUSALS)
    lines = [
        (subject, *(cell(operation, subject) for operation in columns))
        for subject in (FLOOR, ASDICT, *PEERS)
    ]
    return _table(("", *columns), lines)


def _rows(measured: Measured) -> str:
    first, *_, last = sizes = list(measured.scale)
    parts = []
    for operation in ("from_json", "to_json"):
        table = {
            subject: [measured.scale[size][operation][subject] for size in sizes]
            for subject in (FLOOR, *PEERS)
        }
        if operation == "from_json":
            for subject in (FLOOR, OURS):
                times = [measured.collected[size][subject] for size in sizes]
                table[f"{subject}, garbage collector on"] = times
        lines = [_row_line(subject, sizes, times, table[FLOOR]) for subject, times in table.items()]
        head = (
            f"`{operation}`",
            *(f"{size:,} rows" for size in sizes),
            f"a row at {last:,} over {first:,}",
        )
        parts.append(_table(head, lines))
    return "\n\n".join(parts)


def _row_line(
    subject: str, sizes: Sequence[int], times: Sequence[float], floor: Sequence[float]
) -> Sequence[str]:
    growth = _growth(dict(zip(sizes, times, strict=True)))
    cells = [
        f"{_duration(seconds)} ({_ratio(seconds / least)})"
        for seconds, least in zip(times, floor, strict=True)
    ]
    return (subject, *cells, _ratio(growth))


def _wide(measured: Measured) -> str:
    lines = [
        (subject, _duration(seconds), _ratio(measured.wide[ASDICT] / seconds))
        for subject, seconds in measured.wide.items()
    ]
    head = (f"{measured.plan.wide_rows:,} rows × 20 cells", "`to_dict`", f"faster than {ASDICT}")
    return _table(head, lines)


def _memory(measured: Measured) -> str:
    names = list(measured.memory)
    lines = []
    for subject in (FLOOR, *PEERS):
        cells = []
        for name in names:
            peak, kept = measured.memory[name][subject]
            floor = measured.memory[name][FLOOR][0]
            cells.append(f"{_size(peak)} ({_ratio(peak / floor)}), keeps {_size(kept)}")
        lines.append((subject, *cells))
    return _table(("peak while reading", *names), lines)


def _faults(measured: Measured) -> str:
    kinds = list(dict.fromkeys(kind for faults in measured.faults.values() for kind in faults))
    lines = [
        (
            kind,
            *(
                _ratio(faults[kind]) if kind in faults else _NONE
                for faults in measured.faults.values()
            ),
        )
        for kind in kinds
    ]
    return _table((f"{OURS}, over accepting as much text", *measured.faults), lines)


def _guarantees(measured: Measured) -> str:
    lines = [
        (probe, *("yes" if measured.guarantees[name][probe] else "no" for name in PEERS))
        for probe in PROBES
    ]
    return _table(("", *PEERS), lines)


@dataclass(frozen=True)
class _Target:
    """A bound, and the worst that was measured: the ratio and where."""

    text: str
    worst: tuple[float, str]
    met: Callable[[float], bool]


def _at_most(bound: float) -> Callable[[float], bool]:
    return lambda ratio: ratio <= bound


def _targets(measured: Measured) -> str:
    lines = [
        (
            target.text,
            _ratio(target.worst[0]),
            target.worst[1],
            "met" if target.met(target.worst[0]) else "**not met**",
        )
        for target in _all_targets(measured)
    ]
    return _table(("target", "measured", "where", ""), lines)


def _all_targets(measured: Measured) -> list[_Target]:
    first, *_, last = measured.scale
    ours = measured.imports[OURS].inside
    peers = [name for name in PEERS if name != OURS]
    to_json = _over_floor("to_json", measured)
    from_json = _over_floor("from_json", measured)
    peers_too = _over_same_checks(measured)
    growth = {
        operation: _growth({size: of[operation][OURS] for size, of in measured.scale.items()})
        for operation in ("from_json", "to_json")
    }
    collected = _growth({size: of[OURS] for size, of in measured.collected.items()})
    memory = {
        name: subjects[OURS][0] / subjects[FLOOR][0]
        for name, subjects in measured.memory.items()
        if name != "request"
    }
    refusing = {
        f"{name}: {kind}": ratio
        for name, faults in measured.faults.items()
        for kind, ratio in faults.items()
    }
    return [
        _Target(
            f"import ≤ 1.3 × {STANDARD}",
            (ours / measured.imports[STANDARD].inside, "import statement"),
            _at_most(1.3),
        ),
        _Target(
            "import faster than every peer's",
            _worst({name: ours / measured.imports[name].inside for name in peers}),
            lambda ratio: ratio < 1,
        ),
        _Target("`to_json` ≤ 1.2 × `json.dumps`, every payload", _worst(to_json), _at_most(1.2)),
        _Target("reach for: `to_json` ≤ 1.0 × `json.dumps`", _worst(to_json), _at_most(1.0)),
        _Target("`from_json` ≤ 4 × `json.loads`, logs", (from_json["logs"], "logs"), _at_most(4)),
        _Target(
            "`from_json` ≤ 2.5 × `json.loads`, rows", _worst(_plain_rows(from_json)), _at_most(2.5)
        ),
        _Target("the same with a JSON column", _nested(from_json), _at_most(2.5)),
        _Target(
            "`from_json` faster than every pure-Python peer with the same type checks",
            _worst({where: ratio for where, ratio in peers_too.items() if "row" not in where}),
            lambda ratio: ratio < 1,
        ),
        _Target(
            f"the same for rows, whose cells {_lookers(measured)} of these peers look at",
            _worst({where: ratio for where, ratio in peers_too.items() if "row" in where}),
            lambda ratio: ratio < 1,
        ),
        _Target(f"a row at {last:,} ≤ 1.2 × at {first:,}", _worst(growth), _at_most(1.2)),
        _Target("the same with the collector on", (collected, "from_json"), _at_most(1.2)),
        _Target(
            "peak memory of a result ≤ 1.6 × parsed JSON", _worst(_flat(memory)), _at_most(1.6)
        ),
        _Target("the same with a JSON column", _nested(memory), _at_most(1.6)),
        _Target(
            f"`to_dict` of wide rows ≥ 10 × faster than `{ASDICT}`",
            (measured.wide[ASDICT] / measured.wide[OURS], f"{measured.plan.wide_rows:,} × 20"),
            lambda ratio: ratio >= 10,
        ),
        _Target("refusing ≤ 3 × accepting as much text", _worst(refusing), _at_most(3)),
    ]


def _plain_rows(ratios: dict[str, float]) -> dict[str, float]:
    return {name: ratio for name, ratio in _flat(ratios).items() if "row" in name}


def _flat(ratios: dict[str, float]) -> dict[str, float]:
    return {name: ratio for name, ratio in ratios.items() if "JSON column" not in name}


def _nested(ratios: dict[str, float]) -> tuple[float, str]:
    return _worst({name: ratio for name, ratio in ratios.items() if "JSON column" in name})


def _worst(ratios: dict[str, float]) -> tuple[float, str]:
    where = max(ratios, key=lambda name: ratios[name])
    return ratios[where], where


def _growth(times: Mapping[int, float]) -> float:
    """What a row takes in the largest result, over what it takes in the smallest."""
    small, large = min(times), max(times)
    return times[large] / large / (times[small] / small)


def _over_floor(operation: str, measured: Measured) -> dict[str, float]:
    """What the package takes over the floor, by payload."""
    times = {name: times[operation] for name, times in measured.times.items()}
    times |= {f"{size:,} rows": times[operation] for size, times in measured.scale.items()}
    return {name: subjects[OURS] / subjects[FLOOR] for name, subjects in times.items()}


def _over_same_checks(measured: Measured) -> dict[str, float]:
    """What the package takes over each peer with the same type checks, by payload and peer."""
    times = {name: times["from_json"] for name, times in measured.times.items()}
    times |= {f"{size:,} rows": times["from_json"] for size, times in measured.scale.items()}
    return {
        f"{payload}, over {name}": subjects[OURS] / subjects[name]
        for payload, subjects in times.items()
        for name in _same_checks(measured)
    }


def _same_checks(measured: Measured) -> list[str]:
    """The pure-Python peers that were seen to check the same types."""
    return [
        name
        for name, given in measured.guarantees.items()
        if name not in (OURS, *COMPILED) and all(given[probe] for probe in SAME_TYPE_CHECKS)
    ]


def _lookers(measured: Measured) -> str:
    """How many of them look at the cells of rows."""
    names = _same_checks(measured)
    count = sum(measured.guarantees[name][LOOKS_AT_CELLS] for name in names)
    return f"{count or 'none'}"
