# SPDX-License-Identifier: MIT
"""What holds for any input: it comes back the same, or a ContractError tells why not."""

import json
import math
from typing import Any

from agent_contracts import AgentToolContracts, ContractError

CONTRACTS: tuple[Any, ...] = tuple(
    contract for tool in AgentToolContracts.ALL for contract in (tool.request, tool.result)
)
"""The six classes that read JSON from outside."""

LONGEST = 20 * 500  # characters of the text of an error, whatever was read


def check(contract: Any, text: str | bytes) -> bool:
    """Read an input and check all that is promised of it; return whether it was accepted."""
    try:
        made = contract.from_json(text)
    except ContractError as error:
        refusal = error
    else:
        _check_accepted(made)
        return True
    told = str(refusal)
    told.encode()
    assert len(told) <= LONGEST, f"an error of {len(told)} characters"
    assert refusal.problems
    return False


def _check_accepted(made: Any) -> None:
    written = made.to_json()
    wire = made.to_dict()
    assert json.loads(written, parse_constant=_no_constant) == wire
    _check_plain(wire)
    assert type(made).from_json(written.encode()) == made
    assert type(made).from_dict(wire) == made


def _no_constant(name: str) -> None:
    raise AssertionError(f"{name} was written")


def _check_plain(value: Any) -> None:
    """Plain values, numbers that fit a float, and text that can be encoded, at every depth."""
    kind = type(value)
    assert kind in (dict, list, str, int, float, bool, type(None)), kind
    if kind is dict:
        for key, item in value.items():
            _check_plain(key)
            _check_plain(item)
    elif kind is list:
        for item in value:
            _check_plain(item)
    elif kind is str:
        value.encode()
    elif kind in (int, float):
        assert math.isfinite(float(value))
