"""What README promises of every result, tried on one of every class: no class can be forgotten."""

import copy
import json
import pickle

import numpy as np
import pytest
from matplotlib import pyplot as plt
from matplotlib.axes import Axes

from every_result import every_class, result_classes


@pytest.fixture(params=every_class(), ids=list(every_class()))
def result(request):
    return every_class()[request.param]


def test_there_is_a_result_of_every_class():
    assert {type(result) for result in every_class().values()} >= result_classes()


@pytest.mark.slow
def test_it_plots_itself_and_beside_itself(result):
    drawn = result.plot()
    axes = np.ravel(np.array(drawn, dtype=object))
    assert all(isinstance(ax, Axes) for ax in axes)
    assert all(ax.lines or ax.collections or ax.patches or ax.texts for ax in axes)
    assert np.array_equal(result.plot(ax=drawn), drawn)
    axes[0].figure.draw_without_rendering()
    plt.close("all")


def test_it_can_be_read(result):
    text = str(result)
    assert text
    assert not text.startswith((f"{type(result).__name__}(", "<rocscope"))
    assert "array(" not in text


def test_it_is_strict_json(result):
    text = json.dumps(result.to_dict(), allow_nan=False)
    assert json.loads(text)["type"] == type(result).__name__
    assert json.loads(result.to_json()) == json.loads(text)


def test_it_is_a_table(result):
    pytest.importorskip("pandas")
    frame = result.frame()
    assert len(frame.columns) > 0
    first = next(one for one in every_class().values() if type(one) is type(result))
    assert len(frame) > 0 or result is not first  # a curve that crosses none has no row of a crossing


def test_it_equals_its_copies(result):
    for twin in (copy.deepcopy(result), pickle.loads(pickle.dumps(result))):
        assert type(twin) is type(result)
        assert twin == result
        assert hash(twin) == hash(result)
    assert result != object()
