"""`rocscope compare`: do the areas of several ROC curves differ?"""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from rocscope.cli import options
from rocscope.cli.areas import (
    Areas,
    RowSamples,
    area,
    area_notes,
    area_table,
    curves_picture,
    sample_curve,
    score_warnings,
    split,
)
from rocscope.cli.options import Draws, read_range
from rocscope.cli.output import Answer, Output, TextTable, describe, interval_name, number, printable
from rocscope.cli.reading import DRAWN_CURVES, needing, opened
from rocscope.errors import ResourceError, RocInputError, RocUsageError, UndefinedError

if TYPE_CHECKING:
    from rocscope.core.scores import BinaryScores
    from rocscope.inference.compare import CurveComparison, PairDifference
    from rocscope.inference.crossings import CurveCrossings
    from rocscope.io.local import LocalFile

__all__ = ["EXAMPLES", "compare", "compared", "comparison_blocks"]

EXAMPLES = (
    "rocscope compare scores.csv --label outcome --pos-label ill --score a --score b",
    "rocscope compare scores.csv --label y --score a --score b --score c --out roc.svg",
    "rocscope compare scores.csv --label y --score a --group site",
    "rocscope compare scores.csv --label y --score a --score b --margin 0.05",
    "rocscope compare scores.csv --label y --score a --score b --method bootstrap --fpr 0,0.1 --seed 1",
    "rocscope compare scores.csv --label y --score a --score b --method sensitivity --at 0.1 --seed 1",
)
METHODS = "delong, bootstrap, hanley-mcneil, permutation, venkatraman, sensitivity or specificity"
AT_A_POINT = ("sensitivity", "specificity")
REPLICATES = ("bootstrap", *AT_A_POINT)
# Methods that draw at random; permutation does not where it tries every exchange.
CHANCE = ("bootstrap", "permutation", "venkatraman", *AT_A_POINT)

# A pair of curves on its way to the answer: its tests, its crossings, its words.
PAIR_BYTES = 6_000


def compare(
    file: options.File,
    label: options.Label,
    score: options.Scores,
    pos_label: options.PosLabel = None,
    group: Annotated[
        str | None,
        typer.Option("--group", metavar="COLUMN", help="Compare one score between the groups of a column."),
    ] = None,
    method: Annotated[str, typer.Option("--method", help=f"{METHODS}.")] = "delong",
    margin: Annotated[
        float | None,
        typer.Option("--margin", help="Largest difference that does not matter: test for equivalence too."),
    ] = None,
    at: Annotated[
        float | None,
        typer.Option("--at", metavar="RATE", help="FPR of method sensitivity, TPR of method specificity."),
    ] = None,
    fpr: options.Fpr = None,
    tpr: options.Tpr = None,
    standardize: options.Standardize = False,
    n_boot: options.NBoot = None,
    bootstrap: Annotated[
        Literal["normal", "percentile"] | None,
        typer.Option("--bootstrap", help="What bootstrap draws make interval and p of; normal unless given."),
    ] = None,
    seed: options.Seed = None,
    level: options.Level = 0.95,
    alternative: options.Alternative = "two-sided",
    na: options.Na = "error",
    format: options.Format = None,
    memory_limit: options.MemoryLimit = None,
    temp_limit: options.TempLimit = None,
    json: options.Json = False,
    out: options.Out = None,
    force: options.Force = False,
) -> None:
    """Compare the areas of several scores, or of one score between groups.

    A test of all areas together, and of every pair with Holm's adjustment; DeLong's unless --method says
    otherwise. Differences are first minus second, in the order of the options (of groups: sorted). With
    --na drop a row that lacks any of the values is left out of all curves.

    Bootstrap compares partial areas too (--fpr, --tpr); sensitivity and specificity compare single points
    (--at); venkatraman compares whole curves, not areas. With --margin each pair is tested for equivalence:
    for --alternative greater, whether the first is not inferior.

    Last, for every pair: where the two curves cross, or which one is nowhere below the other.
    """
    from rocscope.io.files import read_scores

    output = Output(json, out, force)
    _check_usage(label, score, group)
    _check_method(method, at, n_boot, bootstrap)
    ranges = {"fpr": read_range(fpr, "--fpr"), "tpr": read_range(tpr, "--tpr"), "standardize": standardize}
    draws = Draws.read(n_boot, seed, used=method in CHANCE)
    output.check(file)
    with opened(file, format, memory_limit, temp_limit) as source:
        _check_pairs(source, len(score))
        if method in AT_A_POINT or fpr or tpr:
            source = needing(source, len(score) * DRAWN_CURVES)
        data = read_scores(source, label=label, score=score, pos_label=pos_label, fold=group, na=na)
        described = describe(source)
    samples = split(data) if group is None else by_group(data, group)
    _check_pairs(source, len(samples))
    areas = {name: area(sample, level=level) for name, sample in samples.items()}
    result = compared(
        samples,
        paired=group is None,
        level=level,
        alternative=alternative,
        method=method,
        margin=margin,
        at=at,
        bootstrap=bootstrap or "normal",
        **ranges,
        **draws.options,
    )
    crossed = pair_crossings(samples, result)
    output.deliver(
        Answer(
            command="compare",
            source=described | draws.told,
            results=[result.to_dict() | {"crossings": [pair.to_dict() for pair in crossed]}],
            rows=[_row(pair) for pair in result.pairs],
            blocks=[
                area_table(samples, areas, group or "score"),
                *comparison_blocks(result),
                *crossing_blocks(crossed),
            ],
            notes=[*_notes(result, data, samples, areas), *draws.notes],
            picture=lambda: curves_picture(samples, areas),
        )
    )
    if result.p_value is None and all(pair.p_value is None for pair in result.pairs):
        what = "areas" if result.quantity == "AUC" else "curves"
        raise UndefinedError(f"the {what} cannot be compared: {result.reason}")


def _check_usage(label: str, score: Sequence[str], group: str | None) -> None:
    if group is None and len(score) < 2:
        raise RocUsageError("compare needs --score at least twice, or --group")
    if group is not None and len(score) != 1:
        raise RocUsageError(f"--group compares one score between groups, got {len(score)} scores")
    if group is not None and group in (label, *score):
        raise RocUsageError(f"--group must be another column than label and score, got {group!r} for both")


def _check_method(method: str, at: float | None, n_boot: int | None, bootstrap: str | None) -> None:
    if n_boot is not None and method not in CHANCE:
        raise RocUsageError(f"--n-boot belongs to the methods {', '.join(CHANCE)}, got method {method!r}")
    if bootstrap is not None and method not in REPLICATES:
        told = f"--bootstrap belongs to the methods {', '.join(REPLICATES)}"
        raise RocUsageError(f"{told}, got method {method!r}")
    if method in AT_A_POINT and at is None:
        raise RocUsageError(f"--method {method} needs --at, the rate that is held fixed")


def _check_pairs(source: LocalFile, curves: int) -> None:
    """Refuse more pairs than the memory holds, before they are compared."""
    from rocscope.io.local import show_size

    limit, pairs = source.limits.memory, curves * (curves - 1) // 2
    if limit is not None and PAIR_BYTES * pairs > limit:
        raise ResourceError(
            f"{curves:,} curves have {pairs:,} pairs, which need {show_size(PAIR_BYTES * pairs)} in memory, "
            f"and the --memory-limit is {show_size(limit)}: give a larger one, or compare fewer"
        )


def by_group(data: BinaryScores, group: str) -> dict[str, BinaryScores]:
    """One sample per group of cases, in sorted order."""
    from rocscope.core.scores import distinct_labels

    assert data.fold is not None
    names = distinct_labels(data.fold)
    if len(names) < 2:
        raise RocInputError(f"column {group!r} must hold two or more groups, got only {names[0]!r}")
    return {str(name): _part(data, data.fold == name, f"group {name!r} of {group!r}") for name in names}


def _part(data: BinaryScores, rows: Any, where: str) -> BinaryScores:
    positive = data.positive[rows]
    if positive.all() or not positive.any():
        only = data.pos_label if positive.all() else data.neg_label
        raise RocInputError(f"{where} must hold two classes, got only {only!r}")
    return dataclasses.replace(
        data, positive=positive, columns=tuple(column[rows] for column in data.columns), fold=None
    )


def _notes(result: CurveComparison, data: BinaryScores, samples: RowSamples, areas: Areas) -> list[str]:
    """What holds for all curves once, what holds for one with its name."""
    of_some = {text for sample in samples.values() for text in sample.warnings}
    of_all = {text for text in of_some if all(text in sample.warnings for sample in samples.values())}
    of_some |= set(score_warnings(data, data.names))
    reasons = [f"{pair.first} - {pair.second}: {pair.reason}" for pair in result.pairs if pair.reason]
    of_result = [text for text in result.warnings if text in of_all or text not in of_some]
    return [*of_result, *reasons, *area_notes(areas, of_all)]


def _row(pair: PairDifference) -> dict[str, Any]:
    return {name: pair[name] for name in pair.keys()}  # noqa: SIM118


# ---- Curves compared, as lines and tables for people ------------------------------------------------------

# Tests by exchange make no interval of their own and show DeLong's.
WITHOUT_INTERVAL = ("permutation", "venkatraman")
# Crossings are found in exact whole numbers, which take seconds and much memory beyond so many vertices.
MOST_VERTICES = 100_000
# So many crossings of a pair are told; JSON has all.
TOLD_CROSSINGS = 8


def compared(
    samples: RowSamples, *, paired: bool, level: float, alternative: Any, **how: Any
) -> CurveComparison:
    """Compare the curves of samples, keeping the warnings of the data; `how` are options of compare_auc."""
    from rocscope.inference.compare import compare_auc

    labels = {name: data.positive for name, data in samples.items()}
    result = compare_auc(
        next(iter(labels.values())) if paired else labels,
        {name: data.columns[0] for name, data in samples.items()},
        paired=paired,
        level=level,
        alternative=alternative,
        **how,
    )
    warnings = [text for data in samples.values() for text in data.warnings]
    return dataclasses.replace(result, warnings=(*dict.fromkeys([*warnings, *result.warnings]),))


def comparison_blocks(result: CurveComparison) -> list[str | TextTable]:
    """What is compared beside the areas, the joint test as a line, and the pairs as a table."""
    test = f"{_subject(result)}: {_test_words(result)}"
    blocks: list[str | TextTable] = ["", test, "", _pair_table(result)]
    return blocks if result.quantity == "AUC" else ["", _value_table(result), *blocks]


def _subject(result: CurveComparison) -> str:
    if result.kind == "E":
        return "Equal curves (not areas)"
    return "Equal areas" if result.quantity == "AUC" else f"Equal {result.quantity}"


def _value_table(result: CurveComparison) -> TextTable:
    rows = zip(result.names, result.auc.tolist(), strict=True)
    return TextTable(("curve", result.quantity), tuple((name, number(value)) for name, value in rows))


def _test_words(result: CurveComparison) -> str:
    if result.p_value is None:
        return f"no test, {result.reason}"
    df = "" if result.df is None else f", df = {result.df:.4g}"
    how = [result.method, "paired" if result.paired else "unpaired", result.alternative]
    if result.n_resamples is not None:
        how.insert(1, f"{result.n_resamples} draws")
    if result.by_percentiles:
        how.insert(1, "p by percentiles")
    figures = f"{_statistic(result)} = {result.statistic:.4g}{df}, p = {result.p_value:.4g}"
    return f"{figures} ({', '.join(how)})"


def _statistic(result: CurveComparison) -> str:
    if result.kind == "z" and result.df is not None:
        return "t"
    return {"z": "Z", "chi2": "chi-square"}.get(result.kind, result.kind)


def _pair_table(result: CurveComparison) -> TextTable:
    interval = interval_name(result.level, result.alternative)
    kind = result.pairs[0].interval
    interval += f" ({kind})" if result.method in WITHOUT_INTERVAL or kind == "percentile" else ""
    student = any(pair.df is not None for pair in result.pairs)
    statistic = "E" if result.kind == "E" else "t" if student else "Z"
    header = ["first - second", "difference", interval, statistic, "p", "Holm p"]
    if result.margin is not None:
        header += [f"within {result.margin:g}", "its p"]
    return TextTable(tuple(header), tuple(_pair_cells(pair, result) for pair in result.pairs))


def _pair_cells(pair: PairDifference, result: CurveComparison) -> tuple[str, ...]:
    ends = "undefined"
    if pair.low is not None and pair.high is not None:
        bound = {"greater": f">= {pair.low:.4f}", "less": f"<= {pair.high:.4f}"}
        ends = bound.get(result.alternative, f"{pair.low:.4f} to {pair.high:.4f}")
    tests = [number(value, ".4g") for value in (pair.statistic, pair.p_value, pair.p_adjusted)]
    cells = (f"{pair.first} - {pair.second}", f"{pair.difference:.4f}", ends, *tests)
    if result.margin is None:
        return cells
    verdict = {True: "yes", False: "not shown", None: "undefined"}[pair.equivalent]
    return (*cells, verdict, number(pair.p_equivalence, ".4g"))


@dataclass(frozen=True, slots=True, kw_only=True)
class PairCrossings:
    """Where the curves of a pair cross; `found` is None where they have too many vertices to be searched."""

    first: str
    second: str
    found: CurveCrossings | None

    @property
    def reason(self) -> str | None:
        """Why it is not known whether the curves cross."""
        if self.found is not None:
            return None
        return f"crossings are not sought in curves of more than {MOST_VERTICES} vertices together"

    def to_dict(self) -> dict[str, Any]:
        """The crossings, and which curve is nowhere below, as plain Python for JSON."""
        told = {} if self.found is None else self.found.to_dict()
        found = {name: told.get(name) for name in ("fpr", "tpr", "dominant")}
        return {"first": self.first, "second": self.second, **found, "reason": self.reason}

    def __str__(self) -> str:
        if self.found is None:
            return f"{self.first} and {self.second}: {self.reason}"
        both = f"{self.first} and {self.second}"
        told = {
            "first": f"{self.first} is nowhere below {self.second}",
            "second": f"{self.second} is nowhere below {self.first}",
            "equal": f"{both} have the same curve",
        }
        if self.found.dominant is not None:
            return told[self.found.dominant]
        return f"{both} cross at FPR {_rates(self.found.fpr.tolist())}"


def _rates(rates: Sequence[float]) -> str:
    shown = ", ".join(number(rate) for rate in rates[:TOLD_CROSSINGS])
    more = len(rates) - TOLD_CROSSINGS
    return shown if more <= 0 else f"{shown} and {more} more"


def pair_crossings(samples: RowSamples, result: CurveComparison) -> list[PairCrossings]:
    """Where the curves of every pair cross, or which of the two is nowhere below the other."""
    from rocscope.inference.crossings import crossings

    curves = {name: sample_curve(data) for name, data in samples.items()}
    pairs = []
    for pair in result.pairs:
        first, second = curves[pair.first], curves[pair.second]
        few = len(first.fpr) + len(second.fpr) <= MOST_VERTICES
        found = crossings(first, second) if few else None
        pairs.append(PairCrossings(first=pair.first, second=pair.second, found=found))
    return pairs


def crossing_blocks(pairs: Sequence[PairCrossings]) -> list[str | TextTable]:
    """One line per pair."""
    return ["", *(printable(str(pair)) for pair in pairs)]
