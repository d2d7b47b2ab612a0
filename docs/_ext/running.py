"""Runs the code of every page while the site is built; a block that fails is a warning, and so fails the build.

- `python`: the blocks of a page run in order, in one namespace and one empty folder. What they print, the value of
  a last expression, and the figures that they draw stand below them.
- `sh`: lines that begin with `rocscope` run in the same folder; pictures that they write are shown.
- `console`: what a reader types and a build cannot run, such as a server; the options of `rocscope` are checked.
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
import time
import traceback
import warnings
from pathlib import Path
from typing import Any

import matplotlib as mpl
from docutils import nodes
from docutils.parsers.rst import Directive
from sphinx.application import Sphinx
from sphinx.util import logging

mpl.use("Agg")
import matplotlib.pyplot as plt

from rocscope import cli

LOGGER = logging.getLogger(__name__)
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

    def shell(self, code: str, *, run: bool = True) -> None:
        """Run the commands of a block, one after the other."""
        for line in code.replace("\\\n", " ").splitlines():
            words = shlex.split(line.removeprefix("$ "), comments=True)
            if words[:1] != ["rocscope"]:
                if run and words:
                    raise ValueError(f"only commands of rocscope are run, got {words[0]}")
            elif not run:
                if words[1] in cli.COMMANDS and "COMMAND" not in words:
                    cli.app.parse_args(words[1:])
            elif (exit_code := cli.main(words[1:])) != int((re.findall(r"# exit code (\d)", line) or [0])[0]):
                raise RuntimeError(f"exit code {exit_code}: {line}")

    def drawn(self) -> list[nodes.Node]:
        """The open figures and the new picture files, as images."""
        images = []
        for number in plt.get_fignums():
            figure = plt.figure(number)
            titles = [ax.get_title() or f"{ax.get_ylabel()} against {ax.get_xlabel()}" for ax in figure.axes]
            images.append(self.image(".png", "; ".join(dict.fromkeys(titles))))
            figure.savefig(self.path(".png"), dpi=130, bbox_inches="tight")
        plt.close("all")
        for path in sorted(self.folder.rglob("*.*")):
            if path.suffix in PICTURES and self.seen.get(path) != path.stat().st_mtime:
                self.seen[path] = path.stat().st_mtime
                images.append(self.image(path.suffix, f"The picture {path.name}"))
                self.path(path.suffix).write_bytes(path.read_bytes())
        return images

    def path(self, suffix: str) -> Path:
        return self.pictures / f"{self.count}{suffix}"

    def image(self, suffix: str, text: str) -> nodes.Node:
        """An image of the next number, with its text for those who do not see it."""
        self.count += 1
        self.pictures.mkdir(parents=True, exist_ok=True)
        uri = f"/_generated/{self.name}/{self.count}{suffix}"
        return nodes.image(uri=uri, alt=f"Picture: {text}", classes=["drawn"])


def show(value: Any) -> None:
    """Print a value as a reader wants it; what is drawn is shown as a picture."""
    from rocscope.core.result import Result
    from rocscope.core.tables import PaperTable

    drawn = type(value).__module__.startswith("matplotlib") or getattr(value, "dtype", None) == object
    if value is not None and not drawn:
        print(value if isinstance(value, (Result, PaperTable)) else repr(value))  # noqa: T201


def run_page(app: Sphinx, doctree: nodes.document) -> None:
    """Run the blocks of a page in order, and put what they show below them."""
    if (
        app.env.metadata[app.env.docname].get("run") == "elsewhere"
    ):  # the tests run the scripts of the gallery
        return
    blocks = list(doctree.findall(lambda node: isinstance(node, nodes.literal_block)))
    kinds = {
        "python": Page.python,
        "sh": Page.shell,
        "console": lambda page, code: page.shell(code, run=False),
    }
    began = time.monotonic()
    with tempfile.TemporaryDirectory() as folder, mpl.rc_context(STYLE):
        page, home = Page(app, app.env.docname, Path(folder)), os.getcwd()
        for block in blocks:
            if (run := kinds.get(block.get("language", ""))) is None:
                continue
            out = io.StringIO()
            try:
                os.chdir(folder)
                with (
                    contextlib.redirect_stdout(out),
                    contextlib.redirect_stderr(out),
                    warnings.catch_warnings(),
                ):
                    warnings.simplefilter("always")
                    warnings.showwarning = lambda text, kind, *_: out.write(f"{kind.__name__}: {text}\n")
                    run(page, block.astext())
                shown = page.drawn()
            except BaseException:
                shown = []
                LOGGER.warning("%s\n%s", out.getvalue(), traceback.format_exc(limit=-3), location=block)
            finally:
                os.chdir(home)
            if text := out.getvalue().rstrip().replace(folder, "."):
                shown.insert(0, nodes.literal_block(text, text, language="text", classes=["output"]))
            below = block.parent.index(block) + 1
            block.parent[below:below] = shown
            if (seconds := time.monotonic() - began) > 2:
                LOGGER.info("%s:%s took %.1f s", app.env.docname, block.line, seconds)
            began = time.monotonic()


def setup(app: Sphinx) -> dict[str, Any]:
    """Run the pages as they are read, before Sphinx collects their images."""
    os.environ.update(COLUMNS="100", MPLBACKEND="Agg")
    app.add_directive("setup", Setup)
    app.connect("doctree-read", run_page, priority=100)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
