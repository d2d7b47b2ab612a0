"""The rows of a battery: one test between two learners, and all of them side by side."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from rocscope.algorithms.battery import ASSUMPTIONS, Outcomes
from rocscope.algorithms.differences import Floats
from rocscope.core import checks
from rocscope.core.result import Result, Row, Status

CONDITIONAL = "conditional on this test set"
NO_P_VALUE = "a Bayesian test has posterior probabilities, and no p-value"


@dataclass(frozen=True, slots=True, kw_only=True)
class LearnerTest(Row):
    """One test of the mean difference between two learners, first minus second.

    Attributes
    ----------
    statistic, df, p_value
        The test; `df` holds both numbers of an F test as text, the p-value is None for "bayes-t", whose
        `reason` says so although its status is "ok".
    posterior
        For "bayes-t": probabilities that the first learner is worse, practically equal, better.
    difference, low, high
        Mean difference; interval of the t tests, credible interval of "bayes-t".
    assumption
        What the test takes for granted.
    conditional
        True for a test over folds whose models were all tested on the same cases: it speaks of this
        test set alone.
    """

    method: str
    statistic: float | None
    df: float | str | None
    p_value: float | None
    posterior: tuple[float, float, float] | None = None
    difference: float | None = None
    low: float | None = None
    high: float | None = None
    assumption: str = ""
    conditional: bool = False
    status: Status = "ok"
    reason: str | None = None

    @classmethod
    def undefined(
        cls, method: str, reason: str, *, assumption: str, conditional: bool = False
    ) -> LearnerTest:
        """The row of a test that has no answer."""
        return cls(
            method=method,
            statistic=None,
            df=None,
            p_value=None,
            assumption=assumption,
            conditional=conditional,
            status="undefined",
            reason=reason,
        )

    def _summary(self) -> str:
        if self.status != "ok":
            return f"{self.method} undefined: {self.reason}"
        return f"{self.method}: {self._figures()} ({self.assumption})"

    def _figures(self) -> str:
        if self.posterior is not None:
            shares = zip(("worse", "equal", "better"), self.posterior, strict=True)
            return ", ".join(f"{name} {share:.4f}" for name, share in shares)
        df = self.df if self.df is None or isinstance(self.df, str) else f"{self.df:g}"
        return f"statistic {self.statistic:.4g}{f' with {df} df' if df else ''}, p = {self.p_value:.4g}"


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class LearnerTests(Result):
    """The rows of `paired_tests`; iterate over them, or take one by the name of its method.

    Attributes
    ----------
    rows
        One `LearnerTest` for each method that the data allow.
    difference
        Mean of first minus second over the folds; None when a fold is undefined.
    n_folds
        Number of folds, repeats included.
    alternative, level
        As asked for.
    conditional
        True when all folds were tested on the same cases: the tests then speak of this test set alone.
    """

    rows: tuple[LearnerTest, ...]
    difference: float | None
    n_folds: int
    alternative: str
    level: float
    conditional: bool

    def __iter__(self) -> Iterator[LearnerTest]:
        return iter(self.rows)

    def __len__(self) -> int:
        return len(self.rows)

    def __getitem__(self, key: int | str) -> LearnerTest:
        if isinstance(key, str):
            names = [row.method for row in self.rows]
            if key not in names:
                raise KeyError(f"{key!r} is none of {names}")
            return self.rows[names.index(key)]
        return self.rows[key]

    def columns(self) -> dict[str, Any]:
        """Return one line per test."""
        names = list(self.rows[0].keys())
        return {name: [row[name] for row in self.rows] for name in names}

    def _summary(self) -> str:
        mean = "undefined" if self.difference is None else f"{self.difference:.4f}"
        return "\n".join([f"mean difference {mean} over {self.n_folds} folds", *map(str, self.rows)])


def undefined_words(values: Mapping[str, Floats], causes: Mapping[str, str] | None = None) -> str:
    """Say which folds of which learner have no value, and why where the cause is known.

    Examples
    --------
    >>> undefined_words({"a": np.array([0.5, np.nan]), "b": np.array([0.5, 0.6])})
    'a is undefined in fold 1'
    """
    causes = causes or {}
    found = []
    for name, of_folds in values.items():
        rows = np.flatnonzero(~np.isfinite(of_folds)).tolist()
        shown = ", ".join(map(str, rows[: checks.SHOWN_ROWS]))
        more = f" and {len(rows) - checks.SHOWN_ROWS} more" if len(rows) > checks.SHOWN_ROWS else ""
        why = f": {causes[name]}" if name in causes else ""
        if rows:
            found.append(f"{name} is undefined in fold{'s' * (len(rows) > 1)} {shown}{more}{why}")
    return "; ".join(found) or "a difference of the two is larger than any number of float64"


def first_line(text: str) -> str:
    r"""The first line of an error message; those of estimators may go on for paragraphs.

    Examples
    --------
    >>> first_line("ValueError: Input X contains NaN.\nLogisticRegression does not accept ...")
    'ValueError: Input X contains NaN.'
    """
    return text.partition("\n")[0]


def read_tests(
    outcomes: Mapping[str, Outcomes],
    pair: int,
    *,
    mean: float | None,
    reason: str | None,
    common_test: bool,
) -> tuple[LearnerTest, ...]:
    """Read the rows of one pair; with a reason all of them are undefined."""
    rows = []
    for name, found in outcomes.items():
        known = f"{CONDITIONAL}; {ASSUMPTIONS[name]}" if common_test else ASSUMPTIONS[name]
        if reason is None:
            rows.append(_read_test(name, found, pair, mean, assumption=known, conditional=common_test))
        else:
            rows.append(LearnerTest.undefined(name, reason, assumption=known, conditional=common_test))
    return tuple(rows)


def _read_test(
    name: str, found: Outcomes, pair: int, mean: float | None, *, assumption: str, conditional: bool
) -> LearnerTest:
    posterior = None if found.posterior is None else tuple(found.posterior[pair].tolist())
    return LearnerTest(
        method=name,
        statistic=float(found.statistic[pair]),
        df=found.df,
        p_value=None if posterior else float(found.p_value[pair]),
        posterior=posterior,
        difference=mean,
        # The test adds in another order: the mean must not lie outside by a unit of its last place.
        low=None if found.low is None or mean is None else min(float(found.low[pair]), mean),
        high=None if found.high is None or mean is None else max(float(found.high[pair]), mean),
        assumption=assumption,
        conditional=conditional,
        reason=None if posterior is None else NO_P_VALUE,
    )
