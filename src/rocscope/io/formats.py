"""A CSV file behind DuckDB: its header is read here, its cells are declared as text and cast by us.

Nothing is sniffed but the delimiter, which the header shows: a column never changes its type because of
the rows DuckDB happened to look at.
"""

from __future__ import annotations

import codecs
import csv
import io
import json
import re
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from functools import partial
from itertools import islice
from typing import Any

from numpy.typing import NDArray

from rocscope.core import checks
from rocscope.errors import RocInputError
from rocscope.io.columns import Column, JsonColumn, Kind, TextColumn, typed_column
from rocscope.io.database import Database, Source, check_room, first_line, open_database, refuse_duplicates
from rocscope.io.local import PARQUET, Limits, LocalFile, copied, foreign, temporary_folder

DELIMITERS = ",;\t|"
HEADER_BYTES = 1 << 22
READ = (
    "read_csv($path, columns=$columns, delim=$delimiter, quote='\"', escape='\"', header=true, "
    "auto_detect=false, compression='none', hive_partitioning=false, buffer_size=$buffer)"
)
BUFFER_BYTES = 32_000_000
LIMITED_BUFFER_BYTES = 8_000_000  # DuckDB keeps several


@contextmanager
def open_csv(
    file: LocalFile, wanted: Iterable[str], limits: Limits, *, spill: bool = False
) -> Iterator[Source]:
    """Read the header and connect; of several possible delimiters the one that yields the wanted columns."""
    names, delimiter = read_header(file, set(wanted))
    line_end = _line_end(file, names)
    columns = {f"c{i}": "VARCHAR" for i in range(len(names))}
    with open_database(file, limits, explain, spill=spill) as database:
        yield Source(
            database=database,
            names=names,
            relation=READ if line_end is None else f"{READ.removesuffix(')')}, new_line=$line_end)",
            values={
                "path": str(file.path),
                "columns": columns,
                "delimiter": delimiter,
                **({} if line_end is None else {"line_end": line_end}),
                "buffer": BUFFER_BYTES if limits.memory is None else LIMITED_BUFFER_BYTES,
            },
            make_column=TextColumn,
            nothing="only a header",
        )


def read_header(file: LocalFile, wanted: set[str]) -> tuple[tuple[str, ...], str]:
    """Names of the columns, and the delimiter between them."""
    text = _first_text(file)
    if not text.strip("\r\n \t"):
        raise RocInputError(f"{file.shown} must hold a table with a header, got an empty file")
    headers = {delimiter: _first_record(text, delimiter, file) for delimiter in DELIMITERS}
    best = max(DELIMITERS, key=lambda d: (wanted <= set(headers[d]), len(headers[d])))
    refuse_duplicates(headers[best], file)
    return headers[best], best


def _first_text(file: LocalFile) -> str:
    with file.path.open("rb") as stream:
        start = stream.read(HEADER_BYTES)
    words = foreign(start)
    if words is not None:
        raise RocInputError(f"{file.shown} must be a CSV table, got {words}")
    try:
        return codecs.getincrementaldecoder("utf-8-sig")().decode(start)
    except UnicodeDecodeError as error:
        line = start[: error.start].count(b"\n") + 1
        raise RocInputError(f"{file.shown} must be UTF-8 text, got other bytes in line {line}") from error


def _first_record(text: str, delimiter: str, file: LocalFile) -> tuple[str, ...]:
    try:
        return tuple(next(csv.reader(io.StringIO(text, newline=""), delimiter=delimiter)))
    except csv.Error as error:
        raise RocInputError(
            f"{file.shown} must begin with a line of column names, got {checks.show(text[:60])}: {error}"
        ) from error


def _line_end(file: LocalFile, names: tuple[str, ...]) -> str | None:
    """How lines end, as DuckDB spells it, where a name has a line end of its own, which DuckDB would take."""
    if not any(set(name) & set("\r\n") for name in names):
        return None
    unquoted = "".join(_first_text(file).split('"')[::2])
    found = re.search(r"\r\n|\n|\r", unquoted)
    return found and found[0].replace("\r", "\\r").replace("\n", "\\n")


def explain(text: str) -> str:
    """Say what is wrong with the file in our words, with the line where DuckDB tells it."""
    line = re.search(r"on Line: (\d+)", text)
    where = f" in line {line[1]}" if line else ""
    cells = re.search(r"Expected Number of Columns: (\d+) Found: (\d+)", text)
    if cells:
        more = int(cells[2]) > int(cells[1])
        hint = "; a decimal comma must be a point, and a comma in a text stand in quotes" if more else ""
        return f"must have {cells[1]} cells in every line, got {cells[2]}{where}{hint}"
    if "unterminated quote" in text:
        return f"must close every quote at the end of its cell, got an open one{where}"
    if "not utf-8" in text:
        return f"must be UTF-8 text, got other bytes{where}"
    if "state machine" in text:
        return "must be a CSV table whose lines all end alike, got something else"
    return f"cannot be read as a CSV table: {first_line(text)}"


# ---- A file of JSON lines behind DuckDB: one object per line, its values read by their own types ----------

READ_JSONFILE = (
    "read_json($path, columns=$columns, format='newline_delimited', compression='none', "
    "hive_partitioning=false)"
)
OBJECTS = "read_ndjson_objects($path, compression='none', hive_partitioning=false)"
FIRST_ROWS = 10_000
START_BYTES = 1 << 16


@contextmanager
def open_jsonl(
    file: LocalFile, wanted: Iterable[str], limits: Limits, *, spill: bool = False
) -> Iterator[Source]:
    """Find the keys and connect; the columns are those that are wanted and there."""
    with (
        _without_mark(file, limits) as file,
        open_database(file, limits, partial(explain_jsonfile, file), spill=spill) as database,
    ):
        _check_start(file)
        keys, asked = _keys(database, FIRST_ROWS), list(wanted)
        if not set(asked) <= set(keys):
            keys = _keys(database, None)
        _refuse_lookalikes(asked)
        names = tuple(dict.fromkeys([name for name in asked if name in keys] + keys))
        columns = {name: "JSON" for name in asked if name in keys}
        yield Source(
            database=database,
            names=names,
            relation=f"{READ_JSONFILE} AS t({', '.join(f'c{i}' for i in range(len(columns)))})",
            values={"path": str(file.path), "columns": columns},
            make_column=JsonColumn,
        )


@contextmanager
def _without_mark(file: LocalFile, limits: Limits) -> Iterator[LocalFile]:
    """The file, or a copy without its byte order mark, which DuckDB does not read."""
    with ExitStack() as cleanup, file.path.open("rb") as stream:
        if stream.read(len(codecs.BOM_UTF8)) != codecs.BOM_UTF8:
            yield file
            return
        folder = temporary_folder(cleanup)
        check_room(file, folder, limits, file.path.stat().st_size)
        yield replace(file, path=copied(stream, folder, file.shown, limits), state=None)


def _check_start(file: LocalFile) -> None:
    with file.path.open("rb") as stream:
        start = stream.read(START_BYTES)
    if not start.strip():
        raise RocInputError(f"{file.shown} must hold a JSON object in every line, got an empty file")
    other = foreign(start)
    if other is None and not start.lstrip().startswith(b"{"):
        number = start[: len(start) - len(start.lstrip())].count(b"\n") + 1
        other = f"{_shown(start.lstrip().splitlines()[0])} in line {number}"
        other += "; an array must become a line for each of its objects" if start.lstrip()[:1] == b"[" else ""
    if other is not None:
        raise RocInputError(f"{file.shown} must hold a JSON object in every line, got {other}")


def _keys(database: Database, rows: int | None) -> list[str]:
    """Keys of the first rows, or of all."""
    objects = f"(SELECT json FROM {OBJECTS}{'' if rows is None else f' LIMIT {rows}'})"
    sql = f"SELECT key, count(*) FROM (SELECT unnest(json_keys(json)) AS key FROM {objects}) GROUP BY key"
    found = database.query(f"{sql} ORDER BY 2 DESC, 1", {"path": str(database.file.path)}, doing="checking")
    return [str(key) for key in found["key"].tolist()]


def _refuse_lookalikes(asked: list[str]) -> None:
    """DuckDB keeps one of two names that differ in case alone, and fills the other with nothing."""
    lower = [name.lower() for name in asked]
    alike = [name for name in asked if lower.count(name.lower()) > 1]
    if alike:
        raise RocInputError(
            f"columns of JSON lines must differ in more than case, got {' and '.join(map(repr, alike))}"
        )


def explain_jsonfile(file: LocalFile, text: str) -> str:
    """Say what is wrong with the file in our words, with the line where DuckDB tells it."""
    told = re.search(r"in line (\d+): (.*)", text)
    if told is None:
        return f"cannot be read as JSON lines: {first_line(text)}"
    count, complaint = int(told[1]), told[2]
    kind = re.match(r"Expected OBJECT, but got (\w+)", complaint)
    twice = re.search(r'has duplicate key "(.*)"', complaint)
    if kind is None and twice is None:
        return f"must hold a JSON object in every line, got {_broken_line(file, count)}"
    line = next((number for number, _ in _lines(file, count, count)), count)
    if kind:
        return f"must hold a JSON object in every line, got {kind[1].lower()} in line {line}"
    return f"must have different keys in every line, got {twice and twice[1]!r} more than once in line {line}"


def _broken_line(file: LocalFile, count: int) -> str:
    """The line that is no JSON; DuckDB may have counted it one too far."""
    for number, line in _lines(file, count - 1, count):
        try:
            json.loads(line)
        except ValueError:
            return f"{_shown(line)} in line {number}"
    return f"something else near line {count}"


def _lines(file: LocalFile, first: int, last: int) -> Iterator[tuple[int, bytes]]:
    """Lines with their numbers, from the first to the last; DuckDB counts only those that are not blank."""
    with file.path.open("rb") as stream:
        filled = (line for line in enumerate(stream, start=1) if line[1].strip())
        yield from islice(filled, max(first - 1, 0), last)


def _shown(line: bytes) -> str:
    return checks.show(line.decode("utf-8", "backslashreplace").rstrip("\r\n"), limit=40)


# ---- A Parquet file behind DuckDB: its columns have types, which are taken as they are --------------------

READ_PARQUETFILE = "read_parquet($path, hive_partitioning=false)"


@contextmanager
def open_parquet(file: LocalFile, limits: Limits, *, spill: bool = False) -> Iterator[Source]:
    """Read the schema and connect."""
    _check_magic(file)
    with open_database(file, limits, explain_parquetfile, spill=spill) as database:
        names, types = _schema(database)
        refuse_duplicates(names, file)

        def make_column(name: str, position: int, kind: Kind) -> Column:
            return typed_column(name, position, kind, sql_type=types[position], shown=file.shown)

        yield Source(
            database=database,
            names=names,
            relation=f"{READ_PARQUETFILE} AS t({', '.join(f'c{i}' for i in range(len(names)))})",
            values={"path": str(file.path)},
            make_column=make_column,
        )


def _check_magic(file: LocalFile) -> None:
    with file.path.open("rb") as stream:
        start = stream.read(len(PARQUET))
    if not start:
        raise RocInputError(f"{file.shown} must hold a Parquet table, got an empty file")
    if start != PARQUET:
        raise RocInputError(f"{file.shown} must be a Parquet file, got one that begins with {start!r}")


def _schema(database: Database) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Names as the file has them (DuckDB would rename those that differ in case alone), and their types."""
    values = {"path": str(database.file.path)}
    schema = database.query("SELECT name, num_children FROM parquet_schema($path)", values)
    types = database.query(f"SELECT column_type FROM (DESCRIBE SELECT * FROM {READ_PARQUETFILE})", values)
    names = tuple(_top_names(schema["name"], schema["num_children"]))
    if not names:
        raise RocInputError(f"{database.file.shown} must have columns, got none")
    return names, tuple(types["column_type"].tolist())


def _top_names(names: NDArray[Any], children: NDArray[Any]) -> Iterator[str]:
    """Names of the outermost columns of a schema, which lists every column before its own parts."""
    skip = 0
    for name, parts in list(zip(names.tolist(), children.tolist(), strict=True))[1:]:
        if not skip:
            yield name
        skip = max(skip - 1, 0) + int(parts or 0)


def explain_parquetfile(text: str) -> str:
    """Say what is wrong with the file in our words."""
    if "No magic bytes" in text or "too small" in text:
        return "must be a whole Parquet file, got one that is cut off"
    return f"cannot be read as a Parquet table: {first_line(text)}"
