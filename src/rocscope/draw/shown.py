"""What we have drawn on axes, so that a second result can take the next colours and repeat nothing."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any
from weakref import WeakKeyDictionary, ref

from rocscope.views.joined import SomePanel, joined
from rocscope.views.marks import Mark, Panel


@dataclass(frozen=True, slots=True, kw_only=True)
class _Shown:
    """A panel with one artist for each of its marks, and the axes that carry its far labels."""

    panel: Panel
    artists: tuple[ref[Any], ...]
    far: tuple[ref[Any], ...]


# Artists know their axes, so that a strong reference to them would keep both for ever.
_SHOWN: WeakKeyDictionary[Any, _Shown] = WeakKeyDictionary()


def shown_on(ax: Any) -> Panel | None:
    """The panel that axes show, with those of its marks that nobody has removed; None on axes without any."""
    shown = _SHOWN.get(ax)
    if shown is None:
        return None
    pairs = zip(shown.panel.marks, shown.artists, strict=True)
    left = [(mark, artist) for mark, artist in pairs if getattr(artist(), "axes", None) is ax]
    if not left:
        return None
    marks, artists = zip(*left, strict=True)
    _SHOWN[ax] = replace(shown, panel=replace(shown.panel, marks=marks), artists=artists)
    return _SHOWN[ax].panel


def artists_on(ax: Any) -> list[tuple[Mark, Any]]:
    """The marks that axes show, each with its artist."""
    panel = shown_on(ax)
    return [] if panel is None else [(m, a()) for m, a in zip(panel.marks, _SHOWN[ax].artists, strict=True)]


def beside(panel: SomePanel, ax: Any) -> SomePanel:
    """What a panel adds to axes; far labels of an earlier one are taken away, for the new ones hold both."""
    earlier = shown_on(ax)
    if earlier is None:
        return panel
    for far in _SHOWN[ax].far:
        axes = far()
        if axes is not None and axes in ax.child_axes:
            axes.remove()
    return joined(earlier, panel)


def remember(panel: Panel, ax: Any, artists: Iterable[Any], far: Iterable[Any] = ()) -> None:
    """Keep what was drawn on axes besides what they showed."""
    earlier = shown_on(ax)
    known = () if earlier is None else _SHOWN[ax].artists
    marks = () if earlier is None else earlier.marks
    # A container of bars cannot be referred to weakly: its first bar stands for it, the axes for none at all.
    new = [next(iter(artist), ax) if isinstance(artist, tuple) else artist for artist in artists]
    _SHOWN[ax] = _Shown(
        panel=replace(panel, marks=(*marks, *panel.marks)),
        artists=(*known, *map(ref, new)),
        far=tuple(map(ref, far)),
    )
