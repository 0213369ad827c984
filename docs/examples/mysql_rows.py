# SPDX-License-Identifier: MIT
"""Run a request against MySQL and pass on the rows as the driver gives them."""

import logging
import re
from contextlib import closing
from typing import Any

from agent_contracts import EvidenceStatus, MysqlToolRequest, MysqlToolResult

MOST_ROWS = 50
_log = logging.getLogger(__name__)
_quoted_or_mark = re.compile(
    r"""'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|`[^`]*`|--\s[^\n]*|\#[^\n]*|/\*.*?\*/|\?""",
    re.DOTALL,
)


def for_driver(sql: str) -> str:
    """Write MySQL's `?` as the `%s` of Python's drivers; a `?` in quotes or comments stays."""
    doubled = sql.replace("%", "%%")
    return _quoted_or_mark.sub(lambda found: "%s" if found[0] == "?" else found[0], doubled)


def query_mysql(
    driver: Any, server: dict[str, Any], request: MysqlToolRequest, tool_call_id: str
) -> MysqlToolResult:
    """Answer one call.

    Args:
        driver: The module `pymysql` or `MySQLdb`, with its `cursors` imported.
        server: What its `connect` needs. The user in it may only read; for `MySQLdb` add
            `multi_statements=False`, or it runs several statements at once.
        request: What the model asks.
        tool_call_id: The id that the framework gave the call.

    Raises:
        ContractError: The rows cannot be passed on, such as those with two columns of one
            name. Answer the call with it, so that the model can add an alias.
    """
    try:
        with (
            closing(driver.connect(charset="utf8mb4", **server)) as connection,
            closing(connection.cursor(driver.cursors.DictCursor)) as cursor,
        ):
            cursor.execute(for_driver(request.sql), request.params)
            columns = tuple(column[0] for column in cursor.description or ())
            rows = cursor.fetchmany(MOST_ROWS + 1) if columns else ()
            row_count = cursor.rowcount if columns else 0
    except (driver.Error, TypeError):  # PyMySQL's TypeError: as many values as marks are needed
        _log.exception("call %s failed", tool_call_id)
        return MysqlToolResult(
            tool_call_id=tool_call_id,
            status=EvidenceStatus.ERROR,
            row_count=0,
            truncated=False,
            columns=(),
            rows=(),
        )
    return MysqlToolResult(
        tool_call_id=tool_call_id,
        status=EvidenceStatus.EVIDENCE_FOUND if rows else EvidenceStatus.NO_EVIDENCE,
        row_count=row_count,
        truncated=len(rows) > MOST_ROWS,
        columns=columns,
        rows=rows[:MOST_ROWS],
    )
