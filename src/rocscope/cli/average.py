"""`rocscope average`: an ROC with variances over folds, and the points indistinguishable from the best."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Annotated, Any, Literal

from cyclopts import Parameter

import rocscope as rs
from rocscope.cli import models
from rocscope.cli import options as opt
from rocscope.cli import output as out
from rocscope.cli.points import Selection
from rocscope.core import formatting
from rocscope.core.rules import CLASS_RULES, ClassRule, Rule
from rocscope.errors import RocInputError, RocUsageError, UndefinedError

MULTICLASS = {None: "smallest largest class error", "mean-class-error": "smallest mean class error"}
FOLDS = 10
CHOSEN = (
    "the point was chosen on these same cases: its means are optimistic, and the standard errors do not know "
    "of the choice"
)
CHOSEN_PAIR = "each classifier's points were chosen on these same cases: the means of both are optimistic"


def read_shares(text: str) -> float | list[float]:
    """Read one share, or one for every class.

    Examples
    --------
    >>> read_shares("0.1"), read_shares("0.2,0.8")
    (0.1, [0.2, 0.8])
    """
    shares = [float(share) for share in opt.read_numbers(text, "one number, or one for every class")]
    return shares[0] if len(shares) == 1 else shares


def average(
    file: opt.File,
    /,
    *,
    source: opt.Labelled,
    score: list[opt.Column] | None = None,
    fold: opt.Fold | None = None,
    pos_label: opt.PosLabels | None = None,
    classes: opt.Names | None = None,
    model: Annotated[str, Parameter(metavar="NAME")] | None = None,
    feature: opt.Features | None = None,
    folds: opt.Count | None = None,
    target: Annotated[str, Parameter(metavar="CLASS")] | None = None,
    select: opt.Select | None = None,
    at: Annotated[list[str], Parameter(metavar="MEASURE=VALUE")] | None = None,
    point: opt.Count | None = None,
    rule: Rule | ClassRule | None = None,
    points: opt.Count = 30,
    weights: Literal["search", "spread"] | None = None,
    measure: Annotated[list[str], Parameter(metavar="NAME")] | None = None,
    compare_by: Annotated[list[str], Parameter(metavar="NAME")] | None = None,
    joint: opt.Flag = False,
    method: Literal["paired-t", "paclik", "corrected"] = "paired-t",
    level: opt.Level = 0.95,
    prevalence: Annotated[float | list[float], opt.text_option(read_shares, "P[,P,...]")] | None = None,
    cost: opt.Cost | None = None,
    training: models.Training = models.Training(),
    seed: opt.Seed | None = None,
    save: opt.Path | None = None,
    output: out.Output = out.Output(),
) -> None:
    """Average the decisions of all folds at the same operating points, and compare them with a selected one.

    Every measure has a mean and a standard error over the folds at every point. The points that are
    indistinguishable from the selected one are marked: more cases would be needed to prefer it to them.

    The scores come from a file that names the fold of every case, each score from a model that did not see
    the case; or they are made from features by --model, trained in every fold (logistic, knn and qda on
    standardized features, tree with five cases in a leaf at least). A dotted path is imported, which runs
    the code behind it.

    Without --select, --at, --rule and --cost the point is that of the largest TPR - FPR, with three classes
    and more that of the smallest largest class error. It is selected among all distinct scores, and joins
    the --points that are shown.

    Two --score of two classes, without --classes, are two classifiers: they are compared over the same folds,
    each at its own point for --at, --select or --rule.

    Parameters
    ----------
    score
        Column of scores; with --classes one for each class, in their order. Two without --classes are
        compared with each other.
    classes
        The class of each --score, in their order.
    model
        Train this in every fold: lda, qda, logistic, nb, knn, tree, gaussian-detector, or a dotted path to an
        estimator.
    folds
        Stratified folds; 10 unless given.
    target
        Train a detector on this class alone.
    at
        Take the point where a measure is nearest to a value: fpr=0.2, tpr=0.9; or threshold=0.5. Repeatable
        for two --score.
    point
        Take the point of this number in the table.
    rule
        What the best point is, as for the command points; the last two for three classes or more.
    points
        Number of operating points.
    weights
        Class weights: searched for small errors, or spread evenly.
    measure
        Such as tpr, precision, "error(a)"; repeatable.
    compare_by
        Compare by this measure alone; repeatable: no one may differ. Those of --measure unless given.
    joint
        Compare by one test of all these measures together (Hotelling).
    method
        Test between points: degrees of freedom and overlap of folds.
    prevalence
        Prevalence of the positive class in use, or that of every class.
    save
        Save the selected point as JSON, for new scores.

    Examples
    --------
    rocscope average scores.csv --label y --score s --fold fold --select "tpr>=0.9"
    rocscope average scores.csv --label y --score s --fold fold --at tpr=0.9 --compare-by fpr --out roc.png
    rocscope average scores.csv --label y --score s --score t --fold fold --at fpr=0.1 --at fpr=0.2
    rocscope average scores.csv --label y --score s --fold fold --measure tpr --measure precision
    rocscope average p.csv --label y --classes a,b,c --score pa --score pb --score pc --fold fold
    rocscope average data.csv --label y --model lda --folds 10 --seed 1 --out roc.png
    rocscope average data.csv --label y --model gaussian-detector --target ill --save point.json
    rocscope average data.csv --label y --model sklearn.svm.SVC --feature age --feature weight
    """
    from rocscope.averaging.points import read_equation
    from rocscope.averaging.search import SEARCHED
    from rocscope.core import checks

    if (model is None) == (not score):
        raise RocUsageError("one of --score and --model must be given, and not both")
    if model is None:
        trained = {"n_jobs": training.n_jobs, "timeout": training.timeout}
        opt.refuse("belongs to --model", feature=feature, folds=folds, target=target, **trained)
        if fold is None:
            raise RocUsageError("--score needs --fold, the column that names the fold of every case")
        if classes is not None:
            opt.check_class_names(classes, score or (), pos_label)
        elif len(score or ()) > 2:
            raise RocUsageError(
                "more than two --score need --classes, the class of each in their order; "
                "two without are compared with each other"
            )
    else:
        models.check_model(model)
        opt.refuse("belongs to --score", classes=classes)
        if fold is not None:
            opt.refuse("must be left out with --fold", folds=folds)
        if model == models.DETECTOR and target is None:
            raise RocUsageError(f"--model {models.DETECTOR} needs --target, the class that it is trained on")
    ways = {"--at": at, "--point": point is not None, "--select": select, "--rule": rule}
    given = [name for name, value in ways.items() if value]
    if len(given) > 1 and given[0] in ("--at", "--point"):
        raise RocUsageError(f"{given[0]} and {given[1]} must not be given together")
    for place in at or ():
        if read_equation(place) is None:
            raise RocUsageError(f"--at must read like 'fpr=0.2', got {place!r}")
    draws = opt.Draws.read(seed, used=model is not None or (classes is not None and weights != "spread"))
    output.check(file, save)
    if save is not None:
        out.check_target(save, force=output.force)
    notes: tuple[str, ...] = ()
    with source.open(file) as opened:
        described = out.describe(opened)  # first: training takes long, and the file may change by then
        data: Any
        if model is not None:
            data, notes = training.cross_scores(
                opened,
                source,
                model,
                feature,
                fold=fold,
                folds=FOLDS if folds is None else folds,
                target=target,
                pos_label=opt.positive_class(pos_label),
                seed=draws.seed,
            )
        elif classes is not None:
            data, notes = source.class_scores(opened, source.label, score or [], classes, fold)
        else:
            data = source.scores(opened, source.label, score or [], pos_label=pos_label, fold=fold)
    if classes is None and len(score or ()) == 2:
        opt.refuse(
            "belongs to one --score", point=point, joint=joint or None, cost=cost, save=save, weights=weights
        )
        if rule is not None and rule in CLASS_RULES:
            raise RocUsageError(f"--rule {rule} belongs to three classes or more")
        places: list[Any] = [*(at or ())] or [tuple(select or ()) or rule or "youden"]
        _compare_scores(
            data,
            places,
            n=points,
            averaged={"measures": measure, "prevalence": prevalence},
            compared={"measures": compare_by, "method": method, "level": level},
            described=described,
            output=output,
        )
        return
    n_classes = len(getattr(data, "classes", ()))
    is_matrix = getattr(getattr(data, "scores", getattr(data, "y_score", None)), "ndim", 1) == 2
    if weights is not None and not is_matrix:
        raise RocUsageError("--weights belongs to scores of every class, got one score per case")
    if n_classes > 2 and cost is not None:
        raise RocUsageError(f"--cost belongs to two classes, got {n_classes}")
    if rule is not None and (rule not in CLASS_RULES) == (n_classes > 2):
        kind = "two classes" if rule not in CLASS_RULES else "three classes or more"
        raise RocUsageError(f"--rule {rule} belongs to {kind}")
    if len(at or ()) > 1:
        raise RocUsageError(f"--at must be given once unless two --score are compared, got {len(at or ())}")
    n = checks.check_integer(points, name="points", low=1)

    def selected(roc: rs.AveragedRoc) -> int:
        if point is not None:
            return roc.check_index(point, name="point")
        place = roc.locate(at[0]) if at else roc.select(*(select or ()), rule=rule, cost=cost)
        return place.index

    options: dict[str, Any] = {"measures": measure, "prevalence": prevalence, "cost": cost}
    searched: list[str] = []
    if is_matrix:
        spread: Any = n
        if weights != "spread":
            spread = rs.search_weights(
                data,
                n_start=max(1000, n),
                keep=n,
                objective="mean-class-error" if rule == "mean-class-error" else "max-class-error",
                constraints=select or (),
                rng=draws.seed,
            )
            searched = [SEARCHED]
        roc = rs.average_roc(data, points=spread, **options)
    elif point is not None:
        roc = rs.average_roc(data, points=n, **options)
    else:
        roc = _with_places(data, n, [at[0] if at else selected], options)
    index = selected(roc)
    comparison, reasons = None, []
    try:
        with _measure_of("compare_by"):
            comparison = roc.compare_to(
                index, measures=compare_by, by="joint" if joint else "each", method=method, level=level
            )
    except UndefinedError as error:
        reasons = [f"no comparison of the points: {error}"]
    bounds = tuple(select or ())
    fixed = bool(at) and all(_threshold_of(place) for place in at or ())
    if point is not None or at:
        objective = "by number" if at is None else at[0] if fixed else f"nearest to {at[0]}"
    elif len(roc.classes) == 2:
        objective = str(Selection(constraints=bounds, rule=rule, cost=cost))
    else:
        objective = MULTICLASS.get(rule, MULTICLASS[None]) + (f" with {', '.join(bounds)}" if bounds else "")
    output.save(roc.decision(index), save)
    output.deliver(
        out.CommandResult(
            command="average",
            input=described | draws.input,
            results=lambda: _documents(roc, index, objective, comparison),
            rows=lambda: _rows(roc, index, comparison),
            blocks=lambda: _blocks(roc, index, objective, comparison),
            notes=[*notes, *roc.warnings, *searched, *([] if fixed else [CHOSEN]), *reasons, *draws.notes],
            picture=out.picture_of(roc, index=index) if comparison is None else out.picture_of(comparison),
        )
    )


def _threshold_of(place: Any) -> str | None:
    """The threshold that a place fixes, whatever the cases are."""
    fixed = re.fullmatch(r"\s*threshold\s*=(.+)", place) if isinstance(place, str) else None
    return None if fixed is None else fixed[1]


def _with_places(data: Any, n: int, places: Sequence[Any], options: dict[str, Any]) -> rs.AveragedRoc:
    """Average at n thresholds and those of some places, as `average_roc` finds them."""
    fixed = {k: opt.read_threshold(text) for k, place in enumerate(places) if (text := _threshold_of(place))}
    also = [fixed.get(k, place) for k, place in enumerate(places)]
    return rs.average_roc(data, points=n, also=also, **options)


@contextmanager
def _measure_of(option: str) -> Iterator[None]:
    """Refuse an unknown measure by the option that names it."""
    try:
        yield
    except RocInputError as error:
        if error.argument != "measure":
            raise
        raise RocUsageError(error.message, argument=option) from error


def _compare_scores(
    data: rs.BinaryScores,
    places: list[Any],
    *,
    n: int,
    averaged: dict[str, Any],
    compared: dict[str, Any],
    described: dict[str, str],
    output: out.Output,
) -> None:
    """Compare two classifiers over the same folds."""
    names, samples = zip(*data.each().items(), strict=True)
    first, second = (_with_places(sample, n, places, averaged) for sample in samples)
    with _measure_of("compare_by"):
        result = first.compare_with(second, at=places, names=names, **compared)
    output.deliver(
        out.CommandResult(
            command="average",
            input=described,
            results=lambda: [result.to_dict()],
            rows=lambda: out.rows_of(result),
            blocks=lambda: result.summary().splitlines(),
            notes=[
                *dict.fromkeys([*first.warnings, *second.warnings]),
                *([] if all(map(_threshold_of, places)) else [CHOSEN_PAIR]),
            ],
            picture=out.picture_of(result),
        )
    )


def _documents(
    roc: rs.AveragedRoc, index: int, objective: str, comparison: rs.PointComparison | None
) -> list[dict[str, Any]]:
    """The averaged ROC, the selected point, and the comparison with it, for JSON."""
    from rocscope.core.result import plain

    point = {
        "type": "ChosenPoint",
        "index": index,
        "objective": objective,
        "point": {name: plain(values[index]) for name, values in roc.point_columns().items()},
        "mean": dict(zip(roc.measures, plain(roc.mean[index]), strict=True)),
        "sem": dict(zip(roc.measures, plain(roc.sem[index]), strict=True)),
    }
    documents = [roc.to_dict(), point]
    if comparison is not None:
        documents.append({name: value for name, value in comparison.to_dict().items() if name != "roc"})
    return documents


def _rows(roc: rs.AveragedRoc, index: int, comparison: rs.PointComparison | None) -> list[dict[str, Any]]:
    """One row per point, at full precision; what is undefined stays empty."""
    import numpy as np

    from rocscope.core.result import plain

    columns: dict[str, Any] = {"point": np.arange(len(roc))} | roc.columns()
    if comparison is not None:
        columns |= comparison.columns()
        columns = {name: values for name, values in columns.items() if name not in ("index", "joint_p")}
    columns["chosen"] = np.arange(len(roc)) == index
    return [{name: plain(values[k]) for name, values in columns.items()} for k in range(len(roc))]


def _blocks(
    roc: rs.AveragedRoc, index: int, objective: str, comparison: rs.PointComparison | None
) -> list[out.Block]:
    """One line per point, the selected one, and those that are indistinguishable from it."""
    points = roc.point_columns()
    places, marks = list[tuple[str, ...]](), list[str]()
    for k in range(len(roc)):
        alike = comparison is not None and bool(comparison.indistinguishable[k])
        places.append((str(k), *(f"{values[k]:.4g}" for values in points.values())))
        marks.append("chosen" if k == index else "indistinguishable" if alike else "")

    def means(style: str) -> list[list[str]]:
        return [
            [
                f"{formatting.number(mean, style)} ({formatting.number(sem, style)})"
                if mean == mean
                else "undefined"
                for mean, sem in zip(roc.mean[k], roc.sem[k], strict=True)
            ]
            for k in range(len(roc))
        ]

    rows = tuple((*at, *cells, mark) for at, cells, mark in zip(places, means(".4f"), marks, strict=True))
    tables = [out.TextTable(("point", *points, *roc.measures, ""), rows)]
    marked = max(map(len, marks)) + len(out.GAP)  # the last column may stand out
    is_cut = sum(width + len(out.GAP) for width in tables[0].widths()) - len(out.GAP) - marked > out.WIDTH
    if is_cut:  # many classes: the points with their marks first, then their measures
        rows = tuple((*at, mark) for at, mark in zip(places, marks, strict=True))
        tables = out.TextTable(("point", *points, ""), rows).parts()
        rows = tuple((at[0], *cells) for at, cells in zip(places, means(".3f"), strict=True))
        tables += out.TextTable(("point", *roc.measures), rows).parts()
    sizes = zip(roc.class_sizes.tolist(), roc.classes, strict=True)
    cases = ", ".join(f"{n} {name!s}" for n, name in sizes)
    place = ", ".join(f"{name} {values[index]:.4g}" for name, values in points.items())
    head = f"Mean (standard error) over {len(roc.folds)} folds at {len(roc)} operating points ({cases})"
    foot = [f"Point {index}: {place} ({objective})"]
    foot += [] if comparison is None else comparison.summary().splitlines()
    return [head, *(block for table in tables for block in ("", table)), "", *foot]
