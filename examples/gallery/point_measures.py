"""What one threshold is worth: every measure with its interval, at the prevalence where it will be used."""

import numpy as np

import rocscope as rs
from rocscope import plotting

rng = np.random.default_rng(8)
ill = np.arange(300) % 3 == 0
score = rng.normal(size=300) + 1.6 * ill

result = rs.point_measures(ill, score, threshold=0.8, prevalence=0.1, cost=(1, 5))
print(result)
plotting.save(plotting.picture(result), "point_measures.png", dpi=80)
