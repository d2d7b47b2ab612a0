"""Scores with folds for `rocscope average`: read from a file, or made by a model from its features."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from rocscope.cli.models import DETECTOR, check_model, make_model
from rocscope.cli.parse import read_names
from rocscope.errors import RocInputError, RocUsageError

if TYPE_CHECKING:
    from rocscope.core.execute import Progress
    from rocscope.sources.files import Table
    from rocscope.sources.local import LocalFile

FOLDS = 10


@dataclass(frozen=True, slots=True, kw_only=True)
class AskedScores:
    """Where the scores come from: columns of the file, or a model that is trained in every fold."""

    label: str
    scores: tuple[str, ...]
    classes: tuple[str, ...]
    fold: str | None
    pos_label: str | None
    model: str | None
    features: tuple[str, ...]
    folds: int
    target: str | None
    jobs: int | None
    na: str

    @classmethod
    def read(
        cls,
        *,
        scores: Sequence[str] | None,
        classes: str | None,
        fold: str | None,
        model: str | None,
        features: Sequence[str] | None,
        folds: int | None,
        target: str | None,
        jobs: int | None,
        **plain: Any,
    ) -> AskedScores:
        """Check that the options belong together."""
        if (model is None) == (not scores):
            raise RocUsageError("one of --score and --model must be given, and not both")
        if model is None:
            _refuse("belongs to --model", feature=features, folds=folds, target=target, jobs=jobs)
            if fold is None:
                raise RocUsageError("--score needs --fold, the column that names the fold of every case")
        else:
            _check_model(model, classes=classes, fold=fold, folds=folds, target=target)
        return cls(
            scores=tuple(scores or ()),
            classes=_classes(classes, scores or (), plain["pos_label"]),
            fold=fold,
            model=model,
            features=tuple(features or ()),
            folds=FOLDS if folds is None else folds,
            target=target,
            jobs=jobs,
            **plain,
        )


def _refuse(why: str, **given: Any) -> None:
    for name, value in given.items():
        if value:
            raise RocUsageError(f"--{name.replace('_', '-')} {why}")


def _check_model(
    model: str, *, classes: str | None, fold: str | None, folds: int | None, target: str | None
) -> None:
    check_model(model)
    _refuse("belongs to --score", classes=classes)
    if fold is not None:
        _refuse("must be left out with --fold", folds=folds)
    if model == DETECTOR and target is None:
        raise RocUsageError(f"--model {DETECTOR} needs --target, the class that it is trained on")


def _classes(classes: str | None, scores: Sequence[str], pos_label: str | None) -> tuple[str, ...]:
    if classes is None:
        if len(scores) > 1:
            raise RocUsageError("several --score need --classes, the class of each in their order")
        return ()
    names = read_names(classes, "--classes")
    _refuse("must be left out with --classes", pos_label=pos_label)
    if len(names) != len(scores):
        got = f"got {len(names)} classes and {len(scores)} scores"
        raise RocUsageError(f"--classes must name the class of each --score, in their order, {got}")
    return tuple(names)


def folded_scores(source: LocalFile, asked: AskedScores, seed: int | None) -> tuple[Any, tuple[str, ...]]:
    """Read or make the scores, for `average_roc`; and what there is to note."""
    if asked.model is not None:
        return _modelled(source, asked, seed)
    if asked.classes:
        return _class_scores(source, asked)
    from rocscope.sources.files import read_scores

    data = read_scores(
        source,
        label=asked.label,
        score=list(asked.scores),
        fold=asked.fold,
        pos_label=asked.pos_label,
        na=asked.na,
    )
    return data, ()


def _class_scores(source: LocalFile, asked: AskedScores) -> tuple[Any, tuple[str, ...]]:
    import numpy as np

    from rocscope.core.scores import ClassScores
    from rocscope.sources.columns import label_like
    from rocscope.sources.files import score_names
    from rocscope.sources.profile import dropped_words

    table = _table(source, asked, score_names(list(asked.scores), asked.label))
    data = ClassScores.from_arrays(
        table.arrays[asked.label],
        np.column_stack([table.arrays[name] for name in asked.scores]),
        classes=[label_like(name, table.profiles[asked.label]) for name in asked.classes],
        fold=table.arrays[asked.fold or ""],
    )
    return data, dropped_words(table.dropped)


def _modelled(source: LocalFile, asked: AskedScores, seed: int | None) -> tuple[Any, tuple[str, ...]]:
    import numpy as np

    from rocscope.sources.columns import label_like
    from rocscope.sources.estimators import cross_scores
    from rocscope.sources.profile import dropped_words

    model = make_model(asked.model or "")
    features, notes = _features(source, asked)
    table = _table(source, asked, features)
    labels = table.profiles[asked.label]
    scores = cross_scores(
        model,
        np.column_stack([table.arrays[name] for name in features]).astype(np.float64),
        table.arrays[asked.label],
        cv=asked.folds if asked.fold is None else table.arrays[asked.fold],
        target=label_like(asked.target, labels),
        pos_label=label_like(asked.pos_label, labels),
        rng=seed,
        n_jobs=asked.jobs,
        progress=_progress(source),
    )
    return scores, (*notes, *dropped_words(table.dropped))


def _progress(source: LocalFile) -> Progress | None:
    watch = source.watch
    return None if watch is None else lambda done, total: watch("training", done / total)


def _table(source: LocalFile, asked: AskedScores, columns: Sequence[str]) -> Table:
    from rocscope.sources.files import read_table

    if asked.fold in (asked.label, *columns):
        raise RocUsageError(f"--fold must be a column of its own, got {asked.fold!r}")
    folds = {} if asked.fold is None else {asked.fold: "label"}
    return read_table(
        source,
        {asked.label: "label", **folds, **dict.fromkeys(columns, "number")},  # type: ignore[dict-item]
        na=asked.na,
    )


def _features(source: LocalFile, asked: AskedScores) -> tuple[list[str], tuple[str, ...]]:
    """Features as they were given, or all columns of numbers but label and fold."""
    if asked.features:
        if asked.label in asked.features or len(set(asked.features)) < len(asked.features):
            raise RocUsageError("--feature must name other columns than the label, each once")
        return list(asked.features), ()
    names, numbers = _number_columns(source, leave=(asked.label, asked.fold))
    if not numbers:
        raise RocInputError(f"{source.shown} must have a column of numbers besides the label, got none")
    others = [name for name in names if name not in numbers]
    return numbers, ((f"left out as no numbers: {', '.join(others)}",) if others else ())


def _number_columns(source: LocalFile, leave: tuple[str | None, ...]) -> tuple[list[str], list[str]]:
    """All named columns but these, and those among them whose cells are numbers, at least one of them."""
    from rocscope.sources.files import open_source
    from rocscope.sources.limits import Limits

    with open_source(source, [], Limits()) as table:
        names = [name for name in table.names if name and name not in leave]
    with open_source(source, names, Limits()) as table:
        counts = {"n": "count(*)"}
        for k, column in enumerate(table.columns(dict.fromkeys(names, "number"))):
            counts |= {f"{key}_{k}": column.counts()[key] for key in ("wrong", "missing")}
        found = table.query_one(counts)
    places = range(len(names))
    return names, [names[k] for k in places if not found[f"wrong_{k}"] and found[f"missing_{k}"] < found["n"]]
