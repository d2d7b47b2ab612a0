"""Operating points: what turns soft outputs into decisions, and how one is selected.

A point carries the names of its classes, so that a saved point cannot be applied the wrong way round.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol, Self, get_args

import numpy as np
from numpy.typing import NDArray

from rocscope.core import checks, measures
from rocscope.core.result import INFINITE, Result, json_numbers
from rocscope.core.rules import Direction
from rocscope.core.rules import Rule as Rule
from rocscope.errors import RocInputError, UndefinedError

RULES: tuple[Rule, ...] = get_args(Rule)
# Rules that weigh the two kinds of errors, and so take costs.
WEIGHING = ("youden", "closest")
# Objectives that differ by a smaller share are ties: a few roundings, less than any one case.
TIE = 1e-15
# What a point of a curve of two classes is described by, and how texts name it.
POINT_MEASURES = ("tpr", "fpr", "precision", "npv", "accuracy")
MEASURE_NAMES = {"tpr": "TPR", "fpr": "FPR", "precision": "PPV", "npv": "NPV"}


class DecisionRule(Protocol):
    """What every operating point can do; a user's own rule needs no more."""

    @property
    def classes(self) -> tuple[Any, ...]:
        """Names of the classes, in the order of the codes."""

    def decide_codes(self, y_score: Any) -> NDArray[np.int64]:
        """Index into `classes` for every case, -1 where the case is rejected."""


class _SavedPoint:
    """Decisions as class names, and the way to JSON and back."""

    __slots__ = ()

    def decide(self: Any, y_score: Any) -> NDArray[Any]:
        """Return the name of the class decided for every case; None where it is rejected."""
        codes = self.decide_codes(y_score)
        one_type = len({type(name) for name in self.classes}) == 1
        if one_type and not (codes < 0).any():
            return np.asarray(np.array(self.classes)[codes])
        names = np.empty(len(self.classes) + 1, dtype=object)  # the last stays None
        names[:-1] = self.classes
        return np.asarray(names[codes])

    def to_json(self: Any) -> str:
        """Return the point as JSON text.

        The threshold at which nothing tests positive is null; infinite scores as thresholds are text.
        """
        values = ((name, getattr(self, name)) for name in self.__dataclass_fields__)
        fields = {
            name: str(value) if isinstance(value, float) and math.isinf(value) else value
            for name, value in values
        }
        return json.dumps({"type": type(self).__name__} | fields, allow_nan=False, default=_plain_scalar)

    @classmethod
    def from_json(cls, text: str) -> Self:
        """Read a point written by `to_json`, also that of an `OperatingPoint`."""
        try:
            fields = json.loads(text)
            if fields.get("type") == "OperatingPoint":
                decision = OperatingPoint.from_dict(fields).decision
                if isinstance(decision, cls):
                    return decision
            if fields.pop("type", None) != cls.__name__:
                raise ValueError(text)
            if isinstance(fields.get("value"), str):
                fields["value"] = {"inf": math.inf, "-inf": -math.inf}[fields["value"]]
            return cls(**fields)
        except (ValueError, TypeError, AttributeError, KeyError) as error:
            raise RocInputError(
                f"must be the JSON of a {cls.__name__}, got {checks.show(text)}", argument="text"
            ) from error


@dataclass(frozen=True, slots=True)
class Threshold(_SavedPoint):
    """Decide `positive` where the score is at least `value`.

    Parameters
    ----------
    value
        The threshold; None is beyond every score, so that nothing tests positive.
    positive, negative
        Names of the two classes.
    distance
        Whether a small score speaks for the positive class: then `score <= value` decides.
    reject
        Lower threshold of the cases left undecided, reject <= score < value
        (for distances value < score <= reject).

    Examples
    --------
    >>> point = Threshold(0.5, positive="ill", negative="well")
    >>> point.decide([0.2, 0.5, 0.9]).tolist()
    ['well', 'ill', 'ill']
    >>> Threshold.from_json(point.to_json()) == point
    True
    """

    value: float | None
    positive: Any = 1
    negative: Any = 0
    distance: bool = False
    reject: float | None = None

    def __post_init__(self) -> None:
        value: Any = self.value
        if isinstance(value, np.generic):
            object.__setattr__(self, "value", value.item())
        if self.value is not None:
            checks.check_number(self.value, name="value", closed=True)
        for name in ("positive", "negative"):
            checks.check_label(getattr(self, name), name=name)
        if self.positive == self.negative:
            raise RocInputError(
                f"must differ, got {self.positive!r} for both", argument="positive and negative"
            )
        checks.check_flag(self.distance, name="distance")
        reject: Any = self.reject  # as it is: float64 would round long integers
        if reject is not None:
            checks.check_number(reject, name="reject")
            if (reject > self.cut) if not self.distance else (reject < self.cut):
                side = "above" if self.distance else "below"
                raise RocInputError(
                    f"must lie {side} the threshold {self.cut}, got {reject}", argument="reject"
                )

    @property
    def cut(self) -> float:
        """The threshold as a number: infinite where `value` is None."""
        if self.value is None:
            return -math.inf if self.distance else math.inf
        return self.value

    @property
    def classes(self) -> tuple[Any, Any]:
        """Names of the classes: the negative, then the positive."""
        return (self.negative, self.positive)

    def decide_codes(self, y_score: Any) -> NDArray[np.int64]:
        """Return 1 for the positive class, 0 for the negative, -1 for a rejected case."""
        scores = checks.as_scores(y_score)
        codes = np.zeros(scores.shape, np.int64)
        if self.value is not None:
            codes = reaches(scores, self.value, self.distance).astype(np.int64)
        if self.reject is not None:
            codes[(codes == 0) & reaches(scores, self.reject, self.distance)] = -1
        return codes


def cut_of(threshold: Any, direction: Direction = "higher") -> Any:
    """Return the number of a threshold, of an operating point or of a cut-point; anything else as it is.

    A `Threshold` that decides the other way round than `direction` has none.

    Examples
    --------
    >>> cut_of(Threshold(0.5)), cut_of(Threshold(None)), cut_of(0.25)
    (0.5, inf, 0.25)
    """
    decision = getattr(threshold, "decision", threshold)
    if isinstance(decision, Threshold) and decision.distance == (direction == "lower"):
        return decision.cut
    return getattr(decision, "threshold", decision)


def reaches(scores: NDArray[Any], cut: float, distance: bool = False) -> NDArray[np.bool_]:
    """Compare exactly: integers beyond 2**53 must not pass through float64."""
    if scores.dtype.kind == "i" and isinstance(cut, float) and math.isfinite(cut):
        cut = math.floor(cut) if distance else math.ceil(cut)
    elif scores.dtype.kind == "f" and isinstance(cut, int) and abs(cut) > checks.EXACT_FLOAT_INTEGERS:
        scores = scores.astype(object)
    return np.asarray(scores <= cut if distance else scores >= cut, dtype=bool)


@dataclass(frozen=True, slots=True)
class ClassWeights(_SavedPoint):
    """Decide the class with the largest weighted output, arg max w_c y_c ([1] eq. 2).

    Parameters
    ----------
    values
        One weight of at least 0 per class, not all 0; only their ratios matter.
    classes
        Names of the classes, in the order of the score columns.
    reject
        Cases whose largest share w_c y_c / sum(w y) is below this stay undecided.

    References
    ----------
    .. [1] Paclik, Lai, Novovicova, Duin: Variance estimation for two-class and multi-class ROC
       analysis using operating point averaging, ICPR 2008.

    Examples
    --------
    >>> ClassWeights([1, 3], classes=["a", "b"]).decide([[0.7, 0.3], [0.8, 0.2]]).tolist()
    ['b', 'a']
    """

    values: tuple[float, ...]
    classes: tuple[Any, ...]
    reject: float | None = None

    def __post_init__(self) -> None:
        weights = checks.as_weights(self.values, name="values").astype(float)
        classes = checks.check_names(self.classes, name="classes", at_least=1)
        if len(classes) != len(weights):
            raise RocInputError(
                f"must hold one weight per class {checks.show(list(classes))}, got {len(weights)}",
                argument="values",
            )
        if not weights.any():
            raise RocInputError("must hold at least one weight greater than 0, got only 0", argument="values")
        if self.reject is not None:
            checks.check_number(self.reject, name="reject", low=0, high=1, closed=True)
        object.__setattr__(self, "values", tuple(weights.tolist()))
        object.__setattr__(self, "classes", classes)

    def decide_codes(self, y_score: Any) -> NDArray[np.int64]:
        """Return the index of the class decided for every case, -1 for a rejected one."""
        scores = checks.as_matrix(y_score, name="y_score", columns=len(self.classes))
        weighted = scores * (np.asarray(self.values) / max(self.values))  # at most the score: no overflow
        codes: NDArray[np.int64] = weighted.argmax(axis=1)
        if self.reject is not None:
            largest = weighted.max(axis=1, keepdims=True)
            others = np.divide(weighted, largest, out=np.ones_like(weighted), where=largest > 0).sum(axis=1)
            codes[self.reject * others > 1] = -1
        return codes


@dataclass(frozen=True, kw_only=True, eq=False)
class OperatingPoint(Result, int):
    """A point of a curve: where it lies, what decides there, and what it is worth.

    As a number it is its index, as in `curve.fpr[point]` and `roc.compare_to(point)`; it decides on new
    scores itself.

    Attributes
    ----------
    index
        Its place among the points of the curve.
    threshold
        From this score on cases test positive (down from it, with `direction` "lower"); None where none does,
        and with class weights.
    class_weights
        With more than two classes, or one output per class: the weight of each.
    classes
        Names of the classes: the negative and the positive, or all.
    measures
        Values of measures at the point; of an average over folds their means.
    equal
        Indices of further points that are as good by the rule that selected this one.
    direction
        Which scores stand for the positive class, "higher" or "lower" ones.
    decision
        The `Threshold`, `ClassWeights` or rule of your own that decides.

    Examples
    --------
    >>> from rocscope import roc_curve
    >>> curve = roc_curve([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8])
    >>> point = curve.select("tpr>=0.9")
    >>> print(point)
    Point 3: threshold 0.35, TPR 1.0000, FPR 0.5000, PPV 0.6667, NPV 1.0000, accuracy 0.7500
    >>> float(curve.fpr[point]), point.decide([0.2, 0.5]).tolist()
    (0.5, [0, 1])
    """

    index: int
    threshold: Any
    class_weights: tuple[float, ...] | None
    classes: tuple[Any, ...]
    measures: Mapping[str, float | None]
    equal: tuple[int, ...] = ()
    direction: Direction = "higher"
    decision: Any = field(repr=False)

    def __new__(cls, *, index: int, **_: Any) -> Self:
        """Make the number; the fields follow in `__init__`."""
        return int.__new__(cls, index)

    def __eq__(self, other: object) -> bool:
        if isinstance(other, OperatingPoint):
            return Result.__eq__(self, other)
        return int.__eq__(self, other)

    def __hash__(self) -> int:
        return int.__hash__(self)

    def decide(self, y_score: Any) -> NDArray[Any]:
        """Return the name of the class decided for every case; None where it is rejected."""
        if hasattr(self.decision, "decide"):
            return np.asarray(self.decision.decide(y_score))
        return _SavedPoint.decide(self, y_score)

    def decide_codes(self, y_score: Any) -> NDArray[np.int64]:
        """Index into `classes` for every case, -1 where the case is rejected."""
        codes: NDArray[np.int64] = self.decision.decide_codes(y_score)
        return codes

    def to_dict(self) -> dict[str, Any]:
        """Return the fields for strict JSON: infinite thresholds and ratios are text."""
        fields = Result.to_dict(self)
        fields["measures"] = {name: json_numbers(value) for name, value in self.measures.items()}
        is_infinite = isinstance(self.threshold, float) and math.isinf(self.threshold)
        return fields | ({"threshold": str(self.threshold)} if is_infinite else {})

    @classmethod
    def _complete(cls, fields: dict[str, Any]) -> dict[str, Any]:
        """Make the rule again that decides; one of the user's own is not saved."""
        numbers = {n: float(v) if v in INFINITE else v for n, v in fields["measures"].items()}
        classes, value, fields = tuple(fields["classes"]), fields["threshold"], fields | {"measures": numbers}
        if fields["class_weights"] is not None:
            return fields | {"decision": ClassWeights(tuple(fields["class_weights"]), classes=classes)}
        value = float(value) if isinstance(value, str) else value
        distance = fields.get("direction") == "lower"
        decision = Threshold(value, classes[1], classes[0], distance=distance)
        return fields | {"threshold": value, "decision": decision}

    def columns(self) -> dict[str, Any]:
        """Return one row: index, threshold and measures."""
        threshold = {} if self.class_weights is not None else {"threshold": [self.threshold]}
        return {"index": [self.index], **threshold, **{key: [value] for key, value in self.measures.items()}}

    def _summary(self) -> str:
        if self.class_weights is not None:
            weights = ", ".join(
                f"{name} {w:.4g}" for name, w in zip(self.classes, self.class_weights, strict=True)
            )
            where = f"class weights {weights}"
        else:
            sign = "threshold" if self.direction == "higher" else "score <="
            where = "no case tests positive" if self.threshold is None else f"{sign} {self.threshold:.4g}"
        values = (
            f"{MEASURE_NAMES.get(name, name)} {'undefined' if value is None else f'{value:.4f}'}"
            for name, value in self.measures.items()
        )
        more = f" (as good: {', '.join(map(str, self.equal))})" if self.equal else ""
        return f"Point {self.index}: {', '.join([where, *values])}{more}"


def point_of(
    decision: DecisionRule, index: int, measures: Mapping[str, Any], equal: Iterable[int] = ()
) -> OperatingPoint:
    """Describe the point of a decision rule."""
    values = {name: float(value) for name, value in measures.items()}
    return OperatingPoint(
        index=int(index),
        threshold=decision.value if isinstance(decision, Threshold) else None,
        class_weights=decision.values if isinstance(decision, ClassWeights) else None,
        classes=tuple(decision.classes),
        measures={name: None if math.isnan(value) else value for name, value in values.items()},
        equal=tuple(int(k) for k in equal),
        direction="lower" if isinstance(decision, Threshold) and decision.distance else "higher",
        decision=decision,
    )


def _plain_scalar(value: Any) -> Any:
    if isinstance(value, np.generic):
        return float(value) if isinstance(value, np.longdouble) else value.item()
    raise RocInputError(
        f"class names must be text, numbers or booleans to be saved, got {checks.show(value)}"
    )


@dataclass(frozen=True, slots=True)
class Constraint:
    """A bound on one measure, as in "tpr>=0.9".

    Examples
    --------
    >>> Constraint.parse("fpr <= 0.2")
    Constraint(measure='fpr', relation='<=', bound=0.2)
    """

    measure: str
    relation: str
    bound: float

    @classmethod
    def parse(cls, text: Any) -> Constraint:
        """Read a constraint from text: a measure, one of >= <= > <, a number."""
        parts = re.fullmatch(r"\s*(.+?)\s*(>=|<=|>|<)\s*(\S+)\s*", text) if isinstance(text, str) else None
        try:
            bound = float(parts[3]) if parts else math.nan
        except ValueError:
            bound = math.nan
        if parts is None or math.isnan(bound):
            raise RocInputError(
                f"must read like 'tpr>=0.9', got {checks.show(text)}", argument="a constraint"
            )
        return cls(parts[1], parts[2], bound)

    @property
    def is_floor(self) -> bool:
        """Whether the measure is bounded from below."""
        return self.relation in (">=", ">")

    def met(self, measure: Callable[[str], NDArray[Any]]) -> NDArray[np.bool_]:
        """Mark the points that meet the bound; `measure` gives the values of a measure by its name."""
        try:
            return self.holds(measure(self.measure))
        except RocInputError as error:
            if error.argument != "measure":
                raise
            raise RocInputError(error.message, argument="the measure of a constraint") from error

    def holds(self, values: NDArray[Any]) -> NDArray[np.bool_]:
        """Mark the points that meet the bound; an undefined measure never does."""
        compare = {">=": np.greater_equal, "<=": np.less_equal, ">": np.greater, "<": np.less}
        return np.asarray(compare[self.relation](values, self.bound) & ~np.isnan(values))


def split_rule(
    constraints: Sequence[Any], rule: Any, rules: Sequence[str]
) -> tuple[str | None, list[Constraint]]:
    """Separate the name of a rule, which may stand among the constraints, from the bounds.

    Examples
    --------
    >>> split_rule(["youden", "tpr>=0.9"], None, RULES)
    ('youden', [Constraint(measure='tpr', relation='>=', bound=0.9)])
    """
    bounds = list[Constraint]()
    for text in constraints:
        word = text.strip() if isinstance(text, str) else ""
        if word in rules and rule in (None, word):
            rule = word
        elif word in rules:
            raise RocInputError(f"must be one, got {rule!r} and {word!r}", argument="rule")
        elif not set(word) & {"<", ">"} and checks.did_you_mean(word, rules):
            checks.check_choice(word, rules, name="rule")
        else:
            bounds.append(Constraint.parse(text))
    if rule is not None:
        checks.check_choice(rule, rules, name="rule")
    return rule, bounds


def select_point(
    measure: Callable[[str], NDArray[Any]],
    constraints: Sequence[Any] = (),
    *,
    rule: str | None = None,
    cost: Any = None,
    prevalence: float | None = None,
    class_sizes: tuple[Any, Any] | None = None,
    none: str = "no operating point",
) -> list[int]:
    """Return the indices of the best points among those that meet every constraint, equal ones in order.

    The objective: least expected cost where `cost` is given; the `rule` where one is named; otherwise
    the smallest FPR if the TPR is bounded from below, the largest TPR if anything else is, and Youden's
    index if nothing is. Points of the same objective come by their FPR, smaller ones first.

    Parameters
    ----------
    measure
        Gives the values of a named measure at all points.
    constraints
        Texts such as "tpr>=0.9".
    rule
        One of `RULES`: "youden"; "closest" (to the corner of FPR 0, TPR 1); "se=sp" (sensitivity and
        specificity nearest to each other); the largest "max-product" (sensitivity times specificity),
        "max-accuracy", "max-f1", "max-kappa", "max-ppv"; "min-p" (smallest p-value of Pearson's chi-square
        of the table of decisions and classes, as counted).
    cost
        Costs of false positives and false negatives, as `cost_matrix` reads them; for "youden" and
        "closest", and without a rule.
    prevalence, class_sizes
        Share of positives in the population; without it that of the cases, (positives, negatives).
    none
        Subject of the message where no point meets the constraints: points that are only some of those
        there could be say so.
    """
    rule, bounds = split_rule(constraints, rule, RULES)
    if rule is not None and rule not in WEIGHING and cost is not None:
        raise RocInputError(
            f"must be left out with the rule {rule!r}, which weighs no errors, got {checks.show(cost)}",
            argument="cost",
        )
    if prevalence is not None:
        prevalence = measures.check_prevalence(prevalence)
        if np.ndim(prevalence):
            raise RocInputError(
                f"must be one number here, got {checks.show(prevalence)}", argument="prevalence"
            )
    feasible = np.ones(len(measure("fpr")), dtype=bool)
    for bound in bounds:
        feasible &= bound.met(measure)
    if not feasible.any():
        reached = []
        for bound in bounds:
            values = measure(bound.measure)
            values = values[~np.isnan(values)]
            if values.size:
                nearest = values.max() if bound.is_floor else values.min()
                reached.append(f"{bound.measure} reaches {nearest:.4g}")
            else:
                reached.append(f"{bound.measure} is nowhere defined")
        required = " and ".join(f"{b.measure}{b.relation}{b.bound:g}" for b in bounds)
        raise UndefinedError(f"{none} has {required}; alone, {', '.join(reached)}")
    # The loss is of false rates, which are small and keep their digits; 1 - rate would not.
    missed, alarms = _error_costs(cost, prevalence, class_sizes)
    fnr, fpr = measure("fnr"), measure("fpr")
    if rule is not None and rule not in WEIGHING:
        loss = _rule_loss(rule, measure, class_sizes)
    elif rule == "closest":
        loss = missed * fnr**2 + alarms * fpr**2
    elif rule == "youden" or cost is not None or not bounds:
        loss = missed * fnr + alarms * fpr
    elif any(b.is_floor and measures.ALIASES.get(b.measure, b.measure) == "tpr" for b in bounds):
        loss = fpr
    else:
        loss = fnr
    loss = np.where(feasible & ~np.isnan(loss), loss, np.inf)
    least = loss.min()
    # The gap of two rates is as exact as they are; a chi-square takes some more roundings.
    slack = TIE if rule == "se=sp" else 8 * TIE * abs(least) if rule == "min-p" else TIE * abs(least)
    best = np.flatnonzero(loss <= least + slack)
    order = np.lexsort((-measure("tpr")[best], measure("fpr")[best]))
    return [int(k) for k in best[order]]


# Measures that rise or fall all along a curve, and relations, as the kernel numbers them.
_MONOTONE = ("tpr", "fpr", "fnr", "tnr")
_RELATIONS = (">=", "<=", ">", "<")
_KERNEL_LOSSES = {"se=sp": 4, "max-product": 5}


def monotone_choice(
    constraints: Sequence[Any] = (),
    *,
    rule: str | None = None,
    cost: Any = None,
    prevalence: float | None = None,
    class_sizes: tuple[Any, Any] | None = None,
) -> tuple[NDArray[np.float64], int, float, float, float] | None:
    """The selection of `select_point` as the arguments of the compiled one; None where that cannot make it.

    The compiled one knows bounds on TPR, FPR, FNR and TNR, and losses made of these.
    """
    rule, bounds = split_rule(constraints, rule, RULES)
    names = [measures.ALIASES.get(bound.measure, bound.measure) for bound in bounds]
    if not set(names) <= set(_MONOTONE) or rule not in (None, *WEIGHING, *_KERNEL_LOSSES):
        return None
    missed, alarms = _error_costs(cost, prevalence, class_sizes)
    if rule in _KERNEL_LOSSES:
        loss = _KERNEL_LOSSES[rule]
    elif rule == "closest":
        loss = 1
    elif rule == "youden" or cost is not None or not bounds:
        loss = 0
    else:
        loss = 2 if any(b.is_floor and name == "tpr" for b, name in zip(bounds, names, strict=True)) else 3
    rows = [
        (_MONOTONE.index(name), _RELATIONS.index(bound.relation), bound.bound)
        for name, bound in zip(names, bounds, strict=True)
    ]
    return np.array(rows, np.float64).reshape(-1, 3), loss, missed, alarms, TIE


def wants_few_errors(bounds: NDArray[np.float64], loss: int) -> bool:
    """Whether a selection by `monotone_choice` wants TPR and TNR to be large alone, and nothing else."""
    floors = bounds[:, 1] % 2 == 0
    return loss != _KERNEL_LOSSES["se=sp"] and bool((np.isin(bounds[:, 0], (0, 3)) == floors).all())


def _rule_loss(
    rule: str, measure: Callable[[str], NDArray[Any]], class_sizes: tuple[Any, Any] | None
) -> NDArray[Any]:
    """What the best point of a rule that weighs no errors has least of."""
    fnr, fpr, tpr = measure("fnr"), measure("fpr"), measure("tpr")
    if rule == "se=sp":
        return np.asarray(np.abs(fnr - fpr))
    if rule == "max-product":
        return np.asarray(fnr + fpr * tpr)  # 1 - TPR (1 - FPR)
    if rule == "max-accuracy":
        return measure("error")
    if rule != "min-p":
        return -measure({"max-f1": "f1", "max-kappa": "kappa", "max-ppv": "precision"}[rule])
    if class_sizes is None:
        raise RocInputError("must be known for the rule 'min-p', got None", argument="class_sizes")
    # The p-value falls with chi-square, a multiple of (TPR - FPR)^2 / (q (1 - q)) with q the share that tests
    # positive; where all test alike it is 0.
    n_pos, n_neg = class_sizes
    above, below = n_pos * tpr + n_neg * fpr, n_pos * fnr + n_neg * measure("tnr")
    chi_square = measures.ratio(measure("youden") ** 2, above * below)
    return np.where(above * below == 0, 0.0, -chi_square)


def _error_costs(
    cost: Any, prevalence: float | None, class_sizes: tuple[Any, Any] | None
) -> tuple[float, float]:
    """Weights of a missed positive and of a false alarm: what each costs more than the right decision."""
    if cost is None and prevalence is None:
        return 1.0, 1.0
    if prevalence is not None:
        pos, neg = prevalence, 1 - prevalence
    elif class_sizes is not None:
        pos, neg = class_sizes  # not shares: 1 - share would lose the digits of a rare class
    else:
        raise RocInputError("must be given with cost, got None", argument="prevalence")
    table = measures.cost_matrix(cost)
    return float(pos * (table[1, 0] - table[1, 1])), float(neg * (table[0, 1] - table[0, 0]))
