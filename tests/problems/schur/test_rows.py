"""Partitions in rows against naive ones: sets of numbers, all rows written out."""

import random
from itertools import combinations

import numpy as np
import pytest
from compiled_kernels import compiled_legal_moves, compiled_play, compiled_reset, compiled_score, moves_for, random_game

from nrpa import WeakSchur

PERIODS = 9


def has_no_sum(numbers):
    """Return whether no number is the sum of two others."""
    return not any(one + other in numbers for one, other in combinations(numbers, 2))


def naive_template(problem, played, first):
    """Return the parts that take the next number of the template, all rows written out."""
    number, width, free = len(played) + 1, problem.width, problem.template
    legal = []
    for part in range(min(max((p for p in played if p < free), default=-1) + 2, free)):
        members = [n for n, p in enumerate([*played, part], start=1) if p == part]
        copies = range(0, PERIODS * width, width)
        if has_no_sum({n + copy for n in members for copy in (copies if first and n > first else [0])}):
            legal.append(part)
    row_of = {
        n + width * (row - 1): row
        for n in [*(n for n, p in enumerate(played, start=1) if p == free), number]
        for row in range(1, PERIODS)
    }
    sums = [(row_of[a] + row_of[b], row_of[a + b]) for a in row_of for b in row_of if a + b in row_of]
    if all(row == total for row, total in sums):
        legal.append(free)
    return legal


def naive_rows(problem, parts, row):
    """Return the parts in which a row is no sum of two rows; of the empty ones only the first."""
    legal = []
    for part in range(problem.template, problem.parts):
        members = [r for r, p in enumerate(parts, start=1) if p == part]
        if not any(row - one in members for one in members):
            legal.append(part)
        if not members:
            break
    return legal


@pytest.mark.parametrize(
    ("parts", "width", "template", "moves"),
    [(3, 4, 1, "all"), (5, 13, 2, "all"), (5, 12, 2, "repeat")],
    ids=["one", "two", "repeat"],
)
def test_random_games(parts, width, template, moves):
    """Legal moves and scores agree in every state, and the partitions of all rows have no sums."""
    problem = WeakSchur(parts, width=width, template=template, moves=moves, limit=20 * width)
    state, listed = problem.new_state(), moves_for(problem)
    generator = random.Random(parts)
    for _ in range(60):
        compiled_reset(problem.instance, state)
        played, first, last, full = [], 0, 0, False
        while True:
            found = compiled_legal_moves(problem.instance, state, listed)
            full = bool(first) and len(played) >= first + width - 1
            rows = [template, *played[first + width - 1 :]]
            if full:
                legal = naive_rows(problem, rows, len(rows) + 1) if len(rows) < 19 else []
            else:
                legal = naive_template(problem, played, first) if first or len(played) < width else []
            if moves == "repeat" and last in legal:
                legal = [last]
            assert listed.move[:found].tolist() == legal
            if not legal:
                break
            last = generator.choice(legal)
            first = first or (len(played) + 1 if last == template else 0)
            played.append(last)
            compiled_play(problem.instance, state, last)
        score = compiled_score(problem.instance, state)
        assert score == (first - 1 + width * len(rows) if full else len(played))
        assert problem.check(problem.solution(np.array(played, np.int64))).score == score


def test_rows_of_rows():
    """With templates on two levels, what random games place is a partition, and the score says how much of it."""
    problem = WeakSchur(5, width=4, template=1, inner=3, limit=200)
    generator, levels = random.Random(1), set()
    for _ in range(400):
        played, state = random_game(problem, generator)
        levels.add(int(state.counts[0]))
        assert problem.check(problem.solution(played)).score == compiled_score(problem.instance, state)
    assert {0, 2} <= levels
