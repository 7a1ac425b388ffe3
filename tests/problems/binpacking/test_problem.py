import random
from decimal import Decimal

import numpy as np
import pytest

import nrpa


def test_from_python():
    """Capacity and sizes are enough; bins equal to the lower bound end the search as optimal."""
    result = nrpa.solve(nrpa.BinPacking(capacity=100, sizes=[60, 50, 50, 40, 30, 30, 20, 20]), seed=1)
    assert result.status == "optimal"
    assert (result.bins, result.lower_bound, result.bound) == (3, 3, "L1")
    assert sorted(map(sum, result.solution)) == [100, 100, 100]
    figures = result.to_dict()["figures"]
    assert {"bins", "lower_bound", "bound", "l1", "l2", "ffd", "bfd"} <= set(figures)


@pytest.mark.parametrize(("moves", "codes"), [("tight", "opener"), ("tight", "room"), ("all", "room")])
def test_an_instance_where_first_fit_decreasing_fails(moves, codes):
    """The search finds the two bins of sizes that first-fit decreasing packs into three, with or without the bias."""
    problem = nrpa.BinPacking(8, [4, 3, 3, 2, 2, 2], moves=moves, codes=codes)
    assert problem.bounds.ffd == 3
    for bias in (True, False):
        result = nrpa.solve(problem, nrpa.GNRPA(level=2, bias=bias), seed=1, playouts=2000)
        assert (result.bins, result.status) == (2, "optimal")


def test_a_triplet_that_needs_the_look_ahead():
    """A published triplet instance, FFD 23 bins, is packed into its 20 full bins."""
    result = nrpa.solve(nrpa.BinPacking.load("t60_02"), seed=1, playouts=100_000)
    assert result.status == "optimal"
    assert result.bins == 20
    assert all(sum(content) == 1000 for content in result.solution)


def test_a_target_above_the_bound_stops_with_status_target():
    """The target is a number of bins; any tie-break will do."""
    result = nrpa.solve(nrpa.BinPacking.load("u250_13"), seed=1, target=104, playouts=100_000)
    assert result.status == "target"
    assert result.bins <= 104


def test_one_item():
    """A single item has no choice to make: one bin, at once, optimal."""
    result = nrpa.solve(nrpa.BinPacking(10**9, [1]), seed=1)
    assert (result.bins, result.status, result.solution) == (1, "optimal", [[1]])
    assert nrpa.BinPacking.objective.value(result.score) == 1


def test_fractions_are_scaled_exactly():
    """Decimals count as written: ten tenths fill a bin of 1."""
    problem = nrpa.BinPacking(1.0, [0.1] * 10 + [0.75, 0.25])
    assert problem.scale == 100
    result = nrpa.solve(problem, seed=1)
    assert result.bins == 2
    assert problem.check(result.solution).valid
    assert nrpa.BinPacking(Decimal("1.5"), np.array([0.5, 1.0])).sizes == [0.5, 1]


def test_plain_solutions_have_a_line_for_each_bin():
    """Spaces or commas between the sizes, comments and empty lines skipped; anything else is named."""
    assert nrpa.BinPacking.parse_solution("6, 4\n\n4 3.5 # the second\n") == [[6, 4], [4, 3.5]]
    with pytest.raises(nrpa.InputError, match="line 2: expected a size, found 'x'"):
        nrpa.BinPacking.parse_solution("6\nx\n")
    with pytest.raises(nrpa.InputError, match="line 1: expected a size, found '\u0661'"):
        nrpa.BinPacking.parse_solution("\u0661\n")


@pytest.mark.parametrize("size", ["1e-3200300", "1e3200300"])
def test_sizes_beyond_all_measure(size):
    """Are refused before they are scaled."""
    with pytest.raises(nrpa.InputError, match=r"the size of item 2 must be from 1e-30 to 1e30, not 1E[+-]3200300"):
        nrpa.BinPacking(10, [1, Decimal(size)])


def test_drawing():
    """A line for each bin: how full, a bar in two shades, the sizes."""
    lines = nrpa.BinPacking(10, [6, 4, 3]).draw([[6, 4], [3]]).splitlines()
    assert lines[0] == "1  10/10 " + "█" * 18 + "▓" * 12 + "  6 4"
    assert lines[1] == "2   3/10 " + "█" * 9 + "·" * 21 + "  3"


def test_drawing_fractions():
    """Sums of fractions are shown as the decimals they are."""
    assert "0.3/1 " in nrpa.BinPacking(1, [0.1, 0.2]).draw([[0.1, 0.2]])


def test_a_sketch_shows_the_first_bins():
    """All of a few; of many, how many more there are."""
    problem = nrpa.BinPacking(10, [7] * 50)
    packing = [[7]] * 50
    assert problem.sketch(packing[:3]) == problem.draw(packing[:3])
    lines = problem.sketch(packing).splitlines()
    assert lines[:40] == problem.draw(packing).splitlines()[:40]
    assert lines[40:] == ["... and 10 more bins"]


def test_a_packing_is_built_in_the_order_of_its_items():
    """In another order, an item that dominates the others would take the place of one of them."""
    problem = nrpa.BinPacking(100, [23, 47, 48, 47, 50, 48, 20, 28])
    packing = [[50, 48], [48, 20, 28], [47, 47], [23]]
    assert problem.solution(problem.moves_of(packing)) == packing
    assert problem.solution(problem.moves_of([packing[3], packing[2], packing[0], packing[1]])) == packing


@pytest.mark.parametrize("moves", ["tight", "rare", "all"])
def test_packings_to_start_from(moves):
    """Those of a search are built as they are; others by legal moves, with as many bins at most."""
    given, of_all = 0, nrpa.GNRPA(level=1)
    for seed, (least, most, capacity) in enumerate([(50, 700, 1000), (1, 100, 150), (5, 30, 100), (1, 9, 30)]):
        sizes = np.random.default_rng(seed).integers(least, most + 1, 200)
        problem, other = (nrpa.BinPacking(capacity, sizes, moves=each) for each in (moves, "all"))
        own = nrpa.solve(problem, nrpa.GNRPA(level=1), seed=seed, playouts=3).solution
        assert problem.solution(problem.moves_of(own)) == own
        alone = [[size] for size in problem.sizes]
        for packing in (nrpa.solve(other, of_all, seed=seed, playouts=3).solution, alone, own[::-1]):
            built = problem.solution(problem.moves_of(packing))
            assert problem.check(built).valid
            assert len(built) <= len(packing)
            given += built != packing
    assert given >= 4


def test_a_packing_that_the_look_ahead_excludes_is_refused():
    """It has more bins than the bound, and wastes more than the look-ahead allows; other moves build it."""
    generator = random.Random(0)
    sizes = [generator.randint(2000, 3500) for _ in range(60)]
    found = nrpa.solve(nrpa.BinPacking(10_000, sizes), seed=1, playouts=1).solution
    rare = nrpa.BinPacking(10_000, sizes, moves="rare")
    assert rare.solution(rare.moves_of(found)) == found
    with pytest.raises(nrpa.InputError, match="cannot build the packing to start from with 18 bins"):
        nrpa.BinPacking(10_000, sizes).moves_of(found)
