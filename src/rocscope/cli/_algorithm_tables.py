"""What `rocscope algorithms --show` adds: a table, rows for a file, and the figure."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from rocscope.cli.options import read_names
from rocscope.cli.output import TextTable, interval_ends, interval_name, number, rows_of
from rocscope.core import checks
from rocscope.errors import RocUsageError

if TYPE_CHECKING:
    from rocscope.algorithms.comparison import AlgorithmComparison, Measured, PairTests
    from rocscope.algorithms.distribution import Measure
    from rocscope.algorithms.paired_tests import LearnerTest
    from rocscope.core.result import Result
    from rocscope.plotting.marks import Picture

# What each needs to be told besides: models, a data set, a measure.
NEEDS = {
    None: (),
    "p-values": (),
    "ranks": (),
    "pair": ("of", "on"),
    "losses": ("on",),
    "distribution": ("of", "on", "measure"),
}
# Costs of a false positive that the table of losses names.
LAMBDAS = (0.1, 0.5, 1.0, 2.0, 10.0)


@dataclass(frozen=True, slots=True, kw_only=True)
class Shown:
    """One part of a comparison, in the forms it may be asked for."""

    results: Sequence[Mapping[str, Any]]
    rows: Sequence[Mapping[str, Any]]
    blocks: Sequence[Block]
    picture: Callable[[], Picture]
    notes: Sequence[str] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class AskedShow:
    """Which part is wanted, of which models, on which data set."""

    show: str | None
    of: tuple[str, ...]
    on: str
    measure: str

    @classmethod
    def read(
        cls,
        show: str | None,
        *,
        of: str | None,
        on: str | None,
        measure: str | None,
        models: Sequence[str],
        datasets: Sequence[str],
    ) -> AskedShow:
        """Check that the options belong together, before any training."""
        for name, given in {"of": of, "on": on, "measure": measure}.items():
            if given is not None and name not in NEEDS[show]:
                shows = " and ".join(f"--show {s}" for s in NEEDS if name in NEEDS[s])
                raise RocUsageError(f"--{name} belongs to {shows}")
        if show == "ranks" and len(datasets) < 2:
            raise RocUsageError("--show ranks needs two files or more: ranks are over data sets")
        return cls(
            show=show,
            of=_models_of(show, of, models),
            on=_dataset_of(show, on, datasets),
            measure=measure or "auc",
        )

    def shown(self, found: AlgorithmComparison) -> Shown:
        """Make the tables and the figure of that part."""
        makers: dict[str | None, Callable[[AlgorithmComparison, AskedShow], Shown]] = {
            None: _verdicts,
            "p-values": _p_values,
            "ranks": _ranks,
            "pair": _pair,
            "losses": _losses,
            "distribution": _distribution,
        }
        return makers[self.show](found, self)


def _models_of(show: str | None, of: str | None, models: Sequence[str]) -> tuple[str, ...]:
    """The models that were named, in the order of --models; both of two where none was."""
    if "of" not in NEEDS[show]:
        return ()
    if of is None:
        if len(models) > 2:
            raise RocUsageError(f"--show {show} needs --of A,B: two of {', '.join(models)}")
        return tuple(models)
    named = [of] if show == "distribution" and "," not in of else read_names(of, "--of")
    if unknown := [name for name in named if name not in models]:
        hint = checks.did_you_mean(unknown[0], models)
        raise RocUsageError(f"--of must name models among {', '.join(models)}, got {unknown[0]!r}{hint}")
    if len(named) > 2:
        raise RocUsageError(f"--of must name two models at most, got {len(named)}")
    return tuple(name for name in models if name in named)


def _dataset_of(show: str | None, on: str | None, datasets: Sequence[str]) -> str:
    if on is None:
        if "on" in NEEDS[show] and len(datasets) > 1:
            raise RocUsageError(f"--show {show} needs --on NAME: one of {', '.join(datasets)}")
        return datasets[0]
    if on not in datasets:
        hint = checks.did_you_mean(on, datasets)
        raise RocUsageError(f"--on must be one of {', '.join(datasets)}, got {on!r}{hint}")
    return on


def _drawn(result: Result, **options: Any) -> Callable[[], Picture]:
    def picture() -> Picture:
        from rocscope import plotting

        return plotting.picture(result, **options)

    return picture


def _verdicts(found: AlgorithmComparison, _: AskedShow) -> Shown:
    return Shown(results=(), rows=rows_of(found), blocks=(), picture=_drawn(found))


# ---- Every test -------------------------------------------------------------------------------------------


def _p_values(found: AlgorithmComparison, _: AskedShow) -> Shown:
    from rocscope.algorithms.comparison import ROPE
    from rocscope.algorithms.paired_tests import CONDITIONAL

    methods = list(dict.fromkeys(test.method for row in found.tests for test in row.tests))
    given = {test.method for row in found.tests for test in row.tests if test.conditional}
    header = [f"{method}*" if method in given else method for method in methods]
    rows = tuple(
        (row.dataset, f"{row.first} - {row.second}", row.measure, *_answers(row, methods))
        for row in found.tests
    )
    blocks: list[Block] = [TextTable(("data set", "first - second", "of", *header), rows)]
    if "bayes-t" in methods:
        more = f"the first is larger by more than {ROPE:g}"
        blocks.append(f"bayes-t: probability that {more}; the others: p-values")
    blocks += [f"* {CONDITIONAL}"] if given else []
    return Shown(results=(), rows=_test_rows(found), blocks=blocks, picture=_drawn(found))


def _answers(row: PairTests, methods: Sequence[str]) -> tuple[str, ...]:
    by_method = {test.method: test for test in row.tests}
    return tuple(_answer(by_method[name]) if name in by_method else "" for name in methods)


def _answer(test: LearnerTest) -> str:
    return figure(test.p_value if test.posterior is None else test.posterior[2])


def _test_rows(found: AlgorithmComparison) -> list[dict[str, Any]]:
    names = ("dataset", "first", "second", "measure")
    return [
        {name: row[name] for name in names} | {name: test[name] for name in test.keys()}  # noqa: SIM118
        for row in found.tests
        for test in row.tests
    ]


# ---- Ranks ------------------------------------------------------------------------------------------------


def _ranks(found: AlgorithmComparison, _: AskedShow) -> Shown:
    header = (
        "by",
        "first - second",
        "wins",
        "ties",
        "losses",
        "p (t)",
        "p (Wilcoxon)",
        "p (Nemenyi)",
        "p (Holm)",
    )
    pairs = [(one.measure, row) for one in found.ranks.values() for row in one.pairs]
    rows = tuple(
        (
            measure,
            f"{row.first} - {row.second}",
            *(str(row[name]) for name in ("wins", "ties", "losses")),
            *(figure(row[name]) for name in ("p_t", "p_wilcoxon", "p_nemenyi", "p_holm")),
        )
        for measure, row in pairs
    )
    return Shown(
        results=(),
        rows=[{"measure": measure} | dict(row) for measure, row in pairs],
        blocks=[TextTable(header, rows)],
        picture=_drawn(found, show="ranks"),
    )


# ---- Two models, one data set -----------------------------------------------------------------------------


def _pair(found: AlgorithmComparison, asked: AskedShow) -> Shown:
    from rocscope.algorithms.distribution import algorithm_pair

    first, second = asked.of
    result = algorithm_pair(found, asked.on, first, second)
    by_measure = {name: found.tests_of(asked.on, first, second, name).tests for name in ("auc", "error")}
    tests = [f"{name} {test.summary()}" for name, rows in by_measure.items() for test in rows]
    return Shown(
        results=[result.to_dict()],
        rows=rows_of(result),
        blocks=[result.summary(), *tests],
        picture=_drawn(result),
    )


def _distribution(found: AlgorithmComparison, asked: AskedShow) -> Shown:
    from rocscope.algorithms.distribution import fold_distribution

    measure = cast("Measure", asked.measure)
    results = [fold_distribution(found, asked.on, name, measure=measure) for name in asked.of]
    header = ("model", f"mean {asked.measure}", "sd", "normal: p", "fold correlation")
    rows = tuple(
        (
            one.algorithm,
            number(one.mean),
            number(one.sd),
            figure(one.normality.p_value),
            number(one.fold_correlation.value),
        )
        for one in results
    )
    intervals = tuple(
        (one.algorithm, estimate.method, number(estimate.value), interval_ends(estimate.low, estimate.high))
        for one in results
        for estimate in one.single
    )
    once = ("one training", "method", "AUC", interval_name(found.level, "two-sided"))
    return Shown(
        results=[one.to_dict() for one in results],
        rows=[{"algorithm": one.algorithm} | row for one in results for row in rows_of(one)],
        blocks=[TextTable(header, rows), "", TextTable(once, intervals)],
        picture=lambda: _distributions(results),
    )


def _distributions(results: Sequence[Any]) -> Picture:
    from rocscope.plotting.algorithms import distributions

    return distributions(results)


# ---- Losses -----------------------------------------------------------------------------------------------


def _losses(found: AlgorithmComparison, asked: AskedShow) -> Shown:
    from rocscope.algorithms.losses import loss_curves

    result, few = loss_curves(found, asked.on), loss_curves(found, asked.on, lambdas=LAMBDAS)
    header = ("cost of a false positive", "threshold", *few.algorithms)
    rows = tuple(
        (f"{lam:g}", number(theta), *map(number, losses))
        for lam, theta, losses in zip(few.lambdas, few.thresholds, few.mean.T, strict=True)
    )
    crossings = [
        f"mean curves of {row.first} and {row.second}: {_relation(row.fpr, row.dominant)}"
        for row in result.crossings
    ]
    left = [f"left out, no probabilities: {', '.join(result.left_out)}"] if result.left_out else []
    return Shown(
        results=[result.to_dict()],
        rows=rows_of(result),
        blocks=[TextTable(header, rows), result.summary(), *crossings, *left],
        picture=_drawn(result),
        notes=result.warnings,
    )


def _relation(fpr: Sequence[float], dominant: str | None) -> str:
    if fpr:
        return f"cross at FPR {', '.join(f'{rate:.3f}' for rate in fpr)}"
    return f"{dominant} is nowhere below" if dominant else "the same"


# ---- A comparison of algorithms as lines and tables for people --------------------------------------------

MEASURES = ("auc", "error")
Block = str | TextTable


def figure(p: float | None) -> str:
    """A p-value for people."""
    return number(p, ".3g")


def head(found: AlgorithmComparison) -> str:
    """How the values came about."""
    folds = f"{found.repeats} x {found.folds}" if found.repeats > 1 else str(found.folds)
    how = {
        "kfold": f"{folds} left-out folds",
        "repeated": f"{folds} left-out folds",
        "5x2": "5 x 2 halves",
        "holdout": f"{folds} folds of two thirds, all tested on the third that was set aside",
    }
    return f"{len(found.algorithms)} models, {how[found.protocol]}"


def values(found: AlgorithmComparison) -> TextTable:
    """Mean and standard deviation of AUC and error over the folds."""
    rows = []
    for d, data in enumerate(found.datasets):
        size = f"{data.n_pos} {data.positive}, {data.n_neg} {data.negative}"
        for a, model in enumerate(found.algorithms):
            by_fold = [getattr(found, measure)[d, a] for measure in MEASURES]
            cells = [number(float(f(row))) for row in by_fold for f in (np.mean, _sd)]
            rows.append((data.name if not a else "", size if not a else "", model, *cells))
    return TextTable(("data set", "cases", "model", "AUC", "sd", "error", "sd"), tuple(rows))


def _sd(row: np.ndarray[tuple[int, ...], np.dtype[np.float64]]) -> float:
    return float(row.std(ddof=1))


def verdicts(found: AlgorithmComparison) -> list[Block]:
    """For every pair what both tests say, and the tests they are."""
    from rocscope.algorithms.paired_tests import CONDITIONAL

    header = ["data set", "first - second"]
    for name in ("AUC", "error"):
        header += [f"{name} difference", "p", "p (Holm)", f"better {name}"]
    rows = [
        (
            row.dataset,
            f"{row.first} - {row.second}",
            *_cells(row.auc),
            *_cells(row.error),
            row.case or "undefined",
        )
        for row in found.verdicts
    ]
    tests = ", ".join(f"{measure} by {method}" for measure, method in found.verdict_test.items())
    told = f"tests at level {1 - found.level:g}: {tests.replace('auc', 'AUC')}"
    table = TextTable((*header, "verdict"), tuple(rows))
    return [f"{told}, {CONDITIONAL}" if found.conditional else told, table]


def _cells(test: Measured) -> tuple[str, ...]:
    difference = number(test.difference, "+.4f")
    return difference, figure(test.p_value), figure(test.p_holm), test.winner or "-"


def cases(found: AlgorithmComparison) -> TextTable:
    """The four cases counted, and with the p-values of each data set adjusted for its pairs."""
    counts = [found.cases(adjust) for adjust in ("none", "holm", "bonferroni")]
    rows = [
        (case, *(str(count[case]) for count in counts)) for case in counts[0] if any(c[case] for c in counts)
    ]
    return TextTable(("pairs of models", "each test alone", "Holm", "Bonferroni"), tuple(rows))


def ranks(found: AlgorithmComparison) -> list[Block]:
    """Average ranks by both measures, and whether they differ at all."""
    by_measure = [found.ranks[measure] for measure in MEASURES]
    columns = [
        ["undefined"] * len(found.algorithms)
        if one.average_ranks is None
        else [f"{rank:.2f}" for rank in one.average_ranks]
        for one in by_measure
    ]
    rows = tuple(zip(found.algorithms, *columns, strict=True))
    blocks: list[Block] = [TextTable(("model", "rank by AUC", "rank by error"), rows)]
    for name, one in zip(("AUC", "error"), by_measure, strict=True):
        if one.friedman is None or one.critical_difference is None:
            blocks.append(f"ranks by {name} undefined: {one.reason}")
            continue
        p = f"Friedman p = {figure(one.friedman.p_value)}"
        reach = f"critical difference {one.critical_difference:.2f} (Nemenyi, level {1 - one.level:g})"
        blocks.append(f"ranks by {name} over {one.n_datasets} data sets: {p}, {reach}")
    return blocks
