"""What the page computes is what Python computes: measures, choice of a point, tests, on the same payload."""

import math
import re
from importlib.resources import files
from pathlib import Path
from typing import get_args

import numpy as np
import pytest
from scipy import special, stats

import rocscope as rs
from browser.one_set import one_set
from browser.twins import Twins
from rocscope.core import significance
from rocscope.core.measures import MEASURES, TWO_CLASS, evaluate
from rocscope.core.rules import Rule
from rocscope.errors import UndefinedError
from rocscope.inference.point_measures import estimates
from rocscope.inference.proportions import IntervalKind, wilson_interval
from rocscope.reporting.explorer import SCRIPTS, average_payload, curve_payload
from slow.class_estimates import class_estimates


@pytest.fixture(scope="module")
def twins(browser):
    page = browser.new_page()
    yield Twins(page)
    page.close()


# ---- Distributions ----------------------------------------------------------------------------------------


def test_p_values_of_t(twins):
    # (Below 1e-4 it is scipy that is wrong: at t = 1e-8 with one degree of freedom by 3e-9.)
    t = [0.0, 1e-4, 0.01, 0.3, 1.0, 2.262, 3.5, 8.0, 40.0, 1e3, 1e6, 1e160, -2.0]
    df = [1, 2, 3, 4, 9, 18, 29, 58, 99, 198, 999]
    found = twins.call("(t, df) => t.map((x) => df.map((n) => rocscope.explorer.numbers.tTest(x, n)))", t, df)
    expected = 2 * special.stdtr(np.array(df), -np.abs(np.array(t))[:, None])
    np.testing.assert_allclose(found, expected, rtol=1e-10, atol=1e-300)


def test_incomplete_beta(twins):
    rng = np.random.default_rng(1)
    a, b, x = rng.uniform(0.3, 60, 300), rng.uniform(0.3, 60, 300), rng.uniform(0, 1, 300)
    function = "(a, b, x) => a.map((_, k) => rocscope.explorer.numbers.incompleteBeta(a[k], b[k], x[k]))"
    found = np.array(twins.call(function, a.tolist(), b.tolist(), x.tolist()))
    np.testing.assert_allclose(found, special.betainc(a, b, x), rtol=1e-10, atol=1e-13)


@pytest.mark.parametrize(
    ("first", "second"), [(0, 0), (3, 3), (0, 6), (1, 5), (12, 40), (700, 800), (0, 900)]
)
def test_mcnemar(twins, first, second):
    found = twins.call("rocscope.explorer.numbers.evenTest", first, second)
    expected = stats.binomtest(first, first + second).pvalue if first + second else 1.0
    assert found == pytest.approx(expected, rel=1e-10)


def test_wilson(twins):
    cases = [(k, n) for n in (1, 7, 250) for k in (0, 1, n // 2, n - 1, n)]
    function = "(cases, z) => cases.map(([k, n]) => rocscope.explorer.numbers.wilson(k, n, z))"
    found = twins.call(function, cases, float(special.ndtri(0.975)))
    expected = [wilson_interval(k, n) for k, n in cases]
    np.testing.assert_allclose(found, expected, rtol=1e-13, atol=0)


def test_rounding_is_that_of_numpy(twins):
    rng = np.random.default_rng(2)
    values = [*rng.uniform(-1, 1, 500), 0.5e-12, 1.5e-12, 2.5e-12, -0.5e-12, 0.9 - 1e-16, 0.0, 1.0]
    assert (
        twins.call("(v) => v.map(rocscope.explorer.numbers.rounded)", values) == np.round(values, 12).tolist()
    )


@pytest.mark.parametrize("text", ["0.9", "1e-3", "-.5", "inf", "-Infinity", "0x10", "1,5", "", "nan", "5."])
def test_numbers_are_read_as_python_does(twins, text):
    try:
        expected = float(text)
    except ValueError:
        expected = math.nan
    found = twins.call("rocscope.explorer.numbers.readNumber", text)
    assert found == expected or (math.isnan(found) and math.isnan(expected))


# ---- Measures ---------------------------------------------------------------------------------------------

MATRICES = {
    "two": (2, 2, [None, 0.1, [0.7, 0.3]], [None, [[0, 1], [5, 0]]]),
    "two, rejecting": (2, 3, [None, 0.4], [None, [[0, 1, 0.5], [5, 0, 0.5]]]),
    "three": (3, 3, [None, [0.2, 0.3, 0.5]], [None, [[0, 1, 2], [3, 0, 1], [1, 1, 0]]]),
    "three, rejecting": (3, 4, [None, [0.2, 0.3, 0.5]], [None, [[0, 1, 2], [3, 0, 1], [1, 1, 0]]]),
}


@pytest.mark.parametrize("kind", MATRICES)
def test_measures(twins, kind):
    n_classes, columns, prevalences, costs = MATRICES[kind]
    rng = np.random.default_rng(n_classes + columns)
    counts = rng.integers(0, 6, (60, n_classes, columns)) * rng.integers(0, 2, (60, n_classes, columns))
    counts[:3] = 0
    names = [name for name in MEASURES if n_classes == 2 or name not in TWO_CLASS]
    classes = ["a", "b(c)", "d"][:n_classes]
    function = """(name, classes, cells, columns, prevalence, cost) => {
      const { Matrix, find } = rocscope.explorer.measures;
      const matrix = new Matrix(classes.length, columns);
      const size = classes.length * columns;
      return Array.from({ length: cells.length / size }, (_, k) =>
        find(name, classes)(matrix.at(cells, k * size), prevalence, cost));
    }"""
    for name in [*names, "sensitivity", "ppv", f"error({classes[1]})"]:
        if n_classes > 2 and name in ("sensitivity", "ppv"):
            continue
        for prevalence in prevalences:
            for cost in costs:
                found = twins.call(
                    function, name, classes, counts.ravel().tolist(), columns, prevalence, cost
                )
                expected = evaluate(name, counts, classes=classes, prevalence=prevalence, cost=cost)
                np.testing.assert_allclose(
                    found, expected, rtol=4e-16, atol=0, err_msg=f"{name} {prevalence}"
                )


ESTIMATE = """(name, cells, prevalence, cost, z, classes = ["neg", "pos"], columns = 2) => {
  const { Matrix } = rocscope.explorer.measures;
  const matrix = new Matrix(classes.length, columns).at(cells, 0);
  const found = rocscope.explorer.intervals.estimate(name, matrix, prevalence, cost, z, classes);
  return found && [found.value, found.se, found.low, found.high];
}"""
ESTIMATES = {"sensitivity": "tpr", "specificity": "tnr", "ppv": "precision", "expected_cost": "cost"}
COMPLEMENTS = {"fpr": "specificity", "fnr": "sensitivity", "error": "accuracy"}


@pytest.mark.parametrize("prevalence", [None, 0.02, 0.5])
@pytest.mark.parametrize("level", [0.8, 0.95])
def test_standard_errors_and_intervals(twins, prevalence, level):
    rng = np.random.default_rng(5)
    counts = rng.integers(0, 12, (40, 4)) * rng.integers(0, 2, (40, 4))
    counts[:, 0] += counts[:, 0] + counts[:, 1] == 0
    counts[:, 2] += counts[:, 2] + counts[:, 3] == 0
    edges = [(7, 0, 5, 0), (0, 7, 0, 5), (7, 0, 0, 5), (0, 7, 5, 0), (1, 0, 0, 1), (900, 13, 8, 400)]
    costs = [[[0, 1], [5, 0]], [[0.5, 1], [5, 0.25]]]
    z = significance.quantile(level)
    for place, (tn, fp, fn, tp) in enumerate([*counts.tolist(), *edges]):
        cost = costs[place % 2]
        cells = {"tp": tp, "fp": fp, "fn": fn, "tn": tn}
        expected = estimates(
            IntervalKind(level=level), **cells, prevalence=prevalence, cost=cost, probability=0.5
        )
        for name, estimate in expected.items():
            if name == "net_benefit":
                continue
            field = ESTIMATES.get(name, name)
            check_estimate(twins.call(ESTIMATE, field, [tn, fp, fn, tp], prevalence, cost, z), estimate)
        for name, other in COMPLEMENTS.items():
            found = twins.call(ESTIMATE, name, [tn, fp, fn, tp], prevalence, cost, z)
            one = expected[other]
            np.testing.assert_allclose(
                found, [1 - one.value, one.se, 1 - one.high, 1 - one.low], rtol=1e-9, atol=1e-12
            )


def check_estimate(found, expected):
    if expected.value is None and expected.low is None:
        assert found is None
        return
    if expected.value == math.inf:
        assert expected.se is None
        assert (found[0], math.isnan(found[1]), found[3]) == (math.inf, True, math.inf)
        assert found[2] == pytest.approx(expected.low, rel=1e-10)
        return
    figures = [expected.value, expected.se, expected.low, expected.high]
    np.testing.assert_allclose(found, figures, rtol=1e-10, atol=1e-13, err_msg=expected.name)


@pytest.mark.parametrize("kind", ["three", "three, rejecting", "two, rejecting"])
@pytest.mark.parametrize("level", [0.8, 0.95])
def test_standard_errors_and_intervals_of_several_classes(twins, kind, level):
    n_classes, columns, prevalences, costs = MATRICES[kind]
    rng = np.random.default_rng(7)
    shape = (12, n_classes, columns)
    counts = rng.integers(0, 30, shape) * rng.integers(0, 2, shape)
    counts[0] = np.eye(n_classes, columns) * 7
    counts[1] = 0
    counts[2, 1] = 0
    classes, z = ["a", "b(c)", "d"][:n_classes], significance.quantile(level)
    for matrix in counts:
        for prevalence in prevalences:
            for cost in costs:
                options = {"classes": classes, "prevalence": prevalence, "cost": cost}
                expected = class_estimates(matrix, IntervalKind(level=level), **options)
                largest = expected.pop("max-class-error")
                assert largest.se is None
                cells = matrix.ravel().tolist()
                for name, estimate in expected.items():
                    found = twins.call(ESTIMATE, name, cells, prevalence, cost, z, classes, columns)
                    check_estimate(found, estimate)
                assert (
                    twins.call(ESTIMATE, largest.name, cells, prevalence, cost, z, classes, columns) is None
                )


def test_names_of_measures_that_do_not_exist(twins):
    for name in ("tp", "constructor", "__proto__", "error(x)", "hasOwnProperty"):
        assert twins.call("(name) => rocscope.explorer.measures.find(name, ['a', 'b'])", name) is None
    assert twins.call("() => rocscope.explorer.measures.find('tpr', ['a', 'b', 'c'])") is None


# ---- Data -------------------------------------------------------------------------------------------------


def two_class_data(seed, n=240, digits=1):
    rng = np.random.default_rng(seed)
    y = rng.random(n) < 0.35
    score = np.round(rng.normal(size=n) + 1.2 * y, digits)
    return y.astype(int), score, rng.permutation(n) % 6


def averages():
    y, score, fold = two_class_data(3)
    yield "two", rs.average_roc(y, score, fold=fold)
    yield (
        "population",
        rs.average_roc(
            y, score, fold=fold, points=17, prevalence=0.1, cost=(1, 7), measures=["tpr", "precision", "cost"]
        ),
    )
    lonely = np.where(y == 1, fold % 5, fold)  # the last fold has no positive
    yield "lacking", rs.average_roc(y, score, fold=lonely, measures=["fpr", "accuracy"])
    own = {"half": lambda c: c[..., 1, 1] / 2 / c[..., 1, :].sum(axis=-1), "fpr": "fpr"}
    yield "own", rs.average_roc(y, score, fold=fold, measures=own)
    rng = np.random.default_rng(4)
    codes = rng.integers(0, 3, 180)
    output = rng.random((180, 3)) + 0.7 * np.eye(3)[codes]
    names = np.array(["ape", "bee", "cat"])
    three = {"fold": np.arange(180) % 4, "classes": names.tolist()}
    yield "three", rs.average_roc(names[codes], output, points=60, **three)
    rules = [
        rs.ClassWeights(w, classes=names.tolist(), reject=r)
        for w, r in zip(rng.random((20, 3)) + 0.05, rng.uniform(0.3, 0.5, 20), strict=True)
    ]
    yield "rejecting", rs.average_roc(names[codes], output, points=rules, **three)
    yield "one set", one_set(names[codes], output, rng.random((50, 3)) + 0.05, names.tolist())


AVERAGES = dict(averages())
CURVES = {
    "tied": rs.roc_curve(*two_class_data(5)[:2]),
    "fine": rs.roc_curve(*two_class_data(6, n=700, digits=8)[:2]),
    "infinite": rs.roc_curve([0, 1, 0, 1, 1], [-np.inf, np.inf, 0.0, 0.5, 0.5]),
    "weighted": rs.roc_curve([0, 0, 1, 1], [1, 2, 2, 3], sample_weight=[0.5, 1.25, 2, 0.75]),
}


@pytest.fixture(scope="module")
def models(twins):
    for name, roc in AVERAGES.items():
        twins.load(name, average_payload(roc))
    for name, curve in CURVES.items():
        twins.load(name, curve_payload(curve))
    return twins


@pytest.mark.parametrize("name", AVERAGES)
def test_means_of_every_measure(models, name):
    roc = AVERAGES[name]
    for entry in average_payload(roc)["measures"]:
        measure = entry["name"]
        found = models.call(
            "(name, measure) => [...Array(model(name).size).keys()]"
            ".map((k) => [model(name).means(measure)[k], model(name).momentsAt(measure, k).sd])",
            name,
            measure,
        )
        np.testing.assert_allclose(np.array(found)[:, 0], roc.measure(measure), rtol=1e-14, atol=1e-16)
        if measure in roc.measures:
            column = roc.measures.index(measure)
            np.testing.assert_allclose(np.array(found)[:, 1], roc.sd[:, column], rtol=1e-12, atol=1e-16)


def test_confusion_matrices(models):
    for name, result in (AVERAGES | CURVES).items():
        expected = result.confusion() if isinstance(result, rs.RocCurve) else result.confusion
        function = "(name) => [...Array(model(name).size).keys()].map((k) => model(name).confusion(k))"
        assert models.call(function, name) == expected.tolist()


# ---- The choice of a point --------------------------------------------------------------------------------

SELECT = """(name, text, rule, cost, prevalence) => {
  const { readBounds, select } = rocscope.explorer.select;
  const bounds = readBounds(text, model(name));
  const found = select(model(name), { bounds, rule, cost, prevalence });
  return found.message ?? model(name).payload.index[found.point];
}"""
TWO_CLASS_SELECTIONS = [
    ("", {}),
    ("", {"rule": "youden"}),
    *[(text, {"rule": rule}) for rule in get_args(Rule) for text in ("", "sens >= 0.6", "-LR < 0.9")],
    ("", {"rule": "max-accuracy", "prevalence": 0.1}),
    ("", {"rule": "closest", "prevalence": 0.2}),
    ("", {"rule": "youden", "prevalence": 0.8}),
    ("", {"cost": (1, 1)}),
    ("", {"cost": (1, 5), "prevalence": 0.02}),
    ("", {"cost": (3, 1)}),
    ("tpr>=0.9", {}),
    ("sensitivity>=0.9, FPR <= 0.6", {}),
    ("fpr<=0.2", {}),
    ("specificity > 0.8; precision ≥ 0.4", {}),
    ("precision>=0.5 and npv>=0.5", {"prevalence": 0.3}),
    ("tpr>=0.5", {"rule": "closest"}),
    ("tpr>=0.5", {"cost": (1, 0.2), "prevalence": 0.5}),
    ("tpr>=0.95, fpr<=0.001", {}),
    ("lr_pos>=1e9", {}),
]


def selected(models, name, text, rule=None, cost=None, prevalence=None):
    if isinstance(cost, tuple):
        cost = [[0, cost[0]], [cost[1], 0]]
    return models.call(SELECT, name, text, rule, cost, prevalence)


def as_bounds(text):
    words = (("sens ", "sensitivity "), ("-LR", "lr_neg"))
    for old, new in (("≥", ">="), ("FPR", "fpr"), (";", ","), (" and ", ","), *words):
        text = text.replace(old, new)
    return [one.strip() for one in text.split(",") if one.strip()]


@pytest.mark.parametrize("name", ["tied", "fine", "infinite", "weighted", "two", "population", "lacking"])
def test_the_choice_is_that_of_select(models, name):
    result = (AVERAGES | CURVES)[name]
    for text, selection in TWO_CLASS_SELECTIONS:
        try:
            expected = result.select(*as_bounds(text), **selection)
        except UndefinedError as error:
            expected = str(error)
        assert selected(models, name, text, **selection) == expected, (text, selection)


def test_random_costs_with_many_ties(models):
    rng = np.random.default_rng(8)
    for name in ("tied", "two"):
        result = (AVERAGES | CURVES)[name]
        for _ in range(40):
            cost = tuple(float(c) for c in rng.choice([0.5, 1.0, 2.0, 3.0, 10.0], 2))
            prevalence = float(rng.choice([0.1, 0.25, 0.5, 0.9]))
            found = selected(models, name, "", cost=cost, prevalence=prevalence)
            assert found == result.select(cost=cost, prevalence=prevalence)


@pytest.mark.parametrize("name", ["three", "rejecting", "one set"])
def test_the_choice_among_many_classes(models, name):
    roc = AVERAGES[name]
    cost = [[0.0, 1.0, 1.0], [4.0, 0.0, 4.0], [0.5, 0.5, 0.0]]
    selections = [
        ("", {}),
        ("", {"rule": "mean-class-error"}),
        ("error(bee)<=0.3", {}),
        ("error(bee)<=0.3, accuracy>=0.4", {"rule": "mean-class-error"}),
        ("", {"cost": cost}),
        ("error(cat)<=0.5", {"cost": cost, "prevalence": [0.2, 0.3, 0.5]}),
    ]
    for text, selection in selections:
        assert selected(models, name, text, **selection) == roc.select(*as_bounds(text), **selection), (
            text,
            selection,
        )


@pytest.mark.parametrize("text", ["tpr", "tpr>=", "tpr=>0.5", "nonsense>=0.5", "tpr>=nan", "tpr>=1,5"])
def test_bounds_that_are_none_are_refused(models, text):
    function = (
        "(text) => { try { rocscope.explorer.select.readBounds(text, model('two')); } catch { return 1 } }"
    )
    assert models.call(function, text) == 1


def test_class_names_with_commas(models):
    function = (
        "(text) => rocscope.explorer.select.readBounds(text, {knows: () => true}).map((b) => b.measure)"
    )
    assert models.call(function, "error(a, b)<=0.1, tpr>=0.5") == ["error(a, b)", "tpr"]


# ---- Tests between points ---------------------------------------------------------------------------------

COMPARE = """(name, index, measures, method, level) => {
  const m = model(name);
  const selection = { measures, method, level };
  const { comparePair, alikeTo } = rocscope.explorer.test;
  const { alike, message } = alikeTo(m, index, selection);
  if (message) return { message };
  const rows = [...Array(m.size).keys()].map((k) => comparePair(m, index, k, selection).rows);
  return { alike, rows };
}"""


@pytest.mark.parametrize("method", ["paired-t", "paclik", "corrected"])
@pytest.mark.parametrize("name", ["two", "population", "own", "three", "rejecting"])
def test_comparisons_are_those_of_compare_to(models, name, method):
    roc = AVERAGES[name]
    points = np.linspace(0, len(roc) - 1, 10).round().astype(int).tolist()
    for place, level in enumerate(average_payload(roc)["levels"]):
        for index in points:
            found = models.call(COMPARE, name, index, list(roc.measures), method, place)
            try:
                expected = roc.compare_to(index, method=method, level=level)
            except UndefinedError:
                assert "no test" in found["message"]
                continue
            assert found["alike"] == expected.indistinguishable.tolist()
            if place == 2:
                check_rows(found["rows"], expected)


def check_rows(rows, expected):
    for m in range(len(expected.measures)):
        assert [row[m]["defined"] for row in rows] == expected.defined[:, m].tolist()
        at = np.flatnonzero(expected.defined[:, m])
        names = {"p": "p_value", "mean": "difference", "low": "low", "high": "high", "statistic": "statistic"}
        for mine, theirs in names.items():
            found = [rows[k][m][mine] for k in at]
            np.testing.assert_allclose(found, getattr(expected, theirs)[at, m], rtol=1e-10, atol=1e-15)


def test_a_fold_without_a_class_has_no_test(models):
    found = models.call(COMPARE, "lacking", 3, ["fpr"], "paired-t", 2)
    assert found["alike"] == AVERAGES["lacking"].compare_to(3, measures="fpr").indistinguishable.tolist()
    y, score, fold = two_class_data(3)
    lacking = rs.average_roc(y, score, fold=np.where(y == 1, fold % 5, fold))
    models.load("no positives", average_payload(lacking))
    with pytest.raises(UndefinedError, match="tpr in every fold"):
        lacking.compare_to(3)
    assert (
        "tpr has no value at any point in fold 5"
        in models.call(COMPARE, "no positives", 3, ["tpr", "fpr"], "paired-t", 2)["message"]
    )


BETWEEN = """(name, index, level) => {
  const m = model(name);
  const { betweenOnCurve } = rocscope.explorer.test;
  return [...Array(m.size).keys()].map((k) => betweenOnCurve(m, index, k, { level }).rows);
}"""


def moved_ends(count, n, steps, level):
    """The interval of a rate's change over some steps along a curve: no rate falls along it."""
    low, high = (0.0, 0.0) if steps == 0 else wilson_interval(abs(count), n, level=level)
    return [low, high] if steps >= 0 else [-high, -low]


@pytest.mark.parametrize("name", ["tied", "fine", "infinite"])
def test_rates_between_two_points_of_a_curve_move_one_way(models, name):
    curve = CURVES[name]
    sent = curve_payload(curve)
    for place, index in ((2, 0), (2, 2), (0, len(sent["index"]) // 2), (3, len(sent["index"]) - 1)):
        rows = models.call(BETWEEN, name, index, place)
        for k, (of_tpr, of_fpr) in enumerate(rows):
            for row, counts, n in ((of_tpr, curve.tp, curve.n_pos), (of_fpr, curve.fp, curve.n_neg)):
                moved = int(counts[sent["index"][k]] - counts[sent["index"][index]])
                expected = moved_ends(moved, int(n), k - index, sent["levels"][place])
                assert row["moved"] == moved
                np.testing.assert_allclose([row["low"], row["high"]], expected, rtol=1e-12, atol=1e-15)
                assert row["low"] <= row["mean"] <= row["high"]


def test_every_exported_function_is_used():
    """What a script gives to others is used by another script or by a test."""
    assets = files("rocscope.reporting").joinpath("assets")
    scripts = {name: assets.joinpath(name).read_text(encoding="utf-8") for name in SCRIPTS}
    tests = "".join(path.read_text(encoding="utf-8") for path in Path(__file__).parent.glob("*.py"))
    for name, source in scripts.items():
        others = "".join(text for other, text in scripts.items() if other != name) + tests
        for given in re.findall(r"^  explorer\.\w+ = \{(.+)\};$", source, re.MULTILINE):
            idle = [one for one in given.split(", ") if not re.search(rf"\b{one.strip()}\b", others)]
            assert idle == [], name
