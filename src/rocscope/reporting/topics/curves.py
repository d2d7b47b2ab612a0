"""ROC curves with their bands, and estimates such as areas with every interval."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from rocscope import plotting
from rocscope.core import formatting
from rocscope.core.curve import RocCurve
from rocscope.core.result import Estimate
from rocscope.errors import UndefinedError
from rocscope.inference.bands import Band
from rocscope.inference.cutpoint import CutPoint
from rocscope.inference.point_measures import PointMeasures
from rocscope.plotting.bands import MEASURES
from rocscope.plotting.forest import NAMES, UNBOUNDED
from rocscope.reporting import tables
from rocscope.reporting.explorer import explorer_section
from rocscope.reporting.sections import Item, Plot, Section, Table
from rocscope.reporting.tables import estimate_table, number, remarks
from rocscope.reporting.thinning import curve_note

# So many curves have the point of their largest TPR - FPR marked; more texts would hide the curves.
MARKED = 3
TOLD_AT = 0.1  # the false positive rate at which a band is read aloud


def curve_sections(items: Sequence[Item]) -> list[Section]:
    """Curves and bands, the explorer of each curve, and estimates."""
    drawn = [item for item in items if isinstance(item.result, RocCurve)]
    curves = named(drawn, "curve")
    cutoffs = {name: _cutoff(item) for name, item in zip(curves, drawn, strict=True)}
    bands = [item for item in items if isinstance(item.result, Band)]
    estimates = [item for item in items if isinstance(item.result, Estimate)]
    made = [_curves(curves, bands, estimates, cutoffs)] if curves or bands else []
    for (name, curve), item in zip(curves.items(), drawn, strict=True):
        title = name if len(curves) > 1 else item.name
        made += explored(curve, title, start=cutoffs[name].index, select=item.select)
    return [*made, *([_estimates(estimates)] if estimates else [])]


def named(items: Sequence[Item], what: str) -> dict[str, RocCurve]:
    """Results by name; a number where there is none, or where it is not the only one of its name."""
    names = [item.name or (what if len(items) == 1 else f"{what} {k}") for k, item in enumerate(items, 1)]
    return {
        f"{name} ({k})" if names.count(name) > 1 else name: item.result
        for k, (name, item) in enumerate(zip(names, items, strict=True), 1)
    }


@dataclass(frozen=True, slots=True)
class _CutOff:
    """The vertex of a curve that the page speaks of, and how it was chosen; None is Youden's index."""

    index: int
    rule: str | None

    @property
    def marked(self) -> list[int]:
        """The vertex to mark; none where the best is to call nothing positive."""
        return [] if self.index == 0 and self.rule is None else [self.index]


def _cutoff(item: Item) -> _CutOff:
    """The operating point of the page: that of another result, that of the constraints, else Youden's."""
    curve: RocCurve = item.result
    best = curve.select(rule="youden")
    index = item.point
    if index is None and item.select:
        try:
            index = curve.select(*item.select)
        except UndefinedError:  # nothing meets the constraints
            return _CutOff(best, None)
    if index is None or (index == best and not item.select):
        return _CutOff(best, None)
    return _CutOff(index, " and ".join(item.select) or "the operating point below")


# ---- Curves and bands -------------------------------------------------------------------------------------


def _curves(
    curves: Mapping[str, RocCurve],
    bands: Sequence[Item],
    estimates: Sequence[Item],
    cutoffs: Mapping[str, _CutOff],
) -> Section:
    areas = {name: found for name in curves if (found := _area(name, curves, estimates)) is not None}
    behind = [_curve_behind(band, curves) for band in bands]
    plots = [_band_plot(band, name, curves, areas, cutoffs) for band, name in zip(bands, behind, strict=True)]
    if len(curves) > 1 or not any(name is not None for name in behind):
        plots[:0] = [_curves_plot(curves, areas, cutoffs)] if curves else []
    title = "ROC curves" if len(curves) > 1 else "ROC curve" if curves else "Bands"
    return Section(title=title, body=tuple(plots))


def _area(name: str, curves: Mapping[str, RocCurve], estimates: Sequence[Item]) -> Estimate | None:
    """The first area of the classifier: of its name, or any where there is just one curve."""
    found = [
        item.result
        for item in estimates
        if item.result.name == "AUC" and (item.name == name or (len(curves) == 1 and item.name is None))
    ]
    return found[0] if found else None


def _curves_plot(
    curves: Mapping[str, RocCurve], areas: Mapping[str, Estimate], cutoffs: Mapping[str, _CutOff]
) -> Plot:
    points = {name: cutoffs[name].marked for name in curves}
    marked = points if len(curves) <= MARKED else {}
    told = [_area_words(name, curve, areas.get(name), curves) for name, curve in curves.items()]
    if len(curves) <= MARKED:
        told += [_point_words(name, curve, cutoffs[name], curves) for name, curve in curves.items()]
    notes = [note for name, curve in curves.items() for note in curve_note(curve, name)]
    warned = [*curves.items(), *(_warned(name, area) for name, area in areas.items())]
    return Plot(
        picture=plotting.curves(curves, estimates=areas, points=marked),
        reading=" ".join(told),
        notes=(*notes, *remarks(("" if len(curves) == 1 else name, one) for name, one in warned)),
        name="curves",
    )


def _warned(name: str, area: Estimate) -> tuple[str, Estimate]:
    """An area with its warnings alone: why it has no interval stands in the text."""
    return name, replace(area, reason=None)


def _area_words(name: str, curve: RocCurve, area: Estimate | None, curves: Mapping[str, RocCurve]) -> str:
    value = tables.with_interval(area) if area is not None else f"{curve.auc:.3f}"
    first = f"{_of(name, curves)} area under the curve is {value}."
    meaning = tables.area_meaning(curve.auc, curve.pos_label, curve.neg_label)
    return f"{first} {meaning}" if name == next(iter(curves)) else first


def _of(name: str, curves: Mapping[str, RocCurve]) -> str:
    return "The" if len(curves) == 1 else f"{name}: the"


def _point_words(name: str, curve: RocCurve, cutoff: _CutOff, curves: Mapping[str, RocCurve]) -> str:
    index = cutoff.index
    cut = formatting.threshold(curve.thresholds[index])
    found, wrong = tables.share(float(curve.tpr[index])), tables.share(float(curve.fpr[index]))
    of = "" if len(curves) == 1 else f" of {name}"
    if index == 0 and cutoff.rule is not None:
        return f"No case tests positive at the point{of} ({cutoff.rule})."
    if cutoff.rule is not None:
        return (
            f"At the threshold {cut}{of} ({cutoff.rule}) the sensitivity is {found} and the false positive "
            f"rate {wrong}."
        )
    if index == 0:
        return f"At no threshold{of} is the TPR above the FPR."
    return (
        f"TPR - FPR{of} is largest at the threshold {cut}, which finds {found} of class {curve.pos_label} "
        f"and takes {wrong} of class {curve.neg_label} for it."
    )


def _curve_behind(band: Item, curves: Mapping[str, RocCurve]) -> str | None:
    """Name of the curve that a band belongs to: that of its own name, or the only one."""
    if not hasattr(band.result, "fpr"):
        return None
    if band.name is None:
        return next(iter(curves)) if len(curves) == 1 else None
    return band.name if band.name in curves else None


def _band_plot(
    band: Item,
    name: str | None,
    curves: Mapping[str, RocCurve],
    areas: Mapping[str, Estimate],
    cutoffs: Mapping[str, _CutOff],
) -> Plot:
    if name is None:
        picture = plotting.picture(band.result, name=band.name)
        return Plot(picture=picture, reading=band_words(band.result), notes=band.result.warnings)
    curve = curves[name]
    picture = plotting.picture(
        band.result, name=band.name, curve=curve, estimate=areas.get(name), points=cutoffs[name].marked
    )
    told = [band_words(band.result)]
    if len(curves) == 1:
        told = [
            _area_words(name, curve, areas.get(name), curves),
            _point_words(name, curve, cutoffs[name], curves),
            *told,
        ]
    area = areas[name].warnings if len(curves) == 1 and name in areas else ()
    notes = (*curve_note(curve), *curve.warnings, *area, *band.result.warnings)
    return Plot(picture=picture, reading=" ".join(told), notes=tuple(dict.fromkeys(notes)))


def band_words(band: Band) -> str:
    """Say what a band promises, and its interval at one place."""
    level = f"{100 * band.level:g}%"
    promise = (
        f"The whole true curve lies inside the band with probability {level}."
        if band.simultaneous
        else f"Each interval holds its own point of the true curve with probability {level}; some points of "
        "it will lie outside."
    )
    defined = np.flatnonzero(band.defined & np.isfinite(band.x))
    if not len(defined):
        return "There is no interval at any place."
    k = defined[np.argmin(np.abs(band.x[defined] - TOLD_AT))]
    ends = f"{band.low[k]:.3f} to {band.high[k]:.3f}"
    return f"{promise} At {band.x_label} {band.x[k]:.4g} it reaches from {ends} around {band.mean[k]:.3f}."


# ---- Estimates --------------------------------------------------------------------------------------------


def _estimates(items: Sequence[Item]) -> Section:
    kinds = {item.result.name for item in items}
    title = ("Areas" if kinds == {"AUC"} else kinds.pop()) if len(kinds) == 1 else "Estimates"
    rows = _rows(items)
    body = (
        Plot(picture=plotting.estimates(rows), reading=_estimate_words(items)),
        estimate_table(rows, caption="Every estimate with its interval"),
    )
    return Section(title=formatting.sentence(title), body=body)


def _rows(items: Sequence[Item]) -> dict[str, Estimate]:
    """Name every row by classifier, quantity and method, as far as they differ."""
    quantities = {item.result.name for item in items}
    rows: dict[str, Estimate] = {}
    for item in items:
        found: Estimate = item.result
        parts = [item.name, found.name if len(quantities) > 1 or item.name is None else None, found.method]
        name = ", ".join(part for part in parts if part)
        while name in rows:
            name += "'"
        rows[name] = found
    return rows


def _estimate_words(items: Sequence[Item]) -> str:
    """One sentence for each classifier and quantity: its value and how far the intervals agree."""
    groups: dict[tuple[str | None, str], list[Estimate]] = {}
    for item in items:
        groups.setdefault((item.name, item.result.name), []).append(item.result)
    return " ".join(_group_words(name, quantity, found) for (name, quantity), found in groups.items())


def _group_words(name: str | None, quantity: str, found: Sequence[Estimate]) -> str:
    whose = quantity if name is None else f"{quantity} of {name}"
    if len(found) == 1:
        return f"{whose}: {tables.with_interval(found[0])}, by {found[0].method}."
    known = [one for one in found if one.low is not None and one.high is not None]
    value = "undefined" if found[0].value is None else f"{found[0].value:.3f}"
    if not known:
        return f"{whose}: {value}, without an interval by any of {len(found)} methods."
    width = [(one.high or 0.0) - (one.low or 0.0) for one in known]
    narrow, wide = (known[int(at)] for at in (np.argmin(width), np.argmax(width)))
    return (
        f"{whose}: {value}. Of {tables.counted(len(known), 'interval')} the narrowest is {_ends(narrow)}, "
        f"the widest {_ends(wide)}."
    )


def _ends(found: Estimate) -> str:
    return f"{found.low:.3f} to {found.high:.3f} ({found.method})"


# ---- Operating points: what one threshold does, and how sure its choice is --------------------------------


def point_sections(items: Sequence[Item]) -> list[Section]:
    """One section for each point."""
    return [_measures(item) if isinstance(item.result, PointMeasures) else _cutpoint(item) for item in items]


def _measures(item: Item) -> Section:
    result: PointMeasures = item.result
    names = NAMES | UNBOUNDED
    known = {names.get(key, key): found for key, found in result.estimates.items() if _is_known(found)}
    body = (
        Plot(
            picture=plotting.picture(result, name=item.name or "score"),
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
    cut = formatting.threshold(result.threshold)
    told = [
        f"Cases with a score of at least {cut} are called {result.pos_label}."
        if result.tp + result.fp
        else f"No case is called {result.pos_label}.",
        f"{result.tp} of {result.tp + result.fn} cases of class {result.pos_label} are found, a share of "
        f"{tables.with_interval(result.sensitivity)}.",
        f"{result.fp} of {result.fp + result.tn} cases of class {result.neg_label} are called so wrongly; "
        f"the others are a share of {tables.with_interval(result.specificity)}.",
    ]
    if result.ppv.value is not None:
        told.append(f"Of those called {result.pos_label}, {tables.with_interval(result.ppv)} are so.")
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
            MEASURES.get(row.name, row.name),
            number(row.apparent),
            number(row.out_of_bag),
            tables.signed(row.optimism),
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
    picture = plotting.picture(result, name=item.name or "score")
    plot = Plot(picture=picture, reading=cutpoint_words(result), notes=_notes(result))
    return Section(title=item.titled("Choice of the threshold"), body=(plot, table))


def _notes(result: CutPoint) -> tuple[str, ...]:
    return (*([result.reason] if result.reason else []), *result.warnings)


def cutpoint_words(result: CutPoint) -> str:
    """Say how sure the threshold is, and how much of its quality is luck."""
    told = [f"The chosen threshold is {formatting.threshold(result.threshold)}."]
    if result.low is not None:
        ends = f"{formatting.threshold(result.low)} and {formatting.threshold(result.high)}"
        told.append(
            f"Chosen again on {result.n_boot} bootstrap samples it lay between {ends} in "
            f"{100 * result.level:g}% of them."
        )
    youden = result.youden
    if youden.apparent is not None and youden.out_of_bag is not None:
        told.append(
            f"TPR - FPR is {youden.apparent:.3f} on the cases that chose the point and "
            f"{youden.out_of_bag:.3f} on cases left out: a difference of {tables.signed(youden.optimism)} "
            "comes from the choice."
        )
    return " ".join(told)


# ---- The operating-point explorer of a result, where there is one -----------------------------------------


def explored(
    result: Any, name: str | None, *, start: int | None = None, select: Sequence[str] = ()
) -> list[Section]:
    """Return the section in which the reader moves an operating point, from the one that was chosen."""
    section = explorer_section(result, name=name, start=start, select=select)
    return [] if section is None else [section]
