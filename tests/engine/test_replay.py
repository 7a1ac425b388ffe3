"""Games that are changed and played again; whole searches of them: ``tests/solvers/test_tempering.py``."""

from itertools import pairwise
from typing import NamedTuple

import numpy as np
import pytest

import nrpa
from nrpa.engine.game import Game
from nrpa.engine.guarded_game import GuardedGame
from nrpa.engine.kernels import allocate_moves
from nrpa.engine.playout import Position
from nrpa.engine.random import random_state
from nrpa.engine.replay import EVERY, allocate_games, allocate_replay, replay, states_between, take_child
from nrpa.engine.status import TOO_MANY_STEPS
from nrpa.solvers.compiled_tempering import FIRST_GAMES

STEPS = 30
COLOURS = 4


class Instance(NamedTuple):
    steps: int


def reset(instance, state):
    state.made[0], state.made[1] = 0, -1
    for colour in range(COLOURS):
        state.count[colour] = 0


def legal_moves(instance, state, moves):
    return listed(instance, state, moves, COLOURS - 1)


def all_moves(instance, state, moves):
    return listed(instance, state, moves, COLOURS)


@nrpa.jit
def listed(instance, state, moves, colours):
    """List the colours but the last bead's; a move is a colour, and its code says when, too."""
    count = 0
    for colour in range(colours if state.made[0] < instance.steps else 0):
        if state.made[1] != colour:
            moves.move[count] = colour
            moves.code[count] = COLOURS * state.made[0] + colour
            count += 1
    return count


def play(instance, state, move):
    state.made[0] += 1
    state.made[1] = move
    state.count[move] += 1


def score(instance, state):
    return state.count[1] - state.count[0]


def name(instance, state, moves, place):
    return 100 + moves.move[place]


def find(instance, state, moves, count, name):
    for place in range(count):
        if 100 + moves.move[place] == name:
            return place
    return -1


@nrpa.kernels(reset, legal_moves, all_moves, play, score, name, find)
class State(NamedTuple):
    made: np.ndarray
    count: np.ndarray


class Beads(nrpa.CompiledProblem):
    """A row of beads, of no colour twice in turn; levels of NMCS have a colour more."""

    def __init__(self, steps=STEPS):
        super().__init__(Instance(steps), max_steps=steps, max_moves=COLOURS, codes=COLOURS * steps)

    def new_state(self):
        return State(np.zeros(2, np.int64), np.zeros(COLOURS, np.int64))


class Table:
    """What ``replay`` needs, with room for one game."""

    def __init__(self, steps=STEPS):
        problem = Beads()
        self.position = Position(problem.instance, problem.new_state(), allocate_moves(COLOURS))
        self.games = allocate_games(1, steps)
        self.room = allocate_replay([problem.new_state() for _ in range(states_between(steps))], steps)
        self.random = random_state(1)

    def replayed(self, unchanged, wanted, by_chance=False):
        """Play again and return the status and the changed game's moves, whose names are right."""
        self.room.wanted[: len(wanted)] = wanted
        status = replay(self.position, self.room, self.games, 0, unchanged, len(wanted), by_chance, self.random)
        child = self.room.child
        moves = child.move[0, : child.length[0]].tolist()
        assert child.name[0, : child.length[0]].tolist() == [100 + move for move in moves]
        return status, moves


def test_a_wanted_move_waits_until_it_is_legal():
    """The lowest rank that is legal comes first; names that no move has do no harm."""
    status, moves = Table().replayed(0, [100, 100, 555, 101, 102, 101, 101])
    assert status == 0
    assert moves[:5] == [0, 1, 0, 2, 1]
    assert len(moves) == STEPS


def test_one_move_by_chance_comes_before_the_wanted_ones():
    """Whatever it is, the wanted ones follow as soon as they are legal."""
    table = Table()
    firsts = set()
    for _ in range(30):
        _, moves = table.replayed(0, [100, 101, 102], by_chance=True)
        firsts.add(moves[0])
        rest = moves[1:4]
        assert rest == ([1, 0, 2] if moves[0] == 0 else [0, 1, 2])
    assert firsts == {0, 1, 2}


def test_states_that_are_known_change_nothing():
    """For every number of unchanged moves: with the states that are known, and from the beginning of the game."""
    table = Table()
    table.replayed(0, [])
    take_child(table.room, table.games, 0, 0)
    game = table.games.move[0].tolist()
    begun_later = 0
    for unchanged in [*range(STEPS + 1), *range(STEPS, -1, -1)]:
        random, found = table.random.copy(), []
        begun_later += table.room.known[0] > 0
        for known in (table.room.known[0], 0):
            table.random[:] = random
            table.room.known[0] = known
            found.append(table.replayed(unchanged, []))
        assert found[0] == found[1]
        assert found[0][1][:unchanged] == game[:unchanged]
        assert table.room.known[0] == min(unchanged // EVERY, states_between(STEPS))
    assert begun_later > STEPS


def test_a_game_that_is_taken_keeps_the_states_before_the_change():
    """And forgets those after it."""
    table = Table()
    table.replayed(0, [])
    take_child(table.room, table.games, 0, 0)
    table.replayed(3 * EVERY, [])
    assert table.room.known[0] == 3
    _, moves = table.replayed(2 * EVERY - 1, [])
    take_child(table.room, table.games, 0, 2 * EVERY - 1)
    assert table.room.known[0] == 1
    assert table.games.move[0, : table.games.length[0]].tolist() == moves
    assert table.games.score[0] == moves.count(1) - moves.count(0)
    assert table.replayed(len(moves), []) == (0, moves)


def test_a_game_without_room_is_said_to_have_none():
    """The status asks for more steps."""
    assert Table(STEPS - 1).replayed(0, [])[0] == TOO_MANY_STEPS


def test_a_given_game_may_have_moves_that_only_levels_try():
    """They get their names, and the games that follow from it are played."""
    given = np.array([3, 1] * (STEPS // 2))
    search = nrpa.Tempering(chains=1, period=50).start(Beads(), 1, warm_start=given)
    games = search.memory.chains.games
    assert games.name[0].tolist() == [100 + move for move in given]
    assert games.score[0] == search.score == STEPS // 2
    with_such = 0
    for _ in range(300):
        search.advance(1)
        moves = games.move[0].tolist()
        with_such += 3 in moves
        assert all(one != other for one, other in pairwise(moves))
        assert games.score[0] == moves.count(1) - moves.count(0)
    assert with_such > FIRST_GAMES


def test_names_step_by_step():
    """As compiled, and where bounds are checked; a place that is none is a sentence that names the kernel."""
    for game in (Game(Beads().model), GuardedGame(Beads().model)):
        game.reset()
        game.legal_moves()
        assert game.names() == [100, 101, 102]
        assert [game.place_of(name) for name in (102, 100, 103)] == [2, 0, -1]

    def find(instance, state, moves, count, name):
        return count

    @nrpa.kernels(reset, legal_moves, all_moves, play, score, name, find)
    class Astray(State):
        pass

    class Lost(Beads):
        def new_state(self):
            return Astray(*super().new_state())

    with pytest.raises(nrpa.ProblemError, match="Lost: the kernel find gave the place 3 of 3 moves"):
        nrpa.RandomSampling().start(Lost(), 1)
