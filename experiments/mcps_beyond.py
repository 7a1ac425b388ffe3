"""MCPS beyond its paper: at equal time, against UCT with adaptive playouts, and with one player; resumable.

    python experiments/mcps_beyond.py effort --games 200
    python experiments/mcps_beyond.py effort --time 0.05 --dir by-the-clock
    python experiments/mcps_beyond.py ppa --games 200
    python experiments/mcps_beyond.py one-player --playouts 100000 --seeds 10 --csv mcps-one-player.csv
    python experiments/mcps_beyond.py ppa --dir sample --sample

effort: GRAVE has more playouts than MCPS, as many as it makes while MCPS makes 1,000 (GRAVE_PLAYOUTS); with --time both
have so many seconds a move, which is worth something only on a machine that does nothing else. ppa: UCT whose playouts
adapt to the winner's moves. one-player: equal playouts for all solvers; tree searches with uniform playouts, and by the
problem's bias where it has one, as NMCS and GNRPA.
"""

from __future__ import annotations

import argparse
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
from matches import Meeting, parser, rows_of, table
from rows import append_row, read_rows, run

import nrpa
from nrpa.base.errors import InputError
from nrpa.bench import referee
from nrpa.search.choice import Budget, Choice, Chooser

GAMES: dict[str, nrpa.BaseProblem] = {
    "atarigo-6x6": nrpa.Atarigo(size=6),
    "hex-7x7": nrpa.Hex(size=7),
    "nogo-5x5": nrpa.Nogo(size=5),
    "gomoku-9x9": nrpa.Gomoku(size=9),
    "breakthrough-8x8": nrpa.Breakthrough(size=8),
    "knightthrough-8x8": nrpa.Knightthrough(size=8),
}
# What GRAVE makes in the time of 1,000 playouts of MCPS: the median over the games of mcps/1-*-1000-ref50.csv.
GRAVE_PLAYOUTS = {
    "atarigo-6x6": 1170,
    "hex-7x7": 1300,
    "nogo-5x5": 1160,
    "gomoku-9x9": 1960,
    "breakthrough-8x8": 1120,
    "knightthrough-8x8": 1160,
}
OPPONENT_PLAYOUTS = 1000
PROBLEMS: dict[str, tuple[type[Any], str]] = {
    "samegame-01": (nrpa.SameGame, "samegame-01"),
    "samegame-08": (nrpa.SameGame, "samegame-08"),
    "samegame-15": (nrpa.SameGame, "samegame-15"),
    "morpion-5D": (nrpa.Morpion, "5D"),
    "rc204.1": (nrpa.TSPTW, "rc204.1"),
}
TREES = {"mcps": nrpa.MCPS, "grave": nrpa.GRAVE, "rave": nrpa.RAVE, "uct": nrpa.UCT, "sp-mcts": nrpa.SPMCTS}
COLUMNS = ("problem", "solver", "policy", "playouts", "seed", "score", "seconds")


class WithOwnBudget(Chooser):
    """Chooses moves with the playouts of the solver's option ``budget``, which GRAVE and UCT do not use."""

    def choose(self, moves: Any, budget: Budget, seed: Any = 0) -> Choice:
        """Return the choice, as ``Chooser`` does."""
        own = self.solver.budget
        return super().choose(moves, budget if own == type(self.solver)().budget else Budget(playouts=own), seed)


def main() -> None:
    """Run what is left of a part, and print its table."""
    own = parser(__doc__, games=200, folder="experiments/mcps-beyond")
    own.add_argument("part", choices=("effort", "ppa", "one-player"))
    own.add_argument("--time", type=float, help="effort: seconds a move of both, in place of playouts")
    own.add_argument("--only", action="append", metavar="NAME", help="some of the games or problems")
    own.add_argument("--playouts", type=int, default=100_000, help="one-player: of each search")
    own.add_argument("--seeds", type=int, default=10, help="one-player: seeds 1, 2, ...")
    own.add_argument("--csv", type=Path, default=Path("experiments/mcps-one-player.csv"), help="one-player: the table")
    options = own.parse_args()
    known: Any = PROBLEMS if options.part == "one-player" else GAMES
    for name in options.only or ():
        if name not in known:
            raise InputError(f"--only: expected some of {', '.join(known)}, not {name}")
    names = options.only or list(known)
    if options.part == "one-player":
        one_player(names, options)
        return
    if options.workers != 1 and options.part == "effort" and options.time is None:
        raise InputError("--workers: players of unequal playouts play in this process only; expected 1")
    referee.Chooser = WithOwnBudget
    print(table(rows_of([meeting(name, options) for name in names], options), "MCPS"))


def meeting(name: str, options: argparse.Namespace) -> Meeting:
    """Return the match of a game."""
    if options.part == "ppa":
        players = (nrpa.MCPS(), nrpa.UCT(policy="adapt"))
    else:
        more = GRAVE_PLAYOUTS[name] * (200 if options.sample else OPPONENT_PLAYOUTS) // OPPONENT_PLAYOUTS
        players = (nrpa.MCPS(), nrpa.GRAVE() if options.time else nrpa.GRAVE(budget=more))
    budget = f"{options.time:g}s" if options.time else str(OPPONENT_PLAYOUTS)
    return Meeting(f"{options.part}-{name}-{budget}", GAMES[name], players, OPPONENT_PLAYOUTS, time=options.time)


def one_player(names: list[str], options: argparse.Namespace) -> None:
    """Run the searches that the table lacks, seed by seed, and print the means."""
    playouts, seeds = (2000, 2) if options.sample else (options.playouts, options.seeds)
    done = {tuple(row[key] for key in COLUMNS[:5]) for row in read_rows(options.csv, COLUMNS)}
    for seed in range(1, 1 if options.only_print else seeds + 1):
        for name in names:
            kind, instance = PROBLEMS[name]
            problem = kind.load(instance)
            for solver, policy, made in solvers(problem):
                if (name, solver, policy, str(playouts), str(seed)) not in done:
                    found = nrpa.solve(problem, made, seed=seed, playouts=playouts)
                    values = (name, solver, policy, playouts, seed, found.score, f"{found.seconds:.2f}")
                    append_row(options.csv, dict(zip(COLUMNS, values, strict=True)))
    print(means([row for row in read_rows(options.csv, COLUMNS) if row["playouts"] == str(playouts)], names))


def solvers(problem: Any) -> Iterator[tuple[str, str, Any]]:
    """Yield the solvers for a problem: name, policy of the playouts, and the solver."""
    yield "nrpa", "uniform", nrpa.NRPA()
    yield "nmcs", "uniform", nrpa.NMCS()
    for name, tree in TREES.items():
        yield name, "uniform", tree()
    if problem.model.bias_by_move or problem.bias_by_code() is not None:
        yield "nrpa", "bias", nrpa.GNRPA()
        yield "nmcs", "bias", nrpa.NMCS(bias=True)
        for name, tree in TREES.items():
            yield name, "bias", tree(policy="bias")


def means(rows: list[dict[str, str]], names: list[str]) -> str:
    """Return the mean score with 2σ/√n of each solver on each problem, and the number of seeds, in Markdown."""
    scores: dict[tuple[str, str, str], list[float]] = defaultdict(list)
    for row in rows:
        scores[row["solver"], row["policy"], row["problem"]].append(shown(row["problem"], float(row["score"])))
    titles = [f"{name}: windows missed" if PROBLEMS[name][0] is nrpa.TSPTW else name for name in names]
    lines = [["solver", "playouts", *titles], ["---"] * (2 + len(names))]
    for solver, policy in dict.fromkeys(key[:2] for key in scores):
        cells = [cell(scores.get((solver, policy, name), [])) for name in names]
        lines.append([solver, policy, *cells])
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def shown(name: str, score: float) -> float:
    """Return what the table shows of a score: of TSPTW, with a million for each, the windows missed."""
    return float(-score // 1e6) if PROBLEMS[name][0] is nrpa.TSPTW else score


def cell(found: list[float]) -> str:
    """Return a mean with 2σ/√n where there are two scores or more, and how many there are."""
    if len(found) < 2:
        return f"{found[0]:.1f} (1)" if found else ""
    return f"{np.mean(found):,.1f} ± {2 * np.std(found, ddof=1) / np.sqrt(len(found)):,.1f} ({len(found)})"


if __name__ == "__main__":
    run(main)
