# SPDX-License-Identifier: MIT
"""The OpenAI Agents SDK, with a scripted model and with the real one without a network."""

import asyncio
import copy
from typing import Any

import agents
import httpx2
import openai
import pytest
from agents.strict_schema import ensure_strict_json_schema
from agents.testing import ScriptedModel, assistant_message, function_call
from sdk_samples import CALLS, FOUND, UNKNOWN, Script, check_texts, definitions, load
from test_sdk_openai import function_call as wire_call
from test_sdk_openai import response

from agent_contracts import AgentToolContracts

sample = load("openai_agents")
agents.set_tracing_disabled(True)
KNOWN = [call for call in CALLS if call is not UNKNOWN]  # the SDK refuses names it does not know


def outputs(items: Any) -> dict[str, str]:
    """Return the outputs among the input items of a model call, by their call id."""
    found = [item for item in items if item.get("type") == "function_call_output"]
    return {item["call_id"]: item["output"] for item in found}


def test_every_call_is_answered_under_its_call_id() -> None:
    script = [
        function_call(call.name, call.arguments, call_id=call.id, item_id=f"fc_{number}")
        for number, call in enumerate(KNOWN)
    ]
    model = ScriptedModel([script, [assistant_message("done")]])
    assert asyncio.run(sample.ask(model, "Why do orders fail?")) == "done"
    model.assert_complete()
    check_texts(KNOWN, outputs(model.calls[1].input))
    for tool, definition in zip(model.calls[0].tools, definitions("openai_responses"), strict=True):
        assert isinstance(tool, agents.FunctionTool)
        assert tool.name == definition["name"]
        assert tool.description == definition["description"]
        assert tool.params_json_schema == definition["parameters"]
        assert tool.strict_json_schema is True


def test_the_definitions_arrive_unchanged_over_http() -> None:
    script = Script(httpx2.Response, response(*map(wire_call, KNOWN)), response())

    async def main() -> str:
        http = httpx2.AsyncClient(transport=httpx2.MockTransport(script))
        client = openai.AsyncOpenAI(api_key="none", http_client=http, max_retries=0)
        async with http, client:
            model = agents.OpenAIResponsesModel(model="m", openai_client=client)
            return str(await sample.ask(model, "q"))

    assert asyncio.run(main()) == "done"
    assert script.sent[0]["tools"] == definitions("openai_responses")
    check_texts(KNOWN, outputs(script.sent[1]["input"]))


@pytest.mark.parametrize("arguments", ["", '{"query": "po', "null"])
def test_arguments_that_are_no_object_are_refused(arguments: str) -> None:
    call = function_call(FOUND.name, {}, call_id="call_1").model_copy(
        update={"arguments": arguments}
    )
    model = ScriptedModel([[call], [assistant_message("done")]])
    assert asyncio.run(sample.ask(model, "q")) == "done"
    (text,) = outputs(model.calls[1].input).values()
    assert text.startswith('{"error":"RagToolRequest: ')


def test_a_call_without_an_id_never_reaches_the_tool() -> None:
    call = function_call(FOUND.name, FOUND.arguments, call_id="call_1")
    model = ScriptedModel([[call.model_copy(update={"call_id": ""})]])
    with pytest.raises(agents.ModelBehaviorError, match="non-empty"):
        asyncio.run(sample.ask(model, "q"))


def test_the_schemas_are_strict_already() -> None:
    """The normaliser of the SDK changes what is not, in place."""
    for definition in definitions("openai_responses"):
        schema = definition["parameters"]
        assert ensure_strict_json_schema(copy.deepcopy(schema)) == schema
    for tool in AgentToolContracts.ALL:
        made = sample.function_tool(tool)
        assert (
            made.params_json_schema
            == definitions("openai_responses")[AgentToolContracts.ALL.index(tool)]["parameters"]
        )
