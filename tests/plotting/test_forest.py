import pytest

import rocscope as rs
from rocscope import plotting
from rocscope.errors import RocInputError

Y = [0, 0, 0, 0, 1, 1, 1, 1]
SCORES = {"a": [1, 2, 3, 5, 4, 6, 7, 8], "b": [1, 2, 4, 3, 2, 1, 4, 5], "c": [3, 1, 2, 4, 5, 2, 6, 7]}


def panel_of(picture):
    return plotting.record(picture)["panels"][0]


def estimate(**changes):
    fields = {
        "name": "AUC",
        "value": 0.8,
        "se": 0.05,
        "low": 0.7,
        "high": 0.9,
        "level": 0.95,
        "method": "delong",
    }
    return rs.Estimate(**fields | changes)


def test_comparison_shows_its_pairs():
    result = rs.compare_auc(Y, SCORES)
    panel = panel_of(plotting.picture(result))
    zero, bars, points = panel["marks"]
    assert (zero["mark"], zero["axis"], zero["at"]) == ("ReferenceLine", "x", 0)
    assert points["x"] == bars["x"] == [pair.difference for pair in result.pairs]
    assert bars["x_low"] == [pair.low for pair in result.pairs]
    assert bars["x_high"] == [pair.high for pair in result.pairs]
    assert bars["y_low"] is None
    assert panel["y"]["tick_labels"] == ["a - b", "a - c", "b - c"]
    assert panel["y"]["ticks"] == [0, 1, 2]
    assert (panel["y"]["low"], panel["y"]["high"]) == (2.5, -0.5)
    assert panel["x"]["label"] == "Difference of AUC (95% interval)"
    first = result.pairs[0]
    assert panel["y"]["far_labels"][0] == (
        f"{first.difference:+.3f} ({first.low:+.3f} to {first.high:+.3f}), "
        f"p = {first.p_value:.3g} (Holm {first.p_adjusted:.3g})"
    )
    assert panel["title"] == f"Equal areas: chi2 = {result.statistic:.4g}, df = 2, p = {result.p_value:.3g}"


def test_comparison_of_two_has_no_adjusted_p_value():
    result = rs.compare_auc(Y, {name: SCORES[name] for name in "ab"}, level=0.9, alternative="greater")
    panel = panel_of(plotting.picture(result))
    assert "Holm" not in panel["y"]["far_labels"][0]
    assert panel["x"]["label"] == "Difference of AUC (90% lower bound)"
    assert panel["title"] == f"Equal areas: z = {result.statistic:.4g}, p = {result.p_value:.3g}"


def test_comparison_without_a_test_keeps_the_difference():
    result = rs.compare_auc([0, 1, 1], {"a": [1, 2, 3], "b": [2, 1, 3]})
    panel = panel_of(plotting.picture(result))
    assert panel["marks"][1]["x_low"] == [None]
    assert panel["marks"][2]["x"] == [0.5]
    assert panel["y"]["far_labels"] == ["+0.500 (no interval)"]
    assert panel["title"] == "Equal areas: no test, the variance needs two cases in each class"


@pytest.mark.parametrize(
    ("method", "options", "title", "label"),
    [
        (
            "bootstrap",
            {"fpr": (0, 0.5)},
            "Equal partial AUC over FPR 0-0.5:\nz = {:.4g}, p = {:.3g}",
            "Difference of partial AUC over FPR 0-0.5 (95% interval)",
        ),
        (
            "sensitivity",
            {"at": 0.25},
            "Equal TPR at FPR 0.25:\nt = {:.4g}, df = 6, p = {:.3g}",
            "Difference of TPR at FPR 0.25 (95% interval)",
        ),
        (
            "venkatraman",
            {},
            "Equal curves (not areas): E = {:.4g}, p = {:.3g}",
            "Difference of AUC (95% interval)",
        ),
        (
            "delong",
            {"contrasts": [1, -1]},
            "Every contrast of the AUC is 0: chi2 = {:.4g}, df = 1, p = {:.3g}",
            "Difference of AUC (95% interval)",
        ),
    ],
)
def test_comparison_says_what_is_compared(method, options, title, label):
    scores = {name: SCORES[name] for name in "ab"}
    result = rs.compare_auc(Y, scores, method=method, n_boot=100, rng=1, **options)
    panel = panel_of(plotting.picture(result))
    assert panel["title"] == title.format(result.statistic, result.p_value)
    assert panel["x"]["label"] == label


@pytest.mark.parametrize(
    ("alternative", "lines"),
    [("two-sided", [-0.2, 0.2, 0]), ("greater", [-0.2, 0]), ("less", [0.2, 0])],
)
def test_comparison_with_a_margin(alternative, lines):
    scores = {name: SCORES[name] for name in "ab"}
    result = rs.compare_auc(Y, scores, margin=0.2, alternative=alternative)
    panel = panel_of(plotting.picture(result))
    assert [mark["at"] for mark in panel["marks"] if mark["mark"] == "ReferenceLine"] == lines
    assert panel["x"]["label"].endswith(", margin 0.2)")
    verdict = "within the margin" if result.pairs[0].equivalent else "not shown within the margin"
    p = result.pairs[0].p_equivalence
    assert panel["y"]["far_labels"][0].splitlines()[1] == f"{verdict}, p = {p:.3g}"


CLASSES = ["a", "a", "b", "b", "b", "c", "c"]
OUTPUTS = [[8, 1, 1], [4, 5, 1], [5, 4, 1], [1, 8, 1], [2, 6, 2], [1, 1, 8], [2, 3, 5]]


@pytest.mark.parametrize("scheme", ["ovo", "ovr"])
def test_classes_are_rows_above_their_average(scheme):
    result = rs.multiclass_auc(CLASSES, OUTPUTS, classes=["a", "b", "c"], scheme=scheme)
    panel = panel_of(plotting.picture(result))
    chance, bars, points, mean_bars, mean = panel["marks"]
    assert chance["at"] == 0.5
    assert points["x"] == [row.value for row in result.rows]
    assert bars["x_low"] == [row.low for row in result.rows]
    assert (mean["x"], mean["y"], mean["series"]) == ([result.value], [3], 1)
    assert mean_bars["x_low"] == [result.low]
    assert panel["y"]["tick_labels"] == [*(row.label for row in result.rows), "Macro average"]
    assert panel["title"] == {"ovo": "Pairs of classes", "ovr": "Each class against the rest"}[scheme]


def test_classes_without_an_average():
    result = rs.multiclass_auc(CLASSES[:5], OUTPUTS[:5], classes=["a", "b", "c"])
    panel = panel_of(plotting.picture(result))
    assert panel["title"] == f"Pairs of classes: no average, {result.reason}"
    assert panel["y"]["far_labels"][-1] == "undefined"


def test_estimate_is_one_row_against_chance():
    panel = panel_of(plotting.picture(estimate()))
    chance, bars, points = panel["marks"]
    assert chance["at"] == 0.5
    assert (bars["x_low"], bars["x_high"], points["x"]) == ([0.7], [0.9], [0.8])
    assert panel["y"]["tick_labels"] == ["AUC"]
    assert panel["y"]["far_labels"] == ["0.800 (0.700–0.900)"]
    assert panel["x"]["label"] == "AUC (95% interval)"


def test_reference_is_only_that_of_areas_unless_given():
    assert [mark["role"] for mark in panel_of(plotting.picture(estimate(name="PPV")))["marks"]] == [
        "estimate"
    ] * 2
    assert panel_of(plotting.picture(estimate(name="PPV"), reference=0.3))["marks"][0]["at"] == 0.3


def test_estimates_of_a_mapping_keep_its_names():
    panel = panel_of(
        plotting.estimates({"s100b": estimate(), "ndka": estimate(value=0.6, low=0.5, high=0.7)})
    )
    assert panel["y"]["tick_labels"] == ["s100b", "ndka"]
    assert panel["marks"][-1]["x"] == [0.8, 0.6]


def test_estimates_of_different_kinds_say_so():
    panel = panel_of(plotting.estimates([estimate(), estimate(name="PPV", level=0.9)]))
    assert panel["y"]["tick_labels"] == ["AUC", "PPV"]
    assert panel["x"]["label"] == "Estimate (interval)"
    assert panel["y"]["far_labels"][1] == "0.800 (0.700–0.900), 90% interval"


def test_undefined_estimate_keeps_its_row():
    missing = estimate(value=None, se=None, low=None, high=None, status="undefined", reason="few")
    panel = panel_of(plotting.estimates({"a": estimate(), "b": missing}))
    assert panel["marks"][-1]["x"] == [0.8, None]
    assert panel["y"]["far_labels"] == ["0.800 (0.700–0.900)", "undefined"]


@pytest.mark.parametrize("nothing", [[], {}])
def test_refuses_no_estimates(nothing):
    with pytest.raises(RocInputError) as error:
        plotting.estimates(nothing)
    assert str(error.value) == "estimates must hold at least one estimate, got none"
