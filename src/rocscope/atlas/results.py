"""What was measured: the table that comes with the package, and how it is looked up."""

from __future__ import annotations

import csv
import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields
from functools import lru_cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any, ClassVar, Literal

from rocscope.atlas.cells import Cell, find_family, wilson
from rocscope.core import checks
from rocscope.core.result import Result, Row, Status

if TYPE_CHECKING:
    from rocscope.inference.auc import AreaEstimate

FILE = "atlas.csv"
# A default or other interval within these keeps its word; a test's size stays below the last one.
GOOD = {"interval": (0.93, 0.98), "test": (0.0, 0.065)}


@dataclass(frozen=True, slots=True, kw_only=True)
class AtlasCell(Row):
    """What happened to one quantity in one cell, by one method.

    Attributes
    ----------
    family, quantity, method
        What was measured, such as "auc", "AUC" and "logit".
    law, area, categories, n_pos, n_neg, others
        The cell: see `rocscope.atlas.cells.Cell`; further factors as text.
    fingerprint
        Digits that change when the method answers otherwise.
    truth
        The true value; of a test 1 where its null hypothesis is true, and 0 elsewhere.
    simulations, hits, below, above, undefined
        Data sets; intervals that held the true value, or tests that rejected at 5 %; true values below and
        above their intervals; data sets without an answer.
    width
        Mean width of the intervals.
    """

    family: str
    quantity: str
    method: str
    law: str
    area: float
    categories: bool
    n_pos: int
    n_neg: int
    others: str
    fingerprint: str
    truth: float
    simulations: int
    hits: int
    below: int
    above: int
    undefined: int
    width: float | None

    @property
    def defined(self) -> int:
        """Data sets with an answer."""
        return self.simulations - self.undefined

    @property
    def rate(self) -> float:
        """How often the interval held the true value, or the test rejected; NaN where it never answered."""
        return self.hits / self.defined if self.defined else math.nan

    @property
    def error(self) -> float:
        """Monte-Carlo standard error of the rate."""
        return math.sqrt(self.rate * (1 - self.rate) / self.defined) if self.defined else math.nan


FIELDS = tuple(field.name for field in fields(AtlasCell))


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Atlas(Result):
    """How often intervals held the true value, and tests rejected, in simulated studies.

    Attributes
    ----------
    cells
        What was measured.

    Examples
    --------
    >>> atlas = load().select(family="auc", method="delong", law="normal", n_pos=20, n_neg=20)
    >>> print(atlas)
    atlas: 12 cells of 1 method in 1 family
    """

    view: ClassVar[str] = "atlas.atlas_picture"

    cells: tuple[AtlasCell, ...]

    @classmethod
    def of(cls, results: Mapping[str, Any], keys: Mapping[str, tuple[str, str, Cell]]) -> Atlas:
        """The results of a study by their keys."""
        cells = list[AtlasCell]()
        for key, (name, method, cell) in keys.items():
            family = find_family(name)
            others = " ".join(f"{one}={value}" for one, value in cell.others)
            factors = (cell.law, cell.area, cell.categories, cell.n_pos, cell.n_neg, others, key[-8:])
            for quantity, truth, counts in zip(
                family.quantities, family.truth(cell), results[key], strict=True
            ):
                values = (name, quantity, method, *factors, float(truth), *counts)
                cells.append(AtlasCell(**dict(zip(FIELDS, values, strict=True))))
        return cls(cells=tuple(cells))

    @classmethod
    def read(cls, lines: Iterable[str]) -> Atlas:
        """Read what `to_rows` wrote as CSV."""
        return cls(cells=tuple(_cell(one) for one in csv.DictReader(lines)))

    def to_rows(self) -> list[dict[str, Any]]:
        """A mapping a cell, for CSV; numbers that are no whole ones have six digits."""
        return [
            dict(cell)
            | {"categories": int(cell.categories), "truth": float(f"{cell.truth:.6g}")}
            | {"width": None if cell.width is None else float(f"{cell.width:.6g}")}
            for cell in self.cells
        ]

    def columns(self) -> dict[str, Any]:
        """Return one row per cell, with its rate and the Monte-Carlo error of that."""
        columns = {name: [getattr(cell, name) for cell in self.cells] for name in FIELDS}
        return columns | {name: [getattr(cell, name) for cell in self.cells] for name in ("rate", "error")}

    def select(self, **factors: Any) -> Atlas:
        """The cells with these values; a tuple or list stands for any of several.

        Examples
        --------
        >>> some = load().select(family="auc", method=("delong", "score"), n_pos=20)
        >>> some.values("method")
        ('delong', 'score')
        """
        choices = dict[str, Any]()
        for name, value in factors.items():
            checks.check_choice(name, FIELDS, name="factor")
            choices[name] = value if isinstance(value, (list, tuple)) else (value,)
        chosen = (cell for cell in self.cells if all(getattr(cell, n) in v for n, v in choices.items()))
        return Atlas(cells=tuple(chosen))

    def values(self, name: str) -> tuple[Any, ...]:
        """The distinct values of a factor, in the order of the table."""
        return tuple(dict.fromkeys(getattr(cell, name) for cell in self.cells))

    def plot(
        self, ax: Any = None, *, quantity: str | None = None, show: Literal["rate", "width"] = "rate"
    ) -> Any:
        """Draw a map for each method and return the axes: numbers of cases by true area.

        Parameters
        ----------
        ax
            Axes to draw on, where there is one method.
        quantity
            Which one; by default the first.
        show
            "rate": the lowest coverage (of tests: the highest rate of rejection) of all laws of scores.
            "width": the mean width of the intervals.
        """
        from rocscope import plotting

        options: dict[str, Any] = {"show": show} | ({} if quantity is None else {"quantity": quantity})
        return plotting.matplotlib(plotting.picture(self, **options), ax=ax)

    def _summary(self) -> str:
        methods, families = len(self.values("method")), len(self.values("family"))
        return (
            f"atlas: {len(self.cells)} cells of {methods} method{'s' * (methods != 1)} "
            f"in {families} famil{'ies' if families != 1 else 'y'}"
        )


def _cell(texts: Mapping[str, str]) -> AtlasCell:
    kinds: dict[str, Any] = dict.fromkeys(
        ("n_pos", "n_neg", "simulations", "hits", "below", "above", "undefined"), int
    )
    kinds |= {"area": float, "truth": float, "categories": lambda text: text == "1"}
    kinds |= {"width": lambda text: float(text) if text else None}
    return AtlasCell(**{name: kinds.get(name, str)(texts[name]) for name in FIELDS})


@lru_cache(maxsize=1)
def load() -> Atlas:
    """The measurements that come with the package.

    Examples
    --------
    >>> load().values("family")[0]
    'auc'
    """
    with (files("rocscope.atlas") / FILE).open(encoding="utf-8") as lines:
        return Atlas.read(lines)


def summary_rows(atlas: Atlas) -> list[dict[str, Any]]:
    """For every quantity and method: cells, how many are within bounds, lowest and highest rate.

    A cell is within its bounds unless its 99.9 % Wilson interval is outside.
    """
    groups = dict[tuple[str, str, str], list[AtlasCell]]()
    for row in atlas.cells:
        groups.setdefault((row.family, row.quantity, row.method), []).append(row)
    rows = list[dict[str, Any]]()
    for (name, quantity, method), members in groups.items():
        family = find_family(name)
        if family.kind == "test":  # power is no promise
            members = [row for row in members if row.truth]
        answered = [row for row in members if row.defined]
        simulations = sum(row.simulations for row in members)
        rates = [row.rate for row in answered]
        widths = [row.width for row in answered if row.width is not None]
        rows.append(
            {
                "family": name,
                "quantity": quantity,
                "method": method,
                "default": method == family.default,
                "cells": len(members),
                "within": sum(is_within(row, family.kind) for row in answered),
                "lowest": min(rates, default=None),
                "median": sorted(rates)[len(rates) // 2] if rates else None,
                "highest": max(rates, default=None),
                "mean_width": sum(widths) / len(widths) if widths else None,
                "undefined": 1 - sum(row.defined for row in members) / max(simulations, 1),
            }
        )
    return rows


def is_within(row: AtlasCell, kind: Any) -> bool:
    """Whether the rate may lie within its bounds, for all that is known."""
    low, high = wilson(row.hits, row.defined)
    return low <= GOOD[kind][1] and high >= GOOD[kind][0]


# ---- What the table says of one estimate ------------------------------------------------------------------

# A cell is near when no number of cases differs by more than this factor.
NEAR = 2.5
# Estimates say "bootstrap" for both kinds of interval.
MEASURED = {"bootstrap": ("bootstrap", "bootstrap bca")}
LEVEL = 0.95
LOW = 0.92


@dataclass(frozen=True, slots=True, kw_only=True)
class Validity(Row):
    """How often the intervals of a method held the true value in simulated studies.

    Attributes
    ----------
    method, level
        The method, and the confidence level that was measured.
    n_pos, n_neg, area
        Of the simulated studies, the nearest to the estimate's. None where none is near.
    lowest, median, highest
        Share of intervals that held the true area: lowest, median and highest of the cells.
    cells
        How many there were: kinds of scores, each without ties and in categories.
    status, reason
        "ok", or "undefined" with the reason.
    """

    method: str
    level: float = LEVEL
    n_pos: int | None = None
    n_neg: int | None = None
    area: float | None = None
    lowest: float | None = None
    median: float | None = None
    highest: float | None = None
    cells: int = 0
    status: Status = "ok"
    reason: str | None = None

    @property
    def is_low(self) -> bool:
        """Whether the intervals are known to hold the true value in less than 92 %, in half of the cells."""
        return self.median is not None and self.median < LOW

    def _summary(self) -> str:
        if self.lowest is None or self.highest is None:
            return f"validity of {self.method} undefined: {self.reason}"
        span = f"{100 * self.lowest:.1f} to {100 * self.highest:.1f} %"
        return (
            f"at {self.n_pos} + {self.n_neg} cases and an area of {self.area:g} the {self.level:.0%} "
            f"interval ({self.method}) held the true area in {span} of simulated studies, by kind of scores"
        )


def area_validity(estimate: AreaEstimate) -> Validity:
    """How often intervals of this method held the true area in the cells nearest to this estimate."""
    n_pos, n_neg, value, method = estimate.n_pos, estimate.n_neg, estimate.value, estimate.method
    if n_pos is None or n_neg is None:
        return _unknown(method, "weighted or clustered cases were not simulated")
    if estimate.level != LEVEL or estimate.alternative != "two-sided":
        return _unknown(method, f"only two-sided intervals of level {LEVEL} were simulated")
    names = MEASURED.get(method, (method,))
    rows = [row for row in load().cells if row.family == "auc" and row.method in names]
    if value is None or not rows:
        return _unknown(method, "this method was not simulated")

    def far(row: AtlasCell) -> float:
        return max(abs(math.log(row.n_pos / n_pos)), abs(math.log(row.n_neg / n_neg)))

    def apart(row: AtlasCell) -> float:
        return abs(_log_odds(row.area) - _log_odds(max(value, 1 - value)))

    nearest = min(rows, key=lambda row: (far(row), apart(row)))
    if far(nearest) > math.log(NEAR):
        largest = max(min(row.n_pos, row.n_neg) for row in rows)
        if min(n_pos, n_neg) < largest:
            return _unknown(method, f"no simulated study has about {n_pos} + {n_neg} cases")
        nearest = min((row for row in rows if min(row.n_pos, row.n_neg) == largest), key=apart)
    cells = [
        row
        for row in rows
        if (row.n_pos, row.n_neg, row.area) == (nearest.n_pos, nearest.n_neg, nearest.area) and row.defined
    ]
    rates = sorted(row.rate for row in cells)
    return Validity(
        method=method,
        n_pos=nearest.n_pos,
        n_neg=nearest.n_neg,
        area=nearest.area,
        lowest=rates[0],
        median=rates[len(rates) // 2],
        highest=rates[-1],
        cells=len(rates),
    )


def _unknown(method: str, reason: str) -> Validity:
    return Validity(method=method, status="undefined", reason=reason)


def _log_odds(area: float) -> float:
    """The scale on which areas are near; 1 is beyond every cell."""
    return math.log(area / (1 - area)) if area < 1 else math.inf
