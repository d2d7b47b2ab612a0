"""Ordered classes in parts: curves of one class, its front, thresholds between all, folds and estimates."""

import numpy as np
from sklearn.linear_model import LinearRegression

import rocscope as rs
from rocscope import plotting

rng = np.random.default_rng(14)
grade = rng.integers(1, 5, 400)
X = grade[:, np.newaxis] + rng.normal(size=(400, 2))

estimates = rs.ordinal_scores(LinearRegression(), X, grade, cv=5, rng=1)
result = rs.ordinal_roc(grade, estimates.y_pred, fold=estimates.fold, thresholds=5)
print(result)
plotting.save(plotting.picture(estimates), "ordinal_estimates.png", dpi=70)
plotting.save(plotting.picture(result.curves[1]), "ordinal_class.png", dpi=70)
plotting.save(plotting.picture(result.curves[1].best), "ordinal_curve.png", dpi=70)
plotting.save(plotting.picture(result.front[1]), "ordinal_front.png", dpi=70)
plotting.save(plotting.picture(result.thresholds), "ordinal_thresholds.png", dpi=70)
plotting.save(plotting.picture(result.folds), "ordinal_folds.png", dpi=70)
