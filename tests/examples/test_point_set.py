"""The most points of a grid without a pattern, examples/point_set.py: most by its kernels as plain Python."""

import random
from itertools import combinations, product
from types import SimpleNamespace

import numpy as np
import point_set
import pytest
from point_set import PointSet

import nrpa


def holds(pattern, points):
    """Return whether points hold a pattern, by the distances between them."""
    several = {"triangle": 3, "square": 4}[pattern]
    for corners in combinations(points, several):
        near, *others = sorted((a - c) ** 2 + (b - d) ** 2 for (a, b), (c, d) in combinations(corners, 2))
        wanted = {3: [near, 2 * near], 4: [near, near, near, 2 * near, 2 * near]}[several]
        if others == wanted:
            return True
    return False


@pytest.mark.parametrize(
    "name", ["triangle/5", "square/4", "triangle/6/diagonal", "square/5/quarters", "triangle/5/turn"]
)
def test_legal_moves_are_those_that_complete_no_pattern(name):
    """Random games, at each step all orbits tried by distances; at the end the check agrees, and `find` all along."""
    problem, draw = PointSet.load(name), random.Random(1)
    pattern = name.split("/")[0]
    moves = SimpleNamespace(move=np.zeros(99, np.int64), code=np.zeros(99, np.int64))
    for _ in range(3):
        state, played = problem.new_state(), []
        point_set.reset(problem.instance, state)
        while True:
            legal = moves.move[: point_set.legal_moves(problem.instance, state, moves)].tolist()
            fits = [
                move
                for move in range(len(problem.orbits))
                if move not in played and not holds(pattern, [p for k in [*played, move] for p in problem.orbits[k]])
            ]
            assert legal == fits
            found = [point_set.find(problem.instance, state, k) for k in range(len(problem.orbits))]
            assert [k for k in found if k != nrpa.NEVER] == legal
            if not legal:
                break
            played.append(draw.choice(legal))
            point_set.play(problem.instance, state, played[-1])
        verdict = problem.check(problem.solution(played))
        assert verdict.faults == []
        assert verdict.score == point_set.score(problem.instance, state)
        assert sorted(problem.moves_of(problem.solution(played))) == sorted(played)


def test_the_check_finds_patterns():
    """All sets of four points of a 3 x 3 grid: the check finds what distances find."""
    grid = [*product(range(3), repeat=2)]
    for pattern in "triangle", "square":
        problem = PointSet(pattern, 3)
        for points in combinations(grid, 4):
            assert bool(problem.check([*map(list, points)]).faults) == holds(pattern, points)
    assert PointSet("square", 3).check([[0, 0], [0, 0]]).faults
    assert PointSet("square", 3).check([[0, 3]]).faults


def test_tempering_finds_a_known_value():
    """A271906(7) = 14."""
    result = nrpa.solve(PointSet.load("triangle/7"), nrpa.Tempering(), seed=1, playouts=50_000)
    assert (result.score, result.faults) == (14.0, [])


def test_what_is_no_instance_is_refused():
    for name in "triangle", "circle/4", "square/4/upside":
        with pytest.raises(nrpa.InputError, match="PATTERN"):
            PointSet.load(name)
