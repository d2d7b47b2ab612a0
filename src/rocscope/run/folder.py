"""The folder of a study: journals of one study only, and no two runs that do the same work."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from rocscope.errors import ResourceError, RocInputError
from rocscope.run.journal import Journal, Row, make_journal
from rocscope.run.lock import FileLock, is_locked
from rocscope.run.manifest import Manifest
from rocscope.run.shards import WHOLE, Shard

# Runs of shards share this lock, a run of the whole has it alone.
LOCK = "study.lock"
SHARDS = "journal-*-of-*.sqlite"


def journal_paths(folder: str | Path) -> list[Path]:
    """Journals in a folder, that of the whole before those of shards."""
    whole = Path(folder) / WHOLE.file_name
    return [*([whole] if whole.is_file() else []), *shard_paths(folder)]


def shard_paths(folder: str | Path) -> list[Path]:
    """Journals of shards in a folder."""
    return sorted(Path(folder).glob(SHARDS))


def is_running(folder: str | Path) -> bool:
    """Whether a run works in the folder now."""
    return is_locked(Path(folder) / LOCK)


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
    path = place / shard.file_name
    with ExitStack() as stack:
        stack.enter_context(FileLock(place / LOCK, shared=shard != WHOLE))
        if shard != WHOLE:
            stack.enter_context(FileLock(path.with_suffix(".lock")))
        if path.is_symlink():
            raise ResourceError(f"{path} cannot be written: it is a symbolic link")
        is_new = not path.exists()
        if is_new:
            make_journal(path, manifest)
        try:
            # Its own journal is there before it looks at others: of two runs that begin at once, one at
            # least sees the other.
            _check_one_study(journal_paths(place), manifest)
        except BaseException:
            if is_new:
                path.unlink()
            raise
        journal = Journal.open(path, manifest)
        journal.hold(stack.pop_all())
        return journal


def _check_one_study(paths: Iterable[Path], manifest: Manifest) -> None:
    for path in paths:
        try:
            with look_at([path]) as (other,):
                there = other.manifest
        except ResourceError:
            if path.exists():
                raise
            continue  # another run made it, and took it back
        if there != manifest:
            raise RocInputError(
                f"{path.parent} holds another study, or other parameters: {manifest.differs_from(there)}; "
                "take another folder"
            )


@contextmanager
def look_at(paths: Iterable[Path]) -> Iterator[list[Journal]]:
    """Journals open for reading; runs that are under way go on."""
    with ExitStack() as stack:
        journals = []
        for path in paths:
            journals.append(Journal.look(path))
            stack.callback(journals[-1].close)
        yield journals


@contextmanager
def look_at_study(folder: str | Path) -> Iterator[list[Journal]]:
    """All journals in a folder, open for reading: there is one at least, and all are of one study."""
    paths = journal_paths(folder)
    if not paths:
        raise RocInputError(f"{folder} must hold the journal of a study, got none")
    with look_at(paths) as journals:
        first = journals[0]
        for other in journals[1:]:
            if other.manifest != first.manifest:
                differing = first.manifest.differs_from(other.manifest)
                raise RocInputError(
                    f"{folder} must hold journals of one study, got {other.path.name} beside "
                    f"{first.path.name}: {differing}; move one of them away"
                )
        yield journals


def merge_shards(folder: str | Path) -> Journal:
    """Put the journals of all shards in a folder together, in the journal of the whole.

    Returns
    -------
    Journal
        Open; close it.
    """
    if not shard_paths(folder):
        raise RocInputError(f"{folder} must hold journals of shards, got none")
    with look_at_study(folder) as journals:
        manifest = journals[0].manifest
    whole = open_journal(folder, manifest)
    try:
        take_over(whole)
    except BaseException:
        whole.close()
        raise
    return whole


def take_over(journal: Journal, keys: Collection[str] | None = None) -> None:
    """Copy what the other journals in the folder hold, of these keys or of all: it need not be done again."""
    paths = journal_paths(journal.path.parent)
    with look_at(path for path in paths if path != journal.path) as others:
        for other in others:
            journal.copy_from(other, keys)


def together(journals: Iterable[Journal]) -> dict[str, Row]:
    """What journals hold together, by key; a result stays, whatever error another one tells."""
    found: dict[str, Row] = {}
    for row in (row for journal in journals for row in journal.rows()):
        if row.key not in found or row.error is None:
            found[row.key] = row
    return found
