"""What `power` and `sample_size` return."""

from __future__ import annotations

import math
from dataclasses import dataclass

from rocscope.area.power.design import Design
from rocscope.core.result import Row, Status

# A solution that misses a whole number by rounding alone is that number.
ROUNDING = 1e-12


@dataclass(frozen=True, slots=True, kw_only=True)
class StudyPlan(Row):
    """The size of a study with its power and precision.

    Attributes
    ----------
    question
        "one area", "two areas", "two points, tpr" or "two points, fpr".
    n_pos, n_neg
        Whole positive and negative cases; for unpaired curves, of each curve. None for a class the
        question does not depend on.
    real_n_pos, real_n_neg
        The same before rounding up: what `power` and `half_width` belong to.
    power
        Probability of a significant result; None where it was not asked for.
    half_width
        Half the width of the two-sided interval of the area, the difference or the gap.
    effect
        The difference to detect: area minus null value, first area minus second, or the gap.
    auc, null, auc2, paired
        What was asked, None where it does not belong to the question.
    level, alternative, method
        Confidence level (the test has size 1 - level), alternative, and variance or test.
    status, reason
        "ok", or "undefined" with the reason.
    """

    question: str
    n_pos: int | None
    n_neg: int | None
    real_n_pos: float | None
    real_n_neg: float | None
    power: float | None
    half_width: float | None
    effect: float | None
    auc: float | None = None
    null: float | None = None
    auc2: float | None = None
    paired: bool | None = None
    level: float
    alternative: str
    method: str
    status: Status = "ok"
    reason: str | None = None

    def _summary(self) -> str:
        told = f"{_digits(self.level * 100)}% level, {self.alternative}, {self.method}"
        if self.status != "ok":
            return f"{self._asked()}: undefined, {self.reason} ({told})"
        return f"{self._asked()}: {self._cases()} give {self._reached()} ({told})"

    def _asked(self) -> str:
        if self.question.startswith("two points"):
            return f"Two points whose {self.question[-3:].upper()} differs by {_digits(self.effect)}"
        if self.auc2 is not None:
            kind = "paired" if self.paired else "unpaired"
            return f"Areas {_digits(self.auc)} and {_digits(self.auc2)}, {kind}"
        return f"Area {_digits(self.auc)}" + ("" if self.null is None else f" against {_digits(self.null)}")

    def _cases(self) -> str:
        sizes = ((self.n_pos, "positive"), (self.n_neg, "negative"))
        words = " and ".join(f"{n} {name}" for n, name in sizes if n is not None)
        return f"{words} cases{' for each curve' if self.paired is False else ''}"

    def _reached(self) -> str:
        # Rounded up, the cases reach a little more than what was asked for.
        rounded = (self.n_pos, self.n_neg) != (self.real_n_pos, self.real_n_neg)
        if self.power is not None:
            return f"{'at least ' if rounded else ''}power {self.power:.4f}"
        style = ".4f" if (self.half_width or 0) >= 0.001 else ".4g"
        return f"{'at most ' if rounded else ''}half-width {self.half_width:{style}}"


def write_plan(
    design: Design, n: float | None, ratio: float, *, power: float | None, reason: str | None = None
) -> StudyPlan:
    """Write down what was asked and what came out; n is None where no size is the answer."""
    n_pos, n_neg = (None, None) if n is None else design.class_sizes(n, ratio)
    return StudyPlan(
        n_pos=_whole(n_pos),
        n_neg=_whole(n_neg),
        real_n_pos=n_pos,
        real_n_neg=n_neg,
        power=power,
        half_width=None if n is None else design.half_width(n, ratio),
        level=design.level,
        alternative=design.alternative,
        method=design.method,
        status="ok" if reason is None else "undefined",
        reason=reason,
        **design.told(),
    )


def _digits(value: float | None) -> str:
    """A number that was asked for, with all the digits it was given: 0.5000001 is not 0.5."""
    return f"{value:.15g}"


def _whole(size: float | None) -> int | None:
    return None if size is None else math.ceil(size * (1 - ROUNDING))
