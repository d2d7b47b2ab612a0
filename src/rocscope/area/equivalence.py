"""Equivalence and non-inferiority: is a difference surely smaller than a margin?

Two one-sided tests: the difference is shown to lie above -margin and below margin, each at 1 - level. Both
succeed exactly where the interval of level 2 level - 1 lies inside (-margin, margin).
"""

from __future__ import annotations

from rocscope.area.tests_between import PairTest
from rocscope.core import wald
from rocscope.core.checks import Alternative

NO_MARGIN = "the difference has no variance, so nothing can be said about the margin"


def equivalence_p(test: PairTest, margin: float, alternative: Alternative) -> float | None:
    """P-value of the claim that the difference stays within the margin; None without a standard error.

    Parameters
    ----------
    test
        Difference, first minus second, with standard error and degrees of freedom.
    margin
        Largest difference that does not matter.
    alternative
        "two-sided": -margin < difference < margin, the larger of the two one-sided p-values;
        "greater": the first is not inferior, difference > -margin;
        "less": the second is not inferior, difference < margin.

    Examples
    --------
    >>> round(equivalence_p(PairTest(difference=0.01, se=0.02), 0.05, "two-sided"), 4)
    0.0228
    """
    if not test.se:
        return None
    above = wald.p_value((test.difference + margin) / test.se, alternative="greater", df=test.df)
    below = wald.p_value((test.difference - margin) / test.se, alternative="less", df=test.df)
    return within_margin(above, below, alternative)


def within_margin(above: float, below: float, alternative: Alternative) -> float:
    """Join the p-values of difference > -margin and of difference < margin; both must hold for two sides."""
    return float({"two-sided": max(above, below), "greater": above, "less": below}[alternative])
