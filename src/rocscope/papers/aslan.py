"""Aslan, Yildiz and Alpaydin (2009): the four cases of AUC test and error test, and figures 1 to 7.

Five learners on the same folds of each data set, under three protocols: the paper's, whose fold models are
all tested on one common third; left-out folds; and five times two halves. One task trains one learner on a
block of folds of one data set.
"""

from __future__ import annotations

import base64
import zlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.random import SeedSequence
from numpy.typing import NDArray

from rocscope.algorithms.comparison import CASES, AlgorithmComparison, Records, assemble
from rocscope.algorithms.distribution import algorithm_pair, fold_distribution
from rocscope.algorithms.paired_tests import Conditions
from rocscope.algorithms.protocol import (
    Protocol,
    ProtocolName,
    plan_folds,
    plan_single,
    read_datasets,
    read_protocol,
)
from rocscope.algorithms.records import OVER_CASES, FoldRecord, train_fold
from rocscope.core.curve import roc_curve
from rocscope.core.resampling import as_generator
from rocscope.errors import ResourceError
from rocscope.papers.base import Figure, Options, Table, Told, load_at_hand, table_row
from rocscope.papers.datasets import load_dataset
from rocscope.papers.learners import DIFFERENCES, one_hot, paper_learners
from rocscope.run.study import Study, StudyTask, seed_of
from rocscope.training.datasets import Dataset
from rocscope.training.splits import Split

# The paper's names, and the data sets that are, or most likely are, its own.
DATA = {
    "ada": "ada_train",
    "caravan": "caravan_train",
    "chess": "chess_krk_13_14",
    "connect-4": "connect4_win_loss",
    "mushroom": "mushroom",
    "nursery": "nursery_priority_specprior",
    "pageblock": "pageblock_2class",
    "shuttle": "shuttle",
    "spambase": "spambase",
    "sylva": "sylva_train",
    "thyroid": "thyroid_2class",
    "wave": "wave_2class",
}
QUICK = ("thyroid", "wave", "ada", "spambase")
QUICK_ROWS = 1500
FOLDS, QUICK_FOLDS = 30, 10
# Trainings of one task.
BLOCK = 11
PROTOCOLS: tuple[ProtocolName, ...] = ("holdout", "kfold", "5x2")
LEARNERS = tuple(DIFFERENCES)


def make(options: Options) -> Study:
    """List the tasks; a data set that cannot be had is left out, and one at least must be there."""
    wanted = QUICK if options.is_quick else tuple(DATA)
    found, notes = load_at_hand(wanted, lambda name: problem_of(name, options))
    form = {"quick": options.is_quick, "study_seed": options.seed}
    tasks = [
        StudyTask(
            key=f"{name}/{protocol}/{learner}/{block}",
            function=train_block,
            parameters={"dataset": name, "protocol": protocol, "learner": learner, "block": block} | form,
            shared=(name,),
        )
        for name in found
        for protocol in PROTOCOLS
        for learner in LEARNERS
        for block in range(-(-(plan_of(protocol, options.is_quick).n_values + 1) // BLOCK))
    ]
    return Study(
        name="aslan",
        tasks=tuple(tasks),
        seed=options.seed,
        parameters={"size": options.size, "datasets": list(found)},
        shared=found,
        notes=notes,
    )


def plan_of(protocol: ProtocolName, quick: bool) -> Protocol:
    """How cases are split, and into how many folds.

    Examples
    --------
    >>> plan_of("holdout", quick=False).folds, plan_of("5x2", quick=False).n_values
    (30, 10)
    """
    return read_protocol(protocol, QUICK_FOLDS if quick else FOLDS, None)


def problem_of(name: str, options: Options) -> Dataset:
    """A data set with two classes, text as 0/1 columns; in the quick form no more than so many cases."""
    found = load_dataset(DATA[name], options.data)
    (problem,) = read_datasets({name: (found.X, found.y)}, None)
    coded = replace(problem, X=one_hot(problem.X, found.is_text))
    if not options.is_quick or len(coded.positive) <= QUICK_ROWS:
        return coded
    return _some_of(coded, seed_of(options.seed, f"cases of {name}"))


def _some_of(problem: Dataset, seed: SeedSequence) -> Dataset:
    """As many cases as the quick form has, class by class."""
    rng, share = as_generator(seed), QUICK_ROWS / len(problem.positive)
    drawn = [
        rng.permutation(rows)[: round(share * len(rows))]
        for rows in (np.flatnonzero(problem.positive), np.flatnonzero(~problem.positive))
    ]
    rows = np.sort(np.concatenate(drawn))
    return replace(problem, X=problem.X[rows], labels=problem.labels[rows], codes=problem.codes[rows])


def splits_of(problem: Dataset, plan: Protocol, study_seed: int) -> list[Split]:
    """The folds of a data set, and last the one training without cross-validation."""
    rng = as_generator(seed_of(study_seed, f"folds of {problem.name}, {plan.name}"))
    folds = plan_folds(plan, problem.positive, rng)
    return [*folds, plan_single(plan, folds, problem.positive, rng)]


def train_block(
    dataset: str,
    protocol: ProtocolName,
    learner: str,
    block: int,
    quick: bool,
    study_seed: int,
    seed: SeedSequence,
    **shared: Dataset,
) -> list[dict[str, Any]]:
    """Train one learner on a block of folds; a fold on which it fails says why."""
    problem = shared[dataset]
    folds = splits_of(problem, plan_of(protocol, quick), study_seed)[BLOCK * block : BLOCK * (block + 1)]
    words = as_generator(seed).integers(2**63, size=len(folds))
    learners = paper_learners()
    results: list[dict[str, Any]] = []
    for fold, word in zip(folds, words, strict=True):
        try:
            record = train_fold(learners[learner], problem, fold, SeedSequence(int(word)))
        except ResourceError:  # a package is missing: no fold will do
            raise
        except Exception as error:  # a learner may fail in any way
            results.append({"failure": f"{type(error).__name__}: {error}"})
        else:
            called = pack(record.called.astype(np.float64))
            results.append({"score": pack(record.score), "called": called, "warnings": list(record.warnings)})
    return results


def pack(values: NDArray[np.float64]) -> str:
    """Numbers as a short text that JSON can hold, every bit of them.

    Examples
    --------
    >>> unpack(pack(np.array([0.1, 0.25]))).tolist()
    [0.1, 0.25]
    """
    return base64.b64encode(zlib.compress(values.astype("<f8").tobytes())).decode("ascii")


def unpack(text: str) -> NDArray[np.float64]:
    """The numbers of such a text.

    Examples
    --------
    >>> unpack(pack(np.array([1.0]))).tolist()
    [1.0]
    """
    return np.frombuffer(zlib.decompress(base64.b64decode(text)), dtype="<f8").astype(np.float64)


def record_of(found: Mapping[str, Any], positive: NDArray[np.bool_]) -> FoldRecord:
    """The record of a fold from its line in the journal and the truth about its test cases."""
    if "failure" in found:
        return FoldRecord.failed(found["failure"])
    score, called = unpack(found["score"]), unpack(found["called"]) > 0
    return FoldRecord.judged(positive, score, called, probability=True, warnings=tuple(found["warnings"]))


def tell(results: Mapping[str, Any], options: Options) -> Told:
    """Count the four cases under every protocol and test, and make figures 1 to 7."""
    names = list(dict.fromkeys(key.partition("/")[0] for key in results))
    problems = [problem_of(name, options) for name in names]
    compared: dict[str, AlgorithmComparison] = {}
    for protocol in PROTOCOLS:
        plan = plan_of(protocol, options.is_quick)
        splits = [splits_of(problem, plan, options.seed) for problem in problems]
        records = tuple(
            tuple(
                _records(results, f"{problem.name}/{protocol}/{learner}", problem, folds)
                for learner in LEARNERS
            )
            for problem, folds in zip(problems, splits, strict=True)
        )
        compared[protocol] = compare(LEARNERS, problems, plan, splits, records)
    absent = [name for name in DATA if name not in names]
    return summary_of(compared, absent, options)


def _records(
    results: Mapping[str, Any], key: str, problem: Dataset, folds: list[Split]
) -> tuple[FoldRecord, ...]:
    blocks = range(-(-len(folds) // BLOCK))
    found = [one for block in blocks for one in results[f"{key}/{block}"]]
    return tuple(record_of(one, problem.positive[fold.test]) for one, fold in zip(found, folds, strict=True))


# -----------------------------------------------------------------------------------------------------------
# What the trainings of `aslan` say: the four cases beside the paper's counts, every pair, the figures

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
    problems: Sequence[Dataset],
    plan: Protocol,
    splits: Sequence[Sequence[Split]],
    records: Records,
) -> AlgorithmComparison:
    """The comparison under one protocol; its verdicts rest on the first of that protocol's tests."""
    conditions = Conditions(
        test_over_train=plan.test_over_train, halves=plan.name == "5x2", level=1 - ALPHA, rope=0.01, rng=0
    )
    return assemble(tuple(learners), problems, plan, splits, records, TESTS[plan.name][0], conditions)


def summary_of(compared: Mapping[str, AlgorithmComparison], absent: Sequence[str], options: Options) -> Told:
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


# ---- What the study of Aslan et al. has in common with the paper, and what not ----------------------------

SAME = (
    "Five learners, all pairs; a third of the cases is the test set of all fold models; paired t tests of "
    "the fold AUCs and of the fold errors at 0.05.",
    "k-NN chooses its k on the left-out fold.",
    "Of more than two classes the two that 1-nearest-neighbour confuses most.",
)
CHOSEN = (
    "Text features become 0/1 columns, one for each value; missing numbers the median, missing texts a "
    "value of their own. The paper does not say.",
    "chess is king and rook against king (depths 13 and 14), thyroid is allhyper, nursery the pair that "
    "the 1-NN rule gives: the likeliest readings of the paper's names.",
    "The paper's test is conditional on its one test set; tests over its cases, over left-out folds and over "
    "halves are beside it.",
)
MISSING = (
    "gina, aibocolor and report; test parts of ada and sylva.",
    "The paper's own numbers for each pair: it prints the four counts and six examples.",
)
INCONSISTENT = (
    "30 models tested on the same cases differ far less than the luck of that test set: the paired t test "
    "over them rejects true nulls 95 to 98 times in 100 (simulated, docs/algorithms.md).",
    "The text of figure 7 says that the error distributions do not overlap and that the test cannot "
    "reject; the caption says that both tests reject.",
    "Accepting a null hypothesis is taken as detecting equivalence.",
)
