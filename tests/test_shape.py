# SPDX-License-Identifier: MIT
"""What all contract classes have in common, checked by reflection, so that a new one joins in."""

import ast
import concurrent.futures
import copy
import dataclasses
import inspect
import multiprocessing
import pathlib
import pickle
import typing
from collections.abc import Iterator
from enum import Enum
from typing import Any

from tests import contracts, module
from tests._samples import (
    KINDS,
    ContractCase,
    contract_classes,
    sample,
    samples,
    wire,
    wrong_values,
)

PACKAGE = pathlib.Path(contracts.__file__).parent
PUBLIC_MODULES = ("errors", "logs", "mysql", "rag", "status", "tools")


class Registry(ContractCase):
    def test_every_contract_class_is_found_from_the_tools_and_has_cases(self) -> None:
        found = contract_classes()
        self.assertEqual(set(found), set(KINDS))
        exported = {
            name
            for name in contracts.__all__
            if inspect.isclass(getattr(contracts, name))
            and issubclass(getattr(contracts, name), module("_contract").Contract)
        }
        self.assertEqual(exported, set(found))

    def test_every_field_has_a_case_and_every_case_a_field(self) -> None:
        for name, contract in contract_classes().items():
            with self.subTest(case=name):
                fields = [field.name for field in dataclasses.fields(contract)]
                self.assertEqual(list(KINDS[name]), fields)
                for kind in KINDS[name].values():
                    self.assertTrue(list(wrong_values(kind, on_the_wire=True)))

    def test_fields_wire_form_and_schema_are_in_one_order(self) -> None:
        for label, made in samples():
            schema = type(made).json_schema()
            fields = [field.name for field in dataclasses.fields(made)]
            with self.subTest(case=label):
                self.assertEqual(list(made.to_dict()), fields)
                self.assertEqual(list(schema["properties"]), fields)

    def test_the_required_properties_are_the_fields_without_a_default(self) -> None:
        for name, contract in contract_classes().items():
            required = [
                field.name
                for field in dataclasses.fields(contract)
                if field.default is dataclasses.MISSING
            ]
            with self.subTest(case=name):
                self.assertEqual(contract.json_schema()["required"], required)

    def test_an_absent_key_means_the_default_of_the_field(self) -> None:
        absent = 0
        for name, contract in contract_classes().items():
            for field in dataclasses.fields(contract):
                if field.default is dataclasses.MISSING:
                    continue
                absent += 1
                payload = wire(name)
                del payload[field.name]
                with self.subTest(case=f"{name}.{field.name}"):
                    read = contract.from_dict(payload)
                    self.assertEqual(getattr(read, field.name), field.default)
        self.assertEqual(absent, 2)

    def test_every_class_is_a_frozen_slotted_dataclass_by_keyword(self) -> None:
        for label, made in samples():
            with self.subTest(case=label):
                self.assert_frozen(made)
                self.assertEqual(type(made).__match_args__, ())
                self.assertTrue(all(field.kw_only for field in dataclasses.fields(made)))

    def test_every_class_defines_its_own_methods_in_one_order(self) -> None:
        expected = ["__post_init__", "from_dict", "to_dict", "json_schema"]
        private = {"MysqlToolResult": ["_json_form"]}
        for name, node in _classes("rag", "logs", "mysql"):
            if name not in KINDS:
                continue
            methods = [part.name for part in node.body if isinstance(part, ast.FunctionDef)]
            with self.subTest(case=name):
                self.assertEqual(methods, expected + private.get(name, []))

    def test_wire_keys_are_the_names_of_the_fields_in_snake_case(self) -> None:
        for name, made in samples():
            for key in made.to_dict():
                with self.subTest(case=f"{name}.{key}"):
                    self.assertRegex(key, r"\A[a-z]+(_[a-z]+)*\Z")


class Values(ContractCase):
    def test_objects_are_equal_by_value_and_hashable(self) -> None:
        for (label, made), (_, again) in zip(samples(), samples(), strict=True):
            with self.subTest(case=label):
                self.assertIsNot(made, again)
                self.assertEqual(made, again)
                self.assertEqual(hash(made), hash(again))
                self.assertEqual(len({made, again}), 1)
                self.assertIn(again, {made: 1})
                self.assertNotEqual(made, made.to_dict())

    def test_objects_of_different_values_or_classes_are_not_equal(self) -> None:
        everything = dict(samples())
        self.assertEqual(len(set(everything.values())), len(everything))
        for label, made in everything.items():
            equal = [other for other, value in everything.items() if value == made]
            self.assertEqual(equal, [label])

    def test_every_field_counts_for_equality(self) -> None:
        for name, contract in contract_classes().items():
            full, odd = wire(name), wire(name, "odd")
            for key in full:
                if full[key] == odd[key] or key in ("columns", "rows"):
                    continue
                with self.subTest(case=f"{name}.{key}"):
                    changed = contract.from_dict(full | {key: odd[key]})
                    self.assertNotEqual(changed, contract.from_dict(full))

    def test_copies_are_the_object_itself(self) -> None:
        for label, made in samples():
            with self.subTest(case=label):
                self.assertIs(copy.copy(made), made)
                self.assertIs(copy.deepcopy(made), made)
                self.assertIs(copy.deepcopy([made])[0], made)

    def test_pickling_with_every_protocol_gives_an_equal_object(self) -> None:
        for label, made in samples():
            for protocol in range(2, pickle.HIGHEST_PROTOCOL + 1):
                with self.subTest(case=label, protocol=protocol):
                    read = pickle.loads(pickle.dumps(made, protocol))
                    self.assertIs(type(read), type(made))
                    self.assertEqual(read, made)
                    self.assertEqual(read.to_json(), made.to_json())
                    self.assert_frozen(read)

    def test_objects_go_to_another_process_and_come_back(self) -> None:
        everything = [made for _, made in samples()]
        spawn = multiprocessing.get_context("spawn")
        with concurrent.futures.ProcessPoolExecutor(1, mp_context=spawn) as pool:
            returned = list(pool.map(copy.copy, everything))
        self.assertEqual(returned, everything)
        for made, read in zip(everything, returned, strict=True):
            self.assertIsNot(made, read)
            self.assertEqual(read.to_json(), made.to_json())

    def test_objects_can_be_matched_by_keyword(self) -> None:
        matched: list[Any] = []
        for tool in contracts.AgentToolContracts.ALL:
            for made in (sample(tool.request.__name__), sample(tool.result.__name__)):
                match made:
                    case contracts.RagToolRequest(query=query):
                        matched.append(query)
                    case contracts.QueryLogsToolRequest(topic=topic, lookback_minutes=int(minutes)):
                        matched.append((topic, minutes))
                    case contracts.MysqlToolRequest(params=[first, *_]):
                        matched.append(first)
                    case contracts.RagToolResult(
                        evidence=[contracts.RagEvidence(section=None, source=source), *_]
                    ):
                        matched.append(source)
                    case contracts.QueryLogsToolResult(scope=contracts.LogScope(query=query)):
                        matched.append(query)
                    case contracts.MysqlToolResult(rows=[{"id": number}, _]):
                        matched.append(number)
        self.assertEqual(
            matched,
            [
                "连接池 exhausted 🎉",
                "a.md",
                (contracts.LogTopic.APPLICATION, 60),
                "restart",
                "a",
                9007199254740991,
            ],
        )

    def test_a_repr_shows_every_field_by_name(self) -> None:
        for label, made in samples():
            with self.subTest(case=label):
                for field in dataclasses.fields(made):
                    self.assertIn(f"{field.name}=", repr(made))

    def test_annotations_can_be_resolved(self) -> None:
        for name, contract in contract_classes().items():
            with self.subTest(case=name):
                self.assertEqual(list(typing.get_type_hints(contract)), list(KINDS[name]))


class PublicNames(ContractCase):
    expected = (
        "CONTRACT_VERSION",
        "AgentToolContracts",
        "ContractError",
        "EvidenceStatus",
        "InvocationStatus",
        "LogEvent",
        "LogPattern",
        "LogScope",
        "LogTopic",
        "MysqlToolRequest",
        "MysqlToolResult",
        "Problem",
        "QueryLogsToolRequest",
        "QueryLogsToolResult",
        "RagEvidence",
        "RagToolRequest",
        "RagToolResult",
        "SourceKind",
        "ToolContract",
        "rfc3339",
    )

    def test_the_package_exports_exactly_these_names(self) -> None:
        self.assertEqual(tuple(contracts.__all__), self.expected)
        self.assertEqual(contracts.CONTRACT_VERSION, "1")

    def test_all_lists_are_sorted_and_resolve(self) -> None:
        modules = [contracts, *(module(name) for name in PUBLIC_MODULES)]
        for each in modules:
            names = list(each.__all__)
            with self.subTest(case=each.__name__):
                # constants first, then classes, then functions, as the linter sorts them
                key = [(not name.isupper(), name[0].islower(), name) for name in names]
                self.assertEqual(key, sorted(key))
                self.assertEqual(len(set(names)), len(names))
                for name in names:
                    self.assertIsNotNone(getattr(each, name))

    def test_a_public_name_is_one_object_wherever_it_is_found(self) -> None:
        for name in PUBLIC_MODULES:
            for public in module(name).__all__:
                with self.subTest(case=f"{name}.{public}"):
                    exported = getattr(contracts, public, getattr(module(name), public))
                    self.assertIs(exported, getattr(module(name), public))

    def test_every_public_module_class_method_and_function_says_what_it_is(self) -> None:
        for path in sorted(PACKAGE.glob("*.py")):
            tree = ast.parse(path.read_text(encoding="utf-8"))
            with self.subTest(case=path.name):
                self.assertTrue(ast.get_docstring(tree))
            for owner, node in _definitions(tree):
                if node.name.startswith("_") or (path.name.startswith("_") and owner is None):
                    continue
                with self.subTest(case=f"{path.name}: {owner or ''}.{node.name}"):
                    self.assertTrue(ast.get_docstring(node))

    def test_every_field_and_every_enum_member_has_a_text_below_it(self) -> None:
        seen = set()
        for name, node in _classes(*PUBLIC_MODULES):
            public = getattr(contracts, name, None)
            if public is None or not (dataclasses.is_dataclass(public) or issubclass(public, Enum)):
                continue
            for line, following in zip(node.body, [*node.body[1:], None], strict=True):
                if isinstance(line, ast.AnnAssign):
                    target: ast.expr = line.target
                elif isinstance(line, ast.Assign):
                    target = line.targets[0]
                else:
                    continue
                seen.add(f"{name}.{ast.unparse(target)}")
                with self.subTest(case=f"{name}.{ast.unparse(target)}"):
                    self.assertIsInstance(following, ast.Expr)
                    text = following.value if isinstance(following, ast.Expr) else None
                    self.assertIsInstance(text, ast.Constant)
                    said = text.value if isinstance(text, ast.Constant) else None
                    self.assertIsInstance(said, str)
                    self.assertGreater(len(str(said).split()), 1)
        fields = {f"{name}.{field}" for name, kinds in KINDS.items() for field in kinds}
        self.assertLessEqual(fields, seen)
        for words in ("InvocationStatus.READY", "EvidenceStatus.ERROR", "SourceKind.MOCK"):
            self.assertIn(words, seen)


def _classes(*names: str) -> Iterator[tuple[str, ast.ClassDef]]:
    """Yield the classes of some modules of the package, as they are written."""
    for name in names:
        tree = ast.parse((PACKAGE / f"{name}.py").read_text(encoding="utf-8"))
        for node in tree.body:
            if isinstance(node, ast.ClassDef):
                yield node.name, node


def _definitions(
    tree: ast.Module,
) -> Iterator[tuple[str | None, ast.ClassDef | ast.FunctionDef]]:
    """Yield the classes, methods and functions of a module, with the class they are in."""
    for node in tree.body:
        if isinstance(node, ast.ClassDef):
            yield None, node
            for part in node.body:
                if isinstance(part, ast.FunctionDef) and not node.name.startswith("_"):
                    yield node.name, part
        elif isinstance(node, ast.FunctionDef):
            yield None, node
