"""Where two ROC curves cross, and which one lies above.

A curve that is nowhere below another is at least as good for every ratio of costs; curves that cross are
each preferred under different losses [1]_, and then a comparison of areas does not tell which to take.

Seen along FPR + TPR a curve has no vertical steps: TPR - FPR is a function of it, linear between vertices.
Two curves cross where these functions do. Counts are brought to a common denominator, so that curves that
meet are found to meet exactly.

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


def crossings(first: RocCurve, second: RocCurve) -> CurveCrossings:
    """Find where two ROC curves cross, and the FPR intervals where each is above.

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
    >>> found = crossings(roc_curve(y, [4, 3, 2, 1]), roc_curve(y, [2, 2, 2, 1]))
    >>> print(found)
    The curves cross at (FPR, TPR) = (0.2500, 0.5000)
    >>> found.second_above.tolist()
    [[0.25, 0.5]]
    """
    checks.check_instance(first, RocCurve, name="first")
    checks.check_instance(second, RocCurve, name="second")
    denominator = _denominator(first, second)
    one, two = (_turned(curve, denominator) for curve in (first, second))
    path = _common_path(one, two, denominator)
    runs = _merge(_runs(path))
    points = [(a.x_stop, a.y_stop) for a in _leads_that_end(runs)]
    above = {sign: [(run.x_start, run.x_stop) for run in runs if run.sign == sign] for sign in (1, -1, 0)}
    return CurveCrossings(
        fpr=np.array([x for x, _ in points], dtype=np.float64),
        tpr=np.array([y for _, y in points], dtype=np.float64),
        first_above=_as_rows(above[1]),
        second_above=_as_rows(above[-1]),
        equal=_as_rows(above[0]),
        dominant=_dominant(bool(above[1]), bool(above[-1])),
    )


def _dominant(first: bool, second: bool) -> Dominant:
    if first and second:
        return None
    return "first" if first else "second" if second else "equal"


def _as_rows(intervals: list[tuple[float, float]]) -> Floats:
    return np.array(intervals, dtype=np.float64).reshape(-1, 2)


@dataclass(frozen=True, slots=True)
class _Turned:
    """A curve as TPR - FPR over FPR + TPR, both times the common denominator."""

    along: NDArray[Any]
    height: NDArray[Any]

    def at(self, places: NDArray[Any]) -> tuple[NDArray[Any], NDArray[Any]]:
        """Heights as numerators and denominators, which are 1 at vertices."""
        start = np.minimum(np.searchsorted(self.along, places, "right") - 1, len(self.along) - 2)
        beyond = places - self.along[start]
        width = self.along[start + 1] - self.along[start]
        rise = self.height[start + 1] - self.height[start]
        inside = (beyond > 0) & (beyond < width)
        ends = np.where(beyond == 0, self.height[start], self.height[start + 1])
        slanted = self.height[start] * width + rise * beyond
        return np.where(inside, slanted, ends), np.where(inside, width, 1)


def _denominator(first: RocCurve, second: RocCurve) -> int | None:
    """Common denominator of all rates; None where weights are fractional."""
    totals = [total for curve in (first, second) for total in (curve.n_pos, curve.n_neg)]
    return math.lcm(*totals) if all(isinstance(total, int) for total in totals) else None


def _turned(curve: RocCurve, denominator: int | None) -> _Turned:
    if denominator is None:
        return _Turned(curve.fpr + curve.tpr, curve.tpr - curve.fpr)
    dtype = np.int64 if denominator <= INT64_DENOMINATOR else object
    counts = curve.confusion()[:, :, 1].astype(dtype)
    x = counts[:, 0] * (denominator // curve.n_neg)
    y = counts[:, 1] * (denominator // curve.n_pos)
    return _Turned(x + y, y - x)


@dataclass(frozen=True, slots=True)
class _Path:
    """Points along both curves; between neighbours neither bends and they do not cross.

    `gap` is the sign of the first minus the second; where it is 0, (x, y) is a common point.
    """

    gap: NDArray[np.int64]
    x: Floats
    y: Floats


def _common_path(one: _Turned, two: _Turned, denominator: int | None) -> _Path:
    places = np.unique(np.concatenate([one.along, two.along]))
    (num_a, den_a), (num_b, den_b) = one.at(places), two.at(places)
    exact = num_a * den_b - num_b * den_a
    if denominator is None:
        exact = np.where(np.abs(exact) <= ROUNDING, 0.0, exact)
    gap = (exact / (den_a * den_b)).astype(np.float64)
    scale = den_a * (2 * (denominator or 1))
    x, y = (((places * den_a + turn * num_a) / scale).astype(np.float64) for turn in (-1, 1))
    return _with_crossings(np.sign(gap).astype(np.int64), gap, x, y)


def _with_crossings(sign: NDArray[np.int64], gap: Floats, x: Floats, y: Floats) -> _Path:
    """Insert the points between neighbours on different sides."""
    before = np.flatnonzero(sign[:-1] * sign[1:] < 0)
    share = gap[before] / (gap[before] - gap[before + 1])
    x_new, y_new = (v[before] + share * (v[before + 1] - v[before]) for v in (x, y))
    return _Path(
        np.insert(sign, before + 1, 0), np.insert(x, before + 1, x_new), np.insert(y, before + 1, y_new)
    )


@dataclass(frozen=True, slots=True)
class _Run:
    """A stretch between two common points: the first above (1), the second (-1), or both the same (0)."""

    sign: int
    x_start: float
    x_stop: float
    y_stop: float


def _runs(path: _Path) -> list[_Run]:
    """Stretches between points where the sign of the pieces changes."""
    piece = np.where(path.gap[:-1] != 0, path.gap[:-1], path.gap[1:])
    starts = np.concatenate([[0], np.flatnonzero(piece[1:] != piece[:-1]) + 1])
    stops = np.concatenate([starts[1:], [len(piece)]])
    return [
        _Run(int(piece[a]), float(path.x[a]), float(path.x[b]), float(path.y[b]))
        for a, b in zip(starts, stops, strict=True)
    ]


def _merge(runs: list[_Run]) -> list[_Run]:
    """Drop common stretches without width, and join what they parted."""
    merged: list[_Run] = []
    for run in runs:
        if run.sign == 0 and run.x_stop - run.x_start <= ROUNDING:
            continue
        if merged and merged[-1].sign == run.sign:
            merged[-1] = _Run(run.sign, merged[-1].x_start, run.x_stop, run.y_stop)
        else:
            merged.append(run)
    return merged


def _leads_that_end(runs: list[_Run]) -> list[_Run]:
    """Runs after which the other curve is the next to lead."""
    leads = [run for run in runs if run.sign != 0]
    return [run for run, following in pairwise(leads) if run.sign != following.sign]
