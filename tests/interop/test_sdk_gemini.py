# SPDX-License-Identifier: MIT
"""Gemini, by the real client over a transport without a network."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import httpx
import pytest
from google import genai
from google.genai import types
from sdk_samples import CALLS, FORGED, FOUND, Call, Script, check, definitions, load

from agent_contracts import RagToolResult

sample = load("gemini")


@contextmanager
def client(script: Script) -> Iterator[genai.Client]:
    with httpx.Client(transport=httpx.MockTransport(script)) as http:
        options = types.HttpOptions(httpx_client=http)
        with genai.Client(api_key="none", http_options=options) as made:
            yield made


def function_call(call: Call) -> dict[str, Any]:
    return {"functionCall": {"id": call.id, "name": call.name, "args": call.arguments}}


def content(*parts: dict[str, Any]) -> dict[str, Any]:
    """Return the body of a response: function calls, or else the last answer."""
    given = {"role": "model", "parts": list(parts) or [{"text": "done"}]}
    return {"candidates": [{"content": given, "finishReason": "STOP"}]}


def answers(parts: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return the function responses of the parts, which hold nothing else."""
    assert [set(part) for part in parts] == [{"functionResponse"}] * len(parts)
    return [part["functionResponse"] for part in parts]


def test_every_call_is_answered_under_its_id_and_name() -> None:
    script = Script(httpx.Response, content(*map(function_call, CALLS)), content())
    with client(script) as made:
        assert sample.ask(made, "m", "Why do orders fail?") == "done"
    first, second = script.sent
    (told,) = first["tools"]
    assert told == second["tools"][0]
    assert told == {"functionDeclarations": definitions("gemini")}
    _, model, user = second["contents"]
    assert [part["functionCall"]["id"] for part in model["parts"]] == [call.id for call in CALLS]
    assert user["role"] == "user"
    observed = answers(user["parts"])
    assert [item["id"] for item in observed] == [call.id for call in CALLS]
    assert [item["name"] for item in observed] == [call.name for call in CALLS]
    for call, item in zip(CALLS, observed, strict=True):
        (key,) = item["response"]
        assert key == ("error" if call.failed else "output")
        check(call, item["response"] if call.refusal else item["response"][key])


@pytest.mark.parametrize("given", [{}, {"id": None}, {"id": ""}])
def test_a_call_without_an_id_is_answered_without_one(given: dict[str, Any]) -> None:
    """Nothing that is found could be cited, so the sample's adapter answers ERROR."""
    parts = [
        {"functionCall": {"name": call.name, "args": call.arguments, **given}}
        for call in (FOUND, FORGED)
    ]
    script = Script(httpx.Response, content(*parts), content())
    with client(script) as made:
        assert sample.ask(made, "m", "q") == "done"
    result, refused = answers(script.sent[1]["contents"][-1]["parts"])
    assert set(result) == set(refused) == {"name", "response"}
    assert refused["response"] == {"error": FORGED.refusal}
    read = RagToolResult.from_dict(result["response"]["error"])
    assert (read.status.value, read.evidence) == ("ERROR", ())
    assert read.tool_call_id == given.get("id")


def test_whole_numbers_that_arrive_as_floats_are_read() -> None:
    arguments = {"topic": "APPLICATION", "query": "支付", "lookback_minutes": 20.0}
    script = Script(
        httpx.Response, content(function_call(Call("c", "query_logs", arguments))), content()
    )
    with client(script) as made:
        sample.ask(made, "m", "q")
    (item,) = answers(script.sent[1]["contents"][-1]["parts"])
    assert item["response"]["output"]["status"] == "EVIDENCE_FOUND"


def test_a_call_without_arguments_is_refused() -> None:
    script = Script(
        httpx.Response, content({"functionCall": {"id": "c", "name": FOUND.name}}), content()
    )
    with client(script) as made:
        sample.ask(made, "m", "q")
    (item,) = answers(script.sent[1]["contents"][-1]["parts"])
    text = "expected JSON text, got null; expected one JSON object with query"
    assert item == {
        "id": "c",
        "name": FOUND.name,
        "response": {"error": f"RagToolRequest: {text}"},
    }


def test_the_declarations_are_of_the_type_of_the_sdk() -> None:
    """Unknown keys are forbidden; known ones must come out as they went in."""
    for definition in definitions("gemini"):
        declaration = types.FunctionDeclaration.model_validate(definition)
        assert declaration.model_dump(exclude_none=True) == definition
