# SPDX-License-Identifier: MIT
"""What all contract classes share: checked fields, strict reading, JSON, pickling, copying."""

from collections.abc import Callable, Mapping
from enum import Enum
from typing import Any, Final, Self, TypeVar

from ._frozen import Frozen
from ._json import dumps, loads
from ._values import (
    MISSING,
    Rule,
    expected,
    is_sequence,
    one_of,
    problem,
    sequence_of,
    under,
)
from .errors import MAX_PROBLEMS, ContractError, Problem

CONTRACT_VERSION: Final = "1"
"""The version of the wire contract. It changes when anything on the wire does."""


ContractT = TypeVar("ContractT", bound="Contract")


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
        return dumps(self.to_dict(), indent)

    def __reduce__(self) -> tuple[Callable[..., Any], tuple[Any, ...]]:
        return self.from_dict, (self.to_dict(),)


def checked(contract: Contract, /, **rules: Rule[Any]) -> None:
    """Check the fields of an object under construction and keep what the rules return.

    Raises:
        ContractError: Some fields cannot be taken; it tells all of them.
    """
    problems: list[Problem] = []
    for name, rule in rules.items():
        given = getattr(contract, name)
        try:
            kept = rule(given)
        except ContractError as error:
            problems += under(name, error)
        else:
            if kept is not given:
                object.__setattr__(contract, name, kept)
    if problems:
        raise ContractError(type(contract).__name__, problems)


def read(
    contract: type[ContractT], data: object, keys: tuple[str, ...], **readers: Rule[Any]
) -> ContractT:
    """Read the wire form of one contract class.

    What is missing or cannot be read is handed on as it is: the constructor refuses it, with
    whatever else is wrong.

    Args:
        contract: The class.
        data: What should be its wire form.
        keys: All keys of the wire form.
        readers: How the values of some keys become what the constructor takes.

    Raises:
        ContractError: It is not the wire form; all problems are told, unknown keys last.
    """
    if not readers and type(data) is dict and tuple(data) == keys:
        return contract._make(data)
    if not isinstance(data, Mapping):
        raise ContractError(contract.__name__, expected("object", data).problems)
    rest = dict(data)
    values = {key: rest.pop(key, MISSING) for key in keys}
    for key, reader in readers.items():
        values[key] = reader(values[key])
    if not rest:
        return contract._make(values)
    problems: list[Problem] = []
    try:
        contract._make(values)
    except ContractError as error:
        problems += error.problems
    for unknown in list(rest)[: MAX_PROBLEMS + 1]:
        problems += _unknown(unknown, keys)
    raise ContractError(contract.__name__, problems)


def _unknown(key: object, known: tuple[str, ...]) -> list[Problem]:
    if not isinstance(key, str):
        return [Problem("", "the keys of an object must be strings")]
    if key == "tool_call_id":
        return under(key, problem("the framework sets it, so leave it out"))
    return under(key, problem(f"unknown field (known: {', '.join(known)})"))


def optional(default: object) -> Rule[Any]:
    """Return the reader of a key that may be absent or null."""
    return lambda value: default if value is MISSING or value is None else value


def word_of(words: type[Enum]) -> Rule[Any]:
    """Return the reader of an enum word."""

    def reader(value: Any) -> Any:
        if isinstance(value, str):
            return words.__members__.get(value, value)
        return expected(one_of(words), value)  # a member is not its word

    return reader


def object_of(contract: type[Contract]) -> Rule[Any]:
    """Return the reader of a nested object."""

    def reader(value: Any) -> Any:
        try:
            return value if value is MISSING else contract.from_dict(value)
        except ContractError as error:
            return error

    return reader


def objects_of(contract: type[Contract]) -> Rule[Any]:
    """Return the reader of an array of nested objects."""
    items = sequence_of(contract.from_dict)

    def reader(value: Any) -> Any:
        try:
            return items(value) if is_sequence(value) else value
        except ContractError as error:
            return error

    return reader
