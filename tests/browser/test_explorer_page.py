"""The explorer as a reader uses it: what the page shows is what Python computes."""

import json
import re
from typing import get_args

import numpy as np
import pytest
from scipy import special, stats

import rocscope as rs
from browser.explorers import Explorer, numbers, same, until
from rocscope.core.rules import Rule
from rocscope.inference.proportions import wilson_interval
from rocscope.reporting.explorer import explorer_section
from rocscope.reporting.page import page as html_page


def cases(n=500):
    rng = np.random.default_rng(11)
    ill = rng.random(n) < 0.4
    return np.where(ill, "ill", "well"), np.round(rng.normal(size=n) + 1.4 * ill, 2)


CASES = cases()


def results():
    (state, score), rng = CASES, np.random.default_rng(12)
    n = len(score)
    names = np.array(["ape", "bee", "cat"])
    codes = rng.integers(0, 3, 240)
    output = rng.random((240, 3)) + 0.5 * np.eye(3)[codes]
    near = np.exp(0.25 * rng.normal(size=(40, 3)))
    several = {"fold": np.arange(240) % 6, "classes": names.tolist()}
    return {
        "s1": rs.average_roc(state, score, fold=np.arange(n) % 10, pos_label="ill", points=60),
        "s2": rs.roc_curve(state, score, pos_label="ill"),
        "s3": rs.average_roc(names[codes], output, points=80, **several),
        "s4": rs.average_roc(
            names[codes], output, points=[rs.ClassWeights(w, classes=names.tolist()) for w in near], **several
        ),
    }


RESULTS = results()
ROC, CURVE, THREE, NARROW = RESULTS.values()


@pytest.fixture(scope="module")
def file(tmp_path_factory):
    path = tmp_path_factory.mktemp("explorer") / "explorer.html"
    path.write_text(html_page([explorer_section(r) for r in RESULTS.values()], title="Explorers"))
    return path


@pytest.fixture(scope="module")
def opened(open_page, file):
    return open_page(file, permissions=["clipboard-read", "clipboard-write"])


@pytest.fixture
def roc(opened):
    yield Explorer(opened, "s1").unfold().reset()
    assert opened.problems == []


@pytest.fixture
def curve(opened):
    yield Explorer(opened, "s2").unfold().reset()
    assert opened.problems == []


@pytest.fixture
def three(opened):
    yield Explorer(opened, "s3").unfold().reset()
    assert opened.problems == []


@pytest.fixture
def narrow(opened):
    yield Explorer(opened, "s4").unfold().reset()
    assert opened.problems == []


def check_point(explorer, result, k):
    """All numbers beside the curve are those of point k."""
    confusion = result.confusion() if isinstance(result, rs.RocCurve) else result.confusion
    assert explorer.point == k
    assert explorer.matrix("confusion") == confusion[k].tolist()
    for row in explorer.find("tr[data-measure]").all():
        name = row.get_attribute("data-measure")
        found = numbers(row.locator("td"))
        assert same(found[0], result.measure(name)[k]), name
        if isinstance(result, rs.AveragedRoc) and name in result.measures:
            column = result.measures.index(name)
            assert same(found[1], result.sd[k, column])
            assert same(found[2], result.sem[k, column])


# ---- Moving the point -------------------------------------------------------------------------------------


def test_the_first_point_is_that_of_select(roc, curve, three):
    for explorer, result in ((roc, ROC), (curve, CURVE), (three, THREE)):
        check_point(explorer, result, result.select())


def test_a_click_takes_the_nearest_point(roc, curve):
    for k in (5, 22, 41):
        roc.click(k)
        check_point(roc, ROC, k)
    curve.click(60)
    check_point(curve, CURVE, 60)


def test_the_point_is_dragged_along_the_curve(roc):
    mouse = roc.page.mouse
    mouse.move(*roc.place(roc.point))
    mouse.down()
    for k in (30, 36, 44):
        mouse.move(*roc.place(k), steps=3)
        assert roc.point == k
    mouse.up()
    mouse.move(*roc.place(10))
    check_point(roc, ROC, 44)


def test_keys_move_the_point(roc):
    roc.press("Home")
    assert roc.point == 0
    roc.press("ArrowRight", "ArrowUp", "ArrowRight", "ArrowLeft")
    assert roc.point == 2
    roc.press("PageUp")
    assert roc.point == 12
    roc.press("ArrowDown", "PageDown")
    check_point(roc, ROC, 1)
    roc.press("End", "ArrowRight")
    assert roc.point == len(ROC) - 1
    roc.press("o")
    assert roc.point == ROC.select()


def test_keys_visit_a_cloud_from_left_to_right(three):
    three.press("Home")
    left = THREE.measure("error(ape)")
    assert left[three.point] == left.min()
    three.press(*["ArrowRight"] * 5)
    expected = sorted(range(len(THREE)), key=lambda k: (left[k], THREE.measure("error(bee)")[k], k))[5]
    check_point(three, THREE, expected)


def test_the_slider_is_described_to_those_who_do_not_see_it(roc):
    roc.press("Home", "ArrowRight", "ArrowRight")
    plot = roc.page.get_by_role("slider", name="Operating point").first
    assert plot.get_attribute("aria-valuenow") == "2"
    assert plot.get_attribute("aria-valuetext") == f"Point 2: score ≥ {ROC.points[2]:.6g}"
    reading = roc.find(".explorer-reading").inner_text()
    (tn, _), (_, tp) = ROC.confusion[2]
    (n_neg, n_pos), (tpr, fpr) = ROC.class_sizes, ROC.mean[2]
    assert f"{tp} of {n_pos} cases of class ill test positive (sensitivity {tpr:.3f}, stand" in reading
    assert f"{tn} of {n_neg} cases of class well test negative (specificity {1 - fpr:.3f}, stand" in reading


def test_the_histogram_is_described_to_those_who_do_not_see_it(roc, curve):
    for explorer, cells in ((roc, ROC.confusion[9]), (curve, CURVE.confusion()[9])):
        explorer.running("x.store.set({point: 9, scores: 'histogram'});")
        wording = explorer.find(".explorer-histogram").get_attribute("aria-label")
        assert wording.startswith("Histogram of the scores.")
        assert re.search(rf"Test positive: {cells[1, 1]} \D*ill and {cells[0, 1]} \D*well\.", wording)


def test_the_histogram_has_the_cut(roc, curve):
    curve.press("Home", *["ArrowRight"] * 7)
    curve.root.get_by_label("Histogram", exact=True).check()
    cut = float(curve.find(".explorer-histogram .x-cut").get_attribute("data-threshold"))
    assert cut == CURVE.thresholds[7]
    roc.find(".explorer-histogram").scroll_into_view_if_needed()
    box = roc.find(".explorer-histogram").bounding_box()
    at = roc.running("const t = x.model.thresholds[25]; return x.histogram.across(t) / 440;")
    roc.page.mouse.click(box["x"] + at * box["width"], box["y"] + box["height"] / 2)
    check_point(roc, ROC, 25)


# ---- Indistinguishable points -----------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["s1", "s3"])
def test_the_lit_points_are_those_of_compare_to(opened, name):
    explorer, result = Explorer(opened, name).reset(), RESULTS[name]
    for k in np.linspace(2, len(result) - 3, 10).round().astype(int).tolist():
        explorer.running(f"x.store.set({{point: {k}}});")
        expected = set(np.flatnonzero(result.compare_to(k).indistinguishable).tolist()) - {k}
        assert explorer.point == k
        assert explorer.alike() == expected
        assert (
            f"{len(expected)} of {len(result) - 1} other points"
            in explorer.find(".explorer-reading").inner_text()
        )


def test_the_test_can_be_chosen(roc):
    roc.click(20)
    roc.root.get_by_label("Test", exact=True).select_option("corrected")
    roc.root.get_by_label("Level", exact=True).select_option("99%")
    roc.root.get_by_label("1 − specificity (FPR)", exact=True).uncheck()
    compared = ROC.compare_to(20, method="corrected", level=0.99, measures=["tpr"])
    assert roc.alike() == set(np.flatnonzero(compared.indistinguishable).tolist()) - {20}
    roc.root.get_by_label("Sensitivity", exact=True).click()  # the last one stays
    assert roc.root.get_by_label("Sensitivity", exact=True).is_checked()


def test_on_one_curve_the_rates_within_the_intervals_are_lit(curve):
    curve.press("Home", *["PageUp"] * 9)
    k = curve.point
    fpr, tpr = (
        wilson_interval(int(n), total)
        for n, total in ((CURVE.fp[k], CURVE.n_neg), (CURVE.tp[k], CURVE.n_pos))
    )
    inside = (CURVE.fpr >= fpr[0]) & (CURVE.fpr <= fpr[1]) & (CURVE.tpr >= tpr[0]) & (CURVE.tpr <= tpr[1])
    assert curve.alike() == set(np.flatnonzero(inside).tolist()) - {k}
    assert all(map(same, curve.measure("tpr")[2:], tpr))


# ---- One curve: standard errors and intervals -------------------------------------------------------------

NAMES = {"sensitivity": "tpr", "specificity": "tnr", "ppv": "precision", "expected_cost": "cost"}


def check_estimates(explorer, k, **options):
    """Value, standard error and interval of every measure are those of point_measures."""
    expected = rs.point_measures(*CASES, pos_label="ill", threshold=CURVE.thresholds[k], **options).estimates
    for name, estimate in expected.items():
        if name == "net_benefit":
            continue
        found = explorer.measure(NAMES.get(name, name))
        if estimate.value is None and estimate.low is not None:
            assert found[0] == np.inf
            assert np.isnan(found[1])
            assert all(map(same, found[2:], (estimate.low, np.inf)))
            continue
        figures = (estimate.value, estimate.se, estimate.low, estimate.high)
        assert all(same(a, b, 1e-10) for a, b in zip(found, figures, strict=True)), (name, found, figures)


def test_every_measure_of_a_curve_has_its_standard_error_and_interval(curve):
    for k in (0, 1, 40, 120, len(CURVE) - 1):
        curve.running(f"x.store.set({{point: {k}}});")
        check_estimates(curve, k, cost=(1, 1))
    curve.running("x.store.set({point: 70});")
    curve.type("Prevalence", "0.05")
    curve.type("Cost of a false negative", "9")
    curve.root.get_by_label("Level", exact=True).select_option("80%")
    check_estimates(curve, 70, cost=(1, 9), prevalence=0.05, level=0.8)


def test_predictive_values_over_folds_have_standard_errors(roc):
    roc.running("x.store.set({point: 20});")
    roc.type("Prevalence", "0.1")
    mean, _, se = roc.measure("precision")
    assert same(mean, ROC.measure("precision", prevalence=0.1)[20])
    assert roc.find("[data-predictive=precision]").inner_text() == f"{mean:.3f} (standard error {se:.3f})"


def test_what_is_undefined_says_so_and_why(curve, roc):
    curve.press("Home")
    for cell in curve.find('tr[data-measure="precision"] td').all():
        assert cell.inner_text() == "0/0"
        assert cell.get_attribute("title") == "0/0: no case tests positive"
    curve.press("End")
    assert (
        curve.find('tr[data-measure="npv"] td').first.get_attribute("title") == "0/0: no case tests negative"
    )
    k = int(np.flatnonzero((CURVE.fp == 0) & (CURVE.tp > 0))[-1])
    curve.running(f"x.store.set({{point: {k}}});")
    texts = curve.find('tr[data-measure="lr_pos"] td').all_inner_texts()
    assert (texts[0], texts[1], texts[3]) == ("∞", "none", "∞")
    assert "infinite" in curve.find('tr[data-measure="lr_pos"] td').nth(1).get_attribute("title")
    curve.press("ArrowRight", "ArrowRight")
    assert not curve.find("tr[data-measure] td[title]").count()
    roc.press("Home")
    assert not any("\u2013" in text for text in roc.find(".explorer-measures").all_inner_texts())


def test_the_largest_error_over_folds_says_what_it_is(narrow):
    best = NARROW.select()
    cells = narrow.find('tr[data-measure="max-class-error"] td')
    errors = NARROW.values[best, [NARROW.measures.index(f"error({name})") for name in NARROW.classes]]
    assert same(numbers(cells)[0], errors.max(axis=0).mean())
    assert errors.max(axis=0).mean() > errors.mean(axis=1).max()
    wording = "the mean over the folds of the largest error of each fold"
    assert cells.first.get_attribute("title") == wording
    assert narrow.find("tr[data-measure] td[title]").count() == 1


# ---- The best point ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(("fp", "fn", "prevalence"), [(1, 1, 0.5), (1, 20, 0.05), (7, 0.5, 0.3), (2, 3, 0.9)])
def test_the_optimum_is_that_of_select(roc, curve, fp, fn, prevalence):
    for explorer, result in ((roc, ROC), (curve, CURVE)):
        explorer.root.get_by_label("Selection rule").select_option("cost")
        explorer.type("Prevalence", str(prevalence))
        explorer.type("Cost of a false positive", str(fp))
        explorer.type("Cost of a false negative", str(fn))
        expected = result.select(cost=(fp, fn), prevalence=prevalence)
        assert explorer.best == expected
        explorer.press("Home")
        explorer.root.get_by_role("button", name="Go to the best point").click()
        assert explorer.point == expected
        assert same(
            explorer.measure("cost")[0],
            result.measure("cost", cost=(fp, fn), prevalence=prevalence)[expected],
        )
        call = explorer.find(".explorer-call").inner_text()
        assert call == f"select(cost=({fp}, {fn}), prevalence={prevalence})"
        assert eval(f"result.{call}", {"result": result}) == expected


def test_the_line_of_equal_cost_turns_with_the_sliders(roc):
    def slope():
        path = roc.find(".explorer-plot path.x-iso").get_attribute("d")
        (x0, y0), (x1, y1) = (map(float, end.split(",")) for end in path[1:].split("L"))
        width, height = roc.running(
            "return [x.plot.across(1) - x.plot.across(0), x.plot.up(0) - x.plot.up(1)];"
        )
        return ((y0 - y1) / height) / ((x1 - x0) / width)

    roc.root.get_by_label("Selection rule").select_option("cost")
    slider = roc.root.get_by_role("slider", name="Prevalence")
    slider.focus()
    slopes = []
    for key in ("Home", "ArrowRight", "PageUp", "PageUp"):
        slider.press(key)
        prevalence = roc.running("return x.store.state.prevalence;")
        assert same(slope(), (1 - prevalence) / prevalence, 1e-6)
        assert roc.best == ROC.select(cost=(1, 1), prevalence=prevalence)
        slopes.append(slope())
    assert slopes == sorted(slopes, reverse=True)
    assert slopes[0] > slopes[-1]


def test_bounds(roc):
    roc.type("Constraints", "TPR >= 0.9, FPR <= 0.6")
    assert roc.best == ROC.select("tpr>=0.9", "fpr<=0.6")
    assert roc.find(".explorer-call").inner_text() == 'select("tpr>=0.9", "fpr<=0.6")'
    assert roc.find(".x-excluded").count() == 2
    roc.type("Constraints", "tpr>=0.99, fpr<=0.01")
    with pytest.raises(rs.UndefinedError) as error:
        ROC.select("tpr>=0.99", "fpr<=0.01")
    assert roc.find(".explorer-message").inner_text() == str(error.value)
    assert roc.best is None
    roc.type("Constraints", "tprr>=0.5")
    assert '"tprr" must be one of tpr, tnr' in roc.find(".explorer-message").inner_text()
    assert roc.root.get_by_label("Constraints").get_attribute("aria-invalid") == "true"
    roc.root.get_by_role("button", name="No constraints or costs").click()
    assert roc.best == ROC.select()


def test_what_the_bounds_exclude_is_shaded(roc):
    roc.type("Constraints", "tpr>=0.9, fpr<0.6")
    floor, ceiling = (
        [float(rect.get_attribute(side)) for side in ("x", "y", "width", "height")]
        for rect in roc.find(".x-excluded").all()
    )
    left, right, top, bottom, low, far = roc.running(
        "const { plot } = x; return [...[0, 1].map((v) => plot.across(v)), ...[1, 0].map((v) => plot.up(v)), "
        "plot.up(0.9), plot.across(0.6)];"
    )
    assert floor == pytest.approx([left, low, right - left, bottom - low])
    assert ceiling == pytest.approx([far, top, right - far, bottom - top])
    roc.type("Constraints", "tpr<=0.9, fpr>0.6")
    ceiling, floor = (
        [float(rect.get_attribute(side)) for side in ("x", "y", "width", "height")]
        for rect in roc.find(".x-excluded").all()
    )
    assert ceiling == pytest.approx([left, top, right - left, low - top])
    assert floor == pytest.approx([left, top, far - left, bottom - top])


def lit(explorer, expected):
    """Whether just the requested points are lit as within the bounds."""
    path = explorer.find(".explorer-plot path.x-feasible").get_attribute("d")
    found = set(re.findall(r"[ML](-?[\d.]+,-?[\d.]+)", path))
    wording = explorer.running(f"return {expected}.map((k) => x.plot.at(k));")
    return found == set(wording)


def test_points_within_the_bounds_are_lit(roc, curve, three):
    for explorer, result in ((roc, ROC), (curve, CURVE)):
        assert lit(explorer, [])
        explorer.type("Constraints", "tpr>=0.7, fpr<=0.5")
        inside = (result.measure("tpr") >= 0.7) & (result.measure("fpr") <= 0.5)
        assert 0 < np.count_nonzero(inside) < len(result)
        assert lit(explorer, np.flatnonzero(inside).tolist())
    three.type("Constraints", "error(bee)<=0.3")
    inside = THREE.measure("error(bee)") <= 0.3
    assert 0 < np.count_nonzero(inside) < len(THREE)
    assert lit(three, np.flatnonzero(inside).tolist())


def test_rules(roc, three):
    for rule in get_args(Rule):
        roc.root.get_by_label("Selection rule").select_option(rule)
        assert roc.best == ROC.select(rule=rule), rule
    three.root.get_by_label("Selection rule").select_option("mean-class-error")
    assert three.best == THREE.select(rule="mean-class-error")


def test_shares_and_costs_of_three_classes(three):
    three.type("Prevalence of bee", "0.6")
    three.type("Cost of an error in cat", "4")
    shares = three.running("return x.store.state.prevalence;")
    assert same(sum(shares), 1)
    assert shares[1] == 0.6
    cost = [[0, 1, 1], [1, 0, 1], [4, 4, 0]]
    expected = THREE.select(cost=cost, prevalence=shares)
    assert three.best == expected
    three.press("o")
    check_cost = THREE.measure("cost", cost=cost, prevalence=shares)[expected]
    assert same(three.measure("cost")[0], check_cost)


def test_a_share_that_is_none_is_refused(roc):
    box = roc.root.get_by_label("Prevalence").and_(roc.page.locator("input[type=text]"))
    box.fill("1.5")
    assert box.get_attribute("aria-invalid") == "true"
    assert roc.running("return x.store.state.prevalence;") is None


@pytest.mark.parametrize("text", ["abc", "1", "0"])
def test_a_share_that_is_none_is_described_and_does_not_stay(roc, text):
    roc.type("Prevalence", "0.25")
    roc.type("Prevalence", text)
    box = roc.root.get_by_label("Prevalence").and_(roc.page.locator("input[type=text]"))
    assert box.input_value() == "0.25"
    assert roc.running("return x.store.state.prevalence;") == 0.25
    hint = roc.root.get_by_role("alert")
    assert hint.inner_text() == f'"{text}" is not a prevalence above 0 and below 1.'
    assert box.get_attribute("aria-describedby") == hint.get_attribute("id")
    roc.type("Prevalence", "0.5")
    assert roc.root.get_by_role("alert").count() == 0


# ---- Two points -------------------------------------------------------------------------------------------


def test_the_pinned_difference_is_that_of_the_matrices(roc, three):
    for explorer, result, pin, k in ((roc, ROC, 14, 31), (three, THREE, 7, 60)):
        explorer.running(f"x.store.set({{point: {pin}}});")
        explorer.press("p")
        explorer.running(f"x.store.set({{point: {k}}});")
        assert explorer.matrix("difference") == (result.confusion[k] - result.confusion[pin]).tolist()
        test = result.compare_to(pin)
        found = np.array(numbers(explorer.find(".explorer-test td"))).reshape(len(test.measures), 4)
        expected = np.stack([test.difference, test.low, test.statistic, test.p_value], axis=-1)[k]
        np.testing.assert_allclose(found, expected, rtol=1e-10, atol=1e-14)
        verdict = "are indistinguishable" if test.indistinguishable[k] else "differ"
        assert verdict in explorer.find(".explorer-verdict").inner_text()


def test_pinned_points_of_one_curve(curve):
    curve.press("Home", *["PageUp"] * 5, "p", *["PageUp"] * 2, "ArrowRight")
    assert curve.point == 71
    moved_tp, moved_fp = CURVE.tp[71] - CURVE.tp[50], CURVE.fp[71] - CURVE.fp[50]
    assert curve.matrix("difference") == [[-moved_fp, moved_fp], [-moved_tp, moved_tp]]
    found = np.array(numbers(curve.find(".explorer-test td"))).reshape(2, 3)
    low = wilson_interval(int(moved_tp), CURVE.n_pos)[0]
    np.testing.assert_allclose(found[0], [moved_tp / CURVE.n_pos, low, moved_tp], rtol=1e-12)
    p = stats.binomtest(int(moved_tp), int(moved_tp + moved_fp)).pvalue
    assert same(float(curve.find(".explorer-verdict").get_attribute("data-value")), p, 1e-10)


def test_a_stricter_point_has_no_higher_rate(curve):
    pin = int(np.flatnonzero(np.diff(CURVE.fp) == 0)[0]) + 1  # no negative between it and the point before
    curve.running(f"x.store.set({{point: {pin - 1}, pin: {pin}}});")
    n, moved = int(CURVE.n_neg), int(CURVE.tp[pin] - CURVE.tp[pin - 1])
    high = wilson_interval(0, n)[1]
    cells = curve.find(".explorer-test tbody tr").nth(1).locator("td")
    assert cells.all_inner_texts() == ["0.000", f"\u2212{high:.3f} to 0.000", f"0 of {n}"]
    ends = wilson_interval(moved, int(CURVE.n_pos))
    assert same(numbers(curve.find(".explorer-test td"))[1], -ends[1])


def test_pinned_tables_name_measures_as_the_others_do(roc, curve, three):
    for explorer in (roc, curve, three):
        explorer.press("p", "ArrowRight")
        names = explorer.find(".explorer-test tbody th").all_inner_texts()
        assert set(names) <= set(explorer.find(".explorer-measures tbody th").all_inner_texts())
        assert len(names) >= 2


def test_the_pin_is_let_go(roc):
    button = roc.root.get_by_role("button", name="Pin this point")
    button.click()
    pinned = roc.point
    roc.press("ArrowRight", "ArrowRight")
    roc.root.get_by_role("button", name="Go to the pinned point").click()
    assert roc.point == pinned
    assert roc.root.get_by_role("button", name=f"Let go of pinned point {pinned + 2}").is_visible()
    roc.press("p")
    assert not roc.find(".explorer-compared").is_visible()


# ---- Axes, address, copies --------------------------------------------------------------------------------


def test_other_axes(roc):
    roc.root.get_by_label("Across", exact=True).select_option("Accuracy")
    roc.root.get_by_label("Up", exact=True).select_option("PPV")
    at = roc.running("return [x.plot.xs[9], x.plot.ys[9]];")
    assert same(at[0], ROC.measure("accuracy")[9])
    assert same(at[1], ROC.measure("precision")[9])
    roc.click(9)
    assert roc.point == 9
    assert not roc.find(".explorer-plot path.x-iso").get_attribute("d")


def axis_ends(explorer):
    return explorer.running("return [x.plot.x, x.plot.y].map(({ low, high }) => [low, high]);")


def test_folds_beyond_the_axes_are_counted(roc):
    roc.root.get_by_label("Up", exact=True).select_option("Youden's index")
    rates = {name: ROC.values[:, ROC.measures.index(name)] for name in ("tpr", "fpr")}
    across, up = rates["fpr"], rates["tpr"] - rates["fpr"]
    (left, right), (low, high) = axis_ends(roc)
    inside = (across >= left) & (across <= right) & (up >= low - 1e-12) & (up <= high)
    k = int(inside.sum(axis=1).argmin())
    beyond = int(np.count_nonzero(~inside[k]))
    assert beyond > 0
    roc.running(f"x.store.set({{point: {k}}});")
    drawn = roc.find(".explorer-plot .x-fold").get_attribute("d").count("M")
    assert drawn == np.count_nonzero(inside[k])
    assert roc.find("[data-mark=fold]").inner_text() == f"its folds ({beyond} beyond the axes)"


def test_a_cloud_and_its_folds_fill_the_axes(narrow):
    values = [NARROW.values[:, NARROW.measures.index(f"error({name})")] for name in ("ape", "bee")]
    for (low, high), found in zip(axis_ends(narrow), values, strict=True):
        assert low <= found.min() < found.max() <= high
        step = (high - low) / 4  # there are at least four steps: none of them is empty
        assert found.min() - low < step
        assert high - found.max() < step
    for k in (0, 20, len(NARROW) - 1):
        narrow.running(f"x.store.set({{point: {k}}});")
        assert narrow.find(".explorer-plot .x-fold").get_attribute("d").count("M") == len(NARROW.folds)
        assert narrow.find("[data-mark=fold]").inner_text() == "its folds"


def test_a_cloud_far_from_0_is_not_drawn_from_0(narrow):
    narrow.root.get_by_label("Across", exact=True).select_option("Accuracy")
    assert NARROW.measure("accuracy").min() > 0.5
    assert axis_ends(narrow)[0][0] > 0.2


def test_the_axes_of_rates_go_from_0_to_1(roc, curve):
    for explorer in (roc, curve):
        assert axis_ends(explorer) == [[0, 1], [0, 1]]


def go_to(explorer, words):
    explorer.page.evaluate("(words) => { location.hash = words; }", words)


def test_another_address_gives_exactly_what_it_says(curve):
    go_to(curve, "s2.point=10&s2.pin=20&s2.bounds=tpr>=0.9&s2.prevalence=0.3&s2.x=accuracy")
    until(curve.page, "rocscope.explorer.running.get('s2').store.state.pin === 20")
    assert curve.point == 10
    assert curve.root.get_by_label("Constraints").input_value() == "tpr>=0.9"
    curve.root.get_by_label("Constraints").focus()
    go_to(curve, "s2.point=30")
    until(curve.page, "rocscope.explorer.running.get('s2').store.state.point === 30")
    begin = curve.running("return x.begin;")
    assert curve.running("return x.store.state;") == begin | {"point": 30}
    check_point(curve, CURVE, 30)
    assert not curve.find(".explorer-compared").is_visible()
    assert curve.root.get_by_label("Constraints").input_value() == ""
    assert curve.root.get_by_label("Across", exact=True).input_value() == "fpr"


def test_a_link_to_a_section_keeps_the_state(curve):
    curve.running("x.store.set({point: 33, pin: 5});")
    until(curve.page, "location.hash.includes('s2.pin=5')")
    go_to(curve, "s1")
    until(curve.page, "location.hash.includes('s2.pin=5')")
    assert curve.point == 33


@pytest.mark.parametrize(
    ("words", "expected"),
    [("0.9,0.9,0.9", None), ("0.2,0.3,0.4", None), ("0.2,0.3,0.5", [0.2, 0.3, 0.5])],
)
def test_shares_of_an_address_add_up_to_1(three, words, expected):
    if expected is None:
        with pytest.raises(rs.RocInputError, match="add up to 1"):
            THREE.select(cost=1 - np.eye(3), prevalence=[float(p) for p in words.split(",")])
    go_to(three, f"s3.point=3&s3.prevalence={words}")
    until(three.page, "rocscope.explorer.running.get('s3').store.state.point === 3")
    assert three.running("return x.store.state.prevalence;") == expected


@pytest.mark.parametrize(
    ("name", "expected"),
    [("lr_pos", "fpr"), ("sensitivity", "tpr"), ("ppv", "precision"), ("error(ill)", "fpr")],
)
def test_an_axis_of_an_address_is_one_of_the_chooser(curve, name, expected):
    go_to(curve, f"s2.point=4&s2.x={name}")
    until(curve.page, "rocscope.explorer.running.get('s2').store.state.point === 4")
    assert curve.root.get_by_label("Across", exact=True).input_value() == expected
    assert curve.running("return x.store.state.x;") == expected


def test_the_copied_address_is_that_of_now(curve):
    curve.press("End")
    until(curve.page, f"location.hash.includes('s2.point={len(CURVE) - 1}')")
    copied = curve.page.evaluate(
        """async () => {
          const { plot } = rocscope.explorer.running.get("s2");
          plot.root.dispatchEvent(new KeyboardEvent("keydown", { key: "Home" }));
          document.querySelector("#s2 .explorer-link").click();
          for (let k = 0; k < 500; k++) {
            await new Promise((done) => setTimeout(done, 10));
            if (document.querySelector("#s2 .explorer-copied").textContent) break;
          }
          return navigator.clipboard.readText();
        }"""
    )
    assert curve.point == 0
    assert "s2.point=0" in copied


def test_the_address_keeps_the_state(open_page, file, roc):
    roc.type("Constraints", "tpr>=0.8")
    roc.type("Prevalence", "0.2")
    roc.root.get_by_label("Test", exact=True).select_option("paclik")
    roc.press("Home", "PageUp", "p", "ArrowRight")
    until(roc.page, "location.hash.includes('s1.pin=10')")
    fragment = roc.page.evaluate("location.hash")
    other = open_page(file, fragment=fragment)
    again = Explorer(other, "s1")
    state = "return x.store.state;"
    assert again.running(state) == roc.running(state)
    assert again.point == 11
    assert again.find(".explorer-reading").inner_text() == roc.find(".explorer-reading").inner_text()
    assert other.problems == []


def test_an_address_of_nonsense_changes_nothing(open_page, file):
    words = "#s1.point=1e9&s1.pin=-1&s1.level=7&s1.x=constructor&s1.aim=<b>&s1.cost=0,a&s1.prevalence=2"
    page = open_page(file, fragment=words + "&s1.measures=[&s1.method=x&s1.bounds=%3Cimg%20src%3Dx%3E")
    explorer = Explorer(page, "s1")
    assert explorer.point == ROC.select()
    state = explorer.running("return x.store.state;")
    assert (state["pin"], state["x"], state["cost"], state["prevalence"]) == (None, "fpr", None, None)
    assert page.locator("img").count() == 0
    assert page.problems == []
    assert len(page.requests) == 1


def test_the_point_is_copied_as_python_and_json(roc, three):
    for explorer, result in ((roc, ROC), (three, THREE)):
        explorer.running("x.store.set({point: 17});")
        explorer.root.get_by_role("button", name="Copy as Python").click()
        until(explorer.page, "navigator.clipboard.readText().then((t) => t.startsWith('import'))")
        code = explorer.page.evaluate("navigator.clipboard.readText()")
        names = {"estimator": None}
        exec(code, names)
        assert names["point"] == result.decision(17)
        assert names["model"].point == result.decision(17)
        explorer.root.get_by_role("button", name="Copy as JSON").click()
        until(explorer.page, "navigator.clipboard.readText().then((t) => t.startsWith('{'))")
        text = explorer.page.evaluate("navigator.clipboard.readText()")
        assert type(result.decision(17)).from_json(text) == result.decision(17)
        assert json.loads(text) == json.loads(result.decision(17).to_json())


# ---- Everybody --------------------------------------------------------------------------------------------


def test_every_control_has_a_name(opened):
    nameless = opened.evaluate(
        """() => [...document.querySelectorAll("input, select, button, [tabindex]")].filter((node) =>
          !(node.labels?.length || node.getAttribute("aria-label") || node.textContent.trim()))
          .map((node) => node.outerHTML)"""
    )
    assert nameless == []


def test_ids_are_unique(opened):
    ids = opened.evaluate("[...document.querySelectorAll('[id]')].map((node) => node.id)")
    assert len(ids) == len(set(ids))


def test_the_explorer_is_used_without_a_mouse(open_page, file):
    page = open_page(file)
    for _ in range(30):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.getAttribute('role')") == "slider":
            break
    page.keyboard.press("End")
    assert Explorer(page, "s1").point == len(ROC) - 1
    outline = page.evaluate("getComputedStyle(document.activeElement).outlineStyle")
    assert outline != "none"


def test_a_phone_has_room_for_it(open_page, file):
    page = open_page(file, width=360, height=740, has_touch=True, is_mobile=True)
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    explorer = Explorer(page, "s1")
    x, y = explorer.place(33)
    page.touchscreen.tap(x, y)
    assert explorer.point == 33
    assert page.problems == []


CONTRAST = """() => {
  const light = (text) => {
    const [r, g, b] = text.match(/[\\d.]+/g).map((v) => v / 255)
      .map((v) => (v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const ratio = (a, b) => (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
  const section = document.querySelector(".explorer");
  const ground = light(getComputedStyle(section).backgroundColor);
  const seen = (what, property) => getComputedStyle(section.querySelector(what))[property];
  const of = (what, property) => ratio(light(seen(what, property)), ground);
  return {
    text: [
      of(".explorer-reading", "color"),
      ...[".explorer-plot text", ".x-positive-text", ".x-negative-text"].map((what) => of(what, "fill")),
    ],
    marks: [".x-curve", ".x-best", ".x-pin"].map((what) => of(`.explorer-plot ${what}`, "stroke")),
    point: of(".explorer-plot .x-point", "fill"),
  };
}"""


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_light_and_dark_are_readable(open_page, file, scheme):
    page = open_page(file, color_scheme=scheme)
    found = page.evaluate(CONTRAST)
    assert min(found["text"]) >= 4.5
    assert min([*found["marks"], found["point"]]) >= 3
    assert page.evaluate("document.documentElement.dataset.theme") == scheme


def test_quantiles_come_from_python(opened):
    z = opened.evaluate("rocscope.explorer.running.get('s2').model.payload.z")
    assert z == [float(special.ndtri((1 + level) / 2)) for level in (0.8, 0.9, 0.95, 0.99)]


# ---- From other pages -------------------------------------------------------------------------------------


def test_a_copied_address_leads_to_its_explorer(open_page, file, curve):
    curve.press("End")
    link = curve.find(".explorer-link")
    link.click()
    shown = curve.find(".explorer-address")
    assert shown.is_visible()
    address = shown.inner_text()
    assert address.startswith(file.as_uri() + "#")
    until(curve.page, f"navigator.clipboard.readText().then((text) => text === {address!r})")
    other = open_page(file, fragment="#" + address.partition("#")[2])
    until(other, "document.getElementById('s2').getBoundingClientRect().top < 5")
    assert other.evaluate("scrollY") > 100
    assert Explorer(other, "s2").point == len(CURVE) - 1
    curve.press("Home")
    assert not shown.is_visible()  # of a view that is gone


def test_a_view_that_nobody_changed_has_an_address_as_well(open_page, file, narrow):
    narrow.find(".explorer-link").click()
    address = narrow.find(".explorer-address").inner_text()
    other = open_page(file, fragment="#" + address.partition("#")[2])
    until(other, "document.getElementById('s4').getBoundingClientRect().top < innerHeight")
    assert other.evaluate("scrollY") > 100


def test_the_page_begins_at_the_selected_point(open_page, tmp_path):
    index = CURVE.select("tpr>=0.9")
    section = explorer_section(CURVE, start=index, select=["tpr>=0.9"])
    path = tmp_path / "selected.html"
    path.write_text(html_page([section], title="Selected"))
    explorer = Explorer(open_page(path), "s1")
    assert (explorer.point, explorer.best) == (index, index)
    assert explorer.root.get_by_label("Constraints").input_value() == "tpr>=0.9"
    explorer.type("Constraints", "")
    until(explorer.page, "location.hash.includes('s1.bounds=')")
    again = Explorer(open_page(path, fragment=explorer.page.evaluate("location.hash")), "s1")
    assert again.root.get_by_label("Constraints").input_value() == ""  # what the reader took away stays away


def test_the_table_of_a_test_is_that_of_stard(open_page, tmp_path):
    y = np.arange(60) % 3 == 0
    score = np.round(y + np.sin(np.arange(60)), 2)
    labels = np.where(y, "ill", "well")
    given = [
        rs.roc_curve(labels, score, pos_label="ill"),
        rs.point_measures(labels, score, select="tpr>=0.9", pos_label="ill"),
    ]
    page = open_page(rs.report({"s": given}, path=tmp_path / "tables.html"))
    explored = page.locator(".explorer-confusion table")
    texts = "(table, what) => [...table.querySelectorAll(what)].map((cell) => cell.textContent.trim())"
    assert explored.evaluate(texts, "thead th") == ["", "ill (present)", "well (absent)", "Total"]
    assert explored.evaluate(texts, "tbody th") == ["Test positive", "Test negative", "Total"]
    point = given[1]
    rows = [[point.tp, point.fp], [point.fn, point.tn]]
    rows.append([a + b for a, b in zip(*rows, strict=True)])
    shown = [int(text.split()[0]) for text in explored.evaluate(texts, "td")]
    assert shown == [n for row in rows for n in (*row, sum(row))]
    assert explored.evaluate(texts, "td")[0] == f"{point.tp} ({100 * point.tp / rows[2][0]:.3g}%)"
