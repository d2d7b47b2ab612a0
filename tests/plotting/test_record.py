import json

import numpy as np

import rocscope as rs
from rocscope import plotting
from rocscope.plotting.marks import Axis, ErrorBars, Panel, Picture


def test_record_is_strict_json():
    bars = ErrorBars(
        x=np.array([1.0]),
        y=np.array([np.nan]),
        x_low=np.array([-np.inf]),
        x_high=np.array([2.0]),
        role="estimate",
    )
    recorded = plotting.record(Picture(panels=(Panel(marks=(bars,), x=Axis(), y=Axis()),)))
    (mark,) = json.loads(json.dumps(recorded, allow_nan=False))["panels"][0]["marks"]
    assert mark == {
        "mark": "ErrorBars",
        "role": "estimate",
        "label": None,
        "series": 0,
        "x": [1.0],
        "y": [None],
        "x_low": [None],
        "x_high": [2.0],
        "y_low": None,
        "y_high": None,
    }


def test_record_of_integer_scores_beyond_float():
    curve = rs.roc_curve([0, 1, 1], [2**60, 2**60 + 1, 2**60 + 2])
    recorded = plotting.record(plotting.picture(curve, points=[1]))
    assert json.loads(json.dumps(recorded, allow_nan=False)) == recorded
