import os
import stat
import subprocess
import sys

import pytest
from matplotlib import pyplot as plt
from matplotlib.figure import Figure
from matplotlib.image import imread

import rocscope as rs
from rocscope import plotting
from rocscope.errors import ResourceError, RocInputError

CURVE = rs.roc_curve([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8])
PICTURE = plotting.picture(CURVE, name="cost $", points=[1])
HEADS = {"png": b"\x89PNG", "svg": b"<?xml", "pdf": b"%PDF"}


@pytest.mark.parametrize("kind", HEADS)
def test_file_is_of_the_kind_its_ending_says(tmp_path, kind):
    path = tmp_path / f"curve.{kind.upper()}"
    assert plotting.save(PICTURE, path) is None
    assert path.read_bytes().startswith(HEADS[kind])
    assert [entry.name for entry in tmp_path.iterdir()] == [path.name]


@pytest.mark.slow
@pytest.mark.parametrize("kind", HEADS)
def test_same_picture_gives_the_same_bytes(tmp_path, kind):
    for name in ("first", "second"):
        plotting.save(PICTURE, tmp_path / f"{name}.{kind}")
    with plt.style.context("dark_background"):
        plotting.save(PICTURE, tmp_path / f"third.{kind}")
    assert len({(tmp_path / f"{name}.{kind}").read_bytes() for name in ("first", "second", "third")}) == 1


def test_size_and_dpi(tmp_path):
    plotting.save(PICTURE, tmp_path / "curve.png", size=(3, 2), dpi=50)
    assert imread(tmp_path / "curve.png").shape[:2] == (100, 150)


def test_file_is_replaced_whole_or_not_at_all(tmp_path, monkeypatch):
    path = tmp_path / "curve.svg"
    path.write_text("old")

    def fail(*args, **kwargs):
        raise OSError("no space left")

    with monkeypatch.context() as patch:
        patch.setattr(Figure, "savefig", fail)
        with pytest.raises(OSError, match="no space left"):
            plotting.save(PICTURE, path)
    with monkeypatch.context() as patch:
        patch.setattr(os, "fsync", fail)
        with pytest.raises(ResourceError, match="no space left"):
            plotting.save(PICTURE, path)
    assert path.read_text() == "old"
    assert [entry.name for entry in tmp_path.iterdir()] == ["curve.svg"]
    plotting.save(PICTURE, path)
    assert path.read_bytes().startswith(HEADS["svg"])


def test_file_has_the_permissions_of_any_new_file(tmp_path):
    (tmp_path / "plain").touch()
    plotting.save(PICTURE, tmp_path / "curve.pdf")
    modes = {stat.S_IMODE((tmp_path / name).stat().st_mode) for name in ("plain", "curve.pdf")}
    assert len(modes) == 1


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"path": "curve.gif"}, "path must end in .png, .svg or .pdf, got 'curve.gif'"),
        ({"path": "curve"}, "path must end in .png, .svg or .pdf, got 'curve'"),
        ({"path": "no/such/curve.png"}, "path must lie in an existing folder, got 'no/such/curve.png'"),
        ({"size": 3}, "size must be a pair (width, height), got 3"),
        ({"size": (3, 0)}, "size[1] must be greater than 0, got 0"),
        ({"dpi": -1}, "dpi must be greater than 0, got -1"),
    ],
)
def test_refuses(tmp_path, monkeypatch, changes, message):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(RocInputError) as error:
        plotting.save(PICTURE, **{"path": "curve.png"} | changes)
    assert str(error.value) == message
    assert list(tmp_path.iterdir()) == []


@pytest.mark.slow
def test_saving_leaves_pyplot_alone(tmp_path):
    code = (
        "import sys, rocscope as rs; from rocscope import plotting; "
        "plotting.save(plotting.picture(rs.roc_curve([0, 1], [0, 1])), sys.argv[1]); "
        "sys.exit('matplotlib.pyplot' in sys.modules)"
    )
    run = subprocess.run([sys.executable, "-W", "error", "-c", code, tmp_path / "curve.png"], check=False)
    assert run.returncode == 0
