"""Three classifiers on the same cases: who is right where the other is wrong?"""

import numpy as np

import rocscope as rs
from rocscope import plotting

rng = np.random.default_rng(3)
ill = rng.random(200) < 0.4
signal = rng.normal(size=200) + 1.5 * ill
decided = {
    "protein": signal > 0.8,
    "old assay": signal + rng.normal(size=200) > 0.8,
    "rating": np.round(signal + 0.5 * rng.normal(size=200)) > 1,
}

result = rs.compare_decisions(ill, decided)
print(result)
plotting.save(plotting.picture(result), "decisions.png", dpi=80)
