"""UCT in sixty lines by hand against mcps and uct at Connect Four: ``python experiments/uct_by_hand.py mcps``.

Both make 300 playouts a move, and begin in turn; 400 games.
"""

from __future__ import annotations

import argparse
import math
import random
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path

import nrpa
from nrpa.bench.statistics import share
from nrpa.games.choice import Chooser, MoveBudget

sys.path.insert(0, str(Path(__file__).parent.parent / "examples"))

from connect_four import ConnectFour

PLAYOUTS, C, TOLD = 300, 1.0, 20


@dataclass
class Node:
    """A position by hand: its state, the moves that are not tried yet, and what came of the others."""

    state: tuple[int, int, int]
    untried: list[int]
    children: dict[int, Node] = field(default_factory=dict)
    visits: int = 0
    gained: float = 0.0  # by the player who moved here


def by_hand(game: ConnectFour, moves: list[int], chance: random.Random) -> int:
    """Return the most visited move of UCT as a textbook has it."""
    state = game.initial_state()
    for move in moves:
        state = game.play(state, move)
    root = Node(state, game.legal_moves(state))
    for _ in range(PLAYOUTS):
        node, path = root, [root]
        while not node.untried and node.children:
            log = math.log(node.visits)
            node = max(node.children.values(), key=lambda c: c.gained / c.visits + C * math.sqrt(log / c.visits))
            path.append(node)
        if node.untried:
            move = node.untried.pop(chance.randrange(len(node.untried)))
            state = game.play(node.state, move)
            node.children[move] = Node(state, game.legal_moves(state))
            node = node.children[move]
            path.append(node)
        state = node.state
        while legal := game.legal_moves(state):
            state = game.play(state, chance.choice(legal))
        rewards = game.rewards(state)
        for each in path:
            each.visits += 1
            each.gained += rewards[1 - each.state[2]]
    return max(root.children, key=lambda move: root.children[move].visits)


def main() -> None:
    """Play the games, and say what share of the points the solver gets."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("solver", choices=("mcps", "uct"))
    parser.add_argument("--games", type=int, default=400)
    options = parser.parse_args()
    game = ConnectFour()
    chooser = Chooser(nrpa.compiled(game), nrpa.MCPS() if options.solver == "mcps" else nrpa.UCT())
    points, walks, seconds = 0.0, 0, 0.0
    for number in range(options.games):
        chance, moves, state = random.Random(number), list[int](), game.initial_state()
        while game.legal_moves(state):
            if (state[2] + number) % 2:
                begun = time.process_time()
                moves.append(by_hand(game, moves, chance))
                walks, seconds = walks + PLAYOUTS, seconds + time.process_time() - begun
            else:
                moves.append(chooser.choose(moves, MoveBudget(playouts=PLAYOUTS), number * 100 + len(moves)).number)
            state = game.play(state, moves[-1])
        points += game.rewards(state)[number % 2]
        if (number + 1) % TOLD == 0:
            found = share(points, number + 1)
            said = f"{100 * found.share:.1f} % [{100 * found.low:.1f}, {100 * found.high:.1f}] of {number + 1} games"
            print(f"{options.solver}: {said}; by hand {walks / seconds:,.0f} walks a second", flush=True)


if __name__ == "__main__":
    main()
