"""The weights of a preview, and their ratios, on which alone a combination depends."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocscope.binormal.joint import Floats, as_weights
from rocscope.core import checks

# The paper's grid: both weights from 0.1 to 1.0.
PAPER_GRID = np.arange(1, 11) / 10
# Ratios that differ by less are equal, and those with so small a denominator are taken as fractions.
SAME_RATIO = 1e-12
LARGEST_PART = 1000


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class WeightGrid:
    """Pairs of weights, and the different directions among them.

    Attributes
    ----------
    weights
        As they were given, (m, 2).
    directions
        One row for each different ratio, (d, 2): in the least whole numbers where the ratio is a simple
        fraction, so that sums of whole scores tie exactly as they should.
    index
        Direction of each pair.

    Examples
    --------
    >>> grid = WeightGrid.of([[0.1, 0.2], [0.5, 1.0], [0.3, 0.3]])
    >>> grid.directions.tolist(), grid.index.tolist()
    ([[1.0, 2.0], [1.0, 1.0]], [0, 0, 1])
    """

    weights: Floats
    directions: Floats
    index: NDArray[np.int64]

    @classmethod
    def of(cls, given: Any = None) -> WeightGrid:
        """Read pairs of weights, or one list of values that both weights take; the paper's where None."""
        pairs = _pairs(PAPER_GRID if given is None else given)
        seen: dict[tuple[float, float], int] = {}
        index = [seen.setdefault(_direction(*pair), len(seen)) for pair in as_weights(pairs, 2).tolist()]
        return cls(weights=pairs, directions=np.array(list(seen)), index=np.array(index, dtype=np.int64))

    def angles(self) -> Floats:
        """Angle of each direction in degrees: 0 is the first classifier alone, 90 the second."""
        return np.degrees(np.arctan2(self.directions[:, 1], self.directions[:, 0]))


def _pairs(given: Any) -> Floats:
    values = checks.as_array(given, name="weights")
    if values.ndim == 1 and values.dtype.kind in "iuf" and values.any():
        first, second = np.meshgrid(values.astype(np.float64), values.astype(np.float64), indexing="ij")
        pairs = np.stack([first.ravel(), second.ravel()], axis=1)
        values = given = pairs[(pairs != 0).any(axis=1)]
    as_weights(given, 2)  # refuses what are no weights
    return np.atleast_2d(values.astype(np.float64))


def _direction(first: float, second: float) -> tuple[float, float]:
    """The ratio as a pair of the least whole numbers, or of numbers up to 1 in size."""
    if 0 in (first, second):
        return float(np.sign(first)), float(np.sign(second))
    ratio = second / first
    simple = Fraction(ratio if math.isfinite(ratio) else 0).limit_denominator(LARGEST_PART)
    if abs(simple.numerator) <= LARGEST_PART and math.isclose(float(simple), ratio, rel_tol=SAME_RATIO):
        sign = math.copysign(1, first)
        return sign * simple.denominator, sign * simple.numerator
    digits = 1 - round(math.log10(SAME_RATIO))
    return float(f"{first:.{digits}g}"), float(f"{second:.{digits}g}")


# ---- How far two rankings agree ---------------------------------------------------------------------------


def kendall(x: Floats, y: Floats) -> float | None:
    """Kendall's tau-b; None where all values of one are equal.

    Examples
    --------
    >>> kendall(np.array([1.0, 2.0, 3.0]), np.array([1.0, 3.0, 2.0]))
    0.3333333333333333
    """
    agree = untied_x = untied_y = 0
    for k in range(len(x) - 1):
        dx, dy = np.sign(x[k + 1 :] - x[k]), np.sign(y[k + 1 :] - y[k])
        agree += int(dx @ dy)
        untied_x += int(dx @ dx)
        untied_y += int(dy @ dy)
    return agree / math.sqrt(untied_x * untied_y) if untied_x and untied_y else None


def spearman(x: Floats, y: Floats) -> float | None:
    """Spearman's correlation of midranks; None where all values of one are equal.

    Examples
    --------
    >>> spearman(np.array([1.0, 2.0, 2.0, 3.0]), np.array([10.0, 20.0, 20.0, 40.0]))
    1.0
    """
    a, b = (_midranks(values) - (len(values) - 1) / 2 for values in (x, y))
    spread = math.sqrt(float(a @ a) * float(b @ b))
    return float(a @ b) / spread if spread > 0 else None


def _midranks(values: Floats) -> Floats:
    ascending = np.sort(values)
    return np.asarray(
        (np.searchsorted(ascending, values, "left") + np.searchsorted(ascending, values, "right") - 1) / 2
    )
