"""What to pass for a parameter, by its name: mostly sensible, sometimes extreme, now and then nonsense.

A parameter is looked up as "function.parameter", then by its name alone. One that has no entry here is a flag
(annotated bool) or a choice (its words are taken from the function's own message); anything else fails a test
that asks for an entry in `STRATEGIES`.
"""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from stress.namespace import NAMES
from stress.samples import (
    CLASS_LABELS,
    CONTAINERS,
    MATRICES,
    NAMED_LABELS,
    TWO_LABELS,
    Rows,
    draw_codes,
    draw_scores,
)

NONSENSE = 0.03  # share of the arguments that are no sensible value at all


@dataclass(frozen=True)
class Argument:
    """Source of one argument: text and arrays in turn."""

    pieces: tuple[str | Rows, ...]

    def __str__(self) -> str:
        return "".join(map(str, self.pieces))


def text(*pieces: Any) -> Argument:
    """Join pieces (texts, rows, other arguments, plain values) to one argument."""
    flat: list[str | Rows] = []
    for piece in pieces:
        flat.extend(piece.pieces if isinstance(piece, Argument) else [piece])
    return Argument(tuple(piece if isinstance(piece, Rows) else str(piece) for piece in flat))


class Draw:
    """The random choices of one call: a labelled sample, and values for parameters that fit to it."""

    def __init__(self, rng: np.random.Generator, parameters: Any = ()) -> None:
        self.rng = rng
        self.tame = bool(rng.random() < 0.5)  # an ordinary call, that gets far
        self.kind = self._kind(set(parameters))
        n_classes = 2 if self.kind == "two" else int(rng.choice([2, 3, 3, 4, 5]))
        self.codes = draw_codes(rng, n_classes, tame=self.tame)
        names = CLASS_LABELS[rng.integers(len(CLASS_LABELS))]
        if self.kind == "two":
            named = NAMED_LABELS if "pos_label" in parameters and rng.random() < 0.3 else TWO_LABELS
            names = named[rng.integers(len(named))]
        self.names = names[:n_classes]
        self.needs_pos_label = self.names in NAMED_LABELS
        # Sometimes one object holds labels and scores.
        scores = [
            parameters[name] for name in ("y_score", "scores", "score_a", "y_pred") if name in parameters
        ]
        self.packed = bool(scores) and scores[0].default is None and rng.random() < 0.08

    def _kind(self, parameters: set[str]) -> str:
        if "y_pred" in parameters:
            return "ordered"
        if "classes" in parameters and ("pos_label" not in parameters or self.rng.random() < 0.6):
            return "classes"
        return "two"

    def pick(self, *values: Any) -> Any:
        return values[self.rng.integers(len(values))]

    def chance(self, share: float) -> bool:
        return bool(self.rng.random() < share)

    def odd(self, share: float) -> bool:
        """Chance of something strange, which an ordinary call never has."""
        return not self.tame and self.chance(share)

    def usual(self, *values: Any) -> Any:
        """One of the values; of an ordinary call one of the first three."""
        return self.pick(*values[:3] if self.tame else values)

    # ---- arrays that belong to the sample

    def rows(self, values: Any, containers: tuple[str, ...] = CONTAINERS) -> Rows:
        """An array, half of the time as a list, else in any container that takes the values."""
        plain = Rows(tuple(values))
        if not self.odd(0.5):
            return plain
        other = Rows(plain.values, self.pick(*containers))
        return other if can_be_made(str(other)) else plain

    def labels(self) -> Rows:
        return self.rows([self.names[code] for code in self.codes])

    def scores(self) -> Rows:
        return self.rows(draw_scores(self.rng, self.codes, tame=self.tame))

    def matrix(self) -> Rows:
        """One output of at least 0 per class, ties and zeros among them; seldom something else."""
        shape = (len(self.codes), len(self.names))
        outputs = np.round(self.rng.random(shape) + 0.7 * np.eye(shape[1])[self.codes], self.pick(1, 6))
        if self.odd(0.4):
            extreme = self.pick(0.0, 1.0, 1e300, 5e-324, math.inf, math.nan, -0.5)
            outputs[self.rng.random(shape) < 0.3] = extreme
        return self.rows(map(tuple, outputs.tolist()), MATRICES)

    def estimates(self) -> Rows:
        """Numbers on the scale of the ordered classes."""
        values = self.codes if isinstance(self.names[0], str) else np.array(self.names)[self.codes]
        noise = self.rng.normal(size=len(self.codes)) * self.pick(0.0, 0.5, 1.0, 3.0)
        return self.scores() if self.odd(0.3) else self.rows(np.round(values + noise, 1).tolist())

    def integers(self, low: int, high: int) -> Rows:
        return self.rows(self.rng.integers(low, high, len(self.codes)).tolist())


def can_be_made(expression: str) -> bool:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            eval(expression, NAMES)
    except Exception:
        return False
    return True


# ---- Families of values ----------------------------------------------------------------------------------

Strategy = Callable[[Draw], Argument]


def among(*values: str) -> Strategy:
    """One of the values, the most usual ones first."""
    return lambda draw: text(draw.usual(*values))


COUNTS: set[Strategy] = set()
COUNT_NONSENSE = ("0", "-1", "1.5", "True", "None", "'3'", "nan")
NUMBER_NONSENSE = ("nan", "inf", "-inf", "'0.5'", "[0.5]", "True", "2**70", "1j")
NONSENSE_VALUES = (
    "None", "'a'", "''", "nan", "inf", "-1", "1e308", "2**70", "True", "[]", "[[]]", "{}", "object()",
    "b'x'", "1j", "np.float64('nan')", "np.array(0.5)", "np.empty((0, 2))", "[None]", "'\\x00\\ud800'",
)  # fmt: skip


def count(*values: int) -> Strategy:
    """A number of something; never a giant one, whose work no computer can do."""

    def make(draw: Draw) -> Argument:
        return text(draw.pick(*COUNT_NONSENSE) if draw.odd(0.1) else draw.usual(*values))

    COUNTS.add(make)
    return make


def number(*values: Any) -> Strategy:
    return lambda draw: text(draw.pick(*NUMBER_NONSENSE) if draw.odd(0.1) else draw.usual(*values))


probability = number(0.5, 0.1, 0.9, 0.0, 1.0, 0.3, 1e-12, 1 - 1e-12, 5e-324, 1.5, -0.1)


def random_rates(draw: Draw) -> Argument:
    """Rates from 0 to 1, as one number or many."""
    if draw.chance(0.3):
        return probability(draw)
    values = np.round(draw.rng.random(draw.rng.integers(0, 6)), 2).tolist()
    return text(draw.rows(sorted([*values, *draw.usual([], [0.0], [0.0, 1.0], [1.0], [0.5, 0.5], [1.5])])))


def random_range(draw: Draw) -> Argument:
    low, high = sorted(draw.rng.choice([0.0, 0.1, 0.25, 0.5, 0.9, 1.0, 1e-9, 1 - 1e-9], 2).tolist())
    return text(draw.pick(f"({low}, {high})", f"[{low}, {high}]", f"np.array([{low}, {high}])", f"{high}"))


def random_cost(draw: Draw) -> Argument:
    k = len(draw.names)
    matrix = (draw.rng.integers(1, 4, (k, k)) * (1 - np.eye(k, dtype=int))).tolist()
    if k > 2 and not draw.odd(0.3):
        return text(matrix)
    return text(
        draw.usual(
            "5", "(1, 5)", matrix, "0.1", "{'fp': 1, 'fn': 10}", "0", "(0, 0)", "1e-300", "[[1, 2], [3, 4]]"
        )
    )


def random_prevalence(draw: Draw) -> Argument:
    shares = np.round(draw.rng.dirichlet(np.ones(len(draw.names))), 3).tolist()
    return text(shares) if (draw.kind != "two" and not draw.odd(0.2)) or draw.odd(0.1) else probability(draw)


def random_constraints(draw: Draw) -> Argument:
    names = (
        "error",
        f"error({draw.pick(*draw.names)})",
        "accuracy",
        "tpr",
        "fpr",
        "precision",
        "tnr",
        "fnr",
        "npv",
        "?",
    )
    bound = f"{draw.usual(*names)}{draw.pick('>=', '<=')}{draw.pick(0, 0.2, 0.5, 0.9, 1, 2)}"
    return text(
        repr(draw.usual(bound, "error<=0.6", bound, bound, "tpr>0.5", "tpr", "fpr<=", "tpr>=nan", ""))
    )


def random_binormal(draw: Draw) -> Argument:
    a = draw.usual(0.5, 1.2, 3.0, 0.0, -1.0, 20.0, 1e-6, 40.0)
    b = draw.usual(1.0, 0.5, 2.0, 0.1, 10.0, 1e-6, 1e6)
    others = (
        "rs.ProperBinormal(d_a=1.2, c=-0.3)",
        "rs.ContaminatedBinormal(alpha=0.7, mu=1.5)",
        "rs.Binormal()",
    )
    return text(draw.pick(*others) if draw.odd(0.2) else f"rs.Binormal(a={a}, b={b})")


def random_fits(draw: Draw) -> Argument:
    fits = [random_binormal(draw) for _ in range(draw.usual(2, 2, 2, 3, 1))]
    return text("[", *joined(fits), "]")


def random_weights(draw: Draw) -> Argument:
    """Weights of classes, of scores, or of curves; for several points a matrix."""
    k = draw.usual(len(draw.names), len(draw.names), len(draw.names), 2, 3)
    if draw.odd(0.2):
        return text(draw.rows(map(tuple, np.round(draw.rng.random((3, k)), 1).tolist()), MATRICES))
    values = (
        draw.usual(0.5, 1.0, 2.0, 0.0, 1e-6, 1e6, -1.0),
        *np.round(draw.rng.random(k - 1) + 0.05, 2).tolist(),
    )
    return text(draw.rows(values))


def random_labels_of(draw: Draw) -> Argument:
    names = draw.names[::-1] if draw.odd(0.05) else draw.names
    if draw.kind == "ordered" and (isinstance(names[0], str) or draw.chance(0.2)):
        return text({name: number for number, name in enumerate(names)})
    return text(draw.rows(names))


def random_pos_label(draw: Draw) -> Argument:
    if draw.kind != "two" and not draw.odd(0.1):
        return text("None")
    return text(repr(draw.names[1] if not draw.odd(0.15) else draw.pick(draw.names[0], 7, "x", None)))


def random_y_true(draw: Draw) -> Argument:
    if not draw.packed:
        return text(draw.labels())
    return text(draw.pick(
        text("rs.BinaryScores.from_arrays(", draw.labels(), ", ", draw.scores(), f", pos_label={draw.names[1]!r})"),
        text("rs.ScoreTable.from_counts([1, 2, 3, 4], pos=[0, 3, 4, 2], neg=[5, 2, 1, 0])"),
        text("rs.ScoreTable.from_counts([1, 2, 3], pos=[0, 10**9, 2**40], neg=[2**40, 1, 3])"),
        text("rs.ClassScores.from_arrays(", draw.labels(), ", ", draw.matrix(), f", classes={list(draw.names)})"),
        text("cross"),
    ))  # fmt: skip


def random_y_score(draw: Draw) -> Argument:
    return text(draw.matrix() if draw.kind == "classes" else draw.scores())


def random_scores_mapping(draw: Draw) -> Argument:
    columns = [text(f"{name!r}: ", draw.scores()) for name in ("a", "b & c", "ü")[: draw.usual(2, 2, 3, 1)]]
    return text("{", *joined(columns), "}")


def random_probabilities(draw: Draw) -> Argument:
    values = np.round(1 / (1 + np.exp(-draw.codes - draw.rng.normal(size=len(draw.codes)))), 2)
    return text(draw.scores() if draw.odd(0.3) else draw.rows(values.tolist()))


def random_features(draw: Draw) -> Argument:
    X = np.round(draw.rng.normal(size=(len(draw.codes), draw.pick(1, 2, 3))) + draw.codes[:, np.newaxis], 1)
    if draw.odd(0.3):
        X[draw.rng.random(X.shape) < 0.3] = draw.pick(0.0, 1e300, math.nan, math.inf)
    return text(draw.rows(map(tuple, X.tolist()), MATRICES))


ESTIMATORS = (
    "GaussianNB()", "GaussianNB()", "LinearDiscriminantAnalysis()", "LogisticRegression()", "RidgeClassifier()",
    "DecisionTreeClassifier(max_depth=2)", "DummyClassifier()", "KNeighborsClassifier(30)", "Ridge()",
    "DummyClassifier(strategy='constant', constant=99)", "rs.GaussianDetector()",
)  # fmt: skip


def random_algorithms(draw: Draw) -> Argument:
    names = ("a", "b & c", "ü")[: draw.usual(2, 2, 3, 1)]
    return text({name: Literal(draw.usual(*ESTIMATORS)) for name in names})


class Literal(str):
    """Source that stands as it is inside of a list or mapping."""

    __slots__ = ()

    def __repr__(self) -> str:
        return str(self)


def random_datasets(draw: Draw) -> Argument:
    pair = text("(", random_features(draw), ", ", draw.labels(), ")")
    return draw.pick(pair, text("{'one': ", pair, "}"), text("{'one': ", pair, ", 'two': ", pair, "}"))


def random_cv(draw: Draw) -> Argument:
    return text(
        draw.usual("2", "3", "('bootstrap', 4)", draw.integers(0, 3), "StratifiedKFold(2)", "1", "99")
    )


def random_points(draw: Draw) -> Argument:
    """Operating points: how many, thresholds, class weights, or decision rules."""
    weights = draw.rows(map(tuple, np.round(draw.rng.random((3, len(draw.names))), 2).tolist()), MATRICES)
    if draw.tame and draw.kind == "classes":
        return text(draw.pick("5", "30", weights))
    rule = f"rs.Threshold({draw.pick(0.5, 0, 'inf', None)}, positive={draw.names[-1]!r}, negative={draw.names[0]!r})"
    return draw.pick(
        text(draw.usual("5", "30", "2", "1", "0", "1.5")),
        text(draw.rows(np.round(draw.rng.normal(size=4), 1).tolist())),
        text(weights if draw.odd(0.5) else draw.rows([1.0, 0.5, 0.0])),
        text("[", rule, "]"),
    )


def random_measures(draw: Draw) -> Argument:
    names = (
        "error",
        f"error({draw.names[0]})",
        "accuracy",
        "tpr",
        "fpr",
        "precision",
        "cost",
        "reject_rate",
        "f1",
        "?",
    )
    chosen = draw.rng.choice(names[:3] if draw.tame else names, draw.pick(1, 2, 3), replace=False).tolist()
    return text(
        draw.pick(
            tuple(chosen), chosen, repr(chosen[0]), "{'mine': lambda m: m[..., 0, 0] / m.sum((-1, -2))}"
        )
    )


def random_objective(draw: Draw) -> Argument:
    """What class weights make small, or ordered classes make best."""
    words = (
        ("error", "cost", "kappa")
        if draw.kind == "ordered"
        else ("max-class-error", "mean-class-error", "error")
    )
    return text(draw.pick(*map(repr, words), repr(f"error({draw.names[0]})"), "lambda m: m[..., 0, 0]"))


def random_curve(draw: Draw) -> Argument:
    names = list(draw.names)
    return text("rs.roc_curve(", draw.labels(), ", ", draw.scores(), f", pos_label={names[1]!r})")


def random_file(draw: Draw) -> Argument:
    """A file written on the way: CSV, JSON lines or gzip of either, good and bad."""
    scores = draw_scores(draw.rng, draw.codes, tame=draw.tame)
    table = [("y", "s", "f", "w"), *((draw.names[code], score, row % 3, 1) for row, (code, score) in
             enumerate(zip(draw.codes, scores, strict=True)))]  # fmt: skip
    if draw.chance(0.7):
        content, ending = "\n".join(",".join(map(str, row)) for row in table) + "\n", "csv"
    else:
        content, ending = (
            "\n".join(str(dict(zip(table[0], row, strict=True))).replace("'", '"') for row in table[1:]),
            "jsonl",
        )
    if draw.odd(0.3):
        content = draw.pick(
            "", "y,s\n", "\ufeffy;s\n1;0,5\n", "\x00\x01", content.replace("\n", "\r\n"), content[:-4]
        )
    packed = f"gzip.compress({content.encode()!r})" if draw.chance(0.2) else repr(content.encode())
    name = f"scores.{ending}{'.gz' if 'gzip' in packed else ''}"
    return text(f"Path({name!r}).write_bytes({packed}) * 0 or {name!r}")


def random_results(draw: Draw) -> Argument:
    """A result for a report."""
    head = text(draw.labels(), ", ", draw.scores(), f", pos_label={draw.names[1]!r}")
    name = draw.pick(
        "roc_curve", "auc", "roc_band", "precision_recall", "cutpoint", "fit_binormal", "point_measures"
    )
    return draw.pick(
        text(f"rs.{name}(", head, ")"), text(f"rs.{name}(", head, ")"), text("comparison"), text("5")
    )


def joined(arguments: list[Argument]) -> list[Any]:
    return [piece for one in arguments for piece in (one, ", ")][:-1]


# ---- The strategies by the names of the parameters --------------------------------------------------------

LEVEL = number(0.95, 0.9, 0.5, 0.99, 0.05, 1e-12, 1 - 1e-12, "1 - 1e-16", 0.999999, 0, 1, 95)
RATE = probability
RNG = among("1", "1", "2", "2", "np.random.default_rng(3)", "None", "-1", "'a'")
CORRELATION = among(
    "[[1, 0.5], [0.5, 1]]", "None", "0.3", "-0.5", "0.0", "1.0", "-1.0", "0.999999", "2", "nan"
)
LEARNER_NAMES = among("'lda'", "'nb'", "'nb'", "'?'")
NO_JOBS = among("None", "1", "1", "0", "1.5", "'a'")  # no worker processes here: they cost seconds

STRATEGIES: dict[str, Strategy] = {
    # the sample
    "y_true": random_y_true,
    "y": lambda draw: text(draw.labels()),
    "y_score": random_y_score,
    "y_pred": lambda draw: text(draw.estimates()),
    "score_a": lambda draw: text(draw.scores()),
    "score_b": lambda draw: text(draw.scores()),
    "scores": random_scores_mapping,
    "fold": lambda draw: text(draw.integers(0, draw.pick(2, 3, 5))),
    "groups": lambda draw: text(draw.integers(0, 5)),
    "sample_weight": lambda draw: text(draw.rows(draw.rng.choice([0.0, 0.5, 1.0, 3.0, 1e-9], len(draw.codes)).tolist())),
    "pos_label": random_pos_label,
    "classes": random_labels_of,
    "X": random_features,
    "net_benefit.y_score": random_probabilities,
    "net_benefit.probabilities": random_rates,
    "test": lambda draw: text("(", draw.labels(), ", ", draw.scores(), ", ", draw.scores(), ")"),
    "compare_algorithms.test": among("'paired-t'", "'corrected-t'", "None", "'delong-averaged'", "'?'"),
    # levels, rates, bounds
    "level": LEVEL,
    "threshold": number(0.5, 0, 1, -1.0, 2.0, "inf", "-inf", 2**53 + 1, 5e-324),
    "margin": number(0.1, 0.01, 0.5, 1e-12, 2, 0, -0.1),
    "prevalence": random_prevalence,
    "threshold_probability": RATE,
    "rate": RATE,
    "error": RATE,
    "share": RATE,
    "at": RATE,
    "roc_band.at": among("'fpr'", "'fpr'", "'threshold'", "'tpr'", "'?'"),
    "fpr": random_range,
    "tpr": random_range,
    "tpr.fpr": random_rates,
    "fpr.tpr": random_rates,
    "slope.fpr": random_rates,
    "tpr_at.fpr": random_rates,
    "fpr_at.tpr": random_rates,
    "band.fpr": random_rates,
    "tpr_estimate.fpr": RATE,
    "densities.fpr": RATE,
    "recall": random_rates,
    "x": random_rates,
    "t": random_rates,
    "lambdas": random_rates,
    "min_expected": number(5.0, 0, 1, 1e9, -1),
    "rope": number(0.0, 0.01, 1.0, -1),
    "test_over_train": number(0.1, 1.0, 0, 1e9, -1),
    # choices whose words the functions name only in company of other arguments
    "alternative": among("'two-sided'", "'less'", "'greater'", "'?'"),
    "power.method": among("'obuchowski'", "'hanley-mcneil'", "'binormal'", "'exact'", "'normal'", "'?'"),
    "sample_size.method": among("'obuchowski'", "'hanley-mcneil'", "'binormal'", "'exact'", "'normal'", "'?'"),
    "OperatingPointClassifier.response": among("'auto'", "'predict_proba'", "'decision_function'", "'?'"),
    # rules and constraints
    "constraints": random_constraints,
    "search_weights.constraints": lambda draw: text("[", random_constraints(draw), "]"),
    "sweep_weights.constraints": lambda draw: text("[", random_constraints(draw), "]"),
    "select": random_constraints,
    "cost": random_cost,
    "contrasts": among("[[1, -1]]", "None", "[[1, -1]]", "[[1, -2, 1]]", "[[0, 0]]", "[[1, 0], [0, 1]]", "[1, -1]"),
    "points": random_points,
    "measures": random_measures,
    "objective": random_objective,
    "name": random_measures,
    "curve.name": among("None", "0", "'a'"),
    "fold_curves.name": among("None", "0", "'a'"),
    "index": among("0", "1", "2", "5", "-1", "99", "'a'", "None", "np.int64(1)", "1.0"),
    "rho": among("(0.0, 0.0)", "(0.5, 0.5)", "(0.3, 0.6)", "(0.9, -0.9)", "(1.0, 1.0)", "(2, 0)", "0.5"),
    # curves and models
    "first": random_curve,
    "second": random_curve,
    "combine_curves.first": random_binormal,
    "combine_curves.second": random_binormal,
    "other": random_binormal,
    "merge.other": among("rs.ScoreTable.from_counts([1, 2], pos=[0, 3], neg=[2, 1])"),
    "table": among("None", "True", "False"),
    "from_table.table": among("rs.ScoreTable.from_counts([1, 2], pos=[0, 3], neg=[2, 1])"),
    "fits": random_fits,
    "weights": random_weights,
    "corr_neg": CORRELATION,
    "corr_pos": CORRELATION,
    "thresholds": random_rates,
    "ordinal_roc.thresholds": among("10", "4", "'all'", "1", "[0.5, 1.5]", "{(0, 1): [0.5]}", "0"),
    "Binormal.a": number(0.0, 1.2, -3.0, 40.0, 1e-300),
    "Binormal.b": number(1.0, 0.3, 1e-6, 1e6, 0),
    "ProperBinormal.d_a": number(0.0, 1.2, 30.0, -1.0),
    "ProperBinormal.c": number(0.0, -0.3, 0.9999, 1.0),
    "ContaminatedBinormal.alpha": RATE,
    "ContaminatedBinormal.mu": number(0.0, 1.2, 40.0, -1.0),
    "from_counts.scores": lambda draw: text(draw.rows(sorted(draw.rng.choice(9, 4, replace=False).tolist()))),
    "pos": lambda draw: text(draw.rows(draw.rng.choice([0, 1, 3, 2**31, 2**52], 4).tolist())),
    "neg": lambda draw: text(draw.rows(draw.rng.choice([0, 1, 3, 2**31, 2**52], 4).tolist())),
    "max_rows": count(2, 3, 100),
        # decision rules
    "Threshold.value": number(0.5, 0, -1, "inf", "-inf", "None", 2**60 + 1),
    "positive": among("1", "1", "'yes'", "None", "[1]"),
    "negative": among("0", "0", "'no'", "1"),
    "distance": among("False", "True"),
    "reject": among("None", "0.5", "None", "0", "-1", "'a'"),
    "ClassWeights.values": random_weights,
    "text": among("rs.Threshold(0.5).to_json()", "rs.ClassWeights((1, 2), ('a', 'b')).to_json()", "'{}'", "'['"),
    # chance and work
    "rng": RNG,
    "n_boot": count(100, 120),
    "ordinal_roc.n_boot": count(0, 100),
    "preview_fusion.n_boot": count(0, 0, 0, 100),
    "bootstrap_auc.n_boot": count(3, 8),
    "learning_curve.n_boot": count(1, 3),
    "monte_carlo.n_boot": count(0, 3),
    "n_jobs": NO_JOBS,
    "executor": among("None"),
    "progress": among("None", "lambda *_: None"),
    "timeout": among("None"),
    "n_start": count(100, 20),
    "keep": count(10, 1),
    "steps": count(0, 1, 3),
    "max_cycles": count(1, 100),
    "cv": random_cv,
    "bootstrap_auc.cv": count(2, 3),
    "target": lambda draw: text(draw.pick("None", *map(repr, draw.names))),
    "preview_fusion.target": among("'auc'", "'partial-auc'", "'tpr'", "'cost'", "'?'"),
    "sizes": among("[6]", "[6, 10]", "8", "None", "[1]", "[999]"),
    # learners
    "estimator": among(*ESTIMATORS),
    "algorithms": random_algorithms,
    "compare_ranks.algorithms": among(*["['a', 'b', 'c']"] * 3, "('a', 'b')", "['a', 'a', 'a']"),
    "datasets": random_datasets,
    "compare_ranks.datasets": among("None", "None", "None", "['p', 'q', 'r']", "['p']"),
    "compare_ranks.values": lambda draw: text(draw.rows(
        [tuple(draw.rng.choice([0.5, 0.6, 0.7, 1.0, math.nan], 3, p=[0.3, 0.3, 0.2, 0.15, 0.05]).tolist())
         for _ in range(draw.pick(1, 2, 3, 8))], MATRICES)),
    "measure": among("'auc'", "'error'", "'auc'", "'?'"),
    "scorers": among("None", "['accuracy']", "None", "{'mine': lambda e, X, y: 1.0}", "['?']"),
    "folds": count(2, 3, 4),
    "repeats": count(2, 3),
    "comparison": among("comparison"),
    "dataset": among("'one'", "'two'", "'two'", "'?'"),
    "algorithm": LEARNER_NAMES,
    "algorithm_pair.first": LEARNER_NAMES,
    "algorithm_pair.second": LEARNER_NAMES,
    "tests_of.first": LEARNER_NAMES,
    "tests_of.second": LEARNER_NAMES,
    "a": lambda draw: text(draw.scores()),
    "b": lambda draw: text(draw.scores()),
    "n_train": count(9, 90),
    "n_test": count(5, 9),
    "n": among("5", "(4, 6)", "[5]", "2", "1", "'a'"),
    "row.n": among("6", "8", "99"),
    "row.estimator": among("'true'", "'star'", "'?'"),
    "figures.estimator": among("'true'", "'star'", "'?'"),
    "figures.figure": among("'mean'", "'sd'", "'bias'", "'?'"),
    "row.source": among("'training'", "'test'", "'?'"),
    "column.name": among("'auc'", "'apparent'", "'star500'", "'?'"),
    "dimension": count(1, 2, 3),
    "separation": number(0.8, 0, 1e-9, 50, -1),
    "mean": among("[1, 0.5]", "None", "[0, 0]", "[1]", "'a'"),
    "covariance": among("[[1, 0.5], [0.5, 2]]", "None", "[[1, 1], [1, 1]]", "[[1]]", "([[1, 0], [0, 1]], [[2, 0], [0, 1]])"),
    "trials": count(2, 3),
    "training_sets": count(3, 4),
    "test_sets": count(3, 4),
    "estimator.point": random_points,
    "point": among("None", "rs.Threshold(0.5)", "rs.Threshold(0.0, positive=1, negative=0)", "5"),
    "reject_label": among("None", "'?'"),
    # plans
    "auc": number(0.8, 0.7, 0.55, 0.5, 0.99, 1.0, 0.2, 0),
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
    "path": random_file,
    "report.path": among("'page.html'", "Path('page.html')", "'page.html'", "'no/such/folder/page.html'", "''"),
    "results": random_results,
    "title": among("None", "'<b>é</b>'", "'t'", "5"),
    "label": among("'y'", "'y'", "'y'", "'Y'", "'no such'", "''"),
    "score": among("'s'", "['s']", "['s', 'f']", "'s'", "'f'", "['s', 'f']", "'no such'"),
    "read_scores.fold": among("'f'", "None", "None", "'?'"),
    "weight": among("'w'", "None", "None", "'?'"),
    "memory_limit": among("None", "'512MB'", "10**9", "'1KB'", "'?'"),
    "format": among("None", "None", "None", "'csv'", "'jsonl'", "'parquet'", "'?'"),
    # methods of results
    "by": among("'correlated'", "'independent'", "'empirical'", "'?'"),
    "ellipse.kind": among("'neg'", "'pos'", "'?'"),
    "of": among("'pos'", "'neg'", "'?'"),
    "adjust": among("'none'", "'holm'", "'?'"),
}  # fmt: skip

# Arguments that most calls need although they have a default, and those that keep the work small.
ALWAYS = {
    "y_score", "scores", "score_a", "score_b", "y_pred", "fold", "classes", "rng", "cv", "point",
    "n_boot", "trials", "n_start", "keep", "training_sets", "test_sets", "sizes", "monte_carlo.n",
    "monte_carlo.n_test", "variance_components.n", "variance_components.n_test", "compare_algorithms.folds",
    "a", "b", "d_a", "c", "alpha", "mu", "auc", "n_pos", "n_neg", "power", "rate",
}  # fmt: skip
# What an object that holds labels and scores makes needless.
PACKED = {"y_score", "scores", "score_a", "score_b", "pos_label", "sample_weight", "fold", "classes"}
OPTIONAL = 2.0  # how many other optional arguments a call has on average


def strategy(function: str, parameter: str) -> Strategy | None:
    """The entry "Class.method.parameter", "method.parameter" or "parameter", the first that there is."""
    parts = f"{function}.{parameter}".split(".")
    known = (STRATEGIES.get(".".join(parts[start:])) for start in range(len(parts)))
    return next(filter(None, known), None)


def nonsense(draw: Draw) -> Argument:
    return text(draw.pick(*NONSENSE_VALUES))


def choice(words: tuple[str, ...]) -> Strategy:
    return lambda draw: text(repr("?" if draw.odd(0.05) else draw.pick(*words)))
