"""One result of every type that has a picture, each of a few cases and quick to make."""

from functools import cache

import numpy as np
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.naive_bayes import GaussianNB

import rocscope as rs
from rocscope import views

N = 60
Y = np.arange(N) % 2
FOLD = np.arange(N) // 12
DRAWS = {"n_boot": 100, "rng": 1}
LEARNERS = {"lda": LinearDiscriminantAnalysis(), "nb": GaussianNB()}


def type_names(result):
    """Names of the type of a result and of those above it."""
    return {f"{cls.__module__}.{cls.__qualname__}" for cls in type(result).__mro__}


@cache
def every_result():
    """Results by names of our own; types without a picture are not among them."""
    return of_curves() | of_folds() | of_classes() | of_models() | of_learners()


@cache
def scores():
    """Two scores of two classes, with ties."""
    rng = np.random.default_rng(4)
    return np.round(Y + rng.normal(size=N), 1), np.round(0.6 * Y + rng.normal(size=N), 1)


def of_curves():
    a, b = scores()
    curve = rs.roc_curve(Y, a)
    precision = rs.precision_recall(Y, a, **DRAWS)
    return {
        "curve": curve,
        "area": rs.auc(Y, a),
        "part": rs.partial_auc(Y, a, fpr=(0, 0.5), **DRAWS),
        "comparison": rs.compare_auc(Y, {"first & best": a, "second": b}),
        "crossings": rs.crossings(curve, rs.roc_curve(Y, b)),
        "nowhere below": rs.crossings(curve, rs.roc_curve(Y, -a)),
        "band": rs.roc_band(Y, a, **DRAWS),
        "band at thresholds": rs.roc_band(Y, a, at="threshold"),
        "precision": precision,
        "precision band": precision.band,
        "benefit": rs.net_benefit(Y, 1 / (1 + np.exp(-a))),
        "measures": rs.point_measures(Y, a, threshold=0.5),
        "cutpoint": rs.cutpoint(Y, a, **DRAWS),
    }


def of_folds():
    a, _ = scores()
    roc = rs.average_roc(Y, a, fold=FOLD, points=12)
    rules = [rs.Threshold(cut, positive=1, negative=0) for cut in (1.0, 0.5, 0.0)]
    return {
        "average": roc,
        "average of rules": rs.average_roc(Y, a, fold=FOLD, points=rules),
        "average compared": roc.compare_to(4),
        "average region": roc.indifference_region(4),
        "average curves": rs.average_curves(Y, a, fold=FOLD),
        "average curves at thresholds": rs.average_curves(Y, a, fold=FOLD, along="threshold"),
    }


def of_classes():
    rng = np.random.default_rng(5)
    y = np.arange(N) % 3
    outputs = rng.random((N, 3)) + 0.8 * np.eye(3)[y]
    weights = rng.random((8, 3)) + 0.3
    names = ["low", "mid", "high"]
    labels = np.array(names)[y]
    return {
        "pairs of classes": rs.multiclass_auc(labels, outputs, classes=names),
        "classes": rs.multiclass_auc(labels, outputs, classes=names, scheme="ovr"),
        "errors of classes": rs.average_roc(labels, outputs, fold=FOLD, classes=names, points=weights),
        "ordered": rs.ordinal_roc(1 + y, 1 + y + rng.normal(size=N), thresholds=4, **DRAWS),
    }


def of_models():
    a, b = scores()
    fit = rs.fit_binormal(Y, a)
    return {
        "binormal": fit,
        "binormal line": fit.deviates(),
        "binormal densities": fit.densities(),
        "binormal alone": rs.Binormal(a=1.2, b=0.8),
        "proper": rs.fit_binormal(Y, a, proper=True),
        "model choice": rs.choose_binormal(Y, a),
        "binormal pair": rs.fit_binormal_pair(Y, a, b),
        "fusion": rs.preview_fusion(Y, a, b, weights=[0.5, 1.0, 2.0]),
    }


def of_learners():
    X = np.column_stack(scores())
    data = {"one": (X, Y), "two": (X[:, ::-1] + np.arange(N)[:, np.newaxis] % 3, Y)}
    compared = rs.compare_algorithms(LEARNERS, data, folds=4)
    return {
        "algorithms": compared,
        "ranks": compared.ranks["auc"],
        "two algorithms": rs.algorithm_pair(compared, "one", "lda", "nb"),
        "losses": rs.loss_curves(compared, "one"),
        "fold distribution": rs.fold_distribution(compared, "one", "lda"),
        "bootstrap": rs.bootstrap_auc(GaussianNB(), X, Y, n_boot=10, rng=1),
        "learning curve": rs.learning_curve(GaussianNB(), X, Y, sizes=[20, 40], n_boot=4, rng=1),
        "monte carlo": rs.monte_carlo("lda", n=6, trials=3, n_boot=3, n_test=5, rng=1),
        "components": rs.variance_components("lda", n=6, training_sets=3, test_sets=3, n_test=5, rng=1),
        "cross scores": rs.cross_scores(GaussianNB(), X, Y, cv=FOLD),
    }


def untried(results):
    """Names of the types with a picture of which there is no result."""
    return set(views._VIEWS) - {name for result in results.values() for name in type_names(result)}
