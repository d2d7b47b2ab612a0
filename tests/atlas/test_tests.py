"""Families of tests: whether their null hypotheses are true where they say so, and what the data sets are."""

import numpy as np
import pytest
from scipy import stats
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis

import rocscope as rs
from rocscope.algorithms.records import compare_over_cases
from rocscope.atlas import tests
from rocscope.atlas.cells import Cell, families
from rocscope.atlas.laws import LAWS, draw_pair, score_law


def test_every_family_has_a_true_null_and_a_false_one():
    for family in families().values():
        if family.kind == "test":
            for size in ("quick", "full"):
                truths = np.array([family.truth(cell) for cell in family.cells(size)])
                assert set(truths.ravel()) == {0.0, 1.0}, family.name
                assert truths.any(axis=0).all()
                assert len(set(family.cells(size))) == len(truths)


def test_every_method_answers_for_every_quantity():
    rng = np.random.default_rng(1)
    for family in families().values():
        if family.kind == "test":
            cell = family.cells("quick")[0]
            for name, method in family.methods.items():
                found = np.array(method(family.draw(cell, rng), rng), dtype=float)
                assert found.shape == (len(family.quantities),), (family.name, name)
                assert ((found >= 0) & (found <= 1)).all(), (family.name, name)


# ---- Two curves -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", LAWS)
def test_deviates_of_a_pair_have_the_correlation(name):
    n, rho = 40_000, 0.6
    law = score_law(name, 0.8, False)
    y, a, b = draw_pair(law, law, rho, n, n, np.random.default_rng(2))
    # Spearman's correlation of normal deviates, and of every increasing function of them.
    expected = 6 / np.pi * np.arcsin(rho / 2)
    for k in (0, 1):
        if (name, k) != ("mixture", 1):
            assert abs(stats.spearmanr(a[y == k], b[y == k])[0] - expected) < 4 / np.sqrt(n)


def test_a_mixture_shares_the_kind_of_positive():
    law = score_law("mixture", 0.9, False)
    n = 40_000
    y, a, b = draw_pair(law, law, 0.0, n, n, np.random.default_rng(3))
    covariance = law.shift**2  # half at the shift, half at 3 times it: of the kinds alone
    products = (a[y == 1] - 2 * law.shift) * (b[y == 1] - 2 * law.shift)
    assert abs(products.mean() - covariance) < 4 * products.std() / np.sqrt(n)
    assert abs(np.corrcoef(a[y == 0], b[y == 0])[0, 1]) < 4 / np.sqrt(n)


@pytest.mark.parametrize("categories", [False, True])
@pytest.mark.parametrize("second", ["same", "unequal"])
@pytest.mark.parametrize("difference", [0.0, 0.1])
def test_areas_of_two_curves(second, difference, categories):
    n = 20_000
    others = (("correlation", 0.5), ("second", second), ("difference", difference))
    cell = Cell("normal", 0.8, n, n, categories, others)
    y, scores = tests.draw_paired(cell, np.random.default_rng(4))
    pair = rs.compare_auc(y, scores).pairs[0]
    assert abs(pair.difference - difference) < 4 * pair.se
    cell = Cell("normal", 0.8, n, n, categories, (("times", 2), *others[1:]))
    y, scores = tests.draw_unpaired(cell, np.random.default_rng(5))
    assert (y["first"].sum(), y["second"].sum(), y["second"].size) == (n, 2 * n, 4 * n)
    pair = rs.compare_auc(y, scores, paired=False).pairs[0]
    assert abs(pair.difference - difference) < 4 * pair.se


def test_curves_that_cross_have_equal_areas_but_are_no_equal_curves():
    cell = Cell("normal", 0.8, 10, 10, False, (("second", "unequal"), ("difference", 0.0)))
    first, second = tests.two_laws(cell)
    gaps = [first.true_tpr(fpr) - second.true_tpr(fpr) for fpr in (0.02, 0.5)]
    assert gaps[0] < -0.05
    assert gaps[1] > 0.02
    assert first.true_area() == pytest.approx(second.true_area(), abs=1e-9)
    assert tests.is_null(cell) == (1.0,)
    assert tests.equal_curves(cell) == (0.0,)


def test_p_values_are_those_of_a_plain_call():
    cell = Cell(
        "exponential", 0.8, 15, 20, True, (("correlation", 0.5), ("second", "same"), ("difference", 0.1))
    )
    y, scores = tests.draw_paired(cell, np.random.default_rng(6))
    methods = families()["compare_auc paired"].methods
    for name, method in methods.items():
        options = {"method": name.split()[0]} | ({"bootstrap": "percentile"} if " " in name else {})
        expected = rs.compare_auc(y, scores, n_boot=500, rng=np.random.default_rng(7), **options).p_value
        assert method((y, scores), np.random.default_rng(7)) == [expected]
    assert len(methods) == 7
    same = {"first": scores["first"], "second": y.astype(float)}
    perfect = {"first": y.astype(float), "second": 2.0 * y}
    assert methods["delong"]((y, perfect), None) == methods["auto"]((y, perfect), None) == [1.0]
    one = np.array([0, 1])
    assert np.isnan(methods["delong"]((one, {"first": one, "second": 1 - one}), None)).all()
    assert np.isfinite(methods["delong"]((y, same), None)).all()


# ---- Two points of an averaged curve ----------------------------------------------------------------------


@pytest.mark.parametrize("area", [0.7, 0.9])
@pytest.mark.parametrize("name", LAWS)
def test_thresholds_of_equal_youden_index(name, area):
    law = score_law(name, area, False)
    first, second, best = tests.equal_thresholds(law)
    indices = [tpr - fpr for fpr, tpr in map(law.rates, (first, second, best))]
    assert first > best > second
    assert indices[0] == pytest.approx(indices[1], abs=1e-9)
    assert indices[2] > indices[0] + 0.02
    n = 40_000
    y, s = law.draw(n, n, np.random.default_rng(8))
    for threshold, index in zip((first, second), indices, strict=False):
        rates = [(s[y == k] >= threshold).mean() for k in (0, 1)]
        assert abs(rates[1] - rates[0] - index) < 4 * np.sqrt(sum(r * (1 - r) for r in rates) / n)


def test_trained_scores_have_the_same_youden_index_on_either_side_of_0():
    others = (("scores", "trained"), ("folds", 5), ("thresholds", "equal"))
    rng, indices = np.random.default_rng(9), []
    for _ in range(600):
        y, s, fold, (first, second) = tests.draw_folds(Cell("normal", 0.8, 20, 20, False, others), rng)
        assert (np.bincount(fold, weights=y), np.bincount(fold).tolist()) == (pytest.approx([4] * 5), [8] * 5)
        indices.append([(s[y == 1] >= x).mean() - (s[y == 0] >= x).mean() for x in (first, second, 0.0)])
    gaps = np.array(indices) @ [[1, 1], [-1, 0], [0, -1]]
    errors = gaps.std(axis=0) / np.sqrt(len(gaps))
    assert abs(gaps[:, 0].mean()) < 4 * errors[0]
    assert gaps[:, 1].mean() < -4 * errors[1]


def test_scores_of_a_fold_come_from_a_discriminant_of_the_others():
    from sklearn.discriminant_analysis import LinearDiscriminantAnalysis

    (X,) = tests.draw_features([0.85], 30, np.random.default_rng(10))
    positive, fold = np.arange(60) < 30, np.arange(60) % 6
    scores = tests.left_out_scores(X, positive, fold)
    model = LinearDiscriminantAnalysis().fit(X[fold != 2], positive[fold != 2])
    expected = model.decision_function(X[fold == 2])
    # scikit-learn divides the scatter by n, not n - 2.
    np.testing.assert_allclose(scores[fold == 2] * 50 / 48, expected, rtol=1e-9)


def test_features_have_a_best_discriminant_of_the_area():
    n = 20_000
    for X, area in zip(
        tests.draw_features([0.9, 0.7], n, np.random.default_rng(11)), (0.9, 0.7), strict=True
    ):
        found = rs.auc(np.repeat([1, 0], n), X.sum(axis=1))
        assert abs(found.value - area) < 4 * found.se


# ---- Areas of subgroups -----------------------------------------------------------------------------------


def test_subgroups_have_their_areas_and_sizes():
    cell = Cell("exponential", 0.8, 3000, 2000, True, (("groups", "unequal"), ("difference", 0.1)))
    y, s, group = tests.draw_groups(cell, np.random.default_rng(12))
    assert np.bincount(group, weights=y).tolist() == [3000, 6000, 12000]
    assert np.bincount(group).tolist() == [5000, 10000, 20000]
    for k, area in enumerate((0.7, 0.8, 0.8)):
        found = rs.auc(y[group == k], s[group == k])
        assert abs(found.value - area) < 4 * found.se


def test_p_values_of_subgroups():
    y, s = np.tile([0, 0, 1, 1, 0, 1], 5), np.arange(30) * 7 % 11
    group = np.arange(30) // 10
    found = rs.auc_by(y, s, by=group)
    lowest = min(row.p_adjusted for row in found.groups)
    expected = [found.tests[0].p_value, found.groups[0].p_value, lowest]
    assert tests.subgroup_tests((y, s, group), None) == expected
    assert np.isnan(tests.subgroup_tests((np.array([0, 1] * 3), np.arange(6), np.arange(6) // 2), None)).all()


# ---- Two learners over folds ------------------------------------------------------------------------------


@pytest.mark.parametrize(("folds", "repeats"), [(5, 1), (2, 5)])
def test_learners_without_a_difference_are_exchangeable(folds, repeats):
    found = {}
    for difference in (0.0, 0.1):
        others = (("folds", folds), ("repeats", repeats), ("difference", difference))
        cell, rng = Cell("normal", 0.8, 20, 20, False, others), np.random.default_rng(13)
        data = [tests.draw_learners(cell, rng) for _ in range(120)]
        assert data[0][0].shape == ((2, 5) if repeats == 1 else (2, 5, 2))
        assert data[0][2:] == (40 - 40 // folds, 40 // folds)
        gaps = np.array([[(a - b).mean() for a, b in zip(*one[:2], strict=True)] for one in data])
        found[difference] = gaps.mean(axis=0) / gaps.std(axis=0) * np.sqrt(len(gaps))
    assert (np.abs(found[0.0]) < 4).all()
    assert found[0.1][0] > 4
    assert found[0.1][1] < -4


def test_areas_and_errors_of_learners_are_counted_in_folds():
    others = (("folds", 4), ("repeats", 1), ("difference", 0.0))
    first, _, n_train, n_test = tests.draw_learners(
        Cell("normal", 0.8, 20, 20, False, others), np.random.default_rng(14)
    )
    assert (n_train, n_test) == (30, 10)
    rng = np.random.default_rng(14)
    X = tests.draw_features([0.8, 0.8], 20, rng)[0]
    fold = np.concatenate([rng.permutation(20) % 4, rng.permutation(20) % 4])
    y = np.arange(40) < 20
    s = tests.left_out_scores(X, y, fold)
    expected = [rs.auc(y[fold == k], s[fold == k]).value for k in range(4)]
    assert first[0].tolist() == pytest.approx(expected)
    assert first[1].tolist() == pytest.approx([((s >= 0) != y)[fold == k].mean() for k in range(4)])


def test_p_values_of_learners():
    others = (("folds", 2), ("repeats", 5), ("difference", 0.1))
    data = tests.draw_learners(Cell("normal", 0.8, 20, 20, False, others), np.random.default_rng(15))
    methods = families()["paired_tests 5x2"].methods
    rows = rs.paired_tests(data[0][0], data[1][0], n_train=20, n_test=20)
    assert set(methods) == {row.method for row in rows}
    for row in rows:
        expected = 2 * min(row.posterior[0], row.posterior[2]) if row.posterior else row.p_value
        assert methods[row.method](data, np.random.default_rng(0))[0] == pytest.approx(expected)
    # The two-sided reading of the posterior is the corrected test.
    assert methods["bayes-t"](data, None) == pytest.approx(methods["corrected-t"](data, None))


# ---- Two learners on a common test set ---------------------------------------------------------------------


def test_models_of_a_common_test_set_are_those_of_scikit_learn():
    cell = Cell("normal", 0.8, 30, 30, False, (("difference", 0.0),))
    first, second = tests.draw_holdout(cell, np.random.default_rng(21))
    X = tests.draw_features([0.8, 0.8], 30, np.random.default_rng(21))
    y, place = np.arange(60) < 30, np.arange(60) % 30
    assert len(first) == len(second) == 10
    for features, records in zip(X, (first, second), strict=True):
        for k, record in enumerate(records):
            train = (place >= 10) & (place % 10 != k)  # 18 of each class
            model = LinearDiscriminantAnalysis(priors=[0.5, 0.5]).fit(features[train], y[train])
            # Its covariance is divided by all 36 cases, ours by 34.
            assert record.score == pytest.approx(34 / 36 * model.decision_function(features[place < 10]))
            assert record.positive.tolist() == y[place < 10].tolist()
            assert record.called.tolist() == (record.score >= 0).tolist()
    p_values = tests.over_cases([first, second], None)
    found = [compare_over_cases(measure, first, second, level=0.95) for measure in ("auc", "error")]
    assert p_values == [one.p_value for one in found]


def test_learners_on_a_common_test_set_without_a_difference_are_exchangeable():
    found = []
    for difference in (0.0, 0.1):
        cell, rng = (
            Cell("normal", 0.8, 60, 60, False, (("difference", difference),)),
            np.random.default_rng(22),
        )
        pairs = [tests.draw_holdout(cell, rng) for _ in range(150)]
        gaps = [
            [compare_over_cases(m, *pair, level=0.95).difference for m in ("auc", "error")] for pair in pairs
        ]
        found.append(np.mean(gaps, axis=0) / np.std(gaps, axis=0) * np.sqrt(len(gaps)))
    assert (np.abs(found[0]) < 4).all()
    assert found[1][0] > 4
    assert found[1][1] < -4


# ---- Several algorithms over data sets --------------------------------------------------------------------


def test_algorithms_differ_in_the_first_alone():
    others = (("datasets", 200), ("algorithms", 3), ("difference", 0.1))
    values = tests.draw_datasets(Cell("normal", 0.8, 30, 20, False, others), np.random.default_rng(20))
    assert values.shape == (200, 3)
    first, second, third = values.mean(axis=0)
    error = values.std(axis=0).max() / np.sqrt(200)
    assert abs(second - 0.8) < 4 * error
    assert abs(second - third) < 4 * error
    assert abs(second - first - 0.1) < 4 * error


def test_p_values_over_data_sets():
    others = (("datasets", 8), ("algorithms", 4), ("difference", 0.0))
    values = tests.draw_datasets(Cell("normal", 0.8, 20, 20, False, others), np.random.default_rng(21))
    ranks = rs.compare_ranks(values, list("abcd"))
    methods = families()["compare_ranks"].methods
    found = {name: method(values, None)[0] for name, method in methods.items()}
    assert found["friedman"] == ranks.friedman.p_value
    assert found["friedman"] == pytest.approx(stats.friedmanchisquare(*values.T).pvalue)
    assert found["iman-davenport"] == ranks.iman_davenport.p_value
    assert found["quade"] == ranks.quade.p_value
    assert found["nemenyi"] == min(pair.p_nemenyi for pair in ranks.pairs)
    assert found["shaffer"] == min(pair.p_shaffer for pair in ranks.pairs) <= found["holm"]


# ---- Readers and cases ------------------------------------------------------------------------------------


@pytest.mark.parametrize("structure", tests.READERS)
def test_readings_have_the_variances_of_their_structure(structure):
    rng = np.random.default_rng(16)
    z = np.array([tests.reader_deviates(structure, 2, 2, rng) for _ in range(10_000)])
    reader, (case, by_modality, by_reader, error) = tests.READERS[structure]
    total = 2 * reader + case + by_modality + by_reader + error
    shared = {
        (1, 0, 0): case + by_reader + reader,  # another modality
        (0, 1, 0): case + by_modality,  # another reader
        (0, 0, 1): 2 * reader,  # another case
        (1, 1, 0): case,
        (1, 1, 1): 0.0,
    }
    assert z[:, 0, 0, 0].std() == pytest.approx(1, abs=4 * np.sqrt(0.5 / len(z)))
    for (modality, other, another), variance in shared.items():
        r = np.corrcoef(z[:, 0, 0, 0], z[:, modality, other, another])[0, 1]
        assert abs(r - variance / total) < 4 / np.sqrt(len(z))


@pytest.mark.parametrize(
    ("law", "categories"), [("normal", False), ("exponential", True), ("mixture", False)]
)
def test_readers_have_the_area_in_the_mean(law, categories):
    rng, areas = np.random.default_rng(17), []
    others = (("readers", 4), ("structure", "LH"), ("difference", 0.1))
    for _ in range(100):
        y, s, (modality, reader, case) = tests.draw_readings(Cell(law, 0.8, 30, 20, categories, others), rng)
        study = rs.reader_study(y, s, reader=reader, modality=modality, case=case)
        areas.append(study.auc.mean(axis=1))
    areas = np.array(areas)
    assert (study.n_pos, study.n_neg, len(study.readers)) == (30, 20, 4)
    errors = areas.std(axis=0) / np.sqrt(len(areas))
    assert (np.abs(areas.mean(axis=0) - [0.8, 0.7]) < 4 * errors).all()


# ---- Decisions and rates ----------------------------------------------------------------------------------


@pytest.mark.parametrize("thresholds", ["same FPR", "mirrored"])
def test_decisions_err_equally_often(thresholds):
    n = 40_000
    others = (("correlation", 0.5), ("second", "same"), ("thresholds", thresholds), ("difference", 0.0))
    y, decided = tests.draw_decisions(Cell("normal", 0.8, n, n, False, others), np.random.default_rng(18))
    wrong = [decided[name] != y for name in ("first", "second")]
    gap = wrong[0].astype(float) - wrong[1]
    assert abs(gap.mean()) < 4 * gap.std() / np.sqrt(2 * n)
    fpr = [decided[name][y == 0].mean() for name in decided]
    if thresholds == "mirrored":
        assert fpr[1] > fpr[0] + 0.2
    else:
        assert fpr == pytest.approx([0.2, 0.2], abs=4 * np.sqrt(0.16 / n))
    pair = rs.compare_decisions(y, decided).pairs[0]
    methods = families()["compare_decisions"].methods
    assert [methods[name]((y, decided), None)[0] for name in ("exact", "chi2")] == [pair.p_value, pair.p_chi2]


def test_another_law_has_the_same_rate():
    first = score_law("normal", 0.8, False)
    second = tests.same_rate(first, "unequal")
    assert second.true_tpr(0.1) == pytest.approx(first.true_tpr(0.1), abs=1e-8)
    assert abs(second.area - 0.8) > 0.01
    n = 20_000
    others = (("correlation", 0.5), ("second", "unequal"), ("difference", 0.0))
    y, scores = tests.draw_rates(Cell("normal", 0.8, n, n, False, others), np.random.default_rng(19))
    pair = rs.compare_auc(y, scores, method="sensitivity", at=0.1, n_boot=200, rng=0).pairs[0]
    assert abs(pair.difference) < 4 * pair.se
    assert abs(rs.auc(y, scores["second"]).value - second.area) < 0.02


@pytest.mark.parametrize(
    ("name", "method", "factor"),
    [
        ("paired", "delong", ("correlation", 0.5)),
        ("unpaired", "delong", ("times", 2)),
        ("unpaired", "auto", ("times", 2)),
    ],
)
def test_intervals_of_differences_agree_with_their_tests(name, method, factor):
    family = families()[f"compare_auc difference {name}"]
    cell = Cell("normal", 0.8, 30, 30, False, (factor, ("second", "same"), ("difference", 0.1)))
    assert family.truth(cell) == (0.1,)
    rng = np.random.default_rng(20)
    for _ in range(30):
        y, scores = family.draw(cell, rng)
        [(low, high)] = family.methods[method]((y, scores), rng)
        pair = rs.compare_auc(y, scores, paired=name == "paired", method=method).pairs[0]
        assert (low, high) == (pair.low, pair.high)
        assert (pair.p_value <= 0.05) == (not low <= 0 <= high)
