# SPDX-License-Identifier: MIT
"""Java 17 records with Jackson, as the Java guide shows them, read and write the same wire form."""

import json
import re
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from payloads import Mixer
from verdicts import CONTRACTS, children, unsayable

import agent_contracts
from agent_contracts import AgentToolContracts, ContractError

ROOT = Path(__file__).resolve().parents[2]
EXAMPLES = ROOT / "docs" / "examples"
SOURCES = [*(EXAMPLES / "java").glob("*.java"), *(Path(__file__).parent / "java").glob("*.java")]
JARS = [Path(f"/usr/share/java/jackson-{part}.jar") for part in ("core", "annotations", "databind")]
MOST = 10**18 - 1  # Debian's jackson-core 2.14.1-2~deb12u1 takes no long of 19 digits

# Refused examples that the records take: an Object may be any JSON value.
TAKEN_BY_JAVA = {"query_mysql/refused/param-as-object.json"}

Run = Callable[..., list[str]]


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Run:
    """Compile the records and return a function that feeds lines to them."""
    javac, java = shutil.which("javac"), shutil.which("java")
    assert javac, "a JDK 17 is needed: run tests/interop/setup.sh"
    assert java
    assert all(jar.exists() for jar in JARS), "Jackson is needed: run tests/interop/setup.sh"
    classes = tmp_path_factory.mktemp("classes")
    path = ":".join(map(str, [*JARS, classes]))
    options = ["--release", "17", "-Xlint:all,-processing", "-Werror", "-encoding", "UTF-8"]
    compiled = subprocess.run(
        [javac, *options, "-cp", path, "-d", str(classes), *map(str, SOURCES)],
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert compiled.returncode == 0, compiled.stderr

    def feed(lines: list[str], *arguments: str) -> list[str]:
        done = subprocess.run(
            [java, "-cp", path, "RoundTrip", *arguments],
            input="".join(f"{line}\n" for line in lines),
            capture_output=True,
            encoding="utf-8",
            timeout=300,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        return done.stdout.split("\n")[:-1]  # not splitlines: U+2028 may stand in the JSON

    return feed


def compact(text: str) -> str:
    """Write JSON text on one line and change nothing else in it."""
    return json.dumps(json.loads(text), ensure_ascii=False)


def in_order(value: Any) -> Any:
    """Return a value in which the order of keys counts when it is compared."""
    if isinstance(value, dict):
        return [(key, in_order(item)) for key, item in value.items()]
    return [in_order(item) for item in value] if isinstance(value, list) else value


def test_every_example_payload_is_read_and_written_back(
    run: Run, tell: Callable[[str], None]
) -> None:
    files = sorted((EXAMPLES / "payloads").glob("*/*.json"))
    assert {file.parent.name for file in files} == {tool.name for tool in AgentToolContracts.ALL}
    tools = [AgentToolContracts.named(file.parent.name) for file in files]
    contracts: list[Any] = [
        tool.request if file.name.startswith("request") else tool.result
        for tool, file in zip(tools, files, strict=True)
    ]
    texts = [file.read_text(encoding="utf-8") for file in files]
    lines = [
        f"{contract.__name__}\t{compact(text)}"
        for contract, text in zip(contracts, texts, strict=True)
    ]
    answers = run(lines)
    for file, contract, text, answer in zip(files, contracts, texts, answers, strict=True):
        assert answer[0] == "=", (file.name, answer)
        here, there = contract.from_json(text), contract.from_json(answer[1:])
        assert here == there, file.name
        assert in_order(json.loads(answer[1:])) == in_order(here.to_dict()), file.name
    tell(f"Java: {len(files)} example payloads read and written back")


def test_what_python_writes_is_read_and_written_back(run: Run, tell: Callable[[str], None]) -> None:
    made: list[Any] = []
    for contract in CONTRACTS:
        mixer = Mixer(contract, 0, pool=60)
        of_this: list[Any] = []
        while len(of_this) < 100:
            data = mixer.valid()
            if not unsayable(contract, data):
                one = contract.from_dict(data)
                of_this += [one] if fits_java(one.to_dict()) else []
        made += of_this
    lines = [f"{type(one).__name__}\t{one.to_json()}" for one in made]
    for one, answer in zip(made, run(lines), strict=True):
        assert answer[0] == "=", (answer, one)
        assert type(one).from_json(answer[1:]) == one
        assert in_order(json.loads(answer[1:])) == in_order(one.to_dict())
    tell(f"Java: {len(made)} mixed objects of {len(CONTRACTS)} classes read and written back")


def fits_java(data: Any) -> bool:
    """Whether all counts fit into a Java long; parameters and cells may be larger."""
    inside = children({key: value for key, value in data.items() if key not in ("params", "rows")})
    while inside:
        value = inside.pop()
        if isinstance(value, int) and abs(value) > MOST:
            return False
        inside += children(value)
    return True


def test_what_java_makes_is_accepted_here(run: Run) -> None:
    lines = run([], "make")
    names = set()
    for line in lines:
        name, text = line.split("\t", 1)
        names.add(name)
        made = getattr(agent_contracts, name).from_json(text)
        assert in_order(made.to_dict()) == in_order(json.loads(text))
    assert names == {
        contract.__name__
        for tool in AgentToolContracts.ALL
        for contract in (tool.request, tool.result)
    }


def test_java_refuses_the_refused_examples_too(run: Run) -> None:
    files = sorted((EXAMPLES / "payloads").glob("*/refused/*.json"))
    assert len(files) >= 8
    lines = []
    for file in files:
        tool = AgentToolContracts.named(file.parent.parent.name)
        text = file.read_text(encoding="utf-8")
        with pytest.raises(ContractError):
            tool.parse(text)
        lines.append(f"{tool.request.__name__}\t{compact(text)}")
    taken = {
        file.relative_to(EXAMPLES / "payloads").as_posix()
        for file, answer in zip(files, run(lines), strict=True)
        if answer[0] == "="
    }
    assert taken == TAKEN_BY_JAVA


@pytest.mark.parametrize(
    ("name", "text", "reason"),
    {
        "an unknown key": ("RagToolRequest", '{"query":"a","top_k":5}', "Unrecognized field"),
        "a missing key": ("RagToolRequest", "{}", "Missing required creator property 'query'"),
        "null for text": ("RagToolRequest", '{"query":null}', "query"),
        "a number for text": ("RagToolRequest", '{"query":1}', "Cannot coerce Integer value"),
        "a key given twice": ("RagToolRequest", '{"query":"a","query":"b"}', "Duplicate field"),
        "trailing text": ("RagToolRequest", '{"query":"a"} {"query":"b"}', "Trailing token"),
        "text for a number": (
            "QueryLogsToolRequest",
            '{"topic":"APPLICATION","query":"a","lookback_minutes":"60"}',
            "Cannot coerce String value",
        ),
        "half a minute": (
            "QueryLogsToolRequest",
            '{"topic":"APPLICATION","query":"a","lookback_minutes":60.5}',
            "Cannot coerce Floating-point value",
        ),
        "a number for a word": ("QueryLogsToolRequest", '{"topic":0,"query":"a"}', "LogTopic"),
        "a word in small letters": (
            "QueryLogsToolRequest",
            '{"topic":"application","query":"a"}',
            "not one of the values accepted for Enum class",
        ),
    }.values(),
)
def test_java_refuses_what_python_refuses(run: Run, name: str, text: str, reason: str) -> None:
    with pytest.raises(ContractError):
        getattr(agent_contracts, name).from_json(text)
    (answer,) = run([f"{name}\t{text}"])
    assert answer.startswith("!")
    assert re.search(reason, answer)


def test_the_records_copy_what_they_are_given(run: Run) -> None:
    checks = run([], "copies")
    assert len(checks) == 6
    assert [check for check in checks if not check.endswith(": true")] == []
