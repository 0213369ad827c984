# SPDX-License-Identifier: MIT
"""Pydantic AI: tools that take the id from `RunContext.tool_call_id`."""

import sys
from typing import Any

from adapter import answer
from pydantic_ai import Agent, RunContext, Tool, ToolFailed
from pydantic_ai.models import Model

from agent_contracts import AgentToolContracts, ContractError, ToolContract, definitions


def agent_tool(tool: ToolContract[Any, Any]) -> Tool[None]:
    """Make one tool of Pydantic AI from its contract."""

    # the slash: an argument of the model may be called `context`, too
    def call(context: RunContext[None], /, **arguments: Any) -> dict[str, Any]:
        tool_call_id = context.tool_call_id  # the Tool Call ID, or one that Pydantic AI made
        try:
            request = tool.parse(arguments)
        except ContractError as refusal:
            raise ToolFailed(str(refusal)) from None  # goes back under the same id
        return answer(tool_call_id, request).to_dict()

    definition = definitions.openai_chat(tool)["function"]
    return Tool.from_schema(
        call,
        name=definition["name"],
        description=definition["description"],
        json_schema=definition["parameters"],
        takes_ctx=True,
    )


def ask(model: str | Model, question: str) -> str:
    """Ask a question; Pydantic AI runs the tools until the model has its answer."""
    agent = Agent(model, tools=[agent_tool(tool) for tool in AgentToolContracts.ALL])
    return agent.run_sync(question).output


if __name__ == "__main__":
    print(ask(*sys.argv[1:]))  # MODEL QUESTION
