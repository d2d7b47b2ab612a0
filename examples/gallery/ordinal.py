"""A set of ROC curves for each of five ordered classes."""

import numpy as np

import rocscope as rs
from rocscope import plotting

rng = np.random.default_rng(14)
grade = rng.integers(1, 6, 600)
estimate = grade + 0.7 * rng.normal(size=600)

result = rs.ordinal_roc(grade, estimate, classes=[1, 2, 3, 4, 5])
print(result)
plotting.save(plotting.picture(result), "ordinal.png", dpi=60)
