"""What every command saves as JSON becomes a section with a picture, a reading and a table in words."""

import json
from pathlib import Path

import pytest

from report_pages import Parsed
from saved_commands import COMMANDS, write_cases

pytestmark = pytest.mark.slow


@pytest.fixture(autouse=True)
def _cases(folder):
    write_cases(folder / "cases.csv")


def shown(run, *files):
    done = run("report", *files, "--out", "r.html")
    assert (done.code, done.err) == (0, "")
    return Parsed(Path("r.html").read_text(encoding="utf-8"))


@pytest.mark.parametrize("name", COMMANDS)
def test_what_a_command_saved_comes_back(run, name):
    (command, *arguments), titles, words = COMMANDS[name]
    assert run(command, "cases.csv", *arguments, "--out", "x.json").code == 0
    found = shown(run, "x.json")
    assert found.titles == titles
    assert words in " ".join(found.readings)
    heads = [one.text for one in found.all("th")]
    assert [text for text in heads if "_" in text or text in ("reason", "se", "status")] == []
    drawn = [key for key in found.data if key.endswith(("-figures-data", "-data")) and key != "page-data"]
    assert drawn
    assert not any("Saved numbers" in one.text for one in found.all("p"))


def test_printed_json_is_read_like_written_json(run):
    (command, *arguments), titles, _ = COMMANDS["points"]
    Path("x.json").write_text(run(command, "cases.csv", *arguments, "--json").out)
    assert shown(run, "x.json").titles == titles


def test_a_plan_has_no_picture_but_a_sentence_and_its_numbers(run):
    run("power", "--auc", "0.75", "--power", "0.9", "--out", "plan.json")
    found = shown(run, "plan.json")
    plan = json.loads(Path("plan.json").read_text())["results"][0]
    assert found.titles == ["Study plan"]
    assert f"{plan['n_pos']} positive and {plan['n_neg']} negative cases" in found.readings[0]
    rows = [one.text for one in found.all("th", scope="row")]
    assert rows[:3] == ["question", "positive cases", "negative cases"]


def test_saved_results_stand_beside_a_table(run):
    (command, *arguments), titles, _ = COMMANDS["bootstrap"]
    run(command, "cases.csv", *arguments, "--out", "x.json")
    options = ("--label", "y", "--score", "s", "--n-boot", "100", "--seed", "1", "--out", "r.html")
    assert run("report", "cases.csv", "x.json", *options).code == 0
    found = Parsed(Path("r.html").read_text(encoding="utf-8"))
    assert found.titles[0] == "Summary"
    assert found.titles[-2:] == [*titles, "What this report does not show, and why"]
    assert "From cases.csv, x.json, random numbers" in found.all("p", **{"class": "made"})[0].text


def test_the_numbers_of_a_choice_are_those_that_were_saved(run):
    (command, *arguments), *_ = COMMANDS["average"]
    run(command, "cases.csv", *arguments, "--out", "x.json")
    _, chosen, _ = json.loads(Path("x.json").read_text())["results"]
    found = shown(run, "x.json")
    reading = found.readings[-1]
    assert reading.startswith(f"Point {chosen['index']} (threshold {chosen['point']['threshold']:.4f})")
    assert f"TPR {chosen['mean']['tpr']:.4f} (standard error {chosen['sem']['tpr']:.4f})" in reading


def test_models_of_one_kind_are_described_apart_by_their_names(run):
    (command, *arguments), *_ = COMMANDS["bootstrap"]
    for model in ("lda", "nb"):
        changed = [model if part == "lda" else part for part in arguments]
        run(command, "cases.csv", *changed, "--out", f"{model}.json")
    assert shown(run, "lda.json", "nb.json").titles == ["Bootstrap estimates: lda", "Bootstrap estimates: nb"]
