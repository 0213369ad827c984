# SPDX-License-Identifier: MIT
"""The package itself."""

from typing import Any

from agent_contracts import (
    ContractError,
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

ERROR = ContractError


def to_dict(value: Any) -> Any:
    return value.to_dict()


def to_json(value: Any) -> Any:
    return value.to_json()


def from_json(contract: Any, text: Any) -> Any:
    return contract.from_json(text)


def told(error: Exception) -> str:
    return str(error)
