"""DuckDB is fenced in, keeps to its limits, and complains in our words."""

import re
from pathlib import Path

import duckdb
import pytest

from rocscope.errors import ResourceError, RocInputError
from rocscope.io import database
from rocscope.io.database import open_database
from rocscope.io.files import explain
from rocscope.io.input_file import InputFile, Limits


def opened(limits=None, *, spill=False, watch=None):
    Path("t.csv").write_text("y,s\n0,1\n1,2\n")
    file = InputFile(Path("t.csv").absolute(), "t.csv", "csv", watch)
    return open_database(file, limits or Limits(), explain, spill=spill)


def setting(base, name):
    return base.query(f"SELECT current_setting('{name}') AS value", {})["value"].tolist()[0]


# The fence


def test_only_the_input_can_be_read(folder):
    Path("other.csv").write_text("a\n1\n")
    with opened() as base:
        rows = base.query("SELECT count(*) AS n FROM read_csv($path)", {"path": str(base.file.path)})
        assert rows["n"].tolist() == [2]
        with pytest.raises(RocInputError, match="Cannot access file"):
            base.query("SELECT * FROM read_csv($path)", {"path": str(Path("other.csv").absolute())})


def test_only_the_temporary_folder_can_be_written(folder):
    with opened(spill=True) as base:
        base.query("COPY (SELECT 1) TO $path", {"path": str(base.folder / "x.csv")})
        with pytest.raises(RocInputError, match="Cannot access file"):
            base.query("COPY (SELECT 1) TO $path", {"path": str(folder / "x.csv")})


@pytest.mark.parametrize("statement", ["SET enable_external_access = true", "SET memory_limit = '1TB'"])
def test_the_fence_stays(folder, statement):
    with opened() as base, pytest.raises(RocInputError, match=r"(?i)configuration|access"):
        base.query(statement, {})


# Limits


def test_settings(folder):
    with opened(Limits.read("512MB", temp_limit="50MB"), spill=True) as base:
        assert setting(base, "threads") in (1, 2, 3)  # of 64 MB each
        assert setting(base, "memory_limit") == "244.1 MiB"  # one half of 512 MB
        assert setting(base, "max_temp_directory_size") == "47.6 MiB"
        assert setting(base, "temp_directory") == str(base.folder)


def test_no_temporary_files_where_none_are_needed(folder, temporary):
    with opened() as base:
        assert setting(base, "temp_directory") == ""
        assert list(temporary.iterdir()) == []


@pytest.mark.parametrize("error", [None, ZeroDivisionError, KeyboardInterrupt])
def test_the_temporary_folder_goes(folder, temporary, error):
    def work():
        with opened(spill=True) as base:
            (base.folder / "x").touch()
            assert len(list(temporary.iterdir())) == 1
            if error:
                raise error

    if error:
        with pytest.raises(error):
            work()
    else:
        work()
    assert list(temporary.iterdir()) == []


def test_no_temporary_folder(folder, monkeypatch):
    monkeypatch.setattr("tempfile.tempdir", str(folder / "none"))
    with pytest.raises(ResourceError) as caught, opened(spill=True):
        pass
    assert str(caught.value) == "a temporary folder cannot be made: no such file or directory"


def test_out_of_memory(folder):
    with opened(Limits.read("64MB")) as base, pytest.raises(ResourceError) as caught:
        base.query("SELECT list(range) AS x FROM range(50_000_000)", {})
    assert re.fullmatch(
        r"t\.csv cannot be read within 64 MB of memory: .* \(.*/30\.5 MiB used\); "
        r"a larger memory_limit helps",
        str(caught.value),
    )


def test_out_of_temporary_room(folder, temporary):
    limits = Limits.read("64MB", temp_limit="1MB")
    with opened(limits, spill=True) as base, pytest.raises(ResourceError) as caught:
        base.query("SELECT hash(range) AS x FROM range(5_000_000) ORDER BY x", {})
    assert str(caught.value) == (
        f"t.csv needs more room for temporary files than there is in {temporary}; TMPDIR names another "
        "folder; a larger memory_limit needs less"
    )
    with opened(limits, spill=True) as base, pytest.raises(ResourceError) as caught:
        base.check_room(2 * 10**6)
    assert str(caught.value) == (
        f"a temporary copy of t.csv needs 2 MB in {temporary}, where 1 MB may be used; TMPDIR names another "
        "folder"
    )


# Complaints


@pytest.mark.parametrize(
    ("error", "kind", "message"),
    [
        (
            (duckdb.OutOfMemoryException, "could not allocate block\nmore"),
            ResourceError,
            "t.csv does not fit into memory: could not allocate block",
        ),
        (
            (duckdb.IOException, "IO Error: the disk is gone\nmore"),
            RocInputError,
            "t.csv cannot be read as a CSV table: the disk is gone",
        ),
        (
            (duckdb.IOException, "Could not write: No space left on device"),
            ResourceError,
            "t.csv needs more room for temporary files than there is in TEMP; TMPDIR names another folder; "
            "a larger memory_limit needs less",
        ),
        ((RuntimeError, "Query interrupted"), KeyboardInterrupt, ""),
        ((RuntimeError, "odd"), RuntimeError, "odd"),
    ],
)
def test_errors_are_translated(folder, temporary, error, kind, message):
    with opened() as base, pytest.raises(kind) as caught, base._translated_errors():
        raise error[0](error[1])
    assert str(caught.value) == message.replace("TEMP", str(temporary))


def test_odd_characters_are_spelt_out():
    assert database.first_line("don't know what type: \x0f\nmore") == '"don\'t know what type: \\x0f"'


# Progress


def test_progress_is_reported(folder, monkeypatch):
    reports = []
    monkeypatch.setattr(database, "POLL_SECONDS", 0.001)
    with opened(watch=lambda doing, share: reports.append((doing, share))) as base:
        base.query("SELECT sum(hash(range) % 7) AS x FROM range(10_000_000)", {}, doing="adding")
    assert reports
    assert all(doing == "adding" and 0 <= share <= 1 for doing, share in reports)
