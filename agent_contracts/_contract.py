# SPDX-License-Identifier: MIT
"""What all contract classes share: checked fields, strict reading, JSON, pickling, copying."""

from collections.abc import Callable, Iterable, Mapping
from enum import Enum
from itertools import islice
from typing import Any, Final, Self, TypeVar

from ._frozen import Frozen
from ._json import dumps, loads
from ._values import MISSING, Rule, expected, problem, under
from .errors import MAX_PROBLEMS, ContractError, Problem

CONTRACT_VERSION: Final = "1"
"""The version of the wire contract. It changes when anything on the wire does."""

ContractT = TypeVar("ContractT", bound="Contract")
Rules = dict[str, Rule[Any]]
"""The rule of each field, by its name, in the order of the fields."""


class WireEnum(Enum):
    """An enumeration whose members are written as their names, and stay as they are."""

    def __str__(self) -> str:
        return str(self.value)

    def __setattr__(self, name: str, value: object) -> None:
        if name in self.__dict__:
            raise AttributeError(f"{type(self).__name__}.{self} cannot be changed")
        super().__setattr__(name, value)

    def __delattr__(self, name: str) -> None:
        raise AttributeError(f"{type(self).__name__}.{self} cannot be changed")


class Contract(Frozen):
    """The base of all contract classes: frozen dataclasses that are equal to their JSON.

    Objects are equal by value, hashable, frozen to the bottom, and can be pickled, copied
    and matched. A subclass writes out its fields, its checks and its wire form.
    """

    __slots__ = ()

    @classmethod
    def from_dict(cls, data: Mapping[str, Any], /) -> Self:
        """Read the wire form from plain data."""
        raise NotImplementedError

    def to_dict(self) -> dict[str, Any]:
        """Return the wire form as fresh plain data."""
        raise NotImplementedError

    @classmethod
    def json_schema(cls) -> dict[str, Any]:
        """Return a fresh JSON Schema of the wire form."""
        raise NotImplementedError

    @classmethod
    def from_json(cls, text: str | bytes | bytearray, /) -> Self:
        """Read the wire form from JSON text.

        Args:
            text: One JSON object, as text or as UTF-8 bytes. One byte order mark in front is
                skipped; nothing else is repaired.

        Returns:
            The object, which is equal to what was written.

        Raises:
            ContractError: The text is not one JSON object that keeps the contract. All its
                problems are told at once.
        """
        try:
            data = loads(text)
        except ContractError as error:
            (reason,) = error.problems
        else:
            return cls.from_dict(data)
        right = f"expected one JSON object with {', '.join(cls.json_schema()['required'])}"
        raise ContractError(cls.__name__, [Problem("", f"{reason.message}; {right}")])

    def to_json(self, *, indent: int | None = None) -> str:
        """Write the wire form as strict JSON text with real characters.

        Args:
            indent: Spaces a level; None writes it compact, on one line.

        Returns:
            Text that always encodes to UTF-8.
        """
        return dumps(self._json_form(), indent)

    def _json_form(self) -> dict[str, Any]:
        """Return the wire form, in which tuples and read-only mappings may stand."""
        return self.to_dict()

    def __reduce__(self) -> tuple[Callable[..., Any], tuple[Any, ...]]:
        return self.from_dict, (self.to_dict(),)


def checked(contract: Contract, rules: Rules) -> None:
    """Check the fields of an object under construction and keep what the rules return.

    Raises:
        ContractError: Some fields cannot be taken; it tells all of them.
    """
    _fill(contract, rules, {name: getattr(contract, name) for name in rules})


def read(contract: type[ContractT], data: object, rules: Rules) -> ContractT:
    """Read the wire form of one contract class.

    Args:
        contract: The class.
        data: What should be its wire form.
        rules: The rules of all fields. What they return needs no check by the constructor.

    Raises:
        ContractError: It is not the wire form; all problems are told, unknown keys last.
    """
    if type(data) is not dict:
        if not isinstance(data, Mapping):
            right = f"{contract.__name__} object" if data is MISSING else "object"
            raise ContractError(contract.__name__, expected(right, data).problems)
        data = dict(data)
    made = object.__new__(contract)
    _fill(made, rules, data)
    return made


def _fill(contract: Contract, rules: Rules, given: dict[Any, Any]) -> None:
    """Set all fields of a new object to what the rules return for what is given."""
    setters = contract._setters
    problems: list[Problem] = []
    absent = 0
    for name, rule in rules.items():
        try:
            value = given[name]
        except KeyError:
            value = MISSING
            absent += 1
        try:
            setters[name](contract, rule(value))
        except ContractError as error:
            problems += under(name, error)
    if len(given) + absent > len(rules):
        unknown = (key for key in given if key not in rules)
        for key in islice(unknown, MAX_PROBLEMS + 1):
            problems += _unknown(key, rules)
    if problems:
        raise ContractError(type(contract).__name__, problems)


def _unknown(key: object, known: Iterable[str]) -> list[Problem]:
    if not isinstance(key, str):
        return [Problem("", "the keys of an object must be strings")]
    if key == "tool_call_id":
        return under(key, problem("the framework sets it, so leave it out"))
    return under(key, problem(f"unknown field (known: {', '.join(known)})"))
