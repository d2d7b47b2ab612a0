"""How an estimate is put into words: value, standard error, interval, and what there is to say about it."""

from __future__ import annotations

from dataclasses import dataclass

from rocscope.bootstrap.influence import Spread
from rocscope.bootstrap.result import BootstrapEstimate
from rocscope.core import wald

UNIT = (0.0, 1.0)
NO_APPARENT_SE = "no standard error is known for the performance on the training cases themselves"
NO_CV_SE = "folds share training cases, so no unbiased standard error exists"
HIDDEN = "the noise of the replicates hides the variance: more of them (n_boot) would show it"
UNSURE = "the standard error is itself uncertain by {share:.0%}: more replicates (n_boot) settle it"
# Standard errors less certain than this are told with a warning.
DOUBTFUL = 0.2
AGREE = "all replicates have the same area, so the data show no variance"
SCALED = "leave-pair-out, scaled"
INFLUENCE = "influence function"
BOUND = "exact bound"


def doubt_words(found: Spread) -> tuple[str, ...]:
    """Say so where the replicates are too few for a standard error to be relied upon."""
    return (UNSURE.format(share=found.doubt),) if found.doubt > DOUBTFUL else ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Maker:
    """Makes the estimates of one family: their common level and the range of their values."""

    level: float
    bounds: tuple[float, float] = UNIT

    def undefined(self, name: str, reason: str, method: str) -> BootstrapEstimate:
        """Estimate without a value."""
        return BootstrapEstimate(
            name=name,
            value=None,
            se=None,
            low=None,
            high=None,
            level=self.level,
            method=method,
            status="undefined",
            reason=reason,
        )

    def partial(
        self,
        name: str,
        value: float,
        reason: str,
        method: str,
        *,
        mc_error: float | None,
        warnings: tuple[str, ...] = (),
    ) -> BootstrapEstimate:
        """Estimate without a standard error."""
        return BootstrapEstimate(
            name=name,
            value=value,
            se=None,
            low=None,
            high=None,
            level=self.level,
            method=method,
            status="partial",
            reason=reason,
            warnings=warnings,
            mc_error=mc_error,
        )

    def with_se(
        self,
        name: str,
        value: float,
        se: float | None,
        method: str,
        *,
        mc_error: float,
        reason: str = HIDDEN,
        warnings: tuple[str, ...] = (),
    ) -> BootstrapEstimate:
        """Estimate with a normal interval; partial, with the reason, where there is no standard error."""
        if se is None:
            return self.partial(name, value, reason, method, mc_error=mc_error, warnings=warnings)
        low, high = wald.interval(value, se, level=self.level, bounds=self.bounds)
        return self.with_ends(name, value, se, (low, high), method, mc_error=mc_error, warnings=warnings)

    def with_ends(
        self,
        name: str,
        value: float,
        se: float | None,
        ends: tuple[float, float],
        method: str,
        *,
        mc_error: float,
        warnings: tuple[str, ...] = (),
    ) -> BootstrapEstimate:
        """Estimate with a given interval."""
        return BootstrapEstimate(
            name=name,
            value=value,
            se=se,
            low=ends[0],
            high=ends[1],
            level=self.level,
            method=method,
            warnings=warnings,
            mc_error=mc_error,
        )
