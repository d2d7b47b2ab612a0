import json
import math

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.metrics import roc_auc_score

from reference_cases import load_reference
from rocscope import ClassScores, Estimate, ResourceError, RocInputError, auc
from rocscope.core import kernels
from rocscope.core.resampling import Sampling, plan_chunks
from rocscope.inference import _multiclass_sums
from rocscope.inference._multiclass_sums import ClassSplit, bootstrap_multiclass
from rocscope.inference.multiclass import MulticlassAuc, average_shares, multiclass_auc
from slow import multiclass as slow
from slow.pairs import HALF

Z = 1.959963984540054  # the normal quantile of 0.975
SCHEMES = [(scheme, average) for scheme in ("ovo", "ovr") for average in ("macro", "weighted")]
REFERENCE = load_reference("multiclass")
# scikit-learn takes only rows that sum to one, and two columns as one score.
FOR_SKLEARN = [case for case in REFERENCE["cases"] if case["recipe"]["levels"] and case["name"] != "two"]
BELOW = "the area is below 0.5: the scores rank the wrong class higher"
Y = ["a", "a", "a", "b", "b", "b", "c", "c", "c"]
P = [[6, 3, 1], [5, 4, 1], [2, 3, 5], [4, 5, 1], [3, 3, 4], [1, 8, 1], [1, 2, 7], [4, 2, 4], [2, 6, 2]]


@pytest.fixture(params=["small", "large"])
def path(request, monkeypatch):
    """NumPy for small data, the compiled kernels for large."""
    monkeypatch.setattr(_multiclass_sums, "LARGE", {"small": 2**62, "large": 0}[request.param])


@st.composite
def classified(draw, max_size=4):
    """Labels of two to four classes, two members or more each, and scores with many ties."""
    sizes = draw(st.lists(st.integers(2, max_size), min_size=2, max_size=4))
    y = draw(st.permutations([code for code, size in enumerate(sizes) for _ in range(size)]))
    score = st.integers(0, draw(st.sampled_from([1, 3, 50]))).map(lambda k: k / 4)
    row = st.lists(score, min_size=len(sizes), max_size=len(sizes))
    return y, [draw(row) for _ in y], list(range(len(sizes)))


def made(case):
    """Data of a reference case."""
    y, scores = slow.recipe(**case["recipe"])
    assert slow.checksum(scores) == case["checksum"]
    return np.array(y), np.array(scores), list(range(1, len(case["recipe"]["sizes"]) + 1))


# ---- Values and variances ----------------------------------------------------------------------------------


@pytest.mark.parametrize(("scheme", "average"), SCHEMES)
@settings(max_examples=40)
@given(data=classified())
def test_average_agrees_with_its_definition(path, scheme, average, data):
    y, scores, classes = data
    result = multiclass_auc(y, scores, classes=classes, scheme=scheme, average=average)
    cases = slow.group(y, scores, classes)
    exact = float(slow.average_area(cases, scheme, average))
    shares = slow.fixed_shares(cases, scheme, average)
    assert float(slow.shared_area(cases, shares)) == exact
    assert result.value == pytest.approx(exact, rel=1e-15)
    variance = float(slow.jackknife_variance(cases, shares))
    assert result.se == pytest.approx(math.sqrt(variance), rel=1e-12, abs=1e-15)
    assert result.status == ("ok" if variance or exact in (0, 1) else "partial")
    assert [float(area) for area, _ in slow.parts(cases, scheme, average)] == [r.value for r in result.rows]


@settings(max_examples=40)
@given(data=classified(max_size=6))
def test_a_pair_is_exact(path, data):
    y, scores, classes = data
    cases = slow.group(y, scores, classes)
    for row in multiclass_auc(y, scores, classes=classes).rows:
        i, j = row.first, row.second
        assert row.by_first == float(slow.directed_area(cases, i, j))
        assert row.by_second == float(slow.directed_area(cases, j, i))
        variance = slow.jackknife_variance(cases, {(i, j): HALF, (j, i): HALF})
        assert row.se == pytest.approx(math.sqrt(variance), rel=1e-15)


@pytest.mark.parametrize("method", ["delong", "logit"])
@settings(max_examples=40)
@given(data=classified())
def test_a_class_against_the_rest_is_the_two_class_area(path, method, data):
    y, scores, classes = data
    result = multiclass_auc(y, scores, classes=classes, scheme="ovr", method=method, level=0.9)
    for code, row in enumerate(result.rows):
        two = auc([label == code for label in y], [r[code] for r in scores], method=method, level=0.9)
        assert dict(two) == {name: row[name] for name in two.keys()}  # noqa: SIM118
        assert (row.positive, row.n_pos, row.n_neg) == (code, y.count(code), len(y) - y.count(code))


@pytest.mark.parametrize("case", REFERENCE["cases"], ids=lambda case: case["name"])
def test_agrees_with_proc(path, case):
    y, scores, classes = made(case)
    near = {"rel": REFERENCE["tolerance"], "abs": REFERENCE["tolerance"]}
    how = {"classes": classes, "method": "delong"}
    ovo = multiclass_auc(y, scores, **how)
    assert ovo.value == pytest.approx(case["hand_till"], **near)
    for row, expected in zip(ovo.rows, case["pairs"], strict=True):
        assert (row.first, row.second) == (expected["first"], expected["second"])
        assert row.by_first == pytest.approx(expected["by_first"], **near)
        assert row.by_second == pytest.approx(expected["by_second"], **near)
        assert row.se**2 == pytest.approx(expected["variance"], **near)
    for row, expected in zip(
        multiclass_auc(y, scores, scheme="ovr", **how).rows, case["classes"], strict=True
    ):
        assert (row.value, row.se**2) == pytest.approx((expected["auc"], expected["variance"]), **near)
        assert (row.low, row.high) == pytest.approx(expected["interval"], **near)


@pytest.mark.parametrize(("scheme", "average"), SCHEMES)
@pytest.mark.parametrize("case", FOR_SKLEARN, ids=lambda case: case["name"])
def test_agrees_with_scikit_learn(case, scheme, average):
    y, scores, classes = made(case)
    result = multiclass_auc(y, scores, classes=classes, scheme=scheme, average=average)
    expected = roc_auc_score(y, scores, multi_class=scheme, average=average, labels=classes)
    assert result.value == pytest.approx(expected, rel=1e-13)


@pytest.mark.parametrize(("scheme", "average"), SCHEMES)
def test_two_classes_with_complementary_scores_are_one_curve(scheme, average):
    y, scores, classes = made(next(case for case in REFERENCE["cases"] if case["name"] == "two"))
    result = multiclass_auc(y, scores, classes=classes, scheme=scheme, average=average)
    one = auc(y, scores[:, 1], pos_label=2, method="logit")
    assert (result.value, result.se) == pytest.approx((one.value, one.se), rel=1e-14)
    assert (result.low, result.high) == pytest.approx((one.low, one.high), rel=1e-14)


@pytest.mark.parametrize(("scheme", "average"), SCHEMES)
def test_order_and_names_of_cases_and_classes_and_scales_do_not_matter(scheme, average):
    y, scores, classes = made(REFERENCE["cases"][2])
    how = {"scheme": scheme, "average": average}
    result = multiclass_auc(y, scores, classes=classes, **how)
    rows, columns = np.random.default_rng(1).permutation(len(y)), [2, 0, 1]
    renamed = np.array([f"class {label}" for label in y])
    moved = multiclass_auc(
        renamed[rows],
        scores[rows][:, columns] ** 3 * [1, 1e-9, 1e9],
        classes=[f"class {classes[column]}" for column in columns],
        **how,
    )
    for name in ("value", "se", "low", "high"):
        assert moved[name] == pytest.approx(result[name], rel=1e-14)


# ---- Intervals ---------------------------------------------------------------------------------------------


def test_intervals_follow_from_the_standard_error():
    result = multiclass_auc(Y, P, classes="abc", method="delong")
    assert result.low == pytest.approx(result.value - Z * result.se, rel=1e-14)
    assert result.high == pytest.approx(min(1, result.value + Z * result.se), rel=1e-14)
    logit = multiclass_auc(Y, P, classes="abc")
    reach = Z * result.se / (result.value * (1 - result.value))
    odds = result.value / (1 - result.value) * np.exp([-reach, reach])
    assert [logit.low, logit.high] == pytest.approx((odds / (1 + odds)).tolist(), rel=1e-13)
    assert {row.method for row in logit.rows} == {"logit"}


@pytest.mark.parametrize("method", ["delong", "logit", "bootstrap"])
def test_one_sided_intervals_have_one_end(method):
    two, less, greater = (
        multiclass_auc(Y, P, classes="abc", method=method, level=level, alternative=side, rng=1)
        for level, side in ((0.9, "two-sided"), (0.95, "less"), (0.95, "greater"))
    )
    assert (less.low, less.high) == pytest.approx((0, two.high), rel=1e-12)
    assert (greater.low, greater.high) == pytest.approx((two.low, 1), rel=1e-12)


@pytest.mark.parametrize("level", [0.9, 0.95])
@pytest.mark.parametrize("scheme", ["ovo", "ovr"])
@pytest.mark.parametrize("method", ["delong", "bootstrap"])
def test_separated_classes_give_the_exact_bound(scheme, level, method):
    y, scores = [0, 0, 0, 1, 1, 2, 2, 2], np.eye(3)[[0, 0, 0, 1, 1, 2, 2, 2]]
    result = multiclass_auc(y, scores, classes=range(3), scheme=scheme, level=level, method=method)
    assert (result.value, result.se, result.status) == (1, 0, "ok")
    assert (result.low, result.high) == (pytest.approx(((1 - level) / 2) ** (1 / 2), rel=1e-14), 1)
    note = "the classes are separated: the interval is the exact bound for an area of 1"
    assert result.warnings == (note,)
    if scheme == "ovo":  # the pair of the two larger classes
        assert result.rows[1].low == pytest.approx(((1 - level) / 2) ** (1 / 3), rel=1e-14)


def test_an_area_of_0_has_the_mirrored_bound():
    result = multiclass_auc(
        [0, 0, 1, 1, 1], [[0, 1]] * 2 + [[1, 0]] * 3, classes=range(2), alternative="less"
    )
    assert (result.value, result.low, result.high) == (0, 0, pytest.approx(1 - 0.05**0.5, rel=1e-14))
    assert result.warnings == (
        BELOW,
        "the classes are separated: the interval is the exact bound for an area of 0",
    )


@pytest.mark.parametrize("method", ["delong", "logit", "bootstrap"])
@pytest.mark.parametrize("scheme", ["ovo", "ovr"])
def test_equal_scores_give_one_half_and_no_interval(scheme, method):
    result = multiclass_auc(Y, [[0.2, 0.3, 0.5]] * 9, classes="abc", scheme=scheme, method=method)
    assert (result.value, result.se, result.low, result.high, result.status) == (
        0.5,
        0,
        None,
        None,
        "partial",
    )
    assert (
        result.reason == "all cases of a class are placed alike, so the variance is 0 and gives no interval"
    )


def test_an_area_below_one_half_is_noted_and_not_turned():
    y, scores, classes = made(REFERENCE["cases"][4])
    result = multiclass_auc(y, scores, classes=classes)
    assert result.value == pytest.approx(REFERENCE["cases"][4]["hand_till"])
    assert result.value < 0.5
    assert result.warnings == (BELOW,)


# ---- Bootstrap ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("scheme", "average"), SCHEMES)
def test_replicates_are_the_areas_of_the_drawn_cases(scheme, average):
    y, scores, classes = made(REFERENCE["cases"][0])
    split = ClassSplit.of(ClassScores.from_arrays(y, scores, classes=classes), range(3))
    result = bootstrap_multiclass(
        split, average_shares(scheme, average, split.sizes), Sampling(n_boot=40, rng=3)
    )
    chunk = plan_chunks(40, 3)[1]
    state = chunk.seed.generate_state(4, np.uint64).astype(np.uint64)
    drawn = [kernels.draw_counts(size, 8, state) for size in split.sizes]
    for replicate in range(8):
        rows = np.repeat(np.arange(len(y)), np.concatenate([counts[replicate] for counts in drawn]))
        cases = slow.group(y[rows], scores[rows].tolist(), classes)
        assert result[32 + replicate] == pytest.approx(
            float(slow.average_area(cases, scheme, average)), rel=1e-14
        )


@pytest.mark.parametrize(("scheme", "average"), SCHEMES)
def test_bootstrap_and_delong_tell_much_the_same(scheme, average):
    y, scores, classes = made(REFERENCE["cases"][-1])
    how = {"classes": classes, "scheme": scheme, "average": average}
    normal = multiclass_auc(y, scores, **how)
    drawn = multiclass_auc(y, scores, method="bootstrap", n_boot=4000, rng=7, **how)
    assert drawn.value == normal.value
    assert drawn.se == pytest.approx(normal.se, rel=0.05)
    assert (drawn.low, drawn.high) == pytest.approx((normal.low, normal.high), abs=0.15 * normal.se)
    assert drawn.rows == normal.rows


def test_the_seed_fixes_the_bootstrap():
    first, again, other = (multiclass_auc(Y, P, classes="abc", method="bootstrap", rng=s) for s in (1, 1, 2))
    assert first == again
    assert first.se != other.se


# ---- Classes with too few members --------------------------------------------------------------------------


def test_a_class_without_members_leaves_the_average_undefined():
    result = multiclass_auc(Y, [[*row, 0] for row in P], classes="abcd")
    assert (result.value, result.se, result.low, result.high) == (None,) * 4
    assert (result.status, result.n_undefined) == ("undefined", 3)
    assert result.reason == (
        "3 of 6 pairs of classes are undefined: class 'd' has no member; they can be left out"
    )
    row = result.rows[2]
    assert (row.first, row.second, row.n_first, row.n_second) == ("a", "d", 3, 0)
    assert (row.value, row.by_first, row.by_second) == (None, None, None)
    assert (row.status, row.reason) == ("undefined", "class 'd' has no member")
    assert result.rows[0] == multiclass_auc(Y, P, classes="abc").rows[0]


@pytest.mark.parametrize("method", ["delong", "logit", "bootstrap"])
@pytest.mark.parametrize(("scheme", "average"), SCHEMES)
def test_a_class_of_one_has_areas_without_intervals(scheme, average, method):
    how = {"scheme": scheme, "average": average, "method": method}
    result = multiclass_auc(Y[:7], P[:7], classes="abc", **how)
    cases = slow.group(Y[:7], P[:7], "abc")
    assert result.value == pytest.approx(float(slow.average_area(cases, scheme, average)), rel=1e-15)
    assert (result.se, result.low, result.high) == (None,) * 3
    assert (result.status, result.n_undefined) == ("partial", 0)
    assert result.reason == (
        "the variance needs two cases in each class, class 'c' has one member, not two; "
        "such classes can be left out"
    )
    areas = [area for area, _ in slow.parts(cases, scheme, average)]
    assert [row.value for row in result.rows] == pytest.approx([float(area) for area in areas], rel=1e-15)
    last = result.rows[-1]
    assert (last.status, last.reason, last.se) == ("partial", "class 'c' has one member, not two", None)
    assert result.rows[0].status == "ok"


@pytest.mark.parametrize("scheme", ["ovo", "ovr"])
@pytest.mark.parametrize("y", [[0, 0, 0, 1], [0, 1]])
def test_a_class_of_one_beside_one_other(y, scheme):
    scores = [[1, 2], [3, 4], [5, 6], [7, 8]][: len(y)]
    result = multiclass_auc(y, scores, classes=[0, 1], scheme=scheme)
    assert (result.status, result.value) == ("partial", 0.5)
    assert result.reason.endswith("class 1 has one member, not two")


@pytest.mark.parametrize("method", ["delong", "bootstrap"])
@pytest.mark.parametrize(("scheme", "average"), SCHEMES)
def test_dropping_gives_the_result_of_the_other_classes(scheme, average, method):
    y, scores = [*Y, "one"], [[1, *row, 0] for row in [*P, [3, 3, 3]]]
    classes, how = ["one", "a", "b", "c", "none"], {"scheme": scheme, "average": average, "method": method}
    result = multiclass_auc(y, scores, classes=classes, missing="drop", rng=5, **how)
    expected = multiclass_auc(Y, P, classes="abc", rng=5, **how)
    for name in ("value", "se", "low", "high", "status"):
        assert result[name] == expected[name]
    assert tuple(row for row in result.rows if row.value is not None) == expected.rows
    left_out = "7 of 10 pairs of classes are" if scheme == "ovo" else "2 of 5 classes are"
    assert result.warnings[-1] == (
        f"{left_out} left out: class 'one' has one member, not two, class 'none' has no member"
    )


@pytest.mark.parametrize("scheme", ["ovo", "ovr"])
@pytest.mark.parametrize(
    ("y", "missing"),
    [([0] * 4, "undefined"), ([0] * 4, "drop"), ([0, 0, 0, 1], "drop"), ([0, 1], "drop")],
)
def test_fewer_than_two_classes_have_no_average(y, scheme, missing):
    scores = [[1, 2], [3, 4], [5, 6], [7, 8]][: len(y)]
    result = multiclass_auc(y, scores, classes=[0, 1], scheme=scheme, missing=missing)
    assert result.value is None
    assert result.reason.startswith("fewer than two classes have two members: class ")
    if set(y) == {0} and scheme == "ovr":  # class 0 has no rest
        assert result.rows[0].reason == "there is no case of another class"


# ---- Results and refusals ----------------------------------------------------------------------------------


def test_the_result_is_an_estimate_with_rows():
    result = multiclass_auc(Y, P, classes="abc")
    assert isinstance(result, Estimate)
    fields = json.loads(result.to_json())
    assert fields["type"] == "MulticlassAuc"
    assert [row["type"] for row in fields["rows"]] == ["PairArea"] * 3
    assert list(result.frame()["first"]) == ["a", "a", "b"]
    assert result["scheme"] == "ovo"
    assert [row.label for row in result.rows] == ["a - b", "a - c", "b - c"]


@pytest.mark.parametrize("scheme", ["ovo", "ovr"])
def test_undefined_results_are_strict_json_and_frames(scheme):
    result = multiclass_auc(Y[:6], P[:6], classes="abc", scheme=scheme)
    assert json.loads(result.to_json())["value"] is None
    assert result.frame()["status"].tolist()[-1] == "undefined"
    first, *rows = str(result).splitlines()
    assert first == f"AUC undefined: {result.reason}"
    assert rows[-1].endswith(": AUC undefined: class 'c' has no member")


def test_the_text_tells_average_and_rows():
    result = multiclass_auc(Y, P, classes="abc", scheme="ovr", average="weighted")
    first, *rows = str(result).splitlines()
    assert first.endswith("logit), weighted average over 3 of 3 classes against the rest")
    assert [row.split(": ")[0] for row in rows] == ["  a - rest", "  b - rest", "  c - rest"]


def test_frames_with_named_columns_are_checked():
    frame = pd.DataFrame(P, columns=list("abc"))
    assert multiclass_auc(pd.Series(Y), frame, classes="abc") == multiclass_auc(Y, P, classes="abc")
    with pytest.raises(RocInputError, match="y_score must have its columns in the order of classes"):
        multiclass_auc(Y, frame[["b", "a", "c"]], classes="abc")


def test_columns_with_other_names_than_the_classes_do_not_go_by_position():
    numbers = ["abc".index(label) for label in Y]
    frame = pd.DataFrame(P, columns=["p0", "p1", "p2"])
    expected = multiclass_auc(numbers, P)
    assert multiclass_auc(numbers, frame, classes=[0, 1, 2]) == expected
    assert multiclass_auc(numbers, pd.DataFrame(P)) == expected  # the columns are called 0, 1, 2
    message = r"classes must name the class of each score column \['p2', 'p1', 'p0'\], in order"
    with pytest.raises(RocInputError, match=message):
        multiclass_auc(numbers, frame[["p2", "p1", "p0"]])
    with pytest.raises(RocInputError, match="these are not the names of the classes"):
        multiclass_auc(frame.assign(y=numbers), label="y", score=["p0", "p1", "p2"])


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"scheme": "one"}, "scheme must be one of 'ovo', 'ovr', got 'one'"),
        ({"average": "none"}, "average must be one of 'macro', 'weighted', 'micro', 'samples', got 'none'"),
        ({"method": "bca"}, "method must be one of 'delong', 'logit', 'bootstrap', got 'bca'"),
        ({"missing": "omit"}, "missing must be one of 'undefined', 'drop', got 'omit'"),
        ({"level": 95}, "level must lie between 0 and 1, got 95"),
        ({"alternative": "more"}, "alternative must be one of 'two-sided', 'less', 'greater', got 'more'"),
        ({"n_boot": 0}, "n_boot must be a whole number of at least 1, got 0"),
        ({"classes": "ab"}, "y_true must hold only labels in classes ['a', 'b'], got ['c']"),
        ({"classes": "abcd"}, "y_score must have one column per class (4), got shape (9, 3)"),
        (
            {"classes": None},
            "classes must name the class of each score column, in order; y_true holds ['a', 'b', 'c']",
        ),
    ],
)
def test_refusals_name_the_argument(wrong, message):
    with pytest.raises(RocInputError) as refused:
        multiclass_auc(Y, P, **{"classes": "abc"} | wrong)
    assert str(refused.value) == message


def test_one_column_is_not_enough():
    with pytest.raises(
        RocInputError, match=r"y_score must have one column per class \(3\), got shape \(9, 1\)"
    ):
        multiclass_auc(Y, [row[:1] for row in P], classes="abc")


def test_large_data_take_the_compiled_way():
    rng = np.random.default_rng(4)
    y = rng.integers(0, 4, 30_000)
    scores = rng.integers(0, 200, (y.size, 4)) + 20.0 * (y[:, None] == np.arange(4))
    result = multiclass_auc(y, scores, classes=range(4))
    assert isinstance(result, MulticlassAuc)
    for row in result.rows:
        rows = np.isin(y, [row.first, row.second])
        first = auc(y[rows] == row.first, scores[rows, row.first])
        assert row.by_first == first.value


# ---- Many classes -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize(("scheme", "average"), SCHEMES)
def test_many_classes_have_the_bits_of_pair_by_pair(monkeypatch, scheme, average, seed):
    """Ties, sizes from 0 on, and a class left out: column by column is the same to the last digit."""
    rng = np.random.default_rng(seed)
    n_classes = 2 + seed
    y = rng.integers(0, n_classes, 40)
    scores = rng.integers(0, 4, (40, n_classes))
    for missing in ("undefined", "drop"):
        how = {"classes": range(n_classes), "scheme": scheme, "average": average, "missing": missing}
        by_pairs = multiclass_auc(y, scores, **how)
        with monkeypatch.context() as patched:
            patched.setattr(_multiclass_sums, "MANY_CLASSES", 2)
            assert multiclass_auc(y, scores, **how) == by_pairs


@pytest.mark.parametrize("missing", ["undefined", "drop"])
def test_many_classes_of_which_some_have_no_or_one_member(monkeypatch, missing):
    y = np.repeat([0, 1, 3, 4], [3, 1, 2, 4])  # none of class 2
    scores = np.random.default_rng(1).integers(0, 3, (10, 5))
    by_pairs = multiclass_auc(y, scores, classes=range(5), missing=missing)
    monkeypatch.setattr(_multiclass_sums, "MANY_CLASSES", 2)
    assert multiclass_auc(y, scores, classes=range(5), missing=missing) == by_pairs


def test_more_classes_than_can_be_written_out_are_refused_at_once():
    scores = np.zeros((1, 1))  # never looked at
    with pytest.raises(ResourceError) as error:
        multiclass_auc([0], scores, classes=range(10_000))
    assert str(error.value) == (
        "scheme 'ovo' has a row for each pair of classes, at most 500,000 pairs, got 49,995,000 of 10,000 "
        "classes: scheme 'ovr' has one row per class"
    )
    with pytest.raises(ResourceError) as error:
        multiclass_auc([0], scores, classes=range(10_001), scheme="ovr")
    assert str(error.value) == "multiclass_auc takes at most 10,000 classes, got 10,001"


def test_three_hundred_classes_are_those_of_scikit_learn():
    rng = np.random.default_rng(5)
    y = np.repeat(np.arange(300), 3)
    scores = rng.random((900, 300))
    scores /= scores.sum(axis=1, keepdims=True)
    result = multiclass_auc(y, scores, classes=range(300), scheme="ovr")
    assert result.value == pytest.approx(roc_auc_score(y, scores, multi_class="ovr"), rel=1e-12)
    assert len(result.rows) == 300
