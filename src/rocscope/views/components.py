"""Picture of the components of variance of a measured area."""

from __future__ import annotations

import numpy as np

from rocscope.bootstrap.components import SOURCES, VarianceComponents
from rocscope.views.legend import with_legend
from rocscope.views.marks import Axis, Bars, Panel, Picture
from rocscope.views.monte_carlo import NAMES

LABELS = {"training": "Training set", "test": "Test set", "both": "Both together"}
WIDTH = 0.25


def picture(result: VarianceComponents) -> Picture:
    """Show the standard deviation that each source adds, one group of bars per training size.

    Examples
    --------
    >>> from rocscope.bootstrap.components import variance_components
    >>> shown = picture(variance_components("lda", n=[20], training_sets=9, test_sets=9, rng=1))
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
