"""The average of the rows: its shares, its interval, and why it may have none."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from rocscope.area.multiclass.bootstrap import bootstrap_multiclass
from rocscope.area.multiclass.placements import ClassSplit, Floats
from rocscope.area.multiclass.rows import (
    FEWEST,
    Interval,
    PairArea,
    Rows,
    few_words,
    finish,
    undefined,
    wald_interval,
    without_interval,
)
from rocscope.area.multiclass.sums import Influence
from rocscope.area.resampled import percentile_interval
from rocscope.core.checks import Alternative
from rocscope.core.resample import Rng

DROP = "missing='drop'"


@dataclass(frozen=True, slots=True)
class Averaging:
    """How the rows are averaged and the interval is made."""

    average: str
    method: str
    level: float
    alternative: Alternative
    n_boot: int
    rng: Rng


def average_shares(scheme: str, average: str, sizes: Sequence[int]) -> Floats | None:
    """Part of the average that A(i|j) makes up, (classes, classes): 0 on the diagonal, 1 in all.

    None where the average is undefined: a class has no members, or there is but one.
    """
    if len(sizes) < 2 or min(sizes) == 0:
        return None
    n = np.array(sizes, dtype=np.float64)
    of_class = n if average == "weighted" else np.ones(n.size)
    if scheme == "ovo":
        shares = of_class[:, None] + of_class
    else:
        # The area against the rest is the mean of A(i|j) by the number of cases of each j.
        shares = of_class[:, None] * n / (n.sum() - n)[:, None]
    shares[np.diag_indices(n.size)] = 0.0
    return np.asarray(shares / shares.sum())


def average_rows(
    rows: Rows, sizes: Mapping[Any, int], split: ClassSplit, influence: Influence | None, how: Averaging
) -> dict[str, Any]:
    """Fields of the average, undefined where `influence` is."""
    ask: dict[str, Any] = {"method": how.method, "level": how.level, "alternative": how.alternative}
    if influence is None:
        return undefined(_undefined_words(rows, sizes), **ask)
    value = _mean(rows, how.average)
    if min(split.sizes) < FEWEST:
        return without_interval(value, _few_words(sizes), **ask)
    if how.method == "bootstrap":
        replicates = bootstrap_multiclass(split, influence.shares, n_boot=how.n_boot, rng=how.rng)
        se, interval = float(replicates.std(ddof=1)), partial(_percentiles, replicates, how)
    else:
        se = math.sqrt(influence.variance())
        interval = partial(wald_interval, how.method, value, se, how.level, how.alternative)
    fields = finish(value, se, interval, smallest=min(split.sizes), **ask)
    return fields | {"warnings": fields["warnings"] + _dropped_words(rows, sizes)}


def _mean(rows: Rows, average: str) -> float:
    """Average of the rows that have a value; rows of exactly 1 average to exactly 1."""
    found = [(row.n_cases if average == "weighted" else 1, row.value) for row in rows]
    defined = [(weight, value) for weight, value in found if value is not None]
    return math.fsum(weight * value for weight, value in defined) / sum(weight for weight, _ in defined)


def _percentiles(replicates: Floats, how: Averaging) -> Interval:
    low, high = percentile_interval(
        replicates, level=how.level, alternative=how.alternative, bounds=(0.0, 1.0)
    )
    return float(low), float(high)


def _few_words(sizes: Mapping[Any, int]) -> str:
    others = sum(n >= FEWEST for n in sizes.values())
    hint = f"; {DROP} leaves such classes out" if others > 1 else ""
    return f"the variance needs two cases in each class, {few_words(sizes)}{hint}"


def _undefined_words(rows: Rows, sizes: Mapping[Any, int]) -> str:
    if sum(n >= FEWEST for n in sizes.values()) < 2:
        return f"fewer than two classes have two members: {few_words(sizes)}"
    return f"{_how_many(rows)} undefined: {few_words(sizes)}; {DROP} leaves them out"


def _dropped_words(rows: Rows, sizes: Mapping[Any, int]) -> tuple[str, ...]:
    few = few_words(sizes)
    return (f"{_how_many(rows)} left out: {few}",) if few else ()


def _how_many(rows: Rows) -> str:
    n = sum(row.value is None for row in rows)
    kind = "pairs of classes" if isinstance(rows[0], PairArea) else "classes"
    return f"{n} of {len(rows)} {kind} {'is' if n == 1 else 'are'}"
