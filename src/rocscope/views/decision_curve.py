"""Picture of a decision curve: the net benefit over threshold probabilities."""

from __future__ import annotations

import numpy as np

from rocscope.area.decision_curves import DecisionCurve
from rocscope.views import layout
from rocscope.views.band import shaded
from rocscope.views.marks import Axis, Line, Mark, Panel, Picture

# What is shown below a net benefit of 0, as a share of what is above: losses grow without end.
BELOW = 0.15


def picture(result: DecisionCurve, *, name: str | None = None) -> Picture:
    """Show the net benefit with its intervals, beside treating all and treating none.

    Parameters
    ----------
    result
        The decision curve.
    name
        Name of the classifier in the legend.

    Examples
    --------
    >>> import rocscope as rs
    >>> shown = picture(rs.net_benefit([0, 0, 0, 1, 1], [0.1, 0.2, 0.6, 0.4, 0.9]), name="model")
    >>> [mark.label for mark in shown.panels[0].marks]
    ['Treat none', 'Treat all', '95% pointwise intervals (mover-wilson)', 'model']
    """
    band = result.band
    order = np.argsort(band.x, kind="stable")
    x = band.x[order]
    lines = [
        Line(x=x, y=result.treat_none[order], role="chance", label="Treat none"),
        Line(x=x, y=result.treat_all[order], role="reference", label="Treat all"),
        Line(x=x, y=band.mean[order], role="curve", label=name or "Acting on the scores"),
    ]
    marks: list[Mark] = [*lines[:2], shaded(band), lines[2]]
    top = 1.05 * max(float(np.nanmax(values)) for values in (band.high, result.treat_all, band.mean))
    low, high = -BELOW * top, top
    seen = [(line.x, ((line.y - low) / (high - low)).clip(0, 1)) for line in lines]
    seen.append((x, ((band.high[order] - low) / (high - low)).clip(0, 1)))
    legend = layout.free_corner(
        seen, [mark.label for mark in marks if mark.label], corners=("upper right",), size=layout.WIDE
    )
    label = f"Net benefit (per case, prevalence {result.prevalence:.3g})"
    panel = Panel(
        marks=tuple(marks),
        x=Axis(label="Threshold probability", low=0.0, high=float(x[-1]) if len(x) > 1 else 1.0),
        y=Axis(label=label, low=low, high=high),
        legend=legend,
    )
    return Picture(panels=(panel,))
