"""Results as tables for a paper: values with their intervals in one cell, p-values as journals print them.

A table is plain text in rows and columns, with notes below it. Untrusted text, such as names of classes, is
shown as it is and never read as markup, formula or control character, whatever the table is written to.
"""

from __future__ import annotations

import csv
import html
import io
import math
import re
import string
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from rocscope.core import checks
from rocscope.core.files import replace_file
from rocscope.core.formatting import NOISE, SIDES, UNDEFINED, journal_p_value, sentence, spelt
from rocscope.errors import RocInputError, require

if TYPE_CHECKING:
    import pandas as pd

    from rocscope.core.result import Result

CI_STYLE = "0.73 (0.63-0.83)"
CI_STYLES = (CI_STYLE, "0.73 (0.63 to 0.83)", "0.73 (0.63, 0.83)", "0.73 [0.63, 0.83]", "0.73 [0.63-0.83]")
MOST_DIGITS = 12
NOTHING = "–"  # a number that does not apply to the row
NUMERIC = re.compile(rf"$|[-–<>]?[\d.∞]|{NOTHING}$|{UNDEFINED}\b")

VALUE_AND_NOTE = re.compile(r"(\S*).*?( \[[a-z]+\])?")  # of a cell with an interval

Cells = tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True, repr=False)
class PaperTable:
    """A table of texts.

    Attributes
    ----------
    columns
        Headings.
    rows
        Cells as they are printed.
    notes
        Lines below the table: the method, and why a value is undefined or has no interval ("[a]" in a cell).
    numbers
        The number behind every cell that is nothing but a number; None for all other cells.
    digits
        Decimals of the texts.
    ends
        For every column whose cells hold intervals too the number of it, with lower and upper ends of all
        rows: a workbook has them in columns of their own.

    Examples
    --------
    >>> print(PaperTable(("Class", "AUC"), (("R&D", "0.830"),), ("Method: DeLong.",)))
    Class    AUC
    R&D    0.830
    Method: DeLong.
    """

    columns: tuple[str, ...]
    rows: Cells
    notes: tuple[str, ...] = ()
    numbers: tuple[tuple[float | None, ...], ...] = ()
    digits: int = 3
    ends: Mapping[int, tuple[tuple[float | None, ...], ...]] = field(default_factory=dict)

    def __str__(self) -> str:
        lines = [self.columns, *self.rows]
        widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
        forms = [f"{'>' if right else '<'}{n}" for right, n in zip(self._right(), widths, strict=True)]
        texts = ["  ".join(map(format, cells, forms)).rstrip() for cells in lines]
        return "\n".join([*texts, *self.notes])

    __repr__ = __str__  # what a prompt shows

    def _right(self) -> list[bool]:
        """Which columns hold numbers, and are aligned at the right."""
        return [
            bool(self.rows) and all(NUMERIC.match(row[k]) for row in self.rows)
            for k in range(len(self.columns))
        ]

    def _repr_html_(self) -> str:
        return self.to_html()

    def frame(self) -> pd.DataFrame:
        """Return the cells as a pandas data frame of texts."""
        return require("pandas", "frame()").DataFrame(list(self.rows), columns=list(self.columns))

    def to_markdown(self) -> str:
        r"""Return a table for Markdown, the notes below it.

        Examples
        --------
        >>> print(PaperTable(("Class", "AUC"), (("a|b_c", "0.830"),)).to_markdown())
        | Class | AUC |
        |:--|--:|
        | a&#124;b\_c | 0.830 |
        """
        head, *body = [
            f"| {' | '.join(map(escape_markdown, cells))} |" for cells in (self.columns, *self.rows)
        ]
        rule = f"|{'|'.join('--:' if right else ':--' for right in self._right())}|"
        notes = [line for note in self.notes for line in ("", escape_markdown(note))]
        return "\n".join([head, rule, *body, *notes])

    def to_latex(self) -> str:
        r"""Return a tabular for LaTeX with the rules of booktabs, the notes below it.

        Examples
        --------
        >>> print(PaperTable(("Class", "P"), (("R&D", "<.001"),)).to_latex())
        \begin{tabular}{lr}
        \toprule
        Class & P \\
        \midrule
        R\&D & $<$.001 \\
        \bottomrule
        \end{tabular}
        """
        head, *body = [
            " & ".join(map(escape_latex, cells)).strip() + r" \\" for cells in (self.columns, *self.rows)
        ]
        lines = [
            rf"\begin{{tabular}}{{{''.join('r' if right else 'l' for right in self._right())}}}",
            r"\toprule", head, r"\midrule", *body, r"\bottomrule", r"\end{tabular}",
        ]  # fmt: skip
        notes = [line for note in self.notes for line in ("", rf"{{\footnotesize {escape_latex(note)}\par}}")]
        return "\n".join([*lines, *notes])

    def to_html(self) -> str:
        """Return an HTML table, the notes in its foot.

        Examples
        --------
        >>> PaperTable(("Class",), (("<b>",),)).to_html()
        '<table><thead><tr><th>Class</th></tr></thead><tbody><tr><td>&lt;b&gt;</td></tr></tbody></table>'
        """
        head = "".join(f"<th>{html.escape(name)}</th>" for name in self.columns)
        body = "".join(
            f"<tr>{''.join(f'<td>{html.escape(cell)}</td>' for cell in cells)}</tr>" for cells in self.rows
        )
        cell = f'<td colspan="{max(len(self.columns), 1)}">'
        foot = "".join(f"<tr>{cell}{html.escape(note)}</td></tr>" for note in self.notes)
        foot = f"<tfoot>{foot}</tfoot>" if foot else ""
        return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody>{foot}</table>"

    def to_csv(self) -> str:
        """Return the cells as CSV text, without the notes; text that would be a formula is quoted.

        Examples
        --------
        >>> print(PaperTable(("Class", "Difference"), (("=1+1", "-0.074"),)).to_csv(), end="")
        Class,Difference
        '=1+1,-0.074
        """
        content = io.StringIO(newline="")
        writer = csv.writer(content)
        for cells in (self.columns, *self.rows):
            writer.writerow(
                f"'{cell}" if cell.startswith(FORMULA_STARTS) and not NEGATIVE.fullmatch(cell) else cell
                for cell in cells
            )
        return content.getvalue()

    def to_docx(self, path: Any) -> None:
        """Write a Word document with the table and its notes; a file of that name is replaced."""
        target = checks.as_path(path)
        document = require("docx", "a Word document").Document()
        table = document.add_table(rows=0, cols=max(len(self.columns), 1), style="Table Grid")
        for k, cells in enumerate((self.columns, *self.rows)):
            for place, text in zip(table.add_row().cells, cells, strict=False):
                place.paragraphs[0].add_run(text).bold = k == 0
        for note in self.notes:
            document.add_paragraph(note)
        _save(document, target)

    def to_excel(self, path: Any) -> None:
        """Write an Excel workbook; a file of that name is replaced.

        Numbers are numbers, all else is text; the ends of an interval have columns of their own.
        """
        target = checks.as_path(path)
        book = require("openpyxl", "an Excel workbook").Workbook()
        sheet = book.active
        lines: list[tuple[Any, ...]] = [*zip(*self._sheet_columns(), strict=True)]
        for row, cells in enumerate([*lines, *((note,) for note in self.notes)], start=1):
            for column, value in enumerate(cells, start=1):
                cell = sheet.cell(row=row, column=column)
                cell.value = value
                if isinstance(value, float):
                    cell.number_format = f"0.{'0' * self.digits}" if self.digits else "0"
                elif isinstance(value, str):
                    cell.data_type, cell.quotePrefix = "s", True  # never a formula, nor when it is edited
        sheet.freeze_panes = "B2"
        _save(book, target)

    def _sheet_columns(self) -> Iterator[list[Any]]:
        """The columns of a workbook, each with its heading first."""
        for k, title in enumerate(self.columns):
            texts = [row[k] for row in self.rows]
            own = [row[k] for row in self.numbers] if self.numbers else [None] * len(texts)
            if k not in self.ends:
                yield [title, *(b if b is not None else a for a, b in zip(texts, own, strict=True))]
                continue
            name, _, kind = title.rpartition(" (")
            values, low, high = self.ends[k]
            # What is infinite, undefined or has a note is the text of its cell, without the interval.
            parts = [VALUE_AND_NOTE.fullmatch(text) for text in texts]
            plain = ["" if found is None else f"{found[1]}{found[2] or ''}" for found in parts]
            marked = [found is not None and found[2] is not None for found in parts]
            triples = zip(plain, values, marked, strict=True)
            yield [name, *(text if note or not _is_finite(x) else x for text, x, note in triples)]
            for side, numbers in (("low", low), ("high", high)):
                texts = ["" if _is_missing(x) else "-∞" if x == -math.inf else "∞" for x in numbers]
                pairs = zip(texts, numbers, strict=True)
                cells = (x if _is_finite(x) else text for text, x in pairs)
                yield [f"{name}, {kind.removesuffix(')')} {side}", *cells]


def _save(document: Any, target: Path) -> None:
    content = io.BytesIO()
    document.save(content)
    replace_file(target, content.getvalue())


# ---- Untrusted text: as it is, on one line, and inert -----------------------------------------------------

LINE_ENDS = re.compile("[\t\n\v\f\r\x1c-\x1e\x85\u2028\u2029]+")
NO_XML = re.compile("[\ud800-\udfff\ufffe\uffff]")
FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r")
# A negative number with its interval and its note is no formula: it has no letter but these.
NEGATIVE = re.compile(r"-(\d[\d.]*(e[-+]\d+)?|∞)( [(\[][-\d., ∞≥≤–to]*[)\]])?( \[[a-z]+\])?")
# Characters that LaTeX would read as its own, or lacks in its fonts.
LATEX = {
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    **{character: f"\\{character}" for character in "&%$#_{}"},
    "<": "$<$",
    ">": "$>$",
    "|": r"\textbar{}",
    '"': r"\char34{}",
    "±": r"$\pm$",
    "≥": r"$\geq$",
    "≤": r"$\leq$",
    "∞": r"$\infty$",
    "–": "--",
}
MARKDOWN = str.maketrans(
    {"&": "&amp;", "<": "&lt;", ">": "&gt;", "|": "&#124;"} | {mark: f"\\{mark}" for mark in "\\`*_~$"}
)


def one_line(text: str) -> str:
    r"""Return a text on one line, with its control characters spelt out.

    Examples
    --------
    >>> print(one_line("a\n\nb\x00\ud800"))
    a b\u0000\ud800
    """
    line = spelt(LINE_ENDS.sub(" ", text))
    return NO_XML.sub(lambda character: f"\\u{ord(character[0]):04x}", line)


def escape_latex(text: str) -> str:
    r"""Escape a cell for LaTeX.

    Examples
    --------
    >>> print(escape_latex(r"50% of \a_b"), escape_latex("[x]"))
    50\% of \textbackslash{}a\_b {}[x]
    """
    escaped = "".join(LATEX.get(character, character) for character in text)
    # After the end of a row a bracket or a star would be an option of it.
    return f"{{}}{escaped}" if escaped.startswith(("[", "*")) else escaped


def escape_markdown(text: str) -> str:
    r"""Escape a cell for Markdown, HTML inside it included; intervals in brackets stay as they are.

    Examples
    --------
    >>> print(escape_markdown("[x](y) <b> *"), escape_markdown("0.73 [0.63, 0.83]"))
    [x\](y) &lt;b&gt; \* 0.73 [0.63, 0.83]
    """
    return re.sub(r"\](?=[(\[:])", r"\\]", text.translate(MARKDOWN))


# ---- Words ------------------------------------------------------------------------------------------------

# Columns that a heading or a note states, or that are no matter of a paper.
ASIDE = {
    "alternative", "assumption", "conditional", "defined", "interval", "level", "status", "traceback",
    "warnings",
}  # fmt: skip
# Columns of values that a plain "low" and "high" belong to.
VALUES = ("value", "difference", "mean", "change", "net_benefit", "mean_error", "observed")
# Columns of names of our own, which are written like headings.
CODES = ("figure", "measure")
TERMS = {
    "a": "a", "b": "b", "c": "c", "d_a": "d_a", "df": "df", "n": "n", "x": "x", "aic": "AIC", "auc": "AUC",
    "auc2": "AUC 2", "auc_single": "AUC alone", "avg_auc": "Average AUC", "avg_macro": "Average AUC, macro",
    "avg_weighted": "Average AUC, weighted", "behind": "AIC above the best", "dataset": "Data set",
    "density_neg": "Density of negatives", "density_pos": "Density of positives", "f1": "F1", "fn": "FN",
    "fnr": "FNR", "fp": "FP", "fpr": "FPR", "joint_p": "Joint P", "kendall": "Kendall's tau",
    "lambda": "Loss ratio", "lr_neg": "LR-", "lr_pos": "LR+", "max_abs_error": "Largest absolute error",
    "max_at": "Maximum at", "mcc": "MCC", "n_datasets": "Data sets", "n_folds": "Folds", "n_groups": "Groups",
    "rope": "Practically equal up to", "rho": "Correlation of folds", "scale": "Scale between data sets",
    "freedom": "Degrees of freedom", "called": "Decided positive",
    "test_over_train": "Test over training cases",
    "max_auc": "Maximum AUC", "max_macro": "Maximum AUC, macro", "max_weighted": "Maximum AUC, weighted",
    "mean_abs_error": "Mean absolute error", "mean_pos": "Mean of positives", "mc_error": "Monte-Carlo error",
    "n_categories": "Categories", "n_neg": "Negative cases", "n_pos": "Positive cases", "npv": "NPV",
    "p_adjusted": "P (Holm)", "p_bonferroni": "P (Bonferroni)", "p_equivalence": "P (equivalence)",
    "p_chi2": "P (chi-square)", "p_holm": "P (Holm)", "p_nemenyi": "P (Nemenyi)", "p_shaffer": "P (Shaffer)",
    "p_t": "P (t test)", "p_value": "P",
    "p_wilcoxon": "P (Wilcoxon)", "ppv": "PPV", "precision": "Precision (PPV)",
    "real_n_neg": "Negative cases before rounding up", "real_n_pos": "Positive cases before rounding up",
    "rms": "RMS", "sd": "SD", "sd_neg": "SD of negatives", "sd_pos": "SD of positives", "se": "SE",
    "sem": "SEM", "spearman": "Spearman's rho", "star500": "AUC(*) 50%", "star632": "AUC(*) 63.2%",
    "star500_mc_error": "AUC(*) 50% Monte-Carlo error", "star632_mc_error": "AUC(*) 63.2% Monte-Carlo error",
    "tn": "TN", "tnr": "TNR", "tp": "TP", "tpr": "TPR", "value": "Estimate", "vus": "VUS",
    "y_pred": "Estimate", "y_score": "Score", "y_true": "True class", "youden": "Youden's index",
}  # fmt: skip
# Names whose words are words of a heading.
WORDS = """
    above accuracy adjacent_auc algorithm alpha apparent apparent_mc_error area assumed at auc_difference
    auc_mc_error auc_method auc_p_bonferroni auc_p_holm auc_p_value auc_rejects auc_winner
    average_rank balanced_accuracy below best bias bias_error both_right both_wrong brier_score by by_first
    by_second case cases categories cells
    change correlated correlated_minus_empirical correlation correlation_error cost count cov cutoff
    decided detection_prevalence difference digest direction discrimination dominant done effect empirical
    equivalent error error_difference error_method error_p_bonferroni error_p_holm error_p_value
    error_rejects error_winner estimate estimated_se estimator expected_cost failed failure family figure
    fingerprint first fold folds fpr_deviate free from goodness group half_width high highest hits in_run
    independent independent_minus_empirical index indistinguishable intercept interventions_avoided kappa kind
    label largest law learner
    lift log_likelihood log_score loss losses low lower lowest macro mean mean_error measure median method
    miscalibration model mu n_defined n_equal n_first n_second n_test n_train name near_cov needs
    negative negatives net_benefit nonnegative note null observed odds_ratio of only_first only_second
    optimism others ours out_of_bag paired parameter parameters point positive positives posterior power
    predicted printed probability quantity question rank_difference ranks rate recall reject_rate rejects
    rejects_bonferroni rejects_holm remedy rms_error row score sd_error se_a se_auc se_b se_difference
    second seconds sensitivity share simulations size skill slope smallest source specificity statistic
    test_error text threshold ties too_high too_low total tpr_deviate treat_all treat_none true truth type
    uncertainty
    undefined undefined_se upper variance weight weight_a weight_b weighted what width winner wins worse
    zone
"""
PLAIN = frozenset(WORDS.split())
# Words that are written otherwise.
ACRONYMS = {
    "auc": "AUC", "bonferroni": "(Bonferroni)", "fpr": "FPR", "holm": "(Holm)", "mc": "Monte-Carlo", "p": "P",
    "rms": "RMS", "sd": "SD", "se": "SE", "tpr": "TPR",
}  # fmt: skip
METHODS = {
    "bamber": "Bamber", "delong": "DeLong", "hanley-mcneil": "Hanley-McNeil", "ml": "maximum likelihood",
    "obuchowski": "Obuchowski", "score": "score (Newcombe)", "wilson": "Wilson",
}  # fmt: skip
P_VALUE = re.compile(
    r"joint_p|(.*[ _])?p_(value|adjusted|holm|shaffer|bonferroni|nemenyi|chi2|t|wilcoxon|equivalence)"
)
NAMED = re.compile(r"(\w+)[(\[](.*)[)\]](?: (\w+))?", re.DOTALL)


def heading(name: str) -> str:
    """Return the heading of a column; a name of the user's own stays as it is.

    Examples
    --------
    >>> [heading(name) for name in ("se", "log_likelihood", "tpr sd", "error(my_class) sd", "my_score alone")]
    ['SE', 'Log likelihood', 'TPR SD', 'Error (my_class) SD', 'my_score alone']
    """
    if name in TERMS:
        return TERMS[name]
    if name in PLAIN:
        words = name.removesuffix("_value").split("_")
        return sentence(" ".join(ACRONYMS.get(word, word) for word in words))
    if (parts := NAMED.fullmatch(name)) and _known(parts[1]):
        more = f" {_inside(parts[3])}" if parts[3] else ""
        return f"{heading(parts[1])} ({parts[2]}){more}"
    words = name.split(" ")
    if len(words) > 1 and all(map(_known, words)):
        return sentence(" ".join(_inside(word) for word in words))
    return name


def _known(name: str) -> bool:
    return name in TERMS or name in PLAIN


def _inside(word: str) -> str:
    """A word inside a heading: abbreviations keep their capitals."""
    text = heading(word)
    return text if text[1:2].isupper() or text == "P" else text[:1].lower() + text[1:]


# ---- From the columns of a result to cells ----------------------------------------------------------------


def paper_table(result: Result, *, digits: int = 3, ci: str = CI_STYLE) -> PaperTable:
    """Return a result as a table for a paper: see `Result.table`."""
    style = IntervalStyle.like(ci, digits)
    columns, headings, notes = _read(result)
    n = len(next(iter(columns.values()), ()))
    ends = dict(_intervals(columns))
    reasons = {name: items for name, items in columns.items() if name.endswith("reason")}
    explained = [any(items[k] for items in reasons.values()) for k in range(n)]
    level = _common(columns.get("level", [getattr(result, "level", None)]))
    sides = columns.get("alternative") or [getattr(result, "alternative", "two-sided")] * n
    kind = f"{'' if level is None else f'{level * 100:g}% '}{SIDES.get(_common(sides) or '', 'CI')}"
    aside = ASIDE - ({"level"} if level is None else set()) | {*reasons}.union(*ends.values())
    aside -= {*headings}  # a name of the user's own
    titles, cells, numbers = list[str](), dict[str, list[str]](), list[list[float | None]]()
    apart = dict[int, tuple[tuple[float | None, ...], ...]]()
    for name, items in columns.items():
        if name in aside or (n and name not in ends and all(map(_is_missing, items))):
            continue
        title, own = headings.get(name) or heading(name), list[float | None]([None] * n)
        low, high = (columns[end] for end in ends.get(name, (name, name)))
        known = (not (_is_missing(a) and _is_missing(b)) for a, b in zip(low, high, strict=True))
        if any(known) and not (items == low == high):  # an interval that is more than its value
            title = f"{title} ({kind})"
            apart[len(titles)] = (tuple(items), tuple(low), tuple(high))
            texts = list(map(style.cell, items, low, high, sides))
        elif P_VALUE.fullmatch(name):
            texts = [_absent(p, why) or journal_p_value(p) for p, why in zip(items, explained, strict=True)]
        else:
            names = any(isinstance(item, str) for item in items)
            why = [True] * n if name in ends else explained
            texts = [
                ("" if names else _absent(*of)) or style.text(of[0]) for of in zip(items, why, strict=True)
            ]
            own = [item if _is_finite(item) else None for item in items]
        titles.append(one_line(title))
        cells[name] = texts
        numbers.append(own)
    footnotes = _mark(cells, numbers, ends, reasons, columns.get("status"))
    return PaperTable(
        columns=tuple(titles),
        rows=tuple(zip(*cells.values(), strict=True)),
        notes=tuple(map(one_line, [*notes, *footnotes, *result._notes()])),
        numbers=tuple(zip(*numbers, strict=True)),
        digits=style.digits,
        ends=apart,
    )


def _read(result: Result) -> tuple[dict[str, list[Any]], dict[str, str], list[str]]:
    """Columns as lists, without those that are said in a heading or a note; headings of its own; notes."""
    given, named, notes = result._paper()
    columns, headings = dict[str, list[Any]](), dict(named)
    for name, values in given.items():  # as plain Python
        items = values.tolist() if isinstance(values, np.ndarray) else values
        columns[name] = [item.item() if isinstance(item, np.generic) else item for item in items]
    names = set(map(str, columns.get("name", ())))
    if len(names) == 1 and "value" in columns:  # what all rows are, such as AUC
        headings.setdefault("value", sentence(names.pop()))
        del columns["name"]
    method = _common(columns.get("method", [getattr(result, "method", None)]))
    if isinstance(method, str):
        columns.pop("method", None)
        notes = [f"Method: {METHODS.get(method, method)}.", *notes]
    elif "method" in columns:
        columns["method"] = [METHODS.get(name, name) for name in columns["method"]]
    for name in {*CODES} & {*columns}:
        columns[name] = [heading(code) if isinstance(code, str) else code for code in columns[name]]
    if "df" in columns:  # mostly whole numbers
        columns["df"] = [int(df) if isinstance(df, float) and df.is_integer() else df for df in columns["df"]]
    if columns.get("p_adjusted") == columns.get("p_value"):  # of a single pair
        columns.pop("p_adjusted", None)
    return columns, headings, notes


def _common(values: Sequence[Any]) -> Any:
    """The value that all have; None where they differ."""
    return values[0] if len(values) and all(value == values[0] for value in values) else None


def _intervals(columns: Mapping[str, Any]) -> Iterator[tuple[str, tuple[str, str]]]:
    """Every column of values with the names of the ends of its interval."""
    for low in columns:
        if low != "low" and not low.endswith(("_low", " low")):
            continue
        high, stem = f"{low.removesuffix('low')}high", low.removesuffix("low")
        options = VALUES if not stem else (stem[:-1], f"{stem}difference")
        value = next((name for name in options if name in columns), None)
        if value is not None and high in columns:
            yield value, (low, high)


def _is_missing(item: Any) -> bool:
    return item is None or item != item


def _is_finite(item: Any) -> bool:
    return isinstance(item, (int, float)) and not isinstance(item, bool) and math.isfinite(item)


def _absent(item: Any, explained: bool) -> str:
    """The text of a number that is not there; nothing where it is. What a row has no use for is a dash."""
    if not _is_missing(item):
        return ""
    return UNDEFINED if explained or item is not None else NOTHING


def _mark(
    cells: dict[str, list[str]],
    numbers: list[list[float | None]],
    ends: Mapping[str, Any],
    reasons: Mapping[str, Sequence[Any]],
    status: Sequence[Any] | None,
) -> list[str]:
    """Mark what is undefined or incomplete with letters, and return the notes that say why."""
    letters, places = dict[str, str](), list(cells)
    if status is not None:
        own = reasons.get("reason", [None] * len(status))
        said = [why or (state if state != "ok" else None) for why, state in zip(own, status, strict=True)]
        reasons = {**reasons, "reason": said}
    for name, texts in reasons.items():
        of_kind = [place for place in places if place.startswith(name.removesuffix("reason"))] or places
        for k, why in enumerate(texts):
            if not why or not of_kind:
                continue
            undefined = [place for place in of_kind if cells[place][k] == UNDEFINED]
            place = [*(place for place in of_kind if place in ends), *undefined, of_kind[-1]][0]
            letter = letters.setdefault(str(why), _letters(len(letters)))
            cells[place][k] = f"{cells[place][k]} [{letter}]".strip()
            numbers[places.index(place)][k] = None
    return [f"[{letter}] {sentence(why)}" for why, letter in letters.items()]


def _letters(k: int) -> str:
    """Return the mark of a note: a, b, ... z, aa, ab, ..."""
    return (_letters(k // 26 - 1) if k >= 26 else "") + string.ascii_lowercase[k % 26]


# ---- Numbers ----------------------------------------------------------------------------------------------

EXAMPLE = re.compile(r"\d*\.\d+ (\((?=.*\)$)|\[(?=.*\]$))\d*\.\d+(-|–| to |, )\d*\.\d+[)\]]")


@dataclass(frozen=True, slots=True)
class IntervalStyle:
    """How a value stands with its interval, and with how many decimals.

    Examples
    --------
    >>> style = IntervalStyle.like("0.73 (0.63-0.83)", 2)
    >>> style.cell(0.7314, 0.6301, 0.8326), style.cell(0.1, -0.1, 0.3), style.cell(0.8, 0.7, 1, "greater")
    ('0.73 (0.63-0.83)', '0.10 (-0.10 to 0.30)', '0.80 (≥ 0.70)')
    >>> style.cell(None, None, None), style.cell(0.5, None, None), style.cell(math.inf, 2.5, math.inf)
    ('undefined', '0.50', '∞ (2.50-∞)')
    """

    brackets: tuple[str, str]
    separator: str
    digits: int

    @classmethod
    def like(cls, example: Any, digits: Any = 3) -> IntervalStyle:
        """Return the style of an example."""
        decimals = checks.check_integer(digits, name="digits", low=0)
        if decimals > MOST_DIGITS:
            raise RocInputError(f"must be at most {MOST_DIGITS}, got {decimals}", argument="digits")
        parts = EXAMPLE.fullmatch(example) if isinstance(example, str) else None
        if parts is None:
            allowed = ", ".join(map(repr, CI_STYLES))
            raise RocInputError(f"must be like one of {allowed}, got {checks.show(example)}", argument="ci")
        return cls(("(", ")") if parts[1] == "(" else ("[", "]"), parts[2], decimals)

    def cell(self, value: Any, low: Any, high: Any, alternative: str = "two-sided") -> str:
        """Return a value with its interval, or with its one bound."""
        value, low, high = (None if _is_missing(item) else item for item in (value, low, high))
        if value is None:
            return UNDEFINED
        if low is None and high is None:
            return self.numbers(value)[0]
        low, high = -math.inf if low is None else low, math.inf if high is None else high
        texts = self.numbers(value, low, high)
        separator = self.separator
        if separator in ("-", "–") and any(text.startswith("-") or "e" in text for text in texts[1:]):
            separator = " to "
        inner = f"{texts[1]}{separator}{texts[2]}"
        if alternative == "greater" or (high == math.inf and value < math.inf):
            inner = f"≥ {texts[1]}"
        elif alternative == "less" or low == -math.inf:
            inner = f"≤ {texts[2]}"
        return f"{texts[0]} {self.brackets[0]}{inner}{self.brackets[1]}"

    def numbers(self, *values: float) -> list[str]:
        """Return numbers with the same decimals; figures where all are very small or one is large."""
        sizes = [abs(value) for value in values if math.isfinite(value)]
        size = max(sizes, default=0.0)
        decimal = size < NOISE or 10.0**-self.digits <= size < 1e6
        form = f"z.{self.digits}f" if decimal else f".{max(self.digits, 1)}g"
        return [
            format(value, form) if math.isfinite(value) else "∞" if value > 0 else "-∞" for value in values
        ]

    def text(self, item: Any) -> str:
        """Return any value of a cell."""
        if isinstance(item, bool):
            return "yes" if item else "no"
        if isinstance(item, float):
            return self.numbers(item)[0]
        if isinstance(item, (list, tuple)):
            return ", ".join(map(self.text, item))
        if isinstance(item, Mapping):
            return ", ".join(f"{one_line(str(name))} {self.text(value)}" for name, value in item.items())
        return "" if item is None else one_line(str(item))
