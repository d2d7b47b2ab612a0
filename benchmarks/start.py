"""How long a command takes to say something, against the import of numpy."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator

from benchmarks.timing import Ratio, best_of


def ratios() -> Iterator[Ratio]:
    """Whole processes: a list of commands, the help of one of them, and a missing argument."""

    def run(*arguments: str) -> float:
        command = [sys.executable, *arguments]
        return best_of(lambda: subprocess.run(command, capture_output=True, check=False), repeats=10)

    numpy = run("-c", "import numpy")
    for arguments, required in ((("--help",), 0.5), (("auc", "--help"), 0.3), (("auc",), 0.5)):
        task = f"rocscope {' '.join(arguments)}, whole process"
        yield Ratio(task, "python -c 'import numpy'", run("-m", "rocscope", *arguments), numpy, required)
