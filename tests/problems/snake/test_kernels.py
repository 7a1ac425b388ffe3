"""The kernels against naive paths."""

import random

import numpy as np
import pytest
from compiled_kernels import (
    compiled_find,
    compiled_legal_moves,
    compiled_play,
    compiled_reset,
    compiled_score,
    moves_for,
)

from nrpa import NEVER, Snake


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


@pytest.mark.parametrize(("dimensions", "coil"), [(2, True), (4, False), (4, True), (6, False)])
def test_moves_are_found_by_their_codes(dimensions, coil):
    """In every state of random games each legal one and no other; what is given up is not legal later on."""
    problem = Snake(dimensions, coil)
    state, listed = problem.new_state(), moves_for(problem)
    generator = random.Random(dimensions)
    waited = 0
    for _ in range(20):
        compiled_reset(problem.instance, state)
        gone = set()
        while count := compiled_legal_moves(problem.instance, state, listed):
            legal = dict(zip(listed.code[:count].tolist(), listed.move[:count].tolist(), strict=True))
            answers = {code: compiled_find(problem.instance, state, code) for code in range(problem.codes)}
            assert {code: move for code, move in answers.items() if move >= 0} == legal
            assert not gone & legal.keys()
            gone |= {code for code, answer in answers.items() if answer == NEVER}
            waited += len(answers) - len(legal) - len(gone)
            compiled_play(problem.instance, state, generator.choice(list(legal.values())))
        assert all(compiled_find(problem.instance, state, code) < 0 for code in range(problem.codes))
    assert gone
    assert waited > 0


@pytest.mark.parametrize(
    ("dimensions", "coil", "option"),
    [
        *((dimensions, coil, "symmetric") for dimensions in range(2, 8) for coil in (False, True)),
        *((dimensions, True, "quarters") for dimensions in (7, 8)),
    ],
)
def test_symmetric_games(dimensions, coil, option):
    """A move is legal where the parts of the path then have no chord, as all pairs of vertices say."""
    problem = Snake(dimensions, coil, **{option: True})
    state, listed = problem.new_state(), moves_for(problem)
    generator = random.Random(dimensions)
    closed = 0
    for _ in range(20):
        compiled_reset(problem.instance, state)
        played = []
        while True:
            count = compiled_legal_moves(problem.instance, state, listed)
            legal = listed.move[:count].tolist()
            ended = coil and played and problem.check(problem.solution(np.array(played))).valid
            for dimension in range(dimensions):
                path = problem.solution(np.array([*played, dimension], np.int64))
                expected = not ended and not chords(path, dimensions, coil, played, dimension, problem)
                assert (dimension in legal) == expected, (played, dimension)
            if not legal:
                break
            played.append(generator.choice(legal))
            compiled_play(problem.instance, state, played[-1])
        solution = problem.solution(np.array(played, np.int64))
        verdict = problem.check(solution)
        closed += verdict.valid
        assert compiled_score(problem.instance, state) == verdict.score
        if verdict.valid:
            assert problem.moves_of(solution).tolist() == played
    assert closed


def chords(path, dimensions, coil, played, dimension, problem):
    """Return whether two vertices of a path and of its image are equal or neighbours, and do not follow each other."""
    if not coil:
        return bool(problem.check(path).faults)
    part = [0]
    for each in [*played, dimension]:
        part.append(part[-1] ^ (1 << each))
    parts = [part]
    for _ in range(3 if problem.quarters else 1):
        parts.append([image_of(vertex, problem) for vertex in parts[-1]])
    closes = (part[-1] ^ parts[1][0]).bit_count() == 1
    whole, length = [vertex for each in parts for vertex in each], len(part)
    follow = {(k, k + 1) for k in range(len(whole) - 1) if closes or (k + 1) % length}
    if closes:
        follow.add((0, len(whole) - 1))
    near = {(i, j) for j in range(len(whole)) for i in range(j) if (whole[i] ^ whole[j]).bit_count() <= 1}
    return near != follow


def image_of(vertex, problem):
    """Return where the symmetry takes a vertex, dimension by dimension."""
    image = problem.end
    for dimension, other in enumerate(problem.permutation):
        if vertex >> dimension & 1:
            image ^= 1 << other
    return image
