"""What several cores bring to tree searches: ``python experiments/parallel_trees.py`` adds to its file of results.

For each number of workers: walks a second in games, points against one worker with as many seconds a move, and scores
of one player in as many seconds. With ``--equal``, points of 1,600 playouts a move by one worker and by eight against
800 by one, alone. Rows that are there are not measured again: another ``--seed`` adds more.
"""

from __future__ import annotations

import argparse
import csv
import statistics
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import count, product
from pathlib import Path
from threading import local
from time import perf_counter
from typing import Any

import numpy as np
from tables import run

import nrpa
from nrpa.games.choice import Chooser, MoveBudget
from nrpa.games.open_game import OpenGame
from nrpa.search.workers import cores

FILE = Path(__file__).parent / "results" / "parallel-trees.csv"
COLUMNS = ("what", "problem", "solver", "parallel", "workers", "seed", "samples", "mean", "deviation", "unit")
KINDS = ("root", "leaf", "tree")
GAMES = {"hex": nrpa.Hex(size=7), "breakthrough": nrpa.Breakthrough(size=6)}
IN_TIME = MoveBudget(time=0.02)  # a move
PLAYOUTS, EQUAL_GAMES = (1_600, 800), 40
BOARDS = ("samegame-01", "samegame-08")
SECONDS_A_BOARD = 1.0


def main() -> None:
    """Measure what is missing in the file."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=12.0, help="of a match")
    parser.add_argument("--matches", nargs="*", default=["hex"], choices=GAMES)
    parser.add_argument("--workers", type=int, default=cores(), help="the most workers")
    parser.add_argument("--equal", action="store_true")
    parser.add_argument("--out", type=Path, default=FILE)
    options = parser.parse_args()
    numbers = [number for number in (1, 2, 4, 8, 16) if number <= options.workers]
    sides = [(kind, number) for number in numbers for kind in KINDS if number > 1 or kind == "root"]
    known = known_rows(options.out)
    if options.equal:
        for name, (kind, number) in product(GAMES, (("root", 1), ("root", 8), ("tree", 8))):
            measure(options.out, known, ("equal", name, "uct", kind, number, options.seed), "points", equal_points)
        return
    for name in GAMES:
        for kind, number in sides:
            measure(options.out, known, ("walks", name, "uct", kind, number, options.seed), "a second", walks)
    few = [(kind, number) for kind, number in sides if number in (numbers[len(numbers) // 2], numbers[-1])]
    for name in options.matches:
        for kind, number in few:
            key = ("match", name, "uct", kind, number, options.seed)
            measure(options.out, known, key, "points", points, options.workers // number, options.seconds)
    for board in BOARDS:
        for kind, number in [sides[0], *few]:
            measure(options.out, known, ("score", board, "sp-mcts", kind, number, options.seed), "score", score)


def known_rows(path: Path) -> set[tuple[str, ...]]:
    """Return what has been measured."""
    if not path.exists():
        return set()
    with path.open(newline="", encoding="utf-8") as lines:
        return {tuple(row[name] for name in COLUMNS[:6]) for row in csv.DictReader(lines)}


def measure(path: Path, known: set[tuple[str, ...]], key: tuple[Any, ...], unit: str, how: Any, *more: Any) -> None:
    """Write a row: the samples that ``how`` gives for a key, their mean and standard deviation."""
    if tuple(map(str, key)) in known:
        return
    _, problem, _, kind, workers, seed = key
    samples = list(how(problem, kind, workers, seed, *more))
    deviation = statistics.stdev(samples) if len(samples) > 1 else 0.0
    row = (*key, len(samples), f"{statistics.mean(samples):.6g}", f"{deviation:.4g}", unit)
    print(*row)
    begins = not path.exists()
    with path.open("a", newline="", encoding="utf-8") as lines:
        writer = csv.writer(lines, lineterminator="\n")
        writer.writerows([COLUMNS, row] if begins else [row])


def chooser(name: str, kind: str, workers: int) -> Chooser:
    """Return a player."""
    trees = workers if kind == "root" else 1
    return Chooser(GAMES[name], nrpa.UCT(parallel=kind, trees=trees), workers)


def walks(name: str, kind: str, workers: int, seed: int) -> Iterator[float]:
    """Yield the walks a second of three searches of the first position."""
    player = chooser(name, kind, workers)
    player.choose([], MoveBudget(time=0.1))
    for number in range(3):
        choice = player.choose([], MoveBudget(time=0.2), seed + number)
        yield choice.playouts / choice.seconds


def points(name: str, kind: str, workers: int, seed: int, tables: int, seconds: float) -> Iterator[float]:
    """Yield the points of games against one worker, so many games at once, begun within some seconds."""
    own, begun, numbers = local(), perf_counter(), count(seed * 10_000)

    def play_some(_: int) -> list[float]:
        own.players = chooser(name, kind, workers), chooser(name, "root", 1)
        found = [game_points(OpenGame(GAMES[name]), own.players, next(numbers))]
        while perf_counter() - begun < seconds:
            found.append(game_points(OpenGame(GAMES[name]), own.players, next(numbers)))
        return found

    with ThreadPoolExecutor(tables) as pool:
        for found in pool.map(play_some, range(tables)):
            yield from found


def equal_points(name: str, kind: str, workers: int, seed: int) -> Iterator[float]:
    """Yield the points of games against one worker with half as many playouts."""
    players = chooser(name, kind, workers), chooser(name, "root", 1)
    budgets = [MoveBudget(playouts=playouts) for playouts in PLAYOUTS]
    for number in range(EQUAL_GAMES):
        yield game_points(OpenGame(GAMES[name]), players, seed * 10_000 + number, budgets)


def game_points(
    game: OpenGame, players: tuple[Chooser, Chooser], number: int, budgets: Sequence[MoveBudget] = (IN_TIME, IN_TIME)
) -> float:
    """Return the points of the first player in a game; the two begin in turns."""
    while game.legal:
        side = (game.player + number) % 2
        seed = np.random.SeedSequence(number, spawn_key=(len(game.moves),))
        game.play(players[side].choose(game.moves, budgets[side], seed).number)
    mine, others = game.rewards()[:: -1 if number % 2 else 1]
    return 1.0 if mine > others else 0.5 if mine == others else 0.0


def score(board: str, kind: str, workers: int, seed: int) -> Iterator[float]:
    """Yield the scores of three searches of a board."""
    problem = nrpa.SameGame.load(board)
    for number in range(3):
        solver = nrpa.SPMCTS(policy="bias", parallel=kind)
        yield nrpa.solve(problem, solver, seed=3 * seed + number, workers=workers, time=SECONDS_A_BOARD).score


if __name__ == "__main__":
    run(main)
