import sys

import pytest

from nrpa.base.data_frame import data_frame
from nrpa.base.errors import InputError


def test_columns_become_a_table():
    """In their order."""
    pytest.importorskip("pandas")
    frame = data_frame({"b": [1, 2], "a": ["x", "y"]})
    assert list(frame.columns) == ["b", "a"]
    assert frame["a"].tolist() == ["x", "y"]


def test_without_pandas_a_sentence_says_so(monkeypatch):
    """It is no dependency."""
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(InputError, match="needs pandas, which is not installed; pip install pandas"):
        data_frame({"a": [1]})
