"""Size of the tests and coverage of the intervals of `compare_calibration`, by simulation.

    python validation/calibration_comparison.py [TRIALS]

Two models that see different halves of what decides: both calibrated and as good (the hypothesis of each test
holds); and probabilities that are right beside timid ones, 1/4 + p / 2, whose miscalibration is 1/48.
Prints, for 100 and 400 cases, the share of p-values below 0.05, and how often the interval of the difference
of miscalibrations holds -1/48.
"""

import sys

import numpy as np
from scipy.special import ndtr

from rocscope import compare_calibration

TRIALS = int(sys.argv[1]) if len(sys.argv) > 1 else 1000


def equal_models(rng: np.random.Generator, n: int) -> tuple[np.ndarray, dict[str, np.ndarray]]:
    """Outcomes, and the probabilities of them given the common part and one of two other parts."""
    common, one, other = rng.normal(size=(3, n))
    y = common + one + other + rng.normal(size=n) > 0
    return y, {"a": ndtr((common + one) / np.sqrt(2)), "b": ndtr((common + other) / np.sqrt(2))}


def timid_model(rng: np.random.Generator, n: int) -> tuple[np.ndarray, dict[str, np.ndarray]]:
    """Outcomes of probabilities, and these beside timid ones."""
    p = rng.random(n)
    return rng.random(n) < p, {"right": p, "timid": 0.25 + p / 2}


def main() -> None:
    """Print one line per number of cases."""
    for n in (100, 400):
        rng = np.random.default_rng(n)
        rejected, covered = np.zeros(3), 0
        for trial in range(TRIALS):
            y, models = equal_models(rng, n)
            rows = compare_calibration(y, models, n_boot=200, rng=trial).differences
            rejected += [row.p_value < 0.05 for row in rows]
            y, models = timid_model(rng, n)
            row = compare_calibration(y, models, n_boot=200, rng=trial).differences[2]
            covered += row.low <= -1 / 48 <= row.high
        sizes = ", ".join(
            f"{name} {share:.3f}"
            for name, share in zip(("Brier", "log", "miscalibration"), rejected / TRIALS, strict=True)
        )
        print(f"n = {n}: size at 0.05: {sizes}; coverage of -1/48 {covered / TRIALS:.3f}")


if __name__ == "__main__":
    main()
