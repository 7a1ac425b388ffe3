"""How often the codes of moves appear in random games, as in Table 7 of the MCPS paper (codes.md).

python experiments/codes.py wargame --units 10 --codes abstract --games 100000
"""

from __future__ import annotations

import random

import numpy as np
from tables import run

from nrpa.base.errors import ProblemError
from nrpa.base.values import whole
from nrpa.bench.statistics import Cell, cell
from nrpa.cli import options
from nrpa.cli.output import echo
from nrpa.cli.per_problem import Asked, PerProblem
from nrpa.engine.game import Game
from nrpa.modelling.base_problem import BaseProblem


def code_shares(problem: BaseProblem, games: int, seed: int) -> tuple[int, Cell, Cell]:
    """Return the moves of the first position, the length of random games, and in how many the first codes appear.

    The last is the mean, over the moves of the first position, of the share of games in which the code of the move
    appears. A game counts as one number.
    """
    game, chance = Game(problem.model), random.Random(seed)
    game.reset()
    if not game.legal_moves():
        raise ProblemError(f"{type(problem).__name__}: the first position has no legal moves")
    first = game.codes
    lengths, shares, played = [], [], set()

    def choose(moves: list[int]) -> int:
        chosen = chance.randrange(len(moves))
        played.add(game.codes[chosen])
        return moves[chosen]

    for _ in range(games):
        played.clear()
        lengths.append(len(game.playout(choose)))
        shares.append(np.mean([code in played for code in first]))
    return len(first), cell(lengths), cell(shares)


def print_shares(asked: Asked, *, games: int, seed: int) -> None:
    """Play the games and print the three figures, with 2σ/√n."""
    moves, length, share = code_shares(asked.read(), whole("games", games, 2), whole("seed", seed, 0))
    echo(f"moves   {moves} in the first position")
    echo(f"length  {length.mean:.3f} ± {length.half_width:.3f}")
    echo(f"share   {share.mean:.4f} ± {share.half_width:.4f} of the games, mean over these moves' codes")


main = PerProblem(
    "codes",
    run=print_shares,
    own=lambda problem: [
        options.integer("--games", "How many random games to play.", 10_000),
        options.integer("--seed", "Same seed, same games.", 0),
    ],
    text="Count the codes of {} in random games.",
)
main.help = __doc__


if __name__ == "__main__":
    run(main)
