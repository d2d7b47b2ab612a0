"""The atlas as a study of the command line: quick, resumed, and its table."""

import csv
from pathlib import Path

from rocscope.atlas.cells import cell_keys, families, fingerprint
from rocscope.cli import main


def test_every_family_answers_in_every_cell_of_the_quick_grid():
    import numpy as np

    for family in families().values():
        assert family.default in family.methods
        for cell in family.cells("quick"):
            truth = np.asarray(family.truth(cell), dtype=float)
            assert truth.shape == (len(family.quantities),)
            assert np.isfinite(truth).all(), (family.name, cell.key)


def test_keys_are_distinct(monkeypatch):
    monkeypatch.setattr("rocscope.atlas.cells.PROBES", 1)
    fingerprint.cache_clear()
    keys = cell_keys("quick")
    fingerprint.cache_clear()
    assert len(keys) == sum(len(one.methods) * len(one.cells("quick")) for one in families().values())


def test_reproduce_writes_the_table(monkeypatch, tmp_path, capsys):
    from rocscope.atlas import cells

    monkeypatch.setattr("rocscope.atlas.cells.families", lambda: {"auc": cells.FAMILIES["auc"]})
    assert main(["reproduce", "atlas", "--quick", "--out", str(tmp_path / "atlas"), "--n-jobs", "1"]) == 0
    assert "auc, AUC, auto" in capsys.readouterr().out
    with Path(tmp_path, "atlas", "atlas.csv").open() as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == 9 * 16
    assert {row["simulations"] for row in rows} == {"60"}
    assert main(["reproduce", "atlas", "--quick", "--out", str(tmp_path / "atlas"), "--n-jobs", "1"]) == 0
    assert "144 of 144" in capsys.readouterr().out
    assert main(["study", "status", str(tmp_path / "atlas")]) == 0
    assert "144" in capsys.readouterr().out
