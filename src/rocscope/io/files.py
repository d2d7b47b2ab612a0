"""Scores from a file: columns by name, with declared types, every doubtful cell named."""

from __future__ import annotations

import codecs
import csv
import io
import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from functools import partial
from itertools import islice
from typing import Any, Literal, NotRequired, TypedDict, Unpack, overload

import numpy as np
from numpy.typing import NDArray

from rocscope.core import checks
from rocscope.core.frames import dropped_warning
from rocscope.core.rules import Direction
from rocscope.core.scores import BinaryScores, WeightKind, read_binary_labels
from rocscope.core.table import ScoreTable
from rocscope.errors import ResourceError, RocInputError
from rocscope.io import database, input_file
from rocscope.io.columns import (
    Column,
    JsonColumn,
    Kind,
    TextColumn,
    label_like,
    typed_column,
)

# A cell on its way from DuckDB into a NumPy array, at most; and a text of Python, without its characters.
CELL_BYTES, TEXT_BYTES = 24, 64


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """Columns of a file as arrays of equal length, in the order of its rows.

    Attributes
    ----------
    name
        What the file is called in messages.
    arrays
        The columns, by name.
    profiles
        What is known of each column: whether all its cells are whole numbers, and the like.
    dropped
        Rows left out because a value is missing, counted by the text of the first column (None: missing).
    notes
        How the file was read, where its user should know.
    """

    name: str
    arrays: Mapping[str, NDArray[Any]]
    profiles: Mapping[str, Mapping[str, Any]]
    dropped: Mapping[str | None, int]
    notes: tuple[str, ...] = ()

    @property
    def warnings(self) -> tuple[str, ...]:
        """How the file was read, and which rows were left out."""
        return (*self.notes, *dropped_warning(self.dropped))

    def matrix(self, names: Sequence[str]) -> NDArray[np.float64]:
        """Columns of numbers side by side; integers that float64 does not hold are refused."""
        for name in names:
            if self.arrays[name].dtype.kind in "iu":  # shorter ones were read as float64
                raise RocInputError(
                    f"column {name!r} of {self.name} must hold numbers that float64 holds exactly, got "
                    "longer ones"
                )
        return np.column_stack([self.arrays[name] for name in names]).astype(np.float64)


class ReadOptions(TypedDict):
    """Types of the options of `read_scores`, which is overloaded; the others say what it returns."""

    label: str
    score: str | Sequence[str]
    fold: NotRequired[str | None]
    pos_label: NotRequired[Any]
    weight: NotRequired[str | None]
    na: NotRequired[str]
    format: NotRequired[str | None]
    sheet: NotRequired[str | int | None]
    decimal: NotRequired[Literal[".", ","] | None]
    missing: NotRequired[str | float | Sequence[str | float]]
    below: NotRequired[input_file.Below]
    direction: NotRequired[Direction]
    count: NotRequired[str | None]
    weight_kind: NotRequired[WeightKind | None]
    groups: NotRequired[str | None]


@overload
def read_scores(
    path: input_file.FilePath,
    *,
    memory_limit: None = ...,
    table: Literal[False] | None = ...,
    **options: Unpack[ReadOptions],
) -> BinaryScores: ...


@overload
def read_scores(
    path: input_file.FilePath,
    *,
    memory_limit: input_file.Size = ...,
    table: bool | None = ...,
    **options: Unpack[ReadOptions],
) -> BinaryScores | ScoreTable: ...


@checks.known_arguments
def read_scores(
    path: input_file.FilePath,
    *,
    label: str,
    score: str | Sequence[str],
    fold: str | None = None,
    pos_label: Any = None,
    weight: str | None = None,
    memory_limit: input_file.Size = None,
    na: str = "error",
    format: str | None = None,
    sheet: str | int | None = None,
    decimal: Literal[".", ","] | None = None,
    missing: str | float | Sequence[str | float] = (),
    below: input_file.Below = "error",
    direction: Direction = "higher",
    count: str | None = None,
    weight_kind: WeightKind | None = None,
    groups: str | None = None,
    table: bool | None = None,
) -> BinaryScores | ScoreTable:
    r"""Read labels and scores from a file: CSV, Parquet, JSON lines, Excel, SPSS, Stata, SAS or R.

    Parameters
    ----------
    path
        A file. CSV needs a header line, JSON lines hold one object per line; "-" is standard input, which may
        hold either of these two. docs/files.md has all formats.
    label
        Column of the labels. In CSV they are numbers or truth values only if the whole column is.
    score
        Column of the scores, or several. Text is never read as a number, except in CSV, which knows
        nothing else; integers beyond 2^53 stay integers.
    fold
        Column that names the fold (or group) of each case.
    pos_label
        The label of the positive class, or a list of labels that make it up; text such as "1" also stands for
        the number in the file.
    weight, weight_kind
        Column of weights, and what they are: "survey" or "frequency", as in `auc`.
    memory_limit
        Bytes that reading may take beyond the program itself, such as "512MB" or "2GiB". With a limit,
        one score alone is read as a table of counts.
    na
        What to do with rows where a value is missing (NULL or NaN; in CSV also empty, NA and null):
        "error", or "drop" to leave them out and count them in `warnings`.
    format
        "csv", "parquet", "jsonl", "excel", "spss", "stata", "sas" or "r"; without it the ending of the name
        decides (anything unknown is CSV).
    sheet
        Name or number (from 1) of the sheet of a workbook, or of the data frame of an R file; the first one
        without it.
    decimal
        "." or ",": what stands before the decimals of numbers that are written as text. Without it a comma is
        taken where the columns are divided by other signs and every cell is then a number, with a warning.
    missing
        Texts or numbers that stand for a missing value, such as "." and -99.
    below
        What to do with scores such as "<0.05", below a limit of detection: "error", or "keep" to take the
        limit as the value, so that such cases are tied, with a warning.
    direction
        Which scores stand for the positive class: "higher" ones, or "lower" ones; never guessed.
    count
        Column of the number of cases that each row stands for, in a table of counts.
    groups
        Column of the clusters, such as patients with several lesions.
    table
        Whether to return a table of counts: True needs one score without fold and weight, False reads
        the rows; without it `memory_limit` decides.

    Returns
    -------
    BinaryScores
        With one score column per name, in row order.
    ScoreTable
        Where a table is required: a `LabelledTable`, which knows the names of its classes as well.

    Examples
    --------
    >>> import tempfile, pathlib
    >>> path = pathlib.Path(tempfile.mkdtemp()) / "cases.csv"
    >>> _ = path.write_text("state,marker\nill,0.9\nwell,0.2\nill,0.2\n")
    >>> data = read_scores(path, label="state", score="marker", pos_label="ill")
    >>> data.table().auc
    0.75
    >>> read_scores(path, label="state", score="marker", pos_label="ill", memory_limit="512MB").auc
    0.75
    """
    scores = score_names(score, label)
    limits = None if memory_limit is None else input_file.Limits.read(memory_limit)
    dialect = input_file.Dialect.read(sheet=sheet, decimal=decimal, missing=missing, below=below)
    if table is None:
        table = memory_limit is not None and len(scores) == 1 and fold is None and weight is None
        table = table and count is None and groups is None
    if table:
        if len(scores) > 1 or any(name is not None for name in (fold, weight, count, groups)):
            raise RocInputError(
                "must be False to read several scores, folds, weights, counts or clusters, got True",
                argument="table",
            )
        from rocscope.io.large import table_of_file

        with input_file.local_file(path, format=format, limits=limits, dialect=dialect) as file:
            return table_of_file(
                file,
                label=label,
                score=scores[0],
                pos_label=pos_label,
                limits=limits,
                na=na,
                direction=direction,
            )
    columns: dict[str, Kind] = {label: "label"}
    columns |= {name: "label" for name in (fold, groups) if name is not None}
    columns |= dict.fromkeys(scores, "number")
    columns |= {name: "weight" for name in (weight, count) if name is not None}
    cells = read_table(path, columns, na=na, limits=limits, format=format, dialect=dialect)
    positive, negative_name, positive_name = read_binary_labels(
        cells.arrays[label],
        label_like(pos_label, cells.profiles[label]),
        name=f"column {label!r} of {cells.name}",
    )
    data = BinaryScores.from_arrays(
        positive,
        {name: cells.arrays[name] for name in scores},
        sample_weight=None if weight is None else cells.arrays[weight],
        weight_kind=weight_kind,
        groups=None if groups is None else cells.arrays[groups],
        fold=None if fold is None else cells.arrays[fold],
        direction=direction,
        count=None if count is None else cells.arrays[count],
    )
    warnings = (*data.warnings, *cells.warnings)
    return replace(
        data,
        pos_label=positive_name,
        neg_label=negative_name,
        warnings=warnings,
        n_missing=sum(cells.dropped.values()),
    )


def read_table(
    path: input_file.FilePath,
    columns: Mapping[str, Kind],
    *,
    na: str = "error",
    limits: input_file.Limits | None = None,
    format: str | None = None,
    dialect: input_file.Dialect | None = None,
    least: int = 2,
) -> Table:
    r"""Read columns by name, each as numbers or as labels; the rows that lack a value follow `na`.

    A table of fewer than `least` rows is refused.

    Examples
    --------
    >>> import tempfile, pathlib
    >>> path = pathlib.Path(tempfile.mkdtemp()) / "cases.csv"
    >>> _ = path.write_text("site,marker\nNorth,1\nSouth,0.5\n")
    >>> table = read_table(path, {"site": "label", "marker": "number"})
    >>> table.arrays["marker"]
    array([1. , 0.5])
    """
    with input_file.local_file(path, format=format, limits=limits, dialect=dialect) as file:
        limits = limits or file.limits
        with open_source(file, columns, limits, spill=limits.memory is not None) as source:
            profile = database.look(source, columns, na=na, least=least)
            if limits.memory is not None:
                _check_memory(profile, limits.memory, limits.row_bytes)
            names = list(columns)
            typed = ", ".join(f"{profile.typed(name)} AS v{k}" for k, name in enumerate(names))
            cells = profile.source.query(typed, profile.complete(names))
            if not len(cells["v0"]):
                raise RocInputError(f"{file.shown} must hold a row without missing values, got none")
            arrays = {name: cells[f"v{k}"] for k, name in enumerate(names)}
            # Fixed-width text is compared at once, objects one by one.
            arrays = {name: a.astype(str) if a.dtype.kind == "O" else a for name, a in arrays.items()}
            dropped = profile.dropped(names[0], names)
            return Table(
                name=file.shown,
                arrays=arrays,
                profiles=profile.facts,
                dropped=dropped,
                notes=profile.source.notes,
            )


@contextmanager
def open_source(
    file: input_file.InputFile,
    required: Mapping[str, Kind] | Iterable[str],
    limits: input_file.Limits,
    *,
    spill: bool = False,
) -> Iterator[database.Source]:
    """Open a table of any format for these columns, of numbers where their kinds are not given.

    Without a limit of memory the limits of the file hold. What was read is refused if the file changed
    meanwhile.
    """
    kinds: Mapping[str, Kind] = (
        required if isinstance(required, Mapping) else dict.fromkeys(required, "number")
    )
    for name in kinds:
        checks.check_instance(name, str, name="the name of a column")
    limits = file.limits if limits.memory is None else limits
    with file.unchanged():
        if file.format == "parquet":
            opened = open_parquet(file, kinds, limits, spill=spill)
        elif file.cells is not None:
            opened = open_cells(file, kinds, limits, spill=spill)
        else:
            opened = (open_csv if file.format == "csv" else open_jsonl)(file, kinds, limits, spill=spill)
        with opened as source:
            source.check_parts()
            yield source.without(file.dialect.missing, kinds)


def score_names(score: str | Sequence[str], label: str) -> list[str]:
    """Names of the score columns, each once and none of them the label."""
    checks.check_instance(label, str, name="label")
    try:
        names = [score] if isinstance(score, str) else list(score)
    except TypeError:
        raise RocInputError(f"must be a list of names, got {checks.show(score)}", argument="score") from None
    if not names or len(set(names)) < len(names):
        raise RocInputError(
            f"must name one or more columns, each once, got {checks.show(names)}", argument="score"
        )
    if label in names:
        raise RocInputError(
            f"must be another column than the label, got {label!r} for both", argument="score"
        )
    return names


def _check_memory(profile: database.Profile, limit: int, row_bytes: int) -> None:
    """Refuse rows that do not fit, before they are loaded."""
    cells = len(profile.columns) * CELL_BYTES
    for name, column in profile.columns.items():
        if profile.is_text(name):  # first an object of Python, then as wide as the longest of all
            longest = profile.source.query_one({"n": f"coalesce(max(length({column.text})), 0)"})
            cells += TEXT_BYTES + 4 * int(longest["n"])
    needed = profile.rows * max(row_bytes, cells)
    if needed > limit:
        raise ResourceError(
            f"{profile.source.file.shown} has {profile.rows:,} rows, which need "
            f"{input_file.show_size(needed)} in memory, where {input_file.show_size(limit)} may be used",
            remedy=(
                "memory_limit",
                None,
                "a larger {} helps, or fewer columns or a sample of the rows; the area of one score and its "
                "operating points do not need the rows",
            ),
        )


# ---- CSV, JSON lines and Parquet behind DuckDB ------------------------------------------------------------
# The header of CSV is read here, its cells are cast by us. Nothing is sniffed but the delimiter, which the
# header shows: a column never changes its type because of the rows DuckDB happened to look at.

DELIMITERS = ",;\t|"
READ = (
    "read_csv($path, columns=$columns, delim=$delimiter, quote='\"', escape='\"', header=true, "
    "auto_detect=false, compression='none', hive_partitioning=false, buffer_size=$buffer)"
)
BUFFER_BYTES = 32_000_000
LIMITED_BUFFER_BYTES = 8_000_000  # DuckDB keeps several


@contextmanager
def open_csv(
    file: input_file.InputFile, required: Iterable[str], limits: input_file.Limits, *, spill: bool = False
) -> Iterator[database.Source]:
    """Read the header and connect; of several possible delimiters the one that gives the required columns."""
    listed = set(required)
    first, *others = file.parts or (file,)
    start = _start_of(first, listed)
    for part in others:
        if (own := _start_of(part, listed)) != start:
            raise _unlike(part, first, start.shown, own.shown)
    names, notes = _stripped(start.names, listed, file)
    delimiter, hint, line_end = start.delimiter, start.has_hint, start.line_end
    columns = {f"c{i}": "VARCHAR" for i in range(len(names))}
    more: dict[str, Any] = {} if line_end is None else {"new_line": line_end}
    more |= {"skip": 1} if hint else {}
    relation = "".join([READ.removesuffix(")"), *(f", {name}=${name}" for name in more), ")"])
    with database.open_database(file, limits, explain, spill=spill) as opened:
        source = database.Source(
            database=opened,
            names=names,
            relation=relation,
            values={
                "path": file.paths,
                "columns": columns,
                "delimiter": delimiter,
                "buffer": BUFFER_BYTES if limits.memory is None else LIMITED_BUFFER_BYTES,
                **more,
            },
            make_column=TextColumn,
            nothing="only a header",
            notes=notes,
        )
        yield _in_dialect(source, may_have_comma=delimiter in WITH_COMMA)


@dataclass(frozen=True, slots=True)
class _Start:
    """How a CSV file begins: its columns, and what divides them."""

    names: tuple[str, ...]
    delimiter: str
    has_hint: bool
    line_end: str | None

    @property
    def shown(self) -> str:
        """The columns for messages."""
        return f"the columns {checks.show(list(self.names))} with {self.delimiter!r} between them"


def _start_of(file: input_file.InputFile, required: set[str]) -> _Start:
    start = file.start(input_file.HEADER_BYTES)
    input_file.refuse_foreign(file, start, "must be a CSV table")
    try:
        text = codecs.getincrementaldecoder("utf-8-sig")().decode(start)
    except UnicodeDecodeError as error:
        line = start[: error.start].count(b"\n") + 1
        raise RocInputError(f"{file.shown} must be UTF-8 text, got other bytes in line {line}") from error
    hint = re.match(r"sep=(.)\r?\n", text)  # a line that Excel writes before the header
    if hint:
        text = text[hint.end() :]
    names, delimiter = _header(text, required, file, hint and hint[1])
    line_end = None
    if any(set(name) & set("\r\n") for name in names):  # DuckDB would take a line end inside a name
        unquoted = "".join(text.split('"')[::2])
        end = re.search(r"\r\n|\n|\r", unquoted)
        line_end = end and end[0].replace("\r", "\\r").replace("\n", "\\n")
    return _Start(names, delimiter, hint is not None, line_end)


def _unlike(
    part: input_file.InputFile, first: input_file.InputFile, required: str, got: str
) -> RocInputError:
    """Refuse one of several files that is not like the first one."""
    return RocInputError(f"{part.shown} must have {required}, as {first.shown} has, got {got}")


# Delimiters of tables in which a comma may stand before the decimals.
WITH_COMMA = ";\t|"
COMMA = "the comma was read as the decimal sign: with it every cell is a number"


def _in_dialect(source: database.Source, *, may_have_comma: bool) -> database.Source:
    """Cells of text as the user says that they are written."""
    dialect, own = source.file.dialect, source.make_column
    source = replace(source, notes=(*source.file.notes, *source.notes))
    below = dialect.below == "keep"

    def make(name: str, position: int, kind: Kind, *, comma: bool) -> Column:
        column = own(name, position, kind)
        if not isinstance(column, TextColumn) or kind == "label":
            return column
        return replace(column, comma=comma, below=below)

    plain = replace(source, make_column=partial(make, comma=dialect.decimal == ","))
    if dialect.decimal is not None or not may_have_comma:
        return plain
    other = replace(source, make_column=partial(make, comma=True), notes=(*source.notes, COMMA))
    return replace(plain, with_comma=other)


def _stripped(
    names: tuple[str, ...], required: set[str], file: input_file.InputFile
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Names of columns without the blanks around them, where the required names have none; and a note."""
    bare = tuple(name.strip() for name in names)
    filled = [name for name in bare if name]
    if bare == names or required <= set(names) or len(set(filled)) < len(filled) or not required <= set(bare):
        return names, ()
    return bare, ("blanks around the names of columns were left out",)


def _header(
    text: str, required: set[str], file: input_file.InputFile, delimiters: str | None = None
) -> tuple[tuple[str, ...], str]:
    """Names of the columns, and the delimiter between them."""
    if not text.strip("\r\n \t"):
        raise RocInputError(f"{file.shown} must hold a table with a header, got an empty file")
    headers = dict[str, tuple[str, ...]]()
    for delimiter in delimiters or DELIMITERS:
        try:
            headers[delimiter] = tuple(next(csv.reader(io.StringIO(text, newline=""), delimiter=delimiter)))
        except csv.Error as error:
            raise RocInputError(
                f"{file.shown} must begin with a line of column names, got {checks.show(text[:60])}: {error}"
            ) from error
    best = max(
        headers,
        key=lambda d: (required <= {name.strip() for name in headers[d]} | set(headers[d]), len(headers[d])),
    )
    database.refuse_duplicates(headers[best], file)
    return headers[best], best


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
    return f"cannot be read as a CSV table: {database.first_line(text)}"


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
    file: input_file.InputFile, required: Iterable[str], limits: input_file.Limits, *, spill: bool = False
) -> Iterator[database.Source]:
    """Find the keys and connect; the columns are those that are required and there."""
    with ExitStack() as cleanup:
        if file.parts:
            file = replace(file, parts=tuple(_without_mark(part, limits, cleanup) for part in file.parts))
        else:
            file = _without_mark(file, limits, cleanup)
        opened = cleanup.enter_context(
            database.open_database(file, limits, partial(explain_jsonl, file), spill=spill)
        )
        for part in file.parts or (file,):
            _check_start(part)
        keys, listed = _keys(opened, FIRST_ROWS), list(required)
        if not set(listed) <= set(keys):
            keys = _keys(opened, None)
        # DuckDB keeps one of two names that differ in case alone, and fills the other with nothing.
        lower = [name.lower() for name in listed]
        alike = [name for name in listed if lower.count(name.lower()) > 1]
        if alike:
            raise RocInputError(
                f"columns of JSON lines must differ in more than case, got {' and '.join(map(repr, alike))}"
            )
        names = tuple(dict.fromkeys([name for name in listed if name in keys] + keys))
        columns = {name: "JSON" for name in listed if name in keys}
        yield database.Source(
            database=opened,
            names=names,
            relation=f"{READ_JSONL} AS t({', '.join(f'c{i}' for i in range(len(columns)))})",
            values={"path": file.paths, "columns": columns},
            make_column=JsonColumn,
        )


def _without_mark(
    file: input_file.InputFile, limits: input_file.Limits, cleanup: ExitStack
) -> input_file.InputFile:
    """The same file, or a copy without the mark of its byte order, which DuckDB does not read."""
    if file.start(len(codecs.BOM_UTF8)) != codecs.BOM_UTF8:
        return file
    folder = input_file.temporary_folder(cleanup)
    with file.contents() as stream:
        stream.seek(len(codecs.BOM_UTF8))
        copy = input_file.copied(stream, folder, file.shown, limits)
    return replace(file, path=copy, state=None, stream=None)


def _check_start(file: input_file.InputFile) -> None:
    """Refuse what cannot be JSON lines by its first bytes."""
    start = file.start(START_BYTES)
    filled = start.lstrip()
    if not filled:
        raise RocInputError(f"{file.shown} {OBJECT}, got an empty file")
    input_file.refuse_foreign(file, start, OBJECT)
    if not filled.startswith(b"{"):
        number = start[: len(start) - len(filled)].count(b"\n") + 1
        hint = "; an array must become a line for each of its objects" if filled.startswith(b"[") else ""
        raise RocInputError(
            f"{file.shown} {OBJECT}, got {_shown(filled.splitlines()[0])} in line {number}{hint}"
        )


def _keys(opened: database.Database, rows: int | None) -> list[str]:
    """Keys of the first rows, or of all."""
    objects = f"(SELECT json FROM {OBJECTS}{'' if rows is None else f' LIMIT {rows}'})"
    sql = f"SELECT key, count(*) FROM (SELECT unnest(json_keys(json)) AS key FROM {objects}) GROUP BY key"
    found = opened.query(f"{sql} ORDER BY 2 DESC, 1", {"path": opened.file.paths}, doing="checking")
    return [str(key) for key in found["key"].tolist()]


def explain_jsonl(file: input_file.InputFile, text: str) -> str:
    """Say what is wrong with the file, with the line where DuckDB names it."""
    file = file.part_in(text)
    parts = re.search(r"in line (\d+): (.*)", text)
    if parts is None:
        return f"cannot be read as JSON lines: {database.first_line(text)}"
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


def _lines(file: input_file.InputFile, first: int, last: int) -> Iterator[tuple[int, bytes]]:
    """Lines with their numbers, from the first to the last; DuckDB counts only those that are not blank."""
    with file.contents() as stream:
        filled = (line for line in enumerate(stream, start=1) if line[1].strip())
        yield from islice(filled, max(first - 1, 0), last)


def _shown(line: bytes) -> str:
    return checks.show(line.decode("utf-8", "backslashreplace").rstrip("\r\n"), limit=40)


# ---- Columns of a workbook or of a statistics program, which are in memory already ------------------------


@contextmanager
def open_cells(
    file: input_file.InputFile, kinds: Mapping[str, Kind], limits: input_file.Limits, *, spill: bool = False
) -> Iterator[database.Source]:
    """Hand the required columns to DuckDB: numbers by their type, text as CSV has it."""
    cells = file.cells
    assert cells is not None
    names, notes = _stripped(cells.names, set(kinds), file)
    database.refuse_duplicates(names, file)
    columns = {
        names.index(name): cells.column(names.index(name), as_label=kind == "label")
        for name, kind in kinds.items()
        if name in names
    }
    whole = {
        k: values.dtype.kind == "f"
        and bool((values == np.floor(values))[~np.isnan(values)].all())
        and float(np.nanmax(np.abs(values), initial=0)) < checks.EXACT_FLOAT_INTEGERS
        for k, values in columns.items()
    }

    def make_column(name: str, position: int, kind: Kind) -> Column:
        if columns[position].dtype.kind == "O":
            return TextColumn(name, position, kind)
        sql_type = "BIGINT" if whole[position] else "DOUBLE"
        return typed_column(name, position, kind, sql_type=sql_type, shown=file.shown)

    with database.open_database(file, limits, explain_cells, spill=spill) as opened:
        if columns:
            opened.connection.register("cells", {f"c{k}": values for k, values in columns.items()})
        selected = ", ".join(f"CAST(c{k} AS BIGINT) AS c{k}" if whole[k] else f"c{k}" for k in columns)
        source = database.Source(
            database=opened,
            names=names,
            relation=f"(SELECT {selected} FROM cells)",
            values={},
            make_column=make_column,
            nothing="only names of columns",
            notes=notes,
        )
        yield _in_dialect(source, may_have_comma=True)


def explain_cells(text: str) -> str:
    """Say that the columns cannot be read."""
    return f"cannot be read as a table: {database.first_line(text)}"


# ---- A Parquet file behind DuckDB: its columns have types, which are taken as they are --------------------

READ_PARQUET = "read_parquet($path, hive_partitioning=false)"
# The names of folders hold columns of text, whose cells are read like those of CSV.
READ_PARTITIONS = "read_parquet($path, hive_partitioning=true, hive_types_autocast=false)"
SCHEMA = "file_name, name, num_children, type, converted_type, logical_type, precision, scale"


@contextmanager
def open_parquet(
    file: input_file.InputFile,
    required: Iterable[str],
    limits: input_file.Limits,
    *,
    spill: bool = False,
) -> Iterator[database.Source]:
    """Read the schema and connect."""
    for part in file.parts or (file,):
        start = part.start(len(input_file.PARQUET))
        if not start:
            raise RocInputError(f"{part.shown} must hold a Parquet table, got an empty file")
        if start != input_file.PARQUET:
            raise RocInputError(f"{part.shown} must be a Parquet file, got one that begins with {start!r}")
    with database.open_database(file, limits, explain_parquet, spill=spill) as opened:
        path = {"path": file.paths}
        # Names as the file has them: DuckDB would rename those that differ in case alone.
        schema = opened.query(f"SELECT {SCHEMA} FROM parquet_schema($path)", path)
        own = _check_schemas(opened, schema, [*required])
        partitions = tuple(name for name in file.partitions if name not in own)
        read = READ_PARTITIONS if partitions else READ_PARQUET
        described = opened.query(f"SELECT column_type FROM (DESCRIBE SELECT * FROM {read})", path)
        names, types = (*own, *partitions), tuple(described["column_type"].tolist())
        if not names:
            raise RocInputError(f"{file.shown} must have columns, got none")
        database.refuse_duplicates(names, file)

        def make_column(name: str, position: int, kind: Kind) -> Column:
            if position >= len(own):
                return TextColumn(name, position, kind)
            return typed_column(name, position, kind, sql_type=types[position], shown=file.shown)

        yield database.Source(
            database=opened,
            names=names,
            relation=f"{read} AS t({', '.join(f'c{i}' for i in range(len(names)))})",
            values=path,
            make_column=make_column,
        )


def _check_schemas(
    opened: database.Database, schema: Mapping[str, NDArray[Any]], required: Sequence[str]
) -> tuple[str, ...]:
    """Names of the columns; a file that lacks a required one, or has it in another type, is refused."""
    file = opened.file
    if not file.parts:
        return tuple(_top_names(schema["name"].tolist(), schema["num_children"].tolist()))
    rows = [np.ma.asarray(values).tolist() for values in schema.values()]
    first, known = file.parts[0], dict[str, Any]()
    by_file = dict[str, list[tuple[Any, ...]]]()
    for path, *row in zip(*rows, strict=True):
        by_file.setdefault(path, []).append(tuple(row))
    for part in file.parts:
        own = by_file[str(part.path)]
        names = tuple(_top_names([row[0] for row in own], [row[1] for row in own]))
        types = {row[0]: row[2:] for row in own[1:]}
        if part is first:
            known, first_names = types, names
        for name in set(required) & set(first_names):
            if name not in names:
                got = f"got {checks.show(list(names))}"
                raise RocInputError(f"{part.shown} must have a column {name!r} as {first.shown} has, {got}")
            if types[name] != known[name]:
                kinds = [_sql_type(opened, one, name) for one in (first, part)]
                raise _unlike(part, first, f"column {name!r} of type {kinds[0]}", kinds[1])
    return first_names


def _sql_type(opened: database.Database, part: input_file.InputFile, name: str) -> str:
    """The type of a column of one file, for messages."""
    sql = f"SELECT column_name, column_type FROM (DESCRIBE SELECT * FROM {READ_PARQUET})"
    found = opened.query(sql, {"path": str(part.path)})
    return str(
        dict(zip(*(found[key].tolist() for key in ("column_name", "column_type")), strict=True)).get(name)
    )


def _top_names(name: Sequence[str], num_children: Sequence[Any]) -> Iterator[str]:
    """Names of the outermost columns of a schema, which lists every column before its own parts."""
    skip = 0
    for one, parts in list(zip(name, num_children, strict=True))[1:]:
        if not skip:
            yield one
        skip = max(skip - 1, 0) + int(parts or 0)


def explain_parquet(text: str) -> str:
    """Say what is wrong with the file."""
    if "No magic bytes" in text or "too small" in text:
        return "must be a whole Parquet file, got one that is cut off"
    return f"cannot be read as a Parquet table: {database.first_line(text)}"
