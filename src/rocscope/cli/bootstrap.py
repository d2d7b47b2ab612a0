"""`rocscope bootstrap` and `learning-curve`: AUC of models trained on one data set, without a test set."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Literal

from cyclopts import Parameter

import rocscope as rs
from rocscope.cli import models
from rocscope.cli import options as opt
from rocscope.cli import output as out
from rocscope.core import formatting
from rocscope.errors import PartlyFailedError, RocUsageError, UndefinedError

if TYPE_CHECKING:
    from rocscope.bootstrap.families import BootstrapEstimate

# Estimates that never have a standard error.
WITHOUT_SE = ("apparent", "kfold", "leave_one_out")


def bootstrap(
    file: opt.File,
    /,
    *,
    source: opt.Labelled,
    model: Annotated[str, Parameter(metavar="NAME")],
    feature: opt.Features | None = None,
    pos_label: opt.PosLabel | None = None,
    n_boot: opt.Count = 500,
    unstratified: opt.Flag = False,
    folds: opt.Count | None = None,
    leave_one_out: Annotated[bool, Parameter(negative="--no-leave-one-out")] | None = None,
    rule: Literal["yousef", "efron-tibshirani"] = "yousef",
    cost: opt.Cost | None = None,
    prevalence: opt.Prevalence | None = None,
    level: opt.Level = 0.95,
    training: models.Training = models.Training(),
    seed: opt.Seed | None = None,
    output: out.Output = out.Output(),
) -> None:
    """Estimate the AUC and the error rate of a model trained on these cases, by the bootstrap.

    Every replicate draws as many cases as there are, trains the model on them and tests it on those left out.
    Given are leave-pair-out, AUC(*), .632 and .632+ with standard errors, the same for the error rate, and
    cross-validation for comparison. The column mc is the Monte-Carlo error, which more replicates reduce.

    A dotted path is imported, which runs the code behind it.

    Parameters
    ----------
    model
        What to train: lda, qda, logistic, nb, knn, tree, or a dotted path to a classifier.
    n_boot
        Bootstrap replicates.
    unstratified
        Draw from all cases together, not class by class.
    folds
        Folds of the cross-validation; 10 unless given.
    leave_one_out
        Leave out every case by itself as well; unless given, where it is no more work.
    rule
        Overfitting rate of .632+ where AUC(*) is below chance: 0 (yousef), or 1.

    Examples
    --------
    rocscope bootstrap data.csv --label y --model lda
    rocscope bootstrap data.csv --label y --pos-label ill --model qda --n-boot 1000 --seed 1
    rocscope bootstrap data.csv --label y --model logistic --feature age --feature dose --out auc.png
    rocscope bootstrap data.csv --label y --model knn --cost 5 --prevalence 0.1 --json
    """
    from rocscope.io.columns import label_like

    models.check_model(model, detector=False)
    draws = opt.Draws.read(seed)
    output.check(file)
    with source.open(file) as opened:
        described = out.describe(opened)  # first: training takes long, and the file may change by then
        estimator = models.make_model(model)
        cases = models.read_cases(opened, source, feature)
        with training.processes(opened.watch) as processes:
            result = rs.bootstrap_auc(
                estimator,
                cases.X,
                cases.y,
                pos_label=label_like(pos_label, cases.labels),
                n_boot=n_boot,
                stratify=not unstratified,
                cv=folds,
                leave_one_out=leave_one_out,
                rule=rule,
                cost=cost,
                prevalence=prevalence,
                level=level,
                rng=draws.seed,
                **processes,
            )
    families = {"AUC": result.estimates(), "error rate": result.error.estimates()}
    if result.loss != result.error:
        families["expected loss"] = result.loss.estimates()
    output.deliver(
        out.CommandResult(
            command="bootstrap",
            input=described | {"model": model} | draws.input,
            results=lambda: [result.to_dict()],
            rows=lambda: out.rows_of(result),
            blocks=lambda: _blocks(result, families),
            notes=[*cases.notes, *_notes(result, families), *_validity_notes(result), *draws.notes],
            picture=out.picture_of(result, show="all"),
        )
    )
    if result.star.value is None:
        raise UndefinedError(f"no estimate of the AUC: {result.star.reason}")
    if result.failed:
        total = result.failed + result.n_boot
        raise PartlyFailedError(
            f"{result.failed} of {total} replicates failed; the estimates rest on the others"
        )


def _blocks(result: rs.BootstrapAuc, families: dict[str, dict[str, BootstrapEstimate]]) -> list[out.Block]:
    drawn = "class by class" if result.stratify else "from all cases"
    negative, positive = result.classes
    blocks: list[out.Block] = [
        f"{result.n_pos} cases of {positive}, {result.n_neg} of {negative}; {result.n_boot} replicates drawn "
        f"{drawn}, {result.redrawn} of them drawn again"
    ]
    for what, estimates in families.items():
        rows = []
        for row in estimates.values():
            se, mc = (
                "" if figure is None else formatting.number(figure) for figure in (row.se, row.mc_error)
            )
            name = row.name.removesuffix(what).strip()
            rows.append(
                (name, formatting.number(row.value), se, formatting.interval_ends(row.low, row.high), mc)
            )
        level = next(iter(estimates.values())).level
        header = ("estimate", what, "se", formatting.interval_name(level, "two-sided"), "mc")
        blocks += ["", out.TextTable(header, tuple(rows))]
    return blocks


def _notes(result: rs.BootstrapAuc, families: dict[str, dict[str, BootstrapEstimate]]) -> list[str]:
    """Warnings of the result and of its estimates; a reason that several share is noted once."""
    notes, reasons = list(result.warnings), dict[str | None, str]()
    for estimates in families.values():
        for key, row in estimates.items():
            notes += [f"{row.name}: {warning}" for warning in row.warnings]
            if row.status == "undefined":
                reasons.setdefault(row.reason, f"{row.name} undefined")
            elif row.status == "partial" and key not in WITHOUT_SE:
                reasons.setdefault(row.reason, f"{row.name} without a standard error")
    return [*notes, *(f"{text}: {reason}" for reason, text in reasons.items())]


def _validity_notes(result: rs.BootstrapAuc) -> list[str]:
    """Intervals that are known to hold the area of the trained model too seldom in so few cases."""
    from rocscope.atlas.results import LEVEL, quantity_notes

    shown = {
        "AUC(*)": result.star,
        ".632": result.point632,
        ".632+": result.point632plus,
        "leave-pair-out": result.leave_pair_out,
    }
    notes = list[str]()
    for name, one in shown.items():
        if one.value is not None and one.low is not None and one.level == LEVEL:
            notes += quantity_notes(
                "bootstrap_auc",
                result.n_pos,
                result.n_neg,
                {name: one.value},
                method="influence",
                area=one.value,
            )
    return notes


# ---- AUC against the number of training cases -------------------------------------------------------------

TITLES = {"auc": "AUC", "apparent": "apparent", "star632": "AUC(*) n/.632", "star500": "AUC(*) n/.5"}


def learning_curve(
    file: opt.File,
    /,
    *,
    source: opt.Labelled,
    model: Annotated[list[str], Parameter(metavar="NAME")],
    feature: opt.Features | None = None,
    pos_label: opt.PosLabel | None = None,
    sizes: opt.Sizes | None = None,
    n_boot: opt.Count = 200,
    training: models.Training = models.Training(),
    seed: opt.Seed | None = None,
    output: out.Output = out.Output(),
) -> None:
    """Show how the AUC of a model grows with the number of training cases.

    Training sets of several sizes are drawn from the cases, and each model is tested on all other cases
    (AUC) and on its own (apparent). Several models are trained on the same sets.

    Beside it is AUC(*), the bootstrap, of data sets of n / .632 and of n / .5 cases: the one that meets the
    AUC of n cases says what a bootstrap replicate is worth. In brackets is the Monte-Carlo error, which more
    training sets reduce.

    A dotted path is imported, which runs the code behind it.

    Parameters
    ----------
    model
        What to train: lda, qda, logistic, nb, knn, tree, or a dotted path to a classifier; may be repeated.
    sizes
        Numbers of training cases, both classes together; 20 % to 80 % of the cases unless given.
    n_boot
        Training sets for each number.

    Examples
    --------
    rocscope learning-curve data.csv --label y --model lda --out curve.png
    rocscope learning-curve data.csv --label y --model lda --model qda --seed 1 --out curves.png
    rocscope learning-curve data.csv --label y --model nb --sizes 20,40,80 --n-boot 500 --json
    """
    from rocscope.bootstrap.learning import read_sizes
    from rocscope.io.columns import label_like

    if sizes is not None:
        read_sizes(sizes)
    for name in model:
        models.check_model(name, detector=False)
    if len(set(model)) < len(model):
        raise RocUsageError(f"--model must name different models, got {', '.join(model)}")
    draws = opt.Draws.read(seed)
    output.check(file)
    with source.open(file) as opened:
        described = out.describe(opened)
        learners = {name: models.make_model(name) for name in model}
        cases = models.read_cases(opened, source, feature)
        with training.processes(opened.watch) as processes:
            result = rs.learning_curve(
                learners,
                cases.X,
                cases.y,
                sizes=sizes,
                n_boot=n_boot,
                pos_label=label_like(pos_label, cases.labels),
                rng=draws.seed,
                **processes,
            )
    alone = result.curves[model[0]] if len(model) == 1 else result
    output.deliver(
        out.CommandResult(
            command="learning-curve",
            input=described | {"models": model} | draws.input,
            results=lambda: [alone.to_dict()],
            rows=lambda: out.rows_of(result),
            blocks=lambda: _size_tables(result),
            notes=[
                *cases.notes,
                *(f"{name}: {text}" for name, curve in result.curves.items() for text in curve.warnings),
                *draws.notes,
            ],
            picture=out.picture_of(alone),
        )
    )
    undefined = [name for name, curve in result.curves.items() if not curve.defined.any()]
    if len(undefined) == len(model):
        raise UndefinedError(f"no AUC of {', '.join(undefined)}: see the notes")
    # AUC and apparent AUC, the first two, are of the same trainings.
    if failed := sum(int(curve.failed[:, 1:].sum()) for curve in result.curves.values()):
        raise PartlyFailedError(f"{failed} trainings failed; the means rest on the others")


def _size_tables(result: rs.bootstrap.LearningCurves) -> list[out.Block]:
    """One table for each model."""
    blocks: list[out.Block] = []
    for name, curve in result.curves.items():
        negative, positive = curve.classes
        rows = []
        for size, values, errors in zip(curve.sizes, curve.values, curve.mc_error, strict=True):
            cells = [
                "" if value != value else f"{formatting.number(value)} ({formatting.number(error)})"
                for value, error in zip(values, errors, strict=True)
            ]
            rows.append((str(size), *cells))
        head = f"{name}, {positive} against {negative}: {curve.n_boot} training sets of each size"
        header = ("cases", *(TITLES[estimate] for estimate in curve.estimates))
        blocks += [*([""] if blocks else []), head, out.TextTable(header, tuple(rows))]
    return blocks
