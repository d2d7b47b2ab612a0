"""All that the scores of two markers allow, in one call: its curves, its results, its page."""

import numpy as np

import rocscope as rs
from rocscope import plotting

rng = np.random.default_rng(1)
ill = rng.random(200) < 0.4
markers = {"protein": rng.normal(size=200) + 1.5 * ill, "rating": np.round(rng.normal(size=200) + ill)}

result = rs.analyse(ill, markers, fold=np.arange(200) % 5, select="tpr>=0.9", n_boot=200, rng=1)
print(result)
plotting.save(plotting.picture(result), "analysis.png", dpi=80)
