"""`rocscope study`: status, export and refusals, also for studies that are no paper's."""

import json
from pathlib import Path

import pytest

from rocscope.run.study import Study, StudyTask, run_study


def square(k, seed):
    if k == 3:
        raise ValueError("three\nis bad")
    return k * k


def own_study(n=5):
    tasks = tuple(StudyTask(key=f"square/{k}", function=square, parameters={"k": k}) for k in range(n))
    return Study(name="own", tasks=tasks, seed=9)


def test_status(run):
    run_study(own_study(), "own")
    done = run("study", "status", "own")
    lines = [line.split() for line in done.out.splitlines()]
    assert done.code == 0
    assert lines[:5] == [["study", "own"], ["seed", "9"], ["tasks", "5"], ["done", "4"], ["failed", "1"]]
    assert done.out.splitlines()[-1] == "failed: square/3: ValueError: three"


def test_status_as_json(run):
    status = run_study(own_study(), "own")
    found = run("study", "status", "own", "--json").document
    assert (found["study"], found["tasks"], found["done"], found["failed"]) == ("own", 5, 4, 1)
    assert found["to do"] == 0
    assert found["digest"] == status.digest
    assert found["errors"] == [["square/3", "ValueError: three"]]


def test_export_of_an_own_study(run):
    run_study(own_study(), "own")
    done = run("study", "export", "own")
    assert done.out == f"wrote {Path('own/results.jsonl')}: 4 results\n"
    lines = [json.loads(line) for line in Path("own/results.jsonl").read_text().splitlines()]
    assert lines[1] == {"key": "square/1", "value": 1}


def test_an_own_study_goes_on_where_it_was_made(run):
    run_study(own_study(), "own")
    done = run("study", "resume", "own")
    said = "study must be one of `rocscope reproduce`, got 'own': run it where it was made"
    assert (done.code, done.err) == (3, f"error: {said}\n")


def test_no_study(run):
    done = run("study", "status", "none")
    assert (done.code, done.err) == (3, "error: none must be the folder of a study, got none\n")
    Path("empty").mkdir()
    for command in ("status", "resume", "export"):
        done = run("study", command, "empty")
        assert (done.code, done.err) == (3, "error: empty must hold the journal of a study, got none\n")


def test_a_file_that_is_no_journal(run):
    Path("bad").mkdir()
    Path("bad/journal.jsonl").write_text("this is no journal")
    done = run("study", "status", "bad")
    assert done.code == 5
    assert "cannot be used" in done.err


@pytest.mark.parametrize("command", ["status", "export"])
def test_a_damaged_journal_is_refused(run, command):
    run_study(own_study(), "own")
    journal = Path("own/journal.jsonl")
    journal.write_text(journal.read_text().replace('["square/4", 16', '["square/4", 17'))
    done = run("study", command, "own")
    lines = [number for number, line in enumerate(journal.read_text().splitlines(), 1) if "square/4" in line]
    how = f"first that in line {lines[0]}; move it away and run the study again"
    said = f"{journal} cannot be used: 1 of its results are damaged, {how}"
    assert (done.code, done.out, done.err) == (5, "", f"error: {said}\n")
    assert not Path("own/results.jsonl").exists()
