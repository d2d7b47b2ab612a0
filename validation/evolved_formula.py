"""How good a formula gplearn evolves on the synthetic set of `reproduce winkler`, and how long it takes.

    python validation/evolved_formula.py [RUNS]

R^2 on a second set and seconds of the processor for a fit to 2,000 cases: gplearn's regressor as it comes,
its transformer as it comes behind a linear regression, and the settings of `evolved_formula`.
"""

import sys
import time

import numpy as np
from gplearn.genetic import SymbolicRegressor, SymbolicTransformer
from sklearn.linear_model import LinearRegression
from sklearn.pipeline import make_pipeline

from rocscope.papers.winkler import model_of, synthetic
from rocscope.training.ordinal_scores import evolved_formula

RUNS = int(sys.argv[1]) if len(sys.argv) > 1 else 5
SIZE = {"population_size": 500, "generations": 10}
LEARNERS = {
    "quadratic regression": lambda seed: model_of("quadratic regression"),
    "random forest": lambda seed: model_of("random forest").set_params(random_state=seed),
    "gplearn, regressor": lambda seed: SymbolicRegressor(**SIZE, random_state=seed),
    "gplearn, transformer": lambda seed: make_pipeline(
        SymbolicTransformer(
            **SIZE, hall_of_fame=10, n_components=1, stopping_criteria=1.0, random_state=seed
        ),
        LinearRegression(),
    ),
    "evolved_formula": lambda seed: evolved_formula().set_params(symbolictransformer__random_state=seed),
}


def main():
    print("| learner | R^2, least | median | largest | seconds |\n|---|--:|--:|--:|--:|")
    X, y = synthetic(np.random.default_rng(1))
    new_X, new_y = synthetic(np.random.default_rng(2))
    for name, make in LEARNERS.items():
        shares, seconds = [], []
        for seed in range(RUNS):
            start = time.process_time()
            estimates = make(seed).fit(X, y).predict(new_X)
            seconds.append(time.process_time() - start)
            shares.append(1 - ((estimates - new_y) ** 2).mean() / new_y.var())
        low, mid, high = np.quantile(shares, [0, 0.5, 1])
        print(f"| {name} | {low:.2f} | {mid:.2f} | {high:.2f} | {np.mean(seconds):.1f} |", flush=True)


if __name__ == "__main__":
    main()
