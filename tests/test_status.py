# SPDX-License-Identifier: MIT
"""The two status vocabularies, which must never be taken for each other."""

import copy
import pickle
from enum import Enum

from tests import contracts
from tests._samples import ContractCase, contract_classes, fields_of_kind, sample, wire

ENUMS: dict[str, type[Enum]] = {
    "InvocationStatus": contracts.InvocationStatus,
    "EvidenceStatus": contracts.EvidenceStatus,
    "LogTopic": contracts.LogTopic,
    "SourceKind": contracts.SourceKind,
}


class Statuses(ContractCase):
    def test_the_life_cycle_has_three_members(self) -> None:
        self.assertEqual(
            {member.name: member.value for member in contracts.InvocationStatus},
            {"PROJECTING": "PROJECTING", "READY": "READY", "ERROR": "ERROR"},
        )

    def test_what_a_tool_found_has_three_members(self) -> None:
        self.assertEqual(
            {member.name: member.value for member in contracts.EvidenceStatus},
            {
                "EVIDENCE_FOUND": "EVIDENCE_FOUND",
                "NO_EVIDENCE": "NO_EVIDENCE",
                "ERROR": "ERROR",
            },
        )

    def test_a_word_cannot_be_changed(self) -> None:
        for name, words in ENUMS.items():
            for word in words:
                message = f"{name}.{word.name} cannot be changed"
                for attribute in ("_value_", "_name_"):
                    with self.subTest(word=message, attribute=attribute):
                        with self.assertRaises(AttributeError) as caught:
                            setattr(word, attribute, "X")
                        self.assertEqual(str(caught.exception), message)
                        with self.assertRaises(AttributeError) as caught:
                            delattr(word, attribute)
                        self.assertEqual(str(caught.exception), message)
                self.assertEqual((word.name, str(word)), (word.value, word.value))

    def test_the_two_errors_are_never_equal(self) -> None:
        invocation, evidence = contracts.InvocationStatus.ERROR, contracts.EvidenceStatus.ERROR
        self.assertNotEqual(invocation, evidence)
        self.assertEqual(len({invocation, evidence}), 2)

    def test_a_member_is_not_equal_to_its_text(self) -> None:
        for name, words in ENUMS.items():
            for member in words:
                with self.subTest(case=f"{name}.{member.name}"):
                    self.assertNotIsInstance(member, str)
                    self.assertNotEqual(member, member.value)

    def test_a_member_is_printed_as_its_wire_value(self) -> None:
        for name, words in ENUMS.items():
            for member in words:
                with self.subTest(case=f"{name}.{member.name}"):
                    self.assertEqual(str(member), member.value)
                    self.assertEqual(f"{member}", member.value)
                    self.assertEqual(f"{member:>20}", member.value.rjust(20))

    def test_a_member_is_itself_after_pickling_and_copying(self) -> None:
        for name, words in ENUMS.items():
            for member in words:
                for protocol in range(2, pickle.HIGHEST_PROTOCOL + 1):
                    with self.subTest(case=f"{name}.{member.name}", protocol=protocol):
                        self.assertIs(pickle.loads(pickle.dumps(member, protocol)), member)
                self.assertIs(copy.copy(member), member)
                self.assertIs(copy.deepcopy(member), member)

    def test_no_enumeration_has_aliases(self) -> None:
        for name, words in ENUMS.items():
            with self.subTest(case=name):
                self.assertEqual(len(words.__members__), len(list(words)))

    def test_the_life_cycle_is_in_no_contract_class(self) -> None:
        for name, contract in contract_classes().items():
            with self.subTest(case=name):
                self.assertNotIn("PROJECTING", str(contract.json_schema()))
                self.assertNotIn("READY", str(contract.json_schema()))


class StatusesInResults(ContractCase):
    def test_every_result_takes_every_evidence_status(self) -> None:
        for name, field in fields_of_kind("EvidenceStatus"):
            for status in contracts.EvidenceStatus:
                with self.subTest(case=f"{name}, {status}"):
                    made = sample(name, **{field: status})
                    self.assertIs(made.status, status)
                    self.assertEqual(made.to_dict()["status"], status.value)
                    self.assertEqual(type(made).from_json(made.to_json()), made)

    def test_a_result_refuses_the_status_of_an_invocation(self) -> None:
        right = "expected one of EVIDENCE_FOUND, NO_EVIDENCE, ERROR"
        for name, field in fields_of_kind("EvidenceStatus"):
            with self.subTest(case=name):
                self.refused(
                    f"{name}: /status: {right}, got a value that is not JSON",
                    sample,
                    name,
                    **{field: contracts.InvocationStatus.ERROR},
                )
                self.refused(
                    f'{name}: /status: {right}, got "READY"',
                    contract_classes()[name].from_dict,
                    wire(name) | {"status": "READY"},
                )

    def test_words_are_taken_in_their_own_spelling_only(self) -> None:
        for kind in ("EvidenceStatus", "LogTopic", "SourceKind"):
            right = f"expected one of {', '.join(ENUMS[kind].__members__)}"
            for name, field in fields_of_kind(kind):
                word = next(iter(ENUMS[kind])).name
                for other in (word.lower(), word.title(), word + " ", word[:3], f"{kind}.{word}"):
                    with self.subTest(case=f"{name}.{field}: {other}"):
                        self.refused(
                            f'{name}: /{field}: {right}, got "{other}"',
                            contract_classes()[name].from_dict,
                            wire(name) | {field: other},
                        )
                        self.refused(
                            f'{name}: /{field}: {right}, got "{other}"',
                            sample,
                            name,
                            **{field: other},
                        )

    def test_a_constructor_wants_the_member_and_not_its_text(self) -> None:
        for kind in ("EvidenceStatus", "LogTopic", "SourceKind"):
            for name, field in fields_of_kind(kind):
                word = next(iter(ENUMS[kind])).name
                with self.subTest(case=f"{name}.{field}"):
                    self.refused(
                        f"{name}: /{field}: expected the enum member {kind}.{word}, got string",
                        sample,
                        name,
                        **{field: word},
                    )
