"""A threshold chosen on the data: where would other samples have put it?"""

import numpy as np

import rocscope as rs
from rocscope import plotting

rng = np.random.default_rng(6)
ill = np.arange(200) % 4 == 0
score = np.round(rng.normal(size=200) + 1.4 * ill, 1)

result = rs.cutpoint(ill, score, rule="youden", rng=1)
print(result)
plotting.save(plotting.picture(result, name="the marker"), "cutpoint.png", dpi=80)
