"""Several readers, several modalities, many cases: do the modalities differ, whoever reads and whatever case?

The formulas and their references are in `reader_variance`.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import combinations
from typing import Any, ClassVar, Literal, TypeAlias, get_args

import numpy as np
from numpy.typing import NDArray
from scipy import special

from rocscope.core import checks, significance
from rocscope.core.formatting import interval_ends, interval_name
from rocscope.core.frames import Missing
from rocscope.core.result import Difference, Row, Status, TwoClassResult, row_columns
from rocscope.core.rules import Direction
from rocscope.core.table import below_note
from rocscope.errors import RocInputError, UndefinedError
from rocscope.inference.reader_areas import Floats, ReaderAreas, Readings
from rocscope.inference.reader_variance import (
    FEW,
    Effect,
    Effects,
    ReaderComponents,
    Spread,
    variance_components,
)

StudyMethod: TypeAlias = Literal["delong", "jackknife", "unbiased", "gallas"]
ALL = "all readers"
NEGATIVE = "the estimated variance is negative"
CONSTANT = "the difference does not vary, which shows no uncertainty"
MAXIMUM = "Cov2 is below Cov3; their difference counts as 0 in the variance"


@dataclass(frozen=True, slots=True, kw_only=True)
class ReaderArea(Row):
    """Area of one reader in one modality, or the mean area of all readers, with its interval.

    Attributes
    ----------
    value, se, df, low, high
        The area, its standard error, the degrees of freedom (None for the normal distribution) and the ends
        of its interval. That of one reader is over cases; that of all readers as the study has it.
    n_pos, n_neg
        Cases of either class that were read.
    """

    modality: str
    reader: str
    value: float
    se: float | None
    df: float | None
    low: float | None
    high: float | None
    n_pos: int
    n_neg: int
    reason: str | None = None

    def _paper(self) -> tuple[dict[str, Any], dict[str, str], list[str]]:
        return self.columns(), {"modality": "Modality", "reader": "Reader", "value": "AUC"}, []

    def _summary(self) -> str:
        who = self.reader if self.reader == ALL else f"reader {self.reader}"
        name = f"{self.modality}, {who}"
        ends = interval_ends(self.low, self.high) or f"no interval: {self.reason}"
        return f"{name}: {self.value:.4f} ({ends})"


@dataclass(frozen=True, slots=True, kw_only=True)
class ModalityDifference(Difference):
    """Difference of the areas of two modalities, first minus second, of one reader or of all.

    `df` are degrees of freedom, None for the normal distribution; the other fields are those of every
    `Difference`. That of one reader is tested over cases.
    """

    reader: str = ALL
    df: float | None = None

    def _paper(self) -> tuple[dict[str, Any], dict[str, str], list[str]]:
        return self.columns(), {"reader": "Reader"}, []

    @property
    def _subject(self) -> str:
        return self.reader if self.reader == ALL else f"reader {self.reader}"


@dataclass(frozen=True, slots=True, kw_only=True)
class ReaderPower(Row):
    """Power of a study of two modalities with other numbers of readers and cases.

    Attributes
    ----------
    power
        Probability that the test of level `level` finds the `difference`.
    noncentrality, df
        Of the F distribution with 1 and `df` degrees of freedom; with fixed readers chi-square, `df` None.
    """

    power: float
    difference: float
    n_readers: int
    n_pos: int
    n_neg: int
    level: float
    noncentrality: float
    df: float | None
    reader_effect: str
    case_effect: str

    def _paper(self) -> tuple[dict[str, Any], dict[str, str], list[str]]:
        headings = {"n_readers": "Readers", "noncentrality": "Noncentrality"}
        headings |= {"reader_effect": "Effect of readers", "case_effect": "Effect of cases"}
        return self.columns(), headings, []

    def _summary(self) -> str:
        cases = f"{self.n_pos} + {self.n_neg} cases ({self.case_effect})"
        sizes = f"{self.n_readers} readers ({self.reader_effect}), {cases}"
        return f"Power {self.power:.4f} to find a difference of {self.difference:+.4f} with {sizes}"


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ReaderStudy(TwoClassResult):
    """Areas of several readers in several modalities, and the test that the modalities are equal.

    Attributes
    ----------
    modalities, readers
        In sorted order.
    auc
        Area of every reader, (modality, reader).
    difference, se, low, high
        First modality minus the second, over all readers, with its interval; None for more than two
        modalities, whose differences are in `pairs`.
    kind, statistic, df, p_value
        "t" for two modalities, with `df`; "z" with fixed readers. For more modalities "F" with `df_modality`
        and `df`, or "chi2" with `df`. None where undefined.
    f_statistic, df_modality
        F of all modalities together and the degrees of freedom of its numerator; the square of t or z for
        two modalities, chi-square over its degrees of freedom with fixed readers.
    pairs, reader_differences
        Differences of every pair of modalities: of all readers, and of each reader.
    means, reader_areas
        Areas with their intervals: means over readers, and of each reader.
    components
        Variance components and mean squares.
    cov, defined
        Covariance of all areas, modality by modality and readers within each, and where it is defined,
        elsewhere it is NaN.
    reader_effect, case_effect
        "random" or "fixed".
    design
        "crossed": all cells (a reader in a modality) have the same cases. "nested in readers", "nested in
        modalities": each reader, or each modality, has cases of its own. "split-plot": groups of readers
        have. "unbalanced": anything else.
    n_pos, n_neg
        Cases of the study, however often they were read.
    """

    view: ClassVar[str] = "readers.reader_study_picture"
    topic: ClassVar[str] = "readers"

    modalities: tuple[str, ...]
    readers: tuple[str, ...]
    auc: Floats
    difference: float | None
    se: float | None
    low: float | None
    high: float | None
    kind: str
    statistic: float | None
    df: float | None
    p_value: float | None
    f_statistic: float | None
    df_modality: int
    pairs: tuple[ModalityDifference, ...]
    reader_differences: tuple[ModalityDifference, ...]
    means: tuple[ReaderArea, ...]
    reader_areas: tuple[ReaderArea, ...]
    components: ReaderComponents
    cov: Floats
    defined: NDArray[np.bool_]
    method: str
    reader_effect: str
    case_effect: str
    design: str
    level: float
    status: Status = "ok"
    reason: str | None = None

    def columns(self) -> dict[str, Any]:
        """Return one row per reader and pair of modalities, then one per pair for all readers."""
        return row_columns((*self.reader_differences, *self.pairs), "reader")

    def by_reader(self) -> list[tuple[str, tuple[ReaderArea, ...], tuple[ModalityDifference, ...]]]:
        """Return each reader, then all together, with the areas of all modalities and their differences."""
        T, pairs = len(self.modalities), len(self.pairs)
        each = [
            (
                name,
                self.reader_areas[k * T : (k + 1) * T],
                self.reader_differences[k * pairs : (k + 1) * pairs],
            )
            for k, name in enumerate(self.readers)
        ]
        return [*each, (ALL, self.means, self.pairs)]

    def _paper(self) -> tuple[dict[str, Any], dict[str, str], list[str]]:
        """The rows of `columns()` with the area in either modality before the difference."""
        rows = list[ModalityDifference]()
        sides: dict[str, list[ReaderArea]] = {"first": [], "second": []}
        for _, areas, differences in self.by_reader():
            places = {row.modality: row for row in areas}
            rows += differences
            for side, of in sides.items():
                of += [places[row[side]] for row in differences]
        columns: dict[str, Any] = {
            name: [row[name] for row in rows] for name in ("reader", "first", "second")
        }
        for side, of in sides.items():
            columns |= {
                f"{side}_value{end}": [area[name] for area in of]
                for name, end in (("value", ""), ("low", "_low"), ("high", "_high"))
            }
        names = ("difference", "se", "low", "high", "df", "p_value", "p_adjusted", "reason")
        columns |= {name: [row[name] for row in rows] for name in names}
        headings = {f"{side}_value": f"AUC of {side}" for side in ("first", "second")} | {"reader": "Reader"}
        return columns, headings, [f"{self._effects}; {self.design} design."]

    @property
    def _effects(self) -> str:
        return f"{self.reader_effect} readers and {self.case_effect} cases".capitalize()

    def _summary(self) -> str:
        head = (
            f"{len(self.readers)} readers, {len(self.modalities)} modalities ({self.design}), {self._cases}"
        )
        if self.p_value is None:
            outcome = f"undefined, {self.reason}"
        else:
            df = "" if self.df is None else f", df = {self.df:.4g}"
            if self.kind == "F":
                df = f", df = {self.df_modality} and {'infinite' if self.df is None else f'{self.df:.4g}'}"
            outcome = f"{self.kind} = {self.statistic:.4g}{df}, p = {self.p_value:.4g}"
        lines = [
            f"Reader study: {head}",
            f"{self._effects}, {self.method}",
            f"Mean areas ({interval_name(self.level, 'two-sided')}):",
            *(f"  {row}" for row in self.means),
            f"Equal areas: {outcome}",
            f"Differences ({interval_name(self.level, 'two-sided')}):",
            *(f"  {row}" for row in self.pairs),
            str(self.components),
        ]
        return "\n".join(lines)

    def power(
        self,
        *,
        n_readers: int | None = None,
        n_pos: int | None = None,
        n_neg: int | None = None,
        difference: float | None = None,
        level: float | None = None,
    ) -> ReaderPower:
        """Return the power of a study of two modalities with other numbers of readers and cases.

        Error variance and covariances of new cases are those of this study, the parts of positives and
        negatives divided by their new numbers; the variance between readers stays.

        Parameters
        ----------
        n_readers, n_pos, n_neg
            Sizes of the new study; those of this one where left out. Fixed readers and fixed cases cannot
            be others than those of this study.
        difference
            The difference that is to be found; without it that of this study, which has two modalities.
        level
            Confidence level, 1 minus that of the test; without it that of this study.

        Returns
        -------
        ReaderPower
            For a two-sided test.
        """
        if self.design != "crossed":
            raise UndefinedError(
                "power needs the components of a study in which all readers have read all cases in all "
                f"modalities, and the design of this one is {self.design}"
            )
        if self.reader_effect == "fixed" and n_readers not in (None, len(self.readers)):
            raise RocInputError("must be left out for fixed readers", argument="n_readers")
        for name, size, own in (("n_pos", n_pos, self.n_pos), ("n_neg", n_neg, self.n_neg)):
            if self.case_effect == "fixed" and size not in (None, own):
                raise RocInputError("must be left out for fixed cases", argument=name)
        readers = checks.check_integer(
            len(self.readers) if n_readers is None else n_readers, name="n_readers", low=2
        )
        pos = checks.check_integer(self.n_pos if n_pos is None else n_pos, name="n_pos", low=1)
        neg = checks.check_integer(self.n_neg if n_neg is None else n_neg, name="n_neg", low=1)
        level = self.level if level is None else checks.check_level(level)
        if difference is None and self.difference is None:
            raise RocInputError("must be given for more than two modalities, got None", argument="difference")
        effect = self.difference
        if difference is not None:
            effect = checks.check_number(difference, name="difference", low=-1, high=1)
        assert effect is not None
        within, between = self.components.at(self.n_pos / pos, self.n_neg / neg)
        shared = max(between, 0.0)
        interaction = self.components.interaction
        df: float | None = None
        if self.reader_effect == "fixed":
            spread = within + (readers - 1) * between
        elif self.case_effect == "fixed":
            spread, df = self.components.ms_modality_reader, readers - 1
        else:
            spread = interaction + within + (readers - 1) * shared
            alone = interaction + within - shared
            df = spread**2 * (readers - 1) / alone**2 if alone > 0 else None
        if not spread > 0:
            raise UndefinedError("power needs a variance above 0")
        noncentrality = readers * effect**2 / (2 * spread)
        return ReaderPower(
            power=_rejection(noncentrality, df, level),
            difference=effect,
            n_readers=readers,
            n_pos=pos,
            n_neg=neg,
            level=level,
            noncentrality=noncentrality,
            df=df,
            reader_effect=self.reader_effect,
            case_effect=self.case_effect,
        )


@checks.known_arguments
def reader_study(
    y_true: Any,
    y_score: Any = None,
    *,
    reader: Any,
    modality: Any,
    case: Any,
    method: StudyMethod = "delong",
    readers: Effect = "random",
    cases: Effect = "random",
    level: float = 0.95,
    pos_label: Any = None,
    label: str | None = None,
    score: str | None = None,
    na: Missing = "error",
    direction: Direction = "higher",
) -> ReaderStudy:
    """Compare modalities that several readers have used on many cases (multi-reader multi-case, MRMC).

    Parameters
    ----------
    y_true, y_score
        Class and score of every reading, one row per reader, modality and case. `y_true` may be a data frame
        with `label` and `score`, or a `BinaryScores`.
    reader, modality, case
        Who read, in which modality, and which case, for every row; of a data frame also names of columns. A
        case has the same name wherever it was read.
    method
        Covariances of the areas, in the analysis of variance of Obuchowski and Rockette:

        - "delong": from placements; where two cells share all of their cases or none.
        - "jackknife": leaving out each case in turn.
        - "unbiased": from pairs of pairs that share no case; may be negative.

        Or "gallas": the U-statistic of readers, positives and negatives, in which every pair of cases counts
        the same, whoever read it. For any design; in a crossed study nearly the same as "unbiased".
    readers, cases
        Whether they are a random sample, so that the result speaks about others as well, or "fixed": these
        readers, or these cases, alone. One of the two is random.
    level
        Confidence level of the intervals.
    pos_label, label, score, na, direction
        As in `auc`. Rows that `na="drop"` leaves out make the design unbalanced.

    Returns
    -------
    ReaderStudy
        Test of equal modalities, differences and means with intervals, areas of each reader, and variance
        components; `power(...)` plans the next study.

    Examples
    --------
    >>> rng = np.random.default_rng(1)
    >>> ill = np.arange(40) % 2
    >>> rows = [(r, m, c) for r in "ABC" for m in ("CT", "MR") for c in range(40)]
    >>> y = [ill[c] for _, _, c in rows]
    >>> s = [round(ill[c] * (1.0 if m == "CT" else 2.0) + rng.normal(), 1) for _, m, c in rows]
    >>> who, how, what = zip(*rows)
    >>> study = reader_study(y, s, reader=who, modality=how, case=what)
    >>> print(study.pairs[0])
    CT - MR, all readers: -0.1688 (-0.2817 to -0.0558), p = 0.02337
    >>> round(study.power(n_readers=6).power, 3)
    0.987
    """
    checks.check_choice(method, get_args(StudyMethod), name="method")
    checks.check_choice(readers, get_args(Effect), name="readers")
    checks.check_choice(cases, get_args(Effect), name="cases")
    if readers == cases == "fixed":
        raise RocInputError("must be 'random' where readers are fixed, got 'fixed'", argument="cases")
    level = checks.check_level(level)
    readings = Readings.from_arrays(
        y_true,
        y_score,
        reader=reader,
        modality=modality,
        case=case,
        pos_label=pos_label,
        label=label,
        score=score,
        na=na,
        direction=direction,
    )
    if method == "delong" and readings.design == "unbalanced":
        raise RocInputError(
            "must be 'jackknife', 'unbiased' or 'gallas' where readers have some of their cases in common, "
            "not all, got 'delong'",
            argument="method",
            data_dependent=True,
        )
    areas = ReaderAreas.of(readings, "unbiased" if method == "gallas" else method)
    components = variance_components(areas, crossed=readings.design == "crossed")
    effects = Effects(readers, cases, components)
    means, spread = effects.u_statistic(areas) if method == "gallas" else effects.anova(areas)
    return _result(readings, areas, means, spread, effects, method=method, level=level)


# ---- From variances to the result -------------------------------------------------------------------------


def _result(
    readings: Readings,
    areas: ReaderAreas,
    means: Floats,
    spread: Spread,
    effects: Effects,
    *,
    method: str,
    level: float,
) -> ReaderStudy:
    T, J = readings.shape
    cells = areas.covariance.reshape(T, J, T, J)
    names = readings.modalities
    pairs, by_reader = list[dict[str, Any]](), list[dict[str, Any]]()
    for s, t in combinations(range(T), 2):
        about = {"first": names[s], "second": names[t]}
        pairs.append(about | _test(float(means[s] - means[t]), *spread.pair[s, t], level=level))
        for r, reader in enumerate(readings.readers):
            variance = float(cells[s, r, s, r] + cells[t, r, t, r] - 2 * cells[s, r, t, r])
            row = _test(float(areas.auc[s, r] - areas.auc[t, r]), variance, None, level=level)
            by_reader.append(about | {"reader": reader} | row)
    significance.adjust(pairs, [ALL] * len(pairs))
    significance.adjust(by_reader, [row["reader"] for row in by_reader])
    by_reader.sort(key=lambda row: readings.readers.index(row["reader"]))
    overall = _overall(pairs, spread.overall, T, level=level)
    crossed_out = (effects.components.cov2 or 0) < (effects.components.cov3 or 0)
    uses_maximum = method != "gallas" and effects.readers == effects.cases == "random"
    return ReaderStudy(
        modalities=names,
        readers=readings.readers,
        auc=areas.auc,
        pairs=tuple(ModalityDifference(**row) for row in pairs),
        reader_differences=tuple(ModalityDifference(**row) for row in by_reader),
        means=tuple(
            ReaderArea(
                modality=name,
                reader=ALL,
                **_area(float(means[t]), *spread.mean[t], level=level),
                n_pos=int((readings.read.reshape(T, J, -1)[t].any(axis=0) & readings.positive).sum()),
                n_neg=int((readings.read.reshape(T, J, -1)[t].any(axis=0) & ~readings.positive).sum()),
            )
            for t, name in enumerate(names)
        ),
        reader_areas=tuple(
            ReaderArea(
                modality=name,
                reader=reader,
                **_area(float(areas.auc[t, r]), float(cells[t, r, t, r]), None, level=level),
                n_pos=int(areas.n_pos[t, r]),
                n_neg=int(areas.n_neg[t, r]),
            )
            for r, reader in enumerate(readings.readers)
            for t, name in enumerate(names)
        ),
        components=effects.components,
        cov=areas.covariance,
        defined=~np.isnan(areas.covariance),
        method=method,
        reader_effect=effects.readers,
        case_effect=effects.cases,
        design=readings.design,
        level=level,
        n_pos=int(readings.positive.sum()),
        n_neg=int((~readings.positive).sum()),
        pos_label=readings.pos_label,
        neg_label=readings.neg_label,
        warnings=(
            *readings.warnings,
            *(
                f"{name}: {note}"
                for name, area in zip(names, means.tolist(), strict=True)
                for note in below_note(area, readings.direction)
            ),
            *([MAXIMUM] if crossed_out and uses_maximum else []),
        ),
        **overall,
    )


def _lack(variance: float) -> str | None:
    """Why a variance has no standard error."""
    if math.isnan(variance):
        return FEW
    return NEGATIVE if variance < -(significance.ROUNDING**2) else None


def _test(difference: float, variance: float, df: float | None, *, level: float) -> dict[str, Any]:
    """Interval and test of a difference; equal areas that do not vary have p = 1."""
    row: dict[str, Any] = significance.NO_DIFFERENCE | {"difference": difference, "df": df}
    if (lack := _lack(variance)) is not None:
        return row | {"df": None, "reason": lack}
    se = math.sqrt(max(variance, 0.0))
    if se <= significance.ROUNDING:
        row |= {"se": 0.0, "df": None}
        if abs(difference) <= significance.ROUNDING:
            return row | {"low": difference, "high": difference, "statistic": 0.0, "p_value": 1.0}
        return row | {"reason": CONSTANT}
    low, high = significance.interval(difference, se, level=level, df=df, bounds=(-1.0, 1.0))
    statistic = difference / se
    p = significance.p_value(statistic, df=df)
    return row | {"se": se, "low": low, "high": high, "statistic": statistic, "p_value": p}


def _area(value: float, variance: float, df: float | None, *, level: float) -> dict[str, Any]:
    """Interval of an area."""
    row: dict[str, Any] = {"value": value, "se": None, "df": None, "low": None, "high": None}
    if (lack := _lack(variance)) is not None:
        return row | {"reason": lack}
    se = math.sqrt(max(variance, 0.0))
    if se <= significance.ROUNDING:
        return row | {"se": 0.0, "reason": "the area does not vary, which shows no uncertainty"}
    low, high = significance.interval(value, se, level=level, df=df, bounds=(0.0, 1.0))
    return row | {"se": se, "df": df, "low": low, "high": high}


def _overall(
    pairs: list[dict[str, Any]], spread: tuple[float, float | None], T: int, *, level: float
) -> dict[str, Any]:
    """The test of all modalities together: that of the one pair, or F or chi-square of several."""
    variance, df = spread
    normal = df is None
    fields: dict[str, Any] = {"df_modality": T - 1, "reason": None, "status": "ok"}
    if T == 2:
        names = ("difference", "se", "low", "high", "statistic", "df", "p_value")
        fields |= {name: pairs[0][name] for name in names} | {"kind": "z" if normal else "t"}
        statistic = fields["statistic"]
        fields["f_statistic"] = None if statistic is None else statistic**2
        fields["reason"] = pairs[0].get("reason")
    else:
        fields |= dict.fromkeys(("difference", "se", "low", "high"))
        squares = float(np.mean([row["difference"] ** 2 for row in pairs]))
        test = _test(math.sqrt(squares), variance, df, level=level)
        f = None if test["statistic"] is None else test["statistic"] ** 2
        p = test["p_value"]
        if f:
            p = special.chdtrc(T - 1, (T - 1) * f) if df is None else special.fdtrc(T - 1, df, f)
        fields |= {"kind": "chi2" if normal else "F", "df": float(T - 1) if normal else df}
        fields |= {"f_statistic": f, "p_value": None if p is None else float(p), "reason": test.get("reason")}
        fields["statistic"] = (T - 1) * f if normal and f is not None else f
    if fields["p_value"] is None:
        fields["status"] = "undefined"
    return fields


def _rejection(noncentrality: float, df: float | None, level: float) -> float:
    """Probability that a two-sided test rejects: of noncentral F, or chi-square, with 1 degree of freedom."""
    if df is None:
        shift, critical = math.sqrt(noncentrality), significance.quantile(level)
        return float(special.ndtr(shift - critical) + special.ndtr(-shift - critical))
    return float(1 - special.ncfdtr(1, df, noncentrality, special.fdtri(1, df, level)))
