"""The ROC curve of a weighted sum of two classifiers: predicted, counted, and those of both alone."""

import numpy as np
import pandas as pd

import rocscope as rs
from rocscope import plotting

rng = np.random.default_rng(17)
ill = np.arange(500) % 2 == 0
shared, own = rng.normal(size=500), rng.normal(size=(2, 500))
scores = pd.DataFrame({"svm": 0.8 * shared + own[0] + 1.2 * ill, "mlp": 0.8 * shared + own[1] + 0.8 * ill})

result = rs.preview_fusion(ill, scores["svm"], scores["mlp"]).curve([0.4, 0.6])
print(result)
plotting.save(plotting.picture(result), "fusion_curve.png", dpi=70)
