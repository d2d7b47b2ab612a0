"""`rocscope learning-curve`: AUC against the number of training cases, of one model or several."""

from __future__ import annotations

from typing import Annotated

from cyclopts import Parameter

import rocscope as rs
from rocscope.cli import models
from rocscope.cli import options as opt
from rocscope.cli import output as out
from rocscope.core import formatting
from rocscope.errors import PartlyFailedError, RocUsageError, UndefinedError

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
            blocks=lambda: _blocks(result),
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


def _blocks(result: rs.bootstrap.LearningCurves) -> list[out.Block]:
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
