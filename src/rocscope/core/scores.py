"""Checked data: labels and scores pass one of these doors once, and are trusted from there on."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Literal, TypeAlias, TypedDict, Unpack, get_args

import numpy as np
from numpy.typing import NDArray

from rocscope.core import checks, formatting, frames
from rocscope.core.frames import Missing
from rocscope.core.rules import Direction
from rocscope.core.table import (
    INT64_MAX,
    LARGE,
    PlacementSums,
    ScoreTable,
    as_table,
    collect,
    own_scores,
    table_labels,
)
from rocscope.errors import ResourceError, RocInputError

WeightKind: TypeAlias = Literal["survey", "frequency"]
MAX_ROWS = 500_000_000
# Numbers that stand for a missing value in many files; an end of the scores is one of them by chance alone
# where it lies near the others.
CODES = {-9, 9} | {sign * int(digit * n) for sign in (-1, 1) for digit in "789" for n in range(2, 7)}
MOST_CODES = 4  # on one side: missing, refused, not applicable, unknown


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class CheckedScores:
    """What all checked data have: the fold of every case, where there are folds, and warnings.

    `n_missing` counts the rows of a file that were left out; None where no file was read.
    """

    fold: NDArray[Any] | None = None
    n_missing: int | None = None
    warnings: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True, eq=False)
class BinaryScores(CheckedScores):
    """Two-class labels with the scores of one or more classifiers on the same cases.

    Scores are not copied: an array that is changed after the check is changed here too. With `direction`
    "lower" low scores stand for the positive class; `columns` then hold them with the opposite sign, and
    results have thresholds of the scores as they came.

    Examples
    --------
    >>> data = BinaryScores.from_arrays(["ill", "well", "ill"], [0.9, 0.2, 0.2], pos_label="ill")
    >>> data.table().auc
    0.75
    """

    positive: NDArray[np.bool_]
    columns: tuple[NDArray[Any], ...]
    names: tuple[str, ...]
    pos_label: Any
    neg_label: Any
    weight: NDArray[Any] | None = None
    direction: Direction = "higher"
    groups: NDArray[np.int64] | None = None

    @classmethod
    def from_arrays(
        cls,
        y_true: Any,
        y_score: Any = None,
        *,
        pos_label: Any = None,
        sample_weight: Any = None,
        weight_kind: WeightKind | None = None,
        groups: Any = None,
        fold: Any = None,
        label: str | None = None,
        score: str | Sequence[str] | None = None,
        na: Missing = "error",
        direction: Direction = "higher",
        count: Any = None,
        clustered: bool = False,
        keep_rows: bool = False,
    ) -> BinaryScores:
        """Check labels and scores, from whatever holds them.

        Parameters
        ----------
        y_true
            Labels; or a data frame, of which `label` and `score` name the columns. Data that has passed this
            door before, a `ScoreTable`, a `RocCurve` and the result of `cross_scores` stand here alone.
        y_score
            One array; or the scores of several classifiers: a mapping of names to arrays or a data frame.
            A series keeps its name.
        pos_label
            The label of the positive class; or a list of labels that make up the positive class together, all
            others being the negative one.
        sample_weight, fold
            Weight and fold of every case; of a data frame also the name of the column.
        weight_kind
            "survey": every row is one case that stands for more. "frequency": every row stands for so many
            cases, and weights are whole. None: whole weights are frequencies, others are not.
        groups
            Cluster of every case, such as the patient; of a data frame also the name of the column. Clusters
            of one case each are none.
        label, score
            Columns of a data frame in the place of `y_true`; several scores as a list.
        na
            "error" refuses missing values, "drop" leaves out the rows that hold one, with a warning.
        direction
            Which scores stand for the positive class: "higher" ones, or "lower" ones; never guessed.
        count
            How many cases each row stands for, in a table of counts; of a data frame also the name of the
            column. The same as so many rows.
        clustered
            Whether `y_true` may be data that hold clusters. The caller then knows of them; without it they
            are refused, so that no function takes clusters as independent cases unawares.
        keep_rows
            Whether the rows stay as they are, frequencies as weights of theirs.

        Examples
        --------
        >>> import pandas as pd
        >>> cases = pd.DataFrame({"state": ["ill", "well", "ill"], "a": [0.9, 0.2, None], "b": [3, 1, 2]})
        >>> data = BinaryScores.from_arrays(
        ...     cases, label="state", score=["a", "b"], pos_label="ill", na="drop"
        ... )
        >>> data.names, data.columns[1].tolist(), data.warnings
        (('a', 'b'), [3.0, 1.0], ("1 row with missing values left out: 1 of class 'ill'",))
        """
        checks.check_choice(na, get_args(Missing), name="na")
        checks.check_choice(direction, get_args(Direction), name="direction")
        if count is not None and sample_weight is not None:
            raise RocInputError("must be left out with sample_weight", argument="count")
        if weight_kind is not None:
            checks.check_choice(weight_kind, get_args(WeightKind), name="weight_kind")
        whole = as_table(y_true)
        if isinstance(whole, (BinaryScores, ScoreTable)) or is_stacked(whole):
            check_alone(
                y_true,
                y_score=y_score,
                sample_weight=sample_weight,
                groups=groups,
                fold=fold,
                label=label,
                score=score,
                direction=direction,
                count=count,
            )
            if isinstance(whole, ScoreTable):
                whole = cls.from_table(whole)
            data = whole if isinstance(whole, BinaryScores) else _from_stacked(whole)
            if pos_label is not None and class_name(pos_label) != data.pos_label:
                raise RocInputError(
                    f"must be left out or {data.pos_label!r}, the positive class of y_true, "
                    f"got {checks.show(pos_label)}",
                    argument="pos_label",
                )
            if not clustered:
                data.check_independent()
            return data
        beside = {"sample_weight": sample_weight, "groups": groups, "fold": fold, "count": count}
        y_true, y_score, others = frames.read_columns(y_true, y_score, label=label, score=score, **beside)
        y_score = frames.named_columns(y_score)
        if isinstance(y_score, Mapping):
            scores = {f"scores[{str(name)!r}]": values for name, values in y_score.items()}
            names = tuple(map(str, y_score))
            checks.check_names(names, name="the names of the scores", at_least=1)
        else:
            scores, names = {"y_score": y_score}, (frames.series_name(y_score, "y_score"),)
        rows, warnings = frames.matched_rows({"y_true": y_true, **scores}, others, na=na)
        positive, neg_label, pos_label = read_binary_labels(rows["y_true"], pos_label)
        columns = tuple(checks.as_scores(rows[name], name=name) for name in scores)
        weight = checks.as_weights(rows["sample_weight"]) if "sample_weight" in rows else None
        if "count" in rows:
            weight = checks.as_weights(rows["count"], name="count")
            checks.refuse_rows(
                weight != np.floor(weight), name="count", required="whole numbers of cases", got="fractions"
            )
        folds = checks.as_vector(rows["fold"], name="fold") if "fold" in rows else None
        clusters = cluster_codes(rows["groups"]) if "groups" in rows else None
        for name, column in zip(scores, columns, strict=True):
            checks.check_same_length(("y_true", positive), (name, column))
        checks.check_same_length(("y_true", positive), ("groups", clusters))
        counting = "sample_weight" if count is None else "count"
        checks.check_same_length(("y_true", positive), (counting, weight), ("fold", folds))
        if weight is not None:
            survey = count is None and weight_kind == "survey"
            checks.check_weight_sizes(weight, name=counting, counts=not survey)
            for members, which in ((positive, "positive"), (~positive, "negative")):
                if not weight[members].any():
                    raise RocInputError(
                        f"must leave cases in both classes, got only 0 for the {which} one",
                        argument=counting,
                    )
            if survey:
                weight = weight.astype(np.float64)
            elif count is None and weight_kind == "frequency":
                checks.refuse_rows(
                    weight != np.floor(weight),
                    name=counting,
                    required="whole numbers of cases",
                    got="fractions",
                )
        if clusters is not None:
            clusters = shared_clusters(clusters, weight)
        least = -(2**63)
        if direction == "lower" and any(one.dtype.kind == "i" and one.min() == least for one in columns):
            raise RocInputError(f"must hold integers above {least} for direction 'lower'", argument="y_score")
        data = cls(
            positive=positive,
            columns=tuple(own_scores(column, direction) for column in columns),
            names=names,
            pos_label=pos_label,
            neg_label=neg_label,
            weight=weight,
            fold=folds,
            warnings=(*score_warnings(names, columns), *warnings),
            direction=direction,
            groups=clusters,
        )
        if keep_rows:
            return data
        if weight is not None and count is None and weight_kind == "survey" and not weight.all():
            data = data.rows(weight > 0)  # a case that stands for none
        return data.counted(clustered=True) if count is not None or weight_kind == "frequency" else data

    @classmethod
    def from_table(cls, table: ScoreTable) -> BinaryScores:
        """Write the cases of a count table out, one row each; names and warnings of a labelled one stay."""
        if table.thinned or not table.is_counted:
            raise RocInputError("must be a table of whole cases that was not thinned", argument="y_true")
        _check_rows(table.n_pos + table.n_neg)
        scores = np.concatenate([np.repeat(table.scores, table.pos), np.repeat(table.scores, table.neg)])
        positive = np.repeat([True, False], [table.n_pos, table.n_neg])
        name = str(getattr(table, "name", "y_score"))
        labels = table_labels(table)
        return cls(positive=positive, columns=(scores,), names=(name,), direction=table.direction, **labels)

    def single(self) -> BinaryScores:
        """Return the data if it holds one classifier; more are refused, none is picked."""
        if len(self.columns) > 1:
            raise RocInputError(
                f"must be of one classifier, got {len(self.columns)}: {list(self.names)}", argument="y_score"
            )
        return self

    def each(self) -> dict[str, BinaryScores]:
        """Return the data of every classifier apart, with the warnings about rows and about its own scores.

        Examples
        --------
        >>> data = BinaryScores.from_arrays([0, 1, 1], {"a": [1, 2, 3], "b": [1, 2, float("inf")]})
        >>> {name: one.warnings for name, one in data.each().items()}
        {'a': (), 'b': ('infinite scores were ranked above or below all others',)}
        """
        own = tuple(own_scores(column, self.direction) for column in self.columns)
        of_scores = score_warnings(self.names, own)
        of_rows = [text for text in self.warnings if text not in of_scores]
        return {
            name: replace(
                self,
                columns=(column,),
                names=(name,),
                warnings=(*score_warnings((name,), (scores,)), *of_rows),
            )
            for name, column, scores in zip(self.names, self.columns, own, strict=True)
        }

    def rows(self, kept: NDArray[np.bool_]) -> BinaryScores:
        """Return some of the cases."""
        return replace(
            self,
            positive=self.positive[kept],
            columns=tuple(column[kept] for column in self.columns),
            weight=None if self.weight is None else self.weight[kept],
            fold=None if self.fold is None else self.fold[kept],
            groups=None if self.groups is None else shared_clusters(self.groups[kept]),
        )

    def check_independent(self) -> None:
        """Refuse clusters."""
        if self.groups is not None:
            raise RocInputError(
                "must be left out: this takes all cases as independent of each other", argument="groups"
            )

    def counted(self, *, clustered: bool = False) -> BinaryScores:
        """Return the data with one row per case: whole weights repeat rows, fractional ones are refused.

        Clusters are refused unless the caller says by `clustered` that it knows of them.
        """
        if not clustered:
            self.check_independent()
        if self.weight is None:
            return self
        if self.is_survey:
            raise RocInputError(
                "must count whole cases to draw them again, got fractions", argument="sample_weight"
            )
        times = self.weight
        _check_rows(int(times.sum()))
        return replace(
            self,
            positive=np.repeat(self.positive, times),
            columns=tuple(np.repeat(column, times) for column in self.columns),
            weight=None,
            fold=None if self.fold is None else np.repeat(self.fold, times),
            groups=None if self.groups is None else np.repeat(self.groups, times),
        )

    def written_out(self) -> tuple[BinaryScores, NDArray[np.int64]]:
        """Return one row per case, and the row that each comes from.

        Frequencies are repeated, rows that stand for no case of the population are left out.
        """
        rows = np.arange(self.positive.size)
        if self.weight is None:
            return self, rows
        if self.is_survey:
            return self.rows(self.weight > 0), rows[self.weight > 0]
        return self.counted(clustered=True), np.repeat(rows, self.weight)

    @property
    def is_plain(self) -> bool:
        """Whether all cases are independent and count the same, or a whole number of times."""
        return self.groups is None and not self.is_survey

    @property
    def is_survey(self) -> bool:
        """Whether the weights are no numbers of cases."""
        return self.weight is not None and self.weight.dtype.kind == "f"

    @cached_property
    def n_pos(self) -> int:
        """Number of positive rows."""
        return int(np.count_nonzero(self.positive))

    @property
    def n_neg(self) -> int:
        """Number of negative rows."""
        return self.positive.size - self.n_pos

    def by_class(self, column: int = 0) -> tuple[NDArray[Any], NDArray[Any]]:
        """Scores of the positives and of the negatives, in row order."""
        scores = self.columns[column]
        if scores.size >= LARGE:
            from rocscope.core import kernels

            return kernels.split_classes(self.positive, scores)
        return scores[self.positive], scores[~self.positive]

    def table(self, column: int = 0) -> ScoreTable:
        """Count table of one classifier, weighted where weights were given."""
        if self.weight is None:
            pos, neg = self.by_class(column)
            pos.sort()
            neg.sort()
            return ScoreTable.from_sorted(pos, neg, self.direction)
        nothing = np.zeros_like(self.weight)
        pos = np.where(self.positive, self.weight, nothing)
        return collect(self.columns[column], pos, self.weight - pos, self.direction)

    def sums(self, column: int = 0) -> PlacementSums:
        """Exact placement sums of one classifier; a large column needs no table for them."""
        m, n = self.n_pos, self.n_neg
        if self.weight is not None or self.positive.size < LARGE or 4 * m * n * max(m, n) > INT64_MAX:
            return self.table(column).sums()
        return PlacementSums.of_classes(*self.by_class(column))

    def doubled_placements(self, column: int = 0) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Doubled placement of every positive and of every negative, in row order."""
        pos, neg = self.by_class(column)
        if self.positive.size >= LARGE:
            from rocscope.core import kernels

            return kernels.doubled_placements(*kernels.sort_with_rows(pos), *kernels.sort_with_rows(neg))
        rows_pos, rows_neg = np.argsort(pos), np.argsort(neg)
        of_pos = _doubled_ranks(pos, rows_pos, neg[rows_neg])
        of_neg = 2 * pos.size - _doubled_ranks(neg, rows_neg, pos[rows_pos])
        return of_pos, of_neg

    def class_ranks(self, column: int = 0) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """For each case of a class, the others of its own class below it: #{below} + #{not above}.

        Examples
        --------
        >>> BinaryScores.from_arrays([1, 1, 1, 0], [3, 1, 3, 2]).class_ranks()
        (array([4, 1, 4]), array([1]))
        """
        pos, neg = self.by_class(column)
        return _own_ranks(pos), _own_ranks(neg)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ClassScores(CheckedScores):
    """Labels of C classes with one non-negative soft output per class.

    Rows need not sum to one: arg max w_c y_c does not depend on the scale of a row, and densities
    are legal. Where there is one score for all classes it stands in every column (`from_one_score`).

    Examples
    --------
    >>> data = ClassScores.from_arrays(["a", "b"], [[0.7, 0.3], [0.4, 0.6]], classes=["a", "b"])
    >>> data.codes
    array([0, 1])
    """

    codes: NDArray[np.int64]
    scores: NDArray[np.float64]
    classes: tuple[Any, ...]

    @classmethod
    def from_arrays(
        cls,
        y_true: Any,
        y_score: Any = None,
        *,
        classes: Any = None,
        fold: Any = None,
        label: str | None = None,
        score: Sequence[str] | None = None,
        na: Missing = "error",
    ) -> ClassScores:
        """Check labels, the score matrix and the order of its columns.

        Parameters
        ----------
        y_true
            Labels; or a data frame, of which `label` and `score` name the columns. A `ClassScores` and the
            result of `cross_scores` stand here alone.
        y_score
            One column per class, as an array or a data frame.
        classes
            The class of each column. May be left out where the columns of a data frame have the names of the
            classes, and where the labels are the numbers of the columns of an array, 0 to C - 1, each at
            least once.
        fold
            Fold of every case; of a data frame also the name of the column.
        label, score, na
            As for `BinaryScores.from_arrays`; `score` names one column per class.
        """
        checks.check_choice(na, get_args(Missing), name="na")
        if isinstance(y_true, ClassScores) or is_stacked(y_true):
            check_alone(y_true, y_score=y_score, classes=classes, fold=fold, label=label, score=score)
            if isinstance(y_true, ClassScores):
                return y_true
            classes, fold, y_true, y_score = (
                getattr(y_true, name) for name in ("classes", "fold", "y_true", "y_score")
            )
        if isinstance(score, str):
            raise RocInputError(f"must name one column per class, got {score!r}", argument="score")
        y_true, y_score, others = frames.read_columns(y_true, y_score, label=label, score=score, fold=fold)
        frame = frames.as_frame(y_score, argument="y_score")
        own = () if frame is None else tuple(map(str, frame.columns))
        rows, warnings = frames.matched_rows({"y_true": y_true, "y_score": y_score}, others, na=na)
        labels = checks.as_vector(rows["y_true"], name="y_true")
        _refuse_missing(labels)
        present = distinct_labels(labels)
        names = _column_classes(present, rows["y_score"], own) if classes is None else classes
        names = checks.check_names(names, name="classes")
        _refuse_unknown(present, names, list(names))
        if set(own) & {str(name) for name in names} and own != tuple(map(str, names)):
            raise RocInputError(
                f"must have its columns in the order of classes {list(names)}, got {list(own)}",
                argument="y_score",
            )
        matrix = checks.as_matrix(rows["y_score"], name="y_score", columns=len(names))
        folds = checks.as_vector(rows["fold"], name="fold") if "fold" in rows else None
        checks.check_same_length(y_true=labels, y_score=matrix, fold=folds)
        codes = _class_codes(labels, names)
        return cls(codes=codes, scores=matrix, classes=names, fold=folds, warnings=warnings)

    @classmethod
    def from_one_score(
        cls,
        y_true: Any,
        y_score: Any = None,
        *,
        classes: Any = None,
        ordered: bool = True,
        label: str | None = None,
        score: str | None = None,
        na: Missing = "error",
    ) -> ClassScores:
        """Check labels of several classes and the one score of each case, which stands in every column.

        Parameters
        ----------
        y_true, y_score, label, score, na
            As for `BinaryScores.from_arrays`; the score may be any number.
        classes
            All classes in order. May be left out where the labels are numbers, or no order is needed.
        ordered
            Whether the order of the classes is needed.

        Examples
        --------
        >>> data = ClassScores.from_one_score([3, 1, 2], [0.9, -0.2, 0.4])
        >>> data.classes, data.codes.tolist(), data.scores[:, 0].tolist() == data.scores[:, 2].tolist()
        ((1, 2, 3), [2, 0, 1], True)
        """
        checks.check_choice(na, get_args(Missing), name="na")
        y_true, y_score, others = frames.read_columns(y_true, y_score, label=label, score=score)
        rows, warnings = frames.matched_rows({"y_true": y_true, "y_score": y_score}, others, na=na)
        labels = checks.as_vector(rows["y_true"], name="y_true")
        _refuse_missing(labels)
        values = checks.as_scores(rows["y_score"])
        checks.check_same_length(y_true=labels, y_score=values)
        present = distinct_labels(labels)
        if classes is None:
            if len(present) == 1:
                _refuse_one_class(present[0], "y_true")
            if ordered and not all(isinstance(name, (int, float)) for name in present):
                raise RocInputError(
                    "must list the classes in order, from that of the lowest scores on; "
                    f"y_true holds {present[:10]}",
                    argument="classes",
                )
            classes = present
        names = checks.check_names(classes, name="classes")
        _refuse_unknown(present, names, list(names))
        return cls(
            codes=_class_codes(labels, names),
            scores=np.broadcast_to(values[:, None], (values.size, len(names))),
            classes=names,
            warnings=(*score_warnings(("y_score",), (values,)), *warnings),
        )


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class OrdinalScores(CheckedScores):
    """Ordered classes, each a number, with an estimate of that number for every case.

    `classes` are the numbers of all classes, ascending, and `labels` what they are called.

    Examples
    --------
    >>> OrdinalScores.from_arrays([1, 2, 3], [1.2, 1.9, 3.4]).classes
    (1.0, 2.0, 3.0)
    >>> OrdinalScores.from_arrays(["no", "yes"], [0.2, 0.9], classes={"no": 0, "yes": 1}).labels
    ('no', 'yes')
    """

    values: NDArray[np.float64]
    estimates: NDArray[np.float64]
    classes: tuple[float, ...]
    labels: tuple[Any, ...]

    @classmethod
    def from_arrays(
        cls,
        y_true: Any,
        y_pred: Any = None,
        *,
        classes: Any = None,
        fold: Any = None,
        label: str | None = None,
        score: str | None = None,
        na: Missing = "error",
    ) -> OrdinalScores:
        """Check class values and estimates; text labels need `classes`, a mapping of label to number.

        `label`, `score` and `na` are as for `BinaryScores.from_arrays`; `score` names the estimates. An
        `OrdinalScores` and the result of `ordinal_scores` stand in the place of `y_true` alone; of
        probabilities that `cross_scores` gave, the estimate is the expected class.
        """
        checks.check_choice(na, get_args(Missing), name="na")
        if is_ordinal(y_true):
            check_alone(y_true, y_pred=y_pred, classes=classes, fold=fold, label=label, score=score)
            if isinstance(y_true, OrdinalScores):
                return y_true
            data = cls.from_arrays(y_true.y_true, y_true.y_pred, classes=y_true.classes, fold=y_true.fold)
            return replace(data, labels=tuple(y_true.labels), warnings=tuple(y_true.warnings))
        if is_stacked(y_true):
            check_alone(y_true, y_pred=y_pred, fold=fold, label=label, score=score)
            expected = _expected_classes(y_true, classes)
            data = cls.from_arrays(y_true.y_true, expected, classes=classes, fold=y_true.fold)
            return replace(data, warnings=tuple(y_true.warnings))
        y_true, y_pred, others = frames.read_columns(y_true, y_pred, label=label, score=score, fold=fold)
        rows, warnings = frames.matched_rows({"y_true": y_true, "y_pred": y_pred}, others, na=na)
        values = _ordinal_values(checks.as_vector(rows["y_true"], name="y_true"), classes)
        estimates = exact_floats(rows["y_pred"], name="y_pred")
        checks.refuse_rows(
            ~np.isfinite(estimates), name="y_pred", required="finite estimates", got="infinite values"
        )
        folds = checks.as_vector(rows["fold"], name="fold") if "fold" in rows else None
        checks.check_same_length(y_true=values, y_pred=estimates, fold=folds)
        numbers: list[float] = np.unique(values).tolist()
        if classes is not None:
            listed = classes.values() if isinstance(classes, Mapping) else classes
            every = exact_floats(checks.check_names(listed, name="classes"), name="classes")
            checks.refuse_rows(
                ~np.isfinite(every), name="classes", required="finite numbers", got="infinite ones"
            )
            numbers, present = np.sort(every).tolist(), numbers
            _refuse_unknown(present, numbers, numbers, what="values")
        if isinstance(classes, Mapping):
            names = {float(number): name for name, number in classes.items()}
            labels = tuple(names[number] for number in numbers)
        else:  # classes are called by their numbers, whole ones as integers
            labels = tuple(int(number) if number.is_integer() else number for number in numbers)
        return cls(
            values=values,
            estimates=estimates,
            classes=tuple(numbers),
            labels=labels,
            fold=folds,
            warnings=warnings,
        )


def _expected_classes(scores: Any, classes: Any) -> NDArray[np.float64]:
    """Mean of the class numbers of each case, weighted with the probabilities that `cross_scores` gave."""
    response = getattr(scores, "response", "predict_proba")
    if response != "predict_proba":
        raise RocInputError(
            f"must hold probabilities (predict_proba), got {type(scores).__name__} with {response}",
            argument="y_true",
        )
    numbers = _ordinal_values(np.array(scores.classes), classes)
    shares = np.asarray(scores.y_score)
    if shares.ndim == 1:
        shares = np.column_stack([1 - shares, shares])
    return np.asarray(shares @ numbers)


def _class_codes(labels: NDArray[Any], classes: Sequence[Any]) -> NDArray[np.int64]:
    """The place of every label among the classes."""
    codes = {name: code for code, name in enumerate(classes)}
    return np.fromiter((codes[label] for label in labels.tolist()), np.int64, labels.size)


def cluster_codes(groups: Any) -> NDArray[np.int64]:
    """Number the clusters; whole numbers that lie close together are their own numbers."""
    values = checks.as_vector(groups, name="groups")
    checks.refuse_rows(checks.missing(values), name="groups", required="a cluster for every case", got="none")
    if values.dtype.kind in "iu" and int(values.min()) >= 0 and int(values.max()) <= 4 * values.size:
        return values.astype(np.int64, copy=False)
    try:
        return np.unique(values, return_inverse=True)[1].astype(np.int64)
    except TypeError:  # names of several types, which have no order
        numbers = {name: number for number, name in enumerate(dict.fromkeys(values.tolist()))}
        return np.fromiter((numbers[name] for name in values.tolist()), np.int64, values.size)


def shared_clusters(
    clusters: NDArray[np.int64], weight: NDArray[Any] | None = None
) -> NDArray[np.int64] | None:
    """The clusters, or None where none has two cases; a whole weight counts cases, others stand for one."""
    cases = weight if weight is None or weight.dtype.kind != "f" else weight > 0
    return None if np.bincount(clusters, cases).max(initial=0) <= 1 else clusters


def refuse_design(
    data: BinaryScores, method: str, *, drawn: Sequence[str] = (), others: Sequence[str] = ()
) -> None:
    """Refuse weighted or clustered cases for a method that does not know of them.

    `drawn` are methods that draw whole clusters, but no weights; `others` take both.
    """
    if data.is_plain or method in others or (data.weight is None and method in drawn):
        return
    allowed = ", ".join(map(repr, others if data.is_survey else (*others, *drawn)))
    what = "cases with weights" if data.is_survey else "clusters"
    raise RocInputError(f"must be one of {allowed} for {what}, got {method!r}", argument="method")


def _check_rows(n: int) -> None:
    """Refuse to write out more cases than memory and 32-bit row numbers allow."""
    if n > MAX_ROWS:
        raise ResourceError(f"drawing cases again needs a row for each: at most {MAX_ROWS:,}, got {n:,}")


def _doubled_ranks(scores: NDArray[Any], rows: NDArray[Any], others: NDArray[Any]) -> NDArray[np.int64]:
    """#{others below} + #{others not above} for each score; sorted scores are looked up much faster."""
    ascending = scores[rows]
    ranks = np.empty(scores.size, np.int64)
    ranks[rows] = np.searchsorted(others, ascending, "left") + np.searchsorted(others, ascending, "right")
    return ranks


def _own_ranks(scores: NDArray[Any]) -> NDArray[np.int64]:
    """Doubled ranks among themselves."""
    rows = np.argsort(scores)
    return _doubled_ranks(scores, rows, scores[rows])


def is_stacked(data: Any) -> bool:
    """Whether these are the scores of `cross_scores`, whose class this room does not import."""
    named = all(hasattr(data, name) for name in ("y_true", "y_score", "fold", "classes"))
    return named and frames.as_frame(data) is None  # a frame may have columns of these names


def is_ordinal(data: Any) -> bool:
    """Whether these are checked estimates of ordered classes, or those of `ordinal_scores`."""
    names = ("y_true", "y_pred", "fold", "classes", "labels", "warnings")
    return isinstance(data, OrdinalScores) or all(hasattr(data, name) for name in names)


def holds_scores(data: Any) -> bool:
    """Whether labels and scores come as one: a frame, a mapping of results, or what a door has made."""
    whole = isinstance(as_table(data), (BinaryScores, ScoreTable, Mapping)) or is_stacked(data)
    return whole or frames.as_frame(data) is not None


def join_stacked(results: Mapping[Any, Any]) -> BinaryScores:
    """Scores of several classifiers that `cross_scores` gave for the same cases."""
    if len(results) < 2 or not all(is_stacked(one) for one in results.values()):
        kinds = sorted({type(one).__name__ for one in results.values()})
        raise RocInputError(
            "must map two or more curve names to results of cross_scores where scores are left out, got "
            f"{len(results)} of {', '.join(kinds) or 'nothing'}",
            argument="y_true",
        )
    first, *others = samples = [BinaryScores.from_arrays(one) for one in results.values()]
    rows = [np.asarray(getattr(one, "row", ())) for one in results.values()]
    for other, row in zip(others, rows[1:], strict=True):
        same = first.pos_label == other.pos_label and np.array_equal(first.positive, other.positive)
        if not same or not np.array_equal(rows[0], row):
            raise RocInputError("must hold the same cases in every result of cross_scores", argument="y_true")
    return replace(
        first,
        columns=tuple(sample.columns[0] for sample in samples),
        names=tuple(map(str, results)),
        warnings=tuple(dict.fromkeys(text for sample in samples for text in sample.warnings)),
    )


def has_repeated_rows(data: Any) -> bool:
    """Whether scores of `cross_scores` hold a case several times, as those of repeated folds do."""
    rows = np.asarray(getattr(data, "row", ()))
    return np.unique(rows).size < rows.size


def _column_classes(present: list[Any], y_score: Any, own: tuple[str, ...]) -> Any:
    """The classes of the columns where they are evident: names of a frame, places in an array."""
    if own and {str(label) for label in present} <= set(own):
        by_name = {str(label): label for label in present}
        return tuple(by_name.get(name, name) for name in own)
    if own:  # columns with names of their own may be in any order
        raise RocInputError(
            f"must name the class of each score column {list(own[:10])}, in order: these are not the names "
            f"of the classes, of which y_true holds {present[:10]}",
            argument="classes",
        )
    shape = checks.as_array(y_score, name="y_score").shape
    numbers = list(range(shape[1])) if len(shape) == 2 else []
    whole = all(isinstance(label, int) and not isinstance(label, bool) for label in present)
    if whole and sorted(present) == numbers:
        return tuple(numbers)
    raise RocInputError(
        f"must name the class of each score column, in order; y_true holds {present[:10]}", argument="classes"
    )


class Columns(TypedDict, total=False):
    """What labels and scores of one classifier come with; see `BinaryScores.from_arrays`."""

    pos_label: Any
    label: str | None
    score: str | None
    na: Missing
    direction: Direction
    sample_weight: Any
    groups: Any


def read_counts_or_cases(
    y_true: Any,
    y_score: Any = None,
    *,
    weight_kind: WeightKind | None = None,
    clustered: bool = False,
    **columns: Unpack[Columns],
) -> BinaryScores | ScoreTable:
    """Check labels and scores of one classifier as `BinaryScores.from_arrays` does; a table stays one.

    Examples
    --------
    >>> read_counts_or_cases([0, 1], [0.2, 0.7]).names
    ('y_score',)
    >>> read_counts_or_cases(ScoreTable.from_counts([1, 2], pos=[0, 1], neg=[1, 0])).auc
    1.0
    """
    if isinstance(table := as_table(y_true), ScoreTable):
        names = ("pos_label", "label", "score", "sample_weight", "groups")
        beside = {name: columns.get(name) for name in names}
        check_alone(y_true, y_score=y_score, direction=columns.get("direction", "higher"), **beside)
        return table
    return BinaryScores.from_arrays(
        y_true, y_score, weight_kind=weight_kind, clustered=clustered, **columns
    ).single()


def check_alone(data: Any, *, direction: Direction = "higher", **arguments: Any) -> None:
    """Refuse further arguments beside data in the place of `y_true` that holds labels and scores.

    The direction may be given again, as the data have it.

    Examples
    --------
    >>> check_alone(ScoreTable.from_counts([1, 2], pos=[0, 1], neg=[1, 0]), y_score=[1, 2])
    Traceback (most recent call last):
    rocscope.errors.RocInputError: y_score must be left out where y_true is a ScoreTable, which holds it
    """
    own = direction in ("higher", getattr(data, "direction", None))
    for name, value in (arguments | {"direction": None if own else direction}).items():
        if value is not None:
            kind = type(data).__name__
            article = "an" if kind[0] in "AEIO" else "a"
            raise RocInputError(
                f"must be left out where y_true is {article} {kind}, which holds it", argument=name
            )


def _from_stacked(data: Any) -> BinaryScores:
    """Two-class scores of `cross_scores`, all folds together."""
    scores = np.asarray(data.y_score)
    if scores.ndim != 1:
        raise RocInputError(
            f"must hold one score per case of two classes, got one for each of {list(data.classes)}",
            argument="y_true",
        )
    warnings = [*getattr(data, "warnings", ())]
    if has_repeated_rows(data):
        warnings.append(
            "cases that were tested several times count as different ones: intervals are too narrow"
        )
    return BinaryScores(
        positive=np.asarray(data.y_true == data.classes[1]),
        columns=(scores,),
        names=("y_score",),
        pos_label=data.classes[1],
        neg_label=data.classes[0],
        fold=np.asarray(data.fold),
        warnings=tuple(dict.fromkeys((*score_warnings(("y_score",), (scores,)), *warnings))),
    )


def _refuse_unknown(
    present: Sequence[Any], classes: Sequence[Any], allowed: Any, what: str = "labels"
) -> None:
    """Refuse labels that are not among the classes."""
    known = set(classes)
    unknown = [label for label in present if label not in known]
    if unknown:
        raise RocInputError(
            f"must hold only {what} in classes {allowed}, got {unknown[:5]}",
            argument="y_true",
            data_dependent=True,
        )


def score_warnings(names: tuple[str, ...], columns: tuple[NDArray[Any], ...]) -> tuple[str, ...]:
    """What a reader should know of scores: infinite ones, and codes such as 999 beside probabilities."""
    warnings = list(infinite_warning(columns))
    for name, column in zip(names, columns, strict=True):
        if column.min().item() not in CODES and column.max().item() not in CODES:
            continue
        values, counts = np.unique(column, return_counts=True)
        of = "" if len(columns) == 1 else f" of {name!r}"
        warnings += [f"the scores{of} hold {text}" for text in outlying_codes(values, counts)]
    return tuple(warnings)


def infinite_warning(columns: tuple[NDArray[Any], ...]) -> tuple[str, ...]:
    """Say that infinite scores are taken as extreme ranks, where there are any."""
    infinite = any(c.dtype.kind == "f" and (np.isinf(c.max()) or np.isinf(c.min())) for c in columns)
    return ("infinite scores were ranked above or below all others",) if infinite else ()


def outlying_codes(values: NDArray[Any], counts: NDArray[Any]) -> list[str]:
    """Say which of the ascending distinct values are codes: below zero where no other value is, or repeated
    and farther outside than all others are apart.

    Examples
    --------
    >>> outlying_codes(np.array([-99.0, 0.1, 0.5, 0.9]), np.array([12, 1, 1, 1]))
    ['-99 in 12 rows, far outside all others (0.1 to 0.9): if it means missing, say so (see missing -99)']
    >>> outlying_codes(np.array([0.0, 50.0, 99.0]), np.array([3, 3, 3]))
    []
    """
    is_code = [value in CODES for value in values[:MOST_CODES].tolist()]
    first = is_code.index(False) if False in is_code else len(is_code)
    is_code = [value in CODES for value in values[: -1 - MOST_CODES : -1].tolist()]
    last = len(values) - (is_code.index(False) if False in is_code else len(is_code))
    others = values[first:last].astype(np.float64)
    if len(others) < 2:  # nothing to be far outside of
        return []
    low, high = float(others[0]), float(others[-1])
    outside = [(k, low - float(values[k])) for k in range(first)]
    outside += [(k, float(values[k]) - high) for k in range(last, len(values))]
    return [
        f"{values[k]:g} in {formatting.counted(int(counts[k]), 'row')}, far outside all others ({low:g} to "
        f"{high:g}): if it means missing, say so (see missing {values[k]:g})"
        for k, gap in outside
        if (values[k] < 0 <= low) or (counts[k] > 1 and gap > high - low)
    ]


def _refuse_missing(labels: NDArray[Any], name: str = "y_true") -> None:
    checks.refuse_rows(
        checks.missing(labels), name=name, required="a label in every row", got="missing labels"
    )


def _ordinal_values(labels: NDArray[Any], classes: Any) -> NDArray[np.float64]:
    """Read class labels as numbers; text has no order of its own, and none is made up for it."""
    _refuse_missing(labels)
    if isinstance(classes, Mapping):
        _refuse_unknown(distinct_labels(labels), list(classes), list(classes))
        exact_floats(np.array(list(classes.values()), dtype=object), name="classes")
        labels = np.array([classes[label] for label in labels.tolist()])
    if labels.dtype.kind in "UST" or (labels.dtype.kind == "O" and isinstance(labels[0], str)):
        raise RocInputError(
            f"must hold numbers, got text such as {checks.show(labels[0])}: give its order as "
            "classes={label: number, ...}",
            argument="y_true",
        )
    values = exact_floats(labels, name="y_true")
    checks.refuse_rows(~np.isfinite(values), name="y_true", required="finite classes", got="infinite values")
    return values


def exact_floats(values: Any, *, name: str) -> NDArray[np.float64]:
    """Read numbers that are compared with thresholds: integers too long for float64 are refused."""
    numbers = checks.as_scores(values, name=name)
    if numbers.dtype.kind != "f":
        raise RocInputError(
            "must hold numbers that float64 holds exactly, got longer integers", argument=name
        )
    return numbers


# ---- Which rows are positive: labels are read, never guessed ----------------------------------------------

# Pairs (negative, positive) that say by themselves which one is positive.
EVIDENT = ((0, 1), (-1, 1))


def read_binary_labels(
    y_true: Any, pos_label: Any, *, name: str = "y_true"
) -> tuple[NDArray[np.bool_], Any, Any]:
    """Return which rows are positive, and the names of the negative and the positive class.

    {0, 1}, {-1, 1} and booleans need no `pos_label`; every other pair of labels does. A list of labels makes
    up the positive class, and all others the negative one: each class is then called by its labels.
    """
    labels = checks.as_vector(y_true, name=name)
    _refuse_missing(labels, name)
    if isinstance(pos_label, (list, tuple)):
        return _grouped_labels(labels, pos_label, name)
    if np.ndim(pos_label) != 0 or isinstance(pos_label, (dict, set)):
        raise RocInputError(
            f"must be one label or a list of labels, got {checks.show(pos_label)}", argument="pos_label"
        )
    if pos_label is None:
        return _evident_labels(labels, name)
    positive = _equal(labels, pos_label)
    if not positive.any():
        present = distinct_labels(labels)
        texts = [label for label in present if isinstance(label, str)]
        near = [t for t in texts if t.strip().lower() == str(pos_label).strip().lower()]
        hint = f"; did you mean {near[0]!r}?" if near else checks.did_you_mean(pos_label, texts)
        if any(str(label) == str(pos_label) for label in present):
            hint = f"; the labels are of type {type(present[0]).__name__}"
        labels_of = f"{name} ({_label_list(present)})"
        raise RocInputError(
            f"must be one of the labels in {labels_of}, got {checks.show(pos_label)}{hint}",
            argument="pos_label",
            data_dependent=True,
        )
    if positive.all():
        _refuse_one_class(pos_label, name)
    other = labels[np.argmin(positive)]
    if not (positive | _equal(labels, other)).all():
        raise RocInputError(
            f"must hold two labels, got {_label_list(distinct_labels(labels))}", argument=name
        )
    other = other.item() if isinstance(other, np.generic) else other
    if isinstance(other, str) and other.strip() == str(pos_label).strip():
        raise RocInputError(
            f"must hold two labels, got {checks.show(pos_label)} and {checks.show(other)}, which "
            "differ by blanks alone",
            argument=name,
        )
    return positive, other, pos_label


def class_name(label: Any) -> Any:
    """The name of a class: its label, or the labels that make it up.

    Examples
    --------
    >>> class_name("ill"), class_name(["III", "IV"]), class_name([1])
    ('ill', 'III + IV', 1)
    """
    if not isinstance(label, (list, tuple)):
        return label
    return label[0] if len(label) == 1 else " + ".join(map(str, label))


def _grouped_labels(
    labels: NDArray[Any], pos_labels: Sequence[Any], name: str
) -> tuple[NDArray[np.bool_], Any, Any]:
    """Read labels of which several make up the positive class."""
    present = distinct_labels(labels)
    if not pos_labels or len(set(map(repr, pos_labels))) < len(pos_labels):
        raise RocInputError(
            f"must list one or more labels, each once, got {checks.show(pos_labels)}", argument="pos_label"
        )
    positive = np.zeros(labels.shape, dtype=bool)
    for label in pos_labels:
        equal = _equal(labels, label)
        if not equal.any():
            raise RocInputError(
                f"must be labels in {name} ({_label_list(present)}), got {checks.show(label)}",
                argument="pos_label",
                data_dependent=True,
            )
        positive |= equal
    if positive.all():
        raise RocInputError(
            f"must leave labels for the negative class, got all of {_label_list(present)}",
            argument="pos_label",
            data_dependent=True,
        )
    return positive, class_name(distinct_labels(labels[~positive])), class_name(pos_labels)


def _evident_labels(labels: NDArray[Any], name: str) -> tuple[NDArray[np.bool_], Any, Any]:
    """Read labels that say by themselves which one is positive; refuse all others."""
    positive = _equal(labels, 1)
    n_pos = np.count_nonzero(positive)
    for negative, _ in EVIDENT if labels.dtype.kind in "biufO" else ():
        if n_pos + np.count_nonzero(_equal(labels, negative)) == labels.size:
            if n_pos in (0, labels.size):
                _refuse_one_class(labels[0], name)
            is_bool = isinstance(labels[0], (bool, np.bool_))
            return positive, (False if is_bool else negative), (True if is_bool else 1)
    present = distinct_labels(labels)
    if len(present) == 1:
        _refuse_one_class(present[0], name)
    if len(present) > 2:
        raise RocInputError(f"must hold two labels, got {_label_list(present)}", argument=name)
    both = " and ".join(checks.show(label) for label in present)
    raise RocInputError(
        f"must be given for labels other than 0/1, -1/1 and booleans, got {both}",
        argument="pos_label",
        data_dependent=True,
    )


def _equal(labels: NDArray[Any], value: Any) -> NDArray[np.bool_]:
    """Compare labels with one value; text never equals a number."""
    is_text = labels.dtype.kind in "UST"
    if is_text != isinstance(value, (str, bytes)) and labels.dtype.kind != "O":
        return np.zeros(labels.shape, dtype=bool)
    try:
        with np.errstate(over="ignore"):  # of a number beyond the labels' type, which none equals
            equal = np.asarray(labels == value)
    except OverflowError:  # an integer beyond those of the labels' type
        return np.zeros(labels.shape, dtype=bool)
    return (
        equal.astype(bool, copy=False) if equal.shape == labels.shape else np.zeros(labels.shape, dtype=bool)
    )


def distinct_labels(labels: NDArray[Any]) -> list[Any]:
    """Distinct labels as plain Python, sorted where they can be; for messages and class lists."""
    distinct = list(dict.fromkeys(labels.tolist()))
    try:
        return sorted(distinct)
    except TypeError:
        return distinct


def _label_list(labels: list[Any]) -> str:
    """Distinct labels for a message: how many, and the first of them."""
    first = ", ".join(checks.show(label) for label in labels[: checks.SHOWN_ROWS])
    more = f" and {len(labels) - checks.SHOWN_ROWS} more" if len(labels) > checks.SHOWN_ROWS else ""
    texts = [label for label in labels if isinstance(label, str)]
    blanks = len({text.strip() for text in texts}) < len(texts) or any(t != t.strip() for t in texts)
    return f"{len(labels)}: {first}{more}{' (mind the blanks around them)' if blanks else ''}"


def _refuse_one_class(label: Any, name: str) -> None:
    raise RocInputError(f"must hold two classes, got only {checks.show(label)}", argument=name)
