"""`rocscope ordinal`: sets of ROC curves of ordered classes, MaxAUC and AvgAUC."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from rocscope.cli import options
from rocscope.cli.options import Draws, check_jobs, read_number
from rocscope.cli.output import Answer, Output, TextTable, describe, interval_name, number, printable, rows_of
from rocscope.cli.reading import opened
from rocscope.errors import RocInputError, RocUsageError, UndefinedError

if TYPE_CHECKING:
    from rocscope.core.result import Estimate
    from rocscope.io.files import Table
    from rocscope.io.local import LocalFile
    from rocscope.ordinal.roc import OrdinalRoc
    from rocscope.plotting import Picture

EXAMPLES = (
    "rocscope ordinal grades.csv --label grade --score estimate",
    "rocscope ordinal grades.csv --label grade --score model_a --score model_b",
    "rocscope ordinal grades.csv --label grade --score estimate --n-boot 2000 --seed 1 --out curves.png",
    "rocscope ordinal stages.csv --label stage --classes early=1,middle=2,late=3 --score estimate",
    "rocscope ordinal grades.csv --label grade --score estimate --thresholds all --objective kappa",
    "rocscope ordinal grades.csv --label grade --score estimate --show youden --out heat.png",
)


def ordinal(
    file: options.File,
    label: options.Label,
    score: Annotated[
        list[str],
        typer.Option(
            "--score", metavar="COLUMN", help="Column of estimates of the number of the class; repeatable."
        ),
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

    check_jobs(n_jobs)
    draws = Draws.read(n_boot, seed, used=bool(n_boot))
    ask = {
        "classes": read_classes(classes),
        "thresholds": read_thresholds(thresholds),
        "cost": read_costs(cost),
    }
    output = Output(json, out, force)
    output.check(file)
    with opened(file, format, memory_limit, temp_limit) as source:
        tables = _read(source, label, score, fold, na)
        described = describe(source)
    for table in tables.values():
        _refuse_text(table, label, classes)
    results = {
        name: ordinal_roc(
            table.arrays[label],
            table.arrays[name],
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
        for name, table in tables.items()
    }
    output.deliver(
        Answer(
            command="ordinal",
            source=described | draws.told,
            results=[_result(name, tables[name], result) for name, result in results.items()],
            rows=[{"score": name} | row for name, result in results.items() for row in rows_of(result)],
            blocks=_blocks(results),
            notes=[*_notes(tables, results), *draws.notes],
            picture=lambda: _picture(results, show),
        )
    )
    if not any(result.defined.any() for result in results.values()):
        reasons = (f"{one.reason}" for result in results.values() for one in result.curves)
        raise UndefinedError("; ".join(dict.fromkeys(reasons)))


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


def _read(source: LocalFile, label: str, score: list[str], fold: str | None, na: str) -> dict[str, Table]:
    """The table of each score; one that may lack rows is read by itself, and loses its own rows alone."""
    from rocscope.io.files import read_table, score_names

    def read(names: list[str]) -> Table:
        folds = {} if fold is None else {fold: "label"}
        columns: Any = {label: "label"} | folds | dict.fromkeys(names, "number")
        return read_table(source, columns, na=na)

    names = score_names(score, label)
    return dict.fromkeys(names, read(names)) if na == "error" else {name: read([name]) for name in names}


def _refuse_text(table: Table, label: str, classes: str | None) -> None:
    """Ask for the numbers of text classes in the words of the command line."""
    found = table.arrays[label]
    if classes is None and (found.dtype.kind in "UT" or isinstance(found[0], str)):
        raise RocInputError(
            f"column {label!r} holds text such as {str(found[0])!r}, which has no order of its own: give "
            "each class its number with --classes LABEL=NUMBER,..."
        )


def _result(name: str, table: Table, result: OrdinalRoc) -> dict[str, Any]:
    """A result for JSON, with the score it is of and all that the notes tell."""
    told = result.to_dict()
    return {"score": name} | told | {"warnings": [*_dropped(table), *told["warnings"]]}


def _blocks(results: Mapping[str, OrdinalRoc]) -> list[str | TextTable]:
    """The tables of each score; where there are several, under its name."""
    if len(results) == 1:
        return blocks(*results.values())
    told: list[str | TextTable] = []
    for name, result in results.items():
        told += [*([""] if told else []), f"{printable(name)}:", "", *blocks(result)]
    return told


def _notes(tables: Mapping[str, Table], results: Mapping[str, OrdinalRoc]) -> list[str]:
    notes = {name: [*_dropped(tables[name]), *results[name].warnings] for name in results}
    if len(results) == 1:
        return next(iter(notes.values()))
    return [f"{name}: {note}" for name, told in notes.items() for note in told]


def _dropped(table: Table) -> tuple[str, ...]:
    from rocscope.io.database import dropped_warning

    return dropped_warning(table.dropped)


def _picture(results: Mapping[str, OrdinalRoc], show: Literal["curves", "points", "youden"]) -> Picture:
    """The panels of all classes; those of several scores one after the other, with its name in the titles."""
    from rocscope.plotting import Picture
    from rocscope.plotting import ordinal as view

    pictures = {name: view.ordinal_picture(result, show=show) for name, result in results.items()}
    first = next(iter(pictures.values()))
    if len(pictures) == 1:
        return first
    panels = [
        replace(panel, title=f"{name}\n{panel.title}")
        for name, picture in pictures.items()
        for panel in picture.panels
    ]
    return Picture(panels=tuple(panels), columns=first.columns, title=first.title)


# ---- Tables of `rocscope ordinal`: the classes, all of them together, and the folds -----------------------

TITLES = {"adjacent_auc": "AUC of neighbours", "kappa": "kappa (quadratic)"}


def blocks(result: OrdinalRoc) -> list[str | TextTable]:
    """What people read: a table of the classes, and the figures of all together."""
    found = next(iter(result.estimates.values()))
    interval = f" ({interval_name(found.level, found.alternative)})" if result.n_boot else ""
    header = ("class", "cases", "curves", f"MaxAUC{interval}", "at", f"AvgAUC{interval}")
    rows = tuple(_row(result, code) for code in range(len(result.labels)))
    told: list[str | TextTable] = [TextTable(header, rows), ""]
    names = list(result.estimates)[2 * len(rows) :]
    together = [(_title(name, result), _figure(result.estimates[name])) for name in names]
    chosen = result.thresholds
    if chosen.value is not None:
        together.insert(0, ("error", f"{chosen.error:.4f}"))
        cuts = ", ".join(f"{cut:.6g}" for cut in chosen.values)
        told.append(f"Best thresholds ({chosen.objective}): {cuts}")
    else:
        told.append(chosen.summary())
    told += ["", TextTable(("all classes", f"value{interval}"), tuple(together))]
    return told + _fold_blocks(result)


def _title(name: str, result: OrdinalRoc) -> str:
    """What people call a figure."""
    if name == "vus":
        return f"VUS (chance {result.vus_chance:.2g})"
    return TITLES.get(name) or name.replace("max_auc", "MaxAUC").replace("avg_auc", "AvgAUC")


def _row(result: OrdinalRoc, code: int) -> tuple[str, ...]:
    one = result.curves[code]
    areas = [_figure(result.estimates[f"{name}({one.label})"]) for name in ("max_auc", "avg_auc")]
    at = "" if one.max_at is None or len(one) == 1 else f"{one.max_at:.6g}"
    return f"{one.label}", f"{one.n_pos}", f"{len(one)}", areas[0], at, areas[1]


def _figure(estimate: Estimate) -> str:
    if estimate.value is None:
        return "undefined"
    if estimate.low is None or estimate.high is None:
        return f"{estimate.value:.4f}"
    to = "-" if estimate.low >= 0 else " to "
    return f"{estimate.value:.4f} ({estimate.low:.4f}{to}{estimate.high:.4f})"


def _fold_blocks(result: OrdinalRoc) -> list[str | TextTable]:
    folds = result.folds
    if not folds.folds:
        return []
    numbers = zip(folds.names, folds.mean, folds.sd, folds.n, strict=True)
    rows = tuple((_title(name, result), number(mean), number(sd), f"{n}") for name, mean, sd, n in numbers)
    return ["", TextTable((f"over {len(folds.folds)} folds", "mean", "sd", "folds"), rows)]
