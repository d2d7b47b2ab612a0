"""docs/coming_from.md: every row is run, on this side and on the other, and the numbers compared."""

import ast
import re
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np
import pytest

from data_folder import data_file
from reference_cases import load_reference

PAGE = (Path(__file__).parents[1] / "docs" / "coming_from.md").read_text(encoding="utf-8")
REFERENCE = load_reference("coming_from")
PROC = {case["call"]: np.array(case["numbers"], dtype=np.float64) for case in REFERENCE["calls"]}


def section(name):
    return PAGE.split(f"## From {name}\n")[1].split("\n## ")[0]


def rows_of(name):
    """Cells of the rows of a section's table, below its header."""
    lines = [line for line in section(name).splitlines() if line.startswith("|")]
    return [[cell.strip() for cell in line.strip("|").split(" | ")] for line in lines[2:]]


def code_in(cell):
    """What stands between backticks at the beginning of a cell; None where nothing does."""
    found = re.match(r"`([^`]+)`", cell)
    return None if found is None else found[1]


@pytest.fixture(scope="module")
def names(tmp_path_factory):
    """What the Python blocks of the page define, and the numbers of pROC as R."""
    folder = data_file("aSAH", "aSAH.csv").parent
    numbers = {call: float(of[0]) for call, of in PROC.items() if len(of) == 1}
    made = {"R": numbers}
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        for block in re.findall(r"```python\n(.*?)```", PAGE, flags=re.S):
            exec(block, made)
    return made


def run(code, names):
    """The last expression of the code, as a flat array of numbers."""
    *before, last = ast.parse(code).body
    own = dict(names)
    exec(compile(ast.Module(before, []), "cell", "exec"), own)
    value = eval(compile(ast.Expression(last.value), "cell", "eval"), own)
    plt.close("all")
    return flat(value)


def flat(value):
    if isinstance(value, (tuple, list)):
        return np.concatenate([flat(one) for one in value])
    return np.atleast_1d(np.asarray(value, dtype=np.float64)).ravel()


def compare(ours, theirs, relation, names):
    """Equal, equal within a number for draws, or equal to what the code of the relation makes of theirs."""
    if (code := code_in(relation)) is not None:
        peer = theirs if len(theirs) > 1 else theirs[0]
        assert ours == pytest.approx(run(code, names | {"peer": peer}), rel=1e-10)
    elif (within := re.match(r"same within ([\d.]+)", relation)) is not None:
        assert ours == pytest.approx(theirs, abs=float(within[1].rstrip(".")))
    else:
        assert relation.startswith("same"), relation
        assert ours == pytest.approx(theirs, rel=1e-10, abs=1e-14)


def test_the_page_is_read_whole():
    assert REFERENCE["script"] == "validation/coming_from_reference.R"
    assert REFERENCE["source"].startswith("pROC ")
    counts = {name: len(rows_of(name)) for name in ("pROC", "scikit-learn", "MedCalc", "MATLAB")}
    assert counts["pROC"] >= 30
    assert counts["scikit-learn"] >= 25
    assert counts["MedCalc"] >= 10
    assert counts["MATLAB"] >= 5
    assert all(len(row) == 3 for name in counts for row in rows_of(name))
    assert PAGE.count("\n|") == sum(counts.values()) + 2 * len(counts)  # no table beside these


@pytest.mark.parametrize("row", rows_of("pROC"), ids=lambda row: code_in(row[0]))
def test_proc(row, names):
    call, ours, relation = row
    compare(run(code_in(ours), names), PROC[code_in(call)], relation, names)


@pytest.mark.parametrize("row", rows_of("scikit-learn"), ids=lambda row: code_in(row[0]))
def test_scikit_learn(row, names):
    call, ours, relation = row
    compare(run(code_in(ours), names), run(code_in(call), names), relation, names)


@pytest.mark.parametrize("row", rows_of("MedCalc") + rows_of("MATLAB"), ids=lambda row: row[0])
def test_programs_that_cannot_be_run(row, names):
    _, ours, formula = row
    compare(run(code_in(ours), names), run(code_in(formula), names), "same", names)
