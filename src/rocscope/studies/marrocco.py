"""Marrocco, Molinara and Tortorella (ICIAP 2005): tables 2 to 4 and figures 1 to 4.

A linear SVM and a small MLP are trained on half of a data set; their binormal curves, fitted on a quarter,
predict the area under any weighted sum of the two, which is counted on the last quarter. One task is one
hold-out of one data set.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.random import Generator, SeedSequence
from numpy.typing import NDArray

from rocscope.binormal.fusion import preview_fusion
from rocscope.binormal.fusion_scale import SCALES
from rocscope.core.fitting import collected_warnings
from rocscope.core.resample import as_generator
from rocscope.errors import UndefinedError
from rocscope.run.study import Study, StudyTask
from rocscope.sources.datasets import load_dataset
from rocscope.studies import marrocco_told
from rocscope.studies.base import Options, Told, load_at_hand
from rocscope.studies.learners import linear_svm, small_mlp
from rocscope.studies.marrocco_notes import MAIN

Floats = NDArray[np.float64]
Cases = tuple[Floats, NDArray[np.bool_]]
# Short name, data set, and the labels of the positive class.
DATA = {"german": ("german_numeric", (2,)), "pima": ("pima", (1,)), "cmc": ("cmc", (2, 3))}
RUNS, EPOCHS = 12, 10_000
QUICK_RUNS, QUICK_EPOCHS = 3, 1_000
# What the paper leaves open about the MLP: what its rate multiplies, its hidden units, its output.
TRAININGS = {"mean": ("mean", "logistic"), "sum": ("sum", "logistic"), "sum-tanh": ("sum", "tanh")}
OUTPUTS = ("0 to 1", "-1 to 1")


def make(options: Options) -> Study:
    """List the tasks; a data set that cannot be had is left out, and one at least must be there."""
    found, notes = load_at_hand(DATA, lambda name: _cases(name, options))
    runs, epochs = (QUICK_RUNS, QUICK_EPOCHS) if options.is_quick else (RUNS, EPOCHS)
    tasks = [
        StudyTask(
            key=f"{name}/{run}",
            function=hold_out,
            parameters={"dataset": name, "epochs": epochs},
            shared=(name,),
        )
        for name in found
        for run in range(runs)
    ]
    parameters = {"size": options.size, "datasets": list(found)}
    return Study(
        name="marrocco",
        tasks=tuple(tasks),
        seed=options.seed,
        parameters=parameters,
        shared=found,
        notes=notes,
    )


def _cases(name: str, options: Options) -> Cases:
    """Standardised features, and which cases are positive."""
    dataset, labels = DATA[name]
    found = load_dataset(dataset, options.data)
    X = (found.X - found.X.mean(axis=0)) / found.X.std(axis=0)
    # OpenML's versions have text for labels.
    return X, np.isin(_codes(found.y), labels)


def _codes(labels: NDArray[Any]) -> NDArray[np.int64]:
    words = {"tested_negative": 0, "tested_positive": 1}
    return np.array([words[one] if one in words else int(float(one)) for one in labels.tolist()])


def deal(positive: NDArray[np.bool_], rng: Generator) -> NDArray[np.int64]:
    """Deal the cases of each class: one half trains (0), a quarter fits curves (1), a quarter tests (2).

    Examples
    --------
    >>> parts = deal(np.repeat([False, True], [8, 4]), np.random.default_rng(0))
    >>> np.bincount(parts).tolist(), np.bincount(parts[8:]).tolist()
    ([6, 3, 3], [2, 1, 1])
    """
    part = np.empty(len(positive), dtype=np.int64)
    for of_class in (positive, ~positive):
        rows = rng.permutation(np.flatnonzero(of_class))
        half = -(-len(rows) // 2)  # an odd case trains: so table 1 has it
        for number, dealt in enumerate(np.split(rows, [half, (half + len(rows)) // 2])):
            part[dealt] = number
    return part


def hold_out(dataset: str, epochs: int, seed: SeedSequence, **shared: Cases) -> dict[str, Any]:
    """Train both, and preview their weighted sums under every reading of the paper.

    Returns
    -------
    dict
        Of each reading: the three columns of a preview by direction, on the raw scale and for one of them on
        the others; correlations; and outputs of the validation cases, for figure 4.
    """
    X, positive = shared[dataset]
    rng = as_generator(seed)
    part = deal(positive, rng)
    state = int(rng.integers(2**31 - 1))
    svm = linear_svm(X[part == 0]).fit(X[part == 0], positive[part == 0])
    margin = svm.decision_function(X)
    found: dict[str, Any] = {}
    for training in TRAININGS:
        output = _mlp_output(X, positive, part == 0, training, epochs, state)
        for kind in OUTPUTS:
            mlp = 2 * output - 1 if kind == OUTPUTS[1] else output
            reading = f"{training}, {kind}"
            scales = SCALES if reading == MAIN else ("raw",)
            found[reading] = {scale: _preview(positive, part, margin, mlp, scale) for scale in scales}
            if reading == MAIN:
                found["validation"] = _validation(positive, part, margin, mlp)
    return found


def _mlp_output(
    X: Floats, positive: NDArray[np.bool_], train: NDArray[np.bool_], training: str, epochs: int, state: int
) -> Floats:
    gradient, activation = TRAININGS[training]
    model = small_mlp(int(train.sum()), gradient=gradient, activation=activation, epochs=epochs, state=state)
    with collected_warnings():  # it is to stop after so many epochs, converged or not
        model.fit(X[train], positive[train])
    if model.n_iter_ < epochs:  # scikit-learn takes an interrupt for the end of the training
        raise KeyboardInterrupt
    output: Floats = model.predict_proba(X)[:, 1]
    return output


def _preview(
    positive: NDArray[np.bool_], part: NDArray[np.int64], svm: Floats, mlp: Floats, scale: str
) -> dict[str, Any]:
    fit, test = part == 1, part == 2
    try:
        shown = preview_fusion(
            positive[fit], svm[fit], mlp[fit], test=(positive[test], svm[test], mlp[test]), scale=scale
        )
    except UndefinedError as error:  # without a curve there is no latent scale
        return {"values": None, "rho": None, "reason": str(error)}
    first = np.unique(shown.direction, return_index=True)[1]
    rho = None if shown.pair is None else [shown.pair.rho_neg, shown.pair.rho_pos]
    return {"values": shown.values()[first], "rho": rho, "reason": shown.reason}


def _validation(
    positive: NDArray[np.bool_], part: NDArray[np.int64], svm: Floats, mlp: Floats
) -> dict[str, Any]:
    fit = part == 1
    return {"positive": positive[fit], "SVM": svm[fit], "MLP": mlp[fit]}


def tell(results: Mapping[str, Any], options: Options) -> Told:
    """Put tables 2 to 4 beside ours, count the runs whose best and worst weights were foreseen, draw."""
    return marrocco_told.tell(results, options)
