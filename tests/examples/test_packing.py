"""Perfect rectangle packing, and the network that learns its prior."""

import random

import numpy as np
import packing_prior
import pytest
from packing import SQUARED, Packing, guillotine
from packing_prior import Looks, Network, decisions_of, train, with_network
from plain_games import random_game

import nrpa


def filled(problem, moves):
    """Return the cells that rectangles cover, placed one by one at the lowest free place, the leftmost of several."""
    grid = np.zeros((problem.height, problem.width), bool)
    for w, h in moves:
        y, x = np.argwhere(~grid)[0]
        place = grid[y : y + h, x : x + w]
        assert place.shape == (h, w)
        assert not place.any()
        place[:] = True
    return grid.sum()


@pytest.mark.parametrize("name", ["12x9/7/1", "20x20/16/2", "moron-33x32"])
def test_the_skyline_is_that_of_the_grid(name):
    """Random games, cell by cell: what fits is what is legal, and the score is what is not covered."""
    problem, draw = Packing.load(name), random.Random(1)
    for _ in range(20):
        moves, state = random_game(problem, draw)
        assert problem.width * problem.height - filled(problem, moves) == -problem.score(state)
        left = [size for size, count in zip(problem.sizes, state[1], strict=True) if count]
        for size in left:
            with pytest.raises(AssertionError):
                filled(problem, [*moves, size])


def test_a_guillotine_cuts_the_whole_box():
    for seed in range(20):
        pieces = guillotine(9, 7, 10, seed)
        assert len(pieces) == 10
        assert sum(w * h for w, h in pieces) == 63
        assert min(min(piece) for piece in pieces) >= 1


def test_squares_fill_their_boxes():
    """Published squared rectangles: their areas add up, and the smallest is found again."""
    for name in SQUARED:
        assert len({*Packing.load(name).sizes}) == sum(Packing.load(name).counts)
    result = nrpa.solve(Packing.load("moron-33x32"), nrpa.NMCS(level=2), seed=1, playouts=2000)
    assert result.status == "optimal"
    assert filled(Packing.load("moron-33x32"), result.solution) == 33 * 32


def test_what_is_no_instance_is_refused():
    with pytest.raises(nrpa.InputError, match="20x20"):
        Packing.load("large")


def test_the_network_goes_down_its_gradient():
    """The first step of Adam goes against the slope of the cross-entropy, taken by differences, in every weight."""
    draw, network = np.random.default_rng(1), Network(1)
    decisions = [(draw.normal(size=(count, packing_prior.FEATURES)), count - 1) for count in (2, 5, 3)]

    def entropy():
        beta = [network(rows) for rows, _ in decisions]
        return np.mean([np.log(np.exp(b).sum()) - b[made] for b, (_, made) in zip(beta, decisions, strict=True)])

    slopes = []
    for weight in network.weights:
        slope = np.zeros_like(weight)
        for place in np.ndindex(weight.shape):
            kept = weight[place]
            weight[place] = kept + 1e-6
            above = entropy()
            weight[place] = kept - 1e-6
            slope[place] = (above - entropy()) / 2e-6
            weight[place] = kept
        slopes.append(slope)
    before = [weight.copy() for weight in network.weights]
    network.learn(decisions, rate=0.01)
    for old, new, slope in zip(before, network.weights, slopes, strict=True):
        clear = np.abs(slope) > 1e-6
        np.testing.assert_allclose((new - old)[clear], -0.01 * np.sign(slope[clear]), rtol=0.05)


def test_a_prior_is_learned(monkeypatch):
    """A round of small boxes: the network then prefers the moves of the games that it has seen."""
    monkeypatch.setattr(packing_prior, "ROUNDS", ("8x8/6",))
    network, problem = train(4, steps=50), Packing.load("8x8/6/1000")
    solution = nrpa.solve(problem, nrpa.NMCS(level=2), seed=0, playouts=2000).solution
    ranks = [np.sum(network(rows) > network(rows)[made]) for rows, made in decisions_of(problem, solution)]
    assert np.mean(ranks) < 0.5
    guided = with_network(problem, network)
    assert nrpa.solve(guided, nrpa.NMCS(level=1, bias=True), seed=1, playouts=300).uncovered == 0


def test_a_look_is_what_it_says():
    """A place of width 4, a wall of height 2 at its left, none at its right: one that fits, one that leaves nothing."""
    problem = Packing(6, 6, [(2, 2), (4, 2), (6, 4)])
    state = problem.play(problem.initial_state(), (2, 2))
    (row,) = Looks(problem)(state, [(4, 2)])
    assert row[:4].tolist() == [1, 1, 0, 0]
    np.testing.assert_allclose(row[8:12], [0, 0, 4 / 6, 4 / 6])
    np.testing.assert_allclose(row[12:14], [4 / 6, 2 / 6])
