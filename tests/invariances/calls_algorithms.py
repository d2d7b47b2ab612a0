"""How comparisons of learners are called on a sample: features and fold values are ranks of the scores."""

from functools import lru_cache
from typing import Any

import numpy as np
from sklearn.naive_bayes import GaussianNB

import rocscope as rs
from invariances.calls_average import class_names, positives, ranks
from invariances.calls_bootstrap import Ranked
from invariances.sample import Entry, Figures, Sample, only

LEARNERS = {"ranked": Ranked(), "nb": GaussianNB()}


def table_of_ranks(sample: Sample) -> Any:
    """Ranks of each score around zero, a column each: as values of learners they are as good as any."""
    columns = [ranks(column) for column in sample.scores]
    return np.column_stack([2 * column - column.max() for column in columns]).astype(np.float64)


def over_folds(sample: Sample) -> Figures:
    """Every case a fold. Sums of other order round otherwise, and signs are drawn for the folds in turn."""
    a, b = table_of_ranks(sample).T
    found = rs.paired_tests(a, b, n_train=9, n_test=1)
    p = {row.method: row.p_value for row in found if row.posterior is None}
    return p | {"rank sum": found["wilcoxon"].statistic, "folds": found.n_folds}


def over_data_sets(sample: Sample) -> Figures:
    """Every case a data set, every score an algorithm."""
    found = rs.compare_ranks(table_of_ranks(sample), ["a", "b", "c"])
    return {
        "ranks": found.average_ranks,
        "p": found.friedman.p_value,
        "reach": found.critical_difference,
        "nemenyi": np.array([row.p_nemenyi for row in found.pairs]),
    }


def over_both(sample: Sample) -> Figures:
    """Every score a data set, every case a fold."""
    table = table_of_ranks(sample).T
    found = _over_both(tuple(map(tuple, table.tolist())))
    return {"posterior": np.array(found.posterior), "mean": found.mean, "folds": found.n_folds}


@lru_cache(maxsize=8)
def _over_both(table: tuple[tuple[float, ...], ...]) -> Any:
    """Slow, and free of chance: the same table has the same result."""
    return rs.hierarchical_test(table, np.zeros((3, len(table[0]))), n_train=9, n_test=1)


def decided(sample: Sample) -> Figures:
    """The upper half of the ranks of each score is classified as positive."""
    negative, positive = class_names(sample)
    predictions = {
        name: [positive if above else negative for above in column > 0]
        for name, column in zip("abc", table_of_ranks(sample).T, strict=True)
    }
    found = rs.compare_decisions(sample.y, predictions)
    return {
        "error": found.error,
        "p": np.array([row.p_value for row in found.pairs]),
        "cochran": found.cochran.p_value,
        "names": found.names,
    }


def compared(sample: Sample) -> Figures:
    found = rs.compare_algorithms(
        LEARNERS,
        (ranks(sample.scores[0])[:, np.newaxis].astype(np.float64), sample.y),
        folds=2,
        pos_label=class_names(sample)[1],
    )
    return {
        "auc": found.auc,
        "error": found.error,
        "p": np.array([row.auc.p_value for row in found.verdicts]),
        "cases": tuple(found.cases().values()),
        "folds": found.auc.shape,
        "sizes": found.datasets[0].n_pos + found.datasets[0].n_neg,
    }


@lru_cache(maxsize=8)
def _comparison(features: tuple[int, ...], positive: tuple[bool, ...]) -> rs.AlgorithmComparison:
    X = np.array(features, dtype=np.float64)[:, np.newaxis]
    return rs.compare_algorithms(LEARNERS, {"sample": (X, np.array(positive))}, folds=2)


def _of_sample(sample: Sample) -> rs.AlgorithmComparison:
    return _comparison(tuple(ranks(sample.scores[0]).tolist()), tuple(positives(sample).tolist()))


def distributed(sample: Sample) -> Figures:
    found = rs.fold_distribution(_of_sample(sample), "sample", "nb")
    return {"values": found.values, "mean": found.mean, "sd": found.sd, "counts": found.counts.sum()}


def lost(sample: Sample) -> Figures:
    found = rs.loss_curves(_of_sample(sample), "sample", lambdas=[0.5, 2])
    return {"mean": found.mean, "marks": found.marks, "algorithms": found.algorithms}


def paired(sample: Sample) -> Figures:
    found = rs.algorithm_pair(_of_sample(sample), "sample", "ranked", "nb")
    return {"decisions": found.decisions[0], "curves": len(found.curves[1]), "p": found.verdict.auc.p_value}


ENTRIES = [
    Entry(
        name="paired_tests",
        call=over_folds,
        columns=2,
        repeated=(),
        drawn=("paired-t", "corrected-t", "permutation"),
        samples=("few ties", "many ties", "rare"),
    ),
    Entry(
        name="compare_ranks",
        call=over_data_sets,
        columns=3,
        swap=only("p", "reach", "nemenyi"),  # the best becomes the worst
        repeated=("ranks",),
    ),
    Entry(
        name="hierarchical_test",
        call=over_both,
        columns=3,
        swap=only("folds"),  # small becomes large
        drawn=("posterior", "mean"),  # sums of other order round otherwise
        samples=("few ties",),
    ),
    Entry(
        name="compare_decisions",
        call=decided,
        columns=3,
        swap=only("names"),  # the middle rank changes sides
        repeated=("error", "names"),
    ),
    Entry(
        name="compare_algorithms",
        call=compared,
        swap=only("folds", "sizes"),  # the folds are other ones
        repeated=("folds",),
        drawn=("auc", "error", "p", "cases"),
        samples=("few ties",),
    ),
    *(
        Entry(name=name, call=call, swap=only(*kept), repeated=kept, drawn=drawn, samples=("few ties",))
        for name, call, kept, drawn in (
            ("fold_distribution", distributed, ("counts",), ("values", "mean", "sd")),
            ("loss_curves", lost, ("algorithms",), ("mean", "marks")),
            ("algorithm_pair", paired, ("curves",), ("decisions", "p")),
        )
    ),
]
