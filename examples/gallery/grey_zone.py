"""Two cut-offs, one that rules out and one that rules in: who stays undecided between them?"""

import numpy as np

import rocscope as rs
from rocscope import plotting

rng = np.random.default_rng(12)
ill = np.repeat([0, 1], 120)
score = rng.normal(size=240) + 1.6 * ill

result = rs.grey_zone(ill, score, sensitivity=0.95, specificity=0.95, rng=1)
print(result)
plotting.save(plotting.picture(result, name="the marker"), "grey_zone.png", dpi=80)
