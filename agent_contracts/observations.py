# SPDX-License-Identifier: MIT
"""What each model API gets back for a tool call.

The answer is a result, which goes back under its own `tool_call_id`, or the `ContractError`
that refused the call, which goes back under the id that the caller names. Each function
returns a fresh plain dict; its texts are JSON texts.
"""

from collections.abc import Callable
from typing import Any, Protocol, TypeVar

from . import _values as values
from ._json import dumps
from .errors import ContractError, Problem
from .status import EvidenceStatus
from .tools import AgentToolContracts, ToolContract

__all__ = [
    "ToolResult",
    "anthropic",
    "gemini",
    "mcp",
    "openai_chat",
    "openai_responses",
    "spring_ai",
]


T = TypeVar("T")


class ToolResult(Protocol):
    """What the results of all tools have in common."""

    @property
    def tool_call_id(self) -> str | None:
        """The id of the call, from the framework."""

    @property
    def status(self) -> EvidenceStatus:
        """What the tool found."""

    def to_dict(self) -> dict[str, Any]:
        """Return the wire form as plain data."""

    def to_json(self) -> str:
        """Write the wire form as JSON text."""


def openai_chat(
    answer: ToolResult | ContractError, *, tool_call_id: str | None = None
) -> dict[str, Any]:
    """One message for OpenAI Chat Completions; the API has no error flag.

    Args:
        answer: A result, or the error that refused the call.
        tool_call_id: `tool_calls[].id` of the refused call. A result has its own; if one is
            given all the same, it must be that one.

    Raises:
        ContractError: The id is missing or blank, or is not the result's own.
    """
    call_id = _required_id(answer, tool_call_id)
    return {"role": "tool", "tool_call_id": call_id, "content": _text(answer)}


def openai_responses(
    answer: ToolResult | ContractError, *, tool_call_id: str | None = None
) -> dict[str, Any]:
    """One input item for OpenAI Responses; the API has no error flag.

    Args:
        answer: A result, or the error that refused the call.
        tool_call_id: `call_id` of the refused call, not the item's `id`. A result has its own;
            if one is given all the same, it must be that one.

    Raises:
        ContractError: The id is missing or blank, or is not the result's own.
    """
    call_id = _required_id(answer, tool_call_id)
    return {"type": "function_call_output", "call_id": call_id, "output": _text(answer)}


def anthropic(
    answer: ToolResult | ContractError, *, tool_call_id: str | None = None
) -> dict[str, Any]:
    """One content block for Anthropic; all blocks of a turn go into the next user message.

    Args:
        answer: A result, or the error that refused the call.
        tool_call_id: `id` of the refused `tool_use` block. A result has its own; if one is
            given all the same, it must be that one.

    Raises:
        ContractError: The id is missing or blank, or is not the result's own.
    """
    return {
        "type": "tool_result",
        "tool_use_id": _required_id(answer, tool_call_id),
        "content": _text(answer),
        "is_error": _failed(answer),
    }


def gemini(
    answer: ToolResult | ContractError,
    *,
    tool_call_id: str | None = None,
    tool_name: str | None = None,
) -> dict[str, Any]:
    """One part of a user content for Gemini, which correlates by name and, if it has one, id.

    Args:
        answer: A result, or the error that refused the call.
        tool_call_id: `function_call.id` of the refused call; Gemini may give none. A result
            has its own; if one is given all the same, it must be that one.
        tool_name: The name that the refused call used. A result knows its tool.

    Raises:
        ContractError: The name of a refused call is missing, or the id is not the result's own.
    """
    call_id = _call_id(answer, tool_call_id)
    response = {} if call_id is None else {"id": call_id}
    key = "error" if _failed(answer) else "output"
    return {
        "functionResponse": {
            **response,
            "name": _tool_name(answer, tool_name),
            "response": {key: _content(answer)},
        }
    }


def mcp(answer: ToolResult | ContractError, *, tool_call_id: str | None = None) -> dict[str, Any]:
    """The result of MCP's `tools/call`; the protocol carries no id of the model's call.

    Args:
        answer: A result, or the error that refused the call.
        tool_call_id: Not sent. If one is given with a result, it must be the result's own.

    Raises:
        ContractError: The id is not the result's own.
    """
    _call_id(answer, tool_call_id)
    structured = (
        {} if isinstance(answer, ContractError) else {"structuredContent": answer.to_dict()}
    )
    return {
        "content": [{"type": "text", "text": _text(answer)}],
        **structured,
        "isError": _failed(answer),
    }


def spring_ai(
    answer: ToolResult | ContractError,
    *,
    tool_call_id: str | None = None,
    tool_name: str | None = None,
) -> dict[str, Any]:
    """The parts of a Spring AI `ToolResponseMessage.ToolResponse`.

    Args:
        answer: A result, or the error that refused the call.
        tool_call_id: `getToolCallId()` of the refused call. A result has its own; if one is
            given all the same, it must be that one.
        tool_name: The name that the refused call used. A result knows its tool.

    Raises:
        ContractError: The id is missing or blank (some models of Spring AI give none), or is
            not the result's own; or the name of a refused call is missing.
    """
    return {
        "id": _required_id(answer, tool_call_id),
        "name": _tool_name(answer, tool_name),
        "responseData": _text(answer),
    }


def _failed(answer: ToolResult | ContractError) -> bool:
    return isinstance(answer, ContractError) or answer.status is EvidenceStatus.ERROR


def _content(answer: ToolResult | ContractError) -> object:
    return str(answer) if isinstance(answer, ContractError) else answer.to_dict()


def _text(answer: ToolResult | ContractError) -> str:
    if isinstance(answer, ContractError):
        return dumps({"error": str(answer)})
    return answer.to_json()


def _call_id(answer: ToolResult | ContractError, given: str | None) -> str | None:
    """The id under which the answer goes back; None if there is none or it is blank."""
    if isinstance(answer, ContractError):
        found = _kept("tool_call_id", values.tool_call_id, given)
    else:
        _tool(answer)  # refuses what is no result
        found = answer.tool_call_id
        if given is not None and given != found:
            raise _refusal("/tool_call_id", "the result has its own, and this is another")
    return None if found is None or not found.strip() else found


def _required_id(answer: ToolResult | ContractError, given: str | None) -> str:
    found = _call_id(answer, given)
    if found is None:
        raise _refusal("/tool_call_id", "required and not blank, since the API correlates by it")
    return found


def _tool_name(answer: ToolResult | ContractError, given: str | None) -> str:
    """The name of the tool of a result, or the name that the refused call used."""
    if not isinstance(answer, ContractError):
        return _tool(answer).name
    name = "" if given is None else _kept("tool_name", values.text, given)
    if not name.strip():
        raise _refusal("/tool_name", "required for a refused call: the name that it used")
    return name


def _kept(name: str, rule: Callable[[object], T], value: object) -> T:
    try:
        return rule(value)
    except ContractError as error:
        raise ContractError("observation", values.under(name, error)) from None


def _tool(answer: ToolResult) -> ToolContract[Any, Any]:
    for tool in AgentToolContracts.ALL:
        if isinstance(answer, tool.result):
            return tool
    raise _refusal("", "expected the result of a tool, or the ContractError that refused the call")


def _refusal(path: str, message: str) -> ContractError:
    return ContractError("observation", [Problem(path, message)])
