"""Tree walks a second beside OpenSpiel's MCTSBot (C++) on the same game, in interleaved pairs.

    pip install open_spiel
    python experiments/openspiel_speed.py

Both are UCT with one uniform playout a leaf, from the first position of Hex on an empty board, with the same number of
playouts. Times are of the processor; the ratio is that of each pair.
"""

from __future__ import annotations

import argparse
import statistics
import time
from collections.abc import Callable

from rows import run

import nrpa
from nrpa.base.errors import InputError


def main() -> None:
    """Print both rates and their ratio."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--size", type=int, default=7, help="of the board")
    parser.add_argument("--playouts", type=int, default=20_000, help="of each search")
    parser.add_argument("--pairs", type=int, default=5)
    options = parser.parse_args()
    ours, theirs = our_search(options.size, options.playouts), their_search(options.size, options.playouts)
    for search in (ours, theirs):
        search(0)
    pairs = [(seconds(ours, seed), seconds(theirs, seed)) for seed in range(1, options.pairs + 1)]
    for name, own in (("nrpa", [a for a, _ in pairs]), ("OpenSpiel", [b for _, b in pairs])):
        rates = sorted(options.playouts / each for each in own)
        print(f"{name:10} {statistics.median(rates):>12,.0f} tree walks/s  ({rates[0]:,.0f} to {rates[-1]:,.0f})")
    ratios = sorted(b / a for a, b in pairs)
    print(f"{'ratio':10} {statistics.median(ratios):>12.2f}               ({ratios[0]:.2f} to {ratios[-1]:.2f})")


def our_search(size: int, playouts: int) -> Callable[[int], object]:
    """Return a function of the seed that searches with nrpa."""
    game = nrpa.Hex(size=size, first="none")
    search = nrpa.UCT(c=1.4, normalise=False).start(game, 0)

    def walk(seed: int) -> None:
        search.begin_at([], seed)
        search.advance(playouts)

    return walk


def their_search(size: int, playouts: int) -> Callable[[int], object]:
    """Return a function of the seed that searches with OpenSpiel."""
    try:
        import pyspiel
    except ImportError:
        raise InputError("OpenSpiel is not installed; expected `pip install open_spiel`") from None
    game = pyspiel.load_game(f"hex(board_size={size})")
    state = game.new_initial_state()

    def walk(seed: int) -> None:
        evaluator = pyspiel.RandomRolloutEvaluator(1, seed)
        pyspiel.MCTSBot(game, evaluator, 1.4, playouts, 1000, False, seed, False).mcts_search(state)

    return walk


def seconds(search: Callable[[int], object], seed: int) -> float:
    """Return the processor time of one search."""
    begun = time.process_time()
    search(seed)
    return time.process_time() - begun


if __name__ == "__main__":
    run(main)
