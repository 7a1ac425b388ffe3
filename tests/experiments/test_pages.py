"""The tables of the experiments' pages are what their commands print of the records, experiments/pages.py."""

import re
from pathlib import Path

import pytest

EXPERIMENTS = Path(__file__).parent.parent.parent / "experiments"
ROOT = EXPERIMENTS.parent
FOLDERS = EXPERIMENTS, EXPERIMENTS / "paper", ROOT / "docs", ROOT / "docs" / "problems"
PAGES = [
    path for folder in FOLDERS for path in folder.glob("*.md") if "\n<!-- from: " in path.read_text(encoding="utf-8")
]


@pytest.fixture
def pages(monkeypatch):
    monkeypatch.syspath_prepend(str(EXPERIMENTS))
    monkeypatch.chdir(EXPERIMENTS.parent)
    import pages

    return pages


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.name)
def test_tables_are_those_of_the_records(pages, path):
    """A figure that was changed by hand is written anew."""
    assert path in pages.pages()
    page = path.read_text(encoding="utf-8")
    assert len(pages.BLOCK.findall(page)) == page.count("<!-- from: ") > 0
    assert pages.renewed(page) == page
    row = pages.BLOCK.search(page)[3].splitlines()[-2]
    assert pages.renewed(page.replace(row, row.replace("5", "6").replace("1", "2"), 1)) == page


def test_one_run_has_no_interval(pages):
    """A mean stands alone."""
    assert pages.cell_text({1: 1234.0}) == "1,234.0"
    assert pages.cell_text({1: 1.0, 2: 3.0}) == "2.0 (2.0)"


def test_a_command_that_fails_is_named(pages):
    """With what it said."""
    page = "<!-- from: nrpa table none.csv -->\n\n```\n```\n"
    with pytest.raises(pages.InputError, match=r"none\.csv"):
        pages.renewed(page)


def test_the_check_fails_where_a_figure_was_edited(pages, monkeypatch, tmp_path, capsys):
    """It names the page and the command of the table, ends with status 1, and changes nothing."""
    page = tmp_path / "when-not.md"
    text = (ROOT / "docs" / "when-not.md").read_text(encoding="utf-8")
    edited = text.replace("| n200w120.002 | 721 | **721** | 722 |", "| n200w120.002 | 721 | **721** | 732 |")
    assert edited != text
    monkeypatch.setattr(pages, "all_pages", lambda: [page])
    monkeypatch.setattr(pages, "ROOT", tmp_path)
    monkeypatch.setattr("sys.argv", ["pages.py", "--check"])
    for content, status in ((text, 0), (edited, 1)):
        page.write_text(content, encoding="utf-8")
        with pytest.raises(SystemExit) as ended:
            pages.main()
        assert ended.value.code == status
        assert page.read_text(encoding="utf-8") == content
    assert re.search(r"when-not\.md: beside 10 tsptw .*\n1 tables", capsys.readouterr().out)


def test_an_answer_that_is_not_valid_is_never_the_better_one(pages, monkeypatch, tmp_path):
    """Though its value is less."""
    rows = "i,rule,,9,True,,5\ni,nrpa,10,7,True,3,5\ni,LKH,10,6,False,,5\n"
    record = tmp_path / "results" / "beside" / "tsp.csv"
    record.parent.mkdir(parents=True)
    record.write_text("instance,by,seconds,value,valid,playouts,best_known\n" + rows)
    monkeypatch.setattr(pages, "HERE", tmp_path)
    assert "| tsp | i | 5 | **7** | not valid | LKH |" in pages.beside("10", "tsp")


def test_a_table_of_figures_without_a_command_is_named(pages, monkeypatch, tmp_path):
    """One that a command prints is not, nor one of words, nor one that says that nothing was measured."""
    page = tmp_path / "page.md"
    figures = "| a | b |\n|---|---|\n| 1.5 | 22 |\n| 3.5 | 44 |\n| 55 | 66 |\n"
    page.write_text(
        f"Text.\n\n{figures}\n<!-- from: beside some.csv -->\n\n{figures}\n| a |\n|---|\n| word |\n"
        f"\n{pages.NOT_MEASURED}{figures}"
    )
    monkeypatch.setattr(pages, "all_pages", lambda: [page])
    monkeypatch.setattr(pages, "ROOT", tmp_path)
    assert pages.unrecorded() == ["page.md:3: | a | b |"]


def test_cells_without_a_record_are_played_by_the_arguments_of_the_list(monkeypatch):
    """Each is a cell of the paper, and what a record says comes back as arguments."""
    monkeypatch.syspath_prepend(str(EXPERIMENTS))
    import matches
    import pages

    known, cells = matches.described(), {row["record"] for row in pages.published()}
    assert {name for name in known if name.startswith("mcps/")} == {
        name for name in cells if name[:5] == "mcps/" and "*" not in name
    }
    assert known["mcps/3-investment-21-exact-5000"][:3] == ["investment", "--members", "21"]
    assert "--members=21" in known["mcps/3-investment-21-exact-1000"]
