"""Tables that grow by a row at a time, experiments/tables.py."""

from pathlib import Path

import pytest

from nrpa.base.errors import InputError

EXPERIMENTS = Path(__file__).parent.parent.parent / "experiments"


@pytest.fixture
def tables(monkeypatch):
    monkeypatch.syspath_prepend(str(EXPERIMENTS))
    import tables

    return tables


def test_a_line_cut_short_is_dropped(tables, tmp_path):
    """And a table that is not there is made."""
    path = tmp_path / "table.csv"
    assert tables.read_rows(path, ("a", "b")) == []
    tables.append_row(path, {"a": 1, "b": 2})
    path.write_text(path.read_text() + "3")
    assert tables.read_rows(path, ("a", "b")) == [{"a": "1", "b": "2"}]
    tables.append_row(path, {"a": 5, "b": "x, y"})
    assert path.read_text() == 'a,b\n1,2\n5,"x, y"\n'


@pytest.mark.parametrize("text", ["a,c\n1,2\n", "a,b,c\n", "solution", "a,b\n1\n"])
def test_another_table_is_refused(tables, tmp_path, text):
    """And stays as it is."""
    path = tmp_path / "table.csv"
    path.write_text(text)
    with pytest.raises(InputError, match=r"table\.csv"):
        tables.read_rows(path, ("a", "b"))
    assert path.read_text() == text
