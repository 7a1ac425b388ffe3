"""The description beside the records of an experiment."""

import pytest

from nrpa.bench.description import description_beside, description_path, orders_beside


def test_both_files_of_an_experiment_have_one_description(tmp_path):
    """Unless one of that very name lies beside the file."""
    assert description_path(tmp_path / "a.playouts.csv") == tmp_path / "a.json"
    (tmp_path / "a.playouts.json").write_text("{}")
    assert description_path(tmp_path / "a.playouts.csv") == tmp_path / "a.playouts.json"


@pytest.mark.parametrize(
    "text", ["{", "[" * 100_000, "3", "[]", '{"experiment": {"variants": [["A"]], "instances": []}}']
)
def test_a_description_of_another_kind_names_nothing(tmp_path, text):
    """All names have one place, the last; so have they without a file."""
    path = tmp_path / "a.csv"
    for _ in range(2):
        assert {order(name) for order in orders_beside(path) for name in "AB"} == {0}
        path.with_suffix(".json").write_text(text)


def test_names_have_the_places_of_the_description(tmp_path):
    """Others come after them."""
    (tmp_path / "a.json").write_text('{"experiment": {"variants": {"B": {}, "A": {}}, "instances": ["i"]}}')
    variants, instances = orders_beside(tmp_path / "a.csv")
    assert [variants(name) for name in "BAC"] == [0, 1, 2]
    assert [instances(name) for name in "iB"] == [0, 1]
    assert description_beside(tmp_path / "a.playouts.csv")["experiment"]["instances"] == ["i"]
