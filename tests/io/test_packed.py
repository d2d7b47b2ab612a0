"""Files packed by gzip are read like those they hold."""

import gzip
from pathlib import Path

import pytest

from file_sums import placement_sums_of_file
from rocscope.errors import ResourceError, RocInputError
from rocscope.io.files import read_scores

TABLES = {
    "t.csv.gz": b"y,s\n0,0.1\n1,0.8\n0,0.3\n",
    "t.jsonl.gz": b'{"y": 0, "s": 0.1}\n{"y": 1, "s": 0.8}\n{"y": 0, "s": 0.3}\n',
    "t.csv": b"y,s\n0,0.1\n1,0.8\n0,0.3\n",  # packed, but not named so
}


@pytest.mark.parametrize("name", TABLES)
@pytest.mark.parametrize("memory_limit", [None, "100MB"])
def test_same_scores_as_unpacked(tmp_path, name, memory_limit):
    path = tmp_path / name
    path.write_bytes(gzip.compress(TABLES[name]))
    plain = tmp_path / f"plain.{'jsonl' if 'jsonl' in name else 'csv'}"
    plain.write_bytes(TABLES[name])
    read = [read_scores(one, label="y", score="s", memory_limit=memory_limit) for one in (path, plain)]
    assert read[0].sums().auc == read[1].sums().auc == 1.0


def test_nothing_stays_behind(tmp_path, monkeypatch):
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "temporary"))
    Path(tmp_path / "temporary").mkdir()
    path = tmp_path / "t.csv.gz"
    path.write_bytes(gzip.compress(TABLES["t.csv"]))
    read_scores(path, label="y", score="s")
    assert list((tmp_path / "temporary").iterdir()) == []


@pytest.mark.parametrize("cut", [4, 20, -6])
def test_damaged_file(tmp_path, cut):
    path = tmp_path / "t.csv.gz"
    path.write_bytes(gzip.compress(TABLES["t.csv"] * 50)[:cut])
    with pytest.raises(RocInputError, match="must be a whole gzip file, got a damaged one"):
        read_scores(path, label="y", score="s")


@pytest.mark.parametrize("name", TABLES)
def test_a_cap_on_what_is_unpacked(folder, temporary, name):
    """A small file may hold a very large one."""
    Path(name).write_bytes(gzip.compress(TABLES[name] + b"\n" * 20_000_000))
    with pytest.raises(ResourceError) as caught:
        placement_sums_of_file(name, label="y", score="s", temp_limit="3MB")
    assert str(caught.value) == (
        f"{name}, unpacked, needs more than the 3 MB that may be used in {temporary}; TMPDIR names "
        "another folder; a larger temp_limit helps"
    )
    assert list(temporary.iterdir()) == []
