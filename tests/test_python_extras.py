"""The page docs/python-extras.md."""

import re
from pathlib import Path

import pytest

PAGE = Path(__file__).parent.parent / "docs" / "python-extras.md"


def test_the_examples_of_the_page_run(tmp_path, monkeypatch):
    """One after the other, as a reader would type them; but no pool, which needs a module of its own."""
    pytest.importorskip("pandas")
    monkeypatch.chdir(tmp_path)
    blocks = re.findall(r"```python\n(.*?)```\n", PAGE.read_text(encoding="utf-8"), flags=re.S)
    names = {"__name__": "page"}
    for block in blocks:
        exec(block, names)
    assert names["elsewhere"].progress.playouts == 2000
    assert names["axes"].figure.axes[1].get_ylabel() == "coin"
    assert names["solve_one"]("rc204.1", 1).playouts == 1000
