"""The area of a cross-validated classifier, with the interval of its influence values.

Every fold v has scores of its own model and an area A_v of its own. A case moves the area of its fold by its
influence value [1]_,

    IC_i = (n / m) (V_i - A_v)  for a positive,  (n / (n - m)) (V_i - A_v)  for a negative,

with V_i the placement of the case in its fold (the share of the fold's cases of the other class that it is
ranked right against, ties counted one half), and m of the n cases positive. The variance of
the mean of the K areas is

    (1 / n) (1 / K) sum_v (1 / n_v) sum_{i in v} IC_i^2,

the estimate of [1]_ with ties counted one half in the placements as well. A case that was tested in several
repeats has one influence value, the mean of those of its tests. Of cases in clusters the influences, each
times its share of the mean, are summed inside a cluster across all folds before they are squared, as for one
area (`rocscope.core.influence`), and the interval takes Student's t as there.

The influences of a fold are deviations from its own area, so that a class of k cases in a fold loses 1 / k
of its part. The interval of interval="logit" gives it back, by the factor k / (k - 1) for the squares of the
class in the fold, as DeLong's variance has it; it is symmetric on the scale log(A / (1 - A)), and takes
Student's t with the cases of the smaller class less the folds as degrees of freedom. Where every fold is
separated no influence is left: K folds then hold K k independent pairs, k being the smallest class of any
fold, and all are right with the probability A^(K k) at most.

With one fold the first variance is sum (V_i - A)^2 / m^2 over the positives plus sum (V_j - A)^2 / (n - m)^2
over the negatives: DeLong's variance with the part of each class times (m - 1) / m, since DeLong divides by
m (m - 1).

References
----------
.. [1] LeDell, Petersen, van der Laan: Computationally efficient confidence intervals for cross-validated
   area under the ROC curve estimates, Electronic Journal of Statistics 9, 2015.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Literal, TypeAlias, get_args

import numpy as np
from numpy.typing import NDArray

from rocscope.core import checks, frames, resampling
from rocscope.core.formatting import counted
from rocscope.core.frames import Missing
from rocscope.core.influence import Design
from rocscope.core.result import Estimate
from rocscope.core.rules import Direction
from rocscope.core.scores import BinaryScores, check_alone, cluster_codes, is_stacked, shared_clusters
from rocscope.core.table import ScoreTable, as_table, below_note
from rocscope.errors import RocInputError
from rocscope.inference.auc import SEPARATED, area_interval, exact_bound
from rocscope.inference.variance import FEW_CLUSTERS

CrossMethod: TypeAlias = Literal["mean", "pooled"]
CrossInterval: TypeAlias = Literal["logit", "influence"]

NO_SPREAD = "no case moves the area, so its variance is 0 and gives no interval"
SMALL_FOLDS = (
    "{} one case of a class, whose influence is 0 there: the interval is too short (see docs/coverage.md)"
)
LEAKING = "{} in several folds: a model that was trained on other cases of a cluster may score it too well"
SHOWN_FOLDS = 3


@checks.known_arguments
def cross_auc(
    y_true: Any,
    y_score: Any = None,
    *,
    fold: Any = None,
    row: Any = None,
    groups: Any = None,
    method: CrossMethod = "mean",
    interval: CrossInterval = "logit",
    level: float = 0.95,
    alternative: checks.Alternative = "two-sided",
    X: Any = None,
    y: Any = None,
    pos_label: Any = None,
    label: str | None = None,
    score: str | None = None,
    na: Missing = "error",
    direction: Direction = "higher",
) -> Estimate:
    """Return the area of a cross-validated classifier with its influence-curve interval.

    Parameters
    ----------
    y_true
        Labels of two classes with `y_score` and `fold`; or all in one: the result of `cross_scores`, a data
        frame with `label`, `score` and the name of the column as `fold`, a `BinaryScores` with folds, or what
        scikit-learn's ``cross_validate(..., return_estimator=True, return_indices=True)`` returned, with `X`
        and `y`.
    y_score
        Scores, larger for the positive class, each of the model that did not train on the case.
    fold
        Fold of every entry; of repeated folds those of every repeat have names of their own.
    row
        Case behind every entry, where cases were tested several times (repeated folds); `cross_scores` knows
        it. Without it every entry is a case of its own.
    groups
        Cluster of every entry, as in `auc`; with the result of `cross_scores` that of every case. Clusters
        should lie in one fold each: models trained on cases of a cluster know more of its other cases than
        of new ones.
    method
        What is estimated:

        - "mean": the mean of the folds' areas, each weighing the same: how well a model that is trained on
          so many cases ranks new ones, on average over the trained models. Scores of different models are
          never compared.
        - "pooled": the area of all folds' scores in one ranking. It compares a positive of one model with a
          negative of another, so that models with other scales or levels lower it; with folds of one case it
          is the only one of the two that exists.
    interval
        How the interval is made; the result names it as its method:

        - "logit": on the scale log(A / (1 - A)) with Student's t, from influence values whose squares make up
          for the few cases of a fold; the exact bound for an area of 0 or 1.
        - "influence": normal, by the influence values as LeDell et al. have them. It is too short where folds
          hold few cases of a class.
    level, alternative
        Confidence level and side of the interval, cut at 0 and 1.
    X, y
        The data that were cross-validated, where `y_true` is the result of `cross_validate`.
    pos_label, label, score, na, direction
        As in `auc`.

    Returns
    -------
    Estimate
        The interval is for the mean of the areas that the trained models have on new cases. It does not
        hold how far other training sets would move them: docs/coverage.md.

    Raises
    ------
    RocInputError
        If a fold lacks a class, for method "mean".

    Notes
    -----
    With one fold the variance is DeLong's; by interval "influence" with the part of each class of m cases
    times (m - 1) / m. Ties count one half in the influence values as in the area; the R package cvAUC counts
    them as 0 there, so that its variance differs where scores are tied. Without ties the results of
    "influence" are those of cvAUC.

    References
    ----------
    .. [1] LeDell, Petersen, van der Laan: Computationally efficient confidence intervals for cross-validated
       area under the ROC curve estimates, Electronic Journal of Statistics 9, 2015.

    Examples
    --------
    >>> y, s = [0, 0, 1, 1, 0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8, 1, 3, 2, 4]
    >>> print(cross_auc(y, s, fold=["a"] * 4 + ["b"] * 4))
    mean AUC of 2 folds 0.7500 (95% interval 0.0096-0.9989, logit)
    >>> print(cross_auc(y, s, fold=["a"] * 4 + ["b"] * 4, interval="influence"))
    mean AUC of 2 folds 0.7500 (95% interval 0.4035-1.0000, influence)
    >>> print(cross_auc(y, s, fold=["a"] * 4 + ["b"] * 4, method="pooled"))
    pooled AUC of 2 folds 0.6250 (95% interval 0.0699-0.9737, logit)
    """
    checks.check_choice(method, get_args(CrossMethod), name="method")
    checks.check_choice(interval, get_args(CrossInterval), name="interval")
    level = checks.check_level(level)
    checks.check_alternative(alternative)
    if isinstance(y_true, Mapping) and y_score is None:
        check_alone(y_true, fold=fold, row=row, label=label, score=score, direction=direction)
        for name, value in (("X", X), ("y", y)):
            if value is None:
                raise RocInputError(
                    "must be given with the result of cross_validate, got None", argument=name
                )
        from rocscope.training.cross_scores import CrossScores

        y_true, pos_label = CrossScores.from_cv_results(y_true, X, y, pos_label=pos_label), None
    elif X is not None or y is not None:
        raise RocInputError(
            "must be left out unless y_true is the result of cross_validate",
            argument="X" if X is not None else "y",
        )
    data, cases = _read_folds(
        y_true,
        y_score,
        fold=fold,
        row=row,
        groups=groups,
        pos_label=pos_label,
        label=label,
        score=score,
        na=na,
        direction=direction,
    )
    names, folds = np.unique(_comparable(data.fold), return_inverse=True)
    n_folds, codes, warnings = len(names), folds, data.warnings
    if method == "pooled":
        codes = np.zeros_like(folds)
    else:
        warnings += _check_folds(data, codes)
    value, values, weight = fold_influences(data, codes)
    df, few = None, None
    of_class = 2 * codes + data.positive  # class and fold of every entry
    once = of_class if cases is None else np.unique(np.stack([of_class, cases]), axis=1)[0]
    in_fold = np.bincount(once)  # different cases of each
    if data.groups is None:
        if interval == "logit":
            k = in_fold[of_class]
            values = values * np.sqrt(k / np.maximum(k - 1, 1))
            tests = 1 if cases is None else len(cases) / (int(cases.max()) + 1)
            df = max(1.0, (min(data.n_pos, data.n_neg) - in_fold.size / 2) / tests)
        if cases is not None:  # the influence of a case is the mean over its tests
            total = np.bincount(cases, weight)
            values, weight = np.asarray(np.bincount(cases, weight * values) / total), np.asarray(total)
        # The root of the mean squared influence over the number of cases, the same in any order of them.
        se = math.sqrt(math.fsum(weight * values**2) / len(values))
    else:
        totals = Design.of(data).totals((weight * values)[None])
        n_clusters, influence = totals.n_clusters[2], totals.by_cluster()
        few = FEW_CLUSTERS if min(totals.n_clusters[:2]) < 2 else None
        se = 0.0 if few else math.sqrt(n_clusters / (n_clusters - 1) * math.fsum(influence**2))
        df = totals.degrees_of_freedom()
        leaking = resampling.group_leakage(data.groups, names[folds]).size
        warnings += (LEAKING.format(counted(leaking, "cluster")),) if leaking else ()
    side: dict[str, Any] = {"level": level, "alternative": alternative}
    fields: dict[str, Any] = {"se": se, "low": None, "high": None, "status": "partial", "reason": NO_SPREAD}
    if few is not None:
        fields |= {"se": None, "reason": few}
    logit = interval == "logit"
    if se > 0:
        low, high = area_interval(value, se, logit=logit, df=df, **side)
        fields = {"se": se, "low": min(low, value), "high": max(high, value)}
    elif logit and value in (0.0, 1.0) and data.groups is None and cases is None:
        smallest = int(in_fold[in_fold > 0].min()) * (in_fold.size // 2)
        low, high = exact_bound(value, smallest, **side)
        fields = {"se": 0.0, "low": low, "high": high}
        warnings += (SEPARATED.format(value),)
    return Estimate(
        name=f"{method} AUC of {counted(n_folds, 'fold')}",
        value=value,
        method=interval,
        warnings=warnings + below_note(value, data.direction),
        **fields,
        **side,
    )


def fold_influences(
    data: BinaryScores, codes: NDArray[np.intp]
) -> tuple[float, NDArray[np.float64], NDArray[np.float64]]:
    """Mean of the folds' areas, the influence value of every entry on it, and the weight of every entry.

    Weights sum to 1 over all entries and are equal inside a fold; folds weigh the same.

    Examples
    --------
    >>> data = BinaryScores.from_arrays([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8])
    >>> area, values, weight = fold_influences(data, np.zeros(4, np.intp))
    >>> area, values.tolist(), weight.tolist()
    (0.75, [0.5, -0.5, -0.5, 0.5], [0.25, 0.25, 0.25, 0.25])
    """
    n, n_folds = codes.size, int(codes.max()) + 1
    values, weight, areas = np.empty(n), np.empty(n), np.empty(n_folds)
    order = np.argsort(codes, kind="stable")
    for k, entries in enumerate(np.split(order, np.cumsum(np.bincount(codes))[:-1])):
        positive = data.positive[entries]
        part = replace(data, positive=positive, columns=(data.columns[0][entries],), fold=None, groups=None)
        of_pos, of_neg = part.doubled_placements()
        m, others = of_pos.size, of_neg.size
        areas[k] = of_pos.sum() / (2 * m * others)
        placements = np.empty(entries.size)
        placements[positive], placements[~positive] = of_pos / (2 * others), of_neg / (2 * m)
        values[entries] = placements - areas[k]
        weight[entries] = 1 / (n_folds * entries.size)
    values *= np.where(data.positive, n / data.n_pos, n / data.n_neg)  # 1 / P(Y = 1), 1 / P(Y = 0) of [1]
    return float(areas.mean()), values, weight


def _read_folds(
    y_true: Any,
    y_score: Any,
    *,
    fold: Any,
    row: Any,
    groups: Any,
    na: Missing,
    label: str | None,
    score: str | None,
    **how: Any,
) -> tuple[BinaryScores, NDArray[np.intp] | None]:
    """Scores with their folds, and the number of the case behind every entry; None: one entry each."""
    if is_stacked(y_true):
        data = BinaryScores.from_arrays(y_true, y_score, fold=fold, label=label, score=score, **how)
        if row is not None:
            raise RocInputError(
                f"must be left out where y_true is a {type(y_true).__name__}, which holds it", argument="row"
            )
        row = getattr(y_true, "row", None)
        data = replace(data, warnings=tuple(getattr(y_true, "warnings", ())))
        if groups is not None:
            values = checks.as_vector(groups, name="groups")
            of_entry = np.arange(data.positive.size) if row is None else np.asarray(row)
            if values.size != (n_cases := int(of_entry.max()) + 1):
                raise RocInputError(
                    f"must name the cluster of every case, {n_cases} in all, got {values.size}",
                    argument="groups",
                )
            data = replace(data, groups=shared_clusters(cluster_codes(values[of_entry])))
    elif isinstance(as_table(y_true), (BinaryScores, ScoreTable)):
        how |= {"label": label, "score": score, "na": na, "clustered": True}
        data = BinaryScores.from_arrays(y_true, y_score, fold=fold, groups=groups, **how)
        data = data.counted(clustered=True)
    else:
        y_true, y_score, others = frames.read_columns(
            y_true, y_score, label=label, score=score, fold=fold, row=row, groups=groups
        )
        checks.check_choice(na, get_args(Missing), name="na")
        rows, dropped = frames.matched_rows({"y_true": y_true, "y_score": y_score}, others, na=na)
        row = rows.get("row")
        how |= {"fold": rows.get("fold"), "groups": rows.get("groups")}
        data = BinaryScores.from_arrays(rows["y_true"], rows["y_score"], **how)
        data = replace(data, warnings=data.warnings + dropped)
    data = data.single()
    if data.fold is None:
        raise RocInputError("must be given: the fold of every case, got None", argument="fold")
    _refuse_missing(data.fold, "fold")
    if row is None:
        return data, None
    row = checks.as_vector(row, name="row")
    checks.check_same_length(("y_true", data.positive), ("row", row))
    _refuse_missing(row, "row")
    _, first, cases = np.unique(_comparable(row), return_index=True, return_inverse=True)
    if (other := data.positive != data.positive[first][cases]).any():
        shown = checks.show(row[np.argmax(other)].item())
        raise RocInputError(f"must name cases of one class each, got both for {shown}", argument="row")
    return data, cases


def _comparable(names: Any) -> NDArray[Any]:
    """Names that can be sorted: those of several types as text with their type."""
    array = np.asarray(names)
    if array.dtype.kind != "O":
        return array
    return np.array([f"{type(one).__name__} {one}" for one in array.tolist()])


def _refuse_missing(names: NDArray[Any], name: str) -> None:
    checks.refuse_rows(checks.missing(names), name=name, required="a name in every row", got="missing names")


def _check_folds(data: BinaryScores, codes: NDArray[np.intp]) -> tuple[str, ...]:
    """Refuse folds that lack a class, and say which have one case of a class."""
    sizes = np.bincount(codes)
    n_pos = np.bincount(codes, data.positive).astype(np.int64)
    lacking = np.flatnonzero((n_pos == 0) | (n_pos == sizes))
    if lacking.size:
        assert data.fold is not None
        named = [data.fold[[np.argmax(codes == k)]].tolist()[0] for k in lacking[:SHOWN_FOLDS]]
        shown = ", ".join(map(checks.show, named))
        more = f" and {lacking.size - SHOWN_FOLDS} more" if lacking.size > SHOWN_FOLDS else ""
        only = data.pos_label if n_pos[lacking[0]] else data.neg_label
        raise RocInputError(
            f"must hold both classes in every fold for method 'mean', got only {checks.show(only)} in "
            f"{'fold' if lacking.size == 1 else 'folds such as'} {shown}{more} (method 'pooled' takes all "
            "folds together)",
            argument="fold",
            data_dependent=True,
        )
    small = int(np.count_nonzero(np.minimum(n_pos, sizes - n_pos) < 2))
    verb = "has" if small == 1 else "have"
    return (SMALL_FOLDS.format(f"{counted(small, 'fold')} {verb}"),) if small else ()
