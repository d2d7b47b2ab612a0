"""The dask executor: the same digest as here, also when a worker is killed on the way."""

import os
import signal
import sys
from pathlib import Path

import numpy as np
import pytest
from sklearn.naive_bayes import GaussianNB

sys.path.insert(0, str(Path(__file__).parent))

import tasks

from rocscope.errors import ResourceError, RocInputError
from rocscope.run.dask_executor import DaskExecutor
from rocscope.run.parcels import Packer
from rocscope.run.study import Study, StudyTask, run_study
from rocscope.sources.estimators import cross_scores

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


def test_an_address_must_be_one():
    with pytest.raises(RocInputError, match="scheduler must be an address such as tcp://host:8786, got"):
        DaskExecutor("nonsense:::", timeout=1)


def test_no_scheduler_is_a_clean_error():
    with pytest.raises(ResourceError, match=r"no dask scheduler answers at tcp://127\.0\.0\.1:9"):
        DaskExecutor("tcp://127.0.0.1:9", timeout=1)
