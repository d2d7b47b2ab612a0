"""Averages over folds: operating points with their variance, and which of them cannot be told apart."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocscope import plotting
from rocscope.averaging.curves import AveragedCurve
from rocscope.averaging.point_tests import IndifferenceRegion, PointComparison
from rocscope.averaging.roc import AveragedRoc
from rocscope.core import formatting
from rocscope.errors import UndefinedError
from rocscope.plotting.marks import Panel3
from rocscope.reporting import tables
from rocscope.reporting.analysis import Rule
from rocscope.reporting.sections import Item, Plot, Section
from rocscope.reporting.tables import columns_table, measure_name, remarks
from rocscope.reporting.topics.curves import explored


def fold_sections(items: Sequence[Item]) -> list[Section]:
    """One section for each average, and the explorer of its points once."""
    made, seen = list[Section](), list[AveragedRoc]()
    for item in items:
        made.append(_averaged_curve(item) if isinstance(item.result, AveragedCurve) else _points(item))
        roc = roc_of(item.result)
        if roc is not None and not any(roc is other for other in seen):
            made += explored(roc, item.name, start=_index(item), select=item.select)
            seen.append(roc)
    return made


def roc_of(result: Any) -> AveragedRoc | None:
    """The averaged points behind a result."""
    if isinstance(result, IndifferenceRegion):
        return result.comparison.roc
    if isinstance(result, PointComparison):
        return result.roc
    return result if isinstance(result, AveragedRoc) else None


def _index(item: Item) -> int | None:
    return index_of(item.result, item.select, item.rule)


def index_of(result: Any, select: Sequence[str] = (), rule: Rule | None = None) -> int | None:
    """The point that a result is about, or that the constraints select; None where neither says."""
    if isinstance(result, IndifferenceRegion):
        return result.comparison.index
    if isinstance(result, PointComparison):
        return result.index
    try:
        return result.select(*select, rule=rule) if select or rule else None
    except UndefinedError:  # nothing meets the constraints
        return None


def _points(item: Item) -> Section:
    roc = roc_of(item.result)
    assert roc is not None
    several = len(roc.classes) > 2
    index = _index(item)
    marked = {}
    if several and item.result is roc:
        marked = {"index": _balanced(roc)[0] if index is None else index}
    picture = plotting.picture(item.result, **marked)
    solid = any(isinstance(panel, Panel3) for panel in picture.panels)
    plot = Plot(
        picture=picture,
        reading=" ".join(
            [
                _average_words(roc),
                *_constraint_words(roc, index, item),
                *_comparison_words(item.result),
                *(_turn_words() if solid else []),
            ]
        ),
        notes=remarks([("", roc)]),
        linked=len(picture.panels) > 1 and roc.thresholds is None,
    )
    table = columns_table(roc, caption="All points", named=measure_name)
    tables = [] if table is None else [replace(table, folded=True)]
    return Section(title=item.titled(_title(roc)), body=(plot, *tables))


def _title(roc: AveragedRoc) -> str:
    if len(roc.classes) == 2:
        return "Average over folds"
    return "Errors of every class over folds" if len(roc.folds) > 1 else "Errors of every class"


def _turn_words() -> list[str]:
    return ["Drag the box to turn it; click a point to find it again in the other panels."]


def _average_words(roc: AveragedRoc) -> str:
    kinds = {"threshold": "thresholds", "weights": "class weights", "rule": "decision rules"}
    at = f"one of {len(roc)} {kinds[roc.kind]}"
    told = [f"Every point is the mean of {len(roc.folds)} folds at {at}."]
    if len(roc.folds) == 1:
        told = [f"Every point counts all cases at {at}."]
    known = roc.sem[np.isfinite(roc.sem)]
    if known.size:
        told.append(f"The standard errors of the means reach up to {known.max():.3f}.")
    if len(roc.classes) > 2:
        told += _balanced_words(roc)
    return " ".join(told)


def _balanced(roc: AveragedRoc) -> tuple[int, NDArray[np.float64]]:
    """The point whose largest class error is smallest, and its errors."""
    errors = np.stack([roc.measure(f"error({name})") for name in roc.classes], axis=1)
    worst = np.where(np.isnan(errors).any(axis=1), np.inf, errors.max(axis=1))
    k = int(np.argmin(worst))
    return k, errors[k]


def _balanced_words(roc: AveragedRoc) -> list[str]:
    """The point whose largest class error is smallest."""
    k, errors = _balanced(roc)
    told = _errors(roc, errors)
    return [f"Of these the largest class error is smallest at point {k}, where it errs on {told}."]


def _errors(roc: AveragedRoc, errors: Iterable[Any]) -> str:
    """The share of each class that is decided wrongly."""
    shares = [
        f"{tables.share(float(value))} of class {name}"
        for name, value in zip(roc.classes, errors, strict=True)
    ]
    return tables.listed(shares)


def _constraint_words(roc: AveragedRoc, index: int | None, item: Item) -> list[str]:
    """The point of three classes or more that the constraints choose, and its errors."""
    if index is None or not (item.select or item.rule) or len(roc.classes) == 2:
        return []
    errors = [roc.measure(f"error({name})")[index] for name in roc.classes]
    by = " and ".join(item.select) or item.rule
    return [f"Chosen by {by} is point {index}, where it errs on {_errors(roc, errors)}."]


def _comparison_words(result: Any) -> list[str]:
    if isinstance(result, IndifferenceRegion):
        return _comparison_words(result.comparison)
    if not isinstance(result, PointComparison):
        return []
    others = int(np.count_nonzero(result.indistinguishable)) - 1
    where = f"point {result.index}"
    if result.roc.kind == "threshold":
        where += f" (threshold {formatting.threshold(result.roc.points[result.index])})"
    how = f"{100 * result.level:g}% ({result.method}, {result.df:g} degrees of freedom)"
    by = tables.listed([measure_name(name) for name in result.measures])
    if not others:
        return [f"All {len(result) - 1} other points differ from {where} at {how}."]
    return [
        f"{others} of {tables.counted(len(result) - 1, 'other point')} cannot be told apart from {where} by "
        f"{by} at {how}: these cases are too few to prefer one of them."
    ]


def _averaged_curve(item: Item) -> Section:
    result: AveragedCurve = item.result
    told = f"{formatting.sentence(result.estimates)}: the mean of {len(result.folds)} folds."
    defined = np.flatnonzero(result.defined)
    if len(defined):
        k = defined[len(defined) // 2]
        told += (
            f" At {result.x_label} {float(result.x[k]):.4g} it is {result.mean[k]:.3f} "
            f"({100 * result.level:g}% interval {result.low[k]:.3f} to {result.high[k]:.3f})."
        )
    plot = Plot(picture=plotting.picture(result), reading=told, notes=result.warnings)
    return Section(title=item.titled("Mean curve over folds"), body=(plot,))
