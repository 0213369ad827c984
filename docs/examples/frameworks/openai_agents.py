# SPDX-License-Identifier: MIT
"""OpenAI Agents SDK: function tools that take the id from `ToolContext.tool_call_id`."""

import asyncio
import sys
from typing import Any

from adapter import answer
from agents import Agent, FunctionTool, Model, Runner, Tool
from agents.tool_context import ToolContext

from agent_contracts import (
    AgentToolContracts,
    ContractError,
    ToolContract,
    definitions,
    observations,
)


def function_tool(tool: ToolContract[Any, Any]) -> FunctionTool:
    """Make one tool of the SDK from its contract."""

    async def invoke(context: ToolContext[Any], arguments: str) -> str:
        tool_call_id = context.tool_call_id  # the Tool Call ID, `call_id` on the wire
        try:
            request = tool.parse(arguments)  # JSON text
        except ContractError as refusal:
            observation = observations.openai_responses(refusal, tool_call_id=tool_call_id)
        else:
            observation = observations.openai_responses(answer(tool_call_id, request))
        return str(observation["output"])  # the SDK puts the text under the same `call_id`

    definition = definitions.openai_responses(tool)
    return FunctionTool(
        name=definition["name"],
        description=definition["description"],
        params_json_schema=definition["parameters"],
        on_invoke_tool=invoke,
    )


async def ask(model: str | Model, question: str) -> str:
    """Ask a question; the SDK runs the tools until the model has its answer."""
    tools: list[Tool] = [function_tool(tool) for tool in AgentToolContracts.ALL]
    run = await Runner.run(Agent(name="on-call", model=model, tools=tools), question)
    return str(run.final_output)


if __name__ == "__main__":
    print(asyncio.run(ask(*sys.argv[1:])))  # MODEL QUESTION
