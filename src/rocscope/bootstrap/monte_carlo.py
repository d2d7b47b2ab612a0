"""Monte-Carlo studies of the bootstrap estimators, for learners with a closed form."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from rocscope.bootstrap.engine import Experiment, Trials, check_learner, run_sizes
from rocscope.bootstrap.family import RULES, Rule, point632, point632plus_auc
from rocscope.bootstrap.monte_carlo_result import Floats, MonteCarlo
from rocscope.bootstrap.population import normal_population
from rocscope.bootstrap.summary import MonteCarloRow, summarise
from rocscope.core import checks
from rocscope.core.execute import Progress
from rocscope.core.resample import Rng
from rocscope.errors import RocInputError


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
        raise RocInputError(f"n_boot must be at least 2 with leave_pair_out, got {n_boot}")
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
        raise RocInputError(f"n must hold one or more different sizes, got {checks.show(listed)}")
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
