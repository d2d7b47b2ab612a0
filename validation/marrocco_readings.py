"""How far the counted areas of Marrocco et al. are from the printed ones, by reading of the paper.

    ROCSCOPE_DATA=folder python validation/marrocco_readings.py [--runs 3] [--epochs 10000] [--seed 1]

The paper says neither what the rate of its MLP multiplies, nor its hidden units, nor where its output ranges,
nor the C of its SVM. Here all of it is crossed, 24 readings: the mean gradient of an epoch, its sum, or the
mean of batches of 64; logistic or tanh units; outputs from 0 or from -1 to 1; SVMlight's default C or C = 1.
Hold-outs are drawn by another seed than those of `rocscope reproduce marrocco`. The distance of a reading is
the root mean square, over the cells of tables 2 to 4, of the difference between the mean counted area of the
hold-outs and the printed one; how much farther it is than the reading of the
study comes with a jackknife error over the hold-outs, all readings having the same ones.
"""

from __future__ import annotations

import argparse
import os
import sys
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.metrics import roc_auc_score

from rocscope.core.execution import Task, run_tasks, values_of
from rocscope.core.resampling import as_generator
from rocscope.papers import marrocco
from rocscope.papers.base import Options
from rocscope.papers.learners import RATE, linear_svm, small_mlp
from rocscope.run.study import seed_of
from rocscope.training.fitting import collected_warnings

BATCH = 64
GRADIENTS, ACTIVATIONS = ("mean", "sum", "batches"), ("logistic", "tanh")
PENALTIES = ("SVMlight's", "1")
READINGS = list(product(GRADIENTS, ACTIVATIONS, marrocco.OUTPUTS, PENALTIES))
# What `rocscope reproduce marrocco` runs, and what its tables show.
STUDIED = [
    (*pair, output, "SVMlight's") for pair in marrocco.TRAININGS.values() for output in marrocco.OUTPUTS
]
MAIN = ("sum", "tanh", "-1 to 1", "SVMlight's")


def perceptron(n_train: int, gradient: str, activation: str, epochs: int, state: int) -> Any:
    """The MLP of the study, or the same one trained by batches."""
    model = small_mlp(n_train, gradient=gradient, activation=activation, epochs=epochs, state=state)
    if gradient == "batches":
        model.set_params(batch_size=BATCH, learning_rate_init=RATE)
    return model


def hold_out(X: np.ndarray, positive: np.ndarray, key: str, seed: int, epochs: int) -> np.ndarray:
    """Counted areas of one hold-out: (readings, cells of a table)."""
    rng = as_generator(seed_of(seed, key))
    part = marrocco.deal(positive, rng)
    state = int(rng.integers(2**31 - 1))
    train, test = part == 0, part == 2
    margins = {}
    for penalty in PENALTIES:
        svm = linear_svm(X[train])
        if penalty == "1":
            svm.set_params(C=1.0)
        margins[penalty] = svm.fit(X[train], positive[train]).decision_function(X[test])
    outputs = {}
    for gradient, activation in product(GRADIENTS, ACTIVATIONS):
        model = perceptron(int(train.sum()), gradient, activation, epochs, state)
        with collected_warnings():  # it is to stop after so many epochs, converged or not
            model.fit(X[train], positive[train])
        outputs[gradient, activation] = model.predict_proba(X[test])[:, 1]
    areas = []
    for gradient, activation, output, penalty in READINGS:
        share = outputs[gradient, activation]
        mlp = 2 * share - 1 if output == "-1 to 1" else share
        sums = [svm * margins[penalty] + weight * mlp for _, _, svm, weight in marrocco.cells()]
        areas.append([roc_auc_score(positive[test], one) for one in sums])
    return np.array(areas)


def printed(name: str) -> np.ndarray:
    """Empirical areas of the paper's table of a data set; NaN where it cannot be read."""
    return np.array(marrocco.EMPIRICAL[name], dtype=np.float64).ravel()


def distance(differences: np.ndarray) -> np.ndarray:
    """Root mean square over the last axis, cells that cannot be read left out."""
    return np.sqrt(np.nanmean(np.square(differences), axis=-1))


def show(done: int, total: int) -> None:
    """Say how far it is: this takes a while."""
    print(f"{done} of {total} hold-outs", file=sys.stderr)


def counted(options: argparse.Namespace) -> dict[str, np.ndarray]:
    """Differences to the printed areas of every data set at hand: (runs, readings, cells)."""
    data = marrocco.make(Options(size="full", data=Path(os.environ["ROCSCOPE_DATA"]))).shared
    tasks = [
        Task(f"{name}/{run}", hold_out, (*data[name], f"{name}/{run}", options.seed, options.epochs))
        for name in data
        for run in range(options.runs)
    ]
    found = np.array(values_of(run_tasks(tasks, n_jobs=options.jobs, progress=show)))
    stacked = found.reshape(len(data), options.runs, len(READINGS), -1)
    return {name: areas - printed(name) for name, areas in zip(data, stacked, strict=True)}


def farther(differences: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """By how much readings are farther than the study's, and its jackknife error."""
    runs = len(differences)
    kept = [differences, *(np.delete(differences, k, axis=0) for k in range(runs))]
    distances = np.array([distance(one.mean(axis=0)) for one in kept])
    whole, *left_out = distances - distances[:, [READINGS.index(MAIN)]]
    return whole, np.sqrt((runs - 1) * np.var(left_out, axis=0))


def table(found: dict[str, np.ndarray]) -> list[str]:
    """One line for each reading, the nearest first; the study's are marked by stars, its main one by two."""
    joined = np.concatenate(list(found.values()), axis=-1)
    means = joined.mean(axis=0)
    more, errors = farther(joined)
    lines = []
    for row in np.argsort(distance(means), kind="stable"):
        reading = READINGS[row]
        mark = "**" if reading == MAIN else "*" if reading in STUDIED else ""
        own = [distance(one.mean(axis=0)[row]) for one in found.values()]
        numbers = [*own, np.nanmax(np.abs(means[row]))]
        words = [f"{mark}{reading[0]}{mark}", *reading[1:], f"{distance(means[row]):.4f}"]
        words.append("" if reading == MAIN else f"{more[row]:+.4f} ({errors[row]:.4f})")
        lines.append("| " + " | ".join([*words, *(f"{one:.4f}" for one in numbers)]) + " |")
    return lines


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--epochs", type=int, default=marrocco.EPOCHS)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=1)
    options = parser.parse_args()
    found = counted(options)
    print(f"{options.runs} hold-outs of each data set, seed {options.seed}, {options.epochs:,} epochs.\n")
    names = ["gradient", "units", "output", "C", "all", "farther than the study's", *found, "largest"]
    print("| " + " | ".join(names) + " |", "|---|---|---|---" + "|--:" * (len(names) - 4) + "|", sep="\n")
    print(*table(found), sep="\n")


if __name__ == "__main__":
    main()
