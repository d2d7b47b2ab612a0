"""A CSV file behind DuckDB: its header is read here, its cells are declared as text and cast by us.

Nothing is sniffed but the delimiter, which the header shows: a column never changes its type because of
the rows DuckDB happened to look at.
"""

from __future__ import annotations

import codecs
import csv
import io
import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager

from rocscope.core import checks
from rocscope.errors import RocInputError
from rocscope.sources.columns import TextColumn
from rocscope.sources.database import first_line, open_database
from rocscope.sources.formats import foreign
from rocscope.sources.limits import Limits
from rocscope.sources.local import LocalFile
from rocscope.sources.source import Source, refuse_duplicates

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
