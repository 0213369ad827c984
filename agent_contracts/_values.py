# SPDX-License-Identifier: MIT
"""Rules for single values.

A rule takes any Python value and returns what a contract object keeps: the value itself or
the exact builtin that it stands for. A value that cannot be taken raises `ContractError`,
with paths that start at the value; callers put their own part in front.
"""

import json
import math
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime
from enum import Enum
from itertools import count
from typing import Any, Final, TypeVar

from .errors import MAX_PROBLEMS, ContractError, Problem

T = TypeVar("T")
Rule = Callable[[Any], T]

MISSING: Final = object()
"""Stands where a payload has no value for a required field."""

_TOO_LARGE = 2**1024 - 2**970  # the least integer that rounds to no 64-bit float
_JSON_TYPES: Final[dict[str, Any]] = {
    "null": type(None),
    "boolean": bool,
    "number": (int, float),
    "string": str,
    "array": (list, tuple),
    "object": Mapping,
}
_ECHO_LENGTH = 60
_PATH_LENGTH = 500
_read_timestamp = datetime.fromisoformat  # reads more forms than RFC 3339: match first
_TWO = "[0-9][0-9]"
_match_timestamp = re.compile(
    rf"{_TWO}{_TWO}-{_TWO}-{_TWO}[Tt](?!24){_TWO}:{_TWO}:{_TWO}(?:\.[0-9]+)?"
    r"(?:[+-](?:[01][0-9]|2[0-3]):[0-5][0-9]|[Zz])"
).fullmatch


def echo(word: str) -> str:
    """Quote a key or an enum word: cut at 60 characters, on one line, printable."""
    return json.dumps(_cut(word, _ECHO_LENGTH), ensure_ascii=not word.isprintable())


def under(key: str | int, error: ContractError) -> list[Problem]:
    """Return the problems of a value, with paths that start one level further out."""
    token = str.__str__(key) if isinstance(key, str) else str(key)
    token = _cut(token, _ECHO_LENGTH) if token.isprintable() else echo(token)[1:-1]
    start = "/" + token.replace("~", "~0").replace("/", "~1")
    return [
        Problem._made(_cut(start + problem.path, _PATH_LENGTH), problem.message)
        for problem in error.problems
    ]


def _cut(word: str, length: int) -> str:
    return word if len(word) <= length else word[:length] + "…"


def each(rule: Rule[T], values: Iterable[Any], keys: Iterable[str | int]) -> list[T]:
    """Apply a rule to all values, whose keys are given beside them, and gather what is wrong."""
    kept: list[T] = []
    problems: list[Problem] = []
    for key, value in zip(keys, values, strict=False):
        try:
            kept.append(rule(value))
        except ContractError as error:
            problems += under(key, error)
            if len(problems) > MAX_PROBLEMS:
                break
    if problems:
        raise ContractError("", problems)
    return kept


def expected(right: str, value: object, got: str | None = None) -> ContractError:
    """Return the error for a value: what would be right, and the JSON type that was given.

    A value that is an error already (of a key that was given twice) is told itself.
    """
    if isinstance(value, ContractError) and value.problems:
        return value
    if value is MISSING:
        message = f"required field is missing, expected {right}"
    else:
        message = f"expected {right}, got {got or _json_type(value)}"
    return problem(message)


def problem(message: str) -> ContractError:
    """Return the error for a value, in a message of its own."""
    return ContractError("", (Problem._made("", message),))


def _json_type(value: object) -> str:
    for name, types in _JSON_TYPES.items():
        if isinstance(value, types):
            return name
    return "array" if is_sequence(value) else "a value that is not JSON"


def is_sequence(value: object) -> bool:
    """Whether a value is a list, tuple or other real sequence: not text, bytes or a set."""
    return isinstance(value, Sequence) and not isinstance(
        value, str | bytes | bytearray | memoryview
    )


def text(value: Any) -> str:
    """Unicode text. A split surrogate pair is joined; a lone surrogate is refused."""
    if type(value) is str and value.isascii():
        return value
    try:
        return _unicode(value, "strict")
    except UnicodeDecodeError:
        got = "one with half a character (a lone surrogate)"
    raise expected("string of whole characters", value, got)


def evidence_text(value: Any) -> str:
    """Unicode text. A lone surrogate becomes U+FFFD, so that evidence survives."""
    if type(value) is str and value.isascii():
        return value
    return _unicode(value, "replace")


def text_or_null(value: Any) -> str | None:
    """Evidence text, or None where the source names none."""
    if value is None or (type(value) is str and value.isascii()):
        return value
    return _unicode(value, "replace")


def _unicode(value: object, errors: str) -> str:
    if not isinstance(value, str):
        raise expected("string", value)
    plain = value if type(value) is str else str.__str__(value)
    try:
        plain.encode()
    except UnicodeEncodeError:
        return plain.encode("utf-16-le", "surrogatepass").decode("utf-16-le", errors)
    return plain


def tool_call_id(value: object) -> str | None:
    """The framework's id, byte for byte: no pattern, no length, no change."""
    if value is None:
        return None
    kept = text(value)
    if kept != value:
        raise expected("string of whole characters", value, "one with a split surrogate pair")
    return kept


def boolean(value: object) -> bool:
    """True or false; 0, 1 and text are refused."""
    if isinstance(value, bool):
        return value
    raise expected("boolean", value)


def number(value: object, right: str = "number") -> int | float:
    """A number that a 64-bit float can hold; a boolean is not one, nor are NaN and Infinity."""
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        raise expected(right, value)
    if isinstance(value, int) and -_TOO_LARGE < value < _TOO_LARGE:
        return int.__index__(value)
    if isinstance(value, float) and math.isfinite(value):
        return float.__float__(value)
    raise expected(right, value, "one that is infinite or too large for a 64-bit float")


def integer(value: object) -> int:
    """A whole number; `60.0` is 60, as JSON Schema says."""
    whole = number(value, "integer")
    if isinstance(whole, float) and not whole.is_integer():
        raise expected("integer", value, "a number that is not whole")
    return int(whole)


def scalar(value: object) -> str | int | float | bool | None:
    """A value that can be bound to a placeholder of a statement."""
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, str):
        return text(value)
    return number(value, "string, number, boolean or null")


def timestamp(value: Any) -> str:
    """RFC 3339 date-time text with an offset, kept as written.

    Leap seconds (`:60`) and the year 0 are refused: neither Python nor Java can hold them.
    """
    got = None
    if isinstance(value, str):
        if _match_timestamp(value):
            try:
                _read_timestamp(value.replace("z", "Z"))
            except ValueError:
                got = "a time that no calendar has"
            else:
                return value if type(value) is str else str.__str__(value)
        else:
            got = "text of another form, or without an offset"
    right = "RFC 3339 timestamp with an offset, such as 2026-07-12T15:11:52+08:00"
    raise expected(right, value, got)


def iso_text(moment: Any) -> str | None:
    """What a date or time writes of itself; None if its time zone cannot tell an offset."""
    try:
        written = moment.isoformat()
    except (NotImplementedError, TypeError, ValueError):
        return None
    return written if isinstance(written, str) else None


def rfc3339(moment: datetime) -> str:
    """Write an aware datetime as a timestamp of the contract.

    Args:
        moment: A datetime with an offset of whole minutes. A subclass's own `isoformat()`
            counts, so that one with nanoseconds keeps them.

    Returns:
        RFC 3339 text, such as `2026-07-12T15:11:52.000123+08:00`.

    Raises:
        ContractError: It has no offset (a naive datetime says no moment in time), or RFC 3339
            cannot write it.
    """
    if isinstance(moment, datetime):
        try:
            return timestamp(iso_text(moment))
        except ContractError:
            got = "one without an offset, or with seconds in it"
        error = expected("datetime with an offset of whole hours and minutes", moment, got)
    else:
        error = expected("datetime with an offset", moment)
    raise ContractError("rfc3339", error.problems)


def member(words: type[Enum]) -> Rule[Any]:
    """Return the rule for a member of one enumeration; its text is not one."""

    def rule(value: object) -> object:
        if isinstance(value, words):
            return value
        if isinstance(value, str) and value in words.__members__:
            raise expected(f"the enum member {words.__name__}.{value}", value)
        raise _no_word(words, value)

    return rule


def word(words: type[Enum]) -> Rule[Any]:
    """Return the rule for the text of a member of one enumeration, which becomes the member."""

    def rule(value: object) -> object:
        if isinstance(value, str) and value in words.__members__:
            return words.__members__[value]
        raise _no_word(words, value)

    return rule


def _no_word(words: type[Enum], value: object) -> ContractError:
    right = f"one of {', '.join(words.__members__)}"
    return expected(right, value, echo(value) if isinstance(value, str) else None)


def instance(contract: type[T]) -> Rule[T]:
    """Return the rule for an object of one contract class; a plain mapping is not one."""

    def rule(value: object) -> T:
        if isinstance(value, contract):
            return value
        raise expected(f"{contract.__name__} object", value)

    return rule


def optional(rule: Rule[T], default: T) -> Rule[T]:
    """Return the rule for a key that may be absent or null."""
    return lambda value: default if value is MISSING or value is None else rule(value)


def sequence_of(rule: Rule[T]) -> Rule[tuple[T, ...]]:
    """Return the rule for a list, tuple or other real sequence; text and sets are not one."""

    def items(value: Any) -> tuple[T, ...]:
        if is_sequence(value):
            return tuple(each(rule, value, count()))
        raise expected("array", value)

    return items
