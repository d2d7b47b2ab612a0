"""`rocscope average`: an ROC with variances over folds, and the points not told apart from a chosen one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from rocscope.cli import options
from rocscope.cli.models import (
    DETECTOR,
    check_model,
    labelled_table,
    make_model,
    read_cases,
    training_processes,
    training_progress,
)
from rocscope.cli.options import Draws, option_name, read_cost, read_names, read_number
from rocscope.cli.output import Answer, Output, check_target, describe, printable, tell, write_text
from rocscope.cli.reading import opened
from rocscope.errors import RocUsageError, UndefinedError

if TYPE_CHECKING:
    from rocscope.cli._average_tables import Averaged
    from rocscope.io.local import LocalFile

EXAMPLES = (
    'rocscope average scores.csv --label y --score s --fold fold --select "tpr>=0.9"',
    "rocscope average scores.csv --label y --score s --fold fold --measure tpr --measure precision",
    "rocscope average p.csv --label y --classes a,b,c --score pa --score pb --score pc --fold fold",
    "rocscope average data.csv --label y --model lda --folds 10 --seed 1 --out roc.png",
    "rocscope average data.csv --label y --model gaussian-detector --target ill --save point.json",
    "rocscope average data.csv --label y --model sklearn.svm.SVC --feature age --feature weight",
)
TWO_CLASS_RULES = ("youden", "closest")
CHOSEN = (
    "the point was chosen on these same cases: its means are optimistic, and the standard errors do not know "
    "of the choice"
)


def average(
    file: options.File,
    label: options.Label,
    score: Annotated[
        list[str] | None,
        typer.Option(
            "--score",
            metavar="COLUMN",
            help="Column of scores; with --classes one for each class, in their order.",
        ),
    ] = None,
    fold: Annotated[
        str | None, typer.Option("--fold", metavar="COLUMN", help="Column that names the fold of every case.")
    ] = None,
    pos_label: options.PosLabel = None,
    classes: Annotated[
        str | None,
        typer.Option("--classes", metavar="A,B,...", help="The class of each --score, in their order."),
    ] = None,
    model: Annotated[
        str | None,
        typer.Option(
            "--model",
            metavar="NAME",
            help="Train this in every fold: lda, qda, logistic, nb, knn, tree, gaussian-detector, or a "
            "dotted path to an estimator.",
        ),
    ] = None,
    feature: options.Features = None,
    folds: Annotated[
        int | None, typer.Option("--folds", metavar="N", help="Stratified folds; 10 unless given.")
    ] = None,
    target: Annotated[
        str | None,
        typer.Option("--target", metavar="CLASS", help="Train a detector on this class alone."),
    ] = None,
    select: Annotated[
        list[str] | None,
        typer.Option("--select", metavar="BOUND", help='A bound such as "tpr>=0.9"; may be repeated.'),
    ] = None,
    rule: Annotated[
        Literal["youden", "closest", "max-class-error", "mean-class-error"] | None,
        typer.Option("--rule", help="What the best point is: the last two for three classes or more."),
    ] = None,
    points: Annotated[int, typer.Option("--points", metavar="N", help="Number of operating points.")] = 30,
    weights: Annotated[
        Literal["search", "spread"] | None,
        typer.Option("--weights", help="Class weights: searched for small errors, or spread evenly."),
    ] = None,
    measure: Annotated[
        list[str] | None,
        typer.Option("--measure", metavar="NAME", help='Such as tpr, precision, "error(a)"; repeatable.'),
    ] = None,
    method: Annotated[
        Literal["paired-t", "paclik", "corrected"],
        typer.Option("--method", help="Test between points: degrees of freedom and overlap of folds."),
    ] = "paired-t",
    level: options.Level = 0.95,
    prevalence: Annotated[
        str | None,
        typer.Option(
            "--prevalence", metavar="P[,P,...]", help="Share of positives, or of every class, in use."
        ),
    ] = None,
    cost: Annotated[
        str | None,
        typer.Option("--cost", metavar="FN | FP,FN", help="Cost of a false negative; of a false positive 1."),
    ] = None,
    n_jobs: options.NJobs = None,
    timeout: options.Timeout = None,
    seed: options.Seed = None,
    na: options.Na = "error",
    format: options.Format = None,
    memory_limit: options.MemoryLimit = None,
    temp_limit: options.TempLimit = None,
    json: options.Json = False,
    out: options.Out = None,
    save: Annotated[
        str | None,
        typer.Option("--save", metavar="PATH", help="Save the chosen point as JSON, for new scores."),
    ] = None,
    force: options.Force = False,
) -> None:
    """Average the decisions of all folds at the same operating points, and compare them with a chosen one.

    Every measure has a mean and a standard error over the folds at every point. The points that the folds
    cannot tell apart from the chosen one are marked: more cases would be needed to prefer it to them.

    The scores come from a file that names the fold of every case, each score from a model that did not see
    the case; or they are made from features by --model, trained in every fold (logistic and knn on
    standardized features, tree with five cases in a leaf at least). A dotted path is imported, which runs
    the code behind it.

    Without --select, --rule and --cost the point is that of the largest TPR - FPR, with three classes and
    more that of the smallest largest class error.
    """
    asked = AskedScores.read(
        label=label,
        scores=score,
        classes=classes,
        fold=fold,
        pos_label=pos_label,
        model=model,
        features=feature,
        folds=folds,
        target=target,
        n_jobs=n_jobs,
        timeout=timeout,
        na=na,
    )
    from rocscope.averaging.search import SEARCHED

    shares, costs = _shares(prevalence), read_cost(cost)
    searched = bool(asked.classes) and weights != "spread"
    draws = Draws.read(None, seed, used=model is not None or searched)
    output = Output(json, out, force)
    output.check(file, save)
    if save is not None:
        check_target(save, force=force)
    with opened(file, format, memory_limit, temp_limit) as source:
        described = describe(source)  # first: training takes long, and the file may change by then
        data, notes = folded_scores(source, asked, draws.seed)
    several = getattr(data, "classes", ())
    searching = _check_points(len(several), weights, rule, costs, is_matrix=_is_matrix(data))
    wanted = {"measures": measure, "prevalence": shares, "cost": costs}
    roc = _averaged(data, points, draws.seed, searching, wanted)
    found, reason = _chosen(roc, tuple(select or ()), rule, costs, method, level)
    if save is not None:
        write_text(roc.point(found.index).to_json() + "\n", save, force=force)
        tell(f"wrote {printable(save)}")
    output.deliver(
        Answer(
            command="average",
            source=described | draws.told,
            results=found.to_dicts(),
            rows=found.rows(),
            blocks=found.blocks(),
            notes=[*notes, *roc.warnings, *([SEARCHED] if searching else []), CHOSEN, *reason, *draws.notes],
            picture=lambda: _picture(found),
        )
    )


def _shares(text: str | None) -> float | list[float] | None:
    """Read one share, or one for every class."""
    if text is None:
        return None
    shares = [read_number(part) for part in text.split(",")]
    known = [float(share) for share in shares if share is not None]
    if len(known) != len(shares):
        raise RocUsageError(f"--prevalence must be one number, or one for every class, got {text!r}")
    return known[0] if len(known) == 1 else known


def _is_matrix(data: Any) -> bool:
    """Whether a case has one score for every class."""
    scores = getattr(data, "scores", getattr(data, "y_score", None))
    return getattr(scores, "ndim", 1) == 2


def _check_points(
    n_classes: int, weights: str | None, rule: str | None, cost: Any, *, is_matrix: bool
) -> bool:
    """Refuse options of the other number of classes; say whether weights are to be searched."""
    if weights is not None and not is_matrix:
        raise RocUsageError("--weights belongs to scores of every class, got one score per case")
    if n_classes > 2 and cost is not None:
        raise RocUsageError(f"--cost belongs to two classes, got {n_classes}")
    if rule is not None and (rule in TWO_CLASS_RULES) == (n_classes > 2):
        kind = "two classes" if rule in TWO_CLASS_RULES else "three classes or more"
        raise RocUsageError(f"--rule {rule} belongs to {kind}")
    return is_matrix and weights != "spread"


def _averaged(data: Any, points: int, seed: int | None, searching: bool, wanted: dict[str, Any]) -> Any:
    from rocscope.averaging.roc import average_roc
    from rocscope.averaging.search import search_weights
    from rocscope.core import checks

    n = checks.check_integer(points, name="points", low=1)
    if not searching:
        return average_roc(data, points=n, **wanted)
    found = search_weights(data, n_start=max(1000, n), keep=n, rng=seed)
    return average_roc(data, points=found, **wanted)


def _chosen(
    roc: Any, constraints: tuple[str, ...], rule: str | None, cost: Any, method: str, level: float
) -> tuple[Averaged, tuple[str, ...]]:
    """Choose a point and compare the others with it; or say why they cannot be compared."""
    from rocscope.cli._average_tables import Averaged

    index = roc.select(*constraints, rule=rule, cost=cost)
    comparison = None
    reason: tuple[str, ...] = ()
    try:
        comparison = roc.compare_to(index, method=method, level=level)
    except UndefinedError as error:
        reason = (f"no comparison of the points: {error}",)
    averaged = Averaged(
        roc=roc, index=index, constraints=constraints, rule=rule, cost=cost, comparison=comparison
    )
    return averaged, reason


def _picture(found: Averaged) -> Any:
    from rocscope import plotting

    if found.comparison is None:
        return plotting.picture(found.roc, index=found.index)
    return plotting.picture(found.comparison)


# -----------------------------------------------------------------------------------------------------------
# Scores with folds for `rocscope average`: read from a file, or made by a model from its features

FOLDS = 10


@dataclass(frozen=True, slots=True, kw_only=True)
class AskedScores:
    """Where the scores come from: columns of the file, or a model that is trained in every fold."""

    label: str
    scores: tuple[str, ...]
    classes: tuple[str, ...]
    fold: str | None
    pos_label: str | None
    model: str | None
    features: tuple[str, ...]
    folds: int
    target: str | None
    n_jobs: int | None
    timeout: float | None
    na: str

    @classmethod
    def read(
        cls,
        *,
        scores: Sequence[str] | None,
        classes: str | None,
        fold: str | None,
        model: str | None,
        features: Sequence[str] | None,
        folds: int | None,
        target: str | None,
        n_jobs: int | None,
        timeout: float | None,
        **plain: Any,
    ) -> AskedScores:
        """Check that the options belong together."""
        if (model is None) == (not scores):
            raise RocUsageError("one of --score and --model must be given, and not both")
        if model is None:
            trained = {"folds": folds, "target": target, "n_jobs": n_jobs, "timeout": timeout}
            _refuse("belongs to --model", feature=features, **trained)
            if fold is None:
                raise RocUsageError("--score needs --fold, the column that names the fold of every case")
        else:
            _check_model(model, classes=classes, fold=fold, folds=folds, target=target)
        return cls(
            scores=tuple(scores or ()),
            classes=_classes(classes, scores or (), plain["pos_label"]),
            fold=fold,
            model=model,
            features=tuple(features or ()),
            folds=FOLDS if folds is None else folds,
            target=target,
            n_jobs=n_jobs,
            timeout=timeout,
            **plain,
        )


def _refuse(why: str, **given: Any) -> None:
    for name, value in given.items():
        if value is not None and value != []:
            raise RocUsageError(f"{option_name(name)} {why}")


def _check_model(
    model: str, *, classes: str | None, fold: str | None, folds: int | None, target: str | None
) -> None:
    check_model(model)
    _refuse("belongs to --score", classes=classes)
    if fold is not None:
        _refuse("must be left out with --fold", folds=folds)
    if model == DETECTOR and target is None:
        raise RocUsageError(f"--model {DETECTOR} needs --target, the class that it is trained on")


def _classes(classes: str | None, scores: Sequence[str], pos_label: str | None) -> tuple[str, ...]:
    if classes is None:
        if len(scores) > 1:
            raise RocUsageError("several --score need --classes, the class of each in their order")
        return ()
    names = read_names(classes, "--classes")
    _refuse("must be left out with --classes", pos_label=pos_label)
    if len(names) != len(scores):
        got = f"got {len(names)} classes and {len(scores)} scores"
        raise RocUsageError(f"--classes must name the class of each --score, in their order, {got}")
    return tuple(names)


def folded_scores(source: LocalFile, asked: AskedScores, seed: int | None) -> tuple[Any, tuple[str, ...]]:
    """Read or make the scores, for `average_roc`; and what there is to note."""
    if asked.model is not None:
        return _modelled(source, asked, seed)
    if asked.classes:
        return _class_scores(source, asked)
    from rocscope.io.files import read_scores

    data = read_scores(
        source,
        label=asked.label,
        score=list(asked.scores),
        fold=asked.fold,
        pos_label=asked.pos_label,
        na=asked.na,
    )
    return data, ()


def _class_scores(source: LocalFile, asked: AskedScores) -> tuple[Any, tuple[str, ...]]:
    from rocscope.core.scores import ClassScores
    from rocscope.io.columns import label_like
    from rocscope.io.database import dropped_warning
    from rocscope.io.files import score_names

    scores = score_names(list(asked.scores), asked.label)
    table = labelled_table(source, scores, label=asked.label, fold=asked.fold, na=asked.na)
    data = ClassScores.from_arrays(
        table.arrays[asked.label],
        table.matrix(asked.scores),
        classes=[label_like(name, table.profiles[asked.label]) for name in asked.classes],
        fold=table.arrays[asked.fold or ""],
    )
    return data, dropped_warning(table.dropped)


def _modelled(source: LocalFile, asked: AskedScores, seed: int | None) -> tuple[Any, tuple[str, ...]]:
    from rocscope.io.columns import label_like
    from rocscope.training.cross_scores import cross_scores

    model = make_model(asked.model or "")
    cases = read_cases(source, label=asked.label, features=asked.features, fold=asked.fold, na=asked.na)
    with training_processes(asked.n_jobs, asked.timeout) as processes:
        scores = cross_scores(
            model,
            cases.X,
            cases.y,
            cv=asked.folds if cases.fold is None else cases.fold,
            target=label_like(asked.target, cases.labels),
            pos_label=label_like(asked.pos_label, cases.labels),
            rng=seed,
            progress=training_progress(source.watch),
            **processes,
        )
    return scores, cases.notes
