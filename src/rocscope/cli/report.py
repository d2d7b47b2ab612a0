"""`rocscope report`: all that a table of scores can tell, or saved results, as one interactive HTML page."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from rocscope.cli import options
from rocscope.cli.options import Draws, read_names
from rocscope.cli.ordinal import read_classes
from rocscope.cli.output import check_target, printable, say, tell, write_text
from rocscope.cli.reading import opened
from rocscope.errors import RocUsageError

if TYPE_CHECKING:
    from rocscope.core.scores import BinaryScores, ClassScores, OrdinalScores
    from rocscope.io.local import LocalFile

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
# What a page does not show, by what it needs: the options and commands that give it.
REMEDIES = {
    "fold": "--fold COLUMN, the fold of every case",
    "score": "a second --score COLUMN",
    "cases": "rocscope auc --method bootstrap, rocscope fuse",
    "pairs": "rocscope fuse shows any pair",
    "training": "rocscope algorithms and rocscope bootstrap with --out FILE.json, and that file given to "
    "rocscope report after the table",
}


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
    from dataclasses import replace

    from rocscope.reporting.analysis import analyse, check_request
    from rocscope.reporting.page import build_page, page_of
    from rocscope.reporting.saved import read_saved, saved_sections
    from rocscope.reporting.sections import read_items, warnings_of
    from rocscope.reporting.tables import plainly

    scores, bounds = score or [], select or []
    _check_files(files, out, label, scores, force=force)
    beside = files if label is None else files[1:]
    saved = saved_sections([one for file in beside for one in read_saved(file)])
    if label is None:
        notes = list[str]()
        text = page_of(saved, title=title, made=f"From {_names(files)}.", missing=notes)
    else:
        draws = Draws.read(N_BOOT if n_boot is None else n_boot, seed, used=True)
        check_request(select=bounds, level=level, n_boot=draws.n_boot)
        _check_classes(classes, scores, pos_label, bounds, ordinal=ordinal)
        with opened(files[0], format, memory_limit, temp_limit) as source:
            data, dropped = _read(source, label, scores, fold, pos_label, classes, na, ordinal=ordinal)
            found = analyse(data, select=bounds, level=level, progress=source.watch, **draws.options)
            found = replace(
                found,
                notes=(*dropped, *found.notes),
                omissions=tuple(replace(one, remedy=REMEDIES[one.needs]) for one in found.omissions),
            )
            if source.watch is not None:
                source.watch("the page", 1.0)
            made = f"From {_names([source.name, *beside])}, random numbers from seed {draws.seed}."
            text, failures = build_page([found], more=saved, title=title, made=made)
        warned = warnings_of(read_items([found]), but=found.notes)
        notes = [*found.notes, *failures, *map(plainly, warned), *draws.notes]
    for note in dict.fromkeys(notes):
        tell(f"note: {printable(note)}")
    write_text(text, out, force=force)
    say(f"{printable(out)}: open it in a browser")


def _names(files: list[str]) -> str:
    """The files for the head of a page that others will read: where they lie is nobody's business."""
    return ", ".join(Path(file).name for file in files)


def _check_files(files: list[str], out: str, label: str | None, scores: list[str], *, force: bool) -> None:
    if Path(out).suffix.lower() not in PAGES:
        raise RocUsageError(f"--out must end in {' or '.join(PAGES)}, got {out!r}")
    if (label is None) != (not scores):
        raise RocUsageError("a table needs --label and --score; saved results need neither")
    for file in files if label is None else files[1:]:
        if Path(file).suffix.lower() != ".json":
            raise RocUsageError(
                f"saved results must be .json files, got {file!r}; a table needs --label and --score"
            )
    check_target(out, force=force, unlike=files)


def _check_classes(
    classes: str | None, scores: list[str], pos_label: str | None, select: list[str], *, ordinal: bool
) -> None:
    if ordinal and len(scores) != 1:
        raise RocUsageError(f"--ordinal needs one --score, got {len(scores)}")
    if (ordinal or classes) and pos_label is not None:
        raise RocUsageError("--pos-label belongs to two classes")
    if ordinal and select:
        raise RocUsageError("--select must be left out with --ordinal")
    if classes and not ordinal:
        names = read_names(classes, "--classes")
        if len(names) != len(scores):
            got = f"got {len(names)} classes and {len(scores)} scores"
            raise RocUsageError(f"--classes must name the class of each --score, in their order, {got}")


def _read(
    source: LocalFile,
    label: str,
    score: list[str],
    fold: str | None,
    pos_label: str | None,
    classes: str | None,
    na: str,
    *,
    ordinal: bool,
) -> tuple[BinaryScores | ClassScores | OrdinalScores, list[str]]:
    """The scores of the table by the kind of its classes, and notes on rows that were left out."""
    import numpy as np

    from rocscope.cli.models import labelled_table
    from rocscope.core.scores import ClassScores, OrdinalScores
    from rocscope.io.columns import label_like
    from rocscope.io.database import dropped_warning
    from rocscope.io.files import read_scores, read_table, score_names

    if not ordinal and classes is None:
        return read_scores(source, label=label, score=score, fold=fold, pos_label=pos_label, na=na), []
    scores = score_names(score, label)
    if ordinal:
        folds = {} if fold is None else {fold: "label"}
        columns: Any = {label: "label"} | folds | {scores[0]: "number"}
        table = read_table(source, columns, na=na)
    else:
        table = labelled_table(source, scores, label=label, fold=fold, na=na)
    arrays, notes = table.arrays, list(dropped_warning(table.dropped))
    of_fold = None if fold is None else arrays[fold]
    if ordinal:
        numbers = read_classes(classes)
        return OrdinalScores.from_arrays(
            arrays[label], arrays[scores[0]], classes=numbers, fold=of_fold
        ), notes
    names = [label_like(name, table.profiles[label]) for name in read_names(classes or "", "--classes")]
    matrix = np.column_stack([arrays[name] for name in scores])
    return ClassScores.from_arrays(arrays[label], matrix, classes=names, fold=of_fold), notes
