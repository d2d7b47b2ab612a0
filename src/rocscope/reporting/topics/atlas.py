"""The atlas: a map of any family, method and kind of scores, and its methods side by side."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from rocscope import plotting
from rocscope.atlas.cells import find_family
from rocscope.atlas.results import Atlas, AtlasCell, side_of, summary_rows
from rocscope.reporting import sections

READING = (
    "Each field has the lowest coverage (of tests the highest rate of rejection) of the cells that the "
    "choices above leave, in percent; a width is their mean."
)


@sections.section_of.register
def atlas_section(result: Atlas, item: sections.Item) -> sections.Section:
    """A map that the reader chooses, the methods of its quantity, and its cells."""
    first = result.cells[0]
    own = result.select(family=first.family, method=first.method)
    picture = replace(plotting.picture(own), title="")  # the script names what it draws
    rows = [
        (
            find_family(row["family"]).title,
            row["quantity"],
            row["method"] + (" (default)" if row["default"] else ""),
            f"{row['within']} of {row['cells']}",
            *(_percent(row[name]) for name in ("lowest", "median", "highest")),
        )
        for row in summary_rows(result)
    ]
    table = sections.Table(
        caption="All methods: cells within bounds, and rates in percent",
        header=("family", "quantity", "method", "within", "lowest", "median", "highest"),
        rows=rows,
        folded=len(rows) > 12,
    )
    return sections.Section(
        title=item.titled("Atlas of intervals and tests"),
        body=(sections.Plot(picture=picture, reading=READING, name="atlas-map"), table),
        kind="atlas",
        payload=explorer_payload(result),
        scripts=("atlas.js",),
        styles=("atlas.css",),
    )


def _percent(rate: float | None) -> str:
    return "" if rate is None else f"{100 * rate:.1f}"


def explorer_payload(atlas: Atlas) -> dict[str, Any]:
    """Families with their quantities and methods, and every cell as a row of numbers and places in lists."""
    families = list[dict[str, Any]]()
    for name in atlas.values("family"):
        own, family = atlas.select(family=name), find_family(name)
        lists = {field: own.values(field) for field in ("quantity", "method", "law", "others")}
        places = {field: {value: k for k, value in enumerate(values)} for field, values in lists.items()}
        families.append(
            {"name": name, "title": family.title, "kind": family.kind, "default": family.default}
            | {"lists": lists, "rows": [_row(cell, places, family.kind) for cell in own.cells]}
        )
    return {"families": families}


def _row(cell: AtlasCell, places: dict[str, dict[Any, int]], kind: Any) -> list[Any]:
    """Places of quantity, method, law and others; then the numbers, in the order that the script knows."""
    known = cell.defined > 0
    return [
        *(places[field][getattr(cell, field)] for field in ("quantity", "method", "law", "others")),
        int(cell.categories),
        cell.area,
        cell.n_pos,
        cell.n_neg,
        float(f"{cell.truth:.4g}"),
        round(cell.rate, 4) if known else None,
        round(cell.error, 4) if known else None,
        None if cell.width is None else float(f"{cell.width:.3g}"),
        cell.simulations,
        side_of(cell, kind) if known else None,
    ]
