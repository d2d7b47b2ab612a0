"""`learning_curve`: against models trained one by one, and by what it promises."""

import json

import numpy as np
import pytest
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.ensemble import ExtraTreesClassifier
from sklearn.multiclass import OutputCodeClassifier
from sklearn.naive_bayes import GaussianNB

from rocscope.bootstrap.learning import draw_points, learning_curve, split_out
from rocscope.core.resampling import spawn_streams
from rocscope.errors import RocInputError
from rocscope.training.datasets import Dataset
from slow import left_out as slow

LDA = LinearDiscriminantAnalysis()


def cases(n_neg=30, n_pos=20, shift=0.5, p=4, seed=1):
    rng = np.random.default_rng(seed)
    y = np.repeat([0, 1], [n_neg, n_pos])
    return rng.normal(size=(len(y), p)) + shift * y[:, np.newaxis], y


def test_agrees_with_models_trained_one_by_one():
    X, y = cases()
    found = learning_curve(LDA, X, y, sizes=[15, 25], n_boot=6, rng=3)
    data, stream = Dataset.read(X, y), spawn_streams(3, 2)[0]
    for k, size in enumerate((15, 25)):
        for point in draw_points(data, size, 6, stream):
            values, own = [], []
            for split in point.splits:
                train, out = split.train, split_out(split)
                model = LinearDiscriminantAnalysis().fit(X[train], y[train])
                values.append(slow.auc(model.decision_function(X[out]), y[out]))
                own.append(slow.auc(model.decision_function(X[train]), y[train]))
                assert not set(train) & set(out)
            place = k, found.estimates.index(point.estimates[0])
            assert found.values[place] == pytest.approx(np.mean(values), abs=1e-12)
            assert found.mc_error[place] == pytest.approx(np.std(values, ddof=1) / 6**0.5, abs=1e-12)
            assert found.cases[place] == point.cases
            if point.estimates[0] == "auc":
                assert found.apparent[k] == pytest.approx(np.mean(own), abs=1e-12)


def test_training_sets_keep_the_shares_of_the_classes():
    X, y = cases()
    drawn = draw_points(Dataset.read(X, y), 20, 5, np.random.default_rng(1))
    points = {point.estimates[0]: point for point in drawn}
    assert {name: point.cases for name, point in points.items()} == {"auc": 20, "star632": 32, "star500": 40}
    for split in points["auc"].splits:
        assert np.bincount(y[split.train]).tolist() == [12, 8]
        assert len(set(split.train)) == 20
        assert len(split_out(split)) == 30
    for split in points["star500"].splits:
        assert np.bincount(y[split.train]).tolist() == [24, 16]
        assert len(set(split.train)) + len(split_out(split)) == 40


@pytest.mark.slow
def test_more_cases_train_better_and_bootstraps_are_worth_less_than_they_hold():
    X, y = cases(100, 100, shift=0.4, p=6)
    found = learning_curve(LDA, X, y, sizes=[20, 40, 80], n_boot=80, rng=1)
    assert np.all(np.diff(found.auc) > 0)
    assert np.all(np.diff(found.apparent) < 0)
    assert found.star632[0] < found.star500[0]  # figure 5: the larger data set trains better
    assert found.defined.all()


@pytest.mark.slow
def test_any_number_of_jobs():
    X, y = cases()
    options = {"sizes": [12, 20], "n_boot": 12, "rng": 5}
    assert learning_curve(LDA, X, y, **options) == learning_curve(LDA, X, y, n_jobs=2, **options)


def test_undefined_beyond_the_data():
    X, y = cases()
    found = learning_curve(LDA, X, y, sizes=[20, 30, 40], n_boot=5, rng=1)
    assert found.defined.tolist() == [
        [True, True, True, True],
        [True, True, True, False],
        [True, True, False, False],
    ]
    assert np.isnan(found.star500[1])
    assert json.loads(found.to_json())["values"][1][3] is None
    assert found.frame()["star500"].isna().tolist() == [False, True, True]
    assert "undefined" in str(found).splitlines()[2]
    assert learning_curve(LDA, X, y, n_boot=2, rng=1).sizes.tolist() == [10, 15, 20, 25, 30, 35, 40]


def test_failed_trainings_are_counted():
    class Fails(LinearDiscriminantAnalysis):
        def fit(self, X, y):
            if len(X) < 20:
                raise ValueError("too few")
            return super().fit(X, y)

    X, y = cases()
    found = learning_curve(Fails(), X, y, sizes=[15, 25], n_boot=4, rng=1)
    assert found.failed.tolist() == [[4, 4, 0, 0], [0, 0, 0, 0]]
    assert not found.defined[0, 0]
    assert found.warnings == ("a training failed: ValueError: too few",)


@pytest.mark.parametrize(
    ("sizes", "message"),
    [
        ([20, 10], "sizes must increase, got [20, 10]"),
        ([50], "sizes must stay below the number of cases, 50, got [50]"),
        ([1], "sizes must be a whole number of at least 2, got 1"),
        (30, "sizes must be a one-dimensional array, got 30"),
    ],
)
def test_wrong_sizes(sizes, message):
    with pytest.raises(RocInputError) as error:
        learning_curve(LDA, *cases(), sizes=sizes)
    assert str(error.value) == message


def test_several_learners_have_the_curves_they_have_alone():
    X, y = cases()
    learners = {"lda": LDA, "trees": ExtraTreesClassifier(3), "nb": GaussianNB()}  # the second one draws
    options = {"sizes": [12, 20, 40], "n_boot": 5, "rng": 5}
    calls = []
    found = learning_curve(learners, X, y, progress=lambda *at: calls.append(at), **options)
    assert found.curves == {name: learning_curve(one, X, y, **options) for name, one in learners.items()}
    assert calls == [(done + 1, len(calls)) for done in range(len(calls))]
    table = found.columns()
    assert table["learner"] == [name for name in learners for _ in range(3)]
    assert table["auc"][3:6] == found.curves["trees"].auc.tolist()
    lines = str(found).splitlines()
    assert (lines[0].split()[:3], lines[4].split()[:2]) == (["learner", "cases", "auc"], ["trees", "12"])
    assert type(found).from_dict(json.loads(found.to_json())) == found


def test_warnings_of_several_learners_name_them():
    class Fails(GaussianNB):
        def fit(self, X, y):
            raise ValueError("never")

    X, y = cases()
    found = learning_curve({"nb": GaussianNB(), "none": Fails()}, X, y, sizes=[15], n_boot=3, rng=1)
    assert str(found).splitlines()[-1] == "note: none: a training failed: ValueError: never"
    assert not found.curves["none"].defined.any()


@pytest.mark.parametrize(
    ("learners", "message"),
    [
        ({}, "estimator must be a classifier, or map names to classifiers, got []"),
        ({1: LDA}, "estimator must be a classifier, or map names to classifiers, got [1]"),
        (
            {"a": LDA, "b": OutputCodeClassifier(LDA)},
            "estimator['b'] must give scores: estimator OutputCodeClassifier has predict only: "
            "hard labels are no scores",
        ),
    ],
)
def test_wrong_learners(learners, message):
    with pytest.raises(RocInputError) as error:
        learning_curve(learners, *cases())
    assert str(error.value) == message
