"""Bootstrap estimates of the AUC, the error rate and the expected loss of a classifier, from one data set.

References
----------
.. [1] Yousef, Wagner, Loew: Comparison of non-parametric methods for assessing classifier performance in
   terms of ROC parameters, AIPR 2004.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, ClassVar

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from rocscope.bootstrap import point632
from rocscope.bootstrap.families import BootstrapEstimate, estimate_areas, estimate_losses, make_estimate
from rocscope.bootstrap.left_out import LeftOut, gather_left_out, train_splits
from rocscope.bootstrap.point632 import LossRule
from rocscope.core import checks, execution, resampling
from rocscope.core.formatting import sentence
from rocscope.core.result import Result
from rocscope.errors import PartlyFailedError, RocInputError
from rocscope.training.datasets import Dataset
from rocscope.training.fitting import RESPONSES, Flags, Floats, FoldScores, area, choose_response
from rocscope.training.splits import Plan, Split, bootstrap_splits, stratified_splits

MOST_REPLICATES = 1_000_000
WARNINGS_LISTED = 5

AREAS = ("apparent", "leave_pair_out", "star", "point632", "point632plus", "kfold", "leave_one_out")
ERRORS = ("apparent", "left_out", "point632", "point632plus", "kfold", "leave_one_out")
COLUMNS = ("value", "se", "low", "high", "mc_error", "level", "method", "status", "reason")


@checks.known_arguments
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
    rule: point632.Rule = "yousef",
    cost: Any = None,
    prevalence: Any = None,
    level: float = 0.95,
    rng: resampling.Rng = None,
    n_jobs: int | None = None,
    executor: execution.Executor | None = None,
    progress: execution.Progress | None = None,
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
        Folds of the cross-validation, dealt five times; by default ten, or the size of the smallest class.
    leave_one_out
        Whether to leave out every case by itself as well; by default where that takes no more trainings than
        the bootstrap.
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
    The standard error of leave-pair-out comes from its influence function, minus the noise of finitely many
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
    >>> estimates = bootstrap_auc(LinearDiscriminantAnalysis(), X, y, n_boot=100, rng=1)
    >>> print(estimates.star)
    AUC(*) 0.8789 (95% interval 0.7112-1.0000, influence function of leave-pair-out)
    >>> print(estimates.point632plus)
    .632+ AUC 0.8847 (95% interval 0.7250-1.0000, leave-pair-out, scaled)
    >>> print(estimates.error.point632plus)
    .632+ error rate 0.1463 (95% interval 0.0000-0.2926, leave-one-out bootstrap, scaled)
    """
    checks.check_integer(n_boot, name="n_boot", low=2)
    if n_boot > MOST_REPLICATES:
        checks.check_number(n_boot, name="n_boot", low=2, high=MOST_REPLICATES, closed=True)
    checks.check_flag(stratify, name="stratify")
    if leave_one_out is not None:
        checks.check_flag(leave_one_out, name="leave_one_out")
    checks.check_choice(rule, point632.RULES, name="rule")
    level = checks.check_level(level)
    data = Dataset.read(X, y, pos_label=pos_label, two_classes=True)
    loss = LossRule.read(cost, prevalence)
    response, refusal = read_response(estimator)
    draws, deals, seeds = resampling.spawn_streams(rng, 3)
    drawn = Plan([])  # the one case of a class cannot both train and be tested
    if data.smallest >= 2:
        drawn = bootstrap_splits(data, n_boot, draws, strata=data.codes if stratify else None)
    validations = (
        plan_kfold(data, cv, deals),
        plan_leave_one_out(data, leave_one_out, n_boot),
    )
    everyone = np.arange(data.size)
    groups = [[Split(everyone, everyone)], drawn.splits, *(plan.splits for plan in validations)]
    splits = [split for group in groups for split in group]
    folds = train_splits(
        estimator, data, splits, seeds, response=response, n_jobs=n_jobs, executor=executor, progress=progress
    )
    if folds[0].failure is not None:
        raise PartlyFailedError(f"training on all cases failed: {folds[0].failure}")
    sets_threshold = loss.requested and response == "predict_proba"
    at_cost = [fold.positive for fold in folds]
    if sets_threshold:  # of the test rows, by the best threshold for the costs
        positive = data.positive
        at_cost = [
            None
            if fold.scores is None
            else fold.scores >= loss.threshold(positive, float(positive[split.train].mean()))
            for split, fold in zip(splits, folds, strict=True)
        ]
    ends = np.cumsum([len(group) for group in groups]).tolist()
    replicates, *validated = (slice(start, stop) for start, stop in pairwise(ends))
    left_out = gather_left_out(data, drawn.splits, folds[replicates], at_cost[replicates])
    strata = 2 if stratify else 1
    fields = estimate_areas(
        data, folds[0].scores, left_out, strata=strata, rule=rule, level=level, refusal=refusal
    )
    for plan, part in zip(validations, validated, strict=True):
        fields[plan.field] = plan.area(data, folds[part], refusal, level)
    for field, rule_of, decided, name in (
        ("error", LossRule.read(), [fold.positive for fold in folds], "error rate"),
        ("loss", loss, at_cost, "expected loss" if loss.requested else "error rate"),
    ):
        of_replicates = left_out.decided if field == "error" else left_out.decided_at_cost
        losses = estimate_losses(
            name, data, rule_of, decided[0], of_replicates, left_out, strata=strata, level=level
        )
        for plan, part in zip(validations, validated, strict=True):
            losses[plan.field] = plan.loss(name, data, rule_of, folds[part], decided[part], level)
        threshold = field == "loss" and sets_threshold
        fields[field] = ErrorEstimates(**losses, decisions="threshold" if threshold else "predict")
    return BootstrapAuc(
        **fields,
        rule=rule,
        n_boot=len(left_out.counts),
        redrawn=drawn.redrawn,
        failed=len(left_out.failed),
        n_pos=data.n_pos,
        n_neg=data.n_neg,
        classes=(data.classes[0], data.classes[1]),
        stratify=stratify,
        response=response,
        warnings=_warnings(
            data, folds, left_out, fields["dropped_pairs"], refusal, loss.requested and not sets_threshold
        ),
    )


def read_response(estimator: Any) -> tuple[str | None, str | None]:
    """The method that gives scores; of an estimator with `predict` alone None, and the reason.

    Examples
    --------
    >>> from sklearn.svm import LinearSVC
    >>> read_response(LinearSVC())
    ('decision_function', None)
    """
    name = type(estimator).__name__
    trains = all(hasattr(estimator, method) for method in ("fit", "get_params", "predict"))
    scores = any(hasattr(estimator, method) for method in RESPONSES)
    if trains and not scores and not isinstance(estimator, type):
        return None, f"estimator {name} has predict only: hard labels are no scores"
    response = choose_response(estimator)
    if not hasattr(estimator, "predict"):
        raise RocInputError(
            f"{name} must be a classifier with predict, got one without", argument="estimator"
        )
    return response, None


def _warnings(
    data: Dataset,
    folds: Sequence[FoldScores],
    left_out: LeftOut,
    dropped: int,
    refusal: str | None,
    without_threshold: bool,
) -> tuple[str, ...]:
    messages = []
    if refusal is not None:
        messages.append(f"{refusal}; only the error rates are given")
    if failed := left_out.failed:
        tried = len(failed) + len(left_out.counts)
        messages.append(f"{len(failed)} of {tried} replicates failed and are left out: {failed[0]}")
    if dropped:
        pairs = data.n_pos * data.n_neg
        messages.append(f"{dropped} of {pairs} pairs were never left out together, and are dropped")
    if without_threshold:
        messages.append(
            "the loss is that of predict: without predict_proba there is no threshold for the costs"
        )
    texts = list(dict.fromkeys(text for fold in folds for text in fold.warnings))
    for text in texts[:WARNINGS_LISTED]:
        times = sum(text in fold.warnings for fold in folds)
        messages.append(f"in {times} of {len(folds)} trainings: {text}")
    if (more := len(texts) - WARNINGS_LISTED) > 0:
        messages.append(f"{more} more kinds of warnings in training")
    return tuple(messages)


# ---- The result -------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ErrorEstimates(Result):
    """The family of estimates for the error rate, or for the expected loss at costs.

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

    def _paper(self) -> tuple[dict[str, Any], dict[str, str], list[str]]:
        names = [sentence(estimate.name) for estimate in self.estimates().values()]
        return self.columns() | {"estimate": names}, {"estimate": "Estimator"}, []

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
        The same family for the error rate of `predict`, and for the expected loss at costs and
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
        for what, losses in (("error", self.error), ("loss", self.loss)):
            named |= {f"{what} {name}": estimate for name, estimate in losses.estimates().items()}
        return _columns(named)

    def _paper(self) -> tuple[dict[str, Any], dict[str, str], list[str]]:
        named = (self.estimates(), self.error.estimates(), self.loss.estimates())
        names = [sentence(estimate.name) for estimates in named for estimate in estimates.values()]
        return self.columns() | {"estimate": names}, {"estimate": "Estimator"}, []

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


# ---- Cross-validation beside the bootstrap: k folds, dealt several times, and every case left out once ----

FOLDS = 10
REPEATS = 5
NO_CV_SE = "folds share training cases, so no unbiased standard error exists"


@dataclass(frozen=True, slots=True, kw_only=True)
class CrossValidation:
    """One kind of cross-validation: its splits, deal after deal, or the reason why there is none.

    Each deal of `n_folds` splits tests every case once. `field` is its field in the results.
    """

    field: str
    name: str
    splits: list[Split]
    n_folds: int
    reason: str | None

    def area(
        self, data: Dataset, folds: Sequence[FoldScores], refusal: str | None, level: float
    ) -> BootstrapEstimate:
        """AUC: mean over the folds of a deal; leaving one out, of all scores together."""
        by_fold, positive = self.field == "kfold", data.positive
        label = f"{self.name} AUC", "mean of folds" if by_fold else "all scores together"
        if self.reason is None and refusal is not None:
            return make_estimate(label, None, level, reason=refusal)

        def value(deal: Sequence[Split], scores: Sequence[Floats]) -> float:
            if by_fold:
                pairs = zip(deal, scores, strict=True)
                return float(np.mean([area(of_fold, positive[split.test]) for split, of_fold in pairs]))
            return area(_in_rows(deal, scores), positive)

        return self._mean(label, folds, [fold.scores for fold in folds], value, level)

    def loss(
        self,
        name: str,
        data: Dataset,
        rule: LossRule,
        folds: Sequence[FoldScores],
        decided: Sequence[Flags | None],
        level: float,
    ) -> BootstrapEstimate:
        """Error rate or expected loss."""

        def value(deal: Sequence[Split], decisions: Sequence[Flags]) -> float:
            return rule.mean_loss(data.positive, _in_rows(deal, decisions))

        return self._mean((f"{self.name} {name}", "mean of cases"), folds, decided, value, level)

    def _mean(
        self,
        label: tuple[str, str],
        folds: Sequence[FoldScores],
        parts: Sequence[Any],
        value: Callable[[Sequence[Split], Sequence[Any]], float],
        level: float,
    ) -> BootstrapEstimate:
        """Mean of a value over the deals; their spread is its Monte-Carlo error.

        `value` takes the splits of a deal and their `parts`. Nothing is drawn for a single deal.
        """
        errors = [fold.failure for fold in folds if fold.failure is not None]
        failed = f"training failed in {len(errors)} of {len(folds)} splits: {errors[0]}" if errors else None
        if (reason := self.reason or failed) is not None:
            return make_estimate(label, None, level, reason=reason)
        deals = [slice(k, k + self.n_folds) for k in range(0, len(self.splits), self.n_folds)]
        values = [value(self.splits[deal], parts[deal]) for deal in deals]
        mc_error = float(np.std(values, ddof=1) / np.sqrt(len(values))) if len(values) > 1 else 0.0
        return make_estimate(label, float(np.mean(values)), level, mc_error=mc_error, reason=NO_CV_SE)


def plan_kfold(data: Dataset, cv: int | None, stream: Generator) -> CrossValidation:
    """Stratified folds; by default ten, or as many as the smallest class has members."""
    if cv is not None:
        checks.check_integer(cv, name="cv", low=2)
        if cv > data.smallest:
            raise RocInputError(
                f"must be at most the size of the smallest class, {data.smallest_class}, got {cv}",
                argument="cv",
                data_dependent=True,
            )
    n = min(FOLDS, data.smallest) if cv is None else int(cv)
    if n < 2:
        reason = f"folds need two cases of each class; the smallest has {data.smallest_class}"
        return CrossValidation(field="kfold", name="k-fold", splits=[], n_folds=n, reason=reason)
    splits = stratified_splits(data.codes, n, stream, repeats=REPEATS)
    return CrossValidation(field="kfold", name=f"{n}-fold", splits=splits, n_folds=n, reason=None)


def plan_leave_one_out(data: Dataset, requested: bool | None, n_boot: int) -> CrossValidation:
    """Every case by itself; by default only where it takes no more trainings than the bootstrap."""
    n, reason = data.size, None
    if data.smallest < 2:
        reason = f"without its one case a class cannot be trained; the smallest has {data.smallest_class}"
    elif requested is False:
        reason = "not requested"
    elif requested is None and n > n_boot:
        reason = f"it takes {n} trainings, more than the bootstrap, and was not requested"
    rows = np.arange(n)
    splits = [] if reason is not None else [Split(np.delete(rows, k), rows[k : k + 1]) for k in rows]
    return CrossValidation(
        field="leave_one_out", name="leave-one-out", splits=splits, n_folds=n, reason=reason
    )


def _in_rows(deal: Sequence[Split], parts: Sequence[NDArray[Any]]) -> NDArray[Any]:
    """Put the values of splits that test every case once in row order."""
    rows = np.concatenate([split.test for split in deal])
    return np.asarray(np.concatenate(parts)[np.argsort(rows)])
