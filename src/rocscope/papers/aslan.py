"""Aslan, Yildiz and Alpaydin (2009): the four cases of AUC test and error test, and figures 1 to 7.

Five learners on the same folds of each data set, under three protocols: the paper's, whose fold models are
all tested on one common third; left-out folds; and five times two halves. One task trains one learner on one
fold of one data set; all of them together are `compare_algorithms` under each protocol with the study's seed.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from rocscope.algorithms import distribution, losses, trainings
from rocscope.algorithms import protocol as protocols
from rocscope.algorithms.comparison import CASES, ROPE, AlgorithmComparison, assemble
from rocscope.algorithms.records import OVER_CASES, FoldRecord
from rocscope.core.resampling import as_generator
from rocscope.papers import base, datasets, learners
from rocscope.run.study import Study, seed_of
from rocscope.training.datasets import Dataset

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
    "gina": "gina",
    "sylva": "sylva_train",
    "thyroid": "thyroid_2class",
    "wave": "wave_2class",
}
QUICK = ("thyroid", "wave", "ada", "spambase")
QUICK_ROWS = 1500
FOLDS, QUICK_FOLDS = 30, 10
PROTOCOLS: tuple[protocols.ProtocolName, ...] = ("holdout", "kfold", "5x2")
LEARNERS = tuple(learners.DIFFERENCES)


def make(options: base.Options) -> Study:
    """List the tasks; a data set that is not available is left out, and one at least must be there."""
    names = QUICK if options.is_quick else tuple(DATA)
    loaded, notes = base.load_at_hand(names, lambda name: problem_of(name, options))
    problems = tuple(loaded.values())
    tasks = [
        task
        for protocol in PROTOCOLS
        for task in trainings_of(protocol, problems, options).tasks(f"{protocol} ")
    ]
    shared = {trainings.shared_name(one): one for one in problems}
    return options.study("aslan", tasks, shared=shared, notes=notes, datasets=list(loaded))


def trainings_of(
    protocol: protocols.ProtocolName, problems: tuple[Dataset, ...], options: base.Options
) -> trainings.Trainings:
    """What `compare_algorithms` trains under a protocol with the seed of the study."""
    return trainings.Trainings(
        algorithms={name: learners.paper_learners()[name] for name in LEARNERS},
        data=problems,
        plan=protocols.read_protocol(protocol, QUICK_FOLDS if options.is_quick else FOLDS, None),
        base=trainings.base_of(options.seed),
        scorers={},
    )


def problem_of(name: str, options: base.Options) -> Dataset:
    """A data set with two classes, text as 0/1 columns; in the quick form no more than so many cases."""
    dataset = datasets.load_dataset(DATA[name], options.data)
    (problem,) = protocols.read_datasets({name: (dataset.X, dataset.y)}, None)
    coded = replace(problem, X=learners.one_hot(problem.X, dataset.is_text))
    if not options.is_quick or len(coded.positive) <= QUICK_ROWS:
        return coded
    rng = as_generator(seed_of(options.seed, "cases"))
    share = QUICK_ROWS / len(coded.positive)
    drawn = [
        rng.permutation(rows)[: round(share * len(rows))]
        for rows in (np.flatnonzero(coded.positive), np.flatnonzero(~coded.positive))
    ]
    rows = np.sort(np.concatenate(drawn))
    return replace(coded, X=coded.X[rows], labels=coded.labels[rows], codes=coded.codes[rows])


def summarise(results: Mapping[str, Any], options: base.Options) -> base.PaperSummary:
    """Count the four cases under every protocol and test, and make figures 1 to 7."""
    names = [name for name in DATA if any(f"('{name}', " in key for key in results)]
    problems = tuple(problem_of(name, options) for name in names)
    compared: dict[str, AlgorithmComparison] = {
        protocol: compared_under(protocol, problems, results, options) for protocol in PROTOCOLS
    }
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


def compared_under(
    protocol: protocols.ProtocolName,
    problems: tuple[Dataset, ...],
    results: Mapping[str, Any],
    options: base.Options,
) -> AlgorithmComparison:
    """The comparison of one protocol from the lines of the journal; its first test is behind the verdicts."""
    of_protocol = trainings_of(protocol, problems, options)
    records = of_protocol.collect(
        lambda key, one, split: FoldRecord.unpacked(results[key], one.positive[split.test]), f"{protocol} "
    )
    return assemble(of_protocol, records, TESTS[protocol][0], level=1 - ALPHA, rope=ROPE)


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
# Section II.B: losses of a false positive, lambda, whose thresholds are marked on the curve of figure 1.
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
    """Figures of the cases they are named for: of the paper's own pair if it is one, else of the nearest."""
    example = losses.loss_curves(comparison, comparison.datasets[0].name, lambdas=LOSSES)
    figures = [base.Figure(name="figure_1", result=example, options={"algorithm": "LP"})]
    marked = ", ".join(f"{one:g}" for one in LOSSES)
    drawn = [
        f"Figure 1: LP on {example.dataset}, mean curve of the folds, decisions at lambda = {marked}; the "
        "paper does not say what its example is."
    ]
    cases = {pair: case_of(comparison, pair, PAPER_TEST) for pair in _pairs(comparison)}
    for name, (*own, case) in EXAMPLES.items():
        title = name.replace("_", " ").capitalize()
        same_case = [pair for pair in cases if cases[pair] == case]
        if not same_case:
            drawn.append(f"{title}: none of the {len(cases)} pairs here is a case of '{case}'.")
            continue
        # The paper's pair itself, else one of its data set, else of one of its learners.
        dataset, first, second = max(
            same_case, key=lambda pair: (pair[0] == own[0], len({*pair[1:]} & {*own[1:]}))
        )
        options = {"show": "intervals"} if name in INTERVALS else {}
        pair = distribution.algorithm_pair(comparison, dataset, first, second)
        figures.append(base.Figure(name=name, result=pair, options=options))
        why = ""
        if (dataset, first, second) != tuple(own):
            ours = cases.get((own[0], own[1], own[2]), "not in this run")
            why = f"; the paper's pair, {own[1]} and {own[2]} on {own[0]}, is {ours}"
        drawn.append(f"{title}, {case}: {first} and {second} on {dataset}{why}.")
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
    "aibocolor and report; test parts of ada and sylva.",
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
