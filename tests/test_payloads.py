# SPDX-License-Identifier: MIT
"""The example payloads that the documentation shows: each is exactly what the contract says."""

import json
import re
import unittest
from pathlib import Path
from typing import Any

from tests import contracts, module

FOLDER = Path(__file__).resolve().parent.parent / "docs" / "examples" / "payloads"
NEEDED = {
    "lookup_knowledge": {"request", "found", "no-evidence", "error", "truncated", "unicode"},
    "query_logs": {"request", "found", "no-evidence", "error", "truncated", "error-no-id"},
    "query_mysql": {"request", "found", "no-evidence", "error", "truncated", "awkward-values"},
}
# requests that leave out a key that may be absent, so that they are not written back as they are
PARTIAL = {"query_logs/request-default.json", "query_mysql/request-no-params.json"}


def files(pattern: str) -> list[Path]:
    """Return the files that a pattern finds under each of the tools; there must be some."""
    found = sorted(FOLDER.glob(pattern))
    if {file.relative_to(FOLDER).parts[0] for file in found} != set(NEEDED):
        raise AssertionError(f"{pattern} does not find files of all tools")
    return found


def name_of(file: Path) -> str:
    return file.relative_to(FOLDER).as_posix()


def class_of(file: Path) -> Any:
    tool = contracts.AgentToolContracts.named(file.parent.name)
    return tool.request if file.name.startswith("request") else tool.result


def in_order(value: Any) -> Any:
    """Return a value in which the order of keys counts when it is compared."""
    if isinstance(value, dict):
        return [(key, in_order(item)) for key, item in value.items()]
    if isinstance(value, list):
        return [in_order(item) for item in value]
    return type(value), value


class PayloadsTest(unittest.TestCase):
    maxDiff = None

    def test_each_tool_shows_each_status_and_its_request(self) -> None:
        for tool, needed in NEEDED.items():
            names = {file.stem for file in (FOLDER / tool).glob("*.json")}
            self.assertEqual(needed - names, set(), tool)

    def test_each_is_read_into_its_class_and_written_back_as_it_is(self) -> None:
        for file in files("*/*.json"):
            with self.subTest(file=name_of(file)):
                raw, text = file.read_bytes(), file.read_text(encoding="utf-8")
                read = class_of(file).from_json(raw)
                self.assertIs(type(read), class_of(file))
                self.assertEqual(class_of(file).from_json(read.to_json()), read)
                self.assertEqual(class_of(file).from_dict(json.loads(text)), read)
                if name_of(file) not in PARTIAL:
                    self.assertEqual(in_order(read.to_dict()), in_order(json.loads(text)))
                    self.assertEqual(raw, (read.to_json(indent=2) + "\n").encode())

    def test_the_partial_ones_lack_exactly_the_keys_that_may_be_absent(self) -> None:
        for name in PARTIAL:
            with self.subTest(file=name):
                text = (FOLDER / name).read_text(encoding="utf-8")
                data = json.loads(text)
                read = class_of(FOLDER / name).from_json(text)
                schema = class_of(FOLDER / name).json_schema()
                self.assertEqual(list(data), schema["required"])
                added = {key: read.to_dict()[key] for key in read.to_dict() if key not in data}
                self.assertIn(added, ({"lookback_minutes": None}, {"params": []}))
                self.assertEqual(text, json.dumps(data, ensure_ascii=False, indent=2) + "\n")

    def test_each_result_keeps_the_rules_and_has_the_status_of_its_name(self) -> None:
        statuses = {"found": "EVIDENCE_FOUND", "truncated": "EVIDENCE_FOUND"}
        statuses |= {"no-evidence": "NO_EVIDENCE", "error": "ERROR", "error-no-id": "ERROR"}
        results = [file for file in files("*/*.json") if not file.name.startswith("request")]
        for file in results:
            with self.subTest(file=name_of(file)):
                result = class_of(file).from_json(file.read_bytes())
                self.assertEqual(module("rules").violations(result), ())
                status = statuses.get(file.stem, "EVIDENCE_FOUND")
                self.assertEqual(str(result.status), status)
                self.assertIs(result.truncated, file.stem == "truncated")
                self.assertIs(result.tool_call_id is None, file.stem == "error-no-id")

    def test_no_id_stands_for_two_calls(self) -> None:
        ids = []
        for file in files("*/*.json"):
            if not file.name.startswith("request"):
                ids.append(json.loads(file.read_bytes())["tool_call_id"])
        self.assertEqual(len(set(ids)), len(ids))

    def test_the_result_that_shows_the_request_of_its_tool_echoes_it(self) -> None:
        for tool, path in (("lookup_knowledge", ()), ("query_logs", ("scope",))):
            request = json.loads((FOLDER / tool / "request.json").read_bytes())
            echoed = json.loads((FOLDER / tool / "truncated.json").read_bytes())
            for key in path:
                echoed = echoed[key]
            self.assertEqual({key: echoed[key] for key in request}, request)

    def test_the_awkward_values_are_all_there(self) -> None:
        text = (FOLDER / "query_mysql" / "awkward-values.json").read_text(encoding="utf-8")
        row = json.loads(text)["rows"][0]
        self.assertGreater(int(row["order_id"]), 2**53)
        self.assertIsInstance(row["order_id"], str)
        self.assertEqual(row["amount"], "10.50")
        self.assertRegex(row["fingerprint"], "^0x[0-9A-F]+$")
        self.assertEqual(row["delay"], "-00:01:00")
        self.assertEqual(row["flags"], sorted(row["flags"]))
        self.assertEqual(
            {type(value) for value in row.values()}, {str, bool, dict, list, type(None)}
        )
        times = (FOLDER / "query_logs" / "nanoseconds.json").read_text(encoding="utf-8")
        self.assertRegex(times, r'T[0-9:]{8}\.\d{9}\+08:00"')
        self.assertRegex(times, r'T[0-9:]{8}\.\d{9}Z"')
        for shown in (text, times):
            self.assertRegex(shown, "[\u4e00-\u9fff]")
            self.assertRegex(shown, "[\U0001f300-\U0001faff]")


class RefusedTest(unittest.TestCase):
    maxDiff = None

    def test_each_is_refused_in_exactly_the_words_beside_it(self) -> None:
        for file in (*files("*/refused/*.json"), *files("*/refused/*.input.txt")):
            with self.subTest(file=name_of(file)):
                tool = contracts.AgentToolContracts.named(file.parent.parent.name)
                case = file.name.removesuffix(".json").removesuffix(".input.txt")
                told = file.with_name(f"{case}.txt").read_text(encoding="utf-8")
                with self.assertRaises(contracts.ContractError) as caught:
                    tool.parse(file.read_bytes())
                self.assertEqual(f"{caught.exception}\n", told)
                if file.suffix == ".json":
                    text = file.read_text(encoding="utf-8")
                    self.assertEqual(text, json.dumps(json.loads(text), indent=2) + "\n")
                    with self.assertRaises(contracts.ContractError) as caught:
                        tool.parse(json.loads(text))
                    self.assertEqual(f"{caught.exception}\n", told)

    def test_no_text_lacks_the_input_that_it_answers(self) -> None:
        told = [file for file in files("*/refused/*.txt") if not file.name.endswith(".input.txt")]
        for file in told:
            inputs = [file.with_suffix(".json"), file.with_suffix(".input.txt")]
            self.assertEqual(sum(path.is_file() for path in inputs), 1, name_of(file))

    def test_no_text_quotes_a_value_of_its_input(self) -> None:
        secrets = re.compile("SELECT|88213470|exhausted|PAID|order-service conn|call_1")
        for file in files("*/refused/*.txt"):
            if not file.name.endswith(".input.txt"):
                self.assertNotRegex(file.read_text(encoding="utf-8"), secrets)
