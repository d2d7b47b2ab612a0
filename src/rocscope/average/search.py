"""Search for good class weights, as in [1]_, section 4.3.

References
----------
.. [1] Paclik, Lai, Novovicova, Duin: Variance estimation for two-class and multi-class ROC analysis using
   operating point averaging, ICPR 2008.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from rocscope.average.objective import Goal, read_goal
from rocscope.average.sweep import sweep_rows
from rocscope.average.weighted import read_class_scores, weighted_confusion
from rocscope.core import checks
from rocscope.core.resample import Rng, as_generator
from rocscope.core.scores import ClassScores
from rocscope.errors import RocInputError

Floats = NDArray[np.float64]
# Standard deviation of the first step in each log weight; every further step is half as large.
FIRST_STEP = 0.5
SWEEP_CYCLES = 100


@dataclass(frozen=True, slots=True)
class Pool:
    """Weight vectors with the confusion matrices they give."""

    weights: Floats
    confusion: NDArray[np.int64]

    @classmethod
    def of(cls, data: ClassScores, weights: Floats) -> Pool:
        """Count the decisions of every weight vector."""
        return cls(weights, weighted_confusion(data.codes, data.scores, weights)[:, 0])

    def joined(self, other: Pool) -> Pool:
        """Both pools, this one first."""
        return Pool(
            np.concatenate([self.weights, other.weights]),
            np.concatenate([self.confusion, other.confusion]),
        )

    def best(self, goal: Goal, keep: int) -> Pool:
        """Return the best, best first; equal matrices are taken twice only where there are too few."""
        order = np.lexsort(goal.keys(self.confusion)[::-1])
        _, first = np.unique(self.confusion[order].reshape(len(order), -1), axis=0, return_index=True)
        repeated = np.ones(len(order), dtype=bool)
        repeated[first] = False
        chosen = np.sort(np.argsort(repeated, kind="stable")[:keep])
        return Pool(self.weights[order[chosen]], self.confusion[order[chosen]])


def search_weights(
    y_true: Any,
    y_score: Any = None,
    *,
    classes: Any = None,
    n_start: int = 1000,
    steps: int = 5,
    keep: int = 100,
    objective: Any = "max-class-error",
    constraints: Any = (),
    cost: Any = None,
    prevalence: Any = None,
    rng: Rng = None,
    refine: bool = False,
) -> Floats:
    """Search for class weights with a small objective, for decisions arg max w_c y_c ([1]_ section 4.3).

    Random weight vectors are tried and the best are kept. Then, step by step, the kept ones are moved at
    random by ever smaller amounts, and the best of old and new are kept.

    Parameters
    ----------
    y_true
        Label of each case; or all of the data, as a `ClassScores` or the result of `cross_scores`.
    y_score
        Outputs of at least 0, one column per class. Rows need not sum to one: densities are legal.
    classes
        The class of each column, in order. It may be left out where the labels are the numbers of the
        columns, 0 to C - 1, each at least once: the order of other labels is not guessed.
    n_start
        Weight vectors to begin with, and new ones per step: equal weights, and others drawn evenly from
        all with sum 1.
    steps
        How often the kept weights are moved. In the first step each log weight moves by a normal random
        number of standard deviation 0.5, in each later one by half as much as in the one before.
    keep
        How many weight vectors to keep at each step and to return.
    objective
        What to make small: "max-class-error", as in [1]_; the name of any other measure (of accuracies and
        other gains more is better); "error(a)", the error in class a; "rate(a,b)", the share of class a that
        is decided b; or a function that takes confusion matrices, shape (n, C, C), true by decided class,
        and returns n numbers.
    constraints
        Texts such as "error(a)<=0.1" or "rate(a,b)<=0.05". Weights that meet all of them are preferred to
        all others.
    cost, prevalence
        Costs (a matrix, true by decided class) for the measure "cost", and shares of the classes where the
        classifier will be used for the measures that depend on them.
    rng
        Source of chance.
    refine
        Whether to improve the kept weights by exact coordinate sweeps, see `sweep_weights`: slower, better,
        and of use with ten classes and more, where chance finds little.

    Returns
    -------
    array, shape (keep, C)
        Class weights with sum 1, best first; equal objectives are ordered by the mean of the class errors.
        Rows with the same confusion matrix come only where fewer than `keep` different ones were found.
        With constraints the first row meets them all; those that do not come last.

    Notes
    -----
    The objective of the best weights on the cases that chose them is too good; take fresh cases, or
    cross-validate the search as well.

    References
    ----------
    .. [1] Paclik, Lai, Novovicova, Duin: Variance estimation for two-class and multi-class ROC analysis
       using operating point averaging, ICPR 2008.

    Examples
    --------
    >>> y = ["a", "a", "b", "b", "c", "c"]
    >>> p = [[5, 4, 1], [4, 5, 1], [1, 8, 1], [2, 7, 1], [2, 4, 4], [1, 5, 4]]
    >>> weights = search_weights(y, p, classes=["a", "b", "c"], keep=10, rng=1)
    >>> weights.shape
    (10, 3)
    >>> from rocscope.core.points import ClassWeights
    >>> ClassWeights(weights[0], classes=["a", "b", "c"]).decide(p).tolist()
    ['a', 'a', 'b', 'b', 'c', 'c']
    """
    _check_sizes(n_start, steps, keep)
    data = read_class_scores(y_true, y_score, classes)
    goal = read_goal(
        objective, classes=data.classes, constraints=constraints, cost=cost, prevalence=prevalence
    )
    generator = as_generator(rng)
    pool = Pool.of(data, _random_weights(n_start, len(data.classes), generator))
    goal.check_defined(pool.confusion)
    pool = pool.best(goal, keep)
    for step in range(steps):
        moved = _moved(pool.weights, n_start, FIRST_STEP / 2**step, generator)
        pool = pool.joined(Pool.of(data, moved)).best(goal, keep)
    if refine:
        swept = sweep_rows(data, pool.weights, goal, max_cycles=SWEEP_CYCLES)
        pool = pool.joined(Pool.of(data, swept)).best(goal, keep)
    goal.check_reached(pool.confusion)
    return pool.weights


def _check_sizes(n_start: Any, steps: Any, keep: Any) -> None:
    checks.check_integer(n_start, name="n_start", low=1)
    checks.check_integer(steps, name="steps", low=0)
    checks.check_integer(keep, name="keep", low=1)
    if keep > n_start:
        raise RocInputError(f"keep must be at most n_start ({n_start}), got {keep}")


def _random_weights(n: int, n_classes: int, generator: Generator) -> Floats:
    """Equal weights, and others evenly distributed over all with sum 1 (Dirichlet with parameters 1)."""
    weights = generator.dirichlet(np.ones(n_classes), n)
    weights[0] = 1 / n_classes
    return weights


def _moved(weights: Floats, n: int, size: float, generator: Generator) -> Floats:
    """Weights near the given ones, each of which is used equally often."""
    near = weights[np.arange(n) % len(weights)]
    moved = near * np.exp(size * generator.standard_normal(near.shape))
    return np.asarray(moved / moved.sum(axis=1, keepdims=True))
