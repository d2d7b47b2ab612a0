"""The search for the maximum: Newton steps that never go down.

For fixed a and b the log-likelihood is concave in the cut-points, so their part of the information is
positive definite everywhere. What is left for (a, b) is a 2 x 2 matrix; where it is not positive definite,
its eigenvalues are made so. Every direction therefore leads upwards, and steps are shortened until they do.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from rocscope.binormal.information import Evaluation, evaluate, inner, solve_upwards
from rocscope.binormal.likelihood import MANY, Counts, Floats

MAX_STEPS = 200
MAX_HALVINGS = 50
# Twice the expected gain of a step after which the maximum is reached: the step squares what error is left.
# With very many categories that is below all rounding sooner.
TOLERANCE, TOLERANCE_OF_MANY = 1e-12, 1e-9
# Share of the expected gain that a step must bring.
SUFFICIENT = 1e-4
# A step ends this far before two cut-points meet, or before b is 0.
KEPT = 0.99
EPS = float(np.finfo(np.float64).eps)


@dataclass(frozen=True, slots=True, kw_only=True)
class Point:
    """Parameters of a fit, and the log-likelihood there with its derivatives."""

    a: float
    b: float
    cutpoints: Floats
    at: Evaluation


@dataclass(frozen=True, slots=True, kw_only=True)
class Direction:
    """A Newton direction, how much the log-likelihood rises along it at first (the decrement squared).

    `concave` says whether the information was positive definite as it stood.
    """

    a: float
    b: float
    cutpoints: Floats
    rise: float
    concave: bool


def climb(start: Point, neg: Counts, pos: Counts) -> tuple[Point, bool]:
    """Go up from the start; return the last point, and whether it is a maximum."""
    point = start
    for _ in range(MAX_STEPS):
        direction = newton_direction(point)
        if not np.isfinite(direction.rise):
            return point, False
        further = _step(point, direction, neg, pos)
        if direction.rise <= _tolerance(point):
            return further or point, direction.concave
        if further is None:
            return point, False
        point = further
    return point, False


def newton_direction(point: Point) -> Direction:
    """Solve the bordered system, with the 2 x 2 part made positive definite."""
    at = point.at
    own, border, schur = at.arrow.eliminate(at.by_cutpoints)
    if not np.isfinite(schur).all():
        return Direction(a=0.0, b=0.0, cutpoints=own, rise=np.nan, concave=False)
    curve, least = solve_upwards(schur, at.by_curve - inner(at.arrow.border, own))
    cutpoints = own - curve[0] * border[0] - curve[1] * border[1]
    concave = least > 0
    rise = float(inner(at.by_cutpoints, cutpoints) + at.by_curve @ curve)
    return Direction(a=float(curve[0]), b=float(curve[1]), cutpoints=cutpoints, rise=rise, concave=concave)


def _step(point: Point, direction: Direction, neg: Counts, pos: Counts) -> Point | None:
    """Halve the step until it brings enough; None where none does."""
    size = min(1.0, KEPT * _room(point, direction))
    slack = 10 * EPS * (abs(point.at.log_likelihood) + float(neg.sum() + pos.sum()))
    for _ in range(MAX_HALVINGS):
        further = _moved(point, direction, size, neg, pos)
        wanted = point.at.log_likelihood + SUFFICIENT * size * direction.rise - slack
        if further is not None and further.at.log_likelihood >= wanted:
            return further
        size /= 2
    return None


def _room(point: Point, direction: Direction) -> float:
    """How far the direction can be followed until two cut-points meet or b is 0."""
    closing = np.diff(direction.cutpoints) / np.diff(point.cutpoints)
    fastest = min(float(closing.min(initial=0.0)), direction.b / point.b)
    return np.inf if fastest >= 0 else -1 / fastest


def _moved(point: Point, direction: Direction, size: float, neg: Counts, pos: Counts) -> Point | None:
    """The point after a step, or None where rounding has brought it out of bounds."""
    cutpoints = point.cutpoints + size * direction.cutpoints
    return point_at(point.a + size * direction.a, point.b + size * direction.b, cutpoints, neg, pos)


def point_at(a: float, b: float, cutpoints: Floats, neg: Counts, pos: Counts) -> Point | None:
    """The parameters with their log-likelihood; None where the cut-points do not rise in both classes."""
    if not b > 0 or not bool((np.diff(cutpoints) > 0).all() and (np.diff(b * cutpoints - a) > 0).all()):
        return None
    at = evaluate(cutpoints, a, b, neg, pos)
    return Point(a=a, b=b, cutpoints=cutpoints, at=at) if np.isfinite(at.log_likelihood) else None


def _tolerance(point: Point) -> float:
    """The rise at which to stop; the rounding of the cut-points alone may cause one."""
    arrow, t = point.at.arrow, point.cutpoints
    least = TOLERANCE if len(t) < MANY else TOLERANCE_OF_MANY
    return least + 100 * EPS**2 * float(
        (2 * arrow.coupling.sum() + arrow.excess.sum()) * inner(t, t) / len(t)
    )
