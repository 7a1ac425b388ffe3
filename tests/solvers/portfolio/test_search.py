"""Portfolios against searches that are run one after the other."""

import itertools
import pickle
import signal

import naive_portfolio
import numpy as np
import pytest
from user_problems import Bits

import nrpa
from nrpa.base.errors import ProblemError
from nrpa.checking.validate import hints_of
from nrpa.solvers.portfolio import arms as arms_of_race
from nrpa.solvers.portfolio import search as portfolio_search
from nrpa.solvers.portfolio.arms import FirstGame
from nrpa.solvers.portfolio.memory import FIRST_PLAYOUTS, allocate_turns


@pytest.fixture(autouse=True)
def _short_turns(monkeypatch):
    monkeypatch.setattr(portfolio_search, "ROUNDS", 3)
    for name in ("HANDED_ON_FROM", "ALL", "LEARNING"):
        monkeypatch.setattr(portfolio_search, name, getattr(naive_portfolio, name))
    monkeypatch.setattr(arms_of_race, "FIRST_TURN", 300)
    monkeypatch.setattr(arms_of_race, "FIRST_TURN_IN_PYTHON", 200)


@pytest.fixture
def problem():
    return nrpa.SameGame(np.random.default_rng(3).integers(0, 4, (8, 7)))


class Uncoded(Bits):
    """Bits whose codes are their moves."""

    def code(self, state, move):
        return move


@pytest.mark.parametrize("seed", range(6))
def test_the_arms_take_turns(problem, seed):
    """Every improvement, and the arms that are left, are those of searches run one after the other."""
    auto = nrpa.Auto(tempering=False)
    arms = auto.arms_of(problem)
    assert [arm.problem.tabu for arm in arms] == [1, 2, 3]
    expected, left = naive_portfolio.improvements(arms, seed, 1000)
    search = auto.start(problem, seed)
    found = search.advance(1000)
    assert [(each.playouts, each.score) for each in found] == expected
    assert np.flatnonzero(~search.memory.turns.dropped).tolist() == left
    assert len(left) < 3
    assert problem.check(problem.solution(search.moves)).score == search.score == expected[-1][1]


class Biased(Bits):
    """Bits with a bias."""

    def bias(self, state, move):
        return move / 2


def counted(problem, search):
    """Return as how many moves a playout of an arm counts, by its number and the length of its best game."""
    first = FirstGame.of_arms(problem, search.arms)
    lists = [portfolio_search.makes_lists(each) for each in search.searches]
    return lambda arm, length: search.arms[arm].moves(length, first, lists[arm], all(lists))


@pytest.mark.parametrize(("kind", "policies", "labels"), [(Uncoded, 1, 3), (Bits, 1, 4), (Biased, 2, 5)])
def test_tempering_and_gnrpa_race(kind, policies, labels):
    """Where nothing is known of a problem; tempering by codes where codes are no moves. It says who had how much."""
    problem = kind()
    arms = nrpa.Auto().arms_of(problem)
    all_labels = ["gnrpa", "gnrpa, β × 4"][:policies]
    all_labels += ["tempering by moves", "tempering by moves, ten chains", "tempering by codes"]
    assert [arm.label for arm in arms] == all_labels[:labels]
    assert [arm.solver.bias for arm in arms[policies:]] == [kind is Biased] * (labels - policies)
    search = nrpa.Auto().start(problem, 1)
    expected, left = naive_portfolio.improvements(arms, 1, 1500, policies, counted(problem, search))
    assert [(each.playouts, each.score) for each in search.advance(1500)] == expected
    assert np.flatnonzero(~search.memory.turns.dropped).tolist() == left
    said = search.chosen.removeprefix("auto: ").removesuffix(" % of the playouts").split(" %; ")
    shares = {arm.label: f"{100 * each.playouts / 1500:.0f}" for arm, each in zip(arms, search.searches, strict=True)}
    assert dict(each.rsplit(" ", 1) for each in said) == shares
    assert {each.rsplit(" ", 1)[0] for each in said[: len(left)]} == {arms[arm].label for arm in left}


class Order(nrpa.Problem):
    """Nine things in an order, in which few shall be less than the one before: 5 of 9 are legal in the mean."""

    def initial_state(self):
        return ()

    def legal_moves(self, state):
        return [thing for thing in range(9) if thing not in state]

    def play(self, state, move):
        return (*state, move)

    def score(self, state):
        return sum(one < other for one, other in itertools.pairwise(state)) + state[0] / 10

    def code(self, state, move):
        return move


def test_lists_of_moves_count_where_an_arm_makes_none():
    """Tempering knows what is left of a permutation; GNRPA asks for it at each move, and for codes."""
    problem = Order()
    search = nrpa.Auto().start(problem, 3)
    expected, left = naive_portfolio.improvements(nrpa.Auto().arms_of(problem), 3, 1500, 1, counted(problem, search))
    assert [(each.playouts, each.score) for each in search.advance(1500)] == expected
    assert np.flatnonzero(~search.memory.turns.dropped).tolist() == left
    shares = [each.playouts for each in search.searches]
    assert shares[1] > 4 * shares[0] > 0


class Long(Order):
    """The same with worth for pairs, in which no arm finds the best order soon."""

    def legal_moves(self, state):
        return [thing for thing in range(25) if thing not in state]

    def score(self, state):
        return sum((7 * one + 11 * other) ** 2 % 97 for one, other in itertools.pairwise(state))


def test_the_best_game_is_handed_on(monkeypatch):
    """Ten chains, which are behind, go on from it, and have its score at least; alone they come to less."""
    problem, bests = Long(), []
    for handed_on_from in (1, 99):
        monkeypatch.setattr(portfolio_search, "HANDED_ON_FROM", handed_on_from)
        search = nrpa.Auto().start(problem, 3)
        expected, _ = naive_portfolio.improvements(search.arms, 3, 1500, 1, counted(problem, search), handed_on_from)
        assert [(each.playouts, each.score) for each in search.advance(1500)] == expected
        bests.append(search.searches[2].score)
    assert bests[0] > bests[1]


def test_slices_do_not_matter(problem):
    """Advanced by one, by sevens, pickled in between, or taken back, the search is the same."""
    whole = nrpa.Auto(tempering=False).start(problem, 1)
    found = whole.advance(300)
    one, sevens = nrpa.Auto(tempering=False).start(problem, 1), nrpa.Auto(tempering=False).start(problem, 1)
    by_one = [each for _ in range(300) for each in one.advance(1)]
    by_seven = []
    for _ in range(42):
        by_seven += sevens.advance(7)
        sevens = pickle.loads(pickle.dumps(sevens))
    by_seven += sevens.advance(6)
    for other in (by_one, by_seven):
        assert [(each.playouts, each.score, each.moves.tolist()) for each in other] == [
            (each.playouts, each.score, each.moves.tolist()) for each in found
        ]


def test_it_stops_at_a_score(problem):
    """At the playout that reaches it, whichever arm it is in, with one worker and with two."""
    found = nrpa.Auto(tempering=False).start(problem, 2).advance(300)
    search = nrpa.Auto(tempering=False).start(problem, 2)
    search.advance(300, score=found[-1].score)
    assert (search.playouts, search.score) == (found[-1].playouts, found[-1].score)
    runs = [nrpa.solve(problem, nrpa.Auto(tempering=False), seed=2, playouts=400, workers=2) for _ in range(2)]
    assert runs[0].solution == runs[1].solution
    target = nrpa.solve(problem, nrpa.Auto(tempering=False), seed=2, target=runs[0].score, workers=2)
    assert target.score == runs[0].score
    assert target.playouts <= 400


def test_from_a_checkpoint(problem, tmp_path):
    """Saved in the turn of the second arm, it ends as if it had not been stopped; with two workers as well."""
    for workers in (1, 2):
        whole = nrpa.solve(problem, nrpa.Auto(tempering=False), seed=1, playouts=300, workers=workers)
        run = nrpa.start(problem, nrpa.Auto(tempering=False), seed=1, workers=workers)
        run.advance(playouts=30)
        run.save(tmp_path / "run.npz")
        run.close()
        again = nrpa.resume(tmp_path / "run.npz", problem)
        again.advance(playouts=270)
        assert again.result().solution == whole.solution
        again.close()


def test_a_warm_start_is_the_best_from_the_beginning(problem):
    """It stays until an arm finds something better."""
    first = nrpa.solve(problem, nrpa.Auto(tempering=False), seed=1, playouts=300)
    again = nrpa.solve(problem, nrpa.Auto(tempering=False), seed=2, playouts=25, warm_start=first)
    assert again.score >= first.score


def test_a_caller_who_chose_gets_no_arms(problem):
    """Another tabu colour, or none, is a choice; the arms are always the same objects, of the board's own colours."""
    for options in ({"tabu": 2}, {"selective": False}):
        chosen = nrpa.SameGame(problem.board, **options)
        assert hints_of(chosen).arms == (chosen,)
    assert hints_of(problem).arms is hints_of(problem).arms
    assert hints_of(problem).arms[0] is problem
    assert len(nrpa.SameGame([[0, 0], [1, 1]]).hints().arms) == 2


def test_plain_python_has_one_arm():
    """Moves of plain Python have numbers of their own in each problem, so that arms cannot be compared."""

    class Many(Bits):
        def hints(self):
            return nrpa.Hints(arms=(self, Bits()))

    with pytest.raises(ProblemError, match="Many: hints returned several arms; only a compiled"):
        nrpa.Auto(tempering=False).start(Many(), 1)


def test_turns_last_for_ever():
    """After so many rounds that a turn is longer than any search, it grows no more."""
    turns = allocate_turns([20])
    for _ in range(100):
        portfolio_search.begin_next_turn(turns, [1.0], [20], [False])
    assert turns.left[0] == 20 * 2**30


def test_the_others_come_back_in_turn():
    """For one round, after one in which nothing better was found; not while the first one goes on to improve."""
    turns, going_on = allocate_turns([9, 9, 9]), []
    for round_, scores in enumerate([[1, 2, 3], [1, 4, 3], [1, 5, 3], [1, 5, 3], [6, 5, 3], *[[7, 5, 3]] * 4]):
        while turns.round[0] == round_:
            portfolio_search.begin_next_turn(turns, scores, [9, 9, 9], [False] * 3)
        going_on.append(np.flatnonzero(~turns.dropped).tolist())
    assert going_on == [[0, 1, 2], [1, 2], [1], [1, 2], [0], [0], [0, 1], [0, 2], [0, 1]]


def test_the_arm_that_stays_has_longer_turns_and_is_never_dropped():
    """GNRPA learns for four rounds. After two, another arm goes on only if it has found the best of all in the last."""
    turns, rounds = allocate_turns([9] * 4), []
    for round_ in range(6):
        lengths = {}
        turns.latest[3] = min(round_, 3)
        while turns.round[0] == round_:
            lengths[int(turns.arm[0])] = int(turns.left[0]) + FIRST_PLAYOUTS * (not turns.arm[0] and not round_)
            portfolio_search.begin_next_turn(turns, [0, 1, 20 + min(round_, 3), 5], [9] * 4, [False] * 4, stays=1)
        rounds.append({arm: length // 9 / 2**round_ for arm, length in lengths.items()})
    assert rounds == [{0: 1, 1: 4, 2: 1, 3: 1}] * 2 + [{0: 1, 1: 4, 3: 1}] * 2 + [{1: 1, 3: 1}, {1: 1, 2: 1}]


@pytest.mark.parametrize("needless", [False, True])
def test_a_needless_arm_has_no_turns(needless):
    """Not even as the best of all, in the rounds after it has become so."""
    turns, seen = allocate_turns([9, 9]), set()
    for turn in range(60):
        portfolio_search.begin_next_turn(turns, [1, 5], [9, 9], [False, needless and turn >= 30])
        seen |= {int(turns.arm[0])} if turn >= 30 else set()
    assert seen == ({0} if needless else {0, 1})


def test_it_takes_the_machine_code_of_another_one():
    """As in a worker's process that has advanced one with other arms before."""
    problem = Bits()
    whole = nrpa.Auto().start(problem, 1)
    whole.advance(100)
    code = nrpa.Auto(tempering=False).start(problem, 1).machine_code
    again = nrpa.Auto().start(problem, 1).state().search(problem)
    again.prepare(code)
    again.advance(100)
    assert again.moves.tolist() == whole.moves.tolist()
    assert len(again.machine_code) == 4
    assert again.machine_code["gnrpa"] is code["gnrpa"]


@pytest.mark.parametrize("kind", [Uncoded, Bits, Biased])
def test_a_search_that_is_pickled_plays_no_games_to_look_at_codes(kind, monkeypatch):
    """Workers in other processes unpickle it at every slice; it knows what the first games have shown."""
    search = nrpa.Auto().start(kind(), 1)
    search.advance(300)
    monkeypatch.setattr(arms_of_race, "game", None)
    thawed = pickle.loads(pickle.dumps(search.state())).search(kind())
    assert [arm.label for arm in thawed.arms] == [arm.label for arm in search.arms]
    monkeypatch.undo()
    assert [(each.playouts, each.score) for each in thawed.advance(700)] == [
        (each.playouts, each.score) for each in search.advance(700)
    ]
    assert thawed.memory.turns.left.tolist() == search.memory.turns.left.tolist()


def test_an_arm_has_machine_code_when_its_turn_comes():
    """Not before: its compilation would keep the first answer back. The clock stands still meanwhile."""
    run = nrpa.start(Bits(), seed=1)
    search, seconds = run._search, [0.0]
    loads = search.load_code

    def load(whole=False):
        seconds[0] += 1000.0
        loads(whole)

    run._now, search.load_code = lambda: seconds[0], load
    run.advance(playouts=1)
    assert [arm.machine_code is None for arm in search.searches] == [False, True, True, True]
    run.advance(playouts=1500)
    assert [arm.machine_code is None for arm in search.searches] == [False, False, False, False]
    assert (seconds[0], run.progress.seconds, run.progress.playouts) == (3000.0, 0.0, 1501)


def test_ctrl_c_while_an_arm_compiles():
    """Ends the search, whose best so far is kept; nothing is compiled after it."""
    run = nrpa.start(Bits(), seed=1)

    def load(whole=False):
        signal.raise_signal(signal.SIGINT)
        raise KeyboardInterrupt

    run._search.load_code = load
    assert run.advance(playouts=10_000) == "interrupted"
    assert 0 < run.result().playouts < 10_000
    assert [arm.machine_code is None for arm in run._search.searches] == [False, True, True, True]
