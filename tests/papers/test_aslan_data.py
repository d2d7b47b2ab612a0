"""How data sets are read for the study of Aslan et al."""

import numpy as np
import pytest

from data_folder import data_dir
from rocscope.errors import ResourceError
from rocscope.papers import aslan
from rocscope.papers.base import Options
from rocscope.papers.datasets import load_dataset

pytestmark = pytest.mark.slow


def test_the_quick_form_has_its_data_sets():
    study = aslan.make(Options(size="quick", data=data_dir()))
    assert study.parameters["datasets"] == ["thyroid", "wave", "ada", "spambase"]
    assert len(study.tasks) == 4 * 3 * 5 * 11


def test_without_any_data_set_the_study_says_what_was_tried(monkeypatch, tmp_path):
    monkeypatch.setenv("ROCSCOPE_OFFLINE", "1")
    with pytest.raises(ResourceError, match="data set 'thyroid_2class' was not found; tried: "):
        aslan.make(Options(size="quick", data=tmp_path))


def test_features_of_text_and_missing_numbers_are_read():
    found = load_dataset("thyroid_2class", data_dir())
    assert found.X.shape == (2785, 29)
    assert found.is_text.sum() == 22
    assert np.isnan(found.X[:, ~found.is_text]).any()
    assert not np.isnan(found.X[:, found.is_text]).any()
    assert np.unique(found.y, return_counts=True)[1].tolist() == [62, 2723]


@pytest.mark.parametrize(
    ("name", "smaller"),
    # Cases of the smaller class, from the description of each data set.
    [
        ("nursery_priority_specprior", 4044),
        ("chess_krk_13_14", 4194),
        ("mushroom", 3916),
        ("chess_krkp", 1527),
    ],
)
def test_data_sets_of_text_have_their_classes(name, smaller):
    found = load_dataset(name, data_dir())
    assert np.unique(found.y, return_counts=True)[1].min() == smaller
    assert found.is_text.any()
