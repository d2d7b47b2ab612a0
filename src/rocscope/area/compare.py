"""Tests between ROC curves: is the difference of the areas real?"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import special

from rocscope.area.delong import AreaMatrix, paired_areas, unpaired_areas
from rocscope.core import checks, wald
from rocscope.core.adjust import holm
from rocscope.core.checks import Alternative
from rocscope.core.result import Result, Row, Status
from rocscope.core.scores import BinaryScores
from rocscope.errors import RocInputError

METHODS = ("delong",)
# Eigenvalues of a covariance below this share of the largest are taken as 0.
RANK_TOLERANCE = 1e-10


@dataclass(frozen=True, slots=True, kw_only=True)
class PairDifference(Row):
    """Difference of two areas, first minus second, with its interval and test."""

    first: str
    second: str
    difference: float
    se: float | None
    low: float | None
    high: float | None
    statistic: float | None
    df: float | None
    p_value: float | None
    p_adjusted: float | None
    reason: str | None = None

    def __str__(self) -> str:
        name = f"{self.first} - {self.second}: {self.difference:+.4f}"
        if self.p_value is None or self.low is None or self.high is None:
            return f"{name} (no test: {self.reason})"
        return f"{name} ({self.low:+.4f} to {self.high:+.4f}), p = {self.p_value:.4g}"


@dataclass(frozen=True, slots=True, kw_only=True)
class CurveComparison(Result):
    """Areas of two or more curves, compared.

    Attributes
    ----------
    names, auc, cov
        The curves, their areas, and the covariance of the areas.
    kind
        "z" for two curves: the difference, first minus second, over its standard error, normal where
        the curves are paired, Student's t with `df` where they are not. "chi2" for more curves or
        for contrasts.
    statistic, df, p_value
        The test that all areas are equal (or that all contrasts are 0); None where undefined.
    pairs
        One row per pair of curves: difference, interval, p-value and Holm's adjusted p-value.
    """

    names: tuple[str, ...]
    auc: NDArray[np.float64]
    cov: NDArray[np.float64]
    kind: str
    statistic: float | None
    df: float | None
    p_value: float | None
    pairs: tuple[PairDifference, ...]
    method: str
    paired: bool
    level: float
    alternative: str
    status: Status = "ok"
    reason: str | None = None
    warnings: tuple[str, ...] = ()

    def columns(self) -> dict[str, Any]:
        """Return one row per pair of curves."""
        return {name: [row[name] for row in self.pairs] for name in self.pairs[0].keys()}  # noqa: SIM118

    def __str__(self) -> str:
        how = "paired" if self.paired else "unpaired"
        areas = ", ".join(f"{name} {area:.4f}" for name, area in zip(self.names, self.auc, strict=True))
        lines = [f"Areas ({how}, {self.method}): {areas}", f"Equal areas: {self._test_words()}"]
        return "\n".join(lines + [f"  {pair}" for pair in self.pairs])

    def _test_words(self) -> str:
        if self.p_value is None:
            return f"undefined, {self.reason}"
        df = f", df = {self.df:.4g}" if self.df is not None else ""
        return f"{self.kind} = {self.statistic:.4g}{df}, p = {self.p_value:.4g}"


def compare_auc(
    y_true: Any,
    scores: Mapping[str, Any],
    *,
    method: str = "delong",
    paired: bool = True,
    level: float = 0.95,
    alternative: Alternative = "two-sided",
    contrasts: Any = None,
    pos_label: Any = None,
) -> CurveComparison:
    """Compare the areas of two or more ROC curves.

    Parameters
    ----------
    y_true
        Labels of two classes; with `paired=False` a mapping of curve name to labels.
    scores
        Mapping of curve name to scores, two curves or more, in the order of the differences.
    method
        "delong": DeLong's covariance of the areas.
    paired
        Whether all curves come from the same cases.
    level
        Confidence level of the intervals of the differences.
    alternative
        For two curves: "greater" asks whether the first area is larger, "less" whether it is smaller.
    contrasts
        Matrix with one column per curve; tests that every row times the areas is 0, by chi-square.
    pos_label
        The label of the positive class.

    Returns
    -------
    CurveComparison
        The joint test, and for each pair the difference with interval, p-value and Holm's adjustment.
        Curves that do not differ at all give a statistic of 0 and p = 1.

    Examples
    --------
    >>> y = [0, 0, 0, 0, 1, 1, 1, 1]
    >>> result = compare_auc(y, {"a": [1, 2, 3, 5, 4, 6, 7, 8], "b": [1, 2, 4, 3, 2, 1, 4, 5]})
    >>> print(result)
    Areas (paired, delong): a 0.9375, b 0.5938
    Equal areas: z = 1.556, p = 0.1198
      a - b: +0.3438 (-0.0893 to +0.7768), p = 0.1198
    """
    checks.check_choice(method, METHODS, name="method")
    checks.check_level(level)
    checks.check_alternative(alternative)
    matrix, warnings = _read_areas(y_true, scores, paired, pos_label)
    rows = None if contrasts is None else _check_contrasts(contrasts, len(matrix.names))
    if alternative != "two-sided" and (len(matrix.names) > 2 or rows is not None):
        raise RocInputError(f"alternative must be 'two-sided' for a joint test, got {alternative!r}")
    pairs = _compare_pairs(matrix, paired=paired, level=level, alternative=alternative)
    if len(matrix.names) == 2 and rows is None:
        test = _JointTest("z", pairs[0].statistic, pairs[0].df, pairs[0].p_value, pairs[0].reason)
    else:
        test = contrast_test(matrix, _successive(len(matrix.names)) if rows is None else rows)
    return CurveComparison(
        names=matrix.names,
        auc=matrix.areas,
        cov=matrix.covariance,
        kind=test.kind,
        statistic=test.statistic,
        df=test.df,
        p_value=test.p_value,
        pairs=pairs,
        method=method,
        paired=paired,
        level=level,
        alternative=alternative,
        status="ok" if test.reason is None else "undefined",
        reason=test.reason,
        warnings=warnings + _zero_variance_words(matrix),
    )


@dataclass(frozen=True, slots=True)
class _JointTest:
    kind: str
    statistic: float | None
    df: float | None
    p_value: float | None
    reason: str | None


def contrast_test(matrix: AreaMatrix, contrasts: NDArray[np.float64]) -> _JointTest:
    """Chi-square test that contrasts of the areas are 0: (LA)' (LSL')^- (LA), df = rank ([1] eq. 9).

    Curves that are functions of each other make LSL' singular: only its range is tested, and a
    difference outside of it, which has no variance at all, is undefined rather than infinite.
    """
    if matrix.smallest_class < 2:
        return _JointTest("chi2", None, None, None, FEW)
    effect = contrasts @ matrix.areas
    values, vectors = np.linalg.eigh(contrasts @ matrix.covariance @ contrasts.T)
    kept = (
        values > RANK_TOLERANCE * max(values.max(), 0.0) if values.max() > 0 else np.zeros(len(values), bool)
    )
    along = vectors.T @ effect
    if np.abs(along[~kept]).max(initial=0.0) > math.sqrt(RANK_TOLERANCE):
        return _JointTest("chi2", None, None, None, NO_VARIANCE)
    statistic = float((along[kept] ** 2 / values[kept]).sum())
    df = int(kept.sum())
    return _JointTest("chi2", statistic, df, float(special.chdtrc(df, statistic)) if df else 1.0, None)


FEW = "the variance needs two cases in each class"
NO_VARIANCE = "the areas differ but their difference has no variance"


def _read_areas(y_true: Any, scores: Any, paired: bool, pos_label: Any) -> tuple[AreaMatrix, tuple[str, ...]]:
    if not isinstance(scores, Mapping) or len(scores) < 2:
        raise RocInputError(f"scores must map two or more curve names to scores, got {checks.show(scores)}")
    if paired:
        if isinstance(y_true, Mapping):
            raise RocInputError("y_true must be one array for paired curves; for a mapping give paired=False")
        data = BinaryScores.from_arrays(y_true, scores, pos_label=pos_label)
        return paired_areas(data), data.warnings
    if not isinstance(y_true, Mapping) or set(y_true) != set(scores):
        raise RocInputError(
            f"y_true must map the same names to labels for unpaired curves, {list(scores)}, "
            f"got {list(y_true) if isinstance(y_true, Mapping) else type(y_true).__name__}"
        )
    samples = {
        str(name): BinaryScores.from_arrays(y_true[name], {name: scores[name]}, pos_label=pos_label)
        for name in scores
    }
    return unpaired_areas(samples), tuple(
        dict.fromkeys(w for data in samples.values() for w in data.warnings)
    )


def _compare_pairs(
    matrix: AreaMatrix, *, paired: bool, level: float, alternative: Alternative
) -> tuple[PairDifference, ...]:
    k = len(matrix.names)
    pairs = [(i, j) for i in range(k) for j in range(i + 1, k)]
    tests = [_difference(matrix, i, j, paired, level, alternative) for i, j in pairs]
    adjusted = holm([np.nan if t["p_value"] is None else t["p_value"] for t in tests])
    return tuple(
        PairDifference(
            first=matrix.names[i],
            second=matrix.names[j],
            p_adjusted=None if math.isnan(p) else float(p),
            **test,
        )
        for (i, j), test, p in zip(pairs, tests, adjusted, strict=True)
    )


def _difference(
    matrix: AreaMatrix, i: int, j: int, paired: bool, level: float, alternative: Alternative
) -> dict[str, Any]:
    difference = float(matrix.areas[i] - matrix.areas[j])
    nothing = dict.fromkeys(("se", "low", "high", "statistic", "df", "p_value"))
    if matrix.smallest_class < 2:
        return nothing | {"difference": difference, "reason": FEW}
    se = math.sqrt(matrix.difference_variance[i, j])
    if se == 0 and difference != 0:
        return nothing | {"difference": difference, "se": 0.0, "reason": NO_VARIANCE}
    df = None if paired or se == 0 else _unpaired_df(matrix, i, j)
    statistic = difference / se if se > 0 else 0.0
    low, high = wald.interval(difference, se, level=level, alternative=alternative, df=df, bounds=(-1.0, 1.0))
    p = wald.p_value(statistic, alternative=alternative, df=df) if se > 0 else 1.0
    return {
        "difference": difference,
        "se": se,
        "low": low,
        "high": high,
        "statistic": statistic,
        "df": df,
        "p_value": p,
        "reason": None,
    }


def _unpaired_df(matrix: AreaMatrix, i: int, j: int) -> float:
    """Welch's degrees of freedom over the cases of each curve, as pROC has them."""
    a, b = matrix.covariance[i, i], matrix.covariance[j, j]
    return float((a + b) ** 2 / (a**2 / (matrix.sizes[i] - 1) + b**2 / (matrix.sizes[j] - 1)))


def _successive(k: int) -> NDArray[np.float64]:
    return np.eye(k - 1, k) - np.eye(k - 1, k, 1)


def _check_contrasts(contrasts: Any, k: int) -> NDArray[np.float64]:
    rows = np.atleast_2d(np.asarray(contrasts, dtype=np.float64))
    if rows.ndim != 2 or rows.shape[1] != k or not np.isfinite(rows).all() or not rows.any(axis=1).all():
        raise RocInputError(
            f"contrasts must hold finite rows of {k} numbers, none all 0, got {checks.show(contrasts)}"
        )
    return rows


def _zero_variance_words(matrix: AreaMatrix) -> tuple[str, ...]:
    zero = [
        f"{matrix.names[i]} - {matrix.names[j]}"
        for (i, j), variance in matrix.difference_variance.items()
        if variance == 0
    ]
    return (
        (f"the variance of the difference is 0, so its interval says nothing: {', '.join(zero)}",)
        if zero
        else ()
    )
