"""The results that `rocscope report` finds in a table, by the kind of classes it holds."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from math import comb
from typing import TYPE_CHECKING, Any

from rocscope.cli.areas import split
from rocscope.cli.ordinal import read_classes
from rocscope.cli.parse import Draws, read_names
from rocscope.errors import RocscopeError, RocUsageError, UndefinedError

if TYPE_CHECKING:
    from rocscope.area.point_measures import PointMeasures
    from rocscope.average.averaged import AveragedRoc
    from rocscope.core.scores import BinaryScores
    from rocscope.sources.local import LocalFile, Watch

# Cases up to which bootstrap samples are drawn.
BOOTSTRAPPED = 20_000
POINTS = 100  # operating points that are averaged
# What is not in a page, and how it could be.
WITHOUT_FOLDS = {
    "two": "Averages over folds and points that cannot be told apart: --fold COLUMN, the fold of every case.",
    "several": "Standard deviations over folds and tests between operating points: --fold COLUMN, the fold "
    "of every case.",
    "ordinal": "Means and standard deviations over folds: --fold COLUMN, the fold of every case.",
}
ONE_SCORE = "Comparison and fusion of scores: a second --score COLUMN."
MANY_CASES = (
    f"Bootstrap intervals and fusion, which are not made of more than {BOOTSTRAPPED:,} cases: rocscope auc "
    "--method bootstrap, rocscope fuse."
)
TRAINED = (
    "Learning algorithms and bootstrap estimates, for which models are trained: rocscope algorithms and "
    "rocscope bootstrap with --out FILE.json, and that file given to rocscope report after the table."
)
WITHOUT_CHANCE = ("delong", "logit", "hanley-mcneil", "bamber", "agarwal")


@dataclass(frozen=True, slots=True, kw_only=True)
class AskedReport:
    """What is in the table, and how it shall be judged."""

    label: str
    scores: Sequence[str]
    fold: str | None
    pos_label: str | None
    classes: str | None
    ordinal: bool
    select: Sequence[str]
    level: float
    na: str
    draws: Draws

    @property
    def kind(self) -> str:
        """What the classes are: "two", "several", or "ordinal"."""
        return "ordinal" if self.ordinal else "two" if self.classes is None else "several"

    @classmethod
    def read(cls, **options: Any) -> AskedReport:
        """Check that the options belong together, before a long file is read."""
        from rocscope.area.resampled import check_n_boot
        from rocscope.core import checks
        from rocscope.core.points import Constraint

        asked = cls(**options)
        checks.check_level(asked.level)
        check_n_boot(asked.draws.n_boot)
        for bound in asked.select:
            Constraint.parse(bound)
        if asked.ordinal and len(asked.scores) != 1:
            raise RocUsageError(f"--ordinal needs one --score, got {len(asked.scores)}")
        if (asked.ordinal or asked.classes) and asked.pos_label is not None:
            raise RocUsageError("--pos-label belongs to two classes")
        if asked.ordinal and asked.select:
            raise RocUsageError("--select must be left out with --ordinal")
        if asked.classes and not asked.ordinal:
            _check_classes(asked.classes, asked.scores)
        return asked


def _check_classes(classes: str, scores: Sequence[str]) -> None:
    names = read_names(classes, "--classes")
    if len(names) != len(scores):
        got = f"got {len(names)} classes and {len(scores)} scores"
        raise RocUsageError(f"--classes must name the class of each --score, in their order, {got}")


@dataclass(slots=True)
class Found:
    """What the data did not allow, and what further options would show.

    `watch` hears how many of the expected steps are done.
    """

    notes: list[str] = field(default_factory=list)
    offers: list[str] = field(default_factory=list)
    watch: Watch | None = None
    steps: int = 1
    done: int = 0

    def told(self) -> list[str]:
        """What the page says at its end: what was left out, and what could be had."""
        return [*self.notes, *self.offers]

    def tried(
        self,
        what: str,
        make: Callable[..., Any],
        *given: Any,
        forgiven: type[RocscopeError] = RocscopeError,
        **options: Any,
    ) -> list[Any]:
        """Return a result, or none with a note that says why.

        Errors of ours other than the forgiven are raised: they are about the request. A fault in one method
        costs no other one.
        """
        from rocscope.report.contents import missing_line

        self._tell(what)
        try:
            return [make(*given, **options)]
        except RocscopeError as error:
            if not isinstance(error, forgiven):
                raise
            self.notes.append(missing_line(what, error))
        except Exception as error:
            self.notes.append(missing_line(what, error))
        finally:
            self.done += 1
        return []

    def _tell(self, what: str) -> None:
        if self.watch is not None:
            self.watch(what, min(1.0, self.done / self.steps))


def found_in(source: LocalFile, asked: AskedReport) -> tuple[list[Any], Found]:
    """Read the table and return all results for `report`, with what there is to say about them."""
    found = Found(watch=source.watch)
    if asked.fold is None:
        found.offers.append(WITHOUT_FOLDS[asked.kind])
    if asked.ordinal:
        results = _ordinal(source, asked, found)
    elif asked.classes is not None:
        from rocscope.cli.reported_classes import several_classes

        results = several_classes(source, asked, found)
    else:
        results = _two_classes(_binary_scores(source, asked), asked, found)
    if not results:
        raise UndefinedError(f"nothing can be shown: {'; '.join(found.notes)}")
    found.offers.append(TRAINED)
    return results, found


# ---- Two classes ------------------------------------------------------------------------------------------


def _binary_scores(source: LocalFile, asked: AskedReport) -> BinaryScores:
    from rocscope.sources.files import read_scores

    data: BinaryScores = read_scores(
        source,
        label=asked.label,
        score=list(asked.scores),
        fold=asked.fold,
        pos_label=asked.pos_label,
        na=asked.na,
    )
    return data


def _two_classes(data: BinaryScores, asked: AskedReport, found: Found) -> list[Any]:
    """Everything of each score, then what is said of several."""
    from rocscope.area.compare import compare_auc
    from rocscope.cli.reported_fusion import fusions

    found.notes += data.warnings
    found.steps = _steps(data, asked)
    results: list[Any] = [{name: _of_score(name, one, asked, found) for name, one in split(data).items()}]
    if len(data.names) > 1:
        scores = dict(zip(data.names, data.columns, strict=True))
        results += found.tried("the comparison", compare_auc, data.positive, scores, level=asked.level)
    else:
        found.offers.append(ONE_SCORE)
    if len(data.positive) > BOOTSTRAPPED:
        found.offers.append(MANY_CASES)
    elif len(data.names) > 1:
        results += fusions(data, found, level=asked.level)
    return results


def _steps(data: BinaryScores, asked: AskedReport) -> int:
    """How many results will be tried: of each score a band, its areas, a point and a fit, with folds two."""
    from rocscope.cli.reported_fusion import TRIED

    n = len(data.names)
    few = len(data.positive) <= BOOTSTRAPPED
    each = 3 + len(WITHOUT_CHANCE) + few + (0 if asked.fold is None else 2)
    return n * each + (n > 1) + (comb(min(n, TRIED), 2) if few else 0)


def _of_score(name: str, data: BinaryScores, asked: AskedReport, found: Found) -> list[Any]:
    from rocscope.area.auc import auc
    from rocscope.area.band import roc_band
    from rocscope.area.point_measures import point_measures
    from rocscope.binormal.fit import fit_binormal
    from rocscope.core.curve import curve_of

    few = len(data.positive) <= BOOTSTRAPPED
    chance, level = asked.draws.options, asked.level
    results: list[Any] = [curve_of(data)]
    results += found.tried(f"the band of {name}", roc_band, data, simultaneous=not few, level=level, **chance)
    for method in (*WITHOUT_CHANCE, *(["bootstrap"] if few else [])):
        drawn = chance if method == "bootstrap" else {}
        results += found.tried(f"the {method} area of {name}", auc, data, method=method, level=level, **drawn)
    points = found.tried(
        f"the point of {name}",
        point_measures,
        data,
        forgiven=UndefinedError,
        select=asked.select,
        level=level,
    )
    results += points
    results += found.tried(f"the binormal fit of {name}", fit_binormal, data)
    if asked.fold is not None:
        averages = found.tried(f"the average of {name}", _average, data, points)
        results += [one for roc in averages for one in compared(name, roc, asked, found, points)]
    return results


def _average(data: BinaryScores, points: Sequence[PointMeasures]) -> AveragedRoc:
    """Average over the folds at many thresholds, among them the one that the page speaks of."""
    from rocscope.average.roc import average_roc

    roc = average_roc(data, points=POINTS)
    known = roc.points.tolist()
    further = [point.threshold for point in points if _decides(point) and point.threshold not in known]
    return average_roc(data, points=sorted([*known, *further], reverse=True)) if further else roc


def _decides(point: PointMeasures) -> bool:
    """Whether a point calls some cases positive: a threshold above all scores is none of the scores."""
    return point.tp + point.fp > 0


def compared(
    name: str,
    roc: AveragedRoc,
    asked: AskedReport,
    found: Found,
    points: Sequence[PointMeasures] = (),
) -> list[Any]:
    """The averaged points, compared with the one of the page, or the best, where the folds allow it."""
    known = [] if roc.thresholds is None else roc.thresholds.tolist()
    chosen = [known.index(point.threshold) for point in points if point.threshold in known]
    if not chosen:
        chosen = found.tried(f"the choice on {name}", roc.select, *asked.select, forgiven=UndefinedError)
    tested = [
        one
        for index in chosen
        for one in found.tried(f"the test between points of {name}", roc.compare_to, index, level=asked.level)
    ]
    return tested or [roc]


# ---- Ordered classes --------------------------------------------------------------------------------------


def _ordinal(source: LocalFile, asked: AskedReport, found: Found) -> list[Any]:
    from rocscope.ordinal.roc import ordinal_roc
    from rocscope.sources.files import read_table, score_names
    from rocscope.sources.profile import dropped_words

    (score,) = score_names(list(asked.scores), asked.label)
    folds = {} if asked.fold is None else {asked.fold: "label"}
    columns: Any = {asked.label: "label"} | folds | {score: "number"}
    table = read_table(source, columns, na=asked.na)
    few = len(table.arrays[score]) <= BOOTSTRAPPED
    found.notes += dropped_words(table.dropped)
    return [
        ordinal_roc(
            table.arrays[asked.label],
            table.arrays[score],
            classes=read_classes(asked.classes),
            fold=None if asked.fold is None else table.arrays[asked.fold],
            level=asked.level,
            n_boot=asked.draws.n_boot if few else 0,
            rng=asked.draws.seed,
        )
    ]
