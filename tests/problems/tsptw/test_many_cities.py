"""TSPTW of many cities: moves to neighbours, and the allowance of ``improve``; what is many is made less here."""

import numpy as np
import pytest
from compiled_kernels import compiled_legal_moves, compiled_play, compiled_reset, compiled_score, moves_for
from naive_tsptw import NaiveManyCities, random_instance, random_matrix

import nrpa
from nrpa.machine.jit import jit
from nrpa.problems.tsptw import facts, improving, local_search

improve = jit(local_search.improve)


@pytest.fixture
def few_are_many(monkeypatch):
    """Let more than ten cities be many, and five be neighbours."""
    monkeypatch.setattr(facts, "MOST_OF_FEW", 10)
    monkeypatch.setattr(facts, "NEIGHBOURS", 5)


@pytest.mark.parametrize("moves", ["selective", "all", "lookahead"])
@pytest.mark.parametrize("make", [random_instance, random_matrix])
def test_random_games_agree_with_the_rules(few_are_many, moves, make):
    """Legal moves, codes and scores equal those of the rule written out, in games that miss windows, too."""
    rng, others = np.random.default_rng(1), 0
    for cities in (12, 25, 40):
        problem = nrpa.TSPTW(*make(cities, seed=cities), moves=moves)
        naive = NaiveManyCities(problem.distances.tolist(), problem.windows.tolist(), moves, neighbours=5)
        state, legal, tour = problem.new_state(), moves_for(problem), []
        compiled_reset(problem.instance, state)
        while count := compiled_legal_moves(problem.instance, state, legal):
            expected = naive.legal(tour)
            assert list(zip(legal.move[:count].tolist(), legal.code[:count].tolist(), strict=True)) == expected
            others += expected[0][1] >= 5 * cities
            tour.append(int(rng.choice(legal.move[:count])))
            compiled_play(problem.instance, state, tour[-1])
        assert naive.legal(tour) == []
        assert compiled_score(problem.instance, state) == pytest.approx(problem.check(tour).score, rel=1e-12)
    assert others


def improved(problem, tour):
    """Return what ``improve`` makes of a tour, and the state that it worked in."""
    sequence, state = np.array(tour, np.int64), problem.new_state()
    changed = improve(problem.instance, state, sequence, len(tour))
    assert bool(changed) == (sequence.tolist() != list(tour))
    return sequence.tolist(), state


@pytest.mark.parametrize("make", [random_instance, random_matrix])
def test_improved_tours_are_better(few_are_many, make):
    """Whole tours, which miss fewer windows, or as many and are shorter; late cities become served."""
    rng, served = np.random.default_rng(1), 0
    for cities in (12, 30, 60):
        problem = nrpa.TSPTW(*make(cities, seed=cities))
        problem.instance = problem.instance._replace(work=20_000)
        by_due = 1 + np.argsort(problem.windows[1:, 1])
        for tour in (by_due.tolist(), (1 + rng.permutation(cities - 1)).tolist()):
            changed, _ = improved(problem, tour)
            before, after = problem.check(tour), problem.check(changed)
            assert after.score > before.score
            served += after.figures["violations"] < before.figures["violations"]
    assert served


def test_improve_stops_when_its_work_is_done():
    """Without windows, from random tours: beyond the allowance, at most what one change looks at."""
    for cities in (300, 1200):
        place = np.random.default_rng(cities).uniform(0, 100, (cities, 2))
        distances = np.hypot(*(place[:, None] - place).transpose(2, 0, 1))
        problem = nrpa.TSPTW(distances, [[0, 1e6]] * cities)
        problem.instance = problem.instance._replace(work=30_000)
        tour = 1 + np.random.default_rng(1).permutation(cities - 1)
        for _ in range(5):
            tour, state = improved(problem, tour)
            assert -20 * cities < state.search[local_search.WORK] <= 0


def test_improve_of_fewer_cities_stops_when_its_work_is_done():
    """A random tour without windows, of as many cities as are all listed, is not brought to its end."""
    cities = facts.MOST_OF_FEW
    place = np.random.default_rng(1).uniform(0, 100, (cities, 2))
    distances = np.hypot(*(place[:, None] - place).transpose(2, 0, 1))
    problem = nrpa.TSPTW(distances, [[0, 0], *[[0, 1e6]] * (cities - 1)])
    sequence, state = 1 + np.random.default_rng(1).permutation(cities - 1), problem.new_state()
    jit(improving.improve)(problem.instance, state, sequence, cities - 1)
    assert -8 * cities**2 < state.counts[improving.WORK] < improving.MOST_WORK // 2


def test_wide_windows_are_not_refused():
    """Hundreds of cities, most of them open at a time: all windows are kept, and a seed says all."""
    distances, windows = random_instance(300, seed=1)
    windows[1:] = np.maximum(0, windows[1:] + np.array([-2000, 2000]))
    problem = nrpa.TSPTW(distances, windows)
    assert nrpa.Auto().arms_of(problem)[0].problem.bias_scale > 2
    one, other = (nrpa.solve(problem, seed=1, playouts=6) for _ in range(2))
    assert one.violations == 0
    assert (one.solution, one.score) == (other.solution, other.score)
    assert problem.check(one.solution).score == one.score


@pytest.mark.parametrize(("rule", "cities"), [("range", 20), ("neighbours", 20), ("neighbours", 300)])
def test_a_strong_bias_is_held(rule, cities):
    """As far as a policy can: what differs by more is certain already."""
    problem = nrpa.TSPTW(*random_instance(cities, seed=1), bias_rule=rule, bias_scale=1000.0)
    assert nrpa.solve(problem, nrpa.GNRPA(level=1), seed=1, playouts=2).playouts == 2


def test_what_is_too_large_is_refused(monkeypatch):
    """In a sentence that names the number and why."""
    monkeypatch.setattr("nrpa.problems.tsptw.reader.MOST_CITIES", 5)
    with pytest.raises(nrpa.InputError, match="6 cities; expected at most 5, as the distances between all take memory"):
        nrpa.TSPTW(*random_instance(6, seed=1))
