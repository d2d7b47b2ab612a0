"""What all studies share: their names, and the rows of their tables."""

import pytest

from rocscope.errors import RocInputError
from rocscope.papers.base import Options, PaperSummary, Table, all_papers, find_paper, readme, table_row
from rocscope.run.study import StudyStatus


def test_every_paper_is_registered_by_its_module():
    papers = all_papers()
    assert sorted(papers) == ["aslan", "atlas", "marrocco", "paclik", "winkler", "yousef"]
    for name, paper in papers.items():
        assert paper.name == name
        assert paper.make.__module__ == paper.summarise.__module__ == f"rocscope.papers.{name}"


def test_unknown_paper():
    with pytest.raises(RocInputError, match="did you mean 'paclik'"):
        find_paper("packlik")


def test_rows():
    row = table_row(None, 0.5, None, n=3)
    assert list(row) == ["n", "paper", "ours", "difference", "mc_error"]
    assert row["difference"] is None
    assert table_row(0.25, 0.5, 0.1)["difference"] == 0.25


def test_readme_leaves_out_empty_sections():
    status = StudyStatus(name="paclik", total=2, done=2, failed=0, seconds=3.4, digest="d1")
    summary = PaperSummary(tables=(Table(name="one", rows=[{"a": 1}]),), choices=("This.",))
    text = readme(summary, Options(size="quick", seed=5), status, {"digits": "ab12"})
    made = "`rocscope reproduce paclik --quick --seed 5 --data DIR --out DIR`"
    assert f"Made by {made}: 2 tasks that took 3 s of computing" in text
    assert "Digests of the data: digits `ab12`." in text
    assert "## What had to be chosen\n\n- This." in text
    assert "`one.csv`: 1 rows" in text
    assert "could not be had" not in text
    assert "Figures" not in text
