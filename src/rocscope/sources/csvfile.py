"""A CSV file behind DuckDB: its header is read here, its cells are declared as text and cast by us.

Nothing is sniffed but the delimiter, which the header shows: a column never changes its type because of
the rows DuckDB happened to look at.
"""

from __future__ import annotations

import codecs
import csv
import io
import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, cast

from numpy.typing import NDArray

from rocscope.core import checks
from rocscope.errors import ResourceError, RocInputError
from rocscope.sources.local import LocalFile

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

DELIMITERS = ",;\t|"
HEADER_BYTES = 1 << 22
SHOWN_NAMES = 20
# No extension is fetched or loaded, and nothing is written next to the user's data.
SETTINGS: dict[str, str | bool | int | float | list[str]] = {
    "autoinstall_known_extensions": "false",
    "autoload_known_extensions": "false",
    "temp_directory": "",
}
READ = (
    "read_csv($path, columns=$columns, delim=$delimiter, quote='\"', escape='\"', header=true, "
    "auto_detect=false, compression='none', hive_partitioning=false)"
)
NUMBERED = f"(SELECT row_number() OVER () AS row, * FROM {READ})"


@dataclass(frozen=True, slots=True)
class CsvFile:
    """A CSV file with its header read, ready for queries over its columns c0, c1, ..."""

    file: LocalFile
    names: tuple[str, ...]
    delimiter: str
    connection: DuckDBPyConnection

    def position(self, name: str) -> int:
        """Where a column stands; an unknown name is refused with the nearest ones."""
        if name in self.names:
            return self.names.index(name)
        shown = ", ".join(map(repr, self.names[:SHOWN_NAMES]))
        more = f" and {len(self.names) - SHOWN_NAMES} more" if len(self.names) > SHOWN_NAMES else ""
        hint = checks.did_you_mean(name, self.names)
        if all(re.fullmatch(r"[-+.\deE ]+", cell) for cell in self.names):
            hint = "; the first line must name the columns"
        raise RocInputError(f"{self.file.shown} must have a column {name!r}, got {shown}{more}{hint}")

    def query(self, select: str, source: str = READ, tail: str = "") -> dict[str, NDArray[Any]]:
        """Columns of `SELECT select FROM source tail`, made of our own words alone, in file order."""
        values = {
            "path": str(self.file.path),
            "columns": {f"c{i}": "VARCHAR" for i in range(len(self.names))},
            "delimiter": self.delimiter,
        }
        with _translated_errors(self.file.shown):
            found = self.connection.execute(f"SELECT {select} FROM {source} {tail}", values)
            return cast("dict[str, NDArray[Any]]", found.fetchnumpy())

    def query_one(self, columns: dict[str, str], source: str = READ) -> dict[str, Any]:
        """The only row of a query of named expressions, as plain Python."""
        found = self.query(", ".join(f"{sql} AS {name}" for name, sql in columns.items()), source)
        return {name: values.tolist()[0] for name, values in found.items()}


@contextmanager
def open_csv(file: LocalFile, wanted: Iterable[str]) -> Iterator[CsvFile]:
    """Read the header and connect; of several possible delimiters the one that yields the wanted columns."""
    names, delimiter = read_header(file, set(wanted))
    import duckdb

    with duckdb.connect(":memory:", config=SETTINGS) as connection:
        yield CsvFile(file, names, delimiter, connection)


def read_header(file: LocalFile, wanted: set[str]) -> tuple[tuple[str, ...], str]:
    """Names of the columns, and the delimiter between them."""
    text = _first_text(file)
    if not text.strip("\r\n \t"):
        raise RocInputError(f"{file.shown} must hold a table with a header, got an empty file")
    headers = {delimiter: _first_record(text, delimiter, file) for delimiter in DELIMITERS}
    best = max(DELIMITERS, key=lambda d: (wanted <= set(headers[d]), len(headers[d])))
    _refuse_duplicates(headers[best], file)
    return headers[best], best


def _first_text(file: LocalFile) -> str:
    with file.path.open("rb") as stream:
        start = stream.read(HEADER_BYTES)
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


def _refuse_duplicates(names: Sequence[str], file: LocalFile) -> None:
    """Two columns of one name are ambiguous; nameless ones cannot be asked for and may repeat."""
    twice = [name for name in dict.fromkeys(names) if name and names.count(name) > 1]
    if twice:
        raise RocInputError(
            f"{file.shown} must have different column names, got {', '.join(map(repr, twice))} more than once"
        )


@contextmanager
def _translated_errors(name: str) -> Iterator[None]:
    import duckdb

    try:
        yield
    except duckdb.OutOfMemoryException as error:
        raise ResourceError(f"{name} does not fit into memory: {_first_line(error)}") from error
    except duckdb.Error as error:
        raise RocInputError(f"{name} {_complaint(str(error), _first_line(error))}") from error
    except RuntimeError as error:
        if "interrupted" in str(error).lower():  # DuckDB swallows the KeyboardInterrupt
            raise KeyboardInterrupt from error
        raise


def _complaint(text: str, first: str) -> str:
    """Say what is wrong with the file in our words, with the line where DuckDB tells it."""
    line = re.search(r"on Line: (\d+)", text)
    where = f" in line {line[1]}" if line else ""
    cells = re.search(r"Expected Number of Columns: (\d+) Found: (\d+)", text)
    if cells:
        return f"must have {cells[1]} cells in every line, got {cells[2]}{where}"
    if "unterminated quote" in text:
        return f"must close every quote at the end of its cell, got an open one{where}"
    if "not utf-8" in text:
        return f"must be UTF-8 text, got other bytes{where}"
    if "state machine" in text:
        return "must be a CSV table whose lines all end alike, got something else"
    return f"cannot be read as a CSV table: {first}"


def _first_line(error: Exception) -> str:
    return str(error).partition("\n")[0]
