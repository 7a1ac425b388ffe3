"""What the site of the documentation says is complete, and its links are checked."""

import re
from pathlib import Path

import pytest

import nrpa
from nrpa.engine.kernels import KERNELS

DOCS = Path(__file__).parent.parent / "docs"
LISTED = set(re.findall(r"^   ([\w.]+)$", (DOCS / "api.md").read_text(encoding="utf-8"), flags=re.M))


@pytest.fixture
def check_links(monkeypatch):
    monkeypatch.syspath_prepend(str(DOCS))
    pytest.importorskip("bs4")
    import check_links

    return check_links


def test_every_public_name_is_in_the_reference():
    """Those of nrpa, nrpa.bench and nrpa.plots, and no other; modules are headings there."""
    names = {name for name in nrpa.__all__ if name not in ("bench", "plots", "problems", "solvers")}
    names |= {f"bench.{name}" for name in nrpa.bench.__all__} | {f"plots.{name}" for name in nrpa.plots.__all__}
    assert LISTED - set(KERNELS) - {"Moves"} == names


def test_every_kernel_is_in_the_reference():
    """An optional kernel that is added to the table is documented."""
    assert set(KERNELS) <= LISTED


def test_a_link_that_leads_nowhere_is_found(check_links, tmp_path):
    """A page, a file or an anchor that is missing is named; links to the outside are left alone."""
    (tmp_path / "a.html").write_text('<a id="here" href="b.html#there">b</a> <a href="#here">a</a> <a href="https://x/y">x</a>')
    (tmp_path / "b.html").write_text('<p id="there"><img src="gone.png"> <a href="a.html#gone">a</a> <a href="c.html">c</a>')
    assert check_links.missing_links(tmp_path) == ["b.html: a.html#gone", "b.html: c.html", "b.html: gone.png"]
