"""Figure 2 of Marrocco et al. (ICIAP 2005): the area of a fused SVM and MLP, predicted and counted."""

import os
from pathlib import Path

import numpy as np
from sklearn.datasets import make_classification
from sklearn.model_selection import train_test_split
from sklearn.neural_network import MLPClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC

import rocscope as rs
from rocscope import plotting

if folder := os.environ.get("ROCSCOPE_DATA"):  # Pima Indians: diabetes or not
    table = np.loadtxt(Path(folder) / "pima" / "pima.csv", delimiter=",", skiprows=1)
    X, y = table[:, :-1], table[:, -1].astype(int)
else:
    X, y = make_classification(768, 8, n_informative=5, class_sep=0.5, flip_y=0.2, random_state=1)

# Half of the cases train the classifiers, a quarter fits their curves, a quarter counts the combinations.
train, rest = train_test_split(np.arange(len(y)), train_size=0.5, stratify=y, random_state=1)
fit, test = train_test_split(rest, train_size=0.5, stratify=y[rest], random_state=1)
svm = make_pipeline(StandardScaler(), SVC(kernel="linear")).fit(X[train], y[train])
mlp = MLPClassifier((5,), activation="logistic", solver="lbfgs", max_iter=5000, alpha=0.1, random_state=1)
mlp = make_pipeline(StandardScaler(), mlp).fit(X[train], y[train])


def outputs(rows):
    """Labels and the outputs of both classifiers."""
    scores = {"SVM": svm.decision_function(X[rows]), "MLP": mlp.predict_proba(X[rows])[:, 1]}
    return rs.BinaryScores.from_arrays(y[rows], scores)


result = rs.preview_fusion(outputs(fit), test=outputs(test), scale="latent")
print(result, result.optimum_correlated, *result.assumptions, sep="\n")
plotting.save(plotting.picture(result), "fusion.png", dpi=80)
