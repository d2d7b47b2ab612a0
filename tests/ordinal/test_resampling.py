"""Intervals and folds: every replicate is a sample, every fold is a call of its own."""

import numpy as np
import pytest

from rocscope.core.resampling import plan_chunks
from rocscope.errors import RocInputError
from rocscope.ordinal import resampling
from rocscope.ordinal.estimates import read_ordinal
from rocscope.ordinal.resampling import SampleCounts, figure_names
from rocscope.ordinal.roc import ordinal_roc


def sample(n=300, decimals=1, seed=1):
    rng = np.random.default_rng(seed)
    y = rng.integers(1, 5, n)
    return y, np.round(y + rng.normal(0, 0.7, n), decimals), rng.integers(0, 3, n)


def flat(result):
    """Figures of a result in the order of their names, NaN where undefined."""
    values = [result.estimates[name].value for name in figure_names(result.labels)]
    return np.array([np.nan if value is None else value for value in values])


@pytest.mark.parametrize(
    "options", [{}, {"thresholds": 3, "fixed": "upper", "closure": "flat"}, {"closure": "none"}]
)
def test_replicates_are_samples_of_drawn_cases(options, monkeypatch):
    """Draw counts that are written down here, repeat the cases accordingly and call again."""
    y, e, _ = sample(60)
    rng = np.random.default_rng(2)
    drawn = {}

    def draw_counts(size, n, _):
        drawn[len(drawn)] = rng.multinomial(size, np.full(size, 1 / size), n).astype(np.int32)
        return drawn[len(drawn) - 1]

    monkeypatch.setattr("rocscope.core.kernels.draw_counts", draw_counts)
    result = ordinal_roc(y, e, **options)
    gaps = tuple(one.upper for one in result.curves[:-1])
    whole = read_ordinal(y, e).whole
    (chunk,) = plan_chunks(5, rng=1)
    cuts = result.thresholds.values
    counts = SampleCounts.of(whole, gaps, cuts, fixed=result.fixed, closure=result.closure)
    found = resampling.replicate_figures([counts], chunk)[:, 0]
    for k in range(5):
        again = [np.repeat(part, drawn[code][k]) for code, part in enumerate(whole.parts)]
        labels = np.repeat(whole.classes, [part.size for part in again])
        expected = ordinal_roc(labels, np.concatenate(again), **options)
        np.testing.assert_allclose(found[k, :-1], flat(expected)[:-1], rtol=1e-12)
        decided = result.thresholds.decide(np.concatenate(again))
        from sklearn.metrics import cohen_kappa_score

        peer = cohen_kappa_score(labels.astype(int), decided, weights="quadratic")
        assert found[k, -1] == pytest.approx(peer, abs=1e-12)


@pytest.mark.slow
def test_intervals_do_not_depend_on_the_jobs():
    y, e, _ = sample()
    one, two = (ordinal_roc(y, e, n_boot=200, rng=3, n_jobs=jobs) for jobs in (1, 2))
    assert one == two
    assert one != ordinal_roc(y, e, n_boot=200, rng=4)


def test_intervals_hold_the_value_and_are_of_a_sensible_size():
    y, e, _ = sample(1000)
    result = ordinal_roc(y, e, n_boot=500, rng=5)
    wide = ordinal_roc(y, e, n_boot=500, rng=5, level=0.99)
    for name, found in result.estimates.items():
        assert found.status == "ok"
        assert found.low <= found.value <= found.high, name
        assert 0.2 < (found.high - found.low) / (4 * found.se) < 1.2
        assert wide.estimates[name].low <= found.low <= found.high <= wide.estimates[name].high
    assert result.columns()["max_auc_low"] == [result.estimates[f"max_auc({k})"].low for k in (1, 2, 3, 4)]


def test_standard_error_of_the_neighbouring_area_is_that_of_delong():
    import rocscope as rs

    rng = np.random.default_rng(6)
    y = np.repeat([0, 1], 300)
    e = y + rng.normal(size=600)
    found = ordinal_roc(y, e, n_boot=2000, rng=7).estimates["adjacent_auc"]
    peer = rs.auc(y, e)
    assert found.value == peer.value
    assert found.se == pytest.approx(peer.se, rel=0.06)


def test_no_interval_was_requested():
    y, e, _ = sample()
    found = ordinal_roc(y, e).estimates["max_auc(2)"]
    assert (found.status, found.low, found.se) == ("partial", None, None)
    assert found.reason == "no interval was requested (n_boot=0)"


def test_separated_classes_have_no_interval():
    result = ordinal_roc([1, 1, 2, 2, 3, 3], [1, 1.1, 2, 2.1, 3, 3.1], n_boot=100, rng=1)
    found = result.estimates["vus"]
    assert (found.value, found.se, found.low, found.status) == (1.0, 0.0, None, "partial")
    assert found.reason == "all bootstrap replicates agree, so they give no interval"


def test_undefined_figures_stay_so_in_replicates():
    y, e, _ = sample(100)
    result = ordinal_roc(y, e, classes=[1, 2, 3, 4, 5], n_boot=100, rng=1)
    found = result.estimates["max_auc(5)"]
    assert (found.value, found.status, found.reason) == (None, "undefined", "class 5 has no member")
    assert result.estimates["vus"].reason == "class 5 has no member"
    assert result.estimates["max_auc macro"].status == "ok"
    assert result.estimates["adjacent_auc"].status == "ok"


@pytest.mark.parametrize(
    ("n_boot", "message"),
    [
        (10**8, "n_boot must be at most 10,000,000, got 100,000,000"),
        (-1, "n_boot must be a whole number of at least 0, got -1"),
    ],
)
def test_refuses_replicates(n_boot, message):
    with pytest.raises(RocInputError) as error:
        ordinal_roc([1, 2], [1, 2], n_boot=n_boot)
    assert str(error.value) == message


def test_bias_correction_moves_the_quantiles_back():
    replicates = np.random.default_rng(1).normal(0.2, 1, 20_000)  # a statistic that is 0.2 too high
    low, high = resampling.bias_corrected(replicates, 0.0, 0.95)
    assert (low, high) == (pytest.approx(-2.16, abs=0.06), pytest.approx(1.76, abs=0.06))


def test_interval_holds_the_value_whatever_the_replicates_say():
    replicates = np.linspace(0.5, 0.6, 200)
    assert resampling.bias_corrected(replicates, 0.4, 0.95)[0] == 0.4
    assert resampling.bias_corrected(replicates, 0.7, 0.95)[1] == 0.7


# ---- Folds ------------------------------------------------------------------------------------------------


def test_folds_are_calls_of_their_own():
    y, e, fold = sample()
    result = ordinal_roc(y, e, fold=fold)
    assert result.folds.folds == (0, 1, 2)
    assert result.folds.names == tuple(result.estimates)
    for k in range(3):
        alone = ordinal_roc(y[fold == k], e[fold == k])
        np.testing.assert_allclose(result.folds.values[k, :-1], flat(alone)[:-1], rtol=1e-13)
    np.testing.assert_allclose(result.folds.mean, result.folds.values.mean(axis=0))
    np.testing.assert_allclose(result.folds.sd, result.folds.values.std(axis=0, ddof=1))
    pooled = ordinal_roc(y, e)
    assert pooled.max_auc.tolist() == result.max_auc.tolist()


def test_a_fold_that_lacks_a_class_is_left_out():
    y, e, fold = sample()
    fold = np.where(y == 4, 0, fold)
    folds = ordinal_roc(y, e, fold=fold).folds
    of_last = folds.names.index("max_auc(4)")
    assert folds.defined[:, of_last].tolist() == [True, False, False]
    assert (folds.n[of_last], folds.mean[of_last]) == (1, folds.values[0, of_last])
    assert np.isnan(folds.sd[of_last])
    assert folds.n[folds.names.index("max_auc(1)")] == 3
    assert "max_auc(4): too few folds (1 folds)" in str(folds)


def test_one_fold_is_refused():
    with pytest.raises(RocInputError) as caught:
        ordinal_roc([1, 1, 2, 2], [1, 1.4, 1.6, 2], fold=[7] * 4)
    assert str(caught.value) == "fold must name at least 2 folds, got 7 alone"


def test_a_fold_of_one_class_alone_has_no_figures():
    folds = ordinal_roc([1, 1, 2, 2, 1, 1], [1, 1.4, 1.6, 2, 1, 2], fold=[0, 0, 0, 0, 1, 1]).folds
    assert not folds.defined[1, :-1].any()


def test_no_folds_no_values():
    y, e, _ = sample()
    folds = ordinal_roc(y, e).folds
    assert (folds.folds, folds.values.shape, folds.n.max()) == ((), (0, len(folds.names)), 0)
    assert np.isnan(folds.mean).all()


def test_refuses_missing_folds():
    with pytest.raises(RocInputError) as error:
        ordinal_roc([1, 2, 2], [1, 2, 2], fold=[0, np.nan, 1])
    assert str(error.value) == "fold must have a fold in every row, got missing values in row 1"
