"""Fit a proper binormal curve by maximum likelihood."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocscope.binormal.categories import Categories, truth_runs
from rocscope.binormal.concave import name_zero_variance, why_no_concave_curve
from rocscope.binormal.curve import described
from rocscope.binormal.existence import Undefined
from rocscope.binormal.fit import read_table
from rocscope.binormal.latent import Floats
from rocscope.binormal.proper_curve import ProperBinormal, beside_boundary
from rocscope.binormal.proper_shape import ProperShape, from_pair, pair_derivatives, to_pair
from rocscope.binormal.shape_fit import NO_MAXIMUM, SINGULAR, Fitted, covariance, fit_family, highest
from rocscope.binormal.start import start_line

# Beyond this slope (or below its inverse) the search has left for a limit of the model.
STEEPEST = 1e3
# With more categories than this one good start is enough, and further ones cost seconds.
MANY_CATEGORIES = 2000
REASONS = {
    "chance": "no proper curve is likelier than the diagonal, which lies on the boundary of the model",
    "boundary": "d_a = 0 is on the boundary of the model: errors are those of neighbouring curves",
}


def fit_proper_binormal(y_true: Any, y_score: Any = None, *, pos_label: Any = None) -> ProperBinormal:
    """Fit a proper binormal ROC curve by maximum likelihood; also `fit_binormal(..., proper=True)`.

    Categories are those of `fit_binormal`, so both log-likelihoods can be compared. The search starts from
    several curves, at the boundary d_a = 0 as well, and the highest maximum is kept.

    Parameters
    ----------
    y_true
        Labels of two classes. {0, 1}, {-1, 1} and booleans need no `pos_label`. A `BinaryScores` or a
        `ScoreTable` may stand here alone; whole weights count cases, fractional ones are refused.
    y_score
        Finite scores or ratings, larger for the positive class; never flipped or transformed.
    pos_label
        The label of the positive class.

    Returns
    -------
    ProperBinormal
        With `d_a`, `c`, `cov`, `auc`, `log_likelihood`, `status` and `reason`.

    Examples
    --------
    >>> from rocscope import ScoreTable
    >>> table = ScoreTable.from_counts([1, 2, 3, 4, 5], neg=[33, 6, 6, 11, 2], pos=[3, 2, 2, 11, 33])
    >>> fit = fit_proper_binormal(table)
    >>> print(fit)
    Proper binormal curve (ml): d_a 1.9078 (se 0.2607), c -0.1675 (se 0.1474), AUC 0.9113 (se 0.0296)
    >>> print(fit.partial_auc_estimate(fpr=(0, 0.2)))
    partial AUC 0.1471 (95% interval 0.1147-0.1717, proper binormal)
    """
    table = read_table(y_true, y_score, pos_label)
    return name_zero_variance(fit_proper_categories(truth_runs(table)), table)


def fit_proper_categories(categories: Categories) -> ProperBinormal:
    """Maximum-likelihood fit to counts in categories."""
    undefined = why_no_concave_curve(categories)
    if undefined is not None:
        return _without_curve(categories, undefined)
    family = ProperFamily()
    enough = len(categories) > MANY_CATEGORIES
    inside = fit_family(family, categories, proper_starts(categories), enough=enough)
    best = inside
    if not enough or inside is None or not inside.free.all():
        best = highest(fit_family(family, categories, _edge_starts(inside)), inside)
    if best is None:
        return _without_curve(categories, Undefined("not-converged", NO_MAXIMUM))
    if not 1 / STEEPEST < best.theta[1] < STEEPEST:
        reason = f"the likelihood rises towards c = {math.copysign(1, best.theta[1] - 1):g}"
        return _without_curve(categories, Undefined("degenerate", reason))
    return _with_curve(categories, best)


class ProperFamily:
    """The curves with a >= 0 and b > 0; at a = 0 the curve turns at b = 1, where it is the diagonal."""

    def shape(self, theta: Floats) -> ProperShape:
        """The curve with these parameters."""
        return ProperShape(float(theta[0]), float(theta[1]))

    def project(self, theta: Floats, previous: Floats) -> Floats:
        """Stop at a = 0, there at b = 1, and go half the way to b = 0 at most."""
        a, b = max(float(theta[0]), 0.0), max(float(theta[1]), float(previous[1]) / 2)
        crosses = (b - 1) * (float(previous[1]) - 1) <= 0
        return np.array([a, 1.0 if a == 0 and crosses else b])

    def free(self, theta: Floats, slope: Floats) -> NDArray[np.bool_]:
        """The likelihood is even in a: at 0 it does not move, and on the diagonal nothing does."""
        return np.array([theta[0] > 0, theta[0] > 0 or theta[1] != 1])


def proper_starts(categories: Categories) -> Iterator[Floats]:
    """Curves to start from: that of the line near the deviates, then others of about its area."""
    a, b = start_line(categories)
    if not np.isfinite([a, b]).all() or b <= 0:
        a, b = 0.5, 1.0
    b = min(max(b, 0.1), 10.0)
    d_a = max(from_pair(a, b)[0], 0.1)
    for c in (from_pair(a, b)[1], -0.3, 0.3):
        yield np.array(to_pair(d_a, c))


def _edge_starts(inside: Fitted | None) -> Iterator[Floats]:
    """Starts at the boundary a = 0: on the diagonal, and beside the maximum inside or on both sides."""
    for b in (1.0, *((0.6, 1 / 0.6) if inside is None else (float(inside.theta[1]),))):
        yield np.array([0.0, b])


def _with_curve(categories: Categories, fitted: Fitted) -> ProperBinormal:
    a, b = (float(value) for value in fitted.theta)
    d_a, c = from_pair(a, b)
    status = "ok" if a > 0 else "chance" if b == 1 else "boundary"
    shape = ProperShape(a, b)
    cov = covariance(shape, fitted.cutpoints, categories) if status == "ok" else None
    near = None
    if status == "boundary":
        near = covariance(beside_boundary(shape), fitted.cutpoints, categories)
    turn = pair_derivatives(a, b)
    return ProperBinormal(
        d_a=d_a,
        c=c,
        cov=None if cov is None else turn @ cov @ turn.T,
        log_likelihood=fitted.log_likelihood,
        cutpoints=fitted.cutpoints,
        status=status,
        reason=SINGULAR if status == "ok" and cov is None else REASONS.get(status),
        near_cov=near,
        **described(categories, "ml"),
    )


def _without_curve(categories: Categories, why: Undefined) -> ProperBinormal:
    return ProperBinormal(status=why.status, reason=why.reason, **described(categories, "ml"))
