"""AUC against the number of training cases."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocscope.core.result import Result

Floats = NDArray[np.float64]
ESTIMATES = ("auc", "apparent", "star632", "star500")


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class LearningCurve(Result):
    """How the AUC grows with the training set, and which training set AUC(*) speaks for.

    Attributes
    ----------
    sizes
        Numbers of training cases, both classes together.
    estimates
        Names of the columns below: "auc" on cases that did not train; "apparent" on those that did; "star632"
        and "star500", AUC(*) of data sets larger by 1/.632 and by 1/.5, whose replicates are said to be worth
        `sizes` training cases.
    values, mc_error
        Mean over the replicates and its standard error, [size, estimate]; NaN where undefined. The error is
        that of the draws from this one data set, not that of the data set itself.
    cases
        Cases behind each value: of the training set, or of the data set that AUC(*) is bootstrapped from.
    defined
        Where there is a value.
    failed
        Trainings that failed, and are left out.
    n_boot
        Replicates of each value.
    classes
        Names of the negative and the positive class.
    warnings
        What a reader should know although the curve stands.
    """

    sizes: NDArray[np.int64]
    estimates: tuple[str, ...]
    values: Floats
    mc_error: Floats
    cases: NDArray[np.int64]
    defined: NDArray[np.bool_]
    failed: NDArray[np.int64]
    n_boot: int
    classes: tuple[Any, Any]
    warnings: tuple[str, ...] = ()

    @property
    def auc(self) -> Floats:
        """AUC on cases that did not train."""
        return self.column("auc")

    @property
    def apparent(self) -> Floats:
        """AUC on the training cases."""
        return self.column("apparent")

    @property
    def star632(self) -> Floats:
        """AUC(*) of data sets of size / .632."""
        return self.column("star632")

    @property
    def star500(self) -> Floats:
        """AUC(*) of data sets of size / .5."""
        return self.column("star500")

    def column(self, name: str) -> Floats:
        """The values of one estimate."""
        return np.asarray(self.values[:, self.estimates.index(name)])

    def columns(self) -> dict[str, Any]:
        """Return one line per size."""
        named: dict[str, Any] = {"size": self.sizes.tolist()}
        for k, name in enumerate(self.estimates):
            named[name] = _listed(self.values[:, k])
            named[f"{name}_mc_error"] = _listed(self.mc_error[:, k])
        return named

    def _summary(self) -> str:
        lines = [" ".join(["cases".rjust(6), *(name.rjust(9) for name in self.estimates)])]
        for size, row in zip(self.sizes, self.values, strict=True):
            told = ("undefined" if np.isnan(value) else f"{value:.4f}" for value in row)
            lines.append(" ".join([str(size).rjust(6), *(text.rjust(9) for text in told)]))
        return "\n".join(lines)


def _listed(values: Floats) -> list[float | None]:
    return [None if np.isnan(value) else float(value) for value in values]
