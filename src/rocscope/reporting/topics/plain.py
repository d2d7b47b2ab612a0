"""Any other result: its picture where it has one, its text, its numbers."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from rocscope import plotting
from rocscope.bootstrap.monte_carlo import TITLES
from rocscope.core.result import Result
from rocscope.errors import RocInputError
from rocscope.reporting import tables
from rocscope.reporting.html import element
from rocscope.reporting.sections import Item, Part, Plot, Section, Table
from rocscope.reporting.tables import columns_table, remarks, type_words


def plain_sections(items: Sequence[Item]) -> list[Section]:
    """One section for each result."""
    return [_section(item) for item in items]


def _section(item: Item) -> Section:
    text = told(item.result)
    picture = None if plotting.is_table(item.result) else picture_of(item.result)
    notes = remarks([("", item.result)])
    body: list[Part] = [
        element("p", text, class_="reading"),
        *(element("p", note, class_="note") for note in notes),
    ]
    if picture is not None:
        body = [Plot(picture=picture, reading=text, notes=notes)]
    table = columns_table(item.result)
    title = type_words(type(item.result).__name__)
    return Section(title=item.titled(title), body=(*body, *([] if table is None else [_upright(table)])))


def _upright(table: Table) -> Table:
    """A table of one row with its columns below each other."""
    if len(table.rows) != 1:
        return table
    rows = tuple(zip(table.header, table.rows[0], strict=True))
    return replace(table, header=("", "value"), rows=rows)


def picture_of(result: Any) -> plotting.Picture | None:
    """The picture of a result, or None for a type without one."""
    try:
        return plotting.picture(result)
    except RocInputError:
        return None


# ---- Readings of results that have no topic of their own: what their text does not say in a sentence ------

TABULAR = re.compile(r"\S {2,}\S|^ {2,}\S+$")


def told(result: Result) -> str:
    """Return a result in words: its own text without what is set like a table, which the page has beside it.

    Examples
    --------
    >>> import rocscope as rs
    >>> told(rs.net_benefit([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8]))[:60]
    'net benefit at 99 places of threshold probability, 95% point'
    """
    lines = [line.strip() for line in result.summary().splitlines() if not TABULAR.search(line)]
    more = MORE.get(type(result).__name__)
    return "\n".join([*lines, *([] if more is None else more(result))])


def _pair(result: Any) -> list[str]:
    """How far the two scores say the same within each class."""
    if result.rho_neg is None or result.rho_pos is None:
        return []
    return [
        f"Once the class is known, the two scores correlate by {result.rho_neg:.3f} among the negatives "
        f"and by {result.rho_pos:.3f} among the positives."
    ]


def _benefit(result: Any) -> list[str]:
    """Where acting on the score is worth more than treating all and treating none."""
    columns = {name: np.asarray(values, dtype=np.float64) for name, values in result.columns().items()}
    others = np.maximum(columns["treat_all"], columns["treat_none"])
    better = columns["probability"][columns["net_benefit"] > others]
    if not len(better):
        return ["Nowhere is the score worth more than treating all or none."]
    ends = f"{better.min():.2f} and {better.max():.2f}"
    share = f"{len(better)} of {len(others)} threshold probabilities"
    return [f"The score is worth more than treating all or none at {share}, between {ends}."]


def _learning(result: Any) -> list[str]:
    """What more training cases are worth."""
    columns = result.columns()
    sizes, areas = list(columns["size"]), list(columns["auc"])
    known = [f"{area:.3f} with {size}" for size, area in zip(sizes, areas, strict=True) if area is not None]
    return [f"Mean AUC by the number of training cases: {tables.listed(known)}."] if known else []


def _monte_carlo(result: Any) -> list[str]:
    """Which estimator comes nearest to the truth, by its root mean square error."""
    said = []
    for n in result.n:
        rows = [row for row in result.rows if row.n == n and row.estimator != "true" and row.rms is not None]
        if rows:
            best = min(rows, key=lambda row: row.rms)
            name = TITLES.get(best.estimator, best.estimator)
            said.append(f"{name} with {n} training cases of each class (RMS {best.rms:.4f})")
    return [f"Nearest to the truth: {tables.listed(said)}."] if said else []


MORE: dict[str, Callable[[Any], list[str]]] = {
    "BinormalPair": _pair,
    "DecisionCurve": _benefit,
    "LearningCurve": _learning,
    "MonteCarlo": _monte_carlo,
}
