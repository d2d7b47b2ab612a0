"""Areas of a classifier of four classes, and of one of ten: every pair of classes, and their average."""

import numpy as np

import rocscope as rs
from rocscope import plotting

rng = np.random.default_rng(10)
names = np.array(["ant", "bee", "cat", "dog"])
codes = rng.integers(0, 4, 320)
outputs = rng.random((320, 4)) + 0.35 * np.eye(4)[codes]

result = rs.multiclass_auc(names[codes], outputs, classes=names.tolist())
print(result)
plotting.save(plotting.picture(result), "multiclass.png", dpi=80)

codes = rng.integers(0, 10, 900)
outputs = rng.random((900, 10)) + 0.3 * np.eye(10)[codes]
result = rs.multiclass_auc(codes, outputs)
plotting.save(plotting.picture(result), "multiclass_of_10.png", dpi=70)
