"""A wrong value of an option is wrong usage, exit code 2: every command, every option."""

from pathlib import Path
from typing import get_args

import numpy as np
import pytest

from rocscope.cli import COMMANDS, app

pytestmark = pytest.mark.slow

FILE = ("t.csv", "--label", "y")
RIGHT = {
    "auc": (*FILE, "--score", "s"),
    "compare": (*FILE, "--score", "s", "--score", "t"),
    "points": (*FILE, "--score", "s"),
    "readers": (*FILE, "--score", "s", "--reader", "r", "--modality", "m", "--case", "c"),
    "average": (*FILE, "--score", "s", "--fold", "fold"),
    "ordinal": ("t.csv", "--label", "grade", "--score", "u"),
    "binormal": (*FILE, "--score", "s"),
    "fuse": (*FILE, "--score", "s", "--score", "t"),
    "bootstrap": (*FILE, "--model", "lda"),
    "learning-curve": (*FILE, "--model", "nb", "--n-boot", "2"),
    "montecarlo": ("--n", "4", "--trials", "2", "--n-boot", "2", "--n-test", "5"),
    "components": ("--n", "4", "--training-sets", "3", "--test-sets", "3", "--n-test", "5"),
    "algorithms": (*FILE, "--models", "nb,lda", "--folds", "3"),
    "power": ("--auc", "0.75", "--power", "0.9"),
    "report": (*FILE, "--score", "s", "--out", "t.html"),
    "app": ("--no-browser",),
    "reproduce": ("yousef", "--out", "folder"),
    "sql": ("--table", "t", "--label", "y", "--score", "s"),
    "demo": (),
}
SIZE = ("512", "all", "-1MB")
WRONG = {
    "--alternative": ("both",),
    "--at": ("5", "x"),
    "--at-fpr": ("2", "nan"),
    "--auc": ("95", "nan"),
    "--auc2": ("95",),
    "--average": ("mean",),
    "--axes": ("log",),
    "--backend": ("ray",),
    "--band-at": ("tpr",),
    "--below": ("half",),
    "--bins": ("0", "x"),
    "--bootstrap": ("basic",),
    "--cases": ("some",),
    "--class": ("9", ""),
    "--classes": ("", "a", "a,a"),
    "--closure": ("open",),
    "--compare-by": ("x", ""),
    "--corr": ("2",),
    "--cost": ("x", "1,2,3", "-1"),
    "--counts": ("s", "s,t,u,r"),
    "--covariance": ("x", "1,2", "1,2;2,1", "1/1/1"),
    "--cuts": ("all",),
    "--decimal": (";", "comma"),
    "--dialect": ("klingon",),
    "--difference": ("2", "x"),
    "--dimension": ("0", "x"),
    "--direction": ("down",),
    "--fixed": ("both",),
    "--folds": ("1", "x", "-3"),
    "--folder": ("t.csv",),
    "--format": ("xlsx",),
    "--fpr": ("0,2", "x", "0.5,0.1"),
    "--fpr-gap": ("2",),
    "--grey-zone": ("0.9", "0.9,1", "x", "0.9,nan", "0.9,0.9,0.9"),
    "--half-width": ("-1",),
    "--interval": ("wald",),
    "--learner": ("svm",),
    "--level": ("95", "nan", "x"),
    "--margin": ("-1", "0", "nan"),
    "--max-upload": SIZE,
    "--mean": ("x", "inf"),
    "--measure": ("all",),
    "--memory-limit": (*SIZE, "1MB"),
    "--method": ("all", ""),
    "--model": ("tre", "a b"),
    "--models": ("nb", "nb,tre"),
    "--n": ("1", "x", "4,4", "4.5"),
    "--n-boot": ("-5", "x"),
    "--n-jobs": ("0", "x"),
    "--n-neg": ("-3", "x"),
    "--n-pos": ("-3", "x"),
    "--n-readers": ("1", "x"),
    "--n-test": ("0", "x"),
    "--na": ("skip",),
    "--null": ("5",),
    "--objective": ("auc",),
    "--pilot": ("t.csv",),
    "--point": ("-1", "999", "x"),
    "--points": ("0", "x"),
    "--port": ("x", "-1", "70000"),
    "--power": ("95", "0"),
    "--prevalence": ("20", "-0.1", "nan"),
    "--protocol": ("loo",),
    "--range": ("1,0", "0", "x,1"),
    "--rating-corr": ("2", "x"),
    "--ratio": ("-1", "0"),
    "--readers": ("some",),
    "--repeats": ("0", "3"),
    "--rule": ("best",),
    "--scale": ("log",),
    "--scheme": ("all",),
    "--seed": ("-1", "x", "0.5"),
    "--select": ("all", "foo>=0.9", "tpr=0.9", "tpr>=x"),
    "--separation": ("-1", "x", "nan"),
    "--shard": ("4/3", "x"),
    "--show": ("all",),
    "--sizes": ("1", "x", "2.5"),
    "--target": ("f1",),
    "--temp-limit": SIZE,
    "--test": ("paired_t",),
    "--test-sets": ("2", "x"),
    "--threshold": ("x", "nan"),
    "--threshold-probability": ("3", "-1"),
    "--thresholds": ("x", "0"),
    "--timeout": ("-1", "x"),
    "--tpr": ("0,2", "x"),
    "--tpr-gap": ("2",),
    "--training-sets": ("2", "x"),
    "--trials": ("1", "x"),
    "--weight-kind": ("counts",),
    "--weights": ("x", "0:0"),
}
# Names of columns, classes, files and places: whether they are right is for the data to say.
NAMES = {"--label", "--score", "--feature", "--fold", "--sample", "--pos-label", "--out", "--save", "--data"}
NAMES |= {"--by", "--groups", "--group", "--weight"}
NAMES |= {"--sheet", "--missing", "--count", "--scheduler", "--of", "--on", "--title", "--kappa"}
NAMES |= {"--reader", "--modality", "--case", "--table", "--neg-label"}
# The same name with a free meaning in one command.
FREE = {("average", "--target"), ("fuse", "--test"), ("reproduce", "--timeout")}
# Options that need others beside them.
BESIDE = {
    ("auc", "--n-boot"): ("--method", "bootstrap"),
    ("auc", "--threshold"): ("--method", "cortes-mohri"),
    ("auc", "--classes"): ("--score", "t"),
    ("compare", "--at"): ("--method", "sensitivity"),
    ("compare", "--n-boot"): ("--method", "bootstrap"),
    ("compare", "--fpr"): ("--method", "bootstrap"),
    ("compare", "--tpr"): ("--method", "bootstrap"),
    ("points", "--n-boot"): ("--bootstrap",),
    ("power", "--auc2"): ("--corr", "0.5"),
    ("power", "--n-neg"): ("--n-pos", "5"),
    ("average", "--classes"): ("--score", "t"),
    ("ordinal", "--cost"): ("--objective", "cost"),
    ("fuse", "--fpr"): ("--target", "partial-auc"),
    ("fuse", "--cost"): ("--target", "cost"),
    ("fuse", "--prevalence"): ("--target", "cost"),
    ("montecarlo", "--n-boot"): ("--leave-pair-out",),
    ("algorithms", "--measure"): ("--show", "distribution", "--of", "nb"),
}


def options(command):
    """Options of a command that take a value."""
    known = app[command].assemble_argument_collection()
    valued = [one for one in known if bool not in (one.hint, *get_args(one.hint))]
    return [one.name for one in valued if one.name.startswith("--") and one.name not in NAMES]


CASES = [(name, option) for name in RIGHT for option in options(name) if (name, option) not in FREE]


@pytest.fixture(autouse=True)
def table(folder):
    rng = np.random.default_rng(0)
    lines = ["y,grade,s,t,u,fold,r,m,c"]
    for k in range(24):
        y, grade = k % 2, k % 3 + 1
        s, t, u = rng.normal(size=3) + np.array([y, y, grade])
        lines.append(f"{y},{grade},{s:.3f},{t:.3f},{u:.3f},{k // 2 % 3},r{k // 12},m{k // 6 % 2},c{k % 6}")
    Path("t.csv").write_text("\n".join(lines) + "\n")


def test_every_command_is_here():
    assert set(RIGHT) == set(COMMANDS) - {"study"}


@pytest.mark.parametrize(("command", "option"), CASES)
def test_wrong_values(run, command, option):
    right = list(RIGHT[command])
    if option in right:
        place = right.index(option)
        del right[place : place + 2]
    before = {path.name for path in Path().iterdir()}
    for value in WRONG[option]:
        done = run(command, *right, *BESIDE.get((command, option), ()), f"{option}={value}")
        assert (done.code, done.out) == (2, ""), (value, done.err)
        (message,) = (line for line in done.err.splitlines() if line.startswith("error: "))
        assert option in message
    assert {path.name for path in Path().iterdir()} == before
