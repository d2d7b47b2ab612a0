"""`rocscope report`: all that a table of scores can tell, or saved results, as one interactive HTML page."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from rocscope.cli import options
from rocscope.cli.echo import say, tell
from rocscope.cli.output import check_target, write_text
from rocscope.cli.parse import Draws
from rocscope.cli.reading import opened
from rocscope.cli.tables import printable
from rocscope.errors import RocUsageError

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
    from rocscope.cli.reported import AskedReport, found_in
    from rocscope.report.contents import sections_of
    from rocscope.report.items import read_items, warnings_of
    from rocscope.report.saved import read_saved, saved_sections
    from rocscope.report.tables import plainly
    from rocscope.report.write import page_of

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
