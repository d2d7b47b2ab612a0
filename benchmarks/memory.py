"""Peak memory of single calls, each in a process of its own (Linux)."""

from __future__ import annotations

import subprocess
import sys

# The peak of the process during the call, less what it held before: compiled code's arrays count as well.
SCRIPT = """
from pathlib import Path
import rocscope as rs
from benchmarks.area import scores
import numpy as np

made = {{}}

def clusters(n):
    return made.setdefault(n, np.random.default_rng(1).integers(0, n // 10, n))

def peak():
    status = Path("/proc/self/status").read_text()
    return int(status.split("VmHWM:")[1].split()[0]) * 1024

y, a, b = scores(100_000)
{call}  # kernels are compiled
y, a, b = scores({n})
clusters({n})
Path("/proc/self/clear_refs").write_text("5")  # the peak starts anew
before = peak()
{call}
print((peak() - before) / {n})
"""
CALLS = {
    "AUC and DeLong interval": "rs.auc(y, a)",
    "two curves, paired DeLong": 'rs.compare_auc(y, {"a": a, "b": b})',
    "partial area by DeLong's method": 'rs.partial_auc(y, a, fpr=(0, 0.1), method="delong")',
    "AUC of clusters of ten": "rs.auc(y, a, groups=clusters(y.size))",
    "band, 8 bootstrap replicates": "rs.roc_band(y, a, method='bootstrap', n_boot=8, rng=1)",
}


def bytes_per_row(call: str, n: int) -> float:
    """Bytes per row that a call adds to the peak of a fresh process, the input not counted."""
    script = SCRIPT.format(n=n, call=call)
    run = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    return float(run.stdout)


def table() -> str:
    """Show bytes per row at two sizes: memory is O(n) if they agree."""
    lines = ["| task | n | bytes per row at peak |", "|---|--:|--:|"]
    for task, call in CALLS.items():
        for n in (2_000_000, 5_000_000):
            lines.append(f"| {task} | {n:,} | {bytes_per_row(call, n):.0f} |")
    return "\n".join(lines)
