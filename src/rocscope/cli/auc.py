"""`rocscope auc`: the area under each ROC curve, with its interval."""

from __future__ import annotations

import dataclasses
from collections.abc import Collection, Mapping
from typing import TYPE_CHECKING, Annotated, Any, Literal, TypeAlias

import rocscope as rs
from rocscope.cli import options as opt
from rocscope.cli import output as out
from rocscope.core.formatting import interval_name
from rocscope.errors import RocUsageError, UndefinedError

if TYPE_CHECKING:
    from rocscope.core.table import LabelledTable
    from rocscope.io.large import FileSums
    from rocscope.plotting import Picture

# The rows of one score, or what was counted of them.
Sample: TypeAlias = "rs.BinaryScores | FileSums | LabelledTable"
COLUMNS = ("value", "se", "low", "high", "level", "method", "alternative", "status", "reason")
# Methods that need more than the sums of the placements.
FROM_CURVE = ("bamber", "cortes-mohri")


def auc(
    file: opt.File,
    /,
    *,
    source: opt.Designed,
    method: str | None = None,
    level: opt.Level = 0.95,
    alternative: opt.Alternative = "two-sided",
    threshold: Annotated[float, opt.text_option(opt.read_threshold, "T")] | None = None,
    chance: opt.Chance = opt.Chance(),
    bootstrap: Literal["percentile", "bca"] | None = None,
    unstratified: opt.Flag = False,
    part: opt.PartialArea = opt.PartialArea(),
    classes: opt.Names | None = None,
    scheme: Literal["ovo", "ovr"] | None = None,
    average: Literal["macro", "weighted", "micro"] | None = None,
    drop_classes: opt.Flag = False,
    fold: opt.Fold | None = None,
    pooled: opt.Flag = False,
    by: opt.By | None = None,
    cluster: opt.Cluster = opt.Cluster(),
    output: out.Output = out.Output(),
) -> None:
    """Area under the ROC curve of each score, with its interval.

    With --fpr or --tpr the area of a part of the curve. With --classes the areas
    of one classifier of several classes, a score for each, and their average; or those of one score for all
    classes. With --fold the mean of the folds' areas, with --by the areas of groups, their differences to the
    rest and a test that all are equal.

    With --na drop each score loses only the rows where its own value or the label is missing.
    --memory-limit is for files of any size: the result is the same, and exact. Only the bootstrap, partial
    areas and --classes need the rows in memory, and are refused where these do not fit.

    Parameters
    ----------
    method
        Interval: auto (unless given: delong where it holds its level, score in small studies; logit with
        clusters), delong, logit, score, hanley-mcneil, bamber, bootstrap, cortes-mohri or agarwal. Of a
        partial area: auto (unless given: score; logit with clusters and weights), score, logit, delong or
        bootstrap. With --classes: logit, unless given, delong or bootstrap.
    threshold
        For cortes-mohri: errors of score >= T are counted. With --by: TPR, FPR and PPV of each group at T.
    bootstrap
        Interval of the bootstrap; percentile unless given.
    unstratified
        Draw bootstrap samples from all cases together, not class by class.
    classes
        Several classes: that of each --score, in their order; of one --score all classes from low to high.
    scheme
        Several classes: all pairs (ovo, unless given), or each against all others.
    average
        Several classes: all count the same (macro, unless given), or by their cases; or with --scheme ovr the
        area of all scores together (micro).
    drop_classes
        Leave out classes of fewer than two cases.
    pooled
        With --fold: the area of all folds' scores in one ranking, not the mean of the folds' areas.

    Examples
    --------
    rocscope auc scores.csv --label outcome --pos-label ill --score marker
    rocscope auc scores.csv --label y --score model_a --score model_b --out roc.png
    cat scores.csv | rocscope auc - --label y --score model_a --json
    rocscope auc huge.parquet --label y --score model_a --memory-limit 512MB
    rocscope auc scores.csv --label y --score s --method bootstrap --bootstrap bca --seed 1
    rocscope auc scores.csv --label y --score s --fpr 0,0.1 --standardize
    rocscope auc scores.csv --label y --score s --fpr 0,0.1 --method bootstrap --seed 1
    rocscope auc p.csv --label y --classes a,b,c --score pa --score pb --score pc --scheme ovo
    rocscope auc p.csv --label stage --classes 1,2,3,4 --score marker
    rocscope auc blood.xlsx --label anaemia --pos-label yes --score haemoglobin --direction lower
    rocscope auc lesions.csv --label malignant --score model --groups patient
    rocscope auc survey.csv --label ill --score model --weight sampling_weight
    rocscope auc scores.csv --label y --score s --fold fold
    rocscope auc scores.csv --label y --score s --by site --by sex --threshold 0.5 --out groups.png
    rocscope auc ratings.csv --label state --pos-label abnormal --score rating --count cases
    rocscope auc "parts/*.parquet" --label y --score s --memory-limit 512MB
    rocscope auc parts --label y --score s --backend dask --scheduler tcp://host:8786
    rocscope auc counts.csv --counts score,pos,neg
    """
    from rocscope.core import checks
    from rocscope.inference.auc import METHODS, PARTIAL_METHODS

    output.check(file)
    limits = {name: ends for name, ends in (("fpr", part.fpr), ("tpr", part.tpr)) if ends is not None}
    if limits:
        why = "must be left out with --fpr and --tpr: a partial area has a percentile bootstrap interval"
        opt.refuse(why, bootstrap=bootstrap, classes=classes)
    else:
        opt.refuse("belongs to partial areas: give --fpr or --tpr", standardize=part.standardize)
    if fold is None:
        opt.refuse("belongs to --fold", pooled=pooled)
    n_jobs = None if cluster.backend == "dask" else chance.n_jobs
    of_draws: dict[str, Any] = {"n_boot": chance.n_boot, "n_jobs": n_jobs, "bootstrap": bootstrap}
    beside: dict[str, Any] = {
        "fold": fold,
        "by": by,
        "classes": classes,
        "counts": source.counts,
        "count": source.count,
    }
    beside |= {"fpr": part.fpr, "tpr": part.tpr, **source.design}
    cluster.check(chance.n_jobs, **beside)
    if source.counts is not None:
        opt.refuse("must be left out with --counts", fold=fold, by=by, classes=classes)
    other = "fold" if fold is not None else "by" if by else None
    if other is not None:
        apart: dict[str, Any] = {"method": method, "classes": classes, "fpr": part.fpr, "tpr": part.tpr}
        if other == "fold":
            apart |= {"by": by, "threshold": threshold, "weight": source.weight}
        opt.refuse(f"must be left out with --{other}", **apart)
        why = f"belongs to --method bootstrap, got --{other}"
        opt.refuse(why, **of_draws, unstratified=unstratified)
        opt.refuse("needs --classes", scheme=scheme, average=average, drop_classes=drop_classes)
        if by:
            opt.refuse(
                "must be left out with --by", alternative=None if alternative == "two-sided" else alternative
            )
            _grouped_areas(file, source, by, output, level=level, threshold=threshold)
        else:
            how = {"level": level, "alternative": alternative, "method": "pooled" if pooled else "mean"}
            _fold_areas(file, source, fold or "", how, output)
        return
    if method is None:
        method = "auto" if classes is None or limits else "logit"
    drawn = method == "bootstrap"
    if method != "cortes-mohri":
        opt.refuse(f"belongs to --method cortes-mohri, got method {method!r}", threshold=threshold)
    elif threshold is None:
        raise RocUsageError("--method cortes-mohri needs --threshold")
    if not drawn:
        why = f"belongs to --method bootstrap, got method {method!r}"
        opt.refuse(why, **of_draws, unstratified=unstratified)
    draws = chance.draws(used=drawn)
    how = {"method": method, "level": level, "alternative": alternative}
    if classes is not None:
        one_score = len(source.score) == 1 and len(classes) > 1
        why = "must be left out with --classes"
        opt.refuse(why, threshold=threshold, bootstrap=bootstrap, unstratified=unstratified)
        opt.check_class_names(classes, classes if one_score else source.score, source.pos_label)
        missing = "drop" if drop_classes else "undefined"
        if not one_score:
            opt.refuse("belongs to one score of all classes", direction=source.direction)
        opt.refuse("must be left out with --classes", count=source.count, **source.design)
        how |= {"scheme": scheme or "ovo", "average": average or "macro", "missing": missing}
        how |= {} if source.direction is None else {"direction": source.direction}
        _class_areas(file, source, classes, how, draws, output)
        return
    of_classes = {"scheme": scheme, "average": average, "drop_classes": drop_classes}
    opt.refuse("needs --classes", **of_classes)
    checks.check_choice(method, PARTIAL_METHODS if limits else METHODS, name="method")  # before a long file
    checks.check_level(level)
    if cluster.backend == "dask" and (method in FROM_CURVE or drawn):
        raise RocUsageError(f"--backend dask belongs to methods that need no curve, got method {method!r}")
    with source.open(file, row_bytes=drawn * (opt.DRAWN_CURVES if limits else opt.DRAWN_AREAS)) as opened:
        samples: dict[str, Sample]
        if cluster.backend == "dask":
            from rocscope.io.large import FileSums

            with cluster.scores(opened, source.columns, chance.n_jobs) as scores_of:
                spread = {name: scores_of([name]) for name in source.score}
                samples = {
                    name: FileSums(name=name, sums=one.sums(), direction=one.direction, **one.labels)
                    for name, one in spread.items()
                }
        elif source.counts is not None:
            samples = {source.counts[0]: source.counted(opened)}
        elif opened.limits.memory is None or drawn or limits or source.count or any(source.design.values()):
            samples = {**source.samples(opened)}
        else:
            from rocscope.io.large import curves_of_file, sums_of_file, vertex_at

            if output.suffix in out.FIGURES or method in FROM_CURVE:
                keep = None if threshold is None else lambda curve: [max(vertex_at(curve, threshold), 0)]
                samples = {**curves_of_file(opened, **source.columns, keep=keep)}
            else:
                samples = {**sums_of_file(opened, **source.columns)}
        described = out.describe(opened)

    one = next(iter(samples.values()))
    clusters = opt.cluster_notes(one, source.groups) if isinstance(one, rs.BinaryScores) else []
    options = draws.options | {"stratify": not unstratified} if drawn else {}
    if limits:
        options |= how | {"standardize": part.standardize} | limits
        areas = {name: rs.partial_auc(sample, **options) for name, sample in samples.items()}
    else:
        options |= how | ({} if threshold is None else {"threshold": threshold})
        options |= {} if bootstrap is None else {"bootstrap": bootstrap}
        areas = {name: area_of(sample, options) for name, sample in samples.items()}
    result = _areas_result(samples, areas, described | draws.input)
    known = (
        part_notes(samples, areas, part) if limits else _validity_notes(samples, areas, method, source.design)
    )
    notes = [*clusters, *result.notes, *known, *draws.notes]
    output.deliver(dataclasses.replace(result, notes=notes))
    if all(area.status == "undefined" for area in areas.values()):
        raise UndefinedError("; ".join(f"{name}: {area.reason}" for name, area in areas.items()))


def _areas_result(
    samples: Mapping[str, Sample], areas: Mapping[str, rs.Estimate], described: Mapping[str, Any]
) -> out.CommandResult:
    """One area of each score."""
    return out.CommandResult(
        command="auc",
        input=described,
        results=lambda: [
            (about := _classes(name, samples[name])) | areas[name].to_dict() | about for name in areas
        ],
        rows=lambda: [
            _classes(name, samples[name]) | {field: area[field] for field in COLUMNS}
            for name, area in areas.items()
        ],
        blocks=lambda: [area_table(samples, areas)],
        notes=area_notes(areas),
        picture=lambda: curves_picture(samples, areas),
    )


def _validity_notes(
    samples: Mapping[str, Sample], areas: Mapping[str, rs.Estimate], method: str, design: Mapping[str, Any]
) -> list[str]:
    """Which intervals are known to hold the true area too seldom, at so many cases and such an area."""
    from rocscope.atlas.results import LEVEL, quantity_notes, validity_notes
    from rocscope.inference.auc import AreaEstimate

    kinds = [name for name in ("groups", "weight") if design.get(name)]
    if kinds:
        family = {"groups": "auc clusters", "weight": "auc weights"}[kinds[0]]
        return [
            note
            for name, area in areas.items()
            if area.value is not None and (area.level, area.alternative) == (LEVEL, "two-sided")
            for note in quantity_notes(
                family,
                samples[name].n_pos,
                samples[name].n_neg,
                {"AUC": area.value},
                method=area.method,
                area=area.value,
                name=name,
            )
        ]
    known = {name: area.validity() for name, area in areas.items() if isinstance(area, AreaEstimate)}
    low = {name: one for name, one in known.items() if one.is_low}
    return validity_notes(low, "" if method == "auto" else "; --method auto holds better")


def part_notes(
    samples: Mapping[str, Sample], areas: Mapping[str, rs.Estimate], part: opt.PartialArea
) -> list[str]:
    """The same of partial areas, over the ranges that were simulated."""
    from rocscope.atlas.results import LEVEL, quantity_notes

    ranges = (("FPR", part.fpr), ("TPR", part.tpr))
    quantity = " and ".join(f"{axis} {ends[0]:g}-{ends[1]:g}" for axis, ends in ranges if ends is not None)
    notes = list[str]()
    for name, area in areas.items():
        one = samples[name]
        usual = area.level == LEVEL and area.alternative == "two-sided" and not part.standardize
        if usual and area.low is not None and (not isinstance(one, rs.BinaryScores) or one.is_plain):
            values = {quantity: area.value}
            notes += quantity_notes(
                "partial_auc", one.n_pos, one.n_neg, values, method=area.method, name=name
            )
    return notes


def _classes(name: str, data: Sample) -> dict[str, Any]:
    from rocscope.core.result import plain

    labels = {"pos_label": plain(data.pos_label), "neg_label": plain(data.neg_label)}
    return {"score": name, "n_pos": data.n_pos, "n_neg": data.n_neg} | labels


# ---- Within a limit of memory: counts, and never all rows -------------------------------------------------


def area_of(data: Sample, options: Mapping[str, Any]) -> rs.Estimate:
    """Area and interval of the rows, or of what was counted."""
    if isinstance(data, (rs.BinaryScores, rs.ScoreTable)):
        return rs.auc(data, **options)
    from rocscope.inference.auc import auc_from_sums
    from rocscope.io.large import FileCurve, vertex_at

    how = dict(options)
    threshold = how.pop("threshold", None)
    if isinstance(data, FileCurve):
        how["tied_pairs"], curve = data.tied_pairs, data.curve
        if threshold is not None:
            vertex = vertex_at(curve, threshold)
            how["errors"] = int(curve.fp[vertex] + curve.n_pos - curve.tp[vertex])
    return auc_from_sums(data.sums, warnings=data.warnings, direction=data.direction, **how)


# ---- Areas over folds, and of groups ----------------------------------------------------------------------


def _fold_areas(
    file: out.Paths, source: opt.Designed, fold: str, how: dict[str, Any], output: out.Output
) -> None:
    from rocscope.atlas.results import LEVEL, quantity_notes

    with source.open(file) as opened:
        data = source.read(opened, fold=fold)
        described = out.describe(opened)
    samples: dict[str, Sample] = {**data.each()}
    areas = {name: rs.cross_auc(sample, **how) for name, sample in data.each().items()}
    result = _areas_result(samples, areas, described)
    notes = [*opt.cluster_notes(data, source.groups), *result.notes]
    if data.is_plain and (how["level"], how["alternative"]) == (LEVEL, "two-sided"):
        for name, area in areas.items():
            values = {"mean area of the trained models": area.value}
            known: dict[str, Any] = {"method": how["method"], "area": area.value, "name": name}
            notes += quantity_notes("cross_auc", data.n_pos, data.n_neg, values, **known)
    output.deliver(dataclasses.replace(result, notes=notes))


def _grouped_areas(
    file: out.Paths,
    source: opt.Designed,
    by: list[str],
    output: out.Output,
    *,
    level: float,
    threshold: float | None,
) -> None:
    with source.open(file) as opened:
        data, groups = source.grouped(opened, source.score, by)
        described = out.describe(opened)
    results = {
        name: rs.auc_by(sample, by=groups, level=level, threshold=threshold)
        for name, sample in data.each().items()
    }
    output.deliver(
        out.CommandResult(
            command="auc",
            input=described,
            results=lambda: [{"score": name} | result.to_dict() for name, result in results.items()],
            rows=lambda: [
                {"score": name} | row for name, result in results.items() for row in out.rows_of(result)
            ],
            blocks=lambda: [
                block
                for name, result in results.items()
                for block in ([f"{name}:"] if len(results) > 1 else []) + [*group_blocks(result), ""]
            ][:-1],
            notes=[
                *opt.cluster_notes(data, source.groups),
                *(
                    text if len(results) == 1 else f"{name}: {text}"
                    for name, result in results.items()
                    for text in (*result.warnings, *(_group_notes(result) if data.is_plain else ()))
                ),
            ],
            picture=lambda: _groups_picture(results),
        )
    )


def _group_notes(result: Any) -> list[str]:
    """Tests of groups that are known to reject too often where groups are as small as the smallest."""
    from rocscope.atlas.results import quantity_notes

    rows = [row for row in result.groups if row.auc is not None]
    if len(rows) < 2 or len(result.tests) != 1:
        return []
    size = min(row.n_pos for row in rows), min(row.n_neg for row in rows)
    tests = {"homogeneity": result.tests[0].p_value, "first minus the rest": rows[0].p_value}
    tests["any difference (Holm)"] = rows[0].p_adjusted
    mean = sum(row.auc for row in rows) / len(rows)
    return quantity_notes("auc_by", *size, tests, kind="test", method="auto", area=mean)


def group_blocks(result: Any) -> list[out.Block]:
    """The areas of groups as tables, column after column, with the test of each."""
    table = result.table()
    everyone = f"{result.overall.summary()} of all cases"
    blocks: list[out.Block] = [everyone]
    for test in result.tests:
        rows = tuple(row[1:] for row, of in zip(table.rows, result.groups, strict=True) if of.by == test.by)
        header = (test.by, *table.columns[2:])
        blocks += ["", test.summary(), *out.TextTable(header, rows).parts()]
    return [*blocks, *(note for note in table.notes if note.startswith("["))]  # what letters in cells mean


def _groups_picture(results: Mapping[str, Any]) -> Picture:
    from rocscope import plotting

    panels = [
        dataclasses.replace(panel, title=f"{name}, {panel.title}" if len(results) > 1 else panel.title)
        for name, result in results.items()
        for panel in plotting.picture(result).panels
    ]
    return plotting.Picture(panels=tuple(panels))


# ---- Areas of several scores, for `compare` and `demo` as well --------------------------------------------


def area_table(
    samples: Mapping[str, Sample], areas: Mapping[str, rs.Estimate], first: str = "score"
) -> out.TextTable:
    """Areas and intervals, one row per curve, with the number of cases in each class."""
    data, area = next(iter(samples.values())), next(iter(areas.values()))
    header = (
        first,
        f"{area.name} ({interval_name(area.level, area.alternative)})",
        "method",
        f"positive: {data.pos_label}",
        f"negative: {data.neg_label}",
    )
    rows = [
        (name, out.with_interval(areas[name]), areas[name].method, f"{sample.n_pos}", f"{sample.n_neg}")
        for name, sample in samples.items()
    ]
    return out.TextTable(header, tuple(rows))


def area_notes(areas: Mapping[str, rs.Estimate], known: Collection[str] = ()) -> list[str]:
    """Warnings and reasons, each with the curve it is about; without those that are known already."""
    return [
        f"{name}: {text}"
        for name, area in areas.items()
        for text in (*area.warnings, area.reason)
        if text and text not in known
    ]


def curves_picture(samples: Mapping[str, Sample], areas: Mapping[str, rs.Estimate], **more: Any) -> Picture:
    """All curves in one plot."""
    from rocscope import plotting

    curves = {name: sample_curve(data) for name, data in samples.items()}
    return plotting.curves(curves, estimates=areas, **more)


def sample_curve(data: Sample) -> rs.RocCurve:
    """The ROC curve of a sample."""
    from rocscope.core.curve import curve_of
    from rocscope.io.large import FileCurve

    if isinstance(data, rs.ScoreTable):
        return rs.roc_curve(data)
    return data.curve if isinstance(data, FileCurve) else curve_of(data)  # type: ignore[arg-type]


# ---- Areas of a classifier of several classes, one score for each -----------------------------------------


def _class_areas(
    file: out.Paths,
    source: opt.Scored,
    classes: list[str],
    how: dict[str, Any],
    draws: opt.Draws,
    output: out.Output,
) -> None:
    with source.open(file) as opened:
        data, dropped = source.class_scores(opened, source.label, source.score, classes)
        described = out.describe(opened)
    labels = [data.classes[code] for code in data.codes]
    scores = data.scores if len(source.score) > 1 else data.scores[:, 0]
    result = rs.multiclass_auc(labels, scores, classes=data.classes, **how, **draws.options)
    result = dataclasses.replace(result, warnings=(*dropped, *result.warnings))
    named = [*((row.label, row) for row in result.rows), (f"{result.average} average", result)]
    rows = [{"row": name} | {field: row[field] for field in COLUMNS} for name, row in named]
    forms = out.result_of("auc", described | draws.input, result, rows=lambda: rows)
    output.deliver(dataclasses.replace(forms, notes=[*forms.notes, *draws.notes]))
    if result.status == "undefined":
        raise UndefinedError(f"no average: {result.reason}")
