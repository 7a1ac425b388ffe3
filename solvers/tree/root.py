"""What a tree search knows of the moves of its root, and which of them it would play."""

from __future__ import annotations

from collections.abc import Sequence
from math import fsum
from typing import NamedTuple

import numpy as np

from nrpa.solvers.tree.memory import NONE, UNEXPANDED, TreeMemory


class RootMove(NamedTuple):
    """A move of the root."""

    move: int  # the move, as kernels know it
    visits: int  # how often it was tried
    # The mean reward of the player who makes it, -inf without visits; of a solved move its sure reward
    value: float
    solved: bool  # whether all that can follow is known
    distance: int = 0  # of a solved move, how many moves the game then takes, itself included; 0 of another
    ahead: bool = False  # of a solved move, whether the player who makes it gets the most of all

    def sure_worth(self) -> tuple[float, int, int]:
        """Return by what the better of two solved moves is the larger one."""
        return self.value, -self.distance if self.ahead else self.distance, self.visits


class Root(NamedTuple):
    """The root of a tree."""

    player: int  # whose turn it is
    # Its moves, in the order of the problem; none before the second playout, or at the end of a game
    moves: tuple[RootMove, ...]
    solved: bool  # whether its value is proven
    # Which of the moves (from 0) the last whole pass of Sequential Halving has left; -1 where there was none
    survivor: int

    def chosen(self) -> RootMove:
        """Return the move to play; there must be one.

        It is the most visited one that is not solved, of several the one with the higher mean, then the first; after a
        pass of Sequential Halving the one that is left. But where the root is solved, it is a move that gives most; and
        a solved move is better if it surely gives more than the mean of the other. Of equal solved moves it is the one
        of the shortest way to the end for who gets the most of all, and of the longest for others.
        """
        solved = [each for each in self.moves if each.solved]
        surest = max(solved, key=RootMove.sure_worth, default=None)
        if self.solved and surest is not None:
            return surest
        likely = max((each for each in self.moves if not each.solved), key=lambda each: (each.visits, each.value))
        if self.survivor >= 0:
            likely = self.moves[self.survivor]
        return surest if surest is not None and surest.value > likely.value else likely

    def reason(self, chosen: RootMove) -> str:
        """Return why a move is chosen, in words."""
        if chosen.solved and self.solved:
            return f"it is proven to give {chosen.value:g}, and no move gives more"
        if chosen.solved:
            return f"it is proven to give {chosen.value:g}, more than the mean of the most visited other move"
        if self.survivor >= 0 and chosen == self.moves[self.survivor]:
            return "it is the move that Sequential Halving has left"
        return f"it has the most visits, {chosen.visits:,} of {sum(each.visits for each in self.moves):,}"


def path_of(memory: TreeMemory, moves: Sequence[int]) -> list[int]:
    """Return the nodes that some moves lead to from the first one, as far as there are nodes."""
    path, nodes, edges = [0], memory.nodes, memory.edges
    for move in moves:
        first, count = nodes[path[-1]][["first", "count"]]
        made = edges[first : first + count]
        children = made["child"][made["move"] == move]
        if not len(children) or children[0] == NONE:
            break
        path.append(int(children[0]))
    return path


def root_node(memory: TreeMemory) -> int:
    """Return the node behind the committed moves."""
    root = memory.root[0]
    return path_of(memory, memory.prefix[root["start"] : root["start"] + root["committed"]].tolist())[-1]


def root_of(memory: TreeMemory) -> Root:
    """Return what a search knows of its root, the node behind the committed moves."""
    halving, node = memory.halving[0], memory.nodes[root_node(memory)]
    first, count = (
        (int(node["first"]), int(node["count"])) if memory.count[0]["nodes"] and node["open"] >= 0 else (0, 0)
    )
    moves = tuple(move_of_edge(memory, edge, int(node["mover"])) for edge in memory.edges[first : first + count])
    survivor = int(halving["survivor"]) - first if halving["passes"] > 0 else -1
    return Root(int(node["mover"]), moves, bool(count and node["open"] == 0), survivor)


def added_up(roots: Sequence[Root]) -> Root:
    """Return the roots of several trees of one position as one: visits are sums, values the means of all visits.

    G. Chaslot, M. Winands and J. van den Herik, *Parallel Monte-Carlo Tree Search*, CG 2008: root parallelisation.
    """
    if len(roots) == 1:
        return roots[0]
    moves = tuple(map(summed, _by_move(roots)))
    return Root(roots[0].player, moves, any(root.solved for root in roots) or all(each.solved for each in moves), -1)


def averaged_roots(roots: Sequence[Root]) -> Root:
    """Return the roots of trees of positions that the player cannot tell apart as one, whose move of best mean is left.

    Each position counts as much as another. A move that was not tried in one counts there as the worst that was.

    M. Ginsberg, *GIB: Imperfect Information in a Computationally Challenging Game*, JAIR 14, 2001.
    """
    worst = [min((each.value for each in root.moves if each.visits), default=0.0) for root in roots]
    moves = []
    for alike in _by_move(roots):
        values = [max(each.value, least) for each, least in zip(alike, worst, strict=True)]
        visits = sum(each.visits for each in alike)
        moves.append(RootMove(alike[0].move, visits, fsum(values) / len(values), False))
    best = max(range(len(moves)), key=lambda index: (moves[index].value, moves[index].visits))
    return Root(roots[0].player, tuple(moves), False, best)


def _by_move(roots: Sequence[Root]) -> list[list[RootMove]]:
    """Return each move with its statistics in all trees; in a tree that was kept, moves may have another order."""
    known = [{each.move: each for each in root.moves} for root in roots]
    return [[moves[each.move] for moves in known] for each in roots[0].moves]


def summed(moves: Sequence[RootMove]) -> RootMove:
    """Return what several trees know of a move as one."""
    visits = sum(each.visits for each in moves)
    gained = sum(each.visits * each.value for each in moves if each.visits)
    proven = max((each for each in moves if each.solved), key=RootMove.sure_worth, default=None)
    if proven is not None:
        return proven._replace(visits=visits)
    return RootMove(moves[0].move, visits, gained / visits if visits else -np.inf, False)


def move_of_edge(memory: TreeMemory, edge: np.void, mover: int) -> RootMove:
    """Return what is known of a move, from its edge and whose turn it is."""
    visits, solved = int(edge["tried"]), bool(edge["closed"])
    value = float(edge["sum"] / edge["tried"]) if visits else -np.inf
    if not solved:
        return RootMove(int(edge["move"]), visits, value, False)
    gains, distance = memory.outcomes[edge["child"]].tolist(), int(memory.nodes["distance"][edge["child"]])
    ahead = all(gain < gains[mover] for player, gain in enumerate(gains) if player != mover)
    return RootMove(int(edge["move"]), visits, gains[mover], True, distance + 1, ahead)


def variation_of(memory: TreeMemory, first: int) -> list[int]:
    """Return the moves that a tree expects from its root on, ``first`` and the best ones known."""
    root = memory.root[0]
    committed = memory.prefix[root["start"] : root["start"] + root["committed"]].tolist()
    *before, node = path_of(memory, [*committed, first])
    found, passed = [first], {*before}
    while node not in passed and memory.nodes["count"][node] and memory.nodes["open"][node] != UNEXPANDED:
        passed.add(node)
        row = memory.nodes[node]
        edges = memory.edges[row["first"] : row["first"] + row["count"]]
        moves = [move_of_edge(memory, edge, int(row["mover"])) for edge in edges]
        best = Root(int(row["mover"]), tuple(moves), bool(row["open"] == 0), -1).chosen()
        if not (best.visits or best.solved):
            break
        found.append(best.move)
        node = int(edges["child"][[each.move for each in moves].index(best.move)])
        if node == NONE:
            break
    return found
