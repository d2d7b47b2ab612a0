"""The results that `rocscope report` finds in a table, by the kind of classes it holds."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from rocscope.cli.areas import split
from rocscope.cli.ordinal import read_classes
from rocscope.cli.parse import Draws, read_names
from rocscope.errors import RocscopeError, RocUsageError, UndefinedError

if TYPE_CHECKING:
    from rocscope.average.averaged import AveragedRoc
    from rocscope.core.scores import BinaryScores, ClassScores
    from rocscope.sources.local import LocalFile

# Cases up to which bootstrap samples are drawn.
BOOTSTRAPPED = 20_000
SEARCHED = 100  # class weights that are shown
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
    """Results so far, and what the data did not allow."""

    notes: list[str] = field(default_factory=list)

    def tried(
        self,
        what: str,
        make: Callable[..., Any],
        *given: Any,
        forgiven: type[RocscopeError] = RocscopeError,
        **options: Any,
    ) -> list[Any]:
        """Return a result, or none with a note that says why; errors other than the forgiven are raised."""
        try:
            return [make(*given, **options)]
        except forgiven as error:
            self.notes.append(f"left out: {what}: {error}")
            return []


def found_in(source: LocalFile, asked: AskedReport) -> tuple[list[Any], list[str]]:
    """Read the table and return all results for `report`, with notes."""
    found = Found()
    if asked.ordinal:
        return _ordinal(source, asked), found.notes
    if asked.classes is not None:
        data, words = _class_scores(source, asked)
        found.notes += words
        return _several_classes(data, asked, found), found.notes
    return _two_classes(_binary_scores(source, asked), asked, found), found.notes


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
    from rocscope.binormal.fusion import preview_fusion

    found.notes += data.warnings
    results: list[Any] = [{name: _of_score(name, one, asked, found) for name, one in split(data).items()}]
    if len(data.names) > 1:
        scores = dict(zip(data.names, data.columns, strict=True))
        results += found.tried("the comparison", compare_auc, data.positive, scores, level=asked.level)
    if len(data.names) == 2 and len(data.positive) <= BOOTSTRAPPED:
        results += found.tried("the fusion", preview_fusion, data, level=asked.level)
    return results


def _of_score(name: str, data: BinaryScores, asked: AskedReport, found: Found) -> list[Any]:
    from rocscope.area.auc import auc
    from rocscope.area.band import roc_band
    from rocscope.area.point_measures import point_measures
    from rocscope.average.roc import average_roc
    from rocscope.binormal.fit import fit_binormal
    from rocscope.core.curve import curve_of

    few = len(data.positive) <= BOOTSTRAPPED
    chance, level = asked.draws.options, asked.level
    results: list[Any] = [curve_of(data)]
    results += found.tried(f"the band of {name}", roc_band, data, simultaneous=not few, level=level, **chance)
    for method in (*WITHOUT_CHANCE, *(["bootstrap"] if few else [])):
        drawn = chance if method == "bootstrap" else {}
        results += found.tried(f"the {method} area of {name}", auc, data, method=method, level=level, **drawn)
    results += found.tried(
        f"the point of {name}",
        point_measures,
        data,
        forgiven=UndefinedError,
        select=asked.select,
        level=level,
    )
    results += found.tried(f"the binormal fit of {name}", fit_binormal, data)
    if asked.fold is not None:
        averages = found.tried(f"the average of {name}", average_roc, data)
        results += [one for roc in averages for one in _compared(name, roc, asked, found)]
    return results


def _compared(name: str, roc: AveragedRoc, asked: AskedReport, found: Found) -> list[Any]:
    """The averaged points, compared with the chosen one where the folds allow it."""
    chosen = found.tried(f"the choice on {name}", roc.select, *asked.select, forgiven=UndefinedError)
    compared = [
        one
        for index in chosen
        for one in found.tried(f"the test between points of {name}", roc.compare_to, index, level=asked.level)
    ]
    return compared or [roc]


# ---- Several classes --------------------------------------------------------------------------------------


def _class_scores(source: LocalFile, asked: AskedReport) -> tuple[ClassScores, tuple[str, ...]]:
    import numpy as np

    from rocscope.cli.features import labelled_table
    from rocscope.core.scores import ClassScores
    from rocscope.sources.columns import label_like
    from rocscope.sources.files import score_names
    from rocscope.sources.profile import dropped_words

    scores = score_names(list(asked.scores), asked.label)
    table = labelled_table(source, scores, label=asked.label, fold=asked.fold, na=asked.na)
    names = read_names(asked.classes or "", "--classes")
    data = ClassScores.from_arrays(
        table.arrays[asked.label],
        np.column_stack([table.arrays[name] for name in scores]),
        classes=[label_like(name, table.profiles[asked.label]) for name in names],
        fold=None if asked.fold is None else table.arrays[asked.fold],
    )
    return data, dropped_words(table.dropped)


def _several_classes(data: ClassScores, asked: AskedReport, found: Found) -> list[Any]:
    from rocscope.area.multiclass import multiclass_auc
    from rocscope.average.roc import average_roc
    from rocscope.average.search import search_weights

    labels, results = [data.classes[k] for k in data.codes], list[Any]()
    for scheme in ("ovo", "ovr"):
        how: dict[str, Any] = {"classes": data.classes, "scheme": scheme, "level": asked.level}
        results += found.tried(f"the areas ({scheme})", multiclass_auc, labels, data.scores, **how)
    if asked.fold is None:
        return results
    weights = search_weights(data, keep=SEARCHED, rng=asked.draws.seed)
    averages = found.tried("the average", average_roc, data, points=weights)
    return [*results, *(one for roc in averages for one in _compared("the classes", roc, asked, found))]


def _ordinal(source: LocalFile, asked: AskedReport) -> list[Any]:
    from rocscope.ordinal.roc import ordinal_roc
    from rocscope.sources.files import read_table, score_names

    (score,) = score_names(list(asked.scores), asked.label)
    folds = {} if asked.fold is None else {asked.fold: "label"}
    columns: Any = {asked.label: "label"} | folds | {score: "number"}
    table = read_table(source, columns, na=asked.na)
    few = len(table.arrays[score]) <= BOOTSTRAPPED
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
