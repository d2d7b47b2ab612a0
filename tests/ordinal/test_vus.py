"""The volume under the surface and the areas of neighbours against tuples and pairs."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rocscope.ordinal.estimates import read_ordinal
from rocscope.ordinal.roc import ordinal_roc
from rocscope.ordinal.vus import areas_of, ordered_areas, rank_classes
from slow import ordinal as slow
from slow import pairs


@st.composite
def samples(draw, n_classes, levels):
    o = [k for k in range(n_classes) for _ in range(draw(st.integers(2, 4)))]
    return o, [draw(st.integers(0, levels)) / 2 for _ in o]


def by_class(o, e):
    return [[x for c, x in zip(o, e, strict=True) if c == k] for k in range(max(o) + 1)]


@pytest.mark.parametrize(("n_classes", "levels"), [(2, 3), (3, 1), (3, 4), (4, 2), (5, 3), (4, 100)])
@settings(max_examples=40)
@given(data=st.data())
def test_volume_is_that_of_all_tuples(path, n_classes, levels, data):
    o, e = data.draw(samples(n_classes, levels))
    result = ordinal_roc(o, e)
    assert result.vus == pytest.approx(float(slow.volume(o, e, range(n_classes))), abs=1e-14)
    parts = by_class(o, e)
    areas = [float(pairs.area(parts[k + 1], parts[k])) for k in range(n_classes - 1)]
    assert result.adjacent.tolist() == areas
    assert result.adjacent_auc == pytest.approx(np.mean(areas), abs=1e-15)


@pytest.mark.parametrize("n_classes", [2, 3, 4, 6])
def test_without_information_it_is_one_over_the_permutations(n_classes):
    y = np.repeat(range(n_classes), 3)
    result = ordinal_roc(y, np.zeros(y.size))
    assert result.vus == pytest.approx(1 / math.factorial(n_classes), rel=1e-15)
    assert result.vus_chance == 1 / math.factorial(n_classes)


def test_ties_count_a_half_and_a_sixth():
    def volume(*parts):
        y = [k for k, part in enumerate(parts) for _ in part]
        return float(ordered_areas(rank_classes(read_ordinal(y, np.concatenate(parts)).whole)).volume)

    assert volume([1], [1], [2]) == volume([1], [2], [2]) == 0.5
    assert volume([2], [2], [2]) == pytest.approx(1 / 6)
    assert volume([1], [1], [2], [2]) == 0.25
    assert volume([2], [1], [2]) == 0


@pytest.mark.parametrize("decimals", [0, 1, 2, 3, 15])
def test_compiled_walks_give_the_same_bits(decimals, monkeypatch):
    rng = np.random.default_rng(8)
    y = rng.integers(0, 5, 3000)
    whole = read_ordinal(y, (y + rng.normal(size=y.size)).round(decimals), classes=range(6)).whole
    general = ordered_areas(rank_classes(whole))
    monkeypatch.setattr("rocscope.ordinal.vus.LARGE", 0)
    compiled = areas_of(whole)
    assert (compiled.volume, compiled.adjacent) == (general.volume, general.adjacent)


@pytest.mark.parametrize("n_classes", [21, 30])
def test_long_runs_of_ties(path, n_classes):
    y = np.repeat(range(n_classes), 2)
    assert ordinal_roc(y, np.ones(y.size)).vus == pytest.approx(1 / math.factorial(n_classes), rel=1e-12)


def test_three_class_volume_is_known_for_normals():
    """P(X1 < X2 < X3) of three normals one standard deviation apart, by numerical integration."""
    from scipy import integrate, special

    def density(x):
        middle = np.exp(-((x - 1) ** 2) / 2) / math.sqrt(2 * math.pi)
        return middle * special.ndtr(x) * special.ndtr(2 - x)

    expected = integrate.quad(density, -8, 10)[0]
    rng = np.random.default_rng(9)
    y = np.repeat([0, 1, 2], 60_000)
    assert ordinal_roc(y, y + rng.normal(size=y.size)).vus == pytest.approx(expected, abs=0.004)
