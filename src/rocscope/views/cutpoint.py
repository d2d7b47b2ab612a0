"""Picture of a chosen threshold: where the bootstrap samples put it."""

from __future__ import annotations

import numpy as np

from rocscope.area.cutpoint import CutPoint, Optimism
from rocscope.views import words
from rocscope.views.forest import Row, forest
from rocscope.views.marks import Axis, ErrorBars, Mark, Panel, Picture, ReferenceLine

SHOWN = {"tpr": "TPR", "fpr": "FPR", "youden": "Youden's index", "cost": "Cost"}


def picture(result: CutPoint | Optimism, *, name: str = "score") -> Picture:
    """Show how often each threshold was chosen, the one chosen on all cases, and its interval.

    The title tells the measures at the point, and what they are worth on cases left out of the choice.

    Parameters
    ----------
    result
        The chosen threshold; or one measure at it, on the cases that chose it and on those left out.
    name
        Name of the score.

    Examples
    --------
    >>> import rocscope as rs
    >>> shown = picture(rs.cutpoint([0, 0, 0, 1, 1, 1], [1, 2, 4, 3, 5, 6], rng=1))
    >>> shown.panels[0].marks[-1].label
    'Chosen on all cases: 5'
    """
    if isinstance(result, Optimism):
        return _measure(result)
    finite = np.isfinite(result.choices.astype(np.float64))
    x, share = result.choices[finite].astype(np.float64), result.share[finite]
    top = float(share.max(initial=0.0)) or 1.0
    marks: list[Mark] = [
        ErrorBars(
            x=x,
            y=share,
            y_low=np.zeros_like(share),
            y_high=share,
            role="estimate",
            label="Chosen by bootstrap samples",
        )
    ]
    marks += _interval(result, 1.08 * top)
    if np.isfinite(float(result.threshold)):
        label = f"Chosen on all cases: {words.threshold(result.threshold)}"
        marks.append(ReferenceLine(axis="x", at=float(result.threshold), role="reference", label=label))
    panel = Panel(
        marks=tuple(marks),
        x=Axis(label=f"Threshold of {name}" + _beyond(result, finite)),
        y=Axis(label="Share of the samples", low=0.0, high=1.18 * top),
        title=_title(result),
        legend="below",
    )
    return Picture(panels=(panel,))


def _measure(row: Optimism) -> Picture:
    kinds = {
        "On the cases that chose it": (row.apparent, None),
        "On cases left out": (row.out_of_bag, row.sd),
    }
    rows = [_value_row(kind, value, sd) for kind, (value, sd) in kinds.items()]
    return forest(
        rows, label=f"{SHOWN.get(row.name, row.name)} (plus and minus a standard deviation)", reference=None
    )


def _value_row(kind: str, value: float | None, sd: float | None) -> Row:
    if value is None:
        return Row(name=kind, value=None, low=None, high=None, figures="undefined")
    if sd is None:
        return Row(name=kind, value=value, low=None, high=None, figures=f"{value:.3f}")
    return Row(name=kind, value=value, low=value - sd, high=value + sd, figures=f"{value:.3f} (SD {sd:.3f})")


def _interval(result: CutPoint, height: float) -> list[Mark]:
    if result.low is None:
        return []
    figures = words.digits_apart(result.low, result.high, least=4, form="g")
    ends = [words.threshold(end, figures=figures) for end in (result.low, result.high)]
    one = np.array([float(result.threshold)])
    return [
        ErrorBars(
            x=one,
            y=np.array([height]),
            x_low=np.array([float(result.low)]),
            x_high=np.array([float(result.high)]),
            role="selected",
            series=1,
            label=f"{result.level * 100:g}% interval {ends[0]} to {ends[1]}",
        )
    ]


def _beyond(result: CutPoint, finite: np.ndarray[tuple[int, ...], np.dtype[np.bool_]]) -> str:
    """Say how often a threshold that cannot be shown was chosen."""
    outside = float(result.share[~finite].sum())
    return f"\n(infinite in {outside * 100:.2g}% of the samples)" if outside else ""


def _title(result: CutPoint) -> str:
    return "\n".join(_words(row) for row in result.measures if row.apparent is not None)


def _words(row: Optimism) -> str:
    told = f"{SHOWN[row.name]} {row.apparent:.3f}"
    return told if row.out_of_bag is None else f"{told}, on cases left out {row.out_of_bag:.3f}"
