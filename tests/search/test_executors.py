"""Problems on their way to other processes."""

import subprocess
import sys

import pytest
from coins import COINS
from walk import Walk

import nrpa
from nrpa.registry import problem_class
from nrpa.search.executors import packed, unpacked

MAIN = """
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

if __name__ == "__main__":
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        result = nrpa.solve(Coins(), nrpa.NMCS(), seed=1, playouts=20, workers=2, executor=pool)
    print(result.score)
"""


def test_a_problem_is_made_once():
    """The same bytes give the same object in a thread."""
    problem = nrpa.TSPTW.load("rc201.1")
    parcel = packed(problem)
    assert unpacked(parcel) is unpacked(parcel)
    assert unpacked(parcel).sha256 == problem.sha256


def test_a_problem_of_a_users_file_is_made_where_the_file_is_not_loaded(tmp_path):
    """Another process imports the file first; where there is none, one sentence names it."""
    file = tmp_path / "coins.py"
    file.write_text(COINS)
    (tmp_path / "parcel").write_bytes(packed(problem_class(f"{file}:Coins")()))
    script = (
        "import sys; from nrpa.search.executors import unpacked; "
        "print(type(unpacked(open(sys.argv[1], 'rb').read())).__name__)"
    )
    command = [sys.executable, "-c", script, str(tmp_path / "parcel")]
    assert subprocess.run(command, capture_output=True, text=True, check=True).stdout == "Coins\n"
    file.unlink()
    assert "coins.py: no such file" in subprocess.run(command, capture_output=True, text=True, check=False).stderr


def test_a_problem_that_cannot_be_pickled():
    """One sentence."""
    problem = Walk()
    problem.odd = lambda: None
    with pytest.raises(nrpa.InputError, match="Walk: cannot be sent to worker processes"):
        packed(problem)


@pytest.mark.parametrize("as_file", [True, False])
def test_a_class_of_the_main_module(tmp_path, as_file):
    """It goes to an executor by value: Dask does not import the script, and a notebook has none."""
    (tmp_path / "script.py").write_text(COINS + MAIN)
    where = ["script.py"] if as_file else ["-c", COINS + MAIN]
    done = subprocess.run([sys.executable, *where], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert (done.stdout, done.returncode) == ("-3.0\n", 0), done.stderr
