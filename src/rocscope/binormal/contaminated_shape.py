"""Shapes of the contaminated binormal curve and of the binormal curve with equal variances."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy import special

from rocscope.binormal.latent import Floats, Local, normal_density


@dataclass(frozen=True, slots=True)
class ContaminatedShape:
    """Positives are N(mu, 1) with probability alpha and else like the negatives, N(0, 1).

    Examples
    --------
    >>> below, above = ContaminatedShape(0.5, 2.0).tails(np.array([0.0]))
    >>> above.round(4).tolist()
    [0.7386]
    """

    alpha: float
    mu: float

    def tails(self, t: Floats) -> tuple[Floats, Floats]:
        """Shares of the positives below and above t, 1 - TPR and TPR at FPR = Phi(-t)."""
        below, above = (
            self.alpha * special.ndtr(sign * (t - self.mu)) + (1 - self.alpha) * special.ndtr(sign * t)
            for sign in (1.0, -1.0)
        )
        return below, above

    def local(self, t: Floats) -> Local:
        """The first of them with all derivatives up to the second, by alpha and mu."""
        below, above = self.tails(t)
        x = t - self.mu
        seen, unseen = normal_density(x), normal_density(t)
        pull = self.alpha * x * seen
        return Local(
            below=below,
            above=above,
            density=self.alpha * seen + (1 - self.alpha) * unseen,
            by_parameters=np.stack([special.ndtr(x) - special.ndtr(t), -self.alpha * seen]),
            density_by_t=-pull - (1 - self.alpha) * t * unseen,
            density_by_parameters=np.stack([seen - unseen, pull]),
            curvature=np.stack([np.stack([np.zeros_like(t), -seen]), np.stack([-seen, -pull])]),
        )


@dataclass(frozen=True, slots=True)
class EqualShape:
    """Positives are N(a, 1): the binormal curve with b = 1."""

    a: float

    def tails(self, t: Floats) -> tuple[Floats, Floats]:
        """Shares of the positives below and above t, 1 - TPR and TPR at FPR = Phi(-t)."""
        return special.ndtr(t - self.a), special.ndtr(self.a - t)

    def local(self, t: Floats) -> Local:
        """The first of them with all derivatives up to the second, by a."""
        below, above = self.tails(t)
        x = t - self.a
        density = normal_density(x)
        pull = x * density
        return Local(
            below=below,
            above=above,
            density=density,
            by_parameters=-density[np.newaxis],
            density_by_t=-pull,
            density_by_parameters=pull[np.newaxis],
            curvature=-pull[np.newaxis, np.newaxis],
        )
