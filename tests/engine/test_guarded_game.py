"""What is checked of the names of moves, in the first games of a search; the other faults: ``test_first_games.py``."""

import random
import re

import jobs_with_rest
import numpy as np
import pytest
from jobs_with_rest import DONE, LAST, jobs_with

import nrpa
from nrpa.engine.guarded_game import GuardedGame


def find_nothing(instance, state, name):
    return nrpa.NOT_NOW


def find_another(instance, state, name):
    return jobs_with_rest.find(instance, state, name) + 1


def find_what_is_not_legal(instance, state, name):
    found = jobs_with_rest.find(instance, state, name)
    return name if found < 0 and state.sums[DONE] & instance.jobs[name] else found


def find_less(instance, state, name):
    return -3


def find_too_far(instance, state, name):
    return instance.before[name + len(instance.before)]


FAULTS = {
    find_nothing: r"the kernel find gave no move for the name \d+ of the legal move \d+",
    find_another: r"the kernel find gave the move (\d+) for the name \d+ of the legal move (?!\1)\d+",
    find_what_is_not_legal: r"the kernel find gave the move (\d+) for the name \1, which is not legal",
    find_less: "the kernel find gave -3; expected a move, -1 for none now, or -2 for none any more",
    find_too_far: r"the kernel find goes out of bounds of instance.before \(index 36, size 36\), .*_game.py",
}


@pytest.mark.parametrize("find", FAULTS)
def test_a_find_that_is_wrong_is_said_before_a_search_begins(find):
    """In one sentence that names the kernel."""
    message = FAULTS[find]
    find.__name__ = "find"
    with pytest.raises(nrpa.ProblemError, match=f"^Jobs: {message}") as caught:
        nrpa.RandomSampling().start(jobs_with(find), 1)
    assert "\n" not in str(caught.value)


def legal_moves(instance, state, moves):
    """Leave moves of odd kind out after such a move; they are legal again later."""
    count = 0
    for place in range(jobs_with_rest.legal_moves(instance, state, moves)):
        kind = moves.move[place] % len(instance.jobs)
        if not (state.sums[LAST] % 2 == 0 and state.sums[LAST] > 0 and kind % 2):
            moves.move[count], moves.code[count] = moves.move[place], kind
            count += 1
    return count


@pytest.mark.parametrize("given", [nrpa.NOT_NOW, nrpa.NEVER])
def test_a_name_that_is_given_up_is_not_found_again(given):
    """Not in the same game."""

    def find(instance, state, name):
        after_odd = state.sums[LAST] % 2 == 0 and state.sums[LAST] > 0
        return given if after_odd and name % 2 else jobs_with_rest.find(instance, state, name)

    game, said = GuardedGame(jobs_with(legal_moves, find).model), []
    for seed in range(10):
        chance = random.Random(seed)
        game.reset()
        try:
            while legal := game.legal_moves():
                game.check_names()
                game.play(chance.choice(legal))
        except nrpa.ProblemError as error:
            said.append(str(error))
    if given == nrpa.NOT_NOW:
        assert said == []
    else:
        assert len(said) > 5
        fault = r"Jobs: the kernel find gave up the name \d+ \(-2\), which a legal move has later"
        assert all(re.fullmatch(fault, text) for text in said)


def test_a_score_that_fails_in_mid_game_is_found_where_games_may_meet():
    """With the kernel ``rest`` it is asked of every state."""

    def score(instance, state):
        return np.float64(instance.hours[state.sums[DONE] % 2 * 99])

    with pytest.raises(nrpa.ProblemError, match=r"the kernel score goes out of bounds of instance.hours \(index 99"):
        nrpa.RandomSampling().start(jobs_with(score), 1)
