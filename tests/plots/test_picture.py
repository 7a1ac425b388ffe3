import os
import subprocess
import sys
from functools import partial
from types import SimpleNamespace

import pytest

from nrpa.plots import picture
from nrpa.plots.picture import new_axes, titled

CELL = """
import io
from contextlib import redirect_stdout
from IPython.core.interactiveshell import InteractiveShell
shell = InteractiveShell.instance()
import matplotlib
matplotlib.use("module://matplotlib_inline.backend_inline")
from nrpa.bench.records import Record, Records
import nrpa.plots
shown = []
from matplotlib_inline import backend_inline
backend_inline.display = lambda figure, **rest: shown.append(figure)
axes = nrpa.plots.anytime(Records("seconds", [Record("A", "i", 1, 0.01, 1, -9.0)], False))
backend_inline.show()
print(shown == [axes.figure])
"""


def test_a_notebook_shows_pictures():
    """The inline backend shows what pyplot knows, once, though nobody has called pyplot."""
    pytest.importorskip("matplotlib_inline")
    found = subprocess.run([sys.executable, "-c", CELL], capture_output=True, text=True, check=False)
    assert (found.stdout, found.returncode) == ("True\n", 0), found.stderr


def test_elsewhere_figures_are_none_of_pyplots():
    """They would stay in memory, and a window might open."""
    from matplotlib import pyplot

    before = pyplot.get_fignums()
    new_axes()
    assert pyplot.get_fignums() == before
    assert not picture.is_in_notebook()


BAD = """
import nrpa
result = nrpa.solve(nrpa.SameGame([[0, 0], [1, 1]]), "random", seed=1, playouts=2)
try:
    nrpa.plots.convergence(result)
except nrpa.InputError as error:
    print(error, result.playouts)
"""


def test_a_backend_that_there_is_not_is_one_sentence(tmp_path):
    """The result is kept: the command line refuses the picture before a search, and from Python it is an InputError."""
    environment = {**os.environ, "MPLBACKEND": "paper"}
    run = partial(subprocess.run, env=environment, cwd=tmp_path, capture_output=True, text=True, check=False)
    sentence = "MPLBACKEND=paper: names a backend that matplotlib does not have; expected agg, or no MPLBACKEND"
    found = run([sys.executable, "-c", BAD])
    assert (found.stdout, found.stderr) == (f"{sentence} 1\n", "")
    found = run(
        [sys.executable, "-m", "nrpa", "solve", "samegame", "samegame-01", "--playouts", "2", "--plot", "a.png"]
    )
    assert (found.returncode, found.stdout, found.stderr) == (2, "", f"error: {sentence}\n")


def test_a_title_without_a_name():
    """Does not begin with a colon."""
    assert titled(SimpleNamespace(name="p", label=""), "3 moves") == "p: 3 moves"
    assert titled(SimpleNamespace(name="p", label="a"), "3 moves") == "p a: 3 moves"
