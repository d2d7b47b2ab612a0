"""How long the stress tests run."""

import os


def seconds(default: float) -> float:
    """Seconds that ROCSCOPE_STRESS_SECONDS allows each test file, or `default` where it is not set."""
    return float(os.environ.get("ROCSCOPE_STRESS_SECONDS", default))
