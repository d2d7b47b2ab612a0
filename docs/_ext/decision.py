"""The decision guide as one picture: every row a situation, what to take, and where its evidence stands.

The picture is SVG inside the page, so that its boxes are links, its colours are those of the theme, and its
text is read aloud.
"""

from __future__ import annotations

from html import escape
from itertools import pairwise
from typing import Any

from atlas_pages import slug
from docutils import nodes
from docutils.parsers.rst import Directive
from sphinx.application import Sphinx

from rocscope.atlas.cells import families
from rocscope.atlas.results import load

ROW, HEAD, GAP = 42, 36, 14
KINDS = ("if", "take", "shows")
# Left end, distance from the top of the row, and width of the boxes of each kind.
WIDE = ((0, 0, 260), (285, 0, 350), (660, 0, 160))
NARROW = ((0, 0, 356), (18, 36, 338), (196, 72, 160))


def simulated(family: str, method: str = "", quantities: tuple[str, ...] = ()) -> tuple[str, str]:
    """The page of a family of the atlas, and the range of its rates; by default of the default method."""
    kind = families()[family]
    chosen = {"quantity": quantities} if quantities else {}
    cells = load().select(family=family, method=method or kind.default, **chosen).cells
    rates = [cell.rate for cell in cells if cell.defined and (kind.kind == "interval" or cell.truth)]
    span = f"{100 * min(rates):.0f} to {100 * max(rates):.0f} %"
    return f"atlas/family-{slug(family)}", f"{span} hold" if kind.kind == "interval" else f"rejects {span}"


# Question: rows of situation, what to take, page of the evidence, what was measured there.
GUIDE = {
    "Which interval of an area?": (
        ("independent cases, few or many", "auc(y, s)", *simulated("auc")),
        ("pROC's numbers: DeLong's", 'auc(y, s, method="delong")', *simulated("auc", "delong")),
        ("clusters: patients, lesions", "auc(y, s, groups=patient)", *simulated("auc clusters")),
        (
            "survey or case weights",
            "auc(y, s, sample_weight=w)",
            "coverage#clusters-and-weights",
            "94 to 95 % hold",
        ),
        ("scores of a cross-validation", "cross_auc(scores)", *simulated("cross_auc")),
        (
            "part of the curve matters",
            "partial_auc(y, s, fpr=(0, 0.1))",
            *simulated("partial_auc", quantities=("FPR 0-0.1",)),
        ),
        (
            "a model and no test set",
            "bootstrap_auc(model, X, y)",
            "bootstrap#two-kinds-of-error",
            "93 to 95 % hold",
        ),
        ("readers and cases", "reader_study(...)", "readers#what-was-measured", "88 to 95 % hold"),
    ),
    "Which test of two?": (
        ("scores on the same cases", 'compare_auc(y, {"a": a, "b": b})', *simulated("compare_auc paired")),
        ("scores on different cases", "compare_auc(..., paired=False)", *simulated("compare_auc unpaired")),
        (
            "equivalent within a margin?",
            "compare_auc(..., margin=0.05)",
            "better#with-a-margin",
            "two one-sided",
        ),
        (
            "at one rate of errors",
            'compare_auc(..., method="sensitivity")',
            *simulated("compare_auc rates"),
        ),
        (
            "the whole curve",
            'compare_auc(..., method="venkatraman")',
            "methods#two-areas",
            "rejects 2 to 6 %",
        ),
        ("decisions, no scores", "compare_decisions(...)  McNemar", *simulated("compare_decisions")),
        (
            "trained models, left-out folds",
            "compare_algorithms: corrected t",
            "algorithms#which-test-can-be-believed",
            "rejects 1 to 6 %",
        ),
        (
            "trained models, one test set",
            "the same: over the cases",
            "algorithms#which-test-can-be-believed",
            "rejects 6 %",
        ),
        ("readers and cases", "reader_study(...)", *simulated("reader_study")),
        ("groups of cases", "auc_by(y, s, by=site)", "subgroups#sizes-of-the-tests", "rejects 2 to 6 %"),
    ),
    "Which interval at a cut-off?": (
        (
            "fixed before the data were seen",
            "point_measures(y, s, threshold=c)",
            *simulated("point_measures", quantities=("sensitivity", "specificity")),
        ),
        (
            "chosen on these data",
            'cutpoint(y, s, "tpr>=0.9")',
            *simulated("cutpoint", quantities=("sensitivity of at least 0.9",)),
        ),
        (
            "over the folds of a model",
            "average_roc(...).compare_to(i)",
            "averaging#three-tests-and-which-to-take",
            "89 to 99 % hold",
        ),
        ("rule out and rule in", "grey_zone(y, s, ...)", *simulated("grey_zone")),
    ),
}


def guide_svg() -> str:
    """The picture, for a wide window in three columns and for a phone in one."""
    label = "Which interval, which test: situations, what to take, what was measured, links to the evidence"
    pictures = []
    for kind, columns in {"wide": WIDE, "narrow": NARROW}.items():
        body, height = drawn(columns)
        width = max(x + w for x, _, w in columns)
        head = f'<svg class="{kind}" xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}"'
        pictures.append(f'{head} role="group" aria-label="{label}">{body}</svg>')
    return f'<div class="decision">{"".join(pictures)}</div>'


def drawn(columns: tuple[tuple[int, int, int], ...]) -> tuple[str, int]:
    """A heading for each question and a row for each situation; the height of all."""
    parts, y = list[str](), 8
    for question, rows in GUIDE.items():
        parts.append(f'<text class="question" x="0" y="{y + 22}">{escape(question)}</text>')
        y += HEAD
        for situation, call, page, measured in rows:
            address = page.replace("#", ".html#") if "#" in page else f"{page}.html"
            boxes = [
                box(kind, x, y + down, width, text)
                for kind, text, (x, down, width) in zip(
                    KINDS, (situation, call, measured), columns, strict=True
                )
            ]
            if columns is WIDE:
                ends = ((x + width, following[0]) for (x, _, width), following in pairwise(columns))
                parts += [f'<path d="M{start} {y + ROW / 2 - 3} H{end}" />' for start, end in ends]
            parts += [*boxes[:2], f'<a href="{address}">{boxes[2]}</a>']
            y += max(down for _, down, _ in columns) + ROW
        y += GAP
    return "".join(parts), y


def box(kind: str, x: int, y: int, width: int, text: str) -> str:
    """A box with its text."""
    frame = f'<rect x="{x + 0.5}" y="{y + 0.5}" width="{width - 1}" height="{ROW - 8}" rx="6" />'
    return f'<g class="{kind}">{frame}<text x="{x + 10}" y="{y + 22}">{escape(text)}</text></g>'


class DecisionGuide(Directive):
    """The picture in a page."""

    def run(self) -> list[nodes.Node]:
        """Return the picture as part of the page."""
        return [nodes.raw("", guide_svg(), format="html")]


def setup(app: Sphinx) -> dict[str, Any]:
    """Name the directive."""
    app.add_directive("decision-guide", DecisionGuide)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
