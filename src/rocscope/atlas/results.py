"""What was measured: the table that comes with the package, and how it is looked up."""

from __future__ import annotations

import csv
import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields
from functools import lru_cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any, ClassVar, Literal

from rocscope.atlas.cells import Cell, Kind, find_family, wilson
from rocscope.core import checks
from rocscope.core.result import Result, Row, Status
from rocscope.errors import RocInputError

if TYPE_CHECKING:
    from rocscope.inference.auc import AreaEstimate

FILE = "atlas.csv"
# A default or other interval within these keeps its word; a test's size stays below the last one.
GOOD = {"interval": (0.93, 0.98), "test": (0.0, 0.065)}
# A rate is known to be outside where its 95 % Wilson interval is; whether a cell is settled takes more.
KNOWN = 1.959963984540054


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
    topic: ClassVar[str] = "atlas"

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


@lru_cache(maxsize=64)
def load(family: str | None = None) -> Atlas:
    """The measurements that come with the package, of one family or of all.

    Examples
    --------
    >>> load().values("family")[0]
    'auc'
    >>> load("auc").values("quantity")
    ('AUC',)
    """
    with (files("rocscope.atlas") / FILE).open(encoding="utf-8") as lines:
        header = next(iter(lines))
        return Atlas.read([header, *(line for line in lines if family in (None, line.partition(",")[0]))])


def summary_rows(atlas: Atlas) -> list[dict[str, Any]]:
    """For every quantity and method: cells, how many are within bounds, lowest and highest rate.

    A cell is within its bounds unless its 95 % Wilson interval is outside.
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
        widths = [row.width for row in answered if row.width is not None and family.kind == "interval"]
        rows.append(
            {
                "family": name,
                "quantity": quantity,
                "method": method,
                "default": method == family.default,
                "cells": len(members),
                "within": sum(side_of(row, family.kind) == 0 for row in answered),
                "lowest": min(rates, default=None),
                "median": sorted(rates)[len(rates) // 2] if rates else None,
                "highest": max(rates, default=None),
                "mean_width": sum(widths) / len(widths) if widths else None,
                "undefined": 1 - sum(row.defined for row in members) / max(simulations, 1),
            }
        )
    return rows


# ---- What the table says of one result --------------------------------------------------------------------

# A cell is near when no number of cases differs by more than this factor.
NEAR = 2.5
# True values of cells count as the same where their log odds (above 1 their logarithms) differ by less.
SAME = 0.3
# Results say "bootstrap" for all kinds of bootstrap intervals. Cut-offs that are quantiles have order
# statistics by "auto".
MEASURED = {"bootstrap": ("bootstrap", "bootstrap bca"), "order-statistics": ("auto",)}
LEVEL = 0.95


@dataclass(frozen=True, slots=True, kw_only=True)
class Validity(Row):
    """How often the intervals of a method held the true value in simulated studies, or its tests rejected.

    Attributes
    ----------
    family, quantity, method, level
        What was measured; the confidence level of intervals.
    kind
        "interval" or "test".
    n_pos, n_neg
        Of the simulated studies, the nearest to the study in question. None where none is near.
    area, value
        The true area of the curve in them, or the true value of what is estimated where this is looked up.
    lowest, median, highest
        Share of intervals that held the true value, or of tests that rejected a true null hypothesis: lowest,
        median and highest of the cells.
    cells, too_low, too_high
        How many cells there were, such as kinds of scores, and in how many of them the share is surely below
        93 % or above 98 % (of tests above 6.5 %), by its 95 % Wilson interval.
    status, reason
        "ok", or "undefined" with the reason.
    """

    family: str = "auc"
    quantity: str = "AUC"
    method: str
    kind: str = "interval"
    level: float = LEVEL
    n_pos: int | None = None
    n_neg: int | None = None
    area: float | None = None
    value: float | None = None
    lowest: float | None = None
    median: float | None = None
    highest: float | None = None
    cells: int = 0
    too_low: int = 0
    too_high: int = 0
    status: Status = "ok"
    reason: str | None = None

    @property
    def is_low(self) -> bool:
        """Whether intervals are known to hold the true value in less than 93 %, for some kind of scores."""
        return self.kind == "interval" and self.too_low > 0

    @property
    def is_outside(self) -> bool:
        """Whether the method is known not to keep its promise, or to be wider than it need be."""
        return self.too_high > 0 or (self.kind == "interval" and self.too_low > 0)

    def _summary(self) -> str:
        if self.lowest is None or self.highest is None:
            return f"validity of {self.method} undefined: {self.reason}"
        low, high = 100 * self.lowest, 100 * self.highest
        span = f"{low:.1f} to {high:.1f} %" if f"{low:.1f}" != f"{high:.1f}" else f"{low:.1f} %"
        where = f"at {self.n_pos} + {self.n_neg} cases"
        if self.kind == "test":
            return (
                f"{where} and areas of {self.area:g} the test ({self.method}) rejected a true null "
                f"hypothesis at 5 % in {span} of simulated studies, by kind of scores"
            )
        known = f"an area of {self.area}"
        what = "the true difference" if self.quantity == "difference" else "the true area"
        if self.family in ("cutpoint", "grey_zone", "precision_recall"):
            what = "the true value"
        if self.value is not None:
            known, what = f"a true value near {self.value:.3g}", "it"
        return (
            f"{where} and {known} the {self.level:.0%} interval ({self.method}) held {what} in {span} of "
            "simulated studies, by kind of scores"
        )


def validity(
    family: str,
    n_pos: float,
    n_neg: float,
    *,
    method: str,
    quantity: str,
    kind: Kind = "interval",
    area: float | None = None,
    value: float | None = None,
) -> Validity:
    """What the cells nearest to a study say of a method.

    Parameters
    ----------
    family
        A family of the atlas, such as "auc" or "roc_band".
    n_pos, n_neg
        Cases of each class.
    method, quantity, kind
        As in the table; "interval" or "test".
    area
        The area under the curve.
    value
        Instead of the area the value of the quantity itself, such as a TPR.

    Returns
    -------
    Validity
        Undefined where no simulated study is near, or the method was not measured.

    Examples
    --------
    >>> found = validity("auc", 20, 20, method="delong", quantity="AUC", area=0.9)
    >>> found.n_pos, found.n_neg, found.area, found.is_low
    (20, 20, 0.9, True)
    >>> print(validity("auc", 3, 4, method="delong", quantity="AUC", area=0.9))
    validity of delong undefined: no simulated study has about 3 + 4 cases
    """
    names: dict[str, Any] = {"family": family, "quantity": quantity, "method": method, "kind": kind}
    if (area is None) == (value is None):
        raise RocInputError("must be given, or value, and not both", argument="area")
    rows = [
        row
        for row in load(family).cells
        if row.quantity == quantity and row.method in MEASURED.get(method, (method,)) and row.defined
    ]
    if kind == "test":
        rows = [row for row in rows if row.truth]
    if not rows:
        return _unknown("this method was not simulated", **names)

    def far(row: AtlasCell) -> float:
        return max(abs(math.log(row.n_pos / n_pos)), abs(math.log(row.n_neg / n_neg)))

    def apart(row: AtlasCell) -> float:
        if value is not None:
            return abs(_scaled(row.truth) - _scaled(value))
        return abs(_scaled(row.area) - _scaled(max(area or 0.0, 1 - (area or 0.0))))

    nearest = min(rows, key=lambda row: (far(row), apart(row)))
    if far(nearest) > math.log(NEAR):
        largest = max(min(row.n_pos, row.n_neg) for row in rows)
        if min(n_pos, n_neg) < largest:
            return _unknown(f"no simulated study has about {n_pos} + {n_neg} cases", **names)
        nearest = min((row for row in rows if min(row.n_pos, row.n_neg) == largest), key=apart)
    cells = [row for row in rows if (row.n_pos, row.n_neg) == (nearest.n_pos, nearest.n_neg)]
    if value is None:
        cells = [row for row in cells if row.area == nearest.area]
    else:
        cells = [row for row in cells if abs(_scaled(row.truth) - _scaled(nearest.truth)) < SAME]
    rates = sorted(row.rate for row in cells)
    outside = [side_of(row, kind) for row in cells]
    return Validity(
        **names,
        n_pos=nearest.n_pos,
        n_neg=nearest.n_neg,
        area=nearest.area if value is None else None,
        value=None if value is None else nearest.truth,
        lowest=rates[0],
        median=rates[len(rates) // 2],
        highest=rates[-1],
        cells=len(rates),
        too_low=outside.count(-1),
        too_high=outside.count(1),
    )


def side_of(row: AtlasCell, kind: Any) -> int:
    """-1 where the rate is surely below its bounds, 1 where it is surely above them, 0 elsewhere."""
    low, high = wilson(row.hits, row.defined, KNOWN)
    return int(low > GOOD[kind][1]) - int(high < GOOD[kind][0])


def quantity_notes(
    family: str,
    n_pos: float,
    n_neg: float,
    values: Mapping[str, float | None],
    *,
    method: str,
    area: float | None = None,
    kind: Kind = "interval",
    name: str = "",
) -> list[str]:
    """What readers should know of the intervals or tests of a family in a study of this size.

    Parameters
    ----------
    family, n_pos, n_neg, method, area, kind
        As in `validity`.
    values
        The quantities of the result, each with its value; None where there is none.
    name
        What the notes begin with, such as the name of a score.

    Examples
    --------
    >>> notes = quantity_notes("auc", 20, 20, {"AUC": 0.97}, method="delong", area=0.97)
    >>> notes[0][:52]
    'AUC: at 20 + 20 cases and an area of 0.95 the 95% in'
    """
    prefix = f"{name}, " if name else ""
    known = dict[str, Validity]()
    for quantity, value in values.items():
        if value is not None and math.isfinite(value):
            where: dict[str, Any] = {"value": value} if area is None else {"area": area}
            known[prefix + quantity] = validity(
                family, n_pos, n_neg, method=method, quantity=quantity, kind=kind, **where
            )
    return validity_notes(known)


def validity_notes(known: Mapping[str, Validity], remedy: str = "") -> list[str]:
    """What readers of results should know: which intervals hold too seldom, which tests reject too often.

    Intervals that are wider than they need be share one line.
    """
    notes = [
        f"{name}: {one.summary()}{remedy}"
        for name, one in known.items()
        if one.is_outside and (one.is_low or one.kind == "test")
    ]
    wide = [name for name, one in known.items() if one.is_outside and not one.is_low and one.kind != "test"]
    if wide:
        cases = next(f"{one.n_pos} + {one.n_neg}" for name, one in known.items() if name == wide[0])
        notes.append(
            f"{', '.join(wide)}: wider than need be; at {cases} cases such intervals held the true value in "
            "more than 98 % of simulated studies"
        )
    return notes


def measure_name(name: str) -> str:
    """The quantity of a measure at a threshold, by the name of its field."""
    short = {"ppv": "PPV", "npv": "NPV", "lr_pos": "LR+", "lr_neg": "LR-", "f1": "F1"}
    return short.get(name, name.replace("_", " "))


def area_validity(estimate: AreaEstimate) -> Validity:
    """How often intervals of this method held the true area in the cells nearest to this estimate."""
    method = estimate.method
    if estimate.n_pos is None or estimate.n_neg is None:
        reason = "of weights and clusters some kinds alone were simulated: 'auc weights', 'auc clusters'"
        return _unknown(reason, method=method)
    if estimate.level != LEVEL or estimate.alternative != "two-sided":
        return _unknown(f"only two-sided intervals of level {LEVEL} were simulated", method=method)
    if estimate.value is None:
        return _unknown("there is no area", method=method)
    how: dict[str, Any] = {"quantity": "AUC", "method": method, "area": estimate.value}
    return validity("auc", estimate.n_pos, estimate.n_neg, **how)


def _unknown(reason: str, **names: Any) -> Validity:
    return Validity(**names, status="undefined", reason=reason)


def _scaled(value: float) -> float:
    """The scale on which values are near: log odds; those above 1, such as ratios, lie beyond them."""
    if value > 1:
        return FAR + math.log(value)
    inside = min(max(value, TINY), 1 - TINY)
    return math.log(inside / (1 - inside))


TINY, FAR = 1e-6, 100.0
