# SPDX-License-Identifier: MIT
"""What others say of the schemas: validators and limits of the SDKs, over all tools."""

import copy
from typing import Any

import anthropic
import jsonschema
import pytest
from google.genai import types
from pydantic_ai.models._anthropic_schema_limits import exceeded_limit
from pydantic_ai.profiles.google import GoogleJsonSchemaTransformer
from pydantic_ai.profiles.openai import OpenAIJsonSchemaTransformer
from sdk_samples import CALLS, check, definitions, example_results, load

from agent_contracts import AgentToolContracts, observations

TOOLS = AgentToolContracts.ALL
STRICT = [definition["parameters"] for definition in definitions("openai_responses")]
LOOSE = [definition["input_schema"] for definition in definitions("anthropic")]
EXAMPLES = list(example_results())


def test_all_schemas_are_valid_json_schema_2020_12() -> None:
    schemas = [*STRICT, *LOOSE, *(tool.result.json_schema() for tool in TOOLS)]
    assert len(schemas) == 9
    for schema in schemas:
        jsonschema.Draft202012Validator.check_schema(schema)


def test_pydantic_ai_calls_the_openai_schemas_strict_and_changes_nothing() -> None:
    for schema in STRICT:
        transformer = OpenAIJsonSchemaTransformer(copy.deepcopy(schema), strict=None)
        assert transformer.walk() == schema
        assert transformer.is_strict_compatible


def test_optional_parameters_would_not_be_strict() -> None:
    """The oracle above can say no: it does so of the schemas with optional parameters."""
    verdicts = []
    for schema in LOOSE:
        transformer = OpenAIJsonSchemaTransformer(copy.deepcopy(schema), strict=None)
        transformer.walk()
        verdicts.append(transformer.is_strict_compatible)
    assert verdicts == [True, False, False]


def test_anthropic_takes_all_tools_in_one_strict_request() -> None:
    assert exceeded_limit(copy.deepcopy(LOOSE), None) is None
    assert exceeded_limit(copy.deepcopy(STRICT), None) is None
    assert exceeded_limit(copy.deepcopy(STRICT) * 9, None) is not None


def test_anthropic_transforms_the_schemas_without_loss() -> None:
    """It only drops the type beside an enum, which says the same."""
    for schema in (*LOOSE, *STRICT):
        expected = copy.deepcopy(schema)
        for part in expected["properties"].values():
            if "enum" in part:
                assert part.pop("type") == "string"
        assert anthropic.transform_schema(copy.deepcopy(schema)) == expected


def test_google_takes_the_schemas_in_both_its_forms() -> None:
    for definition in definitions("gemini"):
        declaration = types.FunctionDeclaration.model_validate(definition)
        assert declaration.parameters_json_schema == definition["parameters_json_schema"]
        parameters = definition["parameters_json_schema"]
        assert GoogleJsonSchemaTransformer(copy.deepcopy(parameters)).walk() == parameters
        made = types.Schema.model_validate(parameters)  # forbids keywords it does not know
        assert list(made.properties or {}) == list(parameters["properties"])
        response: Any = definition["response_json_schema"]
        assert list(types.Schema.model_validate(response).properties or {}) == list(
            response["properties"]
        )


def test_all_tools_have_examples() -> None:
    assert {tool.name for _, tool, _ in EXAMPLES} == {tool.name for tool in TOOLS}


@pytest.mark.parametrize(
    ("tool", "result"),
    [example[1:] for example in EXAMPLES],
    ids=[example[0] for example in EXAMPLES],
)
def test_every_example_is_valid_against_the_output_schema(tool: Any, result: Any) -> None:
    validator = jsonschema.Draft202012Validator(tool.result.json_schema())
    validator.validate(result.to_dict())
    assert not validator.is_valid(result.to_dict() | {"extra": 1})
    structured = observations.mcp(result)["structuredContent"]
    assert structured == result.to_dict()


def test_what_the_sample_adapter_answers_is_valid_against_the_output_schema() -> None:
    adapter = load("adapter")
    for call in CALLS:
        if call.refusal is None:
            tool = AgentToolContracts.named(call.name)
            wire = adapter.answer(call.id, tool.parse(call.arguments)).to_dict()
            check(call, wire)
            jsonschema.Draft202012Validator(tool.result.json_schema()).validate(wire)
