"""Figures 1 to 7 of Aslan, Yildiz and Alpaydin (2009): what the AUC test and the error test see."""

import os
from pathlib import Path

import numpy as np
from sklearn.datasets import make_classification
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier

import rocscope as rs
from rocscope import plotting
from rocscope.plotting.algorithms import distributions

tree, linear = DecisionTreeClassifier(min_samples_leaf=5), LogisticRegression(max_iter=1000)
learners = {"tree": tree, "linear": make_pipeline(StandardScaler(), linear), "naive Bayes": GaussianNB()}
data, folder = {}, os.environ.get("ROCSCOPE_DATA")
for name, share in (("wave", 0.5), ("pageblock", 0.9)):  # made data where the paper's are not at hand
    data[name] = make_classification(1200, 12, weights=[share], class_sep=0.6, random_state=3)
    if folder:
        table = np.loadtxt(Path(folder, name, f"{name}_2class.csv.gz"), delimiter=",", skiprows=1)
        data[name] = table[:, :-1], table[:, -1].astype(int)

found = rs.compare_algorithms(learners, data, folds=30, rng=1)
print(found, "", found.ranks["auc"], sep="\n")
plotting.save(plotting.picture(rs.loss_curves(found, "wave")), "aslan_figure_1.png", dpi=80)

examples = {verdict.case: verdict for verdict in found.verdicts[::-1]}  # the first of each case
for number, case in enumerate(found.cases(), start=2):
    if verdict := examples.get(case):
        names = verdict.first, verdict.second
        both = rs.algorithm_pair(found, verdict.dataset, *names)
        plotting.save(plotting.picture(both), f"aslan_figure_{number}.png", dpi=80)
        if number in (3, 5):  # only AUC rejects, both reject: with the intervals of one training
            fits = [rs.fold_distribution(found, verdict.dataset, name) for name in names]
            plotting.save(distributions(fits), f"aslan_figure_{6 if number == 3 else 7}.png", dpi=80)
