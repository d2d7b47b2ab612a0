"""Pictures of bootstrap estimates: one row for each."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, TypeAlias

from rocscope.bootstrap.result import BootstrapAuc, BootstrapEstimate, ErrorEstimates
from rocscope.core import checks
from rocscope.views import words
from rocscope.views.forest import Row, forest
from rocscope.views.marks import Panel, Picture

Show: TypeAlias = Literal["auc", "error", "loss", "all"]
SHOWN = ("auc", "error", "loss", "all")
# Colours: what the bootstrap says, what is known to be too good, what stands there for comparison.
SERIES = {"apparent": 1, "kfold": 2, "leave_one_out": 2}


def picture(result: BootstrapAuc | ErrorEstimates, *, show: Show = "auc") -> Picture:
    """Show every estimate of the AUC with its interval, cross-validation below.

    Parameters
    ----------
    result
        What `bootstrap_auc` returns; or its error rate or loss alone, which need no `show`.
    show
        "auc"; "error" for the error rate, "loss" for the expected loss; "all" for one panel of each, the
        loss only where it is not the error rate.

    Examples
    --------
    >>> import numpy as np
    >>> import rocscope as rs
    >>> from sklearn.naive_bayes import GaussianNB
    >>> X, y = np.arange(16.0)[:, np.newaxis] % 5, np.repeat([0, 1], 8)
    >>> found = rs.bootstrap_auc(GaussianNB(), X, y, n_boot=20, rng=1)
    >>> picture(found).panels[0].y.tick_labels[:3]
    ('Apparent', 'Leave-pair-out', 'AUC(*)')
    >>> [panel.title for panel in picture(found, show="all").panels]
    ['AUC: 8 positives, 8 negatives, 20 replicates', 'Error rate']
    """
    checks.check_choice(show, SHOWN, name="show")
    if isinstance(result, ErrorEstimates):
        is_loss = result.apparent.name.endswith("expected loss")
        return Picture(panels=(_errors(result, "Expected loss" if is_loss else "Error rate"),))
    head = f"AUC: {result.n_pos} positives, {result.n_neg} negatives, {result.n_boot} replicates"
    panels = {
        "auc": _panel(result.estimates(), "AUC", head, reference=0.5),
        "error": _errors(result.error, "Error rate"),
        "loss": _errors(result.loss, "Expected loss"),
    }
    if show == "all":
        repeated = result.loss == result.error
        return Picture(panels=tuple(p for name, p in panels.items() if name != "loss" or not repeated))
    return Picture(panels=(panels[show],))


def _errors(family: ErrorEstimates, title: str) -> Panel:
    """The line is the error where nothing is known."""
    return _panel(family.estimates(), title, title, reference=family.gamma)


def _panel(
    estimates: Mapping[str, BootstrapEstimate], what: str, title: str, *, reference: float | None
) -> Panel:
    rows = [_row(key, estimate) for key, estimate in estimates.items()]
    level = next(iter(estimates.values())).level
    label = f"{what} ({words.interval_name(level, 'two-sided')})"
    return forest(rows, label=label, reference=reference, title=title).panels[0]


def _row(key: str, estimate: BootstrapEstimate) -> Row:
    return Row(
        name=_name(estimate.name),
        value=estimate.value,
        low=estimate.low,
        high=estimate.high,
        figures=words.estimate_figures(estimate),
        series=SERIES.get(key, 0),
    )


def _name(name: str) -> str:
    """Name of the estimate without what all rows of a panel have in common."""
    for what in (" AUC", " error rate", " expected loss"):
        name = name.removesuffix(what)
    return words.sentence(name)
