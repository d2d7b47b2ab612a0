"""A study: pure tasks with seeds of their own, run once each, whatever happens on the way."""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Callable, Collection, Iterable, Mapping
from contextlib import closing, nullcontext
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal, TypeAlias

from numpy.random import SeedSequence

from rocscope.core import checks, execution
from rocscope.core.checks import show
from rocscope.core.result import Result
from rocscope.errors import ResourceError, RocInputError
from rocscope.run.journal import Journal, Manifest, Row, digest_of, digest_of_rows, in_use, is_locked

Size: TypeAlias = Literal["quick", "full"]


@dataclass(frozen=True, slots=True, kw_only=True)
class StudyTask:
    """A call with a name: a function of a module, its parameters, and a seed that follows from the name.

    Attributes
    ----------
    key
        Name of its own.
    function
        Takes the parameters as keywords, and `seed`; returns what strict JSON can hold, from which NaN and
        infinity come back as None.
    parameters
        Its keywords: a journal knows them, and refuses others.
    shared
        Names of what is large, and the same for many tasks, looked up in the study.
    local
        Keywords that may differ between machines, such as the path of a folder: the same task with others.
    """

    key: str
    function: Callable[..., Any]
    parameters: Mapping[str, Any] = field(default_factory=dict)
    shared: tuple[str, ...] = ()
    local: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Study:
    """Tasks with distinct keys, and the parameters that make them.

    Attributes
    ----------
    name
        Name of the study.
    tasks
        What is to be done.
    seed
        Seed of the study; that of a task follows from it and the task's key, so that no order matters.
    parameters
        What the tasks were made from, for readers of the journal. A journal belongs to one name, seed, set of
        parameters, list of tasks with their functions and parameters, and shared data.
    shared
        Data that several tasks use, by name.
    prepare
        Called once before workers start, where there is anything to do: what takes long in the first task of
        every worker, such as compiling, is done here for all of them. It may return a note for whoever waits.
    notes
        What whoever starts the study should know, such as data that could not be had.
    open
        Whether tasks come and go from one run to the next: a key then holds all that its result depends on.
        Results of other keys stay in the journal and do not count.
    """

    name: str
    tasks: tuple[StudyTask, ...]
    seed: int = 0
    parameters: Mapping[str, Any] = field(default_factory=dict)
    shared: Mapping[str, Any] = field(default_factory=dict)
    prepare: Callable[[], str | None] | None = None
    notes: tuple[str, ...] = ()
    open: bool = False

    def manifest(self) -> Manifest:
        """What a journal of this study says on its first page."""
        tasks = [] if self.open else sorted(self.tasks, key=lambda task: task.key)
        return Manifest.of(
            name=self.name,
            seed=checks.check_integer(self.seed, name="seed", low=0),
            parameters=self.parameters,
            n_tasks=len(tasks),
            # Not the module of a function, which has another name in the script that is being run.
            tasks_digest=digest_of(
                (
                    f"task {task.key!r}",
                    (
                        getattr(task.function, "__qualname__", task.function),
                        dict(task.parameters),
                        task.shared,
                    ),
                )
                for task in tasks
            ),
            data_digest=digest_of((f"shared {name!r}", self.shared[name]) for name in sorted(self.shared)),
        )

    def payload(self, task: StudyTask) -> execution.Task:
        """What a worker receives of a task: its function, its keywords with the shared data, and its seed."""
        shared = {name: self.shared[name] for name in task.shared}
        keywords = {**task.parameters, **task.local, **shared}
        return execution.Task(task.key, _call, (task.function, keywords, seed_of(self.seed, task.key)))


def seed_of(study_seed: int, key: str) -> SeedSequence:
    """Seed of a task: it depends on the study and on the task's own key, on nothing else.

    Examples
    --------
    >>> seed_of(0, "a").generate_state(1) == seed_of(0, "a").generate_state(1)
    array([ True])
    >>> seed_of(0, "a").generate_state(1) == seed_of(0, "b").generate_state(1)
    array([False])
    """
    digest = hashlib.sha256(key.encode()).digest()
    words = [int.from_bytes(digest[k : k + 4], "big") for k in range(0, 32, 4)]
    return SeedSequence([study_seed, *words])


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class StudyStatus(Result):
    """How far a study is.

    Attributes
    ----------
    name
        Name of the study.
    total, done, failed
        Tasks in all, with a result, and with an error.
    seconds
        Time that the tasks took, all together.
    digest
        SHA-256 of all results in the order of their keys: equal digests, equal results. None before the end.
    errors
        Key and error of the first failed tasks.
    """

    name: str
    total: int
    done: int
    failed: int
    seconds: float
    digest: str | None
    errors: tuple[tuple[str, str], ...] = ()

    @property
    def is_complete(self) -> bool:
        """Whether every task has a result or an error."""
        return self.done + self.failed == self.total

    def _summary(self) -> str:
        failed = f", {self.failed} failed" if self.failed else ""
        left = self.total - self.done - self.failed
        to_do = f", {left} to do" if left else ""
        return f"study {self.name}: {self.done} of {self.total} tasks done{failed}{to_do}"


# ---- A study cut into parts that know nothing of each other -----------------------------------------------


def mixed(key: str) -> int:
    """A number that follows from a task's key, and is as good as drawn.

    Examples
    --------
    >>> sorted(["a/1", "a/2", "b/1", "b/2"], key=mixed)
    ['a/2', 'b/2', 'a/1', 'b/1']
    """
    return int.from_bytes(hashlib.sha256(key.encode()).digest()[:8], "big")


@dataclass(frozen=True, slots=True)
class Shard:
    """Part `index` of `count`, counted from 1; which one a task is in follows from its key alone.

    Examples
    --------
    >>> [sum(Shard(i, 3).holds(f"task/{k}") for k in range(300)) for i in (1, 2, 3)]
    [104, 103, 93]
    """

    index: int
    count: int

    def __post_init__(self) -> None:
        numbers = (self.index, self.count)
        if not all(type(number) is int for number in numbers) or not 1 <= self.index <= self.count:
            raise RocInputError(
                f"must be I/N with I from 1 to N, got {self.index!r}/{self.count!r}", argument="shard"
            )

    @classmethod
    def read(cls, text: str | Shard) -> Shard:
        """Read "2/5"; a shard is one already.

        Examples
        --------
        >>> Shard.read("2/5")
        Shard(index=2, count=5)
        """
        if isinstance(text, Shard):
            return text
        match = re.fullmatch(r"(\d{1,18})/(\d{1,18})", text) if isinstance(text, str) else None
        if match is None:
            raise RocInputError(f"must be I/N with I from 1 to N, got {show(text)}", argument="shard")
        return cls(int(match[1]), int(match[2]))

    def holds(self, key: str) -> bool:
        """Whether the task of this key belongs to the part."""
        return mixed(key) % self.count == self.index - 1

    @property
    def file_name(self) -> str:
        """Name of the part's journal."""
        return "journal.jsonl" if self == WHOLE else f"journal-{self.index}-of-{self.count}.jsonl"


WHOLE = Shard(1, 1)


# ---- One run ----------------------------------------------------------------------------------------------


def run_study(
    study: Study,
    path: str | Path,
    *,
    executor: execution.Executor | None = None,
    n_jobs: int | None = None,
    timeout: float | None = None,
    shard: Shard | str = WHOLE,
    retry_failed: bool = False,
    progress: execution.Progress | None = None,
) -> StudyStatus:
    """Run the tasks that the journal does not hold yet, and record each result as it arrives.

    Parameters
    ----------
    study : Study
        The tasks.
    path : path
        Folder of the journal, made where it is missing. A journal of other parameters is refused.
    executor : Executor, optional
        Where tasks run; by default worker processes here, as many as `n_jobs` says.
    n_jobs, timeout
        Processes, and seconds that a task may take from the call of its function on; only without `executor`.
        With one process and no timeout tasks run in this process.
    shard : Shard or str
        The part of the tasks that this run does, such as "1/3"; each part has a journal of its own in the
        folder.
    retry_failed : bool
        Whether tasks that ended with an error are run again.
    progress : callable, optional
        Called as ``progress(done, total)``, first before any task runs; results of earlier runs count.

    Returns
    -------
    StudyStatus

    Notes
    -----
    Tasks run in an order that follows from their keys as if it had been drawn: those done so far are a fair
    sample of all, and what is left can be judged by them, however uneven the tasks are.

    Examples
    --------
    >>> import tempfile
    >>> def square(k, seed):
    ...     return k * k
    >>> tasks = tuple(StudyTask(key=f"square/{k}", function=square, parameters={"k": k}) for k in range(3))
    >>> study = Study(name="squares", tasks=tasks)
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     print(run_study(study, folder))
    ...     print(run_study(study, folder).done)
    study squares: 3 of 3 tasks done
    3
    """
    _check_tasks(study)
    if not isinstance(path, (str, os.PathLike)):
        raise RocInputError(f"must be that of a folder, got {checks.show(path)}", argument="path")
    part = Shard.read(shard)
    mine = sorted((task for task in study.tasks if part.holds(task.key)), key=lambda task: mixed(task.key))
    with closing(open_journal(path, study.manifest(), part)) as journal:
        take_over(journal, {task.key for task in mine})
        known = journal.keys(failed=not retry_failed)
        to_do = [study.payload(task) for task in mine if task.key not in known]
        done = len(mine) - len(to_do)
        if study.prepare is not None and to_do:
            study.prepare()
        if progress is not None:
            progress(done, len(mine))
        if executor is not None:
            execution.check_executor(executor, n_jobs=n_jobs, timeout=timeout)
        own = execution.LokyExecutor(n_jobs, timeout=timeout) if executor is None else nullcontext(executor)
        with own as runner:
            for one in to_do:
                runner.submit(one)
            for outcome in runner.as_completed():
                journal.record(outcome)
                done += 1
                if progress is not None:
                    progress(done, len(mine))
        journal.flush()
        return status_of(journal, {task.key for task in mine})


def _call(function: Callable[..., Any], keywords: dict[str, Any], seed: SeedSequence) -> Any:
    return function(**keywords, seed=seed)


def status_of(journal: Journal, keys: Collection[str] | None = None) -> StudyStatus:
    """How far the study of a journal is, or these tasks of it."""
    n_tasks = journal.manifest.n_tasks if keys is None else len(keys)
    rows = [row for row in journal.rows() if keys is None or row.key in keys]
    errors = [(row.key, row.error) for row in rows if row.error is not None]
    return StudyStatus(
        name=journal.manifest.name,
        total=n_tasks,
        done=len(rows) - len(errors),
        failed=len(errors),
        seconds=sum(row.seconds for row in rows),
        digest=digest_of_rows(rows) if len(rows) == n_tasks else None,
        errors=tuple(errors[:5]),
    )


def _check_tasks(study: Study) -> None:
    for task in study.tasks:
        if not isinstance(task.key, str) or not task.key.isprintable():
            raise RocInputError(
                f"must be printable text, got {checks.show(task.key)}", argument="keys of tasks"
            )
        for name in task.shared:
            if name not in study.shared:
                known = ", ".join(map(checks.show, study.shared)) or "none"
                raise RocInputError(
                    f"must be names of the study's data ({known}), got {checks.show(name)}",
                    argument=f"shared of task {checks.show(task.key)}",
                )
    execution.check_distinct(task.key for task in study.tasks)


# ---- The folder of a study: journals of one study only, and no two runs that do the same work -------------

SHARDS = "journal-*-of-*.jsonl"


def journal_paths(folder: str | Path) -> list[Path]:
    """Journals in a folder, that of the whole before those of shards; one that is empty has not begun."""
    whole = Path(folder) / WHOLE.file_name
    return [path for path in (whole, *shard_paths(folder)) if path.is_file() and path.stat().st_size]


def shard_paths(folder: str | Path) -> list[Path]:
    """Journals of shards in a folder."""
    return sorted(Path(folder).glob(SHARDS))


def is_running(folder: str | Path) -> bool:
    """Whether a run works in the folder now."""
    return any(map(is_locked, journal_paths(folder)))


def open_journal(folder: str | Path, manifest: Manifest, shard: Shard = WHOLE) -> Journal:
    """Open the journal of a study, or of a shard of it, for writing; it is made where it is missing.

    Parameters
    ----------
    folder : path
        Made where it is missing.
    manifest : Manifest
        The study. A folder that holds a journal of another one is refused.
    shard : Shard
        Shards may run beside each other in one folder, the whole only alone.

    Returns
    -------
    Journal
        Close it: with it the lock is let go.
    """
    place = Path(folder)
    try:
        place.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise ResourceError(f"{place} cannot be made: {error.strerror}") from error
    for there in (Journal.look(path).manifest for path in journal_paths(place)):
        if there != manifest:
            raise RocInputError(
                f"{place} holds another study, or other parameters: "
                f"{manifest.differs_from(there)}; take another folder"
            )
    journal = Journal.open(place / shard.file_name, manifest)
    # Its own lock is held before it looks at others: of two runs that begin at once, one at least sees the
    # other.
    for other in journal_paths(place):
        if other != journal.path and WHOLE.file_name in (other.name, shard.file_name) and is_locked(other):
            journal.close()
            raise in_use(other)
    return journal


def look_at_study(folder: str | Path) -> list[Journal]:
    """All journals in a folder, open for reading: there is one at least, and all are of one study."""
    journals = [Journal.look(path) for path in journal_paths(folder)]
    if not journals:
        raise RocInputError(f"{folder} must hold the journal of a study, got none")
    first, *others = journals
    for other in others:
        if other.manifest != first.manifest:
            differing = first.manifest.differs_from(other.manifest)
            raise RocInputError(
                f"{folder} must hold journals of one study, got {other.path.name} beside "
                f"{first.path.name}: {differing}; move one of them away"
            )
    return journals


def merge_shards(folder: str | Path) -> Journal:
    """Put the journals of all shards in a folder together, in the journal of the whole.

    Returns
    -------
    Journal
        Open; close it.
    """
    if not shard_paths(folder):
        raise RocInputError(f"{folder} must hold journals of shards, got none")
    whole = open_journal(folder, look_at_study(folder)[0].manifest)
    try:
        take_over(whole)
    except BaseException:
        whole.close()
        raise
    return whole


def take_over(journal: Journal, keys: Collection[str] | None = None) -> None:
    """Copy what the other journals in the folder hold, of these keys or of all: it need not be done again."""
    for other in look_at_study(journal.path.parent):
        if other.path != journal.path:
            journal.copy_from(other, keys)


def together(journals: Iterable[Journal]) -> dict[str, Row]:
    """What journals hold together, by key; a result stays, whatever error another one has."""
    rows: dict[str, Row] = {}
    for row in (row for journal in journals for row in journal.rows()):
        if row.key not in rows or row.error is None:
            rows[row.key] = row
    return rows
