"""`rocscope power`: what a study of given size can show, or how large it must be."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from rocscope.cli import options
from rocscope.cli.options import option_name, read_number
from rocscope.cli.output import FIGURES, Answer, Output, TextTable, number
from rocscope.errors import RocUsageError, UndefinedError

if TYPE_CHECKING:
    from rocscope.inference.power import StudyPlan
    from rocscope.plotting import Picture

EXAMPLES = (
    "rocscope power --auc 0.75 --power 0.9",
    "rocscope power --auc 0.73 --n-pos 41 --n-neg 72",
    "rocscope power --auc 0.85 --auc2 0.8 --corr 0.5 --power 0.8",
    "rocscope power --auc 0.8 --half-width 0.05 --ratio 2",
    "rocscope power --tpr-gap 0.05 --power 0.9",
)
SIZES, GOALS = ("n_pos", "n_neg"), ("power", "half_width")


def power(
    auc: Annotated[float | None, typer.Option("--auc", help="Expected area.")] = None,
    auc2: Annotated[
        float | None, typer.Option("--auc2", help="Expected area of a second curve, to compare.")
    ] = None,
    null: Annotated[
        float | None, typer.Option("--null", help="Area to test against; 0.5 unless given.")
    ] = None,
    tpr_gap: Annotated[
        float | None, typer.Option("--tpr-gap", help="Share of positives between two operating points.")
    ] = None,
    fpr_gap: Annotated[
        float | None, typer.Option("--fpr-gap", help="Share of negatives between two operating points.")
    ] = None,
    n_pos: Annotated[float | None, typer.Option("--n-pos", help="Positive cases of the study.")] = None,
    n_neg: Annotated[float | None, typer.Option("--n-neg", help="Negative cases of the study.")] = None,
    wanted: Annotated[float | None, typer.Option("--power", help="Power that is wanted.")] = None,
    half_width: Annotated[
        float | None, typer.Option("--half-width", help="Half the width of the interval that is wanted.")
    ] = None,
    ratio: Annotated[
        float | None, typer.Option("--ratio", help="Negative cases for each positive one; 1 unless given.")
    ] = None,
    unpaired: Annotated[
        bool, typer.Option("--unpaired", help="Two curves on different cases; n is that of each.")
    ] = False,
    corr: Annotated[
        float | None, typer.Option("--corr", help="Correlation of two areas on the same cases.")
    ] = None,
    rating_corr: Annotated[
        str | None,
        typer.Option(
            "--rating-corr",
            metavar="R | NEG,POS",
            help="Or the correlation of the two scores inside the classes.",
        ),
    ] = None,
    folds: Annotated[
        int | None, typer.Option("--folds", help="Two points by a paired t test over so many folds.")
    ] = None,
    level: options.Level = 0.95,
    alternative: options.Alternative = "two-sided",
    method: Annotated[
        str | None,
        typer.Option(
            "--method", help="Variance: obuchowski, hanley-mcneil or binormal; for points: exact or normal."
        ),
    ] = None,
    json: options.Json = False,
    out: Annotated[
        str | None, typer.Option("--out", metavar="PATH", help="Also write a table (.csv) or .json.")
    ] = None,
    force: options.Force = False,
) -> None:
    """Plan a study: the power of a test, or the cases that it needs.

    One area (--auc) is tested against 0.5 or --null, two areas (--auc, --auc2) against each other, two
    operating points of one curve (--tpr-gap or --fpr-gap) for their distance. Give the sizes for the power;
    give --power or --half-width for the sizes.
    """
    output = _check_output(json, out, force)
    asked: dict[str, Any] = {
        "auc": auc,
        "auc2": auc2,
        "null": null,
        "tpr_gap": tpr_gap,
        "fpr_gap": fpr_gap,
        "n_pos": n_pos,
        "n_neg": n_neg,
        "power": wanted,
        "half_width": half_width,
        "ratio": ratio,
        "paired": False if unpaired else None,
        "corr": corr,
        "rating_corr": _read_correlations(rating_corr),
        "folds": folds,
        "method": method,
    }
    given = {name: value for name, value in asked.items() if value is not None}
    plan = _planned(given | {"level": level, "alternative": alternative})
    output.deliver(
        Answer(
            command="power",
            source=given,
            results=[plan.to_dict()],
            rows=[dict(plan)],
            blocks=[plan.summary(), "", _table(plan)],
            notes=[],
            picture=_no_picture,
        )
    )
    if plan.status == "undefined":
        raise UndefinedError(str(plan.reason))


def _check_output(json: bool, out: str | None, force: bool) -> Output:
    if out is not None and out.lower().endswith(FIGURES):
        raise RocUsageError(f"--out must be a .csv or .json file: a plan has no figure, got {out!r}")
    output = Output(json, out, force)
    output.check()
    return output


def _no_picture() -> Picture:
    raise RocUsageError("a plan has no figure")


def _planned(given: dict[str, Any]) -> StudyPlan:
    """Ask for the power where sizes are given, for the sizes where a goal is."""
    from rocscope.inference import power as area_power

    sizes, goals = ([name for name in names if name in given] for names in (SIZES, GOALS))
    unused = [name for name in (*GOALS, "ratio") if name in given]
    if sizes and unused:
        raise RocUsageError(f"{option_name(unused[0])} must be left out where --n-pos or --n-neg is given")
    if len(sizes) == 1 and "auc" in given:
        raise RocUsageError("--n-pos and --n-neg must come together for areas")
    if not sizes and not goals:
        raise RocUsageError(
            "power needs the sizes of the study (--n-pos, --n-neg), or a goal (--power or --half-width)"
        )
    return area_power.power(**given) if sizes else area_power.sample_size(**given)


def _read_correlations(text: str | None) -> float | tuple[float, float] | None:
    if text is None:
        return None
    values = [read_number(part) for part in text.split(",")]
    if None in values or len(values) > 2:
        raise RocUsageError(f"--rating-corr must be one number or two (NEG,POS), got {text!r}")
    return values[0] if len(values) == 1 else (values[0], values[1])  # type: ignore[return-value]


def _table(plan: StudyPlan) -> TextTable:
    """The numbers before they were rounded up, and all that the sentence leaves out."""
    rows = [
        ("positive cases", _count(plan.n_pos, plan.real_n_pos)),
        ("negative cases", _count(plan.n_neg, plan.real_n_neg)),
        ("power", _known(plan.power)),
        ("half-width of the interval", _known(plan.half_width)),
        ("difference to detect", _known(plan.effect)),
    ]
    return TextTable(("plan", "value"), tuple((name, text) for name, text in rows if text))


def _count(whole: int | None, real: float | None) -> str:
    if whole is None or real is None:
        return ""
    return str(whole) if whole == real else f"{whole} ({real:.4f} rounded up)"


def _known(value: float | None) -> str:
    if value is None:
        return ""
    return number(value, ".4g" if 0 < abs(value) < 0.001 else ".4f")
