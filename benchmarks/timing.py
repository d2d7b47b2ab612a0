"""How a benchmark is timed and shown."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Ratio:
    """Our best time against a peer's on the same task and data."""

    task: str
    peer: str
    ours: float
    theirs: float
    required: float | None = None

    @property
    def value(self) -> float:
        """How many times faster we are."""
        return self.theirs / self.ours


def best_of(call: Callable[[], Any], *, repeats: int = 7, warm_up: bool = True) -> float:
    """Least seconds of several calls: the one that the rest of the machine disturbed least."""
    if warm_up:
        call()
    times = []
    for _ in range(repeats):
        start = time.perf_counter()
        call()
        times.append(time.perf_counter() - start)
    return min(times)


def markdown(ratios: list[Ratio]) -> str:
    """Show ratios as a Markdown table, times in milliseconds."""
    lines = [
        "| task | rocscope (ms) | peer | peer (ms) | times faster | required |",
        "|---|--:|---|--:|--:|--:|",
    ]
    for r in ratios:
        required = f"{r.required:g}" if r.required is not None else ""
        times = f"{r.ours * 1e3:.3g} | {r.peer} | {r.theirs * 1e3:.3g}"
        lines.append(f"| {r.task} | {times} | {r.value:.1f} | {required} |")
    return "\n".join(lines)
