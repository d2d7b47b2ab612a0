"""How the functions of cross-validation and averaging are called on a sample.

The folds follow from the cases themselves: in each class the distinct scores are dealt in turn. So they are
the same in any order of the rows, after any increasing map, and where every row is there twice.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
from sklearn.tree import DecisionTreeClassifier

import rocscope as rs
from invariances.sample import Figures, Sample

N_FOLDS = 2


def ranks(scores: Any) -> Any:
    """Rank of each score among the distinct ones, from 0 on."""
    return np.unique(np.asarray(scores), return_inverse=True)[1]


def positives(sample: Sample) -> Any:
    expected = sample.options.get("pos_label", 1)
    return np.array([label == expected for label in np.asarray(sample.y).tolist()])


def folds(sample: Sample) -> Any:
    """Fold of each case."""
    positive, scores = positives(sample), np.asarray(sample.scores[0])
    fold = np.empty(len(positive), dtype=np.int64)
    for member in (positive, ~positive):
        fold[member] = ranks(scores[member]) % N_FOLDS
    return fold


def class_names(sample: Sample) -> list[Any]:
    positive = sample.options.get("pos_label", 1)
    return [*(v for v in set(np.asarray(sample.y).tolist()) if v != positive), positive]


def class_outputs(sample: Sample) -> Any:
    """One output per class, at least 0: the ranks of each column."""
    return np.stack([ranks(column) for column in sample.scores], axis=1).astype(np.float64)


# ---- Averages ---------------------------------------------------------------------------------------------


def averaged(**how: Any) -> Callable[[Sample], Figures]:
    def call(sample: Sample) -> Figures:
        found = rs.average_roc(
            sample.y, sample.scores[0], fold=folds(sample), points=7, **how, **sample.options
        )
        return {"points": found.points} | _figures(found)

    return call


def cross_area(**how: Any) -> Callable[[Sample], Figures]:
    def call(sample: Sample) -> Figures:
        found = rs.cross_auc(sample.y, sample.scores[0], fold=folds(sample), **how, **sample.options)
        return {name: found[name] for name in ("value", "se", "low", "high", "status", "reason")}

    return call


GROUP = ("n", "n_pos", "n_neg", "auc", "auc_low", "auc_high", "tpr", "fpr", "ppv", "difference", "p_value")


def grouped(sample: Sample) -> Figures:
    """Areas of groups, which are the folds of the cases, at the median of the scores."""
    scores = np.asarray(sample.scores[0])
    cut = sorted(scores.tolist())[len(scores) // 2]
    found = rs.auc_by(sample.y, sample.scores[0], by=folds(sample), threshold=cut, **sample.options)
    names = ("statistic", "p_value", "n_groups")
    return {
        "areas": _numbers(row.auc for row in found.groups),
        "rows": _numbers(row[name] for row in found.groups for name in GROUP),
        "status": [row.status for row in found.groups],
        "tests": _numbers(found.tests[0][name] for name in names),
        "overall": found.overall.value,
    }


def _numbers(values: Any) -> Any:
    return np.array([np.nan if value is None else value for value in values], dtype=np.float64)


def averaged_classes(sample: Sample) -> Figures:
    found = rs.average_roc(
        sample.y, class_outputs(sample), fold=folds(sample), points=7, classes=class_names(sample)
    )
    return {"points": found.points} | _figures(found)


def _figures(found: rs.AveragedRoc) -> Figures:
    compared = found.compare_to(len(found) // 2)
    tests = {name: getattr(compared, name) for name in ("difference", "low", "high", "statistic", "p_value")}
    kept = {name: getattr(found, name) for name in ("values", "mean", "sd", "sem", "pooled", "n_defined")}
    return kept | tests | {"counts": found.counts, "alike": compared.indistinguishable}


def classifiers(sample: Sample) -> Figures:
    """Two classifiers at the same FPR and by the same rule."""
    first, second = (
        rs.average_roc(sample.y, scores, fold=folds(sample), points="all", **sample.options)
        for scores in sample.scores[:2]
    )
    found = first.compare_with(second, at=["fpr=0.3", "tpr>=0.7"], measures=["tpr", "fpr", "error"])
    return {name: getattr(found, name) for name in CLASSIFIERS}


CLASSIFIERS = ("indices", "mean", "difference", "low", "high", "statistic", "p_value", "p_adjusted")
AVERAGED = ("values", "mean", "sd", "sem", "pooled", "difference", "low", "high", "statistic", "p_value")


def curves(along: str) -> Callable[[Sample], Figures]:
    """The folds have names here, whose order is the other way round: only the values' order follows."""

    def call(sample: Sample) -> Figures:
        named = np.array(["second", "first"])[folds(sample)]
        found = rs.average_curves(sample.y, sample.scores[0], fold=named, along=along, **sample.options)
        renamed = rs.average_curves(
            sample.y, sample.scores[0], fold=folds(sample), along=along, **sample.options
        )
        np.testing.assert_array_equal(found.values, renamed.values[::-1])
        names = ("mean", "low", "high", "fpr", "fpr_low", "fpr_high", "values")
        return {"x": found.x} | {name: getattr(found, name) for name in names}

    return call


CURVE = ("x", "mean", "low", "high", "fpr", "fpr_low", "fpr_high", "values")


# ---- Weights and scores -----------------------------------------------------------------------------------


def weights(**how: Any) -> Callable[[Sample], Figures]:
    def call(sample: Sample) -> Figures:
        found = rs.search_weights(
            sample.y,
            class_outputs(sample),
            classes=class_names(sample),
            n_start=40,
            steps=2,
            keep=8,
            rng=1,
            **how,
        )
        return {"weights": found}

    return call


def swept(sample: Sample) -> Figures:
    names = class_names(sample)
    found = rs.sweep_weights(
        sample.y, class_outputs(sample), [[1, 1], [1, 3]], classes=names, objective="mean-class-error"
    )
    return {"weights": found}


def front(sample: Sample) -> Figures:
    return {"weights": rs.front_weights(sample.y, class_outputs(sample), classes=class_names(sample), n=20)}


def neighbourhood(sample: Sample) -> Figures:
    found = rs.weight_neighbourhood(
        sample.y, class_outputs(sample), [2, 1], fold=folds(sample), classes=class_names(sample)
    )
    return {name: getattr(found, name) for name in NEIGHBOURHOOD} | {"rates": found.rates.value}


NEIGHBOURHOOD = ("weights", "factors", "errors", "errors_se", "change", "change_se", "low", "high")


def rejecting(**how: Any) -> Callable[[Sample], Figures]:
    def call(sample: Sample) -> Figures:
        found = rs.choose_reject(sample.y, class_outputs(sample), [2, 1], classes=class_names(sample), **how)
        return {"values": found.values, "reject": found.reject}

    return call


def crossed(sample: Sample) -> Figures:
    """A tree, whose counts no order of the rows can round otherwise; each different case once."""
    rank = ranks(sample.scores[0])
    found = rs.cross_scores(
        DecisionTreeClassifier(max_depth=3),
        rank[:, np.newaxis],
        sample.y,
        cv=folds(sample),
        rng=1,
        **sample.options,
    )
    positive = positives(sample)[found.row]
    table = np.stack([positive, rank[found.row], found.fold, found.y_score], axis=1)
    return {
        "cases": np.unique(table, axis=0),
        "n_train": found.n_train,
        "n_test": found.n_test,
        "folds": found.folds,
        "response": found.response,
    }
