"""Picture of one operating point: its measures below each other."""

from __future__ import annotations

from rocscope.area.point_measures import PointMeasures
from rocscope.core.result import Estimate
from rocscope.views import words
from rocscope.views.forest import Row, forest
from rocscope.views.marks import Picture

NAMES = {
    "sensitivity": "Sensitivity (TPR)",
    "specificity": "Specificity (1 - FPR)",
    "ppv": "Precision (PPV)",
    "npv": "NPV",
    "accuracy": "Accuracy",
    "balanced_accuracy": "Balanced accuracy",
    "f1": "F1",
    "youden": "Youden's index",
}
# Numbers that may lie far outside of 0 to 1: they are told, not drawn.
TOLD = {
    "lr_pos": "Likelihood ratio +",
    "lr_neg": "Likelihood ratio -",
    "net_benefit": "Net benefit",
    "expected_cost": "Expected cost",
}


def picture(result: PointMeasures, *, name: str = "score") -> Picture:
    """Show the measures of a point with their intervals; ratios, benefit and cost as text.

    Parameters
    ----------
    result
        The measures.
    name
        Name of the score in the title.

    Examples
    --------
    >>> import rocscope as rs
    >>> found = rs.point_measures([0, 0, 0, 1, 1, 1], [0.1, 0.3, 0.5, 0.4, 0.7, 0.9], threshold=0.5)
    >>> shown = picture(found)
    >>> shown.panels[0].y.tick_labels[:2], shown.panels[0].y.far_labels[0]
    (('Sensitivity (TPR)', 'Specificity (1 - FPR)'), '0.667 (0.208 to 0.939)')
    """
    found = result.estimates
    rows = [_row(NAMES[key], found[key], drawn=True) for key in NAMES]
    rows += [_row(TOLD[key], found[key], drawn=False) for key in TOLD if _has_figures(found[key])]
    first = result.sensitivity
    interval = words.interval_name(first.level, first.alternative)
    ends = [end for row in rows for end in (row.value, row.low) if end is not None]
    return forest(
        rows,
        label=f"Value ({interval})",
        reference=None,
        title=_title(result, name),
        limits=(min(-0.02, *ends), 1.02),
    )


def _has_figures(estimate: Estimate) -> bool:
    return estimate.value is not None or estimate.low is not None


def _row(name: str, estimate: Estimate, *, drawn: bool) -> Row:
    figures = words.estimate_figures(estimate)
    if not drawn or estimate.value is None:
        return Row(name=name, value=None, low=None, high=None, figures=figures)
    return Row(name=name, value=estimate.value, low=estimate.low, high=estimate.high, figures=figures)


def _title(result: PointMeasures, name: str) -> str:
    counts = f"TP {result.tp}, FP {result.fp}, FN {result.fn}, TN {result.tn}"
    chosen = ", chosen on these cases" if result.chosen else ""
    return f"{result.pos_label} where {name} >= {words.threshold(result.threshold)}{chosen}\n{counts}"
