"""Morpion Solitaire as a problem: instances, records, searches."""

import dataclasses
from importlib import resources

import numpy as np
import pytest

from nrpa import NRPA, Morpion, solve
from nrpa.checking.validate import hints_of
from nrpa.io.source import bundled, read_source
from nrpa.problems.morpion.rules import VARIANTS, Move, cross
from nrpa.registry import problem_class

FIRST_MOVES = {"5T": 28, "5D": 28, "4T": 40, "4D": 40}
RECORD_FILES = {"5T": "5T-178-rosin", "5D": "5D-82-rosin", "4T": "4T-62-hyyro-poranen", "4D": "4D-35-hyyro-poranen"}


def test_registered():
    """The problem is found under its name."""
    assert problem_class("morpion") is Morpion


@pytest.mark.parametrize("variant", VARIANTS)
def test_bundled_crosses(variant):
    """The bundled instance is the standard cross, the same that the constructor builds, with its best-known value."""
    problem = Morpion.load(variant)
    row = bundled("morpion")[variant]
    assert problem.dots == Morpion(variant).dots == cross(variant)
    assert len(problem.dots) == row.size
    assert len(problem.instance.open) == FIRST_MOVES[variant]
    assert problem.best_known == row.best_known


@pytest.mark.parametrize("variant", VARIANTS)
def test_best_known_games(variant):
    """The game of the table is legal, of the best-known length, ended, and the same as in the record file."""
    row = bundled("morpion")[variant]
    game = Morpion.parse_solution(row.solution)
    verdict = Morpion.load(variant).check(game)
    assert verdict.valid
    assert verdict.score == row.best_known.value == verdict.figures["moves"]
    assert verdict.figures["moves_left"] == 0
    assert game == Morpion.parse_solution(read_source("morpion", _file(RECORD_FILES[variant])).text)


def _file(name):
    return str(resources.files("nrpa.instances") / name)


@pytest.mark.parametrize("variant", VARIANTS)
def test_search(variant):
    """A search returns a legal, finished game with the score that the kernels counted, the same for the same seed."""
    problem = Morpion(variant)
    result = solve(problem, NRPA(level=1), seed=3, playouts=150)
    assert problem.check(result.solution).valid
    assert result.figures == {"moves": result.score, "moves_left": 0}
    assert solve(problem, NRPA(level=1), seed=3, playouts=150).solution == result.solution


def test_search_learns():
    """A level-2 search beats as many playouts of a policy that hardly learns."""
    problem = Morpion("5D")
    learned = solve(problem, NRPA(level=2), seed=1, playouts=10_000)
    drawn = solve(problem, NRPA(level=1, iterations=10_000, alpha=1e-9), seed=1, playouts=10_000)
    assert learned.score > drawn.score


def test_continuation():
    """A search from a record's middle goes on with it, counts its moves, and returns the whole game."""
    record = Morpion.parse_solution(bundled("morpion")["5D"].solution)
    problem = Morpion("5D", moves=record[:70])
    result = solve(problem, NRPA(level=1), seed=1, playouts=200)
    assert result.solution[:70] == record[:70]
    assert result.score == len(result.solution) >= 75
    assert not problem.check(record[1:]).valid


def test_no_legal_move():
    """A position without a move is solved by the game so far."""
    record = Morpion.parse_solution(bundled("morpion")["4D"].solution)
    assert solve(Morpion("4D", moves=record), NRPA(level=1), seed=1, playouts=5).score == 35
    lone = solve(Morpion("5T", dots=[(0, 0)]), NRPA(level=1), seed=1, playouts=5)
    assert (lone.score, lone.solution) == (0, [])


def test_solution_numbers():
    """The kernels' move numbers and published moves are one to one."""
    problem = Morpion("5T")
    record = Morpion.parse_solution(bundled("morpion")["5T"].solution)
    numbers = [problem._board.number(move, 5) for move in _moves(record)]
    assert problem.solution(np.array(numbers)) == record


def _moves(game):
    return [Move(*move) for move in game]


def test_replayed_positions():
    """What is replayed is the same position with other states, made once; classes derived from Morpion stay as are."""
    problem = Morpion("4D", moves=[tuple(Morpion("4D").solution(np.array(Morpion("4D").instance.open[:1]))[0])])
    other = hints_of(problem).replayed
    assert other is hints_of(problem).replayed
    assert other.hints().replayed is None
    assert (other.digest(), other.label, other.objective) == (problem.digest(), problem.label, problem.objective)
    assert other.hints() == dataclasses.replace(problem.hints(), replayed=None)
    assert (problem.hints().temperatures, problem.hints().rotation) == ((0.4, 1.0), 20)
    assert type(other.new_state()) is not type(problem.new_state())

    class Mine(Morpion):
        pass

    mine = Mine("4D")
    assert mine.hints().replayed is None
