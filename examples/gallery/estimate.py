"""One area by several methods, each with its interval."""

import numpy as np

import rocscope as rs
from rocscope import plotting

rng = np.random.default_rng(2)
ill = np.arange(80) % 4 == 0
score = rng.normal(size=80) + 1.5 * ill

methods = ("delong", "logit", "hanley-mcneil", "bamber", "bootstrap")
areas = [rs.auc(ill, score, method=method, rng=1) for method in methods]
print(*areas, sep="\n")
plotting.save(plotting.estimates(areas), "estimate.png", dpi=80)
part = rs.partial_auc(ill, score, fpr=(0, 0.2), standardize=True)
plotting.save(plotting.picture(part), "estimate_one.png", dpi=80)
