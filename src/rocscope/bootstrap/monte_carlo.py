"""What `monte_carlo` returns."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from numbers import Real
from typing import Any, ClassVar, Final

import numpy as np
from numpy.typing import NDArray

from rocscope.bootstrap.engine import Experiment, Trials, check_learner, normal_population, run_sizes
from rocscope.bootstrap.family import RULES, Rule, point632, point632plus_auc
from rocscope.core import checks
from rocscope.core.execution import Progress
from rocscope.core.resampling import Rng
from rocscope.core.result import Result, Row
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

    view: ClassVar[str] = "monte_carlo.monte_carlo_picture"

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

    @classmethod
    def _complete(cls, fields: dict[str, Any]) -> dict[str, Any]:
        """The values of every trial are not saved; neither picture nor text needs them."""
        return {"values": np.empty(0)} | fields

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


def check_size(n: Any, sizes: tuple[int, ...]) -> None:
    """Refuse a size that a result does not have."""
    if not isinstance(n, Real) or n not in sizes:
        raise RocInputError(
            f"must be one of {', '.join(map(str, sizes))}, got {checks.show(n)}", argument="n"
        )


def _line(row: MonteCarloRow) -> str:
    r = "" if row.correlation is None else f"{row.correlation:12.2f}"
    mean, sd = f"{row.mean:.4f} +- {row.mean_error:.4f}", f"{row.sd:.4f} +- {row.sd_error:.4f}"
    return f"{mean:>15} {sd:>15} {row.rms:7.4f} {row.bias:+8.4f} {r}".rstrip()


# ---- Monte-Carlo studies of the bootstrap estimators, for learners with a closed form ---------------------


def monte_carlo(
    learner: str = "qda",
    *,
    n: Any = (20, 40, 100, 200),
    dimension: int | None = None,
    separation: float | None = None,
    mean: Any = None,
    covariance: Any = None,
    trials: int = 1000,
    n_boot: int = 100,
    n_test: int = 1000,
    common_test: bool = True,
    leave_pair_out: bool = False,
    rule: Rule = "yousef",
    rng: Rng = None,
    n_jobs: int | None = None,
    progress: Progress | None = None,
) -> MonteCarlo:
    """Compare the bootstrap estimators of the AUC with the truth, over many training sets.

    Every trial draws a training set from two normal classes, trains, and estimates the area in each way;
    the learner's area on a large test set is the truth for this training set. All of it is compiled: the
    defaults, 400,000 trainings as in table 1 of [1]_, take seconds.

    Parameters
    ----------
    learner
        - "qda": log-likelihood ratio of two normal classes with covariances of their own;
        - "lda": the same with one pooled covariance;
        - "nearest-mean": projection on the line through the class means;
        - "1nn": class of the nearest neighbour, 1 or 0, so the area is (TPR + TNR) / 2.
    n
        Training sizes in cases per class, at least 2: one or several.
    dimension, separation
        Number of features, 5 by default, and squared Mahalanobis distance between the classes, 0.8 by
        default: the means differ by the same amount in every feature. [1]_ calls c^2 p the distance itself.
    mean
        Instead of `separation`: mean of the positives less that of the negatives, one number per feature.
    covariance
        One matrix for both classes, or a pair (of the negatives, of the positives); the unit matrix by
        default. `separation` is measured by the mean of the two.
    trials, n_boot
        Training sets per size, at least 2; bootstrap replicates of each, drawn class by class. Without
        replicates (0) only the true and the apparent area are there.
    n_test, common_test
        Cases per class of the test set, and whether all trials share one, as in [1]_: then the true areas
        of all trials and sizes have a common offset, and vary only with the training sets. Otherwise each
        trial has its own, whose chance adds to their SD and weakens the correlations.
    leave_pair_out
        Whether to add the leave-pair-out bootstrap with the standard error that every trial estimates by
        the influence function.
    rule
        What .632+ does where AUC(*) is below chance: "yousef" or "efron-tibshirani".
    rng
        Seed or generator. Every trial has its own stream, so any number of jobs gives the same numbers.
    n_jobs, progress
        Number of processes; called as ``progress(done, total)`` while the tasks go on.

    Returns
    -------
    MonteCarlo
        Mean, SD, RMS around the mean true area, bias, and correlation with the conditional area of every
        estimator, each with its Monte-Carlo error.

    Notes
    -----
    A covariance is singular where a feature keeps less than 1e-10 of its variance given those before it, as
    in a replicate with at most p distinct cases. It then gets 1e-6 of the mean variance of the class's
    training cases on its diagonal (LDA: of both classes), and is counted in the result.

    References
    ----------
    .. [1] W. A. Yousef, R. F. Wagner, M. H. Loew: Comparison of non-parametric methods for assessing
       classifier performance in terms of ROC parameters, AIPR 2004.

    Examples
    --------
    >>> found = monte_carlo("lda", n=[20, 50], trials=400, n_boot=20, common_test=False, rng=1)
    >>> found.row(20, "star").bias < 0 < found.row(20, "apparent").bias
    True
    >>> found.row(20, "star").sd > found.row(50, "star").sd
    True
    """
    experiment = Experiment(
        learner=check_learner(learner),
        population=normal_population(
            dimension=dimension, separation=separation, mean=mean, covariance=covariance
        ),
        n_boot=checks.check_integer(n_boot, name="n_boot", low=0),
        n_test=checks.check_integer(n_test, name="n_test", low=1),
        common_test=checks.check_flag(common_test, name="common_test"),
        pairs=checks.check_flag(leave_pair_out, name="leave_pair_out"),
    )
    checks.check_choice(rule, RULES, name="rule")
    if experiment.pairs and n_boot < 2:
        raise RocInputError(f"must be at least 2 with leave_pair_out, got {n_boot}", argument="n_boot")
    sizes = read_sizes(n)
    trials = checks.check_integer(trials, name="trials", low=2)
    found = run_sizes(experiment, sizes, trials=trials, rng=rng, n_jobs=n_jobs, progress=progress)
    return summarised(experiment, sizes, found, rule)


def read_sizes(n: Any) -> tuple[int, ...]:
    """Return training sizes: different whole numbers of at least 2.

    Examples
    --------
    >>> read_sizes(20), read_sizes([20, 40])
    ((20,), (20, 40))
    """
    listed = list(n) if isinstance(n, Iterable) and not isinstance(n, str) else [n]
    sizes = tuple(checks.check_integer(size, name="n", low=2) for size in listed)
    if not sizes or len(set(sizes)) < len(sizes):
        raise RocInputError(f"must hold one or more different sizes, got {checks.show(listed)}", argument="n")
    return sizes


def summarised(
    experiment: Experiment, sizes: tuple[int, ...], found: Sequence[Trials], rule: Rule
) -> MonteCarlo:
    """Summarise the trials of every size."""
    estimates = [_estimates(experiment, one, rule) for one in found]
    population = experiment.population
    return MonteCarlo(
        learner=experiment.learner,
        n=sizes,
        estimators=tuple(estimates[0]),
        rows=tuple(row for size in zip(sizes, found, estimates, strict=True) for row in _rows(*size)),
        values=np.stack([np.stack(list(one.values()), axis=1) for one in estimates]),
        dimension=population.dimension,
        separation=population.separation,
        ideal_auc=population.ideal_auc,
        trials=len(found[0].true),
        n_boot=experiment.n_boot,
        n_test=experiment.n_test,
        common_test=experiment.common_test,
        rule=rule,
        redrawn=tuple(int(one.redrawn.sum()) for one in found),
        singular=tuple(int(one.singular.sum()) for one in found),
        dropped=tuple(int(one.dropped.sum()) for one in found),
        warnings=_warnings(experiment, sizes, found),
    )


def _estimates(experiment: Experiment, found: Trials, rule: Rule) -> dict[str, Floats]:
    """Every estimator's values over the trials, by name."""
    estimates = {"true": found.true, "apparent": found.apparent}
    if experiment.n_boot:
        estimates |= {
            "star": found.star,
            "point632": point632(found.apparent, found.star),
            "point632plus": point632plus_auc(found.apparent, found.star, rule=rule),
        }
    if experiment.pairs:
        estimates["leave_pair_out"] = found.leave_pair_out
    return estimates


def _rows(n: int, found: Trials, estimates: dict[str, Floats]) -> list[MonteCarloRow]:
    # AUC(*) carries the standard error of leave-pair-out: the two go together.
    own = {"star", "leave_pair_out"} if "leave_pair_out" in estimates else set()
    return [
        summarise(n, name, values, found.true, found.standard_errors() if name in own else None)
        for name, values in estimates.items()
    ]


def _warnings(experiment: Experiment, sizes: tuple[int, ...], found: Sequence[Trials]) -> tuple[str, ...]:
    told = []
    per_training = 2 if experiment.learner == "qda" else 1
    for n, one in zip(sizes, found, strict=True):
        if singular := int(one.singular.sum()):
            total = per_training * len(one.true) * (experiment.n_boot + 1)
            told.append(f"n = {n}: {singular:,} of {total:,} covariances were singular and got a ridge")
        if dropped := int(one.dropped.sum()):
            total = n * n * len(one.true)
            told.append(f"n = {n}: {dropped:,} of {total:,} pairs were never left out together")
        hidden = int(np.isnan(one.standard_errors()).sum()) if experiment.pairs else 0
        if hidden:
            told.append(
                f"n = {n}: {hidden} trials have no standard error, the noise of the replicates hides it"
            )
    return tuple(told)


# ---- What a Monte-Carlo study says of an estimator, each figure with its Monte-Carlo error ----------------
# The errors are standard errors over the trials, from the influence of each trial on the figure.


@dataclass(frozen=True, slots=True, kw_only=True)
class MonteCarloRow(Row):
    """One estimator at one training size.

    Attributes
    ----------
    n, estimator
        Cases per class; "true", "apparent", "star", "point632", "point632plus" or "leave_pair_out".
    mean, sd
        Mean and standard deviation over the trials.
    rms
        Root mean squared difference from the mean true area ([1]_ section 4.2).
    bias
        Mean less the mean true area.
    correlation
        With the true area of the same trial, which is conditional on the training set ([1]_ section 4.3);
        None where one of the two never varies, as `reason` says.
    mean_error, sd_error, rms_error, bias_error, correlation_error
        Monte-Carlo standard errors. That of the true area's mean, and so of rms and bias, is conditional
        on the test set where the trials share one.
    estimated_se
        Mean of the standard errors that the trials themselves estimate, to be compared with `sd`; None
        for an estimator without one.
    undefined_se
        Share of the trials that could not estimate it.
    """

    n: int
    estimator: str
    mean: float
    mean_error: float
    sd: float
    sd_error: float
    rms: float
    rms_error: float
    bias: float
    bias_error: float
    correlation: float | None
    correlation_error: float | None
    estimated_se: float | None = None
    undefined_se: float | None = None
    reason: str | None = None


def summarise(n: int, estimator: str, values: Floats, true: Floats, se: Floats | None) -> MonteCarloRow:
    """Summarise one estimator over the trials; `se` holds its own standard errors, where it has them.

    Examples
    --------
    >>> true = np.array([0.6, 0.7, 0.8])
    >>> row = summarise(20, "star", true - 0.1, true, None)
    >>> round(row.mean, 3), round(row.sd, 3), round(row.rms, 3), round(row.correlation, 3)
    (0.6, 0.1, 0.129, 1.0)
    """
    sd, sd_error = _sd(values)
    rms, rms_error = _rms(values, true)
    correlation, correlation_error = _correlation(values, true)
    flat = estimator if np.ptp(values) == 0 else "true"
    mean_se, undefined = (None, None) if se is None else _mean_se(se)
    return MonteCarloRow(
        n=n,
        estimator=estimator,
        mean=float(values.mean()),
        mean_error=_error(values),
        sd=sd,
        sd_error=sd_error,
        rms=rms,
        rms_error=rms_error,
        bias=float(values.mean() - true.mean()),
        bias_error=_error(values - true),
        correlation=correlation,
        correlation_error=correlation_error,
        estimated_se=mean_se,
        undefined_se=undefined,
        reason=None if correlation is not None else f"{flat} is the same in every trial: no correlation",
    )


def _error(influence: Floats) -> float:
    """Standard error of the mean over the trials."""
    return float(influence.std(ddof=1) / np.sqrt(influence.size))


def _sd(values: Floats) -> tuple[float, float]:
    sd = float(values.std(ddof=1))
    return sd, 0.0 if sd == 0 else _error((values - values.mean()) ** 2) / (2 * sd)


def _rms(values: Floats, true: Floats) -> tuple[float, float]:
    """Root mean square around the mean true area, whose own error counts as well."""
    away = values - true.mean()
    rms = float(np.sqrt((away**2).mean()))
    influence = away**2 - 2 * away.mean() * (true - true.mean())
    return rms, 0.0 if rms == 0 else _error(influence) / (2 * rms)


def _correlation(values: Floats, true: Floats) -> tuple[float | None, float | None]:
    if np.ptp(values) == 0 or np.ptp(true) == 0:
        return None, None
    x, y = ((v - v.mean()) / v.std() for v in (values, true))
    r = float(np.clip((x * y).mean(), -1.0, 1.0))
    return r, _error(x * y - r / 2 * (x**2 + y**2))


def _mean_se(se: Floats) -> tuple[float | None, float]:
    defined = se[~np.isnan(se)]
    return (float(defined.mean()) if defined.size else None), 1 - defined.size / se.size
