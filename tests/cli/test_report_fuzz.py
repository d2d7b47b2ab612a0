"""Saved results that were changed by hand: a report shows what is left of them, or says what is wrong."""

import copy
import json
import random
from pathlib import Path

import pytest

from rocscope.cli import main
from rocscope.errors import RocscopeError
from rocscope.reporting.page import page_of
from rocscope.reporting.saved import saved_results, saved_sections
from saved_commands import COMMANDS, write_cases

pytestmark = pytest.mark.slow

MUTATIONS = 12  # of the document of each command


def nested(depth):
    value = []
    for _ in range(depth):
        value = [value]
    return value


VALUES = (
    None, True, -1, 0, 3, 10**400, 0.5, -1e308, float("inf"), float("nan"), "", "inf", "</script>", "\ud800",
    [], [None], [[1.0], 2], ["a"], {}, {"type": "Estimate"}, {"type": "RocCurve"}, {"value": None},
    nested(900),
)  # fmt: skip


@pytest.fixture(scope="module")
def documents(tmp_path_factory):
    folder = tmp_path_factory.mktemp("saved")
    write_cases(folder / "cases.csv")
    found = {}
    for name, ((command, *arguments), *_) in COMMANDS.items():
        out = folder / "x.json"
        assert main([command, str(folder / "cases.csv"), *arguments, "--out", str(out), "--force"]) == 0
        found[name] = json.loads(out.read_text())
    return found


def places(value, at=()):
    """Every list and mapping with each of its keys; of a long list a few."""
    keys = list(value) if isinstance(value, dict) else list(range(len(value)))[:3]
    for key in keys:
        yield (*at, key)
        if isinstance(value[key], (dict, list)):
            yield from places(value[key], (*at, key))


def changed(document, chance):
    document = copy.deepcopy(document)
    *path, last = chance.choice(list(places(document["results"])))
    holder = document["results"]
    for key in path:
        holder = holder[key]
    if chance.random() < 0.1:
        del holder[last]
    else:
        holder[last] = chance.choice(VALUES)
    return document, (*path, last)


def shown(document):
    """The page of a document, or the words by which it is refused."""
    try:
        return page_of(saved_sections(saved_results(document)), title=None, made="")
    except RocscopeError as error:
        return str(error)


@pytest.mark.parametrize("name", COMMANDS)
def test_no_change_of_a_saved_result_is_a_fault_of_ours(documents, name):
    chance = random.Random(f"mutations of {name}")
    for _ in range(MUTATIONS):
        document, place = changed(documents[name], chance)
        try:
            shown(document)
        except Exception as error:
            pytest.fail(f"{place}: {type(error).__name__}: {error}")


def edited(documents, name, *path, value):
    document = copy.deepcopy(documents[name])
    holder = document["results"]
    *path, last = path
    for key in path:
        holder = holder[key]
    holder[last] = value
    return document


@pytest.mark.parametrize(
    ("name", "path", "value"),
    [
        ("auc", (0, "method"), None),
        ("fuse", (0, "choices", 0, "kind"), None),
        ("average", (0, "counts", 0, 0, 0, 0), -4),
        ("points again", (-1, "low"), float("inf")),
    ],
)
def test_what_is_no_result_any_more_is_shown_as_numbers(documents, name, path, value):
    assert "Saved numbers; the picture needs" in shown(edited(documents, name, *path, value=value))


def test_too_deep_a_document_is_refused(run, documents):
    Path("deep.json").write_text(json.dumps(edited(documents, "auc", 0, "method", value=nested(900))))
    done = run("report", "deep.json", "--out", "r.html")
    assert done.code == 3
    assert "nested at most 50 levels deep" in done.err
