"""A file of JSON lines behind DuckDB: one object per line, its values read by their own types."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from functools import partial
from itertools import islice

from rocscope.core import checks
from rocscope.errors import RocInputError
from rocscope.sources.database import Database, first_line, open_database
from rocscope.sources.formats import foreign
from rocscope.sources.limits import Limits
from rocscope.sources.local import LocalFile
from rocscope.sources.source import Source
from rocscope.sources.typed import JsonColumn

READ = "read_json($path, format='newline_delimited', columns=$columns, compression='none', hive_partitioning=false)"
OBJECTS = "read_ndjson_objects($path, compression='none', hive_partitioning=false)"
FIRST_ROWS = 10_000


@contextmanager
def open_jsonl(
    file: LocalFile, wanted: Iterable[str], limits: Limits, *, spill: bool = False
) -> Iterator[Source]:
    """Find the keys and connect; the columns are those that are wanted and there."""
    _check_start(file)
    with open_database(file, limits, partial(explain, file), spill=spill) as database:
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


def _check_start(file: LocalFile) -> None:
    with file.path.open("rb") as stream:
        start = stream.read(1 << 16)
    if not start.strip():
        raise RocInputError(f"{file.shown} must hold JSON objects, one per line, got an empty file")
    words = foreign(start)
    if words is not None:
        raise RocInputError(f"{file.shown} must hold JSON objects, one per line, got {words}")


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
    kind = re.match(r"Expected OBJECT, but got (\w+)", told[2])
    if kind:
        return f"must hold a JSON object in every line, got {kind[1].lower()} in line {told[1]}"
    twice = re.search(r'has duplicate key "(.*)"', told[2])
    if twice:
        return f"must have different keys in every line, got {twice[1]!r} more than once in line {told[1]}"
    return f"must hold a JSON object in every line, got {_broken_line(file, int(told[1]))}"


def _broken_line(file: LocalFile, told: int) -> str:
    """The line that is no JSON; DuckDB may have counted it one too far."""
    with file.path.open("rb") as stream:
        for number, line in enumerate(islice(stream, max(told - 2, 0), told), start=max(told - 1, 1)):
            try:
                json.loads(line)
            except ValueError:
                shown = checks.show(line.decode("utf-8", "backslashreplace").rstrip("\r\n"), limit=40)
                return f"{shown} in line {number}"
    return f"something else near line {told}"
