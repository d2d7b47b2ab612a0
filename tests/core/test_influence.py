"""Influences of cases, and variances of weighted and clustered designs."""

import math

import numpy as np
import pytest
from scipy import stats

import rocscope as rs
from reference_cases import load_reference
from rocscope.core.influence import (
    Design,
    Totals,
    area_influence,
    area_totals,
    partial_influence,
    share_influence,
)
from rocscope.core.partial_area import read_ranges
from rocscope.core.scores import BinaryScores
from slow import designs

RANGES = [{"fpr": (0, 0.3)}, {"tpr": (0.6, 1)}, {"fpr": (0.1, 0.8), "tpr": (0.2, 0.9)}]


def tied_cases(seed, n=60, n_groups=17):
    rng = np.random.default_rng(seed)
    groups = rng.integers(0, n_groups, n)
    y = np.concatenate([[0, 1, 0, 1], rng.integers(0, 2, n - 4)])
    scores = np.round(y + rng.normal(size=n) + rng.normal(size=n_groups)[groups], 1)
    return y, scores, groups


@pytest.mark.parametrize("seed", range(8))
def test_clusters_agree_with_the_printed_formula(seed):
    y, scores, groups = tied_cases(seed)
    data = BinaryScores.from_arrays(y, scores, groups=groups)
    area, influence = area_influence(data)
    expected = designs.obuchowski_variance(y.tolist(), scores.tolist(), groups.tolist())
    assert Design.of(data).variance(influence) == pytest.approx(expected, rel=1e-12)
    assert rs.auc(y, scores, groups=groups).se == pytest.approx(expected**0.5, rel=1e-12)
    assert area == rs.auc(y, scores).value


def test_another_program_has_the_same_variances():
    """The function of the Cleveland Clinic for Obuchowski's method; its intervals are normal."""
    case = load_reference("clusters")
    y, cluster, one, two = case["y"], case["cluster"], case["one"], case["two"]
    area = rs.auc(y, case["a"], groups=cluster, method="delong")
    assert (area.value, area.se) == pytest.approx((one["auc"], one["auc.se"]), rel=case["tolerance"])
    assert area.low < one["ci.bot"] < one["ci.top"] < area.high
    pair = rs.compare_auc(y, {"a": case["a"], "b": case["b"]}, groups=cluster)
    assert pair.auc == pytest.approx([two["auc.A"], two["auc.B"]], rel=case["tolerance"])
    assert np.diag(pair.cov) == pytest.approx([two["auc.var.A"], two["auc.var.B"]], rel=case["tolerance"])
    assert pair.pairs[0].se == pytest.approx(two["auc.se.AminusB"], rel=case["tolerance"])


@pytest.mark.parametrize("seed", range(4))
def test_an_influence_is_the_derivative_by_the_weight(seed):
    y, scores, _ = tied_cases(seed, n=25)
    rng = np.random.default_rng(seed)
    weight = rng.uniform(0.2, 3, y.size)
    data = BinaryScores.from_arrays(y, scores, sample_weight=weight, weight_kind="survey")
    area, influence = area_influence(data)
    assert area == pytest.approx(designs.weighted_area(y, scores, weight), rel=1e-13)
    for i in range(y.size):
        moved = []
        for step in (-1e-5, 1e-5):
            more = weight.copy()
            more[i] *= 1 + step
            moved.append(designs.weighted_area(y, scores, more))
        assert influence[i] == pytest.approx((moved[1] - moved[0]) / 2e-5, abs=1e-8)
    for of_class in (y == 0, y == 1):
        assert influence[of_class].sum() == pytest.approx(0, abs=1e-15)


@pytest.mark.parametrize("ranges", RANGES)
def test_partial_influences_give_the_variance_of_the_placements(ranges):
    y, scores, groups = tied_cases(3, n=200)
    plain = rs.partial_auc(y, scores, method="delong", **ranges)
    data = BinaryScores.from_arrays(y, scores)
    influence = partial_influence(data, read_ranges(ranges.get("fpr"), ranges.get("tpr")))
    assert Design.of(data).variance(influence) ** 0.5 == pytest.approx(plain.se, rel=1e-12)
    one = rs.partial_auc(y, scores, method="delong", sample_weight=np.full(200, 0.25), **ranges)
    assert (one.value, one.se) == (pytest.approx(plain.value, rel=1e-13), pytest.approx(plain.se, rel=1e-12))
    drawn = rs.partial_auc(y, scores, groups=groups, n_boot=4000, rng=1, **ranges)
    clustered = rs.partial_auc(y, scores, groups=groups, method="delong", **ranges)
    assert clustered.se == pytest.approx(drawn.se, rel=0.1)


def test_the_whole_range_has_the_influences_of_the_area():
    y, scores, _ = tied_cases(4)
    data = BinaryScores.from_arrays(y, scores)
    np.testing.assert_allclose(partial_influence(data, (None, None)), area_influence(data)[1], atol=1e-15)


def test_singletons_are_no_clusters():
    y, scores, _ = tied_cases(5)
    names = [f"case {i}" for i in range(y.size)]
    assert rs.auc(y, scores, groups=names) == rs.auc(y, scores)
    other = np.random.default_rng(1).normal(size=y.size)
    curves = {"a": scores, "b": other}
    assert rs.compare_auc(y, curves, groups=names) == rs.compare_auc(y, curves)
    # The layer itself gives DeLong's variance, too.
    data = BinaryScores.from_arrays(y, scores)
    design = Design(data.positive, np.arange(y.size))
    assert design.variance(area_influence(data)[1]) ** 0.5 == pytest.approx(rs.auc(y, scores).se, rel=1e-14)


def test_intervals_of_clusters_take_students_t():
    """Satterthwaite's degrees of freedom, by their definition."""
    rng = np.random.default_rng(1)
    groups = np.repeat(np.arange(30), rng.geometric(0.1, 30))  # of unequal size
    y = rng.integers(0, 2, groups.size)
    scores = np.round(y + rng.normal(size=y.size) + rng.normal(size=30)[groups], 1)
    area, influence = area_influence(BinaryScores.from_arrays(y, scores))
    totals = np.bincount(groups, influence)
    squares = totals**2 / np.sum(totals**2)
    df = 2 / (np.sum(squares**2) - 1 / np.count_nonzero(np.bincount(groups)))
    most = min(np.unique(groups[y == k]).size for k in (0, 1)) - 1
    reach = stats.t.ppf(0.975, min(df, most))
    found = rs.auc(y, scores, groups=groups, method="delong")
    assert (found.high - area) / found.se == pytest.approx(reach, rel=1e-12)
    assert df < most  # else this shows the bound alone
    part = rs.partial_auc(y, scores, fpr=(0, 1), groups=groups, method="delong")
    assert (part.low, part.high) == (
        pytest.approx(found.low, rel=1e-12),
        pytest.approx(found.high, rel=1e-12),
    )
    # Where all clusters have the same influence, the least number of clusters of a class is the bound.
    assert Totals(np.ones((1, 5)), np.zeros((1, 5)), (5, 4, 5), clustered=True).degrees_of_freedom() == 3


def test_clusters_of_many_cases_have_the_numbers_of_few():
    """Above 65,536 rows compiled code sums the placements: the same integers."""
    rng = np.random.default_rng(5)
    groups = rng.integers(0, 9000, 70_000)
    y = rng.integers(0, 2, groups.size)
    for scores in (
        y + rng.normal(size=y.size),
        np.round(y + rng.normal(size=y.size), 1),
        y * (2**53 + 1) + groups,
    ):
        data = BinaryScores.from_arrays(y, scores, groups=groups)
        area, totals = area_totals(data)
        expected, influence = area_influence(data)
        assert area == expected
        assert totals.n_clusters == Design.of(data).n_clusters
        assert totals.variance() == pytest.approx(Design.of(data).variance(influence), rel=1e-12)


@pytest.mark.parametrize("seed", range(3))
def test_the_jackknife_of_clusters_agrees(seed):
    """Leaving out one cluster after the other shows the same variance, by no formula for it."""
    rng = np.random.default_rng(seed)
    groups = rng.integers(0, 250, 1000)
    y = rng.integers(0, 2, 1000)
    scores = y + rng.normal(size=1000) + rng.normal(size=250)[groups]
    left = np.array([rs.auc(y[groups != g], scores[groups != g]).value for g in range(250)])
    jackknife = math.sqrt(249 / 250 * np.sum((left - left.mean()) ** 2))
    assert rs.auc(y, scores, groups=groups).se == pytest.approx(jackknife, rel=0.01)


@pytest.mark.parametrize("method", ["delong", "logit", "bootstrap", "bamber"])
def test_frequencies_are_repeated_rows(method):
    y, scores, groups = tied_cases(6)
    times = np.random.default_rng(2).integers(0, 4, y.size)
    how = {"method": method, "rng": 1, "n_boot": 200}
    rows = [np.repeat(values, times) for values in (y, scores, groups)]
    assert rs.auc(y, scores, sample_weight=times, weight_kind="frequency", **how) == rs.auc(*rows[:2], **how)
    if method != "bamber":
        weighted = rs.auc(y, scores, sample_weight=times, weight_kind="frequency", groups=groups, **how)
        assert weighted == rs.auc(*rows[:2], groups=rows[2], **how)


def test_equal_survey_weights_change_nothing():
    y, scores, groups = tied_cases(7)
    weight = np.full(y.size, 12.5)
    for how in ({"method": "delong"}, {"groups": groups}, {"method": "logit"}):
        plain, weighted = rs.auc(y, scores, **how), rs.auc(y, scores, sample_weight=weight, **how)
        for name in ("value", "se", "low", "high"):
            assert getattr(weighted, name) == pytest.approx(getattr(plain, name), rel=1e-12)


def test_cases_that_stand_for_none_are_left_out():
    y, scores, groups = tied_cases(8)
    weight = np.where(np.arange(y.size) % 3, 1.5, 0.0)
    kept = weight > 0
    for of in ({}, {"groups": groups}):
        some = {name: values[kept] for name, values in of.items()}
        assert rs.auc(y, scores, sample_weight=weight, **of) == rs.auc(
            y[kept], scores[kept], sample_weight=weight[kept], **some
        )


def test_two_curves_of_clusters():
    """The variance of the difference is that of the difference of the influences."""
    y, scores, groups = tied_cases(9)
    other = np.round(scores + np.random.default_rng(1).normal(size=y.size), 1)
    pair = rs.compare_auc(y, {"a": scores, "b": other}, groups=groups)
    data = [BinaryScores.from_arrays(y, one, groups=groups) for one in (scores, other)]
    both = np.stack([area_influence(one)[1] for one in data])
    covariance = Design.of(data[0]).covariance(both)
    np.testing.assert_allclose(pair.cov, covariance, rtol=1e-12)
    difference = covariance[0, 0] + covariance[1, 1] - 2 * covariance[0, 1]
    assert pair.pairs[0].se == pytest.approx(difference**0.5, rel=1e-10)
    drawn = rs.compare_auc(
        y, {"a": scores, "b": other}, groups=groups, method="bootstrap", n_boot=4000, rng=1
    )
    assert drawn.pairs[0].se == pytest.approx(pair.pairs[0].se, rel=0.1)
    apart = {"a": data[0], "b": data[1]}
    assert rs.compare_auc(apart, paired=False).pairs[0].se == pytest.approx(
        (covariance[0, 0] + covariance[1, 1]) ** 0.5, rel=1e-12
    )


def test_shares_of_clusters():
    rng = np.random.default_rng(3)
    counted, members, groups = rng.random(50) < 0.4, rng.random(50) < 0.7, rng.integers(0, 9, 50)
    share, influence = share_influence(counted, members)
    assert share == pytest.approx(counted[members].mean())
    expected = designs.ratio_variance(counted.tolist(), members.tolist(), groups.tolist())
    assert Design(members, groups).share_variance(influence, members) == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize(
    ("how", "message"),
    [
        ({"groups": [1, 2]}, "y_true and groups must have the same length: y_true has 6, groups has 2"),
        (
            {"groups": [1, None, 1, 1, 2, 2]},
            "groups must have a cluster for every case, got none in row 1",
        ),
        (
            {"sample_weight": [1, 1]},
            "y_true and sample_weight must have the same length: y_true has 6, sample_weight has 2",
        ),
        (
            {"sample_weight": [1, 1, 1, 1, 1, -1]},
            "sample_weight must have weights of at least 0, got negative values in row 5",
        ),
        (
            {"sample_weight": [0] * 6},
            "sample_weight must leave cases in both classes, got only 0 for the positive one",
        ),
        (
            {"sample_weight": [0.5] * 6, "weight_kind": "frequency"},
            "sample_weight must have whole numbers of cases, got fractions in rows 0, 1, 2, 3, 4 and 1 more",
        ),
        ({"weight_kind": "counts"}, "weight_kind must be one of 'survey', 'frequency', got 'counts'"),
        (
            {"groups": [1, 1, 2, 2, 3, 3], "method": "bamber"},
            "method must be one of 'delong', 'logit', 'bootstrap' for clusters, got 'bamber'",
        ),
        (
            {"sample_weight": [0.5] * 6, "method": "bootstrap"},
            "method must be one of 'delong', 'logit', 'score' for cases with weights, got 'bootstrap'",
        ),
    ],
)
def test_bad_designs(how, message):
    with pytest.raises(rs.RocInputError) as error:
        rs.auc([0, 1, 0, 1, 0, 1], [1, 2, 3, 4, 5, 6], **how)
    assert str(error.value) == message


def test_one_cluster_gives_no_interval():
    area = rs.auc([0, 1, 0, 1], [1, 3, 2, 2.5], groups=[1, 1, 1, 1])
    assert (area.value, area.se, area.status) == (1.0, None, "partial")
    assert area.reason == "the variance needs two clusters with positives and two with negatives"


def test_separated_classes_in_clusters_have_the_bound_of_so_many_clusters():
    y, scores, groups = [0, 0, 0, 0, 1, 1, 1, 1], [1, 2, 3, 4, 5, 6, 7, 8], [0, 0, 1, 2, 0, 0, 1, 2]
    area = rs.auc(y, scores, groups=groups)
    assert area.low == rs.auc([0, 0, 0, 1, 1, 1], [1, 2, 3, 4, 5, 6], method="logit").low
    weighted = rs.auc(y, scores, sample_weight=[1.5] * 8, method="logit")
    assert (weighted.value, weighted.low) == (1.0, None)
    assert weighted.reason == "the classes are separated, and weights give no interval there"


def test_any_number_of_jobs_gives_the_same_clusters():
    y, scores, groups = tied_cases(10, n=300, n_groups=40)
    how = {"groups": groups, "method": "bootstrap", "rng": 3, "n_boot": 300}
    assert rs.auc(y, scores, n_jobs=2, **how) == rs.auc(y, scores, **how)
    assert rs.auc(y, scores, bootstrap="bca", **how).se == rs.auc(y, scores, **how).se


@pytest.mark.slow
def test_bands_and_precision_of_clusters():
    """The spread of replicates is that of curves of drawn clusters."""
    y, scores, groups = tied_cases(11, n=400, n_groups=60)
    rng = np.random.default_rng(1)
    members = [np.flatnonzero(groups == g) for g in range(60)]
    at, recall = np.array([0.1, 0.3]), np.array([0.5, 0.9])
    heights, averages = [], []
    for _ in range(600):
        rows = np.concatenate([members[g] for g in rng.integers(0, 60, 60)])
        curve = rs.roc_curve(y[rows], scores[rows])
        heights.append(np.interp(at, curve.fpr, curve.tpr))
        averages.append(rs.precision_recall(y[rows], scores[rows], n_boot=1, rng=1).average_precision.value)
    band = rs.roc_band(y, scores, x=at, groups=groups, n_boot=2000, rng=1)
    low, high = np.quantile(heights, [0.025, 0.975], axis=0)
    np.testing.assert_allclose([band.low, band.high], [low, high], atol=0.03)
    how = {"groups": groups, "recall": recall, "n_boot": 2000, "rng": 1}
    found = rs.precision_recall(y, scores, **how)
    assert found.average_precision.se == pytest.approx(np.std(averages), rel=0.12)
    assert found == rs.precision_recall(y, scores, n_jobs=2, **how)
    plain = rs.precision_recall(y, scores, recall=recall, n_boot=100, rng=1)
    alone = rs.precision_recall(y, scores, groups=np.arange(400), recall=recall, n_boot=100, rng=1)
    assert alone == plain
    wilson = rs.roc_band(y, scores, x=at, groups=groups, method="wilson")
    np.testing.assert_allclose([wilson.low, wilson.high], [low, high], atol=0.06)
    with pytest.raises(rs.RocInputError) as error:
        rs.roc_band(y, scores, groups=groups, simultaneous=True)
    assert str(error.value) == (
        "simultaneous must be False for weighted or clustered cases, for which no such band is known"
    )


WEIGHTS = np.random.default_rng(4).integers(0, 4, 200)
DESIGNS = [
    {"groups": True},
    {"sample_weight": WEIGHTS},
    {"sample_weight": WEIGHTS + 0.5, "groups": True},
    {"sample_weight": WEIGHTS, "groups": True, "weight_kind": "frequency"},
    {"groups": True, "direction": "lower"},
]


@pytest.mark.parametrize("how", DESIGNS)
def test_bands_at_thresholds_are_those_of_each_point(how):
    y, scores, groups = tied_cases(14, n=200, n_groups=30)
    scores = -scores if "direction" in how else scores
    how = how | ({"groups": groups} if "groups" in how else {})
    band = rs.roc_band(y, scores, at="threshold", **how)
    for k in (0, len(band) // 3, len(band) - 1):
        point = rs.point_measures(y, scores, threshold=band.x[k], **how)
        tpr, tnr = point.sensitivity, point.specificity
        rates = [band.mean[k], band.low[k], band.high[k], band.fpr[k], band.fpr_low[k], band.fpr_high[k]]
        expected = [tpr.value, tpr.low, tpr.high, 1 - tnr.value, 1 - tnr.high, 1 - tnr.low]
        np.testing.assert_allclose(rates, expected, rtol=1e-9, atol=1e-12)


def test_weights_of_bands_at_rates():
    """Equal weights change nothing, and frequencies are repeated rows."""
    y, scores, groups = tied_cases(15, n=200, n_groups=30)
    how = {"x": [0.05, 0.3, 0.9], "method": "wilson"}
    for at in ("fpr", "tpr"):
        plain = rs.roc_band(y, scores, at=at, **how)
        equal = rs.roc_band(y, scores, at=at, sample_weight=np.full(200, 0.3), **how)
        for end in ("low", "high", "fpr_low", "fpr_high"):
            # The design effect takes the variance at the vertex, where the plain one has half a case more.
            np.testing.assert_allclose(getattr(equal, end), getattr(plain, end), atol=0.01)
    rows = [np.repeat(values, WEIGHTS) for values in (y, scores, groups)]
    frequency = rs.roc_band(y, scores, sample_weight=WEIGHTS, weight_kind="frequency", groups=groups, **how)
    assert frequency == rs.roc_band(*rows[:2], groups=rows[2], **how)


@pytest.mark.parametrize("prevalence", [None, 0.2])
def test_net_benefit_is_that_of_each_point(prevalence):
    y, scores, groups = tied_cases(16, n=200, n_groups=30)
    p = 1 / (1 + np.exp(-scores))
    for how in ({"groups": groups}, {"sample_weight": WEIGHTS + 0.5}):
        curve = rs.net_benefit(y, p, probabilities=[0.2, 0.6], prevalence=prevalence, **how)
        avoided = curve.interventions_avoided(per=1)
        for k, cut in enumerate((0.2, 0.6)):
            more = {
                "prevalence": prevalence,
                "threshold_probability": cut,
                "cost": {"fp": 0, "fn": 1 / cut - 1},
            }
            point = rs.point_measures(y, p, threshold=cut, **more, **how)
            benefit = point.net_benefit
            found = curve.band.mean[k], curve.band.low[k], curve.band.high[k]
            assert found == pytest.approx((benefit.value, benefit.low, benefit.high), rel=1e-12)
            assert curve.tp[k] == point.tp
            assert avoided.mean[k] == pytest.approx(
                (curve.band.mean[k] - curve.treat_all[k]) * (1 / cut - 1), rel=1e-12
            )
            assert avoided.low[k] < avoided.mean[k] < avoided.high[k]
        saved = rs.inference.decision_curve.DecisionCurve.from_dict(curve.to_dict())
        assert not saved.interventions_avoided().defined.any()


@pytest.mark.parametrize(
    ("how", "message"),
    [
        (
            {"groups": [0, 0, 1, 1, 2, 2], "max_points": 2},
            "max_points must be None for clusters, which are drawn whole, got 2",
        ),
        (
            {"groups": [0, 0, 1, 1, 2, 2], "stratify": False},
            "stratify must be True for clusters, which are drawn whole",
        ),
        (
            {"stratify": False, "max_points": 2},
            "max_points must be None where classes are drawn together, got 2",
        ),
    ],
)
def test_draws_that_no_plan_makes(how, message):
    for call in (
        lambda **h: rs.auc(*h.pop("xy"), method="bootstrap", **h),
        lambda **h: rs.roc_band(*h.pop("xy"), **h),
    ):
        with pytest.raises(rs.RocInputError) as error:
            call(xy=([0, 1, 0, 1, 0, 1], [1, 2, 3, 2.5, 5, 6]), n_boot=100, rng=1, **how)
        assert str(error.value) == message


def test_few_replicates_are_noted_wherever_they_give_an_interval():
    y, scores, _ = tied_cases(12)
    note = "1 bootstrap replicate is few: chance moves the interval"
    assert note in rs.auc(y, scores, method="bootstrap", n_boot=1, rng=1).warnings
    assert note in rs.partial_auc(y, scores, fpr=(0, 0.5), method="bootstrap", n_boot=1, rng=1).warnings
    assert note in rs.precision_recall(y, scores, n_boot=1, rng=1).warnings
    assert (
        rs.auc(y, scores, method="bootstrap", n_boot=60, rng=1)
        .warnings[0]
        .startswith("60 bootstrap replicates are few: chance moves the interval by about 0.0")
    )


def test_a_row_of_several_cases_is_a_cluster_of_them():
    """Rows of clusters of their own are no singletons where they stand for several cases."""
    y, scores, _ = tied_cases(7)
    times, names = np.random.default_rng(3).integers(1, 4, y.size), np.arange(y.size)
    rows = [np.repeat(values, times) for values in (y, scores, names)]
    expected = rs.auc(*rows[:2], groups=rows[2])
    assert rs.auc(y, scores, sample_weight=times, weight_kind="frequency", groups=names) == expected
    assert expected.se != rs.auc(*rows[:2]).se
    by = np.where(np.arange(y.size) % 2, "a", "b")
    found = rs.auc_by(y, scores, by=by, sample_weight=times, weight_kind="frequency", groups=names)
    assert found.groups == rs.auc_by(*rows[:2], by=np.repeat(by, times), groups=rows[2]).groups


def test_cases_that_stand_for_none_make_no_cluster():
    y, scores, _ = tied_cases(8)
    weight, pairs = np.tile([1.5, 0.0], y.size // 2), np.arange(y.size) // 2
    kept = weight > 0
    found = rs.auc(y, scores, sample_weight=weight, groups=pairs)
    assert found == rs.auc(y[kept], scores[kept], sample_weight=weight[kept])


def test_the_scale_of_survey_weights_does_not_matter():
    y, scores, groups = tied_cases(9)
    weight = np.random.default_rng(4).integers(1, 6, y.size)
    for scale in (2.0**-300, 2.0**70, 2.0**300):
        found = rs.auc(y, scores, sample_weight=scale * weight, groups=groups)
        assert found == rs.auc(y, scores, sample_weight=weight, groups=groups)


@pytest.mark.parametrize("n", [9, 13, 26])
def test_clusters_that_do_not_differ_have_no_variance(n):
    """Every patient has one case of each class, whose influences cancel; rounding is no variance."""
    y, groups = np.tile([0, 1], n), np.repeat(np.arange(n), 2)
    scores = groups + y / 2
    pair = rs.compare_auc(y, {"a": scores, "b": np.zeros(2 * n)}, groups=groups)
    assert (pair.p_value, pair.pairs[0].se) == (None, 0.0)
    assert rs.partial_auc(y, scores, fpr=(0, 1), method="delong", groups=groups).low is None
    assert rs.cross_auc(y, scores, fold=np.zeros(2 * n), groups=groups).low is None
    y, scores = np.tile([1] * n + [0] * n, 6), np.tile([0] + [1] * (2 * n - 1), 6)
    found = rs.point_measures(y, scores, threshold=1, groups=np.repeat(np.arange(6), 2 * n))
    assert found.sensitivity.high - found.sensitivity.low > 0.2


def test_separated_classes_with_weights_do_not_vary():
    rng = np.random.default_rng(1)
    for _ in range(20):
        y, weight = rng.permutation(np.arange(40) % 2), rng.uniform(0.1, 2, 40)
        found = rs.compare_auc(y, {"a": y, "b": -y}, sample_weight=weight)
        assert (found.auc.tolist(), found.p_value) == ([1.0, 0.0], None)
        assert found.reason == rs.compare_auc(y, {"a": y, "b": -y}, method="delong").reason


def test_unpaired_areas_of_clusters_have_their_own_degrees_of_freedom():
    """One cluster that holds most of the cases leaves its area few of them, beside one that hardly varies."""
    rng = np.random.default_rng(4)
    groups = np.concatenate([np.zeros(60, int), np.arange(60) // 2 + 1])
    y = rng.integers(0, 2, 120)
    scores = y + rng.normal(size=120) + rng.normal(size=31)[groups]
    first = BinaryScores.from_arrays(y, scores, groups=groups)
    alone = Design.of(first).degrees_of_freedom(area_influence(first)[1])
    many = rng.integers(0, 2, 40_000)
    second = BinaryScores.from_arrays(many, 2 * many + rng.normal(size=many.size))
    compared = rs.compare_auc({"a": first, "b": second}, paired=False)
    assert compared.pairs[0].df == pytest.approx(alone, rel=0.01)
    heads = compared.table().to_markdown().split("|")
    assert " AUC of first " in heads  # without interval, which `auc` gives
    assert alone < 25  # of 31 clusters
