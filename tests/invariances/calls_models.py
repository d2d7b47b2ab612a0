"""How the models beside the binormal curve, and pairs of curves, are fitted to a sample."""

from typing import Any

import numpy as np

import rocscope as rs
from invariances.calls_fusion import finite
from invariances.sample import Figures, Sample

FIELDS = ("status", "auc", "log_likelihood", "n_categories")


def _figures(fit: Any) -> Figures:
    area = fit.auc_estimate()
    return {name: getattr(fit, name) for name in FIELDS} | {"se": area.se, "low": area.low}


def proper(sample: Sample) -> Figures:
    fit = rs.fit_binormal(sample.y, finite(sample.scores[0]), proper=True, **sample.options)
    part = fit.partial_auc_estimate(fpr=(0, 0.2))
    return _figures(fit) | {"d_a": fit.d_a, "c": fit.c, "part": part.value, "part se": part.se}


def swapped_proper(figures: Figures) -> Figures:
    """The curve seen from its other corner has -c, and is found by another way."""
    return {name: figures[name] for name in FIELDS}


def contaminated(sample: Sample) -> Figures:
    fit = rs.fit_contaminated(sample.y, finite(sample.scores[0]), **sample.options)
    return _figures(fit) | {"alpha": fit.alpha, "mu": fit.mu}


def chosen(sample: Sample) -> Figures:
    found = rs.choose_binormal(sample.y, finite(sample.scores[0]), **sample.options)
    rows = {row.model: row.aic for row in found.rows}
    return {"best": found.best, "n_categories": found.n_categories} | rows


def swapped_choice(figures: Figures) -> Figures:
    """A share of negatives that look like positives is another model; the others are symmetric."""
    return {name: figures[name] for name in ("n_categories", "binormal", "equal-variance", "proper")}


def pair(sample: Sample) -> Figures:
    found = rs.fit_binormal_pair(sample.y, *(finite(column) for column in sample.scores), **sample.options)
    return {
        "status": found.status,
        "rho_neg": found.rho_neg,
        "rho_pos": found.rho_pos,
        "cov": np.asarray(found.cov),
        "areas": found.equal_areas().statistic,
        "curves": found.equal_curves().statistic,
        "difference": found.difference().value,
    }


def swapped_pair(figures: Figures) -> Figures:
    """The correlations change places with the classes; Wald's test of a and b requests a / b and 1 / b."""
    kept = {name: figures[name] for name in ("status", "areas", "difference")}
    return kept | {"rho_neg": figures["rho_pos"], "rho_pos": figures["rho_neg"]}
