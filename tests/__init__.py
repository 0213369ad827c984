# SPDX-License-Identifier: MIT
"""The tests. AGENT_CONTRACTS names the package under test, so that a vendored copy can be."""

import importlib
import os
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import agent_contracts as contracts
else:
    contracts = importlib.import_module(os.environ.get("AGENT_CONTRACTS", "agent_contracts"))

__all__ = ["contracts", "module"]


def module(name: str) -> Any:
    """Return a module of the package under test."""
    return importlib.import_module(f"{contracts.__name__}.{name}")
