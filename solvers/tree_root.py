"""What a tree search knows of the moves of its root, and which of them it would play."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from nrpa.solvers import tree_memory as at
from nrpa.solvers.tree_memory import Memory


class RootMove(NamedTuple):
    """A move of the root.

    - ``move``: The move, as kernels know it.
    - ``visits``: How often it was tried.
    - ``value``: The mean of what the player who makes it got, -inf without visits; of a solved move what it surely
      gives.
    - ``solved``: Whether all that can follow is known.
    """

    move: int
    visits: int
    value: float
    solved: bool


class Root(NamedTuple):
    """The root of a tree.

    - ``player``: Whose turn it is.
    - ``moves``: Its moves, in the order of the problem; none before the second playout, or at the end of a game.
    - ``solved``: Whether its value is proven.
    - ``survivor``: Which of the moves (from 0) the last whole pass of Sequential Halving has left; -1 where there was
      none.
    """

    player: int
    moves: tuple[RootMove, ...]
    solved: bool
    survivor: int

    def chosen(self) -> RootMove:
        """Return the move to play; there must be one.

        It is the most visited one that is not solved, of several the one with the higher mean, then the first; after a
        pass of Sequential Halving the one that is left. But where the root is solved, it is a move that gives most; and
        a solved move is better if it surely gives more than the mean of the other.
        """
        solved = [each for each in self.moves if each.solved]
        surest = max(solved, key=lambda each: (each.value, each.visits), default=None)
        if self.solved and surest is not None:
            return surest
        likely = max((each for each in self.moves if not each.solved), key=lambda each: (each.visits, each.value))
        if self.survivor >= 0:
            likely = self.moves[self.survivor]
        return surest if surest is not None and surest.value > likely.value else likely


def root_of(memory: Memory) -> Root:
    """Return what a search knows of its root."""
    node = memory.nodes.whole[0]
    first, count = (
        (int(node[at.FIRST]), int(node[at.COUNT])) if memory.count[at.NODES] and node[at.OPEN] >= 0 else (0, 0)
    )
    moves = tuple(_move(memory, edge, int(node[at.MOVER])) for edge in range(first, first + count))
    survivor = int(memory.halving[at.SURVIVOR]) - first if memory.halving[at.PASSES] > 0 else -1
    return Root(int(node[at.MOVER]), moves, bool(count and node[at.OPEN] == 0), survivor)


def _move(memory: Memory, edge: int, mover: int) -> RootMove:
    whole, number = memory.edges.whole[edge], memory.edges.number[edge]
    visits, solved = int(number[at.TRIED]), bool(whole[at.CLOSED])
    value = float(number[at.SUM] / number[at.TRIED]) if visits else -np.inf
    if solved:
        value = float(memory.nodes.number[whole[at.CHILD], 1 + mover])
    return RootMove(int(whole[at.MOVE]), visits, value, solved)
