"""The independent check of a game: plain Python, sharing nothing with the kernels."""

from typing import Any

from nrpa.modelling.verdict import Verdict
from nrpa.problems.common import fault_in_list, is_whole
from nrpa.problems.samegame.rules import Columns, group, groups, replay, without


def check_game(board: Columns, game: Any) -> Verdict:
    """Check that each cell of a game is of a group when its turn comes, and that no group is left."""
    fault = fault_in_list(game, "a game is a list of cells [column, row]", "move", "a cell [column, row]", _is_cell)
    if fault:
        return Verdict({}, [fault])
    steps = list(replay(board, [(column, row) for column, row in game]))
    points, faults = sum(step.points for step in steps), []
    if steps:
        board = without(steps[-1].board, steps[-1].cells)
    if len(steps) < len(game):
        faults.append(_illegal(board, len(steps) + 1, *game[len(steps)]))
    elif groups(board):
        column, row = min(groups(board)[0])
        faults.append(f"the game is not over: a group can be played at [{column}, {row}]")
    figures = {"points": points, "moves": len(steps), "cells_left": sum(map(len, board))}
    return Verdict(figures, faults, score=None if len(steps) < len(game) else float(points))


def _is_cell(found: Any) -> bool:
    return isinstance(found, list) and len(found) == 2 and all(map(is_whole, found))


def _illegal(board: Columns, move: int, column: int, row: int) -> str:
    size = len(group(board, column, row))
    why = "the cell is empty" if size == 0 else "the cell has no neighbour of its colour"
    return f"move {move} at [{column}, {row}] is not legal: {why}"
