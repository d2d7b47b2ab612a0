"""Scores with folds for `rocscope average`: read from a file, or made by a model from its features."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from rocscope.cli.features import labelled_table, read_cases, training_processes, training_progress
from rocscope.cli.models import DETECTOR, check_model, make_model
from rocscope.cli.parse import read_names
from rocscope.cli.wording import option_name
from rocscope.errors import RocUsageError

if TYPE_CHECKING:
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
    n_jobs: int | None
    timeout: float | None
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
        n_jobs: int | None,
        timeout: float | None,
        **plain: Any,
    ) -> AskedScores:
        """Check that the options belong together."""
        if (model is None) == (not scores):
            raise RocUsageError("one of --score and --model must be given, and not both")
        if model is None:
            trained = {"folds": folds, "target": target, "n_jobs": n_jobs, "timeout": timeout}
            _refuse("belongs to --model", feature=features, **trained)
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
            n_jobs=n_jobs,
            timeout=timeout,
            **plain,
        )


def _refuse(why: str, **given: Any) -> None:
    for name, value in given.items():
        if value is not None and value != []:
            raise RocUsageError(f"{option_name(name)} {why}")


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
    from rocscope.core.scores import ClassScores
    from rocscope.sources.columns import label_like
    from rocscope.sources.files import score_names
    from rocscope.sources.profile import dropped_words

    scores = score_names(list(asked.scores), asked.label)
    table = labelled_table(source, scores, label=asked.label, fold=asked.fold, na=asked.na)
    data = ClassScores.from_arrays(
        table.arrays[asked.label],
        table.matrix(asked.scores),
        classes=[label_like(name, table.profiles[asked.label]) for name in asked.classes],
        fold=table.arrays[asked.fold or ""],
    )
    return data, dropped_words(table.dropped)


def _modelled(source: LocalFile, asked: AskedScores, seed: int | None) -> tuple[Any, tuple[str, ...]]:
    from rocscope.sources.columns import label_like
    from rocscope.sources.estimators import cross_scores

    model = make_model(asked.model or "")
    cases = read_cases(source, label=asked.label, features=asked.features, fold=asked.fold, na=asked.na)
    with training_processes(asked.n_jobs, asked.timeout) as processes:
        scores = cross_scores(
            model,
            cases.X,
            cases.y,
            cv=asked.folds if cases.fold is None else cases.fold,
            target=label_like(asked.target, cases.labels),
            pos_label=label_like(asked.pos_label, cases.labels),
            rng=seed,
            progress=training_progress(source.watch),
            **processes,
        )
    return scores, cases.notes
