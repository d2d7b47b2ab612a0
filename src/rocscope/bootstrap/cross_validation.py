"""Cross-validation beside the bootstrap: k folds, dealt several times, and every case left out once."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from rocscope.bootstrap.families import BootstrapEstimate, make_estimate
from rocscope.bootstrap.point632 import LossRule
from rocscope.core import checks
from rocscope.errors import RocInputError
from rocscope.training.datasets import Dataset
from rocscope.training.fitting import Flags, Floats, FoldScores, area
from rocscope.training.splits import Split, stratified_splits

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
