# SPDX-License-Identifier: MIT
"""MCP, by the real client and server: in memory in both protocol modes, and as processes."""

import asyncio
import json
import os
import sys
from collections.abc import Awaitable, Callable
from typing import Any

import mcp_types
import pytest
from mcp.client.client import Client
from mcp.client.stdio import StdioServerParameters, stdio_client
from mcp.server.lowlevel import Server
from mcp.shared.tool_name_validation import validate_tool_name
from sdk_samples import (
    CALLS,
    FOLDER,
    FORGED,
    FOUND,
    ROOT,
    check,
    check_texts,
    definitions,
    example_results,
    load,
)

from agent_contracts import AgentToolContracts, RagToolResult, observations

sample = load("mcp_server")
MODES = {"auto": "2026-07-28", "legacy": "2025-11-25"}


def dump(model: Any) -> Any:
    """Return a message as it goes over the wire."""
    return model.model_dump(by_alias=True, exclude_none=True, mode="json")


def text_of(result: Any) -> str:
    """Return the text of a result, which holds nothing else for the model."""
    (block,) = dump(result)["content"]
    assert set(block) == {"type", "text"}
    text: str = block["text"]
    return text


def run(mode: Any, target: Any, talk: Callable[[Client], Awaitable[None]]) -> None:
    """Talk to a server by a client that speaks one protocol."""

    async def main() -> None:
        async with Client(target, mode=mode) as client:
            assert client.protocol_version == MODES[mode]
            await talk(client)

    asyncio.run(main())


async def all_calls(client: Client) -> None:
    """Make all the calls, each with the id of the model in `_meta`."""
    listed = (await client.list_tools()).tools
    assert [dump(tool) for tool in listed] == definitions("mcp")
    results = {
        call.id: await sample.call(client, call.id, call.name, call.arguments) for call in CALLS
    }
    check_texts(CALLS, {call_id: text_of(result) for call_id, result in results.items()})
    for call in CALLS:
        result = results[call.id]
        assert result.is_error is call.failed
        if call.refusal is None:
            check(call, result.structured_content)
            assert result.structured_content == json.loads(text_of(result))
        else:
            assert result.structured_content is None


@pytest.mark.parametrize("mode", MODES)
def test_every_call_is_answered_with_the_id_that_came_in_meta(mode: str) -> None:
    run(mode, sample.server, all_calls)


@pytest.mark.parametrize("mode", MODES)
def test_the_sample_serves_as_a_process(mode: str) -> None:
    process = StdioServerParameters(
        command=sys.executable,
        args=["-X", "utf8", str(FOLDER / "mcp_server.py")],
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    )
    run(mode, stdio_client(process), all_calls)


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("meta", [None, {sample.TOOL_CALL_ID: 7}, {"toolCallId": FOUND.id}])
def test_without_the_id_nothing_citable_is_found(mode: str, meta: Any) -> None:
    async def talk(client: Client) -> None:
        result = await client.call_tool(FOUND.name, FOUND.arguments, meta=meta)
        assert result.is_error is True
        read = RagToolResult.from_dict(result.structured_content or {})
        assert (read.tool_call_id, read.status.value, read.evidence) == (None, "ERROR", ())

    run(mode, sample.server, talk)


@pytest.mark.parametrize("mode", MODES)
def test_the_request_id_of_the_protocol_is_another_thing(mode: str) -> None:
    """Two clients of one server use the same request ids; the ids of the model stay apart."""
    seen: list[Any] = []

    async def call_tool(context: Any, params: Any) -> mcp_types.CallToolResult:
        seen.append((context.request_id, context.meta[sample.TOOL_CALL_ID]))
        return await sample.call_tool(context, params)  # type: ignore[no-any-return]

    server = Server("evidence", on_list_tools=sample.list_tools, on_call_tool=call_tool)
    for number in "12":

        async def talk(client: Client, call_id: str = f"toolu_{number}") -> None:
            result = await sample.call(client, call_id, FOUND.name, FOUND.arguments)
            assert result.structured_content["tool_call_id"] == call_id

        run(mode, server, talk)
    (first, one), (second, two) = seen
    assert first == second
    assert (one, two) == ("toolu_1", "toolu_2")


@pytest.mark.parametrize("mode", MODES)
def test_a_call_without_arguments_is_refused(mode: str) -> None:
    async def talk(client: Client) -> None:
        result = await client.call_tool(FOUND.name)
        assert result.is_error is True
        assert json.loads(text_of(result))["error"].startswith("RagToolRequest: ")

    run(mode, sample.server, talk)


@pytest.mark.parametrize("mode", MODES)
def test_the_client_accepts_every_example_result_by_the_output_schema(mode: str) -> None:
    examples = list(example_results())
    assert {tool.name for _, tool, _ in examples} == {tool.name for tool in AgentToolContracts.ALL}
    observation: dict[str, Any] = {}

    async def call_tool(_context: Any, _params: Any) -> mcp_types.CallToolResult:
        return mcp_types.CallToolResult.model_validate(observation)

    async def talk(client: Client) -> None:
        await client.list_tools()
        for _, tool, result in examples:
            observation.clear()
            observation.update(observations.mcp(result))
            got = await client.call_tool(tool.name, {})
            assert dump(got) | {"_meta": None} == _completed(observation)
            # an error is not checked by the client: check it as if it were none
            observation["isError"] = False
            got = await client.call_tool(tool.name, {})
            assert got.structured_content == result.to_dict()
        observation["structuredContent"].pop("status")
        with pytest.raises(RuntimeError, match="Invalid structured content"):
            await client.call_tool(tool.name, {})

    def _completed(sent: dict[str, Any]) -> dict[str, Any]:
        return {"resultType": "complete", **sent, "_meta": None}

    server = Server("examples", on_list_tools=sample.list_tools, on_call_tool=call_tool)
    run(mode, server, talk)


def test_definitions_and_observations_are_of_the_types_of_the_sdk() -> None:
    """Unknown keys would be dropped, so what comes out must be equal to what went in."""
    for definition in definitions("mcp"):
        assert dump(mcp_types.Tool.model_validate(definition)) == definition
        assert validate_tool_name(definition["name"]).is_valid
        assert validate_tool_name(definition["name"]).warnings == []
    for call in (FOUND, FORGED):
        if call.refusal is None:
            observation = observations.mcp(
                load("adapter").answer(
                    call.id, AgentToolContracts.LOOKUP_KNOWLEDGE.parse(call.arguments)
                )
            )
        else:
            observation = {"content": [{"type": "text", "text": "{}"}], "isError": True}
        sent = dump(mcp_types.CallToolResult.model_validate(observation))
        assert {key: sent[key] for key in observation} == observation
