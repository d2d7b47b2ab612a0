"""Names of the rules that select a point; `points` has what each of them makes best. Loads nothing.

Also which scores stand for the positive class: higher ones, or lower ones.
"""

from typing import Literal, TypeAlias, get_args

Direction: TypeAlias = Literal["higher", "lower"]
Rule: TypeAlias = Literal[
    "youden", "closest", "se=sp", "max-product", "max-accuracy", "max-f1", "max-kappa", "max-ppv", "min-p"
]
# Of three classes or more: what the best point has least of.
ClassRule: TypeAlias = Literal["max-class-error", "mean-class-error"]
CLASS_RULES: tuple[str, ...] = get_args(ClassRule)
