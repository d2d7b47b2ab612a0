"""Two panels on one pair of axes: the later one takes the next colours, and repeats nothing that is there."""

from collections.abc import Iterable, Sequence
from dataclasses import fields, replace
from typing import Any

import numpy as np

from rocscope.plotting.layout import CORNERS, free_place
from rocscope.plotting.marks import Axis, Band, Line, Mark, Panel, Panel3, ReferenceLine

# Lines that two results may share: chance, other references, the empirical curve behind a fit.
REFERENCES = ("chance", "reference", "hull")
# Each line has an entry of its own in the legend; marks of other roles share one if their labels are equal.
LINES = ("curve", *REFERENCES)


def joined(earlier: Panel, later: Panel) -> Panel:
    """Return what the later panel adds to axes that show the earlier one, with axes and legend for both.

    Its series take the next colours. A reference line that is there already is left out. Rows of a table
    stand below those that are there. A label that a line of the earlier panel has gets a number.

    Examples
    --------
    >>> import rocscope as rs
    >>> from rocscope import plotting
    >>> y = [0, 0, 1, 1]
    >>> a, b = (plotting.picture(rs.roc_curve(y, s)).panels[0] for s in ([1, 3, 2, 4], [1, 2, 3, 4]))
    >>> [(mark.label, mark.series) for mark in joined(a, b).marks]
    [('AUC = 1.00', 1)]
    """
    marks = _without_repeats(later.marks, earlier.marks)
    frame: dict[str, Any] = {"title": _both_texts(earlier.title, later.title)}
    frame |= {name: _both_axes(getattr(earlier, name), getattr(later, name)) for name in ("x", "y")}
    if isinstance(earlier, Panel3) and isinstance(later, Panel3):
        frame["z"] = _both_axes(earlier.z, later.z)
    if _table_kind(earlier) == _table_kind(later) is not None:
        # The colours of rows have their own meaning and stay.
        shift = (earlier.y.low or 0.0) - (later.y.high or 0.0)
        frame["y"] = _rows_of_both(earlier.y, later.y, shift)
        return replace(later, **frame, marks=tuple(_shifted(mark, shift) for mark in marks))
    first = 1 + max((mark.series for mark in earlier.marks), default=-1)
    taken = {mark.label for mark in earlier.marks if mark.role in LINES}
    added = []
    for mark in marks:
        label = _numbered(mark.label, taken) if mark.role in LINES and mark.label else mark.label
        added.append(replace(mark, series=mark.series + first, label=label))
    places = [panel.legend for panel in (earlier, later) if panel.legend is not None]
    both = replace(later, **frame, marks=(*earlier.marks, *added))
    legend = free_place(both, [*places, *CORNERS]) if places else None
    return replace(both, marks=tuple(added), legend=legend)


def _both_texts(earlier: str, later: str) -> str:
    return "\n".join(dict.fromkeys([*earlier.splitlines(), *later.splitlines()]))


def _both_axes(earlier: Axis, later: Axis) -> Axis:
    """An axis that holds both; two texts at one tick stand beside each other."""
    lows = [axis.low for axis in (earlier, later) if axis.low is not None]
    highs = [axis.high for axis in (earlier, later) if axis.high is not None]
    turned = bool(lows and highs and lows[0] > highs[0])
    least, most = (max, min) if turned else (min, max)
    axis = replace(
        later,
        label=_both_texts(earlier.label, later.label),
        low=least(lows) if lows else None,
        high=most(highs) if highs else None,
    )
    if earlier.tick_labels is None or later.tick_labels is None:
        return axis
    names = dict(zip(earlier.ticks or (), earlier.tick_labels, strict=True))
    for tick, name in zip(later.ticks or (), later.tick_labels, strict=True):
        names[tick] = name if names.get(tick, name) == name else f"{names[tick]} / {name}"
    names = dict(sorted(names.items()))
    return replace(axis, ticks=tuple(names), tick_labels=tuple(names.values()))


def _numbered(label: str, taken: Iterable[str | None]) -> str:
    number, text = 1, label
    while text in taken:
        number += 1
        text = f"{label} ({number})"
    return text


# ---- References that are drawn once -----------------------------------------------------------------------


def _without_repeats(marks: Sequence[Mark], earlier: Sequence[Mark]) -> list[Mark]:
    """The marks without references that are there; of a longer line the pieces beyond the shorter one."""
    kept: list[Mark] = []
    for mark in marks:
        twin = next((other for other in earlier if _repeats(mark, other)), None)
        if twin is None:
            kept.append(mark)
        elif isinstance(mark, Line) and isinstance(twin, Line):
            low, high = twin.x.min(), twin.x.max()
            for outside, end in ((mark.x < low, low), (mark.x > high, high)):
                if outside.any():
                    x, y = mark.x[outside], mark.y[outside]
                    at = twin.y[np.argmin(np.abs(twin.x - end))]
                    order = np.argsort(np.append(x, end), kind="stable")
                    x, y = np.append(x, end)[order], np.append(y, at)[order]
                    kept.append(replace(mark, x=x, y=y, label=None))
    return kept


def _repeats(mark: Mark, other: Mark) -> bool:
    """Whether both are the same reference, if not equally long."""
    if mark.role not in REFERENCES or mark.role != other.role:
        return False
    if isinstance(mark, ReferenceLine) and isinstance(other, ReferenceLine):
        return (mark.axis, mark.at) == (other.axis, other.at)
    if not isinstance(mark, Line) or not isinstance(other, Line):
        return False
    if _is_straight(mark) and _is_straight(other):
        return _same(_chord(mark, other.x), other.y)
    if mark.role == "hull":
        return mark.label == other.label and _same(mark.x, other.x) and _same(mark.y, other.y)
    common, mine, theirs = np.intersect1d(mark.x, other.x, return_indices=True)
    return len(common) > 0 and mark.label == other.label and _same(mark.y[mine], other.y[theirs])


def _is_straight(line: Line) -> bool:
    """Whether all points of a line lie on its chord, so that its places do not matter."""
    return len(line.x) > 1 and line.x[0] != line.x[-1] and _same(_chord(line, line.x), line.y)


def _chord(line: Line, x: Any) -> Any:
    slope = (line.y[-1] - line.y[0]) / (line.x[-1] - line.x[0])
    return line.y[0] + slope * (x - line.x[0])


def _same(a: Any, b: Any) -> bool:
    return a.shape == b.shape and bool(np.allclose(a, b, equal_nan=True))


# ---- Tables -----------------------------------------------------------------------------------------------


def _table_kind(panel: Panel) -> str | None:
    """Rows with marks and texts on their right, or of texts alone; None for what is no table."""
    if None in (panel.y.tick_labels, panel.y.low, panel.y.high):
        return None
    if panel.x.ticks == ():
        return "texts"
    return None if panel.y.far_labels is None else "marks"


def _rows_of_both(earlier: Axis, later: Axis, shift: float) -> Axis:
    """The rows of a table below those of another one."""
    names = list(earlier.tick_labels or ())
    for name in later.tick_labels or ():
        names.append(_numbered(name, names))
    return replace(
        later,
        low=(later.low or 0.0) + shift,
        high=earlier.high,
        ticks=(*(earlier.ticks or ()), *(tick + shift for tick in later.ticks or ())),
        tick_labels=tuple(names),
        far_labels=(*(earlier.far_labels or ()), *(later.far_labels or ())) or None,
        label=_both_texts(earlier.label, later.label),
    )


def _shifted(mark: Mark, shift: float) -> Mark:
    """A mark that much further down, in whatever of its numbers lies along y."""
    if isinstance(mark, ReferenceLine):
        return mark if mark.axis == "x" else replace(mark, at=mark.at + shift)
    along = ("low", "high") if isinstance(mark, Band) else ("y", "y_low", "y_high", "y_edges")
    moved = {f.name: getattr(mark, f.name) for f in fields(mark) if f.name in along}
    return replace(mark, **{name: value + shift for name, value in moved.items() if value is not None})
