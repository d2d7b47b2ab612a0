"""Probabilities of several models for the same cases, compared: Brier score, log score, miscalibration."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from rocscope.core import checks, formatting, resampling, significance
from rocscope.core.frames import Missing
from rocscope.core.result import Difference, TwoClassResult, row_columns
from rocscope.core.scores import BinaryScores
from rocscope.errors import RocInputError
from rocscope.inference import calibration as one_model
from rocscope.inference.curve_tests import read_curves

Floats = NDArray[np.float64]
MISCALIBRATION = "miscalibration"
MEASURES = (*one_model.LOSSES, MISCALIBRATION)
CONSTANT = "the difference does not vary, which shows no uncertainty"


@dataclass(frozen=True, slots=True, kw_only=True)
class CalibrationDifference(Difference):
    """Difference of one measure between two models, first minus second: below 0 where the first is better.

    Attributes
    ----------
    measure
        "Brier score", "log score", or "miscalibration": the part of the Brier score that recalibration takes
        away.
    method
        Where the standard error comes from: the losses of the cases in pairs, or bootstrap replicates.
    p_adjusted
        Holm's adjustment over the pairs of models; the other fields are those of every `Difference`.
    """

    view: ClassVar[str] = "bands.calibration_comparison_picture"

    measure: str
    method: str

    @property
    def _subject(self) -> str:
        return self.measure


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class CalibrationComparison(TwoClassResult):
    """Probabilities of several models for the same cases, compared.

    Attributes
    ----------
    names
        The models, in the order of the differences.
    measures
        "Brier score", "log score" and "miscalibration".
    values, defined
        Measures of every model, (models, measures); NaN where not defined.
    differences
        One row for every pair of models and every measure.
    """

    view: ClassVar[str] = "bands.calibration_comparison_picture"

    names: tuple[str, ...]
    measures: tuple[str, ...]
    values: Floats
    defined: NDArray[np.bool_]
    differences: tuple[CalibrationDifference, ...]
    level: float
    alternative: checks.Alternative
    n_boot: int

    def columns(self) -> dict[str, Any]:
        """One row per pair of models and measure."""
        return row_columns(self.differences, "first", "second", "measure")

    def _summary(self) -> str:
        interval = formatting.interval_name(self.level, self.alternative)
        head = f"Calibration of {len(self.names)} models ({self._cases}), differences ({interval}):"
        return "\n".join([head, *(f"  {row}" for row in self.differences)])


@checks.known_arguments
def compare_calibration(
    y_true: Any,
    scores: Any = None,
    *,
    n_boot: int = 1000,
    level: float = 0.95,
    alternative: checks.Alternative = "two-sided",
    rng: resampling.Rng = None,
    n_jobs: int | None = None,
    progress: bool | None = None,
    pos_label: Any = None,
    label: str | None = None,
    score: Sequence[str] | None = None,
    na: Missing = "error",
) -> CalibrationComparison:
    """Compare the probabilities of two or more models for the same cases.

    Parameters
    ----------
    y_true
        As in `auc`.
    scores
        Mapping of name to probabilities of the positive class, two or more; or a data frame of them.
    n_boot
        Bootstrap replicates for the miscalibration.
    level, alternative
        Confidence level of the intervals; "less" tests whether the first model has the smaller, and so the
        better, value, "greater" whether it has the larger one.
    rng, n_jobs, progress, pos_label, label, score, na
        As in `auc`; `score` lists the columns of the models.

    Returns
    -------
    CalibrationComparison
        With `values` of every model and `differences`, one row per pair of models and measure.

    Notes
    -----
    The scores are means over the cases: the standard error of their difference is that of the mean of the
    differences case by case. The miscalibration (see `calibration`) is no mean; its standard error is that of
    bootstrap replicates, which draw cases of both classes together and the same ones for all models. It is
    biased upwards, the more the finer the probabilities; of probabilities of like fineness the bias drops out
    of the difference. Where both models are calibrated its replicates vary more than it does, and the test
    rejects less often than its level says: at 0.05 in about 1 of 100 samples of 100 cases
    (validation/calibration_comparison.py).

    Examples
    --------
    >>> rng = np.random.default_rng(1)
    >>> p = rng.random(300)
    >>> y = rng.random(300) < p
    >>> result = compare_calibration(y, {"right": p, "timid": 0.25 + p / 2}, rng=1)
    >>> for row in result.differences:
    ...     print(row)
    right - timid, Brier score: -0.0203 (-0.0305 to -0.0101), p = 9.76e-05
    right - timid, log score: -0.0684 (-0.0963 to -0.0405), p = 1.511e-06
    right - timid, miscalibration: -0.0203 (-0.0306 to -0.0100), p = 0.0001051
    """
    checks.check_level(level)
    sampling = resampling.Sampling(n_boot=n_boot, rng=rng, n_jobs=n_jobs, progress=progress)
    checks.check_alternative(alternative)
    if isinstance(y_true, Mapping) and scores is not None:
        raise RocInputError("must be one array, of the cases of all models, got a mapping", argument="y_true")
    data = read_curves(
        y_true, scores, paired=True, pos_label=pos_label, label=label, score=score, na=na
    ).samples[0]
    for name, column in zip(data.names, data.columns, strict=True):
        one_model.check_probabilities(column, name=f"scores[{name!r}]")
    # Ordered by their contents, the cases are drawn alike whatever the order of the rows.
    order = np.lexsort((data.positive, *data.columns))
    data = replace(
        data, positive=data.positive[order], columns=tuple(c[order].astype(np.float64) for c in data.columns)
    )
    models = [Model.of(data, column) for column in range(len(data.columns))]
    replicates = sampling.replicates(
        resampling.Cases((len(data.positive),)),
        lambda draws: np.array(
            [[model.miscalibration(cases) for model in models] for cases in draws.classes[0]]
        ),
    )
    values = np.array([model.values() for model in models])
    defined = np.isfinite(values)
    rows = []
    for i, j in combinations(range(len(models)), 2):
        for k, measure in enumerate(MEASURES):
            of_scores = measure != MISCALIBRATION
            about: dict[str, Any] = {"first": data.names[i], "second": data.names[j], "measure": measure}
            about["method"] = "paired standard error" if of_scores else "bootstrap"
            undefined = [model for model in (i, j) if not defined[model, k]]
            if undefined:
                wrong = one_model.wrong_certainty(models[undefined[0]].cells)
                reason = f"{data.names[undefined[0]]}: infinite, {wrong}"
                rows.append(about | significance.NO_DIFFERENCE | {"reason": reason})
                continue
            difference = float(values[i, k] - values[j, k])
            if of_scores:
                losses = models[i].losses[k] - models[j].losses[k]
                se = float(losses.std(ddof=1)) / math.sqrt(len(losses))
            else:
                se = resampling.standard_error(replicates[:, i] - replicates[:, j]) or 0.0
            most = math.inf if measure == one_model.LOG else 1.0
            test = significance.difference_test(
                difference, se, level=level, alternative=alternative, largest=most
            )
            constant = {"se": None, "reason": CONSTANT} if test["p_value"] is None else {}
            rows.append(about | test | constant)
    significance.adjust(rows, [row["measure"] for row in rows])
    return CalibrationComparison(
        names=data.names,
        measures=MEASURES,
        values=np.where(defined, values, np.nan),
        defined=defined,
        differences=tuple(CalibrationDifference(**row) for row in rows),
        level=level,
        alternative=alternative,
        n_boot=n_boot,
        n_pos=data.n_pos,
        n_neg=data.n_neg,
        pos_label=data.pos_label,
        neg_label=data.neg_label,
        warnings=(*data.warnings, *sampling.warnings()),
    )


@dataclass(frozen=True, slots=True)
class Model:
    """The probabilities of one model: distinct ones with their counts, and which of them each case has."""

    cells: one_model.Cells
    of_case: NDArray[np.intp]
    positive: NDArray[np.bool_]
    losses: tuple[Floats, ...]

    @classmethod
    def of(cls, data: BinaryScores, column: int) -> Model:
        """One column of the data."""
        p, of_case, n = np.unique(data.columns[column], return_inverse=True, return_counts=True)
        p = np.abs(p)  # -0.0 is 0
        pos = np.bincount(of_case[data.positive], minlength=len(p))
        losses = []
        for name in one_model.LOSSES:
            of_pos, of_neg = one_model.case_losses(name, p)
            losses.append(np.where(data.positive, of_pos[of_case], of_neg[of_case]))
        return cls(one_model.Cells(p, n, pos), of_case, data.positive, tuple(losses))

    def values(self) -> list[float]:
        """The measures, in their order."""
        size, p = self.cells.size, self.cells.p
        own = [
            one_model.total_loss(*one_model.case_losses(name, p), self.cells) / size
            for name in one_model.LOSSES
        ]
        return [*own, max(own[0] - one_model.isotonic_loss(one_model.BRIER, self.cells), 0.0)]

    def miscalibration(self, drawn: NDArray[Any]) -> float:
        """Of cases that were drawn so often."""
        n = np.bincount(self.of_case, drawn, len(self.cells.p)).astype(np.int64)
        pos = np.bincount(self.of_case, drawn * self.positive, len(self.cells.p)).astype(np.int64)
        there = n > 0
        cells = one_model.Cells(self.cells.p[there], n[there], pos[there])
        own = one_model.total_loss(*one_model.case_losses(one_model.BRIER, cells.p), cells) / cells.size
        return own - one_model.isotonic_loss(one_model.BRIER, cells)
