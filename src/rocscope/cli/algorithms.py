"""`rocscope algorithms`: models compared over the same folds of one or more files, by AUC and by error."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from rocscope.cli import options
from rocscope.cli.options import Draws, read_names
from rocscope.cli.output import Answer, Output, describe
from rocscope.cli.reading import opened, watching
from rocscope.errors import PartlyFailedError, RocUsageError, UndefinedError

if TYPE_CHECKING:
    from rocscope.algorithms.comparison import AlgorithmComparison
    from rocscope.cli._algorithm_tables import Shown

EXAMPLES = (
    "rocscope algorithms data.csv --label y --models tree,logistic,knn,nb",
    "rocscope algorithms a.csv b.csv c.csv --label y --models lda,nb --folds 10 --show ranks --out cd.png",
    "rocscope algorithms data.csv --label y --models tree,knn --protocol repeated --folds 10 --repeats 10",
    "rocscope algorithms data.csv --label y --models tree,knn,nb --show pair --of tree,knn --out pair.png",
    "rocscope algorithms data.csv --label y --models logistic,sklearn.ensemble.RandomForestClassifier",
    "rocscope algorithms data.csv --label y --models tree,nb --protocol holdout --test paired-t",
)
PACKED = (".gz",)


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadData:
    """The files as data sets for `compare_algorithms`."""

    datasets: Mapping[str, tuple[Any, Any]]
    pos_labels: Mapping[str, Any]
    described: Sequence[Mapping[str, str]]
    notes: Sequence[str]


def algorithms(
    files: Annotated[
        list[str],
        typer.Argument(
            metavar="FILE",
            help="Tables with features and a label: CSV, Parquet or JSON lines. Each is one data set.",
        ),
    ],
    label: options.Label,
    models: Annotated[
        str,
        typer.Option(
            "--models",
            metavar="A,B,...",
            help="What to compare: lda, qda, logistic, nb, knn, tree, or dotted paths to classifiers.",
        ),
    ],
    feature: options.Features = None,
    one_hot: Annotated[
        bool, typer.Option("--one-hot", help="Make columns of 0 and 1 of features that are text.")
    ] = False,
    pos_label: options.PosLabel = None,
    folds: Annotated[int, typer.Option("--folds", metavar="N", help="Stratified folds.")] = 30,
    protocol: Annotated[
        Literal["kfold", "repeated", "5x2", "holdout"],
        typer.Option(
            "--protocol",
            help="Test left-out folds, once or several times, halves, or one common third of the cases.",
        ),
    ] = "kfold",
    repeats: Annotated[
        int | None,
        typer.Option("--repeats", metavar="N", help="Passes of --protocol repeated; 10 unless given."),
    ] = None,
    test: Annotated[
        str | None,
        typer.Option("--test", metavar="NAME", help="Test behind the verdicts, such as paired-t, wilcoxon."),
    ] = None,
    show: Annotated[
        Literal["p-values", "ranks", "pair", "losses", "distribution"] | None,
        typer.Option("--show", help="A further table, and what a figure shows; the p-values unless given."),
    ] = None,
    of: Annotated[
        str | None,
        typer.Option("--of", metavar="A[,B]", help="Models of --show pair (two) and distribution."),
    ] = None,
    on: Annotated[
        str | None,
        typer.Option("--on", metavar="NAME", help="Data set of --show pair, losses and distribution."),
    ] = None,
    measure: Annotated[
        Literal["auc", "error"] | None,
        typer.Option("--measure", help="Values of --show distribution; auc unless given."),
    ] = None,
    level: options.Level = 0.95,
    n_jobs: options.NJobs = None,
    timeout: Annotated[
        float | None, typer.Option("--timeout", metavar="SECONDS", help="Time that one training may take.")
    ] = None,
    seed: options.Seed = None,
    na: options.Na = "error",
    format: options.Format = None,
    temp_limit: options.TempLimit = None,
    json: options.Json = False,
    out: options.Out = None,
    force: options.Force = False,
) -> None:
    """Compare models on the same folds: is one better, by its AUC and by its error, and can that be told?

    Every pair of models has a test of the AUC and a test of the error on every file. With two files and more
    there are ranks as well. Of more than two classes the two are kept that 1-nearest-neighbour confuses
    most. The test is one that held its level in docs/algorithms.md, unless another is asked for; tests over
    folds that share one test set (--protocol holdout) speak of that test set alone, and say so.

    A data set is called by the name of its file without folder and ending. logistic and knn are trained on
    standardized features, tree has five cases in a leaf at least. A dotted path is imported, which runs the
    code behind it.
    """
    from rocscope.cli._algorithm_tables import AskedShow

    names = _model_names(models)
    paths = _dataset_names(files)
    asked = AskedShow.read(show, of=of, on=on, measure=measure, models=names, datasets=list(paths))
    draws, output = Draws.read(None, seed, used=True), Output(json, out, force)
    output.check()
    how = {"label": label, "features": tuple(feature or ()), "na": na, "one_hot": one_hot}
    learners = _made(names)
    data = _read(paths, how, pos_label, format=format, temp_limit=temp_limit)
    found = _compared(
        learners,
        data,
        {
            "folds": folds,
            "protocol": protocol,
            "repeats": repeats,
            "test": test,
            "level": level,
            "rng": draws.seed,
            "n_jobs": n_jobs,
            "timeout": timeout,
        },
    )
    shown = asked.shown(found)
    output.deliver(
        Answer(
            command="algorithms",
            source=dict[str, Any](files=data.described, **draws.told),
            results=[found.to_dict(), *shown.results],
            rows=shown.rows,
            blocks=_blocks(found, shown),
            notes=[*data.notes, *_notes(found), *shown.notes, *draws.notes],
            picture=shown.picture,
        )
    )
    _raise_if_incomplete(found)


def _model_names(text: str) -> list[str]:
    from rocscope.cli.models import DETECTOR, check_model

    names = read_names(text, "--models")
    for name in names:
        if name == DETECTOR:
            raise RocUsageError(f"--models: {DETECTOR} knows no classes: classifiers are needed here")
        check_model(name, option="--models")
    return names


def _made(names: Sequence[str]) -> dict[str, Any]:
    from rocscope.cli.models import make_model

    return {name: make_model(name, option="--models") for name in names}


def _dataset_names(files: Sequence[str]) -> dict[str, str]:
    """Names of the data sets and their files; where two files are called the same, whole paths."""
    if len(set(files)) < len(files):
        raise RocUsageError(f"FILE must be given once each, got {', '.join(files)}")
    stems = [_stem(file) for file in files]
    return dict(zip(stems if len(set(stems)) == len(stems) else files, files, strict=True))


def _stem(file: str) -> str:
    """Name of a file without folder and ending.

    Examples
    --------
    >>> _stem("data/ada.csv.gz"), _stem("-")
    ('ada', 'standard input')
    """
    if file == "-":
        return "standard input"
    path = Path(file)
    return Path(path.stem).stem if path.suffix.lower() in PACKED else path.stem


def _read(
    paths: Mapping[str, str], how: Mapping[str, Any], pos_label: str | None, **opening: str | None
) -> ReadData:
    from rocscope.cli.models import read_cases
    from rocscope.io.columns import label_like

    datasets, pos_labels = dict[str, tuple[Any, Any]](), dict[str, Any]()
    described, notes = list[dict[str, str]](), list[str]()
    for name, file in paths.items():
        with opened(file, **opening) as source:
            cases = read_cases(source, **how)
            described.append(describe(source))
        datasets[name] = (cases.X, cases.y)
        if pos_label is not None:
            pos_labels[name] = label_like(pos_label, cases.labels)
        notes += [f"{name}: {note}" for note in cases.notes]
    return ReadData(datasets=datasets, pos_labels=pos_labels, described=described, notes=notes)


def _compared(learners: Mapping[str, Any], data: ReadData, how: Mapping[str, Any]) -> AlgorithmComparison:
    from rocscope.algorithms.comparison import compare_algorithms
    from rocscope.cli.models import training_progress

    size = len(data.datasets)
    with watching(f"{len(learners)} models, {size} data set{'s' * (size > 1)}") as watch:
        return compare_algorithms(
            learners,
            data.datasets,
            pos_label=data.pos_labels,
            progress=training_progress(watch),
            **how,
        )


def _blocks(found: AlgorithmComparison, shown: Shown) -> list[Any]:
    from rocscope.cli import _algorithm_tables as tables

    blocks = [
        tables.head(found),
        "",
        tables.values(found),
        "",
        *tables.verdicts(found),
        "",
        tables.cases(found),
    ]
    if len(found.datasets) > 1:
        blocks += ["", *tables.ranks(found)]
    return [*blocks, *(["", *shown.blocks] if shown.blocks else [])]


def _notes(found: AlgorithmComparison) -> list[str]:
    """The classes that were chosen, what the models warned of, and what failed."""
    chosen = [f"{row.name}: {row.note}" for row in found.datasets if row.note]
    return [*chosen, *found.warnings, *_failed(found)]


def _failed(found: AlgorithmComparison) -> list[str]:
    """What failed; of failures that differ by their fold alone the first, and how many there are."""
    alike = dict[tuple[str, str, str], list[str]]()
    for row in found.failures:
        alike.setdefault((row.dataset, row.algorithm, row.reason), []).append(str(row))
    return [
        f"failed: {first}{f' (and in {len(more)} more)' if more else ''}" for first, *more in alike.values()
    ]


def _raise_if_incomplete(found: AlgorithmComparison) -> None:
    if not found.failures:
        return
    told = f"{len(found.failures)} trainings failed or have no value, as the notes say"
    if not found.defined.any():
        raise UndefinedError(f"no model has a value: {told}")
    if all(verdict.case is None for verdict in found.verdicts):
        raise PartlyFailedError(f"{told}; no pair of models can be compared, the values of the others stand")
    raise PartlyFailedError(f"{told}; the tests of the others stand")
