"""Learning algorithms: verdicts over data sets and folds, ranks, and bootstrap estimates of one of them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from rocscope import plotting
from rocscope.algorithms.comparison import AlgorithmComparison
from rocscope.algorithms.ranks import RankComparison
from rocscope.bootstrap.estimates import BootstrapAuc
from rocscope.core import formatting
from rocscope.plotting.marks import Picture
from rocscope.reporting import tables
from rocscope.reporting.sections import Item, Part, Plot, Section, Table
from rocscope.reporting.tables import estimate_table, number, remarks


def learner_sections(items: Sequence[Item]) -> list[Section]:
    """One section for each result."""
    return [
        _bootstrap(item) if isinstance(item.result, BootstrapAuc) else _algorithms(item) for item in items
    ]


# ---- Verdicts and ranks -----------------------------------------------------------------------------------


def _algorithms(item: Item) -> Section:
    result: AlgorithmComparison = item.result
    body: list[Part] = [
        Plot(picture=plotting.picture(result), reading=verdict_words(result), notes=remarks([("", result)])),
        _verdicts(result),
    ]
    ranked = [found for found in result.ranks.values() if found.average_ranks is not None]
    if ranked:
        panels = tuple(panel for found in ranked for panel in plotting.picture(found).panels)
        body.append(Plot(picture=Picture(panels=panels), reading=" ".join(map(_rank_words, ranked))))
    return Section(title=item.titled("Learning algorithms"), body=tuple(body))


def verdict_words(result: AlgorithmComparison) -> str:
    """Count what the two tests said."""
    how = f"{tables.counted(result.folds, 'fold')}, {result.protocol}"
    sets = tables.counted(len(result.datasets), "data set")
    told = [
        f"{tables.counted(len(result.algorithms), 'algorithm')} on {sets} ({how}), each pair tested by AUC "
        f"({result.verdict_test['auc']}) and by error "
        f"({result.verdict_test['error']}) at {100 * result.level:g}%."
    ]
    cases = {case: n for case, n in result.cases().items() if n}
    told.append("Verdicts: " + tables.listed([f"{case} ({n})" for case, n in cases.items()]) + ".")
    if result.failures:
        told.append(f"{tables.counted(len(result.failures), 'fold')} failed.")
    return " ".join(told)


def _verdicts(result: AlgorithmComparison) -> Table:
    header = (
        "data set",
        "pair",
        "AUC difference",
        "p",
        "p (Holm)",
        "error difference",
        "p",
        "p (Holm)",
        "verdict",
    )
    rows = [
        (
            row.dataset,
            f"{row.first} - {row.second}",
            *(
                text
                for test in (row.auc, row.error)
                for text in (tables.signed(test.difference), number(test.p_value), number(test.p_holm))
            ),
            row.case or "undefined",
        )
        for row in result.verdicts
    ]
    return Table(caption="Verdicts", header=header, rows=rows, folded=len(rows) > 12)


def _rank_words(found: RankComparison) -> str:
    """Name the best algorithm, and those that cannot be told apart from it."""
    assert found.average_ranks is not None
    best = int(np.argmin(found.average_ranks))
    name, measure = found.algorithms[best], {"auc": "AUC"}.get(found.measure, found.measure)
    told = [f"By {measure} {name} has the best average rank, {found.average_ranks[best]:.2f}."]
    alike = {other for group in found.groups if name in group for other in group} - {name}
    if alike:
        kept = [other for other in found.algorithms if other in alike]
        told.append(f"{tables.listed(kept)} cannot be told apart from it.")
    if found.friedman is not None and found.friedman.p_value is not None:
        told.append(f"Friedman's test of equal ranks: p = {formatting.p_value(found.friedman.p_value)}.")
    return " ".join(told)


# ---- Bootstrap --------------------------------------------------------------------------------------------


def _bootstrap(item: Item) -> Section:
    result: BootstrapAuc = item.result
    families = (result.estimates(), result.error.estimates())
    named = {formatting.sentence(found.name): found for family in families for found in family.values()}
    body = (
        Plot(
            picture=plotting.picture(result, show="all"),
            reading=bootstrap_words(result),
            notes=result.warnings,
        ),
        estimate_table(named, caption="Every estimate with its interval"),
    )
    return Section(title=item.titled("Bootstrap estimates"), body=body)


def bootstrap_words(result: BootstrapAuc) -> str:
    """Say what is to be expected on new cases, and how much the training cases flatter."""
    told = [f"A classifier trained on these {result.n_pos + result.n_neg} cases"]
    told[0] += (
        f" is expected to have an AUC of {tables.with_interval(result.point632plus)} on new ones (.632+)."
    )
    seen, star = result.apparent.value, result.star.value
    if seen is not None and star is not None:
        told.append(
            f"On the training cases themselves it has {seen:.3f}, on cases left out {star:.3f}: a difference "
            f"of {seen - star:+.3f}."
        )
    error = result.error.point632plus
    if error.value is not None:
        told.append(f"Its error rate is expected to be {tables.with_interval(error)}.")
    told.append(f"{result.n_boot} replicates were drawn, {result.redrawn} of them again for lack of a class.")
    return " ".join(told)
