"""Messages speak of options and columns, whichever function of the library they come from."""

import inspect
import re

import pytest
import typer

from rocscope.cli.app import app
from rocscope.cli.options import in_options, option_name, speaking_options
from rocscope.errors import RocInputError, RocUsageError

COMMANDS = {command.name: command.callback for command in app.registered_commands}


@pytest.mark.parametrize("name", list(COMMANDS))
def test_parameters_are_called_like_their_options(name):
    """So that a message about a parameter can be turned into one about its option."""
    command = typer.main.get_command(app).commands[name]
    options = [parameter for parameter in command.params if parameter.param_type_name == "option"]
    assert options
    for option in options:
        assert option_name(option.name) in option.opts


def test_help_and_types_of_a_command_stay():
    for callback in COMMANDS.values():
        assert inspect.signature(callback) == inspect.signature(inspect.unwrap(callback))
        assert callback.__doc__


@pytest.mark.parametrize(
    ("text", "given", "said"),
    [
        ("level must lie between 0 and 1, got 95", {"level": 95}, "--level must lie between 0 and 1, got 95"),
        ("n_boot must be at least 100", {"n_boot": 5}, "--n-boot must be at least 100"),
        ("fpr[0] must lie between 0 and 1", {"fpr": "2,3"}, "--fpr must lie between 0 and 1"),
        ("a constraint must read so", {"select": ["x"]}, "--select must read so"),
        ("measure must be one of tpr, got 'x'", {"select": ["x>=1"]}, "--select must be one of tpr, got 'x'"),
        (
            "one of power and n_pos must be given",
            {"wanted": 1, "n_pos": 2},
            "one of --power and --n-pos must be given",
        ),
        ("cv must be at most 5", {"folds": 9}, "--folds must be at most 5"),
        ("cv must be at most 5", {}, "cv must be at most 5"),
        ("algorithms['a.B']: no good", {"models": "a.B,nb"}, "--models a.B: no good"),
        ("scores['x'] must hold numbers", {"score": ["x", "z"]}, "--score x must hold numbers"),
        ("y_score must be finite", {"score": ["x"]}, "column 'x' must be finite"),
        ("y_score must be finite", {"score": ["x", "z"]}, "y_score must be finite"),
        ("y_true must hold 0 and 1", {"label": "state"}, "column 'state' must hold 0 and 1"),
        ("cases must be many", {"label": "state"}, "cases must be many"),
        ("score must have a column 'z'", {"file": "data/score", "score": ["z"]}, None),
        ("--level must be a number", {"level": 1}, None),
        ("more draws (n_boot) help", {"n_boot": 5}, "more draws (--n-boot) help"),
        ("more draws (n_boot) help", {}, None),
        ("ask with fast_way=True", {"fast_way": None}, "ask with --fast-way"),
        ("not asked for (fast_way=False)", {"fast_way": False}, "not asked for (--no-fast-way)"),
        ("and na='drop' (--na drop) leaves them out", {"na": "error"}, "and --na drop leaves them out"),
    ],
)
def test_in_the_words_of_options(text, given, said):
    assert in_options(text, given) == (text if said is None else said)


@pytest.mark.parametrize(
    ("raised", "kind", "said"),
    [
        (RocInputError("level must be 1"), RocUsageError, "--level must be 1"),
        (RocUsageError("level must be 1"), RocUsageError, "--level must be 1"),
        (RocInputError("t.csv must hold numbers"), RocInputError, "t.csv must hold numbers"),
        (RocInputError("scores['x'] must hold numbers"), RocInputError, "--score x must hold numbers"),
        (
            RocInputError("pos_label must be one of the labels in y, got 2"),
            RocInputError,
            "--pos-label must be one of the labels in column 'y', got 2",
        ),
    ],
)
def test_a_wrong_option_is_wrong_usage_and_the_cause_stays(raised, kind, said):
    def command(**given) -> None:
        raise raised

    with pytest.raises(RocInputError) as error:
        speaking_options(command)(level=2.0, score=["x", "z"], pos_label=2, label="y")
    assert (type(error.value), str(error.value)) == (kind, said)
    assert error.value.__cause__ is raised


AUC = ("auc", "scores.csv", "--label", "state", "--pos-label", "ill", "--score", "a")
TWO = ("scores.csv", "--label", "state", "--pos-label", "ill", "--score", "a", "--score", "b")
MODEL = ("scores.csv", "--label", "state", "--pos-label", "ill", "--feature", "a")
FAULTS = [
    (*AUC, "--level", "95"),
    (*AUC, "--method", "boot"),
    (*AUC, "--method", "bootstrap", "--n-boot", "5"),
    (*AUC, "--memory-limit", "tiny"),
    ("auc", "scores.csv", "--label", "state", "--score", "a"),
    ("auc", "scores.csv", "--label", "state", "--score", "a", "--pos-label", "sick"),
    ("compare", *TWO, "--margin", "0"),
    ("compare", *TWO, "--method", "bootstrap", "--n-boot", "5"),
    ("fuse", *TWO, "--weights", "0:0"),
    ("fuse", *TWO, "--n-boot", "5"),
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
