"""Pictures of ROC curves."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from rocscope.core import checks
from rocscope.core.curve import RocCurve
from rocscope.core.result import Estimate
from rocscope.errors import RocInputError
from rocscope.views import layout, words
from rocscope.views.layout import PointLabel
from rocscope.views.marks import Line, Mark, Picture, Points
from rocscope.views.roc_space import CHANCE, point_texts, roc_picture, thinned


@dataclass(frozen=True, slots=True, kw_only=True)
class _Series:
    """A curve with all that is shown of it."""

    index: int
    curve: RocCurve
    label: str
    points: tuple[int, ...]
    hull: RocCurve | None

    def point_labels(self) -> list[PointLabel]:
        found = ((self.curve.thresholds[k], self.curve.fpr[k], self.curve.tpr[k]) for k in self.points)
        return [
            PointLabel(float(fpr), float(tpr), words.operating_point(threshold, fpr, tpr), self.index)
            for threshold, fpr, tpr in found
        ]


def picture(
    curve: RocCurve,
    *,
    name: str | None = None,
    estimate: Estimate | None = None,
    points: Iterable[int] = (),
    hull: bool = False,
) -> Picture:
    """Show one ROC curve with the chance diagonal.

    Parameters
    ----------
    curve
        The curve. Beyond 2000 vertices it is thinned for display, which moves it by 0.001 or so.
    name
        Name of the classifier in the legend.
    estimate
        The area with an interval, as `auc` returns it, for the legend.
    points
        Indices of vertices, as `select` returns them, to mark with their threshold and rates.
    hull
        Whether to show the convex hull.

    Examples
    --------
    >>> import rocscope as rs
    >>> shown = picture(rs.roc_curve([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8]), name="test")
    >>> [mark.label for mark in shown.panels[0].marks]
    ['Chance (AUC = 0.5)', 'test (AUC = 0.75)']
    """
    area = words.area(curve.auc, estimate)
    label = area if name is None else f"{name} ({area})"
    return _picture([_series(0, curve, label, points, hull)])


def curves(
    curves: Mapping[str, RocCurve],
    *,
    estimates: Mapping[str, Estimate] | None = None,
    points: Mapping[str, Iterable[int]] | None = None,
    hull: bool = False,
) -> Picture:
    """Show several ROC curves in one plot.

    Parameters
    ----------
    curves
        Mapping of name to curve, in the order of the legend.
    estimates
        Mapping of name to the area with its interval, for all curves or some.
    points
        Mapping of name to indices of the vertices to mark.
    hull
        Whether to show the convex hulls.

    Examples
    --------
    >>> import rocscope as rs
    >>> y = [0, 0, 1, 1]
    >>> shown = curves({"a": rs.roc_curve(y, [1, 3, 2, 4]), "b": rs.roc_curve(y, [1, 2, 3, 4])})
    >>> [mark.label for mark in shown.panels[0].marks]
    ['Chance (AUC = 0.5)', 'a (AUC = 0.75)', 'b (AUC = 1.00)']
    """
    if not curves:
        raise RocInputError("curves must map at least one name to a curve, got none")
    estimates, points = estimates or {}, points or {}
    _check_names(estimates, curves, name="estimates")
    _check_names(points, curves, name="points")
    return _picture(
        [
            _series(
                k, curve, f"{name} ({words.area(curve.auc, estimates.get(name))})", points.get(name, ()), hull
            )
            for k, (name, curve) in enumerate(curves.items())
        ]
    )


def _check_names(given: Iterable[str], known: Iterable[str], *, name: str) -> None:
    for key in given:
        checks.check_choice(key, list(known), name=f"a name in {name}")


def _series(index: int, curve: RocCurve, label: str, points: Iterable[int], hull: bool) -> _Series:
    kept = tuple(checks.check_integer(k, name="points", low=0) for k in points)
    if kept and max(kept) >= len(curve):
        raise RocInputError(f"points must hold indices from 0 to {len(curve) - 1}, got {max(kept)}")
    return _Series(index=index, curve=curve, label=label, points=kept, hull=curve.hull() if hull else None)


def _picture(series: Sequence[_Series]) -> Picture:
    lines = [line for one in series for line in _lines(one)]
    outlines = [(line.x, line.y) for line in lines]
    legend, taken = layout.place_legend(outlines, [line.label or "" for line in (CHANCE, *lines)])
    labels = [label for one in series for label in one.point_labels()]
    texts = point_texts(labels, outlines, taken)
    leaders = [mark for mark in texts if isinstance(mark, Line)]
    notes = [mark for mark in texts if not isinstance(mark, Line)]
    return roc_picture(
        [CHANCE, *lines, *leaders, *_selected(series), *notes],
        positive=[one.curve.pos_label for one in series],
        legend=legend,
    )


def _lines(one: _Series) -> list[Line]:
    x, y = thinned(one.curve.fpr, one.curve.tpr)
    lines = [Line(x=x, y=y, role="curve", label=one.label, series=one.index)]
    if one.hull is not None:
        x, y = thinned(one.hull.fpr, one.hull.tpr)
        label = f"Convex hull (AUC = {words.rate(one.hull.auc)})"
        lines.append(Line(x=x, y=y, role="hull", label=label, series=one.index))
    return lines


def _selected(series: Sequence[_Series]) -> list[Mark]:
    return [
        Points(
            x=one.curve.fpr[list(one.points)],
            y=one.curve.tpr[list(one.points)],
            role="selected",
            series=one.index,
        )
        for one in series
        if one.points
    ]
