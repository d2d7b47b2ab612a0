"""Vertical averaging of the curves of ten folds, for comparison with operating-point averaging."""

import numpy as np

import rocscope as rs
from rocscope import plotting

rng = np.random.default_rng(13)
ill = np.arange(400) % 4 == 0
score = rng.normal(size=400) + 1.5 * ill

result = rs.average_curves(ill, score, fold=rng.permutation(400) % 10, along="fpr")
print(result)
plotting.save(plotting.picture(result), "averaged_curve.png", dpi=80)
