"""Results as tables of texts: numbers for people, long columns cut."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from rocscope.core.formatting import UNDEFINED, interval_name, sentence, table_interval, table_number
from rocscope.core.result import Estimate, plain
from rocscope.reporting.sections import Table

# Rows of a long table that the page shows; the rest is in `frame()`.
SHOWN_ROWS = 120
FOLDED_ROWS = 12
# Names of fields and columns for people; in others the underscores are blanks.
HEADINGS = {
    "df": "degrees of freedom",
    "empirical": "counted",
    "fnr": "FNR",
    "fpr": "FPR",
    "half_width": "half the width of the interval",
    "high": "upper end",
    "kendall": "Kendall's tau",
    "low": "lower end",
    "max_abs_error": "largest absolute error",
    "mean_abs_error": "mean absolute error",
    "n_neg": "negative cases",
    "n_pos": "positive cases",
    "neg_label": "negative class",
    "npv": "NPV",
    "p_adjusted": "p (Holm)",
    "p_value": "p",
    "pos_label": "positive class",
    "ppv": "precision (PPV)",
    "real_n_neg": "negative cases before rounding up",
    "real_n_pos": "positive cases before rounding up",
    "sd": "standard deviation",
    "se": "standard error",
    "sem": "standard error of the mean",
    "spearman": "Spearman's rho",
    "tnr": "TNR",
    "tpr": "TPR",
}
# The same inside a longer name.
PARTS = {
    "auc": "AUC",
    "fnr": "FNR",
    "fpr": "FPR",
    "rms": "RMS",
    "sd": "SD",
    "se": "SE",
    "tnr": "TNR",
    "tpr": "TPR",
}


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
        return table_number(float(value))
    if isinstance(value, (list, tuple)):
        return ", ".join(map(cell, value)) or "none"
    return str(value)


def heading(name: str) -> str:
    """Return the name of a field or column for people; names of scores and classes stay as they are.

    Examples
    --------
    >>> heading("p_value"), heading("max_auc"), heading("tpr sem"), heading("weight(my_class)")
    ('p', 'max AUC', 'TPR sem', 'weight(my_class)')
    """
    if name in HEADINGS or "(" in name or "[" in name:
        return HEADINGS.get(name, name)
    return measure_name(name.replace("_", " "))


def measure_name(name: str) -> str:
    """Return the name of a measure as people write it; one of the user's own stays as it is.

    Examples
    --------
    >>> measure_name("tpr sem"), measure_name("error(my_class)"), measure_name("my_measure")
    ('TPR sem', 'error(my_class)', 'my_measure')
    """
    return " ".join(PARTS.get(part, part) for part in name.split(" "))


def estimate_table(estimates: Mapping[str, Estimate], *, caption: str) -> Table:
    """Return one row per estimate, with its interval and method.

    The method has the kind of the interval beside it where the table holds several kinds.
    """
    kinds = {name: interval_name(one.level, one.alternative) for name, one in estimates.items()}
    one_kind = len(set(kinds.values())) == 1
    rows = list[tuple[str, ...]]()
    for name, one in estimates.items():
        method = one.method if one_kind else f"{kinds[name]}, {one.method}"
        if one.low is None and one.high is None and one.se is None:
            method = "none"
        se = "none" if one.se is None else table_number(one.se)
        rows.append((name, table_number(one.value), table_interval(one.low, one.high), se, method))
    kind = next(iter(kinds.values())) if one_kind else "interval"
    header = ("", "value", kind, "standard error", "method")
    return Table(caption=caption, header=header, rows=rows, notes=remarks(estimates.items()))


def column_table(
    columns: Mapping[str, Any], *, caption: str = "Numbers", named: Callable[[str], str] = heading
) -> Table | None:
    """Return named columns of equal length, such as `columns()` of a result; of a long table the first rows.

    Columns without any value are left out, as is the status of what is all in order; in a column of texts
    nothing stands where there is none. None where no column is left.
    """
    kept, empty = dict[str, list[Any]](), dict[str, str | None]()
    for name, values in columns.items():
        listed = values.tolist() if isinstance(values, np.ndarray) else values
        # NaN becomes None, infinite numbers stay.
        items = [one if isinstance(one, float) and math.isinf(one) else plain(one) for one in listed]
        in_order = name == "status" and all(one == "ok" for one in items)
        if any(one is not None for one in items) and not in_order:
            kept[name] = items
            empty[name] = "" if any(isinstance(one, str) for one in items) else None
    n = max(map(len, kept.values()), default=0)
    if n == 0:
        return None
    n_rows = min(n, SHOWN_ROWS)
    rows = [
        [cell(empty[name] if items[k] is None else items[k]) for name, items in kept.items()]
        for k in range(n_rows)
    ]
    return Table(
        caption=caption,
        header=tuple(map(named, kept)),
        rows=rows,
        folded=n > FOLDED_ROWS,
        total=n if n_rows < n else None,
        notes=(f"The first {n_rows} of {n} rows.",) if n_rows < n else (),
    )


def row_table(
    rows: Sequence[Any], names: Sequence[str], *, caption: str, named: Mapping[str, str] | None = None
) -> Table:
    """Return some fields of several rows; a field that has no value in any of them is left out.

    `named` has the headings of fields that have other names here than elsewhere.
    """
    kept = [name for name in names if any(row[name] is not None for row in rows)]
    cells = [[cell(plain(row[name])) for name in kept] for row in rows]
    header = tuple((named or {}).get(name, heading(name)) for name in kept)
    return Table(caption=caption, header=header, rows=cells)


# ---- Reasons and warnings of results ----------------------------------------------------------------------

# What reasons and warnings say to those who call a function, for those who read a page.
CALLS = {
    "; see cutpoint": "; the choice made again on bootstrap samples shows by how much",
    " (n_boot=0)": "",
}


def plainly(text: str) -> str:
    """Return a reason or a warning without the names of arguments and functions.

    Examples
    --------
    >>> plainly("no interval was requested (n_boot=0)")
    'no interval was requested'
    """
    for call, plain_text in CALLS.items():
        text = text.replace(call, plain_text)
    return text


def remarks(results: Iterable[tuple[str, Any]]) -> tuple[str, ...]:
    """Return reasons and warnings of results, each once, with the names of the results they are about."""
    names: dict[str, list[str]] = {}
    for name, result in results:
        for text in (getattr(result, "reason", None), *getattr(result, "warnings", ())):
            if text:
                names.setdefault(text, []).append(name)
    return tuple(
        f"{sentence(text)} ({', '.join(of)})" if all(of) else sentence(text) for text, of in names.items()
    )


# A line of the text of a result that is set like a row of a table.
TABULAR = re.compile(r"\S {2,}\S|^ {2,}\S+$")
