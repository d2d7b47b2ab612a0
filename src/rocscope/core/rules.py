"""Names of the rules that select a point; `points` has what each of them makes best. Loads nothing."""

from typing import Literal, TypeAlias

Rule: TypeAlias = Literal[
    "youden", "closest", "se=sp", "max-product", "max-accuracy", "max-f1", "max-kappa", "max-ppv", "min-p"
]
