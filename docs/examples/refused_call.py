# SPDX-License-Identifier: MIT
"""A refused call is answered with its error, under the id that the framework gave the call."""

from agent_contracts import (
    AgentToolContracts,
    ContractError,
    EvidenceStatus,
    MysqlToolRequest,
    MysqlToolResult,
    Problem,
    observations,
)

DATA_SOURCES = ("orders", "payments")


# --8<-- [start:answer]
def answer(call_id: str, name: str, arguments: str) -> dict[str, object]:
    """Answer one call of the model, whatever it sent."""
    try:
        request = AgentToolContracts.named(name).parse(arguments)
        check_source(request)
    except ContractError as error:
        return observations.openai_chat(error, tool_call_id=call_id)
    return observations.openai_chat(query(request, call_id))
    # --8<-- [end:answer]


# --8<-- [start:own]
def check_source(request: MysqlToolRequest) -> None:
    """Refuse a source that this harness does not offer."""
    if request.data_source not in DATA_SOURCES:
        problem = Problem("/data_source", f"expected one of {', '.join(DATA_SOURCES)}")
        raise ContractError("MysqlToolRequest", [problem])
    # --8<-- [end:own]


def query(request: MysqlToolRequest, call_id: str) -> MysqlToolResult:
    """Stand in for your adapter: the number of orders that wait for payment."""
    return MysqlToolResult(
        tool_call_id=call_id,
        status=EvidenceStatus.EVIDENCE_FOUND,
        row_count=1,
        truncated=False,
        columns=("waiting",),
        rows=({"waiting": 31 if "PENDING" in request.params else 0},),
    )


# --8<-- [start:calls]
# params is text, and the model made an id up
WRONG = """{
    "data_source": "orders",
    "sql": "SELECT COUNT(*) AS waiting FROM orders WHERE status = ?",
    "params": "PENDING",
    "tool_call_id": "call_0"
}"""
MENDED = """{
    "data_source": "orders",
    "sql": "SELECT COUNT(*) AS waiting FROM orders WHERE status = ?",
    "params": ["PENDING"]
}"""

print(answer("call_1", "query_mysql", WRONG)["content"])
print(answer("call_2", "query_mysql", WRONG[:60])["content"])  # the model ran out of tokens
print(answer("call_3", "query_metrics", "{}")["content"])  # there is no such tool
print(answer("call_4", "query_mysql", MENDED.replace('orders"', 'bills"'))["content"])
print(answer("call_5", "query_mysql", MENDED)["content"])
# --8<-- [end:calls]

# --8<-- [start:problems]
try:
    AgentToolContracts.QUERY_MYSQL.parse(WRONG)
except ContractError as error:
    for problem in error.problems:
        print(f"{problem.path:14} {problem.message}")
# --8<-- [end:problems]
