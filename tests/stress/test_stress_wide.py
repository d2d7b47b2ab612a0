"""Many columns and many classes: memory and work grow with the size of the answer, not faster.

Work is counted in calls of functions, so that the load of the machine does not matter. Memory is the peak of
a process of its own, less that of the same process with a narrow table.
"""

import json
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

ROWS = 300
ROOM = 24 * 2**20  # of allocators, of libraries loaded on the way


@dataclass(frozen=True)
class Table:
    """What is done with a table of n columns, and how fast its answer grows: by n or by n squared."""

    name: str
    code: str
    small: int
    power: int = 1


COMMAND = "main([{!r}, 'wide.csv', '--label', 'y', *scores, {}])"
LIMIT = "'--memory-limit', '512MB'"
FOLDS = "np.arange(len(y)) // n % 4"
TABLES = (
    Table("read", "rs.read_scores('wide.csv', label='y', score=names)", 120),
    Table("read a little", "rs.read_scores('wide.csv', label='y', score=names, memory_limit='512MB')", 120),
    Table("one column of many", "rs.read_scores('wide.csv', label='y', score='s0')", 200),
    Table("auc", COMMAND.format("auc", LIMIT), 120),
    Table("compare", COMMAND.format("compare", "'--json'"), 20, power=2),
    Table("report", COMMAND.format("report", "'--out', 'wide.html', '--force'"), 6, power=2),
    Table("classes", "rs.multiclass_auc(y, matrix, classes=range(n), scheme='ovr')", 20, power=2),
    Table("pairs of classes", "rs.multiclass_auc(y, matrix, classes=range(n))", 16, power=2),
    Table("points", f"rs.average_roc(y, matrix, fold={FOLDS}, classes=range(n), points=5)", 20, power=2),
    Table("ordered classes", "rs.ordinal_roc(y, y + matrix[:, 0], thresholds=2)", 8, power=3),
)
MEASURE = """
import contextlib, io, json, resource, sys
import numpy as np, rocscope as rs
from rocscope.cli import main

n = int(sys.argv[1])
rng = np.random.default_rng(n)
names = [f"s{k}" for k in range(n)]
scores = [word for name in names for word in ("--score", name)]
with open("wide.csv", "w") as file:
    file.write(",".join(["y", *names]) + "\\n")
    for row, line in enumerate(np.round(rng.normal(size=(ROWS, n)), 2).tolist()):
        file.write(",".join([str(row % 2), *map(str, line)]) + "\\n")
y = np.arange(6 * n) % n
matrix = rng.random((6 * n, n))
calls = 0

def count(frame, event, argument):
    # cyclopts makes a token of every later word at each option: quadratic, a second for 1,000 options.
    global calls
    calls += event in ("call", "c_call") and "cyclopts" not in frame.f_code.co_filename

with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
    sys.setprofile(count)
    try:
        code = CODE
    except rs.RocscopeError as error:
        code = str(error)
    finally:
        sys.setprofile(None)
memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
print(json.dumps({"calls": calls, "memory": memory, "code": code if isinstance(code, int | str) else 0}))
"""


@pytest.mark.parametrize("table", TABLES, ids=lambda table: table.name)
def test_growth(table, tmp_path):
    sizes = (max(2, table.small // 8), table.small, 2 * table.small)
    start, small, large = (measure(table, n, tmp_path) for n in sizes)
    if large["code"] != 0:
        assert is_refusal(large), large
        return
    growth = 1.2 * 2**table.power
    for name, room in (("calls", 20_000), ("memory", ROOM)):
        less, more = (run[name] - start[name] for run in (small, large))
        assert more <= growth * max(less, 0) + room, (name, start, small, large)


def is_refusal(run):
    """Said before the work, with the number: bad data or not enough resources."""
    code = run["code"]
    return code in (3, 5) or (isinstance(code, str) and any(sign.isdigit() for sign in code))


def measure(table, n, folder):
    """Calls and peak memory of a process that does it with n columns."""
    script = Path(folder / "measure.py")
    script.write_text(MEASURE.replace("ROWS", str(ROWS)).replace("CODE", table.code))
    done = subprocess.run(
        [sys.executable, str(script), str(n)], cwd=folder, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr[-2000:]
    return json.loads(done.stdout)
