"""matplotlib and the figures of the page show the same: series, points, labels, axes and texts."""

from functools import cache

import numpy as np
import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.collections import LineCollection, PolyCollection, QuadMesh
from matplotlib.figure import Figure

from every_result import every_class, untried
from rocscope import plotting
from rocscope.plotting.marks import Panel3, Picture
from rocscope.plotting.static import OURS, draw_on

CLOSE = {"rtol": 1e-5, "atol": 1e-5}


def test_every_type_with_a_picture_is_tried():
    assert untried(every_class()) == set()


@pytest.fixture(params=every_class(), ids=list(every_class()))
def panels(request):
    return drawn(request.param)


@cache
def drawn(name):
    """The panels of one result, each on axes of its own and as the page has it."""
    picture = plotting.picture(every_class()[name])
    figures = plotting.figure_json(picture)
    return [(panel, on_axes(panel), one) for panel, one in zip(picture.panels, figures, strict=True)]


def on_axes(panel):
    figure = Figure()
    FigureCanvasAgg(figure)
    return draw_on(figure, Picture(panels=(panel,)), OURS)


# ---- What there is to see, one and the other --------------------------------------------------------------


def plain(text):
    """A text without line ends, and without the escapes of matplotlib."""
    return " ".join(text.replace(r"\$", "$").split())


def lines_of(ax):
    """Numbers of lines and points; a line through the whole panel is no series."""
    if hasattr(ax, "get_zlim"):
        return [np.array(line.get_data_3d(), dtype=float) for line in ax.lines]
    drawn = [line for line in ax.lines if line.get_transform() == ax.transData]
    return [np.array(line.get_data(), dtype=float) for line in drawn]


def marks_of(figure, *kinds):
    return [mark for mark in figure["marks"] if mark["kind"] in kinds]


def series_of(figure):
    found = marks_of(figure, "line", "points")
    return [np.array([mark[k] for k in "xyz" if k in mark], dtype=float) for mark in found]


def same_series(some, others):
    """Whether each series of the one has its own among the others."""
    left = list(others)
    for one in some:
        found = [k for k, two in enumerate(left) if one.shape == two.shape and close(one, two)]
        if not found:
            return False
        left.pop(found[0])
    return not left


def close(one, two):
    spans = np.nanmax(np.abs(np.where(np.isfinite(one), one, 0.0)), initial=1.0)
    finite = np.isfinite(one) & np.isfinite(two)
    return (
        np.allclose(one[finite], two[finite], rtol=1e-5, atol=1e-5 * spans)
        and (np.isfinite(one) == np.isfinite(two)).all()
    )


def segments_of(ax):
    return sorted(
        (
            bar.tolist()
            for bars in ax.collections
            if isinstance(bars, LineCollection)
            for bar in bars.get_segments()
        ),
        key=str,
    )


def bars_of(figure):
    """The ends of every error bar."""
    found = []
    for mark in marks_of(figure, "segments"):
        points = list(zip(mark["x"], mark["y"], strict=True))
        found += [points[k : k + 2] for k in range(0, len(points), 2)]
    return found


def ends_near(ax, bars):
    """Ends no farther from the panel than it is long: infinite ones are cut at different places beyond."""
    ends, limits = np.reshape(bars, (-1, 2)).astype(float), np.sort([ax.get_xlim(), ax.get_ylim()])
    reach = np.ptp(limits, axis=1)
    return ends[((ends >= limits[:, 0] - reach) & (ends <= limits[:, 1] + reach)).all(axis=1)]


def legend_of(ax):
    legend = ax.get_legend()
    return [] if legend is None else sorted(plain(text.get_text()) for text in legend.get_texts())


def entries_of(figure):
    labels = [mark["label"] for mark in figure["marks"] if mark.get("label") in figure["entries"]]
    assert set(labels) == set(figure["entries"])
    return sorted(map(plain, labels))


# ---- They agree -------------------------------------------------------------------------------------------


def test_lines_and_points_are_the_same(panels):
    for panel, ax, figure in panels:
        assert same_series(lines_of(ax), series_of(figure)), panel.title


def test_bars_and_bands_are_as_many(panels):
    for _, ax, figure in panels:
        if hasattr(ax, "get_zlim"):
            continue
        assert len(segments_of(ax)) == len(bars_of(figure))
        ends = [sorted(np.ravel(ends_near(ax, bars))) for bars in (segments_of(ax), bars_of(figure))]
        np.testing.assert_allclose(*ends, **CLOSE)
        bands = [one for one in ax.collections if isinstance(one, PolyCollection)]
        filled = [mark for mark in marks_of(figure, "band") if any(known(mark))]
        shown = [band for band in bands if band.get_paths()]
        assert len(shown) == len(filled)
        for band, mark in zip(shown, filled, strict=True):
            heights = np.concatenate([path.vertices[:, 1] for path in band.get_paths()])
            inside = [mark[end][k] for end in ("low", "high") for k in np.flatnonzero(known(mark))]
            np.testing.assert_allclose([min(inside), max(inside)], [heights.min(), heights.max()], **CLOSE)


def known(band):
    return [None not in row for row in zip(band["x"], band["low"], band["high"], strict=True)]


def test_cells_and_columns_are_the_same(panels):
    for _, ax, figure in panels:
        maps = [one.get_array() for one in ax.collections if isinstance(one, QuadMesh)]
        values = [np.array(mark["values"], dtype=float) for mark in marks_of(figure, "cells")]
        for cells, expected in zip(maps, values, strict=True):
            np.testing.assert_allclose(np.ma.filled(cells, np.nan), expected, **CLOSE)
        sizes = sorted(max(patch.get_width(), patch.get_height(), key=abs) for patch in ax.patches)
        assert len(sizes) == sum(len(mark["length"]) for mark in marks_of(figure, "bars"))


def test_legends_have_the_same_entries(panels):
    for _, ax, figure in panels:
        assert legend_of(ax) == entries_of(figure)


def test_axes_and_titles_say_the_same(panels):
    for panel, ax, figure in panels:
        solid = isinstance(panel, Panel3)
        for which in "xyz" if solid else "xy":
            drawn, shown = getattr(ax, f"{which}axis"), figure[which]
            assert plain(drawn.get_label_text()) == plain(shown["label"])
            if "texts" in shown:
                ticks = [plain(tick.get_text()) for tick in drawn.get_ticklabels()]
                assert ticks == list(map(plain, shown["texts"]))
        assert plain(figure.get("title", "")) == plain(ax.get_title())


def test_texts_are_the_same(panels):
    for panel, ax, figure in panels:
        if isinstance(panel, Panel3):
            continue
        written = [plain(mark["text"]) for mark in marks_of(figure, "text")]
        assert sorted(plain(text.get_text()) for text in ax.texts) == sorted(written)
        for which in "xy":
            assert figure[which].get("far") == (
                None if getattr(panel, which).far_labels is None else list(getattr(panel, which).far_labels)
            )
