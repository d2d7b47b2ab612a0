"""The precision-recall curve with its band, where one case in ten is positive."""

import numpy as np

import rocscope as rs
from rocscope import plotting

rng = np.random.default_rng(9)
ill = np.arange(400) % 2 == 0
score = rng.normal(size=400) + 1.5 * ill

result = rs.precision_recall(ill, score, prevalence=0.1, rng=1)
print(result)
plotting.save(plotting.picture(result, name="marker"), "precision_recall.png", dpi=80)
