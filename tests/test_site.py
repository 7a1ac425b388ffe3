"""What the site of the documentation says is complete, and its links are checked."""

import re
from pathlib import Path

import pytest

import nrpa
from nrpa.cli.main import COMMANDS
from nrpa.engine.kernels import KERNELS
from nrpa.registry import problem_class, problems

DOCS = Path(__file__).parent.parent / "docs"
API = (DOCS / "api.md").read_text(encoding="utf-8")
LISTED = set(re.findall(r"^(?:   |\.\. py:data:: )([\w.]+)$", API, flags=re.M))


@pytest.fixture
def check_links(monkeypatch):
    monkeypatch.syspath_prepend(str(DOCS))
    pytest.importorskip("bs4")
    import check_links

    return check_links


def test_every_public_name_is_in_the_reference():
    """Those of nrpa, nrpa.bench, nrpa.plots and nrpa.report, and no other; modules are headings there."""
    names = {name for name in nrpa.__all__ if name not in ("bench", "plots", "problems", "report", "solvers")}
    names |= {f"bench.{name}" for name in nrpa.bench.__all__} | {f"plots.{name}" for name in nrpa.plots.__all__}
    names |= {f"report.{name}" for name in nrpa.report.__all__}
    assert LISTED - set(KERNELS) - {"Moves"} == names


def test_every_kernel_is_in_the_reference():
    """An optional kernel that is added to the table is documented."""
    assert set(KERNELS) <= LISTED


def test_a_link_that_leads_nowhere_is_found(check_links, tmp_path):
    """A page, a file or an anchor that is missing is named; links to the outside are left alone."""
    (tmp_path / "a.html").write_text(
        '<a id="here" href="b.html#there">b</a> <a href="#here">a</a> <a href="https://x/y">x</a>'
    )
    (tmp_path / "b.html").write_text(
        '<p id="there"><img src="gone.png"> <a href="a.html#gone">a</a> <a href="c.html">c</a>'
    )
    assert check_links.missing_links(tmp_path) == ["b.html: a.html#gone", "b.html: c.html", "b.html: gone.png"]


def test_the_links_of_the_readme_lead_somewhere():
    """Those to files of the checkout, pictures among them."""
    root = DOCS.parent
    links = re.findall(r"\]\((?!https?:)([^)#]+)", (root / "README.md").read_text(encoding="utf-8"))
    assert links
    assert [link for link in links if not (root / link).exists()] == []


def test_the_readme_is_a_front_door():
    """On a screen and a half, with the command of the tests that continuous integration runs."""
    lines = (DOCS.parent / "README.md").read_text(encoding="utf-8").splitlines()
    assert len(lines) <= 110
    assert len([line for line in lines if re.match(r"python3 -m venv .*pytest", line)]) == 1


def test_every_problem_has_a_page():
    """Its options are on it."""
    pages = "".join(page.read_text(encoding="utf-8") for page in (DOCS / "problems").glob("*.md"))
    for name in problems.bundled:
        assert not problem_class(name).cli_options or f"```{{problem-options}} {name}\n" in pages


def test_every_command_is_in_the_reference():
    """Each has its directive."""
    page = (DOCS / "commands.md").read_text(encoding="utf-8")
    assert set(re.findall(r"click:: ([\w.:]+)", page)) == {each.where for each in COMMANDS.values()}
