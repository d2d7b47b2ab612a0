"""Fusion previews of a report: of every pair of a few scores, and of these the most promising."""

from __future__ import annotations

import dataclasses
from itertools import combinations
from typing import TYPE_CHECKING, Any

from rocscope.cli.reported import Found

if TYPE_CHECKING:
    from rocscope.binormal.fusion_result import FusionPreview
    from rocscope.core.scores import BinaryScores

TRIED = 6  # scores whose pairs are tried: those of the largest areas
SHOWN = 3  # pairs that are shown


def fusions(data: BinaryScores, found: Found, *, level: float) -> list[FusionPreview]:
    """The previews of those pairs from whose sum most is predicted to be gained."""
    from rocscope.binormal.fusion import preview_fusion

    pairs = list(combinations(_largest(data), 2))
    made: list[FusionPreview] = []
    for k, m in pairs:
        name = f"the fusion of {data.names[k]} and {data.names[m]}"
        made += found.tried(name, preview_fusion, _pair(data, k, m), level=level)
    _tell(found, len(made), len(data.names))
    kept = sorted(range(len(made)), key=lambda k: -_gain(made[k]))[:SHOWN]
    return [made[k] for k in kept]


def _largest(data: BinaryScores) -> list[int]:
    """Scores of the largest areas, in their own order."""
    from rocscope.core.curve import curve_of

    areas = [curve_of(data, k).auc for k in range(len(data.names))]
    return sorted(sorted(range(len(areas)), key=lambda k: -areas[k])[:TRIED])


def _pair(data: BinaryScores, k: int, m: int) -> BinaryScores:
    return dataclasses.replace(
        data, columns=(data.columns[k], data.columns[m]), names=(data.names[k], data.names[m])
    )


def _gain(preview: FusionPreview) -> float:
    """What the best weights are predicted to add to the better of the two; nothing where that is unknown."""
    best: Any = [preview.best(by).value for by in ("correlated", "independent")]
    predicted = next((value for value in best if value is not None), None)
    alone = [fit.auc for fit in (preview.first, preview.second) if fit.auc is not None]
    return predicted - max(alone) if predicted is not None and alone else 0.0


def _tell(found: Found, made: int, scores: int) -> None:
    if made > SHOWN or scores > TRIED:
        among = f" among the {TRIED} scores with the largest areas" if scores > TRIED else ""
        found.offers.append(
            f"Fusion of other pairs: of {made} pairs{among} the {min(made, SHOWN)} with the largest "
            "predicted gain are shown; rocscope fuse shows any pair."
        )
