"""Where the search for the maximum starts: a line near the normal deviates, and cut-points for it."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from scipy import special

from rocscope.binormal.categories import Categories
from rocscope.binormal.likelihood import Counts, Floats

SLOPES = (0.01, 100.0)
# With more points than this, those with a rate of 0 or 1 are left out instead of being moved inside.
ENOUGH = 5
# Reach and number of the places at which the pooled distribution is tabulated for the cut-points.
REACH, PLACES = 10.0, 2001


def start_line(categories: Categories) -> tuple[float, float]:
    """Intercept and slope of a line near all points, to start a search from; NaN without a slope.

    Rates of 0 and 1 have no deviate. They are left out where more than five points remain, and otherwise
    taken as half a case, so that few points still make a line. The fit by least squares leaves them out
    always (`least_squares`).
    """
    fpr, tpr = categories.rates()
    inside = (fpr > 0) & (fpr < 1) & (tpr > 0) & (tpr < 1)
    if np.count_nonzero(inside) > ENOUGH:
        fpr, tpr = fpr[inside], tpr[inside]
    return regression_line(
        *(
            special.ndtri(np.clip(rates, 0.5 / n, 1 - 0.5 / n))
            for rates, n in ((fpr, categories.n_neg), (tpr, categories.n_pos))
        )
    )


def regression_line(x: Floats, y: Floats) -> tuple[float, float]:
    """Intercept and slope of the unweighted regression of y on x; NaN where all x are equal."""
    spread = x - x.mean()
    with np.errstate(invalid="ignore", divide="ignore"):
        slope = float((spread * y).sum() / (spread * spread).sum())
    return float(y.mean() - slope * x.mean()), slope


def starts(categories: Categories) -> Iterator[tuple[float, float]]:
    """Curves to start from: the line, then curves of its area with slopes 1/2 and 2."""
    a, b = start_line(categories)
    if not np.isfinite([a, b]).all() or b <= 0:
        a, b = 0.0, 1.0
    b = min(max(b, SLOPES[0]), SLOPES[1])
    yield a, b
    deviate = a / np.hypot(1.0, b)
    for slope in (0.5, 2.0):
        yield float(deviate * np.hypot(1.0, slope)), slope


def cutpoints_for(a: float, b: float, neg: Counts, pos: Counts) -> Floats:
    """Cut-points at which both classes together have as many cases below as the data.

    They solve n_neg Phi(t) + n_pos Phi(b t - a) = cases below. In narrow categories that is the maximum for
    given a and b but for a share of one over the root of the number of cases, so few Newton steps follow.
    """
    z = np.linspace(-REACH, REACH, PLACES)
    places = np.sort(np.concatenate([z, (z + a) / b]))
    pooled = neg.sum() * special.ndtr(places) + pos.sum() * special.ndtr(b * places - a)
    cutpoints = np.interp(np.cumsum(neg + pos)[:-1], pooled, places)
    return _rising(cutpoints)


def _rising(cutpoints: Floats) -> Floats:
    """Pull apart cut-points that fell together where a poor curve leaves no cases between them."""
    if bool((np.diff(cutpoints) > 0).all()):
        return cutpoints
    step = 1e-6 * (1 + np.abs(cutpoints).max())
    return np.asarray(np.maximum.accumulate(cutpoints) + step * np.arange(len(cutpoints)))
