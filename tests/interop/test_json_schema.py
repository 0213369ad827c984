# SPDX-License-Identifier: MIT
"""`from_dict` accepts exactly what `jsonschema` calls valid, but for what no schema can say.

Hypothesis draws and shrinks some payloads of each class, and INTEROP_PAYLOADS more (3,000 unless
set) are mixed from values that it drew, a third of each kind. The long run is

    INTEROP_PAYLOADS=100000 python -m pytest tests/interop/test_json_schema.py -o addopts=

INTEROP_SEED (0 unless set) chooses others. A disagreement is shown as a small payload.
"""

import json
import math
import os
import time
from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import HealthCheck, given, seed, settings
from payloads import KINDS, Mixer
from verdicts import CONTRACTS, MAX_DIGITS, REASONS, disagreement, smallest, unsayable, validator

from agent_contracts import (
    ContractError,
    LogEvent,
    MysqlToolRequest,
    MysqlToolResult,
    Problem,
    QueryLogsToolRequest,
    QueryLogsToolResult,
    RagToolRequest,
    RagToolResult,
)

PAYLOADS = int(os.environ.get("INTEROP_PAYLOADS", "3000"))
SEED = int(os.environ.get("INTEROP_SEED", "0"))
DRAWN = 100  # payloads that hypothesis draws anew, for each class and kind

each_contract = pytest.mark.parametrize(
    "contract", CONTRACTS, ids=lambda contract: contract.__name__
)


@pytest.mark.parametrize("kind", KINDS)
@each_contract
def test_parser_and_schema_agree_on_drawn_payloads(contract: Any, kind: str) -> None:
    tried = Counter[bool]()

    def check(data: Any) -> None:
        tried[validator(contract).is_valid(data)] += 1
        assert disagreement(contract, data) is None

    profile = settings(
        max_examples=DRAWN,
        deadline=None,
        database=None,
        suppress_health_check=list(HealthCheck),
    )
    seed(SEED)(profile(given(KINDS[kind](contract))(check)))()
    assert tried.total() >= DRAWN
    assert tried[kind != "valid"] < tried.total() / 2


@each_contract
def test_parser_and_schema_agree_on_mixed_payloads(
    contract: Any, tell: Callable[[str], None]
) -> None:
    start = time.perf_counter()
    mixer = Mixer(contract, SEED)
    judge = validator(contract)
    counts: Counter[str] = Counter()
    for make in (mixer.valid, mixer.mutated, mixer.free):
        for _ in range(-(-PAYLOADS // 3)):
            data = make()
            wrong = disagreement(contract, data)
            if wrong:
                small = smallest(data, lambda data: disagreement(contract, data) is not None)
                pytest.fail(f"{contract.__name__}.from_dict({small!r}): "
                            f"{disagreement(contract, small)}")  # fmt: skip
            counts["tried"] += 1
            if judge.is_valid(data):
                counts["valid"] += 1
                counts["valid but refused for what no schema says"] += bool(
                    unsayable(contract, data)
                )
    told = ", ".join(f"{count:,} {what}" for what, count in counts.items())
    seconds = time.perf_counter() - start
    tell(f"{contract.__name__}: {told}; 0 disagreements; {seconds:.1f} s")
    assert counts["valid"] > counts["tried"] / 4
    assert counts["tried"] - counts["valid"] > counts["tried"] / 4


# What a schema cannot say: into payloads that are accepted, one such thing is put. The schema
# still holds, and the refusal names it and its place, and nothing else.

REQUESTS = (RagToolRequest, QueryLogsToolRequest, MysqlToolRequest)
RESULTS = (RagToolResult, QueryLogsToolResult, MysqlToolResult)
NOT_FINITE = (10**309, -(10**309), 10**400, 2**1024 - 1, math.inf, -math.inf, math.nan)

HALF = "expected string of whole characters, got one with half a character (a lone surrogate)"
PAIR = "expected string of whole characters, got one with a split surrogate pair"
TOO_LARGE = "expected {}, got one that is infinite or too large for a 64-bit float"
SCALAR = "string, number, boolean or null"

Put = Callable[[Mixer, Any], Problem]


def put_half_into_request(mixer: Mixer, data: Any) -> Problem:
    name = mixer.pick([name for name, value in data.items() if isinstance(value, str)])
    if name == "topic":  # an enum: the schema can say it
        name = "query"
    half = mixer.pick(["\ud83d", "\ude00", "\ude00\ud83d"])
    data[name] += half + mixer.pick(["", "after"])
    return Problem(f"/{name}", HALF)


def put_half_into_params(mixer: Mixer, data: Any) -> Problem:
    data["params"] = [None, mixer.pick(["\ud83d", "a\udfff", "\ude00\ud83d"])]
    return Problem("/params/1", HALF)


def put_half_into_id(mixer: Mixer, data: Any) -> Problem:
    data["tool_call_id"] = mixer.pick(
        ["\ud83d", "call_\udc00", "\ude00\ud83d", "\ud83d\ude00\udc00"]
    )
    return Problem("/tool_call_id", HALF)


def put_pair_into_id(mixer: Mixer, data: Any) -> Problem:
    data["tool_call_id"] = mixer.pick(["\ud83d\ude00", "call_\ud83d\ude00_1"])
    return Problem("/tool_call_id", PAIR)


def put_number_into_params(mixer: Mixer, data: Any) -> Problem:
    data["params"] = ["a", mixer.pick(NOT_FINITE)]
    return Problem("/params/1", TOO_LARGE.format(SCALAR))


def put_number_into_lookback(mixer: Mixer, data: Any) -> Problem:
    data["lookback_minutes"] = mixer.pick(NOT_FINITE[:4])
    return Problem("/lookback_minutes", TOO_LARGE.format("integer"))


def put_number_into_count(mixer: Mixer, data: Any) -> Problem:
    (name,) = (name for name in data if name.endswith("_count"))
    data[name] = mixer.pick(NOT_FINITE[:4])
    return Problem(f"/{name}", TOO_LARGE.format("integer"))


def with_rows(mixer: Mixer, data: Any) -> Any:
    """Give a MySQL payload two columns and rows whose cells can be taken."""
    data["columns"] = ["id", "note"]
    data["rows"] = [{"id": index, "note": mixer.pick([None, "a", 1.5, [{}]])} for index in range(3)]
    return data["rows"]


def put_number_into_cell(mixer: Mixer, data: Any) -> Problem:
    number = mixer.pick(NOT_FINITE[4:])
    inside, path = mixer.pick([(number, ""), ([{"a": [0, number]}], "/0/a/1")])
    with_rows(mixer, data)[1]["note"] = inside
    return Problem(f"/rows/1/note{path}", TOO_LARGE.format("number"))


def put_too_many_digits_into_cell(mixer: Mixer, data: Any) -> Problem:
    with_rows(mixer, data)[2]["note"] = [mixer.pick([10**MAX_DIGITS, -(10**MAX_DIGITS)])]
    return Problem("/rows/2/note/0", "expected integer, got one with too many digits")


def put_column_twice(mixer: Mixer, data: Any) -> Problem:
    with_rows(mixer, data)
    name = mixer.pick(["id", "note"])
    data["columns"].append(name)
    return Problem("/columns/2", f'column names must be unique, use aliases: "{name}" is taken')


def put_columns_that_become_equal(mixer: Mixer, data: Any) -> Problem:
    data["rows"] = []
    data["columns"] = ["a\ud800", "a" + mixer.pick(["\udfff", "\ufffd", "\ud801"])]
    return Problem("/columns/1", 'column names must be unique, use aliases: "a\ufffd" is taken')


def put_foreign_key(mixer: Mixer, data: Any) -> Problem:
    with_rows(mixer, data)[2]["note "] = 1
    return Problem("/rows/2/note ", "it is not one of the columns")


def leave_cell_out(mixer: Mixer, data: Any) -> Problem:
    row = mixer.pick(with_rows(mixer, data))
    del row["id"]
    right = "a standard-library value, such as text, a number, a date or bytes"
    number = data["rows"].index(row)
    return Problem(f"/rows/{number}/id", f"required field is missing, expected {right}")


def put_deep_cell(mixer: Mixer, data: Any) -> Problem:
    cell: Any = mixer.pick([[], {}])
    path = ""
    for _ in range(64):
        in_list = mixer.pick([True, False])
        cell, path = ([cell], f"/0{path}") if in_list else ({"a": cell}, f"/a{path}")
    with_rows(mixer, data)[0]["note"] = cell
    return Problem(f"/rows/0/note{path}", "nested deeper than 64 levels")


def put_keys_that_become_equal(mixer: Mixer, data: Any) -> Problem:
    other = mixer.pick(["\udfff", "\ufffd", "\ud801"])
    with_rows(mixer, data)[0]["note"] = [{"\ud800": 1, other: 2}]
    return Problem("/rows/0/note/0", "two keys are the same once they can be encoded")


EXCEPTIONS: dict[Put, tuple[Any, ...]] = {
    put_half_into_request: REQUESTS,
    put_half_into_params: (MysqlToolRequest,),
    put_half_into_id: RESULTS,
    put_pair_into_id: RESULTS,
    put_number_into_params: (MysqlToolRequest,),
    put_number_into_lookback: (QueryLogsToolRequest,),
    put_number_into_count: RESULTS,
    put_number_into_cell: (MysqlToolResult,),
    put_too_many_digits_into_cell: (MysqlToolResult,),
    put_column_twice: (MysqlToolResult,),
    put_columns_that_become_equal: (MysqlToolResult,),
    put_foreign_key: (MysqlToolResult,),
    leave_cell_out: (MysqlToolResult,),
    put_deep_cell: (MysqlToolResult,),
    put_keys_that_become_equal: (MysqlToolResult,),
}


@pytest.mark.parametrize(
    ("put", "contract"),
    [(put, contract) for put, contracts in EXCEPTIONS.items() for contract in contracts],
    ids=lambda value: value.__name__,
)
def test_what_no_schema_says_is_refused_at_its_place(put: Put, contract: Any) -> None:
    mixer = Mixer(contract, SEED, pool=50)
    judge = validator(contract)
    tried = 0
    while tried < 100:
        data = mixer.valid()
        if unsayable(contract, data):
            continue
        right = put(mixer, data)
        assert judge.is_valid(data)
        assert unsayable(contract, data)
        with pytest.raises(ContractError) as caught:
            contract.from_dict(data)
        assert caught.value.problems == (right,)
        tried += 1


def test_all_reasons_have_a_generated_exception() -> None:
    reasons = set()
    for put, contracts in EXCEPTIONS.items():
        for contract in contracts:
            mixer = Mixer(contract, SEED, pool=20)
            data = next(data for data in iter(mixer.valid, None) if not unsayable(contract, data))
            put(mixer, data)
            reasons |= unsayable(contract, data)
    assert reasons == set(REASONS) - {"line feed after a timestamp"}


@pytest.mark.parametrize(
    "text", ["1e400", "-1e400", "1" + 308 * "0" + "0.0", "1" + 309 * "0", "NaN"]
)
def test_a_number_that_overflows_is_refused_in_json_text_too(text: str) -> None:
    document = f'{{"data_source":"d","sql":"s","params":[{text}]}}'
    assert validator(MysqlToolRequest).is_valid(json.loads(document))
    with pytest.raises(ContractError) as caught:
        MysqlToolRequest.from_json(document)
    assert caught.value.problems == (Problem("/params/0", TOO_LARGE.format(SCALAR)),)


@pytest.mark.parametrize(
    "moment",
    ["0000-01-01T00:00:00Z", "2016-12-31T23:59:60Z", "1990-12-31T15:59:60-08:00"],
)
def test_moments_that_rfc_3339_has_and_calendars_have_not_are_refused(moment: str) -> None:
    event = {"timestamp": moment, "level": None, "service": None, "instance": None, "message": ""}
    with pytest.raises(ContractError, match=r"^LogEvent: /timestamp: expected RFC 3339 timestamp"):
        LogEvent.from_dict(event)
    assert not validator(LogEvent).is_valid(event)  # rfc3339-validator refuses them as well


@pytest.mark.parametrize("number", [2**53, 10**309, -(2**1024), 10**MAX_DIGITS - 1])
def test_large_integers_in_cells_are_text(number: int) -> None:
    document = (
        '{"tool_call_id":null,"status":"EVIDENCE_FOUND","row_count":1,"truncated":false,'
        f'"columns":["a"],"rows":[{{"a":{number}}}]}}'
    )
    assert disagreement(MysqlToolResult, json.loads(document)) is None
    assert MysqlToolResult.from_json(document).rows[0]["a"] == str(number)


def test_cells_may_be_64_levels_deep() -> None:
    cell: Any = None
    for level in range(64):
        cell = [cell] if level % 2 else {"a": cell}
    data = {
        "tool_call_id": None,
        "status": "EVIDENCE_FOUND",
        "row_count": 1,
        "truncated": False,
        "columns": ["a"],
        "rows": [{"a": cell}],
    }
    assert disagreement(MysqlToolResult, data) is None
    assert MysqlToolResult.from_dict(data).to_dict() == data


def test_a_disagreement_is_shown_as_a_small_payload() -> None:
    data = {"a": [{"b": "xxxx!xxx"}, 3], "c": None}
    assert smallest(data, lambda data: "!" in repr(data)) == "!"
