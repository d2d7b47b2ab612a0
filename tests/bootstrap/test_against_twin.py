"""All estimates against a twin that follows the equations literally, on the rows the replicates drew."""

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis, QuadraticDiscriminantAnalysis
from sklearn.neighbors import KNeighborsClassifier
from sklearn.tree import DecisionTreeClassifier

from rocscope.bootstrap import left_out
from rocscope.bootstrap.estimates import bootstrap_auc
from rocscope.core.resampling import spawn_streams
from rocscope.training.datasets import Dataset
from rocscope.training.splits import bootstrap_splits, stratified_splits
from slow import left_out as slow

N_BOOT = 30
MODELS = {
    "lda": LinearDiscriminantAnalysis(),
    "qda": QuadraticDiscriminantAnalysis(reg_param=0.1),
    "knn": KNeighborsClassifier(3),
    "tree": DecisionTreeClassifier(max_depth=2, random_state=0),
}
TOLERANCE = 1e-12
QUICK = {"cv": 2, "leave_one_out": False}
# Where 30 replicates are enough to see the variance through their noise.
WITH_VARIANCE = [("lda", True), ("lda", False), ("knn", True), ("qda", True)]


def cases(n_neg=9, n_pos=7, seed=3):
    """Shuffled rows of two classes of unequal size, with tied features."""
    rng = np.random.default_rng(seed)
    y = rng.permutation(np.repeat([0, 1], [n_neg, n_pos]))
    return np.round(rng.normal(size=(len(y), 2)) + 0.7 * y[:, np.newaxis], 1), y


class Twin:
    """Trains on the rows of each replicate and on all of them."""

    def __init__(self, model, X, y, *, stratify, seed):
        data, stream = Dataset.read(X, y), spawn_streams(seed, 3)[0]
        drawn = bootstrap_splits(data, N_BOOT, stream, strata=data.codes if stratify else None)
        self.y = y.tolist()
        self.redrawn = drawn.redrawn
        self.replicates = [split.train for split in drawn.splits]
        self.models = [clone(model).fit(X[rows], y[rows]) for rows in self.replicates]
        self.whole = clone(model).fit(X, y)
        self.scores = [each.predict_proba(X)[:, 1] for each in self.models]
        self.called = [each.predict(X) for each in self.models]
        self.apparent = self.whole.predict_proba(X)[:, 1]
        self.strata = 2 if stratify else 1

    def losses(self):
        return [[float(c != label) for c, label in zip(row, self.y, strict=True)] for row in self.called]


@pytest.fixture(params=["small", "large"])
def both_paths(request, monkeypatch):
    """NumPy and the compiled kernels, in blocks of a few pairs."""
    monkeypatch.setattr(left_out, "LARGE", {"small": 2**62, "large": 0}[request.param])
    monkeypatch.setattr(left_out, "BLOCK_CELLS", 250)
    monkeypatch.setattr(left_out, "BLOCK_PAIRS", 20)


@pytest.mark.parametrize("stratify", [True, False])
@pytest.mark.parametrize("name", MODELS)
@pytest.mark.usefixtures("both_paths")
def test_areas(name, stratify):
    X, y = cases()
    found = bootstrap_auc(MODELS[name], X, y, n_boot=N_BOOT, stratify=stratify, rng=5, **QUICK)
    twin = Twin(MODELS[name], X, y, stratify=stratify, seed=5)
    apparent = slow.auc(twin.apparent, twin.y)
    star = slow.star(twin.scores, twin.replicates, twin.y)
    value, variance, noise = slow.leave_pair_out(twin.scores, twin.replicates, twin.y, twin.strata)
    assert found.apparent.value == pytest.approx(apparent, abs=TOLERANCE)
    assert found.star.value == pytest.approx(star, abs=TOLERANCE)
    assert found.point632.value == pytest.approx(slow.point632(apparent, star), abs=TOLERANCE)
    assert found.point632plus.value == pytest.approx(slow.plus_auc(apparent, star), abs=TOLERANCE)
    assert found.leave_pair_out.value == pytest.approx(value, abs=TOLERANCE)
    assert found.leave_pair_out.mc_error == pytest.approx(noise**0.5, abs=TOLERANCE)
    assert found.redrawn == twin.redrawn
    if (name, stratify) in WITH_VARIANCE:
        assert variance > 0
    if variance > 0:
        assert found.leave_pair_out.se == pytest.approx(variance**0.5, abs=TOLERANCE)
        assert found.star.se == found.leave_pair_out.se
    else:
        assert found.leave_pair_out.se is None
    kept = len(slow.pair_shares(twin.scores, twin.replicates, twin.y)[0])
    assert found.dropped_pairs == found.n_pos * found.n_neg - kept


@pytest.mark.parametrize("stratify", [True, False])
@pytest.mark.parametrize("name", MODELS)
def test_error_rates(name, stratify):
    X, y = cases()
    found = bootstrap_auc(MODELS[name], X, y, n_boot=N_BOOT, stratify=stratify, rng=5, **QUICK).error
    twin = Twin(MODELS[name], X, y, stratify=stratify, seed=5)
    called = twin.whole.predict(X)
    apparent = np.mean(called != y)
    left_out = slow.leave_one_out_bootstrap(twin.losses(), twin.replicates)
    gamma = np.mean(y) * (1 - np.mean(called)) + (1 - np.mean(y)) * np.mean(called)
    assert found.dropped == 0
    assert found.apparent.value == pytest.approx(apparent, abs=TOLERANCE)
    assert found.gamma == pytest.approx(gamma, abs=TOLERANCE)
    assert found.left_out.value == pytest.approx(left_out, abs=TOLERANCE)
    assert found.point632.value == pytest.approx(slow.point632(apparent, left_out), abs=TOLERANCE)
    assert found.point632plus.value == pytest.approx(
        slow.plus_error(apparent, left_out, gamma), abs=TOLERANCE
    )
    variance = slow.loss_variance(twin.losses(), twin.replicates, twin.y, twin.strata)
    assert found.left_out.se == (pytest.approx(variance**0.5, abs=TOLERANCE) if variance > 0 else None)


def test_expected_loss_at_costs_and_prevalence():
    X, y = cases(n_neg=14, n_pos=10)
    options = {"cost_fp": 2.0, "cost_fn": 5.0, "prevalence": 0.3}
    model = MODELS["lda"]
    found = bootstrap_auc(model, X, y, n_boot=N_BOOT, rng=5, cost=(2, 5), prevalence=0.3, **QUICK).loss
    twin = Twin(model, X, y, stratify=True, seed=5)
    share = 10 / 24

    def called(scores):
        return [slow.decide(p, share, **options) for p in scores]

    assert found.decisions == "threshold"
    assert found.apparent.value == pytest.approx(
        slow.risk(called(twin.apparent), twin.y, **options), abs=TOLERANCE
    )
    decided = [called(scores) for scores in twin.scores]
    left_out = 0.0
    for label, weight in ((1, 5.0 * 0.3), (0, 2.0 * 0.7)):
        losses = [[float(c != label) for c, t in zip(row, y, strict=True) if t == label] for row in decided]
        place = np.cumsum(y == label) - 1
        rows = [place[r[y[r] == label]] for r in twin.replicates]
        left_out += weight * slow.leave_one_out_bootstrap(losses, rows)
    assert found.left_out.value == pytest.approx(left_out, abs=TOLERANCE)
    share_called = 0.3 * np.mean(np.array(called(twin.apparent))[y == 1]) + 0.7 * np.mean(
        np.array(called(twin.apparent))[y == 0]
    )
    gamma = 0.3 * (1 - share_called) * 5 + 0.7 * share_called * 2
    assert found.gamma == pytest.approx(gamma, abs=TOLERANCE)
    assert found.point632plus.value == pytest.approx(
        slow.plus_error(found.apparent.value, left_out, gamma), abs=TOLERANCE
    )


def test_cross_validation_beside_them():
    X, y = cases(n_neg=12, n_pos=8)
    model = MODELS["knn"]
    found = bootstrap_auc(model, X, y, n_boot=30, rng=5, cv=4)
    scores, called = np.empty(20), np.empty(20)
    for i in range(20):
        others = np.arange(20) != i
        fitted = clone(model).fit(X[others], y[others])
        scores[i], called[i] = fitted.predict_proba(X[[i]])[0, 1], fitted.predict(X[[i]])[0]
    assert found.leave_one_out.value == pytest.approx(slow.auc(scores, y), abs=TOLERANCE)
    assert found.error.leave_one_out.value == pytest.approx(np.mean(called != y), abs=TOLERANCE)
    assert found.kfold.name == "4-fold AUC"
    splits = stratified_splits(y, 4, spawn_streams(5, 3)[1], repeats=5)
    means = []
    for deal in (splits[k : k + 4] for k in range(0, 20, 4)):
        fitted = [(split, clone(model).fit(X[split.train], y[split.train])) for split in deal]
        areas = [slow.auc(each.predict_proba(X[s.test])[:, 1], y[s.test]) for s, each in fitted]
        means.append(sum(areas) / 4)
    assert found.kfold.value == pytest.approx(sum(means) / 5, abs=TOLERANCE)
    assert found.kfold.mc_error == pytest.approx(np.std(means, ddof=1) / 5**0.5, abs=TOLERANCE)
    assert found.leave_one_out.mc_error == 0.0
