"""Page one of a report on three classes and more."""

import numpy as np
import pytest

import rocscope as rs
from rocscope.reporting.page import report_html
from rocscope.reporting.sections import Table
from rocscope.reporting.topics.summary import class_summary

RNG = np.random.default_rng(8)
Y = np.arange(120) % 4 % 3  # 60, 30 and 30 cases
LABELS = np.array(["a", "b", "c"])[Y]
OUTPUT = RNG.random((120, 3)) + 0.6 * np.eye(3)[Y]
NAMES = ["a", "b", "c"]


def facts(found):
    return dict(zip(*([one.text for one in found.all(tag)] for tag in ("dt", "dd")), strict=True))


def rows(analysis, name):
    """The rows of a table of page one, by its name."""
    parts = class_summary(analysis).body
    tables = [*parts, *(getattr(part, "aside", None) for part in parts)]
    (table,) = (one for one in tables if isinstance(one, Table) and one.name == name)
    return table.rows


def decided(analysis, **rule):
    """Decisions at the point that the rule selects, by the weights alone."""
    roc = next(one for one in analysis.shared if isinstance(one, rs.AveragedRoc))
    return (OUTPUT * roc.points[roc.select(**rule).index]).argmax(axis=1)


def test_it_leads_with_the_data_and_one_row_per_class(parsed):
    analysis = rs.analyse(LABELS, OUTPUT, classes=NAMES, rng=1)
    found = parsed(report_html(analysis))
    assert found.titles[0] == "Summary"
    assert facts(found) == {"Cases": "120", "Class a": "60", "Class b": "30", "Class c": "30"}
    areas = rs.multiclass_auc(LABELS, OUTPUT, classes=NAMES, scheme="ovr")
    right = decided(analysis) == Y
    table = rows(analysis, "classes")
    for k, (row, area) in enumerate(zip(table, areas.rows, strict=False)):
        assert list(row[:3]) == [
            NAMES[k],
            str((k == Y).sum()),
            f"{area.value:.3f} ({area.low:.3f}–{area.high:.3f})",
        ]
        assert float(row[4].rstrip("%")) == pytest.approx(100 * right[k == Y].mean(), abs=0.05)
    assert list(table[3][:3]) == [
        "Macro average",
        "120",
        f"{areas.value:.3f} ({areas.low:.3f}–{areas.high:.3f})",
    ]
    counts = [[((k == Y) & (decided(analysis) == m)).sum() for m in range(3)] for k in range(3)]
    assert [[int(n) for n in row[1:]] for row in rows(analysis, "confusion")] == [
        [*n, sum(n)] for n in counts
    ]


def test_the_rule_of_the_page_selects_the_weights(parsed):
    analysis = rs.analyse(LABELS, OUTPUT, classes=NAMES, rule="mean-class-error", rng=1)
    found = parsed(report_html(analysis))
    right = decided(analysis, rule="mean-class-error") == Y
    shown = [float(row[4].rstrip("%")) for row in rows(analysis, "classes")[:3]]
    assert shown == pytest.approx([100 * right[k == Y].mean() for k in range(3)], abs=0.05)
    notes = " ".join(one.text for one in found.all("p"))
    assert "(the smallest mean class error)" in notes
    assert "point 0: mean" not in report_html(analysis)


def test_a_constraint_that_nothing_meets_leaves_the_balanced_point(parsed):
    analysis = rs.analyse(LABELS, OUTPUT, classes=NAMES, select="error(a)<=-1", rng=1)
    found = parsed(report_html(analysis))
    assert "(the smallest largest class error)" in " ".join(one.text for one in found.all("p"))


def test_folds_and_many_classes_are_counted(parsed):
    eight = np.arange(160) % 8
    output = RNG.random((160, 8)) + 0.8 * np.eye(8)[eight]
    analysis = rs.analyse(eight, output, classes=range(8), fold=np.arange(160) // 40, rng=1)
    found = parsed(report_html(analysis))
    assert facts(found) == {"Cases": "160", "Classes": "8", "Folds": "4"}
    assert len(rows(analysis, "classes")) == 9
    assert any(one.text.startswith("Means over 4 folds, ±") for one in found.all("p"))


def test_texts_for_a_paper(parsed):
    analysis = rs.analyse(LABELS, OUTPUT, classes=NAMES, rng=1)
    found = parsed(report_html(analysis))
    texts = [one.text for one in found.all("p")]
    pairs = rs.multiclass_auc(LABELS, OUTPUT, classes=NAMES, scheme="ovo")
    results = next(text for text in texts if text.startswith("The mean AUC of all pairs of classes was "))
    assert f"{pairs.value:.3f} (95% CI {pairs.low:.3f}–{pairs.high:.3f})" in results
    methods = next(text for text in texts if text.startswith("Areas under receiver operating"))
    assert (
        "by DeLong's variance on the logit scale. A case was classified as the class whose score" in methods
    )
    assert f"rocscope {rs.__version__} (Python " in methods
