"""The curves that are compared: columns of one sample, or a sample for each."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from rocscope.area.delong import AreaMatrix, paired_areas, unpaired_areas
from rocscope.core import checks
from rocscope.core.scores import BinaryScores
from rocscope.errors import RocInputError


@dataclass(frozen=True, slots=True, kw_only=True)
class CurveSamples:
    """Two or more curves; `samples` holds one sample of all cases if they are paired, else one each."""

    names: tuple[str, ...]
    samples: tuple[BinaryScores, ...]
    paired: bool

    @property
    def curves(self) -> tuple[tuple[BinaryScores, int], ...]:
        """The sample and the column of every curve."""
        if self.paired:
            return tuple((self.samples[0], column) for column in range(len(self.names)))
        return tuple((sample, 0) for sample in self.samples)

    @property
    def smallest_class(self) -> int:
        """Number of cases in the smallest class of any sample."""
        return min(min(sample.n_pos, sample.n_neg) for sample in self.samples)

    @property
    def warnings(self) -> tuple[str, ...]:
        """What the doors had to say about the data, once each."""
        return tuple(dict.fromkeys(text for sample in self.samples for text in sample.warnings))

    def only(self, *chosen: int) -> CurveSamples:
        """Return some of the curves."""
        names = tuple(self.names[i] for i in chosen)
        if not self.paired:
            return CurveSamples(names=names, samples=tuple(self.samples[i] for i in chosen), paired=False)
        columns = tuple(self.samples[0].columns[i] for i in chosen)
        sample = dataclasses.replace(self.samples[0], columns=columns, names=names)
        return CurveSamples(names=names, samples=(sample,), paired=True)

    def delong(self) -> AreaMatrix:
        """Areas with DeLong's covariance."""
        if self.paired:
            return paired_areas(self.samples[0])
        return unpaired_areas(dict(zip(self.names, self.samples, strict=True)))


def read_curves(y_true: Any, scores: Any, *, paired: bool, pos_label: Any) -> CurveSamples:
    """Check labels and scores of all curves; `y_true` may be paired data that was checked before.

    Examples
    --------
    >>> y = {"a": [0, 1, 1], "b": [0, 1]}
    >>> read_curves(y, {"a": [1, 2, 3], "b": [2, 1]}, paired=False, pos_label=None).smallest_class
    1
    """
    if paired and isinstance(y_true, BinaryScores):
        sample = _check_again(BinaryScores.from_arrays(y_true, scores, pos_label=pos_label))
        return CurveSamples(names=sample.names, samples=(sample,), paired=True)
    names = _check_names(scores)
    if not paired:
        _check_same_names(y_true, scores)
        samples = [
            BinaryScores.from_arrays(y_true[name], {name: scores[name]}, pos_label=pos_label)
            for name in scores
        ]
        return CurveSamples(names=names, samples=tuple(samples), paired=False)
    if isinstance(y_true, Mapping):
        raise RocInputError("y_true must be one array for paired curves; for a mapping give paired=False")
    sample = BinaryScores.from_arrays(y_true, scores, pos_label=pos_label)
    return CurveSamples(names=names, samples=(sample,), paired=True)


def _check_again(data: BinaryScores) -> BinaryScores:
    """Refuse checked data that holds one classifier only, or weights, which these tests do not know."""
    if len(data.columns) < 2:
        raise RocInputError(
            f"y_true must hold the scores of two or more classifiers, got {len(data.columns)}"
        )
    if data.weight is not None:
        raise RocInputError("y_true must hold cases without weights, got weighted ones")
    return data


def _check_names(scores: Any) -> tuple[str, ...]:
    if not isinstance(scores, Mapping) or len(scores) < 2:
        raise RocInputError(f"scores must map two or more curve names to scores, got {checks.show(scores)}")
    names = tuple(map(str, scores))
    if len(set(names)) < len(names):
        raise RocInputError(f"scores must have names that differ as text, got {checks.show(list(scores))}")
    return names


def _check_same_names(y_true: Any, scores: Mapping[Any, Any]) -> None:
    if not isinstance(y_true, Mapping) or set(y_true) != set(scores):
        raise RocInputError(
            f"y_true must map the same names to labels for unpaired curves, {list(scores)}, "
            f"got {list(y_true) if isinstance(y_true, Mapping) else type(y_true).__name__}"
        )
