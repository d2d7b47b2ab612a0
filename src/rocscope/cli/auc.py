"""`rocscope auc`: the area under each ROC curve, with its interval."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from rocscope.cli import options
from rocscope.cli.areas import Sample, Samples, area, area_notes, area_table, curves_picture, part, split
from rocscope.cli.options import Draws, option_name, read_names, read_range, read_threshold
from rocscope.cli.output import Answer, Output, TextTable, describe, interval_ends, interval_name, number
from rocscope.cli.reading import DRAWN_AREAS, DRAWN_CURVES, is_limited, needing, opened
from rocscope.errors import RocUsageError, UndefinedError

if TYPE_CHECKING:
    from rocscope.core.result import Estimate
    from rocscope.core.scores import BinaryScores
    from rocscope.inference.multiclass import ClassArea, MulticlassAuc, PairArea
    from rocscope.io.large import FileCurve, FileSums
    from rocscope.io.local import LocalFile

COLUMNS = ("value", "se", "low", "high", "level", "method", "alternative", "status", "reason")
EXAMPLES = (
    "rocscope auc scores.csv --label outcome --pos-label ill --score marker",
    "rocscope auc scores.csv --label y --score model_a --score model_b --out roc.png",
    "cat scores.csv | rocscope auc - --label y --score model_a --json",
    "rocscope auc huge.parquet --label y --score model_a --memory-limit 512MB",
    "rocscope auc scores.csv --label y --score s --method bootstrap --bootstrap bca --seed 1",
    "rocscope auc scores.csv --label y --score s --fpr 0,0.1 --standardize --seed 1",
    "rocscope auc p.csv --label y --classes a,b,c --score pa --score pb --score pc --scheme ovo",
)
METHODS = "delong, logit, hanley-mcneil, bamber, bootstrap, cortes-mohri or agarwal"


def auc(
    file: options.File,
    label: options.Label,
    score: options.Scores,
    pos_label: options.PosLabel = None,
    method: Annotated[
        str | None, typer.Option("--method", help=f"Interval: {METHODS}; delong unless given.")
    ] = None,
    level: options.Level = 0.95,
    alternative: options.Alternative = "two-sided",
    threshold: Annotated[
        str | None,
        typer.Option("--threshold", metavar="T", help="For cortes-mohri: errors of score >= T are counted."),
    ] = None,
    n_boot: options.NBoot = None,
    bootstrap: Annotated[
        Literal["percentile", "bca"] | None,
        typer.Option("--bootstrap", help="Interval of the bootstrap; percentile unless given."),
    ] = None,
    seed: options.Seed = None,
    fpr: options.Fpr = None,
    tpr: options.Tpr = None,
    standardize: options.Standardize = False,
    classes: Annotated[
        str | None,
        typer.Option("--classes", metavar="A,B,...", help="Several classes: that of each --score, in order."),
    ] = None,
    scheme: Annotated[
        Literal["ovo", "ovr"] | None,
        typer.Option("--scheme", help="Several classes: all pairs (ovo, unless given), or each against all."),
    ] = None,
    average: Annotated[
        Literal["macro", "weighted"] | None,
        typer.Option("--average", help="Several classes: all count the same (macro), or by their cases."),
    ] = None,
    drop_classes: Annotated[
        bool, typer.Option("--drop-classes", help="Leave out classes of less than two cases.")
    ] = False,
    na: options.Na = "error",
    format: options.Format = None,
    memory_limit: options.MemoryLimit = None,
    temp_limit: options.TempLimit = None,
    json: options.Json = False,
    out: options.Out = None,
    force: options.Force = False,
) -> None:
    """Area under the ROC curve of each score, with its interval.

    With --fpr or --tpr the area of a part of the curve, with a bootstrap interval. With --classes the areas
    of one classifier of several classes, a score for each, and their average.

    With --na drop each score loses only the rows where its own value or the label is missing.
    --memory-limit is for files of any size: the result is the same, and exact. Only the bootstrap, partial
    areas and --classes need the rows in memory, and are refused where these do not fit.
    """
    output = Output(json, out, force)
    output.check(file)
    asked = AskedArea.read(
        method=method,
        level=level,
        alternative=alternative,
        threshold=threshold,
        n_boot=n_boot,
        bootstrap=bootstrap,
        seed=seed,
        fpr=fpr,
        tpr=tpr,
        standardize=standardize,
    )
    several = AskedClasses.read(
        classes, score, scheme=scheme, average=average, drop=drop_classes, pos_label=pos_label
    )
    if several is None:
        asked.check()
    with opened(file, format, memory_limit, temp_limit) as source:
        if several is not None:
            _deliver_classes(output, *classes_answer(source, label, na, several, asked))
            return
        columns: dict[str, Any] = {"label": label, "score": score, "pos_label": pos_label, "na": na}
        if is_limited(source) and not asked.needs_rows:
            samples = counted(source, asked, figure=output.is_figure, **columns)
        else:
            samples = _rows(needing(source, asked.row_bytes), **columns)
        described = describe(source)
    areas = {name: _area(data, asked) for name, data in samples.items()}
    output.deliver(
        Answer(
            command="auc",
            source=described | asked.draws.told,
            results=[_classes(samples[name]) | areas[name].to_dict() for name in areas],
            rows=[_row(samples[name], areas[name]) for name in areas],
            blocks=[area_table(samples, areas)],
            notes=[*area_notes(areas), *asked.draws.notes],
            picture=lambda: curves_picture(samples, areas),
        )
    )
    if all(estimate.status == "undefined" for estimate in areas.values()):
        raise UndefinedError("; ".join(f"{name}: {found.reason}" for name, found in areas.items()))


def _deliver_classes(output: Output, answer: Answer, result: MulticlassAuc) -> None:
    output.deliver(answer)
    if result.status == "undefined":
        raise UndefinedError(f"no average: {undefined_words(result)}")


def _rows(source: LocalFile, *, score: Sequence[str], na: str, **columns: Any) -> Samples:
    """One sample per score; rows that lack another score say nothing against this one."""
    from rocscope.io.files import read_scores

    def read(names: Sequence[str]) -> BinaryScores:
        data: BinaryScores = read_scores(source, score=names, na=na, **columns)
        return data

    return {**split(read(score))} if na == "error" else {name: read([name]) for name in score}


def _area(data: Sample, asked: AskedArea) -> Estimate:
    from rocscope.core.scores import BinaryScores

    if not isinstance(data, BinaryScores):
        return counted_area(data, asked)
    return asked.part_of(data) if asked.limits else area(data, **asked.all_options)


def _classes(data: Sample) -> dict[str, Any]:
    from rocscope.core.result import plain

    labels = {"pos_label": plain(data.pos_label), "neg_label": plain(data.neg_label)}
    return {"score": data.names[0], "n_pos": data.n_pos, "n_neg": data.n_neg} | labels


def _row(data: Sample, estimate: Estimate) -> dict[str, Any]:
    return _classes(data) | {field: estimate[field] for field in COLUMNS}


# ---- Which area `rocscope auc` was asked for, and by which method -----------------------------------------

BOOTSTRAP, AT_A_THRESHOLD = "bootstrap", "cortes-mohri"


@dataclass(frozen=True, slots=True, kw_only=True)
class AskedArea:
    """A whole area by some method, or a partial one, which only the bootstrap gives an interval.

    `limits` and `options` hold what was given of the options that belong to partial areas, and to methods.
    """

    method: str
    level: float
    alternative: str
    draws: Draws
    limits: dict[str, Any]
    options: dict[str, Any]

    @classmethod
    def read(
        cls,
        *,
        method: str | None,
        level: float,
        alternative: str,
        threshold: str | None,
        n_boot: int | None,
        bootstrap: str | None,
        seed: int | None,
        fpr: str | None,
        tpr: str | None,
        standardize: bool,
    ) -> AskedArea:
        """Check that the options belong together."""
        limits = _given(fpr=read_range(fpr, "--fpr"), tpr=read_range(tpr, "--tpr"))
        chosen = _method(method, bool(limits))
        options = _given(threshold=read_threshold(threshold), n_boot=n_boot, bootstrap=bootstrap)
        _check_owners(chosen, options)
        if standardize and not limits:
            raise RocUsageError("--standardize belongs to partial areas: give --fpr or --tpr")
        if limits and bootstrap == "bca":
            raise RocUsageError("--bootstrap must be percentile for a partial area, got 'bca'")
        return cls(
            method=chosen,
            level=level,
            alternative=alternative,
            draws=Draws.read(n_boot, seed, used=chosen == BOOTSTRAP),
            limits=limits | ({"standardize": True} if standardize else {}),
            options={name: value for name, value in options.items() if name != "n_boot"},
        )

    def check(self) -> None:
        """Refuse an unknown method or level before a long file is read."""
        from rocscope.core import checks
        from rocscope.inference.auc import METHODS

        checks.check_choice(self.method, METHODS, name="method")
        checks.check_level(self.level)

    @property
    def needs_rows(self) -> bool:
        """Whether counts are not enough: cases are drawn again."""
        return self.method == BOOTSTRAP

    @property
    def row_bytes(self) -> int:
        """Bytes for each row that the method takes, where that is more than the row itself."""
        if not self.needs_rows:
            return 0
        return DRAWN_CURVES if self.limits else DRAWN_AREAS

    @property
    def threshold(self) -> float | None:
        """The threshold of a method that has one."""
        return self.options.get("threshold")

    @property
    def how(self) -> dict[str, Any]:
        """Method, level and side: all that a method without options of its own takes."""
        return {"method": self.method, "level": self.level, "alternative": self.alternative}

    @property
    def all_options(self) -> dict[str, Any]:
        """Arguments of `auc`."""
        return self.how | self.options | (self.draws.options if self.method == BOOTSTRAP else {})

    def part_of(self, data: Any) -> Estimate:
        """The partial area of a sample."""
        return part(data, level=self.level, alternative=self.alternative, **self.limits, **self.draws.options)

    def check_nothing_special(self, why: str) -> None:
        """Refuse a partial area and options of single methods."""
        for name in (*self.limits, *self.options):
            raise RocUsageError(f"--{name} must be left out {why}")


def _given(**options: Any) -> dict[str, Any]:
    return {name: value for name, value in options.items() if value is not None}


def _method(method: str | None, is_part: bool) -> str:
    if not is_part:
        return "delong" if method is None else method
    if method not in (None, BOOTSTRAP):
        raise RocUsageError(f"--method must be bootstrap for a partial area, got {method!r}")
    return BOOTSTRAP


def _check_owners(method: str, options: dict[str, Any]) -> None:
    """Refuse options that the method would ignore, and a method that lacks its own."""
    owners = {"threshold": AT_A_THRESHOLD, "n_boot": BOOTSTRAP, "bootstrap": BOOTSTRAP}
    for name in options:
        if owners[name] != method:
            raise RocUsageError(
                f"{option_name(name)} belongs to --method {owners[name]}, got method {method!r}"
            )
    if method == AT_A_THRESHOLD and "threshold" not in options:
        raise RocUsageError(f"--method {AT_A_THRESHOLD} needs --threshold")


# ---- Areas of a classifier of several classes, one score column for each ----------------------------------

HEADERS = {"ovo": ("pair", "first", "second"), "ovr": ("class", "cases", "rest")}


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class AskedClasses:
    """The classes of the score columns, and how their areas are put together."""

    names: list[str]
    scores: Sequence[str]
    scheme: Any
    average: Any
    drop: bool

    @classmethod
    def read(
        cls,
        classes: str | None,
        scores: Sequence[str],
        *,
        scheme: str | None,
        average: str | None,
        drop: bool,
        pos_label: str | None,
    ) -> AskedClasses | None:
        """Return None where there are two classes, as always without --classes."""
        if classes is None:
            _refuse("needs --classes", scheme=scheme, average=average, drop_classes=drop or None)
            return None
        _refuse("must be left out with --classes", pos_label=pos_label)
        names = read_names(classes, "--classes")
        if len(names) != len(scores):
            got = f"got {len(names)} classes and {len(scores)} scores"
            raise RocUsageError(f"--classes must name the class of each --score, in their order, {got}")
        return cls(names=names, scores=scores, scheme=scheme or "ovo", average=average or "macro", drop=drop)


def _refuse(why: str, **given: Any) -> None:
    for name, value in given.items():
        if value is not None:
            raise RocUsageError(f"{option_name(name)} {why}")


def classes_answer(
    source: LocalFile, label: str, na: str, asked: AskedClasses, area: AskedArea
) -> tuple[Answer, MulticlassAuc]:
    """Read the columns, and put the areas into every form."""
    from rocscope import plotting

    area.check_nothing_special("with --classes")
    result = _areas(source, label, na, asked, area)
    answer = Answer(
        command="auc",
        source=describe(source) | area.draws.told,
        results=[result.to_dict()],
        rows=[*(_row_classes(row.label, row) for row in result.rows), _row_classes(_average(result), result)],
        blocks=[_table(result)],
        notes=[*_notes(result), *area.draws.notes],
        picture=lambda: plotting.picture(result),
    )
    return answer, result


def _areas(source: LocalFile, label: str, na: str, asked: AskedClasses, area: AskedArea) -> MulticlassAuc:
    from rocscope.inference.multiclass import multiclass_auc
    from rocscope.io.columns import label_like
    from rocscope.io.database import dropped_warning
    from rocscope.io.files import read_table, score_names

    scores = score_names(asked.scores, label)
    table = read_table(source, {label: "label", **dict.fromkeys(scores, "number")}, na=na)
    result = multiclass_auc(
        table.arrays[label],
        table.matrix(scores),
        classes=[label_like(name, table.profiles[label]) for name in asked.names],
        scheme=asked.scheme,
        average=asked.average,
        missing="drop" if asked.drop else "undefined",
        **area.how,
        **area.draws.options,
    )
    return dataclasses.replace(result, warnings=(*dropped_warning(table.dropped), *result.warnings))


def _average(result: MulticlassAuc) -> str:
    return f"{result.average} average"


def _table(result: MulticlassAuc) -> TextTable:
    first, *sizes = HEADERS[result.scheme]
    header = (first, f"AUC ({interval_name(result.level, result.alternative)})", *sizes)
    rows = [(row.label, _figures(row), *_sizes(row)) for row in result.rows]
    return TextTable(header, (*rows, (_average(result), _figures(result), "", "")))


def _sizes(row: PairArea | ClassArea) -> tuple[str, str]:
    names = ("n_first", "n_second") if hasattr(row, "n_first") else ("n_pos", "n_neg")
    return str(row[names[0]]), str(row[names[1]])


def _figures(row: Estimate) -> str:
    ends = interval_ends(row.low, row.high, row.alternative)
    return f"{number(row.value)} ({ends or 'no interval'})"


def _row_classes(name: str, row: Estimate) -> dict[str, Any]:
    return {"row": name} | {field: row[field] for field in COLUMNS}


def _notes(result: MulticlassAuc) -> list[str]:
    reason = undefined_words(result)
    return [*result.warnings, *([] if reason is None else [reason])]


def undefined_words(result: MulticlassAuc) -> str | None:
    """Why there is no average, in the words of the command."""
    return result.reason and result.reason.replace("missing='drop'", "--drop-classes")


# ---- What `rocscope auc` does within a limit of memory: it counts, and never holds all rows ---------------

# Methods that need more than the sums of the placements.
FROM_CURVE = ("bamber", AT_A_THRESHOLD)


def counted(source: LocalFile, asked: AskedArea, *, figure: bool, **columns: Any) -> Samples:
    """Exact sums of each score, and its curve where a method or the figure needs it."""
    from rocscope.io.large import curves_of_file, sums_of_file, vertex_at

    if not figure and asked.method not in FROM_CURVE:
        return {**sums_of_file(source, **columns)}
    threshold = asked.threshold
    keep = None if threshold is None else lambda stretch: [max(vertex_at(stretch, threshold), 0)]
    return {**curves_of_file(source, **columns, keep=keep)}


def counted_area(data: FileSums, asked: AskedArea) -> Estimate:
    """Area and interval from the counts."""
    from rocscope.inference.auc import auc_from_sums
    from rocscope.io.large import FileCurve

    counts: dict[str, Any] = {}
    if isinstance(data, FileCurve):
        counts = {"tied_pairs": data.tied_pairs, "errors": _errors(data, asked.threshold)}
    return auc_from_sums(data.sums, **counts, warnings=data.warnings, **asked.how)


def _errors(data: FileCurve, threshold: float | None) -> int | None:
    from rocscope.io.large import vertex_at

    if threshold is None:
        return None
    curve, vertex = data.curve, vertex_at(data.curve, threshold)
    return int(curve.fp[vertex] + curve.n_pos - curve.tp[vertex])
