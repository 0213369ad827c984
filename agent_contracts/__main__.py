# SPDX-License-Identifier: MIT
"""The command line: `python -m agent_contracts`."""

import argparse
import io
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from . import __version__, definitions
from . import snapshot as snapshots
from ._check import REPORTS, Checker, OutputError, tell
from ._contract import Contract
from ._json import dumps, loads
from .errors import ContractError
from .rules import violations
from .tools import AgentToolContracts

__all__ = ["main"]

PROGRAM = f"python -m {__package__}"
APIS = {name.replace("_", "-"): getattr(definitions, name) for name in definitions.__all__}

Command = Callable[[argparse.Namespace], int]


class UsageError(Exception):
    """Wrong words on the command line, or a file that cannot be read: exit code 2."""


def main(arguments: list[str] | None = None) -> int:
    """Run one command and return its exit code.

    Args:
        arguments: The words after the program's name; None takes those of the process.

    Returns:
        0 if all is good, 1 if there are problems, 2 for wrong usage, an unreadable file or
        output that cannot be written, 130 if it was interrupted.
    """
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(encoding="utf-8", errors="surrogateescape")
    options = _options(sys.argv[1:] if arguments is None else arguments)
    try:
        code: int = options.run(options)
        _flush()
    except UsageError as error:
        tell(f"{PROGRAM}: {error}", sys.stderr)
        return 2
    except KeyboardInterrupt:
        return 130
    except OutputError as error:
        return _give_up(options, error.__cause__)
    return code


def _options(arguments: list[str]) -> argparse.Namespace:
    parser = _parser()
    words, names = arguments, []
    if "--" in arguments:  # all that follows are names of files
        words = arguments[: arguments.index("--")]
        names = arguments[len(words) + 1 :]
    # argparse does not take the files that stand behind an option
    options, rest = parser.parse_known_args(words)
    unknown = [word for word in rest if word.startswith("-") and word != "-"]
    if not hasattr(options, "files"):
        unknown = rest + names
    if unknown:
        parser.error(f"unrecognized arguments: {' '.join(unknown)}")
    if rest or names:
        options.files += rest + names
    return options


def _flush() -> None:
    try:
        if sys.stdout is not None:
            sys.stdout.flush()
    except OSError as error:
        raise OutputError from error


def _give_up(options: argparse.Namespace, cause: object) -> int:
    """Keep the interpreter from writing what is left, and say why, but for a closed pipe."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    for stream in (sys.stdout, sys.stderr):
        try:
            if stream is not None:
                stream.flush()
        except OSError:
            os.dup2(nowhere, stream.fileno())
    os.close(nowhere)
    if isinstance(cause, BrokenPipeError):  # whoever reads has seen enough
        return 1 if options.run is _check else 0
    reason = cause.strerror if isinstance(cause, OSError) else None
    tell(f"{PROGRAM}: the output cannot be written: {reason}", sys.stderr)
    return 2


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog=PROGRAM, description="The contract of three evidence tools, from a shell."
    )
    version = f"agent-evidence-contracts {__version__} (contract {snapshots.CONTRACT_VERSION})"
    parser.add_argument("--version", action="version", version=version)
    commands = parser.add_subparsers(metavar="COMMAND", required=True)

    def command(name: str, run: Command, text: str, example: str) -> argparse.ArgumentParser:
        added = commands.add_parser(
            name, help=text, description=text, epilog=f"example: {PROGRAM} {example}"
        )
        added.set_defaults(run=run)
        return added

    tools = command(
        "tools", _tools, "Print the definitions of the tools as JSON.", "tools --api anthropic | jq"
    )
    tools.add_argument(
        "--api", choices=APIS, help="the API that is told; mcp if none is named", default="mcp"
    )
    schema = command(
        "schema",
        _schema,
        "Print the JSON Schema of one class, or of all.",
        "schema QueryLogsToolResult > QueryLogsToolResult.json",
    )
    schema.add_argument("contract", metavar="CLASS", nargs="?", help="a class of the contract")
    check = command(
        "check",
        _check,
        "Check recorded payloads, JSON or JSON Lines: 0 all good, 1 problems, 2 unreadable.",
        "check query_logs.result --rules recorded/*.jsonl",
    )
    check.add_argument(
        "contract", metavar="CONTRACT", help="a class, or a tool's name with .request or .result"
    )
    check.add_argument(
        "files", metavar="FILE", nargs="*", help="files or folders; - or none is standard input"
    )
    check.add_argument(
        "--rules", action="store_true", help="also check the rules between the fields of a result"
    )
    check.add_argument("--format", choices=REPORTS, default="text", help="how problems are told")
    command("snapshot", _snapshot, "Print the whole contract as JSON.", "snapshot > contract.json")
    command(
        "fingerprint", _fingerprint, "Print what all copies of one contract share.", "fingerprint"
    )
    compare = command(
        "compare",
        _compare,
        "Tell the differences between two snapshots; exit 1 if one breaks anybody.",
        "compare their-contract.json",
    )
    compare.add_argument("before", metavar="FILE", help="the snapshot that others rely on")
    compare.add_argument("after", metavar="FILE", nargs="?", help="the other; else this package")
    return parser


def _print(value: object) -> None:
    tell(dumps(value, indent=2), sys.stdout)


def _tools(options: argparse.Namespace) -> int:
    _print([APIS[options.api](tool) for tool in AgentToolContracts.ALL])
    return 0


def _schema(options: argparse.Namespace) -> int:
    classes = snapshots.contract_classes()
    if options.contract is None:
        _print({name: snapshots.schema_document(contract) for name, contract in classes.items()})
    elif options.contract in classes:
        _print(snapshots.schema_document(classes[options.contract]))
    else:
        raise UsageError(f"no class {options.contract}; expected one of {', '.join(classes)}")
    return 0


def _snapshot(_: argparse.Namespace) -> int:
    _print(snapshots.snapshot())
    return 0


def _fingerprint(_: argparse.Namespace) -> int:
    tell(snapshots.fingerprint(), sys.stdout)
    return 0


def _compare(options: argparse.Namespace) -> int:
    before = _read_snapshot(options.before)
    after = snapshots.snapshot() if options.after is None else _read_snapshot(options.after)
    try:
        differences = snapshots.compare(before, after)
    except ContractError as error:
        raise UsageError(str(error)) from None
    for difference in differences:
        tell(str(difference), sys.stdout)
    return 1 if any(difference.breaks != "nobody" for difference in differences) else 0


def _read_snapshot(file: str) -> Any:
    try:
        return loads(Path(file).read_bytes())
    except OSError as error:
        raise UsageError(f"{file}: {error.strerror}") from None
    except ContractError as error:
        raise UsageError(f"{file}: {error.problems[0].message}") from None


def _check(options: argparse.Namespace) -> int:
    contract = _contract_named(options.contract)
    results = [tool.result for tool in AgentToolContracts.ALL]
    if options.rules and contract not in results:
        raise UsageError(f"--rules needs the class of a result, not {contract.__name__}")
    checker = Checker(contract, violations if options.rules else None, REPORTS[options.format])
    try:
        for file in options.files or ["-"]:
            checker.check(file)
    finally:
        checker.clear()
    _flush()
    tell(checker.summary(), sys.stderr)
    return checker.exit_code()


def _contract_named(name: str) -> type[Contract]:
    named: dict[str, type[Contract]] = dict(snapshots.contract_classes())
    for tool in AgentToolContracts.ALL:
        named |= {f"{tool.name}.request": tool.request, f"{tool.name}.result": tool.result}
    if name not in named:
        raise UsageError(f"no contract {name}; expected one of {', '.join(named)}")
    return named[name]


if __name__ == "__main__":
    sys.exit(main())
