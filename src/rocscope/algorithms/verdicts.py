"""For every pair of algorithms: what the AUC test says, what the error test says, and who wins.

References
----------
.. [1] O. Aslan, O. T. Yildiz, E. Alpaydin, "Statistical comparison of classifiers using area under the
   ROC curve", 2009, section IV.B.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal, TypeAlias

from rocscope.algorithms.learner_tests import CONDITIONAL
from rocscope.core import checks
from rocscope.core.adjust import bonferroni, holm
from rocscope.core.result import Row

Adjustment: TypeAlias = Literal["none", "holm", "bonferroni"]
ADJUSTMENTS = ("none", "holm", "bonferroni")

# [1] section IV.B, in its order: error test, then AUC test.
CASES = (
    "both accept",
    "error accepts, AUC rejects",
    "error rejects, AUC accepts",
    "both reject",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Measured(Row):
    """The test of one measure for one pair on one data set, first minus second.

    Attributes
    ----------
    p_value, p_holm, p_bonferroni
        As tested, and adjusted over the pairs of this data set; None with the `reason` where the test is
        undefined.
    rejects, rejects_holm, rejects_bonferroni
        Whether each is below one minus the level; None where undefined.
    winner
        The algorithm with the better mean where the plain test rejects, None otherwise.
    conditional
        True for a test over folds that share one test set: it speaks of that set alone.
    """

    method: str
    difference: float | None
    p_value: float | None
    p_holm: float | None = None
    p_bonferroni: float | None = None
    rejects: bool | None = None
    rejects_holm: bool | None = None
    rejects_bonferroni: bool | None = None
    winner: str | None = None
    conditional: bool = False
    reason: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict(Row):
    """AUC test and error test for one pair of algorithms on one data set."""

    dataset: str
    first: str
    second: str
    auc: Measured
    error: Measured

    @property
    def case(self) -> str | None:
        """Which of the four `CASES` of [1]_ it is; None where a test is undefined."""
        return self.case_of("none")

    def case_of(self, adjust: Adjustment) -> str | None:
        """Which of the four `CASES` it is, with p-values adjusted over the pairs of the data set."""
        name = "rejects" if adjust == "none" else f"rejects_{adjust}"
        by_error, by_auc = getattr(self.error, name), getattr(self.auc, name)
        return None if by_error is None or by_auc is None else CASES[2 * by_error + by_auc]

    def to_dict(self) -> dict[str, Any]:
        """Return the fields and the case as plain Python."""
        return Row.to_dict(self) | {"case": self.case}

    def _summary(self) -> str:
        told = ", ".join(
            f"{name} p = {_figure(test.p_value)}" for name, test in (("AUC", self.auc), ("error", self.error))
        )
        winner = f"; {self.auc.winner} has the larger AUC" if self.auc.winner else ""
        given = f" ({CONDITIONAL})" if self.auc.conditional or self.error.conditional else ""
        case = self.case or "undefined"
        return f"{self.dataset}: {self.first} - {self.second}: {told}: {case}{winner}{given}"


def _figure(p: float | None) -> str:
    return "undefined" if p is None else f"{p:.4g}"


def adjusted(
    tests: Sequence[Measured], pairs: Sequence[tuple[str, str]], *, larger_is_better: bool, level: float
) -> list[Measured]:
    """Adjust the tests of one measure over the pairs of a data set, and name the winners."""
    p_values = [float("nan") if test.p_value is None else test.p_value for test in tests]
    steps, times = holm(p_values).tolist(), bonferroni(p_values).tolist()
    return [
        test
        if test.p_value is None
        else _settled(test, pair, p_holm, p_bonferroni, larger_is_better=larger_is_better, alpha=1 - level)
        for test, pair, p_holm, p_bonferroni in zip(tests, pairs, steps, times, strict=True)
    ]


def _settled(
    test: Measured,
    pair: tuple[str, str],
    p_holm: float,
    p_bonferroni: float,
    *,
    larger_is_better: bool,
    alpha: float,
) -> Measured:
    rejects, difference = test.p_value is not None and test.p_value < alpha, test.difference or 0.0
    better = pair[0] if (difference > 0) == larger_is_better else pair[1]
    return replace(
        test,
        p_holm=p_holm,
        p_bonferroni=p_bonferroni,
        rejects=rejects,
        rejects_holm=p_holm < alpha,
        rejects_bonferroni=p_bonferroni < alpha,
        winner=better if rejects and difference else None,
    )


def count_cases(verdicts: Sequence[Verdict], adjust: Adjustment = "none") -> dict[str, int]:
    """Count the four cases of [1]_, and the pairs for which a test is undefined."""
    checks.check_choice(adjust, ADJUSTMENTS, name="adjust")
    found = [verdict.case_of(adjust) for verdict in verdicts]
    return {case: found.count(case) for case in CASES} | {"undefined": found.count(None)}
