"""`rocscope demo`: a study of three measurements of breast tumours, end to end."""

import shlex
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

import rocscope as rs
from rocscope.cli import auc, options, output
from rocscope.errors import ResourceError, RocInputError

N_BOOT = 500  # for the bands of the report
BOUND = "tpr>=0.9"


def demo(*, out: Annotated[str, Parameter(metavar="DIR")] = "demo", seed: options.Seed = 1) -> None:
    """Run a small study of three markers on real data: 569 breast tumours, benign or malignant.

    Areas, their comparison and an operating point, as `auc`, `compare` and `points` give them, and all of it
    as the interactive page of `report`. The data are those of Wisconsin that scikit-learn comes with.

    Writes demo_markers.csv, demo_roc.png and demo_report.html into the folder; files of these names are
    replaced.

    Parameters
    ----------
    out
        Folder for its files.

    Examples
    --------
    rocscope demo
    rocscope demo --out study --seed 7
    """
    from rocscope.core.curve import curve_of
    from rocscope.io import example
    from rocscope.reporting.page import report_html

    seed, folder = options.Draws.read(seed).seed or 0, Path(out)
    if folder.exists() and not folder.is_dir():
        raise RocInputError(f"{folder} must be a folder, got a file")
    cases, markers = example.example_cases(), [*example.MARKERS]
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise ResourceError(f"{folder} cannot be made: {error.strerror}") from error
    table, figure, page = (folder / f"demo_{name}" for name in ("markers.csv", "roc.png", "report.html"))
    output.write_text(output.csv_text(cases), table, force=True)

    label, positive = example.LABEL, example.POSITIVE
    data = rs.read_scores(table, label=label, score=markers, fold=example.FOLD, pos_label=positive)
    samples = data.each()
    areas = {name: rs.auc(sample) for name, sample in samples.items()}
    comparison = rs.compare_auc(data)
    best = markers[int(comparison.auc.argmax())]
    points = {best: [curve_of(samples[best]).select(BOUND).index]}
    output.write_figure(auc.curves_picture(samples, areas, points=points), figure, force=True)
    analysis = rs.analyse(data, select=BOUND, n_boot=N_BOOT, rng=seed)
    text = report_html(analysis.results, *analysis.shared, title=example.TITLE)
    output.write_text(text, page, force=True)

    point = rs.point_measures(samples[best], select=BOUND)
    chosen = " ".join([f"--label {label} --pos-label {positive}", *(f"--score {name}" for name in markers)])
    output.print_blocks(
        [
            f"{example.TITLE}, {data.n_pos} malignant and {data.n_neg} benign",
            "",
            auc.area_table(samples, areas),
            "",
            comparison.summary(),
            "",
            f"To find nine in ten malignant tumours by {best} ({BOUND}):",
            *(line for line in point.summary().splitlines() if "undefined" not in line),
            "",
            f"Try: rocscope compare {shlex.quote(str(table))} {chosen}",
            "",
            f"{table}: the cases",
            f"{figure}: the curves and the chosen point",
            f"{page}: all of it, to be explored",
            "",
            "In a browser, with this table or your own: rocscope app",
        ]
    )
