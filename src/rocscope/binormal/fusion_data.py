"""Cases with two scores, checked once: their fitted curves, predictions, and counted combinations."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray
from scipy import special

from rocscope.binormal.combine import JointScores, as_weights, combined_parameters, times_units
from rocscope.binormal.curve import Binormal
from rocscope.binormal.fusion_target import Target
from rocscope.binormal.normal import Floats
from rocscope.core import checks
from rocscope.core.scores import BinaryScores
from rocscope.core.table import ScoreTable
from rocscope.errors import RocInputError, UndefinedError

if TYPE_CHECKING:
    from rocscope.binormal.pair import BinormalPair

NAMES = ("score_a", "score_b")
# Scores below 2 to this power have weighted sums, and differences of them, that float64 holds.
MOST_BITS = 1000


def read_cases(y_true: Any, score_a: Any, score_b: Any, pos_label: Any, *, what: str = "") -> BinaryScores:
    """Check labels and two scores; the rows come in an order that depends on the cases alone."""
    if isinstance(y_true, BinaryScores) and score_a is None and score_b is None:
        data = BinaryScores.from_arrays(y_true, None, pos_label=pos_label).counted()
    else:
        scores = dict(zip(NAMES, (score_a, score_b), strict=True))
        data = BinaryScores.from_arrays(y_true, scores, pos_label=pos_label)
    if len(data.columns) != 2:
        raise RocInputError(f"{what}y_true must come with two scores, got {list(data.names)}")
    for name, column in zip(data.names, data.columns, strict=True):
        wrong = ~np.isfinite(column.astype(np.float64))
        checks.refuse_rows(wrong, name=f"{what}{name}", required="finite scores", got="infinite values")
    return take(data, np.lexsort((*data.columns[::-1], data.positive)))


def take(data: BinaryScores, rows: NDArray[Any]) -> BinaryScores:
    """Some rows of the data, in the order named."""
    return BinaryScores(
        positive=data.positive[rows],
        columns=tuple(column[rows] for column in data.columns),
        names=data.names,
        pos_label=data.pos_label,
        neg_label=data.neg_label,
        warnings=data.warnings,
    )


# ---- Predictions ------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class FittedPair:
    """The curves of both scores and their correlations; `reason` says why there are no correlations."""

    first: Binormal
    second: Binormal
    pair: BinormalPair | None = None
    reason: str | None = None

    @property
    def rho(self) -> tuple[float, float] | None:
        """Correlations (negatives, positives) of the latent scores, where they were fitted."""
        if self.pair is None or self.pair.rho_neg is None or self.pair.rho_pos is None:
            return None
        return self.pair.rho_neg, self.pair.rho_pos

    def independent(self) -> JointScores:
        """Latent scores that are independent given the class, as the paper assumes."""
        return JointScores.of([self.first, self.second])

    def correlated(self) -> JointScores:
        """Latent scores with their fitted correlations."""
        self.independent()  # a curve that is lacking is the better reason
        if self.rho is None:
            raise UndefinedError(f"the correlations are not known: {self.reason}")
        neg, pos = self.rho
        return JointScores.of([self.first, self.second], corr_neg=neg, corr_pos=pos)


def fit_both(data: BinaryScores) -> FittedPair:
    """Fit both curves and the correlations in each class."""
    from rocscope.binormal.pair import fit_binormal_pair

    pair = fit_binormal_pair(data)
    return FittedPair(first=pair.first, second=pair.second, pair=pair, reason=pair.reason)


@dataclass(frozen=True, slots=True, kw_only=True)
class Predictions:
    """Predicted figures of all directions, or the reason why there are none."""

    values: Floats
    reason: str | None


def predict(fitted: FittedPair, directions: Floats, target: Target, units: Floats) -> list[Predictions]:
    """Predictions with independent and with correlated scores; NaN where there are none."""
    found = []
    for scores in (fitted.independent, fitted.correlated):
        try:
            values = target.predict(*combined_parameters(scores(), times_units(directions, units)))
            found.append(Predictions(values=values, reason=None))
        except UndefinedError as error:
            found.append(Predictions(values=np.full(len(directions), np.nan), reason=str(error)))
    return found


# ---- Counted combinations ---------------------------------------------------------------------------------


def sums(data: BinaryScores, direction: Floats) -> Floats:
    """The weighted sum of both scores of every case; of huge scores a fraction of it, in the same order."""
    for name, column in zip(data.names, data.columns, strict=True):
        if column.dtype.kind != "f":
            raise RocInputError(
                "must hold numbers that float64 holds exactly to be added up as they are, got longer "
                "integers; scale='latent' takes them as ranks",
                argument=name,
            )
    first, second = data.columns
    _, exponent = np.frexp(max(np.abs(first).max(), np.abs(second).max()))
    # A power of two changes no digit, and with this one neither sums nor their differences overflow.
    parts = np.ldexp(direction, min(0, MOST_BITS - int(exponent)))
    return np.asarray(parts[0] * first + parts[1] * second)


def count(data: BinaryScores, directions: Floats, target: Target) -> Floats:
    """The figure of the combined scores in every direction."""
    return np.array([target.count(_table(data, sums(data, direction))) for direction in directions])


def _table(data: BinaryScores, scores: Floats) -> ScoreTable:
    return ScoreTable.from_sorted(np.sort(scores[data.positive]), np.sort(scores[~data.positive]))


# -----------------------------------------------------------------------------------------------------------
# The scale on which outputs are added up: as they are, or on the latent scale of the fitted curve

SCALES = ("raw", "matched", "latent")
HALVINGS = 60


@dataclass(frozen=True, slots=True)
class LatentMap:
    """The rising map from scores to the latent scale of a fitted curve, where negatives are N(0, 1).

    A score goes to the t at which the fitted curve expects as many cases above as there are: n_neg FPR(t) +
    n_pos TPR(t) = cases above + half of those tied. Both classes tell where t is, so that scores above all
    negatives are told apart too. Straight lines join the scores of the fit; beyond them the line between
    the two ends goes on.

    Examples
    --------
    >>> table = ScoreTable.from_counts([1, 2, 3], pos=[1, 2, 4], neg=[4, 2, 1])
    >>> LatentMap.of(table, Binormal(a=1.0, b=1.0)).apply(np.array([1, 2, 3, 4])).round(3).tolist()
    [-0.538, 0.5, 1.538, 2.577]
    """

    scores: NDArray[Any]
    latent: Floats

    @classmethod
    def of(cls, table: ScoreTable, fit: Binormal) -> LatentMap:
        """Fit the map to counted scores."""
        both = table.pos + table.neg
        above = np.cumsum(both) - both / 2
        latent = _latent_values(above, table.n_neg, table.n_pos, *fit.parameters())
        return cls(table.scores[::-1], latent[::-1])

    def apply(self, scores: NDArray[Any]) -> Floats:
        """Latent values of scores, of the fit or of other cases."""
        place = np.searchsorted(self.scores, scores).clip(max=len(self.scores) - 1)
        # A score of the fit has its own value: no map of numbers stands between, however long they are.
        return np.where(self.scores[place] == scores, self.latent[place], self._between(scores))

    def _between(self, scores: NDArray[Any]) -> Floats:
        known, values = self.scores.astype(np.float64), scores.astype(np.float64)
        low, high = known[0] / 2, known[-1] / 2  # halves, whose difference cannot overflow
        beyond = np.minimum(values / 2 - low, 0.0) + np.maximum(values / 2 - high, 0.0)
        share = np.divide(beyond, high - low, out=np.zeros(len(values)), where=beyond != 0)
        inside = np.interp(values / 2, known / 2, self.latent)
        return np.asarray(inside + share * (self.latent[-1] - self.latent[0]))


def _latent_values(above: Floats, n_neg: int, n_pos: int, a: float, b: float) -> Floats:
    """Solve n_neg FPR(t) + n_pos TPR(t) = above; one class alone would have its t on either side."""
    deviate = special.ndtri(above / (n_neg + n_pos))
    ends = -deviate, (a - deviate) / b
    low, high = np.minimum(*ends), np.maximum(*ends)
    for _ in range(HALVINGS):
        middle = (low + high) / 2
        more = n_neg * special.ndtr(-middle) + n_pos * special.ndtr(a - b * middle) > above
        low, high = np.where(more, middle, low), np.where(more, high, middle)
    return np.asarray((low + high) / 2)


def spread_of_negatives(table: ScoreTable, *, per: float = 1.0) -> float:
    """Standard deviation of the negatives' scores: the unit of the latent scale, on that of the outputs.

    It is divided by `per`: of the largest numbers it may be no number itself (infinite), but a quarter is.
    """
    scores, n = table.scores.astype(np.float64), table.n_neg
    size = float(np.abs(scores).max()) or 1.0  # no square overflows
    mean = float(scores / size @ table.neg) / n
    squares = float((scores / size - mean) ** 2 @ table.neg)
    return size / per * math.sqrt(squares / max(n - 1, 1))


# ---- The weights of a preview, and their ratios, on which alone a combination depends ---------------------

# The paper's grid: both weights from 0.1 to 1.0.
PAPER_GRID = np.arange(1, 11) / 10
# Ratios that differ by less are equal, and those with so small a denominator are taken as fractions.
SAME_RATIO = 1e-12
LARGEST_PART = 1000


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class WeightGrid:
    """Pairs of weights, and the different directions among them.

    Attributes
    ----------
    weights
        As they were given, (m, 2).
    directions
        One row for each different ratio, (d, 2): in the least whole numbers where the ratio is a simple
        fraction, so that sums of whole scores tie exactly as they should.
    index
        Direction of each pair.

    Examples
    --------
    >>> grid = WeightGrid.of([[0.1, 0.2], [0.5, 1.0], [0.3, 0.3]])
    >>> grid.directions.tolist(), grid.index.tolist()
    ([[1.0, 2.0], [1.0, 1.0]], [0, 0, 1])
    """

    weights: Floats
    directions: Floats
    index: NDArray[np.int64]

    @classmethod
    def of(cls, given: Any = None) -> WeightGrid:
        """Read pairs of weights, or one list of values that both weights take; the paper's where None."""
        pairs = _pairs(PAPER_GRID if given is None else given)
        seen: dict[tuple[float, float], int] = {}
        index = [seen.setdefault(_direction(*pair), len(seen)) for pair in as_weights(pairs, 2).tolist()]
        return cls(weights=pairs, directions=np.array(list(seen)), index=np.array(index, dtype=np.int64))

    def angles(self) -> Floats:
        """Angle of each direction in degrees: 0 is the first classifier alone, 90 the second."""
        return np.degrees(np.arctan2(self.directions[:, 1], self.directions[:, 0]))


def _pairs(given: Any) -> Floats:
    values = checks.as_array(given, name="weights")
    if values.ndim == 1 and values.dtype.kind in "iuf" and values.any():
        first, second = np.meshgrid(values.astype(np.float64), values.astype(np.float64), indexing="ij")
        pairs = np.stack([first.ravel(), second.ravel()], axis=1)
        values = given = pairs[(pairs != 0).any(axis=1)]
    as_weights(given, 2)  # refuses what are no weights
    return np.atleast_2d(values.astype(np.float64))


def _direction(first: float, second: float) -> tuple[float, float]:
    """The ratio as a pair of the least whole numbers, or of numbers up to 1 in size."""
    if 0 in (first, second):
        return float(np.sign(first)), float(np.sign(second))
    ratio = second / first
    simple = Fraction(ratio if math.isfinite(ratio) else 0).limit_denominator(LARGEST_PART)
    if abs(simple.numerator) <= LARGEST_PART and math.isclose(float(simple), ratio, rel_tol=SAME_RATIO):
        sign = math.copysign(1, first)
        return sign * simple.denominator, sign * simple.numerator
    digits = 1 - round(math.log10(SAME_RATIO))
    return float(f"{first:.{digits}g}"), float(f"{second:.{digits}g}")


# ---- How far two rankings agree ---------------------------------------------------------------------------


def kendall(x: Floats, y: Floats) -> float | None:
    """Kendall's tau-b; None where all values of one are equal.

    Examples
    --------
    >>> kendall(np.array([1.0, 2.0, 3.0]), np.array([1.0, 3.0, 2.0]))
    0.3333333333333333
    """
    agree = untied_x = untied_y = 0
    for k in range(len(x) - 1):
        dx, dy = np.sign(x[k + 1 :] - x[k]), np.sign(y[k + 1 :] - y[k])
        agree += int(dx @ dy)
        untied_x += int(dx @ dx)
        untied_y += int(dy @ dy)
    return agree / math.sqrt(untied_x * untied_y) if untied_x and untied_y else None


def spearman(x: Floats, y: Floats) -> float | None:
    """Spearman's correlation of midranks; None where all values of one are equal.

    Examples
    --------
    >>> spearman(np.array([1.0, 2.0, 2.0, 3.0]), np.array([10.0, 20.0, 20.0, 40.0]))
    1.0
    """
    a, b = (_midranks(values) - (len(values) - 1) / 2 for values in (x, y))
    spread = math.sqrt(float(a @ a) * float(b @ b))
    return float(a @ b) / spread if spread > 0 else None


def _midranks(values: Floats) -> Floats:
    ascending = np.sort(values)
    return np.asarray(
        (np.searchsorted(ascending, values, "left") + np.searchsorted(ascending, values, "right") - 1) / 2
    )
