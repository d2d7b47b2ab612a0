"""What every test shares: reproducible random examples, and both ways through the core."""

import copy
import functools
import gc
import os

import pytest
from cyclopts import App
from cyclopts.argument import ArgumentCollection
from hypothesis import HealthCheck, settings

from rocscope.core import curve, scores, table

collect_ignore = ["typing"]  # for mypy; test_examples runs it
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


def pytest_collection_modifyitems(items):
    for item in items:
        if item.name == "rocscope.papers.atlas.make":  # a doctest that calls every method of the atlas
            item.add_marker(pytest.mark.slow)


def pytest_collection_finish():
    gc.freeze()  # modules and tests stay to the end: to look through them takes half a second every time


def pytest_unconfigure():
    gc.unfreeze()  # DuckDB complains of what is left at the end


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


@pytest.fixture(scope="session", autouse=True)
def options_read_once():
    """The options of a command, read from its signature once: cyclopts reads them four times in each call."""
    assemble, known = App.assemble_argument_collection, {}

    @functools.wraps(assemble)
    def assembled(app, *, default_parameter=None, parse_docstring=False):
        above = repr((app.app_stack.default_parameter, default_parameter))
        key = app.default_command, above, parse_docstring
        if key not in known:
            known[key] = assemble(app, default_parameter=default_parameter, parse_docstring=parse_docstring)
        return without_values(known[key])

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(App, "assemble_argument_collection", assembled)
        yield


def without_values(options):
    """The same options, with no words of a command line yet."""
    copies = {id(option): copy.copy(option) for option in options}
    for one in copies.values():
        one.tokens = []
        one.children = ArgumentCollection(copies[id(child)] for child in one.children)
    return ArgumentCollection(copies.values())
