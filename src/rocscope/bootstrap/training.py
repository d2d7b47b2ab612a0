"""Train clones of an estimator on given rows, and judge the others: scores and decisions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from rocscope.bootstrap.losses import LossRule
from rocscope.bootstrap.plan import Split
from rocscope.bootstrap.sample import Sample
from rocscope.core import checks
from rocscope.core.execute import Executor, Progress, run_tasks, values_of
from rocscope.core.fitting import collected_warnings, seeded_clone
from rocscope.core.resample import Chunk, Rng, plan_chunks
from rocscope.core.responses import RESPONSES, choose_response, soft_outputs
from rocscope.core.workers import Task
from rocscope.errors import RocInputError

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
