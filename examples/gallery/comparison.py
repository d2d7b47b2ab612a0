"""Three markers on the same patients: which areas differ?"""

import numpy as np

import rocscope as rs
from rocscope import plotting

rng = np.random.default_rng(4)
ill = np.arange(240) % 3 == 0
signal = rng.normal(size=240) + 1.2 * ill
markers = {
    "protein": signal + 0.3 * rng.normal(size=240),
    "old assay": signal + 0.9 * rng.normal(size=240),
    "rating": np.round(signal + 0.8 * rng.normal(size=240)),
}

result = rs.compare_auc(ill, markers)
print(result)
plotting.save(plotting.picture(result), "comparison.png", dpi=80)
