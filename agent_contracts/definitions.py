# SPDX-License-Identifier: MIT
"""What each model API is told of a tool.

Each function returns a fresh plain dict in the exact shape that the API or SDK takes.
"""

from typing import Any

from ._json import dumps
from .tools import ToolContract

__all__ = ["anthropic", "gemini", "mcp", "openai_chat", "openai_responses", "spring_ai"]

AnyTool = ToolContract[Any, Any]


def openai_chat(tool: AnyTool) -> dict[str, Any]:
    """One item of `tools` for OpenAI Chat Completions, in strict mode."""
    return {
        "type": "function",
        "function": {
            "name": tool.name,
            "description": tool.description,
            "parameters": _strict_parameters(tool),
            "strict": True,
        },
    }


def openai_responses(tool: AnyTool) -> dict[str, Any]:
    """One item of `tools` for OpenAI Responses, in strict mode: flat, unlike Chat."""
    return {
        "type": "function",
        "name": tool.name,
        "description": tool.description,
        "parameters": _strict_parameters(tool),
        "strict": True,
    }


def anthropic(tool: AnyTool) -> dict[str, Any]:
    """One item of `tools` for Anthropic Messages."""
    return {
        "name": tool.name,
        "description": tool.description,
        "input_schema": tool.request.json_schema(),
    }


def gemini(tool: AnyTool) -> dict[str, Any]:
    """One item of `function_declarations` for Gemini, by its JSON Schema fields."""
    return {
        "name": tool.name,
        "description": tool.description,
        "parameters_json_schema": tool.request.json_schema(),
        "response_json_schema": tool.result.json_schema(),
    }


def mcp(tool: AnyTool) -> dict[str, Any]:
    """One item of `tools` in the answer to MCP's `tools/list`.

    The annotations are hints to hosts: the tools read, change nothing, and reach no open world.
    """
    return {
        "name": tool.name,
        "title": tool.title,
        "description": tool.description,
        "inputSchema": tool.request.json_schema(),
        "outputSchema": tool.result.json_schema(),
        "annotations": {
            "readOnlyHint": True,
            "destructiveHint": False,
            "idempotentHint": True,
            "openWorldHint": False,
        },
    }


def spring_ai(tool: AnyTool) -> dict[str, Any]:
    """The parts of a Spring AI `ToolDefinition`; `inputSchema` is JSON text there."""
    return {
        "name": tool.name,
        "description": tool.description,
        "inputSchema": dumps(tool.request.json_schema()),
    }


def _strict_parameters(tool: AnyTool) -> dict[str, Any]:
    """OpenAI's strict mode wants all keys required; the optional ones may be null already."""
    schema: dict[str, Any] = tool.request.json_schema()
    return schema | {"required": list(schema["properties"])}
