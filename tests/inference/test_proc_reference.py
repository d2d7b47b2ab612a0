"""Every number in tests/reference/proc.json, to the tolerance the file states.

Where pROC and rocscope differ on purpose a test says so: at an area of 0 or 1 pROC's interval has no width,
ours is an exact bound; a difference without a variance is undefined here; pROC compares rounded sums where
it looks for the best points, and so loses some of those that tie.
"""

import math
from fractions import Fraction

import numpy as np
import pytest

from reference_cases import case_data, load_reference
from rocscope import auc, compare_auc, roc_curve
from slow import decisions

REFERENCE = load_reference("proc")
CLASSIFIERS = [(case, name) for case in REFERENCE["cases"] for name in case["classifiers"]]
PAIRS = [(case, pair) for case in REFERENCE["cases"] for pair in case["pairs"]]


def close(value):
    return pytest.approx(value, rel=0, abs=REFERENCE["tolerance"])


@pytest.fixture
def one(request):
    case, name = request.param
    y, scores = case_data(case)
    return y, scores[name], case["classifiers"][name]


@pytest.fixture
def two(request):
    case, pair = request.param
    y, scores = case_data(case)
    return y, {name: scores[name] for name in (pair["first"], pair["second"])}, pair


each_classifier = pytest.mark.parametrize(
    "one", CLASSIFIERS, indirect=True, ids=[f"{case['name']}-{name}" for case, name in CLASSIFIERS]
)
each_pair = pytest.mark.parametrize(
    "two", PAIRS, indirect=True, ids=[f"{case['name']}-{p['first']}-{p['second']}" for case, p in PAIRS]
)


def test_the_file_says_where_it_comes_from():
    assert REFERENCE["source"].startswith("pROC ")
    assert REFERENCE["script"] == "validation/proc_reference.R"
    assert len(CLASSIFIERS) > 40
    assert len(PAIRS) > 30


# ---- One classifier ---------------------------------------------------------------------------------------


@each_classifier
def test_area_and_variance(path, one):
    y, scores, expected = one
    result = auc(y, scores, method="delong")
    assert result.value == close(expected["auc"])
    assert roc_curve(y, scores).auc == result.value
    if expected["variance"] is None:
        assert result.se is None
        assert result.status == "partial"
    else:
        assert result.se**2 == close(expected["variance"])


@each_classifier
@pytest.mark.parametrize("level", ["0.95", "0.90"])
def test_interval(one, level):
    y, scores, expected = one
    result, theirs = auc(y, scores, method="delong", level=float(level)), expected["interval"][level]
    if result.value in (0.0, 1.0):
        assert theirs in ([result.value, result.value], [None, None])
        smaller = min((y == 1).sum(), (y == 0).sum())
        if smaller > 1:
            bound = ((1 - float(level)) / 2) ** (1 / smaller)
            ends = (bound, 1.0) if result.value else (0.0, 1 - bound)
            assert (result.low, result.high) == pytest.approx(ends)
    elif result.status == "partial":
        assert theirs in ([None, None], [result.value, result.value])  # no variance, or a variance of 0
        assert (result.low, result.high) == (None, None)
    else:
        assert [result.low, result.high] == close(theirs)


@each_classifier
def test_partial_areas(one):
    y, scores, expected = one
    curve = roc_curve(y, scores)
    for part in expected["partial"]:
        ranges = {rate: part[rate] for rate in ("fpr", "tpr") if rate in part}
        assert curve.partial_auc(**ranges).value == close(part["raw"])
        standard = part["standardized"]
        if standard is None:  # pROC refuses what lies below the diagonal; its formula goes on
            standard = part["standardized_if_allowed"]
        assert curve.partial_auc(**ranges, standardize=True).value == close(standard)


@each_classifier
@pytest.mark.parametrize(("rule", "theirs"), [("youden", "youden"), ("closest", "closest_topleft")])
def test_best_points(one, rule, theirs):
    y, scores, expected = one
    curve, best = roc_curve(y, scores), expected["best"][theirs]
    m, n = int((y == 1).sum()), int((y == 0).sum())
    points = [(Fraction(fp, n), Fraction(tp, m)) for fp, tp in curve.confusion()[:, :, 1].tolist()]
    loss = {"youden": decisions.youden_loss(), "closest": decisions.corner_loss()}[rule]
    exact = [points[k] for k in decisions.best_points(points, loss)]
    assert len(exact) == best["exact_ties"]
    for sensitivity, specificity in zip(best["sensitivity"], best["specificity"], strict=True):
        if sensitivity is not None:
            nearest = min(exact, key=lambda p: abs(p[1] - sensitivity) + abs(1 - p[0] - specificity))
            assert (float(nearest[1]), float(1 - nearest[0])) == close((sensitivity, specificity))
    assert curve.select(rule=rule) == decisions.select(points, loss)


# ---- Two classifiers --------------------------------------------------------------------------------------


@each_pair
def test_covariance(path, two):
    y, scores, expected = two
    result = compare_auc(y, scores, method="delong")
    if expected["covariance"] is None:
        assert np.isnan(result.cov).all()
    else:
        assert result.cov[0, 1] == close(expected["covariance"])


@each_pair
def test_paired_test(path, two):
    y, scores, expected = two
    theirs, result = expected["paired"], compare_auc(y, scores, method="delong")
    if result.status == "undefined":  # one case in a class, or a difference without variance
        assert result.reason is not None
        return
    assert result.pairs[0].difference == pytest.approx(result.auc[0] - result.auc[1])
    if result.pairs[0].se == 0:  # 0/0 in pROC: nothing, or a statistic of 0 or of rounding errors
        assert (result.statistic, result.p_value) == (0.0, 1.0)
        return
    assert result.statistic == close(theirs["statistic"])
    for alternative, p in theirs["p"].items():
        assert compare_auc(y, scores, method="delong", alternative=alternative).p_value == close(p)
    for level, ends in theirs["interval"].items():
        row = compare_auc(y, scores, method="delong", level=float(level)).pairs[0]
        assert (row.low, row.high) == close((max(-1.0, ends[0]), min(1.0, ends[1])))


@each_pair
def test_unpaired_test(path, two):
    y, scores, expected = two
    theirs, labels = expected["unpaired"], dict.fromkeys(scores, y)
    result = compare_auc(labels, scores, paired=False, method="delong")
    if result.status == "undefined":
        assert result.reason is not None
        return
    if result.pairs[0].se == 0:
        assert (result.statistic, result.p_value) == (0.0, 1.0)
        return
    assert result.statistic == close(theirs["statistic"])
    assert result.df == close(theirs["df"])
    for alternative, p in theirs["p"].items():
        how = {"paired": False, "method": "delong", "alternative": alternative}
        again = compare_auc(labels, scores, **how)
        assert again.p_value == close(p)


def test_what_is_undefined_here_is_degenerate_there():
    """Nothing is left out silently: count the pairs that the tests above pass over."""
    undefined = {}
    for case, pair in PAIRS:
        if "recipe" not in case:
            continue
        y, scores = case_data(case)
        two = {name: scores[name] for name in (pair["first"], pair["second"])}
        result = compare_auc(y, two, method="delong")
        if result.status == "undefined":
            undefined.setdefault(result.reason, set()).add(case["name"])
            statistic = pair["paired"]["statistic"]
            assert statistic is None or abs(statistic) > 1e6 or math.isinf(statistic)
    assert undefined == {
        "the variance needs two cases in each class": {"one_positive"},
        "the areas differ but their difference has no variance": {"constant_shift", "perfect_and_constant"},
    }
