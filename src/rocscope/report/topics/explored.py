"""The operating-point explorer of a result, where there is one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rocscope.report.explorer import explorer_section
from rocscope.report.sections import Section


def explored(
    result: Any, name: str | None, *, start: int | None = None, select: Sequence[str] = ()
) -> list[Section]:
    """Return the section in which the reader moves an operating point, from the one that was chosen."""
    section = explorer_section(result, name=name, start=start, select=select)
    return [] if section is None else [section]
