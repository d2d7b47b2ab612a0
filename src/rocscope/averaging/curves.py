"""Averages of the folds' ROC curves: vertical, horizontal and by threshold, each for what it estimates.

References
----------
.. [1] F. Provost, T. Fawcett, R. Kohavi: The case against accuracy estimation for comparing induction
   algorithms, ICML 1998 (vertical averaging).
.. [2] T. Fawcett: An introduction to ROC analysis, Pattern Recognition Letters 27, 2006 (thresholds).
.. [3] J. Hogan, N. M. Adams: On averaging ROC curves, Transactions on Machine Learning Research, 2023.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, ClassVar, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from rocscope.averaging.points import fold_list, moments, read_two_classes, stacked_thresholds
from rocscope.core import checks, significance
from rocscope.core.curve import RocCurve
from rocscope.core.frames import Missing
from rocscope.core.measures import fpr, tpr
from rocscope.core.result import CurveResult, Result, json_thresholds, plain
from rocscope.core.table import ScoreTable
from rocscope.core.tables import heading
from rocscope.errors import UndefinedError

Floats = NDArray[np.float64]
Along: TypeAlias = Literal["fpr", "tpr", "threshold"]
ALONG: tuple[Along, ...] = ("fpr", "tpr", "threshold")
DEFAULT_PLACES = 101
RATES = {"fpr": "false positive rate", "tpr": "true positive rate", "threshold": "threshold"}
# Heights of a fold's curve lie between those of its few steps, which moves their mean; by the atlas.
FEW_STEPS = "a fold has few steps: the interval may miss the mean curve of the models (docs/atlas.md)"
ESTIMATES = {
    "fpr": (
        "the mean TPR of models that are each operated at its own threshold, the one that gives it this FPR; "
        "no single threshold stands behind a point, which lies between the thresholds of a fold"
    ),
    "tpr": (
        "the mean FPR of models that are each operated at its own threshold, the one that gives it this TPR; "
        "no single threshold stands behind a point, which lies between the thresholds of a fold"
    ),
    "threshold": (
        "the mean TPR and FPR of models that are all operated at this very threshold; the scores of folds "
        "must have one meaning"
    ),
}


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class AveragedCurve(CurveResult):
    """The mean of the folds' ROC curves, with a pointwise interval.

    Attributes
    ----------
    x
        Where the folds are averaged: rates, or thresholds.
    mean, low, high
        Mean over folds of the other rate (of the TPR at thresholds) and its t interval, cut at 0 and 1.
    fpr, fpr_low, fpr_high
        The FPR beside it: `x` itself along "fpr", `mean` along "tpr", a mean with an interval at thresholds.
    defined
        Where the interval is defined: everywhere, for at least two folds have both classes.
    values
        The averaged rate of each fold, [fold, place].
    along
        "fpr" (vertical averaging), "tpr" (horizontal) or "threshold".
    estimates
        Description of what this average estimates.
    folds
        Names of the folds that have both classes.
    level, method
        Of the interval, which speaks of the variation between folds.
    """

    view: ClassVar[str] = "roc_curves.averaged_curve_picture"
    topic: ClassVar[str] = "folds"

    name: str
    x: NDArray[Any]
    mean: Floats
    low: Floats
    high: Floats
    defined: NDArray[np.bool_]
    fpr: Floats
    fpr_low: Floats
    fpr_high: Floats
    along: str
    estimates: str
    folds: tuple[Any, ...]
    level: float
    method: str
    x_label: str
    y_label: str
    pos_label: Any = 1
    warnings: tuple[str, ...] = ()
    values: Floats = field(repr=False)

    def __len__(self) -> int:
        return len(self.x)

    @property
    def tpr(self) -> Floats:
        """The TPR of the mean curve."""
        return np.asarray(self.x if self.along == "tpr" else self.mean)

    def _summary(self) -> str:
        return (
            f"{self.name} of {len(self.folds)} folds at {len(self)} places of {self.x_label}, "
            f"{self.level * 100:g}% pointwise intervals ({self.method})\nestimates {self.estimates}"
        )

    def columns(self) -> dict[str, Any]:
        """One row per place."""
        names = ("x", "mean", "low", "high", "fpr", "fpr_low", "fpr_high")
        return {name: getattr(self, name) for name in names}

    def _paper(self) -> tuple[dict[str, Any], dict[str, str], list[str]]:
        """The FPR stands once: as the place, as the mean, or beside both."""
        names = ("x", "mean", "low", "high") if self.along != "threshold" else tuple(self.columns())
        headings = {"x": heading(self.along), "mean": "FPR" if self.along == "tpr" else "TPR"}
        return {name: getattr(self, name) for name in names}, headings, []

    def to_dict(self) -> dict[str, Any]:
        """Return the fields for strict JSON: infinite thresholds are text."""
        return Result.to_dict(self) | {"x": json_thresholds(self.x), "values": plain(self.values)}


@checks.known_arguments
def average_curves(
    y_true: Any,
    y_score: Any = None,
    *,
    fold: Any = None,
    along: Along = "fpr",
    x: Any = None,
    level: float = 0.95,
    pos_label: Any = None,
    label: str | None = None,
    score: str | None = None,
    na: Missing = "error",
) -> AveragedCurve:
    """Average the ROC curves of the folds.

    Parameters
    ----------
    y_true, y_score, pos_label, label, score, na
        Labels of two classes and one score per case, as in `average_roc`.
    fold
        Fold of each case.
    along
        What is held fixed while the folds are averaged:

        - "fpr", vertical averaging: the mean TPR at each FPR;
        - "tpr", horizontal averaging: the mean FPR at each TPR;
        - "threshold": the means of both rates at each threshold, as in `average_roc`.

        They estimate different things, which `estimates` says: the first two belong to a user who sets the
        threshold of every model anew, the last to one who fixes it.
    x
        The rates or thresholds; by default 101 rates from 0 to 1, or at most 101 of the distinct scores.
    level
        Confidence level of the pointwise t intervals over folds.

    Returns
    -------
    AveragedCurve
        Folds that lack a class have no curve: they are left out and named in `warnings`.

    Examples
    --------
    >>> y, fold = [0, 0, 1, 1, 0, 0, 1, 1], [1, 1, 1, 1, 2, 2, 2, 2]
    >>> score = [0.1, 0.4, 0.35, 0.8, 0.1, 0.2, 0.3, 0.4]
    >>> curve = average_curves(y, score, fold=fold, x=[0, 0.5, 1])
    >>> curve.mean.tolist()
    [0.75, 1.0, 1.0]
    """
    checks.check_choice(along, ALONG, name="along")
    level = checks.check_level(level)
    data = read_two_classes(y_true, y_score, fold=fold, pos_label=pos_label, label=label, score=score, na=na)
    both = np.asarray(data.sizes().all(axis=1))
    if np.count_nonzero(both) < 2:
        raise UndefinedError("an average of curves needs two folds that have both classes")
    if along == "threshold":
        if x is None:
            places = stacked_thresholds(data.scores, DEFAULT_PLACES)
        else:
            places = checks.as_scores(x if np.ndim(x) else [x], name="x")
        counts = data.threshold_counts(places)[:, both]
        values = tpr(counts).T
        mean, low, high = _interval(values, level)
        across = _interval(fpr(counts).T, level)
    else:
        places = np.linspace(0, 1, DEFAULT_PLACES) if x is None else checks.as_rate_vector(x, name="x")
        curves = [
            RocCurve.from_table(ScoreTable.from_sorted(pos, neg))
            for (neg, pos), kept in zip(data.sorted_cells(), both, strict=True)
            if kept
        ]
        values = np.array([c.tpr_at(places) if along == "fpr" else c.fpr_at(places) for c in curves])
        mean, low, high = _interval(values, level)
        across = (places, places, places) if along == "fpr" else (mean, low, high)
    n_left_out, warnings = int(np.count_nonzero(~both)), data.warnings
    if n_left_out:
        lacking = f"{n_left_out} of {len(both)} folds lack a class and have no curve"
        warnings += (f"{lacking} ({fold_list(data.folds, ~both)})",)
    if along != "threshold":
        warnings += (FEW_STEPS,)
    return AveragedCurve(
        name={"fpr": "Vertical average", "tpr": "Horizontal average"}.get(along, "Threshold average"),
        x=places,
        mean=mean,
        low=low,
        high=high,
        defined=np.ones(len(places), dtype=bool),
        fpr=across[0],
        fpr_low=across[1],
        fpr_high=across[2],
        along=along,
        estimates=ESTIMATES[along],
        folds=tuple(name for name, kept in zip(data.folds, both, strict=True) if kept),
        level=level,
        method="t over folds",
        x_label=RATES[along],
        y_label=RATES["fpr" if along == "tpr" else "tpr"],
        pos_label=data.classes[1],
        warnings=warnings,
        values=values,
    )


def _interval(heights: Floats, level: float) -> tuple[Floats, Floats, Floats]:
    """Mean over folds with its t interval, cut at 0 and 1."""
    n = len(heights)
    mean, sd, _ = moments(heights.T)
    reach = significance.quantile(level, df=n - 1) * sd / np.sqrt(n)
    return mean, np.maximum(mean - reach, 0.0), np.minimum(mean + reach, 1.0)
