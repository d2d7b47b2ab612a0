"""Subgroups: the area of each, what a common threshold does in it, and whether the areas differ.

Groups of a column hold different cases, so their areas A_i are independent, with DeLong's variances V_i. That
all are equal is tested by

    Q = sum_i (A_i - A_w)^2 / V_i,   A_w = sum_i (A_i / V_i) / sum_i (1 / V_i),

which is chi-square with k - 1 degrees of freedom for k groups [1]_; of two groups it is the square of the
unpaired DeLong statistic. Where a group has few misranked cases, A_w is the area that all have in common
under the hypothesis and V_i is the variance of the score at A_w (`rocscope.inference.curve_tests`): DeLong's
variance of a small group is too small where its area is large by chance, so that such a group counts too
much. A group is compared with the rest, the cases of all other groups of its column, by `compare_auc`, by the
same rule.

A cluster may have cases in several groups, whose areas then depend on each other. With the influence of
every case on the area of its group (`rocscope.core.influence`), summed inside clusters, the areas have
variances as each alone, and the covariance of two curves on the clusters of all groups. The difference to
the rest takes both variances and twice the covariance, with Student's t as `auc` does; the test of
homogeneity is the chi-square test of k - 1 contrasts by this covariance, which is Q where groups share no
cluster.

References
----------
.. [1] Cochran: The combination of estimates from different experiments, Biometrics 10, 1954.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar, get_args

import numpy as np
from numpy.typing import NDArray
from scipy import special

from rocscope.core import checks, frames, points, significance, spread
from rocscope.core.formatting import listed, shared
from rocscope.core.frames import Missing
from rocscope.core.influence import Design, area_influence
from rocscope.core.result import Estimate, Result, Row, Status, TwoClassResult, row_columns
from rocscope.core.rules import Direction
from rocscope.core.scores import BinaryScores, WeightKind, distinct_labels, is_stacked
from rocscope.core.table import ScoreTable, as_table, own_scores
from rocscope.core.tables import METHODS
from rocscope.errors import RocInputError
from rocscope.inference.auc import auc, auc_from_sums
from rocscope.inference.compare import CurveComparison, compare_auc, compare_sums, needs_score
from rocscope.inference.curve_tests import chi_square_test, homogeneity
from rocscope.inference.designed_measures import designed_proportion
from rocscope.inference.proportions import IntervalKind, as_number, plain_threshold, wilson_interval
from rocscope.inference.variance import FEW_CLUSTERS, NO_VARIANCE, AreaMatrix, ScoreVariance

SHOWN_GROUPS = 5
RATES = ("tpr", "fpr", "ppv")
RATE_FIELDS = {f"{rate}{end}" for rate in RATES for end in ("", "_low", "_high")}


@dataclass(frozen=True, slots=True, kw_only=True)
class SubgroupArea(Row):
    """One group: its cases, its area, its rates at the common threshold, and its difference to the rest.

    Attributes
    ----------
    by, group
        The column, and the value of it that the cases of the group have.
    n, n_pos, n_neg
        Its cases, of both classes and of each.
    auc, se_auc, auc_low, auc_high
        Its area with DeLong's standard error and the interval of `auc`.
    auc_method
        How this interval is made: "delong" or "score", "logit" for clusters.
    tpr, fpr, ppv
        Sensitivity, FPR and PPV at the common threshold, with the ends of Wilson's intervals (`tpr_low`,
        ...); None without a threshold, and where there is no case to count.
    difference, se_difference, difference_low, difference_high
        Its area minus that of the rest, the cases of all other groups of the column.
    p_value, p_adjusted
        The unpaired test of the difference by `compare_auc`, and Holm's adjustment for the groups of the
        column.
    status, reason
        "ok"; "partial" (an area without a variance) or "undefined" (no area), with the reason. Such groups
        are left out of the test of homogeneity.
    """

    by: str
    group: Any
    n: int
    n_pos: int
    n_neg: int
    auc: float | None
    se_auc: float | None
    auc_low: float | None
    auc_high: float | None
    auc_method: str | None
    tpr: float | None
    tpr_low: float | None
    tpr_high: float | None
    fpr: float | None
    fpr_low: float | None
    fpr_high: float | None
    ppv: float | None
    ppv_low: float | None
    ppv_high: float | None
    difference: float | None
    se_difference: float | None
    difference_low: float | None
    difference_high: float | None
    p_value: float | None
    p_adjusted: float | None
    status: Status = "ok"
    reason: str | None = None

    def _summary(self) -> str:
        text = f"{self.by} {self.group}, {self.n_pos} + {self.n_neg} cases: "
        if self.auc is None:
            return f"{text}no area, {self.reason}"
        ends = "" if self.auc_low is None else f" ({self.auc_low:.4f}-{self.auc_high:.4f})"
        text += f"AUC {self.auc:.4f}{ends}"
        if self.p_value is None or self.difference is None:
            return text if self.reason is None else f"{text}; {self.reason}"
        ends = f"{self.difference_low:+.4f} to {self.difference_high:+.4f}"
        adjusted = "" if self.p_adjusted in (None, self.p_value) else f" (Holm {self.p_adjusted:.4g})"
        return f"{text}, minus the rest {self.difference:+.4f} ({ends}), p = {self.p_value:.4g}{adjusted}"


@dataclass(frozen=True, slots=True, kw_only=True)
class HomogeneityTest(Row):
    """Test that the areas of all groups of a column are equal.

    Attributes
    ----------
    by
        The column.
    n_groups
        Groups that are in the test.
    auc
        The area that all would have in common: the mean with inverse variances as weights.
    method
        Which variances these are: "delong", or "score" where a group has few misranked cases.
    statistic, df, p_value, p_adjusted
        Q, its degrees of freedom, its p-value, and Holm's adjustment for the number of columns; None where
        fewer than two groups have an area with a variance.
    reason
        Which groups are left out, or why there is no test.
    """

    by: str
    n_groups: int
    auc: float | None
    statistic: float | None
    df: int | None
    p_value: float | None
    p_adjusted: float | None
    reason: str | None = None
    method: str = "delong"

    def _summary(self) -> str:
        if self.p_value is None or self.statistic is None:
            return f"Equal areas by {self.by}: no test, {self.reason}"
        adjusted = "" if self.p_adjusted in (None, self.p_value) else f" (Holm {self.p_adjusted:.4g})"
        figures = f"Q = {self.statistic:.4g}, df = {self.df}, p = {self.p_value:.4g}{adjusted}"
        return f"Equal areas by {self.by}: {figures}"


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class SubgroupAreas(TwoClassResult):
    """Areas of subgroups, with differences and tests.

    Attributes
    ----------
    groups
        One row per group, column after column, in sorted order.
    tests
        The test of homogeneity of each column.
    overall
        The area of all cases.
    threshold
        The common threshold of TPR, FPR and PPV; None without one.
    level
        Confidence level of all intervals.
    """

    view: ClassVar[str] = "forest.subgroups_picture"
    topic: ClassVar[str] = "comparison"

    groups: tuple[SubgroupArea, ...]
    tests: tuple[HomogeneityTest, ...]
    overall: Estimate
    threshold: Any
    level: float
    direction: Direction = "higher"

    @property
    def sign(self) -> str:
        """How the score of a case that tests positive compares with the threshold."""
        return ">=" if self.direction == "higher" else "<="

    def of(self, by: str) -> tuple[SubgroupArea, ...]:
        """Return the groups of one column."""
        return tuple(row for row in self.groups if row.by == by)

    def to_dict(self) -> dict[str, Any]:
        """Return the fields for strict JSON; an infinite threshold is text."""
        return Result.to_dict(self) | {"threshold": plain_threshold(self.threshold)}

    def columns(self) -> dict[str, Any]:
        """Return one row per group."""
        return row_columns(self.groups)

    def _paper(self) -> tuple[dict[str, Any], dict[str, str], list[str]]:
        methods = {f"{row.by} {row.group}": row.auc_method for row in self.groups}
        named = shared({name: METHODS.get(one, one) for name, one in methods.items() if one is not None})
        notes = [f"{self.overall.summary()} of all cases; intervals of areas by {named}."]
        if self.threshold is not None:
            notes.append(f"TPR, FPR and PPV where score {self.sign} {self.threshold}, intervals by Wilson.")
        notes += [f"{test.summary()}." for test in self.tests]
        aside = {"n", "se_auc", "auc_method", "se_difference"}
        aside |= set() if self.threshold is not None else RATE_FIELDS
        columns = {name: values for name, values in self.columns().items() if name not in aside}
        return columns, {"difference": "Minus the rest", "by": "Column"}, notes

    def _summary(self) -> str:
        columns = listed([test.by for test in self.tests])
        lines = [
            f"Areas of {len(self.groups)} groups by {columns} ({self._cases})",
            f"All cases: {self.overall.summary()}",
        ]
        for test in self.tests:
            lines += ["", test.summary(), *(f"  {row.summary()}" for row in self.of(test.by))]
        if self.threshold is not None:
            lines += ["", f"Where score {self.sign} {self.threshold}:"]
            for row in self.groups:
                rates = ", ".join(f"{name.upper()} {_rate(row, name)}" for name in RATES)
                lines.append(f"  {row.by} {row.group}: {rates}")
        return "\n".join(lines)


def _rate(row: SubgroupArea, name: str) -> str:
    value = row[name]
    return (
        "undefined" if value is None else f"{value:.4f} ({row[f'{name}_low']:.4f}-{row[f'{name}_high']:.4f})"
    )


@checks.known_arguments
def auc_by(
    y_true: Any,
    y_score: Any = None,
    *,
    by: Any,
    threshold: Any = None,
    level: float = 0.95,
    sample_weight: Any = None,
    weight_kind: WeightKind = "survey",
    groups: Any = None,
    pos_label: Any = None,
    label: str | None = None,
    score: str | None = None,
    na: Missing = "error",
    direction: Direction = "higher",
) -> SubgroupAreas:
    """Return the areas of subgroups, their differences to the rest, and a test of homogeneity.

    Parameters
    ----------
    y_true, y_score, pos_label, label, score, direction
        Labels and scores, as in `auc`; what holds no single cases, such as a `ScoreTable`, has no groups. Of
        a dask data frame (at most 100 groups a column) whole numbers come from the workers, and no rows.
    by
        The group of every case; of several columns, each with groups of its own, a mapping of names to
        columns or a data frame. Where `y_true` is a data frame: the name of a column of it, or a list of
        names.
    threshold
        A common threshold at which TPR, FPR and PPV of every group are given: a number, or what holds it (a
        selected point of a curve, a `Threshold`, the result of `cutpoint`).
    level
        Confidence level of all intervals.
    sample_weight, weight_kind, groups
        Weights and clusters of the cases, as in `auc`; the groups that are compared are those of `by`. Rates
        have the intervals of `point_measures`.
    na
        "error" refuses missing labels, scores and groups; "drop" leaves out the rows that hold one, with a
        warning.

    Returns
    -------
    SubgroupAreas
        One row per group in `groups`, one test per column in `tests`. Groups that are too small, or whose
        area is exactly 0 or 1, stay in the table with a `reason`, and are left out of the test.

    Notes
    -----
    The p-values of the differences are adjusted for the groups of a column (of two groups the two differences
    are one test), those of homogeneity for the number of columns, both by Holm. Their sizes are in
    docs/subgroups.md.

    Examples
    --------
    >>> y = [0, 0, 0, 1, 1, 1] * 2
    >>> s = [1, 2, 4, 3, 5, 6, 1, 3, 5, 2, 4, 6]
    >>> result = auc_by(y, s, by={"site": ["North"] * 6 + ["South"] * 6}, threshold=4)
    >>> print(result.tests[0])
    Equal areas by site: Q = 0.5096, df = 1, p = 0.4753
    >>> print(result.groups[1])  # doctest: +ELLIPSIS
    site South, 3 + 3 cases: AUC 0.6667 (0.2115-0.9342), minus the rest ...
    >>> result.groups[0].tpr, result.groups[0].fpr
    (0.6666666666666666, 0.3333333333333333)
    """
    level = checks.check_level(level)
    checks.check_choice(direction, get_args(Direction), name="direction")
    if checks.is_dask_frame(y_true):
        names = checks.check_names([by] if isinstance(by, str) else by, name="by", at_least=1)
        beside = {"sample_weight": sample_weight, "groups": groups, "y_score": y_score}
        how: dict[str, Any] = {"label": label, "score": score, "pos_label": pos_label, "na": na}
        found = spread.read_frame(y_true, by=names, direction=direction, **how, **beside).single()
        return _spread_areas(found, names, threshold, level)
    data, columns = _read_groups(
        y_true,
        y_score,
        by,
        na=na,
        label=label,
        score=score,
        beside={"sample_weight": sample_weight, "groups": groups},
        weight_kind=weight_kind,
        pos_label=pos_label,
        direction=direction,
    )
    threshold = points.cut_of(threshold, data.direction)
    decided = None
    if threshold is not None:
        checks.check_number(threshold, name="threshold", closed=True)
        scores = own_scores(data.columns[0], data.direction)
        decided = points.reaches(scores, threshold, data.direction == "lower")
        threshold = as_number(threshold)
    rows, tests = dict[str, list[dict[str, Any]]](), list[dict[str, Any]]()
    for name, values in columns.items():
        members = {value: values == value for value in distinct_labels(values)}
        rows[name] = [
            _group_row(data, of_group, decided, level, by=name, group=value)
            for value, of_group in members.items()
        ]
        test = _homogeneity(name, rows[name])
        kept = [row["group"] for row in rows[name] if row["status"] == "ok"]
        if not data.is_plain and len(kept) > 1:
            test |= _designed_homogeneity(data, [members[value] for value in kept])
        tests.append(test)
    return _areas(
        rows,
        tests,
        overall=auc(replace(data, warnings=()), level=level),
        threshold=threshold,
        level=level,
        direction=data.direction,
        n_pos=data.n_pos,
        n_neg=data.n_neg,
        pos_label=data.pos_label,
        neg_label=data.neg_label,
        warnings=data.warnings,
    )


def _areas(
    rows: Mapping[str, list[dict[str, Any]]],
    tests: list[dict[str, Any]],
    *,
    warnings: tuple[str, ...],
    **fields: Any,
) -> SubgroupAreas:
    """The result, with p-values adjusted for the groups of each column and for the number of columns."""
    for of_column in rows.values():
        if len(of_column) == 2:  # the differences of two groups are one test
            for row in of_column:
                row["p_adjusted"] = row["p_value"]
        else:
            significance.adjust(of_column, ["groups"] * len(of_column))
    significance.adjust(tests, ["columns"] * len(tests))
    left_out = [f"by {test['by']}: {test['reason']}" for test in tests if test["reason"]]
    return SubgroupAreas(
        groups=tuple(SubgroupArea(**row) for of_column in rows.values() for row in of_column),
        tests=tuple(HomogeneityTest(**test) for test in tests),
        warnings=(*warnings, *left_out),
        **fields,
    )


def _spread_areas(
    found: spread.SpreadScores, names: Sequence[str], threshold: Any, level: float
) -> SubgroupAreas:
    """Areas of the groups of a dask data frame, from whole numbers that its workers send."""
    cut = points.cut_of(threshold, found.direction)
    if cut is not None:
        checks.check_number(cut, name="threshold", closed=True)
    n_pos, n_neg = found.sizes
    classes = found.labels["pos_label"], found.labels["neg_label"]
    rows, tests = dict[str, list[dict[str, Any]]](), list[dict[str, Any]]()
    for name in names:
        counts = found.group_counts(name, cut)
        rows[name] = []
        for group in sorted(counts, key=lambda one: (type(one).__name__, one)):
            m, n, tp, fp = counts[group]
            row: dict[str, Any] = dict.fromkeys(SubgroupArea.__dataclass_fields__)
            row |= {"by": name, "group": group, "n": m + n, "n_pos": m, "n_neg": n, "status": "ok"}
            row |= _rates(tp, fp, m, n, level) if cut is not None else {}
            rows[name].append(row)
            if not (m and n):
                row |= {"status": "undefined", "reason": f"the group has {_lacking(classes, m, n)}"}
                continue
            sums = found.where(name, group).sums()
            row |= _area_fields(auc_from_sums(sums, level=level), _lacking(classes, m, n), plain=True)
            if not (n_pos > m and n_neg > n):
                lacking = _lacking(classes, n_pos - m, n_neg - n)
                row["reason"] = row["reason"] or f"no difference: the rest has {lacking}"
                continue
            rest = found.where(name, group, inside=False).sums()
            if row["status"] != "ok":
                row["difference"] = sums.auc - rest.auc
                continue
            sizes: dict[str, Any] = {"n_pos": (m, n_pos - m), "n_neg": (n, n_neg - n)}
            matrix = AreaMatrix.of_sums(("group", "rest"), (sums, rest))
            how: dict[str, Any] = {"paired": False, "direction": found.direction, "level": level}
            row |= _difference_fields(compare_sums(matrix, **sizes, **how))
        tests.append(_homogeneity(name, rows[name]))
    return _areas(
        rows,
        tests,
        overall=auc_from_sums(found.sums(), level=level, direction=found.direction),
        threshold=None if cut is None else as_number(cut),
        level=level,
        direction=found.direction,
        n_pos=n_pos,
        n_neg=n_neg,
        pos_label=classes[0],
        neg_label=classes[1],
        warnings=found.warnings,
    )


def _group_row(
    data: BinaryScores,
    members: NDArray[np.bool_],
    decided: NDArray[np.bool_] | None,
    level: float,
    **name: Any,
) -> dict[str, Any]:
    """Fields of one group."""
    positive = data.positive[members]
    n_pos, n_neg = int(np.count_nonzero(positive)), int(np.count_nonzero(~positive))
    row: dict[str, Any] = dict.fromkeys(SubgroupArea.__dataclass_fields__)
    row |= name | {"n": n_pos + n_neg, "n_pos": n_pos, "n_neg": n_neg, "status": "ok"}
    if decided is not None:
        tp, fp = (int(np.count_nonzero(decided[members] & of)) for of in (positive, ~positive))
        row |= _rates(tp, fp, n_pos, n_neg, level)
        of_rates = {
            "tpr": (decided, data.positive),
            "fpr": (decided, ~data.positive),
            "ppv": (data.positive, decided),
        }
        for rate, (counted, among) in of_rates.items() if not data.is_plain else ():
            if row[rate] is not None:
                kind = IntervalKind(level=level)
                found = designed_proportion(rate, data, counted & members, among & members, kind)
                row |= {rate: found.value, f"{rate}_low": found.low, f"{rate}_high": found.high}
    classes = data.pos_label, data.neg_label
    lacking = _lacking(classes, n_pos, n_neg)
    if not (n_pos and n_neg):
        return row | {"status": "undefined", "reason": f"the group has {lacking}"}
    parts = {
        which: replace(data.rows(of), warnings=()) for which, of in (("group", members), ("rest", ~members))
    }
    area = auc(parts["group"], level=level)
    row |= _area_fields(area, lacking, plain=data.is_plain)
    rest = parts["rest"]
    if not (rest.n_pos and rest.n_neg):
        lacking = _lacking(classes, rest.n_pos, rest.n_neg)
        return row | {"reason": row["reason"] or f"no difference: the rest has {lacking}"}
    if row["status"] != "ok":
        return row | {"difference": float(area) - float(auc(rest, level=level))}
    if not data.is_plain:
        return row | _designed_difference(data, members, area, level)
    return row | _difference_fields(
        compare_auc(
            {which: part.positive for which, part in parts.items()},
            {which: part.columns[0] for which, part in parts.items()},
            paired=False,
            level=level,
        )
    )


def _rates(tp: int, fp: int, n_pos: int, n_neg: int, level: float) -> dict[str, Any]:
    """Fields of the rates of independent cases; none of no case."""
    fields = dict[str, Any]()
    for rate, count, n in (("tpr", tp, n_pos), ("fpr", fp, n_neg), ("ppv", tp, tp + fp)):
        if n:
            low, high = wilson_interval(count, n, level=level)
            fields |= {rate: count / n, f"{rate}_low": low, f"{rate}_high": high}
    return fields


def _area_fields(area: Estimate, lacking: str, *, plain: bool) -> dict[str, Any]:
    """Fields of the area of a group, and why it has no variance."""
    fields: dict[str, Any] = {
        "auc": area.value,
        "se_auc": area.se,
        "auc_low": area.low,
        "auc_high": area.high,
    }
    fields["auc_method"] = None if area.low is None else area.method
    if lacking:
        return fields | {"status": "partial", "reason": f"no variance: the group has {lacking}"}
    if area.se is None:
        return fields | {"status": "partial", "reason": f"no variance: {area.reason}"}
    if not area.se:
        what = "its scores are all equal" if plain else "no case moves it"
        what = "its classes are separated" if area.value in (0.0, 1.0) else what
        reason = f"no variance: {what}, so that its area is {area.value:g}"
        return fields | {"status": "partial", "reason": reason}
    return fields


def _difference_fields(comparison: CurveComparison) -> dict[str, Any]:
    """Fields of the difference to the rest."""
    pair = comparison.pairs[0]
    return {
        "difference": pair.difference,
        "se_difference": pair.se,
        "difference_low": pair.low,
        "difference_high": pair.high,
        "p_value": pair.p_value,
        "reason": None if pair.p_value is not None else f"no test of the difference: {pair.reason}",
    }


def _designed_covariance(
    data: BinaryScores, parts: list[NDArray[np.bool_]]
) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]:
    """Areas of parts of weighted or clustered cases, their influences and their covariance."""
    areas, influences = np.empty(len(parts)), np.zeros((len(parts), data.positive.size))
    for k, members in enumerate(parts):
        areas[k], influences[k, members] = area_influence(data.rows(members))
    covariance = Design.of(data).covariance(influences)
    for k, members in enumerate(parts):  # as each alone
        covariance[k, k] = Design.of(data.rows(members)).variance(influences[k][members])
    return areas, influences, covariance


def _designed_difference(
    data: BinaryScores, members: NDArray[np.bool_], area: Estimate, level: float
) -> dict[str, Any]:
    """Fields of the difference to the rest, whose cases may share clusters with the group."""
    areas, influences, covariance = _designed_covariance(data, [members, ~members])
    difference = float(areas[0] - areas[1])
    variance = covariance[0, 0] + covariance[1, 1] - 2 * covariance[0, 1]
    if not variance > 0:
        reason = FEW_CLUSTERS if np.isnan(variance) else NO_VARIANCE
        return {"difference": difference, "reason": f"no test of the difference: {reason}"}
    se, df = float(np.sqrt(variance)), Design.of(data).degrees_of_freedom(influences[0] - influences[1])
    low, high = significance.interval(difference, se, level=level, df=df, bounds=(-1.0, 1.0))
    return {
        "difference": difference,
        "se_difference": se,
        "difference_low": low,
        "difference_high": high,
        "p_value": significance.p_value(difference / se, df=df),
    }


def _designed_homogeneity(data: BinaryScores, parts: list[NDArray[np.bool_]]) -> dict[str, Any]:
    """The test that all parts have the same area, by the covariance of their areas."""
    areas, _, covariance = _designed_covariance(data, parts)
    contrasts = np.eye(len(parts) - 1, len(parts)) - np.eye(len(parts) - 1, len(parts), 1)
    joint = chi_square_test(contrasts @ areas, contrasts @ covariance @ contrasts.T)
    weights = np.linalg.pinv(covariance).sum(axis=0)
    return {
        "auc": float(weights @ areas / weights.sum()),
        "statistic": joint.statistic,
        "df": joint.df,
        "p_value": joint.p_value,
        "method": "delong",
    }


def _lacking(classes: tuple[Any, Any], n_pos: int, n_neg: int) -> str:
    """Which class, the positive or the negative, has fewer than two cases; nothing where none has."""
    few = [
        f"{'no case' if n == 0 else 'one case'} of class {label!s}"
        for n, label in zip((n_pos, n_neg), classes, strict=True)
        if n < 2
    ]
    return " and ".join(few)


def _homogeneity(name: str, rows: list[dict[str, Any]]) -> dict[str, Any]:
    """Fields of the test that all groups with a variance have the same area."""
    kept = [row for row in rows if row["status"] == "ok"]
    test: dict[str, Any] = dict.fromkeys(HomogeneityTest.__dataclass_fields__)
    test |= {"by": name, "n_groups": len(kept), "method": "delong"}
    out = [str(row["group"]) for row in rows if row["status"] != "ok"]
    if len(kept) < 2:
        few = "no group has" if not kept else "one group alone has"
        return test | {"reason": f"{few} an area with a variance"}
    if out:
        more = [] if len(out) <= SHOWN_GROUPS else [f"{len(out) - SHOWN_GROUPS} more"]
        which = f"{listed([*out[:SHOWN_GROUPS], *more])}, which {'has' if len(out) == 1 else 'have'}"
        test["reason"] = f"left out of the test of homogeneity: {which} no variance of the area"
    areas, variances = np.array([(row["auc"], row["se_auc"] ** 2) for row in kept]).T
    sizes, df = [(row["n_pos"], row["n_neg"]) for row in kept], len(kept) - 1
    if by_score := needs_score(areas, sizes):
        spreads = [ScoreVariance.of(a, v, *n) for a, v, n in zip(areas, variances, sizes, strict=True)]
        common, statistic = homogeneity(areas.tolist(), spreads)
    else:
        weights = 1 / variances
        common = float(weights @ areas / weights.sum())
        statistic = float(weights @ (areas - common) ** 2)
    p, method = float(special.chdtrc(df, statistic)), "score" if by_score else "delong"
    return test | {"auc": common, "statistic": statistic, "df": df, "p_value": p, "method": method}


# ---- Reading: the group of every case, in one column or several -------------------------------------------


def _read_groups(
    y_true: Any,
    y_score: Any,
    by: Any,
    *,
    na: Missing,
    label: str | None,
    score: str | None,
    beside: dict[str, Any],
    weight_kind: WeightKind,
    **how: Any,
) -> tuple[BinaryScores, dict[str, NDArray[Any]]]:
    """Scores of the cases, and their groups in each column."""
    checks.check_choice(na, get_args(Missing), name="na")
    named = _group_columns(y_true, by)
    shown = {name: f"by[{name!r}]" if len(named) > 1 else "by" for name in named}  # in messages
    columns = {shown[name]: values for name, values in named.items()}
    whole = as_table(y_true)
    if isinstance(whole, ScoreTable):
        raise RocInputError(
            f"must hold single cases, whose groups are known, got a {type(y_true).__name__}",
            argument="y_true",
        )
    if isinstance(whole, BinaryScores) or is_stacked(whole):
        how |= {"label": label, "score": score, "na": na, "clustered": True}
        data = BinaryScores.from_arrays(y_true, y_score, **beside, **how).single()
        cases = np.arange(data.positive.size)
        rows, dropped = frames.matched_rows({"y_true": data.positive, "cases": cases}, columns, na=na)
        if dropped:
            data = data.rows(np.asarray(rows["cases"]))
    else:
        y_true, y_score, others = frames.read_columns(y_true, y_score, label=label, score=score, **beside)
        rows, dropped = frames.matched_rows({"y_true": y_true, "y_score": y_score}, columns | others, na=na)
        how |= {name: rows.get(name) for name in beside}
        # Frequencies are repeated below, with the groups of `by`.
        data = BinaryScores.from_arrays(
            rows["y_true"], rows["y_score"], **how, keep_rows=True, weight_kind=weight_kind
        )
        data = data.single()
    groups = {name: _group_names(rows[shown[name]], shown[name], data) for name in named}
    data = replace(data, warnings=data.warnings + dropped, fold=None)
    data, cases = data.written_out()
    return data, {name: values[cases] for name, values in groups.items()}


def _group_columns(y_true: Any, by: Any) -> dict[str, Any]:
    """The columns of groups by their names."""
    frame = frames.as_frame(y_true)
    if frame is not None and isinstance(by, str):
        by = [by]
    if frame is not None and isinstance(by, (list, tuple)) and all(isinstance(one, str) for one in by):
        names = checks.check_names(by, name="by", at_least=1)
        return {name: frames.column(frame, name, argument="by") for name in names}
    by = frames.named_columns(by, argument="by")
    if not isinstance(by, Mapping):
        checks.as_vector(by, name="by")
        return {frames.series_name(by, "by"): by}
    return dict(zip(checks.check_names(map(str, by), name="by", at_least=1), by.values(), strict=True))


def _group_names(values: Any, name: str, data: BinaryScores) -> NDArray[Any]:
    """The group of every case as plain names; two or more groups."""
    groups = checks.as_vector(values, name=name)
    checks.check_same_length(("y_true", data.positive), (name, groups))
    checks.refuse_rows(
        checks.missing(groups), name=name, required="a group in every row", got="missing groups"
    )
    if groups.dtype.kind == "f" and np.isfinite(groups).all() and (groups == np.floor(groups)).all():
        groups = groups.astype(np.int64)  # whole numbers beside missing ones came as floats
    elif groups.dtype.kind not in "biufUT":
        plain = (one if isinstance(one, (bool, int, float, str)) else str(one) for one in groups.tolist())
        groups = np.array([*plain, None], dtype=object)[:-1]
    distinct = distinct_labels(groups)
    if len(distinct) < 2:
        raise RocInputError(
            f"must hold two groups or more, got only {checks.show(distinct[0])}",
            argument=name,
            data_dependent=True,
        )
    return groups
