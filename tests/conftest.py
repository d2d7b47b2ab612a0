"""What every test shares: reproducible random examples, and both ways through the core."""

import os

import pytest
from hypothesis import HealthCheck, settings

from rocscope.core import curve, scores, table

EVERY_RUN = {
    "derandomize": True,  # the same examples in every run
    "deadline": None,
    "database": None,
    "suppress_health_check": [HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
}
settings.register_profile("all", max_examples=100, **EVERY_RUN)
settings.register_profile("quick", max_examples=15, **EVERY_RUN)


def pytest_configure(config):
    settings.load_profile("quick" if "not slow" in config.option.markexpr else "all")


def pytest_runtest_setup(item):
    if os.name == "nt" and item.get_closest_marker("posix"):
        pytest.skip("needs the signals, pipes or file modes of POSIX")


@pytest.fixture(params=["small", "large"])
def path(request, monkeypatch):
    """Both ways through the core: NumPy for small data, and the compiled kernels for large."""
    limit = {"small": 2**62, "large": 0}[request.param]
    for module in (table, scores, curve):
        monkeypatch.setattr(module, "LARGE", limit)
    return request.param
