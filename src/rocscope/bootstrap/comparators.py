"""Cross-validation for comparison: k folds, dealt several times, and every case left out once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from rocscope.bootstrap import build
from rocscope.bootstrap.build import Maker
from rocscope.bootstrap.error_family import LossQuestion
from rocscope.bootstrap.gathered import area, in_rows
from rocscope.bootstrap.plan import Split, fold_splits, leave_one_out_splits
from rocscope.bootstrap.result import BootstrapEstimate
from rocscope.bootstrap.sample import Sample
from rocscope.bootstrap.training import Judged
from rocscope.core import checks
from rocscope.errors import RocInputError

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
            raise RocInputError(f"cv must be at most the size of {told}, got {cv}")
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
    return maker.partial(words, float(np.mean(values)), build.NO_CV_SE, how, mc_error=mc_error)
