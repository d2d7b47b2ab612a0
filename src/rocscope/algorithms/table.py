"""The table of a comparison: mean and deviation of every algorithm on every data set, the best marked."""

from __future__ import annotations

import html
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocscope.algorithms.fold_tests import Floats
from rocscope.core import formatting
from rocscope.core.result import Result
from rocscope.core.tables import CI_STYLE, PaperTable, escape_latex, one_line

Flags = NDArray[np.bool_]

BEST, WORSE = "*", "-"


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ComparisonTable(Result):
    """Mean and standard deviation over the folds: a row for each data set, a column for each algorithm.

    Attributes
    ----------
    measure
        What the values are.
    algorithms, datasets
        Names of the columns and rows.
    mean, sd
        Over the folds; NaN where a fold has no value.
    best
        The best mean of each row; all that are equal to it up to rounding.
    worse
        Which of the others are significantly worse than the best of their row, by `method` after Holm's
        adjustment over the pairs of the data set. Of several best the first is compared.
    method
        The test behind the verdicts of the comparison; None for a measure that has no verdicts.
    ranks, average_ranks
        Ranks within each row, 1 for the best, and their means over the rows in which every algorithm has a
        value; ranks of other rows are NaN, and with fewer than two such rows the means are None.
    digits
        Decimals of the texts.
    """

    measure: str
    algorithms: tuple[str, ...]
    datasets: tuple[str, ...]
    mean: Floats
    sd: Floats
    best: Flags
    worse: Flags
    method: str | None
    ranks: Floats
    average_ranks: Floats | None
    digits: int = 3

    def columns(self) -> dict[str, Any]:
        """Return one line per data set and algorithm."""
        n = len(self.algorithms)
        return {
            "dataset": [name for name in self.datasets for _ in range(n)],
            "algorithm": [*self.algorithms] * len(self.datasets),
            **{
                name: getattr(self, name).ravel().tolist()
                for name in ("mean", "sd", "ranks", "best", "worse")
            },
        }

    def cells(self, separator: str = " ± ") -> list[list[str]]:
        """Mean and deviation as text, without marks; "undefined" where there is none."""
        return [
            [
                separator.join(f"{value:.{self.digits}f}" for value in pair)
                if np.isfinite(pair).all()
                else formatting.UNDEFINED
                for pair in zip(means, sds, strict=True)
            ]
            for means, sds in zip(self.mean, self.sd, strict=True)
        ]

    def rank_cells(self) -> list[str]:
        """Average ranks as text; none without any."""
        return [] if self.average_ranks is None else [f"{rank:.2f}" for rank in self.average_ranks]

    def legend(self, best: str = BEST, worse: str = WORSE) -> str:
        """What the values and their marks are."""
        text = f"{'AUC' if self.measure == 'auc' else self.measure}, mean ± SD over the folds; {best} best"
        worse = f", {worse} significantly worse than the best ({self.method}, Holm)"
        return text if self.method is None else text + worse

    def lines(self) -> list[tuple[str, ...]]:
        """The table as text, its header first: "*" marks the best of a row, "-" what is worse than it."""
        marks = np.where(self.best, BEST, np.where(self.worse, WORSE, " ")).tolist()
        lines = [("data set", *(f"{name} " for name in self.algorithms))]
        for name, cells, of_row in zip(self.datasets, self.cells(), marks, strict=True):
            lines.append((name, *(cell + mark for cell, mark in zip(cells, of_row, strict=True))))
        ranks = [f"{rank} " for rank in self.rank_cells()]
        return [*lines, ("average rank", *ranks)] if ranks else lines

    def _summary(self) -> str:
        header, *rows = self.lines()
        widths = [max(map(len, column)) for column in zip(header, *rows, strict=True)]
        texts = [
            "  ".join(
                [name.ljust(widths[0]), *(cell.rjust(n) for cell, n in zip(cells, widths[1:], strict=True))]
            )
            for name, *cells in (header, *rows)
        ]
        return "\n".join([self.legend(), *map(str.rstrip, texts)])

    def table(self, *, digits: int | None = None, ci: str = CI_STYLE) -> PaperTable:
        """Return the cells as a plain table, the best of a row and what is worse marked as in print.

        Parameters
        ----------
        digits
            Decimals; those of the table itself unless given.
        ci
            Not used: the cells have standard deviations, no intervals.

        Returns
        -------
        PaperTable
            For Markdown, CSV, Word and Excel; LaTeX and HTML are those of this class.
        """
        own = self if digits is None else replace(self, digits=digits)
        header, *rows = [tuple(one_line(cell).strip() for cell in line) for line in own.lines()]
        return PaperTable(header, tuple(rows), (one_line(own.legend()),), digits=own.digits)

    def to_latex(self) -> str:
        r"""Return a tabular for LaTeX with the rules of booktabs: the best of a row bold, a dagger for worse.

        Examples
        --------
        >>> one = np.array([[0.9, 0.8]])
        >>> table = ComparisonTable(
        ...     measure="auc", algorithms=("a", "b_2"), datasets=("ada",), mean=one, sd=one / 100,
        ...     best=one > 0.85, worse=one < 0.85, method="paired-t", ranks=one, average_ranks=None,
        ... )
        >>> print(table.to_latex().splitlines()[5])
        ada & \textbf{0.900 $\pm$ 0.009} & 0.800 $\pm$ 0.008$^{\dagger}$ \\
        """
        lines = [
            [
                escape_latex(one_line(name)),
                *(_wrapped(*cell, (r"\textbf{", "}"), r"$^{\dagger}$") for cell in row),
            ]
            for name, row in self._rows(r" $\pm$ ")
        ]
        parts = [
            f"% {self.legend('bold', 'dagger')}",
            rf"\begin{{tabular}}{{l{'r' * len(self.algorithms)}}}",
            r"\toprule",
            " & ".join(["", *(escape_latex(one_line(name)) for name in self.algorithms)]).strip() + r" \\",
            r"\midrule",
            *(" & ".join(line) + r" \\" for line in lines),
        ]
        if ranks := self.rank_cells():
            parts += [r"\midrule", " & ".join(["average rank", *ranks]) + r" \\"]
        return "\n".join([*parts, r"\bottomrule", r"\end{tabular}"])

    def to_html(self) -> str:
        """Return an HTML table: the best of a row bold, a dagger for significantly worse.

        Examples
        --------
        >>> one = np.array([[0.9, 0.8]])
        >>> table = ComparisonTable(
        ...     measure="auc", algorithms=("a", "b"), datasets=("ada",), mean=one, sd=one / 100,
        ...     best=one > 0.85, worse=one < 0.85, method="paired-t", ranks=one, average_ranks=None,
        ... )
        >>> "<td><b>0.900 ± 0.009</b></td><td>0.800 ± 0.008<sup>†</sup></td>" in table.to_html()
        True
        """
        head = "".join(f"<th>{html.escape(one_line(name))}</th>" for name in ("data set", *self.algorithms))
        lines = [
            f"<tr><th>{html.escape(one_line(name))}</th>"
            + "".join(f"<td>{_wrapped(*cell, ('<b>', '</b>'), '<sup>†</sup>')}</td>" for cell in row)
            + "</tr>"
            for name, row in self._rows(" ± ")
        ]
        if ranks := self.rank_cells():
            lines.append(f"<tr><th>average rank</th>{''.join(f'<td>{rank}</td>' for rank in ranks)}</tr>")
        caption = f"<caption>{html.escape(self.legend('bold', '†'))}</caption>"
        return f"<table>{caption}<thead><tr>{head}</tr></thead><tbody>{''.join(lines)}</tbody></table>"

    def _rows(self, separator: str) -> Iterator[tuple[str, list[tuple[str, bool, bool]]]]:
        """Every data set with its cells, and whether each is the best or worse than it."""
        for name, *rows in zip(self.datasets, self.cells(separator), self.best, self.worse, strict=True):
            yield name, list(zip(*rows, strict=True))

    def _repr_html_(self) -> str:
        return self.to_html()


def _wrapped(cell: str, is_best: bool, is_worse: bool, bold: tuple[str, str], dagger: str) -> str:
    return f"{bold[0]}{cell}{bold[1]}" if is_best else f"{cell}{dagger}" if is_worse else cell
