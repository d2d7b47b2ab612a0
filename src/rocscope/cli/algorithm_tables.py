"""A comparison of algorithms as lines and tables for people."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from rocscope.cli.tables import TextTable, number

if TYPE_CHECKING:
    from rocscope.algorithms.comparison import AlgorithmComparison
    from rocscope.algorithms.verdicts import Measured

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
    from rocscope.algorithms.learner_tests import CONDITIONAL

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
