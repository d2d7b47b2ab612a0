"""Statistics of replicates, evaluated on counts, against the same statistics of curves in fractions."""

import _thread
import contextlib
import signal
import time
from fractions import Fraction

import numpy as np
import pytest

import rocscope as rs
from rocscope.core import kernels, points
from rocscope.core.partial_area import counted_areas
from rocscope.core.resampling import Cases, Sampling, VertexCounts
from rocscope.inference.bands import tnr_at, tpr_at
from slow import curves as slow


def drawn_counts(seed, replicates=6, vertices=9):
    """Counts at the vertices of replicates: steps of nothing, of one class, of both."""
    rng = np.random.default_rng(seed)
    steps = rng.integers(0, 3, (2, replicates, vertices)).astype(np.int32)
    steps[:, :, -1] += 1
    steps[:, :, 0] = 0
    tp, fp = np.cumsum(steps, axis=2, dtype=np.int32)
    return VertexCounts(tp, fp)


def fractions(counts, row):
    tp, fp = counts.tp[row].tolist(), counts.fp[row].tolist()
    return [(Fraction(x, fp[-1]), Fraction(y, tp[-1])) for x, y in zip(fp, tp, strict=True)]


RANGES = [((0, 0.25), None), ((0.25, 0.5), None), (None, (0.5, 1)), ((0, 0.5), (0.25, 0.75)), (None, None)]


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("ranges", RANGES)
def test_partial_areas(seed, ranges):
    counts = drawn_counts(seed)
    areas = counted_areas(counts, ranges, standardize=False)
    expected = [slow.partial_area(fractions(counts, row), *ranges) for row in range(len(areas))]
    np.testing.assert_allclose(areas, np.array(expected, float), atol=1e-14)


@pytest.mark.parametrize("seed", range(8))
def test_rates_at_rates(seed):
    """At a jump the end that is better for the test; places on vertices and between them."""
    counts, at = drawn_counts(seed), np.array([0, 0.125, 0.25, 0.5, 0.75, 1])
    heights, backwards = tpr_at(counts, at), tnr_at(counts, at)
    for row in range(len(heights)):
        curve = fractions(counts, row)
        expected = [float(slow.height(curve, Fraction(x))) for x in at]
        np.testing.assert_allclose(heights[row], expected, atol=1e-14)
        turned = [(1 - y, 1 - x) for x, y in reversed(curve)]
        expected = [float(slow.height(turned, 1 - Fraction(y))) for y in at]
        np.testing.assert_allclose(backwards[row], expected, atol=1e-14)


SELECTIONS = [
    ((), {}),
    ((), {"rule": "closest"}),
    ((), {"rule": "se=sp"}),
    ((), {"rule": "max-product"}),
    ((), {"cost": 3, "prevalence": 0.2}),
    (("tpr>=0.6",), {}),
    (("fpr<=0.4", "tpr>0.3"), {}),
    (("tnr>0.5",), {"rule": "youden"}),
    (("fnr<0.3",), {"cost": 2}),
]


@pytest.mark.parametrize(("constraints", "options"), SELECTIONS)
def test_the_compiled_selection_is_that_of_a_curve(constraints, options):
    """Of equal losses the smallest FPR, then the largest TPR; none where no vertex meets the bounds."""
    for seed in range(30):
        counts = drawn_counts(seed)
        sizes = (7, 9)
        quick = points.monotone_choice(constraints, class_sizes=sizes, **options)
        chosen = kernels.select_vertices(counts.tp, counts.fp, *quick)
        for row, vertex in enumerate(chosen):
            rates = {"fpr": counts.fpr[row], "tpr": counts.tpr[row]}
            try:
                expected, *_ = points.select_point(
                    lambda name, rates=rates: rates[name] if name in rates else 1 - rates[TURNED[name]],
                    constraints,
                    class_sizes=sizes,
                    **options,
                )
            except rs.UndefinedError:
                assert vertex == -1
                continue
            assert (rates["fpr"][vertex], rates["tpr"][vertex]) == (
                rates["fpr"][expected],
                rates["tpr"][expected],
            )


TURNED = {"fnr": "tpr", "tnr": "fpr"}


def data(n=400, seed=1):
    rng = np.random.default_rng(seed)
    y = rng.integers(0, 2, n)
    return y, (rng.normal(size=n) + y).round(2), rng.normal(size=n) + y


@pytest.mark.parametrize("n_jobs", [2, 3, -1])
def test_any_number_of_workers_gives_the_same_numbers(n_jobs):
    y, a, b = data()
    probability = 1 / (1 + np.exp(-a))
    how = {"n_boot": 150, "rng": 5}
    for call in (
        lambda **more: rs.auc(y, a, method="bootstrap", **how, **more),
        lambda **more: rs.partial_auc(y, a, fpr=(0, 0.3), method="bootstrap", **how, **more),
        lambda **more: rs.roc_band(y, a, method="bootstrap", **how, **more),
        lambda **more: rs.cutpoint(y, a, **how, **more),
        lambda **more: rs.cutpoint(y, a, "ppv>=0.5", **how, **more),
        lambda **more: rs.precision_recall(y, a, **how, **more),
        lambda **more: rs.compare_auc(y, {"a": a, "b": b}, method="bootstrap", **how, **more),
        lambda **more: rs.compare_auc(y, {"a": a, "b": b}, method="venkatraman", **how, **more),
        lambda **more: rs.calibration(y, probability, **how, **more),
    ):
        assert call(n_jobs=n_jobs).to_dict() == call().to_dict()


def test_replicates_of_a_thinned_table_say_so_and_are_near():
    y, a, _ = data(4000)
    for call in (
        lambda **how: rs.auc(y, a, method="bootstrap", **how),
        lambda **how: rs.partial_auc(y, a, fpr=(0, 0.5), method="bootstrap", **how),
    ):
        whole, thinned = call(rng=1), call(rng=1, max_points=200)
        assert thinned.value == whole.value
        assert thinned.se == pytest.approx(whole.se, rel=0.1)
        (note,) = thinned.warnings
        assert note.startswith("the replicates are those of a table thinned to ")
        assert call(rng=1, max_points=10**6).to_dict() == whole.to_dict()
    band, thin = (rs.roc_band(y, a, method="bootstrap", rng=1, max_points=points) for points in (None, 200))
    np.testing.assert_array_equal(thin.mean, band.mean)
    np.testing.assert_allclose(thin.high - thin.low, band.high - band.low, atol=0.03)
    with pytest.raises(rs.RocInputError, match="max_points must be a whole number of at least 2"):
        rs.auc(y, a, method="bootstrap", max_points=1)


@pytest.mark.parametrize("n_jobs", [1, 2])
def test_an_interruption_ends_the_work_of_all_workers(n_jobs):
    """Ctrl-C while replicates are drawn: it passes, and the workers begin nothing more."""
    begun = []

    def statistic(draws):
        begun.append(len(draws))
        if len(begun) == 3:
            _thread.interrupt_main()
        time.sleep(0.02)
        return np.zeros(len(draws))

    with pytest.raises(KeyboardInterrupt):
        Sampling(n_boot=100_000, rng=1, n_jobs=n_jobs).replicates(Cases((3, 3)), statistic)
    assert len(begun) < 100


@pytest.mark.parametrize("n_jobs", [1, 2])
def test_an_interruption_that_python_swallows_is_not_lost(n_jobs):
    """An exception inside the callback of a weak reference is only printed."""
    begun = []

    def statistic(draws):
        begun.append(len(draws))
        if len(begun) == 3:
            with contextlib.suppress(KeyboardInterrupt):
                signal.raise_signal(signal.SIGINT)
                time.sleep(0.05)
        time.sleep(0.02)
        return np.zeros(len(draws))

    with pytest.raises(KeyboardInterrupt):
        Sampling(n_boot=100_000, rng=1, n_jobs=n_jobs).replicates(Cases((3, 3)), statistic)
    assert len(begun) < 100
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
