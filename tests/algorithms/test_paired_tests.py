"""The battery of tests between two learners against scipy, mlxtend, baycomp and counting by hand."""

import numpy as np
import pytest
from scipy import stats

from rocscope.algorithms.fold_tests import fold_differences, sign_flip_test
from rocscope.algorithms.paired_tests import Conditions, paired_tests, run_battery
from rocscope.core import kernels
from rocscope.errors import RocInputError
from slow import sign_vectors

ALTERNATIVES = ("two-sided", "less", "greater")


def vectors(seed, n, digits=None):
    """Values of two learners over n folds; rounded ones have ties and zeros."""
    rng = np.random.default_rng(seed)
    a, b = rng.normal(0.8, 0.05, n), rng.normal(0.78, 0.05, n)
    return (a, b) if digits is None else (a.round(digits), b.round(digits))


@pytest.mark.parametrize("alternative", ALTERNATIVES)
@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("n", [2, 10, 30])
def test_equals_scipy_without_ties(n, seed, alternative):
    a, b = vectors(seed, n)
    ours = paired_tests(a, b, alternative=alternative)
    t = stats.ttest_rel(a, b, alternative=alternative)
    assert ours["paired-t"].statistic == pytest.approx(t.statistic, rel=1e-10)
    assert ours["paired-t"].p_value == pytest.approx(t.pvalue, rel=1e-10)
    low, high = t.confidence_interval(0.95)
    assert (ours["paired-t"].low, ours["paired-t"].high) == pytest.approx((low, high), rel=1e-10)
    ranks = stats.wilcoxon(a, b, alternative=alternative, method="exact")
    assert ours["wilcoxon"].statistic == ranks.statistic
    assert ours["wilcoxon"].p_value == pytest.approx(ranks.pvalue, rel=1e-10)
    signs = stats.binomtest(int((a > b).sum()), n, alternative=alternative)
    assert ours["sign"].p_value == pytest.approx(signs.pvalue, rel=1e-10)


@pytest.mark.parametrize("alternative", ALTERNATIVES)
def test_permutation_equals_scipy(alternative):
    a, b = vectors(3, 12)
    theirs = stats.permutation_test(
        (a, b),
        lambda x, y, axis: np.mean(x - y, axis=axis),
        permutation_type="samples",
        alternative=alternative,
        n_resamples=np.inf,
        vectorized=True,
    )
    ours = paired_tests(a, b, alternative=alternative)["permutation"]
    assert ours.statistic == pytest.approx(theirs.statistic, rel=1e-10)
    assert ours.p_value == pytest.approx(theirs.pvalue, rel=1e-10)


@pytest.mark.parametrize("alternative", ALTERNATIVES)
@pytest.mark.parametrize("seed", range(20))
def test_equals_counting_with_ties_and_zeros(seed, alternative):
    n = 3 + seed % 8
    wrong = np.random.default_rng(seed).integers(0, 5, (2, n))
    ours = paired_tests(wrong[0] / 30, wrong[1] / 30, alternative=alternative)
    differences = (wrong[0] - wrong[1]).tolist()
    rank_sum, p = sign_vectors.wilcoxon(differences, alternative)
    kept = sum(d != 0 for d in differences)
    if alternative == "two-sided":
        rank_sum = min(rank_sum, kept * (kept + 1) / 2 - rank_sum)
    assert (ours["wilcoxon"].statistic, ours["wilcoxon"].p_value) == (float(rank_sum), float(p))
    count, p = sign_vectors.sign(differences, alternative)
    assert (ours["sign"].statistic, ours["sign"].p_value) == pytest.approx((count, float(p)), rel=1e-12)
    assert ours["permutation"].p_value == float(sign_vectors.permutation(differences, alternative))


@pytest.mark.parametrize("n", [1, 2, 3, 9])
def test_kernel_counts_what_is_written_out(n):
    rng = np.random.default_rng(n)
    steps = rng.integers(-4, 5, (50, n))
    bar = np.where(rng.random(50) < 0.5, np.abs(steps.sum(axis=-1)), rng.integers(-4 * n - 2, 4 * n + 3, 50))
    sums = np.array([[sum(np.multiply(s, row)) for s in sign_vectors.sign_vectors(n)] for row in steps])
    assert kernels.count_sign_sums(steps, bar).tolist() == (sums >= bar[:, None]).sum(axis=-1).tolist()


def test_many_pairs_take_the_kernel_to_the_same_p_values():
    a, b = np.random.default_rng(1).normal(size=(2, 40, 30)).round(1)
    steps = fold_differences(a, b).steps
    many = sign_flip_test(steps, "two-sided", None)
    assert many.tolist() == [sign_flip_test(row[None], "two-sided", None).item() for row in steps]


def test_drawn_signs_come_near_the_exact_share():
    a, b = vectors(5, 60)
    ours = paired_tests(a, b - 0.02, rng=1)["permutation"]
    normal = stats.ttest_rel(a, b - 0.02).pvalue
    assert ours.p_value == paired_tests(a, b - 0.02, rng=1)["permutation"].p_value
    assert ours.p_value == pytest.approx(normal, abs=4 * np.sqrt(normal / 9_999))


def test_wilcoxon_of_many_folds_is_scipys_approximation():
    a, b = vectors(2, 80)
    a, b = (a * 100).round(), (b * 100).round()
    theirs = stats.wilcoxon(a, b, method="asymptotic")
    row = paired_tests(a, b)["wilcoxon"]
    assert (row.statistic, row.p_value) == pytest.approx((theirs.statistic, theirs.pvalue), rel=1e-10)


@pytest.mark.parametrize("rope", [0, 0.01])
def test_posterior_equals_baycomp(rope):
    import baycomp

    a, b = vectors(4, 10)
    posterior = baycomp.CorrelatedTTest(a, b, rope)
    ours = paired_tests(a, b, n_train=90, n_test=10, rope=rope)["bayes-t"]
    theirs = posterior.probs()
    first_better, *_, second_better = theirs
    assert ours.posterior[0] == pytest.approx(second_better, rel=1e-10)
    assert ours.posterior[2] == pytest.approx(first_better, rel=1e-10)
    assert sum(ours.posterior) == pytest.approx(1, abs=1e-12)


def test_corrected_t_by_its_formula():
    a, b = vectors(6, 30)
    d = a - b
    statistic = d.mean() / np.sqrt((1 / 30 + 1 / 29) * d.var(ddof=1))
    row = paired_tests(a, b, n_train=290, n_test=10)["corrected-t"]
    assert row.statistic == pytest.approx(statistic, rel=1e-12)
    assert row.p_value == pytest.approx(2 * stats.t.sf(abs(statistic), 29), rel=1e-10)


@pytest.mark.parametrize(
    ("method", "function"), [("5x2cv-t", "paired_ttest_5x2cv"), ("5x2cv-f", "combined_ftest_5x2cv")]
)
def test_five_by_two_equals_mlxtend(method, function):
    from mlxtend import evaluate
    from sklearn.model_selection import train_test_split
    from sklearn.naive_bayes import GaussianNB
    from sklearn.neighbors import KNeighborsClassifier

    rng = np.random.default_rng(0)
    y = np.repeat([0, 1], 60)
    X = rng.normal(size=(120, 3)) + 0.7 * y[:, None]
    pair = GaussianNB(), KNeighborsClassifier(3)
    statistic, p = getattr(evaluate, function)(*pair, X, y, random_seed=1)
    seeds, values = np.random.RandomState(1), np.empty((2, 5, 2))
    for repeat in range(5):
        halves = train_test_split(X, y, test_size=0.5, random_state=seeds.randint(low=0, high=32767))
        for fold, (one, other, y_one, y_other) in enumerate([halves, [halves[i] for i in (1, 0, 3, 2)]]):
            for k, learner in enumerate(pair):
                values[k, repeat, fold] = learner.fit(one, y_one).score(other, y_other)
    row = paired_tests(*values)[method]
    assert (row.statistic, row.p_value) == pytest.approx((statistic, p), rel=1e-10)


def test_identical_vectors_give_p_one():
    same = np.random.default_rng(0).random((5, 2))
    rows = paired_tests(same, same.copy(), n_train=50, n_test=50)
    assert {row.p_value for row in rows if row.posterior is None} == {1.0}
    assert rows["bayes-t"].posterior == (0.0, 1.0, 0.0)
    assert len(rows) == 8


def test_differences_equal_but_for_rounding_are_ties():
    row = paired_tests([3 / 30, 5 / 30, 0.2], [2 / 30, 4 / 30, 0.3])["wilcoxon"]
    assert row.statistic == 3.0
    halves = np.full((5, 2), 0.3)
    nearly = halves + np.random.default_rng(0).integers(-1, 2, (5, 2)) * np.spacing(0.3)
    assert (nearly != halves).any()
    rows = paired_tests(nearly, halves, n_train=50, n_test=50)
    assert {row.p_value for row in rows if row.posterior is None} == {1.0}
    assert rows["bayes-t"].posterior == (0.0, 1.0, 0.0)


def test_constant_difference_is_settled_by_the_limit():
    rows = paired_tests([0.5, 0.75], [0.25, 0.5])
    assert rows["paired-t"].statistic == np.inf
    assert rows["paired-t"].p_value == 0.0
    assert rows.to_dict()["rows"][0]["statistic"] is None


def test_undefined_fold_makes_every_row_say_so():
    rows = paired_tests([0.9, np.nan, 0.8], [0.8, 0.7, np.nan], n_train=2, n_test=1)
    assert {row.status for row in rows} == {"undefined"}
    assert rows["wilcoxon"].reason == "a is undefined in fold 1; b is undefined in fold 2"
    assert rows.difference is None
    assert [row.p_value for row in rows] == [None] * 6


def test_infinite_values_are_undefined_and_warn_of_nothing():
    rows = paired_tests([np.inf, 0.5, 0.6], [np.inf, 0.4, 0.7])
    assert rows["paired-t"].reason == "a is undefined in fold 0; b is undefined in fold 0"


def test_a_difference_beyond_float64_is_undefined_with_its_reason():
    rows = paired_tests([1.7e308, 0.5, 0.6], [-1.7e308, 0.4, 0.7], n_train=2, n_test=1)
    assert {row.status for row in rows} == {"undefined"}
    assert {row.reason for row in rows} == {"a difference of the two is larger than any number of float64"}
    assert [row.p_value for row in rows] == [None] * 6


def test_a_posterior_says_that_it_has_no_p_value():
    row = paired_tests([0.9, 0.8, 0.7], [0.8, 0.8, 0.6], n_train=2, n_test=1)["bayes-t"]
    assert (row.p_value, row.status) == (None, "ok")
    assert row.reason == "a Bayesian test has posterior probabilities, and no p-value"
    assert str(row).startswith("bayes-t: worse ")


@pytest.mark.parametrize("scale", [1e-160, 1e160, 1e307])
@pytest.mark.parametrize("shape", [10, (5, 2)])
def test_no_size_of_the_values_warns_or_changes_a_p_value(scale, shape):
    rng = np.random.default_rng(1)
    a, b = np.round(rng.random((2, 10)) * 64).reshape(2, *np.atleast_1d(shape)) / 64
    small = 2.0 ** np.frexp(scale)[1]
    base, found = (paired_tests(size * a, size * b, n_train=9, n_test=1) for size in (1.0, small))
    for one, other in zip(base, found, strict=True):
        assert other.p_value == (None if one.p_value is None else pytest.approx(one.p_value, rel=1e-9))
        if one.low is not None:
            assert other.low <= other.difference <= other.high


@pytest.mark.parametrize("seed", range(30))
def test_an_interval_holds_its_difference(seed):
    """Equal differences have an interval of one point, which is the difference to the last bit."""
    rng = np.random.default_rng(seed)
    a = np.round(rng.random(7), 1)
    for b in (a + 0.1, a - rng.random(), np.round(rng.random(7), 1)):
        for row in paired_tests(a, b, n_train=9, n_test=1):
            assert row.low is None or row.low <= row.difference <= row.high


def test_corrected_t_over_repeats_counts_every_fold():
    """Five repeats of four folds: J = 20, and a test set is a third of its training set."""
    rng = np.random.default_rng(8)
    a, b = rng.normal(0.8, 0.03, 20), rng.normal(0.78, 0.03, 20)
    d = a - b
    statistic = d.mean() / np.sqrt((1 / 20 + 25 / 75) * d.var(ddof=1))
    row = paired_tests(a, b, n_train=75, n_test=25)["corrected-t"]
    assert row.df == 19
    assert row.p_value == pytest.approx(2 * stats.t.sf(abs(statistic), 19), rel=1e-10)


@pytest.mark.parametrize("repeats", [2, 5])
def test_posterior_over_repeats_equals_baycomp(repeats):
    import baycomp

    a, b = vectors(7, 10 * repeats)
    theirs = baycomp.CorrelatedTTest(a, b, 0.01, runs=repeats).probs()
    ours = paired_tests(a, b, n_train=90, n_test=10, rope=0.01)["bayes-t"]
    assert ours.posterior[::-1] == pytest.approx(theirs, rel=1e-10)


def test_methods_are_those_the_data_allow():
    a, b = vectors(0, 10)
    plain = ["paired-t", "wilcoxon", "sign", "permutation"]
    assert [row.method for row in paired_tests(a, b)] == plain
    sizes = {"n_train": 90, "n_test": 10}
    with_sizes = ["paired-t", "corrected-t", "wilcoxon", "sign", "permutation", "bayes-t"]
    assert [row.method for row in paired_tests(a, b, **sizes)] == with_sizes
    halves = paired_tests(a.reshape(5, 2), b.reshape(5, 2), **sizes, alternative="less")
    assert "5x2cv-t" in [row.method for row in halves]
    assert "5x2cv-f" not in [row.method for row in halves]


def test_common_test_set_is_said_in_every_row():
    a, b = vectors(0, 10)
    rows = paired_tests(a, b, common_test=True)
    assert rows.conditional
    assert all(row.assumption.startswith("conditional on this test set") for row in rows)


def test_many_pairs_at_once_equal_each_alone():
    a, b = np.random.default_rng(2).normal(size=(2, 30, 10)).round(1)
    conditions = Conditions(test_over_train=1 / 9, halves=True, rope=0.1)
    many = run_battery(fold_differences(a, b), conditions)
    for k in range(30):
        alone = run_battery(fold_differences(a[k : k + 1], b[k : k + 1]), conditions)
        for name, found in many.items():
            np.testing.assert_array_equal(found.p_value[k], alone[name].p_value[0])
            np.testing.assert_array_equal(found.statistic[k], alone[name].statistic[0])


@pytest.mark.parametrize(
    ("a", "b", "extra", "message"),
    [
        ([0.5], [0.4], {}, "a must hold at least 2 folds, got 1"),
        ([0.5, 0.6], [0.4], {}, "b must hold at least 2 folds, got 1"),
        ([0.5, 0.6], [0.4] * 3, {}, "a and b must have the same shape: a has (2,), b has (3,)"),
        (["x", "y"], [1, 2], {}, "a must hold numbers, got ['x', 'y']"),
        (
            np.ones((3, 2)),
            np.ones((3, 2)),
            {},
            "a must have one value per fold, or shape (5, 2), got shape (3, 2)",
        ),
        ([1, 2], [1, 2], {"n_train": 5}, "n_train and n_test must be given together, got no n_test"),
        ([1, 2], [1, 2], {"rope": -1}, "rope must be at least 0, got -1"),
    ],
)
def test_refused(a, b, extra, message):
    with pytest.raises(RocInputError) as caught:
        paired_tests(a, b, **extra)
    assert str(caught.value) == message
