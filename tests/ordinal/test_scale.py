"""Estimates off the scale of the classes: by rank, and by cross-fitted isotonic regression."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.isotonic import IsotonicRegression

import rocscope as rs
from rocscope.core.scores import OrdinalScores
from rocscope.ordinal import scale
from slow import ordinal as slow

TIED = st.lists(st.tuples(st.sampled_from([1, 2, 4]), st.integers(-3, 3)), min_size=4, max_size=25)


def two_classes(cases):
    return len({c for c, _ in cases}) > 1


def sample(n=40, sd=0.8, seed=1):
    """Estimates of four classes, and the same in their order on another scale, with ties."""
    rng = np.random.default_rng(seed)
    y = np.repeat([1, 2, 3, 4], n)
    e = np.round(y + rng.normal(0, sd, y.size), 1)
    return y, e, np.exp(e) * 100


@settings(max_examples=60)
@given(cases=TIED.filter(two_classes))
def test_ranks_as_they_are_described(cases):
    o, e = (list(column) for column in zip(*cases, strict=True))
    rows, found = scale.rescale(OrdinalScores.from_arrays(o, e), "rank")
    expected = slow.rank_scale(o, e)
    np.testing.assert_allclose(rows.estimates, expected, rtol=0, atol=1e-12)
    np.testing.assert_array_equal(found.raw, sorted(set(e)))
    np.testing.assert_allclose(found.mapped, sorted(set(expected)), rtol=0, atol=1e-12)


@settings(max_examples=60)
@given(cases=TIED)
def test_isotonic_regression_is_the_largest_of_the_least_means(cases):
    o, e = (np.array(column, dtype=float) for column in zip(*cases, strict=True))
    distinct, fitted = scale.isotonic(e, o)
    expected = slow.isotonic(e.tolist(), o.tolist())
    assert distinct.tolist() == expected[0]
    np.testing.assert_allclose(fitted, expected[1], rtol=1e-12)
    peer = IsotonicRegression(out_of_bounds="clip").fit(e, o)
    between = np.linspace(-4, 4, 33)
    np.testing.assert_allclose(np.interp(between, distinct, fitted), peer.predict(between), rtol=1e-9)


def test_calibration_never_sees_its_own_cases():
    y, _, marker = sample()
    fold = np.arange(y.size) % 4
    found = rs.ordinal_roc(y, marker, scale="calibrated", fold=fold)
    mapped = np.empty(y.size)
    for name in range(4):
        model = IsotonicRegression(out_of_bounds="clip").fit(marker[fold != name], y[fold != name])
        mapped[fold == name] = model.predict(marker[fold == name])
    expected = rs.ordinal_roc(y, mapped, fold=fold)
    np.testing.assert_allclose(found.max_auc, expected.max_auc, rtol=1e-12)
    np.testing.assert_allclose(found.avg_auc, expected.avg_auc, rtol=1e-12)


def test_ranks_do_not_depend_on_the_scale_nor_change_the_order():
    y, e, marker = sample()
    one, two = (rs.ordinal_roc(y, estimates, scale="rank") for estimates in (e, marker))
    raw = rs.ordinal_roc(y, e)
    assert (one.max_auc.tolist(), one.kappa) == (two.max_auc.tolist(), two.kappa)
    assert (one.vus, one.adjacent_auc) == (raw.vus, raw.adjacent_auc)
    assert (one.scale, raw.scale) == ("rank", "raw")
    assert ", rank scale)" in str(one)
    # Thresholds decide estimates as they came, with the errors that were counted.
    for result, estimates in ((one, e), (two, marker)):
        decided = result.thresholds.decide(estimates)
        assert (decided != y).mean() == pytest.approx(result.thresholds.error, abs=1e-15)
    assert raw.thresholds.cutoffs.tolist() == raw.thresholds.values.tolist()


def test_without_information_there_is_none_after_the_map():
    """Isotonic regression of the same cases would find some: AvgAUC 0.514 on average."""
    found = {"rank": [], "calibrated": []}
    for seed in range(30):
        y, _, _ = sample(30)
        noise = np.random.default_rng(seed).normal(size=y.size)
        for name, areas in found.items():
            areas.append(rs.ordinal_roc(y, noise, scale=name, rng=seed).overall.avg_macro)
    for areas in found.values():
        assert np.mean(areas) == pytest.approx(0.5, abs=0.006)


def test_seeds_repeat_the_folds_of_the_calibration():
    y, _, marker = sample()
    one, two, other = (
        rs.ordinal_roc(y, marker, scale="calibrated", n_boot=100, rng=rng).to_dict() for rng in (1, 1, 2)
    )
    assert one == two
    assert one["max_auc"] != other["max_auc"]
    scores = {"a": marker, "b": -marker}
    one, two = (rs.compare_ordinal(y, scores, scale="calibrated", n_boot=100, rng=3) for _ in range(2))
    assert one == two
    assert one.scale == "calibrated"


def test_compared_on_the_scale():
    y, e, marker = sample()
    result = rs.compare_ordinal(y, {"a": e, "marker": marker}, scale="rank", n_boot=100, rng=1)
    assert {row.difference for row in result.differences} == {0.0}
    assert result.values[0].tolist() == [
        one.value for one in rs.ordinal_roc(y, e, scale="rank").estimates.values()
    ]


def test_warnings_name_the_option_and_go_with_it():
    y, _, marker = sample()
    (warning,) = rs.ordinal_roc(y, marker).warnings
    assert warning.endswith('; scale="rank" or scale="calibrated" puts them on the scale of the classes')
    for name in ("rank", "calibrated"):
        assert rs.ordinal_roc(y, marker, scale=name, rng=1).warnings == ()


@pytest.mark.parametrize(
    ("y", "name", "message"),
    [
        (
            [1, 2],
            "calibrated",
            "scale must be 'raw' or 'rank' where no class has two cases, got 'calibrated'",
        ),
        ([1, 2], "ranks", "scale must be one of 'raw', 'rank', 'calibrated', got 'ranks'; did you mean"),
        ([1, 1], "rank", "y_true must hold two or more classes, got only 1"),
    ],
)
def test_refuses(y, name, message):
    with pytest.raises(rs.RocInputError) as error:
        rs.ordinal_roc(y, [1.0, 2.0], scale=name)
    assert str(error.value).startswith(message)
