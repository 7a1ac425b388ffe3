import random

import pytest

import nrpa
from nrpa.io.source import Source, bundled
from nrpa.problems.puzzles.sliding import Sliding

PLAIN = Sliding.plain_class


def fewest_moves(side):
    """Return the fewest moves to order of every board that can come into it, breadth first."""
    start = tuple(range(side * side))
    found, level = {start: 0}, [start]
    while level:
        later = []
        for board in level:
            hole = board.index(0)
            row, column = divmod(hole, side)
            for r, c in ((row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1)):
                if 0 <= r < side and 0 <= c < side:
                    after = [*board]
                    after[hole], after[r * side + c] = after[r * side + c], 0
                    if tuple(after) not in found:
                        found[tuple(after)] = found[board] + 1
                        later.append(tuple(after))
        level = later
    return found


def test_all_boards_of_three_tiles():
    """Those that can come into order are taken, their distance is a bound, and the fewest moves are found."""
    fewest = fewest_moves(2)
    assert len(fewest) == 12
    for board, moves in fewest.items():
        problem = PLAIN(board)
        assert problem.bound() <= moves
        if moves:
            assert nrpa.solve(problem, nrpa.RandomSampling(), seed=1, playouts=50).moves == moves


def test_the_empty_cell_may_be_last():
    """Turned round, and numbered from the other end, it is the same puzzle."""
    fewest, rng = fewest_moves(2), random.Random(1)
    for board, moves in fewest.items():
        problem = PLAIN([(4 - tile) % 4 for tile in board[::-1]], empty="last")
        assert problem.bound() == PLAIN(board).bound() <= moves
    problem = PLAIN([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 0, 15], empty="last")
    assert problem.bound() == 1
    assert problem.check([15]).figures == {"moves": 1, "distance": 0}
    state, moves = problem.initial_state(), []
    for _ in range(30):
        moves.append(int(rng.choice(problem.legal_moves(state))))
        assert problem.bias(state, moves[-1]) == float(problem.play(state, moves[-1])[2] < state[2])
        state = problem.play(state, moves[-1])
        assert problem.check(moves).figures["distance"] == state[2]
        if state[2] == 0:
            break
    with pytest.raises(
        nrpa.InputError, match=r"file:4: .*order 0, 1, 2, …: .* places; the option empty=last is for 1, 2"
    ):
        PLAIN.from_source(Source("file", "1 2 3 4\n5 6 7 8\n9 10 11 12\n13 14 15 0\n", ""))


def test_a_board_that_cannot_come_into_order_is_refused():
    for tiles in ([0, 2, 1, 3], [0, 1, 2, 3, 4, 5, 6, 8, 7], [2, 1, 0, *range(3, 16)]):
        with pytest.raises(nrpa.InputError, match="two of them would have to change places"):
            PLAIN(tiles)


def test_a_game_comes_to_no_board_twice():
    problem, draws = PLAIN.load("8-near"), random.Random(1)
    state, boards, moves = problem.initial_state(), [], []
    while legal := problem.legal_moves(state):
        boards.append(state[0].tolist())
        moves.append(int(draws.choice(legal)))
        state = problem.play(state, moves[-1])
        assert problem.check(moves).figures["distance"] == state[2]
    assert len({*map(tuple, boards)}) == len(boards) > 20


@pytest.mark.parametrize("name", [name for name, row in bundled("sliding").items() if row.solution])
def test_published_numbers_of_moves_have_solutions(name):
    row = bundled("sliding")[name]
    verdict = PLAIN.load(name).check(PLAIN.parse_solution(row.solution))
    assert verdict.valid
    assert verdict.figures["moves"] == row.best_known.value


def test_what_is_wrong_with_a_solution():
    problem = PLAIN([1, 0, 2, 3])
    assert problem.check([1]).valid
    assert problem.check([2]).faults == ["move 1: the tile 2 is not beside the empty cell"]
    assert problem.check([3, 2]).figures == {"moves": 19, "distance": 3}
    assert "at most 16 moves" in problem.check([1] * 17).faults[0]


@pytest.mark.parametrize("text", ["", "0", "0 1 2", "0 1 2 2", "0 1 2 x", "1 2 3 4"])
def test_wrong_boards_are_refused(text):
    with pytest.raises(nrpa.InputError, match=r"^file:1: |^file: is empty"):
        PLAIN.from_source(Source("file", text, ""))
