# SPDX-License-Identifier: MIT
"""What the package guarantees, tried on each peer. Nothing here is written down by hand.

A probe takes a peer and says whether the peer gives the guarantee. Where something has to be
refused, any exception counts; the last probe asks which.
"""

import copy
import json
from collections.abc import Callable, Mapping
from types import ModuleType
from typing import Any

from . import payloads
from .payloads import Plain, dumps

Probe = Callable[[ModuleType], bool]

_REQUEST = payloads.request().plain
_LOGS = payloads.logs(patterns=2, events=3)
_ROWS = payloads.rows(2, nested=True)


def _refused(peer: ModuleType, contract: str, text: str | bytes) -> bool:
    try:
        peer.from_json(getattr(peer, contract), text)
    except Exception:  # the peers have no error in common
        return True
    return False


def _request_refused(peer: ModuleType, **changes: object) -> bool:
    return _refused(peer, "QueryLogsToolRequest", dumps(_REQUEST | changes))


def _logs(change: Callable[[Plain], object]) -> str:
    plain = copy.deepcopy(_LOGS.plain)
    change(plain)
    return dumps(plain)


def keys_given_twice(peer: ModuleType) -> bool:
    return _refused(
        peer, "QueryLogsToolRequest", '{"topic":"APPLICATION","query":"a","query":"b"}'
    ) and _refused(
        peer, "QueryLogsToolResult", _LOGS.text.replace('"message":', '"message":"a","message":')
    )


def unknown_keys(peer: ModuleType) -> bool:
    nested = _logs(lambda plain: plain["timeline_events"][1].update(more="x"))
    return _request_refused(peer, more=1) and _refused(peer, "QueryLogsToolResult", nested)


def no_type_is_converted(peer: ModuleType) -> bool:
    return all(
        _request_refused(peer, **{key: value})
        for key, value in (
            ("lookback_minutes", "60"),
            ("lookback_minutes", 60.5),
            ("query", 5),
            ("query", None),
            ("topic", "application"),
        )
    )


def true_is_no_integer(peer: ModuleType) -> bool:
    return _request_refused(peer, lookback_minutes=True)


def not_finite(peer: ModuleType) -> bool:
    plain = copy.deepcopy(_ROWS.plain)
    plain["rows"][1]["rate"] = "here"
    return all(
        _refused(peer, "MysqlToolResult", dumps(plain).replace('"here"', number))
        for number in ("NaN", "-Infinity", "1e400")
    )


def half_a_character_in_a_request(peer: ModuleType) -> bool:
    text = r'{"topic":"APPLICATION","query":"\ud83d"}'
    return _refused(peer, "QueryLogsToolRequest", text)


def half_a_character_in_a_result(peer: ModuleType) -> bool:
    text = _LOGS.text.replace('"message":"', r'"message":"\ud83d')
    try:
        peer.to_json(peer.from_json(peer.QueryLogsToolResult, text)).encode()
    except Exception:  # refused, or taken and then not encodable: the evidence is lost
        return False
    return True


def timestamps(peer: ModuleType) -> bool:
    start = _LOGS.plain["scope"]["start_time"]
    return all(
        _refused(peer, "QueryLogsToolResult", _LOGS.text.replace(start, other))
        for other in ("2026-03-01T10:00:00", "yesterday", "2026-02-30T10:00:00Z")
    )


def row_keys_are_the_columns(peer: ModuleType) -> bool:
    rows: list[Plain] = [{}, _ROWS.plain["rows"][0] | {"more": 1}]
    return all(
        _refused(peer, "MysqlToolResult", dumps(_ROWS.plain | {"rows": [row]})) for row in rows
    )


def constructor_checks(peer: ModuleType) -> bool:
    event = _LOGS.plain["timeline_events"][0]
    try:
        peer.LogEvent(**event | {"message": 5})
    except Exception:  # as above
        return True
    return False


def own_copy(peer: ModuleType) -> bool:
    payload = payloads.rows(2, nested=True)
    made = payloads.constructor(peer, payload)()
    payload.plain["rows"][0]["note"] = "changed"
    payload.plain["rows"][0]["extra"]["tags"].append("changed")
    return "changed" not in peer.to_json(made)


def frozen_to_the_bottom(peer: ModuleType) -> bool:
    return all(
        _is_frozen(peer.from_json(getattr(peer, payload.contract), payload.text), payload.plain)
        for payload in (_LOGS, _ROWS)
    )


def _is_frozen(value: Any, plain: Any) -> bool:
    """Whether nothing in a value can be changed; `plain` tells what is in it."""
    if isinstance(value, list | set | dict):
        return False
    if isinstance(value, Mapping):
        return not _can_set_item(value) and all(
            _is_frozen(value[key], item) for key, item in plain.items()
        )
    if isinstance(value, tuple):
        return all(_is_frozen(item, plain[index]) for index, item in enumerate(value))
    if isinstance(plain, dict):
        return all(
            not _can_set(value, key) and _is_frozen(getattr(value, key), item)
            for key, item in plain.items()
        )
    return True


def _can_set_item(value: Any) -> bool:
    try:
        value["more"] = 1
    except TypeError:
        return False
    return True


def _can_set(value: Any, key: str) -> bool:
    try:
        setattr(value, key, getattr(value, key))
    except Exception:  # each peer has its own
        return False
    return True


def hashable(peer: ModuleType) -> bool:
    try:
        for payload in (_LOGS, _ROWS):
            hash(peer.from_json(getattr(peer, payload.contract), payload.text))
    except TypeError:
        return False
    return True


def all_problems_at_once(peer: ModuleType) -> bool:
    def change(plain: Plain) -> None:
        plain["matched_count"] = "many"
        plain["patterns"][1]["sample"] = 1
        plain["timeline_events"][2]["service"] = 2
        plain["surplus"] = 3

    told = _told(peer, "QueryLogsToolResult", _logs(change))
    return all(name in told for name in ("matched_count", "sample", "service", "surplus"))


def values_are_not_repeated(peer: ModuleType) -> bool:
    """An error names places; the evidence, SQL or parameters there stay out of it."""
    rows = dumps(_ROWS.plain | {"row_count": "hunter2", "rows": ["hunter2"]})
    told = _told(peer, "MysqlToolResult", rows)
    return "hunter2" not in told


def _told(peer: ModuleType, contract: str, text: str) -> str:
    try:
        peer.from_json(getattr(peer, contract), text)
    except peer.ERROR as error:
        return str(peer.told(error))
    raise AssertionError(f"{peer.__name__} takes {text}")


def one_class_of_error(peer: ModuleType) -> bool:
    """One class, of the library's own, for whatever is wrong with the text."""
    own: Any = peer.ERROR
    if isinstance(own, tuple):
        return False
    good = dumps(_REQUEST)
    texts = ("", "[]", good[:-5], f"{good} x", b"\xff", "[" * 100_000, "9" * 5000, f"```{good}```")
    for text in texts:
        try:
            peer.from_json(peer.QueryLogsToolRequest, text)
        except own:
            continue
        except Exception:  # another one
            return False
        return False
    return True


LOOKS_AT_CELLS = "`NaN`, `Infinity` and `1e400` in a cell are refused"
"""What shows that a peer looks at the cells of rows at all."""

PROBES: dict[str, Probe] = {
    "a key given twice is refused": keys_given_twice,
    "unknown keys are refused, nested ones too": unknown_keys,
    "no type is turned into another": no_type_is_converted,
    "`true` is not taken for an integer": true_is_no_integer,
    LOOKS_AT_CELLS: not_finite,
    "half a character in a request is refused": half_a_character_in_a_request,
    "half a character in a result survives, and encodes": half_a_character_in_a_result,
    "a time without an offset, or in no calendar, is refused": timestamps,
    "the keys of a row are the columns": row_keys_are_the_columns,
    "the constructor checks types": constructor_checks,
    "an object keeps a copy of its own": own_copy,
    "an object that was read is frozen to the bottom": frozen_to_the_bottom,
    "objects that were read can be hashed": hashable,
    "all problems are told at once": all_problems_at_once,
    "errors do not repeat values": values_are_not_repeated,
    "one class of error, whatever is wrong with the text": one_class_of_error,
}

SAME_TYPE_CHECKS = ("no type is turned into another", "`true` is not taken for an integer")
"""What a peer has to give to be compared by speed as one that checks the same types."""


def tried(peer: ModuleType) -> dict[str, bool]:
    """Try all guarantees on one peer, after making sure that it takes what is right."""
    for payload in (payloads.request(), _LOGS, _ROWS):
        read = peer.from_json(getattr(peer, payload.contract), payload.text)
        if json.loads(peer.to_json(read)) != payload.plain:
            raise AssertionError(f"{peer.__name__} changes the payload {payload.name!r}")
    return {name: probe(peer) for name, probe in PROBES.items()}
