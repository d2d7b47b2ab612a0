"""A critical-difference diagram: average ranks over data sets, and which of them cannot be told apart."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from rocscope.algorithms.rank_result import RankComparison
from rocscope.views.algorithm_folds import NAMES
from rocscope.views.marks import Axis, Line, Mark, Panel, Picture, Points, Text

# Bars over groups stand above the algorithms, the ruler of the critical difference above them.
FIRST_BAR, BAR_STEP = -0.7, 0.45


def ranks(result: RankComparison) -> Picture:
    """Show a critical-difference diagram: average ranks, and bars over those that cannot be told apart."""
    return Picture(panels=(rank_panel(result),))


def rank_panel(result: RankComparison) -> Panel:
    """One diagram; where there are no ranks, the reason."""
    title = f"{NAMES.get(result.measure, result.measure)} over {result.n_datasets} data sets"
    if result.average_ranks is None or result.critical_difference is None:
        note = Text(x=0.5, y=0.5, text=str(result.reason), role="note", horizontal="center")
        return Panel(marks=(note,), x=Axis(low=0, high=1), y=Axis(low=0, high=1), title=title)
    columns = result.columns()
    names, average = columns["algorithm"], columns["average_rank"]
    marks: list[Mark] = []
    for row, rank in enumerate(average):
        marks += _rank_marks(rank, row)
    marks += _group_bars(result, dict(zip(names, average, strict=True)))
    top = FIRST_BAR - BAR_STEP * len(result.groups)
    marks += _ruler(result.critical_difference, top - 0.5)
    return Panel(
        marks=tuple(marks),
        x=_rank_axis(len(names), 1.0 + result.critical_difference),
        y=_name_axis(names, average, high=top - 1.3),
        title=title,
    )


def _rank_marks(rank: float, row: int) -> list[Mark]:
    return [
        Line(x=np.array([rank, rank]), y=np.array([-0.4, float(row)]), role="leader", series=0),
        Points(x=np.array([rank]), y=np.array([float(row)]), role="estimate", series=0),
    ]


def _group_bars(result: RankComparison, rank_of: dict[str, float]) -> list[Mark]:
    bars: list[Mark] = []
    for step, group in enumerate(result.groups):
        ends = [rank_of[name] for name in group]
        x = np.array([min(ends) - 0.04, max(ends) + 0.04])
        bars.append(Line(x=x, y=np.full(2, FIRST_BAR - BAR_STEP * step), role="curve", series=1))
    return bars


def _ruler(length: float, y: float) -> list[Mark]:
    text = f"critical difference {length:.2f}"
    return [
        Line(x=np.array([1.0, 1.0 + length]), y=np.full(2, y), role="curve", series=3),
        Text(x=1 + length / 2, y=y - 0.15, text=text, role="note", horizontal="center", vertical="bottom"),
    ]


def _rank_axis(n: int, ruler_end: float) -> Axis:
    """Ticks at the ranks; few data sets have a critical difference that reaches beyond the last one."""
    ticks = tuple(map(float, range(1, n + 1)))
    return Axis(label="Average rank (1 is best)", low=0.8, high=max(n, ruler_end) + 0.2, ticks=ticks)


def _name_axis(names: Sequence[str], average: Sequence[float], *, high: float) -> Axis:
    return Axis(
        low=len(names) - 0.5,
        high=high,
        ticks=tuple(map(float, range(len(names)))),
        tick_labels=tuple(names),
        far_labels=tuple(f"{rank:.2f}" for rank in average),
        grid=False,
    )
