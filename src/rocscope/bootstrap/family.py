"""The .632 family: apparent and left-out performance put together, for the AUC and for the error rate.

Every function takes numbers or arrays of one shape, so a whole simulation is one call.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from rocscope.bootstrap import result
from rocscope.bootstrap.result import BootstrapEstimate, Maker, Spread, spread
from rocscope.bootstrap.training import Gathered, LossRule, Sample
from rocscope.core import checks

Floats = NDArray[np.float64]
Rule: TypeAlias = Literal["yousef", "efron-tibshirani"]
RULES: Final = ("yousef", "efron-tibshirani")

# The shares that [1] and its forerunners print; 1 - exp(-1) = .63212 is what they round.
LEFT_OUT_SHARE: Final = 0.632
APPARENT_SHARE: Final = 0.368
# What an AUC is worth where scores know nothing of the class.
NO_INFORMATION_AUC: Final = 0.5


def point632(apparent: Any, left_out: Any) -> Floats:
    """Return .368 times the apparent value plus .632 times the left-out one ([1] eqs. 12 and 17).

    Examples
    --------
    >>> round(float(point632(0.9, 0.7)), 4)
    0.7736
    """
    return np.asarray(
        APPARENT_SHARE * np.asarray(apparent, np.float64) + LEFT_OUT_SHARE * np.asarray(left_out, np.float64)
    )


def overfitting_auc(
    apparent: Any, star: Any, *, gamma: float = NO_INFORMATION_AUC, rule: Rule = "yousef"
) -> Floats:
    """Return the relative overfitting R' of the AUC, from 0 to 1 ([1] eq. 19).

    Parameters
    ----------
    apparent, star
        Apparent AUC and AUC(*).
    gamma
        AUC where nothing is known.
    rule
        "yousef" follows [1]: R' is 0 unless apparent > star > gamma, so a classifier below chance has no
        overfitting. "efron-tibshirani" mirrors the error rate's rule: below chance R' is 1. The two
        differ only where star <= gamma < apparent; there the first one jumps.

    Returns
    -------
    array
        0 where apparent and star agree, also where both equal gamma (0/0).

    Examples
    --------
    >>> overfitting_auc(0.9, [0.7, 0.9, 0.4]).round(4).tolist()
    [0.5, 0.0, 0.0]
    >>> overfitting_auc(0.9, 0.4, rule="efron-tibshirani").tolist()
    1.0
    """
    checks.check_choice(rule, RULES, name="rule")
    low = gamma if rule == "yousef" else -np.inf
    return _ratio(apparent, star, gamma, (np.asarray(apparent) > star) & (np.asarray(star) > low))


def point632plus_auc(
    apparent: Any, star: Any, *, gamma: float = NO_INFORMATION_AUC, rule: Rule = "yousef"
) -> Floats:
    """Return the .632+ estimate of the AUC ([1] eqs. 18 and 19).

    See `overfitting_auc` for the parameters.

    Examples
    --------
    >>> round(float(point632plus_auc(0.9, 0.7)), 4)
    0.7451
    >>> float(point632plus_auc(0.5, 0.5))
    0.5
    """
    kept = np.maximum(star, gamma)  # AUC(*)' of [1] eq. 19
    rate = overfitting_auc(apparent, star, gamma=gamma, rule=rule)
    return _plus(apparent, star, kept, rate)


def no_information_error(true_share: Any, called_share: Any) -> Floats:
    """Return the error rate gamma of decisions that know nothing of the class.

    Parameters
    ----------
    true_share
        Share of the cases that are positive.
    called_share
        Share of the cases that are called positive.

    Examples
    --------
    >>> float(no_information_error(0.5, 0.3))
    0.5
    >>> round(float(no_information_error(0.2, 0.1)), 4)
    0.26
    """
    p, q = np.asarray(true_share, np.float64), np.asarray(called_share, np.float64)
    return np.asarray(p * (1 - q) + (1 - p) * q)


def overfitting_error(apparent: Any, left_out: Any, gamma: Any) -> Floats:
    """Return the relative overfitting R' of an error rate or a loss, from 0 to 1 ([1] eq. 15, its [7]).

    0 unless both the left-out error and gamma exceed the apparent error; 1 from gamma on.

    Examples
    --------
    >>> overfitting_error(0.1, [0.3, 0.1, 0.6], 0.5).round(4).tolist()
    [0.5, 0.0, 1.0]
    """
    counts = (np.asarray(left_out) > apparent) & (np.asarray(gamma) > apparent)
    return _ratio(apparent, left_out, gamma, counts)


def point632plus_error(apparent: Any, left_out: Any, gamma: Any) -> Floats:
    """Return the .632+ estimate of an error rate or a loss ([1] eq. 15).

    Parameters
    ----------
    apparent, left_out
        Apparent error and leave-one-out bootstrap error Err(1).
    gamma
        Error where nothing is known, see `no_information_error`.

    Examples
    --------
    >>> round(float(point632plus_error(0.1, 0.3, 0.5)), 4)
    0.2549
    """
    kept = np.minimum(left_out, gamma)
    return _plus(apparent, left_out, kept, overfitting_error(apparent, left_out, gamma))


def plus_slope(rate: Any) -> Floats:
    """Return by how much a .632+ estimate moves with the left-out one, at the overfitting rate R'.

    With R' < 1 the left-out value moves R' as well; at 1 it is held at gamma.

    Examples
    --------
    >>> plus_slope([0.0, 0.5, 1.0]).round(4).tolist()
    [0.632, 0.9492, 0.632]
    """
    rate = np.asarray(rate, np.float64)
    rest = 1 - APPARENT_SHARE * rate
    gained = APPARENT_SHARE * LEFT_OUT_SHARE * (rate / rest + rate / rest**2)
    return np.where(rate < 1, LEFT_OUT_SHARE + gained, LEFT_OUT_SHARE)


def _ratio(apparent: Any, left_out: Any, gamma: Any, counts: Any) -> Floats:
    """Share of the way from the apparent value to gamma that the left-out one has gone, at most all."""
    way = np.where(counts, np.asarray(gamma, np.float64) - apparent, 1.0)
    safe = np.where(way == 0, 1.0, way)
    gone = np.where(counts & (way != 0), np.asarray(left_out, np.float64) - apparent, 0.0) / safe
    return np.asarray(np.clip(gone, 0.0, 1.0))


def _plus(apparent: Any, left_out: Any, kept: Any, rate: Floats) -> Floats:
    """Add the correction for overfitting to the .632 estimate ([1] eqs. 15 and 18)."""
    factor = APPARENT_SHARE * LEFT_OUT_SHARE * rate / (1 - APPARENT_SHARE * rate)
    return np.asarray(point632(apparent, left_out) + (np.asarray(kept, np.float64) - apparent) * factor)


# ---- The same family for the error rate and for the expected loss ([1] eqs. 8 and 12 to 15) ---------------

Flags = NDArray[np.bool_]

METHODS = {
    "apparent": "on the training cases",
    "left_out": result.INFLUENCE,
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
            ask.words("apparent"), first, result.NO_APPARENT_SE, METHODS["apparent"], mc_error=0.0
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
        overfitting=float(overfitting_error(first, found.value, gamma)),
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
    plain = float(point632(apparent, value))
    plus = float(point632plus_error(apparent, value, gamma))
    slope = float(plus_slope(overfitting_error(apparent, value, gamma)))
    given = {
        "left_out": (value, mc),
        "point632": (plain, LEFT_OUT_SHARE * mc),
        "point632plus": (plus, slope * mc),
    }
    return {
        key: ask.maker.with_se(
            ask.words(key),
            number,
            _scaled(found, number),
            METHODS[key],
            mc_error=mc_error,
            reason=ALIKE if found.spread.is_flat else result.HIDDEN,
            warnings=result.doubt_words(found.spread),
        )
        for key, (number, mc_error) in given.items()
    }


def _scaled(found: LeftOutLoss, number: float) -> float | None:
    """Efron and Tibshirani's scaling: standard errors go with the size of the error."""
    se = found.spread.se
    return None if se is None or found.value == 0 or number == 0 else se * number / found.value
