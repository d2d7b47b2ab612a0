"""The report: results in, one HTML file out that needs no other and no network.

Names of classes, columns and classifiers are untrusted text: they come from files that anyone may have
written. They reach the page in two ways only: through templates, which escape them and spell control
characters out, and as JSON without any character that HTML reads as its own. Scripts are those of this
package; the content-security policy of the page names their hashes, and no browser runs any other.
"""

import base64
import hashlib
import json
import os
import re
import warnings
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import fields, replace
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocscope import __version__
from rocscope.core import checks, formatting
from rocscope.core.curve import RocCurve
from rocscope.core.files import encoded, replace_text
from rocscope.core.result import plain
from rocscope.errors import ResourceError, RocInputError, RocscopeError, RocWarning, require
from rocscope.plotting import figure_json, layout, marks, page_figures
from rocscope.reporting import analysis
from rocscope.reporting.sections import (
    Plot,
    Section,
    left_out,
    plainly,
    read_items,
    sections_of,
    warnings_of,
)

TITLE = "ROC analysis"
LIMIT = layout.SHOWN_VERTICES  # points of a mark


@checks.known_arguments
def report(
    *results: Any, path: str | os.PathLike[str], title: str | None = None, overwrite: bool = False
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
    overwrite
        Whether a file of this name is replaced; without it an existing file is refused.

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
    target = check_page_path(path, overwrite)
    replace_text(target, report_html(*results, title=title))
    return target


def report_html(*results: Any, title: str | None = None) -> str:
    """Return the page of `report` as text.

    Examples
    --------
    >>> import rocscope as rs
    >>> report_html(rs.roc_curve([0, 1], [0, 1]), title="One curve").count("<h1>One curve</h1>")
    1
    """
    text, failures = build_page(results, title=title)
    for line in failures:
        warnings.warn(line, RocWarning, stacklevel=2)
    return text


def build_page(
    results: Sequence[Any], *, more: Sequence[Section] = (), title: str | None = None, made: str | None = None
) -> tuple[str, list[str]]:
    """Return a page, and a line for each result that cannot be shown.

    Parameters
    ----------
    results
        As for `report`.
    more
        Sections that follow those of the results.
    title, made
        Title of the page, and the line below it that says what the page was made from.
    """
    items = read_items(results)
    missing = [line for result in results if isinstance(result, analysis.Analysis) for line in result.missing]
    known = len(missing)
    sections = [*sections_of(items, missing), *more]
    text = page_of(
        sections,
        title=title,
        made=made or f"From {formatting.counted(len(items), 'result')}.",
        missing=missing,
    )
    return text, missing[known:]


def file_page(
    results: analysis.Analysis,
    *,
    sources: Sequence[str],
    seed: int | None,
    remedies: Mapping[str, str],
    dropped: Sequence[str] = (),
    more: Sequence[Section] = (),
    title: str | None = None,
) -> tuple[str, list[str]]:
    """Return the page of an analysis of a file, and the notes that its user should read.

    Parameters
    ----------
    results
        The analysis.
    sources
        The table, and further files of which the page shows something; it names them without their folders.
    seed
        Seed of the random numbers.
    remedies
        For each need of an omission what its user can do about it.
    dropped
        Notes on rows that were left out.
    more, title
        As for `build_page`.
    """
    names = [Path(file).name for file in sources]
    shown = replace(
        results,
        notes=(*dropped, *results.notes),
        omissions=tuple(replace(one, remedy=remedies[one.needs]) for one in results.omissions),
        source=names[0],
        seed=seed,
    )
    made = f"From {', '.join(names)}, random numbers from seed {seed}."
    text, failures = build_page([shown], more=more, title=title, made=made)
    warned = warnings_of(read_items([shown]), but=shown.notes)
    return text, [*shown.notes, *failures, *map(plainly, warned)]


def check_page_path(path: str | os.PathLike[str], overwrite: bool) -> Path:
    """Refuse a file that is no page, lies nowhere, or is there already."""
    target = checks.as_path(path)
    checks.check_flag(overwrite, name="overwrite")
    got = checks.show(os.fspath(path))
    if target.suffix.lower() not in (".html", ".htm"):
        raise RocInputError(f"must end in .html or .htm, got {got}", argument="path")
    if not target.parent.is_dir():
        raise RocInputError(f"must lie in an existing folder, got {got}", argument="path")
    if target.is_dir():
        raise RocInputError(f"must be a file, got the folder {got}", argument="path")
    if target.exists() and not overwrite:
        raise RocInputError(f"{target} exists already; overwrite=True replaces it")
    return target


def page_of(
    sections: Sequence[Section],
    *,
    title: str | None,
    made: str,
    missing: list[str] | None = None,
) -> str:
    """Return the page of sections under the title of the user, or the default one.

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
    except Exception:  # draw one section after the other
        drawn = list[Section]()
    for section in distinct(sections):
        try:
            render_section(section, "s", LIMIT)
        except Exception as error:
            missing.append(analysis.missing_line(section.title, error))
        else:
            drawn.append(section)
    return page([*drawn, *left_out(missing)], title=title, made=made)


def distinct(sections: Sequence[Section]) -> list[Section]:
    """Number the sections of one title, so that the links to them differ.

    Examples
    --------
    >>> [section.title for section in distinct([Section(title="Areas", body=())] * 2)]
    ['Areas (1)', 'Areas (2)']
    """
    totals, seen, numbered = Counter(section.title for section in sections), Counter[str](), list[Section]()
    for section in sections:
        seen[section.title] += 1
        title = f"{section.title} ({seen[section.title]})" if totals[section.title] > 1 else section.title
        numbered.append(replace(section, title=title))
    return numbered


# ---- The page: sections, styles, data and scripts in one file ---------------------------------------------

LARGEST = 8_000_000  # bytes
# Points of each mark and of each explorer that are tried in turn, until the page is small enough.
LIMITS = (LIMIT, 1000, 500, 200, 100)
SCRIPTS = ("base.js", "theme.js", "places.js", "saving.js", "tables.js")
FIGURE_SCRIPTS = ("drawing.js", "solid.js", "figures.js", "links.js")  # of a page with a plot
STYLES = ("style.css",)
POLICY = (
    "default-src 'none'; script-src {scripts}; style-src 'unsafe-inline'; img-src data: blob:; "
    "base-uri 'none'; form-action 'none'"
)


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
    >>> text = page([Section(title="Areas", body=())], title="A & B")
    >>> text[:15], "<h1>A &amp; B</h1>" in text
    ('<!DOCTYPE html>', True)
    """
    drawn = any(isinstance(part, Plot) for section in sections for part in section.body)
    names = [*SCRIPTS, *(FIGURE_SCRIPTS if drawn else ())]
    names += [name for section in sections for name in section.scripts]
    scripts = [asset(name) for name in dict.fromkeys(names)]
    if any(re.search(r"</script|<!--", source, flags=re.IGNORECASE) for source in scripts):
        raise RocInputError("a script must hold neither the end of its element nor a comment of HTML")
    names = [*STYLES, *(name for section in sections for name in section.styles)]
    fixed = {
        "policy": policy(scripts),
        "title": title,
        "made": made,
        "generator": f"rocscope {__version__}",
        "styles": "\n".join(asset(name) for name in dict.fromkeys(names)),
        "contents": [(section.title, section.folded) for section in sections],
        "scripts": scripts,
    }
    for limit in LIMITS:
        rendered, data = list[str](), {"page-data": json_text({"colours": page_figures.theme_colours()})}
        for k, section in enumerate(sections, start=1):
            fewer = section.fewer(limit) if section.fewer is not None and limit < LIMIT else None
            smaller = section if fewer is None else replace(fewer, title=section.title)
            html, own = render_section(smaller, f"s{k}", limit)
            rendered.append(html)
            data |= own
        text = str(_templates().page(**fixed, sections=rendered, data=data))
        size = len(encoded(text))
        if size <= LARGEST:
            return text
    raise ResourceError(
        f"a report must be smaller than {LARGEST / 1e6:g} MB, got {size / 1e6:.1f} MB: give fewer results"
    )


def render_section(section: Section, identifier: str, limit: int) -> tuple[str, dict[str, str]]:
    """Return a section as HTML, and its data by identifier; no plot of it has more points than the limit."""
    figures = list[dict[str, Any]]()
    parts = [
        (type(part).__name__, _figure(part, identifier, limit, figures) if isinstance(part, Plot) else part)
        for part in section.body
    ]
    html = str(_templates().section(section, identifier, parts, bool(figures)))
    data = {f"{identifier}-figures-data": json_text(figures)} if figures else {}
    if section.payload:
        data[f"{identifier}-data"] = json_text(section.payload)
    return html, data


def _figure(plot: Plot, identifier: str, limit: int, figures: list[dict[str, Any]]) -> dict[str, Any]:
    """A plot as the template takes it; the figures of its panels are added to those of the section."""
    picture, thinned = thin(plot.picture, limit)
    caption = f"{identifier}-caption-{len(figures)}"
    name = plot.name or (f"panels-{len(figures)}" if plot.linked else None)
    panels = list[dict[str, Any]]()
    for k, (panel, figure) in enumerate(zip(picture.panels, figure_json(picture), strict=True)):
        # For those who do not see it: its title, its axes.
        axes = " over ".join(axis.label.splitlines()[0] for axis in (panel.y, panel.x) if axis.label)
        panels.append(
            {
                "title": panel.title,
                "shape": figure["shape"],
                "label": ". ".join(["Plot", *panel.title.splitlines(), axes]),
                "number": len(figures),
                "name": None if name is None else f"{name}-{k}" if k else name,
            }
        )
        labels = [mark.label for mark in panel.marks if mark.role in plot.off and mark.label is not None]
        figures.append(figure | ({"off": labels} if labels else {}))
    flat = sum(
        not isinstance(panel, marks.Panel3) for panel in picture.panels
    )  # one that turns has its own row
    most = 3 if flat < len(panels) else picture.columns
    return {
        "title": picture.title,
        "caption": caption,
        "panels": panels,
        "columns": max(1, min(4, flat, most)),
        "linked": plot.linked,
        "beside": len(panels) == 1 and picture.panels[0].equal_aspect,
        "reading": plot.reading,
        "notes": (*plot.notes, *thinned),
        "aside": plot.aside,
    }


@cache
def _templates() -> Any:
    """The macros of the template, which escape every text and spell its control characters out."""
    jinja2 = require("jinja2", "a report")
    environment = jinja2.Environment(
        loader=jinja2.PackageLoader("rocscope.reporting"),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        finalize=lambda value: value if hasattr(value, "__html__") else formatting.spelt(str(value)),
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters |= {
        "plainly": plainly,
        "sentence": formatting.sentence,
        "shortened": formatting.shortened,
    }
    return environment.get_template("page.html").module


def json_text(value: Any) -> str:
    r"""Return strict JSON that can stand inside a script element.

    Examples
    --------
    >>> print(json_text({"name": "</script>", "x": [1.0, float("nan")]}))
    {"name":"\u003c/script\u003e","x":[1.0,null]}
    """
    dumps = require("jinja2.utils", "a report").htmlsafe_json_dumps
    return str(dumps(plain(value), dumps=json.dumps, allow_nan=False, separators=(",", ":")))


def policy(sources: Iterable[str]) -> str:
    """Return the content-security policy of a page with these scripts and no others.

    Nothing may be fetched, from anywhere; styles are inline, pictures are made in the page.
    """
    return POLICY.format(scripts=" ".join(f"'{script_hash(source)}'" for source in sources))


def script_hash(source: str) -> str:
    """Hash by which a policy names an inline script.

    Examples
    --------
    >>> script_hash("")
    'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU='
    """
    digest = hashlib.sha256(source.encode()).digest()
    return f"sha256-{base64.b64encode(digest).decode()}"


def asset(name: str) -> str:
    """Return the text of a script or a style sheet of this package."""
    return files("rocscope.reporting").joinpath("assets", name).read_text(encoding="utf-8")


# ---- Fewer points than there are, with the error that this makes: a page has room for so many -------------

CELLS = 150  # along each side of a heat map


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
    panels, notes, lines = [], list[str](), list[tuple[int, int, float]]()
    for panel in picture.panels:
        with np.errstate(invalid="ignore"):  # steps to infinite points
            thinned = [_thinned(mark, limit, notes, lines) for mark in panel.marks]
        panels.append(replace(panel, marks=tuple(thinned)))
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


def _thinned(
    mark: marks.Mark, limit: int, notes: list[str], lines: list[tuple[int, int, float]]
) -> marks.Mark:
    """A mark with at most so many points; what was left out goes to the notes, or to the list of lines."""
    most = min(CELLS, limit)
    if isinstance(mark, marks.HeatMap) and max(mark.values.shape) > most:  # a cell stands for its neighbours
        n = mark.values.shape
        rows, columns = (layout.evenly(size, most) for size in n)
        x_edges = np.append(mark.x_edges[columns], mark.x_edges[-1])
        y_edges = np.append(mark.y_edges[rows], mark.y_edges[-1])
        notes.append(f"{len(rows)} by {len(columns)} of {n[0]} by {n[1]} cells are shown.")
        return replace(mark, x_edges=x_edges, y_edges=y_edges, values=mark.values[np.ix_(rows, columns)])
    if not isinstance(mark, (marks.Line, marks.Band, marks.Points, marks.ErrorBars)) or len(mark.x) <= limit:
        return mark
    total = len(mark.x)
    if isinstance(mark, marks.Line):
        kept = layout.evenly_along(_along(mark.x, mark.y), limit)
        lines.append((len(kept), total, _distance(mark.x, mark.y, kept)))
    elif isinstance(mark, marks.Band):
        kept = layout.evenly_along(_along(mark.x, mark.low + mark.high), limit)
        ends = [np.interp(mark.x, mark.x[kept], end[kept]) - end for end in (mark.low, mark.high)]
        off = float(np.nanmax(np.abs(ends), initial=0.0))
        places = f"{len(kept)} of its {total} places"
        notes.append(f"A band is drawn at {places}; its ends lie off by at most {off:.2g}.")
    else:
        kept = layout.evenly(total, limit)
        notes.append(f"{len(kept)} of {total} points are shown.")
    values = {one.name: getattr(mark, one.name) for one in fields(mark)}
    fewer: Any = {name: value[kept] for name, value in values.items() if isinstance(value, np.ndarray)}
    if isinstance(mark, marks.Line) and mark.hover is not None:
        fewer["hover"] = tuple(mark.hover[k] for k in kept)
    return replace(mark, **fewer)


def curve_note(curve: RocCurve, name: str | None = None) -> tuple[str, ...]:
    """Say how far the picture of a long curve is from the curve; nothing for a short one."""
    if len(curve) <= LIMIT:
        return ()
    kept = layout.evenly_along(curve.fpr + curve.tpr, LIMIT)  # as the view of the curve does
    off = _distance(curve.fpr, curve.tpr, kept)
    what = "The curve" if name is None else f"The curve of {name}"
    return (
        f"{what} is shown by {len(kept)} of its {len(curve)} vertices; no vertex of it lies off the line "
        f"through them by more than {off:.2g} in either rate. All numbers are those of the whole curve.",
    )


def _along(x: NDArray[np.float64], y: NDArray[np.float64]) -> NDArray[np.float64]:
    """How far along its line each point is, both axes in shares of their range."""
    steps: Any = 0.0
    for values in (x, y):
        known = values[np.isfinite(values)]
        spread = float(np.ptp(known)) if known.size else 0.0
        steps = steps + np.abs(np.diff(values, prepend=values[0])) / (spread or 1.0)
    return np.cumsum(np.nan_to_num(np.asarray(steps)))


def _distance(x: NDArray[np.float64], y: NDArray[np.float64], kept: NDArray[np.int64]) -> float:
    """The largest distance on either axis between a line and the one through the kept points.

    Points of both that are equally far along the whole line are compared, so no distance is larger.
    """
    along = _along(x, y)
    off = [np.interp(along, along[kept], values[kept]) - values for values in (x, y)]
    return float(np.nanmax(np.abs(off), initial=0.0))
