"""What to pass for a parameter, by its name: mostly sensible, sometimes extreme, now and then nonsense.

A parameter is looked up as "function.parameter", then by its name alone. One that has no entry here is a flag
(annotated bool) or a choice (its words are taken from the function's own message); anything else fails a test
that requests an entry in `STRATEGIES`.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from stress.draws import Argument, Draw, text
from stress.samples import draw_scores

Strategy = Callable[[Draw], Argument]

NONSENSE = 0.03  # share of the arguments of a wild call that are no sensible value at all
NONSENSE_VALUES = (
    "None", "'a'", "''", "nan", "inf", "-1", "1e308", "2**70", "True", "[]", "[[]]", "{}", "object()",
    "b'x'", "1j", "np.float64('nan')", "np.array(0.5)", "np.empty((0, 2))", "[None]", "'\\x00\\ud800'",
)  # fmt: skip
COUNT_NONSENSE = ("0", "-1", "1.5", "True", "None", "'3'", "nan")
NUMBER_NONSENSE = ("nan", "inf", "-inf", "'0.5'", "[0.5]", "True", "2**70", "1j")


# ---- Families of values: ordinary calls take one of the first three -----------------------------------


def among(*values: str) -> Strategy:
    return lambda draw: text(draw.usual(*values))


def words(line: str) -> Strategy:
    """One of the words of a line, as text; seldom another."""
    return lambda draw: text(repr("?" if draw.odd(0.08) else draw.pick(*line.split())))


def number(*values: Any) -> Strategy:
    return lambda draw: text(draw.pick(*NUMBER_NONSENSE) if draw.odd(0.1) else draw.usual(*values))


# Strategies for numbers of something: never a giant one, whose work no computer can do.
COUNTS: set[Strategy] = set()


def count(*values: int) -> Strategy:
    def make(draw: Draw) -> Argument:
        return text(draw.pick(*COUNT_NONSENSE) if draw.odd(0.1) else draw.usual(*values))

    COUNTS.add(make)
    return make


def nonsense(draw: Draw) -> Argument:
    return text(draw.pick(*NONSENSE_VALUES))


def join(arguments: Iterable[Argument]) -> list[Any]:
    return [piece for one in arguments for piece in (one, ", ")][:-1]


rate = number(0.5, 0.1, 0.9, 0.0, 1.0, 0.3, 1e-12, 1 - 1e-12, 5e-324, 1.5, -0.1)


def rates(draw: Draw) -> Argument:
    """Rates from 0 to 1, as one number or many."""
    if draw.chance(0.3):
        return rate(draw)
    values = np.round(draw.rng.random(draw.rng.integers(0, 6)), 2).tolist()
    more = draw.usual([], [0.0], [0.0, 1.0], [1.0], [0.5, 0.5], [1.5])
    return text(draw.rows(sorted([*values, *more])))


def interval(draw: Draw) -> Argument:
    ends = sorted(draw.rng.choice([0.0, 0.1, 0.25, 0.5, 0.9, 1.0, 1e-9, 1 - 1e-9], 2).tolist())
    return text(draw.usual(tuple(ends), ends, tuple(ends), f"np.array({ends})", ends[1], ends[::-1]))


# ---- Labels, scores and what belongs to a sample -----------------------------------


def labels_or_all(draw: Draw) -> Argument:
    """The labels, or one object that holds everything."""
    if not draw.packed:
        return text(draw.labels())
    named = f", pos_label={draw.names[1]!r})"
    return draw.pick(
        text("rs.BinaryScores.from_arrays(", draw.labels(), ", ", draw.scores(), named),
        text("rs.ScoreTable.from_counts([1, 2, 3, 4], pos=[0, 3, 4, 2], neg=[5, 2, 1, 0])"),
        text("rs.ScoreTable.from_counts([1, 2, 3], pos=[0, 10**9, 2**40], neg=[2**40, 1, 3])"),
        text(
            "rs.ClassScores.from_arrays(",
            draw.labels(),
            ", ",
            draw.matrix(),
            f", classes={list(draw.names)})",
        ),
        text("cross"),
    )


def labels(draw: Draw) -> Argument:
    return text(draw.labels())


def scores(draw: Draw) -> Argument:
    return text(draw.scores())


def outputs(draw: Draw) -> Argument:
    return text(draw.matrix() if draw.kind == "classes" else draw.scores())


def labels_or_indicators(draw: Draw) -> Argument:
    """The labels, or which of several labels each case has."""
    if draw.kind == "classes" and draw.chance(0.3):
        shape = (len(draw.codes), len(draw.names))
        return text(draw.table((draw.rng.random(shape) < 0.2) | (draw.codes[:, None] == np.arange(shape[1]))))
    return labels_or_all(draw)


def outputs_or_one(draw: Draw) -> Argument:
    """A score for every class, or one for all."""
    return scores(draw) if draw.chance(0.3) else outputs(draw)


def scores_by_name(draw: Draw) -> Argument:
    names = ("a", "b & c", "ü")[: draw.usual(2, 2, 3, 1)]
    return text("{", *join(text(f"{name!r}: ", draw.scores()) for name in names), "}")


def probabilities(draw: Draw) -> Argument:
    values = np.round(1 / (1 + np.exp(-draw.codes - draw.rng.normal(size=len(draw.codes)))), 2)
    return text(draw.scores() if draw.odd(0.3) else draw.rows(values.tolist()))


def probabilities_by_name(draw: Draw) -> Argument:
    names = ("a", "b & c", "ü")[: draw.usual(2, 2, 3, 1)]
    return text("{", *join(text(f"{name!r}: ", probabilities(draw)) for name in names), "}")


def folds(draw: Draw) -> Argument:
    return text(draw.integers(0, draw.pick(2, 3, 5)))


def group_columns(draw: Draw) -> Argument:
    """The group of every case, alone or as one of several columns."""
    one, other = draw.integers(0, draw.pick(2, 3, 5)), draw.integers(0, 2)
    several = text("{'one': ", one, ", 'two': ", other, "}")
    return draw.usual(text(one), text(one), several, text("['a', 'b']"), text("None"), text("'one'"))


def case_weights(draw: Draw) -> Argument:
    return text(draw.rows(draw.rng.choice([0.0, 0.5, 1.0, 3.0, 1e-9], len(draw.codes)).tolist()))


def pos_label(draw: Draw) -> Argument:
    if draw.kind != "two" and not draw.odd(0.1):
        return text("None")
    return text(repr(draw.names[1] if not draw.odd(0.15) else draw.pick(draw.names[0], 7, "x", None)))


def classes(draw: Draw) -> Argument:
    names = draw.names[::-1] if draw.odd(0.05) else draw.names
    if draw.kind == "ordered" and (isinstance(names[0], str) or draw.chance(0.2)):
        return text({name: number for number, name in enumerate(names)})
    return text(draw.rows(names))


def features(draw: Draw) -> Argument:
    shape = (len(draw.codes), draw.pick(1, 2, 3))
    X = np.round(draw.rng.normal(size=shape) + draw.codes[:, np.newaxis], 1)
    if draw.odd(0.3):
        X[draw.rng.random(shape) < 0.3] = draw.pick(0.0, 1e300, math.nan, math.inf)
    return text(draw.table(X))


def test_cases(draw: Draw) -> Argument:
    return text("(", draw.labels(), ", ", draw.scores(), ", ", draw.scores(), ")")


def file(draw: Draw) -> Argument:
    """A file written on the way: CSV, JSON lines or gzip of either, good and bad."""
    values = draw_scores(draw.rng, draw.codes, tame=draw.tame)
    cases = zip(draw.codes, values, strict=True)
    rows = [{"y": draw.names[code], "s": score, "f": k % 3, "w": 1} for k, (code, score) in enumerate(cases)]
    if draw.chance(0.7):
        lines, name = ["y,s,f,w", *(",".join(map(str, row.values())) for row in rows)], "scores.csv"
    else:
        lines, name = [json.dumps(row) for row in rows], "scores.jsonl"
    content = "".join(f"{line}\n" for line in lines)
    if draw.odd(0.3):
        others = "", "y,s\n", "\ufeffy;s\n1;0,5\n", "\x00\x01", content.replace("\n", "\r\n"), content[:-4]
        content = draw.pick(*others)
    if draw.chance(0.2):
        return text(f"Path('{name}.gz').write_bytes(gzip.compress({content.encode()!r})) * 0 or '{name}.gz'")
    return text(f"Path('{name}').write_bytes({content.encode()!r}) * 0 or '{name}'")


FOLDERS = (
    *["tempfile.mkdtemp(dir='.')"] * 2, "Path(tempfile.mkdtemp(dir='.'), 'new')", "'kept'", "'.'", "''", "5",
    "Path('file').write_bytes(b'') or 'file'", "'\\0'",
)  # fmt: skip


# ---- Rules, costs and points -----------------------------------


def cost(draw: Draw) -> Argument:
    k = len(draw.names)
    matrix = (draw.rng.integers(1, 4, (k, k)) * (1 - np.eye(k, dtype=int))).tolist()
    if k > 2 and not draw.odd(0.3):
        return text(matrix)
    others = "0.1", "{'fp': 1, 'fn': 10}", "0", "(0, 0)", "1e-300", "[[1, 2], [3, 4]]"
    return text(draw.usual("5", "(1, 5)", matrix, *others))


def prevalence(draw: Draw) -> Argument:
    by_class = draw.odd(0.1) or (draw.kind != "two" and not draw.odd(0.2))
    shares = np.round(draw.rng.dirichlet(np.ones(len(draw.names))), 3).tolist()
    return text(shares) if by_class else rate(draw)


def measure_names(draw: Draw) -> list[str]:
    others = ("tpr", "fpr", "precision", "tnr", "fnr", "npv", "cost", "reject_rate", "f1", "?")
    return ["error", f"error({draw.pick(*draw.names)})", "accuracy", *others]


def constraint(draw: Draw) -> Argument:
    bound = f"{draw.usual(*measure_names(draw))}{draw.pick('>=', '<=')}{draw.pick(0, 0.2, 0.5, 0.9, 1, 2)}"
    return text(
        repr(draw.usual(bound, "error<=0.6", bound, bound, "tpr>0.5", "tpr", "fpr<=", "tpr>=nan", ""))
    )


def place(draw: Draw) -> Argument:
    """Where to operate: an equation, a bound or several, a rule, an index."""
    name = draw.usual("fpr", "error", "tpr", "threshold", *measure_names(draw))
    equation = repr(f"{name}={draw.usual(0.2, 0.5, 0.9, 0, 1, -1, 'nan', 'inf', '')}")
    others = "'max-class-error'", "0", "(0, 1)", "[]", "()", "99", "'='", "('tpr>=0.5', 'fpr<=0.9')"
    return text(draw.usual(equation, constraint(draw), "'youden'", *others))


def constraints(draw: Draw) -> Argument:
    return text("5") if draw.odd(0.05) else text("[", constraint(draw), "]")


def measures(draw: Draw) -> Argument:
    names = measure_names(draw)[: 3 if draw.tame else None]
    chosen = draw.rng.choice(names, draw.pick(1, 2, 3), replace=False).tolist()
    own = "{'mine': lambda m: m[..., 0, 0] / m.sum((-1, -2))}"
    return text(draw.pick(tuple(chosen), chosen, repr(chosen[0]), own))


def objective(draw: Draw) -> Argument:
    """What class weights make small, or ordered classes make best."""
    of_classes = "max-class-error", "mean-class-error", f"error({draw.names[0]})"
    known = ("error", "cost", "kappa") if draw.kind == "ordered" else of_classes
    return text(draw.usual(*map(repr, known), "'?'", "lambda m: m[..., 0, 0]"))


def points(draw: Draw) -> Argument:
    """Operating points: how many, thresholds, class weights, or decision rules."""
    weights = draw.table(np.round(draw.rng.random((3, len(draw.names))), 2))
    if draw.tame and draw.kind == "classes":
        return text(draw.pick("5", "30", weights))
    cut = draw.pick(0.5, 0, "inf", None)
    rule = f"[rs.Threshold({cut}, positive={draw.names[-1]!r}, negative={draw.names[0]!r})]"
    thresholds = draw.rows(np.round(draw.rng.normal(size=4), 1).tolist())
    return text(draw.usual(draw.pick("5", "30", "2"), thresholds, rule, weights, "1", "0", "1.5"))


def some_weights(draw: Draw) -> Argument:
    """Weights of classes, of scores, or of curves; for several points a matrix."""
    k = draw.usual(len(draw.names), len(draw.names), len(draw.names), 2, 3)
    if draw.odd(0.2):
        return text(draw.table(np.round(draw.rng.random((3, k)), 1)))
    first = draw.usual(0.5, 1.0, 2.0, 0.0, 1e-6, 1e6, -1.0)
    return text(draw.rows([first, *np.round(draw.rng.random(k - 1) + 0.05, 2).tolist()]))


# ---- Curves, models and learners -----------------------------------


def curve(draw: Draw) -> Argument:
    return text("rs.roc_curve(", draw.labels(), ", ", draw.scores(), f", pos_label={draw.names[1]!r})")


def model(draw: Draw) -> Argument:
    if draw.odd(0.2):
        others = (
            "binormal.ProperBinormal(d_a=1.2, c=-0.3)",
            "binormal.ContaminatedBinormal(alpha=0.7, mu=1.5)",
        )
        return text(f"rs.{draw.pick(*others, 'Binormal()')}")
    a = draw.usual(0.5, 1.2, 3.0, 0.0, -1.0, 20.0, 1e-6, 40.0)
    b = draw.usual(1.0, 0.5, 2.0, 0.1, 10.0, 1e-6, 1e6)
    return text(f"rs.Binormal(a={a}, b={b})")


def models(draw: Draw) -> Argument:
    return text("[", *join(model(draw) for _ in range(draw.usual(2, 2, 2, 3, 1))), "]")


def categories(draw: Draw) -> Argument:
    return text(draw.rows(sorted(draw.rng.choice(9, 4, replace=False).tolist())))


def category_counts(draw: Draw) -> Argument:
    return text(draw.rows(draw.rng.choice([0, 1, 3, 2**31, 2**52], 4).tolist()))


LEARNERS = (
    "GaussianNB()", "LinearDiscriminantAnalysis()", "LogisticRegression()", "RidgeClassifier()",
    "DecisionTreeClassifier(max_depth=2)", "DummyClassifier()", "KNeighborsClassifier(30)", "Ridge()",
    "DummyClassifier(strategy='constant', constant=99)", "rs.GaussianDetector()",
)  # fmt: skip


def learners(draw: Draw) -> Argument:
    names = ("a", "b & c", "ü")[: draw.usual(2, 2, 3, 1)]
    return text("{", ", ".join(f"{name!r}: {draw.usual(*LEARNERS)}" for name in names), "}")


def datasets(draw: Draw) -> Argument:
    pair = text("(", features(draw), ", ", draw.labels(), ")")
    return draw.pick(pair, text("{'one': ", pair, "}"), text("{'one': ", pair, ", 'two': ", pair, "}"))


def splits(draw: Draw) -> Argument:
    others = draw.integers(0, 3), "StratifiedKFold(2)", "1", "99"
    return text(draw.usual("2", "3", "('bootstrap', 4)", *others))


def predictions(draw: Draw) -> Argument:
    names = draw.usual(("a", "b"), ("a", "b", "ü"), ("a",))
    guesses = [draw.rows([draw.names[code] for code in draw.rng.permutation(draw.codes)]) for _ in names]
    pieces = [
        piece for name, guess in zip(names, guesses, strict=True) for piece in (f"{name!r}: ", guess, ", ")
    ]
    mapping = text("{", *pieces, "}")
    return draw.usual(mapping, mapping, mapping, text(draw.labels()), text("None"))


def own_folds(draw: Draw) -> Argument:
    one = text(draw.pick(draw.integers(0, 2), "StratifiedKFold(2)", "[(range(9), range(9, 20))] * 2"))
    mappings = text("{'one': ", one, "}"), text("{'one': ", one, ", 'two': ", one, "}")
    return text(draw.pick("None", "None", "None", one, one, *mappings, "2", "'a'", "[]"))


def values_of_folds(draw: Draw) -> Argument:
    shape = draw.usual((2, 4), (3, 5), (2, 4), (1, 4), (2, 3))
    usual = draw.table(
        draw.rng.choice([0.5, 0.6, 0.7, 1.0, 1e300, math.nan], shape, p=[0.4, 0.3, 0.2, 0.06, 0.02, 0.02])
    )
    return text(draw.usual(usual, usual, usual, draw.scores(), "np.zeros((2, 4))", "'a'", "None"))


def values_of_algorithms(draw: Draw) -> Argument:
    shape = (draw.pick(1, 2, 3, 8), 3)
    return text(
        draw.table(draw.rng.choice([0.5, 0.6, 0.7, 1.0, math.nan], shape, p=[0.3, 0.3, 0.2, 0.15, 0.05]))
    )


def one_result(draw: Draw) -> Argument:
    """A result for a report."""
    names = ("roc_curve", "auc", "roc_band", "precision_recall", "cutpoint", "fit_binormal", "point_measures")
    head = text(draw.labels(), ", ", draw.scores(), f", pos_label={draw.names[1]!r}")
    of_sample = text(f"rs.{draw.pick(*names)}(", head, ")")
    return draw.usual(of_sample, of_sample, text("comparison"), of_sample, text("5"))


def some_curves(draw: Draw) -> Argument:
    """Curves under names, for a picture of them all."""
    names = ("roc_curve", "roc_curve", "fit_binormal", "precision_recall")
    head = text(draw.labels(), ", ", draw.scores(), f", pos_label={draw.names[1]!r}")
    curve = text(f"rs.{draw.pick(*names)}(", head, ")")
    plain = text("(truth, features[:, 0])")
    first, second = draw.pick(curve, plain), draw.pick(curve, plain, plain)
    both = text("{'a': ", first, ", 'b': ", second, "}")
    return draw.usual(both, both, both, text("{}"), text("{'a': 5}"), text("[", curve, "]"))


def area_or_pilot(draw: Draw) -> Argument:
    """An expected area, or the comparison of a pilot study."""
    if draw.odd(0.6):
        return number(0.8, 0.7, 0.55, 0.5, 0.99, 1.0, 0.2, 0)(draw)
    how = draw.pick("", ", method='bootstrap', n_boot=50, rng=1, fpr=(0, 0.5)", ", method='hanley-mcneil'")
    data = f"[0, 0, 0, 1, 1], {{'a': [1, 2, 3, 3, {draw.pick(5, 0)}], 'b': [2, 1, 4, 2, 3]}}"
    return text(f"rs.compare_auc({data}{how})")


correlations = among("[[1, 0.5], [0.5, 1]]", "None", "0.3", "0.0", "1.0", "-1.0", "0.999999", "2", "nan")
table_of_counts = among("rs.ScoreTable.from_counts([1, 2], pos=[0, 3], neg=[2, 1])")
plan_method = words("obuchowski hanley-mcneil binormal pilot exact normal")

# ---- The strategies by the names of the parameters -----------------------------------

DISPLAYS = ("predictions", "estimator", "cv_results")
STRATEGIES: dict[str, Strategy] = {
    # the sample
    "y_true": labels_or_all,
    "y": labels,
    "y_score": outputs,
    "y_pred": lambda draw: text(draw.estimates()),
    "score_a": scores,
    "score_b": scores,
    "scores": scores_by_name,
    "fold": folds,
    "groups": folds,
    "auc_by.by": group_columns,
    "analyse.by": lambda draw: text("None") if draw.chance(0.8) else group_columns(draw),
    "of.by": words("one two by"),
    "cross_auc.row": lambda draw: text("None") if draw.chance(0.7) else folds(draw),
    "cross_auc.X": among("None", "None", "None", "None", "features"),
    "cross_auc.y": among("None", "None", "None", "None", "truth"),
    "sensitivity": number(0.9, 0.95, 0.5, 0.05, 1e-12, "1 - 1e-16", 0, 1, 95),
    "specificity": number(0.9, 0.95, 0.5, 0.05, 1e-12, "1 - 1e-16", 0, 1, 95),
    "share.cases": words("all 1 0"),
    "share.zone": words("negative undecided positive"),
    "sample_weight": case_weights,
    "reader": lambda draw: text(draw.integers(0, 2)),
    "modality": lambda draw: text(draw.integers(0, 2)),
    "case": lambda draw: text(draw.rows(list(range(len(draw.codes))))),
    "readers": words("random fixed"),
    "cases": words("random fixed"),
    "n_readers": count(5, 2, 100, 1),
    "reader_study.method": words("gallas jackknife unbiased delong"),
    "reader_study.y_true": labels,
    "reader_study.y_score": scores,
    "pos_label": pos_label,
    "classes": classes,
    "X": features,
    "net_benefit.y_score": lambda draw: (probabilities_by_name if draw.chance(0.3) else probabilities)(draw),
    "bandwidth": among(
        "'silverman'", "'hall-hyndman'", "0.5", "1e-9", "1e308", "0", "nan", "'scott'", "None"
    ),
    "per": number(100, 1, 1000, 1e-9, 1e300, 0, -1),
    "multiclass_auc.y_score": outputs_or_one,
    "multiclass_auc.y_true": labels_or_indicators,
    "net_benefit.probabilities": rates,
    "y_prob": probabilities,
    "compare_calibration.scores": probabilities_by_name,
    "bins": count(10, 3, 1, 1000),
    "test": test_cases,
    # levels, rates, bounds
    "level": number(0.95, 0.9, 0.5, 0.99, 0.05, 1e-12, 1 - 1e-12, "1 - 1e-16", 0.999999, 0, 1, 95),
    "threshold": number(0.5, 0, 1, -1.0, 2.0, "inf", "-inf", 2**53 + 1, 5e-324),
    "margin": number(0.1, 0.01, 0.5, 1e-12, 2, 0, -0.1),
    "prevalence": prevalence,
    "threshold_probability": rate,
    "rate": rate,
    "error": rate,
    "share": rate,
    "at": rate,
    "roc_band.at": words("fpr tpr threshold"),
    "fpr": interval,
    "tpr": interval,
    "tpr.fpr": rates,
    "fpr.tpr": rates,
    "slope.fpr": rates,
    "tpr_at.fpr": rates,
    "fpr_at.tpr": rates,
    "band.fpr": rates,
    "tpr_estimate.fpr": rate,
    "densities.fpr": rate,
    "recall": rates,
    "x": rates,
    "t": rates,
    "lambdas": rates,
    "min_expected": number(5.0, 0, 1, 1e9, -1),
    "rope": number(0.0, 0.01, 1.0, -1),
    "test_over_train": number(0.1, 1.0, 0, 1e9, -1),
    # rules and constraints
    "constraints": constraint,
    "search_weights.constraints": constraints,
    "sweep_weights.constraints": constraints,
    "select": constraint,
    "cost": cost,
    "contrasts": among(
        "[[1, -1]]", "None", "[[-1, 1]]", "[[1, -2, 1]]", "[[0, 0]]", "[[1, 0], [0, 1]]", "[1]"
    ),
    "points": points,
    "also": points,
    "measures": measures,
    "objective": objective,
    "name": measures,
    "cv_results": among(
        "fitted_folds",
        "fitted_folds",
        "fitted_folds['estimator']",
        "list(fitted_folds['estimator'])",
        "{}",
        "[]",
    ),
    "from_cv_results.cv": among("None", "None", "np.arange(60) // 15", "[([0], [1])]", "4"),
    "from_cv_results.X": among("features"),
    "from_cv_results.y": among("truth"),
    "from_cv_results.groups": among("None", "truth"),
    "from_cv_results.response": words("auto predict_proba decision_function"),
    "scorer.name": words("auc partial_auc tpr_at_fpr neg_fpr_at_tpr average_precision net_benefit"),
    "scorer.value": rate,
    "scorer.response": words("auto predict_proba decision_function"),
    "curve.name": among("None", "0", "'a'"),
    "fold_curves.name": among("None", "0", "'a'"),
    "place": place,
    "compare_with.at": place,
    "compare_with.other": among("rs.average_roc(cross)", "rs.average_roc(truth, features[:, 0], fold=truth)"),
    "compare_with.names": among("('a', 'b')", "['ü', 5]", "('a', 'a')", "'ab'", "('a',)", "(1, None)"),
    "minus": among("0", "1", "None", "5", "-1", "99", "'a'"),
    "index": among("0", "1", "2", "5", "-1", "99", "'a'", "None", "np.int64(1)", "1.0"),
    "rho": among("(0.0, 0.0)", "(0.5, 0.5)", "(0.3, 0.6)", "(0.9, -0.9)", "(1.0, 1.0)", "(2, 0)", "0.5"),
    # choices whose words the functions name only in company of other arguments
    "alternative": words("two-sided less greater"),
    "na": words("error drop"),
    "power.method": plan_method,
    "sample_size.method": plan_method,
    "OperatingPointClassifier.response": words("auto predict_proba decision_function"),
    "compare_algorithms.test": words("paired-t corrected-t delong-averaged"),
    "preview_fusion.target": words("auc auc auc partial-auc tpr cost"),
    "measure": words("auc error"),
    "by": words("correlated independent empirical"),
    "ellipse.kind": words("neg pos"),
    "of": words("pos neg"),
    "adjust": words("none holm"),
    "select.rule": words("youden closest se=sp max-product max-accuracy max-f1 max-kappa max-ppv min-p"),
    "compare_to.method": words("paired-t paclik corrected"),
    "compare_with.method": words("paired-t paclik corrected"),
    "indifference_region.method": words("paired-t paclik corrected"),
    # curves and models
    "first": curve,
    "second": curve,
    "combine_curves.first": model,
    "combine_curves.second": model,
    "other": model,
    "merge.other": table_of_counts,
    "from_table.table": table_of_counts,
    "table": among("None", "True", "False"),
    "fits": models,
    "weights": some_weights,
    "corr_neg": correlations,
    "corr_pos": correlations,
    "thresholds": rates,
    "coords.thresholds": among("'all'", "3", "[0.5]", "[0, 1, 0.5]", "0", "0.5", "'some'", "[inf, -inf]"),
    "coords.interval": among("'wilson'", "'exact'", "'modified-wilson'", "'wald'"),
    "coords.measures": among("None", "'tpr'", "['sensitivity', 'f1', 'lr_neg']", "['ppv', 'npv']", "[]", "5"),
    "intervals": among("True", "True", "False", "'no'"),
    "ordinal_roc.thresholds": among("10", "4", "'all'", "1", "[0.5, 1.5]", "{(0, 1): [0.5]}", "0"),
    "compare_ordinal.thresholds": among("10", "4", "'all'", "1", "[0.5, 1.5]", "{(0, 1): [0.5]}", "0"),
    "Binormal.a": number(0.0, 1.2, -3.0, 40.0, 1e-300),
    "Binormal.b": number(1.0, 0.3, 2.0, 1e-6, 1e6, 0),
    "binormal.ProperBinormal.d_a": number(0.0, 1.2, 30.0, -1.0),
    "binormal.ProperBinormal.c": number(0.0, -0.3, 0.9999, 1.0),
    "binormal.ContaminatedBinormal.alpha": rate,
    "binormal.ContaminatedBinormal.mu": number(0.0, 1.2, 40.0, -1.0),
    "from_counts.scores": categories,
    "pos": category_counts,
    "neg": category_counts,
    "max_rows": count(2, 3, 100),
    "digits": count(3, 0, 2, 12),
    # decision rules
    "Threshold.value": number(0.5, 0, -1, "inf", "-inf", "None", 2**60 + 1),
    "positive": among("1", "1", "'yes'", "None", "[1]"),
    "negative": among("0", "0", "'no'", "1"),
    "distance": among("False", "True"),
    "reject": among("None", "0.5", "None", "0", "-1", "'a'"),
    "ClassWeights.values": some_weights,
    "Threshold.from_json.text": among("rs.Threshold(0.5).to_json()", "'{}'", "'['"),
    "ClassWeights.from_json.text": among("rs.ClassWeights((1, 2), ('a', 'b')).to_json()", "'{}'", "'['"),
    "point": among(
        "None",
        "rs.Threshold(0.5)",
        "'tpr>=0.9'",
        "rs.Threshold(0.0, positive=1, negative=0)",
        "0.3",
        "5",
        "'youden'",
        "('fpr<=0.5', 'closest')",
        "'tpr>=2'",
        "'cake>=1'",
        "()",
    ),
    "OperatingPointClassifier.cv": among("None", "2", "3", "'prefit'", "'x'", "0"),
    "OperatingPointClassifier.random_state": among("1", "0", "None", "np.random.RandomState(0)", "-1", "'a'"),
    "reject_label": among("None", "'?'"),
    # chance and work; no worker processes here, they cost seconds
    "rng": among("1", "1", "2", "2", "np.random.default_rng(3)", "None", "-1", "'a'"),
    "n_jobs": among("None", "1", "1", "0", "1.5", "'a'"),
    "executor": among("None"),
    "timeout": among("None"),
    "progress": among("None", "False", "lambda *_: None"),
    "max_points": among("None", "None", "None", "2", "20", "1000", "0", "1.5", "'a'"),
    "n_boot": count(100, 120),
    "ordinal_roc.n_boot": count(0, 100),
    "preview_fusion.n_boot": count(0, 0, 0, 100),
    "bootstrap_auc.n_boot": count(3, 8),
    "learning_curve.n_boot": count(1, 3),
    "monte_carlo.n_boot": count(0, 3),
    "n_start": count(100, 20),
    "keep": count(10, 1),
    "steps": count(0, 1, 3),
    "factor": number(2.0, 1.5, 10, 1, 1 + 1e-12, 1e300, 0),
    "least": rate,
    "max_cycles": count(1, 100),
    "trials": count(2, 3),
    "training_sets": count(3, 4),
    "test_sets": count(3, 4),
    "n_train": count(9, 90),
    "n_test": count(5, 9),
    "folds": count(2, 3, 4),
    "repeats": count(2, 3),
    "cv": splits,
    "compare_algorithms.cv": own_folds,
    "predictions": predictions,
    "bootstrap_auc.cv": count(2, 3),
    # learners
    "estimator": among(*LEARNERS),
    "learning_curve.estimator": lambda draw: draw.pick(among(*LEARNERS), learners)(draw),
    "difference_components.first": words("lda qda nearest-mean 1nn"),
    "difference_components.second": words("lda qda nearest-mean 1nn"),
    "algorithms": learners,
    "datasets": datasets,
    "target": lambda draw: text(draw.pick("None", *map(repr, draw.names))),
    "sizes": among("[6]", "[6, 10]", "8", "None", "[1]", "[999]"),
    "scorers": among("None", "['accuracy']", "None", "{'mine': lambda e, X, y: 1.0}", "['?']"),
    "a": scores,
    "b": scores,
    "hierarchical_test.a": values_of_folds,
    "hierarchical_test.b": values_of_folds,
    "compare_ranks.values": values_of_algorithms,
    "compare_ranks.algorithms": among(*["['a', 'b', 'c']"] * 3, "('a', 'b')", "['a', 'a', 'a']"),
    "compare_ranks.datasets": among(*["None"] * 3, "['p', 'q', 'r']", "['p']"),
    "comparison": among("comparison"),
    "dataset": words("one two"),
    "algorithm": words("lda nb"),
    "algorithm_pair.first": words("lda nb"),
    "algorithm_pair.second": words("lda nb"),
    "tests_of.first": words("lda nb"),
    "tests_of.second": words("lda nb"),
    # simulations
    "n": among("5", "(4, 6)", "[5]", "2", "1", "'a'"),
    "dimension": count(1, 2, 3),
    "separation": number(0.8, 0, 1e-9, 50, -1),
    "mean": among("[1, 0.5]", "None", "[0, 0]", "[1]", "'a'"),
    "covariance": among(
        "[[1, 0.5], [0.5, 2]]", "None", "[np.eye(2), np.diag([2, 1])]", "np.ones((2, 2))", "[[1]]"
    ),
    "row.n": among("6", "4", "5", "99"),
    "row.estimator": words("true apparent star"),
    "figures.estimator": words("true apparent star"),
    "figures.figure": words("mean sd bias"),
    "row.source": words("training test both"),
    "column.name": words("auc apparent star500"),
    # plans
    "auc": number(0.8, 0.7, 0.55, 0.5, 0.99, 1.0, 0.2, 0),
    "power.auc": area_or_pilot,
    "sample_size.auc": area_or_pilot,
    "power.fpr": among("(0, 0.1)", "(0.05, 0.4)", "(0, 1)", "(0.2, 0.1)", "0.1"),
    "sample_size.fpr": among("(0, 0.1)", "(0.05, 0.4)", "(0, 1)", "(0.2, 0.1)", "0.1"),
    "power.level": number(0.95, 0.9, 0.5, "None", "None", 0.05, 1e-12, "1 - 1e-16", 0, 1),
    "difference": number(0.1, 0.05, -0.2, 0, 1, 1e-12),
    "auc2": number(0.75, 0.85, 0.6, 0.5, 1.0),
    "n_pos": number(20, 60, 5000, 1, 2, 0.5, 10**9, 0),
    "n_neg": number(20, 60, 5000, 1, 2, 0.5, 10**9, 0),
    "null": number(0.5, 0.6, 0.65, 0.0, 1.0),
    "corr": number(0.5, 0.0, 0.3, 1.0, -1.0, 2),
    "rating_corr": among("0.5", "(0.3, 0.6)", "0.2", "1.0", "0.0", "2"),
    "tpr_gap": number(0.1, 0.5, 1e-6, 0, 1),
    "fpr_gap": number(0.1, 0.5, 1e-6, 0, 1),
    "power": number(0.8, 0.9, 0.7, 0.999, 0.05, 1, 0),
    "half_width": number(0.05, 0.2, 1e-4, 0.5, 1, 0),
    "ratio": number(1, 0.5, 10, 1e-6, 1e6, 0),
    # files
    "path": file,
    "folder": among(*FOLDERS),
    "report.path": among("'page.html'", "Path('page.html')", "'page.html'", "'no/folder/page.html'", "''"),
    "results": one_result,
    "curves": some_curves,
    "ax": among("Figure().add_subplot()", "Figure().add_subplot()", "5"),
    "color": among("None", "'k'", "{'a': 'red'}", "'no colour'", "5"),
    "plot_roc.band": among("None", "None", "True", "False", "{'a': True}", "5", "'x'"),
    "plot_roc.points": among(
        "None", "'tpr>=0.9'", "'youden'", "[0, 1]", "{'b': 1}", "999", "'tpr>=2'", "1.5"
    ),
    "plot_roc.axes": among("None", "'roc'", "'det'", "'log'"),
    **{f"RocDisplay.from_{door}.name": among("None", "'m'") for door in DISPLAYS},
    "response_method": words("auto predict_proba decision_function"),
    "from_estimator.estimator": among("fitted_folds['estimator'][0]", "GaussianNB()", "5"),
    "from_estimator.X": among("features"),
    "from_estimator.y": among("truth"),
    "from_estimator.sample_weight": among("None", "None", "truth + 1", "truth / 2 + 0.1", "-truth"),
    "style": among("'rocscope'", "None", "'mine'"),
    "title": among("None", "'<b>é</b>'", "'t'", "5"),
    "label": among("'y'", "'y'", "'y'", "'Y'", "'no such'", "''"),
    "score": among("'s'", "['s']", "['s', 'f']", "'s'", "'f'", "'no such'"),
    "read_scores.fold": among("'f'", "None", "None", "'?'"),
    "weight": among("'w'", "None", "None", "'?'"),
    "memory_limit": among("None", "'512MB'", "10**9", "'1KB'", "'?'"),
    "format": among("None", "None", "None", "'csv'", "'jsonl'", "'parquet'", "'excel'", "'r'", "'?'"),
    "count": among("None", "None", "None", "'w'", "'?'", "truth + 1"),
    "sheet": among("None", "None", "1", "'data'", "1.5"),
    "missing": among("()", "'.'", "[-99, '.']", "0", "[None]"),
}

# Arguments that most calls need although they have a default, and those that keep the work small.
ALWAYS = {
    "y_score", "scores", "score_a", "score_b", "y_pred", "fold", "classes", "rng", "cv", "point",
    "n_boot", "trials", "n_start", "keep", "training_sets", "test_sets", "sizes", "monte_carlo.n",
    "monte_carlo.n_test", "variance_components.n", "variance_components.n_test", "difference_components.n",
    "difference_components.n_test", "compare_algorithms.folds",
    "a", "b", "d_a", "c", "alpha", "mu", "auc", "n_pos", "n_neg", "power", "rate", "plot_roc.ax",
    *(f"RocDisplay.from_{door}.ax" for door in DISPLAYS),
}  # fmt: skip
# What an object that holds labels and scores makes needless.
PACKED = {"y_score", "scores", "score_a", "score_b", "pos_label", "sample_weight", "fold", "classes"}
OPTIONAL = 2.0  # how many other optional arguments a call has on average


def strategy(function: str, parameter: str) -> Strategy | None:
    """The entry "Class.method.parameter", "method.parameter" or "parameter", the first that there is."""
    parts = f"{function}.{parameter}".split(".")
    known = (STRATEGIES.get(".".join(parts[start:])) for start in range(len(parts)))
    return next(filter(None, known), None)


def is_needed(function: str, parameter: str) -> bool:
    return bool(ALWAYS & {parameter, f"{function}.{parameter}"})
