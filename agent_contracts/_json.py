# SPDX-License-Identifier: MIT
"""Strict JSON in and out."""

import json
import re
from collections import Counter
from functools import partial
from types import MappingProxyType
from typing import Any

from ._values import expected, problem

_WHITESPACE = " \t\n\r"
_LITERALS = ("true", "false", "null", "NaN", "Infinity", "-Infinity")


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """A JSON object; a key given twice has the error for it as its value, for the rules to tell."""
    data = dict(pairs)
    if len(data) < len(pairs):
        counts = Counter(key for key, _ in pairs)
        twice = problem("the key is given twice")
        data |= {key: twice for key, count in counts.items() if count > 1}
    return data


_DECODER = json.JSONDecoder(object_pairs_hook=_object)
_encoder = partial(
    json.JSONEncoder,
    ensure_ascii=False,
    check_circular=False,
    allow_nan=False,
    default=MappingProxyType.copy,
)
_compact = _encoder(separators=(",", ":")).encode


def dumps(value: object, indent: int | None = None) -> str:
    """Write plain or frozen data as strict JSON with real characters, compact unless indented."""
    return _compact(value) if indent is None else _encoder(indent=indent).encode(value)


def loads(text: str | bytes | bytearray) -> Any:
    """Read one JSON value from text or UTF-8 bytes, with at most one byte order mark.

    Keys given twice and non-finite numbers come back as values that the rules refuse, so that
    they are told by path.

    Raises:
        ContractError: It is not one JSON value; the message says in what way.
    """
    if not isinstance(text, (str, bytes, bytearray)):
        raise expected("JSON text", text)
    try:
        text = text if isinstance(text, str) else text.decode()
        text = text.removeprefix("\ufeff")
        value = _DECODER.decode(text)
    except UnicodeDecodeError:
        reason = "the bytes are not UTF-8"
    except json.JSONDecodeError as error:
        reason = _reason(error)
    except RecursionError:
        reason = "it is nested too deeply"
    except ValueError:  # the interpreter's own bound on the digits of an integer
        reason = "it has a number with too many digits"
    else:
        if not isinstance(value, str) or value.lstrip(_WHITESPACE)[:1] not in ("{", "["):
            return value
        reason = "it is a JSON string that holds JSON text, so it was encoded twice"
    # raised here, not above: the decoder's errors carry the whole text
    raise problem(reason)


def _reason(error: json.JSONDecodeError) -> str:
    """Say in what way the text is not one JSON value."""
    content = error.doc.strip(_WHITESPACE)
    rest = error.doc[error.pos :].strip(_WHITESPACE)
    if not content:
        return "the text is empty"
    if content.startswith("```"):
        return "it is wrapped in a Markdown code fence"
    if error.msg == "Extra data":
        if rest[0] in '{["' or _is_json(rest):
            return "a second JSON value follows the first"
        return f"more text follows the JSON value at line {error.lineno} column {error.colno}"
    if (
        not rest
        or error.msg.startswith("Unterminated string")
        or any(literal.startswith(rest) for literal in _LITERALS)
        or re.fullmatch(r"\.|[eE][+-]?", rest)
        or (error.msg.startswith("Invalid \\uXXXX") and '"' not in rest and len(rest) < 6)
    ):
        return "it ends early and may have been cut off"
    return f"it is not valid JSON at line {error.lineno} column {error.colno}"


def _is_json(text: str) -> bool:
    try:
        _DECODER.raw_decode(text)
    except (ValueError, RecursionError):
        return False
    return True
