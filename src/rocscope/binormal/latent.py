"""What a fit by likelihood needs to know of a curve: the positives on the negatives' latent scale."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray
from scipy import special

Floats = NDArray[np.float64]

SQRT_2PI = math.sqrt(2 * math.pi)
SMALLEST_TAIL = 1e-300


def normal_density(x: Any) -> Floats:
    """Density of the standard normal distribution."""
    return np.asarray(np.exp(-np.square(x) / 2) / SQRT_2PI)


@dataclass(frozen=True, slots=True, kw_only=True)
class Local:
    """The distribution G of the positives at places t, and its derivatives; p is the vector of parameters.

    Attributes
    ----------
    below, above
        G and 1 - G.
    density, density_by_t, density_by_parameters
        G_t, G_tt and G_tp (a row for each parameter).
    by_parameters, curvature
        G_p (a row for each parameter) and G_pp (parameters x parameters x places).
    """

    below: Floats
    above: Floats
    density: Floats
    by_parameters: Floats
    density_by_t: Floats
    density_by_parameters: Floats
    curvature: Floats

    def deviates(self) -> Deviates:
        """The same of x = Phi^-1(G), on whose scale the positives are standard normal."""
        x = deviate_of(self.below, self.above)
        height = normal_density(x)
        by_t, by_p = self.density / height, self.by_parameters / height
        return Deviates(
            x=x,
            by_t=by_t,
            by_parameters=by_p,
            by_t_twice=self.density_by_t / height + x * by_t**2,
            by_both=self.density_by_parameters / height + x * by_t * by_p,
            curvature=self.curvature / height + x * by_p[:, np.newaxis] * by_p[np.newaxis],
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Deviates:
    """Deviates x of the positives at places t, and their derivatives as in `Local`."""

    x: Floats
    by_t: Floats
    by_parameters: Floats
    by_t_twice: Floats
    by_both: Floats
    curvature: Floats


class Shape(Protocol):
    """One curve of a family."""

    def tails(self, t: Floats) -> tuple[Floats, Floats]:
        """Shares of the positives below and above t, 1 - TPR and TPR at FPR = Phi(-t)."""

    def local(self, t: Floats) -> Local:
        """The first of them with all derivatives up to the second."""


def deviate_of(below: Floats, above: Floats) -> Floats:
    """Phi^-1(below), from the smaller tail of the two."""
    tail = np.clip(np.minimum(below, above), SMALLEST_TAIL, 0.5)
    return np.asarray(np.where(below < above, 1.0, -1.0) * special.ndtri(tail))
