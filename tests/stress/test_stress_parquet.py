"""Damaged Parquet and gzip files: refused by a RocscopeError or read, never another exception, never a crash.

gzip has a checksum: what is read from a damaged file is what was in it. Parquet as DuckDB writes it has none
for its pages, so a changed byte inside of a value can only be read as another value; such an answer is sound.
"""

import gzip
import json
import subprocess
import sys
from pathlib import Path

import duckdb
import numpy as np
import pytest

from stress import reader_process, seeds
from stress.damage import damage

FILES = 250
ROWS = 3000
QUERY = f"""
    SELECT i % 3 = 0 AS y, round(sin(i) + (i % 3 = 0)::INT, 2) AS s, i % 7 AS t, 'f' || i % 5 AS f
    FROM range({ROWS}) AS t(i)
"""
PARQUET = {
    "plain.parquet": "FORMAT parquet, COMPRESSION uncompressed",
    "snappy.parquet": "FORMAT parquet, COMPRESSION snappy, ROW_GROUP_SIZE 2048",
    "zstd.parquet": "FORMAT parquet, COMPRESSION zstd, PARQUET_VERSION v2",
}
PACKED = {"scores.csv.gz": "FORMAT csv, HEADER", "scores.jsonl.gz": "FORMAT json"}
OPTIONS = (
    {"label": "y", "score": "s"},
    {"label": "y", "score": ["s", "t"], "fold": "f"},
    {"label": "y", "score": "s", "memory_limit": "512MB"},
    {"label": "y", "score": "s", "table": True},
)
NAMES = [*PARQUET, *PACKED]


class Reader:
    """The process that reads; a new one is started where a file killed the last."""

    def __init__(self):
        self.process = None

    def read(self, path, options):
        if self.process is None or self.process.poll() is not None:
            command = [sys.executable, "-X", "faulthandler", reader_process.__file__]
            self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.process.stdin.write(json.dumps([str(path), options]) + "\n")
        self.process.stdin.flush()
        line = self.process.stdout.readline()
        return json.loads(line) if line else {"fault": f"the process died with {self.process.wait()}"}

    def close(self):
        if self.process is not None:
            self.process.communicate()


@pytest.fixture
def reader():
    reader = Reader()
    yield reader
    reader.close()


def make(name, folder):
    """One of the files, whole."""
    path = folder / name
    if name in PARQUET:
        duckdb.execute(f"COPY ({QUERY}) TO '{path}' ({PARQUET[name]})")
    else:
        plain = folder / name.removesuffix(".gz")
        duckdb.execute(f"COPY ({QUERY}) TO '{plain}' ({PACKED[name]})")
        path.write_bytes(gzip.compress(plain.read_bytes(), mtime=0))
    return path.read_bytes()


@pytest.mark.parametrize("name", NAMES)
def test_damage_is_refused_or_read(name, reader, tmp_path):
    content = make(name, tmp_path)
    whole = {}
    for place, options in enumerate(OPTIONS):
        whole[place] = reader.read(tmp_path / name, options)
        assert "answer" in whole[place], whole[place]
    failures = {}
    for seed in seeds.seeds(FILES, tests=len(NAMES)):
        place = seed % len(OPTIONS)
        path = tmp_path / f"damaged {name}"
        path.write_bytes(damage(content, seeds.generator(name, seed)))
        outcome = reader.read(path, OPTIONS[place])
        fault = outcome.get("fault")
        if "answer" in outcome and name in PACKED and outcome != whole[place]:
            fault = f"another answer: {outcome['answer']} and not {whole[place]['answer']}"
        if "answer" in outcome and not is_sound(outcome["answer"]):
            fault = f"unsound: {outcome['answer']}"
        if fault:
            kept = Path(tmp_path / f"seed {seed} {name}")
            kept.write_bytes(path.read_bytes())
            failures.setdefault(
                fault[:60], f"{fault}\nrs.read_scores({str(kept)!r}, **{OPTIONS[place]})  # seed {seed}"
            )
    if failures:
        pytest.fail("\n\n".join(failures.values()), pytrace=False)


def is_sound(tables):
    return all(np.isfinite(table).all() and min(table[:2]) > 0 and 0 <= table[2] <= 1 for table in tables)
