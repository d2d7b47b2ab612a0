"""A scikit-learn classifier that decides at an operating point of its own."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Self, TypeAlias

import numpy as np
from numpy.typing import NDArray
from sklearn import get_config
from sklearn.base import BaseEstimator, ClassifierMixin, MetaEstimatorMixin, clone
from sklearn.utils import column_or_1d, get_tags
from sklearn.utils.metadata_routing import MetadataRouter, MethodMapping, process_routing
from sklearn.utils.metaestimators import available_if
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_is_fitted

from rocscope.core import checks, points
from rocscope.errors import RocInputError
from rocscope.training import datasets, fitting

Point: TypeAlias = points.DecisionRule | str | None

POINTS: dict[str, type[points.Threshold] | type[points.ClassWeights]] = {
    "Threshold": points.Threshold,
    "ClassWeights": points.ClassWeights,
}


def _estimator_has(method: str) -> Callable[[Any], bool]:
    """Whether the inner estimator, fitted where there is one, has a method."""

    def check(self: Any) -> bool:
        # The inner estimator's own error explains why a method is missing.
        getattr(getattr(self, "estimator_", self.estimator), method)
        return True

    return check


class OperatingPointClassifier(ClassifierMixin, MetaEstimatorMixin, BaseEstimator):  # type: ignore[misc]
    """Fit an estimator, and decide at a given operating point instead of its own.

    Parameters
    ----------
    estimator
        A scikit-learn classifier, or a detector; a clone of it is fitted. Wrap one that is fitted already
        in `sklearn.frozen.FrozenEstimator`.
    point
        A `Threshold` on the score of its positive class, `ClassWeights`, any rule of the same protocol,
        or the JSON text of one of the first two. Its class names must be those of the training labels;
        the order does not matter. None is the neutral point: for two classes a probability of 0.5 or a
        decision function of 0 for the last class, for more classes the largest output.
    response
        Method that gives the soft outputs: "predict_proba", "decision_function" or "score_samples";
        "auto" takes the first of these that the estimator has. It must be that of the scores on which
        the point was selected.
    target
        Train a detector on the rows of this class only, as `cross_scores` does.
    reject_label
        What `predict` returns for rejected cases; needed where the point has a reject, and no class.

    Attributes
    ----------
    estimator_
        The fitted estimator.
    point_
        The point as an object.
    classes_ : array (classes,)
        The class labels, sorted.
    n_features_in_, feature_names_in_
        Those of the fitted estimator, where it has them.

    Examples
    --------
    >>> from sklearn.linear_model import LogisticRegression
    >>> from rocscope import Threshold
    >>> X, y = [[0.0], [1.0], [2.0], [3.0]], ["well", "well", "ill", "ill"]
    >>> point = Threshold(0.2, positive="ill", negative="well")
    >>> OperatingPointClassifier(LogisticRegression(), point).fit(X, y).predict(X).tolist()
    ['well', 'ill', 'ill', 'ill']
    """

    def __init__(
        self,
        estimator: Any,
        point: Point = None,
        *,
        response: fitting.Response = "auto",
        target: Any = None,
        reject_label: Any = None,
    ) -> None:
        self.estimator = estimator
        self.point = point
        self.response = response
        self.target = target
        self.reject_label = reject_label

    def fit(self, X: Any, y: Any, **fit_params: Any) -> Self:
        """Fit a clone of the estimator; further arguments are handed to its `fit`."""
        point = read_point(self.point)
        if isinstance(X, Mapping):
            raise RocInputError(f"must be a table of features, got {checks.show(X)}", argument="X")
        names = None
        if y is not None:  # without labels the estimator complains
            y = datasets.readable_labels(column_or_1d(y, warn=True))
            check_classification_targets(y)
            names = np.unique(y)
            self._check_options(point, names)  # before the training
        self._choose_response(self.estimator, 2 if names is None else len(names))
        if get_config()["enable_metadata_routing"]:
            fit_params = process_routing(self, "fit", **fit_params).estimator.fit
        if self.target is None:
            self.estimator_ = clone(self.estimator).fit(X, y, **fit_params)
        elif y is None:
            raise RocInputError("must be given where target is, got None", argument="y")
        else:
            rows = np.flatnonzero(y == self.target)
            self.estimator_ = clone(self.estimator).fit(datasets.take_rows(X, rows), **fit_params)
        self.classes_ = np.asarray(names if self._detects() else self.estimator_.classes_)
        self.response_ = self._choose_response(self.estimator_, len(self.classes_))
        self.point_ = _neutral_point(self.classes_.tolist(), self.response_) if point is None else point
        check_class_names(self.point_, self.classes_, holder="estimator")
        for name in ("n_features_in_", "feature_names_in_"):
            if hasattr(self.estimator_, name):
                setattr(self, name, getattr(self.estimator_, name))
        return self

    def _check_options(self, point: points.DecisionRule | None, names: NDArray[Any]) -> None:
        """Refuse a point, a target or a reject label that these classes do not allow."""
        classes, target, reject_label = names.tolist(), self.target, self.reject_label
        for name, label in (("target", target), ("reject_label", reject_label)):
            if np.ndim(label):
                raise RocInputError(f"must be a label, got {checks.show(label)}", argument=name)
        if point is not None:
            check_class_names(point, names, holder="y")
            if target is not None and target != point.classes[-1]:
                raise RocInputError(
                    f"must be the positive class of the point, {point.classes[-1]!r}, "
                    f"got {checks.show(target)}",
                    argument="target",
                )
        if reject_label is None and getattr(point, "reject", None) is not None:
            raise RocInputError(
                "must be given where the point has a reject, got None", argument="reject_label"
            )
        if reject_label is not None and reject_label in classes:
            raise RocInputError(
                f"must not be a class, got {checks.show(reject_label)}",
                argument="reject_label",
                data_dependent=True,
            )
        if target is not None and target not in classes:
            raise RocInputError(
                f"must be one of the labels in y, got {checks.show(target)}",
                argument="target",
                data_dependent=True,
            )

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
            columns=isinstance(point, points.ClassWeights),
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
        """Return where further arguments of `fit` go: to the `fit` of the estimator."""
        mapping = MethodMapping().add(caller="fit", callee="fit")
        return MetadataRouter(owner=self).add(estimator=self.estimator, method_mapping=mapping)

    def __sklearn_tags__(self) -> Any:
        tags, inner = super().__sklearn_tags__(), get_tags(self.estimator)
        tags.input_tags = inner.input_tags
        tags.classifier_tags.multi_class = not isinstance(self.point, points.Threshold) and bool(
            inner.classifier_tags and inner.classifier_tags.multi_class
        )
        return tags


def read_point(point: Any) -> points.DecisionRule | None:
    """Return a point as an object, read from JSON where it is text.

    Examples
    --------
    >>> read_point('{"type": "ClassWeights", "values": [1, 2], "classes": ["a", "b"]}')
    ClassWeights(values=(1.0, 2.0), classes=('a', 'b'), reject=None)
    """
    if point is None or (hasattr(point, "decide_codes") and hasattr(point, "classes")):
        return point  # type: ignore[no-any-return]
    try:
        kind = json.loads(point)["type"]
        return POINTS[kind].from_json(point)
    except (TypeError, ValueError, KeyError) as error:
        raise RocInputError(
            f"must be a Threshold, ClassWeights or the JSON text of one, got {checks.show(point)}",
            argument="point",
        ) from error


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
    raise RocInputError(f"{two}{holder} must have the classes of the point, {expected}, got {classes}{hint}")
