"""The family of estimates for the AUC, from the scores of left-out cases."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from rocscope.bootstrap import family, result
from rocscope.bootstrap.result import BootstrapEstimate, Maker, Spread, spread
from rocscope.bootstrap.training import Gathered, Judged, Sample, area

LABELS = {
    "apparent": ("apparent AUC", "on the training cases"),
    "leave_pair_out": ("leave-pair-out AUC", result.INFLUENCE),
    "star": ("AUC(*)", f"{result.INFLUENCE} of leave-pair-out"),
    "point632": (".632 AUC", result.SCALED),
    "point632plus": (".632+ AUC", result.SCALED),
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
    return maker.partial(words, value, result.NO_APPARENT_SE, how, mc_error=0.0, warnings=notes)


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
        if self.sums.value in result.UNIT and value == self.sums.value:
            notes += (SEPARATED.format(value=value),)
            ends = self._exact_ends(value)
            return self.maker.with_ends(words, value, None, ends, result.BOUND, mc_error=0.0, warnings=notes)
        se = None if scale == 0 or self.spread.se is None else self.spread.se * scale
        notes = notes if se is None else result.doubt_words(self.spread) + notes
        reason = result.AGREE if self.spread.is_flat else result.HIDDEN
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


# ---- The leave-pair-out bootstrap: every pair of cases judged by the replicates that left out both --------
# Scores of a case in a replicate that trained on it are NaN: no comparison with NaN holds, so such a pair
# counts nothing, and one comparison of whole arrays serves all replicates.

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

# Comparisons from which loading numba pays off.
LARGE = 50_000_000
# Comparisons that are held at once, 8 bytes each; and pairs, of which the kernels keep four numbers.
BLOCK_CELLS = 2_000_000
BLOCK_PAIRS = 4_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class PairSums:
    """What the estimates and their influence function need of all pairs and replicates.

    Attributes
    ----------
    replicates
        AUC of every replicate on the cases it left out.
    value
        Leave-pair-out AUC: mean over pairs of A_ij, the share of replicates that rank pair ij rightly among
        those that left out both.
    pos_part, neg_part
        Of each case the sum of A_ij - AUC over its pairs, divided by the number of all pairs.
    gradient
        G_b: by how much the AUC grows with the weight of replicate b.
    dropped
        Pairs that no replicate left out together.
    """

    replicates: Floats
    value: float
    pos_part: Floats
    neg_part: Floats
    gradient: Floats
    dropped: int


def pair_sums(pos: Floats, neg: Floats) -> PairSums:
    """Compare all positives with all negatives in all replicates.

    Parameters
    ----------
    pos, neg
        Scores, (replicates, cases) of each class; NaN where the case trained the replicate. Every replicate
        leaves out a case of each class.

    Examples
    --------
    >>> nan = float("nan")
    >>> pos, neg = np.array([[3.0, nan], [nan, 1.0]]), np.array([[1.0, 2.0], [1.0, nan]])
    >>> sums = pair_sums(pos, neg)
    >>> sums.replicates.tolist(), round(sums.value, 4), sums.dropped
    ([1.0, 0.5], 0.8333, 1)
    """
    compiled = pos.size * neg.shape[1] >= LARGE
    totals = _Totals(n_boot=len(pos), n_pos=pos.shape[1], n_neg=neg.shape[1])
    step = BLOCK_PAIRS // neg.shape[1] if compiled else BLOCK_CELLS // neg.size
    for start in range(0, pos.shape[1], max(1, step)):
        rows = slice(start, start + max(1, step))
        totals.add(rows, (_compiled_pairs if compiled else _pairs)(pos[:, rows], neg))
    areas = _compiled_areas(pos, neg) if compiled else totals.areas(pos, neg)
    return totals.sums(areas)


@dataclass(frozen=True, slots=True)
class _Pairs:
    """Of some positives with all negatives: A_ij, replicates that left out both, G_b times pairs, 2U_b."""

    share: Floats
    times: Floats
    gradient: Floats
    twice_u: Ints | int = 0


def _pairs(pos: Floats, neg: Floats) -> _Pairs:
    mine, others = (np.ascontiguousarray(scores.T) for scores in (pos, neg))
    pos_out, neg_out = ~np.isnan(pos), ~np.isnan(neg)
    twice = (mine[:, np.newaxis] > others).view(np.int8) + (mine[:, np.newaxis] >= others).view(np.int8)
    # `twice` is (positives, negatives, replicates); `times` are whole numbers, so the product is exact.
    times = pos_out.T.astype(np.float64) @ neg_out
    weight = np.divide(1.0, times, where=times > 0, out=np.zeros_like(times))
    share = twice.sum(axis=2, dtype=np.int64) * weight / 2
    seen = np.einsum("ij,ijb->b", weight, twice) / 2  # reads small integers; a product would copy them
    expected = (pos_out @ (share * weight) * neg_out).sum(axis=1)
    return _Pairs(share, times, seen - expected, twice.sum(axis=(0, 1), dtype=np.int64))


def _compiled_pairs(pos: Floats, neg: Floats) -> _Pairs:
    from rocscope.core.kernels.trials import pair_shares, replicate_excess

    scores = np.hstack([neg, pos])
    trained = np.isnan(scores).astype(np.int32)
    share, times = pair_shares(trained, scores, neg.shape[1])
    return _Pairs(share, times, replicate_excess(trained, scores, neg.shape[1], share, times))


def _compiled_areas(pos: Floats, neg: Floats) -> Floats:
    from rocscope.core.kernels.trials import left_out_areas

    scores = np.hstack([neg, pos])
    return left_out_areas(np.isnan(scores).astype(np.int32), scores, neg.shape[1])


class _Totals:
    """Sums over the pairs seen so far."""

    def __init__(self, *, n_boot: int, n_pos: int, n_neg: int) -> None:
        self.twice_u = np.zeros(n_boot, np.int64)
        self.gradient = np.zeros(n_boot)
        self.pos_sum, self.neg_sum = np.zeros(n_pos), np.zeros(n_neg)
        self.pos_pairs, self.neg_pairs = np.zeros(n_pos), np.zeros(n_neg)

    def add(self, rows: slice, pairs: _Pairs) -> None:
        """Add some positives with all negatives."""
        kept = pairs.times > 0
        self.twice_u += pairs.twice_u
        self.gradient += pairs.gradient
        self.pos_sum[rows] = pairs.share.sum(axis=1)
        self.neg_sum += pairs.share.sum(axis=0)
        self.pos_pairs[rows] = kept.sum(axis=1)
        self.neg_pairs += kept.sum(axis=0)

    def areas(self, pos: Floats, neg: Floats) -> Floats:
        """AUC of every replicate."""
        left_out = (~np.isnan(pos)).sum(axis=1) * (~np.isnan(neg)).sum(axis=1)
        return np.asarray(self.twice_u / (2 * left_out))

    def sums(self, areas: Floats) -> PairSums:
        """Divide by the number of pairs."""
        n_pairs = self.pos_pairs.sum()
        value = self.pos_sum.sum() / n_pairs
        return PairSums(
            replicates=areas,
            value=float(np.clip(value, 0.0, 1.0)),  # shares are rounded before they are added
            pos_part=(self.pos_sum - value * self.pos_pairs) / n_pairs,
            neg_part=(self.neg_sum - value * self.neg_pairs) / n_pairs,
            gradient=self.gradient / n_pairs,
            dropped=self.pos_pairs.size * self.neg_pairs.size - int(n_pairs),
        )
