"""One result of every type, each of a few cases and quick to make."""

import pkgutil
import sys
from collections.abc import Mapping
from dataclasses import fields
from functools import cache
from importlib import import_module

import numpy as np
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.linear_model import LinearRegression
from sklearn.naive_bayes import GaussianNB

import rocscope as rs
from rocscope.algorithms.comparison import Failure
from rocscope.algorithms.losses import BestRange
from rocscope.core.result import Result, TestResult
from rocscope.papers.yousef import Beside
from rocscope.run.study import StudyStatus

N = 60
Y = np.arange(N) % 2
FOLD = np.arange(N) // 12
DRAWS = {"n_boot": 100, "rng": 1}
LEARNERS = {"lda": LinearDiscriminantAnalysis(), "nb": GaussianNB()}

# Four cells of the atlas as they were once; those of the package change with every measurement.
ATLAS = """\
family,quantity,method,law,area,categories,n_pos,n_neg,others,fingerprint,truth,simulations,hits,below,above,undefined,width
auc,AUC,delong,normal,0.5,0,20,20,,5892d3ae,0.5,5750,5412,158,180,0,0.36634
auc,AUC,delong,normal,0.9,0,20,20,,5892d3ae,0.9,1000,902,2,96,0,0.186412
auc,AUC,score,normal,0.5,0,20,20,,0dfa3bd3,0.5,1500,1437,29,34,0,0.355021
auc,AUC,score,normal,0.9,0,20,20,,0dfa3bd3,0.9,1250,1191,20,39,0,
"""


@cache
def every_class():
    """One result of every type: of those that are parts of others, the first that is found inside."""
    found = every_result() | others()
    for name, result in every_result().items():
        for place, part in parts(result):
            if not any(type(part) is type(other) for other in found.values()):
                found[f"{name}, {place}"] = part
    return found


def parts(value, place=""):
    """Results inside a result, with the names of their fields."""
    if isinstance(value, Result):
        value = {field.name: getattr(value, field.name) for field in fields(value)}
    if isinstance(value, (list, tuple)) and value:
        value = {0: value[0]}
    for name, item in value.items() if isinstance(value, Mapping) else ():
        here = f"{place}.{name}".lstrip(".")
        if isinstance(item, Result):
            yield here, item
        yield from parts(item, here)


def type_names(result):
    """Names of the type of a result and of those above it."""
    return {f"{cls.__module__}.{cls.__qualname__}" for cls in type(result).__mro__}


@cache
def every_result():
    """Results by names of our own, each with a picture that a report shows."""
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
        "atlas": rs.atlas.Atlas.read(ATLAS.splitlines()),
        "part": rs.partial_auc(Y, a, fpr=(0, 0.5)),
        "comparison": rs.compare_auc(Y, {"first & best": a, "second": b}),
        "crossings": rs.crossings(curve, rs.roc_curve(Y, b)),
        "nowhere below": rs.crossings(curve, rs.roc_curve(Y, -a)),
        "band": rs.roc_band(Y, a, **DRAWS),
        "band at sensitivities": rs.roc_band(Y, a, at="tpr", **DRAWS),
        "band at thresholds": rs.roc_band(Y, a, at="threshold"),
        "precision": precision,
        "precision band": precision.band,
        "benefit": rs.net_benefit(Y, 1 / (1 + np.exp(-a))),
        "smoothed": rs.smooth_roc(Y, a),
        "benefit of models": rs.net_benefit(
            Y, {"a & b": 1 / (1 + np.exp(-a)), "b": 1 / (1 + np.exp(-b))}, probabilities=[0.2, 0.4, 0.6]
        ),
        "calibration": rs.calibration(Y, 1 / (1 + np.exp(-a)), bins=5, **DRAWS),
        "calibration compared": rs.compare_calibration(
            Y, {"first & best": 1 / (1 + np.exp(-a)), "second": 1 / (1 + np.exp(-b))}, **DRAWS
        ),
        "measures": rs.point_measures(Y, a, threshold=0.5),
        "cutpoint": rs.cutpoint(Y, a, **DRAWS),
        "criterion table": curve.coords(8, prevalence=0.1),
        "subgroups": rs.auc_by(Y, a, by={"site & time": FOLD % 3, "half": FOLD > 2}, threshold=0.5),
        "grey zone": rs.grey_zone(Y, a, sensitivity=0.9, specificity=0.9, **DRAWS),
        "no grey zone": rs.grey_zone(Y, a, sensitivity=0.6, specificity=0.6, **DRAWS),
    } | of_readers()


def of_readers():
    """Three readers who use two modalities, and two groups of readers who use three."""
    rng = np.random.default_rng(7)
    rows = [(r, m, c) for r in "ABC" for m in ("CT & MR", "MR") for c in range(20)]
    crossed = rs.reader_study(**readings(rows, rng), level=0.9)
    rows = [(r, m, c) for r in range(4) for m in "xyz" for c in range(16) if (c // 2) % 2 == r % 2]
    return {
        "reader study": crossed,
        "reader study of groups": rs.reader_study(**readings(rows, rng), method="gallas"),
    }


def readings(rows, rng):
    """Long form of readings (reader, modality, case): every other case is positive."""
    reader, modality, case = zip(*rows, strict=True)
    y = [c % 2 for c in case]
    score = [int(np.clip(rng.normal(3 + label), 1, 5)) for label in y]
    return {"y_true": y, "y_score": score, "reader": reader, "modality": modality, "case": case}


def of_folds():
    a, b = scores()
    roc = rs.average_roc(Y, a, fold=FOLD, points=12)
    rules = [rs.Threshold(cut, positive=1, negative=0) for cut in (1.0, 0.5, 0.0)]
    return {
        "area over folds": rs.cross_auc(Y, a, fold=FOLD),
        "average": roc,
        "average of rules": rs.average_roc(Y, a, fold=FOLD, points=rules),
        "average compared": roc.compare_to(4),
        "average region": roc.indifference_region(4),
        "classifiers at points": roc.compare_with(
            rs.average_roc(Y, b, fold=FOLD, points="all"), at=["fpr=0.2", "tpr>=0.8"], names=("a", "b")
        ),
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
    ordered = rs.ordinal_roc(1 + y, 1 + y + rng.normal(size=N), thresholds=4, **DRAWS)
    return {
        "pairs of classes": rs.multiclass_auc(labels, outputs, classes=names),
        "classes": rs.multiclass_auc(labels, outputs, classes=names, scheme="ovr"),
        "one score of classes": rs.multiclass_auc(labels, outputs[:, 0], classes=names, direction="auto"),
        "labels": rs.multiclass_auc(np.eye(3)[y] + np.eye(3)[y[::-1]] > 0, outputs, classes=names),
        "neighbourhood": rs.weight_neighbourhood(labels, outputs, weights[0], fold=FOLD, classes=names),
        "errors of classes": rs.average_roc(labels, outputs, fold=FOLD, classes=names, points=weights),
        "ordered": ordered,
        "ordered curve": ordered.curves[1][0],
        "ordered folds": rs.ordinal_roc(1 + y, 1 + y + rng.normal(size=N), thresholds=2, fold=FOLD).folds,
        "ordered estimates": rs.ordinal_scores(LinearRegression(), outputs, y, cv=FOLD),
        "ordered scores": rs.compare_ordinal(
            1 + y, {"first & best": 1 + y + outputs[:, 0], "second": 1 + y + 2 * outputs[:, 1]}, **DRAWS
        ),
    }


def of_models():
    a, b = scores()
    fit = rs.fit_binormal(Y, a)
    alone = rs.Binormal(a=1.2, b=0.8)
    return {
        "binormal": fit,
        "binormal line": fit.deviates(),
        "binormal densities": fit.densities(),
        "binormal alone": alone,
        "combined curve": rs.combine_curves(alone, fit, [0.5, 1.5]),
        "combined score": rs.combined_score([alone, fit], [0.5, 1.5]),
        "best weights": rs.best_weights([alone, fit, rs.Binormal(a=0.2, b=1.0)]),
        "proper": rs.fit_binormal(Y, a, proper=True),
        "model choice": rs.choose_binormal(Y, a),
        "binormal pair": rs.fit_binormal_pair(Y, a, b),
        "fusion": rs.preview_fusion(Y, a, b, weights=[0.5, 1.0, 2.0]),
        "fusion curve": rs.preview_fusion(Y, a, b, weights=[[1, 1]]).curve([0.4, 0.6]),
    }


def of_learners():
    X = np.column_stack(scores())
    data = {"one": (X, Y), "two": (X[:, ::-1] + np.arange(N)[:, np.newaxis] % 3, Y)}
    compared = rs.compare_algorithms(LEARNERS, data, folds=4)
    return {
        "algorithms": compared,
        "ranks": compared.ranks["auc"],
        "hierarchical": compared.hierarchical("lda", "nb"),
        "decisions": rs.compare_decisions(Y, {name: X[:, k] > 0.5 for k, name in enumerate("ab")}),
        "two algorithms": rs.algorithm_pair(compared, "one", "lda", "nb"),
        "losses": rs.loss_curves(compared, "one"),
        "fold distribution": rs.fold_distribution(compared, "one", "lda"),
        "bootstrap": rs.bootstrap_auc(GaussianNB(), X, Y, n_boot=10, rng=1),
        "learning curve": rs.learning_curve(GaussianNB(), X, Y, sizes=[20, 40], n_boot=4, rng=1),
        "learning curves": rs.learning_curve(LEARNERS, X, Y, sizes=[20, 40], n_boot=4, rng=1),
        "monte carlo": rs.monte_carlo("lda", n=6, trials=3, n_boot=3, n_test=5, rng=1),
        "components": rs.variance_components("lda", n=6, training_sets=3, test_sets=3, n_test=5, rng=1),
        "difference": rs.difference_components(
            "lda", "qda", n=6, training_sets=3, test_sets=3, n_test=5, rng=1
        ),
        "cross scores": rs.cross_scores(GaussianNB(), X, Y, cv=FOLD),
        "paired tests": rs.paired_tests([0.8, 0.7, 0.9, 0.8], [0.7, 0.7, 0.8, 0.6], n_train=30, n_test=10),
    }


def others():
    """Results that have a table alone, an analysis, and one more fit."""
    analysis = rs.analyse(Y, {"first": scores()[0]}, **DRAWS)
    return {
        "analysis": analysis,
        "omission": analysis.omissions[0],
        "comparison table": every_result()["algorithms"].table(),
        "contaminated": rs.fit_contaminated(Y, scores()[0]),
        "plan": rs.power(0.8, n_pos=20, n_neg=20),
        "plan of readers": every_result()["reader study"].power(n_readers=6, difference=0.1),
        "point": rs.roc_curve(Y, scores()[0]).select("tpr>=0.9"),
        "validity": rs.auc(Y, scores()[0]).validity(),
        "test": TestResult(name="equal areas", method="delong", statistic=1.2, df=None, p_value=0.23),
        "best range": BestRange(algorithm="lda", low=0.5, high=2.0),
        "failure": Failure(dataset="one", algorithm="lda", fold=2, reason="singular", traceback="line 1"),
        "beside": Beside(
            n=20, estimator="star", figure="sd", ours=0.05, printed=0.06, error=0.01, test_error=None
        ),
        "study": StudyStatus(
            name="aslan", total=9, done=5, failed=1, seconds=1.5, digest=None, errors=(("a", "b"),)
        ),
    }


def result_classes():
    """Every class of which there can be a result: with fields, and with nothing left to its subclasses."""
    for module in pkgutil.walk_packages(rs.__path__, "rocscope."):
        if not module.name.endswith("__main__"):
            import_module(module.name)
    # A class with slots is made twice; the one that its module holds is used.
    found = {cls for cls in below(Result) if getattr(sys.modules[cls.__module__], cls.__name__, None) is cls}
    return {cls for cls in found if "__dataclass_fields__" in vars(cls) and not is_abstract(cls)}


def is_abstract(cls):
    return any(getattr(getattr(cls, name), "__isabstractmethod__", False) for name in dir(cls))


def below(cls):
    for inner in cls.__subclasses__():
        if inner.__module__.startswith("rocscope."):
            yield inner
            yield from below(inner)


def views():
    """The view of every class that names one of its own, by the name of the class."""
    return {name_of(cls): cls.view for cls in result_classes() if "view" in vars(cls)}


def name_of(cls):
    return f"{cls.__module__}.{cls.__qualname__}"


def untried(results):
    """Names of the types with a picture of which there is no result."""
    return set(views()) - {name for result in results.values() for name in type_names(result)}
