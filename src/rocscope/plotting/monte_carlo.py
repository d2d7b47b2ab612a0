"""Pictures of Monte-Carlo studies: figures 3, 4 and 5 of Yousef, Wagner and Loew (AIPR 2004)."""

import math
from collections.abc import Sequence
from typing import Literal, TypeAlias

import numpy as np

from rocscope.bootstrap import components, learning, monte_carlo
from rocscope.core import checks, formatting, significance
from rocscope.errors import RocInputError
from rocscope.plotting.layout import CORNERS, group_bars, with_legend
from rocscope.plotting.marks import Axis, ErrorBars, Line, Mark, Panel, Picture, Points, ReferenceLine, Values

Show: TypeAlias = Literal["estimators", "training", "rescaled"]
DASHED = 6  # a series of the same colour with the next dashes
SUPPORTS = (0.632, 0.5)  # shares of the sample that AUC(*) is said to train on
ROOM = 0.08
MOST_TICKS = 12
NAMES = {"qda": "QDA", "lda": "LDA", "nearest-mean": "Nearest mean", "1nn": "1-nearest neighbour"}
LEARNING_CURVES = {
    "auc": "AUC of n training cases",
    "apparent": "Apparent AUC",
    "star632": "AUC(*) of n / .632 cases",
    "star500": "AUC(*) of n / .5 cases",
}


def monte_carlo_picture(result: monte_carlo.MonteCarlo, *, show: Show | None = None) -> Picture:
    """Show mean areas over the training size, with 95 % intervals of the Monte-Carlo error.

    Parameters
    ----------
    result
        What `monte_carlo` returns.
    show
        "estimators": each bootstrap estimator against the true area (figure 4). "training": true and
        apparent area (figure 3, for one number of features; `dimensions` shows several). "rescaled": the
        true area at n, with AUC(*) of the sizes n / .632 and n / .5 drawn at n (figure 5), from the smallest
        size to half the largest, where there are all three. Without it "estimators", or "training" for a
        result without bootstraps.

    Examples
    --------
    >>> from rocscope.bootstrap.monte_carlo import monte_carlo
    >>> result = monte_carlo("lda", n=[20, 40], trials=20, n_boot=10, rng=1)
    >>> [mark.label for mark in monte_carlo_picture(result).panels[0].marks if mark.label]
    ['Ideal classifier, 0.74', 'True AUC', 'AUC(*)', '.632', '.632+']
    """
    bootstrapped = "star" in result.estimators
    if show is None:
        show = "estimators" if bootstrapped else "training"
    checks.check_choice(show, ("estimators", "training", "rescaled"), name="show")
    if show == "training":
        return dimensions([result])
    if not bootstrapped:
        raise RocInputError(
            f"must be 'training' for a result without bootstraps, got {show!r}",
            argument="show",
            data_dependent=True,
        )
    sizes, marks = list(result.n), _ideal([result])
    within = None
    if show == "rescaled":
        if min(sizes) < max(sizes) * min(SUPPORTS):
            within = min(sizes), max(sizes) * min(SUPPORTS)
        else:
            sizes.append(math.ceil(min(sizes) * min(SUPPORTS)))  # its curves begin below the smallest size
        marks += _mean_marks(result, "true", 0, label="True AUC at n")
        for series, support in enumerate(SUPPORTS, start=1):
            label = f"AUC(*) at n / {str(support).lstrip('0')}"
            marks += _mean_marks(result, "star", series, label=label, support=support)
    else:
        names = [name for name in result.estimators if name != "apparent"]
        for series, name in enumerate(names):
            marks += _mean_marks(result, name, series, label=formatting.sentence(monte_carlo.TITLES[name]))
    boots = f", {result.n_boot:,} bootstraps" if result.n_boot else ""
    features = f"{result.dimension} feature{'s' if result.dimension > 1 else ''}"
    title = f"{NAMES[result.learner]}, {features}: {result.trials:,} trials{boots}"
    return _picture(marks, sizes, title, within)


def dimensions(results: Sequence[monte_carlo.MonteCarlo]) -> Picture:
    """Show true (solid) and apparent (dashed) areas, one colour per result (figure 3)."""
    learners = {result.learner for result in results}
    marks = _ideal(results)
    for series, result in enumerate(results):
        learner = "" if len(learners) == 1 else f"{NAMES[result.learner]}, "
        marks += _mean_marks(result, "apparent", series + DASHED, label=None)
        marks += _mean_marks(result, "true", series, label=f"{learner}p = {result.dimension}")
    true = f"{NAMES[results[0].learner]}: true" if len(learners) == 1 else "True"
    sizes = [n for result in results for n in result.n]
    return _picture(marks, sizes, f"{true} (solid) and apparent (dashed) AUC")


def _ideal(results: Sequence[monte_carlo.MonteCarlo]) -> list[Mark]:
    """The area of the ideal classifier, where all results have the same."""
    area = results[0].ideal_auc
    if area is None or len({result.ideal_auc for result in results}) > 1:
        return []
    label = f"Ideal classifier, {formatting.rate(area)}"
    return [ReferenceLine(axis="y", at=area, role="reference", label=label)]


def _mean_marks(
    result: monte_carlo.MonteCarlo, estimator: str, series: int, *, label: str | None, support: float = 1.0
) -> list[Mark]:
    """Means over the logarithms of the sizes."""
    order = np.argsort(result.n)
    x = np.log2(np.array(result.n)[order] * support)
    error = result.figures(estimator, "mean_error")[order]
    return _curve_marks(x, result.figures(estimator, "mean")[order], error, series, label)


def _curve_marks(x: Values, y: Values, error: Values, series: int, label: str | None) -> list[Mark]:
    """Means joined by a line, with 95 % intervals from their standard errors."""
    reach = significance.quantile(0.95) * error
    return [
        ErrorBars(x=x, y=y, y_low=y - reach, y_high=y + reach, role="interval", series=series),
        Line(x=x, y=y, role="curve", series=series, label=label),
        Points(x=x, y=y, role="point", series=series),
    ]


def _picture(
    marks: list[Mark], sizes: Sequence[int], title: str, within: tuple[float, float] | None = None
) -> Picture:
    """The panel of these marks; ticks are at the sizes, and it ends with those `within`."""
    x, y = (
        np.concatenate(values) for values in zip(*(o for mark in marks for o in mark.outlines()), strict=True)
    )
    if within is not None:
        sizes = [n for n in sizes if within[0] <= n <= within[1]]
        low, high = np.log2(within)
        kept = ((x >= low) & (x <= high)) | ~np.isfinite(x)  # a reference line has no ends
        x, y = np.append(x[kept], [low, high]), y[kept]
    ends = []
    for values in (x[np.isfinite(x)], y[np.isfinite(y)]):
        room = ROOM * float(values.max() - values.min()) or 0.5
        ends.append((float(values.min()) - room, float(values.max()) + room))
    (x_low, x_high), (y_low, y_high) = ends
    different = sorted(set(sizes))
    ticks = different[:: -(-len(different) // MOST_TICKS)]
    axis = Axis(
        label="Training cases per class, n (logarithmic)",
        low=x_low,
        high=x_high,
        ticks=tuple(np.log2(ticks).tolist()),
        tick_labels=tuple(map(str, ticks)),
    )
    panel = Panel(marks=tuple(marks), x=axis, y=Axis(label="Mean AUC", low=y_low, high=y_high), title=title)
    return Picture(panels=(with_legend(panel, ("lower right", "upper right", "upper left", "lower left")),))


def components_picture(result: components.VarianceComponents) -> Picture:
    """Show the standard deviation that each source adds, one group of bars per training size.

    Examples
    --------
    >>> from rocscope.bootstrap.components import variance_components
    >>> drawn = components_picture(variance_components("lda", n=[20], training_sets=9, test_sets=9, rng=1))
    >>> [mark.label for mark in drawn.panels[0].marks]
    ['Training set', 'Test set', 'Both together']
    """
    title = f"{NAMES[result.learner]}: one training set and one test set of {result.n_test:,} per class"
    panel = _components_panel(result, title)
    return Picture(panels=(with_legend(panel, ("upper right", *CORNERS)),))


def difference_components_picture(result: components.DifferenceComponents) -> Picture:
    """Show the standard deviations that each source adds to either area, and to their difference.

    Examples
    --------
    >>> from rocscope.bootstrap.components import difference_components
    >>> found = difference_components("lda", "qda", n=[20], training_sets=9, test_sets=9, rng=1)
    >>> [panel.title for panel in difference_components_picture(found).panels]
    ['LDA', 'QDA', 'LDA minus QDA']
    """
    first, second = NAMES[result.first.learner], NAMES[result.second.learner]
    parts = (result.first, result.second, result.difference)
    titles = (first, second, f"{first} minus {second}")
    top = 1.05 * max(row.sd for part in parts for row in part.rows) or 1.0
    panels = [
        _components_panel(part, title, top, of="the difference" if part is result.difference else "the AUC")
        for part, title in zip(parts, titles, strict=True)
    ]
    last = with_legend(panels[-1], ("upper right", *CORNERS))
    sets = (
        f"One training set and one test set of {result.difference.n_test:,} per class, both learners on both"
    )
    return Picture(panels=(*panels[:-1], last), columns=3, title=sets)


def _components_panel(
    result: components.VarianceComponents, title: str, top: float | None = None, *, of: str = "the AUC"
) -> Panel:
    """Standard deviation from each source, a group of bars for each size."""
    labels = {"training": "Training set", "test": "Test set", "both": "Both together"}
    groups = {
        labels[source]: np.array([result.row(n, source).sd for n in result.n])
        for source in components.SOURCES
    }
    names = list(map(str, result.n))
    bars, axis = group_bars(groups, names, width=0.25, label="Training cases per class, n")
    y = Axis(label=f"Standard deviation of {of}", low=0.0, high=top)
    return Panel(marks=tuple(bars), x=axis, y=y, title=title)


def learning_curve_picture(result: learning.LearningCurve) -> Picture:
    """Show AUC against training size, with 95 % intervals of the Monte-Carlo errors.

    AUC(*) of data sets of n / .632 and n / .5 cases, which are said to be worth n, is drawn at n.

    Examples
    --------
    >>> import numpy as np
    >>> from sklearn.naive_bayes import GaussianNB
    >>> from rocscope.bootstrap.learning import learning_curve
    >>> X, y = np.arange(40.0)[:, np.newaxis] % 7, np.repeat([0, 1], 20)
    >>> drawn = learning_curve_picture(learning_curve(GaussianNB(), X, y, sizes=[10, 20], n_boot=5, rng=1))
    >>> [mark.label for mark in drawn.panels[0].marks if mark.label][:2]
    ['AUC of n training cases', 'Apparent AUC']
    """
    marks: list[Mark] = []
    for series, name in enumerate(result.estimates):
        defined = result.defined[:, series]
        if defined.any():
            x, y = result.sizes[defined].astype(np.float64), result.values[defined, series]
            marks += _curve_marks(x, y, result.mc_error[defined, series], series, LEARNING_CURVES[name])
    panel = Panel(
        marks=tuple(marks),
        x=Axis(label="Training cases, n"),
        y=Axis(label="AUC"),
        title=f"{result.n_boot} replicates for each point",
    )
    return Picture(panels=(with_legend(panel, ("upper right", *CORNERS)),))


def learning_curves_picture(result: learning.LearningCurves) -> Picture:
    """Show the AUC of several learners against training size: of other cases solid, of their own dashed.

    Examples
    --------
    >>> import numpy as np
    >>> from sklearn.dummy import DummyClassifier
    >>> from sklearn.naive_bayes import GaussianNB
    >>> from rocscope.bootstrap.learning import learning_curve
    >>> X, y = np.arange(40.0)[:, np.newaxis] % 7, np.repeat([0, 1], 20)
    >>> learners = {"nb": GaussianNB(), "none": DummyClassifier()}
    >>> drawn = learning_curves_picture(learning_curve(learners, X, y, sizes=[10, 20], n_boot=5, rng=1))
    >>> [mark.label for mark in drawn.panels[0].marks if mark.label]
    ['nb', 'none']
    """
    marks: list[Mark] = []
    for series, (name, curve) in enumerate(result.curves.items()):
        for estimate, label, dashes in (("apparent", None, DASHED), ("auc", name, 0)):
            at = curve.estimates.index(estimate)
            defined = curve.defined[:, at]
            x, y = curve.sizes[defined].astype(np.float64), curve.values[defined, at]
            if len(x):
                marks += _curve_marks(x, y, curve.mc_error[defined, at], series + dashes, label)
    panel = Panel(
        marks=tuple(marks),
        x=Axis(label="Training cases, n"),
        y=Axis(label="AUC"),
        title="AUC on other cases (solid) and apparent (dashed)",
    )
    return Picture(panels=(with_legend(panel, ("lower right", "upper right", *CORNERS)),))
