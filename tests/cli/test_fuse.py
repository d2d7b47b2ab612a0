"""`rocscope fuse` says which weights combine two scores best."""

import csv
import json
from pathlib import Path

import numpy as np
import pytest

import rocscope as rs
from rocscope.binormal.fusion import preview_fusion
from rocscope.cli.fuse import read_rate, read_weights

pytestmark = pytest.mark.slow

COMMAND = ("fuse", "fit.csv", "--label", "state", "--pos-label", "ill", "--score", "svm", "--score", "mlp")


def simulated(seed, n=80):
    rng = np.random.default_rng(seed)
    y = rng.random(n) < 0.4
    shared = rng.normal(size=n)
    return y, *(np.round(0.8 * shared + 0.6 * rng.normal(size=n) + shift * y, 3) for shift in (1.0, 1.4))


@pytest.fixture(autouse=True)
def files(folder):
    for name, seed in (("fit.csv", 1), ("test.csv", 2)):
        rows = [f"{'ill' if y else 'well'},{a},{b}" for y, a, b in zip(*simulated(seed), strict=True)]
        Path(name).write_text("\n".join(["state,svm,mlp", *rows]) + "\n")


def test_tables(run):
    done = run(*COMMAND)
    assert done.code == 0
    found = preview_fusion(*simulated(1))
    lines = done.out.splitlines()
    assert lines[0].split() == ["binormal", "curve", "a", "b", "AUC"]
    assert lines[1].split() == [
        "svm",
        f"{found.first.a:.4f}",
        f"{found.first.b:.4f}",
        f"{found.first.auc:.4f}",
    ]
    neg, pos = found.pair.rho_neg, found.pair.rho_pos
    assert lines[3] == f"correlation among negatives {neg:.4f}, among positives {pos:.4f}"
    assert lines[5] == "AUC of weighted sums (raw scale): 100 pairs of weights, 63 different ratios"
    best = found.best("correlated")
    (line,) = [line for line in lines if line.startswith("best by correlated")]
    assert line.split() == [
        *("best", "by", "correlated"),
        *(f"{best.weight_a:g}", ":", f"{best.weight_b:g}"),
        f"{best.value:.4f}",
        f"{best.empirical:.4f}",
        f"{best.loss:.4f}",
    ]
    assert "first - second" in done.out
    assert lines[-1].startswith("Best of all weights, correlated: ")
    assert "note: independent: the two scores say nothing about each other" in done.err
    assert "note: raw scale: outputs are added up as they are" in done.err


def test_json_is_the_result(run):
    done = run(
        *COMMAND, "--test", "test.csv", "--scale", "latent", "--target", "tpr", "--fpr", "0.2", "--json"
    )
    (result,) = done.document["results"]
    fit, test = (
        rs.BinaryScores.from_arrays(y, {"svm": a, "mlp": b}) for y, a, b in (simulated(1), simulated(2))
    )
    expected = preview_fusion(fit, test=test, scale="latent", target="tpr", fpr=0.2)
    assert result == json.loads(expected.to_json())
    assert set(done.document["input"]) == {"path", "sha256", "test_path", "test_sha256"}


def test_every_pair_as_csv(run):
    assert run(*COMMAND, "--weights", "1:0,1:1,0:1", "--out", "all.csv").code == 0
    with Path("all.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    expected = preview_fusion(*simulated(1), weights=[[1, 0], [1, 1], [0, 1]])
    assert [float(row["correlated"]) for row in rows] == expected.correlated.tolist()
    assert rows[0]["empirical_low"] == ""


@pytest.mark.parametrize("options", [(), ("--show", "angle"), ("--scale", "matched")])
def test_figures(run, options):
    assert run(*COMMAND, *options, "--out", "a.png").code == 0
    assert Path("a.png").stat().st_size > 3000


def test_curves_of_one_combination(run):
    done = run(*COMMAND, "--weights", "0.4,0.6", "--show", "curves", "--json")
    preview, curve = json.loads(done.out)["results"]
    found = preview_fusion(*simulated(1), weights=[[0.4, 0.6]]).curve([0.4, 0.6])
    assert (preview["type"], curve["type"]) == ("FusionPreview", "FusionCurve")
    assert curve["names"] == ["svm", "mlp"]
    for name in ("independent", "correlated", "empirical", "first", "second"):
        assert curve[f"auc_{name}"] == getattr(found, f"auc_{name}")
        np.testing.assert_array_equal(curve[name], getattr(found, name))
    text = run(*COMMAND, "--weights", "2:3", "--show", "curves").out.splitlines()
    assert text[0] == "2 svm + 3 mlp (raw scale, binormal model)"
    assert text[3].split()[:3] == ["predicted,", "independent", f"{found.auc_independent:.4f}"]
    assert run(*COMMAND, "--weights", "0.4,0.6", "--show", "curves", "--out", "curve.csv").code == 0
    with Path("curve.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    np.testing.assert_allclose([float(row["correlated"]) for row in rows], found.correlated)
    np.testing.assert_allclose([float(row["mlp alone"]) for row in rows], found.second)
    assert run(*COMMAND, "--show", "curves", "--out", "curve.png").code == 0


def test_curves_need_one_combination(run):
    done = run(*COMMAND, "--weights", "0.1,0.2,0.3", "--show", "curves")
    assert done.code == 2
    assert "--show curves needs --weights of one combination, such as 0.4,0.6 or 2:3" in done.err


def test_other_models(run):
    lines = run(*COMMAND, "--model", "proper", "--weights", "1:1,1:2").out.splitlines()
    assert lines[0].split() == ["proper", "binormal", "curve", "d_a", "c", "AUC"]
    found = preview_fusion(*simulated(1), weights=[[1, 1], [1, 2]], model="proper")
    assert f"{found.best('correlated').value:.4f}" in "".join(lines)
    assert "AUC of weighted sums (raw scale, proper model): 2 pairs of weights" in "\n".join(lines)
    done = run(*COMMAND, "--model", "empirical", "--scale", "latent")
    assert done.code == 2
    assert "--scale must be 'raw' where model is 'empirical'" in done.err


def test_a_warning_comes_before_and_beside_the_numbers(run):
    y, a, b = simulated(1)
    rows = [f"{'ill' if c else 'well'},{u},{100 * (v - 1.4 * c)}" for c, u, v in zip(y, a, b, strict=True)]
    Path("wide.csv").write_text("\n".join(["state,svm,mlp", *rows]) + "\n")
    done = run("fuse", "wide.csv", *COMMAND[2:])
    assert done.out.startswith("Warning: raw sums are predicted badly: with weights ")
    row = next(line for line in done.out.splitlines() if line.startswith("best by correlated"))
    assert row.endswith("predicted badly")
    assert "predicted badly" not in run(*COMMAND).out


def test_intervals(run):
    done = run(*COMMAND, "--n-boot", "100", "--weights", "1:1,1:2")
    assert done.code == 0
    assert "mean (95% interval)" in done.out
    assert "chosen again" in done.out
    (line,) = [line for line in done.out.splitlines() if line.startswith("independent - empirical")]
    mean, low, high = (float(line.split()[k].strip("()")) for k in (3, 4, 6))
    assert low < mean < high
    assert "random numbers from seed" in done.err


def test_costs(run):
    done = run(*COMMAND, "--target", "cost", "--cost", "1,5", "--prevalence", "0.1")
    assert "expected cost (FP 1, FN 5, prevalence 0.1) of weighted sums" in done.out
    assert "Best of all weights" not in done.out  # they are best for the area alone


def test_no_prediction_is_reported_by_the_exit_code(run):
    rows = [f"{'ill' if y else 'well'},{10 * y + a},{b}" for y, a, b in zip(*simulated(1), strict=True)]
    Path("fit.csv").write_text("\n".join(["state,svm,mlp", *rows]) + "\n")
    done = run(*COMMAND)
    assert done.code == 4
    assert "best by independent   undefined" in done.out
    assert "error: no prediction: fits[0] has no curve to combine (perfect)" in done.err


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--weights", "1,x"], "--weights must be numbers 0.5,1,2 or pairs 1:1,1:2, got '1,x'"),
        (["--weights", "1:1,2"], "--weights must be numbers 0.5,1,2 or pairs 1:1,1:2, got '1:1,2'"),
        (["--fpr", "low"], "--fpr must be a number, or two numbers LOW,HIGH, got 'low'"),
        (["--score", "third"], "fuse needs --score twice, got 3"),
    ],
)
def test_wrong_usage(run, options, message):
    done = run(*COMMAND, *options)
    assert (done.code, done.err) == (2, f"error: {message}\n")


def test_a_misspelt_column(run):
    done = run(*COMMAND[:-1], "mpl")
    assert done.code == 3
    assert (
        done.err
        == "error: fit.csv must have a column 'mpl', got 'state', 'svm', 'mlp'; did you mean 'mlp'?\n"
    )


def test_options_of_another_target(run):
    done = run(*COMMAND, "--fpr", "0.1")
    assert done.code == 2
    assert done.err == (
        "error: --fpr must be given with target 'partial-auc' or 'tpr' alone, got target 'auc'\n"
    )


@pytest.mark.parametrize(("target", "required"), [("tpr", "RATE"), ("partial-auc", "LOW,HIGH")])
def test_a_target_that_needs_a_rate(run, target, required):
    done = run(*COMMAND, "--target", target)
    assert (done.code, done.err) == (2, f"error: --target {target} needs --fpr {required}\n")


def test_reading_options():
    assert read_weights("1:-1, 2:0.5") == [[1, -1], [2, 0.5]]
    assert (read_rate("0.1"), read_rate("0,0.3")) == (0.1, (0, 0.3))
