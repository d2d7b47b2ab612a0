"""rocscope: a laboratory for ROC analysis, each result with its uncertainty.

>>> import rocscope as rs
>>> print(rs.auc([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8], method="logit"))
AUC 0.7500 (95% interval 0.0693-0.9918, logit)
"""

from typing import Any

import lazy_loader

__version__ = "0.1.0"

# The names and their homes are in `__init__.pyi`, for this loader and for type checkers.
_load, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)


def __getattr__(name: str) -> Any:
    try:
        return _load(name)
    except ModuleNotFoundError as error:
        from rocscope.errors import missing_library

        raise missing_library(error, f"rocscope.{name}") from error
