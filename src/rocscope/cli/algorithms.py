"""`rocscope algorithms`: models compared over the same folds of one or more files, by AUC and by error."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

from cyclopts import Parameter

import rocscope as rs
from rocscope.cli import options as opt
from rocscope.cli import output as out
from rocscope.cli.models import check_model, make_model, read_cases, training_progress
from rocscope.core import formatting
from rocscope.errors import PartlyFailedError, RocInputError, RocUsageError, UndefinedError

if TYPE_CHECKING:
    from rocscope.plotting import Picture

# What each part needs besides: models, a data set, a measure.
NEEDS: dict[str | None, tuple[str, ...]] = {
    None: (),
    "p-values": (),
    "differences": ("on",),
    "ranks": (),
    "decisions": (),
    "hierarchical": (),
    "pair": ("of", "on"),
    "losses": ("on",),
    "distribution": ("of", "on", "measure"),
}
# Costs of a false positive in the table of losses.
LAMBDAS = (0.1, 0.5, 1.0, 2.0, 10.0)
TITLES = {"auc": "AUC", "error": "error"}
MEASURES = tuple(TITLES)
# Characters of a line, and of a model's name in a table.
NAME = 16


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
    fold: opt.Fold | None = None,
    test: Annotated[str, Parameter(metavar="NAME")] | None = None,
    show: Literal[
        "p-values", "differences", "ranks", "decisions", "hierarchical", "pair", "losses", "distribution"
    ]
    | None = None,
    of: Annotated[str, Parameter(metavar="A[,B]")] | None = None,
    on: Annotated[str, Parameter(metavar="NAME")] | None = None,
    measure: Literal["auc", "error"] | None = None,
    level: opt.Level = 0.95,
    n_jobs: opt.NJobs | None = None,
    timeout: Annotated[float, Parameter(metavar="SECONDS")] | None = None,
    folder: Annotated[str, Parameter(metavar="DIR")] | None = None,
    seed: opt.Seed | None = None,
    output: out.Output = out.Output(),
) -> None:
    """Compare models on the same folds: is one better, by its AUC and by its error?

    Every pair of models has a test of the AUC and a test of the error on every file. With two files and more
    there are ranks as well. Of more than two classes the two are kept that 1-nearest-neighbour confuses
    most. The test is one that held its level in docs/algorithms.md, unless --test names another; tests over
    folds that share one test set (--protocol holdout) speak of that test set alone, and say so.

    A data set has the name of its file without folder and ending. logistic, knn, mlp and qda are trained on
    standardized features, tree has five cases in a leaf at least; c45, ripper and tuned-knn are those of
    `reproduce aslan`, whose LP is logistic. A dotted path is imported, which runs the code behind it.

    --out takes .tex as well: the tables of means for LaTeX, with the rules of booktabs.

    Parameters
    ----------
    files
        Tables with features and a label: CSV, Parquet or JSON lines. Each is one data set.
    models
        What to compare: lda, qda, logistic, nb, knn, tree, c45, ripper, tuned-knn, mlp, or dotted paths to
        classifiers.
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
        A further table, and what a figure shows; the mean differences unless given. decisions has McNemar's
        tests, on cases that one model alone decides rightly; hierarchical the Bayesian test over data sets.
    of
        Models of --show pair (two) and distribution.
    on
        Data set of --show differences, pair, losses and distribution.
    measure
        Values of --show distribution; auc unless given.
    timeout
        Time that one training may take.
    folder
        Keep every training there as it ends: the same command with the same --seed goes on where it was.

    Examples
    --------
    rocscope algorithms data.csv --label y --models tree,logistic,knn,nb
    rocscope algorithms a.csv b.csv c.csv --label y --models lda,nb --folds 10 --show ranks --out cd.png
    rocscope algorithms data.csv --label y --models tree,knn --protocol repeated --folds 10 --repeats 10
    rocscope algorithms data.csv --label y --models tree,knn,nb --show pair --of tree,knn --out pair.png
    rocscope algorithms data.csv --label y --models logistic,sklearn.ensemble.RandomForestClassifier
    rocscope algorithms a.csv b.csv --label y --models c45,logistic,tuned-knn,nb,ripper --out table.tex
    rocscope algorithms data.csv --label y --models tree,nb --protocol holdout --test paired-t
    rocscope algorithms data.csv --label y --models tree,nb --protocol repeated --seed 1 --folder long_run
    rocscope algorithms data.csv --label y --models tree,nb --fold site
    """
    from rocscope.io.columns import label_like

    for name in models:
        check_model(name, option="--models", detector=False)
    paths = _dataset_names(files)
    for option, value in (("of", of), ("on", on), ("measure", measure)):
        if value is not None and option not in NEEDS[show]:
            shows = " and ".join(f"--show {part}" for part in NEEDS if option in NEEDS[part])
            raise RocUsageError(f"--{option} belongs to {shows}")
    if show in ("ranks", "hierarchical") and len(paths) < 2:
        what = "ranks are" if show == "ranks" else "the hierarchical test is"
        raise RocUsageError(f"--show {show} needs two files or more: {what} over data sets")
    pair, dataset = _models_of(show, of, models), _dataset_of(show, on, list(paths))
    if fold is not None and (folds, protocol, repeats) != (30, "kfold", None):
        raise RocUsageError("--fold names the folds: leave out --folds, --protocol and --repeats")
    if folder is not None and seed is None:
        raise RocUsageError("--folder needs --seed: without it no later run can be the same")
    draws = opt.Draws.read(seed)
    output.check(latex=True)
    learners = {name: make_model(name, option="--models") for name in models}
    datasets, pos_labels, own_folds = dict[str, Any](), dict[str, Any](), dict[str, Any]()
    described, notes = list[Any](), list[str]()
    for name, file in paths.items():
        with source.open(file) as opened:
            cases = read_cases(opened, source, feature, fold=fold, one_hot=one_hot)
            described.append(out.describe(opened))
        datasets[name] = (cases.X, cases.y)
        if fold is not None:
            own_folds[name] = cases.fold
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
            cv=own_folds or None,
            test=test,  # type: ignore[arg-type]  # the library refuses what is none of its tests
            level=level,
            rng=draws.seed,
            n_jobs=n_jobs,
            timeout=timeout,
            progress=training_progress(watch),
            folder=folder,
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
            latex=lambda: "\n\n".join(result.table(measure).to_latex() for measure in MEASURES),
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

HOW = {
    "kfold": "{} left-out folds",
    "repeated": "{} left-out folds",
    "5x2": "{} halves",
    "holdout": "{} folds of two thirds, all tested on the third that was set aside",
    "cv": "{} folds as --fold names them",
}
# Fields of a test and of two algorithms in their ranks, and how their numbers are written.
MEASURED = {"difference": "+.4f", "p_value": ".2g", "p_holm": ".2g"}
RANKED = {"wins": "d", "ties": "d", "losses": "d"} | dict.fromkeys(
    ("p_t", "p_wilcoxon", "p_nemenyi", "p_holm", "p_shaffer"), ".2g"
)
# Counts and p-values of two models by their decisions.
DECIDED = {"only_first": "d", "only_second": "d", "difference": "+.4f"} | dict.fromkeys(
    ("p_chi2", "p_value", "p_holm"), ".2g"
)


def _blocks(result: rs.AlgorithmComparison) -> Iterator[out.Block]:
    """The protocol, means over the folds, verdicts of every pair, the four cases counted, and ranks."""
    import numpy as np

    from rocscope.algorithms.paired_tests import CONDITIONAL

    folds = f"{result.repeats} x {result.folds}" if result.repeats > 1 else str(result.folds)
    yield f"{len(result.algorithms)} models, {HOW[result.protocol].format(folds)}"
    sizes = [
        (row.name, f"{row.n_pos} of {row.positive}", f"{row.n_neg} of {row.negative}")
        for row in result.datasets
    ]
    yield from ("", out.TextTable(("data set", "positive", "negative"), tuple(sizes)))
    for measure in MEASURES:
        table = result.table(measure)
        header, *rows = table.lines()
        bold = frozenset((r, k + 1) for r, k in np.argwhere(table.best).tolist())
        yield from ("", table.legend())
        yield from out.TextTable(header, tuple(rows), bold).parts()
    tests = ", ".join(f"{TITLES[measure]} by {method}" for measure, method in result.verdict_test.items())
    condition = f", {CONDITIONAL}" if result.conditional else ""
    yield from ("", f"tests at level {1 - result.level:g}: {tests}{condition}")
    for dataset in result.datasets:
        verdicts = [row for row in result.verdicts if row.dataset == dataset.name]
        cells = [
            (
                _pair(row),
                *_numbers(row.auc, MEASURED),
                *_numbers(row.error, MEASURED),
                *(_rejected(row, field) for field in ("rejects", "rejects_holm")),
            )
            for row in verdicts
        ]
        header = (dataset.name, "AUC", "p", "Holm", "error", "p", "Holm", "differ by", "after Holm")
        yield from ("", out.TextTable(header, tuple(cells)))
        reasons = [row[m].reason for row in verdicts for m in MEASURES if row[m].p_value is None]
        yield from dict.fromkeys(map(str, reasons))
        yield from _cochran(result.decisions[dataset.name])
    counts = [result.cases(adjust) for adjust in ("none", "holm", "bonferroni")]
    cases = [(case, *(str(count[case]) for count in counts)) for case in counts[0]]
    shown = tuple(row for row in cases if row[1:] != ("0", "0", "0"))
    yield from ("", out.TextTable(("pairs of models", "each test alone", "Holm", "Bonferroni"), shown))
    for name, one in result.ranks.items() if len(result.datasets) > 1 else ():
        if one.friedman is None or one.critical_difference is None:
            yield f"ranks by {TITLES[name]} undefined: {one.reason}"
            continue
        p = f"Friedman p = {formatting.number(one.friedman.p_value, '.3g')}"
        reach = f"critical difference {one.critical_difference:.2f} (Nemenyi, level {1 - one.level:g})"
        yield f"ranks by {TITLES[name]} over {one.n_datasets} data sets: {p}, {reach}"
        if one.quade is not None:
            quade = formatting.number(one.quade.p_value, ".3g")
            yield f"ranks by {TITLES[name]}, data sets weighted by their ranges: Quade p = {quade}"


def _cochran(decisions: rs.algorithms.DecisionComparison) -> list[str]:
    """Cochran's Q of three models or more."""
    if decisions.cochran is None:
        return []
    p = formatting.number(decisions.cochran.p_value, ".3g")
    return [f"decisions on {decisions.n_cases} cases: Cochran's Q p = {p}"]


def _numbers(row: Any, styles: Mapping[str, str]) -> list[str]:
    """Fields of a row as text, each in its style; a dash where there is none, the reason stands elsewhere."""
    return ["-" if row[field] is None else format(row[field], style) for field, style in styles.items()]


def _pair(row: Any) -> str:
    """The names of two models, short enough for a table."""
    return " - ".join(formatting.shortened(name, NAME) for name in (row.first, row.second))


def _rejected(verdict: rs.algorithms.Verdict, field: str) -> str:
    """The measures by which two models differ."""
    rejects = {measure: verdict[measure][field] for measure in MEASURES}
    by = " and ".join(TITLES[measure] for measure in MEASURES if rejects[measure])
    return "undefined" if None in rejects.values() else by or "neither"


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
        *_size_notes(result),
    ]


def _size_notes(result: rs.AlgorithmComparison) -> list[str]:
    """Which tests behind the verdicts are known to reject too often in studies of this size."""
    from rocscope.algorithms.records import OVER_CASES
    from rocscope.atlas.results import quantity_notes

    tests = dict(result.verdict_test)
    if result.conditional:
        return []
    if tests == OVER_CASES:
        family, tests = "compare_algorithms holdout", dict.fromkeys(tests, "over cases")
    elif (result.folds, result.repeats) == (2, 5):
        family = "paired_tests 5x2"
    elif result.repeats == 1:
        family = "paired_tests"
    else:
        return []
    notes = list[str]()
    for row, areas, defined in zip(result.datasets, result.auc, result.defined, strict=True):
        if defined.any():
            area = float(areas[defined].mean())
            for measure, method in tests.items():
                how: dict[str, Any] = {"method": method, "area": area, "kind": "test", "name": row.name}
                notes += quantity_notes(family, row.n_pos, row.n_neg, {TITLES[measure]: area}, **how)
    return notes


# ---- What --show adds -------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """One part of a comparison: further results, and its rows, text and figure."""

    rows: Callable[[], Sequence[Mapping[str, Any]]]
    blocks: Callable[[], Iterable[out.Block]]
    picture: Callable[[], Picture]
    results: Sequence[Any] = ()
    notes: Sequence[str] = ()

    @classmethod
    def of(cls, one: Any, blocks: Callable[[], Iterable[out.Block]]) -> Part:
        """The part that a further result is, by its own rows and view."""
        return cls(
            rows=lambda: out.rows_of(one),
            blocks=blocks,
            picture=out.picture_of(one),
            results=[one],
            notes=getattr(one, "warnings", ()),
        )


def _part(
    result: rs.AlgorithmComparison, show: str | None, models: Sequence[str], dataset: str, measure: Any
) -> Part:
    if show is None:
        return Part(rows=lambda: out.rows_of(result), blocks=list, picture=out.picture_of(result))
    if show == "p-values":
        return Part(
            rows=lambda: [row for pair in result.tests for row in out.rows_of(pair)],
            blocks=lambda: _every_test(result),
            picture=out.picture_of(result),
        )
    if show == "differences":
        names = {"dataset": dataset}
        rows = [
            names | {"first": first, "second": second, "fold": fold, "auc": auc, "error": error}
            for first, second in result.pairs()
            for fold, (auc, error) in enumerate(
                zip(*(result.differences(dataset, first, second, m).tolist() for m in MEASURES), strict=True)
            )
        ]
        return Part(
            rows=lambda: rows,
            blocks=lambda: _differences(result, dataset),
            picture=out.picture_of(result, show=show, dataset=dataset),
        )
    if show == "ranks":
        pairs = [(one.measure, row) for one in result.ranks.values() for row in one.pairs]
        p_values = ("p (t)", "Wilcoxon", "Nemenyi", "Holm", "Shaffer")
        header = ("first - second", "by", "wins", "ties", "losses", *p_values)
        cells = tuple((_pair(row), TITLES[by], *_numbers(row, RANKED)) for by, row in pairs)
        return Part(
            rows=lambda: [{"measure": measure} | dict(row) for measure, row in pairs],
            blocks=lambda: [out.TextTable(header, cells)],
            picture=out.picture_of(result, show="ranks"),
        )
    if show == "decisions":
        return Part(
            rows=lambda: [
                {"dataset": name} | row for name, one in result.decisions.items() for row in out.rows_of(one)
            ],
            blocks=lambda: _decisions(result),
            picture=out.picture_of(result),
        )
    if show == "hierarchical":
        tests = [
            result.hierarchical(first, second, measure)
            for measure in MEASURES
            for first, second in result.pairs()
        ]
        return Part(
            rows=lambda: [row for one in tests for row in out.rows_of(one)],
            blocks=lambda: _hierarchical(tests),
            picture=out.picture_of(result),
            results=tests,
        )
    if show == "pair":
        first, second = models
        both = rs.algorithm_pair(result, dataset, first, second)
        battery = [
            f"{name} {test.summary()}"
            for name in MEASURES
            for test in result.tests_of(dataset, first, second, name).tests
        ]
        return Part.of(both, lambda: [both.summary(), *battery])
    if show == "losses":
        losses = rs.loss_curves(result, dataset)
        return Part.of(losses, lambda: _losses(result, losses))
    values = [rs.fold_distribution(result, dataset, name, measure=measure) for name in models]

    def picture() -> Picture:
        from rocscope.plotting.algorithms import distributions

        return distributions(values)

    return Part(
        results=values,
        rows=lambda: [{"algorithm": one.algorithm} | row for one in values for row in out.rows_of(one)],
        blocks=lambda: [one.summary() for one in values],
        picture=picture,
    )


def _every_test(result: rs.AlgorithmComparison) -> Iterator[out.Block]:
    """P-values of all tests, a table for each data set and measure."""
    from rocscope.algorithms.comparison import ROPE
    from rocscope.algorithms.paired_tests import CONDITIONAL

    conditional = {test.method for row in result.tests for test in row.tests if test.conditional}
    for (measure, dataset), rows in groupby(result.tests, key=lambda row: (row.measure, row.dataset)):
        pairs = list(rows)
        methods = [test.method for test in pairs[0].tests]
        cells = [
            (
                _pair(row),
                *(
                    formatting.number(test.p_value if test.posterior is None else test.posterior[2], ".2g")
                    for test in row.tests
                ),
            )
            for row in pairs
        ]
        header = [f"{method}*" if method in conditional else method for method in methods]
        yield from out.TextTable((f"{TITLES[measure]} on {dataset}", *header), tuple(cells)).parts()
        yield ""
    more = f"the first is larger by more than {ROPE:g}"
    yield f"bayes-t: probability that {more}; the others: p-values"
    if conditional:
        yield f"* {CONDITIONAL}"


def _decisions(result: rs.AlgorithmComparison) -> Iterator[out.Block]:
    """McNemar's tests of every pair, and Cochran's Q, a table for each data set."""
    tests = ("McNemar chi2", "exact p", "Holm")
    for name, one in result.decisions.items():
        if one.status != "ok":
            yield f"{name}: {one.summary()}"
            continue
        cells = tuple((_pair(row), *_numbers(row, DECIDED)) for row in one.pairs)
        yield out.TextTable((name, "first right", "second right", "error", *tests), cells)
        yield from _cochran(one)
        yield ""
    yield from dict.fromkeys(one.assumption for one in result.decisions.values())


def _hierarchical(tests: Sequence[rs.algorithms.HierarchicalTest]) -> Iterator[out.Block]:
    """Differences over data sets, and how probable each kind of difference is on the next one."""
    header = ("first - second", "by", "mean", "low", "high", "smaller", "equal", "larger")
    cells = tuple(
        (
            _pair(one),
            TITLES[one.measure],
            *("-" if end is None else f"{end:+.4f}" for end in (one.mean, one.low, one.high)),
            *(("-",) * 3 if one.posterior is None else (f"{p:.3f}" for p in one.posterior)),
        )
        for one in tests
    )
    yield out.TextTable(header, cells)
    yield f"hierarchical model: probabilities on the next data set, equal within {tests[0].rope:g}"
    yield from dict.fromkeys(one.reason for one in tests if one.reason is not None)


def _differences(result: rs.AlgorithmComparison, dataset: str) -> Iterator[out.Block]:
    """Differences of every fold, one table for each measure."""
    for measure in MEASURES:
        folds = [
            (
                _pair(row),
                *(format(one, "+.3f") for one in result.differences(dataset, row.first, row.second, measure)),
            )
            for row in result.verdicts
            if row.dataset == dataset
        ]
        header = (f"{TITLES[measure]} on {dataset}", *map(str, range(len(folds[0]) - 1)))
        if measure != MEASURES[0]:
            yield ""
        yield from out.TextTable(header, tuple(folds)).parts()


def _losses(result: rs.AlgorithmComparison, losses: rs.algorithms.LossCurves) -> list[out.Block]:
    """Losses at some costs, then who is best at which, and where the curves cross."""
    few = rs.loss_curves(result, losses.dataset, lambdas=LAMBDAS)
    rows = [
        (f"{cost:g}", *map(formatting.number, figures))
        for cost, *figures in zip(*few.columns().values(), strict=True)
    ]
    header = ("cost of a false positive", "threshold", *few.algorithms)
    return [*out.TextTable(header, tuple(rows)).parts(), losses.summary()]
