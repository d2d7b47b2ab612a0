"""The site: `make docs` builds it into docs/_build/html; every warning is an error there."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent / "_ext"))

from rocscope import __version__

project = "rocscope"
author = "The rocscope developers"
copyright = "The rocscope developers. BSD 3-Clause licence"
version = release = __version__

extensions = [
    "sphinx.ext.autodoc",
    "sphinx.ext.autosummary",
    "numpydoc",
    "myst_parser",
    "reference",
    "atlas_pages",
    "decision",
    "running",
]
exclude_patterns = ["_build", "_generated", "_templates", "notebooks"]
templates_path = ["_templates"]
source_suffix = {".md": "markdown", ".rst": "restructuredtext"}
language = "en"
default_role = "py:obj"

myst_enable_extensions = ["dollarmath", "colon_fence", "deflist", "attrs_inline"]
myst_heading_anchors = 4
autosummary_generate = True
autodoc_member_order = "bysource"
autodoc_typehints = "none"
numpydoc_show_class_members = False
numpydoc_class_members_toctree = False
numpydoc_xref_param_type = False

html_theme = "pydata_sphinx_theme"
html_title = "rocscope"
html_static_path = ["_static"]
html_extra_path = ["schema"]
html_css_files = ["rocscope.css"]
html_math_renderer = "mathml"
html_search_scorer = str(Path(__file__).parent / "_ext" / "scorer.js")
html_show_sourcelink = False
html_copy_source = False
html_theme_options = {
    "logo": {"text": "rocscope", "image_light": "_static/logo.svg", "image_dark": "_static/logo.svg"},
    "show_prev_next": True,
    "navbar_end": ["theme-switcher"],
    "navbar_align": "left",
    "header_links_before_dropdown": 6,
    "secondary_sidebar_items": ["page-toc"],
    "footer_start": ["copyright"],
    "footer_end": [],
    "navigation_with_keys": False,
    "navigation_depth": 1,  # deeper lists would fold behind a button without a name
    "back_to_top_button": False,
}
