"""How long the stress tests may take."""

import os


def seconds(default: float) -> float:
    """Seconds of one stress test: ROCSCOPE_STRESS_SECONDS, or a few."""
    return float(os.environ.get("ROCSCOPE_STRESS_SECONDS", default))
