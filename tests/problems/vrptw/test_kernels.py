"""The kernels against naive routes."""

import math
import random

import numpy as np
import pytest
from compiled_kernels import compiled_legal_moves, compiled_play, compiled_reset, compiled_score, moves_for
from drawn_vrptw import random_problem, scattered

from nrpa import VRPTW
from nrpa.engine.kernels import all_moves


def naive_moves(problem, routes):
    """Return the legal next places and their β: of the last route, on lists."""
    route = routes[-1]
    time, length, here = problem.windows[0, 0], 0.0, 0
    for place in route:
        length += problem.distances[here, place]
        time = max(time + problem.service[here] + problem.distances[here, place], problem.windows[place, 0])
        here = place
    served = {place for one in routes for place in one}
    found = {}
    most = problem.longest or math.inf
    longest, widest = problem.distances.max(), np.diff(problem.windows[1:]).max()
    for place in set(range(1, len(problem.demand))) - served:
        arrival = time + problem.service[here] + problem.distances[here, place]
        opens, closes = problem.windows[place]
        start = max(arrival, opens)
        home = start + problem.service[place] + problem.distances[place, 0]
        load = sum(problem.demand[one] for one in [*route, place])
        if length + problem.distances[here, place] + problem.distances[place, 0] > most:
            continue
        if load <= problem.capacity and arrival <= closes and home <= problem.windows[0, 1]:
            beta = 60 * problem.distances[here, place] / longest + 5 * (closes - start) / widest
            found[place] = -(beta + 10 * (start - arrival) / widest)
    if route and (not found or problem.returns == "free"):
        found[0] = -60 * problem.distances[here, 0] / longest
    return here, found


@pytest.mark.parametrize(
    "options", [{}, {"first": "distance", "returns": "free"}, {"longest": 90.0, "vehicles": 2, "returns": "free"}]
)
def test_random_games(options):
    """Legal moves, codes, biases and scores agree in every state of random games, and so does the check."""
    generator = random.Random(5)
    for seed in range(30):
        problem = random_problem(seed, **options)
        state, listed = problem.new_state(), moves_for(problem)
        compiled_reset(problem.instance, state)
        routes, played = [[]], []
        while True:
            here, legal = naive_moves(problem, routes)
            count = compiled_legal_moves(problem.instance, state, listed)
            found = dict(zip(listed.move[:count].tolist(), listed.exp_bias[:count].tolist(), strict=True))
            assert found == {place: pytest.approx(math.exp(beta)) for place, beta in legal.items()}
            assert listed.code[:count].tolist() == [here * len(problem.demand) + place for place in listed.move[:count]]
            if not legal:
                break
            played.append(generator.choice(sorted(legal)))
            if played[-1]:
                routes[-1].append(played[-1])
            else:
                routes.append([])
            compiled_play(problem.instance, state, played[-1])
        solution = problem.solution(np.array(played))
        assert solution == routes[:-1]
        verdict = problem.check(solution)
        used = len(solution) - (problem.vehicles or len(solution))
        assert verdict.faults == ([f"{len(solution)} vehicles are used, more than 2"] if used > 0 else [])
        assert compiled_score(problem.instance, state) == pytest.approx(verdict.score)
        assert problem.moves_of(solution).tolist() == played


def test_few_moves_are_those_who_may_well_be_next():
    """Of the legal moves, followers where any is legal, all otherwise; ``all_moves`` lists all."""
    generator = random.Random(6)
    kinds = [0, 0]
    for seed in range(12):
        problem = scattered(12 + seed, returns="free")
        rules = problem.instance.rules
        instance = problem.instance._replace(many=True, rules=rules._replace(followers=rules.followers[:, :3]))
        state, listed = problem.new_state(), moves_for(problem)
        compiled_reset(instance, state)
        while True:
            here = int(state.counts[0])
            whole = listed.move[: compiled_legal_moves(problem.instance, state, listed)].tolist()
            assert sorted(whole) == sorted(listed.move[: all_moves(instance, state, listed)].tolist())
            few = [place for place in whole if here == 0 or place in instance.rules.followers[here]]
            expected = {*few, *({0} & set(whole))} if few else set(whole)
            assert set(listed.move[: compiled_legal_moves(instance, state, listed)].tolist()) == expected
            kinds[bool(few)] += here > 0
            if not whole:
                break
            compiled_play(instance, state, generator.choice(sorted(expected - {0}) or [0]))
    assert min(kinds) > 10


def test_home_only_where_it_is_near_enough():
    """From customer 1, home is far but through 2; with any distance it may go home."""
    far = [[0, 5, 50], [90, 0, 5], [3, 90, 0]]
    for longest, legal in ((13.0, [2]), (None, [0, 2])):
        problem = VRPTW(far, [[0, 999]] * 3, [0, 1, 1], 2, longest=longest, returns="free")
        state, listed = problem.new_state(), moves_for(problem)
        compiled_reset(problem.instance, state)
        compiled_play(problem.instance, state, 1)
        count = compiled_legal_moves(problem.instance, state, listed)
        assert sorted(listed.move[:count].tolist()) == legal
