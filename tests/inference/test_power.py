import itertools
import json
import math
import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import special

import rocscope as rs
from reference_cases import case_data, load_reference
from rocscope.errors import RocInputError
from rocscope.inference import planned_variance as power_variance
from rocscope.inference.power import PointDesign, power, sample_size
from slow import power as slow

REFERENCE = load_reference("power")
TOLERANCE = REFERENCE["tolerance"]
VARIANCES = tuple(power_variance.VARIANCES)
AREAS = st.floats(0.02, 0.98)
POWERS = st.floats(0.55, 0.999)
RATIOS = st.floats(0.05, 20)


def cases(kind):
    return [case for case in REFERENCE["cases"] if case["kind"] == kind]


def orders_agree(case):
    key = "n_pos" if "n_pos" in case else "power"
    return case[key] == pytest.approx(case[f"{key}_swapped"], rel=1e-9)


# ---- Agreement with pROC ----------------------------------------------------------------------------------


def test_the_reference_has_cases_of_every_kind():
    assert len(REFERENCE["cases"]) >= 20
    kinds = {"one_size", "one_power", "two_size", "two_power", "one_area", "one_level", "two_level"}
    assert {case["kind"] for case in REFERENCE["cases"]} == kinds | {"partial_size", "pilot"}
    assert any(orders_agree(case) for case in cases("two_size"))
    assert not all(orders_agree(case) for case in cases("two_size"))


@pytest.mark.parametrize("case", cases("one_size"))
def test_size_for_one_area_agrees(case):
    plan = sample_size(**case["arguments"])
    assert plan.method == "obuchowski"
    assert plan.real_n_pos == pytest.approx(case["n_pos"], rel=TOLERANCE)
    assert plan.real_n_neg == pytest.approx(case["n_neg"], rel=TOLERANCE)
    assert (plan.n_pos, plan.n_neg) == (math.ceil(case["n_pos"]), math.ceil(case["n_neg"]))


@pytest.mark.parametrize("case", cases("one_power"))
def test_power_for_one_area_agrees(case):
    assert power(**case["arguments"]).power == pytest.approx(case["power"], rel=TOLERANCE)


@pytest.mark.parametrize("case", [case for case in cases("two_size") if orders_agree(case)])
def test_size_for_two_areas_agrees_where_the_order_does_not_matter(case):
    result = sample_size(**case["arguments"], method="obuchowski").real_n_pos
    assert result == pytest.approx(case["n_pos"], rel=TOLERANCE)


@pytest.mark.parametrize("case", [case for case in cases("two_power") if orders_agree(case)])
def test_power_for_two_areas_agrees_where_the_order_does_not_matter(case):
    result = power(**case["arguments"], method="obuchowski").power
    assert result == pytest.approx(case["power"], rel=TOLERANCE)


@pytest.mark.parametrize("case", [case for case in cases("two_size") if not orders_agree(case)])
def test_size_lies_between_the_two_orders(case):
    result = sample_size(**case["arguments"], method="obuchowski").real_n_pos
    low, high = sorted([case["n_pos"], case["n_pos_swapped"]])
    assert low < result < high


@pytest.mark.parametrize("case", [case for case in cases("two_power") if not orders_agree(case)])
def test_power_lies_between_the_two_orders(case):
    low, high = sorted([case["power"], case["power_swapped"]])
    assert low < power(**case["arguments"], method="obuchowski").power < high


# ---- The area or the level is unknown ----------------------------------------------------------------------


@pytest.mark.parametrize("case", cases("one_area"))
def test_the_smallest_area_agrees(case):
    assert power(**case["arguments"]).auc == pytest.approx(case["auc"], rel=1e-9)


@pytest.mark.parametrize("case", cases("one_level"))
def test_the_level_for_one_area_agrees(case):
    assert power(**case["arguments"], level=None).level == pytest.approx(case["level"], rel=TOLERANCE)


@pytest.mark.parametrize("case", cases("two_level"))
def test_the_level_for_two_areas_agrees(case):
    plan = power(**case["arguments"], method="obuchowski", level=None)
    assert plan.level == pytest.approx(case["level"], rel=1e-9)


# Studies whose area is unknown.
STUDIES = [
    {"null": 0.6},
    {"null": 0.7, "method": "binormal", "alternative": "greater"},
    {"null": 0.7, "method": "hanley-mcneil", "alternative": "less"},
    {"auc2": 0.75, "corr": 0.4},
    {"auc2": 0.75, "rating_corr": (0.2, 0.7), "alternative": "less"},
    {"auc2": 0.8, "paired": False, "method": "hanley-mcneil"},
    {"auc2": 0.8, "rating_corr": 0.5, "fpr": (0, 0.2)},
    {"null": 0.5, "fpr": (0.1, 0.4), "method": "obuchowski"},
]


@pytest.mark.parametrize("study", STUDIES)
@pytest.mark.parametrize(("n_pos", "n_neg"), [(60, 40), (2000, 9000)])
def test_every_unknown_gives_back_the_others(study, n_pos, n_neg):
    sizes = {"n_pos": n_pos, "n_neg": n_neg}
    area = power(**study, **sizes, power=0.8, level=0.9)
    assert area.status == "ok"
    reference = study.get("auc2", study.get("null"))
    assert (area.auc < reference) == (study.get("alternative") == "less")
    known = study | {"auc": area.auc}
    assert power(**known, **sizes, level=0.9).power == pytest.approx(0.8, rel=1e-9)
    level = power(**known, **sizes, power=0.8, level=None)
    assert level.level == pytest.approx(0.9, rel=1e-9)
    size = sample_size(**known, power=0.8, level=0.9, ratio=n_neg / n_pos)
    assert size.real_n_pos == pytest.approx(n_pos, rel=1e-6)
    nearer = study | {"auc": (area.auc + reference) / 2}
    assert power(**nearer, **sizes, level=0.9).power < 0.8


@pytest.mark.parametrize("method", [None, *VARIANCES])
@pytest.mark.parametrize("alternative", ["two-sided", "less"])
def test_every_unknown_of_a_pilot_study(method, alternative):
    pilot, how = pilot_study(), {"method": method, "alternative": alternative}
    plan = power(pilot, n_pos=300, n_neg=200, power=0.8, **how)
    assert (plan.effect < 0) == (alternative == "less")
    back = power(pilot, n_pos=300, n_neg=200, difference=plan.effect, **how)
    assert back.power == pytest.approx(0.8, rel=1e-9)
    level = power(pilot, n_pos=300, n_neg=200, difference=plan.effect, power=0.8, level=None, **how)
    assert level.level == pytest.approx(0.95, rel=1e-9)


UNSOLVED = [
    (
        {"null": 0.9, "n_pos": 2, "n_neg": 2, "power": 0.999, "method": "binormal"},
        "no difference is large enough",
    ),
    ({"n_pos": 20, "n_neg": 20, "power": 0.02}, "every difference is enough"),
    ({"auc": 0.51, "n_pos": 20, "n_neg": 20, "power": 0.999, "level": None}, "every level is enough"),
    ({"auc": 0.5, "n_pos": 20, "n_neg": 20, "power": 0.8, "level": None}, "there is no difference to detect"),
    (
        {"auc": 0.9, "n_pos": 5000, "n_neg": 5000, "power": 0.8, "level": None},
        "the level differs from 1 by less than a number can show",
    ),
    (
        {"auc": 0.4, "n_pos": 20, "n_neg": 20, "power": 0.8, "level": None, "alternative": "greater"},
        "the difference of -0.1 is against the alternative",
    ),
]


@pytest.mark.parametrize(("question", "reason"), UNSOLVED)
def test_what_cannot_be_solved_has_a_reason(question, reason):
    plan = power(**question)
    assert (plan.status, plan.reason, plan.half_width) == ("undefined", reason, None)
    assert (plan.level if "level" in question else plan.auc) is None
    assert f"undefined, {reason}" in str(plan)
    assert rs.inference.StudyPlan.from_dict(json.loads(plan.to_json())) == plan


def test_texts_of_solved_studies():
    assert str(power(auc2=0.8, corr=0.5, n_pos=200, n_neg=200, power=0.8)) == (
        "Areas 0.8568 and 0.8, paired: 200 positive and 200 negative cases give power 0.8000 "
        "(95% level, two-sided, binormal)"
    )
    assert str(power(0.8, n_pos=200, n_neg=200, power=0.8, level=None)).endswith(
        "% level, two-sided, obuchowski)"
    )
    assert "(100% level" not in str(power(0.8, n_pos=200, n_neg=200, power=0.8, level=None))


# ---- Partial areas -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("case", cases("partial_size"))
def test_partial_areas_agree(case):
    plan = sample_size(**case["arguments"], method="obuchowski")
    assert plan.effect == pytest.approx(case["effect"], rel=1e-9)
    low, high = sorted([case["n_pos"], case["n_pos_swapped"]])
    assert low < plan.real_n_pos < high
    only = sample_size(**case["arguments"], method="obuchowski", level=0.5, alternative="greater")
    assert only.real_n_pos == pytest.approx(case["n_pos_variance_only"], rel=1e-9)


RANGES = [(0.0, 0.1), (0.05, 0.3), (0.5, 1.0), (0.0, 1.0)]


@pytest.mark.parametrize("fpr", RANGES)
@pytest.mark.parametrize("auc", [0.5, 0.7, 0.95, 0.3])
def test_partial_variance_agrees_with_integrals(auc, fpr):
    of_pos, of_neg = slow.partial_moments(auc, fpr)
    result = power_variance.binormal_partial_variance(auc, 30, 70, fpr)
    assert result == pytest.approx(of_pos / 30 + of_neg / 70, rel=1e-7)
    area = rs.Binormal(a=math.sqrt(2) * special.ndtri(auc), b=1).partial_auc(fpr=fpr)
    assert power_variance.partial_area(auc, fpr) == pytest.approx(area, rel=1e-9)


@pytest.mark.slow
@pytest.mark.parametrize(("fpr", "rho"), [((0.0, 0.1), 0.6), ((0.05, 0.3), 0.8), ((0.5, 1.0), -0.5)])
def test_partial_covariance_agrees_with_a_double_integral(fpr, rho):
    of_pos, of_neg = slow.partial_covariances(0.85, 0.7, rho, fpr)
    result = power_variance.binormal_partial_covariance(0.85, 0.7, 30, 70, (rho, rho), fpr)
    assert result == pytest.approx(of_pos / 30 + of_neg / 70, rel=1e-6)


@pytest.mark.parametrize("fpr", RANGES)
def test_partial_covariance_goes_to_the_variance_and_to_zero(fpr):
    def covariance(rho, second=0.8):
        return power_variance.binormal_partial_covariance(0.8, second, 30, 70, (rho, rho), fpr)

    variance = power_variance.binormal_partial_variance(0.8, 30, 70, fpr)
    assert covariance(1 - 1e-9) == pytest.approx(variance, rel=1e-5)
    assert covariance(0.0) == 0
    rising = [covariance(rho, 0.7) for rho in (-0.9, -0.3, 0.3, 0.6, 0.9)]
    assert rising == sorted(rising)
    swapped = power_variance.binormal_partial_covariance(0.7, 0.8, 30, 70, (0.6, 0.6), fpr)
    assert covariance(0.6, 0.7) == pytest.approx(swapped, rel=1e-12)


def test_the_whole_range_is_the_whole_area_of_many_cases():
    n = 10**12
    for corr in ({"paired": False}, {"rating_corr": (0.3, 0.6)}):
        part = power(0.85, 0.8, n_pos=n, n_neg=n, fpr=(0, 1), **corr)
        assert part.half_width == pytest.approx(
            power(0.85, 0.8, n_pos=n, n_neg=n, **corr).half_width, rel=1e-9
        )
        assert part.effect == pytest.approx(0.05, abs=1e-12)
    assert part.quantity == "partial AUC over FPR 0-1"
    assert str(sample_size(0.8, fpr=(0, 0.1), power=0.9)).startswith(
        "Area 0.8 against 0.5, partial AUC over FPR 0-0.1: "
    )


PARTIAL_ERRORS = [
    ({"fpr": (0.2, 0.1)}, "fpr must be a pair with low < high, got (0.2, 0.1)"),
    ({"fpr": 0.1}, "fpr must be a pair (low, high), got 0.1"),
    ({"fpr": (0, 0.1), "method": "hanley-mcneil"}, "fpr must not be given for method 'hanley-mcneil'"),
]


@pytest.mark.parametrize(("arguments", "message"), PARTIAL_ERRORS)
def test_partial_areas_refuse(arguments, message):
    with pytest.raises(RocInputError) as error:
        sample_size(0.8, power=0.9, **arguments)
    assert str(error.value) == message


# ---- Pilot studies ----------------------------------------------------------------------------------------


def pilot_of(case):
    y, scores = case_data(case)
    return rs.compare_auc(y, {name: scores[name] for name in (case["first"], case["second"])})


pilots = pytest.mark.parametrize("case", cases("pilot"), ids=lambda case: case["name"])


@pilots
def test_pilot_size_agrees_where_only_the_variance_counts(case):
    pilot = pilot_of(case)
    side = "greater" if pilot.auc[0] > pilot.auc[1] else "less"
    plan = sample_size(pilot, power=0.9, level=0.5, alternative=side)
    assert plan.method == "pilot"
    assert plan.real_n_pos == pytest.approx(case["n_pos_variance_only"], rel=TOLERANCE)


@pilots
def test_pilot_size_differs_by_the_null_variance_alone(case):
    """pROC's 2 V1 - 2 C gives each order its own size and power; V1 + V2 - 2 C is the mean of the two."""
    pilot = pilot_of(case)
    n, v, z, z_power = pilot.n_pos[0], pilot.cov * pilot.n_pos[0], 1.959963984540054, 1.2815515655446004
    gap, both = abs(pilot.auc[0] - pilot.auc[1]), v[0, 0] + v[1, 1] - 2 * v[0, 1]
    null = {"": 2 * v[0, 0] - 2 * v[0, 1], "_swapped": 2 * v[1, 1] - 2 * v[0, 1], " ours": both}
    sizes = {k: ((z * math.sqrt(v0) + z_power * math.sqrt(both)) / gap) ** 2 for k, v0 in null.items()}
    powers = {
        k: special.ndtr((math.sqrt(n) * gap - z * math.sqrt(v0)) / math.sqrt(both)) for k, v0 in null.items()
    }
    for order in ("", "_swapped"):
        assert sizes[order] == pytest.approx(case[f"n_pos{order}"], rel=1e-8)
        assert powers[order] == pytest.approx(case[f"power{order}"], rel=1e-8)
    plan = sample_size(pilot, power=0.9)
    assert plan.real_n_pos == pytest.approx(sizes[" ours"], rel=1e-8)
    assert plan.real_n_neg == pytest.approx(plan.real_n_pos * pilot.n_neg[0] / n, rel=1e-12)
    assert power(pilot).power == pytest.approx(powers[" ours"], rel=1e-8)
    low, high = sorted([case["n_pos"], case["n_pos_swapped"]])
    assert low < plan.real_n_pos < high


PILOT = {"y": np.repeat([1, 0], [20, 30])}
PILOT["a"] = PILOT["y"] + np.random.default_rng(3).normal(size=50)
PILOT["b"] = np.round(PILOT["a"] / 2 + np.random.default_rng(4).normal(size=50), 1)


def pilot_study(**options):
    return rs.compare_auc(PILOT["y"], {"a": PILOT["a"], "b": PILOT["b"]}, **options)


def test_the_variance_of_a_pilot_is_that_of_placements():
    """Slow: the difference of the placements of each case, and its variance in each class."""
    y, a, b = (PILOT[name] for name in ("y", "a", "b"))

    def placements(s):
        pairs = (s[y == 1][:, None] > s[y == 0]) + (s[y == 1][:, None] == s[y == 0]) / 2
        return pairs.mean(axis=1), pairs.mean(axis=0)

    of_pos, of_neg = (
        np.var(one - two, ddof=1) for one, two in zip(placements(a), placements(b), strict=True)
    )
    for n_pos, n_neg in ((20, 30), (100, 100), (7, 500)):
        plan = power(pilot_study(), n_pos=n_pos, n_neg=n_neg)
        assert plan.half_width == pytest.approx(
            1.959963984540054 * math.sqrt(of_pos / n_pos + of_neg / n_neg)
        )
    assert power(pilot_study()) == power(pilot_study(), n_pos=20, n_neg=30)
    assert power(pilot_study()).half_width == pytest.approx(1.959963984540054 * pilot_study().pairs[0].se)


def test_a_pilot_gives_other_methods_its_areas_and_their_correlation():
    pilot = pilot_study()
    corr = pilot.cov[0, 1] / math.sqrt(pilot.cov[0, 0] * pilot.cov[1, 1])
    for method in VARIANCES:
        plan = sample_size(pilot, power=0.8, method=method)
        assert plan == sample_size(*pilot.auc, corr=corr, power=0.8, ratio=1.5, method=method)


def test_a_pilot_with_another_difference():
    pilot = pilot_study()
    plan = sample_size(pilot, power=0.8, difference=0.05)
    observed = sample_size(pilot, power=0.8)
    gap = pilot.auc[0] - pilot.auc[1]
    assert plan.effect == pytest.approx(0.05, abs=1e-15)
    assert (plan.auc + plan.auc2) / 2 == pytest.approx(pilot.auc.mean(), abs=1e-15)
    assert plan.real_n_pos == pytest.approx(observed.real_n_pos * (gap / 0.05) ** 2, rel=1e-9)
    swapped = rs.compare_auc(PILOT["y"], {"b": PILOT["b"], "a": PILOT["a"]})
    for method in (None, *VARIANCES):
        one = sample_size(pilot, power=0.8, difference=0.05, method=method)
        other = sample_size(swapped, power=0.8, difference=-0.05, method=method)
        assert one.real_n_pos == pytest.approx(other.real_n_pos, rel=1e-12)


def test_another_difference_keeps_the_order_of_the_pilot():
    swapped = rs.compare_auc(PILOT["y"], {"b": PILOT["b"], "a": PILOT["a"]})
    assert swapped.auc[0] < swapped.auc[1]
    for method in (None, *VARIANCES):
        size, turned = (sample_size(swapped, power=0.8, difference=d, method=method) for d in (0.05, -0.05))
        assert size == turned
        assert size.effect == pytest.approx(-0.05, abs=1e-15)
        other = sample_size(pilot_study(), power=0.8, difference=0.05, method=method)
        assert size.real_n_pos == pytest.approx(other.real_n_pos, rel=1e-12)
        assert (size.auc, size.auc2) == pytest.approx((other.auc2, other.auc), abs=1e-15)
    assert sample_size(pilot_study(), power=0.8, difference=-0.05).effect == pytest.approx(-0.05)
    # A side says which area is the greater one.
    assert sample_size(swapped, power=0.8, difference=0.05, alternative="greater").status == "ok"
    text = str(sample_size(swapped, power=0.8, difference=0.05))
    middle = swapped.auc.mean()
    assert text.startswith(f"Areas {middle - 0.025:.4g} and {middle + 0.025:.4g}, paired: ")


def test_an_unpaired_pilot():
    y = {"a": PILOT["y"], "b": PILOT["y"][5:]}
    pilot = rs.compare_auc(y, {"a": PILOT["a"], "b": PILOT["b"][5:]}, paired=False)
    assert (pilot.n_pos, pilot.n_neg) == ((20, 15), (30, 30))
    plan = sample_size(pilot, power=0.8)
    assert plan.real_n_neg == pytest.approx(plan.real_n_pos * 60 / 35, rel=1e-12)
    alone = [rs.auc(y[name], s).se ** 2 for name, s in (("a", PILOT["a"]), ("b", PILOT["b"][5:]))]
    assert pilot.cov.diagonal().tolist() == pytest.approx(alone, rel=1e-12)
    # In a study with the sizes of each curve its variance is what it was.
    of_pos, of_neg = pilot.cov_pos.diagonal(), (pilot.cov - pilot.cov_pos).diagonal()
    total = sum(of_pos * pilot.n_pos) / 50 + sum(of_neg * pilot.n_neg) / 80
    half = power(pilot, n_pos=50, n_neg=80).half_width
    assert half == pytest.approx(1.959963984540054 * math.sqrt(total), rel=1e-12)
    with pytest.raises(RocInputError, match="n_pos must be given for unpaired curves of unequal sizes"):
        power(pilot)


def test_a_pilot_of_partial_areas():
    pilot = pilot_study(method="bootstrap", fpr=(0, 0.3), n_boot=200, rng=1)
    plan = sample_size(pilot, power=0.8)
    total = 1.959963984540054 + 0.8416212335729143
    assert plan.real_n_pos == pytest.approx(20 * (total / pilot.statistic) ** 2, rel=1e-9)
    assert str(plan).startswith("partial AUC over FPR 0-0.3 0.")
    assert json.loads(plan.to_json())["quantity"] == "partial AUC over FPR 0-0.3"
    saved = rs.CurveComparison.from_dict(json.loads(pilot.to_json()))
    assert sample_size(saved, power=0.8) == plan


def test_a_saved_pilot_plans_the_same():
    pilot = pilot_study()
    saved = rs.CurveComparison.from_dict(json.loads(pilot.to_json()))
    assert sample_size(saved, power=0.8, ratio=3) == sample_size(pilot, power=0.8, ratio=3)


THREE = rs.compare_auc(PILOT["y"], {"a": PILOT["a"], "b": PILOT["b"], "c": -PILOT["a"]})
TINY = rs.compare_auc([1, 0, 0], {"a": [1, 2, 3], "b": [3, 2, 1]})
PILOT_ERRORS = [
    ({"auc": THREE}, "auc must be a comparison of two curves, got 3 curves"),
    (
        {"auc": TINY},
        "auc must be a comparison with a covariance, got none: the variance needs two cases in each class",
    ),
    ({"auc": pilot_study(), "auc2": 0.7}, "auc2 must not be given for a pilot study, got 0.7"),
    ({"auc": pilot_study(), "corr": 0.7}, "corr must not be given for a pilot study, got 0.7"),
    ({"auc": pilot_study(), "null": 0.7}, "null must not be given for a pilot study, got 0.7"),
    ({"auc": pilot_study(), "difference": 1}, "difference must lie between -1 and 1, got 1"),
    (
        {"auc": 0.8, "difference": 0.1},
        "difference must not be given for areas without a pilot study, got 0.1",
    ),
    (
        {"auc": pilot_study(method="bootstrap", rng=1, n_boot=100), "ratio": 3},
        "ratio must be that of the pilot study, 1.5, unless it was compared by method 'delong', got 3",
    ),
    (
        {"auc": pilot_study(method="bootstrap", fpr=(0, 0.5), rng=1, n_boot=100), "method": "binormal"},
        "method must be 'pilot' for the partial AUC over FPR 0-0.5, got 'binormal'",
    ),
    (
        {"auc": pilot_study(), "difference": 0.9, "method": "binormal"},
        "method must be 'pilot' where an area is 1.",
    ),
    (
        {"auc": 0.8, "method": "pilot"},
        "method must be one of 'obuchowski', 'hanley-mcneil', 'binormal', got 'pilot'",
    ),
]


@pytest.mark.parametrize(("arguments", "message"), PILOT_ERRORS)
def test_pilot_studies_that_plan_nothing(arguments, message):
    with pytest.raises(RocInputError) as error:
        sample_size(**arguments, power=0.8)
    assert str(error.value).startswith(message)


def test_an_unpaired_pilot_by_replicates_plans_nothing():
    y = {"a": PILOT["y"], "b": PILOT["y"]}
    options = {"paired": False, "method": "bootstrap", "n_boot": 100, "rng": 1}
    pilot = rs.compare_auc(y, {"a": PILOT["a"], "b": PILOT["b"]}, **options)
    with pytest.raises(RocInputError, match="must be a comparison by method 'delong' for unpaired curves"):
        sample_size(pilot, power=0.8)


# ---- Variances --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("h", "k"), [(0, 0), (0.5, 0.5), (1.3, -0.4), (2.2, 1.9), (-1, -2.5)])
@pytest.mark.parametrize("rho", [-0.95, -0.4, 0.0, 0.25, 0.5, 0.9, 0.99])
def test_normal_quadrants_agree_with_an_integral(h, k, rho):
    assert power_variance.orthant_covariance(h, k, rho) == pytest.approx(
        slow.orthant_covariance(h, k, rho), rel=1e-9, abs=1e-12
    )


def test_normal_quadrants_have_the_known_value_at_zero():
    for rho in (-0.9, 0.3, 0.99):
        result = power_variance.orthant_covariance(0, 0, rho)
        assert result == pytest.approx(math.asin(rho) / (2 * math.pi), rel=1e-13)


@pytest.mark.parametrize(("n_pos", "n_neg"), [(1, 1), (2, 2), (1, 3), (3, 2)])
def test_covariance_of_areas_agrees_with_all_samples(n_pos, n_neg):
    pos, neg = [(2, 1), (3, 3), (1, 2)], [(1, 2), (0, 0), (2, 1)]
    result = power_variance.pair_mean_covariance(*slow.pair_covariances(pos, neg), n_pos, n_neg)
    assert result == pytest.approx(slow.area_covariance(pos, neg, n_pos, n_neg), rel=1e-12)


@pytest.mark.parametrize("auc", [0.3, 0.5, 0.8, 0.97])
def test_hanley_mcneil_has_exponential_moments(auc):
    two_positives, two_negatives = slow.exponential_moments(auc)
    m, n = 30, 70
    total = auc * (1 - auc) + (m - 1) * (two_positives - auc**2) + (n - 1) * (two_negatives - auc**2)
    assert power_variance.VARIANCES["hanley-mcneil"](auc, m, n) == pytest.approx(total / (m * n), rel=1e-9)


@pytest.mark.parametrize("method", ["hanley-mcneil", "binormal"])
def test_empirical_variance_at_one_half_is_that_of_mann_and_whitney(method):
    result = power_variance.VARIANCES[method](0.5, 13, 8)
    assert result == pytest.approx((13 + 8 + 1) / (12 * 13 * 8), rel=1e-12)


@given(AREAS, st.floats(1, 1e4), st.floats(1, 1e4))
def test_binormal_is_the_same_for_both_classes(auc, m, n):
    one, other = power_variance.binormal_variance(auc, m, n), power_variance.binormal_variance(auc, n, m)
    assert one == pytest.approx(other, rel=1e-12)
    assert one == pytest.approx(power_variance.binormal_variance(1 - auc, m, n), rel=1e-9)


def test_identical_curves_have_no_difference_except_in_the_terms_of_proc():
    def variance(method):
        almost = (1 - 1e-12, 1 - 1e-12)
        return power_variance.difference_variance((0.9, 0.9), 50, 50, method=method, corr=almost)

    assert variance("binormal") == pytest.approx(0, abs=1e-8)
    # V lacks f g a b: minus the covariance of the binormal parameters, here a^2 / 8 pi exp(-a^2 / 2).
    a = math.sqrt(2) * 1.2815515655446004
    assert variance("obuchowski") == pytest.approx(
        2 * a**2 * math.exp(-(a**2) / 2) / (8 * math.pi * 50), rel=1e-9
    )


# ---- There and back ---------------------------------------------------------------------------------------


@given(AREAS, AREAS, POWERS, RATIOS, st.sampled_from(VARIANCES))
def test_power_is_the_inverse_for_one_area(auc, null, expected, ratio, method):
    plan = sample_size(auc, null=null, power=expected, ratio=ratio, method=method)
    if abs(auc - null) < 1e-6:
        return
    result = power(auc, null=null, n_pos=plan.real_n_pos, n_neg=plan.real_n_neg, method=method)
    assert plan.real_n_neg == pytest.approx(ratio * plan.real_n_pos, rel=1e-14)
    assert result.power == pytest.approx(expected, rel=1e-7)
    assert result.half_width == pytest.approx(plan.half_width, rel=1e-9)


PAIRS = [
    {"corr": 0.6},
    {"corr": -0.3, "method": "hanley-mcneil"},
    {"corr": 0.9, "method": "obuchowski"},
    {"rating_corr": 0.8},
    {"rating_corr": (0.5, 0.9)},
    {"rating_corr": [0.5, -0.2], "method": "obuchowski"},
    {"paired": False},
    {"paired": False, "method": "hanley-mcneil"},
]


@pytest.mark.parametrize("pair", PAIRS)
@pytest.mark.parametrize("alternative", ["two-sided", "greater"])
def test_power_is_the_inverse_for_two_areas(pair, alternative):
    options = pair | {"alternative": alternative, "level": 0.9}
    plan = sample_size(0.85, 0.75, power=0.8, ratio=3, **options)
    result = power(0.85, 0.75, n_pos=plan.real_n_pos, n_neg=plan.real_n_neg, **options)
    assert result.power == pytest.approx(0.8, rel=1e-10)
    assert power(0.85, 0.75, n_pos=plan.n_pos, n_neg=plan.n_neg, **options).power >= 0.8


@pytest.mark.parametrize("level", [0.9, 0.95, 0.99])
@pytest.mark.parametrize("gap", [0.01, 0.2, 0.6])
@pytest.mark.parametrize("options", [{"method": "exact"}, {"method": "normal"}, {"folds": 10}])
def test_power_is_the_inverse_for_two_points(gap, level, options):
    plan = sample_size(fpr_gap=gap, power=0.85, level=level, **options)
    assert (plan.n_pos, plan.real_n_pos) == (None, None)
    result = power(fpr_gap=gap, n_neg=plan.real_n_neg, level=level, **options)
    assert result.power == pytest.approx(0.85, rel=1e-10)
    assert power(fpr_gap=gap, n_neg=plan.n_neg, level=level, **options).power >= 0.85


@pytest.mark.parametrize("method", VARIANCES)
@pytest.mark.parametrize("auc", [0.5, 0.8, 0.95])
def test_half_width_is_reached(auc, method):
    plan = sample_size(auc, half_width=0.04, ratio=2, method=method, level=0.9)
    assert (plan.power, plan.null, plan.effect) == (None, None, None)
    assert plan.half_width == pytest.approx(0.04, rel=1e-12)
    result = power(auc, null=0.6, n_pos=plan.real_n_pos, n_neg=plan.real_n_neg, method=method, level=0.9)
    assert result.half_width == pytest.approx(0.04, rel=1e-12)
    se = math.sqrt(power_variance.VARIANCES[method](auc, plan.real_n_pos, plan.real_n_neg))
    assert 1.6448536269514722 * se == pytest.approx(0.04, rel=1e-12)


def test_half_width_of_a_difference_and_of_a_gap():
    plan = sample_size(0.8, 0.7, corr=0.5, half_width=0.05)
    result = power(0.8, 0.7, corr=0.5, n_pos=plan.real_n_pos, n_neg=plan.real_n_neg)
    assert result.half_width == pytest.approx(0.05, rel=1e-12)
    gap = sample_size(tpr_gap=0.1, half_width=0.02)
    assert gap.method == "normal"
    assert gap.real_n_pos == pytest.approx((1.959963984540054 / 0.02) ** 2 * 0.09, rel=1e-12)


# ---- Shape of the results ---------------------------------------------------------------------------------


@pytest.mark.parametrize("method", VARIANCES)
@pytest.mark.parametrize(
    "question", [{"null": 0.5}, {"null": 0.6}, {"auc2": 0.65, "corr": 0.5}, {"auc2": 0.65, "paired": False}]
)
def test_power_grows_with_either_class(question, method):
    sizes = (3, 10, 40, 200, 1000)
    for n in sizes:
        more_negatives = [power(0.7, n_pos=n, n_neg=m, method=method, **question).power for m in sizes]
        more_positives = [power(0.7, n_pos=m, n_neg=n, method=method, **question).power for m in sizes]
        for result in (more_negatives, more_positives):
            assert all(a < b or b > 1 - 1e-12 for a, b in itertools.pairwise(result))


@pytest.mark.parametrize("method", VARIANCES)
def test_size_falls_with_the_effect_and_grows_with_what_is_required(method):
    by_area = [sample_size(auc, power=0.8, method=method).real_n_pos for auc in (0.55, 0.6, 0.7, 0.8, 0.9)]
    assert by_area == sorted(by_area, reverse=True)
    by_power = [sample_size(0.7, power=p, method=method).real_n_pos for p in (0.3, 0.5, 0.8, 0.9, 0.99)]
    assert by_power == sorted(by_power)
    by_level = [sample_size(0.7, power=0.8, level=x, method=method).real_n_pos for x in (0.8, 0.9, 0.99)]
    assert by_level == sorted(by_level)


@pytest.mark.parametrize("pair", PAIRS)
def test_swapping_the_curves_changes_nothing(pair):
    one, other = sample_size(0.9, 0.7, power=0.8, **pair), sample_size(0.7, 0.9, power=0.8, **pair)
    assert one.real_n_pos == pytest.approx(other.real_n_pos, rel=1e-13)
    assert one.effect == -other.effect
    greater = sample_size(0.9, 0.7, power=0.8, alternative="greater", **pair)
    less = sample_size(0.7, 0.9, power=0.8, alternative="less", **pair)
    assert greater.real_n_pos == pytest.approx(less.real_n_pos, rel=1e-13)


def test_correlation_saves_cases():
    unpaired = sample_size(0.85, 0.8, paired=False, power=0.8).real_n_pos
    assert sample_size(0.85, 0.8, corr=0, power=0.8).real_n_pos == pytest.approx(unpaired, rel=1e-13)
    assert sample_size(0.85, 0.8, rating_corr=0, power=0.8).real_n_pos == pytest.approx(unpaired, rel=1e-13)
    for name in ("corr", "rating_corr"):
        result = [sample_size(0.85, 0.8, power=0.8, **{name: r}).real_n_pos for r in (-0.5, 0, 0.5, 0.9)]
        assert result == sorted(result, reverse=True)


@pytest.mark.parametrize("question", [{"auc": 0.7}, {"auc": 0.7, "auc2": 0.6, "corr": 0.4}])
def test_one_side_of_a_level_is_two_sides_of_another(question):
    one = sample_size(**question, power=0.8, level=0.975, alternative="greater")
    two = sample_size(**question, power=0.8, level=0.95)
    assert one.real_n_pos == pytest.approx(two.real_n_pos, rel=1e-12)
    easier = sample_size(**question, power=0.8, level=0.95, alternative="greater")
    assert easier.real_n_pos < two.real_n_pos


def test_the_wrong_side_has_little_power():
    result = power(0.7, n_pos=20, n_neg=20, alternative="less")
    assert result.status == "ok"
    assert result.power < 0.001


# ---- Two points -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("level", [0.9, 0.95, 0.99])
@pytest.mark.parametrize("n", [2, 3, 4, 5, 17, 40])
@pytest.mark.parametrize("alternative", ["two-sided", "greater"])
def test_exact_power_of_points_agrees_with_counting(n, level, alternative):
    for gap in (0.05, 0.3, 0.7):
        result = power(tpr_gap=gap, n_pos=n, level=level, alternative=alternative).power
        assert result == pytest.approx(slow.point_power(n, gap, level, alternative), rel=1e-10, abs=1e-15)


@pytest.mark.parametrize("level", [0.8, 0.95, 0.99])
@pytest.mark.parametrize("gap", [0.1, 0.25, 0.5, 0.8])
def test_exact_size_of_points_agrees_with_counting(gap, level):
    for expected in (0.5, 0.8, 0.95):
        result = sample_size(tpr_gap=gap, power=expected, level=level).n_pos
        assert result == slow.point_size(expected, gap, level)


def test_four_members_between_the_points_are_significant():
    points = PointDesign(rate="tpr", gap=0.1, folds=None, method="exact", level=0.95, alternative="two-sided")
    assert {points.critical(n) for n in (4, 5, 10, 100, 10**4, 10**9)} == {4}


def test_exact_power_of_points_grows():
    result = [power(tpr_gap=0.03, n_pos=n).power for n in range(4, 400)]
    assert result == sorted(result)


def test_normal_size_of_points_is_the_formula():
    z, z_power, t_9 = 1.959963984540054, 1.2815515655446004, 2.262157162798205
    plain = sample_size(tpr_gap=0.05, power=0.9, method="normal")
    assert plain.real_n_pos == pytest.approx((z + z_power) ** 2 * 0.95 / 0.05, rel=1e-12)
    folds = sample_size(tpr_gap=0.05, power=0.9, folds=10)
    assert folds.real_n_pos == pytest.approx((t_9 + z_power) ** 2 * 0.95 / 0.05, rel=1e-12)


# ---- Studies without a size or a power ---------------------------------------------------------------------

UNDEFINED = [
    ({"auc": 0.5, "power": 0.8}, "there is no difference to detect"),
    ({"auc": 0.7, "null": 0.7, "power": 0.8}, "there is no difference to detect"),
    ({"auc": 0.7, "auc2": 0.7, "corr": 0.5, "power": 0.8}, "there is no difference to detect"),
    ({"auc": 0.7, "power": 0.8, "alternative": "less"}, "the difference of +0.2 is against the alternative"),
    (
        {"auc": 0.6, "auc2": 0.7, "paired": False, "power": 0.8, "alternative": "greater"},
        "the difference of -0.1 is against the alternative",
    ),
    ({"auc": 0.7, "power": 0.001}, "every size is enough"),
    ({"tpr_gap": 0.1, "power": 0.001, "method": "normal"}, "every size is enough"),
    ({"auc": 0.5 + 1e-9, "power": 0.8}, "more than 1e+15 cases would be needed"),
]


@pytest.mark.parametrize(("question", "reason"), UNDEFINED)
def test_no_size_has_a_reason(question, reason):
    plan = sample_size(**question)
    assert (plan.status, plan.reason) == ("undefined", reason)
    assert (plan.n_pos, plan.n_neg, plan.real_n_pos, plan.real_n_neg, plan.half_width) == (None,) * 5
    assert reason in str(plan)


def test_no_power_has_a_reason():
    plan = power(0.7, null=0.7, n_pos=10, n_neg=20)
    assert (plan.status, plan.reason) == ("undefined", "there is no difference to detect")
    assert plan.power is None
    assert plan.half_width > 0
    assert str(plan) == (
        "Area 0.7 against 0.7: undefined, there is no difference to detect (95% level, two-sided, obuchowski)"
    )


def test_a_size_that_rounding_lifts_above_a_whole_number_is_that_number():
    plan = sample_size(tpr_gap=0.5, half_width=1.959963984540054 * 0.5 / math.sqrt(100))
    assert plan.n_pos == 100


@pytest.mark.parametrize("method", VARIANCES)
def test_extreme_areas_have_a_size(method):
    for auc in (1e-300, 1 - 1e-16):
        plan = sample_size(auc, power=0.9, method=method)
        assert plan.status == "ok"
        assert power(auc, n_pos=50, n_neg=50, method=method).power > 0.999
    almost = sample_size(0.8, 0.8 + 1e-6, corr=1 - 1e-15, power=0.9, method=method)
    assert almost.status == "ok"


# ---- Arguments --------------------------------------------------------------------------------------------

ONE = {"auc": 0.8, "power": 0.8}
TWO = {"auc": 0.8, "auc2": 0.7, "power": 0.8}
POINTS = {"tpr_gap": 0.1, "power": 0.8}
SIZE_ERRORS = [
    ({"power": 0.8}, "one of auc, tpr_gap and fpr_gap must be given, got none"),
    (ONE | {"tpr_gap": 0.1}, "one of auc, tpr_gap and fpr_gap must be given, got auc and tpr_gap"),
    (POINTS | {"fpr_gap": 0.1}, "one of auc, tpr_gap and fpr_gap must be given, got tpr_gap and fpr_gap"),
    ({"auc": 0.8}, "one of power and half_width must be given, got none"),
    (ONE | {"half_width": 0.1}, "one of power and half_width must be given, got both"),
    (ONE | {"auc": 1}, "auc must lie between 0 and 1, got 1"),
    (ONE | {"auc": "0.8"}, "auc must be a number, got '0.8'"),
    (ONE | {"null": 0}, "null must lie between 0 and 1, got 0"),
    (ONE | {"power": 80}, "power must lie between 0 and 1, got 80"),
    (ONE | {"ratio": 0}, "ratio must be greater than 0, got 0"),
    (ONE | {"ratio": math.inf}, "ratio must be greater than 0, got inf"),
    (ONE | {"level": 95}, "level must lie between 0 and 1, got 95"),
    (
        ONE | {"alternative": "one-sided"},
        "alternative must be one of 'two-sided', 'less', 'greater', got 'one-sided'; "
        "did you mean 'two-sided'?",
    ),
    (
        ONE | {"method": "hanley"},
        "method must be one of 'obuchowski', 'hanley-mcneil', 'binormal', got 'hanley'; "
        "did you mean 'hanley-mcneil'?",
    ),
    (ONE | {"corr": 0.5}, "corr must not be given for one area, got 0.5"),
    (ONE | {"paired": True}, "paired must not be given for one area, got True"),
    (ONE | {"folds": 10}, "folds must not be given for areas, got 10"),
    (TWO, "one of corr and rating_corr must be given for paired curves, got none"),
    (
        TWO | {"corr": 0.5, "rating_corr": 0.5},
        "one of corr and rating_corr must be given for paired curves, got both",
    ),
    (TWO | {"paired": False, "corr": 0.5}, "corr must not be given for unpaired curves, got 0.5"),
    (TWO | {"paired": 0}, "paired must be True or False, got 0"),
    (TWO | {"corr": 0.5, "null": 0.5}, "null must not be given for two areas, got 0.5"),
    (TWO | {"corr": 1}, "corr must lie between -1 and 1, got 1"),
    (TWO | {"rating_corr": (0.5, 1)}, "rating_corr[1] must lie between -1 and 1, got 1"),
    (
        TWO | {"rating_corr": (0.5, 0.5, 0.5)},
        "rating_corr must be a number or a pair (negatives, positives), got (0.5, 0.5, 0.5)",
    ),
    (TWO | {"rating_corr": "0.5"}, "rating_corr must be a number, got '0.5'"),
    (
        TWO | {"rating_corr": 0.5, "method": "hanley-mcneil"},
        "rating_corr must not be given for method 'hanley-mcneil', which needs corr",
    ),
    ({"auc": 0.8, "half_width": 0}, "half_width must lie between 0 and 1, got 0"),
    ({"auc": 0.8, "half_width": 0.1, "null": 0.5}, "null must not be given for an interval, got 0.5"),
    (
        {"auc": 0.8, "half_width": 0.1, "alternative": "less"},
        "alternative must not be given for an interval, got 'less'",
    ),
    (POINTS | {"auc2": 0.7}, "auc2 must not be given for two points, got 0.7"),
    (POINTS | {"ratio": 2}, "ratio must not be given for two points, got 2"),
    (POINTS | {"tpr_gap": 0}, "tpr_gap must lie between 0 and 1, got 0"),
    (POINTS | {"folds": 1}, "folds must be a whole number of at least 2, got 1"),
    (POINTS | {"folds": 10, "method": "exact"}, "method must be 'normal' for folds, got 'exact'"),
    (
        {"tpr_gap": 0.1, "half_width": 0.05, "method": "exact"},
        "method must be 'normal' for an interval, got 'exact'",
    ),
    (
        POINTS | {"method": "binormal"},
        "method must be one of 'exact', 'normal', got 'binormal'; did you mean 'normal'?",
    ),
    (
        POINTS | {"alternative": "less"},
        "alternative must be 'two-sided' or 'greater' for two points, whose gap is positive, got 'less'",
    ),
]
POWER_ERRORS = [
    ({"auc": 0.8, "n_pos": 10}, "n_neg must be a number, got None"),
    ({"auc": 0.8, "n_pos": 0, "n_neg": 10}, "n_pos must be greater than 0, got 0"),
    ({"auc": 0.8, "n_pos": 10, "n_neg": math.nan}, "n_neg must be greater than 0, got nan"),
    ({"tpr_gap": 0.1, "n_neg": 10}, "n_neg must not be given for a gap in TPR, got 10"),
    ({"fpr_gap": 0.1, "n_pos": 10}, "n_pos must not be given for a gap in FPR, got 10"),
    ({"fpr_gap": 0.1, "n_neg": 1}, "n_neg must be greater than 1, got 1"),
    (
        {"fpr_gap": 0.1, "n_neg": 9, "power": 0.8},
        "power must not be given for two points of a class of this size, got 0.8",
    ),
    (
        {"fpr_gap": 0.1, "n_neg": 9, "level": None, "power": 0.8},
        "power must not be given for two points of a class of this size, got 0.8",
    ),
    ({"fpr_gap": 0.1, "n_neg": 9, "level": None}, "level must be a number, got None"),
    ({"fpr_gap": 0.1, "n_neg": 9, "fpr": (0, 0.1)}, "fpr must not be given for two points, got (0, 0.1)"),
    (
        {"auc": 0.8, "n_pos": 9, "n_neg": 9, "power": 0.8},
        "one of auc, power and level must be left out, got all",
    ),
    ({"auc": 0.8, "n_pos": 9, "n_neg": 9, "level": None}, "power must be a number, got None"),
    (
        {"n_pos": 9, "n_neg": 9, "level": None, "power": 0.8},
        "one of auc, tpr_gap and fpr_gap must be given, got none",
    ),
    ({"n_pos": 9, "power": 0.8}, "n_neg must be a number, got None"),
    ({"power": 0.8}, "n_pos must be a number, got None"),
]


@pytest.mark.parametrize(("arguments", "message"), SIZE_ERRORS)
def test_sample_size_refuses(arguments, message):
    with pytest.raises(RocInputError) as error:
        sample_size(**arguments)
    assert str(error.value) == message


@pytest.mark.parametrize(("arguments", "message"), POWER_ERRORS)
def test_power_refuses(arguments, message):
    with pytest.raises(RocInputError) as error:
        power(**arguments)
    assert str(error.value) == message


def test_numpy_numbers_are_numbers():
    plan = sample_size(np.float64(0.8), np.float32(0.5), power=np.float64(0.9), corr=np.float64(0.25))
    assert plan == sample_size(0.8, 0.5, power=0.9, corr=0.25)
    assert type(plan.power) is float
    unpaired = sample_size(0.8, 0.5, paired=np.False_, power=0.9)
    assert unpaired == sample_size(0.8, 0.5, paired=False, power=0.9)
    pairs = sample_size(0.8, 0.5, rating_corr=np.array([0.1, 0.2]), power=0.9)
    assert pairs == sample_size(0.8, 0.5, rating_corr=(0.1, 0.2), power=0.9)


# ---- The result -------------------------------------------------------------------------------------------

# The figures were result with R: pnorm of the textbook formula, pbinom, and a normal interval.
TEXTS = [
    (
        power(0.8, 0.7, paired=False, n_pos=50, n_neg=100, level=0.9, method="hanley-mcneil"),
        "Areas 0.8 and 0.7, unpaired: 50 positive and 100 negative cases for each curve give power 0.4802 "
        "(90% level, two-sided, hanley-mcneil)",
    ),
    (
        sample_size(fpr_gap=0.02, power=0.9, alternative="greater"),
        "Two points whose FPR differs by 0.02: 265 negative cases give at least power 0.9000 "
        "(95% level, greater, exact)",
    ),
    (
        sample_size(tpr_gap=0.1, half_width=0.05),
        "Two points whose TPR differs by 0.1: 139 positive cases give at most half-width 0.0500 "
        "(95% level, two-sided, normal)",
    ),
]


@pytest.mark.parametrize(("plan", "text"), TEXTS)
def test_text(plan, text):
    assert str(plan) == text


def test_result_is_strict_json_and_a_row():
    plan = sample_size(0.75, power=0.9)
    fields = json.loads(plan.to_json())
    assert fields["type"] == "StudyPlan"
    assert (fields["n_pos"], fields["auc"], fields["null"], fields["auc2"]) == (26, 0.75, 0.5, None)
    assert plan["n_neg"] == 26
    assert len(plan.frame()) == 1


def test_neither_statistics_nor_optimisers_are_loaded_for_a_power():
    code = (
        "import sys; from rocscope.inference.power import power; power(0.8, n_pos=10, n_neg=10);"
        "sys.exit(bool({'scipy.stats', 'scipy.optimize', 'pandas', 'numba'} & set(sys.modules)))"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_the_text_keeps_all_digits_that_were_given():
    assert str(sample_size(0.5000001, power=0.8)).startswith(
        "Area 0.5000001 against 0.5: 124326255122845 positive"
    )
    assert str(power(0.8, 0.8000001, n_pos=50, n_neg=50, corr=0.5)).startswith(
        "Areas 0.8 and 0.8000001, paired"
    )
    assert str(power(tpr_gap=0.0012345678, n_pos=5000)).startswith(
        "Two points whose TPR differs by 0.0012345678:"
    )
    assert "(99.99999% level," in str(power(0.8, n_pos=50, n_neg=50, level=0.9999999))
    assert "give at most half-width 1e-05 (" in str(sample_size(0.8, half_width=1e-5))
