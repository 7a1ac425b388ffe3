import math
from types import SimpleNamespace
from typing import NamedTuple

import numpy as np
import pytest
from naive_nmcs import NaiveNMCS
from naive_tsptw import NaiveTSPTW
from user_problems import ValuedBits
from walk import scores

import nrpa

PLAYOUTS = 3000


@pytest.fixture(scope="module")
def problem():
    return nrpa.TSPTW.load("rc201.1")


@pytest.mark.parametrize(("level", "memory"), [(1, True), (2, True), (3, True), (1, False), (2, False)])
def test_agrees_with_the_algorithm_as_printed(problem, level, memory):
    """3,000 playouts score as those of a plain recursive search, and the best sequence is the same, move for move."""
    plain = NaiveTSPTW(problem.distances.tolist(), problem.windows.tolist())
    oracle = NaiveNMCS(plain, level, memory, seed=3, playouts=PLAYOUTS).run()
    found, search = scores(problem, nrpa.NMCS(level=level, memory=memory), 3, PLAYOUTS)
    assert found == pytest.approx(oracle.scores, rel=1e-12)
    assert search.moves.tolist() == oracle.best[1]
    assert search.playouts == PLAYOUTS
    assert (search.finished > 0) == (level < 3)


@pytest.mark.parametrize(("level", "cut"), [(1, 0), (2, 3)])
def test_playouts_are_cut_and_valued(level, cut):
    """Playouts score as those of a plain search: valued after so many moves once a game was played to its end."""
    problem = ValuedBits()
    plain = SimpleNamespace(
        initial=problem.initial_state,
        legal=problem.legal_moves,
        play=problem.play,
        score=problem.score,
        value=problem.value,
    )
    oracle = NaiveNMCS(plain, level, True, seed=2, playouts=200, cut=cut).run()
    found, search = scores(problem, nrpa.NMCS(level=level, cut=cut), 2, 200)
    whole = [score for score in oracle.scores if score is not None]
    ended = [score for score, naive in zip(found, oracle.scores, strict=True) if naive is not None]
    assert ended == whole
    assert len(whole) < 150
    assert problem.solution(search.moves) == oracle.best[1]


def test_a_cut_needs_values(problem):
    """A problem without values is refused in a sentence that names the kernel."""
    with pytest.raises(nrpa.InputError, match="value"):
        nrpa.NMCS(cut=3).start(problem, 1)
    with pytest.raises(nrpa.InputError, match="value"):
        nrpa.UCT(result_share=0.5).start(problem, 1)
    with pytest.raises(nrpa.InputError, match="cut is for games"):
        nrpa.UCT(cut=3).start(ValuedBits(), 1)


@pytest.mark.parametrize("given", [None, (1.0,), math.nan], ids=str)
def test_a_value_that_is_no_number_is_named_as_it_was_given(given, monkeypatch):
    monkeypatch.setattr(ValuedBits, "value", lambda self, state: given)
    with pytest.raises(nrpa.ProblemError, match=r"value returned (None|\(1.0,\)|nan); expected a number"):
        nrpa.NMCS(level=1, cut=0).start(ValuedBits(), 1).advance(50)


def test_an_exception_in_value_reaches_the_caller(monkeypatch):
    """It stops the search, as in any method."""
    monkeypatch.setattr(ValuedBits, "value", lambda self, state: state[99])
    with pytest.raises(IndexError):
        nrpa.NMCS(level=1, cut=0).start(ValuedBits(), 1).advance(50)


def test_random_sampling_is_level_0(problem):
    """Every playout starts at the root."""
    plain = NaiveTSPTW(problem.distances.tolist(), problem.windows.tolist())
    oracle = NaiveNMCS(plain, 0, True, seed=3, playouts=500).run()
    found, _ = scores(problem, nrpa.RandomSampling(), 3, 500)
    assert found == pytest.approx(oracle.scores, rel=1e-12)


def test_greedy_follows_the_bias(problem):
    """Every move is one of the largest bias among the legal ones."""
    _, search = scores(problem, nrpa.Greedy(), 3, 1)
    plain = NaiveTSPTW(problem.distances.tolist(), problem.windows.tolist())
    state = plain.initial()
    for move in search.moves.tolist():
        best = max(plain.bias(state, m) for m in plain.legal(state))
        assert plain.bias(state, move) == pytest.approx(best)
        state = plain.play(state, move)


DIGITS = 6


class Nothing(NamedTuple):
    unused: int


def reset(instance, state):
    state.sums[0] = 0
    state.sums[1] = 0


def legal_moves(instance, state, moves):
    return write_digits(state, moves, 2)


def all_moves(instance, state, moves):
    return write_digits(state, moves, 3)


def play(instance, state, move):
    state.sums[0] += 1
    state.sums[1] = (3 * state.sums[1] + move) % 601


def score(instance, state):
    return state.sums[1]


@nrpa.jit
def write_digits(state, moves, count):
    if state.sums[0] == DIGITS:
        return 0
    for digit in range(count):
        moves.move[digit] = digit
        moves.code[digit] = digit
    return count


@nrpa.kernels(reset, legal_moves, all_moves, play, score)
class DigitsState(NamedTuple):
    sums: np.ndarray


class Digits(nrpa.CompiledProblem):
    """Six digits: playouts choose 0 or 1, levels 2 as well."""

    def __init__(self):
        super().__init__(Nothing(0), max_steps=DIGITS, max_moves=3, codes=3)

    def new_state(self):
        return DigitsState(np.zeros(2, np.int64))


class NaiveDigits:
    def initial(self):
        return (0, 0)

    def legal(self, state):
        return [0, 1] if state[0] < DIGITS else []

    def every(self, state):
        return [0, 1, 2] if state[0] < DIGITS else []

    def play(self, state, move):
        return (state[0] + 1, (3 * state[1] + move) % 601)

    def score(self, state):
        return state[1]


def test_levels_try_all_moves_and_playouts_the_legal_ones():
    """Where a problem tells them apart; as in the plain search."""
    oracle = NaiveNMCS(NaiveDigits(), 2, True, seed=1, playouts=2000).run()
    found, search = scores(Digits(), nrpa.NMCS(level=2), 1, 2000)
    assert found == oracle.scores
    assert search.moves.tolist() == oracle.best[1]
    assert 2 in search.moves.tolist()
    _, sampling = scores(Digits(), nrpa.RandomSampling(), 1, 500)
    assert 2 not in sampling.moves.tolist()


@pytest.mark.parametrize("solver", [nrpa.NMCS(level=1), nrpa.NMCS(level=2), nrpa.GNRPA(level=2, iterations=20)])
def test_a_number_of_searches(problem, solver):
    """The run ends where the second search does, however it is sliced, and the next would begin."""
    result = nrpa.solve(problem, solver, seed=4, searches=2)
    assert result.status == "searches"
    search = solver.start(problem, 4)
    while search.finished < 2:
        search.advance(1, 2 - search.finished)
    assert (result.playouts, result.score) == (search.playouts, search.score)
    run = nrpa.start(problem, solver, seed=4)
    assert [run.advance(searches=1) for _ in range(2)] == ["searches"] * 2
    assert run.progress.playouts == result.playouts


def test_bias_makes_likely_moves_likelier(problem):
    """Playouts drawn with the bias are better than uniform ones on average, by far more than chance."""
    plain, _ = scores(problem, nrpa.RandomSampling(), 3, 500)
    biased, _ = scores(problem, nrpa.RandomSampling(bias=True), 3, 500)
    assert np.mean(biased) > np.mean(plain) + 3 * np.std(plain) / np.sqrt(500)


def test_bad_options_are_refused(problem):
    """Each by a sentence that names the option."""
    with pytest.raises(nrpa.InputError, match="level must be a whole number of at least 1, not 0"):
        nrpa.NMCS(level=0)
    with pytest.raises(nrpa.InputError, match="initial weights do not apply to the solver nmcs"):
        nrpa.start(problem, nrpa.NMCS(), weights={1: 1.0})


def test_numbers_of_numpy_become_numbers_of_python():
    """And a level that no search would finish is refused."""
    options = nrpa.NMCS(level=np.int32(2), memory=np.bool_(False), bias=np.bool_(True)).options
    assert [type(value) for value in options.values()] == [int, bool, bool, int, float, int]
    assert type(nrpa.RandomSampling(bias=np.bool_(True)).bias) is bool
    with pytest.raises(nrpa.InputError, match="level must be at most 20, not 21"):
        nrpa.NMCS(level=21)


@pytest.mark.parametrize(("level", "prune", "judging"), [(2, 0.5, 1), (3, 0.8, 2), (2, 1.0, 3)])
def test_the_worst_moves_are_left_out(problem, level, prune, judging):
    """Playouts score as those of a plain Lazy NMCS, at once and in slices, which are restored from what is kept."""
    plain = NaiveTSPTW(problem.distances.tolist(), problem.windows.tolist())
    oracle = NaiveNMCS(plain, level, True, seed=3, playouts=PLAYOUTS, prune=prune, judging=judging).run()
    solver = nrpa.NMCS(level=level, prune=prune, judging=judging)
    found, search = scores(problem, solver, 3, PLAYOUTS)
    assert found == pytest.approx(oracle.scores, rel=1e-12)
    assert search.moves.tolist() == oracle.best[1]
    assert oracle.scores != NaiveNMCS(plain, level, True, seed=3, playouts=PLAYOUTS).run().scores
