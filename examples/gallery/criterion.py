"""The criterion table as a picture: sensitivity and specificity at every threshold, with intervals."""

import numpy as np

import rocscope as rs
from rocscope import plotting

rng = np.random.default_rng(7)
ill = np.arange(200) % 2
marker = np.round(rng.normal(size=200) + 1.5 * ill, 1)

result = rs.roc_curve(ill, marker).coords()
print(result)
plotting.save(plotting.picture(result), "criterion.png", dpi=80)
