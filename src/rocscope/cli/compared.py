"""Curves compared, as lines and tables for people."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from rocscope.cli.areas import RowSamples, sample_curve
from rocscope.cli.tables import TextTable, interval_name, number, printable

if TYPE_CHECKING:
    from rocscope.area.compare import CurveComparison, PairDifference
    from rocscope.area.crossing import CurveCrossings

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
    from rocscope.area.compare import compare_auc

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
    from rocscope.area.crossing import crossings

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
