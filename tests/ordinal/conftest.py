"""Both ways through the ordinal methods: NumPy for small data, compiled kernels for large."""

import pytest

from rocscope.ordinal import curves, estimates, vus


@pytest.fixture(params=["small", "large"])
def path(request, monkeypatch):
    limit = {"small": 2**62, "large": 0}[request.param]
    monkeypatch.setattr(estimates, "LARGE", limit)
    monkeypatch.setattr(vus, "LARGE", limit)
    monkeypatch.setattr(curves, "MANY_PAIRS", limit)
    return request.param
