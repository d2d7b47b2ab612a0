"""The curve beside an operating point: the ROC curve, or one that shows it in another light."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

from rocscope.cli.output import SUFFIXES, rows_of
from rocscope.cli.wording import option_name
from rocscope.errors import RocUsageError

if TYPE_CHECKING:
    from rocscope.area.band import RocBand
    from rocscope.area.decision_curves import DecisionCurve
    from rocscope.area.precision_recall import PrecisionRecall
    from rocscope.cli.chosen import Chosen
    from rocscope.core.scores import BinaryScores
    from rocscope.views import Picture

BandAt = Literal["fpr", "threshold"]


@dataclass(frozen=True, slots=True, kw_only=True)
class AskedCurve:
    """The one curve that is wanted, and what kind of band; "roc" is the curve on which the point lies."""

    kind: str
    band: dict[str, Any] = field(default_factory=dict)

    @classmethod
    def read(
        cls, somewhere: bool, *, band_at: BandAt | None, simultaneous: bool, **wanted: bool
    ) -> AskedCurve:
        """Read the options; `somewhere` says whether there is a place for the curve to go to."""
        names = [name for name, is_wanted in wanted.items() if is_wanted]
        options = [option_name(name) for name in names]
        if len(names) > 1:
            raise RocUsageError(
                f"{options[0]} and {options[1]} must not come together: --out writes one curve"
            )
        if names and not somewhere:
            raise RocUsageError(f"{options[0]} needs --out ({', '.join(SUFFIXES)}) or --json")
        if "band" not in names and (simultaneous or band_at is not None):
            raise RocUsageError(f"{'--simultaneous' if simultaneous else '--band-at'} belongs to --band")
        band = {"at": band_at or "fpr", "simultaneous": simultaneous} if "band" in names else {}
        return cls(kind=names[0] if names else "roc", band=band)

    @property
    def by_chance(self) -> bool:
        """Whether bootstrap samples are drawn: of the bands only by the pointwise one at fixed FPR."""
        return self.kind == "pr" or self.band == {"at": "fpr", "simultaneous": False}


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundCurve:
    """The numbers of a curve, and how to draw it; of the ROC curve itself no numbers are told."""

    picture: Callable[[], Picture]
    result: RocBand | PrecisionRecall | DecisionCurve | None = None

    @property
    def results(self) -> list[dict[str, Any]]:
        """The curve for JSON."""
        return [] if self.result is None else [self.result.to_dict()]

    @property
    def rows(self) -> list[dict[str, Any]]:
        """One row per place of the curve, which the first column has; thresholds may be infinite."""
        if self.result is None:
            return []
        place, values = next(iter(self.result.columns().items()))
        rows = zip(rows_of(self.result), values.tolist(), strict=True)
        return [row | {place: value} for row, value in rows]

    @property
    def notes(self) -> tuple[str, ...]:
        """What a reader of the curve should know."""
        return () if self.result is None else self.result.warnings


def find_curve(asked: AskedCurve, data: BinaryScores, chosen: Chosen, **draws: Any) -> FoundCurve:
    """Compute the curve; `draws` are the number of replicates and their seed."""
    from rocscope import views

    name = data.names[0]
    if asked.kind == "roc":
        return FoundCurve(picture=lambda: views.curves({name: chosen.curve}, points={name: [chosen.index]}))
    how: dict[str, Any] = {"level": chosen.found.sensitivity.level}
    if asked.kind == "band":
        return _band(name, data, chosen, how | asked.band | draws)
    how["prevalence"] = chosen.wish.prevalence
    return _precision_recall(name, data, how | draws) if asked.kind == "pr" else _net_benefit(name, data, how)


def _band(name: str, data: BinaryScores, chosen: Chosen, how: dict[str, Any]) -> FoundCurve:
    from rocscope import views
    from rocscope.area.auc import auc
    from rocscope.area.band import roc_band

    band = roc_band(data, **how)

    def picture() -> Picture:
        area = auc(data, level=band.level)
        return views.picture(band, name=name, curve=chosen.curve, estimate=area, points=[chosen.index])

    return FoundCurve(picture=picture, result=band)


def _precision_recall(name: str, data: BinaryScores, how: dict[str, Any]) -> FoundCurve:
    from rocscope import views
    from rocscope.area.precision_recall import precision_recall

    found = precision_recall(data, **how)
    return FoundCurve(picture=lambda: views.picture(found, name=name), result=found)


def _net_benefit(name: str, data: BinaryScores, how: dict[str, Any]) -> FoundCurve:
    from rocscope import views
    from rocscope.area.decision_curves import net_benefit

    found = net_benefit(data, **how)
    return FoundCurve(picture=lambda: views.picture(found, name=name), result=found)
