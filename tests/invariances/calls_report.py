"""How the report is called on a sample, and the numbers that its page shows."""

import html
import json
import re
import tempfile
from pathlib import Path
from unittest.mock import patch

import numpy as np

import rocscope as rs
from invariances.sample import Figures, Sample

FIGURES = re.compile(r'<script type="application/json" id="s1-figures-data">(.*?)</script>', re.DOTALL)
CELLS = re.compile(r"<td[^>]*>(.*?)</td>")


@patch("rocscope.reporting.page._plotly_source", lambda: "")  # the library has no part in the numbers
def page(sample: Sample) -> Figures:
    found = [make(sample.y, sample.scores[0], **sample.options) for make in (rs.roc_curve, rs.auc)]
    with tempfile.TemporaryDirectory() as folder:
        text = rs.report({"marker": found}, path=Path(folder, "page.html")).read_text(encoding="utf-8")
    (figure,) = json.loads(FIGURES.search(text)[1])
    curve = next(trace for trace in figure["data"] if trace["meta"]["role"] == "curve")
    cells = [html.unescape(cell) for cell in CELLS.findall(text)]
    return {"x": np.array(curve["x"]), "y": np.array(curve["y"]), "area": cells[-4:]}
