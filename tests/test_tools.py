# SPDX-License-Identifier: MIT
"""The three tools as the model knows them."""

import copy
import dataclasses
import pickle
import re
from types import MappingProxyType
from typing import Any

from tests import contracts
from tests._samples import BANNED, ContractCase, wire

TOOLS = contracts.AgentToolContracts
REQUESTS = {
    "lookup_knowledge": "RagToolRequest",
    "query_logs": "QueryLogsToolRequest",
    "query_mysql": "MysqlToolRequest",
}


class Tools(ContractCase):
    def test_there_are_three_tools_in_a_fixed_order(self) -> None:
        self.assertIs(type(TOOLS.ALL), tuple)
        self.assertEqual(TOOLS.ALL, (TOOLS.LOOKUP_KNOWLEDGE, TOOLS.QUERY_LOGS, TOOLS.QUERY_MYSQL))
        self.assertEqual([tool.name for tool in TOOLS.ALL], list(REQUESTS))

    def test_a_tool_has_exactly_these_fields(self) -> None:
        names = [field.name for field in dataclasses.fields(contracts.ToolContract)]
        self.assertEqual(names, ["name", "title", "description", "request", "result"])

    def test_names_fit_every_api(self) -> None:
        for tool in TOOLS.ALL:
            with self.subTest(case=tool.name):
                self.assertTrue(re.fullmatch(r"[a-z][a-z_]{0,63}", tool.name))

    def test_descriptions_are_english_short_and_begin_with_what_to_do(self) -> None:
        for tool in TOOLS.ALL:
            with self.subTest(case=tool.name):
                self.assertTrue(tool.description.isascii())
                self.assertLessEqual(len(tool.description), 600)
                self.assertIn(tool.description.split()[0], ("Look", "Query"))
                self.assertNotIn("\n", tool.description)
                self.assertNotIn("  ", tool.description)

    def test_descriptions_say_when_another_tool_fits_better(self) -> None:
        for tool in TOOLS.ALL:
            for other in TOOLS.ALL:
                with self.subTest(case=f"{tool.name} names {other.name}"):
                    self.assertEqual(other.name in tool.description, other is not tool)

    def test_descriptions_say_how_to_read_an_answer(self) -> None:
        for tool in TOOLS.ALL:
            for word in ("NO_EVIDENCE:", "ERROR:", "truncated:"):
                with self.subTest(case=f"{tool.name} explains {word}"):
                    self.assertIn(word, tool.description)

    def test_fields_that_a_description_names_are_fields_of_the_result(self) -> None:
        for tool in TOOLS.ALL:
            named = set(re.findall(r"\b[a-z]+(?:_[a-z]+)+\b", tool.description)) - set(REQUESTS)
            known = {field.name for field in dataclasses.fields(tool.result)}
            with self.subTest(case=tool.name):
                self.assertLessEqual(named, known)

    def test_the_search_for_banned_words_finds_them_in_every_spelling(self) -> None:
        for text in (
            "Milvus", "a vector store", "VECTORS", "embedding", "the L0 tier", "l1", "rerank",
            "re-ranked", "CLS", "cls", "region", "Regions", "topic_id", "TopicId", "topicId",
            "topic-id", "topic ID", "connection", "Connections", "credential", "password",
            "top_k", "topK", "TopK", "top-k", "top k", "limit", "Limits", "redis", "trace",
            "x_trace_y", "audit", "cache", "SDK", "OpenAI",
        ):  # fmt: skip
            with self.subTest(case=text):
                self.assertIsNotNone(BANNED.search(text))

    def test_the_search_for_banned_words_spares_other_words(self) -> None:
        for text in ("unlimited", "topic", "stop kills", "closed", "traced", "AUDITORIUM", "XL10"):
            with self.subTest(case=text):
                self.assertIsNone(BANNED.search(text))

    def test_tools_and_their_list_cannot_be_changed(self) -> None:
        self.assertRaises(
            dataclasses.FrozenInstanceError, setattr, TOOLS.QUERY_LOGS, "description", "x"
        )
        with self.assertRaises(AttributeError) as caught:
            TOOLS.QUERY_LOGS = TOOLS.QUERY_MYSQL  # type: ignore[misc, assignment]
        self.assertEqual(str(caught.exception), "AgentToolContracts.QUERY_LOGS cannot be set")
        with self.assertRaises(AttributeError) as caught:
            TOOLS.NEW = 1
        self.assertEqual(str(caught.exception), "AgentToolContracts.NEW cannot be set")
        with self.assertRaises(AttributeError) as caught:
            del TOOLS.ALL
        self.assertEqual(str(caught.exception), "AgentToolContracts.ALL cannot be deleted")
        self.assertEqual(len(TOOLS.ALL), 3)

    def test_a_tool_is_equal_to_itself_after_pickling_and_copying(self) -> None:
        for tool in TOOLS.ALL:
            with self.subTest(case=tool.name):
                self.assertEqual(pickle.loads(pickle.dumps(tool)), tool)
                self.assertEqual(copy.deepcopy(tool), tool)
                self.assertEqual(hash(copy.copy(tool)), hash(tool))


class Named(ContractCase):
    def test_a_tool_is_found_by_the_name_that_the_model_calls(self) -> None:
        for tool in TOOLS.ALL:
            with self.subTest(case=tool.name):
                self.assertIs(TOOLS.named(tool.name), tool)

    def test_a_name_of_no_tool_is_refused_with_the_known_ones(self) -> None:
        known = "tool name: expected one of lookup_knowledge, query_logs, query_mysql, got "
        cases: dict[str, tuple[Any, str]] = {
            "another name": ("search", '"search"'),
            "other case": ("QUERY_LOGS", '"QUERY_LOGS"'),
            "with a namespace": ("functions.query_logs", '"functions.query_logs"'),
            "a space behind": ("query_logs ", '"query_logs "'),
            "empty": ("", '""'),
            "very long": ("x" * 900, '"' + "x" * 60 + '…"'),
            "unprintable": ("a\n\x1b[0m\ud800", '"a\\n\\u001b[0m\\ud800"'),
            "null": (None, "none"),
            "an array": ([], "none"),
        }
        for case, (name, got) in cases.items():
            with self.subTest(case=case):
                self.refused(known + got, TOOLS.named, name)


class Parse(ContractCase):
    def test_arguments_are_read_from_text_bytes_and_mappings_alike(self) -> None:
        for name, request in REQUESTS.items():
            tool = TOOLS.named(name)
            expected = tool.request.from_dict(wire(request))
            text = expected.to_json()
            forms: dict[str, Any] = {
                "text": text,
                "bytes": text.encode(),
                "bytearray": bytearray(text.encode()),
                "dictionary": wire(request),
                "read-only mapping": MappingProxyType(wire(request)),
            }
            for form, arguments in forms.items():
                with self.subTest(case=f"{name}, {form}"):
                    parsed = tool.parse(arguments)
                    self.assertIs(type(parsed), tool.request)
                    self.assertEqual(parsed, expected)

    def test_a_mapping_that_was_parsed_is_neither_kept_nor_changed(self) -> None:
        arguments = {"data_source": "d", "sql": "s", "params": [1]}
        parsed = TOOLS.QUERY_MYSQL.parse(arguments)
        self.assertEqual(arguments, {"data_source": "d", "sql": "s", "params": [1]})
        arguments["params"].append(2)  # type: ignore[attr-defined]
        self.assertEqual(parsed.params, (1,))

    def test_arguments_that_are_none_or_empty_get_messages_of_their_own(self) -> None:
        right = "expected one JSON object with topic, query"
        for case, arguments, reason in (
            ("null", None, "expected JSON text, got null"),
            ("empty text", "", "the text is empty"),
            ("blank text", " \n", "the text is empty"),
            ("empty bytes", b"", "the text is empty"),
        ):
            with self.subTest(case=case):
                self.refused(
                    f"QueryLogsToolRequest: {reason}; {right}", TOOLS.QUERY_LOGS.parse, arguments
                )

    def test_an_empty_object_is_not_an_empty_request(self) -> None:
        cases: tuple[Any, ...] = ("{}", {})
        for arguments in cases:
            with self.subTest(case=repr(arguments)):
                self.refused(
                    "RagToolRequest: /query: required field is missing, expected string",
                    TOOLS.LOOKUP_KNOWLEDGE.parse,
                    arguments,
                )

    def test_an_id_that_the_model_made_up_is_refused(self) -> None:
        for name, request in REQUESTS.items():
            for value in ("call_fake", None, 7):
                with self.subTest(case=f"{name}, {value!r}"):
                    self.refused(
                        f"{request}: /tool_call_id: the framework sets it, so leave it out",
                        TOOLS.named(name).parse,
                        wire(request) | {"tool_call_id": value},
                    )
