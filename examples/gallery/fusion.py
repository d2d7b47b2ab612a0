"""Is it worth combining two classifiers, and with which weights? Predicted, and counted."""

import numpy as np

import rocscope as rs
from rocscope import plotting

rng = np.random.default_rng(17)
ill = np.arange(500) % 2 == 0
shared, own = rng.normal(size=500), rng.normal(size=(2, 500))
first, second = 0.5 * shared + own[0] + 1.2 * ill, 0.5 * shared + own[1] + 0.8 * ill

result = rs.preview_fusion(ill, first, second)
print(result)
plotting.save(plotting.picture(result), "fusion.png", dpi=70)
plotting.save(plotting.picture(result, show="angle"), "fusion_angle.png", dpi=80)
