"""Decisions on one set of cases, without folds, as `rocscope report` counts them."""

import numpy as np

from rocscope.averaging.points import read_measures
from rocscope.averaging.roc import AveragedRoc
from rocscope.core.measures import count_decisions

ONE_FOLD = {"folds": ("all cases",), "test_over_train": 0.0}


def one_set(y, scores, weights, classes, **options):
    """Count the decisions of every row of weights on all cases."""
    codes = np.array([classes.index(label) for label in y])
    decided = (weights[:, np.newaxis] * scores).argmax(axis=2)
    counts = np.stack([count_decisions(codes, row, len(classes))[:, :-1] for row in decided])
    return AveragedRoc.from_counts(
        counts[:, np.newaxis],
        points=weights,
        kind="weights",
        measures=read_measures(options.pop("measures", None), classes),
        classes=tuple(classes),
        **ONE_FOLD,
        **options,
    )


def together(roc):
    """An average with all its folds counted as one."""
    return AveragedRoc.from_counts(
        roc.confusion[:, np.newaxis],
        points=roc.points,
        kind=roc.kind,
        measures=read_measures(None, roc.classes),
        classes=roc.classes,
        **ONE_FOLD,
    )
