# SPDX-License-Identifier: MIT
"""A validator for the subset of JSON Schema that the contract uses, written for the tests."""

import calendar
import re
from typing import Any

PORTABLE = {
    "type",
    "description",
    "properties",
    "required",
    "additionalProperties",
    "enum",
    "items",
    "anyOf",
    "format",
}
"""The keywords that every model API takes; `format` in results only."""

_DATE_TIME = re.compile(
    r"(\d{4})-(\d{2})-(\d{2})[Tt](\d{2}):(\d{2}):(\d{2})(?:\.\d+)?(?:[Zz]|[+-](\d{2}):(\d{2}))",
    re.ASCII,
)


def valid(schema: dict[str, Any], value: Any) -> bool:
    """Whether a value that was read from JSON is valid against a schema."""
    unknown = set(schema) - PORTABLE
    if unknown:
        raise AssertionError(f"not portable: {unknown}")
    if "anyOf" in schema and not any(valid(choice, value) for choice in schema["anyOf"]):
        return False
    if "type" in schema and not _is(schema["type"], value):
        return False
    if "enum" in schema and value not in schema["enum"]:
        return False
    if schema.get("format") == "date-time" and not _is_date_time(value):
        return False
    if isinstance(value, list) and "items" in schema:
        return all(valid(schema["items"], item) for item in value)
    if isinstance(value, dict):
        properties = schema.get("properties", {})
        if schema.get("additionalProperties") is False and set(value) - set(properties):
            return False
        if set(schema.get("required", [])) - set(value):
            return False
        return all(valid(properties[key], value[key]) for key in properties if key in value)
    return True


def _is(kind: str, value: Any) -> bool:
    number = isinstance(value, int | float) and not isinstance(value, bool)
    return {
        "null": value is None,
        "boolean": isinstance(value, bool),
        "string": isinstance(value, str),
        "number": number,
        "integer": number and (isinstance(value, int) or value.is_integer()),
        "array": isinstance(value, list),
        "object": isinstance(value, dict),
    }[kind]


def _is_date_time(value: str) -> bool:
    """RFC 3339 without leap seconds, which neither Python nor Java can hold."""
    match = _DATE_TIME.fullmatch(value)
    if not match:
        return False
    year, month, day, hour, minute, second, hours, minutes = (
        int(part or 0) for part in match.groups()
    )
    return (
        year >= 1
        and 1 <= month <= 12
        and 1 <= day <= calendar.monthrange(year, month)[1]
        and hour < 24
        and minute < 60
        and second < 60
        and hours < 24
        and minutes < 60
    )
