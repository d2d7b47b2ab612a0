"""Random command lines: documented exit codes, no traceback, strict JSON, files whole or not there."""

import pytest

from stress import command_lines, seeds

LINES, SLOW_LINES = 60, 20
SLOW = {"algorithms", "bootstrap", "report", "fuse", "average"}
COMMANDS = sorted(command_lines.commands())


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("ROCSCOPE_DEBUG", raising=False)
    monkeypatch.setenv("COLUMNS", "100")


def test_every_option_has_values():
    missing = [
        f"{command} {option.name}"
        for command, options in command_lines.commands().items()
        for option in options
        if not option.is_flag and command_lines.values_of(command, option) is None
    ]
    assert not missing, f"{command_lines.WHERE_TO_ADD} for {', '.join(missing)}"


@pytest.mark.parametrize("command", COMMANDS)
def test_what_a_command_leaves(command, tmp_path):
    found = {}
    count = SLOW_LINES if command in SLOW else LINES
    for seed in seeds.seeds(count, tests=len(COMMANDS)):
        for left in tmp_path.iterdir():
            left.unlink()
        command_lines.write_files(seed)
        line = command_lines.random_line(command, seed)
        before = command_lines.snapshot()
        done = command_lines.run(line)
        for fault in command_lines.faults(done, before, command_lines.snapshot()):
            found.setdefault(
                fault.partition(":")[0], f"{fault}\n{command_lines.shown(line)}  # files of seed {seed}"
            )
    assert not found, "\n" + "\n\n".join(found.values())
