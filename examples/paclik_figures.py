"""Figures 1 and 2 of Paclik et al. (ICPR 2008): an ROC with variances, and the indistinguishable points."""

from dataclasses import replace

import numpy as np

import rocscope as rs
from rocscope import plotting


def highleyman(n, seed):
    """Two Gaussian classes, n cases of each."""
    rng = np.random.default_rng(seed)
    first = rng.multivariate_normal([1, 1], [[1, 0], [0, 0.25]], size=n)
    second = rng.multivariate_normal([2, 0], [[0.01, 0], [0, 4]], size=n)
    return np.vstack([first, second]), np.repeat(["class 1", "class 2"], n)


def averaged(n):
    """Ten folds of a Gaussian model of class 1, decided at 30 thresholds on its density."""
    X, y = highleyman(n, seed=4)
    return rs.average_roc(rs.cross_scores(rs.GaussianDetector(), X, y, target="class 1", rng=1))


plotting.save(plotting.picture(averaged(100)), "figure1.png")

panels = []
for n in (50, 200):
    roc = averaged(n)
    compared = roc.compare_to(roc.select("tpr>=0.9"), measures="fpr")  # the paper compares the FPR
    print(f"{n} cases of each class: {compared}")
    panels.append(replace(plotting.picture(compared).panels[0], title=f"{n} cases of each class"))
plotting.save(plotting.Picture(panels=tuple(panels), columns=2), "figure2.png")
