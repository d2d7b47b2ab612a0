"""How deep a call goes: files of rocscope in which a function runs, and openings of the input."""

import subprocess
import sys
from pathlib import Path

import pytest

from saved_commands import write_cases

COUNT = """
import os, sys
files, opened = set(), []
source = sys.argv[1]

def profile(frame, event, _):
    if event == "call" and frame.f_code.co_name != "<module>" and source in frame.f_code.co_filename:
        files.add(frame.f_code.co_filename)

def audit(event, arguments):
    if event == "open" and str(arguments[0]).endswith("cases.csv"):
        opened.append(arguments)

import rocscope as rs
from rocscope.cli import main
sys.addaudithook(audit)
{call}  # modules are imported, and kernels compiled
opened.clear()
sys.setprofile(profile)
{call}
sys.setprofile(None)
names = sorted(os.path.relpath(file, source) for file in files)
print(len(names), len(opened), *names)
"""
TABLE = "'cases.csv', '--label', 'y', '--score', 's', '--fold', 'fold'"
PAGE = "'--seed', '1', '--n-boot', '100', '--out', 'r.html', '--force'"
# The formula of the score interval, which few cases have by default, is in one file more than DeLong's.
CALLS = {
    "rs.auc([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8], method='delong')": 7,
    "rs.auc([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8])": 8,
    f"assert main(['average', {TABLE}]) == 0": 23,
    f"assert main(['report', {TABLE}, {PAGE}]) == 0": 56,
}


def depth(call):
    import rocscope

    source = str(Path(rocscope.__file__).parent)
    code = COUNT.format(call=call)
    done = subprocess.run([sys.executable, "-c", code, source], capture_output=True, text=True, check=True)
    files, opened, *names = done.stdout.splitlines()[-1].split()
    return int(files), int(opened), names


@pytest.mark.slow
@pytest.mark.parametrize("call", CALLS)
def test_files_that_a_call_goes_through(call):
    write_cases(Path("cases.csv"))
    files, _, names = depth(call)
    assert files <= CALLS[call], names


@pytest.mark.slow
def test_average_opens_its_file_once():
    write_cases(Path("cases.csv"))
    _, opened, _ = depth(f"assert main(['average', {TABLE}]) == 0")
    assert opened == 1
