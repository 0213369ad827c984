# SPDX-License-Identifier: MIT
"""Pieces of JSON Schema, in the subset that every model API takes as it is.

Objects are closed, null is one of two schemas in `anyOf`, and there are no type lists,
references, defaults, titles, constants or ranges.
"""

from collections.abc import Iterable
from enum import Enum
from typing import Any

Schema = dict[str, Any]


def object_(description: str, properties: Schema, optional: Iterable[str] = ()) -> Schema:
    """A closed object.

    All its properties are required but for the optional ones, where null says the same as
    leaving the key out.
    """
    return {
        "type": "object",
        "description": description,
        "properties": properties | {name: nullable(properties[name]) for name in optional},
        "required": [name for name in properties if name not in optional],
        "additionalProperties": False,
    }


def string(description: str) -> Schema:
    """Any text."""
    return {"type": "string", "description": description}


def timestamp(description: str) -> Schema:
    """RFC 3339 text; for results only, since some APIs refuse the keyword in parameters."""
    return {"type": "string", "format": "date-time", "description": description}


def choice(description: str, words: type[Enum]) -> Schema:
    """One word of an enumeration."""
    return {"type": "string", "enum": [word.value for word in words], "description": description}


def integer(description: str) -> Schema:
    """A whole number."""
    return {"type": "integer", "description": description}


def boolean(description: str) -> Schema:
    """True or false."""
    return {"type": "boolean", "description": description}


def array(description: str, items: Schema) -> Schema:
    """A list of values of one schema."""
    return {"type": "array", "items": items, "description": description}


def nullable(schema: Schema) -> Schema:
    """The same schema, or null; the description stays outside."""
    inner = {key: value for key, value in schema.items() if key != "description"}
    return {"anyOf": [inner, {"type": "null"}], "description": schema["description"]}


def text_or_null(description: str) -> Schema:
    """Any text, or null."""
    return nullable(string(description))


def tool_call_id() -> Schema:
    """The id that stands in every result."""
    return text_or_null("The id of this tool call; cite it. Null only if the call had none.")
