"""The estimates of the AUC, and those of the error rate or the expected loss, from trained replicates.

References
----------
.. [1] Yousef, Wagner, Loew: Comparison of non-parametric methods for assessing classifier performance in
   terms of ROC parameters, AIPR 2004.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from rocscope.bootstrap import point632
from rocscope.bootstrap.left_out import LeftOut, Spread, left_out_loss, pair_sums, spread
from rocscope.core import significance
from rocscope.core.result import Estimate
from rocscope.core.table import BELOW
from rocscope.training.datasets import Dataset
from rocscope.training.fitting import Flags, Floats, area

# Standard errors less certain than this have a warning.
DOUBTFUL = 0.2
UNIT = (0.0, 1.0)

INFLUENCE = "influence function"
AREA_LABELS = {
    "apparent": ("apparent AUC", "on the training cases"),
    "leave_pair_out": ("leave-pair-out AUC", INFLUENCE),
    "star": ("AUC(*)", f"{INFLUENCE} of leave-pair-out"),
    "point632": (".632 AUC", "leave-pair-out, scaled"),
    "point632plus": (".632+ AUC", "leave-pair-out, scaled"),
}
LOSS_LABELS = {
    "apparent": ("apparent", "on the training cases"),
    "left_out": ("leave-one-out bootstrap", INFLUENCE),
    "point632": (".632", "leave-one-out bootstrap, scaled"),
    "point632plus": (".632+", "leave-one-out bootstrap, scaled"),
}
SEPARATED = (
    "every replicate separates its left-out classes: the interval is the exact bound of one fixed classifier "
    "with an area of {value:g}"
)
NO_APPARENT_SE = "no standard error is known for the performance on the training cases themselves"
HIDDEN = "the noise of the replicates hides the variance: more of them would show it"
UNSURE = "the standard error is itself uncertain by {share:.0%}: more replicates settle it"
SAME_AREAS = "all replicates have the same area, so the data show no variance"
SAME_DECISIONS = "all left-out cases of a class were decided alike, so the data show no variance"


@dataclass(frozen=True, slots=True, kw_only=True)
class BootstrapEstimate(Estimate):
    """An estimate and its Monte-Carlo error.

    Attributes
    ----------
    mc_error
        Standard deviation of the value over repeated bootstraps (or deals of folds) of the same data: what
        more replicates would take away. 0 where nothing is drawn, None where it is not known.
    """

    mc_error: float | None = None


def make_estimate(
    label: tuple[str, str],
    value: float | None,
    level: float,
    *,
    se: float | None = None,
    ends: tuple[float, float] | None = None,
    bounds: tuple[float, float] = UNIT,
    mc_error: float | None = None,
    reason: str | None = None,
    warnings: tuple[str, ...] = (),
) -> BootstrapEstimate:
    """An estimate by name and method; without a value undefined, without an interval partial for `reason`.

    A standard error gives a normal interval within the bounds.
    """
    if value is not None and se is not None:
        ends = significance.interval(value, se, level=level, bounds=bounds)
    low, high = (None, None) if ends is None else ends
    return BootstrapEstimate(
        name=label[0],
        value=value,
        se=se,
        low=low,
        high=high,
        level=level,
        method=label[1],
        status="undefined" if value is None else "partial" if ends is None else "ok",
        reason=reason if ends is None else None,
        warnings=warnings,
        mc_error=mc_error,
    )


def _doubts(spread_of: Spread) -> tuple[str, ...]:
    """A warning where the replicates are too few for a standard error to be relied upon."""
    return (UNSURE.format(share=spread_of.doubt),) if spread_of.doubt > DOUBTFUL else ()


# ---- The AUC ----------------------------------------------------------------------------------------------


def estimate_areas(
    data: Dataset,
    apparent_scores: Floats | None,
    left_out: LeftOut,
    *,
    strata: int,
    rule: point632.Rule,
    level: float,
    refusal: str | None = None,
) -> dict[str, Any]:
    """The fields of `BootstrapAuc` that follow from the scores of the training cases and of left-out ones."""
    reason = refusal or left_out.undefined_reason(data)
    estimates = {
        name: make_estimate(label, None, level, reason=reason) for name, label in AREA_LABELS.items()
    }
    nothing: dict[str, Any] = {"overfitting": None, "replicates": np.empty(0), "dropped_pairs": 0}
    if refusal is not None or apparent_scores is None:
        return estimates | nothing
    apparent = area(apparent_scores, data.positive)
    estimates["apparent"] = make_estimate(
        AREA_LABELS["apparent"],
        apparent,
        level,
        mc_error=0.0,
        reason=NO_APPARENT_SE,
        warnings=(BELOW,) if apparent < 0.5 else (),
    )
    if reason is not None or left_out.scores is None:
        return estimates | nothing
    positive = data.positive
    sums = pair_sums(left_out.scores[:, positive], left_out.scores[:, ~positive])
    parts = np.empty(data.size)
    parts[positive], parts[~positive] = sums.pos_part, sums.neg_part
    variation = spread(left_out.counts, parts, sums.gradient, strata=strata)
    star = float(sums.replicates.mean())  # [1] eq. 16
    star_mc = float(sums.replicates.std(ddof=1) / np.sqrt(len(sums.replicates)))
    plain = float(point632.point632(apparent, star))
    plus = float(point632.point632plus_auc(apparent, star, rule=rule))
    overfitting = float(point632.overfitting_auc(apparent, star, rule=rule))
    # Efron and Tibshirani's scaling: standard errors go with the distance from a perfect 1.
    scales = {"point632": 1 - plain, "point632plus": 1 - plus}
    values = {
        "leave_pair_out": (sums.value, variation.mc_error),
        "star": (star, star_mc),
        "point632": (plain, point632.LEFT_OUT_SHARE * star_mc),
        "point632plus": (plus, float(point632.plus_slope(overfitting)) * star_mc),
    }
    for name, (value, mc_error) in values.items():
        notes: tuple[str, ...] = (BELOW,) if value < 0.5 else ()
        if name == "point632plus":
            notes += _plus_notes(apparent, star, plain, rule)
        if sums.value in UNIT and value == sums.value:
            # Disjoint pairs are right with probability A each, so all are with at most A^min(m, n).
            bound = ((1 - level) / 2) ** (1 / data.smallest)
            estimates[name] = make_estimate(
                (AREA_LABELS[name][0], "exact bound"),
                value,
                level,
                ends=(bound, 1.0) if value == 1 else (0.0, 1 - bound),
                mc_error=0.0,
                warnings=(*notes, SEPARATED.format(value=value)),
            )
            continue
        scale = (scales[name] / (1 - star) if star < 1 else 0.0) if name in scales else 1.0
        se = None if scale == 0 or variation.se is None else variation.se * scale
        estimates[name] = make_estimate(
            AREA_LABELS[name],
            value,
            level,
            se=se,
            mc_error=mc_error,
            reason=SAME_AREAS if variation.is_flat else HIDDEN,
            warnings=notes if se is None else (*_doubts(variation), *notes),
        )
    return estimates | {
        "overfitting": overfitting,
        "replicates": sums.replicates,
        "dropped_pairs": sums.dropped,
    }


def _plus_notes(apparent: float, star: float, plain: float, rule: point632.Rule) -> tuple[str, ...]:
    """Where a condition of [1] eq. 19 decided."""
    if apparent == star:
        return ("AUC(*) equals the apparent AUC, R' would be 0/0: it is 0, no overfitting",)
    if apparent < star:
        return ("AUC(*) exceeds the apparent AUC: R' is 0, no overfitting",)
    if star > point632.NO_INFORMATION_AUC:
        return ()
    if rule == "yousef":
        other = point632.point632plus_auc(apparent, star, rule="efron-tibshirani")
        return (
            f"AUC(*) is not above chance: R' is 0 and .632+ equals .632, {plain:.4f}; "
            f"the rule of Efron and Tibshirani sets R' to 1 and gives {float(other):.4f}",
        )
    return ("AUC(*) is not above chance: R' is 1",)


# ---- The error rate and the expected loss ([1] eqs. 8 and 12 to 15) ---------------------------------------


def estimate_losses(
    name: str,
    data: Dataset,
    rule: point632.LossRule,
    apparent_decisions: Flags | None,
    decided: Flags,
    left_out: LeftOut,
    *,
    strata: int,
    level: float,
) -> dict[str, Any]:
    """The fields of `ErrorEstimates` that follow from decisions on the training cases and on left-out ones.

    `decided` is (replicates, cases).
    """
    positive, bounds = data.positive, (0.0, max(map(max, rule.cost)))
    labels = {key: (f"{label} {name}", method) for key, (label, method) in LOSS_LABELS.items()}
    own = np.asarray(apparent_decisions)
    apparent, gamma = rule.mean_loss(positive, own), rule.no_information(positive, own)
    reason = left_out.undefined_reason(data)
    estimates = {key: make_estimate(label, None, level, reason=reason) for key, label in labels.items()}
    estimates["apparent"] = make_estimate(
        labels["apparent"], apparent, level, mc_error=0.0, reason=NO_APPARENT_SE
    )
    fields = {"gamma": gamma, "cost": rule.cost, "prevalence": rule.shares(positive)[1]}
    if reason is not None:
        return estimates | fields | {"overfitting": None, "dropped": 0}
    loss = left_out_loss(rule, positive, decided, left_out.counts, strata=strata)
    overfitting, mc = float(point632.overfitting_error(apparent, loss.value, gamma)), loss.spread.mc_error
    values = {
        "left_out": (loss.value, mc),
        "point632": (float(point632.point632(apparent, loss.value)), point632.LEFT_OUT_SHARE * mc),
        "point632plus": (
            float(point632.point632plus_error(apparent, loss.value, gamma)),
            float(point632.plus_slope(overfitting)) * mc,
        ),
    }
    for key, (value, mc_error) in values.items():
        se = loss.spread.se
        # Efron and Tibshirani's scaling: standard errors go with the size of the error.
        se = None if se is None or loss.value == 0 or value == 0 else se * value / loss.value
        estimates[key] = make_estimate(
            labels[key],
            value,
            level,
            se=se,
            bounds=bounds,
            mc_error=mc_error,
            reason=SAME_DECISIONS if loss.spread.is_flat else HIDDEN,
            warnings=_doubts(loss.spread),
        )
    return estimates | fields | {"overfitting": overfitting, "dropped": loss.dropped}
