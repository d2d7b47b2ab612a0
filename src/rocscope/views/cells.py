"""Borders of the cells of a heat map."""

from __future__ import annotations

import numpy as np

from rocscope.views.marks import Values


def cell_edges(centres: Values) -> Values:
    """Borders half-way between neighbouring centres, and as far beyond the outer ones.

    Examples
    --------
    >>> cell_edges(np.array([1.0, 2.0, 4.0])).tolist(), cell_edges(np.array([3.0])).tolist()
    ([0.5, 1.5, 3.0, 5.0], [2.5, 3.5])
    """
    if centres.size == 1:
        return np.asarray(centres[0] + np.array([-0.5, 0.5]))
    middle = (centres[1:] + centres[:-1]) / 2
    return np.concatenate([[2 * centres[0] - middle[0]], middle, [2 * centres[-1] - middle[-1]]])
