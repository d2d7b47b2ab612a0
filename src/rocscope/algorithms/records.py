"""One algorithm on one fold, and the tests over the cases of a test set that all fold models share.

On a common test set the fold models differ far less than the chance of the test set, so the differences
between folds say nothing of it; the test cases do. Both tests average over the fold models first, case by
case, and take their standard error over the cases: DeLong's [1]_ from averaged placements for areas, the
usual one of a mean of paired differences for errors.

References
----------
.. [1] E. R. DeLong, D. M. DeLong, D. L. Clarke-Pearson, "Comparing the areas under two or more
   correlated receiver operating characteristic curves", Biometrics 44, 1988.
"""

from __future__ import annotations

import base64
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.random import SeedSequence
from numpy.typing import NDArray

from rocscope.algorithms.paired_tests import LearnerTest
from rocscope.core import significance
from rocscope.core.result import Row
from rocscope.core.scores import BinaryScores
from rocscope.training import datasets, splits
from rocscope.training.fitting import Flags, Floats, Scorer, area, fit_and_score

# The test over cases of each measure.
OVER_CASES = {"auc": "delong-averaged", "error": "case-averaged-t"}
ASSUMPTION = "test cases independent; averages over the fold models, which share most training cases"
ONE_CLASS = "the test cases are of one class"


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class FoldRecord(Row):
    """What a trained model says of the test cases of its fold.

    Attributes
    ----------
    positive, score, called
        Truth, soft output for the positive class and decision (`predict`) of each test case.
    rows
        Row number of each test case in the data as they were given.
    auc, error
        Area under the curve, and share of wrong decisions; the area is None without both classes.
    others, failed_scorers
        Values of the further scorers, and the errors of those that have none.
    probability
        Whether the soft outputs are probabilities.
    failure, traceback
        The error that stopped the algorithm on this fold, and where it arose; all else is empty then.
    """

    positive: NDArray[np.bool_]
    score: NDArray[np.float64]
    called: NDArray[np.bool_]
    rows: NDArray[np.intp] = field(default_factory=lambda: np.empty(0, dtype=np.intp))
    auc: float | None = None
    error: float | None = None
    others: Mapping[str, float] = field(default_factory=dict)
    failed_scorers: Mapping[str, str] = field(default_factory=dict)
    probability: bool = False
    failure: str | None = None
    traceback: str | None = None
    warnings: tuple[str, ...] = ()

    def columns(self) -> dict[str, Any]:
        """Return one line per test case; none where the algorithm stopped."""
        rows = [] if self.failure is not None else self.rows.tolist()
        return {"row": rows} | {
            name: getattr(self, name).tolist() for name in ("positive", "score", "called")
        }

    def cause(self, measure: str) -> str | None:
        """Why there is no value of a measure; None where there is one."""
        cause = self.failure or self.failed_scorers.get(measure)
        return ONE_CLASS if cause is None and measure == "auc" and self.auc is None else cause

    @property
    def reasons(self) -> list[str]:
        """Why a value is missing, for each that is."""
        if self.failure is not None:
            return [self.failure]
        one_class = [f"AUC undefined: {ONE_CLASS}"] if self.auc is None else []
        return one_class + [f"scorer {name}: {error}" for name, error in self.failed_scorers.items()]

    @classmethod
    def judged(cls, positive: Flags, score: Floats, called: Flags, **others: Any) -> FoldRecord:
        """The record of outputs and decisions, with the area and the error that follow from them."""
        both = bool(positive.any()) and not positive.all()
        return cls(
            positive=positive,
            score=score,
            called=called,
            auc=area(score, positive) if both else None,
            error=float(np.mean(called != positive)),
            **others,
        )

    @classmethod
    def failed(cls, failure: str, traceback: str | None = None) -> FoldRecord:
        """The record of a fold on which the algorithm stopped with an error."""
        nothing = np.empty(0, dtype=np.bool_)
        return cls(positive=nothing, score=np.empty(0), called=nothing, failure=failure, traceback=traceback)

    def packed(self) -> dict[str, Any]:
        """The record as strict JSON can hold it, every bit of it, but for the truth of the test cases."""
        if self.failure is not None:
            return {"failure": self.failure, "traceback": self.traceback}
        return {
            "score": pack(self.score),
            "called": pack(self.called.astype(np.float64)),
            "probability": self.probability,
            "others": dict(self.others),
            "failed_scorers": dict(self.failed_scorers),
            "warnings": list(self.warnings),
        }

    @classmethod
    def unpacked(cls, line: Mapping[str, Any], positive: Flags) -> FoldRecord:
        """The record of what `packed` made, and of the truth."""
        if "failure" in line:
            return cls.failed(line["failure"], line.get("traceback"))
        return cls.judged(
            positive,
            unpack(line["score"]),
            unpack(line["called"]) > 0,
            probability=line["probability"],
            others=line["others"],
            failed_scorers=line["failed_scorers"],
            warnings=tuple(line["warnings"]),
        )


def pack(values: NDArray[np.float64]) -> str:
    """Numbers as a short text, every bit of them.

    Examples
    --------
    >>> unpack(pack(np.array([0.1, 0.25]))).tolist()
    [0.1, 0.25]
    """
    return base64.b64encode(zlib.compress(values.astype("<f8").tobytes())).decode("ascii")


def unpack(text: str) -> NDArray[np.float64]:
    """The numbers of such a text.

    Examples
    --------
    >>> unpack(pack(np.array([1.0]))).tolist()
    [1.0]
    """
    return np.frombuffer(zlib.decompress(base64.b64decode(text)), dtype="<f8").astype(np.float64)


def train_fold(
    estimator: Any,
    data: datasets.Dataset,
    split: splits.Split,
    seed: SeedSequence,
    scorers: Mapping[str, Scorer] | None = None,
) -> FoldRecord:
    """Train on the fold's training cases and judge its test cases."""
    fold = fit_and_score(estimator, data, split, seed, decide=True, scorers=scorers)
    assert fold.scores is not None  # an estimator without soft outputs is refused
    assert fold.positive is not None
    return FoldRecord.judged(
        data.positive[split.test],
        fold.scores,
        fold.positive,
        others=fold.others,
        failed_scorers=fold.failed_scorers,
        probability=fold.response == "predict_proba",
        warnings=fold.warnings,
    )


def compare_over_cases(
    measure: str, first: Sequence[FoldRecord], second: Sequence[FoldRecord], *, level: float
) -> LearnerTest:
    """Compare two algorithms on a common test set, first minus second, averaged over the fold models.

    For "auc" DeLong's test on averaged placements [1]_, by Student's t with Welch's degrees of freedom over
    the two classes; for "error" a paired t test over the cases on averaged losses.
    """
    df = None
    if measure == "auc":
        sides = zip(averaged_placements(first), averaged_placements(second), strict=True)
        pos, neg = (a - b for a, b in sides)
        difference, terms = float(pos.mean()), [variance_of_mean(values) for values in (pos, neg)]
        se = float(np.sqrt(sum(terms)))
        if se > 0:
            parts = zip(terms, (pos, neg), strict=True)
            df = float(se**4 / sum(term**2 / (len(values) - 1) for term, values in parts))
    else:
        losses = averaged_losses(first) - averaged_losses(second)
        difference, df = float(losses.mean()), len(losses) - 1.0
        se = float(np.sqrt(variance_of_mean(losses)))
    method = OVER_CASES[measure]
    if np.isnan(se):
        reason = "a class has one case alone in the test set, which has no variance"
        return LearnerTest(method=method, assumption=ASSUMPTION, status="undefined", reason=reason)
    if se > 0:
        statistic = difference / se
    else:  # the two agree on every case, or differ by the same on each
        statistic = 0.0 if difference == 0 else float(np.copysign(np.inf, difference))
    low, high = significance.interval(difference, se, level=level, df=df)
    return LearnerTest(
        method=method,
        statistic=statistic,
        df=df,
        p_value=1.0 if difference == 0 and se == 0 else float(significance.p_value(statistic, df=df)),
        difference=difference,
        low=low,
        high=high,
        assumption=ASSUMPTION,
    )


def averaged_placements(records: Sequence[FoldRecord]) -> tuple[Floats, Floats]:
    """Share of the other class that each positive, then each negative, beats; mean over the models."""
    pos, neg = [], []
    for record in records:
        data = BinaryScores.from_arrays(record.positive, record.score)
        of_pos, of_neg = data.doubled_placements()
        pos.append(of_pos / (2 * data.n_neg))
        neg.append(of_neg / (2 * data.n_pos))
    return np.mean(pos, axis=0), np.mean(neg, axis=0)


def averaged_losses(records: Sequence[FoldRecord]) -> Floats:
    """Share of the fold models that decide wrongly on each test case."""
    wrong = [record.called != record.positive for record in records]
    return np.asarray(np.mean(wrong, axis=0, dtype=np.float64))


def variance_of_mean(values: Floats) -> float:
    """Squared standard error of the mean; NaN of one value alone."""
    return float(values.var(ddof=1)) / len(values) if len(values) > 1 else np.nan
