"""A real table to try things on: breast tumours and three measurements of their cells."""

from __future__ import annotations

from rocscope.errors import require

TITLE = "Breast tumours: three measurements of cell nuclei"
NAME = "breast_tumours.csv"
LABEL, POSITIVE, FOLD, FOLDS = "diagnosis", "malignant", "fold", 10
# Columns of the example, and what scikit-learn calls them.
MARKERS = {
    "concave_points": "worst concave points",
    "texture": "worst texture",
    "smoothness": "mean smoothness",
}


def example_cases() -> list[dict[str, object]]:
    """Cases of the breast cancer data of Wisconsin, as scikit-learn has them, in ten folds.

    Features of the nuclei in a fine needle aspirate; the diagnosis is known. "worst" is the mean of the three
    largest values. Every fold has an equal share of both classes.

    Examples
    --------
    >>> cases = example_cases()
    >>> len(cases), cases[0]["diagnosis"], cases[0]["concave_points"]
    (569, 'malignant', 0.2654)
    """
    data = require("sklearn.datasets", "the example").load_breast_cancer()
    features = {name: data.data[:, list(data.feature_names).index(own)] for name, own in MARKERS.items()}
    seen = dict.fromkeys(data.target_names.tolist(), 0)
    cases = list[dict[str, object]]()
    for case, target in enumerate(data.target.tolist()):
        diagnosis = str(data.target_names[target])
        seen[diagnosis] += 1
        values = {name: float(column[case]) for name, column in features.items()}
        cases.append({"case": case + 1, LABEL: diagnosis, **values, FOLD: (seen[diagnosis] - 1) % FOLDS + 1})
    return cases
