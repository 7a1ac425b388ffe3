from itertools import combinations, product

import numpy as np
import pytest

import nrpa
from nrpa.problems.packing.blocks import blocks_of, reachable, rows_of
from nrpa.problems.packing.boxes import SURE, BoxLoading
from nrpa.problems.packing.spaces import nearest
from nrpa.problems.packing.thpack import draw_boxes, ways_of
from nrpa.problems.packing.worth import FEWNESS, LOSS, NEAR, TOUCHING

Plain = BoxLoading.plain_class


def largest_free(container, rows):
    """Return all free boxes that cannot be made larger, by the cells that are free."""
    free = np.ones(container, bool)
    for _, x, y, z, dx, dy, dz, nx, ny, nz in rows:
        free[x : x + dx * nx, y : y + dy * ny, z : z + dz * nz] = False
    spans = [[*combinations(range(side + 1), 2)] for side in container]
    found = [(a, b, c, d, e, f) for (a, d), (b, e), (c, f) in product(*spans) if free[a:d, b:e, c:f].all()]
    return {
        one
        for one in found
        if not any(two != one and all(two[k] <= one[k] and two[k + 3] >= one[k + 3] for k in range(3)) for two in found)
    }


def fits(problem, space, left):
    """Return whether a box that is left fits into a space."""
    return any(
        left[kind] and all(space[k + 3] - space[k] >= sides[k] for k in range(3)) for kind, *sides in problem.ways
    )


def test_spaces_are_the_largest_free_boxes():
    """All those into which a box fits, and no others, after each move of random games."""
    problem, rng = (
        Plain((4, 3, 3), [(2, 1, 1, 1, 1, 1, 4), (2, 0, 2, 0, 1, 1, 3), (3, 1, 1, 1, 1, 0, 2)]),
        np.random.default_rng(1),
    )
    for _ in range(3):
        state, moves = problem.initial_state(), []
        while legal := problem.legal_moves(state):
            moves.append(legal[rng.integers(len(legal))])
            state = problem.play(state, moves[-1])
            spaces = {tuple(space) for space in state.spaces[: state.many].tolist()}
            largest = largest_free(problem.container, problem.solution_of(moves))
            assert spaces <= largest
            assert not any(fits(problem, space, state.left) for space in largest - spaces)
        assert problem.check(problem.solution_of(moves)).score == problem.score(state)


WAYS = np.array([(0, 1, 1, 2), (0, 2, 1, 1), (1, 2, 2, 1)])


def test_blocks_are_all_that_two_smaller_ones_make():
    """From boxes as they may stand on, side by side along each axis, within the container, of boxes that are left."""
    left, container = np.array([3, 2]), np.array([4, 3, 2])
    blocks = blocks_of(WAYS, left, container)
    known = {(tuple(sides), tuple(int(kind == k) for k in range(2))) for kind, *sides in WAYS.tolist()}
    while True:
        new = set(known)
        for (one, a), (two, b) in product(known, known):
            for axis in range(3):
                sides = tuple(one[k] + two[k] if k == axis else one[k] for k in range(3))
                counts = a[0] + b[0], a[1] + b[1]
                is_flush = all(one[k] == two[k] for k in range(3) if k != axis)
                if is_flush and counts[0] <= 3 and counts[1] <= 2 and (np.array(sides) <= container).all():
                    new.add((sides, counts))
        if new == known:
            break
        known = new
    found = [*zip(map(tuple, blocks.sides.tolist()), map(tuple, blocks.counts.tolist()), strict=True)]
    assert len(found) == len({*found}) > 15
    assert {*found} == known
    for block, (sides, counts) in enumerate(found):
        filled = np.zeros(sides, int)
        for kind, x, y, z, dx, dy, dz, nx, ny, nz in rows_of(blocks, WAYS, block):
            assert [kind - 1, dx, dy, dz] in WAYS.tolist()
            filled[x : x + dx * nx, y : y + dy * ny, z : z + dz * nz] += 1
        boxes = [sum(np.prod(row[7:]) for row in rows_of(blocks, WAYS, block) if row[0] == k + 1) for k in range(2)]
        assert (filled == 1).all()
        assert boxes == [*counts]


def test_the_longest_rows_of_boxes():
    """Of any boxes that are left, each in any way: all sums of sides."""
    left, container = np.array([2, 1]), np.array([9, 5, 4])
    rows = reachable(WAYS, left, container)
    for axis in range(3):
        of = [[*{0, *WAYS[WAYS[:, 0] == kind, 1 + axis].tolist()}] for kind in (0, 0, 1)]
        sums = {sum(each) for each in product(*of)}
        for length in range(container[axis] + 1):
            assert rows[axis, length] == max(each for each in sums if each <= length)


def test_the_worth_of_blocks():
    """Their share of touched surface is counted square by square; also what is near at a side of 26."""
    problem = Plain((26, 6, 5), [(3, 1, 2, 1, 1, 1, 5), (5, 1, 3, 1, 2, 1, 3), (24, 1, 4, 1, 1, 0, 1)])
    rng = np.random.default_rng(2)
    seen = 0
    for _ in range(4):
        state = problem.initial_state()
        while state.choices:
            space = state.spaces[state.at]
            slow = sorted((worth(problem, state, space, block) for block in state.able), reverse=True)
            worths = [worth(problem, state, space, block) for block in state.best[: state.choices]]
            assert worths == pytest.approx(slow[: state.choices])
            assert state.worth[: state.choices] == pytest.approx(worths)
            seen += 1
            state = problem.play(state, state.best[rng.integers(state.choices)])
    assert seen > 8


def worth(problem, state, space, block):
    """Return what a block is worth in a space, 0 if it does not fit."""
    size, sides = np.array(problem.container), problem.sides[block]
    gap = space[3:] - space[:3] - sides
    if (gap < 0).any():
        return 0.0
    full = np.zeros(size + 2 * 3, bool)  # with three cells of wall around
    full[:3], full[-3:], full[:, :3], full[:, -3:], full[:, :, :3], full[:, :, -3:] = (True,) * 6
    for place in state.placed[: state.count]:
        full[tuple(slice(place[k] + 3, place[k + 3] + 3) for k in range(3))] = True
    begin, touched = problem.corner(state, block), 0
    for axis, cell in product(range(3), np.ndindex(*sides)):
        near = int(NEAR * (space[axis + 3] - space[axis]))
        for is_last in (False, True):
            outermost = sides[axis] - 1 if is_last else 0
            is_touching = (begin[axis] + sides[axis] == space[axis + 3]) if is_last else begin[axis] == space[axis]
            if cell[axis] == outermost and (is_touching or gap[axis] <= near):
                at = begin + cell + 3
                edge = space[axis + 3] + 3 if is_last else space[axis] + 2
                for away in range(near + 1):
                    at[axis] = edge + away if is_last else edge - away
                    if full[tuple(at)]:
                        touched += 1
                        break
    usable = np.prod([(sides[k] + problem.rows[k, gap[k]]) / (sides[k] + gap[k]) for k in range(3)])
    surface = 2 * (sides[0] * sides[1] + sides[1] * sides[2] + sides[0] * sides[2])
    basic = np.prod(sides) * problem.needs[block].sum() ** -FEWNESS
    return basic * usable**LOSS * (touched / surface) ** TOUCHING


def test_a_beam_finishes_games_better_than_the_best_blocks():
    """It keeps the first moves where another game is given, and returns what it has where the search stops."""
    problem, go = Plain.load("BR1-1"), np.zeros(1, bool)
    state, moves = problem.initial_state(), []
    while state.choices:
        moves.append(int(state.best[0]))
        state = problem.play(state, moves[-1])
    beam = problem.improve(moves, [], go)
    assert problem.score(played(problem, beam)) > problem.score(state) + 1
    others = [problem.improve(beam, [move], go) for move in range(12)]
    kept = {
        next(k for k, moves in enumerate(zip(game, beam, strict=False)) if moves[0] != moves[1])
        for game in others
        if game != beam
    }
    assert len(kept) > 1
    assert all(played(problem, game).choices == 0 for game in others)
    assert problem.improve(moves, [], np.ones(1, bool)) != beam
    assert Plain((2, 2, 2), [(3, 1, 1, 1, 1, 1, 1)]).improve([], [1], go) == []


def test_a_beam_keeps_moves_and_returns_the_best_playout(monkeypatch):
    """Of a random game, whose moves a beam would not choose; each playout of the beam is looked at."""
    problem, rng, loaded = Plain.load("BR3-1"), np.random.default_rng(4), []
    state, moves = problem.initial_state(), []
    while state.choices:
        moves.append(int(state.best[rng.integers(state.choices)]))
        state = problem.play(state, moves[-1])
    finish = problem.finish
    monkeypatch.setattr(problem, "finish", lambda *given: loaded.append(finish(*given)) or loaded[-1])
    kept = []
    for other in range(3):
        loaded.clear()
        game = problem.improve(moves, [other], np.zeros(1, bool))
        assert played(problem, game).volume == max(volume for volume, _ in loaded)
        kept.append(next(k for k, (one, two) in enumerate(zip(game, moves, strict=False)) if one != two))
    assert sum(kept) > 5


def test_choices_are_tried_in_an_order_by_chance():
    """The same blocks by other numbers in other orders; β is that of their worth."""
    problem = Plain.load("BR3-1")
    orders = []
    for number in range(3):
        state = problem.initial_state()
        before = state.best[: state.choices].tolist()
        worths = state.worth[: state.choices] / state.worth[0]
        assert [problem.bias(state, move) for move in before] == pytest.approx((SURE * np.log(worths)).tolist())
        assert problem.shuffle(state, number) != number
        orders.append(state.best[: state.choices].tolist())
        assert sorted(orders[-1]) == sorted(before)
    assert len({*map(tuple, [*orders, before])}) == 4


def test_the_next_space_is_nearest_to_a_corner():
    """To any of the eight, of several the largest, then the first by its corners; as a list sorted by these."""
    rng, container = np.random.default_rng(5), np.array([5, 4, 4])
    for _ in range(200):
        begins = rng.integers(0, 3, (6, 3))
        spaces = np.hstack((begins, np.minimum(begins + rng.integers(1, 4, (6, 3)), container)))
        order = [
            (np.minimum(space[:3], container - space[3:]).sum(), -np.prod(space[3:] - space[:3]), *space)
            for space in spaces
        ]
        assert tuple(spaces[nearest(spaces, 6, container)]) == min(order)[2:]


def played(problem, moves):
    state = problem.initial_state()
    for move in moves:
        assert problem.is_legal(state, move)
        state = problem.play(state, move)
    return state


def test_a_solution_is_taken_apart_into_blocks():
    """A game's solution is that of the moves that are found from it."""
    problem, rng = Plain((9, 6, 6), [(3, 1, 2, 1, 1, 1, 20), (2, 1, 2, 1, 4, 1, 9)]), np.random.default_rng(3)
    for _ in range(9):
        state, moves = problem.initial_state(), []
        while state.choices:
            moves.append(int(state.best[rng.integers(state.choices)]))
            state = problem.play(state, moves[-1])
        solution = problem.solution_of(moves)
        assert problem.solution_of(problem.own_moves(solution)) == solution


@pytest.mark.parametrize(
    ("row", "said"),
    [
        ([3, 0, 0, 0, 1, 1, 2, 1, 1, 1], "a kind from 1 to 2"),
        ([2, 0, 0, 0, 1, 1, 3, 1, 1, 1], "as they may stand"),
        ([1, 0, 0, 0, 1, 1, 2, 0, 1, 1], "expected boxes"),
        ([1, 0, 0, 0, 1, 1, 2, 3, 2, 1], "kind 1: 6 boxes, of 4"),
        ([1, 3, 0, 0, 1, 1, 2, 2, 1, 1], "sticks out"),
        ([1, 0, 0, 0, 1, 1, 2, 1, 1], "expected"),
    ],
)
def test_loadings_with_a_fault(row, said):
    """A kind that is not there, a side that may not stand, too many, and what is not inside."""
    problem = Plain((4, 4, 4), [(1, 1, 1, 1, 2, 1, 4), (1, 1, 1, 1, 3, 0, 4)])
    assert problem.check([[2, 2, 0, 0, 1, 3, 1, 1, 1, 1]]).valid
    assert said in problem.check([row]).faults[0]
    assert "overlap" in problem.check([[1, 0, 0, 0, 1, 1, 2, 1, 1, 2], [1, 0, 0, 2, 1, 1, 2, 1, 1, 1]]).faults[0]


def test_no_side_is_upright_that_may_not_be():
    """Boxes of three sides lie in six ways, and in two where only one side is upright."""
    assert len(ways_of((3, 1, 2, 1, 1, 1, 9))) == 6
    assert ways_of((3, 0, 2, 0, 1, 1, 9)) == [(2, 3, 1), (3, 2, 1)]
    assert ways_of((2, 1, 2, 1, 2, 1, 9)) == [(2, 2, 2)]


def test_the_published_generator():
    """The first problem of OR-Library's thpack1, and the numbers of boxes in the second of thpack2."""
    rows = ["1 108 0 76 0 30 1 40", "2 110 0 43 1 25 1 33", "3 92 1 81 1 55 1 39"]
    assert draw_boxes(3, 2502505).splitlines() == ["1", "1 2502505", "587 233 220", "3", *rows]
    assert [row.split()[-1] for row in draw_boxes(5, 2502605).splitlines()[4:]] == ["22", "22", "28", "25", "17"]


@pytest.mark.parametrize(
    ("line", "text", "said"),
    [
        (0, "2", ":4: expected the number of a problem|expected the number of a problem"),
        (1, "1", ":2: expected the number of a problem and its seed"),
        (2, "5 5", ":3: expected length, width and height"),
        (3, "1 3 1 2 1 2 1", "expected the number of kinds"),
        (4, "1 3 2 2 1 2 1 4", "kind 1: expected length"),
        (4, "1 3 1 2 1 2 1 0", "kind 1: expected length"),
        (4, "1 3 1 2 1 2 1 4\n1 1", ":6: expected nothing after 1 problems"),
    ],
)
def test_files_that_are_refused(tmp_path, line, text, said):
    """The message says the line and what was expected."""
    lines = ["1", "1 0", "5 5 5", "1", "1 3 1 2 1 2 1 4"]
    path = tmp_path / "file"
    path.write_text("\n".join([*lines[:line], text, *lines[line + 1 :]]))
    with pytest.raises(nrpa.InputError, match=said):
        Plain.load(path)


@pytest.mark.parametrize("solution", [[[1]], [["a"]], [1], [[9] * 10], [[1, 0, 0, 5, 5]], [[0, 0, 5, 5]]])
def test_what_is_no_solution_to_start_from(solution):
    """Is refused in a sentence of its check."""
    problem = nrpa.BoxLoading((12_032, 4, 4), [(3, 1, 2, 1, 2, 1, 4)])
    with pytest.raises(nrpa.InputError, match=r"^boxes: "):
        problem.moves_of(solution)
