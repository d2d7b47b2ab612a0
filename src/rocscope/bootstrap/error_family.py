"""The same family for the error rate and for the expected loss ([1] eqs. 8 and 12 to 15)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from rocscope.bootstrap import build, family
from rocscope.bootstrap.build import Maker
from rocscope.bootstrap.gathered import Gathered
from rocscope.bootstrap.influence import Spread, spread
from rocscope.bootstrap.losses import LossRule
from rocscope.bootstrap.result import BootstrapEstimate
from rocscope.bootstrap.sample import Sample

Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]

METHODS = {
    "apparent": "on the training cases",
    "left_out": build.INFLUENCE,
    "point632": "leave-one-out bootstrap, scaled",
    "point632plus": "leave-one-out bootstrap, scaled",
}
LABELS = {
    "apparent": "apparent {what}",
    "left_out": "leave-one-out bootstrap {what}",
    "point632": ".632 {what}",
    "point632plus": ".632+ {what}",
}
ALIKE = "all left-out cases of a class were decided alike, so the data show no variance"


@dataclass(frozen=True, slots=True, kw_only=True)
class Errors:
    """The estimates by the names of their fields, and what they rest on."""

    estimates: dict[str, BootstrapEstimate]
    gamma: float
    overfitting: float | None
    dropped: int


@dataclass(frozen=True, slots=True, kw_only=True)
class LossQuestion:
    """Whose decisions cost how much: the words for it, the rule, and whether shares of classes vary."""

    what: str
    sample: Sample
    rule: LossRule
    strata: int
    maker: Maker

    @property
    def shares(self) -> Floats:
        """Share of the class of each case."""
        return np.array(self.rule.shares(self.sample.positive))[self.sample.positive.astype(np.intp)]

    def words(self, key: str) -> str:
        """Name of an estimate."""
        return LABELS[key].format(what=self.what)


def estimate_errors(ask: LossQuestion, apparent: Flags, called: Flags, gathered: Gathered) -> Errors:
    """Estimates from decisions on the training cases and on left-out ones, (replicates, cases)."""
    first, gamma = (
        ask.rule.mean_loss(ask.sample.positive, apparent),
        ask.rule.no_information(ask.sample.positive, apparent),
    )
    own = {
        "apparent": ask.maker.partial(
            ask.words("apparent"), first, build.NO_APPARENT_SE, METHODS["apparent"], mc_error=0.0
        )
    }
    if (reason := gathered.undefined_words(ask.sample)) is not None:
        others = [key for key in LABELS if key != "apparent"]
        estimates = {key: ask.maker.undefined(ask.words(key), reason, METHODS[key]) for key in others}
        return Errors(estimates=own | estimates, gamma=gamma, overfitting=None, dropped=0)
    found = left_out_loss(ask, called, gathered)
    return Errors(
        estimates=own | _estimates(ask, first, gamma, found),
        gamma=gamma,
        overfitting=float(family.overfitting_error(first, found.value, gamma)),
        dropped=found.dropped,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class LeftOutLoss:
    """Leave-one-out bootstrap loss, its spread, and the cases that no replicate left out."""

    value: float
    spread: Spread
    dropped: int


def left_out_loss(ask: LossQuestion, called: Flags, gathered: Gathered) -> LeftOutLoss:
    """Mean over the cases of the mean loss over the replicates that left each out ([1] eq. 14)."""
    out, positive = gathered.out, ask.sample.positive
    times = out.sum(axis=0)
    kept = times > 0
    losses = np.where(out, ask.rule.case_losses(positive, called), 0.0)
    mean = np.divide(losses.sum(axis=0), times, where=kept, out=np.zeros(len(times)))
    weight = _case_weights(positive, ask.shares, kept)
    value = float((weight * mean).sum())
    per_time = np.divide(weight, times, where=kept, out=np.zeros(len(times)))
    gradient = ((losses - out * mean) * per_time).sum(axis=1)
    own = weight * (mean - _centres(ask, weight, mean, value))
    found = spread(gathered.counts, own, gradient, strata=ask.strata)
    return LeftOutLoss(value=value, spread=found, dropped=int((~kept).sum()))


def _case_weights(positive: Flags, shares: Floats, kept: Flags) -> Floats:
    """Weight of each case: the share of its class over the number of its kept cases."""
    sizes = np.array([(kept & ~positive).sum(), (kept & positive).sum()])
    return np.asarray(kept * shares / sizes[positive.astype(np.intp)])


def _centres(ask: LossQuestion, weight: Floats, mean: Floats, value: float) -> Floats:
    """What the loss of a case is compared with: where the shares of the classes are fixed, its class."""
    if ask.strata == 1 and ask.rule.prevalence is None:
        return np.full(len(mean), value)
    centres = np.empty(len(mean))
    for rows in (ask.sample.positive, ~ask.sample.positive):
        centres[rows] = weight[rows] @ mean[rows] / weight[rows].sum()
    return centres


def _estimates(
    ask: LossQuestion, apparent: float, gamma: float, found: LeftOutLoss
) -> dict[str, BootstrapEstimate]:
    value, mc = found.value, found.spread.mc_error
    plain = float(family.point632(apparent, value))
    plus = float(family.point632plus_error(apparent, value, gamma))
    slope = float(family.plus_slope(family.overfitting_error(apparent, value, gamma)))
    given = {
        "left_out": (value, mc),
        "point632": (plain, family.LEFT_OUT_SHARE * mc),
        "point632plus": (plus, slope * mc),
    }
    return {
        key: ask.maker.with_se(
            ask.words(key),
            number,
            _scaled(found, number),
            METHODS[key],
            mc_error=mc_error,
            reason=ALIKE if found.spread.is_flat else build.HIDDEN,
            warnings=build.doubt_words(found.spread),
        )
        for key, (number, mc_error) in given.items()
    }


def _scaled(found: LeftOutLoss, number: float) -> float | None:
    """Efron and Tibshirani's scaling: standard errors go with the size of the error."""
    se = found.spread.se
    return None if se is None or found.value == 0 or number == 0 else se * number / found.value
