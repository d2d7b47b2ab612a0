"""Two tests on the same patients under one binormal model, with the correlations within each class."""

import numpy as np

import rocscope as rs
from rocscope import plotting

rng = np.random.default_rng(16)
ill = np.arange(200) % 2 == 0
shared, own = rng.normal(size=200), rng.normal(size=(2, 200))
first, second = (np.round(2 * (0.7 * shared + 0.7 * own[k] + (1.5 - 0.5 * k) * ill)) for k in (0, 1))

result = rs.fit_binormal_pair(ill, first, second)
print(result)
plotting.save(plotting.picture(result), "binormal_pair.png", dpi=70)
