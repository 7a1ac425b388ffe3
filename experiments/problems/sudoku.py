"""Sudoku beside CP-SAT.

The instances: the one that A. Inkala called the hardest, and those drawn with most empty cells of the orders 16 and 25.
"""

from cp_sat import solved
from ortools.sat.python import cp_model

INSTANCES = "9x9-escargot", "16x16-170", "25x25-344"
PEER = "CP-SAT of OR-Tools"
BASELINE = "the first of the fewest moves"


def answer(problem, seconds):
    """Return the square that CP-SAT fills; None if it has not filled it in time."""
    model, order = cp_model.CpModel(), problem.order
    cells = [model.new_int_var(given or 1, given or order, "") for given in problem.grid.tolist()]
    for unit in range(problem.units.max() + 1):
        model.add_all_different([cells[k] for k, units in enumerate(problem.units.tolist()) if unit in units])
    value = solved(model, seconds)
    if value is None:
        return None
    numbers = [value(cell) for cell in cells]
    return [numbers[k * order : (k + 1) * order] for k in range(order)]


def baseline(problem):
    """Make the first legal move, which is one of the fewest that could fill a cell."""
    plain = problem.plain
    state, moves = plain.initial_state(), []
    while legal := plain.legal_moves(state):
        moves.append(legal[0])
        state = plain.play(state, legal[0])
    return plain.solution_of(moves)
