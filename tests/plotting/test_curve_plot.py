"""`plot` of curves: names, colours, bands, points, the user's settings and axes; several in one call."""

from itertools import pairwise

import numpy as np
import pytest
from matplotlib import pyplot as plt
from matplotlib.collections import PolyCollection
from matplotlib.colors import to_rgb
from matplotlib.figure import Figure
from scipy.stats import norm

import rocscope as rs
from rocscope import plotting
from rocscope.errors import RocInputError
from rocscope.plotting import layout
from rocscope.plotting.marks import PALETTE

RNG = np.random.default_rng(3)
Y = np.arange(80) % 2
A, B = (np.round(RNG.normal(size=80) + shift * Y, 1) for shift in (1.5, 0.8))
FOLD = np.arange(80) // 16
CURVE, OTHER = rs.roc_curve(Y, A), rs.roc_curve(Y, B)


def curves():
    return {
        "empirical": CURVE,
        "average": rs.average_roc(Y, A, fold=FOLD, points=9),
        "vertical": rs.average_curves(Y, A, fold=FOLD),
        "binormal": rs.fit_binormal(Y, A),
        "precision": rs.precision_recall(Y, A, n_boot=100, rng=1),
        "benefit": rs.net_benefit(Y, 1 / (1 + np.exp(-A))),
    }


def legend_texts(ax):
    return [text.get_text() for text in ax.get_legend().get_texts()]


def bands(ax):
    return [one for one in ax.collections if isinstance(one, PolyCollection)]


def named(ax, name):
    (line,) = (line for line in ax.lines if str(line.get_label()).startswith(name))
    return line


@pytest.mark.parametrize("kind", curves())
@pytest.mark.parametrize("style", ["rocscope", None])
def test_every_curve_takes_a_name_a_colour_and_keywords(kind, style):
    ax = curves()[kind].plot(name="mine", color="crimson", lw=3.5, linestyle=":", style=style)
    line = named(ax, "mine")
    assert (line.get_color(), line.get_linewidth(), line.get_linestyle()) == ("crimson", 3.5, ":")
    assert sum(text.startswith("mine") for text in legend_texts(ax)) == 1
    ax.figure.canvas.draw()


@pytest.mark.parametrize("kind", curves())
def test_intervals_can_be_left_out(kind):
    ax = curves()[kind].plot(band=False)
    assert not ax.collections
    assert not any("interval" in text or "bars" in text for text in legend_texts(ax))


def test_a_label_of_the_user_is_the_legend_entry(ax):
    CURVE.plot(ax, label="what I say")
    assert legend_texts(ax) == ["Chance (AUC = 0.5)", "what I say"]


def test_a_band_is_drawn_in_the_colour_of_its_curve(ax):
    CURVE.plot(ax, name="a", band=True, style="rocscope")
    OTHER.plot(ax, name="b", band=True, color="k", style="rocscope")
    first, second = (band.get_facecolor()[0, :3] for band in bands(ax))
    assert np.allclose(first, [int(PALETTE[0][k : k + 2], 16) / 255 for k in (1, 3, 5)])
    assert np.array_equal(second, [0, 0, 0])
    assert legend_texts(ax) == [
        "Chance (AUC = 0.5)",
        "95% pointwise intervals (fiducial)",
        f"a (AUC = {CURVE.auc:.2f})",
        f"b (AUC = {OTHER.auc:.2f})",
    ]


def test_the_band_is_that_of_roc_band_and_the_same_every_time(ax):
    expected = rs.roc_band(Y, A, rng=0)
    drawn = plotting.picture(CURVE, band=True).panels[0].marks[1]
    for name in ("x", "low", "high"):
        np.testing.assert_array_equal(getattr(drawn, name), getattr(expected, name))


def test_a_band_of_the_user_is_drawn():
    band = rs.roc_band(Y, A, simultaneous=True)
    drawn = plotting.picture(CURVE, band=band).panels[0].marks[1]
    np.testing.assert_array_equal(drawn.high, band.high)
    assert drawn.label == "95% simultaneous band (calibrated)"


@pytest.mark.parametrize(
    ("points", "expected"),
    [
        ("tpr>=0.9", [CURVE.select("tpr>=0.9")]),
        ("youden", [CURVE.select(rule="youden")]),
        (CURVE.select("fpr<=0.1"), [CURVE.select("fpr<=0.1")]),
        (3, [3]),
        (np.int64(3), [3]),
        ([3, "tpr>=0.9"], [3, CURVE.select("tpr>=0.9")]),
    ],
)
def test_points_are_indices_points_or_rules(points, expected, ax):
    CURVE.plot(ax, points=points)
    (dots,) = (line for line in ax.lines if line.get_marker() == "o")
    np.testing.assert_array_equal(dots.get_xydata(), np.transpose([CURVE.fpr[expected], CURVE.tpr[expected]]))
    assert len(ax.texts) == len(expected)


def test_points_of_averages_and_of_precision_are_named_in_the_legend(ax):
    average, precision = curves()["average"], curves()["precision"]
    k = average.select("tpr>=0.8")
    assert any(
        text.startswith(f"Point {k.index}: threshold") for text in legend_texts(average.plot(points=k))
    )
    precision.plot(ax, points=2)
    assert f"threshold {precision.thresholds[2]:g} (recall" in " ".join(legend_texts(ax))


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"color": "no colour"}, "color must be a colour of matplotlib, got 'no colour'"),
        ({"style": "mine"}, "style must be 'rocscope' or None, got 'mine'"),
        ({"points": [999]}, f"points must hold indices from 0 to {len(CURVE) - 1}, got 999"),
        ({"points": 1.5}, "points must be a whole number of at least 0, got 1.5"),
        ({"band": "yes"}, "band must be True or False, got 'yes'"),
        ({"axes": "log"}, "axes must be one of 'roc', 'det', got 'log'"),
        ({"ax": "here"}, "ax must be axes of matplotlib, got 'here'"),
    ],
)
def test_what_cannot_be_drawn_is_refused(options, message):
    with pytest.raises(RocInputError) as error:
        CURVE.plot(**options)
    assert str(error.value) == message
    assert plt.get_fignums() == []


def test_unknown_keywords_are_refused():
    with pytest.raises(RocInputError, match="line_kw must be keywords of a line of matplotlib") as error:
        CURVE.plot(linewith=3)
    assert error.value.argument == "line_kw"


def test_options_that_a_view_has_not_are_refused():
    with pytest.raises(RocInputError) as error:
        curves()["benefit"].plot(points=[1])
    assert str(error.value) == (
        "points must be left out for the picture of a result of type Decision curve, got [1]"
    )
    with pytest.raises(RocInputError, match="band must be left out for a curve without uncertainty"):
        rs.Binormal(a=1.0, b=1.0).plot(band=True)
    weighted = rs.roc_curve(Y, A, sample_weight=np.full(80, 0.5))
    with pytest.raises(RocInputError, match="band must be left out for a curve of fractional weights"):
        weighted.plot(band=True)


def test_averages_of_three_classes_take_the_same():
    y = np.arange(90) % 3
    p = RNG.random((90, 3)) + np.eye(3)[y]
    roc = rs.average_roc(y, p, fold=np.arange(90) % 4, classes=[0, 1, 2], points=6)
    for style in ("rocscope", None):
        axes = roc.plot(name="mine", points=2, style=style, color="k")
        assert len(axes) == 4
        axes[0].figure.canvas.draw()
        assert any("mine: 6 points" in text for text in legend_texts(axes[0]))


# ---- The user's settings, axes and current figure ---------------------------------------------------------


def test_the_settings_of_the_user_hold():
    settings = {
        "axes.prop_cycle": plt.cycler(color=["#123456", "#654321"]),
        "lines.linewidth": 4.0,
        "axes.facecolor": "#eeeeff",
        "figure.figsize": (3.0, 3.5),
        "axes.spines.top": True,
        "font.size": 7.0,
    }
    with plt.rc_context(settings):
        ax = CURVE.plot(name="a", points="youden")
        OTHER.plot(ax, name="b")
        a, b = named(ax, "a"), named(ax, "b")
        assert (a.get_color(), b.get_color()) == ("#123456", "#654321")
        assert a.get_linewidth() == 4.0
        assert ax.get_facecolor()[:3] == pytest.approx((0xEE / 255, 0xEE / 255, 1.0))
        assert ax.figure.get_size_inches().tolist() == [3.0, 3.5]
        assert ax.spines["top"].get_visible()
        assert ax.xaxis.label.get_size() == 7.0
        several = rs.plot_roc({"a": CURVE, "b": OTHER})
        display = rs.RocDisplay.from_predictions(Y, A)
        assert named(several, "b").get_color() == "#654321"
        assert (display.line_.get_color(), display.line_.get_linewidth()) == ("#123456", 4.0)
        ours = CURVE.plot(style="rocscope", name="a")
        assert (named(ours, "a").get_color(), ours.spines["top"].get_visible()) == (PALETTE[0], False)


def test_colours_go_on_after_those_of_the_user(ax):
    ax.plot([0, 1], [0, 1])
    CURVE.plot(ax, name="a")
    assert to_rgb(named(ax, "a").get_color()) == to_rgb("C1")
    (after,) = ax.plot([0, 1], [0, 1])
    assert to_rgb(after.get_color()) == to_rgb("C2")


def test_chance_is_seen_on_dark_ground():
    with plt.style.context("dark_background"):
        ax = CURVE.plot()
        assert named(ax, "Chance").get_color() == "white"


@pytest.mark.parametrize("style", ["rocscope", None])
def test_labels_title_and_ends_of_the_user_stay(style, ax):
    ax.set_xlabel("mine")
    ax.set_title("my title")
    ax.set_xlim(0, 0.3)
    for curve in (CURVE, OTHER):
        curve.plot(ax, style=style)
        assert (ax.get_xlabel(), ax.get_title(), ax.get_xlim()) == ("mine", "my title", (0, 0.3))
    assert ax.get_ylabel().startswith("True positive rate")
    assert ax.get_ylim() == (-0.01, 1.01)


def test_labels_that_the_user_changes_between_two_curves_stay(ax):
    CURVE.plot(ax)
    ax.set_ylabel("hits")
    ax.set_ylim(0.5, 1)
    OTHER.plot(ax)
    assert (ax.get_ylabel(), ax.get_ylim()) == ("hits", (0.5, 1))


@pytest.mark.parametrize("style", ["rocscope", None])
def test_nothing_of_matplotlib_is_changed(style, ax):
    own = plt.figure()
    before = dict(plt.rcParams)
    CURVE.plot(ax, style=style, band=True)
    assert plt.gcf() is own
    assert dict(plt.rcParams) == before


def test_a_figure_can_be_saved(tmp_path):
    ax = CURVE.plot(name="a", band=True, points="youden")
    for kind in ("png", "svg", "pdf"):
        ax.figure.savefig(tmp_path / f"curve.{kind}")
        assert (tmp_path / f"curve.{kind}").stat().st_size > 1000


# ---- Normal-deviate axes ----------------------------------------------------------------------------------


def test_det_axes_have_the_deviates_of_both_errors(ax):
    CURVE.plot(ax, axes="det", name="a", points="youden")
    x, y = named(ax, "a").get_data()
    inside = (CURVE.fpr > 0) & (CURVE.fpr < 1) & (CURVE.tpr > 0) & (CURVE.tpr < 1)
    expected = np.transpose([norm.ppf(CURVE.fpr[inside]), norm.ppf(1 - CURVE.tpr[inside])])
    drawn = np.transpose([x, y])
    assert all(np.isclose(drawn, row, rtol=0, atol=1e-9).all(axis=1).any() for row in expected)
    k = CURVE.select()
    text = f"{CURVE.thresholds[k]:g} (FPR {CURVE.fpr[k]:.2f}, TPR {CURVE.tpr[k]:.2f})"
    assert legend_texts(ax)[-1] == text
    assert [tick.get_text() for tick in ax.get_xticklabels()][:2] == ["0.01", "0.05"]
    assert ax.get_ylabel() == "False negative rate (normal-deviate scale)"


def test_slanted_pieces_are_curved_between_deviates():
    few = rs.roc_curve([0] * 5 + [1] * 5, [1, 1, 2, 3, 3, 2, 3, 3, 4, 4])
    x, y = next(m for m in plotting.picture(few, axes="det").panels[0].marks if m.role == "curve").outlines()[
        0
    ]
    rates = np.transpose([norm.cdf(x), norm.cdf(-y)])
    np.testing.assert_allclose(rates[:, 1], few.tpr_at(np.clip(rates[:, 0], 0, 1)), atol=0.41)
    on_line = np.abs(np.interp(rates[:, 0], few.fpr, few.tpr) - rates[:, 1])
    steep = np.isin(np.round(rates[:, 0], 9), np.round(few.fpr[:2], 9))
    assert on_line[~steep].max() < 1e-6
    assert len(x) > 2 * len(few)


def test_a_band_has_the_deviates_of_its_ends():
    band = rs.roc_band(Y, A, rng=0)
    drawn = plotting.picture(CURVE, axes="det", band=band).panels[0].marks[1]
    at = 30
    assert drawn.low[at] == pytest.approx(norm.ppf(1 - band.high[at]))
    assert drawn.x[at] == pytest.approx(norm.ppf(band.x[at]))


# ---- Several curves in one call ---------------------------------------------------------------------------


def test_plot_roc_takes_curves_and_data(ax):
    frame = rs.BinaryScores.from_arrays(Y, B)
    assert rs.plot_roc({"a": CURVE, "b": (Y, B), "c": frame}, ax, style="rocscope") is ax
    area = f"(AUC = {OTHER.auc:.2f})"
    assert legend_texts(ax)[1:] == [f"a (AUC = {CURVE.auc:.2f})", f"b {area}", f"c {area}"]
    assert [named(ax, name).get_color() for name in "abc"] == list(PALETTE[:3])
    np.testing.assert_array_equal(named(ax, "b").get_ydata(), OTHER.tpr)


def test_plot_roc_takes_options_for_all_or_for_some(ax):
    some = {"color": {"b": "k"}, "band": {"a": True}, "points": "tpr>=0.9", "style": "rocscope"}
    rs.plot_roc({"a": CURVE, "b": OTHER}, ax, linewidth=3, **some)
    assert [named(ax, name).get_color() for name in "ab"] == [PALETTE[0], "k"]
    assert [named(ax, name).get_linewidth() for name in "ab"] == [3, 3]
    assert len(bands(ax)) == 1
    assert len(ax.texts) == 2


def test_plot_roc_joins_curves_of_several_kinds(ax):
    drawn = {name: curves()[name] for name in ("empirical", "average", "vertical", "binormal")}
    rs.plot_roc(drawn, ax, style=None, band=False)
    assert sum(text.startswith("Chance") for text in legend_texts(ax)) == 1
    assert len({named(ax, name).get_color() for name in drawn}) == 4


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: rs.plot_roc({}), "curves must map at least one name to a curve, got {}"),
        (lambda: rs.plot_roc([CURVE]), "curves must map at least one name to a curve, got"),
        (
            lambda: rs.plot_roc({"a": (Y, A, B)}),
            "must be a curve or a pair (labels, scores), got a tuple of 3",
        ),
        (lambda: rs.plot_roc({"a": CURVE}, color={"b": "k"}), "a name in color must be one of 'a', got 'b'"),
        (lambda: rs.plot_roc({"1": CURVE, 1: OTHER}), "curves must have distinct names, got ['1', 1]"),
        (lambda: rs.plot_roc({"a": Y}), "y_score"),
    ],
)
def test_plot_roc_refuses(call, message):
    with pytest.raises(RocInputError) as error:
        call()
    assert message in str(error.value)


# ---- Ten classes ------------------------------------------------------------------------------------------


def test_pairs_of_many_classes_are_a_heat_map(ax):
    names = [f"class {k}" for k in range(10)]
    y = np.arange(100) % 10
    result = rs.multiclass_auc(np.array(names)[y], RNG.random((100, 10)) + np.eye(10)[y], classes=names)
    result.plot(ax)
    ax.figure.canvas.draw()
    cells = plotting.picture(result).panels[0].marks[0].values
    row = next(row for row in result.rows if (row.first, row.second) == ("class 2", "class 7"))
    assert cells[2, 7] == cells[7, 2] == row.value
    assert np.isnan(np.diag(cells)).all()
    assert f"{result.value:.3f}" in ax.get_title()
    boxes = [label.get_window_extent() for label in ax.get_xticklabels()]
    assert ax.get_xticklabels()[0].get_rotation() == 40
    assert all(a.x1 - a.width * 0.7 < b.x1 for a, b in pairwise(boxes))


def test_the_legend_below_slanted_names_clears_the_label(ax):
    names = [f"class {k}" for k in range(10)]
    y = np.arange(200) // 2 % 10
    p = RNG.random((200, 10)) + np.eye(10)[y]
    rs.average_roc(np.array(names)[y], p, fold=np.arange(200) % 2, classes=names, points=4).plot(ax)
    ax.figure.canvas.draw()
    assert ax.get_legend().get_window_extent().y1 < ax.xaxis.label.get_window_extent().y0


def test_a_cutpoint_is_marked_on_a_curve():
    y, s = [0, 0, 1, 1, 0, 1], [0.1, 0.4, 0.35, 0.8, 0.2, 0.6]
    curve, cut = rs.roc_curve(y, s), rs.cutpoint(y, s, n_boot=100, rng=0)
    at = curve.thresholds.tolist().index(cut.threshold)
    for points in (cut, [cut], rs.Threshold(cut.threshold)):
        assert layout.point_indices(curve, points) == [at]
        assert curve.plot(Figure().add_subplot(), points=points).lines
