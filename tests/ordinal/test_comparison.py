"""Differences between scores of the same ordered classes: paired draws, tests, refusals."""

import dataclasses

import numpy as np
import pytest

import rocscope as rs
from rocscope.core.result import Result
from slow import ordinal as slow

N = 45


def sample(decimals=1):
    """Three classes with ties, in mixed order, and two estimates that go together."""
    rng = np.random.default_rng(3)
    y = rng.permutation(np.repeat([1, 2, 3], [12, 15, 18]))
    common = rng.normal(size=y.size)
    a, b = (y + 0.6 * common + s * rng.normal(size=y.size) for s in (0.3, 0.8))
    return y, np.round(a, decimals), np.round(b, decimals)


@pytest.mark.parametrize("how", [{}, {"fixed": "upper", "closure": "flat"}])
def test_replicates_draw_the_same_cases_for_both(how, monkeypatch):
    """Against cases that are drawn here, repeated, and compared as the formulas are printed."""
    y, a, b = sample()
    rng, n_boot, n = np.random.default_rng(2), 100, 0
    drawn = {code: np.empty((0, 0), int) for code in range(3)}

    def draw_counts(size, replicates, _):
        nonlocal n
        counts = rng.multinomial(size, np.full(size, 1 / size), replicates).astype(np.int32)
        code, n = n % 3, n + 1
        drawn[code] = np.concatenate([drawn[code].reshape(-1, size), counts])
        return counts

    monkeypatch.setattr("rocscope.core.kernels.draw_counts", draw_counts)
    result = rs.compare_ordinal(y, {"a": a, "b": b}, thresholds=3, n_boot=n_boot, rng=1, **how)
    rows = [
        np.concatenate([np.repeat(np.flatnonzero(y == code + 1), drawn[code][k]) for code in range(3)])
        for k in range(n_boot)
    ]
    columns = ([float(v) for v in column] for column in (y, a, b))
    expected = slow.paired_tests(*columns, [1, 2, 3], slow.equidistant([1, 2, 3], 3), rows, **how)
    adjusted = [p for area in (0, 3) for p in slow.holm([test[-1] for test in expected[area : area + 3]])]
    for row, (difference, se, z, p), p_adjusted in zip(
        result.differences[:6], expected, adjusted, strict=True
    ):
        assert (row.first, row.second) == ("a", "b")
        assert row.difference == pytest.approx(difference, abs=1e-15)
        assert row.se == pytest.approx(se, rel=1e-9)
        assert row.statistic == pytest.approx(z, rel=1e-9)
        assert row.p_value == pytest.approx(p, rel=1e-7)
        assert row.p_adjusted == pytest.approx(p_adjusted, rel=1e-7)
        assert (row.low, row.high) == pytest.approx((difference - 1.959964 * se, difference + 1.959964 * se))


def test_differences_are_those_of_the_figures():
    y, a, b = sample()
    c = np.roll(a, 1)
    scores = {"a": a, "b": b, "c": c}
    result = rs.compare_ordinal(y, scores, n_boot=100, rng=1)
    rocs = [rs.ordinal_roc(y, score) for score in scores.values()]
    assert result.figures == tuple(rocs[0].estimates)
    for k, roc in enumerate(rocs):
        assert result.values[k].tolist() == [one.value for one in roc.estimates.values()]
    assert result.defined.all()
    pairs = [(row.first, row.second) for row in result.differences]
    assert list(dict.fromkeys(pairs)) == [("a", "b"), ("a", "c"), ("b", "c")]
    for row in result.differences:
        k = result.figures.index(row.figure)
        i, j = result.names.index(row.first), result.names.index(row.second)
        assert row.difference == result.values[i, k] - result.values[j, k]
        assert (row.label is None) == (k >= 6)
    kinds = {"max_auc(1)", "max_auc(2)", "max_auc(3)"}  # nine tests of MaxAUC are adjusted together
    own = [row for row in result.differences if row.figure in kinds]
    assert [row.p_adjusted for row in own] == pytest.approx(slow.holm([row.p_value for row in own]))
    names = {field.name for field in dataclasses.fields(result.differences[0])}
    columns = list(result.frame().columns)
    assert (columns[:5], set(columns)) == (["first", "second", "figure", "label", "difference"], names)
    assert Result.from_dict(result.to_dict()) == result


def test_equal_scores_do_not_differ():
    y, a, _ = sample()
    result = rs.compare_ordinal(y, {"a": a, "same": a}, n_boot=100, rng=1)
    assert {(row.difference, row.se, row.statistic, row.p_value) for row in result.differences} == {
        (0.0, 0.0, 0.0, 1.0)
    }


def test_order_of_the_scores_turns_the_signs():
    y, a, b = sample()
    one, two = (
        rs.compare_ordinal(y, dict(pairs), n_boot=100, rng=1)
        for pairs in ((("a", a), ("b", b)), (("b", b), ("a", a)))
    )
    for x, z in zip(one.differences, two.differences, strict=True):
        assert (x.difference, x.low, x.p_value) == (-z.difference, -z.high, z.p_value)


def test_one_side():
    y, a, b = sample()
    scores = {"a": a, "b": b}
    both = rs.compare_ordinal(y, scores, n_boot=100, rng=1).differences
    greater = rs.compare_ordinal(y, scores, n_boot=100, rng=1, alternative="greater").differences
    for two, one in zip(both, greater, strict=True):
        share = two.p_value / 2
        assert one.p_value == pytest.approx(share if two.difference > 0 else 1 - share)
        assert one.high == (2.0 if one.figure == "kappa" else 1.0)
        assert one.low > two.low


@pytest.mark.slow
def test_same_numbers_for_any_number_of_jobs():
    y, a, b = sample()
    one, two = (rs.compare_ordinal(y, {"a": a, "b": b}, n_boot=100, rng=7, n_jobs=n) for n in (1, 2))
    assert one == two


def test_a_class_without_curves_has_no_difference():
    y, a, b = sample()
    result = rs.compare_ordinal(y, {"a": a, "b": b}, classes=[1, 2, 3, 4], n_boot=100, rng=1)
    row = next(row for row in result.differences if row.figure == "max_auc(4)")
    assert (row.difference, row.p_value, row.p_adjusted) == (None, None, None)
    assert row.reason == "a: class 4 has no member"
    assert str(row) == "a - b, MaxAUC(4): undefined, a: class 4 has no member"
    assert not result.defined[:, result.figures.index("max_auc(4)")].any()


@pytest.mark.parametrize(
    ("scores", "options", "message"),
    [
        ({"a": [1, 2, 3]}, {}, "scores must map two or more names to estimates, got"),
        ([1, 2], {}, "scores must map two or more names to estimates, got [1, 2]"),
        ({1: [1, 2, 3], "1": [1, 2, 3]}, {}, "scores must have names that differ as text, got [1, '1']"),
        ({"a": [1, 2, 3], "b": [1, 2]}, {}, "y_true and scores['b'] must"),
        (
            {"a": [1, 2, 3], "b": [1, 2, np.inf]},
            {},
            "scores['b'] must have finite estimates, got infinite values in row 2",
        ),
        (
            {"a": [1, 2, 3], "b": [1, 2, 3]},
            {"n_boot": 0},
            "n_boot must be a whole number of at least 1, got 0",
        ),
        ({"a": [1, 2, 3], "b": [1, 2, 3]}, {"alternative": "more"}, "alternative must be one of"),
    ],
)
def test_refuses(scores, options, message):
    with pytest.raises(rs.RocInputError) as error:
        rs.compare_ordinal([1, 2, 3], scores, **options)
    assert str(error.value).startswith(message)
