"""Any other result: its picture where it has one, its text, its numbers."""

from dataclasses import replace
from functools import singledispatch

import numpy as np

from rocscope import plotting
from rocscope.binormal.pair import BinormalPair
from rocscope.bootstrap import learning, monte_carlo
from rocscope.core.formatting import listed
from rocscope.core.result import Result
from rocscope.inference.decision_curve import DecisionCurve
from rocscope.reporting.sections import (
    TABULAR,
    Item,
    Paragraph,
    Part,
    Plot,
    Section,
    column_table,
    remarks,
    section_of,
    type_name,
)


@section_of.register
def plain_section(result: Result, item: Item) -> Section:
    """The section of any other class; a table of one row has its columns below each other."""
    reading, notes = plain_reading(result), remarks([("", result)])
    body: list[Part] = [Paragraph(reading, "reading"), *(Paragraph(note, "note") for note in notes)]
    if not plotting.is_table(result):
        body = [Plot(picture=plotting.picture(result), reading=reading, notes=notes)]
    table = column_table(result.columns())
    if table is not None and len(table.rows) == 1:
        rows = tuple(zip(table.header, table.rows[0], strict=True))
        table = replace(table, header=("", "value"), rows=rows)
    title = item.titled(type_name(type(result).__name__))
    return Section(title=title, body=(*body, *([] if table is None else [table])))


def plain_reading(result: Result) -> str:
    """Return the text of a result without what is set like a table, and a sentence about its numbers.

    Examples
    --------
    >>> import rocscope as rs
    >>> plain_reading(rs.net_benefit([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8]))[:60]
    'net benefit at 99 places of threshold probability, 95% point'
    """
    lines = [line.strip() for line in result.summary().splitlines() if not TABULAR.search(line)]
    return "\n".join([*lines, *filter(None, [_conclusion(result)])])


@singledispatch
def _conclusion(result: Result) -> str | None:
    """What the text of a result does not say in a sentence."""
    return None


@_conclusion.register
def _correlations(result: BinormalPair) -> str | None:
    if result.rho_neg is None or result.rho_pos is None:
        return None
    return (
        f"Once the class is known, the two scores correlate by {result.rho_neg:.3f} among the negatives and "
        f"by {result.rho_pos:.3f} among the positives."
    )


@_conclusion.register
def _benefit(result: DecisionCurve) -> str | None:
    columns = {name: np.asarray(values, dtype=np.float64) for name, values in result.columns().items()}
    others = np.maximum(columns["treat_all"], columns["treat_none"])
    better = columns["probability"][columns["net_benefit"] > others]
    if not len(better):
        return "Nowhere is the score worth more than treating all or none."
    return (
        f"The score is worth more than treating all or none at {len(better)} of {len(others)} threshold "
        f"probabilities, between {better.min():.2f} and {better.max():.2f}."
    )


@_conclusion.register
def _learning(result: learning.LearningCurve) -> str | None:
    columns = result.columns()
    areas = zip(columns["size"], columns["auc"], strict=True)
    known = [f"{area:.3f} with {size}" for size, area in areas if area is not None]
    return f"Mean AUC by the number of training cases: {listed(known)}." if known else None


@_conclusion.register
def _learners(result: learning.LearningCurves) -> str | None:
    texts = {name: _learning(curve) for name, curve in result.curves.items()}
    return "\n".join(f"{name}: {text}" for name, text in texts.items() if text is not None) or None


@_conclusion.register
def _monte_carlo(result: monte_carlo.MonteCarlo) -> str | None:
    best = list[str]()
    for n in result.n:
        rows = [row for row in result.rows if row.n == n and row.estimator != "true" and row.rms is not None]
        if rows:
            row = min(rows, key=lambda row: row.rms or 0.0)
            name = monte_carlo.TITLES.get(row.estimator, row.estimator)
            best.append(f"{name} with {n} training cases of each class (RMS {row.rms:.4f})")
    return f"Nearest to the truth: {listed(best)}." if best else None
