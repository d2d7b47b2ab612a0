import json
import math

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.integrate import quad
from scipy.stats import gaussian_kde

import rocscope as rs
from reference_cases import load_reference
from rocscope.inference import smoothing
from rocscope.inference.smoothing import SmoothRoc, hall_hyndman, silverman, smooth_roc
from slow import smoothing as slow

REFERENCE = load_reference("smoothing")
RATES = REFERENCE["rates"]
EACH = pytest.mark.parametrize("case", REFERENCE["cases"], ids=lambda case: case["name"])
Y, S = [0, 0, 0, 0, 1, 1, 1, 1], [0.1, 0.3, 0.4, 0.6, 0.5, 0.7, 0.8, 0.9]


def of_case(case, **options):
    y = [1] * len(case["pos"]) + [0] * len(case["neg"])
    return smooth_roc(y, [*case["pos"], *case["neg"]], **options)


def simulated(n_pos, n_neg, seed=1, shift=1.0):
    rng = np.random.default_rng(seed)
    y = np.repeat([1, 0], [n_pos, n_neg])
    return y, rng.normal(size=y.size) + shift * y


@st.composite
def classes(draw):
    score = st.integers(-20, draw(st.sampled_from([-17, 20]))).map(lambda k: k / 8)
    sides = [draw(st.lists(score, min_size=2, max_size=6)) for _ in range(2)]
    return *sides, draw(st.sampled_from([0.05, 0.3, 2.0]))


# ---- Curve and area ----------------------------------------------------------------------------------------


@EACH
def test_agrees_with_r(case):
    near = {"rel": REFERENCE["tolerance"], "abs": REFERENCE["tolerance"]}
    curve = of_case(case)
    assert (curve.bandwidth_pos, curve.bandwidth_neg) == pytest.approx(
        (case["bandwidth_pos"], case["bandwidth_neg"]), **near
    )
    assert curve.auc == pytest.approx(case["auc"], **near)
    assert curve.tpr_at(RATES) == pytest.approx(case["tpr"], **near)


@EACH
def test_agrees_with_proc(case):
    """pROC takes one bandwidth for both classes, and adds densities up on a grid."""
    curve = of_case(case, bandwidth=case["proc"]["bandwidth"])
    assert curve.auc == pytest.approx(case["proc"]["auc"], abs=2e-3)
    assert curve.tpr_at(RATES) == pytest.approx(case["proc"]["tpr"], abs=2e-3)


@settings(max_examples=40, deadline=None)
@given(data=classes())
def test_agrees_with_its_definition(data):
    pos, neg, h = data
    curve = smooth_roc([1] * len(pos) + [0] * len(neg), pos + neg, bandwidth=h)
    both = h * math.sqrt(2)
    assert curve.auc == pytest.approx(slow.pair_area(pos, neg, both), abs=1e-13)
    assert curve.auc == pytest.approx(slow.area(pos, neg, h, h), abs=1e-7)
    variance = slow.jackknife_variance(pos, neg, both)
    assert curve.area.se == pytest.approx(math.sqrt(variance), rel=1e-6, abs=1e-12)
    for rate in (0.02, 0.3, 0.9):
        expected = slow.tpr_at(rate, pos, neg, h, h)
        assert curve.tpr_at(rate)[0] == pytest.approx(expected, abs=1e-9)
        back = curve.fpr_at(curve.tpr_at(rate))[0]
        if 1e-6 < expected < 1 - 1e-6:
            assert back == pytest.approx(rate, abs=1e-7)


@pytest.mark.slow
def test_agrees_with_scipys_kernel_density():
    y, s = simulated(30, 40)
    curve = smooth_roc(y, s, bandwidth=0.4)
    kernels = {c: gaussian_kde(s[y == c], bw_method=0.4 / s[y == c].std(ddof=1)) for c in (0, 1)}
    t = np.array([-0.5, 0.3, 1.2])
    fpr, tpr = curve.rates_at(t)
    for rates, c in ((fpr, 0), (tpr, 1)):
        assert rates == pytest.approx([kernels[c].integrate_box_1d(cut, np.inf) for cut in t], abs=1e-12)
    assert curve.auc == pytest.approx(
        quad(lambda u: kernels[0](u)[0] * kernels[1].integrate_box_1d(u, np.inf), -9, 9, limit=400)[0],
        abs=1e-7,
    )


@pytest.mark.parametrize("bandwidth", ["silverman", "hall-hyndman", 0.02, 3.0])
def test_vertices_lie_on_the_curve_and_make_its_area(bandwidth):
    y, s = simulated(60, 90)
    s[0] = 1e4  # far outside
    curve = smooth_roc(y, s, bandwidth=bandwidth)
    assert (curve.fpr[0], curve.tpr[0], curve.fpr[-1], curve.tpr[-1]) == (0, 0, 1, 1)
    assert (np.diff(curve.thresholds) < 0).all()
    inside = slice(1, -1)
    fpr, tpr = curve.rates_at(curve.thresholds[inside])
    assert curve.fpr[inside] == pytest.approx(fpr, abs=1e-15)
    assert curve.tpr[inside] == pytest.approx(tpr, abs=1e-15)
    assert np.trapezoid(curve.tpr, curve.fpr) == pytest.approx(curve.auc, abs=5e-4)


@pytest.mark.parametrize("ranges", [{"fpr": (0, 0.2)}, {"tpr": (0.5, 0.9)}, {"fpr": (0.1, 0.6)}])
def test_partial_areas(ranges):
    y, s = simulated(40, 50)
    curve = smooth_roc(y, s)
    ((axis, ends),) = ranges.items()
    height = (lambda x: curve.tpr_at(x)[0]) if axis == "fpr" else (lambda x: 1 - curve.fpr_at(x)[0])
    found = curve.partial_auc(**ranges)
    assert found.value == pytest.approx(quad(height, *ends, epsabs=1e-9)[0], abs=3e-5)
    assert (found.status, found.method, found.low) == ("partial", "kernel", None)
    scaled = curve.partial_auc(fpr=(0, 0.2), standardize=True)
    assert 0.5 < scaled.value < 1


def test_the_ends_of_the_curve():
    curve = smooth_roc(Y, S)
    assert curve.tpr_at([0, 1]).tolist() == [0, 1]
    assert curve.fpr_at([0, 1]).tolist() == [0, 1]
    assert curve.rates_at([math.inf, -math.inf])[0].tolist() == [0, 1]


# ---- Bandwidths --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("apart", "sd", "other"), [(0, 1, 1), (1.5, 1, 1), (2, 0.5, 1.5), (-3, 2, 1), (1, 1, 0.3)]
)
def test_the_best_bandwidth_of_normal_classes(apart, sd, other):
    half = np.array([-1.0, 1.0]) / math.sqrt(2)  # standard deviation 1
    scores, others = sd * np.tile(half, 1), apart + other * half
    expected = slow.best_bandwidth(0.0, sd, apart, other, 2)
    limit = 2 * sd / 2 ** (1 / 3)
    assert hall_hyndman(scores, others) == pytest.approx(min(expected, limit), rel=1e-9)


def test_the_best_bandwidth_of_separated_classes_is_bounded():
    scores = np.array([0.0, 1.0, 2.0])
    assert hall_hyndman(scores, scores + 1e6) == pytest.approx(2 / 3 ** (1 / 3))


def test_silvermans_rule_with_a_narrow_middle():
    scores = np.array([0.0, 5.0, 5.0, 5.0, 5.0, 5.0, 9.0])
    assert silverman(scores) == pytest.approx(0.9 * scores.std(ddof=1) * 7**-0.2)


def test_the_unit_of_the_scores_does_not_matter():
    for bandwidth in ("silverman", "hall-hyndman"):
        one, other = (smooth_roc(Y, unit * np.array(S) + 7, bandwidth=bandwidth) for unit in (1, 1e6))
        assert other.auc == pytest.approx(one.auc, rel=1e-9)
        assert other.bandwidth_pos == pytest.approx(1e6 * one.bandwidth_pos, rel=1e-9)


def test_a_small_bandwidth_is_the_empirical_curve():
    curve = smooth_roc(Y, S, bandwidth=1e-9)
    assert curve.auc == curve.empirical_auc == rs.auc(Y, S).value
    assert curve.area.se == pytest.approx(rs.auc(Y, S).se, rel=1e-12)
    wide = smooth_roc(Y, S, bandwidth=1e9)
    assert wide.auc == pytest.approx(0.5, abs=1e-8)


# ---- Intervals ---------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_the_bootstrap_agrees_with_the_standard_error():
    y, s = simulated(60, 80)
    curve = smooth_roc(y, s)
    rng, replicates = np.random.default_rng(3), []
    for _ in range(400):
        rows = np.concatenate([rng.choice(np.flatnonzero(y == c), (y == c).sum()) for c in (0, 1)])
        replicates.append(smooth_roc(y[rows], s[rows]).auc)  # the bandwidth chosen again
    assert np.std(replicates) == pytest.approx(curve.area.se, rel=0.1)


def test_one_sided_and_undefined_intervals():
    bound = smooth_roc(Y, S, alternative="greater", level=0.975).area
    assert (bound.low, bound.high) == (pytest.approx(smooth_roc(Y, S).area.low, rel=1e-9), 1.0)
    one = smooth_roc([0, 1, 1], [1.0, 2.0, 3.0], bandwidth=1)
    assert (one.area.status, one.area.low) == ("partial", None)
    assert one.area.reason == "the variance needs two cases in each class, the negative class has one"
    equal = smooth_roc([0, 0, 1, 1], [1.0] * 4, bandwidth=1)
    assert (equal.auc, equal.area.status) == (0.5, "partial")


def test_separated_classes_have_the_exact_bound():
    curve = smooth_roc([0] * 5 + [1] * 5, range(10), bandwidth=0.1)
    assert (curve.area.low, curve.area.high) == (pytest.approx(0.025**0.2), 1.0)
    assert "the classes are separated" in curve.area.warnings[0]


# ---- Texts, doors, refusals --------------------------------------------------------------------------------


def test_ties_and_bounds_are_said():
    tied = smooth_roc([0, 0, 0, 1, 1, 1], [1, 1, 2, 2, 3, 3])
    assert tied.warnings == (
        "half of the scores or more are tied: kernels spread them as if they had been rounded",
    )
    bounded = "kernels reach beyond 0 and 1, which the scores do not: smooth the logits of probabilities"
    assert smooth_roc(Y, S).warnings == (bounded,)
    assert smooth_roc(Y, S, bandwidth=0.001).warnings == ()
    assert str(smooth_roc(Y, S)).splitlines()[-1] == f"note: {bounded}"


def test_result_as_json_frame_and_picture():
    curve = smooth_roc(Y, S, bandwidth=0.1)
    again = SmoothRoc.from_dict(json.loads(curve.to_json()))
    assert again == curve
    assert again.tpr_at(0.3) == curve.tpr_at(0.3)
    assert list(curve.frame().columns) == ["threshold", "fpr", "tpr"]
    ax = curve.plot(name="marker")
    assert ax.lines[1].get_label().startswith("marker, smoothed (AUC = 0.91, 95% CI ")


def test_doors():
    expected = smooth_roc(Y, S)
    frame = pd.DataFrame({"y": Y, "s": S})
    assert smooth_roc(frame, label="y", score="s") == expected
    assert smooth_roc(rs.BinaryScores.from_arrays(Y, S)) == expected
    weighted = rs.BinaryScores.from_arrays(Y, S, sample_weight=[2] * 8)
    assert smooth_roc(weighted) == smooth_roc(Y * 2, S * 2)
    frame.loc[8] = [1, math.nan]
    assert smooth_roc(frame, label="y", score="s", na="drop").auc == expected.auc


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"bandwidth": "scott"}, "bandwidth must be one of 'silverman', 'hall-hyndman', got 'scott'"),
        ({"bandwidth": 0}, "bandwidth must be greater than 0, got 0"),
        ({"bandwidth": None}, "bandwidth must be a number, got None"),
        ({"level": 95}, "level must lie between 0 and 1, got 95"),
        ({"y_score": [1.0] * 4 + S[4:]},
         "bandwidth must be a number where the negative class has one score alone, got 'silverman'"),
        ({"y_score": [math.inf, *S[1:]]}, "y_score must have finite scores, got infinite values in row 0"),
        ({"y_score": [1.7e308, -1.7e308, *S[2:]]}, "y_score must have a spread that float64 holds"),
        ({"y_score": [-1.7e308] * 2 + [1.7e308] * 2 + S[4:]}, "y_score must have a spread"),
        ({"bandwidth": 1e308}, "bandwidth must have a spread that float64 holds"),
    ],
)  # fmt: skip
def test_refusals_name_the_argument(options, message):
    with pytest.raises(rs.RocInputError) as refused:
        smooth_roc(**{"y_true": Y, "y_score": S} | options)
    assert str(refused.value).startswith(message)


@pytest.mark.parametrize("far", [1e300, -1e300])
@pytest.mark.parametrize("row", [0, 7])
def test_one_score_too_large_is_refused_at_either_end_of_either_class(row, far):
    scores = [*S]
    scores[row] = far
    with pytest.raises(rs.RocInputError, match="bandwidth must have a spread that float64 holds"):
        smooth_roc(Y, scores, bandwidth=1.0)


def test_too_many_pairs(monkeypatch):
    monkeypatch.setattr(smoothing, "MOST_PAIRS", 15)
    with pytest.raises(rs.ResourceError, match="at most 15 pairs, got 16: so many cases need no smoothing"):
        smooth_roc(Y, S)


def test_a_hook_below_chance_is_noted():
    """Positives that spread far more than the negatives: some lie below all of them."""
    rng = np.random.default_rng(4)
    y = np.repeat([0, 1], 60)
    s = np.where(y == 1, rng.normal(0.8, 3, 120), rng.normal(0, 0.5, 120))
    curve = rs.smooth_roc(y, s)
    (note,) = [text for text in curve.warnings if "below chance" in text]
    low = float(note.split("from ")[1].split(" to ")[0])
    below = curve.fpr[curve.tpr < curve.fpr - 1e-3]
    assert note.endswith("to 1: kernels of unequal widths make such hooks")
    assert low <= below.min() < low + 0.05
    assert note in str(curve)
    good = rs.smooth_roc(y, y + rng.normal(size=120))
    assert not any("below chance" in text for text in good.warnings)
