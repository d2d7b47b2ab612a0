"""Monte-Carlo studies: their figures by plain NumPy, their errors by the jackknife, the rules they state."""

import json

import numpy as np
import pytest

from rocscope.bootstrap.engine import Experiment, normal_population, run_sizes
from rocscope.bootstrap.monte_carlo import monte_carlo, summarise
from rocscope.core.kernels import trials as kernels
from rocscope.errors import PartlyFailedError, ResourceError, RocInputError
from slow import learners as slow
from slow import left_out

ESTIMATORS = ("true", "apparent", "star", "point632", "point632plus")


@pytest.fixture(scope="module")
def found():
    return monte_carlo("lda", n=[10, 30], trials=120, n_boot=20, n_test=200, leave_pair_out=True, rng=1)


# ---- Figures ----------------------------------------------------------------------------------------------


def test_figures_are_those_of_the_trials(found):
    assert found.estimators == (*ESTIMATORS, "leave_pair_out")
    assert found.values.shape == (2, 120, 6)
    for k, n in enumerate(found.n):
        true = found.values[k, :, 0]
        for e, estimator in enumerate(found.estimators):
            values, row = found.values[k, :, e], found.row(n, estimator)
            assert row.mean == pytest.approx(np.mean(values))
            assert row.sd == pytest.approx(np.std(values, ddof=1))
            assert row.rms == pytest.approx(np.sqrt(np.mean((values - true.mean()) ** 2)))
            assert row.bias == pytest.approx(np.mean(values - true), abs=1e-12)
            assert row.correlation == pytest.approx(np.corrcoef(values, true)[0, 1])


def test_the_632_family_follows_the_paper(found):
    for trial in found.values.reshape(-1, 6):
        apparent, star = trial[1], trial[2]
        assert trial[3] == pytest.approx(left_out.point632(apparent, star), abs=1e-12)
        assert trial[4] == pytest.approx(left_out.plus_auc(apparent, star), abs=1e-12)
    assert (found.values[:, :, 2] < 0.5).any()  # both branches of the rule are there


def jackknife(figure, *samples):
    """Standard error of a figure of paired samples."""
    n = len(samples[0])
    left = np.array([figure(*(np.delete(sample, k) for sample in samples)) for k in range(n)])
    return np.sqrt((n - 1) * left.var())


FIGURES = {
    "mean": lambda v, t: v.mean(),
    "sd": lambda v, t: v.std(ddof=1),
    "rms": lambda v, t: np.sqrt(((v - t.mean()) ** 2).mean()),
    "bias": lambda v, t: v.mean() - t.mean(),
    "correlation": lambda v, t: np.corrcoef(v, t)[0, 1],
}


@pytest.mark.parametrize("figure", FIGURES)
@pytest.mark.parametrize("estimator", ["apparent", "star", "point632plus"])
def test_monte_carlo_errors_are_those_of_the_jackknife(found, figure, estimator):
    true, values = found.values[0, :, 0], found.values[0, :, found.estimators.index(estimator)]
    expected = jackknife(FIGURES[figure], values, true)
    assert found.row(10, estimator)[f"{figure}_error"] == pytest.approx(expected, rel=0.05)


def test_monte_carlo_errors_tell_how_far_runs_differ():
    runs = [monte_carlo("lda", n=10, trials=60, n_boot=8, n_test=50, rng=seed) for seed in range(60)]
    for figure in FIGURES:
        rows = [run.row(10, "star") for run in runs]
        spread = np.std([row[figure] for row in rows], ddof=1)
        result = np.mean([row[f"{figure}_error"] for row in rows])
        if figure not in ("rms", "bias"):  # these two hang on the test set as well, which is new in each run
            assert result == pytest.approx(spread, rel=0.35)


def test_an_estimator_that_never_varies_has_no_correlation():
    row = summarise(20, "apparent", np.ones(5), np.array([0.5, 0.6, 0.7, 0.6, 0.5]), None)
    assert (row.correlation, row.correlation_error, row.sd, row.sd_error) == (None, None, 0.0, 0.0)
    assert row.reason == "apparent is the same in every trial: no correlation"
    row = summarise(20, "star", np.array([0.5, 0.6]), np.ones(2), None)
    assert row.reason == "true is the same in every trial: no correlation"


# ---- Truth ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("learner", ["lda", "nearest-mean"])
def test_true_areas_are_near_the_exact_ones(learner):
    """A linear score has an exact area on normal classes; a large test set must find it, trial by trial."""
    population = normal_population(covariance=(np.diag([1.0, 2.0, 0.5]), np.eye(3)), mean=[0.8, 0.1, 0.4])
    call = Experiment(
        learner=learner, population=population, n_boot=0, n_test=20_000, common_test=False, pairs=False
    )
    (found,) = run_sizes(call, [15], trials=40, rng=4)
    exact = exact_areas(learner, population, n=15, trials=40, rng=4)
    away = found.true - exact
    assert np.abs(away).max() < 5 * 0.0029  # the variance of an area is at most A (1 - A) / 20,000, or less
    assert np.abs(away).mean() < 0.0029
    assert np.corrcoef(found.true, exact)[0, 1] > 0.99


def exact_areas(learner, population, *, n, trials, rng):
    """Exact areas of the same training sets: the streams of the trials, begun anew."""
    from rocscope.bootstrap.engine import TRIALS_PER_TASK, states_of
    from rocscope.core.resampling import as_generator, plan_chunks

    areas = []
    for chunk in plan_chunks(trials, as_generator(rng), size=TRIALS_PER_TASK):
        for stream in states_of(chunk.seed, len(chunk.range)):
            neg, pos = kernels.draw_pair(n, n, population.means, population.roots, stream)
            difference = pos.mean(axis=0) - neg.mean(axis=0)
            weights = (
                difference
                if learner == "nearest-mean"
                else np.linalg.solve(slow.pooled(neg, pos, neg, pos), difference)
            )
            areas.append(slow.exact_area(weights, population.mean, population.covariances))
    return np.array(areas)


def test_learners_near_the_ideal_area():
    for learner in ("lda", "qda", "nearest-mean"):
        found = monte_carlo(learner, n=2000, dimension=3, trials=20, n_boot=0, n_test=5000, rng=3)
        assert found.row(2000, "true").mean == pytest.approx(found.ideal_auc, abs=0.015)
    assert found.ideal_auc == pytest.approx(0.7365, abs=1e-4)


def test_without_information_every_area_is_one_half_but_the_apparent_one():
    found = monte_carlo("lda", n=20, separation=0, trials=300, n_boot=20, common_test=False, rng=3)
    for estimator in ("true", "star"):
        row = found.row(20, estimator)
        assert abs(row.mean - 0.5) < 4 * row.mean_error
    assert found.row(20, "apparent").mean > 0.65


def test_one_nearest_neighbour_is_what_632_plus_was_made_for():
    """It knows its training cases by heart: .632 keeps a third of that, .632+ gives it up where it should."""
    options = {"n": 30, "separation": 0, "trials": 200, "n_boot": 50, "rng": 1}
    found = monte_carlo("1nn", **options)
    assert found.row(30, "apparent").mean == 1.0
    assert found.row(30, "apparent").correlation is None
    assert found.row(30, "point632").bias == pytest.approx(0.184, abs=0.02)
    mirrored = monte_carlo("1nn", **options, rule="efron-tibshirani")
    assert abs(mirrored.row(30, "point632plus").bias) < 0.02
    # The paper's condition takes no overfitting where AUC(*) is below chance: in half of these trials.
    assert found.row(30, "point632plus").bias == pytest.approx(0.1, abs=0.025)
    np.testing.assert_array_equal(found.values[..., :4], mirrored.values[..., :4])


def test_leave_pair_out_goes_with_star_and_knows_its_error(found):
    """Also in the loop over every pair: a trial of the same stream in test_learners."""
    values = {name: found.values[1, :, found.estimators.index(name)] for name in found.estimators}
    assert np.corrcoef(values["star"], values["leave_pair_out"])[0, 1] > 0.95
    row = found.row(30, "leave_pair_out")
    assert row.estimated_se == found.row(30, "star").estimated_se
    assert 0.7 < row.estimated_se / row.sd < 1.4
    assert found.row(30, "point632").estimated_se is None


@pytest.mark.slow
@pytest.mark.parametrize(("learner", "n", "within"), [("lda", 40, 0.2), ("qda", 40, 0.2), ("lda", 100, 0.1)])
def test_standard_error_of_leave_pair_out(learner, n, within):
    """Against the standard deviation over training sets; more of them in validation/leave_pair_out_se.py."""
    found = monte_carlo(learner, n=n, trials=500, n_boot=500, leave_pair_out=True, rng=2004)
    row = found.row(n, "leave_pair_out")
    assert row.estimated_se / row.sd == pytest.approx(1, abs=within)


# ---- Chance -----------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_any_number_of_jobs_gives_the_same_numbers():
    options = {"n": [5, 12], "trials": 110, "n_boot": 6, "n_test": 30, "leave_pair_out": True, "rng": 11}
    alone = monte_carlo("qda", **options, n_jobs=1)
    assert monte_carlo("qda", **options, n_jobs=2) == alone
    assert monte_carlo("qda", **(options | {"rng": 12})) != alone
    assert monte_carlo("qda", **(options | {"rng": np.random.default_rng(11)})) == alone


def test_training_sets_do_not_depend_on_how_they_are_tested():
    options = {"n": 8, "trials": 30, "rng": 5}
    own = monte_carlo("lda", **options, n_boot=0, common_test=False)
    many = monte_carlo("lda", **options, n_boot=10, n_test=50, common_test=False)
    assert own.estimators == ("true", "apparent")
    np.testing.assert_array_equal(own.values[..., 1], many.values[..., 1])


def test_a_common_test_set_takes_chance_out_of_the_true_area():
    options = {"n": 200, "dimension": 2, "trials": 150, "n_boot": 0, "n_test": 100, "rng": 5}
    common, own = (monte_carlo("lda", **options, common_test=flag) for flag in (True, False))
    assert own.row(200, "true").sd > 2 * common.row(200, "true").sd


def test_progress_counts_the_tasks():
    seen = []
    monte_carlo("lda", n=[5, 6], trials=120, n_boot=0, rng=1, progress=lambda *result: seen.append(result))
    assert seen == [(k, 6) for k in range(1, 7)]


# ---- The rules for hard cases -----------------------------------------------------------------------------


def test_singular_covariances_are_counted_and_reported():
    found = monte_carlo("qda", n=[4, 40], trials=20, n_boot=10, rng=1)
    assert found.singular[0] == 2 * 20 * 11  # four cases span at most three directions
    assert found.singular[1] == 0
    assert found.warnings == ("n = 4: 440 of 440 covariances were singular and got a ridge",)
    assert np.isfinite(found.values).all()
    assert str(found).endswith("note: n = 4: 440 of 440 covariances were singular and got a ridge")


def test_classes_of_two_are_drawn_again_until_one_is_left_out():
    found = monte_carlo("nearest-mean", n=2, trials=100, n_boot=20, rng=1)
    assert found.redrawn[0] == pytest.approx(2 * 100 * 20, rel=0.1)  # once in a while for each class
    assert np.isfinite(found.values).all()


def test_pairs_never_left_out_and_hidden_standard_errors_are_reported():
    found = monte_carlo("qda", n=20, trials=40, n_boot=4, leave_pair_out=True, rng=1)
    assert found.dropped[0] > 0
    assert found.warnings[0] == f"n = 20: {found.dropped[0]:,} of 16,000 pairs were never left out together"
    assert "trials have no standard error" in found.warnings[1]
    assert 0 < found.row(20, "star").undefined_se < 1


# ---- The result -------------------------------------------------------------------------------------------


def test_result_as_text(found):
    document = json.loads(found.to_json())
    assert "values" not in document
    assert document["n"] == [10, 30]
    assert document["rows"][0]["estimator"] == "true"
    columns = found.columns()
    assert columns["n"] == [10] * 6 + [30] * 6
    assert len(found.frame()) == 12
    lines = str(found).splitlines()
    assert lines[0] == (
        "lda on 5 features, squared distance 0.8: 120 trials, 20 bootstraps, one test set of 200 per class"
    )
    row = found.row(30, "point632plus")
    figures = (row.mean, row.mean_error, row.sd, row.sd_error, row.rms, row.bias, row.correlation)
    expected = ".632+ {:.4f} +- {:.4f} {:.4f} +- {:.4f} {:.4f} {:+.4f} {:.2f}".format(*figures)
    assert " ".join(lines[12].split()) == expected


def test_figures_over_sizes(found):
    assert found.figures("star", "mean").tolist() == [found.row(n, "star").mean for n in (10, 30)]
    assert np.isnan(found.figures("apparent", "estimated_se")).all()


def test_asking_for_what_is_not_there(found):
    with pytest.raises(RocInputError, match=r"^n must be one of 10, 30, got 20$"):
        found.row(20, "star")
    with pytest.raises(RocInputError, match=r"^estimator must be one of .*, got 'plus'$"):
        found.row(10, "plus")
    with pytest.raises(
        RocInputError, match=r"^figure must be one of .*, got 'median'; did you mean 'mean'\?$"
    ):
        found.figures("star", "median")


# ---- What is refused --------------------------------------------------------------------------------------

REFUSED = {
    "learner must be one of 'nearest-mean', 'lda', 'qda', '1nn', got 'qdaa'; did you mean 'qda'?": {
        "learner": "qdaa"
    },
    "n must be a whole number of at least 2, got 1": {"n": [20, 1]},
    "n must be a whole number of at least 2, got 'many'": {"n": "many"},
    "n must hold one or more different sizes, got [20, 20]": {"n": [20, 20]},
    "n must hold one or more different sizes, got []": {"n": []},
    "trials must be a whole number of at least 2, got 1": {"trials": 1},
    "n_boot must be a whole number of at least 0, got -1": {"n_boot": -1},
    "n_boot must be at least 2 with leave_pair_out, got 1": {"n_boot": 1, "leave_pair_out": True},
    "n_test must be a whole number of at least 1, got 0": {"n_test": 0},
    "common_test must be True or False, got 'yes'": {"common_test": "yes"},
    "leave_pair_out must be True or False, got 1": {"leave_pair_out": 1},
    "rule must be one of 'yousef', 'efron-tibshirani', got 'efron'": {"rule": "efron"},
    "dimension must be a whole number of at least 1, got 0": {"dimension": 0},
    "separation must lie between 0 and 1e+06 (both allowed), got -1": {"separation": -1},
    "separation must be left out where mean is given, which says it already": {"separation": 1, "mean": [1]},
    "dimension and mean must have the same number of features: dimension has 3, mean has 2": {
        "dimension": 3,
        "mean": [1, 0],
    },
    "mean and covariance must have the same number of features: mean has 2, covariance has 3": {
        "mean": [1, 0],
        "covariance": np.eye(3),
    },
    "mean must hold finite numbers, got [1.0, inf]": {"mean": [1, np.inf]},
    "mean must be at a squared distance of at most 1e+06, got 1e+08": {"mean": [1e4]},
    "covariance must have variances between 1e-50 and 1e50, got others": {"covariance": [[1e-60]]},
    "covariance must be a square matrix, or two of them (negatives, positives), got shape (2, 3)": {
        "covariance": np.ones((2, 3))
    },
    "covariance must be symmetric and positive definite, got one that is not": {
        "covariance": [[1, 2], [2, 1]]
    },
    "rng must be None, a whole number of at least 0, a numpy Generator or a SeedSequence, got -3": {
        "rng": -3
    },
}


@pytest.mark.parametrize("message", REFUSED)
def test_refused(message):
    with pytest.raises(RocInputError) as error:
        monte_carlo(**REFUSED[message])
    assert str(error.value).startswith(message)


def test_a_trial_that_does_not_fit_into_memory_is_refused():
    with pytest.raises(ResourceError, match=r"^one trial would hold 4,000,880,000 numbers, at most 200,"):
        monte_carlo("lda", n=10_000, n_boot=100_000)


def test_a_failed_task_is_reported(monkeypatch):
    from rocscope.bootstrap import engine

    def fail(*_):
        raise OSError("no disk")

    monkeypatch.setattr(engine, "run_chunk", fail)
    with pytest.raises(PartlyFailedError, match="no disk"):
        monte_carlo("lda", n=5, trials=2, n_boot=0)
