"""How binormal curves are fitted to a sample: they see the ranks of the scores alone."""

from collections.abc import Callable
from typing import Any

import rocscope as rs
from invariances.calls_fusion import finite
from invariances.sample import Figures, Sample

FIELDS = ("status", "a", "b", "auc", "log_likelihood", "n_categories")


def fitted(**how: Any) -> Callable[[Sample], Figures]:
    def call(sample: Sample) -> Figures:
        fit = rs.fit_binormal(sample.y, finite(sample.scores[0]), **how, **sample.options)
        area, test = fit.auc_estimate(), fit.goodness
        return {name: getattr(fit, name) for name in FIELDS} | {
            "se": area.se,
            "low": area.low,
            "statistic": None if test is None else test.statistic,
        }

    return call


def swapped(figures: Figures) -> Figures:
    """The curve seen from its other corner; pools are made from the left, so the test is another one."""
    kept = {name: figures[name] for name in ("status", "auc", "log_likelihood", "n_categories", "se", "low")}
    if figures["a"] is None:
        return kept
    return kept | {"a": figures["a"] / figures["b"], "b": 1 / figures["b"]}
