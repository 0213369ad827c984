# SPDX-License-Identifier: MIT
"""MCP: a server of the tools, and how a client sends it the Tool Call ID in `_meta`."""

import asyncio
from typing import Any

from adapter import answer
from mcp.client.client import Client
from mcp.server.lowlevel import Server
from mcp.server.stdio import stdio_server
from mcp_types import CallToolResult, ListToolsResult, Tool

from agent_contracts import AgentToolContracts, ContractError, definitions, observations

TOOL_CALL_ID = "com.example/tool-call-id"  # the server and its clients agree on a key of their own
TOOLS = [Tool.model_validate(definitions.mcp(tool)) for tool in AgentToolContracts.ALL]


async def list_tools(_context: Any, _params: Any) -> ListToolsResult:
    """Answer `tools/list`."""
    return ListToolsResult(tools=TOOLS)


async def call_tool(context: Any, params: Any) -> CallToolResult:
    """Answer `tools/call`."""
    told = (context.meta or {}).get(TOOL_CALL_ID)  # `context.request_id` is another thing
    tool_call_id = told if isinstance(told, str) else None
    try:
        tool = AgentToolContracts.named(params.name)
        request = tool.parse(params.arguments)  # a dict, or None
    except ContractError as refusal:
        observation = observations.mcp(refusal)
    else:
        observation = observations.mcp(answer(tool_call_id, request))
    return CallToolResult.model_validate(observation)


server = Server("evidence", on_list_tools=list_tools, on_call_tool=call_tool)


async def call(
    client: Client, tool_call_id: str, name: str, arguments: dict[str, Any]
) -> CallToolResult:
    """Pass a call of the model on to the server: what a client does."""
    meta: Any = {TOOL_CALL_ID: tool_call_id}
    return await client.call_tool(name, arguments, meta=meta)


async def serve() -> None:
    """Serve over standard input and output."""
    async with stdio_server() as (read, write):
        await server.run(read, write, server.create_initialization_options())


if __name__ == "__main__":
    asyncio.run(serve())
