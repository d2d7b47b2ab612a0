"""Fewer points than there are, with the error that this makes: a page has room for so many."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from rocscope.core.curve import RocCurve
from rocscope.plotting import layout, marks

LIMIT = layout.SHOWN_VERTICES
CELLS = 150  # along each side of a heat map
Floats = NDArray[np.float64]


class ThinnedLine(NamedTuple):
    """How many points of a line are drawn, of how many, and how far the others lie off at most."""

    kept: int
    total: int
    off: float


def thin(picture: marks.Picture, limit: int = LIMIT) -> tuple[marks.Picture, tuple[str, ...]]:
    """Return a picture whose marks have at most `limit` points, and what was left out of it.

    Examples
    --------
    >>> from rocscope.plotting.marks import Axis, Panel
    >>> x = np.linspace(0, 1, 5001)
    >>> line = marks.Line(x=x, y=np.sqrt(x), role="curve")
    >>> fewer, notes = thin(marks.Picture(panels=(Panel(marks=(line,), x=Axis(), y=Axis()),)))
    >>> len(fewer.panels[0].marks[0].x), notes
    (1938, ('A line is drawn through 1938 of its 5001 points; no point of it lies off by more than
    4.3e-07 on either axis.',))
    """
    panels, notes, lines = [], list[str](), list[ThinnedLine]()
    for panel in picture.panels:
        with np.errstate(invalid="ignore"):  # steps to infinite points
            thinned = [_thinned(mark, limit) for mark in panel.marks]
        panels.append(replace(panel, marks=tuple(mark for mark, _ in thinned)))
        notes += [note for _, note in thinned if isinstance(note, str) and note]
        lines += [note for _, note in thinned if isinstance(note, ThinnedLine)]
    if lines:  # one sentence, however many lines there are
        kept, total, off = (max(values) for values in zip(*lines, strict=True))
        one = len(lines) == 1
        what = "A line is" if one else f"{len(lines)} lines are"
        through = f"{kept} of its {total}" if one else f"at most {kept} of up to {total}"
        notes.insert(
            0,
            f"{what} drawn through {through} points; no point of {'it' if one else 'them'} lies off by more "
            f"than {off:.2g} on either axis.",
        )
    return replace(picture, panels=tuple(panels)), tuple(dict.fromkeys(notes))


def curve_note(curve: RocCurve, name: str | None = None) -> tuple[str, ...]:
    """Say how far the picture of a long curve is from the curve; nothing for a short one."""
    if len(curve) <= layout.SHOWN_VERTICES:
        return ()
    kept = layout.evenly_along(curve.fpr + curve.tpr, layout.SHOWN_VERTICES)  # as the view of the curve does
    off = _distance(curve.fpr, curve.tpr, kept)
    what = "The curve" if name is None else f"The curve of {name}"
    return (
        f"{what} is shown by {len(kept)} of its {len(curve)} vertices; no vertex of it lies off the line "
        f"through them by more than {off:.2g} in either rate. All numbers are those of the whole curve.",
    )


def _thinned(mark: marks.Mark, limit: int) -> tuple[marks.Mark, str | ThinnedLine]:
    """A mark with at most so many points, and what was left out of it; other kinds of marks stay."""
    if isinstance(mark, marks.Line) and len(mark.x) > limit:
        kept = layout.evenly_along(_along(mark.x, mark.y), limit)
        off = _distance(mark.x, mark.y, kept)
        return replace(mark, x=mark.x[kept], y=mark.y[kept]), ThinnedLine(len(kept), len(mark.x), off)
    if isinstance(mark, marks.Band) and len(mark.x) > limit:
        kept = layout.evenly_along(_along(mark.x, mark.low + mark.high), limit)
        ends = [np.interp(mark.x, mark.x[kept], end[kept]) - end for end in (mark.low, mark.high)]
        off = float(np.nanmax(np.abs(ends), initial=0.0))
        places = f"{len(kept)} of its {len(mark.x)} places"
        note = f"A band is drawn at {places}; its ends lie off by at most {off:.2g}."
        return replace(mark, x=mark.x[kept], low=mark.low[kept], high=mark.high[kept]), note
    if isinstance(mark, (marks.Points, marks.Points3, marks.ErrorBars)) and len(mark.x) > limit:
        kept = _evenly(len(mark.x), limit)
        names = ("x", "y", "z", "x_low", "x_high", "y_low", "y_high")
        arrays = {name: getattr(mark, name, None) for name in names}
        fewer: Any = {name: values[kept] for name, values in arrays.items() if values is not None}
        return replace(mark, **fewer), f"{len(kept)} of {len(mark.x)} points are shown."
    most = min(CELLS, limit)
    if (
        isinstance(mark, marks.HeatMap) and max(mark.values.shape) > most
    ):  # each cell stands for its neighbours
        n = mark.values.shape
        rows, columns = (_evenly(size, most) for size in n)
        x_edges = np.append(mark.x_edges[columns], mark.x_edges[-1])
        y_edges = np.append(mark.y_edges[rows], mark.y_edges[-1])
        values = mark.values[np.ix_(rows, columns)]
        note = f"{values.shape[0]} by {values.shape[1]} of {n[0]} by {n[1]} cells are shown."
        return replace(mark, x_edges=x_edges, y_edges=y_edges, values=values), note
    return mark, ""


def _evenly(n: int, most: int) -> NDArray[np.int64]:
    return np.unique(np.linspace(0, n - 1, min(n, most)).astype(np.int64))


def _along(x: Floats, y: Floats) -> Floats:
    """How far along its line each point is, both axes in shares of their range."""
    steps: Any = 0.0
    for values in (x, y):
        known = values[np.isfinite(values)]
        spread = float(np.ptp(known)) if known.size else 0.0
        steps = steps + np.abs(np.diff(values, prepend=values[0])) / (spread or 1.0)
    return np.cumsum(np.nan_to_num(np.asarray(steps)))


def _distance(x: Floats, y: Floats, kept: NDArray[np.int64]) -> float:
    """The largest distance on either axis between a line and the one through the kept points.

    Points of both that are equally far along the whole line are compared, so no distance is larger.
    """
    along = _along(x, y)
    off = [np.interp(along, along[kept], values[kept]) - values for values in (x, y)]
    return float(np.nanmax(np.abs(off), initial=0.0))
