"""The kernel ``improve`` of TSPTW against the same exchanges written down plainly."""

import numpy as np
import pytest
from naive_tsptw import NaiveExchanges

import nrpa
from nrpa.engine.kernels import allocate_moves
from nrpa.engine.playout import Position, unset
from nrpa.engine.recording import allocate_sequences
from nrpa.problems.tsptw.improving import improve
from nrpa.solvers.nrpa.improve import NOT_LEGAL, play_again


def drawn(rng, n):
    """Return whole-number distances, not symmetric, and windows around a random tour that keeps them all."""
    distances = rng.integers(1, 100, (n, n)).astype(float)
    np.fill_diagonal(distances, 0)
    tour = [int(city) for city in rng.permutation(np.arange(1, n))]
    windows = np.zeros((n, 2))
    time = here = 0
    wide = rng.integers(5, 400)
    for city in tour:
        time += distances[here, city]
        windows[city] = max(0, time - rng.integers(0, wide)), time + rng.integers(0, wide)
        here = city
    windows[0] = 0, time + 200
    return distances, windows + rng.integers(-50, 50), tour


@pytest.mark.parametrize("minimize", ["travel", "makespan", "duration"])
@pytest.mark.parametrize("n", [2, 3, 5, 9, 14, 70])
def test_exchanges_agree_with_the_naive_ones(n, minimize):
    """Tour for tour, and where there is nothing to exchange the kernel says so."""
    rng = np.random.default_rng(n)
    changes = repaired = 0
    for _ in range(60 if n < 20 else 1):
        distances, windows, tour = drawn(rng, n)
        if rng.random() < 0.5:
            rng.shuffle(tour)
        problem = nrpa.TSPTW(distances, windows, minimize=minimize)
        naive = NaiveExchanges(distances.tolist(), windows.tolist(), minimize)
        sequence = np.array(tour, np.int64)
        said = improve(problem.instance, problem.new_state(), sequence, n - 1)
        expected = naive.improved(tour)
        assert sequence.tolist() == expected
        assert said == (expected != tour)
        changes += said
        repaired += naive.judged(tour)[0] > naive.judged(expected)[0]
    assert (changes and repaired) or n < 5


def test_a_missed_window_counts_more_than_a_longer_way():
    """City 2 comes first, in time, though the tour is longer; where both are too late in any order, the tour stays."""
    distances = [[0, 5, 8], [5, 0, 15], [40, 15, 0]]
    for closes, expected, said in ((10, [2, 1], 1), (4, [1, 2], 0)):
        problem = nrpa.TSPTW(distances, [[0, 100], [0, 5 if closes == 4 else 50], [0, closes]], moves="all")
        sequence = np.array([1, 2], np.int64)
        assert improve(problem.instance, problem.new_state(), sequence, 2) == said
        assert sequence.tolist() == expected


def test_auto_finds_more_with_it():
    """At equally many playouts the best known tour is found with it alone."""
    problem = nrpa.TSPTW.load("rc203.2")
    found = [nrpa.solve(problem, nrpa.Auto(improve=way), seed=1, playouts=2000) for way in (True, False)]
    assert round(found[0].cost, 2) == 784.16 < round(found[1].cost, 2)
    assert problem.check(found[0].solution).score == found[0].score


def test_what_is_not_legal_is_not_recorded():
    """A city twice, or one too few, is no whole game; a tour that is one is recorded, without what comes after it."""
    problem = nrpa.TSPTW([[0, 5, 8], [15, 0, 15], [18, 15, 0]], [[0, 100], [10, 50], [0, 20]], moves="all")
    position = Position(problem.instance, problem.new_state(), allocate_moves(2), unset())
    sequences = allocate_sequences(1, 2, 3, False)
    for moves, status in (([1, 1], NOT_LEGAL), ([1], NOT_LEGAL), ([2, 1, 9], 0)):
        assert play_again(position, sequences, 0, np.array(moves, np.int64), len(moves)) == status
    assert sequences.score[0] == problem.check([2, 1]).score
    assert sequences.code[0].tolist() == [1, 2, 7]
    assert sequences.chosen[0].tolist() == [1, 0]
