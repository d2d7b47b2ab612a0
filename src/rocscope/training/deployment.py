"""A scikit-learn classifier that decides at an operating point of its own, given or selected in `fit`."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from numbers import Real
from typing import Any, Self, TypeAlias

import numpy as np
from numpy.typing import NDArray
from sklearn import get_config
from sklearn.base import BaseEstimator, ClassifierMixin, MetaEstimatorMixin, clone
from sklearn.frozen import FrozenEstimator
from sklearn.utils import column_or_1d, get_tags
from sklearn.utils.metadata_routing import MetadataRouter, MethodMapping, process_routing
from sklearn.utils.metaestimators import available_if
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_is_fitted

from rocscope.core import checks, points, resampling
from rocscope.core.curve import RocCurve, curve_of, roc_curve
from rocscope.core.result import Result
from rocscope.core.scores import BinaryScores
from rocscope.errors import RocInputError
from rocscope.training import datasets, fitting, splits
from rocscope.training.cross_scores import CrossScores, score_plan

Point: TypeAlias = points.DecisionRule | Result | float | str | tuple[str, ...] | None

POINTS: dict[str, type[points.Threshold] | type[points.ClassWeights]] = {
    "Threshold": points.Threshold,
    "ClassWeights": points.ClassWeights,
}
FOLDS = 5


def _case_weights(fit_params: Mapping[str, Any]) -> Any:
    """`sample_weight`, or that of the steps of a pipeline where all have the same; else None."""
    if fit_params.get("sample_weight") is not None:
        return fit_params["sample_weight"]
    steps = [weight for name, weight in fit_params.items() if name.endswith("__sample_weight")]
    return steps[0] if steps and all(weight is steps[0] for weight in steps) else None


def _estimator_has(method: str) -> Callable[[Any], bool]:
    """Whether the inner estimator, fitted where there is one, has a method."""

    def check(self: Any) -> bool:
        # The inner estimator's own error explains why a method is missing.
        getattr(getattr(self, "estimator_", self.estimator), method)
        return True

    return check


class OperatingPointClassifier(ClassifierMixin, MetaEstimatorMixin, BaseEstimator):  # type: ignore[misc]
    """Fit an estimator, and decide at an operating point of your choice instead of its own.

    Parameters
    ----------
    estimator
        A scikit-learn classifier, or a detector; a clone of it is fitted. Wrap one that is fitted already
        in `sklearn.frozen.FrozenEstimator`.
    point
        A selection rule for the positive one of two classes: constraints such as "tpr>=0.9", "youden" or
        "closest", or a tuple of these as for `RocCurve.select`. It is selected while fitting, on scores
        of rows that did not train the estimator which gave them.

        Or a point that is known: the result of `select()`, a `Threshold`, `ClassWeights`, any rule of
        the same protocol, or the JSON text of one. Its class names must be those of the training labels;
        the order does not matter. The result of `cutpoint()` or a number is a threshold on the score of
        the positive class.

        None is the neutral point: for two classes a probability of 0.5 or a decision function of 0 for
        the last class, for more classes the largest output.
    cv
        Where a rule selects: a number of stratified folds, a splitter, or anything else that
        `cross_scores` takes; None for 5 folds, or fewer where the smallest class has fewer rows. A number
        of folds is shuffled; a `random_state` makes them the same every time. After
        the selection the estimator is fitted on all rows. "prefit": the estimator is fitted already and
        stays as it is, and the rule selects on X and y themselves; they should not have trained it. A
        `FrozenEstimator` without `cv` is used in the same way.
    response
        Method that gives the soft outputs: "predict_proba", "decision_function" or "score_samples";
        "auto" takes the first of these that the estimator has. It must be that of the scores on which
        the point was selected.
    target
        Train a detector on the rows of this class only, as `cross_scores` does.
    pos_label
        The positive class of a rule, a number or a cut-point; None for the last of the sorted classes. It
        must be given with a cut-point, which knows no names, unless the labels are {0, 1}, {-1, 1} or
        booleans.
    reject_label
        What `predict` returns for rejected cases; needed where the point has a reject, and no class.
    random_state
        Seed or generator of the folds, and of estimators in them that leave theirs open.
    n_jobs
        Number of processes that train the folds.

    Attributes
    ----------
    estimator_
        The fitted estimator.
    point_
        The point as an object; an `OperatingPoint` with its measures where a rule selected it.
    curve_
        Where a rule selects: the `RocCurve` it selected from. `sample_weight` counts there as in training,
        as do the weights for a step of a pipeline, such as ``logisticregression__sample_weight``. Where
        several steps have different weights, these count in training alone.
    cv_scores_
        Where a rule selects in folds: their scores, a `CrossScores`.
    classes_ : array (classes,)
        The class labels, sorted.
    n_features_in_, feature_names_in_
        Those of the fitted estimator, where it has them.

    Notes
    -----
    All checks of scikit-learn's `check_estimator` pass, but for two kinds that no user meets. A point with
    class names refuses labels of other names, and some checks bring labels of their own. And
    `check_classifiers_train` expects decisions where `predict_proba` is largest; deciding elsewhere is what a
    rule such as "tpr>=0.9" is for (scikit-learn expects the same failure of its own
    `FixedThresholdClassifier`). Without a point, and with a rule that decides there too, it passes.

    Examples
    --------
    >>> from sklearn.linear_model import LogisticRegression
    >>> from rocscope import Threshold
    >>> X, y = [[0.0], [1.0], [2.0], [3.0]], ["well", "well", "ill", "ill"]
    >>> point = Threshold(0.2, positive="ill", negative="well")
    >>> OperatingPointClassifier(LogisticRegression(), point).fit(X, y).predict(X).tolist()
    ['well', 'ill', 'ill', 'ill']

    A rule selects while fitting:

    >>> X, y = [[0.0], [1.0], [2.0], [3.0], [2.5], [4.0]], [0, 0, 0, 1, 1, 1]
    >>> model = OperatingPointClassifier(LogisticRegression(), "tpr>=0.9", cv=3, random_state=0).fit(X, y)
    >>> print(model.point_)
    Point 4: threshold 0.5383, TPR 1.0000, FPR 0.3333, PPV 0.7500, NPV 1.0000, accuracy 0.8333
    """

    cv_scores_: CrossScores
    curve_: RocCurve

    def __init__(
        self,
        estimator: Any,
        point: Point = None,
        *,
        cv: Any = None,
        response: fitting.Response = "auto",
        target: Any = None,
        pos_label: Any = None,
        reject_label: Any = None,
        random_state: Any = None,
        n_jobs: int | None = None,
    ) -> None:
        self.estimator = estimator
        self.point = point
        self.cv = cv
        self.response = response
        self.target = target
        self.pos_label = pos_label
        self.reject_label = reject_label
        self.random_state = random_state
        self.n_jobs = n_jobs

    def fit(self, X: Any, y: Any, **fit_params: Any) -> Self:
        """Fit a clone of the estimator; further arguments are handed to its `fit`, in folds by their rows."""
        read = read_point(self.point)
        if isinstance(X, Mapping):
            raise RocInputError(f"must be a table of features, got {checks.show(X)}", argument="X")
        checks.check_same_index(("X", X), ("y", y), *fit_params.items())
        for name in ("curve_", "cv_scores_"):  # of an earlier fit by another point
            self.__dict__.pop(name, None)
        names = point = None
        if y is not None:  # without labels the estimator complains
            y = datasets.readable_labels(column_or_1d(y, warn=True))
            check_classification_targets(y)
            names = np.unique(y)
            point = self._check_options(read, names)  # before the training
        self._choose_response(self.estimator, 2 if names is None else len(names))
        groups = None
        if get_config()["enable_metadata_routing"]:
            routed = process_routing(self, "fit", **fit_params)
            fit_params = routed.estimator.fit
            groups = routed.get("splitter", {}).get("split", {}).get("groups")
        self._train(X, y, fit_params)
        if names is None and (self._detects() or isinstance(read, SelectionRule)):
            raise RocInputError("must be given, got None", argument="y")
        self.classes_ = np.asarray(names if self._detects() else self.estimator_.classes_)
        self.response_ = self._choose_response(self.estimator_, len(self.classes_))
        if names is None:
            point = self._check_options(read, self.classes_)
        if isinstance(point, SelectionRule):
            # After the training on all rows: what the estimator cannot take, it says in its own words.
            check_class_names(point.decision, self.classes_, holder="estimator")
            point = self._select(point, X, y, fit_params, groups)
        self.point_ = _neutral_point(self.classes_.tolist(), self.response_) if point is None else point
        check_class_names(self.point_, self.classes_, holder="estimator")
        for name in ("n_features_in_", "feature_names_in_"):
            if hasattr(self.estimator_, name):
                setattr(self, name, getattr(self.estimator_, name))
        return self

    def _train(self, X: Any, y: Any, fit_params: Mapping[str, Any]) -> None:
        if self._is_prefit():
            check_is_fitted(self.estimator)
            self.estimator_ = self.estimator
        elif self.target is None:
            self.estimator_ = clone(self.estimator).fit(X, y, **fit_params)
        elif y is None:
            raise RocInputError("must be given where target is, got None", argument="y")
        else:
            rows = np.flatnonzero(y == self.target)
            params = fitting.take_params(fit_params, rows, len(y))
            self.estimator_ = clone(self.estimator).fit(datasets.take_rows(X, rows), **params)

    def _is_prefit(self) -> bool:
        if isinstance(self.cv, str) and self.cv != "prefit":
            raise RocInputError(
                f"must be None, 'prefit', or what cross_scores takes, got {checks.show(self.cv)}",
                argument="cv",
            )
        return isinstance(self.cv, str) or (self.cv is None and isinstance(self.estimator, FrozenEstimator))

    def _select(
        self, rule: SelectionRule, X: Any, y: NDArray[Any], fit_params: Mapping[str, Any], groups: Any
    ) -> points.OperatingPoint:
        """Select the point on the curve of scores of rows that did not train."""
        weight, positive = _case_weights(fit_params), rule.decision.positive
        if self._is_prefit():
            scores = fitting.soft_outputs(
                self.estimator_, X, rule.decision.classes, response=self.response_, detector=self._detects()
            )
        else:
            seed = self.random_state
            if isinstance(seed, np.random.RandomState):
                seed = seed.randint(2**31 - 1)
            generator = resampling.as_generator(seed)
            data = datasets.Dataset.read(X, y, pos_label=positive, groups=groups)
            cv = max(2, min(FOLDS, data.smallest)) if self.cv is None else self.cv
            self.cv_scores_ = score_plan(
                self.estimator,
                data,
                splits.plan_splits(cv, data, generator),
                generator,
                response=self.response_,
                detector=self.target is not None,
                fit_params=fit_params,
                n_jobs=self.n_jobs,
            )
            y, scores = self.cv_scores_.y_true, self.cv_scores_.y_score
            weight = None if weight is None else datasets.take_rows(weight, self.cv_scores_.row)
        self.curve_ = roc_curve(y, scores, pos_label=positive, sample_weight=weight)
        return self.curve_.select(*rule.constraints, rule=rule.rule)

    def _check_options(
        self, point: ReadPoint, names: NDArray[Any]
    ) -> points.DecisionRule | SelectionRule | None:
        """Refuse a point, a target or a label that these classes do not allow; name those of a threshold."""
        classes, target, reject_label = names.tolist(), self.target, self.reject_label
        for name, label in (
            ("target", target),
            ("pos_label", self.pos_label),
            ("reject_label", reject_label),
        ):
            if np.ndim(label):
                raise RocInputError(f"must be a label, got {checks.show(label)}", argument=name)
        for name, label in (("target", target), ("pos_label", self.pos_label)):
            if label is not None and label not in classes:
                raise RocInputError(
                    f"must be one of the labels in y, got {checks.show(label)}",
                    argument=name,
                    data_dependent=True,
                )
        if isinstance(point, (SelectionRule, Cut)):
            point = point.for_classes(*self._two_classes(point, names))
        elif point is not None:
            check_class_names(point, names, holder="y")
            for name, label in (("target", target), ("pos_label", self.pos_label)):
                if label is not None and label != point.classes[-1]:
                    raise RocInputError(
                        f"must be the positive class of the point, {point.classes[-1]!r}, "
                        f"got {checks.show(label)}",
                        argument=name,
                    )
        if reject_label is None and getattr(_rule_of(point), "reject", None) is not None:
            raise RocInputError(
                "must be given where the point has a reject, got None", argument="reject_label"
            )
        if reject_label is not None and reject_label in classes:
            raise RocInputError(
                f"must not be a class, got {checks.show(reject_label)}",
                argument="reject_label",
                data_dependent=True,
            )
        return point

    def _two_classes(self, point: SelectionRule | Cut, names: NDArray[Any]) -> tuple[Any, Any]:
        """The negative and the positive class of a threshold that does not name them."""
        classes, target, positive = names.tolist(), self.target, self.pos_label
        if len(classes) != 2:
            # scikit-learn knows a classifier of two classes by the first sentence.
            many = len(classes) > 2
            two = "Only binary classification is supported. " if many else ""
            count = (
                f"{len(classes)}: {checks.show(classes)}" if many else f"one class: {checks.show(classes)}"
            )
            raise RocInputError(f"{two}y must hold two classes for this point, got {count}")
        if target is not None and positive is not None and target != positive:
            raise RocInputError(
                f"must be the target {target!r} or None, got {checks.show(positive)}", argument="pos_label"
            )
        positive = target if positive is None else positive
        if positive is None:
            if isinstance(point, Cut) and point.of_cutpoint and not {*classes} <= {-1, 0, 1}:
                raise RocInputError(
                    f"must be the positive class of the cut-point, one of {classes}, got None",
                    argument="pos_label",
                )
            positive = classes[-1]
        negative, positive = sorted(classes, key=lambda name: name == positive)
        return negative, positive

    def _choose_response(self, estimator: Any, n_classes: int) -> str:
        detector = self.target is not None
        return fitting.choose_response(estimator, self.response, detector=detector, n_classes=n_classes)

    def _detects(self) -> bool:
        """Whether the estimator knows no classes, so that its score is that of the positive class."""
        return self.target is not None or not hasattr(self.estimator_, "classes_")

    def predict(self, X: Any) -> NDArray[Any]:
        """Return the class decided for every case, `reject_label` for a rejected one."""
        check_is_fitted(self)
        point, names = self.point_, self.classes_.tolist()
        scores = fitting.soft_outputs(
            self.estimator_,
            X,
            tuple(point.classes),
            response=self.response_,
            detector=self._detects(),
            columns=isinstance(_rule_of(point), points.ClassWeights),
        )
        codes = point.decide_codes(scores)
        if self.reject_label is None and (codes < 0).any():
            raise RocInputError("must be given where cases are rejected, got None", argument="reject_label")
        place = np.array([*(names.index(name) for name in point.classes), len(names)])
        labels = self.classes_
        if self.reject_label is not None:
            listed = [*names, self.reject_label]
            labels = np.array(listed, dtype=None if len({type(name) for name in listed}) == 1 else object)
        return np.asarray(labels[place[codes]])  # code -1 is the last place

    @available_if(_estimator_has("predict_proba"))  # type: ignore[untyped-decorator]
    def predict_proba(self, X: Any) -> NDArray[Any]:
        """Class probabilities of the fitted estimator."""
        check_is_fitted(self)
        return np.asarray(self.estimator_.predict_proba(X))

    @available_if(_estimator_has("decision_function"))  # type: ignore[untyped-decorator]
    def decision_function(self, X: Any) -> NDArray[Any]:
        """Decision function of the fitted estimator, which knows nothing of the point."""
        check_is_fitted(self)
        return np.asarray(self.estimator_.decision_function(X))

    def get_metadata_routing(self) -> Any:
        """Return where further arguments of `fit` go: to the `fit` of the estimator, groups to a splitter."""
        router = MetadataRouter(owner=self).add(
            estimator=self.estimator, method_mapping=MethodMapping().add(caller="fit", callee="fit")
        )
        if hasattr(self.cv, "get_metadata_routing"):
            router.add(splitter=self.cv, method_mapping=MethodMapping().add(caller="fit", callee="split"))
        return router

    def __sklearn_tags__(self) -> Any:
        tags, inner = super().__sklearn_tags__(), get_tags(self.estimator)
        tags.input_tags = inner.input_tags
        try:
            point = _rule_of(read_point(self.point))
        except RocInputError:  # `fit` reports it
            point = None
        two = isinstance(point, (points.Threshold, SelectionRule, Cut))
        tags.classifier_tags.multi_class = not two and bool(
            inner.classifier_tags and inner.classifier_tags.multi_class
        )
        return tags


@dataclass(frozen=True, slots=True)
class SelectionRule:
    """How to select a point of a curve: constraints, and what is best among the points that meet them.

    Examples
    --------
    >>> SelectionRule.parse(("tpr>=0.9", "youden")).rule
    'youden'
    """

    constraints: tuple[str, ...]
    rule: points.Rule | None
    decision: points.Threshold  # what names the classes

    @classmethod
    def parse(cls, texts: Any) -> SelectionRule:
        """Read texts, of which one at most names a rule."""
        rules = [text.strip() for text in texts if text.strip() in points.RULES]
        bounds = tuple(text for text in texts if text.strip() not in points.RULES)
        if len(rules) > 1:
            raise RocInputError(f"must name one rule at most, got {checks.show(texts)}", argument="point")
        try:
            for text in bounds:
                points.Constraint.parse(text)
        except RocInputError as error:
            raise _no_point(texts[0] if len(texts) == 1 else texts) from error
        return cls(bounds, rules[0] if rules else None, points.Threshold(None))

    def for_classes(self, negative: Any, positive: Any) -> SelectionRule:
        """The rule for these classes; a measure that they do not have is refused."""
        cases = BinaryScores(
            positive=np.array([False, True]),
            columns=(np.array([0.0, 1.0]),),
            names=("score",),
            pos_label=positive,
            neg_label=negative,
        )
        for text in self.constraints:
            points.Constraint.parse(text).met(curve_of(cases).measure)
        return SelectionRule(self.constraints, self.rule, points.Threshold(None, positive, negative))


@dataclass(frozen=True, slots=True)
class Cut:
    """A threshold that does not name its classes: a number, or that of a cut-point."""

    value: Any
    of_cutpoint: bool = False

    def for_classes(self, negative: Any, positive: Any) -> points.Threshold:
        """The threshold for these classes; at infinity no case tests positive."""
        value = None if self.value == np.inf else self.value
        return points.Threshold(value, positive, negative)


ReadPoint: TypeAlias = points.DecisionRule | SelectionRule | Cut | None


def read_point(point: Any) -> ReadPoint:
    """Return a point as an object, read from JSON where it is such text, or the rule that selects one.

    Examples
    --------
    >>> read_point('{"type": "ClassWeights", "values": [1, 2], "classes": ["a", "b"]}')
    ClassWeights(values=(1.0, 2.0), classes=('a', 'b'), reject=None)
    >>> read_point("tpr>=0.9").constraints
    ('tpr>=0.9',)
    """
    if isinstance(point, str) and point.lstrip().startswith("{"):
        try:
            fields = json.loads(point)
            kind = fields["type"]
            point = POINTS[kind].from_json(point) if kind in POINTS else Result.from_dict(fields)
        except (TypeError, ValueError, KeyError) as error:
            raise _no_point(point) from error
    if point is None or (hasattr(point, "decide_codes") and hasattr(point, "classes")):
        return point  # type: ignore[no-any-return]
    texts = (point,) if isinstance(point, str) else point
    if isinstance(texts, (tuple, list)) and texts and all(isinstance(text, str) for text in texts):
        return SelectionRule.parse(texts)
    if isinstance(point, Real):
        checks.check_number(point, name="point", closed=True)
        return Cut(point)
    if isinstance(point, Result) and hasattr(point, "threshold"):
        return Cut(point.threshold, of_cutpoint=True)
    raise _no_point(point)


def _no_point(point: Any) -> RocInputError:
    return RocInputError(
        "must be an operating point or its JSON text, a number, or a rule such as 'tpr>=0.9' or 'youden', "
        f"got {checks.show(point)}",
        argument="point",
    )


def _rule_of(point: Any) -> Any:
    """What decides at a point."""
    return point.decision if isinstance(point, points.OperatingPoint) else point


@dataclass(frozen=True, slots=True)
class LargestOutput:
    """Decide the class with the largest output, of either sign.

    Examples
    --------
    >>> LargestOutput(("a", "b", "c")).decide_codes([[-1.0, -2.0, -0.5]]).tolist()
    [2]
    """

    classes: tuple[Any, ...]

    def decide_codes(self, y_score: Any) -> NDArray[np.int64]:
        """Index of the class of every case."""
        return np.asarray(np.argmax(y_score, axis=1), dtype=np.int64)


def _neutral_point(names: list[Any], response: str) -> points.DecisionRule:
    if response == "score_samples":
        raise RocInputError(
            "must be given for an estimator with score_samples only, got None", argument="point"
        )
    if len(names) != 2:
        return LargestOutput(tuple(names))
    return points.Threshold(0.5 if response == "predict_proba" else 0.0, positive=names[1], negative=names[0])


def check_class_names(point: points.DecisionRule, names: NDArray[Any], *, holder: str) -> None:
    """Refuse a point made for other classes: it would decide the wrong way without a message.

    Examples
    --------
    >>> check_class_names(points.Threshold(0.5, positive=1, negative=0), np.array([0, 1]), holder="y")
    """
    classes, expected = names.tolist(), list(point.classes)
    if set(classes) == set(expected):
        return
    # The first sentence is the one by which scikit-learn knows a classifier of two classes.
    two = "Only binary classification is supported. " if len(expected) == 2 and len(classes) > 2 else ""
    hint = "; their types differ" if set(map(str, classes)) == set(map(str, expected)) else ""
    got = f"one class: {classes}" if len(classes) == 1 else str(classes)
    raise RocInputError(f"{two}{holder} must have the classes of the point, {expected}, got {got}{hint}")
