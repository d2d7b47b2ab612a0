"""Counts that a database made: how many positives and negatives have each score, or lie in each bin."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import reduce
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocscope.core import checks
from rocscope.core.bins import BinnedTable, lower_edges
from rocscope.core.rules import Direction
from rocscope.core.table import LabelledTable, ScoreTable, collect
from rocscope.errors import RocInputError
from rocscope.io import files, input_file

# Columns that tell counts of bins from counts of scores, as `rocscope sql --bins` names them.
BIN_COLUMNS = ("highest", "single", "bin_low", "bin_width")


def read_counts(
    path: input_file.FilePath,
    *,
    counts: Sequence[str] = ("score", "pos", "neg"),
    na: str = "error",
    direction: Direction = "higher",
    limits: input_file.Limits | None = None,
    format: str | None = None,
) -> LabelledTable:
    r"""Read counts per score, or per bin where the columns of bins are there; several files are added up.

    Parameters
    ----------
    path
        A file, or several that count different cases.
    counts
        Columns of the score, of the number of positives and of the number of negatives.
    na
        What to do with the row of cases that lack a score or a label: "error", or "drop".
    direction
        Which scores stand for the positive class.
    limits, format
        As for other files.

    Examples
    --------
    >>> import tempfile, pathlib
    >>> path = pathlib.Path(tempfile.mkdtemp()) / "counts.csv"
    >>> _ = path.write_text("score,pos,neg\n0.9,2,0\n0.2,1,3\n")
    >>> read_counts(path).auc
    0.8333333333333334
    """
    if len(set(counts)) != 3:
        raise RocInputError(
            f"must name three different columns, got {checks.show(list(counts))}", argument="counts"
        )
    with input_file.local_file(path, format=format, limits=limits) as file, file.unchanged():
        tables = [_read_part(part, counts, na=na, direction=direction) for part in file.parts or (file,)]
        table = reduce(added, tables)
        check_classes(
            table, {key: f"column {name!r} of {file.shown}" for key, name in _named(counts).items()}
        )
        return table


def _named(counts: Sequence[str]) -> dict[str, str]:
    return dict(zip(("score", "pos", "neg"), counts, strict=True))


def _read_part(
    file: input_file.InputFile, counts: Sequence[str], *, na: str, direction: Direction
) -> LabelledTable:
    with files.open_source(file, [], file.limits) as source:
        more = [name for name in BIN_COLUMNS if name in source.names]
        if more and len(more) < len(BIN_COLUMNS):
            lacking = [name for name in BIN_COLUMNS if name not in more]
            raise RocInputError(
                f"{file.shown} must have all columns of bins ({', '.join(BIN_COLUMNS)}) or none of them, "
                f"got none of {', '.join(lacking)}"
            )
    cells = files.read_table(file, dict.fromkeys([*counts, *more], "number"), na="drop", least=1)
    missing = sum(cells.dropped.values())
    names = _named(counts)
    columns = {key: cells.arrays[name] for key, name in names.items()}
    columns |= {name: cells.arrays[name] for name in more}
    where = {key: f"column {name!r} of {file.shown}" for key, name in names.items()}
    if missing and na == "error":
        raise RocInputError(
            f"{file.shown} must have a score and a label for every case, got cases that lack one of them",
            remedy=("na", "drop", "{} leaves them out"),
        )
    labels = {"name": counts[0], "pos_label": counts[1], "neg_label": counts[2]}
    notes = ("cases without a score or a label were left out",) if missing else ()
    return counted_table(
        columns, where, what=file.shown, direction=direction, warnings=(*cells.notes, *notes), **labels
    )


def counted_table(
    columns: Mapping[str, NDArray[Any]],
    where: Mapping[str, str],
    *,
    what: str,
    direction: Direction,
    **labels: Any,
) -> LabelledTable:
    """Check counts and make their table; `where` says where each column comes from, for messages."""
    counts = {}
    for name in ("pos", "neg"):
        values = np.asarray(columns[name])
        if values.dtype.kind not in "iu":
            values = values.astype(np.float64)
        for wrong, required in (
            (values < 0, "counts of at least 0"),
            (values != np.floor(values), "whole counts"),
        ):
            if wrong.any():
                row = int(np.flatnonzero(wrong)[0])
                got = f"got {values[row]:g} in row {row + 1}"
                raise RocInputError(f"{where[name]} must hold {required}, {got}")
        if values.astype(np.float64).sum() >= 2.0**62:
            raise RocInputError(f"{where[name]} must hold counts that 64 bits hold, got larger ones")
        counts[name] = values.astype(np.int64)
    is_binned = "bin_low" in columns
    key = "bin_low" if is_binned else "score"
    keys = np.asarray(columns[key])
    distinct, first, number = np.unique(keys, return_index=True, return_counts=True)
    if (number > 1).any():
        place = int(np.flatnonzero(number > 1)[0])
        rows = np.flatnonzero(keys == distinct[place])[:2] + 1
        each = "bin" if is_binned else "score"
        raise RocInputError(
            f"{what} must count each {each} once, got {keys[first[place]]:g} in rows {rows[0]} and {rows[1]}"
        )
    if is_binned:
        widths = np.unique(columns["bin_width"])
        if not (widths > 0).all():
            raise RocInputError(f"{what} must have bins of a width above 0, got {widths[0]:g}")
        _check_bins(columns, what)
        return BinnedTable.from_bins(
            scores=columns["score"],
            highest=columns["highest"],
            single=columns["single"] == 1,
            low=columns["bin_low"],
            width=columns["bin_width"],
            direction=direction,
            **counts,
            **labels,
        )
    scores = keys if direction == "higher" else 0 - keys
    table = collect(checks.as_scores(scores, name="scores"), counts["pos"], counts["neg"])
    return LabelledTable(scores=table.scores, pos=table.pos, neg=table.neg, direction=direction, **labels)


def _check_bins(columns: Mapping[str, NDArray[Any]], what: str) -> None:
    """Refuse bins that are no cells of a grid, and scores outside their bins."""
    low, width = (np.asarray(columns[name], dtype=np.float64) for name in ("bin_low", "bin_width"))
    with np.errstate(invalid="ignore"):
        even = (np.frexp(width)[0] == 0.5) & (lower_edges(low, width) == low)
    ends = [low, columns["score"], columns["highest"], low + width]
    ordered = np.all([a <= b for a, b in pairwise(ends)], axis=0)
    for good, required in (
        (even, "bins whose widths are powers of two and whose edges are their multiples"),
        (ordered, "the lowest and the highest score of each bin inside it"),
    ):
        if not good.all():
            row = int(np.flatnonzero(~good)[0])
            shown = f"[{low[row]:g}, {low[row] + width[row]:g})"
            raise RocInputError(f"{what} must have {required}, got {shown} in row {row + 1}")


def check_classes(table: ScoreTable, where: Mapping[str, str]) -> None:
    """Refuse a table without cases of one of the classes; a part of one may lack them."""
    for name, total in (("pos", table.n_pos), ("neg", table.n_neg)):
        if not total:
            raise RocInputError(f"{where[name]} must count at least one case, got none")


def added(first: LabelledTable, second: LabelledTable) -> LabelledTable:
    """Counts of different cases together."""
    if isinstance(first, BinnedTable) != isinstance(second, BinnedTable):
        raise RocInputError("counts must all be of scores or all be of bins, got both")
    warnings = (*dict.fromkeys([*first.warnings, *second.warnings]),)
    labels = {name: getattr(first, name) for name in ("name", "pos_label", "neg_label")}
    table = first.merge(second)
    if isinstance(table, BinnedTable):
        return replace(table, warnings=warnings)
    return LabelledTable(
        scores=table.scores,
        pos=table.pos,
        neg=table.neg,
        direction=table.direction,
        warnings=warnings,
        **labels,
    )
