"""Picture of cross-validated scores: the curve of every fold, and that of all scores stacked."""

from __future__ import annotations

from typing import Any

from rocscope.core.curve import RocCurve
from rocscope.views import layout, words
from rocscope.views.marks import Line, Mark, Panel, Picture
from rocscope.views.roc_space import CHANCE, roc_picture, thinned

# So many classes have a panel, of more the first ones.
SHOWN_CLASSES = 9
# So many folds have a line of their own.
SHOWN_FOLDS = 100


def picture(result: Any) -> Picture:
    """Show the ROC curve of every fold and that of all scores together; a panel per class of three or more.

    Examples
    --------
    >>> from rocscope.sources.detectors import GaussianDetector
    >>> from rocscope.sources.estimators import cross_scores
    >>> X, y = [[float(x)] for x in range(12)], [1, 1, 1, 1, 1, 0, 1, 0, 0, 0, 0, 0]
    >>> shown = picture(cross_scores(GaussianDetector(), X, y, cv=3, target=1, rng=0))
    >>> [mark.label for mark in shown.panels[0].marks if mark.label]
    ['Chance', '3 folds (AUC 0.50 to 1.00)', 'All folds stacked (AUC = 0.75)']
    """
    if len(result.classes) == 2:
        return Picture(panels=(_panel(result, result.pos_label, ""),))
    names = result.classes[:SHOWN_CLASSES]
    left_out = len(result.classes) - len(names)
    title = f"The first {len(names)} of {len(result.classes)} classes" if left_out else ""
    panels = tuple(_panel(result, name, f"Class {name} against all others") for name in names)
    return Picture(panels=panels, columns=min(3, len(panels)), title=title)


def _panel(result: Any, name: Any, title: str) -> Panel:
    folds, stacked = list(result.fold_curves(name).values()), result.curve(name)
    shown = folds[:SHOWN_FOLDS]
    lines = [_line(curve, "fold", None if k else _folds_label(folds)) for k, curve in enumerate(shown)]
    lines.append(_line(stacked, "curve", f"All folds stacked ({words.area(stacked.auc, None)})"))
    chance = Line(x=CHANCE.x, y=CHANCE.y, role="chance", label="Chance")
    marks: list[Mark] = [chance, *lines]
    entries = [mark.label for mark in marks if mark.label is not None]
    legend, _ = layout.place_legend([(line.x, line.y) for line in lines], entries)
    return roc_picture(marks, positive=[name], legend=legend, title=title).panels[0]


def _folds_label(folds: list[RocCurve]) -> str:
    areas = [curve.auc for curve in folds]
    decimals = words.digits_apart(min(areas), max(areas))
    span = " to ".join(words.rate(end, decimals=decimals) for end in (min(areas), max(areas)))
    shown = f", {SHOWN_FOLDS} of them shown" if len(folds) > SHOWN_FOLDS else ""
    return f"{len(folds)} fold{'s' if len(folds) > 1 else ''} (AUC {span}){shown}"


def _line(curve: RocCurve, role: Any, label: str | None) -> Line:
    x, y = thinned(curve.fpr, curve.tpr)
    return Line(x=x, y=y, role=role, label=label)
