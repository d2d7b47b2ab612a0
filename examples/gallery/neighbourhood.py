"""Ten classes at one point: decisions with standard errors, and what each class loses to each other one."""

import numpy as np
from sklearn.datasets import load_digits
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis

import rocscope as rs
from rocscope import plotting

X, y = load_digits(return_X_y=True)
noise = np.random.default_rng(0).normal(size=(1797, 22)) * 2
scores = rs.cross_scores(LinearDiscriminantAnalysis(), X[:, ::3] + noise, y, rng=1)
weights = rs.search_weights(scores, rng=1)[0]

found = rs.weight_neighbourhood(scores, weights=weights)
print(found)
plotting.save(plotting.picture(found), "neighbourhood.png", dpi=70)
plotting.save(plotting.picture(found, show=8), "neighbourhood_of_8.png", dpi=60)
# What the weights change, against equal ones.
roc = rs.average_roc(scores, points=[weights, np.ones(10)])
plotting.save(plotting.picture(roc.confusion_rates(0, minus=1)), "confusion_difference.png", dpi=60)
