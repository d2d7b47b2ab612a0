import json
import subprocess
import sys
from importlib import import_module

import pytest
from sklearn.naive_bayes import GaussianNB

import rocscope as rs
from rocscope import draw, views
from rocscope.average.curves import average_curves
from rocscope.average.roc import average_roc
from rocscope.errors import RocInputError
from rocscope.sources.estimators import cross_scores

Y, SCORES = [0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8]
FOLD = [0, 1, 0, 1]


def test_every_view_has_its_type_and_function():
    for name, home in views._VIEWS.items():
        module, _, cls = name.rpartition(".")
        assert isinstance(getattr(import_module(module), cls), type)
        assert callable(import_module(home).picture)


def results():
    curve = rs.roc_curve(Y, SCORES)
    draws = {"n_boot": 100, "rng": 1}
    learners = {"one": GaussianNB(), "two": GaussianNB(var_smoothing=0.5)}
    compared = rs.compare_algorithms(learners, ([[s] for s in SCORES] * 2, Y * 2), folds=2)
    return {
        "curve": curve,
        "area": rs.auc(Y, SCORES),
        "part": rs.partial_auc(Y, SCORES, fpr=(0, 0.5), **draws),
        "comparison": rs.compare_auc(Y, {"a": SCORES, "b": [1, 2, 2, 1]}),
        "crossings": rs.crossings(curve, rs.roc_curve(Y, [1, 2, 2, 1])),
        "band": rs.roc_band(Y, SCORES, **draws),
        "band at thresholds": rs.roc_band(Y, SCORES, at="threshold"),
        "precision": rs.precision_recall(Y, SCORES, **draws),
        "precision band": rs.precision_recall(Y, SCORES, **draws).band,
        "benefit": rs.net_benefit(Y, SCORES),
        "measures": rs.point_measures(Y, SCORES, threshold=0.5),
        "cutpoint": rs.cutpoint(Y, SCORES, **draws),
        "classes": rs.multiclass_auc(Y, [[1 - s, s] for s in SCORES], classes=[0, 1]),
        "average": average_roc(Y, SCORES, fold=FOLD),
        "average compared": average_roc(Y, SCORES, fold=FOLD).compare_to(1),
        "average region": average_roc(Y, SCORES, fold=FOLD).indifference_region(1),
        "average curves": average_curves(Y, SCORES, fold=FOLD),
        "bootstrap": rs.bootstrap_auc(GaussianNB(), [[s] for s in SCORES] * 3, Y * 3, n_boot=5, rng=1),
        "learning curve": rs.learning_curve(
            GaussianNB(), [[s] for s in SCORES] * 3, Y * 3, sizes=[6], n_boot=2, rng=1
        ),
        "monte carlo": rs.monte_carlo("lda", n=5, trials=2, n_boot=2, n_test=5, rng=1),
        "components": rs.variance_components("lda", n=5, training_sets=3, test_sets=3, n_test=5, rng=1),
        "binormal": rs.fit_binormal(Y, SCORES),
        "binormal line": rs.Binormal(a=1, b=1).deviates(),
        "binormal densities": rs.Binormal(a=1, b=1).densities(),
        "proper": rs.fit_binormal(Y, SCORES, proper=True),
        "model choice": rs.choose_binormal(Y * 3, [*SCORES, *range(8)]),
        "ranks": compared.ranks["auc"],
        "fold distribution": rs.fold_distribution(compared, "data", "one"),
        "cross scores": cross_scores(GaussianNB(), [[s] for s in SCORES] * 2, Y * 2, cv=FOLD * 2),
    }


@pytest.mark.parametrize("result", results().values(), ids=results().keys())
def test_every_result_has_a_picture(result):
    assert isinstance(views.picture(result), views.Picture)
    assert json.loads(json.dumps(draw.record(views.picture(result)), allow_nan=False))


@pytest.mark.parametrize("result", results().values(), ids=results().keys())
def test_every_result_plots_itself(result):
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    figure = Figure()
    FigureCanvasAgg(figure)
    ax = figure.add_subplot()
    assert result.plot(ax) is ax
    figure.canvas.draw()


def test_every_result_type_with_a_picture_is_tried():
    types = {cls.__name__ for result in results().values() for cls in type(result).__mro__}
    types.add("OrdinalRoc")  # several panels, which one axes cannot hold: tests/views/test_ordinal.py
    types.add("FusionPreview")  # three panels: tests/views/test_fusion.py
    types.add("BinormalPair")  # two panels: tests/views/test_binormal_pair.py
    types |= {"AlgorithmComparison", "AlgorithmPair", "LossCurves"}  # tests/views/test_algorithms.py
    assert {name.rpartition(".")[2] for name in views._VIEWS} <= types


def test_subclass_is_shown_like_its_base():
    class Special(rs.Estimate):
        pass

    estimate = Special(name="AUC", value=0.8, se=0.1, low=0.6, high=1.0, level=0.95, method="delong")
    assert views.picture(estimate).panels[0].y.tick_labels == ("AUC",)


@pytest.mark.parametrize("result", [[1, 2], rs.power(0.8, n_pos=20, n_neg=20)])
def test_what_has_no_picture_is_named(result):
    with pytest.raises(RocInputError) as error:
        views.picture(result)
    known = ", ".join(name.rpartition(".")[2] for name in views._VIEWS)
    assert str(error.value) == (
        f"result must be of a type that has a picture ({known}), got {type(result).__name__}"
    )


@pytest.mark.parametrize("room", ["views", "draw"])
def test_import_loads_no_drawing_library(room):
    code = (
        f"import sys, rocscope.{room}; sys.exit(bool({{'matplotlib', 'plotly', 'numba'}} & set(sys.modules)))"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
