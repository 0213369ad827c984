# SPDX-License-Identifier: MIT
"""MySQL rows: any driver's value becomes the JSON value that the agent reads."""

import re
from collections.abc import Iterable, Mapping
from datetime import date, time, timedelta
from functools import partial
from itertools import count
from math import isfinite
from types import MappingProxyType
from typing import Any, Final, TypeAlias, TypeVar

from ._values import (
    MISSING,
    Rule,
    each,
    echo,
    evidence_text,
    expected,
    iso_text,
    number,
    problem,
    sequence_of,
)
from .errors import ContractError

JsonValue: TypeAlias = (
    "str | int | float | bool | Mapping[str, JsonValue] | tuple[JsonValue, ...] | None"
)
"""The value of a cell, frozen to the bottom."""

MAX_DEPTH: Final = 64
"""How many levels of objects and arrays a cell may have."""

_MAX_SAFE = 2**53 - 1  # beyond it readers may round (RFC 8259, section 6)
_MIN_SAFE = -_MAX_SAFE
_MAX_DIGITS = 400
_RIGHT = "a standard-library value, such as text, a number, a date or bytes"
_FROZEN = frozenset({MappingProxyType, tuple})
_DATE = r"\d{4}-\d\d-\d\d"
_TIME = r"\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d(?::\d\d(?:\.\d+)?)?)?"
_ISO_8601 = f"{_DATE}|{_TIME}|{_DATE}T{_TIME}"  # compiled when the first date comes
KeptT = TypeVar("KeptT", dict[str, JsonValue], list[JsonValue])


def _cells(kept: KeptT, items: Iterable[tuple[Any, Any]], depth: int = 0) -> KeptT:
    """Keep the JSON values of cells, frozen, by their keys; the first that has none is refused.

    Args:
        kept: Where to keep them: by key, or by place in a list that is as long.
        items: Keys, and what a driver gave or what stands inside an object or array of a cell.
        depth: How many objects and arrays they stand in.
    """
    for key, value in items:
        kind = type(value)
        if (
            (kind is str and value.isascii())
            or (kind is int and _MIN_SAFE <= value <= _MAX_SAFE)
            or value is None
            or kind is bool
            or (kind is float and isfinite(value))
        ):
            kept[key] = value
        else:
            kept[key] = _cell(value, depth)
    return kept


def _told(values: Iterable[Any], keys: Iterable[str | int], depth: int) -> list[JsonValue]:
    """The JSON values of cells, frozen; a refusal tells what is wrong with all of them."""
    return each(partial(_cell, depth=depth, telling=True), values, keys)


def _cell(value: Any, depth: int, *, telling: bool = False) -> JsonValue:
    """The JSON value of one cell. If `telling`, a refusal tells all faults inside it."""
    if isinstance(value, str):
        return evidence_text(value)
    if isinstance(value, (dict, list, tuple, MappingProxyType)):
        kept: JsonValue = _inside(value, depth + 1, telling=telling)
        return kept
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, int):
        whole = int.__index__(value)
        return whole if _MIN_SAFE <= whole <= _MAX_SAFE else _integer_text(whole)
    if isinstance(value, float):
        return number(value)
    return _as_text(value)


def _inside(value: Any, depth: int, *, telling: bool) -> Any:
    """A read-only copy of an object or array, and of all that is in it."""
    if depth > MAX_DEPTH:
        raise problem(f"nested deeper than {MAX_DEPTH} levels")
    if isinstance(value, (list, tuple)):
        items = [*value]
        kept = _told(items, count(), depth) if telling else _cells(items, enumerate(items), depth)
        return tuple(kept)
    given = _text_keys(value)
    if telling:
        return MappingProxyType(dict(zip(given, _told(given.values(), given, depth), strict=True)))
    return MappingProxyType(_cells({}, given.items(), depth))


def _text_keys(value: Mapping[Any, Any]) -> Mapping[str, Any]:
    """The same object, with keys that can be encoded."""
    for key in value:
        if not isinstance(key, str):
            raise problem("the keys of an object must be strings")
    kept = {evidence_text(key): item for key, item in value.items()}
    if len(kept) < len(value):
        raise problem("two keys are the same once they can be encoded")
    return kept


def _integer_text(value: int) -> str:
    """The digits, which a reader that has only 64-bit floats does not round."""
    try:
        return str(value)
    except ValueError:  # the interpreter's own bound
        got = "one with too many digits"
    raise expected("integer", value, got)


def _as_text(value: Any) -> JsonValue:
    """The text, or the sorted texts, of a value that has no JSON type of its own."""
    if isinstance(value, (bytes, bytearray, memoryview)):
        return _hex_text(value)
    if isinstance(value, (date, time)):
        written = iso_text(value)
        if written is not None and re.fullmatch(_ISO_8601, written, re.ASCII):
            return evidence_text(written)
        raise expected("date or time", value, "one that ISO 8601 cannot write")
    if isinstance(value, timedelta):
        return _time_text(value)
    if isinstance(value, (set, frozenset)):
        return tuple(sorted(evidence_text(item) for item in value))
    # imported where they are needed, to keep the import of the package light
    import decimal  # noqa: PLC0415
    import uuid  # noqa: PLC0415

    if isinstance(value, decimal.Decimal):
        return _decimal_text(value)
    if isinstance(value, uuid.UUID):
        return uuid.UUID.__str__(value)
    raise expected(_RIGHT, value)


def _hex_text(value: bytes | bytearray | memoryview) -> str:
    """Binary as the `mysql` client prints it."""
    try:
        return "0x" + bytes(value).hex().upper()
    except ValueError:  # a memoryview that was released
        pass
    raise expected(_RIGHT, value)


def _time_text(value: timedelta) -> str:
    """MySQL's text of a TIME: hours may pass 24, and the sign stands in front."""
    sign, value = ("-", -value) if value.days < 0 else ("", value)
    minutes, seconds = divmod(value.seconds, 60)
    hours, minutes = divmod(minutes, 60)
    fraction = f".{value.microseconds:06}" if value.microseconds else ""
    return f"{sign}{value.days * 24 + hours:02}:{minutes:02}:{seconds:02}{fraction}"


def _decimal_text(value: Any) -> str:
    """Plain digits that keep the scale, never an exponent."""
    if not value.is_finite():
        raise expected("finite number", value, "one that is not")
    if not -_MAX_DIGITS <= value.adjusted() <= _MAX_DIGITS:
        raise expected(f"number of at most {_MAX_DIGITS} digits", value, "a longer one")
    return format(value, "f")


def table_rules() -> dict[str, Rule[Any]]:
    """Return the rules for the columns and rows of one result, which are applied in this order.

    Rows are mappings whose keys are exactly the columns, in any order. If the columns cannot be
    taken, their own rule refuses them, and the cells are still checked.
    """
    blank: dict[str, JsonValue] | None = None

    def columns(value: object) -> tuple[str, ...]:
        nonlocal blank
        blank = None
        names = _texts(value)
        if len(set(names)) < len(names):
            each(partial(_unseen, set()), names, count())
        blank = dict.fromkeys(names)
        return names

    def rows(value: object) -> tuple[Mapping[str, JsonValue], ...]:
        return sequence_of(partial(_row, blank))(value)

    return {"columns": columns, "rows": rows}


_texts = sequence_of(evidence_text)


def _unseen(seen: set[str], name: str) -> None:
    if name in seen:
        raise problem(f"column names must be unique, use aliases: {echo(name)} is taken")
    seen.add(name)


def _row(blank: dict[str, JsonValue] | None, value: Any) -> Mapping[str, JsonValue]:
    if type(value) is dict and blank is not None and len(value) == len(blank):
        try:
            kept = _cells(blank.copy(), value.items())
        except ContractError:
            pass  # told below, with whatever else is wrong
        else:
            if len(kept) == len(blank):
                return MappingProxyType(kept)
    row: Mapping[str, JsonValue] = _inside(_aligned(value, blank), 0, telling=True)
    return row


def _aligned(value: object, blank: dict[str, JsonValue] | None) -> Mapping[str, Any]:
    """The cells in the order of the columns; a missing or foreign one is refused as a cell."""
    if not isinstance(value, Mapping):
        raise expected("object with the columns as keys", value)
    given = dict(_text_keys(value))
    if blank is None:
        return given
    row = {name: given.pop(name, MISSING) for name in blank}
    return row | dict.fromkeys(given, problem("it is not one of the columns"))


def thawed(value: Any) -> Any:
    """A fresh plain copy of a frozen object or array; any other value is itself."""
    if type(value) is MappingProxyType:
        plain = value.copy()
        if not _FROZEN.isdisjoint(map(type, plain.values())):
            for key, item in plain.items():
                plain[key] = thawed(item)
        return plain
    if type(value) is tuple:
        return [thawed(item) for item in value]
    return value
