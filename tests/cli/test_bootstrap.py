"""`rocscope bootstrap`: estimates from the features of a file, without a test set."""

import csv
from pathlib import Path

import numpy as np
import pytest
from sklearn.naive_bayes import GaussianNB

from rocscope.bootstrap.estimates import bootstrap_auc
from saved_commands import with_options

B = ("bootstrap", "d.csv", "--label", "y", "--pos-label", "ill", "--model", "nb", "--n-boot", "20")
B += ("--seed", "1")


def features(n=24):
    rng = np.random.default_rng(1)
    y = np.repeat(["well", "ill"], n // 2)
    return y, np.round(rng.normal(size=(n, 2)) + 0.8 * (y == "ill")[:, np.newaxis], 2)


@pytest.fixture(autouse=True)
def table(folder):
    y, X = features()
    with Path("d.csv").open("w", newline="") as file:
        rows = zip(y, *X.T, ["north", "south"] * 12, strict=True)
        csv.writer(file).writerows([["y", "u", "v", "site"], *rows])


def expected(**options):
    y, X = features()
    return bootstrap_auc(GaussianNB(), X, y, pos_label="ill", n_boot=20, rng=1, **options)


def test_qda_does_not_depend_on_the_units_of_the_features(run):
    """scikit-learn takes variances below an absolute tolerance for a singular covariance."""
    y, X = features()
    for name, unit in (("plain.csv", 1.0), ("small.csv", 2.0**-20)):
        rows = zip(y, *(unit * X).T, strict=True)
        with Path(name).open("w", newline="") as file:
            csv.writer(file).writerows([["y", "u", "v"], *rows])
    options = ("--label", "y", "--pos-label", "ill", "--model", "qda", "--n-boot", "20", "--seed", "1")
    plain, small = (run("bootstrap", name, *options) for name in ("plain.csv", "small.csv"))
    assert (plain.code, small.code) == (0, 0)
    assert plain.out == small.out


def test_tables(run):
    done = run(*B)
    found = expected()
    lines = done.out.splitlines()
    assert done.code == 0
    assert lines[0] == (
        "12 cases of ill, 12 of well; 20 replicates drawn class by class, 0 of them drawn again"
    )
    assert lines[2].split() == ["estimate", "AUC", "se", "95%", "interval", "mc"]
    by_name = {line.split("  ")[0]: line.split() for line in lines[3:10]}
    assert list(by_name)[:5] == ["apparent", "leave-pair-out", "AUC(*)", ".632", ".632+"]
    star = found.star
    assert by_name["AUC(*)"][1:] == [
        f"{star.value:.4f}",
        f"{star.se:.4f}",
        f"{star.low:.4f}-{star.high:.4f}",
        f"{star.mc_error:.4f}",
    ]
    assert lines[11].split()[:3] == ["estimate", "error", "rate"]
    assert len(lines) == 18
    notes = done.err.splitlines()
    assert "note: left out as no numbers: site" in notes
    reason = "it takes 24 trainings, more than the bootstrap, and was not requested"
    assert notes.count(f"note: leave-one-out AUC undefined: {reason}") == 1


def test_json_and_options(run):
    more = (
        "--unstratified",
        "--folds",
        "3",
        "--leave-one-out",
        "--rule",
        "efron-tibshirani",
        "--cost",
        "1,4",
    )
    done = run(*B, *more, "--prevalence", "0.2", "--level", "0.9", "--json")
    found = expected(
        stratify=False,
        cv=3,
        leave_one_out=True,
        rule="efron-tibshirani",
        cost=(1, 4),
        prevalence=0.2,
        level=0.9,
    )
    assert done.code == 0
    assert done.document["results"] == [found.to_dict()]
    assert done.document["input"]["seed"] == 1


def test_loss_has_a_table_of_its_own(run):
    lines = run(*B, "--cost", "4").out.splitlines()
    assert [line.split()[1:3] for line in lines if line.startswith("estimate")] == [
        ["AUC", "se"],
        ["error", "rate"],
        ["expected", "loss"],
    ]


@pytest.mark.slow
def test_files(run):
    assert run(*B, "--out", "t.csv").code == 0
    rows = list(csv.DictReader(Path("t.csv").read_text().splitlines()))
    by_name = {row["estimate"]: row for row in rows}
    assert float(by_name["auc point632plus"]["value"]) == expected().point632plus.value
    assert run(*B, "--out", "t.svg").code == 0
    assert "Leave-pair-out" in Path("t.svg").read_text()


def test_features_are_chosen(run):
    y, X = features()
    only = bootstrap_auc(GaussianNB(), X[:, [1]], y, pos_label="ill", n_boot=20, rng=1)
    done = run(*B, "--feature", "v", "--json")
    assert done.document["results"] == [only.to_dict()]


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (
            ("--feature", "sites"),
            3,
            "d.csv must have a column 'sites', got 'y', 'u', 'v', 'site'; did you mean 'site'?",
        ),
        (("--feature", "w"), 3, "d.csv must have a column 'w', got 'y', 'u', 'v', 'site'"),
        (("--feature", "y"), 2, "--feature must name other columns than the label, each once"),
        (
            ("--folds", "13"),
            3,
            "--folds must be at most the size of the smallest class, 12 (class 'well'), got 13",
        ),
        (("--n-boot", "1"), 2, "--n-boot must be a whole number of at least 2, got 1"),
    ],
)
def test_wrong_usage(run, arguments, code, message):
    done = run(*with_options(B, arguments))
    assert done.code == code
    assert f"error: {message}" in done.err
    assert done.out == ""


def test_undefined_is_reported_and_has_its_exit_code(run):
    text = Path("d.csv").read_text().splitlines()
    Path("d.csv").write_text("\n".join(text[:14]) + "\n")  # one case of the second class
    done = run(*B, "--json")
    assert done.code == 4
    assert done.document["results"][0]["star"]["value"] is None
    assert "error: no estimate of the AUC: a class of one member cannot both train" in done.err


def test_failed_replicates_have_their_exit_code(run, monkeypatch):
    class Fails(GaussianNB):
        def fit(self, X, y):
            if len(np.unique(np.asarray(X)[:, 0])) < 14:
                raise ValueError("too few")
            return super().fit(X, y)

    monkeypatch.setattr("rocscope.cli.models.make_model", lambda name: Fails())
    done = run(*B, "--json")
    assert done.code == 6
    failed = done.document["results"][0]["failed"]
    assert 0 < failed < 20
    assert f"error: {failed} of 20 replicates failed; the estimates rest on the others" in done.err


def test_a_detector_is_no_classifier(run):
    done = run("bootstrap", "d.csv", "--label", "y", "--model", "gaussian-detector")
    message = "--model gaussian-detector knows no classes: a classifier is needed here"
    assert (done.code, done.out, done.err) == (2, "", f"error: {message}\n")
