"""DuckDB for one input: within limits, fenced in, with messages that name the file.

It reads the input and its own temporary folder, and nothing else; no extension is fetched or loaded.
"""

from __future__ import annotations

import re
import tempfile
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import numpy as np
from numpy.typing import NDArray

from rocscope.core import checks
from rocscope.errors import ResourceError, RocInputError, require
from rocscope.io.columns import BELOW, REQUIRED, Column, Kind, TextColumn, count_of
from rocscope.io.input_file import InputFile, Limits, show_size, temporary_folder

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

# Turns DuckDB's message about a file into one that follows the name of the file.
Explain = Callable[[str], str]
POLL_SECONDS = 0.1
# A temporary file that could not be written: the disk is full, or a quota reached.
UNWRITTEN = "No space left|[Cc]ould not write|write failed"
SETTINGS: dict[str, str | bool | int | float | list[str]] = {
    "autoinstall_known_extensions": "false",
    "autoload_known_extensions": "false",
}
# Several threads hand back JSON lines in any order, and a seed must find the rows in theirs.
IN_ORDER: dict[str, str | bool | int | float | list[str]] = {"threads": 1}
# Progress is counted, from the start, and not printed: that is for who watches.
COUNT_PROGRESS = (
    "SET enable_progress_bar = true",
    "SET enable_progress_bar_print = false",
    "SET progress_bar_time = 0",
)
NO_PROGRESS = ("SET enable_progress_bar = false",)  # else DuckDB prints a bar on stdout after two seconds


@dataclass(frozen=True, slots=True)
class Database:
    """A connection that may read one file, and write to a temporary folder where it has one."""

    connection: DuckDBPyConnection
    file: InputFile
    limits: Limits
    folder: Path | None
    explain: Explain

    def query(
        self, sql: str, values: Mapping[str, Any], *, doing: str = "reading"
    ) -> dict[str, NDArray[Any]]:
        """Columns of a query of our own text alone; what users wrote comes in as values."""
        with self._translated_errors(), self._watched(doing):
            result = self.connection.execute(sql, dict(values))
            return cast("dict[str, NDArray[Any]]", result.fetchnumpy())

    def check_room(self, needed: int) -> None:
        """Refuse a temporary copy that will not fit, before it is begun."""
        assert self.folder is not None
        room = self.limits.room(self.folder)
        if needed > room:
            raise ResourceError(
                f"a temporary copy of {self.file.shown} needs {show_size(needed)} in {self.folder.parent}, "
                f"where {show_size(room)} may be used; TMPDIR names another folder"
            )

    @contextmanager
    def _watched(self, doing: str) -> Iterator[None]:
        """Report the progress of the query, from a thread beside it."""
        watch = self.file.watch
        if watch is None:
            yield
            return
        done = threading.Event()

        def poll() -> None:
            while not done.wait(POLL_SECONDS):
                watch(doing, min(max(self.connection.query_progress(), 0.0), 100.0) / 100)

        thread = threading.Thread(target=poll, daemon=True)
        thread.start()
        try:
            yield
        finally:
            done.set()
            thread.join()

    @contextmanager
    def _translated_errors(self) -> Iterator[None]:
        import duckdb

        try:
            yield
        except duckdb.OutOfMemoryException as error:
            raise self._lack_of_room(str(error)) from error
        except duckdb.Error as error:
            if re.search(UNWRITTEN, str(error)):
                raise self._lack_of_room("max_temp_directory_size") from error
            file = self.file.part_in(str(error))
            if not file.path.exists():
                raise RocInputError(f"{file.shown} cannot be read: it is no longer there") from error
            raise RocInputError(f"{file.shown} {self.explain(str(error))}") from error
        except RuntimeError as error:
            if "interrupted" in str(error).lower():  # DuckDB swallows the KeyboardInterrupt
                raise KeyboardInterrupt from error
            raise

    def _lack_of_room(self, text: str) -> ResourceError:
        name, memory = self.file.shown, self.limits.memory
        if "max_temp_directory_size" in text:
            where = tempfile.gettempdir() if self.folder is None else self.folder.parent
            return ResourceError(
                f"{name} needs more room for temporary files than there is in {where}; TMPDIR names another "
                "folder",
                remedy=("memory_limit", None, "a larger {} needs less"),
            )
        if memory is None:
            return ResourceError(f"{name} does not fit into memory: {first_line(text)}")
        return ResourceError(
            f"{name} cannot be read within {show_size(memory)} of memory: {first_line(text)}",
            remedy=("memory_limit", None, "a larger {} helps"),
        )


@contextmanager
def open_database(
    file: InputFile, limits: Limits, explain: Explain, *, spill: bool = False
) -> Iterator[Database]:
    """Connect, with a temporary folder where queries may spill; it is gone afterwards."""
    duckdb = require("duckdb", f"reading {file.shown}")
    with ExitStack() as cleanup:
        folder = temporary_folder(cleanup) if spill else None
        settings = SETTINGS | limits.settings(folder) | (IN_ORDER if file.format == "jsonl" else {})
        connection = duckdb.connect(":memory:", config=settings)
        cleanup.enter_context(connection)
        for statement in NO_PROGRESS if file.watch is None else COUNT_PROGRESS:
            connection.execute(statement)
        if folder is not None:  # DuckDB heeds it on a live connection only
            room = f"{limits.room(folder)}B"
            connection.execute("SET max_temp_directory_size = $room", {"room": room})
        # It may read the file and its own folder, and nothing else.
        folders = [] if folder is None else [str(folder)]
        paths = [str(part.path) for part in file.parts or (file,)]
        connection.execute("SET allowed_paths = $paths", {"paths": paths})
        connection.execute("SET allowed_directories = $paths", {"paths": folders})
        connection.execute("SET enable_external_access = false")
        connection.execute("SET lock_configuration = true")
        yield Database(connection, file, limits, folder, explain)


def first_line(text: str) -> str:
    r"""The first line of a message, without the kind of error that DuckDB puts before it.

    Examples
    --------
    >>> first_line("IO Error: the disk is gone\nmore")
    'the disk is gone'
    """
    line = re.sub(r"^[A-Z][\w ]* Error: ", "", text.partition("\n")[0]).strip()
    return line if line.isprintable() else repr(line)


# ---- An open table, whatever its format: columns c0, c1, ... by position, behind one connection -----------
# What a user wrote, a path or a name, never becomes part of a statement.

SHOWN_NAMES = 20


@dataclass(frozen=True, slots=True)
class Source:
    """A table with its column names known, ready for queries.

    Attributes
    ----------
    names
        Names of all columns, in their order.
    relation
        What stands after FROM, with $parameters.
    values
        The parameters.
    make_column
        Makes a column from its name, position and kind: how cells are read depends on the format.
    nothing
        What a table without rows is, in words.
    notes
        How the table was read, where its user should know.
    with_comma
        The same table with decimal commas, where it may have some.
    """

    database: Database
    names: tuple[str, ...]
    relation: str
    values: Mapping[str, Any]
    make_column: Callable[[str, int, Kind], Column]
    nothing: str = "none"
    notes: tuple[str, ...] = ()
    with_comma: Source | None = None

    @property
    def file(self) -> InputFile:
        """The file that is read."""
        return self.database.file

    def parts(self) -> Iterator[Source]:
        """The table of each file, where there are several."""
        for part in self.file.parts:
            values = {**self.values, "path": str(part.path)}
            yield replace(self, database=replace(self.database, file=part), values=values, with_comma=None)

    def check_parts(self) -> None:
        """Refuse a file without rows."""
        for part in self.parts():
            if not part.query("1 AS n", "LIMIT 1", doing="checking")["n"].size:
                raise RocInputError(f"{part.file.shown} must hold rows as the others do, got {part.nothing}")

    def columns(self, kinds: Mapping[str, Kind]) -> list[Column]:
        """The columns of these names; an unknown name is refused with the nearest ones."""
        return [self.make_column(name, self._position(name), kind) for name, kind in kinds.items()]

    def _position(self, name: str) -> int:
        if name in self.names:
            return self.names.index(name)
        first = ", ".join(map(repr, self.names[:SHOWN_NAMES])) or "none"
        more = f" and {len(self.names) - SHOWN_NAMES} more" if len(self.names) > SHOWN_NAMES else ""
        hint, remedy = "", None
        alike = [known for known in self.names if known.strip().lower() == name.strip().lower()]
        if self.file.format in ("csv", "excel") and all(
            re.fullmatch(r"[-+.\deE ]+", cell) for cell in self.names
        ):
            hint = "; the first line must name the columns"
        elif self.file.format == "csv" and self.names[0].startswith("{"):
            remedy = ("format", "jsonl", "{} reads JSON lines")
        else:
            hint = checks.did_you_mean(alike[0] if alike else name, alike or self.names)
        raise RocInputError(
            f"{self.file.shown} must have a column {name!r}, got {first}{more}{hint}", remedy=remedy
        )

    def without(self, codes: Sequence[str], kinds: Mapping[str, Kind]) -> Source:
        """The same table with nothing in the cells of these columns that hold one of the codes for missing.

        A code that is a number stands for this number however it is written.
        """
        columns = self.columns(kinds)
        if not codes or not columns:
            return self
        numbers = [float(code) for code in codes if re.fullmatch(r"[+-]?(\d+\.?\d*|\.\d+)", code)]
        cells = ", ".join(
            f"CASE WHEN list_contains($codes, trim({column.plain_text})) "
            f"OR list_contains($numbers::DOUBLE[], TRY_CAST({column.plain_text} AS DOUBLE)) "
            f"THEN NULL ELSE {column.cell} END AS {column.cell}"
            for column in columns
        )
        return replace(
            self,
            relation=f"(SELECT {cells} FROM {self.relation})",
            values={**self.values, "codes": list(codes), "numbers": numbers},
            with_comma=None if self.with_comma is None else self.with_comma.without(codes, kinds),
        )

    def query(
        self,
        select: str,
        tail: str = "",
        *,
        distinct: str | None = None,
        numbered: bool = False,
        doing: str = "reading",
    ) -> dict[str, NDArray[Any]]:
        """Columns of a SELECT over all rows in file order, over `distinct` cells, or with a column `row`."""
        relation = self.relation
        if numbered:
            relation = f"(SELECT row_number() OVER () AS row, * FROM {relation})"
        if distinct is not None:
            relation = f"(SELECT DISTINCT {distinct} FROM {relation})"
        sql = f"SELECT {select} FROM {relation} {tail}"
        return self.database.query(sql, self.values, doing=doing)

    def query_one(
        self, columns: Mapping[str, str], *, distinct: str | None = None, doing: str = "checking"
    ) -> dict[str, Any]:
        """The only row of a query of named expressions, as plain Python."""
        select = ", ".join(f"{sql} AS {name}" for name, sql in columns.items())
        row = self.query(select, distinct=distinct, doing=doing)
        return {name: values.tolist()[0] for name, values in row.items()}


def refuse_duplicates(names: Sequence[str], file: InputFile) -> None:
    """Two columns of one name are ambiguous; nameless ones cannot be named and may repeat."""
    twice = [name for name in dict.fromkeys(names) if name and names.count(name) > 1]
    if twice:
        raise RocInputError(
            f"{file.shown} must have different column names, got {', '.join(map(repr, twice))} more than once"
        )


# -----------------------------------------------------------------------------------------------------------
# A look at every cell of the required columns: wrong and missing ones are named by their rows

NA = ("error", "drop")
# Texts that often stand for a missing value, but not always: users say so.
CODES_FOR_MISSING = {".", "-", "--", "?", "*", "n/a", "N/A", "#N/A", "missing", "none", "None"}
COUNTED = "data rows are counted from 1"
# Columns whose cells are looked at in one pass over the rows.
COLUMNS_AT_ONCE = 50


@dataclass(frozen=True)
class Profile:
    """Columns of an open table whose cells have been looked at.

    Attributes
    ----------
    columns
        The required columns, by name.
    facts
        What is known of each: whether all its cells are whole numbers, and the like.
    rows
        Number of rows.
    """

    source: Source
    columns: Mapping[str, Column]
    facts: Mapping[str, Mapping[str, Any]]
    rows: int

    def typed(self, name: str) -> str:
        """SQL of a cell in the type of its column."""
        return self.columns[name].typed(self.facts[name])

    def is_text(self, name: str) -> bool:
        """Whether the cells of a column are read as text."""
        return self.typed(name) == self.columns[name].text

    def complete(self, names: Iterable[str]) -> str:
        """SQL of the rows that lack none of these, as a WHERE clause; empty where none is missing."""
        missing = [self.columns[name].missing for name in names if self.facts[name]["missing"]]
        return f"WHERE NOT ({' OR '.join(missing)})" if missing else ""

    def dropped(self, label: str, names: Iterable[str]) -> dict[str | None, int]:
        """Count the incomplete rows of each label, so that a loss in one class alone can be seen."""
        missing = [self.columns[name].missing for name in names if self.facts[name]["missing"]]
        if not missing:
            return {}
        column = self.columns[label]
        name = f"CASE WHEN {column.missing} THEN NULL ELSE {column.text} END"
        tail = f"WHERE {' OR '.join(missing)} GROUP BY ALL ORDER BY ALL NULLS LAST"
        counts = self.source.query(f"{name} AS label, count(*) AS n", tail, doing="checking")
        return dict(zip(np.ma.asarray(counts["label"]).tolist(), counts["n"].tolist(), strict=True))


def look(source: Source, kinds: Mapping[str, Kind], *, na: str, least: int = 2) -> Profile:
    """Look at every cell; wrong ones are refused, and missing ones unless `na` is "drop".

    Of several files the one at fault is named, with its own rows. Fewer than `least` rows are refused.
    """
    checks.check_choice(na, NA, name="na")
    try:
        return _looked(source, kinds, na=na, least=least)
    except RocInputError:
        for part in source.parts():
            _looked(part, kinds, na=na, least=1)
        raise


def _looked(source: Source, kinds: Mapping[str, Kind], *, na: str, least: int = 2) -> Profile:
    source, columns, rows, facts = read_counts(source, kinds, least)
    below = [column for column in columns if isinstance(column, TextColumn) and column.below]
    if below:
        counts = source.query_one({f"n{k}": count_of(column.is_below) for k, column in enumerate(below)})
        texts = [
            f"{counts[f'n{k}']} of {column.name!r} below a limit were given the limit as their value"
            for k, column in enumerate(below)
            if counts[f"n{k}"]
        ]
        source = replace(source, notes=(*source.notes, *texts))
    for column in columns:
        own = facts[column.name]
        if column.needs_shapes(own):
            own |= source.query_one(column.shapes(), distinct=column.cell)
        _refuse_wrong_cells(source, column, own)
    missing = []
    for column in columns if na == "error" else ():
        count = facts[column.name]["missing"]
        if count:
            first, _ = _first_rows(source, column, column.missing)
            missing.append(f"{count} in column {column.name!r} ({_row_list(first, count)})")
    if missing:
        cells = source.file.cells
        merged = "; of merged cells the first alone has a value" if cells is not None and cells.merged else ""
        raise RocInputError(
            f"{source.file.shown} must have no missing values, got {', '.join(missing)}; {COUNTED}{merged}",
            remedy=("na", "drop", "{} leaves such rows out"),
        )
    return Profile(source, {column.name: column for column in columns}, facts, rows)


def read_counts(
    source: Source, kinds: Mapping[str, Kind], least: int = 2
) -> tuple[Source, list[Column], int, dict[str, dict[str, Any]]]:
    """The table, its columns and their counts; with decimal commas where these make all cells numbers."""
    columns = source.columns(kinds)
    rows, facts = counts_of(source, columns, least)
    other = source.with_comma
    if other is not None and any(facts[column.name]["wrong"] for column in columns if column.kind != "label"):
        others = other.columns(kinds)
        again = counts_of(other, others, least)[1]
        if not any(counts["wrong"] for counts in again.values()):
            return other, others, rows, again
    return source, columns, rows, facts


def counts_of(
    source: Source, columns: Sequence[Column], least: int = 2
) -> tuple[int, dict[str, dict[str, Any]]]:
    """Number of rows, and the counts of every column; a table of fewer than `least` rows is refused.

    Some columns share one pass over the rows: all at once would take memory for each of them.
    """
    rows, facts = 0, dict[str, dict[str, Any]]()
    for first in range(0, len(columns), COLUMNS_AT_ONCE):
        some = columns[first : first + COLUMNS_AT_ONCE]
        all_of = {f"{key}_{k}": sql for k, column in enumerate(some) for key, sql in column.counts().items()}
        counts = source.query_one({"n": "count(*)", **all_of})
        rows = counts["n"]
        if rows < least:
            got = rows or source.nothing
            needed = "a row" if least == 1 else "at least two rows"
            raise RocInputError(f"{source.file.shown} must hold {needed} of data, got {got}")
        for k, column in enumerate(some):
            facts[column.name] = column.known() | {key: counts[f"{key}_{k}"] for key in column.counts()}
    return rows, facts


def _refuse_wrong_cells(source: Source, column: Column, facts: Mapping[str, Any]) -> None:
    if facts["wrong"]:
        _refuse_cells(source, column, column.wrong, facts["wrong"], REQUIRED[column.kind])
    if column.kind == "number" and facts.get("whole") and facts["long"]:
        _refuse_cells(source, column, column.long, facts["long"], "integers of 64 bits")
    if facts.get("merged") and column.typed(facts) == column.number:
        what = "decimals" if source.file.format == "parquet" else "numbers"
        raise RocInputError(
            f"column {column.name!r} of {source.file.shown} must hold {what} that float64 distinguishes, "
            f"got {facts['merged']} that it does not"
        )
    if facts.get("mixed") and column.kind == "label":  # JSON may hold 1 beside "1": are they one label?
        raise RocInputError(
            f"column {column.name!r} of {source.file.shown} must hold labels of one type, "
            "got text, numbers or truth values side by side"
        )


def _refuse_cells(source: Source, column: Column, condition: str, count: int, required: str) -> None:
    rows, cells = _first_rows(source, column, condition)
    hint, remedy, cell = "", None, cells[0].strip()
    if isinstance(column, TextColumn):
        if re.match(BELOW, cell):
            text = "{} takes the limit itself as the value of such cases, which are then tied"
            remedy = ("below", "keep", text)
        elif "," in cell and column.comma:
            hint = "; beside a decimal comma no point may stand, nor a second comma"
        elif "," in cell:
            hint, remedy = "; a decimal comma must be a point", ("decimal", ",", "or {} reads all of them so")
        elif cell in CODES_FOR_MISSING:
            remedy = ("missing", cell, "{} says that it stands for a missing value")
    raise RocInputError(
        f"column {column.name!r} of {source.file.shown} must hold {required}, got {checks.show(cells[0])} in "
        f"{_row_list(rows, count)} ({COUNTED}){hint}",
        remedy=remedy,
    )


def _first_rows(source: Source, column: Column, condition: str) -> tuple[list[int], list[str]]:
    first = f"WHERE {condition} ORDER BY row LIMIT {checks.SHOWN_ROWS}"
    rows = source.query(f"row, {column.text} AS cell", first, numbered=True, doing="checking")
    return rows["row"].tolist(), rows["cell"].tolist()


def _row_list(first: list[int], count: int) -> str:
    more = f" and {count - len(first)} more" if count > len(first) else ""
    return f"row{'s' if count > 1 else ''} {', '.join(map(str, first))}{more}"
