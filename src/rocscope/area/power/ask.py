"""From the arguments of `power` and `sample_size` to the question they ask: all checks are here."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from rocscope.area.power.design import Design, OneArea, TwoAreas, TwoPoints
from rocscope.area.power.variance import COVARIANCES, VARIANCES, RatingCorr
from rocscope.core import checks
from rocscope.core.checks import Alternative
from rocscope.errors import RocInputError

POINT_METHODS = ("exact", "normal")


def read_design(
    auc: Any,
    auc2: Any,
    *,
    null: Any,
    paired: Any,
    corr: Any,
    rating_corr: Any,
    tpr_gap: Any,
    fpr_gap: Any,
    folds: Any,
    level: Any,
    alternative: Any,
    method: Any,
    interval: bool,
) -> Design:
    """Return the question, once it is clear which one it is and that all arguments belong to it.

    An interval has no null hypothesis, so nothing may be said about one.
    """
    checks.check_level(level)
    checks.check_alternative(alternative)
    subjects = {"auc": auc, "tpr_gap": tpr_gap, "fpr_gap": fpr_gap}
    asked = [name for name, value in subjects.items() if value is not None]
    if len(asked) != 1:
        got = " and ".join(asked) or "none"
        raise RocInputError(f"one of auc, tpr_gap and fpr_gap must be given, got {got}")
    if interval:
        _refuse("an interval", null=null, alternative=None if alternative == "two-sided" else alternative)
    settings = {"level": float(level), "alternative": alternative}
    pair = {"paired": paired, "corr": corr, "rating_corr": rating_corr}
    if asked != ["auc"]:
        _refuse("two points", auc2=auc2, null=null, **pair)
        return _read_points(asked[0], subjects[asked[0]], folds, method, interval, **settings)
    _refuse("areas", folds=folds)
    if auc2 is None:
        _refuse("one area", **pair)
        return OneArea(
            auc=_area(auc, "auc"),
            null=None if interval else _area(0.5 if null is None else null, "null"),
            method=_choice(method, list(VARIANCES), "obuchowski"),
            **settings,
        )
    _refuse("two areas", null=null)
    return _read_areas(auc, auc2, method, **pair, **settings)


def _read_areas(
    auc: Any, auc2: Any, method: Any, *, paired: Any, corr: Any, rating_corr: Any, **settings: Any
) -> TwoAreas:
    if paired is not None and not isinstance(paired, (bool, np.bool_)):
        raise RocInputError(f"paired must be True or False, got {checks.show(paired)}")
    same_cases = paired is None or bool(paired)
    method = _choice(method, list(VARIANCES), "binormal")
    if not same_cases:
        _refuse("unpaired curves", corr=corr, rating_corr=rating_corr)
    return TwoAreas(
        auc=_area(auc, "auc"),
        auc2=_area(auc2, "auc2"),
        paired=same_cases,
        corr=_read_correlation(corr, rating_corr, method) if same_cases else 0.0,
        method=method,
        **settings,
    )


def _read_correlation(corr: Any, rating_corr: Any, method: str) -> float | RatingCorr:
    if (corr is None) == (rating_corr is None):
        got = "none" if corr is None else "both"
        raise RocInputError(f"one of corr and rating_corr must be given for paired curves, got {got}")
    if corr is not None:
        return _correlation(corr, "corr")
    if method not in COVARIANCES:
        raise RocInputError(f"rating_corr must not be given for method {method!r}, which needs corr")
    if isinstance(rating_corr, str) or not isinstance(rating_corr, Iterable):
        both = _correlation(rating_corr, "rating_corr")
        return both, both
    if len(pair := list(rating_corr)) != 2:
        wanted = "rating_corr must be a number or a pair (negatives, positives)"
        raise RocInputError(f"{wanted}, got {checks.show(rating_corr)}")
    return _correlation(pair[0], "rating_corr[0]"), _correlation(pair[1], "rating_corr[1]")


def _read_points(
    name: str, gap: Any, folds: Any, method: Any, interval: bool, *, level: float, alternative: Alternative
) -> TwoPoints:
    if alternative == "less":
        raise RocInputError(
            "alternative must be 'two-sided' or 'greater' for two points, whose gap is positive, got 'less'"
        )
    if folds is not None:
        folds = checks.check_integer(folds, name="folds", low=2)
    normal = interval or folds is not None
    method = _choice(method, POINT_METHODS, "normal" if normal else "exact")
    if normal and method != "normal":
        why = "an interval" if interval else "folds"
        raise RocInputError(f"method must be 'normal' for {why}, got {method!r}")
    return TwoPoints(
        rate=name[:3],
        gap=checks.check_number(gap, name=name, low=0, high=1),
        folds=folds,
        method=method,
        level=level,
        alternative=alternative,
    )


def read_sizes(design: Design, n_pos: Any, n_neg: Any) -> tuple[float, float]:
    """Return n of the design and the ratio of negative to positive cases."""
    if not isinstance(design, TwoPoints):
        positives, negatives = _size(n_pos, "n_pos"), _size(n_neg, "n_neg")
        return positives, negatives / positives
    if design.rate == "tpr":
        _refuse("a gap in TPR", n_neg=n_neg)
        return _member_count(n_pos, "n_pos"), 1.0
    _refuse("a gap in FPR", n_pos=n_pos)
    return _member_count(n_neg, "n_neg"), 1.0


def read_ratio(design: Design, ratio: Any) -> float:
    """Return the ratio of negative to positive cases."""
    if isinstance(design, TwoPoints):
        _refuse("two points", ratio=ratio)
    return 1.0 if ratio is None else checks.check_number(ratio, name="ratio", low=0)


def read_goal(power: Any, half_width: Any) -> float:
    """Return the wanted power, or the wanted half-width where there is none."""
    if (power is None) == (half_width is None):
        got = "none" if power is None else "both"
        raise RocInputError(f"one of power and half_width must be given, got {got}")
    if power is None:
        return checks.check_number(half_width, name="half_width", low=0, high=1)
    return checks.check_number(power, name="power", low=0, high=1)


def _refuse(question: str, **given: Any) -> None:
    """Refuse arguments that do not belong to the question."""
    for name, value in given.items():
        if value is not None:
            raise RocInputError(f"{name} must not be given for {question}, got {checks.show(value)}")


def _area(value: Any, name: str) -> float:
    return checks.check_number(value, name=name, low=0, high=1)


def _correlation(value: Any, name: str) -> float:
    return checks.check_number(value, name=name, low=-1, high=1)


def _size(value: Any, name: str) -> float:
    return checks.check_number(value, name=name, low=0)


def _member_count(value: Any, name: str) -> float:
    return checks.check_number(value, name=name, low=1)  # one member has no paired t test


def _choice(value: Any, choices: Sequence[str], default: str) -> str:
    return default if value is None else checks.check_choice(value, choices, name="method")
