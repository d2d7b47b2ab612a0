"""`rocscope average`: an ROC with variances over folds, and the points not told apart from a chosen one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from rocscope.cli import options
from rocscope.cli.echo import tell
from rocscope.cli.output import Answer, Output, check_target, describe, write_text
from rocscope.cli.parse import Draws, read_cost, read_number
from rocscope.cli.reading import opened
from rocscope.cli.tables import printable
from rocscope.errors import RocUsageError, UndefinedError

if TYPE_CHECKING:
    from rocscope.cli.averaged import Averaged

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
SEARCHED = "the class weights were searched on these same cases: their errors are optimistic"


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
    from rocscope.cli.folded import AskedScores, folded_scores

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
    from rocscope.average.roc import average_roc
    from rocscope.average.search import search_weights
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
    from rocscope.cli.averaged import Averaged

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
    from rocscope import views

    if found.comparison is None:
        return views.picture(found.roc, index=found.index)
    return views.picture(found.comparison)
