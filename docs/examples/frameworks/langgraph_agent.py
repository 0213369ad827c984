# SPDX-License-Identifier: MIT
"""LangGraph: intercept each tool call, and answer it under `tool_call["id"]`."""

from collections.abc import Callable
from typing import Any

from adapter import answer
from langchain_core.language_models import BaseChatModel
from langchain_core.messages import ToolMessage
from langgraph.graph import START, MessagesState, StateGraph
from langgraph.graph.state import CompiledStateGraph
from langgraph.prebuilt import ToolNode, tools_condition
from langgraph.prebuilt.tool_node import ToolCallRequest

from agent_contracts import AgentToolContracts, ContractError, definitions, observations

TOOLS = [definitions.openai_chat(tool) for tool in AgentToolContracts.ALL]


def intercept(intercepted: ToolCallRequest, _execute: Callable[..., Any]) -> ToolMessage:
    """Answer one call in place of LangChain's own tools, which would change the arguments."""
    call = intercepted.tool_call
    tool_call_id = call["id"]  # the Tool Call ID; LangChain allows None
    try:
        tool = AgentToolContracts.named(call["name"])
        request = tool.parse(call["args"])  # a dict
    except ContractError as refusal:
        observation = observations.anthropic(refusal, tool_call_id=tool_call_id)
    else:
        observation = observations.anthropic(answer(tool_call_id, request))
    return ToolMessage(
        content=observation["content"],
        tool_call_id=observation["tool_use_id"],
        name=call["name"],
        status="error" if observation["is_error"] else "success",
    )


def graph(model: BaseChatModel) -> CompiledStateGraph[Any, Any, Any, Any]:
    """Make a graph in which the model calls the tools until it has its answer."""
    bound = model.bind_tools(TOOLS)

    def think(state: MessagesState) -> dict[str, Any]:
        return {"messages": [bound.invoke(state["messages"])]}

    built = StateGraph(MessagesState).add_node("think", think)
    built.add_node("tools", ToolNode([], wrap_tool_call=intercept))
    built.add_edge(START, "think").add_conditional_edges("think", tools_condition)
    return built.add_edge("tools", "think").compile()


def ask(model: BaseChatModel, question: str) -> str:
    """Ask a question; the graph runs until the model has its answer."""
    state = graph(model).invoke({"messages": [("user", question)]})
    return str(state["messages"][-1].text)
