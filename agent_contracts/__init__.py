# SPDX-License-Identifier: MIT
"""The frozen contract of three evidence tools, as standard-library dataclasses.

What the model may send, what the agent reads back, and what the model is told:

>>> from agent_contracts import AgentToolContracts
>>> request = AgentToolContracts.LOOKUP_KNOWLEDGE.parse('{"query": "pool exhausted"}')
>>> request
RagToolRequest(query='pool exhausted')
"""

from ._contract import CONTRACT_VERSION
from ._values import rfc3339
from .errors import ContractError, Problem
from .logs import (
    LogEvent,
    LogPattern,
    LogScope,
    LogTopic,
    QueryLogsToolRequest,
    QueryLogsToolResult,
    SourceKind,
)
from .mysql import MysqlToolRequest, MysqlToolResult
from .rag import RagEvidence, RagToolRequest, RagToolResult
from .status import EvidenceStatus, InvocationStatus
from .tools import AgentToolContracts, ToolContract

__all__ = [
    "CONTRACT_VERSION",
    "AgentToolContracts",
    "ContractError",
    "EvidenceStatus",
    "InvocationStatus",
    "LogEvent",
    "LogPattern",
    "LogScope",
    "LogTopic",
    "MysqlToolRequest",
    "MysqlToolResult",
    "Problem",
    "QueryLogsToolRequest",
    "QueryLogsToolResult",
    "RagEvidence",
    "RagToolRequest",
    "RagToolResult",
    "SourceKind",
    "ToolContract",
    "rfc3339",
]

__version__ = "1.0.0"
