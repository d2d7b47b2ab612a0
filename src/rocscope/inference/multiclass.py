"""Areas for more than two classes: Hand and Till's mean over pairs, and each class against the rest.

With A(i|j) the share of pairs (case of class i, case of class j) in which the score of class i is larger for
the case of class i, ties counted one half, and C classes [1]_:

    M = 2 / (C (C - 1)) sum_{i<j} (A(i|j) + A(j|i)) / 2.

Every average made here is a sum of shares[i, j] A(i|j) with fixed shares, a statistic of C independent
samples that is linear in the distribution of each: DeLong's variance carries over (`average_variance`).

One score of several classes has one area per pair, A(j|i) where class j should score higher than class i;
their mean is the multiclass.roc of pROC for one predictor.

References
----------
.. [1] Hand, Till: A simple generalisation of the area under the ROC curve for multiple class classification
   problems, Machine Learning 45, 2001.
"""

from __future__ import annotations

import math
from abc import abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any, ClassVar, Literal, TypeAlias, get_args

import numpy as np
from numpy.typing import NDArray

from rocscope.core import checks, frames, resampling
from rocscope.core.result import Estimate, row_columns
from rocscope.core.scores import ClassScores
from rocscope.core.table import PlacementSums
from rocscope.errors import ResourceError, RocInputError
from rocscope.inference import _multiclass_sums
from rocscope.inference._multiclass_sums import Floats, PairSums
from rocscope.inference.auc import SEPARATED, UNIT, AreaEstimate, area_interval, auc_from_sums, exact_bound

Scheme: TypeAlias = Literal["ovo", "ovr"]
Average: TypeAlias = Literal["macro", "weighted", "micro"]
LabelAverage: TypeAlias = Literal["macro", "weighted", "micro", "samples"]
MulticlassMethod: TypeAlias = Literal["delong", "logit", "bootstrap"]
Missing: TypeAlias = Literal["undefined", "drop"]
Direction: TypeAlias = Literal["higher", "lower", "auto"]

# Members that a class needs for an area with its variance.
FEWEST = 2
# A standard error below this is what rounding leaves of 0; the least real one, 1 / (2 n^2), is larger.
ROUNDING = 1e-15
# More rows than anyone reads: 500,000 take half a gigabyte, and 10,000 classes would have 50 million.
MOST_PAIRS = 500_000
MOST_CLASSES = 10_000
ROW_KINDS = {"ovo": "pairs of classes", "ovr": "classes against the rest", "multilabel": "labels"}
DIRECTIONS_CHOSEN = (
    "the direction of each pair was chosen on these cases: the areas are too large for scores that separate "
    "the classes little, and the intervals take the directions as known"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class ClassPair(Estimate):
    """An area between two classes.

    Attributes
    ----------
    first, second, n_first, n_second
        The two classes and their cases.
    """

    first: Any
    second: Any
    n_first: int
    n_second: int

    @property
    @abstractmethod
    def label(self) -> str:
        """Name of the row."""

    @property
    def n_cases(self) -> int:
        """Cases of both classes, by which a weighted average counts the row."""
        return self.n_first + self.n_second

    def _summary(self) -> str:
        return f"{self.label}: {Estimate._summary(self)}"


@dataclass(frozen=True, slots=True, kw_only=True)
class PairArea(ClassPair):
    """Mean of A(first|second) and A(second|first), with its interval.

    Attributes
    ----------
    by_first, by_second
        A(first|second), the area in the score column of the first class, where its cases should score
        higher, and A(second|first), the area in the column of the second class. None where undefined.
    """

    by_first: float | None
    by_second: float | None

    @property
    def label(self) -> str:
        """Name of the row."""
        return f"{self.first} - {self.second}"


@dataclass(frozen=True, slots=True, kw_only=True)
class DirectedArea(ClassPair):
    """Area of one score between two classes, with its interval: that of `auc` for their cases.

    Attributes
    ----------
    direction
        "higher" where the second class should score higher than the first, "lower" where the first should;
        None where it was to be chosen and a class has no cases.
    """

    direction: str | None

    @property
    def label(self) -> str:
        """Name of the row: the class that should score lower < that which should score higher."""
        sign = {"higher": "<", "lower": ">", None: "-"}[self.direction]
        return f"{self.first} {sign} {self.second}"


@dataclass(frozen=True, slots=True, kw_only=True)
class ClassArea(AreaEstimate):
    """Area of one class against the rest in its own score column, with its interval.

    Attributes
    ----------
    positive
        The class; all others together are the negatives.
    n_pos, n_neg
        Its cases, and those of the rest.
    """

    positive: Any
    n_pos: int
    n_neg: int

    @property
    def label(self) -> str:
        """Name of the row."""
        return f"{self.positive} - rest"

    @property
    def n_cases(self) -> int:
        """Cases of the class, by which a weighted average counts the row."""
        return self.n_pos

    def _summary(self) -> str:
        return f"{self.label}: {Estimate._summary(self)}"


@dataclass(frozen=True, slots=True, kw_only=True)
class LabelArea(ClassArea):
    """Area of one of several labels, of which a case may have any number, with its interval.

    `positive` is the label; the negatives are the cases without it.
    """

    @property
    def label(self) -> str:
        """Name of the row."""
        return f"{self.positive}"


Rows: TypeAlias = tuple[PairArea, ...] | tuple[DirectedArea, ...] | tuple[ClassArea, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class MulticlassAuc(Estimate):
    """An average area over the pairs of classes or over the classes, with its parts.

    Attributes
    ----------
    scheme, average
        The averaged rows ("ovo", "ovr" or "multilabel"), and how they are weighted ("macro" or "weighted");
        or the average of all scores together ("micro") or of the areas of the cases ("samples").
    rows
        One `PairArea` per pair of classes ("ovo"), or one `ClassArea` per class ("ovr"). Of one score of
        several classes one `DirectedArea` per pair, of labels one `LabelArea` each.
    n_undefined
        Rows without a value.
    """

    view: ClassVar[str] = "forest.multiclass_picture"
    topic: ClassVar[str] = "classes"

    scheme: str
    average: str
    rows: Rows
    n_undefined: int

    def columns(self) -> dict[str, Any]:
        """Return one row per pair or class."""
        return row_columns(self.rows)

    def _paper(self) -> tuple[dict[str, Any], dict[str, str], list[str]]:
        """The rows, and their average as the last."""
        columns = {name: [*items, getattr(self, name, None)] for name, items in self.columns().items()}
        columns["name"] = ["AUC"] * len(columns["name"])
        pair = "first" in columns
        columns["first" if pair else "positive"][-1] = f"{self.average} average"
        sizes = {"n_first": "Cases", "n_second": "Other cases", "n_pos": "Cases", "n_neg": "Other cases"}
        headings = {"first": "Class", "second": "Other class", "positive": "Class", **sizes}
        keys = ("first", "second") if pair else ("positive",)
        names = dict.fromkeys((*keys, *columns))
        return {name: columns[name] for name in names if not name.startswith("by_")}, headings, []

    def _summary(self) -> str:
        text = Estimate._summary(self)
        if self.value is not None:
            n, kind = len(self.rows), ROW_KINDS[self.scheme]
            over = {"micro": f"all scores of {n} {kind}", "samples": f"the cases, each with {n} labels"}
            text += f", {self.average} average over "
            text += over.get(self.average, f"{n - self.n_undefined} of {n} {kind}")
        return "\n".join([text, *(f"  {row.summary()}" for row in self.rows)])


@checks.known_arguments
def multiclass_auc(
    y_true: Any,
    y_score: Any = None,
    *,
    classes: Sequence[Any] | None = None,
    scheme: Scheme = "ovo",
    average: LabelAverage = "macro",
    method: MulticlassMethod = "logit",
    level: float = 0.95,
    alternative: checks.Alternative = "two-sided",
    missing: Missing = "undefined",
    direction: Direction = "higher",
    n_boot: int = 1000,
    rng: resampling.Rng = None,
    n_jobs: int | None = None,
    progress: bool | None = None,
    label: str | Sequence[str] | None = None,
    score: str | Sequence[str] | None = None,
    na: frames.Missing = "error",
) -> MulticlassAuc:
    """Return the average area of several classes, with its interval and its parts.

    Of a classifier with a score for every class, of one score for all classes (a marker, say), or of a
    classifier of labels, of which a case may have any number.

    Parameters
    ----------
    y_true
        Label of each case. Or all in one: a data frame with `label` and `score`, a `ClassScores`, or the
        result of `cross_scores`. Or a matrix of 0 and 1 with one column per label (multilabel).
    y_score
        Matrix with one column of non-negative scores per class; rows need not sum to one. Or one score per
        case, any number: the areas are then those of the pairs of classes, each as `auc` has it.
    classes
        The class of each column, in order. May be left out where the columns of a data frame have the names
        of the classes, and where the labels are the numbers of the columns of an array, 0 to C - 1. For one
        score the classes from the lowest to the highest; may be left out where the labels are numbers.
    scheme
        "ovo": pairs of classes (at most 500,000, of 1,000 classes), each the mean of A(i|j) and A(j|i);
        with the macro average Hand and Till's M, which does not depend on how frequent the classes are.
        "ovr": each class against all others together, which does. Labels are each on their own.
    average
        "macro": all rows count the same. "weighted": by the number of cases, of the two classes of the
        pair, of the class or with the label. "micro", for "ovr" and labels: the area of the scores of all
        classes together, which must be comparable. "samples", for labels: the mean over cases of the area
        among the labels of the case. The words and values are those of scikit-learn.
    method
        "logit": normal on the scale log(A / (1 - A)); the standard error comes from each case's contribution
        to the average. "delong": the same without the scale, too short where few cases are ranked wrongly
        (see the atlas). "bootstrap": percentiles of the average, the cases drawn class by class, or each
        with all its labels; the rows then have the interval of "logit".
    level
        Confidence level.
    alternative
        "two-sided"; "greater" for a lower bound alone, "less" for an upper bound alone.
    missing
        What becomes of classes with no member or only one. "undefined": without a member the rows of the
        class and the average are undefined, with one they have a value and no interval. "drop": such
        classes are left out of the average, with their columns and their cases, and their rows are
        undefined. Labels that no case or one has, or lacks, are treated alike; for "samples" the cases
        with no label or every label. "micro" needs no members of every class.
    direction
        For one score: "higher" if it grows with the order of the classes, "lower" if it falls. "auto"
        chooses for each pair the class with the larger median, the later one where they are equal, as
        pROC's multiclass.roc does: with a warning, since the areas are then too large.
    n_boot, rng, n_jobs, progress
        The bootstrap, as in `auc`.
    label, score
        Columns of a data frame in the place of `y_true`: the labels, and one score per class or a single
        one; or one column of 0 and 1 per label, and one score each.
    na
        "error" refuses missing values, "drop" leaves out the rows that hold one, with a warning.

    Returns
    -------
    MulticlassAuc
        An `Estimate` with `scheme`, `average`, `rows` and `n_undefined`. Where all classes are separated
        the interval is an exact bound, as that of `auc`.

    Notes
    -----
    The intervals of the average take the size of each class as given. For Hand and Till's M this is no
    restriction. The other averages depend on how frequent the classes are: their intervals are for classes
    as frequent as in the data, and too short if the frequencies themselves are to be estimated. The rows
    of "ovr" are the areas of `auc`, whose interval takes the classes in the rest as drawn at random.
    Intervals of labels take the cases as drawn at random, each with all its labels and their scores. An area
    of exactly 0 or 1 has no interval as a micro average. In simulations of 60 to 300 cases the 95 % intervals
    of labels and of micro averages hold the value in 93 to 95 % (validation/multilabel_coverage.py).

    Examples
    --------
    >>> y = ["a", "a", "b", "b", "b", "c", "c"]
    >>> p = [[8, 1, 1], [4, 5, 1], [5, 4, 1], [1, 8, 1], [2, 6, 2], [1, 1, 8], [2, 3, 5]]
    >>> print(multiclass_auc(y, p, classes=["a", "b", "c"]))
    AUC 0.9444 (95% interval 0.4746-0.9969, logit), macro average over 3 of 3 pairs of classes
      a - b: AUC 0.8333 (95% interval 0.1523-0.9929, logit)
      a - c: AUC 1.0000 (95% interval 0.1581-1.0000, logit)
      b - c: AUC 1.0000 (95% interval 0.1581-1.0000, logit)
    note: a - c, b - c: the classes are separated: the interval is the exact bound for an area of 1

    One score of three ordered classes:

    >>> print(multiclass_auc([1, 1, 1, 2, 2, 2, 3, 3], [0.1, 0.3, 0.4, 0.2, 0.5, 0.6, 0.7, 0.5]))
    AUC 0.8426 (95% interval 0.5508-0.9590, logit), macro average over 3 of 3 pairs of classes
      1 < 2: AUC 0.7778 (95% interval 0.1730-0.9832, logit)
      1 < 3: AUC 1.0000 (95% interval 0.1581-1.0000, logit)
      2 < 3: AUC 0.7500 (95% interval 0.1280-0.9840, logit)
    note: 1 < 3: the classes are separated: the interval is the exact bound for an area of 1
    """
    checks.check_choice(scheme, get_args(Scheme), name="scheme")
    checks.check_choice(average, get_args(LabelAverage), name="average")
    checks.check_choice(method, get_args(MulticlassMethod), name="method")
    checks.check_choice(missing, get_args(Missing), name="missing")
    checks.check_choice(direction, get_args(Direction), name="direction")
    checks.check_level(level)
    checks.check_alternative(alternative)
    sampling = resampling.Sampling(n_boot=n_boot, rng=rng, n_jobs=n_jobs, progress=progress)
    from rocscope.inference import multilabel

    if multilabel.is_multilabel(y_true, y_score, label):
        if direction != "higher":
            raise RocInputError(
                f"must be left out where every label has its score, got {direction!r}", argument="direction"
            )
        return multilabel.multilabel_auc(
            multilabel.LabelScores.from_arrays(
                y_true, y_score, classes=classes, label=label, score=score, na=na
            ),
            average=average,
            method=method,
            level=level,
            alternative=alternative,
            missing=missing,
            sampling=sampling,
        )
    check_average(average, scheme)
    if classes is not None:  # before the scores of each class are looked at
        _check_size(len(checks.check_names(classes, name="classes")), scheme)
    one_score = isinstance(score, str) or (
        y_score is not None and checks.as_array(y_score, name="y_score").ndim == 1
    )
    columns: dict[str, Any] = {"classes": classes, "label": label, "score": score, "na": na}
    if one_score:
        if scheme == "ovr":
            raise RocInputError(
                "must be 'ovo' where all classes have one score, got 'ovr'", argument="scheme"
            )
        data = ClassScores.from_one_score(y_true, y_score, ordered=direction != "auto", **columns)
    else:
        if direction != "higher":
            raise RocInputError(
                f"must be left out where every class has its score, got {direction!r}", argument="direction"
            )
        data = ClassScores.from_arrays(y_true, y_score, **columns)
    _check_size(len(data.classes), scheme)
    counts = np.bincount(data.codes, minlength=len(data.classes)).tolist()
    sizes = dict(zip(data.classes, counts, strict=True))
    kept = [code for code, n in enumerate(counts) if missing == "undefined" or n >= FEWEST]
    codes = {data.classes[code]: place for place, code in enumerate(kept)}
    split = _multiclass_sums.ClassSplit.of(data, kept)
    placements = _multiclass_sums.class_placements(split)
    side: dict[str, Any] = {"level": level, "alternative": alternative}
    row_side = {"method": "logit" if method == "bootstrap" else method, **side}
    shares = average_shares(scheme, average, split.sizes)
    rows: Rows
    if one_score:
        higher = _higher_classes(split, direction)
        places = list(combinations(range(len(kept)), 2))
        of_places = _multiclass_sums.directed_sums(
            split, placements, [(j, i) if higher[j, i] else (i, j) for i, j in places]
        )
        directed = dict(zip(places, of_places, strict=True))
        rows = tuple(
            DirectedArea(
                **_pair_fields(a, b, directed.get(pair), sizes, row_side),
                direction=_pair_direction(pair, higher, direction),
            )
            for a, b in combinations(sizes, 2)
            for pair in [(codes.get(a, -1), codes.get(b, -1))]
        )
        if shares is not None:  # of A(i|j) and A(j|i) the one in the direction of the pair
            shares = np.where(higher, 2.0 * shares, 0.0)
    elif scheme == "ovo":
        of_pairs = _multiclass_sums.pair_sums(split, placements)
        rows = tuple(
            PairArea(
                **_pair_fields(a, b, sums, sizes, row_side),
                by_first=None if sums is None else sums.by_first,
                by_second=None if sums is None else sums.by_second,
            )
            for a, b in combinations(sizes, 2)
            for sums in [of_pairs.get((codes.get(a, -1), codes.get(b, -1)))]
        )
    else:
        of_classes = _multiclass_sums.rest_sums(split, placements)
        n_kept = sum(split.sizes)
        rows = tuple(
            _class_area(name, None if name not in codes else of_classes[codes[name]], sizes, n_kept, row_side)
            for name in sizes
        )
    n_undefined = sum(row.value is None for row in rows)
    number = f"{n_undefined} of {len(rows)} {'pairs of classes' if scheme == 'ovo' else 'classes'}"
    number += " is" if n_undefined == 1 else " are"
    few, n_large = _few_members(sizes), sum(n >= FEWEST for n in counts)
    if average == "micro" and len(kept) > 1:
        fields = _micro_fields(split, few, method=method, sampling=sampling, **side)
        fields["warnings"] += (f"{number} left out: {few}",) if few and missing == "drop" else ()
    elif shares is None and n_large < 2:
        fields = average_fields(
            None, f"fewer than two classes have two members: {few}", method=method, **side
        )
    elif shares is None:
        fields = average_fields(
            None, f"{number} undefined: {few}; they can be left out", method=method, **side
        )
    else:
        # Weights and values are added exactly: rows of exactly 1 average to exactly 1.
        weights = [(row.n_cases if average == "weighted" else 1, row.value) for row in rows]
        defined = [(weight, area) for weight, area in weights if area is not None]
        value = math.fsum(weight * area for weight, area in defined) / sum(weight for weight, _ in defined)
        smallest = min(split.sizes)
        if smallest < FEWEST:
            hint = "; such classes can be left out" if n_large > 1 else ""
            reason = f"the variance needs two cases in each class, {few}{hint}"
            fields = average_fields(value, reason, method=method, **side)
        else:
            replicates = None
            if method == "bootstrap":
                replicates = _multiclass_sums.bootstrap_multiclass(split, shares, sampling)
                se = resampling.standard_error(replicates)
            else:
                se = math.sqrt(_multiclass_sums.average_variance(split, placements, shares))
            fields = average_fields(value, None, se, smallest, replicates, method=method, **side)
            fields["warnings"] += (f"{number} left out: {few}",) if few else ()
    fields["warnings"] += (DIRECTIONS_CHOSEN,) if direction == "auto" else ()
    fields["warnings"] += data.warnings
    return MulticlassAuc(scheme=scheme, average=average, rows=rows, n_undefined=n_undefined, **fields)


def check_average(average: str, scheme: str) -> None:
    """Refuse averages that classes do not have."""
    if average == "samples":
        raise RocInputError(
            "must be 'macro', 'weighted' or 'micro' for classes, got 'samples'", argument="average"
        )
    if average == "micro" and scheme != "ovr":
        raise RocInputError(f"must be 'ovr' for the micro average, got {scheme!r}", argument="scheme")


def _micro_fields(
    split: _multiclass_sums.ClassSplit,
    few: str,
    *,
    method: str,
    sampling: resampling.Sampling,
    **side: Any,
) -> dict[str, Any]:
    """The area of the scores of all classes together; every class keeps its size."""
    from rocscope.inference.multilabel import bootstrap_labels, label_average

    codes = np.repeat(np.arange(len(split.sizes)), split.sizes)
    positive, scores = codes[:, None] == np.arange(len(split.sizes)), split.scores.T
    value, deviations = label_average(positive, scores, "micro", scaled=False)
    if 1 in split.sizes:
        reason = f"the variance needs two cases in each class, {few}; such classes can be left out"
        return average_fields(value, reason, method=method, **side)
    replicates = None
    if method == "bootstrap":
        replicates = bootstrap_labels(positive, scores, "micro", split.sizes, sampling)
        se = resampling.standard_error(replicates)
    else:
        of_class = [deviations[split.members(code)] for code, n in enumerate(split.sizes) if n]
        se = math.sqrt(sum(float(part.var(ddof=1)) * part.size for part in of_class))
    return average_fields(value, None, se, None, replicates, method=method, **side)


def _check_size(n_classes: int, scheme: Scheme) -> None:
    """Refuse more classes or pairs of classes than can be computed."""
    if n_classes > MOST_CLASSES:
        raise ResourceError(f"multiclass_auc takes at most {MOST_CLASSES:,} classes, got {n_classes:,}")
    n_pairs = n_classes * (n_classes - 1) // 2
    if scheme == "ovo" and n_pairs > MOST_PAIRS:
        raise ResourceError(
            f"scheme 'ovo' has a row for each pair of classes, at most {MOST_PAIRS:,} pairs, got {n_pairs:,} "
            f"of {n_classes:,} classes: scheme 'ovr' has one row per class"
        )


def average_shares(scheme: str, average: str, sizes: Sequence[int]) -> Floats | None:
    """Part of the average that A(i|j) makes up, (classes, classes): 0 on the diagonal, 1 in all.

    None where the average is undefined: a class has no members, or there is but one.
    """
    if len(sizes) < 2 or min(sizes) == 0:
        return None
    n = np.array(sizes, dtype=np.float64)
    of_class = n if average == "weighted" else np.ones(n.size)
    if scheme == "ovo":
        shares = of_class[:, None] + of_class
    else:
        # The area against the rest is the mean of A(i|j) by the number of cases of each j.
        shares = of_class[:, None] * n / (n.sum() - n)[:, None]
    shares[np.diag_indices(n.size)] = 0.0
    return np.asarray(shares / shares.sum())


def _higher_classes(split: _multiclass_sums.ClassSplit, direction: Direction) -> NDArray[np.bool_]:
    """Whether class i should score higher than class j, (classes, classes), of one score."""
    n = len(split.sizes)
    later = np.tri(n, k=-1, dtype=bool)
    if direction == "auto":
        with np.errstate(over="ignore", invalid="ignore"):  # infinite scores have medians, or none
            median = [np.median(split.scores[k, split.members(k)]) if split.sizes[k] else 0 for k in range(n)]
        falls = np.greater.outer(median, median)
        return (later & ~falls.T) | (later.T & falls)
    return later if direction == "higher" else later.T


def _pair_direction(pair: tuple[int, int], higher: NDArray[np.bool_], direction: Direction) -> str | None:
    """The direction of a pair of classes that were kept; of others the given one."""
    if direction != "auto":
        return direction
    return None if -1 in pair else "higher" if higher[pair[::-1]] else "lower"


def _pair_fields(
    first: Any,
    second: Any,
    sums: PairSums | PlacementSums | None,
    sizes: Mapping[Any, int],
    side: dict[str, Any],
) -> dict[str, Any]:
    """Fields of a pair of classes; without sums a class has no case, or was left out."""
    few = _few_members({name: sizes[name] for name in (first, second)})
    if sums is None:
        fields = average_fields(None, few, **side)
    elif few:
        fields = average_fields(sums.auc, few, **side)
    else:
        smallest = min(sizes[first], sizes[second])
        fields = average_fields(sums.auc, None, math.sqrt(sums.delong_variance()), smallest, **side)
    return {"first": first, "second": second, "n_first": sizes[first], "n_second": sizes[second]} | fields


def _class_area(
    name: Any, sums: PlacementSums | None, sizes: Mapping[Any, int], n_kept: int, side: dict[str, Any]
) -> ClassArea:
    """The row of a class; its area against the rest is a two-class area."""
    few = _few_members({name: sizes[name]})
    n_rest = n_kept - sizes[name] if sums is not None else n_kept
    if sums is None or sizes[name] == 0 or n_rest == 0:
        fields = average_fields(None, few or "there is no case of another class", **side)
    else:
        fields = dict(auc_from_sums(sums, **side))
        fields["reason"] = few or fields["reason"]
    return ClassArea(positive=name, **fields | {"n_pos": sizes[name], "n_neg": n_rest})


def _few_members(sizes: Mapping[Any, int]) -> str:
    """Which classes have too few members; empty if none has."""
    counts = {0: "no member", 1: "one member, not two"}
    return ", ".join(f"class {checks.show(name)} has {counts[n]}" for name, n in sizes.items() if n < FEWEST)


def average_fields(
    value: float | None,
    reason: str | None,
    se: float | None = None,
    smallest: int | None = FEWEST,
    replicates: Floats | None = None,
    *,
    method: str,
    level: float,
    alternative: checks.Alternative,
) -> dict[str, Any]:
    """Fields of an estimate; a `reason` leaves it without an interval, and without a value undefined.

    At an area of 0 or 1 the interval is the exact bound of the `smallest` class, at any other area without
    variance there is none.
    """
    low = high = None
    warnings: tuple[str, ...] = ()
    side: dict[str, Any] = {"level": level, "alternative": alternative}
    if value is not None and value < 0.5:
        warnings += ("the area is below 0.5: the scores rank the wrong class higher",)
    if value is not None and se is not None:
        if value in UNIT and smallest is None:
            se, reason = 0.0, f"the area is {value:g}, where the variance is 0 and gives no interval"
        elif value in UNIT and smallest is not None:
            low, high = exact_bound(value, smallest, **side)
            warnings += (SEPARATED.format(value),)
        elif se <= ROUNDING:
            se, reason = (
                0.0,
                "all cases of a class are placed alike, so the variance is 0 and gives no interval",
            )
        elif replicates is not None:
            low, high = resampling.percentile_interval(replicates, bounds=UNIT, **side)
        else:
            low, high = area_interval(value, se, logit=method == "logit", **side)
        if low is not None and high is not None:  # replicates of few cases may leave the value out
            low, high = min(float(low), value), max(float(high), value)
    status = "undefined" if value is None else "ok" if reason is None else "partial"
    fields = {"name": "AUC", "value": value, "se": se, "low": low, "high": high, "method": method}
    return fields | side | {"status": status, "reason": reason, "warnings": warnings}
