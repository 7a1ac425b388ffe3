"""The kernel ``improve`` of bin packing against the plain rules, and its choice of a set against all sets."""

import pickle
import random
import threading
import time
from collections import Counter
from itertools import pairwise, product

import numpy as np
import pytest
from compiled_kernels import (
    compiled_improve,
    compiled_play,
    compiled_reset,
    random_game,
)
from naive_binpacking import NaiveBinPacking, fewest_bins

import nrpa
from nrpa.checking.validate import hints_of
from nrpa.engine.status import UNFINISHED
from nrpa.problems.binpacking.columns import begin_columns, pack_by_columns
from nrpa.problems.binpacking.progress import BOUND, BY_COLUMNS, PHASE, STRETCH, UNTIL, WORK
from nrpa.problems.binpacking.refilling import BIN, HELD, PRICES, ROWS, SIZE, TAKEN, WORTH, choose_set
from nrpa.problems.binpacking.remaining import BINS


def drawn(items):
    return nrpa.BinPacking(1000, np.random.default_rng(items).integers(50, 701, items))


def full_bins(generator, capacity, bins):
    """Return sizes that fill so many bins exactly, cut at random."""
    sizes = []
    for _ in range(bins):
        cuts = sorted({0, capacity, *(generator.randrange(1, capacity) for _ in range(generator.choice((2, 2, 3))))})
        sizes += [after - before for before, after in pairwise(cuts)]
    return sizes


def with_room(problem, generator):
    """Return the moves of a game, with room for the longest one, and their number."""
    played, _ = random_game(problem, generator)
    return np.append(played, np.full(problem.max_steps - len(played), -1)), len(played)


def improved(problem, sequence, steps):
    """Improve a game until that is finished; return whether it was changed."""
    state, said = problem.new_state(), UNFINISHED
    while said == UNFINISHED:
        said = compiled_improve(problem.instance, state, sequence, steps)
    return said


def bins_by_the_rules(problem, sequence):
    """Return the bins that the first moves build until the game is over, and whether all are legal."""
    look_ahead = problem.moves != "all", problem.moves == "rare"
    naive = NaiveBinPacking(problem.capacity, problem.sizes, problem.bound(), *look_ahead)
    size, legal, step = problem.instance.size.tolist(), True, 0
    while listed := naive.legal():
        legal &= size[sequence[step]] in listed
        naive.play(size[sequence[step]])
        step += 1
    return naive.bins, legal


def columns_pack(capacity, sizes, generator):
    """Return the sums of the bins that columns pack from a random game, None where they find no packing."""
    problem = nrpa.BinPacking(capacity, sizes, moves="all")
    (sequence, steps), state = with_room(problem, generator), problem.new_state()
    compiled_reset(problem.instance, state)
    for move in sequence[:steps]:
        compiled_play(problem.instance, state, move)
    state.progress[BOUND], state.progress[UNTIL] = problem.bound(), 2**62
    if state.numbers[BINS] <= problem.bound() or not begin_columns(problem.instance, state, sequence, steps):
        return None
    if not pack_by_columns(problem.instance, state):
        return None
    sums = np.zeros(int(problem.bound()), np.int64)
    np.add.at(sums, state.work[BIN, : len(sizes)], np.repeat(problem.instance.size, problem.instance.copies))
    return sums.tolist()


@pytest.mark.parametrize("capacity", [150, 10**7])
def test_columns_fill_bins(capacity):
    """Alone they find most packings of full bins; with a large capacity, whose sums are rounded up, of nearly full."""
    generator, packed = random.Random(9), 0
    for _ in range(20):
        sizes = full_bins(generator, capacity if capacity == 150 else 98 * capacity // 100, 8)
        sums = columns_pack(capacity, sizes, generator)
        assert sums is None or max(sums) <= capacity
        assert sums is None or sum(sums) == sum(sizes)
        packed += sums is not None
    assert packed > 10


def test_columns_leave_what_has_no_packing():
    """Where the fewest bins are more than the lower bound, they find none."""
    generator, above = random.Random(6), 0
    for _ in range(150):
        sizes = [generator.randint(7, 13) for _ in range(generator.randint(6, 11))]
        if fewest_bins(30, sizes) > nrpa.BinPacking(30, sizes).bound():
            above += 1
            assert columns_pack(30, sizes, generator) is None
    assert above > 5


@pytest.mark.parametrize("moves", ["tight", "rare", "all"])
def test_it_finds_full_bins_by_legal_moves(moves):
    """From random games of more bins than an exact packing has; what it does not change has as few bins already."""
    generator, changed, missed = random.Random(5), 0, 0
    for _ in range(80):
        capacity = generator.choice([60, 150, 400])
        sizes = full_bins(generator, capacity, generator.randint(3, 8))
        problem = nrpa.BinPacking(capacity, sizes, moves=moves)
        before, steps = with_room(problem, generator)
        after = before.copy()
        said = improved(problem, after, steps)
        bins, legal = bins_by_the_rules(problem, after)
        assert legal
        missed += len(bins) > problem.bound()
        assert said == (len(bins_by_the_rules(problem, before)[0]) > len(bins))
        assert said == (before.tolist() != after.tolist())
        changed += said
    assert changed > 15
    assert missed == 0


@pytest.mark.parametrize("moves", ["rare", "all"])
def test_packings_above_the_lower_bound(moves):
    """What it changes has fewer bins than before, the fewest that there are, which may be more than the bound."""
    generator, changed, above = random.Random(6), 0, 0
    for _ in range(150):
        sizes = [generator.randint(7, 13) for _ in range(generator.randint(6, 11))]
        problem = nrpa.BinPacking(30, sizes, moves=moves)
        before, steps = with_room(problem, generator)
        after = before.copy()
        said = improved(problem, after, steps)
        bins, legal = bins_by_the_rules(problem, after)
        fewest = fewest_bins(30, sizes)
        assert legal
        assert len(bins) == fewest
        assert said == (len(bins_by_the_rules(problem, before)[0]) > fewest)
        changed += said
        above += fewest > problem.bound()
    assert changed > 5
    assert above > 5


def test_a_search_keeps_packings_above_the_lower_bound():
    """By the moves of the look-ahead alone this one cannot be built, and the playout stays at 19 bins."""
    generator = random.Random(0)
    problem = nrpa.BinPacking(10_000, [generator.randint(2000, 3500) for _ in range(60)])
    assert problem.bound() == 17
    assert nrpa.solve(problem, seed=1, playouts=1).bins == 18


def test_auto_takes_other_moves_rarely():
    """So that improved packings can be built; but where moves are chosen, those."""
    problem = nrpa.BinPacking(10, [4, 4, 4], codes="room")
    assert problem.hints().arms[0].options == {"moves": "rare", "codes": "room"}
    assert hints_of(problem).arms[0] is hints_of(problem).arms[0]
    assert problem.hints().arms[0].hints().arms == ()
    chosen = nrpa.BinPacking(10, [4, 4, 4], moves="all")
    assert chosen.hints().arms == ()


def test_the_set_that_is_taken():
    """It sums up to what is wanted and is not the one that is held; there is none only if no set will do."""
    generator, found = random.Random(7), 0
    for _ in range(300):
        count = generator.randint(1, 8)
        sizes = [generator.randint(1, 9) for _ in range(count)]
        held = [generator.randrange(2) for _ in range(count)]
        least = generator.randint(0, 20)
        most = generator.randint(least, least + 3)
        work, worth = np.zeros((ROWS, 12), np.int64), np.zeros((PRICES, 12))
        worth[WORTH, :count] = sizes
        work[SIZE, :count], work[HELD, :count], work[TAKEN] = sizes, held, 1
        problem = nrpa.BinPacking(9, sizes)
        said = choose_set(problem.new_state()._replace(work=work, worth=worth), count, least, most)
        sets = [
            taken
            for taken in product((0, 1), repeat=count)
            if least <= sum(np.multiply(taken, sizes)) <= most and list(taken) != held
        ]
        assert said == bool(sets)
        assert not said or tuple(work[TAKEN, :count].tolist()) in sets
        found += said
    assert 50 < found < 290


def test_large_capacities():
    """Where the look-ahead rounds sums, it still builds what it finds."""
    generator = random.Random(8)
    sizes = full_bins(generator, 10**6, 12)
    problem = nrpa.BinPacking(10**6, [*sizes, 1])
    assert problem.instance.coarse > 0
    result = nrpa.solve(problem, nrpa.Auto(), seed=1, playouts=20)
    assert problem.check(result.solution).valid
    assert result.bins == problem.bound() == 13


@pytest.mark.parametrize("improved", [True, False])
def test_auto_improves(improved):
    """A published triplet instance, FFD 95 bins, has its 83 full bins after as few playouts with it alone."""
    problem = nrpa.BinPacking.load("t249_00")
    result = nrpa.solve(problem, nrpa.Auto(improve=improved), seed=1, playouts=20)
    assert (result.bins == 83) is improved
    assert problem.check(result.solution).valid


def test_a_search_goes_on_with_the_same_result_elsewhere():
    """Its work areas are new there; the playouts are the same."""
    problem = nrpa.BinPacking.load("Hard28_BPP47")
    search = nrpa.Auto().start(problem, 1)
    search.advance(60)
    thawed = pickle.loads(pickle.dumps(search))
    for _ in range(60):
        search.advance(1)
        thawed.advance(1)
        assert search.last_score == thawed.last_score


@pytest.mark.parametrize(("sizes", "least"), [("Hard28_BPP13", 50), (500, 1), (20_000, 3)])
def test_it_comes_back_after_so_much_work(sizes, least):
    """No call works much longer than a stretch: by columns, by refilling, and where the packing is built."""
    problem = nrpa.BinPacking.load(sizes) if isinstance(sizes, str) else drawn(sizes)
    problem = nrpa.BinPacking(problem.capacity, problem.sizes, moves="all")
    sequence, steps = with_room(problem, random.Random(1))
    state, said, work = problem.new_state(), UNFINISHED, [0]
    while said == UNFINISHED:
        said = compiled_improve(problem.instance, state, sequence, steps)
        work.append(int(state.progress[WORK]))
    assert said == 1
    assert len(work) > least
    assert max(after - before for before, after in pairwise(work)) < 1.1 * STRETCH


def test_many_items():
    """Of 20,000 drawn items, few playouts find a packing into as many bins as the bound, or one more."""
    problem = drawn(20_000)
    result = nrpa.solve(problem, seed=1, playouts=2)
    packed = Counter(size for content in result.solution for size in content)
    assert packed == Counter(problem.sizes)
    assert max(map(sum, result.solution)) <= 1000
    assert len(result.solution) <= -(-sum(problem.sizes) // 1000) + 1


def test_a_first_playout_that_is_stopped_counts_as_it_is():
    """So there is an answer where to improve it takes longer than there is time."""
    problem = nrpa.BinPacking.load("Hard28_BPP60")
    search = nrpa.GNRPA(level=1, improve=True).start(problem, 1)
    search.prepare()

    def stop_when_improving():
        while search._state.progress[PHASE] != BY_COLUMNS:
            time.sleep(0.001)
        search.stop[0] = True

    stopping = threading.Thread(target=stop_when_improving)
    stopping.start()
    search.advance(1)
    stopping.join()
    assert search.playouts == 1
    assert search.moves.tolist() == nrpa.GNRPA(level=1).start(problem, 1).advance(1)[0].moves.tolist()
