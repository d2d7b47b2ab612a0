"""What clinicians use: all cut-offs, dots, prevalence, the interval of the cut-off, hovering."""

import csv
import math
import re

import numpy as np
import pytest

import rocscope as rs
from browser.explorers import Explorer, until
from rocscope.reporting.explorer import explorer_section
from rocscope.reporting.page import page as html_page


def cases(n=113):
    """Scores to two decimals with many ties, as of a marker in blood."""
    rng = np.random.default_rng(41)
    poor = np.arange(n) % 11 < 4
    return np.where(poor, "Poor", "Good"), np.round(np.exp(rng.normal(size=n) * 0.8 - 2 + 0.8 * poor), 2)


Y, SCORE = cases()
CURVE = rs.roc_curve(Y, SCORE, pos_label="Poor")
CUT = rs.cutpoint(Y, SCORE, n_boot=200, rng=1, pos_label="Poor")
MEASURES = ["sensitivity", "specificity", "lr_pos", "lr_neg", "ppv", "npv"]


@pytest.fixture(scope="module")
def file(tmp_path_factory):
    path = tmp_path_factory.mktemp("clinic") / "clinic.html"
    path.write_text(html_page([explorer_section(CURVE, name="marker", cutpoint=CUT)], title="Clinic"))
    return path


@pytest.fixture(scope="module")
def opened(open_page, file):
    return open_page(file)


@pytest.fixture
def explorer(opened):
    opened.mouse.move(0, 0)
    yield Explorer(opened, "s1").unfold().reset()
    assert opened.problems == []


# ---- All cut-offs -----------------------------------------------------------------------------------------

ROWS = """(table) => [...table.querySelectorAll("tbody tr")].map((row) => ({
  point: Number(row.dataset.point),
  threshold: row.querySelector("th").dataset.value,
  text: row.querySelector("th").textContent,
  cells: [...row.querySelectorAll("td")].map(({ dataset }) =>
    "low" in dataset ? [dataset.low, dataset.high] : dataset.value),
}))"""


def floats(values):
    flat = [one for value in values for one in (value if isinstance(value, list) else [value])]
    return [float(text.replace("Infinity", "inf")) for text in flat]


def check_table(explorer, **options):
    table = CURVE.coords(measures=MEASURES, **options)
    rows = explorer.find(".explorer-grid").evaluate(ROWS)
    assert [row["point"] for row in rows] == list(range(len(CURVE)))
    found = np.array([floats(row["cells"]) for row in rows]).reshape(len(rows), 6, 3)
    expected = np.stack([table.values, table.low, table.high], axis=-1).transpose(1, 0, 2)
    np.testing.assert_allclose(found, expected, rtol=1e-10, atol=1e-14)
    np.testing.assert_array_equal(floats([row["threshold"] for row in rows]), CURVE.thresholds)


def test_all_cut_offs_are_those_of_coords(explorer):
    assert len(CURVE) < len(SCORE) / 1.5  # many ties
    check_table(explorer)
    explorer.type("Prevalence", "0.05")
    explorer.root.get_by_label("Level", exact=True).select_option("90%")
    check_table(explorer, prevalence=0.05, level=0.9)
    head = explorer.find(".explorer-grid thead th").all_inner_texts()
    assert head[:5] == ["Criterion", "Sensitivity", "90% CI", "Specificity", "90% CI"]
    assert [head[k] for k in range(5, 13, 2)] == ["+LR", "−LR", "+PV", "−PV"]


def test_criteria_are_written_as_in_papers(explorer):
    rows = explorer.find(".explorer-grid").evaluate(ROWS)
    assert rows[0]["text"] == f"> {CURVE.thresholds[1]:.6g}"
    assert [row["text"] for row in rows[1:]] == [f"≥ {t:.6g}" for t in CURVE.thresholds[1:]]


def shown(explorer):
    return [row["point"] for row in explorer.find(".explorer-grid").evaluate(ROWS)]


def test_any_column_sorts(explorer):
    table = CURVE.coords(measures=MEASURES)
    specificity = explorer.root.get_by_role("button", name="Specificity", exact=True)
    specificity.click()
    values = table.values[1]
    assert [values[k] for k in shown(explorer)] == sorted(values, reverse=True)
    specificity.click()
    assert [values[k] for k in shown(explorer)] == sorted(values)
    header = explorer.find(".explorer-grid th[aria-sort]")
    assert (header.count(), header.get_attribute("aria-sort")) == (1, "ascending")
    explorer.root.get_by_role("button", name="+PV", exact=True).click()
    assert shown(explorer)[-1] == 0  # undefined comes last
    explorer.root.get_by_role("button", name="Criterion", exact=True).click()
    assert shown(explorer) == list(range(len(CURVE)))


@pytest.mark.parametrize(
    ("text", "bounds"),
    [
        ("sensitivity >= 0.7", ["tpr>=0.7"]),
        ("Sens ≥ 0.5, Spec ≥ 0.5", ["tpr>=0.5", "tnr>=0.5"]),
        ("+LR > 1.2 and -PV >= 0.65", ["lr_pos>1.2", "npv>=0.65"]),
        ("tpr>=0.9", ["tpr>=0.9"]),
    ],
)
def test_cut_offs_are_filtered(explorer, text, bounds):
    explorer.type("Show cut-offs with", text)
    keep = np.ones(len(CURVE), bool)
    for bound in bounds:
        name, relation, value = re.split(r"(>=|>)", bound)
        keep &= (
            CURVE.measure(name) >= float(value) if relation == ">=" else CURVE.measure(name) > float(value)
        )
    assert 0 < keep.sum() < len(CURVE)
    assert shown(explorer) == np.flatnonzero(keep).tolist()
    assert explorer.find(".explorer-count").inner_text() == f"{keep.sum()} of {len(CURVE)} cut-offs"
    explorer.type("Show cut-offs with", "nonsense >= 1")
    assert '"nonsense" must be one of' in explorer.find(".explorer-count").inner_text()
    explorer.type("Show cut-offs with", "")
    assert len(shown(explorer)) == len(CURVE)


def test_a_row_selects_its_point(explorer):
    explorer.find('.explorer-grid tr[data-point="5"]').click()
    assert explorer.point == 5
    selected = explorer.find('.explorer-grid tr[aria-selected="true"]')
    assert selected.get_attribute("data-point") == "5"
    explorer.press("End")
    last = explorer.find('.explorer-grid tr[aria-selected="true"]')
    assert last.get_attribute("data-point") == str(len(CURVE) - 1)
    box, row = explorer.find(".explorer-criteria").bounding_box(), last.bounding_box()
    assert box["y"] <= row["y"] <= row["y"] + row["height"] <= box["y"] + box["height"] + 1
    last.focus()
    for key in ("ArrowUp", "ArrowUp", "Enter"):
        explorer.page.keyboard.press(key)
    assert explorer.point == len(CURVE) - 3
    explorer.page.keyboard.press("Home")
    explorer.page.keyboard.press(" ")
    assert explorer.point == 0


def test_the_table_is_made_when_it_is_opened(open_page, file):
    page = open_page(file)
    assert page.locator(".explorer-grid tbody tr").count() == 0
    page.get_by_text(f"All cut-offs ({len(CURVE)})").click()
    until(page, f"document.querySelectorAll('.explorer-grid tbody tr').length === {len(CURVE)}")


@pytest.fixture(scope="module")
def long_table(open_page, tmp_path_factory):
    rng = np.random.default_rng(2)
    y = rng.random(1400) < 0.3
    curve = rs.roc_curve(y, rng.normal(size=1400) + y)
    path = tmp_path_factory.mktemp("long") / "long.html"
    path.write_text(html_page([explorer_section(curve)], title="Long"))
    return curve, open_page(path, accept_downloads=True)


def test_a_long_table_has_the_rows_in_sight(long_table):
    """It makes no more rows than are seen, shows the selected row, and any other when it is scrolled to."""
    curve, page = long_table
    page.locator(".explorer-criterion").evaluate("(root) => (root.open = true)")
    assert page.locator(".explorer-grid tr[data-point]").count() < 200
    selected = page.locator('.explorer-grid tr[aria-selected="true"]')
    assert int(selected.get_attribute("data-point")) == curve.select(rule="youden").index
    page.evaluate("document.querySelector('.explorer-criteria').scrollTop = 1e7")
    last = len(curve) - 1
    until(page, f"document.querySelector('.explorer-grid tr[data-point=\"{last}\"]') !== null")
    page.locator(f'.explorer-grid tr[data-point="{last}"]').focus()
    for key in ("ArrowUp", "Home", "ArrowDown", "Enter"):
        page.keyboard.press(key)
    assert selected.get_attribute("data-point") == "1"
    assert page.locator(".explorer-grid").get_attribute("aria-rowcount") == str(len(curve) + 1)


def test_a_long_table_is_saved_whole(long_table):
    curve, page = long_table
    page.locator(".explorer-criterion").evaluate("(root) => (root.open = true)")
    with page.expect_download() as download:
        page.get_by_role("button", name="CSV: All cut-offs").click()
    lines = download.value.path().read_text(encoding="utf-8-sig").splitlines()
    head, *rows = csv.reader(lines)
    assert head[:4] == ["Criterion", "Sensitivity", "Sensitivity, 95% CI low", "Sensitivity, 95% CI high"]
    table = curve.coords(measures=["sensitivity"])
    saved = np.array([[float(text) for text in row[1:4]] for row in rows])
    np.testing.assert_allclose(saved, np.stack([table.values[0], table.low[0], table.high[0]], axis=-1))
    assert rows[1][head.index("LR+")] == "inf"


def test_a_long_table_follows_when_the_reader_pauses(long_table):
    curve, page = long_table
    Explorer(page, "s1").unfold().type("Prevalence", "0.05")
    page.evaluate("document.querySelector('.explorer-criteria').scrollTop = 0")
    expected = curve.measure("ppv", prevalence=0.05)[20]
    cell = "document.querySelector('.explorer-grid tr[data-point=\"20\"]')?.querySelectorAll('td')[8]"
    until(page, f"Math.abs(Number({cell}?.dataset.value) - {expected}) < 1e-12")
    assert page.problems == []


# ---- Dots -------------------------------------------------------------------------------------------------


def dots(explorer):
    """Dots drawn of each class, on the right and on the wrong side."""
    return [
        [
            explorer.find(f".x-dot-{side}.x-dot-{kind}").get_attribute("d").count("M")
            for kind in ("right", "wrong")
        ]
        for side in ("negative", "positive")
    ]


def test_every_case_has_a_dot_on_its_side(explorer):
    for k in (0, 7, 20, len(CURVE) - 1):
        explorer.running(f"x.store.set({{point: {k}}});")
        (tn, fp), (fn, tp) = CURVE.confusion()[k].tolist()
        assert dots(explorer) == [[tn, fp], [tp, fn]]
    hollow = explorer.find(".x-dot-wrong").first.evaluate("(node) => getComputedStyle(node).fill")
    paper = explorer.root.evaluate("(node) => getComputedStyle(node).backgroundColor")
    assert hollow == paper


def test_the_scores_of_the_dots_are_those_of_the_cases(explorer):
    found = explorer.running("return x.model.cases().map((all) => all.map(({ score }) => score));")
    for scores, name in zip(found, ("Good", "Poor"), strict=True):
        assert scores == sorted(SCORE[name == Y].tolist(), reverse=True)
    places = explorer.running("return x.scores.dots.dots.flat().map(({ x, y }) => `${x},${y}`);")
    assert len(set(places)) == len(SCORE)  # no dot hides another


@pytest.mark.parametrize("log", [False, True])
def test_the_cut_off_lies_between_the_dots(explorer, log):
    explorer.root.get_by_label("Log scale").set_checked(log)
    lines, dots = explorer.running(
        "return [x.scores.dots.lines, x.scores.dots.dots.flat().map(({ y, point }) => [point, y])];"
    )
    for point, y in dots:
        assert y < lines[point] + 1e-9  # at or above the cut-off that lets it pass
        assert y > lines[point - 1] - 1e-9
    values = np.array([y for _, y in dots])
    scores = np.array([CURVE.thresholds[k] for k, _ in dots])
    scale = np.log(scores) if log else scores
    assert abs(np.corrcoef(values, scale)[0, 1]) > 1 - 1e-9


def test_many_cases_of_one_rating_stand_in_rows_on_their_side(open_page, tmp_path):
    y = np.arange(600) % 3 == 0
    rating = np.clip(np.round(np.random.default_rng(5).normal(size=600) + y + 3), 1, 5)
    path = tmp_path / "ratings.html"
    path.write_text(html_page([explorer_section(rs.roc_curve(y, rating))], title="Ratings"))
    page = open_page(path)
    explorer = Explorer(page, "s1")
    lines, dots = explorer.running(
        "return [x.scores.dots.lines, x.scores.dots.dots.flat().map(({ x, y, point }) => [x, y, point])];"
    )
    assert len({(x, y) for x, y, _ in dots}) == 600
    assert all(lines[point - 1] < y < lines[point] for _, y, point in dots)
    rows = {point: len({y for _, y, own in dots if own == point}) for point in range(1, 6)}
    assert rows[3] > 2
    assert page.problems == []


def line_at(explorer, k):
    explorer.find(".explorer-dots").scroll_into_view_if_needed()
    box = explorer.find(".explorer-dots").bounding_box()
    y = explorer.running(f"return x.scores.dots.lines[{k}] / 330;")
    return box["x"] + box["width"] / 2, box["y"] + y * box["height"]


def test_the_cut_off_is_dragged(explorer):
    explorer.root.get_by_label("Log scale").check()
    mouse = explorer.page.mouse
    mouse.move(*line_at(explorer, explorer.point))
    mouse.down()
    for k in (3, 12, 25):
        mouse.move(*line_at(explorer, k), steps=2)
        assert explorer.point == k
    mouse.up()
    mouse.move(*line_at(explorer, 2))
    assert explorer.point == 25


def test_keys_move_the_cut_off_up_and_down(explorer):
    explorer.running("x.store.set({point: 10});")
    explorer.find(".explorer-dots").focus()
    keyboard = explorer.page.keyboard
    keyboard.press("ArrowUp")  # a higher cut-off: fewer test positive
    assert explorer.point == 9
    keyboard.press("ArrowDown")
    keyboard.press("ArrowDown")
    assert explorer.point == 11
    keyboard.press("End")
    assert explorer.point == 0
    slider = explorer.find(".explorer-dots")
    assert slider.get_attribute("aria-valuenow") == str(len(CURVE) - 1)
    assert slider.get_attribute("aria-valuetext") == "Cut-off: nothing tests positive"


def test_dots_or_histogram(explorer):
    assert explorer.find(".explorer-dots").is_visible()
    assert not explorer.find(".explorer-histogram").is_visible()
    explorer.root.get_by_label("Histogram", exact=True).check()
    assert explorer.find(".explorer-histogram").is_visible()
    assert not explorer.find(".explorer-dots").is_visible()
    assert not explorer.root.get_by_label("Log scale").is_visible()
    until(explorer.page, "location.hash.includes('s1.scores=histogram')")


def test_a_finger_drags_the_cut_off(open_page, file):
    page = open_page(file, width=390, height=844, has_touch=True, is_mobile=True)
    explorer = Explorer(page, "s1")
    assert page.evaluate("getComputedStyle(document.querySelector('.x-grip')).touchAction") == "none"
    (x, y), (_, to) = line_at(explorer, explorer.point), line_at(explorer, 4)
    session = page.context.new_cdp_session(page)
    for kind, at in (("touchStart", y), ("touchMove", (y + to) / 2), ("touchMove", to), ("touchEnd", None)):
        points = [] if at is None else [{"x": x, "y": at}]
        session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})
    until(page, "document.querySelector('.explorer-title').dataset.value === '4'")
    assert page.evaluate("document.scrollingElement.scrollWidth") <= 390
    assert page.problems == []


def test_scores_below_zero_have_no_log_scale(open_page, tmp_path):
    path = tmp_path / "negative.html"
    path.write_text(html_page([explorer_section(rs.roc_curve(Y, SCORE - 1, pos_label="Poor"))], title="N"))
    page = open_page(path)
    assert page.locator(".explorer-dots").is_visible()
    assert not page.get_by_label("Log scale").is_visible()


# ---- Prevalence -------------------------------------------------------------------------------------------


def test_the_prevalence_changes_predictive_values_alone(explorer):
    explorer.running("x.store.set({point: 20});")
    before = {name: explorer.measure(name) for name in ("tpr", "tnr", "lr_pos", "lr_neg", "youden")}
    best = explorer.best
    explorer.type("Prevalence", "0.02")
    assert {name: explorer.measure(name) for name in before} == before
    assert (explorer.best, explorer.point) == (best, 20)
    assert explorer.root.get_by_label("Selection rule").input_value() == "auto"
    expected = rs.point_measures(Y, SCORE, threshold=CURVE.thresholds[20], prevalence=0.02, pos_label="Poor")
    for name, one in (("precision", expected.ppv), ("npv", expected.npv)):
        text = explorer.find(f"[data-predictive={name}]").inner_text()
        assert text == f"{one.value:.3f} (95% CI {one.low:.3f}–{one.high:.3f})"
        assert explorer.measure(name)[0] == pytest.approx(one.value)
    note = explorer.find(".explorer-prevalence-note")
    own = np.mean(Y == "Poor")
    assert note.inner_text() == f"The prevalence in the data is {own:.3f}: PPV and NPV are those at 0.020."
    explorer.root.get_by_role("button", name="As in the data").click()
    assert not note.is_visible()
    assert explorer.running("return x.store.state.prevalence;") is None


def test_a_constraint_on_a_predictive_value_holds_at_the_prevalence(explorer):
    explorer.type("Prevalence", "0.6")
    explorer.type("Constraints", "PPV >= 0.85")
    expected = CURVE.select("ppv>=0.85", prevalence=0.6)
    assert explorer.best == expected != CURVE.select("ppv>=0.85")
    call = explorer.find(".explorer-call").inner_text()
    assert eval(f"curve.{call}", {"curve": CURVE}) == expected


def test_predictive_values_are_drawn_against_the_prevalence(explorer):
    explorer.running("x.store.set({point: 20, prevalence: 0.25});")
    at = {"precision": "ppv", "npv": "npv"}
    for name, measure in at.items():
        path = explorer.find(f".explorer-predictive .x-{name}").get_attribute("d")
        places = np.array([one.split(",") for one in re.split("[ML]", path)[1:]], float)
        p = (places[:, 0] - 38) / (320 - 38 - 44)
        value = 1 - (places[:, 1] - 10) / (170 - 10 - 36)
        inside = (p > 0.01) & (p < 0.99)
        expected = [CURVE.measure(measure, prevalence=round(one, 6))[20] for one in p[inside]]
        np.testing.assert_allclose(value[inside], expected, atol=5e-3)
    label = explorer.find(".explorer-predictive").get_attribute("aria-label")
    ppv = CURVE.measure("ppv", prevalence=0.25)[20]
    assert f"at 0.250: PPV {ppv:.3f}" in label


# ---- The cut-off, hovering, the legend --------------------------------------------------------------------


def test_the_interval_of_the_cut_off_stands_beside_it_alone(explorer):
    line = explorer.find(".explorer-cutpoint")
    assert explorer.point == CURVE.select()
    text = line.inner_text()
    assert text.startswith(f"95% CI of the cut-off: {CUT.low:.4g}–{CUT.high:.4g} (")
    assert f"sensitivity {CUT.tpr.out_of_bag:.3f}, specificity {1 - CUT.fpr.out_of_bag:.3f}" in text
    explorer.press("ArrowRight")
    assert not line.is_visible()


def test_hovering_and_focus_show_the_cut_off(explorer):
    tip = explorer.find(".x-tip-layer")
    explorer.page.mouse.move(*explorer.place(12))
    assert tip.get_attribute("visibility") == "visible"
    words = tip.locator("text").evaluate_all("(all) => all.map((one) => one.textContent)")
    tpr, fpr = CURVE.tpr[12], CURVE.fpr[12]
    assert words == [
        f"score ≥ {CURVE.thresholds[12]:.6g}",
        f"Sensitivity {tpr:.3f}",
        f"Specificity {1 - fpr:.3f}",
    ]
    explorer.page.mouse.move(0, 0)
    explorer.find("summary").first.focus()
    assert tip.get_attribute("visibility") == "hidden"
    explorer.press("Home", "ArrowRight")
    assert (tip.get_attribute("visibility"), tip.get_attribute("data-point")) == ("visible", "1")


def test_the_legend_shows_what_is_in_use(explorer):
    def used():
        marks = explorer.find(".explorer-legend [data-mark]")
        return marks.evaluate_all(
            "(all) => all.filter((one) => one.offsetParent).map((one) => one.dataset.mark)"
        )

    assert used() == ["point", "alike", "best", "iso"]
    explorer.press("p", "ArrowRight")
    explorer.type("Constraints", "sensitivity >= 0.8")
    assert used() == ["point", "alike", "best", "feasible", "pin"]
    explorer.type("Constraints", "sensitivity > 1")
    assert "best" not in used()


def test_what_is_seldom_used_is_folded(open_page, file):
    page = open_page(file)
    folded = page.locator("section.explorer details > summary").all_inner_texts()
    assert folded == ["More measures", "Settings", "Take the point away", f"All cut-offs ({len(CURVE)})"]
    assert page.locator("section.explorer details[open]").count() == 0
    names = page.locator(".explorer-measures").first.locator("tbody th").all_inner_texts()
    assert names[:4] == ["Sensitivity", "Specificity", "PPV", "NPV"]
    assert len(names) == 8


def test_everything_can_be_reached_by_keys(open_page, file):
    page = open_page(file)
    page.evaluate("document.querySelectorAll('details').forEach((one) => { one.open = true; })")
    until(page, "document.querySelectorAll('.explorer-grid tbody tr').length > 0")
    reached = set()
    for _ in range(80):
        page.keyboard.press("Tab")
        reached.add(
            page.evaluate("document.activeElement.getAttribute('class') ?? document.activeElement.tagName")
        )
    assert {"explorer-plot", "explorer-dots", "explorer-pin"} <= reached
    assert page.locator(".explorer-grid tbody tr[tabindex='0']").count() == 1
    assert math.isfinite(Explorer(page, "s1").point)
