"""Whether a curve with a falling slope can be fitted to the data."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, TypeVar

import numpy as np

from rocscope.binormal.categories import Categories
from rocscope.binormal.existence import Undefined, curve_along_sides, why_undefined, zero_variance
from rocscope.core.table import ScoreTable

_Fit = TypeVar("_Fit", bound=Any)


def name_zero_variance(fit: _Fit, table: ScoreTable) -> _Fit:
    """Put the class whose scores are all equal, if there is one, into the reason of a degenerate fit."""
    if fit.status != "degenerate":
        return fit
    return replace(fit, reason="; ".join(filter(None, (zero_variance(table), fit.reason))))


def why_no_concave_curve(categories: Categories) -> Undefined | None:
    """As `why_undefined`; but where both classes spread, a concave curve may fit where no straight one does.

    None of them runs along a line of slope 0 or infinity, except the perfect one.
    """
    found = why_undefined(categories)
    if found is None or found.status != "degenerate":
        return found
    if curve_along_sides(categories) == "perfect":
        return found
    spread = min(np.count_nonzero(counts) for counts in (categories.neg, categories.pos)) > 1
    return None if spread else found
