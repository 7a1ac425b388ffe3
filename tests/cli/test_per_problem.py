import re

import pytest

from nrpa.cli.per_problem import problem_title

CLASSES = """
import nrpa

class Silent(nrpa.Problem):
    def initial_state(self): return 0
    def legal_moves(self, state): return []
    def play(self, state, move): return state
    def score(self, state): return 0

class Spoken(nrpa.Problem):
    '''A job shop.'''
    def initial_state(self): return 0
    def legal_moves(self, state): return []
    def play(self, state, move): return state
    def score(self, state): return 0
"""


def test_a_class_is_described_by_its_docstring(tmp_path):
    """Without one by its name alone, with no empty parentheses."""
    (tmp_path / "shop.py").write_text(CLASSES)
    assert problem_title(f"{tmp_path}/shop.py:Silent") == "Silent"
    assert problem_title(f"{tmp_path}/shop.py:Spoken") == "Spoken (A job shop)"


@pytest.mark.parametrize("solver", ["gnrpa", "mcps", "tempering", "nmcs", "auto"])
def test_help_has_the_options_of_the_chosen_solver(nrpa_command, solver):
    """And those of the problem, and of no other solver."""
    code, out, _ = nrpa_command("solve", "tsptw", f"--solver={solver}", "--help")
    assert code == 0
    assert "--bias-scale" in out
    shown = {
        word
        for word in ("--tau", "--ref", "--chains", "--memory", "--tempering")
        if re.search(rf"^  --(\[no-\])?{word[2:]} ", out, re.M)
    }
    of_each = {"gnrpa": "--tau", "mcps": "--ref", "tempering": "--chains", "nmcs": "--memory", "auto": "--tempering"}
    assert shown == {of_each[solver]}


@pytest.mark.parametrize(
    "arguments",
    [
        *("solve tsptw", "solve samegame", "solve fold", "choose wargame", "choose videogame --solver uct"),
        *("match hex", "play wargame", "tune tsptw"),
    ],
)
def test_help_fits_on_a_screen(nrpa_command, arguments):
    """At most 52 lines."""
    code, out, _ = nrpa_command(*arguments.split(), "--help")
    assert code == 0
    assert len(out.splitlines()) <= 52


def test_all_options_are_shown_when_asked_for(nrpa_command):
    """Those of every solver, and what the first screen leaves out."""
    code, out, _ = nrpa_command("solve", "tsptw", "--help-all")
    assert code == 0
    for flag in ("--tau", "--ref", "--chains", "--memory", "--checkpoint", "--resume", "--dask", "--bias-scale"):
        assert f"  {flag}" in out
    assert "--checkpoint" not in nrpa_command("solve", "tsptw", "--help")[1]


def test_the_help_of_an_unknown_solver_is_a_sentence(nrpa_command):
    """Exit 2."""
    code, out, err = nrpa_command("solve", "tsptw", "--solver", "nosuch", "--help")
    assert (code, out) == (2, "")
    assert "unknown solver 'nosuch'" in err
