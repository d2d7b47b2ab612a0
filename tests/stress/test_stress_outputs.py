"""The disk is full at the first write of a command, at the second, and so on: exit code 5, no half file."""

import shlex
from pathlib import Path

import pytest

from stress import command_lines
from stress.full_disk import FullDisk

# One line for every way to write a file.
LINES = (
    "auc good.csv --label y --score a --out out.csv",
    "auc good.csv --label y --score a --out out.json",
    "auc good.csv --label y --score a --out out.png",
    "compare good.parquet --label y --score a --score b --out out.svg",
    "binormal good.jsonl --label y --score a --out out.pdf",
    "points good.csv --label y --score a --save rule.json --out out.csv",
    "average good.csv --label y --score a --fold fold --save rule.json --out out.png",
    "ordinal good.csv --label grade --score estimate --out out.json",
    "fuse good.csv --label y --score a --score b --weights 1,2 --out out.csv",
    "bootstrap good.csv --label y --model nb --feature p --n-boot 4 --out out.csv",
    "learning-curve good.csv --label y --model nb --feature p --sizes 6,8 --n-boot 3 --out out.csv",
    "montecarlo --n 4,6 --n-test 9 --trials 3 --n-boot 3 --out out.csv",
    "components --n 4,6 --n-test 9 --training-sets 3 --test-sets 4 --out out.csv",
    "algorithms good.csv --label y --models nb,lda --feature p --folds 3 --out out.csv",
    "power --auc 0.8 --power 0.9 --out out.csv",
    "report good.csv --label y --score a --out out.html",
    "report saved.json --out out.html",
)
OLD = b"an older file\n"


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("ROCSCOPE_DEBUG", raising=False)
    command_lines.write_files(0)
    command_lines.run(shlex.split("auc good.csv --label y --score a --out saved.json"))
    return tmp_path


def test_every_option_that_names_a_file_is_here():
    writes = {
        (command, option.name)
        for command, options in command_lines.commands().items()
        for option in options
        if option.name in ("--out", "--save") and command not in ("demo", "reproduce")
    }
    tried = {
        (line.split()[0], word) for line in LINES for word in line.split() if word in ("--out", "--save")
    }
    assert tried == writes


@pytest.mark.parametrize("line", LINES)
@pytest.mark.parametrize("is_there", [False, True], ids=["new", "over an older file"])
def test_target_is_old_or_whole(line, is_there, folder):
    """A new file on a disk that stays full; an older one where a single operation fails."""
    words = [*shlex.split(line), *(["--force"] if is_there else [])]
    targets = [words[place + 1] for place, word in enumerate(words) if word in ("--out", "--save")]
    count = operations(words, targets, folder, is_there)
    assert count
    for n in range(1, count + 1):
        before = prepare(targets, is_there)
        with FullDisk(folder, n, for_good=not is_there).mounted() as disk:
            done = command_lines.run(words)
        after = command_lines.snapshot()
        failed = f"no room at {disk.operations[n - 1]}: exit {done.code}, {done.err[-300:]}"
        where = f"{command_lines.as_text(words)}\n{failed}"
        assert done.code == 5, where
        assert "Traceback" not in done.err, where
        assert set(after) <= {*before, *targets}, where
        for name, content in after.items():
            if name in targets and content != OLD:
                assert not list(command_lines.file_faults(name, content)), where
            elif name not in targets:
                assert content == before[name], where


def prepare(targets, is_there):
    """The folder before a run: no target, or an older one."""
    for name in targets:
        Path(name).unlink(missing_ok=True)
        if is_there:
            Path(name).write_bytes(OLD)
    return command_lines.snapshot()


def operations(words, targets, folder, is_there):
    """How many operations a run needs that goes well."""
    prepare(targets, is_there)
    with FullDisk(folder).mounted() as disk:
        done = command_lines.run(words)
    assert done.code == 0, done.err
    return len(disk.operations)
