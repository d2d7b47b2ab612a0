"""How combinations of two classifiers are called on a sample.

Fitted curves see ranks alone, and so does a combination on the latent scale. A fit refuses infinite scores;
here they become the next numbers beyond all others, which leaves their ranks.
"""

from collections.abc import Callable
from typing import Any

import numpy as np

import rocscope as rs
from invariances.sample import Figures, Sample
from rocscope.binormal.pair import fit_binormal_pair

WEIGHTS = ((1, 0), (2, 1), (1, 1), (1, 3), (0, 1), (1, -1))


def finite(scores: Any) -> Any:
    """Scores as they are, but for infinite ones."""
    values = np.asarray(scores)
    if values.dtype.kind != "f" or np.isfinite(values).all():
        return scores
    inside = values[np.isfinite(values)]
    low, high = inside.min(), inside.max()
    return np.where(
        values == np.inf, high + (high - low), np.where(values == -np.inf, low - (high - low), values)
    )


def fitted(sample: Sample) -> tuple[list[Any], dict[str, float]]:
    pair = fit_binormal_pair(sample.y, *map(finite, sample.scores), **sample.options)
    return [pair.first, pair.second], {"corr_neg": pair.rho_neg, "corr_pos": pair.rho_pos}


def combined(sample: Sample) -> Figures:
    fits, correlations = fitted(sample)
    curve = rs.combine_binormals(fits, (2, 1), **correlations)
    score = rs.combined_score(fits, (2, 1), **correlations)
    return {"a": curve.a, "b": curve.b, "auc": curve.auc, "tpr": score.tpr([0.0, 1.0])}


def predicted(sample: Sample) -> Figures:
    fits, correlations = fitted(sample)
    return {
        "independent": rs.predicted_auc(fits, WEIGHTS),
        "correlated": rs.predicted_auc(fits, WEIGHTS, **correlations),
    }


def best(sample: Sample) -> Figures:
    fits, correlations = fitted(sample)
    found = rs.best_weights(fits, **correlations)
    return {name: getattr(found, name) for name in ("free", "nonnegative", "auc_free", "auc_single")}


def integrated(sample: Sample) -> Figures:
    fits, correlations = fitted(sample)
    found = rs.combine_curves(*fits, (2, 1), rho=tuple(correlations.values()))
    return {"auc": found.auc, "tpr": found.tpr, "density": found.density_pos}


def previewed(**how: Any) -> Callable[[Sample], Figures]:
    def call(sample: Sample) -> Figures:
        found = rs.preview_fusion(
            sample.y, *map(finite, sample.scores), weights=WEIGHTS, scale="latent", **how, **sample.options
        )
        choices = {f"{row.kind} by {row.by}": row.value for row in found.choices}
        ranks = {f"{row.first} {row.second}": row.kendall for row in found.agreement}
        columns = {name: getattr(found, name) for name in ("independent", "correlated", "empirical")}
        return columns | choices | ranks

    return call


def curved(sample: Sample) -> Figures:
    scores = map(finite, sample.scores)
    found = rs.preview_fusion(sample.y, *scores, weights=[[2, 1]], scale="latent", **sample.options).curve(
        [2, 1]
    )
    return {
        name: getattr(found, name) for name in ("independent", "correlated", "empirical", "auc_correlated")
    }
