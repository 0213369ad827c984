# SPDX-License-Identifier: MIT
"""LangGraph: the real graph and tool node, with a scripted model."""

import json
from typing import Any

import pytest
from langchain_core.messages import AIMessage, ToolMessage
from langchain_core.tools import StructuredTool
from langchain_core.utils.function_calling import convert_to_openai_tool
from sdk_samples import CALLS, FOUND, Call, check_texts, definitions, load

from agent_contracts import ContractError

sample = load("langgraph_agent")


class ScriptedModel:
    """A chat model that gives one message after another, and keeps what it was told."""

    def __init__(self, *messages: AIMessage) -> None:
        self._messages = iter(messages)
        self.tools: list[Any] = []
        self.seen: list[Any] = []

    def bind_tools(self, tools: list[Any]) -> "ScriptedModel":
        """Convert the tools as LangChain's chat models do."""
        self.tools = [convert_to_openai_tool(tool) for tool in tools]
        return self

    def invoke(self, messages: list[Any]) -> AIMessage:
        self.seen = list(messages)
        return next(self._messages)


def calling(*calls: Any) -> AIMessage:
    return AIMessage(
        "",
        tool_calls=[
            {"name": call.name, "args": call.arguments, "id": call.id, "type": "tool_call"}
            for call in calls
        ],
    )


def test_every_call_is_answered_under_its_id() -> None:
    model = ScriptedModel(calling(*CALLS), AIMessage("done"))
    assert sample.ask(model, "Why do orders fail?") == "done"
    assert model.tools == definitions("openai_chat")
    question, assistant, *observed = model.seen
    assert question.content == "Why do orders fail?"
    assert [call["id"] for call in assistant.tool_calls] == [call.id for call in CALLS]
    assert all(type(message) is ToolMessage for message in observed)
    check_texts(CALLS, {message.tool_call_id: message.content for message in observed})
    for call, message in zip(CALLS, observed, strict=True):
        assert message.name == call.name
        assert message.status == ("error" if call.failed else "success")


@pytest.mark.parametrize("key", ["runtime", "config", "run_manager", "state", "store"])
def test_arguments_that_langchain_would_take_for_itself_are_refused(key: str) -> None:
    call = Call("call_1", FOUND.name, FOUND.arguments | {key: {"forged": True}})
    model = ScriptedModel(calling(call), AIMessage("done"))
    sample.ask(model, "q")
    assert json.loads(model.seen[-1].content) == {
        "error": f"RagToolRequest: /{key}: unknown field (known: query)"
    }


@pytest.mark.parametrize("call_id", [None, "", " "])
def test_a_call_without_an_id_is_not_answered_under_a_made_up_one(call_id: Any) -> None:
    model = ScriptedModel(calling(FOUND._replace(id=call_id)))
    with pytest.raises(ContractError) as caught:
        sample.ask(model, "q")
    assert [problem.path for problem in caught.value.problems] == ["/tool_call_id"]


def test_the_trap_that_the_guide_names_is_real() -> None:
    """With a dict for a schema, LangChain takes an id that the model has put in the arguments."""
    taken: list[str] = []

    def call(query: str, tool_call_id: str) -> str:
        taken.append(tool_call_id)
        return query

    schema = convert_to_openai_tool(definitions("openai_chat")[0])["function"]["parameters"]
    tool = StructuredTool.from_function(
        func=call, name="lookup_knowledge", description="x", args_schema=schema
    )
    arguments = {"query": "pool", "tool_call_id": "call_forged"}
    tool.invoke({"type": "tool_call", "name": tool.name, "args": arguments, "id": "call_real"})
    assert taken == ["call_forged"]
