"""The one data set: features, labels and which of them are positive, checked once."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from rocscope.core import checks
from rocscope.core.execution import Executor, Progress, Task, run_tasks, values_of
from rocscope.core.measures import check_prevalence, cost_matrix
from rocscope.core.resampling import (
    REDRAW_LIMIT,
    Chunk,
    Rng,
    plan_chunks,
    stratified_bootstrap,
    stratified_folds,
)
from rocscope.core.scores import distinct_labels, read_binary_labels
from rocscope.core.table import ScoreTable
from rocscope.errors import RocInputError, UndefinedError
from rocscope.training.fitting import (
    RESPONSES,
    choose_response,
    collected_warnings,
    count_rows,
    seeded_clone,
    soft_outputs,
)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Sample:
    """Cases of two classes; `classes` are the negative and the positive one."""

    X: Any
    labels: NDArray[Any]
    positive: NDArray[np.bool_]
    classes: tuple[Any, Any]

    @classmethod
    def read(cls, X: Any, y: Any, *, pos_label: Any) -> Sample:
        """Check labels and the number of rows.

        Examples
        --------
        >>> Sample.read([[1.0], [2.0]], ["ill", "well"], pos_label="ill").classes
        ('well', 'ill')
        """
        labels = _typed(checks.as_vector(y, name="y"))
        positive, negative_label, positive_label = read_binary_labels(labels, pos_label, name="y")
        if (found := count_rows(X)) != len(labels):
            raise RocInputError(f"X and y must have the same length: X has {found}, y has {len(labels)}")
        checks.check_same_index(X=X, y=y)
        own = {name: name for name in distinct_labels(labels)}  # 1 and True are one key: the labels' own type
        return cls(X=X, labels=labels, positive=positive, classes=(own[negative_label], own[positive_label]))

    @property
    def size(self) -> int:
        """Number of cases."""
        return len(self.positive)

    @property
    def n_pos(self) -> int:
        """Number of positives."""
        return int(np.count_nonzero(self.positive))

    @property
    def n_neg(self) -> int:
        """Number of negatives."""
        return self.size - self.n_pos

    @property
    def smallest(self) -> int:
        """Size of the smaller class."""
        return min(self.n_pos, self.n_neg)

    def smallest_words(self) -> str:
        """Size and name of the smaller class, for messages."""
        name = self.classes[1] if self.n_pos == self.smallest else self.classes[0]
        return f"{self.smallest} (class {checks.show(name)})"

    def holds_both(self, rows: NDArray[np.intp]) -> bool:
        """Whether there is a case of each class among the rows."""
        n_pos = int(np.count_nonzero(self.positive[rows]))
        return 0 < n_pos < len(rows)


def _typed(labels: NDArray[Any]) -> NDArray[Any]:
    """Labels of one plain type as such: scikit-learn reads no numbers from objects."""
    if labels.dtype.kind != "O":
        return labels
    listed = [value.item() if isinstance(value, np.generic) else value for value in labels.tolist()]
    kinds = {type(value) for value in listed}
    return np.array(listed) if len(kinds) == 1 and kinds <= {str, int, float, bool} else labels


# ---- Which rows train and which are tested: bootstrap replicates, folds, and every case by itself ---------

Rows = NDArray[np.intp]


@dataclass(frozen=True, slots=True)
class Split:
    """Rows that train, as often as drawn, and rows that are tested."""

    train: Rows
    test: Rows


@dataclass(frozen=True, slots=True)
class Replicates:
    """Bootstrap replicates, and how many were drawn again because one side lacked a class."""

    splits: list[Split]
    redrawn: int

    def counts(self, n_cases: int) -> NDArray[np.int32]:
        """How often each case is in each replicate, (replicates, cases)."""
        counts = [np.bincount(split.train, minlength=n_cases) for split in self.splits]
        return np.array(counts, np.int32).reshape(len(counts), n_cases)


def draw_replicates(sample: Sample, n_boot: int, *, stratify: bool, stream: Generator) -> Replicates:
    """Draw replicates, tested on the rows they leave out; both sides of each hold both classes.

    Examples
    --------
    >>> sample = Sample.read(np.zeros((6, 1)), [0, 0, 0, 1, 1, 1], pos_label=None)
    >>> drawn = draw_replicates(sample, 4, stratify=True, stream=np.random.default_rng(0))
    >>> [len(split.train) for split in drawn.splits], all(len(split.test) > 1 for split in drawn.splits)
    ([6, 6, 6, 6], True)
    """
    if sample.smallest < 2:
        return Replicates([], 0)  # its one case cannot both train and be tested
    drawn = [_draw(sample, stratify, stream) for _ in range(n_boot)]
    return Replicates([split for split, _ in drawn], sum(again for _, again in drawn))


def _draw(sample: Sample, stratify: bool, stream: Generator) -> tuple[Split, int]:
    n = sample.size
    for again in range(REDRAW_LIMIT + 1):
        train = stratified_bootstrap(sample.positive, stream) if stratify else stream.integers(0, n, n)
        test = np.flatnonzero(np.bincount(train, minlength=n) == 0)
        if sample.holds_both(train) and sample.holds_both(test):
            return Split(train, test), again
    raise UndefinedError(
        f"each of {REDRAW_LIMIT + 1} bootstrap draws lacked a class in training or among the left-out rows; "
        f"the smallest class has {sample.smallest_words()}"
    )


def whole(sample: Sample) -> Split:
    """Train and test on all rows: the apparent performance."""
    rows = np.arange(sample.size)
    return Split(rows, rows)


def fold_splits(sample: Sample, n_folds: int, repeats: int, stream: Generator) -> list[list[Split]]:
    """Stratified folds, dealt anew in every repeat."""
    return [
        [
            Split(np.flatnonzero(fold != k), np.flatnonzero(fold == k))
            for fold in [stratified_folds(sample.positive, n_folds, stream)]
            for k in range(n_folds)
        ]
        for _ in range(repeats)
    ]


def leave_one_out_splits(sample: Sample) -> list[Split]:
    """Every case tested by the model that all others train."""
    rows = np.arange(sample.size)
    return [Split(np.delete(rows, k), rows[k : k + 1]) for k in rows]


# ---- Expected loss at given costs and shares of the classes ([1] eqs. 2, 3, 4 and 8) ----------------------
# The equations are printed with slips. With c_ij the cost of deciding class i where class j is true, class 1
# the positive one, P_j the share of class j and e_j the share of class j that is decided wrongly:
# - eq. 2: the threshold of the log likelihood ratio is log(P_2 c_12 / (P_1 c_21)); the fraction is printed
#   upside down;
# - eq. 3: the risk is c_21 P_1 e_1 + c_12 P_2 e_2; the two costs are printed exchanged;
# - eq. 8: the estimated risk is c_21 e_1 n_1 / N + c_12 e_2 n_2 / N; c_21 is printed twice;
# - with equal costs and shares the risk is (e_1 + e_2) / 2; the text calls e_1 + e_2 the error rate.

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True, kw_only=True)
class LossRule:
    """Costs (true by decided, negatives first) and the share of positives; None where the data's own holds.

    `given` says whether either was asked for: decisions are then made at the threshold of eq. 2.
    """

    cost: tuple[tuple[float, float], tuple[float, float]]
    prevalence: float | None
    given: bool

    @classmethod
    def read(cls, cost: Any = None, prevalence: Any = None) -> LossRule:
        """Read costs as `cost_matrix` does, and the share of positives.

        Examples
        --------
        >>> LossRule.read(5).cost
        ((0.0, 1.0), (5.0, 0.0))
        """
        table = cost_matrix(cost)
        if table.shape != (2, 2):
            raise RocInputError(
                f"must be of two decisions, got a matrix of shape {table.shape}", argument="cost"
            )
        if (table[[0, 1], [1, 0]] < table.diagonal()).any():
            raise RocInputError(
                f"must not be less for wrong decisions, got {checks.show(cost)}", argument="cost"
            )
        share = None if prevalence is None else check_prevalence(prevalence)
        if share is not None and np.ndim(share):
            share = float(share[1])
        (a, b), (c, d) = table.tolist()
        given = cost is not None or prevalence is not None
        return cls(cost=((a, b), (c, d)), prevalence=share, given=given)

    def shares(self, positive: NDArray[np.bool_]) -> tuple[float, float]:
        """Shares of the negative and the positive class."""
        share = float(positive.mean()) if self.prevalence is None else self.prevalence
        return 1 - share, share

    def threshold(self, positive: NDArray[np.bool_], trained_share: float) -> float:
        """Probability from which on a case is called positive.

        The likelihood ratio is the odds of the probability over the odds of the classes in training, and it
        is compared with P_2 c_12 / (P_1 c_21) ([1] eq. 2, put right).

        Examples
        --------
        >>> LossRule.read({"fp": 1, "fn": 4}).threshold(np.array([True, False]), trained_share=0.5)
        0.2
        """
        (right_neg, false_pos), (false_neg, right_pos) = self.cost
        negatives, positives = self.shares(positive)
        alarm, miss = negatives * (false_pos - right_neg), positives * (false_neg - right_pos)
        odds = trained_share / (1 - trained_share) * alarm
        return odds / (odds + miss) if odds + miss > 0 else math.inf

    def case_losses(self, positive: NDArray[np.bool_], called: NDArray[Any]) -> Floats:
        """Cost of each decision; `called` has a column per case."""
        table = np.array(self.cost)
        return table[positive.astype(np.intp), called.astype(np.intp)]

    def mean_loss(self, positive: NDArray[np.bool_], called: NDArray[Any]) -> float:
        """Loss of one decision for every case, from the rates of each class ([1] eq. 8, put right).

        Examples
        --------
        >>> positive, called = np.array([True, True, False, False]), np.array([True, False, False, False])
        >>> LossRule.read({"fp": 1, "fn": 4}, prevalence=0.1).mean_loss(positive, called)
        0.2
        """
        rates = np.array([called[~positive].mean(), called[positive].mean()])
        per_class = np.array(self.cost) * np.stack([1 - rates, rates], axis=1)
        return float(np.array(self.shares(positive)) @ per_class.sum(axis=1))

    def no_information(self, positive: NDArray[np.bool_], called: NDArray[Any]) -> float:
        """Loss gamma of the same share of positive decisions where they know nothing of the class."""
        shares = np.array(self.shares(positive))
        called_share = float(shares @ [called[~positive].mean(), called[positive].mean()])
        return float(shares @ np.array(self.cost) @ [1 - called_share, called_share])


# ---- Train clones of an estimator on given rows, and judge the others: scores and decisions ---------------

# Trainings of one task; part of the meaning of a seed.
CHUNK = 10


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Learner:
    """What is trained, and what is asked of it.

    `response` is the method that gives scores; None for an estimator that has hard labels only, and `refusal`
    then says so. `loss` is the rule of the decisions at given costs.
    """

    estimator: Any
    response: str | None
    refusal: str | None
    loss: LossRule

    @classmethod
    def read(cls, estimator: Any, loss: LossRule) -> Learner:
        """Look at the estimator's methods; one with `predict` alone is kept for its decisions.

        Examples
        --------
        >>> from sklearn.svm import LinearSVC
        >>> Learner.read(LinearSVC(), LossRule.read()).response
        'decision_function'
        """
        if _has_labels_only(estimator):
            refusal = f"estimator {type(estimator).__name__} has predict only: hard labels are no scores"
            return cls(estimator=estimator, response=None, refusal=refusal, loss=loss)
        response = choose_response(estimator)
        if not hasattr(estimator, "predict"):
            name = type(estimator).__name__
            raise RocInputError(f"estimator {name} must be a classifier with predict, got one without")
        return cls(estimator=estimator, response=response, refusal=None, loss=loss)

    @property
    def sets_threshold(self) -> bool:
        """Whether decisions at given costs are made by the probability, not by `predict`."""
        return self.loss.given and self.response == "predict_proba"


def _has_labels_only(estimator: Any) -> bool:
    able = all(hasattr(estimator, method) for method in ("fit", "get_params", "predict"))
    scores = any(hasattr(estimator, method) for method in RESPONSES)
    return able and not scores and not isinstance(estimator, type)


@dataclass(frozen=True, slots=True, kw_only=True)
class Judged:
    """What a trained clone says of the test rows: scores, decisions, decisions at the given costs.

    `error` is set instead where training or scoring failed.
    """

    scores: NDArray[np.float64] | None = None
    called: NDArray[np.bool_] | None = None
    called_at_cost: NDArray[np.bool_] | None = None
    error: str | None = None
    warnings: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Running:
    """Who trains: a number of processes, or an executor; and whom to tell of the progress."""

    n_jobs: int | None = None
    executor: Executor | None = None
    progress: Progress | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class _Job:
    learner: Learner
    sample: Sample
    splits: Sequence[Split]
    chunk: Chunk


def judge(
    learner: Learner, sample: Sample, splits: Sequence[Split], *, rng: Rng, running: Running
) -> list[Judged]:
    """Train on each split and judge its test rows; a failure is told, the others go on."""
    tasks = [
        Task(
            f"trainings {chunk.start} to {chunk.stop - 1}",
            _judge_chunk,
            (_Job(learner=learner, sample=sample, splits=splits[chunk.start : chunk.stop], chunk=chunk),),
        )
        for chunk in plan_chunks(len(splits), rng, size=CHUNK)
    ]
    outcomes = run_tasks(tasks, n_jobs=running.n_jobs, executor=running.executor, progress=running.progress)
    return [judged for part in values_of(outcomes) for judged in part]


def _judge_chunk(job: _Job) -> list[Judged]:
    stream = job.chunk.stream()
    return [_judge(job.learner, job.sample, split, stream) for split in job.splits]


def _judge(learner: Learner, sample: Sample, split: Split, stream: Generator) -> Judged:
    from sklearn.utils import _safe_indexing

    with collected_warnings() as told:
        model = seeded_clone(learner.estimator, stream)
        try:
            model.fit(_safe_indexing(sample.X, split.train), sample.labels[split.train])
            judged = _say(learner, sample, split, model, _safe_indexing(sample.X, split.test))
        except Exception as error:  # an estimator may fail in any way; the other trainings stand
            return Judged(error=f"{type(error).__name__}: {' '.join(str(error).split())}")
    return replace(judged, warnings=tuple(told))


def _say(learner: Learner, sample: Sample, split: Split, model: Any, X: Any) -> Judged:
    called = _called(model, X, sample.classes)
    if learner.response is None:
        return Judged(called=called, called_at_cost=called)
    scores = soft_outputs(model, X, sample.classes, response=learner.response)
    if not learner.sets_threshold:
        return Judged(scores=scores, called=called, called_at_cost=called)
    trained_share = float(sample.positive[split.train].mean())
    threshold = learner.loss.threshold(sample.positive, trained_share)
    return Judged(scores=scores, called=called, called_at_cost=scores >= threshold)


def _called(model: Any, X: Any, classes: tuple[Any, Any]) -> NDArray[np.bool_]:
    """Which rows `predict` calls positive; it must decide for one of the two classes."""
    decided = checks.as_vector(model.predict(X), name="predict")
    positive, negative = decided == classes[1], decided == classes[0]
    checks.refuse_rows(
        ~(positive | negative), name="predict", wanted=f"one of the classes {list(classes)}", got="others"
    )
    return np.asarray(positive, dtype=bool)


# ---- All trainings of one bootstrap, judged and put in order: by whom each case was judged, and how -------

Flags = NDArray[np.bool_]


@dataclass(frozen=True, slots=True, kw_only=True)
class Gathered:
    """Replicates whose training went well, (replicates, cases), and what became of the others.

    Attributes
    ----------
    counts
        How often each case trained each replicate.
    scores
        NaN where a case trained; None if the estimator has no scores.
    called, called_at_cost
        Decisions, False where a case trained.
    failed
        Error of every replicate that failed.
    """

    counts: NDArray[np.int32]
    scores: Floats | None
    called: Flags
    called_at_cost: Flags
    failed: tuple[str, ...]

    @property
    def out(self) -> Flags:
        """Where a case was left out."""
        return np.asarray(self.counts == 0)

    def undefined_words(self, sample: Sample) -> str | None:
        """Why nothing can be said of left-out cases, if so."""
        if sample.smallest < 2:
            return (
                "a class of one member cannot both train and be left out; "
                f"the smallest class has {sample.smallest_words()}"
            )
        if len(self.counts) < 2:
            tried = len(self.counts) + len(self.failed)
            return f"training failed in {len(self.failed)} of {tried} replicates: {self.failed[0]}"
        return None


def gather(sample: Sample, drawn: Replicates, judged: Sequence[Judged]) -> Gathered:
    """Put what the replicates said of their left-out cases into arrays."""
    good = [k for k, each in enumerate(judged) if each.error is None]
    splits, said = [drawn.splits[k] for k in good], [judged[k] for k in good]
    shape = (len(good), sample.size)
    called, at_cost, scores = np.zeros(shape, bool), np.zeros(shape, bool), np.full(shape, np.nan)
    for b, (split, each) in enumerate(zip(splits, said, strict=True)):
        called[b, split.test], at_cost[b, split.test] = each.called, each.called_at_cost
        if each.scores is not None:
            scores[b, split.test] = each.scores
    soft = all(each.scores is not None for each in said)
    return Gathered(
        counts=Replicates(splits, 0).counts(sample.size),
        scores=scores if soft else None,
        called=called,
        called_at_cost=at_cost,
        failed=tuple(each.error for each in judged if each.error is not None),
    )


def in_rows(sample: Sample, splits: Sequence[Split], judged: Sequence[Judged]) -> Judged:
    """Put together what splits that test every case once said; the first failure where there is one."""
    errors = [each.error for each in judged if each.error is not None]
    if errors:
        return Judged(error=f"training failed in {len(errors)} of {len(judged)} splits: {errors[0]}")
    rows = np.concatenate([split.test for split in splits])

    def ordered(name: str) -> NDArray[np.float64] | None:
        parts = [getattr(each, name) for each in judged]
        if any(part is None for part in parts):
            return None
        return np.asarray(np.concatenate(parts)[np.argsort(rows)])

    called, at_cost = ordered("called"), ordered("called_at_cost")
    return Judged(
        scores=ordered("scores"),
        called=None if called is None else called.astype(bool),
        called_at_cost=None if at_cost is None else at_cost.astype(bool),
    )


def area(scores: Floats, positive: Flags) -> float:
    """AUC of scores, ties one half.

    Examples
    --------
    >>> area(np.array([0.1, 0.4, 0.35, 0.8]), np.array([False, False, True, True]))
    0.75
    """
    return ScoreTable.from_sorted(np.sort(scores[positive]), np.sort(scores[~positive])).auc
