"""Numbers, p-values, intervals and names as text: for print, tables, pictures and pages."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rocscope.core.result import Estimate

# No text of a picture has more decimals or figures than these.
MOST_DIGITS = 6
SIDES = {"greater": "lower bound", "less": "upper bound"}


def number(value: float | None, style: str = ".4f") -> str:
    """Format a number, by default with four decimals; "undefined" where there is none.

    Examples
    --------
    >>> number(0.73137), number(None), number(1234.5, ".4g")
    ('0.7314', 'undefined', '1234')
    """
    return "undefined" if value is None or value != value else format(value, style)


def interval_ends(low: float | None, high: float | None, alternative: str = "two-sided") -> str:
    """Format the ends of an interval, or its one bound; empty where there is none.

    Examples
    --------
    >>> interval_ends(0.63, 0.8326), interval_ends(-0.1, 0.2), interval_ends(0.63, 1, "greater")
    ('0.6300-0.8326', '-0.1000 to 0.2000', '>= 0.6300')
    """
    if low is None or high is None:
        return ""
    if alternative != "two-sided":
        return f">= {low:.4f}" if alternative == "greater" else f"<= {high:.4f}"
    return f"{low:.4f}{'-' if low >= 0 else ' to '}{high:.4f}"


def span(low: str, high: str) -> str:
    """Join the ends of an interval: by a dash, by "to" where a sign or an exponent stands beside it.

    Examples
    --------
    >>> span("0.630", "0.833"), span("-0.049", "0.288"), span("1e-05", "0.1")
    ('0.630–0.833', '-0.049 to 0.288', '1e-05 to 0.1')
    """
    signed = any(text[:1] in "+-" or "e" in text for text in (low, high))
    return f"{low} to {high}" if signed else f"{low}–{high}"


def rate(value: float, *, decimals: int = 2) -> str:
    """Two decimals; more where these would claim a perfect 0 or 1 that is none.

    Examples
    --------
    >>> rate(0.7314), rate(0.9996), rate(1.0)
    ('0.73', '0.9996', '1.00')
    """
    for places in range(decimals, MOST_DIGITS + 1):
        text = f"{value:.{places}f}"
        if float(text) not in (0.0, 1.0) or float(text) == value:
            return text
    return text


def digits_apart(low: float, high: float, *, least: int = 2, form: str = "f") -> int:
    """How many decimals (figures for the form "g") show two ends apart; `least` where they are equal.

    Examples
    --------
    >>> digits_apart(0.63, 0.83), digits_apart(0.7598, 0.7603), digits_apart(0.5, 0.5)
    (2, 4, 2)
    """
    digits = range(least, MOST_DIGITS + 1)
    apart = (n for n in digits if f"{low:.{n}{form}}" != f"{high:.{n}{form}}")
    return least if low == high else next(apart, MOST_DIGITS)


def with_interval(value: float, low: float | None, high: float | None, *, signed: bool = False) -> str:
    """The value with the ends of its interval, where it has one.

    Three decimals; three figures where all numbers are small or one is large; more where the ends would
    look the same.

    Examples
    --------
    >>> with_interval(0.7314, 0.6301, 0.8326)
    '0.731 (0.630–0.833)'
    >>> with_interval(0.00042, 0.00031, 0.00057)
    '0.00042 (0.00031–0.00057)'
    >>> with_interval(0.76004, 0.76001, 0.76004)
    '0.76004 (0.76001–0.76004)'
    >>> with_interval(0.12, None, None, signed=True)
    '+0.120 (no interval)'
    """
    numbers = [number for number in (value, low, high) if number is not None]
    size = max(map(abs, numbers))
    form = "f" if size == 0 or 0.01 <= size < 1000 else "g"
    digits = 3 if low is None or high is None else digits_apart(low, high, least=3, form=form)
    texts = [f"{number:{'+' if signed else ''}.{digits}{form}}" for number in numbers]
    if low is None or high is None:
        return f"{texts[0]} (no interval)"
    return f"{texts[0]} ({span(*texts[1:])})"


def interval_name(level: float, alternative: str) -> str:
    """Name an interval or its one bound.

    Examples
    --------
    >>> interval_name(0.95, "two-sided"), interval_name(0.9, "greater")
    ('95% interval', '90% lower bound')
    """
    return f"{level * 100:g}% {SIDES.get(alternative, 'interval')}"


def area(auc: float, estimate: Estimate | None) -> str:
    """The area of a legend entry, with its interval where an estimate brings one.

    Examples
    --------
    >>> area(0.7314, None)
    'AUC = 0.73'
    """
    if estimate is None or estimate.value is None:
        return f"AUC = {rate(auc)}"
    return estimate_text(estimate.name, estimate)


def estimate_text(name: str, estimate: Estimate) -> str:
    """A name with the value and the interval of an estimate, for a legend.

    Examples
    --------
    >>> from rocscope.core.result import Estimate
    >>> wide = Estimate(name="AUC", value=0.8, se=0.05, low=0.7, high=0.9, level=0.95, method="delong")
    >>> estimate_text("AUC", wide)
    'AUC = 0.80, 95% CI 0.70–0.90'
    """
    if estimate.value is None:
        return f"{name} undefined"
    text = f"{name} = {rate(estimate.value)}"
    if estimate.low is None or estimate.high is None:
        return text
    level = f"{estimate.level * 100:g}%"
    if estimate.alternative == "greater":
        return f"{text}, {level} bound > {rate(estimate.low)}"
    if estimate.alternative == "less":
        return f"{text}, {level} bound < {rate(estimate.high)}"
    decimals = digits_apart(estimate.low, estimate.high)
    value, low, high = (
        rate(number, decimals=decimals) for number in (estimate.value, estimate.low, estimate.high)
    )
    return f"{name} = {value}, {level} CI {span(low, high)}"


def estimate_figures(estimate: Estimate) -> str:
    """The figures of an estimate beside its row: an infinite one has a lower bound at best."""
    if estimate.value is None:
        return UNDEFINED
    if math.isinf(estimate.value):
        return infinite(estimate.low)
    return with_interval(estimate.value, estimate.low, estimate.high)


def infinite(low: float | None) -> str:
    """An infinite ratio with its lower bound.

    Examples
    --------
    >>> infinite(2.345), infinite(None)
    ('infinite (at least 2.35)', 'infinite')
    """
    return "infinite" if low is None else f"infinite (at least {low:.3g})"


def threshold(value: Any, *, figures: int = 4) -> str:
    """Four figures of a threshold.

    Examples
    --------
    >>> threshold(0.205), threshold(float("inf"))
    ('0.205', 'inf')
    """
    return f"{value:.{figures}g}"


def deciding_threshold(value: Any, scores: Any, *, lower: bool = False) -> str:
    """Six figures of a threshold, or as many as it takes to decide on the scores as the threshold does.

    With `lower` scores up to the threshold test positive.

    Examples
    --------
    >>> import numpy as np
    >>> deciding_threshold(0.1636267190106496, np.array([0.1636267190106496, 0.16]))
    '0.163626'
    >>> deciding_threshold(0.1636267190106496, np.array([0.1636267190106496, 0.1636267]))
    '0.16362671'
    """
    if lower and value:  # the opposite threshold of the opposite scores
        return f"-{deciding_threshold(-value, -scores)}".removeprefix("--")
    shortest = str(value)
    if isinstance(value, int) or not math.isfinite(value) or len(shortest) <= MOST_DIGITS + 2:
        return shortest
    from decimal import ROUND_FLOOR, Context

    for figures in range(MOST_DIGITS, 17):
        # A threshold that is a score itself must not be rounded up.
        down = Context(prec=figures, rounding=ROUND_FLOOR).create_decimal_from_float(value)
        for text in (f"{value:.{figures}g}", f"{float(down):.{figures}g}"):
            if ((scores >= float(text)) == (scores >= value)).all():
                return text
    return shortest


def sentence(text: str) -> str:
    """Begin with a capital letter, and leave the others as they are.

    Examples
    --------
    >>> sentence("false positive rate"), sentence("TPR at FPR 0.1")
    ('False positive rate', 'TPR at FPR 0.1')
    """
    return text[:1].upper() + text[1:]


def operating_point(value: Any, fpr: float, tpr: float) -> str:
    """The threshold and its rates.

    Examples
    --------
    >>> operating_point(0.205, 0.1944, 0.6341)
    '0.205 (FPR 0.19, TPR 0.63)'
    """
    return f"{threshold(value)} (FPR {rate(fpr)}, TPR {rate(tpr)})"


def p_value(p: float) -> str:
    """Three figures of a p-value.

    Examples
    --------
    >>> p_value(0.02718), p_value(1.2345e-9)
    ('0.0272', '1.23e-09')
    """
    return f"{p:.3g}"


def journal_p_value(p: float) -> str:
    """A p-value as journals print it: two decimals, three below 0.01, and no leading zero.

    Beside 0.05 it has as many decimals as show on which side it is.

    Examples
    --------
    >>> [journal_p_value(p) for p in (0.27, 0.0272, 0.0041, 1.2e-9, 0.0496, 0.049996, 0.999)]
    ['.27', '.03', '.004', '<.001', '.0496', '.049996', '>.99']
    """
    if p < 0.001:
        return "<.001"
    if p > 0.99:
        return ">.99"
    decimals = 3 if p < 0.01 or f"{p:.2f}" == "0.05" else 2
    while decimals < 2 * MOST_DIGITS and (float(f"{p:.{decimals}f}") < 0.05) != (p < 0.05):
        decimals += 1
    return f"{p:.{decimals}f}".removeprefix("0")


# ---- Untrusted names: no character reverses the text around them, none is too long -------------------------

# Marks, embeddings, overrides and isolates of direction, by which 47 is shown as 74, and other control
# characters; tabs and line ends are what they are.
CONTROLS = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]")

MOST = 120  # characters of a name where it stands alone: three lines of a phone


def shortened(text: str, most: int = MOST) -> str:
    """Return a text without its middle where it is too long: names of one file often differ at their ends.

    Examples
    --------
    >>> shortened("a marker of the year 2024", 16), shortened("short")
    ('a marker o… 2024', 'short')
    """
    if len(text) <= most:
        return text
    end = most // 3
    return f"{text[: most - end - 1]}…{text[-end:]}"


def spelt(text: str) -> str:
    r"""Return a text with its control characters spelt out.

    Examples
    --------
    >>> print(spelt("ab\u202ecd\x1b[31m"))
    ab\u202ecd\u001b[31m
    """
    return CONTROLS.sub(lambda control: f"\\u{ord(control[0]):04x}", text)


def class_title(cls: type) -> str:
    """Return the name of a class as a title.

    Examples
    --------
    >>> class_title(type("TestResult", (), {}))
    'Test result'
    """
    return " ".join(re.findall("[A-Z][a-z0-9]*", cls.__name__)).capitalize()


# ---- Numbers in tables and sentences ----------------------------------------------------------------------

UNDEFINED = "undefined"
NOISE = 1e-12  # differences of rates that are smaller are errors of rounding


def table_number(value: float | None, *, signed: bool = False) -> str:
    """Return four decimals, or four figures of what is very small or large.

    Examples
    --------
    >>> [table_number(x) for x in (0.5, -3.2e-7, float("nan"), 123456.7, float("inf"), 1.85e-18)]
    ['0.5000', '-3.2e-07', 'undefined', '1.235e+05', '∞', '1.85e-18']
    >>> table_number(0.25, signed=True), table_number(1.85e-18, signed=True)
    ('+0.2500', '0.0000')
    """
    if value is None or math.isnan(value):
        return UNDEFINED
    if math.isinf(value):
        return "∞" if value > 0 else "-∞"
    sign = "+" if signed else ""
    if signed and abs(value) < NOISE:
        value, sign = 0.0, ""
    decimal = value == 0 or 1e-3 <= abs(value) < 1e5
    return f"{value:{sign}.4f}" if decimal else f"{value:{sign}.4g}"


def table_interval(low: float | None, high: float | None, *, signed: bool = False) -> str:
    """Return the ends of an interval.

    Examples
    --------
    >>> table_interval(0.63, 0.8326), table_interval(None, None)
    ('0.6300–0.8326', 'none')
    """
    if low is None or high is None:
        return "none"
    return span(table_number(low, signed=signed), table_number(high, signed=signed))


def table_with_interval(
    value: float | None, low: float | None, high: float | None, *, signed: bool = False
) -> str:
    """Return a value as in tables, with the ends of its interval where it has one.

    Examples
    --------
    >>> table_with_interval(0.7314, 0.63, 0.8326), table_with_interval(0.7314, None, None)
    ('0.7314 (0.6300–0.8326)', '0.7314')
    """
    if value is None:
        return UNDEFINED
    text = table_number(value, signed=signed)
    if low is None or high is None:
        return text
    return f"{text} ({table_interval(low, high, signed=signed)})"


def percentage(value: float) -> str:
    """Return a rate in percent: one decimal, more where it would claim a perfect 0 or 100.

    Examples
    --------
    >>> percentage(0.634), percentage(0.9996), percentage(1.0)
    ('63.4%', '99.96%', '100%')
    """
    for decimals in (1, 2, 3, 4):
        text = f"{100 * value:.{decimals}f}"
        if float(text) not in (0.0, 100.0) or float(text) == 100 * value:
            break
    return f"{text.rstrip('0').rstrip('.') if '.' in text else text}%"


def estimate_phrase(estimate: Estimate) -> str:
    """Return value and interval of an estimate in a phrase.

    Examples
    --------
    >>> from rocscope.core.result import Estimate
    >>> area = Estimate(name="AUC", value=0.8, se=0.05, low=0.7, high=0.9, level=0.95, method="delong")
    >>> estimate_phrase(area)
    '0.800 (95% interval 0.700–0.900)'
    """
    if estimate.value is None:
        return f"undefined ({estimate.reason})"
    if estimate.low is None or estimate.high is None:
        return f"{estimate.value:.3f} (no interval: {estimate.reason})"
    ends = span(f"{estimate.low:.3f}", f"{estimate.high:.3f}")
    if estimate.alternative != "two-sided":
        ends = f"{estimate.low if estimate.alternative == 'greater' else estimate.high:.3f}"
    return f"{estimate.value:.3f} ({interval_name(estimate.level, estimate.alternative)} {ends})"


def p_value_phrase(p: float | None, level: float = 0.95) -> str:
    """Return a p-value with what it says at a level.

    Examples
    --------
    >>> p_value_phrase(0.0272), p_value_phrase(0.4)
    ('p = 0.0272, a difference at the 5% level', 'p = 0.4, no difference shown at the 5% level')
    """
    if p is None:
        return "no p-value"
    verdict = "a difference" if p < 1 - level else "no difference shown"
    return f"p = {p_value(p)}, {verdict} at the {100 * (1 - level):.3g}% level"


def listed(names: Sequence[Any]) -> str:
    """Return names in one phrase.

    Examples
    --------
    >>> listed(["a"]), listed(["a", "b"]), listed(["a", "b", "c"])
    ('a', 'a and b', 'a, b and c')
    """
    texts = list(map(str, names))
    return texts[0] if len(texts) == 1 else f"{', '.join(texts[:-1])} and {texts[-1]}"


def shared(names: Mapping[str, str]) -> str:
    """Return what names have, each with the names that have it unless all have the same.

    Examples
    --------
    >>> shared({"a": "DeLong", "b": "DeLong"}), shared({"a": "DeLong", "b": "score", "c": "DeLong"})
    ('DeLong', 'DeLong (a and c) and score (b)')
    """
    owners = dict[str, list[str]]()
    for name, what in names.items():
        owners.setdefault(what, []).append(name)
    if len(owners) == 1:
        return next(iter(owners))
    return listed([f"{what} ({listed(of)})" for what, of in owners.items()])


def counted(n: int, what: str) -> str:
    """Return a number of things.

    Examples
    --------
    >>> counted(1, "point"), counted(3, "point")
    ('1 point', '3 points')
    """
    return f"{n} {what if n == 1 else what + 's'}"
