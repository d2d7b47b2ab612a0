"""How the functions of ordered classes are called on a sample.

Estimates are compared with numbers of classes, so a map of the scores moves what it should not: where all
figures are looked at, the estimates are ranks; where the types of the arguments are, only figures of ranks.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
from sklearn.tree import DecisionTreeRegressor

import rocscope as rs
from invariances.calls import DRAWS
from invariances.calls_average import class_names, folds, positives, ranks
from invariances.sample import Figures, Sample

OF_RANKS = ("adjacent", "adjacent_auc", "vus")


def given(sample: Sample) -> Figures:
    """Labels and scores as they came; the number of a label that needs a name is in `classes`."""
    named = dict(zip(class_names(sample), (0, 1), strict=True)) if sample.options else None
    found = rs.ordinal_roc(sample.y, _finite(sample.scores[0]), classes=named)
    return {name: getattr(found, name) for name in OF_RANKS} | {"sizes": [c.n_pos for c in found.curves]}


def _finite(scores: Any) -> Any:
    """Scores as they are, but for infinite ones and longer integers, which are no estimates."""
    array = np.asarray(scores).astype(np.longdouble)
    return scores if np.abs(array).max() <= (2.0**53 if _is_whole(scores) else 1e308) else ranks(scores)


def _is_whole(scores: Any) -> bool:
    return np.asarray(scores).dtype.kind in "iu"


# ---- Ranks as estimates of three classes ------------------------------------------------------------------

COUNTED = ("tp", "fp", "confusion")
SHARED = (
    "max_auc",
    "avg_auc",
    "areas",
    "tpr",
    "fpr",
    "front",
    "front areas",
    "youden",
    "overall",
    "thresholds",
    "error",
    "kappa",
    "fold means",
    *OF_RANKS,
)


def ranked(**how: Any) -> Callable[[Sample], Figures]:
    def call(sample: Sample) -> Figures:
        rank, second = ranks(sample.scores[0]), ranks(sample.scores[1])
        levels = positives(sample).astype(int) + (2 * second >= second.max())
        found = rs.ordinal_roc(levels, 2 * rank / rank.max(), fold=folds(sample), **how)
        return _of_classes(found) | _together(found)

    return call


def on_rank_scale(sample: Sample) -> Figures:
    """The first score as it came, which every increasing map leaves on the same rank scale."""
    second = ranks(sample.scores[1])
    levels = positives(sample).astype(int) + (2 * second >= second.max())
    found = rs.ordinal_roc(levels, _finite(sample.scores[0]), scale="rank")
    figures = {name: getattr(found, name) for name in ("max_auc", "avg_auc", "kappa", *OF_RANKS)}
    return figures | {"error": found.thresholds.error}


def compared(sample: Sample) -> Figures:
    """The first score against its mean with the second, as estimates of three classes."""
    rank, second = ranks(sample.scores[0]), ranks(sample.scores[1])
    levels = positives(sample).astype(int) + (2 * second >= second.max())
    scores = {"first": 2 * rank / rank.max(), "both": rank / rank.max() + second / second.max()}
    found = rs.compare_ordinal(levels, scores, **DRAWS)
    return {
        "values": found.values,
        "differences": [row.difference for row in found.differences],
        "tests": [
            (row.se, row.low, row.high, row.p_value, row.p_adjusted, row.reason) for row in found.differences
        ],
    }


def _of_classes(found: rs.OrdinalRoc) -> Figures:
    joined = {
        name: np.concatenate([getattr(c, name).ravel() for c in found.curves])
        for name in ("tp", "fp", "tpr", "fpr")
    }
    return joined | {
        "max_auc": found.max_auc,
        "avg_auc": found.avg_auc,
        "areas": np.concatenate([c.auc for c in found.curves]),
        "front": np.concatenate([(f.fpr, f.tpr, f.lower, f.upper) for f in found.front], axis=1),
        "front areas": [f.auc for f in found.front],
        "youden": [(c.youden, c.youden_lower, c.youden_upper) for c in found.curves],
    }


def _together(found: rs.OrdinalRoc) -> Figures:
    ends = [(one.se, one.low, one.high) for one in found.estimates.values()]
    return {name: getattr(found, name) for name in (*OF_RANKS, "kappa")} | {
        "overall": [v for k, v in dict(found.overall).items()],
        "thresholds": found.thresholds.values,
        "confusion": found.thresholds.confusion,
        "error": found.thresholds.error,
        "fold means": found.folds.mean,
        "intervals": ends,
    }


# ---- Estimators -------------------------------------------------------------------------------------------


def estimated(sample: Sample) -> Figures:
    """A tree, whose counts no order of the rows can round otherwise; each different case once."""
    rank = ranks(sample.scores[0])
    named = dict(zip(class_names(sample), (0, 1), strict=True)) if sample.options else None
    found = rs.ordinal_scores(
        DecisionTreeRegressor(max_depth=3),
        rank[:, np.newaxis],
        sample.y,
        cv=folds(sample),
        classes=named,
        rng=1,
    )
    positive = positives(sample)[found.row]
    np.testing.assert_array_equal(found.y_true, np.array(found.classes)[positive.astype(int)])
    share = (found.y_pred - found.classes[0]) / (found.classes[1] - found.classes[0])
    table = np.stack([positive, rank[found.row], found.fold, share], axis=1)
    return {"cases": np.unique(table, axis=0), "response": found.response}
