"""The kernels against naive parts: sets of numbers, and sums tried pair by pair."""

import random
from itertools import combinations

import pytest
from compiled_kernels import compiled_legal_moves, compiled_play, compiled_reset, compiled_score, moves_for

from nrpa import WeakSchur


def naive_parts(parts, number, last, repeat):
    """Return the parts that a number may go into, and their codes."""
    legal = []
    for index, part in enumerate(parts):
        if all(one + other != number for one, other in combinations(part, 2)):
            legal.append(index)
        if not part:
            break
    if repeat and last in legal:
        legal = [last]
    return legal, [number * len(parts) + index for index in legal]


@pytest.mark.parametrize(("count", "moves", "games"), [(1, "all", 1), (3, "all", 30), (5, "repeat", 8), (6, "all", 8)])
def test_random_games(count, moves, games):
    """Legal parts, codes and scores agree in every state of random games."""
    problem = WeakSchur(count, moves=moves)
    state, listed = problem.new_state(), moves_for(problem)
    generator = random.Random(count)
    for _ in range(games):
        compiled_reset(problem.instance, state)
        parts, number, last = [[] for _ in range(count)], 1, 0
        while True:
            legal, codes = naive_parts(parts, number, last, moves == "repeat")
            found = compiled_legal_moves(problem.instance, state, listed)
            assert listed.move[:found].tolist() == legal
            assert listed.code[:found].tolist() == codes
            if not legal:
                break
            last = generator.choice(legal)
            parts[last].append(number)
            compiled_play(problem.instance, state, last)
            number += 1
        assert compiled_score(problem.instance, state) == number - 1


@pytest.mark.parametrize("limit", [1, 63, 64, 65, 100])
def test_the_limit_ends_a_game(limit):
    """At the edge of a word too; with one part a number, the game ends there at once."""
    problem = WeakSchur(10, moves="repeat", limit=limit)
    state, listed = problem.new_state(), moves_for(problem)
    compiled_reset(problem.instance, state)
    while compiled_legal_moves(problem.instance, state, listed):
        compiled_play(problem.instance, state, listed.move[0])
    assert compiled_score(problem.instance, state) == limit
