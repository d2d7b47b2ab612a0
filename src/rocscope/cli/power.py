"""`rocscope power`: what a study of some size can show, how large it must be, which area it detects."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Annotated, Any

from cyclopts import Parameter

import rocscope as rs
from rocscope.cli import options as opt
from rocscope.cli import output as out
from rocscope.errors import RocInputError, UndefinedError


def read_correlation(text: str) -> float | tuple[float, float]:
    """Read one correlation, or one for each class.

    Examples
    --------
    >>> read_correlation("0.5"), read_correlation("0.5,0.4")
    (0.5, (0.5, 0.4))
    """
    return opt.read_one_or_two(text, "one number or two (NEG,POS)")


def read_pilot(path: str) -> rs.CurveComparison:
    """Read the one comparison of a saved file."""
    from rocscope.reporting.saved import read_saved

    found = [one.fields for one in read_saved(path) if one.type == "CurveComparison"]
    if len(found) != 1:
        raise RocInputError(
            f"{path} must hold one comparison, as rocscope compare --json writes it, got {len(found)}"
        )
    return rs.CurveComparison.from_dict(found[0])


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
    pilot
        Comparison of two scores in a pilot study, as `rocscope compare --json` writes it, in place of areas.
    difference
        Difference to detect, in place of that of the pilot study.
    null
        Area to test against; 0.5 unless given.
    fpr
        Range of FPR of partial areas; --auc, --auc2 and --null stay whole areas.
    tpr_gap
        Share of positives between two operating points.
    fpr_gap
        Share of negatives between two operating points.
    n_pos
        Positive cases of the study; with n_neg those of the pilot study unless given.
    n_neg
        Negative cases of the study.
    power
        Power that the study needs, or has where sizes are given too.
    half_width
        Half the width of the interval that the study needs.
    ratio
        Negative cases for each positive one; 1 or that of the pilot study unless given.
    corr
        Correlation of two areas on the same cases.
    rating_corr
        Or the correlation of the two scores inside the classes.
    folds
        Two points by a paired t test over so many folds.
    method
        Variance: obuchowski, hanley-mcneil, binormal or pilot; for points: exact or normal.
    """

    auc: float | None = None
    auc2: float | None = None
    pilot: Annotated[str | None, Parameter(metavar="FILE")] = None
    difference: float | None = None
    null: float | None = None
    fpr: Annotated[tuple[float, float], opt.text_option(opt.read_range, "LOW,HIGH")] | None = None
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
    level: opt.Level | None = None,
    alternative: opt.Alternative = "two-sided",
    output: out.Output = out.Output(),
) -> None:
    """Plan a study: the power of a test, the cases that it needs, or the area or level that it detects.

    One area (--auc) is tested against 0.5 or --null, two areas (--auc, --auc2) against each other, two
    operating points of one curve (--tpr-gap or --fpr-gap) for their distance. Give the sizes for the power;
    give --power or --half-width for the sizes. Give --power and the sizes for the smallest area that is
    detected, and --auc with them for the level, which is 0.95 unless it is given or solved for. --pilot plans
    a study that would detect the difference that two scores had in another one.

    Parameters
    ----------
    unpaired
        Two curves on different cases; n is that of each.
    level
        Confidence level of tests and intervals.

    Examples
    --------
    rocscope power --auc 0.75 --power 0.9
    rocscope power --auc 0.73 --n-pos 41 --n-neg 72
    rocscope power --n-pos 41 --n-neg 72 --power 0.9
    rocscope power --auc 0.85 --auc2 0.8 --corr 0.5 --power 0.8
    rocscope power --auc 0.85 --auc2 0.8 --rating-corr 0.5 --fpr 0,0.1 --power 0.8
    rocscope power --auc 0.8 --half-width 0.05 --ratio 2
    rocscope power --tpr-gap 0.05 --power 0.9
    rocscope power --pilot pilot.json --power 0.9
    """
    output.check()
    options = {name: value for name, value in asdict(plan).items() if value is not None}
    options |= {"paired": False} if unpaired else {}
    known = dict(options)
    sizes = plan.n_pos is not None or plan.n_neg is not None
    if sizes:
        opt.refuse(
            "must be left out where --n-pos or --n-neg is given",
            half_width=plan.half_width,
            ratio=plan.ratio,
        )
    effect = plan.auc
    if plan.pilot is not None:
        opt.refuse("must be left out where --pilot is given", auc=plan.auc)
        known |= {"auc": read_pilot(known.pop("pilot"))}
        sizes = sizes or (plan.power is None and plan.half_width is None and plan.ratio is None)
        effect = plan.difference
    if level is None and (plan.power is None or effect is None or not sizes):  # else it is solved for
        level = 0.95
    known |= {"level": level, "alternative": alternative}
    result = (rs.power if sizes else rs.sample_size)(**known)

    output.deliver(out.result_of("power", options, result, rows=lambda: [dict(result)], notes=[]))
    if result.status == "undefined":
        raise UndefinedError(str(result.reason))
