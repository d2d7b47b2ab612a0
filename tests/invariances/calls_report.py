"""How the report and what it consists of are called on a sample, and the numbers they show."""

import html
import json
import re
import tempfile
from pathlib import Path

import numpy as np
from matplotlib.figure import Figure

import rocscope as rs
from invariances.calls import DRAWS
from invariances.sample import Figures, Sample

FIGURES = re.compile(r'<script type="application/json" id="s1-figures-data">(.*?)</script>', re.DOTALL)
CELLS = re.compile(r"<td[^>]*>(.*?)</td>")


def page(sample: Sample) -> Figures:
    found = [make(sample.y, sample.scores[0], **sample.options) for make in (rs.roc_curve, rs.auc)]
    with tempfile.TemporaryDirectory() as folder:
        text = rs.report({"marker": found}, path=Path(folder, "page.html")).read_text(encoding="utf-8")
    (figure,) = json.loads(FIGURES.search(text)[1])
    curve = next(mark for mark in figure["marks"] if mark["role"] == "curve")
    cells = [html.unescape(cell) for cell in CELLS.findall(text)]
    return {"x": np.array(curve["x"]), "y": np.array(curve["y"]), "area": cells[-4:]}


def drawn(sample: Sample) -> Figures:
    curve = rs.roc_curve(sample.y, sample.scores[0], **sample.options)
    ax = rs.plot_roc({"marker": curve}, Figure().add_subplot())
    return {"x": ax.lines[1].get_xdata(), "y": ax.lines[1].get_ydata(), "area": [ax.lines[1].get_label()]}


def analysed(sample: Sample) -> Figures:
    found = rs.analyse(sample.y, sample.scores[0], **DRAWS, **sample.options)
    results = [result for group in found.results.values() for result in group]
    curve = next(result for result in results if isinstance(result, rs.RocCurve))
    areas = [result.value for result in results if isinstance(result, rs.Estimate) and result.name == "AUC"]
    return {"x": curve.fpr, "y": curve.tpr, "area": areas}
