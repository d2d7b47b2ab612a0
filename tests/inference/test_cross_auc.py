"""Areas of cross-validated classifiers: the definition in fractions, DeLong, cvAUC, and bad input."""

import math
from functools import partial

import numpy as np
import pandas as pd
import pytest
from scipy import special, stats
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import RepeatedStratifiedKFold, cross_validate

import rocscope as rs
from reference_cases import load_reference
from slow.cross_area import cross_area

# LeDell's variance, which most tests compute by its definition.
influence_auc = partial(rs.cross_auc, interval="influence")


def sample(seed, n=40, step=0.5):
    """Labels, tied scores, and folds that hold both classes."""
    rng = np.random.default_rng(seed)
    y = np.arange(n) % 2
    return y, np.round((rng.normal(size=n) + y) / step) * step, np.arange(n) // 2 % 4


@pytest.mark.parametrize("step", [1e-9, 0.5, 2.0])
@pytest.mark.parametrize("seed", range(3))
def test_agrees_with_the_definition(seed, step):
    y, s, fold = sample(seed, step=step)
    value, variance = cross_area(list(zip(range(len(y)), fold, y, s, strict=True)))
    found = influence_auc(y, s, fold=fold)
    assert found.value == pytest.approx(float(value), abs=1e-15)
    assert found.se**2 == pytest.approx(float(variance), rel=1e-13)


def test_folds_of_other_sizes_weigh_the_same():
    y, s, _ = sample(5)
    fold = np.where(np.arange(40) < 6, "small", "large")
    value, variance = cross_area(list(zip(range(40), fold, y, s, strict=True)))
    found = influence_auc(y, s, fold=fold)
    parts = [rs.auc(y[fold == name], s[fold == name]).value for name in ("small", "large")]
    assert found.value == pytest.approx(np.mean(parts))
    assert found.value == pytest.approx(float(value), abs=1e-15)
    assert found.se**2 == pytest.approx(float(variance), rel=1e-13)


def test_agrees_with_the_printed_example_of_cvauc():
    """cvAUC counts tied pairs as 0 in the influence values: so does the slow twin here, and here alone."""
    case = load_reference("cross_auc")
    y, fold, rank = (case[name] for name in ("y", "fold", "rank"))
    found = influence_auc(y, rank, fold=fold)
    printed = case["printed"]
    assert found.value == pytest.approx(printed["value"], abs=case["tolerance"])
    entries = list(zip(range(len(y)), fold, y, rank, strict=True))
    _, theirs = cross_area(entries, tie=0)
    assert math.sqrt(theirs) == pytest.approx(printed["se"], abs=5e-9)
    _, ours = cross_area(entries)
    assert found.se == pytest.approx(math.sqrt(ours), rel=1e-13)
    assert found.se == pytest.approx(printed["se"], rel=1e-3)
    half = 1.959963984540054 * math.sqrt(theirs)
    assert [found.value - half, found.value + half] == pytest.approx(
        [printed["low"], printed["high"]], abs=case["tolerance"]
    )


@pytest.mark.parametrize("step", [1e-9, 0.5])
def test_one_fold_is_delong_but_for_a_factor_of_each_class(step):
    """DeLong's part of a class of m cases, sum of squares / (m (m - 1)), times (m - 1) / m."""
    y, s, _ = sample(7, n=30, step=step)
    y[:4] = 1
    data = rs.BinaryScores.from_arrays(y, s)
    sums = data.sums()
    m, n = sums.n_pos, sums.n_neg
    of_pos, of_neg = data.doubled_placements()
    parts = [np.var(of_pos / (2 * n), ddof=1) / m, np.var(of_neg / (2 * m), ddof=1) / n]
    assert sum(parts) == pytest.approx(rs.auc(y, s).se ** 2, rel=1e-12)
    found = influence_auc(y, s, fold=np.zeros(30, int))
    assert found.value == rs.auc(y, s).value
    assert found.se**2 == pytest.approx(parts[0] * (m - 1) / m + parts[1] * (n - 1) / n, rel=1e-12)
    pooled = influence_auc(y, s, fold=np.arange(30) % 3, method="pooled")
    assert (pooled.value, pooled.se) == (found.value, found.se)


def test_equal_classes_have_one_factor():
    y, s, _ = sample(8)
    found = influence_auc(y, s, fold=np.zeros(40))
    assert found.se**2 / rs.auc(y, s).se ** 2 == pytest.approx(19 / 20)


# ---- Repeated folds ---------------------------------------------------------------------------------------


def test_repeats_agree_with_the_definition():
    rng = np.random.default_rng(11)
    y = np.arange(24) % 2
    entries = []
    for repeat in range(3):
        folds = rng.permutation(np.arange(24) // 2 % 3)
        folds[y == 1] = rng.permutation(np.arange(12) % 3)
        folds[y == 0] = rng.permutation(np.arange(12) % 3)
        scores = np.round(y + rng.normal(size=24))
        entries += [(i, f"{repeat}.{folds[i]}", y[i], scores[i]) for i in range(24)]
    row, fold, labels, scores = map(np.array, zip(*entries, strict=True))
    value, variance = cross_area(entries)
    found = influence_auc(labels, scores, fold=fold, row=row)
    assert found.name == "mean AUC of 9 folds"
    assert found.value == pytest.approx(float(value))
    assert found.se**2 == pytest.approx(float(variance), rel=1e-12)
    names = np.array([f"case {i}" for i in row])
    assert influence_auc(labels, scores, fold=fold, row=names).se == pytest.approx(found.se, rel=1e-14)
    turned = rng.permutation(len(row))
    again = influence_auc(labels[turned], scores[turned], fold=fold[turned], row=row[turned])
    assert again.se == pytest.approx(found.se, rel=1e-14)


@pytest.mark.parametrize("method", ["mean", "pooled"])
def test_the_same_repeat_twice_says_nothing_new(method):
    y, s, fold = sample(3)
    once = rs.cross_auc(y, s, fold=fold, method=method)
    twice = rs.cross_auc(
        np.tile(y, 2),
        np.tile(s, 2),
        fold=[*fold, *(fold + 4)],
        row=np.tile(np.arange(40), 2),
        method=method,
    )
    assert (twice.value, twice.se) == pytest.approx((once.value, once.se), rel=1e-13)


# ---- What it reads ----------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def trained():
    rng = np.random.default_rng(2)
    y = np.arange(60) % 2
    return rng.normal(size=(60, 2)) + 0.8 * y[:, np.newaxis], y


@pytest.mark.slow
def test_reads_cross_scores_and_results_of_scikit_learn(trained):
    X, y = trained
    folds = RepeatedStratifiedKFold(n_splits=5, n_repeats=2, random_state=1)
    how = {"return_estimator": True, "return_indices": True}
    fitted = cross_validate(LogisticRegression(), X, y, cv=folds, **how)
    crossed = rs.CrossScores.from_cv_results(fitted, X, y)
    found = rs.cross_auc(crossed)
    assert found.value == pytest.approx(np.mean([c.auc for c in crossed.fold_curves().values()]))
    assert found.warnings == ()  # repeats are accounted for
    assert rs.cross_auc(fitted, X=X, y=y) == found
    frame = crossed.frame()
    by_name = rs.cross_auc(frame, label="y_true", score="y_score", fold="fold", row="row")
    assert by_name == found
    assert rs.cross_auc(frame, label="y_true", score="y_score", fold="fold").se < found.se


def test_reads_checked_scores_and_counts():
    y, s, fold = sample(1)
    plain = rs.cross_auc(y, s, fold=fold)
    assert rs.cross_auc(rs.BinaryScores.from_arrays(y, s, fold=fold)) == plain
    counts = rs.BinaryScores.from_arrays(y, s, fold=fold, sample_weight=np.full(40, 2))
    assert rs.cross_auc(counts) == rs.cross_auc(*(np.repeat(a, 2) for a in (y, s)), fold=np.repeat(fold, 2))


def test_missing_values_are_refused_or_left_out_together():
    y, s, fold = sample(1)
    frame = pd.DataFrame({"y": y, "s": s, "fold": fold.astype(object)})
    frame.loc[3, "fold"] = None
    frame.loc[4, "s"] = np.nan
    columns = {"label": "y", "score": "s", "fold": "fold"}
    kept = rs.cross_auc(frame, **columns, na="drop")
    rows = np.delete(np.arange(40), [3, 4])
    assert kept.value == rs.cross_auc(y[rows], s[rows], fold=fold[rows]).value
    assert kept.warnings == ("2 rows with missing values left out: 1 of class 0, 1 of class 1",)
    frame.loc[4, "s"] = 0.0
    with pytest.raises(rs.RocInputError) as caught:
        rs.cross_auc(frame, **columns)
    assert str(caught.value) == "fold must have a name in every row, got missing names in row 3"


def test_lower_scores_for_the_positive_class():
    y, s, fold = sample(6)
    assert rs.cross_auc(y, -s, fold=fold, direction="lower") == rs.cross_auc(y, s, fold=fold)
    below = rs.cross_auc(y, -s, fold=fold)
    assert below.warnings == (
        "the area is below 0.5: the scores rank the negative class higher (see direction lower)",
    )


def test_sides_of_the_interval():
    y, s, fold = sample(9)
    lower, upper = (influence_auc(y, s, fold=fold, alternative=side) for side in ("greater", "less"))
    assert lower.high == 1.0
    assert upper.low == 0.0
    assert lower.low == pytest.approx(lower.value - 1.6448536269514722 * lower.se)


def test_separated_folds_have_no_interval():
    found = influence_auc([0, 0, 1, 1] * 2, [1, 2, 3, 4] * 2, fold=[0] * 4 + [1] * 4)
    assert (found.value, found.se, found.low, found.status) == (1.0, 0.0, None, "partial")
    assert found.reason == "no case moves the area, so its variance is 0 and gives no interval"


def test_folds_with_one_case_of_a_class_are_noted():
    y, s, _ = sample(1)
    fold = np.arange(40) // 4
    y[:4] = [1, 0, 0, 0]
    assert rs.cross_auc(y, s, fold=fold).warnings == (
        "1 fold has one case of a class, whose influence is 0 there: the interval is too short (see "
        "docs/coverage.md)",
    )


# ---- Bad input --------------------------------------------------------------------------------------------

Y, S, FOLD = [0, 1, 0, 1], [1.0, 2.0, 3.0, 4.0], [0, 0, 1, 1]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"fold": None}, "fold must be given: the fold of every case, got None"),
        ({"fold": [0, 0, 1]}, "y_true and fold must have the same length: y_true has 4, fold has 3"),
        (
            {"fold": ["a", "b", "a", "a"]},
            "fold must hold both classes in every fold for method 'mean', got only 1 in fold 'b' (method "
            "'pooled' takes all folds together)",
        ),
        (
            {"fold": [0, 1, 2, 3]},
            "fold must hold both classes in every fold for method 'mean', got only 0 in folds such as "
            "0, 1, 2 and 1 more (method 'pooled' takes all folds together)",
        ),
        ({"fold": FOLD, "row": [1, 1, 2, 3]}, "row must name cases of one class each, got both for 1"),
        (
            {"fold": FOLD, "row": [1, 2]},
            "y_true and row must have the same length: y_true has 4, row has 2",
        ),
        ({"fold": FOLD, "method": "each"}, "method must be one of 'mean', 'pooled', got 'each'"),
        ({"fold": FOLD, "level": 95}, "level must lie between 0 and 1, got 95"),
        ({"fold": FOLD, "X": [[1]]}, "X must be left out unless y_true is the result of cross_validate"),
    ],
)
def test_bad_input(arguments, message):
    with pytest.raises(rs.RocInputError) as caught:
        rs.cross_auc(Y, S, **arguments)
    assert str(caught.value) == message


def test_leave_one_out_is_pooled():
    assert rs.cross_auc(Y, S, fold=[0, 1, 2, 3], method="pooled").value == 0.75


def test_results_of_scikit_learn_need_their_data():
    with pytest.raises(rs.RocInputError) as caught:
        rs.cross_auc({"estimator": []}, X=[[1]])
    assert str(caught.value) == "y must be given with the result of cross_validate, got None"


def test_influences_are_summed_inside_clusters():
    rng = np.random.default_rng(6)
    clusters = rng.integers(0, 200, 1000)
    y = rng.integers(0, 2, 1000)
    scores = y + rng.normal(size=1000) + rng.normal(size=200)[clusters]
    fold = clusters % 2
    kept = [clusters != k for k in range(200)]
    left = np.array([rs.cross_auc(y[of], scores[of], fold=fold[of]).value for of in kept])
    jackknife = math.sqrt(199 / 200 * np.sum((left - left.mean()) ** 2))
    found = rs.cross_auc(y, scores, fold=fold, groups=clusters)
    assert found.se == pytest.approx(jackknife, rel=0.04)
    assert found.value == rs.cross_auc(y, scores, fold=fold).value
    assert not found.warnings
    alone = np.arange(1000)
    assert rs.cross_auc(y, scores, fold=fold, groups=alone) == rs.cross_auc(y, scores, fold=fold)
    apart = rs.cross_auc(y, scores, fold=alone % 4, groups=clusters)
    assert apart.warnings[0].startswith(
        "178 clusters in several folds: a model that was trained on other cases"
    )
    one = rs.cross_auc(y, scores, fold=np.zeros(1000), groups=clusters)
    assert one.se == pytest.approx(rs.auc(y, scores, groups=clusters).se, rel=0.01)


# ---- The logit interval -----------------------------------------------------------------------------------


@pytest.mark.parametrize("method", ["mean", "pooled"])
@pytest.mark.parametrize("seed", range(4))
def test_the_logit_interval_by_its_definition(seed, method):
    """Squares of a class of k cases in a fold times k / (k - 1); t with the smaller class less the folds."""
    y, s, fold = sample(seed, step=0.5)
    y[:5] = 1
    used = fold if method == "mean" else np.zeros_like(fold)
    areas, variance = [], 0.0
    for name in np.unique(used):
        pos, neg = (s[(used == name) & (y == label)] for label in (1, 0))
        wins = (pos[:, None] > neg) + 0.5 * (pos[:, None] == neg)
        areas.append(wins.mean())
        # The mean of the folds weighs classes by their sizes in all folds.
        for placements, label in ((wins.mean(axis=1), 1), (wins.mean(axis=0), 0)):
            k, share = len(placements), len(y) / np.sum(y == label)
            spread = k / (k - 1) * np.sum((placements - wins.mean()) ** 2)
            variance += share**2 * spread / (np.sum(used == name) * len(np.unique(used)) * len(y))
    value, se = np.mean(areas), math.sqrt(variance)
    df = min(np.sum(y), np.sum(1 - y)) - len(np.unique(used))
    reach = stats.t.ppf(0.975, df) * se / (value * (1 - value))
    found = rs.cross_auc(y, s, fold=fold, method=method)
    assert found.method == "logit"
    assert (found.value, found.se) == pytest.approx((value, se), rel=1e-12)
    ends = special.expit(special.logit(value) + np.array([-reach, reach]))
    assert [found.low, found.high] == pytest.approx(ends, rel=1e-12)


def test_one_fold_has_delongs_variance():
    y, s, _ = sample(7, n=30)
    y[:4] = 1
    found = rs.cross_auc(y, s, fold=np.zeros(30, int))
    assert found.se == pytest.approx(rs.auc(y, s, method="delong").se, rel=1e-12)


def test_separated_folds_have_the_exact_bound():
    y = np.arange(24) % 2
    fold = np.arange(24) // 2 % 3  # 4 + 4 cases each
    found = rs.cross_auc(y, y + 0.0, fold=fold)
    assert (found.value, found.se, found.high) == (1.0, 0.0, 1.0)
    assert found.low == pytest.approx(0.025 ** (1 / 12))
    assert found.warnings == ("the classes are separated: the interval is the exact bound for an area of 1",)
    assert rs.cross_auc(y, y + 0.0, fold=fold, interval="influence").low is None


def test_few_cases_in_a_fold_are_made_up_for():
    """Means over five folds of 2 + 8 cases: LeDell's intervals hold in about 80 % of studies."""
    rng = np.random.default_rng(3)
    y, fold = np.repeat([1, 0], [10, 40]), np.concatenate([np.arange(10), np.arange(40)]) % 5
    held = {"logit": 0, "influence": 0}
    for _ in range(300):
        s = rng.normal(size=50) + 1.2 * y
        for interval in held:
            found = rs.cross_auc(y, s, fold=fold, interval=interval)
            held[interval] += found.low <= special.ndtr(1.2 / 2**0.5) <= found.high
    assert held["influence"] < 265 < 280 < held["logit"]
