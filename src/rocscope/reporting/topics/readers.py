"""Reader studies: the readers' lines, the differences of modalities, and the areas of each reader."""

from __future__ import annotations

from rocscope import plotting
from rocscope.core import formatting
from rocscope.inference.reader_study import ReaderStudy
from rocscope.reporting import sections

FOLDED_READERS = 12
DESIGNS = {
    "crossed": "Every reader read every case in every modality.",
    "nested in readers": "Each reader read cases of their own, the same in every modality.",
    "nested in modalities": "Each modality has cases of its own, which all readers read.",
    "split-plot": "Groups of readers read cases of their own, the same in every modality.",
    "unbalanced": "Not every reader read every case in every modality.",
}
SPEAKS = {
    ("random", "random"): "The result is about readers and cases like these.",
    ("fixed", "random"): "The result is about these readers, and cases like these.",
    ("random", "fixed"): "The result is about readers like these, and these cases.",
}


@sections.section_of.register
def reader_section(result: ReaderStudy, item: sections.Item) -> sections.Section:
    """The lines of the readers, the differences of all pairs of modalities, and each reader's areas."""
    pairs = {f"{row.first} - {row.second}": row for row in result.pairs}
    plot = sections.Plot(
        picture=plotting.picture(result),
        reading=reader_reading(result),
        notes=sections.remarks([("", result), *pairs.items()]),
    )
    differences = sections.row_table(
        result.pairs,
        ("pair", "difference", "se", "df", "interval", "statistic", "p_value", "p_adjusted"),
        caption=f"Differences between modalities, all readers ({result.method})",
    )
    level = f"{100 * result.level:g}% CI"
    rows = [
        (name, *(formatting.with_interval(row.value, row.low, row.high) for row in areas))
        for name, areas, _ in result.by_reader()
    ]
    table = sections.Table(
        caption=f"Areas ({level})",
        header=("reader", *result.modalities),
        rows=rows,
        folded=len(rows) > FOLDED_READERS,
    )
    parts = result.components
    named = {
        "reader": parts.reader,
        "reader by modality": parts.modality_reader,
        "error": parts.error,
        "Cov1 (same reader)": parts.cov1,
        "Cov2 (same modality)": parts.cov2,
        "Cov3 (neither)": parts.cov3,
    }
    components = sections.Table(
        caption="Variance components of an area",
        header=("component", "estimate"),
        rows=[(name, formatting.number(value, ".4g")) for name, value in named.items()],
        folded=True,
    )
    body = (plot, differences, table, components)
    return sections.Section(title=item.titled("Reader study"), body=body)


def reader_reading(result: ReaderStudy) -> str:
    """Describe the design, whom the result is about, and which differences are significant."""
    best = max(result.means, key=lambda row: row.value)
    texts = [
        f"{len(result.readers)} readers, {len(result.modalities)} modalities, {result.n_pos} positive and "
        f"{result.n_neg} negative cases. {DESIGNS[result.design]} "
        f"{SPEAKS[result.reader_effect, result.case_effect]}",
        f"Largest mean area: {best.modality}, {best.value:.3f}.",
    ]
    if result.p_value is None:
        return " ".join([*texts, f"The modalities cannot be tested: {result.reason}."])
    several = len(result.pairs) > 1
    if several:
        texts.append(f"All together: {formatting.p_value_phrase(result.p_value, result.level)}.")
    for pair in result.pairs:
        if pair.difference is None:
            continue
        ends = "" if pair.low is None else f" ({formatting.table_interval(pair.low, pair.high, signed=True)})"
        test = formatting.p_value_phrase(pair.p_adjusted if several else pair.p_value, result.level)
        holm = ", adjusted for the number of pairs" if several else ""
        difference = formatting.table_number(pair.difference, signed=True)
        texts.append(f"{pair.first} minus {pair.second}: {difference}{ends}, {test}{holm}.")
    return " ".join(texts)
