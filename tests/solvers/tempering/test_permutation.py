"""Games that are orders of the same moves are changed without lists of legal moves, and come out the same."""

from typing import NamedTuple

import numpy as np
import pytest

import nrpa
from nrpa import kernels
from nrpa.solvers.tempering.permutation import can_permute, numbers_left, permutes

SOLVER = nrpa.Tempering(1, period=50, anneals=True)


class Shop(nrpa.Problem):
    """Three jobs of four operations each; a move begins the next operation of a job on its machine."""

    times = ((3, 2, 4, 1), (2, 5, 1, 3), (4, 1, 2, 2))
    sign, is_broken = -1, False

    def __init__(self):
        self.lists = 0

    def initial_state(self):
        return (0,) * 3, (0,) * 3, (0,) * 4, ()

    def legal_moves(self, state):
        self.lists += 1
        return [job for job in range(3) if state[0][job] < 4]

    def play(self, state, move):
        done, free, idle = map(list, state[:3])
        machine = (done[move] + 2 * move) % 4
        free[move] = idle[machine] = max(free[move], idle[machine]) + self.times[move][done[move]]
        done[move] += 1
        return tuple(done), tuple(free), tuple(idle), (*state[3], move)

    def score(self, state):
        return -max(state[1]) - sum(k * move for k, move in enumerate(state[3])) / 100


class Rare(Shop):
    """The same, but job 2 must wait after a certain beginning, which random games hardly ever do."""

    def legal_moves(self, state):
        legal = super().legal_moves(state)
        return legal if state[3] != (1, 0, 1, 0, 1, 0, 2, 2) else legal[:1]

    def score(self, state):
        order = (1, 0, 1, 0, 1, 0, 2, 2, 2, 2, 1, 0)
        return sum(one == other for one, other in zip(state[3], order, strict=True))


class Raising(Rare):
    """The same, but the move that is not legal raises an exception."""

    def play(self, state, move):
        if state[3] == (1, 0, 1, 0, 1, 0, 2, 2) and move == 2:
            raise RuntimeError("not legal")
        return super().play(state, move)


class Tasks(NamedTuple):
    worth: np.ndarray
    counts: int


def reset(instance, state):
    state.used[:] = False
    state.last[0] = state.won[0] = state.listed[0] = 0


def legal_moves(instance, state, moves):
    count = 0
    for task in range(len(state.used)):
        if not state.used[task]:
            moves.move[count] = moves.code[count] = task
            count += 1
    state.listed[0] = instance.counts * count
    return count


def play(instance, state, move):
    state.won[0] += instance.worth[state.last[0], move] + state.listed[0]
    state.used[move], state.last[0] = True, move


def score(instance, state):
    return state.won[0]


@kernels(reset, legal_moves, play, score)
class State(NamedTuple):
    used: np.ndarray
    last: np.ndarray
    won: np.ndarray
    listed: np.ndarray


class Order(nrpa.CompiledProblem):
    """The order of twelve tasks in which each is worth something after the one before."""

    counts = 0

    def __init__(self):
        worth = np.random.default_rng(1).integers(0, 100, (12, 12))
        super().__init__(Tasks(worth, self.counts), max_steps=12, max_moves=12, codes=12)

    def new_state(self):
        last, won, listed = np.zeros((3, 1), np.int64)
        return State(np.zeros(12, bool), last, won, listed)

    def check(self, solution):
        return nrpa.Verdict({}, score=float(sum(map(lambda a, b: self.instance.worth[a, b], [0, *solution], solution))))


class Counting(Order):
    """The same, where a move is worth as much more as moves were listed before it."""

    counts = 1


def trace(problem, lists, playouts=1500):
    """Return the scores of all playouts and the last game; ``lists`` says whether lists are made in any case."""
    search = SOLVER.start(problem, 3)
    if lists:
        search.memory.chains.permutes[:] = False
    scores = []
    for _ in range(playouts):
        search.advance(1)
        scores.append(search.memory.chains.last[0])
    chains = search.memory.chains
    return scores, chains.games.move[0].tolist(), chains.random[0].tolist(), bool(chains.permutes[0])


@pytest.mark.parametrize("kind", [Shop, Order])
def test_a_changed_game_is_the_same_without_lists(kind):
    """Score by score, in plain Python and compiled, where moves come once or several times."""
    *with_lists, permutes = trace(kind(), lists=True)
    assert not permutes
    *without, permutes = trace(kind(), lists=False)
    assert without == with_lists
    assert permutes


def test_lists_are_made_for_random_moves_only():
    """In plain Python, where a list takes longer than a move; at the end of a game it is known that there are none."""
    problem = Shop()
    run = nrpa.start(problem, SOLVER, seed=3)
    run.advance(playouts=200)
    problem.lists = 0
    run.advance(playouts=1000)
    assert problem.lists < 500


@pytest.mark.parametrize("kind", [Rare, Raising])
def test_what_random_games_do_not_show_costs_time_only(kind):
    """A rule that they do not meet is kept in the best game, and lists are made once it was met."""
    problem = kind()
    run = nrpa.start(problem, SOLVER, seed=3)
    run.advance(playouts=100)
    assert run._search.memory.chains.permutes[0]
    run.advance(playouts=5000)
    assert not run._search.memory.chains.permutes[0]
    result = run.result()
    assert problem.check(result.solution).valid
    assert result.score == 10


def test_a_move_that_needs_the_list_before_it_is_never_made_without():
    """Nor is one of a problem whose games have different moves."""
    assert can_permute(Order().model)
    assert can_permute(Shop().model)
    assert not can_permute(Counting().model)
    assert not can_permute(nrpa.Morpion("5D").model)


class Interrupted(Rare):
    """The same, but the move that is not legal, or the list that shows it, is interrupted once."""

    def __init__(self, method):
        super().__init__()
        self.method = method

    def once(self, method, state, move=None):
        if method == self.method and state[3] == (1, 0, 1, 0, 1, 0, 2, 2) and move in (2, None):
            self.method = None
            raise KeyboardInterrupt

    def play(self, state, move):
        self.once("play", state, move)
        return super().play(state, move)

    def legal_moves(self, state):
        self.once("legal_moves", state)
        return super().legal_moves(state)


@pytest.mark.parametrize("method", ["play", "legal_moves"])
def test_an_interruption_is_no_move_that_is_not_legal(method):
    """It ends the search where it stands, which then goes on as if there had been none."""
    problem, never = Interrupted(method), Interrupted(None)
    run, other = nrpa.start(problem, SOLVER, seed=3), nrpa.start(never, SOLVER, seed=3)
    with pytest.raises(KeyboardInterrupt):
        run.advance(playouts=5000)
    run.advance(playouts=5000 - run.result().playouts)
    other.advance(playouts=5000)
    assert problem.method is None
    one, another = run.result(), other.result()
    assert one.solution == another.solution
    assert [(each.playouts, each.score) for each in one.improvements] == [
        (each.playouts, each.score) for each in another.improvements
    ]


def test_what_is_offered_is_counted_in_linear_time():
    """The counts from the end are those of the slow way: of the moves from each step on, how many differ."""
    rng = np.random.default_rng(1)
    for _ in range(50):
        made = rng.integers(0, 5, 8).tolist()
        offered = [len({*made[step:]}) for step in range(len(made))]
        assert numbers_left(made) == offered


def test_sequences_say_whether_they_are_orders():
    """They are not played to find out."""
    assert can_permute(nrpa.permutation(5, sum).model)
    assert not can_permute(nrpa.assignment([1] * 5, sum).model)


def test_of_a_game_that_takes_too_long_nothing_is_known(monkeypatch):
    """It is not played to its end, to see whether it is an order."""
    assert permutes(Shop().model)
    monkeypatch.setattr("nrpa.solvers.tempering.permutation.SECONDS_OF_ONE", -1.0)
    shop = Shop()
    assert not permutes(shop.model)
    assert shop.lists < 12
