"""MaxAUC and AvgAUC of ordinal data sets with two regressors each, with intervals: for docs/ordinal.md.

    ROCSCOPE_DATA=folder python validation/ordinal_table.py [REPLICATES [PROCESSES]]

Wine quality (red, white) and Ben-David's ERA, ESL, LEV and SWD; a linear regression and a random forest, both
through 10-fold cross-validated predictions. Intervals: stratified bootstrap of these predictions, 95 %; they
hold for the predictions at hand and do not count what other training data would change.
"""

import csv
import os
import sys
from pathlib import Path

import numpy as np
from sklearn.ensemble import RandomForestRegressor
from sklearn.linear_model import LinearRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from rocscope.ordinal.roc import ordinal_roc
from rocscope.training.ordinal_scores import ordinal_scores

REPLICATES = int(sys.argv[1]) if len(sys.argv) > 1 else 1000
PROCESSES = int(sys.argv[2]) if len(sys.argv) > 2 else 2
SETS = {
    "wine red": "wine_red/wine_red.csv",
    "wine white": "wine_white/wine_white.csv",
    "ERA": "ordinal_bendavid/ERA_norm.csv",
    "ESL": "ordinal_bendavid/ESL_norm.csv",
    "LEV": "ordinal_bendavid/LEV_norm.csv",
    "SWD": "ordinal_bendavid/SWD_norm.csv",
}
MODELS = {
    "linear": make_pipeline(StandardScaler(), LinearRegression()),
    "forest": RandomForestRegressor(n_estimators=200, min_samples_leaf=3),
}


def read(path):
    with path.open(newline="") as file:
        rows = [list(map(float, row)) for row in list(csv.reader(file))[1:]]
    table = np.array(rows)
    return table[:, :-1], table[:, -1].astype(int)


def with_interval(estimate):
    if estimate.value is None:
        return "undefined"
    ends = "" if estimate.low is None else f" ({estimate.low:.3f}-{estimate.high:.3f})"
    return f"{estimate.value:.3f}{ends}"


def table(name, results):
    """Markdown: one row per class, then the overall figures."""
    first = next(iter(results.values()))
    heads = [f"{figure} {model}" for model in results for figure in ("MaxAUC", "AvgAUC")]
    lines = [
        f"### {name}",
        "",
        "| class | n | " + " | ".join(heads) + " |",
        "|---|--:|" + "--:|" * len(heads),
    ]
    rows = [(f"{one.label}", str(one.n_pos), f"({one.label})") for one in first.curves]
    rows += [("macro", "", " macro"), ("weighted", "", " weighted")]
    for label, n, key in rows:
        cells = [
            with_interval(r.estimates[f"{figure}{key}"])
            for r in results.values()
            for figure in ("max_auc", "avg_auc")
        ]
        lines.append(f"| {label} | {n} | " + " | ".join(cells) + " |")
    return "\n".join(lines)


def summary(name, model, result, turned):
    """One row: volume, kappa at the best thresholds inside the gaps, and what fixing t_b instead changes."""
    shift = [
        np.nanmax(np.abs(a - b))
        for a, b in ((result.max_auc, turned.max_auc), (result.avg_auc, turned.avg_auc))
    ]
    figures = [with_interval(result.estimates[key]) for key in ("adjacent_auc", "vus", "kappa")]
    return f"| {name} | {model} | " + " | ".join(figures) + f" | {shift[0]:.3f} | {shift[1]:.3f} |"


def main():
    folder = os.environ.get("ROCSCOPE_DATA")
    if not folder:
        sys.exit("ROCSCOPE_DATA must name the folder of the data sets")
    rows = []
    for name, path in SETS.items():
        X, y = read(Path(folder) / path)
        results = {}
        for model, estimator in MODELS.items():
            found = ordinal_scores(estimator, X, y, rng=1, n_jobs=PROCESSES)
            settings = {"objective": "kappa", "rng": 1, "n_jobs": PROCESSES}
            results[model] = ordinal_roc(y, found.y_pred, n_boot=REPLICATES, **settings)
            turned = ordinal_roc(y, found.y_pred, fixed="upper", **settings)
            rows.append(summary(name, model, results[model], turned))
        print(table(name, results), end="\n\n", flush=True)
    print("### Beside it\n")
    print("| set | model | AUC of neighbours | VUS | kappa | MaxAUC moves by | AvgAUC moves by |")
    print("|---|---|--:|--:|--:|--:|--:|")
    print("\n".join(rows))


if __name__ == "__main__":
    main()
