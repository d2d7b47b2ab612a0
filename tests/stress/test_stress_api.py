"""Every public callable under random arguments: a sound result or a RocscopeError, and nothing else.

A new function, class method or result method is called without a word here. A new parameter that is neither a
flag nor a choice needs a strategy in strategies.py; `test_every_parameter_has_a_strategy` says so.
"""

import inspect

import matplotlib as mpl
import pytest

from stress import calls, faults, seeds
from stress.public import is_for_callers, public_calls

CALLS, SLOW_CALLS = 150, 30
# Functions that train or fit for longer than the others.
SLOW = {
    "algorithm_pair", "bootstrap_auc", "choose_binormal", "compare_algorithms", "cross_scores",
    "fit_binormal", "fit_binormal_pair", "fit_contaminated", "fold_distribution",
    "learning_curve", "loss_curves", "ordinal_scores", "preview_fusion", "read_scores", "report",
}  # fmt: skip
DRAW_EVERY = 12  # calls: pictures take longer than most of the work
NAMES = sorted(public_calls())


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    mpl.use("Agg")


def test_every_parameter_has_a_strategy():
    missing = [
        f"{name}({parameter.name})"
        for name, function in public_calls().items()
        for parameter in inspect.signature(function).parameters.values()
        if is_for_callers(name, parameter) and calls.strategy_of(name, function, parameter) is None
    ]
    assert not missing, f"add a strategy to STRATEGIES in tests/stress/strategies.py for {', '.join(missing)}"


@pytest.mark.parametrize("name", NAMES)
def test_a_sound_result_or_a_typed_error(name):
    count = SLOW_CALLS if name in SLOW else CALLS
    findings = faults.attack(name, seeds.seeds(count, tests=len(NAMES)), draw_every=DRAW_EVERY)
    if findings.faults:
        pytest.fail(str(findings), pytrace=False)
    assert findings.results, f"none of {findings.calls} calls came to a result: better strategies are needed"
