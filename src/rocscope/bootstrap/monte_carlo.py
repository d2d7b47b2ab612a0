"""Monte-Carlo studies of the bootstrap estimators of the AUC, for learners with a closed form."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from numbers import Real
from typing import Any, ClassVar, Final

import numpy as np
from numpy.typing import NDArray

from rocscope.bootstrap import engine
from rocscope.bootstrap.point632 import RULES, Rule, point632, point632plus_auc
from rocscope.core import checks, execution, resampling
from rocscope.core.result import Result, Row, row_columns
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
        "star", "point632", "point632plus" and, if requested, "leave_pair_out".
    rows
        One `MonteCarloRow` per size and estimator: mean, SD, RMS, bias and correlation with the
        conditional area, each with its Monte-Carlo error. `row(n, estimator)` returns one.
    values
        Every trial, (sizes, trials, estimators); not in `to_dict()`.
    dimension, separation, ideal_auc
        Of the population: features, squared Mahalanobis distance between the classes, area of the ideal
        classifier (None where the covariances differ, so that it is not linear).
    trials, n_boot, n_test, common_test, rule
        As requested; `n_test` cases per class in the test set, the same for all trials where `common_test`.
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
        return np.array([getattr(self.row(n, estimator), figure) for n in self.n], np.float64)

    def columns(self) -> dict[str, Any]:
        """Return one row per size and estimator."""
        return row_columns(self.rows)

    def _summary(self) -> str:
        head = (
            f"{'n':>6}  {'estimator':14} {'mean':>15} {'SD':>15} {'RMS':>7} {'bias':>8} {'correlation':>12}"
        )
        test = "one test set" if self.common_test else "own test sets"
        features = f"{self.dimension} feature{'s' if self.dimension > 1 else ''}"
        setting = (
            f"{self.learner} on {features}, squared distance {self.separation:.4g}: {self.trials:,} trials, "
            f"{self.n_boot:,} bootstraps, {test} of {self.n_test:,} per class"
        )
        lines = [setting, head]
        for row in self.rows:
            size = row.n if row.estimator == self.estimators[0] else ""
            r = "" if row.correlation is None else f"{row.correlation:12.2f}"
            mean, sd = f"{row.mean:.4f} +- {row.mean_error:.4f}", f"{row.sd:.4f} +- {row.sd_error:.4f}"
            figures = f"{mean:>15} {sd:>15} {row.rms:7.4f} {row.bias:+8.4f} {r}".rstrip()
            lines.append(f"{size:>6}  {TITLES[row.estimator]:14} {figures}")
        return "\n".join(lines)


def check_size(n: Any, sizes: tuple[int, ...]) -> None:
    """Refuse a size that a result does not have."""
    if not isinstance(n, Real) or n not in sizes:
        raise RocInputError(
            f"must be one of {', '.join(map(str, sizes))}, got {checks.show(n)}", argument="n"
        )


@checks.known_arguments
def monte_carlo(
    learner: engine.LearnerName = "qda",
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
    rng: resampling.Rng = None,
    n_jobs: int | None = None,
    progress: execution.Progress | None = None,
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
        Instead of `separation`: mean of the positives minus that of the negatives, one number per feature.
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
    >>> study = monte_carlo("lda", n=[20, 50], trials=400, n_boot=20, common_test=False, rng=1)
    >>> study.row(20, "star").bias < 0 < study.row(20, "apparent").bias
    True
    >>> study.row(20, "star").sd > study.row(50, "star").sd
    True
    """
    experiment = engine.Experiment(
        learner=checks.check_choice(learner, engine.LEARNERS, name="learner"),
        population=engine.normal_population(
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
    results = engine.run_sizes(experiment, sizes, trials=trials, rng=rng, n_jobs=n_jobs, progress=progress)
    return summarised(experiment, sizes, results, rule)


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
    experiment: engine.Experiment, sizes: tuple[int, ...], results: Sequence[engine.Trials], rule: Rule
) -> MonteCarlo:
    """Summarise the trials of every size."""
    population, n_boot, rows, values, warnings = experiment.population, experiment.n_boot, [], [], []
    names: tuple[str, ...] = ()
    for n, trials in zip(sizes, results, strict=True):
        estimates = {"true": trials.true, "apparent": trials.apparent}
        if n_boot:
            estimates |= {
                "star": trials.star,
                "point632": point632(trials.apparent, trials.star),
                "point632plus": point632plus_auc(trials.apparent, trials.star, rule=rule),
            }
        errors: dict[str, Floats] = {}
        if experiment.pairs:
            estimates["leave_pair_out"] = trials.leave_pair_out
            # AUC(*) carries the standard error of leave-pair-out: the two go together.
            errors = dict.fromkeys(("star", "leave_pair_out"), trials.standard_errors())
        names = tuple(estimates)
        rows += [summarise(n, name, of, trials.true, errors.get(name)) for name, of in estimates.items()]
        values.append(np.stack(list(estimates.values()), axis=1))
        if singular := int(trials.singular.sum()):
            total = (2 if experiment.learner == "qda" else 1) * len(trials.true) * (n_boot + 1)
            warnings.append(f"n = {n}: {singular:,} of {total:,} covariances were singular and got a ridge")
        if dropped := int(trials.dropped.sum()):
            total = n * n * len(trials.true)
            warnings.append(f"n = {n}: {dropped:,} of {total:,} pairs were never left out together")
        if errors and (hidden := int(np.isnan(errors["star"]).sum())):
            warnings.append(
                f"n = {n}: {hidden} trials have no standard error, the noise of the replicates hides it"
            )
    return MonteCarlo(
        learner=experiment.learner,
        n=sizes,
        estimators=names,
        rows=tuple(rows),
        values=np.stack(values),
        dimension=population.dimension,
        separation=population.separation,
        ideal_auc=population.ideal_auc,
        trials=len(results[0].true),
        n_boot=n_boot,
        n_test=experiment.n_test,
        common_test=experiment.common_test,
        rule=rule,
        redrawn=tuple(int(trials.redrawn.sum()) for trials in results),
        singular=tuple(int(trials.singular.sum()) for trials in results),
        dropped=tuple(int(trials.dropped.sum()) for trials in results),
        warnings=tuple(warnings),
    )


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
        Mean minus the mean true area.
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
    sd = float(values.std(ddof=1))
    # Root mean square around the mean true area, whose own error counts as well.
    away = values - true.mean()
    rms = float(np.sqrt((away**2).mean()))
    rms_influence = away**2 - 2 * away.mean() * (true - true.mean())
    correlation = correlation_error = reason = mean_se = undefined = None
    if np.ptp(values) == 0 or np.ptp(true) == 0:
        flat = estimator if np.ptp(values) == 0 else "true"
        reason = f"{flat} is the same in every trial: no correlation"
    else:
        x, y = ((v - v.mean()) / v.std() for v in (values, true))
        correlation = float(np.clip((x * y).mean(), -1.0, 1.0))
        correlation_error = _error(x * y - correlation / 2 * (x**2 + y**2))
    if se is not None:
        defined = se[~np.isnan(se)]
        mean_se = float(defined.mean()) if defined.size else None
        undefined = 1 - defined.size / se.size
    return MonteCarloRow(
        n=n,
        estimator=estimator,
        mean=float(values.mean()),
        mean_error=_error(values),
        sd=sd,
        sd_error=0.0 if sd == 0 else _error((values - values.mean()) ** 2) / (2 * sd),
        rms=rms,
        rms_error=0.0 if rms == 0 else _error(rms_influence) / (2 * rms),
        bias=float(values.mean() - true.mean()),
        bias_error=_error(values - true),
        correlation=correlation,
        correlation_error=correlation_error,
        estimated_se=mean_se,
        undefined_se=undefined,
        reason=reason,
    )


def _error(influence: Floats) -> float:
    """Standard error of the mean over the trials."""
    return float(influence.std(ddof=1) / np.sqrt(influence.size))
