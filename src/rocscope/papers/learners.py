"""The learners of papers [1]_ and [2]_: for each the closest well-kept implementation, and what differs.

References
----------
.. [1] O. Aslan, O. T. Yildiz, E. Alpaydin, "Statistical comparison of classifiers using area under the
   ROC curve", 2009, section IV.A.
.. [2] C. Marrocco, M. Molinara, F. Tortorella, "Estimating the ROC curve of linearly combined
   dichotomizers", ICIAP 2005, section 3.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

# Learners of [1], in its order, and how ours differ from its.
DIFFERENCES = {
    "C4.5": "entropy tree of scikit-learn with C4.5's pessimistic pruning (certainty factor 0.25, two cases "
    "in a leaf): binary splits by gain instead of its ratio, no raised subtrees",
    "LP": "softmax and cross-entropy on standardised features, minimised by L-BFGS instead of so many steps "
    "of gradient descent; a ridge penalty (C = 1) keeps weights finite where classes can be separated",
    "k-NN": "k of 1, 3, 5, 7, 11, 21 by least validation error, features standardised; over left-out folds "
    "a tenth of the training cases chooses k",
    "NB": "Gaussian naive Bayes of scikit-learn, also for the 0/1 columns of text features",
    "Ripper": "features cut at up to nine quantiles, where Cohen's tries all places; the bits of exceptions "
    "as in C4.5; posteriors are Laplace estimates of the first rule that covers a case",
}

# Learning rate of the MLP of [2].
RATE = 0.01


def paper_learners() -> dict[str, Any]:
    """The five learners of [1]_.

    Examples
    --------
    >>> list(paper_learners())
    ['C4.5', 'LP', 'k-NN', 'NB', 'Ripper']
    """
    from sklearn.linear_model import LogisticRegression
    from sklearn.naive_bayes import GaussianNB
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler

    from rocscope.papers._classifiers import PrunedTree, Ripper, TunedNeighbours

    return {
        "C4.5": PrunedTree(),
        "LP": make_pipeline(StandardScaler(), LogisticRegression(max_iter=1000)),
        "k-NN": TunedNeighbours(),
        "NB": GaussianNB(),
        "Ripper": Ripper(),
    }


def linear_svm(X: NDArray[np.float64]) -> Any:
    """A linear support vector machine with the C that SVMlight takes for these training cases [2]_.

    Examples
    --------
    >>> linear_svm(np.array([[1.0, 1.0], [1.0, -1.0]])).C
    0.5
    """
    from sklearn.svm import SVC

    return SVC(kernel="linear", C=float(1 / np.square(X).sum(axis=1).mean()))


def small_mlp(n_train: int, *, gradient: str, activation: str, epochs: int, state: int) -> Any:
    """A perceptron of five hidden units, trained by plain back-propagation over whole epochs [2]_.

    Its rate of 0.01 multiplies the mean gradient of the training cases, or their "sum". There is no
    momentum, no penalty and no early stop.

    Examples
    --------
    >>> small_mlp(200, gradient="sum", activation="tanh", epochs=10_000, state=0).learning_rate_init
    2.0
    """
    from sklearn.neural_network import MLPClassifier

    return MLPClassifier(
        hidden_layer_sizes=(5,),
        activation=activation,
        solver="sgd",
        learning_rate_init=RATE * n_train if gradient == "sum" else RATE,
        momentum=0,
        alpha=0,
        batch_size=n_train,
        max_iter=epochs,
        n_iter_no_change=epochs,
        random_state=state,
    )


def one_hot(X: NDArray[np.float64], is_text: NDArray[np.bool_]) -> NDArray[np.float64]:
    """Numbers as they are, a missing one as the median; of text a 0/1 column for each value.

    Of two values one column is enough.

    Examples
    --------
    >>> X = np.array([[1.0, 0.0, 1.0], [np.nan, 1.0, 0.0], [3.0, 2.0, 0.0]])
    >>> one_hot(X, np.array([False, True, True])).tolist()
    [[1.0, 1.0, 0.0, 0.0, 1.0], [2.0, 0.0, 1.0, 0.0, 0.0], [3.0, 0.0, 0.0, 1.0, 0.0]]
    """
    columns: list[NDArray[np.float64]] = []
    for column, text in zip(X.T, is_text, strict=True):
        absent = np.isnan(column)
        if text:
            values = np.unique(column)
            columns += [
                (column == value).astype(np.float64)
                for value in (values[-1:] if len(values) <= 2 else values)
            ]
        elif absent.any():
            middle = 0.0 if absent.all() else np.median(column[~absent])
            columns.append(np.where(absent, middle, column))
        else:
            columns.append(column)
    return np.column_stack(columns)
