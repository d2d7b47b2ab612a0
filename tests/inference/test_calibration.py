import json
import math
import re

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from sklearn.calibration import calibration_curve
from sklearn.isotonic import IsotonicRegression
from sklearn.metrics import brier_score_loss, log_loss

import rocscope as rs
from reference_cases import load_reference
from rocscope import BinaryScores, RocInputError, ScoreTable, plotting
from rocscope.core.resampling import plan_chunks
from rocscope.inference.calibration import BAND_PLACES, Cells, calibration
from slow import calibration as slow
from slow import samples

SIXTEENTHS = st.integers(0, 16).map(lambda k: k / 16)
INSIDE = st.integers(1, 15).map(lambda k: k / 16)
FAST = {"n_boot": 100, "rng": 1}
REFERENCE = load_reference("calibration")


def simulated(n=400, seed=0, power=1.0):
    rng = np.random.default_rng(seed)
    p = rng.random(n)
    return (rng.random(n) < p**power).astype(int), p


# ---- Against other programs -------------------------------------------------------------------------------


@pytest.mark.parametrize("case", REFERENCE["cases"], ids=lambda case: case["name"])
def test_agrees_with_glm_and_isoreg(case):
    found = calibration(case["y"], case["p"], **FAST)
    near = REFERENCE["tolerance"]
    assert [found.intercept.value, found.intercept.se] == pytest.approx(case["intercept"], rel=near)
    assert [found.slope.value, found.slope.se] == pytest.approx(case["slope"], rel=near)
    assert found.tests[0].statistic == pytest.approx(case["likelihood_ratio"], rel=near)
    assert found.tests[0].p_value == pytest.approx(math.exp(-case["likelihood_ratio"] / 2), rel=near)
    curve = np.interp(case["isotonic_x"], found.x, found.recalibrated)
    assert curve == pytest.approx(case["isotonic_y"], abs=1e-12)


@pytest.mark.parametrize("strategy", ["quantile", "uniform"])
@pytest.mark.parametrize("digits", [1, 2, 16])
@pytest.mark.parametrize("bins", [1, 5, 10])
def test_agrees_with_scikit_learn(strategy, digits, bins):
    y, p = simulated(power=2)
    p = p.round(digits)
    found = calibration(y, p, bins=bins, strategy=strategy, **FAST)
    observed, predicted = calibration_curve(y, p, n_bins=bins, strategy=strategy)
    assert found.columns()["observed"] == pytest.approx(observed, abs=1e-12)
    assert found.columns()["predicted"] == pytest.approx(predicted, abs=1e-12)
    assert found.brier.value == pytest.approx(brier_score_loss(y, p), abs=1e-12)
    if p.min() > 0 and p.max() < 1:
        assert found.log_score.value == pytest.approx(log_loss(y, p), abs=1e-12)
    other = IsotonicRegression(y_min=0, y_max=1).fit(p, y)
    at = np.unique(p)
    assert np.interp(at, found.x, found.recalibrated) == pytest.approx(other.predict(at), abs=1e-12)


# ---- Against literal twins --------------------------------------------------------------------------------


@settings(max_examples=60)
@given(samples.labelled(SIXTEENTHS), st.integers(1, 6), st.sampled_from(["quantile", "uniform"]))
def test_agrees_case_by_case(labelled, n_bins, strategy):
    y, p = labelled
    found = calibration(y, p, bins=n_bins, strategy=strategy, **FAST)
    y, p = y.tolist(), p.tolist()
    curve = slow.isotonic(y, p)
    heights = np.interp(list(curve), found.x, found.recalibrated)
    assert heights == pytest.approx([float(value) for value in curve.values()], abs=1e-12)
    bin_of = slow.bins(p, n_bins, strategy)
    rows = {}
    for outcome, q, one in zip(y, p, bin_of, strict=True):
        rows.setdefault(one, []).append((q, outcome))
    assert [(row.n, row.n_pos) for row in found.bins] == [
        (len(rows[one]), sum(o for _, o in rows[one])) for one in sorted(rows)
    ]
    assert [(row.smallest, row.largest) for row in found.bins] == [
        (min(rows[one])[0], max(rows[one])[0]) for one in sorted(rows)
    ]
    assert found.ece == pytest.approx(float(slow.ece(y, p, bin_of)), abs=1e-12)
    for one, score in zip(found.decomposition, (slow.brier, slow.log_score), strict=True):
        miscalibration, discrimination, uncertainty = map(float, slow.parts(y, p, score))
        assert one.discrimination == pytest.approx(discrimination, abs=1e-12)
        assert one.uncertainty == pytest.approx(uncertainty, abs=1e-12)
        if math.isinf(miscalibration):
            assert (one.score, one.miscalibration, one.skill, one.status) == (None, None, None, "partial")
            assert one.reason.startswith("infinite: ")
        else:
            assert one.miscalibration == pytest.approx(miscalibration, abs=1e-12)
            assert one.score == pytest.approx(float(score(y, p)), abs=1e-12)
            total = one.miscalibration - one.discrimination + one.uncertainty
            assert total == pytest.approx(one.score, abs=1e-15)


def test_the_parts_add_up_exactly_in_fractions():
    y, p = [0, 0, 1, 0, 1, 0, 1, 1], [k / 16 for k in (1, 3, 3, 4, 9, 9, 12, 15)]
    miscalibration, discrimination, uncertainty = slow.parts(y, p, slow.brier)
    assert miscalibration - discrimination + uncertainty == slow.brier(y, p)
    found = calibration(y, p, **FAST).decomposition[0]
    assert (found.score, found.uncertainty) == (float(slow.brier(y, p)), float(uncertainty))


@settings(max_examples=60)
@given(samples.labelled(INSIDE, min_each=2))
def test_intercept_and_slope_agree_with_newton(labelled):
    y, p = labelled
    found = calibration(y, p, **FAST)
    y, p = y.tolist(), p.tolist()
    x = [math.log(q / (1 - q)) for q in p]
    value, se = slow.newton(y, x, free_slope=False)
    assert (found.intercept.value, found.intercept.se) == pytest.approx((value, se), abs=1e-8)
    pos, neg = ([v for v, o in zip(x, y, strict=True) if o == c] for c in (1, 0))
    if min(pos) >= max(neg) or min(neg) >= max(pos):
        assert (found.slope.status, found.tests[0].status) == ("undefined", "undefined")
        return
    slope, se, a = slow.newton(y, x, free_slope=True)
    assert (found.slope.value, found.slope.se) == pytest.approx((slope, se), rel=1e-7, abs=1e-7)
    gain = slow.likelihood(y, x, a, slope) - slow.likelihood(y, x, 0, 1)
    assert found.tests[0].statistic == pytest.approx(2 * gain, abs=1e-8)


@given(samples.labelled(SIXTEENTHS))
def test_spiegelhalter_agrees(labelled):
    y, p = labelled
    found = calibration(y, p, **FAST).tests[1]
    if set(p) <= {0, 0.5, 1}:
        assert found.status == "undefined"
    else:
        assert found.statistic == pytest.approx(slow.spiegelhalter(y.tolist(), p.tolist()), abs=1e-12)


@settings(max_examples=10)
@given(samples.labelled(SIXTEENTHS, max_size=12), st.integers(0, 99))
def test_band_and_ece_are_those_of_outcomes_drawn_from_the_probabilities(labelled, seed):
    y, p = labelled
    found = calibration(y, p, bins=3, n_boot=100, level=0.8, rng=seed)
    distinct, counts = np.unique(p, return_counts=True)
    bin_of = slow.bins(np.repeat(distinct, counts).tolist(), 3, "quantile")
    curves, errors = [], []
    for chunk in plan_chunks(100, seed):
        for pos in Cells(distinct, counts, counts).draw(chunk.stream(), len(chunk.range)):
            cases = [
                (k < hits, q) for q, n, hits in zip(distinct, counts, pos, strict=True) for k in range(n)
            ]
            outcomes, q = map(list, zip(*cases, strict=True))
            curves.append([float(v) for v in slow.isotonic(outcomes, q).values()])
            errors.append(float(slow.ece(outcomes, q, bin_of)))
    assert found.band_x.tolist() == distinct.tolist()
    low, high = np.quantile(curves, [0.1, 0.9], axis=0)
    assert found.band_low == pytest.approx(low, abs=1e-12)
    assert found.band_high == pytest.approx(high, abs=1e-12)
    assert found.ece_calibrated == pytest.approx(np.mean(errors), abs=1e-12)
    at_least = sum(error >= found.ece - 1e-12 for error in errors)
    assert found.tests[2].p_value == pytest.approx((1 + at_least) / 101)


def test_outcomes_are_drawn_from_the_probabilities():
    n = np.array([1, 3, 1, 50, 1, 1])
    p = np.array([0.0, 0.2, 0.3, 0.5, 0.9, 1.0])
    drawn = Cells(p, n, n).draw(np.random.default_rng(1), 20_000)
    assert (drawn.min(axis=0) >= 0).all()
    assert (drawn.max(axis=0) <= n).all()
    se = np.sqrt(n * p * (1 - p) / 20_000)
    assert (np.abs(drawn.mean(axis=0) - n * p) <= 4 * se).all()
    assert drawn.var(axis=0) == pytest.approx(n * p * (1 - p), rel=0.05)


def test_standard_error_of_the_scores_is_that_of_a_mean():
    y, p = simulated(60)
    found = calibration(y, p, **FAST)
    for estimate, loss in (
        (found.brier, (p - y) ** 2),
        (found.log_score, -np.log(np.where(y == 1, p, 1 - p))),
    ):
        assert estimate.se == pytest.approx(loss.std(ddof=1) / math.sqrt(60), rel=1e-12)
        assert estimate.high - estimate.value == pytest.approx(1.959963984540054 * estimate.se, rel=1e-9)


def test_expected_over_observed_by_hand():
    found = calibration([0, 0, 1, 1], [0.25, 0.5, 0.25, 0.5], **FAST).ratio
    se = math.sqrt(1 / 2 * (1 - 2 / 4))
    ends = [0.75 * math.exp(sign * 1.959963984540054 * se) for sign in (-1, 1)]
    assert (found.value, found.se, found.low, found.high) == pytest.approx((0.75, 0.75 * se, *ends))


# ---- How it behaves where the truth is known --------------------------------------------------------------


@pytest.mark.slow
def test_tests_and_bands_hold_their_level_for_calibrated_probabilities():
    rng = np.random.default_rng(3)
    rejected, outside, covered = np.zeros(3), [], []
    for seed in range(200):
        p = rng.beta(1, 2, 100)
        y = (rng.random(100) < p).astype(int)
        found = calibration(y, p, n_boot=200, rng=seed)
        rejected += [test.p_value < 0.05 for test in found.tests]
        heights = np.interp(found.band_x, found.x, found.recalibrated)
        outside.append(np.mean((heights < found.band_low) | (heights > found.band_high)))
        ends = found.slope.low, found.slope.high, found.intercept.low, found.intercept.high
        covered.append([ends[0] < 1 < ends[1], ends[2] < 0 < ends[3]])
    # 5% of 200 with a standard error of 1.5 points; small samples make the slope's interval a little wide.
    assert (np.abs(rejected / 200 - 0.05) < 0.05).all()
    assert np.mean(outside) < 0.07
    assert (np.mean(covered, axis=0) > 0.9).all()


def test_intercept_and_slope_are_found_again():
    rng = np.random.default_rng(5)
    x = rng.normal(size=40_000)
    y = rng.random(x.size) < 1 / (1 + np.exp(-(0.3 + 0.6 * x)))
    found = calibration(y, 1 / (1 + np.exp(-x)), **FAST)
    assert found.slope.value == pytest.approx(0.6, abs=4 * found.slope.se)
    assert found.slope.se < 0.02
    assert all(test.p_value < 0.01 for test in found.tests[::2])
    assert len(found.band_x) == BAND_PLACES


# ---- Edges ------------------------------------------------------------------------------------------------


def test_certain_cases_that_came_true_are_left_out_of_intercept_and_slope():
    y, p = simulated(50)
    found = calibration([0, *y, 1, 1], [0.0, *p, 1.0, 1.0], **FAST)
    alone = calibration(y, p, **FAST)
    assert (found.slope, found.intercept) == (alone.slope, alone.intercept)
    assert found.tests[0] == alone.tests[0]
    left_out = "intercept and slope leave out 3 cases of probability 0 or 1, for which this came true"
    assert found.warnings[0] == left_out
    assert found.log_score.value == pytest.approx(alone.log_score.value * 50 / 53)


@pytest.mark.parametrize(
    ("y", "p", "reason"),
    [
        ([0, 1, 0, 1], [0.2, 0.0, 0.5, 0.4], "1 positive case of probability 0"),
        ([0, 0, 0, 1], [1.0, 1.0, 0.5, 0.4], "2 negative cases of probability 1"),
        (
            [0, 1, 0, 1],
            [1.0, 0.0, 0.5, 0.4],
            "1 positive case of probability 0 and 1 negative case of probability 1",
        ),
    ],
)
def test_certain_cases_that_did_not_come_true(y, p, reason):
    found = calibration(y, p, **FAST)
    assert (found.log_score.value, found.log_score.reason) == (None, f"infinite: {reason}")
    for one in (found.intercept, found.slope, found.tests[0]):
        assert (one.status, one.reason) == ("undefined", f"no intercept makes up for {reason}")
    assert found.brier.value is not None
    assert json.loads(found.to_json())["log_score"]["value"] is None


@pytest.mark.parametrize(
    ("y", "p", "reason"),
    [
        ([0, 1, 1], [0.3, 0.3, 0.3], "all probabilities are equal"),
        (
            [0, 0, 1, 1],
            [0.1, 0.3, 0.3, 0.4],
            "the classes do not overlap, and the likelihood grows with a slope towards infinity",
        ),
        (
            [1, 1, 0, 0],
            [0.1, 0.2, 0.3, 0.4],
            "the classes do not overlap, and the likelihood grows with a slope towards minus infinity",
        ),
    ],
)
def test_where_the_slope_is_undefined_the_intercept_stands(y, p, reason):
    found = calibration(y, p, **FAST)
    assert (found.slope.value, found.slope.reason) == (None, reason)
    assert (found.tests[0].p_value, found.tests[0].reason) == (None, reason)
    assert found.intercept.status == "ok"


def test_one_class_between_the_certain_cases():
    found = calibration([0, 1, 1], [0.0, 0.5, 0.6], **FAST)
    assert found.intercept.reason == "the cases of probabilities between 0 and 1 are of one class"
    few = "a class has 1 cases: of so few the interval of the Brier score may be too short (docs/atlas.md)"
    assert found.warnings == (few,)


def test_losses_that_are_equal_show_no_uncertainty():
    found = calibration([0, 1, 1], [0.5, 0.5, 0.5], **FAST)
    for estimate in (found.brier, found.log_score):
        assert (estimate.status, estimate.low) == ("partial", None)
        assert estimate.reason == "all cases have the same loss, which shows no uncertainty"
    assert found.tests[1].reason.startswith("all probabilities are 0, 1/2 or 1")
    assert calibration([0, 1], [0, 0], **FAST).ratio.reason == "all probabilities are 0"


@pytest.mark.parametrize("tiny", [5e-324, 1e-300, 1e-17])
def test_extreme_probabilities(tiny):
    y = [0, 1, 0, 1, 0, 1]
    found = calibration(y, [tiny, tiny, 0.5, 0.4, 1 - 2**-53, 1 - 2**-53], **FAST)
    assert found.intercept.status == found.slope.status == "ok"
    assert math.isfinite(found.slope.se)
    apart = calibration([0, 1], [tiny, 1 - 2**-53], **FAST)
    assert math.isfinite(apart.intercept.se)


def test_nearly_separated_classes_have_a_slope():
    p = np.concatenate([np.linspace(0.01, 0.4, 500), [0.61], np.linspace(0.6, 0.99, 500), [0.39]])
    y = np.repeat([0, 1], 501)
    found = calibration(y, p, **FAST)
    x = np.log(p / (1 - p)).tolist()
    value, se, _ = slow.newton(y.tolist(), x, free_slope=True)
    assert (found.slope.value, found.slope.se) == pytest.approx((value, se), rel=1e-9)


@settings(max_examples=25)
@given(samples.labelled(SIXTEENTHS))
def test_numbers_depend_on_the_counts_and_the_seed_alone(labelled):
    y, p = labelled
    first = calibration(y, p, **FAST)
    order = np.argsort(p, kind="stable")
    assert calibration(y[order], p[order], **FAST) == first
    assert calibration(BinaryScores.from_arrays(y, p).table(), **FAST) == first
    assume(0 < p.mean() < 1)
    again = calibration(1 - y, 1 - p, **FAST)
    assert again.brier.value == pytest.approx(first.brier.value)
    if first.slope.value is not None:
        assert again.slope.value == pytest.approx(first.slope.value, abs=1e-7)
        assert again.intercept.value == pytest.approx(-first.intercept.value, abs=1e-9)


def test_counts_of_any_size_are_taken():
    table = ScoreTable.from_counts(
        [0.75, 0.5, 0.25], pos=[3 * 2**38, 2**39, 2**38], neg=[2**38, 2**39, 3 * 2**38]
    )
    found = calibration(table, **FAST)
    assert found.slope.value == pytest.approx(1, abs=1e-9)
    assert found.intercept.value == pytest.approx(0, abs=1e-9)


def test_reads_as_text_and_rows():
    found = calibration([0, 0, 1, 0, 1, 1], [0.1, 0.2, 0.3, 0.6, 0.7, 0.9], bins=2, **FAST)
    head, *lines = str(found).splitlines()
    assert head == "Calibration (3 of class 1, 3 of class 0)"
    assert lines[0].startswith("  calibration intercept ")
    assert lines[-2].startswith("  ECE 0.1000 with 2 bins; calibrated probabilities have ")
    assert lines[-1].startswith("note: a class has 3 cases")
    names = ["smallest", "largest", "n", "n_pos", "predicted", "observed", "low", "high"]
    assert list(found.columns()) == list(found.frame().columns) == names
    assert rs.Estimate.from_dict(found.slope.to_dict()) == found.slope
    assert type(found).from_dict(json.loads(found.to_json())) == found


@pytest.mark.parametrize(
    ("p", "options", "message"),
    [
        ([-0.1, 0.5], {}, "y_prob must hold probabilities from 0 to 1, got numbers from -0.1 to 0.5"),
        ([0.2, math.inf], {}, "y_prob must hold probabilities from 0 to 1, got numbers from 0.2 to inf"),
        ([0.2, 0.3, 0.4], {}, "y_true and y_prob must have the same length: y_true has 2, y_prob has 3"),
        (["a", "b"], {}, "y_prob must"),
        ([0.2, 0.5], {"bins": 0}, "bins must be a whole number of at least 1, got 0"),
        ([0.2, 0.5], {"bins": 1001}, "bins must be at most 1000, got 1001"),
        ([0.2, 0.5], {"strategy": "kmeans"}, "strategy must be one of 'quantile', 'uniform', got 'kmeans'"),
        ([0.2, 0.5], {"n_boot": 0}, "n_boot must be a whole number of at least 1, got 0"),
        ([0.2, 0.5], {"level": 95}, "level must lie between 0 and 1, got 95"),
        ([0.2, 0.5], {"pos_label": "x"}, "pos_label must be one of the labels in y_true"),
    ],
)
def test_what_is_refused(p, options, message):
    with pytest.raises(RocInputError, match=re.escape(message)):
        calibration([0, 1], p, **options)


# ---- The picture ------------------------------------------------------------------------------------------


def test_picture():
    y, p = simulated(200)
    found = calibration(y, p, level=0.9, **FAST)
    panel = plotting.record(plotting.picture(found, name="model"))["panels"][0]
    diagonal, band, curve, bars, dots, counts = panel["marks"]
    assert diagonal["x"] == diagonal["y"] == [0, 1]
    assert band["label"] == "90% consistency band (calibrated probabilities)"
    assert (band["low"], band["high"]) == (found.band_low.tolist(), found.band_high.tolist())
    assert (curve["label"], curve["x"], curve["y"]) == (
        "model", found.x.tolist(), found.recalibrated.tolist()
    )  # fmt: skip
    assert bars["label"] == "10 bins with 90% intervals (wilson)"
    assert dots["y"] == found.columns()["observed"]
    assert sum(found.histogram) == 200
    assert counts["label"] == f"Cases (longest bar: {max(found.histogram)})"
    assert max(counts["length"]) <= 0
    assert panel["y"]["low"] < min(counts["length"])
