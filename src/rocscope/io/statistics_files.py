"""Workbooks and the files of statistics programs as columns: values alone, nothing is run.

A sheet, or a data set, becomes columns of numbers or of text, which are then read like those of CSV.
"""

from __future__ import annotations

import bz2
import gzip
import lzma
import math
import re
import zipfile
import zlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import IO, Any

import numpy as np
from numpy.typing import NDArray

from rocscope.core import checks
from rocscope.core.checks import EXACT_FLOAT_INTEGERS
from rocscope.errors import RocInputError, require
from rocscope.io import input_file
from rocscope.io.input_file import InputFile

# What a file may unpack to, and the cells that a sheet may span: a workbook is unpacked as a whole.
MOST_BYTES = 1 << 30
MOST_CELLS = 50_000_000
PIECE_BYTES = 1 << 20
# The largest size of numbers that become doubles: of integers those that double holds.
LARGEST = (math.inf, EXACT_FLOAT_INTEGERS)


@dataclass(frozen=True, slots=True, kw_only=True)
class Cells:
    """Columns of a table in memory.

    Attributes
    ----------
    names
        Names of the columns.
    columns
        For each column its numbers (missing ones NaN), or its cells of any type.
    labels
        For columns whose values have labels: the label of each value.
    merged
        Whether some cells of the table span several rows or columns.
    """

    names: tuple[str, ...]
    columns: tuple[NDArray[Any], ...]
    labels: Mapping[int, Mapping[Any, str]] = field(default_factory=dict)
    merged: bool = False

    def column(self, position: int, *, as_label: bool) -> NDArray[Any]:
        """One column; as labels by the names that its values have."""
        values, labels = self.columns[position], self.labels.get(position) if as_label else None
        if not labels and values.dtype.kind != "O":
            return values
        if not labels:  # a number keeps its value whatever the decimal sign of the texts beside it
            cells = [cell_text(value) if as_label else _unpointed(value) for value in values.tolist()]
            return np.array([*cells, None], dtype=object)[:-1]
        twice = {text for text in labels.values() if list(labels.values()).count(text) > 1}
        names = {
            code: f"{text} ({cell_text(code)})" if text in twice else text for code, text in labels.items()
        }
        texts = [names.get(value, cell_text(value)) for value in values.tolist()]
        return np.array(texts, dtype=object)


def read_cells(file: InputFile) -> InputFile:
    """Read the table of a workbook or of a statistics program; the file then holds its columns."""
    reader = {"excel": _read_excel, "r": _read_r}.get(file.format, _read_statistics)
    if not file.start(1):
        raise RocInputError(f"{file.shown} must hold a table, got an empty file")
    with file.unchanged():
        cells, notes = reader(file)
    if not cells.names:
        raise RocInputError(f"{file.shown} must have columns, got none")
    return replace(file, cells=cells, notes=(*file.notes, *notes))


def cell_text(value: Any) -> str | None:
    """A value as CSV would have it: whole numbers without decimals; nothing for a missing one.

    Examples
    --------
    >>> cell_text(1.0), cell_text(0.1), cell_text(True), cell_text(" "), cell_text(float("nan"))
    ('1', '0.1', 'true', ' ', None)
    """
    if value is None or value == "":
        return None
    if isinstance(value, (bool, np.bool_)):
        return "true" if value else "false"
    if isinstance(value, (float, np.floating)):
        if math.isnan(value):
            return None
        number = float(value)
        whole = number.is_integer() and abs(number) < EXACT_FLOAT_INTEGERS
        return str(int(number)) if whole else repr(number)
    return value.isoformat(" ") if hasattr(value, "hour") and hasattr(value, "date") else str(value)


def as_column(values: Sequence[Any]) -> NDArray[Any]:
    """Numbers where all cells are numbers or missing, else the cells as they are.

    Examples
    --------
    >>> as_column([1, None, 0.5]), as_column([1.0, "<0.5", None])
    (array([1. , nan, 0.5]), array([1.0, '<0.5', None], dtype=object))
    """
    present = [value for value in values if value is not None and value != "" and value == value]
    types = {type(value) for value in present}
    if present and types <= {float, int} and max(map(abs, present)) <= LARGEST[int in types]:
        return np.array([math.nan if v is None or v == "" else v for v in values], dtype=np.float64)
    column = np.empty(len(values), dtype=object)
    column[:] = values
    return column


def _unpointed(value: Any) -> str | None:
    """A cell as text, a number without a decimal point, so that it is one with decimal commas as well.

    Examples
    --------
    >>> _unpointed(-0.25), _unpointed(1e-7), _unpointed(2.0), _unpointed("1.5")
    ('-025e-2', '1e-07', '2', '1.5')
    """
    text = cell_text(value)
    if text is None or isinstance(value, str) or "." not in text:
        return text
    digits, _, power = text.partition("e")
    whole, _, decimals = digits.partition(".")
    return f"{whole}{decimals}e{int(power or 0) - len(decimals)}"


@contextmanager
def _readable(file: InputFile, title: str) -> Iterator[None]:
    """Turn whatever a reader complains of into a sentence about the file."""
    try:
        yield
    except (RocInputError, KeyboardInterrupt, SystemExit, MemoryError):
        raise
    except BaseException as error:  # readers in Rust panic with exceptions that are not Exception
        text = str(error).partition("\n")[0] or type(error).__name__
        raise RocInputError(f"{file.shown} cannot be read as {title}: {checks.show(text)}") from error


def _refuse_size(file: InputFile, size: int) -> None:
    if size > MOST_BYTES:
        raise RocInputError(
            f"{file.shown} must unpack to at most {input_file.show_size(MOST_BYTES)}, got more: save its "
            "table as CSV or Parquet"
        )


def _chosen(file: InputFile, names: Sequence[str], what: str) -> tuple[int, tuple[str, ...]]:
    """The sheet that the user names, or the first one with a note on the others."""
    sheet = file.dialect.sheet
    shown = ", ".join(map(repr, names[:20])) + (" and more" if len(names) > 20 else "")
    if sheet is None:
        others = f"{what} {names[0]!r} was read, the first of {len(names)}: {shown}"
        return 0, (others,) if len(names) > 1 else ()
    if sheet in names:
        return list(names).index(sheet), ()
    if sheet.isdecimal() and 1 <= int(sheet) <= len(names):
        return int(sheet) - 1, ()
    raise RocInputError(
        f"must be a {what} of {file.shown} ({shown}) or its number from 1 to {len(names)}, got {sheet!r}"
        f"{checks.did_you_mean(sheet, names)}",
        argument="sheet",
        data_dependent=True,
    )


# ---- Excel ------------------------------------------------------------------------------------------------


def _read_excel(file: InputFile) -> tuple[Cells, tuple[str, ...]]:
    """Values of one sheet, those of formulas as they were saved; the first row has the names."""
    calamine = require("python_calamine", f"reading {file.shown}")
    start = file.start(1 << 16)
    if start.startswith(input_file.ZIP):
        _check_workbook(file)
    elif not start.startswith(input_file.OLD_EXCEL):
        page = input_file.HTML.match(start)
        raise RocInputError(
            f"{file.shown} must be an Excel workbook, got {input_file.WEB_PAGE if page else 'another file'}",
            remedy=None if page else ("format", "csv", "{} reads a table of text"),
        )
    with _readable(file, "an Excel workbook"), file.contents() as stream:
        workbook = calamine.CalamineWorkbook.from_filelike(stream)
        names = [str(name) for name in workbook.sheet_names]
        if not names:
            raise RocInputError(f"{file.shown} must have a sheet, got none")
        place, notes = _chosen(file, names, "sheet")
        sheets = [place] if file.dialect.sheet is not None else range(len(names))
        for place in sheets:
            sheet = workbook.get_sheet_by_index(place)
            rows = [row for row in sheet.iter_rows() if any(cell != "" for cell in row)]
            if rows:  # an empty one is the cover of the others
                break
        merged = bool(getattr(sheet, "merged_cell_ranges", None))
    if not rows:
        raise RocInputError(f"sheet {names[place]!r} of {file.shown} must hold a table, got no cells")
    if place and file.dialect.sheet is None:
        notes = (f"sheet {names[place]!r} was read, the first of {len(names)} that is not empty",)
    header = tuple(cell_text(cell) or "" for cell in rows[0])
    columns = [*zip(*rows[1:], strict=True)] or [()] * len(header)
    # A sheet often has cells without a name beside its table.
    held = [k for k, name in enumerate(header) if name or any(cell != "" for cell in columns[k])]
    return Cells(
        names=tuple(header[k] for k in held),
        columns=tuple(as_column(columns[k]) for k in held),
        merged=merged,
    ), notes


CELL = re.compile(rb'<(?:\w+:)?c\s[^>]{0,200}?\br\s*=\s*["\']([A-Za-z]{1,9})([0-9]{1,12})["\']')
OVERLAP = 300


def _check_workbook(file: InputFile) -> None:
    """Refuse a zip file that unpacks to too much, is damaged, or whose sheets span too many cells.

    The sizes that a zip file states are checked first, then each part is unpacked to see that they are
    right; a sheet that spans more cells than memory has would end the program.
    """
    try:
        with file.contents() as stream, zipfile.ZipFile(stream) as packed:
            parts = packed.infolist()
            _refuse_size(file, sum(part.file_size for part in parts))
            if not any(part.filename.lower() == "[content_types].xml" for part in parts):
                raise RocInputError(
                    f"{file.shown} must be an Excel workbook, got a zip archive: unpack it first"
                )
            for part in parts:
                with packed.open(part) as content:
                    _check_span(file, content, sheet=part.filename.startswith("xl/worksheets/"))
    except (zipfile.BadZipFile, zlib.error, lzma.LZMAError, EOFError, OSError, NotImplementedError) as error:
        raise RocInputError(
            f"{file.shown} must be a whole Excel workbook, got a damaged one: {error}"
        ) from error
    except RuntimeError as error:  # a password
        raise RocInputError(f"{file.shown} must be an Excel workbook without a password") from error


def _check_span(file: InputFile, content: IO[bytes], *, sheet: bool) -> None:
    """Read a part of a workbook to its end; of a sheet the farthest row and column."""
    tail, rows, columns = b"", 0, 0
    while piece := content.read(PIECE_BYTES):
        if not sheet:
            continue
        piece = tail + piece
        for letters, digits in CELL.findall(piece):
            rows = max(rows, int(digits))
            column = 0
            for letter in letters.upper():
                column = 26 * column + letter - ord("A") + 1
            columns = max(columns, column)
        tail = piece[-OVERLAP:]
        if rows * columns > MOST_CELLS:
            raise RocInputError(
                f"{file.shown} must have sheets of at most {MOST_CELLS:,} cells, got one of {rows:,} rows "
                f"and {columns:,} columns: save its table as CSV"
            )


# ---- SPSS, Stata and SAS ----------------------------------------------------------------------------------


def _read_statistics(file: InputFile) -> tuple[Cells, tuple[str, ...]]:
    """Columns of one data set; what the program holds for missing is missing."""
    pyreadstat = require("pyreadstat", f"reading {file.shown}")
    title = f"a file of {input_file.TITLES[file.format]}"
    if file.dialect.sheet is not None:
        raise RocInputError(
            f"must be left out for {title}, which has no sheets, got {file.dialect.sheet!r}", argument="sheet"
        )
    is_export = file.start(20) == b"HEADER RECORD*******"
    name = {"spss": "read_sav", "stata": "read_dta"}.get(
        file.format, "read_xport" if is_export else "read_sas7bdat"
    )
    read: Callable[..., Any] = getattr(pyreadstat, name)
    with _readable(file, title):
        known = read(str(file.path), metadataonly=True)[1]
        cells = (known.number_rows or 0) * len(known.column_names)
        _refuse_size(file, 8 * cells)
        columns, about = read(str(file.path), output_format="dict")
    names = tuple(map(str, about.column_names))
    return Cells(
        names=names,
        columns=tuple(as_column(columns[name]) for name in names),
        labels={
            names.index(name): {code: str(text) for code, text in labels.items()}
            for name, labels in about.variable_value_labels.items()
        },
    ), ()


# ---- R ----------------------------------------------------------------------------------------------------


def _read_r(file: InputFile) -> tuple[Cells, tuple[str, ...]]:
    """Columns of one data frame; factors by their levels."""
    pyreadr = require("pyreadr", f"reading {file.shown}")
    openers: dict[bytes, Callable[[Any], Any]] = {
        b"\x1f\x8b": gzip.open,
        b"BZh": bz2.open,
        b"\xfd7zXZ": lzma.open,
    }
    start = file.start(6)
    for magic, unpack in openers.items():
        if start.startswith(magic):
            with _readable(file, "a file of R"), file.contents() as stream, unpack(stream) as content:
                size = 0
                while piece := content.read(PIECE_BYTES):
                    size += len(piece)
                    _refuse_size(file, size)
    with _readable(file, "a file of R"):
        objects = {str(name or "data"): frame for name, frame in pyreadr.read_r(str(file.path)).items()}
    frames = {name: frame for name, frame in objects.items() if len(frame.columns)}
    if not frames:
        raise RocInputError(f"{file.shown} must hold a data frame, got none")
    place, notes = _chosen(file, [*frames], "data frame")
    frame = [*frames.values()][place]
    columns = [frame.iloc[:, k].astype(object) for k in range(frame.shape[1])]
    return Cells(
        names=tuple(map(str, frame.columns)),
        columns=tuple(as_column(c.where(c.notna(), None).tolist()) for c in columns),
    ), notes
