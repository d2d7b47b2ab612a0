"""No public function ignores clusters or weights of the cases: it uses them, or refuses them by name."""

import inspect
import json
from types import ModuleType

import numpy as np
import pytest

import rocscope as rs

N = 60
RNG = np.random.default_rng(8)
GROUPS = RNG.integers(0, 14, N)
Y = np.tile([0, 1], N // 2)
A = np.round(1 / (1 + np.exp(-(Y + RNG.normal(size=N) + 2 * RNG.normal(size=14)[GROUPS]))), 2)
B = np.round(1 / (1 + np.exp(-(Y + RNG.normal(size=N)))), 2)
ROWS = np.arange(N)
FOLD = ROWS // 4 % 3
CASE = ROWS // 8 * 2 + Y
DRAWS = {"n_boot": 100, "rng": 1}
# What a call needs beside the data; functions of two scores get two.
NEEDS = {
    "analyse": DRAWS,
    "auc": {},
    "auc_by": {"by": ROWS // 2 % 2},
    "average_curves": {},
    "average_roc": {},
    "calibration": {"n_boot": 20, "rng": 1},
    "choose_binormal": {},
    "compare_auc": {},
    "compare_calibration": DRAWS,
    "cross_auc": {},
    "cutpoint": DRAWS,
    "fit_binormal": {},
    "fit_binormal_pair": {},
    "fit_contaminated": {},
    "grey_zone": {"sensitivity": 0.9, "specificity": 0.9} | DRAWS,
    "net_benefit": {"probabilities": [0.3]},
    "partial_auc": {"fpr": (0, 0.5), "method": "delong"},
    "point_measures": {"threshold": 0.5},
    "precision_recall": DRAWS,
    "preview_fusion": {},
    "reader_study": {"reader": ROWS // 2 % 2, "modality": ROWS // 4 % 2, "case": CASE, "method": "jackknife"},
    "roc_band": DRAWS,
    "roc_curve": {},
    "smooth_roc": {},
}
TWO = ("compare_auc", "compare_calibration", "fit_binormal_pair", "preview_fusion")
# Functions of other data than two classes with scores.
OTHERS = (
    "choose_reject",
    "compare_decisions",
    "compare_ordinal",
    "front_weights",
    "multiclass_auc",
    "ordinal_roc",
    "search_weights",
    "sweep_weights",
    "weight_neighbourhood",
)
DESIGNS = {
    "clusters": {"groups": GROUPS},
    "weights": {"sample_weight": RNG.uniform(0.5, 3, N), "weight_kind": "survey"},
}
REFUSALS = ("groups must be left out: this takes all cases as independent", "whole cases", "no case weights")


def functions():
    """Public functions that take labels first."""
    names = [name for name in dir(rs) if not name.startswith("_")]
    found = {name: getattr(rs, name) for name in names}
    return [
        name
        for name, one in found.items()
        if inspect.isfunction(one) and not isinstance(one, ModuleType)
        if next(iter(inspect.signature(one).parameters), None) in ("y_true", "data")
    ]


def outcome(name, data):
    """The result as text, or the refusal; curves by the table of their intervals."""
    result = getattr(rs, name)(data, **NEEDS[name])
    if isinstance(result, rs.RocCurve):
        result = result.coords([0.5])
    return json.dumps(result.to_dict(), sort_keys=True, default=str)


def test_every_function_of_labels_is_tried():
    assert sorted(functions()) == sorted([*NEEDS, *OTHERS])


@pytest.mark.parametrize("name", OTHERS)
def test_other_functions_refuse_such_data(name):
    with pytest.raises((rs.RocscopeError, TypeError)):
        getattr(rs, name)(rs.BinaryScores.from_arrays(Y, A, groups=GROUPS))


@pytest.mark.parametrize("design", DESIGNS)
@pytest.mark.parametrize("name", NEEDS)
def test_designs_are_used_or_refused(name, design):
    scores = {"a": A, "b": B} if name in TWO else A
    plain = rs.BinaryScores.from_arrays(Y, scores, fold=FOLD)
    designed = rs.BinaryScores.from_arrays(Y, scores, fold=FOLD, **DESIGNS[design])
    independent = outcome(name, plain)
    try:
        found = outcome(name, designed)
    except rs.RocInputError as error:
        found = str(error)
    assert any(text in found for text in REFUSALS) or (found[0] == "{" and found != independent)
