"""Operating-point averaging: a mean and a variance at every threshold, and the indistinguishable points."""

import numpy as np

import rocscope as rs
from rocscope import plotting

rng = np.random.default_rng(11)
ill = np.arange(160) % 2 == 0
score = rng.normal(size=160) + 1.5 * ill
fold = np.arange(160) // 2 % 5

roc = rs.average_roc(ill, score, fold=fold)
chosen = roc.select("tpr>=0.8")
print(roc, roc.compare_to(chosen), sep="\n")
plotting.save(plotting.picture(roc.compare_to(chosen)), "average.png", dpi=80)
plotting.save(plotting.picture(roc, measures=["tpr"]), "average_one.png", dpi=80)
