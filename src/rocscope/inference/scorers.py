"""Scorers for scikit-learn: `scoring=` of `cross_val_score` and of a search, by rocscope's own figures."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, fields, replace
from typing import Any, Literal, TypeAlias, get_args

import numpy as np

from rocscope.core import checks
from rocscope.core.curve import curve_of
from rocscope.core.partial_area import read_ranges
from rocscope.core.scores import BinaryScores, distinct_labels, read_binary_labels
from rocscope.core.table import ScoreTable
from rocscope.errors import RocInputError, RocscopeError
from rocscope.inference.auc import auc
from rocscope.inference.decision_curve import net_benefit
from rocscope.inference.multiclass import Average, Scheme, check_average, multiclass_auc
from rocscope.inference.precision_recall import PrCurve
from rocscope.training import fitting
from rocscope.training.datasets import read_names

ScorerName: TypeAlias = Literal[
    "auc", "partial_auc", "tpr_at_fpr", "neg_fpr_at_tpr", "average_precision", "net_benefit"
]
# The options of each scorer beside the positive class and the response.
OPTIONS: dict[str, tuple[str, ...]] = {
    "auc": ("scheme", "average"),
    "partial_auc": ("fpr", "tpr", "standardize"),
    "tpr_at_fpr": ("value",),
    "neg_fpr_at_tpr": ("value",),
    "average_precision": (),
    "net_benefit": ("value",),
}
# Greater is better, as a search expects. `o` are the options, `d` the cases of two classes.
FIGURES: dict[str, Callable[[Scorer, BinaryScores], float]] = {
    "auc": lambda o, d: float(auc(d)),
    "partial_auc": lambda o, d: float(
        curve_of(d).partial_auc(fpr=o.fpr, tpr=o.tpr, standardize=o.standardize)
    ),
    "tpr_at_fpr": lambda o, d: float(curve_of(d).tpr_at([o.value])[0]),
    "neg_fpr_at_tpr": lambda o, d: -float(curve_of(d).fpr_at([o.value])[0]),
    "average_precision": lambda o, d: _average_precision(d.table()),
    "net_benefit": lambda o, d: _net_benefit(d, o.value),
}


@checks.known_arguments
def scorer(
    name: ScorerName,
    value: float | None = None,
    *,
    fpr: Any = None,
    tpr: Any = None,
    standardize: bool = False,
    scheme: Scheme = "ovo",
    average: Average = "macro",
    pos_label: Any = None,
    response: fitting.Response = "auto",
) -> Scorer:
    """Return a scorer for `scoring=` in scikit-learn's `cross_val_score`, `cross_validate` and searches.

    Parameters
    ----------
    name
        "auc" (of more than two classes `multiclass_auc`), "partial_auc", "tpr_at_fpr", "neg_fpr_at_tpr"
        (minus the FPR, since greater scores are better), "average_precision" or "net_benefit".
    value
        The FPR, the TPR or the threshold probability at which to score.
    fpr, tpr, standardize
        Ranges and scale of "partial_auc", as in `partial_auc`.
    scheme, average
        For more than two classes, as in `multiclass_auc`.
    pos_label
        The positive one of two classes; {0, 1}, {-1, 1} and booleans need none.
    response
        Method of the estimator that gives the soft outputs, as in `cross_scores`; "net_benefit" needs
        probabilities.

    Returns
    -------
    Scorer
        Called as ``scorer(estimator, X, y)`` on a fitted estimator, it returns the value that the function
        of the same name has on the estimator's soft outputs; with ``sample_weight=`` that of weighted cases.
        ``scorer(...).set_score_request(sample_weight=True)`` requests the weights where scikit-learn routes
        metadata. The area of more than two classes has no weights.

    Raises
    ------
    RocInputError
        For an option that this scorer does not have; when called, for labels without both classes.

    Examples
    --------
    >>> from sklearn.linear_model import LogisticRegression
    >>> from sklearn.model_selection import cross_val_score
    >>> X, y = [[0], [2], [1], [3], [0.5], [2.5], [2], [1.5]], [0, 1, 0, 1, 0, 1, 0, 1]
    >>> cross_val_score(LogisticRegression(), X, y, cv=2, scoring=scorer("tpr_at_fpr", 0.5)).tolist()
    [1.0, 1.0]
    """
    checks.check_choice(name, tuple(OPTIONS), name="name")
    checks.check_choice(response, ("auto", *fitting.RESPONSES), name="response")
    checks.check_label(pos_label, name="pos_label")
    made = Scorer(name, value, fpr, tpr, standardize, scheme, average, pos_label, response)
    for field in fields(Scorer)[1:-3]:
        option = getattr(made, field.name)
        if field.name not in OPTIONS[name] and (np.ndim(option) or option != field.default):
            raise RocInputError(
                f"must be left out for the scorer {name!r}, got {checks.show(option)}", argument=field.name
            )
    if "value" in OPTIONS[name]:
        closed = name != "net_benefit"
        checks.check_number(value, name="value", low=0, high=1, closed=closed)
    if name == "partial_auc":
        checks.check_flag(standardize, name="standardize")
        read_ranges(fpr, tpr)
        fpr, tpr = (None if ends is None else tuple(float(end) for end in ends) for ends in (fpr, tpr))
        made = replace(made, fpr=fpr, tpr=tpr)  # tuples can be compared
    if name == "auc":
        checks.check_choice(scheme, get_args(Scheme), name="scheme")
        checks.check_choice(average, get_args(Average), name="average")
        check_average(average, scheme)
    if name == "net_benefit" and response not in ("auto", "predict_proba"):
        raise RocInputError(
            f"must give probabilities for the scorer 'net_benefit', got {response!r}", argument="response"
        )
    return made


@dataclass(frozen=True)
class Scorer:
    """A figure of a fitted estimator on test cases; greater is better. See `scorer`."""

    name: ScorerName
    value: float | None = None
    fpr: Any = None
    tpr: Any = None
    standardize: bool = False
    scheme: Scheme = "ovo"
    average: Average = "macro"
    pos_label: Any = None
    response: fitting.Response = "auto"
    weight_request: bool | str | None = None

    def set_score_request(self, *, sample_weight: bool | str | None) -> Scorer:
        """Return the scorer with a request for weights, as scikit-learn's metadata routing knows them.

        Parameters
        ----------
        sample_weight
            True requests weights, False goes without, None refuses where some are passed; a text is the name
            by which they are passed.

        Examples
        --------
        >>> print(scorer("auc").set_score_request(sample_weight=True).get_metadata_routing())
        {'score': {'sample_weight': True}}
        """
        if sample_weight is not None and not isinstance(sample_weight, (bool, str)):
            raise RocInputError(
                f"must be True, False, None or a name, got {checks.show(sample_weight)}",
                argument="sample_weight",
            )
        return replace(self, weight_request=sample_weight)

    def get_metadata_routing(self) -> Any:
        """Return the request for weights as scikit-learn reads it."""
        from sklearn.utils.metadata_routing import MetadataRequest

        routing = MetadataRequest(owner=f"scorer({self.name!r})")
        routing.score.add_request(param="sample_weight", alias=self.weight_request)
        return routing

    def __call__(self, estimator: Any, X: Any, y: Any, sample_weight: Any = None) -> float:
        """Return the figure of a fitted estimator for the cases X with the labels y, weighted or not."""
        checks.check_same_index(X=X, y=y, sample_weight=sample_weight)
        labels = read_names(y, "y", "label")
        names = distinct_labels(np.asarray(getattr(estimator, "classes_", labels)))
        response = "predict_proba" if self.name == "net_benefit" else self.response
        method = fitting.choose_response(estimator, response, n_classes=len(names))
        if self.name == "auc" and len(names) > 2 and self.pos_label is None:
            if sample_weight is not None:
                raise RocInputError(
                    f"must be left out for the area of {len(names)} classes, which has no weights",
                    argument="sample_weight",
                )
            scores = fitting.soft_outputs(estimator, X, names, response=method)
            return float(
                multiclass_auc(labels, scores, classes=names, scheme=self.scheme, average=self.average)
            )
        data = estimator_scores(
            estimator, X, y, pos_label=self.pos_label, response=response, sample_weight=sample_weight
        )
        return FIGURES[self.name](self, data)


def _average_precision(table: ScoreTable) -> float:
    return PrCurve.of_table(table, table.n_pos / (table.n_pos + table.n_neg)).average_precision()


def _net_benefit(data: BinaryScores, probability: Any) -> float:
    """Net benefit at one threshold probability; fractional weights have a value but no interval."""
    if data.weight is None:
        return float(net_benefit(data, probabilities=[probability]).band.mean[0])
    table = data.table()
    positive = table.scores >= probability
    odds = probability / (1 - probability)
    return float((table.pos[positive].sum() - odds * table.neg[positive].sum()) / data.weight.sum())


def estimator_scores(
    estimator: Any,
    X: Any,
    y: Any,
    *,
    pos_label: Any = None,
    response: fitting.Response = "auto",
    sample_weight: Any = None,
) -> BinaryScores:
    """Return the scores of a fitted estimator for the positive one of two classes, checked.

    Examples
    --------
    >>> from sklearn.linear_model import LogisticRegression
    >>> X, y = [[0.0], [1.0], [2.0], [3.0]], ["no", "no", "yes", "yes"]
    >>> estimator_scores(LogisticRegression().fit(X, y), X, y, pos_label="no").columns[0].argmax()
    np.int64(0)
    """
    from sklearn.exceptions import NotFittedError

    checks.check_same_index(X=X, y=y, sample_weight=sample_weight)
    labels = read_names(y, "y", "label")
    names = distinct_labels(np.asarray(getattr(estimator, "classes_", labels)))
    _, negative, positive = read_binary_labels(np.array(names), pos_label, name="y")
    method = fitting.choose_response(estimator, response)
    try:
        scores = fitting.soft_outputs(estimator, X, (negative, positive), response=method)
    except NotFittedError as error:
        raise RocInputError(f"must be fitted, got {checks.show(estimator)}", argument="estimator") from error
    except (TypeError, ValueError) as error:
        if isinstance(error, RocscopeError):
            raise
        raise RocInputError(
            f"must be features that {type(estimator).__name__} takes: {error}", argument="X"
        ) from error
    return BinaryScores.from_arrays(labels, scores, pos_label=positive, sample_weight=sample_weight)
