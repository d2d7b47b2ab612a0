import json
import math
from dataclasses import replace
from itertools import combinations

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

import rocscope as rs
from data_folder import data_dir
from reference_cases import load_reference
from rocscope.core.result import Result
from rocscope.errors import RocInputError, UndefinedError
from rocscope.inference import reader_areas, reader_variance
from slow import readers as slow

REFERENCE = load_reference("reader_study")
EFFECTS = {
    "random": {},
    "fixed readers": {"readers": "fixed"},
    "fixed cases": {"cases": "fixed"},
}
METHODS = ("delong", "jackknife", "unbiased", "gallas")


def readings(study, positive):
    """Long form of a study of the slow twins."""
    rows = [(t, r, c, s) for (t, r), cell in study.items() for c, s in cell.items()]
    modality, reader, case, score = zip(*rows, strict=True)
    return {
        "y_true": [int(c in positive) for c in case],
        "y_score": score,
        "reader": reader,
        "modality": modality,
        "case": case,
    }


def simulated(seed, *, modalities=2, readers=3, n_pos=5, n_neg=6, levels=4, design="crossed"):
    """A small study with ties; the shape of the design as `ReaderStudy.design` calls it."""
    rng = np.random.default_rng(seed)
    positive = {f"p{k}" for k in range(n_pos)}
    cases = [*sorted(positive), *(f"n{k}" for k in range(n_neg))]
    reads = {
        "crossed": lambda k, r, t: True,
        "nested in readers": lambda k, r, t: k % readers == r,
        "nested in modalities": lambda k, r, t: k % modalities == t,
        "split-plot": lambda k, r, t: k % 2 == r % 2,
        "unbalanced": lambda k, r, t: (k + r + 2 * t) % 4 > 0,
    }[design]
    study = {
        (f"m{t}", f"r{r}"): {
            case: int(rng.integers(0, levels)) + (case in positive) * int(rng.integers(0, 3))
            for k, case in enumerate(cases)
            if reads(k, r, t)
        }
        for t in range(modalities)
        for r in range(readers)
    }
    return study, positive


def analyse(study, positive, **options):
    return rs.reader_study(**readings(study, positive), **options)


# ---- The printed numbers of VanDyke and of other packages -------------------------------------------------

# Smith and Hillis, MRMCaov (article in docs/jss of the package), "Multi-Reader Multi-Case Analysis".
PRINTED = {
    ("delong", "random"): {
        "difference": -0.04380032, "se": 0.0206825, "df": 15.06611, "p_value": 0.05123303,
        "low": -0.0878671960, "high": 0.0002665519, "statistic": -2.117747, "f_statistic": 4.484854,
    },
    ("unbiased", "random"): {
        "se": 0.02067154, "df": 15.03418, "p_value": 0.0511618, "low": -0.0878519409, "high": 0.0002512968,
    },
    ("jackknife", "fixed readers"): {
        "se": 0.01871748, "statistic": -2.340075, "p_value": 0.01927984, "low": -0.08048591,
        "high": -0.00711473, "f_statistic": 5.475953,
    },
    ("delong", "fixed cases"): {
        "f_statistic": 8.704, "df": 4, "p_value": 0.04195875, "se": 0.01484629, "statistic": -2.950254,
    },
}  # fmt: skip
PRINTED_MEANS = [(0.8970370, 0.8253461, 0.9687280), (0.9408374, 0.8942155, 0.9874592)]


def vandyke(case="case", **options):
    path = data_dir() / "VanDyke" / "VanDyke.csv"
    if not path.is_file():
        pytest.skip("the folder of the data sets holds no VanDyke/VanDyke.csv")
    data = pd.read_csv(path, dtype={"case2": str, "case3": str})
    columns = {"label": "truth", "score": "rating", "reader": "reader", "modality": "treatment"}
    return rs.reader_study(data, case=case, **columns, **options)


@pytest.mark.parametrize("key", PRINTED, ids=" ".join)
def test_printed_numbers_from_the_readings(key):
    method, effect = key
    found = vandyke(method=method, **EFFECTS[effect])
    for name, value in PRINTED[key].items():
        assert getattr(found, name) == pytest.approx(value, rel=2e-6, abs=6e-9), name
    if key == ("delong", "random"):
        for row, (value, low, high) in zip(found.means, PRINTED_MEANS, strict=True):
            assert (row.value, row.low, row.high) == pytest.approx((value, low, high), abs=6e-8)


def test_nested_vandyke_from_the_readings():
    found = vandyke("case2", method="jackknife")
    assert found.design == "nested in readers"
    assert (found.se, found.df, found.p_value) == pytest.approx((0.01484629, 4, 0.04195875), rel=1e-6)
    found = vandyke("case3", method="jackknife")
    assert found.design == "nested in modalities"
    assert (found.se, found.df, found.p_value) == pytest.approx((0.03019283, 68.42325, 0.1514363), rel=1e-6)


def reference_areas(case, one):
    """Areas and covariances that another package has computed, without readings."""
    shape = case["modalities"], case["readers"]
    cells = math.prod(shape)
    covariance = np.array(one["covariance"] or np.full(cells * cells, np.nan)).reshape(cells, cells)
    return reader_areas.ReaderAreas(
        auc=np.array(case["auc"]).reshape(shape),
        n_pos=np.full(shape, case["n_pos"]),
        n_neg=np.full(shape, case["n_neg"]),
        covariance=covariance,
        covariance_pos=np.full_like(covariance, np.nan),
        twice_u=np.zeros(cells, dtype=object),
        pairs=np.ones(cells, dtype=object),
    )


REAL = [
    pytest.param(case, one, id=f"{case['name']}, {one['method']}, {one['effect']}")
    for case in REFERENCE["real"]
    for one in case["analyses"]
]


@pytest.mark.parametrize(("case", "one"), REAL)
def test_analyses_of_areas_and_covariances_of_real_studies(case, one):
    areas = reference_areas(case, one)
    components = reader_variance.variance_components(areas, crossed=False)
    if one["components"]:
        names = ("reader", "modality_reader", "error", "cov1", "cov2", "cov3")
        found = [components[name] for name in names]
        assert found == pytest.approx(one["components"], rel=1e-9, abs=1e-15)
    effect = {"readers": "random", "cases": "random"} | EFFECTS[one["effect"]]
    means, spread = reader_variance.Effects(**effect, components=components).anova(areas)
    variance, df = spread.overall
    difference = means[0] - means[1]
    assert difference == pytest.approx(one["difference"][0], rel=1e-9)
    assert math.sqrt(variance) == pytest.approx(one["se"][0], rel=1e-9)
    assert difference**2 / variance == pytest.approx(one["overall"], rel=1e-9)
    if df is None:
        p = stats.chi2.sf(difference**2 / variance, 1)
    else:
        assert df == pytest.approx(one["df"], rel=1e-9)
        p = stats.f.sf(difference**2 / variance, 1, df)
    assert p == pytest.approx(one["p_value"], rel=1e-7)
    assert [math.sqrt(v) for v, _ in spread.mean] == pytest.approx(one["mean_se"], rel=1e-9)


def test_the_real_reference_is_the_printed_one():
    """What the package computes here is what its article prints."""
    case = next(case for case in REFERENCE["real"] if case["name"] == "VanDyke")
    found = {(one["method"], one["effect"]): one for one in case["analyses"]}
    one = found["delong", "random"]
    expected = PRINTED["delong", "random"]
    assert one["se"][0] == pytest.approx(expected["se"], rel=1e-6)
    assert (one["df"], one["p_value"]) == pytest.approx((expected["df"], expected["p_value"]), rel=1e-6)
    assert np.array(case["auc"]).reshape(2, 5).mean(axis=1) == pytest.approx([0.8970370, 0.9408374], abs=6e-8)
    assert found["jackknife", "fixed readers"]["p_value"] == pytest.approx(0.01927984, rel=1e-6)
    assert found["jackknife", "fixed cases"]["overall"] == pytest.approx(8.704, rel=1e-9)


def reference_study(case, **options):
    rows = {name: case[name] for name in ("reader", "modality", "case")}
    return rs.reader_study(case["truth"], case["rating"], **rows, **options)


SIMULATED = [
    pytest.param(case, one, id=f"{case['name']}, {one['method']}, {one['effect']}")
    for case in REFERENCE["simulated"]
    for one in case["analyses"]
]


@pytest.mark.parametrize(("case", "one"), SIMULATED)
def test_agrees_with_mrmcaov_on_simulated_readings(case, one):
    found = reference_study(case, method=one["method"], **EFFECTS[one["effect"]])
    assert found.auc.ravel() == pytest.approx(case["auc"], rel=1e-12)
    if one["covariance"]:
        assert found.cov.ravel() == pytest.approx(one["covariance"], rel=1e-9, abs=1e-15)
        names = ("reader", "modality_reader", "error", "cov1", "cov2", "cov3")
        parts = [found.components[name] for name in names]
        assert parts == pytest.approx(one["components"], rel=1e-8, abs=1e-14)
    overall = found.f_statistic * (found.df_modality if one["effect"] == "fixed readers" else 1)
    assert (overall, found.p_value) == pytest.approx((one["overall"], one["p_value"]), rel=1e-8)
    if one["effect"] != "fixed readers":
        assert found.df == pytest.approx(one["df"], rel=1e-8)
    for name in ("difference", "se", "low", "high"):
        assert [row[name] for row in found.pairs] == pytest.approx(one[name], rel=1e-8), name
    for name, field in (("mean", "value"), ("mean_se", "se"), ("mean_low", "low"), ("mean_high", "high")):
        assert [row[field] for row in found.means] == pytest.approx(one[name], rel=1e-8), name


@pytest.mark.parametrize("case", REFERENCE["simulated"], ids=lambda case: case["name"])
def test_agrees_with_imrmc_on_simulated_readings(case):
    found = reference_study(case, method="gallas")
    first, both, second = case["gallas"]["covariance"]
    assert [row.value for row in found.means[:2]] == pytest.approx(case["gallas"]["auc"], rel=1e-12)
    rows = (*found.means[:2], found.pairs[0])
    for row, variance in zip(rows, (first, second, first + second - 2 * both), strict=True):
        if variance > 0:
            assert row.se**2 == pytest.approx(variance, rel=1e-9)
        else:
            assert (row.se, row.reason) == (None, "the estimated variance is negative")


@pytest.mark.parametrize(
    "design", ["crossed", "nested in readers", "nested in modalities", "split-plot", "unbalanced"]
)
def test_designs_of_the_reference(design):
    case = next(case for case in REFERENCE["simulated"] if case["name"] == design)
    assert reference_study(case, method="gallas").design == design


# ---- Slow twins -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "design", ["crossed", "nested in readers", "nested in modalities", "split-plot", "unbalanced"]
)
@settings(max_examples=4, deadline=None)
@given(seed=st.integers(0, 10**6))
def test_covariances_agree_with_definitions(design, seed):
    study, positive = simulated(seed, design=design, n_pos=9, n_neg=9)
    cells = list(study.values())
    cases = sorted({case for cell in cells for case in cell})
    twins = {
        "delong": lambda a, b: slow.delong(a, b, positive),
        "jackknife": lambda a, b: slow.jackknife(a, b, positive, cases),
        "unbiased": lambda a, b: slow.unbiased(a, b, positive),
    }
    for method, twin in twins.items():
        if method == "delong" and design == "unbalanced":
            continue
        found = analyse(study, positive, method=method)
        assert found.auc.ravel() == pytest.approx([slow.area(cell, positive) for cell in cells])
        expected = [[twin(a, b) for b in cells] for a in cells]
        np.testing.assert_allclose(found.cov, expected, rtol=1e-9, atol=1e-14)
        parts = found.components
        averages = slow.averages(np.array(expected), *found.auc.shape)
        assert (parts.error, parts.cov1, parts.cov2, parts.cov3) == pytest.approx(averages, abs=1e-14)
        squares = slow.mean_squares(found.auc)
        found_squares = parts.ms_modality, parts.ms_reader, parts.ms_modality_reader
        assert found_squares == pytest.approx(squares, abs=1e-14)


@pytest.mark.parametrize("design", ["crossed", "split-plot", "unbalanced", "nested in readers"])
@settings(max_examples=3, deadline=None)
@given(seed=st.integers(0, 10**6))
def test_moments_agree_with_loops(design, seed):
    study, positive = simulated(seed, design=design, n_pos=8, n_neg=7)
    modalities = ("m0", "m1")

    def variance(moment):
        matrix = np.array([[moment(study, s, t, positive) for t in modalities] for s in modalities])
        return matrix, float(matrix[0, 0] + matrix[1, 1] - 2 * matrix[0, 1])

    for effect, moment in (("random", slow.gallas), ("fixed", slow.readers_apart)):
        found = analyse(study, positive, method="gallas", cases=effect)
        matrix, of_difference = variance(moment)
        for k, row in enumerate(found.means):
            assert row.value == pytest.approx(slow.mean_area(study, modalities[k], positive))
            if matrix[k, k] > 1e-12:
                assert row.se**2 == pytest.approx(matrix[k, k], rel=1e-7)
            elif matrix[k, k] < -1e-12:
                assert row.reason == "the estimated variance is negative"
        if of_difference > 1e-12:
            assert found.se**2 == pytest.approx(of_difference, rel=1e-7)
        elif of_difference < -1e-12:
            assert (found.status, found.reason) == ("undefined", "the estimated variance is negative")


# ---- Identities -------------------------------------------------------------------------------------------


@settings(max_examples=20, deadline=None)
@given(seed=st.integers(0, 10**6), modalities=st.integers(2, 3))
def test_gallas_is_the_unbiased_analysis_of_a_crossed_study(seed, modalities):
    study, positive = simulated(seed, modalities=modalities, readers=4)
    for effect in EFFECTS.values():
        one, other = (analyse(study, positive, method=method, **effect) for method in ("unbiased", "gallas"))
        if one.components.cov2 <= one.components.cov3 and not effect:
            continue  # the maximum
        if one.p_value is None or other.p_value is None:
            continue
        if modalities == 2:
            assert (one.se, one.p_value) == pytest.approx((other.se, other.p_value), rel=1e-7, abs=1e-10)
        else:
            assert one.f_statistic == pytest.approx(other.f_statistic, rel=1e-7, abs=1e-10)
        if one.df is not None:
            assert one.df == pytest.approx(other.df, rel=1e-6)


@settings(max_examples=20, deadline=None)
@given(seed=st.integers(0, 10**6))
def test_covariance_of_a_crossed_study_is_delongs(seed):
    study, positive = simulated(seed)
    cases = sorted(next(iter(study.values())))
    scores = {f"{t} {r}": [cell[case] for case in cases] for (t, r), cell in study.items()}
    expected = rs.compare_auc([int(case in positive) for case in cases], scores, method="delong")
    found = analyse(study, positive)
    np.testing.assert_allclose(found.cov, expected.cov, rtol=1e-12, atol=1e-18)
    assert found.auc.ravel().tolist() == expected.auc.tolist()
    for row in found.reader_differences:
        names = sorted((f"{row.first} {row.reader}", f"{row.second} {row.reader}"))
        pair = next(pair for pair in expected.pairs if [pair.first, pair.second] == names)
        assert (row.difference, row.p_value) == pytest.approx((pair.difference, pair.p_value), abs=1e-9)


def test_parts_of_the_positives_add_up_with_those_of_the_negatives():
    """With the classes turned round the other part is the part of the positives."""
    study, positive = simulated(3, n_pos=7, n_neg=9)
    cases = {case for cell in study.values() for case in cell}
    turned = {key: {case: -score for case, score in cell.items()} for key, cell in study.items()}
    for method in METHODS:
        one = analyse(study, positive, method=method).components
        other = analyse(turned, cases - positive, method=method).components
        for name in ("error", "cov1", "cov2", "cov3"):
            assert one[name] == pytest.approx(other[name], abs=1e-16)
            assert one[f"{name}_pos"] + other[f"{name}_pos"] == pytest.approx(one[name], abs=1e-15)


def test_equal_modalities_do_not_differ():
    study, positive = simulated(5)
    study |= {("m1", reader): cell for (t, reader), cell in study.items() if t == "m0"}
    for method in METHODS:
        for effect in EFFECTS.values():
            found = analyse(study, positive, method=method, **effect)
            assert (found.difference, found.se, found.statistic, found.p_value) == (0, 0, 0, 1), (
                method,
                effect,
            )


def test_order_of_rows_and_kind_of_columns_do_not_matter():
    study, positive = simulated(7)
    rows = readings(study, positive)
    expected = rs.reader_study(**rows)
    frame = pd.DataFrame(rows).sample(frac=1, random_state=1)
    options = {
        "label": "y_true",
        "score": "y_score",
        "reader": "reader",
        "modality": "modality",
        "case": "case",
    }
    assert rs.reader_study(frame, **options) == expected
    assert (
        rs.reader_study(pl.DataFrame({name: frame[name].tolist() for name in frame}), **options) == expected
    )
    data = rs.BinaryScores.from_arrays(rows["y_true"], rows["y_score"])
    factors = {name: rows[name] for name in ("reader", "modality", "case")}
    assert rs.reader_study(data, **factors) == expected


def test_low_scores_may_stand_for_the_positive_class():
    study, positive = simulated(8)
    rows = readings(study, positive)
    expected = rs.reader_study(**rows)
    rows["y_score"] = [-score for score in rows["y_score"]]
    found = rs.reader_study(**rows, direction="lower")
    assert found.auc.tolist() == expected.auc.tolist()
    below = rs.reader_study(**rows)
    assert below.difference == pytest.approx(-expected.difference)
    assert below.warnings[0].startswith("m0: the area is below 0.5")


def test_rows_with_missing_values_are_left_out_and_counted():
    study, positive = simulated(9, n_pos=8, n_neg=8)
    rows = readings(study, positive)
    scores = [*map(float, rows["y_score"])]
    scores[3], scores[20] = math.nan, math.nan
    found = rs.reader_study(**rows | {"y_score": scores}, method="unbiased", na="drop")
    assert found.design == "unbalanced"
    assert found.warnings == ("2 rows with missing values left out: 2 of class 1",)
    assert sum(row.n_pos + row.n_neg for row in found.reader_areas) == len(scores) - 2


# ---- Three modalities -------------------------------------------------------------------------------------


def test_three_modalities_have_f_and_all_pairs():
    study, positive = simulated(11, modalities=3, readers=4, n_pos=12, n_neg=12)
    found = analyse(study, positive)
    assert (found.kind, found.difference, found.se, found.low, found.high) == ("F", None, None, None, None)
    assert [(row.first, row.second) for row in found.pairs] == list(combinations(("m0", "m1", "m2"), 2))
    parts = found.components
    variance = 2 / 4 * (parts.ms_modality_reader + 4 * max(parts.cov2 - parts.cov3, 0))
    assert found.statistic == pytest.approx(parts.ms_modality / (4 * variance / 2))
    assert found.p_value == pytest.approx(stats.f.sf(found.statistic, 2, found.df))
    smallest = min(row.p_value for row in found.pairs)
    assert min(row.p_adjusted for row in found.pairs) == pytest.approx(min(1, 3 * smallest))
    fixed = analyse(study, positive, readers="fixed")
    assert (fixed.kind, fixed.df) == ("chi2", 2)
    assert fixed.p_value == pytest.approx(stats.chi2.sf(fixed.statistic, 2))
    assert "F = " in str(found)


# ---- Power ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "one", REFERENCE["power"], ids=lambda one: f"{one['effect']}, {one['readers']} readers"
)
def test_power_agrees_with_rjafroc(one):
    """Components of VanDyke; all covariances count as those of one class, so that one factor scales them."""
    case = next(case for case in REFERENCE["real"] if case["name"] == "VanDyke")
    analysis = next(a for a in case["analyses"] if (a["method"], a["effect"]) == ("delong", "random"))
    areas = reference_areas(case, analysis)
    parts = reader_variance.variance_components(areas, crossed=False)
    none = dict.fromkeys(("error_pos", "cov1_pos", "cov2_pos", "cov3_pos"), 0.0)
    effects = {"RRRC": ("random", "random"), "FRRC": ("fixed", "random"), "RRFC": ("random", "fixed")}
    study, positive = simulated(1)
    base = analyse(study, positive)
    known = replace(
        base,
        readers=tuple("12345"),
        components=replace(parts, **none),
        n_pos=45,
        n_neg=69,
        reader_effect=effects[one["effect"]][0],
        case_effect=effects[one["effect"]][1],
    )
    sizes = {"n_neg": 69 * one["cases"]} if one["cases"] > 1 else {}
    found = known.power(n_readers=one["readers"], difference=one["difference"], **sizes)
    assert found.noncentrality == pytest.approx(one["noncentrality"], rel=1e-9)
    assert found.power == pytest.approx(one["power"], rel=1e-7)


def test_power_of_the_same_study_and_of_larger_ones():
    study, positive = simulated(19, readers=4, n_pos=10, n_neg=10)
    found = analyse(study, positive)
    own = found.power()
    assert own.df == pytest.approx(found.df)
    assert own.noncentrality == pytest.approx(found.f_statistic)
    powers = [found.power(n_readers=n, n_pos=20, n_neg=20, difference=0.1).power for n in (4, 8, 16)]
    assert powers == sorted(powers)
    assert found.power(difference=0.0).power == pytest.approx(0.05)
    assert found.power(difference=0.0, level=0.9).power == pytest.approx(0.1)
    assert analyse(study, positive, readers="fixed").power(difference=0.0).power == pytest.approx(0.05)
    more_pos, more_neg = found.power(n_pos=1000, difference=0.1), found.power(n_neg=1000, difference=0.1)
    assert own.n_pos == 10
    both = found.power(n_pos=1000, n_neg=1000, difference=0.1).power
    assert both > max(more_pos.power, more_neg.power)


def test_power_is_refused_where_components_do_not_speak_about_it():
    study, positive = simulated(13, design="nested in readers", n_pos=9, n_neg=9)
    with pytest.raises(UndefinedError) as error:
        analyse(study, positive).power(n_readers=9)
    assert str(error.value) == (
        "power needs the components of a study in which all readers have read all cases in all modalities, "
        "and the design of this one is nested in readers"
    )
    study, positive = simulated(13)
    for options, sizes, message in (
        ({"readers": "fixed"}, {"n_readers": 9}, "n_readers must be left out for fixed readers"),
        ({"cases": "fixed"}, {"n_pos": 9}, "n_pos must be left out for fixed cases"),
        ({}, {"n_readers": 1}, "n_readers must be a whole number of at least 2, got 1"),
        ({}, {"difference": "a"}, "difference must be a number, got 'a'"),
    ):
        with pytest.raises(RocInputError) as error:
            analyse(study, positive, **options).power(**sizes)
        assert str(error.value) == message
    study, positive = simulated(13, modalities=3)
    with pytest.raises(RocInputError) as error:
        analyse(study, positive).power()
    assert str(error.value) == "difference must be given for more than two modalities, got None"
    study, positive = simulated(13, n_pos=1)
    with pytest.raises(UndefinedError) as error:
        analyse(study, positive).power(difference=0.1)
    assert str(error.value) == (
        "power needs variance components: the variance needs two cases in each class for every reader"
    )


# ---- Undefined, and refused -------------------------------------------------------------------------------


def test_one_positive_case_leaves_the_areas():
    study, positive = simulated(14, n_pos=1)
    for method in METHODS:
        found = analyse(study, positive, method=method)
        assert found.status == "undefined"
        assert found.reason == "the variance needs two cases in each class for every reader"
        assert found.difference == pytest.approx(float(found.auc[0].mean() - found.auc[1].mean()))
        assert "Equal areas: undefined, the variance needs two cases" in str(found)
        assert Result.from_dict(json.loads(found.to_json())) == found
        fixed = analyse(study, positive, method=method, cases="fixed")
        assert fixed.status == "ok"


def test_a_difference_that_does_not_vary_has_no_test():
    positive = {"a", "b"}
    best, worst = {"a": 2, "b": 2, "c": 1, "d": 1}, {"a": 1, "b": 1, "c": 1, "d": 1}
    study = {("m0", "r0"): best, ("m0", "r1"): best, ("m1", "r0"): worst, ("m1", "r1"): worst}
    found = analyse(study, positive)
    assert (found.difference, found.se, found.p_value, found.status) == (0.5, 0.0, None, "undefined")
    assert found.reason == "the difference does not vary, which shows no uncertainty"


ROWS = {
    "y_true": [0, 1, 0, 1] * 4,
    "y_score": [1, 2, 2, 3, 1, 1, 2, 2, 3, 2, 1, 4, 2, 2, 1, 5],
    "reader": ["a"] * 8 + ["b"] * 8,
    "modality": (["x"] * 4 + ["y"] * 4) * 2,
    "case": [1, 2, 3, 4] * 4,
}


def changed(name, places):
    values = list(ROWS[name])
    for place, value in places.items():
        values[place] = value
    return {name: values}


BAD = {
    "reader must hold two or more readers, got only 'a'; compare_auc compares the modalities of one reader": {
        name: values[:8] for name, values in ROWS.items()
    },
    "modality must hold two or more modalities, got only 'x'": {"modality": ["x"] * 16, "case": range(16)},
    "reader must have readings of every reader in every modality, got none of reader 'b' in modality 'y'": {
        name: values[:12] for name, values in ROWS.items()
    },
    "y_true must hold one label for every case, got two for 2": changed("y_true", {1: 0}),
    "case must have one reading for every reader, modality and case, got more of case 1 of reader 'a' in "
    "modality 'x'": (changed("case", {1: 1}) | changed("y_true", {1: 0})),
    "y_true and reader and modality and case must have the same length: y_true has 16, reader has 15, "
    "modality has 16, case has 16": {"reader": ROWS["reader"][:15]},
    "y_score must have no missing scores, got missing values in row 2": changed("y_score", {2: None}),
    "reader must have no missing values, got missing values in row 5": changed("reader", {5: None}),
    "case must have no missing values, got missing values in row 0": changed("case", {0: None}),
    "y_true must hold two classes for every reader in every modality, got only 0 for reader 'a' in modality "
    "'x'": ({name: [*values[:1], *values[2:3], *values[4:]] for name, values in ROWS.items()}),
    "y_true must hold two classes, got only 0": {"y_true": [0] * 16},
    "method must be one of 'delong', 'jackknife', 'unbiased', 'gallas', got 'dorfman'": {"method": "dorfman"},
    "readers must be one of 'random', 'fixed', got 'some'": {"readers": "some"},
    "cases must be 'random' where readers are fixed, got 'fixed'": {"readers": "fixed", "cases": "fixed"},
    "level must lie between 0 and 1, got 95": {"level": 95},
    "na must be one of 'error', 'drop', got 'skip'": {"na": "skip"},
    "method must be 'jackknife', 'unbiased' or 'gallas' where readers have some of their cases in common, "
    "not all, got 'delong'": {name: values[1:] for name, values in ROWS.items()},
    "reader must be a one-dimensional array, got None": {"reader": None},
    "reader must have names that differ as text": {"reader": np.array(["1"] * 8 + [1] * 8, dtype=object)},
}


@pytest.mark.parametrize("message", BAD)
def test_bad_input_is_refused(message):
    with pytest.raises(RocInputError) as error:
        rs.reader_study(**ROWS | BAD[message])
    assert str(error.value) == message
    assert error.value.argument is not None


def test_columns_of_a_frame_must_be_there():
    frame = pd.DataFrame(ROWS)
    columns = {"label": "y_true", "score": "y_score", "modality": "modality", "case": "case"}
    with pytest.raises(RocInputError) as error:
        rs.reader_study(frame, **columns, reader="raeder")
    assert str(error.value) == (
        "reader must name a column of the frame ('y_true', 'y_score', 'reader', 'modality', 'case'), "
        "got 'raeder'; did you mean 'reader'?"
    )


# ---- Text, tables and JSON --------------------------------------------------------------------------------


def test_text_of_a_study():
    assert str(rs.reader_study(**ROWS)).splitlines() == [
        "Reader study: 2 readers, 2 modalities (crossed), 2 of class 1, 2 of class 0",
        "Random readers and random cases, delong",
        "Mean areas (95% interval):",
        "  x, all readers: 0.8125 (0.0184-1.0000)",
        "  y, all readers: 0.6875 (0.0000-1.0000)",
        "Equal areas: t = 0.5, df = 1, p = 0.7048",
        "Differences (95% interval):",
        "  x - y, all readers: +0.1250 (-1.0000 to +1.0000), p = 0.7048",
        "Variance components: reader -0.08594, modality x reader 0.04688, error 0.07812, cov1 0.0625, cov2 "
        "0, cov3 0",
    ]


def test_rows_are_readers_and_then_all_readers():
    found = rs.reader_study(**ROWS)
    frame = found.frame()
    assert frame["reader"].tolist() == ["a", "b", "all readers"]
    assert frame["difference"].tolist() == pytest.approx([*(found.auc[0] - found.auc[1]), found.difference])
    table = found.table()
    assert table.columns[:3] == ("Reader", "First", "Second")
    assert [row[0] for row in table.rows] == ["a", "b", "all readers"]
    assert [name for name, *_ in found.by_reader()] == ["a", "b", "all readers"]
    assert Result.from_dict(json.loads(found.to_json())) == found


def test_a_reader_who_is_called_all_readers_keeps_the_own_areas():
    found = rs.reader_study(**ROWS | {"reader": ["all readers"] * 8 + ["b"] * 8})
    rows = found.by_reader()
    assert [row.value for row in rows[0][1]] == found.auc[:, 0].tolist()
    assert [row.value for row in rows[-1][1]] == found.auc.mean(axis=1).tolist()


def test_components_have_correlations():
    parts = rs.reader_study(**ROWS).components
    assert parts.correlations == pytest.approx(
        [parts[name] / parts.error for name in ("cov1", "cov2", "cov3")]
    )
