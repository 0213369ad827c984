# SPDX-License-Identifier: MIT
"""The right answer for any payload, from parties that know nothing of the package's own checks.

`jsonschema` validates a payload against the class's own schema; `unsayable` finds what no schema
can say. `disagreement` compares the two with what `from_dict` does.
"""

import json
import math
import re
from collections.abc import Callable, Iterator
from copy import deepcopy
from functools import cache
from typing import Any

from jsonschema import (
    Draft202012Validator,
    FormatChecker,
)

import agent_contracts

CONTRACTS: tuple[Any, ...] = tuple(
    public
    for name in agent_contracts.__all__
    if hasattr(public := getattr(agent_contracts, name), "json_schema")
)
"""All contract classes, found and not listed, so that a new one is not forgotten."""

MAX_DEPTH = 64
MAX_DIGITS = 4300  # what an interpreter writes and reads unless told otherwise

REASONS = {
    "lone surrogate": r"expected string of whole characters, got one with half a character",
    "split surrogate pair in the id": r"expected string of whole characters, got one with a split",
    "number without a finite float": r"expected .*, got one that is infinite or too large",
    "integer with too many digits": r"expected integer, got one with too many digits",
    "column given twice": r"column names must be unique, use aliases",
    "key that is not a column": r"it is not one of the columns",
    "column without a cell": r"required field is missing",
    "depth": r"nested deeper than 64 levels",
    "keys that are equal once encoded": r"two keys are the same once they can be encoded",
    "line feed after a timestamp": r"expected RFC 3339 timestamp .*, got text of another form",
}
"""What a schema cannot say, and what the refusal says of it.

The last one is no exception of the contract: rfc3339-validator ends its pattern with `$`, which
lets a line feed through.
"""

Payload = Any

_PAIR = re.compile("[\ud800-\udbff][\udc00-\udfff]")
_HALF = re.compile("[\ud800-\udfff]")


@cache
def validator(contract: Any) -> Draft202012Validator:
    """Return the judge of one class, with format checks on."""
    schema = contract.json_schema()
    Draft202012Validator.check_schema(schema)
    return Draft202012Validator(schema, format_checker=FormatChecker(["date-time"]))


def unsayable(contract: Any, data: Payload) -> set[str]:
    """Return the reasons to refuse a payload that is valid against the schema."""
    rows = data.get("rows", [])
    fields = list(_scalars({key: value for key, value in data.items() if key != "rows"}))
    found = _unsayable_of_id(data.get("tool_call_id"))
    if contract.__name__.endswith("Request") and any(map(_is_broken, fields)):
        found.add("lone surrogate")
    if not all(map(has_float, fields)):
        found.add("number without a finite float")
    if any(text.endswith("\n") for text in _timestamps(contract.json_schema(), data)):
        found.add("line feed after a timestamp")
    if contract is agent_contracts.MysqlToolResult:
        found |= _unsayable_of_rows(data["columns"], rows)
        for cell in _scalars(rows):
            if isinstance(cell, float) and not has_float(cell):
                found.add("number without a finite float")
            if isinstance(cell, int) and abs(cell) >= 10**MAX_DIGITS:
                found.add("integer with too many digits")  # all others are written as text
    return found


def _unsayable_of_id(call_id: str | None) -> set[str]:
    if call_id is None or not _HALF.search(call_id):
        return set()
    return {"lone surrogate" if _is_broken(call_id) else "split surrogate pair in the id"}


def _is_broken(value: Payload) -> bool:
    """Whether a value is text with half a character in it."""
    return isinstance(value, str) and _HALF.search(_PAIR.sub("", value)) is not None


def has_float(value: Payload) -> bool:
    """Whether a value is no number, or one that a 64-bit float can hold."""
    try:
        return not isinstance(value, int | float) or math.isfinite(float(value))
    except OverflowError:
        return False


def disagreement(contract: Any, data: Payload) -> str | None:
    """Say how the package and the two judges differ over a payload, None if they agree."""
    is_valid = validator(contract).is_valid(data)
    reasons = unsayable(contract, data) if is_valid else set()
    before = repr(data)
    text = json.dumps(data, ensure_ascii=False)
    try:
        made = contract.from_dict(data)
    except agent_contracts.ContractError as error:
        if is_valid and not reasons:
            return f"valid, but refused: {error}"
        if repr(_refusal(contract, text)) != repr(error) and isinstance(data, dict):
            return f"as data it is refused so: {error}; as text so: {_refusal(contract, text)}"
        return _wrong_message(error, reasons) if is_valid else None
    if reasons or not is_valid:
        return f"accepted, but {sorted(reasons) or 'not valid'}"
    if repr(data) != before:
        return "the caller's data was changed"
    wire = made.to_dict()
    written = made.to_json()
    same = [
        contract.from_json(text) == made,
        contract.from_json(written.encode()) == made,
        contract.from_dict(wire) == made,
        json.loads(written) == wire,
        validator(contract).is_valid(wire),
    ]
    return None if all(same) else f"accepted, but it does not come back the same: {same}"


def _refusal(contract: Any, text: str) -> agent_contracts.ContractError | None:
    try:
        contract.from_json(text)
    except agent_contracts.ContractError as error:
        return error
    return None


def _wrong_message(error: agent_contracts.ContractError, reasons: set[str]) -> str | None:
    right = "|".join(REASONS[reason] for reason in reasons)
    if all(re.match(right, problem.message) for problem in error.problems):
        return None
    return f"refused for {sorted(reasons)}, but it says: {error}"


def smallest(data: Payload, is_wrong: Callable[[Payload], bool]) -> Payload:
    """Make a wrong payload smaller for as long as it stays wrong."""
    for smaller in _smaller(data):
        if is_wrong(smaller):
            return smallest(smaller, is_wrong)
    return data


def _smaller(value: Payload) -> Iterator[Payload]:
    if isinstance(value, dict | list):
        keys = list(value) if isinstance(value, dict) else list(range(len(value)))
        for key in keys:
            without = deepcopy(value)
            del without[key]
            yield without
        for key in keys:
            for smaller in _smaller(value[key]):
                changed = deepcopy(value)
                changed[key] = smaller
                yield changed
        yield from children(value)
    elif isinstance(value, str) and value:
        yield from (value[: len(value) // 2], value[1:], value[:-1])
    elif isinstance(value, int | float) and value not in (0, 1):
        yield from (0, 1)


def _unsayable_of_rows(given: list[str], rows: list[dict[str, Any]]) -> set[str]:
    columns = [_encodable(name) for name in given]
    found = set()
    if len(set(columns)) < len(columns):
        found.add("column given twice")
    for row in rows:
        keys = [_encodable(key) for key in row]
        if set(keys) - set(columns):
            found.add("key that is not a column")
        if set(columns) - set(keys):
            found.add("column without a cell")
        if any(_depth(cell) > MAX_DEPTH for cell in row.values()):
            found.add("depth")
    if any(len({*map(_encodable, keys)}) < len(keys) for keys in _key_lists(rows)):
        found.add("keys that are equal once encoded")
    return found


def _encodable(text: str) -> str:
    joined = _PAIR.sub(
        lambda pair: chr(0x10000 + ((ord(pair[0][0]) - 0xD800) << 10) + (ord(pair[0][1]) - 0xDC00)),
        text,
    )
    return _HALF.sub("\ufffd", joined)


def _depth(value: Payload) -> int:
    if isinstance(value, dict | list):
        inside = value.values() if isinstance(value, dict) else value
        return 1 + max(map(_depth, inside), default=0)
    return 0


def children(value: Payload) -> list[Payload]:
    if isinstance(value, dict):
        return list(value.values())
    return value if isinstance(value, list) else []


def _scalars(value: Payload) -> Iterator[Payload]:
    if isinstance(value, dict | list):
        for child in children(value):
            yield from _scalars(child)
    else:
        yield value


def _key_lists(value: Payload) -> Iterator[list[str]]:
    if isinstance(value, dict):
        yield list(value)
    for child in children(value):
        yield from _key_lists(child)


def _timestamps(schema: dict[str, Any], value: Payload) -> Iterator[str]:
    if schema.get("format") == "date-time":
        yield value
    for name, inner in schema.get("properties", {}).items():
        if name in value:
            yield from _timestamps(inner, value[name])
    for item in value if "items" in schema else ():
        yield from _timestamps(schema["items"], item)
