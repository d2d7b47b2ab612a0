"""Damaged journals: refused with a RocscopeError, or the original results; never anything else.

The first 200 damages are always tried; more of them follow for as long as ROCSCOPE_STRESS_SECONDS says.
"""

import os
import random
import shutil
import tempfile
import time
from contextlib import closing
from dataclasses import dataclass
from itertools import count
from pathlib import Path

import pytest

from rocscope.core.execution import call
from rocscope.errors import RocscopeError
from rocscope.run.folder import open_journal
from rocscope.run.journal import Journal
from rocscope.run.study import Study, StudyTask, run_study
from stress.budget import seconds

AT_LEAST = 200
JOURNAL, LOG = "journal.sqlite", "journal.sqlite-wal"


def work(k, seed):
    """Results of different sizes; one of them needs pages of its own, and some are errors."""
    if k % 11 == 5:
        raise ValueError(f"{k} is bad")
    return {"k": k, "text": "abc" * (3000 if k == 7 else 10 * k)}


STUDY = Study(
    name="damaged",
    seed=3,
    tasks=tuple(StudyTask(key=f"task/{k}", function=work, parameters={"k": k}) for k in range(30)),
)


class Counting:
    """Runs tasks here, and counts them."""

    def __init__(self):
        self.tasks, self.ran = [], 0

    def submit(self, task):
        self.tasks.append(task)

    def as_completed(self):
        for task in self.tasks:
            self.ran += 1
            yield call(task)


@dataclass(frozen=True)
class Original:
    files: dict[str, bytes]
    rows: set[tuple]
    digest: str


def rows_of(folder):
    with closing(Journal.look(folder / JOURNAL)) as journal:
        return set(map(tuple, journal.rows()))


@pytest.fixture(scope="module")
def closed(tmp_path_factory):
    """A finished study whose run ended in peace: one file."""
    folder = tmp_path_factory.mktemp("closed")
    digest = run_study(STUDY, folder).digest
    return Original({JOURNAL: (folder / JOURNAL).read_bytes()}, rows_of(folder), digest)


@pytest.fixture(scope="module")
def killed(tmp_path_factory):
    """A finished study as kill -9 leaves it: the last commits are in the write-ahead log."""
    folder = tmp_path_factory.mktemp("killed")
    with closing(open_journal(folder, STUDY.manifest())) as journal:
        for task in STUDY.tasks:
            journal.record(call(STUDY.payload(task)))
            journal.flush()
        files = {name: (folder / name).read_bytes() for name in (JOURNAL, LOG)}
        rows = set(map(tuple, journal.rows()))
        digest = journal.digest()
    return Original(files, rows, digest)


def flip_bit(content, rng):
    content[rng.randrange(len(content))] ^= 1 << rng.randrange(8)
    return content


def flip_bytes(content, rng):
    for _ in range(rng.randint(1, 8)):
        content[rng.randrange(len(content))] = rng.randrange(256)
    return content


def truncate(content, rng):
    return content[: rng.randrange(len(content))]


def cut_to_pages(content, rng):
    return content[: rng.randrange(len(content)) // 4096 * 4096]


def blank_sector(content, rng):
    start = rng.randrange(len(content)) // 512 * 512
    content[start : start + 512] = bytes(512)
    return content


def exchange_pages(content, rng):
    first, second = (rng.randrange(len(content) // 4096) * 4096 for _ in range(2))
    one, two = content[first : first + 4096], content[second : second + 4096]
    content[first : first + 4096], content[second : second + 4096] = two, one
    return content


def append(content, rng):
    return content + rng.randbytes(rng.randint(1, 5000))


FILE_DAMAGES = (flip_bit, flip_bit, flip_bytes, truncate, cut_to_pages, blank_sector, exchange_pages, append)
LOG_DAMAGES = (flip_bit, flip_bit, flip_bytes, truncate, blank_sector, append)


def is_refused(folder, damage):
    """Whether the journal is refused: for reading and for a run alike, by its name, and left as it is."""
    before = {path.name: path.read_bytes() for path in folder.glob("journal.sqlite*")}
    try:
        rows_of(folder)
    except RocscopeError as error:
        message = str(error)
    else:
        return False
    assert message.startswith(f"{folder / JOURNAL} cannot be used: "), damage
    assert "run the study again" in message, damage
    with pytest.raises(RocscopeError):
        run_study(STUDY, folder)
    assert {name: (folder / name).read_bytes() for name in before} == before, damage
    return True


@pytest.fixture
def folder_in_memory(tmp_path):
    """Where there is one: thousands of syncs to a disk take long."""
    if not os.access("/dev/shm", os.W_OK):
        yield tmp_path
        return
    with tempfile.TemporaryDirectory(dir="/dev/shm") as folder:
        yield Path(folder)


def damaged_folders(home, original, name, damages, at_least=AT_LEAST):
    """Folders with one damage each; they are removed when the next one is made."""
    start, budget = time.monotonic(), seconds(0) / 3  # three tests share it
    for seed in count():
        if seed >= at_least and time.monotonic() - start > budget:
            return
        folder = home / str(seed)
        folder.mkdir()
        rng = random.Random(seed)
        damage = damages[seed % len(damages)]
        content = bytes(damage(bytearray(original.files[name]), rng))
        for other, whole in original.files.items():
            (folder / other).write_bytes(content if other == name else whole)
        yield f"{damage.__name__}, seed {seed}", folder
        shutil.rmtree(folder)


def test_a_damaged_file_is_refused_or_holds_the_original_results(folder_in_memory, closed):
    refused = 0
    for damage, folder in damaged_folders(folder_in_memory, closed, JOURNAL, FILE_DAMAGES):
        if is_refused(folder, damage):
            refused += 1
            continue
        assert rows_of(folder) == closed.rows, damage
        executor = Counting()
        status = run_study(STUDY, folder, executor=executor)
        assert (status.digest, executor.ran) == (closed.digest, 0), damage
    assert refused > AT_LEAST / 2


def test_a_damaged_log_is_refused_or_gives_the_original_results(folder_in_memory, killed):
    """What was cut off the end of a log was never committed, as far as anyone can know: it is done again."""
    refused = 0
    for damage, folder in damaged_folders(folder_in_memory, killed, LOG, LOG_DAMAGES):
        if is_refused(folder, damage):
            refused += 1
            continue
        rows = rows_of(folder)
        assert rows <= killed.rows, damage
        if not damage.startswith(("truncate", "append")):
            assert len(rows) >= len(killed.rows) - 2, damage
        executor = Counting()
        status = run_study(STUDY, folder, executor=executor)
        assert (status.digest, executor.ran) == (killed.digest, len(STUDY.tasks) - len(rows)), damage
    assert refused > AT_LEAST / 2


def test_a_file_beside_a_log_may_be_damaged_too(folder_in_memory, killed):
    for damage, folder in damaged_folders(folder_in_memory, killed, JOURNAL, FILE_DAMAGES, at_least=40):
        if not is_refused(folder, damage):
            assert rows_of(folder) == killed.rows, damage
            assert run_study(STUDY, folder).digest == killed.digest, damage


def test_without_damage_both_open(tmp_path, closed, killed):
    for name, original in (("closed", closed), ("killed", killed)):
        folder = Path(tmp_path / name)
        folder.mkdir()
        for file, content in original.files.items():
            (folder / file).write_bytes(content)
        assert rows_of(folder) == original.rows
        assert run_study(STUDY, folder).digest == original.digest
    assert closed.digest == killed.digest
