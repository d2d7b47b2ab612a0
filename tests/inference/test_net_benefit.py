"""Net benefit of several models, and net interventions avoided."""

import math
from fractions import Fraction

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import rocscope as rs
from reference_cases import TICKS, case_data, load_reference
from rocscope import plotting
from rocscope.inference.decision_curve import DecisionCurve, DecisionCurves, net_benefit
from rocscope.inference.point_measures import point_measures
from slow import samples

REFERENCE = load_reference("net_benefit")
Y = [0, 0, 0, 0, 1, 1]
A, B = [0.1, 0.2, 0.3, 0.6, 0.4, 0.9], [0.3, 0.1, 0.2, 0.4, 0.6, 0.5]
PROBABILITIES = st.integers(0, 8).map(lambda k: k / 8)


def probabilities(scores):
    low, high = scores.min(), scores.max()
    return np.floor((scores - low) / (high - low) * TICKS) / TICKS


@pytest.mark.parametrize(
    "case", REFERENCE["cases"], ids=lambda case: f"{case['recipe']}-{case['prevalence']}"
)
def test_agrees_with_dcurves(case):
    y, scores = case_data(case)
    models = {name: probabilities(values) for name, values in scores.items()}
    near = {"rel": REFERENCE["tolerance"], "abs": REFERENCE["tolerance"]}
    found = net_benefit(y, models, probabilities=REFERENCE["thresholds"], prevalence=case["prevalence"])
    assert isinstance(found, DecisionCurves)
    assert list(found.curves) == list(models)
    for name, curve in found.curves.items():
        assert curve.band.mean == pytest.approx(case["net_benefit"][name], **near)
        assert curve.treat_all == pytest.approx(case["net_benefit"]["all"], **near)
        avoided = curve.interventions_avoided(per=1).mean
        assert avoided == pytest.approx(case["interventions_avoided"][name], rel=1e-10, abs=1e-12)
        alone = net_benefit(
            y, models[name], probabilities=REFERENCE["thresholds"], prevalence=case["prevalence"]
        )
        assert alone == curve


@settings(max_examples=50)
@given(samples.labelled(PROBABILITIES), st.sampled_from([None, 0.1]), st.sampled_from(["wilson", "exact"]))
def test_interventions_avoided_by_their_definition(labelled, prevalence, interval):
    """TN/N - FN/N (1 - p) / p, in fractions; and the net benefit against treating all, over the odds."""
    y, scores = (part.tolist() for part in labelled)
    p = [Fraction(k, 8) for k in (1, 3, 4, 7)]
    curve = net_benefit(y, scores, probabilities=np.array(p, float), prevalence=prevalence, interval=interval)
    avoided = curve.interventions_avoided()
    share = Fraction(sum(y), len(y)) if prevalence is None else Fraction(prevalence)
    for k, cut in enumerate(p):
        specificity, missed = (
            Fraction(sum(s < cut for s, label in zip(scores, y, strict=True) if label == side), y.count(side))
            for side in (0, 1)
        )
        exact = (1 - share) * specificity - share * missed * (1 - cut) / cut
        assert avoided.mean[k] == pytest.approx(100 * float(exact), abs=1e-9)
        gain = curve.band.mean[k] - curve.treat_all[k]
        assert avoided.mean[k] == pytest.approx(100 * gain * float((1 - cut) / cut), abs=1e-9)
    assert (avoided.low <= avoided.mean).all()
    assert (avoided.mean <= avoided.high).all()
    assert curve.columns()["interventions_avoided"].tolist() == avoided.mean.tolist()


@pytest.mark.slow
def test_the_bootstrap_agrees_with_the_interval_of_interventions_avoided():
    rng = np.random.default_rng(2)
    risk = rng.random(600)
    y = rng.random(600) < risk
    for prevalence in (None, 0.2):
        band = net_benefit(y, risk, probabilities=[0.3, 0.5], prevalence=prevalence).interventions_avoided()
        replicates = []
        for _ in range(1500):
            rows = rng.integers(0, len(y), len(y))
            if prevalence is not None:
                sides = [np.flatnonzero(y == side) for side in (False, True)]
                rows = np.concatenate([rng.choice(side, side.size) for side in sides])
            again = net_benefit(y[rows], risk[rows], probabilities=band.x, prevalence=prevalence)
            replicates.append(again.interventions_avoided().mean)
        low, high = np.quantile(replicates, [0.025, 0.975], axis=0)
        assert np.abs(band.low - low).max() < 0.1 * (high - low).max()
        assert np.abs(band.high - high).max() < 0.1 * (high - low).max()


def test_at_a_threshold_of_0_nothing_is_avoided_at_any_price():
    band = net_benefit(Y, A, probabilities=[0, 0.5]).interventions_avoided()
    assert band.defined.tolist() == [False, True]
    assert math.isnan(band.mean[0])
    assert band.mean[1] == pytest.approx(100 * (3 / 6 - 1 / 6))


def test_several_models_have_the_interventions_that_each_avoids():
    avoided = net_benefit(Y, {"a": A, "b": B}, probabilities=[0.2, 0.5]).interventions_avoided(per=10)
    assert list(avoided) == ["a", "b"]
    for name, scores in (("a", A), ("b", B)):
        alone = net_benefit(Y, scores, probabilities=[0.2, 0.5]).interventions_avoided(per=10)
        assert avoided[name] == alone


# ---- Several models ----------------------------------------------------------------------------------------


def test_the_best_model():
    models = net_benefit(Y, {"a": A, "b": B}, probabilities=[0.05, 0.25, 0.5, 0.95])
    assert models.best() == ["a", "a", "b", "a"]
    worse = net_benefit([1, 1, 0, 0], {"a": [0.1, 0.2, 0.8, 0.9]}, probabilities=[0.15, 0.85])
    assert worse.best() == ["treat all", "treat none"]
    lines = str(models).splitlines()
    assert lines[0].endswith("95% pointwise intervals (mover-wilson), at prevalence 0.3333")
    assert lines[1:] == [
        "  a: largest net benefit at 3 of 4",
        "  b: largest net benefit at 1 of 4",
        "  treat all: largest net benefit at 0 of 4",
        "  treat none: largest net benefit at 0 of 4",
    ]


def test_every_point_is_that_of_point_measures():
    models = net_benefit(Y, {"a": A, "b": B}, probabilities=[0.25], level=0.9)
    for name, scores in (("a", A), ("b", B)):
        point = point_measures(Y, scores, threshold=0.25, level=0.9).net_benefit
        band = models.curves[name].band
        assert (band.mean[0], band.low[0], band.high[0]) == pytest.approx(
            (point.value, point.low, point.high)
        )


def test_frames():
    expected = net_benefit(Y, {"a": A, "b": B})
    frame = pd.DataFrame({"y": Y, "a": A, "b": B})
    assert net_benefit(Y, frame[["a", "b"]]) == expected
    assert net_benefit(frame, label="y", score=["a", "b"]) == expected
    assert net_benefit(pl.DataFrame(frame), label="y", score=["a", "b"]) == expected
    assert net_benefit(rs.BinaryScores.from_arrays(Y, {"a": A, "b": B})) == expected
    assert isinstance(net_benefit(frame, label="y", score="a"), DecisionCurve)
    frame.loc[6] = [1, math.nan, 0.2]
    dropped = net_benefit(frame, label="y", score=["a", "b"], na="drop")
    assert dropped.curves["b"].band.mean.tolist() == expected.curves["b"].band.mean.tolist()
    assert str(dropped).splitlines()[-1] == "note: 1 row with missing values left out: 1 of class 1"


def test_rows_and_json():
    models = net_benefit(Y, {"a": A, "b": B}, probabilities=[0.25, 0.5])
    columns = models.columns()
    assert columns["model"] == ["a", "a", "b", "b"]
    assert columns["net_benefit"].round(3).tolist() == [0.222, 0.0, 0.222, 0.333]
    assert DecisionCurves.from_dict(models.to_dict()) == models
    assert models.table().columns[:2] == ("Model", "Threshold probability")


@pytest.mark.parametrize("options", [{}, {"band": True}, {"avoided": True}])
def test_one_legend(options):
    drawn = plotting.picture(net_benefit(Y, {"a": A, "b": B}, probabilities=[0, 0.25, 0.5]), **options)
    labels = [mark.label for mark in drawn.panels[0].marks if mark.label]
    assert labels == [*([] if options.get("avoided") else ["Treat none"]), "Treat all", "a", "b"]
    lines = [mark.series for mark in drawn.panels[0].marks if mark.role == "curve"]
    assert lines == [0, 1]


def test_refusals_name_the_model():
    with pytest.raises(rs.RocInputError) as refused:
        net_benefit(Y, {"a": A, "b": [2.0] * 6})
    assert str(refused.value) == ("scores['b'] must hold probabilities from 0 to 1, got scores from 2 to 2")
    with pytest.raises(rs.RocInputError, match="per must be greater than 0, got 0"):
        net_benefit(Y, A).interventions_avoided(per=0)
