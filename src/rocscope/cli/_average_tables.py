"""An averaged ROC in every form that `rocscope average` hands out."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from rocscope.averaging.point_tests import PointComparison
from rocscope.averaging.roc import AveragedRoc
from rocscope.cli._selection import Wish
from rocscope.cli.output import TextTable, number
from rocscope.core.result import plain

MULTICLASS = {None: "smallest largest class error", "mean-class-error": "smallest mean class error"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Averaged:
    """An averaged ROC, the point that was chosen on it, and those not told apart from it.

    `comparison` is None where the folds do not allow one.
    """

    roc: AveragedRoc
    index: int
    constraints: tuple[str, ...]
    rule: Any
    cost: Any
    comparison: PointComparison | None

    def objective(self) -> str:
        """What made the point the best."""
        if len(self.roc.classes) == 2:
            return Wish(constraints=self.constraints, rule=self.rule, cost=self.cost).words()
        bounds = f" with {', '.join(self.constraints)}" if self.constraints else ""
        return f"{MULTICLASS.get(self.rule, MULTICLASS[None])}{bounds}"

    def chosen(self) -> dict[str, Any]:
        """The chosen point, for JSON."""
        means = dict(zip(self.roc.measures, plain(self.roc.mean[self.index]), strict=True))
        errors = dict(zip(self.roc.measures, plain(self.roc.sem[self.index]), strict=True))
        return {
            "type": "ChosenPoint",
            "index": self.index,
            "objective": self.objective(),
            "point": {name: plain(values[self.index]) for name, values in self.roc.point_columns().items()},
            "mean": means,
            "sem": errors,
        }

    def to_dicts(self) -> list[dict[str, Any]]:
        """Everything, as plain Python for JSON."""
        return [self.roc.to_dict(), self.chosen(), *self._compared()]

    def _compared(self) -> list[dict[str, Any]]:
        """The comparison without the averaged ROC, which stands beside it."""
        if self.comparison is None:
            return []
        return [{name: value for name, value in self.comparison.to_dict().items() if name != "roc"}]

    def rows(self) -> list[dict[str, Any]]:
        """One row per point, at full precision; what is undefined stays empty."""
        columns: dict[str, Any] = {"point": np.arange(len(self.roc))} | self.roc.columns()
        if self.comparison is not None:
            columns |= self.comparison.columns()
            columns = {name: values for name, values in columns.items() if name not in ("index", "joint_p")}
        columns["chosen"] = np.arange(len(self.roc)) == self.index
        return [{name: plain(values[k]) for name, values in columns.items()} for k in range(len(self.roc))]

    def blocks(self) -> list[str | TextTable]:
        """Tell the points, the chosen one and those that are not told apart, for people."""
        roc = self.roc
        sizes = zip(roc.class_sizes.tolist(), roc.classes, strict=True)
        cases = ", ".join(f"{n} {name!s}" for n, name in sizes)
        head = f"Mean (standard error) over {len(roc.folds)} folds at {len(roc)} operating points ({cases})"
        found = f"Point {self.index}: {self._what(self.index)} ({self.objective()})"
        told = [] if self.comparison is None else self.comparison.summary().splitlines()
        return [head, "", self.table(), "", found, *told]

    def table(self) -> TextTable:
        """One line per point."""
        roc = self.roc
        points = roc.point_columns()
        header = ("point", *points, *roc.measures, "")
        rows = [
            (
                str(k),
                *(f"{values[k]:.4g}" for values in points.values()),
                *(_mean(mean, sem) for mean, sem in zip(roc.mean[k], roc.sem[k], strict=True)),
                self._mark(k),
            )
            for k in range(len(roc))
        ]
        return TextTable(header, tuple(rows))

    def _mark(self, k: int) -> str:
        if k == self.index:
            return "chosen"
        alike = self.comparison is not None and bool(self.comparison.indistinguishable[k])
        return "not told apart" if alike else ""

    def _what(self, k: int) -> str:
        return ", ".join(f"{name} {values[k]:.4g}" for name, values in self.roc.point_columns().items())


def _mean(mean: float, sem: float) -> str:
    return f"{number(mean)} ({number(sem)})" if mean == mean else "undefined"
