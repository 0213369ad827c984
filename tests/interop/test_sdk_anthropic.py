# SPDX-License-Identifier: MIT
"""Anthropic Messages, by the real client over a transport without a network."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import anthropic
import httpx2
import pytest
from anthropic.types import ToolParam, ToolResultBlockParam, ToolUseBlock
from pydantic import TypeAdapter
from sdk_samples import CALLS, FORGED, FOUND, Call, Script, check_texts, definitions, load

from agent_contracts import ContractError

sample = load("anthropic_messages")


@contextmanager
def client(script: Script) -> Iterator[anthropic.Anthropic]:
    transport = httpx2.MockTransport(script)
    with (
        httpx2.Client(transport=transport) as http,
        anthropic.Anthropic(api_key="none", http_client=http, max_retries=0) as made,
    ):
        yield made


def tool_use(call: Call) -> dict[str, Any]:
    return {"type": "tool_use", "id": call.id, "name": call.name, "input": call.arguments}


def message(*blocks: dict[str, Any]) -> dict[str, Any]:
    """Return the body of a message: tool uses, or else the last answer."""
    head = {"id": "msg", "type": "message", "role": "assistant", "model": "m"}
    stop = {"stop_reason": "tool_use" if blocks else "end_turn", "stop_sequence": None}
    usage = {"input_tokens": 1, "output_tokens": 1}
    return {**head, **stop, "usage": usage, "content": blocks or [{"type": "text", "text": "done"}]}


def test_every_call_is_answered_under_its_id_in_one_message() -> None:
    script = Script(httpx2.Response, message(*map(tool_use, CALLS)), message())
    with client(script) as made:
        assert sample.ask(made, "m", "Why do orders fail?") == "done"
    first, second = script.sent
    assert first["tools"] == second["tools"] == definitions("anthropic")
    _, assistant, user = second["messages"]
    assert [block["id"] for block in assistant["content"]] == [call.id for call in CALLS]
    assert user["role"] == "user"
    blocks = user["content"]
    assert {block["type"] for block in blocks} == {"tool_result"}
    assert all(type(block["content"]) is str for block in blocks)
    check_texts(CALLS, {block["tool_use_id"]: block["content"] for block in blocks})
    assert [block["is_error"] for block in blocks] == [call.failed for call in CALLS]


def test_a_call_without_an_id_is_not_answered_under_a_made_up_one() -> None:
    script = Script(httpx2.Response, message(tool_use(FOUND) | {"id": ""}))
    with client(script) as made, pytest.raises(ContractError) as caught:
        sample.ask(made, "m", "q")
    assert [problem.path for problem in caught.value.problems] == ["/tool_call_id"]


def test_definitions_and_observations_are_of_the_types_of_the_sdk() -> None:
    """Unknown keys would be dropped, so what is validated must be equal to what was given."""
    adapter: Any = TypeAdapter(ToolParam)
    for definition in definitions("anthropic"):
        assert adapter.validate_python(definition, strict=True) == definition
        strict = definition | {"strict": True}
        assert adapter.validate_python(strict, strict=True) == strict
    adapter = TypeAdapter(ToolResultBlockParam)
    for call in (FOUND, FORGED):
        body: Any = tool_use(call)
        block = sample.observe(ToolUseBlock(**body))
        assert adapter.validate_python(block, strict=True) == block
