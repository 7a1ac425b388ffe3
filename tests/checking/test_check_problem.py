import random
import re
from types import FunctionType
from typing import NamedTuple

import jobs_with_rest
import numpy as np
import pytest
from bundled_problems import ONE_PLAYER
from jobs_with_rest import DONE, HOUR, LAST, WON, Jobs, jobs_with
from user_problems import Bits

import nrpa
from nrpa.checking.contract import Contract, Subject
from nrpa.checking.same_states import wrong_rest
from nrpa.engine.game import Game
from nrpa.io.source import bundled
from nrpa.registry import problem_class


def changed(**methods):
    return type("Mine", (Bits,), methods)()


def shared_play(self, state, move):
    state.append(move)
    return state


def growing_legal_moves(self, state):
    """No moves in a final state, when asked the first time."""
    self.asked = getattr(self, "asked", 0) + 1
    return (0, 1) if len(state) < 10 or self.asked % 2 == 0 else ()


@pytest.mark.parametrize(
    ("methods", "fault"),
    [
        ({}, ""),
        ({"initial_state": lambda self: [], "play": shared_play}, "play changes the state it is given"),
        ({"code": lambda self, state, move: random.random()}, "code, bias or value is not deterministic"),
        ({"code": lambda self, state, move: {move}}, "code gave {0}, a set, which is not hashable"),
        ({"legal_moves": growing_legal_moves}, "a final state has legal moves when asked again"),
        ({"legal_moves": lambda self, s: [random.random()]}, "legal_moves is not deterministic: two calls"),
        ({"steps": 10**9, "max_steps": 50}, "a game does not end within max_steps = 50"),
        ({"score": lambda self, state: float("nan")}, "score returned nan"),
        ({"score": lambda self, state: random.random()}, "score is not deterministic"),
        ({"score": lambda self, state: 1 / 0}, "score raised ZeroDivisionError: division by zero (at "),
        ({"bias": lambda self, state, move: float("inf")}, "bias returned inf; expected a finite number"),
        ({"play": nrpa.Problem.play}, "Mine lacks the method play(state, move)"),
        ({"check": lambda self, moves: nrpa.Verdict({}, ["no"])}, "check refuses a game"),
        ({"all_moves": lambda self, state: [0]}, "all_moves leaves out 1, which legal_moves gives"),
        ({"codes": 2, "code": lambda self, state, move: move}, ""),
        ({"codes": 1, "code": lambda self, state, move: move}, "code returned 1; expected a whole number, 0 to codes"),
        ({"rest": lambda self, state: len(state)}, ""),
        ({"rest": lambda self, state: 0}, "rest is equal for two states that differ: legal_moves gives [0, 1] in"),
        (
            {"rest": lambda self, state: len(state), "score": lambda self, state: sum(state) ** 2},
            "differ: to the end of the game the score changes by",
        ),
        ({"evaluate": lambda self, moves: sum(moves), "max_steps": 10, "choices": [2] * 10}, ""),
        (
            {"evaluate": lambda self, moves: 11, "max_steps": 10, "choices": [2] * 10},
            "evaluate gives 11, play and score",
        ),
    ],
)
def test_faults_of_python_problems(methods, fault):
    """Each broken promise is found, and said in words."""
    contract = nrpa.check_problem(changed(**methods), seed=1)
    assert contract.kept == (not fault)
    assert fault in contract.summary()


class Instance(NamedTuple):
    broken: int


def reset(instance, state):
    for k in range(8):
        state.bits[k] = 0
    state.count[0] = 0


@nrpa.jit
def write_moves(instance, state, moves):
    if state.count[0] == 8:
        return 0
    for move in range(2):
        moves.move[move] = move
        moves.code[move] = 2 * state.count[0] + move
        if instance.broken == 1:
            moves.code[move] = np.random.randint(0, 16)
        if instance.broken == 2:
            moves.code[move] += 10
    return 2


def legal_moves(instance, state, moves):
    return write_moves(instance, state, moves)


def all_moves(instance, state, moves):
    count = write_moves(instance, state, moves)
    return count - 1 if instance.broken == 8 and count > 0 else count


def play(instance, state, move):
    state.bits[state.count[0] + (1 if instance.broken == 3 else 0)] = move
    state.count[0] += 1


def score(instance, state):
    total = 0.0
    for k in range(8):
        total += state.bits[k]
    return np.nan if instance.broken == 4 else total


def copy(instance, source, target):
    for k in range(8):
        target.bits[k] = source.bits[k]
    if instance.broken != 5:
        target.count[0] = source.count[0]


@nrpa.kernels(reset, legal_moves, all_moves, play, score, copy)
class State(NamedTuple):
    bits: np.ndarray
    count: np.ndarray


class Compiled(nrpa.CompiledProblem):
    def __init__(self, broken):
        super().__init__(Instance(broken), max_steps=8, max_moves=2, codes=16)
        self.broken = broken
        self.shared = np.zeros(8, np.int64)

    def new_state(self):
        bits = self.shared if self.broken == 6 else np.zeros(8, np.int64)
        return State(bits, np.zeros(1, np.int64))

    def check(self, solution):
        return nrpa.Verdict({"score": sum(solution)}, score=sum(solution) + (self.broken == 7))


@pytest.mark.parametrize(
    ("broken", "fault"),
    [
        (0, ""),
        (1, "the kernel legal_moves is not deterministic"),
        (2, "gave the code 16; expected 0 to 15"),
        (3, "the kernel play goes out of bounds of state.bits (index 8, size 8)"),
        (4, "the kernel score returned nan"),
        (5, "the kernel copy is not complete"),
        (6, "new_state gives states that share memory"),
        (7, "check says"),
        (8, "the kernel all_moves leaves out 1, which legal_moves gives"),
    ],
)
def test_faults_of_compiled_problems(broken, fault):
    """Each broken promise is found, and said in words."""
    contract = nrpa.check_problem(Compiled(broken), seed=1, games=3)
    assert contract.kept == (not fault), contract.summary()
    assert fault in contract.summary()


@pytest.mark.parametrize("name", ONE_PLAYER)
def test_the_bundled_problems_keep_the_contract(name):
    """Each on its smallest instance."""
    rows = bundled(name).values()
    problem = problem_class(name).load(min(rows, key=lambda row: row.size).name)
    contract = nrpa.check_problem(problem, seed=1, games=2)
    assert contract.kept, contract.summary()


@pytest.mark.parametrize(
    ("methods", "fault"),
    [
        ({}, ""),
        ({"legal_moves": lambda self, s: () if len(s) == 8 else (1, 0)}, ""),
        (
            {
                "legal_moves": lambda self, s: () if len(s) == 8 else ("no", "yes"),
                "score": lambda self, s: s.count("yes"),
            },
            "",
        ),
        (
            {"legal_moves": lambda self, s: () if len(s) == 8 else (0, 1, 2) if len(s) == 2 else (0, 1)},
            "at step 3 the legal moves are [0, 1], those of the twin [0, 1, 2]",
        ),
        ({"steps": 9}, "at step 9 the legal moves are [], those of the twin [0, 1]"),
        ({"score": lambda self, state: sum(state) + 1e-6}, ".000001], after the moves ["),
        ({"score": lambda self, state: True}, "Twin.score returned True; expected a number"),
        ({"play": lambda self, state, move: 1 / 0}, "the twin raised ZeroDivisionError"),
        ({"play": nrpa.Problem.play}, "Twin lacks the method play(state, move)"),
    ],
)
def test_kernels_and_their_twin(methods, fault):
    """They play the same games, whatever the moves are called; the first difference is said with both lists."""
    twin = type("Twin", (Bits,), {"steps": 8, **methods})()
    contract = nrpa.check_problem(Compiled(0), games=3, twin=twin)
    assert contract.kept == (not fault), contract.summary()
    assert fault in contract.summary()


def test_a_class_in_plain_python_and_its_twin():
    """The same rules agree; another score and another move are found, said as the author writes moves."""
    assert nrpa.check_problem(Bits(), games=3, twin=Bits()).kept
    for methods, fault in (
        ({"score": lambda self, state: -1.0}, "that of the twin [-1.0], after the moves"),
        ({"legal_moves": lambda self, state: [0]}, "the legal moves are [0, 1], those of the twin [0]"),
    ):
        twin = type("Twin", (Bits,), methods)()
        assert fault in nrpa.check_problem(Bits(), games=3, twin=twin).faults[0]


def test_moves_that_build_the_same_so_far_and_a_twin():
    """A solution in pairs leaves out what is half done; moves are told by their place."""

    class Pairs(Bits):
        def solution_of(self, moves):
            return [*zip(moves[::2], moves[1::2], strict=False)]

        def own_moves(self, solution):
            return [move for pair in solution for move in pair]

    assert nrpa.check_problem(Pairs(), games=3, twin=Pairs()).faults == []


def test_a_game_that_ends_early_and_its_twin():
    """Nobody asks for rewards there."""

    class Long(Bits):
        players, max_steps, at_max_steps = 2, 3, (1.0, 0.0)

        def legal_moves(self, state):
            return [0, 1]

        def player(self, state):
            return len(state) % 2

        def rewards(self, state):
            raise AssertionError

    assert nrpa.check_problem(Long(), games=2, twin=Long()).faults == []


def test_a_twin_is_plain_python():
    """Beside a compiled problem."""
    for problem, twin in ((Compiled(0), Compiled(0)), (Bits(), Compiled(0)), (Compiled(0), Bits)):
        with pytest.raises(nrpa.InputError, match="twin"):
            nrpa.check_problem(problem, twin=twin)


@pytest.mark.parametrize(("sign", "doubted"), [(-1, True), (1, False)])
def test_a_cost_that_is_not_negated_is_doubted(sign, doubted):
    """In a line of the report; a cost may be negative, so it is no fault."""
    contract = nrpa.check_problem(changed(objective=nrpa.Objective("cost", sign=sign)), seed=1)
    assert contract.kept
    assert any("returns the negative" in doubt for doubt in contract.doubts) == doubted
    assert ("returns the negative" in contract.summary()) == doubted


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


@pytest.mark.parametrize(
    ("improve", "said"),
    [
        (lambda self, moves: sorted(moves), ""),
        (lambda self, moves: [1] * 12, ""),
        (
            lambda self, moves: [0] * 10,
            "20 of 20 games that improve changed are dropped, and the old ones count: 20 worse",
        ),
        (lambda self, moves: [2] * 10, "20 not legal"),
        (lambda self, moves: [1] * 9, "20 not played to the end"),
        (lambda self, moves: [1] * 10_001, "improve returned a game of 10001 moves, more than max_steps = 10000"),
        (lambda self, moves: None, "improve returned None; expected the moves of a whole game"),
        (lambda self, moves: [[1]] * 10, "improve gave [1], a list, which is not hashable"),
        (lambda self, moves: 1 / 0, "improve raised ZeroDivisionError"),
    ],
)
def test_what_becomes_of_games_that_are_improved(improve, said):
    """How many do not count, and why; what a search would stop at is a fault."""
    contract = nrpa.check_problem(changed(improve=improve), seed=1)
    assert said in contract.summary()
    assert bool(contract.doubts) == ("dropped" in said or said.startswith("20 "))
    assert contract.kept == (not said or bool(contract.doubts))


def improve(instance, state, sequence, steps):
    """Leave the last move of a game out."""
    sequence[steps - 1] = -1
    return 1


def test_what_becomes_of_games_that_a_kernel_improves():
    """The same of a compiled problem."""
    contract = nrpa.check_problem(jobs_with(improve), seed=1, games=3)
    assert contract.doubts == ["3 of 3 games that improve changed are dropped, and the old ones count: 3 not legal"]


def test_the_check_gets_solutions_in_their_own_form():
    """Those of ``solution_of``, as after a search."""

    class Named(nrpa.Problem):
        """A letter."""

        def initial_state(self):
            return ""

        def legal_moves(self, state):
            return [] if state else [0, 1]

        def play(self, state, move):
            return "ab"[move]

        def score(self, state):
            return 0.0

        def solution_of(self, moves):
            return {"letter": "ab"[moves[0]]}

        def own_moves(self, solution):
            return ["ab".index(solution["letter"])]

        def check(self, solution):
            return nrpa.Verdict({"score": 0}, [] if set(solution) == {"letter"} else ["no letter"], score=0.0)

    assert nrpa.check_problem(Named(), games=2, seed=1).kept
