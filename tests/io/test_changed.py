"""A file that is replaced, cut or written to while it is read: refused, whenever it happens."""

import gzip
import os
from pathlib import Path

import polars as pl
import pytest

from file_sums import placement_sums_of_file
from rocscope.errors import RocInputError
from rocscope.io.database import Database
from rocscope.io.files import read_scores
from rocscope.io.input_file import local_file

OURS = pl.DataFrame({"y": [0, 1, 0, 1, 1, 0] * 50, "s": [float(k * 7 % 11) for k in range(300)]})
OTHER = OURS.with_columns(s=-pl.col("s"))
REQUEST = {"label": "y", "score": "s"}
READ = {
    "rows": lambda path: read_scores(path, **REQUEST),
    "sums": lambda path: placement_sums_of_file(path, **REQUEST),
}


def write(frame, path):
    {".csv": frame.write_csv, ".parquet": frame.write_parquet, ".jsonl": frame.write_ndjson}[path.suffix](
        path
    )


def replaced(path):
    beside = path.with_stem("other")
    write(OTHER, beside)
    beside.replace(path)


def appended(path):
    line = {".csv": b"1,3.5\n", ".jsonl": b'{"y": 1, "s": 3.5}\n', ".parquet": b"PAR1"}[path.suffix]
    with path.open("ab") as file:
        file.write(line)


def cut(path):
    os.truncate(path, path.stat().st_size // 2)


def overwritten(path):
    """Other bytes, as many as before, and the old time of the last change."""
    before, content = path.stat(), path.read_bytes()
    with path.open("r+b") as file:
        file.write(content.replace(b"10.0", b"-1.0"))
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))


def removed(path):
    path.unlink()


MISHAPS = [replaced, appended, cut, overwritten, removed]


@pytest.fixture(params=[".csv", ".parquet", ".jsonl"])
def path(folder, request):
    path = Path(f"t{request.param}")
    write(OURS, path)
    os.utime(path, (1_000_000_000, 1_000_000_000))
    return path


@pytest.fixture
def at_query(monkeypatch):
    """Let something happen before the n-th query, and count the queries."""

    def arrange(number, happen):
        count = 0
        query = Database.query

        def counted(self, *arguments, **options):
            nonlocal count
            count += 1
            if count == number:
                happen()
            return query(self, *arguments, **options)

        monkeypatch.setattr(Database, "query", counted)
        return lambda: count

    return arrange


def expected(mishap, path):
    if mishap is removed:
        return f"{path} cannot be read: it is no longer there"
    return f"{path} must stay as it is while it is read, but it changed"


@pytest.mark.slow
@pytest.mark.parametrize("mishap", MISHAPS)
@pytest.mark.parametrize("how", READ)
def test_whenever_it_happens_it_is_refused(path, at_query, monkeypatch, mishap, how):
    with monkeypatch.context() as counting:
        queries = at_query(0, None)
        READ[how](path)
        counting.undo()
    assert queries() >= 2
    for number in {1, queries() // 2 + 1, queries()}:
        path.unlink(missing_ok=True)
        write(OURS, path)
        with monkeypatch.context() as changing:
            at_query(number, lambda: mishap(path))
            with pytest.raises(RocInputError) as caught:
                READ[how](path)
            changing.undo()
        assert str(caught.value) == expected(mishap, path)


@pytest.mark.parametrize("mishap", MISHAPS)
def test_the_digest_is_that_of_what_was_read(path, mishap):
    with local_file(path) as file:
        read_scores(file, **REQUEST)
        digest = file.sha256()
        mishap(path)
        with pytest.raises(RocInputError) as caught:
            file.sha256()
    assert len(digest) == 64
    assert str(caught.value) == expected(mishap, path)


def test_a_copy_of_ours_does_not_change(path):
    """A packed file may change once it is unpacked."""
    if path.suffix == ".parquet":
        pytest.skip("packs its own columns")
    packed = Path(f"{path}.gz")
    packed.write_bytes(gzip.compress(path.read_bytes(), mtime=0))
    with local_file(packed) as file:
        packed.write_bytes(b"")
        assert read_scores(file, **REQUEST).sums() == read_scores(path, **REQUEST).sums()
