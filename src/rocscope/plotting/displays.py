"""Several ROC curves on one pair of axes, and the display that scikit-learn users know."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rocscope.core import checks
from rocscope.core.curve import RocCurve, roc_curve
from rocscope.core.result import CurveResult
from rocscope.errors import RocInputError
from rocscope.plotting import bands, roc_curves, static


def plot_roc(
    curves: Mapping[str, Any],
    ax: Any = None,
    *,
    color: Any = None,
    band: Any = None,
    points: Any = None,
    axes: roc_curves.Axes | None = None,
    style: static.Style = "rocscope",
    **line_kw: Any,
) -> Any:
    """Draw several ROC curves on one pair of axes and return the axes.

    Parameters
    ----------
    curves
        Mapping of names to curves: results such as those of `roc_curve`, `average_roc`, `average_curves` and
        `fit_binormal`; or data, of which the ROC curve is drawn: a pair (labels, scores), or what
        `roc_curve` takes alone.
    ax
        Axes to draw on; without it a new figure is made.
    color, band, points
        As in `RocCurve.plot`, for all curves; or a mapping of names to those of single ones.
    axes, style, **line_kw
        As in `RocCurve.plot`.

    Returns
    -------
    Axes
        Those of matplotlib, with one legend for all curves.

    Examples
    --------
    >>> from matplotlib.figure import Figure
    >>> y = [0, 0, 1, 1]
    >>> ax = plot_roc({"a": (y, [1, 3, 2, 4]), "b": roc_curve(y, [1, 2, 3, 4])}, Figure().add_subplot())
    >>> [text.get_text() for text in ax.get_legend().get_texts()]
    ['Chance (AUC = 0.5)', 'a (AUC = 0.75)', 'b (AUC = 1.00)']
    """
    if not isinstance(curves, Mapping) or not curves:
        raise RocInputError(
            f"must map at least one name to a curve, got {checks.show(curves)}", argument="curves"
        )
    drawn = {str(name): _curve(name, curve) for name, curve in curves.items()}
    if len(drawn) < len(curves):
        raise RocInputError(f"must have distinct names, got {checks.show(list(curves))}", argument="curves")

    def each(value: Any, argument: str) -> dict[str, Any]:
        """What holds for each name."""
        if not isinstance(value, Mapping):
            return dict.fromkeys(drawn, value)
        for name in value:
            checks.check_choice(name, list(drawn), name=f"a name in {argument}")
        return {name: value.get(name) for name in drawn}

    colors, wanted, marked = each(color, "color"), each(band, "band"), each(points, "points")
    known = {name: curve for name, curve in drawn.items() if isinstance(curve, RocCurve)}
    if len(known) == len(drawn):  # one picture, in which labels of points know of all curves
        picture = roc_curves.curves(
            known,
            points={name: own for name, own in marked.items() if own is not None},
            bands={name: bands.band_of_curve(known[name], own) for name, own in wanted.items()},
            axes=axes or "roc",
        )
        return static.matplotlib(picture, ax=ax, style=style, colors=list(colors.values()), line=line_kw)
    for name, curve in drawn.items():
        own = {"color": colors[name], "band": wanted[name], "points": marked[name]}
        ax = curve.plot(ax, name=name, axes=axes, style=style, **own, **line_kw)
    return ax


def _curve(name: Any, curve: Any) -> CurveResult:
    if isinstance(curve, CurveResult):
        return curve
    pair = curve if isinstance(curve, tuple) else (curve,)
    if not 1 <= len(pair) <= 2:
        raise RocInputError(
            f"must be a curve or a pair (labels, scores), got a tuple of {len(pair)}",
            argument=f"curves[{str(name)!r}]",
        )
    return roc_curve(*pair)
