"""Curves of combinations by every marginal model, beside literal sums, integrals and counts."""

import math

import numpy as np
import pandas as pd
import pytest
from scipy import special

import rocscope as rs
from rocscope.binormal.fusion import preview_fusion
from rocscope.binormal.fusion_models import MODELS, Margins
from rocscope.binormal.fusion_parts import Target
from rocscope.binormal.pair import read_pair
from rocscope.core.result import Result
from rocscope.errors import RocInputError
from slow import fusion


def ratings(seed=3, n=24):
    """Whole scores with many ties."""
    rng = np.random.default_rng(seed)
    y = np.repeat([0, 1], [n - n // 3, n // 3])
    return y, rng.integers(0, 6, n) + 2 * y, rng.integers(0, 9, n) + y


def simulated(n=300, seed=1):
    rng = np.random.default_rng(seed)
    y = (rng.random(n) < 0.4).astype(int)
    shared = rng.normal(size=n)
    return y, *(0.7 * shared + 0.7 * rng.normal(size=n) + shift * y for shift in (1.0, 1.4))


# ---- The empirical model: all pairs of values --------------------------------------------------------------


@pytest.mark.parametrize("weights", [(1, 1), (1, 3), (2, -1), (0, 1)])
def test_independent_empirical_areas_are_those_of_all_pairs(weights):
    y, a, b = ratings()
    found = preview_fusion(y, a, b, weights=[weights], model="empirical")
    expected = fusion.independent_area(y.tolist(), a.tolist(), b.tolist(), weights)
    assert found.independent[0] == pytest.approx(float(expected), abs=1e-15)
    assert found.correlated[0] == found.empirical[0]


def test_independent_empirical_curves_are_those_of_all_pairs():
    y, a, b = ratings()
    curve = preview_fusion(y, a, b, weights=[[1, 2]], model="empirical").curve([1, 2])
    for threshold in range(0, 30, 3):
        fpr, tpr = fusion.independent_rates(y.tolist(), a.tolist(), b.tolist(), (1, 2), threshold)
        # A vertex of the curve; grid points beside it lie between its neighbours.
        below, above = curve.independent[curve.fpr <= fpr][-1], curve.independent[curve.fpr >= fpr][0]
        assert below - 1e-12 <= tpr or fpr == 0
        assert tpr <= above + 1e-12
    single = rs.roc_curve(y, a)
    assert curve.auc_first == single.auc
    np.testing.assert_array_equal(curve.first, single.tpr_at(curve.fpr))


def test_correlated_empirical_prediction_is_the_count_on_the_cases_of_the_fit():
    fit, test = simulated(seed=1), simulated(seed=2)
    found = preview_fusion(*fit, test=test, weights=[[1, 2]], model="empirical")
    assert found.correlated[0] == pytest.approx(rs.roc_curve(fit[0], fit[1] + 2 * fit[2]).auc, abs=1e-15)
    assert found.empirical[0] == pytest.approx(rs.roc_curve(test[0], test[1] + 2 * test[2]).auc, abs=1e-15)


def test_many_values_are_thinned_and_said_so():
    y, a, b = simulated(n=6000)
    found = preview_fusion(y, a, b, weights=[[1, 1]], model="empirical")
    assert any("1,000 quantiles" in text for text in found.warnings)
    rng = np.random.default_rng(5)
    drawn = []
    for k in (0, 1):  # pairs drawn at random
        rows = np.flatnonzero(y == k)
        drawn.append(a[rng.choice(rows, 200_000)] + b[rng.choice(rows, 200_000)])
    area = rs.roc_curve(np.repeat([0, 1], 200_000), np.concatenate(drawn)).auc
    assert found.independent[0] == pytest.approx(area, abs=0.003)


def test_the_empirical_model_has_the_raw_scale_alone():
    with pytest.raises(RocInputError, match="scale must be 'raw' where model is 'empirical'"):
        preview_fusion(*ratings(), model="empirical", scale="latent")


# ---- Proper and contaminated curves: quadrature -----------------------------------------------------------


def test_contaminated_curves_are_sums_of_four_normal_distributions():
    y, a, b = simulated()
    margins = Margins.fit(read_pair(y, a, b, pos_label=None), "contaminated", np.ones(2))
    curves = [margins.first.parameters(), margins.second.parameters()]
    found = margins.curve(np.array([1.0, 2.0]), correlated=False)
    for t in (-1.0, 0.5, 2.0, 4.0):
        fpr = float(special.ndtr(-t / math.sqrt(5)))
        assert found.tpr(np.array([fpr]))[0] == pytest.approx(
            fusion.contaminated_sum(t, curves, (1, 2)), abs=2e-6
        )


@pytest.mark.slow
@pytest.mark.parametrize("model", ["proper", "contaminated"])
@pytest.mark.parametrize("correlated", [False, True])
def test_curves_by_quadrature_agree_with_the_literal_integral(model, correlated):
    y, a, b = simulated()
    margins = Margins.fit(read_pair(y, a, b, pos_label=None), model, np.ones(2))
    found = margins.curve(np.array([1.0, 2.0]), correlated=correlated)
    neg, pos = margins.correlations() if correlated else (0.0, 0.0)
    for t in (0.0, 1.5, 3.0):
        fpr = float(special.ndtr(-t / math.sqrt(5 + 4 * neg)))
        expected = fusion.sum_rate(t, (margins.first.tpr, margins.second.tpr), (1, 2), pos)
        assert found.tpr(np.array([fpr]))[0] == pytest.approx(expected, abs=5e-6)


@pytest.mark.slow
@pytest.mark.parametrize("model", ["proper", "contaminated"])
def test_other_targets_are_read_off_the_curve(model):
    y, a, b = simulated()
    margins = Margins.fit(read_pair(y, a, b, pos_label=None), model, np.ones(2))
    directions = np.array([[1.0, 2.0]])
    curve = rs.combine_curves(margins.first, margins.second, [1, 2], thresholds=np.linspace(20, -20, 4001))
    whole = margins.predict(directions, Target.read("partial-auc", fpr=(0, 1)), correlated=False)
    assert whole[0] == pytest.approx(curve.auc, abs=1e-6)
    height = margins.predict(directions, Target.read("tpr", fpr=0.2), correlated=False)
    assert height[0] == pytest.approx(np.interp(0.2, curve.fpr, curve.tpr), abs=1e-5)


# ---- The curve of one combination -------------------------------------------------------------------------


def test_predicted_binormal_curves_are_the_paper_s_integrals():
    """Eq. (6) at the thresholds where the negatives have each FPR."""
    preview = preview_fusion(*simulated())
    curve = preview.curve([0.4, 0.6])
    curves = [preview.first.parameters(), preview.second.parameters()]
    for k in range(20, 300, 40):
        t = float(-special.ndtri(curve.fpr[k])) * math.hypot(0.4, 0.6)
        expected = 1 - fusion.integral_cdf(t, curves, (0.4, 0.6), True)
        assert curve.independent[k] == pytest.approx(expected, abs=1e-10)
    both = rs.combine_binormals(
        [preview.first, preview.second],
        [0.4, 0.6],
        corr_neg=preview.pair.rho_neg,
        corr_pos=preview.pair.rho_pos,
    )
    np.testing.assert_allclose(curve.correlated, both.tpr(curve.fpr), atol=1e-12)


def test_the_counted_curve_and_the_differences():
    y, a, b = simulated()
    curve = preview_fusion(y, a, b).curve([2, 3])
    counted = rs.roc_curve(y, 2 * a + 3 * b)
    np.testing.assert_array_equal(curve.empirical, counted.tpr_at(curve.fpr))
    assert curve.auc_empirical == counted.auc
    frame = curve.frame()
    np.testing.assert_array_equal(frame["correlated_minus_empirical"], curve.correlated - curve.empirical)
    assert str(curve).count("\n") == 2
    assert len(curve.plot()) == 2


@pytest.mark.parametrize("scale", ["matched", "latent"])
def test_the_curve_has_the_area_of_the_preview(scale):
    preview = preview_fusion(*simulated(), scale=scale, weights=[[1, 2]])
    curve = preview.curve([1, 2])
    areas = curve.auc_independent, curve.auc_correlated, curve.auc_empirical
    np.testing.assert_allclose(areas, preview.values()[0], atol=1e-12)


@pytest.mark.parametrize("model", MODELS)
def test_a_saved_preview_predicts_but_does_not_count(model):
    preview = preview_fusion(*simulated(60), weights=[[1, 1]], model=model)
    saved = Result.from_dict(preview.to_dict())
    curve = saved.curve([1, 1])
    assert curve.auc_empirical is None
    assert curve.status == "partial"
    if model == "empirical":
        assert "cases behind the empirical distributions are not at hand" in curve.reason
    else:
        assert curve.auc_correlated == pytest.approx(preview.curve([1, 1]).auc_correlated, abs=1e-12)


def test_wrong_weights_of_a_curve():
    preview = preview_fusion(*simulated(60), weights=[[1, 1]])
    with pytest.raises(RocInputError, match=r"weights must hold one number per classifier \(2\)"):
        preview.curve([1, 2, 3])
    with pytest.raises(RocInputError, match=r"weights must hold one number per classifier \(2\)"):
        preview.curve([[1, 2], [3, 4]])


# ---- Warnings and names -----------------------------------------------------------------------------------


def test_raw_sums_that_are_predicted_badly_are_said_so_first():
    y, a, b = simulated()
    wide = 100 * (b - y)  # worth little, and wider than the other
    found = preview_fusion(y, a, wide)
    assert found.scale_warning.startswith("raw sums are predicted badly: with weights ")
    assert "scale 'latent' (predicted " in found.scale_warning
    assert str(found).splitlines()[1].strip() == found.scale_warning
    assert found.best("correlated").is_off
    for scale in ("matched", "latent"):
        assert preview_fusion(y, a, wide, scale=scale).scale_warning is None
    assert preview_fusion(y, a, wide, model="empirical").scale_warning is None
    assert preview_fusion(y, a, b).scale_warning is None
    assert preview_fusion(y, a, wide, target="cost", cost=1).scale_warning is None


def test_series_name_the_scores():
    y, a, b = simulated(60)
    frame = pd.DataFrame({"svm": a, "mlp": b})
    found = preview_fusion(y, frame["svm"], frame["mlp"], weights=[[1, 1]])
    assert found.names == found.pair.names == ("svm", "mlp")
    assert found.curve([0.4, 0.6]).title == "0.4 svm + 0.6 mlp"
    assert preview_fusion(y, frame["svm"], b, weights=[[1, 1]]).names == ("score_a", "score_b")
    same = preview_fusion(y, frame["svm"], frame["svm"] + b, weights=[[1, -1]])
    assert same.names == ("score_a", "score_b")
    assert same.curve([1, -1]).title == "1 score_a - 1 score_b"
