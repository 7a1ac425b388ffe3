import random
from itertools import pairwise, permutations

import pytest

import nrpa
from nrpa.io.source import Source, bundled
from nrpa.problems.puzzles.pancake import Pancakes

PLAIN = Pancakes.plain_class


def fewest_flips(size):
    """Return the fewest flips of every stack of some pancakes, breadth first from the sorted one."""
    found = level = {tuple(range(1, size + 1)): 0}
    while level:
        level = {
            (*stack[:flip][::-1], *stack[flip:]): count + 1
            for stack, count in level.items()
            for flip in range(2, size + 1)
        }
        level = {stack: count for stack, count in level.items() if stack not in found}
        found |= level
    return found


def test_the_gaps_are_a_bound_and_count_what_is_left():
    """For all stacks of five; in a game the state counts gaps as the check does."""
    fewest = fewest_flips(5)
    for stack in permutations(range(1, 6)):
        assert PLAIN(stack).bound() <= fewest[stack]
    problem, draws = PLAIN.drawn(8, seed=3), random.Random(1)
    state, moves = problem.initial_state(), []
    while legal := problem.legal_moves(state):
        moves.append(draws.choice(legal))
        state = problem.play(state, moves[-1])
        assert problem.check(moves).figures["gaps"] == state[2]
        assert state[2] == sum(abs(a - b) != 1 for a, b in pairwise([*state[0], 9]))


@pytest.mark.parametrize("moves", ["all", "mending"])
def test_the_fewest_flips_are_found(moves):
    """Of stacks of six, also of one that takes most: 7."""
    fewest = fewest_flips(6)
    for stack in ((4, 6, 2, 5, 1, 3), (6, 1, 5, 2, 4, 3)):
        result = nrpa.solve(PLAIN(stack, moves=moves), nrpa.GNRPA(level=2), seed=1, playouts=400)
        assert result.flips == fewest[stack]
    assert max(fewest.values()) == fewest[4, 6, 2, 5, 1, 3] == PLAIN.load("6").best_known.value


def test_only_flips_that_mend_are_listed_where_there_are_any():
    """In 2 1 4 3 none mends: those that open no gap remain. All are listed on demand."""
    mending, every = PLAIN([2, 4, 1, 3]), PLAIN([2, 4, 1, 3], moves="all")
    assert mending.legal_moves(mending.initial_state()) == [2, 3]
    assert every.legal_moves(every.initial_state()) == [2, 3, 4]
    pairs = PLAIN([2, 1, 4, 3])
    assert pairs.legal_moves(pairs.initial_state()) == [2, 3, 4]


def test_what_is_not_sorted_costs_its_gaps():
    verdict = PLAIN([2, 4, 1, 3]).check([2])
    assert verdict.figures == {"flips": 11, "gaps": 3}
    assert not verdict.valid
    assert verdict.faults_counted
    assert PLAIN([2, 4, 1, 3]).check([5]).faults == ["flip 1: expected a whole number from 2 to 4, found 5"]
    assert "at most 8 flips" in PLAIN([2, 4, 1, 3]).check([2] * 9).faults[0]


@pytest.mark.parametrize("text", ["", "1", "1 1 2", "1 3", "1 two", "0 1", "1 2.0"])
def test_wrong_stacks_are_refused(text):
    with pytest.raises(nrpa.InputError):
        PLAIN.from_source(Source("file", text, ""))


def test_bundled_stacks_are_those_drawn():
    for size in (20, 60, 100):
        assert PLAIN.load(f"{size}-1").stack.tolist() == PLAIN.drawn(size).stack.tolist()
    assert len(bundled("pancake")) == 6


def test_the_picture():
    assert PLAIN([2, 3, 1]).draw([2, 3]) == "2 3 | 1\n3 2 1 |\n1 2 3"
