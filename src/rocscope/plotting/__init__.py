"""From a result to a picture of plain marks, and from a picture to a figure, a file or a record.

Nothing is computed here. A result class names its view, such as ``view = "roc_curves.curve_picture"``; else
its table is shown. matplotlib is loaded when something is drawn.
"""

from importlib import import_module
from inspect import signature
from typing import Any

from rocscope.core.checks import show
from rocscope.core.formatting import class_title
from rocscope.core.result import Result
from rocscope.errors import RocInputError
from rocscope.plotting.forest import estimates
from rocscope.plotting.marks import Picture, record
from rocscope.plotting.page_figures import figure_json
from rocscope.plotting.roc_curves import curves
from rocscope.plotting.static import matplotlib, save

__all__ = [
    "Picture",
    "curves",
    "estimates",
    "figure_json",
    "is_table",
    "matplotlib",
    "picture",
    "record",
    "save",
]


def picture(result: Any, **options: Any) -> Picture:
    """Return the picture of a result.

    Parameters
    ----------
    result
        A result of rocscope.
    **options
        Options of the result's own view, such as `points` and `hull` of a ROC curve.

    Returns
    -------
    Picture
        Plain marks, for `matplotlib`, `save`, `figure_json` or `record`.

    Examples
    --------
    >>> import rocscope as rs
    >>> drawn = picture(rs.roc_curve([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8]), name="test")
    >>> drawn.panels[0].marks[1].label
    'test (AUC = 0.75)'
    """
    if not isinstance(result, Result):
        raise RocInputError(f"must be a result of rocscope, got {type(result).__name__}", argument="result")
    module, function = result.view.split(".")
    view = getattr(import_module(f"rocscope.plotting.{module}"), function)
    for option in options.keys() - signature(view).parameters:
        kind = class_title(type(result))
        raise RocInputError(
            f"must be left out for the picture of a result of type {kind}, got {show(options[option])}",
            argument=option,
        )
    drawn: Picture = view(result, **options)
    return drawn


def is_table(result: Result) -> bool:
    """Whether a result has no picture but its table.

    Examples
    --------
    >>> import rocscope as rs
    >>> is_table(rs.power(0.8, n_pos=20, n_neg=20)), is_table(rs.auc([0, 0, 1, 1], [1, 3, 2, 4]))
    (True, False)
    """
    return result.view == Result.view
