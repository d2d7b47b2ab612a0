"""Pearson's test of the binormal model.

Neighbouring scores are pooled by their rank in both classes together, until the fitted curve lets each class
expect enough cases in every pool; the curve is then fitted to the pools. Pools that end where the class
changes, or the curve of the single scores, would make the test reject too often: 7 to 17 percent of curves
that are binormal, at a level of 5 (docs/binormal_fit.md).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray
from scipy import special

from rocscope.binormal.categories import Categories
from rocscope.binormal.curve import Binormal
from rocscope.binormal.likelihood import Floats
from rocscope.binormal.start import cutpoints_for
from rocscope.core.result import TestResult

MIN_EXPECTED = 5.0
# Many cases would make very many pools, each of which sees little: so many at most, from so many pieces.
MAX_POOLS, PIECES = 100, 2000
# The two parameters of a curve.
CURVE = 2


def pearson_test(
    fit: Binormal,
    categories: Categories,
    refit: Callable[[Categories], Binormal],
    *,
    min_expected: float = MIN_EXPECTED,
) -> TestResult:
    """Pearson's chi-square over both classes and all pools.

    Parameters
    ----------
    fit
        The curve by which pools are made.
    categories
        Counts at every distinct score.
    refit
        Fits a curve to the pools.
    min_expected
        Cases that each class must expect in a pool; 0 pools nothing.

    Returns
    -------
    TestResult
        With K' pools there are 2 (K' - 1) free counts, of which K' - 1 cut-points and two parameters of the
        curve are fitted: K' - 3 degrees of freedom. Undefined where fewer than one is left.
    """
    pools = pooled(categories, *fit.parameters(), min_expected) if min_expected > 0 else categories
    df = len(pools) - 1 - CURVE
    if df < 1:
        return _test(None, None, None, f"{len(pools)} pooled categories leave no degree of freedom")
    again = refit(pools)
    if again.cutpoints is None:
        return _test(None, None, None, f"the pooled categories are {again.status}: {again.reason}")
    statistic = pearson_statistic(pools, again.cutpoints, *again.parameters())
    return _test(statistic, float(df), float(special.chdtrc(df, statistic)), None)


def pearson_statistic(categories: Categories, cutpoints: Floats, a: float, b: float) -> float:
    """Sum of (observed - expected)^2 / expected over the categories of both classes."""
    observed = np.stack([categories.neg, categories.pos])
    expected = expected_counts(categories, cutpoints, a, b)
    return float(((observed - expected) ** 2 / expected).sum())


def expected_counts(categories: Categories, cutpoints: Floats, a: float, b: float) -> Floats:
    """Fitted cases of both classes in every category."""
    below = np.stack([special.ndtr(cutpoints), special.ndtr(b * cutpoints - a)])
    sizes = np.array([[categories.n_neg], [categories.n_pos]])
    return np.asarray(sizes * np.diff(below, prepend=0.0, append=1.0))


def pooled(categories: Categories, a: float, b: float, min_expected: float) -> Categories:
    """Neighbours joined until each class expects enough cases in every pool."""
    if len(categories) > PIECES:
        pieces = np.linspace(0, len(categories), PIECES, endpoint=False, dtype=np.int64)
        categories = joined(categories, pieces)
    if len(categories) == 1:
        return categories
    cutpoints = cutpoints_for(a, b, categories.neg, categories.pos)
    least = [max(min_expected, n / MAX_POOLS) for n in (categories.n_neg, categories.n_pos)]
    return joined(categories, pool_starts(expected_counts(categories, cutpoints, a, b), least))


def joined(categories: Categories, starts: NDArray[np.int64]) -> Categories:
    """The counts of each start and of all categories up to the next one, added up."""
    return Categories(
        neg=np.add.reduceat(categories.neg, starts),
        pos=np.add.reduceat(categories.pos, starts),
        boundaries=categories.boundaries[starts[1:] - 1],
    )


def pool_starts(expected: Floats, least: Sequence[float]) -> NDArray[np.int64]:
    """First category of each pool that expects at least so many cases of either class, from the left.

    What is left at the end joins the last pool.

    Examples
    --------
    >>> pool_starts(np.array([[3.0, 3.0, 4.0, 4.0, 1.0], [6.0, 6.0, 6.0, 1.0, 1.0]]), [5, 5]).tolist()
    [0, 2]
    """
    below = np.concatenate([np.zeros((len(expected), 1)), np.cumsum(expected, axis=1)], axis=1)
    starts = [0]
    while True:
        wanted = zip(below, least, strict=True)
        end = max(int(np.searchsorted(row, row[starts[-1]] + enough)) for row, enough in wanted)
        if end >= expected.shape[1]:
            break
        starts.append(end)
    if end > expected.shape[1] and len(starts) > 1:
        starts.pop()
    return np.array(starts)


def _test(statistic: float | None, df: float | None, p_value: float | None, reason: str | None) -> TestResult:
    return TestResult(
        name="goodness of fit",
        method="pearson",
        statistic=statistic,
        df=df,
        p_value=p_value,
        alternative="greater",
        status="ok" if reason is None else "undefined",
        reason=reason,
    )
