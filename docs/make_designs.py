"""Draw docs/pictures/designs.png: six designs of a study, and the argument that each needs.

python docs/make_designs.py
"""

from __future__ import annotations

from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.axes import Axes
from matplotlib.patches import Ellipse, Rectangle

POSITIVE, NEGATIVE, LINE = "#c44536", "#33658a", "#9aa5b1"


def dots(ax: Axes, x: np.ndarray, y: np.ndarray, positive: np.ndarray, size: float | np.ndarray = 42) -> None:
    """Draw cases, positives in one colour and negatives in another."""
    colours = np.where(positive, POSITIVE, NEGATIVE)
    ax.scatter(x, y, s=size, c=colours, edgecolors="white", linewidths=0.6, zorder=3)


def classes(rng: np.random.Generator, n: int) -> np.ndarray:
    """Return classes of n cases, one half of them positive."""
    return np.asarray(rng.permutation(n) < n / 2)


def independent(ax: Axes, rng: np.random.Generator) -> None:
    """Draw one case per person."""
    x, y = (grid.ravel() for grid in np.meshgrid(np.arange(6) + 0.5, np.arange(4) + 0.5))
    dots(ax, x, y, classes(rng, 24))


def clusters(ax: Axes, rng: np.random.Generator) -> None:
    """Draw several cases per person."""
    for k, n in enumerate((3, 1, 4, 2, 4, 3)):
        x, y = 1 + 2 * (k % 3), 1 + 2 * (k // 3)
        ax.add_patch(Ellipse((x, y), 1.7, 1.6, fill=False, color=LINE, lw=1.2))
        angle = np.arange(n) * 2 * np.pi / n + k
        reach = 0.0 if n == 1 else 0.4
        dots(ax, x + reach * np.cos(angle), y + reach * np.sin(angle), classes(rng, n))


def weights(ax: Axes, rng: np.random.Generator) -> None:
    """Draw cases that stand for unequal numbers of people."""
    x, y = (grid.ravel() for grid in np.meshgrid(np.arange(6) + 0.5, np.arange(4) + 0.5))
    dots(ax, x, y, classes(rng, 24), rng.choice([12, 42, 150], 24))


def folds(ax: Axes, rng: np.random.Generator) -> None:
    """Draw cases that were scored by the model of their fold."""
    for k in range(3):
        ax.add_patch(Rectangle((2 * k + 0.1, 0.1), 1.8, 3.8, fill=k == 1, color=LINE, alpha=0.35, lw=1.2))
        x, y = (grid.ravel() for grid in np.meshgrid(2 * k + np.array([0.6, 1.4]), np.arange(4) + 0.5))
        dots(ax, x, y, classes(rng, 8))


def subgroups(ax: Axes, rng: np.random.Generator) -> None:
    """Draw two groups of cases side by side."""
    for left, width in ((0.1, 3.8), (4.1, 1.8)):
        ax.add_patch(Rectangle((left, 0.1), width, 3.8, fill=False, color=LINE, lw=1.2))
        places = np.arange(left + 0.4, left + width, 1.0)
        x, y = (grid.ravel() for grid in np.meshgrid(places, np.arange(4) + 0.5))
        dots(ax, x, y, classes(rng, x.size))


def readers(ax: Axes, rng: np.random.Generator) -> None:
    """Draw the same cases read by three readers."""
    positive = classes(rng, 6)
    for reader in range(3):
        y = 3.3 - 1.3 * reader
        ax.plot([0.3, 5.7], [y, y], color=LINE, lw=1.2, zorder=1)
        dots(ax, np.arange(6) + 0.5, np.full(6, y), positive)


PANELS = (
    ("One case per person", "auc(y, s)", independent),
    ("Several cases per person", "groups=person", clusters),
    ("Cases that stand for many", "sample_weight=w", weights),
    ("Cross-validated scores", "cross_auc(y, s, fold=fold)", folds),
    ("Groups to compare", "auc_by(y, s, by=site)", subgroups),
    ("Several readers", "reader_study(...)", readers),
)


def main() -> None:
    """Write the picture."""
    rng = np.random.default_rng(3)
    figure, axes = plt.subplots(2, 3, figsize=(8.4, 5.2), layout="constrained")
    for ax, (title, call, draw) in zip(axes.flat, PANELS, strict=True):
        draw(ax, rng)
        ax.set(xlim=(0, 6), ylim=(-0.05, 4.05), aspect="equal")
        ax.set_title(title, fontsize=10.5, loc="left")
        ax.text(0, -0.3, call, family="monospace", fontsize=9, va="top")
        ax.axis("off")
    folder = Path(__file__).parent / "pictures"
    figure.savefig(folder / "designs.png", dpi=150)


if __name__ == "__main__":
    main()
