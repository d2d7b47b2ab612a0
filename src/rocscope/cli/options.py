"""Options that several commands share: each is spelt once, and its docstring is its help.

A group of options is a frozen dataclass, which goes on into the reading of a file or the library call. Texts
that stand for numbers or lists are read when the command line is parsed, so that a command gets values.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Annotated, Any, Literal

from cyclopts import Parameter

import rocscope as rs
from rocscope.cli.output import FRESH, Paths, watching
from rocscope.errors import RocInputError, RocUsageError

if TYPE_CHECKING:
    from rocscope.core.execution import Executor
    from rocscope.core.spread import SpreadScores
    from rocscope.core.table import LabelledTable
    from rocscope.io.files import Table
    from rocscope.io.input_file import InputFile

# Arguments of the library that commands call otherwise, and arguments that are columns of a file.
ARGUMENTS = {
    "a constraint": "select",
    "algorithms": "models",
    "cv": "folds",
    "place": "at",
    "estimator": "model",
    "the measure of a constraint": "select",
}
COLUMNS = {"y_true": "label", "y": "label", "y_score": "score", "scores": "score", "sample_weight": "weight"}

N_BOOT = 2000
# Bytes for each row that bootstrap samples take, where areas are kept of them, and where curves are.
DRAWN_AREAS, DRAWN_CURVES = 100, 250
# Workers of a dask cluster on this machine.
LOCAL_WORKERS = 2


# ---- Values that are more than one word -------------------------------------------------------------------


def read_numbers(text: str, allowed: str, *, most: int | None = None) -> list[float]:
    """Read numbers between commas; whole numbers stay exact at any size.

    Examples
    --------
    >>> read_numbers("9007199254740993,0.5", "numbers")
    [9007199254740993, 0.5]
    """
    parts = text.split(",")
    try:
        if "_" in text or (most is not None and len(parts) > most):
            raise ValueError(text)
        return [int(part) if re.fullmatch(r"\s*[+-]?[0-9]+\s*", part) else float(part) for part in parts]
    except ValueError:
        raise RocInputError(f"must be {allowed}, got {text!r}") from None


def read_whole(text: str) -> int:
    """Read a whole number.

    Examples
    --------
    >>> read_whole("12")
    12
    """
    (number,) = read_numbers(text, "a whole number", most=1)
    if not isinstance(number, int):
        raise RocInputError(f"must be a whole number, got {text!r}")
    return number


def read_sizes(text: str) -> list[int]:
    """Read whole numbers between commas.

    Examples
    --------
    >>> read_sizes("20,40")
    [20, 40]
    """
    allowed = "whole numbers between commas"
    sizes = [size for size in read_numbers(text, allowed) if isinstance(size, int)]
    if len(sizes) < len(text.split(",")):
        raise RocInputError(f"must be {allowed}, got {text!r}")
    return sizes


def read_jobs(text: str) -> int:
    """Read a number of processes, also where nothing is left for them to do."""
    number = read_whole(text)
    if number == 0:
        raise RocInputError("must be a whole number other than 0, got 0")
    return number


def read_threshold(text: str) -> float:
    """Read a threshold, which may be infinite.

    Examples
    --------
    >>> read_threshold("9007199254740993"), read_threshold("-inf")
    (9007199254740993, -inf)
    """
    (threshold,) = read_numbers(text, "a number", most=1)
    if threshold != threshold:
        raise RocInputError(f"must be a number, got {text!r}")
    return threshold


def read_one_or_two(text: str, allowed: str) -> float | tuple[float, float]:
    """Read one number, or two between commas.

    Examples
    --------
    >>> read_one_or_two("5", "a cost"), read_one_or_two("1,5", "a cost")
    (5, (1, 5))
    """
    values = read_numbers(text, allowed, most=2)
    return values[0] if len(values) == 1 else (values[0], values[1])


def read_cost(text: str) -> float | tuple[float, float]:
    """Read the cost of a false negative, or those of a false positive and a false negative.

    Examples
    --------
    >>> read_cost("5"), read_cost("1,5")
    (5.0, (1.0, 5.0))
    """
    cost = read_one_or_two(text, "one number (FN) or two (FP,FN)")
    return (float(cost[0]), float(cost[1])) if isinstance(cost, tuple) else float(cost)


def read_bounds(text: str) -> tuple[float, float]:
    """Read "SENSITIVITY,SPECIFICITY", two rates that are neither 0 nor 1.

    Examples
    --------
    >>> read_bounds("0.95,0.9")
    (0.95, 0.9)
    """
    allowed = "two numbers SENS,SPEC between 0 and 1"
    bounds = read_one_or_two(text, allowed)
    if not isinstance(bounds, tuple) or not all(0 < bound < 1 for bound in bounds):
        raise RocInputError(f"must be {allowed}, got {text!r}")
    return bounds


def read_range(text: str) -> tuple[float, float]:
    """Read "LOW,HIGH"; whether it is a range of rates is for the method to say.

    Examples
    --------
    >>> read_range("0,0.1")
    (0, 0.1)
    """
    allowed = "two numbers LOW,HIGH"
    ends = read_one_or_two(text, allowed)
    if not isinstance(ends, tuple):
        raise RocInputError(f"must be {allowed}, got {text!r}")
    return ends


def read_count_columns(text: str) -> list[str]:
    """Read "SCORE,POS,NEG", the columns of a table of counts.

    Examples
    --------
    >>> read_count_columns("score,pos,neg")
    ['score', 'pos', 'neg']
    """
    names = text.split(",")
    if len(names) != 3 or "" in names or len(set(names)) < 3:
        raise RocInputError(f"must be three different columns SCORE,POS,NEG, got {text!r}")
    return names


def read_names(text: str) -> list[str]:
    """Read names between commas.

    Examples
    --------
    >>> read_names("low, middle,high")
    ['low', 'middle', 'high']
    """
    names = [name.strip() for name in text.split(",")]
    if len(names) < 2 or "" in names or len(set(names)) < len(names):
        raise RocInputError(f"must be two or more different names between commas, got {text!r}")
    return names


def text_option(read: Callable[[str], Any], metavar: str, help: str | None = None) -> Parameter:
    """An option whose text is read into a value, as `read` has it; it is given once."""

    def convert(_: Any, tokens: Any) -> Any:
        if len(tokens) > 1:
            raise RocInputError(f"must be given once, got {len(tokens)} values")
        return read(tokens[0].value)

    more: dict[str, Any] = {} if help is None else {"help": help}
    return Parameter(converter=convert, n_tokens=1, metavar=metavar, **more)


Column = Annotated[str, Parameter(metavar="COLUMN")]
Path = Annotated[str, Parameter(metavar="PATH")]
Count = Annotated[int, text_option(read_whole, "N")]
Sizes = Annotated[list[int], text_option(read_sizes, "N,N,...")]
Flag = Annotated[bool, Parameter(show_default=False)]
Names = Annotated[list[str], text_option(read_names, "A,B,...")]
CountColumns = Annotated[list[str], text_option(read_count_columns, "SCORE,POS,NEG")]


def read_files(_: Any, tokens: Any) -> Paths:
    """The path of a file, or those of several that are one table."""
    paths = [token.value for token in tokens]
    return paths[0] if len(paths) == 1 else paths


File = Annotated[
    Paths,
    Parameter(
        converter=read_files,
        n_tokens=-1,
        help="Table with named columns: CSV, Parquet, JSON lines, Excel, SPSS, Stata, SAS or R; - reads CSV "
        "from standard input. Several files, a pattern such as 'scores-*.csv' or a folder of Parquet files "
        "are one table.",
    ),
]
Label = Annotated[str, Parameter(metavar="COLUMN", help="Column of the true classes.")]
Scores = Annotated[
    list[str],
    Parameter(metavar="COLUMN", help="Column of scores; may be repeated."),
]
Level = Annotated[float, Parameter(help="Confidence level of intervals.")]
Alternative = Annotated[
    Literal["two-sided", "less", "greater"], Parameter(help="Side of tests and intervals.")
]
PosLabels = Annotated[
    list[str],
    Parameter(
        metavar="LABEL",
        help="The positive class; not needed for 0/1, -1/1 and true/false. Repeated: labels that make up the "
        "positive class together, all others being the negative one.",
    ),
]
PosLabel = Annotated[
    str, Parameter(metavar="LABEL", help="The positive class; not needed for 0/1, -1/1 and true/false.")
]
Fold = Annotated[str, Parameter(metavar="COLUMN", help="Column that names the fold of every case.")]
By = Annotated[
    list[str], Parameter(metavar="COLUMN", help="Column that names the group of every case; may be repeated.")
]
Features = Annotated[
    list[str], Parameter(metavar="COLUMN", help="Feature of a model, repeatable; all numbers unless given.")
]
Select = Annotated[
    list[str],
    Parameter(metavar="BOUND", help='A bound such as "tpr>=0.9" on the operating point; repeatable.'),
]
Cost = Annotated[
    float | tuple[float, float],
    text_option(read_cost, "FN | FP,FN", "Cost of a false negative; of a false positive 1 unless given."),
]
Prevalence = Annotated[float, Parameter(help="Prevalence of the positive class in use.")]
Seed = Annotated[
    int, text_option(read_whole, "N", "Seed of the random numbers; the same seed gives the same numbers.")
]
NJobs = Annotated[
    int,
    text_option(read_jobs, "N", "Workers; -1 for all cores. Any number of them gives the same numbers."),
]


# ---- Groups -----------------------------------------------------------------------------------------------


@Parameter(name="*")
@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """How a file is read.

    Parameters
    ----------
    na
        What to do with rows that lack a value: refuse them, or leave them out.
    format
        Format of the file; its ending decides unless given.
    sheet
        Sheet of a workbook, data frame of an R file: its name, or number from 1; the first unless given.
    decimal
        What stands before the decimals of numbers in text; unless given a comma is recognised where the
        columns are divided by other signs.
    missing
        A text or number that stands for a missing value, such as . or -99; may be repeated.
    below
        What to do with scores such as <0.05, below a limit of detection: refuse them, or keep the limit as
        the value, so that such cases are tied.
    memory_limit
        Memory that reading may take, such as 512MB or 2GiB; rows that do not fit are refused.
    temp_limit
        Disk that temporary files may take, such as an unpacked gzip file; 90% of what is free unless given.
    """

    na: Literal["error", "drop"] = "error"
    format: Literal["csv", "parquet", "jsonl", "excel", "spss", "stata", "sas", "r"] | None = None
    sheet: Annotated[str, Parameter(metavar="NAME | N")] | None = None
    decimal: Literal[".", ","] | None = None
    missing: Annotated[list[str], Parameter(metavar="CODE")] | None = None
    below: Literal["error", "keep"] = "error"
    memory_limit: Annotated[str, Parameter(metavar="SIZE")] | None = None
    temp_limit: Annotated[str, Parameter(metavar="SIZE")] | None = None

    @contextmanager
    def open(self, file: Paths, *, row_bytes: int = 0) -> Iterator[InputFile]:
        """Open the file, or standard input; the limits hold for all that is read of it.

        Work that takes `row_bytes` for each row is refused where its rows would not fit.
        """
        from rocscope.io.input_file import Dialect, Limits, local_file

        dialect = Dialect.read(sheet=self.sheet, decimal=self.decimal, missing=self.missing, below=self.below)
        limits = replace(Limits.read(self.memory_limit, temp_limit=self.temp_limit), row_bytes=row_bytes)
        with (
            watching(file if isinstance(file, str) else f"{file[0]} and others") as watch,
            local_file(file, format=self.format, watch=watch, limits=limits, dialect=dialect) as source,
        ):
            yield source

    def table(
        self,
        source: InputFile,
        label: str,
        numbers: Sequence[str],
        *,
        fold: str | None = None,
        texts: Sequence[str] = (),
    ) -> Table:
        """Read the column of labels, that of folds, and others of numbers or of text."""
        from rocscope.io.files import read_table

        if fold in (label, *numbers, *texts):
            raise RocUsageError(f"--fold must be a column of its own, got {fold!r}")
        kinds: dict[str, Any] = {label: "label"} | ({} if fold is None else {fold: "label"})
        kinds |= dict.fromkeys(numbers, "number") | dict.fromkeys(texts, "label")
        return read_table(source, kinds, na=self.na)

    def scores(
        self,
        source: InputFile,
        label: str,
        score: Sequence[str],
        *,
        pos_label: list[str] | None = None,
        fold: str | None = None,
        **more: Any,
    ) -> rs.BinaryScores:
        """Read labels of two classes and scores."""
        options: dict[str, Any] = {"pos_label": positive_class(pos_label), "fold": fold, "na": self.na}
        data: rs.BinaryScores = rs.read_scores(
            source, label=label, score=score, table=False, **options, **more
        )
        return data

    def grouped_scores(
        self,
        source: InputFile,
        label: str,
        score: Sequence[str],
        by: Sequence[str],
        *,
        pos_label: list[str] | None,
        direction: Any,
        fold: str | None = None,
        groups: str | None = None,
        weight: str | None = None,
        weight_kind: Any = None,
    ) -> tuple[rs.BinaryScores, dict[str, Any]]:
        """Read labels of two classes, scores, columns of clusters and weights, and those of groups."""
        from rocscope.io.columns import label_like
        from rocscope.io.files import score_names

        names = score_names(score, label)
        if len(set(by)) < len(by) or {*by} & {label, *names}:
            raise RocUsageError(f"--by must name other columns than label and score, each once, got {by}")
        numbers = [*names] if weight is None else [*names, weight]
        table = self.table(source, label, numbers, fold=fold, texts=[*by, *filter(None, [groups])])
        positive = label_like(positive_class(pos_label), table.profiles[label])
        beside: dict[str, Any] = {"fold": fold, "groups": groups, "sample_weight": weight}
        beside = {name: None if column is None else table.arrays[column] for name, column in beside.items()}
        data = rs.BinaryScores.from_arrays(
            table.arrays[label],
            {name: table.arrays[name] for name in names},
            pos_label=positive,
            direction=direction,
            weight_kind=weight_kind,
            keep_rows=True,
            **beside,
        )
        data, rows = replace(data, warnings=(*data.warnings, *table.warnings)).written_out()
        return data, {name: table.arrays[name][rows] for name in by}

    def class_scores(
        self, source: InputFile, label: str, score: list[str], classes: list[str], fold: str | None = None
    ) -> tuple[rs.ClassScores, tuple[str, ...]]:
        """Read one score for every class, or a single one; and a note on the rows that were left out."""
        from rocscope.io.columns import label_like
        from rocscope.io.files import score_names

        table = self.table(source, label, score_names(score, label), fold=fold)
        labels, dropped = table.arrays[label], table.warnings
        names = [label_like(name, table.profiles[label]) for name in classes]
        if len(score) == 1:
            one = table.arrays[score[0]]
            return rs.ClassScores.from_one_score(labels, one, classes=names), dropped
        folds = None if fold is None else table.arrays[fold]
        scores = rs.ClassScores.from_arrays(labels, table.matrix(score), classes=names, fold=folds)
        return replace(scores, n_missing=sum(table.dropped.values())), dropped


@Parameter(name="*")
@dataclass(frozen=True, slots=True, kw_only=True)
class Labelled(Reading):
    """A table of cases."""

    label: Label


@Parameter(name="*")
@dataclass(frozen=True, slots=True, kw_only=True)
class TwoClasses(Labelled):
    """A table of two classes.

    Parameters
    ----------
    direction
        Which scores stand for the positive class: higher ones (unless given), or lower ones; never guessed.
        Of one score of several classes (--classes): whether it grows with their order, falls, or as the
        medians of each pair have it (auto).
    count
        Column of the number of cases that each row stands for, in a table of counts.
    counts
        Columns of a table that counts positives and negatives at each score, or in each bin, as the query of
        rocscope sql does; --label and --score are then left out.
    """

    pos_label: PosLabels | None = None
    direction: Literal["higher", "lower", "auto"] | None = None
    count: Column | None = None
    counts: CountColumns | None = None

    def counted(self, source: InputFile) -> LabelledTable:
        """The table of counts that --counts names."""
        from rocscope.io.counts import read_counts

        assert self.counts is not None
        refuse("must be left out with --counts", count=self.count, pos_label=self.pos_label, **self.design)
        return read_counts(source, counts=self.counts, na=self.na, direction=self.side)

    @property
    def side(self) -> Literal["higher", "lower"]:
        """Which scores stand for the positive of two classes."""
        if self.direction == "auto":
            raise RocUsageError("--direction auto belongs to one score of several classes: --classes")
        return self.direction or "higher"

    def two_classes(
        self, source: InputFile, score: Sequence[str], *, fold: str | None = None, **design: Any
    ) -> rs.BinaryScores:
        """These scores on the same cases; `design` are columns of weights and clusters."""
        more = {"direction": self.side, "count": self.count} | self.design | design
        return self.scores(source, self.label, score, pos_label=self.pos_label, fold=fold, **more)

    @property
    def design(self) -> dict[str, Any]:
        """Columns of weights and clusters; none here."""
        return {}

    def grouped(
        self, source: InputFile, score: Sequence[str], by: Sequence[str], **design: Any
    ) -> tuple[rs.BinaryScores, dict[str, Any]]:
        """These scores on the same cases, and the groups of the cases in each column."""
        refuse("must be left out with --by", count=self.count)
        about = {"pos_label": self.pos_label, "direction": self.side} | self.design | design
        return self.grouped_scores(source, self.label, score, by, **about)


def positive_class(labels: list[str] | None) -> str | list[str] | None:
    """The label of the positive class, or the labels that make it up."""
    return labels[0] if labels and len(labels) == 1 else labels


@Parameter(name="*")
@dataclass(frozen=True, slots=True, kw_only=True)
class Scored(TwoClasses):
    """A table of two classes with the scores of one or more classifiers."""

    score: Scores

    @property
    def columns(self) -> dict[str, Any]:
        """Arguments of a function that reads scores."""
        positive = positive_class(self.pos_label)
        more = {"pos_label": positive, "na": self.na, "direction": self.side}
        return {"label": self.label, "score": self.score, **more}

    def read(self, source: InputFile, *, fold: str | None = None) -> rs.BinaryScores:
        """All scores on the same cases."""
        return self.two_classes(source, self.score, fold=fold)

    def samples(self, source: InputFile) -> dict[str, rs.BinaryScores]:
        """One sample per score; rows that lack another score are kept for this one."""
        if self.na == "error":
            return self.read(source).each()
        return {name: self.two_classes(source, [name]) for name in self.score}


@Parameter(name="*")
@dataclass(frozen=True, kw_only=True)
class Design:
    """Cases that may depend on each other, or count differently.

    Parameters
    ----------
    groups
        Column of the clusters, such as patients with several lesions: their cases may depend on each other.
    weight
        Column of the weights of the cases.
    weight_kind
        What weights are: how many of the population a case stands for (survey, unless given), or how many
        cases a row stands for (frequency).
    """

    groups: Column | None = None
    weight: Column | None = None
    weight_kind: Literal["survey", "frequency"] | None = None

    def beside(self, *others: str) -> dict[str, Any]:
        """Columns of weights and clusters, each another one than the label and the scores."""
        for option, name in (("groups", self.groups), ("weight", self.weight)):
            if name in others:
                message = f"--{option} must be another column than label and score, got {name!r} for both"
                raise RocUsageError(message)
        if self.weight is None:
            refuse("belongs to --weight", weight_kind=self.weight_kind)
            return {"groups": self.groups}
        return {"groups": self.groups, "weight": self.weight, "weight_kind": self.weight_kind or "survey"}


@Parameter(name="*")
@dataclass(frozen=True, kw_only=True)
class Designed(Design, Scored):
    """A table of two classes whose cases may depend on each other, or count differently."""

    @property
    def design(self) -> dict[str, Any]:
        """Columns of weights and clusters."""
        return self.beside(self.label, *self.score)


def cluster_notes(data: rs.BinaryScores, column: str | None) -> list[str]:
    """How many clusters there are, where a column names them."""
    if column is None:
        return []
    if data.groups is None:
        return [f"every case is a cluster of its own in column {column!r}"]
    from rocscope.core.influence import Design

    return [f"{data.positive.size} cases in {Design.of(data).n_clusters[2]} clusters ({column})"]


@dataclass(frozen=True, slots=True)
class Draws:
    """The random numbers of a command: how many draws, and the seed that repeats them.

    Without a seed of the user a fresh one is taken and noted, so that every number can be computed again.
    """

    n_boot: int
    seed: int | None
    notes: tuple[str, ...] = ()
    n_jobs: int | None = None

    @classmethod
    def read(cls, seed: int | None, n_boot: int | None = None, *, used: bool = True) -> Draws:
        """Read the options; `used` says whether anything is left to chance."""
        number = N_BOOT if n_boot is None else n_boot
        if seed is not None and seed < 0:
            raise RocUsageError(f"--seed must be at least 0, got {seed}")
        if seed is not None or not used:
            return cls(number, seed if used else None)
        from secrets import randbelow

        fresh = randbelow(2**32)
        return cls(number, fresh, (f"{FRESH} {fresh}: --seed {fresh} repeats them",))

    @property
    def input(self) -> dict[str, Any]:
        """The seed as a part of the input, where there is one."""
        return {} if self.seed is None else {"seed": self.seed}

    @property
    def options(self) -> dict[str, Any]:
        """Arguments of a function that draws."""
        jobs = {} if self.n_jobs is None else {"n_jobs": self.n_jobs}
        return {"n_boot": self.n_boot, "rng": self.seed} | jobs


@Parameter(name="*")
@dataclass(frozen=True, slots=True, kw_only=True)
class Chance:
    """Random draws.

    Parameters
    ----------
    n_boot
        Bootstrap replicates, or random exchanges; 2000 unless given.
    """

    n_boot: Count | None = None
    seed: Seed | None = None
    n_jobs: NJobs | None = None

    def draws(self, *, used: bool) -> Draws:
        """The draws of a command; `used` says whether anything is left to chance."""
        return replace(Draws.read(self.seed, self.n_boot, used=used), n_jobs=self.n_jobs)


@Parameter(name="*")
@dataclass(frozen=True, slots=True, kw_only=True)
class PartialArea:
    """A part of a curve.

    Parameters
    ----------
    fpr
        Area over this range of false positive rates alone.
    tpr
        Area over this range of true positive rates alone.
    standardize
        Partial area on a scale from 0.5 (chance) to 1 (perfect).
    """

    fpr: Annotated[tuple[float, float], text_option(read_range, "LOW,HIGH")] | None = None
    tpr: Annotated[tuple[float, float], text_option(read_range, "LOW,HIGH")] | None = None
    standardize: Flag = False


@Parameter(name="*")
@dataclass(frozen=True, slots=True, kw_only=True)
class Execution:
    """Where tasks run, and which of them.

    Parameters
    ----------
    n_jobs
        Worker processes.
    backend
        What runs the tasks: processes here, or dask.
    scheduler
        A running dask scheduler, such as tcp://host:8786.
    timeout
        Give up a task that takes longer.
    retry_failed
        Run tasks that failed before once more.
    """

    n_jobs: Annotated[int, text_option(read_jobs, "N"), Parameter(alias="--jobs")] | None = None
    backend: Literal["loky", "dask"] = "loky"
    scheduler: Annotated[str, Parameter(metavar="ADDRESS")] | None = None
    timeout: Annotated[float, Parameter(metavar="SECONDS")] | None = None
    retry_failed: Flag = False

    def check(self) -> None:
        """Refuse options that do not go together."""
        if self.scheduler is not None and self.backend != "dask":
            raise RocUsageError("--scheduler needs --backend dask")
        if self.scheduler is not None and self.n_jobs is not None:
            raise RocUsageError("--n-jobs must be left out with --scheduler, which has its own workers")
        if self.timeout is not None and self.backend != "loky":
            raise RocUsageError("--timeout needs --backend loky")
        if self.timeout is not None and not self.timeout >= 0:
            raise RocUsageError(f"--timeout must be at least 0, got {self.timeout:g}")

    @contextmanager
    def executor(self) -> Iterator[Executor | None]:
        """The dask executor; None for processes here."""
        if self.backend == "loky":
            yield None
            return
        from rocscope.core.checks import count_jobs
        from rocscope.run.dask_executor import DaskExecutor

        workers = LOCAL_WORKERS if self.n_jobs is None else count_jobs(self.n_jobs)
        with DaskExecutor(self.scheduler, n_workers=workers) as executor:
            yield executor


@Parameter(name="*")
@dataclass(frozen=True, slots=True, kw_only=True)
class Cluster:
    """Where the rows are read.

    Parameters
    ----------
    backend
        What reads Parquet files and counts: this process, or workers of dask, which must see the same paths;
        --n-jobs of them start here unless there is a scheduler.
    scheduler
        A running dask scheduler, such as tcp://host:8786.
    """

    backend: Literal["local", "dask"] = "local"
    scheduler: Annotated[str, Parameter(metavar="ADDRESS")] | None = None

    def check(self, n_jobs: int | None, **others: Any) -> None:
        """Refuse options that do not go together."""
        if self.backend == "local":
            refuse("needs --backend dask", scheduler=self.scheduler)
            return
        refuse("must be left out with --backend dask", **others)
        if self.scheduler is not None:
            refuse("must be left out with --scheduler, which has its own workers", n_jobs=n_jobs)

    @contextmanager
    def scores(
        self, opened: InputFile, columns: dict[str, Any], n_jobs: int | None
    ) -> Iterator[Callable[[Sequence[str]], SpreadScores]]:
        """Gives the scores of these names, on the workers."""
        from rocscope.core.checks import count_jobs
        from rocscope.io.parts import scores_of_files
        from rocscope.run.dask_executor import DaskExecutor

        workers = LOCAL_WORKERS if n_jobs is None else count_jobs(n_jobs)
        with DaskExecutor(self.scheduler, n_workers=workers) as executor:
            yield lambda names: scores_of_files(
                opened, **(columns | {"score": names}), compute=executor.compute
            )


# ---- Options that do not go together ---------------------------------------------------------------------


def check_class_names(classes: list[str], score: Sequence[str], pos_label: list[str] | None) -> None:
    """Refuse classes that are not those of the scores, one for each."""
    if pos_label is not None:
        raise RocUsageError("--pos-label must be left out with --classes")
    if len(classes) != len(score):
        got = f"got {len(classes)} classes and {len(score)} scores"
        raise RocUsageError(f"--classes must name the class of each --score, in their order, {got}")


def refuse(why: str, **options: Any) -> None:
    """Refuse the first of these options that has a value."""
    for name, value in options.items():
        if value is not None and value is not False and value != []:  # 0 is a value
            raise RocUsageError(f"--{name.replace('_', '-')} {why}")
