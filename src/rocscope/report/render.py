"""Parts of sections as HTML: plots as places that our scripts fill, tables whole."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from rocscope.core.characters import shortened
from rocscope.draw import figure_json
from rocscope.report.safety import Html, brief, data_script, element, join
from rocscope.report.sections import Part, Plot, Section, Table
from rocscope.report.tables import plainly
from rocscope.report.thinning import thin
from rocscope.views import words
from rocscope.views.marks import Panel, Panel3, Picture


@dataclass(slots=True)
class Rendered:
    """A section while it is written: its identifier, and the figures found in it so far."""

    identifier: str
    limit: int
    figures: list[dict[str, Any]] = field(default_factory=list)


def render_section(section: Section, identifier: str, limit: int) -> tuple[Html, Html]:
    """Return a section and the elements that hold its data; no plot of it has more points than the limit."""
    state = Rendered(identifier, limit)
    title = element("h2", brief(section.title), id=f"{identifier}-title")
    body = [_part(part, state) for part in section.body]
    html = element(
        "section",
        title,
        body,
        id=identifier,
        class_=f"section {section.kind}",
        data_kind=section.kind,
        data_figures=bool(state.figures),
        aria_labelledby=f"{identifier}-title",
    )
    data = [data_script(f"{identifier}-figures-data", state.figures)] if state.figures else []
    if section.payload:
        data.append(data_script(f"{identifier}-data", section.payload))
    return html, join(data)


def _part(part: Part, state: Rendered) -> Html:
    if isinstance(part, Plot):
        return _plot(part, state)
    return _table(part) if isinstance(part, Table) else part


# ---- Plots ------------------------------------------------------------------------------------------------


def _plot(plot: Plot, state: Rendered) -> Html:
    """A figure: its panels side by side where there is room, and what they say."""
    picture, notes = thin(plot.picture, state.limit)
    caption = f"{state.identifier}-caption-{len(state.figures)}"
    name = plot.name or (f"panels-{len(state.figures)}" if plot.linked else None)
    panels = [_panel(panel, k, name, caption, state) for k, panel in enumerate(picture.panels)]
    group = element("div", panels, class_=f"panels columns-{_columns(picture)}", data_linked=plot.linked)
    heading = element("h3", brief(picture.title)) if picture.title else None
    told = [element("p", plainly(plot.reading), class_="reading"), *_notes((*plot.notes, *notes))]
    beside = len(picture.panels) == 1 and picture.panels[0].equal_aspect
    whole = element("figcaption", told, id=caption)
    return element("figure", heading, group, whole, class_="beside" if beside else None)


def _columns(picture: Picture) -> int:
    """Panels in a row, where the page is wide enough; one that turns has a row of its own."""
    n = sum(not isinstance(panel, Panel3) for panel in picture.panels)
    return max(1, min(4, n, 3 if n < len(picture.panels) else picture.columns))


def _panel(panel: Panel, k: int, name: str | None, caption: str, state: Rendered) -> Html:
    figure = figure_json(Picture(panels=(replace(panel, title=""),)))
    state.figures.append(figure)
    shape = figure["layout"]["meta"]["shape"]
    place = element(
        "div",
        class_="plot",
        role="img",
        aria_label=_label(panel),
        aria_describedby=caption,
        data_figure=len(state.figures) - 1,
        data_name=None if name is None else f"{name}-{k}" if k else name,
    )
    title = element("h3", brief(panel.title)) if panel.title else None
    return element("div", title, place, class_=f"panel {shape}")


def _label(panel: Panel) -> str:
    """Name a plot for those who do not see it: its title, its axes."""
    axes = [axis.label.splitlines()[0] for axis in (panel.y, panel.x) if axis.label]
    return ". ".join(["Plot", *panel.title.splitlines(), " over ".join(axes)])


def _notes(notes: Sequence[str]) -> list[Html]:
    return [element("p", words.sentence(plainly(note)), class_="note") for note in notes]


# ---- Tables -----------------------------------------------------------------------------------------------


def _table(table: Table) -> Html:
    head = element("tr", [element("th", brief(name), scope="col") for name in table.header])
    body = [_row(row) for row in table.rows]
    whole = element(
        "table", element("caption", brief(table.caption)), element("thead", head), element("tbody", body)
    )
    parts = [
        element(
            "div", whole, class_="scroll", tabindex="0", role="region", aria_label=shortened(table.caption)
        )
    ]
    parts += _notes(table.notes)
    if not table.folded:
        return join(parts)
    rows = f"{len(table.rows)} rows" if table.total is None else f"{len(table.rows)} of {table.total} rows"
    return element("details", element("summary", brief(table.caption), f" ({rows})"), parts)


def _row(cells: Sequence[str]) -> Html:
    first, *others = cells
    return element("tr", element("th", brief(first), scope="row"), [_cell(text) for text in others])


def _cell(text: str) -> Html:
    """Sentences are set to the left and broken, numbers are not."""
    text = plainly(text)
    return element("td", text, class_="words" if len(text) > 40 else None)
