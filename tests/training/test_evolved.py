"""A formula evolved by genetic programming."""

import numpy as np
import pytest

from rocscope.errors import ResourceError
from rocscope.ordinal.roc import ordinal_roc
from rocscope.training import ordinal_scores as module
from rocscope.training.ordinal_scores import evolved_formula, ordinal_scores


def sample(n=200):
    rng = np.random.default_rng(1)
    X = rng.normal(size=(n, 3))
    signal = X[:, 0] + X[:, 1] * X[:, 2]
    return X, 1 + np.searchsorted(np.quantile(signal, [1 / 3, 2 / 3]), signal)


@pytest.mark.slow
def test_finds_a_product_that_no_line_does():
    pytest.importorskip("gplearn")
    from sklearn.linear_model import LinearRegression

    X, y = sample()
    one, two = (
        ordinal_scores(evolved_formula(population=200, generations=8), X, y, cv=2, rng=4) for _ in range(2)
    )
    assert one.y_pred.tolist() == two.y_pred.tolist()  # the seed reaches the evolution
    linear = ordinal_scores(LinearRegression(), X, y, cv=2, rng=4)
    assert ordinal_roc(one).vus > ordinal_roc(linear).vus + 0.1


def test_names_the_extra_that_is_missing(monkeypatch):
    def absent(name):
        raise ModuleNotFoundError(name="gplearn")

    monkeypatch.setattr("rocscope.errors.import_module", absent)
    with pytest.raises(ResourceError, match=r"genetic programming needs gplearn: .*rocscope\[studies\]"):
        module.evolved_formula()
