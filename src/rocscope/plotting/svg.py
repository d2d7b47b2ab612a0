"""A picture as a small SVG, for notebooks: plain text in a few milliseconds, without a drawing library."""

from __future__ import annotations

import html
import math
from collections.abc import Iterable
from functools import singledispatchmethod
from typing import Any

import numpy as np

from rocscope.core.formatting import spelt
from rocscope.plotting import layout, marks

LARGEST = 30_000  # bytes
POINTS = (400, 150, 60, 25)  # of each mark, tried in turn until the picture is small enough
MOST_PANELS = 6
SQUARE, WIDE, ROW = (200.0, 200.0), (290.0, 170.0), 17.0  # pixels of a plot, and of a row of a table
FONT, LETTER, LINE = 10, 5.6, 14.0
LONGEST = 26  # characters of a name beside an axis
MOST_ENTRIES = 8
TICKS = 4
SHADES = 40  # of a colour scale: cells of one shade are one path


def small_svg(picture: marks.Picture) -> str:
    """Return a picture as SVG below 30 kB; empty where it cannot be so small, or has only three axes.

    Colours of texts and axes are those of the page it stands on, so that it can be read on dark ones too.

    Examples
    --------
    >>> import rocscope as rs
    >>> from rocscope import plotting
    >>> drawn = small_svg(plotting.picture(rs.roc_curve([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8])))
    >>> drawn[:4], "AUC = 0.75" in drawn, len(drawn) < 3000
    ('<svg', True, True)
    """
    panels = [panel for panel in picture.panels if not isinstance(panel, marks.Panel3)][:MOST_PANELS]
    if not panels:
        return ""
    look = f'style="max-width:100%;height:auto" font-family="sans-serif" font-size="{FONT}"'
    for most in POINTS:
        drawn = [_Panel(panel, most) for panel in panels]
        parts, top, width = list[str](), 0.0, 0.0
        for k in range(0, len(drawn), picture.columns):  # rows, each as high as its highest panel
            row, left = drawn[k : k + picture.columns], 0.0
            for one in row:
                parts.append(f'<g transform="translate({_n(left)} {_n(top)})">{one.text()}</g>')
                left += one.width
            top, width = top + max(one.height for one in row), max(width, left)
        size = f'width="{_n(width)}" height="{_n(top)}" viewBox="0 0 {_n(width)} {_n(top)}"'
        head = f'<svg xmlns="http://www.w3.org/2000/svg" {size} {look} fill="currentColor">'
        text = f"{head}{''.join(parts)}</svg>"
        if len(text.encode()) < LARGEST:
            return text
    return ""


def _n(value: float) -> str:
    """A number of pixels, to a tenth."""
    return "0" if abs(value) < 0.05 else f"{value:.1f}".removesuffix(".0")


class _Panel:
    """One plot with its axes and its legend, in pixels."""

    def __init__(self, panel: marks.Panel, most: int) -> None:
        self.panel, self.most = panel, most
        self.ends = layout.limits(panel)
        names = panel.y.tick_labels or ()
        self.plot = SQUARE if panel.equal_aspect else WIDE
        if panel.y.far_labels is not None:  # rows of a table, whose figures the text beside it has
            self.plot = WIDE[0], ROW * len(names)
        self.left = 16 + LETTER * max([4, *(min(len(name), LONGEST) for name in names)])
        self.title = layout.wrapped(panel.title, int(self.plot[0] / LETTER)).splitlines()
        self.slanted = min(layout.crowded(panel), LONGEST)
        self.top = 8 + LINE * len(self.title)
        entries = dict.fromkeys(mark.label for mark in panel.marks if mark.label)
        if panel.legend is None or any(isinstance(mark, marks.HeatMap) for mark in panel.marks):
            entries = {}
        self.entries = list(entries)[:MOST_ENTRIES]
        below = self.plot[1] + self.top + 2.5 * LINE + self.slanted * LETTER * 0.65
        self.width = self.left + self.plot[0] + 14
        self.under = below + LINE * 0.4
        self.height = below + LINE * (len(self.entries) + 0.6)

    def text(self) -> str:
        """The whole panel."""
        ordered = sorted(self.panel.marks, key=lambda mark: marks.LOOKS[mark.role].order)
        marked = "".join(map(self.draw, ordered))
        width, height = map(_n, self.plot)
        inner = (
            f'<svg x="{_n(self.left)}" y="{_n(self.top)}" width="{width}" height="{height}">{marked}</svg>'
        )
        middle = self.left + self.plot[0] / 2
        title = "".join(
            _text(middle, LINE * (k + 0.8), line, anchor="middle") for k, line in enumerate(self.title)
        )
        return title + inner + self.axes() + self.legend()

    # ---- Places -------------------------------------------------------------------------------------------

    def places(self, x: Any, y: Any) -> Any:
        """Numbers of the axes in pixels of the plot, [place, 2]; what is far outside is just outside."""
        pairs = []
        for values, (low, high), size in zip((x, y), self.ends, self.plot, strict=True):
            share = (np.asarray(values, np.float64) - low) / ((high - low) or 1.0)
            pairs.append(np.clip(share, -2, 3) * size)
        return np.column_stack([pairs[0], self.plot[1] - pairs[1]])

    def path(self, x: Any, y: Any) -> str:
        """A polyline; it is interrupted where numbers are missing."""
        at = self.places(x, y).round(1)
        at = at[layout.evenly(len(at), self.most)] if len(at) > self.most else at
        parts, pen = list[str](), "M"
        last: tuple[float, float] | None = None
        for one in map(tuple, at.tolist()):
            if any(math.isnan(v) for v in one):
                pen, last = "M", None
            elif one != last:
                parts.append(f"{pen}{_n(one[0])} {_n(one[1])}")
                pen, last = "L", one
        return "".join(parts)

    # ---- Marks --------------------------------------------------------------------------------------------

    @singledispatchmethod
    def draw(self, mark: marks.Mark) -> str:
        """SVG of a mark; of one that is not known nothing."""
        return ""

    @draw.register
    def _(self, mark: marks.Line) -> str:
        shade = mark.shade * marks.LIGHTEST if isinstance(mark, marks.ShadedLine) else None
        colour = None if shade is None else marks.scale_colour(shade)
        return f'<path d="{self.path(mark.x, mark.y)}" {_stroke(mark, colour)}/>'

    @draw.register
    def _(self, mark: marks.Points) -> str:
        look = marks.LOOKS[mark.role]
        at = self.places(mark.x, mark.y)
        at = at[~np.isnan(at).any(axis=1)].round(1)
        at = at[layout.evenly(len(at), self.most)] if len(at) > self.most else at
        size, colour = look.size * 0.9, _colour(mark)
        if look.marker == "x":
            arm = f"l{_n(size)} {_n(size)}m0 -{_n(size)}l-{_n(size)} {_n(size)}"
            d = "".join(f"M{_n(x - size / 2)} {_n(y - size / 2)}{arm}" for x, y in at.tolist())
            return f'<path d="{d}" fill="none" stroke="{colour}" stroke-width="2"/>'
        d = "".join(f"M{_n(x)} {_n(y)}h0" for x, y in at.tolist())
        cap = "square" if look.marker == "s" else "round"
        width = size if look.filled else size + 1
        dots = f'<path d="{d}" stroke="{colour}" stroke-width="{_n(width)}" stroke-linecap="{cap}"/>'
        if look.filled:
            return dots
        return dots + f'<path d="{d}" stroke="#fff" stroke-width="{_n(size - 1.5)}" stroke-linecap="{cap}"/>'

    @draw.register
    def _(self, mark: marks.Band) -> str:
        known = ~np.isnan(mark.low + mark.high)
        pieces = np.split(np.flatnonzero(known), np.flatnonzero(np.diff(np.flatnonzero(known)) > 1) + 1)
        d = ""
        for at in pieces:
            if len(at) > 1:
                x = np.concatenate([mark.x[at], mark.x[at][::-1]])
                y = np.concatenate([mark.low[at], mark.high[at][::-1]])
                d += self.path(x, y) + "Z"
        return f'<path d="{d}" fill="{_colour(mark)}" opacity="{marks.LOOKS[mark.role].alpha:g}"/>'

    @draw.register
    def _(self, mark: marks.ErrorBars) -> str:
        bars = mark.outlines()
        bars = [bars[k] for k in layout.evenly(len(bars), self.most)] if len(bars) > self.most else bars
        return f'<path d="{"".join(self.path(*bar) for bar in bars)}" {_stroke(mark)}/>'

    @draw.register
    def _(self, mark: marks.Bars) -> str:
        d = ""
        for low, high, length in zip(mark.low, mark.high, mark.length, strict=True):
            corners = np.array([low, low, high, high]), np.array([0.0, length, length, 0.0])
            d += self.path(*(corners[::-1] if mark.horizontal else corners)) + "Z"
        return f'<path d="{d}" fill="{_colour(mark)}" opacity="{marks.LOOKS[mark.role].alpha:g}"/>'

    @draw.register
    def _(self, mark: marks.HeatMap) -> str:
        known = mark.values[np.isfinite(mark.values)]
        low = mark.low if mark.low is not None else float(known.min(initial=0.0))
        high = mark.high if mark.high is not None else float(known.max(initial=1.0))
        scale = marks.SIGNED if mark.signed else marks.SCALE
        step = max(1, math.ceil(math.sqrt(mark.values.size / self.most)))
        across, down = mark.x_edges, mark.y_edges
        rows, columns = (range(0, n, step) for n in mark.values.shape)
        by_colour: dict[str, str] = {}
        for i in rows:
            for j in columns:
                value = mark.values[i, j]
                share = (value - low) / ((high - low) or 1.0)
                shade = round(SHADES * min(max(share, 0.0), 1.0)) / SHADES if share == share else None
                colour = "#8883" if shade is None else marks.scale_colour(shade, scale)
                x, y = across[[j, min(j + step, len(across) - 1)]], down[[i, min(i + step, len(down) - 1)]]
                corners = self.places(x[[0, 1, 1, 0]], y[[0, 0, 1, 1]])
                cell = "L".join(f"{_n(a)} {_n(b)}" for a, b in corners.tolist())
                by_colour[colour] = by_colour.get(colour, "") + f"M{cell}Z"
        return "".join(f'<path d="{d}" fill="{colour}"/>' for colour, d in by_colour.items())

    @draw.register
    def _(self, mark: marks.ReferenceLine) -> str:
        (low, high), at = self.ends[mark.axis == "x"], np.array([mark.at, mark.at])
        ends = np.array([low, high])
        return f'<path d="{self.path(*((at, ends) if mark.axis == "x" else (ends, at)))}" {_stroke(mark)}/>'

    @draw.register
    def _(self, mark: marks.Text) -> str:
        (x, y), lines = self.places([mark.x], [mark.y])[0].tolist(), mark.text.splitlines()
        anchor = {"left": "start", "center": "middle", "right": "end"}[mark.horizontal]
        first = y + FONT * 0.35 - (len(lines) - 1) * FONT / 2
        small, colour = FONT - 2, _colour(mark)
        return "".join(
            _text(x, first + k * FONT, line, anchor=anchor, size=small, colour=colour)
            for k, line in enumerate(lines)
        )

    # ---- Axes and legend ----------------------------------------------------------------------------------

    def axes(self) -> str:
        """Both axes with ticks, their numbers or names, and labels."""
        width, height = self.plot
        left, bottom = self.left, self.top + height
        drawn = [
            f'<path d="M{_n(left)} {_n(self.top)}V{_n(bottom)}H{_n(left + width)}" fill="none" '
            'stroke="currentColor" stroke-opacity=".5"/>'
        ]
        free = -math.inf  # from here on a further number has room
        for at, name in self.ticks("x"):
            x = left + float(self.places([at], [0])[0, 0])
            half = LETTER * (len(name) + 1) / 2
            if not self.slanted and x - half < free:
                continue
            free = x + half
            if self.slanted:
                place = f'transform="translate({_n(x + 3)} {_n(bottom + 10)}) rotate(-40)"'
                drawn.append(f'<text text-anchor="end" {place}>{_escaped(_short(name))}</text>')
            else:
                drawn.append(_text(x, bottom + LINE * 0.9, name, anchor="middle"))
        for at, name in self.ticks("y"):
            y = self.top + float(self.places([0], [at])[0, 1])
            drawn.append(_text(left - 4, y + FONT * 0.35, _short(name), anchor="end"))
        label = self.panel.x.label.splitlines()[:1]
        drawn += [_text(left + width / 2, self.under - LINE * 0.6, line, anchor="middle") for line in label]
        for line in self.panel.y.label.splitlines()[:1]:
            place = f'transform="translate({FONT} {_n(self.top + height / 2)}) rotate(-90)"'
            fits = _short(line, int((height + self.top) / LETTER))
            drawn.append(f'<text text-anchor="middle" {place}>{_escaped(fits)}</text>')
        return "".join(drawn)

    def ticks(self, name: str) -> list[tuple[float, str]]:
        """Places and texts of the ticks of an axis, as far as they lie on it."""
        axis: marks.Axis = getattr(self.panel, name)
        low, high = sorted(self.ends[name == "y"])
        if axis.ticks is not None:
            names = axis.tick_labels or tuple(f"{tick:g}" for tick in axis.ticks)
            texts = ["".join(name.splitlines()[:1]) for name in names]
            pairs: Iterable[tuple[float, str]] = zip(axis.ticks, texts, strict=True)
        else:
            step = _round_step((high - low) / TICKS)
            first, last = math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9)
            pairs = ((k * step, f"{k * step:.6g}") for k in range(first, last + 1))
        reach = 1e-9 * (high - low)
        return [(at, text) for at, text in pairs if low - reach <= at <= high + reach]

    def legend(self) -> str:
        """One line for each label, in the colour of its first mark."""
        drawn, width = list[str](), int((self.plot[0] + self.left - 30) / LETTER)
        for k, label in enumerate(self.entries):
            mark = next(mark for mark in self.panel.marks if mark.label == label)
            y = self.under + LINE * (k + 0.9)
            if isinstance(mark, (marks.Band, marks.Bars)):
                opacity = marks.LOOKS[mark.role].alpha
                sign = f'<path d="M12 {_n(y - 7)}h18v8h-18z" fill="{_colour(mark)}" opacity="{opacity:g}"/>'
            elif isinstance(mark, marks.Points):
                sign = (
                    f'<path d="M21 {_n(y - 3.5)}h0" stroke="{_colour(mark)}" stroke-width="6" '
                    'stroke-linecap="round"/>'
                )
            else:
                sign = f'<path d="M12 {_n(y - 3.5)}h18" {_stroke(mark)}/>'
            drawn.append(sign + _text(36, y, _short(label, width)))
        return "".join(drawn)


def _round_step(step: float) -> float:
    """The next larger one of 1, 2 and 5 times a power of ten."""
    if not 0 < step < math.inf:
        return 1.0
    power = 10.0 ** math.floor(math.log10(step))
    return next(k * power for k in (1, 2, 5, 10) if k * power >= step * (1 - 1e-9))


def _colour(mark: marks.Mark) -> str:
    colour = marks.colour(mark.role, mark.series)
    return "currentColor" if colour in marks.INKS else colour


def _stroke(mark: marks.Mark, colour: str | None = None) -> str:
    look, dash = marks.LOOKS[mark.role], marks.dash(mark.role, mark.series)
    steps = ("4 2" if dash == "--" else "") if isinstance(dash, str) else " ".join(f"{v:g}" for v in dash[1])
    dashes = f' stroke-dasharray="{steps}"' if steps else ""
    opacity = f' opacity="{look.alpha:g}"' if look.alpha < 1 else ""
    colour = colour or _colour(mark)
    return f'fill="none" stroke="{colour}" stroke-width="{look.width:g}"{dashes}{opacity}'


def _short(text: str, most: int = LONGEST) -> str:
    return text if len(text) <= most else f"{text[: most - 1]}…"


def _text(
    x: float, y: float, text: str, *, anchor: str = "start", size: int = FONT, colour: str | None = None
) -> str:
    place = "" if anchor == "start" else f' text-anchor="{anchor}"'
    place += "" if size == FONT else f' font-size="{size}"'
    place += "" if colour in (None, "currentColor") else f' fill="{colour}"'
    return f'<text x="{_n(x)}" y="{_n(y)}"{place}>{_escaped(text)}</text>'


def _escaped(text: str) -> str:
    """Untrusted text."""
    return html.escape(spelt(text))
