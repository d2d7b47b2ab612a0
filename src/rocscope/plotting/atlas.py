"""Maps of the atlas: numbers of cases by true area."""

from __future__ import annotations

from typing import Literal

import numpy as np

from rocscope.atlas.cells import find_family
from rocscope.atlas.results import Atlas, AtlasCell
from rocscope.core import checks
from rocscope.errors import RocInputError
from rocscope.plotting import layout, marks

# Ends of the colours, in percent.
COVERAGE = (80.0, 100.0)
SIZE = (0.0, 20.0)
TITLES = {"interval": "lowest coverage, %", "test": "highest rate of rejection, %"}


def atlas_picture(
    atlas: Atlas, *, quantity: str | None = None, show: Literal["rate", "width"] = "rate"
) -> marks.Picture:
    """A map for each method: rows are numbers of cases, columns true areas, over all laws of scores."""
    checks.check_choice(show, ("rate", "width"), name="show")
    if not atlas.cells:
        raise RocInputError("must have cells, got none", argument="atlas")
    family = find_family(atlas.cells[0].family)
    quantities = Atlas.values(atlas.select(family=family.name), "quantity")
    quantity = quantities[0] if quantity is None else quantity
    checks.check_choice(quantity, quantities, name="quantity")
    cells = [one for one in atlas.cells if (one.family, one.quantity) == (family.name, quantity)]
    if family.kind == "test" and any(cell.truth for cell in cells):
        cells = [cell for cell in cells if cell.truth]
    sizes = sorted({(cell.n_pos, cell.n_neg) for cell in cells}, key=lambda m_n: (m_n[0] != m_n[1], sum(m_n)))
    areas = sorted({cell.area for cell in cells})
    methods = list(dict.fromkeys(cell.method for cell in cells))
    panels = []
    for method in methods:
        values = np.full((len(sizes), len(areas)), np.nan)
        for i, size in enumerate(sizes):
            for j, area in enumerate(areas):
                here = [
                    cell
                    for cell in cells
                    if (cell.method, cell.n_pos, cell.n_neg, cell.area) == (method, *size, area)
                ]
                values[i, j] = _value(here, show, family.kind)
        panels.append(_panel(values, sizes, areas, method, show, family.kind))
    title = f"{family.title}: {quantity}" if len(quantities) > 1 else family.title
    return marks.Picture(panels=tuple(panels), columns=min(2, len(panels)), title=title)


def _value(cells: list[AtlasCell], show: str, kind: str) -> float:
    """What stands in one field of the map."""
    if show == "width":
        widths = [cell.width for cell in cells if cell.width is not None]
        return float(np.mean(widths)) if widths else np.nan
    rates = [100 * cell.rate for cell in cells if cell.defined]
    if not rates:
        return np.nan
    return max(rates) if kind == "test" else min(rates)


def _panel(
    values: marks.Values, sizes: list[tuple[int, int]], areas: list[float], method: str, show: str, kind: str
) -> marks.Panel:
    low, high = COVERAGE if kind == "interval" else SIZE
    if show == "width":
        low, high = 0.0, float(np.nanmax(values, initial=0.0)) or 1.0
    x, y = (np.arange(n, dtype=np.float64) for n in (len(areas), len(sizes)))
    label = "mean width" if show == "width" else TITLES[kind]
    cells = layout.heat_map(x, y, values, label, low=low, high=high)
    digits = 3 if show == "width" else 1
    texts = [["" if np.isnan(value) else f"{value:.{digits}f}" for value in row] for row in values]
    return marks.Panel(
        marks=(cells, *layout.cell_texts(cells, texts)),
        x=layout.category_axis(
            [f"{area:g}" for area in areas], label="True area", low=-0.5, high=len(areas) - 0.5
        ),
        y=layout.category_axis(
            [f"{n_pos} + {n_neg}" for n_pos, n_neg in sizes],
            label="Positives + negatives",
            low=len(sizes) - 0.5,
            high=-0.5,
        ),
        title=method,
    )
