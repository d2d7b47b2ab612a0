"""Make docs/gallery.md and its pictures from the scripts of examples/gallery.

Run from anywhere: .venv/bin/python docs/make_gallery.py
"""

from __future__ import annotations

import ast
import os
import runpy
import shutil
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
SCRIPTS = ROOT / "examples" / "gallery"
PICTURES = ROOT / "docs" / "gallery"
INTRODUCTION = """---
run: elsewhere
---

# Gallery

One short script per view, and what it draws. Every picture is made by matplotlib here; `rocscope.report`
shows the same pictures in an interactive page. This page is made by docs/make_gallery.py.
"""


def title(path: Path) -> str:
    """First line of the docstring of a script."""
    return (ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))) or path.stem).splitlines()[0]


def entry(path: Path, pictures: list[str]) -> str:
    """A script and its pictures, in Markdown."""
    said = title(path)
    images = "\n".join(f"![{said}](gallery/{name})" for name in pictures)
    code = path.read_text(encoding="utf-8").rstrip()
    folded = f"<details><summary>examples/gallery/{path.name}</summary>"
    return f"## {said}\n\n{images}\n\n{folded}\n\n```python\n{code}\n```\n\n</details>\n"


def draw(path: Path, folder: Path) -> list[str]:
    """Run a script in a folder of its own and return the names of its pictures, the first drawn first."""
    os.chdir(folder)
    runpy.run_path(str(path), run_name="__main__")
    drawn = sorted(folder.glob("*.png"), key=lambda picture: (picture.stat().st_mtime_ns, picture.name))
    return [picture.name for picture in drawn]


def main() -> None:
    """Draw everything anew."""
    shutil.rmtree(PICTURES, ignore_errors=True)
    PICTURES.mkdir()
    entries = []
    for path in sorted(SCRIPTS.glob("*.py")):
        with tempfile.TemporaryDirectory() as folder:
            names = draw(path, Path(folder))
            for name in names:
                shutil.copy(Path(folder) / name, PICTURES / name)
            os.chdir(ROOT)
        entries.append(entry(path, names))
    text = "\n".join([INTRODUCTION, *entries])
    (ROOT / "docs" / "gallery.md").write_text(text, encoding="utf-8")
    sys.stderr.write(f"{len(entries)} scripts, {len(list(PICTURES.iterdir()))} pictures\n")


if __name__ == "__main__":
    main()
