"""The sources of the site: they name what is public, and leave no block of code to be run by nobody."""

import importlib
import re
import sys
from pathlib import Path

import pytest

import rocscope as rs

DOCS = Path(__file__).parents[2] / "docs"
PAGES = sorted(DOCS.glob("*.md"))
RUN = {"python", "sh", "console", "{setup}"}
# Other blocks: R, which validation/coming_from_reference.R reads, and what Sphinx itself reads.
OTHER = {"r", "{toctree}", "{glossary}", "{include}", "{decision-guide}", "{result-fields}"}


@pytest.fixture(scope="module")
def reference():
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(DOCS / "_ext"))
        pytest.importorskip("sphinx")
        yield importlib.import_module("reference")
    sys.modules.pop("reference", None)


def blocks(path):
    """Language and code of every fenced block."""
    text = path.read_text(encoding="utf-8")
    return re.findall(r"^```([^\n]*)\n(.*?)^```$", text, flags=re.S | re.M)


def test_the_reference_has_every_public_name(reference):
    named = {name for names in reference.public_names().values() for name in names}
    rooms = {name for name in rs.__all__ if (Path(rs.__file__).parent / name).is_dir()}
    source = Path(rs.__file__).parent
    stubbed = [room for room in rooms if (source / room / "__init__.pyi").is_file()]
    own = {f"{room}.{name}" for room in stubbed for name in getattr(rs, room).__all__}
    assert named == (set(rs.__all__) - rooms - {"__version__"}) | own


def test_the_pages_speak_of_every_function():
    text = "\n".join(path.read_text(encoding="utf-8") for path in PAGES if path.stem != "changelog")
    functions = [name for name in rs.__all__ if name.islower() and callable(getattr(rs, name))]
    assert len(functions) > 50
    assert [name for name in functions if not re.search(rf"\b{name}\b", text)] == []


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.stem)
def test_every_block_of_code_is_run(path):
    for language, code in blocks(path):
        words = language.split()
        if not words or words[0] == "text":  # what a command printed, or a file
            assert not re.search(
                r"^(import |from \w+ import|rocscope (?!\w+ NAME)|rs\.|print\()", code, flags=re.M
            ), code
        else:
            assert words[0] in RUN | OTHER, language


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.stem)
def test_commands_that_a_build_cannot_run_are_few(path):
    for language, code in blocks(path):
        if language == "console":
            commands = [line.split() for line in code.replace("\\\n", " ").splitlines() if line.strip()]
            assert {words[0] for words in commands} <= {"rocscope", "pip"}, code


def test_pages_are_in_the_contents():
    text = "\n".join(path.read_text(encoding="utf-8") for path in PAGES)
    contents = set(re.findall(r"^(?:[^\n<]*<)?([\w/]+)>?$", text, flags=re.M))
    assert {path.stem for path in PAGES} - {"index"} <= contents
