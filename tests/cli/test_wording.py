"""Messages speak of options and columns, whichever function of the library they come from."""

import re

import pytest

from rocscope import cli
from rocscope.errors import RocInputError, RocUsageError

OPTIONS = {
    name: f"--{name.replace('_', '-')}" for name in ("level", "n_boot", "fpr", "folds", "models", "power")
}
VALUES = {"label": "state", "score": ["x"]}


@pytest.mark.parametrize("name", cli.COMMANDS)
def test_every_command_has_help_and_each_option_its_text(run, name):
    done = run(name, "--help")
    assert done.code == 0
    lines = done.out.partition("Examples:")[0].splitlines()
    for k, line in enumerate(lines):
        if re.match(r"  --[a-z]", line):
            assert lines[k + 1].startswith("      "), line


@pytest.mark.parametrize(
    ("argument", "subject"),
    [
        ("level", "--level"),
        ("n_boot", "--n-boot"),
        ("fpr[0]", "--fpr"),
        ("cv", "--folds"),
        ("algorithms['a.B']", "--models a.B"),
        ("scores['x']", "column 'x'"),
        ("y_score", "column 'x'"),
        ("y_true", "column 'state'"),
        ("y", "column 'state'"),
        ("X", "X"),
        (("power", "level"), "one of --power and --level"),
    ],
)
@pytest.mark.parametrize("data_dependent", [False, True])
def test_options_and_columns_in_place_of_arguments(argument, subject, data_dependent):
    raised = RocInputError("must be 1, got 2", argument=argument, data_dependent=data_dependent)
    error = cli._in_options(raised, OPTIONS, VALUES)
    wrong_usage = "--" in subject and not data_dependent
    assert (type(error), str(error)) == (
        RocUsageError if wrong_usage else RocInputError,
        f"{subject} must be 1, got 2",
    )


def test_several_columns_are_all_named():
    raised = RocInputError("must hold numbers", argument="y_score")
    assert str(cli._in_options(raised, {}, {"score": ["x", "z"]})) == "columns 'x', 'z' must hold numbers"


AUC = ("auc", "scores.csv", "--label", "state", "--pos-label", "ill", "--score", "a")
TWO = ("scores.csv", "--label", "state", "--pos-label", "ill", "--score", "a", "--score", "b")
MODEL = ("scores.csv", "--label", "state", "--pos-label", "ill", "--feature", "a")
FAULTS = [
    (*AUC, "--level", "95"),
    (*AUC, "--method", "boot"),
    (*AUC, "--method", "bootstrap", "--n-boot", "0"),
    (*AUC, "--memory-limit", "tiny"),
    ("auc", "scores.csv", "--label", "state", "--score", "a"),
    ("auc", "scores.csv", "--label", "state", "--score", "a", "--pos-label", "sick"),
    ("compare", *TWO, "--margin", "0"),
    ("compare", *TWO, "--method", "bootstrap", "--n-boot", "0"),
    ("fuse", *TWO, "--weights", "0:0"),
    ("fuse", *TWO, "--n-boot", "-1"),
    ("bootstrap", *MODEL, "--model", "lda", "--n-boot", "0"),
    ("bootstrap", *MODEL, "--model", "lda", "--folds", "99"),
    ("bootstrap", *MODEL, "--model", "lda", "--n-jobs", "0"),
    ("algorithms", *MODEL, "--models", "lda,nb", "--folds", "99"),
    ("algorithms", *MODEL, "--models", "lda,nb", "--folds", "2", "--repeats", "3"),
    ("algorithms", *MODEL, "--models", "lda,nbb"),
    ("average", *MODEL, "--model", "lda", "--folds", "99"),
    ("power", "--auc", "2", "--power", "0.9"),
    ("power", "--auc", "0.75", "--power", "2"),
]


@pytest.mark.parametrize("arguments", FAULTS, ids=" ".join)
def test_no_message_names_an_argument(run, arguments):
    done = run(*arguments)
    assert done.code in (2, 3)
    assert re.match(r"error: (--[a-z-]+|column '\w+') must ", done.err)
    assert not re.search(r"\b(None|True|False|\w+_\w+|cv)\b", done.err.partition(", got")[0])
