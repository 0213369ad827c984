# SPDX-License-Identifier: MIT
"""The three tools: their names, what the model is told, and their request and result."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, Generic, TypeVar

from ._contract import Contract
from ._frozen import Frozen
from ._values import echo, problem
from .errors import ContractError
from .logs import QueryLogsToolRequest, QueryLogsToolResult
from .mysql import MysqlToolRequest, MysqlToolResult
from .rag import RagToolRequest, RagToolResult

__all__ = ["AgentToolContracts", "ToolContract"]

RequestT = TypeVar("RequestT", bound=Contract)
ResultT = TypeVar("ResultT", bound=Contract)


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolContract(Frozen, Generic[RequestT, ResultT]):
    """One tool: what the model is told of it, what it may send, what is read back."""

    name: str
    """The name that the model calls."""
    title: str
    """The name that people see."""
    description: str
    """When to use the tool and how to read its answers; at most 600 characters."""
    request: type[RequestT]
    """The class of what the model sends."""
    result: type[ResultT]
    """The class of what the agent reads back."""

    def parse(self, arguments: str | bytes | bytearray | Mapping[str, Any] | None) -> RequestT:
        """Read the arguments of a call as the framework hands them over.

        Args:
            arguments: JSON text or UTF-8 bytes, or an object that is decoded already.

        Returns:
            The typed request.

        Raises:
            ContractError: The arguments do not keep the contract. Answer the call with it: its
                text tells the model how to mend the call.
        """
        if isinstance(arguments, Mapping):
            return self.request.from_dict(arguments)
        return self.request.from_json(arguments)  # type: ignore[arg-type]


class _Fixed(type):
    """A class whose attributes can be neither set nor deleted."""

    def __setattr__(cls, name: str, value: object) -> None:
        raise AttributeError(f"{cls.__name__}.{name} cannot be set")

    def __delattr__(cls, name: str) -> None:
        raise AttributeError(f"{cls.__name__}.{name} cannot be deleted")


class AgentToolContracts(metaclass=_Fixed):
    """The tools of the contract, as constants (design decision 6)."""

    LOOKUP_KNOWLEDGE: Final = ToolContract(
        name="lookup_knowledge",
        title="Look up knowledge",
        description=(
            "Look up what the team has written down: runbooks, architecture notes, past incidents. "
            "Use it to learn what an alert means, how a part should behave and which steps to "
            "take. For what happened at run time use query_logs; for the present state of business "
            "data use query_mysql. NO_EVIDENCE: nothing relevant is written down; rephrase once, "
            "then say so. ERROR: the look-up failed and proves nothing. truncated: more was found "
            "than is listed; ask something narrower. Cite evidence by its tool_call_id."
        ),
        request=RagToolRequest,
        result=RagToolResult,
    )
    QUERY_LOGS: Final = ToolContract(
        name="query_logs",
        title="Query logs",
        description=(
            "Query the logs of one topic for what happened at run time: errors, time-outs, slow "
            "statements, restarts, and when they began. The answer holds message patterns with "
            "counts and a short timeline. For what an error means use lookup_knowledge; for rows "
            "of business data use query_mysql. NO_EVIDENCE: nothing matched in the scope shown; "
            "widen the time or the words before you conclude. ERROR: the query failed and proves "
            "nothing. truncated: more matched than is listed; trust matched_count and narrow the "
            "query."
        ),
        request=QueryLogsToolRequest,
        result=QueryLogsToolResult,
    )
    QUERY_MYSQL: Final = ToolContract(
        name="query_mysql",
        title="Query MySQL",
        description=(
            "Query a MySQL database with one read-only, parameterized statement, for the present "
            "state of business data: orders, jobs, settings, sessions. For what happened over time "
            "use query_logs; for how things should be use lookup_knowledge. NO_EVIDENCE: no row "
            "matched; check the conditions before you conclude. ERROR: the statement failed and "
            "proves nothing. truncated: row_count rows matched but fewer are listed; aggregate or "
            "narrow the statement. Large integers, decimals and times are text; binary is 0x and "
            "hex."
        ),
        request=MysqlToolRequest,
        result=MysqlToolResult,
    )
    ALL: Final[tuple[ToolContract[Any, Any], ...]] = tuple(
        value for value in vars().values() if isinstance(value, ToolContract)
    )
    """All tools above, in the order in which the model is told of them."""

    @classmethod
    def named(cls, name: str) -> ToolContract[Any, Any]:
        """Return the tool that the model calls by a name.

        Raises:
            ContractError: There is no such tool. Answer the call with it.
        """
        for tool in cls.ALL:
            if tool.name == name:
                return tool
        names = ", ".join(tool.name for tool in cls.ALL)
        got = echo(name) if isinstance(name, str) else "none"
        raise ContractError("tool name", problem(f"expected one of {names}, got {got}").problems)
