"""Numbers do not move: every result and every command against what was frozen in tests/reference/golden."""

import json
import math
import os

import pytest

import goldens

# Other machines round some functions otherwise; ROCSCOPE_GOLDEN=exact compares to the last bit.
TOLERANCE = 0.0 if os.environ.get("ROCSCOPE_GOLDEN") == "exact" else 1e-9


def differences(was, now, path=""):
    """Places where two documents differ."""
    if isinstance(was, dict) and isinstance(now, dict):
        for key in sorted(was.keys() | now.keys()):
            if key not in was or key not in now:
                yield f"{path}/{key}: {'new' if key not in was else 'gone'}"
            else:
                yield from differences(was[key], now[key], f"{path}/{key}")
    elif isinstance(was, list) and isinstance(now, list) and len(was) == len(now):
        for at, (one, other) in enumerate(zip(was, now, strict=True)):
            yield from differences(one, other, f"{path}/{at}")
    elif isinstance(was, float) and isinstance(now, float):
        if not math.isclose(was, now, rel_tol=TOLERANCE, abs_tol=TOLERANCE):
            yield f"{path}: {was!r} is now {now!r}"
    elif type(was) is not type(now) or was != now:
        yield f"{path}: {was!r} is now {now!r}"


@pytest.mark.parametrize("name", ["results", "commands"])
def test_nothing_moved(name):
    was = json.loads((goldens.FOLDER / f"{name}.json").read_text(encoding="utf-8"))
    now = json.loads(goldens.text_of(goldens.GOLDENS[name]()))
    assert list(differences(was, now)) == []
