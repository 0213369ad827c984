# SPDX-License-Identifier: MIT
"""What each model API gets back for a tool call."""

import json
import unittest
from collections.abc import Callable
from typing import Any

from tests import contracts, module

observations = module("observations")
ContractError, EvidenceStatus = contracts.ContractError, contracts.EvidenceStatus
TOOLS = contracts.AgentToolContracts

Observe = Callable[..., dict[str, Any]]
APIS: dict[str, Observe] = {
    name: getattr(observations, name) for name in observations.__all__ if name.islower()
}
BY_ID = ("openai_chat", "openai_responses", "anthropic", "spring_ai")  # correlate by id
NAMED = ("gemini", "spring_ai")  # want the name of the tool
BLANK = {"missing": None, "empty": "", "spaces": " \t\n", "ideographic space": "\u3000"}
ODD_IDS = {
    "83 characters": "call_" + "x" * 78,
    "a colon": "functions.Bash:0",
    "a slash": "toolu_01:x/y",
    "spaces around": " call_1 ",
    "not ASCII": "调用-1",
}

NEEDS_ID = "observation: /tool_call_id: required and not blank, since the API correlates by it"
OTHER_ID = "observation: /tool_call_id: the result has its own, and this is another"
NEEDS_NAME = "observation: /tool_name: required for a refused call: the name that it used"
NO_ANSWER = "observation: expected the result of a tool, or the ContractError that refused the call"


def knowledge(tool_call_id: str | None = "call_1", status: str = "EVIDENCE_FOUND") -> Any:
    """Return a result of lookup_knowledge."""
    found = contracts.RagEvidence(source="手册", section=None, content="连接池 🎉")
    items = (found,) if status == "EVIDENCE_FOUND" else ()
    return contracts.RagToolResult(
        tool_call_id=tool_call_id,
        status=EvidenceStatus[status],
        query="pool",
        evidence_count=len(items),
        truncated=False,
        evidence=items,
    )


def logs(tool_call_id: str | None = "call_1", status: str = "NO_EVIDENCE") -> Any:
    """Return a result of query_logs."""
    return contracts.QueryLogsToolResult(
        tool_call_id=tool_call_id,
        status=EvidenceStatus[status],
        source_kind=contracts.SourceKind.MOCK,
        scope=contracts.LogScope(
            topic=contracts.LogTopic.APPLICATION,
            query="超时",
            lookback_minutes=20,
            start_time="2026-07-12T15:00:00+08:00",
            end_time="2026-07-12T15:20:00+08:00",
        ),
        matched_count=0,
        truncated=False,
        patterns=(),
        timeline_events=(),
    )


def mysql(tool_call_id: str | None = "call_1", status: str = "EVIDENCE_FOUND") -> Any:
    """Return a result of query_mysql."""
    rows: Any = ({"id": 2**63, "名": "ü"},) if status == "EVIDENCE_FOUND" else ()
    return contracts.MysqlToolResult(
        tool_call_id=tool_call_id,
        status=EvidenceStatus[status],
        row_count=len(rows),
        truncated=False,
        columns=("id", "名") if rows else (),
        rows=rows,
    )


RESULTS: dict[str, Callable[..., Any]] = {
    "lookup_knowledge": knowledge,
    "query_logs": logs,
    "query_mysql": mysql,
}


def refusal() -> Any:
    """Return the error that refuses a call with a forged id."""
    try:
        TOOLS.LOOKUP_KNOWLEDGE.parse('{"query": "pool", "tool_call_id": "call_fake"}')
    except ContractError as error:
        return error
    raise AssertionError("the call was not refused")


REFUSED = "RagToolRequest: /tool_call_id: the framework sets it, so leave it out"


def named(api: str) -> dict[str, str]:
    """Return the keyword that an API wants with a refusal, if it wants one."""
    return {"tool_name": "lookup_knowledge"} if api in NAMED else {}


def id_of(observation: dict[str, Any]) -> Any:
    """Return the id under which an observation goes back, whatever its API calls it."""
    observation = observation.get("functionResponse", observation)
    found = {"tool_call_id", "call_id", "tool_use_id", "id"} & set(observation)
    return observation[found.pop()] if found else None


def text_of(api: str, observation: dict[str, Any]) -> str:
    """Return the JSON text of an observation."""
    if api == "mcp":
        (block,) = observation["content"]
        text: str = block["text"]
    else:
        key = {"openai_responses": "output", "spring_ai": "responseData"}.get(api, "content")
        text = observation[key]
    return text


class ObservationTest(unittest.TestCase):
    maxDiff = None

    def refused(self, message: str, observe: Observe, /, *args: Any, **kwargs: Any) -> None:
        """Assert that no observation is made, with exactly this reason."""
        with self.assertRaises(ContractError) as caught:
            observe(*args, **kwargs)
        self.assertEqual(str(caught.exception), message)


class ExactShapes(ObservationTest):
    TEXT = (
        '{"tool_call_id":"call_1","status":"EVIDENCE_FOUND","query":"pool","evidence_count":1,'
        '"truncated":false,"evidence":[{"source":"手册","section":null,"content":"连接池 🎉"}]}'
    )
    REFUSED_TEXT = json.dumps({"error": REFUSED}, separators=(",", ":"))

    def test_openai_chat(self) -> None:
        self.assertEqual(
            observations.openai_chat(knowledge()),
            {"role": "tool", "tool_call_id": "call_1", "content": self.TEXT},
        )
        self.assertEqual(
            observations.openai_chat(refusal(), tool_call_id="call_2"),
            {"role": "tool", "tool_call_id": "call_2", "content": self.REFUSED_TEXT},
        )

    def test_openai_responses(self) -> None:
        self.assertEqual(
            observations.openai_responses(knowledge()),
            {"type": "function_call_output", "call_id": "call_1", "output": self.TEXT},
        )
        self.assertEqual(
            observations.openai_responses(refusal(), tool_call_id="call_2"),
            {"type": "function_call_output", "call_id": "call_2", "output": self.REFUSED_TEXT},
        )

    def test_anthropic(self) -> None:
        self.assertEqual(
            observations.anthropic(knowledge()),
            {
                "type": "tool_result",
                "tool_use_id": "call_1",
                "content": self.TEXT,
                "is_error": False,
            },
        )
        self.assertEqual(
            observations.anthropic(refusal(), tool_call_id="call_2"),
            {
                "type": "tool_result",
                "tool_use_id": "call_2",
                "content": self.REFUSED_TEXT,
                "is_error": True,
            },
        )

    def test_gemini(self) -> None:
        self.assertEqual(
            observations.gemini(knowledge()),
            {
                "functionResponse": {
                    "id": "call_1",
                    "name": "lookup_knowledge",
                    "response": {"output": json.loads(self.TEXT)},
                }
            },
        )
        self.assertEqual(
            observations.gemini(refusal(), tool_call_id="call_2", tool_name="lookup"),
            {
                "functionResponse": {
                    "id": "call_2",
                    "name": "lookup",
                    "response": {"error": REFUSED},
                }
            },
        )

    def test_mcp(self) -> None:
        self.assertEqual(
            observations.mcp(knowledge()),
            {
                "content": [{"type": "text", "text": self.TEXT}],
                "structuredContent": json.loads(self.TEXT),
                "isError": False,
            },
        )
        self.assertEqual(
            observations.mcp(refusal(), tool_call_id="call_2"),
            {"content": [{"type": "text", "text": self.REFUSED_TEXT}], "isError": True},
        )

    def test_spring_ai(self) -> None:
        self.assertEqual(
            observations.spring_ai(knowledge()),
            {"id": "call_1", "name": "lookup_knowledge", "responseData": self.TEXT},
        )
        self.assertEqual(
            observations.spring_ai(refusal(), tool_call_id="call_2", tool_name="lookup"),
            {"id": "call_2", "name": "lookup", "responseData": self.REFUSED_TEXT},
        )


class ResultsOfAllTools(ObservationTest):
    def test_nothing_is_forgotten(self) -> None:
        self.assertEqual(
            list(APIS),
            ["anthropic", "gemini", "mcp", "openai_chat", "openai_responses", "spring_ai"],
        )
        self.assertEqual(list(RESULTS), [tool.name for tool in TOOLS.ALL])

    def test_texts_are_the_wire_form_with_real_characters(self) -> None:
        for api in set(APIS) - {"gemini"}:
            for tool, make in RESULTS.items():
                with self.subTest(api=api, tool=tool):
                    text = text_of(api, APIS[api](make()))
                    self.assertEqual(text, make().to_json())
                    self.assertNotIn("\\u", text)
                    self.assertFalse(text.isascii())

    def test_structured_forms_are_the_wire_form(self) -> None:
        for tool, make in RESULTS.items():
            with self.subTest(tool=tool):
                wire = make().to_dict()
                response = observations.gemini(make())["functionResponse"]["response"]
                self.assertEqual(response, {"output": wire})
                self.assertEqual(observations.mcp(make())["structuredContent"], wire)

    def test_a_result_knows_its_tool(self) -> None:
        for tool, make in RESULTS.items():
            with self.subTest(tool=tool):
                self.assertEqual(observations.gemini(make())["functionResponse"]["name"], tool)
                self.assertEqual(observations.spring_ai(make())["name"], tool)

    def test_errors_are_flagged_where_the_api_has_a_flag(self) -> None:
        for status in EvidenceStatus:
            for tool, make in RESULTS.items():
                with self.subTest(status=status, tool=tool):
                    result = make(status=status.value)
                    failed = status is EvidenceStatus.ERROR
                    self.assertIs(observations.anthropic(result)["is_error"], failed)
                    mcp = observations.mcp(result)
                    self.assertIs(mcp["isError"], failed)
                    self.assertEqual(mcp["structuredContent"], result.to_dict())
                    response = observations.gemini(result)["functionResponse"]["response"]
                    key = "error" if failed else "output"
                    self.assertEqual(response, {key: result.to_dict()})

    def test_an_observation_is_fresh_each_time(self) -> None:
        for api, observe in APIS.items():
            for tool, make in RESULTS.items():
                with self.subTest(api=api, tool=tool):
                    result = make()
                    whole = json.dumps(observe(result))
                    wreck(observe(result))
                    self.assertEqual(json.dumps(observe(result)), whole)
                    self.assertEqual(result, make())


def wreck(value: Any) -> None:
    """Empty all dicts and lists of a value."""
    if isinstance(value, dict | list):
        for item in list(value.values() if isinstance(value, dict) else value):
            wreck(item)
        value.clear()


class ToolCallIds(ObservationTest):
    def test_a_result_goes_back_under_its_own_id_byte_for_byte(self) -> None:
        for api in (*BY_ID, "gemini"):
            for case, call_id in ODD_IDS.items():
                with self.subTest(api=api, case=case):
                    self.assertEqual(id_of(APIS[api](knowledge(call_id))), call_id)

    def test_a_refusal_goes_back_under_the_given_id_byte_for_byte(self) -> None:
        for api in (*BY_ID, "gemini"):
            for case, call_id in ODD_IDS.items():
                with self.subTest(api=api, case=case):
                    observation = APIS[api](refusal(), tool_call_id=call_id, **named(api))
                    self.assertEqual(id_of(observation), call_id)

    def test_nothing_overrides_the_id_of_a_result(self) -> None:
        for api, observe in APIS.items():
            for case, other in (ODD_IDS | {"empty": "", "a number": 1}).items():
                with self.subTest(api=api, case=case):
                    self.refused(OTHER_ID, observe, knowledge(), tool_call_id=other)

    def test_no_id_can_be_given_to_a_result_that_has_none(self) -> None:
        for api, observe in APIS.items():
            with self.subTest(api=api):
                result = knowledge(None, "ERROR")
                self.refused(OTHER_ID, observe, result, tool_call_id="call_1")

    def test_the_same_id_may_be_said_again(self) -> None:
        for api, observe in APIS.items():
            with self.subTest(api=api):
                self.assertEqual(observe(knowledge(), tool_call_id="call_1"), observe(knowledge()))

    def test_a_blank_id_is_refused_where_the_api_correlates_by_it(self) -> None:
        for api in BY_ID:
            for case, blank in BLANK.items():
                with self.subTest(api=api, case=case):
                    self.refused(NEEDS_ID, APIS[api], knowledge(blank))
                    self.refused(NEEDS_ID, APIS[api], knowledge(blank, "ERROR"))
                    keywords = {"tool_call_id": blank, **named(api)}
                    self.refused(NEEDS_ID, APIS[api], refusal(), **keywords)

    def test_a_blank_id_is_left_out_for_gemini(self) -> None:
        for case, blank in BLANK.items():
            with self.subTest(case=case):
                result = knowledge(blank, "ERROR")
                self.assertEqual(
                    observations.gemini(result),
                    {
                        "functionResponse": {
                            "name": "lookup_knowledge",
                            "response": {"error": result.to_dict()},
                        }
                    },
                )
                self.assertEqual(
                    observations.gemini(refusal(), tool_call_id=blank, tool_name="lookup"),
                    {"functionResponse": {"name": "lookup", "response": {"error": REFUSED}}},
                )

    def test_mcp_sends_the_id_only_inside_the_result(self) -> None:
        for case, call_id in (BLANK | ODD_IDS).items():
            with self.subTest(case=case):
                result = knowledge(call_id, "ERROR")
                observation = observations.mcp(result)
                self.assertEqual(list(observation), ["content", "structuredContent", "isError"])
                self.assertEqual(observation["structuredContent"]["tool_call_id"], call_id)
                observation = observations.mcp(refusal(), tool_call_id=call_id)
                self.assertEqual(list(observation), ["content", "isError"])
                self.assertEqual(json.loads(text_of("mcp", observation)), {"error": REFUSED})

    def test_an_id_that_is_no_whole_text_is_refused(self) -> None:
        cases = {
            "a number": (7, "expected string, got number"),
            "bytes": (b"call_1", "expected string, got a value that is not JSON"),
            "half a character": (
                "call_\ud83d",
                "expected string of whole characters, got one with half a character "
                "(a lone surrogate)",
            ),
            "a split pair": (
                "call_\ud83d\ude00",
                "expected string of whole characters, got one with a split surrogate pair",
            ),
        }
        for api, observe in APIS.items():
            for case, (call_id, message) in cases.items():
                with self.subTest(api=api, case=case):
                    self.refused(
                        f"observation: /tool_call_id: {message}",
                        observe,
                        refusal(),
                        tool_call_id=call_id,
                        **named(api),
                    )

    def test_two_results_may_have_one_id(self) -> None:
        first, second = knowledge(), knowledge(status="NO_EVIDENCE")
        self.assertNotEqual(first, second)
        for api, observe in APIS.items():
            with self.subTest(api=api):
                self.assertEqual(id_of(observe(first)), id_of(observe(second)))
                self.assertNotEqual(observe(first), observe(second))


class Refusals(ObservationTest):
    def test_a_forged_id_is_refused_and_the_real_one_used(self) -> None:
        for api, observe in APIS.items():
            with self.subTest(api=api):
                observation = observe(refusal(), tool_call_id="call_real", **named(api))
                self.assertNotIn("call_fake", json.dumps(observation))
                self.assertIn(REFUSED, json.dumps(observation))
                if api != "mcp":
                    self.assertEqual(id_of(observation), "call_real")

    def test_the_text_is_json_that_tells_the_model_how_to_mend_the_call(self) -> None:
        with self.assertRaises(ContractError) as caught:
            TOOLS.QUERY_LOGS.parse({"topic": "app", "query": "x", "limit": 5, "时间": 1})
        message = (
            "QueryLogsToolRequest: /topic: expected one of APPLICATION, DATABASE_SLOW_QUERY, "
            'SYSTEM_EVENTS, got "app"; '
            "/limit: unknown field (known: topic, query, lookback_minutes); "
            "/时间: unknown field (known: topic, query, lookback_minutes)"
        )
        for api in set(APIS) - {"gemini"}:
            with self.subTest(api=api):
                observation = APIS[api](caught.exception, tool_call_id="c", **named(api))
                text = text_of(api, observation)
                self.assertEqual(json.loads(text), {"error": message})
                self.assertIn("时间", text)

    def test_a_call_of_an_unknown_tool_is_answered(self) -> None:
        with self.assertRaises(ContractError) as caught:
            TOOLS.named("drop_\udc00")
        message = (
            "tool name: expected one of lookup_knowledge, query_logs, query_mysql, "
            'got "drop_\\udc00"'
        )
        for api in BY_ID[:3]:
            with self.subTest(api=api):
                text = text_of(api, APIS[api](caught.exception, tool_call_id="c"))
                self.assertEqual(json.loads(text), {"error": message})
                text.encode()

    def test_the_name_of_the_refused_call_is_needed_where_the_api_wants_one(self) -> None:
        for api in NAMED:
            for name, message in (
                (None, NEEDS_NAME),
                ("", NEEDS_NAME),
                (" \u3000", NEEDS_NAME),
                (5, "observation: /tool_name: expected string, got number"),
                (
                    "drop_\ud83d",
                    "observation: /tool_name: expected string of whole characters, got one with "
                    "half a character (a lone surrogate)",
                ),
            ):
                with self.subTest(api=api, name=name):
                    self.refused(message, APIS[api], refusal(), tool_call_id="c", tool_name=name)

    def test_the_name_given_with_a_result_counts_for_nothing(self) -> None:
        for api in NAMED:
            with self.subTest(api=api):
                self.assertEqual(
                    APIS[api](knowledge(), tool_name="query_mysql"), APIS[api](knowledge())
                )


class NoAnswers(ObservationTest):
    def test_what_is_neither_result_nor_refusal_is_refused(self) -> None:
        cases = {
            "nothing": None,
            "text": "{}",
            "a dict": knowledge().to_dict(),
            "a request": TOOLS.LOOKUP_KNOWLEDGE.parse({"query": "pool"}),
            "a part of a result": knowledge().evidence[0],
            "the class of a result": contracts.RagToolResult,
            "another error": ValueError("no"),
        }
        for api, observe in APIS.items():
            for case, answer in cases.items():
                with self.subTest(api=api, case=case):
                    self.refused(NO_ANSWER, observe, answer, tool_call_id="c")


class TheProtocol(unittest.TestCase):
    def test_every_result_has_what_it_names(self) -> None:
        wanted = {name for name in vars(observations.ToolResult) if not name.startswith("_")}
        self.assertEqual(wanted, {"tool_call_id", "status", "to_dict", "to_json"})
        for tool, make in RESULTS.items():
            for name in wanted:
                with self.subTest(tool=tool, name=name):
                    self.assertTrue(hasattr(make(), name))


if __name__ == "__main__":
    unittest.main()
