"""Tables that grow by a row at a time, experiments/rows.py."""

from pathlib import Path

import pytest

from nrpa.base.errors import InputError

EXPERIMENTS = Path(__file__).parent.parent.parent / "experiments"


@pytest.fixture
def rows(monkeypatch):
    monkeypatch.syspath_prepend(str(EXPERIMENTS))
    import rows

    return rows


def test_a_line_cut_short_is_dropped(rows, tmp_path):
    """And a table that is not there is made."""
    path = tmp_path / "table.csv"
    assert rows.read_rows(path, ("a", "b")) == []
    rows.append_row(path, {"a": 1, "b": 2})
    path.write_text(path.read_text() + "3")
    assert rows.read_rows(path, ("a", "b")) == [{"a": "1", "b": "2"}]
    rows.append_row(path, {"a": 5, "b": "x, y"})
    assert path.read_text() == 'a,b\n1,2\n5,"x, y"\n'


@pytest.mark.parametrize("text", ["a,c\n1,2\n", "a,b,c\n", "solution", "a,b\n1\n"])
def test_another_table_is_refused(rows, tmp_path, text):
    """And stays as it is."""
    path = tmp_path / "table.csv"
    path.write_text(text)
    with pytest.raises(InputError, match=r"table\.csv"):
        rows.read_rows(path, ("a", "b"))
    assert path.read_text() == text
