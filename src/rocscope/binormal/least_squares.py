"""The binormal curve by least squares: a line through the normal deviates of the ROC points."""

from __future__ import annotations

from scipy import special

from rocscope.binormal.categories import Floats, ratings, truth_runs
from rocscope.binormal.curve import Binormal, described
from rocscope.binormal.existence import Undefined, why_undefined
from rocscope.binormal.start import regression_line
from rocscope.core.table import ScoreTable

METHOD = "least-squares"


def fit_by_least_squares(table: ScoreTable) -> Binormal:
    """Unweighted regression of Phi^-1(TPR) on Phi^-1(FPR) over the ROC points, one for each distinct score.

    A rate of 0 or 1 has no finite deviate, and a point with one is left out. No run of one class is merged:
    that would leave the maximum of a likelihood where it is, but not this line.

    Examples
    --------
    >>> table = ScoreTable.from_counts([1, 2, 3, 4, 5], neg=[23, 24, 15, 7, 0], pos=[1, 0, 6, 5, 33])
    >>> print(fit_by_least_squares(table).summary())
    Binormal curve (least-squares): a 1.9285, b 0.5731, AUC 0.9529
    """
    categories = ratings(table)
    fpr, tpr = categories.rates()
    inside = (fpr > 0) & (fpr < 1) & (tpr > 0) & (tpr < 1)
    undefined = why_undefined(truth_runs(table)) or _why_no_line(fpr[inside], tpr[inside])
    if undefined is not None:
        return Binormal(status=undefined.status, reason=undefined.reason, **described(categories, METHOD))
    a, b = regression_line(special.ndtri(fpr[inside]), special.ndtri(tpr[inside]))
    return Binormal(a=a, b=b, **described(categories, METHOD, a, b))


def _why_no_line(fpr: Floats, tpr: Floats) -> Undefined | None:
    """Status and reason if the points with finite deviates determine no line that rises."""
    if len(fpr) < 2:
        # One at least: data whose points all have a rate of 0 or 1 have no maximum of the likelihood either.
        why = "only one ROC point has finite normal deviates, and a line needs two"
        return Undefined("undetermined", why)
    for name, rates, slope in (("TPR", tpr, "0"), ("FPR", fpr, "infinity")):
        if rates.min() == rates.max():
            why = f"the line through the ROC points with finite deviates has slope {slope} (constant {name})"
            return Undefined("degenerate", why)
    return None
