"""Everything that is trained for one answer: all cases, the replicates, the splits of cross-validation."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from rocscope.bootstrap.comparators import Validation, plan_folds, plan_leave_one_out
from rocscope.bootstrap.gathered import Gathered, gather
from rocscope.bootstrap.plan import draw_replicates, whole
from rocscope.bootstrap.sample import Sample
from rocscope.bootstrap.training import Judged, Learner, Running, judge
from rocscope.core import checks
from rocscope.core.resample import Rng, spawn_streams
from rocscope.errors import PartlyFailedError

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
