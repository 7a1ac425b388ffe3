import re
import sys
from types import SimpleNamespace

import pytest

import nrpa
from nrpa.search import display

SOLVER = nrpa.GNRPA(level=2, tau=1.4)


@pytest.fixture
def cell(monkeypatch):
    """Return what is displayed below the cell of a kernel: one text a time."""
    shown = []

    class Place:
        def update(self, content):
            shown.append(content)

    def display(content, display_id):
        assert display_id
        shown.append(content)
        return Place()

    kernel = SimpleNamespace(kernel=object())
    stand_in = SimpleNamespace(HTML=str, display=display)
    monkeypatch.setitem(sys.modules, "IPython", SimpleNamespace(get_ipython=lambda: kernel, display=stand_in))
    return shown


def test_a_notebook_has_a_bar(cell, capsys, monkeypatch):
    """In one place, renewed when it is time to, full at the end; nothing goes to standard error."""
    monkeypatch.setattr(display.time, "monotonic", lambda: 0.0)
    problem = nrpa.TSPTW.load("rc206.1")
    result = nrpa.solve(problem, SOLVER, seed=1, playouts=3000, verbose=True)
    assert capsys.readouterr() == ("", "")
    assert len(cell) == 2
    bar = '<progress value="1.000" max="1"></progress>'
    assert re.fullmatch(bar + " .* s, 3,000 playouts, best cost .*, gap .*", cell[-1])
    assert f"best cost {result.value:.2f}" in cell[-1]


def test_the_share_is_that_of_this_call(cell):
    """A run that goes on begins with an empty bar."""
    run = nrpa.start(nrpa.TSPTW.load("rc206.1"), SOLVER, seed=1)
    run.advance(playouts=1000)
    run.advance(playouts=10**9, on_slice=lambda run: True, verbose=True)
    assert float(re.search(r'value="([\d.]+)"', cell[-1])[1]) < 0.1


def test_elsewhere_there_is_none(monkeypatch):
    """Without IPython, in its terminal, and without a shell."""
    monkeypatch.delitem(sys.modules, "IPython", raising=False)
    assert not display.runs_in_jupyter()
    for shell in (None, SimpleNamespace()):
        monkeypatch.setitem(sys.modules, "IPython", SimpleNamespace(get_ipython=lambda shell=shell: shell))
        assert not display.runs_in_jupyter()
