"""What `monte_carlo` returns."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from rocscope.bootstrap.summary import MonteCarloRow
from rocscope.core import checks
from rocscope.core.result import Result
from rocscope.errors import RocInputError

Floats = NDArray[np.float64]
TITLES: Final = {
    "true": "true AUC",
    "apparent": "apparent",
    "star": "AUC(*)",
    "point632": ".632",
    "point632plus": ".632+",
    "leave_pair_out": "leave-pair-out",
}
FIGURES: Final = ("mean", "sd", "rms", "bias", "correlation")


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class MonteCarlo(Result):
    """Estimators of a classifier's area over many training sets from one population.

    Attributes
    ----------
    learner
        "qda", "lda", "nearest-mean" or "1nn".
    n
        Training sizes, in cases per class.
    estimators
        "true", the area on the test set conditional on the training set, "apparent", and with bootstraps
        "star", "point632", "point632plus" and, if asked for, "leave_pair_out".
    rows
        One `MonteCarloRow` per size and estimator: mean, SD, RMS, bias and correlation with the
        conditional area, each with its Monte-Carlo error. `row(n, estimator)` finds one.
    values
        Every trial, (sizes, trials, estimators); not in `to_dict()`.
    dimension, separation, ideal_auc
        Of the population: features, squared Mahalanobis distance between the classes, area of the ideal
        classifier (None where the covariances differ, so that it is not linear).
    trials, n_boot, n_test, common_test, rule
        As asked for; `n_test` cases per class in the test set, the same for all trials where `common_test`.
    redrawn, singular, dropped
        Per size, over all trials: draws of a class repeated because no case was left out, singular
        covariances that got a ridge, pairs never left out together.
    warnings
        What a reader should know.
    """

    learner: str
    n: tuple[int, ...]
    estimators: tuple[str, ...]
    rows: tuple[MonteCarloRow, ...]
    values: Floats = field(repr=False)
    dimension: int
    separation: float
    ideal_auc: float | None
    trials: int
    n_boot: int
    n_test: int
    common_test: bool
    rule: str
    redrawn: tuple[int, ...]
    singular: tuple[int, ...]
    dropped: tuple[int, ...]
    warnings: tuple[str, ...] = ()

    def row(self, n: int, estimator: str) -> MonteCarloRow:
        """Return the row of one size and estimator."""
        checks.check_choice(estimator, self.estimators, name="estimator")
        check_size(n, self.n)
        return self.rows[self.n.index(n) * len(self.estimators) + self.estimators.index(estimator)]

    def figures(self, estimator: str, figure: str) -> Floats:
        """Return one figure of an estimator over the sizes, such as "mean"; NaN where it is None."""
        checks.check_choice(
            figure, (*FIGURES, *(f"{name}_error" for name in FIGURES), "estimated_se"), name="figure"
        )
        found = [getattr(self.row(n, estimator), figure) for n in self.n]
        return np.array([np.nan if value is None else value for value in found])

    def columns(self) -> dict[str, Any]:
        """Return one row per size and estimator."""
        return {name: [row[name] for row in self.rows] for name in self.rows[0].keys()}  # noqa: SIM118

    def _summary(self) -> str:
        head = (
            f"{'n':>6}  {'estimator':14} {'mean':>15} {'SD':>15} {'RMS':>7} {'bias':>8} {'correlation':>12}"
        )
        lines = [self._setting(), head]
        for row in self.rows:
            size = row.n if row.estimator == self.estimators[0] else ""
            lines.append(f"{size:>6}  {TITLES[row.estimator]:14} {_line(row)}")
        return "\n".join(lines)

    def _setting(self) -> str:
        test = "one test set" if self.common_test else "own test sets"
        features = f"{self.dimension} feature{'s' if self.dimension > 1 else ''}"
        return (
            f"{self.learner} on {features}, squared distance {self.separation:.4g}: {self.trials:,} trials, "
            f"{self.n_boot:,} bootstraps, {test} of {self.n_test:,} per class"
        )


def check_size(n: int, sizes: tuple[int, ...]) -> None:
    """Refuse a size that a result does not have."""
    if n not in sizes:
        raise RocInputError(f"n must be one of {', '.join(map(str, sizes))}, got {checks.show(n)}")


def _line(row: MonteCarloRow) -> str:
    r = "" if row.correlation is None else f"{row.correlation:12.2f}"
    mean, sd = f"{row.mean:.4f} +- {row.mean_error:.4f}", f"{row.sd:.4f} +- {row.sd_error:.4f}"
    return f"{mean:>15} {sd:>15} {row.rms:7.4f} {row.bias:+8.4f} {r}".rstrip()
