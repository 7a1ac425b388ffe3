"""Solvers in plain Python, as people outside write them."""

import dataclasses
import pickle

import numpy as np
import pytest
from iterated_greedy import IteratedGreedy
from user_problems import Bits

import nrpa
from nrpa.base.options import terms_of
from nrpa.bench.space import tried_of
from nrpa.search.check_solver import StopAfter
from nrpa.search.workers import pool_of


class Uphill(nrpa.PythonSolver):
    """Change one move of the best game, and go on at random; the memory has things of all kinds."""

    spread = nrpa.Option(1.0, "How far from the middle.", most=1.0)
    rounds = nrpa.Option(3, "Not used.", least=1, tried=(1, 2, 3))

    def playout(self, search):
        kept = int(len(search.moves) * self.spread * search.random.random())
        for move in search.moves[:kept]:
            search.game.play(move)
        search.game.play_out(search.random)
        seen = search.memory.setdefault("seen", {})
        seen[search.playouts] = (search.game.score(), [np.array([search.game.moves[0]]), None, b"x"])


def test_options_are_declared_once():
    """They are keywords with checks, a record, and what is tuned; each class has its own."""
    assert Uphill(rounds=2).options == {"spread": 1.0, "rounds": 2}
    assert (Uphill.name, Uphill(rounds=2) == Uphill(rounds=2)) == ("Uphill", True)
    assert [field.name for field in dataclasses.fields(Uphill)] == ["spread", "rounds"]
    assert [name for name, terms in terms_of(Uphill).items() if tried_of(terms)] == ["rounds"]
    for wrong in ({"spread": 2.0}, {"rounds": 0}, {"turns": 1}):
        with pytest.raises(nrpa.InputError):
            Uphill(**wrong)


@pytest.mark.parametrize("problem", [Bits, lambda: nrpa.Snake(6)])
def test_a_search_goes_on_from_its_memory(problem, tmp_path):
    """Stopped in the middle of a playout, pickled or saved, it finds and knows the same as uninterrupted."""
    whole = nrpa.start(problem(), Uphill(), seed=1)
    whole.advance(playouts=30)
    run = nrpa.start(problem(), Uphill(), seed=1)
    run.advance(playouts=10)
    search = run._search
    search.heed(StopAfter(4))
    assert search.advance(20, 99, np.inf) == []
    search.heed(np.zeros(1, bool))
    assert (run.advance(playouts=10), search.playouts) == ("playouts", 20)
    run.save(tmp_path / "run.npz")
    with pytest.raises(nrpa.InputError, match="is of Uphill, a solver of your own; give it as well"):
        nrpa.resume(tmp_path / "run.npz", problem())
    with pytest.raises(nrpa.InputError, match="is a checkpoint of the solver Uphill, not of nmcs"):
        nrpa.resume(tmp_path / "run.npz", problem(), solver=nrpa.NMCS)
    again = nrpa.resume(tmp_path / "run.npz", problem(), solver=Uphill)
    again._search = pickle.loads(pickle.dumps(again._search.state())).search(again.problem)
    again.advance(playouts=10)
    for kept in (again._search.memory, whole._search.memory):
        assert len(kept["seen"]) == 30
    assert repr(again._search.kept()) == repr(whole._search.kept())
    assert again.result().solution == whole.result().solution


def test_limits_hold():
    """Playouts, searches, a target and time; of the last a game without an end."""
    bits = Bits()
    assert nrpa.solve(bits, IteratedGreedy(), seed=1, playouts=7).playouts == 7
    assert nrpa.solve(bits, IteratedGreedy(), seed=1, searches=3).playouts == 3
    assert nrpa.solve(bits, IteratedGreedy(), seed=1, target=9).score >= 9
    warm = nrpa.solve(bits, IteratedGreedy(), seed=2, playouts=1, warm_start=[1] * 10)
    assert (warm.score, nrpa.solve(bits, Proves(), seed=1).status) == (10, "optimal")
    search = nrpa.start(bits, Proves(), seed=1)._search
    assert (len(search.advance(5)), search.playouts) == (1, 1)
    with pytest.raises(nrpa.InputError, match="the first playout had not ended after"):
        nrpa.solve(bits, Circles(), seed=1, time=0.01)


class Proves(nrpa.PythonSolver):
    def playout(self, search):
        search.game.play_out(search.random)
        search.proven = True


class Circles(nrpa.PythonSolver):
    def playout(self, search):
        while True:
            search.game.legal_moves()


class Short(nrpa.PythonSolver):
    def playout(self, search):
        search.game.play(1)


class Wrong(nrpa.PythonSolver):
    def playout(self, search):
        search.game.play(5)


class Empty(nrpa.PythonSolver):
    pass


class Hoards(nrpa.PythonSolver):
    def playout(self, search):
        search.game.play_out(search.random)
        search.memory["problem"] = object


@pytest.mark.parametrize(
    ("solver", "said"),
    [
        (Short(), "Short: playout ended after 1 moves, before the game did"),
        (Wrong(), "Wrong: 5 is not a legal move of Bits"),
        (Empty(), "Empty lacks the method playout"),
    ],
)
def test_what_an_author_forgets_is_a_sentence(solver, said):
    """It names the class."""
    with pytest.raises(nrpa.InputError, match=said):
        nrpa.solve(Bits(), solver, seed=1, playouts=3)


def test_what_does_not_apply_is_refused(tmp_path):
    """Weights, a bias for a solver that does not use it, and a memory that no file holds."""
    with pytest.raises(nrpa.InputError, match="initial weights do not apply to the solver Uphill"):
        nrpa.solve(Bits(), Uphill(), weights={}, playouts=3)
    with pytest.raises(nrpa.InputError, match="the solver Uphill ignores it"):
        nrpa.solve(Bits(), Uphill(), bias={(0, 1): 1.0}, playouts=3)
    run = nrpa.start(Bits(), Hoards(), seed=1)
    run.advance(playouts=3)
    with pytest.raises(nrpa.InputError, match=r"Hoards: its memory cannot be saved; it holds <class 'object'>"):
        run.save(tmp_path / "run.npz")


def test_the_bias_is_followed():
    """A solver that uses it draws by it, from the problem's codes or with the moves; others draw all alike."""
    bias = {(step, 1): 50.0 for step in range(10)}
    assert nrpa.solve(Bits(), IteratedGreedy(), seed=1, playouts=1, bias=bias).score == 10
    tour = nrpa.TSPTW.load("rc201.1")
    assert tour.bias_by_code() is not None
    for solver, alike in ((IteratedGreedy(), False), (Uphill(), True)):
        search = nrpa.start(tour, solver, seed=1)._search
        search.game.reset()
        assert (len({*search.game.weights().tolist()}) == 1) == alike


class Patient(nrpa.PythonSolver):
    """Thinks before the first move, until it is told to stop."""

    def playout(self, search):
        if not search.stop[0]:
            search.game.play_out(search.random)


def test_a_long_loop_returns_where_the_search_shall_stop():
    """The playout is given up, and made when the search goes on."""
    search = nrpa.start(Bits(), Patient(), seed=1)._search
    search.heed(np.ones(1, bool))
    assert (search.advance(3), search.playouts) == ([], 0)
    search.heed(np.zeros(1, bool))
    search.advance(3)
    assert search.playouts == 3


def test_a_game_without_an_end_is_a_sentence():
    """As in compiled searches."""
    search = nrpa.start(Bits(), Patient(), seed=1)._search
    search.problem.model.limits = search.problem.model.limits._replace(steps=3)
    with pytest.raises(nrpa.ProblemError, match="max_steps = 3"):
        search.advance(1)


class Careless(nrpa.PythonSolver):
    """Changes the lists that it is given, and tries a move that is not legal."""

    uses_bias = True

    def playout(self, search):
        with pytest.raises(nrpa.InputError):
            search.game.play(5)
        search.game.legal_moves().clear()
        search.game.legal_moves().reverse()
        search.game.play_out(search.random)
        search.memory["moves"] = search.game.moves
        search.moves[:] = 7


def test_what_a_solver_is_given_is_a_copy():
    """What it does with it changes neither the game nor the best of all."""
    bias = {(step, 1): 50.0 for step in range(10)}
    search = nrpa.start(Bits(), Careless(), seed=1, bias=bias)._search
    search.advance(1)
    search.memory["moves"].clear()
    assert search.moves.tolist() == [1] * 10


def test_workers_are_processes_where_the_problem_is_compiled(monkeypatch):
    """Threads would wait for each other."""
    search = nrpa.start(nrpa.Snake(6), IteratedGreedy(), seed=1)._search
    monkeypatch.setattr("nrpa.search.executors.Executors", lambda *_: "processes")
    assert pool_of(search.problem, None, [search]) == "processes"


def test_workers_are_processes():
    """The same for two calls; what one of them found is a game of this process."""
    first, second = (nrpa.solve(Bits(), IteratedGreedy(), seed=1, playouts=40, workers=2) for _ in range(2))
    assert (first.solution, first.score) == (second.solution, second.score)
    assert sum(first.solution) == first.score
