# SPDX-License-Identifier: MIT
"""Anthropic Messages: answer `tool_use` blocks under their `id`."""

import sys
from typing import Any

from adapter import answer
from anthropic import Anthropic
from anthropic.types import ToolUseBlock

from agent_contracts import AgentToolContracts, ContractError, definitions, observations

TOOLS: Any = [definitions.anthropic(tool) for tool in AgentToolContracts.ALL]


def ask(client: Anthropic, model: str, question: str) -> str:
    """Ask a question, and answer the calls of the tools until the model has its answer."""
    messages: list[Any] = [{"role": "user", "content": question}]
    while True:
        message = client.messages.create(
            model=model, max_tokens=4096, messages=messages, tools=TOOLS
        )
        calls = [block for block in message.content if block.type == "tool_use"]
        if not calls:
            return "".join(block.text for block in message.content if block.type == "text")
        messages.append({"role": "assistant", "content": message.content})
        messages.append({"role": "user", "content": [observe(call) for call in calls]})


def observe(call: ToolUseBlock) -> dict[str, Any]:
    """Return the content block that answers one call."""
    tool_call_id = call.id  # the Tool Call ID; the input never has it
    try:
        tool = AgentToolContracts.named(call.name)
        request = tool.parse(call.input)  # a dict
    except ContractError as refusal:
        return observations.anthropic(refusal, tool_call_id=tool_call_id)
    result = answer(tool_call_id, request)
    return observations.anthropic(result)


if __name__ == "__main__":
    print(ask(Anthropic(), *sys.argv[1:]))  # MODEL QUESTION
