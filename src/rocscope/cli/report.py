"""`rocscope report`: all that a table of scores can tell, or saved results, as one interactive HTML page."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from math import comb
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from rocscope.cli import options
from rocscope.cli.areas import split
from rocscope.cli.average import SEARCHED
from rocscope.cli.options import Draws, read_names
from rocscope.cli.ordinal import read_classes
from rocscope.cli.output import check_target, printable, say, tell, write_text
from rocscope.cli.reading import opened
from rocscope.errors import RocscopeError, RocUsageError, UndefinedError

if TYPE_CHECKING:
    from rocscope.averaging.roc import AveragedRoc
    from rocscope.binormal.fusion import FusionPreview
    from rocscope.core.scores import BinaryScores, ClassScores
    from rocscope.inference.point_measures import PointMeasures
    from rocscope.io.local import LocalFile, Watch

EXAMPLES = (
    "rocscope report scores.csv --label outcome --pos-label ill --score a --score b --out roc.html",
    'rocscope report scores.csv --label y --score s --fold fold --select "tpr>=0.9" --seed 1 --out roc.html',
    "rocscope report p.csv --label y --classes a,b,c --score pa --score pb --score pc --fold f --out r.html",
    "rocscope report grades.csv --label grade --score estimate --ordinal --out grades.html",
    "rocscope report areas.json comparison.json --out saved.html",
    "rocscope report scores.csv trained.json --label y --score s --out roc.html",
)
N_BOOT = 1000
PAGES = (".html", ".htm")


def report(
    files: Annotated[
        list[str],
        typer.Argument(
            metavar="FILE...",
            help="A table with named columns (CSV, Parquet, JSON lines; - for standard input), after which "
            "may come JSON files that commands wrote with --out or --json; without --label such files alone.",
        ),
    ],
    out: Annotated[str, typer.Option("--out", metavar="PATH", help="The page to write, .html.")],
    label: Annotated[
        str | None, typer.Option("--label", metavar="COLUMN", help="Column of the true classes.")
    ] = None,
    score: Annotated[
        list[str] | None,
        typer.Option("--score", metavar="COLUMN", help="Column of scores; may be repeated."),
    ] = None,
    fold: Annotated[
        str | None, typer.Option("--fold", metavar="COLUMN", help="Column that names the fold of every case.")
    ] = None,
    pos_label: options.PosLabel = None,
    classes: Annotated[
        str | None,
        typer.Option(
            "--classes",
            metavar="A,B,...",
            help="Several classes: that of each --score, in order; with --ordinal numbers, or LABEL=NUMBER.",
        ),
    ] = None,
    ordinal: Annotated[
        bool, typer.Option("--ordinal", help="The classes are ordered, the score estimates their number.")
    ] = False,
    select: Annotated[
        list[str] | None,
        typer.Option("--select", metavar="BOUND", help='Operating point: a bound such as "tpr>=0.9".'),
    ] = None,
    level: options.Level = 0.95,
    n_boot: Annotated[
        int | None,
        typer.Option("--n-boot", metavar="N", help=f"Bootstrap replicates; {N_BOOT} unless given."),
    ] = None,
    seed: options.Seed = None,
    title: Annotated[str | None, typer.Option("--title", help="Title of the page.")] = None,
    na: options.Na = "error",
    format: options.Format = None,
    memory_limit: options.MemoryLimit = None,
    temp_limit: options.TempLimit = None,
    force: options.Force = False,
) -> None:
    """Write one HTML page with curves, areas, tests and operating points, to be looked at in a browser.

    The page needs no network and no other file. Of two classes it shows every curve with its band and areas
    by all methods, the comparison of the scores, an operating point, binormal fits, the fusion of pairs of
    scores, and with --fold the averages over the folds. Bands of more than 20,000 cases are simultaneous
    ones, which need no bootstrap. What the data do not allow is left out; the page ends with what it does not
    show and which option would.

    No model is trained here: rocscope algorithms, bootstrap and average --model do that, and what they wrote
    with --out x.json is shown with picture and reading when x.json is given as a FILE.
    """
    from rocscope.reporting.contents import sections_of
    from rocscope.reporting.page import page_of
    from rocscope.reporting.saved import read_saved, saved_sections
    from rocscope.reporting.sections import read_items, warnings_of
    from rocscope.reporting.tables import plainly

    _check(files, out, label, score, force=force)
    beside = files if label is None else files[1:]
    saved = saved_sections([one for file in beside for one in read_saved(file)])
    if label is None:
        notes = list[str]()
        text = page_of(saved, title=title, made=f"From {_names(files)}.", missing=notes)
    else:
        draws = Draws.read(N_BOOT if n_boot is None else n_boot, seed, used=True)
        asked = AskedReport.read(
            label=label,
            scores=score or [],
            fold=fold,
            pos_label=pos_label,
            classes=classes,
            ordinal=ordinal,
            select=select or [],
            level=level,
            na=na,
            draws=draws,
        )
        with opened(files[0], format, memory_limit, temp_limit) as source:
            results, found = found_in(source, asked)
            if source.watch is not None:
                source.watch("the page", 1.0)
            made = f"From {_names([source.name, *beside])}, random numbers from seed {draws.seed}."
            items, missing = read_items(results, asked.select), found.told()
            known = len(missing)
            sections = [*sections_of(items, missing), *saved]
            text = page_of(sections, title=title, made=made, missing=missing)
        notes = [*found.notes, *missing[known:], *map(plainly, warnings_of(items, but=found.notes))]
        notes += draws.notes
    for note in dict.fromkeys(notes):
        tell(f"note: {printable(note)}")
    write_text(text, out, force=force)
    say(f"{printable(out)}: open it in a browser")


def _names(files: list[str]) -> str:
    """The files for the head of a page that others will read: where they lie is nobody's business."""
    return ", ".join(Path(file).name for file in files)


def _check(files: list[str], out: str, label: str | None, score: list[str] | None, *, force: bool) -> None:
    if Path(out).suffix.lower() not in PAGES:
        raise RocUsageError(f"--out must end in {' or '.join(PAGES)}, got {out!r}")
    if (label is None) != (not score):
        raise RocUsageError("a table needs --label and --score; saved results need neither")
    for file in files if label is None else files[1:]:
        if Path(file).suffix.lower() != ".json":
            raise RocUsageError(
                f"saved results must be .json files, got {file!r}; a table needs --label and --score"
            )
    check_target(out, force=force, unlike=files)


# ---- The results that `rocscope report` finds in a table, by the kind of classes it holds -----------------

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
        from rocscope.core import checks
        from rocscope.core.points import Constraint
        from rocscope.inference.resampling import check_n_boot

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
        from rocscope.reporting.contents import missing_line

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
        results = several_classes(source, asked, found)
    else:
        results = _two_classes(_binary_scores(source, asked), asked, found)
    if not results:
        raise UndefinedError(f"nothing can be shown: {'; '.join(found.notes)}")
    found.offers.append(TRAINED)
    return results, found


# ---- Two classes ------------------------------------------------------------------------------------------


def _binary_scores(source: LocalFile, asked: AskedReport) -> BinaryScores:
    from rocscope.io.files import read_scores

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
    from rocscope.inference.compare import compare_auc

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
    n = len(data.names)
    few = len(data.positive) <= BOOTSTRAPPED
    each = 3 + len(WITHOUT_CHANCE) + few + (0 if asked.fold is None else 2)
    return n * each + (n > 1) + (comb(min(n, TRIED), 2) if few else 0)


def _of_score(name: str, data: BinaryScores, asked: AskedReport, found: Found) -> list[Any]:
    from rocscope.binormal.fit import fit_binormal
    from rocscope.core.curve import curve_of
    from rocscope.inference.auc import auc
    from rocscope.inference.bands import roc_band
    from rocscope.inference.point_measures import point_measures

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
    from rocscope.averaging.roc import average_roc

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
    from rocscope.io.database import dropped_words
    from rocscope.io.files import read_table, score_names
    from rocscope.ordinal.roc import ordinal_roc

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


# ---- The results that `rocscope report` finds for three classes and more, with a score for each -----------

ALL_CASES = "all cases"  # the one fold of a table without folds


def several_classes(source: LocalFile, asked: AskedReport, found: Found) -> list[Any]:
    """Areas by pairs and by classes, and the errors of every class at weights that a search finds."""
    from rocscope.averaging.search import search_weights
    from rocscope.inference.multiclass import multiclass_auc

    data = _class_scores(source, asked, found)
    labels, results = [data.classes[k] for k in data.codes], list[Any]()
    found.steps = 5  # two kinds of areas, class weights, errors, the choice
    for scheme in ("ovo", "ovr"):
        how: dict[str, Any] = {"classes": data.classes, "scheme": scheme, "level": asked.level}
        results += found.tried(f"the areas ({scheme})", multiclass_auc, labels, data.scores, **how)
    weights = found.tried("class weights", search_weights, data, keep=POINTS, rng=asked.draws.seed)
    return [*results, *(one for rows in weights for one in _errors(data, rows, asked, found))]


def _errors(data: ClassScores, weights: Any, asked: AskedReport, found: Found) -> list[Any]:
    from rocscope.averaging.roc import average_roc

    if asked.fold is None:
        averages = found.tried("the errors of every class", _counted, data, weights)
        for roc in averages:  # chosen by the page itself; a note says where nothing meets the constraints
            found.tried("the choice on the classes", roc.select, *asked.select, forgiven=UndefinedError)
        return [_searched(roc) for roc in averages]
    averages = found.tried("the average", average_roc, data, points=weights)
    return [one for roc in averages for one in compared("the classes", _searched(roc), asked, found)]


def _searched(roc: AveragedRoc) -> AveragedRoc:
    """Say that the weights were chosen by these cases."""
    return dataclasses.replace(roc, warnings=(*roc.warnings, SEARCHED))


def _counted(data: ClassScores, weights: Any) -> AveragedRoc:
    """All cases as one fold: errors are shares of cases, which do not vary over folds."""
    from rocscope.averaging.class_weights import weighted_confusion
    from rocscope.averaging.points import read_measures
    from rocscope.averaging.roc import AveragedRoc

    return AveragedRoc.from_counts(
        weighted_confusion(data.codes, data.scores, weights),
        points=weights,
        kind="weights",
        measures=read_measures(None, data.classes),
        folds=(ALL_CASES,),
        classes=data.classes,
        test_over_train=0.0,
    )


def _class_scores(source: LocalFile, asked: AskedReport, found: Found) -> ClassScores:
    import numpy as np

    from rocscope.cli.models import labelled_table
    from rocscope.core.scores import ClassScores
    from rocscope.io.columns import label_like
    from rocscope.io.database import dropped_words
    from rocscope.io.files import score_names

    scores = score_names(list(asked.scores), asked.label)
    table = labelled_table(source, scores, label=asked.label, fold=asked.fold, na=asked.na)
    names = read_names(asked.classes or "", "--classes")
    found.notes += dropped_words(table.dropped)
    return ClassScores.from_arrays(
        table.arrays[asked.label],
        np.column_stack([table.arrays[name] for name in scores]),
        classes=[label_like(name, table.profiles[asked.label]) for name in names],
        fold=None if asked.fold is None else table.arrays[asked.fold],
    )


# ---- Fusion previews of a report: of every pair of a few scores, and of these the most promising ----------

TRIED = 6  # scores whose pairs are tried: those of the largest areas
SHOWN = 3  # pairs that are shown


def fusions(data: BinaryScores, found: Found, *, level: float) -> list[FusionPreview]:
    """The previews of those pairs from whose sum most is predicted to be gained."""
    from rocscope.binormal.fusion import preview_fusion

    pairs = list(combinations(_largest(data), 2))
    made: list[FusionPreview] = []
    for k, m in pairs:
        name = f"the fusion of {data.names[k]} and {data.names[m]}"
        made += found.tried(name, preview_fusion, _pair(data, k, m), level=level)
    _tell(found, len(made), len(data.names))
    kept = sorted(range(len(made)), key=lambda k: -_gain(made[k]))[:SHOWN]
    return [made[k] for k in kept]


def _largest(data: BinaryScores) -> list[int]:
    """Scores of the largest areas, in their own order."""
    from rocscope.core.curve import curve_of

    areas = [curve_of(data, k).auc for k in range(len(data.names))]
    return sorted(sorted(range(len(areas)), key=lambda k: -areas[k])[:TRIED])


def _pair(data: BinaryScores, k: int, m: int) -> BinaryScores:
    return dataclasses.replace(
        data, columns=(data.columns[k], data.columns[m]), names=(data.names[k], data.names[m])
    )


def _gain(preview: FusionPreview) -> float:
    """What the best weights are predicted to add to the better of the two; nothing where that is unknown."""
    best: Any = [preview.best(by).value for by in ("correlated", "independent")]
    predicted = next((value for value in best if value is not None), None)
    alone = [fit.auc for fit in (preview.first, preview.second) if fit.auc is not None]
    return predicted - max(alone) if predicted is not None and alone else 0.0


def _tell(found: Found, made: int, scores: int) -> None:
    if made > SHOWN or scores > TRIED:
        among = f" among the {TRIED} scores with the largest areas" if scores > TRIED else ""
        found.offers.append(
            f"Fusion of other pairs: of {made} pairs{among} the {min(made, SHOWN)} with the largest "
            "predicted gain are shown; rocscope fuse shows any pair."
        )
