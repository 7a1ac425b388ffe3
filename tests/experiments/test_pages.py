"""The tables of the experiments' pages are what their commands print of the records, experiments/pages.py."""

from pathlib import Path

import pytest

EXPERIMENTS = Path(__file__).parent.parent.parent / "experiments"
DOCS = EXPERIMENTS.parent / "docs"
FOLDERS = EXPERIMENTS, DOCS / "problems"
MARKED = [
    path for folder in FOLDERS for path in folder.glob("*.md") if "<!-- from: " in path.read_text(encoding="utf-8")
]
PAGES = [*MARKED, *(DOCS / f"{name}.md" for name in ("growth", "which-solver", "cores-and-clusters"))]


@pytest.fixture
def pages(monkeypatch):
    monkeypatch.syspath_prepend(str(EXPERIMENTS))
    monkeypatch.chdir(EXPERIMENTS.parent)
    import pages

    return pages


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.name)
def test_tables_are_those_of_the_records(pages, path):
    """A figure that was changed by hand is written anew."""
    page = path.read_text(encoding="utf-8")
    assert len(pages.BLOCK.findall(page)) == page.count("<!-- from: ") > 0
    assert pages.renewed(page) == page
    row = pages.BLOCK.search(page)[3].splitlines()[-2]
    assert pages.renewed(page.replace(row, row.replace("5", "6").replace("1", "2"), 1)) == page


def test_a_command_that_fails_is_named(pages):
    """With what it said."""
    page = "<!-- from: nrpa table none.csv -->\n\n```\n```\n"
    with pytest.raises(pages.InputError, match=r"none\.csv"):
        pages.renewed(page)
