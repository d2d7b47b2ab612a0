"""Methods that take an executor: the same result on dask as here; tests of processes stand beside each."""

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier

from rocscope.algorithms.comparison import compare_algorithms
from rocscope.bootstrap.estimates import bootstrap_auc
from rocscope.run.dask_executor import DaskExecutor
from rocscope.training.cross_scores import cross_scores

distributed = pytest.importorskip("distributed", reason="the dask backend is an extra")
pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def executor():
    """One cluster of two workers, for every method after the other."""
    # Any port for the dashboard: another cluster on this machine may have taken the usual one.
    how = {"n_workers": 2, "threads_per_worker": 1, "host": "127.0.0.1", "dashboard_address": "127.0.0.1:0"}
    with (
        distributed.LocalCluster(**how) as cluster,
        DaskExecutor(cluster.scheduler_address) as dask,
    ):
        yield dask


def cases():
    rng = np.random.default_rng(3)
    y = np.tile([0, 1], 40)
    return rng.normal(size=(80, 3)) + 0.8 * y[:, None], y


# Each leaves its random state open where it has one: seeds must travel with the tasks.
TREE = DecisionTreeClassifier(min_samples_leaf=5, max_features=2)
METHODS = {
    "cross_scores": lambda **how: cross_scores(TREE, *cases(), cv=5, rng=1, **how),
    "bootstrap_auc": lambda **how: bootstrap_auc(LogisticRegression(), *cases(), n_boot=60, rng=1, **how),
    "compare_algorithms": lambda **how: compare_algorithms(
        {"nb": GaussianNB(), "tree": TREE}, {"first": cases(), "second": cases()}, folds=5, rng=1, **how
    ),
}


@pytest.mark.parametrize("method", list(METHODS))
def test_the_cluster_gives_the_same_result(method, executor):
    here = METHODS[method](n_jobs=1)
    there = METHODS[method](executor=executor)
    assert there == here
    assert there.to_json() == here.to_json()


def test_a_failing_fold_is_reported_alike(executor):
    """The estimator fails in a worker as it does here, and the other folds stand."""
    X, y = cases()
    X[7, 0] = np.nan  # logistic regression refuses it, in training and in test
    learners = {"logistic": LogisticRegression(), "tree": TREE}
    here = compare_algorithms(learners, (X, y), folds=4, rng=1, n_jobs=1)
    assert {row.algorithm for row in here.failures} == {"logistic"}
    there = compare_algorithms(learners, (X, y), folds=4, rng=1, executor=executor)
    assert [row.reason for row in there.failures] == [row.reason for row in here.failures]
    np.testing.assert_array_equal(there.auc, here.auc)
