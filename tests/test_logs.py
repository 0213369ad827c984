# SPDX-License-Identifier: MIT
"""The contract of `query_logs`."""

import json
from dataclasses import MISSING
from typing import Any

from tests import contracts
from tests._samples import ContractCase, without_descriptions

TOPIC = contracts.LogTopic.APPLICATION
START, END = "2026-03-01T09:00:00+08:00", "2026-03-01T10:00:00+08:00"


def scope() -> contracts.LogScope:
    return contracts.LogScope(
        topic=TOPIC, query="Hikari", lookback_minutes=60, start_time=START, end_time=END
    )


def pattern(count: int = 3) -> contracts.LogPattern:
    return contracts.LogPattern(
        pattern="waited <*> ms",
        level="WARN",
        service="orders",
        count=count,
        first_seen=START,
        last_seen=END,
        sample="waited 30001 ms",
    )


def event(message: str = "waited 30001 ms") -> contracts.LogEvent:
    return contracts.LogEvent(
        timestamp=START, level="WARN", service="orders", instance="orders-1", message=message
    )


def result(**changes: Any) -> contracts.QueryLogsToolResult:
    values: dict[str, Any] = {
        "tool_call_id": "call_8",
        "status": contracts.EvidenceStatus.EVIDENCE_FOUND,
        "source_kind": contracts.SourceKind.MOCK,
        "scope": scope(),
        "matched_count": 3,
        "truncated": False,
        "patterns": [pattern()],
        "timeline_events": [event()],
    }
    return contracts.QueryLogsToolResult(**values | changes)


class Fields(ContractCase):
    def test_the_request_is_a_topic_a_query_and_an_optional_look_back(self) -> None:
        self.assert_fields(
            contracts.QueryLogsToolRequest,
            [
                ("topic", contracts.LogTopic, MISSING),
                ("query", str, MISSING),
                ("lookback_minutes", int | None, None),
            ],
        )

    def test_the_result_has_its_header_first_and_its_lists_last(self) -> None:
        self.assert_fields(
            contracts.QueryLogsToolResult,
            [
                ("tool_call_id", str | None, MISSING),
                ("status", contracts.EvidenceStatus, MISSING),
                ("source_kind", contracts.SourceKind, MISSING),
                ("scope", contracts.LogScope, MISSING),
                ("matched_count", int, MISSING),
                ("truncated", bool, MISSING),
                ("patterns", tuple[contracts.LogPattern, ...], MISSING),
                ("timeline_events", tuple[contracts.LogEvent, ...], MISSING),
            ],
        )

    def test_the_scope_says_exactly_what_was_searched(self) -> None:
        self.assert_fields(
            contracts.LogScope,
            [
                ("topic", contracts.LogTopic, MISSING),
                ("query", str, MISSING),
                ("lookback_minutes", int, MISSING),
                ("start_time", str, MISSING),
                ("end_time", str, MISSING),
            ],
        )

    def test_a_pattern_has_no_id(self) -> None:
        self.assert_fields(
            contracts.LogPattern,
            [
                ("pattern", str, MISSING),
                ("level", str | None, MISSING),
                ("service", str | None, MISSING),
                ("count", int, MISSING),
                ("first_seen", str, MISSING),
                ("last_seen", str, MISSING),
                ("sample", str, MISSING),
            ],
        )

    def test_an_event_has_no_id(self) -> None:
        self.assert_fields(
            contracts.LogEvent,
            [
                ("timestamp", str, MISSING),
                ("level", str | None, MISSING),
                ("service", str | None, MISSING),
                ("instance", str | None, MISSING),
                ("message", str, MISSING),
            ],
        )

    def test_the_tool_call_id_is_in_the_result_alone(self) -> None:
        properties = contracts.QueryLogsToolRequest.json_schema()["properties"]
        self.assertNotIn("tool_call_id", properties)
        self.refused(
            "QueryLogsToolRequest: /tool_call_id: the framework sets it, so leave it out",
            contracts.QueryLogsToolRequest.from_dict,
            {"topic": "APPLICATION", "query": "x", "tool_call_id": "call_fake"},
        )
        self.assertEqual(result().tool_call_id, "call_8")
        self.assertEqual(next(iter(result().to_dict())), "tool_call_id")


class Words(ContractCase):
    def test_the_topics_are_three_logical_ones(self) -> None:
        self.assertEqual(
            [(topic.name, topic.value) for topic in contracts.LogTopic],
            [
                ("APPLICATION", "APPLICATION"),
                ("DATABASE_SLOW_QUERY", "DATABASE_SLOW_QUERY"),
                ("SYSTEM_EVENTS", "SYSTEM_EVENTS"),
            ],
        )

    def test_the_only_source_is_the_mock_one(self) -> None:
        self.assertEqual(tuple(contracts.SourceKind), (contracts.SourceKind.MOCK,))
        self.assertEqual(contracts.SourceKind.MOCK.value, "MOCK")
        self.assertEqual(result().to_dict()["source_kind"], "MOCK")

    def test_a_result_without_its_source_or_from_another_one_is_refused(self) -> None:
        payload = result().to_dict()
        self.refused(
            'QueryLogsToolResult: /source_kind: expected one of MOCK, got "LIVE"',
            contracts.QueryLogsToolResult.from_dict,
            payload | {"source_kind": "LIVE"},
        )
        del payload["source_kind"]
        self.refused(
            "QueryLogsToolResult: /source_kind: required field is missing, expected one of MOCK",
            contracts.QueryLogsToolResult.from_dict,
            payload,
        )

    def test_a_topic_is_written_as_its_name_and_in_a_payload_it_is_plain_text(self) -> None:
        self.assertEqual(f"{TOPIC}", "APPLICATION")
        self.assertEqual(str(TOPIC), "APPLICATION")
        request = contracts.QueryLogsToolRequest(topic=TOPIC, query="q")
        self.assertIs(type(request.to_dict()["topic"]), str)

    def test_a_topic_in_other_words_or_in_lower_case_is_refused(self) -> None:
        for word in ("app", "application", "Application", " APPLICATION", "APPLICATION ", ""):
            with self.subTest(case=word):
                self.refused(
                    "QueryLogsToolRequest: /topic: expected one of APPLICATION, "
                    f'DATABASE_SLOW_QUERY, SYSTEM_EVENTS, got "{word}"',
                    contracts.QueryLogsToolRequest.from_dict,
                    {"topic": word, "query": "q"},
                )


class Immutability(ContractCase):
    def test_nothing_about_the_objects_can_be_changed(self) -> None:
        request = contracts.QueryLogsToolRequest(topic=TOPIC, query="q", lookback_minutes=5)
        for thing in (request, scope(), pattern(), event(), result()):
            with self.subTest(case=type(thing).__name__):
                self.assert_frozen(thing)

    def test_lists_that_the_caller_changes_afterwards_do_not_reach_the_result(self) -> None:
        patterns, events = [pattern()], [event()]
        made = result(patterns=patterns, timeline_events=events)
        patterns.clear()
        events.append(event("later"))
        self.assertEqual(made, result())

    def test_a_payload_that_the_caller_changes_afterwards_does_not_reach_the_result(self) -> None:
        payload = result().to_dict()
        read = contracts.QueryLogsToolResult.from_dict(payload)
        payload["scope"]["query"] = "changed"
        payload["patterns"][0]["count"] = 0
        payload["timeline_events"].clear()
        payload.clear()
        self.assertEqual(read, result())

    def test_a_wire_form_that_the_caller_changes_does_not_reach_the_result(self) -> None:
        made = result()
        wire = made.to_dict()
        wire["scope"].clear()
        wire["patterns"][0]["count"] = 0
        wire["timeline_events"].append(1)
        self.assertEqual(made, result())
        self.assertEqual(made.to_dict(), result().to_dict())


class WireForm(ContractCase):
    def test_the_request_is_written_with_its_default(self) -> None:
        request = contracts.QueryLogsToolRequest(topic=TOPIC, query="Hikari")
        self.assertEqual(
            request.to_json(), '{"topic":"APPLICATION","query":"Hikari","lookback_minutes":null}'
        )
        self.assertEqual(contracts.QueryLogsToolRequest.from_json(request.to_json()), request)

    def test_a_look_back_of_null_is_the_same_as_none_given(self) -> None:
        absent = contracts.QueryLogsToolRequest.from_dict({"topic": "APPLICATION", "query": "q"})
        null = contracts.QueryLogsToolRequest.from_dict(
            {"topic": "APPLICATION", "query": "q", "lookback_minutes": None}
        )
        self.assertEqual(absent, null)
        self.assertIsNone(absent.lookback_minutes)

    def test_the_result_is_written_in_snake_case_with_nulls(self) -> None:
        bare = contracts.LogEvent(
            timestamp=END, level=None, service=None, instance=None, message="m"
        )
        made = result(timeline_events=(event(), bare))
        expected = {
            "tool_call_id": "call_8",
            "status": "EVIDENCE_FOUND",
            "source_kind": "MOCK",
            "scope": {
                "topic": "APPLICATION",
                "query": "Hikari",
                "lookback_minutes": 60,
                "start_time": START,
                "end_time": END,
            },
            "matched_count": 3,
            "truncated": False,
            "patterns": [
                {
                    "pattern": "waited <*> ms",
                    "level": "WARN",
                    "service": "orders",
                    "count": 3,
                    "first_seen": START,
                    "last_seen": END,
                    "sample": "waited 30001 ms",
                }
            ],
            "timeline_events": [
                {
                    "timestamp": START,
                    "level": "WARN",
                    "service": "orders",
                    "instance": "orders-1",
                    "message": "waited 30001 ms",
                },
                {
                    "timestamp": END,
                    "level": None,
                    "service": None,
                    "instance": None,
                    "message": "m",
                },
            ],
        }
        self.assertEqual(made.to_dict(), expected)
        self.assertEqual(made.to_json(), json.dumps(expected, separators=(",", ":")))
        self.assertEqual(contracts.QueryLogsToolResult.from_json(made.to_json()), made)

    def test_events_at_one_time_and_patterns_keep_the_order_given(self) -> None:
        events = [event(message) for message in ("c", "a", "b")]
        patterns = [pattern(count) for count in (1, 9, 5)]
        made = result(patterns=patterns, timeline_events=events)
        read = contracts.QueryLogsToolResult.from_json(made.to_json())
        self.assertEqual([item.message for item in read.timeline_events], ["c", "a", "b"])
        self.assertEqual([item.count for item in read.patterns], [1, 9, 5])


TOPIC_SCHEMA = {"type": "string", "enum": ["APPLICATION", "DATABASE_SLOW_QUERY", "SYSTEM_EVENTS"]}
TEXT_OR_NULL = {"anyOf": [{"type": "string"}, {"type": "null"}]}
TIMESTAMP = {"type": "string", "format": "date-time"}


class Schemas(ContractCase):
    def test_the_schema_of_the_request(self) -> None:
        self.assertEqual(
            without_descriptions(contracts.QueryLogsToolRequest.json_schema()),
            {
                "type": "object",
                "properties": {
                    "topic": TOPIC_SCHEMA,
                    "query": {"type": "string"},
                    "lookback_minutes": {"anyOf": [{"type": "integer"}, {"type": "null"}]},
                },
                "required": ["topic", "query"],
                "additionalProperties": False,
            },
        )

    def test_the_schema_of_the_result(self) -> None:
        scope_schema = {
            "type": "object",
            "properties": {
                "topic": TOPIC_SCHEMA,
                "query": {"type": "string"},
                "lookback_minutes": {"type": "integer"},
                "start_time": TIMESTAMP,
                "end_time": TIMESTAMP,
            },
            "required": ["topic", "query", "lookback_minutes", "start_time", "end_time"],
            "additionalProperties": False,
        }
        pattern_schema = {
            "type": "object",
            "properties": {
                "pattern": {"type": "string"},
                "level": TEXT_OR_NULL,
                "service": TEXT_OR_NULL,
                "count": {"type": "integer"},
                "first_seen": TIMESTAMP,
                "last_seen": TIMESTAMP,
                "sample": {"type": "string"},
            },
            "required": [
                "pattern",
                "level",
                "service",
                "count",
                "first_seen",
                "last_seen",
                "sample",
            ],
            "additionalProperties": False,
        }
        event_schema = {
            "type": "object",
            "properties": {
                "timestamp": TIMESTAMP,
                "level": TEXT_OR_NULL,
                "service": TEXT_OR_NULL,
                "instance": TEXT_OR_NULL,
                "message": {"type": "string"},
            },
            "required": ["timestamp", "level", "service", "instance", "message"],
            "additionalProperties": False,
        }
        self.assertEqual(
            without_descriptions(contracts.QueryLogsToolResult.json_schema()),
            {
                "type": "object",
                "properties": {
                    "tool_call_id": TEXT_OR_NULL,
                    "status": {
                        "type": "string",
                        "enum": ["EVIDENCE_FOUND", "NO_EVIDENCE", "ERROR"],
                    },
                    "source_kind": {"type": "string", "enum": ["MOCK"]},
                    "scope": scope_schema,
                    "matched_count": {"type": "integer"},
                    "truncated": {"type": "boolean"},
                    "patterns": {"type": "array", "items": pattern_schema},
                    "timeline_events": {"type": "array", "items": event_schema},
                },
                "required": [
                    "tool_call_id",
                    "status",
                    "source_kind",
                    "scope",
                    "matched_count",
                    "truncated",
                    "patterns",
                    "timeline_events",
                ],
                "additionalProperties": False,
            },
        )


class Tool(ContractCase):
    def test_the_tool_is_named_and_bound_to_its_request_and_result(self) -> None:
        tool = contracts.AgentToolContracts.QUERY_LOGS
        self.assertEqual(tool.name, "query_logs")
        self.assertIs(tool.request, contracts.QueryLogsToolRequest)
        self.assertIs(tool.result, contracts.QueryLogsToolResult)

    def test_what_the_model_is_told_is_short_and_names_no_machinery(self) -> None:
        self.assert_told_in_bounds(contracts.AgentToolContracts.QUERY_LOGS)
