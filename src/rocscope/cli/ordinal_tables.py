"""Tables of `rocscope ordinal`: the classes, all of them together, and the folds."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rocscope.cli.tables import TextTable, interval_name, number

if TYPE_CHECKING:
    from rocscope.core.result import Estimate
    from rocscope.ordinal.result import OrdinalRoc


TITLES = {"adjacent_auc": "AUC of neighbours", "kappa": "kappa (quadratic)"}


def blocks(result: OrdinalRoc) -> list[str | TextTable]:
    """What people read: a table of the classes, and the figures of all together."""
    found = next(iter(result.estimates.values()))
    interval = f" ({interval_name(found.level, found.alternative)})" if result.n_boot else ""
    header = ("class", "cases", "curves", f"MaxAUC{interval}", "at", f"AvgAUC{interval}")
    rows = tuple(_row(result, code) for code in range(len(result.labels)))
    told: list[str | TextTable] = [TextTable(header, rows), ""]
    names = list(result.estimates)[2 * len(rows) :]
    together = [(_title(name, result), _figure(result.estimates[name])) for name in names]
    chosen = result.thresholds
    if chosen.value is not None:
        together.insert(0, ("error", f"{chosen.error:.4f}"))
        cuts = ", ".join(f"{cut:.6g}" for cut in chosen.values)
        told.append(f"Best thresholds ({chosen.objective}): {cuts}")
    else:
        told.append(chosen.summary())
    told += ["", TextTable(("all classes", f"value{interval}"), tuple(together))]
    return told + _fold_blocks(result)


def _title(name: str, result: OrdinalRoc) -> str:
    """What people call a figure."""
    if name == "vus":
        return f"VUS (chance {result.vus_chance:.2g})"
    return TITLES.get(name) or name.replace("max_auc", "MaxAUC").replace("avg_auc", "AvgAUC")


def _row(result: OrdinalRoc, code: int) -> tuple[str, ...]:
    one = result.curves[code]
    areas = [_figure(result.estimates[f"{name}({one.label})"]) for name in ("max_auc", "avg_auc")]
    at = "" if one.max_at is None or len(one) == 1 else f"{one.max_at:.6g}"
    return f"{one.label}", f"{one.n_pos}", f"{len(one)}", areas[0], at, areas[1]


def _figure(estimate: Estimate) -> str:
    if estimate.value is None:
        return "undefined"
    if estimate.low is None or estimate.high is None:
        return f"{estimate.value:.4f}"
    to = "-" if estimate.low >= 0 else " to "
    return f"{estimate.value:.4f} ({estimate.low:.4f}{to}{estimate.high:.4f})"


def _fold_blocks(result: OrdinalRoc) -> list[str | TextTable]:
    folds = result.folds
    if not folds.folds:
        return []
    numbers = zip(folds.names, folds.mean, folds.sd, folds.n, strict=True)
    rows = tuple((_title(name, result), number(mean), number(sd), f"{n}") for name, mean, sd, n in numbers)
    return ["", TextTable((f"over {len(folds.folds)} folds", "mean", "sd", "folds"), rows)]
