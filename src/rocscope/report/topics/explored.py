"""The operating-point explorer of a result, where there is one."""

from __future__ import annotations

from typing import Any

from rocscope.report.explorer import explorer_section
from rocscope.report.sections import Section


def explored(result: Any, name: str | None) -> list[Section]:
    """Return the section in which the reader moves an operating point."""
    section = explorer_section(result, name=name)
    return [] if section is None else [section]
