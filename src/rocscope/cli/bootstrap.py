"""`rocscope bootstrap`: AUC and error of a model trained on one small data set, without a test set."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from rocscope.cli import options
from rocscope.cli.options import Draws, in_options, read_cost
from rocscope.cli.output import (
    Answer,
    Output,
    TextTable,
    describe,
    interval_ends,
    interval_name,
    number,
    rows_of,
)
from rocscope.cli.reading import opened
from rocscope.errors import PartlyFailedError, RocUsageError, UndefinedError

if TYPE_CHECKING:
    from rocscope.bootstrap.estimates import BootstrapAuc, BootstrapEstimate
    from rocscope.io.local import LocalFile

EXAMPLES = (
    "rocscope bootstrap data.csv --label y --model lda",
    "rocscope bootstrap data.csv --label y --pos-label ill --model qda --n-boot 1000 --seed 1",
    "rocscope bootstrap data.csv --label y --model logistic --feature age --feature dose --out auc.png",
    "rocscope bootstrap data.csv --label y --model knn --cost 5 --prevalence 0.1 --json",
)
N_BOOT = 500
# Estimates that never have a standard error.
WITHOUT_SE = ("apparent", "kfold", "leave_one_out")


def bootstrap(
    file: options.File,
    label: options.Label,
    model: Annotated[
        str,
        typer.Option(
            "--model",
            metavar="NAME",
            help="What to train: lda, qda, logistic, nb, knn, tree, or a dotted path to a classifier.",
        ),
    ],
    feature: options.Features = None,
    pos_label: options.PosLabel = None,
    n_boot: Annotated[int, typer.Option("--n-boot", metavar="N", help="Bootstrap replicates.")] = N_BOOT,
    unstratified: Annotated[
        bool, typer.Option("--unstratified", help="Draw from all cases together, not class by class.")
    ] = False,
    folds: Annotated[
        int | None,
        typer.Option("--folds", metavar="N", help="Folds of the cross-validation; 10 unless given."),
    ] = None,
    leave_one_out: Annotated[
        bool | None,
        typer.Option(
            "--leave-one-out/--no-leave-one-out",
            help="Leave out every case by itself as well; unless given, where it is no more work.",
        ),
    ] = None,
    rule: Annotated[
        Literal["yousef", "efron-tibshirani"],
        typer.Option("--rule", help="Overfitting rate of .632+ where AUC(*) is below chance: 0, or 1."),
    ] = "yousef",
    cost: Annotated[
        str | None,
        typer.Option("--cost", metavar="FN | FP,FN", help="Cost of a false negative; of a false positive 1."),
    ] = None,
    prevalence: Annotated[
        float | None, typer.Option("--prevalence", help="Share of positives where the model is used.")
    ] = None,
    level: options.Level = 0.95,
    n_jobs: options.NJobs = None,
    timeout: options.Timeout = None,
    seed: options.Seed = None,
    na: options.Na = "error",
    format: options.Format = None,
    temp_limit: options.TempLimit = None,
    json: options.Json = False,
    out: options.Out = None,
    force: options.Force = False,
) -> None:
    """Estimate the AUC and the error rate of a model trained on these cases, by the bootstrap.

    Every replicate draws as many cases as there are, trains the model on them and tests it on those left out.
    Given are leave-pair-out, AUC(*), .632 and .632+ with standard errors, the same for the error rate, and
    cross-validation for comparison. The column mc tells what more replicates would change.

    A dotted path is imported, which runs the code behind it.
    """
    from rocscope.cli.average import AskedScores
    from rocscope.cli.models import DETECTOR

    if model == DETECTOR:
        raise RocUsageError(f"--model {DETECTOR} knows no classes: a classifier is needed here")
    asked = AskedScores.read(
        label=label,
        scores=None,
        classes=None,
        fold=None,
        pos_label=pos_label,
        model=model,
        features=feature,
        folds=None,
        target=None,
        n_jobs=n_jobs,
        timeout=timeout,
        na=na,
    )
    draws, output, costs = Draws.read(None, seed, used=True), Output(json, out, force), read_cost(cost)
    output.check(file)
    how = {
        "n_boot": n_boot,
        "stratify": not unstratified,
        "cv": folds,
        "leave_one_out": leave_one_out,
        "rule": rule,
        "cost": costs,
        "prevalence": prevalence,
        "level": level,
        "rng": draws.seed,
    }
    with opened(file, format, temp_limit=temp_limit) as source:
        described = describe(source)  # first: training takes long, and the file may change by then
        result, notes = _estimated(source, asked, how)
    spoken = {"n_boot": n_boot, "leave_one_out": leave_one_out, "rule": rule}
    output.deliver(
        Answer(
            command="bootstrap",
            source=described | {"model": model} | draws.told,
            results=[result.to_dict()],
            rows=rows_of(result),
            blocks=_blocks(result),
            notes=[*notes, *(in_options(note, spoken) for note in _notes(result)), *draws.notes],
            picture=lambda: _picture(result),
        )
    )
    _raise_if_incomplete(result)


def _estimated(source: LocalFile, asked: Any, how: Mapping[str, Any]) -> tuple[BootstrapAuc, tuple[str, ...]]:
    from rocscope.bootstrap.estimates import bootstrap_auc
    from rocscope.cli.models import make_model, read_cases, training_processes, training_progress
    from rocscope.io.columns import label_like

    model = make_model(asked.model)
    cases = read_cases(source, label=asked.label, features=asked.features, na=asked.na)
    with training_processes(asked.n_jobs, asked.timeout) as processes:
        result = bootstrap_auc(
            model,
            cases.X,
            cases.y,
            pos_label=label_like(asked.pos_label, cases.labels),
            progress=training_progress(source.watch),
            **processes,
            **how,
        )
    return result, cases.notes


def _families(result: BootstrapAuc) -> dict[str, dict[str, BootstrapEstimate]]:
    """The tables: of the AUC, of the error rate, and of a loss that was asked for."""
    families = {"AUC": result.estimates(), "error rate": result.error.estimates()}
    if result.loss != result.error:
        families["expected loss"] = result.loss.estimates()
    return families


def _blocks(result: BootstrapAuc) -> list[str | TextTable]:
    drawn = "class by class" if result.stratify else "from all cases"
    negative, positive = result.classes
    blocks: list[str | TextTable] = [
        f"{result.n_pos} cases of {positive}, {result.n_neg} of {negative}; {result.n_boot} replicates drawn "
        f"{drawn}, {result.redrawn} of them drawn again"
    ]
    for what, estimates in _families(result).items():
        level = next(iter(estimates.values())).level
        header = ("estimate", what, "se", interval_name(level, "two-sided"), "mc")
        blocks += ["", TextTable(header, tuple(_line(what, row) for row in estimates.values()))]
    return blocks


def _line(what: str, row: BootstrapEstimate) -> tuple[str, ...]:
    name = row.name.removesuffix(what).strip()
    se, mc = ("" if figure is None else number(figure) for figure in (row.se, row.mc_error))
    return name, number(row.value), se, interval_ends(row.low, row.high), mc


def _notes(result: BootstrapAuc) -> list[str]:
    """Warnings of the result and of its estimates; a reason that several share is told once."""
    notes, reasons = list(result.warnings), dict[str | None, str]()
    for estimates in _families(result).values():
        for key, row in estimates.items():
            notes += [f"{row.name}: {warning}" for warning in row.warnings]
            if row.status == "undefined":
                reasons.setdefault(row.reason, f"{row.name} undefined")
            elif row.status == "partial" and key not in WITHOUT_SE:
                reasons.setdefault(row.reason, f"{row.name} without a standard error")
    return [*notes, *(f"{words}: {reason}" for reason, words in reasons.items())]


def _picture(result: BootstrapAuc) -> Any:
    from rocscope import plotting

    return plotting.picture(result, show="all")


def _raise_if_incomplete(result: BootstrapAuc) -> None:
    if result.star.value is None:
        raise UndefinedError(f"no estimate of the AUC: {result.star.reason}")
    if result.failed:
        total = result.failed + result.n_boot
        raise PartlyFailedError(
            f"{result.failed} of {total} replicates failed; the estimates rest on the others"
        )
