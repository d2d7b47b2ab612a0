import numpy as np
import pytest

import rocscope as rs
from report_pages import Parsed


@pytest.fixture(scope="session")
def parsed():
    return Parsed


@pytest.fixture(scope="session")
def cases():
    """Labels, two scores and folds of 120 cases."""
    rng = np.random.default_rng(7)
    y = np.arange(120) % 2
    return (
        y,
        np.round(y + rng.normal(size=120), 2),
        np.round(0.5 * y + rng.normal(size=120), 1),
        np.arange(120) // 24,
    )


@pytest.fixture(scope="session")
def curve(cases):
    return rs.roc_curve(cases[0], cases[1])
