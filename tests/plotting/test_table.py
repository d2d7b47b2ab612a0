"""A result that has only numbers is shown as a table, as is every type that has no picture of its own."""

from dataclasses import dataclass
from itertools import pairwise

import numpy as np

import rocscope as rs
from rocscope import plotting
from rocscope.core.result import Result, TestResult
from rocscope.plotting.marks import Text


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class NewRows(Result):
    """A type that nobody has drawn yet."""

    n: int

    def columns(self):
        return {"name": [f"row {k}" for k in range(self.n)], "some_value": np.arange(self.n) / 3}


def rows_of(panel):
    """Texts by their rows, from left to right."""
    texts = [mark for mark in panel.marks if isinstance(mark, Text)]
    return [
        [mark.text for mark in sorted(texts, key=lambda mark: mark.x) if mark.y == row]
        for row in sorted({mark.y for mark in texts})
    ]


def test_one_row_stands_upright_without_what_is_undefined():
    (panel,) = plotting.picture(
        TestResult(name="equal $ areas", method="delong", statistic=1.23456, df=None, p_value=0.25)
    ).panels
    assert panel.title == "Test result"
    shown = dict(zip(panel.y.tick_labels, rows_of(panel), strict=True))
    assert shown == {
        "name": ["equal $ areas"],
        "method": ["delong"],
        "statistic": ["1.235"],
        "p value": ["0.25"],
        "alternative": ["two-sided"],
        "status": ["ok"],
    }


def test_several_rows_stand_below_their_header():
    (panel,) = plotting.picture(NewRows(n=3)).panels
    assert panel.title == "New rows"
    assert panel.y.tick_labels == ("name", "row 0", "row 1", "row 2")
    assert rows_of(panel) == [["some value"], ["0"], ["0.3333"], ["0.6667"]]
    assert panel.y.ticks == (-1.0, 0.0, 1.0, 2.0)


def test_long_tables_say_that_they_are_cut():
    (panel,) = plotting.picture(NewRows(n=50)).panels
    assert panel.title == "New rows: the first 20 of 50 rows"
    assert len(rows_of(panel)) == 21


def test_a_table_without_rows_has_its_header():
    (panel,) = plotting.picture(NewRows(n=0)).panels
    assert panel.y.tick_labels == ("name",)


def test_long_texts_lose_their_middle():
    (panel,) = plotting.picture(TestResult(name="n" * 99, method="m", statistic=1, df=None, p_value=1)).panels
    assert len(rows_of(panel)[0][0]) == 48


def test_a_table_has_no_axes_but_room_for_its_texts():
    plan = rs.power(0.8, n_pos=20, n_neg=20)
    ax = plan.plot()
    assert not any(spine.get_visible() for spine in ax.spines.values())
    ax.figure.canvas.draw()
    boxes = [text.get_window_extent() for text in ax.texts]
    assert all(below.y1 <= above.y0 for above, below in pairwise(boxes))
    assert max(box.x1 for box in boxes) <= ax.figure.bbox.x1


def test_rows_of_a_second_table_stand_below():
    plans = [rs.power(0.8, n_pos=20, n_neg=n) for n in (20, 30)]
    ax = plans[0].plot()
    first = len(ax.texts)
    plans[1].plot(ax=ax)
    assert len(ax.texts) == 2 * first
    rows = [text.get_position()[1] for text in ax.texts]
    assert rows == sorted(set(rows))
    assert [tick.get_text() for tick in ax.get_yticklabels()][first] == "question (2)"
