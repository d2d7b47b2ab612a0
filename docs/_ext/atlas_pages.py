"""The pages of the atlas, made from the table of the package: one for each family, one for each question.

They are written into docs/atlas before Sphinx looks for its sources, so there is no list of them to keep; the
explorer is a report, written beside the pages when these are there. Maps are tables: they are read aloud, and
a field names its worst kind of scores when it is pointed at.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from html import escape
from pathlib import Path
from typing import Any

from sphinx.application import Sphinx

from rocscope.atlas.cells import Family, families
from rocscope.atlas.laws import ABOUT
from rocscope.atlas.results import GOOD, Atlas, AtlasCell, load, side_of, summary_rows
from rocscope.reporting.page import report_html

EXPLORER = "atlas/explorer.html"
# A rate below the first of these has the first class of colour, and so on.
COLOURS = {
    "interval": ((0.85, "low3"), (0.90, "low2"), (0.93, "low1"), (0.98, "ok"), (1.01, "high")),
    "test": ((0.065, "ok"), (0.08, "low1"), (0.12, "low2"), (1.01, "low3")),
}
LONG = 25  # rows of a table that is folded
ALL = "of all kinds of scores"


def percent(rate: float | None) -> str:
    """A rate as text."""
    return "–" if rate is None or rate != rate else f"{100 * rate:.1f}"


def with_error(cell: AtlasCell) -> str:
    """The rate of a cell in percent, with its Monte-Carlo standard error."""
    return f"{percent(cell.rate)} ± {percent(cell.error)}"


def scores(cell: AtlasCell) -> str:
    """The kind of scores of a cell."""
    return ", ".join([cell.law, *["categories"] * cell.categories, *filter(None, [cell.others])])


def nulls(family: Family, cells: Iterable[AtlasCell]) -> list[AtlasCell]:
    """Cells whose rate is a promise: of a test those where its null hypothesis is true."""
    return [cell for cell in cells if cell.defined and (family.kind == "interval" or cell.truth)]


def worst(cells: Sequence[AtlasCell], kind: str) -> AtlasCell:
    """The cell with the lowest coverage; of tests the one that rejects most."""
    return (max if kind == "test" else min)(cells, key=lambda cell: cell.rate)


def outside(family: Family, cells: Iterable[AtlasCell]) -> list[AtlasCell]:
    """Cells whose rate is surely outside its bounds, the worst first."""
    low, high = GOOD[family.kind]
    found = [cell for cell in nulls(family, cells) if side_of(cell, family.kind)]
    return sorted(found, key=lambda cell: min(cell.rate - low, high - cell.rate))


# ---- Parts of pages ---------------------------------------------------------------------------------------


def table(header: Sequence[str], rows: Iterable[Sequence[str]], caption: str = "") -> str:
    """A table as HTML; cells are HTML already."""
    head = "".join(f'<th scope="col">{name}</th>' for name in header)
    body = "".join(
        f'<tr><th scope="row">{first}</th>{"".join(f"<td>{cell}</td>" for cell in cells)}</tr>'
        for first, *cells in rows
    )
    caption = f"<caption>{caption}</caption>" if caption else ""
    text = f'<table class="table">{caption}<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>'
    return f'<div class="pst-scrollable-table-container atlas-table">{text}</div>'


def folded(header: Sequence[str], rows: Sequence[Sequence[str]], summary: str) -> str:
    """A table that is folded where it is long."""
    if len(rows) <= LONG:
        return table(header, rows, summary)
    return f"<details><summary>{summary} ({len(rows)} rows)</summary>{table(header, rows)}</details>"


def field_map(cells: Sequence[AtlasCell], field: Callable[[Sequence[AtlasCell]], str], caption: str) -> str:
    """A map: numbers of cases by true area; `field` makes the table cell of the cells that meet there."""
    sizes = sorted({(cell.n_pos, cell.n_neg) for cell in cells}, key=lambda m_n: (m_n[0] != m_n[1], sum(m_n)))
    areas = sorted({cell.area for cell in cells})
    here: dict[tuple[int, int, float], list[AtlasCell]] = {}
    for cell in cells:
        here.setdefault((cell.n_pos, cell.n_neg, cell.area), []).append(cell)
    head = "".join(f'<th scope="col">{area:g}</th>' for area in areas)
    body = "".join(
        f'<tr><th scope="row">{m} + {n}</th>'
        + "".join(field(here[m, n, area]) if (m, n, area) in here else "<td></td>" for area in areas)
        + "</tr>"
        for m, n in sizes
    )
    return (
        f'<table class="atlas-map"><caption>{caption}</caption><thead><tr><td></td>{head}</tr></thead>'
        f"<tbody>{body}</tbody></table>"
    )


def rate_field(kind: str) -> Callable[[Sequence[AtlasCell]], str]:
    """The worst rate, coloured by how it keeps its bounds."""

    def field(cells: Sequence[AtlasCell]) -> str:
        one = worst(cells, kind)
        colour = next(name for limit, name in COLOURS[kind] if one.rate <= limit)
        about = f"{with_error(one)} % ({scores(one)}; {one.simulations} data sets)"
        return f'<td class="{colour}" title="{escape(about)}">{percent(one.rate)}</td>'

    return field


def width_map(cells: Sequence[AtlasCell]) -> str:
    """A map of the mean widths, shaded by their size; nothing where no width is finite."""
    known = [cell for cell in cells if cell.width is not None]
    if not known:
        return ""
    largest = max(cell.width for cell in known) or 1.0

    def field(here: Sequence[AtlasCell]) -> str:
        mean = sum(cell.width for cell in here) / len(here)
        return f'<td class="width" style="--share: {mean / largest:.2f}">{mean:.3g}</td>'

    return field_map(known, field, "mean width")


def maps(family: Family, cells: Sequence[AtlasCell], method: str) -> str:
    """The maps of one method and quantity, side by side."""
    own = nulls(family, cells)
    parts = [f"<h4>{method}{' (default)' if method == family.default else ''}</h4>"]
    if family.kind == "interval":
        parts += [field_map(own, rate_field("interval"), "lowest coverage, %"), width_map(own)]
    else:
        power = [cell for cell in cells if cell.defined and not cell.truth]
        if own:
            parts.append(field_map(own, rate_field("test"), "highest rate of rejection, %"))
        if power:
            parts.append(
                field_map(
                    power,
                    lambda here: f"<td>{percent(sum(one.rate for one in here) / len(here))}</td>",
                    "mean power, %",
                )
            )
    return f'<div class="atlas-method">{"".join(parts)}</div>'


def exceptions(family: Family, cells: Sequence[AtlasCell], summary: str) -> str:
    """All cells outside the bounds as a table."""
    rows = [
        (
            f"{cell.n_pos} + {cell.n_neg}",
            f"{cell.area:g}",
            escape(scores(cell)),
            escape(cell.quantity),
            f"{with_error(cell)} %",
            str(cell.simulations),
        )
        for cell in cells
    ]
    return folded(("cases", "area", "scores", "quantity", "rate", "data sets"), rows, summary)


def method_rows(atlas: Atlas) -> list[tuple[str, ...]]:
    """Of every quantity and method: cells within bounds, rates with the error of the worst, width."""
    rows = []
    for row in summary_rows(atlas):
        family = families()[row["family"]]
        cells = atlas.select(**{name: row[name] for name in ("family", "quantity", "method")}).cells
        own = nulls(family, cells)
        if own:
            ends = sorted(own, key=lambda cell: cell.rate)
            name = f"<code>{row['method']}</code>" + (" (default)" if row["default"] else "")
            within = f"{row['within']} of {row['cells']}"
            width = "–" if row["mean_width"] is None else f"{row['mean_width']:.3g}"
            rates = (with_error(ends[0]), percent(row["median"]), with_error(ends[-1]), width)
            rows.append((escape(row["quantity"]), name, within, *rates))
    return rows


METHODS = ("quantity", "method", "cells within bounds", "lowest, %", "median, %", "highest, %", "mean width")


# ---- One page for each family -----------------------------------------------------------------------------


def slug(name: str) -> str:
    """The name of a page."""
    return name.replace(" ", "-").replace("_", "-")


def family_page(family: Family, atlas: Atlas) -> str:
    """Methods, maps and exceptions of a family."""
    simulations = sum(cell.simulations for cell in atlas.cells)
    what, bounds = ("true values held by 95 % intervals", "93 to 98 %")
    if family.kind == "test":
        what, bounds = ("rejections at 5 %", "at most 6.5 %")
    lines = [
        f"# {family.title}",
        "",
        f"Counted are {what}, in {len(atlas.cells):,} cells and {simulations:,} simulated answers. A rate is "
        f"within its bounds ({bounds}) unless its 95 % Wilson interval lies outside; ± is a Monte-Carlo "
        f"standard error. [All families](overview.md), [how it is measured](../atlas.md#how-it-is-measured).",
        "",
        "## Methods",
        "",
        table(METHODS, method_rows(atlas)),
        "",
    ]
    for quantity in atlas.values("quantity"):
        own = atlas.select(quantity=quantity)
        lines += [f"## {quantity[0].upper()}{quantity[1:]}", "", '<div class="atlas-maps">']
        lines += [maps(family, own.select(method=name).cells, name) for name in own.values("method")]
        lines += ["</div>", ""]
    failing = outside(family, atlas.select(method=family.default).cells)
    kinds = {cell.law for cell in atlas.cells}
    lines += [f"## Where `{family.default}` is outside its bounds", ""]
    known = nulls(family, atlas.select(method=family.default).cells)
    if not known:
        lines += ["The default is not measured yet.", ""]
    elif failing:
        summary = f"{len(failing)} of {len(known)} cells, the worst first"
        lines += [exceptions(family, failing, summary), ""]
    else:
        lines += [f"In none of {len(known)} cells.", ""]
    lines += ["## Scores", "", *(f"- {law}: {about}" for law, about in ABOUT.items() if law in kinds), ""]
    return "\n".join(lines)


# ---- One page for each question ---------------------------------------------------------------------------

CLOSE = (0.94, 0.96)


def holding(family: Family, atlas: Atlas) -> str:
    """A map of the methods whose coverage is 94 to 96 % for every kind of scores, for all that is known."""
    from rocscope.atlas.cells import wilson

    def field(cells: Sequence[AtlasCell]) -> str:
        names = list[str]()
        for method in dict.fromkeys(cell.method for cell in cells):
            spans = [wilson(cell.hits, cell.defined) for cell in cells if cell.method == method]
            if all(low <= CLOSE[1] and high >= CLOSE[0] for low, high in spans):
                names.append(method)
        return f'<td class="{"ok" if names else "low1"}">{"<br>".join(names) or "none"}</td>'

    return field_map(nulls(family, atlas.cells), field, "methods with 94 to 96 %")


def which_interval(measured: dict[str, Atlas]) -> str:
    """Which interval keeps 94 to 96 %, and where."""
    lines = [
        "# Which interval holds in 94 to 96 %, and where?",
        "",
        f"Fields name the methods whose coverage {ALL} may lie between 94 and 96 %: none of its 99.9 % "
        "Wilson intervals lies outside. Intervals that hold more often are not named; they are on the pages "
        "of the families.",
        "",
    ]
    for name, atlas in measured.items():
        family = families()[name]
        if family.kind == "interval":
            lines += [f"## [{family.title}](family-{slug(name)}.md)", "", '<div class="atlas-maps">']
            for quantity in atlas.values("quantity"):
                title = f"<h4>{escape(quantity)}</h4>" if len(atlas.values("quantity")) > 1 else ""
                own = holding(family, atlas.select(quantity=quantity))
                lines.append(f'<div class="atlas-method">{title}{own}</div>')
            lines += ["</div>", ""]
    return "\n".join(lines)


def which_test(measured: dict[str, Atlas]) -> str:
    """Which test keeps its size, and which finds a difference."""
    lines = [
        "# Which test keeps its size, and which finds a difference?",
        "",
        "The size is the rate of rejections at 5 % where nothing differs; the power that where something "
        "does, in the mean of the same cells for all tests of a table.",
        "",
    ]
    header = (
        "test",
        "cells with a size of at most 6.5 %",
        "median size, %",
        "highest size, %",
        "mean power, %",
    )
    for name, atlas in measured.items():
        family = families()[name]
        if family.kind != "test":
            continue
        lines += [f"## [{family.title}](family-{slug(name)}.md)", ""]
        for quantity in atlas.values("quantity"):
            rows = []
            for method in atlas.values("method"):
                cells = atlas.select(quantity=quantity, method=method).cells
                own = sorted(nulls(family, cells), key=lambda cell: cell.rate)
                power = [cell.rate for cell in cells if cell.defined and not cell.truth]
                if own:
                    kept = sum(side_of(cell, "test") == 0 for cell in own)
                    label = f"<code>{method}</code>" + (" (default)" if method == family.default else "")
                    mean = percent(sum(power) / len(power)) if power else "–"
                    middle = percent(own[len(own) // 2].rate)
                    rows.append((label, f"{kept} of {len(own)}", middle, with_error(own[-1]), mean))
            lines += [table(header, rows, quantity if len(atlas.values("quantity")) > 1 else ""), ""]
    return "\n".join(lines)


def which_default(measured: dict[str, Atlas]) -> str:
    """Where defaults are outside their bounds."""
    lines = [
        "# Where are defaults outside their bounds?",
        "",
        "All cells in which the coverage of a default interval is surely outside 93 to 98 %, or the size of "
        "a default test above 6.5 %, by a 95 % Wilson interval. At such numbers of cases the commands for "
        "areas, parts of them, folds, points, bands and comparisons print a note.",
        "",
    ]
    rows, parts = [], list[str]()
    for name, atlas in measured.items():
        family = families()[name]
        cells = atlas.select(method=family.default).cells
        known, failing = nulls(family, cells), outside(family, cells)
        if not known:
            continue
        sides = [side_of(cell, family.kind) for cell in failing]
        counts = (sides.count(-1), sides.count(1))
        link = f'<a href="family-{slug(name)}.html">{family.title}</a>'
        rows.append((link, f"<code>{family.default}</code>", str(len(known)), *map(str, counts)))
        if failing:
            summary = f"{len(failing)} of {len(known)} cells, the worst first"
            parts += [f"## {family.title}: `{family.default}`", "", exceptions(family, failing, summary), ""]
    header = ("family", "default", "cells", "too low", "too high")
    return "\n".join([*lines, table(header, rows), "", *parts])


def how_many_cases(measured: dict[str, Atlas]) -> str:
    """From how many cases on a method keeps its promise in all cells."""
    lines = [
        "# From how many cases on does a method hold?",
        "",
        f"The smaller class must have so many cases that the rates {ALL}, and for all areas, are within "
        "their bounds: in all cells with at least so many. A dash stands for methods that are outside in the "
        "largest samples, too.",
        "",
    ]
    rows = []
    for name, atlas in measured.items():
        family = families()[name]
        for quantity in atlas.values("quantity"):
            for method in atlas.values("method"):
                own = nulls(family, atlas.select(quantity=quantity, method=method).cells)
                if not own:
                    continue
                sizes = sorted({min(cell.n_pos, cell.n_neg) for cell in own})
                bad = [min(cell.n_pos, cell.n_neg) for cell in own if side_of(cell, family.kind)]
                first = next((size for size in sizes if size > max(bad, default=0)), None)
                title = f'<a href="family-{slug(name)}.html">{family.title}</a>'
                label = f"<code>{method}</code>" + (" (default)" if method == family.default else "")
                rows.append((title, escape(quantity), label, "–" if first is None else str(first)))
    header = ("family", "quantity", "method", "cases of the smaller class")
    return "\n".join([*lines, table(header, rows), ""])


def overview(measured: dict[str, Atlas]) -> str:
    """All families and methods."""
    cells = sum(len(atlas.cells) for atlas in measured.values())
    missing = [family.title for name, family in families().items() if name not in measured]
    lines = [
        "# Overview of the atlas",
        "",
        f"{cells:,} cells are measured. Rates in percent, with Monte-Carlo standard errors; bounds are 93 to "
        "98 % for intervals and 6.5 % for tests.",
        "",
    ]
    for name, atlas in measured.items():
        family = families()[name]
        planned = len(family.cells("full")) * len(family.quantities) * len(family.methods)
        lines += [f"## [{family.title}](family-{slug(name)}.md)", ""]
        lines += [f"{len(atlas.cells):,} of {planned:,} cells of the full grid.", ""]
        lines += [table(METHODS, method_rows(atlas)), ""]
    if missing:
        lines += ["## In the study, and not yet measured", "", *(f"- {title}" for title in missing), ""]
    return "\n".join(lines)


QUESTIONS = {
    "which-interval": which_interval,
    "which-test": which_test,
    "how-many-cases": how_many_cases,
    "which-default": which_default,
}


# ---- Writing ----------------------------------------------------------------------------------------------


def pages() -> dict[str, str]:
    """All pages by their names."""
    atlas = load()
    measured = {name: atlas.select(family=name) for name in families() if name in atlas.values("family")}
    texts = {"overview": overview(measured)}
    texts |= {f"question-{name}": make(measured) for name, make in QUESTIONS.items()}
    return texts | {
        f"family-{slug(name)}": family_page(families()[name], own) for name, own in measured.items()
    }


def write_pages(app: Sphinx, _: Any) -> None:
    """Write the pages that are new or changed, and remove those that are no more."""
    folder = Path(app.srcdir) / "atlas"
    folder.mkdir(exist_ok=True)
    texts = pages()
    for path in folder.glob("*.md"):
        if path.stem not in texts:
            path.unlink()
    for name, text in texts.items():
        path = folder / f"{name}.md"
        if not path.exists() or path.read_text(encoding="utf-8") != text:
            path.write_text(text, encoding="utf-8")


def write_explorer(app: Sphinx, error: Exception | None) -> None:
    """Write the explorer beside the pages."""
    if error is None and app.builder.format == "html":
        path = Path(app.outdir) / EXPLORER
        path.parent.mkdir(exist_ok=True)
        path.write_text(report_html(load(), title="Atlas explorer"), encoding="utf-8")


def setup(app: Sphinx) -> dict[str, Any]:
    """Write the pages before Sphinx looks for them, and the explorer after."""
    app.connect("config-inited", write_pages, priority=100)
    app.connect("build-finished", write_explorer)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
