"""Commands run in this process, in a folder of their own."""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import duckdb
import pytest

from rocscope.cli import main

# Two scores on eight cases; the areas and the point can be checked by hand.
SCORES = """\
state,a,b,site
well,1,1,N
well,2,2,N
well,3,4,S
well,5,3,S
ill,4,2,N
ill,6,1,N
ill,7,4,S
ill,8,5,S
"""


@dataclass
class Run:
    """What a command left: its exit code and what it printed."""

    code: int
    out: str
    err: str

    @property
    def document(self) -> Any:
        return json.loads(self.out, parse_constant=lambda word: pytest.fail(f"{word} is not strict JSON"))


@pytest.fixture
def run(capsys):
    def call(*arguments: str) -> Run:
        capsys.readouterr()
        code = main([*map(str, arguments)])
        printed = capsys.readouterr()
        return Run(code, printed.out, printed.err)

    return call


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    """A working folder with scores.csv."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("ROCSCOPE_DEBUG", raising=False)
    Path("scores.csv").write_text(SCORES)
    return tmp_path


@pytest.fixture
def formats():
    """The same table in every format."""
    with duckdb.connect() as connection:
        for name, kind in (("scores.parquet", "parquet"), ("scores.jsonl", "json")):
            connection.execute(f"COPY (FROM 'scores.csv') TO '{name}' (FORMAT {kind})")
    return ("scores.csv", "scores.parquet", "scores.jsonl")
