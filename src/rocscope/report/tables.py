"""Results as tables of texts: numbers for people, long columns cut."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from rocscope.core.result import Estimate, Result, plain
from rocscope.report.sections import Table
from rocscope.views import words

# Rows of a long table that the page shows; the rest is in `frame()`.
SHOWN_ROWS = 60
FOLDED_ROWS = 12
UNDEFINED = "undefined"


def cell(value: Any) -> str:
    """Return a value as the text of a cell: four figures, "undefined" where there is no number.

    Examples
    --------
    >>> cell(0.731371), cell(None), cell(True), cell(12000), cell("a")
    ('0.7314', 'undefined', 'yes', '12000', 'a')
    """
    if value is None:
        return UNDEFINED
    if isinstance(value, (bool, np.bool_)):
        return "yes" if value else "no"
    if isinstance(value, (float, np.floating)):
        return number(float(value))
    if isinstance(value, (list, tuple)):
        return ", ".join(map(cell, value)) or "none"
    return str(value)


def number(value: float | None, *, signed: bool = False) -> str:
    """Return four decimals, or four figures of what is very small or large.

    Examples
    --------
    >>> number(0.5), number(-3.2e-7), number(float("nan")), number(0.25, signed=True), number(123456.7)
    ('0.5000', '-3.2e-07', 'undefined', '+0.2500', '1.235e+05')
    """
    if value is None or np.isnan(value):
        return UNDEFINED
    sign = "+" if signed else ""
    plainly = value == 0 or 1e-3 <= abs(value) < 1e5
    return f"{value:{sign}.4f}" if plainly else f"{value:{sign}.4g}"


def interval(low: float | None, high: float | None, *, signed: bool = False) -> str:
    """Return the ends of an interval.

    Examples
    --------
    >>> interval(0.63, 0.8326), interval(None, None)
    ('0.6300 to 0.8326', 'none')
    """
    if low is None or high is None:
        return "none"
    return f"{number(low, signed=signed)} to {number(high, signed=signed)}"


def estimate_table(estimates: Mapping[str, Estimate], *, caption: str) -> Table:
    """Return one row per estimate, with its interval and how it was made."""
    kinds = {words.interval_name(found.level, found.alternative) for found in estimates.values()}
    kind = kinds.pop() if len(kinds) == 1 else None
    rows = [
        (
            name,
            number(found.value),
            "none" if found.se is None else number(found.se),
            interval(found.low, found.high),
            found.method
            if kind
            else f"{words.interval_name(found.level, found.alternative)}, {found.method}",
        )
        for name, found in estimates.items()
    ]
    header = ("", "value", "standard error", kind or "interval", "method")
    return Table(caption=caption, header=header, rows=rows, notes=remarks(estimates.items()))


def remarks(found: Iterable[tuple[str, Any]]) -> tuple[str, ...]:
    """Return reasons and warnings of results, each once, with the name of the result they are about."""
    told: dict[str, list[str]] = {}
    for name, result in found:
        for text in (getattr(result, "reason", None), *getattr(result, "warnings", ())):
            if text:
                told.setdefault(text, []).append(name)
    return tuple(f"{', '.join(names)}: {text}" if all(names) else text for text, names in told.items())


def columns_table(result: Result, *, caption: str = "Numbers") -> Table | None:
    """Return `columns()` of a result, which every result has; None where they are empty."""
    return table_of(result.columns(), caption=caption)


def table_of(columns: Mapping[str, Any], *, caption: str) -> Table | None:
    """Return named columns of equal length; of a long table the first rows."""
    plains = {name: _listed(values) for name, values in columns.items()}
    n = max(map(len, plains.values()), default=0)
    if n == 0:
        return None
    shown = min(n, SHOWN_ROWS)
    rows = [[cell(values[k]) for values in plains.values()] for k in range(shown)]
    note = (f"The first {shown} of {n} rows.",) if shown < n else ()
    return Table(caption=caption, header=tuple(plains), rows=rows, folded=n > FOLDED_ROWS, notes=note)


def _listed(values: Any) -> list[Any]:
    """Turn a column into plain values; NaN becomes None."""
    return [plain(value) for value in (values.tolist() if isinstance(values, np.ndarray) else values)]


def rows_table(rows: Sequence[Any], names: Sequence[str], *, caption: str) -> Table:
    """Return chosen fields of several rows; a field that has no value in any of them is left out."""
    kept = [name for name in names if any(row[name] is not None for row in rows)]
    cells = [[cell(plain(row[name])) for name in kept] for row in rows]
    return Table(caption=caption, header=tuple(name.replace("_", " ") for name in kept), rows=cells)
