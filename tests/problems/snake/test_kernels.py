"""The kernels against naive paths."""

import random

import pytest
from compiled_kernels import compiled_legal_moves, compiled_play, compiled_reset, compiled_score, moves_for

from nrpa import Snake


def neighbours(vertex, dimensions):
    return [vertex ^ (1 << dimension) for dimension in range(dimensions)]


def naive_moves(path, dimensions, used, coil):
    """Return the dimensions that lead from the end of a path to a vertex without other neighbours on it."""
    start = path[0]
    if coil and len(path) > 2 and path[-1] in neighbours(start, dimensions):
        return []
    legal = []
    for dimension in range(min(dimensions, used + 1)):
        vertex = path[-1] ^ (1 << dimension)
        near = set(path[:-1]) & {vertex, *neighbours(vertex, dimensions)}
        if not near or (coil and near == {start} and vertex != start):
            legal.append(dimension)
    return legal


@pytest.mark.parametrize(("dimensions", "coil"), [(2, False), (2, True), (4, True), (5, False), (6, True)])
def test_random_games(dimensions, coil):
    """Legal moves, codes and scores agree in every state of random games, and so does the check."""
    problem = Snake(dimensions, coil)
    state, listed = problem.new_state(), moves_for(problem)
    generator = random.Random(dimensions)
    for _ in range(40):
        compiled_reset(problem.instance, state)
        path, played = [0], []
        while True:
            legal = naive_moves(path, dimensions, max(played, default=-1) + 1, coil)
            count = compiled_legal_moves(problem.instance, state, listed)
            assert listed.move[:count].tolist() == legal
            assert listed.code[:count].tolist() == [path[-1] * dimensions + dimension for dimension in legal]
            if not legal:
                break
            played.append(generator.choice(legal))
            path.append(path[-1] ^ (1 << played[-1]))
            compiled_play(problem.instance, state, played[-1])
        assert compiled_score(problem.instance, state) == problem.check(played).score
        assert problem.check(played).valid == (not coil or compiled_score(problem.instance, state) >= 4)
