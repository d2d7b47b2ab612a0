"""`rocscope compare`: do the areas of several ROC curves differ?"""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Any

import typer

from rocscope.cli import options
from rocscope.cli.areas import Samples, area, area_notes, area_table, curves_picture, split
from rocscope.cli.output import Answer, Output, describe
from rocscope.cli.tables import TextTable, interval_name, number
from rocscope.errors import RocInputError, RocUsageError, UndefinedError

if TYPE_CHECKING:
    from rocscope.area.compare import CurveComparison, PairDifference
    from rocscope.core.scores import BinaryScores

EXAMPLES = (
    "rocscope compare scores.csv --label outcome --pos-label ill --score a --score b",
    "rocscope compare scores.csv --label y --score a --score b --score c --out roc.svg",
    "rocscope compare scores.csv --label y --score a --group site",
)


def compare(
    file: options.File,
    label: options.Label,
    score: options.Scores,
    pos_label: options.PosLabel = None,
    group: Annotated[
        str | None,
        typer.Option("--group", metavar="COLUMN", help="Compare one score between the groups of a column."),
    ] = None,
    level: options.Level = 0.95,
    alternative: options.Alternative = "two-sided",
    na: options.Na = "error",
    json: options.Json = False,
    out: options.Out = None,
    force: options.Force = False,
) -> None:
    """Compare the areas of several scores, or of one score between groups.

    DeLong's test of all areas together, and of every pair with Holm's adjustment. Differences are first
    minus second, in the order of the options (of groups: sorted). With --na drop a row that lacks any of
    the values is left out of all curves.
    """
    from rocscope.sources.files import read_scores
    from rocscope.sources.local import local_file

    output = Output(json, out, force)
    _check_usage(score, group)
    output.check()
    with local_file(file) as source:
        data = read_scores(source, label=label, score=score, pos_label=pos_label, fold=group, na=na)
        described = describe(source)
    samples = split(data) if group is None else by_group(data, group)
    areas = {name: area(sample, level=level) for name, sample in samples.items()}
    result = compared(samples, paired=group is None, level=level, alternative=alternative)
    output.deliver(
        Answer(
            command="compare",
            source=described,
            results=[result.to_dict()],
            rows=[_row(pair) for pair in result.pairs],
            blocks=[
                area_table(samples, areas, group or "score"),
                *comparison_blocks(result),
            ],
            notes=[*_notes(result), *area_notes(areas)],
            picture=lambda: curves_picture(samples, areas),
        )
    )
    if result.p_value is None and all(pair.p_value is None for pair in result.pairs):
        raise UndefinedError(f"the areas cannot be compared: {result.reason}")


def _check_usage(score: Sequence[str], group: str | None) -> None:
    if group is None and len(score) < 2:
        raise RocUsageError("compare needs --score at least twice, or --group")
    if group is not None and len(score) != 1:
        raise RocUsageError(f"--group compares one score between groups, got {len(score)} scores")
    if group in score:
        raise RocUsageError(f"--group must be another column than the score, got {group!r} for both")


def by_group(data: BinaryScores, group: str) -> dict[str, BinaryScores]:
    """One sample per group of cases, in sorted order."""
    from rocscope.core.labels import distinct_labels

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


def compared(samples: Samples, *, paired: bool, level: float, alternative: Any) -> CurveComparison:
    """Compare the areas of samples, keeping the warnings of the data."""
    from rocscope.area.compare import compare_auc

    labels = {name: data.positive for name, data in samples.items()}
    result = compare_auc(
        next(iter(labels.values())) if paired else labels,
        {name: data.columns[0] for name, data in samples.items()},
        paired=paired,
        level=level,
        alternative=alternative,
    )
    warnings = [text for data in samples.values() for text in data.warnings]
    return dataclasses.replace(result, warnings=(*dict.fromkeys([*warnings, *result.warnings]),))


def comparison_blocks(result: CurveComparison) -> list[str | TextTable]:
    """The joint test as a line, and the pairs as a table."""
    return ["", f"Equal areas: {_test_words(result)}", "", _pair_table(result)]


def _test_words(result: CurveComparison) -> str:
    if result.p_value is None:
        return f"no test, {result.reason}"
    name = {"z": "Z" if result.df is None else "t", "chi2": "chi-square"}[result.kind]
    df = "" if result.df is None else f", df = {result.df:.4g}"
    how = "paired" if result.paired else "unpaired"
    figures = f"{name} = {result.statistic:.4g}{df}, p = {result.p_value:.4g}"
    return f"{figures} ({result.method}, {how}, {result.alternative})"


def _pair_table(result: CurveComparison) -> TextTable:
    interval = interval_name(result.level, result.alternative)
    statistic = "Z" if result.paired else "t"
    header = ("first - second", "difference", interval, statistic, "p", "Holm p")
    return TextTable(header, tuple(_pair_cells(pair, result.alternative) for pair in result.pairs))


def _pair_cells(pair: PairDifference, alternative: str) -> tuple[str, ...]:
    ends = "undefined"
    if pair.low is not None and pair.high is not None:
        bound = {"greater": f">= {pair.low:.4f}", "less": f"<= {pair.high:.4f}"}
        ends = bound.get(alternative, f"{pair.low:.4f} to {pair.high:.4f}")
    tests = [number(value, ".4g") for value in (pair.statistic, pair.p_value, pair.p_adjusted)]
    return (f"{pair.first} - {pair.second}", f"{pair.difference:.4f}", ends, *tests)


def _notes(result: CurveComparison) -> list[str]:
    reasons = [f"{pair.first} - {pair.second}: {pair.reason}" for pair in result.pairs if pair.reason]
    return [*result.warnings, *reasons]


def _row(pair: PairDifference) -> dict[str, Any]:
    return {name: pair[name] for name in pair.keys()}  # noqa: SIM118
