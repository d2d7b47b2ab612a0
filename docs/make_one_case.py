"""What one case does to the estimates: AUC(*) follows it smoothly, the apparent AUC and its mixtures jump.

Linear discriminants on 15 cases per class in two features, the same 500 bootstrap replicates throughout. One
positive case is moved along the first feature; then it stays, and its weight grows: it is drawn more often,
trains more, and counts more where it is left out. The largest step of each estimate is printed; the picture
is docs/pictures/one_case.png.

Run from anywhere: .venv/bin/python docs/make_one_case.py
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocscope import plotting
from rocscope.bootstrap.point632 import point632, point632plus_auc
from rocscope.plotting.layout import with_legend
from rocscope.plotting.marks import Axis, Line, Panel, Picture

N, CASE, REPLICATES = 15, 25, 500  # the negatives come first
NAMES = {
    "apparent": "Apparent AUC",
    "leave_one_out": "Leave-one-out",
    "star": "AUC(*)",
    "point632": ".632",
    "point632plus": ".632+",
}
POSITIVE = np.repeat([False, True], N)
PICTURE = Path(__file__).parent / "pictures" / "one_case.png"
Floats = NDArray[np.float64]


def scores(X: Floats, trained: NDArray[Any]) -> Floats:
    """Log likelihood ratios, (rows, cases), by the discriminant of each row of training weights."""
    neg, pos = np.where(POSITIVE, 0, trained), np.where(POSITIVE, trained, 0)
    means = [w @ X / w.sum(axis=1, keepdims=True) for w in (neg, pos)]
    scatter: Any = 0.0
    for weights, mean in zip((neg, pos), means, strict=True):
        away = X - mean[:, np.newaxis]
        scatter = scatter + np.einsum("bi,bij,bik->bjk", weights, away, away)
    covariance = scatter / (trained.sum(axis=1)[:, np.newaxis, np.newaxis] - 2)
    direction = np.linalg.solve(covariance, (means[1] - means[0])[..., np.newaxis])[..., 0]
    middle = (direction * (means[0] + means[1])).sum(axis=1, keepdims=True) / 2
    return np.asarray(direction @ X.T - middle)


def areas(values: Floats, weights: NDArray[Any]) -> Floats:
    """AUC of each row, its cases weighted; cases of weight 0 are not there."""
    pos, neg = values[:, POSITIVE, np.newaxis], values[:, np.newaxis, ~POSITIVE]
    right = (pos > neg) + 0.5 * (pos == neg)
    pairs = weights[:, POSITIVE, np.newaxis] * weights[:, np.newaxis, ~POSITIVE]
    return np.asarray((pairs * right).sum(axis=(1, 2)) / pairs.sum(axis=(1, 2)))


def estimates(X: Floats, counts: NDArray[np.int64], weight: float = 1.0) -> dict[str, float]:
    """All estimates, with this weight on the one case."""
    own = np.where(np.arange(2 * N) == CASE, weight, 1.0)[np.newaxis]
    apparent = float(areas(scores(X, own), own)[0])
    left_out = areas(scores(X, counts), (counts == 0) * own)
    # How much likelier each replicate is when the case is drawn `weight` times as often as another.
    likelier = weight ** counts[:, CASE] * (N / (N - 1 + weight)) ** N
    star = float(likelier @ left_out / likelier.sum())
    others = own * (1 - np.eye(2 * N))
    return {
        "apparent": apparent,
        "leave_one_out": float(areas(np.diag(scores(X, others))[np.newaxis], own)[0]),
        "star": star,
        "point632": float(point632(apparent, star)),
        "point632plus": float(point632plus_auc(apparent, star)),
    }


def draw_replicates(rng: np.random.Generator) -> NDArray[np.int64]:
    """How often each case is drawn, class by class; some of each class are always left out."""
    counts = np.hstack([rng.multinomial(N, np.full(N, 1 / N), size=REPLICATES) for _ in range(2)])
    out = counts == 0
    return np.asarray(counts[out[:, :N].any(axis=1) & out[:, N:].any(axis=1)])


def panel(title: str, label: str, x: Floats, rows: list[dict[str, float]]) -> Panel:
    """Every estimate along x."""
    lines = [
        Line(x=x, y=np.array([row[name] for row in rows]), role="curve", series=k, label=text)
        for k, (name, text) in enumerate(NAMES.items())
    ]
    sys.stdout.write(f"{title}\n")
    for name, text in NAMES.items():
        steps = np.abs(np.diff([row[name] for row in rows]))
        sys.stdout.write(f"  {text:14} largest step {steps.max():.4f}\n")
    return Panel(marks=tuple(lines), x=Axis(label=label), y=Axis(label="AUC"), title=title)


def main() -> None:
    """Move the case, give it weight, and draw what the estimates do."""
    rng = np.random.default_rng(1)
    noise, counts = rng.normal(size=(2 * N, 2)), draw_replicates(rng)
    places, panels = np.linspace(-4, 4, 401), []
    for shift, title in ((0.8, "A case moves"), (0.15, "A case moves, AUC(*) near 0.5")):
        X = noise + shift * POSITIVE[:, np.newaxis]
        rows = []
        for place in places:
            moved = X.copy()
            moved[CASE, 0] = place
            rows.append(estimates(moved, counts))
        panels.append(panel(title, "First feature of the case", places, rows))
    X, weights = noise + 0.8 * POSITIVE[:, np.newaxis], np.linspace(0.05, 4, 396)
    rows = [estimates(X, counts, weight) for weight in weights]
    panels.insert(1, panel("A case gains weight", "Weight of the case", weights, rows))
    first, *others = panels  # the legend of the first serves all
    PICTURE.unlink(missing_ok=True)
    plotting.save(Picture(panels=(with_legend(first), *others), columns=3), PICTURE, dpi=70)


if __name__ == "__main__":
    main()
