"""Confusion matrices and every measure on them, vectorised over operating points and folds.

A confusion matrix has shape (..., C, D): true class by decided class, D = C, or C + 1 with the rejected
cases in the last column. Two-class matrices hold the negative class first, the positive second.
An undefined value (0/0) is NaN; callers turn it into a reason.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from rocscope.core import checks
from rocscope.errors import RocInputError

Values: TypeAlias = NDArray[np.float64]

ALIASES = {
    "sensitivity": "tpr",
    "recall": "tpr",
    "specificity": "tnr",
    "ppv": "precision",
    "acc": "accuracy",
    "dor": "odds_ratio",
}


def confusion_from_counts(tp: Any, fp: Any, n_pos: Any, n_neg: Any) -> NDArray[Any]:
    """Stack two-class confusion matrices from true and false positives.

    Examples
    --------
    >>> confusion_from_counts(3, 1, 4, 10).tolist()
    [[9, 1], [1, 3]]
    """
    tp, fp, n_pos, n_neg = np.broadcast_arrays(tp, fp, n_pos, n_neg)
    return np.stack([np.stack([n_neg - fp, fp], axis=-1), np.stack([n_pos - tp, tp], axis=-1)], axis=-2)


def count_decisions(codes: NDArray[Any], decided: NDArray[Any], n_classes: int) -> NDArray[np.int64]:
    """Confusion matrix (C, C + 1) of true codes and decided codes; -1 is a rejection.

    Examples
    --------
    >>> count_decisions(np.array([0, 1, 1]), np.array([0, 1, -1]), 2).tolist()
    [[1, 0, 0], [0, 1, 1]]
    """
    width = n_classes + 1
    column = np.where(decided < 0, n_classes, decided)
    return np.bincount(codes * width + column, minlength=n_classes * width).reshape(n_classes, width)


def ratio(above: Any, below: Any) -> Values:
    """Quotient that is NaN where the denominator is 0, without a warning."""
    above, below = np.broadcast_arrays(np.asarray(above, np.float64), np.asarray(below, np.float64))
    out = np.full(above.shape, np.nan)
    np.divide(above, below, out=out, where=below != 0)
    return out


def class_rates(confusion: NDArray[Any]) -> Values:
    """Rows divided by their sums: the rate of each decision within each true class."""
    return ratio(confusion, confusion.sum(axis=-1, keepdims=True))


def _weights(confusion: NDArray[Any], prevalence: Any) -> Values:
    """Shares of the true classes: as counted, or those of a population."""
    if prevalence is None:
        counts = confusion.sum(axis=-1)
        return ratio(counts, counts.sum(axis=-1, keepdims=True))
    if np.ndim(prevalence) == 0:
        prevalence = (1 - prevalence, prevalence)
    return np.broadcast_to(np.asarray(prevalence, np.float64), confusion.shape[:-1])


def tpr(confusion: NDArray[Any], **_: Any) -> Values:
    """True positive rate: sensitivity, recall."""
    return ratio(confusion[..., 1, 1], confusion[..., 1, :].sum(axis=-1))


def fpr(confusion: NDArray[Any], **_: Any) -> Values:
    """False positive rate: 1 - specificity."""
    return ratio(confusion[..., 0, 1], confusion[..., 0, :].sum(axis=-1))


def tnr(confusion: NDArray[Any], **_: Any) -> Values:
    """True negative rate: specificity."""
    return ratio(confusion[..., 0, 0], confusion[..., 0, :].sum(axis=-1))


def fnr(confusion: NDArray[Any], **_: Any) -> Values:
    """False negative rate: 1 - sensitivity."""
    return ratio(confusion[..., 1, 0], confusion[..., 1, :].sum(axis=-1))


def precision(confusion: NDArray[Any], *, prevalence: Any = None, **_: Any) -> Values:
    """Share of true positives among those who test positive, at a prevalence."""
    return _predictive(confusion, decided=1, prevalence=prevalence)


def npv(confusion: NDArray[Any], *, prevalence: Any = None, **_: Any) -> Values:
    """Share of true negatives among those who test negative, at a prevalence."""
    return _predictive(confusion, decided=0, prevalence=prevalence)


def _predictive(confusion: NDArray[Any], *, decided: int, prevalence: Any) -> Values:
    if prevalence is None:
        column = confusion[..., :, decided]
    else:
        column = class_rates(confusion)[..., :, decided] * _weights(confusion, prevalence)
    return ratio(column[..., decided], column.sum(axis=-1))


def accuracy(confusion: NDArray[Any], *, prevalence: Any = None, **_: Any) -> Values:
    """Share of right decisions; rejected cases are not right."""
    return _share(confusion, _right(confusion), prevalence)


def error(confusion: NDArray[Any], *, prevalence: Any = None, **_: Any) -> Values:
    """Share of wrong decisions; rejected cases are not wrong."""
    return _share(confusion, _wrong(confusion), prevalence)


def reject_rate(confusion: NDArray[Any], *, prevalence: Any = None, **_: Any) -> Values:
    """Share of cases left undecided."""
    return _share(confusion, confusion[..., confusion.shape[-2] :].sum(axis=-1), prevalence)


def _share(confusion: NDArray[Any], cases: NDArray[Any], prevalence: Any) -> Values:
    """Share of cases counted per true class, as counted or at a prevalence."""
    if prevalence is None:
        return ratio(cases.sum(axis=-1), confusion.sum(axis=(-2, -1)))
    within = ratio(cases, confusion.sum(axis=-1))
    return np.asarray((within * _weights(confusion, prevalence)).sum(axis=-1))


def _right(confusion: NDArray[Any]) -> NDArray[Any]:
    return np.diagonal(confusion[..., : confusion.shape[-2]], axis1=-2, axis2=-1)


def _wrong(confusion: NDArray[Any]) -> NDArray[Any]:
    decided = confusion[..., : confusion.shape[-2]].sum(axis=-1)
    return np.asarray(decided - _right(confusion))


def class_errors(confusion: NDArray[Any]) -> Values:
    """Wrong decisions per true class, shape (..., C); rejected cases are not wrong."""
    return ratio(_wrong(confusion), confusion.sum(axis=-1))


def max_class_error(confusion: NDArray[Any], **_: Any) -> Values:
    """Largest error over the classes."""
    return np.asarray(class_errors(confusion).max(axis=-1))


def mean_class_error(confusion: NDArray[Any], **_: Any) -> Values:
    """Mean error over the classes."""
    return np.asarray(class_errors(confusion).mean(axis=-1))


def balanced_accuracy(confusion: NDArray[Any], **_: Any) -> Values:
    """Mean over the classes of the share of right decisions."""
    return np.asarray(ratio(_right(confusion), confusion.sum(axis=-1)).mean(axis=-1))


def f1(confusion: NDArray[Any], *, prevalence: Any = None, **_: Any) -> Values:
    """Harmonic mean of precision and recall, 2 TP / (2 TP + FP + FN)."""
    cells = _cells(confusion, prevalence)
    hits = 2 * cells[..., 1, 1]
    return ratio(hits, cells[..., 1, 1] + cells[..., 0, 1] + cells[..., 1, :].sum(axis=-1))


def kappa(confusion: NDArray[Any], *, prevalence: Any = None, **_: Any) -> Values:
    """Cohen's kappa: agreement of decisions and classes beyond that of chance, over the most there could be.

    2 (TP TN - FP FN) / ((TP + FP)(FP + TN) + (TP + FN)(FN + TN)), of decided cases.
    """
    tn, fp, fn, tp = _four_cells(confusion, prevalence)
    return ratio(2 * (tp * tn - fp * fn), (tp + fp) * (fp + tn) + (tp + fn) * (fn + tn))


def mcc(confusion: NDArray[Any], *, prevalence: Any = None, **_: Any) -> Values:
    """Matthews' correlation coefficient of decisions and classes, phi, of decided cases.

    Its square times the number of cases is Pearson's chi-square of the table.
    """
    tn, fp, fn, tp = _four_cells(confusion, prevalence)
    return ratio(tp * tn - fp * fn, np.sqrt((tp + fp) * (tp + fn) * (tn + fp) * (tn + fn)))


def odds_ratio(confusion: NDArray[Any], **_: Any) -> Values:
    """Diagnostic odds ratio TP TN / (FP FN) = LR+ / LR-; infinite without false decisions of a kind."""
    tn, fp, fn, tp = _four_cells(confusion, None)
    return _odds(tp * tn, fp * fn)


def lift(confusion: NDArray[Any], *, prevalence: Any = None, **_: Any) -> Values:
    """Precision over prevalence: how much more frequent positives are among those who test positive."""
    return ratio(precision(confusion, prevalence=prevalence), _weights(confusion, prevalence)[..., 1])


def detection_prevalence(confusion: NDArray[Any], *, prevalence: Any = None, **_: Any) -> Values:
    """Share of cases that test positive."""
    return _share(confusion, confusion[..., 1], prevalence)


def _cells(confusion: NDArray[Any], prevalence: Any) -> NDArray[Any]:
    """Counts, or at a prevalence the share of each cell."""
    if prevalence is None:
        return confusion
    return class_rates(confusion) * _weights(confusion, prevalence)[..., np.newaxis]


def _four_cells(confusion: NDArray[Any], prevalence: Any) -> tuple[Values, Values, Values, Values]:
    """TN, FP, FN, TP as floats, whose products do not overflow."""
    cells = np.asarray(_cells(confusion, prevalence), np.float64)
    return cells[..., 0, 0], cells[..., 0, 1], cells[..., 1, 0], cells[..., 1, 1]


def youden(confusion: NDArray[Any], **_: Any) -> Values:
    """Youden's index TPR - FPR."""
    n_neg, n_pos = (confusion[..., k, :].sum(axis=-1) for k in (0, 1))
    # One fraction, so that it is rounded once: 0.7 - 0.4 is not 0.3.
    return ratio(confusion[..., 1, 1] * n_neg - confusion[..., 0, 1] * n_pos, n_pos * n_neg)


def lr_pos(confusion: NDArray[Any], **_: Any) -> Values:
    """Likelihood ratio of a positive decision, TPR / FPR; infinite without false positives."""
    return _odds(tpr(confusion), fpr(confusion))


def lr_neg(confusion: NDArray[Any], **_: Any) -> Values:
    """Likelihood ratio of a negative decision, FNR / TNR; infinite without true negatives."""
    return _odds(fnr(confusion), tnr(confusion))


def _odds(above: Values, below: Values) -> Values:
    return np.where((below == 0) & (above > 0), np.inf, ratio(above, below))


def cost(confusion: NDArray[Any], *, prevalence: Any = None, cost: Any = None, **_: Any) -> Values:
    """Expected cost of a case; `cost` holds a cost per true and decided class."""
    table = np.asarray(cost_matrix(cost, n_classes=confusion.shape[-2]))
    width = min(table.shape[1], confusion.shape[-1])
    within = class_rates(confusion)[..., :width] * table[:, :width]
    return np.asarray((within.sum(axis=-1) * _weights(confusion, prevalence)).sum(axis=-1))


_NAMED = (
    tpr, fpr, tnr, fnr, precision, npv, accuracy, error, balanced_accuracy,
    f1, youden, lr_pos, lr_neg, kappa, mcc, odds_ratio, lift, detection_prevalence, cost, reject_rate,
)  # fmt: skip
MEASURES: dict[str, Callable[..., Values]] = {
    **{measure.__name__: measure for measure in _NAMED},
    "max-class-error": max_class_error,
    "mean-class-error": mean_class_error,
}
TWO_CLASS = (
    "tpr", "fpr", "tnr", "fnr", "precision", "npv", "f1", "youden", "lr_pos", "lr_neg",
    "kappa", "mcc", "odds_ratio", "lift", "detection_prevalence",
)  # fmt: skip


def evaluate(
    name: str,
    confusion: NDArray[Any],
    *,
    classes: Sequence[Any] | None = None,
    prevalence: Any = None,
    cost: Any = None,
) -> Values:
    """Return one measure of every confusion matrix; "error(c)" is the error within class c.

    Examples
    --------
    >>> confusion = confusion_from_counts(tp=[3, 4], fp=[1, 5], n_pos=4, n_neg=10)
    >>> evaluate("specificity", confusion)
    array([0.9, 0.5])
    """
    if prevalence is not None:
        prevalence = check_prevalence(prevalence, n_classes=confusion.shape[-2])
    within = re.fullmatch(r"error\((.+)\)", name) if isinstance(name, str) else None
    if within:
        names = [str(c) for c in (classes if classes is not None else range(confusion.shape[-2]))]
        if within[1] not in names:
            raise RocInputError(
                f"must name one of {names}, got {within[1]!r}{checks.did_you_mean(within[1], names)}",
                argument="error(class)",
            )
        code = names.index(within[1])
        row = confusion[..., code, :]
        wrong = row[..., : confusion.shape[-2]].sum(axis=-1) - row[..., code]
        return ratio(wrong, row.sum(axis=-1))
    key = ALIASES.get(name, name) if isinstance(name, str) else None
    if key not in MEASURES:
        known = [*MEASURES, *ALIASES, "error(class)"]
        raise RocInputError(
            f"must be one of {', '.join(known)}, got {name!r}{checks.did_you_mean(name, known)}",
            argument="measure",
        )
    if key in TWO_CLASS and confusion.shape[-2] != 2:
        raise RocInputError(f"{name} is a measure of two classes, got {confusion.shape[-2]}")
    return MEASURES[key](confusion, prevalence=prevalence, cost=cost)


def cost_matrix(cost: Any, *, n_classes: int = 2) -> NDArray[np.float64]:
    """Read costs: a matrix (true by decided), or for two classes {"fp": .., "fn": ..}, (fp, fn) or fn alone.

    A single number is the cost of a false negative when a false positive costs 1.

    Examples
    --------
    >>> cost_matrix({"fp": 1, "fn": 5})
    array([[0., 1.],
           [5., 0.]])
    """
    if isinstance(cost, Mapping):
        if set(cost) != {"fp", "fn"}:
            raise RocInputError(f"must name fp and fn, got {checks.show(dict(cost))}", argument="cost")
        cost = (cost["fp"], cost["fn"])
    if cost is None:
        return 1.0 - np.eye(n_classes)
    values = checks.as_array(cost, name="cost")
    if values.dtype.kind not in "iuf":
        raise RocInputError(f"must hold numbers, got {checks.show(cost)}", argument="cost")
    values = values.astype(np.float64)
    if n_classes == 2 and values.shape in ((), (2,)):
        false_pos, false_neg = (1.0, values.item()) if values.ndim == 0 else values
        values = np.array([[0.0, false_pos], [false_neg, 0.0]])
    if values.ndim != 2 or values.shape[0] != n_classes or values.shape[1] not in (n_classes, n_classes + 1):
        raise RocInputError(
            f"must be a number, a pair (fp, fn) or a {n_classes} by {n_classes} matrix, "
            f"got {checks.show(cost)}",
            argument="cost",
        )
    if not np.isfinite(values).all() or (values < 0).any() or not values.any():
        raise RocInputError(
            f"must hold finite costs of at least 0, not all 0, got {checks.show(cost)}", argument="cost"
        )
    return values


def check_prevalence(prevalence: Any, *, n_classes: int = 2) -> Any:
    """Return the share of positives, or one share per class that add up to 1."""
    if np.ndim(prevalence) == 0:
        return checks.check_number(prevalence, name="prevalence", low=0, high=1)
    shares = checks.as_rates(prevalence, name="prevalence")
    if shares.shape != (n_classes,) or abs(shares.sum() - 1) > 1e-9:
        raise RocInputError(
            f"must hold {n_classes} shares that add up to 1, got {checks.show(prevalence)}",
            argument="prevalence",
        )
    return shares
