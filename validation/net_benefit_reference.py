"""Net benefit and net interventions avoided by the Python package dcurves: tests/reference/net_benefit.json.

    pip install --target FOLDER dcurves
    PYTHONPATH=tests:FOLDER python validation/net_benefit_reference.py tests/reference/net_benefit.json

The scores are those of tests/reference_cases.py, turned into probabilities by `probabilities`. A threshold
of 0 is left out: dcurves puts 1e-9 in its place.
"""

import json
import sys
from importlib.metadata import version
from pathlib import Path

import numpy as np
import pandas as pd
from dcurves import dca

from reference_cases import RECIPES, checksum

NAMES = ("n20", "n200", "ties_five_levels", "rare_positives", "three_correlated")
THRESHOLDS = [0.05, 0.125, 0.25, 0.3, 0.5, 0.7, 0.875, 0.95]
TICKS = 1024


def probabilities(scores: np.ndarray) -> np.ndarray:
    """Multiples of 1/1024 from 0 to 1, the larger the score."""
    low, high = scores.min(), scores.max()
    return np.floor((scores - low) / (high - low) * TICKS) / TICKS


def case(name: str, prevalence: float | None) -> dict[str, object]:
    """What dcurves has for one recipe."""
    y, scores = RECIPES[name]()
    models = {key: probabilities(values) for key, values in scores.items()}
    frame = pd.DataFrame({"y": y == 1, **models})
    found = dca(
        data=frame, outcome="y", modelnames=list(models), thresholds=THRESHOLDS, prevalence=prevalence
    )
    rows = {key: found[found["model"] == key] for key in (*models, "all", "none")}
    return {
        "recipe": name,
        "checksum": {key: checksum(values) for key, values in scores.items()},
        "prevalence": prevalence,
        "net_benefit": {key: part["net_benefit"].tolist() for key, part in rows.items()},
        "interventions_avoided": {
            key: part["net_intervention_avoided"].tolist() for key, part in rows.items()
        },
    }


def main() -> None:
    """Write the file."""
    cases = [case(name, prevalence) for name in NAMES for prevalence in (None, 0.1)]
    reference = {
        "source": f"dcurves {version('dcurves')}",
        "script": "validation/net_benefit_reference.py",
        "tolerance": 1e-12,
        "thresholds": THRESHOLDS,
        "cases": cases,
    }
    Path(sys.argv[1]).write_text(json.dumps(reference, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
