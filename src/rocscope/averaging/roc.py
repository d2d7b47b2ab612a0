"""The averaged ROC: every measure at every operating point, with its mean and variance over the folds."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar, TypeAlias

import numpy as np
from numpy.typing import NDArray

from rocscope.averaging import neighbourhood, pairs, point_tests
from rocscope.averaging.points import (
    Kind,
    Measure,
    check_shares,
    count_points,
    fold_list,
    moments,
    read_equation,
    read_folded,
    read_measures,
    read_points,
)
from rocscope.core import checks
from rocscope.core.frames import Missing
from rocscope.core.measures import ALIASES, cost_matrix
from rocscope.core.points import (
    RULES,
    ClassWeights,
    DecisionRule,
    OperatingPoint,
    Threshold,
    point_of,
    select_point,
    split_rule,
)
from rocscope.core.result import CurveResult, Result, as_array, json_numbers, json_thresholds
from rocscope.core.rules import CLASS_RULES, ClassRule, Rule
from rocscope.errors import RocInputError, UndefinedError

Floats = NDArray[np.float64]
# Means that differ by less are equal: rates are rounded, and the mean of ten that add up to 9 may miss 0.9.
DECIMALS = 12
# Thresholds among which a place is looked for: all distinct scores, of more than these so many, even in rank.
CANDIDATES = 100_000
SelectionRule: TypeAlias = Rule | ClassRule


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class AveragedRoc(CurveResult):
    """Mean and variance of every measure at identical operating points of all folds.

    Attributes
    ----------
    points
        The operating points: thresholds, rows of class weights, or a tuple of decision rules. `point(i)`
        makes the one that decides on new scores.
    measures
        Names of the measures.
    values
        Value of each [point, measure, fold]; NaN where it is undefined, as in a fold that lacks a class.
    mean, sd, sem
        Mean over the folds that have a value, standard deviation, and that of the mean, sd / sqrt(folds).
    defined
        Where mean, sd and sem are numbers: at least two folds have a value.
    n_defined
        How many folds have a value.
    pooled
        The measures of all folds' decisions counted together, [point, measure]; NaN where they are 0/0.
    folds, classes
        Names of the folds and of the classes; of two classes the second is the positive one.
    kind
        What the points are: "threshold", "weights" or "rule".
    test_over_train
        Test cases over training cases of a fold, for the corrected test.
    prevalence, cost
        Prevalence and costs that the measures use.
    warnings
        What a reader should know, as folds that lack a class.
    counts
        Confusion matrices [point, fold, true class, decided class]; rejected cases in a last column more.
    """

    view: ClassVar[str] = "average.average_picture"
    topic: ClassVar[str] = "folds"
    if TYPE_CHECKING:

        def plot(self, ax: Any = None, **options: Any) -> Any:
            """As of other curves; three classes or more have several axes."""

    points: Any
    measures: tuple[str, ...]
    values: Floats
    mean: Floats
    sd: Floats
    sem: Floats
    defined: NDArray[np.bool_]
    n_defined: NDArray[np.int64]
    pooled: Floats
    folds: tuple[Any, ...]
    classes: tuple[Any, ...]
    kind: Kind
    test_over_train: float
    prevalence: Any = None
    cost: Any = None
    warnings: tuple[str, ...] = ()
    counts: NDArray[np.int64] = field(repr=False)

    @classmethod
    def _complete(cls, fields: dict[str, Any]) -> dict[str, Any]:
        """Make operating points of any kind again."""
        points, counts = fields["points"], as_array(fields["counts"])
        whole = counts.dtype.kind in "iu" and counts.ndim == 4 and len(counts) == len(points)
        if not whole or counts.min() < 0:
            raise RocInputError(
                "must be numbers of cases of every point, fold, class and decision", argument="counts"
            )
        if fields["kind"] != "rule":
            return fields | {"points": as_array(points)}
        kinds: dict[str, Any] = {"Threshold": Threshold, "ClassWeights": ClassWeights}
        return fields | {"points": tuple(kinds[one["type"]].from_json(json.dumps(one)) for one in points)}

    @classmethod
    def from_cv_results(
        cls,
        cv_results: Any,
        X: Any,
        y: Any,
        *,
        cv: Any = None,
        response: Any = "auto",
        pos_label: Any = None,
        points: Any = 30,
        also: Any = None,
        measures: Any = None,
        prevalence: Any = None,
        cost: Any = None,
    ) -> AveragedRoc:
        """Average over the folds of a cross-validation that scikit-learn has done.

        Parameters
        ----------
        cv_results, X, y, cv, response, pos_label
            What ``cross_validate(..., return_estimator=True, return_indices=True)`` returned and its data;
            or a list of fitted estimators with the splits as `cv`. See `CrossScores.from_cv_results`.
        points, also, measures, prevalence, cost
            As in `average_roc`.

        Returns
        -------
        AveragedRoc
            That of `average_roc` on the scores of these estimators for their test rows.

        Examples
        --------
        >>> from sklearn.linear_model import LogisticRegression
        >>> from sklearn.model_selection import cross_validate
        >>> X, y = np.arange(12.0)[:, np.newaxis], np.repeat([0, 1], 6)
        >>> fitted = cross_validate(
        ...     LogisticRegression(), X, y, cv=3, return_estimator=True, return_indices=True
        ... )
        >>> AveragedRoc.from_cv_results(fitted, X, y, points=[0.5]).mean.round(4).tolist()
        [[0.8333, 0.1667]]
        """
        from rocscope.training.cross_scores import CrossScores

        scores = CrossScores.from_cv_results(cv_results, X, y, cv=cv, response=response, pos_label=pos_label)
        return average_roc(
            scores, points=points, also=also, measures=measures, prevalence=prevalence, cost=cost
        )

    @classmethod
    def from_counts(
        cls,
        counts: NDArray[np.int64],
        *,
        points: Any,
        kind: Kind,
        measures: Mapping[str, Measure],
        folds: tuple[Any, ...],
        classes: tuple[Any, ...],
        test_over_train: float | None = None,
        prevalence: Any = None,
        cost: Any = None,
        warnings: tuple[str, ...] = (),
    ) -> AveragedRoc:
        """Evaluate the measures in every fold and average them ([1]_ Algorithm 1, steps 9 and 11).

        References
        ----------
        .. [1] Paclik, Lai, Novovicova, Duin, ICPR 2008.
        """
        sizes = counts[0].sum(axis=-1)
        lacking = tuple(
            f"{np.count_nonzero(empty)} of {len(folds)} folds have no case of class {name!s} "
            f"({fold_list(folds, empty)}): measures that need one are undefined there and left out "
            "of the means"
            for name, empty in zip(classes, sizes.T == 0, strict=True)
            if empty.any()
        )
        values = np.stack([measure(counts) for measure in measures.values()], axis=1)
        mean, sd, n = moments(values)
        sem = sd / np.sqrt(np.maximum(n, 1))
        together = counts.sum(axis=1)
        pooled = np.stack([measure(together) for measure in measures.values()], axis=1)
        return cls(
            points=points,
            measures=tuple(measures),
            values=values,
            mean=mean,
            sd=sd,
            sem=sem,
            defined=np.isfinite(mean) & np.isfinite(sd),
            n_defined=n,
            pooled=pooled,
            folds=folds,
            classes=classes,
            kind=kind,
            test_over_train=1 / (len(folds) - 1) if test_over_train is None else test_over_train,
            prevalence=prevalence,
            cost=cost,
            warnings=warnings + lacking,
            counts=counts,
        )

    def __len__(self) -> int:
        return len(self.points)

    def _summary(self) -> str:
        what = {"threshold": "thresholds", "weights": "class weights", "rule": "decision rules"}[self.kind]
        sizes = zip(self.class_sizes.tolist(), self.classes, strict=True)
        cases = ", ".join(f"{n} of class {name!s}" for n, name in sizes)
        ranges = []
        for name, mean, sem in zip(self.measures, self.mean.T, self.sem.T, strict=True):
            known, errors = mean[~np.isnan(mean)], sem[~np.isnan(sem)]
            span = f"{known.min():.3g} to {known.max():.3g}" if known.size else "undefined"
            ranges.append(f"{name} {span}" + (f" (sem up to {errors.max():.2g})" if errors.size else ""))
        return f"Mean over {len(self.folds)} folds at {len(self)} {what} ({cases}): {', '.join(ranges)}"

    @property
    def confusion(self) -> NDArray[np.int64]:
        """Confusion matrices of all folds together, [point, true class, decided class]."""
        return np.asarray(self.counts.sum(axis=1))

    @property
    def class_sizes(self) -> NDArray[np.int64]:
        """Number of cases of each class."""
        return np.asarray(self.counts[0].sum(axis=(0, 2)))

    @property
    def thresholds(self) -> NDArray[Any] | None:
        """The thresholds of the points; None for points that are not thresholds along one curve."""
        if self.kind == "threshold":
            return np.asarray(self.points)
        on_curve = all(isinstance(rule, Threshold) and rule.reject is None for rule in self.points)
        if self.kind == "rule" and on_curve and len({rule.distance for rule in self.points}) == 1:
            return np.array([rule.cut for rule in self.points])
        return None

    def point(self, index: Any) -> OperatingPoint:
        """Return a point with its means; it decides on new scores.

        Examples
        --------
        >>> from rocscope.averaging.roc import average_roc
        >>> roc = average_roc([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8], fold=[0, 1, 0, 1])
        >>> print(roc.point(2))
        Point 2: threshold 0.35, TPR 1.0000, FPR 0.5000
        """
        return self._point(self.check_index(index))

    def decision(self, index: int) -> DecisionRule:
        """Return the rule that decides at a point."""
        index = self.check_index(index)
        if self.kind == "threshold":
            return Threshold(self.points[index], positive=self.classes[1], negative=self.classes[0])
        if self.kind == "weights":
            return ClassWeights(self.points[index], classes=self.classes)
        rule: DecisionRule = self.points[index]
        return rule

    def _point(self, index: int, equal: Iterable[int] = ()) -> OperatingPoint:
        means = dict(zip(self.measures, self.mean[index].tolist(), strict=True))
        return point_of(self.decision(index), index, means, equal)

    def point_name(self, index: int) -> str:
        """Name a point in a sentence: its number, and its threshold where it is one."""
        k = self.check_index(index)
        return f"point {k} (threshold {self.points[k]:.4g})" if self.kind == "threshold" else f"point {k}"

    def check_index(self, index: Any, *, name: str = "index") -> int:
        """Return the index of a point, checked."""
        k = checks.check_integer(index, name=name, low=0)
        if k >= len(self):
            raise RocInputError(
                f"must be one of the {len(self)} points, 0 to {len(self) - 1}, got {k}", argument=name
            )
        return k

    def measure(self, name: str, *, prevalence: Any = None, cost: Any = None) -> Floats:
        """Mean over the folds of any measure at every point, whether or not it was averaged before.

        Examples
        --------
        >>> from rocscope.averaging.roc import average_roc
        >>> roc = average_roc([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8], fold=[0, 1, 0, 1])
        >>> roc.measure("specificity").tolist()
        [1.0, 0.5, 0.5, 0.0]
        """
        return moments(self.fold_values(name, prevalence=prevalence, cost=cost))[0]

    def fold_values(self, name: str, *, prevalence: Any = None, cost: Any = None) -> Floats:
        """Values of any measure, [point, fold], whether or not it was averaged before.

        Examples
        --------
        >>> from rocscope.averaging.roc import average_roc
        >>> roc = average_roc([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8], fold=[0, 1, 0, 1])
        >>> roc.fold_values("specificity")[1].tolist()
        [1.0, 0.0]
        """
        checks.check_instance(name, str, name="name")
        if name in self.measures and prevalence is None and cost is None:
            return self.values[:, self.measures.index(name)]
        prevalence = self.prevalence if prevalence is None else prevalence
        cost = self.cost if cost is None else cost
        return read_measures([name], self.classes, prevalence=prevalence, cost=cost)[name](self.counts)

    def select(
        self,
        *constraints: str,
        rule: SelectionRule | None = None,
        cost: Any = None,
        prevalence: Any = None,
    ) -> OperatingPoint:
        """Return the best point of this average whose mean measures meet every constraint.

        A better one may lie between 30 thresholds: `average_roc(..., also="tpr>=0.9")` adds the best of all
        thresholds for this constraint, and `points="all"` averages them all.

        Parameters
        ----------
        *constraints
            Bounds on means over folds, such as "tpr>=0.9", "precision>=0.5" or "error(b)<=0.1"; the rule may
            stand among them.
        rule
            Two classes: "youden", "closest" or another of `RocCurve.select`, and without one the smallest
            FPR if the TPR is bounded from below, the largest TPR if another measure is, Youden's index if
            none is. More classes:
            "max-class-error" (without a rule), the largest of the mean class errors, or "mean-class-error",
            which the best point has least of.
        cost
            Costs of wrong decisions; the point with the least expected cost is selected.
        prevalence
            Share of positives, or of every class, where the classifier will be used.

        Returns
        -------
        OperatingPoint
            It stands for its index in `points`, `mean` and the others. Ties go to the smaller FPR, with more
            classes to the smaller mean class error; what is as good is in `equal`.

        Raises
        ------
        UndefinedError
            If no point meets the constraints.

        Examples
        --------
        >>> from rocscope.averaging.roc import average_roc
        >>> roc = average_roc([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8], fold=[0, 1, 0, 1])
        >>> print(roc.select("tpr>=0.9"))
        Point 2: threshold 0.35, TPR 1.0000, FPR 0.5000
        """
        # Others than the points of this average might meet the constraints.
        none = f"none of the {len(self)} operating points shown"

        def mean_of(name: str) -> Floats:
            return np.round(self.measure(name, prevalence=prevalence), DECIMALS)

        if len(self.classes) == 2:
            n_neg, n_pos = self.class_sizes.tolist()
            best, *equal = select_point(
                mean_of,
                constraints,
                rule=rule,
                cost=cost,
                prevalence=self.prevalence if prevalence is None and cost is not None else prevalence,
                class_sizes=(n_pos, n_neg),
                none=none,
            )
            return self._point(best, equal)
        class_rule, bounds = split_rule(constraints, rule, CLASS_RULES)
        # Of the means, not the mean of the folds' largest errors, which rises with the noise of small folds.
        errors = np.stack([mean_of(f"error({name})") for name in self.classes])
        worst, middle = (np.round(loss, DECIMALS) for loss in (errors.max(axis=0), errors.mean(axis=0)))
        first, second = (middle, worst) if class_rule == "mean-class-error" else (worst, middle)
        if cost is not None:
            expected = self.measure("cost", prevalence=prevalence, cost=cost)
            first, second = np.round(expected, DECIMALS), middle
        feasible = ~np.isnan(first)
        for bound in bounds:
            feasible &= bound.met(mean_of)
        if not feasible.any():
            required = " and ".join(f"{b.measure}{b.relation}{b.bound:g}" for b in bounds)
            raise UndefinedError(f"{none} has {required or 'an error in every class'}")
        kept = np.flatnonzero(feasible)
        order = kept[np.lexsort((second[kept], first[kept]))]
        best = int(order[0])
        same = (first[order[1:]] == first[best]) & (second[order[1:]] == second[best])
        return self._point(best, order[1:][same])

    def locate(self, place: Any) -> OperatingPoint:
        """Return the point at a place.

        Parameters
        ----------
        place
            - "fpr=0.2", or any other measure or "threshold": the point where it is nearest to this; of
              equally near ones that of the smaller FPR, with more classes the first;
            - a constraint such as "tpr>=0.9", a tuple of several, or a rule such as "youden": the point
              that `select` gives;
            - a function of this average that returns an index;
            - an index.

        Examples
        --------
        >>> from rocscope.averaging.roc import average_roc
        >>> roc = average_roc([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8], fold=[0, 1, 0, 1])
        >>> roc.locate("fpr=0.4").index, roc.locate("tpr>=0.9").index, roc.locate("youden").index
        (2, 2, 0)
        """
        if isinstance(place, tuple):
            return self.select(*place)
        if not isinstance(place, str):
            return self._point(self.check_index(place(self) if callable(place) else place, name="place"))
        if place in (*RULES, *CLASS_RULES):
            return self.select(rule=place)  # type: ignore[arg-type]
        equation = read_equation(place)
        if equation is None:
            return self.select(place)
        name, value = equation
        if ALIASES.get(name, name) in ("tpr", "fpr", "tnr", "fnr") and not 0 <= value <= 1:
            raise RocInputError(f"must have a rate from 0 to 1, got {checks.show(place)}", argument="place")
        if name == "threshold" and self.thresholds is not None:
            means = self.thresholds.astype(np.float64)
        else:
            means = self.measure(name)
        distance = np.round(np.abs(means - value), DECIMALS)
        if np.isnan(distance).all():
            raise UndefinedError(f"{name} is undefined at every point")
        nearest = np.flatnonzero(distance == np.nanmin(distance))
        if len(self.classes) > 2:
            return self._point(int(nearest[0]))
        fnr, fpr = (np.round(self.measure(key)[nearest], DECIMALS) for key in ("fnr", "fpr"))
        return self._point(int(nearest[np.lexsort((fnr, fpr))[0]]))

    compare_to = point_tests.compare_points
    compare_with = pairs.compare_classifiers
    confusion_rates = neighbourhood.confusion_rates

    def indifference_region(
        self,
        index: int,
        *,
        measures: Any = None,
        method: point_tests.Method = "paired-t",
        level: float = 0.95,
    ) -> point_tests.IndifferenceRegion:
        """Return the points that are indistinguishable from one of them, by the test of `compare_to`.

        Parameters
        ----------
        index, measures, method, level
            As in `compare_to`.

        Returns
        -------
        IndifferenceRegion
            `indices`, all such points, and `run`, those next to the point without a gap along the curve,
            with their thresholds and mean measures.

        Examples
        --------
        >>> y, fold = [0, 1] * 6, [0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2]
        >>> score = [0.1, 0.9, 0.4, 0.6, 0.2, 0.3, 0.5, 0.8, 0.0, 0.7, 0.35, 0.45]
        >>> roc = average_roc(y, score, fold=fold, points=[0.7, 0.5, 0.4, 0.2])
        >>> roc.indifference_region(1).run.tolist()
        [0, 1, 2]
        """
        return point_tests.region_of(self.compare_to(index, measures=measures, method=method, level=level))

    def columns(self) -> dict[str, Any]:
        """One row per point: what it is, and mean, sd, sem and folds of every measure."""
        table = self.point_columns()
        for k, name in enumerate(self.measures):
            table |= {
                name: self.mean[:, k],
                f"{name} sd": self.sd[:, k],
                f"{name} sem": self.sem[:, k],
                f"{name} folds": self.n_defined[:, k],
            }
        return table

    def point_columns(self) -> dict[str, Any]:
        """The points as named columns: a threshold, one weight per class, or the rule as text."""
        if self.kind == "threshold":
            return {"threshold": self.points}
        if self.kind == "weights":
            return {f"weight({name})": self.points[:, k] for k, name in enumerate(self.classes)}
        return {"point": [str(rule) for rule in self.points]}

    def to_dict(self) -> dict[str, Any]:
        """Return the fields for strict JSON: infinite thresholds and ratios are text, rules their own JSON.

        The counts are among them: from these alone every other measure can be had again.
        """
        document = Result.to_dict(self) | {"counts": self.counts.tolist()}
        document |= {name: json_numbers(getattr(self, name)) for name in ("values", "mean", "pooled")}
        if self.kind == "threshold":
            document["points"] = json_thresholds(self.points)
        elif self.kind == "rule":
            document["points"] = [
                json.loads(rule.to_json()) if hasattr(rule, "to_json") else str(rule) for rule in self.points
            ]
        return document


# ---- Operating-point averaging, Algorithm 1 of the paper --------------------------------------------------


@checks.known_arguments
def average_roc(
    y_true: Any,
    y_score: Any = None,
    *,
    fold: Any = None,
    points: Any = 30,
    also: Any = None,
    measures: Any = None,
    classes: Any = None,
    prevalence: Any = None,
    cost: Any = None,
    pos_label: Any = None,
    label: str | None = None,
    score: str | Sequence[str] | None = None,
    na: Missing = "error",
) -> AveragedRoc:
    """Average the decisions of all folds at identical operating points ([1]_ Algorithm 1).

    The soft outputs of all folds, each made by a model that did not see the case, are stacked and give one
    set of operating points. Every fold decides at each of them, so that every measure has a mean and a
    variance there.

    Parameters
    ----------
    y_true
        Labels. Two classes: {0, 1}, {-1, 1} and booleans need no `pos_label`. What `cross_scores` returns
        may stand here alone, as may a `BinaryScores` or a `ClassScores` that holds folds; or a data frame,
        whose columns `label`, `score` and `fold` name.
    y_score
        One score per case, larger for the positive class; or one output of at least 0 per case and class,
        shape (cases, classes), in the order of `classes`. Infinite single scores are extreme ranks, which
        `warnings` mentions; outputs of several classes must be finite.
    fold
        Fold of each case, any labels, two folds or more. They should be the folds of a stratified
        cross-validation; a fold that lacks a class leaves the measures that need it undefined there.
    points
        The operating points, by decision rule `score >= threshold` ([1]_ eq. 1) or arg max w_c y_c
        ([1]_ eq. 2):

        - a number n. One score per case: n of the distinct stacked scores, evenly spaced in rank,
          descending, from the largest to the smallest: ``u[round(linspace(0, len(u) - 1, n))]``. Where
          there are fewer than n distinct scores each is taken once, so that there are fewer points and
          none twice. One output per class: equal weights and n - 1 others spread over all directions;
          better ones come from `search_weights`;
        - "all": every distinct score;
        - thresholds, or with one output per class an array of class weights, shape (points, classes);
        - decision rules: `Threshold`, `ClassWeights`, or anything with `classes` and
          `decide_codes(y_score)`, which is called for every fold.
    also
        Further points of the same kind, for those that are not among `points`; thresholds then descend. With
        one score per case also places as in `AveragedRoc.locate`, such as "tpr>=0.9", "fpr=0.2" or "youden":
        the best threshold of all distinct scores (of more than 100,000, of so many evenly spaced in rank).
        Without it `select` takes the best of `points`, and a better one may lie between them.
    measures
        Names such as "tpr", "fpr", "precision", "error", "error(class)", "cost", "reject_rate"; functions
        that take confusion matrices of shape (..., true, decided) and return values of shape (...); or a
        mapping of names to either. By default "tpr" and "fpr" for two classes, the error of every class for
        more. ("tpr", "precision") give the precision-recall operating characteristic.
    classes
        Names of the classes in the order of the columns of `y_score`. Of two the second is positive.
    prevalence
        Share of positives, or of every class, where the classifier will be used, for precision, error and
        cost. Without it that of each fold.
    cost
        Costs for the measure "cost": a matrix, true by decided class, or for two classes (fp, fn).
    pos_label, label, score, na
        As in `auc`; `score` may list one column per class.

    Returns
    -------
    AveragedRoc
        With `values[point, measure, fold]`, `mean`, `sd`, `sem`, `defined`; `select`, `locate`, `point`,
        `compare_to`, `compare_with`, `indifference_region`.

    References
    ----------
    .. [1] P. Paclik, C. Lai, J. Novovicova, R. P. W. Duin: Variance estimation for two-class and multi-class
       ROC analysis using operating point averaging, ICPR 2008.

    Examples
    --------
    >>> y = [0, 0, 0, 0, 1, 1, 1, 1]
    >>> score = [0.1, 0.3, 0.2, 0.6, 0.5, 0.8, 0.4, 0.9]
    >>> roc = average_roc(y, score, fold=[0, 0, 1, 1, 0, 0, 1, 1], points=3)
    >>> roc.points.tolist()
    [0.9, 0.4, 0.1]
    >>> roc.mean.tolist(), roc.sem.tolist()
    ([[0.25, 0.0], [1.0, 0.25], [1.0, 1.0]], [[0.25, 0.0], [0.0, 0.25], [0.0, 0.0]])

    The best of these three thresholds is not the best of all for a TPR of at least 0.5:

    >>> more = average_roc(y, score, fold=[0, 0, 1, 1, 0, 0, 1, 1], points=3, also="tpr>=0.5")
    >>> [one.mean[one.select("tpr>=0.5")].tolist() for one in (roc, more)]
    [[1.0, 0.25], [0.5, 0.0]]
    """
    data = read_folded(
        y_true, y_score, fold=fold, pos_label=pos_label, classes=classes, label=label, score=score, na=na
    )
    n_classes = len(data.classes)
    prevalence = None if prevalence is None else check_shares(prevalence, n_classes)
    cost = None if cost is None else cost_matrix(cost, n_classes=n_classes)
    by_name = read_measures(measures, data.classes, prevalence=prevalence, cost=cost)

    def average(points: Any, also: Any = None) -> AveragedRoc:
        kind, values = read_points(points, data, also)
        return AveragedRoc.from_counts(
            count_points(data, kind, values),
            points=values,
            kind=kind,
            measures=by_name,
            folds=data.folds,
            classes=data.classes,
            test_over_train=data.test_over_train,
            prevalence=prevalence,
            cost=cost,
            warnings=data.warnings,
        )

    places = [also] if _is_place(also) else also
    if isinstance(places, (list, tuple)) and any(map(_is_place, places)):
        if not data.is_scalar:
            raise RocInputError(
                f"must hold class weights or decision rules, got {checks.show(also)}: a place belongs to one "
                "score per case",
                argument="also",
            )
        whole = average(CANDIDATES)
        also = [_threshold_at(whole, place) if _is_place(place) else place for place in places]
    return average(points, also)


def _is_place(value: Any) -> bool:
    """Whether a value says where to look for a point, rather than which point to take."""
    if isinstance(value, tuple):
        return bool(value) and all(isinstance(part, str) for part in value)
    return isinstance(value, str) or (callable(value) and not hasattr(value, "decide_codes"))


def _threshold_at(whole: AveragedRoc, place: Any) -> Any:
    """The threshold of a place of the average at all thresholds; "threshold=0.5" is one itself."""
    equation = read_equation(place) if isinstance(place, str) else None
    if equation is not None and equation[0] == "threshold":
        return equation[1]
    try:
        index = whole.locate(place)
    except RocInputError as error:
        if error.argument != "measure":
            raise
        raise RocInputError(error.message, argument="place") from error
    return whole.points[index].item()
