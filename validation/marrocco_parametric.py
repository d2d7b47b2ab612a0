"""Which reading of Marrocco et al. gives the parametric areas that they print, and why those of Pima differ.

    ROCSCOPE_DATA=folder python validation/marrocco_parametric.py [--runs 12] [--epochs 10000] [--seed 1]

Three questions:

1. What do the printed areas say about the two classifiers? For independent scores the deviate of a parametric
   area is (x d_1 + y d_2) / sqrt(x^2 + y^2) with x = w_1 s_1, y = w_2 s_2: three numbers, the areas of both
   classifiers alone and the ratio of their spreads s, are fitted to the 25 cells by least squares.
2. Which MLP gives them? The one of the study; and the one of NODElib as its public source has it: squared
   error, tanh for the hidden units and for the output, weights that begin between -1 and 1, the mean gradient
   of an epoch, a rate of 0.01, and a momentum of 0.9 unless it is set; with and without that momentum, and by
   conjugate gradients, which are its default. Each sees the features standardised, as the paper says, or as
   they come. The SVM sees them standardised.
3. Do the categories of the fit matter? Areas fitted to all truth-state runs, to at most 20, 10 and 5
   categories of about equal size, and by least squares. The scale of the outputs does not matter: a fit sees
   their order alone.
"""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path

import numba
import numpy as np
from scipy import optimize, special
from sklearn.metrics import roc_auc_score

import rocscope as rs
from rocscope.core.execution import Task, run_tasks, values_of
from rocscope.core.resampling import as_generator
from rocscope.papers import datasets, marrocco
from rocscope.papers.base import Options
from rocscope.papers.learners import RATE, linear_svm, small_mlp
from rocscope.run.study import seed_of
from rocscope.training.fitting import collected_warnings

HIDDEN = 5
TRAININGS = ("the study's", "mean, no momentum", "mean, momentum 0.9", "conjugate gradients")
FEATURES = ("standardised", "as they come")
READINGS = [
    (TRAININGS[0], FEATURES[0]),
    *((training, features) for training in TRAININGS[1:] for features in FEATURES),
]
CATEGORIES = (20, 10, 5)
WEIGHTS = [(svm, mlp) for _, _, svm, mlp in marrocco.cells()]


def printed(name: str, table: dict) -> np.ndarray:
    """The areas of a printed table; NaN where one cannot be read."""
    return np.array(table[name], dtype=np.float64).ravel()


def implied(areas: np.ndarray) -> tuple[np.ndarray, float]:
    """Areas of SVM and MLP alone and the ratio of their spreads behind parametric areas; the worst error."""
    svm, mlp = np.array(WEIGHTS).T

    def misfit(parameters: np.ndarray) -> np.ndarray:
        x, y = svm, mlp * np.exp(parameters[2])
        return special.ndtr((x * parameters[0] + y * parameters[1]) / np.hypot(x, y)) - areas

    found = min(
        (optimize.least_squares(misfit, [1.0, 0.5, s]) for s in (-1.0, 0.0, 1.0)), key=lambda r: r.cost
    )
    return np.array([*special.ndtr(found.x[:2]), np.exp(found.x[2])]), float(np.abs(found.fun).max())


@numba.njit
def output(w: np.ndarray, x: np.ndarray, units: np.ndarray) -> float:
    """Output of the perceptron with tanh units for one case; those of the units are written into `units`."""
    p, total = len(x), w[-1]
    for h in range(HIDDEN):
        inner = w[p * HIDDEN + h]
        for j in range(p):
            inner += x[j] * w[j * HIDDEN + h]
        units[h] = np.tanh(inner)
        total += w[(p + 1) * HIDDEN + h] * units[h]
    return np.tanh(total)


@numba.njit
def outputs(w: np.ndarray, X: np.ndarray) -> np.ndarray:
    """Outputs of the perceptron for all cases."""
    y, units = np.empty(len(X)), np.empty(HIDDEN)
    for i in range(len(X)):
        y[i] = output(w, X[i], units)
    return y


@numba.njit
def gradient(w: np.ndarray, X: np.ndarray, t: np.ndarray) -> tuple[float, np.ndarray]:
    """Mean of half the squared errors of all cases, and its derivatives by the weights."""
    n, p = X.shape
    error, slope, units = 0.0, np.zeros(len(w)), np.empty(HIDDEN)
    for i in range(n):
        y = output(w, X[i], units)
        error += (y - t[i]) ** 2 / 2
        d = (y - t[i]) * (1 - y) * (1 + y)
        slope[-1] += d
        for h in range(HIDDEN):
            slope[(p + 1) * HIDDEN + h] += d * units[h]
            back = d * w[(p + 1) * HIDDEN + h] * (1 - units[h]) * (1 + units[h])
            slope[p * HIDDEN + h] += back
            for j in range(p):
                slope[j * HIDDEN + h] += back * X[i, j]
    return error / n, slope / n


@numba.njit
def descend(w: np.ndarray, X: np.ndarray, t: np.ndarray, epochs: int, momentum: float) -> np.ndarray:
    """Weights after so many epochs."""
    step = np.zeros(len(w))
    for _ in range(epochs):
        step = momentum * step - RATE * gradient(w, X, t)[1]
        w = w + step
    return w


def perceptron(
    X: np.ndarray, positive: np.ndarray, train: np.ndarray, training: str, epochs: int, state: int
) -> np.ndarray:
    """Outputs for all cases of an MLP that was trained on some."""
    if training == "the study's":
        gradient_of, activation = marrocco.TRAININGS[marrocco.MAIN.partition(",")[0]]
        model = small_mlp(
            int(train.sum()), gradient=gradient_of, activation=activation, epochs=epochs, state=state
        )
        with collected_warnings():  # it is to stop after so many epochs, converged or not
            model.fit(X[train], positive[train])
        return model.predict_proba(X)[:, 1] * 2 - 1
    start = np.random.default_rng(state).uniform(-1, 1, (X.shape[1] + 2) * HIDDEN + 1)
    cases = np.ascontiguousarray(X[train]), np.where(positive[train], 1.0, -1.0)
    if training == "conjugate gradients":
        end = optimize.minimize(
            gradient, start, args=cases, jac=True, method="CG", options={"maxiter": epochs}
        ).x
    else:
        end = descend(start, *cases, epochs, 0.9 if training.endswith("0.9") else 0.0)
    return outputs(end, X)


def coarse(scores: np.ndarray, most: int) -> np.ndarray:
    """Scores in at most so many categories of about equal size."""
    return np.searchsorted(np.quantile(scores, np.arange(1, most) / most), scores, side="right")


def hold_out(
    X: np.ndarray, raw: np.ndarray, positive: np.ndarray, key: str, options: argparse.Namespace
) -> dict:
    """Areas of one hold-out: of each reading (parametric, counted), of the MLP, and by kind of fit."""
    rng = as_generator(seed_of(options.seed, key))
    part = marrocco.deal(positive, rng)
    state = int(rng.integers(2**31 - 1))
    train, valid, test = (part == k for k in range(3))
    svm = linear_svm(X[train]).fit(X[train], positive[train]).decision_function(X)
    first = rs.fit_binormal(positive[valid], svm[valid])
    areas, alone, fits = [], [], []
    for training, features in READINGS:
        mlp = perceptron(
            X if features == "standardised" else raw, positive, train, training, options.epochs, state
        )
        second = rs.fit_binormal(positive[valid], mlp[valid])
        known = second.auc is not None
        predicted = rs.predicted_auc([first, second], WEIGHTS) if known else np.full(len(WEIGHTS), np.nan)
        counted = [roc_auc_score(positive[test], a * svm[test] + b * mlp[test]) for a, b in WEIGHTS]
        areas.append([predicted, counted])
        alone.append(second.auc if known else np.nan)
        if (training, features) == READINGS[0]:
            kinds = [second, *(rs.fit_binormal(positive[valid], coarse(mlp[valid], k)) for k in CATEGORIES)]
            kinds.append(rs.fit_binormal(positive[valid], mlp[valid], method="least-squares"))
            fits = [np.nan if fit.auc is None else fit.auc for fit in kinds]
    return {"areas": areas, "alone": alone, "fits": fits}


def differences(found: np.ndarray, areas: np.ndarray) -> str:
    """Mean, largest, root mean square difference to printed areas, and how many are within one SD."""
    known = found[~np.isnan(found).any(axis=1)]
    off, sd = known.mean(axis=0) - areas, known.std(axis=0, ddof=1)
    off, sd = off[~np.isnan(off)], sd[~np.isnan(off)]
    largest = off[np.abs(off).argmax()]
    within = f"{(np.abs(off) <= sd).sum()}/{len(off)}"
    return f"{off.mean():+.4f} | {largest:+.4f} | {np.sqrt(np.mean(off**2)):.4f} | {within}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=marrocco.RUNS)
    parser.add_argument("--epochs", type=int, default=marrocco.EPOCHS)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=1)
    options = parser.parse_args()
    folder = Path(os.environ["ROCSCOPE_DATA"])
    data = marrocco.make(Options(size="full", data=folder)).shared
    raw = {name: datasets.load_dataset(marrocco.DATA[name][0], folder).X for name in data}
    tasks = [
        Task(f"{name}/{run}", hold_out, (X, raw[name], positive, f"{name}/{run}", options))
        for name, (X, positive) in data.items()
        for run in range(options.runs)
    ]

    def show(done: int, total: int) -> None:
        print(f"{done} of {total} hold-outs", file=sys.stderr, flush=True)

    every = values_of(run_tasks(tasks, n_jobs=options.jobs, progress=show))
    print(f"{options.runs} hold-outs of each data set, seed {options.seed}, {options.epochs:,} epochs.\n")
    print("Behind the printed parametric areas:\n")
    print(
        "| data set | SVM alone | MLP alone | spread of MLP to SVM | largest error |",
        "|---|--:|--:|--:|--:|",
        sep="\n",
    )
    for name in data:
        values, worst = implied(printed(name, marrocco.PARAMETRIC))
        print(f"| {name} | {values[0]:.4f} | {values[1]:.4f} | {values[2]:.3f} | {worst:.4f} |")
    figures = " | largest | RMS | within SD"
    print(f"\n| data set | MLP | features | MLP alone | A_p - printed{figures} | A_z - printed{figures} |")
    print("|---|---|---" + "|--:" * 9 + "|")
    for k, name in enumerate(data):
        runs = every[k * options.runs : (k + 1) * options.runs]
        areas, alone = np.array([run["areas"] for run in runs]), np.array([run["alone"] for run in runs])
        for r, reading in enumerate(READINGS):
            of_both = [
                differences(areas[:, r, column], printed(name, table))
                for column, table in enumerate((marrocco.PARAMETRIC, marrocco.EMPIRICAL))
            ]
            print(
                f"| {name} | {' | '.join(reading)} | {np.nanmean(alone[:, r]):.3f} | {' | '.join(of_both)} |"
            )
    names = ["all runs", *(f"{k} categories" for k in CATEGORIES), "least squares"]
    print("\nMean area of the study's MLP by kind of fit:\n\n| data set | " + " | ".join(names) + " |")
    print("|---" + "|--:" * len(names) + "|")
    for k, name in enumerate(data):
        fits = np.nanmean([run["fits"] for run in every[k * options.runs : (k + 1) * options.runs]], axis=0)
        print(f"| {name} | " + " | ".join(f"{area:.4f}" for area in fits) + " |")


if __name__ == "__main__":
    main()
