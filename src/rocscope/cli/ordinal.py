"""`rocscope ordinal`: sets of ROC curves of ordered classes, MaxAUC and AvgAUC."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from rocscope.cli import options
from rocscope.cli.ordinal_tables import blocks
from rocscope.cli.output import Answer, Output, describe, rows_of
from rocscope.cli.parse import Draws, read_number
from rocscope.cli.reading import opened
from rocscope.errors import RocInputError, RocUsageError, UndefinedError

if TYPE_CHECKING:
    from rocscope.ordinal.result import OrdinalRoc
    from rocscope.sources.files import Table
    from rocscope.views import Picture

EXAMPLES = (
    "rocscope ordinal grades.csv --label grade --score estimate",
    "rocscope ordinal grades.csv --label grade --score estimate --n-boot 2000 --seed 1 --out curves.png",
    "rocscope ordinal stages.csv --label stage --classes early=1,middle=2,late=3 --score estimate",
    "rocscope ordinal grades.csv --label grade --score estimate --thresholds all --objective kappa",
    "rocscope ordinal grades.csv --label grade --score estimate --show youden --out heat.png",
)


def ordinal(
    file: options.File,
    label: options.Label,
    score: Annotated[
        str,
        typer.Option("--score", metavar="COLUMN", help="Column of estimates of the number of the class."),
    ],
    classes: Annotated[
        str | None,
        typer.Option(
            "--classes",
            metavar="LIST",
            help="All classes, 1,2,3; or the number of each label, low=1,high=2, which text needs.",
        ),
    ] = None,
    thresholds: Annotated[
        str,
        typer.Option("--thresholds", metavar="N | all | LIST", help="How many in each gap; all; or which."),
    ] = "10",
    closure: Annotated[
        Literal["diagonal", "flat"],
        typer.Option("--closure", help="A curve ends at (1, 1), or at the height of its last point."),
    ] = "diagonal",
    fixed: Annotated[
        Literal["lower", "upper"], typer.Option("--fixed", help="Threshold that a curve holds fixed.")
    ] = "lower",
    fold: Annotated[
        str | None,
        typer.Option("--fold", metavar="COLUMN", help="Column of folds: mean and sd of each figure."),
    ] = None,
    objective: Annotated[
        Literal["error", "cost", "kappa"],
        typer.Option("--objective", help="What the best thresholds of all classes make best."),
    ] = "error",
    cost: Annotated[
        str | None,
        typer.Option("--cost", metavar="ROWS", help="Costs by true and decided class: 0,1,2;1,0,1;2,1,0."),
    ] = None,
    cuts: Annotated[
        Literal["gaps", "range"],
        typer.Option("--cuts", help="Each best threshold between its two classes, or anywhere in order."),
    ] = "gaps",
    n_boot: Annotated[
        int | None,
        typer.Option("--n-boot", metavar="N", help="Bootstrap replicates for intervals; none unless given."),
    ] = None,
    level: options.Level = 0.95,
    seed: options.Seed = None,
    n_jobs: options.NJobs = None,
    show: Annotated[
        Literal["curves", "points", "youden"],
        typer.Option("--show", help="Figure: sets of curves, all points, or TPR - FPR over thresholds."),
    ] = "curves",
    na: options.Na = "error",
    format: options.Format = None,
    memory_limit: options.MemoryLimit = None,
    temp_limit: options.TempLimit = None,
    json: options.Json = False,
    out: options.Out = None,
    force: options.Force = False,
) -> None:
    """Sets of ROC curves of ordered classes: MaxAUC and AvgAUC of each class.

    MaxAUC tells how exactly a class can be separated, AvgAUC how clearly, whatever the thresholds. Beside
    them: the AUC of neighbouring classes, the volume under the ROC surface, and the best thresholds of all
    classes together with their error and quadratic weighted kappa.
    """
    from rocscope.ordinal.roc import ordinal_roc

    draws = Draws.read(n_boot, seed, used=bool(n_boot))
    ask = {
        "classes": read_classes(classes),
        "thresholds": read_thresholds(thresholds),
        "cost": read_costs(cost),
    }
    output = Output(json, out, force)
    output.check(file)
    with opened(file, format, memory_limit, temp_limit) as source:
        table = _read(source, label, score, fold, na)
        _refuse_text(table, label, classes)
        described = describe(source)
    result = ordinal_roc(
        table.arrays[label],
        table.arrays[score],
        fold=None if fold is None else table.arrays[fold],
        closure=closure,
        fixed=fixed,
        objective=objective,
        cuts=cuts,
        n_boot=n_boot or 0,
        level=level,
        rng=draws.seed,
        n_jobs=n_jobs,
        **ask,
    )
    output.deliver(
        Answer(
            command="ordinal",
            source=described | draws.told,
            results=[{"score": score} | result.to_dict()],
            rows=rows_of(result),
            blocks=blocks(result),
            notes=[*_dropped(table), *result.warnings, *draws.notes],
            picture=lambda: _picture(result, show),
        )
    )
    if not result.defined.any():
        raise UndefinedError("; ".join(dict.fromkeys(f"{one.reason}" for one in result.curves)))


def read_classes(text: str | None) -> Any:
    """Read classes as numbers, or as labels with their numbers.

    Examples
    --------
    >>> read_classes("1,2,3.5"), read_classes("low=1, high=2")
    ([1, 2, 3.5], {'low': 1, 'high': 2})
    """
    if text is None:
        return None
    parts = [part.rpartition("=") for part in text.split(",")]
    values = [read_number(part[2]) for part in parts]
    named = {bool(part[1]) for part in parts}
    if None in values or len(named) > 1:
        raise RocUsageError(f"--classes must be numbers 1,2,3 or LABEL=NUMBER, got {text!r}")
    if named == {False}:
        return values
    return {part[0].strip(): value for part, value in zip(parts, values, strict=True)}


def read_thresholds(text: str) -> Any:
    """Read a number of thresholds, "all", or the thresholds themselves; a single one has a point.

    Examples
    --------
    >>> read_thresholds("10"), read_thresholds("all"), read_thresholds("1.5,2.5"), read_thresholds("1.5")
    (10, 'all', [1.5, 2.5], [1.5])
    """
    if text == "all":
        return text
    values = [read_number(part) for part in text.split(",")]
    if None in values:
        raise RocUsageError(f"--thresholds must be a whole number, all, or numbers 1.5,2.5, got {text!r}")
    return values[0] if len(values) == 1 and isinstance(values[0], int) else values


def read_costs(text: str | None) -> Any:
    """Read a matrix of costs, rows between semicolons.

    Examples
    --------
    >>> read_costs("0,1;5,0")
    [[0, 1], [5, 0]]
    """
    if text is None:
        return None
    rows = [[read_number(part) for part in row.split(",")] for row in text.split(";")]
    if any(cost is None for row in rows for cost in row) or len({len(row) for row in rows}) > 1:
        raise RocUsageError(f"--cost must be rows of numbers such as 0,1;5,0, got {text!r}")
    return rows


def _read(source: Any, label: str, score: str, fold: str | None, na: str) -> Table:
    from rocscope.sources.files import read_table, score_names

    score_names(score, label)
    folds = {} if fold is None else {fold: "label"}
    columns: Any = {label: "label"} | folds | {score: "number"}
    return read_table(source, columns, na=na)


def _refuse_text(table: Table, label: str, classes: str | None) -> None:
    """Ask for the numbers of text classes in the words of the command line."""
    found = table.arrays[label]
    if classes is None and (found.dtype.kind in "UT" or isinstance(found[0], str)):
        raise RocInputError(
            f"column {label!r} holds text such as {str(found[0])!r}, which has no order of its own: give "
            "each class its number with --classes LABEL=NUMBER,..."
        )


def _dropped(table: Table) -> tuple[str, ...]:
    from rocscope.sources.profile import dropped_words

    return dropped_words(table.dropped)


def _picture(result: OrdinalRoc, show: Literal["curves", "points", "youden"]) -> Picture:
    from rocscope.views import ordinal as view

    return view.picture(result, show=show)
