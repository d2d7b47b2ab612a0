"""Pictures of tests between two learning algorithms: one row for each test."""

from __future__ import annotations

from collections.abc import Sequence

from rocscope.algorithms.comparison import PairTests
from rocscope.algorithms.learner_tests import LearnerTest, LearnerTests
from rocscope.views import words
from rocscope.views.forest import Row, forest
from rocscope.views.marks import Picture


def picture(result: LearnerTest | LearnerTests | PairTests) -> Picture:
    """Show the mean difference, with the interval and the p-value of every test.

    Examples
    --------
    >>> import rocscope as rs
    >>> tests = rs.paired_tests([0.8, 0.7, 0.9, 0.8], [0.7, 0.7, 0.8, 0.6], n_train=30, n_test=10)
    >>> shown = picture(tests).panels[0]
    >>> shown.y.tick_labels[:2], shown.y.far_labels[0]
    (('paired-t', 'corrected-t'), '+0.100 (-0.030 to +0.230), p = 0.0917')
    """
    if isinstance(result, LearnerTest):
        return _forest([result], "")
    if isinstance(result, LearnerTests):
        return _forest(result.rows, f"{result.n_folds} folds")
    return _forest(result.tests, f"{result.dataset}: {result.first} - {result.second}, {result.measure}")


def _forest(tests: Sequence[LearnerTest], title: str) -> Picture:
    return forest(
        [_row(test) for test in tests],
        label="Mean difference, first minus second (interval)",
        reference=0.0,
        title=title,
    )


def _row(test: LearnerTest) -> Row:
    return Row(name=test.method, value=test.difference, low=test.low, high=test.high, figures=_figures(test))


def _figures(test: LearnerTest) -> str:
    if test.status != "ok":
        return "undefined"
    parts = (
        []
        if test.low is None or test.difference is None
        else [words.with_interval(test.difference, test.low, test.high, signed=True)]
    )
    if test.p_value is not None:
        parts.append(f"p = {words.p_value(test.p_value)}")
    if test.posterior is not None:
        names = ("worse", "equal", "better")
        parts += [f"{name} {share:.2f}" for name, share in zip(names, test.posterior, strict=True)]
    return ", ".join(parts)
