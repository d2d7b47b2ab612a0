"""The hierarchical Bayesian test: against Gibbs sampling, its limits, its refusals, and in comparisons."""

import numpy as np
import pytest
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.naive_bayes import GaussianNB

import rocscope as rs
from rocscope.algorithms.hierarchical import hierarchical_posterior
from rocscope.errors import RocInputError
from slow import hierarchical as slow

HOW = {"n_train": 90, "n_test": 10}


def drawn(seed, datasets, folds, location, scale):
    """Differences of the model with rho = 0.1; the data sets are t with 4 degrees of freedom."""
    rng = np.random.default_rng(seed)
    delta = location + scale * rng.standard_t(4, size=(datasets, 1))
    common, own = rng.normal(size=(datasets, 1)), rng.normal(size=(datasets, folds))
    width = 0.02 * rng.uniform(0.5, 2, size=(datasets, 1))
    return delta + width * (np.sqrt(0.1) * common + np.sqrt(0.9) * own)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("seed", "size", "location", "scale", "rope", "narrow", "outlying"),
    [
        (0, (3, 10), 0.01, 0.01, 0.01, 1, 0),
        (2, (6, 5), 0.02, 0.0, 0.02, 1, 0),
        (5, (4, 10), 0.01, 0.003, 0.01, 40, 0),
        (7, (8, 10), 0.01, 0.002, 0.01, 1, 0.2),
    ],
)
def test_gibbs_sampling_agrees(seed, size, location, scale, rope, narrow, outlying):
    """Few data sets, none that differs, one with a small error, one far away from the others."""
    x = drawn(seed, *size, location, scale)
    x[0] = x[0].mean() + (x[0] - x[0].mean()) / narrow + outlying
    found = hierarchical_posterior(x, rho=0.1, rope=rope, level=0.95)
    draws = slow.sample(x, 0.1, np.random.default_rng(seed), n_chains=300, n_draws=400, burn_in=300)
    shares = slow.shares(*draws, rope)
    largest = np.stack([shares.argmax(axis=0) == k for k in range(3)])

    def check(values, of_draws, rounding):
        """Values of the grid lie within four Monte-Carlo errors of the draws, and its own rounding."""
        by_chain = np.mean(of_draws, axis=-2)
        error = by_chain.std(axis=-1) / np.sqrt(by_chain.shape[-1])
        assert (np.abs(values - by_chain.mean(axis=-1)) < 4 * error + rounding).all()
        assert (4 * error < 20 * rounding).all()  # the draws are enough to tell

    check(found.posterior, shares, 0.001)
    check(found.most_probable, largest, 0.003)
    check(found.mean, draws[0], 2e-4)
    check(found.scale, draws[1], 0.01 * found.scale)
    check(found.freedom, draws[2], 0.01 * found.freedom)
    assert (found.low, found.high) == pytest.approx(np.quantile(draws[0], [0.025, 0.975]), abs=1e-3)


@pytest.mark.slow
def test_probabilities_are_whole_and_turn_with_the_signs():
    x = drawn(3, 5, 10, 0.01, 0.01)
    found = rs.hierarchical_test(x, np.zeros_like(x), **HOW)
    turned = rs.hierarchical_test(np.zeros_like(x), x, **HOW)
    for name in ("posterior", "most_probable"):
        assert sum(getattr(found, name)) == pytest.approx(1, abs=1e-12)
        assert getattr(turned, name) == pytest.approx(getattr(found, name)[::-1], abs=1e-9)
    assert (turned.mean, turned.low, turned.high) == pytest.approx((-found.mean, -found.high, -found.low))
    assert found.low < found.mean < found.high


@pytest.mark.slow
def test_units_do_not_matter():
    x = drawn(4, 4, 10, 0.01, 0.01)
    found, scaled = (
        rs.hierarchical_test(k * x, np.zeros_like(x), **HOW, rope=0.01 * k) for k in (1.0, 2.0**40)
    )
    assert scaled.posterior == pytest.approx(found.posterior, rel=1e-9)
    assert scaled.mean == pytest.approx(found.mean * 2.0**40, rel=1e-9)
    x[0, 0] = 1e300
    assert sum(rs.hierarchical_test(x, 0 * x, **HOW).posterior) == pytest.approx(1)


@pytest.mark.slow
def test_many_alike_data_sets_have_the_precision_of_all_of_them():
    """The mean over 40 data sets with equal means and errors is as the precision of them together says."""
    x = np.tile(drawn(5, 1, 20, 0.01, 0.0), (40, 1))
    found = rs.hierarchical_test(x, np.zeros_like(x), **HOW, rope=0.0)
    assert found.mean == pytest.approx(x.mean(), abs=1e-6)
    error = x[0].std(ddof=1) * np.sqrt(1 / 20 + 1 / 9)
    assert error / np.sqrt(40) < (found.high - found.low) / 3.92 < 1.5 * error / np.sqrt(40)


@pytest.mark.slow
def test_a_shared_difference_becomes_surer_with_more_data_sets():
    x = drawn(6, 20, 10, 0.02, 0.005)
    few, many = (rs.hierarchical_test(x[:n], 0 * x[:n], **HOW) for n in (4, 20))
    assert many.high - many.low < few.high - few.low
    assert many.posterior[2] > 0.8


@pytest.mark.slow
def test_outlying_data_sets_are_seen_as_such():
    """One of twelve with a difference ten times as large: the tails are heavy, the mean moves little."""
    x = drawn(7, 12, 10, 0.01, 0.002)
    x[0] += 0.2
    found = rs.hierarchical_test(x, 0 * x, **HOW)
    assert found.mean < x.mean()
    assert found.freedom < 20


def test_a_data_set_without_spread():
    x = drawn(8, 6, 10, 0.01, 0.01)
    x[2] = 0.0
    found = rs.hierarchical_test(x, 0 * x, **HOW)
    assert found.status == "ok"
    assert sum(found.posterior) == pytest.approx(1)


@pytest.mark.parametrize(
    ("x", "reason"),
    [
        (np.ones((1, 10)), "the model needs at least 2 data sets with 4 folds each, got 1 with 10"),
        (np.ones((3, 3)), "the model needs at least 2 data sets with 4 folds each, got 3 with 3"),
        (
            np.full((3, 5), 0.1) + 1e-17 * np.arange(5),
            "the differences are the same over all folds of every data set",
        ),
        (np.ones((3, 5)), "the differences are the same over all folds of every data set"),
        ([[1, 2, 3, np.nan], [1, 2, 3, 4]], "a fold is undefined on 1 of 2 data sets"),
    ],
)
def test_undefined(x, reason):
    found = rs.hierarchical_test(x, np.zeros_like(x), **HOW)
    assert (found.status, found.reason, found.posterior) == ("undefined", reason, None)
    assert str(found).endswith(f"undefined: {reason}")
    assert type(found).from_dict(found.to_dict()) == found


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"a": [1, 2, 3]}, "a must hold numbers, a row for each data set and a column for each fold"),
        ({"a": [["x"] * 4] * 2}, "a must hold numbers"),
        ({"b": np.ones((2, 5))}, "a and b must have the same shape: a has (2, 4), b has (2, 5)"),
        ({"n_train": 0}, "n_train must"),
        ({"rope": -1}, "rope must be"),
        ({"level": 95}, "level must lie between 0 and 1, got 95"),
    ],
)
def test_wrong_arguments(change, message):
    request = {"a": np.ones((2, 4)), "b": np.ones((2, 4)), **HOW} | change
    with pytest.raises(RocInputError) as caught:
        rs.hierarchical_test(**request)
    assert str(caught.value).startswith(message)


@pytest.mark.slow
def test_in_a_comparison():
    rng = np.random.default_rng(0)
    data = {}
    for name in ("one", "two", "three"):
        y = rng.integers(0, 2, 60)
        data[name] = (rng.normal(size=(60, 3)) + y[:, None], y)
    learners = {"nb": GaussianNB(), "lda": LinearDiscriminantAnalysis()}
    compared = rs.compare_algorithms(learners, data, folds=5)
    found = compared.hierarchical("nb", "lda", "error", rope=0.02)
    again = rs.hierarchical_test(compared.error[:, 0], compared.error[:, 1], n_train=4, n_test=1, rope=0.02)
    assert found.posterior == pytest.approx(again.posterior, rel=1e-12)
    assert (found.first, found.second, found.measure) == ("nb", "lda", "error")
    common = rs.compare_algorithms(learners, data, folds=5, protocol="holdout").hierarchical("nb", "lda")
    assert (common.status, common.reason) == ("undefined", "the folds of a data set share one test set")
    with pytest.raises(RocInputError, match="measure must be one of"):
        compared.hierarchical("nb", "lda", "f1")
    with pytest.raises(RocInputError, match="algorithm must be one of"):
        compared.hierarchical("nb", "tree")
