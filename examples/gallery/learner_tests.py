"""Two learners over the same folds: every test of their mean difference."""

import numpy as np
from sklearn.datasets import make_classification
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.naive_bayes import GaussianNB

import rocscope as rs
from rocscope import plotting

X, y = make_classification(200, 6, n_informative=4, class_sep=0.7, flip_y=0.2, random_state=4)
learners = {"bayes": GaussianNB(), "linear": LinearDiscriminantAnalysis()}
found = rs.compare_algorithms(learners, {"noisy": (X, np.asarray(y))}, folds=10)

tests = found.tests_of("noisy", "bayes", "linear")
alone = rs.paired_tests([0.81, 0.76, 0.9, 0.84], [0.78, 0.77, 0.85, 0.8], n_train=90, n_test=30)
print(alone)
plotting.save(plotting.picture(tests), "learner_tests.png", dpi=80)
plotting.save(plotting.picture(alone), "learner_tests_alone.png", dpi=80)
plotting.save(plotting.picture(alone["corrected-t"]), "learner_tests_one.png", dpi=80)
