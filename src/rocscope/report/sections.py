"""Sections of a report: what each shows, and the contract by which further ones are written.

A section is made by a function of a result and is plain data; `page` turns it into HTML.

**In Python.** The function returns a `Section`::

    def explorer_section(result: AveragedRoc | RocCurve, *, name: str | None = None) -> Section | None:
        body = (
            element("p", "Move the point with the arrow keys."),      # rocscope.report.safety.element
            Plot(picture=views.picture(result), reading="…"),         # a figure with its reading
            element("div", class_="explorer-panel"),                  # filled by the section's scripts
        )
        return Section(
            title="Operating points", body=body, kind="explorer",
            payload={"thresholds": […], "values": […]},               # anything `core.result.plain` can hold
            scripts=("explorer_state.js", "explorer_view.js"),        # files of report/assets
            styles=("explorer.css",),
        )

- `body` holds `Html` made by `safety.element` (which escapes every text), `Plot`s and `Table`s.
- `payload` goes to the page as JSON; NaN and infinity become null. Keep it small: the page has 8 MB, of which
  plotly takes 4.8. It is left out where it is empty; so is plotly where no section of the page has a `Plot`.
- `scripts` and `styles` are inlined once however many sections name them, scripts in the order of their first
  mention, after plotly and the scripts of every page. They are covered by the content-security policy, so
  there are no inline handlers, no `eval`, no request, and no `javascript:` address. Styles set by script
  (`element.style.x = …`) are allowed.
- `fewer` makes the same section with a payload of at most so many points; a page that would be too large
  calls it. It is left out where the payload is small.
- None means that there is nothing to show.

`explorer.explorer_section(result, name=…)` is called for every `AveragedRoc` and `RocCurve` of a report (also
for the `roc` of a `PointComparison`), and its section comes right after the section of the result.

**In the page.** A section is ``<section id="s3" class="section explorer" data-kind="explorer">`` with the
title as its first heading. Its scripts register a function by the section's kind, which is called once the
page is there, for each such section, with the section and its payload::

    rocscope.mount("explorer", (section, payload) => { … });

`rocscope` also has

- ``rocscope.plot(div, figure)``: draw plotly's ``{data, layout}`` into a div in the colours of the theme, and
  again when the theme changes; calling it again updates the plot. Colours are those of `draw.style`; names
  given to plotly must be escaped by ``rocscope.literal(text)``, since plotly reads a kind of HTML;
- ``rocscope.onTheme(listener)``: called with "light" or "dark" when the reader changes it;
- ``rocscope.figure(section, name)``: the first panel of a ``Plot(name=…)`` of this section as
  ``{div, figure}``, of further panels ``rocscope.figure(section, `${name}-1`)`` and so on. Change
  ``figure.data`` and give it to ``rocscope.plot(div, figure)``; every trace tells its role in ``meta``;
- ``rocscope.whenDrawn(div, listener)``: figures are drawn when they come near the window, and have plotly's
  events (``div.on("plotly_click", …)``) from then on;
- ``rocscope.element(tag, attributes, ...children)``: a DOM element whose children are text nodes or elements.

All texts go to the page by `textContent` or by ``rocscope.element``; `innerHTML` is not used.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from rocscope.report.safety import Html
from rocscope.views.marks import Picture


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Plot:
    """A picture with what it says.

    Attributes
    ----------
    picture
        What `views.picture` returns; each of its panels becomes a figure that scales with the page.
    reading
        The picture in words, under it and for those who do not see it.
    notes
        What a reader should know of it, such as how far a line was thinned.
    name
        By which a script of the section finds the figure; None for a figure that no script looks for.
    linked
        Whether a point that is touched in one panel lights up in all of them.
    """

    picture: Picture
    reading: str
    notes: tuple[str, ...] = ()
    name: str | None = None
    linked: bool = False


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Table:
    """Numbers in rows: names on the left, cells as texts; the caption says what they are.

    `folded` hides a long one until the reader opens it; `total` tells of how many rows these are the first.
    """

    caption: str
    header: tuple[str, ...]
    rows: Sequence[Sequence[str]]
    folded: bool = False
    total: int | None = None
    notes: tuple[str, ...] = ()


Part: TypeAlias = Html | Plot | Table


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Section:
    """One section of the page; see above."""

    title: str
    body: tuple[Part, ...]
    kind: str = "plain"
    payload: Mapping[str, Any] = field(default_factory=dict)
    scripts: tuple[str, ...] = ()
    styles: tuple[str, ...] = ()
    fewer: Callable[[int], Section | None] | None = None
