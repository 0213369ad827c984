# SPDX-License-Identifier: MIT
"""OpenAI Chat Completions: answer tool calls under `tool_calls[].id`."""

import sys
from typing import Any

from adapter import answer
from openai import OpenAI
from openai.types.chat import ChatCompletionMessageFunctionToolCall

from agent_contracts import AgentToolContracts, ContractError, definitions, observations

TOOLS: Any = [definitions.openai_chat(tool) for tool in AgentToolContracts.ALL]


def ask(client: OpenAI, model: str, question: str) -> str | None:
    """Ask a question, and answer the calls of the tools until the model has its answer."""
    messages: list[Any] = [{"role": "user", "content": question}]
    while True:
        completion = client.chat.completions.create(model=model, messages=messages, tools=TOOLS)
        message = completion.choices[0].message
        calls = [call for call in message.tool_calls or [] if call.type == "function"]
        if not calls:
            return message.content
        messages.append(message)
        messages += [observe(call) for call in calls]


def observe(call: ChatCompletionMessageFunctionToolCall) -> dict[str, Any]:
    """Return the message that answers one call."""
    tool_call_id = call.id  # the Tool Call ID; the arguments never have it
    try:
        tool = AgentToolContracts.named(call.function.name)
        request = tool.parse(call.function.arguments)  # JSON text
    except ContractError as refusal:
        return observations.openai_chat(refusal, tool_call_id=tool_call_id)
    result = answer(tool_call_id, request)
    return observations.openai_chat(result)


if __name__ == "__main__":
    print(ask(OpenAI(), *sys.argv[1:]))  # MODEL QUESTION
