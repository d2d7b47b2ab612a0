"""`rocscope demo`: a study of two diagnostic markers from made-up data, end to end."""

import shlex
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

import rocscope as rs
from rocscope.cli import auc, options, output
from rocscope.errors import ResourceError, RocInputError

CASES, SHARE_ILL, FOLDS = 300, 0.35, 10
N_BOOT = 500  # for the bands of the report
MARKERS = ("protein", "symptom_score")
BOUND = "tpr>=0.9"


def demo(*, out: Annotated[str, Parameter(metavar="DIR")] = "demo", seed: options.Seed = 1) -> None:
    """Run a small study of two markers on made-up data.

    Areas, their comparison and an operating point, as `auc`, `compare` and `points` give them, and all of it
    as the interactive page of `report`.

    Writes demo_markers.csv, demo_roc.png and demo_report.html into the folder; files of these names are
    replaced.

    Parameters
    ----------
    out
        Folder for its files.
    seed
        Seed of the made-up data.

    Examples
    --------
    rocscope demo
    rocscope demo --out study --seed 7
    """
    from rocscope.core.curve import curve_of
    from rocscope.reporting.page import report_html

    seed, folder = options.Draws.read(seed).seed or 0, Path(out)
    if folder.exists() and not folder.is_dir():
        raise RocInputError(f"{folder} must be a folder, got a file")
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise ResourceError(f"{folder} cannot be made: {error.strerror}") from error
    table, figure, page = (folder / f"demo_{name}" for name in ("markers.csv", "roc.png", "report.html"))
    output.write_text(output.csv_text(made_up_cases(seed)), table, force=True)

    data = rs.read_scores(table, label="state", score=MARKERS, fold="fold", pos_label="ill")
    samples = data.each()
    areas = {name: rs.auc(sample) for name, sample in samples.items()}
    comparison = rs.compare_auc(data)
    best = MARKERS[int(comparison.auc.argmax())]
    points = {best: [curve_of(samples[best]).select(BOUND).index]}
    output.write_figure(auc.curves_picture(samples, areas, points=points), figure, force=True)
    analysis = rs.analyse(data, select=BOUND, n_boot=N_BOOT, rng=seed)
    title = "Two markers of an illness (made up)"
    output.write_text(report_html(analysis.results, *analysis.shared, title=title), page, force=True)

    point = rs.point_measures(samples[best], select=BOUND)
    scores = " ".join(f"--score {name}" for name in MARKERS)
    output.print_blocks(
        [
            f"{title}, seed {seed}: {data.n_pos} ill and {data.n_neg} well people",
            "",
            auc.area_table(samples, areas),
            "",
            comparison.summary(),
            "",
            f"To find nine in ten of the ill by {best} ({BOUND}):",
            *(line for line in point.summary().splitlines() if "undefined" not in line),
            "",
            f"Try: rocscope compare {shlex.quote(str(table))} --label state --pos-label ill {scores}",
            "",
            f"{table}: the cases",
            f"{figure}: both curves and the chosen point",
            f"{page}: all of it, to be explored",
        ]
    )


def made_up_cases(seed: int) -> list[dict[str, object]]:
    """Cases in ten folds with two correlated markers: a protein in tenths, symptoms of 0 to 10, many ties."""
    import numpy as np

    rng = np.random.default_rng(seed)
    ill = rng.permutation(CASES) < round(SHARE_ILL * CASES)
    severity, own = rng.normal(size=CASES), rng.normal(size=(2, CASES))
    latent = 0.6 * severity + 0.8 * own  # a shared cause: the markers are correlated within each class
    protein = np.exp(0.9 + 0.5 * (latent[0] + 1.5 * ill)).round(1)
    symptoms = (3.2 + 2.0 * (latent[1] + 0.9 * ill)).round().clip(0, 10)
    fold = np.where(ill, np.cumsum(ill), np.cumsum(~ill)) % FOLDS  # as many of each class in every fold
    rows = zip(ill.tolist(), protein.tolist(), symptoms.tolist(), fold.tolist(), strict=True)
    return [
        {"case": case, "state": "ill" if is_ill else "well", MARKERS[0]: value, MARKERS[1]: int(points)}
        | {"fold": part + 1}
        for case, (is_ill, value, points, part) in enumerate(rows, start=1)
    ]
