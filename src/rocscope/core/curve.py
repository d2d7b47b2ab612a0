"""The empirical ROC curve, with areas, hull and selection of a point."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from rocscope.core import checks, formatting, measures, points, spread
from rocscope.core.frames import Missing
from rocscope.core.partial_area import BELOW_CHANCE, SAME, Ranges, area_name, partial_areas, read_ranges
from rocscope.core.result import CurveResult, Estimate, Result, as_array, json_thresholds
from rocscope.core.rules import Direction
from rocscope.core.scores import BinaryScores, Columns, WeightKind, check_alone
from rocscope.core.table import (
    BELOW,
    BELOW_LOW,
    LARGE,
    THINNED,
    LabelledTable,
    ScoreTable,
    as_table,
    below_note,
    own_scores,
    table_labels,
)
from rocscope.errors import RocInputError

if TYPE_CHECKING:
    from rocscope.inference.criterion_table import CriterionTable


def height_at(x: NDArray[Any], y: NDArray[Any], at: Any, *, end: str = "upper") -> NDArray[np.float64]:
    """Height of one rising polyline at given x; at a jump its upper or its lower end.

    Left and right of the polyline the height is that of its first and of its last vertex.

    Examples
    --------
    >>> height_at(np.array([0.0, 0.0, 1.0]), np.array([0.0, 0.5, 1.0]), [0.0, 0.5, 1.0]).tolist()
    [0.5, 0.75, 1.0]
    >>> height_at(np.array([0.0, 0.0, 1.0]), np.array([0.0, 0.5, 1.0]), [0.0, 0.5], end="lower").tolist()
    [0.0, 0.75]
    """
    at = np.clip(np.asarray(at, dtype=np.float64), x[0], x[-1])
    last = len(x) - 1
    if end == "lower":
        after = np.searchsorted(x, at, "left")
        before = np.maximum(after - 1, 0)
        width = x[after] - x[before]
        share = np.divide(x[after] - at, width, out=np.zeros(at.shape), where=width > 0)
        return np.asarray(y[after] - share * (y[after] - y[before]))
    before = np.minimum(np.searchsorted(x, at, "right") - 1, last)
    after = np.minimum(before + 1, last)
    width = x[after] - x[before]
    share = np.divide(at - x[before], width, out=np.zeros(at.shape), where=width > 0)
    return np.asarray(y[before] + share * (y[after] - y[before]))


def left_at(x: NDArray[Any], y: NDArray[Any], at: Any) -> NDArray[np.float64]:
    """Place of a rising polyline from (0, 0) to (1, 1) at given heights; of a horizontal step its left end.

    Examples
    --------
    >>> left_at(np.array([0.0, 0.5, 1.0]), np.array([0.0, 0.0, 1.0]), [0.0, 0.5]).tolist()
    [0.0, 0.75]
    """
    # Seen from the corner (1, 1) the curve rises again, and its left end is the upper one.
    return 1 - height_at(1 - y[::-1], 1 - x[::-1], 1 - np.asarray(at, dtype=np.float64))


HULL = "the vertices of a convex hull were chosen on these cases: intervals from it are too narrow"

# -----------------------------------------------------------------------------------------------------------
# The upper convex hull of a rising curve, as plain Python that kernels.py compiles for long curves


def upper_hull(x: NDArray[Any], y: NDArray[Any]) -> NDArray[np.int64]:
    """Indices of the hull's vertices, by Andrew's monotone chain; points on an edge are left out.

    Examples
    --------
    >>> upper_hull(np.array([0.0, 0.0, 1.0, 1.0, 2.0]), np.array([0.0, 1.0, 1.0, 2.0, 2.0])).tolist()
    [0, 1, 3, 4]
    """
    kept = np.empty(x.size, np.int64)
    size = 0
    for k in range(x.size):
        while size >= 2:
            a = kept[size - 2]
            b = kept[size - 1]
            turn = (x[b] - x[a]) * (y[k] - y[a]) - (y[b] - y[a]) * (x[k] - x[a])
            if turn < 0:
                break
            size -= 1
        kept[size] = k
        size += 1
    return kept[:size]


# ---- The ROC curve: one vertex per distinct score ---------------------------------------------------------

MOST_EQUAL = 10  # thresholds that a note lists
CLUSTERED = "the cases lie in clusters"  # of a curve: known after JSON, too
NO_INTERVAL = "rocscope.partial_auc gives it"


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class RocCurve(CurveResult):
    """Rates of true and false positives at every threshold, decision `score >= threshold`.

    Attributes
    ----------
    fpr, tpr
        Rates, rising from (0, 0) to (1, 1), one vertex per distinct score.
    thresholds
        Observed scores, descending, after infinity at (0, 0).
    n_pos, n_neg
        Number (or weight) of the cases of each class.
    auc
        Area under the curve; ties between the classes count one half.
    tp, fp
        True and false positives behind the rates.
    pos_label, neg_label
        Names of the classes.
    direction
        Which scores stand for the positive class. With "lower" ones the decision is `score <= threshold`, and
        thresholds ascend after minus infinity.
    cases
        The cases, where they lie in clusters or have fractional weights: counts alone would give intervals of
        independent cases. JSON does not hold them; a curve from JSON then has no intervals.
    """

    view: ClassVar[str] = "roc_curves.curve_picture"
    topic: ClassVar[str] = "curves"

    fpr: NDArray[np.float64]
    tpr: NDArray[np.float64]
    thresholds: NDArray[Any]
    n_pos: Any
    n_neg: Any
    auc: float
    tp: NDArray[Any] = field(repr=False)
    fp: NDArray[Any] = field(repr=False)
    pos_label: Any = 1
    neg_label: Any = 0
    warnings: tuple[str, ...] = ()
    direction: Direction = "higher"
    cases: BinaryScores | None = field(default=None, repr=False)

    @classmethod
    def from_table(
        cls,
        table: ScoreTable,
        *,
        pos_label: Any = 1,
        neg_label: Any = 0,
        warnings: tuple[str, ...] = (),
        cases: BinaryScores | None = None,
    ) -> RocCurve:
        """Make the curve of a count table."""
        tp, fp = (np.concatenate([[0], np.cumsum(counts)]) for counts in (table.pos, table.neg))
        scores, beyond = table.own_scores, math.inf if table.direction == "higher" else -math.inf
        if scores.dtype.kind == "i":  # integers that float64 cannot hold stay Python integers
            thresholds = np.array([beyond, *scores.tolist()], dtype=object)
        else:
            thresholds = np.concatenate([[beyond], scores])
        return cls(
            fpr=_rates(fp, table.n_neg),
            tpr=_rates(tp, table.n_pos),
            tp=tp,
            fp=fp,
            thresholds=thresholds,
            n_pos=table.n_pos,
            n_neg=table.n_neg,
            auc=table.auc,
            pos_label=pos_label,
            neg_label=neg_label,
            warnings=warnings,
            direction=table.direction,
            cases=cases,
        )

    def score_table(self) -> LabelledTable:
        """Return the counts behind the curve, which `auc` and the others take in the place of labels.

        Examples
        --------
        >>> table = roc_curve([0, 0, 1, 1], [0.1, 0.4, 0.4, 0.8]).score_table()
        >>> table.scores.tolist(), table.pos.tolist(), table.neg.tolist()
        ([0.8, 0.4, 0.1], [1, 1, 0], [0, 1, 1])
        """
        if self.cases is None and CLUSTERED in self.warnings:
            raise RocInputError(
                "must be made from the cases: a hull, or a curve from JSON, does not know their clusters",
                argument="y_true",
            )
        scores = own_scores(self.thresholds[1:], self.direction)
        return LabelledTable(
            direction=self.direction,
            scores=np.array(scores.tolist(), np.int64) if scores.dtype.kind == "O" else scores,
            pos=np.diff(self.tp),
            neg=np.diff(self.fp),
            thinned=any(text.startswith(THINNED) for text in self.warnings),
            pos_label=self.pos_label,
            neg_label=self.neg_label,
            warnings=self._warnings_of_scores(),
        )

    def __len__(self) -> int:
        return len(self.fpr)

    def _summary(self) -> str:
        sizes = ((self.n_pos, self.pos_label), (self.n_neg, self.neg_label))
        counts = [(str(n) if isinstance(n, int) else f"{n:g}", label) for n, label in sizes]
        classes = ", ".join(f"{n} of class {label!s}" for n, label in counts)
        low = ", low scores positive" if self.direction == "lower" else ""
        return f"ROC curve ({classes}{low}): AUC {self.auc:.4f}, {len(self) - 1} thresholds"

    def columns(self) -> dict[str, Any]:
        """Thresholds and rates, one row per vertex."""
        return {"threshold": self.thresholds, "fpr": self.fpr, "tpr": self.tpr}

    def confusion(self) -> NDArray[Any]:
        """Two-class confusion matrices at every vertex, shape (vertices, 2, 2)."""
        return measures.confusion_from_counts(self.tp, self.fp, self.n_pos, self.n_neg)

    def to_dict(self) -> dict[str, Any]:
        """Return the fields for strict JSON: the first threshold is None, other infinite ones are text."""
        fields = Result.to_dict(self)
        fields["thresholds"][1:] = json_thresholds(self.thresholds[1:])
        return fields

    @classmethod
    def _complete(cls, fields: dict[str, Any]) -> dict[str, Any]:
        """Count true and false positives again, which a saved curve holds as rates only."""
        beyond = "-inf" if fields.get("direction") == "lower" else "inf"
        thresholds = as_array([beyond, *fields["thresholds"][1:]])  # integers beyond 2**53 stay integers
        counts = dict[str, NDArray[Any]]()
        for name, rate, n in (("tp", "tpr", fields["n_pos"]), ("fp", "fpr", fields["n_neg"])):
            cases = np.array(fields[rate], dtype=np.float64) * n
            # Of fractional weights the sums, as near as the rates have them.
            counts[name] = np.round(cases).astype(np.int64) if isinstance(n, int) else cases
            if np.any(np.diff(counts[name], prepend=0) < 0):
                raise RocInputError("must be numbers that do not fall, from 0 on", argument=rate)
        return fields | counts | {"thresholds": thresholds}

    def measure(self, name: str, *, prevalence: float | None = None, cost: Any = None) -> NDArray[np.float64]:
        """Values of a measure at every vertex; NaN where it is 0/0.

        Examples
        --------
        >>> curve = roc_curve([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8])
        >>> curve.measure("precision").round(3).tolist()
        [nan, 1.0, 0.5, 0.667, 0.5]
        """
        classes = (self.neg_label, self.pos_label)
        return measures.evaluate(name, self.confusion(), classes=classes, prevalence=prevalence, cost=cost)

    def select(
        self,
        *constraints: str,
        rule: points.Rule | None = None,
        cost: Any = None,
        prevalence: float | None = None,
    ) -> points.OperatingPoint:
        """Return the best vertex that meets every constraint.

        Parameters
        ----------
        *constraints
            Bounds on measures, such as "tpr>=0.9", "fpr<=0.2", "precision>=0.5".
        rule
            "youden" (largest TPR - FPR), "closest" (to the corner FPR 0, TPR 1), "se=sp" (sensitivity and
            specificity nearest to each other), "max-product" (of sensitivity and specificity),
            "max-accuracy", "max-f1", "max-kappa", "max-ppv", or "min-p" (smallest p-value of Pearson's
            chi-square: it is no test, since the threshold was chosen). Without a rule or costs: the smallest
            FPR if the TPR is bounded from below, the largest TPR if another measure is bounded, Youden's
            index if none is.
        cost
            Cost of a false negative relative to a false positive; or {"fp": .., "fn": ..}, or (fp, fn).
            The point with the least expected cost is selected. For "youden" and "closest", or no rule.
        prevalence
            Share of positives where the classifier will be used; without it that of the data.

        Returns
        -------
        OperatingPoint
            With `index`, `threshold` and `measures`; it stands for its index in `fpr`, `tpr` and
            `thresholds`. Ties go to the smaller FPR, the others are in `equal`.

        Raises
        ------
        UndefinedError
            If no vertex meets the constraints.

        Examples
        --------
        >>> curve = roc_curve([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8])
        >>> print(curve.select("tpr>=0.9"))
        Point 3: threshold 0.35, TPR 1.0000, FPR 0.5000, PPV 0.6667, NPV 1.0000, accuracy 0.7500
        """
        best, *equal = points.select_point(
            lambda name: self.measure(name, prevalence=prevalence),
            constraints,
            rule=rule,
            cost=cost,
            prevalence=prevalence,
            class_sizes=(self.n_pos, self.n_neg),
        )
        return self._point(best, equal)

    def point(self, index: Any) -> points.OperatingPoint:
        """Return a vertex with its measures; it decides on new scores and can be saved.

        Examples
        --------
        >>> curve = roc_curve([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8])
        >>> curve.point(2).threshold, curve.point(2).measures["tpr"]
        (0.4, 0.5)
        """
        return self._point(self._vertex(index))

    def decision(self, index: int) -> points.Threshold:
        """Return the threshold of a vertex as a rule that decides; that of the first vertex has no value."""
        k = self._vertex(index)
        value = None if k == 0 else self.thresholds[k]
        distance = self.direction == "lower"
        return points.Threshold(value, positive=self.pos_label, negative=self.neg_label, distance=distance)

    def _vertex(self, index: Any) -> int:
        """Check the number of a vertex; negative ones count from the last."""
        k = checks.check_integer(index, name="index", low=-len(self))
        if k >= len(self):
            raise RocInputError(
                f"must be one of the {len(self)} vertices, 0 to {len(self) - 1}, got {k}", argument="index"
            )
        return k % len(self)

    def _point(self, index: int, equal: Iterable[int] = ()) -> points.OperatingPoint:
        cells = measures.confusion_from_counts(self.tp[index], self.fp[index], self.n_pos, self.n_neg)
        values = {name: measures.evaluate(name, cells) for name in points.POINT_MEASURES}
        return points.point_of(self.decision(index), index, values, equal)

    def coords(
        self,
        thresholds: Any = "all",
        *,
        measures: str | Sequence[str] | None = None,
        intervals: bool = True,
        prevalence: float | None = None,
        interval: Literal["wilson", "exact", "modified-wilson"] = "wilson",
        level: float = 0.95,
    ) -> CriterionTable:
        """Return the criterion table: measures with their intervals, one row per threshold.

        Parameters
        ----------
        thresholds
            "all" for every vertex, from that at which no case tests positive on; a whole number for as many
            vertices, evenly spaced; or a threshold or a list of them, which need not be observed scores (a
            single whole number as a list, too). Points that hold a threshold, as `select` and `cutpoint`
            return them, may stand for it.
        measures
            Names of measures, as in `measure`. By default sensitivity, specificity, likelihood ratios,
            predictive values, Youden's index and accuracy.
        intervals
            Whether measures have intervals: those that `point_measures` has, the same numbers, also of
            clusters and survey weights.
        prevalence
            Share of positives where the score will be used; without it that of the data.
        interval, level
            "wilson", "exact" (Clopper and Pearson) or "modified-wilson", as in `point_measures`; confidence
            level. Each interval holds its own value, at a threshold that was not chosen on these cases.

        Returns
        -------
        CriterionTable
            With `thresholds`, the counts `tp fp fn tn`, and `values`, `low`, `high` of each of `measures`.

        Examples
        --------
        >>> curve = roc_curve([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8])
        >>> print(curve.coords([0.3, 0.5], measures=["sensitivity", "specificity"]))
        Criterion table at 2 thresholds (95% intervals, wilson)
        threshold  sensitivity          specificity
              0.3  1.000 (0.342–1.000)  0.500 (0.095–0.905)
              0.5  0.500 (0.095–0.905)  1.000 (0.342–1.000)
        """
        from rocscope.inference.criterion_table import criterion_table

        return criterion_table(
            self,
            thresholds,
            measures=measures,
            intervals=intervals,
            prevalence=prevalence,
            interval=interval,
            level=level,
        )

    def partial_auc(self, *, fpr: Any = None, tpr: Any = None, standardize: bool = False) -> Estimate:
        """Return the area over a range of FPR, over a range of TPR, or inside both.

        Parameters
        ----------
        fpr
            Range (low, high): the integral of TPR over FPR.
        tpr
            Range (low, high): the integral of 1 - FPR over TPR. With both ranges: the part of the
            rectangle that lies below the curve (two-way area).
        standardize
            McClish's scale: 0.5 for the diagonal, 1 for the perfect curve. Below chance it has no
            interpretation, which a warning says; see `rocscope.partial_auc`.

        Returns
        -------
        Estimate
            The value alone; `rocscope.partial_auc` gives its interval, and takes the curve.

        Examples
        --------
        >>> curve = roc_curve([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8])
        >>> curve.partial_auc(fpr=(0, 0.5)).value, float(curve.partial_auc(tpr=(0.5, 1)))
        (0.25, 0.25)
        """
        checks.check_flag(standardize, name="standardize")
        ranges = read_ranges(fpr, tpr)
        value = float(partial_areas(self.fpr, self.tpr, ranges, standardize=standardize))
        return partial_estimate(value, ranges, standardize=standardize, warnings=self._warnings_of_scores())

    def tpr_at(self, fpr: Any) -> NDArray[np.float64]:
        """TPR at given FPR, linear between vertices; at a vertical step its upper end.

        Examples
        --------
        >>> roc_curve([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8]).tpr_at([0, 0.25, 0.5]).tolist()
        [0.5, 0.5, 1.0]
        """
        return height_at(self.fpr, self.tpr, checks.as_rates(fpr, name="fpr"))

    def fpr_at(self, tpr: Any) -> NDArray[np.float64]:
        """FPR at given TPR, linear between vertices; at a horizontal step its left end.

        Examples
        --------
        >>> roc_curve([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8]).fpr_at([0.5, 0.75]).tolist()
        [0.0, 0.5]
        """
        return left_at(self.fpr, self.tpr, checks.as_rates(tpr, name="tpr"))

    def hull(self) -> RocCurve:
        """Return the convex hull: the vertices that are best for some costs, and their area.

        Examples
        --------
        >>> roc_curve([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8]).hull().auc
        0.875
        """
        fp, tp = self.fp.astype(np.float64), self.tp.astype(np.float64)
        if len(fp) >= LARGE:
            from rocscope.core import kernels

            kept = kernels.hull_vertices(fp, tp)
        else:
            kept = upper_hull(fp, tp)
        lines = {name: getattr(self, name)[kept] for name in ("fpr", "tpr", "thresholds", "tp", "fp")}
        area = float(np.trapezoid(lines["tpr"], lines["fpr"]))
        marks = (CLUSTERED,) if CLUSTERED in self.warnings else ()
        warnings = dict.fromkeys((*self._warnings_of_scores(), HULL, *marks))
        return replace(self, **lines, auc=area, warnings=tuple(warnings), cases=None)

    def _warnings_of_scores(self) -> tuple[str, ...]:
        """Warnings but that of the whole area: parts of the curve and the hull have other areas."""
        return tuple(text for text in self.warnings if text not in (BELOW, BELOW_LOW, CLUSTERED))

    def __eq__(self, other: object) -> bool:
        """Whether the curves are the same; the cases behind them are not compared."""
        if not isinstance(other, RocCurve):
            return NotImplemented
        return Result.__eq__(replace(self, cases=None), replace(other, cases=None))

    __hash__ = Result.__hash__


def partial_estimate(
    value: float, ranges: Ranges, *, standardize: bool, warnings: tuple[str, ...]
) -> Estimate:
    """A partial area as yet without its interval."""
    below = standardize and value < 0.5 - SAME
    return Estimate(
        name=area_name(ranges, standardize),
        value=value,
        se=None,
        low=None,
        high=None,
        level=0.95,
        method="empirical",
        status="partial",
        reason=NO_INTERVAL,
        warnings=warnings + ((BELOW_CHANCE,) if below else ()),
    )


@checks.known_arguments
def roc_curve(
    y_true: Any,
    y_score: Any = None,
    *,
    pos_label: Any = None,
    sample_weight: Any = None,
    weight_kind: WeightKind | None = None,
    groups: Any = None,
    label: str | None = None,
    score: str | None = None,
    na: Missing = "error",
    direction: Direction = "higher",
) -> RocCurve:
    """Return the empirical ROC curve.

    Parameters
    ----------
    y_true
        Labels of two classes. {0, 1}, {-1, 1} and booleans need no `pos_label`. Or all in one: a data frame
        with `label` and `score`, a `BinaryScores`, a `ScoreTable`, a `RocCurve`, or the result of
        `cross_scores`.
    y_score
        Scores, larger for the positive class; never flipped or transformed. Infinite scores are
        extreme ranks.
    pos_label
        The label of the positive class, or a list of labels that make it up.
    sample_weight
        Weights of at least 0; whole weights count rows. Rows of weight 0 give no threshold. Of a data frame
        also the name of the column.
    weight_kind, groups
        What weights are, "survey" or "frequency", and the cluster of every case, as in `auc`. The curve is
        the same without clusters; it keeps the cases, so that `coords()`, and `auc`, `partial_auc` and all
        others that take the curve in the place of `y_true`, have the intervals of the design or refuse it.
    label, score
        Columns of a data frame in the place of `y_true`.
    na
        "error" refuses missing values, "drop" leaves out the rows that hold one, with a warning.
    direction
        Which scores stand for the positive class: "higher" ones, or "lower" ones, as with haemoglobin and
        anaemia; never guessed. Thresholds are those of the scores as they came.

    Returns
    -------
    RocCurve
        With `fpr`, `tpr`, `thresholds`, `n_pos`, `n_neg` and `auc`.

    Examples
    --------
    >>> curve = roc_curve([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8])
    >>> curve.fpr.tolist(), curve.tpr.tolist()
    ([0.0, 0.0, 0.5, 0.5, 1.0], [0.0, 0.5, 0.5, 1.0, 1.0])
    >>> print(curve)
    ROC curve (2 of class 1, 2 of class 0): AUC 0.7500, 4 thresholds
    """
    columns: Columns = {"pos_label": pos_label, "label": label, "score": score, "na": na}
    columns |= {"direction": direction, "sample_weight": sample_weight, "groups": groups}
    if checks.is_dask_frame(y_true):
        counts = spread.read_frame(y_true, y_score=y_score, **columns).single().table()
        return _with_note(RocCurve.from_table(counts, **table_labels(counts)))
    if isinstance(table := as_table(y_true), ScoreTable):
        about: dict[str, Any] = {"sample_weight": sample_weight, "groups": groups}
        check_alone(y_true, y_score=y_score, label=label, score=score, **about)
        if pos_label is None and direction in ("higher", table.direction):
            return _with_note(RocCurve.from_table(table, **table_labels(table)))
    data = BinaryScores.from_arrays(y_true, y_score, weight_kind=weight_kind, clustered=True, **columns)
    return _with_note(curve_of(data.single()))


def _with_note(curve: RocCurve) -> RocCurve:
    """The curve, with a warning where its area is below 0.5."""
    note = below_note(curve.auc, curve.direction)
    return replace(curve, warnings=(*curve.warnings, *note)) if note else curve


def curve_of(data: BinaryScores, column: int = 0) -> RocCurve:
    """Curve of one classifier of checked data."""
    names: dict[str, Any] = {"pos_label": data.pos_label, "neg_label": data.neg_label}
    cases, warnings = None, data.warnings
    if not data.is_plain:
        cases = replace(data, columns=(data.columns[column],), names=(data.names[column],))
        warnings = tuple(dict.fromkeys((*warnings, CLUSTERED))) if data.groups is not None else warnings
    return RocCurve.from_table(data.table(column), warnings=warnings, cases=cases, **names)


def equal_points(curve: RocCurve, point: points.OperatingPoint) -> list[int]:
    """Vertices that are as good as a selected one and not worse in both rates.

    Bounds leave points of the same FPR, or of the same TPR, that are worse in the other rate: not these.
    """
    return [k for k in point.equal if curve.tpr[k] > curve.tpr[point.index]]


def equal_note(curve: RocCurve, point: points.OperatingPoint) -> tuple[str, ...]:
    """Say which thresholds are as good as that of a selected point; nothing where there is none.

    Examples
    --------
    >>> curve = roc_curve([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8])
    >>> equal_note(curve, curve.select())
    ('thresholds that are as good by the rule: 0.35',)
    """
    equal = equal_points(curve, point)
    if not equal:
        return ()
    texts = [formatting.threshold(curve.thresholds[k]) for k in equal[:MOST_EQUAL]]
    more = f" and {len(equal) - MOST_EQUAL} more" if len(equal) > MOST_EQUAL else ""
    return (f"thresholds that are as good by the rule: {', '.join(texts)}{more}",)


def vertices_at(curve: RocCurve, thresholds: NDArray[Any]) -> NDArray[np.int64]:
    """Return the vertex of `score >= threshold` (or <=, by the direction) for thresholds of any place.

    Examples
    --------
    >>> vertices_at(roc_curve([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8]), np.array([0.4, 0.39, 2.0])).tolist()
    [2, 2, 0]
    """
    ascending = own_scores(curve.thresholds[:0:-1], curve.direction)
    thresholds = own_scores(thresholds, curve.direction)
    if ascending.dtype.kind == "O" or thresholds.dtype.kind in "iO":  # compared exactly, not as float64
        ascending, thresholds = ascending.astype(object), thresholds.astype(object)
    return np.asarray(len(ascending) - np.searchsorted(ascending, thresholds, "left"), np.int64)


def _rates(counts: NDArray[Any], total: Any) -> NDArray[np.float64]:
    rates: NDArray[np.float64] = np.minimum(counts / total, 1.0)  # fractional weights round
    rates[-1] = 1.0
    return rates
