"""Scores that are spread over the workers of dask: counted where they are, the integers merged here.

Each part is read on a worker. A sample of every part shows where to cut the scores, the rows between two
cuts meet on one worker, and only their sums, or their counts by score, come here. All of it is whole numbers,
so the result does not depend on the parts or the workers; dask computes again what was lost with a worker.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import cached_property, reduce
from itertools import combinations_with_replacement, islice, pairwise
from typing import Any, get_args

import numpy as np
from numpy.typing import NDArray

from rocscope.core import checks, points
from rocscope.core.frames import Missing, dropped_warning
from rocscope.core.rules import Direction
from rocscope.core.scores import BinaryScores, read_binary_labels
from rocscope.core.table import (
    NOTHING,
    ClassProducts,
    LabelledTable,
    PlacementSums,
    ScoreTable,
    collect,
    exact_dot,
    own_scores,
    sorted_sums,
    stacked_sums,
)
from rocscope.errors import ResourceError, RocInputError, require

SAMPLE = 512  # scores of each part and column
RANGE_ROWS = 4_000_000  # that meet on one worker, about
MOST_RANGES = 64
MOST_SCORES = 20_000_000  # different ones, in a table on the client
MOST_LABELS = 1_000
# Each group of a column is a pass over the parts, and so is the rest.
MOST_GROUPS = 100
# Columns of a part by name.
Columns = Mapping[str, Any]


def delayed(function: Callable[..., Any], nout: int | None = None) -> Callable[..., Any]:
    """A function whose calls become tasks of dask."""
    made: Callable[..., Any] = require("dask", "a dask data frame").delayed(function, pure=False, nout=nout)
    return made


@contextmanager
def lost_workers() -> Iterator[None]:
    """Turn what dask raises for workers that died, or for a scheduler that is gone, into errors of ours."""
    try:
        yield
    except Exception as error:
        distributed = sys.modules.get("distributed")
        if distributed is not None and isinstance(error, distributed.KilledWorker):
            n = error.allowed_failures + 1
            raise ResourceError(
                f"a part ended {n} dask workers, one after another: they may lack memory"
            ) from error
        if distributed is not None and isinstance(
            error, (distributed.CancelledError, distributed.comm.CommClosedError)
        ):
            raise ResourceError("the dask scheduler went away") from error
        raise


def read_frame(
    frame: Any,
    *,
    label: str | None,
    score: str | Sequence[str] | None,
    pos_label: Any = None,
    na: str = "error",
    direction: Direction = "higher",
    by: Sequence[str] = (),
    **others: Any,
) -> SpreadScores:
    """The scores of a dask data frame; arguments that need rows in memory are refused.

    `by` names columns of groups, which are read beside the scores.
    """
    checks.check_choice(na, get_args(Missing), name="na")
    checks.check_choice(direction, get_args(Direction), name="direction")
    for name, value in others.items():
        if value is not None:
            raise RocInputError("must be left out for a dask data frame", argument=name)
    if label is None or score is None:
        raise RocInputError(
            "must be given for a dask data frame: the names of its columns",
            argument="label" if label is None else "score",
        )
    names = [score] if isinstance(score, str) else [*score]
    for argument, columns in (("label", [label]), ("score", names), ("by", by)):
        for name in columns:
            if name not in frame.columns:
                hint = checks.did_you_mean(name, [*map(str, frame.columns)])
                raise RocInputError(
                    f"must be a column of the data frame, got {checks.show(name)}{hint}", argument=argument
                )
    take, read = delayed(_of_pandas), [*dict.fromkeys((label, *names, *by))]
    parts = [take(part, read) for part in frame[read].to_delayed()]
    return SpreadScores(parts, label, tuple(names), pos_label, na, direction)


def _of_pandas(frame: Any, names: Sequence[str]) -> dict[str, NDArray[Any]]:
    return {name: frame[name].to_numpy() for name in names}


@dataclass(frozen=True)
class SpreadScores:
    """Labels and scores in parts that dask reads, each a task that gives its columns by name.

    Attributes
    ----------
    compute
        Computes tasks and waits: that of dask unless given.
    texts_as_labels
        Whether the text of a number also names the label that is this number, as on a command line.
    shown
        What holds the rows, for messages.
    """

    parts: Sequence[Any]
    label: str
    names: tuple[str, ...]
    pos_label: Any = None
    na: str = "error"
    direction: Direction = "higher"
    compute: Callable[[Sequence[Any]], Sequence[Any]] | None = None
    texts_as_labels: bool = False
    shown: str = "the data frame"

    def single(self) -> SpreadScores:
        """The same, if it holds one score."""
        if len(self.names) > 1:
            got = f"got {len(self.names)}: {list(self.names)}"
            raise RocInputError(f"must be of one classifier, {got}", argument="score")
        return self

    def _compute(self, tasks: Sequence[Any]) -> Sequence[Any]:
        if self.compute is not None:
            return self.compute(tasks)
        with lost_workers():
            done: Sequence[Any] = require("dask", "a dask data frame").compute(*tasks)
        return done

    @cached_property
    def _profile(self) -> _Profile:
        """All parts together, in a few numbers."""
        look = delayed(_look)
        every: Sequence[_Profile] = self._compute([look(part, self.label, self.names) for part in self.parts])
        return reduce(_together, every)

    @cached_property
    def _classes(self) -> tuple[list[Any], Any, Any]:
        """Positive labels, and the names of the negative and the positive class."""
        profile = self._profile
        if profile.missing and self.na == "error":
            raise RocInputError(
                f"{self.shown} must have no missing values, got {profile.missing} rows with some",
                remedy=("na", "drop", "{} leaves them out"),
            )
        labels = [value for value, count in profile.labels.items() if count]
        if not labels:
            raise RocInputError(f"{self.shown} must hold a row without missing values, got none")
        if len(labels) > MOST_LABELS:
            raise RocInputError(f"must hold two labels, got more than {MOST_LABELS}", argument="label")
        try:
            array = np.array(sorted(labels))
        except TypeError:
            array = np.array(labels, dtype=object)
        where, pos_label = f"column {self.label!r}", self.pos_label
        if self.texts_as_labels and isinstance(pos_label, str) and array.dtype.kind != "U":
            pos_label = {str(value): value for value in array.tolist()}.get(pos_label, pos_label)
        positive, negative_name, positive_name = read_binary_labels(array, pos_label, name=where)
        return array[positive].tolist(), negative_name, positive_name

    @property
    def warnings(self) -> tuple[str, ...]:
        """What a reader of results should know."""
        profile = self._profile
        infinite = "infinite scores were ranked above or below all others"
        dropped = {
            str(label) if self.texts_as_labels and label is not None else label: count
            for label, count in sorted(
                profile.dropped.items(), key=lambda item: (item[0] is None, str(item[0]))
            )
        }
        return (*([infinite] if profile.infinite else []), *dropped_warning(dropped))

    @property
    def sizes(self) -> tuple[int, int]:
        """Number of positives and of negatives."""
        positive = set(self._classes[0])
        counts = self._profile.labels
        n_pos = sum(count for value, count in counts.items() if value in positive)
        return n_pos, sum(counts.values()) - n_pos

    @property
    def labels(self) -> dict[str, Any]:
        """Names of the classes, and warnings."""
        _, negative, positive = self._classes
        return {"pos_label": positive, "neg_label": negative, "warnings": self.warnings}

    def where(self, column: str, group: Any, *, inside: bool = True) -> SpreadScores:
        """The rows of one group of a column, or those of all other groups."""
        keep = delayed(_rows_of_group)
        return replace(self, parts=[keep(part, column, group, inside) for part in self.parts])

    def group_counts(self, column: str, threshold: Any) -> dict[Any, list[int]]:
        """Of every group positives, negatives, and how many of each test positive at the threshold."""
        count, positive = delayed(_count_groups), self._classes[0]
        request = (self.label, self.names[0], column, positive, threshold, self.direction == "lower")
        total = dict[Any, list[int]]()
        for of_part in self._compute([count(part, *request) for part in self.parts]):
            for group, counts in of_part.items():
                total[group] = [a + b for a, b in zip(total.get(group, [0] * 4), counts, strict=True)]
        if missing := sum(total.pop(None, [0])[:2]):
            raise RocInputError(f"must name the group of every row, got {missing} without", argument="by")
        if len(total) > MOST_GROUPS:
            shown = f"{len(total):,} in column {column!r}"
            raise RocInputError(f"must have at most {MOST_GROUPS} groups, got {shown}", argument="by")
        return total

    def sums(self, column: int = 0) -> PlacementSums:
        """Exact placement sums of one score."""
        found: Sequence[PlacementSums] = self._compute(self._ranges(column, _range_sums))
        return reduce(stacked_sums, found, NOTHING)

    def table(self, column: int = 0) -> LabelledTable:
        """Count table of one score; as long as there are different scores."""
        counts = self._compute(self._ranges(column, _range_size))
        if sum(counts) > MOST_SCORES:
            raise ResourceError(
                f"column {self.names[column]!r} has {sum(counts):,} different scores, whose table is too "
                f"long for this process (at most {MOST_SCORES:,}); auc and compare_auc need no table"
            )
        tables = self._compute(self._ranges(column, _range_table))[::-1]
        arrays: dict[str, Any] = {
            name: np.concatenate([getattr(table, name) for table in tables if table is not None])
            for name in ("scores", "pos", "neg")
        }
        return LabelledTable(**arrays, name=self.names[column], direction=self.direction, **self.labels)

    def products(self) -> tuple[ClassProducts, ClassProducts]:
        """Exact sums over the placements of all scores, which stay on the workers."""
        placed, n_pos, n_neg = list[list[Any]](), *self.sizes
        assemble = delayed(_assemble)
        for column in range(len(self.names)):
            codes, ranges = self._split(column, _split_rows)
            below, above = 0, n_pos
            count = delayed(_range_counts)
            tasks = []
            for pieces, (p, n) in zip(
                ranges, self._compute([count(pieces) for pieces in ranges]), strict=True
            ):
                above -= p
                tasks.append(delayed(_range_placements)(pieces, below, above))
                below += n
            placed.append([assemble(own, [task[i] for task in tasks]) for i, own in enumerate(codes)])
        multiply = delayed(_products)
        classes = delayed(_classes_of)
        flags = [classes(part, self.label, self._classes[0], self.names) for part in self.parts]
        tasks = [
            multiply(*row, largest=4 * max(n_pos, n_neg) ** 2) for row in zip(flags, *placed, strict=True)
        ]
        every = self._compute(tasks)
        pairs = list(combinations_with_replacement(range(len(self.names)), 2))
        both = [
            ClassProducts(
                size=size,
                other=other,
                totals=tuple(sum(part[k][0][i] for part in every) for i in range(len(self.names))),
                products={pair: sum(part[k][1][pair] for part in every) for pair in pairs},
            )
            for k, (size, other) in enumerate([(n_pos, n_neg), (n_neg, n_pos)])
        ]
        return both[0], both[1]

    def _ranges(self, column: int, take: Callable[..., Any]) -> list[Any]:
        """A task for every range of scores, ascending; to it each part sends its scores, sorted by class."""
        return [delayed(take)(pieces) for pieces in self._split(column, _split_sorted)[1]]

    def _split(self, column: int, function: Callable[..., Any]) -> tuple[list[Any], list[list[Any]]]:
        """Of every part the ranges that its rows go to, and for every range the pieces of all parts."""
        profile = self._profile
        cuts = profile.cuts(column, sum(self.sizes))
        if self.direction == "lower":
            cuts = 0 - cuts[::-1]
        split = delayed(function, nout=len(cuts) + 2)
        request = (
            self.label,
            self._classes[0],
            self.names,
            column,
            cuts,
            profile.kind(column),
            self.direction,
        )
        made = [split(part, *request) for part in self.parts]
        return [one[0] for one in made], [[one[k + 1] for one in made] for k in range(len(cuts) + 1)]


# ---- What a worker does -----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Profile:
    """Some numbers of a part, or of all parts together."""

    labels: Mapping[Any, int]
    dropped: Mapping[Any, int]
    samples: Sequence[NDArray[Any]]
    whole: Sequence[bool]
    long: Sequence[bool]
    infinite: bool

    @property
    def missing(self) -> int:
        return sum(self.dropped.values())

    def kind(self, column: int) -> type:
        """The type of a score: fractions, or whole numbers that float64 does not hold."""
        if self.long[column] and not self.whole[column]:
            raise RocInputError("must hold scores of one type, got integers beyond 2**53 beside fractions")
        return np.int64 if self.long[column] else np.float64

    def cuts(self, column: int, rows: int) -> NDArray[Any]:
        """Different scores that part the rows about evenly, ascending."""
        sample: NDArray[Any] = np.sort(self.samples[column].astype(self.kind(column)))
        ranges = min(max(rows // RANGE_ROWS, 1), MOST_RANGES)
        places = np.linspace(0, sample.size - 1, ranges + 1)[1:-1].round().astype(int)
        return np.unique(sample[places]) if sample.size else sample


def _look(part: Columns, label: str, names: Sequence[str]) -> _Profile:
    labels, scores, complete = _checked(part, label, names)
    if labels.dtype.kind == "O":
        present: Mapping[Any, int] = Counter(labels[complete].tolist())
    else:
        values, counts = np.unique(labels[complete], return_counts=True)
        present = dict(zip(values.tolist(), counts.tolist(), strict=True))
    present = dict(islice(present.items(), MOST_LABELS + 1))  # enough to refuse more
    samples, whole, long = list[NDArray[Any]](), list[bool](), list[bool]()
    for one in scores:
        kept = one if complete.all() else one[complete]
        samples.append(np.sort(kept[:: max(kept.size // SAMPLE, 1)]))
        is_whole = kept.dtype.kind in "iu"
        whole.append(is_whole)
        largest = max(-int(kept.min()), int(kept.max())) if is_whole and kept.size else 0
        long.append(largest > checks.EXACT_FLOAT_INTEGERS)
    # Labels of rows that are left out, None where they are missing; whole ones beside those came as floats.
    left_out = (
        None
        if _is_missing(value)
        else int(value)
        if isinstance(value, float) and value.is_integer()
        else value
        for value in labels[~complete].tolist()
    )
    return _Profile(
        labels=present,
        dropped=Counter(left_out),
        samples=samples,
        whole=whole,
        long=long,
        infinite=any(bool(np.isinf(one[complete]).any()) for one in scores if one.dtype.kind == "f"),
    )


def _together(a: _Profile, b: _Profile) -> _Profile:
    def added(x: Mapping[Any, int], y: Mapping[Any, int]) -> dict[Any, int]:
        return {key: x.get(key, 0) + y.get(key, 0) for key in {**x, **y}}

    samples = [np.concatenate(pair) for pair in zip(a.samples, b.samples, strict=True)]
    whole = [x and y for x, y in zip(a.whole, b.whole, strict=True)]
    long = [x or y for x, y in zip(a.long, b.long, strict=True)]
    infinite = a.infinite or b.infinite
    return _Profile(added(a.labels, b.labels), added(a.dropped, b.dropped), samples, whole, long, infinite)


def _checked(
    part: Columns, label: str, names: Sequence[str]
) -> tuple[NDArray[Any], list[NDArray[Any]], NDArray[np.bool_]]:
    """Labels, scores, and the rows that lack none of them."""
    labels = np.asarray(part[label])
    lacking = np.zeros(labels.size, dtype=bool)
    if labels.dtype.kind in "Of":
        lacking = np.array([_is_missing(value) for value in labels.tolist()], dtype=bool)
    scores = list[NDArray[Any]]()
    for name in names:
        values = np.asarray(part[name])
        if values.dtype.kind == "O":
            values = np.array([np.nan if _is_missing(value) else value for value in values.tolist()])
        if values.dtype.kind == "b":
            values = values.astype(np.int64)
        if values.dtype.kind not in "iuf":
            raise RocInputError(f"column {name!r} must hold numbers, got {checks.show(values[:1].tolist())}")
        if values.dtype.kind == "f":
            values = values.astype(np.float64)
            lacking = lacking | np.isnan(values)
        scores.append(values)
    return labels, scores, ~lacking


def _group_codes(groups: NDArray[Any]) -> tuple[list[Any], NDArray[np.intp]]:
    """Different groups, and the place of each row's among them; None is a group that is missing."""
    if groups.dtype.kind == "O":
        names = [None if _is_missing(value) else value for value in groups.tolist()]
        places = {name: k for k, name in enumerate(dict.fromkeys(names))}
        return [*places], np.array([places[name] for name in names], dtype=np.intp)
    values, codes = np.unique(groups, return_inverse=True)
    return [None if _is_missing(value) else value for value in values.tolist()], codes


def _rows_of_group(part: Columns, column: str, group: Any, inside: bool) -> Columns:
    names, codes = _group_codes(np.asarray(part[column]))
    kept = np.array([name is not None and (name == group) == inside for name in names], dtype=bool)[codes]
    return {name: np.asarray(values)[kept] for name, values in part.items()}


def _count_groups(
    part: Columns, label: str, score: str, column: str, positive: Sequence[Any], threshold: Any, low: bool
) -> dict[Any, list[int]]:
    """Positives and negatives of each group, and those that test positive; None is a missing group."""
    labels, (scores,), complete = _checked(part, label, [score])
    names, codes = _group_codes(np.asarray(part[column]))
    of_class = _is_positive(labels, positive)
    decided = np.zeros(labels.size, bool)
    if threshold is not None:
        decided = points.reaches(scores, threshold, low)
    rows = (of_class, ~of_class, of_class & decided, ~of_class & decided)
    counts = [np.bincount(codes[of & complete], minlength=len(names)).tolist() for of in rows]
    return dict(zip(names, map(list, zip(*counts, strict=True)), strict=True))


def _is_missing(value: Any) -> bool:
    return value is None or type(value).__name__ in ("NAType", "NaTType") or value != value


def _is_positive(labels: NDArray[Any], positive: Sequence[Any]) -> NDArray[np.bool_]:
    if labels.dtype.kind == "O":
        members = set(positive)
        return np.array([value in members for value in labels.tolist()], dtype=bool)
    return np.isin(labels, positive)


def _cut(
    part: Columns,
    label: str,
    positive: Sequence[Any],
    names: Sequence[str],
    column: int,
    cuts: NDArray[Any],
    kind: type,
    direction: Direction,
) -> tuple[NDArray[np.bool_], NDArray[Any], NDArray[Any]]:
    """Which rows of a part are positive, their scores as they are ranked, and where to cut these."""
    labels, every, complete = _checked(part, label, names)
    scores: NDArray[Any] = every[column]
    if not complete.all():
        labels, scores = labels[complete], scores[complete]
    scores = own_scores(scores.astype(kind, copy=False), direction) + kind(0)  # -0.0 becomes 0.0
    return _is_positive(labels, positive), scores, cuts


def _split_rows(part: Columns, *request: Any) -> tuple[Any, ...]:
    """The range of every row, and the rows of every range: whether positive, and the score."""
    flags, scores, cuts = _cut(part, *request)
    codes = np.searchsorted(cuts, scores, side="right").astype(np.uint8)
    order = np.argsort(codes, kind="stable")
    ends = np.searchsorted(codes[order], np.arange(len(cuts) + 2))
    flags, scores = flags[order], scores[order]
    return (codes, *((flags[a:b], scores[a:b]) for a, b in pairwise(ends.tolist())))


def _split_sorted(part: Columns, *request: Any) -> tuple[Any, ...]:
    """Nothing, and for every range the ascending scores of each class."""
    flags, scores, cuts = _cut(part, *request)
    pos, neg = np.sort(scores[flags]), np.sort(scores[~flags])
    of_pos, of_neg = (np.split(one, np.searchsorted(one, cuts)) for one in (pos, neg))
    return (None, *zip(of_pos, of_neg, strict=True))


def _sorted(pieces: Sequence[tuple[NDArray[Any], NDArray[Any]]]) -> tuple[NDArray[Any], NDArray[Any]]:
    pos, neg = (np.concatenate(column) for column in zip(*pieces, strict=True))
    for scores in (pos, neg):
        scores.sort(kind="stable")  # merges what the parts have sorted
    return pos, neg


def _range_sums(pieces: Sequence[Any]) -> PlacementSums:
    return sorted_sums(*_sorted(pieces))


def _range_size(pieces: Sequence[Any]) -> int:
    return int(np.unique(np.concatenate(_sorted(pieces))).size)


def _range_table(pieces: Sequence[Any]) -> ScoreTable | None:
    pos, neg = _sorted(pieces)
    if not pos.size + neg.size:
        return None
    ones = np.repeat([1, 0], [pos.size, neg.size])
    return collect(np.concatenate([pos, neg]), ones, 1 - ones)


def _range_counts(pieces: Sequence[Any]) -> tuple[int, int]:
    flags = np.concatenate([flags for flags, _ in pieces])
    n_pos = int(np.count_nonzero(flags))
    return n_pos, flags.size - n_pos


def _range_placements(pieces: Sequence[Any], below: int, above: int) -> list[NDArray[np.int64]]:
    """Doubled placements of the rows of a range, part by part, with the cases below and above the range."""
    flags, scores = (np.concatenate(parts) for parts in zip(*pieces, strict=True))
    placements = np.zeros(scores.size, dtype=np.int64)
    if flags.any() and not flags.all():
        data = BinaryScores(positive=flags, columns=(scores,), names=("",), pos_label=1, neg_label=0)
        placements[flags], placements[~flags] = data.doubled_placements()
    placements += np.where(flags, 2 * below, 2 * above)
    return np.split(placements, np.cumsum([len(own) for own, _ in pieces])[:-1])


def _assemble(codes: NDArray[np.uint8], ranges: Sequence[NDArray[np.int64]]) -> NDArray[np.int64]:
    """The placements of a part in the order of its rows."""
    placements = np.empty(codes.size, dtype=np.int64)
    placements[np.argsort(codes, kind="stable")] = np.concatenate(ranges)
    return placements


def _classes_of(
    part: Columns, label: str, positive: Sequence[Any], names: Sequence[str]
) -> NDArray[np.bool_]:
    labels, _, complete = _checked(part, label, names)
    return _is_positive(labels[complete], positive)


def _products(flags: NDArray[np.bool_], *placements: NDArray[np.int64], largest: int) -> Any:
    """Sums over the positives and over the negatives of a part."""
    pairs = list(combinations_with_replacement(range(len(placements)), 2))
    both = []
    for own in (flags, ~flags):
        rows = [one[own] for one in placements]
        totals = [int(one.sum()) for one in rows]
        both.append((totals, {(i, j): exact_dot(rows[i], rows[j], largest=largest) for i, j in pairs}))
    return both
