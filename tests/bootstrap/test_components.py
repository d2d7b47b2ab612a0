"""Components of variance: a table whose effects are known, and areas whose training part is exact."""

import json

import numpy as np
import pytest
from scipy import special, stats

from rocscope.bootstrap.components import difference_components, split, variance_components
from rocscope.errors import RocInputError
from slow import learners as slow


def test_components_of_a_table_with_known_effects():
    rng = np.random.default_rng(1)
    rows, columns, rest = (
        0.05 * rng.normal(size=(400, 1)),
        0.02 * rng.normal(size=300),
        rng.normal(size=(400, 300)),
    )
    found = {row.source: row for row in split(20, 0.7 + rows + columns + 0.01 * rest)}
    for source, sd in (("training", 0.05), ("test", 0.02), ("both", 0.01)):
        assert abs(found[source].variance - sd**2) < 4 * found[source].error
    assert sum(row.share for row in found.values()) == pytest.approx(1)


def test_errors_of_the_components_tell_how_far_tables_differ():
    rng = np.random.default_rng(2)
    tables = [
        split(
            20,
            0.05 * rng.normal(size=(25, 1)) + 0.03 * rng.normal(size=30) + 0.02 * rng.normal(size=(25, 30)),
        )
        for _ in range(150)
    ]
    for k in range(3):
        spread = np.std([table[k].variance for table in tables], ddof=1)
        result = np.sqrt(np.mean([table[k].error ** 2 for table in tables]))
        # What is independent from pair to pair is counted once for the rows and once for the columns.
        assert 0.9 < result / spread < 1.55


def test_a_component_below_zero_has_no_deviation():
    rng = np.random.default_rng(3)
    rest = rng.normal(size=(5, 6))
    rest -= rest.mean(axis=1, keepdims=True)
    row = split(20, rest)[0]
    assert row.variance < 0
    assert row.sd == 0.0
    assert split(20, np.full((3, 3), 0.5))[0].share is None


def test_the_training_part_is_the_variance_of_the_exact_areas():
    """An area on an infinite test set is exact for a linear score, and only the training set moves it."""
    found = variance_components("lda", n=15, dimension=3, training_sets=300, test_sets=200, n_test=50, rng=1)
    rng = np.random.default_rng(1)
    mean, unit = np.full(3, np.sqrt(0.8 / 3)), np.eye(3)
    exact = []
    for _ in range(3000):
        neg, pos = rng.normal(size=(15, 3)), rng.normal(size=(15, 3)) + mean
        weights = np.linalg.solve(slow.pooled(neg, pos, neg, pos), pos.mean(axis=0) - neg.mean(axis=0))
        exact.append(slow.exact_area(weights, mean, (unit, unit)))
    row = found.row(15, "training")
    assert row.variance == pytest.approx(np.var(exact), abs=4 * row.error)
    assert found.mean[0] == pytest.approx(np.mean(exact), abs=0.02)


def test_the_test_part_is_the_variance_of_an_area_of_normal_scores():
    """Bamber's variance, with the probabilities of two normal classes; the learner hardly varies."""
    found = variance_components("lda", n=2000, n_test=100, training_sets=3, test_sets=1500, rng=1)
    area = found.mean[0]
    both_right = stats.multivariate_normal([0, 0], [[1, 0.5], [0.5, 1]]).cdf([special.ndtri(area)] * 2)
    variance = (area * (1 - area) + 2 * 99 * (both_right - area**2)) / 100**2
    assert found.values[0].var(axis=1).mean() == pytest.approx(variance, rel=0.12)
    assert found.row(2000, "test").variance == pytest.approx(variance, rel=0.12)


def test_one_more_case_of_training_or_testing_moves_its_own_part():
    found = variance_components("lda", n=[20, 200], n_test=100, training_sets=60, test_sets=60, rng=1)
    larger = variance_components("lda", n=[20, 200], n_test=400, training_sets=60, test_sets=60, rng=1)
    assert found.row(20, "training").sd > 3 * found.row(200, "training").sd
    assert found.row(200, "test").sd == pytest.approx(2 * larger.row(200, "test").sd, rel=0.3)
    assert found.row(200, "test").share > 0.8


@pytest.mark.slow
def test_any_number_of_jobs_gives_the_same_numbers():
    options = {"n": [5, 8], "training_sets": 60, "test_sets": 7, "n_test": 20, "rng": 3}
    assert variance_components("qda", **options, n_jobs=2) == variance_components("qda", **options)


def test_summary():
    found = variance_components("qda", n=[5, 8], training_sets=60, test_sets=7, n_test=20, rng=3)
    assert found.values.shape == (2, 60, 7)
    assert "values" not in json.loads(found.to_json())
    assert found.columns()["source"] == ["training", "test", "both"] * 2
    sds = ", ".join(f"{name} {found.row(8, name).sd:.4f}" for name in ("training", "test", "both"))
    assert str(found).splitlines() == [
        "qda, 60 training and 7 test sets of 20 cases per class crossed",
        str(found).splitlines()[1],
        f"  n = 8: mean area {found.mean[1]:.4f}, SD from {sds}",
    ]


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"training_sets": 2}, "training_sets must be a whole number of at least 3, got 2"),
        ({"test_sets": 0}, "test_sets must be a whole number of at least 3, got 0"),
        ({"n_test": 0}, "n_test must be a whole number of at least 1, got 0"),
        ({"learner": "knn"}, "learner must be one of 'nearest-mean', 'lda', 'qda', '1nn', got 'knn'"),
    ],
)
def test_refused(wrong, message):
    with pytest.raises(RocInputError) as error:
        variance_components(**wrong)
    assert str(error.value).startswith(message)


def test_a_source_that_is_not_there():
    found = variance_components("lda", n=5, training_sets=3, test_sets=3, rng=1)
    with pytest.raises(
        RocInputError, match=r"^source must be one of 'training', 'test', 'both', got 'sets'$"
    ):
        found.row(5, "sets")
    with pytest.raises(RocInputError, match=r"^n must be one of 5, got 6$"):
        found.row(6, "test")


# ---- Two learners on the same sets -----------------------------------


def literal_components(table):
    """The three variances of a two-way table, by loops over its cells."""
    r, c = len(table), len(table[0])
    whole = sum(sum(row) for row in table) / (r * c)
    rows = [sum(row) / c for row in table]
    columns = [sum(table[i][j] for i in range(r)) / r for j in range(c)]
    rest = sum((table[i][j] - rows[i] - columns[j] + whole) ** 2 for i in range(r) for j in range(c))
    both = rest / ((r - 1) * (c - 1))
    training = sum((row - whole) ** 2 for row in rows) / (r - 1) - both / c
    test = sum((column - whole) ** 2 for column in columns) / (c - 1) - both / r
    return training, test, both


def test_the_difference_is_that_of_the_same_sets():
    options = {"n": [4, 8], "training_sets": 7, "test_sets": 5, "n_test": 3, "rng": 3}  # few pairs: many ties
    found = difference_components("lda", "1nn", **options)
    first, second = (variance_components(learner, **options) for learner in ("lda", "1nn"))
    assert (found.first, found.second) == (first, second)
    for k, n in enumerate((4, 8)):
        table = (first.values[k] - second.values[k]).tolist()
        variances = literal_components(table)
        assert [row.variance for row in found.difference.rows if row.n == n] == pytest.approx(variances)
        assert found.mean[k] == pytest.approx(np.mean(table))
        training, test, both = (max(one, 0) for one in variances)
        assert found.mean_error[k] == pytest.approx((training / 7 + test / 5 + both / 35) ** 0.5)
        assert found.sd[k] == pytest.approx(sum(variances) ** 0.5)
        for j, source in enumerate(("training", "test", "both")):
            one, two = (part.row(n, source).variance for part in (first, second))
            if found.defined[k, j]:
                expected = (one + two - variances[j]) / (2 * (one * two) ** 0.5)
                assert found.correlation[k, j] == pytest.approx(np.clip(expected, -1, 1))
            else:
                assert min(one, two) <= 0
                assert np.isnan(found.correlation[k, j])


def test_a_learner_does_not_differ_from_itself():
    found = difference_components("qda", "qda", n=8, training_sets=5, test_sets=4, n_test=20, rng=1)
    assert found.mean == (0.0,)
    assert found.sd.tolist() == [0.0]
    assert found.columns()["difference"] == [0.0, 0.0, 0.0]
    assert found.columns()["share"] == [None, None, None]
    assert set(found.correlation[found.defined].tolist()) == {1.0}


@pytest.mark.slow
def test_components_of_the_difference_by_brute_force():
    """Fresh sets, learners by NumPy: a covariance of two differences is the part of the set they share."""
    rng = np.random.default_rng(5)
    mean, n, n_test, trials = np.full(3, np.sqrt(0.8 / 3)), 10, 30, 2500

    def draw(size):
        return np.concatenate([rng.normal(size=(size, 3)), rng.normal(size=(size, 3)) + mean])

    def difference(training, test):
        areas = []
        for learner in ("nearest-mean", "qda"):
            scores = slow.scores(learner, np.ones(2 * n, int), training, n, test)
            areas.append((scores[n_test:, np.newaxis] > scores[:n_test]).mean())
        return areas[0] - areas[1]

    values = np.empty((trials, 2, 2))
    for k in range(trials):
        trainings, tests = [draw(n), draw(n)], [draw(n_test), draw(n_test)]
        values[k] = [[difference(training, test) for test in tests] for training in trainings]
    values -= values.mean()
    products = {
        "training": (values[:, :, 0] * values[:, :, 1]).mean(axis=1),  # one training set, two test sets
        "test": (values[:, 0] * values[:, 1]).mean(axis=1),
        "all": (values**2).mean(axis=(1, 2)),
    }
    found = difference_components(
        "nearest-mean", "qda", n=n, n_test=n_test, dimension=3, training_sets=300, test_sets=300, rng=1
    )
    for source in ("training", "test"):
        row, error = found.difference.row(n, source), products[source].std() / trials**0.5
        assert abs(row.variance - products[source].mean()) < 4 * np.hypot(row.error, error)
    errors = [row.error for row in found.difference.rows]
    error = np.hypot(np.linalg.norm(errors), products["all"].std() / trials**0.5)
    assert abs(found.sd[0] ** 2 - products["all"].mean()) < 4 * error
    assert found.sd[0] ** 2 == pytest.approx(products["all"].mean(), rel=0.1)


def test_summary_of_a_difference():
    found = difference_components("lda", "qda", n=[5, 8], training_sets=6, test_sets=7, n_test=20, rng=3)
    text = str(found).splitlines()
    assert text[0] == "lda minus qda, 6 training and 7 test sets of 20 cases per class crossed"
    assert text[2].startswith(
        f"  n = 8: mean difference {found.mean[1]:+.4f} +- {found.mean_error[1]:.4f}, SD "
    )
    assert found.columns()["source"] == ["training", "test", "both"] * 2
    with pytest.raises(
        RocInputError, match=r"^second must be one of 'nearest-mean', 'lda', 'qda', '1nn', got"
    ):
        difference_components("lda", "knn")
