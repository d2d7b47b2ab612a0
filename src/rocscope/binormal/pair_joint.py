"""Correlations of a pair, and the covariance of all six parameters from the influence of every case."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from rocscope.binormal.curve import Binormal
from rocscope.binormal.information import inner
from rocscope.binormal.latent import Floats
from rocscope.binormal.pair_correlation import CorrelationFit, common_order, count_cells, fit_correlation
from rocscope.binormal.pair_cuts import choose_cuts
from rocscope.binormal.pair_margin import Margin
from rocscope.core.scores import BinaryScores

CLASSES = ("negatives", "positives")


@dataclass(frozen=True, slots=True, kw_only=True)
class JointEstimates:
    """Both correlations, and the covariance of (a1, b1, a2, b2, rho_neg, rho_pos)."""

    rho: tuple[float | None, float | None]
    cov: Floats
    defined: NDArray[np.bool_]
    reason: str | None

    def se(self, place: int) -> float | None:
        """Standard error of a parameter."""
        return math.sqrt(self.cov[place, place]) if self.defined[place] else None


def joint_estimates(data: BinaryScores, fits: tuple[Binormal, Binormal]) -> JointEstimates:
    """Correlations given the fitted curves, and what the cases say about all parameters together."""
    data = _sorted(data)
    pair = [Margin.of(fit, column) for fit, column in zip(fits, data.columns, strict=True)]
    curves = [margin.curve_influence() for margin in pair]
    of_cases = [m.of_cases(c, data.positive) for m, c in zip(pair, curves, strict=True)]
    found = [_correlation(pair, curves, data, kind) for kind in (0, 1)]
    rows = [_matched(influence, fit) for influence, fit in zip(of_cases, fits, strict=True)]
    known = [row is not None for row in rows]
    nothing = np.zeros((2, len(data.positive)))
    influence = np.vstack(
        [*(nothing if row is None else row for row in rows), *(by_case for _, by_case in found)]
    )
    defined = np.array([*np.repeat(known, 2), *(fitted.information > 0 for fitted, _ in found)])
    cov = np.where(np.outer(defined, defined), inner(influence, influence), np.nan)
    words = [
        f"{name}: the influences of the cases on its curve are singular, so it has no covariance in the pair"
        for name, there in zip(data.names, known, strict=True)
        if not there
    ]
    return JointEstimates(
        rho=(found[0][0].rho, found[1][0].rho),
        cov=cov,
        defined=defined,
        reason="; ".join([*words, *_reasons([fitted for fitted, _ in found])]) or None,
    )


def _sorted(data: BinaryScores) -> BinaryScores:
    """The cases in an order of their own: sums over them round the same way in whatever order they came."""
    rows = np.lexsort((*reversed(data.columns), data.positive))
    columns = tuple(column[rows] for column in data.columns)
    return replace(data, positive=data.positive[rows], columns=columns, weight=None, fold=None)


def _matched(influence: Floats, fit: Binormal) -> Floats | None:
    """Influences scaled so that their squares add up to the covariance of the fit itself; None if singular.

    Both estimate the same matrix. The fit's own has less scatter, and so each curve keeps its standard
    errors in the pair, while equal scores still have equal influences. With S the sum of squares the map is
    the root of cov S^-1, the one that means the same in any parameters.
    """
    assert fit.cov is not None
    try:
        root = np.linalg.cholesky(inner(influence, influence))
    except np.linalg.LinAlgError:  # almost separated classes: a and b rest on one and the same few cases
        return None
    back = np.linalg.inv(root)
    values, vectors = np.linalg.eigh(back @ fit.cov @ back.T)
    if not values[0] > 0:
        return None
    scale = root @ (vectors * np.sqrt(values)) @ vectors.T @ back
    return np.asarray(np.einsum("pq,qi->pi", scale, influence))


def _correlation(
    pair: list[Margin], curves: list[Floats], data: BinaryScores, kind: int
) -> tuple[CorrelationFit, Floats]:
    """Correlation in one class, and the influence of every case on it."""
    rows = data.positive if kind else ~data.positive
    scores = [column[rows] for column in data.columns]
    cuts = [
        choose_cuts(column, margin.category[rows], margin.deviates(kind))
        for margin, column in zip(pair, scores, strict=True)
    ]
    first, second = (part.cells(column) for part, column in zip(cuts, scores, strict=True))
    counts = count_cells(first, second, tuple(len(part.values) + 1 for part in cuts))
    fitted = fit_correlation(counts, cuts[0].deviates, cuts[1].deviates, order=common_order(*scores))
    influence = np.zeros(len(rows))
    if fitted.information <= 0:
        return fitted, influence
    influence[rows] = fitted.score[first, second]
    for k, by in enumerate((fitted.by_first, fitted.by_second)):
        through = _through_margin(pair[k], curves[k], cuts[k].spread(by, pair[k].deviates(kind)), kind)
        influence -= pair[k].of_cases(through, data.positive)
        influence[rows] -= cuts[k].within(by, scores[k], pair[k].category[rows])
    return fitted, influence / fitted.information


def _through_margin(margin: Margin, curve: Floats, by: Floats, kind: int) -> Floats:
    """Influence by way of the fitted deviates of a class, which are b t - a among the positives."""
    if not kind:
        return margin.cutpoint_influence(by, np.zeros(2), curve)
    _, b = margin.fit.parameters()
    cutpoints = margin.deviates(0)
    return margin.cutpoint_influence(b * by, np.array([-by.sum(), inner(by, cutpoints)]), curve)


def _reasons(found: list[CorrelationFit]) -> list[str]:
    words = []
    for name, fitted in zip(CLASSES, found, strict=True):
        if fitted.rho is None:
            words.append(f"the correlation among the {name} is undefined: {fitted.reason}")
        elif fitted.reason is not None:
            words.append(f"the correlation among the {name} is {fitted.rho:g}: {fitted.reason}")
    return words
