"""`rocscope montecarlo` and `rocscope components`: the library's simulations, without a file."""

import csv
import time
from pathlib import Path

import pytest

import rocscope as rs

SETS = ("--n", "5,8", "--n-test", "20", "--seed", "1")
M = ("montecarlo", *SETS, "--trials", "4", "--n-boot", "3")
C = ("components", *SETS, "--training-sets", "4", "--test-sets", "3")
STUDY = {"n": [5, 8], "n_test": 20, "trials": 4, "n_boot": 3, "rng": 1}
CROSSED = {"n": [5, 8], "n_test": 20, "training_sets": 4, "test_sets": 3, "rng": 1}


def test_table_of_estimates(run):
    done = run(*M)
    found = rs.monte_carlo("qda", **STUDY)
    lines = done.out.splitlines()
    assert (done.code, done.err.count("singular")) == (0, 2)
    assert lines[0] == str(found).splitlines()[0]
    assert lines[2].split() == ["estimate", "n", "mean", "SD", "RMS", "bias", "correlation"]
    row = found.row(5, "star")
    assert lines[5].split() == [
        "AUC(*)",
        "5",
        f"{row.mean:.4f}",
        f"({row.mean_error:.4f})",
        f"{row.sd:.4f}",
        f"({row.sd_error:.4f})",
        f"{row.rms:.4f}",
        f"{row.bias:+.4f}",
        f"{row.correlation:.2f}",
    ]
    assert len(lines) == 3 + 2 * 5


@pytest.mark.parametrize(
    ("options", "arguments"),
    [
        ((), {}),
        (("--learner", "lda", "--own-test"), {"learner": "lda", "common_test": False}),
        (("--leave-pair-out",), {"leave_pair_out": True}),
        (
            ("--rule", "efron-tibshirani", "--separation", "0"),
            {"rule": "efron-tibshirani", "separation": 0.0},
        ),
        (("--dimension", "2"), {"dimension": 2}),
        pytest.param(("--dimension", "2", "--n-jobs", "2"), {"dimension": 2}, marks=pytest.mark.slow),
        (
            ("--mean", "1,0.5", "--covariance", "1,0.5;0.5,1/2,0;0,2"),
            {"mean": [1, 0.5], "covariance": ([[1, 0.5], [0.5, 1]], [[2, 0], [0, 2]])},
        ),
    ],
)
def test_json_and_options(run, options, arguments):
    document = run(*M, *options, "--json").document
    assert document["command"] == "montecarlo"
    assert document["input"]["n"] == [5, 8]
    assert document["input"]["seed"] == 1
    assert document["results"] == [rs.monte_carlo(**STUDY | arguments).to_dict()]


def test_estimated_standard_errors_have_a_column(run):
    header, *rows = run(*M, "--leave-pair-out", "--learner", "lda").out.splitlines()[2:]
    found = rs.monte_carlo("lda", leave_pair_out=True, **STUDY)
    assert header.endswith("mean se")
    assert rows[5].endswith(f"{found.row(5, 'leave_pair_out').estimated_se:.4f}")


def test_components_of_one_learner_and_of_two(run):
    done = run(*C)
    found = rs.variance_components("qda", **CROSSED)
    assert (done.code, done.err) == (0, "")
    assert done.out.startswith(str(found))
    row = found.row(8, "test")
    assert done.out.splitlines()[-2].split() == ["test", "8", f"{row.sd:.4f}", f"{row.share:.0%}"]
    assert run(*C, "--json").document["results"] == [found.to_dict()]
    two = run(*C, "--learner", "lda", "--learner", "1nn")
    both = rs.difference_components("lda", "1nn", **CROSSED)
    assert " ".join(two.out.split()).startswith(" ".join(str(both).split()))
    table = both.columns()
    assert two.out.splitlines()[-1].split() == [
        "both",
        "8",
        f"{both.first.row(8, 'both').sd:.4f}",
        f"{both.second.row(8, 'both').sd:.4f}",
        f"{table['sd'][-1]:.4f}",
        f"{table['share'][-1]:.0%}",
        f"{table['correlation'][-1]:.2f}",
    ]
    assert run(*C, "--learner", "lda", "--learner", "1nn", "--json").document["results"] == [both.to_dict()]


@pytest.mark.parametrize(
    "line", [M, (*M, "--show", "rescaled"), C, (*C, "--learner", "lda", "--learner", "qda")]
)
def test_files(run, line):
    for name in ("x.png", "x.csv", "x.json"):
        assert run(*line, "--out", name).code == 0
    assert Path("x.png").stat().st_size > 5000
    assert len(list(csv.DictReader(Path("x.csv").read_text().splitlines()))) == (
        10 if line[0] == "montecarlo" else 6
    )


def test_a_fresh_seed_is_noted(run):
    done = run("components", "--n", "4", "--training-sets", "3", "--test-sets", "3", "--n-test", "5")
    assert done.err.startswith("note: random numbers from seed ")


def test_a_long_preparation_is_noted(run, monkeypatch):
    monkeypatch.setattr("rocscope.cli.montecarlo.PATIENCE", 0.0)
    said = "components: getting ready; the first run on a machine compiles, later ones do not\n"
    monkeypatch.setattr("rocscope.cli.montecarlo.partial", lambda *_, **__: lambda: time.sleep(0.5))
    assert run(*C).err == said


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ((*M[:-1], "0", "--show", "rescaled"), "--show rescaled must have bootstraps, got --n-boot 0"),
        ((*M, "--mean", "1", "--separation", "1"), "--separation must be left out where mean is given"),
        ((*M, "--covariance", "1,2"), "--covariance must be rows of numbers such as 1,0.5;0.5,1, or two"),
        (("montecarlo", "--n", "5,5"), "--n must hold one or more different sizes, got [5, 5]"),
        ((*C, *("--learner", "lda") * 3), "--learner must be given once or twice, got 3"),
        ((*C, *("--learner", "lda") * 2), "--learner must name different learners, got lda, lda"),
        ((*C, "--out", "x.html"), "--out must end in"),
    ],
)
def test_refused(run, line, message):
    done = run(*line)
    assert (done.code, done.out) == (2, "")
    assert done.err.startswith(f"error: {message}")
