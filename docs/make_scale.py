"""Draw docs/pictures/scale.png: what to use for how many rows, and how exact it is.

python docs/make_scale.py
"""

from __future__ import annotations

from pathlib import Path

import matplotlib.pyplot as plt

EXACT, BOUNDED = "#33658a", "#c44536"
# What, rows from and to as powers of ten, exact or with a bound.
ROUTES = (
    ("arrays and data frames", 1, 8, EXACT),
    ("files, --memory-limit", 3, 10, EXACT),
    ("rocscope sql --exact", 3, 11, EXACT),
    ("dask", 7, 11, EXACT),
    ("rocscope sql --bins, from_query(tolerance=)", 5, 13, BOUNDED),
)


def main() -> None:
    """Draw one bar for each route."""
    figure, ax = plt.subplots(figsize=(8, 2.6), layout="constrained")
    for k, (name, low, high, colour) in enumerate(reversed(ROUTES)):
        ax.barh(k, high - low, left=low, color=colour, height=0.62)
        ax.text(low + 0.15, k, name, va="center", color="white", fontsize=9)
    ax.set_yticks([])
    ax.set_xticks(range(1, 14, 2), [f"$10^{{{k}}}$" for k in range(1, 14, 2)])
    ax.set_xlabel("rows")
    ax.spines[["left", "right", "top"]].set_visible(False)
    for name, colour in (("exact", EXACT), ("with a printed bound", BOUNDED)):
        ax.plot([], [], color=colour, lw=6, label=name)
    ax.legend(loc="lower left", frameon=False, fontsize=8, bbox_to_anchor=(0, 0))
    figure.savefig(Path(__file__).parent / "pictures" / "scale.png", dpi=130)


if __name__ == "__main__":
    main()
