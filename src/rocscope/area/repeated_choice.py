"""The choice of an operating point, made again on every bootstrap sample and judged on the cases left out."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocscope.area.replicates import CalledCases, draw_replicates
from rocscope.core import measures
from rocscope.core.curve import RocCurve
from rocscope.core.points import select_point
from rocscope.core.resample import Rng
from rocscope.core.table import ScoreTable
from rocscope.errors import UndefinedError

Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """How a point is chosen: the arguments of `RocCurve.select`, and what it knows of the data."""

    constraints: tuple[str, ...] = ()
    rule: str | None = None
    cost: Any = None
    prevalence: float | None = None
    sizes: tuple[int, int]
    classes: tuple[Any, Any]

    @classmethod
    def on(cls, curve: RocCurve, *constraints: str, **asked: Any) -> Choice:
        """A choice that can be made again on samples of the cases behind a curve."""
        sizes = (curve.n_pos, curve.n_neg)
        return cls(constraints=constraints, **asked, sizes=sizes, classes=(curve.neg_label, curve.pos_label))

    @property
    def has_costs(self) -> bool:
        """Whether a point has an expected cost."""
        return self.cost is not None or self.prevalence is not None

    def expected_cost(self, tpr: Any, fpr: Any) -> Any:
        """Mean cost of a case at the rates, for the share of positives asked for (or that of the data)."""
        (of_tn, of_fp), (of_fn, of_tp) = measures.cost_matrix(self.cost)[:, :2]
        share = self.sizes[0] / sum(self.sizes) if self.prevalence is None else self.prevalence
        of_negative = of_tn * (1 - fpr) + of_fp * fpr
        return share * (of_fn * (1 - tpr) + of_tp * tpr) + (1 - share) * of_negative

    def choose(self, called: CalledCases) -> NDArray[np.intp]:
        """Vertex chosen in each replicate, -1 where none meets the bounds.

        Vertices at scores that were not drawn repeat the one before them; of equal ones the first is
        chosen, which stands at a score that was drawn.
        """
        of_all = _Measures(called, self)
        return np.array([self._choose(of_all, row) for row in range(len(called.tp))], dtype=np.intp)

    def _choose(self, of_all: _Measures, row: int) -> int:
        try:
            return select_point(
                lambda name: of_all[name][row],
                self.constraints,
                rule=self.rule,
                cost=self.cost,
                prevalence=self.prevalence,
                class_sizes=self.sizes,
            )
        except UndefinedError:
            return -1


class _Measures:
    """Measures of all replicates at all vertices, (replicates, vertices), each computed when asked for."""

    def __init__(self, called: CalledCases, choice: Choice) -> None:
        self.called, self.choice = called, choice
        # Nearly every choice needs these, and they need no confusion matrices, which are large.
        self.found: dict[str, Floats] = {
            "tpr": called.tp / called.n_pos,
            "fpr": called.fp / called.n_neg,
            "fnr": (called.n_pos - called.tp) / called.n_pos,
        }

    def __getitem__(self, name: str) -> Floats:
        if name not in self.found:
            called, choice = self.called, self.choice
            counts = measures.confusion_from_counts(called.tp, called.fp, called.n_pos, called.n_neg)
            self.found[name] = measures.evaluate(
                name, counts, classes=choice.classes, prevalence=choice.prevalence
            )
        return self.found[name]


@dataclass(frozen=True, slots=True, kw_only=True)
class Choices:
    """The vertex that each replicate chose (-1: none), and its rates on the cases left out (NaN: none)."""

    vertex: NDArray[np.intp]
    tpr: Floats
    fpr: Floats

    @property
    def feasible(self) -> Flags:
        """Replicates with a point that meets the bounds."""
        return self.vertex >= 0

    @property
    def judged(self) -> Flags:
        """Replicates with a point and with cases of both classes left out."""
        return self.feasible & ~np.isnan(self.tpr) & ~np.isnan(self.fpr)


def choose_again(table: ScoreTable, choice: Choice, *, n_boot: int, rng: Rng) -> Choices:
    """Choose on every replicate, and judge on the cases it left out.

    Examples
    --------
    >>> from rocscope.core.curve import roc_curve
    >>> y, s = [0, 0, 1, 1], [1, 3, 2, 4]
    >>> choice = Choice.on(roc_curve(y, s), rule="youden")
    >>> table = ScoreTable.from_counts(s, pos=y, neg=[1, 1, 0, 0])
    >>> found = choose_again(table, choice, n_boot=3, rng=2)
    >>> found.vertex.tolist(), found.judged.tolist()
    ([3, 1, 1], [False, True, False])
    """
    chunks = [
        _judge(choice.choose(sample.drawn()), sample.left_out())
        for sample in draw_replicates(table, n_boot=n_boot, rng=rng)
    ]
    return Choices(
        vertex=np.concatenate([chunk.vertex for chunk in chunks]),
        tpr=np.concatenate([chunk.tpr for chunk in chunks]),
        fpr=np.concatenate([chunk.fpr for chunk in chunks]),
    )


def _judge(vertex: NDArray[np.intp], left_out: CalledCases) -> Choices:
    rows = np.arange(len(vertex))
    tpr = measures.ratio(left_out.tp[rows, vertex], left_out.n_pos[:, 0])
    fpr = measures.ratio(left_out.fp[rows, vertex], left_out.n_neg[:, 0])
    return Choices(vertex=vertex, tpr=tpr, fpr=fpr)
