"""The explorer of operating points: a curve on which the reader moves a point and watches what it is worth.

Python sends exact counts (`explorer_payload`); the scripts of assets/explorer_*.js do the rest, one concern
each, in the order of `SCRIPTS`: arithmetic, measures, their intervals, the model of the payload, the choice
of a point, the tests between points, the state and its place in the address, words, and what is seen.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rocscope.average.averaged import AveragedRoc
from rocscope.core.curve import RocCurve
from rocscope.report.explorer_payload import average_payload, curve_payload
from rocscope.report.explorer_points import MOST_POINTS
from rocscope.report.safety import Html, element
from rocscope.report.sections import Section

SCRIPTS = (
    "explorer_numbers.js",
    "explorer_measures.js",
    "explorer_shares.js",
    "explorer_class_intervals.js",
    "explorer_intervals.js",
    "explorer_model.js",
    "explorer_select.js",
    "explorer_test.js",
    "explorer_state.js",
    "explorer_url.js",
    "explorer_words.js",
    "explorer_dom.js",
    "explorer_scale.js",
    "explorer_plot.js",
    "explorer_pointer.js",
    "explorer_histogram.js",
    "explorer_panel.js",
    "explorer_pinned.js",
    "explorer_controls.js",
    "explorer_copy.js",
    "explorer_links.js",
    "explorer_start.js",
)
STYLES = ("explorer.css",)
LINKED = " The panels above show the point that you choose here; click one of theirs to choose it."
ON_CURVE = "Click the curve or drag along it; or focus the curve and use the arrow keys"
IN_CLOUD = "Click a point or drag from one to another; or focus the picture and use the arrow keys"
KEYS = (
    " (Page Up and Page Down for ten points, Home and End for the ends), P to pin the point and O to go to "
    "the best one."
)


def explorer_section(
    result: RocCurve | AveragedRoc,
    *,
    name: str | None = None,
    most: int = MOST_POINTS,
    start: int | None = None,
    select: Sequence[str] = (),
) -> Section | None:
    """Return the section in which the operating points of a result are explored.

    Parameters
    ----------
    result
        A ROC curve, or an average over folds, whose points are then shown with their variance, and with the
        points that cannot be told apart from the chosen one. An average of one fold is one set of cases, as a
        curve is: its points have the standard errors and intervals of shares.
    name
        Name of the score or classifier, for the title.
    most
        Points of a curve that are shown; of an average as many as take the room of so many times 200 numbers.
    start
        Index of the point that is shown first; by default the one that `select` gives.
    select
        Constraints such as "tpr>=0.9", with which the choice of the best point begins.

    Returns
    -------
    Section or None
        None where there is no choice, with fewer than two points.

    Examples
    --------
    >>> from rocscope.core.curve import roc_curve
    >>> section = explorer_section(roc_curve([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8]), name="marker")
    >>> section.title, section.kind
    ('Choose an operating point of marker', 'explorer')
    """
    if len(result) < 2:
        return None
    over_folds = isinstance(result, AveragedRoc) and len(result.folds) > 1
    make: Any = average_payload if isinstance(result, AveragedRoc) else curve_payload
    payload = make(result, most, start=start, select=select)
    of = f" of {name}" if name else ""
    return Section(
        title=f"Choose an operating point{of}{' by its folds' if over_folds else ''}",
        body=(element("p", _help(payload), class_="explorer-help"), *_notes(payload), _place()),
        kind="explorer",
        payload=payload,
        scripts=SCRIPTS,
        styles=STYLES,
        fewer=lambda most: explorer_section(result, name=name, most=most, start=start, select=select),
    )


def _help(payload: dict[str, Any]) -> str:
    where = IN_CLOUD if payload["order"] is None else ON_CURVE
    return where + KEYS + (LINKED if payload.get("panels") else "")


def _place() -> Html:
    return element(
        "div", element("noscript", "This part of the report needs JavaScript."), class_="explorer-place"
    )


def _notes(payload: dict[str, Any]) -> list[Html]:
    shown, total = len(payload["index"]), payload["n_points"]
    if shown == total:
        return []
    farthest = payload.get("farthest")
    apart = (
        ""
        if farthest is None
        else f"; no other differs by more than {farthest:.2g} in a rate from one of them"
    )
    return [
        element(
            "p", f"{shown} of {total} points are shown, each with its exact counts{apart}.", class_="note"
        )
    ]
