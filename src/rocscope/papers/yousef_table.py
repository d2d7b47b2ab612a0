"""Table 1 of Yousef, Wagner and Loew (AIPR 2004) [1]_, and our figures beside it.

The experiment: two normal classes in five features with unit covariance and c^2 p = 0.8, 20 to 200 training
cases per class, 1,000 Monte-Carlo trials, 100 bootstraps, 1,000 test cases per class. The text leaves two
things open that the numbers decide: the classifier is the quadratic one, and all trials share one test set.

The chance of that test set moves the true areas of all trials together. It cannot be drawn again, so the mean
of the true area, and the bias in every RMS, may differ from the printed ones by more than the trials explain.

References
----------
.. [1] W. A. Yousef, R. F. Wagner, M. H. Loew: Comparison of non-parametric methods for assessing classifier
   performance in terms of ROC parameters, 33rd Applied Imagery Pattern Recognition Workshop, 2004, table 1.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import hypot, sqrt
from typing import Final

from rocscope.bootstrap.components import VarianceComponents
from rocscope.bootstrap.monte_carlo import TITLES, MonteCarlo, MonteCarloRow
from rocscope.core.result import Row
from rocscope.errors import RocInputError

TRIALS: Final = 1000
# Mean, SD and RMS as printed, by size and estimator.
PRINTED: Final = {
    20: {
        "true": (0.6181, 0.0434, 0.0434),
        "star": (0.5914, 0.0947, 0.0984),
        "point632": (0.7012, 0.0749, 0.1119),
        "point632plus": (0.6431, 0.0858, 0.0894),
        "apparent": (0.8897, 0.0475, 0.2757),
    },
    40: {
        "true": (0.6571, 0.0308, 0.0308),
        "star": (0.6244, 0.0711, 0.0783),
        "point632": (0.6981, 0.0598, 0.0725),
        "point632plus": (0.6595, 0.0739, 0.0739),
        "apparent": (0.8246, 0.0431, 0.1730),
    },
    100: {
        "true": (0.6965, 0.0158, 0.0158),
        "star": (0.6738, 0.0454, 0.0507),
        "point632": (0.7119, 0.0399, 0.0428),
        "point632plus": (0.7004, 0.0452, 0.0453),
        "apparent": (0.7772, 0.0312, 0.0866),
    },
    200: {
        "true": (0.7141, 0.0090, 0.0090),
        "star": (0.6991, 0.0298, 0.0334),
        "point632": (0.7205, 0.0272, 0.0279),
        "point632plus": (0.7170, 0.0285, 0.0286),
        "apparent": (0.7573, 0.0228, 0.0489),
    },
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Beside(Row):
    """One figure of ours beside the printed one.

    Attributes
    ----------
    n, estimator, figure
        Cases per class; the estimator; "mean", "sd" or "rms".
    ours, printed
        The two figures.
    error
        Monte-Carlo standard error of their difference: ours, and that of the paper's 1,000 trials.
    test_error
        What two different test sets add to the error of a figure that depends on them; 0 for the others,
        None where it is not known.
    """

    n: int
    estimator: str
    figure: str
    ours: float
    printed: float
    error: float
    test_error: float | None

    @property
    def z(self) -> float | None:
        """Difference over its whole error; None where this is not known."""
        if self.test_error is None:
            return None
        whole = hypot(self.error, self.test_error)
        return (self.ours - self.printed) / whole if whole > 0 else 0.0


def beside_table1(result: MonteCarlo, crossed: VarianceComponents | None = None) -> tuple[Beside, ...]:
    """Put the figures of a Monte-Carlo study beside the printed ones, size by size.

    Parameters
    ----------
    result
        With bootstraps, and at least one of the sizes of the table.
    crossed
        Of the same learner, sizes and test sets: tells how much the one test set matters.

    Examples
    --------
    >>> from rocscope.bootstrap.monte_carlo import monte_carlo
    >>> found = beside_table1(monte_carlo("qda", n=20, trials=100, rng=1))
    >>> len(found), found[0].estimator, found[0].figure, found[0].printed, found[0].z
    (15, 'true', 'mean', 0.6181, None)
    """
    known = [n for n in result.n if n in PRINTED]
    if not known or "star" not in result.estimators:
        raise RocInputError(
            "must have bootstraps and one of the sizes 20, 40, 100, 200 of the table", argument="result"
        )
    return tuple(
        _beside(result, crossed, (n, estimator), figure, printed)
        for n in known
        for estimator, figures in PRINTED[n].items()
        for figure, printed in zip(("mean", "sd", "rms"), figures, strict=True)
    )


def _beside(
    result: MonteCarlo,
    crossed: VarianceComponents | None,
    where: tuple[int, str],
    figure: str,
    printed: float,
) -> Beside:
    row = result.row(*where)
    error = row[f"{figure}_error"]
    return Beside(
        n=row.n,
        estimator=row.estimator,
        figure=figure,
        ours=row[figure],
        printed=printed,
        # The paper's trials vary as ours do, and there are 1,000 of them.
        error=hypot(error, error * sqrt(result.trials / TRIALS)),
        test_error=_test_error(row, crossed, figure),
    )


def _test_error(row: MonteCarloRow, crossed: VarianceComponents | None, figure: str) -> float | None:
    """Error from two different test sets: they move the mean of the true area, and its spread a little."""
    if row.estimator != "true" and figure != "rms":
        return 0.0
    if crossed is None:
        return None
    areas = crossed.values[crossed.n.index(row.n)]
    if row.estimator == "true" and figure != "mean":
        return float(sqrt(2) * areas.std(axis=0, ddof=1).std(ddof=1))
    offset = float(sqrt(2) * areas.mean(axis=0).std(ddof=1))
    return offset if figure == "mean" else offset * abs(row.bias) / row.rms


def table1_text(rows: tuple[Beside, ...]) -> str:
    """Write ours beside the paper's, one line per size and estimator."""
    parts = (f" | {name:>4} ours  paper      z" for name in ("mean", "SD", "RMS"))
    lines = [f"{'n':>4} {'estimator':10}{''.join(parts)}"]
    for k in range(0, len(rows), 3):
        figures = [f" | {row.ours:9.4f} {row.printed:6.4f} {_z(row):>6}" for row in rows[k : k + 3]]
        lines.append(f"{rows[k].n:>4} {TITLES[rows[k].estimator]:10}{''.join(figures)}")
    return "\n".join(lines)


def _z(row: Beside) -> str:
    return "" if row.z is None else f"{row.z:+.1f}"
