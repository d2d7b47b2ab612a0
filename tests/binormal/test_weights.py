import numpy as np
import pytest

from binormal.test_combine import random_correlation, random_curves
from rocscope.binormal.combine import JointScores, best_weights, nonnegative_weights, predicted_auc
from rocscope.binormal.curve import Binormal
from rocscope.errors import UndefinedError
from slow import fusion


@pytest.fixture
def rng():
    return np.random.default_rng(3)


def test_independent_weights_are_the_closed_form(rng):
    fits = random_curves(rng, 4)
    found = best_weights(fits)
    expected = np.array([fit.a * fit.b / (1 + fit.b**2) for fit in fits])
    np.testing.assert_allclose(found.free, expected / np.abs(expected).sum(), rtol=1e-12)


def test_no_other_weights_are_better(rng):
    for _ in range(20):
        k = int(rng.integers(2, 6))
        fits = random_curves(rng, k)
        corr = {name: random_correlation(rng, k) for name in ("corr_neg", "corr_pos")}
        found = best_weights(fits, **corr)
        tried = rng.normal(size=(3000, k))
        near = found.free + 1e-3 * rng.normal(size=(500, k))
        assert found.auc_free >= predicted_auc(fits, np.concatenate([tried, near]), **corr).max()
        near = np.abs(found.nonnegative + 1e-3 * rng.normal(size=(500, k)))
        areas = predicted_auc(fits, np.concatenate([np.abs(tried), near]), **corr)
        assert found.auc_nonnegative >= areas.max()
        assert found.auc_free >= found.auc_nonnegative - 1e-15
        assert found.auc_nonnegative >= found.auc_single.max() - 1e-15
        assert (found.nonnegative >= 0).all()
        assert np.abs(found.free).sum() == pytest.approx(1)
        assert found.nonnegative.sum() == pytest.approx(1)


def test_nonnegative_weights_are_those_of_the_best_subset(rng):
    zeros = 0
    for _ in range(60):
        k = int(rng.integers(2, 7))
        fits = random_curves(rng, k)
        corr = {name: random_correlation(rng, k) for name in ("corr_neg", "corr_pos")}
        joint = JointScores.of(fits, **corr)
        _, expected = fusion.best_of_subsets(joint.cov_sum, joint.mean_pos)
        found = best_weights(fits, **corr).nonnegative
        np.testing.assert_allclose(found, expected, atol=1e-10)
        zeros += int((found == 0).sum())
    assert zeros > 20  # else the bound would hardly have been tried


def test_a_noisy_copy_gets_a_negative_weight():
    """The second score is the first one plus noise: what it has too much can be taken off."""
    found = best_weights([Binormal(a=1.5, b=1.0), Binormal(a=0.9, b=1.0)], corr_neg=0.9, corr_pos=0.9)
    assert found.free[1] < 0
    assert found.nonnegative.tolist() == [1.0, 0.0]
    assert found.auc_free > found.auc_nonnegative == pytest.approx(found.auc_single[0])


def test_classifiers_worse_than_chance():
    fits = [Binormal(a=-1.0, b=1.0), Binormal(a=-0.3, b=2.0), Binormal(a=-0.3, b=1.0)]
    found = best_weights(fits)
    assert found.nonnegative.tolist() == [0.0, 1.0, 0.0]  # the area nearest to 1/2
    assert found.auc_nonnegative == pytest.approx(fits[1].auc)
    assert (found.free < 0).all()
    assert found.auc_free > 0.5


def test_no_direction_is_best():
    with pytest.raises(UndefinedError) as error:
        best_weights([Binormal(a=0.0, b=1.0), Binormal(a=0.0, b=2.0)])
    assert str(error.value) == (
        "no weights are best: every curve has a = 0, so that all of them give area 0.5"
    )


def test_copies_are_named():
    with pytest.raises(UndefinedError, match=r"corr_pos is singular \(condition number inf\)"):
        best_weights([Binormal(a=1.0, b=1.0)] * 2, corr_pos=1.0)


def test_columns_are_classifiers(rng):
    found = best_weights(random_curves(rng, 3))
    assert [len(column) for column in found.columns().values()] == [3, 3, 3]
    assert found.to_dict()["auc_free"] == found.auc_free


def test_an_area_of_one_half_but_for_a_rounding_still_has_weights():
    """The mean of the second score is a rounding above 0: least squares then give it no weight either."""
    covariance, mean = np.array([[2.0, 0.3], [0.3, 1.5]]), np.array([-0.8, 1e-17])
    assert nonnegative_weights(covariance, mean).tolist() == [0.0, 1.0]
