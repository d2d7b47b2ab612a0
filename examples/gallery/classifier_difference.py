"""Two classifiers over the same folds, at the same FPR and at the same TPR: differences with paired tests."""

import numpy as np

import rocscope as rs
from rocscope import plotting

rng = np.random.default_rng(12)
ill = np.arange(300) % 2 == 0
fold = np.arange(300) // 2 % 10
first = rng.normal(size=300) + 1.8 * ill
second = 0.5 * first + rng.normal(size=300) + 0.4 * ill

a, b = (rs.average_roc(ill, score, fold=fold, points="all") for score in (first, second))
found = a.compare_with(b, at=["fpr=0.1", "tpr=0.9"], names=("first", "second"), method="corrected")
print(found)
plotting.save(plotting.picture(found), "classifier_difference.png", dpi=60)
