"""The report: results in, one HTML file out."""

from __future__ import annotations

import os
import re
import warnings
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from importlib.resources import files
from pathlib import Path
from string import Template
from typing import Any

from rocscope import __version__
from rocscope.core import checks, formatting
from rocscope.core.formatting import shortened
from rocscope.errors import ResourceError, RocInputError, RocscopeError, RocWarning, require
from rocscope.plotting import figure_json
from rocscope.plotting.files import encoded, replace_text
from rocscope.plotting.marks import Panel, Panel3, Picture
from rocscope.plotting.plotly_traces import DARK
from rocscope.reporting.analysis import Analysis, missing_line
from rocscope.reporting.contents import left_out, sections_of
from rocscope.reporting.html import Html, brief, code_script, data_script, element, join, policy
from rocscope.reporting.sections import Part, Plot, Section, Table, read_items
from rocscope.reporting.tables import counted, plainly
from rocscope.reporting.thinning import LIMIT, thin

TITLE = "ROC analysis"


def report(
    *results: Any, path: str | os.PathLike[str], title: str | None = None, force: bool = False
) -> Path:
    """Write results as one interactive HTML page that needs no network.

    Parameters
    ----------
    *results
        Results of rocscope; what `analyse` returns; `BinaryScores`, of which the curves are shown; or
        mappings from the name of a classifier to a result or a list of results. A curve, its band and its
        areas under one name are shown together, at the cut-off of the first `PointMeasures` of that name.
        Sections come in a fixed order.
    path
        The file, whose name must end in .html or .htm.
    title
        Title of the page.
    force
        Whether a file of this name is replaced; without it an existing file is refused, as by the commands
        without --force.

    Returns
    -------
    Path
        The file, which appears whole or not at all. It is smaller than 8 MB.

    Warns
    -----
    RocWarning
        If a result cannot be shown. It costs no other one; the page says at its end what is missing and why.

    Examples
    --------
    >>> import tempfile
    >>> import rocscope as rs
    >>> y, score = [0, 0, 0, 1, 1, 1], [0.1, 0.3, 0.5, 0.4, 0.7, 0.9]
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = report({"marker": [rs.roc_curve(y, score), rs.auc(y, score)]}, path=f"{folder}/roc.html")
    ...     file.name, "0.889 (95% interval" in file.read_text()
    ('roc.html', True)
    """
    target = check_page_path(path, force)
    return write_page(report_html(*results, title=title), target)


def report_html(*results: Any, title: str | None = None) -> str:
    """Return the page of `report` as text.

    Examples
    --------
    >>> import rocscope as rs
    >>> report_html(rs.roc_curve([0, 1], [0, 1]), title="One curve").count("<h1>One curve</h1>")
    1
    """
    items = read_items(results)
    missing = [line for result in results if isinstance(result, Analysis) for line in result.missing]
    known = len(missing)
    sections = sections_of(items, missing)
    text = page_of(sections, title=title, made=f"From {counted(len(items), 'result')}.", missing=missing)
    for line in missing[known:]:
        warnings.warn(line, RocWarning, stacklevel=2)
    return text


def distinct(sections: Sequence[Section]) -> list[Section]:
    """Number the sections of one title, so that the links to them can be told apart.

    Examples
    --------
    >>> [section.title for section in distinct([Section(title="Areas", body=())] * 2)]
    ['Areas (1)', 'Areas (2)']
    """
    totals, seen, found = Counter(section.title for section in sections), Counter[str](), list[Section]()
    for section in sections:
        seen[section.title] += 1
        title = f"{section.title} ({seen[section.title]})" if totals[section.title] > 1 else section.title
        found.append(replace(section, title=title))
    return found


def page_of(
    sections: Sequence[Section], *, title: str | None, made: str, missing: list[str] | None = None
) -> str:
    """Return the page of sections under a title of the user, or ours.

    Lines in `missing` become its last section. A section that cannot be drawn costs no other one: it is left
    out, and the list gets a line that says why.
    """
    if title is not None and not isinstance(title, str):
        raise RocInputError(f"must be a text, got {checks.show(title)}", argument="title")
    title, missing = TITLE if title is None else title, [] if missing is None else missing
    try:
        return page([*distinct(sections), *left_out(missing)], title=title, made=made)
    except RocscopeError:
        raise
    except Exception:
        drawn = [section for section in distinct(sections) if _can_be_drawn(section, missing)]
    return page([*drawn, *left_out(missing)], title=title, made=made)


def _can_be_drawn(section: Section, missing: list[str]) -> bool:
    try:
        render_section(section, "s", LIMIT)
    except Exception as error:
        missing.append(missing_line(section.title, error))
        return False
    return True


def write_page(text: str, target: Path) -> Path:
    """Write a page whole or not at all."""
    replace_text(target, text)
    return target


def check_page_path(path: str | os.PathLike[str], force: bool) -> Path:
    """Refuse a file that is no page, lies nowhere, or is there already."""
    target = checks.as_path(path)
    checks.check_flag(force, name="force")
    if target.suffix.lower() not in (".html", ".htm"):
        raise RocInputError(f"must end in .html or .htm, got {checks.show(os.fspath(path))}", argument="path")
    if not target.parent.is_dir():
        raise RocInputError(
            f"must lie in an existing folder, got {checks.show(os.fspath(path))}", argument="path"
        )
    if target.is_dir():
        raise RocInputError(f"must be a file, got the folder {checks.show(os.fspath(path))}", argument="path")
    if target.exists() and not force:
        raise RocInputError(f"{target} exists already; force=True replaces it")
    return target


# ---- The page: sections, styles, data and scripts in one file that needs no other -------------------------

LARGEST = 8_000_000  # bytes
# Points of each mark and of each explorer that are tried in turn, until the page is small enough.
LIMITS = (LIMIT, 1000, 500, 200, 100)
SCRIPTS = ("base.js", "theme.js", "figures.js", "links.js", "places.js")
STYLES = ("style.css",)
# Where plotly's button "Share chart" sends a chart; the toolbar of our figures has no such button either.
CLOUD = re.compile(r'(?<=plotlyServerURL:\{valType:"string",dflt:)"[^"]*"')


def page(sections: Sequence[Section], *, title: str, made: str = "") -> str:
    """Return the HTML of a page, below 8 MB.

    Parameters
    ----------
    sections
        What to show, in this order.
    title
        Title of the page.
    made
        What the page was made from, in a line below the title.

    Raises
    ------
    ResourceError
        If the page would be larger even with few points in each plot and explorer.

    Examples
    --------
    >>> text = page([Section(title="Areas", body=(element("p", "0.75"),))], title="A & B")
    >>> text[:15], "<h1>A &amp; B</h1>" in text
    ('<!DOCTYPE html>', True)
    """
    for limit in LIMITS:
        text = _page([_fewer(section, limit) for section in sections], title, made, limit)
        size = len(encoded(text))
        if size <= LARGEST:
            return text
    raise ResourceError(
        f"a report must be smaller than {LARGEST / 1e6:g} MB, got {size / 1e6:.1f} MB: give fewer results "
        "(in the command, fewer --score)"
    )


def _fewer(section: Section, limit: int) -> Section:
    """The section with at most so many points in its payload, under the title it has in this page."""
    found = section.fewer(limit) if section.fewer is not None and limit < LIMIT else None
    return section if found is None else replace(found, title=section.title)


def _page(sections: Sequence[Section], title: str, made: str, limit: int) -> str:
    rendered = [render_section(section, f"s{k}", limit) for k, section in enumerate(sections, start=1)]
    sources = _scripts(sections)
    return Template(_text("templates/page.html")).substitute(
        policy=join([policy(sources)]),
        title=join([title]),
        heading=join([brief(title)]),
        generator=f"rocscope {__version__}",
        made=join([made]),
        styles=Html("\n".join(_assets([*STYLES, *(name for s in sections for name in s.styles)]))),
        contents=_contents(sections),
        sections=join([html for html, _ in rendered], "\n"),
        data=join([data_script("page-data", {"dark": DARK}), *(data for _, data in rendered)], "\n"),
        scripts=join([code_script(source) for source in sources], "\n"),
    )


def _contents(sections: Sequence[Section]) -> Html:
    """Links to the sections, where there are several."""
    if len(sections) < 2:
        return Html()
    links = [element("a", brief(section.title), href=f"#s{k}") for k, section in enumerate(sections, start=1)]
    return element("nav", element("ol", [element("li", link) for link in links]), aria_label="Sections")


def _scripts(sections: Sequence[Section]) -> list[str]:
    """Plotly where there is a plot, our own scripts, and those of the sections, each once."""
    own = _assets([*SCRIPTS, *(name for section in sections for name in section.scripts)])
    return [_plotly_source(), *own] if any(map(_has_plots, sections)) else own


def _has_plots(section: Section) -> bool:
    return any(isinstance(part, Plot) for part in section.body)


def _assets(names: Iterable[str]) -> list[str]:
    return [_text(f"assets/{name}") for name in dict.fromkeys(names)]


def _text(path: str) -> str:
    return files("rocscope.reporting").joinpath(path).read_text(encoding="utf-8")


@cache
def _plotly_source() -> str:
    """The plotly.js of the installed package, without the address of the service that takes charts."""
    source: str = require("plotly.offline", "a report").get_plotlyjs()
    return CLOUD.sub('""', source)


# ---- Parts of sections as HTML: plots as places that our scripts fill, tables whole -----------------------


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
    return [element("p", formatting.sentence(plainly(note)), class_="note") for note in notes]


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
