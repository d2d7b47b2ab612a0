"""Every view has a short script in examples/gallery, and the gallery in docs is made from them."""

import re
import runpy
from pathlib import Path

import pytest

from every_result import views
from rocscope import plotting

ROOT = Path(__file__).parents[2]
SCRIPTS = sorted((ROOT / "examples" / "gallery").glob("*.py"))
# Result types that a script of another name shows, or that are one row or part of what is shown.
ELSEWHERE = {
    "average": {"rocscope.averaging.point_tests.IndifferenceRegion"},
    "binormal": {"rocscope.binormal.latent.Categories"},
    "bootstrap": {"rocscope.bootstrap.estimates.ErrorEstimates"},
    "calibration_comparison": {"rocscope.inference.calibration_comparison.CalibrationDifference"},
    "comparison": {"rocscope.inference.curve_tests.PairDifference"},
    "cutpoint": {"rocscope.inference.cutpoint.Optimism"},
    "decisions": {"rocscope.algorithms.decisions.DecisionPair"},
    "ordinal_comparison": {"rocscope.ordinal.comparison.FigureDifference"},
}
# Views that a script of another name shows.
SCRIPT_OF = {
    **dict.fromkeys(("algorithm_pair", "fold_distribution", "losses", "ranks"), "algorithms"),
    **dict.fromkeys(
        ("class_curves", "ordinal_curve", "ordinal_folds", "ordinal_scores", "ordinal_thresholds"),
        "ordinal_parts",
    ),
    "best_weights": "combined",
    "rates": "neighbourhood",
}
GALLERY = ROOT / "docs" / "gallery.md"


def stem_of(view):
    """Name of the script of a view, such as "binormal_pair" of "binormal.binormal_pair_picture"."""
    name = view.rpartition(".")[2].removesuffix("_picture")
    return SCRIPT_OF.get(name, name)


def test_every_view_has_a_script():
    assert {stem_of(view) for view in views().values()} <= {path.stem for path in SCRIPTS}


def test_scripts_are_short():
    for path in SCRIPTS:
        assert 8 <= len(path.read_text(encoding="utf-8").splitlines()) <= 40, path


def test_the_gallery_shows_the_scripts_as_they_are():
    text = GALLERY.read_text(encoding="utf-8")
    for path in SCRIPTS:
        code = path.read_text(encoding="utf-8").rstrip()
        assert f"```python\n{code}\n```" in text, (
            f"docs/make_gallery.py was not run since {path.name} changed"
        )


def test_pictures_of_the_gallery_are_there_and_small():
    named = re.findall(r"\]\((gallery/[\w.]+)\)", GALLERY.read_text(encoding="utf-8"))
    assert {path.name for path in (ROOT / "docs" / "gallery").iterdir()} == {Path(n).name for n in named}
    for name in named:
        assert (ROOT / "docs" / name).stat().st_size < 200_000, name


@pytest.mark.slow
@pytest.mark.parametrize("path", SCRIPTS, ids=lambda path: path.stem)
def test_script_runs(path, tmp_path, monkeypatch, capsys):
    shown = set()

    def recorded(result, **options):
        shown.update(f"{cls.__module__}.{cls.__qualname__}" for cls in type(result).__mro__)
        return picture(result, **options)

    picture = plotting.picture
    monkeypatch.setattr(plotting, "picture", recorded)
    monkeypatch.chdir(tmp_path)
    runpy.run_path(str(path), run_name="__main__")
    assert capsys.readouterr().out
    drawn = {file.name for file in tmp_path.glob("*.png")}
    text = GALLERY.read_text(encoding="utf-8")
    assert drawn
    assert all(f"(gallery/{name})" in text for name in drawn)
    own = {kind for kind, view in views().items() if stem_of(view) == path.stem}
    assert own - shown <= ELSEWHERE.get(path.stem, set())
