"""The results that `rocscope report` finds for three classes and more, with a score for each."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING, Any

from rocscope.cli.average import SEARCHED
from rocscope.cli.parse import read_names
from rocscope.cli.reported import POINTS, AskedReport, Found, compared
from rocscope.errors import UndefinedError

if TYPE_CHECKING:
    from rocscope.average.averaged import AveragedRoc
    from rocscope.core.scores import ClassScores
    from rocscope.sources.local import LocalFile

ALL_CASES = "all cases"  # the one fold of a table without folds


def several_classes(source: LocalFile, asked: AskedReport, found: Found) -> list[Any]:
    """Areas by pairs and by classes, and the errors of every class at weights that a search finds."""
    from rocscope.area.multiclass import multiclass_auc
    from rocscope.average.search import search_weights

    data = _class_scores(source, asked, found)
    labels, results = [data.classes[k] for k in data.codes], list[Any]()
    found.steps = 5  # two kinds of areas, class weights, errors, the choice
    for scheme in ("ovo", "ovr"):
        how: dict[str, Any] = {"classes": data.classes, "scheme": scheme, "level": asked.level}
        results += found.tried(f"the areas ({scheme})", multiclass_auc, labels, data.scores, **how)
    weights = found.tried("class weights", search_weights, data, keep=POINTS, rng=asked.draws.seed)
    return [*results, *(one for rows in weights for one in _errors(data, rows, asked, found))]


def _errors(data: ClassScores, weights: Any, asked: AskedReport, found: Found) -> list[Any]:
    from rocscope.average.roc import average_roc

    if asked.fold is None:
        averages = found.tried("the errors of every class", _counted, data, weights)
        for roc in averages:  # chosen by the page itself; a note says where nothing meets the constraints
            found.tried("the choice on the classes", roc.select, *asked.select, forgiven=UndefinedError)
        return [_searched(roc) for roc in averages]
    averages = found.tried("the average", average_roc, data, points=weights)
    return [one for roc in averages for one in compared("the classes", _searched(roc), asked, found)]


def _searched(roc: AveragedRoc) -> AveragedRoc:
    """Say that the weights were chosen by these cases."""
    return dataclasses.replace(roc, warnings=(*roc.warnings, SEARCHED))


def _counted(data: ClassScores, weights: Any) -> AveragedRoc:
    """All cases as one fold: errors are shares of cases, which do not vary over folds."""
    from rocscope.average.averaged import AveragedRoc
    from rocscope.average.wanted import read_measures
    from rocscope.average.weighted import weighted_confusion

    return AveragedRoc.from_counts(
        weighted_confusion(data.codes, data.scores, weights),
        points=weights,
        kind="weights",
        measures=read_measures(None, data.classes),
        folds=(ALL_CASES,),
        classes=data.classes,
        test_over_train=0.0,
    )


def _class_scores(source: LocalFile, asked: AskedReport, found: Found) -> ClassScores:
    import numpy as np

    from rocscope.cli.features import labelled_table
    from rocscope.core.scores import ClassScores
    from rocscope.sources.columns import label_like
    from rocscope.sources.files import score_names
    from rocscope.sources.profile import dropped_words

    scores = score_names(list(asked.scores), asked.label)
    table = labelled_table(source, scores, label=asked.label, fold=asked.fold, na=asked.na)
    names = read_names(asked.classes or "", "--classes")
    found.notes += dropped_words(table.dropped)
    return ClassScores.from_arrays(
        table.arrays[asked.label],
        np.column_stack([table.arrays[name] for name in scores]),
        classes=[label_like(name, table.profiles[asked.label]) for name in names],
        fold=None if asked.fold is None else table.arrays[asked.fold],
    )
