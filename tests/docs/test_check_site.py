"""The check of the built site finds what it is there for."""

import runpy
from pathlib import Path

import pytest

FAULTS = runpy.run_path(str(Path(__file__).parents[2] / "docs" / "check_site.py"))["faults"]


@pytest.mark.parametrize(
    ("body", "fault"),
    [
        ('<a href="b.html#there">b</a> <a href="https://example.org/x">out</a>', None),
        (
            '<link rel="canonical" href="https://example.org/a.html"><img src="data:image/png;base64,AA==">',
            None,
        ),
        ('<a href="c.html">c</a>', "c.html leads nowhere"),
        ('<a href="b.html#nowhere">b</a>', "b.html#nowhere has no such place"),
        ('<a href="#nowhere">here</a>', "#nowhere has no such place"),
        ('<img src="none.png">', "none.png leads nowhere"),
        ('<script src="https://example.org/x.js"></script>', "loads https://example.org/x.js from elsewhere"),
        ('<link rel="stylesheet" href="//example.org/x.css">', "loads //example.org/x.css from elsewhere"),
        ('<img srcset="https://example.org/x.png 2x">', "loads https://example.org/x.png from elsewhere"),
        ('<p style="background: url(https://example.org/x)">', "loads https://example.org/x from elsewhere"),
    ],
)
def test_links_and_requests(tmp_path, body, fault):
    (tmp_path / "a.html").write_text(f"<html><body>{body}</body></html>", encoding="utf-8")
    (tmp_path / "b.html").write_text('<p id="there">b</p>', encoding="utf-8")
    assert FAULTS(tmp_path) == ([] if fault is None else [f"a.html: {fault}"])


def test_styles_load_nothing(tmp_path):
    (tmp_path / "a.css").write_text("@import 'https://example.org/f.css'; p { color: red }", encoding="utf-8")
    assert FAULTS(tmp_path) == ["a.css: loads https://example.org/f.css from elsewhere"]
