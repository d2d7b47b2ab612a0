"""The explorer of several classes without folds: shares of cases with their errors, and linked panels."""

import csv
import json

import numpy as np
import pytest

import rocscope as rs
from browser.explorers import Explorer, numbers, same, until
from browser.one_set import one_set
from rocscope.cli import main
from rocscope.inference.proportions import IntervalKind, wilson_interval
from rocscope.reporting.explorer import average_payload
from slow.class_estimates import AT_A_MAXIMUM, class_estimates

NAMES = ["ape", "bee", "cat"]
PHONE = 390


def cases(n=240):
    rng = np.random.default_rng(21)
    codes = rng.integers(0, 3, n)
    return np.array(NAMES)[codes], np.round(rng.random((n, 3)) + 0.5 * np.eye(3)[codes], 4)


Y, SCORES = cases()
SEARCHED = rs.search_weights(Y, SCORES, classes=NAMES, keep=100, rng=1)
FRONT = rs.front_weights(Y, SCORES, SEARCHED[0], classes=NAMES, n=200)
WEIGHTS = np.array([*dict.fromkeys(map(tuple, [*SEARCHED.tolist(), *FRONT.tolist()]))])
ROC = one_set(Y, SCORES, WEIGHTS, NAMES)
ERRORS = np.stack([ROC.measure(f"error({name})") for name in NAMES], axis=1)
SIZES = ROC.class_sizes.tolist()


@pytest.fixture(scope="module")
def file(tmp_path_factory):
    """The page of a table without a column of folds, by the command."""
    folder = tmp_path_factory.mktemp("cases")
    with open(folder / "p.csv", "w", newline="") as out:
        writer = csv.writer(out)
        writer.writerow(["y", *"abc"])
        writer.writerows([label, *row] for label, row in zip(Y.tolist(), SCORES.tolist(), strict=True))
    scores = [part for name in "abc" for part in ("--score", name)]
    options = ["--label", "y", *scores, "--classes", ",".join(NAMES), "--seed", "1"]
    page = folder / "r.html"
    assert main(["report", str(folder / "p.csv"), *options, "--out", str(page)]) == 0
    return page


@pytest.fixture(scope="module")
def opened(open_page, file):
    return open_page(file, permissions=["clipboard-read", "clipboard-write"])


def only(page):
    (section,) = page.evaluate("[...rocscope.explorer.running.keys()]")
    return Explorer(page, section)


@pytest.fixture
def explorer(opened):
    yield only(opened).unfold().reset()
    assert opened.problems == []


def check_point(explorer, k, *, level=0.95, **options):
    """Matrix and every measure with its standard error and interval are those of Python at point k."""
    assert explorer.point == k
    assert explorer.matrix("confusion") == ROC.confusion[k].tolist()
    expected = class_estimates(ROC.confusion[k], IntervalKind(level=level), classes=NAMES, **options)
    shown = explorer.find("tr[data-measure]").evaluate_all("(rows) => rows.map((row) => row.dataset.measure)")
    assert set(shown) == set(expected) - {"reject_rate"}
    for name in shown:
        one = expected[name]
        found, figures = explorer.measure(name), (one.value, one.se, one.low, one.high)
        assert all(same(a, b, 1e-10) for a, b in zip(found, figures, strict=True)), (name, found, figures)


def test_the_page_is_that_of_these_points(explorer):
    sent = explorer.running("return x.model.payload;")
    assert json.dumps(sent["counts"]) == json.dumps(average_payload(ROC)["counts"])
    assert (sent["averaged"], sent["kind"], sent["folds"]) == (False, "weights", [])
    assert explorer.running("return x.histogram === null;")
    assert explorer.find(".explorer-histogram").count() == 0
    assert explorer.find("h2").first.inner_text() == "Operating point"
    wording = explorer.find(".explorer-measures caption").inner_text()
    assert wording == "Measures: value, standard error, ends of the interval"


def test_it_begins_at_the_point_of_select(explorer):
    check_point(explorer, ROC.select())


def test_a_click_takes_the_nearest_point(explorer):
    x, y = (np.array(explorer.running(f"return [...x.plot.p{axis}];")) for axis in "xy")
    for k in (3, 41, 77):
        explorer.click(k)
        at = int(np.argmin(np.hypot(x - x[k], y - y[k])))  # the first of several at one place
        check_point(explorer, at)
        assert ERRORS[at, :2].tolist() == ERRORS[k, :2].tolist()


def test_keys_visit_the_points_from_left_to_right(explorer):
    order = sorted(range(len(ROC)), key=lambda k: (*ERRORS[k, :2], k))
    explorer.press("Home", "ArrowRight", "ArrowUp", "PageUp", "ArrowLeft")
    check_point(explorer, order[11])
    explorer.press("End")
    check_point(explorer, order[-1])
    explorer.press("o")
    check_point(explorer, ROC.select())


def test_what_has_no_standard_error_says_why(explorer):
    cells = explorer.find('tr[data-measure="max-class-error"] td')
    assert cells.all_inner_texts()[1:] == ["none"] * 3
    assert {cells.nth(k).get_attribute("title") for k in (1, 2, 3)} == {AT_A_MAXIMUM}
    assert explorer.find("tr[data-measure] td[title]").count() == 3


def test_the_reading_describes_the_standard_errors(explorer):
    explorer.running("x.store.set({point: 12});")
    error, n = ERRORS[12, 1], SIZES[1]
    wording = explorer.find(".explorer-reading").inner_text()
    assert f"bee: {error:.3f}, standard error {np.sqrt(error * (1 - error) / n):.3f} ({n} cases)" in wording
    assert "fold" not in wording


@pytest.mark.parametrize("level", [0.95, 0.8])
def test_points_within_the_intervals_are_lit(explorer, level):
    explorer.root.get_by_label("Level", exact=True).select_option(f"{100 * level:g}%")
    for k in np.linspace(0, len(ROC) - 1, 10).round().astype(int).tolist():
        explorer.running(f"x.store.set({{point: {k}}});")
        wrong = np.round(ERRORS[k] * SIZES).astype(int).tolist()
        ends = np.array([wilson_interval(w, n, level=level) for w, n in zip(wrong, SIZES, strict=True)])
        low, high = ends.T
        inside = np.all((low <= ERRORS) & (high >= ERRORS), axis=1)
        expected = set(np.flatnonzero(inside).tolist()) - {k}
        assert explorer.alike() == expected
        have = "has" if len(expected) == 1 else "have"
        within = f"class errors within the {100 * level:g}% intervals"
        reading = explorer.find(".explorer-reading").inner_text()
        assert f"{len(expected)} of {len(ROC) - 1} other points {have} {within}" in reading


def test_the_bars_are_the_intervals(explorer):
    explorer.running("x.store.set({point: 30});")
    path = explorer.find(".x-bars").get_attribute("d")
    ends = [wilson_interval(round(ERRORS[30, c] * SIZES[c]), SIZES[c]) for c in (0, 1)]
    low, high = explorer.running("return [x.plot.x.low, x.plot.x.high];")
    expected = explorer.running(
        f"return [{max(ends[0][0], low)}, {min(ends[0][1], high)}].map((v) => x.plot.across(v));"
    )
    drawn = path[1 : path.index("M", 1)].split("H")
    assert float(drawn[0].split(",")[0]) == pytest.approx(expected[0], abs=1e-6)
    assert float(drawn[1]) == pytest.approx(expected[1], abs=1e-6)


@pytest.mark.parametrize("costs", [(1, 1, 1), (1, 7, 2), (0.5, 1, 9)])
@pytest.mark.parametrize("share", [None, 0.6])
def test_the_optimum_is_that_of_select(explorer, costs, share):
    table = [[0 if r == c else cost for c in range(3)] for r, cost in enumerate(costs)]
    for name, cost in zip(NAMES, costs, strict=True):
        explorer.type(f"Cost of an error in {name}", str(cost))
    if share is not None:
        explorer.type("Prevalence of bee", str(share))
    shares = explorer.running("return x.store.state.prevalence;")
    expected = ROC.select(cost=table, prevalence=shares)
    assert explorer.best == expected
    call = explorer.find(".explorer-call").inner_text()
    assert eval(f"roc.{call}", {"roc": ROC}) == expected
    explorer.press("Home", "o")
    check_point(explorer, expected, cost=table, prevalence=shares)


def test_bounds_and_rules(explorer):
    explorer.type("Constraints", "error(bee) <= 0.2, accuracy >= 0.5")
    assert explorer.best == ROC.select("error(bee)<=0.2", "accuracy>=0.5")
    explorer.root.get_by_label("Selection rule").select_option("mean-class-error")
    assert explorer.best == ROC.select("error(bee)<=0.2", "accuracy>=0.5", rule="mean-class-error")
    explorer.type("Constraints", "error(bee)<=0, error(ape)<=0, error(cat)<=0")
    with pytest.raises(rs.UndefinedError) as error:
        ROC.select("error(bee)<=0", "error(ape)<=0", "error(cat)<=0")
    assert (
        explorer.find(".explorer-message")
        .inner_text()
        .startswith(f"{error.value}; alone, error(bee) reaches")
    )
    # There are other weights, of which the page knows nothing.
    assert str(error.value).startswith(f"none of the {len(ROC)} operating points shown has error(bee)<=0 and")


@pytest.mark.parametrize("bound", [0.02, 0.1, 0.25])
@pytest.mark.parametrize("name", NAMES)
def test_a_bound_on_one_class_is_met(explorer, name, bound):
    """The page has weights for every bound on one class, where the best ones by the largest error miss it."""
    explorer.type("Constraints", f"error({name}) <= {bound}")
    assert explorer.best == ROC.select(f"error({name})<={bound}")
    assert ERRORS[explorer.best, NAMES.index(name)] <= bound


def test_a_pinned_point_is_compared_without_a_test(explorer):
    explorer.running("x.store.set({point: 8});")
    explorer.press("p")
    explorer.running("x.store.set({point: 55});")
    assert explorer.matrix("difference") == (ROC.confusion[55] - ROC.confusion[8]).tolist()
    found = np.array(numbers(explorer.find(".explorer-test td"))).reshape(3, 2)
    np.testing.assert_allclose(found[:, 0], ERRORS[55] - ERRORS[8], atol=1e-12)
    np.testing.assert_array_equal(found[:, 1], np.round((ERRORS[55] - ERRORS[8]) * SIZES))
    assert explorer.find(".explorer-verdict").inner_text().startswith("There is no test between the two")


def test_the_point_is_taken_away(explorer):
    explorer.running("x.store.set({point: 17});")
    names = {"estimator": None}
    exec(explorer.find(".explorer-python").inner_text(), names)
    assert names["point"] == ROC.decision(17)
    saved = explorer.find(".explorer-json").inner_text()
    assert rs.ClassWeights.from_json(saved) == ROC.decision(17)
    explorer.root.get_by_role("button", name="Copy as JSON").click()
    until(explorer.page, "navigator.clipboard.readText().then((t) => t.startsWith('{'))")
    assert explorer.page.evaluate("navigator.clipboard.readText()") == saved


def test_the_address_keeps_the_state(open_page, file, explorer):
    explorer.type("Prevalence of cat", "0.5")
    explorer.type("Constraints", "error(ape)<=0.5")
    explorer.press("Home", "p", "ArrowRight")
    until(explorer.page, f"location.hash.includes('{explorer.id}.pin=')")
    again = only(open_page(file, fragment=explorer.page.evaluate("location.hash")))
    state = "return x.store.state;"
    assert again.running(state) == explorer.running(state)
    assert again.find(".explorer-reading").inner_text() == explorer.find(".explorer-reading").inner_text()
    assert again.page.problems == []


def test_the_panels_follow_and_lead(explorer, opened):
    opened.locator("[data-linked]").scroll_into_view_if_needed()
    plots = "[...document.querySelectorAll('[data-linked] .plot')]"
    until(opened, f"{plots}.every((div) => div.dataset.drawn !== undefined)")
    last = '((div) => rocscope.figure(div.closest("section"), div.dataset.name).figure.marks.at(-1))'
    explorer.running("x.store.set({point: 64});")
    until(opened, f"{last}({plots}[0]).role === 'spot'")
    planes = ([0, 1, 2], [0, 1], [0, 2], [1, 2])
    until(opened, f"Math.abs({last}({plots}[3]).x[0] - {ERRORS[64, 1]}) < 1e-9")
    spots = f"{plots}.map({last}).map((s) => [s.x, s.y, s.z].flatMap((v) => v ?? []))"
    for found, plane in zip(opened.evaluate(spots), planes, strict=True):
        np.testing.assert_allclose(found, ERRORS[64, plane], rtol=1e-12)
    # By keys: the first point of the cloud, then the next one, which Enter selects.
    opened.evaluate(f"{plots}[2].querySelector('svg').focus()")
    point = f"rocscope.explorer.running.get('{explorer.id}').store.state.point"
    for _ in range(6):
        opened.keyboard.press("ArrowRight")
        opened.keyboard.press("Enter")
        if opened.evaluate(point) != 64:
            break
        opened.keyboard.press("ArrowUp")
    until(opened, f"{point} !== 64")
    check_point(explorer, opened.evaluate(point))


def test_a_phone_has_room_for_it(open_page, file):
    page = open_page(file, width=PHONE, height=844, has_touch=True, is_mobile=True)
    explorer = only(page)
    explorer.press("p", "ArrowRight", "ArrowRight")
    assert page.evaluate("document.scrollingElement.scrollWidth") <= PHONE
    cells = ".explorer-confusion td, .explorer-difference td, .explorer-measures td, .explorer-test td"
    outside = """(what) => [...document.querySelectorAll(what)].filter((node) => {
      const { right, width } = node.getBoundingClientRect();
      return width > 0 && right > node.closest(".scroll").getBoundingClientRect().right + 0.5;
    }).map((node) => node.textContent)"""
    assert page.evaluate(outside, cells) == []
    page.touchscreen.tap(*explorer.place(33))
    assert ERRORS[explorer.point, :2].tolist() == ERRORS[33, :2].tolist()
    assert page.problems == []


def test_the_page_says_what_folds_would_add(opened):
    lines = opened.locator("section").last.locator("li").all_inner_texts()
    wording = "Standard deviations over folds and tests between operating points: --fold COLUMN"
    assert any(line.startswith(wording) for line in lines)
    assert not any("explorer" in line for line in lines)
