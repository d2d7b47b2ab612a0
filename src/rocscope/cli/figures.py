"""The figure of an operating point: the curve, or one of those that show it in another light."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rocscope.cli.output import FIGURES
from rocscope.errors import RocUsageError

if TYPE_CHECKING:
    from rocscope.cli.chosen import Chosen
    from rocscope.core.scores import BinaryScores
    from rocscope.views import Picture

CHANCE = ("pr", "band")


def check_figure(out: str | None, **wanted: bool) -> str:
    """Name of the one figure that is wanted; a figure needs a file to be written to."""
    names = [name for name, is_wanted in wanted.items() if is_wanted]
    options = [f"--{name.replace('_', '-')}" for name in names]
    if len(names) > 1:
        raise RocUsageError(f"{options[0]} and {options[1]} must not come together: --out writes one figure")
    if names and (out is None or Path(out).suffix.lower() not in FIGURES):
        raise RocUsageError(f"{options[0]} needs --out with the name of a figure ({', '.join(FIGURES)})")
    return names[0] if names else "roc"


def figure(kind: str, data: BinaryScores, chosen: Chosen, **draws: Any) -> Callable[[], Picture]:
    """How to make the figure, when it is needed; `draws` are the number of replicates and their seed."""
    from rocscope import views

    name = data.names[0]
    if kind == "roc":
        return lambda: views.curves({name: chosen.curve}, points={name: [chosen.index]})
    return lambda: FIGURE[kind](name, data, chosen, draws)


def _band(name: str, data: BinaryScores, chosen: Chosen, draws: dict[str, Any]) -> Picture:
    from rocscope import views
    from rocscope.area.auc import auc
    from rocscope.area.band import roc_band

    band = roc_band(data, level=_level(chosen), **draws)
    area = auc(data, level=_level(chosen))
    return views.picture(band, name=name, curve=chosen.curve, estimate=area, points=[chosen.index])


def _precision_recall(name: str, data: BinaryScores, chosen: Chosen, draws: dict[str, Any]) -> Picture:
    from rocscope import views
    from rocscope.area.precision_recall import precision_recall

    found = precision_recall(data, prevalence=chosen.wish.prevalence, level=_level(chosen), **draws)
    return views.picture(found, name=name)


def _net_benefit(name: str, data: BinaryScores, chosen: Chosen, _: dict[str, Any]) -> Picture:
    from rocscope import views
    from rocscope.area.decision_curves import net_benefit

    found = net_benefit(data, prevalence=chosen.wish.prevalence, level=_level(chosen))
    return views.picture(found, name=name)


def _level(chosen: Chosen) -> float:
    return chosen.found.sensitivity.level


FIGURE = {"band": _band, "pr": _precision_recall, "net_benefit": _net_benefit}
