"""What every result has in common, and the two smallest results: an estimate and a test.

A result class is known from its definition alone: it is registered under its name when it is made, and names
the view that shows it and the section of a report it belongs to. There is no other list of result classes.
"""

from __future__ import annotations

import contextlib
import dataclasses
import enum
import json
import math
import pkgutil
import warnings
from abc import abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from importlib import import_module
from numbers import Real
from types import UnionType
from typing import (
    TYPE_CHECKING,
    Any,
    ClassVar,
    Literal,
    Self,
    TypeAlias,
    Union,
    get_args,
    get_origin,
    get_type_hints,
)

import numpy as np
from numpy.typing import NDArray

from rocscope.core.formatting import class_title, interval_ends, interval_name
from rocscope.core.tables import CI_STYLE, PaperTable, paper_table
from rocscope.core.tracking import flat_metrics
from rocscope.errors import RocInputError, UndefinedError, require

if TYPE_CHECKING:
    import pandas as pd

    from rocscope.core.checks import Alternative
    from rocscope.plotting.static import Axes
    from rocscope.reporting.notebook import Page

# "partial": the value stands, its uncertainty is undefined; `reason` says why.
Status: TypeAlias = Literal["ok", "partial", "undefined"]

# The packages that define results, in the order in which `from_dict` imports them until one has the class:
# light ones first. Not all packages: reading a result must load neither plots nor commands.
ROOMS = (
    "core", "inference", "averaging", "ordinal", "binormal",
    "bootstrap", "algorithms", "run", "training", "atlas", "papers", "reporting",
)  # fmt: skip
INFINITE = ("inf", "-inf")

RESULT_CLASSES: dict[str, type[Result]] = {}


class Result:
    """Mixin of every frozen result: strict JSON out and in, a pandas frame, a plot, a readable text."""

    __slots__ = ()

    # The function of `rocscope.plotting` that shows the result, and the topic of a report it belongs to.
    view: ClassVar[str] = "forest.table_picture"
    topic: ClassVar[str] = "plain"

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        if cls.__module__.startswith("rocscope."):
            RESULT_CLASSES[cls.__name__] = cls

    def __post_init__(self) -> None:
        """Make the arrays of a frozen result read-only, without touching the caller's own."""
        names: Iterable[str] = self.__dataclass_fields__  # type: ignore[attr-defined]
        for name in names:  # without `fields()`: there may be a million rows
            value = getattr(self, name)
            if isinstance(value, np.ndarray):
                frozen = value.view()
                frozen.setflags(write=False)
                object.__setattr__(self, name, frozen)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Result) or type(self) is not type(other):
            return NotImplemented
        mine, theirs = self._fields(), other._fields()
        return all(_same(mine[name], theirs[name]) for name in mine)

    def __hash__(self) -> int:
        return hash((type(self).__name__, str(self)))

    def __reduce__(self) -> Any:
        # Built anew by pickle and copy, so that the arrays are read-only there as well.
        return partial(type(self), **self._fields()), ()

    def _fields(self) -> dict[str, Any]:
        return {f.name: getattr(self, f.name) for f in dataclasses.fields(self)}  # type: ignore[arg-type]

    def __str__(self) -> str:
        return "\n".join([self._summary(), *(f"note: {text}" for text in self._notes())])

    def summary(self) -> str:
        """Return the result as text, without its warnings, which `str()` adds as notes."""
        return self._summary()

    def _summary(self) -> str:
        """The text of one type of result; every type with one of its own overrides this."""
        return repr(self)

    def _notes(self) -> list[str]:
        """Warnings of the result, then those of its parts with the names of the parts; each text once."""
        own = dict.fromkeys(getattr(self, "warnings", ()))
        names: dict[str, list[str]] = {}
        for part in _parts(self._fields().values()):
            for text in part.warnings:
                if text not in own:
                    names.setdefault(text, []).append(str(getattr(part, "label", part.name)))
        most = 5
        more = {text: f" and {len(of) - most} more" if len(of) > most else "" for text, of in names.items()}
        return [*own, *(f"{', '.join(of[:most])}{more[text]}: {text}" for text, of in names.items())]

    def to_dict(self) -> dict[str, Any]:
        """Return the fields as plain Python that strict JSON can hold: NaN and infinity become None."""
        fields = {f.name: getattr(self, f.name) for f in dataclasses.fields(self) if f.repr}  # type: ignore[arg-type]
        return {"type": type(self).__name__} | {name: plain(value) for name, value in fields.items()}

    def to_json(self, *, indent: int | None = None) -> str:
        """Return `to_dict()` as JSON text; floats are written so that they read back the same."""
        return json.dumps(self.to_dict(), allow_nan=False, indent=indent, ensure_ascii=False)

    @classmethod
    def from_dict(cls, fields: Mapping[str, Any]) -> Self:
        """Make a result again from its `to_dict()`, or from what JSON has kept of it.

        Parameters
        ----------
        fields
            The fields of a result, with the name of its class as "type". Fields that are as large as the data
            are not saved; what the picture and the text need of them is computed from the others.

        Returns
        -------
        Result
            Of the class that "type" names, which must be `cls` or below it.

        Raises
        ------
        RocInputError
            If "type" names no result of rocscope, or the fields do not make one.

        Examples
        --------
        >>> area = Estimate(name="AUC", value=0.8, se=0.05, low=0.7, high=0.9, level=0.95, method="delong")
        >>> Result.from_dict(area.to_dict()) == area
        True
        """
        name = fields.get("type")
        kind = _class_of(name)
        if kind is None or not issubclass(kind, cls):
            raise RocInputError(f"must name a result type of rocscope, got {name!r}", argument="type")
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("error", RuntimeWarning)  # infinite numbers of a broken file
                complete = kind._complete(dict(fields))
                hints = get_type_hints(kind, localns=RESULT_CLASSES)
                known = [field.name for field in dataclasses.fields(kind) if field.name in complete]  # type: ignore[arg-type]
                return kind(**{name: _value(hints[name], complete[name]) for name in known})
        except (
            ArithmeticError, AttributeError, LookupError, RuntimeError, RuntimeWarning, TypeError, ValueError
        ) as error:  # fmt: skip
            raise RocInputError(f"must be those of a saved {name}: {error}", argument="fields") from error

    @classmethod
    def _complete(cls, fields: dict[str, Any]) -> dict[str, Any]:
        """Add what `to_dict()` leaves out; classes that leave something out override this."""
        return fields

    def columns(self) -> dict[str, Any]:
        """Return the result as named columns of equal length: the form behind `frame()` and tables."""
        fields = {name: value for name, value in self.to_dict().items() if name != "type"}
        return {name: [value] for name, value in fields.items() if not isinstance(value, (list, dict))}

    def frame(self) -> pd.DataFrame:
        """Return `columns()` as a pandas data frame."""
        return require("pandas", "frame()").DataFrame(self.columns())

    def table(self, *, digits: int = 3, ci: str = CI_STYLE) -> PaperTable:
        """Return the result as a table for a paper.

        Parameters
        ----------
        digits
            Decimals of the numbers.
        ci
            An example of a value with its interval, whose punctuation is imitated: "0.73 (0.63-0.83)",
            "0.73 (0.63 to 0.83)", "0.73 (0.63, 0.83)", or with square brackets. Where an end is negative,
            "to" stands in place of the dash.

        Returns
        -------
        PaperTable
            Headings (`columns`), cells (`rows`) and `notes`; `frame()`, `to_latex()`, `to_markdown()`,
            `to_html()`, `to_csv()`, `to_docx(path)` and `to_excel(path)`. What is undefined says so, with a
            note why.

        Examples
        --------
        >>> area = Estimate(name="AUC", value=0.8, se=0.05, low=0.7, high=0.9, level=0.95, method="delong")
        >>> print(area.table(digits=2, ci="0.73 [0.63, 0.83]"))
        AUC (95% CI)         SE
        0.80 [0.70, 0.90]  0.05
        Method: DeLong.
        """
        return paper_table(self, digits=digits, ci=ci)

    def _paper(self) -> tuple[dict[str, Any], dict[str, str], list[str]]:
        """Columns of the table for a paper, headings that are no usual ones, and notes."""
        return self.columns(), {}, []

    def to_latex(self) -> str:
        """Return `table()` for LaTeX, with the rules of booktabs."""
        return self.table().to_latex()

    def to_markdown(self) -> str:
        """Return `table()` for Markdown."""
        return self.table().to_markdown()

    def to_html(self) -> str:
        """Return `table()` as an HTML table."""
        return self.table().to_html()

    def to_csv(self) -> str:
        """Return `table()` as CSV text; `frame()` has the numbers in full."""
        return self.table().to_csv()

    def to_docx(self, path: Any) -> None:
        """Write `table()` into a Word document."""
        self.table().to_docx(path)

    def to_excel(self, path: Any) -> None:
        """Write `table()` into an Excel workbook."""
        self.table().to_excel(path)

    def log_metrics(self, prefix: str = "") -> dict[str, float]:
        """Return the finite numbers under flat names, as MLflow, W&B and DVC take them.

        Parameters
        ----------
        prefix
            Written before every name, such as "test/".

        Returns
        -------
        dict
            Names of letters, digits, and any of _ - . /, which joins the names of parts. Arrays, such as
            the points of a curve, are no metrics and left out.

        Examples
        --------
        >>> area = Estimate(name="AUC", value=0.8, se=0.05, low=0.7, high=0.9, level=0.95, method="delong")
        >>> area.log_metrics("test/")
        {'test/auc': 0.8, 'test/auc_se': 0.05, 'test/auc_low': 0.7, 'test/auc_high': 0.9}
        """
        return flat_metrics(self, prefix)

    def plot(self, ax: Any = None) -> Axes | Any:
        """Draw the result with matplotlib and return the axes; of several panels an array of them."""
        from rocscope import plotting

        return plotting.matplotlib(plotting.picture(self), ax=ax)

    def explore(self) -> Page | Any:
        """Return an interactive page of the result; `show()` opens it in a browser, `save(path)` writes it.

        In a notebook, with the extra `notebook`, the explorer of a curve or an average is a widget: `index`
        and `point` are those that are selected in it.
        """
        from rocscope.reporting.notebook import explore

        return explore(self)

    def _repr_html_(self) -> str:
        from rocscope.reporting.notebook import result_html

        return result_html(self)


class CurveResult(Result):
    """A result that is drawn as a curve."""

    __slots__ = ()

    def plot(
        self,
        ax: Any = None,
        *,
        name: str | None = None,
        color: Any = None,
        band: Any = None,
        points: Any = None,
        axes: Literal["roc", "det", "deviate", "density"] | None = None,
        style: Literal["rocscope"] | None = None,
        **line_kw: Any,
    ) -> Axes:
        """Draw the curve with matplotlib and return the axes.

        Further curves on the same axes take the next colours; what they share, as the line of chance, is
        drawn once. The settings of matplotlib stay as they are.

        Parameters
        ----------
        ax
            Axes to draw on; labels, title and ends that they have stay. Without it a new figure is made.
        name
            Name of the classifier in the legend.
        color
            Colour of the curve, its band and its points; by default the next one.
        band
            False leaves out the intervals of a result that has them. Of a `RocCurve`, True draws those of
            `roc_band`, pointwise; or a band that you have, such as a simultaneous one.
        points
            Operating points to mark: indices, points as `select` returns them, or rules such as "tpr>=0.9"
            and "youden"; one or several.
        axes
            "det" draws a `RocCurve` as false negative over false positive rates on normal-deviate axes; a
            `Binormal` has "deviate" and "density".
        style
            None: the look of your rcParams, such as fonts, sizes, the cycle of colours, grid and spines;
            "rocscope": our own, whatever they are.
        **line_kw
            Keywords of matplotlib for the line of the curve, such as `linewidth` or `label`.

        Examples
        --------
        >>> from matplotlib.figure import Figure
        >>> from rocscope import roc_curve
        >>> curve = roc_curve([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8])
        >>> ax = curve.plot(Figure().add_subplot(), name="marker", points="tpr>=0.9", linewidth=3)
        >>> ax.lines[1].get_label(), ax.lines[1].get_linewidth(), ax.texts[0].get_text()
        ('marker (AUC = 0.75)', 3.0, '0.35 (FPR 0.50, TPR 1.00)')
        """
        from rocscope import plotting

        options = {"name": name, "band": band, "points": points, "axes": axes}
        drawn = plotting.picture(self, **{key: value for key, value in options.items() if value is not None})
        made: Axes = plotting.matplotlib(drawn, ax=ax, style=style, colors=[color], line=line_kw)
        return made


class Row(Result):
    """A result that is one row of a table: its fields can also be read as `row["name"]`."""

    __slots__ = ()

    def keys(self) -> Iterator[str]:
        """Names of the fields, so that `dict(row)` works."""
        return (field.name for field in dataclasses.fields(self))  # type: ignore[arg-type]

    def __getitem__(self, name: str) -> Any:
        if name not in self.keys():
            raise KeyError(name)
        return getattr(self, name)

    def _summary(self) -> str:
        """The values of a row that has no text of its own."""
        values = {name: value for name, (value,) in Result.columns(self).items() if value is not None}
        texts = {n: f"{v:.4g}" if isinstance(v, float) else v for n, v in values.items()}
        return f"{class_title(type(self))}: " + ", ".join(
            f"{n.replace('_', ' ')} {v}" for n, v in texts.items()
        )


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class TwoClassResult(Result):
    """A result of cases of two classes: how many there are, what the classes are called, and warnings."""

    n_pos: int
    n_neg: int
    pos_label: Any = 1
    neg_label: Any = 0
    warnings: tuple[str, ...] = ()

    @property
    def _cases(self) -> str:
        """Cases of each class, as a summary has them."""
        return f"{self.n_pos} of class {self.pos_label!s}, {self.n_neg} of class {self.neg_label!s}"

    @abstractmethod
    def _summary(self) -> str: ...


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class Difference(Row):
    """Difference of one measure, first minus second, with its interval and normal test.

    Attributes
    ----------
    difference, se, low, high
        The difference, its standard error and the interval that this gives.
    statistic, p_value, p_adjusted
        Difference over standard error, its p-value, and that adjusted for the number of tests.
    reason
        Why something is None.
    """

    first: str
    second: str
    difference: float | None
    se: float | None
    low: float | None
    high: float | None
    statistic: float | None
    p_value: float | None
    p_adjusted: float | None
    reason: str | None = None

    @property
    @abstractmethod
    def _subject(self) -> str:
        """The measure, as a summary has it."""

    @classmethod
    def _complete(cls, fields: dict[str, Any]) -> dict[str, Any]:
        return _with_open_ends(fields)

    def _summary(self) -> str:
        name = f"{self.first} - {self.second}, {self._subject}"
        if self.difference is None:
            return f"{name}: undefined, {self.reason}"
        if self.low is None or self.high is None or self.p_value is None:
            return f"{name}: {self.difference:+.4f} (no test: {self.reason})"
        return f"{name}: {self.difference:+.4f} ({self.low:+.4f} to {self.high:+.4f}), p = {self.p_value:.4g}"


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class Estimate(Row):
    """A number with its standard error and interval.

    Attributes
    ----------
    value, se, low, high
        The estimate, its standard error and the ends of its interval; None where undefined. A ratio of a
        positive number to 0 is infinite, in JSON the text "inf"; an infinite end is null there.
    level
        The confidence level of the interval.
    method
        How standard error and interval were computed.
    alternative
        "two-sided"; or "greater" for a lower bound alone, "less" for an upper bound alone.
    status, reason
        "ok"; "partial" (a value without an uncertainty) or "undefined", with the reason.
    warnings
        What a reader should know although the estimate stands.

    Examples
    --------
    >>> print(Estimate(name="AUC", value=0.8, se=0.05, low=0.7, high=0.9, level=0.95, method="delong"))
    AUC 0.8000 (95% interval 0.7000-0.9000, delong)

    As a number an estimate is its value, in `float`, format specs and comparisons:

    >>> area = Estimate(name="AUC", value=0.8, se=0.05, low=0.7, high=0.9, level=0.95, method="delong")
    >>> f"{area:.2f}", area > 0.75
    ('0.80', True)
    """

    view: ClassVar[str] = "forest.estimate_picture"
    topic: ClassVar[str] = "curves"

    name: str
    value: float | None
    se: float | None
    low: float | None
    high: float | None
    level: float
    method: str
    alternative: str = "two-sided"
    status: Status = "ok"
    reason: str | None = None
    warnings: tuple[str, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """Return the fields for strict JSON; an infinite value is text, since None is an undefined one."""
        return Result.to_dict(self) | {"value": json_numbers(self.value)}

    @classmethod
    def _complete(cls, fields: dict[str, Any]) -> dict[str, Any]:
        if fields["value"] in INFINITE:
            fields = fields | {"value": float(fields["value"])}
        return _with_open_ends(fields)

    def test(self, null: float, *, alternative: Alternative = "two-sided") -> TestResult:
        """Test whether the estimate differs from a number, by its standard error: z = (value - null) / se.

        Parameters
        ----------
        null
            The number under the null hypothesis, such as 0.5 for the area of a useless score.
        alternative
            "two-sided"; "greater" or "less" where only larger or smaller values speak against the null.

        Returns
        -------
        TestResult
            Undefined where the estimate has no standard error, or one of 0.

        Examples
        --------
        >>> area = Estimate(name="AUC", value=0.8, se=0.1, low=0.6, high=1.0, level=0.95, method="delong")
        >>> print(area.test(0.5))
        AUC = 0.5: statistic 3, p = 0.0027 (z, two-sided)
        """
        from rocscope.core import checks, significance

        null = checks.check_number(null, name="null")
        checks.check_alternative(alternative)
        name = f"{self.name} = {null:g}"
        if self.value is None or self.se is None or self.se == 0 or not math.isfinite(self.value):
            reason = self.reason or "the standard error is 0"
            return TestResult(
                name=name,
                method="z",
                statistic=None,
                df=None,
                p_value=None,
                alternative=alternative,
                status="undefined",
                reason=reason,
            )
        statistic = (self.value - null) / self.se
        p = significance.p_value(statistic, alternative=alternative)
        return TestResult(
            name=name, method="z", statistic=statistic, df=None, p_value=p, alternative=alternative
        )

    def columns(self) -> dict[str, Any]:
        """Return the fields as one row."""
        return Row.columns(self) | {"value": [self.value]}

    def __float__(self) -> float:
        """Return the value; an undefined one raises UndefinedError with its reason."""
        if self.value is None:
            raise UndefinedError(f"{self.name} undefined: {self.reason}")
        return float(self.value)

    def __format__(self, spec: str) -> str:
        """Format the value; without a format spec the text is that of `str()`."""
        return format(float(self), spec) if spec else str(self)

    def __lt__(self, other: object) -> bool:
        return float(self) < float(other) if isinstance(other, (Estimate, Real)) else NotImplemented

    def __le__(self, other: object) -> bool:
        return float(self) <= float(other) if isinstance(other, (Estimate, Real)) else NotImplemented

    def __gt__(self, other: object) -> bool:
        return float(self) > float(other) if isinstance(other, (Estimate, Real)) else NotImplemented

    def __ge__(self, other: object) -> bool:
        return float(self) >= float(other) if isinstance(other, (Estimate, Real)) else NotImplemented

    def _summary(self) -> str:
        if self.value is None:
            return f"{self.name} undefined: {self.reason}"
        if math.isinf(self.value):
            return f"{self.name} infinite: {self.reason}"
        if self.low is None or self.high is None:
            return f"{self.name} {self.value:.4f} (no interval: {self.reason})"
        ends = {"greater": f"{self.low:.4f}", "less": f"{self.high:.4f}"}
        interval = ends.get(self.alternative) or interval_ends(self.low, self.high)
        name = interval_name(self.level, self.alternative)
        return f"{self.name} {self.value:.4f} ({name} {interval}, {self.method})"


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class TestResult(Row):
    """A test: statistic, its degrees of freedom where it has any, and the p-value.

    Examples
    --------
    >>> print(TestResult(name="AUC 1 = AUC 2", method="delong", statistic=-2.209, df=None, p_value=0.02718))
    AUC 1 = AUC 2: statistic -2.209, p = 0.02718 (delong, two-sided)
    """

    __test__ = False  # not a test class for pytest to collect

    name: str
    method: str
    statistic: float | None
    df: float | None
    p_value: float | None
    alternative: str = "two-sided"
    status: Status = "ok"
    reason: str | None = None

    def _summary(self) -> str:
        if self.p_value is None:
            return f"{self.name} undefined: {self.reason}"
        df = f" with {self.df:g} df" if self.df is not None else ""
        figures = f"statistic {self.statistic:.4g}{df}, p = {self.p_value:.4g}"
        return f"{self.name}: {figures} ({self.method}, {self.alternative})"


def row_columns(rows: Iterable[Row], *first: str) -> dict[str, list[Any]]:
    """Rows as named columns: those in `first`, then the other fields in their order."""
    rows = tuple(rows)
    return {name: [row[name] for row in rows] for name in dict.fromkeys((*first, *rows[0].keys()))}


def _with_open_ends(fields: dict[str, Any]) -> dict[str, Any]:
    """An interval with one end is open at the other: infinite ends are null in JSON."""
    if (fields["low"] is None) == (fields["high"] is None):
        return fields
    return fields | ({"low": -math.inf} if fields["low"] is None else {"high": math.inf})


def _parts(values: Iterable[Any]) -> Iterator[Any]:
    """Parts of a result that have a name and may have warnings: estimates and bands, alone or in rows."""
    for value in values:
        if isinstance(value, tuple):
            yield from _parts(value)
        elif isinstance(value, Result) and hasattr(value, "warnings") and hasattr(value, "name"):
            yield value


def _class_of(name: Any) -> type[Result] | None:
    """The result class of a name: rooms are imported until one defines it, never by the name itself."""
    if not isinstance(name, str):
        return None
    for room in ROOMS:
        if name in RESULT_CLASSES:
            break
        import_room(room)
    kind = RESULT_CLASSES.get(name)
    return kind if kind is not None and dataclasses.is_dataclass(kind) else None


def import_room(room: str) -> None:
    """Import every module of a room, so that its result classes are registered."""
    package = import_module(f"rocscope.{room}")
    for module in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
        with contextlib.suppress(ImportError):  # a module may need a library that is not installed
            import_module(module.name)


def _value(hint: Any, value: Any) -> Any:
    """A value of JSON as the type of its field has it: arrays, tuples, mappings, results, numbers."""
    if isinstance(value, Mapping):
        if "type" in value:
            return Result.from_dict(value)
        return {key: _value(None, inner) for key, inner in value.items()}
    if isinstance(value, list):
        options = get_args(hint) if get_origin(hint) in (Union, UnionType) else (hint,)
        if any(get_origin(option) is np.ndarray for option in options):
            return as_array(value)
        inner = NDArray[Any] if _holds_arrays(hint) else None
        return tuple(_value(inner, one) for one in value)
    is_infinite = hint is Any and isinstance(value, str) and value in INFINITE
    return float(value) if is_infinite else value


def _holds_arrays(hint: Any) -> bool:
    return get_origin(hint) is np.ndarray or any(map(_holds_arrays, get_args(hint)))


def as_array(values: Any) -> NDArray[Any]:
    """Values of JSON as an array: null is NaN, infinite numbers are text, names stay what they are.

    Examples
    --------
    >>> as_array(["inf", 0.5, None]).tolist(), as_array([1, 2]).dtype.kind, as_array(["a", "b"]).tolist()
    ([inf, 0.5, nan], 'i', ['a', 'b'])
    """
    if isinstance(values, np.ndarray):
        return values
    plain = np.array(values)
    names = plain.dtype.kind == "U" and not np.isin(plain, INFINITE).any()
    if plain.dtype.kind in "biu" or names:
        return plain
    if plain.ndim == 1 and any(type(value) is int and abs(value) > 2**53 for value in values):
        return np.array([float(value) if isinstance(value, str) else value for value in values], dtype=object)
    return np.array(values, dtype=np.float64)


def json_thresholds(thresholds: Any) -> list[Any]:
    """Thresholds for strict JSON: an infinite score is text, so that its sign is kept."""
    return [str(t) if isinstance(t, float) and math.isinf(t) else t for t in np.asarray(thresholds).tolist()]


def json_numbers(values: Any) -> Any:
    """Numbers of any shape for strict JSON: infinite ones are text, since None is an undefined one.

    Examples
    --------
    >>> json_numbers(np.array([[0.5, np.inf], [np.nan, -np.inf]]))
    [[0.5, 'inf'], [None, '-inf']]
    """
    if isinstance(values, np.ndarray):
        values = values.tolist()
    if isinstance(values, list):
        return [json_numbers(value) for value in values]
    return str(values) if isinstance(values, float) and math.isinf(values) else plain(values)


def _same(a: Any, b: Any) -> bool:
    if isinstance(a, np.ndarray) or isinstance(b, np.ndarray):
        a, b = np.asarray(a), np.asarray(b)
        return a.shape == b.shape and bool(((a == b) | ((a != a) & (b != b))).all())
    # Arrays may lie inside: containers are compared item by item, and never by their own ==.
    if isinstance(a, (tuple, list)) and isinstance(b, type(a)):
        return len(a) == len(b) and all(map(_same, a, b))
    if isinstance(a, Mapping) and isinstance(b, Mapping):
        return a.keys() == b.keys() and all(_same(item, b[key]) for key, item in a.items())
    return bool(a == b)


def plain(value: Any, *, other: Callable[[Any], Any] = str) -> Any:
    """Turn a value into what strict JSON can hold; what it has no form for is given to `other`.

    Examples
    --------
    >>> plain({"thresholds": np.array([np.inf, 0.5]), "n": np.int64(3)})
    {'thresholds': [None, 0.5], 'n': 3}
    """
    if isinstance(value, Result):
        return value.to_dict()
    if isinstance(value, (np.longdouble, np.clongdouble)):  # their `tolist()` is of the same type
        value = float(value) if isinstance(value, np.floating) else complex(value)
    if isinstance(value, (np.ndarray, np.generic)) and value.dtype.kind not in "Mm":
        return plain(value.tolist(), other=other)
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, enum.Enum):
        return value.value
    if isinstance(value, Mapping):
        return {str(key): plain(item, other=other) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(item, other=other) for item in value]
    return value if value is None or isinstance(value, (bool, int, str)) else other(value)
