"""Bootstrap estimates of the AUC and the error of a classifier, from one data set."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np

from rocscope.bootstrap import result
from rocscope.bootstrap.areas import Areas, estimate_areas, no_areas
from rocscope.bootstrap.family import RULES, LossQuestion, Rule, estimate_errors
from rocscope.bootstrap.result import BootstrapAuc, BootstrapEstimate, ErrorEstimates, Maker
from rocscope.bootstrap.training import (
    Gathered,
    Judged,
    Learner,
    LossRule,
    Running,
    Sample,
    Split,
    area,
    draw_replicates,
    fold_splits,
    gather,
    in_rows,
    judge,
    leave_one_out_splits,
    whole,
)
from rocscope.core import checks
from rocscope.core.execution import Executor, Progress
from rocscope.core.resampling import Rng, spawn_streams
from rocscope.errors import PartlyFailedError, RocInputError

SHOWN_WARNINGS = 5


def bootstrap_auc(
    estimator: Any,
    X: Any,
    y: Any,
    *,
    n_boot: int = 500,
    stratify: bool = True,
    pos_label: Any = None,
    cv: int | None = None,
    leave_one_out: bool | None = None,
    rule: Rule = "yousef",
    cost: Any = None,
    prevalence: Any = None,
    level: float = 0.95,
    rng: Rng = None,
    n_jobs: int | None = None,
    executor: Executor | None = None,
    progress: Progress | None = None,
) -> BootstrapAuc:
    """Estimate the AUC and the error rate of a classifier trained on these cases, without a test set.

    Every replicate draws as many cases as there are, with replacement, trains a clone of the estimator on
    them and judges the cases it left out. The estimates of [1], leave-pair-out, the same family for the error
    rate and for the expected loss all come from one pass over the replicates; cross-validation stands beside
    them.

    Parameters
    ----------
    estimator
        A scikit-learn classifier. Each `random_state` left at None is set from `rng`.
    X, y
        Features, a row per case, whatever the estimator takes; labels of two classes.
    n_boot
        Number of replicates.
    stratify
        Draw each class by itself, so that it keeps its size; otherwise from all cases together.
    pos_label
        The positive class; {0, 1}, {-1, 1} and booleans need none.
    cv
        Folds of the cross-validation, dealt five times; ten, or the size of the smallest class, unless given.
    leave_one_out
        Whether to leave out every case by itself as well; unless given, where that takes no more trainings
        than the bootstrap.
    rule
        Condition of the overfitting rate of .632+, see `overfitting_auc`. "yousef" ([1] eq. 19) sets it to 0
        where AUC(*) is not above 0.5, "efron-tibshirani" to 1.
    cost, prevalence
        Costs (a false negative's where a false positive's is 1, or (fp, fn)) and share of positives of the
        expected loss. Where either is given and the estimator has probabilities, decisions for the loss are
        made at the best threshold, the probabilities being taken to rest on the class shares in training.
    level
        Confidence level of the intervals.
    rng
        Seed or generator; the numbers are the same for any number of jobs.
    n_jobs, executor, progress
        Number of processes; or what runs the tasks instead, see `LokyExecutor`; a function called as
        ``progress(done, total)``.

    Returns
    -------
    BootstrapAuc
        `apparent`, `star`, `point632`, `point632plus` and `leave_pair_out`, each an `Estimate` with its
        Monte-Carlo error; `kfold` and `leave_one_out`; `error` and `loss`; `redrawn`, `failed`.

    Raises
    ------
    RocInputError
        Before any training, for data or an estimator that cannot be used.
    PartlyFailedError
        If the estimator fails on all cases together. Replicates that fail are counted and left out.

    Notes
    -----
    The standard error of leave-pair-out comes from its influence function, less the noise of finitely many
    replicates. AUC(*) carries the same one: its own influence function fails, because more weight on a case
    also makes it rarer among the left-out ones, and the two estimates are almost the same number. For .632
    and .632+ it is scaled by their distance from 1, as Efron and Tibshirani scale by the error. The apparent
    AUC and cross-validation have none.

    A class of one member leaves everything but the apparent values undefined. An estimator with hard labels
    only has no AUC, but its error rates stand. An AUC below 0.5 is never turned round.

    References
    ----------
    .. [1] Yousef, Wagner, Loew: Comparison of non-parametric methods for assessing classifier performance in
       terms of ROC parameters, AIPR 2004.

    Examples
    --------
    >>> import numpy as np
    >>> from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
    >>> rng = np.random.default_rng(0)
    >>> X = np.vstack([rng.normal(size=(20, 3)), rng.normal(0.8, 1, size=(20, 3))])
    >>> y = np.repeat([0, 1], 20)
    >>> found = bootstrap_auc(LinearDiscriminantAnalysis(), X, y, n_boot=100, rng=1)
    >>> print(found.star)
    AUC(*) 0.8789 (95% interval 0.7112-1.0000, influence function of leave-pair-out)
    >>> print(found.point632plus)
    .632+ AUC 0.8847 (95% interval 0.7250-1.0000, leave-pair-out, scaled)
    >>> print(found.error.point632plus)
    .632+ error rate 0.1463 (95% interval 0.0000-0.2926, leave-one-out bootstrap, scaled)
    """
    design = Design(n_boot=n_boot, stratify=stratify, cv=cv, leave_one_out=leave_one_out)
    design.check()
    checks.check_choice(rule, RULES, name="rule")
    level = checks.check_level(level)
    sample = Sample.read(X, y, pos_label=pos_label)
    learner = Learner.read(estimator, LossRule.read(cost, prevalence))
    running = Running(n_jobs=n_jobs, executor=executor, progress=progress)
    return summarize(train_all(learner, sample, design, rng=rng, running=running), rule=rule, level=level)


def summarize(trained: Trained, *, rule: Rule, level: float) -> BootstrapAuc:
    """All estimates from what the trained clones said."""
    sample, gathered = trained.sample, trained.gathered
    areas = _areas(trained, rule, Maker(level=level))
    return BootstrapAuc(
        **areas.estimates,
        overfitting=areas.overfitting,
        rule=rule,
        error=_errors(trained, level, at_cost=False),
        loss=_errors(trained, level, at_cost=True),
        replicates=areas.replicates,
        n_boot=len(gathered.counts),
        redrawn=trained.redrawn,
        failed=len(gathered.failed),
        dropped_pairs=areas.dropped,
        n_pos=sample.n_pos,
        n_neg=sample.n_neg,
        classes=sample.classes,
        stratify=trained.strata == 2,
        response=trained.learner.response,
        warnings=_warnings(trained, areas),
    )


def _areas(trained: Trained, rule: Rule, maker: Maker) -> Areas:
    refusal, sample = trained.learner.refusal, trained.sample
    if refusal is None:
        areas = estimate_areas(
            sample, trained.apparent, trained.gathered, strata=trained.strata, rule=rule, maker=maker
        )
    else:
        areas = no_areas(refusal, maker)
    for key, (plan, judged) in zip(("kfold", "leave_one_out"), trained.validations, strict=True):
        areas.estimates[key] = validated_area(plan, sample, judged, refusal, maker)
    return areas


def _errors(trained: Trained, level: float, *, at_cost: bool) -> ErrorEstimates:
    rule = trained.learner.loss if at_cost else LossRule.read()
    ask = LossQuestion(
        what="expected loss" if at_cost and rule.given else "error rate",
        sample=trained.sample,
        rule=rule,
        strata=trained.strata,
        maker=Maker(level=level, bounds=(0.0, max(map(max, rule.cost)))),
    )
    which = "called_at_cost" if at_cost else "called"
    apparent, called = (getattr(source, which) for source in (trained.apparent, trained.gathered))
    found = estimate_errors(ask, apparent, called, trained.gathered)
    kfold, alone = (
        validated_loss(plan, ask, judged, at_cost=at_cost) for plan, judged in trained.validations
    )
    return ErrorEstimates(
        **found.estimates,
        kfold=kfold,
        leave_one_out=alone,
        gamma=found.gamma,
        overfitting=found.overfitting,
        cost=rule.cost,
        prevalence=rule.shares(trained.sample.positive)[1],
        decisions="threshold" if at_cost and trained.learner.sets_threshold else "predict",
        dropped=found.dropped,
    )


def _warnings(trained: Trained, areas: Areas) -> tuple[str, ...]:
    told, learner, gathered = [], trained.learner, trained.gathered
    if learner.refusal is not None:
        told.append(f"{learner.refusal}; only the error rates are given")
    if gathered.failed:
        tried = len(gathered.failed) + len(gathered.counts)
        told.append(
            f"{len(gathered.failed)} of {tried} replicates failed and are left out: {gathered.failed[0]}"
        )
    if areas.dropped:
        pairs = trained.sample.n_pos * trained.sample.n_neg
        told.append(f"{areas.dropped} of {pairs} pairs were never left out together, and are dropped")
    if learner.loss.given and not learner.sets_threshold:
        told.append("the loss is that of predict: without predict_proba there is no threshold for the costs")
    for text, times in trained.warnings[:SHOWN_WARNINGS]:
        told.append(f"in {times} of {trained.n_trainings} trainings: {text}")
    if (more := len(trained.warnings) - SHOWN_WARNINGS) > 0:
        told.append(f"{more} more kinds of warnings in training")
    return tuple(told)


# -----------------------------------------------------------------------------------------------------------
# Everything that is trained for one answer: all cases, the replicates, the splits of cross-validation

MOST_REPLICATES = 1_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Design:
    """How many replicates and folds there are, and how they are drawn."""

    n_boot: int
    stratify: bool
    cv: int | None
    leave_one_out: bool | None

    def check(self) -> None:
        """Refuse what cannot be meant."""
        checks.check_integer(self.n_boot, name="n_boot", low=2)
        if self.n_boot > MOST_REPLICATES:
            checks.check_number(self.n_boot, name="n_boot", low=2, high=MOST_REPLICATES, closed=True)
        checks.check_flag(self.stratify, name="stratify")
        if self.leave_one_out is not None:
            checks.check_flag(self.leave_one_out, name="leave_one_out")


@dataclass(frozen=True, slots=True, kw_only=True)
class Trained:
    """What every trained clone said."""

    learner: Learner
    sample: Sample
    strata: int
    apparent: Judged
    gathered: Gathered
    redrawn: int
    validations: tuple[tuple[Validation, Sequence[Judged]], ...]
    warnings: tuple[tuple[str, int], ...]
    n_trainings: int


def train_all(learner: Learner, sample: Sample, design: Design, *, rng: Rng, running: Running) -> Trained:
    """Draw all splits, then train them in one go."""
    draws, deals, seeds = spawn_streams(rng, 3)
    drawn = draw_replicates(sample, design.n_boot, stratify=design.stratify, stream=draws)
    plans = (
        plan_folds(sample, design.cv, deals),
        plan_leave_one_out(sample, design.leave_one_out, design.n_boot),
    )
    groups = [[whole(sample)], drawn.splits, *(plan.splits for plan in plans)]
    judged = judge(
        learner, sample, [split for group in groups for split in group], rng=seeds, running=running
    )
    apparent, replicates, *validated = _cut(judged, [len(group) for group in groups])
    _refuse_failure(apparent[0])
    return Trained(
        learner=learner,
        sample=sample,
        strata=2 if design.stratify else 1,
        apparent=apparent[0],
        gathered=gather(sample, drawn, replicates),
        redrawn=drawn.redrawn,
        validations=tuple(zip(plans, validated, strict=True)),
        warnings=_counted(judged),
        n_trainings=len(judged),
    )


def _cut(judged: Sequence[Judged], sizes: Sequence[int]) -> list[Sequence[Judged]]:
    ends = [sum(sizes[:k]) for k in range(len(sizes) + 1)]
    return [judged[start:stop] for start, stop in pairwise(ends)]


def _refuse_failure(apparent: Judged) -> None:
    if apparent.error is not None:
        raise PartlyFailedError(f"training on all cases failed: {apparent.error}")


def _counted(judged: Sequence[Judged]) -> tuple[tuple[str, int], ...]:
    """What the clones warned of, and how many did."""
    texts = dict.fromkeys(text for each in judged for text in each.warnings)
    return tuple((text, sum(text in each.warnings for each in judged)) for text in texts)


# ---- Cross-validation for comparison: k folds, dealt several times, and every case left out once ----------

FOLDS = 10
REPEATS = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class Validation:
    """One kind of cross-validation: its deals of the cases, or the reason why there is none.

    Each deal is a list of splits that test every case once. `by_fold` says whether a fold has its own AUC.
    """

    name: str
    deals: tuple[list[Split], ...]
    reason: str | None
    by_fold: bool

    @property
    def splits(self) -> list[Split]:
        """All splits, deal after deal."""
        return [split for deal in self.deals for split in deal]


def plan_folds(sample: Sample, cv: int | None, stream: np.random.Generator) -> Validation:
    """Stratified folds; without a number ten, or as many as the smallest class has members."""
    if cv is not None:
        checks.check_integer(cv, name="cv", low=2)
        if cv > sample.smallest:
            told = f"the smallest class, {sample.smallest_words()}"
            raise RocInputError(f"must be at most the size of {told}, got {cv}", argument="cv")
    n_folds = min(FOLDS, sample.smallest) if cv is None else int(cv)
    if n_folds < 2:
        reason = f"folds need two cases of each class; the smallest has {sample.smallest_words()}"
        return Validation(name="k-fold", deals=(), reason=reason, by_fold=True)
    deals = fold_splits(sample, n_folds, REPEATS, stream)
    return Validation(name=f"{n_folds}-fold", deals=tuple(deals), reason=None, by_fold=True)


def plan_leave_one_out(sample: Sample, wanted: bool | None, n_boot: int) -> Validation:
    """Every case by itself; unless asked for, only where it takes no more trainings than the bootstrap."""
    name = "leave-one-out"
    reason = None
    if sample.smallest < 2:
        reason = f"without its one case a class cannot be trained; the smallest has {sample.smallest_words()}"
    elif wanted is False:
        reason = "not asked for (leave_one_out=False)"
    elif wanted is None and sample.size > n_boot:
        reason = f"it takes {sample.size} trainings, more than the bootstrap: ask with leave_one_out=True"
    deals = () if reason is not None else (leave_one_out_splits(sample),)
    return Validation(name=name, deals=deals, reason=reason, by_fold=False)


def validated_area(
    plan: Validation, sample: Sample, judged: Sequence[Judged], refusal: str | None, maker: Maker
) -> BootstrapEstimate:
    """AUC by cross-validation."""
    words, how = f"{plan.name} AUC", "mean of folds" if plan.by_fold else "all scores together"
    if (reason := plan.reason or refusal or _failure(plan, sample, judged)) is not None:
        return maker.undefined(words, reason, how)
    values = [_area(plan, sample, deal, part) for deal, part in _parts(plan, judged)]
    return _mean(words, values, how, maker)


def _area(plan: Validation, sample: Sample, deal: Sequence[Split], judged: Sequence[Judged]) -> float:
    if plan.by_fold:
        pairs = zip(deal, judged, strict=True)
        return float(np.mean([area(_scores(each), sample.positive[split.test]) for split, each in pairs]))
    return area(_scores(in_rows(sample, deal, judged)), sample.positive)


def _scores(judged: Judged) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    assert judged.scores is not None  # an estimator without scores is refused before
    return judged.scores


def validated_loss(
    plan: Validation, ask: LossQuestion, judged: Sequence[Judged], *, at_cost: bool
) -> BootstrapEstimate:
    """Error rate or loss by cross-validation."""
    words, how = f"{plan.name} {ask.what}", "mean of cases"
    if (reason := plan.reason or _failure(plan, ask.sample, judged)) is not None:
        return ask.maker.undefined(words, reason, how)
    values = []
    for deal, part in _parts(plan, judged):
        together = in_rows(ask.sample, deal, part)
        called = together.called_at_cost if at_cost else together.called
        assert called is not None  # no split has failed
        values.append(ask.rule.mean_loss(ask.sample.positive, called))
    return _mean(words, values, how, ask.maker)


def _failure(plan: Validation, sample: Sample, judged: Sequence[Judged]) -> str | None:
    return in_rows(sample, plan.splits, judged).error


def _parts(plan: Validation, judged: Sequence[Judged]) -> list[tuple[list[Split], Sequence[Judged]]]:
    size = len(plan.deals[0])
    return [(deal, judged[k * size : (k + 1) * size]) for k, deal in enumerate(plan.deals)]


def _mean(words: str, values: list[float], how: str, maker: Maker) -> BootstrapEstimate:
    """Mean over the deals; their spread is the Monte-Carlo error. Nothing is drawn for a single one."""
    drawn = len(values) > 1
    mc_error = float(np.std(values, ddof=1) / np.sqrt(len(values))) if drawn else 0.0
    return maker.partial(words, float(np.mean(values)), result.NO_CV_SE, how, mc_error=mc_error)
