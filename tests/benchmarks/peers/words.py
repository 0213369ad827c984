# SPDX-License-Identifier: MIT
"""The enums of the contract, and the form of a timestamp, for all peers."""

from enum import Enum

TIMESTAMP = (
    r"^[0-9]{4}-[0-9]{2}-[0-9]{2}[Tt]([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](\.[0-9]+)?"
    r"([Zz]|[+-]([01][0-9]|2[0-3]):[0-5][0-9])$"
)


class EvidenceStatus(Enum):
    EVIDENCE_FOUND = "EVIDENCE_FOUND"
    NO_EVIDENCE = "NO_EVIDENCE"
    ERROR = "ERROR"


class LogTopic(Enum):
    APPLICATION = "APPLICATION"
    DATABASE_SLOW_QUERY = "DATABASE_SLOW_QUERY"
    SYSTEM_EVENTS = "SYSTEM_EVENTS"


class SourceKind(Enum):
    MOCK = "MOCK"
