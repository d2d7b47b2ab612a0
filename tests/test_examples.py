"""The README's Python and every example run as a newcomer would run them."""

import re
import runpy
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
EXAMPLES = sorted((ROOT / "examples").glob("*.py"))


def test_the_python_of_the_readme_prints_what_it_says(capsys, tmp_path, monkeypatch):
    import matplotlib.pyplot as plt

    monkeypatch.chdir(tmp_path)
    plt.switch_backend("Agg")
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    blocks = re.findall(r"```python\n(.*?)```", text, re.DOTALL)
    assert blocks
    names = {}  # a reader runs one block after the other
    for block in blocks:
        exec(compile(block, "README.md", "exec"), names)
    plt.close("all")
    said = re.findall(r"print\(.*\)\s+# (AUC \d.*)", text)
    assert said
    printed = capsys.readouterr().out.splitlines()
    for line in said:
        assert line in printed


@pytest.mark.slow
@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_example(path, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    runpy.run_path(str(path), run_name="__main__")
    assert capsys.readouterr().out


@pytest.mark.slow
def test_the_script_that_mypy_reads_runs():
    runpy.run_path(str(ROOT / "tests/typing/user_script.py"), run_name="__main__")


def test_examples_are_short():
    for path in EXAMPLES:
        assert 10 <= len(path.read_text(encoding="utf-8").splitlines()) <= 40
