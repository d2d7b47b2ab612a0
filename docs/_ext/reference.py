"""The pages that the code itself writes: public names, results as JSON; and formulas as MathML.

The names come from the stubs `__init__.pyi` of the package and its rooms, so there is no list to keep.
Inline code that begins with a public name, such as `auc(y, s)`, links to it. Formulas need no script.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from html import escape
from pathlib import Path
from typing import Any

from docutils import nodes
from docutils.parsers.rst import Directive
from docutils.utils.math.latex2mathml import tex2mathml
from sphinx import addnodes
from sphinx.application import Sphinx

from rocscope.core.schema import results_schema

ROOT = Path(__file__).resolve().parents[2]
SOURCE = ROOT / "src" / "rocscope"
# Headings of the rooms, in the order of the questions they answer.
ROOMS = {
    "core": "Curves, points and what all results share",
    "inference": "Areas, points and comparisons on one test set",
    "averaging": "Averages over folds, and class weights",
    "ordinal": "Ordered classes",
    "binormal": "Binormal models and fusion",
    "training": "Scores of models that are trained here",
    "bootstrap": "Bootstrap estimates and Monte-Carlo studies",
    "algorithms": "Learning algorithms compared",
    "atlas": "How often intervals hold and tests reject",
    "io": "Files",
    "plotting": "Figures",
    "reporting": "Reports",
    "errors": "Errors and warnings",
}


def public_names() -> dict[str, list[str]]:
    """The public names of every room: of the package without a prefix, of the room itself with its name."""
    rooms: dict[str, list[str]] = {room: [] for room in ROOMS}
    for module, name in imports(SOURCE / "__init__.pyi"):
        if module:  # rooms themselves are named without a module
            rooms[module.partition(".")[0]].append(name)
    for stub in sorted(SOURCE.glob("*/__init__.pyi")):
        rooms[stub.parent.name] += [f"{stub.parent.name}.{name}" for _, name in imports(stub)]
    return rooms


def imports(stub: Path) -> Iterator[tuple[str, str]]:
    """Module and name of every import of a stub."""
    for node in ast.parse(stub.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.ImportFrom):
            yield from ((node.module or "", alias.asname or alias.name) for alias in node.names)


def write_api(app: Sphinx, _: Any) -> None:
    """Write the index of the reference, from which autosummary makes one page for each name."""
    lines = ["Reference of the public names", "=============================", ""]
    lines += ["Every name of ``import rocscope as rs``, and the classes of the results of each room.", ""]
    for room, names in public_names().items():
        heading = ROOMS[room]
        lines += [heading, "-" * len(heading), "", ".. currentmodule:: rocscope", ""]
        lines += [".. autosummary::", "   :toctree: generated", "   :nosignatures:", ""]
        lines += [*(f"   {name}" for name in names), ""]
    path = Path(app.srcdir) / "api" / "index.rst"
    path.parent.mkdir(exist_ok=True)
    text = "\n".join(lines)
    if not path.exists() or path.read_text(encoding="utf-8") != text:
        path.write_text(text, encoding="utf-8")


def link_names(app: Sphinx, doctree: nodes.document) -> None:
    """Link inline code that begins with a public name to the page of this name."""
    if app.env.docname.startswith("api/"):
        return
    prefix = r"(?:rs\.)" + "?" * (app.env.docname != "coming_from")  # other packages have an `auc` as well
    known = {name for names in public_names().values() for name in names}
    for literal in list(doctree.findall(nodes.literal)):
        found = re.match(prefix + r"((?:\w+\.)?\w+)\b(?![\w.=])", literal.astext())
        if (
            found is None
            or found[1] not in known
            or isinstance(literal.parent, (nodes.reference, nodes.title))
        ):
            continue
        xref = addnodes.pending_xref(
            "",
            refdomain="py",
            reftype="obj",
            reftarget=f"rocscope.{found[1]}",
            refwarn=True,
            refexplicit=True,
        )
        xref["refdoc"] = app.env.docname
        literal.replace_self(xref)
        xref += literal


class ResultFields(Directive):
    """The result classes and their saved fields, as the schema has them."""

    def run(self) -> list[nodes.Node]:
        """Return the list as part of the page."""
        rows = []
        for name, schema in results_schema()["$defs"].items():
            fields = ", ".join(f"<code>{field}</code>" for field in schema["properties"] if field != "type")
            rows.append(f"<dt><code>{name}</code></dt><dd>{escape(schema['description'])}<br>{fields}</dd>")
        return [nodes.raw("", f'<dl class="results">{"".join(rows)}</dl>', format="html")]


def mend(app: Sphinx, what: str, name: str, thing: Any, options: Any, lines: list[str]) -> None:
    """Write for Sphinx what reads well in an editor: |x|, and [1]_ where the module has the reference."""
    references = any(".. [1]" in line for line in lines)
    for k, line in enumerate(lines):
        if line.strip() == "Examples":
            break
        lines[k] = (
            re.sub(r"\|(\w[^|]*)\|", r"\|\1\|", line)
            if references
            else re.sub(r" ?\[\d\]_", "", re.sub(r"\|(\w[^|]*)\|", r"\|\1\|", line))
        )


def skip(app: Sphinx, what: str, name: str, thing: Any, skipped: bool, options: Any) -> bool | None:
    """Leave out what scikit-learn adds to an estimator."""
    return True if re.fullmatch(r"[sg]et_(\w+_request|metadata_routing)", name) else None


def mathml(translator: Any, node: nodes.Element) -> None:
    """Write a formula as MathML, which every browser of today shows without a script."""
    display = isinstance(node, nodes.math_block)
    translator.body.append(tex2mathml(node.astext(), as_block=display).replace("\n", ""))
    raise nodes.SkipNode


def setup(app: Sphinx) -> dict[str, Any]:
    """Write the pages before Sphinx looks for them."""
    app.add_directive("result-fields", ResultFields)
    app.connect("config-inited", write_api, priority=100)
    app.connect("autodoc-process-docstring", mend, priority=900)
    app.connect("autodoc-skip-member", skip)
    app.connect("doctree-read", link_names, priority=200)
    app.add_html_math_renderer("mathml", inline_renderers=(mathml, None), block_renderers=(mathml, None))
    return {"parallel_read_safe": True, "parallel_write_safe": True}
