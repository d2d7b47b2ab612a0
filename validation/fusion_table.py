"""Which prediction is closer to the counted area of a fused SVM and MLP: for docs/fusion.md.

    ROCSCOPE_DATA=folder python validation/fusion_table.py [RUNS]

The experiment of Marrocco, Molinara and Tortorella (ICIAP 2005): German credit, Pima and CMC (57.3 %
positive: labels 2 and 3); a linear SVM and an MLP with five hidden units, trained on half of each class;
binormal curves fitted on a quarter, the combinations counted on the last quarter; 12 such splits unless RUNS
says otherwise. Features are standardised on the training half. The outputs added up are the SVM's decision
function and the MLP's probability. Two ways to train the MLP: gradient descent over all cases, 10,000 epochs
at a rate of 0.01, as the paper's words can be read, which stops near a linear model; and L-BFGS to its end,
which overfits, as the paper's tables suggest that theirs did.
"""

import os
import sys
import warnings
from pathlib import Path

import numpy as np
from sklearn.exceptions import ConvergenceWarning
from sklearn.model_selection import train_test_split
from sklearn.neural_network import MLPClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC

from rocscope.binormal.fusion import preview_fusion

RUNS = int(sys.argv[1]) if len(sys.argv) > 1 else 12
EPOCHS, RATE = 10_000, 0.01
SETS = {
    "German": ("german_numeric/german_numeric.csv", [2]),
    "Pima": ("pima/pima.csv", [1]),
    "CMC": ("cmc/cmc.csv", [2, 3]),
}
SCALES = ("raw", "matched", "latent")
HEADS = (
    "\n| set | scale | counted | error ind. | error corr. | size ind. | size corr. | corr. closer | "
    "tau ind. | tau corr. | loss ind. | loss corr. | loss 1:1 |\n|---|---|" + "--:|" * 11,
    "| set | scale | independent: best, worst (range) | correlated | counted |\n|---|---|---|---|---|",
)


def read(path, positive):
    lines = path.read_text().splitlines()[1:]
    table = np.array([[float(cell) for cell in line.split(",")] for line in lines])
    return table[:, :-1], np.isin(table[:, -1], positive).astype(int)


def models(how, n_train, seed):
    trained = {
        "descent": {
            "solver": "sgd",
            "batch_size": n_train,
            "learning_rate_init": RATE,
            "momentum": 0.0,
            "max_iter": EPOCHS,
            "tol": 0.0,
            "n_iter_no_change": EPOCHS,
        },
        "lbfgs": {"solver": "lbfgs", "max_iter": 2000},
    }
    mlp = MLPClassifier((5,), activation="logistic", alpha=0.0, random_state=seed, **trained[how])
    return make_pipeline(StandardScaler(), SVC(kernel="linear")), make_pipeline(StandardScaler(), mlp)


def outputs(X, y, how, seed):
    """Outputs of both models on the fitting and on the test quarter."""
    train, rest = train_test_split(np.arange(len(y)), train_size=0.5, stratify=y, random_state=seed)
    fit, test = train_test_split(rest, train_size=0.5, stratify=y[rest], random_state=seed)
    svm, mlp = (model.fit(X[train], y[train]) for model in models(how, len(train), seed))
    return [
        (y[part], svm.decision_function(X[part]), mlp.predict_proba(X[part])[:, 1]) for part in (fit, test)
    ]


def figures(found):
    """What one run says about each prediction, and about choosing weights by it."""
    even = found.empirical[np.argmax(found.weights[:, 0] == found.weights[:, 1])]
    best = found.best("empirical").value
    summary = {"empirical": found.empirical.mean(), "even": best - even}
    for k, by in enumerate(("independent", "correlated")):
        row = found.agreement[k]
        summary |= {
            f"{by} error": row.mean_error,
            f"{by} size": row.mean_abs_error,
            f"{by} kendall": np.nan if row.kendall is None else row.kendall,
            f"{by} loss": found.best(by).loss,
        }
    summary |= {"rho_neg": found.pair.rho_neg, "rho_pos": found.pair.rho_pos}
    return summary | {"svm": found.first.auc, "mlp": found.second.auc}


def run(name, how, folder):
    X, y = read(Path(folder) / SETS[name][0], SETS[name][1])
    summary, tables, skipped = {scale: [] for scale in SCALES}, {scale: [] for scale in SCALES}, 0
    for seed in range(RUNS):
        fit, test = outputs(X, y, how, seed)
        found = {scale: preview_fusion(*fit, test=test, scale=scale) for scale in SCALES}
        if any(one.status != "ok" for one in found.values()):
            skipped += 1
            continue
        for scale, one in found.items():
            summary[scale].append(figures(one))
            tables[scale].append(one.values())
    return summary, {scale: np.mean(found, axis=0) for scale, found in tables.items()}, one.weights, skipped


def row(name, scale, runs):
    def mean(key):
        return float(np.nanmean([one[key] for one in runs]))

    def spread(key):
        return float(np.std([one[key] for one in runs], ddof=1)) / np.sqrt(len(runs))

    closer = sum(one["correlated size"] < one["independent size"] for one in runs)
    cells = [
        f"{mean('empirical'):.4f}",
        f"{mean('independent error'):+.3f} ({spread('independent error'):.3f})",
        f"{mean('correlated error'):+.3f} ({spread('correlated error'):.3f})",
        f"{mean('independent size'):.4f}",
        f"{mean('correlated size'):.4f}",
        f"{closer} of {len(runs)}",
        f"{mean('independent kendall'):.2f}",
        f"{mean('correlated kendall'):.2f}",
        f"{mean('independent loss'):.4f}",
        f"{mean('correlated loss'):.4f}",
        f"{mean('even'):.4f}",
    ]
    return f"| {name} | {scale} | " + " | ".join(cells) + " |"


def extremes(name, scale, values, weights):
    """Best and worst weights of the mean tables, as the paper compares them."""
    summary = []
    for k in range(3):
        ends = [weights[choose(values[:, k].round(12))] for choose in (np.argmax, np.argmin)]
        summary.append(", ".join(f"{a:g}:{b:g}" for a, b in ends) + f" ({np.ptp(values[:, k]):.3f})")
    return f"| {name} | {scale} | " + " | ".join(summary) + " |"


def main():
    folder = os.environ.get("ROCSCOPE_DATA")
    if not folder:
        sys.exit("ROCSCOPE_DATA must name the folder of the data sets")
    warnings.simplefilter("ignore", ConvergenceWarning)  # the number of epochs is the paper's
    for how in ("descent", "lbfgs"):
        first, second = [], []
        for name in SETS:
            summary, tables, weights, skipped = run(name, how, folder)
            for scale in SCALES:
                first.append(row(name, scale, summary[scale]))
                second.append(extremes(name, scale, tables[scale], weights))
            print(f"{how}, {name}: {about(summary['raw'])}; {skipped} of {RUNS} splits left out", flush=True)
        print(HEADS[0], *first, "", HEADS[1], *second, sep="\n", end="\n\n", flush=True)


def about(runs):
    svm, mlp, neg, pos = (np.mean([one[key] for one in runs]) for key in ("svm", "mlp", "rho_neg", "rho_pos"))
    return f"fitted AUC {svm:.3f} (SVM) and {mlp:.3f} (MLP), correlation {neg:.3f} (neg) and {pos:.3f} (pos)"


if __name__ == "__main__":
    main()
