"""Files of every format in a fresh working folder, and what reading them says."""

import json
from pathlib import Path

import duckdb
import pytest

from file_sums import placement_sums_of_file
from rocscope.errors import RocscopeError
from rocscope.io.files import read_scores

COUNTED = "data rows are counted from 1"


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A fresh working folder, and an empty one for temporary files beside it."""
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(temporary))
    work = tmp_path / "work"
    work.mkdir()
    monkeypatch.chdir(work)
    return work


@pytest.fixture(
    params=[
        'say "s"',
        "it's",
        "a;b",
        "a,b",
        'x"; DROP TABLE t; --',
        "längs 日本",
        "two\nlines",
        "c1",
        "row",
        "$path",
        " blank ",
    ]
)
def odd_name(request):
    """Name of a column that a careless query would misread."""
    return request.param


@pytest.fixture
def temporary(folder):
    return folder.parent / "temporary"


@pytest.fixture(scope="session")
def connection():
    """One connection for all files that tests write: opening one takes longer than most tests."""
    with duckdb.connect(config={"threads": 1}) as opened:
        yield opened


@pytest.fixture
def parquet(folder, connection):
    """Write the rows of a query, or `VALUES` of columns y and s."""

    def write(sql, name="t.parquet", **values):
        if sql.startswith("("):
            sql = f"SELECT * FROM (VALUES {sql}) AS t(y, s)"
        connection.execute(f"COPY ({sql}) TO $to (FORMAT parquet)", {"to": name, **values})
        return name

    return write


@pytest.fixture
def jsonl(folder):
    """Write objects, or text as it is."""

    def write(*rows, name="t.jsonl"):
        lines = [row if isinstance(row, str) else json.dumps(row) for row in rows]
        Path(name).write_text("".join(f"{line}\n" for line in lines))
        return name

    return write


@pytest.fixture
def says(folder):
    """The one message that both ways of reading refuse a file with."""

    def message(path, **options):
        request = {"label": "y", "score": "s"} | options
        found = []
        for read in (read_scores, placement_sums_of_file):
            with pytest.raises(RocscopeError) as caught:
                read(path, **request)
            found.append(str(caught.value))
        assert found[0] == found[1]
        return found[0]

    return message


@pytest.fixture
def both(folder):
    """What both ways of reading make of a file: they agree, and the rows are returned."""

    def read(path, **options):
        request = {"label": "y", "score": "s"} | options
        data = read_scores(path, **request)
        assert placement_sums_of_file(path, **request) == data.sums()
        return data

    return read
