"""Operating points: what one threshold does, and how sure its choice is."""

from __future__ import annotations

from collections.abc import Sequence

from rocscope import views
from rocscope.area.cutpoint import CutPoint
from rocscope.area.point_measures import PointMeasures
from rocscope.core.result import Estimate
from rocscope.report import reading
from rocscope.report.items import Item
from rocscope.report.sections import Plot, Section, Table
from rocscope.report.tables import estimate_table, number
from rocscope.views import words
from rocscope.views.cutpoint import SHOWN
from rocscope.views.point_measures import NAMES, TOLD


def sections(items: Sequence[Item]) -> list[Section]:
    """One section for each point."""
    return [_measures(item) if isinstance(item.result, PointMeasures) else _cutpoint(item) for item in items]


def _measures(item: Item) -> Section:
    result: PointMeasures = item.result
    names = NAMES | TOLD
    known = {names.get(key, key): found for key, found in result.estimates.items() if _is_known(found)}
    body = (
        Plot(
            picture=views.picture(result, name=item.name or "score"),
            reading=measure_words(result),
            notes=result.warnings,
        ),
        _confusion(result),
        estimate_table(known, caption="Every measure with its interval"),
    )
    return Section(title=item.titled("Operating point"), body=body)


def _is_known(found: Estimate) -> bool:
    return found.value is not None or found.low is not None


def measure_words(result: PointMeasures) -> str:
    """Say what happens to a hundred cases of each class."""
    cut = words.threshold(result.threshold)
    told = [
        f"Cases with a score of at least {cut} are called {result.pos_label}."
        if result.tp + result.fp
        else f"No case is called {result.pos_label}.",
        f"{result.tp} of {result.tp + result.fn} cases of class {result.pos_label} are found, a share of "
        f"{reading.with_interval(result.sensitivity)}.",
        f"{result.fp} of {result.fp + result.tn} cases of class {result.neg_label} are called so wrongly; "
        f"the others are a share of {reading.with_interval(result.specificity)}.",
    ]
    if result.ppv.value is not None:
        told.append(f"Of those called {result.pos_label}, {reading.with_interval(result.ppv)} are so.")
    return " ".join(told)


def _confusion(result: PointMeasures) -> Table:
    header = ("true class", f"called {result.pos_label}", f"called {result.neg_label}")
    rows = (
        (str(result.pos_label), str(result.tp), str(result.fn)),
        (str(result.neg_label), str(result.fp), str(result.tn)),
    )
    return Table(caption="Confusion matrix", header=header, rows=rows)


def _cutpoint(item: Item) -> Section:
    result: CutPoint = item.result
    rows = [
        (
            SHOWN.get(row.name, row.name),
            number(row.apparent),
            number(row.out_of_bag),
            reading.signed(row.optimism),
            number(row.sd),
        )
        for row in result.measures
        if row.apparent is not None
    ]
    table = Table(
        caption="What the point promises, and what it keeps",
        header=("measure", "where it was chosen", "on cases left out", "optimism", "sd"),
        rows=rows,
    )
    picture = views.picture(result, name=item.name or "score")
    plot = Plot(picture=picture, reading=cutpoint_words(result), notes=_notes(result))
    return Section(title=item.titled("Choice of the threshold"), body=(plot, table))


def _notes(result: CutPoint) -> tuple[str, ...]:
    return (*([result.reason] if result.reason else []), *result.warnings)


def cutpoint_words(result: CutPoint) -> str:
    """Say how sure the threshold is, and how much of its quality is luck."""
    told = [f"The chosen threshold is {words.threshold(result.threshold)}."]
    if result.low is not None:
        ends = f"{words.threshold(result.low)} and {words.threshold(result.high)}"
        told.append(
            f"Chosen again on {result.n_boot} bootstrap samples it lay between {ends} in "
            f"{100 * result.level:g}% of them."
        )
    youden = result.youden
    if youden.apparent is not None and youden.out_of_bag is not None:
        told.append(
            f"TPR - FPR is {youden.apparent:.3f} on the cases that chose the point and "
            f"{youden.out_of_bag:.3f} on cases left out: a difference of {reading.signed(youden.optimism)} "
            "comes from the choice."
        )
    return " ".join(told)
