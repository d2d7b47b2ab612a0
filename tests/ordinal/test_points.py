"""Points, areas and fronts against the printed formulas, case by case."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rocscope.ordinal.roc import ordinal_roc
from slow import ordinal as slow

CLASSES = (1.0, 2.0, 4.0, 5.0)


@st.composite
def samples(draw, classes=CLASSES, max_each=6):
    """Two to six cases per class; estimates in quarters, so that many lie on thresholds and on classes."""
    sizes = [draw(st.integers(2, max_each)) for _ in classes]
    o = [value for value, n in zip(classes, sizes, strict=True) for _ in range(n)]
    order = draw(st.permutations(range(len(o))))
    quarters = st.integers(0, 24).map(lambda k: k / 4)
    e = [draw(quarters) for _ in o]
    return [o[k] for k in order], e


def gaps_of(thresholds, e, classes=CLASSES):
    return slow.distinct(classes, e) if thresholds == "all" else slow.equidistant(classes, thresholds)


@settings(max_examples=60)
@given(data=samples(), thresholds=st.sampled_from([1, 3, "all"]))
def test_every_point_is_that_of_the_formula(path, data, thresholds):
    o, e = data
    result = ordinal_roc(o, e, thresholds=thresholds)
    gaps = gaps_of(thresholds, e)
    for i, one in enumerate(result.curves):
        lower, upper = slow.thresholds_of(CLASSES, gaps, i)
        assert (one.lower.tolist(), one.upper.tolist()) == (lower, upper)
        tp, fp = slow.points(o, e, CLASSES, gaps, i)
        assert one.tp.tolist() == tp
        assert one.fp.tolist() == fp
        assert (one.n_pos, one.n_neg) == (o.count(CLASSES[i]), len(o) - o.count(CLASSES[i]))
        assert one.tpr.tolist() == [[t / one.n_pos for t in row] for row in tp]
        assert one.fpr.tolist() == [[f / one.n_neg for f in row] for row in fp]


@pytest.mark.parametrize("closure", ["diagonal", "flat", "none"])
@pytest.mark.parametrize("fixed", ["lower", "upper"])
@settings(max_examples=40)
@given(data=samples(), thresholds=st.sampled_from([1, 3, "all"]))
def test_areas_are_those_of_the_trapezoids(closure, fixed, data, thresholds):
    o, e = data
    result = ordinal_roc(o, e, thresholds=thresholds, closure=closure, fixed=fixed)
    gaps = gaps_of(thresholds, e)
    for i, one in enumerate(result.curves):
        if one.status != "ok":
            assert not gaps[max(i - 1, 0)] or not gaps[min(i, 2)]
            continue
        curves = slow.curves(o, e, CLASSES, gaps, i, fixed, closure)
        areas = [slow.trapezoid(curve) for curve in curves]
        assert one.auc.tolist() == [float(area) for area in areas]
        assert one.max_auc == result.max_auc[i] == float(max(areas))
        assert one.avg_auc == result.avg_auc[i] == float(sum(areas) / len(areas))
        assert one.max_at == (one.lower if one.fixed == "lower" else one.upper)[areas.index(max(areas))]
        for curve, expected in zip(one, curves, strict=True):
            assert list(zip(curve.fpr, curve.tpr, strict=True)) == [(float(x), float(y)) for x, y in expected]
            assert curve.auc == float(slow.trapezoid(expected))


@settings(max_examples=60)
@given(
    data=samples(),
    thresholds=st.sampled_from([3, "all"]),
    closure=st.sampled_from(["diagonal", "flat", "none"]),
)
def test_front_is_what_no_pair_betters(path, data, thresholds, closure):
    o, e = data
    result = ordinal_roc(o, e, thresholds=thresholds, closure=closure)
    gaps = gaps_of(thresholds, e)
    for i, one in enumerate(result.front):
        if not result.defined[i]:
            assert (len(one), one.auc) == (0, None)
            continue
        expected = slow.front(o, e, CLASSES, gaps, i)
        assert list(zip(one.fp.tolist(), one.tp.tolist(), strict=True)) == expected
        for a, b, f, t in zip(one.lower, one.upper, one.fp, one.tp, strict=True):
            assert (slow.false_positives(o, e, a, b), slow.true_positives(o, e, a, b)) == (f, t)
        n_pos = o.count(CLASSES[i])
        rates = [(slow.Fraction(f, len(o) - n_pos), slow.Fraction(t, n_pos)) for f, t in expected]
        assert one.auc == pytest.approx(float(slow.trapezoid(slow.closed(rates, closure))), abs=1e-15)


@settings(max_examples=40)
@given(data=samples())
def test_youden_is_the_best_of_all_pairs(data):
    o, e = data
    for one in ordinal_roc(o, e, thresholds=3).curves:
        index = one.tpr - one.fpr
        assert one.youden == pytest.approx(index.max(), abs=1e-15)
        i, j = one.lower.tolist().index(one.youden_lower), one.upper.tolist().index(one.youden_upper)
        assert index[i, j] == pytest.approx(index.max(), abs=1e-15)


def test_large_random_sample_agrees_with_the_literal_twin():
    rng = np.random.default_rng(5)
    o = rng.integers(1, 7, 400).astype(float)
    e = np.round(o + rng.normal(0, 0.6, o.size), 1)  # thresholds in tenths are hit often
    result = ordinal_roc(o, e, thresholds=9)
    gaps = slow.equidistant(sorted(set(o)), 9)
    assert any(t in set(e) for gap in gaps for t in gap)
    for i, one in enumerate(result.curves):
        for a, row in enumerate(one.tp):
            for b, tp in enumerate(row):
                assert (tp, one.fp[a, b]) == slow.literal_point(o, e, one.lower[a], one.upper[b])
        expected = slow.max_and_avg(o.tolist(), e.tolist(), sorted(set(o)), gaps, i)
        assert (one.max_auc, one.avg_auc) == tuple(map(float, expected))


def test_flat_closure_is_never_larger():
    rng = np.random.default_rng(6)
    y = rng.integers(1, 6, 500)
    e = y + rng.normal(size=500)
    diagonal, flat, unclosed = (ordinal_roc(y, e, closure=how) for how in ("diagonal", "flat", "none"))
    assert (unclosed.max_auc < flat.max_auc).all()
    assert (flat.max_auc < diagonal.max_auc).all()
    assert (unclosed.avg_auc < flat.avg_auc).all()
    assert (flat.avg_auc < diagonal.avg_auc).all()


def test_perfect_estimates_have_areas_of_one():
    result = ordinal_roc([1, 1, 2, 2, 3, 3], [1, 1, 2, 2, 3, 3])
    assert result.max_auc.tolist() == result.avg_auc.tolist() == [1, 1, 1]
    assert (result.vus, result.kappa, result.adjacent_auc) == (1, 1, 1)
    assert result.thresholds.error == 0


def test_two_classes_have_one_curve_each():
    result = ordinal_roc([0, 0, 1, 1], [0.1, 0.6, 0.4, 0.9], thresholds="all")
    assert [len(one) for one in result.curves] == [1, 1]
    assert [one.fixed for one in result.curves] == ["lower", "upper"]
    assert result.adjacent_auc == result.vus == 0.75


def test_all_thresholds_need_no_matrix():
    rng = np.random.default_rng(7)
    y = rng.integers(1, 7, 20_000)
    e = y + rng.normal(0, 0.6, y.size)
    result = ordinal_roc(y, e, thresholds="all")
    held = sum(array.nbytes for one in (*result.curves, *result.front) for array in _arrays(one))
    assert held < 40 * 8 * y.size
    one = result.curves[2]
    curves = [np.trapezoid(curve.tpr, curve.fpr) for curve in (one[0], one[len(one) // 2], one[-1])]
    np.testing.assert_allclose(curves, one.auc[[0, len(one) // 2, -1]], rtol=1e-12)


def _arrays(result):
    names = [name for name in result.__dataclass_fields__ if isinstance(getattr(result, name), np.ndarray)]
    return [getattr(result, name) for name in names]
