import dataclasses
import json
import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from scipy import stats

from rocscope import BinaryScores, RocInputError, auc, compare_auc
from slow import pairs, samples

ALTERNATIVES = ("two-sided", "less", "greater")
NO_VARIANCE = "the areas differ but their difference has no variance"
FEW = "the variance needs two cases in each class"
SHIFTED = [1, 1, 0, 0, 0], {"a": [2, 2, 2, 2, 1], "b": [1, 1, 2, 2, 1]}  # placements differ by 1/2 everywhere


def simulated(size=80, shifts=(1.0, 0.6, 0.2), seed=11, decimals=1):
    rng = np.random.default_rng(seed)
    y = rng.permutation(np.repeat([0, 1], [size // 2, size - size // 2]))
    common = rng.normal(size=size)
    noise = {name: rng.normal(size=size) for name in "abcd"[: len(shifts)]}
    return y, {
        name: np.round(common + noise[name] + shift * y, decimals)
        for name, shift in zip(noise, shifts, strict=True)
    }


def close(result, expected, **tolerance):
    assert result == pytest.approx(expected, **({"rel": 1e-11, "abs": 1e-13} | tolerance))


# ---- Two curves -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("alternative", ALTERNATIVES)
@given(data=samples.labelled(columns=2, min_each=2, max_size=16))
def test_paired_difference_by_hand(path, alternative, data):
    y, (a, b) = data
    result = compare_auc(y, {"a": a, "b": b}, method="delong", alternative=alternative)
    difference = pairs.area(*pairs.split(y, a)) - pairs.area(*pairs.split(y, b))
    variance = pairs.difference_variance(y, a, b)
    row = result.pairs[0]
    assert (row.first, row.second, result.kind, result.paired) == ("a", "b", "z", True)
    assert row.difference == pytest.approx(float(difference), abs=1e-15)
    if variance == 0 and difference != 0:
        assert (row.se, row.p_value, row.reason, result.status) == (0.0, None, NO_VARIANCE, "undefined")
        return
    if variance == 0:
        assert (row.statistic, row.p_value, row.low, row.high) == (0.0, 1.0, *_ends_at_zero(alternative))
        return
    statistic = float(difference) / math.sqrt(variance)
    close(row.statistic, statistic, rel=1e-12, abs=1e-15)
    close(row.p_value, _normal_p(statistic, alternative))
    assert (result.statistic, result.p_value, result.df) == (row.statistic, row.p_value, None)
    assert row.p_adjusted == row.p_value
    assert result.status == "ok"


def _normal_p(statistic, alternative):
    less = 0.5 * math.erfc(-statistic / math.sqrt(2))
    greater = 0.5 * math.erfc(statistic / math.sqrt(2))
    return {"less": less, "greater": greater, "two-sided": 2 * min(less, greater)}[alternative]


def _ends_at_zero(alternative):
    return {"two-sided": (0.0, 0.0), "less": (-1.0, 0.0), "greater": (0.0, 1.0)}[alternative]


@given(data=samples.labelled(columns=2, min_each=2, max_size=16))
def test_exchanging_the_curves_turns_the_sign(data):
    y, (a, b) = data
    one, other = compare_auc(y, {"a": a, "b": b}), compare_auc(y, {"b": b, "a": a})
    assert other.pairs[0].difference == -one.pairs[0].difference
    assert other.p_value == one.p_value
    if one.statistic is not None:
        assert other.statistic == -one.statistic
        turned = (-one.pairs[0].high, -one.pairs[0].low)
        assert (other.pairs[0].low, other.pairs[0].high) == pytest.approx(turned, rel=1e-9, abs=1e-9)
    sides = [
        compare_auc(y, {"a": a, "b": b}, alternative="less").p_value,
        compare_auc(y, {"b": b, "a": a}, alternative="greater").p_value,
    ]
    assert sides[0] == sides[1]


@pytest.mark.parametrize("alternative", ALTERNATIVES)
def test_intervals_of_the_difference(alternative):
    y, scores = simulated(shifts=(1.0, 0.4))
    row = compare_auc(y, scores, method="delong", level=0.9, alternative=alternative).pairs[0]
    z = stats.norm.ppf(0.95 if alternative == "two-sided" else 0.9)
    low, high = row.difference - z * row.se, row.difference + z * row.se
    close(row.low, -1.0 if alternative == "less" else low)
    close(row.high, 1.0 if alternative == "greater" else high)


@pytest.mark.parametrize("alternative", ALTERNATIVES)
def test_unpaired_difference_by_hand(path, alternative):
    y1, first = simulated(50, (1.0,), seed=1)
    y2, second = simulated(70, (0.5,), seed=2)
    a, b = first["a"], second["a"]
    how = {"paired": False, "method": "delong", "alternative": alternative}
    result = compare_auc({"a": y1, "b": y2}, {"a": a, "b": b}, **how)
    v1, v2 = float(pairs.delong_variance(y1, a)), float(pairs.delong_variance(y2, b))
    difference = float(pairs.area(*pairs.split(y1, a)) - pairs.area(*pairs.split(y2, b)))
    df = (v1 + v2) ** 2 / (v1**2 / 49 + v2**2 / 69)
    statistic = difference / math.sqrt(v1 + v2)
    row = result.pairs[0]
    close(row.df, df)
    close(row.statistic, statistic)
    p = {"less": stats.t.cdf(statistic, df), "greater": stats.t.sf(statistic, df)}
    close(row.p_value, p.get(alternative, 2 * stats.t.sf(abs(statistic), df)))
    reach = stats.t.ppf(0.975 if alternative == "two-sided" else 0.95, df) * math.sqrt(v1 + v2)
    close(row.low, -1.0 if alternative == "less" else difference - reach)
    assert (result.kind, result.paired, result.df) == ("z", False, row.df)


def test_unpaired_curves_may_come_in_any_order():
    y1, first = simulated(40, (1.0,), seed=1)
    y2, second = simulated(60, (0.5,), seed=2)
    scores = {"a": first["a"], "b": second["a"]}
    one = compare_auc({"a": y1, "b": y2}, scores, paired=False)
    assert compare_auc({"b": y2, "a": y1}, scores, paired=False).to_dict() == one.to_dict()


def test_the_difference_is_rounded_once():
    """Two classifiers that differ in one pair of neighbours: rounded areas would leave half of the digits."""
    y, scores = nearly_alike(3000)
    data = BinaryScores.from_arrays(y, scores)
    first, second = (int(data.doubled_placements(k)[0].sum()) for k in range(2))
    result = compare_auc(y, {name: scores[name] for name in "ab"})
    assert result.pairs[0].difference == (first - second) / (2 * 3000 * 3000)


def nearly_alike(n):
    """Curves a and b on n + n cases that differ by one exchange of neighbours, and a different curve c."""
    rng = np.random.default_rng(3)
    y = np.repeat([1, 0], n)
    a = np.argsort(np.argsort(rng.permutation(2 * n) + 0.5 * n * y)).astype(float)
    order = np.argsort(a)
    k = next(i for i in range(n, 2 * n - 1) if y[order[i]] != y[order[i + 1]])
    b = a.copy()
    b[order[[k, k + 1]]] = a[order[[k + 1, k]]]
    return y, {"a": a, "b": b, "c": rng.permutation(2 * n) + 0.3 * n * y}


# ---- Curves without a variance between them ---------------------------------------------------------------


@pytest.mark.parametrize("alternative", ALTERNATIVES)
@pytest.mark.parametrize("other", [lambda s: s, lambda s: 3 * s + 1, np.exp])
def test_identical_classifiers(path, alternative, other):
    y, scores = simulated(shifts=(0.8,))
    result = compare_auc(y, {"a": scores["a"], "b": other(scores["a"])}, alternative=alternative)
    row = result.pairs[0]
    assert (row.difference, row.se, row.statistic, row.p_value) == (0.0, 0.0, 0.0, 1.0)
    assert (result.status, result.reason) == ("ok", None)
    assert result.warnings == ("the variance of the difference is 0, so its interval says nothing: a - b",)


def test_two_constant_classifiers(path):
    result = compare_auc([0, 0, 1, 1], {"a": [1, 1, 1, 1], "b": [7, 7, 7, 7]})
    assert (result.auc.tolist(), result.statistic, result.p_value) == ([0.5, 0.5], 0.0, 1.0)


def test_two_perfect_classifiers(path):
    result = compare_auc([0, 0, 1, 1], {"a": [1, 2, 3, 4], "b": [2, 1, 4, 3]}, method="delong")
    assert (result.auc.tolist(), result.statistic, result.p_value) == ([1.0, 1.0], 0.0, 1.0)


def test_a_difference_without_variance_is_undefined(path):
    for y, scores in (SHIFTED, ([0, 0, 1, 1], {"a": [1, 2, 3, 4], "b": [1, 1, 1, 1]})):
        result = compare_auc(y, scores, method="delong")
        row = result.pairs[0]
        assert row.difference != 0
        assert (row.se, row.low, row.high, row.statistic, row.p_value) == (0.0, None, None, None, None)
        assert (row.reason, result.reason, result.status) == (NO_VARIANCE, NO_VARIANCE, "undefined")
        assert (result.statistic, result.p_value) == (None, None)
        assert f"(no test: {NO_VARIANCE})" in str(result)
        json.dumps(result.to_dict(), allow_nan=False)


def test_one_case_in_a_class(path):
    y, scores = [1, 0, 0, 0], {"a": [3, 1, 2, 4], "b": [1, 2, 3, 4], "c": [4, 3, 2, 1]}
    for names in ("ab", "abc"):
        result = compare_auc(y, {name: scores[name] for name in names})
        assert (result.status, result.reason, result.p_value) == ("undefined", FEW, None)
        assert all(row.reason == FEW and row.se is None for row in result.pairs)
        assert result.auc[0] == pytest.approx(2 / 3)
        assert json.loads(result.to_json())["cov"][0][0] is None
        assert not result.defined.any()


@pytest.mark.parametrize("method", ["delong", "bootstrap", "hanley-mcneil", "permutation", "venkatraman"])
def test_every_undefined_covariance_is_marked(method):
    y, scores = [1, 0, 0, 0], {"a": [3, 1, 2, 4], "b": [1, 2, 3, 4]}
    result = compare_auc(y, scores, method=method, rng=1)
    assert np.isnan(result.cov).any()
    assert np.array_equal(result.defined, ~np.isnan(result.cov))
    assert compare_auc([1, *y], {"a": [2, *scores["a"]], "b": [5, *scores["b"]]}).defined.all()


def test_one_case_in_a_class_of_one_unpaired_curve():
    y = {"a": [1, 0, 0], "b": [1, 1, 0, 0]}
    result = compare_auc(y, {"a": [2, 1, 3], "b": [1, 4, 2, 3]}, paired=False)
    assert result.defined.tolist() == [[False, True], [True, True]]


def test_unpaired_constant_classifiers(path):
    y = [0, 0, 1, 1]
    result = compare_auc({"a": y, "b": y}, {"a": [1, 1, 1, 1], "b": [2, 2, 2, 2]}, paired=False)
    assert (result.pairs[0].df, result.statistic, result.p_value) == (None, 0.0, 1.0)


# ---- More curves, contrasts -------------------------------------------------------------------------------


def exact_chi_square(y, scores, contrasts):
    columns = list(scores.values())
    areas = [pairs.area(*pairs.split(y, s)) for s in columns]
    covariances = [[pairs.delong_covariance(y, a, b) for b in columns] for a in columns]
    return float(pairs.chi_square(areas, covariances, contrasts))


@pytest.mark.parametrize("k", [3, 4])
def test_joint_test_by_hand(path, k):
    y, scores = simulated(60, (1.0, 0.7, 0.4, 0.1)[:k])
    result = compare_auc(y, scores)
    successive = [[(i == j) - (i + 1 == j) for j in range(k)] for i in range(k - 1)]
    expected = exact_chi_square(y, scores, successive)
    close(result.statistic, expected, rel=1e-10)
    assert (result.kind, result.df) == ("chi2", k - 1)
    close(result.p_value, stats.chi2.sf(expected, k - 1), rel=1e-9)
    assert [(row.first, row.second) for row in result.pairs] == pairs.all_pairs(result.names)


def test_joint_test_does_not_depend_on_the_order():
    y, scores = simulated()
    one = compare_auc(y, scores)
    other = compare_auc(y, {name: scores[name] for name in "cab"})
    close(other.statistic, one.statistic, rel=1e-10)


def test_two_curves_as_a_contrast():
    y, scores = simulated(shifts=(1.0, 0.4))
    z, chi = compare_auc(y, scores), compare_auc(y, scores, contrasts=[1, -1])
    assert (chi.kind, chi.df) == ("chi2", 1)
    close(chi.statistic, z.statistic**2, rel=1e-10)
    close(chi.p_value, z.p_value, rel=1e-9)


@pytest.mark.parametrize(
    "contrasts",
    [[[1, -1, 0]], [[2, -1, -1]], [[1, -1, 0], [0, 1, -1]], [[1, 0, -1], [1, -2, 1]], [[0.5, 0.5, -1]]],
)
def test_contrasts_by_hand(contrasts):
    y, scores = simulated()
    result = compare_auc(y, scores, contrasts=contrasts)
    exact = [[Fraction(x) for x in row] for row in contrasts]
    close(result.statistic, exact_chi_square(y, scores, exact), rel=1e-10)
    assert result.df == len(contrasts)


def test_redundant_contrasts_do_not_count():
    y, scores = simulated()
    once = compare_auc(y, scores)
    twice = compare_auc(y, scores, contrasts=[[1, -1, 0], [0, 1, -1], [1, 0, -1]])
    assert twice.df == 2
    close(twice.statistic, once.statistic, rel=1e-8)


@pytest.mark.parametrize("factor", [1e-6, 1e-3, 1e3, 1e6])
def test_the_scale_of_a_contrast_does_not_matter(factor):
    y, scores = simulated()
    plain = compare_auc(y, scores, contrasts=[[1, -1, 0], [0, 1, -1]])
    scaled = compare_auc(y, scores, contrasts=[[factor, -factor, 0], [0, 1, -1]])
    assert scaled.df == plain.df == 2
    close(scaled.statistic, plain.statistic, rel=1e-8)


@pytest.mark.parametrize("factor", [1e-6, 1, 1e6])
def test_a_contrast_without_variance_is_undefined_at_any_scale(factor):
    y, scores = SHIFTED
    result = compare_auc(y, scores, contrasts=[[factor, -factor]])
    assert (result.p_value, result.reason) == (None, NO_VARIANCE)


def test_a_small_difference_without_variance_is_undefined_too():
    """Each positive ties with one negative of its own in one curve, and beats it in the other."""
    n = 60_000
    ranks = 2.0 * np.arange(n)
    y, scores = np.repeat([1, 0], n), {"a": np.tile(ranks, 2), "b": np.concatenate([ranks + 1, ranks])}
    result = compare_auc(y, scores, contrasts=[[1, -1]])
    assert result.pairs[0].reason == NO_VARIANCE
    assert (result.p_value, result.reason) == (None, NO_VARIANCE)


def test_identical_curves_among_others(path):
    y, scores = simulated(shifts=(1.0, 0.4))
    result = compare_auc(y, {"a": scores["a"], "again": scores["a"], "b": scores["b"]})
    two = compare_auc(y, scores)
    assert result.df == 1
    close(result.statistic, two.statistic**2, rel=1e-9)
    assert result.warnings == (
        "the variance of the difference is 0, so its interval says nothing: a - again",
    )


def test_only_identical_curves(path):
    y, scores = simulated(shifts=(1.0,))
    result = compare_auc(y, dict.fromkeys("abc", scores["a"]))
    assert (result.statistic, result.df, result.p_value, result.status) == (0.0, 0, 1.0, "ok")


@pytest.mark.parametrize("n", [300, 10_000])
def test_curves_that_are_nearly_alike_count_as_different(n):
    """One exchange of neighbours: a small variance, but not none, so the two curves count as two."""
    y, scores = nearly_alike(n)
    data = BinaryScores.from_arrays(y, scores)
    result = compare_auc(y, scores)
    assert result.df == 2
    close(result.statistic, _chi_square_of_placements(data), rel=1e-8)


def _chi_square_of_placements(data):
    """The twin in whole sums over the doubled placements, for data with too many pairs to look at."""
    m, n = data.n_pos, data.n_neg
    parts = [data.doubled_placements(k) for k in range(3)]

    def covariance(i, j):
        total = Fraction(0)
        for k, (size, other) in enumerate(((m, n), (n, m))):
            a, b = parts[i][k].tolist(), parts[j][k].tolist()
            products = sum(x * z for x, z in zip(a, b, strict=True))
            total += Fraction(size * products - sum(a) * sum(b), 4 * other**2 * size**2 * (size - 1))
        return total

    areas = [Fraction(int(pos.sum()), 2 * m * n) for pos, _ in parts]
    covariances = [[covariance(i, j) for j in range(3)] for i in range(3)]
    return float(pairs.chi_square(areas, covariances, [[1, -1, 0], [0, 1, -1]]))


def test_unpaired_joint_test_by_hand():
    data = {name: simulated(40 + 10 * k, (1.0 - 0.3 * k,), seed=k) for k, name in enumerate("abc")}
    y, scores = {n: d[0] for n, d in data.items()}, {n: d[1]["a"] for n, d in data.items()}
    result = compare_auc(y, scores, paired=False, method="delong")
    areas = [pairs.area(*pairs.split(y[n], scores[n])) for n in "abc"]
    variances = [pairs.delong_variance(y[n], scores[n]) for n in "abc"]
    diagonal = [[v if i == j else 0 for j in range(3)] for i, v in enumerate(variances)]
    close(result.statistic, float(pairs.chi_square(areas, diagonal, [[1, -1, 0], [0, 1, -1]])), rel=1e-10)
    assert (result.kind, result.df, result.paired) == ("chi2", 2, False)


def test_pairs_are_adjusted_by_holm():
    y, scores = simulated(shifts=(1.2, 0.8, 0.4, 0.0))
    rows = compare_auc(y, scores).pairs
    assert [row.p_adjusted for row in rows] == pairs.holm([row.p_value for row in rows])


def test_undefined_pairs_do_not_count_as_tests():
    y, scores = SHIFTED
    result = compare_auc(y, {**scores, "c": [3, 1, 2, 1, 2]}, method="delong")
    defined = [row for row in result.pairs if row.p_value is not None]
    assert [row.p_adjusted for row in result.pairs if row.p_value is None] == [None]
    assert [row.p_adjusted for row in defined] == pairs.holm([row.p_value for row in defined])


# ---- Arguments and the result -----------------------------------------------------------------------------

Y = [0, 1, 0, 1]
AB = {"a": [1, 2, 3, 4], "b": [4, 3, 2, 1]}
ERRORS = [
    ((Y, [1, 2, 3, 4]), {}, "scores must map two or more curve names to scores, got [1, 2, 3, 4]"),
    ((Y, {"a": Y}), {}, "scores must map two or more curve names to scores, got {'a': [0, 1, 0, 1]}"),
    (
        ({"a": Y, "b": Y}, AB),
        {},
        "y_true must be one array for paired curves; for a mapping give paired=False",
    ),
    (
        (Y, AB),
        {"paired": False},
        "y_true must map the same names to labels for unpaired curves, ['a', 'b'], got list",
    ),
    (
        ({"a": Y, "c": Y}, AB),
        {"paired": False},
        "y_true must map the same names to labels for unpaired curves, ['a', 'b'], got ['a', 'c']",
    ),
    ((Y, AB), {"level": 2}, "level must lie between 0 and 1, got 2"),
    (
        (Y, {**AB, "c": Y}),
        {"alternative": "less"},
        "alternative must be 'two-sided' for a joint test, got 'less'",
    ),
    (
        (Y, AB),
        {"alternative": "less", "contrasts": [1, -1]},
        "alternative must be 'two-sided' for a joint test, got 'less'",
    ),
    (
        (Y, AB),
        {"contrasts": [1, 2, 3]},
        "contrasts must hold finite rows of 2 numbers, none all 0, got [1, 2, 3]",
    ),
    (
        (Y, AB),
        {"contrasts": [[1, -1], [0, 0]]},
        "contrasts must hold finite rows of 2 numbers, none all 0, got [[1, -1], [0, 0]]",
    ),
    (
        (Y, AB),
        {"contrasts": [1, math.inf]},
        "contrasts must hold finite rows of 2 numbers, none all 0, got [1, inf]",
    ),
    (
        (Y, {"a": Y, "b": [1, 2]}),
        {},
        "y_true and scores['b'] must have the same length: y_true has 4, scores['b'] has 2",
    ),
    (
        (Y, {"a": Y, "b": [1, 2, 3, math.nan]}),
        {},
        "scores['b'] must have no missing scores, got NaN in row 3",
    ),
]


@pytest.mark.parametrize(("args", "options", "message"), ERRORS)
def test_refuses(args, options, message):
    with pytest.raises(RocInputError) as error:
        compare_auc(*args, **options)
    assert str(error.value) == message


def test_refuses_methods():
    with pytest.raises(RocInputError) as error:
        compare_auc(Y, AB, method="dlong")
    assert str(error.value).startswith("method must be one of 'auto', 'delong', 'score'")
    assert str(error.value).endswith("got 'dlong'; did you mean 'delong'?")


@pytest.mark.parametrize("contrasts", ["ab", [[1, -1], [0]], [1j, 0], [None, 1], [[["1", "2"]]]])
def test_refuses_contrasts_that_are_no_numbers(contrasts):
    with pytest.raises(RocInputError) as error:
        compare_auc(Y, AB, contrasts=contrasts)
    assert str(error.value).startswith("contrasts must hold finite rows of 2 numbers")


@pytest.mark.parametrize("name", ["y_true", "fold", "sample_weight"])
def test_a_curve_may_have_the_name_of_an_argument(name):
    with pytest.raises(RocInputError):
        compare_auc(Y, {name: [1, 2, 3], "b": [1, 2, 3, 4]})


@pytest.mark.parametrize("paired", [True, False])
def test_names_that_read_the_same_are_refused(paired):
    labels = Y if paired else {1: Y, "1": Y}
    with pytest.raises(RocInputError):
        compare_auc(labels, {1: AB["a"], "1": AB["b"]}, paired=paired)


def test_text():
    y, scores = simulated()
    lines = str(compare_auc(y, scores)).splitlines()
    assert lines[0].startswith("Areas (paired, delong): a 0.")
    assert lines[1].startswith("Equal areas: chi2 = ")
    assert ", df = 2, p = " in lines[1]
    assert lines[2] == "Differences (95% interval):"
    assert [line.split(":")[0] for line in lines[3:]] == ["  a - b", "  a - c", "  b - c"]


def test_frame_has_one_row_for_each_pair():
    frame = compare_auc(*simulated()).frame()
    assert frame[["first", "second"]].to_numpy().tolist() == [["a", "b"], ["a", "c"], ["b", "c"]]
    assert {"difference", "se", "low", "high", "p_value", "p_adjusted"} <= set(frame.columns)


def test_strict_json():
    result = compare_auc(*simulated())
    read = json.loads(json.dumps(result.to_dict(), allow_nan=False))
    assert read == json.loads(result.to_json())
    assert read["names"] == ["a", "b", "c"]
    assert len(read["pairs"]) == 3
    assert read["pairs"][0]["p_value"] == result.pairs[0].p_value


def test_is_frozen():
    result = compare_auc(*simulated())
    for frozen, field in ((result, "auc"), (result.pairs[0], "p_value")):
        with pytest.raises(dataclasses.FrozenInstanceError):
            setattr(frozen, field, 1)
    assert result.pairs[0]["difference"] == result.pairs[0].difference


def test_infinite_scores_leave_one_warning():
    y = {"a": Y, "b": Y}
    scores = {"a": [1, 2, 3, math.inf], "b": [1, -math.inf, 3, 4]}
    result = compare_auc(y, scores, paired=False)
    assert result.warnings == ("infinite scores were ranked above or below all others",)


def test_an_area_below_one_half_is_noted_once_with_its_name():
    y, good, bad = [0, 0, 0, 1, 1, 1], [1, 2, 4, 3, 5, 6], [6, 5, 3, 4, 2, 1]
    below = "the area is below 0.5: the scores rank the negative class higher (see direction lower)"
    result = compare_auc(y, {"a": bad, "b": good})
    assert result.warnings == (f"a: {below}",)
    assert str(result).count(below) == 1
    assert below not in str(compare_auc(y, {"a": good, "b": good}))


# ---- The table for a paper --------------------------------------------------------------------------------


@pytest.mark.parametrize("alternative", ALTERNATIVES)
def test_areas_of_the_table_have_the_intervals_of_auc_by_name(alternative):
    y, scores = simulated(shifts=(2.4, 0.1))
    areas = {name: auc(y, score, alternative=alternative) for name, score in scores.items()}
    assert [area.method for area in areas.values()] == ["score", "delong"]
    result = compare_auc(y, scores, method="delong", alternative=alternative)
    columns, _, notes = result._paper()
    for side, area in zip(("first", "second"), areas.values(), strict=True):
        ends = columns[f"{side}_value_low"], columns[f"{side}_value_high"]
        assert (*ends[0], *ends[1]) == pytest.approx((area.low, area.high), rel=1e-9)
    assert notes == ["Intervals of AUC: score (Newcombe) (a) and DeLong (b)."]
    assert notes[0] in result.table().notes
    large = compare_auc(*simulated(size=400, shifts=(0.5, 0.1)))
    assert not any("Intervals of AUC" in note for note in large.table().notes)
    (pair,) = result.pairs  # interval and test of the difference go together
    if alternative == "two-sided":
        assert (pair.low > 0 or pair.high < 0) == (pair.p_value < 0.05)


def test_weighted_areas_of_the_table_are_logit_ones():
    y, scores = simulated(shifts=(2.4, 0.1))
    weight = np.random.default_rng(1).uniform(0.5, 2, y.size)
    columns, _, notes = compare_auc(y, scores, sample_weight=weight)._paper()
    area = auc(y, scores["a"], sample_weight=weight, method="logit")
    assert (columns["first_value_low"][0], columns["first_value_high"][0]) == pytest.approx(
        (area.low, area.high)
    )
    assert notes == ["Intervals of AUC: logit."]
