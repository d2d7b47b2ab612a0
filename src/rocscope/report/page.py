"""The page: sections, styles, data and scripts in one file that needs no other."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import cache
from importlib.resources import files
from string import Template

from rocscope import __version__
from rocscope.draw.files import encoded
from rocscope.draw.plotly_style import DARK
from rocscope.errors import ResourceError
from rocscope.report.render import render_section
from rocscope.report.safety import Html, brief, code_script, data_script, element, join, policy
from rocscope.report.sections import Plot, Section
from rocscope.report.thinning import LIMIT

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
    return files("rocscope.report").joinpath(path).read_text(encoding="utf-8")


@cache
def _plotly_source() -> str:
    """The plotly.js of the installed package, without the address of the service that takes charts."""
    from plotly.offline import get_plotlyjs

    source: str = get_plotlyjs()
    return CLOUD.sub('""', source)
