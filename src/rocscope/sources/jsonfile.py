"""A file of JSON lines behind DuckDB: one object per line, its values read by their own types."""

from __future__ import annotations

import codecs
import json
import re
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from functools import partial
from itertools import islice

from rocscope.core import checks
from rocscope.errors import RocInputError
from rocscope.sources.database import Database, check_room, first_line, open_database
from rocscope.sources.formats import foreign
from rocscope.sources.limits import Limits
from rocscope.sources.local import LocalFile, copied, temporary_folder
from rocscope.sources.source import Source
from rocscope.sources.typed import JsonColumn

READ = (
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
        open_database(file, limits, partial(explain, file), spill=spill) as database,
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
            relation=f"{READ} AS t({', '.join(f'c{i}' for i in range(len(columns)))})",
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


def explain(file: LocalFile, text: str) -> str:
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
