"""Sizes and formats as users write them."""

import os

import pytest

from rocscope.errors import RocInputError
from rocscope.io import input_file
from rocscope.io.input_file import Limits, format_of, physical_memory, read_size, show_size


@pytest.mark.parametrize(
    ("value", "size"),
    [
        ("512MB", 512 * 10**6),
        ("1.5 gb", 15 * 10**8),
        ("2GiB", 2**31),
        (" 70000kB ", 7 * 10**7),
        (10**9, 10**9),
    ],
)
def test_sizes(value, size):
    assert read_size(value, name="memory_limit") == size


@pytest.mark.parametrize(
    ("value", "message"),
    [
        ("512", "memory_limit must be a size such as '512MB' or '2GiB', got '512'"),
        ("-1GB", "memory_limit must be a size such as '512MB' or '2GiB', got '-1GB'"),
        ("5 apples", "memory_limit must be a size such as '512MB' or '2GiB', got '5 apples'"),
        (1.5, "memory_limit must be a whole number of at least 0, got 1.5"),
        (True, "memory_limit must be a whole number of at least 0, got True"),
        ("10MB", "memory_limit must be at least 64 MB, got 10 MB"),
        (0, "memory_limit must be at least 64 MB, got 0 bytes"),
    ],
)
def test_sizes_that_will_not_do(value, message):
    with pytest.raises(RocInputError) as caught:
        Limits.read(value)
    assert str(caught.value) == message


def test_threads():
    assert Limits.read("128MB").settings(None)["threads"] == 1
    assert Limits.read("100GB").settings(None)["threads"] == os.cpu_count()
    assert "threads" not in Limits().settings(None)


def test_the_machine_sets_the_limit_where_the_user_does_not(monkeypatch):
    assert Limits().settled().memory == int(0.4 * physical_memory())
    assert Limits.read("1GB").settled() == Limits.read("1GB")
    monkeypatch.delattr(os, "sysconf")
    assert physical_memory() == 2 * 10**9


def test_room(tmp_path, monkeypatch):
    class Disk:
        free = 1000

    monkeypatch.setattr(input_file.shutil, "disk_usage", lambda _: Disk)
    assert Limits().room(tmp_path) == 900
    assert Limits.read(None, temp_limit=500).room(tmp_path) == 500
    assert Limits.read(None, temp_limit=5000).room(tmp_path) == 900


def test_sizes_for_people():
    assert [show_size(n) for n in (0, 999, 1000, 123_456, 2_345_678_901, 10**13)] == [
        "0 bytes",
        "999 bytes",
        "1 kB",
        "123 kB",
        "2.35 GB",
        "10 TB",
    ]


def test_formats():
    names = ["a.csv", "a.tsv", "a", "a.parquet", "a.PQ", "a.jsonl", "a.ndjson", "a.json", "dir.parquet/a"]
    found = ["csv", "csv", "csv", "parquet", "parquet", "jsonl", "jsonl", "jsonl", "csv"]
    assert [format_of(name, None) for name in names] == found
    assert format_of("a.csv", "parquet") == "parquet"
    with pytest.raises(RocInputError) as caught:
        format_of("a.csv", "parket")
    assert str(caught.value) == (
        "format must be one of 'csv', 'parquet', 'jsonl', 'excel', 'spss', 'stata', 'sas', 'r', got "
        "'parket'; did you mean 'parquet'?"
    )
