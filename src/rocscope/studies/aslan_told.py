"""What the trainings of `aslan` say: the four cases beside the paper's counts, every pair, the figures."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from rocscope.algorithms.assemble import assemble
from rocscope.algorithms.battery import Conditions
from rocscope.algorithms.common_test import METHODS as OVER_CASES
from rocscope.algorithms.comparison import AlgorithmComparison, Records
from rocscope.algorithms.distribution import fold_distribution
from rocscope.algorithms.pair import algorithm_pair
from rocscope.algorithms.problems import Problem
from rocscope.algorithms.protocol import Fold, Protocol
from rocscope.algorithms.verdicts import CASES
from rocscope.core.curve import roc_curve
from rocscope.studies.aslan_notes import CHOSEN, INCONSISTENT, MISSING, SAME
from rocscope.studies.base import Figure, Options, Table, Told, table_row
from rocscope.studies.learners import DIFFERENCES

ALPHA = 0.05
# Section IV.B, in the order of CASES: of 150 comparisons.
PAPER = dict(zip(CASES, (1, 10, 9, 130), strict=True))
PAPER_TEST = {"auc": "paired-t", "error": "paired-t"}
# The tests of each protocol, the one behind the verdicts first: names of the AUC test and of the error test.
TESTS = {
    "holdout": [PAPER_TEST, *({"auc": one, "error": one} for one in ("corrected-t", "wilcoxon")), OVER_CASES],
    "kfold": [
        {"auc": one, "error": one} for one in ("corrected-t", "paired-t", "wilcoxon", "sign", "permutation")
    ],
    "5x2": [{"auc": one, "error": one} for one in ("5x2cv-f", "5x2cv-t")],
}
# Figures 2 to 7: data set and pair, in our order of learners, and the case that the paper reports.
EXAMPLES = {
    "figure_2": ("chess", "C4.5", "Ripper", CASES[0]),
    "figure_3": ("report", "k-NN", "Ripper", CASES[1]),
    "figure_4": ("shuttle", "k-NN", "NB", CASES[2]),
    "figure_5": ("nursery", "C4.5", "LP", CASES[3]),
    "figure_6": ("ada", "LP", "Ripper", CASES[1]),
    "figure_7": ("ada", "LP", "k-NN", CASES[3]),
}
INTERVALS = ("figure_6", "figure_7")
# Section II.B: losses of a false positive whose thresholds are marked on the curve of figure 1.
LOSSES = (0.5, 1, 2, 10)


def compare(
    learners: Sequence[str],
    problems: Sequence[Problem],
    plan: Protocol,
    splits: Sequence[Sequence[Fold]],
    records: Records,
) -> AlgorithmComparison:
    """The comparison under one protocol; its verdicts rest on the first of that protocol's tests."""
    conditions = Conditions(
        test_over_train=plan.test_over_train, halves=plan.name == "5x2", level=1 - ALPHA, rope=0.01, rng=0
    )
    names = dict.fromkeys(learners)
    return assemble(names, problems, plan, splits, records, [], TESTS[plan.name][0], conditions)


def tell(compared: Mapping[str, AlgorithmComparison], absent: Sequence[str], options: Options) -> Told:
    """Make tables, figures and notes."""
    cases = list(_case_rows(compared))
    figures, drawn = _figures(compared["holdout"])
    notes = [f"{row.name}: {row.note}." for row in compared["holdout"].datasets if row.note]
    failed = [f"{protocol}: {one}." for protocol, found in compared.items() for one in found.failures]
    return Told(
        tables=(
            Table(name="cases", rows=cases),
            Table(name="pairs", rows=list(_pair_rows(compared))),
            Table(name="learners", rows=list(_learner_rows(compared))),
        ),
        figures=tuple(figures),
        findings=(*_findings(compared, cases), *_examples(compared)),
        same=SAME,
        chosen=(
            *CHOSEN,
            *(f"{name}: {text}." for name, text in DIFFERENCES.items()),
            *_size_words(options),
            *notes,
            *drawn,
        ),
        missing=(*MISSING, *_absent_words(absent), *failed),
        inconsistent=INCONSISTENT,
    )


# ---- Tables -----------------------------------------------------------------------------------------------


def case_of(found: AlgorithmComparison, pair: tuple[str, str, str], test: Mapping[str, str]) -> str | None:
    """Which of the four cases a pair is by these tests; None where one of them is undefined."""
    p = [found.tests_of(*pair, measure).test(test[measure]).p_value for measure in ("error", "auc")]
    by_error, by_auc = (None if one is None else one < ALPHA for one in p)
    return None if by_error is None or by_auc is None else CASES[2 * by_error + by_auc]


def _pairs(found: AlgorithmComparison) -> list[tuple[str, str, str]]:
    return [(row.name, *pair) for row in found.datasets for pair in found.pairs()]


def _test_words(test: Mapping[str, str]) -> str:
    return " and ".join(dict.fromkeys(test.values()))


def _case_rows(compared: Mapping[str, AlgorithmComparison]) -> Iterator[dict[str, Any]]:
    """Shares of the four cases by every test; the paper's beside its own test under its own protocol."""
    for protocol, found in compared.items():
        for test in TESTS[protocol]:
            cases = [case_of(found, pair, test) for pair in _pairs(found)]
            is_paper = protocol == "holdout" and test == PAPER_TEST
            for case in CASES:
                yield _case_row(cases, case, is_paper, protocol=protocol, test=_test_words(test))


def _case_row(cases: Sequence[str | None], case: str, is_paper: bool, **names: Any) -> dict[str, Any]:
    known = [one for one in cases if one is not None]
    paper = PAPER[case] / sum(PAPER.values()) if is_paper else None
    counts = {
        "case": case,
        "count": known.count(case),
        "pairs": len(known),
        "undefined": len(cases) - len(known),
        "paper_count": PAPER[case] if is_paper else None,
    }
    ours = known.count(case) / len(known) if known else None
    return table_row(paper, ours, None, **names, **counts)


def _pair_rows(compared: Mapping[str, AlgorithmComparison]) -> Iterator[dict[str, Any]]:
    """Every pair on every data set by every test: difference of the mean AUCs, first less second."""
    told = {example[:3]: example[3] for example in EXAMPLES.values()}
    for protocol, found in compared.items():
        for pair in _pairs(found):
            for test in TESTS[protocol]:
                rows = {measure: found.tests_of(*pair, measure).test(test[measure]) for measure in test}
                is_paper = protocol == "holdout" and test == PAPER_TEST
                yield table_row(
                    None,
                    rows["auc"].difference,
                    None,
                    dataset=pair[0],
                    first=pair[1],
                    second=pair[2],
                    protocol=protocol,
                    test=_test_words(test),
                    p_auc=rows["auc"].p_value,
                    p_error=rows["error"].p_value,
                    error_difference=rows["error"].difference,
                    conditional=rows["auc"].conditional,
                    case=case_of(found, pair, test),
                    paper_case=told.get(pair) if is_paper else None,
                )


def _learner_rows(compared: Mapping[str, AlgorithmComparison]) -> Iterator[dict[str, Any]]:
    """Mean and deviation over the folds of every learner on every data set."""
    for protocol, found in compared.items():
        for d, dataset in enumerate(found.datasets):
            for a, learner in enumerate(found.algorithms):
                for measure in ("auc", "error"):
                    values = getattr(found, measure)[d, a]
                    known = values[np.isfinite(values)]
                    mean, sd = (
                        (known.mean().item(), known.std(ddof=1).item()) if len(known) > 1 else (None, None)
                    )
                    names = {"dataset": dataset.name, "learner": learner, "protocol": protocol}
                    yield table_row(None, mean, None, **names, measure=measure, fold_sd=sd, folds=len(known))


# ---- Figures ----------------------------------------------------------------------------------------------


def _figures(found: AlgorithmComparison) -> tuple[list[Figure], list[str]]:
    """Figures of the paper's own pairs; where one cannot be had, of a pair of the same case."""
    once = found.singles[0][found.algorithms.index("LP")]
    curve = roc_curve(once.positive, once.score)
    # Of each loss the last vertex whose threshold is not below it.
    marked = [int(np.count_nonzero(curve.thresholds >= one / (1 + one))) - 1 for one in LOSSES]
    figures = [Figure(name="figure_1", result=curve, options={"points": marked})]
    told = [f"Figure 1: LP on {found.datasets[0].name}; the paper does not say what its example is."]
    for name, (*pair, case) in EXAMPLES.items():
        dataset, first, second = pair
        shown = (
            (dataset, first, second)
            if dataset in [row.name for row in found.datasets]
            else _other(found, case)
        )
        if shown is None:
            told.append(f"{_figure_words(name)}: no pair here is a case of '{case}'.")
            continue
        figures.append(_figure(found, name, shown))
        told.append(f"{_figure_words(name)}: {shown[1]} and {shown[2]} on {shown[0]}.")
    return figures, told


def _figure_words(name: str) -> str:
    return name.replace("_", " ").capitalize()


def _other(found: AlgorithmComparison, case: str) -> tuple[str, str, str] | None:
    return next((pair for pair in _pairs(found) if case_of(found, pair, PAPER_TEST) == case), None)


def _figure(found: AlgorithmComparison, name: str, pair: tuple[str, str, str]) -> Figure:
    if name not in INTERVALS:
        return Figure(name=name, result=algorithm_pair(found, *pair))
    dataset, *both = pair
    first, second = (fold_distribution(found, dataset, one) for one in both)
    return Figure(
        name=name, result=first, beside=(second,), titles=tuple(f"{one} on {dataset}" for one in both)
    )


# ---- Words ------------------------------------------------------------------------------------------------


def _findings(
    compared: Mapping[str, AlgorithmComparison], cases: Sequence[Mapping[str, Any]]
) -> Iterator[str]:
    printed = "/".join(str(count) for count in PAPER.values())
    yield (
        f"Cases are counted in the order of the paper: {'; '.join(CASES)}. The paper: {printed} of "
        f"{sum(PAPER.values())}."
    )
    for protocol in compared:
        for test in TESTS[protocol]:
            rows = [row for row in cases if (row["protocol"], row["test"]) == (protocol, _test_words(test))]
            counts = "/".join(str(row["count"]) for row in rows)
            given = ", conditional on this test set" if _is_conditional(protocol, test) else ""
            yield f"{PROTOCOL_WORDS[protocol]}, {_test_words(test)}{given}: {counts} of {rows[0]['pairs']}."
    yield _remaining(cases)


def _is_conditional(protocol: str, test: Mapping[str, str]) -> bool:
    return protocol == "holdout" and test != OVER_CASES


def _remaining(cases: Sequence[Mapping[str, Any]]) -> str:
    both = {(row["protocol"], row["test"]): row for row in cases if row["case"] == CASES[3]}
    naive = both["holdout", _test_words(PAPER_TEST)]
    others = {
        "over the cases of the same test set": both["holdout", _test_words(OVER_CASES)],
        "over left-out folds with the corrected t test": both["kfold", "corrected-t"],
        "by the 5x2cv F test": both["5x2", "5x2cv-f"],
    }
    told = "; ".join(f"{words} {row['count']} of {row['pairs']}" for words, row in others.items())
    return (
        f"What remains of the rejections by both tests: under the paper's protocol {naive['count']} of "
        f"{naive['pairs']} (the paper: {PAPER[CASES[3]]} of {sum(PAPER.values())}); {told}."
    )


def _examples(compared: Mapping[str, AlgorithmComparison]) -> Iterator[str]:
    """The pairs that the paper names, where their data set is at hand."""
    found = compared["holdout"]
    names = [row.name for row in found.datasets]
    for name, (dataset, first, second, case) in EXAMPLES.items():
        if dataset in names:
            ours = case_of(found, (dataset, first, second), PAPER_TEST)
            yield f"{_figure_words(name)}, {first} and {second} on {dataset}: the paper {case}, ours {ours}."


def _size_words(options: Options) -> Iterator[str]:
    if options.is_quick:
        yield (
            "The quick form takes four of the smaller data sets, 1,500 cases of each drawn class by class, "
            "and ten folds where the paper has 30: fewer rejections are to be expected of that alone."
        )


def _absent_words(absent: Sequence[str]) -> Iterator[str]:
    if absent:
        yield f"Not in this run: {', '.join(absent)}."


PROTOCOL_WORDS = {
    "holdout": "The paper's protocol (folds of two thirds, one common test third)",
    "kfold": "Left-out folds",
    "5x2": "Five times two halves",
}
