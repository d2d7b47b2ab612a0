"""Best and worst weights of a preview, and how far its columns agree."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from rocscope.area.resampled import percentile_interval
from rocscope.binormal.fusion_grid import WeightGrid, kendall, spearman
from rocscope.binormal.fusion_resampled import FEWEST, Uncertainty
from rocscope.binormal.fusion_result import COLUMNS, FusionAgreement, FusionChoice
from rocscope.binormal.joint import Floats

PAIRS = (("independent", "empirical"), ("correlated", "empirical"), ("independent", "correlated"))


def choices(grid: WeightGrid, values: Floats, unsure: Uncertainty, sign: int) -> tuple[FusionChoice, ...]:
    """Best and worst direction by each column of (directions, 3); of equal ones the first."""
    return tuple(_choice(grid, values, unsure, k, sign, kind) for k in range(3) for kind in ("best", "worst"))


def _choice(
    grid: WeightGrid, values: Floats, unsure: Uncertainty, k: int, sign: int, kind: str
) -> FusionChoice:
    if np.isnan(values[:, k]).any():
        return _no_choice(COLUMNS[k], kind)
    merit, counted = sign * values[:, k], sign * values[:, 2]
    at = int(np.argmax(merit) if kind == "best" else np.argmin(merit))
    same = grid.index == at
    first, second = grid.weights[np.argmax(same)].tolist()
    share = float(unsure.chosen[at, k])
    return FusionChoice(
        by=COLUMNS[k],
        kind=kind,
        weight_a=first,
        weight_b=second,
        value=float(values[at, k]),
        empirical=float(values[at, 2]),
        loss=float(counted.max() - counted[at]),
        n_equal=int(same.sum()),
        share=None if np.isnan(share) or kind == "worst" else share,
    )


def _no_choice(by: str, kind: str) -> FusionChoice:
    nothing = dict.fromkeys(("weight_a", "weight_b", "value", "empirical", "loss", "share"))
    return FusionChoice(by=by, kind=kind, n_equal=0, **nothing)


def agreement(grid: WeightGrid, values: Floats, draws: Floats, level: float) -> tuple[FusionAgreement, ...]:
    """Rank correlations of every two columns over directions, and errors over pairs of weights."""
    found = []
    for pair in PAIRS:
        i, j = (COLUMNS.index(name) for name in pair)
        low, high = _error_interval(grid, draws[:, i] - draws[:, j], level)
        figures = _errors(values[grid.index, i] - values[grid.index, j]) | _ranks(values[:, i], values[:, j])
        figures |= {"low": low, "high": high}
        found.append(FusionAgreement(first=pair[0], second=pair[1], **figures, reason=_reason(figures)))
    return tuple(found)


def _reason(figures: Mapping[str, float | None]) -> str | None:
    """Why a figure of an agreement is None."""
    if figures["mean_error"] is None:
        return "one of the columns has no value at some weights"
    reasons = []
    if figures["kendall"] is None:
        reasons.append("a column with one value alone has no ranks")
    if figures["low"] is None:
        reasons.append("too few bootstrap samples have a value at all weights")
    return "; ".join(reasons) or None


def _errors(error: Floats) -> dict[str, float | None]:
    if np.isnan(error).any():
        return dict.fromkeys(("mean_error", "mean_abs_error", "max_abs_error"))
    size = np.abs(error)
    return {
        "mean_error": float(error.mean()),
        "mean_abs_error": float(size.mean()),
        "max_abs_error": float(size.max()),
    }


def _ranks(x: Floats, y: Floats) -> dict[str, float | None]:
    if np.isnan(x).any() or np.isnan(y).any():
        return dict.fromkeys(("kendall", "spearman"))
    return {"kendall": kendall(x, y), "spearman": spearman(x, y)}


def _error_interval(grid: WeightGrid, differences: Floats, level: float) -> tuple[float | None, float | None]:
    """Bootstrap interval of the mean difference of two columns over the pairs of weights."""
    means = differences[:, grid.index].mean(axis=1)
    means = means[~np.isnan(means)]
    if len(means) < FEWEST:
        return None, None
    low, high = percentile_interval(means, level=level)
    return float(low), float(high)
