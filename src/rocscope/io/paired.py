"""Several scores of the same cases of a file of any size: exact sums of products of their placements.

Each score is gone through in pieces, from the lowest scores to the highest, and the placement of every case
is written to a temporary file at the place of its row. A last pass reads the files side by side.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from itertools import combinations_with_replacement, pairwise
from pathlib import Path
from typing import IO, Any, Unpack

import numpy as np
from numpy.typing import NDArray

from rocscope.core.frames import dropped_warning
from rocscope.core.rules import Direction
from rocscope.core.scores import BinaryScores
from rocscope.core.table import ClassProducts, PlacementSums
from rocscope.io import input_file, large
from rocscope.io.large import COUNTS, SAMPLE_ROWS, SLACK, Rows, ScoreColumn, Stretch

# A placement in its temporary file, and a row of all columns in the copy.
PLACEMENT_BYTES = 8
# Rows of a piece on their way: class, score and row, sorted, and a block of the file they go to.
ROW_BYTES = 120
BLOCK_ROWS = 1 << 19
# Placements are below 2^42: products of their halves fit 64 bits, and so do sums of a block of them.
HALF = 21


@dataclass(frozen=True, slots=True, kw_only=True)
class PairedSums:
    """Sums over the placements of several scores of the same cases, with the names of their classes."""

    names: tuple[str, ...]
    of_pos: ClassProducts
    of_neg: ClassProducts
    pos_label: Any
    neg_label: Any
    warnings: tuple[str, ...] = ()
    direction: Direction = "higher"

    def of_curve(self, place: int) -> PlacementSums:
        """The sums of one score."""
        return PlacementSums(
            n_pos=self.of_pos.size,
            n_neg=self.of_neg.size,
            twice_u=self.of_pos.totals[place],
            squares_pos=self.of_pos.products[place, place],
            squares_neg=self.of_neg.products[place, place],
        )


def paired_sums_of_file(
    path: input_file.FilePath, *, label: str, score: Sequence[str], **reading: Unpack[large.Reading]
) -> PairedSums:
    r"""Exact sums of the placements of scores and of their products, within a limit of memory.

    With `na="drop"` a row that lacks any of the values is left out of all scores.

    Examples
    --------
    >>> import tempfile, pathlib
    >>> path = pathlib.Path(tempfile.mkdtemp()) / "cases.csv"
    >>> _ = path.write_text("y,a,b\n1,0.9,1\n0,0.2,1\n1,0.2,3\n")
    >>> sums = paired_sums_of_file(path, label="y", score=["a", "b"])
    >>> sums.of_pos.totals, sums.of_pos.products
    ((3, 3), {(0, 0): 5, (0, 1): 4, (1, 1): 5})
    """
    with large.score_columns(path, label=label, score=score, **reading) as columns, ExitStack() as cleanup:
        first = columns[0]
        database = first.profile.source.database
        folder = database.folder  # what DuckDB may write to; it goes with the connection
        assert folder is not None
        rows = _copied(columns, label, folder / "rows.parquet")
        sizes = {cls: int(count[0]) for cls, count in rows.query(COUNTS, doing="counting").items()}
        large.check_counts(rows, **sizes)
        database.check_room(PLACEMENT_BYTES * rows.count * len(columns))
        files = []
        for k, _ in enumerate(columns):
            file = cleanup.enter_context((folder / f"placements-{k}").open("w+b"))
            file.truncate(PLACEMENT_BYTES * rows.count)
            one = replace(rows, relation=f"(SELECT positive, s{k} AS score, row FROM {rows.relation})")
            _place(one, sizes, file)
            files.append(file)
        products = _products(rows, sizes, files)
        dropped = first.profile.dropped(label, [label, *score])
        texts = [text for column in columns for text in column.warnings if "left out" not in text]
        labels = first.labels()
        return PairedSums(
            names=tuple(score),
            of_pos=products[0],
            of_neg=products[1],
            pos_label=labels["pos_label"],
            neg_label=labels["neg_label"],
            warnings=(*dict.fromkeys(texts), *dropped_warning(dropped)),
            direction=first.direction,
        )


def _copied(columns: Sequence[ScoreColumn], label: str, path: Path) -> Rows:
    """The complete rows, numbered, in a file of their own: class, scores, row."""
    profile = columns[0].profile
    source = profile.source
    names = [column.score for column in columns]
    complete = profile.complete([label, *names])
    labels = columns[0].classes[0]
    typed = [profile.typed(name) for name in names]
    scores = [text if columns[0].direction == "higher" else f"0 - ({text})" for text in typed]
    shown = ", ".join(f"{text} AS s{k}" for k, text in enumerate(scores))
    positive = f"list_contains($positive, {profile.typed(label)})"
    cells = f"SELECT {positive} AS positive, {shown} FROM {source.relation} {complete}"
    sql = f"COPY (SELECT row_number() OVER () - 1 AS row, * FROM ({cells})) TO $copy (FORMAT parquet)"
    database = source.database
    database.check_room((len(columns) * 8 + 2) * profile.rows)
    values = {**source.values, "positive": labels, "copy": str(path)}
    count = int(database.query(sql, values, doing="copying")["Count"][0])
    return Rows(database, "read_parquet($path)", {"path": str(path)}, count)


def _place(rows: Rows, sizes: dict[str, int], file: IO[bytes]) -> None:
    """Write the doubled placement of every case, twice, plus one for a positive, at the place of its row."""
    budget = max(rows.database.limits.half // ROW_BYTES, 1)
    pieces = max(math.ceil(SLACK * rows.count / budget), 1)
    cuts: NDArray[Any] = np.empty(0)
    if pieces > 1:
        sample = rows.sample(min(5 * SAMPLE_ROWS, budget))
        places = np.linspace(0, sample.size - 1, pieces + 1)[1:-1].round().astype(int)
        cuts = np.unique(sample[places])
    below, above = 0, sizes["pos"]  # negatives with lower scores, positives that have not come yet
    ends = [None, *cuts.tolist(), None]
    for k, (low, high) in enumerate(pairwise(ends)):
        doing = f"sorting part {k + 1} of {len(ends) - 1}"
        stretch = Stretch(low, high)
        found = rows.query("positive, score, row", stretch.where, doing=doing, **stretch.values)
        positive, scores = found["positive"], found["score"]
        n_pos = int(np.count_nonzero(positive))
        above -= n_pos
        values = np.where(positive, 2 * below, 2 * above)
        if 0 < n_pos < positive.size:  # the cases of this part among themselves
            names: dict[str, Any] = {"names": ("",), "pos_label": 1, "neg_label": 0}
            among = BinaryScores(positive=positive, columns=(scores,), **names).doubled_placements()
            values[positive] += among[0]
            values[~positive] += among[1]
        below += positive.size - n_pos
        _write(file, found["row"], 2 * values + found["positive"])
        if high is None:
            break
        # The cut itself, which very many rows may share.
        counts = rows.query(COUNTS, "WHERE score = $at", doing=doing, at=high)
        tied = {name: int(number[0]) for name, number in counts.items()}
        above -= tied["pos"]
        at = {True: 2 * below + tied["neg"], False: 2 * above + tied["pos"]}
        below += tied["neg"]
        for start in range(0, rows.count, budget) if sum(tied.values()) else ():
            some = {"at": high, "start": start, "end": start + budget}
            tail = "WHERE score = $at AND row >= $start AND row < $end"
            found = rows.query("positive, row", tail, doing=doing, **some)
            _write(file, found["row"], np.where(found["positive"], 2 * at[True] + 1, 2 * at[False]))
    large.check_counts(rows, sizes["pos"] - above, below)


def _write(file: IO[bytes], rows: NDArray[np.int64], values: NDArray[np.int64]) -> None:
    """Put values at the places of their rows, block by block from the start of the file to its end."""
    order = np.argsort(rows, kind="stable")
    rows, values = rows[order], values[order]
    edges = np.arange(0, int(rows[-1]) + BLOCK_ROWS + 1, BLOCK_ROWS) if rows.size else np.empty(0)
    for start, (first, last) in zip(edges, pairwise(np.searchsorted(rows, edges)), strict=False):
        if first == last:
            continue
        file.seek(PLACEMENT_BYTES * int(start))
        block = np.frombuffer(file.read(PLACEMENT_BYTES * BLOCK_ROWS), dtype=np.int64).copy()
        block[rows[first:last] - start] = values[first:last]
        file.seek(PLACEMENT_BYTES * int(start))
        file.write(block.tobytes())


def _products(
    rows: Rows, sizes: dict[str, int], files: Sequence[IO[bytes]]
) -> tuple[ClassProducts, ClassProducts]:
    """Sums over the positives and over the negatives, the placements of all scores side by side."""
    pairs = list(combinations_with_replacement(range(len(files)), 2))
    totals = {flag: [0] * len(files) for flag in (1, 0)}
    products = {flag: dict.fromkeys(pairs, 0) for flag in (1, 0)}
    for file in files:
        file.flush()
        file.seek(0)
    for _ in range(0, rows.count, BLOCK_ROWS):
        read = [np.frombuffer(file.read(PLACEMENT_BYTES * BLOCK_ROWS), dtype=np.int64) for file in files]
        flags = read[0] & 1
        for flag in (1, 0):
            own = [(block[flags == flag] >> 1) for block in read]
            for k, values in enumerate(own):
                totals[flag][k] += int(values.sum())
            for i, j in pairs:
                products[flag][i, j] += _dot(own[i], own[j])
    of = {1: ("pos", "neg"), 0: ("neg", "pos")}
    both = [
        ClassProducts(
            size=sizes[own], other=sizes[other], totals=tuple(totals[flag]), products=products[flag]
        )
        for flag, (own, other) in of.items()
    ]
    return both[0], both[1]


def _dot(a: NDArray[np.int64], b: NDArray[np.int64]) -> int:
    """Exact sum of the products of a block of placements, by their halves.

    Examples
    --------
    >>> _dot(np.array([2**41 + 1]), np.array([2**41 + 3])) == (2**41 + 1) * (2**41 + 3)
    True
    """
    (a1, a0), (b1, b0) = ((x >> HALF, x & ((1 << HALF) - 1)) for x in (a, b))
    middle = int(a1 @ b0) + int(a0 @ b1)
    return (int(a1 @ b1) << 2 * HALF) + (middle << HALF) + int(a0 @ b0)
