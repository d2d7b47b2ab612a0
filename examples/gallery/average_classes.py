"""Errors of three classes at many class weights, and the weights indistinguishable from the best."""

import numpy as np

import rocscope as rs
from rocscope import plotting

rng = np.random.default_rng(12)
names = np.array(["ape", "bee", "cat"])
codes = rng.integers(0, 3, 300)
outputs = rng.random((300, 3)) ** 2 + 0.4 * np.eye(3)[codes]
weights = rs.search_weights(codes, outputs, rng=1)

roc = rs.average_roc(names[codes], outputs, fold=np.arange(300) % 10, classes=names.tolist(), points=weights)
region = roc.indifference_region(roc.select())
print(region)
plotting.save(plotting.picture(region), "average_classes.png", dpi=80)
