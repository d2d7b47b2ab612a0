"""Damaged journals: refused with a RocscopeError, or the original results; never anything else.

The first 200 damages are always tried; more of them follow for as long as ROCSCOPE_STRESS_SECONDS says.
"""

import os
import random
import shutil
import tempfile
import time
from dataclasses import dataclass
from itertools import count
from pathlib import Path

import pytest

from rocscope.core.execution import call
from rocscope.errors import RocscopeError
from rocscope.run.journal import Journal, canonical_json
from rocscope.run.study import Study, StudyTask, run_study
from stress.budget import seconds

AT_LEAST = 200
JOURNAL = "journal.jsonl"


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
    content: bytes
    rows: set[str]
    digest: str


def rows_of(folder):
    return {canonical_json(row) for row in Journal.look(folder / JOURNAL).rows()}


@pytest.fixture(scope="module")
def closed(tmp_path_factory):
    """A finished study."""
    folder = tmp_path_factory.mktemp("closed")
    digest = run_study(STUDY, folder).digest
    return Original((folder / JOURNAL).read_bytes(), rows_of(folder), digest)


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


DAMAGES = (flip_bit, flip_bit, flip_bytes, truncate, cut_to_pages, blank_sector, exchange_pages, append)


def is_refused(folder, damage):
    """Whether the journal is refused: for reading and for a run alike, by its name, and left as it is."""
    before = (folder / JOURNAL).read_bytes()
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
    assert (folder / JOURNAL).read_bytes() == before, damage
    return True


@pytest.fixture
def folder_in_memory(tmp_path):
    """Where there is one: thousands of syncs to a disk take long."""
    if not os.access("/dev/shm", os.W_OK):
        yield tmp_path
        return
    with tempfile.TemporaryDirectory(dir="/dev/shm") as folder:
        yield Path(folder)


def damaged_folders(home, original):
    """Folders with one damage each; they are removed when the next one is made."""
    start, budget = time.monotonic(), seconds(0)
    for seed in count():
        if seed >= AT_LEAST and time.monotonic() - start > budget:
            return
        folder = home / str(seed)
        folder.mkdir()
        damage = DAMAGES[seed % len(DAMAGES)]
        content = bytes(damage(bytearray(original.content), random.Random(seed)))
        (folder / JOURNAL).write_bytes(content)
        yield f"{damage.__name__}, seed {seed}", folder
        shutil.rmtree(folder)


def test_a_damaged_journal_is_refused_or_gives_the_original_results(folder_in_memory, closed):
    """What was cut off its end was never recorded, as far as anyone can know: it is done again."""
    refused = 0
    for damage, folder in damaged_folders(folder_in_memory, closed):
        if (folder / JOURNAL).stat().st_size and is_refused(folder, damage):
            refused += 1
            continue
        rows = rows_of(folder) if (folder / JOURNAL).stat().st_size else set()
        assert rows <= closed.rows, damage
        if not damage.startswith(("truncate", "cut")):
            assert len(rows) >= len(closed.rows) - 1, damage
        executor = Counting()
        status = run_study(STUDY, folder, executor=executor)
        assert (status.digest, executor.ran) == (closed.digest, len(STUDY.tasks) - len(rows)), damage
    assert refused > AT_LEAST / 2
