"""Figure 3 of Paclik et al. (ICPR 2008): errors of three classes at many class weights."""

import os
from pathlib import Path

import numpy as np
from sklearn.decomposition import PCA
from sklearn.discriminant_analysis import QuadraticDiscriminantAnalysis
from sklearn.pipeline import make_pipeline

import rocscope as rs
from rocscope import plotting

rng = np.random.default_rng(1)
if folder := os.environ.get("ROCSCOPE_DATA"):  # digits 2, 3 and 5, described by six morphological features
    table = np.loadtxt(Path(folder) / "mfeat_mor" / "mfeat_mor_235.csv", delimiter=",", skiprows=1)
    X, y = table[:, :-1], table[:, -1].astype(int)
else:
    y = np.repeat([2, 3, 5], 200)
    X = rng.normal(size=(600, 6)) * [1, 2, 1, 1, 1, 1] + 1.5 * np.eye(6)[y]

# 100 cases of each class, as in the paper; projected on three directions, then a Gaussian for each class.
rows = np.concatenate([rng.choice(np.flatnonzero(y == name), 100, replace=False) for name in (2, 3, 5)])
model = make_pipeline(PCA(3), QuadraticDiscriminantAnalysis())
scores = rs.cross_scores(model, X[rows], y[rows], rng=1)

roc = rs.average_roc(scores, points=rs.search_weights(scores, rng=1))
print(roc)
compared = roc.compare_to(roc.select())  # the smallest of the largest class errors
print(compared)
plotting.save(plotting.picture(compared), "figure3.png")
