"""Bias, coverage and error of kernel-smoothed ROC curves, by simulation.

    python validation/smoothing_simulation.py [TRIALS]

Two normal classes of n cases each, `apart` standard deviations from each other. Prints, for the empirical
and the smoothed curves, the bias of the area, the share of 95 % intervals that hold it, and the mean squared
error of the TPR over 25 values of FPR, times 10,000.
"""

import sys

import numpy as np
from scipy.special import ndtr, ndtri

from rocscope import auc, roc_curve, smooth_roc

TRIALS = int(sys.argv[1]) if len(sys.argv) > 1 else 800
FPR = np.linspace(0.02, 0.98, 25)


def main() -> None:
    """Print one line per setting and curve."""
    for apart in (1.0, 1.8):
        true, tpr = ndtr(apart / np.sqrt(2)), ndtr(apart + ndtri(FPR))
        for n in (20, 50, 200):
            rng, y = np.random.default_rng(n), np.repeat([1, 0], n)
            rows: dict[str, list[tuple[float, bool, float]]] = {}
            for _ in range(TRIALS):
                s = rng.normal(size=2 * n) + apart * y
                found = {"empirical": (auc(y, s, method="delong"), roc_curve(y, s))}
                for rule in ("silverman", "hall-hyndman"):
                    curve = smooth_roc(y, s, bandwidth=rule)
                    found[rule] = (curve.area, curve)
                for name, (area, curve) in found.items():
                    error = float(((curve.tpr_at(FPR) - tpr) ** 2).mean())
                    row = float(area) - true, area.low <= true <= area.high, 1e4 * error
                    rows.setdefault(name, []).append(row)
            for name, of_trials in rows.items():
                bias, coverage, error = np.mean(of_trials, axis=0)
                figures = f"bias {bias:+.4f}, coverage {coverage:.3f}, squared error {error:.1f}"
                print(f"apart {apart}, n {n}, {name}: {figures}")


if __name__ == "__main__":
    main()
