"""Tables for papers, and metrics for trackers: of every result, in every form, with hostile names."""

import csv
import html
import io
import math
import re
from dataclasses import replace
from html.parser import HTMLParser

import numpy as np
import pytest

import rocscope as rs
from every_result import every_class
from rocscope.core.formatting import journal_p_value
from rocscope.core.result import Estimate, TestResult
from rocscope.core.tables import (
    CI_STYLES,
    IntervalStyle,
    PaperTable,
    escape_latex,
    escape_markdown,
    heading,
    one_line,
    paper_table,
)
from rocscope.errors import EXTRAS, RocInputError

RESULTS = every_class()
EVERY = pytest.mark.parametrize("name", RESULTS)
# Word and Excel take longer than all other forms together: of every tenth result in the quick tests.
IN_TURN = [pytest.param(name, marks=[pytest.mark.slow] if k % 10 else []) for k, name in enumerate(RESULTS)]
HOSTILE = (
    "R&D_50% | <script>alert(1)</script>",
    '=HYPERLINK("http://x")\n\nsecond line\r\\input{/etc/passwd}',
    "-1+cmd|' /C calc'!A0",
    "[x](javascript:y) `*a*` ~b~ $c^2$ {#}\x00\x1b[31m\u202e\ud800\uffff\u2028",
)


def estimate(**changes):
    fields = {"name": "AUC", "value": 0.8, "se": 0.05, "low": 0.7, "high": 0.9, "level": 0.95}
    return Estimate(**fields | {"method": "delong"} | changes)


def table_of(result):
    """The table of a result; that of a comparison of algorithms is a result with a table of its own."""
    table = result.table()
    return table if isinstance(table, PaperTable) else table.table()


# ---- Every result -----------------------------------------------------------------------------------------


@EVERY
def test_every_result_has_a_table_in_every_text_form(name):
    result = RESULTS[name]
    table = table_of(result)
    assert table.columns
    assert all(len(row) == len(table.columns) for row in table.rows)
    assert {type(cell) for row in (table.columns, *table.rows, table.notes) for cell in row} <= {str}
    assert not {"nan", "None"} & {cell for row in table.rows for cell in row}
    latex = result.to_latex().splitlines()
    assert r"\toprule" in latex
    assert latex[-1] == r"\end{tabular}" or latex[-1].endswith("\\par}")
    assert result.to_markdown().splitlines()[1].startswith(("|:--", "|--:"))
    assert result.to_html().startswith("<table>")
    assert next(csv.reader(io.StringIO(result.to_csv()))) == list(table.columns)
    assert table.frame().shape == (len(table.rows), len(table.columns))


@pytest.mark.parametrize("name", IN_TURN)
def test_word_and_excel_have_the_cells_of_the_table(name, tmp_path):
    result = RESULTS[name]
    table = table_of(result)
    if len(table.rows) < 100:
        assert read_docx(result, tmp_path) == [list(table.columns), *map(list, table.rows)]
        cells = read_excel(result, tmp_path)[: len(table.rows) + 1]
        assert [len(row) for row in cells] == [len(table.columns) + 2 * len(table.ends)] * len(cells)


@EVERY
def test_headings_are_words(name):
    """No heading is the bare name of a field, but for symbols and names of the user's own."""
    own = {"a", "b", "c", "d_a", "df", "n", "x", "data set", "lda", "nb", "score_a alone", "score_b alone"}
    headings = [text for text in table_of(RESULTS[name]).columns if text not in own]
    assert [text for text in headings if "_" in text or not text[0].isupper()] == []


@EVERY
def test_no_column_of_settings(name):
    headings = {text.lower() for text in table_of(RESULTS[name]).columns}
    assert not headings & {"level", "status", "reason", "alternative", "warnings", "defined"}


@EVERY
def test_every_result_has_metrics(name):
    metrics = RESULTS[name].log_metrics("test/")
    assert all(type(value) is float and math.isfinite(value) for value in metrics.values())
    for key in metrics:
        # MLflow: alphanumerics, _ - . space and /, a path in its normal form, at most 250 characters.
        assert re.fullmatch(r"test/[A-Za-z0-9_\-. /]+", key), key
        assert not any(part in ("", ".", "..") for part in key.split("/"))
        assert len(key) <= 250
    folders = {key.rsplit("/", k)[0] for key in metrics for k in range(1, key.count("/") + 1)}
    assert not folders & set(metrics)  # a tracker that writes files has a file or a folder of one name


# ---- What stands in the cells -----------------------------------------------------------------------------


def test_a_value_and_its_interval_are_one_cell():
    table = estimate().table(digits=2)
    assert table == PaperTable(
        ("AUC (95% CI)", "SE"),
        (("0.80 (0.70-0.90)", "0.05"),),
        ("Method: DeLong.",),
        ((None, 0.05),),
        2,
        {0: ((0.8,), (0.7,), (0.9,))},
    )
    assert estimate(level=0.9).table().columns[0] == "AUC (90% CI)"
    one_sided = estimate(alternative="greater", high=1.0).table()
    assert (one_sided.columns[0], one_sided.rows[0][0]) == ("AUC (95% lower bound)", "0.800 (≥ 0.700)")
    assert estimate(alternative="less", low=0.0).table().rows[0][0] == "0.800 (≤ 0.900)"


@pytest.mark.parametrize(
    ("example", "cell", "negative"),
    [
        ("0.73 (0.63-0.83)", "0.80 (0.70-0.90)", "0.10 (-0.20 to 0.40)"),
        ("0.73 (0.63–0.83)", "0.80 (0.70–0.90)", "0.10 (-0.20 to 0.40)"),
        ("0.73 [0.63, 0.83]", "0.80 [0.70, 0.90]", "0.10 [-0.20, 0.40]"),
        (".731 (.630 to .833)", "0.80 (0.70 to 0.90)", "0.10 (-0.20 to 0.40)"),
        ("0.73 (0.63, 0.83)", "0.80 (0.70, 0.90)", "0.10 (-0.20, 0.40)"),
        ("0.73 [0.63-0.83]", "0.80 [0.70-0.90]", "0.10 [-0.20 to 0.40]"),
    ],
)
def test_the_punctuation_of_the_example_is_imitated(example, cell, negative):
    assert estimate().table(digits=2, ci=example).rows[0][0] == cell
    difference = estimate(value=0.1, low=-0.2, high=0.4)
    assert difference.table(digits=2, ci=example).rows[0][0] == negative


@pytest.mark.parametrize(
    "example", ["0.73 {0.63-0.83}", "0.73 (0.63-0.83]", "0.73 ± 0.1", "0.73 (0.63/0.83)", "", None, 3]
)
def test_other_styles_are_refused(example):
    with pytest.raises(RocInputError, match=r"^ci must be like one of '0\.73 \(0\.63-0\.83\)', ") as caught:
        estimate().table(ci=example)
    assert all(repr(style) in str(caught.value) for style in CI_STYLES)


@pytest.mark.parametrize("digits", [-1, 1.5, "3", 13])
def test_digits_are_few_and_whole(digits):
    with pytest.raises(RocInputError, match=r"^digits must be"):
        estimate().table(digits=digits)


def test_what_is_undefined_says_why():
    undefined = estimate(value=None, se=None, low=None, high=None, status="undefined", reason="no negatives")
    assert undefined.table().rows[0][0] == "undefined [a]"
    assert undefined.table().notes == ("Method: DeLong.", "[a] No negatives")
    partial = estimate(se=None, low=None, high=None, status="partial", reason="one positive")
    assert partial.table().rows == (("0.800 [a]",),)
    measures = rs.point_measures([0, 0, 1, 1], [0.1, 0.2, 0.8, 0.9], threshold=0.5).table()
    cells = {row[0]: row[1] for row in measures.rows}
    marks = {text[:3]: text[4:] for text in measures.notes if text.startswith("[")}
    assert cells["Sensitivity"] == "1.000 (0.342-1.000)"
    assert re.fullmatch(r"∞ \(\S+-∞\) \[[a-z]\]|undefined \[[a-z]\]", cells["LR+"])
    assert all(cell[-3:] in marks for cell in cells.values() if cell.endswith("]"))


@pytest.mark.parametrize(
    ("p", "text"),
    [
        (0.5, ".50"), (0.999, ">.99"), (1, ">.99"), (0.99, ".99"), (0.054, ".054"), (0.06, ".06"),
        (0.0499, ".0499"), (0.05, ".050"), (0.0100001, ".01"), (0.00999, ".010"), (0.001, ".001"),
        (0.00099, "<.001"), (0, "<.001"),
    ],
)  # fmt: skip
def test_p_values_as_journals_print_them(p, text):
    assert journal_p_value(p) == text
    test = TestResult(name="equal areas", method="delong", statistic=1.0, df=3.0, p_value=p)
    assert dict(zip(test.table().columns, test.table().rows[0], strict=True))["P"] == text


def test_no_p_value_changes_its_side_of_a_twentieth():
    for p in np.r_[np.linspace(0.044, 0.056, 1201), 0.05 - 1e-7, 0.05 + 1e-7]:
        assert (float(journal_p_value(p)) < 0.05) == (p < 0.05)


def test_numbers_have_the_same_decimals():
    style = IntervalStyle.like("0.73 (0.63-0.83)", 3)
    texts = [style.numbers(x)[0] for x in (0.5, -0.0001, -1e-15, 12345.678, 2.5e7, math.inf, -math.inf, 0.0)]
    assert texts == ["0.500", "-0.0001", "0.000", "12345.678", "2.5e+07", "∞", "-∞", "0.000"]
    assert style.cell(-0.0001, -0.2, 0.2) == "0.000 (-0.200 to 0.200)"
    assert style.cell(0.00042, 0.00031, 0.00057) == "0.00042 (0.00031-0.00057)"
    assert IntervalStyle.like("0.73 (0.63-0.83)", 0).cell(12.3, 10.2, 14.4) == "12 (10-14)"


def test_one_row_per_pair_estimate_and_class():
    comparison = RESULTS["comparison"]
    areas = ("AUC of first (95% CI)", "AUC of second (95% CI)")
    tests = ("Difference (95% CI)", "SE", "Statistic", "P")
    assert comparison.table().columns == ("First", "Second", *areas, *tests)
    y, s = np.arange(60) % 2, np.random.default_rng(1).normal(size=(3, 60))
    three = rs.compare_auc(y, {"a": s[0], "b": s[1], "c": s[2]}).table()
    assert len(three.rows) == 3
    assert three.columns[-2:] == ("P", "P (Holm)")
    classes = RESULTS["classes"].table()
    assert [row[0] for row in classes.rows] == ["low", "mid", "high", "macro average"]
    assert classes.columns[1] == "AUC (95% CI)"
    assert len(RESULTS["ordered"].table().rows) == len(RESULTS["ordered"].estimates)
    assert "Sensitivity" in [row[0] for row in RESULTS["measures"].table().rows]
    names = [row[0] for row in RESULTS["bootstrap"].table().rows]
    assert {"AUC(*)", ".632+ AUC", ".632+ error rate"} <= set(names)


def test_a_band_has_each_rate_once():
    y, s = np.arange(40) % 2, np.arange(40) % 7 + np.arange(40) % 2
    fpr, tpr = "False positive rate", "True positive rate"
    columns = {
        at: rs.roc_band(y, s, at=at, n_boot=100, rng=1).table().columns for at in ("fpr", "tpr", "threshold")
    }
    assert columns == {
        "fpr": (fpr, f"{tpr} (95% CI)"),
        "tpr": (tpr, f"{fpr} (95% CI)"),
        "threshold": ("Threshold", f"{tpr} (95% CI)", f"{fpr} (95% CI)"),
    }


def test_names_of_the_user_stay_as_they_are():
    assert [heading(name) for name in ("my_score alone", "My_Measure", "point of tpr_2")] == [
        "my_score alone", "My_Measure", "point of tpr_2",
    ]  # fmt: skip
    y, s = np.arange(40) % 2, np.random.default_rng(1).normal(size=40)
    table = rs.compare_auc(y, {"se": s, "p_value": -s}).table()
    assert table.rows[0][:2] == ("se", "p_value")


def test_the_table_of_algorithms_keeps_its_own_form():
    compared = RESULTS["algorithms"]
    own = compared.table("error")
    assert type(own).__name__ == "ComparisonTable"
    assert compared.to_latex() == compared.table().to_latex()
    assert compared.to_html() == compared.table().to_html()
    plain = own.table(digits=2)
    assert plain.columns == ("data set", "lda", "nb")
    assert plain.digits == 2
    bare = re.compile(r"\\textbf\{|\}|\$\^\{\\dagger|\$")
    cells = [bare.sub("", line).replace(r"\pm", "±") for line in own.to_latex().splitlines() if "&" in line]
    texts = [
        " & ".join(row).replace("*", "").strip() + r" \\"
        for row in (("", *plain.columns[1:]), *own.table().rows)
    ]
    assert [re.sub(r"-(?= &| \\)", "", line) for line in texts] == cells
    assert compared.log_metrics("cv/")["cv/auc/one/lda"] == pytest.approx(compared.auc[0, 0].mean())


# ---- Untrusted text ---------------------------------------------------------------------------------------


@pytest.fixture
def hostile():
    y, s = np.arange(60) % 2, np.random.default_rng(1).normal(size=(len(HOSTILE), 60))
    table = rs.compare_auc(y, dict(zip(HOSTILE, s, strict=True))).table()
    assert set(map(one_line, HOSTILE)) == {cell for row in table.rows for cell in row[:2]}
    return table


class Texts(HTMLParser):
    def __init__(self):
        super().__init__()
        self.tags, self.cells = set(), []

    def handle_starttag(self, tag, attrs):
        self.tags.add(tag)
        if tag in ("td", "th"):
            self.cells.append("")

    def handle_data(self, data):
        self.cells[-1] += data


def test_html_has_no_markup_of_others(hostile):
    parser = Texts()
    parser.feed(hostile.to_html())
    assert parser.tags == {"table", "thead", "tbody", "tfoot", "tr", "th", "td"}
    assert parser.cells == [cell for row in (hostile.columns, *hostile.rows) for cell in row] + list(
        hostile.notes
    )


def test_markdown_keeps_its_cells(hostile):
    head, rule, *body = hostile.to_markdown().split("\n\n")[0].split("\n")
    assert len(body) == len(hostile.rows)
    assert {line.count("|") for line in (head, rule, *body)} == {len(hostile.columns) + 1}
    for line, row in zip(body, hostile.rows, strict=True):
        cells = [
            html.unescape(re.sub(r"\\([!-/:-@\[-`{-~])", r"\1", cell)) for cell in line[2:-2].split(" | ")
        ]
        assert cells == list(row)
    text = "\n".join(body)
    assert "<" not in text
    assert re.search(r"(?<!\\)[`*~$]|(?<!\\)\]\(", text) is None


def test_latex_has_no_command_of_others(hostile):
    lines = hostile.to_latex().split("\n")
    body = lines[lines.index(r"\midrule") + 1 : lines.index(r"\bottomrule")]
    assert len(body) == len(hostile.rows)
    words = r"\\(?:textbackslash|textasciitilde|textasciicircum|textbar|char34)\{\}"
    ours = words + r"|\\[&%$#_{}]|\$(?:[<>]|\\\w+)\$"
    for line in body:
        assert len(re.findall(r"(?<!\\)&", line)) == len(hostile.columns) - 1
        rest = re.sub(ours, "", line.removesuffix(r" \\")).replace("{}", "").replace(" & ", " ")
        assert re.search(r"[\\{}$%#_^~<>|\"&]", rest) is None, rest
    assert escape_latex("[1ex] a") == "{}[1ex] a"  # no option of the line end before it
    assert escape_latex("*") == "{}*"
    assert escape_markdown("![x](y)") == r"![x\](y)"


def test_csv_has_no_formula(hostile):
    rows = list(csv.reader(io.StringIO(hostile.to_csv())))
    assert len(rows) == 1 + len(hostile.rows)
    for cells, row in zip(rows[1:], hostile.rows, strict=True):
        assert [cell.removeprefix("'") for cell in cells] == list(row)
        assert not any(cell.startswith(("=", "+", "@")) for cell in cells)
        assert all(cell[0] not in "-'" or cell[1:2].isdigit() for cell in cells[2:])
    assert any(cell.startswith("'-1+cmd") for cells in rows for cell in cells)
    assert PaperTable(("a",), (("-0.1 (-0.2 to 0.3) [a]",), ("-1-1;x()",))).to_csv().split("\r\n")[1:3] == [
        "-0.1 (-0.2 to 0.3) [a]", "'-1-1;x()",
    ]  # fmt: skip


def read_docx(result, folder):
    docx = pytest.importorskip("docx")
    result.to_docx(folder / "table.docx")
    (table,) = docx.Document(str(folder / "table.docx")).tables
    cells = [cell.text for cell in table._cells]
    width = len(table.columns)
    return [cells[k : k + width] for k in range(0, len(cells), width)]


def read_excel(result, folder):
    openpyxl = pytest.importorskip("openpyxl")
    result.to_excel(folder / "table.xlsx")
    sheet = openpyxl.load_workbook(folder / "table.xlsx").active
    return [list(row) for row in sheet.iter_rows()]


def test_word_has_the_text(hostile, tmp_path):
    assert read_docx(hostile, tmp_path) == [list(row) for row in (hostile.columns, *hostile.rows)]


def test_excel_has_text_and_numbers_and_no_formula(hostile, tmp_path):
    hostile = replace(hostile, ends={})
    rows = read_excel(hostile, tmp_path)
    assert {cell.data_type for row in rows for cell in row if cell.value is not None} == {"s", "n"}
    for cells, row, numbers in zip(rows[1:], hostile.rows, hostile.numbers, strict=False):
        for cell, text, number in zip(cells, row, numbers, strict=True):
            # A workbook has 16 figures of a number.
            assert cell.value == (text if number is None else pytest.approx(number, rel=1e-15))
            assert cell.quotePrefix is (number is None)
    labels = PaperTable(("Class",), (("007",), ("1e5",)))
    assert [row[0].value for row in read_excel(labels, tmp_path)] == ["Class", "007", "1e5"]


def test_excel_has_intervals_in_columns_of_their_own(tmp_path):
    measures = rs.point_measures([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8], threshold=0.5)
    header, *rows = [[cell.value for cell in row] for row in read_excel(measures, tmp_path)]
    assert header[1:4] == ["Estimate", "Estimate, 95% CI low", "Estimate, 95% CI high"]
    sensitivity = measures.sensitivity
    assert rows[0][1:4] == pytest.approx([sensitivity.value, sensitivity.low, sensitivity.high])
    (ratio,) = (row for row in rows if row[0] == "LR+")
    assert ratio[1:4] == ["∞ [a]", pytest.approx(measures.lr_pos.low), "∞"]


def test_libraries_of_files_are_extras(monkeypatch, tmp_path):
    assert (EXTRAS["docx"], EXTRAS["openpyxl"]) == ("docx", "excel")
    for module, method in (("docx", "to_docx"), ("openpyxl", "to_excel")):
        monkeypatch.setitem(__import__("sys").modules, module, None)
        with pytest.raises(rs.errors.ResourceError, match=rf"rocscope\[{EXTRAS[module]}\]"):
            getattr(estimate(), method)(tmp_path / "table")
    with pytest.raises(RocInputError, match=r"^path must be the path of a file, got 3"):
        estimate().to_excel(3)


# ---- Metrics ----------------------------------------------------------------------------------------------


def test_metrics_of_an_estimate():
    assert estimate(se=None).log_metrics() == {"auc": 0.8, "auc_low": 0.7, "auc_high": 0.9}
    assert estimate(high=math.inf).log_metrics("a.b/") == {
        "a.b/auc": 0.8,
        "a.b/auc_se": 0.05,
        "a.b/auc_low": 0.7,
    }


def test_metrics_with_hostile_names_are_all_there():
    y, s = np.arange(60) % 2, np.random.default_rng(1).normal(size=(4, 60))
    names = ("a&b", "a|b", "../..", "é" * 400)
    compared = rs.compare_auc(y, dict(zip(names, s, strict=True)))
    metrics = compared.log_metrics()
    areas = {key: value for key, value in metrics.items() if key.startswith("auc/")}
    assert list(areas) == ["auc/a_b", "auc/a_b_2", "auc/_", "auc/__2"]
    assert list(areas.values()) == compared.auc.tolist()


def test_rows_have_the_names_that_tell_them_apart():
    assert "rows/apparent_6/mean" in RESULTS["monte carlo"].log_metrics()
    assert "rows/binormal/auc" in RESULTS["model choice"].log_metrics()
    assert "pairs/first_best_second/p_value" in RESULTS["comparison"].log_metrics()
    assert {"auc", "auc_low", "auc_rows/mid", "auc_rows/mid_low"} <= set(RESULTS["classes"].log_metrics())
    assert not any(key.startswith("bins") for key in RESULTS["calibration"].log_metrics())  # no names


@pytest.mark.parametrize("prefix", ["a\n", "ü", "a:b", 3, None])
def test_a_prefix_is_of_allowed_characters(prefix):
    with pytest.raises(RocInputError, match=r"^prefix must be a text of letters"):
        estimate().log_metrics(prefix)


def test_paper_table_is_what_the_method_returns():
    assert paper_table(estimate()) == estimate().table()
    assert str(estimate().table()).splitlines()[0].split() == ["AUC", "(95%", "CI)", "SE"]
    assert estimate().table()._repr_html_() == estimate().to_html()


def test_a_table_without_intervals_names_no_method_of_intervals():
    grade = np.arange(30) % 3
    without, drawn = (rs.ordinal_roc(grade, grade + np.arange(30) % 4, n_boot=n, rng=1) for n in (0, 100))
    assert without.table().notes[0] == "[a] No interval was requested (n_boot=0)"
    assert "Method: bootstrap." in drawn.table().notes


def test_a_comparison_has_the_area_of_either_curve():
    y, s = np.arange(60) % 2, np.random.default_rng(1).normal(size=(2, 60))
    scores = {"a": s[0] + y, "b": s[1], "c": y}
    table = rs.compare_auc(y, scores).table()
    cells = {row[0]: row[2] for row in table.rows} | {row[1]: row[3] for row in table.rows}
    for name, one in scores.items():
        assert cells[name] == rs.auc(y, one).table().rows[0][0]
    at = rs.compare_auc(
        y, {"a": s[0] + y, "b": s[1]}, method="sensitivity", at=0.2, n_boot=100, rng=1
    ).table()
    assert at.columns[2] == "TPR at FPR 0.2 of first (95% CI)"


def test_a_calibration_has_intercept_slope_and_scores_before_its_bins():
    result = RESULTS["calibration"]
    table = result.table()
    names = [row[0] for row in table.rows]
    assert len(names) == 6 + len(result.bins)
    for name, estimate in zip(
        names, (result.intercept, result.slope, result.ratio, result.brier), strict=False
    ):
        assert name.lower() == estimate.name.lower()
        assert table.rows[names.index(name)][1].startswith(f"{estimate.value:.3f} (")
    assert names[5] == "ECE"
    assert table.columns[1] == "Value (95% CI)"
    assert all(name.startswith("Positives, probabilities ") for name in names[6:])
    assert str(result.bins[0].n) in table.rows[6]
