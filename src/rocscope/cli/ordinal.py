"""`rocscope ordinal`: sets of ROC curves of ordered classes, MaxAUC and AvgAUC."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Annotated, Any, Literal, TypeAlias

from cyclopts import Parameter

import rocscope as rs
from rocscope.cli import models
from rocscope.cli import options as opt
from rocscope.cli import output as out
from rocscope.core import formatting
from rocscope.core.formatting import interval_name
from rocscope.errors import ResourceError, RocInputError, RocUsageError, UndefinedError

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from rocscope.io.input_file import InputFile
    from rocscope.plotting import Picture

Show: TypeAlias = Literal["curves", "points", "youden", "classes", "differences"]
REGRESSORS = {
    "linear": "sklearn.linear_model.LinearRegression",
    "forest": "sklearn.ensemble.RandomForestRegressor",
}
# Rows of a CSV file; each is kept in memory until the file is whole.
MOST_ROWS = 1_000_000


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
    score: list[opt.Column] | None = None,
    model: Annotated[list[str], Parameter(metavar="NAME")] | None = None,
    feature: opt.Features | None = None,
    folds: opt.Count | None = None,
    classes: Annotated[Any, opt.text_option(read_classes, "LIST")] = None,
    thresholds: Annotated[Any, opt.text_option(read_thresholds, "N | all | LIST")] = 10,
    closure: Literal["diagonal", "flat", "none"] = "diagonal",
    fixed: Literal["lower", "upper"] = "lower",
    fold: opt.Fold | None = None,
    scale: Literal["raw", "rank", "calibrated"] = "raw",
    objective: Literal["error", "cost", "kappa"] = "error",
    cost: Annotated[list[list[float]], opt.text_option(read_costs, "ROWS")] | None = None,
    cuts: Literal["gaps", "range"] = "gaps",
    n_boot: opt.Count | None = None,
    level: opt.Level = 0.95,
    seed: opt.Seed | None = None,
    n_jobs: opt.NJobs | None = None,
    show: Show = "curves",
    class_: Annotated[list[str], Parameter(name="--class", metavar="LABEL")] | None = None,
    output: out.Output = out.Output(),
) -> None:
    """Sets of ROC curves of ordered classes: MaxAUC and AvgAUC of each class.

    MaxAUC measures how exactly a class can be separated, AvgAUC how clearly, whatever the thresholds. Beside
    them: the AUC of neighbouring classes, the volume under the ROC surface, and the best thresholds of all
    classes together with their error and quadratic weighted kappa, whose weights go by the order of the
    classes. Several scores are compared: the difference of each figure, first minus second, with interval and
    test from the same bootstrap draws.

    Parameters
    ----------
    score
        Column of estimates of the number of the class; repeatable.
    model
        Trained on features in place of --score, repeatable: gp (a formula evolved by genetic programming),
        linear, forest, or a dotted path to a regressor or classifier.
    folds
        Folds of the cross-validation of --model; 10, or those of --fold.
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
    scale
        Estimates as they are; or, where they are not numbers of classes, by their ranks and the shares of the
        classes, or calibrated by isotonic regression on other folds.
    objective
        What the best thresholds of all classes make best.
    cost
        Costs by true and decided class: 0,1,2;1,0,1;2,1,0.
    cuts
        Each best threshold between its two classes, or anywhere in order.
    n_boot
        Bootstrap replicates for intervals; unless given none, and 2000 for the comparison of several scores.
    show
        What --out holds, as a figure or CSV: the sets of curves; the points of all pairs of thresholds; TPR -
        FPR over thresholds; the areas of the classes; the differences of several scores.
    class_
        Class that the tables and --out show; repeatable; all unless given.

    Examples
    --------
    rocscope ordinal grades.csv --label grade --score estimate
    rocscope ordinal grades.csv --label grade --score model_a --score model_b
    rocscope ordinal grades.csv --label grade --score estimate --n-boot 2000 --seed 1 --out curves.png
    rocscope ordinal stages.csv --label stage --classes early=1,middle=2,late=3 --score estimate
    rocscope ordinal grades.csv --label grade --score estimate --thresholds all --objective kappa
    rocscope ordinal grades.csv --label grade --score estimate --show youden --out heat.png
    rocscope ordinal grades.csv --label grade --score estimate --class 3 --out curves_of_3.csv
    rocscope ordinal wines.csv --label quality --score alcohol --scale rank
    rocscope ordinal wines.csv --label quality --model gp --model linear --seed 1
    rocscope ordinal grades.csv --label grade --score a --score b --show differences --out forest.png
    """
    from rocscope.io.files import score_names

    if bool(score) == bool(model):
        raise RocUsageError("one of --score and --model must be given, and not both")
    if not model:
        opt.refuse("belongs to --model", feature=feature, folds=folds)
    if folds is not None and fold is not None:
        raise RocUsageError("--fold and --folds must not be given together")
    names = list(dict.fromkeys(model)) if model else score_names(score or [], source.label)
    several = len(names) > 1
    replicates = (opt.N_BOOT if several else 0) if n_boot is None else n_boot
    # The folds of the calibration are random where no column names them, or where scores are compared.
    deals = scale == "calibrated" and (fold is None or bool(several and replicates))
    draws = opt.Draws.read(seed, used=bool(replicates or model) or deals)
    output.check(file)
    if show == "differences" and not (several and replicates):
        raise RocUsageError("--show differences needs two scores or models, and --n-boot greater than 0")
    with source.open(file) as opened:
        described = out.describe(opened)
        if model:
            estimators = {name: _make_model(name) for name in names}
            cases = models.read_cases(opened, source, feature, fold=fold)
            _check_numbers(cases.y, source.label, classes)
            cv = (folds or 10) if cases.fold is None else cases.fold
            running: dict[str, Any] = {"rng": draws.seed, "n_jobs": n_jobs}
            estimates = {
                name: rs.ordinal_scores(estimator, cases.X, cases.y, cv=cv, classes=classes, **running)
                for name, estimator in estimators.items()
            }
            columns = {name: one.y_pred for name, one in estimates.items()}
            common = Columns(cases.y, columns, cases.fold)
            tables = {
                name: replace(common, notes=(*cases.notes, *one.warnings)) for name, one in estimates.items()
            }
        else:
            common = _read_columns(opened, source, names, fold)
            _check_numbers(common.labels, source.label, classes)
            tables = dict.fromkeys(names, common)
            if source.na != "error":  # a score that may lack rows loses its own rows alone
                tables = {name: _read_columns(opened, source, [name], fold) for name in names}
    options: dict[str, Any] = {
        "classes": classes,
        "thresholds": thresholds,
        "closure": closure,
        "fixed": fixed,
        "scale": scale,
        "objective": objective,
        "cost": cost,
        "cuts": cuts,
        "level": level,
        "rng": draws.seed,
        "n_jobs": n_jobs,
    }
    results = {}
    for name, table in tables.items():
        result = rs.ordinal_roc(
            table.labels, table.scores[name], fold=table.fold, n_boot=n_boot or 0, **options
        )
        results[name] = replace(result, warnings=(*table.notes, *result.warnings))
    labels = {str(label): label for label in next(iter(results.values())).labels}
    for text in class_ or ():
        if text not in labels:
            raise RocUsageError(f"--class must be among {', '.join(labels)}, got {text!r}")
    shown = tuple(labels[text] for text in class_ or labels)
    notes = [
        f"{name}: {text}" if several else text for name, result in results.items() for text in result.warnings
    ]
    notes = [re.sub(r'scale="(\w+)"', r"--scale \1", text) for text in notes]
    notes += [note for name, result in results.items() for note in _validity_notes(name, result)]
    compared = None
    if several and replicates:
        compared = rs.compare_ordinal(common.labels, common.scores, n_boot=replicates, **options)
        notes += [f"differences: {text}" for text in common.notes]
    output.deliver(
        out.CommandResult(
            command="ordinal",
            input=described | draws.input,
            results=lambda: [
                *({"score": name} | result.to_dict() for name, result in results.items()),
                *([] if compared is None else [compared.to_dict()]),
            ],
            rows=lambda: _rows(results, compared, show, shown),
            blocks=lambda: [
                *(
                    block
                    for k, (name, result) in enumerate(results.items())
                    for block in ([*[""] * (k > 0), f"{out.printable(name)}:", ""] if several else [])
                    + _blocks(result, shown)
                ),
                *([] if compared is None else _difference_blocks(compared, shown)),
            ],
            notes=[*notes, *draws.notes],
            picture=lambda: _picture(results, compared, show, shown),
        )
    )
    if not any(result.defined.any() for result in results.values()):
        reasons = (f"{one.reason}" for result in results.values() for one in result.curves)
        raise UndefinedError("; ".join(dict.fromkeys(reasons)))


def _validity_notes(name: str, result: rs.OrdinalRoc) -> list[str]:
    """Figures of three classes whose intervals are known to hold too seldom in so few cases."""
    from rocscope.atlas.results import LEVEL, quantity_notes

    if not result.n_boot or len(result.curves) != 3:
        return []
    middle = result.curves[1].label
    names = {
        f"max_auc({middle})": "MaxAUC of the middle class",
        f"avg_auc({middle})": "AvgAUC of the middle class",
        "max_auc macro": "MaxAUC",
        "avg_auc macro": "AvgAUC",
        "adjacent_auc": "AUC of neighbours",
        "vus": "VUS",
    }
    shown = {title: result.estimates[key] for key, title in names.items() if key in result.estimates}
    values = {title: one.value for title, one in shown.items() if one.low is not None and one.level == LEVEL}
    first, second, last = (one.n_pos for one in result.curves)
    how: dict[str, Any] = {"method": "bootstrap", "name": name}
    return quantity_notes("ordinal_roc", last, min(first, second), values, **how)


@dataclass(frozen=True)
class Columns:
    """Labels, the estimates of each name, and folds of the same cases; and what there is to note."""

    labels: NDArray[Any]
    scores: Mapping[str, NDArray[Any]]
    fold: NDArray[Any] | None
    notes: tuple[str, ...] = ()


def _read_columns(opened: InputFile, source: opt.Labelled, names: Sequence[str], fold: str | None) -> Columns:

    table = source.table(opened, source.label, names, fold=fold)
    scores = {name: table.arrays[name] for name in names}
    folds = None if fold is None else table.arrays[fold]
    return Columns(table.arrays[source.label], scores, folds, table.warnings)


def _check_numbers(labels: NDArray[Any], column: str, classes: Any) -> None:
    """Refuse text that no --classes gives an order."""
    if classes is None and (labels.dtype.kind in "UT" or isinstance(labels[0], str)):
        raise RocInputError(
            f"column {column!r} holds text such as {str(labels[0])!r}, which has no order of its "
            "own: give each class its number with --classes LABEL=NUMBER,..."
        )


def _make_model(name: str) -> Any:
    """A regressor by its short name, or what a dotted path leads to."""
    if name == "gp":
        from rocscope.training.ordinal_scores import evolved_formula

        return evolved_formula()
    return models.make_model(REGRESSORS.get(name, name))


def _blocks(result: rs.OrdinalRoc, classes: Sequence[Any]) -> list[out.Block]:
    """A table of some classes, the best thresholds, the figures of all classes together, and the folds."""
    first = next(iter(result.estimates.values()))
    interval = f" ({interval_name(first.level, first.alternative)})" if result.n_boot else ""
    header = ("class", "cases", "curves", f"MaxAUC{interval}", "at", f"AvgAUC{interval}")
    rows = []
    for one in result.curves:
        if one.label not in classes:
            continue
        largest, mean = (_figure(result.estimates[f"{name}({one.label})"]) for name in ("max_auc", "avg_auc"))
        at = "" if one.max_at is None or len(one) == 1 else f"{one.max_at:.6g}"
        rows.append((f"{one.label}", f"{one.n_pos}", f"{len(one)}", largest, at, mean))
    hidden = _hidden(result.labels, classes)
    names = list(result.estimates)[2 * len(result.curves) :]
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
            if name not in hidden
        ]
        blocks += ["", out.TextTable(over, tuple(cells))]
    return blocks


def _title(name: str, result: rs.OrdinalRoc) -> str:
    """The name of a figure in a table."""
    from rocscope.ordinal.resampling import figure_title

    chance = f" (chance {result.vus_chance:.2g})" if name == "vus" else ""
    return f"{figure_title(name)}{chance}"


def _figure(estimate: rs.Estimate) -> str:
    ends = formatting.interval_ends(estimate.low, estimate.high)
    return (
        f"{formatting.number(estimate.value)} ({ends})"
        if ends and estimate.value is not None
        else formatting.number(estimate.value)
    )


def _hidden(labels: Sequence[Any], classes: Sequence[Any]) -> set[str]:
    """Figures of the classes that are not shown."""
    others = [label for label in labels if label not in classes]
    return {f"{name}({label})" for name in ("max_auc", "avg_auc") for label in others}


def _difference_blocks(compared: rs.ordinal.OrdinalComparison, classes: Sequence[Any]) -> list[out.Block]:
    """A table of the differences of every pair of scores, of some classes and of all together."""
    from rocscope.ordinal.resampling import figure_title

    interval = interval_name(compared.level, compared.alternative)
    header = ("", f"difference ({interval})", "p", "p adjusted")
    hidden, blocks = _hidden(compared.labels, classes), list[out.Block]()
    for first, second in dict.fromkeys((row.first, row.second) for row in compared.differences):
        cells = []
        for row in compared.differences:
            if (row.first, row.second) != (first, second) or row.figure in hidden:
                continue
            value = "undefined"
            if row.difference is not None:
                value = formatting.with_interval(row.difference, row.low, row.high, signed=True)
            p_values = ("" if p is None else formatting.p_value(p) for p in (row.p_value, row.p_adjusted))
            cells.append((figure_title(row.figure), value, *p_values))
        table = out.TextTable((out.printable(f"{first} - {second}"), *header[1:]), tuple(cells))
        blocks += ["", table]
    return blocks


def _rows(
    results: Mapping[str, rs.OrdinalRoc],
    compared: rs.ordinal.OrdinalComparison | None,
    show: Show,
    classes: Sequence[Any],
) -> list[dict[str, Any]]:
    """Rows of a CSV file: points of the curves, of all pairs of thresholds, classes, or differences."""
    if show == "differences":
        assert compared is not None
        return out.rows_of(compared)
    if show == "classes":
        return [
            {"score": name} | row
            for name, result in results.items()
            for row in out.rows_of(result)
            if row["label"] in classes
        ]
    sets = [(name, one) for name, result in results.items() for one in result.curves if one.label in classes]
    n = sum(one.n_points for _, one in sets)
    if n > MOST_ROWS:
        raise ResourceError(
            f"the CSV file would have {n:,} points, more than {MOST_ROWS:,}: give fewer --thresholds, or "
            "--show classes for the areas"
        )
    if show == "curves":
        return [
            {"score": name, "class": curve.label, "fixed": curve.side, "at": curve.at, "auc": curve.auc} | row
            for name, one in sets
            for curve in one
            for row in out.rows_of(curve)
        ]
    rows = list[dict[str, Any]]()
    for name, one in sets:
        columns = {key: column.tolist() for key, column in one.point_columns().items()}
        points = (dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True))
        rows += [{"score": name, "class": one.label} | point for point in points]
    return rows


def _picture(
    results: Mapping[str, rs.OrdinalRoc],
    compared: rs.ordinal.OrdinalComparison | None,
    show: Show,
    classes: Sequence[Any],
) -> Picture:
    """The panels of the classes; those of several scores one after the other, with its name in the titles."""
    from rocscope import plotting
    from rocscope.ordinal.resampling import figure_title
    from rocscope.plotting.forest import estimates
    from rocscope.plotting.ordinal import ordinal_picture

    if show == "differences":
        assert compared is not None
        return plotting.picture(compared)
    if show == "classes":
        names = [f"{area}({label})" for area in ("max_auc", "avg_auc") for label in classes]
        pictures = {
            name: estimates({figure_title(area): result.estimates[area] for area in names})
            for name, result in results.items()
        }
    else:
        pictures = {
            name: ordinal_picture(result, show=show, classes=classes) for name, result in results.items()
        }
    first = next(iter(pictures.values()))
    if len(pictures) == 1:
        return first
    panels = [
        replace(panel, title=f"{name}\n{panel.title}".strip())
        for name, picture in pictures.items()
        for panel in picture.panels
    ]
    columns = min(len(panels), 3) if len(classes) == 1 else first.columns
    return plotting.Picture(panels=tuple(panels), columns=columns, title=first.title)
