"""The family of estimates for the AUC, from the scores of left-out cases."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from rocscope.bootstrap import build, family
from rocscope.bootstrap.build import Maker
from rocscope.bootstrap.gathered import Gathered, area
from rocscope.bootstrap.influence import Spread, spread
from rocscope.bootstrap.leave_pair_out import PairSums, pair_sums
from rocscope.bootstrap.result import BootstrapEstimate
from rocscope.bootstrap.sample import Sample
from rocscope.bootstrap.training import Judged

LABELS = {
    "apparent": ("apparent AUC", "on the training cases"),
    "leave_pair_out": ("leave-pair-out AUC", build.INFLUENCE),
    "star": ("AUC(*)", f"{build.INFLUENCE} of leave-pair-out"),
    "point632": (".632 AUC", build.SCALED),
    "point632plus": (".632+ AUC", build.SCALED),
}
BELOW = "the area is below 0.5: the scores rank the negative class higher"
SEPARATED = (
    "every replicate separates its left-out classes: the interval is the exact bound of one fixed classifier "
    "with an area of {value:g}"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Areas:
    """The estimates by the names of their fields, and what they rest on."""

    estimates: dict[str, BootstrapEstimate]
    overfitting: float | None
    replicates: np.ndarray[tuple[int], np.dtype[np.float64]]
    dropped: int


def no_areas(reason: str, maker: Maker) -> Areas:
    """All undefined, for one reason: the estimator has no scores."""
    return _areas({name: maker.undefined(words, reason, how) for name, (words, how) in LABELS.items()})


def _areas(estimates: dict[str, BootstrapEstimate]) -> Areas:
    return Areas(estimates=estimates, overfitting=None, replicates=np.empty(0), dropped=0)


def estimate_areas(
    sample: Sample, apparent: Judged, gathered: Gathered, *, strata: int, rule: family.Rule, maker: Maker
) -> Areas:
    """All estimates of the AUC from one pass over the replicates."""
    assert apparent.scores is not None  # the door has seen that the estimator has scores
    first = area(apparent.scores, sample.positive)
    own = _apparent(first, maker)
    if (reason := gathered.undefined_words(sample)) is not None or gathered.scores is None:
        return _areas(no_areas(reason or "", maker).estimates | {"apparent": own})
    sums = pair_sums(gathered.scores[:, sample.positive], gathered.scores[:, ~sample.positive])
    found = _Found(sample, first, sums, _spread(sample, gathered, sums, strata), rule, maker)
    return Areas(
        estimates={"apparent": own, **found.estimates()},
        overfitting=found.overfitting,
        replicates=sums.replicates,
        dropped=sums.dropped,
    )


def _spread(sample: Sample, gathered: Gathered, sums: PairSums, strata: int) -> Spread:
    parts = np.empty(sample.size)
    parts[sample.positive], parts[~sample.positive] = sums.pos_part, sums.neg_part
    return spread(gathered.counts, parts, sums.gradient, strata=strata)


def _apparent(value: float, maker: Maker) -> BootstrapEstimate:
    words, how = LABELS["apparent"]
    notes = (BELOW,) if value < 0.5 else ()
    return maker.partial(words, value, build.NO_APPARENT_SE, how, mc_error=0.0, warnings=notes)


@dataclass(frozen=True, slots=True)
class _Found:
    """Apparent AUC, sums over pairs and their spread, and the estimates that follow."""

    sample: Sample
    apparent: float
    sums: PairSums
    spread: Spread
    rule: family.Rule
    maker: Maker

    @property
    def star(self) -> float:
        """AUC(*), the mean over the replicates ([1] eq. 16)."""
        return float(self.sums.replicates.mean())

    @property
    def star_mc_error(self) -> float:
        """Standard error of that mean."""
        areas = self.sums.replicates
        return float(areas.std(ddof=1) / np.sqrt(len(areas)))

    @property
    def overfitting(self) -> float:
        """R' of .632+."""
        return float(family.overfitting_auc(self.apparent, self.star, rule=self.rule))

    def estimates(self) -> dict[str, BootstrapEstimate]:
        """Leave-pair-out, AUC(*), .632 and .632+."""
        mc = self.star_mc_error
        plain = float(family.point632(self.apparent, self.star))
        plus = float(family.point632plus_auc(self.apparent, self.star, rule=self.rule))
        slope = float(family.plus_slope(self.overfitting))
        return {
            "leave_pair_out": self._estimate("leave_pair_out", self.sums.value, 1.0, self.spread.mc_error),
            "star": self._estimate("star", self.star, 1.0, mc),
            "point632": self._estimate("point632", plain, self._scale(plain), family.LEFT_OUT_SHARE * mc),
            "point632plus": self._estimate(
                "point632plus", plus, self._scale(plus), slope * mc, self._plus_notes(plain)
            ),
        }

    def _scale(self, value: float) -> float:
        """Efron and Tibshirani's scaling: standard errors go with the distance from a perfect 1."""
        return (1 - value) / (1 - self.star) if self.star < 1 else 0.0

    def _estimate(
        self, key: str, value: float, scale: float, mc_error: float, notes: tuple[str, ...] = ()
    ) -> BootstrapEstimate:
        words, how = LABELS[key]
        notes = ((BELOW,) if value < 0.5 else ()) + notes
        if self.sums.value in build.UNIT and value == self.sums.value:
            notes += (SEPARATED.format(value=value),)
            ends = self._exact_ends(value)
            return self.maker.with_ends(words, value, None, ends, build.BOUND, mc_error=0.0, warnings=notes)
        se = None if scale == 0 or self.spread.se is None else self.spread.se * scale
        notes = notes if se is None else build.doubt_words(self.spread) + notes
        reason = build.AGREE if self.spread.is_flat else build.HIDDEN
        return self.maker.with_se(words, value, se, how, mc_error=mc_error, reason=reason, warnings=notes)

    def _exact_ends(self, value: float) -> tuple[float, float]:
        """Disjoint pairs are right with probability A each, so all are with at most A^min(m, n)."""
        bound = ((1 - self.maker.level) / 2) ** (1 / self.sample.smallest)
        return (bound, 1.0) if value == 1 else (0.0, 1 - bound)

    def _plus_notes(self, plain: float) -> tuple[str, ...]:
        """Say where a condition of [1] eq. 19 decided."""
        if self.apparent == self.star:
            return ("AUC(*) equals the apparent AUC, R' would be 0/0: it is 0, no overfitting",)
        if self.apparent < self.star:
            return ("AUC(*) exceeds the apparent AUC: R' is 0, no overfitting",)
        if self.star > family.NO_INFORMATION_AUC:
            return ()
        if self.rule == "yousef":
            other = family.point632plus_auc(self.apparent, self.star, rule="efron-tibshirani")
            return (
                f"AUC(*) is not above chance: R' is 0 and .632+ equals .632, {plain:.4f}; "
                f"rule='efron-tibshirani' sets R' to 1 and gives {float(other):.4f}",
            )
        return ("AUC(*) is not above chance: R' is 1",)
