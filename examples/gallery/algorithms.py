"""Three learning algorithms on two data sets: tests of area and error, ranks, folds and losses."""

from sklearn.datasets import make_classification
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier

from rocscope import plotting
from rocscope.algorithms.comparison import compare_algorithms
from rocscope.algorithms.distribution import algorithm_pair, fold_distribution
from rocscope.algorithms.losses import loss_curves

tree = DecisionTreeClassifier(max_depth=4, random_state=1)
algorithms = {"bayes": GaussianNB(), "linear": LinearDiscriminantAnalysis(), "tree": tree}
datasets = {
    name: make_classification(200, 6, n_informative=4, class_sep=0.7, flip_y=flip, random_state=4)
    for name, flip in (("clean", 0.05), ("noisy", 0.3))
}

result = compare_algorithms(algorithms, datasets, folds=10)
print(result)
plotting.save(plotting.picture(result), "algorithms.png", dpi=70)
plotting.save(plotting.picture(result.ranks["auc"]), "algorithms_ranks.png", dpi=70)
plotting.save(
    plotting.picture(algorithm_pair(result, "noisy", "bayes", "tree")), "algorithms_pair.png", dpi=70
)
plotting.save(plotting.picture(fold_distribution(result, "noisy", "tree")), "algorithms_folds.png", dpi=70)
plotting.save(plotting.picture(loss_curves(result, "noisy")), "algorithms_losses.png", dpi=70)
