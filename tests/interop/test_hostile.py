# SPDX-License-Identifier: MIT
"""Hostile input and hostile callers.

Whatever is read, it is accepted and comes back the same, or a ContractError tells why, within
seconds and a small multiple of the memory that JSON itself takes. Whatever is tried on an object,
it stays as it is. INTEROP_FUZZ_SECONDS (30 unless set) and INTEROP_MEGABYTES (1 and 10 unless set;
100 is the long run) make it try harder.
"""

import copy
import io
import os
import pickle
import random
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from types import MappingProxyType
from typing import Any

import pytest
from invariant import CONTRACTS, LONGEST, check
from sizes import SHAPES, measure
from verdicts import CONTRACTS as ALL_CONTRACTS

from agent_contracts import (
    AgentToolContracts,
    ContractError,
    EvidenceStatus,
    InvocationStatus,
    LogTopic,
    MysqlToolRequest,
    MysqlToolResult,
    Problem,
    QueryLogsToolResult,
    RagEvidence,
    RagToolRequest,
    RagToolResult,
    SourceKind,
    definitions,
    snapshot,
)

HERE = Path(__file__).resolve().parent
PAYLOADS = HERE.parents[1] / "docs" / "examples" / "payloads"
FUZZ_SECONDS = int(os.environ.get("INTEROP_FUZZ_SECONDS", "30"))
MEGABYTES = [int(size) for size in os.environ.get("INTEROP_MEGABYTES", "1,10").split(",")]

each_contract = pytest.mark.parametrize("contract", CONTRACTS, ids=lambda c: c.__name__)


# -- any input -----------------------------------------------------------------------------------


def examples() -> Iterator[bytes]:
    for pattern in ("*/*.json", "*/refused/*.json", "*/refused/*.input.txt"):
        files = sorted(PAYLOADS.glob(pattern))
        assert files, pattern
        for file in files:
            yield file.read_bytes()


def valid_texts(contract: Any) -> list[bytes]:
    texts = []
    for text in examples():
        try:
            contract.from_json(text)
        except ContractError:
            continue
        texts.append(text)
    return texts


@each_contract
def test_every_input_of_the_corpus_keeps_the_promise(contract: Any) -> None:
    files = sorted((HERE / "corpus").iterdir())
    assert files
    for file in files:
        check(contract, file.read_bytes())


@each_contract
def test_every_prefix_and_every_gap_of_the_examples_keeps_the_promise(
    contract: Any, tell: Callable[[str], None]
) -> None:
    tried = accepted = 0
    for text in valid_texts(contract):
        for end in range(len(text.rstrip())):
            assert not check(contract, text[:end])
            accepted += check(contract, text[:end] + text[end + 1 :])
            tried += 2
    assert tried > 100
    tell(f"{contract.__name__}: {tried} cut examples, {accepted} of them still whole")


@each_contract
def test_spliced_bytes_keep_the_promise(contract: Any, tell: Callable[[str], None]) -> None:
    chance = random.Random(1)
    texts = [text for text in examples() if text]
    tokens = [
        b'"',
        b"\\",
        b"\\ud83d",
        b"\xff",
        b"\xef\xbb\xbf",
        b"\0",
        b"{",
        b"]",
        b"1e400",
        b"NaN",
    ]
    tokens += [
        b",",
        b":",
        b"null",
        b"\\u0000",
        b"```",
        b"-",
        b"9" * 400,
        b"[" * 5000,
        b'{"a":' * 99,
    ]
    counts = {True: 0, False: 0}
    for _ in range(3000):
        one, other = chance.choice(texts), chance.choice(texts)
        place = chance.randrange(len(one))
        middle = chance.choice([*tokens, other[: chance.randrange(60)]])
        text = one[:place] + middle + one[place + chance.choice([0, 1, len(middle)]) :]
        counts[check(contract, text)] += 1
    assert counts[False] > 100
    tell(f"{contract.__name__}: {counts[True]} spliced inputs taken, {counts[False]} refused")


def test_fuzzing_guided_by_coverage_finds_nothing(
    tmp_path: Path, tell: Callable[[str], None]
) -> None:
    failures = tmp_path / "failures"
    failures.mkdir()
    done = subprocess.run(
        [sys.executable, HERE / "fuzz.py", "--seconds", str(FUZZ_SECONDS), "--failures", failures],
        capture_output=True,
        encoding="utf-8",
        errors="replace",
        timeout=FUZZ_SECONDS + 120,
        env={**os.environ, "TMPDIR": str(tmp_path)},
        check=False,
    )
    assert done.returncode == 0, done.stdout[-4000:] + done.stderr[-2000:]
    assert list(failures.iterdir()) == []
    (runs, seconds) = re.search(r"Done (\d+) runs in (\d+) second", done.stderr).groups()  # type: ignore[union-attr]
    reached = [int(count) for count in re.findall(r" cov: (\d+) ", done.stderr)]
    assert int(runs) > 1000 * FUZZ_SECONDS / 10
    assert reached[-1] > 200, "the package is not instrumented"
    tell(
        f"atheris: {int(runs):,} inputs in {seconds} s, {reached[-1]} branches reached, 0 failures"
    )


@pytest.mark.parametrize("shape", SHAPES)
def test_large_payloads_take_little_more_than_json_itself(
    shape: str, tell: Callable[[str], None]
) -> None:
    contract, accepted, _ = SHAPES[shape]
    costs = []
    for megabytes in MEGABYTES:
        ours, alone = measure(shape, megabytes), measure(shape, megabytes, "json")
        tell(
            f"{contract}, {shape}, {megabytes} MB: {ours.seconds:.2f} s, {ours.megabytes:.0f} MB; "
            f"json.loads alone: {alone.seconds:.2f} s, {alone.megabytes:.0f} MB"
        )
        assert ours.accepted == accepted
        assert ours.told <= LONGEST
        assert ours.megabytes <= 3 * alone.megabytes + 8 * megabytes + 10
        assert ours.seconds <= 0.5 * megabytes + 1, "processor time"
        costs.append(ours)
    if len(costs) > 1:
        grown = MEGABYTES[-1] / MEGABYTES[0]
        assert costs[-1].seconds <= 2.5 * grown * costs[0].seconds + 0.5, "it grows out of line"


# -- any caller ----------------------------------------------------------------------------------

RESULT = RagToolResult(
    tool_call_id="call_1",
    status=EvidenceStatus.EVIDENCE_FOUND,
    query="pool",
    evidence_count=1,
    truncated=False,
    evidence=(RagEvidence(source="a.md", section=None, content="text"),),
)
ROWS = MysqlToolResult(
    tool_call_id="call_2",
    status=EvidenceStatus.EVIDENCE_FOUND,
    row_count=1,
    truncated=False,
    columns=("id", "document"),
    rows=({"id": 1, "document": {"list": (1, {"k": "v"})}},),
)


def objects() -> dict[str, Any]:
    """One object of each public kind."""
    made: dict[str, Any] = {"Problem": Problem("/a", "wrong")}
    for contract in ALL_CONTRACTS:
        made[contract.__name__] = None
    for text in examples():
        for contract in CONTRACTS:
            try:
                made[contract.__name__] = contract.from_json(text)
            except ContractError:
                continue
    logs = made["QueryLogsToolResult"]
    found = (PAYLOADS / "query_logs" / "found.json").read_bytes()
    logs = QueryLogsToolResult.from_json(found)
    made |= {
        "RagEvidence": RESULT.evidence[0],
        "LogScope": logs.scope,
        "LogPattern": logs.patterns[0],
        "LogEvent": logs.timeline_events[0],
        "ToolContract": AgentToolContracts.QUERY_LOGS,
    }
    assert None not in made.values()
    return made


OBJECTS = objects()
each_object = pytest.mark.parametrize("name", OBJECTS)


def fields(made: Any) -> list[str]:
    return list(type(made).__dataclass_fields__)


def other_than(made: Any) -> Any:
    """Return another class with the same layout, for its `__class__`."""
    return type("Other", (), {"__slots__": tuple(fields(made))})


def twisted(made: Any) -> dict[str, Any]:
    """Values of the right types, so that only being finished can refuse them."""
    values = {name: getattr(made, name) for name in fields(made)}
    for name, value in values.items():
        if type(value) is str and name not in ("start_time", "end_time", "timestamp"):
            values[name] = value if name in ("first_seen", "last_seen") else f"{value} changed"
    return values


def pickled_state(made: Any) -> object:
    """Put an object into a pickle that gives it a new state: memo 0, MARK, state, BUILD."""

    class Unpickler(pickle.Unpickler):
        def persistent_load(self, _: Any) -> Any:
            return made

    name = fields(made)[0].encode()
    state = b"N}" + b"\x8c" + bytes([len(name)]) + name + b"\x8c\x07changed" + b"s" + b"\x86"
    return Unpickler(io.BytesIO(b"\x80\x04" + b"K\x00Q" + state + b"b.")).load()


ATTACKS: dict[str, Callable[[Any], object]] = {
    "set the first field": lambda made: setattr(made, fields(made)[0], "changed"),
    "set the last field": lambda made: setattr(made, fields(made)[-1], "changed"),
    "delete the first field": lambda made: delattr(made, fields(made)[0]),
    "delete the last field": lambda made: delattr(made, fields(made)[-1]),
    "set something new": lambda made: setattr(made, "extra", 1),
    "replace a method": lambda made: setattr(made, "to_dict", dict),
    "its __dict__": lambda made: made.__dict__.update({fields(made)[0]: "changed"}),
    "vars": lambda made: vars(made).update({fields(made)[0]: "changed"}),
    "its __setattr__": lambda made: made.__setattr__(fields(made)[0], "changed"),
    "its __delattr__": lambda made: made.__delattr__(fields(made)[0]),
    "its __class__": lambda made: setattr(made, "__class__", other_than(made)),
    "its __init__ again": lambda made: made.__init__(**dict.fromkeys(fields(made), "changed")),
    "its __init__ with the right types": lambda made: made.__init__(**twisted(made)),
    "the __init__ of its class": lambda made: type(made).__init__(made, **twisted(made)),
    "its __post_init__ again": lambda made: made.__post_init__(),
    "its __setstate__ with a list": lambda made: made.__setstate__(["changed"] * 20),
    "its __setstate__ with a dict": lambda made: made.__setstate__({fields(made)[0]: "changed"}),
    "its __setstate__ with slots": lambda made: made.__setstate__(
        (None, {fields(made)[0]: "changed"})
    ),
    "a pickled state": pickled_state,
    "an item": lambda made: made.__setitem__(fields(made)[0], "changed"),
    "in-place or": lambda made: made.__ior__({fields(made)[0]: "changed"}),
}


@pytest.mark.parametrize("attack", ATTACKS)
@each_object
def test_no_object_can_be_changed(name: str, attack: str) -> None:
    made = pickle.loads(pickle.dumps(OBJECTS[name]))  # our own: an attack may succeed
    before = (repr(made), hash(made), [getattr(made, field) for field in fields(made)])
    cls = type(made)
    try:
        ATTACKS[attack](made)
    except (AttributeError, TypeError, ContractError):
        refused = True
    else:
        refused = False
    assert (repr(made), hash(made), [getattr(made, field) for field in fields(made)]) == before
    assert type(made) is cls
    if hasattr(made, "to_json"):
        assert cls.from_json(made.to_json()) == made
    assert refused or attack == "its __post_init__ again"


CHANGES_OF_A_MAPPING: dict[str, Callable[[Any], object]] = {
    "set an item": lambda row: row.__setitem__("id", 2),
    "set a new item": lambda row: row.__setitem__("extra", 2),
    "delete an item": lambda row: row.__delitem__("id"),
    "update": lambda row: row.update(id=2),
    "clear": lambda row: row.clear(),
    "pop": lambda row: row.pop("id"),
    "popitem": lambda row: row.popitem(),
    "setdefault": lambda row: row.setdefault("extra", 2),
    "in-place or": lambda row: row.__ior__({"id": 2}),
    "__init__": lambda row: row.__init__({"id": 2}),
    "an attribute": lambda row: setattr(row, "extra", 2),
    "its class": lambda row: setattr(row, "__class__", dict),
    "the keys": lambda row: row.keys().__iand__(set()),
    "the values": lambda row: row.values().append(2),
}


@pytest.mark.parametrize("change", CHANGES_OF_A_MAPPING)
def test_no_row_and_no_document_in_it_can_be_changed(change: str) -> None:
    before = ROWS.to_json()
    document = ROWS.rows[0]["document"]
    assert isinstance(document, MappingProxyType)
    for mapping in (ROWS.rows[0], document, document["list"][1]):
        try:
            CHANGES_OF_A_MAPPING[change](mapping)
        except (AttributeError, TypeError):
            refused = True
        else:
            refused = False
        assert refused or change == "__init__"  # object's own, which does nothing
        assert ROWS.to_json() == before


def test_operators_in_place_make_another_object() -> None:
    before = ROWS.to_json()
    with pytest.raises(TypeError):
        ROWS.rows[0] |= {"id": 2}  # type: ignore[index,operator]
    with pytest.raises(AttributeError):
        ROWS.rows += ({"id": 2},)  # type: ignore[misc]
    with pytest.raises(AttributeError):
        AgentToolContracts.ALL += ()  # type: ignore[misc]
    row = ROWS.rows[0]
    with pytest.raises(TypeError):
        row |= {"id": 2}  # type: ignore[operator]
    assert ROWS.to_json() == before


def test_what_the_caller_gave_and_what_it_got_are_its_own() -> None:
    document = {"list": [1, {"k": "v"}], "bytes": bytearray(b"a")}
    row = {"id": 1, "document": document}
    columns = ["id", "document"]
    rows = [row]
    made = MysqlToolResult(
        tool_call_id="call_1",
        status=EvidenceStatus.EVIDENCE_FOUND,
        row_count=1,
        truncated=False,
        columns=columns,  # type: ignore[arg-type]
        rows=rows,  # type: ignore[arg-type]
    )
    before = made.to_json()
    document["list"][1]["k"] = "changed"  # type: ignore[index]
    document["bytes"][0] = 0  # type: ignore[index]
    row["id"] = 2
    rows.append({})
    columns.clear()
    got = made.to_dict()
    got["rows"][0]["document"]["list"][1]["k"] = "changed"
    got["columns"].clear()
    got.clear()
    assert made.to_json() == before


def scrambled(value: Any) -> None:
    """Empty every dict and list in a value."""
    for item in list(value.values() if isinstance(value, dict) else value):
        if isinstance(item, dict | list):
            scrambled(item)
    value.clear()


@pytest.mark.parametrize("contract", ALL_CONTRACTS, ids=lambda c: c.__name__)
def test_an_exported_schema_that_a_host_empties_comes_whole_the_next_time(contract: Any) -> None:
    before = copy.deepcopy(contract.json_schema())
    scrambled(contract.json_schema())
    assert contract.json_schema() == before


def test_definitions_and_snapshots_that_a_host_empties_come_whole_the_next_time() -> None:
    makers = [
        *(
            lambda make=make, tool=tool: make(tool)
            for make in (
                definitions.openai_chat,
                definitions.openai_responses,
                definitions.anthropic,
                definitions.gemini,
                definitions.mcp,
                definitions.spring_ai,
            )
            for tool in AgentToolContracts.ALL
        ),
        snapshot.snapshot,
    ]
    for make in makers:
        before = copy.deepcopy(make())
        scrambled(make())
        assert make() == before


ATTACKS_ON_THE_REGISTRY: dict[str, Callable[[], object]] = {
    "set ALL": lambda: setattr(AgentToolContracts, "ALL", ()),
    "set a tool": lambda: setattr(AgentToolContracts, "QUERY_LOGS", None),
    "set something new": lambda: setattr(AgentToolContracts, "QUERY_METRICS", None),
    "replace a method": lambda: setattr(AgentToolContracts, "named", None),
    "delete ALL": lambda: delattr(AgentToolContracts, "ALL"),
    "delete a tool": lambda: delattr(AgentToolContracts, "QUERY_LOGS"),
    "set through an object of it": lambda: setattr(AgentToolContracts(), "ALL", ()),
    "its __dict__": lambda: AgentToolContracts.__dict__.update(ALL=()),  # type: ignore[attr-defined]
    "its __class__": lambda: setattr(AgentToolContracts, "__class__", type),
    "its __init__ again": lambda: AgentToolContracts.__class__.__init__(  # type: ignore[call-arg]
        AgentToolContracts, "AgentToolContracts", (), {"ALL": ()}
    ),
    "an item of ALL": lambda: AgentToolContracts.ALL.__setitem__(0, None),  # type: ignore[index]
    "the name of a tool": lambda: setattr(AgentToolContracts.QUERY_LOGS, "name", "other"),
    "the class of a request": lambda: setattr(AgentToolContracts.QUERY_LOGS, "request", dict),
}


@pytest.mark.parametrize("attack", ATTACKS_ON_THE_REGISTRY)
def test_the_registry_of_tools_cannot_be_changed(attack: str) -> None:
    before = (repr(AgentToolContracts.ALL), sorted(vars(AgentToolContracts)))
    try:
        ATTACKS_ON_THE_REGISTRY[attack]()
    except (AttributeError, TypeError):
        refused = True
    else:
        refused = False
    assert (repr(AgentToolContracts.ALL), sorted(vars(AgentToolContracts))) == before
    assert [tool.name for tool in AgentToolContracts.ALL] == [
        "lookup_knowledge",
        "query_logs",
        "query_mysql",
    ]
    assert AgentToolContracts.named("query_logs") is AgentToolContracts.QUERY_LOGS
    # an object of the class is the caller's own, and type.__init__ does nothing
    assert refused or attack in ("set through an object of it", "its __init__ again")


ATTACKS_ON_AN_ENUM: dict[str, Callable[[Any], object]] = {
    "set the value": lambda word: setattr(word, "value", "CHANGED"),
    "set the name": lambda word: setattr(word, "name", "CHANGED"),
    "set _value_": lambda word: setattr(word, "_value_", "CHANGED"),
    "set _name_": lambda word: setattr(word, "_name_", "CHANGED"),
    "set a member": lambda word: setattr(type(word), word.name, "CHANGED"),
    "delete a member": lambda word: delattr(type(word), word.name),
    "add a member": lambda word: type(word).__members__.__setitem__("NEW", word),
    "its class": lambda word: setattr(word, "__class__", object),
}


@pytest.mark.parametrize("attack", ATTACKS_ON_AN_ENUM)
@pytest.mark.parametrize("words", [EvidenceStatus, InvocationStatus, LogTopic, SourceKind])
def test_no_enum_word_can_be_changed(words: Any, attack: str) -> None:
    word = next(iter(words))
    inside = dict(vars(word))
    before = (str(word), word.name, word.value, [str(member) for member in words])
    try:
        with pytest.raises((AttributeError, TypeError)):
            ATTACKS_ON_AN_ENUM[attack](word)
        assert (str(word), word.name, word.value, [str(member) for member in words]) == before
    finally:
        vars(word).update(inside)  # an attack that succeeds must not fail the other tests


def test_an_error_keeps_its_problems() -> None:
    error = ContractError("RagToolRequest", [Problem("/query", "wrong")])
    with pytest.raises(AttributeError):
        error.problems = ()  # type: ignore[misc]
    with pytest.raises(AttributeError):
        error.problems[0].message = "changed"  # type: ignore[misc]
    assert error.problems == (Problem("/query", "wrong"),)


def test_bad_arguments_are_refused_and_make_no_object() -> None:
    made: list[object] = []
    for value in (None, 1, b"x", [], {}, object(), float("nan"), iter(()), type):
        with pytest.raises(ContractError):
            made.append(RagToolRequest(query=value))  # type: ignore[arg-type]
        if not isinstance(value, list):
            with pytest.raises(ContractError):
                made.append(MysqlToolRequest(data_source="d", sql="s", params=value))  # type: ignore[arg-type]
    assert made == []


class _Taker:
    """Stands on the other side of an operator, where Python hands it the mapping inside a proxy."""

    __hash__ = None  # type: ignore[assignment]

    def __init__(self) -> None:
        self.taken: Any = None

    def __eq__(self, other: object) -> bool:
        self.taken = other
        return False

    def __ror__(self, other: Any) -> Any:
        self.taken = other
        return other


WAYS_OF_PYTHON: dict[str, Callable[[Any], object]] = {
    "object.__setattr__": lambda made: object.__setattr__(made, "row_count", 7),
    "the initializer that dataclass wrote": lambda made: type(made).__init__.__wrapped__(
        made, **{name: getattr(made, name) for name in fields(made)} | {"row_count": 7}
    ),
    "the slot itself": lambda made: type(made).row_count.__set__(made, 7),
    "the operand of ==": lambda made: _taken_by(lambda taker: made.rows[0] == taker).update(id=7),
    "the operand of |": lambda made: _taken_by(lambda taker: made.rows[0] | taker).update(id=7),
}


def _taken_by(give: Callable[[_Taker], object]) -> Any:
    taker = _Taker()
    give(taker)
    return taker.taken


@pytest.mark.parametrize("way", WAYS_OF_PYTHON)
def test_the_ways_that_python_leaves_to_everybody_are_known(way: str) -> None:
    """No Python class can close these; all of them are taken on purpose, never by mistake."""
    made = pickle.loads(pickle.dumps(ROWS))
    WAYS_OF_PYTHON[way](made)
    assert made != ROWS


def test_the_way_into_an_enum_word_that_python_leaves_to_everybody_is_known() -> None:
    """Members of an Enum have a `__dict__`, and a dict cannot be closed."""
    word = SourceKind.MOCK
    inside = dict(vars(word))
    try:
        vars(word)["_value_"] = "CHANGED"
        assert str(word) == "CHANGED"
    finally:
        vars(word).update(inside)
    assert str(word) == "MOCK"
