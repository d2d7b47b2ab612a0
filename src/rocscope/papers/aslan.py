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

from rocscope.algorithms import distribution, paired_tests
from rocscope.algorithms import protocol as protocols
from rocscope.algorithms.comparison import CASES, AlgorithmComparison, assemble
from rocscope.algorithms.records import OVER_CASES, FoldRecord, train_fold
from rocscope.core.curve import roc_curve
from rocscope.core.resampling import as_generator
from rocscope.errors import ResourceError
from rocscope.papers import base, datasets, learners
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
PROTOCOLS: tuple[protocols.ProtocolName, ...] = ("holdout", "kfold", "5x2")
LEARNERS = tuple(learners.DIFFERENCES)


def make(options: base.Options) -> Study:
    """List the tasks; a data set that is not available is left out, and one at least must be there."""
    names = QUICK if options.is_quick else tuple(DATA)
    loaded, notes = base.load_at_hand(names, lambda name: problem_of(name, options))
    form = {"quick": options.is_quick, "study_seed": options.seed}
    tasks = [
        StudyTask(
            key=f"{name}/{protocol}/{learner}/{block}",
            function=train_block,
            parameters={"dataset": name, "protocol": protocol, "learner": learner, "block": block} | form,
            shared=(name,),
        )
        for name in loaded
        for protocol in PROTOCOLS
        for learner in LEARNERS
        for block in range(-(-(plan_of(protocol, options.is_quick).n_values + 1) // BLOCK))
    ]
    return options.study("aslan", tasks, shared=loaded, notes=notes, datasets=list(loaded))


def plan_of(protocol: protocols.ProtocolName, quick: bool) -> protocols.Protocol:
    """How cases are split, and into how many folds.

    Examples
    --------
    >>> plan_of("holdout", quick=False).folds, plan_of("5x2", quick=False).n_values
    (30, 10)
    """
    return protocols.read_protocol(protocol, QUICK_FOLDS if quick else FOLDS, None)


def problem_of(name: str, options: base.Options) -> Dataset:
    """A data set with two classes, text as 0/1 columns; in the quick form no more than so many cases."""
    dataset = datasets.load_dataset(DATA[name], options.data)
    (problem,) = protocols.read_datasets({name: (dataset.X, dataset.y)}, None)
    coded = replace(problem, X=learners.one_hot(problem.X, dataset.is_text))
    if not options.is_quick or len(coded.positive) <= QUICK_ROWS:
        return coded
    rng = as_generator(seed_of(options.seed, f"cases of {name}"))
    share = QUICK_ROWS / len(coded.positive)
    drawn = [
        rng.permutation(rows)[: round(share * len(rows))]
        for rows in (np.flatnonzero(coded.positive), np.flatnonzero(~coded.positive))
    ]
    rows = np.sort(np.concatenate(drawn))
    return replace(coded, X=coded.X[rows], labels=coded.labels[rows], codes=coded.codes[rows])


def splits_of(problem: Dataset, plan: protocols.Protocol, study_seed: int) -> list[Split]:
    """The folds of a data set, and last the one training without cross-validation."""
    rng = as_generator(seed_of(study_seed, f"folds of {problem.name}, {plan.name}"))
    folds = protocols.plan_folds(plan, problem.positive, rng)
    return [*folds, protocols.plan_single(plan, folds, problem.positive, rng)]


def train_block(
    dataset: str,
    protocol: protocols.ProtocolName,
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
    seeds = as_generator(seed).integers(2**63, size=len(folds))
    model = learners.paper_learners()[learner]
    results: list[dict[str, Any]] = []
    for fold, fold_seed in zip(folds, seeds, strict=True):
        try:
            record = train_fold(model, problem, fold, SeedSequence(int(fold_seed)))
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


def fold_records(
    results: Mapping[str, Any], key: str, problem: Dataset, folds: list[Split]
) -> tuple[FoldRecord, ...]:
    """Records of all folds of a learner, from their lines in the journal and the truth of the test cases."""
    lines = [line for block in range(-(-len(folds) // BLOCK)) for line in results[f"{key}/{block}"]]
    records = []
    for line, fold in zip(lines, folds, strict=True):
        if "failure" in line:
            records.append(FoldRecord.failed(line["failure"]))
            continue
        score, called = unpack(line["score"]), unpack(line["called"]) > 0
        warnings = tuple(line["warnings"])
        positive = problem.positive[fold.test]
        records.append(FoldRecord.judged(positive, score, called, probability=True, warnings=warnings))
    return tuple(records)


def summarise(results: Mapping[str, Any], options: base.Options) -> base.PaperSummary:
    """Count the four cases under every protocol and test, and make figures 1 to 7."""
    names = list(dict.fromkeys(key.partition("/")[0] for key in results))
    problems = [problem_of(name, options) for name in names]
    compared: dict[str, AlgorithmComparison] = {}
    for protocol in PROTOCOLS:
        plan = plan_of(protocol, options.is_quick)
        splits = [splits_of(problem, plan, options.seed) for problem in problems]
        records = tuple(
            tuple(
                fold_records(results, f"{problem.name}/{protocol}/{learner}", problem, folds)
                for learner in LEARNERS
            )
            for problem, folds in zip(problems, splits, strict=True)
        )
        conditions = paired_tests.Conditions(
            test_over_train=plan.test_over_train, halves=protocol == "5x2", level=1 - ALPHA, rope=0.01, rng=0
        )
        # Verdicts rest on the first of the protocol's tests.
        compared[protocol] = assemble(
            LEARNERS, problems, plan, splits, records, TESTS[protocol][0], conditions
        )
    cases = [row for protocol, comparison in compared.items() for row in _case_rows(protocol, comparison)]
    figures, pairs_drawn = _figures(compared["holdout"])
    absent = [name for name in DATA if name not in names]
    quick = (
        "The quick form takes four of the smaller data sets, 1,500 cases of each drawn class by class, and "
        "ten folds where the paper has 30: fewer rejections are to be expected of that alone."
    )
    return base.PaperSummary(
        tables=(
            base.Table(name="cases", rows=cases),
            base.Table(name="pairs", rows=list(_pair_rows(compared))),
            base.Table(name="learners", rows=list(_learner_rows(compared))),
        ),
        figures=tuple(figures),
        findings=tuple(_findings(compared, cases)),
        same=SAME,
        choices=(
            *CHOICES,
            *(f"{name}: {text}." for name, text in learners.DIFFERENCES.items()),
            *([quick] if options.is_quick else []),
            *(f"{row.name}: {row.note}." for row in compared["holdout"].datasets if row.note),
            *pairs_drawn,
        ),
        missing=(
            *MISSING,
            *([f"Not in this run: {', '.join(absent)}."] if absent else []),
            *(f"{protocol}: {one}." for protocol, result in compared.items() for one in result.failures),
        ),
        inconsistent=INCONSISTENT,
    )


# ---- The four cases beside the paper's counts, every pair, the figures -----------------------------------

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


def case_of(
    comparison: AlgorithmComparison, pair: tuple[str, str, str], test: Mapping[str, str]
) -> str | None:
    """Which of the four cases a pair is by these tests; None where one of them is undefined."""
    p = [comparison.tests_of(*pair, measure).test(test[measure]).p_value for measure in ("error", "auc")]
    by_error, by_auc = (None if one is None else one < ALPHA for one in p)
    return None if by_error is None or by_auc is None else CASES[2 * by_error + by_auc]


def _pairs(comparison: AlgorithmComparison) -> list[tuple[str, str, str]]:
    return [(row.name, *pair) for row in comparison.datasets for pair in comparison.pairs()]


def title_of(test: Mapping[str, str]) -> str:
    """Names of the AUC test and of the error test, once where they are the same."""
    return " and ".join(dict.fromkeys(test.values()))


def _case_rows(protocol: str, comparison: AlgorithmComparison) -> Iterator[dict[str, Any]]:
    """Shares of the four cases by every test; the paper's beside its own test under its own protocol."""
    for test in TESTS[protocol]:
        cases = [case_of(comparison, pair, test) for pair in _pairs(comparison)]
        known = [one for one in cases if one is not None]
        is_paper = protocol == "holdout" and test == PAPER_TEST
        for case in CASES:
            yield base.table_row(
                PAPER[case] / sum(PAPER.values()) if is_paper else None,
                known.count(case) / len(known) if known else None,
                None,
                protocol=protocol,
                test=title_of(test),
                case=case,
                count=known.count(case),
                pairs=len(known),
                undefined=len(cases) - len(known),
                paper_count=PAPER[case] if is_paper else None,
            )


def _pair_rows(compared: Mapping[str, AlgorithmComparison]) -> Iterator[dict[str, Any]]:
    """Every pair on every data set by every test: difference of the mean AUCs, first minus second."""
    paper_cases = {example[:3]: example[3] for example in EXAMPLES.values()}
    for protocol, comparison in compared.items():
        for pair in _pairs(comparison):
            for test in TESTS[protocol]:
                rows = {measure: comparison.tests_of(*pair, measure).test(test[measure]) for measure in test}
                is_paper = protocol == "holdout" and test == PAPER_TEST
                yield base.table_row(
                    None,
                    rows["auc"].difference,
                    None,
                    dataset=pair[0],
                    first=pair[1],
                    second=pair[2],
                    protocol=protocol,
                    test=title_of(test),
                    p_auc=rows["auc"].p_value,
                    p_error=rows["error"].p_value,
                    error_difference=rows["error"].difference,
                    conditional=rows["auc"].conditional,
                    case=case_of(comparison, pair, test),
                    paper_case=paper_cases.get(pair) if is_paper else None,
                )


def _learner_rows(compared: Mapping[str, AlgorithmComparison]) -> Iterator[dict[str, Any]]:
    """Mean and deviation over the folds of every learner on every data set."""
    for protocol, comparison in compared.items():
        for d, dataset in enumerate(comparison.datasets):
            for a, learner in enumerate(comparison.algorithms):
                for measure in ("auc", "error"):
                    values = getattr(comparison, measure)[d, a]
                    known, mean, sd = values[np.isfinite(values)], None, None
                    if len(known) > 1:
                        mean, sd = known.mean().item(), known.std(ddof=1).item()
                    names = {"dataset": dataset.name, "learner": learner, "protocol": protocol}
                    yield base.table_row(
                        None, mean, None, **names, measure=measure, fold_sd=sd, folds=len(known)
                    )


def _figures(comparison: AlgorithmComparison) -> tuple[list[base.Figure], list[str]]:
    """Figures of the paper's own pairs; where one is not available, of a pair of the same case."""
    once = comparison.singles[0][comparison.algorithms.index("LP")]
    curve = roc_curve(once.positive, once.score)
    # Of each loss the last vertex whose threshold is not below it.
    marked = [int(np.count_nonzero(curve.thresholds >= one / (1 + one))) - 1 for one in LOSSES]
    figures = [base.Figure(name="figure_1", result=curve, options={"points": marked})]
    drawn = [f"Figure 1: LP on {comparison.datasets[0].name}; the paper does not say what its example is."]
    pairs = _pairs(comparison)
    for name, (dataset, first, second, case) in EXAMPLES.items():
        title = name.replace("_", " ").capitalize()
        same_case = (pair for pair in pairs if case_of(comparison, pair, PAPER_TEST) == case)
        at_hand = dataset in [row.name for row in comparison.datasets]
        pair = (dataset, first, second) if at_hand else next(same_case, None)
        if pair is None:
            drawn.append(f"{title}: no pair here is a case of '{case}'.")
            continue
        dataset, *both = pair
        if name in INTERVALS:
            left, right = (distribution.fold_distribution(comparison, dataset, one) for one in both)
            titles = tuple(f"{one} on {dataset}" for one in both)
            figures.append(base.Figure(name=name, result=left, beside=(right,), titles=titles))
        else:
            figures.append(base.Figure(name=name, result=distribution.algorithm_pair(comparison, *pair)))
        drawn.append(f"{title}: {both[0]} and {both[1]} on {dataset}.")
    return figures, drawn


def _findings(
    compared: Mapping[str, AlgorithmComparison], cases: Sequence[Mapping[str, Any]]
) -> Iterator[str]:
    printed, total = "/".join(str(count) for count in PAPER.values()), sum(PAPER.values())
    yield (
        f"Cases are counted in the order of the paper: {'; '.join(CASES)}. The paper: {printed} of {total}."
    )
    for protocol in compared:
        for test in TESTS[protocol]:
            rows = [row for row in cases if (row["protocol"], row["test"]) == (protocol, title_of(test))]
            counts = "/".join(str(row["count"]) for row in rows)
            over_models = protocol == "holdout" and test != OVER_CASES
            condition = ", conditional on this test set" if over_models else ""
            title = f"{PROTOCOL_TITLES[protocol]}, {title_of(test)}"
            yield f"{title}{condition}: {counts} of {rows[0]['pairs']}."
    both = {
        (row["protocol"], row["test"]): f"{row['count']} of {row['pairs']}"
        for row in cases
        if row["case"] == CASES[3]
    }
    yield (
        "What remains of the rejections by both tests: under the paper's protocol "
        f"{both['holdout', title_of(PAPER_TEST)]} (the paper: {PAPER[CASES[3]]} of {total}); "
        f"over the cases of the same test set {both['holdout', title_of(OVER_CASES)]}; "
        f"over left-out folds with the corrected t test {both['kfold', 'corrected-t']}; "
        f"by the 5x2cv F test {both['5x2', '5x2cv-f']}."
    )
    # The pairs that the paper names, where their data set is available.
    comparison = compared["holdout"]
    names = [row.name for row in comparison.datasets]
    for name, (dataset, first, second, case) in EXAMPLES.items():
        if dataset in names:
            ours = case_of(comparison, (dataset, first, second), PAPER_TEST)
            title = name.replace("_", " ").capitalize()
            yield f"{title}, {first} and {second} on {dataset}: the paper {case}, ours {ours}."


PROTOCOL_TITLES = {
    "holdout": "The paper's protocol (folds of two thirds, one common test third)",
    "kfold": "Left-out folds",
    "5x2": "Five times two halves",
}


# ---- Notes ------------------------------------------------------------------------------------------------

SAME = (
    "Five learners, all pairs; a third of the cases is the test set of all fold models; paired t tests of "
    "the fold AUCs and of the fold errors at 0.05.",
    "k-NN chooses its k on the left-out fold.",
    "Of more than two classes the two that 1-nearest-neighbour confuses most.",
)
CHOICES = (
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
CITATION = (
    "O. Aslan, O. T. Yildiz, E. Alpaydin: Statistical comparison of classifiers using area "
    "under the ROC curve, technical report FBE-CMPE-06/2009-03, Bogazici University, 2009"
)
base.register(base.Paper("aslan", CITATION, make, summarise))
