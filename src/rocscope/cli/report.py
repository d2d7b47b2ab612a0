"""`rocscope report` and `app`: all that a table of scores shows, as one interactive HTML page."""

import sys
from pathlib import Path
from typing import Annotated, Any, Literal

from cyclopts import Parameter

import rocscope as rs
from rocscope.cli import options as opt
from rocscope.cli import output
from rocscope.cli.columns import columns_text
from rocscope.cli.ordinal import read_classes
from rocscope.errors import RocInputError, RocUsageError, require

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
    *files: Annotated[str, Parameter(required=True)],
    out: Annotated[str, Parameter(metavar="PATH")],
    label: opt.Label | None = None,
    score: opt.Scores | None = None,
    fold: opt.Fold | None = None,
    by: opt.By | None = None,
    design: opt.Design = opt.Design(),
    pos_label: opt.PosLabels | None = None,
    direction: Literal["higher", "lower"] = "higher",
    count: opt.Column | None = None,
    counts: opt.CountColumns | None = None,
    classes: Annotated[str, Parameter(metavar="A,B,...")] | None = None,
    ordinal: opt.Flag = False,
    select: opt.Select | None = None,
    level: opt.Level = 0.95,
    n_boot: opt.Count = N_BOOT,
    seed: opt.Seed | None = None,
    title: str | None = None,
    reading: opt.Reading = opt.Reading(),
    force: output.Force = False,
) -> None:
    """Write one HTML page with curves, areas, tests and operating points, to be looked at in a browser.

    The page needs no network and no other file. Of two classes it shows every curve with its band and areas
    by all methods, the comparison of the scores, an operating point, binormal fits, the fusion of pairs of
    scores, with --fold the averages over the folds, and with --by the areas of groups. Bands of more than
    20,000 cases are simultaneous ones, which need no bootstrap. With --groups and --weight intervals are
    those of clusters and of weights, and what takes cases as independent is left out. What the data do not
    allow is left out; the page ends with what it does not show and which option would.

    No model is trained here: rocscope algorithms, bootstrap and average --model do that, and what they wrote
    with --out x.json is shown with picture and reading when x.json is given as a FILE.

    Parameters
    ----------
    files
        A table with named columns (CSV, Excel, SPSS, ...; - for standard input; several files, a pattern
        or a folder of Parquet files are one table), after which may come JSON files that commands wrote with
        --out or --json; without --label such files alone.
    out
        The page to write, .html.
    direction
        Which scores stand for the positive class: higher or lower ones; never guessed.
    count
        Column of the number of cases that each row stands for, in a table of counts.
    counts
        Columns of a table that counts positives and negatives at each score, as rocscope sql --exact makes
        it; --label and --score are then left out.
    classes
        Several classes: that of each --score, in order; with --ordinal numbers, or LABEL=NUMBER.
    ordinal
        The classes are ordered, the score estimates their number.
    n_boot
        Bootstrap replicates.
    title
        Title of the page.

    Examples
    --------
    rocscope report scores.csv --label outcome --pos-label ill --score a --score b --out roc.html
    rocscope report scores.csv --label y --score s --fold fold --select "tpr>=0.9" --seed 1 --out roc.html
    rocscope report scores.csv --label y --score s --by site --by sex --out roc.html
    rocscope report lesions.csv --label malignant --score model --groups patient --out roc.html
    rocscope report p.csv --label y --classes a,b,c --score pa --score pb --score pc --fold f --out r.html
    rocscope report grades.csv --label grade --score estimate --ordinal --out grades.html
    rocscope report areas.json comparison.json --out saved.html
    rocscope report scores.csv trained.json --label y --score s --out roc.html
    """
    from rocscope.io.files import score_names
    from rocscope.reporting.analysis import check_request
    from rocscope.reporting.page import file_page, page_of
    from rocscope.reporting.saved import read_saved, saved_sections

    scores, bounds, tables, beside = score or [], select or [], list[str](), [*files]
    if label is not None:  # only saved results come after a table, and other parts of it
        tables = [files[0], *(file for file in files[1:] if Path(file).suffix.lower() != ".json")]
        beside = [file for file in files if file not in tables]
    if Path(out).suffix.lower() not in PAGES:
        raise RocUsageError(f"--out must end in {' or '.join(PAGES)}, got {out!r}")
    is_table = any(Path(file).suffix.lower() != ".json" for file in files)
    if (label is None) != (not scores) or (label is None and is_table):
        columns = columns_text(["report", *files]) if is_table else ""
        text = "a table needs --label and --score; saved results need neither"
        raise RocUsageError(f"{text}\n{columns}" if columns else text)
    output.check_target(out, force=force, unlike=files)
    saved = saved_sections([one for file in beside for one in read_saved(file)]) if beside else []
    if label is None:
        notes = list[str]()
        shown = ", ".join(Path(file).name for file in files)  # not the folders they lie in
        text = page_of(saved, title=title, made=f"From {shown}.", missing=notes)
    else:
        draws = opt.Draws.read(seed, n_boot)
        check_request(select=bounds, level=level, n_boot=n_boot)
        if ordinal and bounds:
            raise RocUsageError("--select must be left out with --ordinal")
        if ordinal or classes is not None:
            lower = direction if direction == "lower" else None
            opt.refuse("belongs to two classes", pos_label=pos_label, direction=lower, count=count, by=by)
            opt.refuse("belongs to two classes", groups=design.groups, weight=design.weight)
        try:
            named: Any = None if classes is None else (read_classes if ordinal else opt.read_names)(classes)
        except RocInputError as error:
            raise RocUsageError(error.message, argument="classes") from error
        if named is not None and not ordinal:
            opt.check_class_names(named, scores, pos_label)
        with reading.open(tables if len(tables) > 1 else tables[0]) as opened:
            data: Any
            dropped: tuple[str, ...] = ()
            further: dict[str, Any] = {}
            if ordinal:
                names = score_names(scores, label)
                table = reading.table(opened, label, names, fold=fold)
                estimates = {name: table.arrays[name] for name in names}
                further = {
                    "y_score": estimates if len(names) > 1 else estimates[names[0]],
                    "fold": None if fold is None else table.arrays[fold],
                    "classes": named,
                    "ordinal": True,
                }
                data, dropped = table.arrays[label], table.warnings
            elif named is not None:
                data, dropped = reading.class_scores(opened, label, scores, named, fold)
            elif counts is not None:
                from rocscope.io.counts import read_counts

                others = {"by": by, "fold": fold, "count": count, "pos_label": pos_label}
                opt.refuse("must be left out with --counts", **others, **design.beside(label, *scores))
                data = read_counts(opened, counts=counts, na=reading.na, direction=direction)
                if data.thinned:
                    raise RocInputError(f"{opened.shown} must count every score for a report, got bins")
            elif by:
                opt.refuse("must be left out with --by", count=count)
                sides: dict[str, Any] = {"pos_label": pos_label, "direction": direction, "fold": fold}
                sides |= design.beside(label, *scores)
                data, groups = reading.grouped_scores(opened, label, scores, by, **sides)
                further = {"by": groups}
            else:
                more = {"direction": direction, "count": count} | design.beside(label, *scores)
                data = reading.scores(opened, label, scores, pos_label=pos_label, fold=fold, **more)
            analysis = rs.analyse(
                data, select=bounds, level=level, progress=opened.watch, **further, **draws.options
            )
            if opened.watch is not None:
                opened.watch("the page", 1.0)
            text, notes = file_page(
                analysis,
                sources=[opened.name, *beside],
                seed=draws.seed,
                remedies=REMEDIES | ({"cases": "rocscope ordinal"} if ordinal else {}),
                dropped=dropped,
                more=saved,
                title=title,
            )
        notes += draws.notes
    output.print_notes(notes)
    output.write_text(text, out, force=force)
    output.say(f"{output.printable(out)}: open it in a browser")


# ---- The same page for people who do not program, made in a browser ---------------------------------------

MAX_PORT = 65535


def read_port(text: str) -> int:
    """Read a port; 0 is any that is free.

    Examples
    --------
    >>> read_port("8000")
    8000
    """
    port = opt.read_whole(text)
    if not 0 <= port <= MAX_PORT:
        raise RocInputError(f"must lie between 0 and {MAX_PORT}, got {port}")
    return port


def app(
    *,
    no_browser: opt.Flag = False,
    port: Annotated[int, opt.text_option(read_port, "N")] = 0,
    max_upload: Annotated[str, Parameter(metavar="SIZE")] = "200MB",
) -> None:
    """Open a page in the browser where a table is dropped, columns are chosen and the report is made.

    The page is served on this machine alone, at an address with a random token, which is printed first. Files
    stay on this machine: their copies lie in a private folder and are removed when the program ends, by
    Ctrl-C.

    Parameters
    ----------
    no_browser
        Print the address alone.
    port
        Port of the address; 0 for any that is free.
    max_upload
        Largest file that the page takes.

    Examples
    --------
    rocscope app
    rocscope app --no-browser --port 8000
    """
    for library in ("starlette", "uvicorn", "duckdb", "jinja2"):
        require(library, "rocscope app")
    from rocscope.app.server import open_server
    from rocscope.io.input_file import read_size

    largest = read_size(max_upload, name="max_upload") or 0
    with open_server(port=port, max_upload=largest) as (server, listener, address):
        output.say(address)
        sys.stdout.flush()
        output.note("Ctrl-C ends the program and removes the files that the page was given.")
        if not no_browser:
            import webbrowser

            webbrowser.open(address)
        server.run(sockets=[listener])
