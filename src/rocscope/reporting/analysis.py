"""What a report consists of: every result that one set of scores allows, and what it does not allow."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations
from math import comb
from typing import Any, ClassVar, Literal, TypeAlias

import numpy as np

from rocscope.averaging import class_weights, search
from rocscope.averaging.neighbourhood import weight_neighbourhood
from rocscope.averaging.point_tests import PointComparison
from rocscope.averaging.points import read_measures
from rocscope.averaging.roc import AveragedRoc, average_roc
from rocscope.binormal.fit import fit_binormal
from rocscope.binormal.fusion import FusionPreview, preview_fusion
from rocscope.core import checks, resampling
from rocscope.core.curve import curve_of
from rocscope.core.points import Constraint
from rocscope.core.result import Result, Row
from rocscope.core.rules import Direction
from rocscope.core.rules import Rule as PointRule
from rocscope.core.scores import BinaryScores, ClassScores, OrdinalScores, WeightKind
from rocscope.errors import RocInputError, RocscopeError, UndefinedError
from rocscope.inference import bands, compare, multiclass
from rocscope.inference.auc import auc
from rocscope.inference.cross_auc import cross_auc
from rocscope.inference.cutpoint import cutpoint
from rocscope.inference.point_measures import point_measures
from rocscope.inference.subgroups import auc_by
from rocscope.ordinal.comparison import compare_ordinal
from rocscope.ordinal.roc import ordinal_roc

Rule: TypeAlias = PointRule | Literal["max-class-error", "mean-class-error"]
Need: TypeAlias = Literal["fold", "score", "cases", "pairs", "training"]
Progress: TypeAlias = Callable[[str, float], None]

BOOTSTRAP_CASES = 20_000  # the most cases of which bootstrap samples are drawn
POINTS = 100  # operating points that are averaged
FRONT = 200  # further ones of three classes or more, for bounds that a reader sets
MANY_CLASSES = 5  # from so many classes on, the neighbourhood of the chosen weights is shown
FUSED_SCORES = 6  # scores whose pairs are tried for fusion: those of the largest areas
FUSED_PAIRS = 3  # pairs whose fusion is reported
DESIGNED_METHODS = ("delong", "logit")  # of cases in clusters or with weights
INDEPENDENT_METHODS = ("score", "hanley-mcneil", "bamber", "agarwal")
ANALYTIC_METHODS = (*DESIGNED_METHODS, *INDEPENDENT_METHODS)
CLUSTERED_CASES, WEIGHTED_CASES = "lie in clusters", "have weights"
# Sensitivities and specificities of 80, 90, 95 and 97.5%, at which the other of the two is given.
FIXED = {"tpr": (0.8, 0.9, 0.95, 0.975), "fpr": (0.2, 0.1, 0.05, 0.025)}
LEFT_OUT_MARK = "left out: "  # how notes begin that say which result is missing
ALL_CASES = "all cases"  # the one fold of scores without folds


@dataclass(frozen=True, slots=True, kw_only=True)
class Omission(Row):
    """Something that an analysis does not contain, though more data or another function would give it.

    `needs` names what is missing in one word.
    """

    needs: Need
    what: str
    remedy: str

    def _summary(self) -> str:
        return f"{self.what}: {self.remedy}."


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Analysis(Result):
    """All results of one set of scores, as `report` shows them.

    Attributes
    ----------
    results
        The results of each score, by its name.
    shared
        Those of several scores or classes together.
    notes
        Warnings about the data, and a line for each result that the data do not allow.
    omissions
        What further data or other functions would show.
    select, rule
        The constraints and the rule by which operating points were selected.
    n_folds
        Number of folds, which then select the operating point of each score by their mean.
    source, n_missing, seed
        Name of the file that was read, rows of it that were left out, and the seed of the random numbers,
        where they are known.
    """

    view: ClassVar[str] = "roc_curves.analysis_picture"

    results: Mapping[str, Sequence[Result]]
    shared: tuple[Result, ...] = ()
    notes: tuple[str, ...] = ()
    omissions: tuple[Omission, ...] = ()
    select: tuple[str, ...] = ()
    rule: Rule | None = None
    n_folds: int | None = None
    source: str | None = None
    n_missing: int | None = None
    seed: int | None = None

    @property
    def missing(self) -> list[str]:
        """The lines of "What this report does not show, and why"."""
        return [*self.notes, *map(str, self.omissions)]

    def columns(self) -> dict[str, Any]:
        """Return one row per result: the name of its score, its type, and the first line of its text."""
        rows = [(name, one) for name, results in self.results.items() for one in results]
        rows += [("", one) for one in self.shared]
        return {
            "score": [name for name, _ in rows],
            "type": [type(one).__name__ for _, one in rows],
            "text": [one.summary().partition("\n")[0] for _, one in rows],
        }

    def _summary(self) -> str:
        rows = self.columns()
        return "\n".join(
            f"{name}: {text}" if name else text
            for name, text in zip(rows["score"], rows["text"], strict=True)
        )

    def _notes(self) -> list[str]:
        return list(self.notes)


@checks.known_arguments
def analyse(
    y_true: Any,
    y_score: Any = None,
    *,
    fold: Any = None,
    by: Any = None,
    sample_weight: Any = None,
    weight_kind: WeightKind = "survey",
    groups: Any = None,
    classes: Any = None,
    ordinal: bool = False,
    pos_label: Any = None,
    direction: Direction = "higher",
    select: str | Sequence[str] = (),
    rule: Rule | None = None,
    level: float = 0.95,
    n_boot: int = 1000,
    rng: resampling.Rng = None,
    progress: Progress | None = None,
) -> Analysis:
    """Return every result that scores allow: what `report` shows, and what it does not show and why.

    Two classes: of each score the curve, its band, areas by all methods, an operating point, a binormal fit
    and with `fold` the mean area over folds and the average over folds with the test between its points, with
    `by` the areas of subgroups; of several scores their comparison and the fusion of pairs. Three classes and
    more: areas by pairs and by classes, and the errors of every class at class weights that a search selects.
    Ordered classes: `ordinal_roc` of each score, and `compare_ordinal` of several.

    Parameters
    ----------
    y_true
        Labels; or a `BinaryScores`, `ScoreTable`, `ClassScores` or `OrdinalScores` alone.
    y_score
        Scores, or a mapping of names to the scores of several classifiers. With `classes` one column per
        class; with `ordinal` an estimate of the number of the class.
    fold
        Fold of every case.
    by
        Two classes: the group of every case, or a mapping of names to several columns of groups, as in
        `auc_by`: areas of the groups, and what the operating point of each score does in them.
    sample_weight, weight_kind, groups
        Two classes: weights and clusters of the cases, as in `auc`. What takes cases as independent or equal
        is then left out, with a note: fits, fusion, averages over folds and the choice of the cut-off.
    classes
        Three classes and more: the class of each column of `y_score`. With `ordinal` all classes, or a
        mapping of label to number.
    ordinal
        Whether the classes are ordered.
    pos_label
        The positive one of two classes; 0/1, -1/1 and booleans need none.
    direction
        "higher" or "lower": which scores stand for the positive one of two classes. With "lower" averages
        over folds are left out.
    select, rule
        Constraints such as "tpr>=0.9" and the rule that select the operating point, as for
        `RocCurve.select` and `AveragedRoc.select`.
    level
        Confidence level.
    n_boot, rng
        Bootstrap replicates, and the seed or generator of all random numbers. Of more than 20,000 cases no
        bootstrap samples are drawn; the bands are simultaneous ones, which need none.
    progress
        Called with the name of each step before it begins, and the share of steps that are done.

    Returns
    -------
    Analysis
        With `results`, `notes` and `omissions`. A result that the data do not allow costs no other one:
        it is left out, with a note that says why.

    Raises
    ------
    UndefinedError
        If the data allow no result at all.

    Examples
    --------
    >>> import rocscope as rs
    >>> y, marker = [0, 0, 0, 1, 1, 1], [0.1, 0.3, 0.5, 0.4, 0.7, 0.9]
    >>> analysis = rs.analyse(y, {"marker": marker}, select="tpr>=0.9", n_boot=100, rng=1)
    >>> [type(result).__name__ for result in analysis.results["marker"]][3:6]
    ['RocBand', 'AreaEstimate', 'AreaEstimate']
    >>> print(analysis.omissions[0])
    Averages over folds and indistinguishable operating points: give the fold of every case (fold).

    `rs.report(analysis, path="roc.html")` writes the page.
    """
    if not isinstance(select, Iterable):
        raise RocInputError(f"must be a list of constraints, got {checks.show(select)}", argument="select")
    select = (select,) if isinstance(select, str) else tuple(select)
    check_request(select=select, level=level, n_boot=n_boot)
    resampling.as_generator(rng)  # one that is none is refused here, not left out of each result
    if progress is not None and not callable(progress):
        raise RocInputError(f"must be a function, got {checks.show(progress)}", argument="progress")
    options = {"fold": fold, "classes": classes, "pos_label": pos_label, "direction": direction}
    design = {"sample_weight": sample_weight, "groups": groups}
    data = _read(y_true, y_score, ordinal=ordinal, weight_kind=weight_kind, design=design, **options)
    is_ordered = not isinstance(data, (BinaryScores, ClassScores))
    if by is not None and not isinstance(data, BinaryScores):
        raise RocInputError("must be left out unless there are two classes", argument="by")
    if is_ordered and (select or rule):
        raise RocInputError(
            "must be empty where classes are ordered", argument="select" if select else "rule"
        )
    attempt = _Attempt(select=select, rule=rule, level=level, n_boot=n_boot, rng=rng, progress=progress)
    results: dict[str, list[Any]] = {}
    n_missing = data.n_missing if isinstance(data, (BinaryScores, ClassScores)) else None
    if isinstance(data, BinaryScores):
        results, shared = _two_classes(data, attempt, by)
    elif isinstance(data, ClassScores):
        shared = _several_classes(data, attempt)
    else:
        results, shared = _ordered_classes(data, attempt)
    if not shared and not any(results.values()):
        raise UndefinedError(f"nothing can be shown: {'; '.join(attempt.notes)}")
    attempt.omit(
        "training",
        "Learning algorithms and bootstrap estimates, for which models are trained",
        "see compare_algorithms and bootstrap_auc",
    )
    return Analysis(
        results={name: tuple(own) for name, own in results.items()},
        shared=tuple(shared),
        notes=tuple(attempt.notes),
        omissions=tuple(attempt.omissions),
        select=select,
        rule=rule,
        n_folds=attempt.n_folds,
        n_missing=n_missing,
    )


def check_request(*, select: Sequence[str] = (), level: float = 0.95, n_boot: int = 1000) -> None:
    """Refuse options that no data would allow, before a long file is read."""
    checks.check_level(level)
    checks.check_n_boot(n_boot)
    for bound in select:
        Constraint.parse(bound)


def _read(
    y_true: Any,
    y_score: Any,
    *,
    fold: Any,
    classes: Any,
    ordinal: bool,
    pos_label: Any,
    direction: Any,
    weight_kind: WeightKind,
    design: dict[str, Any],
) -> BinaryScores | ClassScores | OrdinalScores | dict[str, OrdinalScores]:
    """Check the data by the kind of its classes; estimates of ordered classes may have names."""
    if isinstance(y_true, (ClassScores, OrdinalScores)):
        for argument, value in {"y_score": y_score, "fold": fold, "classes": classes}.items():
            if value is not None:
                raise RocInputError("must be left out where y_true holds the scores", argument=argument)
    elif not ordinal and classes is None:
        about: dict[str, Any] = {"pos_label": pos_label, "fold": fold, "direction": direction} | design
        return BinaryScores.from_arrays(y_true, y_score, weight_kind=weight_kind, clustered=True, **about)
    binary = {"pos_label": pos_label is not None, "direction": direction != "higher"}
    binary |= {name: value is not None for name, value in design.items()}
    for argument, given in binary.items():
        if given:
            raise RocInputError("must be left out unless there are two classes", argument=argument)
    if isinstance(y_true, (ClassScores, OrdinalScores)):
        return y_true
    if ordinal and isinstance(y_score, Mapping):
        if not y_score:
            raise RocInputError("must hold the estimates of one score or more, got none", argument="y_score")
        return {
            str(name): OrdinalScores.from_arrays(y_true, one, classes=classes, fold=fold)
            for name, one in y_score.items()
        }
    door: Any = OrdinalScores if ordinal else ClassScores
    checked: ClassScores | OrdinalScores = door.from_arrays(y_true, y_score, classes=classes, fold=fold)
    return checked


@dataclass(slots=True, kw_only=True)
class _Attempt:
    """Tries results one after the other; one that fails leaves a note and costs no other one."""

    select: tuple[str, ...]
    rule: Rule | None
    level: float
    n_boot: int
    rng: resampling.Rng
    progress: Progress | None
    steps: int = 1
    done: int = 0
    n_folds: int | None = None  # where folds selected the cut-off
    notes: list[str] = field(default_factory=list)
    omissions: list[Omission] = field(default_factory=list)

    def __call__(
        self,
        what: str,
        function: Callable[..., Any],
        *arguments: Any,
        excused: type[RocscopeError] = RocscopeError,
        **options: Any,
    ) -> list[Any]:
        """Return a list of the result, or an empty one after a note that says why.

        Errors of rocscope other than the excused ones are about the request, and are raised.
        """
        if self.progress is not None:
            self.progress(what, min(1.0, self.done / self.steps))
        try:
            return [function(*arguments, **options)]
        except RocscopeError as error:
            if not isinstance(error, excused):
                raise
            self.notes.append(missing_line(what, error))
        except Exception as error:
            self.notes.append(missing_line(what, error))
        finally:
            self.done += 1
        return []

    def omit(self, needs: Need, what: str, remedy: str) -> None:
        """Record what the analysis does not contain."""
        self.omissions.append(Omission(needs=needs, what=what, remedy=remedy))


def missing_line(what: str, error: Exception) -> str:
    """Say what a page lacks, and why: data that do not allow it, or a fault of ours.

    Examples
    --------
    >>> missing_line("the fusion of a and b", ZeroDivisionError("division by zero"))
    'left out: the fusion of a and b: a fault of rocscope itself, ZeroDivisionError: division by zero'
    """
    if isinstance(error, RocscopeError):
        return f"{LEFT_OUT_MARK}{what}: {error}"
    return f"{LEFT_OUT_MARK}{what}: a fault of rocscope itself, {type(error).__name__}: {error}"


# ---- Two classes ------------------------------------------------------------------------------------------


def _two_classes(data: BinaryScores, attempt: _Attempt, by: Any) -> tuple[dict[str, list[Any]], list[Any]]:
    """Everything of each score, and what is said of several."""
    n, few = len(data.names), len(data.positive) <= BOOTSTRAP_CASES
    attempt.notes += data.warnings
    # Of each score a band, its areas, a point and a fit; with folds the test, else the choice repeated.
    each = 3 + len(ANALYTIC_METHODS) + 3 * few + (few if data.fold is None else 2) + (by is not None)
    attempt.steps = n * each + (n > 1) + (comb(min(n, FUSED_SCORES), 2) if few else 0)
    if data.fold is None:
        _omit_folds(attempt, "Averages over folds and indistinguishable operating points")
    if not data.is_plain:
        fits = ", the fusion of pairs of scores" if n > 1 else ""
        folds = "" if data.fold is None else ", averages over folds"
        these = CLUSTERED_CASES if data.groups is not None else WEIGHTED_CASES
        attempt.notes.append(
            f"{LEFT_OUT_MARK}areas by {', '.join(INDEPENDENT_METHODS)}, binormal fits{fits}{folds}, how "
            "certain the choice of the cut-off is, and intervals in the explorer: they take all cases as "
            f"independent and equal, and these {these}"
        )
    results = {name: _one_score(name, sample, attempt, few, by) for name, sample in data.each().items()}
    shared = list[Any]()
    if n > 1:
        shared = attempt("the comparison", compare.compare_auc, data, level=attempt.level)
    else:
        attempt.omit("score", "Comparison and fusion of scores", "give a second score")
    if not few:
        attempt.omit(
            "cases",
            f"Bootstrap intervals and fusion, which are not made of more than {BOOTSTRAP_CASES:,} cases",
            'see auc with method="bootstrap" and preview_fusion',
        )
    elif n > 1 and data.is_plain:
        shared += _fusions(data, attempt)
    return results, shared


def _omit_folds(attempt: _Attempt, what: str) -> None:
    attempt.omit("fold", what, "give the fold of every case (fold)")


def _one_score(name: str, data: BinaryScores, attempt: _Attempt, few: bool, by: Any) -> list[Any]:
    level = attempt.level
    draws: dict[str, Any] = {"n_boot": attempt.n_boot, "rng": attempt.rng}
    results: list[Any] = [curve_of(data)]
    plain = data.is_plain
    band: dict[str, Any] = {"level": level} | draws
    if data.is_survey or not (few or plain):  # nothing is drawn
        band = {"level": level, "method": "wilson"}
    results += attempt(f"the band of {name}", bands.roc_band, data, simultaneous=plain and not few, **band)
    if few:
        for axis, places in FIXED.items():
            what = f"the band of {name} at fixed {axis.upper()}"
            results += attempt(what, bands.roc_band, data, at=axis, x=places, **band)
    area = attempt(f"the area of {name}", auc, data, level=level)
    results += area  # by the default method, and then by the others
    for method in ANALYTIC_METHODS if plain else DESIGNED_METHODS:
        if method not in [one.method for one in area]:
            results += attempt(f"the {method} area of {name}", auc, data, method=method, level=level)
    if few and not data.is_survey:
        results += attempt(
            f"the bootstrap area of {name}", auc, data, method="bootstrap", level=level, **draws
        )
    if data.fold is not None:
        results += attempt(f"the area of {name} over folds", cross_auc, data, level=level)
    averages = [] if data.fold is None or not plain else _averages(name, data, attempt)
    # With folds the cut-off is the one that they select.
    at = [roc.point(index) for roc, index in averages if index is not None]
    if at:
        attempt.n_folds = len(averages[0][0].folds)
    measured = attempt(
        f"the point of {name}",
        point_measures,
        data,
        excused=UndefinedError,
        **({"threshold": at[0]} if at else {"select": attempt.select, "rule": attempt.rule}),
        level=level,
    )
    results += measured
    if by is not None:
        cut = measured[0].threshold if measured else None
        results += attempt(
            f"the subgroups of {name}",
            auc_by,
            data,
            by=by,
            threshold=cut,
            level=level,
            excused=UndefinedError,
        )
    if few and not at and plain:
        results += attempt(
            f"the choice of the cut-off of {name}",
            cutpoint,
            data,
            *attempt.select,
            rule=attempt.rule,
            level=level,
            excused=UndefinedError,
            **draws,
        )
    if plain:
        results += attempt(f"the binormal fit of {name}", fit_binormal, data)
    for roc, index in averages:
        tests = []
        if index is not None:
            tests = attempt(f"the test between points of {name}", roc.compare_to, index, level=level)
        results += tests or [roc]
    return results


def _averages(name: str, data: BinaryScores, attempt: _Attempt) -> list[tuple[AveragedRoc, int | None]]:
    """The average over folds, with the best of all thresholds among its points, and the index of that."""
    place = (
        *attempt.select,
        *([] if attempt.select and attempt.rule is None else [attempt.rule or "youden"]),
    )
    try:
        roc = average_roc(data, points=POINTS, also=place)
    except UndefinedError:  # nothing meets the constraints
        return [(roc, None) for roc in attempt(f"the average of {name}", average_roc, data, points=POINTS)]
    except Exception as error:
        attempt.notes.append(missing_line(f"the average of {name}", error))
        return []
    index = roc.select(*attempt.select, rule=attempt.rule).index
    return [(roc, index if np.isfinite(roc.points[index]) else None)]


def _fusions(data: BinaryScores, attempt: _Attempt) -> list[FusionPreview]:
    """The previews of those pairs from whose sum most is predicted to be gained."""
    areas = [curve_of(data, k).auc for k in range(len(data.names))]
    largest = sorted(sorted(range(len(areas)), key=lambda k: -areas[k])[:FUSED_SCORES])
    previews: list[FusionPreview] = []
    for k, m in combinations(largest, 2):
        names = (data.names[k], data.names[m])
        pair = replace(data, columns=(data.columns[k], data.columns[m]), names=names)
        what = f"the fusion of {names[0]} and {names[1]}"
        previews += attempt(what, preview_fusion, pair, level=attempt.level)
    if len(previews) > FUSED_PAIRS or len(data.names) > FUSED_SCORES:
        among = f" of the {FUSED_SCORES} scores with the largest areas" if len(areas) > FUSED_SCORES else ""
        attempt.omit(
            "pairs",
            f"Fusion of other pairs than the {min(len(previews), FUSED_PAIRS)} with the largest predicted "
            f"gain, of {len(previews)} pairs{among}",
            "see preview_fusion",
        )
    return sorted(previews, key=_predicted_gain, reverse=True)[:FUSED_PAIRS]


def _predicted_gain(preview: FusionPreview) -> float:
    """What the best weights are predicted to add to the better of the two; 0 where that is unknown."""
    best = [preview.best(by).value for by in ("correlated", "independent")]
    predicted = next((value for value in best if value is not None), None)
    alone = [fit.auc for fit in (preview.first, preview.second) if fit.auc is not None]
    return predicted - max(alone) if predicted is not None and alone else 0.0


# ---- Three classes and more -------------------------------------------------------------------------------


def _several_classes(data: ClassScores, attempt: _Attempt) -> list[Any]:
    """Areas by pairs and by classes, and the errors of every class at weights that a search selects."""
    labels, results = [data.classes[k] for k in data.codes], list[Any]()
    attempt.steps = 8  # two kinds of areas, three of class weights, errors, the choice, the neighbourhood
    if data.fold is None:
        _omit_folds(attempt, "Standard deviations over folds and tests between operating points")
    for scheme in ("ovo", "ovr"):
        results += attempt(
            f"the areas ({scheme})",
            multiclass.multiclass_auc,
            labels,
            data.scores,
            classes=data.classes,
            scheme=scheme,
            level=attempt.level,
        )
    found = attempt("class weights", search.search_weights, data, keep=POINTS, rng=attempt.rng)
    if not found:
        return results
    best = found[0][0]
    if attempt.select:  # the best by the largest error may all miss the constraints, though others meet them
        found += attempt(
            f"class weights with {' and '.join(attempt.select)}",
            search.search_weights,
            data,
            keep=POINTS,
            objective="mean-class-error" if attempt.rule == "mean-class-error" else "max-class-error",
            constraints=attempt.select,
            rng=attempt.rng,
            excused=UndefinedError,
        )
    found += attempt("the front of class weights", search.front_weights, data, weights=best, n=FRONT)
    weights = np.concatenate(found)
    weights = weights[np.sort(np.unique(weights, axis=0, return_index=True)[1])]
    if data.fold is None:
        averages = attempt("the errors of every class", _errors_of_all_cases, data, weights)
    else:
        averages = attempt("the average", average_roc, data, points=weights)
    for roc in averages:
        roc = replace(roc, warnings=(*roc.warnings, search.SEARCHED))
        chosen = attempt(
            "the choice on the classes",
            roc.select,
            *attempt.select,
            rule=attempt.rule,
            excused=UndefinedError,
        )
        if data.fold is None:  # the page selects the point itself; a note says where there is none
            results.append(roc)
        else:  # the averaged points, compared with the best of them, where the folds allow it
            compared = list[PointComparison]()
            for index in chosen:
                what = "the test between points of the classes"
                compared += attempt(what, roc.compare_to, index, level=attempt.level)
            chosen = [one.index for one in compared]
            results += compared or [roc]
        if len(data.classes) >= MANY_CLASSES:
            at = roc.points[chosen[0]] if chosen else best
            results += attempt(
                "the neighbourhood", weight_neighbourhood, data, weights=at, level=attempt.level
            )
    return results


def _errors_of_all_cases(data: ClassScores, weights: Any) -> AveragedRoc:
    """All cases as one fold: errors are shares of cases, which do not vary over folds."""
    return AveragedRoc.from_counts(
        class_weights.weighted_confusion(data.codes, data.scores, weights),
        points=weights,
        kind="weights",
        measures=read_measures(None, data.classes),
        folds=(ALL_CASES,),
        classes=data.classes,
        test_over_train=0.0,
    )


# ---- Ordered classes --------------------------------------------------------------------------------------


def _ordered_classes(
    data: OrdinalScores | dict[str, OrdinalScores], attempt: _Attempt
) -> tuple[dict[str, list[Any]], list[Any]]:
    """The sets of curves of each score, and the differences of several."""
    samples = data if isinstance(data, dict) else {"": data}
    first = next(iter(samples.values()))
    if first.fold is None:
        _omit_folds(attempt, "Means and standard deviations over folds")
    few = len(first.estimates) <= BOOTSTRAP_CASES
    draws: dict[str, Any] = {"level": attempt.level, "rng": attempt.rng}
    replicates = attempt.n_boot if few else 0
    if not isinstance(data, dict):
        return {}, [ordinal_roc(data, n_boot=replicates, **draws)]
    attempt.steps = len(samples) + 1
    results = {
        name: attempt(f"the curves of {name}", ordinal_roc, sample, n_boot=replicates, **draws)
        for name, sample in samples.items()
    }
    if len(samples) < 2:
        attempt.omit("score", "Comparison of scores", "give a second score")
        return results, []
    if not few:
        attempt.omit(
            "cases",
            f"Comparison of scores by bootstrap samples of no more than {BOOTSTRAP_CASES:,} cases",
            "see compare_ordinal",
        )
        return results, []
    labels = dict(zip(first.classes, first.labels, strict=True))
    return results, attempt(
        "the comparison",
        compare_ordinal,
        [labels[value] for value in first.values.tolist()],
        {name: sample.estimates for name, sample in samples.items()},
        classes={label: number for number, label in labels.items()},
        n_boot=attempt.n_boot,
        **draws,
    )
