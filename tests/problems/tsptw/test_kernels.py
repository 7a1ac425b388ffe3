import numpy as np
import pytest
from compiled_kernels import compiled_legal_moves, compiled_play, compiled_reset, compiled_score, moves_for
from naive_tsptw import NaiveTSPTW, best_tour, random_instance, random_matrix

import nrpa
from nrpa.io.source import bundled

# The rule of lookahead, written out, takes much longer than the others.
GAMES = {"selective": 30, "all": 30, "lookahead": 4}


def load(name, **options):
    return nrpa.TSPTW.load(name, **options)


def play_random_game(problem, rng):
    """Play one game, comparing every state's legal moves, codes and score with the plain rules."""
    arrays = problem.distances.tolist(), problem.windows.tolist()
    naive = NaiveTSPTW(*arrays, problem.moves, minimize=problem.minimize)
    state, moves, plain = problem.new_state(), moves_for(problem), naive.initial()
    compiled_reset(problem.instance, state)
    while count := compiled_legal_moves(problem.instance, state, moves):
        assert moves.move[:count].tolist() == naive.legal(plain)
        assert moves.code[:count].tolist() == [plain[0] * problem.cities + j for j in naive.legal(plain)]
        move = int(rng.choice(moves.move[:count]))
        compiled_play(problem.instance, state, move)
        plain = naive.play(plain, move)
    assert naive.legal(plain) == []
    assert compiled_score(problem.instance, state) == naive.score(plain)


@pytest.mark.parametrize("minimize", ["travel", "makespan"])
@pytest.mark.parametrize("moves", ["selective", "all", "lookahead"])
@pytest.mark.parametrize("name", ["rc201.1", "rc203.4", "rc204.1", "rc206.1"])
def test_random_games_agree_with_the_rules(name, moves, minimize):
    """Legal moves, codes and scores equal those of the rule written out."""
    rng = np.random.default_rng(1)
    problem = load(name, moves=moves, minimize=minimize)
    for _ in range(GAMES[moves]):
        play_random_game(problem, rng)


@pytest.mark.parametrize(
    ("cities", "moves"),
    [
        *((cities, "selective") for cities in (2, 3, 63, 64, 65, 130)),
        *((cities, "lookahead") for cities in (2, 3, 63, 64, 65)),
        pytest.param(130, "lookahead", marks=pytest.mark.slow),
    ],
)
def test_block_borders(cities, moves):
    """Sizes around the 64 bits of a word behave like any other."""
    rng = np.random.default_rng(cities)
    problem = nrpa.TSPTW(*random_instance(cities, seed=cities), moves=moves)
    for _ in range(3 if moves == "selective" else 1):
        play_random_game(problem, rng)


def allows(problem, tour):
    """Return whether the rule lets the tour be played."""
    state, moves = problem.new_state(), moves_for(problem)
    compiled_reset(problem.instance, state)
    for city in tour:
        if city not in moves.move[: compiled_legal_moves(problem.instance, state, moves)]:
            return False
        compiled_play(problem.instance, state, city)
    return True


@pytest.mark.parametrize("moves", ["selective", "all", "lookahead"])
@pytest.mark.parametrize("cities", [4, 5, 6])
def test_the_optimum_can_be_played(cities, moves):
    """Of matrices that break the triangle inequality; a city that only a detour reaches in time is not given up."""
    feasible = 0
    for seed in range(300):
        distances, windows = random_matrix(cities, seed)
        tour = best_tour(distances.tolist(), windows.tolist())
        feasible += tour is not None
        assert tour is None or allows(nrpa.TSPTW(distances, windows, moves=moves), tour)
    assert feasible > 50


@pytest.mark.parametrize("moves", ["selective", "all", "lookahead"])
@pytest.mark.parametrize("cities", [4, 7, 12, 30])
def test_random_games_without_the_triangle_inequality(cities, moves):
    """The rule written out agrees there, too."""
    rng = np.random.default_rng(cities)
    for seed in range(20):
        play_random_game(nrpa.TSPTW(*random_matrix(cities, seed), moves=moves), rng)


@pytest.mark.parametrize("moves", ["selective", "lookahead"])
@pytest.mark.parametrize("name", list(bundled("tsptw")))
def test_published_tours_cost_what_is_published(name, moves):
    """Checker and kernels give the published cost to each published best tour, which both rules allow."""
    known = bundled("tsptw")[name]
    tour = [int(city) for city in known.solution.split()]
    problem = load(name, moves=moves)
    verdict = problem.check(tour)
    assert verdict.valid
    assert verdict.figures["cost"] == pytest.approx(known.best_known.value, abs=0.00501)
    state, legal = problem.new_state(), moves_for(problem)
    compiled_reset(problem.instance, state)
    for city in tour:
        count = compiled_legal_moves(problem.instance, state, legal)
        assert city in legal.move[:count]
        compiled_play(problem.instance, state, city)
    assert compiled_legal_moves(problem.instance, state, legal) == 0
    assert -compiled_score(problem.instance, state) == verdict.figures["cost"]
