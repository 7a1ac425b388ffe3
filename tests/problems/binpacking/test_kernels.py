import random

import numpy as np
import pytest
from compiled_kernels import compiled_legal_moves, compiled_play, compiled_reset, compiled_score, moves_for, random_game
from naive_binpacking import NaiveBinPacking, random_sizes

import nrpa
import nrpa.problems.binpacking.problem as problem_module


def key(problem, naive):
    """Return what a code holds beside the size."""
    if problem.code_rule == "room":
        return naive.room
    return problem.instance.size.tolist().index(naive.bins[-1][0])


def play_random_game(problem, rng):
    """Play one game, comparing legal moves, codes, biases, score and packing with the plain rules."""
    look_ahead = problem.moves != "all", problem.moves == "rare"
    naive = NaiveBinPacking(problem.capacity, problem.sizes, problem.bound(), *look_ahead)
    size = problem.instance.size.tolist()
    state, moves, played = problem.new_state(), moves_for(problem), []
    compiled_reset(problem.instance, state)
    while count := compiled_legal_moves(problem.instance, state, moves):
        legal = naive.legal()
        assert [size[t] for t in moves.move[:count]] == legal
        assert moves.code[:count].tolist() == [key(problem, naive) * len(size) + size.index(s) for s in legal]
        if problem.moves != "all":
            least, preferred = min(map(naive.waste_after, naive.in_order())), naive.within_budget()
            beta = [(5 * s - 100 * (naive.waste_after(s) - least)) / problem.capacity for s in legal]
            beta = [b + (s not in preferred) * np.log(1e-9) for b, s in zip(beta, legal, strict=True)]
            assert np.log(moves.exp_bias[:count]).tolist() == pytest.approx(beta, abs=1e-9)
        move = rng.choice(moves.move[:count].tolist())
        compiled_play(problem.instance, state, move)
        naive.play(size[move])
        played.append(move)
    assert naive.legal() == []
    assert compiled_score(problem.instance, state) == pytest.approx(naive.score(), rel=1e-12)
    assert problem.solution(np.array(played, np.int64)) == naive.bins
    verdict = problem.check(naive.bins)
    assert verdict.valid
    assert verdict.score == pytest.approx(naive.score(), rel=1e-12)


@pytest.mark.parametrize("codes", ["room", "opener"])
@pytest.mark.parametrize("moves", ["tight", "rare", "all"])
def test_random_games_agree_with_the_rules(moves, codes):
    """On a thousand small random instances moves, codes, biases, scores and packings equal the plain ones."""
    rng = random.Random(7)
    for _ in range(500):
        capacity = rng.choice([7, 20, 63, 64, 65, 150, 300])
        problem = nrpa.BinPacking(capacity, random_sizes(rng, capacity, rng.randint(1, 12)), moves=moves, codes=codes)
        for _ in range(2):
            play_random_game(problem, rng)


@pytest.mark.parametrize("moves", ["tight", "all"])
@pytest.mark.parametrize("items", [63, 64, 65, 130])
def test_more_sizes_than_a_word_has_bits(items, moves):
    """Sizes around the 64 bits of a word, all of them different, behave like any other."""
    rng = random.Random(items)
    capacity = 150
    sizes = rng.sample(range(1, capacity + 1), items)
    problem = nrpa.BinPacking(capacity, sizes, moves="all" if moves == "all" else "tight")
    if moves == "all":
        play_random_game(problem, rng)
    else:
        play_to_the_end(problem, rng)


def play_to_the_end(problem, rng):
    """Play at random; return the bins, which must be a valid packing of the score that the kernel says."""
    played, state = random_game(problem, rng)
    bins = problem.solution(played)
    verdict = problem.check(bins)
    assert verdict.valid
    assert verdict.score == pytest.approx(compiled_score(problem.instance, state), rel=1e-12)
    return bins


@pytest.mark.parametrize("codes", ["room", "opener"])
def test_large_capacities_with_all_sizes_different(codes):
    """A capacity of 100,000 and more has no table of capacity times sizes, and random games stay valid."""
    rng = random.Random(3)
    for capacity in (100_000, 10**6, 10**9):
        sizes = rng.sample(range(capacity // 50, capacity // 2), 200)
        problem = nrpa.BinPacking(capacity, sizes, codes=codes)
        assert problem.codes <= 2**18 + 200
        assert sum(array.nbytes for array in problem.new_state()) < 4e6
        play_to_the_end(problem, rng)


def test_coarse_look_ahead_allows_all_that_the_exact_one_does():
    """Where sums are rounded, every move of the exact rule is still legal in the first state."""
    rng = random.Random(4)
    for _ in range(20):
        capacity = rng.randint(10**5, 10**7)
        problem = nrpa.BinPacking(capacity, [rng.randint(capacity // 9, capacity // 3) for _ in range(11)])
        naive = NaiveBinPacking(capacity, problem.sizes, problem.bound(), tight=True)
        state, moves = problem.new_state(), moves_for(problem)
        compiled_reset(problem.instance, state)
        count = compiled_legal_moves(problem.instance, state, moves)
        assert set(naive.legal()) <= {int(problem.instance.size[t]) for t in moves.move[:count]}


def best_after(naive, size):
    """Return the room that is left after a size and the largest other one that fits then."""
    others = list(naive.left)
    others.remove(size)
    room = naive.room - size
    return room - max((other for other in others if other <= room), default=0)


def test_near_moves_where_there_are_too_many(monkeypatch):
    """All sizes that fit where these are few, with the bias that the formula says; of many, 64 from all of them."""
    monkeypatch.setattr(problem_module, "MOST_LISTED", 0)
    rng = random.Random(4)
    for _ in range(50):
        problem = nrpa.BinPacking(100, random_sizes(rng, 100, rng.randint(1, 20)))
        naive, size = NaiveBinPacking(100, problem.sizes, problem.bound(), False), problem.instance.size.tolist()
        state, moves = problem.new_state(), moves_for(problem)
        compiled_reset(problem.instance, state)
        while count := compiled_legal_moves(problem.instance, state, moves):
            legal = [size[t] for t in moves.move[:count]]
            assert legal == naive.legal()
            least = min(best_after(naive, s) for s in legal)
            against = [min(40, 10_000 * (best_after(naive, s) - least) / 100) for s in legal]
            beta = [20 * s / 100 - each for s, each in zip(legal, against, strict=True)]
            assert np.log(moves.exp_bias[:count]).tolist() == pytest.approx(beta)
            move = rng.choice(moves.move[:count].tolist())
            compiled_play(problem.instance, state, move)
            naive.play(size[move])
    many = nrpa.BinPacking(10**6, [*range(1000, 400_000, 100), 10**6 - 1000])
    state, moves = many.new_state(), moves_for(many)
    compiled_reset(many.instance, state)
    compiled_play(many.instance, state, compiled_legal_moves(many.instance, state, moves) and moves.move[0])
    found = moves.move[: compiled_legal_moves(many.instance, state, moves)].tolist()
    assert len(set(found)) == len(found) == 64
    assert found == sorted(found)
    assert found[:32] == [*range(found[0], found[0] + 32)]
    assert found[-1] > len(many.instance.size) - 200
