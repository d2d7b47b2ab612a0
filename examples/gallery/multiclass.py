"""Areas of a classifier of four classes: every pair of classes, and their average."""

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
