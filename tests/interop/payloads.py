# SPDX-License-Identifier: MIT
"""Payloads for the contract classes: valid, mutated and free ones.

All values come from hypothesis and from hypothesis-jsonschema. It can draw each payload anew and
shrink it (`KINDS`), or draw values once, which are then put together to many payloads (`Mixer`).
"""

import math
import random
from collections.abc import Callable, Iterator, Sequence
from copy import deepcopy
from typing import Any, Protocol, TypeVar

from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis import strategies as st
from hypothesis_jsonschema import from_schema
from verdicts import MAX_DEPTH, Payload, children, has_float

import agent_contracts

T = TypeVar("T")
Payloads = st.SearchStrategy[Payload]

HALVES = st.text(st.characters(), max_size=4) | st.text("\ud83d\ude00a\u00e9", max_size=4)
NUMBERS = (
    st.integers()
    | st.floats()
    | st.sampled_from(
        [0.0, -0.0, 60.0, 60.5, 1e308, math.inf, -math.inf, math.nan, 2**53, -(2**63), 2**64 - 1]
    )
    | st.sampled_from([10**308, 10**309, -(10**309), 10**400, 2**1024 - 2**970 - 1, 2**1024 - 1])
)
WORDS = st.sampled_from(
    ["ERROR", "NO_EVIDENCE", "READY", "error", "MOCK", "APPLICATION", "application", "", "60", "[]"]
)
MOMENTS = st.from_regex(
    r"\A(?:[0-9]{4}|2026|0000|9999)-(?:[0-9]{2}|0[1-9]|1[0-2])-(?:[0-9]{2}|0[1-9]|29|31)[Tt ]"
    r"(?:[0-9]{2}|2[0-4]):[0-9]{2}:(?:[0-9]{2}|60)(?:[.,][0-9]{1,12})?"
    r"(?:[Zz]|[+-](?:[0-9]{2}|0[0-9]|23):(?:[0-9]{2}|00)|)\n?\Z"
)
SCALARS = st.none() | st.booleans() | NUMBERS | st.text() | HALVES | WORDS | MOMENTS
KEYS = st.text(max_size=3) | HALVES


def _containers(inside: Payloads) -> Payloads:
    return st.lists(inside, max_size=4) | st.dictionaries(KEYS, inside, max_size=4)


FREE = st.recursive(SCALARS, _containers, max_leaves=12)
"""Any value that a JSON decoder may return: half characters and non-finite numbers included."""


def valid(contract: Any) -> Payloads:
    """Return payloads made from the schema of a class; most rows fit their columns."""
    made = _made(contract.json_schema())
    if contract is agent_contracts.MysqlToolResult:
        fitted = st.builds(_fitted, made, st.lists(FREE, max_size=12))
        return st.one_of(made, fitted, fitted, fitted)
    return made


def _made(schema: dict[str, Any]) -> Payloads:
    """Put the strategies of the parts together once: `from_schema` does it again for each draw."""
    if schema.get("type") == "object" and "properties" in schema:
        parts = {name: _made(part) for name, part in schema["properties"].items()}
        needed = {name: parts.pop(name) for name in schema["required"]}
        return st.fixed_dictionaries(needed, optional=parts)
    if schema.get("type") == "array":
        return st.lists(_made(schema["items"]), max_size=5)
    made: Payloads = from_schema(schema)
    return made


def _fitted(payload: Payload, cells: list[Payload]) -> Payload:
    """Give the rows the columns as keys; the cells come from a list."""
    columns = list(dict.fromkeys(payload["columns"]))
    width = max(len(columns), 1)
    starts = range(0, len(cells) - width + 1, width)
    rows = [dict(zip(columns, cells[start : start + width], strict=False)) for start in starts]
    return payload | {"columns": columns, "rows": rows}


def free(contract: Any) -> Payloads:
    """Return any values, and objects with the right keys and any values in them."""
    fields = dict.fromkeys(contract.json_schema()["properties"], FREE)
    return FREE | st.fixed_dictionaries({}, optional=fields)


class Source(Protocol):
    """Where a mutation takes its choices from."""

    def value(self, strategy: Payloads) -> Payload:
        """Return a value of one of the strategies above."""

    def pick(self, choices: Sequence[T]) -> T:
        """Return one of the choices."""


Change = Callable[[Source, Payload, Any], None]


def _delete(source: Source, holder: Payload, key: Any) -> None:  # noqa: ARG001
    del holder[key]


def _replace(source: Source, holder: Payload, key: Any) -> None:
    holder[key] = source.value(source.pick([FREE, SCALARS, NUMBERS, HALVES, MOMENTS]))


def _add(source: Source, holder: Payload, key: Any) -> None:  # noqa: ARG001
    if isinstance(holder, dict):
        holder[source.value(KEYS)] = source.value(FREE)
    else:
        holder.append(source.value(FREE))


def _repeat(source: Source, holder: Payload, key: Any) -> None:  # noqa: ARG001
    if isinstance(holder, list):
        holder.append(deepcopy(holder[key]))
    else:
        holder[f"{key} "] = deepcopy(holder[key])


def _retype(source: Source, holder: Payload, key: Any) -> None:
    """Write the value in a type near its own, as models do."""
    value = holder[key]
    if isinstance(value, bool):
        near: list[Payload] = [int(value), str(value).lower(), None]
    elif isinstance(value, int) and has_float(value):
        near = [float(value), value + 0.5, str(value), bool(value), [value]]
    elif isinstance(value, str):
        near = [value.lower(), f"{value}\n", [value], {"value": value}, value.upper()]
    elif isinstance(value, list):
        near = [{str(index): item for index, item in enumerate(value)}, str(value), *value[:1]]
    elif isinstance(value, dict):
        near = [list(value.values()), [value], str(value)]
    else:
        near = [0, "", [], {}, "null", False]
    holder[key] = source.pick(near)


def _nest(source: Source, holder: Payload, key: Any) -> None:
    in_lists = source.pick([True, False])
    for _ in range(source.pick([1, 2, MAX_DEPTH - 1, MAX_DEPTH, MAX_DEPTH + 1, 100])):
        holder[key] = [holder[key]] if in_lists else {"": holder[key]}


CHANGES: tuple[Change, ...] = (_delete, _replace, _replace, _add, _repeat, _retype, _nest)


def change(source: Source, payload: Payload) -> Payload:
    """Make one to three changes in a payload, at any depth."""
    for _ in range(source.pick([1, 1, 2, 3])):
        places = [
            (holder, key)
            for holder in _holders(payload)
            for key in (holder if isinstance(holder, dict) else range(len(holder)))
        ]
        if places:
            holder, key = source.pick(places)
            source.pick(CHANGES)(source, holder, key)
    return payload


def _holders(value: Payload) -> Iterator[Payload]:
    if isinstance(value, dict | list):
        yield value
        for child in children(value):
            yield from _holders(child)


class _Drawn:
    """Hypothesis chooses, so that it can shrink."""

    def __init__(self, draw: st.DrawFn) -> None:
        self.value = draw
        self._draw = draw

    def pick(self, choices: Sequence[T]) -> T:
        return self._draw(st.sampled_from(choices))


@st.composite
def mutated(draw: st.DrawFn, contract: Any) -> Payload:
    """Draw a valid payload and change it."""
    return change(_Drawn(draw), deepcopy(draw(valid(contract))))


KINDS: dict[str, Callable[[Any], Payloads]] = {"valid": valid, "mutated": mutated, "free": free}
"""Where payloads come from."""


def drawn(strategy: Payloads, count: int, start: int) -> list[Payload]:
    """Draw some values; the same ones for the same seed."""
    values: list[Payload] = []
    profile = settings(
        max_examples=count,
        phases=[Phase.generate],
        deadline=None,
        database=None,
        suppress_health_check=list(HealthCheck),
    )

    def keep(value: Payload) -> None:
        values.append(value)

    seed(start)(profile(given(strategy)(keep)))()
    return values


class Mixer:
    """Puts many payloads of one class together from values that were drawn once."""

    def __init__(self, contract: Any, start: int, pool: int = 400) -> None:
        self._random = random.Random(start)
        parts = (FREE, SCALARS, NUMBERS, HALVES, MOMENTS, KEYS)
        self._pools = {id(part): drawn(part, pool, start) for part in parts}
        self._valid = drawn(valid(contract), pool, start)
        self._fields = list(contract.json_schema()["properties"])

    def value(self, strategy: Payloads) -> Payload:
        """Return a copy of a drawn value."""
        return deepcopy(self._random.choice(self._pools[id(strategy)]))

    def pick(self, choices: Sequence[T]) -> T:
        """Return one of the choices."""
        return self._random.choice(choices)

    def valid(self) -> Payload:
        """Take each field from another valid payload, but keep rows with their columns."""
        whole = deepcopy(self.pick(self._valid))
        for name in [name for name in whole if name not in ("columns", "rows")]:
            other = self.pick(self._valid)
            if name in other and self._random.random() < 0.5:
                whole[name] = deepcopy(other[name])
        return whole

    def mutated(self) -> Payload:
        """Return a valid payload with changes in it."""
        return change(self, self.valid())

    def free(self) -> Payload:
        """Return any value, or an object with the right keys and any values."""
        if self._random.random() < 0.3:
            return self.value(FREE)
        return {name: self.value(FREE) for name in self._fields if self._random.random() < 0.8}
