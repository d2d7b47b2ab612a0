"""CSV, JSON lines and Parquet behind DuckDB. The header of CSV is read here, its cells are cast by us.

Nothing is sniffed but the delimiter, which the header shows: a column never changes its type because of
the rows DuckDB happened to look at.
"""

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
from rocscope.io.database import Database, Source, first_line, open_database, refuse_duplicates
from rocscope.io.input_file import PARQUET, InputFile, Limits, copied, refuse_foreign, temporary_folder

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
    file: InputFile, required: Iterable[str], limits: Limits, *, spill: bool = False
) -> Iterator[Source]:
    """Read the header and connect; of several possible delimiters the one that gives the required columns."""
    text = _first_text(file)
    names, delimiter = _header(text, set(required), file)
    line_end = None
    if any(set(name) & set("\r\n") for name in names):  # DuckDB would take a line end inside a name
        unquoted = "".join(text.split('"')[::2])
        end = re.search(r"\r\n|\n|\r", unquoted)
        line_end = end and end[0].replace("\r", "\\r").replace("\n", "\\n")
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


def _header(text: str, required: set[str], file: InputFile) -> tuple[tuple[str, ...], str]:
    """Names of the columns, and the delimiter between them."""
    if not text.strip("\r\n \t"):
        raise RocInputError(f"{file.shown} must hold a table with a header, got an empty file")
    headers = dict[str, tuple[str, ...]]()
    for delimiter in DELIMITERS:
        try:
            headers[delimiter] = tuple(next(csv.reader(io.StringIO(text, newline=""), delimiter=delimiter)))
        except csv.Error as error:
            raise RocInputError(
                f"{file.shown} must begin with a line of column names, got {checks.show(text[:60])}: {error}"
            ) from error
    best = max(DELIMITERS, key=lambda d: (required <= set(headers[d]), len(headers[d])))
    refuse_duplicates(headers[best], file)
    return headers[best], best


def _first_text(file: InputFile) -> str:
    start = file.start(HEADER_BYTES)
    refuse_foreign(file, start, "must be a CSV table")
    try:
        return codecs.getincrementaldecoder("utf-8-sig")().decode(start)
    except UnicodeDecodeError as error:
        line = start[: error.start].count(b"\n") + 1
        raise RocInputError(f"{file.shown} must be UTF-8 text, got other bytes in line {line}") from error


def explain(text: str) -> str:
    """Say what is wrong with the file, with the line where DuckDB names it."""
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

READ_JSONL = (
    "read_json($path, columns=$columns, format='newline_delimited', compression='none', "
    "hive_partitioning=false)"
)
OBJECTS = "read_ndjson_objects($path, compression='none', hive_partitioning=false)"
OBJECT = "must hold a JSON object in every line"
FIRST_ROWS = 10_000
START_BYTES = 1 << 16


@contextmanager
def open_jsonl(
    file: InputFile, required: Iterable[str], limits: Limits, *, spill: bool = False
) -> Iterator[Source]:
    """Find the keys and connect; the columns are those that are required and there."""
    with ExitStack() as cleanup:
        if file.start(len(codecs.BOM_UTF8)) == codecs.BOM_UTF8:  # a copy without it: DuckDB does not read it
            folder = temporary_folder(cleanup)
            with file.contents() as stream:
                stream.seek(len(codecs.BOM_UTF8))
                copy = copied(stream, folder, file.shown, limits)
            file = replace(file, path=copy, state=None, stream=None)
        database = cleanup.enter_context(
            open_database(file, limits, partial(explain_jsonl, file), spill=spill)
        )
        _check_start(file)
        keys, listed = _keys(database, FIRST_ROWS), list(required)
        if not set(listed) <= set(keys):
            keys = _keys(database, None)
        # DuckDB keeps one of two names that differ in case alone, and fills the other with nothing.
        lower = [name.lower() for name in listed]
        alike = [name for name in listed if lower.count(name.lower()) > 1]
        if alike:
            raise RocInputError(
                f"columns of JSON lines must differ in more than case, got {' and '.join(map(repr, alike))}"
            )
        names = tuple(dict.fromkeys([name for name in listed if name in keys] + keys))
        columns = {name: "JSON" for name in listed if name in keys}
        yield Source(
            database=database,
            names=names,
            relation=f"{READ_JSONL} AS t({', '.join(f'c{i}' for i in range(len(columns)))})",
            values={"path": str(file.path), "columns": columns},
            make_column=JsonColumn,
        )


def _check_start(file: InputFile) -> None:
    """Refuse what cannot be JSON lines by its first bytes."""
    start = file.start(START_BYTES)
    filled = start.lstrip()
    if not filled:
        raise RocInputError(f"{file.shown} {OBJECT}, got an empty file")
    refuse_foreign(file, start, OBJECT)
    if not filled.startswith(b"{"):
        number = start[: len(start) - len(filled)].count(b"\n") + 1
        hint = "; an array must become a line for each of its objects" if filled.startswith(b"[") else ""
        raise RocInputError(
            f"{file.shown} {OBJECT}, got {_shown(filled.splitlines()[0])} in line {number}{hint}"
        )


def _keys(database: Database, rows: int | None) -> list[str]:
    """Keys of the first rows, or of all."""
    objects = f"(SELECT json FROM {OBJECTS}{'' if rows is None else f' LIMIT {rows}'})"
    sql = f"SELECT key, count(*) FROM (SELECT unnest(json_keys(json)) AS key FROM {objects}) GROUP BY key"
    found = database.query(f"{sql} ORDER BY 2 DESC, 1", {"path": str(database.file.path)}, doing="checking")
    return [str(key) for key in found["key"].tolist()]


def explain_jsonl(file: InputFile, text: str) -> str:
    """Say what is wrong with the file, with the line where DuckDB names it."""
    parts = re.search(r"in line (\d+): (.*)", text)
    if parts is None:
        return f"cannot be read as JSON lines: {first_line(text)}"
    count, complaint = int(parts[1]), parts[2]
    kind = re.match(r"Expected OBJECT, but got (\w+)", complaint)
    twice = re.search(r'has duplicate key "(.*)"', complaint)
    if kind is None and twice is None:
        broken = f"something else near line {count}"
        for number, content in _lines(file, count - 1, count):  # DuckDB may count one too far
            try:
                json.loads(content)
            except ValueError:
                broken = f"{_shown(content)} in line {number}"
                break
        return f"{OBJECT}, got {broken}"
    line = next((number for number, _ in _lines(file, count, count)), count)
    if kind:
        return f"{OBJECT}, got {kind[1].lower()} in line {line}"
    return f"must have different keys in every line, got {twice and twice[1]!r} more than once in line {line}"


def _lines(file: InputFile, first: int, last: int) -> Iterator[tuple[int, bytes]]:
    """Lines with their numbers, from the first to the last; DuckDB counts only those that are not blank."""
    with file.contents() as stream:
        filled = (line for line in enumerate(stream, start=1) if line[1].strip())
        yield from islice(filled, max(first - 1, 0), last)


def _shown(line: bytes) -> str:
    return checks.show(line.decode("utf-8", "backslashreplace").rstrip("\r\n"), limit=40)


# ---- A Parquet file behind DuckDB: its columns have types, which are taken as they are --------------------

READ_PARQUET = "read_parquet($path, hive_partitioning=false)"


@contextmanager
def open_parquet(file: InputFile, limits: Limits, *, spill: bool = False) -> Iterator[Source]:
    """Read the schema and connect."""
    start = file.start(len(PARQUET))
    if not start:
        raise RocInputError(f"{file.shown} must hold a Parquet table, got an empty file")
    if start != PARQUET:
        raise RocInputError(f"{file.shown} must be a Parquet file, got one that begins with {start!r}")
    with open_database(file, limits, explain_parquet, spill=spill) as database:
        path = {"path": str(file.path)}
        # Names as the file has them: DuckDB would rename those that differ in case alone.
        schema = database.query("SELECT name, num_children FROM parquet_schema($path)", path)
        described = database.query(f"SELECT column_type FROM (DESCRIBE SELECT * FROM {READ_PARQUET})", path)
        names, types = tuple(_top_names(**schema)), tuple(described["column_type"].tolist())
        if not names:
            raise RocInputError(f"{file.shown} must have columns, got none")
        refuse_duplicates(names, file)

        def make_column(name: str, position: int, kind: Kind) -> Column:
            return typed_column(name, position, kind, sql_type=types[position], shown=file.shown)

        yield Source(
            database=database,
            names=names,
            relation=f"{READ_PARQUET} AS t({', '.join(f'c{i}' for i in range(len(names)))})",
            values=path,
            make_column=make_column,
        )


def _top_names(name: NDArray[Any], num_children: NDArray[Any]) -> Iterator[str]:
    """Names of the outermost columns of a schema, which lists every column before its own parts."""
    skip = 0
    for one, parts in list(zip(name.tolist(), num_children.tolist(), strict=True))[1:]:
        if not skip:
            yield one
        skip = max(skip - 1, 0) + int(parts or 0)


def explain_parquet(text: str) -> str:
    """Say what is wrong with the file."""
    if "No magic bytes" in text or "too small" in text:
        return "must be a whole Parquet file, got one that is cut off"
    return f"cannot be read as a Parquet table: {first_line(text)}"
