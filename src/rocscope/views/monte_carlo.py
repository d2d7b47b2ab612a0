"""Pictures of Monte-Carlo studies: figures 3, 4 and 5 of Yousef, Wagner and Loew (AIPR 2004)."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Literal

import numpy as np

from rocscope.bootstrap.monte_carlo_result import TITLES, MonteCarlo
from rocscope.core import checks, wald
from rocscope.errors import RocInputError
from rocscope.views import layout, words
from rocscope.views.marks import (
    Axis,
    ErrorBars,
    Legend,
    Line,
    Mark,
    Panel,
    Picture,
    Points,
    ReferenceLine,
    Values,
)

Show = Literal["estimators", "training", "rescaled"]
SHOWN: tuple[Show, ...] = ("estimators", "training", "rescaled")
# A series of the same colour with the next dashes.
DASHED = 6
# Shares of the sample that AUC(*) is said to train on.
SUPPORTS = (0.632, 0.5)
NAMES = {"qda": "QDA", "lda": "LDA", "nearest-mean": "Nearest mean", "1nn": "1-nearest neighbour"}
ROOM = 0.08
MOST_TICKS = 12
CORNERS: tuple[Legend, ...] = ("lower right", "upper right", "upper left", "lower left")


def picture(result: MonteCarlo, *, show: Show | None = None) -> Picture:
    """Show mean areas over the training size, with 95 % intervals of the Monte-Carlo error.

    Parameters
    ----------
    result
        What `monte_carlo` returns.
    show
        "estimators": each bootstrap estimator against the true area (figure 4). "training": true and
        apparent area (figure 3, for one number of features; `dimensions` shows several). "rescaled": the
        true area at n, with AUC(*) of the sizes n / .632 and n / .5 drawn at n (figure 5). Without it
        "estimators", or "training" for a result without bootstraps.

    Examples
    --------
    >>> from rocscope.bootstrap.monte_carlo import monte_carlo
    >>> result = monte_carlo("lda", n=[20, 40], trials=20, n_boot=10, rng=1)
    >>> [mark.label for mark in picture(result).panels[0].marks if mark.label]
    ['Ideal classifier, 0.74', 'True AUC', 'AUC(*)', '.632', '.632+']
    """
    if show is None:
        show = "estimators" if "star" in result.estimators else "training"
    checks.check_choice(show, SHOWN, name="show")
    if show != "training" and "star" not in result.estimators:
        raise RocInputError(f"show must be 'training' for a result without bootstraps, got {show!r}")
    if show == "training":
        return dimensions([result])
    if show == "rescaled":
        # Its curves begin below the smallest size of the study.
        first = math.ceil(min(result.n) * min(SUPPORTS))
        return _picture([*_ideal(result), *_rescaled(result)], (first, *result.n), _title(result))
    return _picture([*_ideal(result), *_estimators(result)], result.n, _title(result))


def dimensions(results: Sequence[MonteCarlo]) -> Picture:
    """Show true (solid) and apparent (dashed) areas, one colour per result (figure 3)."""
    learners = {result.learner for result in results}
    marks: list[Mark] = []
    for series, result in enumerate(results):
        name = f"p = {result.dimension}" if len(learners) == 1 else f"{_name(result)}, p = {result.dimension}"
        marks += _curve(result, "apparent", series + DASHED, label=None)
        marks += _curve(result, "true", series, label=name)
    ideal = _ideal(results[0]) if len({result.ideal_auc for result in results}) == 1 else []
    what = f"{_name(results[0])}: true" if len(learners) == 1 else "True"
    sizes = [n for result in results for n in result.n]
    return _picture([*ideal, *marks], sizes, f"{what} (solid) and apparent (dashed) AUC")


def _estimators(result: MonteCarlo) -> list[Mark]:
    shown = [name for name in result.estimators if name != "apparent"]
    return [
        mark
        for series, name in enumerate(shown)
        for mark in _curve(result, name, series, label=words.sentence(TITLES[name]))
    ]


def _rescaled(result: MonteCarlo) -> list[Mark]:
    marks = _curve(result, "true", 0, label="True AUC at n")
    for series, support in enumerate(SUPPORTS, start=1):
        name = f"AUC(*) at n / {str(support).lstrip('0')}"
        marks += _curve(result, "star", series, label=name, support=support)
    return marks


def _curve(
    result: MonteCarlo, estimator: str, series: int, *, label: str | None, support: float = 1.0
) -> list[Mark]:
    """Means over the sizes, joined by a line, with their intervals."""
    order = np.argsort(result.n)
    x = _place(np.array(result.n)[order] * support)
    y = result.figures(estimator, "mean")[order]
    reach = wald.quantile(0.95) * result.figures(estimator, "mean_error")[order]
    return [
        ErrorBars(x=x, y=y, y_low=y - reach, y_high=y + reach, role="interval", series=series),
        Line(x=x, y=y, role="curve", series=series, label=label),
        Points(x=x, y=y, role="point", series=series),
    ]


def _ideal(result: MonteCarlo) -> list[Mark]:
    if result.ideal_auc is None:
        return []
    label = f"Ideal classifier, {words.rate(result.ideal_auc)}"
    return [ReferenceLine(axis="y", at=result.ideal_auc, role="reference", label=label)]


def _place(n: Values) -> Values:
    """Sizes are told apart by their ratio."""
    return np.asarray(np.log2(n))


def _picture(marks: list[Mark], sizes: Sequence[int], title: str) -> Picture:
    """The panel of these marks; ticks are at the sizes."""
    bars = [mark for mark in marks if isinstance(mark, ErrorBars)]
    levels = [np.array([mark.at]) for mark in marks if isinstance(mark, ReferenceLine)]
    x_low, x_high = _range([bar.x for bar in bars])
    y_low, y_high = _range([*(end for bar in bars for end in (bar.y_low, bar.y_high)), *levels])
    outlines = [((bar.x - x_low) / (x_high - x_low), (bar.y - y_low) / (y_high - y_low)) for bar in bars]
    outlines += [(np.array([0.0, 1.0]), np.repeat((at - y_low) / (y_high - y_low), 2)) for at in levels]
    entries = [mark.label for mark in marks if mark.label is not None]
    different = sorted(set(sizes))
    shown = different[:: -(-len(different) // MOST_TICKS)]
    panel = Panel(
        marks=tuple(marks),
        x=Axis(
            label="Training cases per class, n (logarithmic)",
            low=x_low,
            high=x_high,
            ticks=tuple(_place(np.array(shown)).tolist()),
            tick_labels=tuple(map(str, shown)),
        ),
        y=Axis(label="Mean AUC", low=y_low, high=y_high),
        title=title,
        legend=layout.free_corner(outlines, entries, corners=CORNERS, size=layout.WIDE),
    )
    return Picture(panels=(panel,))


def _range(values: Sequence[Values | None]) -> tuple[float, float]:
    """Ends of an axis, with some room."""
    found = np.concatenate([value for value in values if value is not None])
    low, high = float(found.min()), float(found.max())
    room = ROOM * (high - low) or 0.5
    return low - room, high + room


def _title(result: MonteCarlo) -> str:
    boots = f", {result.n_boot:,} bootstraps" if result.n_boot else ""
    features = f"{result.dimension} feature{'s' if result.dimension > 1 else ''}"
    return f"{_name(result)}, {features}: {result.trials:,} trials{boots}"


def _name(result: MonteCarlo) -> str:
    return NAMES[result.learner]
