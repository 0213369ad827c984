# SPDX-License-Identifier: MIT
"""Rows of a real server, through two drivers, passed on as they come.

The server is MariaDB, in a temporary folder and on a socket only: an installed one is not
touched. Where the two drivers cannot agree on the wire is in `APART`, and nowhere else.
"""

import functools
import gc
import importlib.util
import json
import logging
import os
import shutil
import socket
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from types import ModuleType
from typing import Any

import MySQLdb  # type: ignore[import-untyped]
import MySQLdb.cursors  # type: ignore[import-untyped]
import pymysql  # type: ignore[import-untyped]
import pymysql.cursors  # type: ignore[import-untyped]
import pytest

from agent_contracts import (
    ContractError,
    EvidenceStatus,
    MysqlToolRequest,
    MysqlToolResult,
    rules,
)

EXAMPLES = Path(__file__).resolve().parents[2] / "docs" / "examples"
DRIVERS: dict[str, Any] = {"PyMySQL": pymysql, "mysqlclient": MySQLdb}

each_driver = pytest.mark.parametrize("driver", DRIVERS.values(), ids=DRIVERS)

Server = dict[str, Any]
"""What `connect` of either driver takes."""


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    """Start a server of our own and stop it."""
    folder = Path(tempfile.mkdtemp(prefix="mysql-"))  # short: a socket's path has 107 bytes
    path = f"{os.environ['PATH']}:/usr/sbin:/usr/local/sbin"
    install, daemon = (shutil.which(name, path=path) for name in ("mariadb-install-db", "mariadbd"))
    assert install, "mariadb-install-db is needed: run tests/interop/setup.sh"
    assert daemon, "mariadbd is needed: run tests/interop/setup.sh"
    common = ["--no-defaults", f"--datadir={folder}/data"]
    if os.geteuid() == 0:
        common.append("--user=root")
    subprocess.run(
        [install, *common, "--skip-test-db", "--auth-root-authentication-method=normal"],
        check=True,
        capture_output=True,
        timeout=120,
    )
    where = {"unix_socket": f"{folder}/socket", "user": "root"}
    options = [
        f"--socket={folder}/socket",
        f"--tmpdir={folder}",
        f"--pid-file={folder}/pid",
        "--skip-networking",
        "--character-set-server=utf8mb4",
        "--sql-mode=",  # zero dates are refused in the usual modes
        "--default-time-zone=+00:00",
        "--innodb-buffer-pool-size=16M",
    ]
    with (folder / "log").open("wb") as log:
        process = subprocess.Popen([daemon, *common, *options], stdout=log, stderr=log)
    try:
        _wait_for(process, where["unix_socket"], folder / "log")
        with closing(pymysql.connect(**where)) as connection, connection.cursor() as cursor:
            cursor.execute("CREATE DATABASE evidence")
        yield {**where, "database": "evidence"}
    finally:
        process.terminate()
        process.wait(timeout=60)
        shutil.rmtree(folder)


def _wait_for(process: subprocess.Popen[bytes], path: str, log: Path) -> None:
    for _ in range(600):
        assert process.poll() is None, log.read_text(errors="replace")
        with socket.socket(socket.AF_UNIX) as probe:
            if not probe.connect_ex(path):
                return
        time.sleep(0.1)
    raise AssertionError(log.read_text(errors="replace"))


# Each column: its type, and pairs of what is written (SQL) and what the agent reads.
COLUMNS: dict[str, list[tuple[str, Any]]] = {
    "TINYINT": [("-128", -128), ("127", 127)],
    "TINYINT UNSIGNED": [("0", 0), ("255", 255)],
    "BOOLEAN": [("TRUE", 1), ("FALSE", 0)],
    "SMALLINT": [("-32768", -32768), ("32767", 32767)],
    "SMALLINT UNSIGNED": [("0", 0), ("65535", 65535)],
    "MEDIUMINT": [("-8388608", -8388608), ("8388607", 8388607)],
    "MEDIUMINT UNSIGNED": [("0", 0), ("16777215", 16777215)],
    "INT": [("-2147483648", -2147483648), ("2147483647", 2147483647)],
    "INT UNSIGNED": [("0", 0), ("4294967295", 4294967295)],
    "INT(5) ZEROFILL": [("42", 42), ("0", 0)],
    "BIGINT": [
        ("-9223372036854775808", "-9223372036854775808"),
        ("9223372036854775807", "9223372036854775807"),
        ("9007199254740991", 9007199254740991),
        ("-9007199254740992", "-9007199254740992"),
    ],
    "BIGINT UNSIGNED": [("0", 0), ("18446744073709551615", "18446744073709551615")],
    "DECIMAL(10,2)": [("10.50", "10.50"), ("-99999999.99", "-99999999.99"), ("0", "0.00")],
    "DECIMAL(65,0)": [(f"-{'9' * 65}", f"-{'9' * 65}"), ("100", "100")],
    "DECIMAL(38,38)": [(f"0.{'9' * 38}", f"0.{'9' * 38}"), ("0", f"0.{'0' * 38}")],
    "FLOAT": [("1.5", 1.5), ("-3.40282e38", -3.40282e38), ("1.17549e-38", 1.17549e-38)],
    "DOUBLE": [
        ("1.7976931348623157e308", 1.7976931348623157e308),
        ("2.2250738585072014e-308", 2.2250738585072014e-308),
        ("0.1", 0.1),
        ("100000", 100000.0),
    ],
    "BIT(1)": [("b'1'", "0x01"), ("b'0'", "0x00")],
    "BIT(10)": [("b'1111111111'", "0x03FF")],
    "BIT(64)": [("0xFFFFFFFFFFFFFFFF", "0xFFFFFFFFFFFFFFFF"), ("0", "0x0000000000000000")],
    "DATE": [
        ("'1000-01-01'", "1000-01-01"),
        ("'9999-12-31'", "9999-12-31"),
        ("'0000-00-00'", "0000-00-00"),
        ("'2026-02-00'", "2026-02-00"),
    ],
    "DATETIME": [
        ("'2026-07-12 15:11:52'", "2026-07-12T15:11:52"),
        ("'0000-00-00 00:00:00'", "0000-00-00 00:00:00"),
    ],
    "DATETIME(6)": [
        ("'1000-01-01 00:00:00.000001'", "1000-01-01T00:00:00.000001"),
        ("'9999-12-31 23:59:59.999999'", "9999-12-31T23:59:59.999999"),
        ("'2026-07-12 15:11:52'", "2026-07-12T15:11:52"),
        ("'0000-00-00 00:00:00'", "0000-00-00 00:00:00.000000"),
    ],
    "TIMESTAMP NULL": [
        ("'1970-01-01 00:00:01'", "1970-01-01T00:00:01"),
        ("'2038-01-19 03:14:07'", "2038-01-19T03:14:07"),
        ("'0000-00-00 00:00:00'", "0000-00-00 00:00:00"),
    ],
    "TIMESTAMP(3) NULL": [("'2026-07-12 15:11:52.125'", "2026-07-12T15:11:52.125000")],
    "TIME": [
        ("'26:30:00'", "26:30:00"),
        ("'-00:01:00'", "-00:01:00"),
        ("'838:59:59'", "838:59:59"),
        ("'-838:59:59'", "-838:59:59"),
        ("'00:00:00'", "00:00:00"),
    ],
    "TIME(6)": [
        ("'838:59:59.999999'", "838:59:59.999999"),
        ("'-838:59:59.999999'", "-838:59:59.999999"),
        ("'-00:00:00.000001'", "-00:00:00.000001"),
        ("'09:00:00.5'", "09:00:00.500000"),
    ],
    "YEAR": [("1901", 1901), ("2155", 2155), ("'0000'", 0)],
    "CHAR(10)": [("'a'", "a"), ("'😀é中'", "😀é中"), ("''", "")],
    "VARCHAR(200)": [("'2026-03-01'", "2026-03-01"), ("'null'", "null"), ("' x '", " x ")],
    "TINYTEXT": [("'tiny 😀'", "tiny 😀")],
    "TEXT": [("CONCAT('a', CHAR(0 USING utf8mb4), 'b')", "a\0b"), ("'{\"k\": 1}'", '{"k": 1}')],
    "MEDIUMTEXT": [("REPEAT('中😀', 20000)", "中😀" * 20000)],
    "LONGTEXT": [("REPEAT('x', 200000)", "x" * 200000)],
    "VARCHAR(20) CHARACTER SET latin1": [("'café'", "café")],
    "BINARY(4)": [("'ab'", "0x61620000")],
    "VARBINARY(20)": [("0x636166E9", "0x636166E9"), ("''", "0x")],
    "TINYBLOB": [("0x00FF", "0x00FF")],
    "BLOB": [("'text in a blob'", "0x7465787420696E206120626C6F62")],
    "MEDIUMBLOB": [("REPEAT(0xFF, 70000)", "0x" + "FF" * 70000)],
    "LONGBLOB": [("0xF09F9880", "0xF09F9880")],
    "ENUM('new','😀','')": [("'new'", "new"), ("'😀'", "😀"), ("''", "")],
    "SET('b','a','😀')": [("'a,b'", "b,a"), ("'😀'", "😀"), ("''", "")],
    "JSON": [('\'{"k": [1, null, "😀"]}\'', '{"k": [1, null, "😀"]}'), ("'1e2'", "1e2")],
    "GEOMETRY": [
        ("ST_GeomFromText('POINT(1 2)')", f"0x{'00' * 4}0101000000{'00' * 6}F03F{'00' * 7}40"),
    ],
    "POINT": [
        ("ST_GeomFromText('POINT(0 0)', 4326)", f"0xE6100000{'0101000000'}{'00' * 16}"),
    ],
    "INET4": [("'10.0.0.1'", "10.0.0.1")],
    "INET6": [("'2001:db8::ff'", "2001:db8::ff")],
    "UUID": [
        (
            "'123e4567-e89b-12d3-a456-426655440000'",
            "123e4567-e89b-12d3-a456-426655440000",
        )
    ],
}

DEPTH = max(map(len, COLUMNS.values())) + 1  # a last row holds NULL in all columns
NAMES = {kind: f"c{number}" for number, kind in enumerate(COLUMNS)}

# Where the drivers give the contract different things: (type, what is written) -> by driver.
# mysqlclient has None for a date or time that no calendar has, so it cannot be told from NULL.
APART: dict[tuple[str, str], dict[str, Any]] = {
    ("DATE", "'0000-00-00'"): {"mysqlclient": None},
    ("DATE", "'2026-02-00'"): {"mysqlclient": None},
    ("DATETIME", "'0000-00-00 00:00:00'"): {"mysqlclient": None},
    ("DATETIME(6)", "'0000-00-00 00:00:00'"): {"mysqlclient": None},
    ("TIMESTAMP NULL", "'0000-00-00 00:00:00'"): {"mysqlclient": None},
}


def written(kind: str, row: int) -> tuple[str, Any]:
    """What is written into one cell and read from it; the columns have unequal numbers of cases."""
    cases = COLUMNS[kind]
    return ("NULL", None) if row == DEPTH - 1 else cases[row % len(cases)]


@pytest.fixture(scope="module")
def table(server: Server) -> str:
    """Make a table with all types and their extremes."""
    with (
        closing(pymysql.connect(**server, charset="utf8mb4")) as connection,
        connection.cursor() as cursor,
    ):
        columns = ", ".join(f"{NAMES[kind]} {kind}" for kind in COLUMNS)
        cursor.execute(f"CREATE TABLE extremes (number INT PRIMARY KEY, {columns})")
        for row in range(DEPTH):
            values = ", ".join(written(kind, row)[0] for kind in COLUMNS)
            cursor.execute(f"INSERT INTO extremes VALUES ({row}, {values})")
            warnings = cursor.execute("SHOW WARNINGS")
            assert not warnings, cursor.fetchall()
        connection.commit()
    return "extremes"


def rows_of(driver: Any, server: Server, statement: str) -> Any:
    with (
        closing(driver.connect(**server, charset="utf8mb4")) as connection,
        closing(connection.cursor(driver.cursors.DictCursor)) as cursor,
    ):
        cursor.execute(statement)
        return [column[0] for column in cursor.description], cursor.fetchall()


def result(columns: Any, rows: Any) -> MysqlToolResult:
    return MysqlToolResult(
        tool_call_id="call_1",
        status=EvidenceStatus.EVIDENCE_FOUND,
        row_count=len(rows),
        truncated=False,
        columns=columns,
        rows=rows,
    )


@functools.cache
def sample() -> ModuleType:
    """Load the sample of the guide."""
    spec = importlib.util.spec_from_file_location("mysql_rows", EXAMPLES / "mysql_rows.py")
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def ask(driver: Any, server: Server, sql: str, *params: Any) -> MysqlToolResult:
    """Run a request that came as the model's JSON through the sample of the guide."""
    if driver is MySQLdb:
        server = {**server, "multi_statements": False}
    arguments = json.dumps({"data_source": "evidence", "sql": sql, "params": params})
    request = MysqlToolRequest.from_json(arguments)
    answer: MysqlToolResult = sample().query_mysql(driver, server, request, "call_1")
    assert rules.violations(answer) == ()
    assert MysqlToolResult.from_json(answer.to_json()) == answer
    return answer


@pytest.mark.parametrize("name", DRIVERS)
def test_rows_of_all_types_are_taken_as_the_driver_gives_them(
    name: str, server: Server, table: str, tell: Callable[[str], None]
) -> None:
    columns, rows = rows_of(DRIVERS[name], server, f"SELECT * FROM {table} ORDER BY number")
    made = result(columns, rows)
    assert MysqlToolResult.from_json(made.to_json()) == made
    assert MysqlToolResult.from_json(made.to_json().encode()).to_dict() == made.to_dict()
    assert json.loads(made.to_json()) == made.to_dict()
    wire = made.to_dict()
    assert wire["columns"] == ["number", *NAMES.values()]
    assert len(wire["rows"]) == DEPTH
    wrong = {}
    for number, row in enumerate(wire["rows"]):
        for kind, column in NAMES.items():
            literal, right = written(kind, number)
            right = APART.get((kind, literal), {}).get(name, right)
            if row[column] != right or type(row[column]) is not type(right):
                wrong[kind, literal] = (row[column], right, rows[number][column])
    assert wrong == {}
    cells = sum(map(len, wire["rows"]))
    tell(f"{name}: {len(COLUMNS)} column types, {cells} cells, {len(APART)} stated differences")


def test_the_stated_differences_are_the_only_ones(server: Server, table: str) -> None:
    statement = f"SELECT * FROM {table} ORDER BY number"
    one, other = (result(*rows_of(driver, server, statement)) for driver in DRIVERS.values())
    apart = {
        (kind, written(kind, number)[0])
        for number in range(DEPTH)
        for kind, column in NAMES.items()
        if one.to_dict()["rows"][number][column] != other.to_dict()["rows"][number][column]
    }
    assert apart == set(APART)


@each_driver
def test_values_of_a_request_come_back_as_they_were(driver: Any, server: Server) -> None:
    values = (
        "plain", "", "it's \"quoted\" \\ 100 % ? %s", "\0\x1a\n", "中文 😀", "'; DROP TABLE x; --",
        "2026-03-01", "1e2", 0, -1, 2**53 - 1, -(2**63), 2**64 - 1, 10**64, 0.1, -1.5e-300, 1e308,
        1e20, True, False, None,
    )  # fmt: skip
    read = [
        *values[:8],
        *(0, -1, 2**53 - 1, str(-(2**63)), str(2**64 - 1), str(10**64)),
        *(0.1, -1.5e-300, 1e308, 1e20, 1, 0, None),
    ]
    marks = ", ".join(f"? AS v{number}" for number in range(len(values)))
    answer = ask(driver, server, f"SELECT {marks}", *values)
    assert answer.status is EvidenceStatus.EVIDENCE_FOUND
    assert list(answer.to_dict()["rows"][0].values()) == read


@each_driver
def test_marks_in_quotes_and_comments_stay(driver: Any, server: Server) -> None:
    answer = ask(
        driver,
        server,
        "SELECT '50 % of ''what''?' AS a, \"?\\\"?\" AS b, 5 % 3 AS `c?`, ? AS d -- really?\n"
        ", '%s' AS e /* or ? */ , '\\'?' AS f # ?\n, ? AS g FROM DUAL WHERE 'abc' LIKE 'a%'",
        "first",
        "second",
    )
    assert answer.to_dict()["rows"] == [
        {
            "a": "50 % of 'what'?",
            "b": '?"?',
            "c?": 2,
            "d": "first",
            "e": "%s",
            "f": "'?",
            "g": "second",
        }
    ]


@each_driver
def test_a_statement_without_values_may_hold_percent_signs(driver: Any, server: Server) -> None:
    answer = ask(driver, server, "SELECT '%' AS a, '%d %(b)s' AS b")
    assert answer.to_dict()["rows"] == [{"a": "%", "b": "%d %(b)s"}]


@each_driver
def test_rows_are_bounded_and_it_is_said(driver: Any, server: Server) -> None:
    most = sample().MOST_ROWS
    for wanted in (0, 1, most - 1, most, most + 1, most + 2, 1000):
        answer = ask(driver, server, "SELECT seq FROM seq_1_to_1000 WHERE seq <= ?", wanted)
        assert answer.row_count == wanted
        assert len(answer.rows) == min(wanted, most)
        assert answer.truncated == (wanted > most)
        assert answer.columns == ("seq",)
        found = EvidenceStatus.EVIDENCE_FOUND if wanted else EvidenceStatus.NO_EVIDENCE
        assert answer.status is found


@each_driver
def test_a_failure_becomes_an_error_that_does_not_tell_the_driver_text(
    driver: Any, server: Server, caplog: pytest.LogCaptureFixture
) -> None:
    failing = {
        "no such table": ("SELECT * FROM secret_table", ()),
        "no statement": ("", ()),
        "too few values": ("SELECT ? AS a, ? AS b", (1,)),
        "too many values": ("SELECT ? AS a", (1, 2)),
        "two statements": ("SELECT 1; SELECT 2", ()),
    }
    for case, (sql, params) in failing.items():
        caplog.clear()
        with caplog.at_level(logging.ERROR):
            answer = ask(driver, server, sql, *params)
        assert answer.status is EvidenceStatus.ERROR, case
        assert (answer.tool_call_id, answer.columns, answer.rows) == ("call_1", (), ())
        assert [record.exc_info is not None for record in caplog.records] == [True]
        assert "secret_table" not in answer.to_json()


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
@each_driver
def test_a_server_that_cannot_be_reached_is_an_error(driver: Any, server: Server) -> None:
    nowhere = {**server, "unix_socket": f"{server['unix_socket']}-nowhere"}
    assert ask(driver, nowhere, "SELECT 1").status is EvidenceStatus.ERROR
    gc.collect()  # PyMySQL does not close a socket that cannot connect: warn here, not later


@each_driver
def test_a_statement_that_returns_nothing_is_no_evidence(driver: Any, server: Server) -> None:
    answer = ask(driver, server, "SET @a = 1")
    assert answer.status is EvidenceStatus.NO_EVIDENCE
    assert (answer.row_count, answer.columns, answer.rows) == (0, (), ())


@each_driver
def test_two_columns_of_one_name_are_refused_with_the_way_out(driver: Any, server: Server) -> None:
    with pytest.raises(ContractError) as caught:
        ask(driver, server, "SELECT 1 AS a, 2 AS a")
    assert "column names must be unique, use aliases" in str(caught.value)
