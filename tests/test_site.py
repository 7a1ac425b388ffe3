"""What the site of the documentation says is complete, and its links are checked."""

import re
from pathlib import Path
from typing import ClassVar

import pytest

import nrpa
from nrpa.cli import COMMANDS, MODULES
from nrpa.engine.kernels import OF_PROBLEMS
from nrpa.registry import problems

DOCS = Path(__file__).parent.parent / "docs"
API = "\n".join(page.read_text(encoding="utf-8") for page in sorted((DOCS / "library").glob("*.md")))
BLOCKS = re.findall(r"^```\{library-names\} [\w.]+\n(.*?)^```$", API, flags=re.M | re.S)
LISTED = {*"".join(BLOCKS).split(), *re.findall(r"^\.\. py:data:: (\w+)$", API, flags=re.M)}


@pytest.fixture
def check_links(monkeypatch):
    monkeypatch.syspath_prepend(str(DOCS))
    pytest.importorskip("bs4")
    import check_links

    return check_links


def test_every_public_name_is_in_the_reference():
    """Those of nrpa, nrpa.bench, nrpa.plots and nrpa.report, and no other; modules are headings there."""
    names = {name for name in nrpa.__all__ if name not in ("bench", "plots", "problems", "report", "solvers")}
    names -= {entry.where.partition(":")[2] for entry in problems.bundled.values()}
    names |= {f"bench.{name}" for name in nrpa.bench.__all__} | {f"plots.{name}" for name in nrpa.plots.__all__}
    names |= {f"report.{name}" for name in nrpa.report.__all__}
    assert LISTED - set(OF_PROBLEMS) - {"Moves"} == names


def test_every_kernel_is_in_the_reference():
    """An optional kernel that is added to the table is documented."""
    assert set(OF_PROBLEMS) <= LISTED


def test_a_link_that_leads_nowhere_is_found(check_links, tmp_path):
    """A page, a file or an anchor that is missing is named; links to the outside are left alone."""
    (tmp_path / "a.html").write_text(
        '<a id="here" href="b.html#there">b</a> <a href="#here">a</a> <a href="https://x/y">x</a>'
    )
    (tmp_path / "b.html").write_text(
        '<p id="there"><img src="gone.png"> <a href="a.html#gone">a</a> <a href="c.html">c</a>'
    )
    assert check_links.missing_links(tmp_path) == ["b.html: a.html#gone", "b.html: c.html", "b.html: gone.png"]


def test_a_page_that_needs_a_network_is_found(check_links, tmp_path):
    """A script, a style or a picture from elsewhere is named; a link to read on is none."""
    (tmp_path / "a.html").write_text(
        '<a href="https://x/y">x</a><script src="https://x/y.js"></script><img src="b.png">'
    )
    (tmp_path / "b.html").write_text('<link rel="stylesheet" href="//x/y.css"><link href="here.css"><script></script>')
    found = ["a.html: https://x/y.js is not of the site", "b.html: //x/y.css is not of the site"]
    assert check_links.from_networks(tmp_path) == found


def test_formulas_are_the_browsers_own(monkeypatch):
    """As MathML in the page, which no script has to draw."""
    pytest.importorskip("sphinx")
    monkeypatch.syspath_prepend(str(DOCS))
    import mathml
    from docutils import nodes

    class Translator:
        body: ClassVar[list[str]] = []

    for write, node in ((mathml.inline, nodes.math("", r"\tau")), (mathml.block, nodes.math_block("", r"\frac{1}{2}"))):
        with pytest.raises(nodes.SkipNode):
            write(Translator, node)
    short, long = Translator.body
    assert "<mi>τ</mi>" in short
    assert 'display="block"' in long
    assert "<mfrac>" in long


def test_the_links_of_the_readme_lead_somewhere():
    """Those to files of the checkout, pictures among them."""
    root = DOCS.parent
    links = re.findall(r"\]\((?!https?:)([^)#]+)", (root / "README.md").read_text(encoding="utf-8"))
    assert links
    assert [link for link in links if not (root / link).exists()] == []


def test_the_files_that_pages_name_are_there():
    """Those of the source, in `code`."""
    root, named = DOCS.parent, set()
    for page in [*DOCS.glob("**/*.md"), *root.glob("*.md"), *root.glob("experiments/*.md")]:
        text = page.read_text(encoding="utf-8")
        named |= {*re.findall(r"`((?:docs|examples|experiments|nrpa|plots|problems|solvers|tests)/[\w./-]+)`", text)}
    assert len(named) > 50
    assert sorted(path for path in named if not (root / path).exists()) == []


def test_the_readme_has_the_command_of_the_tests():
    """The one that ``.ci/run`` looks for."""
    text = (DOCS.parent / "README.md").read_text(encoding="utf-8")
    assert len(re.findall(r"^python3 -m venv .*pytest", text, flags=re.M)) == 1


def test_every_command_is_in_the_reference():
    """Each has its directive."""
    page = (DOCS / "commands.md").read_text(encoding="utf-8")
    assert set(re.findall(r"click:: ([\w.:]+)", page)) == {
        f"nrpa.cli.{MODULES.get(name, name)}:{name}_command" for name in COMMANDS
    }
