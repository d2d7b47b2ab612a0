"""Pictures of reader studies: the area of every reader in every modality, joined by a line."""

import math

import numpy as np

from rocscope.core import formatting
from rocscope.inference.reader_study import ReaderStudy
from rocscope.plotting.layout import category_axis, with_legend
from rocscope.plotting.marks import Axis, ErrorBars, Line, Mark, Panel, Picture, Points

NAMED_READERS = 8  # more have one entry together
ROOM = 0.25
MARGIN = 0.04


def reader_study_picture(result: ReaderStudy) -> Picture:
    """Show one line per reader between the modalities, and the mean of all readers with its interval.

    Examples
    --------
    >>> import rocscope as rs
    >>> rows = [(r, m, c) for r in "AB" for m in ("CT", "MR") for c in range(4)]
    >>> who, how, what = zip(*rows)
    >>> y, s = [0, 0, 1, 1] * 4, [1, 2, 2, 3, 1, 3, 2, 4, 1, 2, 3, 4, 2, 1, 1, 3]
    >>> drawn = reader_study_picture(rs.reader_study(y, s, reader=who, modality=how, case=what))
    >>> [mark.label for mark in drawn.panels[0].marks if mark.label]
    ['Reader A', 'Reader B', 'Mean (95% interval)']
    """
    x = np.arange(len(result.modalities), dtype=np.float64)
    drawn = list[Mark]()
    few = len(result.readers) <= NAMED_READERS
    for k, reader in enumerate(result.readers):
        label = f"Reader {reader}" if few else "Readers" if k == 0 else None
        series = k + 1 if few else 1
        areas = result.auc[:, k]
        hover = tuple(f"reader {reader}, {modality}" for modality in result.modalities)
        drawn += [
            Line(x=x, y=areas, role="fold", series=series, label=label, hover=hover),
            Points(x=x, y=areas, role="point", series=series),
        ]
    mean, low, high = (
        np.array([math.nan if row[name] is None else row[name] for row in result.means])
        for name in ("value", "low", "high")
    )
    interval = formatting.interval_name(result.level, "two-sided")
    label = "Mean" if np.isnan(low).all() else f"Mean ({interval})"
    drawn += [
        ErrorBars(x=x, y=mean, y_low=low, y_high=high, role="interval"),
        Line(x=x, y=mean, role="curve", label=label),
        Points(x=x, y=mean, role="estimate"),
    ]
    ends = np.concatenate([result.auc.ravel(), low[~np.isnan(low)], high[~np.isnan(high)]])
    if result.p_value is None:
        title = f"Equal areas: no test, {result.reason}"
    else:
        df = "" if result.df is None else f", df = {result.df:.4g}"
        if result.kind == "F":
            df = f", df = {result.df_modality} and {'infinite' if result.df is None else f'{result.df:.4g}'}"
        figures = f"{result.kind} = {result.statistic:.4g}{df}"
        title = f"Equal areas: {figures}, p = {formatting.p_value(result.p_value)}"
    panel = Panel(
        marks=tuple(drawn),
        x=category_axis(result.modalities, label="Modality", low=-ROOM, high=x[-1] + ROOM),
        y=Axis(
            label="AUC", low=max(0.0, float(ends.min()) - MARGIN), high=min(1.01, float(ends.max()) + MARGIN)
        ),
        title=title,
    )
    return Picture(panels=(with_legend(panel),))
