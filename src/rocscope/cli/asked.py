"""Which area `rocscope auc` was asked for, and by which method."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from rocscope.cli.areas import part
from rocscope.cli.parse import Draws, read_range, read_threshold
from rocscope.cli.reading import DRAWN_AREAS, DRAWN_CURVES
from rocscope.cli.wording import option_name
from rocscope.errors import RocUsageError

if TYPE_CHECKING:
    from rocscope.core.result import Estimate

BOOTSTRAP, AT_A_THRESHOLD = "bootstrap", "cortes-mohri"


@dataclass(frozen=True, slots=True, kw_only=True)
class AskedArea:
    """A whole area by some method, or a partial one, which only the bootstrap gives an interval.

    `limits` and `options` hold what was given of the options that belong to partial areas, and to methods.
    """

    method: str
    level: float
    alternative: str
    draws: Draws
    limits: dict[str, Any]
    options: dict[str, Any]

    @classmethod
    def read(
        cls,
        *,
        method: str | None,
        level: float,
        alternative: str,
        threshold: str | None,
        n_boot: int | None,
        bootstrap: str | None,
        seed: int | None,
        fpr: str | None,
        tpr: str | None,
        standardize: bool,
    ) -> AskedArea:
        """Check that the options belong together."""
        limits = _given(fpr=read_range(fpr, "--fpr"), tpr=read_range(tpr, "--tpr"))
        chosen = _method(method, bool(limits))
        options = _given(threshold=read_threshold(threshold), n_boot=n_boot, bootstrap=bootstrap)
        _check_owners(chosen, options)
        if standardize and not limits:
            raise RocUsageError("--standardize belongs to partial areas: give --fpr or --tpr")
        if limits and bootstrap == "bca":
            raise RocUsageError("--bootstrap must be percentile for a partial area, got 'bca'")
        return cls(
            method=chosen,
            level=level,
            alternative=alternative,
            draws=Draws.read(n_boot, seed, used=chosen == BOOTSTRAP),
            limits=limits | ({"standardize": True} if standardize else {}),
            options={name: value for name, value in options.items() if name != "n_boot"},
        )

    def check(self) -> None:
        """Refuse an unknown method or level before a long file is read."""
        from rocscope.area.intervals import METHODS
        from rocscope.core import checks

        checks.check_choice(self.method, list(METHODS), name="method")
        checks.check_level(self.level)

    @property
    def needs_rows(self) -> bool:
        """Whether counts are not enough: cases are drawn again."""
        return self.method == BOOTSTRAP

    @property
    def row_bytes(self) -> int:
        """Bytes for each row that the method takes, where that is more than the row itself."""
        if not self.needs_rows:
            return 0
        return DRAWN_CURVES if self.limits else DRAWN_AREAS

    @property
    def threshold(self) -> float | None:
        """The threshold of a method that has one."""
        return self.options.get("threshold")

    @property
    def how(self) -> dict[str, Any]:
        """Method, level and side: all that a method without options of its own takes."""
        return {"method": self.method, "level": self.level, "alternative": self.alternative}

    @property
    def all_options(self) -> dict[str, Any]:
        """Arguments of `auc`."""
        return self.how | self.options | (self.draws.options if self.method == BOOTSTRAP else {})

    def part_of(self, data: Any) -> Estimate:
        """The partial area of a sample."""
        return part(data, level=self.level, alternative=self.alternative, **self.limits, **self.draws.options)

    def check_nothing_special(self, why: str) -> None:
        """Refuse a partial area and options of single methods."""
        for name in (*self.limits, *self.options):
            raise RocUsageError(f"--{name} must be left out {why}")


def _given(**options: Any) -> dict[str, Any]:
    return {name: value for name, value in options.items() if value is not None}


def _method(method: str | None, is_part: bool) -> str:
    if not is_part:
        return "delong" if method is None else method
    if method not in (None, BOOTSTRAP):
        raise RocUsageError(f"--method must be bootstrap for a partial area, got {method!r}")
    return BOOTSTRAP


def _check_owners(method: str, options: dict[str, Any]) -> None:
    """Refuse options that the method would ignore, and a method that lacks its own."""
    owners = {"threshold": AT_A_THRESHOLD, "n_boot": BOOTSTRAP, "bootstrap": BOOTSTRAP}
    for name in options:
        if owners[name] != method:
            raise RocUsageError(
                f"{option_name(name)} belongs to --method {owners[name]}, got method {method!r}"
            )
    if method == AT_A_THRESHOLD and "threshold" not in options:
        raise RocUsageError(f"--method {AT_A_THRESHOLD} needs --threshold")
