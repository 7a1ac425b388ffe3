import math
import pickle
from itertools import islice

import naive_tempering
import numpy as np
import pytest
from click.testing import CliRunner
from jobs_with_rest import Jobs as JobsWithRest
from jobs_with_rest import JobsWithoutRest
from naive_tempering import NaiveTempering, codes
from user_problems import Bits
from walk import Walk

import nrpa
from nrpa.cli import main
from nrpa.engine.status import LARGEST_SCORE
from nrpa.registry import problem_class
from nrpa.solvers.tempering.changes import AT_FIRST
from nrpa.solvers.tempering.kernel import COLDEST, FIRST_GAMES, HOTTEST, exchange_games, set_temperatures
from nrpa.solvers.tempering.memory import TemperingSettings
from nrpa.solvers.tempering.search import start


class Jobs(nrpa.Problem):
    """Jobs one after the other, each after two others at most; late ones cost. Some are alike, and share a code."""

    def __init__(self, jobs=24):
        rng = np.random.default_rng(5)
        self.jobs = jobs
        self.hours = rng.integers(1, 20, jobs).tolist()
        self.worth = rng.integers(1, 20, jobs).tolist()
        self.before = [{int(x) for x in rng.integers(-jobs // 3, max(j, 1), 2) if 0 <= x < j} for j in range(jobs)]

    def initial_state(self):
        return (frozenset(), 0, 0)

    def legal_moves(self, state):
        return [j for j in range(self.jobs) if j not in state[0] and self.before[j] <= state[0]]

    def play(self, state, move):
        done, hour, cost = state
        hour += self.hours[move]
        return (done | {move}, hour, cost + self.worth[move] * hour)

    def score(self, state):
        return -state[2] / 10

    def code(self, state, move):
        return ("job", move - move % 8 // 7)


class Biased(Jobs):
    """Short jobs first."""

    def bias(self, state, move):
        return -self.hours[move] / 5


class Odds(Jobs):
    """Most games have a low score."""

    def __init__(self):
        super().__init__(8)

    def score(self, state):
        return super().score(state) if state[2] % 5 == 0 else -1e4


class Rotated(Jobs):
    """Asks for another rotation than the solver is given."""

    def hints(self):
        return nrpa.Hints(rotation=3)


def compiled_knapsack():
    from knapsack_compiled import CompiledKnapsack

    items = np.random.default_rng(7).integers(5, 30, (2, 40)).tolist()
    return CompiledKnapsack(*items, 350)


def line_of(problem):
    """Return a function that names moves of Morpion by the first dot and the direction of a line, on coordinates."""
    steps = {"H": (1, 0), "V": (0, 1), "DP": (1, -1), "DN": (1, 1)}

    def named(x, y, direction, position):
        dx, dy = steps[direction]
        return (x - position * dx, y - position * dy, direction)

    return lambda game: [named(*problem.solution(np.array([move]))[0]) for move in game.listed]


def small_samegame():
    return nrpa.SameGame(np.random.default_rng(1).integers(0, 3, (6, 7)))


def stones(game):
    """Return the stones of the cells of SameGame that are listed."""
    return game.names()


CASES = {
    "samegame": (small_samegame, nrpa.Tempering(chains=3, period=50, coldest=2.0, hottest=20.0), 1000),
    "morpion": (lambda: nrpa.Morpion("4D"), nrpa.Tempering(chains=3, period=10), 2000),
    "knapsack": (compiled_knapsack, nrpa.Tempering(chains=4, period=7), 2500),
    "python": (Jobs, nrpa.Tempering(chains=3, period=11), 2500),
    "codes": (Jobs, nrpa.Tempering(chains=3, period=11, names="code"), 2500),
    "hot": (Jobs, nrpa.Tempering(chains=5, period=1, coldest=3.0, hottest=500.0), 1000),
    "rotation": (Rotated, nrpa.Tempering(chains=4, period=3, rotation=5), 1000),
    "rotation at each round": (Odds, nrpa.Tempering(chains=3, period=4, rotation=1), 500),
    "alone": (Jobs, nrpa.Tempering(chains=1, period=5), 500),
    "more than 64 steps": (lambda: Jobs(90), nrpa.Tempering(chains=2, period=20), 400),
    "low scores": (Odds, nrpa.Tempering(chains=3, period=4), 1000),
    "games that meet": (JobsWithRest, nrpa.Tempering(chains=3, period=40), 400),
    "games that meet at last": (lambda: JobsWithRest(40, must=0xA10), nrpa.Tempering(chains=2, period=100), 200),
    "bias": (Biased, nrpa.Tempering(chains=2, period=11, bias=True), 1500),
    "bias, codes": (Biased, nrpa.Tempering(chains=2, period=11, names="code", bias=True), 1500),
    "bias by code": (lambda: nrpa.TSPTW.load("rc201.1", moves="all"), nrpa.Tempering(chains=2, bias=True), 300),
    "annealed": (Jobs, nrpa.Tempering(chains=1, period=7, anneals=True), 2500),
    "annealed between temperatures": (Odds, nrpa.Tempering(1, period=3, coldest=1.0, hottest=9.0, anneals=True), 500),
    "annealed together, rotation": (Rotated, nrpa.Tempering(chains=3, period=3, rotation=5, anneals=True), 1000),
    "many chains": (Bits, nrpa.Tempering(chains=150, period=2), 1000),
}


def told(problem, moves):
    """Return the moves of a game, without what some numbers of jobs say of the move before."""
    return [move % len(problem.instance.jobs) for move in moves] if isinstance(problem, JobsWithRest) else moves


def games_of(search):
    """Return moves, names and score of the game of each chain."""
    games = search.memory.chains.games
    return [
        (move[:length].tolist(), name[:length].tolist(), float(score))
        for move, name, length, score in zip(*games, strict=True)
    ]


@pytest.mark.parametrize("case", CASES)
def test_agrees_with_a_plain_search(case):
    """After each playout: its score, games and names of all chains, temperatures."""
    make, solver, playouts = CASES[case]
    problem = make()
    line = line_of(problem) if case == "morpion" else None
    has_names = isinstance(problem, JobsWithRest)
    named = codes if solver.names == "code" or has_names else naive_tempering.moves
    twin = NaiveTempering(problem, solver, 3, line or (stones if case == "samegame" else named))
    search = solver.start(problem, 3)
    names = {}
    for playout, found in enumerate(islice(twin.steps(), playouts), start=1):
        search.advance(1)
        assert search.last_score == found["score"]
        chains = search.memory.chains
        for (moves, numbers, score), other in zip(games_of(search), twin.chains, strict=True):
            assert (told(problem, moves), score) == (told(problem, other["moves"]), other["score"])
            if line is None:
                assert numbers == other["names"]
            for number, meant in zip(numbers, other["names"], strict=True):
                assert names.setdefault(number, meant) == meant
        assert search.memory.rounds.begun[0] == bool(twin.temperatures)
        if twin.temperatures:
            assert chains.temperature.tolist() == pytest.approx(twin.temperatures, rel=1e-9)
        assert (search.playouts, search.score) == (playout, twin.best["score"])
    assert len(set(names.values())) == len(names)
    assert search.moves.tolist() == twin.best["moves"]


@pytest.mark.parametrize(
    "case", ["knapsack", "python", "rotation", "more than 64 steps", "games that meet", "annealed together, rotation"]
)
def test_neither_slices_nor_pickling_matter(case):
    """Cut into odd slices, and pickled in mid-turn again and again, so that the states between are made anew."""
    make, solver, playouts = CASES[case]
    problem = make()
    whole, sliced, pickled = (solver.start(problem, 4) for _ in range(3))
    while whole.playouts < playouts:
        whole.advance(playouts - whole.playouts)
    while sliced.playouts < playouts:
        sliced.advance(min(13, playouts - sliced.playouts))
    while pickled.playouts < playouts:
        pickled = pickle.loads(pickle.dumps(pickled))
        pickled.advance(min(97, playouts - pickled.playouts))
    whole_games, *others = (
        [(told(problem, moves), *rest) for moves, *rest in games_of(search)] for search in (whole, sliced, pickled)
    )
    assert whole_games == others[0] == others[1]
    for random in (lambda memory: memory.random, lambda memory: memory.chains.random):
        assert len({random(search.memory).tobytes() for search in (whole, sliced, pickled)}) == 1
    assert whole.moves.tolist() == sliced.moves.tolist() == pickled.moves.tolist()


def test_room_grows_to_the_same_search():
    """A search that begins with room for 64 steps ends as one that has had room for all from the beginning."""
    solver = nrpa.Tempering(chains=2, period=20)
    problem = Jobs(90)
    found = nrpa.solve(problem, nrpa.RandomSampling(), seed=1, playouts=1)
    assert len(found.solution) == 90
    small, large = solver.start(problem, 2), solver.start(problem, 2)
    large._enlarge(large._capacity().holding(200, 100000)._replace(moves=200))
    large._collect()
    for search in (small, large):
        search.advance(300)
    assert (small.memory.capacity[0], large.memory.capacity[0]) == (128, 256)
    assert games_of(small) == games_of(large)


def test_room_grows_where_games_meet():
    """In mid-turn; names and scores are the same, although states have other places in a larger table."""
    problem = JobsWithRest()
    small, large = (nrpa.Tempering(chains=2, period=70).start(problem, 2) for _ in range(2))
    for room in (24, 200, 1000):
        large._enlarge(large._capacity().holding(room, 100000))
        large._collect()
        for search in (small, large):
            search.advance(333)
        assert [game[1:] for game in games_of(small)] == [game[1:] for game in games_of(large)]
        assert small.moves.tolist() == large.moves.tolist()
        assert problem.check(small.moves.tolist()).score == small.score


@pytest.mark.parametrize("make", [lambda: nrpa.Morpion("5D"), Jobs, compiled_knapsack], ids=["name", "python", "code"])
def test_the_coldest_chain_begins_with_the_game_that_is_given(make):
    """With the names that its moves have where it is played, and nothing is lost of it."""
    problem = make()
    solver = nrpa.Tempering(chains=2, period=30)
    first = solver.start(problem, 1)
    first.advance(400)
    names = {tuple(moves): named for moves, named, _ in games_of(first)}
    moves = np.array(games_of(first)[0][0])
    search = solver.start(problem, 2, warm_start=moves)
    given = games_of(search)[0]
    assert given == games_of(first)[0]
    assert given[1] == names[tuple(moves.tolist())]
    assert (search.score, search.moves.tolist()) == (given[2], moves.tolist())
    search.advance(FIRST_GAMES)
    assert games_of(search)[0][2] >= given[2]
    search.advance(300)
    assert search.score >= given[2]


def test_a_result_is_never_worse_than_what_it_starts_from():
    """Through ``solve``, by the solution."""
    problem = nrpa.Morpion("5D")
    found = nrpa.solve(problem, nrpa.Tempering(period=100), seed=1, playouts=2000)
    again = nrpa.solve(problem, nrpa.Tempering(period=100), seed=2, playouts=50, warm_start=found)
    assert again.score >= found.score
    assert problem.check(again.solution).valid


def test_an_exchange_keeps_both_games():
    """Whichever is longer, with names and scores."""
    search = nrpa.Tempering(chains=2, period=1000).start(nrpa.Morpion("5T"), 1)
    search.advance(FIRST_GAMES)
    one, other = games_of(search)
    assert len(one[0]) != len(other[0])
    for _ in range(2):
        exchange_games(search.memory.chains.games, 0, 1)
        assert games_of(search) == [other, one]
        one, other = other, one


def temperatures(scores, chains, hottest=0.0, coldest=0.0):
    """Return the temperatures that follow from the scores of random games."""
    memory = nrpa.Tempering(chains=chains).start(Bits(), 1).memory
    memory = memory._replace(chains=memory.chains._replace(first=np.array([scores], np.float64)))
    set_temperatures(memory, TemperingSettings(hottest, coldest, 1, 0, np.array(AT_FIRST), False, False, False, True))
    return memory.chains.temperature.tolist()


def test_temperatures_are_a_geometric_series():
    """Equal ratios, between the ends that are given, or those that follow from the spread of the scores."""
    assert temperatures([0.0], 4, hottest=8.0, coldest=1.0) == pytest.approx([1.0, 2.0, 4.0, 8.0])
    given = temperatures([1.0, 2.0], 7, hottest=0.3, coldest=0.1)
    assert (given[0], given[-1]) == (0.1, 0.3)
    scores = np.random.default_rng(1).normal(1e6, 50.0, 100)
    found = temperatures(scores, 5)
    spread = np.std(scores)
    ends = [COLDEST * spread, HOTTEST * spread]
    assert [found[0], found[-1]] == pytest.approx(ends)
    assert np.diff(np.log(found)) == pytest.approx([np.log(ends[1] / ends[0]) / 4] * 4)


@pytest.mark.parametrize("scores", [[5.0] * 20, [1e308, -1e308]])
@pytest.mark.parametrize("ends", [{}, {"coldest": 1e-300}, {"hottest": 1e100}, {"coldest": 1e-300, "hottest": 1e100}])
def test_temperatures_are_finite_and_positive(scores, ends):
    """Whatever the spread, and however far apart the ends."""
    for chains in (1, 6):
        found = temperatures(scores, chains, **ends)
        assert all(0.0 < temperature < math.inf for temperature in found)
        assert found == sorted(found)


def test_one_end_that_is_given_bounds_the_other():
    """The hottest chain is nowhere colder than the coldest one."""
    scores = [0.0, 1000.0]
    assert temperatures(scores, 3, hottest=0.01) == pytest.approx([0.01] * 3)
    assert temperatures(scores, 3, coldest=1e6) == pytest.approx([1e6] * 3)


def test_chains_do_not_stand_still_where_all_scores_are_equal():
    """Another game as bad is taken."""

    class Hopeless(Jobs):
        def score(self, state):
            return -LARGEST_SCORE

    search = nrpa.Tempering(chains=2, period=5).start(Hopeless(10), 1)
    search.advance(FIRST_GAMES)
    before = games_of(search)
    search.advance(200)
    assert all(old[0] != new[0] for old, new in zip(before, games_of(search), strict=True))
    assert search.score == -LARGEST_SCORE
    assert len(search.moves) == 10


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"chains": 0}, "chains must be a whole number of at least 1, not 0"),
        ({"chains": 1001}, "chains must be at most 1000, not 1001"),
        ({"period": 0}, "period must be a whole number of at least 1, not 0"),
        ({"coldest": -1.0}, r"coldest must be a number from 0 to 1e\+100, not -1.0"),
        ({"hottest": math.nan}, r"hottest must be a number from 0 to 1e\+100, not nan"),
        ({"hottest": 1e101}, r"hottest must be a number from 0 to 1e\+100, not 1e\+101"),
        ({"coldest": 2.0, "hottest": 1.0}, r"coldest must be at most hottest \(1\), not 2"),
    ],
)
def test_bad_options_are_refused(options, message):
    """Each by a sentence that names the option."""
    with pytest.raises(nrpa.InputError, match=message):
        nrpa.Tempering(**options)


def test_weights_are_refused():
    """There is no policy."""
    with pytest.raises(nrpa.InputError, match="initial weights do not apply to the solver tempering"):
        nrpa.start(Bits(), nrpa.Tempering(), weights={1: 1.0})


def test_a_game_of_two_players_is_refused_as_by_other_solvers():
    """By the same sentence, from Python and from the command line."""
    game = problem_class("hex")()
    said = []
    for solver in (nrpa.NRPA(), nrpa.Tempering()):
        with pytest.raises(nrpa.InputError, match="is a game for 2 players") as caught:
            nrpa.solve(game, solver, seed=1, playouts=10)
        said.append(str(caught.value))
    assert said[0] == said[1]
    shown = CliRunner().invoke(main.commands, ["solve", "hex", "--solver", "tempering", "--playouts", "10"])
    assert str(shown.exception) == said[0]


def test_a_game_without_moves():
    """The initial state ends it; each playout is that game."""
    lone = nrpa.solve(nrpa.Morpion("5T", dots=[(0, 0)]), nrpa.Tempering(chains=2, period=3), seed=1, playouts=300)
    assert (lone.playouts, lone.score, list(lone.solution)) == (300, 0.0, [])


@pytest.mark.parametrize("solver", [nrpa.RandomSampling(), nrpa.Tempering(chains=2, period=3)])
def test_nan_is_reported(solver):
    """As by any other solver, in the first game or later."""

    class Sometimes(Bits):
        def score(self, state):
            return math.nan if sum(state) >= 9 else sum(state)

    with pytest.raises(nrpa.ProblemError, match="nan"):
        nrpa.solve(Sometimes(), solver, seed=1, playouts=3000)


def test_an_exception_of_the_problem_is_raised_as_it_is():
    """And the search is where it was before it was asked."""
    from walk import Failing

    search = nrpa.Tempering(chains=2, period=3).start(Failing(), 1)
    search.advance(1)
    for _ in range(2):
        with pytest.raises(LookupError, match="in score"):
            search.advance(5000)
    assert search.playouts == 1


@pytest.mark.parametrize("make", [Walk, compiled_knapsack, lambda: nrpa.Morpion("4D"), JobsWithRest])
def test_the_debug_mode_finds_the_same(make):
    """The search as plain Python."""
    solver = nrpa.Tempering(chains=2, period=5)
    playouts = FIRST_GAMES + 60
    compiled = nrpa.solve(make(), solver, seed=2, playouts=playouts)
    with nrpa.debug():
        plain = nrpa.solve(make(), solver, seed=2, playouts=playouts)
    assert (plain.score, plain.solution) == (compiled.score, compiled.solution)


@pytest.mark.parametrize("seed", range(3))
def test_a_search_of_games_that_meet_finds_what_one_finds_that_plays_them_on(seed):
    """Also from a game of moves that only ``all_moves`` lists; the best game is one of legal moves by their numbers."""
    solver, found = nrpa.Tempering(chains=3, period=100), []
    for kind in (JobsWithRest, JobsWithoutRest):
        problem = kind(hidden=1)
        given = nrpa.solve(problem, nrpa.NMCS(level=1), seed=seed, playouts=200)
        search = solver.start(problem, seed, warm_start=np.array(given.solution))
        search.advance(2000)
        found.append((search.score, search.moves.tolist(), [game[1:] for game in games_of(search)]))
        assert search.score >= given.score
        assert problem.check(search.moves.tolist()).score == search.score
    assert found[0] == found[1]


class Turned(Bits):
    """Bits that ``tempering`` plays in another form, whose codes are other ones."""

    def hints(self):
        self._other = getattr(self, "_other", None) or Plainer()
        return nrpa.Hints(replayed=self._other)


class Plainer(Bits):
    """The same moves; a move is its code."""

    def code(self, state, move):
        return move


def test_another_form_of_the_problem_is_searched():
    """The one that is ``replayed``, also after pickling."""
    search = start(nrpa.Tempering(chains=2, period=5), Turned(), 1)
    plain = start(nrpa.Tempering(chains=2, period=5), Plainer(), 1)
    for _ in range(3):
        search, plain = (pickle.loads(pickle.dumps(each)) for each in (search, plain))
        search.advance(100)
        plain.advance(100)
        assert games_of(search) == games_of(plain)
    assert set(games_of(search)[0][1]) <= {0, 1}
