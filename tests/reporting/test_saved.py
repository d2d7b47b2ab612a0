import json

import numpy as np
import pytest

import rocscope as rs
from rocscope.core.result import Result
from rocscope.errors import RocInputError
from rocscope.reporting.page import distinct, page
from rocscope.reporting.saved import different, read_saved, saved_results, saved_sections
from rocscope.reporting.sections import Section


def through_json(result):
    return json.loads(result.to_json())


@pytest.fixture(scope="module")
def results(cases):
    y, a, b, _ = cases
    return {
        "curve": rs.roc_curve(y, a),
        "area": rs.auc(y, a),
        "undefined": rs.auc([0, 0, 1], [1, 2, 3], method="delong"),
        "band": rs.roc_band(y, a, simultaneous=True),
        "comparison": rs.compare_auc(y, {"a": a, "b": b}),
        "point": rs.point_measures(y, a, threshold=0.5),
    }


@pytest.mark.parametrize("name", ["curve", "area", "undefined", "band", "comparison", "point"])
def test_saved_results_come_back_the_same(results, name):
    assert Result.from_dict(through_json(results[name])) == results[name]


def test_a_fit_comes_back_without_its_cases(cases):
    y, a, *_ = cases
    fit = rs.fit_binormal(y, a)
    back = Result.from_dict(through_json(fit))
    assert (back.a, back.b, back.auc) == (fit.a, fit.b, fit.auc)
    np.testing.assert_array_equal(back.cov, fit.cov)
    assert back.goodness == fit.goodness


def test_saved_results_have_the_sections_of_results(results, parsed):
    saved = saved_results([through_json(result) for result in results.values()])
    found = parsed(page(saved_sections(saved), title="t"))
    assert found.titles[0] == "Summary"
    assert {"Areas", "Comparison of markers", "All measures at the cut-off"} <= set(found.titles)
    assert f"{results['area'].value:.3f}" in " ".join(found.readings)


def test_what_does_not_come_back_is_shown_as_numbers(cases, parsed):
    y, a, *_ = cases
    choice = rs.choose_binormal(y, a)
    without_curves = {name: value for name, value in through_json(choice).items() if name != "fits"}
    found = parsed(page(saved_sections(saved_results(without_curves)), title="t"))
    cells = [one.text for one in found.all("td")]
    assert found.titles == ["Model choice"]
    assert f"{choice.rows[0].aic:.4f}" in cells
    assert {"positive cases", "rows 1, log likelihood"} <= {one.text for one in found.all("th")}
    assert "undefined" not in cells  # what is null is left out


def test_long_lists_of_saved_numbers_are_cut(parsed):
    found = parsed(page(saved_sections(saved_results({"x": list(range(30))})), title="t"))
    assert [one.text for one in found.all("td")] == ["0, 1, 2, 3, 4, 5, 6, 7, and 22 more"]


def test_averages_come_back_with_their_counts_and_the_explorer(cases, parsed):
    y, a, _, fold = cases
    roc = rs.average_roc(y, a, fold=fold)
    found = parsed(page(saved_sections(saved_results(through_json(roc.compare_to(3)))), title="t"))
    assert found.titles == ["Average over folds", "Operating point"]
    np.testing.assert_array_equal(found.data["s2-data"]["counts"], roc.counts.ravel())


def test_what_was_saved_twice_is_shown_once(results, parsed):
    saved = saved_results([through_json(results["point"])] * 3)
    assert parsed(page(saved_sections(saved), title="t")).titles == ["Operating point"]


def test_documents_of_commands_are_read(tmp_path):
    rows = [{"type": "Estimate", "score": "m", "value": 1}, {"score": "n"}, "no result", {}]
    document = tmp_path / "x.json"
    document.write_text(json.dumps({"rocscope": "0.1.0", "command": "auc", "results": rows}))
    assert [one.name for one in read_saved(str(document))] == ["m", "n"]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "got no JSON: Expecting value"),
        (b"label,score\n1,2\n", "got no JSON"),
        (b"\xff\xfe", "got no JSON"),
        (b"[" * 100_000, "got no JSON"),
        (b"[]", "got none"),
        (b"3", "got none"),
        (b'"text"', "got none"),
        (b'{"results": []}', "got none"),
    ],
)
def test_other_files_are_refused(content, message, tmp_path):
    path = tmp_path / "x.json"
    path.write_bytes(content)
    with pytest.raises(RocInputError, match=f"x.json must be JSON of results, as .* {message}"):
        read_saved(str(path))


def test_a_missing_file_is_named():
    with pytest.raises(RocInputError, match=r"^there is no file nowhere\.json$"):
        read_saved("nowhere.json")


ODD = [
    {"type": "Estimate", "value": "text", "low": [], "high": {}},
    {
        "type": "Estimate",
        "name": 3,
        "value": {"a": 1},
        "se": None,
        "low": 1,
        "high": 0,
        "level": "x",
        "method": 1,
    },
    {"type": "RocCurve", "fpr": [0, 1], "tpr": [0, "x"], "thresholds": [], "n_pos": 1, "n_neg": 1, "auc": 2},
    {"type": "RocCurve", "fpr": [], "tpr": [], "thresholds": [None], "n_pos": 1, "n_neg": 1, "auc": 0.5},
    {
        "type": "Band",
        "x": [1, 2],
        "mean": [1],
        "low": [None],
        "high": [None],
        "defined": [True],
        "level": 0.95,
    },
    {"type": "PointMeasures", "sensitivity": {"type": "Estimate"}},
    {"type": ["list"], "x": [[[1]]], "y": {"z": {"z": {"z": {"z": {"z": 1}}}}}},
    {"type": "__class__", "1e999": 1e308},
    {"score": "</script><img src=x onerror=x>", "<b>": ["<i>"] * 3, "rows": [{"<u>": 1}, {"other": None}]},
    {"ragged": [[1, 2], [3]], "mixed": [1, "a", None, True, {"value": 3}]},
]


@pytest.mark.parametrize("fields", ODD, ids=range(len(ODD)))
def test_odd_files_are_shown_as_they_stand(fields, parsed):
    found = parsed(page(saved_sections(saved_results(fields)), title="t"))
    assert len(found.titles) == 1
    assert not found.all("img")
    assert not found.all("b")


@pytest.mark.slow
def test_many_saved_results_are_distinguished_in_one_pass():
    """Pairs are not compared: 20,000 results, each twice, are 20,000."""
    rows = [{"type": "Estimate", "value": k} for k in range(20_000)]
    assert [one.fields["value"] for one in different(saved_results([*rows, *rows]))] == list(range(20_000))
    titles = [section.title for section in distinct([Section(title="a", body=())] * 20_000)]
    assert titles[-1] == "a (20000)"


def test_a_result_that_does_not_go_with_others_is_left_out(cases, parsed, monkeypatch):
    from rocscope.reporting.topics import curves

    y, a, b, _ = cases
    real = curves.estimates_section
    monkeypatch.setattr(
        curves, "estimates_section", lambda items: real(items) if len(items) < 2 else {}["broken"]
    )
    found = parsed(
        page(saved_sections(saved_results([through_json(rs.auc(y, s)) for s in (a, b)])), title="t")
    )
    assert found.titles == ["Areas", "What this report does not show, and why"]


def test_falling_rates_are_no_curve(results):
    fields = through_json(results["curve"])
    with pytest.raises(RocInputError):
        Result.from_dict({**fields, "tpr": fields["tpr"][::-1]})


def test_an_area_without_an_interval_names_no_method(results):
    from rocscope.reporting.sections import estimate_table

    table = estimate_table({"a": results["area"], "b": results["undefined"]}, caption="t")
    assert [row[-1] for row in table.rows] == [results["area"].method, "none"]
