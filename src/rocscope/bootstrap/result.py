"""What the bootstrap of one data set tells: estimates of the AUC, of the error rate and of the loss."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from rocscope.core import significance
from rocscope.core.result import Estimate, Result

AREAS = ("apparent", "leave_pair_out", "star", "point632", "point632plus", "kfold", "leave_one_out")
ERRORS = ("apparent", "left_out", "point632", "point632plus", "kfold", "leave_one_out")
COLUMNS = ("value", "se", "low", "high", "mc_error", "level", "method", "status", "reason")


@dataclass(frozen=True, slots=True, kw_only=True)
class BootstrapEstimate(Estimate):
    """An estimate and its Monte-Carlo error.

    Attributes
    ----------
    mc_error
        Standard deviation of the value over repeated bootstraps (or deals of folds) of the same data: what
        more replicates would take away. 0 where nothing is drawn, None where it is not known.
    """

    mc_error: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ErrorEstimates(Result):
    """The family of estimates for the error rate, or for the expected loss at given costs.

    Attributes
    ----------
    apparent, left_out, point632, point632plus
        Error on the training cases themselves; leave-one-out bootstrap Err(1); .632 and .632+.
    kfold, leave_one_out
        By cross-validation, for comparison.
    gamma
        Error of the same decisions where they know nothing of the class.
    overfitting
        R', from 0 (none) to 1 (no better than gamma).
    cost
        Costs, true by decided class, negatives first.
    prevalence
        Share of positives.
    decisions
        "predict", or "threshold" where the probability was compared with the best threshold for the costs.
    dropped
        Cases that no replicate left out.
    """

    view: ClassVar[str] = "forest.bootstrap_picture"

    apparent: BootstrapEstimate
    left_out: BootstrapEstimate
    point632: BootstrapEstimate
    point632plus: BootstrapEstimate
    kfold: BootstrapEstimate
    leave_one_out: BootstrapEstimate
    gamma: float | None
    overfitting: float | None
    cost: tuple[tuple[float, float], tuple[float, float]]
    prevalence: float
    decisions: str
    dropped: int

    def estimates(self) -> dict[str, BootstrapEstimate]:
        """The estimates by the names of their fields."""
        return {name: getattr(self, name) for name in ERRORS}

    def columns(self) -> dict[str, Any]:
        """Return one line per estimate."""
        return _columns(self.estimates())

    def _summary(self) -> str:
        return "\n".join(estimate.summary() for estimate in self.estimates().values())


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class BootstrapAuc(Result):
    """Estimates of the AUC that a classifier trained on these cases will have, and of its error.

    Attributes
    ----------
    apparent
        AUC on the training cases themselves: too good.
    leave_pair_out
        AUC(1,1): every pair of cases judged by the replicates that left out both.
    star
        AUC(*): mean over the replicates of the AUC on the cases each left out.
    point632, point632plus
        Apparent and AUC(*) put together, .632 and .632+.
    kfold, leave_one_out
        By cross-validation, for comparison: mean over repeats of the mean AUC of the folds; AUC of all scores
        of cases that were left out one at a time, which come from as many models.
    overfitting
        R' of .632+, from 0 to 1.
    rule
        The condition that R' follows, see `overfitting_auc`.
    error, loss
        The same family for the error rate of `predict`, and for the expected loss at the given costs and
        prevalence; without either the loss is the error rate.
    replicates
        AUC of every replicate.
    n_boot, redrawn, failed
        Replicates used; replicates drawn again because one side lacked a class; replicates whose training
        failed, which are left out.
    dropped_pairs
        Pairs that no replicate left out together.
    n_pos, n_neg, classes
        Sizes of the classes; names of the negative and the positive one.
    stratify
        Whether replicates were drawn class by class.
    response
        Method of the estimator that gave the scores; None if it has hard labels only.
    warnings
        What a reader should know although the estimates stand.
    """

    view: ClassVar[str] = "forest.bootstrap_picture"
    topic: ClassVar[str] = "learners"

    apparent: BootstrapEstimate
    leave_pair_out: BootstrapEstimate
    star: BootstrapEstimate
    point632: BootstrapEstimate
    point632plus: BootstrapEstimate
    kfold: BootstrapEstimate
    leave_one_out: BootstrapEstimate
    overfitting: float | None
    rule: str
    error: ErrorEstimates
    loss: ErrorEstimates
    replicates: NDArray[np.float64]
    n_boot: int
    redrawn: int
    failed: int
    dropped_pairs: int
    n_pos: int
    n_neg: int
    classes: tuple[Any, Any]
    stratify: bool
    response: str | None
    warnings: tuple[str, ...] = ()

    def estimates(self) -> dict[str, BootstrapEstimate]:
        """The estimates of the AUC by the names of their fields."""
        return {name: getattr(self, name) for name in AREAS}

    def columns(self) -> dict[str, Any]:
        """Return one line per estimate: the AUC's, then those of the error rate and of the loss."""
        named = {f"auc {name}": estimate for name, estimate in self.estimates().items()}
        for what, family in (("error", self.error), ("loss", self.loss)):
            named |= {f"{what} {name}": estimate for name, estimate in family.estimates().items()}
        return _columns(named)

    def _summary(self) -> str:
        drawn = "class by class" if self.stratify else "from all cases"
        head = (
            f"{self.n_pos} positives, {self.n_neg} negatives, {self.n_boot} replicates drawn {drawn}"
            f" ({self.redrawn} drawn again)"
        )
        return "\n".join([head, *(estimate.summary() for estimate in self.estimates().values())])


def _columns(estimates: dict[str, BootstrapEstimate]) -> dict[str, Any]:
    rows = list(estimates.values())
    return {"estimate": list(estimates)} | {name: [row[name] for row in rows] for name in COLUMNS}


# -----------------------------------------------------------------------------------------------------------
# How an estimate is put into words: value, standard error, interval, and what there is to say about it

UNIT = (0.0, 1.0)
NO_APPARENT_SE = "no standard error is known for the performance on the training cases themselves"
NO_CV_SE = "folds share training cases, so no unbiased standard error exists"
HIDDEN = "the noise of the replicates hides the variance: more of them (n_boot) would show it"
UNSURE = "the standard error is itself uncertain by {share:.0%}: more replicates (n_boot) settle it"
# Standard errors less certain than this are told with a warning.
DOUBTFUL = 0.2
AGREE = "all replicates have the same area, so the data show no variance"
SCALED = "leave-pair-out, scaled"
INFLUENCE = "influence function"
BOUND = "exact bound"


def doubt_words(found: Spread) -> tuple[str, ...]:
    """Say so where the replicates are too few for a standard error to be relied upon."""
    return (UNSURE.format(share=found.doubt),) if found.doubt > DOUBTFUL else ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Maker:
    """Makes the estimates of one family: their common level and the range of their values."""

    level: float
    bounds: tuple[float, float] = UNIT

    def undefined(self, name: str, reason: str, method: str) -> BootstrapEstimate:
        """Estimate without a value."""
        return BootstrapEstimate(
            name=name,
            value=None,
            se=None,
            low=None,
            high=None,
            level=self.level,
            method=method,
            status="undefined",
            reason=reason,
        )

    def partial(
        self,
        name: str,
        value: float,
        reason: str,
        method: str,
        *,
        mc_error: float | None,
        warnings: tuple[str, ...] = (),
    ) -> BootstrapEstimate:
        """Estimate without a standard error."""
        return BootstrapEstimate(
            name=name,
            value=value,
            se=None,
            low=None,
            high=None,
            level=self.level,
            method=method,
            status="partial",
            reason=reason,
            warnings=warnings,
            mc_error=mc_error,
        )

    def with_se(
        self,
        name: str,
        value: float,
        se: float | None,
        method: str,
        *,
        mc_error: float,
        reason: str = HIDDEN,
        warnings: tuple[str, ...] = (),
    ) -> BootstrapEstimate:
        """Estimate with a normal interval; partial, with the reason, where there is no standard error."""
        if se is None:
            return self.partial(name, value, reason, method, mc_error=mc_error, warnings=warnings)
        low, high = significance.interval(value, se, level=self.level, bounds=self.bounds)
        return self.with_ends(name, value, se, (low, high), method, mc_error=mc_error, warnings=warnings)

    def with_ends(
        self,
        name: str,
        value: float,
        se: float | None,
        ends: tuple[float, float],
        method: str,
        *,
        mc_error: float,
        warnings: tuple[str, ...] = (),
    ) -> BootstrapEstimate:
        """Estimate with a given interval."""
        return BootstrapEstimate(
            name=name,
            value=value,
            se=se,
            low=ends[0],
            high=ends[1],
            level=self.level,
            method=method,
            warnings=warnings,
            mc_error=mc_error,
        )


# -----------------------------------------------------------------------------------------------------------
# Standard errors by the influence function: what an estimate gains from a little more weight on one case
# A replicate with N_i copies of case i becomes likelier by the factor 1 + n_i eps (N_i - 1) as the weight of
# the case grows by eps, n_i being the number of cases it is drawn among. An estimate with gradient G_b in the
# weight of replicate b, and with a part p_i that belongs to case i, has the influence value
# n_i (p_i + sum_b (N_i^b - 1) G_b); the sum of their squares over n_i^2 is its variance. Finitely many
# replicates add noise to every value, which is known and taken off: N_i^b - 1 has the variance 1 - 1/n_i.

Floats = NDArray[np.float64]
# Variances up to this are what rounding leaves of none.
ROUNDING = 1e-24


@dataclass(frozen=True, slots=True, kw_only=True)
class Spread:
    """Variance of an estimate over data sets, and over repeated bootstraps of the same one.

    `variance` may be negative, where the noise of the replicates hides what there is; `noise` is the variance
    that the replicates add to each of the influence values of the `n_cases`.
    """

    variance: float
    mc_variance: float
    noise: float
    n_cases: int

    @property
    def se(self) -> float | None:
        """Standard error; None where the variance is hidden, or there is none."""
        return float(np.sqrt(self.variance)) if self.variance > ROUNDING else None

    @property
    def doubt(self) -> float:
        """Monte-Carlo error of the standard error, as a share of it; 0 where there is none."""
        if self.variance <= ROUNDING:
            return 0.0
        # Variance of a sum of squares, each of a value with normal noise added.
        of_squares = 4 * self.noise * self.variance + 2 * self.n_cases * self.noise**2
        return float(np.sqrt(of_squares) / (2 * self.variance))

    @property
    def is_flat(self) -> bool:
        """Whether neither cases nor replicates differ."""
        return abs(self.variance) <= ROUNDING and self.mc_variance <= ROUNDING

    @property
    def mc_error(self) -> float:
        """Standard deviation over repeated bootstraps."""
        return float(np.sqrt(self.mc_variance))


def spread(counts: NDArray[np.int32], own: Floats, gradient: Floats, *, strata: int) -> Spread:
    """Variance from influence values, less the noise of the replicates.

    Parameters
    ----------
    counts
        N_i^b, (replicates, cases).
    own
        p_i of each case.
    gradient
        G_b of each replicate; they add up to 0.
    strata
        Number of groups the cases were drawn in: 2 class by class, 1 all together.

    Examples
    --------
    >>> counts = np.array([[2, 0], [0, 2], [1, 1]], np.int32)
    >>> found = spread(counts, np.array([0.3, -0.3]), np.array([0.01, -0.01, 0.0]), strata=1)
    >>> round(found.variance, 4)
    0.2046
    """
    values = own + gradient @ (counts - 1.0)
    squares, n_boot, n_cases = float(gradient @ gradient), len(gradient), len(own)
    return Spread(
        variance=float(values @ values) - (n_cases - strata) * squares,
        mc_variance=squares * n_boot / (n_boot - 1),
        noise=squares,
        n_cases=n_cases,
    )
