"""Scores from a file: columns by name, with declared types, every doubtful cell named."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Literal, overload

import numpy as np
from numpy.typing import NDArray

from rocscope.core import checks
from rocscope.core.frames import dropped_warning
from rocscope.core.scores import BinaryScores, read_binary_labels
from rocscope.core.table import ScoreTable
from rocscope.errors import ResourceError, RocInputError
from rocscope.io import database, formats, input_file
from rocscope.io.columns import Kind, label_like

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
    """

    name: str
    arrays: Mapping[str, NDArray[Any]]
    profiles: Mapping[str, Mapping[str, Any]]
    dropped: Mapping[str | None, int]

    def matrix(self, names: Sequence[str]) -> NDArray[np.float64]:
        """Columns of numbers side by side; integers that float64 does not hold are refused."""
        for name in names:
            if self.arrays[name].dtype.kind in "iu":  # shorter ones were read as float64
                raise RocInputError(
                    f"column {name!r} of {self.name} must hold numbers that float64 holds exactly, got "
                    "longer ones"
                )
        return np.column_stack([self.arrays[name] for name in names]).astype(np.float64)


@overload
def read_scores(
    path: input_file.FilePath,
    *,
    label: str,
    score: str | Sequence[str],
    fold: str | None = ...,
    pos_label: Any = ...,
    weight: str | None = ...,
    memory_limit: None = ...,
    na: str = ...,
    format: str | None = ...,
    table: Literal[False] | None = ...,
) -> BinaryScores: ...


@overload
def read_scores(
    path: input_file.FilePath,
    *,
    label: str,
    score: str | Sequence[str],
    fold: str | None = ...,
    pos_label: Any = ...,
    weight: str | None = ...,
    memory_limit: input_file.Size = ...,
    na: str = ...,
    format: str | None = ...,
    table: bool | None = ...,
) -> BinaryScores | ScoreTable: ...


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
    table: bool | None = None,
) -> BinaryScores | ScoreTable:
    r"""Read labels and scores from a file: CSV, Parquet or JSON lines.

    Parameters
    ----------
    path
        A file. CSV needs a header line and UTF-8, JSON lines hold one object per line; "-" is standard
        input, which may hold either of these two.
    label
        Column of the labels. In CSV they are numbers or truth values only if the whole column is.
    score
        Column of the scores, or several. Text is never read as a number, except in CSV, which knows
        nothing else; integers beyond 2^53 stay integers.
    fold
        Column that names the fold (or group) of each case.
    pos_label
        The label of the positive class; text such as "1" also stands for the number in the file.
    weight
        Column of weights.
    memory_limit
        Bytes that reading may take beyond the program itself, such as "512MB" or "2GiB". With a limit,
        one score alone is read as a table of counts.
    na
        What to do with rows where a value is missing (NULL or NaN; in CSV also empty, NA and null):
        "error", or "drop" to leave them out and count them in `warnings`.
    format
        "csv", "parquet" or "jsonl"; without it the ending of the name decides (anything unknown is CSV).
    table
        Whether to return a table of counts: True needs one score without fold and weight, False reads
        the rows; without it `memory_limit` decides.

    Returns
    -------
    BinaryScores
        With one score column per name, in row order.
    ScoreTable
        Where a table is required: a `FileTable`, which knows the names of its classes as well.

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
    if table is None:
        table = memory_limit is not None and len(scores) == 1 and fold is None and weight is None
    if table:
        if len(scores) > 1 or fold is not None or weight is not None:
            raise RocInputError(
                "must be False to read several scores, folds or weights, got True", argument="table"
            )
        from rocscope.io.large import table_of_file

        return table_of_file(
            path, label=label, score=scores[0], pos_label=pos_label, limits=limits, na=na, format=format
        )
    columns: dict[str, Kind] = {label: "label"}
    columns |= {} if fold is None else {fold: "label"}
    columns |= dict.fromkeys(scores, "number")
    columns |= {} if weight is None else {weight: "weight"}
    cells = read_table(path, columns, na=na, limits=limits, format=format)
    positive, negative_name, positive_name = read_binary_labels(
        cells.arrays[label],
        label_like(pos_label, cells.profiles[label]),
        name=f"column {label!r} of {cells.name}",
    )
    data = BinaryScores.from_arrays(
        positive,
        {name: cells.arrays[name] for name in scores},
        sample_weight=None if weight is None else cells.arrays[weight],
        fold=None if fold is None else cells.arrays[fold],
    )
    warnings = (*data.warnings, *dropped_warning(cells.dropped))
    return dataclasses.replace(data, pos_label=positive_name, neg_label=negative_name, warnings=warnings)


def read_table(
    path: input_file.FilePath,
    columns: Mapping[str, Kind],
    *,
    na: str = "error",
    limits: input_file.Limits | None = None,
    format: str | None = None,
) -> Table:
    r"""Read columns by name, each as numbers or as labels; the rows that lack a value follow `na`.

    Examples
    --------
    >>> import tempfile, pathlib
    >>> path = pathlib.Path(tempfile.mkdtemp()) / "cases.csv"
    >>> _ = path.write_text("site,marker\nNorth,1\nSouth,0.5\n")
    >>> table = read_table(path, {"site": "label", "marker": "number"})
    >>> table.arrays["marker"]
    array([1. , 0.5])
    """
    with input_file.local_file(path, format=format, limits=limits) as file:
        limits = limits or file.limits
        with open_source(file, columns, limits, spill=limits.memory is not None) as source:
            profile = database.look(source, columns, na=na)
            if limits.memory is not None:
                _check_memory(profile, limits.memory, limits.row_bytes)
            names = list(columns)
            typed = ", ".join(f"{profile.typed(name)} AS v{k}" for k, name in enumerate(names))
            cells = source.query(typed, profile.complete(names))
            if not len(cells["v0"]):
                raise RocInputError(f"{file.shown} must hold a row without missing values, got none")
            arrays = {name: cells[f"v{k}"] for k, name in enumerate(names)}
            # Fixed-width text is compared at once, objects one by one.
            arrays = {name: a.astype(str) if a.dtype.kind == "O" else a for name, a in arrays.items()}
            dropped = profile.dropped(names[0], names)
            return Table(name=file.shown, arrays=arrays, profiles=profile.facts, dropped=dropped)


@contextmanager
def open_source(
    file: input_file.InputFile, required: Iterable[str], limits: input_file.Limits, *, spill: bool = False
) -> Iterator[database.Source]:
    """Open a table of any format; without a limit of memory the limits of the file hold.

    What was read is refused if the file changed meanwhile.
    """
    names = list(required)
    for name in names:
        checks.check_instance(name, str, name="the name of a column")
    limits = file.limits if limits.memory is None else limits
    with file.unchanged():
        if file.format == "parquet":
            opened = formats.open_parquet(file, limits, spill=spill)
        else:
            opened = (formats.open_csv if file.format == "csv" else formats.open_jsonl)(
                file, names, limits, spill=spill
            )
        with opened as source:
            yield source


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
