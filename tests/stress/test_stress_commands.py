"""Random command lines: documented exit codes, no traceback, strict JSON, files whole or not there."""

import pytest

from stress import command_lines, seeds

LINES, SLOW_LINES = 60, 24
SLOW = command_lines.LONG | {
    "algorithms", "average", "bootstrap", "fuse", "report", "study export", "study status"
}  # fmt: skip
SAME_FILES = 6  # lines in turn that find the same files
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
    failures, before, files = {}, {}, None
    count = SLOW_LINES if command in SLOW else LINES
    for seed in seeds.seeds(count, tests=len(COMMANDS)):
        if files != seed // SAME_FILES:
            files = seed // SAME_FILES
            command_lines.write_files(files)
            before = command_lines.snapshot()
        line = command_lines.random_line(command, seed)
        done = command_lines.run(line)
        after = command_lines.snapshot()
        for fault in command_lines.faults(done, before, after):
            text = f"{fault}\n{command_lines.as_text(line)}  # on the files of write_files({files})"
            failures.setdefault(fault.partition(":")[0], text)
        for name in after.keys() - before.keys():
            (tmp_path / name).unlink()
        for name in before:
            if after.get(name) != before[name]:
                (tmp_path / name).write_bytes(before[name])
    if failures:
        pytest.fail("\n\n".join(failures.values()), pytrace=False)
