# SPDX-License-Identifier: MIT
"""The payloads: plain data in wire form, the same for all peers and in every run."""

import json
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta, timezone
from random import Random
from types import ModuleType
from typing import Any

Plain = dict[str, Any]

_ITEMS = {
    "evidence": "RagEvidence",
    "scope": "LogScope",
    "patterns": "LogPattern",
    "timeline_events": "LogEvent",
}
_WORDS = {"status": "EvidenceStatus", "source_kind": "SourceKind", "topic": "LogTopic"}


@dataclass(frozen=True)
class Payload:
    """One payload, and the name of the contract class that it belongs to."""

    name: str
    contract: str
    plain: Plain

    @property
    def text(self) -> str:
        return dumps(self.plain)


def dumps(plain: object) -> str:
    """The floor of writing: the encoder of the standard library, compact, real characters."""
    return json.dumps(plain, ensure_ascii=False, separators=(",", ":"))


def request() -> Payload:
    plain = {"topic": "APPLICATION", "query": "HikariPool 连接超时", "lookback_minutes": 60}
    return Payload("request", "QueryLogsToolRequest", plain)


def knowledge() -> Payload:
    """Five excerpts of 1,500 characters."""
    random = Random(1)
    phrases = ("the pool waits for a connection ", "连接池耗尽 ", "until it gives up ", "超时重试 ")
    plain = {
        "tool_call_id": "call_7Qm2x9",
        "status": "EVIDENCE_FOUND",
        "query": "connection pool exhausted",
        "evidence_count": 9,
        "truncated": True,
        "evidence": [
            {
                "source": f"runbooks/database-{number}.md",
                "section": f"Incidents > Pool > {number}" if number % 2 else None,
                "content": "".join(random.choices(phrases, k=400))[:1500],
            }
            for number in range(5)
        ],
    }
    return Payload("knowledge", "RagToolResult", plain)


def logs(patterns: int = 20, events: int = 50) -> Payload:
    """Twenty patterns and fifty events with Chinese text."""
    random = Random(2)
    plain = {
        "tool_call_id": "call_7Qm2x9",
        "status": "EVIDENCE_FOUND",
        "source_kind": "MOCK",
        "scope": {
            "topic": "APPLICATION",
            "query": "HikariPool 连接超时",
            "lookback_minutes": 60,
            "start_time": _moment(0),
            "end_time": _moment(3600),
        },
        "matched_count": 4212,
        "truncated": True,
        "patterns": [
            {
                "pattern": f"订单 <*> 写入失败: HikariPool-{number} 等待 <*> ms 后超时",
                "level": "ERROR",
                "service": random.choice(["order-service", "stock-service", None]),
                "count": random.randrange(1, 900),
                "first_seen": _moment(number),
                "last_seen": _moment(3000 + number),
                "sample": f"订单 {random.randrange(10**9)} 写入失败: HikariPool-{number} 等待超时",
            }
            for number in range(patterns)
        ],
        "timeline_events": [
            {
                "timestamp": _moment(60 * number),
                "level": random.choice(["ERROR", "WARN"]),
                "service": "order-service",
                "instance": f"order-service-6f7c9-{number % 4}" if number % 5 else None,
                "message": f"订单 {random.randrange(10**9)} 写入失败: Connection is not available, "
                "request timed out after 30000ms (数据库连接池已耗尽)",
            }
            for number in range(events)
        ],
    }
    return Payload("logs", "QueryLogsToolResult", plain)


def rows(count: int, name: str = "", *, nested: bool = False) -> Payload:
    """Rows of eight mixed columns; with `nested`, the last one is a JSON column."""
    random = Random(3)
    columns = ("id", "customer", "amount", "paid", "rate", "note", "created_at", "extra")

    def extra(number: int) -> Any:
        return {"tags": ["vip", "重试"], "attempt": number % 4} if nested else f"batch-{number % 7}"

    cells = [
        (
            10_000_000 + number,
            f"客户 {random.randrange(10**6)}",
            f"{random.randrange(10**6)}.{random.randrange(10, 99)}",
            random.random() < 0.5,
            random.random(),
            random.choice([None, "ok", "retry later"]),
            f"2026-07-12T15:{number % 60:02}:{number % 59:02}",
            extra(number),
        )
        for number in range(count)
    ]
    return _rows(name or f"{count:,} rows", columns, cells)


def wide(count: int) -> Payload:
    """Rows of twenty columns."""
    columns = tuple(f"column_{number}" for number in range(20))
    cells = [(number, f"客户 {number}", None, True, number / 7) * 4 for number in range(count)]
    return _rows(f"{count:,} rows of 20 cells", columns, cells)


def _rows(name: str, columns: tuple[str, ...], cells: list[tuple[Any, ...]]) -> Payload:
    plain = {
        "tool_call_id": "call_7Qm2x9",
        "status": "EVIDENCE_FOUND",
        "row_count": len(cells),
        "truncated": False,
        "columns": list(columns),
        "rows": [dict(zip(columns, row, strict=True)) for row in cells],
    }
    return Payload(name, "MysqlToolResult", plain)


def _moment(seconds: int) -> str:
    start = datetime(2026, 7, 12, 14, 0, 0, 123000, timezone(timedelta(hours=8)))
    return (start + timedelta(seconds=seconds)).isoformat(timespec="milliseconds")


def constructor(peer: ModuleType, payload: Payload) -> Callable[[], Any]:
    """Return a call that makes the object, and each object in it, through the constructors.

    Enum members and tuples are made beforehand: only the constructors are measured.
    """
    contract = getattr(peer, payload.contract)
    fields = _fields(peer, payload.plain)
    one = {key: fields.pop(key) for key in list(fields) if isinstance(payload.plain[key], dict)}
    many = {key: fields.pop(key) for key in list(fields) if key in _ITEMS}

    def construct() -> Any:
        return contract(
            **fields,
            **{key: getattr(peer, _ITEMS[key])(**given) for key, given in one.items()},
            **{key: _made(getattr(peer, _ITEMS[key]), given) for key, given in many.items()},
        )

    return construct


def _made(contract: Any, given: list[Plain]) -> tuple[Any, ...]:
    return tuple([contract(**fields) for fields in given])


def _fields(peer: ModuleType, plain: Plain) -> Plain:
    fields: Plain = {}
    for key, value in plain.items():
        if key in _ITEMS:
            one = isinstance(value, dict)
            fields[key] = _fields(peer, value) if one else [_fields(peer, item) for item in value]
        elif key in _WORDS:
            fields[key] = getattr(peer, _WORDS[key])[value]
        else:
            fields[key] = tuple(value) if isinstance(value, list) else value
    return fields


def spoiled_once(payload: Payload) -> str:
    """The text with one value, the last, in an array of its own: one problem, the same size."""
    plain = json.loads(payload.text)
    items = next((key for key in reversed(plain) if key in ("rows", *_ITEMS)), None)
    if items == "rows":
        plain["rows"][-1] = [plain["rows"][-1]]
    else:
        last = plain if items is None else plain[items][-1]
        key = list(last)[-1]
        last[key] = [last[key]]
    return dumps(plain)


def spoiled_everywhere(payload: Payload) -> str:
    """The text with every value, at every level, in an array of its own."""
    plain = json.loads(payload.text)
    return dumps(_spoiled(plain))


def _spoiled(plain: Plain) -> Plain:
    spoiled: Plain = {}
    for key, value in plain.items():
        if key == "rows":
            spoiled[key] = [[row] for row in value]
        elif key in _ITEMS:
            one = isinstance(value, dict)
            spoiled[key] = _spoiled(value) if one else [_spoiled(item) for item in value]
        else:
            spoiled[key] = [value]
    return spoiled


def other_faults(payload: Payload) -> dict[str, str]:
    """Texts with faults of other kinds, for which the package is measured alone."""
    text = payload.text
    first = f'"{next(iter(_innermost(payload.plain)))}":'
    faults = {
        "an unknown key in every object": text.replace(first, f'"unknown":0,{first}'),
        "a key twice in every object": text.replace(first, f"{first}0,{first}"),
    }
    if "rows" in payload.plain:
        faults["Infinity in the last 20 rows"] = _with_infinity(text, 20)
        faults["Infinity in every row"] = _with_infinity(text, len(payload.plain["rows"]))
        plain = json.loads(text)
        for row in plain["rows"]:
            del row["id"]
        faults["a column missing in every row"] = dumps(plain)
    return faults


def flood(count: int) -> str:
    """The text of a request with so many keys that nobody knows."""
    return dumps(request().plain | {f"key_{number}": "some value" for number in range(count)})


def _with_infinity(text: str, count: int) -> str:
    plain = json.loads(text)
    for row in plain["rows"][-count:]:
        row["id"] = float("inf")
    return dumps(plain)


def _innermost(plain: Plain) -> Plain:
    lists = [value for key, value in plain.items() if key in ("rows", *_ITEMS)]
    return lists[-1][0] if lists else plain
