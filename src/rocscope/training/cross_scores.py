"""Cross-validated soft outputs of an estimator, stacked in row order ([1] algorithm 1, steps 2 and 3).

References
----------
.. [1] Paclik, Lai, Novovicova, Duin: Variance estimation for two-class and multi-class ROC
   analysis using operating point averaging, ICPR 2008.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray

from rocscope.core import checks, execution, resampling
from rocscope.core.curve import RocCurve, curve_of
from rocscope.core.result import Result
from rocscope.core.scores import BinaryScores, infinite_warning
from rocscope.errors import RocInputError
from rocscope.training import datasets, fitting, splits


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class CrossScores(Result):
    """Soft outputs for cases that did not train the estimator which gave them.

    Entries are sorted by row, then by fold: with folds that test every row once, entry i is row i.

    Attributes
    ----------
    y_true
        Label of each entry.
    y_score
        Two classes: the score of the positive class, one number per entry. More: one column per class,
        in the order of `classes`.
    fold
        Fold of each entry: counted from 0 over all splits, repeats included, or as named by `cv`.
    row
        Row of X behind each entry; several entries share one with repeated or bootstrap splits.
    classes
        Names of the classes: the negative and the positive, or all in sorted order.
    pos_label
        The positive class, the last of two; None with more.
    response
        Method of the estimator that gave the outputs.
    folds, n_train, n_test
        For each split the name of its fold, the rows that trained (with `target` those of its class
        alone; bootstrap rows as often as drawn) and the rows that were tested.
    test_over_train
        Mean over the splits of tested rows over different training rows, for tests that correct for the
        overlap of training sets.
    redrawn
        Bootstrap replicates drawn again because they left out no row of some class.
    warnings
        What a reader should know although the scores stand.
    """

    view: ClassVar[str] = "roc_curves.cross_scores_picture"

    y_true: NDArray[Any]
    y_score: NDArray[np.float64]
    fold: NDArray[Any]
    row: NDArray[np.intp]
    classes: tuple[Any, ...]
    pos_label: Any
    response: str
    folds: NDArray[Any]
    n_train: NDArray[np.intp]
    n_test: NDArray[np.intp]
    test_over_train: float
    redrawn: int = 0
    warnings: tuple[str, ...] = ()

    @classmethod
    def from_cv_results(
        cls,
        cv_results: Any,
        X: Any,
        y: Any,
        *,
        cv: Any = None,
        groups: Any = None,
        response: fitting.Response = "auto",
        pos_label: Any = None,
    ) -> CrossScores:
        """Scores of estimators that scikit-learn's `cross_validate` has fitted, each for its test rows.

        Parameters
        ----------
        cv_results
            What ``cross_validate(..., return_estimator=True, return_indices=True)`` returned, repeated
            folds included; or a list of fitted estimators, with `cv`.
        X, y, groups, response, pos_label
            The data that were cross-validated and further options, as in `cross_scores`.
        cv
            Where `cv_results` holds no indices: the pairs (train, test) of row numbers with which the
            estimators were fitted, or the fold of each row, in the order of the estimators.

        Returns
        -------
        CrossScores
            The same as that of `cross_scores` with these splits.

        Examples
        --------
        >>> from sklearn.linear_model import LogisticRegression
        >>> from sklearn.model_selection import cross_validate
        >>> X, y = np.arange(12.0)[:, np.newaxis], np.tile([0, 0, 1], 4)
        >>> fitted = cross_validate(
        ...     LogisticRegression(), X, y, cv=2, return_estimator=True, return_indices=True
        ... )
        >>> print(CrossScores.from_cv_results(fitted, X, y))
        12 scores in 2 folds, 2 classes (predict_proba); AUC over 2 folds: mean 0.7500, SD 0.0000
        """
        checks.check_same_index(X=X, y=y, groups=groups)
        models, pairs = _fitted_estimators(cv_results, cv)
        data = datasets.Dataset.read(X, y, groups=groups, pos_label=pos_label)
        plan = splits.plan_splits(pairs, data, np.random.default_rng(0))  # nothing is left to chance
        if len(models) != len(plan.splits):
            raise RocInputError(
                f"must hold one fitted estimator for each of {len(plan.splits)} splits, got {len(models)}",
                argument="cv_results",
            )
        folds = []
        for model, split in zip(models, plan.splits, strict=True):
            method = fitting.choose_response(model, response, n_classes=len(data.classes))
            with fitting.collected_warnings() as messages:
                scores = fitting.soft_outputs(
                    model, datasets.take_rows(data.X, split.test), data.classes, response=method
                )
            unseen = fitting.unseen_classes(model, data.classes)
            folds.append(
                fitting.FoldScores(scores=scores, response=method, unseen=unseen, warnings=tuple(messages))
            )
        return gather_scores(data, plan, folds)

    def columns(self) -> dict[str, Any]:
        """Return one line per entry: row, fold, y_true and the score, or a score per class."""
        named = {"row": self.row, "fold": self.fold, "y_true": self.y_true}
        if self.y_score.ndim == 1:
            scores = {"y_score": self.y_score}
        else:
            scores = {f"y_score[{name}]": self.y_score[:, k] for k, name in enumerate(self.classes)}
        return {name: values.tolist() for name, values in (named | scores).items()}

    def curve(self, name: Any = None) -> RocCurve:
        """ROC curve of all folds' scores stacked, of one class against all others.

        Parameters
        ----------
        name
            The class; of two it may be left out for the positive one.

        Examples
        --------
        >>> from rocscope.training.detectors import GaussianDetector
        >>> X, y = np.arange(12.0)[:, np.newaxis], np.repeat([1, 0], 6)
        >>> print(cross_scores(GaussianDetector(), X, y, cv=3, target=1, rng=0).curve())
        ROC curve (6 of class 1, 6 of class 0): AUC 0.9583, 9 thresholds
        """
        return curve_of(self._against_others(name, np.ones(self.row.size, dtype=bool)))

    def fold_curves(self, name: Any = None) -> dict[Any, RocCurve]:
        """ROC curve of every fold that has cases of the class and others; see `curve`."""
        parts = {fold: self._against_others(name, self.fold == fold) for fold in self.folds.tolist()}
        return {fold: curve_of(data) for fold, data in parts.items() if data.n_pos and data.n_neg}

    def _against_others(self, name: Any, entries: NDArray[np.bool_]) -> BinaryScores:
        if name is None and len(self.classes) > 2:
            raise RocInputError(f"must be one of the classes {list(self.classes)}, got None", argument="name")
        name = self.pos_label if name is None else name
        if name not in (self.classes if len(self.classes) > 2 else (self.pos_label,)):
            raise RocInputError(f"must be a class that has a score, got {checks.show(name)}", argument="name")
        one = self.y_score.ndim == 1
        scores = self.y_score if one else self.y_score[:, self.classes.index(name)]
        return BinaryScores(
            positive=np.asarray(self.y_true == name)[entries],
            columns=(scores[entries],),
            names=("y_score",),
            pos_label=name,
            neg_label=self.classes[0] if one else "others",
        )

    def _summary(self) -> str:
        cases = len(np.unique(self.row))
        size = f"{self.row.size} scores of {cases} cases" if self.row.size > cases else f"{cases} scores"
        text = f"{size} in {self.folds.size} folds, {len(self.classes)} classes ({self.response})"
        if len(self.classes) > 2:
            return text
        areas = []
        for fold in self.folds.tolist():
            data = self._against_others(None, self.fold == fold)
            if data.n_pos and data.n_neg:
                areas.append(data.table().auc)
        if len(areas) < 2:
            return text
        return (
            f"{text}; AUC over {len(areas)} folds: mean {np.mean(areas):.4f}, SD {np.std(areas, ddof=1):.4f}"
        )


@checks.known_arguments
def cross_scores(
    estimator: Any,
    X: Any,
    y: Any,
    *,
    cv: Any = 10,
    target: Any = None,
    groups: Any = None,
    response: fitting.Response = "auto",
    rng: resampling.Rng = None,
    n_jobs: int | None = None,
    executor: execution.Executor | None = None,
    progress: execution.Progress | None = None,
    pos_label: Any = None,
) -> CrossScores:
    """Train on some rows, score the others, and stack the soft outputs of all folds in row order.

    Parameters
    ----------
    estimator
        A scikit-learn classifier or detector; every fold trains a clone of it. Each `random_state` left
        at None is set from `rng`.
    X
        Features, a row per case: whatever the estimator takes (NumPy, pandas, polars, sparse, lists).
    y
        Labels of two or more classes.
    cv
        A number of stratified folds, at most the size of the smallest class, which are shuffled: a seed as
        `rng` makes them the same every time; a scikit-learn splitter
        (its `random_state`, if None, is set from `rng`); pairs (train, test) of row numbers; the fold of
        each row, as whole numbers or text; or ``("bootstrap", n)``: n stratified replicates that train,
        each tested on the rows it left out.
    target
        Train a detector on the rows of this class only, without labels; it is the positive class.
    groups
        Group (patient, say) of each row, handed to the splitter; a group with training and test rows
        in one fold leads to a warning.
    response
        Method that gives the soft outputs: "predict_proba", "decision_function" or "score_samples".
        "auto" takes the first of these that the estimator has; with `target` the first of the last two.
    rng
        Seed or generator for folds and estimators; the scores are the same for any number of jobs.
    n_jobs, executor, progress
        Number of processes; or what runs the tasks instead, see `LokyExecutor`; a function called as
        ``progress(done, total)``.
    pos_label
        The positive one of two classes; {0, 1}, {-1, 1} and booleans need none.

    Returns
    -------
    CrossScores
        With `y_true`, `y_score`, `fold`, `row` and `classes`.

    Raises
    ------
    RocInputError
        Before any training, for data, folds or an estimator that cannot be used; one with nothing but
        hard labels (`predict`) cannot.
    PartlyFailedError
        If the estimator fails in a fold; the traceback is the note of the error.

    Notes
    -----
    Two classes: the score is the positive class's column, or the decision function with the sign that
    makes it large for that class. A class without training rows has the probability 0 in that fold,
    with a warning; a decision function has no such value, so these folds are refused. Warnings raised
    while training are kept in the result.

    Examples
    --------
    >>> import numpy as np
    >>> from rocscope.training.detectors import GaussianDetector
    >>> rng = np.random.default_rng(0)
    >>> X = np.vstack([rng.normal(size=(30, 2)), rng.normal(2, 1, size=(30, 2))])
    >>> y = np.repeat(["apple", "pear"], 30)
    >>> scores = cross_scores(GaussianDetector(), X, y, cv=5, target="apple", rng=1)
    >>> print(scores)
    60 scores in 5 folds, 2 classes (score_samples); AUC over 5 folds: mean 0.9278, SD 0.0994
    >>> scores.classes, scores.n_train.tolist()
    (('pear', 'apple'), [24, 24, 24, 24, 24])
    """
    checks.check_same_index(X=X, y=y, groups=groups, cv=cv)
    data = datasets.Dataset.read(X, y, groups=groups, target=target, pos_label=pos_label)
    detector = target is not None
    method = fitting.choose_response(estimator, response, detector=detector, n_classes=len(data.classes))
    generator = resampling.as_generator(rng)
    plan = splits.plan_splits(cv, data, generator)
    running = {"n_jobs": n_jobs, "executor": executor, "progress": progress}
    return score_plan(estimator, data, plan, generator, response=method, detector=detector, **running)


def score_plan(
    estimator: Any,
    data: datasets.Dataset,
    plan: splits.Plan,
    generator: np.random.Generator,
    *,
    response: str,
    detector: bool = False,
    **running: Any,
) -> CrossScores:
    """Train and score planned splits; `running` goes to `score_splits`."""
    for split in plan.splits:
        lacking = data.lacking(split.train)
        if detector and 1 in lacking:
            name = checks.show(data.classes[1])
            raise RocInputError(
                f"must train on rows of target {name}, got none in fold {split.fold}", argument="cv"
            )
        if not detector and lacking and response == "decision_function":
            name = checks.show(data.classes[lacking[0]])
            raise RocInputError(
                f"must train on every class for a decision_function, got no row of class {name} "
                f"in fold {split.fold}",
                argument="cv",
            )
    folds = fitting.score_splits(
        estimator, data, plan.splits, generator, response=response, detector=detector, **running
    )
    return gather_scores(data, plan, folds, detector=detector)


def gather_scores(
    data: datasets.Dataset,
    plan: splits.Plan,
    folds: Sequence[fitting.FoldScores],
    *,
    detector: bool = False,
) -> CrossScores:
    """Stack the scores of all folds, with what a reader should know of the splits."""
    stacked = stack_folds(plan, folds)
    two, trains = len(data.classes) == 2, [split.train for split in plan.splits]
    return CrossScores(
        y_true=data.labels[stacked.row],
        y_score=stacked.scores,
        fold=stacked.fold,
        row=stacked.row,
        classes=data.classes,
        pos_label=data.classes[1] if two else None,
        response=str(folds[0].response),
        folds=np.array([split.fold for split in plan.splits]),
        n_train=np.array([int((data.codes[rows] == 1).sum()) if detector else len(rows) for rows in trains]),
        n_test=np.array([len(split.test) for split in plan.splits]),
        # Bootstrap rows count once: drawn again, a row teaches nothing new.
        test_over_train=float(np.mean([len(s.test) / len(np.unique(s.train)) for s in plan.splits])),
        redrawn=plan.redrawn,
        warnings=splits.split_warnings(plan, data) + _score_warnings(plan, data, folds, stacked.scores),
    )


def _fitted_estimators(cv_results: Any, cv: Any) -> tuple[list[Any], Any]:
    """The estimators of a cross-validation, and the splits that fitted them."""
    if isinstance(cv_results, Mapping):
        try:
            models, indices = list(cv_results["estimator"]), cv_results["indices"]
            pairs = list(zip(indices["train"], indices["test"], strict=True))
        except (KeyError, TypeError, ValueError) as error:
            raise RocInputError(
                "must come from cross_validate(return_estimator=True, return_indices=True), got the fields "
                f"{checks.show(list(cv_results))}",
                argument="cv_results",
            ) from error
        if cv is not None:
            raise RocInputError("must be left out where cv_results holds indices", argument="cv")
        return models, pairs
    if not isinstance(cv_results, (list, tuple)) or not cv_results:
        raise RocInputError(
            "must be what cross_validate returned or a list of fitted estimators, "
            f"got {checks.show(cv_results)}",
            argument="cv_results",
        )
    # A number or a splitter might draw other folds than those which fitted the estimators.
    draws = (
        isinstance(cv, (int, np.integer))
        or hasattr(cv, "split")
        or (isinstance(cv, tuple) and "bootstrap" in cv)
    )
    if cv is None or draws:
        raise RocInputError(
            "must be the pairs (train, test) that fitted the estimators, or the fold of each row, "
            f"got {checks.show(cv)}",
            argument="cv",
        )
    return list(cv_results), cv


class Stacked(NamedTuple):
    """Scores of all folds with their rows and folds, sorted by row, then by fold."""

    scores: NDArray[np.float64]
    row: NDArray[np.intp]
    fold: NDArray[Any]


def stack_folds(plan: splits.Plan, folds: Sequence[fitting.FoldScores]) -> Stacked:
    """Put the scores of all folds in row order."""
    rows = np.concatenate([split.test for split in plan.splits])
    place = np.repeat(np.arange(len(plan.splits)), [len(split.test) for split in plan.splits])
    order = np.lexsort((place, rows))
    scores = np.concatenate([fold.scores for fold in folds if fold.scores is not None])
    return Stacked(scores[order], rows[order], np.array([s.fold for s in plan.splits])[place[order]])


def _score_warnings(
    plan: splits.Plan,
    data: datasets.Dataset,
    folds: Sequence[fitting.FoldScores],
    scores: NDArray[np.float64],
) -> tuple[str, ...]:
    """Classes not seen in training, scores that are extreme, and the warnings of the estimators."""
    messages = []
    for name in data.classes:
        without = [s.fold for s, fold in zip(plan.splits, folds, strict=True) if name in fold.unseen]
        if without:
            messages.append(
                f"{splits.describe_folds(without)} no training row of class {checks.show(name)}, "
                "whose score is 0 there"
            )
    if scores.ndim == 1:
        messages += infinite_warning((scores,))
    else:
        for kind, extreme in {"negative": scores < 0, "infinite": np.isinf(scores)}.items():
            if extreme.any():
                messages.append(
                    f"{folds[0].response} has {kind} values, to which class weights cannot be applied"
                )
    for text in dict.fromkeys(text for fold in folds for text in fold.warnings):
        times = sum(text in fold.warnings for fold in folds)
        messages.append(f"in {times} of {len(folds)} folds: {text}")
    return tuple(messages)
