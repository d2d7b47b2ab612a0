"""Where two ROC curves cross: each classifier is the better one somewhere."""

import numpy as np

import rocscope as rs
from rocscope import plotting

rng = np.random.default_rng(5)
ill = np.arange(600) % 2 == 0
narrow = rng.normal(size=600) * np.where(ill, 0.5, 1.0) + 1.0 * ill
wide = rng.normal(size=600) * np.where(ill, 2.2, 1.0) + 1.6 * ill
first, second = rs.roc_curve(ill, np.round(narrow)), rs.roc_curve(ill, np.round(wide))

result = rs.crossings(first, second)
print(result)
shown = plotting.picture(result, first=first, second=second, names=("narrow", "wide"))
plotting.save(shown, "crossings.png", dpi=80)
