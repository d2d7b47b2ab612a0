"""Two estimates of five ordered classes, compared class by class on the same cases."""

import numpy as np

import rocscope as rs
from rocscope import plotting

rng = np.random.default_rng(15)
grade = rng.integers(1, 6, 400)
estimates = {
    "new": grade + 0.6 * rng.normal(size=400),
    "old": grade + 0.9 * rng.normal(size=400),
}

result = rs.compare_ordinal(grade, estimates, n_boot=200, rng=1)
print(result)
plotting.save(plotting.picture(result), "ordinal_comparison.png", dpi=60)
