"""One mark of every kind that flat panels have."""

import numpy as np

from rocscope.plotting.marks import (
    Band,
    Bars,
    ErrorBars,
    HeatMap,
    Line,
    Points,
    ReferenceLine,
    ShadedLine,
    Text,
)

X, ZEROS, ONES = np.array([0.0, 0.5, 1.0]), np.zeros(3), np.ones(3)
EVERY_MARK = [
    Line(x=X, y=X, role="curve", label="entry"),
    ShadedLine(x=X, y=X, role="curve", label="entry", shade=0.5),
    Points(x=X, y=X, role="selected", label="entry"),
    Band(x=X, low=ZEROS, high=ONES, role="band", label="entry"),
    ErrorBars(x=X, y=X, x_low=ZEROS, x_high=ONES, role="interval", label="entry"),
    Bars(low=X, high=X + 0.5, length=ONES, role="count", label="entry"),
    HeatMap(x_edges=X, y_edges=X, values=np.eye(2), role="cells", label="entry"),
    ReferenceLine(axis="x", at=0.5, role="reference", label="entry"),
    Text(x=0.5, y=0.5, text="entry", role="note"),
]
