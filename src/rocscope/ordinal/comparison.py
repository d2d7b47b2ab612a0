"""Several estimates of the same ordered classes, compared: paired differences of every figure."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import combinations
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from rocscope.core import checks, formatting, significance
from rocscope.core.resampling import Rng, Sampling, as_generator
from rocscope.core.result import Difference, Result, row_columns
from rocscope.core.scores import OrdinalScores
from rocscope.errors import RocInputError
from rocscope.ordinal import counts, decision, resampling
from rocscope.ordinal.closure import Closure
from rocscope.ordinal.estimates import ClassEstimates
from rocscope.ordinal.roc import OrdinalRoc, ordinal_roc
from rocscope.ordinal.scale import Scale, rescale

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True, kw_only=True)
class FigureDifference(Difference):
    """Difference of one figure between two scores, first minus second, with its interval and test.

    Attributes
    ----------
    figure, label
        Name of the figure, as in `OrdinalRoc.estimates`, and its class; None for one of all classes.
    se
        Standard deviation of the bootstrap replicates.
    p_adjusted
        Holm's adjustment over the pairs of scores and, for figures of single classes, over the classes; the
        other fields are those of every `Difference`.
    """

    view: ClassVar[str] = "ordinal.ordinal_comparison_picture"

    figure: str
    label: Any

    @property
    def _subject(self) -> str:
        return resampling.figure_title(self.figure)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class OrdinalComparison(Result):
    """Scores of the same cases of ordered classes, compared.

    Attributes
    ----------
    names
        The scores, in the order of the differences.
    labels
        The classes.
    figures
        Names of the figures: MaxAUC and AvgAUC of every class, their averages, the AUC of neighbours, the
        volume under the ROC surface, and kappa at the best thresholds of each score.
    values, defined
        Figures of every score, (scores, figures); NaN where not defined.
    differences
        One row for every pair of scores and every figure: difference, interval, p-value, Holm's adjustment.
    fixed, closure, scale, n_boot, level, alternative
        Options of the call.
    warnings
        What a reader should know, with the name of the score.
    """

    view: ClassVar[str] = "ordinal.ordinal_comparison_picture"
    topic: ClassVar[str] = "classes"

    names: tuple[str, ...]
    labels: tuple[Any, ...]
    figures: tuple[str, ...]
    values: Floats
    defined: NDArray[np.bool_]
    differences: tuple[FigureDifference, ...]
    fixed: counts.Fixed
    closure: Closure
    scale: Scale
    n_boot: int
    level: float
    alternative: checks.Alternative
    warnings: tuple[str, ...] = ()

    def columns(self) -> dict[str, Any]:
        """Return one row per pair of scores and figure."""
        return row_columns(self.differences, "first", "second", "figure", "label")

    def _summary(self) -> str:
        head = f"{len(self.names)} scores of {len(self.labels)} ordered classes ({self.closure} closure, "
        interval = formatting.interval_name(self.level, self.alternative)
        scale = "" if self.scale == "raw" else f", {self.scale} scale"
        head += f"{self.fixed} fixed{scale}; {interval} of {self.n_boot} bootstrap replicates)"
        return "\n".join([head, *(f"  {row}" for row in self.differences)])


@checks.known_arguments
def compare_ordinal(
    y_true: Any,
    scores: Mapping[str, Any],
    *,
    classes: Any = None,
    thresholds: Any = 10,
    closure: Closure = "diagonal",
    fixed: counts.Fixed = "lower",
    scale: Scale = "raw",
    objective: decision.Objective = "error",
    cost: Any = None,
    cuts: decision.Cuts = "gaps",
    n_boot: int = 2000,
    level: float = 0.95,
    alternative: checks.Alternative = "two-sided",
    rng: Rng = None,
    n_jobs: int | None = None,
    progress: bool | None = None,
) -> OrdinalComparison:
    """Compare the figures of two or more estimates of the same ordered classes.

    Parameters
    ----------
    y_true
        True classes: numbers, or labels that `classes` maps to numbers.
    scores
        Mapping of name to estimates of the same cases, two or more, in the order of the differences.
    classes, thresholds, closure, fixed, scale, objective, cost, cuts
        As for `ordinal_roc`, the same for every score. Thresholds "all" are the estimates of each score.
    n_boot
        Bootstrap replicates.
    level, alternative
        Confidence level of the intervals; "greater" tests whether the first score is larger, "less" whether
        it is smaller.
    rng, n_jobs, progress
        Seed or generator; processes (the numbers do not depend on it); progress bar, as in `auc`.

    Returns
    -------
    OrdinalComparison
        With `differences`, one row per pair of scores and figure: MaxAUC and AvgAUC of every class and over
        all classes, and the other figures of `ordinal_roc`.

    Notes
    -----
    Every replicate draws the cases of each class with replacement and takes the same cases for all scores,
    so that what the scores have in common drops out of the difference. Thresholds stay those of the data,
    also those of kappa, and so does the map of `scale`. The test is that of the difference over the
    standard deviation of its replicates, taken as normal, and the interval goes with it: it leaves out 0
    where p < 1 - level. The bias of MaxAUC, which is a maximum, is much the same for both scores and
    largely drops out. docs/ordinal.md has the size of the test and the coverage of the interval by
    simulation.

    Examples
    --------
    >>> rng = np.random.default_rng(1)
    >>> y = np.repeat([1, 2, 3], 40)
    >>> a, b = y + rng.normal(0, 0.5, 120), y + rng.normal(0, 1, 120)
    >>> result = compare_ordinal(y, {"a": a, "b": b}, n_boot=500, rng=1)
    >>> print(result.differences[7])
    a - b, MaxAUC weighted: +0.1964 (+0.1338 to +0.2590), p = 7.834e-10
    """
    checks.check_level(level)
    alternative = checks.check_alternative(alternative)
    checks.check_n_boot(n_boot)
    if not isinstance(scores, Mapping) or len(scores) < 2:
        raise RocInputError(
            f"must map two or more names to estimates, got {checks.show(scores)}", argument="scores"
        )
    names = tuple(map(str, scores))
    if len(set(names)) < len(names):
        raise RocInputError(
            f"must have names that differ as text, got {checks.show(list(scores))}", argument="scores"
        )
    seed = None
    if scale == "calibrated":  # the same folds for every score
        rng = as_generator(rng)
        seed = int(rng.integers(2**63))
    rocs, samples = list[OrdinalRoc](), list[resampling.SampleCounts]()
    for name, y_pred in scores.items():
        try:
            cases = OrdinalScores.from_arrays(y_true, y_pred, classes=classes)
            roc = ordinal_roc(
                cases,
                thresholds=thresholds,
                scale=scale,
                rng=seed,
                closure=closure,
                fixed=fixed,
                objective=objective,
                cost=cost,
                cuts=cuts,
            )
        except RocInputError as error:
            if "y_pred" not in str(error):
                raise
            argument = f"scores[{name!r}]"
            if error.argument == "y_pred":
                raise RocInputError(error.message, argument=argument) from None
            raise RocInputError(str(error).replace("y_pred", argument)) from None
        rocs.append(roc)
        samples.append(_counts_by_case(cases if scale == "raw" else rescale(cases, scale, seed)[0], roc))
    figures = resampling.figure_names(rocs[0].labels)
    found = [[roc.estimates[figure].value for figure in figures] for roc in rocs]
    values = np.array(found, dtype=np.float64)
    sampling = Sampling(n_boot=n_boot, rng=rng, n_jobs=n_jobs, progress=progress)
    replicates = resampling.bootstrap_figures(samples, sampling)
    n_classes, rows = len(rocs[0].labels), list[dict[str, Any]]()
    for i, j in combinations(range(len(names)), 2):
        for k, figure in enumerate(figures):
            row: dict[str, Any] = {"first": names[i], "second": names[j], "figure": figure}
            row["label"] = rocs[0].labels[k % n_classes] if k < 2 * n_classes else None
            undefined = [score for score in (i, j) if math.isnan(values[score, k])]
            if undefined:
                reason = f"{names[undefined[0]]}: {rocs[undefined[0]].estimates[figure].reason}"
                rows.append(row | significance.NO_DIFFERENCE | {"reason": reason})
                continue
            test = significance.difference_test(
                float(values[i, k] - values[j, k]),
                float((replicates[:, i, k] - replicates[:, j, k]).std(ddof=1)),
                level=level,
                alternative=alternative,
                largest=2.0 if figure == "kappa" else 1.0,
            )
            constant = {"reason": resampling.ALL_EQUAL} if test["p_value"] is None else {}
            rows.append(row | test | constant)
    significance.adjust(rows, [row["figure"].partition("(")[0] for row in rows])
    return OrdinalComparison(
        names=names,
        labels=rocs[0].labels,
        figures=figures,
        values=values,
        defined=~np.isnan(values),
        differences=tuple(FigureDifference(**row) for row in rows),
        fixed=fixed,
        closure=closure,
        scale=scale,
        n_boot=n_boot,
        level=level,
        alternative=alternative,
        warnings=tuple(
            f"{name}: {text}" for name, roc in zip(names, rocs, strict=True) for text in roc.warnings
        ),
    )


def _counts_by_case(rows: OrdinalScores, roc: OrdinalRoc) -> resampling.SampleCounts:
    """Counts of one score whose replicates draw cases in the order of the rows."""
    estimates = [rows.estimates[rows.values == number] for number in rows.classes]
    order = tuple(np.argsort(of_class, kind="stable") for of_class in estimates)
    ascending = tuple(of_class[ranks] for of_class, ranks in zip(estimates, order, strict=True))
    return resampling.SampleCounts.of(
        ClassEstimates(classes=rows.classes, labels=rows.labels, parts=ascending),
        tuple(one.upper for one in roc.curves[:-1]),
        roc.thresholds.values,
        fixed=roc.fixed,
        closure=roc.closure,
        order=order,
    )
