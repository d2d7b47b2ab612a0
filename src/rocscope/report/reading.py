"""Sentences about numbers: what the readings under the pictures are made of."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rocscope.core.result import Estimate
from rocscope.report.tables import number
from rocscope.views import words


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
    kind = words.interval_name(found.level, found.alternative)
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
    return f"p = {words.p_value(p)}, {found} at the {100 * (1 - level):.3g}% level"


def signed(value: float | None) -> str:
    """Return a difference with its sign.

    Examples
    --------
    >>> signed(0.125)
    '+0.1250'
    """
    return number(value, signed=True)
