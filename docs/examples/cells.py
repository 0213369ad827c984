# SPDX-License-Identifier: MIT
"""One row with a value of each kind that MySQL drivers give, and what the agent reads."""

from datetime import date, datetime, timedelta
from decimal import Decimal
from typing import Any

from agent_contracts import EvidenceStatus, MysqlToolResult

row: dict[str, Any] = {
    "id": 9223372036854775807,  # BIGINT
    "quantity": 3,  # INT
    "amount": Decimal("10.50"),  # DECIMAL(10, 2)
    "weight": 0.25,  # DOUBLE
    "paid": True,  # a driver that decodes TINYINT(1)
    "coupon": None,  # NULL
    "note": "请放前台 🎉",  # VARCHAR
    "created_at": datetime(2026, 7, 12, 15, 19, 39, 500000),  # DATETIME(3)
    "due": date(2026, 7, 31),  # DATE
    "delay": timedelta(minutes=-1),  # TIME
    "digest": b"\x00\xca\xfe\x10",  # BINARY(4)
    "flags": {"gift", "express"},  # SET
    "address": {"city": "杭州", "lines": ["文三路 90 号", "3F"]},  # JSON, decoded
}

result = MysqlToolResult(
    tool_call_id="call_n2FbRl7O",
    status=EvidenceStatus.EVIDENCE_FOUND,
    row_count=1,
    truncated=False,
    columns=tuple(row),
    rows=(row,),
)
print(result.to_json(indent=2))
