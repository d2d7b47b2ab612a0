"""Both drawing libraries show the same of every result: series, points, labels, axes and texts."""

import html
import itertools
import re
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
    """The panels of one result, each drawn by both libraries on its own."""
    picture = plotting.picture(every_class()[name])
    return [(panel, on_axes(panel), in_plotly(panel)) for panel in picture.panels]


def on_axes(panel):
    figure = Figure()
    FigureCanvasAgg(figure)
    return draw_on(figure, Picture(panels=(panel,)), OURS)


def in_plotly(panel):
    plotting.plotly(Picture(panels=(panel,)))  # plotly itself checks what it is given
    return plotting.figure_json(Picture(panels=(panel,)))


# ---- What there is to see, library by library -------------------------------------------------------------


def plain(text):
    """A text without markup, line ends and escapes of either library."""
    text = html.unescape(re.sub("<br>", " ", text)).replace(r"\$", "$")
    return " ".join(text.split())


def lines_of(ax):
    """Numbers of lines and points; a line through the whole panel is no series."""
    if hasattr(ax, "get_zlim"):
        return [np.array(line.get_data_3d(), dtype=float) for line in ax.lines]
    drawn = [line for line in ax.lines if line.get_transform() == ax.transData]
    return [np.array(line.get_data(), dtype=float) for line in drawn]


def traces_of(figure):
    kept = [trace for trace in figure["data"] if trace["type"] in ("scatter", "scatter3d")]
    kept = [trace for trace in kept if trace.get("hoverinfo") != "skip"]
    return [np.array([trace[k] for k in "xyz" if k in trace], dtype=float) for trace in kept]


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
    """Segments between the gaps of the traces that are error bars."""
    traces = [t for t in figure["data"] if t.get("hoverinfo") == "skip" and "fill" not in t]
    found = []
    for trace in traces:
        points = list(zip(trace["x"], trace["y"], strict=True))
        found += [list(run) for gap, run in itertools.groupby(points, lambda p: None in p) if not gap]
    return found


def legend_of(ax):
    legend = ax.get_legend()
    return [] if legend is None else sorted(plain(text.get_text()) for text in legend.get_texts())


def entries_of(figure):
    parts = [*figure["data"], *figure["layout"]["shapes"]]
    return sorted(plain(part["name"]) for part in parts if part.get("showlegend"))


# ---- They agree -------------------------------------------------------------------------------------------


def test_lines_and_points_are_the_same(panels):
    for panel, ax, figure in panels:
        assert same_series(lines_of(ax), traces_of(figure)), panel.title


def test_bars_and_bands_are_as_many(panels):
    for _, ax, figure in panels:
        if hasattr(ax, "get_zlim"):
            continue
        assert len(segments_of(ax)) == len(bars_of(figure))
        ends = [np.array(sorted(np.ravel(bars))) for bars in (segments_of(ax), bars_of(figure))]
        inside = [end[np.abs(end) < 50] for end in ends]  # infinite ends are cut at different places
        np.testing.assert_allclose(*inside, **CLOSE)
        bands = [one for one in ax.collections if isinstance(one, PolyCollection)]
        filled = [trace for trace in figure["data"] if trace.get("fill") == "toself"]
        shown = [band for band in bands if band.get_paths()]
        assert len(shown) == sum(bool(trace["x"]) for trace in filled)
        for band, trace in zip(shown, filled, strict=True):
            heights = np.concatenate([path.vertices[:, 1] for path in band.get_paths()])
            known = [y for y in trace["y"] if y is not None]
            np.testing.assert_allclose([min(known), max(known)], [heights.min(), heights.max()], **CLOSE)


def test_cells_and_columns_are_the_same(panels):
    for _, ax, figure in panels:
        maps = [one.get_array() for one in ax.collections if isinstance(one, QuadMesh)]
        traces = [np.array(t["z"], dtype=float) for t in figure["data"] if t["type"] == "heatmap"]
        for cells, values in zip(maps, traces, strict=True):
            np.testing.assert_allclose(np.ma.filled(cells, np.nan), values, **CLOSE)
        sizes = sorted(max(patch.get_width(), patch.get_height(), key=abs) for patch in ax.patches)
        columns = [t for t in figure["data"] if t["type"] == "bar"]
        assert len(sizes) == sum(len(trace["width"]) for trace in columns)


def test_legends_have_the_same_entries(panels):
    for _, ax, figure in panels:
        assert legend_of(ax) == entries_of(figure)


def test_axes_and_titles_say_the_same(panels):
    for panel, ax, figure in panels:
        solid = isinstance(panel, Panel3)
        layout = figure["layout"]["scene"] if solid else figure["layout"]
        for which in "xyz" if solid else "xy":
            drawn, shown = getattr(ax, f"{which}axis"), layout[f"{which}axis"]
            assert plain(drawn.get_label_text()) == plain(shown["title"]["text"])
            if "ticktext" in shown:
                ticks = [plain(tick.get_text()) for tick in drawn.get_ticklabels()]
                assert ticks == list(map(plain, shown["ticktext"]))
        notes = figure["layout"]["annotations"]
        titles = [plain(note["text"]) for note in notes if note.get("name") == "title"]
        assert titles == ([plain(ax.get_title())] if ax.get_title() else [])


def test_texts_are_the_same(panels):
    for panel, ax, figure in panels:
        if isinstance(panel, Panel3):
            continue
        notes = [note for note in figure["layout"]["annotations"] if note.get("name") != "title"]
        written = [plain(note["text"]) for note in notes if note.get("name") != "far"]
        assert sorted(plain(text.get_text()) for text in ax.texts) == sorted(written)
        far = [plain(note["text"]) for note in notes if note.get("name") == "far"]
        expected = [*(panel.x.far_labels or ()), *(panel.y.far_labels or ())]
        assert far == list(map(plain, expected))
