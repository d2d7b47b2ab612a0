"""Areas of subgroups: the definition in fractions, unpaired DeLong, small groups, and bad input."""

import math

import numpy as np
import pandas as pd
import pytest
from scipy import stats

import rocscope as rs
from rocscope.core.result import Result
from rocscope.inference.proportions import wilson_interval
from slow import score_tests
from slow import subgroups as slow
from slow.pairs import area

RNG = np.random.default_rng(3)
N = 90
Y = np.arange(N) % 2
S = np.round(Y + RNG.normal(size=N), 1)
SITE = np.array(["North", "South", "West"])[np.arange(N) // 30]
SEX = np.where(RNG.random(N) < 0.5, "f", "m")


def test_agrees_with_the_definition():
    result = rs.auc_by(Y, S, by={"site": SITE})
    groups = slow.groups_of(Y, S.tolist(), SITE)
    for row in result.groups:
        pos, neg = groups[row.group]
        rest = slow.rest_of(groups, row.group)
        assert (row.n, row.n_pos, row.n_neg) == (len(pos) + len(neg), len(pos), len(neg))
        assert row.auc == pytest.approx(float(area(pos, neg)), abs=1e-15)
        assert row.se_auc**2 == pytest.approx(float(slow.variance(pos, neg)), rel=1e-12)
        assert row.difference == pytest.approx(float(area(pos, neg) - area(*rest)), abs=1e-14)
        spread = slow.variance(pos, neg) + slow.variance(*rest)
        assert row.se_difference**2 == pytest.approx(float(spread), rel=1e-12)
        own = rs.auc(Y[row.group == SITE], S[row.group == SITE])
        assert (row.auc, row.auc_low, row.auc_high) == (own.value, own.low, own.high)
    (test,) = result.tests
    common, statistic = score_tests.heterogeneity(
        [score_tests.sample([1] * len(pos) + [0] * len(neg), pos + neg) for pos, neg in groups.values()]
    )
    assert test.method == "score"
    assert (test.by, test.n_groups, test.df, test.reason) == ("site", 3, 2, None)
    assert test.auc == pytest.approx(common, rel=1e-12)
    assert test.statistic == pytest.approx(statistic, rel=1e-12)
    assert test.p_value == pytest.approx(stats.chi2.sf(statistic, 2), rel=1e-10)


def test_large_groups_are_tested_by_their_own_variances():
    y, s, site = (np.concatenate([values] * 9) for values in (Y, S, SITE))
    (test,) = rs.auc_by(y, s, by=site).tests
    common, statistic = slow.heterogeneity(slow.groups_of(y, s.tolist(), site))
    assert test.method == "delong"
    assert test.auc == pytest.approx(float(common), rel=1e-12)
    assert test.statistic == pytest.approx(float(statistic), rel=1e-12)


def test_differences_are_those_of_the_unpaired_test():
    result = rs.auc_by(Y, S, by=SITE)
    for row in result.groups:
        inside = row.group == SITE
        pair = rs.compare_auc(
            {"group": Y[inside], "rest": Y[~inside]},
            {"group": S[inside], "rest": S[~inside]},
            paired=False,
        ).pairs[0]
        found = (row.difference, row.difference_low, row.difference_high, row.p_value)
        assert found == (pair.difference, pair.low, pair.high, pair.p_value)
    p = np.array([row.p_value for row in result.groups])
    order = np.argsort(p)
    steps = np.minimum(1, np.maximum.accumulate(p[order] * [3, 2, 1]))
    assert [result.groups[k].p_adjusted for k in order] == pytest.approx(steps.tolist())


def test_two_groups_are_the_square_of_the_unpaired_statistic():
    result = rs.auc_by(Y, S, by=SEX)
    female = SEX == "f"
    compared = rs.compare_auc(
        {"f": Y[female], "m": Y[~female]}, {"f": S[female], "m": S[~female]}, paired=False
    )
    assert result.tests[0].statistic == pytest.approx(compared.statistic**2, rel=1e-12)
    first, second = result.groups
    assert first.difference == -second.difference
    assert first.p_value == second.p_value == pytest.approx(compared.p_value, rel=1e-12)
    assert first.p_adjusted == first.p_value  # the two differences are one test


def test_rates_at_a_common_threshold():
    result = rs.auc_by(Y, S, by=SITE, threshold=0.5)
    for row in result.groups:
        inside = row.group == SITE
        point = rs.point_measures(Y[inside], S[inside], threshold=0.5)
        assert row.tpr == point.sensitivity.value
        assert row.fpr == point.fp / row.n_neg
        assert (row.ppv, row.ppv_low, row.ppv_high) == (point.ppv.value, point.ppv.low, point.ppv.high)
        assert (row.tpr_low, row.tpr_high) == wilson_interval(point.tp, row.n_pos)
        assert (row.fpr_low, row.fpr_high) == wilson_interval(point.fp, row.n_neg)
    chosen = rs.roc_curve(Y, S).select(rule="youden")
    assert rs.auc_by(Y, S, by=SITE, threshold=chosen).threshold == chosen.threshold
    assert all(row.tpr is None for row in rs.auc_by(Y, S, by=SITE).groups)


def test_lower_scores_for_the_positive_class():
    higher = rs.auc_by(Y, S, by=SITE, threshold=0.5)
    lower = rs.auc_by(Y, -S, by=SITE, threshold=-0.5, direction="lower")
    assert lower.groups == higher.groups
    assert lower.sign == "<="


def test_several_columns_are_blocks_with_tests_of_their_own():
    result = rs.auc_by(Y, S, by={"site": SITE, "sex": SEX})
    assert [test.by for test in result.tests] == ["site", "sex"]
    assert result.of("site") == rs.auc_by(Y, S, by={"site": SITE}).groups
    alone = rs.auc_by(Y, S, by={"sex": SEX})
    assert result.of("sex") == alone.groups
    p = sorted(test.p_value for test in result.tests)
    assert sorted(test.p_adjusted for test in result.tests) == pytest.approx(
        sorted([min(1, 2 * p[0]), min(1, max(2 * p[0], p[1]))])
    )


# ---- Groups that are too small stay, with a reason --------------------------------------------------------


@pytest.fixture(scope="module")
def small():
    """Two groups as they should be; one without positives, one with one, one separated, one all tied."""
    y = [*Y[:60], 0, 0, 0, 1, 0, 0, 0, 0, 1, 1, 0, 0, 1, 1]
    s = [*S[:60], 1, 2, 3, 2, 1, 3, 1, 2, 3, 4, 1, 1, 1, 1]
    group = [*SITE[:60], *"aaa", *"bbb", *"cccc", *"dddd"]
    return rs.auc_by(y, s, by=group, threshold=2)


def test_small_groups_are_marked(small):
    rows = {row.group: row for row in small.groups}
    assert list(rows) == ["North", "South", "a", "b", "c", "d"]
    marked = {name: (row.status, row.reason) for name, row in rows.items() if row.status != "ok"}
    assert marked == {
        "a": ("undefined", "the group has no case of class 1"),
        "b": ("partial", "no variance: the group has one case of class 1"),
        "c": ("partial", "no variance: its classes are separated, so that its area is 1"),
        "d": ("partial", "no variance: its scores are all equal, so that its area is 0.5"),
    }
    assert rows["a"].auc is None
    assert rows["a"].fpr == 2 / 3  # what can be counted is
    assert rows["a"].tpr is None
    assert (rows["b"].auc, rows["b"].auc_method) == (0.5, "score")  # which needs no variance
    assert rows["d"].auc_method is None
    assert (rows["c"].auc, rows["c"].auc_high) == (1.0, 1.0)
    assert rows["c"].auc_low == rs.auc([0, 0, 1, 1], [1, 2, 3, 4], method="score").low
    assert rows["c"].difference > 0
    assert rows["c"].p_value is None


def test_small_groups_are_left_out_of_the_test(small):
    (test,) = small.tests
    assert test.n_groups == 2
    assert test.reason == (
        "left out of the test of homogeneity: a, b, c and d, which have no variance of the area"
    )
    assert small.warnings == (f"by by: {test.reason}",)
    two = rs.auc_by(Y[:60], S[:60], by=SITE[:60]).tests[0]
    assert (test.statistic, test.p_value) == (two.statistic, two.p_value)


def test_many_groups_left_out_are_named_in_part():
    y, s = [*Y, *([1] * 8)], [*S, *([3] * 8)]
    (test,) = rs.auc_by(y, s, by=[*SITE, *"abcdefgh"]).tests
    assert test.reason == (
        "left out of the test of homogeneity: a, b, c, d, e and 3 more, which have no variance of the area"
    )


def test_one_group_with_an_area_has_no_test():
    result = rs.auc_by([*Y, 1, 1], [*S, 2, 3], by=[*["a"] * N, "b", "b"])
    (test,) = result.tests
    assert (test.p_value, test.reason) == (None, "one group alone has an area with a variance")
    first, second = result.groups
    assert first.reason == "no difference: the rest has no case of class 0"
    assert first.status == "ok"
    assert second.reason == "the group has no case of class 0"
    assert "Equal areas by by: no test, one group alone has an area with a variance" in str(result)


# ---- Doors ------------------------------------------------------------------------------------------------


def test_frames_series_and_checked_scores_agree():
    frame = pd.DataFrame({"y": Y, "s": S, "site": SITE, "sex": SEX})
    expected = rs.auc_by(Y, S, by={"site": SITE, "sex": SEX})
    assert rs.auc_by(frame, label="y", score="s", by=["site", "sex"]) == expected
    assert rs.auc_by(Y, S, by=frame[["site", "sex"]]) == expected
    assert rs.auc_by(rs.BinaryScores.from_arrays(Y, S), by={"site": SITE, "sex": SEX}) == expected
    one = rs.auc_by(frame, label="y", score="s", by="site")
    assert rs.auc_by(Y, S, by=frame["site"]) == one
    assert [test.by for test in one.tests] == ["site"]
    assert rs.auc_by(Y, S, by=SITE.tolist()).tests[0].by == "by"


def test_whole_weights_repeat_cases():
    times = np.arange(N) % 3 + 1
    weighted = rs.BinaryScores.from_arrays(Y, S, sample_weight=times)
    repeated = rs.auc_by(*(np.repeat(a, times) for a in (Y, S)), by={"site": np.repeat(SITE, times)})
    assert rs.auc_by(weighted, by={"site": SITE}) == repeated


def test_numbers_and_truth_values_name_groups():
    assert [row.group for row in rs.auc_by(Y, S, by=np.arange(N) % 3).groups] == [0, 1, 2]
    assert [row.group for row in rs.auc_by(Y, S, by=(np.arange(N) % 3).astype(float)).groups] == [0, 1, 2]
    assert [row.group for row in rs.auc_by(Y, S, by=SEX == "f").groups] == [False, True]
    days = pd.Series(pd.to_datetime("2024-01-01") + pd.to_timedelta(np.arange(N) // 45, unit="D"))
    assert len(rs.auc_by(Y, S, by=days).groups) == 2


@pytest.mark.parametrize("kind", ["arrays", "checked"])
def test_missing_groups_are_refused_or_left_out(kind):
    site = SITE.astype(object)
    site[[4, 7]] = None
    data = (Y, S) if kind == "arrays" else (rs.BinaryScores.from_arrays(Y, S),)
    with pytest.raises(rs.RocInputError) as caught:
        rs.auc_by(*data, by={"site": site, "sex": SEX})
    assert str(caught.value) == "by['site'] must have a group in every row, got missing groups in rows 4, 7"
    kept = np.delete(np.arange(N), [4, 7])
    result = rs.auc_by(*data, by={"site": site, "sex": SEX}, na="drop")
    expected = rs.auc_by(Y[kept], S[kept], by={"site": SITE[kept], "sex": SEX[kept]})
    assert result.groups == expected.groups
    assert len(result.warnings) == 1
    assert result.warnings[0].startswith("2 rows with missing values left out: ")


def test_the_result_is_saved_and_told(small):
    assert Result.from_dict(small.to_dict()) == small
    infinite = rs.auc_by(Y, S, by=SITE, threshold=math.inf)
    assert infinite.to_dict()["threshold"] == "inf"
    assert Result.from_dict(infinite.to_dict()) == infinite
    assert [row.ppv for row in infinite.groups] == [None] * 3
    text = str(rs.auc_by(Y, S, by={"site": SITE}, threshold=0.5))
    assert text.splitlines()[0] == "Areas of 3 groups by site (45 of class 1, 45 of class 0)"
    assert "Where score >= 0.5:" in text
    table = small.table()
    assert table.columns[:2] == ("Column", "Group")
    assert len(table.rows) == 6


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"by": SITE[:5]}, "y_true and by must have the same length: y_true has 90, by has 5"),
        (
            {"by": {"site": SITE, "sex": SEX[:5]}},
            "y_true and by['sex'] must have the same length: y_true has 90, by['sex'] has 5",
        ),
        ({"by": ["a"] * N}, "by must hold two groups or more, got only 'a'"),
        ({"by": None}, "by must be a one-dimensional array, got None"),
        ({"by": "site"}, "by must be a one-dimensional array, got 'site'"),
        ({"by": {}}, "by must hold different names, got []"),
        ({"by": SITE, "threshold": math.nan}, "threshold must be a number other than NaN, got nan"),
        ({"by": SITE, "level": 1}, "level must lie between 0 and 1, got 1"),
        ({"by": SITE, "na": "keep"}, "na must be one of 'error', 'drop', got 'keep'"),
    ],
)
def test_bad_input(arguments, message):
    with pytest.raises(rs.RocInputError) as caught:
        rs.auc_by(Y, S, **arguments)
    assert str(caught.value) == message


def test_tables_have_no_groups():
    with pytest.raises(rs.RocInputError) as caught:
        rs.auc_by(rs.roc_curve(Y, S), by=SITE)
    assert str(caught.value) == "y_true must hold single cases, whose groups are known, got a RocCurve"


def test_columns_of_a_frame_must_be_there():
    frame = pd.DataFrame({"y": Y, "s": S, "site": SITE})
    with pytest.raises(rs.RocInputError) as caught:
        rs.auc_by(frame, label="y", score="s", by=["site", "sex"])
    assert str(caught.value) == "by must name a column of the frame ('y', 's', 'site'), got 'sex'"


def clustered_groups(seed, nested):
    rng = np.random.default_rng(seed)
    clusters = rng.integers(0, 60, 400)
    y = rng.integers(0, 2, 400)
    scores = np.round(y + rng.normal(size=400) + rng.normal(size=60)[clusters], 1)
    return y, scores, clusters, clusters % 3 if nested else rng.integers(0, 3, 400)


def test_groups_of_whole_clusters_are_independent():
    """Then the differences are those of unpaired curves, and the test is Cochran's."""
    y, scores, clusters, by = clustered_groups(1, nested=True)
    found = rs.auc_by(y, scores, by=by, groups=clusters, threshold=0.5)
    for row in found.groups:
        one = by == row.group
        assert row.auc_low == rs.auc(y[one], scores[one], groups=clusters[one]).low
        parts = {
            name: rs.BinaryScores.from_arrays(y[of], scores[of], groups=clusters[of])
            for name, of in (("group", one), ("rest", ~one))
        }
        pair = rs.compare_auc(parts, paired=False).pairs[0]
        assert row.se_difference == pytest.approx(pair.se, rel=1e-12)
        rates = rs.point_measures(y[one], scores[one], threshold=0.5, groups=clusters[one])
        for rate, measure in (("tpr", rates.sensitivity), ("ppv", rates.ppv)):
            assert row[f"{rate}_low"] == pytest.approx(measure.low, rel=1e-12)
    areas, weights = np.array([(row.auc, row.se_auc**-2) for row in found.groups]).T
    common = weights @ areas / weights.sum()
    assert found.tests[0].statistic == pytest.approx(weights @ (areas - common) ** 2, rel=1e-10)
    assert found.tests[0].auc == pytest.approx(common, rel=1e-12)


def test_groups_that_share_clusters_depend_on_each_other():
    """The jackknife of whole clusters has the standard error of the difference, by no formula for it."""
    y, scores, clusters, by = clustered_groups(2, nested=False)

    def difference(kept):
        areas = [rs.auc(y[of], scores[of]).value for of in (kept & (by == 0), kept & (by != 0))]
        return areas[0] - areas[1]

    left = np.array([difference(clusters != k) for k in range(60)])
    jackknife = np.sqrt(59 / 60 * np.sum((left - left.mean()) ** 2))
    row = rs.auc_by(y, scores, by=by, groups=clusters).groups[0]
    assert row.se_difference == pytest.approx(jackknife, rel=0.05)
    assert row.difference == pytest.approx(difference(np.ones(400, bool)))


def test_weights_of_groups():
    y, scores, clusters, by = clustered_groups(3, nested=False)
    times = np.random.default_rng(1).integers(0, 3, 400)
    rows = [np.repeat(values, times) for values in (y, scores, clusters, by)]
    frequency = {"sample_weight": times, "weight_kind": "frequency"}
    for more, same in (({}, {}), ({"groups": clusters}, {"groups": rows[2]})):
        found = rs.auc_by(y, scores, by=by, threshold=0.5, **frequency, **more)
        assert found == rs.auc_by(rows[0], rows[1], by=rows[3], threshold=0.5, **same)
    one = by == 1
    survey = rs.auc_by(y, scores, by=by, sample_weight=times).groups[1]
    assert survey.auc_low == rs.auc(y[one], scores[one], sample_weight=times[one]).low


def test_eyes_of_the_same_people_are_two_curves_of_them():
    """Groups whose clusters have one case in each: the difference is that of paired curves, to the digit."""
    rng = np.random.default_rng(5)
    ill, shared = np.arange(30) % 2, rng.normal(size=(30, 1))
    scores = shared + rng.normal(size=(30, 2)) / 2 + ill[:, None]
    found = rs.auc_by(
        np.repeat(ill, 2), scores.ravel(), by=["left", "right"] * 30, groups=np.repeat(np.arange(30), 2)
    ).groups[0]
    pair = rs.compare_auc(ill, {"left": scores[:, 0], "right": scores[:, 1]}).pairs[0]
    assert found.difference == pytest.approx(pair.difference, rel=1e-12)
    assert found.se_difference == pytest.approx(pair.se, rel=1e-12)
    left = rs.auc(ill, scores[:, 0])
    assert (found.auc, found.se_auc, found.auc_low, found.auc_high) == (
        left.value,
        left.se,
        left.low,
        left.high,
    )


def test_groups_whose_clusters_do_not_differ_say_so():
    y, groups = np.tile([0, 1], 12), np.repeat(np.arange(12), 2)
    row = rs.auc_by(y, groups + y / 2, by=["a"] * 12 + ["b"] * 12, groups=groups).groups[0]
    assert row.reason == f"no variance: no case moves it, so that its area is {row.auc:g}"
