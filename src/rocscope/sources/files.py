"""Scores from a file: columns by name, with declared types, every doubtful cell named."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocscope.core import checks
from rocscope.core.labels import read_binary_labels
from rocscope.core.scores import BinaryScores
from rocscope.errors import RocInputError
from rocscope.sources.columns import WANTED, Column, Kind, read_like
from rocscope.sources.csvfile import NUMBERED, READ, CsvFile, open_csv
from rocscope.sources.local import FilePath, local_file

NA = ("error", "drop")
COUNTED = "data rows are counted from 1"


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """Columns of a file as arrays of equal length, in the order of its rows.

    Attributes
    ----------
    name
        What the file is called in messages.
    arrays
        The columns that were asked for, by name.
    profiles
        What was found out about each column: whether all its cells are whole numbers, and the like.
    dropped
        Rows left out because a value is missing, counted by the text of the first column (None: missing).
    """

    name: str
    arrays: Mapping[str, NDArray[Any]]
    profiles: Mapping[str, Mapping[str, Any]]
    dropped: Mapping[str | None, int]


def read_scores(
    path: FilePath,
    *,
    label: str,
    score: str | Sequence[str],
    fold: str | None = None,
    pos_label: Any = None,
    weight: str | None = None,
    na: str = "error",
) -> BinaryScores:
    r"""Read labels and scores from a CSV file.

    Parameters
    ----------
    path
        A file with a header, in UTF-8; "-" is standard input.
    label
        Column of the labels. They are numbers or truth values only if the whole column is, else text.
    score
        Column of the scores, or several.
    fold
        Column that names the fold (or group) of each case.
    pos_label
        The label of the positive class; text such as "1" also stands for the number in the file.
    weight
        Column of weights.
    na
        What to do with rows where a value is missing (empty, NA, NaN or null): "error", or "drop" to
        leave them out and count them in `warnings`.

    Returns
    -------
    BinaryScores
        With one score column per name, in row order.

    Examples
    --------
    >>> import tempfile, pathlib
    >>> path = pathlib.Path(tempfile.mkdtemp()) / "cases.csv"
    >>> _ = path.write_text("state,marker\nill,0.9\nwell,0.2\nill,0.2\n")
    >>> data = read_scores(path, label="state", score="marker", pos_label="ill")
    >>> data.table().auc
    0.75
    """
    scores = _score_names(score, label)
    columns: dict[str, Kind] = {label: "label"}
    columns |= {} if fold is None else {fold: "label"}
    columns |= dict.fromkeys(scores, "number")
    columns |= {} if weight is None else {weight: "weight"}
    table = read_table(path, columns, na=na)
    if isinstance(pos_label, str):
        pos_label = read_like(pos_label, table.profiles[label])
    where = f"column {label!r} of {table.name}"
    positive, negative_name, positive_name = read_binary_labels(table.arrays[label], pos_label, name=where)
    data = BinaryScores.from_arrays(
        positive,
        {name: table.arrays[name] for name in scores},
        sample_weight=None if weight is None else table.arrays[weight],
        fold=None if fold is None else table.arrays[fold],
    )
    warnings = (*data.warnings, *_dropped_words(table.dropped))
    return dataclasses.replace(data, pos_label=positive_name, neg_label=negative_name, warnings=warnings)


def read_table(path: FilePath, columns: Mapping[str, Kind], *, na: str = "error") -> Table:
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
    checks.check_choice(na, NA, name="na")
    with local_file(path) as file, open_csv(file, columns) as source:
        asked = [Column(name, source.position(name), kind) for name, kind in columns.items()]
        profiles = {column.name: _profile(source, column) for column in asked}
        _refuse_wrong_cells(source, asked, profiles)
        if na == "error":
            _refuse_missing(source, asked, profiles)
        incomplete = [column.missing for column in asked if profiles[column.name]["missing"]]
        return Table(
            name=file.shown,
            arrays=_arrays(source, asked, profiles, incomplete),
            profiles=profiles,
            dropped=_count_dropped(source, asked[0], incomplete),
        )


def _score_names(score: str | Sequence[str], label: str) -> list[str]:
    names = [score] if isinstance(score, str) else list(score)
    if not names or len(set(names)) < len(names):
        raise RocInputError(f"score must name one or more columns, each once, got {checks.show(names)}")
    if label in names:
        raise RocInputError(f"score must be another column than the label, got {label!r} for both")
    return names


def _profile(source: CsvFile, column: Column) -> dict[str, Any]:
    """Look at every cell of a column; a table of less than two rows is refused."""
    found = source.query_one(column.counts())
    if found["rows"] < 2:
        rows = found["rows"] or "only a header"
        raise RocInputError(f"{source.file.shown} must hold at least two rows of data, got {rows}")
    if column.needs_shapes(found):
        found |= source.query_one(column.shapes(), f"(SELECT DISTINCT {column.cell} FROM {READ})")
    return found


def _refuse_wrong_cells(
    source: CsvFile, asked: Iterable[Column], profiles: Mapping[str, Mapping[str, Any]]
) -> None:
    for column in asked:
        found = profiles[column.name]
        if found["wrong"]:
            _refuse_cells(source, column, column.wrong, found["wrong"], WANTED[column.kind])
        if column.kind == "number" and found.get("whole") and found["long"]:
            _refuse_cells(source, column, column.long, found["long"], "integers of 64 bits")


def _refuse_cells(source: CsvFile, column: Column, condition: str, count: int, wanted: str) -> None:
    rows, cells = _first_rows(source, column, condition)
    hint = "; a decimal comma must be a point" if "," in cells[0] else ""
    raise RocInputError(
        f"column {column.name!r} of {source.file.shown} must hold {wanted}, got {checks.show(cells[0])} in "
        f"{_rows_words(rows, count)} ({COUNTED}){hint}"
    )


def _refuse_missing(
    source: CsvFile, asked: Iterable[Column], profiles: Mapping[str, Mapping[str, Any]]
) -> None:
    told = []
    for column in asked:
        count = profiles[column.name]["missing"]
        if count:
            rows, _ = _first_rows(source, column, column.missing)
            told.append(f"{count} in column {column.name!r} ({_rows_words(rows, count)})")
    if told:
        raise RocInputError(
            f"{source.file.shown} must have no missing values, got {', '.join(told)}; {COUNTED}, and "
            "na='drop' (--na drop) leaves such rows out"
        )


def _first_rows(source: CsvFile, column: Column, condition: str) -> tuple[list[int], list[str]]:
    first = f"WHERE {condition} ORDER BY row LIMIT {checks.SHOWN_ROWS}"
    found = source.query(f"row, {column.cell} AS cell", NUMBERED, first)
    return found["row"].tolist(), found["cell"].tolist()


def _rows_words(rows: list[int], count: int) -> str:
    shown = ", ".join(map(str, rows))
    more = f" and {count - len(rows)} more" if count > len(rows) else ""
    return f"row{'s' if count > 1 else ''} {shown}{more}"


def _count_dropped(source: CsvFile, label: Column, incomplete: list[str]) -> dict[str | None, int]:
    """Count the incomplete rows of each label, so that a loss in one class alone can be seen."""
    if not incomplete:
        return {}
    name = f"CASE WHEN {label.missing} THEN NULL ELSE {label.cell} END"
    tail = f"WHERE {' OR '.join(incomplete)} GROUP BY ALL ORDER BY ALL NULLS LAST"
    found = source.query(f"{name} AS label, count(*) AS n", READ, tail)
    return dict(zip(np.ma.asarray(found["label"]).tolist(), found["n"].tolist(), strict=True))


def _dropped_words(dropped: Mapping[str | None, int]) -> tuple[str, ...]:
    if not dropped:
        return ()
    told = [
        f"{n} of {label!r}" if label is not None else f"{n} without a label" for label, n in dropped.items()
    ]
    rows = "row" if sum(dropped.values()) == 1 else "rows"
    return (f"{sum(dropped.values())} {rows} with missing values left out: {', '.join(told)}",)


def _arrays(
    source: CsvFile, asked: Sequence[Column], profiles: Mapping[str, Mapping[str, Any]], incomplete: list[str]
) -> dict[str, NDArray[Any]]:
    typed = ", ".join(f"{column.typed(profiles[column.name])} AS {column.cell}" for column in asked)
    found = source.query(typed, READ, f"WHERE NOT ({' OR '.join(incomplete)})" if incomplete else "")
    if not len(found[asked[0].cell]):
        raise RocInputError(f"{source.file.shown} must hold a row without missing values, got none")
    # Fixed-width text is compared at once, objects one by one.
    return {
        c.name: found[c.cell].astype(str) if found[c.cell].dtype.kind == "O" else found[c.cell] for c in asked
    }
