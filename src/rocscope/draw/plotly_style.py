"""The table of roles and looks in plotly's words: colours, lines, markers, texts.

`style` has the one table; nothing here chooses a look of its own. matplotlib measures in points of 1/72
inch, plotly in pixels of 1/96.
"""

from __future__ import annotations

import textwrap
from typing import Any

from rocscope.core.characters import shortened, spelt
from rocscope.draw import style
from rocscope.draw.style import Dash
from rocscope.views.marks import Mark

PIXELS = 96 / 72  # of a point
MARKERS = {"o": "circle", "s": "square", "x": "x-thin"}
# scatter3d has fewer; its "x" is a letter of a font that many machines lack, and then nothing is drawn.
SOLID_MARKERS = {
    ("o", True): "circle",
    ("o", False): "circle-open",
    ("s", True): "square",
    ("x", True): "diamond",
}
DASHES = {"-": "solid", "--": "dash"}
# Lines as bright as these take the place of a colour on dark paper; all keep their hue.
DARK = {
    style.INK: "#E6E6E6",
    style.SOFT_INK: "#A8ABB2",
    style.GRID: "#34373D",
    style.PAPER: "#1B1D21",
    "#000000": "#FFFFFF",
    style.PALETTE[0]: "#4CA6DB",
    style.PALETTE[1]: "#F0803C",
    style.PALETTE[2]: "#2BC49A",
    style.PALETTE[3]: "#E29BC4",
}
DARKEST = 0.25  # of the colour scale, for a line on dark paper
LEGEND_WIDTH = 46  # characters of a line: a plot of a page is narrower than one on paper
LEGEND_LINES = 4  # that one of its names may have
NOTHING = "\u200b"  # a space without width, which makes a tag no tag
SPECIAL = {"&": "&amp;", "<": "&lt;", ">": "&gt;", "$": "&#36;", "%{": "&#37;{", "\n": "<br>"}


def literal(text: str) -> str:
    r"""Write a text so that plotly shows it as it is: no tags, no formula, no template; lines stay lines.

    Examples
    --------
    >>> print(literal("<b>$x$</b> %{y} & more\nnext"))
    &lt;b&gt;&#36;x&#36;&lt;/b&gt; &#37;{y} &amp; more<br>next
    """
    text = spelt(text)
    for character, written in SPECIAL.items():
        text = text.replace(character, written)
    return text


def solid_literal(text: str) -> str:
    r"""Write the label of an axis in three dimensions, where plotly knows tags and templates but no entities.

    Examples
    --------
    >>> solid_literal("<b> & %{x}")
    '<\u200bb> & %\u200b{x}'
    """
    return spelt(text).replace("<", f"<{NOTHING}").replace("%{", f"%{NOTHING}{{").replace("\n", "<br>")


def wrapped(label: str, width: int = LEGEND_WIDTH) -> str:
    """Break the lines of a long legend entry or title, as they are to be shown.

    Examples
    --------
    >>> wrapped("a name that somebody wrote in full, with all that it means (AUC = 0.73)")
    'a name that somebody wrote in full, with all<br>that it means (AUC = 0.73)'
    """
    lines = [textwrap.fill(shortened(line, LEGEND_LINES * width), width) for line in label.splitlines()]
    return literal("\n".join(lines))


def dash(value: Dash) -> str:
    """Dashes of a line; matplotlib's are multiples of its width, plotly's are pixels.

    Examples
    --------
    >>> dash("--"), dash((0, (4, 2)))
    ('dash', '6px,3px')
    """
    if isinstance(value, str):
        return DASHES[value]
    return ",".join(f"{1.5 * length:g}px" for length in value[1])


def stroke(mark: Mark) -> dict[str, Any]:
    """The line of a mark."""
    look = style.LOOKS[mark.role]
    return {
        "color": style.colour(mark.role, mark.series),
        "dash": dash(style.dash(mark.role, mark.series)),
        "width": look.width * PIXELS,
    }


def marker(mark: Mark) -> dict[str, Any]:
    """The marker of a mark: filled, open on the colour of the paper, or a cross."""
    look, colour = style.LOOKS[mark.role], style.colour(mark.role, mark.series)
    edge = style.PAPER if mark.role == "selected" else colour
    return {
        "symbol": MARKERS[look.marker],
        "size": look.size * PIXELS,
        "color": colour if look.filled else style.PAPER,
        "line": {"color": edge, "width": look.width * PIXELS},
    }


def solid_marker(mark: Mark) -> dict[str, Any]:
    """The marker of a mark in three dimensions."""
    look = style.LOOKS[mark.role]
    return {
        "symbol": SOLID_MARKERS[look.marker, look.filled],
        "size": look.size,  # seen from the eye, which is nearer than matplotlib's
        "color": style.colour(mark.role, mark.series),
    }


def faded(colour: str, alpha: float) -> str:
    """Return a colour that lets the paper through.

    Examples
    --------
    >>> faded("#0072B2", 0.2)
    'rgba(0,114,178,0.2)'
    """
    red, green, blue = (int(colour[k : k + 2], 16) for k in (1, 3, 5))
    return f"rgba({red},{green},{blue},{alpha:g})"


def shades(place: float) -> tuple[str, str]:
    """Colours of a place from 0 to 1 on the colour scale, on light and on dark paper."""
    from plotly.colors import sample_colorscale

    places = [place * style.LIGHTEST, DARKEST + (1 - DARKEST) * place]
    light, dark = sample_colorscale(colour_scale(), places)
    return light, dark


def colour_scale() -> str:
    """Plotly's name of the colour scale."""
    return style.COLOUR_MAP.capitalize()
