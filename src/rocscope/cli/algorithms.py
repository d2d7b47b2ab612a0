"""`rocscope algorithms`: models compared over the same folds of one or more files, by AUC and by error."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

from cyclopts import Parameter

import rocscope as rs
from rocscope.cli import options as opt
from rocscope.cli import output as out
from rocscope.cli.models import check_model, make_model, read_cases, training_progress
from rocscope.core import formatting
from rocscope.core.formatting import interval_name
from rocscope.errors import PartlyFailedError, RocInputError, RocUsageError, UndefinedError

if TYPE_CHECKING:
    from rocscope.algorithms.comparison import Measured
    from rocscope.plotting import Picture

# What each part needs besides: models, a data set, a measure.
NEEDS: dict[str | None, tuple[str, ...]] = {
    None: (),
    "p-values": (),
    "ranks": (),
    "pair": ("of", "on"),
    "losses": ("on",),
    "distribution": ("of", "on", "measure"),
}
# Costs of a false positive in the table of losses.
LAMBDAS = (0.1, 0.5, 1.0, 2.0, 10.0)
MEASURES = ("auc", "error")


def algorithms(
    *files: Annotated[str, Parameter(required=True)],
    source: opt.Labelled,
    models: opt.Names,
    feature: opt.Features | None = None,
    one_hot: opt.Flag = False,
    pos_label: opt.PosLabel | None = None,
    folds: opt.Count = 30,
    protocol: Literal["kfold", "repeated", "5x2", "holdout"] = "kfold",
    repeats: opt.Count | None = None,
    test: Annotated[str, Parameter(metavar="NAME")] | None = None,
    show: Literal["p-values", "ranks", "pair", "losses", "distribution"] | None = None,
    of: Annotated[str, Parameter(metavar="A[,B]")] | None = None,
    on: Annotated[str, Parameter(metavar="NAME")] | None = None,
    measure: Literal["auc", "error"] | None = None,
    level: opt.Level = 0.95,
    n_jobs: opt.NJobs | None = None,
    timeout: Annotated[float, Parameter(metavar="SECONDS")] | None = None,
    seed: opt.Seed | None = None,
    output: out.Output = out.Output(),
) -> None:
    """Compare models on the same folds: is one better, by its AUC and by its error?

    Every pair of models has a test of the AUC and a test of the error on every file. With two files and more
    there are ranks as well. Of more than two classes the two are kept that 1-nearest-neighbour confuses
    most. The test is one that held its level in docs/algorithms.md, unless --test names another; tests over
    folds that share one test set (--protocol holdout) speak of that test set alone, and say so.

    A data set has the name of its file without folder and ending. logistic and knn are trained on
    standardized features, tree has five cases in a leaf at least. A dotted path is imported, which runs the
    code behind it.

    Parameters
    ----------
    files
        Tables with features and a label: CSV, Parquet or JSON lines. Each is one data set.
    models
        What to compare: lda, qda, logistic, nb, knn, tree, or dotted paths to classifiers.
    one_hot
        Make columns of 0 and 1 of features that are text.
    folds
        Stratified folds.
    protocol
        Test left-out folds, once or several times, halves, or one common third of the cases.
    repeats
        Passes of --protocol repeated; 10 unless given.
    test
        Test behind the verdicts, such as paired-t, wilcoxon.
    show
        A further table, and what a figure shows; the p-values unless given.
    of
        Models of --show pair (two) and distribution.
    on
        Data set of --show pair, losses and distribution.
    measure
        Values of --show distribution; auc unless given.
    timeout
        Time that one training may take.

    Examples
    --------
    rocscope algorithms data.csv --label y --models tree,logistic,knn,nb
    rocscope algorithms a.csv b.csv c.csv --label y --models lda,nb --folds 10 --show ranks --out cd.png
    rocscope algorithms data.csv --label y --models tree,knn --protocol repeated --folds 10 --repeats 10
    rocscope algorithms data.csv --label y --models tree,knn,nb --show pair --of tree,knn --out pair.png
    rocscope algorithms data.csv --label y --models logistic,sklearn.ensemble.RandomForestClassifier
    rocscope algorithms data.csv --label y --models tree,nb --protocol holdout --test paired-t
    """
    from rocscope.io.columns import label_like

    for name in models:
        check_model(name, option="--models", detector=False)
    paths = _dataset_names(files)
    for option, value in (("of", of), ("on", on), ("measure", measure)):
        if value is not None and option not in NEEDS[show]:
            shows = " and ".join(f"--show {part}" for part in NEEDS if option in NEEDS[part])
            raise RocUsageError(f"--{option} belongs to {shows}")
    if show == "ranks" and len(paths) < 2:
        raise RocUsageError("--show ranks needs two files or more: ranks are over data sets")
    pair, dataset = _models_of(show, of, models), _dataset_of(show, on, list(paths))
    draws = opt.Draws.read(seed)
    output.check()
    learners = {name: make_model(name, option="--models") for name in models}
    datasets, pos_labels, described, notes = dict[str, Any](), dict[str, Any](), list[Any](), list[str]()
    for name, file in paths.items():
        with source.open(file) as opened:
            cases = read_cases(opened, source, feature, one_hot=one_hot)
            described.append(out.describe(opened))
        datasets[name] = (cases.X, cases.y)
        if pos_label is not None:
            pos_labels[name] = label_like(pos_label, cases.labels)
        notes += [f"{name}: {note}" for note in cases.notes]
    with out.watching(f"{len(models)} models, {len(paths)} data set{'s' * (len(paths) > 1)}") as watch:
        result = rs.compare_algorithms(
            learners,
            datasets,
            pos_label=pos_labels,
            folds=folds,
            protocol=protocol,
            repeats=repeats,
            test=test,  # type: ignore[arg-type]  # the library refuses what is none of its tests
            level=level,
            rng=draws.seed,
            n_jobs=n_jobs,
            timeout=timeout,
            progress=training_progress(watch),
        )
    shown = _part(result, show, pair, dataset, measure or "auc")
    output.deliver(
        out.CommandResult(
            command="algorithms",
            input={"files": described, **draws.input},
            results=lambda: [result.to_dict(), *(one.to_dict() for one in shown.results)],
            rows=shown.rows,
            blocks=lambda: [*_blocks(result), *(["", *shown.blocks()] if show else [])],
            notes=[*notes, *_notes(result), *shown.notes, *draws.notes],
            picture=shown.picture,
        )
    )
    if not result.failures:
        return
    failed = f"{len(result.failures)} trainings failed or have no value, as the notes say"
    if not result.defined.any():
        raise UndefinedError(f"no model has a value: {failed}")
    if all(verdict.case is None for verdict in result.verdicts):
        raise PartlyFailedError(
            f"{failed}; no pair of models can be compared, the values of the others stand"
        )
    raise PartlyFailedError(f"{failed}; the tests of the others stand")


def _dataset_names(files: Sequence[str]) -> dict[str, str]:
    """Names of the data sets and their files; where two files have the same name, whole paths.

    Examples
    --------
    >>> _dataset_names(["data/ada.csv.gz", "-"])
    {'ada': 'data/ada.csv.gz', 'standard input': '-'}
    """
    if len(set(files)) < len(files):
        raise RocUsageError(f"FILE must be given once each, got {', '.join(files)}")
    stems = [Path(file.removesuffix(".gz").removesuffix(".GZ")).stem for file in files]
    stems = ["standard input" if file == "-" else stem for file, stem in zip(files, stems, strict=True)]
    return dict(zip(stems if len(set(stems)) == len(stems) else files, files, strict=True))


def _models_of(show: str | None, of: str | None, models: Sequence[str]) -> tuple[str, ...]:
    """The models of --of, in the order of --models; both of two where none is named."""
    from rocscope.core.checks import did_you_mean

    if "of" not in NEEDS[show]:
        return ()
    if of is None:
        if len(models) > 2:
            raise RocUsageError(f"--show {show} needs --of A,B: two of {', '.join(models)}")
        return tuple(models)
    named = [of]
    if show != "distribution" or "," in of:
        try:
            named = opt.read_names(of)
        except RocInputError as error:
            raise RocUsageError(error.message, argument="of") from error
    if unknown := [name for name in named if name not in models]:
        hint = did_you_mean(unknown[0], models)
        raise RocUsageError(f"--of must name models among {', '.join(models)}, got {unknown[0]!r}{hint}")
    if len(named) > 2:
        raise RocUsageError(f"--of must name two models at most, got {len(named)}")
    return tuple(name for name in models if name in named)


def _dataset_of(show: str | None, on: str | None, datasets: Sequence[str]) -> str:
    from rocscope.core.checks import did_you_mean

    if on is None:
        if "on" in NEEDS[show] and len(datasets) > 1:
            raise RocUsageError(f"--show {show} needs --on NAME: one of {', '.join(datasets)}")
        return datasets[0]
    if on not in datasets:
        hint = did_you_mean(on, datasets)
        raise RocUsageError(f"--on must be one of {', '.join(datasets)}, got {on!r}{hint}")
    return on


# ---- What every comparison shows --------------------------------------------------------------------------


def _p_value(p: float | None) -> str:
    return formatting.number(p, ".3g")


def _blocks(result: rs.AlgorithmComparison) -> list[out.Block]:
    """The protocol, means over the folds, verdicts of every pair, the four cases counted, and ranks."""
    from rocscope.algorithms.paired_tests import CONDITIONAL

    folds = f"{result.repeats} x {result.folds}" if result.repeats > 1 else str(result.folds)
    how = {
        "kfold": f"{folds} left-out folds",
        "repeated": f"{folds} left-out folds",
        "5x2": "5 x 2 halves",
        "holdout": f"{folds} folds of two thirds, all tested on the third that was set aside",
    }
    values = []
    for d, data in enumerate(result.datasets):
        size = f"{data.n_pos} {data.positive}, {data.n_neg} {data.negative}"
        for a, model in enumerate(result.algorithms):
            by_fold = [getattr(result, measure)[d, a] for measure in MEASURES]
            cells = [
                formatting.number(float(one)) for row in by_fold for one in (row.mean(), row.std(ddof=1))
            ]
            values.append((data.name if not a else "", size if not a else "", model, *cells))
    header = ["data set", "first - second"]
    for name in ("AUC", "error"):
        header += [f"{name} difference", "p", "p (Holm)", f"better {name}"]
    verdicts = [
        (
            row.dataset,
            f"{row.first} - {row.second}",
            *_measured(row.auc),
            *_measured(row.error),
            row.case or "undefined",
        )
        for row in result.verdicts
    ]
    tests = ", ".join(f"{measure} by {method}" for measure, method in result.verdict_test.items())
    tests = f"tests at level {1 - result.level:g}: {tests.replace('auc', 'AUC')}"
    counts = [result.cases(adjust) for adjust in ("none", "holm", "bonferroni")]
    cases = [
        (case, *(str(count[case]) for count in counts)) for case in counts[0] if any(c[case] for c in counts)
    ]
    blocks: list[out.Block] = [
        f"{len(result.algorithms)} models, {how[result.protocol]}",
        "",
        out.TextTable(("data set", "cases", "model", "AUC", "sd", "error", "sd"), tuple(values)),
        "",
        f"{tests}, {CONDITIONAL}" if result.conditional else tests,
        out.TextTable((*header, "verdict"), tuple(verdicts)),
        "",
        out.TextTable(("pairs of models", "each test alone", "Holm", "Bonferroni"), tuple(cases)),
    ]
    return [*blocks, "", *_average_ranks(result)] if len(result.datasets) > 1 else blocks


def _measured(test: Measured) -> tuple[str, ...]:
    difference = formatting.number(test.difference, "+.4f")
    return difference, _p_value(test.p_value), _p_value(test.p_holm), test.winner or "-"


def _average_ranks(result: rs.AlgorithmComparison) -> list[out.Block]:
    """Average ranks by both measures, and whether they differ at all."""
    by_measure = [result.ranks[measure] for measure in MEASURES]
    columns = [
        ["undefined"] * len(result.algorithms)
        if one.average_ranks is None
        else [f"{rank:.2f}" for rank in one.average_ranks]
        for one in by_measure
    ]
    rows = tuple(zip(result.algorithms, *columns, strict=True))
    blocks: list[out.Block] = [out.TextTable(("model", "rank by AUC", "rank by error"), rows)]
    for name, one in zip(("AUC", "error"), by_measure, strict=True):
        if one.friedman is None or one.critical_difference is None:
            blocks.append(f"ranks by {name} undefined: {one.reason}")
            continue
        p = f"Friedman p = {_p_value(one.friedman.p_value)}"
        reach = f"critical difference {one.critical_difference:.2f} (Nemenyi, level {1 - one.level:g})"
        blocks.append(f"ranks by {name} over {one.n_datasets} data sets: {p}, {reach}")
    return blocks


def _notes(result: rs.AlgorithmComparison) -> list[str]:
    """The classes that are compared, warnings, and failures: those that differ by their fold alone once."""
    alike = dict[tuple[str, str, str], list[str]]()
    for row in result.failures:
        alike.setdefault((row.dataset, row.algorithm, row.reason), []).append(str(row))
    return [
        *(f"{row.name}: {row.note}" for row in result.datasets if row.note),
        *result.warnings,
        *(
            f"failed: {first}{f' (and in {len(more)} more)' if more else ''}"
            for first, *more in alike.values()
        ),
    ]


# ---- What --show adds -------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """One part of a comparison: further results, and its rows, text and figure."""

    rows: Callable[[], Sequence[Mapping[str, Any]]]
    blocks: Callable[[], Sequence[out.Block]]
    picture: Callable[[], Picture]
    results: Sequence[Any] = ()
    notes: Sequence[str] = ()


def _part(
    result: rs.AlgorithmComparison, show: str | None, models: Sequence[str], dataset: str, measure: Any
) -> Part:
    if show is None:
        return Part(rows=lambda: out.rows_of(result), blocks=list, picture=out.picture_of(result))
    if show == "p-values":
        return Part(
            rows=lambda: [
                {name: row[name] for name in ("dataset", "first", "second", "measure")} | dict(test)
                for row in result.tests
                for test in row.tests
            ],
            blocks=lambda: _every_test(result),
            picture=out.picture_of(result),
        )
    if show == "ranks":
        pairs = [(one.measure, row) for one in result.ranks.values() for row in one.pairs]
        return Part(
            rows=lambda: [{"measure": measure} | dict(row) for measure, row in pairs],
            blocks=lambda: [_rank_pairs(pairs)],
            picture=out.picture_of(result, show="ranks"),
        )
    if show == "pair":
        first, second = models
        both = rs.algorithm_pair(result, dataset, first, second)
        tests = {name: result.tests_of(dataset, first, second, name).tests for name in MEASURES}
        return Part(
            results=[both],
            rows=lambda: out.rows_of(both),
            blocks=lambda: [
                both.summary(),
                *(f"{name} {test.summary()}" for name, rows in tests.items() for test in rows),
            ],
            picture=out.picture_of(both),
        )
    if show == "losses":
        losses = rs.loss_curves(result, dataset)
        return Part(
            results=[losses],
            rows=lambda: out.rows_of(losses),
            blocks=lambda: _losses(result, losses, dataset),
            picture=out.picture_of(losses),
            notes=losses.warnings,
        )
    values = [rs.fold_distribution(result, dataset, name, measure=measure) for name in models]

    def picture() -> Picture:
        from rocscope.plotting.algorithms import distributions

        return distributions(values)

    return Part(
        results=values,
        rows=lambda: [{"algorithm": one.algorithm} | row for one in values for row in out.rows_of(one)],
        blocks=lambda: _distributions(values, measure, result.level),
        picture=picture,
    )


def _every_test(result: rs.AlgorithmComparison) -> list[out.Block]:
    from rocscope.algorithms.comparison import ROPE
    from rocscope.algorithms.paired_tests import CONDITIONAL

    methods = list(dict.fromkeys(test.method for row in result.tests for test in row.tests))
    conditional = {test.method for row in result.tests for test in row.tests if test.conditional}
    rows = []
    for row in result.tests:
        p = {t.method: _p_value(t.p_value if t.posterior is None else t.posterior[2]) for t in row.tests}
        pair = f"{row.first} - {row.second}"
        rows.append((row.dataset, pair, row.measure, *(p.get(method, "") for method in methods)))
    header = [f"{method}*" if method in conditional else method for method in methods]
    blocks: list[out.Block] = [out.TextTable(("data set", "first - second", "of", *header), tuple(rows))]
    if "bayes-t" in methods:
        more = f"the first is larger by more than {ROPE:g}"
        blocks.append(f"bayes-t: probability that {more}; the others: p-values")
    return [*blocks, f"* {CONDITIONAL}"] if conditional else blocks


def _rank_pairs(pairs: Sequence[tuple[str, Any]]) -> out.TextTable:
    counts, tests = ("wins", "ties", "losses"), ("p_t", "p_wilcoxon", "p_nemenyi", "p_holm")
    header = ("by", "first - second", *counts, "p (t)", "p (Wilcoxon)", "p (Nemenyi)", "p (Holm)")
    rows = [
        (
            measure,
            f"{row.first} - {row.second}",
            *(str(row[name]) for name in counts),
            *(_p_value(row[name]) for name in tests),
        )
        for measure, row in pairs
    ]
    return out.TextTable(header, tuple(rows))


def _distributions(values: Sequence[Any], measure: str, level: float) -> list[out.Block]:
    rows = [
        (
            one.algorithm,
            formatting.number(one.mean),
            formatting.number(one.sd),
            _p_value(one.normality.p_value),
            formatting.number(one.fold_correlation.value),
        )
        for one in values
    ]
    intervals = [
        (
            one.algorithm,
            estimate.method,
            formatting.number(estimate.value),
            formatting.interval_ends(estimate.low, estimate.high),
        )
        for one in values
        for estimate in one.single
    ]
    header = ("model", f"mean {measure}", "sd", "normal: p", "fold correlation")
    once = ("one training", "method", "AUC", interval_name(level, "two-sided"))
    return [out.TextTable(header, tuple(rows)), "", out.TextTable(once, tuple(intervals))]


def _losses(result: rs.AlgorithmComparison, losses: Any, dataset: str) -> list[out.Block]:
    few = rs.loss_curves(result, dataset, lambdas=LAMBDAS)
    rows = [
        (f"{lam:g}", formatting.number(theta), *map(formatting.number, means))
        for lam, theta, means in zip(few.lambdas, few.thresholds, few.mean.T, strict=True)
    ]
    blocks: list[out.Block] = [
        out.TextTable(("cost of a false positive", "threshold", *few.algorithms), tuple(rows)),
        losses.summary(),
    ]
    for row in losses.crossings:
        relation = f"{row.dominant} is nowhere below" if row.dominant else "the same"
        if row.fpr:
            relation = f"cross at FPR {', '.join(f'{rate:.3f}' for rate in row.fpr)}"
        blocks.append(f"mean curves of {row.first} and {row.second}: {relation}")
    if losses.left_out:
        blocks.append(f"left out, no probabilities: {', '.join(losses.left_out)}")
    return blocks
