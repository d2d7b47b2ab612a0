"""McNemar's test, Cochran's Q, Quade's test and Shaffer's adjustment: references, slow twins, comparisons."""

import math

import numpy as np
import pandas as pd
import polars as pl
import pytest
from scipy import stats
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier

import rocscope as rs
from algorithms.bad_learners import Failing
from reference_cases import load_reference
from rocscope.algorithms.decisions import POOLED, SINGLE
from rocscope.algorithms.ranks import compare_ranks
from rocscope.core.significance import holm, shaffer
from rocscope.errors import RocInputError
from slow import decision_tests as slow

R, STATSMODELS = load_reference("algorithms"), load_reference("decisions")
LEARNERS = {
    "nb": GaussianNB(),
    "lda": LinearDiscriminantAnalysis(),
    "tree": DecisionTreeClassifier(max_depth=2),
}
LETTERS = "abcd"


def decide(wrong):
    """Labels and predictions of which these are wrong."""
    wrong = np.array([[int(one) for one in row] for row in wrong], dtype=bool)
    y = np.arange(wrong.shape[1]) % 2
    return y, {name: np.where(row, 1 - y, y) for name, row in zip(LETTERS, wrong, strict=False)}


@pytest.mark.parametrize("source", [R, STATSMODELS], ids=["R", "statsmodels"])
def test_references(source):
    for case in source["decisions"]:
        found = rs.compare_decisions(*decide(case["wrong"]))
        pair = found.pairs[0]
        assert pair.statistic == pytest.approx(case["mcnemar"]["statistic"], rel=source["tolerance"])
        assert pair.p_chi2 == pytest.approx(case["mcnemar"]["p_value"], rel=source["tolerance"])
        assert pair.p_value == pytest.approx(case["exact"]["p_value"], rel=source["tolerance"])
        if len(case["wrong"]) > 2:
            q = (found.cochran.statistic, found.cochran.df, found.cochran.p_value)
            assert q == pytest.approx(tuple(case["cochran"].values()), rel=source["tolerance"])


@pytest.mark.parametrize("seed", range(20))
def test_slow_twins(seed):
    rng = np.random.default_rng(seed)
    k, n = rng.integers(2, 5), rng.integers(1, 40)
    wrong = rng.random((k, n)) < rng.random((k, 1))
    found = rs.compare_decisions(*decide(wrong))
    assert found.error.tolist() == pytest.approx(wrong.mean(axis=1).tolist())
    place = {name: i for i, name in enumerate(found.names)}
    for row in found.pairs:
        a, b = wrong[place[row.first]], wrong[place[row.second]]
        assert row.p_value == pytest.approx(slow.mcnemar_p(a, b), rel=1e-12)
        assert row.statistic == pytest.approx(slow.mcnemar_statistic(a, b), rel=1e-12)
        assert row.difference == pytest.approx(a.mean() - b.mean())
        counts = [(~a & ~b).sum(), (~a & b).sum(), (a & ~b).sum(), (a & b).sum()]
        assert [row.both_right, row.only_first, row.only_second, row.both_wrong] == counts
    assert [row.p_holm for row in found.pairs] == holm([row.p_value for row in found.pairs]).tolist()
    if k == 2:
        assert found.cochran is None
    else:
        assert found.cochran.statistic == pytest.approx(slow.cochran_statistic(wrong), rel=1e-12)
        assert found.cochran.p_value == pytest.approx(
            stats.chi2.sf(found.cochran.statistic, k - 1), rel=1e-10
        )


def test_no_disagreement():
    y = [0, 1, 1, 0]
    found = rs.compare_decisions(y, {"a": y, "b": y, "c": y})
    assert {(row.statistic, row.p_chi2, row.p_value) for row in found.pairs} == {(0.0, 1.0, 1.0)}
    assert (found.cochran.statistic, found.cochran.p_value) == (0.0, 1.0)


def test_frames_and_more_classes():
    y = pd.Series(["u", "v", "w", "u", "v", "w"], index=list("mnopqr"))
    columns = {"one": ["u", "v", "w", "u", "w", "w"], "two": ["u", "u", "u", "u", "u", "x"]}
    by_mapping = rs.compare_decisions(list(y), columns)
    assert by_mapping.error.tolist() == pytest.approx([1 / 6, 4 / 6])
    for frame in (pd.DataFrame(columns, index=y.index), pl.DataFrame(columns)):
        assert rs.compare_decisions(y, frame) == by_mapping
    again = type(by_mapping).from_dict(by_mapping.to_dict())
    assert again == by_mapping
    assert list(by_mapping.frame()["only_first"]) == [3]


@pytest.mark.parametrize(
    ("y", "predictions", "message"),
    [
        ([0, 1], {"a": [0, 1]}, "predictions must"),
        ([0, 1], [[0, 1], [1, 0]], "predictions must be a mapping from names to predicted labels, or a data"),
        ([0, 1], {"a": [0, 1], "b": [0]}, "y_true and predictions['b'] must have the same length"),
        ([0, 1], {"a": [0, 1], "b": ["0", "1"]}, "predictions['b'] must predict labels of y_true, such as 0"),
        ([0, 1], {"a": [0, 1], "b": [0, None]}, "predictions['b'] must have a label in every row"),
        ([], {"a": [], "b": []}, "y_true must"),
    ],
)
def test_wrong_arguments(y, predictions, message):
    with pytest.raises(RocInputError) as caught:
        rs.compare_decisions(y, predictions)
    assert str(caught.value).startswith(message)


def test_misaligned_predictions_are_refused():
    y = pd.Series([0, 1, 1])
    with pytest.raises(RocInputError, match="must have the same pandas index"):
        rs.compare_decisions(y, {"a": y, "b": y[::-1]})


# ---- Over data sets ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("case", R["tables"], ids=lambda case: f"{len(case['values'])} data sets")
def test_quade_as_in_r(case):
    names = [f"algorithm {k}" for k in range(len(case["ranks"]))]
    found = compare_ranks(case["values"], names).quade
    assert found.statistic == pytest.approx(case["quade"]["statistic"], rel=R["tolerance"])
    assert found.p_value == pytest.approx(case["quade"]["p_value"], rel=R["tolerance"])


@pytest.mark.parametrize("seed", range(20))
def test_quade_in_fractions(seed):
    rng = np.random.default_rng(seed)
    values = rng.integers(0, 5, (rng.integers(2, 7), rng.integers(2, 5)))
    n, k = values.shape
    found = compare_ranks(values, list(LETTERS[:k])).quade
    expected = slow.quade_statistic(values.tolist())
    if expected is None:
        assert found.statistic == np.inf
        assert found.p_value == pytest.approx(math.factorial(k) ** -(n - 1.0))
    else:
        assert found.statistic == pytest.approx(expected, rel=1e-10)
        p = stats.f.sf(expected, k - 1, (k - 1) * (n - 1)) if np.ptp(values, axis=1).any() else 1.0
        assert found.p_value == pytest.approx(p, rel=1e-10)


def test_shaffer_of_printed_p_values():
    case = STATSMODELS["shaffer"]
    p = np.array(case["p_values"])
    order = np.argsort(p)
    expected = np.minimum(1, np.maximum.accumulate(p[order] * case["factors"]))
    assert shaffer(p, 5)[order] == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize("k", [2, 3, 4, 5, 6])
def test_shaffer_over_all_partitions(k):
    p = np.random.default_rng(k).random(k * (k - 1) // 2) ** 3
    found = shaffer(p, k)
    assert found.tolist() == pytest.approx(slow.shaffer(p.tolist(), k))
    assert (found <= holm(p)).all()


def test_pairs_of_ranks_have_shaffers_p_values():
    table = np.random.default_rng(3).normal(size=(9, 4)) + np.arange(4)
    pairs = compare_ranks(table, list(LETTERS)).pairs
    z = np.array([row.rank_difference for row in pairs]) / np.sqrt(4 * 5 / (6 * 9))
    assert [row.p_shaffer for row in pairs] == pytest.approx(
        slow.shaffer((2 * stats.norm.sf(abs(z))).tolist(), 4)
    )
    assert all(row.p_shaffer <= row.p_holm for row in pairs)


# ---- In comparisons of algorithms -------------------------------------------------------------------------


def cases(n=90):
    rng = np.random.default_rng(1)
    y = rng.integers(0, 2, n)
    return rng.normal(size=(n, 3)) + y[:, None], y


def test_left_out_folds_are_pooled():
    X, y = cases()
    found = rs.compare_algorithms(LEARNERS, (X, y), folds=5).decisions["data"]
    frame = rs.compare_algorithms(LEARNERS, (X, y), folds=5).predictions()
    called = {name: part.sort_values("row")["called"].to_numpy() for name, part in frame.groupby("algorithm")}
    expected = rs.compare_decisions(y == 1, {name: called[name] for name in LEARNERS})
    assert found.pairs == expected.pairs
    assert found.cochran == expected.cochran
    assert (found.n_cases, found.assumption) == (90, POOLED)


@pytest.mark.parametrize("how", [{"protocol": "5x2"}, {"protocol": "holdout"}, {"protocol": "repeated"}])
def test_cases_of_several_folds_are_those_of_one_training(how):
    X, y = cases()
    compared = rs.compare_algorithms(
        LEARNERS, (X, y), **({"folds": 3} if "5x2" not in how.values() else {}), **how
    )
    found = compared.decisions["data"]
    assert found.assumption == SINGLE
    assert found.error.tolist() == [record.error for record in compared.singles[0]]
    assert found.n_cases == len(compared.singles[0][0].positive)


def test_who_fails_is_left_out():
    found = rs.compare_algorithms(LEARNERS | {"failing": Failing()}, cases(), folds=3).decisions["data"]
    assert (found.names, found.left_out) == (("nb", "lda", "tree"), ("failing",))
    alone = rs.compare_algorithms({"nb": GaussianNB(), "failing": Failing()}, cases(), folds=3).decisions[
        "data"
    ]
    assert (alone.status, alone.pairs) == ("undefined", ())
    assert str(alone) == (
        "decisions undefined: fewer than two algorithms decided all cases; without: failing"
    )


def test_comparisons_are_read_back():
    X, y = cases()
    compared = rs.compare_algorithms(LEARNERS, {"one": (X, y), "two": (X[::-1], y)}, folds=3)
    again = type(compared).from_dict(compared.to_dict())
    assert again.decisions == compared.decisions
    assert again.ranks["auc"].quade == compared.ranks["auc"].quade
