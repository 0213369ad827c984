# SPDX-License-Identifier: MIT
"""Run by each Python in each way of starting it: what does the package do there?

    python probe.py PATH PACKAGE tell | pool | dump FILE | load FILE

PATH is where PACKAGE is imported from, and nothing else may bring it. The answer is one JSON
document, the same everywhere.
"""

import concurrent.futures
import copy
import importlib
import json
import multiprocessing
import pickle
import sys
from collections.abc import Callable
from datetime import datetime, timedelta, timezone
from decimal import Decimal
from pathlib import Path
from typing import Any

PAYLOADS = Path(__file__).resolve().parents[2] / "docs" / "examples" / "payloads"


def same(one: object, other: object) -> None:
    """Compare; `assert` would do nothing under -O."""
    if one != other:
        raise SystemExit(f"not the same:\n{one!r}\n{other!r}")


def contracts() -> Any:
    """Import the package from where the command line says."""
    path, package = sys.argv[1:3]
    if path not in sys.path:
        sys.path.insert(0, path)
    return importlib.import_module(package)


def objects() -> list[Any]:
    """Return objects of all six classes, and one row of awkward values."""
    package = contracts()
    tools = {tool.name: tool for tool in package.AgentToolContracts.ALL}
    made = []
    for file in sorted(PAYLOADS.glob("*/*.json")):
        tool = tools[file.parent.name]
        contract = tool.request if file.name.startswith("request") else tool.result
        made.append(contract.from_json(file.read_bytes()))
    cells = {
        "set": {"b", "a", "ö", "中"},
        "frozenset": frozenset("zyx"),
        "decimal": Decimal("1E+2"),
        "integer": 2**63,
        "time": timedelta(hours=-26, microseconds=1),
        "moment": datetime(2026, 3, 1, 9, tzinfo=timezone(timedelta(hours=8))),
        "bytes": memoryview(b"caf\xe9"),
        "document": {"list": [1, {"k": (None, True)}]},
    }
    made.append(
        package.MysqlToolResult(
            tool_call_id="call_1",
            status=package.EvidenceStatus.EVIDENCE_FOUND,
            row_count=1,
            truncated=False,
            columns=tuple(cells),
            rows=(cells,),
        )
    )
    return made


def refusals() -> dict[str, str]:
    """Return what is said of each example that is refused."""
    package = contracts()
    tools = {tool.name: tool for tool in package.AgentToolContracts.ALL}
    told = {}
    for pattern in ("*/refused/*.json", "*/refused/*.input.txt"):
        for file in sorted(PAYLOADS.glob(pattern)):
            try:
                tools[file.parent.parent.name].parse(file.read_bytes())
            except package.ContractError as error:
                told[file.name] = str(error)
    for text in (
        "[" * 100_000,
        '{"query":' * 100_000,
        '{"query":1' + "0" * 5000 + "}",
        "\ufeff" * 2,
    ):
        try:
            package.RagToolRequest.from_json(text)
        except package.ContractError as error:
            told[text[:12]] = str(error)
    return told


def tell() -> dict[str, Any]:
    """Return all that the package writes and says here."""
    package = contracts()
    module = importlib.import_module
    definitions = module(f"{package.__name__}.definitions")
    snapshot = module(f"{package.__name__}.snapshot")
    made = objects()
    same([type(one).from_json(one.to_json()) for one in made], made)
    same(pickle.loads(pickle.dumps(made)), made)
    same(copy.deepcopy(made), made)
    home = Path(package.__file__).parent
    same(home, Path(sys.argv[1], *package.__name__.split(".")))
    if package.__name__ != "agent_contracts":
        same([name for name in sys.modules if name.startswith("agent_contracts")], [])
    return {
        "json": [one.to_json() for one in made],
        "refused": refusals(),
        "definitions": [definitions.openai_chat(tool) for tool in package.AgentToolContracts.ALL],
        "fingerprint": snapshot.fingerprint(),
    }


def echo(one: Any) -> Any:
    """Take an object to another process and back."""
    return type(one).from_json(one.to_json())


def refuse(text: str) -> Any:
    """Raise a ContractError in another process."""
    return contracts().RagToolRequest.from_json(text)


def _start(arguments: list[str]) -> None:
    sys.argv[:] = arguments
    contracts()


def pool() -> dict[str, Any]:
    """Send objects and errors through process pools, however the processes start."""
    package = contracts()
    made = objects()
    methods = multiprocessing.get_all_start_methods()
    for method in methods:
        context = multiprocessing.get_context(method)
        with concurrent.futures.ProcessPoolExecutor(
            2, mp_context=context, initializer=_start, initargs=(sys.argv,)
        ) as executor:
            same(list(executor.map(echo, made)), made)
            error: Any = executor.submit(refuse, '{"top_k":1}').exception()
            same(type(error), package.ContractError)
            same([problem.path for problem in error.problems], ["/query", "/top_k"])
    return {"methods": methods, "objects": len(made), "told": str(error)}


def dump(file: str) -> dict[str, Any]:
    """Pickle the objects, an error and the tools with each protocol."""
    package = contracts()
    error = package.ContractError("X", [package.Problem("/a", "wrong")])
    content = [*objects(), error, *package.AgentToolContracts.ALL, *package.LogTopic]
    data = {protocol: pickle.dumps(content, protocol) for protocol in range(2, 6)}
    Path(file).write_bytes(pickle.dumps(data))
    return {"objects": len(content)}


def load(file: str) -> dict[str, Any]:
    """Read what another version pickled, and compare it with what is made here."""
    package = contracts()
    right = objects()
    data = pickle.loads(Path(file).read_bytes())
    for content in data.values():
        read = pickle.loads(content)
        here, (error, *rest) = read[: len(right)], read[len(right) :]
        same(here, right)
        same([one.to_json() for one in here], [one.to_json() for one in right])
        same(str(error), "X: /a: wrong")
        same(error.problems, (package.Problem("/a", "wrong"),))
        same(rest, [*package.AgentToolContracts.ALL, *package.LogTopic])
        same(id(rest[-1]), id(package.LogTopic.SYSTEM_EVENTS))
    return {"objects": len(read), "protocols": sorted(data)}


if __name__ == "__main__":
    command, *arguments = sys.argv[3:]
    commands: dict[str, Callable[..., Any]] = {
        "tell": tell,
        "pool": pool,
        "dump": dump,
        "load": load,
    }
    answer = commands[command](*arguments)
    sys.stdout.buffer.write(json.dumps(answer, sort_keys=True).encode())
