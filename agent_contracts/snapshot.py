# SPDX-License-Identifier: MIT
"""The whole contract as one JSON value: to publish it, to recognise a copy, to compare two."""

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, fields
from enum import Enum
from typing import Any, get_args

from ._contract import CONTRACT_VERSION, Contract
from ._frozen import Frozen
from .errors import ContractError, Problem
from .status import InvocationStatus
from .tools import AgentToolContracts

__all__ = [
    "CONTRACT_VERSION",
    "Difference",
    "compare",
    "contract_classes",
    "fingerprint",
    "schema_document",
    "snapshot",
]

Json = Mapping[str, Any]


def contract_classes() -> dict[str, type[Contract]]:
    """Return the classes of the contract by name: each tool's request, result and their parts."""
    found: dict[str, type[Contract]] = {}
    for tool in AgentToolContracts.ALL:
        for root in (tool.request, tool.result):
            found |= {part.__name__: part for part in _parts(root) if issubclass(part, Contract)}
    return found


def snapshot() -> dict[str, Any]:
    """Return the contract as fresh plain data: version, tools, enums and all schemas."""
    classes = contract_classes()
    enums = {InvocationStatus.__name__: InvocationStatus} | {
        part.__name__: part
        for contract in classes.values()
        for part in _parts(contract)
        if issubclass(part, Enum)
    }
    return {
        "contract_version": CONTRACT_VERSION,
        "tools": [
            {
                "name": tool.name,
                "title": tool.title,
                "description": tool.description,
                "request": tool.request.__name__,
                "result": tool.result.__name__,
            }
            for tool in AgentToolContracts.ALL
        ],
        "enums": {name: [word.value for word in words] for name, words in enums.items()},
        "schemas": {name: contract.json_schema() for name, contract in classes.items()},
    }


def schema_document(contract: type[Contract]) -> dict[str, Any]:
    """Return the schema of one class as a document of its own, for any JSON Schema tool."""
    head = {"$schema": "https://json-schema.org/draft/2020-12/schema", "title": contract.__name__}
    return head | contract.json_schema()


def fingerprint() -> str:
    """Return `sha256:` and the digest of the snapshot's canonical JSON.

    Canonical is compact UTF-8 with sorted keys (RFC 8785). Copies of one contract have one
    fingerprint, whatever Python runs them and whatever they are called.
    """
    text = json.dumps(snapshot(), ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    return "sha256:" + hashlib.sha256(text.encode()).hexdigest()


def _parts(root: Any) -> Iterator[Any]:
    """The contract classes and enums that a type is made of, outermost first."""
    if not isinstance(root, type):
        for argument in get_args(root):
            yield from _parts(argument)
    elif issubclass(root, Contract):
        yield root
        for field in fields(root):  # type: ignore[arg-type]
            yield from _parts(field.type)
    elif issubclass(root, Enum):
        yield root


@dataclass(frozen=True, slots=True)
class Difference(Frozen):
    """One difference between two snapshots."""

    path: str
    """JSON Pointer into the snapshot."""
    message: str
    """What differs."""
    breaks: str
    """`callers`: a request that was accepted is now refused, or a tool is gone. `readers`: a
    result may now hold what an older strict reader refuses. `nobody`: neither."""

    def __str__(self) -> str:
        place = f"{self.path}: " if self.path else ""
        return f"{place}{self.message} (breaks {self.breaks})"


def compare(before: Json, after: Json) -> tuple[Difference, ...]:
    """Return each difference between two snapshots, and whom it breaks.

    Args:
        before: The snapshot that others rely on.
        after: The snapshot that would replace it.

    Raises:
        ContractError: One of them is not a snapshot.
    """
    try:
        found = tuple(_differences(before, after))
        if not found and before != after:
            found = (Difference("", "other names or another order of the same", "nobody"),)
    except (AttributeError, KeyError, TypeError, RecursionError):
        pass
    else:
        return found
    raise ContractError("compare", [Problem("", "expected two snapshots of a contract")])


def _differences(before: Json, after: Json) -> Iterator[Difference]:
    if before["contract_version"] != after["contract_version"]:
        message = f"was {before['contract_version']}, is {after['contract_version']}"
        yield Difference("/contract_version", message, "nobody")
    old_tools = {tool["name"]: (index, tool) for index, tool in enumerate(before["tools"])}
    new_tools = {tool["name"]: (index, tool) for index, tool in enumerate(after["tools"])}
    for name, (index, old) in old_tools.items():
        if name in new_tools:
            yield from _tool(before, after, old, *new_tools[name])
        else:
            yield Difference(f"/tools/{index}", f"{name} is gone", "callers")
    for name, (index, _) in new_tools.items():
        if name not in old_tools:
            yield Difference(f"/tools/{index}", f"{name} is new", "nobody")
    name = InvocationStatus.__name__  # in no schema; it is read from stores
    yield from _named(
        _words(before["enums"][name], after["enums"][name], f"/enums/{name}"), "nobody", "readers"
    )


def _tool(before: Json, after: Json, old: Json, index: int, new: Json) -> Iterator[Difference]:
    for key in ("title", "description"):
        if old[key] != new[key]:
            yield Difference(f"/tools/{index}/{key}", "other text", "nobody")
    for key, narrower, wider in (("request", "callers", "nobody"), ("result", "nobody", "readers")):
        changes = _schema(
            before["schemas"][old[key]], after["schemas"][new[key]], f"/schemas/{new[key]}"
        )
        yield from _named(changes, narrower, wider)


@dataclass(frozen=True, slots=True)
class _Change:
    """A change of one schema: which values it takes away, and which it lets in."""

    path: str
    message: str
    narrower: bool = False
    wider: bool = False


def _named(changes: Iterable[_Change], narrower: str, wider: str) -> Iterator[Difference]:
    for change in changes:
        hit = {narrower} if change.narrower else set()
        hit |= {wider} if change.wider else set()
        yield Difference(change.path, change.message, min(hit, key=_BREAKS.index, default="nobody"))


_BREAKS = ("callers", "readers", "nobody")
_ANY = "any value"
_COMPARED = {
    "additionalProperties",
    "anyOf",
    "description",
    "enum",
    "format",
    "items",
    "properties",
    "required",
    "type",
}


def _schema(old: Json, new: Json, path: str) -> Iterator[_Change]:
    """The changes between two schemas of the portable subset."""
    if old.get("description") != new.get("description"):
        yield _Change(f"{path}/description", "other text")
    old_types, new_types = _by_type(old), _by_type(new)
    gone = [name for name in old_types if name not in new_types]
    more = [name for name in new_types if name not in old_types]
    if gone or more:
        message = f"was {' or '.join(old_types)}, is {' or '.join(new_types)}"
        narrower = any(not _within(name, new_types) for name in gone)
        wider = any(not _within(name, old_types) for name in more)
        yield _Change(path, message, narrower, wider)
    for name in old_types:
        if name in new_types:
            yield from _same_type(old_types[name], new_types[name], path)


def _by_type(schema: Json) -> dict[str, Json]:
    """The branches of a schema, by JSON type; one without a type takes any value."""
    return {branch.get("type", _ANY): branch for branch in schema.get("anyOf", [schema])}


def _within(name: str, types: Iterable[str]) -> bool:
    """Whether all values of a JSON type are of one of the others."""
    return _ANY in types or (name == "integer" and "number" in types)


def _same_type(old: Json, new: Json, path: str) -> Iterator[_Change]:
    if old.get("format") != new.get("format"):
        message = f"format was {old.get('format', 'none')}, is {new.get('format', 'none')}"
        yield _Change(f"{path}/format", message, "format" in new, "format" in old)
    for keyword in sorted((old.keys() | new.keys()) - _COMPARED):
        if keyword not in old:
            yield _Change(f"{path}/{keyword}", "the keyword is new", narrower=True)
        elif keyword not in new:
            yield _Change(f"{path}/{keyword}", "the keyword is gone", wider=True)
        elif old[keyword] != new[keyword]:
            yield _Change(f"{path}/{keyword}", "the keyword has another value", True, True)
    if "enum" in old and "enum" in new:
        yield from _words(old["enum"], new["enum"], f"{path}/enum")
    elif "enum" in old or "enum" in new:
        yield _Change(f"{path}/enum", "words against any text", "enum" in new, "enum" in old)
    if "items" in old or "items" in new:
        yield from _schema(old.get("items", {}), new.get("items", {}), f"{path}/items")
    if _is_closed(old) or _is_closed(new):
        yield from _closed(old, new, path)


def _words(old: list[str], new: list[str], path: str) -> Iterator[_Change]:
    for word in old:
        if word not in new:
            yield _Change(path, f"{word} is gone", narrower=True)
    for word in new:
        if word not in old:
            yield _Change(path, f"{word} is new", wider=True)


def _is_closed(schema: Json) -> bool:
    return schema.get("additionalProperties") is False


def _closed(old: Json, new: Json, path: str) -> Iterator[_Change]:
    """The changes between two objects of which at least one is closed."""
    for one, other, message in ((old, new, "open now"), (new, old, "closed now")):
        if not _is_closed(other):
            yield _Change(path, message, narrower=one is new, wider=one is old)
            return
    old_properties, new_properties = old["properties"], new["properties"]
    for name, schema in old_properties.items():
        place = f"{path}/properties/{name}"
        was, is_ = name in old["required"], name in new["required"]
        if name not in new_properties:
            # readers who require it miss it; callers who send it are refused
            yield _Change(place, "the field is gone", narrower=True, wider=was)
            continue
        if was is not is_:
            message = "required now" if is_ else "optional now"
            yield _Change(place, message, narrower=is_, wider=was)
        yield from _schema(schema, new_properties[name], place)
    for name in new_properties:
        if name not in old_properties:
            required = name in new["required"]
            message = f"the field is new and {'required' if required else 'optional'}"
            yield _Change(f"{path}/properties/{name}", message, narrower=required, wider=True)
    kept = [name for name in old_properties if name in new_properties]
    if kept != [name for name in new_properties if name in old_properties]:
        yield _Change(f"{path}/properties", "another order")
