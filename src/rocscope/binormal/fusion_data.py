"""Cases with two scores, checked once: their fitted curves, predictions, and counted combinations."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from rocscope.binormal.combine import combined_parameters
from rocscope.binormal.curve import Binormal
from rocscope.binormal.fusion_target import Target
from rocscope.binormal.joint import Floats, JointScores, times_units
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
        checks.refuse_rows(wrong, name=f"{what}{name}", wanted="finite scores", got="infinite values")
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
                f"{name} must hold numbers that float64 holds exactly to be added up as they are, got longer "
                "integers; scale='latent' takes them as ranks"
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
