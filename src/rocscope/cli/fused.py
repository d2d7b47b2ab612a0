"""A preview of a fusion as lines and tables for people."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rocscope.cli.tables import TextTable, interval_name, number

if TYPE_CHECKING:
    from rocscope.binormal.fusion_result import FusionAgreement, FusionChoice, FusionPreview
    from rocscope.binormal.weights import BestWeights


def blocks(result: FusionPreview) -> list[str | TextTable]:
    """Curves and correlations, the choices of weights, the agreement, and the best weights of all."""
    tables: list[str | TextTable] = [_curves(result), _correlations(result), "", _head(result), ""]
    return [*tables, _choices(result), "", _agreement(result), *_optima(result)]


def _head(result: FusionPreview) -> str:
    ratios = len(result.directions)
    tested = "" if (result.n_pos_test, result.n_neg_test) == (result.n_pos, result.n_neg) else ", test cases"
    what = f"{result.target} of weighted sums ({result.scale} scale{tested})"
    return f"{what}: {len(result)} pairs of weights, {ratios} different ratios"


def _curves(result: FusionPreview) -> TextTable:
    fits = zip(result.names, (result.first, result.second), strict=True)
    cells = [
        (name, number(fit.a), number(fit.b), number(fit.auc), "" if fit.status == "ok" else fit.status)
        for name, fit in fits
    ]
    return TextTable(("binormal curve", "a", "b", "AUC", ""), tuple(cells))


def _correlations(result: FusionPreview) -> str:
    pair = result.pair
    neg, pos = (None, None) if pair is None else (pair.rho_neg, pair.rho_pos)
    return f"correlation among negatives {number(neg)}, among positives {number(pos)}"


def _choices(result: FusionPreview) -> TextTable:
    header = ["choice", f"{result.names[0]} : {result.names[1]}", "its value", "counted", "loss"]
    if result.n_boot:
        header.append("chosen again")
    return TextTable(tuple(header), tuple(_choice(row, bool(result.n_boot)) for row in result.choices))


def _choice(row: FusionChoice, drawn: bool) -> tuple[str, ...]:
    weights = "undefined" if row.weight_a is None else f"{row.weight_a:g} : {row.weight_b:g}"
    figures = [number(value) for value in (row.value, row.empirical, row.loss)]
    share = "" if row.share is None else f"{100 * row.share:.0f}%"
    return (f"{row.kind} by {row.by}", weights, *figures, *([share] if drawn else []))


def _agreement(result: FusionPreview) -> TextTable:
    interval = f" ({interval_name(result.level, 'two-sided')})" if result.n_boot else ""
    header = ("first - second", f"mean{interval}", "mean size", "largest", "Kendall", "Spearman")
    return TextTable(header, tuple(_agreeing(row) for row in result.agreement))


def _agreeing(row: FusionAgreement) -> tuple[str, ...]:
    ends = "" if row.low is None else f" ({row.low:+.4f} to {row.high:+.4f})"
    sizes = [number(value) for value in (row.mean_abs_error, row.max_abs_error)]
    ranks = [number(value, ".3f") for value in (row.kendall, row.spearman)]
    return (f"{row.first} - {row.second}", number(row.mean_error, "+.4f") + ends, *sizes, *ranks)


def _optima(result: FusionPreview) -> list[str]:
    """The best of all weights, in the grid or not, where the target is the AUC they are best for."""
    found = (("independent", result.optimum_independent), ("correlated", result.optimum_correlated))
    if result.target != "AUC" or all(best is None for _, best in found):
        return []
    return ["", *(f"Best of all weights, {by}: {_best(best)}" for by, best in found if best is not None)]


def _best(best: BestWeights) -> str:
    free, bound = (", ".join(f"{w:.4f}" for w in weights) for weights in (best.free, best.nonnegative))
    text = f"{free} (predicted AUC {best.auc_free:.4f})"
    return text if free == bound else f"{text}; at least 0: {bound} ({best.auc_nonnegative:.4f})"
