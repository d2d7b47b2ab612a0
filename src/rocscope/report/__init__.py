"""From results to one self-contained HTML page: `rocscope.report(*results, path=...)`.

The room has the name of its door, so both are one object: a module that can be called. What the call takes
is told by `rocscope.report.write.report`; the contract of the sections of a page is in `sections`.
"""

from __future__ import annotations

import inspect
import os
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

from rocscope.report.write import report, report_html

__all__ = ["report", "report_html"]

write_report = report


class _Room(ModuleType):
    """The module as a function: whatever was imported first, the name `rocscope.report` can be called."""

    def __call__(
        self, *results: Any, path: str | os.PathLike[str], title: str | None = None, force: bool = False
    ) -> Path:
        return write_report(*results, path=path, title=title, force=force)


# `help(rocscope.report)` shows the module: what it says is what the call takes.
__doc__ = f"report{inspect.signature(write_report)}\n\n{inspect.cleandoc(write_report.__doc__ or '')}\n"
sys.modules[__name__].__class__ = _Room
globals()["report"] = sys.modules[__name__]
