"""The closure of an ordinal ROC curve: how it goes on from its last threshold to a false positive rate of 1.

"diagonal" goes straight to (1, 1), as chance would; "flat" stays at the height of the last point. The paper
leaves it open.
"""

from __future__ import annotations

from typing import Any, Literal, TypeAlias

Closure: TypeAlias = Literal["diagonal", "flat"]
CLOSURES: tuple[Closure, ...] = ("diagonal", "flat")


def closing_tp(last_tp: Any, n_pos: int, closure: Closure) -> Any:
    """Return the true positives of the point at which a curve ends, given those of its last threshold.

    Examples
    --------
    >>> closing_tp(7, 10, "diagonal"), closing_tp(7, 10, "flat")
    (10, 7)
    """
    return n_pos if closure == "diagonal" else last_tp
