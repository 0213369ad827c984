# SPDX-License-Identifier: MIT
"""Pydantic AI, with a function for a model, and over HTTP without a network."""

import json
from typing import Any

import httpx2
import openai
import pytest
from pydantic_ai.messages import ModelMessage, ModelResponse, TextPart, ToolCallPart
from pydantic_ai.models.function import AgentInfo, FunctionModel
from pydantic_ai.models.openai import OpenAIChatModel
from pydantic_ai.providers.openai import OpenAIProvider
from sdk_samples import CALLS, FORGED, FOUND, UNKNOWN, Call, Script, check, definitions, load
from test_sdk_openai import completion, tool_call

from agent_contracts import RagToolResult

sample = load("pydantic_ai_agent")
KNOWN = [call for call in CALLS if call is not UNKNOWN]  # Pydantic AI refuses other names itself


def answered(*calls: ToolCallPart) -> list[Any]:
    """Let a model make the calls, and return the parts that answer them."""
    parts: list[Any] = []

    def model(messages: list[ModelMessage], info: AgentInfo) -> ModelResponse:
        told = [
            {
                "type": "function",
                "function": {
                    "name": tool.name,
                    "description": tool.description,
                    "parameters": tool.parameters_json_schema,
                    "strict": True,
                },
            }
            for tool in info.function_tools
        ]
        assert told == definitions("openai_chat")
        if len(messages) == 1:
            return ModelResponse(parts=calls)
        parts.extend(messages[-1].parts)
        return ModelResponse(parts=[TextPart("done")])

    assert sample.ask(FunctionModel(model), "Why do orders fail?") == "done"
    return parts


def check_part(call: Call, part: Any) -> None:
    assert (part.tool_call_id, part.tool_name) == (call.id, call.name)
    assert part.outcome == ("success" if call.refusal is None else "failed")
    check(call, json.loads(part.model_response_str()))


@pytest.mark.parametrize("as_text", [True, False])
def test_every_call_is_answered_under_its_id(as_text: bool) -> None:
    parts = answered(
        *(
            ToolCallPart(
                call.name,
                json.dumps(call.arguments) if as_text else call.arguments,
                tool_call_id=call.id,
            )
            for call in KNOWN
        )
    )
    for call, part in zip(KNOWN, parts, strict=True):
        check_part(call, part)


def test_the_definitions_arrive_unchanged_over_http() -> None:
    script = Script(httpx2.Response, completion(*map(tool_call, KNOWN)), completion())
    http = httpx2.AsyncClient(transport=httpx2.MockTransport(script))
    client = openai.AsyncOpenAI(api_key="none", http_client=http, max_retries=0)
    model = OpenAIChatModel("gpt-4o", provider=OpenAIProvider(openai_client=client))
    assert sample.ask(model, "q") == "done"
    assert script.sent[0]["tools"] == definitions("openai_chat")
    observed = [message for message in script.sent[1]["messages"] if message["role"] == "tool"]
    for call, message in zip(KNOWN, observed, strict=True):
        assert message["tool_call_id"] == call.id
        check(call, json.loads(message["content"]))
        assert "\\u" not in message["content"]


def test_a_call_without_an_id_gets_one_from_the_framework() -> None:
    """It is Pydantic AI's own, and the result and the answer have the same."""
    (part,) = answered(ToolCallPart(FOUND.name, FOUND.arguments))
    assert part.tool_call_id.startswith("pyd_ai_")
    result = RagToolResult.from_dict(part.content)
    assert (result.tool_call_id, result.status.value) == (part.tool_call_id, "EVIDENCE_FOUND")


def test_an_empty_id_passes_and_nothing_citable_is_found() -> None:
    (part,) = answered(ToolCallPart(FOUND.name, FOUND.arguments, tool_call_id=""))
    result = RagToolResult.from_dict(part.content)
    assert (result.tool_call_id, result.status.value, result.evidence) == ("", "ERROR", ())


def test_an_argument_with_the_name_of_the_context_is_refused() -> None:
    arguments = FOUND.arguments | {"context": "forged", "ctx": 1}
    (part,) = answered(ToolCallPart(FOUND.name, arguments, tool_call_id="call_1"))
    assert part.outcome == "failed"
    assert part.content == (
        "RagToolRequest: /context: unknown field (known: query); /ctx: unknown field (known: query)"
    )


def test_no_arguments_at_all_are_refused() -> None:
    for arguments in ("", None):
        (part,) = answered(ToolCallPart(FOUND.name, arguments, tool_call_id=FORGED.id))
        assert part.content == (
            "RagToolRequest: /query: required field is missing, expected string"
        )
