"""compare_algorithms: protocols, records, tests, verdicts, failures, and the same numbers anywhere."""

import pickle

import numpy as np
import pytest
from scipy import stats
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import roc_auc_score
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.svm import LinearSVC
from sklearn.tree import DecisionTreeClassifier

from rocscope.algorithms.comparison import adjusted, compare_algorithms
from rocscope.algorithms.distribution import algorithm_pair
from rocscope.algorithms.losses import loss_curves
from rocscope.algorithms.paired_tests import LearnerTest, paired_tests
from rocscope.algorithms.protocol import plan_folds, read_protocol
from rocscope.algorithms.records import compare_over_cases
from rocscope.algorithms.trainings import base_of
from rocscope.errors import RocInputError
from rocscope.inference.compare import compare_auc

LEARNERS = {"nb": GaussianNB(), "tree": DecisionTreeClassifier(max_depth=3), "svm": LinearSVC()}


def cases(seed=0, n=120, classes=("no", "yes")):
    """Normal cases, the classes one standard deviation apart in each of three features."""
    rng = np.random.default_rng(seed)
    codes = np.arange(n) % len(classes)
    return rng.normal(size=(n, 3)) + codes[:, None], np.array(classes)[codes]


@pytest.fixture(scope="module")
def two_sets():
    """Three learners on two data sets, ten left-out folds."""
    data = {"one": cases(1), "two": cases(2, n=90)}
    return compare_algorithms(LEARNERS, data, folds=10, rng=3)


class Tuned(KNeighborsClassifier):
    """Takes the validation cases and remembers how many there were; all 80 train without any."""

    def fit(self, X, y, X_val=None, y_val=None):
        self.n_validation_ = 0 if X_val is None else len(X_val)
        if X_val is not None:
            assert len(X_val) == len(y_val)
            assert not {tuple(row) for row in X_val} & {tuple(row) for row in X}
        return super().fit(X, y)

    def predict_proba(self, X):
        assert self.n_validation_ == 80 - self.n_samples_fit_
        return super().predict_proba(X)


def test_areas_and_errors_are_those_of_scikit_learn(two_sets):
    X, y = cases(1)
    folds = plan_folds(read_protocol("kfold", 10, None), y, np.random.SeedSequence([base_of(3)]))
    for k, fold in enumerate(folds):
        model = GaussianNB().fit(X[fold.train], y[fold.train])
        score = model.predict_proba(X[fold.test])[:, 1]
        assert two_sets.auc[0, 0, k] == pytest.approx(roc_auc_score(y[fold.test] == "yes", score), abs=1e-12)
        assert two_sets.error[0, 0, k] == pytest.approx(
            1 - model.score(X[fold.test], y[fold.test]), abs=1e-12
        )


def test_tests_are_those_of_paired_tests(two_sets):
    found = two_sets.tests_of("two", "nb", "svm", "error")
    rows = paired_tests(two_sets.error[1, 0], two_sets.error[1, 2], n_train=9, n_test=1, rope=0.01)
    assert found.tests == rows.rows
    with pytest.raises(RocInputError, match="must name a pair of this comparison"):
        two_sets.tests_of("two", "svm", "nb")


def test_verdicts_follow_the_p_values(two_sets):
    assert len(two_sets.verdicts) == 6
    for verdict in two_sets.verdicts:
        tests = two_sets.tests_of(verdict.dataset, verdict.first, verdict.second, "auc")
        test = tests.test("corrected-t")
        assert verdict.auc.p_value == test.p_value
        assert verdict.auc.rejects == (test.p_value < 0.05)
        better = verdict.first if test.difference > 0 else verdict.second
        assert verdict.auc.winner == (better if verdict.auc.rejects else None)
        assert verdict.auc.p_value <= verdict.auc.p_holm <= verdict.auc.p_bonferroni
    assert sum(two_sets.cases().values()) == 6
    assert two_sets.cases()["undefined"] == 0


def test_a_verdict_prints_holms_p_values(two_sets):
    lines = str(two_sets).splitlines()
    for verdict in two_sets.verdicts:
        auc, error = verdict.auc, verdict.error
        p = f"AUC p = {auc.p_value:.4g} (Holm {auc.p_holm:.4g}), error p = {error.p_value:.4g}"
        (line,) = [
            one for one in lines if one.startswith(f"{verdict.dataset}: {verdict.first} - {verdict.second}:")
        ]
        assert f"{p} (Holm {error.p_holm:.4g}): {verdict.case}" in line
        assert ("after Holm" in line) == (verdict.case_of("holm") != verdict.case)


def test_case_names_follow_error_and_auc(two_sets):
    for verdict in two_sets.verdicts:
        expected = {
            (False, False): "both accept",
            (False, True): "error accepts, AUC rejects",
            (True, False): "error rejects, AUC accepts",
            (True, True): "both reject",
        }[verdict.error.rejects, verdict.auc.rejects]
        assert verdict.case == expected


def test_smaller_error_wins():
    X, y = cases(4, n=300)
    noise = np.random.default_rng(0).normal(size=300)
    learners = {"blind": DummyScore(), "lda": LinearDiscriminantAnalysis()}
    found = compare_algorithms(learners, (np.column_stack([X, noise]), y), folds=10)
    assert found.verdicts[0].error.winner == "lda"
    assert found.verdicts[0].auc.winner == "lda"


class DummyScore(LinearDiscriminantAnalysis):
    """Learns from the last feature alone."""

    def fit(self, X, y):
        return super().fit(X[:, -1:], y)

    def decision_function(self, X):
        return super().decision_function(X[:, -1:])

    def predict_proba(self, X):
        return super().predict_proba(X[:, -1:])

    def predict(self, X):
        return super().predict(X[:, -1:])


@pytest.mark.slow
def test_same_numbers_for_any_number_of_jobs():
    data = cases(6, n=60)
    one = compare_algorithms(LEARNERS, data, folds=3, rng=1)
    two = compare_algorithms(LEARNERS, data, folds=3, rng=1, n_jobs=2)
    assert one.to_dict() == two.to_dict()


@pytest.mark.parametrize(
    ("protocol", "extra", "n_values", "test"),
    [
        ("kfold", {"folds": 4}, 4, "corrected-t"),
        ("repeated", {"folds": 3, "repeats": 2}, 6, "corrected-t"),
        ("5x2", {}, 10, "corrected-t"),
        ("holdout", {"folds": 4}, 4, "delong-averaged"),
    ],
)
def test_protocols(protocol, extra, n_values, test):
    learners = {"nb": GaussianNB(), "lda": LinearDiscriminantAnalysis()}
    found = compare_algorithms(learners, cases(7), protocol=protocol, **extra)
    assert found.auc.shape == (1, 2, n_values)
    assert found.verdicts[0].auc.method == test
    assert found.tests[0].test(test).p_value == found.verdicts[0].auc.p_value


def test_holdout_is_the_protocol_of_the_paper():
    """A third is tested; 30 folds of the rest are each left out once, and the models meet the same third."""
    X, y = cases(15, n=180)
    learners = {"nb": GaussianNB(), "lda": LinearDiscriminantAnalysis()}
    found = compare_algorithms(learners, {"made": (X, y)}, protocol="holdout", rng=4)
    folds = plan_folds(read_protocol("holdout", 30, None), y, np.random.SeedSequence([base_of(4)]))
    test = folds[0].test
    train_all = np.setdiff1d(np.arange(180), test)
    assert (len(test), len(folds), found.auc.shape) == (60, 30, (1, 2, 30))
    for k, fold in enumerate(folds):
        assert sorted([*fold.train, *fold.validation]) == train_all.tolist()
        model = GaussianNB().fit(X[fold.train], y[fold.train])
        area = roc_auc_score(y[test] == "yes", model.predict_proba(X[test])[:, 1])
        assert found.auc[0, 0, k] == pytest.approx(area, abs=1e-12)
        assert found.error[0, 0, k] == pytest.approx(1 - model.score(X[test], y[test]), abs=1e-12)
    once = GaussianNB().fit(X[train_all], y[train_all])
    assert found.singles[0][0].score.tolist() == once.predict_proba(X[test])[:, 1].tolist()
    ratio = len(test) / np.mean([len(fold.train) for fold in folds])
    d = found.auc[0, 0] - found.auc[0, 1]
    statistic = d.mean() / np.sqrt((1 / 30 + ratio) * d.var(ddof=1))
    assert found.tests[0].test("corrected-t").statistic == pytest.approx(statistic, rel=1e-10)


def test_averaged_tests_written_out():
    """Placements and losses of every case, averaged over the models, then the tests over the cases."""
    learners = {"nb": GaussianNB(), "tree": DecisionTreeClassifier(max_depth=2)}
    found = compare_algorithms(learners, cases(16), folds=4, protocol="holdout")
    by_learner = []
    for folds in found.records[0]:
        beats, wrong = [], []
        for record in folds:
            pos, neg = record.score[record.positive], record.score[~record.positive]
            beats.append([[(p > n) + 0.5 * (p == n) for n in neg] for p in pos])
            wrong.append(record.called != record.positive)
        by_learner.append((np.mean(beats, axis=0), np.mean(wrong, axis=0)))
    beats, wrong = (first - second for first, second in zip(*by_learner, strict=True))
    by_pos, by_neg = beats.mean(axis=1), beats.mean(axis=0)
    z = beats.mean() / np.sqrt(by_pos.var(ddof=1) / len(by_pos) + by_neg.var(ddof=1) / len(by_neg))
    delong = found.tests_of("data", "nb", "tree", "auc").test("delong-averaged")
    assert delong.statistic == pytest.approx(z, rel=1e-10)
    df = stats.ttest_ind(by_pos, by_neg, equal_var=False).df
    assert delong.df == pytest.approx(df, rel=1e-10)
    assert delong.p_value == pytest.approx(2 * stats.t.sf(abs(z), df), rel=1e-10)
    paired = stats.ttest_1samp(wrong, 0)
    over_cases = found.tests_of("data", "nb", "tree", "error").test("case-averaged-t")
    assert over_cases.statistic == pytest.approx(paired.statistic, rel=1e-10)
    assert over_cases.p_value == pytest.approx(paired.pvalue, rel=1e-10)


def test_one_positive_in_the_test_set_has_no_test_over_cases():
    y = np.r_[np.ones(4), np.zeros(40)].astype(int)
    X = np.random.default_rng(0).normal(size=(44, 2)) + y[:, None]
    learners = {"nb": GaussianNB(), "knn": KNeighborsClassifier(3)}
    found = compare_algorithms(learners, (X, y), folds=2, protocol="holdout")
    assert found.records[0][0][0].positive.sum() == 1
    test = found.tests[0].test("delong-averaged")
    assert (test.status, test.p_value) == ("undefined", None)
    assert test.reason == "a class has one case alone in the test set, which has no variance"
    assert found.verdicts[0].case is None


def test_holm_and_bonferroni_over_the_pairs_of_a_data_set(two_sets):
    for name in ("one", "two"):
        for measure in ("auc", "error"):
            tests = [verdict[measure] for verdict in two_sets.verdicts if verdict.dataset == name]
            least, running = sorted(tests, key=lambda test: test.p_value), 0.0
            for step, test in enumerate(least):
                running = max(running, min(1.0, (3 - step) * test.p_value))
                assert test.p_holm == pytest.approx(running, rel=1e-12)
                assert test.p_bonferroni == pytest.approx(min(1.0, 3 * test.p_value), rel=1e-12)
                assert test.rejects_holm == (running < 0.05)


def test_verdict_of_a_test_without_a_mean_difference_has_no_winner():
    plain = LearnerTest(method="wilcoxon", difference=0.0, p_value=0.01)
    (settled,) = adjusted([plain], [("a", "b")], larger_is_better=True, level=0.95)
    assert (settled.rejects, settled.winner) == (True, None)


@pytest.mark.parametrize("protocol", ["kfold", "repeated", "5x2", "holdout"])
def test_names_change_nothing(protocol):
    """Neither those of data sets nor of algorithms, nor which class is positive; chance is in the trees."""
    X, y = cases(21, n=60)
    forest = {"a": DecisionTreeClassifier(max_features=1), "b": KNeighborsClassifier(3)}
    found = [
        compare_algorithms(dict(zip(names, forest.values(), strict=True)), data, folds=3, protocol=protocol)
        for names, data in ((("a", "b"), {"p": (X, y)}), (("x", "y"), {"q": (X, y)}), (("a", "b"), (X, y)))
    ]
    swapped = compare_algorithms(forest, (X, y), folds=3, protocol=protocol, pos_label="no")
    for other in (*found[1:], swapped):
        np.testing.assert_allclose(other.auc, found[0].auc, rtol=1e-12)
        assert other.error.tolist() == found[0].error.tolist()
        assert other.verdicts[0].error.p_value == found[0].verdicts[0].error.p_value
    assert found[1].verdicts[0].auc.p_value == found[0].verdicts[0].auc.p_value


def test_numbers_of_one_do_not_depend_on_the_others():
    data = {"one": cases(1, n=60), "two": cases(2, n=60)}
    tree = DecisionTreeClassifier(max_features=1)
    both = compare_algorithms({"nb": GaussianNB(), "tree": tree}, data, folds=4)
    alone = compare_algorithms({"tree": tree, "knn": KNeighborsClassifier()}, {"two": data["two"]}, folds=4)
    assert both.auc[1, 1].tolist() == alone.auc[0, 0].tolist()


def test_equal_comparisons_are_equal(two_sets):
    again = compare_algorithms(LEARNERS, {"one": cases(1), "two": cases(2, n=90)}, folds=10, rng=3)
    assert again == two_sets
    assert pickle.loads(pickle.dumps(again)) == two_sets
    assert compare_algorithms(LEARNERS, {"one": cases(1)}, folds=10, rng=3) != two_sets


def test_folds_partition_the_cases():
    positive = np.arange(50) % 3 == 0
    repeated = plan_folds(read_protocol("repeated", 5, 2), positive, 0)
    for part in (repeated[:5], repeated[5:]):
        assert sorted(np.concatenate([fold.test for fold in part])) == list(range(50))
    for fold in repeated:
        assert sorted([*fold.train, *fold.test]) == list(range(50))
    held_out = plan_folds(read_protocol("holdout", 5, None), positive, 0)
    assert len({tuple(fold.test) for fold in held_out}) == 1
    assert len(held_out[0].test) == pytest.approx(50 / 3, abs=1)
    rest = np.concatenate([fold.validation for fold in held_out])
    assert sorted([*rest, *held_out[0].test]) == list(range(50))


def test_validation_cases_reach_an_estimator_that_takes_them():
    learners = {"tuned": Tuned(3), "nb": GaussianNB()}
    found = compare_algorithms(learners, cases(8), folds=5, protocol="holdout")
    assert not found.failures


def test_holdout_marks_fold_wise_tests_and_adds_delong():
    learners = {"nb": GaussianNB(), "lda": LinearDiscriminantAnalysis()}
    found = compare_algorithms(learners, cases(9), folds=5, protocol="holdout")
    *fold_wise, over_cases = found.tests[0].tests
    assert all(row.assumption.startswith("conditional on this test set") for row in fold_wise)
    assert "conditional" not in over_cases.assumption
    papers = compare_algorithms(learners, cases(9), folds=5, protocol="holdout", test="paired-t")
    assert "conditional on this test set" in str(papers)
    assert "conditional on this test set" in str(papers.verdicts[0])
    assert papers.frame()["auc_conditional"].tolist() == [True]
    assert papers.verdicts[0].auc.conditional
    assert not found.verdicts[0].auc.conditional


def test_averaged_delong_of_one_model_is_delong():
    learners = {"nb": GaussianNB(), "lda": LinearDiscriminantAnalysis()}
    found = compare_algorithms(learners, cases(10), folds=5, protocol="holdout")
    first, second = found.records[0][0][:1], found.records[0][1][:1]
    ours = compare_over_cases("auc", first, second, level=0.95)
    scores = {"a": first[0].score, "b": second[0].score}
    theirs = compare_auc(first[0].positive, scores, method="delong")
    assert ours.difference == pytest.approx(theirs.pairs[0].difference, rel=1e-10)
    assert ours.statistic == pytest.approx(theirs.statistic, rel=1e-10)
    # By t: the interval is longer by the ratio of the quantiles.
    longer = stats.t.ppf(0.975, ours.df) / stats.norm.ppf(0.975)
    assert ours.high - ours.low == pytest.approx(longer * (theirs.pairs[0].high - theirs.pairs[0].low))


def test_two_classes_most_confused_are_kept():
    rng = np.random.default_rng(0)
    names = np.array(["a", "b", "c"])[np.arange(150) % 3]
    centre = {"a": 0.0, "b": 5.0, "c": 5.5}
    X = np.array([[centre[name]] for name in names]) + rng.normal(size=(150, 1)) * 0.5
    found = compare_algorithms({"nb": GaussianNB(), "knn": KNeighborsClassifier()}, (X, names), folds=3)
    row = found.datasets[0]
    assert row.assumed
    assert (row.negative, row.positive, row.n_pos, row.n_neg) == ("b", "c", 50, 50)
    assert row.note.startswith("classes 'b' and 'c' of 3: 1-nearest-neighbour confuses them most")


def test_further_scorers():
    learners = {"nb": GaussianNB(), "lda": LinearDiscriminantAnalysis()}
    scorers = {"loss": "neg_log_loss", "own": lambda model, X, y: float(len(X))}
    found = compare_algorithms(learners, cases(11), folds=4, scorers=scorers)
    assert found.others["own"].tolist() == [[[30.0] * 4] * 2]
    assert found.tests_of("data", "nb", "lda", "own").test("paired-t").p_value == 1.0


def test_a_scorer_that_fails_takes_nothing_from_area_and_error():
    learners = {"nb": GaussianNB(), "svm": LinearSVC()}
    scorers = {"loss": "neg_log_loss", "none": lambda model, X, y: float("nan")}
    found = compare_algorithms(learners, cases(11), folds=4, scorers=scorers)
    assert found.defined.all()
    assert np.isfinite(found.others["loss"][0, 0]).all()
    assert np.isnan(found.others["loss"][0, 1]).all()
    assert found.verdicts[0].case is not None
    loss = found.tests_of("data", "nb", "svm", "loss").test("paired-t")
    assert loss.reason.startswith("svm is undefined in folds 0, 1, 2, 3: AttributeError: ")
    none = found.tests_of("data", "nb", "svm", "none").test("paired-t")
    assert none.reason == (
        "nb is undefined in folds 0, 1, 2, 3: it gave nan; svm is undefined in folds 0, 1, 2, 3: it gave nan"
    )
    reasons = {row.reason for row in found.failures if row.algorithm == "svm"}
    assert "scorer none: it gave nan" in reasons
    assert any(reason.startswith("scorer loss: AttributeError") for reason in reasons)


def test_identical_learners_give_p_one():
    same = compare_algorithms({"a": GaussianNB(), "b": GaussianNB()}, cases(12), folds=4)
    assert [row.p_value for row in same.tests[0].tests if row.posterior is None] == [1.0] * 5
    assert same.verdicts[0].case == "both accept"


def test_the_tests_of_a_pair_as_text_and_frame(two_sets):
    pair = two_sets.tests_of("one", "nb", "tree")
    frame = pair.frame()
    assert list(frame["method"]) == [test.method for test in pair.tests]
    assert list(frame.columns[:8]) == [
        "dataset",
        "first",
        "second",
        "measure",
        "method",
        "statistic",
        "df",
        "p_value",
    ]
    assert set(zip(frame["dataset"], frame["first"], frame["second"], frame["measure"], strict=True)) == {
        ("one", "nb", "tree", "auc")
    }
    row = frame[frame["method"] == "corrected-t"].iloc[0]
    test = pair.test("corrected-t")
    assert (row["statistic"], row["df"], row["p_value"]) == (test.statistic, test.df, test.p_value)
    lines = str(pair).splitlines()
    assert lines[0] == "auc on one, nb minus tree:"
    assert lines[1:] == [f"  {test}" for test in pair.tests]
    assert "LearnerTest(" not in str(pair)


def test_equal_pairs_are_equal(two_sets):
    pair, again = (algorithm_pair(two_sets, "one", "nb", "tree") for _ in range(2))
    assert pair == again
    assert hash(pair) == hash(again)
    assert pair != algorithm_pair(two_sets, "two", "nb", "tree")
    assert pickle.loads(pickle.dumps(pair)) == pair


def test_no_lambdas_at_all_are_refused(two_sets):
    with pytest.raises(RocInputError) as error:
        loss_curves(two_sets, "one", lambdas=[])
    assert str(error.value) == "lambdas must hold at least one number, got []"


def test_result_as_text_frame_and_json(two_sets):
    assert str(two_sets).startswith("3 algorithms on 2 data sets, kfold, 10 folds\ntests: auc by corrected-t")
    assert len(two_sets.frame()) == 6
    assert two_sets.to_dict()["datasets"][1]["name"] == "two"
    assert "records" not in two_sets.to_dict()


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"algorithms": {"nb": GaussianNB()}}, "algorithms must hold at least 2 estimators, got 1"),
        ({"algorithms": [GaussianNB()]}, "algorithms must be a mapping from names to estimators"),
        (
            {"algorithms": {"a": GaussianNB, "b": GaussianNB()}},
            "algorithms['a']: estimator must be an object",
        ),
        ({"folds": 1}, "folds must be"),
        (
            {"folds": 61},
            "folds must be at most the number of cases of each class that they deal: "
            "data set 'data' has 60 of class 'no', got 61",
        ),
        (
            {"folds": 41, "protocol": "holdout"},
            "data set 'data' has 60 of class 'no', a third of them set aside for the test, got 41",
        ),
        ({"protocol": "loo"}, "protocol must be one of"),
        ({"repeats": 3}, "repeats must be left out unless the protocol is 'repeated', got 3"),
        ({"test": "5x2cv-f"}, "test must be one of"),
        ({"test": "delong-averaged"}, "test must be one of"),
        ({"scorers": ["neg_logloss"]}, "scorers['neg_logloss'] must be a callable"),
        ({"scorers": {"auc": "roc_auc"}}, "scorers must have names other than auc and error"),
        ({"datasets": {}}, "datasets must be a mapping from names to (X, y), or one (X, y), got {}"),
        ({"datasets": {"x": 3}}, "datasets['x'] must be a pair (X, y), got 3"),
        ({"datasets": ([[1.0]], [1, 0])}, "X and y of 'data' must have the same length: X has 1, y has 2"),
        ({"pos_label": "maybe"}, "pos_label must be one of the labels in y of 'data'"),
        ({"pos_label": {"date": "yes"}}, "pos_label must name data sets among ['data'], got ['date']"),
        (
            {"datasets": {1: cases(14), "1": cases(14)}},
            "datasets must hold different names, got ['1', '1']",
        ),
        ({"timeout": -1}, "timeout must"),
        ({"n_jobs": 0}, "n_jobs must"),
        ({"rng": "x"}, "rng must"),
        ({"level": 95}, "level must"),
    ],
)
def test_refused_before_any_training(change, message):
    request = {"algorithms": {"a": NeverTrained(), "b": NeverTrained()}, "datasets": cases(14), "folds": 5}
    request |= change
    algorithms, datasets = request.pop("algorithms"), request.pop("datasets")
    with pytest.raises(RocInputError) as caught:
        compare_algorithms(algorithms, datasets, **request)
    assert str(caught.value).startswith(message) or message in str(caught.value)


class NeverTrained(LogisticRegression):
    """Training it is the failure of the test."""

    def fit(self, X, y):
        raise AssertionError("trained")
