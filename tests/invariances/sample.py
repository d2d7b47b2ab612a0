"""What an entry of the registry is made of: a sample, and one way to call a public function on it."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

Figures = dict[str, Any]


@dataclass(frozen=True)
class Sample:
    """Labels and score columns; `options` go to the function as they are (pos_label, sample_weight)."""

    y: Any
    scores: tuple[Any, ...]
    options: Figures = field(default_factory=dict)


@dataclass(frozen=True)
class Entry:
    """One way to call a public function, and its answer as named figures.

    Attributes
    ----------
    call
        From a sample to figures: numbers, None, text or arrays, compared field by field.
    scores
        Figures on the scale of the scores: an increasing map of the scores maps them as well.
    swap
        The figures expected when the classes change places and the scores their sign; without it all
        figures stay.
    repeated
        Figures that stay exactly when every row is there twice.
    variances
        Figures (squared standard errors) that shrink then: each class's part by (m - 1) / (2m - 1).
    weighted
        Whether the function takes `sample_weight`.
    drawn
        Figures that depend on random draws of rows: they stay only while the rows keep their order.
    arrays
        Whether the function takes arrays, of whatever type; a reader of files does not.
    samples
        Names of the samples it is tried on, for a slow function; all without it.
    """

    name: str
    call: Callable[[Sample], Figures]
    columns: int = 1
    scores: tuple[str, ...] = ()
    swap: Callable[[Figures], Figures] = lambda figures: figures
    repeated: tuple[str, ...] = ()
    variances: tuple[str, ...] = ()
    weighted: bool = False
    drawn: tuple[str, ...] = ()
    arrays: bool = True
    samples: tuple[str, ...] | None = None


def only(*names: str) -> Callable[[Figures], Figures]:
    """What stays when the classes change places: these figures."""
    return lambda figures: {name: figures[name] for name in names}
