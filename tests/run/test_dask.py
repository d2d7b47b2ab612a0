"""The dask executor: the same digest as here, also when a worker is killed on the way."""

import os
import signal
import sys
import threading
import time
from pathlib import Path

import numpy as np
import pytest
from sklearn.naive_bayes import GaussianNB

sys.path.insert(0, str(Path(__file__).parent))

import tasks

from rocscope.core.execution import Task, run_tasks
from rocscope.errors import ResourceError, RocInputError
from rocscope.run import dask_executor
from rocscope.run.dask_executor import DaskExecutor, Packer
from rocscope.run.journal import Journal
from rocscope.run.study import Study, StudyTask, run_study
from rocscope.training.cross_scores import cross_scores

pytest.importorskip("distributed", reason="the dask backend is an extra")


def drawing(n, seconds=0.0):
    made = tuple(
        StudyTask(key=f"draw/{k}", function=tasks.draw, parameters={"k": k, "seconds": seconds})
        for k in range(n)
    )
    return Study(name="dask", tasks=made, seed=3)


@pytest.mark.slow
def test_same_digest_with_two_workers_one_killed(tmp_path, monkeypatch):
    monkeypatch.setenv("PYTHONPATH", str(Path(__file__).parent))  # where workers find the tasks
    study = drawing(40, seconds=0.02)
    here = run_study(study, tmp_path / "here")
    with DaskExecutor(n_workers=2) as executor:
        pids = list(executor.client.run(os.getpid).values())
        killed = []

        def kill_one(done, total):
            if done >= 5 and not killed:
                killed.append(pids[0])
                os.kill(pids[0], signal.SIGKILL)

        there = run_study(study, tmp_path / "there", executor=executor, progress=kill_one)
    assert killed
    assert (there.done, there.failed) == (40, 0)
    assert there.digest == here.digest


@pytest.mark.slow
def test_a_shared_array_travels_once_and_outlives_the_worker_that_has_it(tmp_path, monkeypatch):
    monkeypatch.setenv("PYTHONPATH", str(Path(__file__).parent))
    big = np.random.default_rng(1).random(3_000_000)  # 24 MB, of which dask itself would warn
    made = tuple(
        StudyTask(key=f"sum/{k}", function=tasks.total, parameters={"k": k, "seconds": 0.05}, shared=("big",))
        for k in range(30)
    )
    study = Study(name="sums", tasks=made, shared={"big": big})
    with DaskExecutor(n_workers=2) as executor:
        sent, killed = [], []
        send = executor._send
        executor._packer = Packer(lambda array: sent.append(array.nbytes) or send(array))
        pids = list(executor.client.run(os.getpid).values())

        def kill_one(done, total):
            if done == 3:
                killed.append(pids[0])
                os.kill(pids[0], signal.SIGKILL)

        there = run_study(study, tmp_path / "there", executor=executor, progress=kill_one)
    assert sent == [big.nbytes]
    assert killed
    assert (there.done, there.failed) == (30, 0)
    assert there.digest == run_study(study, tmp_path / "here").digest


@pytest.mark.slow
def test_methods_run_on_dask_as_here(tmp_path, monkeypatch):
    monkeypatch.setenv("PYTHONPATH", str(Path(__file__).parent))
    rng = np.random.default_rng(1)
    X, y = rng.normal(size=(60, 3)), np.tile([0, 1], 30)
    here = cross_scores(GaussianNB(), X, y, cv=5, rng=1)
    with DaskExecutor(n_workers=1) as executor:
        there = cross_scores(GaussianNB(), X, y, cv=5, rng=1, executor=executor)
        # Tasks of the same names, but other ones: the scheduler must not hand out what it remembers.
        other = cross_scores(GaussianNB(), X + 1, y[::-1], cv=5, rng=2, executor=executor)
        one = run_study(drawing(5), tmp_path / "one", executor=executor)
    assert there == here
    assert other == cross_scores(GaussianNB(), X + 1, y[::-1], cv=5, rng=2)
    assert one.digest == run_study(drawing(5), tmp_path / "two").digest


@pytest.mark.slow
def test_a_scheduler_that_goes_away_leaves_tasks_to_do(tmp_path, monkeypatch):
    monkeypatch.setenv("PYTHONPATH", str(Path(__file__).parent))
    study = drawing(40, seconds=0.05)
    with DaskExecutor(n_workers=2) as executor:

        def end(done, total):
            if done == 5:
                executor._cluster.close()

        with pytest.raises(ResourceError, match="the dask scheduler went away"):
            run_study(study, tmp_path, executor=executor, progress=end)
    again = run_study(study, tmp_path)
    assert (again.done, again.failed) == (40, 0)


@pytest.fixture(scope="module")
def here():
    """A cluster of one thread in this process, which starts at once."""
    import distributed

    how = {"n_workers": 1, "threads_per_worker": 1, "processes": False, "dashboard_address": None}
    with (
        distributed.LocalCluster(**how) as cluster,
        DaskExecutor(cluster.scheduler_address) as executor,
    ):
        yield executor


def test_results_are_recorded_before_all_tasks_are_sent(tmp_path, monkeypatch, here):
    """A crash while tasks are being sent must not cost those that are done."""
    monkeypatch.setattr(dask_executor, "AT_LEAST", 6)
    sent, seen, submit = [], [], here.client.submit

    def count(*arguments, **options):
        sent.append(options["key"])
        return submit(*arguments, **options)

    def look(done, total):
        assert rows_on_disk(tmp_path) == done
        seen.append((done, len(sent)))

    monkeypatch.setattr(here.client, "submit", count)
    status = run_study(drawing(40), tmp_path, executor=here, progress=look)
    assert (status.done, status.failed) == (40, 0)
    assert seen == [(0, 0), *((done, min(done + 5, 40)) for done in range(1, 41))]


def rows_on_disk(folder):
    return len(Journal.look(folder / "journal.jsonl").rows())


def wait_for(condition):
    end = time.monotonic() + 20
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.01)


def test_a_study_given_up_on_dask_keeps_what_is_done(tmp_path, monkeypatch, here):
    monkeypatch.setattr(dask_executor, "AT_LEAST", 4)

    def interrupt(done, total):
        if done == 7:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run_study(drawing(30), tmp_path, executor=here, progress=interrupt)
    assert rows_on_disk(tmp_path) == 7
    seen = []
    again = run_study(drawing(30), tmp_path, executor=here, progress=lambda done, _: seen.append(done))
    assert seen == list(range(7, 31))
    assert again.digest == run_study(drawing(30), tmp_path / "here").digest


def test_what_cannot_be_sent_to_dask_fails_alone(here):
    lock = threading.Lock()
    odd = [Task("lock", abs, (lock,)), Task("one", abs, (-1,)), Task("again", abs, (lock,))]
    assert [(outcome.value, outcome.error) for outcome in run_tasks(odd, executor=here)] == [
        (None, "TypeError: cannot pickle '_thread.lock' object"),
        (1, None),
        (None, "TypeError: cannot pickle '_thread.lock' object"),
    ]


def test_tasks_can_be_added_on_dask_while_outcomes_come_back(here):
    here.submit(Task("0", abs, (0,)))
    values = []
    for outcome in here.as_completed():
        values.append(outcome.value)
        if outcome.value < 3:
            here.submit(Task(str(outcome.value + 1), abs, (outcome.value + 1,)))
    assert values == [0, 1, 2, 3]


@pytest.mark.slow
def test_an_address_must_be_one():
    with pytest.raises(RocInputError, match="scheduler must be an address such as tcp://host:8786, got"):
        DaskExecutor("nonsense:::", timeout=1)


@pytest.mark.slow
def test_no_scheduler_is_a_clean_error():
    with pytest.raises(ResourceError, match=r"no dask scheduler answers at tcp://127\.0\.0\.1:9"):
        DaskExecutor("tcp://127.0.0.1:9", timeout=1)
