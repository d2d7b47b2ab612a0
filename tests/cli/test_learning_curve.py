"""`rocscope learning-curve`: the library's curves of one model or several, from a file."""

import csv
from pathlib import Path

import numpy as np
import pytest
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.naive_bayes import GaussianNB

import rocscope as rs
from algorithms.bad_learners import Failing

C = ("learning-curve", "d.csv", "--label", "y", "--pos-label", "ill", "--n-boot", "6", "--seed", "1")
ONE, TWO = ("--model", "nb"), ("--model", "nb", "--model", "lda")


def features(n=40):
    rng = np.random.default_rng(1)
    y = np.repeat(["well", "ill"], n // 2)
    return y, np.round(rng.normal(size=(n, 2)) + 0.8 * (y == "ill")[:, np.newaxis], 1)


@pytest.fixture(autouse=True)
def table(folder):
    y, X = features()
    with Path("d.csv").open("w", newline="") as file:
        csv.writer(file).writerows([["y", "u", "v"], *zip(y, *X.T, strict=True)])


def expected(estimator, **options):
    y, X = features()
    return rs.learning_curve(estimator, X, y, pos_label="ill", n_boot=6, rng=1, **options)


def test_tables(run):
    done = run(*C, *TWO, "--sizes", "12,24")
    curves = expected({"nb": GaussianNB(), "lda": LinearDiscriminantAnalysis()}, sizes=[12, 24]).curves
    assert (done.code, done.err) == (0, "")
    lines = done.out.splitlines()
    assert lines[0] == "nb, ill against well: 6 training sets of each size"
    assert lines[1].split() == ["cases", "AUC", "apparent", "AUC(*)", "n/.632", "AUC(*)", "n/.5"]
    assert lines[2].split()[:3] == [
        "12",
        f"{curves['nb'].auc[0]:.4f}",
        f"({curves['nb'].mc_error[0, 0]:.4f})",
    ]
    assert len(lines[3].split()) == 1 + 2 * 3  # 24 / .5 cases are more than there are
    assert lines[4:6] == ["", "lda, ill against well: 6 training sets of each size"]
    assert lines[7].split()[1] == f"{curves['lda'].auc[0]:.4f}"


@pytest.mark.slow
def test_json_of_one_model_and_of_two(run):
    one = run(*C, *ONE, "--json", "--n-jobs", "2").document
    assert one["input"]["models"] == ["nb"]
    assert one["results"] == [expected(GaussianNB()).to_dict()]
    two = run(*C, *TWO, "--sizes", "12,24", "--json").document
    learners = {"nb": GaussianNB(), "lda": LinearDiscriminantAnalysis()}
    assert two["results"] == [expected(learners, sizes=[12, 24]).to_dict()]


def test_files(run):
    for name in ("c.png", "c.csv", "c.json"):
        assert run(*C, *TWO, "--sizes", "12", "--out", name).err == f"wrote {name}\n"
    rows = list(csv.DictReader(Path("c.csv").read_text().splitlines()))
    assert [(row["learner"], row["size"]) for row in rows] == [("nb", "12"), ("lda", "12")]
    assert Path("c.png").stat().st_size > 5000


def test_failures(run):
    failing = ("--model", "algorithms.bad_learners.Failing", *ONE)
    done = run(*C, *failing, "--sizes", "12")
    assert done.code == 6
    assert "note: algorithms.bad_learners.Failing: a training failed: " in done.err
    failed = expected(Failing(), sizes=[12]).failed[0]
    count = failed[0] + failed[2] + failed[3]
    assert done.err.splitlines()[-1] == f"error: {count} trainings failed; the means rest on the others"
    alone = run(*C, "--model", "algorithms.bad_learners.NoNumbers", "--sizes", "12")
    assert alone.code == 4
    assert alone.err.splitlines()[-1] == "error: no AUC of algorithms.bad_learners.NoNumbers: see the notes"


@pytest.mark.parametrize(
    ("options", "code", "message"),
    [
        (("--model", "nb", "--model", "nb"), 2, "--model must name different models, got nb, nb"),
        ((*ONE, "--sizes", "20,99"), 3, "--sizes must stay below the number of cases, 40, got [20, 99]"),
        ((*ONE, "--sizes", "20,10"), 2, "--sizes must increase, got [20, 10]"),
        ((*ONE, "--sizes", "1,10"), 2, "--sizes must be a whole number of at least 2, got 1"),
        ((*ONE, "--sizes", "x"), 2, "--sizes must be whole numbers between commas, got 'x'"),
        (("--model", "gaussian-detector"), 2, "--model gaussian-detector knows no classes"),
        (
            ("--model", "algorithms.bad_learners.HardLabels", *ONE),
            2,
            "--model algorithms.bad_learners.HardLabels must give scores: ",
        ),
    ],
)
def test_refused(run, options, code, message):
    done = run(*C, *options)
    assert (done.code, done.out) == (code, "")
    assert done.err.startswith(f"error: {message}")


def test_sizes_are_refused_before_the_file_is_read(run):
    done = run("learning-curve", "none.csv", "--label", "y", *ONE, "--sizes", "20,10")
    assert (done.code, done.err) == (2, "error: --sizes must increase, got [20, 10]\n")
