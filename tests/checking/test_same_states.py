"""States of equal rest from which games do not go on alike."""

import random
import re
from types import FunctionType

import jobs_with_rest
import pytest
from jobs_with_rest import DONE, HOUR, LAST, WON, Jobs, jobs_with

import nrpa
from nrpa.checking.contract import Contract, Subject
from nrpa.checking.same_states import wrong_rest
from nrpa.engine.game import Game


def rest_by_hour(instance, state):
    return state.sums[HOUR]


def rest_of_nothing(instance, state):
    return 7


def score_at_the_end(instance, state):
    return state.sums[WON] if state.sums[HOUR] > 60 else 0


def score_by_the_last(instance, state):
    return state.sums[WON] * (2 + state.sums[LAST] % 2)


def score_with_rounding(instance, state):
    return state.sums[WON] * 0.1


def play_by_number(instance, state, move):
    jobs_with_rest.play(instance, state, move)
    state.sums[WON] += move // len(instance.jobs) % 2


def find_by_the_last(instance, state, name):
    """Give up what is not ready where the last move was of even kind."""
    found = jobs_with_rest.find(instance, state, name)
    return nrpa.NEVER if found == nrpa.NOT_NOW and state.sums[LAST] % 2 and state.sums[DONE] > 99 else found


def random_games(problem, games=8):
    """Return the moves of some games of the problem."""
    game, chance, played = Game(problem.model, interpreted=True), random.Random(1), []
    for _ in range(games):
        game.reset()
        played.append([])
        while legal := game.legal_moves():
            played[-1].append(chance.choice(legal))
            game.play(played[-1][-1])
    return played


def rest_fault(problem):
    subject = Subject(problem, None, None, Contract(""), random.Random(1), 8, random_games(problem))
    with nrpa.debug():
        return next(filter(None, wrong_rest(subject, 8)), "")


FIND = r"for the name \d+ the kernel find gives (a move|-1|-2) in one, (a move|-1|-2) in the other"
SCORE = r"to the end of the game the score changes by [-\d.]+ in one, [-\d.]+ in the other"


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        (rest_by_hour, FIND),
        (rest_of_nothing, FIND),
        (find_by_the_last, FIND),
        (score_at_the_end, SCORE),
        (score_by_the_last, SCORE),
        (score_with_rounding, SCORE),
        (play_by_number, SCORE),
    ],
)
def test_games_that_meet_and_do_not_go_on_alike_are_found(wrong, said):
    """What differs is said in one sentence."""
    kernel = FunctionType(wrong.__code__, wrong.__globals__, wrong.__name__.split("_")[0])
    found = rest_fault(jobs_with(kernel))
    start = "rest is equal for two states that differ: "
    assert re.fullmatch(rf"{start}{said} \(after \d+ moves and after \d+ moves\)", found), found


@pytest.mark.parametrize("options", [{}, {"jobs": 50}, {"must": 0b1000010001}])
def test_games_that_go_on_alike_are_kept(options):
    """Although the meetings are many, their moves have other numbers, and scores are infinite."""
    assert rest_fault(Jobs(**options)) == ""


def test_the_check_of_a_problem_looks_for_meetings():
    """It says what was found, and nothing where games go on alike."""

    def rest(instance, state):
        return state.sums[HOUR] // 64

    said = nrpa.check_problem(jobs_with(rest), seed=1).summary()
    assert said.startswith("Jobs: rest is equal for two states that differ: for the name")
    contract = nrpa.check_problem(Jobs(), seed=1)
    assert contract.kept, contract.summary()
