"""Every write, sync, rename and removal of a study fails, one after the other.

The error is a clean one, no half file is left, and the study ends the same when it is resumed. The calls of
the C library are made to fail: each of them in one way; for as long as
ROCSCOPE_STRESS_SECONDS says, each in all ways, again and again.
"""

import errno
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from contextlib import closing
from itertools import count, product
from pathlib import Path

import pytest

from rocscope.core.execution import call
from rocscope.errors import RocscopeError
from rocscope.run.journal import Journal
from rocscope.run.study import Study, StudyTask, open_journal, run_study

HERE = Path(__file__).parent
JOURNAL = "journal.jsonl"
# What may be there when a run has ended in any way.
ALLOWED = ("journal*.jsonl", "results.jsonl")
WAYS = tuple(product((errno.ENOSPC, errno.EIO), (False, True)))


def work(k, seed):
    """Half a kilobyte; one task fails."""
    if k == 2:
        raise ValueError("two is bad")
    return f"{k}" * 500


STUDY = Study(
    name="writes",
    tasks=tuple(StudyTask(key=f"task/{k}", function=work, parameters={"k": k}) for k in range(4)),
)


@pytest.fixture(scope="module")
def library(tmp_path_factory):
    """The calls that fail, compiled."""
    compiler = shutil.which("cc")
    if sys.platform != "linux" or compiler is None:
        pytest.skip("needs Linux and a C compiler")
    path = tmp_path_factory.mktemp("library") / "failing_calls.so"
    subprocess.run(
        [compiler, "-shared", "-fPIC", "-O1", "-o", path, HERE / "failing_calls.c", "-ldl"], check=True
    )
    return path


@pytest.mark.parametrize("scene", ["new", "resumed", "merged", "exported"])
def test_whatever_call_fails_the_study_ends_the_same(library, scene):
    paths = os.pathsep.join(str(path) for path in sys.path if path)
    done = subprocess.run(
        [sys.executable, __file__, scene],
        env={**os.environ, "LD_PRELOAD": str(library), "PYTHONPATH": paths, "PYTHONDONTWRITEBYTECODE": "1"},
        capture_output=True,
        text=True,
    )
    assert (done.returncode, done.stderr) == (0, "")
    report = json.loads(done.stdout)
    assert report["findings"] == []
    # An export opens, writes, syncs and renames; what is left of its part afterwards does not matter.
    assert report["refused"] >= (4 if scene == "exported" else 5)
    assert report["calls"] >= 5


# What follows runs in a process of its own, under the library.


def make_new(folder):
    """Nothing is there yet."""


def make_resumed(folder):
    """A study that was killed: two results are there."""
    with (
        tempfile.TemporaryDirectory(dir=folder.parent) as other,
        closing(open_journal(Path(other), STUDY.manifest())) as journal,
    ):
        for task in STUDY.tasks[:2]:
            journal.record(call(STUDY.payload(task)))
            journal.flush()
        shutil.copytree(other, folder)


def make_merged(folder):
    """Two shards of three are done."""
    for shard in ("1/3", "2/3"):
        run_study(STUDY, folder, shard=shard)


def make_exported(folder):
    """The study is done; an earlier export is there."""
    run_study(STUDY, folder)
    (folder / "results.jsonl").write_text("the earlier one\n")


def run(folder, scene):
    if scene == "exported":
        from rocscope.cli.study import export

        export(str(folder))
    else:
        assert run_study(STUDY, folder).is_complete


def check(folder, scene, original, removal_failed):
    """What a run has left, and what its resumption gives."""
    if not folder.exists():
        return
    for path in folder.iterdir():
        assert removal_failed or any(map(path.match, ALLOWED)), f"{path.name} was left"
    exported = folder / "results.jsonl"
    if scene == "exported":
        assert exported.read_text() in ("the earlier one\n", original["export"]), "half an export"
    if (folder / JOURNAL).exists():
        results = dict(Journal.look(folder / JOURNAL).results())
        assert set(results.items()) <= original["results"], "other results"
    assert run_study(STUDY, folder).digest == original["digest"], "another digest"
    if scene == "exported":
        run(folder, scene)
        assert exported.read_text() == original["export"], "another export"


def fail_at(library, home, scene, n, way):
    """Let the n-th call fail: the error, whether there was such a call, and whether it was a removal."""
    folder = home / f"{scene}-{n}"
    shutil.rmtree(folder, ignore_errors=True)
    if (home / "before").exists():
        shutil.copytree(home / "before", folder)
    code, for_good = way
    library.arm_failure(os.fsencode(folder), n, code, for_good)
    try:
        run(folder, scene)
        error = None
    except RocscopeError as refused:
        error = refused
    finally:
        calls, removal_failed = library.count_calls(), library.has_removal_failed()
        library.arm_failure(b"", 0, 0, 0)
    return folder, error, calls >= n, removal_failed


def original_of(home):
    folder = home / "original"
    digest = run_study(STUDY, folder).digest
    run(folder, "exported")
    with closing(Journal.look(folder / JOURNAL)) as journal:
        results = set(dict(journal.results()).items())
    return {"digest": digest, "results": results, "export": (folder / "results.jsonl").read_text()}


def main(scene, budget):
    import contextlib
    import ctypes
    import io
    import traceback

    library = ctypes.CDLL(os.environ["LD_PRELOAD"])
    library.arm_failure.argtypes = (ctypes.c_char_p, ctypes.c_long, ctypes.c_int, ctypes.c_int)
    library.count_calls.restype = ctypes.c_long
    findings, refused, calls, start = [], 0, 0, time.monotonic()
    # In memory where there is such a folder: thousands of syncs to a disk take long.
    place = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
    with tempfile.TemporaryDirectory(dir=place) as home, contextlib.redirect_stdout(io.StringIO()):
        original = original_of(Path(home))
        MAKERS[scene](Path(home) / "before")
        for turn in count():
            if turn and time.monotonic() - start > budget:
                break
            for n in count(1):
                way = WAYS[(n + turn) % len(WAYS)]
                try:
                    folder, error, was_reached, removed = fail_at(library, Path(home), scene, n, way)
                    check(folder, scene, original, removed)
                except Exception:
                    findings.append([n, way, traceback.format_exc()])
                    was_reached = len(findings) < 5
                if not was_reached:
                    break
                refused += error is not None
                calls = max(calls, n)
                shutil.rmtree(folder, ignore_errors=True)
    json.dump({"findings": findings, "refused": refused, "calls": calls}, sys.stdout)


MAKERS = {"new": make_new, "resumed": make_resumed, "merged": make_merged, "exported": make_exported}

if __name__ == "__main__":
    from stress.budget import seconds

    main(sys.argv[1], seconds(0) / len(MAKERS))
