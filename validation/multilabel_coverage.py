"""Coverage of the intervals of `multiclass_auc` for labels and for micro averages, by simulation.

    python validation/multilabel_coverage.py [TRIALS]

Four labels with shares of positives of about 0.5, 0.31, 0.16 and 0.10 that go together, and scores that share
a part of their noise; and three classes of fixed sizes with a micro average. The true values are those of
100,000 cases. Prints how often the 95 % intervals hold them, and the standard deviation of the values beside
the root mean square of the standard errors.
"""

import sys

import numpy as np

from rocscope import multiclass_auc

TRIALS = int(sys.argv[1]) if len(sys.argv) > 1 else 1000
LARGE = 100_000


def labels(rng: np.random.Generator, n: int) -> tuple[np.ndarray, np.ndarray]:
    """Which labels each case has, and their scores."""
    common = rng.normal(size=(n, 1))
    y = 0.7 * common + rng.normal(size=(n, 4)) > [0.0, 0.6, 1.2, 1.56]
    return y, 0.9 * y + 0.8 * rng.normal(size=(n, 1)) + rng.normal(size=(n, 4))


def classes(rng: np.random.Generator, n: int) -> tuple[np.ndarray, np.ndarray]:
    """Classes of n / 2, n / 3 and the rest, and their scores."""
    y = np.repeat([0, 1, 2], [n // 2, n // 3, n - n // 2 - n // 3])
    scores = rng.gamma(1, size=(n, 3)) + 0.8 * np.eye(3)[y] * rng.gamma(1, size=(n, 1))
    return y, scores * rng.gamma(3, size=(n, 1))


def main() -> None:
    """Print one line per average and number of cases."""
    settings = [(labels, {"average": name}) for name in ("macro", "weighted", "micro", "samples")]
    settings.append((classes, {"average": "micro", "scheme": "ovr"}))
    for make, how in settings:
        rng = np.random.default_rng(1)
        true = multiclass_auc(*make(rng, LARGE), missing="drop", **how).value
        for n in (60, 100, 300):
            found = [multiclass_auc(*make(rng, n), missing="drop", **how) for _ in range(TRIALS)]
            held = np.mean([one.low <= true <= one.high for one in found])
            sd, se = np.std([one.value for one in found]), np.sqrt(np.mean([one.se**2 for one in found]))
            print(
                f"{make.__name__}, {how['average']}, n {n}: {held:.3f}, SD {sd:.4f}, standard error {se:.4f}"
            )


if __name__ == "__main__":
    main()
