# SPDX-License-Identifier: MIT
"""Gemini: answer function calls under their `id`, which may be None."""

import sys
from typing import Any

from adapter import answer
from google import genai
from google.genai import types

from agent_contracts import AgentToolContracts, ContractError, definitions, observations

DECLARATIONS: Any = [definitions.gemini(tool) for tool in AgentToolContracts.ALL]
CONFIG = types.GenerateContentConfig(tools=[types.Tool(function_declarations=DECLARATIONS)])


def ask(client: genai.Client, model: str, question: str) -> str | None:
    """Ask a question, and answer the calls of the tools until the model has its answer."""
    contents: list[Any] = [types.UserContent(question)]
    while True:
        response = client.models.generate_content(model=model, contents=contents, config=CONFIG)
        if not response.function_calls:
            return response.text
        contents += [candidate.content for candidate in response.candidates or []]
        parts = [observe(call) for call in response.function_calls]
        contents.append(types.Content.model_validate({"role": "user", "parts": parts}))


def observe(call: types.FunctionCall) -> dict[str, Any]:
    """Return the part that answers one call."""
    tool_call_id = call.id  # the Tool Call ID, or None: then the adapter finds nothing citable
    name = call.name or ""
    try:
        tool = AgentToolContracts.named(name)
        request = tool.parse(call.args)  # a dict, or None
    except ContractError as refusal:
        return observations.gemini(refusal, tool_call_id=tool_call_id, tool_name=name)
    result = answer(tool_call_id, request)
    return observations.gemini(result)


if __name__ == "__main__":
    print(ask(genai.Client(), *sys.argv[1:]))  # MODEL QUESTION
