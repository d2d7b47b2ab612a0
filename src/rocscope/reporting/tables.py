"""Results as tables of texts: numbers for people, long columns cut."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from rocscope.core import formatting
from rocscope.core.result import Estimate, Result, plain
from rocscope.reporting.sections import Table

# Rows of a long table that the page shows; the rest is in `frame()`.
SHOWN_ROWS = 120
FOLDED_ROWS = 12
UNDEFINED = "undefined"
# Names of fields and columns in words; others have their underscores taken out.
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
# What reasons and warnings tell those who call a function, for those who read a page.
CALLS = {
    "; see cutpoint": "; the choice made again on bootstrap samples shows by how much",
    " (n_boot=0)": "",
    " (n_boot)": "",
    " (leave_one_out=False)": "",
    ": request it with leave_one_out=True": ", and was not requested",
}
NOISE = 1e-12  # differences of shares that are smaller are errors of rounding
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

# Names of types in words; others are taken apart at their capitals.
TYPES = {
    "AlgorithmPair": "Two learning algorithms",
    "BinormalPair": "Binormal fit of two scores",
    "CrossScores": "Cross-validated scores",
    "CurveCrossings": "Where the curves cross",
    "DecisionCurve": "Net benefit",
    "FoldDistribution": "Values over folds",
    "LossCurves": "Losses over costs",
    "MonteCarlo": "Monte-Carlo study",
    "PrecisionRecall": "Precision and recall",
    "RocBand": "Band of the ROC curve",
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
    >>> number(1.85e-18, signed=True), number(1.85e-18), number(float("inf"))
    ('0.0000', '1.85e-18', '∞')
    """
    if value is None or np.isnan(value):
        return UNDEFINED
    if np.isinf(value):
        return "∞" if value > 0 else "-∞"
    sign = "+" if signed else ""
    if signed and abs(value) < NOISE:
        value, sign = 0.0, ""
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
    kinds = {formatting.interval_name(found.level, found.alternative) for found in estimates.values()}
    kind = kinds.pop() if len(kinds) == 1 else None
    rows = [
        (
            name,
            number(found.value),
            interval(found.low, found.high),
            "none" if found.se is None else number(found.se),
            _made_by(found, kind),
        )
        for name, found in estimates.items()
    ]
    header = ("", "value", kind or "interval", "standard error", "method")
    return Table(caption=caption, header=header, rows=rows, notes=remarks(estimates.items()))


def _made_by(found: Estimate, kind: str | None) -> str:
    """The method of an interval, where there is one; with its level where the table has several."""
    if found.low is None and found.high is None and found.se is None:
        return "none"
    return (
        found.method
        if kind
        else f"{formatting.interval_name(found.level, found.alternative)}, {found.method}"
    )


def plainly(text: str) -> str:
    """Return a reason or a warning without the names of arguments and functions.

    Examples
    --------
    >>> plainly("no interval was requested (n_boot=0)")
    'no interval was requested'
    """
    for call, told in CALLS.items():
        text = text.replace(call, told)
    return text


def remarks(found: Iterable[tuple[str, Any]]) -> tuple[str, ...]:
    """Return reasons and warnings of results, each once, with the name of the result they are about."""
    told: dict[str, list[str]] = {}
    for name, result in found:
        for text in (getattr(result, "reason", None), *getattr(result, "warnings", ())):
            if text:
                told.setdefault(text, []).append(name)
    return tuple(
        f"{formatting.sentence(text)} ({', '.join(names)})" if all(names) else formatting.sentence(text)
        for text, names in told.items()
    )


def after_name(text: str, names: Iterable[str]) -> str:
    """Return a remark as a sentence; the name it begins with goes to its end, where it keeps its letters.

    Examples
    --------
    >>> after_name("s100b: the fit failed", ["s100b"]), after_name("few cases", ["s100b"])
    ('The fit failed (s100b)', 'Few cases')
    """
    name = next((name for name in names if text.startswith(f"{name}: ")), None)
    told = formatting.sentence(text if name is None else text.removeprefix(f"{name}: "))
    return told if name is None else f"{told} ({name})"


def heading(name: str) -> str:
    """Return the name of a field or column in words; names of scores and classes stay as they are.

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


def columns_table(
    result: Result, *, caption: str = "Numbers", named: Callable[[str], str] = heading
) -> Table | None:
    """Return `columns()` of a result, which every result has; None where they are empty."""
    return table_of(result.columns(), caption=caption, named=named)


def table_of(
    columns: Mapping[str, Any], *, caption: str, named: Callable[[str], str] = heading
) -> Table | None:
    """Return named columns of equal length; of a long table the first rows.

    Columns without any value are left out; in a column of texts nothing stands where there is none.
    """
    listed = {name: _listed(values) for name, values in columns.items()}
    plains = {name: values for name, values in listed.items() if _tells(name, values)}
    n = max(map(len, plains.values()), default=0)
    if n == 0:
        return None
    shown = min(n, SHOWN_ROWS)
    empty = {
        name: "" if any(isinstance(one, str) for one in values) else None for name, values in plains.items()
    }
    rows = [
        [cell(empty[name] if values[k] is None else values[k]) for name, values in plains.items()]
        for k in range(shown)
    ]
    return Table(
        caption=caption,
        header=tuple(map(named, plains)),
        rows=rows,
        folded=n > FOLDED_ROWS,
        total=n if shown < n else None,
        notes=(f"The first {shown} of {n} rows.",) if shown < n else (),
    )


def _tells(name: str, values: Sequence[Any]) -> bool:
    """Whether a column says anything: it has values, and is not the status of what is all in order."""
    return any(one is not None for one in values) and not (
        name == "status" and all(one == "ok" for one in values)
    )


def _listed(values: Any) -> list[Any]:
    """Turn a column into plain values; NaN becomes None, infinite numbers stay."""
    listed = values.tolist() if isinstance(values, np.ndarray) else values
    return [value if isinstance(value, float) and math.isinf(value) else plain(value) for value in listed]


def rows_table(
    rows: Sequence[Any], names: Sequence[str], *, caption: str, named: Mapping[str, str] | None = None
) -> Table:
    """Return chosen fields of several rows; a field that has no value in any of them is left out.

    `named` has the headings of fields that are called otherwise here than elsewhere.
    """
    kept = [name for name in names if any(row[name] is not None for row in rows)]
    cells = [[cell(plain(row[name])) for name in kept] for row in rows]
    header = tuple((named or {}).get(name, heading(name)) for name in kept)
    return Table(caption=caption, header=header, rows=cells)


def type_words(name: str) -> str:
    """Name of a type in words.

    Examples
    --------
    >>> type_words("TestResult")
    'Test result'
    """
    if name in TYPES:
        return TYPES[name]
    parts = re.findall("[A-Z][a-z0-9]*", name)
    return " ".join([parts[0], *(part.lower() for part in parts[1:])]) if parts else name


# ---- Sentences about numbers: what the readings under the pictures are made of ----------------------------


def listed(names: Sequence[Any]) -> str:
    """Return names in one phrase.

    Examples
    --------
    >>> listed(["a"]), listed(["a", "b"]), listed(["a", "b", "c"])
    ('a', 'a and b', 'a, b and c')
    """
    texts = list(map(str, names))
    return texts[0] if len(texts) == 1 else f"{', '.join(texts[:-1])} and {texts[-1]}"


def counted(n: int, what: str, many: str | None = None) -> str:
    """Return a number of things.

    Examples
    --------
    >>> counted(1, "point"), counted(3, "point"), counted(2, "class", "classes")
    ('1 point', '3 points', '2 classes')
    """
    return f"{n} {what if n == 1 else many or what + 's'}"


def share(value: float) -> str:
    """Return a rate as a share of a hundred cases.

    Examples
    --------
    >>> share(0.634), share(0.9996), share(1.0)
    ('63.4%', '99.96%', '100%')
    """
    for decimals in (1, 2, 3, 4):
        text = f"{100 * value:.{decimals}f}"
        if float(text) not in (0.0, 100.0) or float(text) == 100 * value:
            break
    return f"{text.rstrip('0').rstrip('.') if '.' in text else text}%"


def with_interval(found: Estimate) -> str:
    """Return value and interval of an estimate in a phrase.

    Examples
    --------
    >>> found = Estimate(name="AUC", value=0.8, se=0.05, low=0.7, high=0.9, level=0.95, method="delong")
    >>> with_interval(found)
    '0.800 (95% interval 0.700 to 0.900)'
    """
    if found.value is None:
        return f"undefined ({found.reason})"
    if found.low is None or found.high is None:
        return f"{found.value:.3f} (no interval: {found.reason})"
    kind = formatting.interval_name(found.level, found.alternative)
    ends = f"{found.low:.3f} to {found.high:.3f}"
    if found.alternative != "two-sided":
        ends = f"{found.low if found.alternative == 'greater' else found.high:.3f}"
    return f"{found.value:.3f} ({kind} {ends})"


def area_meaning(area: float, positive: Any, negative: Any) -> str:
    """Say what an area means for a pair of cases.

    Examples
    --------
    >>> area_meaning(0.8, "ill", "well")
    'In 80% of all pairs of a case of class ill and one of class well the score is higher for class ill.'
    """
    pairs = f"all pairs of a case of class {positive} and one of class {negative}"
    return f"In {share(area)} of {pairs} the score is higher for class {positive}."


def p_words(p: float | None, level: float = 0.95) -> str:
    """Return a p-value with what it says at a level.

    Examples
    --------
    >>> p_words(0.0272), p_words(0.4)
    ('p = 0.0272, a difference at the 5% level', 'p = 0.4, no difference shown at the 5% level')
    """
    if p is None:
        return "no p-value"
    found = "a difference" if p < 1 - level else "no difference shown"
    return f"p = {formatting.p_value(p)}, {found} at the {100 * (1 - level):.3g}% level"


def signed(value: float | None) -> str:
    """Return a difference with its sign.

    Examples
    --------
    >>> signed(0.125)
    '+0.1250'
    """
    return number(value, signed=True)
