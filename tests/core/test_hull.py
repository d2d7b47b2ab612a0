from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given

from rocscope import RocCurve, ScoreTable, roc_curve
from rocscope.core import kernels
from rocscope.core.curve import upper_hull
from slow import curves, samples


def curve_points(table):
    """Counts of false and true positives at every vertex."""
    return np.cumsum([0, *table[1]]), np.cumsum([0, *table[0]])


@pytest.mark.parametrize("vertices", [upper_hull, kernels.hull_vertices], ids=["python", "numba"])
@given(table=samples.counts())
def test_vertices_are_those_of_trying_all_segments(vertices, table):
    fp, tp = curve_points(table)
    points = [(Fraction(int(x)), Fraction(int(y))) for x, y in zip(fp, tp, strict=True)]
    assert vertices(fp.astype(float), tp.astype(float)).tolist() == curves.hull(points)


@given(table=samples.counts())
def test_hull_of_a_curve(path, table):
    pos, neg = table
    curve = RocCurve.from_table(ScoreTable.from_counts(range(len(pos), 0, -1), pos=pos, neg=neg))
    fp, tp = curve_points(table)
    points = [(Fraction(int(x), sum(neg)), Fraction(int(y), sum(pos))) for x, y in zip(fp, tp, strict=True)]
    kept, hull = curves.hull(points), curve.hull()
    assert hull.fpr.tolist() == curve.fpr[kept].tolist()
    assert hull.tpr.tolist() == curve.tpr[kept].tolist()
    assert hull.thresholds.tolist() == curve.thresholds[kept].tolist()
    assert hull.auc == pytest.approx(float(curves.polyline_area([points[k] for k in kept])), abs=1e-15)
    assert hull.auc >= curve.auc - 1e-15
    assert (hull.n_pos, hull.n_neg, hull.pos_label) == (curve.n_pos, curve.n_neg, 1)


def test_hull_of_its_hull_is_itself():
    rng = np.random.default_rng(2)
    y = rng.integers(0, 2, 200)
    hull = roc_curve(y, np.round(y + rng.normal(size=200), 1)).hull()
    np.testing.assert_array_equal(hull.hull().fpr, hull.fpr)


@pytest.mark.parametrize(
    ("y", "scores", "fpr", "tpr", "area"),
    [
        ([0, 0, 1, 1], [1, 1, 1, 1], [0, 1], [0, 1], 0.5),
        ([0, 0, 1, 1], [1, 2, 3, 4], [0, 0, 1], [0, 1, 1], 1.0),
        ([1, 1, 0, 0], [1, 2, 3, 4], [0, 1], [0, 1], 0.5),
    ],
    ids=["constant", "separated", "reversed"],
)
def test_hull_of_extreme_curves(path, y, scores, fpr, tpr, area):
    hull = roc_curve(y, scores).hull()
    assert (hull.fpr.tolist(), hull.tpr.tolist(), hull.auc) == (fpr, tpr, area)


@pytest.mark.parametrize("unit", [1, 2**20, 2**30, 2**45])
def test_points_on_an_edge_are_left_out_at_any_count(path, unit):
    """The turn at a vertex is a product of counts, which doubles hold only up to 2**53."""
    three, one = 3 * unit, unit + 1
    pos, neg = [3 * one, three, 3], [one, unit, 1]  # every step has slope 3
    hull = RocCurve.from_table(ScoreTable.from_counts([3, 2, 1], pos=pos, neg=neg)).hull()
    assert hull.thresholds.tolist() == [np.inf, 1.0]


@pytest.mark.parametrize("unit", [2**20, 2**30, 2**45])
def test_points_just_above_an_edge_are_kept(path, unit):
    pos, neg = [3 * unit + 1, 3 * unit, 3 * unit], [unit, unit, unit]
    hull = RocCurve.from_table(ScoreTable.from_counts([3, 2, 1], pos=pos, neg=neg)).hull()
    assert hull.thresholds.tolist() == [np.inf, 3.0, 1.0]
