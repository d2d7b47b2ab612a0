"""`rocscope power`: what a study of given size can show, or how large it must be."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Annotated, Any

from cyclopts import Parameter

import rocscope as rs
from rocscope.cli import options as opt
from rocscope.cli import output as out
from rocscope.errors import UndefinedError


def read_correlation(text: str) -> float | tuple[float, float]:
    """Read one correlation, or one for each class.

    Examples
    --------
    >>> read_correlation("0.5"), read_correlation("0.5,0.4")
    (0.5, (0.5, 0.4))
    """
    return opt.read_one_or_two(text, "one number or two (NEG,POS)")


@Parameter(name="*")
@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """What the study looks for, and its size or its goal: arguments of `rocscope.power` and `sample_size`.

    Parameters
    ----------
    auc
        Expected area.
    auc2
        Expected area of a second curve, to compare.
    null
        Area to test against; 0.5 unless given.
    tpr_gap
        Share of positives between two operating points.
    fpr_gap
        Share of negatives between two operating points.
    n_pos
        Positive cases of the study.
    n_neg
        Negative cases of the study.
    power
        Power that the study needs.
    half_width
        Half the width of the interval that the study needs.
    ratio
        Negative cases for each positive one; 1 unless given.
    corr
        Correlation of two areas on the same cases.
    rating_corr
        Or the correlation of the two scores inside the classes.
    folds
        Two points by a paired t test over so many folds.
    method
        Variance: obuchowski, hanley-mcneil or binormal; for points: exact or normal.
    """

    auc: float | None = None
    auc2: float | None = None
    null: float | None = None
    tpr_gap: float | None = None
    fpr_gap: float | None = None
    n_pos: float | None = None
    n_neg: float | None = None
    power: float | None = None
    half_width: float | None = None
    ratio: float | None = None
    corr: float | None = None
    rating_corr: Annotated[Any, opt.text_option(read_correlation, "R | NEG,POS")] = None
    folds: opt.Count | None = None
    method: str | None = None


def power(
    *,
    plan: Plan = Plan(),
    unpaired: opt.Flag = False,
    level: opt.Level = 0.95,
    alternative: opt.Alternative = "two-sided",
    output: out.Output = out.Output(),
) -> None:
    """Plan a study: the power of a test, or the cases that it needs.

    One area (--auc) is tested against 0.5 or --null, two areas (--auc, --auc2) against each other, two
    operating points of one curve (--tpr-gap or --fpr-gap) for their distance. Give the sizes for the power;
    give --power or --half-width for the sizes.

    Parameters
    ----------
    unpaired
        Two curves on different cases; n is that of each.

    Examples
    --------
    rocscope power --auc 0.75 --power 0.9
    rocscope power --auc 0.73 --n-pos 41 --n-neg 72
    rocscope power --auc 0.85 --auc2 0.8 --corr 0.5 --power 0.8
    rocscope power --auc 0.8 --half-width 0.05 --ratio 2
    rocscope power --tpr-gap 0.05 --power 0.9
    """
    output.check()
    options = {name: value for name, value in asdict(plan).items() if value is not None}
    options |= {"paired": False} if unpaired else {}
    sizes = "n_pos" in options or "n_neg" in options
    if sizes:
        goals = {"power": plan.power, "half_width": plan.half_width, "ratio": plan.ratio}
        opt.refuse("must be left out where --n-pos or --n-neg is given", **goals)
    result = (rs.power if sizes else rs.sample_size)(**options, level=level, alternative=alternative)

    output.deliver(out.result_of("power", options, result, rows=lambda: [dict(result)], notes=[]))
    if result.status == "undefined":
        raise UndefinedError(str(result.reason))
