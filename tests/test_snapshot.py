# SPDX-License-Identifier: MIT
"""The contract as one value: published, recognised by its fingerprint, compared with others."""

import copy
import hashlib
import json
import os
import shutil
import sys
import tempfile
import unittest
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from tests import contracts, module, schemas
from tests._process import python, vendored
from tests._samples import ContractCase, contract_classes

snapshots = module("snapshot")
compare = snapshots.compare

Json = dict[str, Any]


def objects(schema: Any) -> Iterator[Json]:
    """All objects inside plain data, itself included."""
    if isinstance(schema, dict):
        yield schema
        for value in schema.values():
            yield from objects(value)
    elif isinstance(schema, list):
        for value in schema:
            yield from objects(value)


class Snapshot(ContractCase):
    def test_it_holds_the_version_the_tools_all_enums_and_all_classes(self) -> None:
        snapshot = snapshots.snapshot()
        self.assertEqual(list(snapshot), ["contract_version", "tools", "enums", "schemas"])
        self.assertEqual(snapshot["contract_version"], contracts.CONTRACT_VERSION)
        self.assertEqual(
            snapshot["tools"],
            [
                {
                    "name": tool.name,
                    "title": tool.title,
                    "description": tool.description,
                    "request": tool.request.__name__,
                    "result": tool.result.__name__,
                }
                for tool in contracts.AgentToolContracts.ALL
            ],
        )
        self.assertEqual(
            snapshot["enums"],
            {
                "InvocationStatus": ["PROJECTING", "READY", "ERROR"],
                "EvidenceStatus": ["EVIDENCE_FOUND", "NO_EVIDENCE", "ERROR"],
                "LogTopic": ["APPLICATION", "DATABASE_SLOW_QUERY", "SYSTEM_EVENTS"],
                "SourceKind": ["MOCK"],
            },
        )
        classes = contract_classes()
        self.assertEqual(snapshots.contract_classes(), classes)
        self.assertEqual(
            snapshot["schemas"],
            {name: contract.json_schema() for name, contract in classes.items()},
        )

    def test_it_is_plain_json_and_fresh_each_time(self) -> None:
        snapshot = snapshots.snapshot()
        self.assertEqual(json.loads(json.dumps(snapshot)), snapshot)
        for part in list(objects(snapshot)):
            part.clear()
        self.assertNotEqual(snapshots.snapshot(), snapshot)
        self.assertEqual(snapshots.snapshot()["enums"]["SourceKind"], ["MOCK"])

    def test_a_schema_document_says_its_dialect_and_its_title_first(self) -> None:
        for name, contract in contract_classes().items():
            with self.subTest(case=name):
                document = snapshots.schema_document(contract)
                head = {"$schema": "https://json-schema.org/draft/2020-12/schema", "title": name}
                self.assertEqual(list(document)[:2], list(head))
                self.assertEqual(document, head | contract.json_schema())

    def test_the_snapshot_command_prints_the_published_file(self) -> None:
        printed = python("-m", contracts.__name__, "snapshot").stdout.replace(b"\r\n", b"\n")
        folder = schemas.SCHEMAS / f"v{contracts.CONTRACT_VERSION}"
        self.assertEqual(printed, (folder / "contract.json").read_bytes())

    def test_the_published_files_are_the_running_package(self) -> None:
        differs = schemas.published()
        if not differs:
            return
        folder = schemas.SCHEMAS / f"v{contracts.CONTRACT_VERSION}"
        told = [f"docs/schemas/{folder.name}: {difference}" for difference in differs]
        file = folder / "contract.json"
        if file.is_file():
            before = json.loads(file.read_text(encoding="utf-8"))
            told += map(str, compare(before, snapshots.snapshot()))
        told.append(
            f"A change on the wire needs a new CONTRACT_VERSION. To write: {schemas.COMMAND}"
        )
        self.fail("\n".join(told))


class PublishedFiles(unittest.TestCase):
    """The function that writes and verifies, in a folder of its own."""

    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.addCleanup(setattr, schemas, "SCHEMAS", schemas.SCHEMAS)
        schemas.SCHEMAS = Path(folder.name) / "schemas"
        self.folder = schemas.SCHEMAS / f"v{contracts.CONTRACT_VERSION}"

    def test_each_kind_of_difference_is_told_and_mended(self) -> None:
        names = [f"{name}.json" for name in ("contract", *contract_classes())]
        names.insert(1, "fingerprint.txt")
        self.assertEqual(schemas.published(), [f"{name} is missing" for name in names])
        self.assertEqual(schemas.published(write=True), [])
        self.assertEqual({file.name for file in self.folder.iterdir()}, set(names))
        text = (self.folder / "LogEvent.json").read_text(encoding="utf-8")
        (self.folder / "LogEvent.json").write_text(text.replace("\n", "\r\n"), newline="")
        (self.folder / "Old.json").write_text("{}")
        (self.folder / "contract.json").unlink()
        self.assertEqual(
            schemas.published(),
            ["Old.json does not belong here", "contract.json is missing", "LogEvent.json differs"],
        )
        self.assertEqual(schemas.published(write=True), [])
        self.assertEqual((self.folder / "LogEvent.json").read_text(encoding="utf-8"), text)
        self.assertFalse((self.folder / "Old.json").exists())


def other_pythons() -> dict[str, str]:
    """Interpreters of other supported versions on this machine."""
    found = {}
    for version in ("3.11", "3.12", "3.13", "3.14"):
        versions = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv")) / "versions"
        paths = sorted(versions.glob(f"{version}.*/bin/python"))
        path = str(paths[-1]) if paths else shutil.which(f"python{version}")
        if path and version != "{}.{}".format(*sys.version_info):
            found[version] = path
    return found


class Fingerprint(unittest.TestCase):
    def test_it_is_the_digest_of_the_canonical_json(self) -> None:
        text = json.dumps(
            snapshots.snapshot(), ensure_ascii=False, sort_keys=True, separators=(",", ":")
        )
        digest = hashlib.sha256(text.encode("utf-8")).hexdigest()
        self.assertEqual(snapshots.fingerprint(), f"sha256:{digest}")

    def printed(self, *words: str, **options: Any) -> str:
        done = python(*words, "fingerprint", **options)
        self.assertEqual((done.returncode, done.stderr), (0, b""))
        return done.stdout.decode().removesuffix(os.linesep)

    def test_it_depends_neither_on_hash_seeds_nor_on_optimization(self) -> None:
        for flag in ("-O", "-OO"):
            with self.subTest(case=flag):
                printed = self.printed(flag, "-m", contracts.__name__)
                self.assertEqual(printed, snapshots.fingerprint())
        for seed in ("0", "1", "4294967295"):
            with self.subTest(case=seed):
                printed = self.printed("-m", contracts.__name__, PYTHONHASHSEED=seed)
                self.assertEqual(printed, snapshots.fingerprint())

    def test_it_does_not_depend_on_the_name_of_the_copy(self) -> None:
        for name in ("renamed", "acme._vendor.agent_contracts"):
            with self.subTest(case=name), tempfile.TemporaryDirectory() as folder:
                vendored(Path(folder), name)
                printed = self.printed("-m", name, root=Path(folder))
                self.assertEqual(printed, snapshots.fingerprint())

    def test_it_does_not_depend_on_the_version_of_python(self) -> None:
        others = other_pythons()
        if not others:
            self.skipTest("no other Python is installed here")
        for version, executable in others.items():
            with self.subTest(case=version):
                printed = self.printed("-m", contracts.__name__, executable=executable)
                self.assertEqual(printed, snapshots.fingerprint())


class ChangedCopies(unittest.TestCase):
    """Copies of the package whose source was edited, each run in its own process."""

    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = Path(folder.name)
        self.copy = vendored(self.root)
        self.before = self.root / "contract.json"
        self.before.write_bytes(python("-m", contracts.__name__, "snapshot").stdout)

    def edit(self, module: str, old: str, new: str) -> None:
        source = (self.copy / module).read_text(encoding="utf-8")
        self.assertEqual(source.count(old), 1)
        (self.copy / module).write_text(source.replace(old, new), encoding="utf-8")

    def run_copy(self, *words: str) -> tuple[int, list[str]]:
        done = python("-m", "acme._vendor.contracts", *words, root=self.root)
        self.assertEqual(done.stderr, b"")
        return done.returncode, done.stdout.decode().splitlines()

    def assert_told_apart(self, code: int, lines: list[str]) -> None:
        self.assertNotEqual(self.run_copy("fingerprint"), (0, [snapshots.fingerprint()]))
        self.assertEqual(self.run_copy("compare", str(self.before)), (code, lines))

    def test_a_new_word_of_source_kind_breaks_readers(self) -> None:
        self.edit("logs.py", '    MOCK = "MOCK"\n', '    MOCK = "MOCK"\n    LIVE = "LIVE"\n')
        self.edit("_contract.py", 'CONTRACT_VERSION: Final = "1"', 'CONTRACT_VERSION: Final = "2"')
        self.assert_told_apart(
            1,
            [
                "/contract_version: was 1, is 2 (breaks nobody)",
                "/schemas/QueryLogsToolResult/properties/source_kind/enum: LIVE is new"
                " (breaks readers)",
            ],
        )

    def test_a_topic_that_is_gone_breaks_callers(self) -> None:
        self.edit("logs.py", '    SYSTEM_EVENTS = "SYSTEM_EVENTS"\n', "")
        schema = "/schemas/QueryLogsToolRe"
        self.assert_told_apart(
            1,
            [
                f"{schema}quest/properties/topic/enum: SYSTEM_EVENTS is gone (breaks callers)",
                f"{schema}sult/properties/scope/properties/topic/enum: SYSTEM_EVENTS is gone"
                " (breaks nobody)",
            ],
        )

    def test_another_description_breaks_nobody(self) -> None:
        self.edit("rag.py", '"What to look up in the knowledge base."', '"What to look up."')
        self.assert_told_apart(
            0, ["/schemas/RagToolRequest/description: other text (breaks nobody)"]
        )

    def test_another_comment_makes_no_other_contract(self) -> None:
        self.edit("rag.py", '"""What the model sends to `lookup_knowledge`."""', '"""A request."""')
        self.assertEqual(self.run_copy("fingerprint"), (0, [snapshots.fingerprint()]))
        self.assertEqual(self.run_copy("compare", str(self.before)), (0, []))


def closed(**properties: Json) -> Json:
    required = [name for name in properties if name != "optional"]
    return {
        "type": "object",
        "properties": properties,
        "required": required,
        "additionalProperties": False,
    }


def base() -> Json:
    """An object with a field of each kind of the portable subset, and one beyond it."""
    return closed(
        word={"type": "string", "enum": ["A", "B"]},
        text={"type": "string", "description": "Some text."},
        short={"type": "string", "maxLength": 9},  # not of the subset
        time={"type": "string", "format": "date-time"},
        whole={"type": "integer"},
        number={"type": "number"},
        optional={"anyOf": [{"type": "string"}, {"type": "null"}]},
        scalars={"type": "array", "items": {"anyOf": [{"type": "string"}, {"type": "number"}]}},
        row={"type": "object"},
        inner=closed(word={"type": "string", "enum": ["A"]}, count={"type": "integer"}),
    )


Edit = Callable[[Json], Any]


def property_(name: str, **keys: Any) -> Edit:
    """Give a property other keywords; None takes one away."""

    def edit(schema: Json) -> None:
        at = schema["properties"][name]
        for key, value in keys.items():
            if value is None:
                del at[key]
            else:
                at[key] = value

    return edit


def replaced(name: str, schema: Json) -> Edit:
    return lambda parent: parent["properties"].update({name: schema})


def without(name: str) -> Edit:
    def edit(schema: Json) -> None:
        del schema["properties"][name]
        schema["required"] = [kept for kept in schema["required"] if kept != name]

    return edit


def with_new(*, required: bool) -> Edit:
    def edit(schema: Json) -> None:
        schema["properties"]["new"] = {"type": "string"}
        if required:
            schema["required"].append("new")

    return edit


def reordered(schema: Json) -> None:
    schema["properties"] = dict(reversed(schema["properties"].items()))


# name: what is done to the object; and of each change its place, its message, and whether it
# takes values away (-), lets values in (+), does both (-+) or neither
CHANGES: dict[str, tuple[Edit, list[tuple[str, str, str]]]] = {
    "a word is gone": (
        property_("word", enum=["B"]),
        [("/properties/word/enum", "A is gone", "-")],
    ),
    "a word is new": (
        property_("word", enum=["A", "B", "C"]),
        [("/properties/word/enum", "C is new", "+")],
    ),
    "a word has another name": (
        property_("word", enum=["A", "C"]),
        [("/properties/word/enum", "B is gone", "-"), ("/properties/word/enum", "C is new", "+")],
    ),
    "words become any text": (
        property_("word", enum=None),
        [("/properties/word/enum", "words against any text", "+")],
    ),
    "any text becomes words": (
        property_("text", enum=["A"]),
        [("/properties/text/enum", "words against any text", "-")],
    ),
    "a required field is gone": (
        without("text"),
        # who sends it is refused, who requires it misses it
        [("/properties/text", "the field is gone", "-+")],
    ),
    "an optional field is gone": (
        without("optional"),
        [("/properties/optional", "the field is gone", "-")],
    ),
    "a required field is new": (
        with_new(required=True),
        [("/properties/new", "the field is new and required", "-+")],
    ),
    "an optional field is new": (
        with_new(required=False),
        [("/properties/new", "the field is new and optional", "+")],
    ),
    "a field has another name": (
        lambda schema: (without("text")(schema), with_new(required=True)(schema)),
        [
            ("/properties/text", "the field is gone", "-+"),
            ("/properties/new", "the field is new and required", "-+"),
        ],
    ),
    "a required field is optional": (
        lambda schema: schema["required"].remove("text"),
        [("/properties/text", "optional now", "+")],
    ),
    "an optional field is required": (
        lambda schema: schema["required"].append("optional"),
        [("/properties/optional", "required now", "-")],
    ),
    "another type": (
        property_("text", type="boolean"),
        [("/properties/text", "was string, is boolean", "-+")],
    ),
    "an integer becomes a number": (
        property_("whole", type="number"),
        [("/properties/whole", "was integer, is number", "+")],
    ),
    "a number becomes an integer": (
        property_("number", type="integer"),
        [("/properties/number", "was number, is integer", "-")],
    ),
    "null is let in": (
        replaced("whole", {"anyOf": [{"type": "integer"}, {"type": "null"}]}),
        [("/properties/whole", "was integer, is integer or null", "+")],
    ),
    "null is taken away": (
        replaced("optional", {"type": "string"}),
        [("/properties/optional", "was string or null, is string", "-")],
    ),
    "a type is any value": (
        property_("text", type=None),
        [("/properties/text", "was string, is any value", "+")],
    ),
    "any value is a type": (
        lambda schema: schema["properties"]["row"].update(items={}, type="array"),
        [("/properties/row", "was object, is array", "-+")],
    ),
    "a scalar is gone": (
        property_("scalars", items={"type": "string"}),
        [("/properties/scalars/items", "was string or number, is string", "-")],
    ),
    "a scalar is narrower": (
        property_("scalars", items={"anyOf": [{"type": "string"}, {"type": "integer"}]}),
        [("/properties/scalars/items", "was string or number, is string or integer", "-")],
    ),
    "a scalar is new": (
        property_(
            "scalars",
            items={"anyOf": [{"type": "string"}, {"type": "number"}, {"type": "boolean"}]},
        ),
        [
            (
                "/properties/scalars/items",
                "was string or number, is string or number or boolean",
                "+",
            )
        ],
    ),
    "items are any value": (
        property_("scalars", items=None),
        [("/properties/scalars/items", "was string or number, is any value", "+")],
    ),
    "a format is new": (
        property_("text", format="date-time"),
        [("/properties/text/format", "format was none, is date-time", "-")],
    ),
    "a format is gone": (
        property_("time", format=None),
        [("/properties/time/format", "format was date-time, is none", "+")],
    ),
    "another format": (
        property_("time", format="date"),
        [("/properties/time/format", "format was date-time, is date", "-+")],
    ),
    "a closed object is open": (
        property_("inner", additionalProperties=None),
        [("/properties/inner", "open now", "+")],
    ),
    "a closed object says that it is open": (
        property_("inner", additionalProperties=True),
        [("/properties/inner", "open now", "+")],
    ),
    "an open object is closed": (
        replaced("row", closed()),
        [("/properties/row", "closed now", "-")],
    ),
    "a word inside is new": (
        lambda schema: property_("word", enum=["A", "B"])(schema["properties"]["inner"]),
        [("/properties/inner/properties/word/enum", "B is new", "+")],
    ),
    "a field inside is gone": (
        lambda schema: without("count")(schema["properties"]["inner"]),
        [("/properties/inner/properties/count", "the field is gone", "-+")],
    ),
    "a keyword that is not of the subset is new": (
        property_("text", maxLength=9),
        [("/properties/text/maxLength", "the keyword is new", "-")],
    ),
    "such a keyword is gone": (
        property_("short", maxLength=None),
        [("/properties/short/maxLength", "the keyword is gone", "+")],
    ),
    "such a keyword has another value": (
        property_("short", maxLength=8),
        [("/properties/short/maxLength", "the keyword has another value", "-+")],
    ),
    "such a keyword in one of two types": (
        replaced("optional", {"anyOf": [{"type": "string", "minLength": 1}, {"type": "null"}]}),
        [("/properties/optional/minLength", "the keyword is new", "-")],
    ),
    "another description": (
        property_("text", description="Other."),
        [("/properties/text/description", "other text", "")],
    ),
    "a description is gone": (
        property_("text", description=None),
        [("/properties/text/description", "other text", "")],
    ),
    "another order of fields": (
        reordered,
        [("/properties", "another order", "")],
    ),
    "several": (
        lambda schema: (
            without("text")(schema),
            property_("word", enum=["A", "B", "C"])(schema),
            property_("whole", type="number")(schema),
        ),
        [
            ("/properties/word/enum", "C is new", "+"),
            ("/properties/text", "the field is gone", "-+"),
            ("/properties/whole", "was integer, is number", "+"),
        ],
    ),
}


def at_request(snapshot: Json, schema: Json) -> str:
    snapshot["schemas"]["RagToolRequest"] = schema
    return "/schemas/RagToolRequest"


def in_request(snapshot: Json, schema: Json) -> str:
    snapshot["schemas"]["RagToolRequest"]["properties"]["query"] = schema
    return "/schemas/RagToolRequest/properties/query"


def at_result(snapshot: Json, schema: Json) -> str:
    snapshot["schemas"]["QueryLogsToolResult"] = schema
    return "/schemas/QueryLogsToolResult"


def in_result(snapshot: Json, schema: Json) -> str:
    snapshot["schemas"]["QueryLogsToolResult"]["properties"]["scope"] = schema
    return "/schemas/QueryLogsToolResult/properties/scope"


def in_items(snapshot: Json, schema: Json) -> str:
    snapshot["schemas"]["QueryLogsToolResult"]["properties"]["patterns"]["items"] = schema
    return "/schemas/QueryLogsToolResult/properties/patterns/items"


def in_any_of(snapshot: Json, schema: Json) -> str:
    nullable = {"anyOf": [schema, {"type": "null"}]}
    snapshot["schemas"]["QueryLogsToolResult"]["properties"]["scope"] = nullable
    return "/schemas/QueryLogsToolResult/properties/scope"


# where the object stands, and whom it breaks to take values away and to let values in
PLACES: dict[str, tuple[Callable[[Json, Json], str], dict[str, str]]] = {
    "a request": (at_request, {"-": "callers", "-+": "callers"}),
    "a field of a request": (in_request, {"-": "callers", "-+": "callers"}),
    "a result": (at_result, {"+": "readers", "-+": "readers"}),
    "a field of a result": (in_result, {"+": "readers", "-+": "readers"}),
    "the items of a list": (in_items, {"+": "readers", "-+": "readers"}),
    "a field that may be null": (in_any_of, {"+": "readers", "-+": "readers"}),
}


def tool_gone(snapshot: Json) -> None:
    del snapshot["tools"][1]


def tool_renamed(snapshot: Json) -> None:
    snapshot["tools"][1]["name"] = "search_logs"


def tool_new(snapshot: Json) -> None:
    snapshot["tools"].insert(0, snapshot["tools"][0] | {"name": "query_metrics"})


def class_renamed(snapshot: Json) -> None:
    snapshot["tools"][0]["request"] = "LookupRequest"
    snapshot["schemas"]["LookupRequest"] = snapshot["schemas"].pop("RagToolRequest")


def invocation_status(*words: str) -> Edit:
    return lambda snapshot: snapshot["enums"].update(InvocationStatus=list(words))


SAME = [("", "other names or another order of the same", "nobody")]

# name: what is done to the snapshot of the package, and the differences
WHOLE: dict[str, tuple[Edit, list[tuple[str, str, str]]]] = {
    "nothing": (lambda _: None, []),
    "another version": (
        lambda snapshot: snapshot.update(contract_version="2"),
        [("/contract_version", "was 1, is 2", "nobody")],
    ),
    "a tool is gone": (tool_gone, [("/tools/1", "query_logs is gone", "callers")]),
    "a tool is renamed": (
        tool_renamed,
        [
            ("/tools/1", "query_logs is gone", "callers"),
            ("/tools/1", "search_logs is new", "nobody"),
        ],
    ),
    "a tool is new": (tool_new, [("/tools/0", "query_metrics is new", "nobody")]),
    "another title": (
        lambda snapshot: snapshot["tools"][2].update(title="Ask MySQL"),
        [("/tools/2/title", "other text", "nobody")],
    ),
    "another description of a tool": (
        lambda snapshot: snapshot["tools"][0].update(description="Look up."),
        [("/tools/0/description", "other text", "nobody")],
    ),
    "a tool has moved and changed": (
        lambda snapshot: (
            snapshot["tools"].reverse(),
            snapshot["tools"][2].update(title="Look up"),
        ),
        [("/tools/2/title", "other text", "nobody")],
    ),
    "a word of a stored status is gone": (
        invocation_status("READY", "ERROR"),
        [("/enums/InvocationStatus", "PROJECTING is gone", "nobody")],
    ),
    "a word of a stored status is new": (
        invocation_status("PROJECTING", "READY", "ERROR", "EXPIRED"),
        [("/enums/InvocationStatus", "EXPIRED is new", "readers")],
    ),
    "another order of tools": (lambda snapshot: snapshot["tools"].reverse(), SAME),
    "another order of words": (invocation_status("READY", "PROJECTING", "ERROR"), SAME),
    "another order of required fields": (
        lambda snapshot: snapshot["schemas"]["RagToolResult"]["required"].reverse(),
        SAME,
    ),
    "a class is renamed": (class_renamed, SAME),
    "a class that is only a part of others": (
        lambda snapshot: snapshot["schemas"].pop("LogEvent"),
        SAME,
    ),
}


# name: what is done to the snapshot of the package, so that it is none
MALFORMED: dict[str, Edit] = {
    "no version": lambda snapshot: snapshot.pop("contract_version"),
    "no tools": lambda snapshot: snapshot.pop("tools"),
    "no enums": lambda snapshot: snapshot.pop("enums"),
    "no schemas": lambda snapshot: snapshot.pop("schemas"),
    "tools by name": lambda snapshot: snapshot.update(tools={"lookup_knowledge": {}}),
    "tools that are text": lambda snapshot: snapshot.update(tools=["lookup_knowledge"]),
    "tools that are null": lambda snapshot: snapshot.update(tools=None),
    "a tool whose name is a list": lambda snapshot: snapshot["tools"][0].update(name=[]),
    "a tool without a title": lambda snapshot: snapshot["tools"][0].pop("title"),
    "a tool whose class has no schema": lambda snapshot: snapshot["schemas"].pop("RagToolRequest"),
    "no stored status": lambda snapshot: snapshot["enums"].pop("InvocationStatus"),
    "a schema that is text": lambda snapshot: snapshot["schemas"].update(RagToolRequest="object"),
    "a list of types": lambda snapshot: snapshot["schemas"]["RagToolRequest"].update(
        type=["object", "null"]
    ),
    "a closed object without properties": lambda snapshot: snapshot["schemas"][
        "RagToolRequest"
    ].pop("properties"),
    "anyOf of texts": lambda snapshot: snapshot["schemas"]["RagToolRequest"].update(anyOf=["a"]),
}


def differences(before: Json, after: Json) -> list[tuple[str, str, str]]:
    return [(found.path, found.message, found.breaks) for found in compare(before, after)]


class Compare(ContractCase):
    def test_a_snapshot_does_not_differ_from_itself(self) -> None:
        self.assertEqual(compare(snapshots.snapshot(), snapshots.snapshot()), ())

    def test_each_change_of_a_schema_is_told_with_its_place_and_whom_it_breaks(self) -> None:
        for place, (put, broken) in PLACES.items():
            for name, (edit, expected) in CHANGES.items():
                before, after, schema = snapshots.snapshot(), snapshots.snapshot(), base()
                put(before, base())
                edit(schema)
                root = put(after, schema)
                with self.subTest(place=place, case=name):
                    self.assertEqual(
                        differences(before, after),
                        [
                            (root + at, told, broken.get(how, "nobody"))
                            for at, told, how in expected
                        ],
                    )
                    self.assertEqual(compare(after, copy.deepcopy(after)), ())

    def test_any_value_is_told_by_direction(self) -> None:
        for place, (put, broken) in PLACES.items():
            before, after = snapshots.snapshot(), snapshots.snapshot()
            put(before, closed(any={"description": "Any."}))
            root = put(after, closed(any={"type": "string", "description": "Any."}))
            with self.subTest(place=place):
                told = (
                    f"{root}/properties/any",
                    "was any value, is string",
                    broken.get("-", "nobody"),
                )
                self.assertEqual(differences(before, after), [told])

    def test_each_change_of_the_whole_is_told(self) -> None:
        for name, (edit, expected) in WHOLE.items():
            with self.subTest(case=name):
                after = snapshots.snapshot()
                edit(after)
                self.assertEqual(differences(snapshots.snapshot(), after), expected)

    def test_no_change_goes_untold_and_no_other_error_leaves(self) -> None:
        before = snapshots.snapshot()
        values: tuple[Any, ...] = ("zzz", 7, None, [])
        untold = []
        changes = 0
        for path in paths(before):
            for value in values:
                after = copy.deepcopy(before)
                parent = after
                for key in path[:-1]:
                    parent = parent[key]
                parent[path[-1]] = value
                for pair in ((before, after), (after, before)):
                    changes += 1
                    try:
                        told: Any = compare(*pair)
                    except contracts.ContractError as error:
                        told = str(error) == NO_SNAPSHOT
                    if not told:
                        untold.append((path, value))
        self.assertGreater(changes, 1000)
        self.assertEqual(untold, [])

    def test_what_is_no_snapshot_is_refused(self) -> None:
        good = snapshots.snapshot()
        others: tuple[Any, ...] = (None, [], "", 1, {}, {"tools": []})
        for other in others:
            with self.subTest(case=other):
                self.refused(NO_SNAPSHOT, compare, good, other)
                self.refused(NO_SNAPSHOT, compare, other, good)
        for name, edit in MALFORMED.items():
            with self.subTest(case=name):
                bad = snapshots.snapshot()
                edit(bad)
                self.refused(NO_SNAPSHOT, compare, good, bad)
                self.refused(NO_SNAPSHOT, compare, bad, bad)

    def test_a_snapshot_that_is_nested_too_deeply_is_refused(self) -> None:
        schema: Json = {"type": "string"}
        for _ in range(20_000):
            schema = {"type": "array", "items": schema}
        bad = snapshots.snapshot()
        bad["schemas"]["RagToolRequest"] = schema
        self.refused(NO_SNAPSHOT, compare, bad, bad)
        before, after = (snapshots.snapshot() | {"more": nested([], 20_000)} for _ in range(2))
        self.refused(NO_SNAPSHOT, compare, before, after)

    def test_a_difference_reads_as_one_line(self) -> None:
        difference = snapshots.Difference
        self.assertEqual(str(difference("/a", "b", "callers")), "/a: b (breaks callers)")
        self.assertEqual(str(difference("", "b", "nobody")), "b (breaks nobody)")


def nested(value: Any, levels: int) -> Any:
    for _ in range(levels):
        value = [value]
    return value


NO_SNAPSHOT = "compare: expected two snapshots of a contract"


def paths(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The places inside plain data."""
    keys = (
        value if isinstance(value, dict) else range(len(value)) if isinstance(value, list) else ()
    )
    for key in keys:
        yield (*path, key)
        yield from paths(value[key], (*path, key))


if __name__ == "__main__":
    unittest.main()
