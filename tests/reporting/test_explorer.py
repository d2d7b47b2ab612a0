"""What the explorer is sent: exact counts, points that can be read back, and no more than a page holds."""

import json

import numpy as np
import pytest

import rocscope as rs
from browser.one_set import one_set, together
from rocscope import plotting
from rocscope.reporting import explorer
from rocscope.reporting.explorer import (
    SCRIPTS,
    STYLES,
    average_histogram,
    average_payload,
    curve_histogram,
    curve_payload,
    explorer_section,
    merge,
)
from rocscope.reporting.page import json_text, page
from rocscope.reporting.sections import Section, read_items, sections_of
from rocscope.training.deployment import read_point

EVIL = "</script><img src=x onerror=alert(1)>'\"\\\n"


def texts(shared):
    return [shared["before"] + part + shared["after"] for part in shared["parts"]]


def two_class(n=300, seed=1, digits=1):
    rng = np.random.default_rng(seed)
    y = rng.random(n) < 0.4
    return y.astype(int), np.round(rng.normal(size=n) + y, digits), rng.permutation(n) % 5


def three_class(points=40):
    rng = np.random.default_rng(2)
    codes = rng.integers(0, 3, 120)
    output = rng.random((120, 3)) + 0.5 * np.eye(3)[codes]
    return rs.average_roc(codes, output, fold=np.arange(120) % 4, classes=[0, 1, 2], points=points)


CURVES = {
    "plain": rs.roc_curve(*two_class()[:2]),
    "infinite": rs.roc_curve([0, 1, 0, 1], [-np.inf, np.inf, 0.1, 1 / 3]),
    "large integers": rs.roc_curve([0, 1, 0, 1], np.array([2**60, 2**60 + 1, 5, 2**60 + 2])),
    "hostile": rs.roc_curve([EVIL, "b", EVIL, "b"], [1.0, 0.5, 2.0, 1e-300], pos_label=EVIL),
    "mixed names": rs.roc_curve([True, False, True], [3, 1, 2]),
    "numpy names": rs.roc_curve(np.array(["x", "y", "x"]), [3, 1, 2], pos_label=np.str_("x")),
    "weighted": rs.roc_curve([0, 0, 1, 1], [1, 2, 2, 3], sample_weight=[0.5, 1.25, 2, 0.75]),
}


@pytest.mark.parametrize("name", CURVES)
def test_every_point_of_a_curve_can_be_taken_away(name):
    curve = CURVES[name]
    sent = json.loads(json_text(curve_payload(curve)))
    for k, (code, saved) in enumerate(zip(texts(sent["code"]), texts(sent["json"]), strict=True)):
        point = curve.decision(k)
        assert eval(code, {"rs": rs}) == point
        assert read_point(saved) == point
    counts = np.array(sent["counts"]).reshape(len(curve), 2, 2)
    np.testing.assert_array_equal(counts, curve.confusion())
    assert sent["start"] == curve.select()
    assert sent["counted"] == (name != "weighted")


def rules():
    y, score, fold = two_class()
    yield rs.average_roc(y, score, fold=fold)
    yield three_class()
    thresholds = [rs.Threshold(t, distance=True) for t in (0.2, 0.5, 1.0)]
    yield rs.average_roc(y, -score, fold=fold, points=thresholds)
    rejecting = [rs.Threshold(1.0, reject=0.25), rs.Threshold(0.5)]
    yield rs.average_roc(y, score, fold=fold, points=rejecting)


@pytest.mark.parametrize("roc", list(rules()), ids=["thresholds", "weights", "distances", "rejecting"])
def test_every_point_of_an_average_can_be_taken_away(roc):
    sent = json.loads(json_text(average_payload(roc)))
    for k, (code, saved) in enumerate(zip(texts(sent["code"]), texts(sent["json"]), strict=True)):
        assert eval(code, {"rs": rs}) == roc.decision(k)
        assert read_point(saved) == roc.decision(k)
    np.testing.assert_array_equal(sent["counts"], roc.counts.ravel())


class Odd:
    classes = (0, 1)

    def decide_codes(self, y_score):
        return (np.asarray(y_score) > 0.3).astype(int)

    def __str__(self):
        return "odd rule"


def test_a_rule_of_the_users_own_cannot_be_taken_away():
    y, score, fold = two_class()
    sent = average_payload(rs.average_roc(y, score, fold=fold, points=[Odd(), rs.Threshold(0.2)]))
    assert sent["json"] is None
    assert sent["code"] is None
    assert sent["order"] is None
    assert texts(sent["labels"]) == ["odd rule", "score ≥ 0.2"]


def test_points_are_visited_along_the_curve():
    y, score, fold = two_class()
    roc = rs.average_roc(y, score, fold=fold, points=[0.5, 2.0, -1.0, 1.0])
    assert average_payload(roc)["order"] == [1, 3, 0, 2]
    assert average_payload(three_class())["order"] is None


def test_measures_of_the_users_own_are_sent_as_values():
    y, score, fold = two_class()
    own = {"fpr": lambda c: c[..., 0, 1] / 7, "ratio": "lr_pos", "tpr": "tpr"}
    roc = rs.average_roc(y, score, fold=fold, measures=own, points=6)
    given = average_payload(roc)["own_measures"]
    assert set(given) == {"fpr", "ratio"}
    ratios = [{"inf": np.inf, None: np.nan}.get(v, v) for v in given["ratio"]]
    np.testing.assert_array_equal(ratios, roc.values[:, 1].ravel())
    json_text(given)  # strict JSON: infinite values are texts


def test_measures_that_are_shown():
    names = [m["name"] for m in curve_payload(CURVES["plain"])["measures"]]
    first = ["tpr", "tnr", "precision", "npv", "lr_pos", "lr_neg", "accuracy", "youden"]
    assert names[:9] == [*first, "fpr"]
    assert curve_payload(CURVES["plain"])["n_first"] == 8
    y, score, fold = two_class()
    own = average_payload(
        rs.average_roc(y, score, fold=fold, measures={"fpr": "fpr", "mine": "f1"}, points=6)
    )
    assert [m["name"] for m in own["measures"]][:9] == [*first, "mine"]
    assert own["n_first"] == 9
    assert "reject_rate" not in names
    three = [m["name"] for m in average_payload(three_class())["measures"]]
    assert three[:3] == ["error(0)", "error(1)", "error(2)"]
    assert "tpr" not in three


def test_one_fold_is_one_set_of_cases():
    roc = together(three_class())
    sent = json.loads(json_text(average_payload(roc)))
    assert (sent["averaged"], sent["folds"], sent["kind"]) == (False, [], "weights")
    assert not {"t", "test_over_train"} & set(sent)
    assert (sent["counted"], sent["rounded"], sent["histogram"]) == (True, True, None)
    np.testing.assert_array_equal(sent["counts"], roc.confusion.ravel())
    assert sent["panels"] == json.loads(json_text(average_payload(three_class())["panels"]))
    assert explorer_section(roc).title == "Operating point"
    assert "Click a point" in explorer_section(roc).body[0].text
    several = average_payload(three_class())
    assert (several["averaged"], several["folds"]) == (True, ["0", "1", "2", "3"])


def test_a_class_without_cases_does_not_stop_the_explorer():
    rng = np.random.default_rng(4)
    roc = one_set([0, 1] * 10, rng.random((20, 3)), rng.random((6, 3)), [0, 1, 2])
    with pytest.raises(rs.UndefinedError):
        roc.select()
    assert average_payload(roc)["start"] == 0


def test_panels_that_are_linked_with_the_explorer_are_those_of_the_picture():
    roc = three_class()
    sent = average_payload(roc)
    assert sent["panels"][0] == ("error(0)", "error(1)", "error(2)")
    panels = plotting.picture(roc).panels
    assert len(panels) == len(sent["panels"])
    for panel, names in zip(panels, sent["panels"], strict=True):
        cloud = next(mark for mark in panel.marks if mark.role == "point")
        for axis, name in zip("xyz", names, strict=False):
            np.testing.assert_array_equal(getattr(cloud, axis), roc.measure(name))
    assert "The panels above show the point" in explorer_section(roc).body[0].text
    y, score, fold = two_class()
    plain = rs.average_roc(y, score, fold=fold)
    assert average_payload(plain)["panels"] == []
    assert "panels above" not in explorer_section(plain).body[0].text


# ---- Size -------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def long_curve():
    rng = np.random.default_rng(3)
    y = np.arange(1_000_000) % 3 == 0
    return rs.roc_curve(y, rng.normal(size=y.size) + y)


def test_a_long_curve_is_thinned_and_says_so(long_curve):
    kept = explorer.kept_vertices(long_curve)
    assert len(kept) <= 2000
    assert kept[0] == 0
    assert kept[-1] == len(long_curve) - 1
    farthest = explorer.farthest_left_out(long_curve, kept)
    # The literal distance of some vertices that are left out to all kept ones is never more.
    for k in np.random.default_rng(4).integers(0, len(long_curve), 200):
        apart = np.maximum(
            np.abs(long_curve.fpr[kept] - long_curve.fpr[k]), np.abs(long_curve.tpr[kept] - long_curve.tpr[k])
        )
        assert apart.min() <= farthest
    section = explorer_section(long_curve)
    assert f"{len(kept)} of {len(long_curve)} points are shown" in section.payload["note"]
    assert f"{farthest:.2g}" in section.payload["note"]
    assert not section.payload["dots"]


@pytest.mark.slow
def test_the_least_cost_is_not_lost_by_thinning(long_curve):
    kept = set(explorer.kept_vertices(long_curve).tolist())
    for cost in (0.1, 50):
        assert long_curve.select(cost=cost) in kept
    sent = curve_payload(long_curve)
    assert sent["index"][sent["start"]] == long_curve.select()
    assert len(json_text(sent)) < 300_000


def test_a_large_average_is_thinned():
    y, score, fold = two_class(n=2000, digits=6)
    roc = rs.average_roc(y, score, fold=fold, points=1500)
    kept = explorer.kept_points(roc, most=4000)
    assert len(kept) <= 4000 // 20
    assert roc.select() in kept
    assert kept[0] == 0
    assert kept[-1] == len(roc) - 1


# ---- Histograms -------------------------------------------------------------------------------------------


def test_histogram_of_a_curve():
    y, score, _ = two_class(digits=5)
    found = curve_histogram(rs.roc_curve(y, score), bins=17)
    for code in (0, 1):
        expected, edges = np.histogram(score[y == code], bins=17, range=(score.min(), score.max()))
        np.testing.assert_allclose(found["edges"], edges, atol=1e-12)
        np.testing.assert_array_equal(found["counts"][code], expected)


def test_ratings_have_a_bar_each():
    found = curve_histogram(rs.roc_curve([0, 0, 1, 1, 1], [1, 2, 2, 3, 3]))
    assert found["edges"] == [0.5, 1.5, 2.5, 3.5]
    assert found["counts"] == [[1, 1, 0], [0, 1, 2]]


def test_infinite_scores_stand_outside():
    found = curve_histogram(rs.roc_curve([0, 1, 0, 1, 1], [-np.inf, np.inf, 0.0, 0.5, 1.0]))
    assert found["outside"] == 2
    assert sum(map(sum, found["counts"])) == 3
    assert curve_histogram(rs.roc_curve([0, 1, 1], [0, 0, 0])) is None
    huge = curve_histogram(rs.roc_curve([0, 1, 1], [-1.7e308, 1.7e308, 0.1]))
    assert np.isfinite(huge["edges"]).all()


def test_histogram_of_an_average_counts_between_thresholds():
    y, score, fold = two_class(digits=4)
    roc = rs.average_roc(y, score, fold=fold, points=[0.1, 2.0, -0.5, 1.0])
    found = average_histogram(roc)
    assert found["edges"] == [-0.5, 0.1, 1.0, 2.0]
    for code in (0, 1):
        expected = np.histogram(score[y == code], bins=[-0.5, 0.1, 1.0, np.inf])[0]
        np.testing.assert_array_equal(found["counts"][code], expected)
    assert found["outside"] == np.count_nonzero(score < -0.5)
    many = average_histogram(rs.average_roc(y, score, fold=fold, points=250), bins=10)
    assert len(many["edges"]) <= 11
    for code in (0, 1):
        edges = [*many["edges"][:-1], np.inf]
        np.testing.assert_array_equal(many["counts"][code], np.histogram(score[y == code], bins=edges)[0])
    assert (many["edges"][0], many["edges"][-1]) == (score.min(), score.max())
    assert average_histogram(three_class()) is None


# ---- The section ------------------------------------------------------------------------------------------


def test_section():
    section = explorer_section(three_class(), name="forest")
    assert (section.title, section.payload["name"]) == ("Operating point: forest", "forest, 4 folds")
    assert section.scripts == SCRIPTS
    assert section.styles == STYLES
    y, score, fold = two_class()
    assert explorer_section(rs.average_roc(y, score, fold=fold, points=[0.5])) is None


def marker_sections():
    y, score, fold = two_class()
    roc, curve = rs.average_roc(y, score, fold=fold), rs.roc_curve(y, score)
    cloud = explorer_section(three_class(), name="forest")
    named = [explorer_section(one, name="a") for one in (curve, roc)]
    return [Section(title="Areas", body=()), named[0], cloud, named[1], explorer_section(curve)]


def test_explorers_of_thresholds_become_one_at_the_place_of_the_first():
    sections = marker_sections()
    merged = merge(sections)
    assert [one.title for one in merged] == ["Areas", "Operating point", "Operating point: forest"]
    assert merged[2] is sections[2]
    markers = merged[1].payload["markers"]
    assert [one["name"] for one in markers] == ["a", "a, 5 folds", "all cases"]
    assert markers[0] == sections[1].payload
    assert merge(sections[:3]) == sections[:3]  # one alone stays as it is
    same = merge([sections[1]] * 2)[0].payload["markers"]
    assert [one["name"] for one in same] == ["a (1)", "a (2)"]
    assert merge([]) == []


def test_a_merged_explorer_is_thinned_marker_by_marker():
    y, score, _ = two_class(n=3000, digits=6)
    sections = [
        explorer_section(rs.roc_curve(y, sign * score), name=name) for name, sign in (("a", 1), ("b", -1))
    ]
    (merged,) = merge(sections)
    fewer = merged.fewer(100)
    assert [one["name"] for one in fewer.payload["markers"]] == ["a", "b"]
    for one in fewer.payload["markers"]:
        assert len(one["index"]) <= 101
        assert one["note"].startswith(f"{len(one['index'])} of {one['n_points']} points are shown")
    assert len(fewer.fewer(50).payload["markers"][1]["index"]) <= 51


def test_a_report_has_one_explorer_for_all_scores():
    y, score, fold = two_class()
    curves = {name: rs.roc_curve(y, k + score) for k, name in enumerate("abc")}
    sections = sections_of(read_items([curves, {"a": rs.average_roc(y, score, fold=fold)}]))
    (found,) = (one for one in sections if one.kind == "explorer")
    assert [one["name"] for one in found.payload["markers"]] == ["a", "b", "c", "a, 5 folds"]


def test_dots_need_every_case():
    assert curve_payload(CURVES["plain"])["dots"]
    assert not curve_payload(CURVES["weighted"])["dots"]
    assert not curve_payload(CURVES["plain"], most=5)["dots"]
    y, score, fold = two_class(n=2001)
    assert not curve_payload(rs.roc_curve(y, score))["dots"]
    assert not average_payload(rs.average_roc(y, score, fold=fold))["dots"]


def test_the_rule_gives_the_start():
    curve = CURVES["plain"]
    sent = explorer_section(curve, rule="se=sp").payload
    assert (sent["start"], sent["rule"]) == (curve.select(rule="se=sp"), "se=sp")
    assert curve.select(rule="se=sp") != curve.select()


def test_the_interval_of_the_cut_off_is_sent():
    y, score, _ = two_class()
    cut = rs.cutpoint(y, score, n_boot=200, rng=1)
    sent = explorer_section(rs.roc_curve(y, score), cutpoint=cut).payload["cutpoint"]
    assert (sent["threshold"], sent["low"], sent["high"]) == (cut.threshold, cut.low, cut.high)
    assert sent["sensitivity"] == cut.tpr.out_of_bag
    assert sent["specificity"] == 1 - cut.fpr.out_of_bag
    assert (sent["youden"], sent["n_boot"], sent["level"]) == (cut.youden.out_of_bag, 200, 0.95)
    assert explorer_section(rs.roc_curve(y, score)).payload["cutpoint"] is None


def test_hostile_names_are_data():
    text = page([explorer_section(CURVES["hostile"], name=EVIL)], title=EVIL)
    assert "<img" not in text
    assert text.count("</script>") == text.count("<script")


def test_scripts_hold_no_shortcut_round_the_policy():
    from importlib.resources import files

    for name in SCRIPTS:
        source = files("rocscope.reporting").joinpath(f"assets/{name}").read_text(encoding="utf-8")
        for word in (
            "innerHTML",
            "outerHTML",
            "insertAdjacentHTML",
            "eval(",
            "new Function",
            "document.write",
        ):
            assert word not in source, name
        assert len(source.splitlines()) <= 300, name
        # In a frame or from a server that takes the page for another encoding the hashes still hold.
        assert source.isascii(), name
