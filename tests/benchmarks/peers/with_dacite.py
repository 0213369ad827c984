# SPDX-License-Identifier: MIT
# mypy: disable-error-code="import-not-found"
"""dacite on the plain dataclasses, strict about keys. It only reads: `asdict` writes."""

import json
from dataclasses import asdict
from enum import Enum
from typing import Any

from dacite import Config, DaciteError, from_dict

from .plain_dataclasses import (
    EvidenceStatus,
    LogEvent,
    LogPattern,
    LogScope,
    LogTopic,
    MysqlToolRequest,
    MysqlToolResult,
    QueryLogsToolRequest,
    QueryLogsToolResult,
    RagEvidence,
    RagToolRequest,
    RagToolResult,
    SourceKind,
)

__all__ = [
    "EvidenceStatus",
    "LogEvent",
    "LogPattern",
    "LogScope",
    "LogTopic",
    "MysqlToolRequest",
    "MysqlToolResult",
    "QueryLogsToolRequest",
    "QueryLogsToolResult",
    "RagEvidence",
    "RagToolRequest",
    "RagToolResult",
    "SourceKind",
]

ERROR = (DaciteError, ValueError)  # the second for a word that no enum has

_CONFIG = Config(strict=True, cast=[Enum, tuple])


def _plain(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    return {key: value.value if isinstance(value, Enum) else value for key, value in pairs}


def to_dict(value: Any) -> Any:
    return asdict(value, dict_factory=_plain)


def to_json(value: Any) -> Any:
    return json.dumps(to_dict(value), ensure_ascii=False, separators=(",", ":"))


def from_json(contract: Any, text: Any) -> Any:
    return from_dict(contract, json.loads(text), _CONFIG)


def told(error: Exception) -> str:
    return str(error)
