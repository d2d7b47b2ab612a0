"""Every public function, once or more: how it is called on a sample, and which figures of its answer stay.

A new public function gets one `Entry` here, and every invariance of test_invariances.py is tried on it.
A public function that is not here fails a test.
"""

from invariances import (
    calls,
    calls_algorithms,
    calls_average,
    calls_between,
    calls_binormal,
    calls_bootstrap,
    calls_fusion,
    calls_models,
    calls_monte_carlo,
    calls_ordinal,
    calls_report,
)
from invariances.calls import DRAWS
from invariances.sample import Entry, Sample, only

__all__ = ["ENTRIES", "Entry", "Sample"]

# For functions that take long, and for second ways to call one: ties, and a class of two.
FEW = ("few ties", "rare")
TWO_EACH = ("few ties", "many ties", "rare", "separated and constant")
PAIR = ("a-b difference", "auc")
DRAWN = ("cov", "variances", "statistic", "p_value", *(f"a-b {name}" for name in calls_between.ROW[1:-2]))

AREAS = [
    Entry(
        name="auc",
        call=calls.area(),
        swap=calls.swapped_area,
        repeated=("value",),
        variances=("variance",),
    ),
    Entry(name="auc", call=calls.area(method="logit"), swap=calls.swapped_area, repeated=("value",)),
    Entry(name="auc", call=calls.area(method="score"), swap=calls.swapped_area, repeated=("value",)),
    Entry(name="auc", call=calls.area(method="bamber"), swap=calls.swapped_area, repeated=("value",)),
    # Exponential scores are no model of the classes with their signs turned.
    Entry(name="auc", call=calls.area(method="hanley-mcneil"), swap=only("value"), repeated=("value",)),
    Entry(name="auc", call=calls.area(method="agarwal"), swap=calls.swapped_area, repeated=("value",)),
    Entry(
        name="auc",
        call=calls.clustered(calls.area()),
        swap=calls.swapped_area,
        repeated=("value",),
        samples=FEW,
        arrays=False,
    ),
    Entry(
        name="auc",
        call=calls.weighted(calls.area(method="logit")),
        swap=calls.swapped_area,
        repeated=("value",),
        samples=FEW,
        arrays=False,
    ),
    # A case at the threshold is called positive, and negative after the swap.
    Entry(name="auc", call=calls.area_by_errors, swap=only("value"), repeated=("value",), samples=FEW),
    Entry(
        name="auc",
        call=calls.area(method="bootstrap", **DRAWS),
        swap=only("value", "status"),
        repeated=("value",),
    ),
    Entry(
        name="auc",
        call=calls.area(method="bootstrap", bootstrap="bca", **DRAWS),
        swap=only("value", "status"),
        repeated=("value",),
        samples=FEW,
    ),
    Entry(
        name="partial_auc",
        call=calls.part,
        swap=calls.swapped_part,
        repeated=("value over FPR", "value over TPR"),
        drawn=tuple(f"{field} over {rate}" for field in ("se", "low", "high") for rate in ("FPR", "TPR")),
    ),
    Entry(
        name="scorer",
        call=calls.scored,
        swap=calls.swapped_scored,
        repeated=("auc", "partial_auc", "tpr_at_fpr", "neg_fpr_at_tpr", "average_precision"),
        arrays=False,
    ),
    Entry(
        name="multiclass_auc",
        call=calls_between.classes(),
        columns=2,
        repeated=("value", "row values"),
        samples=TWO_EACH,
    ),
    Entry(
        name="multiclass_auc",
        call=calls_between.classes(scheme="ovr", average="weighted", method="logit"),
        columns=2,
        swap=only("rows", "status"),  # each column's weight is the size of its class
        repeated=("value", "row values"),
        samples=TWO_EACH,
    ),
    Entry(
        name="multiclass_auc",
        call=calls_between.classes(method="bootstrap", **DRAWS),
        columns=2,
        swap=only("value", "rows", "status"),
        repeated=("value", "row values"),
        drawn=("se", "ends"),
        samples=FEW,
    ),
    Entry(
        name="multiclass_auc",
        call=calls_between.labels,
        columns=2,
        repeated=("value", "row values"),
        samples=TWO_EACH,
    ),
    Entry(
        name="multiclass_auc",
        call=calls_between.one_score(),
        repeated=("value", "row values"),
        samples=TWO_EACH,
    ),
]

COMPARISONS = [
    Entry(
        name="compare_auc",
        call=calls_between.comparison(),
        columns=2,
        repeated=PAIR,
        variances=("variances",),
    ),
    Entry(name="compare_auc", call=calls_between.comparison(), columns=3, repeated=("auc", "kind")),
    Entry(
        name="compare_auc",
        call=calls_between.comparison(contrasts=[[1, -2, 1]]),
        columns=3,
        repeated=("auc", "b-c difference"),
    ),
    Entry(name="compare_auc", call=calls_between.comparison(paired=False), columns=2, repeated=("auc",)),
    Entry(
        name="compare_auc",
        call=calls_between.comparison(margin=0.1),
        columns=2,
        repeated=PAIR,
        samples=FEW,
    ),
    # The correlation is Pearson's, of the scores themselves.
    Entry(
        name="compare_auc",
        call=calls_between.comparison(method="hanley-mcneil", paired=False),
        columns=2,
        swap=only("a-b difference", "auc"),
        repeated=("auc",),
        samples=FEW,
    ),
    *(
        Entry(
            name="compare_auc",
            call=calls_between.comparison(**how, **DRAWS),
            columns=2,
            swap=only("a-b difference", "auc", "kind", "status"),
            repeated=PAIR,
            drawn=DRAWN,
            samples=FEW,
        )
        for how in (
            {"method": "bootstrap"},
            {"method": "permutation"},
            {"method": "venkatraman"},
            {"method": "permutation", "paired": False},
            {"method": "venkatraman", "paired": False},
        )
    ),
    *(
        Entry(
            name="compare_auc",
            call=calls_between.comparison(**how, **DRAWS),
            columns=2,
            swap=only("kind", "status"),  # a rate of one class becomes one of the other
            repeated=PAIR,
            drawn=DRAWN,
            samples=FEW,
        )
        for how in (
            {"method": "bootstrap", "fpr": (0, 0.4), "standardize": True},
            {"method": "sensitivity", "at": 0.2},
            {"method": "specificity", "at": 0.8},
        )
    ),
]

READERS = [
    Entry(
        name="reader_study",
        call=calls_between.reader_study(**how),
        columns=3,
        repeated=("auc", "difference"),
        samples=samples,
    )
    for how, samples in (
        ({}, None),
        ({"method": "jackknife", "readers": "fixed"}, FEW),
        ({"method": "unbiased"}, TWO_EACH),
        ({"method": "gallas"}, FEW),
        ({"method": "gallas", "cases": "fixed"}, FEW),
    )
]

CALIBRATIONS = [
    Entry(
        name="compare_calibration",
        call=calls_between.calibrations,
        columns=2,
        # Draws go by the order of the probabilities, which is turned round.
        swap=only("values", "score tests"),
        repeated=("values",),
    ),
]

CURVES = [
    Entry(
        name="roc_curve",
        call=calls.curve,
        scores=("thresholds",),
        swap=calls.swapped_curve,
        repeated=("fpr", "tpr", "thresholds", "auc", "part", "other part", "hull", "hull area", "chosen"),
        weighted=True,
    ),
    Entry(
        name="crossings",
        call=calls_between.crossing,
        columns=2,
        # Where curves run together before they part, the crossing is the end that comes first.
        swap=only("dominant", "crossings"),
        repeated=("fpr", "tpr", "first_above", "second_above", "equal", "dominant"),
        weighted=True,
    ),
    *(
        Entry(
            name="roc_band",
            call=calls.band_at_rates(at),
            swap=only("fixed", "defined"),
            repeated=("mean",),
            drawn=tuple(f"{kind} {end}" for kind in ("pointwise", "simultaneous") for end in ("low", "high")),
        )
        for at in ("fpr", "tpr")
    ),
    Entry(
        name="roc_band",
        call=calls.band_at_thresholds(),
        scores=("x",),
        swap=calls.swapped_band,
        repeated=("x", "mean", "fpr"),
    ),
    Entry(
        name="roc_band",
        call=calls.band_at_thresholds(simultaneous=True),
        scores=("x",),
        swap=calls.swapped_band,
        repeated=("x", "mean", "fpr"),
        samples=FEW,
    ),
    *(
        Entry(
            name="roc_band",
            call=design(calls.band_at_thresholds()),
            scores=("x",),
            swap=calls.swapped_band,
            repeated=("x", "mean", "fpr"),
            samples=FEW,
            arrays=False,
        )
        for design in (calls.clustered, calls.weighted)
    ),
    *(
        Entry(
            name="net_benefit",
            call=design(calls.benefit),
            repeated=("mean", "all", "prevalence"),
            swap=only(),
            samples=FEW,
            arrays=False,
        )
        for design in (calls.clustered, calls.weighted)
    ),
    *(
        Entry(
            name="roc_curve",
            call=design(calls.curve),
            scores=("thresholds",),
            swap=calls.swapped_curve,
            repeated=("fpr", "tpr", "thresholds", "auc"),
            samples=FEW,
            arrays=False,
        )
        for design in (calls.clustered, calls.weighted)
    ),
    Entry(
        name="precision_recall",
        call=calls.clustered(calls.precision),
        scores=("thresholds",),
        swap=calls.swapped_precision,
        repeated=("thresholds", "recall", "precision", "mean", "prevalence"),
        drawn=("band", "average ends", "area ends"),
        samples=FEW,
        arrays=False,
    ),
    Entry(
        name="precision_recall",
        call=calls.precision,
        scores=("thresholds",),
        swap=calls.swapped_precision,
        repeated=("thresholds", "recall", "precision", "mean", "average", "area", "prevalence"),
    ),
    Entry(
        name="net_benefit",
        call=calls.benefit,
        swap=calls.swapped_benefit,
        repeated=("mean", "all", "tp", "fp", "prevalence"),
    ),
    Entry(
        name="smooth_roc",
        call=calls.smoothed,
        swap=only("auc", "ends", "empirical"),
        repeated=("empirical",),
        samples=TWO_EACH,
    ),
    Entry(
        name="calibration",
        call=calls.calibrated,
        swap=calls.swapped_calibration,
        repeated=("curve", "scores", "parts", "ratio"),
    ),
]

POINTS = [
    Entry(
        name="point_measures",
        call=calls.measures(),
        scores=("top threshold", "bottom threshold"),
        swap=calls.swapped_measures,
        repeated=("top threshold", "bottom threshold"),
    ),
    *(
        Entry(
            name="point_measures",
            call=design(calls.measures()),
            scores=("top threshold", "bottom threshold"),
            swap=calls.swapped_measures,
            repeated=("top threshold", "bottom threshold"),
            samples=FEW,
            arrays=False,
        )
        for design in (calls.clustered, calls.weighted)
    ),
    Entry(
        name="point_measures",
        call=calls.measures(interval="exact", prevalence=0.3),
        scores=("top threshold", "bottom threshold"),
        swap=only(),
        samples=FEW,
    ),
    Entry(
        name="point_measures",
        call=calls.chosen_measures,
        scores=("chosen threshold",),
        swap=only(),
        repeated=("chosen threshold",),
    ),
    Entry(
        name="cutpoint",
        call=calls.cut(cost=2),
        scores=("threshold", "choices", "interval"),
        swap=only(),
        repeated=("threshold", "tpr apparent", "fpr apparent", "youden apparent", "cost apparent"),
    ),
    Entry(
        name="cutpoint",
        call=calls.cut("fpr<=0.4"),
        scores=("threshold", "choices", "interval"),
        swap=only(),
        repeated=("threshold", "tpr apparent", "fpr apparent", "youden apparent"),
        samples=TWO_EACH,
    ),
    Entry(
        name="grey_zone",
        call=calls.zone,
        scores=("cut-offs", "ends", "single"),
        swap=calls.swapped_zone,
        repeated=("cut-offs", "reached"),
        samples=TWO_EACH,
    ),
]

AVERAGES = [
    *(
        Entry(
            name="average_roc",
            call=calls_average.averaged(**how),
            scores=("points",),
            # A score at the threshold is called positive, and negative after the swap.
            swap=only(),
            repeated=("points", *calls_average.AVERAGED),
            samples=samples,
        )
        for how, samples in (
            ({}, TWO_EACH),
            ({"measures": ("tpr", "error", "cost"), "prevalence": 0.3, "cost": (1, 5)}, FEW),
        )
    ),
    Entry(
        name="average_roc",
        call=calls_average.classifiers,
        columns=2,
        swap=only(),
        repeated=calls_average.CLASSIFIERS,
        samples=TWO_EACH,
    ),
    Entry(
        name="average_roc",
        call=calls_average.averaged_classes,
        columns=2,
        swap=only("points"),
        repeated=("points", *calls_average.AVERAGED),
        samples=TWO_EACH,
    ),
    *(
        Entry(
            name="average_curves",
            call=calls_average.curves(along),
            scores=("x",) if along == "threshold" else (),
            swap=only(),  # the folds are other ones
            repeated=calls_average.CURVE,
            samples=TWO_EACH,
        )
        for along in ("fpr", "tpr", "threshold")
    ),
    *(
        Entry(
            name="search_weights",
            call=calls_average.weights(**how),
            columns=2,
            swap=only(),  # weights multiply, and ranks turned round are no multiples
            repeated=("weights",),
            samples=TWO_EACH,
        )
        for how in ({}, {"objective": "mean-class-error", "refine": True})
    ),
    Entry(
        name="front_weights",
        call=calls_average.front,
        columns=2,
        swap=only(),
        repeated=("weights",),
        samples=TWO_EACH,
    ),
    Entry(
        name="weight_neighbourhood",
        call=calls_average.neighbourhood,
        columns=2,
        swap=only("weights", "factors"),
        repeated=(*calls_average.NEIGHBOURHOOD, "rates"),
        samples=TWO_EACH,
    ),
    Entry(
        name="sweep_weights",
        call=calls_average.swept,
        columns=2,
        swap=only(),
        repeated=("weights",),
        samples=TWO_EACH,
    ),
    *(
        Entry(
            name="choose_reject",
            call=calls_average.rejecting(**how),
            columns=2,
            swap=only(),
            repeated=("values", "reject"),
            samples=TWO_EACH,
        )
        for how in ({"rate": 0.2}, {"error": 0.25})
    ),
    Entry(
        name="auc_by",
        call=calls_average.grouped,
        swap=only("overall"),  # the groups are other ones
        repeated=("areas", "overall"),
        samples=TWO_EACH,
    ),
    *(
        Entry(
            name="cross_auc",
            call=calls_average.cross_area(method=method),
            swap=only(*(("value", "status") if method == "pooled" else ())),  # the folds are other ones
            repeated=("value",),
            samples=TWO_EACH,
        )
        for method in ("mean", "pooled")
    ),
    Entry(
        name="cross_scores",
        call=calls_average.crossed,
        swap=only("folds", "response"),
        repeated=("cases", "folds", "response"),
        samples=("few ties", "many ties"),
    ),
]

ORDINALS = [
    Entry(
        name="ordinal_roc",
        call=calls_ordinal.given,
        swap=only(*calls_ordinal.OF_RANKS),
        repeated=calls_ordinal.OF_RANKS,
        samples=TWO_EACH,
    ),
    *(
        Entry(
            name="ordinal_roc",
            call=calls_ordinal.ranked(**how),
            columns=2,
            swap=only(),  # the classes are other ones
            repeated=calls_ordinal.SHARED,
            samples=samples,
        )
        for how, samples in (
            ({}, ("few ties", "many ties")),
            ({"thresholds": "all", "fixed": "upper", "closure": "flat"}, ("few ties", "many ties")),
            ({"objective": "kappa", "cuts": "range", **DRAWS}, ("few ties",)),
        )
    ),
    Entry(
        name="ordinal_roc",
        call=calls_ordinal.on_rank_scale,
        columns=2,
        swap=only(),  # the classes are other ones
        repeated=("max_auc", "avg_auc", "error", "kappa", *calls_ordinal.OF_RANKS),
        samples=("few ties", "many ties"),
    ),
    Entry(
        name="compare_ordinal",
        call=calls_ordinal.compared,
        columns=2,
        swap=only(),  # the classes are other ones
        repeated=("values", "differences"),
        drawn=("tests",),
        samples=("few ties", "many ties"),
    ),
    Entry(
        name="ordinal_scores",
        call=calls_ordinal.estimated,
        swap=only("response"),
        repeated=("cases", "response"),
        samples=("few ties",),
    ),
]

OTHERS = [
    Entry(
        name="from_query",
        call=calls.database,
        scores=("scores",),
        swap=calls.swapped_file,
        repeated=("auc", "scores"),
        arrays=False,
        samples=("few ties",),
    ),
    Entry(
        name="read_scores",
        call=calls.file,
        scores=("scores",),
        swap=calls.swapped_file,
        repeated=("auc", "scores"),
        weighted=True,
        arrays=False,
        samples=("few ties",),
    ),
    Entry(
        name="bootstrap_auc",
        call=calls_bootstrap.estimates,
        swap=only("apparent"),  # a case in the middle is decided for the other class
        repeated=("apparent", "apparent error", "gamma"),
        drawn=calls_bootstrap.DRAWN,
        samples=("few ties", "many ties"),
    ),
    Entry(
        name="learning_curve",
        call=calls_bootstrap.learning,
        swap=only("sizes", "cases", "defined"),
        repeated=("sizes", "cases"),
        drawn=("values", "mc_error"),
        samples=("few ties",),
    ),
    Entry(name="monte_carlo", call=calls_monte_carlo.study, samples=("few ties",)),
    Entry(name="variance_components", call=calls_monte_carlo.crossed, samples=("few ties",)),
    Entry(name="difference_components", call=calls_monte_carlo.difference, samples=("few ties",)),
    Entry(name="power", call=calls_between.plan, samples=("few ties",)),
    Entry(
        name="sample_size",
        call=calls_between.plan_size,
        swap=calls_between.swapped_size,
        repeated=("n_pos", "n_neg", "half_width"),
        samples=("few ties",),
    ),
    Entry(
        name="sample_size",
        call=calls_between.pilot_size,
        columns=2,
        swap=calls_between.swapped_size,
        repeated=(),
        samples=("few ties",),
    ),
]

FITS = [
    Entry(
        name="fit_binormal",
        call=calls_binormal.fitted(),
        swap=calls_binormal.swapped,
        repeated=("status", "n_categories"),
    ),
    Entry(
        name="fit_binormal",
        call=calls_binormal.fitted(method="least-squares"),
        swap=only("status"),  # distances along the other axis
        repeated=("status", "n_categories"),
        samples=FEW,
    ),
    Entry(
        name="fit_binormal",
        call=calls_models.proper,
        swap=calls_models.swapped_proper,
        repeated=("status", "n_categories"),
        samples=FEW,
    ),
    Entry(
        name="fit_contaminated",
        call=calls_models.contaminated,
        swap=only("n_categories"),
        repeated=("status", "n_categories"),
        samples=FEW,
    ),
    Entry(
        name="choose_binormal",
        call=calls_models.chosen,
        swap=calls_models.swapped_choice,
        repeated=("best", "n_categories"),
        samples=("few ties",),
    ),
    Entry(
        name="fit_binormal_pair",
        call=calls_models.pair,
        columns=2,
        swap=calls_models.swapped_pair,
        repeated=("status",),
        samples=FEW,
    ),
]

FUSIONS = [
    # Negatives and positives have other spreads: weights mean something else when they change places.
    *(
        Entry(name=name, call=call, columns=2, swap=only(), samples=("few ties",))
        for name, call in (
            ("combine_binormals", calls_fusion.combined),
            ("combined_score", calls_fusion.combined),
            ("predicted_auc", calls_fusion.predicted),
            ("best_weights", calls_fusion.best),
            ("combine_curves", calls_fusion.integrated),
            ("preview_fusion", calls_fusion.previewed(target="tpr", fpr=0.2)),
            ("preview_fusion", calls_fusion.curved),
        )
    ),
    Entry(
        name="preview_fusion",
        call=calls_fusion.previewed(),
        columns=2,
        swap=only(),
        samples=("few ties", "many ties"),
    ),
]

ENTRIES = [
    *CURVES,
    *AREAS,
    *COMPARISONS,
    *READERS,
    *CALIBRATIONS,
    *POINTS,
    *AVERAGES,
    *ORDINALS,
    *OTHERS,
    *FITS,
    *FUSIONS,
    *calls_algorithms.ENTRIES,
    Entry(
        name="analyse",
        call=calls_report.analysed,
        swap=only("area"),
        repeated=("area",),
        samples=("few ties",),
    ),
    Entry(
        name="plot_roc",
        call=calls_report.drawn,
        swap=only("area"),
        repeated=("x", "y", "area"),
        samples=("few ties", "rare"),
    ),
    Entry(
        name="report", call=calls_report.page, swap=only("area"), repeated=("x", "y"), samples=("few ties",)
    ),
]
