"""Where two ROC curves cross, and which one lies above.

A curve that is nowhere below another is at least as good for every ratio of costs; curves that cross are
each preferred under different losses [1]_, and then a comparison of areas does not say which to take.

Seen along FPR + TPR a curve has no vertical steps: TPR - FPR is a function of it, linear between vertices.
Two curves cross where these functions do. Counts are brought to a common denominator, so that curves that
meet do so exactly.

References
----------
.. [1] Aslan, Yıldız, Alpaydın: Statistical comparison of classifiers using area under the ROC curve,
   Boğaziçi University, 2009, section II.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, ClassVar, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from rocscope.core import checks
from rocscope.core.curve import RocCurve
from rocscope.core.result import Result

Floats: TypeAlias = NDArray[np.float64]
Dominant: TypeAlias = Literal["first", "second", "equal"] | None

# Largest denominator whose products float64 holds exactly; beyond it Python's integers are used.
INT64_DENOMINATOR = 2**24
# Rates closer than this are equal where fractional weights leave no exact ones.
ROUNDING = 1e-12


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class CurveCrossings(Result):
    """Where two curves cross and which one is above in between.

    Attributes
    ----------
    fpr, tpr
        The crossings: points where the curve that was above comes to lie below. Where the curves run
        together before they part on the other side, the point where they meet. Curves that only touch,
        or run together for a while, do not cross.
    first_above, second_above, equal
        FPR intervals (low, high), one in each row, where the first is above, where the second is, and
        where they coincide; single points at which they touch do not cut an interval.
    dominant
        "first" or "second" if that curve is above somewhere and below nowhere, "equal" if the curves
        coincide, None if they cross.
    """

    view: ClassVar[str] = "roc_curves.crossings_picture"

    fpr: Floats
    tpr: Floats
    first_above: Floats
    second_above: Floats
    equal: Floats
    dominant: Dominant

    @classmethod
    def _complete(cls, fields: dict[str, Any]) -> dict[str, Any]:
        """Intervals have two columns even where there are none."""
        names = ("first_above", "second_above", "equal")
        return fields | {name: np.array(fields[name], dtype=np.float64).reshape(-1, 2) for name in names}

    def columns(self) -> dict[str, Any]:
        """Return one row per crossing."""
        return {"fpr": self.fpr, "tpr": self.tpr}

    def _summary(self) -> str:
        if self.dominant == "equal":
            return "The curves are equal"
        if self.dominant is not None:
            return f"The {self.dominant} curve is nowhere below the other"
        points = ", ".join(f"({x:.4f}, {y:.4f})" for x, y in zip(self.fpr, self.tpr, strict=True))
        return f"The curves cross at (FPR, TPR) = {points}"


@checks.known_arguments
def crossings(first: RocCurve, second: RocCurve) -> CurveCrossings:
    """Return where two ROC curves cross, and the FPR intervals where each is above.

    Parameters
    ----------
    first, second
        Curves of any samples; the work grows with the number of their vertices.

    Returns
    -------
    CurveCrossings
        Crossings of the piecewise linear curves, intervals, and which curve dominates.

    Examples
    --------
    >>> from rocscope import roc_curve
    >>> y = [1, 0, 1, 0]
    >>> result = crossings(roc_curve(y, [4, 3, 2, 1]), roc_curve(y, [2, 2, 2, 1]))
    >>> print(result)
    The curves cross at (FPR, TPR) = (0.2500, 0.5000)
    >>> result.second_above.tolist()
    [[0.25, 0.5]]
    """
    checks.check_instance(first, RocCurve, name="first")
    checks.check_instance(second, RocCurve, name="second")
    totals = [total for curve in (first, second) for total in (curve.n_pos, curve.n_neg)]
    # Common denominator of all rates; None where weights are fractional.
    denominator = math.lcm(*totals) if all(isinstance(total, int) for total in totals) else None
    one, two = (_turned(curve, denominator) for curve in (first, second))
    places = np.unique(np.concatenate([one[0], two[0]]))
    (num_a, den_a), (num_b, den_b) = _heights(*one, places), _heights(*two, places)
    exact = num_a * den_b - num_b * den_a
    if denominator is None:
        exact = np.where(np.abs(exact) <= ROUNDING, 0.0, exact)
    gap = (exact / (den_a * den_b)).astype(np.float64)
    scale = den_a * (2 * (denominator or 1))
    x, y = (((places * den_a + turn * num_a) / scale).astype(np.float64) for turn in (-1, 1))
    # The sign of the first minus the second; crossings are inserted between neighbours on different sides.
    sign = np.sign(gap).astype(np.int64)
    before = np.flatnonzero(sign[:-1] * sign[1:] < 0)
    share = gap[before] / (gap[before] - gap[before + 1])
    x, y = (np.insert(v, before + 1, v[before] + share * (v[before + 1] - v[before])) for v in (x, y))
    runs = _runs(np.insert(sign, before + 1, 0), x, y)
    leads = [run for run in runs if run.sign != 0]
    ends = [run for run, following in pairwise(leads) if run.sign != following.sign]
    above = {
        sign: np.array([(run.x_start, run.x_stop) for run in runs if run.sign == sign]).reshape(-1, 2)
        for sign in (1, -1, 0)
    }
    dominant: Dominant = "first" if len(above[1]) else "second" if len(above[-1]) else "equal"
    return CurveCrossings(
        fpr=np.array([run.x_stop for run in ends], dtype=np.float64),
        tpr=np.array([run.y_stop for run in ends], dtype=np.float64),
        first_above=above[1],
        second_above=above[-1],
        equal=above[0],
        dominant=None if len(above[1]) and len(above[-1]) else dominant,
    )


def _turned(curve: RocCurve, denominator: int | None) -> tuple[NDArray[Any], NDArray[Any]]:
    """FPR + TPR and TPR - FPR of a curve, both times the common denominator."""
    if denominator is None:
        return curve.fpr + curve.tpr, curve.tpr - curve.fpr
    dtype = np.int64 if denominator <= INT64_DENOMINATOR else object
    x = curve.fp.astype(dtype) * (denominator // curve.n_neg)
    y = curve.tp.astype(dtype) * (denominator // curve.n_pos)
    return x + y, y - x


def _heights(
    along: NDArray[Any], height: NDArray[Any], places: NDArray[Any]
) -> tuple[NDArray[Any], NDArray[Any]]:
    """Heights of a turned curve as numerators and denominators, which are 1 at vertices."""
    start = np.minimum(np.searchsorted(along, places, "right") - 1, len(along) - 2)
    beyond = places - along[start]
    width = along[start + 1] - along[start]
    rise = height[start + 1] - height[start]
    inside = (beyond > 0) & (beyond < width)
    ends = np.where(beyond == 0, height[start], height[start + 1])
    return np.where(inside, height[start] * width + rise * beyond, ends), np.where(inside, width, 1)


@dataclass(frozen=True, slots=True)
class _Run:
    """A stretch between two common points: the first above (1), the second (-1), or both the same (0)."""

    sign: int
    x_start: float
    x_stop: float
    y_stop: float


def _runs(sign: NDArray[np.int64], x: Floats, y: Floats) -> list[_Run]:
    """Stretches between points where the sign changes; common ones without width do not cut the others."""
    piece = np.where(sign[:-1] != 0, sign[:-1], sign[1:])
    starts = np.concatenate([[0], np.flatnonzero(piece[1:] != piece[:-1]) + 1])
    runs: list[_Run] = []
    for a, b in zip(starts, [*starts[1:], len(piece)], strict=True):
        run = _Run(int(piece[a]), float(x[a]), float(x[b]), float(y[b]))
        if run.sign == 0 and run.x_stop - run.x_start <= ROUNDING:
            continue
        if runs and runs[-1].sign == run.sign:
            runs[-1] = _Run(run.sign, runs[-1].x_start, run.x_stop, run.y_stop)
        else:
            runs.append(run)
    return runs
