"""A curve with an interval at each of its points."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocscope.core.result import Result, told_thresholds

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Band(Result):
    """A curve and its band.

    Attributes
    ----------
    x, mean, low, high
        Places, the curve at each, and the ends of the interval there.
    defined
        Where the interval is defined. Elsewhere its ends are NaN, and the curve too where it has no value.
    level, method
        Confidence level and how the interval was made.
    simultaneous
        Whether the band holds the whole curve with probability `level`; otherwise each interval holds its
        own point with that probability, and some points will lie outside.
    name, x_label, y_label
        What is shown, and what the axes are.
    warnings
        What a reader should know although the band stands.

    Examples
    --------
    >>> x = np.array([0.5, 1.0])
    >>> band = Band(name="precision", x=x, mean=x, low=x - 0.25, high=x + 0.25, defined=x > 0, level=0.95,
    ...             method="bootstrap", x_label="recall", y_label="precision")
    >>> print(band)
    precision at 2 places of recall, 95% pointwise intervals (bootstrap)
    """

    name: str
    x: Floats
    mean: Floats
    low: Floats
    high: Floats
    defined: NDArray[np.bool_]
    level: float
    method: str
    x_label: str
    y_label: str
    simultaneous: bool = False
    warnings: tuple[str, ...] = ()

    def __len__(self) -> int:
        return len(self.x)

    def _summary(self) -> str:
        kind = "simultaneous band" if self.simultaneous else "pointwise intervals"
        undefined = len(self) - int(np.count_nonzero(self.defined))
        without = f", {undefined} without an interval" if undefined else ""
        return (
            f"{self.name} at {len(self)} places of {self.x_label}, {self.level * 100:g}% {kind} "
            f"({self.method}){without}"
        )

    def to_dict(self) -> dict[str, Any]:
        """Return the fields for strict JSON; infinite places are text."""
        return Result.to_dict(self) | {"x": told_thresholds(self.x)}

    def columns(self) -> dict[str, Any]:
        """One row per place."""
        return {name: getattr(self, name) for name in ("x", "mean", "low", "high", "defined")}
