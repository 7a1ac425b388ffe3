"""The independent check of a game: plain Python, sharing nothing with the kernels."""

from __future__ import annotations

from typing import Any

from nrpa.modelling.verdict import Verdict
from nrpa.problems.common import is_whole
from nrpa.problems.samegame.rules import Columns, group, groups, replay, without


def check_game(board: Columns, game: Any) -> Verdict:
    """Check that each cell of a game is of a group when its turn comes, and that no group is left."""
    faults = _form_faults(game)
    if faults:
        return Verdict({}, faults)
    points = 0
    steps = list(replay(board, [(column, row) for column, row in game]))
    for step in steps:
        points += step.points
    if steps:
        board = without(steps[-1].board, steps[-1].cells)
    if len(steps) < len(game):
        faults.append(_illegal(board, len(steps) + 1, *game[len(steps)]))
    elif groups(board):
        column, row = min(groups(board)[0])
        faults.append(f"the game is not over: a group can be played at [{column}, {row}]")
    figures = {"points": points, "moves": len(steps), "cells_left": sum(map(len, board))}
    return Verdict(figures, faults, score=None if len(steps) < len(game) else float(points))


def _form_faults(game: Any) -> list[str]:
    if not isinstance(game, list):
        return [f"a game is a list of cells [column, row], not {type(game).__name__}"]
    return [
        f"move {k}: {cell!r} is not a cell [column, row]"
        for k, cell in enumerate(game, start=1)
        if not (isinstance(cell, list) and len(cell) == 2 and all(map(is_whole, cell)))
    ]


def _illegal(board: Columns, move: int, column: int, row: int) -> str:
    size = len(group(board, column, row))
    why = "the cell is empty" if size == 0 else "the cell has no neighbour of its colour"
    return f"move {move} at [{column}, {row}] is not legal: {why}"
