"""Information-set UCT: one tree over the players' knowledge, in which every walk draws the hidden part anew.

References
----------
P. Cowling, E. Powley and D. Whitehouse, *Information Set Monte Carlo Tree Search*, IEEE Transactions on Computational
Intelligence and AI in Games 4, 2012: SO-ISMCTS.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from nrpa.base.errors import InputError
from nrpa.base.lazy import lazy
from nrpa.games.open_game import OpenGame
from nrpa.modelling.base_problem import BaseProblem
from nrpa.solvers.interface import Seed
from nrpa.solvers.tree import UCT, TreeSearchOptions

if TYPE_CHECKING:
    from nrpa.solvers.tree.root import Root

tree_root = lazy("nrpa.solvers.tree.root")


def require_bandit(problem: BaseProblem, solver: TreeSearchOptions) -> None:
    """Raise InputError unless a solver and a game can be searched by a tree of what players know."""
    usual = {name: value for name, value in UCT().options.items() if name not in ("c", "keep", "worlds")}
    others = [name for name, value in usual.items() if getattr(solver, name, None) != value]
    if not isinstance(solver, UCT) or others:
        what = f"{solver.name} with {others[0]}" if isinstance(solver, UCT) else solver.name
        raise InputError(f"worlds=walks is for uct with no other option than c; found {what}")
    if not problem.hides:
        raise InputError(f"worlds=walks is for games that hide something; {problem.name} has no determinize")


@dataclass
class Tried:
    """A move at a node, which is what players know: the moves since the root, whatever is hidden."""

    available: int = 0  # the walks in which it was legal here
    tried: int = 0
    total: float = 0.0  # of the rewards of the player who makes it
    arms: dict[int, Tried] = field(default_factory=dict)  # the moves behind it

    def bound(self, c: float) -> float:
        """Return UCB1, with how often the move could have been made in place of the visits of the node."""
        return self.total / self.tried + c * math.sqrt(math.log(self.available) / self.tried)


class InformationSetTree:
    """A tree search that is advanced as others are, but in Python: drawings are the problem's own."""

    proven, workers = False, 1

    def __init__(self, problem: BaseProblem, solver: TreeSearchOptions) -> None:
        require_bandit(problem, solver)
        self._game, self._c = OpenGame(problem), float(solver.options["c"])
        self.begin_at((), 0)

    def begin_at(self, moves: Sequence[int], seed: Seed) -> None:
        """Forget everything, and begin at the position that some moves lead to."""
        self._moves, self._random = [*moves], np.random.default_rng(seed)
        self._root, self.playouts = dict[int, Tried](), 0

    def go_on_at(self, moves: Sequence[int], seed: Seed) -> bool:
        """Return that the tree begins anew at each position: other drawings are possible there."""
        return False

    def advance(self, playouts: int) -> None:
        """Make so many walks more."""
        for _ in range(playouts):
            self._walk()
            self.playouts += 1

    def root(self) -> Root:
        """Return what is known of the legal moves of the position."""
        self._game.begin(self._moves)
        arms = {move: self._root.get(move, Tried()) for move in self._game.legal}
        values = {move: arm.total / arm.tried if arm.tried else -math.inf for move, arm in arms.items()}
        root: Root = tree_root.Root(
            self._game.player,
            tuple(tree_root.RootMove(move, arm.tried, values[move], False) for move, arm in arms.items()),
            solved=False,
            survivor=-1,
        )
        return root

    def _walk(self) -> None:
        game = self._game
        game.begin(self._moves)
        game.begin(game.determinized(self._random))
        node: dict[int, Tried] | None = self._root
        path = []
        while game.legal:
            if node is None:
                game.play(game.legal[self._random.integers(len(game.legal))])
                continue
            place, is_new = self._selected([node.setdefault(move, Tried()) for move in game.legal])
            arm = node[game.legal[place]]
            path.append((arm, game.player))
            node = None if is_new else arm.arms
            game.play(game.legal[place])
        gained = game.rewards()
        for arm, player in path:
            arm.tried += 1
            arm.total += gained[player]

    def _selected(self, arms: list[Tried]) -> tuple[int, bool]:
        """Return which of the moves that are legal in this walk is made, and whether it is tried for the first time."""
        for arm in arms:
            arm.available += 1
        untried = [place for place, arm in enumerate(arms) if not arm.tried]
        if untried:
            return untried[self._random.integers(len(untried))], True
        return max(range(len(arms)), key=lambda place: arms[place].bound(self._c)), False
