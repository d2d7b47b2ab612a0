"""One fold: train a clone of the estimator, and read its soft outputs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.random import SeedSequence
from numpy.typing import NDArray

from rocscope.core.fitting import collected_warnings, seeded_clone
from rocscope.core.resample import as_generator
from rocscope.core.responses import choose_response, soft_outputs, unseen_classes

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """What every fold is asked for: the outputs of one method, for these classes."""

    method: str
    classes: tuple[Any, ...]
    detector: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class FoldJob:
    """All that a fold needs, wherever it runs; without labels the estimator is trained without them."""

    estimator: Any
    X: Any
    labels: NDArray[Any] | None
    train: NDArray[np.intp]
    test: NDArray[np.intp]
    seed: SeedSequence
    question: Question


@dataclass(frozen=True, slots=True)
class FoldScores:
    """Outputs for the test rows, their method, classes not seen in training, and what was warned of."""

    scores: Floats
    response: str
    unseen: tuple[Any, ...]
    warnings: tuple[str, ...]


def score_fold(job: FoldJob) -> FoldScores:
    """Train on the training rows, and score the test rows."""
    from sklearn.utils import _safe_indexing

    with collected_warnings() as told:
        model = seeded_clone(job.estimator, as_generator(job.seed))
        known = () if job.labels is None else (job.labels[job.train],)
        model.fit(_safe_indexing(job.X, job.train), *known)
        asked, tested = job.question, _safe_indexing(job.X, job.test)
        method = asked.method
        if method == "auto":  # what it has shows only now
            method = choose_response(model, n_classes=len(asked.classes))
        scores = soft_outputs(model, tested, asked.classes, response=method, detector=asked.detector)
    unseen = () if asked.detector else unseen_classes(model, asked.classes)
    return FoldScores(scores, method, unseen, tuple(told))
