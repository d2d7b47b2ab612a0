"""`rocscope ordinal`: sets of ROC curves of ordered classes, MaxAUC and AvgAUC."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Annotated, Any, Literal

import rocscope as rs
from rocscope.cli import options as opt
from rocscope.cli import output as out
from rocscope.core import formatting
from rocscope.core.formatting import interval_name
from rocscope.errors import RocInputError, UndefinedError

if TYPE_CHECKING:
    from rocscope.plotting import Picture

TITLES = {"adjacent_auc": "AUC of neighbours", "kappa": "kappa (quadratic)"}


def read_classes(text: str) -> Any:
    """Read classes as numbers, or as labels with their numbers.

    Examples
    --------
    >>> read_classes("1,2,3.5"), read_classes("low=1, high=2")
    ([1, 2, 3.5], {'low': 1, 'high': 2})
    """
    labels, signs, numbers = zip(*(part.rpartition("=") for part in text.split(",")), strict=True)
    allowed = "numbers 1,2,3 or LABEL=NUMBER"
    try:
        values = opt.read_numbers(",".join(numbers), allowed)
    except RocInputError:
        values = []
    if not values or len(set(signs)) > 1:
        raise RocInputError(f"must be {allowed}, got {text!r}")
    if signs[0] == "":
        return values
    return {label.strip(): value for label, value in zip(labels, values, strict=True)}


def read_thresholds(text: str) -> Any:
    """Read a number of thresholds, "all", or the thresholds themselves; a single one has a point.

    Examples
    --------
    >>> read_thresholds("10"), read_thresholds("all"), read_thresholds("1.5,2.5"), read_thresholds("1.5")
    (10, 'all', [1.5, 2.5], [1.5])
    """
    if text == "all":
        return text
    values = opt.read_numbers(text, "a whole number, all, or numbers 1.5,2.5")
    return values[0] if len(values) == 1 and isinstance(values[0], int) else values


def read_costs(text: str) -> list[list[float]]:
    """Read a matrix of costs, rows between semicolons.

    Examples
    --------
    >>> read_costs("0,1;5,0")
    [[0, 1], [5, 0]]
    """
    allowed = "rows of numbers such as 0,1;5,0"
    rows = [opt.read_numbers(row, allowed) for row in text.split(";")]
    if len({len(row) for row in rows}) > 1:
        raise RocInputError(f"must be {allowed}, got {text!r}")
    return rows


def ordinal(
    file: opt.File,
    /,
    *,
    source: opt.Labelled,
    score: list[opt.Column],
    classes: Annotated[Any, opt.text_option(read_classes, "LIST")] = None,
    thresholds: Annotated[Any, opt.text_option(read_thresholds, "N | all | LIST")] = 10,
    closure: Literal["diagonal", "flat", "none"] = "diagonal",
    fixed: Literal["lower", "upper"] = "lower",
    fold: opt.Fold | None = None,
    objective: Literal["error", "cost", "kappa"] = "error",
    cost: Annotated[list[list[float]], opt.text_option(read_costs, "ROWS")] | None = None,
    cuts: Literal["gaps", "range"] = "gaps",
    n_boot: opt.Count | None = None,
    level: opt.Level = 0.95,
    seed: opt.Seed | None = None,
    n_jobs: opt.NJobs | None = None,
    show: Literal["curves", "points", "youden"] = "curves",
    output: out.Output = out.Output(),
) -> None:
    """Sets of ROC curves of ordered classes: MaxAUC and AvgAUC of each class.

    MaxAUC measures how exactly a class can be separated, AvgAUC how clearly, whatever the thresholds. Beside
    them: the AUC of neighbouring classes, the volume under the ROC surface, and the best thresholds of all
    classes together with their error and quadratic weighted kappa.

    Parameters
    ----------
    score
        Column of estimates of the number of the class; repeatable.
    classes
        All classes, 1,2,3; or the number of each label, low=1,high=2, which text needs.
    thresholds
        How many in each gap; all; or which.
    closure
        A curve ends at (1, 1), at the height of its last point, or at that point.
    fixed
        Threshold that a curve holds fixed.
    fold
        Column of folds: mean and standard deviation of each figure over them.
    objective
        What the best thresholds of all classes make best.
    cost
        Costs by true and decided class: 0,1,2;1,0,1;2,1,0.
    cuts
        Each best threshold between its two classes, or anywhere in order.
    n_boot
        Bootstrap replicates for intervals; none unless given.
    show
        Figure: sets of curves, all points, or TPR - FPR over thresholds.

    Examples
    --------
    rocscope ordinal grades.csv --label grade --score estimate
    rocscope ordinal grades.csv --label grade --score model_a --score model_b
    rocscope ordinal grades.csv --label grade --score estimate --n-boot 2000 --seed 1 --out curves.png
    rocscope ordinal stages.csv --label stage --classes early=1,middle=2,late=3 --score estimate
    rocscope ordinal grades.csv --label grade --score estimate --thresholds all --objective kappa
    rocscope ordinal grades.csv --label grade --score estimate --show youden --out heat.png
    """
    from rocscope.io.database import dropped_warning
    from rocscope.io.files import score_names

    draws = opt.Draws.read(seed, used=bool(n_boot))
    output.check(file)
    names = score_names(score, source.label)
    with source.open(file) as opened:
        if source.na == "error":
            tables = dict.fromkeys(names, source.table(opened, source.label, names, fold=fold))
        else:  # a score that may lack rows is read by itself, and loses its own rows alone
            tables = {name: source.table(opened, source.label, [name], fold=fold) for name in names}
        described = out.describe(opened)
    results = {}
    for name, table in tables.items():
        labels = table.arrays[source.label]
        if classes is None and (labels.dtype.kind in "UT" or isinstance(labels[0], str)):
            raise RocInputError(
                f"column {source.label!r} holds text such as {str(labels[0])!r}, which has no order of its "
                "own: give each class its number with --classes LABEL=NUMBER,..."
            )
        result = rs.ordinal_roc(
            labels,
            table.arrays[name],
            classes=classes,
            thresholds=thresholds,
            fold=None if fold is None else table.arrays[fold],
            closure=closure,
            fixed=fixed,
            objective=objective,
            cost=cost,
            cuts=cuts,
            n_boot=n_boot or 0,
            level=level,
            rng=draws.seed,
            n_jobs=n_jobs,
        )
        results[name] = replace(result, warnings=(*dropped_warning(table.dropped), *result.warnings))
    several = len(results) > 1
    notes = [
        f"{name}: {text}" if several else text for name, result in results.items() for text in result.warnings
    ]
    output.deliver(
        out.CommandResult(
            command="ordinal",
            input=described | draws.input,
            results=lambda: [{"score": name} | result.to_dict() for name, result in results.items()],
            rows=lambda: [
                {"score": name} | row for name, result in results.items() for row in out.rows_of(result)
            ],
            blocks=lambda: [
                block
                for k, (name, result) in enumerate(results.items())
                for block in ([*[""] * (k > 0), f"{out.printable(name)}:", ""] if several else [])
                + _blocks(result)
            ],
            notes=[*notes, *draws.notes],
            picture=lambda: _picture(results, show),
        )
    )
    if not any(result.defined.any() for result in results.values()):
        reasons = (f"{one.reason}" for result in results.values() for one in result.curves)
        raise UndefinedError("; ".join(dict.fromkeys(reasons)))


def _blocks(result: rs.OrdinalRoc) -> list[out.Block]:
    """A table of the classes, the best thresholds, the figures of all classes together, and the folds."""
    first = next(iter(result.estimates.values()))
    interval = f" ({interval_name(first.level, first.alternative)})" if result.n_boot else ""
    header = ("class", "cases", "curves", f"MaxAUC{interval}", "at", f"AvgAUC{interval}")
    rows = []
    for one in result.curves:
        largest, mean = (_figure(result.estimates[f"{name}({one.label})"]) for name in ("max_auc", "avg_auc"))
        at = "" if one.max_at is None or len(one) == 1 else f"{one.max_at:.6g}"
        rows.append((f"{one.label}", f"{one.n_pos}", f"{len(one)}", largest, at, mean))
    names = list(result.estimates)[2 * len(rows) :]
    together = [(_title(name, result), _figure(result.estimates[name])) for name in names]
    best, line = result.thresholds, result.thresholds.summary()
    if best.value is not None:
        together.insert(0, ("error", f"{best.error:.4f}"))
        line = f"Best thresholds ({best.objective}): {', '.join(f'{cut:.6g}' for cut in best.values)}"
    blocks: list[out.Block] = [out.TextTable(header, tuple(rows)), "", line, ""]
    blocks.append(out.TextTable(("all classes", f"value{interval}"), tuple(together)))
    folds = result.folds
    if folds.folds:
        over = (f"over {len(folds.folds)} folds", "mean", "sd", "folds")
        numbers = zip(folds.names, folds.mean, folds.sd, folds.n, strict=True)
        cells = [
            (_title(name, result), formatting.number(mean), formatting.number(sd), f"{n}")
            for name, mean, sd, n in numbers
        ]
        blocks += ["", out.TextTable(over, tuple(cells))]
    return blocks


def _title(name: str, result: rs.OrdinalRoc) -> str:
    """The name of a figure in a table."""
    if name == "vus":
        return f"VUS (chance {result.vus_chance:.2g})"
    return TITLES.get(name) or name.replace("max_auc", "MaxAUC").replace("avg_auc", "AvgAUC")


def _figure(estimate: rs.Estimate) -> str:
    ends = formatting.interval_ends(estimate.low, estimate.high)
    return (
        f"{formatting.number(estimate.value)} ({ends})"
        if ends and estimate.value is not None
        else formatting.number(estimate.value)
    )


def _picture(results: Mapping[str, rs.OrdinalRoc], show: Literal["curves", "points", "youden"]) -> Picture:
    """The panels of all classes; those of several scores one after the other, with its name in the titles."""
    from rocscope.plotting import Picture
    from rocscope.plotting.ordinal import ordinal_picture

    pictures = {name: ordinal_picture(result, show=show) for name, result in results.items()}
    first = next(iter(pictures.values()))
    if len(pictures) == 1:
        return first
    panels = [
        replace(panel, title=f"{name}\n{panel.title}")
        for name, picture in pictures.items()
        for panel in picture.panels
    ]
    return Picture(panels=tuple(panels), columns=first.columns, title=first.title)
