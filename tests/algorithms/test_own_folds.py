"""compare_algorithms on folds of the user's own: splitters, pairs, folds of rows; and the rows of records."""

import numpy as np
import pandas as pd
import pytest
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.metrics import roc_auc_score
from sklearn.model_selection import (
    GroupKFold,
    RepeatedStratifiedKFold,
    ShuffleSplit,
    StratifiedKFold,
    cross_val_score,
)
from sklearn.naive_bayes import GaussianNB

from algorithms.bad_learners import Failing
from rocscope.algorithms.comparison import compare_algorithms
from rocscope.algorithms.distribution import fold_distribution
from rocscope.algorithms.losses import loss_curves
from rocscope.algorithms.paired_tests import paired_tests
from rocscope.errors import RocInputError, UndefinedError

LEARNERS = {"nb": GaussianNB(), "lda": LinearDiscriminantAnalysis()}


def cases(n=90, classes=2, seed=0):
    rng = np.random.default_rng(seed)
    y = rng.integers(0, classes, n)
    return rng.normal(size=(n, 3)) + y[:, None], y


@pytest.mark.parametrize("splitter", [StratifiedKFold(5), ShuffleSplit(4, test_size=0.3, random_state=2)])
def test_areas_are_those_of_cross_val_score(splitter):
    X, y = cases()
    found = compare_algorithms(LEARNERS, (X, y), cv=splitter)
    for values, model in zip(found.auc[0], LEARNERS.values(), strict=True):
        expected = cross_val_score(model, X, y, cv=splitter, scoring="roc_auc")
        assert values == pytest.approx(expected, abs=1e-12)
    assert found.protocol == "cv"
    assert found.verdict_test == {"auc": "corrected-t", "error": "corrected-t"}
    test, train = next((len(b), len(a)) for a, b in splitter.split(X, y))
    tests = found.tests_of("data", "nb", "lda").tests
    again = paired_tests(*found.auc[0], n_train=train, n_test=test, rope=0.01)
    assert [row.p_value for row in tests] == [row.p_value for row in again]
    assert found.datasets[0].test_over_train == test / train
    said = [row.method for row in tests if row.assumption.endswith("; sizes averaged over these folds")]
    assert said == ["corrected-t", "bayes-t"]


def test_pairs_and_folds_of_rows_are_the_same_folds():
    X, y = cases()
    fold = np.arange(90) % 4
    pairs = [(np.flatnonzero(fold != k), np.flatnonzero(fold == k)) for k in range(4)]
    by_row = compare_algorithms(LEARNERS, (X, y), cv=fold)
    for cv in (pairs, iter(pairs), {"data": pairs}, pd.Series(fold), ["abcd"[k] for k in fold]):
        assert compare_algorithms(LEARNERS, (X, y), cv=cv).to_dict() == by_row.to_dict()
    assert str(by_row).startswith("2 algorithms on 1 data set, cv, 4 folds\n")


def test_groups_stay_together():
    X, y = cases()
    group = np.arange(90) % 9
    found = compare_algorithms(LEARNERS, (X, y), cv=list(GroupKFold(3).split(X, y, group)))
    for record in found.records[0][0]:
        assert len(np.unique(group[record.rows])) == 3
    with pytest.raises(RocInputError, match="cv must be able to split these rows, got from it"):
        compare_algorithms(LEARNERS, (X, y), cv=GroupKFold(3))


def test_records_know_their_rows():
    """Of three classes two are kept: row numbers, and folds, are those of all rows."""
    X, y = cases(150, classes=3, seed=1)
    fold = np.arange(150) % 5
    found = compare_algorithms(LEARNERS, (X, y), cv=fold)
    kept = {found.datasets[0].negative, found.datasets[0].positive}
    frame = found.predictions()
    assert list(frame) == ["dataset", "algorithm", "fold", "row", "positive", "score", "called"]
    assert (fold[frame["row"]] == frame["fold"]).all()
    assert ((y[frame["row"]] == found.datasets[0].positive) == frame["positive"]).all()
    one = frame[frame["algorithm"] == "nb"]
    assert sorted(one["row"]) == [k for k in range(150) if y[k] in kept]
    areas = [roc_auc_score(part["positive"], part["score"]) for _, part in one.groupby("fold")]
    assert areas == pytest.approx(found.auc[0, 0].tolist())
    single = found.singles[0][0]
    assert (y[single.rows] == found.datasets[0].positive).tolist() == single.positive.tolist()


def test_records_of_named_protocols_have_rows_as_well():
    X, y = cases()
    found = compare_algorithms(LEARNERS | {"failing": Failing()}, (X, y), folds=3)
    assert sorted(np.concatenate([record.rows for record in found.records[0][0]])) == list(range(90))
    for record in found.records[0][2]:
        assert (record.failure is None) == bool(record.columns()["row"])
    assert "rows" not in found.to_dict()
    with pytest.raises(UndefinedError, match="the predictions are not saved with the result"):
        type(found).from_dict(found.to_dict()).predictions()


def test_five_times_two_halves_are_recognized():
    X, y = cases()
    halves = RepeatedStratifiedKFold(n_splits=2, n_repeats=5, random_state=0)
    found = compare_algorithms(LEARNERS, (X, y), cv=halves)
    assert (found.folds, found.repeats, found.verdict_test["auc"]) == (2, 5, "corrected-t")
    assert found.tests[0].test("5x2cv-t").p_value is not None
    # The same halves, but one row fewer trains: no longer five times two halves.
    pairs = [(train[1:], test) for train, test in halves.split(X, y)]
    other = compare_algorithms(LEARNERS, (X, y), cv=pairs)
    assert (other.folds, other.repeats, other.verdict_test["auc"]) == (2, 5, "corrected-t")
    with pytest.raises(RocInputError) as caught:
        compare_algorithms(LEARNERS, (X, y), cv=pairs, test="5x2cv-f")
    assert str(caught.value) == (
        "test must be a test that these folds allow: 5x2cv-f needs five times two halves, got 10 folds of cv"
    )


def test_repeats_are_recognized():
    X, y = cases()
    cv = RepeatedStratifiedKFold(n_splits=3, n_repeats=4, random_state=0)
    found = compare_algorithms(LEARNERS, (X, y), cv=cv)
    assert (found.folds, found.repeats) == (3, 4)
    assert fold_distribution(found, "data", "nb").fold_correlation.method == "intraclass"
    shuffled = [list(cv.split(X, y))[k] for k in (0, 3, 6, 1, 2, 4, 5, 7, 8)]
    mixed = compare_algorithms(LEARNERS, (X, y), cv=shuffled)
    assert (mixed.folds, mixed.repeats) == (9, 1)
    assert "these are neither" in fold_distribution(mixed, "data", "nb").fold_correlation.reason


def test_a_common_test_set_is_recognized():
    X, y = cases()
    pairs = [(np.delete(np.arange(30, 90), k), np.arange(30)[::-1]) for k in range(4)]
    found = compare_algorithms(LEARNERS, (X, y), cv=pairs)
    assert found.common_test
    assert found.verdict_test == {"auc": "delong-averaged", "error": "case-averaged-t"}
    assert found.records[0][0][0].rows.tolist() == list(range(30))
    assert fold_distribution(found, "data", "nb").fold_correlation.method == "common test set"
    assert loss_curves(found, "data").method.startswith("case-averaged-t")
    once = GaussianNB().fit(X[30:], y[30:])
    assert found.singles[0][0].score.tolist() == once.predict_proba(X[:30])[:, 1].tolist()
    assert found.warnings == ()
    conditional = compare_algorithms(LEARNERS, (X, y), cv=pairs, test="paired-t")
    assert conditional.conditional


def test_several_data_sets():
    data = {"one": cases(), "two": cases(60, seed=3)}
    cv = {"one": np.arange(90) % 3, "two": StratifiedKFold(3)}
    found = compare_algorithms(LEARNERS, data, cv=cv)
    alone = compare_algorithms(LEARNERS, {"two": data["two"]}, cv=cv["two"])
    assert found.auc[1].tolist() == alone.auc[0].tolist()
    assert compare_algorithms(LEARNERS, data, cv=StratifiedKFold(3)).auc[1].tolist() == alone.auc[0].tolist()


def test_losses_are_corrected_by_the_sizes_of_the_folds():
    X, y = cases(seed=4)
    cv = ShuffleSplit(6, test_size=0.4, random_state=1)
    found = compare_algorithms(LEARNERS, (X, y), cv=cv)
    assert found.datasets[0].test_over_train == 36 / 54
    assert loss_curves(found, "data", lambdas=[1.0]).method == "corrected-t"


def test_a_folder_keeps_own_folds(tmp_path):
    X, y = cases()
    plain = compare_algorithms(LEARNERS, (X, y), cv=StratifiedKFold(3), rng=1)
    for _ in range(2):
        kept = compare_algorithms(LEARNERS, (X, y), cv=StratifiedKFold(3), rng=1, folder=tmp_path)
        assert kept.to_dict() == plain.to_dict()
        assert kept.records[0][0][1].rows.tolist() == plain.records[0][0][1].rows.tolist()
    with pytest.raises(RocInputError, match="the tasks are others"):
        compare_algorithms(LEARNERS, (X, y), cv=np.arange(90) % 3, rng=1, folder=tmp_path)


ONE_CLASS = np.r_[np.zeros(5, int), np.ones(5, int)]
WRONG = {
    "cv must be a scikit-learn splitter, pairs (train, test), or the fold of each row, got 5; "
    "a number of folds goes by the name `folds`": {"cv": 5},
    "cv must be a scikit-learn splitter, pairs (train, test), or the fold of each row, "
    "got ('bootstrap', 3); a number of folds goes by the name `folds`": {"cv": ("bootstrap", 3)},
    "cv must hold at least 2 folds, got 1": {"cv": [([0, 1, 5], [2, 6])]},
    "cv[0][1] must hold row numbers from 0 to 9, got [4, 10] (data set 'data')": {
        "cv": [([0, 5], [4, 10])] * 2
    },
    "cv[0][1] must hold rows that did not train, got row 5 (data set 'data')": {"cv": [([0, 5], [4, 5])] * 2},
    "cv must have cases of both classes in every training and test set, got none of class 1 in the test "
    "set of fold 1 (data set 'data')": {"cv": [([0, 5], [1, 6]), ([2, 7], [3, 4])]},
    "cv must have cases of both classes in every training and test set, got none of class 0 in the training "
    "set of fold 0 (data set 'data')": {"cv": [([6, 7], [1, 5])] * 2},
    "folds must be left out where cv is given, got 10": {"cv": StratifiedKFold(2), "folds": 10},
    "protocol must be left out where cv is given, got '5x2'": {"cv": StratifiedKFold(2), "protocol": "5x2"},
    "repeats must be left out where cv is given, got 2": {"cv": StratifiedKFold(2), "repeats": 2},
    "cv must name the data sets ['data'], got ['other']": {"cv": {"other": StratifiedKFold(2)}},
}


@pytest.mark.parametrize("message", WRONG)
def test_wrong_folds_are_refused(message):
    X = np.random.default_rng(0).normal(size=(10, 2))
    with pytest.raises(RocInputError) as caught:
        compare_algorithms(LEARNERS, (X, ONE_CLASS), **WRONG[message])
    assert str(caught.value) == message


def test_folds_of_data_sets_that_do_not_fit_together_are_refused():
    data = {"one": cases(), "two": cases(60, seed=3)}
    common = [(np.arange(30, 60), np.arange(30)), (np.arange(32, 60), np.arange(30))]
    for cv, message in [
        (np.arange(90) % 3, "cv must be a splitter, or a mapping from the names of the data sets"),
        ({"one": StratifiedKFold(3), "two": StratifiedKFold(4)}, "cv must hold as many folds for every data"),
        ({"one": StratifiedKFold(2), "two": common}, "cv must have one common test set on every data set or"),
    ]:
        with pytest.raises(RocInputError) as caught:
            compare_algorithms(LEARNERS, data, cv=cv)
        assert str(caught.value).startswith(message)


def test_a_misaligned_index_is_refused():
    X, y = cases()
    frame, fold = pd.DataFrame(X), pd.Series(np.arange(90) % 3, index=np.arange(90)[::-1])
    with pytest.raises(RocInputError, match="must have the same pandas index"):
        compare_algorithms(LEARNERS, (frame, y), cv=fold)
