"""Several results on one pair of axes: next colours, reference lines once, one legend entry for each."""

import gc
import weakref

import numpy as np
import pytest
from matplotlib import pyplot as plt
from matplotlib.collections import PolyCollection
from matplotlib.patches import Rectangle

import rocscope as rs
from rocscope import plotting
from rocscope.core.result import CurveResult
from rocscope.plotting.marks import PALETTE

Y = np.arange(40) % 2
A, B, C = (np.random.default_rng(k).normal(size=40) + shift * Y for k, shift in enumerate((2.0, 1.0, 0.2)))


def probabilities(score):
    return 1 / (1 + np.exp(-score))


def legend_texts(ax):
    return [text.get_text() for text in ax.get_legend().get_texts()]


def colours(lines):
    return [line.get_color() for line in lines]


def plotted(*results, ax=None):
    for result in results:
        look = {"style": "rocscope"} if isinstance(result, CurveResult) else {}
        ax = result.plot(ax=ax, **look)
    return ax


def test_roc_curves_have_their_colours_one_diagonal_and_one_entry_each():
    results = [rs.roc_curve(Y, score) for score in (A, B, C)]
    ax = plotted(*results)
    assert colours(ax.lines) == ["#000000", *PALETTE[:3]]
    for line, curve in zip(ax.lines[1:], results, strict=True):
        np.testing.assert_array_equal(line.get_data(), [curve.fpr, curve.tpr])
    assert legend_texts(ax) == ["Chance (AUC = 0.5)", *(f"AUC = {curve.auc:.2f}" for curve in results)]
    handles = ax.get_legend().legend_handles
    assert colours(handles) == ["#000000", *PALETTE[:3]]


def test_it_is_the_same_on_axes_of_the_user(ax):
    ax.plot([0, 1], [0.3, 0.9], label="my own")
    plotted(rs.roc_curve(Y, A), rs.roc_curve(Y, B), ax=ax)
    assert legend_texts(ax)[:2] == ["my own", "Chance (AUC = 0.5)"]
    assert len(legend_texts(ax)) == len(ax.lines) == 4
    assert colours(ax.lines[2:]) == list(PALETTE[:2])


def test_curves_of_equal_area_are_both_in_the_legend():
    ax = plotted(rs.roc_curve(Y, A), rs.roc_curve(Y, A))
    area = f"AUC = {rs.roc_curve(Y, A).auc:.2f}"
    assert legend_texts(ax) == ["Chance (AUC = 0.5)", area, f"{area} (2)"]
    assert colours(ax.lines) == ["#000000", *PALETTE[:2]]


def test_decision_curves_share_what_they_are_compared_with():
    results = [rs.net_benefit(Y, probabilities(score)) for score in (A, B)]
    ax = plotted(*results)
    assert legend_texts(ax) == [
        "Treat none",
        "Treat all",
        "95% pointwise intervals (mover-wilson)",
        "Acting on the scores",
        "Acting on the scores (2)",
    ]
    assert len(ax.lines) == 4
    assert colours(ax.lines[2:]) == list(PALETTE[:2])
    tops = [plotting.picture(result).panels[0].y.high for result in results]
    assert ax.get_ylim()[1] == max(tops)


def test_a_reference_line_goes_on_where_a_further_curve_does():
    short, long = (
        rs.net_benefit(Y, probabilities(A), probabilities=p) for p in ([0.1, 0.2], [0.1, 0.2, 0.6])
    )
    ax = plotted(short, long)
    none, all_, _, none_on, all_on, _ = (line.get_xydata() for line in ax.lines)
    assert none.tolist() == [[0.1, 0.0], [0.2, 0.0]]
    assert none_on.tolist() == [[0.2, 0.0], [0.6, 0.0]]
    np.testing.assert_array_equal(all_, np.transpose([[0.1, 0.2], short.treat_all]))
    np.testing.assert_array_equal(all_on, np.transpose([[0.2, 0.6], long.treat_all[1:]]))
    assert ax.get_xlim() == (0.0, 0.6)


def test_another_prevalence_has_another_line_of_treating_all():
    score = probabilities(A)
    ax = plotted(rs.net_benefit(Y, score), rs.net_benefit(Y, score, prevalence=0.1))
    assert [text for text in legend_texts(ax) if text.startswith("Treat")] == [
        "Treat none",
        "Treat all",
        "Treat all (2)",
    ]
    assert ax.get_ylabel() == "Net benefit (per case, prevalence 0.5)\nNet benefit (per case, prevalence 0.1)"


def test_precision_has_one_line_of_no_information_for_each_share_of_positives():
    some = np.r_[0:40:2, 1:10:2]
    same = [rs.precision_recall(Y, score, n_boot=100, rng=1) for score in (A, B)]
    fewer = rs.precision_recall(Y[some], A[some], n_boot=100, rng=1)
    ax = plotted(*same, fewer)
    dashed = [line.get_ydata()[0] for line in ax.lines if line.get_color() == "#000000"]
    assert dashed == [0.5, 0.2]
    assert [text for text in legend_texts(ax) if text.startswith("No information")] == [
        "No information (precision = 0.50)",
        "No information (precision = 0.20)",
    ]
    assert sum(text.startswith("AP = ") for text in legend_texts(ax)) == 3


def test_bands_share_an_entry_that_shows_their_colours():
    ax = plotted(*(rs.roc_band(Y, score, n_boot=100, rng=1) for score in (A, B)))
    assert legend_texts(ax) == [
        "Chance (AUC = 0.5)",
        "95% pointwise intervals (fiducial)",
        "ROC curve",
        "ROC curve (2)",
    ]
    bands = [one.get_facecolor()[0, :3] for one in ax.collections if isinstance(one, PolyCollection)]
    shown = [patch.get_facecolor()[:3] for patch in ax.get_legend().findobj(Rectangle)]
    np.testing.assert_array_equal(shown, bands)
    assert not np.array_equal(*bands)


def test_the_empirical_curve_behind_two_fits_is_drawn_once():
    ax = plotted(rs.fit_binormal(Y, A), rs.fit_binormal(Y, A, proper=True))
    assert sum(text.startswith("Empirical") for text in legend_texts(ax)) == 1


def test_rows_of_a_forest_stand_below_each_other():
    results = [rs.auc(Y, score) for score in (A, B, C)]
    ax = plotted(*results)
    assert [tick.get_text() for tick in ax.get_yticklabels()] == ["AUC", "AUC (2)", "AUC (3)"]
    assert ax.get_ylim() == (2.5, -0.5)
    (far,) = ax.child_axes
    assert [tick.get_text()[:5] for tick in far.get_yticklabels()] == [f"{one.value:.3f}" for one in results]
    squares = [line.get_xydata().tolist()[0] for line in ax.lines if line.get_marker() == "s"]
    assert squares == [[one.value, row] for row, one in enumerate(results)]
    assert sum(line.get_xdata() == [0.5, 0.5] for line in ax.lines if line.get_marker() != "s") == 1
    assert ax.get_xlabel() == "AUC (95% interval)"


def test_our_figures_grow_with_their_rows():
    alone = rs.auc(Y, A).plot().figure.get_size_inches()
    both = plotted(rs.auc(Y, A), rs.auc(Y, B)).figure.get_size_inches()
    assert both[1] > alone[1]
    figure, ax = plt.subplots(figsize=(5, 4))
    plotted(rs.auc(Y, A), rs.auc(Y, B), ax=ax)
    assert figure.get_size_inches().tolist() == [5, 4]


def test_axes_say_what_holds_for_all():
    ax = plotted(rs.roc_curve(Y, A), rs.roc_curve(np.array(["no", "yes"])[Y], A, pos_label="yes"))
    assert ax.get_xlabel() == (
        "False positive rate (1 - specificity)\n(Positive label: 1)\n(Positive label: yes)"
    )


def test_cleared_axes_begin_anew(ax):
    rs.roc_curve(Y, A).plot(ax, style="rocscope")
    ax.clear()
    rs.roc_curve(Y, B).plot(ax, style="rocscope")
    assert colours(ax.lines) == ["#000000", PALETTE[0]]


def test_what_the_user_removed_is_not_counted(ax):
    plotted(rs.roc_curve(Y, A), rs.roc_curve(Y, B), ax=ax)
    ax.lines[2].remove()
    ax.lines[0].remove()
    rs.roc_curve(Y, C).plot(ax, style="rocscope")
    assert colours(ax.lines) == [PALETTE[0], "#000000", PALETTE[1]]


def test_names_that_the_user_gave_to_lines_stay(ax):
    rs.roc_curve(Y, A).plot(ax).lines[1].set_label("the first")
    rs.roc_curve(Y, B).plot(ax, style="rocscope")
    assert legend_texts(ax)[1] == "the first"


def test_hidden_looking_names_stay(ax):
    for name in ("_a", "_b"):
        plotting.matplotlib(plotting.picture(rs.roc_curve(Y, A), name=name), ax=ax)
    assert [text[:2] for text in legend_texts(ax)] == ["Ch", "_a", "_b"]


def test_the_legend_leaves_its_corner_when_a_further_curve_goes_through_it(ax):
    good, bad = rs.roc_curve(Y, A), rs.roc_curve(Y, -A)
    plotted(good, bad, ax=ax)
    ax.figure.canvas.draw()
    box = ax.get_legend().get_window_extent().transformed(ax.transData.inverted())
    for curve in (good, bad):
        x, y = (
            np.interp(np.linspace(0, 1, 500), np.linspace(0, 1, len(v)), v) for v in (curve.fpr, curve.tpr)
        )
        assert not ((box.x0 < x) & (x < box.x1) & (box.y0 < y) & (y < box.y1)).any()


@pytest.mark.slow
def test_figures_are_let_go():
    ax = plotted(rs.roc_curve(Y, A), rs.roc_curve(Y, B))
    kept = weakref.ref(ax)
    plt.close(ax.figure)
    del ax
    gc.collect()
    assert kept() is None


def test_several_panels_take_a_further_result_one_by_one():
    axes = rs.fit_binormal_pair(Y, A, B).plot()
    assert list(rs.fit_binormal_pair(Y, A, C).plot(ax=axes)) == list(axes)
    assert sum(line.get_color() == "#000000" for line in axes[0].lines) == 1
    assert len(legend_texts(axes[0])) == 5
