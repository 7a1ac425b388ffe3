"""Games that are changed and played again; whole searches of them: ``tests/solvers/tempering/test_search.py``."""

import math
from itertools import pairwise
from typing import NamedTuple

import numpy as np
import pytest
from jobs_with_rest import Jobs, JobsWithoutRest

import nrpa
from nrpa.engine.game import Game
from nrpa.engine.kernels import allocate_moves
from nrpa.engine.playout import Position, unset
from nrpa.engine.random import random_state
from nrpa.engine.status import TOO_MANY_STEPS
from nrpa.modelling.bias import exp_bias
from nrpa.modelling.neighbours import NO_NEIGHBOURS
from nrpa.solvers.tempering.changes import FIXED, allocate_shares, change, draw_kind
from nrpa.solvers.tempering.kernel import FIRST_GAMES
from nrpa.solvers.tempering.meeting import UNKNOWN
from nrpa.solvers.tempering.memory import allocate_games
from nrpa.solvers.tempering.move_worth import allocate_move_worth
from nrpa.solvers.tempering.replay import EVERY, allocate_replay, replay_game, retrace, states_between, take_child

STEPS = 30
COLOURS = 4
SHARES = allocate_shares(1, FIXED)


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


def find(instance, state, name):
    colour = name - 100
    if state.made[0] == instance.steps or not 0 <= colour < COLOURS - 1:
        return nrpa.NEVER
    return nrpa.NOT_NOW if colour == state.made[1] else colour


def rest(instance, state):
    return COLOURS * state.made[0] + state.made[1]


@nrpa.kernels(reset, legal_moves, all_moves, play, score, name, find)
class State(NamedTuple):
    made: np.ndarray
    count: np.ndarray


@nrpa.kernels(reset, legal_moves, all_moves, play, score, name, find, rest)
class StateWithRest(NamedTuple):
    made: np.ndarray
    count: np.ndarray


class Beads(nrpa.CompiledProblem):
    """A row of beads, of no colour twice in turn; levels of NMCS have a colour more."""

    state_class = State

    def __init__(self, steps=STEPS):
        super().__init__(Instance(steps), max_steps=steps, max_moves=COLOURS, codes=COLOURS * steps)

    def new_state(self):
        return self.state_class(np.zeros(2, np.int64), np.zeros(COLOURS, np.int64))


class BeadsWithRest(Beads):
    """The same, of which changed games may meet the old ones."""

    state_class = StateWithRest


BOTH = pytest.mark.parametrize("beads", [Beads, BeadsWithRest])


class Table:
    """What ``replay_game`` needs, with room for one game."""

    def __init__(self, problem, steps=STEPS):
        self.problem = problem
        self.position = Position(problem.instance, problem.new_state(), allocate_moves(problem.max_moves), unset())
        self.games = allocate_games(1, steps)
        self.work = self.new_work()
        self.random, self.worth = random_state(1), allocate_move_worth(1)

    def new_work(self):
        steps = self.games.move.shape[1]
        states = [self.problem.new_state() for _ in range(states_between(steps))]
        bias = exp_bias(self.problem, False)
        return allocate_replay(states, steps, self.problem.max_moves, bias, False, NO_NEIGHBOURS)

    def replayed(self, unchanged, wanted, by_chance=False):
        """Play again and return the status and the changed game's moves, whose names are right."""
        status = self.status(unchanged, wanted, by_chance)
        child = self.work.child
        moves = child.move[0, : child.length[0]].tolist()
        assert child.name[0, : child.length[0]].tolist() == [100 + move for move in moves]
        return status, moves

    def status(self, unchanged, wanted, by_chance):
        self.work.wanted[: len(wanted)] = wanted
        return replay_game(
            self.position, self.work, self.games, 0, unchanged, len(wanted), by_chance, self.worth, True, self.random
        )

    def remember(self, entries):
        """Have so many entries for the states that changed games may meet."""
        meeting = self.work.meeting._replace(met=np.zeros(entries, np.int32))
        self.work = self.work._replace(meeting=meeting)

    def take(self, unchanged):
        take_child(self.position, self.work, self.games, 0, unchanged)

    @property
    def names(self):
        """The names of the game."""
        return self.games.name[0, : self.games.length[0]].tolist()


@BOTH
def test_a_wanted_move_waits_until_it_is_legal(beads):
    """The lowest rank that is legal comes first; names that no move has do no harm."""
    status, moves = Table(beads()).replayed(0, [100, 100, 555, 101, 102, 101, 101])
    assert status == 0
    assert moves[:5] == [0, 1, 0, 2, 1]
    assert len(moves) == STEPS


@BOTH
def test_one_move_by_chance_comes_before_the_wanted_ones(beads):
    """Whatever it is, the wanted ones follow as soon as they are legal."""
    table = Table(beads())
    firsts = set()
    for _ in range(30):
        _, moves = table.replayed(0, [100, 101, 102], by_chance=True)
        firsts.add(moves[0])
        assert moves[1:4] == ([1, 0, 2] if moves[0] == 0 else [0, 1, 2])
    assert firsts == {0, 1, 2}


@BOTH
def test_states_that_are_known_change_nothing(beads):
    """For every number of unchanged moves: with the states that are known, and from the beginning of the game."""
    table = Table(beads())
    table.replayed(0, [])
    table.take(0)
    game = table.games.move[0].tolist()
    begun_later = 0
    for unchanged in [*range(STEPS + 1), *range(STEPS, -1, -1)]:
        random, found = table.random.copy(), []
        begun_later += table.work.known[0] > 0
        for known in (table.work.known[0], 0):
            table.random[:] = random
            table.work.known[0] = known
            found.append(table.replayed(unchanged, []))
        assert found[0] == found[1]
        assert found[0][1][:unchanged] == game[:unchanged]
        assert table.work.known[0] == min(unchanged // EVERY, states_between(STEPS))
    assert begun_later > STEPS


@BOTH
def test_a_game_that_is_taken_keeps_the_states_before_the_change(beads):
    """And forgets those after it."""
    table = Table(beads())
    table.replayed(0, [])
    table.take(0)
    table.replayed(3 * EVERY, [101])
    assert table.work.known[0] == 3
    _, moves = table.replayed(2 * EVERY - 1, [])
    table.take(2 * EVERY - 1)
    assert table.work.known[0] == 1
    assert table.games.move[0, : table.games.length[0]].tolist() == moves
    assert table.games.score[0] == moves.count(1) - moves.count(0)
    assert table.replayed(len(moves), []) == (0, moves)


@BOTH
def test_a_game_without_room_is_said_to_have_none(beads):
    """The status asks for more steps."""
    assert Table(beads(), STEPS - 1).replayed(0, [])[0] == TOO_MANY_STEPS


@BOTH
def test_a_given_game_may_have_moves_that_only_levels_try(beads):
    """They get their names, and the games that follow from it are played."""
    given = np.array([3, 1] * (STEPS // 2))
    search = nrpa.Tempering(chains=1, period=50).start(beads(), 1, warm_start=given)
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
    """As compiled and as plain Python; what bounds are checked for: ``test_guarded_game.py``."""
    for game in (Game(Beads().model), Game(Beads().model, interpreted=True)):
        game.reset()
        game.legal_moves()
        assert game.names() == [100, 101, 102]
        assert [game.move_of(name) for name in (102, 100, 103)] == [2, 0, nrpa.NEVER]
        game.play(game.move_of(102))
        assert [game.move_of(name) for name in (102, 100, 103)] == [nrpa.NOT_NOW, 0, nrpa.NEVER]


class Twins:
    """Two tables of one problem: of the first, changed games may meet the old ones; of the second, they are played on.

    ``met`` counts those that met by how many moves more they have than the game that they met.
    """

    def __init__(self, given=None, steps=24, **options):
        problems = (Jobs(**options), JobsWithoutRest(**options))
        self.tables = [Table(problem, steps) for problem in problems]
        self.met = {}
        self.failures = 0
        self.is_looked_for, self.meeting = False, (0, 0)
        self.game = Game(problems[0].model, interpreted=True)
        for table in self.tables:
            if given is None:
                while table.status(0, [], False) < 0:
                    pass
                table.take(0)
            else:
                for field, value in zip(table.games, given, strict=True):
                    np.atleast_2d(field)[0, : np.size(value)] = value

    def change(self):
        """Change the game of each alike; return how many moves stay, or None where the changed game failed."""
        statuses, names = [], []
        for table in self.tables:
            kind = draw_kind(SHARES, 0, table.random)
            unchanged, wanted, by_chance = change(table.work.wanted, table.games, 0, kind, table.random)
            names = table.work.wanted[:wanted].tolist()
            statuses.append(table.status(unchanged, names, by_chance))
        merged, plain = self.tables
        assert merged.random.tolist() == plain.random.tolist()
        assert statuses[1] <= 0
        if statuses[1] < 0:
            self.failures += 1
            assert statuses[0] == statuses[1]
            return None
        self.compare(merged.work.child, plain.work.child)
        self.meeting = (statuses[0], self.first_meeting(unchanged, names, by_chance) if self.is_looked_for else None)
        if statuses[0] > 0:
            longer = int(plain.work.child.length[0] - plain.games.length[0])
            self.met[longer] = self.met.get(longer, 0) + 1
        return unchanged

    def first_meeting(self, unchanged, wanted, by_chance):
        """Return after how many moves the changed game meets the old one, from what was played on; 0 for not at all."""
        old, child = self.tables[1].names, self.tables[1].work.child
        jobs, wanted, kinds = (
            self.tables[0].problem.instance.jobs,
            list(wanted),
            len(self.tables[0].problem.instance.jobs),
        )
        after = {int(sum(jobs[old[:step]])): step for step in range(len(old) + 1)}
        self.game.reset()
        for step, move in enumerate(child.move[0, : child.length[0]].tolist()):
            self.game.play(move)
            if step < unchanged:
                continue
            if move % kinds in wanted and not (by_chance and step == unchanged):
                wanted.remove(move % kinds)
            met = after.get(self.game.value("rest"))
            possible = [name for name in wanted if self.game.move_of(name) != nrpa.NEVER]
            if met is not None and old[met:] == possible and math.isfinite(self.game.score()):
                return step + 1
        return 0

    def compare(self, one, other):
        """Names, scores and lengths are the same; moves, too, but for what their numbers say of the move before."""
        length, kinds = other.length[0], len(self.tables[0].problem.instance.jobs)
        assert one.length[0] == length
        assert one.name[0, :length].tolist() == other.name[0, :length].tolist()
        assert (one.move[0, :length] % kinds).tolist() == (other.move[0, :length] % kinds).tolist()
        assert one.score[0] == other.score[0]

    def retrace(self):
        """Make the moves of the first one's changed game those that are legal: what the second one played."""
        merged, plain = self.tables
        before, length = merged.work.child.move[0].tolist(), plain.work.child.length[0]
        retrace(merged.position, merged.work)
        assert merged.work.child.move[0, :length].tolist() == plain.work.child.move[0, :length].tolist()
        return before != merged.work.child.move[0].tolist()

    def take(self, unchanged):
        for table in self.tables:
            table.take(unchanged)
        self.compare(self.tables[0].games, self.tables[1].games)

    def forget(self):
        """Know nothing of the first one's game, as after a pickling in mid-turn."""
        self.tables[0].work = self.tables[0].new_work()

    def check_course(self):
        """Compare what is known of the first one's game after each of its moves with what its kernels say."""
        merged, game = self.tables[0], self.game
        if merged.work.known[0] == UNKNOWN:
            return
        game.reset()
        for step, name in enumerate([*merged.names, None]):
            course = (merged.work.meeting.old.rest[step], merged.work.meeting.old.won[step])
            assert course == (game.value("rest"), game.value("score"))
            if name is not None:
                game.play(next(move for move in game.all_moves() if move % len(merged.problem.instance.jobs) == name))


CASES = {
    "plain": {},
    "long": {"jobs": 60, "steps": 60},
    "infinite": {"must": 0b1000010001},
    "nan": {"spoilt": 0b1011000000},
    "no room": {"steps": 17},
}


def vary(twins, changes, taken=0.5):
    """Change the twins' games again and again, and take some; return how many had moves that are not listed."""
    chance, retraced = np.random.default_rng(1), 0
    for _ in range(changes):
        twins.is_looked_for = chance.random() < 0.1
        unchanged = twins.change()
        if unchanged is not None:
            retraced += chance.random() < 0.2 and twins.retrace()
            if chance.random() < taken:
                twins.take(unchanged)
                twins.check_course()
        if chance.random() < 0.005:
            twins.forget()
    return retraced


@pytest.mark.parametrize("case", CASES)
def test_games_that_meet_are_those_that_are_played_on(case):
    """For thousands of changes: names, moves, scores, failures and random numbers, and what is known of the game."""
    twins = Twins(**CASES[case])
    assert vary(twins, 1500) > 50
    assert sum(twins.met.values()) > 300
    assert min(twins.met) < 0 < max(twins.met)
    assert (twins.failures > 30) == (case in ("nan", "no room"))


def test_games_meet_as_soon_as_they_can():
    """By an obvious search in the games that were played on; also after many games that were taken.

    The table of states is so large here that none is missing.
    """
    twins = Twins()
    twins.tables[0].remember(1 << 20)
    chance, met = np.random.default_rng(2), 0
    twins.is_looked_for = True
    for _ in range(500):
        unchanged = twins.change()
        known = twins.tables[0].work.known[0] != UNKNOWN
        assert twins.meeting[0] == (twins.meeting[1] if known else 0)
        met += twins.meeting[0] > 0
        if chance.random() < 0.3:
            twins.take(unchanged)
    assert 100 < met < 450


def test_a_table_of_states_that_is_too_small_is_only_slower():
    """Where all states of a game have two entries, or four, some meetings are missed."""
    for entries in (2, 4):
        twins = Twins()
        for table in twins.tables:
            table.remember(entries)
        twins.forget = lambda: None
        vary(twins, 1000)
        assert sum(twins.met.values()) > 10


def given_game(problem, seed):
    """Return moves, names, length and score of a game of moves that ``all_moves`` lists; and where hidden ones are."""
    game, chance, moves = Game(problem.model, interpreted=True), np.random.default_rng(seed), []
    game.reset()
    while game.legal_moves():
        moves.append(int(chance.choice(game.all_moves())))
        game.play(moves[-1])
    names = [move % len(problem.instance.jobs) for move in moves]
    hidden = [step for step, name in enumerate(names) if problem.instance.hidden[name]]
    return (moves, names, len(moves), game.score()), hidden


@pytest.mark.parametrize("seed", range(4))
def test_a_given_game_is_met_after_its_last_move_that_is_not_legal(seed):
    """Before that, changed games are played on: no wanted move is found there that ``legal_moves`` leaves out."""
    given, hidden = given_game(Jobs(hidden=1), seed)
    assert 0 < hidden[-1] < given[2] - 1
    twins = Twins(given, hidden=1)
    for _ in range(200):
        twins.change()
    assert sum(twins.met.values()) > 0
    vary(twins, 500, taken=0.1)
