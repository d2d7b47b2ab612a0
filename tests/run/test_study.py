"""Studies: seeds, journals, resumption, kills, shards, locks, and the same digest everywhere."""

import errno
import os
import random
import shutil
import signal
import subprocess
import sys
import threading
import time
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

sys.path.insert(0, str(Path(__file__).parent))

import tasks
from run_study import make_study

from rocscope.core.execution import Outcome, call
from rocscope.errors import ResourceError, RocInputError
from rocscope.run import journal as journals
from rocscope.run.journal import Journal, digest_of_rows
from rocscope.run.study import (
    Shard,
    Study,
    StudyTask,
    is_running,
    look_at_study,
    merge_shards,
    open_journal,
    run_study,
    together,
)

SCRIPT = Path(__file__).parent / "run_study.py"
JOURNAL = "journal.jsonl"


def quick(n=20, seed=1, **parameters):
    """A study whose tasks take no time."""
    made = tuple(StudyTask(key=f"draw/{k}", function=tasks.draw, parameters={"k": k}) for k in range(n))
    return Study(name="quick", tasks=made, seed=seed, parameters=parameters)


def test_results_are_recorded_and_not_done_twice(tmp_path):
    first = run_study(quick(), tmp_path)
    assert (first.done, first.failed, first.is_complete) == (20, 0, True)
    seen = []
    again = run_study(quick(), tmp_path, progress=lambda done, total: seen.append((done, total)))
    assert seen == [(20, 20)]
    assert again.digest == first.digest
    with closing(Journal.look(tmp_path / JOURNAL)) as journal:
        results = dict(journal.results())
    assert results["draw/7"]["k"] == 7


def test_seed_belongs_to_the_key_not_to_the_order(tmp_path):
    forward, backward = quick(), quick()
    backward = Study(name="quick", tasks=backward.tasks[::-1], seed=1)
    one, two = run_study(forward, tmp_path / "a"), run_study(backward, tmp_path / "b", n_jobs=2)
    assert one.digest == two.digest
    assert run_study(quick(seed=2), tmp_path / "c").digest != one.digest


def test_other_parameters_are_refused(tmp_path):
    run_study(quick(size=3), tmp_path)
    with pytest.raises(RocInputError) as caught:
        run_study(quick(size=4), tmp_path)
    assert "size is 3 there, 4 here; take another folder" in str(caught.value)
    with pytest.raises(RocInputError, match="n_tasks is 20 there, 5 here"):
        run_study(quick(n=5, size=3), tmp_path)


def summing(factor=1.0, big=None):
    """Tasks with parameters and data that they share."""
    made = tuple(
        StudyTask(
            key=f"sum/{k}",
            function=tasks.other_total if factor is None else tasks.total,
            parameters={"k": k * (factor or 1.0), "seconds": 0.0},
            shared=("big",),
        )
        for k in range(3)
    )
    return Study(name="sums", tasks=made, shared={"big": np.arange(4.0) if big is None else big})


def test_other_functions_parameters_and_data_are_refused(tmp_path):
    run_study(summing(), tmp_path)
    assert run_study(summing(), tmp_path).is_complete
    for other in (summing(factor=2.0), summing(factor=None)):
        with pytest.raises(
            RocInputError, match="other parameters: the tasks are others; take another folder"
        ):
            run_study(other, tmp_path)
    with pytest.raises(RocInputError, match="other parameters: the data are others; take another folder"):
        run_study(summing(big=np.arange(5.0)), tmp_path)


def test_places_do_not_count(tmp_path):
    def noting(ledger):
        one = StudyTask(
            key="one",
            function=tasks.note,
            parameters={"k": 1, "seconds": 0.0},
            local={"ledger": str(tmp_path / ledger)},
        )
        return Study(name="noting", tasks=(one,))

    first = run_study(noting("here"), tmp_path / "journal")
    assert run_study(noting("there"), tmp_path / "journal").digest == first.digest
    assert not (tmp_path / "there").exists()


def test_what_json_cannot_hold_is_a_failed_task(tmp_path):
    made = tuple(StudyTask(key=str(k), function=tasks.odd, parameters={"k": k}) for k in range(6))
    status = run_study(Study(name="odd", tasks=made), tmp_path)
    assert status.errors == (
        ("1", "TypeError: the result cannot be kept: JSON has no form for a value of type object"),
        ("2", "TypeError: the result cannot be kept: JSON has no form for a value of type set"),
    )
    with closing(Journal.look(tmp_path / JOURNAL)) as journal:
        assert dict(journal.results()) == {"0": 1.0, "3": None, "4": "\ud800", "5": {"a": [1, 2]}}


def test_an_error_of_any_characters_is_kept(tmp_path):
    study = Study(name="odd", tasks=(StudyTask(key="a", function=tasks.complain, parameters={"k": 1}),))
    assert run_study(study, tmp_path).errors == (("a", "ValueError: half a character: \\ud800"),)


def odd_study(parameters=None, shared=None, names=(), study_parameters=None):
    one = StudyTask(key="a", function=tasks.draw, parameters=parameters or {"k": 1}, shared=names)
    return Study(name="odd", tasks=(one,), shared=shared or {}, parameters=study_parameters or {})


@pytest.mark.parametrize(
    ("study", "message"),
    [
        (
            odd_study(parameters={"k": threading.Lock()}),
            "task 'a' must be what pickle can hold: cannot pickle '_thread.lock' object",
        ),
        (
            odd_study(shared={"x": threading.Lock()}, names=("x",)),
            "shared 'x' must be what pickle can hold: cannot pickle '_thread.lock' object",
        ),
        (
            odd_study(shared={"x": 1, "y": 2}, names=("z",)),
            "shared of task 'a' must be names of the study's data ('x', 'y'), got 'z'",
        ),
        (
            odd_study(study_parameters={"size": object()}),
            "parameters of a study must be what JSON can hold: JSON has no form for a value of type object",
        ),
    ],
)
def test_what_a_study_cannot_be_made_of_is_refused(tmp_path, study, message):
    with pytest.raises(RocInputError) as caught:
        run_study(study, tmp_path / "study")
    assert str(caught.value) == message
    assert not (tmp_path / "study").exists()


def test_the_folder_must_be_a_path():
    with pytest.raises(RocInputError, match="path must be that of a folder, got 5"):
        run_study(quick(), 5)


@pytest.mark.parametrize("key", ["\ud800", "a\nb", "\x00", 5, None])
def test_keys_must_be_printable(tmp_path, key):
    study = Study(name="odd", tasks=(StudyTask(key=key, function=tasks.draw, parameters={"k": 1}),))
    with pytest.raises(RocInputError, match="keys of tasks must be printable text"):
        run_study(study, tmp_path)


def flip(text, number=4):
    """Change a character of one line, the manifest being number 0."""
    lines = text.splitlines(keepends=True)
    middle = len(lines[number]) // 2
    other = "0" if lines[number][middle] != "0" else "1"
    lines[number] = lines[number][:middle] + other + lines[number][middle + 1 :]
    return "".join(lines)


@pytest.mark.parametrize(
    ("damage", "message"),
    [
        (lambda text: flip(text, 0), "its first line is not that of a journal"),
        (lambda text: text.replace(text[:32], "0" * 32), "its first line is not that of a journal"),
        (lambda text: text.split("\n", 1)[1], "its first line is not that of a journal"),
        (lambda text: "half a line", "its first line is not that of a journal"),
        (flip, "1 of its results are damaged, first that in line 5"),
        (lambda text: flip(flip(text), 7), "2 of its results are damaged, first that in line 5"),
        (lambda text: flip(text, 20), "1 of its results are damaged, first that in line 21"),
        (lambda text: text + "\n", "1 of its results are damaged, first that in line 22"),
    ],
)
def test_a_damaged_journal_is_refused_and_left_as_it_is(tmp_path, damage, message):
    run_study(quick(), tmp_path)
    path = tmp_path / JOURNAL
    damaged = damage(path.read_text())
    path.write_text(damaged)
    whole = f"{path} cannot be used: {message}; move it away and run the study again"
    with pytest.raises(ResourceError) as caught:
        list(Journal.look(path).results())
    assert str(caught.value) == whole
    with pytest.raises(ResourceError) as caught:
        run_study(quick(), tmp_path)
    assert str(caught.value) == whole
    assert path.read_text() == damaged


def test_a_line_that_is_missing_is_done_again(tmp_path):
    first = run_study(quick(), tmp_path)
    path = tmp_path / JOURNAL
    lines = path.read_text().splitlines(keepends=True)
    path.write_text("".join(lines[:4] + lines[6:]))
    ran = []
    assert run_study(quick(), tmp_path, executor=Noting(ran)).digest == first.digest
    assert len(ran) == 2


def test_a_row_of_another_study_is_refused(tmp_path):
    """Its own checksum is right, but not for this journal."""
    for seed in (1, 2):
        run_study(quick(seed=seed), tmp_path / str(seed))
    one, two = (tmp_path / str(seed) / JOURNAL for seed in (1, 2))
    one.write_text(one.read_text() + two.read_text().splitlines(keepends=True)[3])
    with pytest.raises(ResourceError, match="1 of its results are damaged, first that in line 22"):
        run_study(quick(seed=1), tmp_path / "1")


def test_an_empty_journal_is_begun_anew(tmp_path):
    first = run_study(quick(), tmp_path)
    (tmp_path / JOURNAL).write_bytes(b"")
    assert run_study(quick(), tmp_path).digest == first.digest


def test_what_was_not_written_to_its_end_is_done_again(tmp_path):
    """A journal that ends in the midst of a line is what kill -9 leaves."""
    whole = run_study(quick(), tmp_path)
    path = tmp_path / JOURNAL
    path.write_bytes(path.read_bytes()[:-1])
    ran = []
    assert run_study(quick(), tmp_path, executor=Noting(ran)).digest == whole.digest
    assert len(ran) == 1
    assert len(path.read_text().splitlines()) == 21


def test_digests_do_not_depend_on_the_form_of_the_journal(tmp_path):
    """That of a run before journals had checksums."""
    before = "b20485ed7a3dc5af4d6cf57f00f24a33a6d1aa53a8b76daabfb2e86e43062a90"
    assert run_study(quick(), tmp_path).digest == before


def test_a_shard_takes_over_what_the_folder_holds(tmp_path):
    ran = []
    run_study(quick(30), tmp_path)
    for shard in (Shard(1, 2), Shard(2, 5)):
        status = run_study(quick(30), tmp_path, shard=shard, executor=Noting(ran))
        assert status.is_complete
    assert ran == []
    other = tmp_path / "other"
    run_study(quick(30), other, shard=Shard(1, 2), executor=Noting(ran))
    run_study(quick(30), other, shard=Shard(1, 3), executor=Noting(ran))
    run_study(quick(30), other, executor=Noting(ran))
    assert sorted(ran) == sorted(f"draw/{k}" for k in range(30))


def test_what_two_journals_hold_counts_once(tmp_path):
    whole = run_study(quick(30), tmp_path)
    run_study(quick(30), tmp_path, shard=Shard(1, 2))
    held = look_at_study(tmp_path)
    rows = together(held)
    assert sum(len(journal.rows()) for journal in held) > 30
    assert len(rows) == 30
    assert sum(row.seconds for row in rows.values()) == pytest.approx(whole.seconds)
    assert digest_of_rows(rows.values()) == whole.digest


def test_failed_task_is_kept_with_its_error_and_can_be_retried(tmp_path):
    made = tuple(
        StudyTask(key=str(k), function=tasks.fail_on, parameters={"k": k, "bad": 2}) for k in range(4)
    )
    study = Study(name="failing", tasks=made)
    status = run_study(study, tmp_path)
    assert (status.done, status.failed) == (3, 1)
    assert status.errors == (("2", "ValueError: 2 is bad"),)
    assert "1 failed" in str(status)
    assert run_study(study, tmp_path).failed == 1
    seen = []
    run_study(study, tmp_path, retry_failed=True, progress=lambda done, total: seen.append(done))
    assert seen == [3, 4]


@pytest.mark.posix
def test_killed_worker_costs_its_task_one_more_try(tmp_path):
    marker = str(tmp_path / "marker")
    made = tuple(
        StudyTask(key=str(k), function=tasks.die_once, parameters={"k": k, "marker": marker})
        for k in range(6)
    )
    status = run_study(Study(name="dying", tasks=made), tmp_path / "journal", n_jobs=2)
    assert (status.done, status.failed) == (6, 0)


def test_shards_merge_to_the_whole(tmp_path):
    whole = run_study(quick(30), tmp_path / "whole")
    totals = [run_study(quick(30), tmp_path / "parts", shard=Shard(i, 3)).total for i in (1, 2, 3)]
    assert sum(totals) == 30
    with closing(merge_shards(tmp_path / "parts")) as merged:
        assert merged.digest() == whole.digest
    assert run_study(quick(30), tmp_path / "parts").digest == whole.digest


def test_a_folder_takes_shards_of_one_study_only(tmp_path):
    run_study(quick(9, seed=1), tmp_path, shard=Shard(1, 2))
    with pytest.raises(RocInputError, match="other parameters: seed is 1 there, 2 here; take another folder"):
        run_study(quick(9, seed=2), tmp_path, shard=Shard(2, 2))
    with pytest.raises(RocInputError, match="name is 'quick' there, 'bulky' here"):
        run_study(bulky(9), tmp_path)
    # Neither left a journal behind.
    assert [path.name for path in tmp_path.glob("*.jsonl")] == ["journal-1-of-2.jsonl"]
    assert run_study(quick(9, seed=1), tmp_path, shard=Shard(2, 2)).is_complete


def test_shards_of_different_studies_copied_together_do_not_merge(tmp_path):
    for seed in (1, 2):
        run_study(quick(9, seed=seed), tmp_path / str(seed), shard=Shard(seed, 2))
        name = f"journal-{seed}-of-2.jsonl"
        shutil.copy(tmp_path / str(seed) / name, tmp_path / name)
    said = "got journal-2-of-2.jsonl beside journal-1-of-2.jsonl: seed is 2 there, 1 here; move one"
    with pytest.raises(RocInputError, match=said):
        merge_shards(tmp_path)


def test_shards_run_beside_each_other_but_not_beside_the_whole(tmp_path):
    study = quick(30)
    with closing(open_journal(tmp_path, study.manifest(), Shard(1, 3))):
        assert run_study(study, tmp_path, shard=Shard(2, 3)).is_complete
        with pytest.raises(RocInputError, match="is in use by another run"):
            run_study(study, tmp_path, shard=Shard(1, 3))
        with pytest.raises(RocInputError, match="is in use by another run: wait for it, or end it"):
            run_study(study, tmp_path)
        assert is_running(tmp_path)
    assert not is_running(tmp_path)
    with (
        closing(open_journal(tmp_path, study.manifest())),
        pytest.raises(RocInputError, match="another run"),
    ):
        run_study(study, tmp_path, shard=Shard(3, 3))


def test_a_journal_that_could_not_be_made_is_not_there(tmp_path, monkeypatch):
    monkeypatch.setattr(journals.os, "fsync", full)
    with pytest.raises(ResourceError, match=r"journal\.jsonl cannot be used: No space left on device"):
        run_study(quick(), tmp_path)
    assert list(tmp_path.iterdir()) == []
    monkeypatch.undo()
    assert run_study(quick(), tmp_path).is_complete


def full(*_):
    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


def test_any_name_of_a_folder_will_do(tmp_path):
    folder = tmp_path / "50% of #1? ü"
    first = run_study(quick(), folder)
    with closing(Journal.look(folder / JOURNAL)) as journal:
        assert journal.digest() == first.digest


def test_order_of_tasks_is_mixed_and_always_the_same(tmp_path):
    orders = []
    for place in ("a", "b"):
        seen = []
        run_study(quick(40), tmp_path / place, executor=Noting(seen))
        orders.append(seen)
    assert orders[0] == orders[1] != sorted(orders[0], key=lambda key: int(key.split("/")[1]))


class Noting:
    """Runs tasks here, and notes their order."""

    def __init__(self, seen):
        self.seen, self.tasks = seen, []

    def submit(self, task):
        self.tasks.append(task)

    def as_completed(self):
        for task in self.tasks:
            self.seen.append(task.key)
            yield call(task)


def test_preparation_comes_once_and_only_where_there_is_work(tmp_path):
    calls = []
    study = replace(quick(), prepare=lambda: calls.append(1))
    run_study(study, tmp_path)
    run_study(study, tmp_path)
    assert calls == [1]


@pytest.mark.parametrize(
    "text", ["0/3", "4/3", "1", "a/b", "-1/2", "1/0", "1/3 ", f"1/1{'0' * 5000}", None, 1.5]
)
def test_shard_must_be_one_of_n(tmp_path, text):
    with pytest.raises(RocInputError, match="shard must be I/N with I from 1 to N"):
        Shard.read(text)
    with pytest.raises(RocInputError, match="shard must be I/N with I from 1 to N"):
        run_study(quick(), tmp_path / "study", shard=text)
    assert not (tmp_path / "study").exists()


@pytest.mark.parametrize("numbers", [(0, 3), (4, 3), (1, 0), (1.0, 3), ("1", "3"), (None, None), (True, 3)])
def test_a_shard_cannot_be_made_of_other_numbers(numbers):
    with pytest.raises(RocInputError, match="shard must be I/N with I from 1 to N, got"):
        Shard(*numbers)


def test_a_shard_may_be_text(tmp_path):
    totals = [run_study(quick(30), tmp_path / "text", shard=f"{k}/3").total for k in (1, 2, 3)]
    assert totals == [run_study(quick(30), tmp_path / "shards", shard=Shard(k, 3)).total for k in (1, 2, 3)]
    assert run_study(quick(30), tmp_path / "text", executor=Noting([])).is_complete


# Links: nothing outside the folder of a study is written


def test_a_link_in_the_folder_is_refused_and_what_it_points_to_stays(tmp_path):
    victim = tmp_path / "victim"
    victim.write_text("")
    folder = tmp_path / "study"
    folder.mkdir()
    link = folder / "journal-1-of-2.jsonl"
    link.symlink_to(victim)
    with pytest.raises(ResourceError) as caught:
        run_study(quick(), folder, shard="1/2")
    assert str(caught.value) == f"{link} cannot be written: it is a link, or not a file"
    assert victim.read_text() == ""
    assert not is_running(folder)


def test_a_link_to_nothing_makes_no_file(tmp_path):
    folder = tmp_path / "study"
    folder.mkdir()
    (folder / JOURNAL).symlink_to(tmp_path / "victim")
    with pytest.raises(ResourceError, match="cannot be written: it is a link"):
        run_study(quick(), folder)
    assert not (tmp_path / "victim").exists()


def test_a_folder_may_be_a_link(tmp_path):
    (tmp_path / "disk").mkdir()
    (tmp_path / "study").symlink_to(tmp_path / "disk")
    assert run_study(quick(), tmp_path / "study").is_complete
    assert (tmp_path / "disk" / JOURNAL).is_file()


@pytest.mark.posix
def test_a_pipe_in_place_of_the_journal_is_refused(tmp_path):
    os.mkfifo(tmp_path / JOURNAL)
    assert not is_running(tmp_path)
    with pytest.raises(ResourceError, match=r"journal\.jsonl cannot be written: it is a link, or not a file"):
        run_study(quick(), tmp_path)


def test_second_process_is_refused_and_the_lock_dies_with_its_holder(tmp_path):
    holder = open_journal(tmp_path, quick().manifest())
    with (
        closing(holder),
        pytest.raises(RocInputError, match="is in use by another run: wait for it, or end it"),
    ):
        run_study(quick(), tmp_path)
    assert run_study(quick(), tmp_path).done == 20


N_TASKS, N_JOBS = 90, 2
# A kill costs what is in hand: tasks under way, and outcomes that wait to be recorded.
LOST = 2 * N_JOBS


def start(folder):
    return subprocess.Popen(
        [sys.executable, str(SCRIPT), str(folder), str(N_TASKS), str(N_JOBS)],
        stdout=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )


def children(pid):
    """Processes of the group that are still there, without its leader."""
    found = subprocess.run(["ps", "-o", "pid=", "-g", str(pid)], capture_output=True, text=True).stdout
    return [int(word) for word in found.split() if int(word) != pid]


def wait_for(condition, seconds=60.0):
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.01)


def kill(process, kind):
    """Kill a worker, and the process when a new one is at work; or the process, alone or with its group."""
    if kind == "worker":
        os.kill(children(process.pid)[-1], signal.SIGKILL)
        time.sleep(0.3)
        process.kill()
    elif kind == "group":
        os.killpg(process.pid, signal.SIGKILL)
    else:
        process.kill()
    process.communicate()


def kill_round(folder, kind, expected):
    """Start, kill when so many results are there, and look at what is left."""
    begun, noted = keys_of(folder), len(ledger_of(folder))
    process = start(folder)
    wait_for(lambda: len(keys_of(folder)) >= expected)
    before = keys_of(folder)
    kill(process, kind)
    wait_for(lambda: not children(process.pid))
    after, done = keys_of(folder), ledger_of(folder)[noted:]
    assert begun <= before <= after
    assert len(after) < N_TASKS
    # Nothing that was recorded is done again, and little that was done is not recorded.
    assert not begun & set(done)
    assert len(set(done) - after) <= LOST


def keys_of(folder):
    path = Path(folder) / JOURNAL
    if not path.exists() or not path.stat().st_size:  # the run that makes it has not written its first line
        return set()
    with closing(Journal.look(path)) as journal:
        return journal.keys(failed=True)


def ledger_of(folder):
    ledger = Path(f"{folder}.ledger")
    return [f"note/{line}" for line in ledger.read_text().split()] if ledger.exists() else []


@pytest.mark.posix
@pytest.mark.slow
def test_killed_at_any_moment_the_study_ends_the_same(tmp_path):
    folder = tmp_path / "killed"
    rng = random.Random(1)
    for number, kind in enumerate(("process", "group", "worker")):
        kill_round(folder, kind, expected=20 * number + rng.randint(1, 15))
    digest = start(folder).communicate(timeout=120)[0].strip()
    reference = run_study(make_study(N_TASKS, tmp_path / "ledger"), tmp_path / "reference")
    assert digest == reference.digest
    assert len(ledger_of(folder)) <= N_TASKS + 3 * LOST
    assert len(Journal.look(folder / JOURNAL).rows()) == N_TASKS


@pytest.mark.posix
def test_read_only_folder_is_a_clean_error(tmp_path):
    if os.geteuid() == 0:
        target = Path("/proc/rocscope")
    else:
        target = tmp_path / "closed"
        target.mkdir(mode=0o500)
    with pytest.raises(ResourceError, match="cannot be"):
        run_study(quick(), target / "study")


def test_full_disk_ends_a_study_that_goes_on_when_there_is_room(tmp_path, monkeypatch):
    """A limit of the size of files stands for the disk: it ends a line in its midst."""
    resource = pytest.importorskip("resource")
    monkeypatch.setattr(sys, "dont_write_bytecode", True)  # half a compiled module would stay behind
    whole = run_study(bulky(60), tmp_path / "whole")
    limits, handler = resource.getrlimit(resource.RLIMIT_FSIZE), signal.getsignal(signal.SIGXFSZ)
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (20_001, limits[1]))
    try:
        with pytest.raises(ResourceError, match=r"journal\.jsonl cannot be used: File too large"):
            run_study(bulky(60), tmp_path / "full")
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
        signal.signal(signal.SIGXFSZ, handler)
    content = (tmp_path / "full" / JOURNAL).read_bytes()
    assert len(content) == 20_001
    assert not content.endswith(b"\n")
    assert run_study(bulky(60), tmp_path / "full").digest == whole.digest


def bulky(n):
    made = tuple(StudyTask(key=f"bulk/{k}", function=tasks.bulk, parameters={"k": k}) for k in range(n))
    return Study(name="bulky", tasks=made)


def test_journal_that_vanishes_is_an_error(tmp_path):
    def remove(done, total):
        (tmp_path / JOURNAL).unlink(missing_ok=True)

    with pytest.raises(ResourceError, match="it was removed while the study was running"):
        run_study(quick(), tmp_path, progress=remove)


def test_interrupted_study_ends_the_same(tmp_path):
    def interrupt(done, total):
        if done == 7:
            raise KeyboardInterrupt

    whole = run_study(quick(), tmp_path / "whole")
    with pytest.raises(KeyboardInterrupt):
        run_study(quick(), tmp_path / "broken", progress=interrupt)
    seen = []
    again = run_study(quick(), tmp_path / "broken", progress=lambda done, total: seen.append(done))
    assert seen[0] == 7
    assert again.digest == whole.digest


@pytest.mark.slow
def test_hanging_task_fails_alone(tmp_path):
    made = tuple(
        StudyTask(key=str(k), function=tasks.draw, parameters={"k": k, "seconds": 60.0 * (k == 1)})
        for k in range(3)
    )
    status = run_study(Study(name="hanging", tasks=made), tmp_path, timeout=1.0)
    assert (status.done, status.failed) == (2, 1)
    assert status.errors[0][1].startswith("TimeoutError: no result within 1 s")


def test_merging_keeps_a_result_that_a_shard_failed_to_get(tmp_path):
    manifest = quick(1).manifest()
    with closing(open_journal(tmp_path, manifest)) as whole:
        whole.record(Outcome(key="draw/0", value=1.0))
        whole.flush()
    with closing(open_journal(tmp_path, manifest, Shard(1, 2))) as shard:
        shard.record(Outcome(key="draw/0", error="ValueError: no"))
        shard.flush()
    with closing(merge_shards(tmp_path)) as merged:
        assert dict(merged.results()) == {"draw/0": 1.0}
    with closing(open_journal(tmp_path / "other", manifest)) as other:
        other.record(Outcome(key="draw/0", error="ValueError: no"))
        other.flush()
        with closing(Journal.look(tmp_path / JOURNAL)) as good:
            other.copy_from(good)
        assert dict(other.results()) == {"draw/0": 1.0}


def test_no_journal_is_said(tmp_path):
    with pytest.raises(ResourceError, match="cannot be used"):
        Journal.look(tmp_path / "none.jsonl")
    with pytest.raises(RocInputError, match="must hold journals of shards, got none"):
        merge_shards(tmp_path)


def test_a_journal_that_has_not_begun_is_said(tmp_path):
    """Another process may look between the making of the file and its first line."""
    path = tmp_path / JOURNAL
    path.touch()
    with pytest.raises(ResourceError) as caught:
        Journal.look(path)
    assert str(caught.value) == f"{path} is empty: its study has not begun; run it, or wait for it"
    assert run_study(quick(), tmp_path).digest == run_study(quick(), tmp_path / "other").digest


def test_keys_must_differ(tmp_path):
    twice = StudyTask(key="a", function=tasks.draw, parameters={"k": 1})
    with pytest.raises(RocInputError, match="tasks must have distinct keys, got 'a' more than once"):
        run_study(Study(name="twice", tasks=(twice, twice)), tmp_path)
