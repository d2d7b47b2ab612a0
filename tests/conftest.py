"""What every test shares: reproducible random examples, and both ways through the core."""

import os

import pytest
from hypothesis import HealthCheck, settings

from rocscope.core import curve, scores, table

settings.register_profile(
    "rocscope",
    derandomize=True,  # the same examples in every run
    deadline=None,
    max_examples=100,
    database=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
settings.load_profile("rocscope")


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
