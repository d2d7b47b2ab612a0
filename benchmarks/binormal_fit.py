"""Maximum-likelihood fits of the binormal curve to distinct scores, none of them binned, against a sort."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchmarks.ordinal import in_turn
from benchmarks.timing import Ratio
from rocscope.binormal.fit import fit_binormal

SMALL, LARGE = 100_000, 1_000_000
# A fit may take as long as so many sorts.
SORTS = 200


def scores(n: int, seed: int = 1) -> tuple[NDArray[Any], NDArray[Any]]:
    """Labels and distinct normal scores with different spreads."""
    rng = np.random.default_rng(seed)
    y = rng.integers(0, 2, n)
    return y, y + rng.normal(size=n) * (1 + 0.3 * y)


def skewed(n: int) -> tuple[NDArray[Any], NDArray[Any]]:
    """Scores that are not binormal by any map: the fit needs more steps."""
    rng = np.random.default_rng(2)
    y = rng.integers(0, 2, n)
    return y, np.where(y, rng.exponential(size=n), rng.random(n))


def ratios() -> Iterator[Ratio]:
    """Yield one ratio per task and peer."""
    times = {}
    for name, data in (
        (f"{SMALL:,} scores", scores(SMALL)),
        (f"{LARGE:,} scores", scores(LARGE)),
        (f"{SMALL:,} scores that are not binormal", skewed(SMALL)),
    ):
        ours, sort = in_turn(partial(fit_binormal, *data), partial(np.sort, data[1]), rounds=8)
        times[name] = ours
        yield Ratio(f"fit_binormal, {name}", f"{SORTS} np.sort", ours, SORTS * sort, 1)
    small, large = times[f"{SMALL:,} scores"], times[f"{LARGE:,} scores"]
    yield Ratio(
        f"fit_binormal, {LARGE:,} scores", f"{LARGE // SMALL} fits of {SMALL:,}", large, 10 * small, 0.5
    )
