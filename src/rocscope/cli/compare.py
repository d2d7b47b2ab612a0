"""`rocscope compare`: do the areas of several ROC curves differ?"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import TYPE_CHECKING, Annotated, Any, Literal

from cyclopts import Parameter

import rocscope as rs
from rocscope.cli import auc
from rocscope.cli import options as opt
from rocscope.cli import output as out
from rocscope.core import formatting
from rocscope.errors import ResourceError, RocInputError, RocUsageError, UndefinedError

if TYPE_CHECKING:
    from rocscope.io.input_file import InputFile

OLDER = "--group is now called --sample, so that it is not taken for --groups, which names clusters"
AT_A_POINT = ("sensitivity", "specificity")
# Methods that draw at random; permutation does not where it tries every exchange.
CHANCE = ("bootstrap", "permutation", "venkatraman", *AT_A_POINT)
# Memory of a pair of curves: its tests, its crossings, its texts.
PAIR_BYTES = 6_000
# Crossings are computed in exact whole numbers, which takes seconds and much memory beyond so many vertices.
MOST_VERTICES = 100_000
NO_CROSSINGS = "where the curves cross is not shown without the rows in memory"
# Crossings of a pair in the text; JSON has all.
SHOWN_CROSSINGS = 8


def compare(
    file: opt.File,
    /,
    *,
    source: opt.Designed,
    sample: opt.Column | None = None,
    group: Annotated[str, Parameter(metavar="COLUMN", show=False)] | None = None,
    by: opt.By | None = None,
    method: str = "auto",
    margin: float | None = None,
    at: Annotated[float, Parameter(metavar="RATE")] | None = None,
    part: opt.PartialArea = opt.PartialArea(),
    chance: opt.Chance = opt.Chance(),
    bootstrap: Literal["normal", "t", "percentile"] | None = None,
    unstratified: opt.Flag = False,
    level: opt.Level = 0.95,
    alternative: opt.Alternative = "two-sided",
    output: out.Output = out.Output(),
) -> None:
    """Compare the areas of several scores, or of one score between samples of other cases.

    A test of all areas together, and of every pair with Holm's adjustment: DeLong's, or the score test where
    few cases are misranked, unless --method names another. Differences are first minus second, in the order
    of the options (of samples: sorted). With --na drop a row that lacks any of the values is left out of
    all curves.

    Bootstrap compares partial areas too (--fpr, --tpr); sensitivity and specificity compare single points
    (--at); venkatraman compares whole curves, not areas. With --margin each pair is tested for equivalence:
    for --alternative greater, whether the first is not inferior.

    Last, for every pair: where the two curves cross, or which one is nowhere below the other. With --by the
    comparison is made within every group of a column instead.

    Parameters
    ----------
    sample
        Compare one score between the samples that a column names, such as sites, as independent ones.
        Clusters of dependent cases are --groups. The older name of this option, --group, still holds.
    group
        The older name of --sample.
    method
        auto (delong, or score where few cases are misranked), delong, score, bootstrap,
        hanley-mcneil, permutation, venkatraman, sensitivity or specificity.
    margin
        Largest difference that does not matter: test for equivalence too.
    at
        FPR of method sensitivity, TPR of method specificity.
    bootstrap
        What interval and p-value are made of: the standard deviation of the bootstrap draws by the normal
        distribution (areas, unless given) or Student's t (single points), or the percentiles of the draws.
    unstratified
        Draw bootstrap samples from all cases together, not class by class.

    Examples
    --------
    rocscope compare scores.csv --label outcome --pos-label ill --score a --score b
    rocscope compare scores.csv --label y --score a --score b --score c --out roc.svg
    rocscope compare scores.csv --label y --score a --sample site
    rocscope compare scores.csv --label y --score a --score b --by site
    rocscope compare scores.csv --label y --score a --score b --margin 0.05
    rocscope compare scores.csv --label y --score a --score b --method bootstrap --fpr 0,0.1 --seed 1
    rocscope compare scores.csv --label y --score a --score b --method sensitivity --at 0.1 --seed 1
    """
    older = group is not None
    if older:
        opt.refuse("must be left out with --group, its older name", sample=sample)
    group = sample if group is None else group
    if source.counts is not None:
        opt.refuse("must be left out with --counts", sample=group, by=by, unstratified=unstratified)
        if method not in ("auto", "delong", "score"):
            raise RocUsageError(f"--counts belongs to --method auto, delong and score, got method {method!r}")
        how: dict[str, Any] = {"method": method, "margin": margin, "level": level}
        _compare_counts(file, source, output, **how, alternative=alternative)
        return
    if group is None and len(source.score) < 2:
        raise RocUsageError("compare needs --score at least twice, or --sample")
    if group is not None:
        opt.refuse("must be left out with --sample", by=by)
    if group is not None and len(source.score) != 1:
        raise RocUsageError(f"--sample compares one score between samples, got {len(source.score)} scores")
    if group is not None and group in (source.label, *source.score):
        raise RocUsageError(f"--sample must be another column than label and score, got {group!r} for both")
    if method not in CHANCE:
        why = f"belongs to the methods {', '.join(CHANCE)}, got method {method!r}"
        opt.refuse(why, n_boot=chance.n_boot, n_jobs=chance.n_jobs)
    if method not in ("bootstrap", *AT_A_POINT):
        owners = "belongs to the methods bootstrap, sensitivity and specificity"
        opt.refuse(f"{owners}, got method {method!r}", unstratified=unstratified)
    draws = chance.draws(used=method in CHANCE)
    output.check(file)
    drawn = bool(method in AT_A_POINT or part.fpr or part.tpr)
    data: rs.BinaryScores | None
    with source.open(file, row_bytes=drawn * len(source.score) * opt.DRAWN_CURVES) as opened:
        _check_pairs(opened, len(source.score))
        if by:
            data, columns = source.grouped(opened, source.score, by)
        else:
            plain = group is None and source.count is None and not any(source.design.values())
            try:
                data, columns = source.read(opened, fold=group), {}
            except ResourceError:
                if method not in ("auto", "delong") or not plain or opened.limits.memory is None:
                    raise
                data = None  # the rows do not fit, the sums over them do
        if data is None:
            side: dict[str, Any] = {"margin": margin, "level": level, "alternative": alternative}
            _compare_large(opened, source, output, **side)
            return
        described = out.describe(opened)
    how = {"level": level, "alternative": alternative, "method": method, "margin": margin}
    how |= {
        "at": at,
        "bootstrap": bootstrap or "auto",
        "stratify": not unstratified,
        **dataclasses.asdict(part),
        **draws.options,
    }
    if by:
        of_groups = _compare_by(data, columns, how, described | draws.input)
        notes = [*opt.cluster_notes(data, source.groups), *of_groups.notes, *draws.notes]
        output.deliver(dataclasses.replace(of_groups, notes=notes))
        return
    samples = data.each() if group is None else _by_group(data, group)
    notes = opt.cluster_notes(data, source.groups) + ([OLDER] if older else [])
    _check_pairs(opened, len(samples))
    areas = {name: rs.auc(sample, level=level) for name, sample in samples.items()}
    result = rs.compare_auc(data if group is None else samples, paired=group is None, **how)
    warnings = (*dict.fromkeys([*data.warnings, *result.warnings]),)
    result = dataclasses.replace(result, warnings=warnings)
    crossings = _crossings(samples, result)
    reasons = [f"{pair.first} - {pair.second}: {pair.reason}" for pair in result.pairs if pair.reason]
    known = {text for sample in samples.values() for text in sample.warnings}
    output.deliver(
        out.CommandResult(
            command="compare",
            input=described | draws.input,
            results=lambda: [result.to_dict() | {"crossings": crossings}],
            rows=lambda: [dict(pair) for pair in result.pairs],
            blocks=lambda: [
                auc.area_table(samples, areas, group or "score"),
                "",
                result.summary(),
                "",
                *map(_crossing_text, crossings),
            ],
            notes=[
                *notes,
                *warnings,
                *reasons,
                *auc.area_notes(areas, known),
                *(size_notes(result) if data.is_plain else []),
                *draws.notes,
            ],
            picture=lambda: auc.curves_picture(samples, areas),
        )
    )
    if result.p_value is None and all(pair.p_value is None for pair in result.pairs):
        what = "areas" if result.quantity == "AUC" else "curves"
        raise UndefinedError(f"the {what} cannot be compared: {result.reason}")


# Tests of rates were simulated at this area alone.
RATES_AREA = 0.8


def size_notes(result: rs.CurveComparison) -> list[str]:
    """Whether the test of two curves is known to reject too often in studies of this size.

    And whether the interval of the difference of two areas is known to hold it too seldom.
    """
    from rocscope.atlas.results import LEVEL, quantity_notes

    if len(result.names) != 2 or result.p_value is None or result.alternative != "two-sided":
        return []
    pairing = "paired" if result.paired else "unpaired"
    size = min(result.n_pos), min(result.n_neg)
    how: dict[str, Any] = {"method": result.method, "area": float(result.auc.mean())}
    family, null = f"compare_auc {pairing}", "equal areas"
    if result.kind == "E":
        family, null = f"curves {pairing}", "equal curves"
    elif result.quantity != "AUC":
        family, null = "compare_auc rates" + " unpaired" * (not result.paired), result.quantity
        how = {"method": result.pairs[0].interval, "area": RATES_AREA}
    notes = quantity_notes(family, *size, {null: result.p_value}, kind="test", **how)
    if result.quantity != "AUC" or result.kind == "E":
        return notes
    if result.level == LEVEL:
        difference = {"difference": result.pairs[0].difference}
        notes += quantity_notes(f"compare_auc difference {pairing}", *size, difference, **how)
    return notes


def _compare_large(opened: InputFile, source: opt.Designed, output: out.Output, **how: Any) -> None:
    """The comparison within a limit of memory: from exact sums over the placements of all cases."""
    from rocscope.inference.compare import compare_sums
    from rocscope.inference.variance import AreaMatrix
    from rocscope.io.large import FileSums, curves_of_file
    from rocscope.io.paired import paired_sums_of_file

    sums = paired_sums_of_file(opened, **source.columns)
    matrix = AreaMatrix.of_products(sums.names, sums.of_pos, sums.of_neg)
    k = len(sums.names)
    sizes: dict[str, Any] = {"n_pos": (sums.of_pos.size,) * k, "n_neg": (sums.of_neg.size,) * k}
    side: dict[str, Any] = {"direction": sums.direction, "warnings": sums.warnings}
    result = compare_sums(matrix, paired=True, **sizes, **side, **how)
    names: dict[str, Any] = {"pos_label": sums.pos_label, "neg_label": sums.neg_label}
    samples: dict[str, auc.Sample] = {
        name: FileSums(name=name, sums=sums.of_curve(k), direction=sums.direction, **names)
        for k, name in enumerate(sums.names)
    }
    if output.suffix in out.FIGURES:
        samples = {**curves_of_file(opened, **source.columns)}
    _deliver(samples, result, out.describe(opened), output)


def _compare_counts(file: out.Paths, source: opt.Designed, output: out.Output, **how: Any) -> None:
    """Curves of different cases, each counted in a file of its own."""
    from pathlib import Path

    from rocscope.core.table import table_warnings
    from rocscope.inference.compare import compare_sums
    from rocscope.inference.variance import AreaMatrix

    files = [file] if isinstance(file, str) else file
    names = [Path(one).stem for one in files]
    if len(files) < 2 or len(set(names)) < len(names):
        raise RocUsageError(f"compare --counts needs two or more files of different names, got {names}")
    output.check(file)
    samples, described = dict[str, auc.Sample](), dict[str, Any]()
    for name, one in zip(names, files, strict=True):
        with source.open(one) as opened:
            samples[name] = source.counted(opened)
            of_file = out.describe(opened)
            described = {key: [*described.get(key, []), value] for key, value in of_file.items()}
    tables: list[Any] = [*samples.values()]
    matrix = AreaMatrix.of_sums(names, [table.sums() for table in tables])
    notes = [
        f"{name}: {text}" for name, one in zip(names, tables, strict=True) for text in table_warnings(one)
    ]
    sizes: dict[str, Any] = {"n_pos": [one.n_pos for one in tables], "n_neg": [one.n_neg for one in tables]}
    result = compare_sums(matrix, paired=False, direction=tables[0].direction, warnings=notes, **sizes, **how)
    _deliver(samples, result, described, output)


def _deliver(
    samples: Mapping[str, auc.Sample],
    result: rs.CurveComparison,
    described: Mapping[str, Any],
    output: out.Output,
) -> None:
    """A comparison without rows."""
    level = result.level
    areas = {name: auc.area_of(sample, {"level": level}) for name, sample in samples.items()}
    reasons = [f"{pair.first} - {pair.second}: {pair.reason}" for pair in result.pairs if pair.reason]
    forms = out.result_of(
        "compare",
        described,
        result,
        rows=lambda: [dict(pair) for pair in result.pairs],
        blocks=lambda: [auc.area_table(samples, areas), "", result.summary()],
        notes=[*result.warnings, *reasons, NO_CROSSINGS],
        picture=lambda: auc.curves_picture(samples, areas),
    )
    output.deliver(forms)
    if result.p_value is None and all(pair.p_value is None for pair in result.pairs):
        raise UndefinedError(f"the areas cannot be compared: {result.reason}")


def _compare_by(
    data: rs.BinaryScores, columns: Mapping[str, Any], how: dict[str, Any], described: Mapping[str, Any]
) -> out.CommandResult:
    """The comparison within every group; a group that lacks a class is named with the reason."""
    from rocscope.core.result import plain
    from rocscope.core.scores import distinct_labels

    made, missing = list[tuple[str, Any, rs.CurveComparison]](), list[dict[str, Any]]()
    for name, groups in columns.items():
        for value in distinct_labels(groups):
            rows = groups == value
            positive = data.positive[rows]
            if positive.all() or not positive.any():
                lacking = data.neg_label if positive.all() else data.pos_label
                reason = f"the group has no case of class {lacking}"
                missing.append({"by": name, "group": plain(value), "reason": reason})
                continue
            sample = dataclasses.replace(data.rows(rows), fold=None, warnings=())
            made.append((name, value, rs.compare_auc(sample, **how)))
    if not made:
        raise UndefinedError("no group has cases of both classes")

    def rows_of() -> list[dict[str, Any]]:
        known = [
            {"by": name, "group": plain(value)} | dict(pair)
            for name, value, result in made
            for pair in result.pairs
        ]
        return [*known, *(dict.fromkeys(known[0]) | one for one in missing)]

    def picture() -> Any:
        from rocscope import plotting

        panels = [
            dataclasses.replace(panel, title=f"{name} {value}: {panel.title}")
            for name, value, result in made
            for panel in plotting.picture(result).panels
        ]
        return plotting.Picture(panels=tuple(panels))

    reasons = [
        f"{name} {value}: {pair.first} - {pair.second}: {pair.reason}"
        for name, value, result in made
        for pair in result.pairs
        if pair.reason
    ]
    return out.CommandResult(
        command="compare",
        input=described,
        results=lambda: [
            {"by": name, "group": plain(value)} | result.to_dict() for name, value, result in made
        ],
        rows=rows_of,
        blocks=lambda: [
            block
            for name, value, result in made
            for block in (
                f"{name} {value} ({result.n_pos[0]} + {result.n_neg[0]} cases)",
                result.summary(),
                "",
            )
        ][:-1],
        notes=[
            *data.warnings,
            *(f"{name} {value}: {text}" for name, value, result in made for text in result.warnings),
            *reasons,
            *(f"{one['by']} {one['group']}: {one['reason']}" for one in missing),
        ],
        picture=picture,
    )


def _check_pairs(opened: InputFile, curves: int) -> None:
    """Refuse more pairs than the memory holds, before they are compared."""
    from rocscope.io.input_file import show_size

    limit, pairs = opened.limits.memory, curves * (curves - 1) // 2
    if limit is not None and PAIR_BYTES * pairs > limit:
        raise ResourceError(
            f"{curves:,} curves have {pairs:,} pairs, which need {show_size(PAIR_BYTES * pairs)} in memory, "
            f"where {show_size(limit)} may be used",
            remedy=("memory_limit", None, "a larger {} helps, or fewer curves"),
        )


def _by_group(data: rs.BinaryScores, group: str) -> dict[str, rs.BinaryScores]:
    """One sample per group of cases, in sorted order."""
    from rocscope.core.resampling import group_leakage
    from rocscope.core.scores import distinct_labels

    assert data.fold is not None
    if data.groups is not None and (n := group_leakage(data.groups, data.fold).size):
        raise RocInputError(
            f"column {group!r} must have all cases of a cluster in one group, got {n} clusters in several"
        )
    names = distinct_labels(data.fold)
    if len(names) < 2:
        raise RocInputError(f"column {group!r} must hold two or more groups, got only {names[0]!r}")
    samples = {}
    for name in names:
        rows = data.fold == name
        positive = data.positive[rows]
        if positive.all() or not positive.any():
            only = data.pos_label if positive.all() else data.neg_label
            raise RocInputError(f"group {name!r} of {group!r} must hold two classes, got only {only!r}")
        samples[str(name)] = dataclasses.replace(data.rows(rows), fold=None)
    return samples


def _crossings(samples: Mapping[str, rs.BinaryScores], result: rs.CurveComparison) -> list[dict[str, Any]]:
    """For every pair where its curves cross, and which of the two is nowhere below the other."""
    curves = {name: auc.sample_curve(data) for name, data in samples.items()}
    pairs = []
    for pair in result.pairs:
        first, second = curves[pair.first], curves[pair.second]
        row: dict[str, Any] = {"first": pair.first, "second": pair.second}
        row |= {"fpr": None, "tpr": None, "dominant": None}
        if len(first.fpr) + len(second.fpr) <= MOST_VERTICES:
            crossing = rs.crossings(first, second).to_dict()
            row |= {name: crossing[name] for name in ("fpr", "tpr", "dominant")} | {"reason": None}
        else:
            row["reason"] = (
                f"crossings are not sought in curves of more than {MOST_VERTICES} vertices together"
            )
        pairs.append(row)
    return pairs


def _crossing_text(pair: Mapping[str, Any]) -> str:
    first, second, rates = pair["first"], pair["second"], pair["fpr"] or []
    if pair["reason"] is not None:
        return f"{first} and {second}: {pair['reason']}"
    more = len(rates) - SHOWN_CROSSINGS
    crossed = ", ".join(formatting.number(rate) for rate in rates[:SHOWN_CROSSINGS])
    return {
        None: f"{first} and {second} cross at FPR {crossed}{f' and {more} more' if more > 0 else ''}",
        "first": f"{first} is nowhere below {second}",
        "second": f"{second} is nowhere below {first}",
        "equal": f"{first} and {second} have the same curve",
    }[pair["dominant"]]
