"""Pictures of Monte-Carlo studies: figures 3, 4 and 5 of Yousef, Wagner and Loew (AIPR 2004)."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Literal

import numpy as np

from rocscope.bootstrap.components import SOURCES, VarianceComponents
from rocscope.bootstrap.learning import LearningCurve
from rocscope.bootstrap.monte_carlo import TITLES, MonteCarlo
from rocscope.core import checks, formatting, significance
from rocscope.errors import RocInputError
from rocscope.plotting import layout
from rocscope.plotting.layout import Outline, with_legend
from rocscope.plotting.marks import (
    Axis,
    Bars,
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


def monte_carlo_picture(result: MonteCarlo, *, show: Show | None = None) -> Picture:
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
    >>> [mark.label for mark in monte_carlo_picture(result).panels[0].marks if mark.label]
    ['Ideal classifier, 0.74', 'True AUC', 'AUC(*)', '.632', '.632+']
    """
    if show is None:
        show = "estimators" if "star" in result.estimators else "training"
    checks.check_choice(show, SHOWN, name="show")
    if show != "training" and "star" not in result.estimators:
        raise RocInputError(
            f"must be 'training' for a result without bootstraps, got {show!r}", argument="show"
        )
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
        for mark in _curve(result, name, series, label=formatting.sentence(TITLES[name]))
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
    reach = significance.quantile(0.95) * result.figures(estimator, "mean_error")[order]
    return [
        ErrorBars(x=x, y=y, y_low=y - reach, y_high=y + reach, role="interval", series=series),
        Line(x=x, y=y, role="curve", series=series, label=label),
        Points(x=x, y=y, role="point", series=series),
    ]


def _ideal(result: MonteCarlo) -> list[Mark]:
    if result.ideal_auc is None:
        return []
    label = f"Ideal classifier, {formatting.rate(result.ideal_auc)}"
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


# ---- Picture of the components of variance of a measured area ---------------------------------------------

LABELS = {"training": "Training set", "test": "Test set", "both": "Both together"}
WIDTH = 0.25


def components_picture(result: VarianceComponents) -> Picture:
    """Show the standard deviation that each source adds, one group of bars per training size.

    Examples
    --------
    >>> from rocscope.bootstrap.components import variance_components
    >>> shown = components_picture(variance_components("lda", n=[20], training_sets=9, test_sets=9, rng=1))
    >>> [mark.label for mark in shown.panels[0].marks]
    ['Training set', 'Test set', 'Both together']
    """
    middle = np.arange(len(result.n), dtype=np.float64)
    bars = [
        Bars(
            low=middle + (series - 1.5) * WIDTH,
            high=middle + (series - 0.5) * WIDTH,
            length=np.array([result.row(n, source).sd for n in result.n]),
            role="count",
            series=series,
            label=LABELS[source],
        )
        for series, source in enumerate(SOURCES)
    ]
    panel = Panel(
        marks=tuple(bars),
        x=Axis(
            label="Training cases per class, n",
            ticks=tuple(middle.tolist()),
            tick_labels=tuple(map(str, result.n)),
            grid=False,
        ),
        y=Axis(label="Standard deviation of the AUC", low=0.0),
        title=f"{NAMES[result.learner]}: one training set and one test set of {result.n_test:,} per class",
    )
    return Picture(panels=(with_legend(panel, first=("upper right",)),))


# -----------------------------------------------------------------------------------------------------------
# Picture of a learning curve: AUC against training size, and AUC(*) of data sets said to be worth it

LABELS_LEARNING_CURVE = {
    "auc": "AUC of n training cases",
    "apparent": "Apparent AUC",
    "star632": "AUC(*) of n / .632 cases",
    "star500": "AUC(*) of n / .5 cases",
}
CORNERS_LEARNING_CURVE: tuple[Legend, ...] = ("upper right", "lower right", "upper left", "lower left")
ROOM_LEARNING_CURVE = 0.06


def learning_curve_picture(result: LearningCurve) -> Picture:
    """Show all curves with 95 % intervals of their Monte-Carlo errors.

    Examples
    --------
    >>> import numpy as np
    >>> from sklearn.naive_bayes import GaussianNB
    >>> from rocscope.bootstrap.learning import learning_curve
    >>> X, y = np.arange(40.0)[:, np.newaxis] % 7, np.repeat([0, 1], 20)
    >>> shown = learning_curve_picture(learning_curve(GaussianNB(), X, y, sizes=[10, 20], n_boot=5, rng=1))
    >>> [mark.label for mark in shown.panels[0].marks if mark.label][:2]
    ['AUC of n training cases', 'Apparent AUC']
    """
    marks: list[Mark] = []
    outlines: list[Outline] = []
    for series, name in enumerate(result.estimates):
        defined = result.defined[:, series]
        if not defined.any():
            continue
        x, y = result.sizes[defined].astype(np.float64), result.values[defined, series]
        reach = significance.quantile(0.95) * result.mc_error[defined, series]
        marks += [
            ErrorBars(x=x, y=y, y_low=y - reach, y_high=y + reach, role="interval", series=series),
            Line(x=x, y=y, role="curve", series=series, label=LABELS_LEARNING_CURVE[name]),
            Points(x=x, y=y, role="point", series=series),
        ]
        outlines += [(x, y - reach), (x, y + reach)]
    panel = Panel(
        marks=tuple(marks),
        x=Axis(label="Training cases, n"),
        y=Axis(label="AUC"),
        title=f"{result.n_boot} replicates for each point",
        legend=_legend(outlines, [mark.label for mark in marks if mark.label is not None]),
    )
    return Picture(panels=(panel,))


def _legend(outlines: list[Outline], entries: list[str]) -> Legend:
    """A corner that no curve crosses; the plot reaches a little beyond its outlines."""
    if not outlines:
        return "below"
    x, y = (np.concatenate([outline[k] for outline in outlines]) for k in (0, 1))
    spans = [(v.min(), max(v.max() - v.min(), 1e-9)) for v in (x, y)]
    scaled = [
        tuple(
            ROOM_LEARNING_CURVE / 2 + (1 - ROOM_LEARNING_CURVE) * (v - low) / span
            for v, (low, span) in zip(outline, spans, strict=True)
        )
        for outline in outlines
    ]
    return layout.free_corner(
        [(a, b) for a, b in scaled], entries, corners=CORNERS_LEARNING_CURVE, size=layout.WIDE
    )
