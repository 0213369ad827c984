# SPDX-License-Identifier: MIT
"""Spring AI takes texts: the definition's three, and the observation's three."""

import json
from typing import Any

import jsonschema
import pytest
from sdk_samples import CALLS, FORGED, FOUND, Call, check, definitions, load

from agent_contracts import AgentToolContracts, ContractError, observations

answer = load("adapter").answer


def observe(call: Call) -> dict[str, Any]:
    """Do what stands behind the interceptor: arguments are JSON text."""
    try:
        request = AgentToolContracts.named(call.name).parse(json.dumps(call.arguments))
    except ContractError as refusal:
        return observations.spring_ai(refusal, tool_call_id=call.id, tool_name=call.name)
    return observations.spring_ai(answer(call.id, request))


def test_a_definition_is_three_texts_that_are_not_blank() -> None:
    for tool, definition in zip(AgentToolContracts.ALL, definitions("spring_ai"), strict=True):
        assert list(definition) == ["name", "description", "inputSchema"]
        assert all(isinstance(text, str) and text.strip() for text in definition.values())
        schema = json.loads(definition["inputSchema"])
        jsonschema.Draft202012Validator.check_schema(schema)
        assert schema == tool.request.json_schema()


def test_every_call_is_answered_by_three_texts_under_its_id() -> None:
    for call in CALLS:
        observation = observe(call)
        assert list(observation) == ["id", "name", "responseData"]
        assert (observation["id"], observation["name"]) == (call.id, call.name)
        check(call, json.loads(observation["responseData"]))


@pytest.mark.parametrize("call", [FOUND, FORGED])
def test_the_empty_id_of_some_models_is_refused(call: Call) -> None:
    with pytest.raises(ContractError, match="/tool_call_id: required and not blank"):
        observe(call._replace(id=""))
