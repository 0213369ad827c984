# SPDX-License-Identifier: MIT
"""OpenAI Responses: answer function calls under `call_id`."""

import sys
from typing import Any

from adapter import answer
from openai import OpenAI
from openai.types.responses import ResponseFunctionToolCall

from agent_contracts import AgentToolContracts, ContractError, definitions, observations

TOOLS: Any = [definitions.openai_responses(tool) for tool in AgentToolContracts.ALL]


def ask(client: OpenAI, model: str, question: str) -> str:
    """Ask a question, and answer the calls of the tools until the model has its answer."""
    items: list[Any] = [{"role": "user", "content": question}]
    while True:
        response = client.responses.create(model=model, input=items, tools=TOOLS)
        calls = [item for item in response.output if item.type == "function_call"]
        if not calls:
            return response.output_text
        items += response.output
        items += [observe(call) for call in calls]


def observe(call: ResponseFunctionToolCall) -> dict[str, Any]:
    """Return the input item that answers one call."""
    tool_call_id = call.call_id  # the Tool Call ID; `call.id` is the id of the item
    try:
        tool = AgentToolContracts.named(call.name)
        request = tool.parse(call.arguments)  # JSON text
    except ContractError as refusal:
        return observations.openai_responses(refusal, tool_call_id=tool_call_id)
    result = answer(tool_call_id, request)
    return observations.openai_responses(result)


if __name__ == "__main__":
    print(ask(OpenAI(), *sys.argv[1:]))  # MODEL QUESTION
