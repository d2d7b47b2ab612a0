"""A Parquet file behind DuckDB: its columns have types, which are taken as they are."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from numpy.typing import NDArray

from rocscope.errors import RocInputError
from rocscope.sources.columns import Column, Kind
from rocscope.sources.database import Database, first_line, open_database
from rocscope.sources.formats import PARQUET
from rocscope.sources.limits import Limits
from rocscope.sources.local import LocalFile
from rocscope.sources.source import Source, refuse_duplicates
from rocscope.sources.typed import typed_column

READ = "read_parquet($path, hive_partitioning=false)"


@contextmanager
def open_parquet(file: LocalFile, limits: Limits, *, spill: bool = False) -> Iterator[Source]:
    """Read the schema and connect."""
    _check_magic(file)
    with open_database(file, limits, explain, spill=spill) as database:
        names, types = _schema(database)
        refuse_duplicates(names, file)

        def make_column(name: str, position: int, kind: Kind) -> Column:
            return typed_column(name, position, kind, sql_type=types[position], shown=file.shown)

        yield Source(
            database=database,
            names=names,
            relation=f"{READ} AS t({', '.join(f'c{i}' for i in range(len(names)))})",
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
    types = database.query(f"SELECT column_type FROM (DESCRIBE SELECT * FROM {READ})", values)
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


def explain(text: str) -> str:
    """Say what is wrong with the file in our words."""
    if "No magic bytes" in text or "too small" in text:
        return "must be a whole Parquet file, got one that is cut off"
    return f"cannot be read as a Parquet table: {first_line(text)}"
