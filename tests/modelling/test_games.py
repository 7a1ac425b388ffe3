"""Problems of several players: what engine and checks ask of them, in plain Python and compiled."""

from typing import NamedTuple

import numpy as np
import pytest
from tictactoe import TicTacToe

import nrpa
from nrpa.engine.game import Game
from nrpa.python.checks import content_hash

INTERPRETED = (False, True)


def changed(**methods):
    return type("Mine", (TicTacToe,), methods)()


def reset(instance, state):
    state.left[0] = instance.stones
    state.turn[0] = 0


def legal_moves(instance, state, moves):
    count = min(state.left[0], 2)
    for m in range(count):
        moves.move[m] = m + 1
        moves.code[m] = 2 * (state.left[0] - 1) + m
    return count


def play(instance, state, move):
    state.left[0] -= move
    state.turn[0] = 1 - state.turn[0]


def player(instance, state):
    return state.turn[0] + (2 if instance.broken == 1 else 0)


def rewards(instance, state, rewards):
    rewards[state.turn[0]] = 0.0
    if instance.broken == 2:
        rewards[2] = 0.0
    if instance.broken != 3:
        rewards[1 - state.turn[0]] = 1.0
    if instance.broken == 4:
        rewards[0] = np.nan


def value(instance, state, rewards):
    rewards[0] = state.left[0]
    if instance.broken != 6:
        rewards[1] = -rewards[0]


def hash(instance, state):  # noqa: A001
    return state.left[0] if instance.broken == 5 else 2 * state.left[0] + state.turn[0]


class Instance(NamedTuple):
    stones: int
    broken: int


@nrpa.kernels(reset, legal_moves, play, player, rewards, value, hash)
class State(NamedTuple):
    left: np.ndarray
    turn: np.ndarray


class Nim(nrpa.CompiledProblem):
    """Take one stone or two; who takes the last one wins."""

    players = 2

    def __init__(self, broken=0, **options):
        super().__init__(Instance(9, broken), max_steps=9, max_moves=2, codes=18, **options)

    def new_state(self):
        return State(np.zeros(1, np.int64), np.zeros(1, np.int64))

    def check(self, solution):
        loser = len(solution) % 2
        return nrpa.Verdict({"moves": len(solution)}, rewards=(float(loser), float(1 - loser)))


@pytest.mark.parametrize("interpreted", INTERPRETED)
@pytest.mark.parametrize("problem", [TicTacToe(), Nim()], ids=["python", "compiled"])
def test_a_game_says_whose_turn_it_is_and_who_has_won(problem, interpreted):
    """Step by step, as machine code and as plain Python; its score is 0, as nobody asks for one."""
    game = Game(problem.model, interpreted=interpreted)
    game.reset()
    turns, hashes = [], set()
    while game.legal_moves():
        turns.append(game.player())
        hashes.add(game.hash())
        game.play(game.listed[0])
    assert turns == [step % 2 for step in range(len(turns))]
    assert len(hashes) == len(turns)
    assert game.rewards() == [1.0, 0.0]
    assert game.score() == 0.0
    assert problem.model.has_hash
    assert problem.model.players == 2


def test_a_problem_of_one_player_is_a_game_of_one():
    """It is the first player's turn, who gets the score; there is no hash unless the problem has one."""
    problem = nrpa.TSPTW.load("rc204.1")
    game = Game(problem.model)
    game.reset()
    while game.legal_moves():
        game.play(game.listed[0])
    assert (game.player(), game.hash(), game.rewards()) == (0, 0, [game.score()])
    assert not problem.model.has_hash


@pytest.mark.parametrize(
    ("methods", "fault"),
    [
        ({}, ""),
        ({"rewards": lambda self, state: (1,)}, "rewards returned (1,); expected 2 finite numbers, one for each"),
        ({"rewards": lambda self, state: 1}, "rewards returned 1; expected 2 finite numbers"),
        ({"rewards": lambda self, state: (float("nan"), 0)}, "rewards returned (nan, 0); expected 2 finite numbers"),
        ({"value": lambda self, state: (0.2, 0.8)}, ""),
        ({"value": lambda self, state: (1,)}, "value returned (1,); expected 2 finite numbers"),
        ({"value": lambda self, state: state[99]}, "value raised IndexError"),
        ({"player": lambda self, state: 2}, "player returned 2; expected a player, 0 to 1"),
        ({"player": lambda self, state: None}, "player returned None; expected a player, 0 to 1"),
        ({"key": lambda self, state: state.count(".")}, "hash is equal for two states that differ: their legal moves"),
        ({"rewards": nrpa.Problem.rewards, "score": len}, "a game for 2 players lacks the method rewards(state)"),
        ({"players": 1}, "a problem for one player lacks the method score(state)"),
        ({"players": 0}, "players is 0; expected a whole number of at least 1"),
    ],
)
def test_faults_of_games_in_plain_python(methods, fault):
    """Each broken promise is found, and said in words."""
    contract = nrpa.check_problem(changed(**methods), seed=1)
    assert contract.kept == (not fault)
    assert fault in contract.summary()


@pytest.mark.parametrize(
    ("broken", "fault"),
    [
        (0, ""),
        (1, "the kernel player gave 2; expected 0 to 1"),
        (2, "the kernel rewards goes out of bounds of rewards (index 2, size 2)"),
        (3, "the kernel rewards gave player 0 NaN, or did not write it; expected a finite number"),
        (4, "the kernel rewards gave player 0 NaN"),
        (6, "the kernel value gave player 1 NaN, or did not write it; expected a finite number"),
        (5, "hash is equal for two states that differ: it is not the same player's turn"),
    ],
)
def test_faults_of_compiled_games(broken, fault):
    """Each broken promise is found, and said in words."""
    contract = nrpa.check_problem(Nim(broken), seed=1)
    assert contract.kept == (not fault), contract.summary()
    assert fault in contract.summary()


def test_a_wrong_number_of_rewards_ends_a_game_in_plain_python():
    """The engine says so where the game ends, not only the check."""
    game = Game(changed(rewards=lambda self, state: (1, 0, 0)).model)
    game.reset()
    for move in range(7):
        game.play(move)
    with pytest.raises(nrpa.ProblemError, match=r"Mine.rewards returned \(1, 0, 0\); expected 2 finite numbers"):
        game.legal_moves()


def test_a_score_without_a_player_who_wants_it_is_refused():
    """A compiled game without the kernel rewards is refused by its name."""
    state_class = nrpa.kernels(reset, legal_moves, play, score)(
        NamedTuple("Plain", [("left", object), ("turn", object)])
    )
    problem = Nim()
    problem.new_state = lambda: state_class(np.zeros(1, np.int64), np.zeros(1, np.int64))
    assert "a game for 2 players lacks the kernel rewards" in nrpa.check_problem(problem).summary()


def score(instance, state):
    return 0.0


@pytest.mark.parametrize("problem", [TicTacToe(), Nim()], ids=["python", "compiled"])
def test_a_search_for_one_player_refuses_a_game(problem):
    """It says how many players the game has."""
    with pytest.raises(nrpa.InputError, match="is a game for 2 players; a search for the best sequence of moves is"):
        nrpa.solve(problem, nrpa.NRPA(level=1), seed=1, playouts=1)


def test_kernels_without_score_or_rewards_are_refused():
    """A state has to be worth something."""
    with pytest.raises(TypeError, match="lacks the kernel score"):
        nrpa.kernels(reset, legal_moves, play)(State)


def test_a_game_in_plain_python_is_checked_and_drawn():
    """The verdict has the rewards; a position in mid-game can be drawn."""
    verdict = TicTacToe().check([0, 3, 1, 4, 2])
    assert verdict.rewards == (1.0, 0.0)
    assert verdict.figures == {"rewards": [1.0, 0.0]}
    assert TicTacToe().draw([0, 3]) == "X..\nO..\n..."


def test_moves_have_names():
    """What a person types is found among the legal moves, in plain Python and compiled, in any case of letters."""
    problem = changed(
        legal_moves=lambda self, state: [] if len(state) > 9 else ["Left", "right", (1, 2)],
        play=lambda self, state, move: state + ".",
    )
    game = Game(problem.model)
    game.reset()
    listed = game.legal_moves()
    assert [problem.move_name(move) for move in listed] == ["Left", "right", "(1,2)"]
    assert problem.move_named("left", listed) == listed[0]
    assert problem.move_named("(1,2)", listed) == listed[2]
    assert Nim().move_named("2", [1, 2]) == 2
    with pytest.raises(nrpa.InputError, match="'up' is not a legal move; expected one of Left, right"):
        problem.move_named("up", listed)
    with pytest.raises(nrpa.InputError, match="the game has ended"):
        problem.move_named("up", [])


@pytest.mark.parametrize(
    ("one", "another", "same"),
    [
        ((0, -1), (0, -2), False),
        (frozenset(range(40)), frozenset(reversed(range(40))), True),
        ((1, (2, "a")), (1, (2, "b")), False),
        ((frozenset("ab"), 1.5), (frozenset("ba"), 1.5), True),
        (np.arange(3), np.arange(4), False),
        ({"a": 1}, {"a": 2}, False),
    ],
)
def test_things_are_told_by_what_they_hold(one, another, same):
    """Also where Python's own hash has the same value for both, or another one in each process."""
    assert (content_hash(one) == content_hash(another)) == same


def test_states_without_a_value_are_told_by_their_moves():
    """Lists cannot be hashed, and objects that are equal to themselves alone are not told by what they hold."""

    class Thing:
        pass

    for state, found in (([], False), (Thing(), False), ((), True), ("a", True)):
        problem = changed(initial_state=lambda self, state=state: state, legal_moves=lambda self, state: [1])
        assert problem.model.has_hash == found
