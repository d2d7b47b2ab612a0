"""Runs the code of every page while the site is built; a block that fails is a warning, and fails the build.

- `python`: the blocks of a page run in order, in one namespace and one empty folder. What they print, the
  value of a last expression, and the figures that they draw stand below them.
- `sh`: lines that begin with `rocscope` run in the same folder; pictures that they write are shown.
- `console`: what a reader types and a build cannot run, such as a server; options of `rocscope` are checked.
- `{setup}`: Python that runs first and is folded on the page: the data of the blocks below it.
"""

from __future__ import annotations

import ast
import contextlib
import io
import os
import re
import shlex
import tempfile
import textwrap
import time
import traceback
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import matplotlib as mpl
import numpy as np
from docutils import nodes
from docutils.parsers.rst import Directive
from sphinx.application import Sphinx
from sphinx.util import logging

mpl.use("Agg")
import matplotlib.pyplot as plt

from rocscope import cli

LOGGER = logging.getLogger(__name__)
WIDTH = 100  # of a line that a page shows without a scroll bar
STYLE = {"figure.dpi": 100, "font.size": 10, "axes.spines.top": False, "axes.spines.right": False}
PICTURES = (".png", ".svg")


class Setup(Directive):
    """The data of a page: Python that runs before the blocks below it, folded."""

    has_content = True

    def run(self) -> list[nodes.Node]:
        """Return the block between the tags of a folded part."""
        text = "\n".join(self.content)
        opening = '<details class="setup"><summary>The data of this page, made by code</summary>'
        return [
            nodes.raw("", opening, format="html"),
            nodes.literal_block(text, text, language="python"),
            nodes.raw("", "</details>", format="html"),
        ]


class Page:
    """The namespace, folder and pictures of one page."""

    def __init__(self, app: Sphinx, name: str, folder: Path) -> None:
        self.names: dict[str, Any] = {"__name__": "__main__"}
        self.folder, self.name = folder, name
        self.pictures = Path(app.srcdir) / "_generated" / name
        self.count = 0
        self.seen: dict[Path, float] = {}

    def python(self, code: str) -> None:
        """Run a block, and print the value of its last expression."""
        *before, last = ast.parse(code).body
        tree = [*before, last]
        if isinstance(last, ast.Expr) and not code.rstrip().endswith(";"):
            shown = ast.parse("__show(0)").body[0]
            shown.value.args = [last.value]  # type: ignore[attr-defined]
            tree = [*before, ast.copy_location(shown, last)]
        self.names["__show"] = show
        module = ast.fix_missing_locations(ast.Module(tree, []))
        exec(compile(module, f"<{self.name}>", "exec"), self.names)

    def shell(self, code: str) -> None:
        """Run the commands of a block, one after the other."""
        for line, words in commands(code):
            if words[0] != "rocscope":
                raise ValueError(f"only commands of rocscope are run, got {words[0]}")
            right = int((re.findall(r"# exit code (\d)", line) or [0])[0])
            if (exit_code := cli.main(words[1:])) != right:
                raise RuntimeError(f"exit code {exit_code}: {line}")

    def check(self, code: str) -> None:
        """Parse the commands of a block without running them."""
        for _, words in commands(code):
            if words[0] == "rocscope" and words[1] in cli.COMMANDS:
                cli.app.parse_args(words[1:])

    def drawn(self) -> list[nodes.Node]:
        """The open figures and the new picture files, as images."""
        images = []
        for number in plt.get_fignums():
            figure = plt.figure(number)
            titles = [ax.get_title() or f"{ax.get_ylabel()} against {ax.get_xlabel()}" for ax in figure.axes]
            width, height = figure.get_size_inches()
            wide = ["wide"] if width > 1.8 * height and width > 8 else []
            images.append(self.image(".png", "; ".join(dict.fromkeys(titles)), *wide))
            figure.savefig(self.path(".png"), dpi=130, bbox_inches="tight")
        plt.close("all")
        for path in sorted(self.folder.rglob("*.*")):
            if path.suffix in PICTURES and self.seen.get(path) != path.stat().st_mtime:
                self.seen[path] = path.stat().st_mtime
                images.append(self.image(path.suffix, f"The picture {path.name}"))
                self.path(path.suffix).write_bytes(path.read_bytes())
        return images

    def path(self, suffix: str) -> Path:
        """Where the next picture is kept."""
        return self.pictures / f"{self.count}{suffix}"

    def image(self, suffix: str, text: str, *classes: str) -> nodes.Node:
        """An image of the next number, with its text for those who do not see it."""
        self.count += 1
        self.pictures.mkdir(parents=True, exist_ok=True)
        uri = f"/_generated/{self.name}/{self.count}{suffix}"
        return nodes.image(uri=uri, alt=f"Picture: {text}", classes=["drawn", *classes])


def commands(code: str) -> Iterator[tuple[str, list[str]]]:
    """Every line of a block, with its words."""
    for line in code.replace("\\\n", " ").splitlines():
        if words := shlex.split(line, comments=True):
            yield line, words


def show(value: Any) -> None:
    """Print a value in readable form; what is drawn is shown as a picture."""
    from rocscope.core.result import Result
    from rocscope.core.tables import PaperTable

    axes = getattr(value, "dtype", None) == np.dtype(object)  # several of them
    if value is not None and not axes and not type(value).__module__.startswith("matplotlib"):
        print(value if isinstance(value, (Result, PaperTable)) else repr(value))


def run_page(app: Sphinx, doctree: nodes.document) -> None:
    """Run the blocks of a page in order, and put what they show below them."""
    if (
        app.env.metadata[app.env.docname].get("run") == "elsewhere"
    ):  # the tests run the scripts of the gallery
        return
    with tempfile.TemporaryDirectory() as folder, mpl.rc_context(STYLE):
        page = Page(app, app.env.docname, Path(folder))
        for block in list(doctree.findall(nodes.literal_block)):
            if (run := RUN.get(block.get("language", ""))) is not None:
                below = block.parent.index(block) + 1
                block.parent[below:below] = shown_by(page, run, block)


def shown_by(page: Page, run: Callable[[Page, str], None], block: nodes.literal_block) -> list[nodes.Node]:
    """What a block prints, warns of and draws; an error is a warning of the build."""
    out, began = io.StringIO(), time.monotonic()
    with contextlib.chdir(page.folder), warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            with contextlib.redirect_stdout(out), contextlib.redirect_stderr(out):
                run(page, block.astext())
            pictures = page.drawn()
        except BaseException:
            pictures = []
            LOGGER.warning("%s\n%s", out.getvalue(), traceback.format_exc(limit=-3), location=block)
    if (seconds := time.monotonic() - began) > 2:
        LOGGER.info("%s:%s took %.1f s", page.name, block.line, seconds)
    notes = dict.fromkeys(f"{one.category.__name__}: {one.message}" for one in caught)
    text = "\n".join([out.getvalue().rstrip(), *notes]).strip("\n").replace(str(page.folder), ".")
    text = "\n".join(map(folded, text.splitlines()))
    printed = [nodes.literal_block(text, text, language="text", classes=["output"])] if text else []
    return [*printed, *pictures]


def folded(line: str) -> str:
    """A sentence that is too wide, on several lines; rows of a table stay as they are."""
    if len(line) <= WIDTH or "  " in line.strip():
        return line
    indent = line[: len(line) - len(line.lstrip())]
    how: Any = {"break_long_words": False, "break_on_hyphens": False}
    return textwrap.fill(line, WIDTH, subsequent_indent=f"{indent}  ", **how)


RUN: dict[str, Callable[[Page, str], None]] = {"python": Page.python, "sh": Page.shell, "console": Page.check}


def setup(app: Sphinx) -> dict[str, Any]:
    """Run the pages as they are read, before Sphinx collects their images."""
    os.environ.update(COLUMNS="100", MPLBACKEND="Agg")
    app.add_directive("setup", Setup)
    app.connect("doctree-read", run_page, priority=100)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
