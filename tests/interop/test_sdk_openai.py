# SPDX-License-Identifier: MIT
"""OpenAI's two APIs, by the real client over a transport without a network."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import httpx2
import openai
import pytest
from openai.types.chat import ChatCompletionFunctionToolParam, ChatCompletionToolMessageParam
from openai.types.responses import FunctionToolParam
from openai.types.responses.response_input_item_param import FunctionCallOutput
from pydantic import TypeAdapter
from sdk_samples import CALLS, FOUND, Call, Script, check_texts, definitions, load

from agent_contracts import ContractError

chat, responses = load("openai_chat"), load("openai_responses")


@contextmanager
def client(script: Script) -> Iterator[openai.OpenAI]:
    transport = httpx2.MockTransport(script)
    with (
        httpx2.Client(transport=transport) as http,
        openai.OpenAI(api_key="none", http_client=http, max_retries=0) as made,
    ):
        yield made


def completion(*calls: dict[str, Any]) -> dict[str, Any]:
    """Return the body of a chat completion: tool calls, or else the last answer."""
    message = {"role": "assistant", "content": None if calls else "done"}
    if calls:
        message["tool_calls"] = calls  # type: ignore[assignment]
    choice = {"index": 0, "finish_reason": "stop", "message": message}
    head = {"id": "c", "object": "chat.completion", "created": 1, "model": "m"}
    return {**head, "choices": [choice]}


def tool_call(call: Call, arguments: str | None = None) -> dict[str, Any]:
    text = json.dumps(call.arguments) if arguments is None else arguments
    function = {"name": call.name, "arguments": text}
    return {"id": call.id, "type": "function", "function": function}


def response(*items: dict[str, Any]) -> dict[str, Any]:
    """Return the body of a response: function calls, or else the last answer."""
    text = {"type": "output_text", "text": "done", "annotations": []}
    message = {"type": "message", "id": "m", "role": "assistant", "status": "completed"}
    head = {"id": "r", "object": "response", "created_at": 1, "model": "m", "status": "completed"}
    rest = {"parallel_tool_calls": True, "tool_choice": "auto", "tools": []}
    return {**head, **rest, "output": items or [{**message, "content": [text]}]}


def function_call(call: Call, arguments: str | None = None) -> dict[str, Any]:
    text = json.dumps(call.arguments) if arguments is None else arguments
    ids = {"id": f"fc_{abs(hash(call.id))}", "call_id": call.id}
    return {"type": "function_call", **ids, "name": call.name, "arguments": text}


def test_chat_answers_every_call_under_its_id() -> None:
    script = Script(httpx2.Response, completion(*map(tool_call, CALLS)), completion())
    with client(script) as made:
        assert chat.ask(made, "m", "Why do orders fail?") == "done"
    first, second = script.sent
    assert first["tools"] == second["tools"] == definitions("openai_chat")
    assert first["messages"] == [{"role": "user", "content": "Why do orders fail?"}]
    assistant, *observed = second["messages"][1:]
    assert [call["id"] for call in assistant["tool_calls"]] == [call.id for call in CALLS]
    assert all(set(message) == {"role", "tool_call_id", "content"} for message in observed)
    assert {message["role"] for message in observed} == {"tool"}
    check_texts(CALLS, {message["tool_call_id"]: message["content"] for message in observed})


def test_responses_answers_every_call_under_its_call_id() -> None:
    script = Script(httpx2.Response, response(*map(function_call, CALLS)), response())
    with client(script) as made:
        assert responses.ask(made, "m", "Why do orders fail?") == "done"
    first, second = script.sent
    assert first["tools"] == second["tools"] == definitions("openai_responses")
    calls = [item for item in second["input"][1:] if item["type"] == "function_call"]
    observed = [item for item in second["input"][1:] if item["type"] == "function_call_output"]
    assert [item["call_id"] for item in calls] == [call.id for call in CALLS]
    assert not {item["id"] for item in calls} & {item["call_id"] for item in observed}
    assert all(set(item) == {"type", "call_id", "output"} for item in observed)
    check_texts(CALLS, {item["call_id"]: item["output"] for item in observed})


@pytest.mark.parametrize(
    ("arguments", "reason"),
    {
        "empty": ("", "the text is empty"),
        "cut off": ('{"query": "po', "it ends early and may have been cut off"),
        "fenced": ('```json\n{"query": "pool"}\n```', "it is wrapped in a Markdown code fence"),
    }.values(),
)
def test_arguments_that_are_no_json_are_refused(arguments: str, reason: str) -> None:
    refused = f"RagToolRequest: {reason}; expected one JSON object with query"
    call = FOUND._replace(refusal=refused, status=None)
    script = Script(httpx2.Response, completion(tool_call(call, arguments)), completion())
    with client(script) as made:
        chat.ask(made, "m", "q")
    *_, message = script.sent[1]["messages"]
    check_texts([call], {message["tool_call_id"]: message["content"]})
    script = Script(httpx2.Response, response(function_call(call, arguments)), response())
    with client(script) as made:
        responses.ask(made, "m", "q")
    *_, item = script.sent[1]["input"]
    check_texts([call], {item["call_id"]: item["output"]})


def test_a_call_without_an_id_is_not_answered_under_a_made_up_one() -> None:
    """The client validates no body, so `None` arrives; there is nothing to answer under."""
    bodies = (tool_call(FOUND) | {"id": None}, function_call(FOUND) | {"call_id": None})
    scripts = (
        Script(httpx2.Response, completion(bodies[0])),
        Script(httpx2.Response, response(bodies[1])),
    )
    for sample, script in zip((chat, responses), scripts, strict=True):
        with client(script) as made, pytest.raises(ContractError) as caught:
            sample.ask(made, "m", "q")
        assert [problem.path for problem in caught.value.problems] == ["/tool_call_id"]
        assert len(script.sent) == 1


def test_definitions_and_observations_are_of_the_types_of_the_sdk() -> None:
    """Unknown keys would be dropped, so what is validated must be equal to what was given."""
    for definition in definitions("openai_chat"):
        adapter: Any = TypeAdapter(ChatCompletionFunctionToolParam)
        assert adapter.validate_python(definition, strict=True) == definition
    for definition in definitions("openai_responses"):
        adapter = TypeAdapter(FunctionToolParam)
        assert adapter.validate_python(definition, strict=True) == definition
    call: Any = tool_call(FOUND)
    message = chat.observe(openai.types.chat.ChatCompletionMessageFunctionToolCall(**call))
    adapter = TypeAdapter(ChatCompletionToolMessageParam)
    assert adapter.validate_python(message, strict=True) == message
    call = function_call(FOUND)
    item = responses.observe(openai.types.responses.ResponseFunctionToolCall(**call))
    adapter = TypeAdapter(FunctionCallOutput)
    assert adapter.validate_python(item, strict=True) == item
