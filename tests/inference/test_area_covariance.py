from fractions import Fraction
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given

from rocscope import BinaryScores
from rocscope.inference.variance import AreaMatrix
from slow import pairs, samples


def two_terms(y, first, second):
    """Both parts of a covariance, of which each is rounded before they are added."""
    a, b = (pairs.placements(*pairs.split(y, s)) for s in (first, second))
    return [pairs.covariance(u, v) / len(u) for u, v in zip(a, b, strict=True)]


@given(data=samples.labelled(columns=3, min_each=2, max_size=16))
def test_covariances_are_those_of_all_pairs(path, data):
    y, columns = data
    result = AreaMatrix.paired(BinaryScores.from_arrays(y, dict(zip("abc", columns, strict=True))))
    assert result.names == ("a", "b", "c")
    assert result.sizes == (y.size,) * 3
    assert result.smallest_class == min((y == 0).sum(), (y == 1).sum())
    assert result.areas.tolist() == [float(pairs.area(*pairs.split(y, s))) for s in columns]
    for i, first in enumerate(columns):
        for j, second in enumerate(columns):
            terms = two_terms(y, first, second)
            # One rounding per term and one for the sum: within one unit in the last place of the larger.
            unit = np.spacing(max(abs(float(t)) for t in terms))
            assert abs(Fraction(result.covariance[i, j]) - sum(terms)) <= 2 * Fraction(unit)
    np.testing.assert_array_equal(result.covariance, result.covariance.T)


@given(data=samples.labelled(columns=2, min_each=2, max_size=16))
def test_variances_of_differences_are_those_of_all_pairs(path, data):
    y, (first, second) = data
    result = AreaMatrix.paired(BinaryScores.from_arrays(y, {"a": first, "b": second}))
    exact = float(pairs.difference_variance(y, first, second))
    assert abs(result.difference_variance[0, 1] - exact) <= np.spacing(exact)
    variances = [float(pairs.delong_variance(y, s)) for s in (first, second)]
    np.testing.assert_array_almost_equal_nulp(np.diag(result.covariance), np.array(variances), nulp=1)


@given(data=samples.labelled(elements=samples.BIG_INTEGERS, columns=2, min_each=2, max_size=12))
def test_long_integers(path, data):
    y, (first, second) = data
    result = AreaMatrix.paired(BinaryScores.from_arrays(y, {"a": first, "b": second}))
    exact = float(pairs.difference_variance(y, first, second))
    assert abs(result.difference_variance[0, 1] - exact) <= np.spacing(exact)


@given(first=samples.labelled(min_each=2, max_size=14), second=samples.labelled(min_each=2, max_size=14))
def test_variances_of_unpaired_curves_add_up(path, first, second):
    samples_ = {"a": BinaryScores.from_arrays(*first), "b": BinaryScores.from_arrays(*second)}
    result = AreaMatrix.unpaired(tuple(samples_), tuple(samples_.values()))
    variances = [pairs.delong_variance(*first), pairs.delong_variance(*second)]
    assert result.sizes == (first[0].size, second[0].size)
    assert result.covariance[0, 1] == result.covariance[1, 0] == 0
    for k in range(2):
        assert abs(result.covariance[k, k] - float(variances[k])) <= np.spacing(float(variances[k]))
    exact = float(sum(variances))
    assert result.difference_variance[0, 1] == pytest.approx(exact, rel=1e-15)


def test_identical_curves_have_exactly_no_variance_between_them(path):
    rng = np.random.default_rng(6)
    y = rng.integers(0, 2, 500)
    s = rng.normal(size=500)
    result = AreaMatrix.paired(BinaryScores.from_arrays(y, {"a": s, "b": 3 * s + 1, "c": s}))
    assert set(result.difference_variance.values()) == {0.0}
    assert result.areas[0] == result.areas[1]


def test_one_case_in_a_class_has_no_covariance(path):
    result = AreaMatrix.paired(BinaryScores.from_arrays([1, 0, 0], {"a": [1, 2, 0], "b": [3, 2, 1]}))
    assert np.isnan(result.covariance).all()
    assert result.difference_variance == {}
    assert result.areas.tolist() == [0.5, 1.0]


@pytest.mark.parametrize("size", [3000, 70_000])
def test_thousands_of_rows_agree_with_whole_sums(size):
    """On many rows the twin is too slow; the same sums in Python's integers stand in for it."""
    rng = np.random.default_rng(7)
    y = rng.integers(0, 2, size)
    columns = {name: np.round(rng.normal(size=size) + 0.7 * y, 2) for name in "ab"}
    data = BinaryScores.from_arrays(y, columns)
    result = AreaMatrix.paired(data)
    m, n = data.n_pos, data.n_neg
    pos, neg = zip(*(_placements(y, columns[name]) for name in "ab"), strict=True)
    for i, j in [*combinations(range(2), 2), (0, 0), (1, 1)]:
        terms = [_term(pos[i], pos[j], m, n), _term(neg[i], neg[j], n, m)]
        assert result.covariance[i, j] == pytest.approx(float(sum(terms)), rel=1e-14)


def _placements(y, scores):
    pos, neg = scores[y == 1], scores[y == 0]
    of_pos = np.searchsorted(np.sort(neg), pos) + np.searchsorted(np.sort(neg), pos, "right")
    of_neg = np.searchsorted(np.sort(-pos), -neg) + np.searchsorted(np.sort(-pos), -neg, "right")
    return of_pos.tolist(), of_neg.tolist()


def _term(a, b, m, n):
    products = sum(x * z for x, z in zip(a, b, strict=True))
    return Fraction(m * products - sum(a) * sum(b), 4 * n * n * m * m * (m - 1))
